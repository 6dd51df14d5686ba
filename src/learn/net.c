// Networks: making, reading and saving them; the technique is described in the header.
//
// Invariants, from create to destroy:
//   (1) each layer's input size is the output size of the one before;
//   (2) padding in the parameters is 0.
#include "ploy/learn/net.h"

#include <math.h>
#include <string.h>

#include "learn/net_internal.h"
#include "ploy/base/math.h"

static const char *const net_activation_names[PLOY_NET_ACTIVATIONS] = {
    "linear", "step",   "sign",     "relu",          "leaky",      "softplus", "sigmoid",
    "tanh",   "radial", "gaussian", "sigmoid_steps", "tanh_steps", "softmax"};
static const char *const net_kind_names[PLOY_NET_LAYER_KINDS] = {"dense", "conv", "max_pool",
                                                                 "mean_pool"};

const char *ploy_net_activation_text(ploy_net_activation activation) {
    return (unsigned)activation < PLOY_NET_ACTIVATIONS ? net_activation_names[activation] : "?";
}

const char *ploy_net_layer_kind_text(ploy_net_layer_kind kind) {
    return (unsigned)kind < PLOY_NET_LAYER_KINDS ? net_kind_names[kind] : "?";
}

static ploy_net_layer net_layer_make(ploy_net_layer_kind kind, int32_t units, int32_t window,
                                     ploy_net_activation activation) {
    ploy_net_layer layer;
    memset(&layer, 0, sizeof layer);
    layer.kind = kind;
    layer.activation = activation;
    layer.shape = 1.0f;
    layer.units = units;
    layer.window[0] = layer.window[1] = window;
    layer.stride[0] = layer.stride[1] = 1;
    return layer;
}

ploy_net_layer ploy_net_dense(int32_t units, ploy_net_activation activation) {
    return net_layer_make(PLOY_NET_DENSE, units, 1, activation);
}

ploy_net_layer ploy_net_conv(int32_t channels, int32_t window, ploy_net_activation activation) {
    ploy_net_layer layer = net_layer_make(PLOY_NET_CONV, channels, window, activation);
    layer.pad[0] = layer.pad[1] = window > 0 ? (window - 1) / 2 : 0;
    return layer;
}

ploy_net_layer ploy_net_pool(ploy_net_layer_kind kind, int32_t window) {
    ploy_net_layer layer = net_layer_make(kind, 0, window, PLOY_NET_LINEAR);
    layer.stride[0] = layer.stride[1] = window;
    return layer;
}

ploy_net_size ploy_net_inputs(int32_t count) {
    ploy_net_size size = {count, 1, 1};
    return size;
}

static bool net_size_ok(ploy_net_size size) {
    if (size.channels < 1 || size.width < 1 || size.height < 1) return false;
    if (size.channels > PLOY_NET_UNITS_MAX || size.width > 4096 || size.height > 4096) return false;
    return (int64_t)size.channels * size.width * size.height <= PLOY_NET_UNITS_MAX;
}

static const char *net_windows_fault(const ploy_net_layer *layer, ploy_net_size in,
                                     ploy_net_size *out) {
    const int32_t size[2] = {in.width, in.height};
    int32_t *to[2] = {&out->width, &out->height};
    for (int32_t i = 0; i < 2; i++) {
        int32_t window = layer->window[i], pad = layer->pad[i];
        if (window < 1 || window > 64) return "window must be 1 to 64";
        if (layer->stride[i] < 1 || layer->stride[i] > 64) return "stride must be 1 to 64";
        if (pad < 0 || pad >= window) return "pad must be 0 to window - 1";
        if (window > size[i] + 2 * pad) return "window is larger than its input";
        *to[i] = (size[i] + 2 * pad - window) / layer->stride[i] + 1;
    }
    return NULL;
}

// The size that comes out, or what is wrong.
static const char *net_layer_fault(const ploy_net_layer *layer, ploy_net_size in, bool last,
                                   ploy_net_size *out) {
    if ((unsigned)layer->kind >= PLOY_NET_LAYER_KINDS) return "unknown kind";
    if ((unsigned)layer->activation >= PLOY_NET_ACTIVATIONS) return "unknown activation";
    if (!ploy_in_range(layer->shape, 1e-6f, 1e6f)) return "shape must be 1e-6 to 1e6";
    if (!ploy_in_range(layer->dropout, 0.0f, 0.95f)) return "dropout must be 0 to 0.95";
    bool pools = layer->kind == PLOY_NET_MAX_POOL || layer->kind == PLOY_NET_MEAN_POOL;
    if (pools && layer->activation != PLOY_NET_LINEAR) return "pooling must be linear";
    if (layer->activation == PLOY_NET_SOFTMAX && (!last || layer->kind != PLOY_NET_DENSE)) {
        return "softmax is for the last layer only, which must be dense";
    }
    if (last && layer->dropout > 0.0f) return "the last layer has no dropout";
    if (!pools && (layer->units < 1 || layer->units > PLOY_NET_UNITS_MAX))
        return "units must be 1 to 1048576";
    *out = ploy_net_inputs(layer->units);
    const char *fault = layer->kind == PLOY_NET_DENSE ? NULL : net_windows_fault(layer, in, out);
    if (pools) out->channels = in.channels;
    if (fault == NULL && !net_size_ok(*out)) fault = "output is too large";
    return fault;
}

// Fills the slots; returns the number of parameters or -1.
static int64_t net_plan(ploy_net_size input, const ploy_net_layer *layers, int32_t count,
                        ployi_net_slot *slots, const ploy_env *env) {
    int64_t params = 0;
    ploy_net_size in = input;
    for (int32_t i = 0; i < count; i++) {
        ploy_net_size out = {0, 0, 0};
        const char *fault = net_layer_fault(&layers[i], in, i == count - 1, &out);
        if (fault != NULL) {
            ploy_env_log(env, PLOY_SEVERITY_ERROR, fault);
            return -1;
        }
        ployi_net_slot *slot = &slots[i];
        memset(slot, 0, sizeof *slot);
        slot->layer = layers[i];
        slot->in = in;
        slot->out = out;
        if (layers[i].kind == PLOY_NET_DENSE) slot->fan_in = ploy_net_values(in);
        if (layers[i].kind == PLOY_NET_CONV) {
            slot->fan_in = in.channels * layers[i].window[0] * layers[i].window[1];
        }
        if (slot->fan_in > PLOY_NET_UNITS_MAX) return -2;
        slot->rows = slot->fan_in > 0 ? layers[i].units : 0;
        slot->stride = ployi_net_padded(slot->fan_in);
        slot->weights = params;
        params += (int64_t)slot->rows * slot->stride;
        slot->biases = params;
        params += ployi_net_padded(slot->rows);
        if (params > PLOY_NET_WEIGHTS_MAX) return -2;
        in = out;
    }
    return params;
}

static void net_measure(ploy_net *net) {
    net->widest = ployi_net_padded(ploy_net_values(net->slots[0].in));
    net->patch = 8;
    for (int32_t i = 0; i < net->layer_count; i++) {
        const ployi_net_slot *slot = &net->slots[i];
        net->widest = ploy_maxi(net->widest, ployi_net_padded(ploy_net_values(slot->out)));
        int32_t patch = slot->stride + 2 * ployi_net_padded(slot->rows);
        if (slot->layer.kind == PLOY_NET_CONV) net->patch = ploy_maxi(net->patch, patch);
    }
}

static ploy_result net_allocate(int32_t layer_count, int64_t params, const ploy_env *env,
                                ploy_net **out) {
    size_t size = 0, slots = 0;
    if (!ploy_size_add_array((sizeof(ploy_net) + 15) & ~(size_t)15, layer_count,
                             sizeof(ployi_net_slot), &slots)) {
        return PLOY_ERR_LIMIT;
    }
    slots = (slots + 31) & ~(size_t)31;
    if (!ploy_size_add_array(slots, params, sizeof(float), &size)) return PLOY_ERR_LIMIT;
    ploy_net *net = ploy_env_alloc_zero(env, size);
    if (net == NULL) return PLOY_ERR_MEMORY;
    net->env = *env;
    net->size = size;
    net->layer_count = layer_count;
    net->param_count = params;
    net->slots = (ployi_net_slot *)(void *)((char *)net + ((sizeof(ploy_net) + 15) & ~(size_t)15));
    net->params = (float *)(void *)((char *)net + slots);
    *out = net;
    return PLOY_OK;
}

ploy_result ploy_net_create(ploy_net_size input, const ploy_net_layer *layers, int32_t layer_count,
                            ploy_rng_key key, const ploy_env *env, ploy_net **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (layers == NULL || layer_count < 1 || layer_count > PLOY_NET_LAYERS_MAX ||
        !net_size_ok(input)) {
        ploy_env_log(env, PLOY_SEVERITY_ERROR, "a net needs an input and 1 to 64 layers");
        return PLOY_ERR_ARGUMENT;
    }
    ployi_net_slot slots[PLOY_NET_LAYERS_MAX];
    int64_t params = net_plan(input, layers, layer_count, slots, env);
    if (params < 0) return params == -1 ? PLOY_ERR_ARGUMENT : PLOY_ERR_LIMIT;
    ploy_result result = net_allocate(layer_count, params, env, out);
    if (result != PLOY_OK) return result;
    memcpy((*out)->slots, slots, (size_t)layer_count * sizeof *slots);
    net_measure(*out);
    ploy_net_randomise(*out, key);
    return PLOY_OK;
}

ploy_result ploy_net_copy(const ploy_net *net, const ploy_env *env, ploy_net **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (net == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = net_allocate(net->layer_count, net->param_count, env, out);
    if (result != PLOY_OK) return result;
    memcpy((*out)->slots, net->slots, (size_t)net->layer_count * sizeof *net->slots);
    net_measure(*out);
    return ploy_net_assign(*out, net);
}

void ploy_net_destroy(ploy_net *net) {
    if (net == NULL) return;
    ploy_env env = net->env;
    ploy_env_free(&env, net, net->size);
}

void ploy_net_randomise(ploy_net *net, ploy_rng_key key) {
    memset(net->params, 0, (size_t)net->param_count * sizeof(float)); // keeps (2)
    for (int32_t l = 0; l < net->layer_count; l++) {
        const ployi_net_slot *slot = &net->slots[l];
        ploy_net_activation kind = slot->layer.activation;
        bool rectified =
            kind == PLOY_NET_RELU || kind == PLOY_NET_LEAKY || kind == PLOY_NET_SOFTPLUS;
        float range = sqrtf(6.0f / (float)(slot->fan_in + slot->rows + 1));
        float deviation = sqrtf(2.0f / (float)(slot->fan_in + 1));
        uint32_t draw = 0;
        for (int32_t j = 0; j < slot->rows; j++) {
            float *row = net->params + slot->weights + (int64_t)j * slot->stride;
            for (int32_t i = 0; i < slot->fan_in; i++, draw++) {
                row[i] = rectified ? deviation * ploy_rng_normal_at(key, (uint32_t)l, 0, draw)
                                   : ploy_rng_range_at(key, (uint32_t)l, 0, draw, -range, range);
            }
        }
    }
}

ploy_result ploy_net_assign(ploy_net *net, const ploy_net *from) {
    if (net == NULL || from == NULL || net->param_count != from->param_count ||
        net->layer_count != from->layer_count) {
        return PLOY_ERR_ARGUMENT;
    }
    memcpy(net->params, from->params, (size_t)net->param_count * sizeof(float));
    return PLOY_OK;
}

int32_t ploy_net_layer_count(const ploy_net *net) {
    return net->layer_count;
}

const ploy_net_layer *ploy_net_layer_at(const ploy_net *net, int32_t layer) {
    return layer < 0 || layer >= net->layer_count ? NULL : &net->slots[layer].layer;
}

ploy_net_size ploy_net_size_at(const ploy_net *net, int32_t layer) {
    if (layer >= net->layer_count) return net->slots[net->layer_count - 1].out;
    return net->slots[layer < 0 ? 0 : layer].in;
}

int32_t ploy_net_input_count(const ploy_net *net) {
    return ploy_net_values(net->slots[0].in);
}

int32_t ploy_net_output_count(const ploy_net *net) {
    return ploy_net_values(net->slots[net->layer_count - 1].out);
}

int64_t ploy_net_weight_count(const ploy_net *net) {
    int64_t count = 0;
    for (int32_t i = 0; i < net->layer_count; i++) {
        count += (int64_t)net->slots[i].rows * (net->slots[i].fan_in + 1);
    }
    return count;
}

static bool net_has_unit(const ploy_net *net, int32_t layer, int32_t unit) {
    return layer >= 0 && layer < net->layer_count && unit >= 0 && unit < net->slots[layer].rows;
}

const float *ploy_net_weights_at(const ploy_net *net, int32_t layer, int32_t unit) {
    if (!net_has_unit(net, layer, unit)) return NULL;
    const ployi_net_slot *slot = &net->slots[layer];
    return net->params + slot->weights + (int64_t)unit * slot->stride;
}

float *ploy_net_weights(ploy_net *net, int32_t layer, int32_t unit) {
    if (!net_has_unit(net, layer, unit)) return NULL;
    const ployi_net_slot *slot = &net->slots[layer];
    return net->params + slot->weights + (int64_t)unit * slot->stride;
}

int32_t ploy_net_weights_of_unit(const ploy_net *net, int32_t layer) {
    return layer < 0 || layer >= net->layer_count ? 0 : net->slots[layer].fan_in;
}

float *ploy_net_bias(ploy_net *net, int32_t layer, int32_t unit) {
    return net_has_unit(net, layer, unit) ? net->params + net->slots[layer].biases + unit : NULL;
}

float ploy_net_bias_at(const ploy_net *net, int32_t layer, int32_t unit) {
    return net_has_unit(net, layer, unit) ? net->params[net->slots[layer].biases + unit] : 0.0f;
}

int32_t ploy_net_largest(const float *values, int32_t count) {
    int32_t best = 0;
    for (int32_t i = 1; i < count; i++) {
        if (values[i] > values[best]) best = i;
    }
    return best;
}

// Weights a row at a time, so that files diff well; the padding stays 0.
void ploy_net_visit(ploy_visit *v, void *object) {
    ploy_net *net = object;
    ploy_visit_block(v, "net", net, net->size);
    int32_t layers = ploy_visit_fixed(v, "layers", PLOY_STATE, net->layer_count);
    for (int32_t l = 0; l < layers; l++) {
        ployi_net_slot *slot = &net->slots[l];
        ploy_visit_begin_item(v, l, PLOY_STATE);
        int32_t rows = ploy_visit_fixed(v, "weights", PLOY_STATE, slot->rows);
        for (int32_t j = 0; j < rows; j++) {
            float *row = net->params + slot->weights + (int64_t)j * slot->stride;
            int32_t count = ploy_visit_fixed(v, "row", PLOY_STATE, slot->fan_in);
            for (int32_t i = 0; i < count; i++) ploy_visit_f32(v, "weight", PLOY_STATE, &row[i]);
            ploy_visit_end(v);
        }
        ploy_visit_end(v);
        int32_t biases = ploy_visit_fixed(v, "biases", PLOY_STATE, slot->rows);
        for (int32_t j = 0; j < biases; j++) {
            ploy_visit_f32(v, "bias", PLOY_STATE, &net->params[slot->biases + j]);
        }
        ploy_visit_end(v);
        ploy_visit_end(v);
    }
    ploy_visit_end(v);
}

uint64_t ploy_net_hash(const ploy_net *net) {
    return ploy_visit_hash(ploy_net_visit, net, NULL);
}

void ploy_net_describe(const ploy_net *net, ploy_describe *out) {
    ploy_visit_describe(ploy_net_visit, net, NULL, out);
}

void ploy_net_memory(const ploy_net *net, ploy_memory_fn fn, void *user) {
    ploy_visit_memory(ploy_net_visit, net, fn, user);
}
