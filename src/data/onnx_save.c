// Nets as ONNX files. Messages are made from the inside out: each has its length before it.
#include "ploy/data/onnx.h"

#include "data/protobuf.h"

#include <stdio.h>
#include <string.h>

// A message under construction.
typedef struct onnx_message {
    ploy_buffer buffer;
    ploy_writer writer;
} onnx_message;

static void onnx_begin(onnx_message *m, const ploy_env *env) {
    ploy_buffer_init(&m->buffer, 0, env);
    m->writer = ploy_buffer_writer(&m->buffer);
}

// Ends a message as a field of another one; its failure becomes the other's.
static ploy_result onnx_end(onnx_message *m, onnx_message *outer, uint32_t field) {
    ploy_result result = ploy_writer_result(&m->writer);
    if (result == PLOY_OK) {
        ployi_proto_write_bytes(&outer->writer, field, m->buffer.bytes, m->buffer.size);
        result = ploy_writer_result(&outer->writer);
    }
    ploy_buffer_fini(&m->buffer);
    return result;
}

typedef struct onnx_saver {
    const ploy_net *net;
    const ploy_env *env;
    onnx_message graph;
    char value[32]; // name of the present value
    ploy_result result;
} onnx_saver;

static void onnx_note(onnx_saver *s, ploy_result result) {
    if (s->result == PLOY_OK) s->result = result;
}

// ---- nodes

static void onnx_node_begin(onnx_saver *s, onnx_message *node, const char *op, int32_t layer) {
    onnx_begin(node, s->env);
    ployi_proto_write_text(&node->writer, 1, s->value);
    ployi_proto_write_text(&node->writer, 4, op);
    snprintf(s->value, sizeof s->value, "%s_%d", op, (int)layer);
}

static void onnx_node_end(onnx_saver *s, onnx_message *node) {
    ployi_proto_write_text(&node->writer, 2, s->value);
    ployi_proto_write_text(&node->writer, 3, s->value);
    onnx_note(s, onnx_end(node, &s->graph, 1));
}

static void onnx_put_int(onnx_saver *s, onnx_message *node, const char *name, int64_t value) {
    onnx_message attribute;
    onnx_begin(&attribute, s->env);
    ployi_proto_write_text(&attribute.writer, 1, name);
    ployi_proto_write_varint(&attribute.writer, 3, (uint64_t)value);
    ployi_proto_write_varint(&attribute.writer, 20, 2); // INT
    onnx_note(s, onnx_end(&attribute, node, 5));
}

static void onnx_put_ints(onnx_saver *s, onnx_message *node, const char *name,
                          const int32_t *values, int32_t count) {
    onnx_message attribute;
    onnx_begin(&attribute, s->env);
    ployi_proto_write_text(&attribute.writer, 1, name);
    for (int32_t i = 0; i < count; i++) {
        ployi_proto_write_varint(&attribute.writer, 8, (uint64_t)values[i]);
    }
    ployi_proto_write_varint(&attribute.writer, 20, 7); // INTS
    onnx_note(s, onnx_end(&attribute, node, 5));
}

static void onnx_put_float(onnx_saver *s, onnx_message *node, const char *name, float value) {
    onnx_message attribute;
    onnx_begin(&attribute, s->env);
    ployi_proto_write_text(&attribute.writer, 1, name);
    ployi_proto_write_float(&attribute.writer, 2, value);
    ployi_proto_write_varint(&attribute.writer, 20, 1); // FLOAT
    onnx_note(s, onnx_end(&attribute, node, 5));
}

static void onnx_put_floats(ploy_writer *out, const float *values, int32_t count, float factor) {
    for (int32_t i = 0; i < count; i++) {
        float value = values[i] * factor;
        uint32_t bits;
        memcpy(&bits, &value, sizeof bits);
        uint8_t bytes[4];
        for (int32_t k = 0; k < 4; k++) bytes[k] = (uint8_t)(bits >> (8 * k));
        ploy_write_bytes(out, bytes, sizeof bytes);
    }
}

// Weights and bias of a layer as initializers w_l and b_l. A shape h of the activation is f(h x): it
// goes into the weights.
static void onnx_put_weights(onnx_saver *s, int32_t l, onnx_message *node) {
    const ploy_net_layer *layer = ploy_net_layer_at(s->net, l);
    int32_t inputs = ploy_net_weights_of_unit(s->net, l);
    char name[32];
    for (int32_t bias = 0; bias < 2; bias++) {
        onnx_message tensor, data;
        onnx_begin(&tensor, s->env);
        onnx_begin(&data, s->env);
        ployi_proto_write_varint(&tensor.writer, 1, (uint64_t)layer->units);
        if (bias == 0 && layer->kind == PLOY_NET_CONV) {
            int32_t area = layer->window[0] * layer->window[1];
            ployi_proto_write_varint(&tensor.writer, 1, (uint64_t)(inputs / area));
            ployi_proto_write_varint(&tensor.writer, 1, (uint64_t)layer->window[1]);
            ployi_proto_write_varint(&tensor.writer, 1, (uint64_t)layer->window[0]);
        } else if (bias == 0) {
            ployi_proto_write_varint(&tensor.writer, 1, (uint64_t)inputs);
        }
        ployi_proto_write_varint(&tensor.writer, 2, 1); // FLOAT
        snprintf(name, sizeof name, "%s_%d", bias == 1 ? "b" : "w", (int)l);
        ployi_proto_write_text(&tensor.writer, 8, name);
        ployi_proto_write_text(&node->writer, 1, name);
        for (int32_t u = 0; u < layer->units; u++) {
            float value = ploy_net_bias_at(s->net, l, u);
            const float *row = bias == 1 ? &value : ploy_net_weights_at(s->net, l, u);
            onnx_put_floats(&data.writer, row, bias == 1 ? 1 : inputs, layer->shape);
        }
        onnx_note(s, onnx_end(&data, &tensor, 9));
        onnx_note(s, onnx_end(&tensor, &s->graph, 5));
    }
}

static void onnx_put_window(onnx_saver *s, const ploy_net_layer *layer, onnx_message *node) {
    const int32_t window[2] = {layer->window[1], layer->window[0]};
    const int32_t strides[2] = {layer->stride[1], layer->stride[0]};
    const int32_t pads[4] = {layer->pad[1], layer->pad[0], layer->pad[1], layer->pad[0]};
    onnx_put_ints(s, node, "kernel_shape", window, 2);
    onnx_put_ints(s, node, "strides", strides, 2);
    onnx_put_ints(s, node, "pads", pads, 4);
}

// NULL: ONNX has none. "": nothing to do.
static const char *onnx_op_of(const ploy_net_layer *layer) {
    switch (layer->activation) {
    case PLOY_NET_LINEAR: return "";
    case PLOY_NET_RELU: return "Relu";
    case PLOY_NET_LEAKY: return "LeakyRelu";
    case PLOY_NET_SIGMOID: return "Sigmoid";
    case PLOY_NET_TANH: return "Tanh";
    case PLOY_NET_SOFTMAX: return "Softmax";
    case PLOY_NET_SOFTPLUS: return layer->shape == 1.0f ? "Softplus" : NULL; // divides by its shape
    default: return NULL;
    }
}

static void onnx_put_layer(onnx_saver *s, int32_t l, bool *flat) {
    const ploy_net_layer *layer = ploy_net_layer_at(s->net, l);
    ploy_net_size size = ploy_net_size_at(s->net, l);
    onnx_message node;
    if (layer->kind == PLOY_NET_DENSE && !*flat && size.width * size.height > 1) {
        onnx_node_begin(s, &node, "Flatten", l);
        onnx_put_int(s, &node, "axis", 1);
        onnx_node_end(s, &node);
    }
    *flat = layer->kind == PLOY_NET_DENSE;
    static const char *const ops[] = {"Gemm", "Conv", "MaxPool", "AveragePool"};
    onnx_node_begin(s, &node, ops[layer->kind], l);
    if (layer->kind == PLOY_NET_DENSE || layer->kind == PLOY_NET_CONV) {
        onnx_put_weights(s, l, &node);
    }
    if (layer->kind == PLOY_NET_DENSE) {
        onnx_put_int(s, &node, "transB", 1);
    } else {
        onnx_put_window(s, layer, &node);
    }
    onnx_node_end(s, &node);
    const char *op = onnx_op_of(layer);
    if (op[0] == 0) return;
    onnx_node_begin(s, &node, op, l);
    if (layer->activation == PLOY_NET_LEAKY) onnx_put_float(s, &node, "alpha", 0.01f);
    if (layer->activation == PLOY_NET_SOFTMAX) onnx_put_int(s, &node, "axis", -1);
    onnx_node_end(s, &node);
}

// ---- the model

// A value of the graph: its name and [N, C] or [N, C, H, W].
static void onnx_put_value(onnx_saver *s, uint32_t field, const char *name, ploy_net_size size) {
    onnx_message info, type, tensor, shape, dim;
    onnx_begin(&info, s->env);
    onnx_begin(&type, s->env);
    onnx_begin(&tensor, s->env);
    onnx_begin(&shape, s->env);
    const int32_t sizes[4] = {0, size.channels, size.height, size.width};
    int32_t count = size.width * size.height > 1 ? 4 : 2;
    for (int32_t i = 0; i < count; i++) {
        onnx_begin(&dim, s->env);
        if (i == 0) ployi_proto_write_text(&dim.writer, 2, "N");
        if (i > 0) ployi_proto_write_varint(&dim.writer, 1, (uint64_t)sizes[i]);
        onnx_note(s, onnx_end(&dim, &shape, 1));
    }
    ployi_proto_write_text(&info.writer, 1, name);
    ployi_proto_write_varint(&tensor.writer, 1, 1); // FLOAT
    onnx_note(s, onnx_end(&shape, &tensor, 2));
    onnx_note(s, onnx_end(&tensor, &type, 1));
    onnx_note(s, onnx_end(&type, &info, 2));
    onnx_note(s, onnx_end(&info, &s->graph, field));
}

static bool onnx_savable(const ploy_net *net, ploy_diags *diags) {
    for (int32_t l = 0; l < ploy_net_layer_count(net); l++) {
        const ploy_net_layer *layer = ploy_net_layer_at(net, l);
        if (onnx_op_of(layer) != NULL) continue;
        ploy_diags_add(diags, PLOY_SEVERITY_ERROR, PLOY_ERR_UNSUPPORTED, "net", 0, 0,
                       "ONNX has no operator for this activation",
                       ploy_net_activation_text(layer->activation), NULL);
        return false;
    }
    return true;
}

ploy_result ploy_onnx_save(const ploy_net *net, const ploy_env *env, ploy_writer *writer,
                           ploy_diags *diags) {
    if (net == NULL || env == NULL || writer == NULL) return PLOY_ERR_ARGUMENT;
    if (!onnx_savable(net, diags)) return PLOY_ERR_UNSUPPORTED;
    onnx_saver s;
    memset(&s, 0, sizeof s);
    s.net = net;
    s.env = env;
    snprintf(s.value, sizeof s.value, "input");
    onnx_begin(&s.graph, env);
    int32_t layers = ploy_net_layer_count(net);
    bool flat = false;
    for (int32_t l = 0; l < layers; l++) onnx_put_layer(&s, l, &flat);
    ployi_proto_write_text(&s.graph.writer, 2, "ploy");
    onnx_put_value(&s, 11, "input", ploy_net_size_at(net, 0));
    onnx_put_value(&s, 12, s.value, ploy_net_size_at(net, layers));
    onnx_message model, opset;
    onnx_begin(&model, env);
    onnx_begin(&opset, env);
    ployi_proto_write_varint(&model.writer, 1, 7); // version of the format
    ployi_proto_write_text(&model.writer, 2, "ploy");
    onnx_note(&s, onnx_end(&s.graph, &model, 7));
    ployi_proto_write_text(&opset.writer, 1, "");
    ployi_proto_write_varint(&opset.writer, 2, 13);
    onnx_note(&s, onnx_end(&opset, &model, 8));
    onnx_note(&s, ploy_writer_result(&model.writer));
    if (s.result == PLOY_OK) ploy_write_bytes(writer, model.buffer.bytes, model.buffer.size);
    ploy_buffer_fini(&model.buffer);
    return s.result == PLOY_OK ? ploy_writer_result(writer) : s.result;
}
