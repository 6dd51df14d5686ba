// Running a net: for one input, and for a crowd 16 at a time.
#include <string.h>

#include "learn/net_internal.h"
#include "ploy/base/math.h"

void ployi_net_gather(const ployi_net_slot *slot, const float *in, int32_t x, int32_t y,
                      float *patch) {
    const ploy_net_layer *layer = &slot->layer;
    int32_t left = x * layer->stride[0] - layer->pad[0], top = y * layer->stride[1] - layer->pad[1];
    int32_t at = 0;
    for (int32_t c = 0; c < slot->in.channels; c++) {
        const float *image = in + (int64_t)c * slot->in.width * slot->in.height;
        for (int32_t wy = 0; wy < layer->window[1]; wy++) {
            int32_t row = top + wy;
            bool inside = row >= 0 && row < slot->in.height;
            for (int32_t wx = 0; wx < layer->window[0]; wx++, at++) {
                int32_t column = left + wx;
                bool both = inside && column >= 0 && column < slot->in.width;
                patch[at] = both ? image[row * slot->in.width + column] : 0.0f;
            }
        }
    }
    for (; at < slot->stride; at++) patch[at] = 0.0f;
}

void ployi_net_scatter(const ployi_net_slot *slot, const float *patch, int32_t x, int32_t y,
                       float *in) {
    const ploy_net_layer *layer = &slot->layer;
    int32_t left = x * layer->stride[0] - layer->pad[0], top = y * layer->stride[1] - layer->pad[1];
    int32_t at = 0;
    for (int32_t c = 0; c < slot->in.channels; c++) {
        float *image = in + (int64_t)c * slot->in.width * slot->in.height;
        for (int32_t wy = 0; wy < layer->window[1]; wy++) {
            int32_t row = top + wy;
            for (int32_t wx = 0; wx < layer->window[0]; wx++, at++) {
                int32_t column = left + wx;
                if (row < 0 || row >= slot->in.height || column < 0 || column >= slot->in.width) {
                    continue;
                }
                image[row * slot->in.width + column] += patch[at];
            }
        }
    }
}

static void net_run_conv(const ploy_net *net, const ployi_net_slot *slot, const float *in,
                         float *sums, float *patch) {
    int32_t area = slot->out.width * slot->out.height;
    float *channels = patch + slot->stride;
    for (int32_t p = 0; p < area; p++) {
        ployi_net_gather(slot, in, p % slot->out.width, p / slot->out.width, patch);
        ployi_net_rows(slot->rows, slot->stride, net->params + slot->weights,
                       net->params + slot->biases, patch, channels);
        for (int32_t c = 0; c < slot->rows; c++) sums[c * area + p] = channels[c];
    }
}

// One window: its value, and for the largest the input it came from.
static float net_run_window(const ployi_net_slot *slot, const float *image, int32_t x, int32_t y,
                            int32_t *from) {
    const ploy_net_layer *layer = &slot->layer;
    int32_t left = x * layer->stride[0] - layer->pad[0], top = y * layer->stride[1] - layer->pad[1];
    int32_t x0 = ploy_maxi(left, 0), x1 = ploy_mini(left + layer->window[0], slot->in.width);
    int32_t y0 = ploy_maxi(top, 0), y1 = ploy_mini(top + layer->window[1], slot->in.height);
    float best = 0.0f, sum = 0.0f;
    *from = -1;
    for (int32_t row = y0; row < y1; row++) {
        for (int32_t column = x0; column < x1; column++) {
            float value = image[row * slot->in.width + column];
            sum += value;
            if (*from < 0 || value > best) {
                best = value;
                *from = row * slot->in.width + column;
            }
        }
    }
    if (layer->kind == PLOY_NET_MAX_POOL) return best;
    return *from < 0 ? 0.0f : sum / (float)((x1 - x0) * (y1 - y0));
}

static void net_run_pool(const ployi_net_slot *slot, const float *in, float *values,
                         int32_t *chosen) {
    int32_t at = 0;
    for (int32_t c = 0; c < slot->out.channels; c++) {
        int32_t base = c * slot->in.width * slot->in.height;
        for (int32_t y = 0; y < slot->out.height; y++) {
            for (int32_t x = 0; x < slot->out.width; x++, at++) {
                int32_t from = -1;
                values[at] = net_run_window(slot, in + base, x, y, &from);
                if (chosen != NULL) chosen[at] = from < 0 ? -1 : base + from;
            }
        }
    }
}

void ployi_net_layer_run(const ploy_net *net, int32_t layer, const float *in, float *sums,
                         float *values, int32_t *chosen, float *patch) {
    const ployi_net_slot *slot = &net->slots[layer];
    int32_t count = ploy_net_values(slot->out);
    if (slot->rows == 0) {
        net_run_pool(slot, in, values, chosen);
    } else {
        if (slot->layer.kind == PLOY_NET_CONV) {
            net_run_conv(net, slot, in, sums, patch);
        } else {
            ployi_net_rows(slot->rows, slot->stride, net->params + slot->weights,
                           net->params + slot->biases, in, sums);
        }
        ployi_net_activate_all(slot->layer.activation, slot->layer.shape, count, sums, values);
    }
    for (int32_t i = count; i < ployi_net_padded(count); i++) values[i] = 0.0f;
}

int32_t ploy_net_scratch(const ploy_net *net) {
    return 2 * net->widest + net->patch;
}

void ploy_net_run_layers(const ploy_net *net, int32_t layers, const float *input, float *values,
                         float *scratch) {
    float *now = scratch, *next = scratch + net->widest, *patch = scratch + 2 * net->widest;
    int32_t count = ploy_net_input_count(net);
    memcpy(now, input, (size_t)count * sizeof(float));
    for (int32_t i = count; i < ployi_net_padded(count); i++) now[i] = 0.0f;
    for (int32_t l = 0; l < layers; l++) {
        ployi_net_layer_run(net, l, now, next, next, NULL, patch);
        float *swap = now;
        now = next;
        next = swap;
    }
    memcpy(values, now, (size_t)ploy_net_values(net->slots[layers - 1].out) * sizeof(float));
}

void ploy_net_run(const ploy_net *net, const float *input, float *output, float *scratch) {
    ploy_net_run_layers(net, net->layer_count, input, output, scratch);
}

void ploy_net_recur(const ploy_net *net, const float *input, int32_t input_count, float *state,
                    float *scratch) {
    float *both = scratch + ploy_net_scratch(net);
    int32_t states = ploy_net_output_count(net);
    memcpy(both, input, (size_t)input_count * sizeof(float));
    memcpy(both + input_count, state, (size_t)states * sizeof(float));
    ploy_net_run(net, both, state, scratch);
}

// ---- crowds

static bool net_run_all_dense(const ploy_net *net) {
    for (int32_t l = 0; l < net->layer_count; l++) {
        if (net->slots[l].layer.kind != PLOY_NET_DENSE) return false;
    }
    return true;
}

// 16 agents: values are stored as [unit][agent]. Softmax needs an agent's values side by side.
static void net_run_sixteen(const ploy_net *net, const float *input, int32_t input_stride,
                            float *output, int32_t output_stride, float *scratch) {
    float *now = scratch, *next = scratch + (int64_t)16 * net->widest;
    float *single = next + (int64_t)16 * net->widest;
    int32_t inputs = ploy_net_input_count(net), outputs = ploy_net_output_count(net);
    for (int32_t i = 0; i < inputs; i++) {
        for (int32_t a = 0; a < 16; a++) now[i * 16 + a] = input[(int64_t)a * input_stride + i];
    }
    memset(now + inputs * 16, 0, (size_t)(ployi_net_padded(inputs) - inputs) * 16 * sizeof(float));
    for (int32_t l = 0; l < net->layer_count; l++) {
        const ployi_net_slot *slot = &net->slots[l];
        ployi_net_rows16(slot->rows, slot->stride, net->params + slot->weights,
                         net->params + slot->biases, now, next);
        if (slot->layer.activation != PLOY_NET_SOFTMAX) {
            ployi_net_activate_all(slot->layer.activation, slot->layer.shape, slot->rows * 16, next,
                                   next);
        }
        int32_t padding = ployi_net_padded(slot->rows) - slot->rows;
        memset(next + slot->rows * 16, 0, (size_t)padding * 16 * sizeof(float));
        float *swap = now;
        now = next;
        next = swap;
    }
    const ploy_net_layer *last = &net->slots[net->layer_count - 1].layer;
    for (int32_t a = 0; a < 16; a++) {
        for (int32_t i = 0; i < outputs; i++) single[i] = now[i * 16 + a];
        if (last->activation == PLOY_NET_SOFTMAX) {
            ployi_net_activate_all(last->activation, last->shape, outputs, single, single);
        }
        memcpy(output + (int64_t)a * output_stride, single, (size_t)outputs * sizeof(float));
    }
}

int32_t ploy_net_batch_scratch(const ploy_net *net) {
    return ploy_maxi(33 * net->widest, ploy_net_scratch(net));
}

void ploy_net_run_batch(const ploy_net *net, int32_t first, int32_t count, const float *input,
                        int32_t input_stride, float *output, int32_t output_stride,
                        float *scratch) {
    int32_t i = first, end = first + count;
    if (net_run_all_dense(net)) {
        for (; i + 16 <= end; i += 16) {
            net_run_sixteen(net, input + (int64_t)i * input_stride, input_stride,
                            output + (int64_t)i * output_stride, output_stride, scratch);
        }
    }
    for (; i < end; i++) {
        ploy_net_run(net, input + (int64_t)i * input_stride, output + (int64_t)i * output_stride,
                     scratch);
    }
}
