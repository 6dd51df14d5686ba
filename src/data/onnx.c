// Nets from ONNX files.
//
// The nodes of a graph are in an order in which they can run. The reader follows one value through
// them, from the graph's input on, and collects layers; weights are looked up by name among the
// initializers. Numbers of messages and fields are those of onnx.proto.
#include "ploy/data/onnx.h"

#include "data/protobuf.h"
#include "ploy/base/hash.h"
#include "ploy/base/map.h"
#include "ploy/base/math.h"

#include <stdio.h>
#include <string.h>

enum { ONNX_DIMS_MAX = 8, ONNX_INPUTS_MAX = 4, ONNX_FLOAT = 1, ONNX_INT64 = 7 };

typedef struct onnx_tensor {
    bool found;
    uint64_t type;
    int64_t dims[ONNX_DIMS_MAX];
    int32_t dim_count;
    int64_t count;      // the product
    ployi_proto data;   // four or eight bytes each, little-endian
    ployi_proto packed; // of int64_data
} onnx_tensor;

typedef struct onnx_node {
    ployi_proto inputs[ONNX_INPUTS_MAX], output, op, name, attributes; // attributes: the node
    int32_t input_count;
} onnx_node;

typedef struct onnx_reader {
    const uint8_t *start;
    const char *file;
    const ploy_env *env;
    ploy_diags *diags;
    ployi_proto graph, value;  // value: the name that is followed
    ploy_map initializers;     // hash of a name to the first tensor, a ployi_proto, with that hash
    ploy_net_size input, size; // size: of the value
    bool flat;                 // it was flattened
    ploy_net_layer layers[PLOY_NET_LAYERS_MAX];
    onnx_tensor weights[PLOY_NET_LAYERS_MAX], biases[PLOY_NET_LAYERS_MAX];
    bool across[PLOY_NET_LAYERS_MAX]; // weights are inputs by units
    float alpha[PLOY_NET_LAYERS_MAX], beta[PLOY_NET_LAYERS_MAX];
    int32_t layer_count;
    bool active; // the last layer has its activation
} onnx_reader;

static ploy_result onnx_fault(const onnx_reader *r, ployi_proto at, ploy_result code,
                              const char *message, const char *expected) {
    int32_t column = at.at != NULL ? (int32_t)(at.at - r->start) + 1 : 0;
    ploy_diags_add(r->diags, PLOY_SEVERITY_ERROR, code, r->file, column > 0 ? 1 : 0, column,
                   message, expected, NULL);
    return code;
}

// The same with a name out of the file, cut if it is long.
static ploy_result onnx_fault_named(const onnx_reader *r, ployi_proto name, ploy_result code,
                                    const char *message) {
    char text[160];
    int length = (int)(name.end - name.at);
    for (int i = 0; i < length && i < 60; i++) {
        if (name.at[i] < 0x20 || name.at[i] > 0x7e)
            length = i; // names are shown as far as ASCII goes
    }
    snprintf(text, sizeof text, "%s '%.*s'", message, length > 60 ? 60 : length,
             name.at != NULL ? (const char *)name.at : "");
    return onnx_fault(r, name, code, text, NULL);
}

// ---- pieces of messages

static bool onnx_read_dim(onnx_tensor *t, uint64_t value) {
    if (t->dim_count == ONNX_DIMS_MAX || value > 1 << 30) return false;
    t->dims[t->dim_count++] = (int64_t)value;
    t->count *= (int64_t)value;
    return t->count <= INT64_C(1) << 31;
}

static bool onnx_read_tensor(ployi_proto message, onnx_tensor *t, ployi_proto *name) {
    memset(t, 0, sizeof *t);
    t->count = 1;
    bool broken = false, fits = true;
    ployi_proto_field f;
    while (ployi_proto_next(&message, &f, &broken)) {
        uint64_t value = 0;
        if (f.number == 1 && f.wire == 0) fits = fits && onnx_read_dim(t, f.value);
        while (f.number == 1 && f.wire == 2 && fits && ployi_proto_varint(&f.bytes, &value)) {
            fits = onnx_read_dim(t, value);
        }
        if (f.number == 2) t->type = f.value;
        if ((f.number == 4 || f.number == 9) && f.wire == 2) t->data = f.bytes;
        if (f.number == 7 && f.wire == 2) t->packed = f.bytes;
        if (f.number == 8 && f.wire == 2) *name = f.bytes;
    }
    t->found = !broken && fits;
    return t->found;
}

static bool onnx_same(ployi_proto a, ployi_proto b) {
    size_t size = (size_t)(a.end - a.at);
    return size == (size_t)(b.end - b.at) && (size == 0 || memcmp(a.at, b.at, size) == 0);
}

static uint64_t onnx_hash(ployi_proto name) {
    return ploy_hash_bytes(name.at, (size_t)(name.end - name.at), 0);
}

// Files may have as many initializers as nodes: each is found by its name's hash.
static ploy_result onnx_index(onnx_reader *r) {
    ployi_proto graph = r->graph;
    ployi_proto_field f;
    onnx_tensor tensor;
    bool broken = false;
    ploy_result result = PLOY_OK;
    while (result == PLOY_OK && ployi_proto_next(&graph, &f, &broken)) {
        ployi_proto own = {NULL, NULL};
        if (f.number != 5 || f.wire != 2 || !onnx_read_tensor(f.bytes, &tensor, &own)) continue;
        void *held = NULL;
        bool added = false;
        result = ploy_map_ensure(&r->initializers, onnx_hash(own), &held, &added);
        if (result == PLOY_OK && added) memcpy(held, &f.bytes, sizeof f.bytes);
    }
    return result;
}

// The initializer of that name; found is false if there is none.
static onnx_tensor onnx_initializer(const onnx_reader *r, ployi_proto name) {
    ployi_proto graph = r->graph;
    ployi_proto_field f;
    onnx_tensor tensor;
    bool broken = false;
    const ployi_proto *first = ploy_map_get(&r->initializers, onnx_hash(name));
    if (first != NULL) {
        ployi_proto own = {NULL, NULL};
        if (onnx_read_tensor(*first, &tensor, &own) && onnx_same(own, name)) return tensor;
    }
    // Two names with one hash: all are compared.
    while (first != NULL && ployi_proto_next(&graph, &f, &broken)) {
        ployi_proto own = {NULL, NULL};
        if (f.number != 5 || f.wire != 2) continue;
        if (onnx_read_tensor(f.bytes, &tensor, &own) && onnx_same(own, name)) return tensor;
    }
    memset(&tensor, 0, sizeof tensor);
    return tensor;
}

static float onnx_float(const onnx_tensor *t, int64_t index) {
    const uint8_t *at = t->data.at + 4 * index;
    uint32_t bits =
        (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

// A tensor of whole numbers, such as a shape. @return how many; -1 if it is none.
static int32_t onnx_whole(const onnx_tensor *t, int64_t *out) {
    if (!t->found || t->type != ONNX_INT64 || t->count > ONNX_DIMS_MAX) return -1;
    ployi_proto packed = t->packed;
    for (int32_t i = 0; i < (int32_t)t->count; i++) {
        uint64_t value = 0;
        if (t->data.end - t->data.at == 8 * t->count) {
            for (int32_t k = 8; k-- > 0;) value = value << 8 | t->data.at[8 * i + k];
        } else if (!ployi_proto_varint(&packed, &value)) {
            return -1;
        }
        out[i] = (int64_t)value;
    }
    return (int32_t)t->count;
}

// An attribute of a node by its name.
typedef struct onnx_attribute {
    bool found;
    float f;
    int64_t i;
    int64_t ints[ONNX_DIMS_MAX];
    int32_t int_count;
    ployi_proto text;
} onnx_attribute;

static onnx_attribute onnx_read_attribute(ployi_proto message, ployi_proto *name) {
    onnx_attribute a;
    memset(&a, 0, sizeof a);
    ployi_proto_field f;
    bool broken = false;
    while (ployi_proto_next(&message, &f, &broken)) {
        if (f.number == 1 && f.wire == 2) *name = f.bytes;
        if (f.number == 2 && f.wire == 5) {
            uint32_t bits = (uint32_t)f.value;
            memcpy(&a.f, &bits, sizeof a.f);
        }
        if (f.number == 3) a.i = (int64_t)f.value;
        if (f.number == 4 && f.wire == 2) a.text = f.bytes;
        if (f.number != 8) continue;
        uint64_t value = f.value;
        bool more = f.wire == 0 || ployi_proto_varint(&f.bytes, &value);
        while (more && a.int_count < ONNX_DIMS_MAX) {
            a.ints[a.int_count++] = (int64_t)value;
            more = f.wire == 2 && ployi_proto_varint(&f.bytes, &value);
        }
    }
    a.found = !broken;
    return a;
}

static onnx_attribute onnx_attribute_of(const onnx_node *node, const char *name) {
    ployi_proto message = node->attributes;
    ployi_proto_field f;
    bool broken = false;
    while (ployi_proto_next(&message, &f, &broken)) {
        ployi_proto own = {NULL, NULL};
        if (f.number != 5 || f.wire != 2) continue;
        onnx_attribute a = onnx_read_attribute(f.bytes, &own);
        if (a.found && ployi_proto_equals(own, name)) return a;
    }
    onnx_attribute none;
    memset(&none, 0, sizeof none);
    return none;
}

static int64_t onnx_int(const onnx_node *node, const char *name, int64_t otherwise) {
    onnx_attribute a = onnx_attribute_of(node, name);
    return a.found ? a.i : otherwise;
}

static float onnx_real(const onnx_node *node, const char *name, float otherwise) {
    onnx_attribute a = onnx_attribute_of(node, name);
    return a.found ? a.f : otherwise;
}

// ---- operators

static ploy_result onnx_refuse(const onnx_reader *r, const onnx_node *node, const char *what) {
    char text[96];
    snprintf(text, sizeof text, "%s in operator", what);
    return onnx_fault_named(r, node->op, PLOY_ERR_UNSUPPORTED, text);
}

static ploy_result onnx_add_layer(onnx_reader *r, const onnx_node *node, ploy_net_layer layer) {
    if (r->layer_count == PLOY_NET_LAYERS_MAX) {
        return onnx_fault_named(r, node->op, PLOY_ERR_LIMIT, "too many layers, at most 64, at");
    }
    r->alpha[r->layer_count] = r->beta[r->layer_count] = 1.0f;
    r->layers[r->layer_count++] = layer;
    r->active = layer.kind != PLOY_NET_DENSE && layer.kind != PLOY_NET_CONV;
    return PLOY_OK;
}

static bool onnx_is_floats(const onnx_tensor *t) {
    return t->found && t->type == ONNX_FLOAT && t->data.end - t->data.at == 4 * t->count;
}

static ploy_result onnx_dense(onnx_reader *r, const onnx_node *node, bool gemm) {
    onnx_tensor w = onnx_initializer(r, node->inputs[1]);
    bool turned = gemm && onnx_int(node, "transB", 0) != 0; // units by inputs
    if (!onnx_is_floats(&w) || w.dim_count != 2) return onnx_refuse(r, node, "weights are missing");
    if (gemm && onnx_int(node, "transA", 0) != 0)
        return onnx_refuse(r, node, "unsupported attribute transA");
    int64_t inputs = turned ? w.dims[1] : w.dims[0], units = turned ? w.dims[0] : w.dims[1];
    bool image = r->size.width * r->size.height > 1 && !r->flat;
    if (image) return onnx_refuse(r, node, "image was not flattened");
    if (inputs != ploy_net_values(r->size) || units < 1 || units > PLOY_NET_UNITS_MAX) {
        return onnx_refuse(r, node, "sizes do not match");
    }
    ploy_result result = onnx_add_layer(r, node, ploy_net_dense((int32_t)units, PLOY_NET_LINEAR));
    if (result != PLOY_OK) return result;
    int32_t at = r->layer_count - 1;
    r->weights[at] = w;
    r->across[at] = !turned;
    if (gemm && node->input_count > 2 && node->inputs[2].at != node->inputs[2].end) {
        r->biases[at] = onnx_initializer(r, node->inputs[2]);
        if (!onnx_is_floats(&r->biases[at]) ||
            (r->biases[at].count != units && r->biases[at].count != 1)) {
            return onnx_refuse(r, node, "bias has another size");
        }
    }
    if (gemm) {
        r->alpha[at] = onnx_real(node, "alpha", 1.0f);
        r->beta[at] = onnx_real(node, "beta", 1.0f);
    }
    r->size = ploy_net_inputs((int32_t)units);
    return PLOY_OK;
}

static ploy_result onnx_add_bias(onnx_reader *r, const onnx_node *node) {
    bool first = onnx_same(node->inputs[0], r->value);
    onnx_tensor b = onnx_initializer(r, node->inputs[first ? 1 : 0]);
    int32_t at = r->layer_count - 1;
    if (at < 0 || r->active || r->biases[at].found || r->layers[at].kind == PLOY_NET_MAX_POOL) {
        return onnx_refuse(r, node, "sum is not a bias");
    }
    if (!onnx_is_floats(&b) || b.count != r->layers[at].units) {
        return onnx_refuse(r, node, "bias has another size");
    }
    // A convolution's bias is one of each channel: [1, C, 1, 1] or [C, 1, 1].
    bool conv = r->layers[at].kind == PLOY_NET_CONV;
    int32_t last = conv ? 3 : 1;
    if (conv && (b.dim_count < 3 || b.dims[b.dim_count - last] != b.count)) {
        return onnx_refuse(r, node, "bias has another size");
    }
    r->biases[at] = b;
    return PLOY_OK;
}

// Window, stride and padding of a convolution or pooling.
static ploy_result onnx_window(onnx_reader *r, const onnx_node *node, ploy_net_layer *layer) {
    onnx_attribute strides = onnx_attribute_of(node, "strides");
    onnx_attribute pads = onnx_attribute_of(node, "pads");
    onnx_attribute dilations = onnx_attribute_of(node, "dilations");
    onnx_attribute pad_mode = onnx_attribute_of(node, "auto_pad");
    if (pad_mode.found && !ployi_proto_equals(pad_mode.text, "NOTSET")) {
        return onnx_refuse(r, node, "unsupported attribute auto_pad");
    }
    if (onnx_int(node, "ceil_mode", 0) != 0)
        return onnx_refuse(r, node, "unsupported attribute ceil_mode");
    for (int32_t i = 0; i < dilations.int_count; i++) {
        if (dilations.ints[i] != 1) return onnx_refuse(r, node, "unsupported attribute dilations");
    }
    layer->pad[0] = layer->pad[1] = 0;
    layer->stride[0] = layer->stride[1] = 1;
    for (int32_t i = 0; i < 2; i++) { // ONNX has the height first
        if (strides.int_count == 2) {
            if (strides.ints[i] < 1 || strides.ints[i] > 1 << 20) {
                return onnx_refuse(r, node, "unsupported attribute strides");
            }
            layer->stride[1 - i] = (int32_t)strides.ints[i];
        }
        if (pads.int_count == 4) {
            if (pads.ints[i] != pads.ints[i + 2] || pads.ints[i] < 0 || pads.ints[i] > 1 << 20) {
                return onnx_refuse(r, node, "unsupported attribute pads with different sides");
            }
            layer->pad[1 - i] = (int32_t)pads.ints[i];
        }
    }
    int32_t width = r->size.width + 2 * layer->pad[0] - layer->window[0];
    int32_t height = r->size.height + 2 * layer->pad[1] - layer->window[1];
    if (width < 0 || height < 0 || r->flat)
        return onnx_refuse(r, node, "window does not fit into the image");
    r->size.width = width / layer->stride[0] + 1;
    r->size.height = height / layer->stride[1] + 1;
    return PLOY_OK;
}

static ploy_result onnx_conv(onnx_reader *r, const onnx_node *node) {
    onnx_tensor w = onnx_initializer(r, node->inputs[1]), b;
    memset(&b, 0, sizeof b);
    if (!onnx_is_floats(&w) || w.dim_count != 4 || w.count < 1) {
        return onnx_refuse(r, node, "weights are missing");
    }
    if (onnx_int(node, "group", 1) != 1) return onnx_refuse(r, node, "unsupported attribute group");
    if (w.dims[1] != r->size.channels || w.dims[0] > PLOY_NET_UNITS_MAX) {
        return onnx_refuse(r, node, "sizes do not match");
    }
    if (node->input_count > 2) b = onnx_initializer(r, node->inputs[2]);
    if (node->input_count > 2 && (!onnx_is_floats(&b) || b.count != w.dims[0])) {
        return onnx_refuse(r, node, "bias has another size");
    }
    ploy_net_layer layer = ploy_net_conv((int32_t)w.dims[0], 1, PLOY_NET_LINEAR);
    layer.window[0] = (int32_t)w.dims[3];
    layer.window[1] = (int32_t)w.dims[2];
    ploy_result result = onnx_window(r, node, &layer);
    if (result == PLOY_OK) result = onnx_add_layer(r, node, layer);
    if (result != PLOY_OK) return result;
    r->size.channels = layer.units;
    r->weights[r->layer_count - 1] = w;
    r->biases[r->layer_count - 1] = b;
    return PLOY_OK;
}

static ploy_result onnx_pool(onnx_reader *r, const onnx_node *node, bool largest, bool global) {
    ploy_net_layer layer = ploy_net_pool(largest ? PLOY_NET_MAX_POOL : PLOY_NET_MEAN_POOL, 1);
    onnx_attribute window = onnx_attribute_of(node, "kernel_shape");
    layer.window[0] = r->size.width;
    layer.window[1] = r->size.height;
    if (!global) {
        if (window.int_count != 2 || window.ints[0] < 1 || window.ints[1] < 1 ||
            window.ints[0] > 1 << 20 || window.ints[1] > 1 << 20) {
            return onnx_refuse(r, node, "unsupported attribute kernel_shape");
        }
        layer.window[0] = (int32_t)window.ints[1];
        layer.window[1] = (int32_t)window.ints[0];
    }
    ploy_result result = onnx_window(r, node, &layer);
    bool padded = layer.pad[0] > 0 || layer.pad[1] > 0;
    if (result == PLOY_OK && !largest && padded && onnx_int(node, "count_include_pad", 0) != 0) {
        return onnx_refuse(r, node, "unsupported attribute count_include_pad");
    }
    return result == PLOY_OK ? onnx_add_layer(r, node, layer) : result;
}

static ploy_result onnx_activate(onnx_reader *r, const onnx_node *node,
                                 ploy_net_activation activation) {
    if (r->layer_count == 0 || r->active) {
        return onnx_refuse(r, node, "activation does not follow a layer with weights");
    }
    if (activation == PLOY_NET_LEAKY && onnx_real(node, "alpha", 0.01f) != 0.01f) {
        return onnx_refuse(r, node, "unsupported attribute alpha");
    }
    int64_t axis = onnx_int(node, "axis", -1);
    if (activation == PLOY_NET_SOFTMAX && axis != -1 && axis != 1) {
        return onnx_refuse(r, node, "unsupported attribute axis");
    }
    if (activation == PLOY_NET_SOFTMAX && r->layers[r->layer_count - 1].kind != PLOY_NET_DENSE) {
        return onnx_refuse(r, node, "input is an image");
    }
    r->layers[r->layer_count - 1].activation = activation;
    r->active = true;
    return PLOY_OK;
}

static ploy_result onnx_reshape(onnx_reader *r, const onnx_node *node) {
    onnx_tensor tensor = onnx_initializer(r, node->inputs[1]);
    int64_t shape[ONNX_DIMS_MAX];
    int32_t count = onnx_whole(&tensor, shape);
    if (count < 0) return onnx_refuse(r, node, "shape is not fixed");
    if (count == 2) {
        if (shape[1] != -1 && shape[1] != ploy_net_values(r->size)) {
            return onnx_refuse(r, node, "sizes do not match");
        }
        r->flat = true;
        return PLOY_OK;
    }
    bool image = count == 4 && r->layer_count == 0;
    for (int32_t i = 1; i < count && image; i++) image = shape[i] > 0 && shape[i] <= 1 << 20;
    if (!image || (double)shape[1] * (double)shape[2] * (double)shape[3] !=
                      (double)ploy_net_values(r->size)) {
        return onnx_refuse(r, node, "shape is neither flat nor an image of the input");
    }
    r->size.channels = (int32_t)shape[1];
    r->size.height = (int32_t)shape[2];
    r->size.width = (int32_t)shape[3];
    r->input = r->size;
    r->flat = false;
    return PLOY_OK;
}

static ploy_result onnx_apply(onnx_reader *r, const onnx_node *node) {
    static const struct {
        const char *op;
        ploy_net_activation activation;
    } activations[] = {{"Relu", PLOY_NET_RELU},         {"LeakyRelu", PLOY_NET_LEAKY},
                       {"Softplus", PLOY_NET_SOFTPLUS}, {"Sigmoid", PLOY_NET_SIGMOID},
                       {"Tanh", PLOY_NET_TANH},         {"Softmax", PLOY_NET_SOFTMAX}};
    for (size_t i = 0; i < sizeof activations / sizeof activations[0]; i++) {
        if (ployi_proto_equals(node->op, activations[i].op)) {
            return onnx_activate(r, node, activations[i].activation);
        }
    }
    if (ployi_proto_equals(node->op, "Gemm")) return onnx_dense(r, node, true);
    if (ployi_proto_equals(node->op, "MatMul")) return onnx_dense(r, node, false);
    if (ployi_proto_equals(node->op, "Add")) return onnx_add_bias(r, node);
    if (ployi_proto_equals(node->op, "Conv")) return onnx_conv(r, node);
    if (ployi_proto_equals(node->op, "MaxPool")) return onnx_pool(r, node, true, false);
    if (ployi_proto_equals(node->op, "AveragePool")) return onnx_pool(r, node, false, false);
    if (ployi_proto_equals(node->op, "GlobalAveragePool")) return onnx_pool(r, node, false, true);
    if (ployi_proto_equals(node->op, "Reshape")) return onnx_reshape(r, node);
    if (ployi_proto_equals(node->op, "Flatten")) {
        if (onnx_int(node, "axis", 1) != 1)
            return onnx_refuse(r, node, "unsupported attribute axis");
        r->flat = true;
        return PLOY_OK;
    }
    if (ployi_proto_equals(node->op, "Identity") || ployi_proto_equals(node->op, "Dropout")) {
        return PLOY_OK;
    }
    return onnx_fault_named(r, node->op, PLOY_ERR_UNSUPPORTED, "unsupported operator");
}

// ---- the graph

static bool onnx_read_node(ployi_proto message, onnx_node *node) {
    memset(node, 0, sizeof *node);
    node->attributes = message;
    ployi_proto_field f;
    bool broken = false;
    while (ployi_proto_next(&message, &f, &broken)) {
        if (f.wire != 2) continue;
        if (f.number == 1 && node->input_count < ONNX_INPUTS_MAX) {
            node->inputs[node->input_count++] = f.bytes;
        }
        if (f.number == 2 && node->output.at == NULL) node->output = f.bytes;
        if (f.number == 3) node->name = f.bytes;
        if (f.number == 4) node->op = f.bytes;
    }
    return !broken && node->op.at != NULL && node->output.at != NULL;
}

// The field of a message with that number; empty if there is none.
static ployi_proto onnx_part(ployi_proto message, uint32_t number) {
    ployi_proto none = {NULL, NULL};
    ployi_proto_field f;
    bool broken = false;
    while (ployi_proto_next(&message, &f, &broken)) {
        if (f.number == number && f.wire == 2) return f.bytes;
    }
    return none;
}

// Name and size of the graph's input. The first dimension is the batch.
static ploy_result onnx_read_input(onnx_reader *r) {
    ployi_proto graph = r->graph;
    ployi_proto_field f;
    bool broken = false;
    while (ployi_proto_next(&graph, &f, &broken)) {
        if (f.number != 11 || f.wire != 2) continue;
        ployi_proto name = onnx_part(f.bytes, 1);
        if (onnx_initializer(r, name).found) continue; // older files list the weights too
        ployi_proto shape = onnx_part(onnx_part(onnx_part(f.bytes, 2), 1), 2);
        int64_t dims[ONNX_DIMS_MAX];
        int32_t count = 0;
        ployi_proto_field dim;
        while (count < ONNX_DIMS_MAX && ployi_proto_next(&shape, &dim, &broken)) {
            if (dim.number != 1 || dim.wire != 2) continue;
            ployi_proto_field value;
            dims[count] = -1;
            while (ployi_proto_next(&dim.bytes, &value, &broken)) {
                if (value.number == 1 && value.wire == 0) dims[count] = (int64_t)value.value;
            }
            count++;
        }
        bool fits = count == 2 || count == 4;
        double product = 1.0;
        for (int32_t i = 1; i < count && fits; i++) {
            fits = dims[i] > 0 && dims[i] <= PLOY_NET_UNITS_MAX;
            product *= (double)dims[i];
        }
        if (!fits || product > PLOY_NET_UNITS_MAX) {
            return onnx_fault_named(r, name, PLOY_ERR_UNSUPPORTED,
                                    "size of the input is not [N, C] or [N, C, H, W]:");
        }
        r->value = name;
        r->size = ploy_net_inputs((int32_t)dims[1]);
        if (count == 4) {
            r->size.height = (int32_t)dims[2];
            r->size.width = (int32_t)dims[3];
        }
        r->input = r->size;
        return PLOY_OK;
    }
    return onnx_fault(r, r->graph, PLOY_ERR_FORMAT, "graph has no input", NULL);
}

static ploy_result onnx_walk(onnx_reader *r) {
    ployi_proto graph = r->graph;
    ployi_proto_field f;
    bool broken = false;
    ploy_result result = onnx_read_input(r);
    while (result == PLOY_OK && ployi_proto_next(&graph, &f, &broken)) {
        if (f.number != 1 || f.wire != 2) continue;
        onnx_node node;
        if (!onnx_read_node(f.bytes, &node)) {
            return onnx_fault(r, f.bytes, PLOY_ERR_FORMAT, "invalid node", NULL);
        }
        bool add = ployi_proto_equals(node.op, "Add") && node.input_count > 1;
        bool chained = node.input_count > 0 && onnx_same(node.inputs[0], r->value);
        chained = chained || (add && onnx_same(node.inputs[1], r->value));
        if (!chained && !ployi_proto_equals(node.op, "Constant")) {
            result = onnx_apply(r, &node); // an unknown operator is worth more than the order
            if (result == PLOY_OK) {
                result = onnx_fault_named(r, node.op, PLOY_ERR_UNSUPPORTED,
                                          "graph is not a chain at operator");
            }
            break;
        }
        result = onnx_apply(r, &node);
        r->value = node.output;
    }
    if (result == PLOY_OK && broken) {
        result = onnx_fault(r, r->graph, PLOY_ERR_FORMAT, "invalid graph", NULL);
    }
    if (result == PLOY_OK && r->layer_count == 0) {
        result = onnx_fault(r, r->graph, PLOY_ERR_FORMAT, "graph has no layers", NULL);
    }
    return result;
}

static ploy_result onnx_fill(const onnx_reader *r, ploy_net *net) {
    for (int32_t l = 0; l < r->layer_count; l++) {
        const onnx_tensor *w = &r->weights[l], *b = &r->biases[l];
        if (!w->found) continue; // pooling
        int64_t units = r->layers[l].units, inputs = ploy_net_weights_of_unit(net, l);
        for (int64_t u = 0; u < units; u++) {
            float *row = ploy_net_weights(net, l, (int32_t)u);
            float bias = !b->found ? 0.0f : onnx_float(b, b->count == 1 ? 0 : u) * r->beta[l];
            bool finite = ploy_is_finite(bias);
            for (int64_t i = 0; i < inputs; i++) {
                row[i] = onnx_float(w, r->across[l] ? i * units + u : u * inputs + i) * r->alpha[l];
                finite = finite && ploy_is_finite(row[i]);
            }
            *ploy_net_bias(net, l, (int32_t)u) = bias;
            if (!finite)
                return onnx_fault(r, w->data, PLOY_ERR_FORMAT, "weight is not finite", NULL);
        }
    }
    return PLOY_OK;
}

ploy_result ploy_onnx_load(const void *bytes, size_t size, const char *name, const ploy_env *env,
                           ploy_diags *diags, ploy_net **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (bytes == NULL || env == NULL) return PLOY_ERR_ARGUMENT;
    if (size > INT32_MAX) return PLOY_ERR_LIMIT;
    onnx_reader *r = ploy_env_alloc_zero(env, sizeof *r); // too large for some stacks
    if (r == NULL) return PLOY_ERR_MEMORY;
    r->start = bytes;
    r->file = name;
    r->env = env;
    r->diags = diags;
    ployi_proto model = {r->start, r->start + size};
    r->graph = onnx_part(model, 7);
    ploy_map_init(&r->initializers, sizeof(ployi_proto), env);
    ploy_result result = r->graph.at == NULL ? onnx_fault(r, model, PLOY_ERR_FORMAT,
                                                          "file is not an ONNX model", NULL)
                                             : onnx_index(r);
    if (result == PLOY_OK) result = onnx_walk(r);
    ploy_net *net = NULL;
    if (result == PLOY_OK) {
        result =
            ploy_net_create(r->input, r->layers, r->layer_count, ploy_rng_key_make(0), env, &net);
        if (result == PLOY_ERR_ARGUMENT) {
            result = onnx_fault(r, r->graph, PLOY_ERR_UNSUPPORTED, "layers are out of range", NULL);
        }
    }
    if (result == PLOY_OK) result = onnx_fill(r, net);
    ploy_map_fini(&r->initializers);
    ploy_env_free(env, r, sizeof *r);
    if (result != PLOY_OK) {
        ploy_net_destroy(net);
        return result;
    }
    *out = net;
    return PLOY_OK;
}
