// Nets of FANN; the format is what fann_save of version 2.1 writes.
//
//     FANN_FLO_2.1
//     num_layers=3
//     ...
//     layer_sizes=3 4 2                 each with its bias neuron
//     neurons (num_inputs, activation_function, activation_steepness)=(0, 0, 0.0) ...
//     connections (connected_to_neuron, weight)=(0, -0.056) ...
//
// Neurons are numbered over all layers; the last one of a layer is the bias. Connections are listed
// for each neuron in turn.
#include "ploy/data/fann.h"

#include "data/fann_scan.h"
#include "ploy/base/math.h"

#include <stdio.h>
#include <string.h>

enum { FANN_NEURONS_MAX = 1 << 20, FANN_FUNCTIONS = 18 };

static const char *const fann_functions[FANN_FUNCTIONS] = {"linear",
                                                           "threshold",
                                                           "threshold_symmetric",
                                                           "sigmoid",
                                                           "sigmoid_stepwise",
                                                           "sigmoid_symmetric",
                                                           "sigmoid_symmetric_stepwise",
                                                           "gaussian",
                                                           "gaussian_symmetric",
                                                           "gaussian_stepwise",
                                                           "elliot",
                                                           "elliot_symmetric",
                                                           "linear_piece",
                                                           "linear_piece_symmetric",
                                                           "sin_symmetric",
                                                           "cos_symmetric",
                                                           "sin",
                                                           "cos"};

// Ours for each of FANN's; PLOY_NET_ACTIVATIONS: none. A shape is the steepness times the factor.
static ploy_net_activation fann_activation(int64_t function, double *factor) {
    *factor = 1.0;
    switch (function) {
    case 0: return PLOY_NET_LINEAR;
    case 1: return PLOY_NET_STEP;
    case 2: return PLOY_NET_SIGN;
    case 3: *factor = 2.0; return PLOY_NET_SIGMOID;
    case 4: return PLOY_NET_SIGMOID_STEPS;
    case 5: return PLOY_NET_TANH;
    case 6: return PLOY_NET_TANH_STEPS;
    case 7: *factor = 1.2011224087864498; return PLOY_NET_GAUSSIAN; // 1 / sqrt(ln 2)
    default: return PLOY_NET_ACTIVATIONS;
    }
}

typedef struct fann_neuron {
    int32_t inputs, function;
    float steepness;
} fann_neuron;

typedef struct fann_reader {
    ployi_fann_scan scan;
    const ploy_env *env;
    int32_t layers, neurons; // neurons: biases counted
    int32_t sizes[PLOY_NET_LAYERS_MAX + 1];
    fann_neuron *neuron;
    ploy_net *net;
    bool done; // connections were read
} fann_reader;

static ploy_result fann_read_sizes(fann_reader *r) {
    if (r->layers == 0) {
        return ployi_fann_fault(&r->scan, PLOY_ERR_FORMAT, "missing num_layers before layer_sizes",
                                NULL);
    }
    int64_t total = 0;
    for (int32_t i = 0; i < r->layers; i++) {
        int64_t size = 0;
        ploy_result result = ployi_fann_whole(&r->scan, 2, FANN_NEURONS_MAX, &size);
        if (result != PLOY_OK) return result;
        r->sizes[i] = (int32_t)size;
        total += size;
    }
    if (total > FANN_NEURONS_MAX) {
        return ployi_fann_fault(&r->scan, PLOY_ERR_LIMIT, "too many neurons", "up to 1048576");
    }
    r->neurons = (int32_t)total;
    return PLOY_OK;
}

static ploy_result fann_read_neurons(fann_reader *r) {
    ployi_fann_scan *s = &r->scan;
    if (r->neurons == 0 || r->neuron != NULL) {
        return ployi_fann_fault(s, PLOY_ERR_FORMAT, "unexpected list of neurons", NULL);
    }
    // Each takes nine characters at least, so a small file cannot ask for much memory.
    if ((size_t)r->neurons > s->size / 9) {
        return ployi_fann_fault(s, PLOY_ERR_FORMAT, "file ends before its neurons do", NULL);
    }
    r->neuron = ploy_env_alloc_zero(r->env, (size_t)r->neurons * sizeof *r->neuron);
    if (r->neuron == NULL) return PLOY_ERR_MEMORY;
    for (int32_t i = 0; i < r->neurons; i++) {
        int64_t inputs = 0, function = 0;
        double steepness = 0.0;
        if (!ployi_fann_match(s, "(")) {
            return ployi_fann_fault(s, PLOY_ERR_FORMAT, "missing neuron", "'('");
        }
        ploy_result result = ployi_fann_whole(s, 0, FANN_NEURONS_MAX, &inputs);
        bool comma = result == PLOY_OK && ployi_fann_match(s, ",");
        if (comma) result = ployi_fann_whole(s, 0, FANN_FUNCTIONS - 1, &function);
        comma = comma && result == PLOY_OK && ployi_fann_match(s, ",");
        if (comma) result = ployi_fann_number(s, &steepness);
        if (result != PLOY_OK) return result;
        if (!comma || !ployi_fann_match(s, ")")) {
            return ployi_fann_fault(s, PLOY_ERR_FORMAT, "unexpected text in a neuron",
                                    "', ' or ')'");
        }
        fann_neuron neuron = {(int32_t)inputs, (int32_t)function, (float)steepness};
        r->neuron[i] = neuron;
    }
    return PLOY_OK;
}

// One layer from its first neuron, the others must be equal.
static ploy_result fann_layer(fann_reader *r, int32_t layer, int32_t first, ploy_net_layer *out) {
    const fann_neuron *model = &r->neuron[first];
    for (int32_t k = 1; k < r->sizes[layer] - 1; k++) {
        const fann_neuron *other = &r->neuron[first + k];
        if (other->function == model->function && other->steepness == model->steepness) continue;
        return ployi_fann_fault(&r->scan, PLOY_ERR_UNSUPPORTED,
                                "neurons of one layer have different activation functions", NULL);
    }
    double factor = 1.0;
    ploy_net_activation activation = fann_activation(model->function, &factor);
    if (activation == PLOY_NET_ACTIVATIONS) {
        return ployi_fann_fault(&r->scan, PLOY_ERR_UNSUPPORTED, "unsupported activation function",
                                fann_functions[model->function]);
    }
    *out = ploy_net_dense(r->sizes[layer] - 1, activation);
    double shape = (double)model->steepness * factor;
    bool flat = activation == PLOY_NET_STEP || activation == PLOY_NET_SIGN;
    if (!flat) out->shape = (float)shape;
    return PLOY_OK;
}

static ploy_result fann_make_net(fann_reader *r) {
    ploy_net_layer layers[PLOY_NET_LAYERS_MAX];
    double weights = 0.0;
    for (int32_t l = 1, first = r->sizes[0]; l < r->layers; first += r->sizes[l++]) {
        ploy_result result = fann_layer(r, l, first, &layers[l - 1]);
        if (result != PLOY_OK) return result;
        weights += (double)r->sizes[l - 1] * r->sizes[l];
    }
    // Sparse nets list fewer connections than they have weights; still, stay in proportion.
    if (weights > 64.0 * (double)r->scan.size + 1e6 || weights > PLOY_NET_WEIGHTS_MAX) {
        return ployi_fann_fault(&r->scan, PLOY_ERR_LIMIT,
                                "too many weights for the size of the file", NULL);
    }
    ploy_result result = ploy_net_create(ploy_net_inputs(r->sizes[0] - 1), layers, r->layers - 1,
                                         ploy_rng_key_make(0), r->env, &r->net);
    if (result == PLOY_ERR_ARGUMENT) {
        return ployi_fann_fault(&r->scan, PLOY_ERR_UNSUPPORTED, "steepness is out of range", NULL);
    }
    return result;
}

static ploy_result fann_read_unit(fann_reader *r, int32_t layer, int32_t unit, int32_t before,
                                  int32_t inputs) {
    ployi_fann_scan *s = &r->scan;
    int32_t count = r->sizes[layer - 1];
    float *weights = ploy_net_weights(r->net, layer - 1, unit);
    for (int32_t i = 0; i < count - 1; i++) weights[i] = 0.0f;
    for (int32_t i = 0; i < inputs; i++) {
        int64_t from = 0;
        double weight = 0.0;
        if (!ployi_fann_match(s, "(")) {
            return ployi_fann_fault(s, PLOY_ERR_FORMAT, "missing connection", "'('");
        }
        ploy_result result = ployi_fann_whole(s, 0, FANN_NEURONS_MAX, &from);
        if (result != PLOY_OK) return result;
        if (from < before || from >= before + count) {
            return ployi_fann_fault(s, PLOY_ERR_UNSUPPORTED,
                                    "connection does not start in the layer before", NULL);
        }
        bool comma = ployi_fann_match(s, ",");
        if (comma) result = ployi_fann_number(s, &weight);
        if (result != PLOY_OK) return result;
        if (!comma || !ployi_fann_match(s, ")")) {
            return ployi_fann_fault(s, PLOY_ERR_FORMAT, "unexpected text in a connection",
                                    "', ' or ')'");
        }
        if (!(weight > -1e30 && weight < 1e30)) {
            return ployi_fann_fault(s, PLOY_ERR_FORMAT, "weight is out of range", NULL);
        }
        if (from == before + count - 1) {
            *ploy_net_bias(r->net, layer - 1, unit) = (float)weight;
        } else {
            weights[from - before] = (float)weight;
        }
    }
    return PLOY_OK;
}

static ploy_result fann_read_connections(fann_reader *r) {
    if (r->neuron == NULL || r->done) {
        return ployi_fann_fault(&r->scan, PLOY_ERR_FORMAT, "unexpected list of connections", NULL);
    }
    ploy_result result = fann_make_net(r);
    int32_t before = 0;
    for (int32_t l = 1; l < r->layers && result == PLOY_OK; before += r->sizes[l++ - 1]) {
        int32_t first = before + r->sizes[l - 1];
        for (int32_t u = 0; u < r->sizes[l] - 1 && result == PLOY_OK; u++) {
            result = fann_read_unit(r, l, u, before, r->neuron[first + u].inputs);
        }
    }
    r->done = true;
    return result;
}

static ploy_result fann_read_line(fann_reader *r) {
    ployi_fann_scan *s = &r->scan;
    int64_t value = 0;
    double real = 0.0;
    if (ployi_fann_match(s, "num_layers=")) {
        ploy_result result = ployi_fann_whole(s, 2, PLOY_NET_LAYERS_MAX + 1, &value);
        if (r->neurons == 0) r->layers = (int32_t)value;
        return result;
    }
    if (ployi_fann_match(s, "network_type=")) {
        ploy_result result = ployi_fann_whole(s, 0, 1, &value);
        if (result != PLOY_OK || value == 0) return result;
        return ployi_fann_fault(s, PLOY_ERR_UNSUPPORTED, "unsupported shortcut connections", NULL);
    }
    if (ployi_fann_match(s, "scale_included=")) {
        ploy_result result = ployi_fann_whole(s, 0, 1, &value);
        if (result != PLOY_OK || value == 0) return result;
        return ployi_fann_fault(s, PLOY_ERR_UNSUPPORTED, "unsupported scaling parameters", NULL);
    }
    if (ployi_fann_match(s, "connection_rate=")) return ployi_fann_number(s, &real);
    if (ployi_fann_match(s, "layer_sizes=")) {
        if (r->neurons > 0) {
            return ployi_fann_fault(s, PLOY_ERR_FORMAT, "duplicate layer_sizes", NULL);
        }
        return fann_read_sizes(r);
    }
    if (ployi_fann_match(s, "neurons (num_inputs, activation_function, activation_steepness)=")) {
        return fann_read_neurons(r);
    }
    if (ployi_fann_match(s, "connections (connected_to_neuron, weight)=")) {
        return fann_read_connections(r);
    }
    return PLOY_OK; // a setting of training
}

ploy_result ploy_fann_load(const void *bytes, size_t size, const char *name, const ploy_env *env,
                           ploy_diags *diags, ploy_net **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if ((bytes == NULL && size > 0) || env == NULL) return PLOY_ERR_ARGUMENT;
    fann_reader r;
    memset(&r, 0, sizeof r);
    r.env = env;
    r.scan = ployi_fann_scan_make(bytes, size, name, diags);
    if (!ployi_fann_match(&r.scan, "FANN_FLO_2.0") && !ployi_fann_match(&r.scan, "FANN_FLO_2.1")) {
        return ployi_fann_fault(&r.scan, PLOY_ERR_FORMAT, "file is not a net of FANN",
                                "FANN_FLO_2.1");
    }
    ploy_result result = PLOY_OK;
    while (result == PLOY_OK && ployi_fann_next_line(&r.scan)) result = fann_read_line(&r);
    if (result == PLOY_OK && !r.done) {
        result = ployi_fann_fault(&r.scan, PLOY_ERR_FORMAT, "missing connections",
                                  "connections (connected_to_neuron, weight)=");
    }
    if (r.neuron != NULL) {
        ploy_env_free(env, r.neuron, (size_t)r.neurons * sizeof *r.neuron);
    }
    if (result != PLOY_OK) {
        ploy_net_destroy(r.net);
        return result;
    }
    *out = r.net;
    return PLOY_OK;
}

// ---- writing

static int64_t fann_function_of(const ploy_net_layer *layer, double *steepness) {
    if (layer->activation == PLOY_NET_SOFTMAX) {
        *steepness = (double)layer->shape;
        return 0;
    }
    for (int64_t i = 0; i < FANN_FUNCTIONS; i++) {
        double factor = 1.0;
        if (fann_activation(i, &factor) != layer->activation) continue;
        *steepness = (double)layer->shape / factor;
        return i;
    }
    return -1;
}

static void fann_write_neuron(ploy_writer *w, int32_t inputs, int64_t function, double steepness) {
    ploy_write_text(w, "(");
    ploy_write_i64(w, inputs);
    ploy_write_text(w, ", ");
    ploy_write_i64(w, function);
    ploy_write_text(w, ", ");
    ploy_write_f64(w, steepness);
    ploy_write_text(w, ") ");
}

// Everything up to the sizes; numbers are FANN's defaults, which its reader needs.
static const char fann_head[] =
    "learning_rate=0.700000\nconnection_rate=1.000000\nnetwork_type=0\nlearning_momentum=0.000000\n"
    "training_algorithm=2\ntrain_error_function=1\ntrain_stop_function=0\n"
    "cascade_output_change_fraction=0.010000\nquickprop_decay=-0.000100\nquickprop_mu=1.750000\n"
    "rprop_increase_factor=1.200000\nrprop_decrease_factor=0.500000\nrprop_delta_min=0.000000\n"
    "rprop_delta_max=50.000000\nrprop_delta_zero=0.100000\n"
    "cascade_output_stagnation_epochs=12\ncascade_candidate_change_fraction=0.010000\n"
    "cascade_candidate_stagnation_epochs=12\ncascade_max_out_epochs=150\n"
    "cascade_min_out_epochs=50\ncascade_max_cand_epochs=150\ncascade_min_cand_epochs=50\n"
    "cascade_num_candidate_groups=2\nbit_fail_limit=3.49999994039535522461e-01\n"
    "cascade_candidate_limit=1.00000000000000000000e+03\n"
    "cascade_weight_multiplier=4.00000005960464477539e-01\n"
    "cascade_activation_functions_count=10\n"
    "cascade_activation_functions=3 5 7 8 10 11 14 15 16 17 \n"
    "cascade_activation_steepnesses_count=4\n"
    "cascade_activation_steepnesses=2.50000000000000000000e-01 5.00000000000000000000e-01 "
    "7.50000000000000000000e-01 1.00000000000000000000e+00 \n";

static void fann_write_connections(const ploy_net *net, ploy_writer *w) {
    ploy_write_text(w, "\nconnections (connected_to_neuron, weight)=");
    int32_t before = 0;
    for (int32_t l = 0; l < ploy_net_layer_count(net); l++) {
        int32_t inputs = ploy_net_weights_of_unit(net, l);
        for (int32_t u = 0; u < ploy_net_layer_at(net, l)->units; u++) {
            const float *weights = ploy_net_weights_at(net, l, u);
            for (int32_t i = 0; i <= inputs; i++) {
                ploy_write_text(w, "(");
                ploy_write_i64(w, before + i);
                ploy_write_text(w, ", ");
                ploy_write_f32(w, i < inputs ? weights[i] : ploy_net_bias_at(net, l, u));
                ploy_write_text(w, ") ");
            }
        }
        before += inputs + 1;
    }
    ploy_write_text(w, "\n");
}

ploy_result ploy_fann_save(const ploy_net *net, ploy_writer *writer, ploy_diags *diags) {
    if (net == NULL || writer == NULL) return PLOY_ERR_ARGUMENT;
    int32_t layers = ploy_net_layer_count(net);
    for (int32_t l = 0; l < layers; l++) {
        const ploy_net_layer *layer = ploy_net_layer_at(net, l);
        double steepness = 0.0;
        const char *what = layer->kind != PLOY_NET_DENSE ? ploy_net_layer_kind_text(layer->kind)
                           : fann_function_of(layer, &steepness) < 0
                               ? ploy_net_activation_text(layer->activation)
                               : NULL;
        if (what == NULL && layer->activation == PLOY_NET_SOFTMAX) {
            ploy_diags_add(diags, PLOY_SEVERITY_WARNING, PLOY_OK, "net", 0, 0,
                           "softmax is written as linear: the largest output is the same", NULL,
                           NULL);
        }
        if (what == NULL) continue;
        char text[96];
        snprintf(text, sizeof text, "unsupported layer '%s'", what);
        ploy_diags_add(diags, PLOY_SEVERITY_ERROR, PLOY_ERR_UNSUPPORTED, "net", 0, 0, text,
                       "dense layers with functions of FANN", NULL);
        return PLOY_ERR_UNSUPPORTED;
    }
    ploy_write_text(writer, "FANN_FLO_2.1\nnum_layers=");
    ploy_write_i64(writer, layers + 1);
    ploy_write_text(writer, "\n");
    ploy_write_text(writer, fann_head);
    ploy_write_text(writer, "layer_sizes=");
    for (int32_t l = 0; l <= layers; l++) {
        ploy_write_i64(writer, ploy_net_values(ploy_net_size_at(net, l)) + 1);
        ploy_write_text(writer, " ");
    }
    ploy_write_text(writer, "\nscale_included=0\nneurons (num_inputs, activation_function, "
                            "activation_steepness)=");
    for (int32_t i = 0; i <= ploy_net_input_count(net); i++) fann_write_neuron(writer, 0, 0, 0.0);
    for (int32_t l = 0; l < layers; l++) {
        const ploy_net_layer *layer = ploy_net_layer_at(net, l);
        double steepness = 1.0;
        int64_t function = fann_function_of(layer, &steepness);
        int32_t inputs = ploy_net_weights_of_unit(net, l) + 1;
        for (int32_t u = 0; u < layer->units; u++) {
            fann_write_neuron(writer, inputs, function, steepness);
        }
        fann_write_neuron(writer, 0, function, 0.0);
    }
    fann_write_connections(net, writer);
    return ploy_writer_result(writer);
}
