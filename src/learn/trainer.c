// Backpropagation and the optimisers; described in the header.
//
// Signs: delta and gradients say how much a sum or weight should rise (target minus output), so that an
// update adds them.
//
// Invariants: (1) values, sums and deltas of a layer are padded with zeros; (2) gradients are 0 right behind an
// update and while `direct`; (3) all deltas of an example are made before any weight changes.
#include "ploy/learn/trainer.h"

#include <math.h>
#include <string.h>

#include "learn/net_internal.h"
#include "ploy/base/math.h"

static const char *const trainer_methods[] = {"gradient", "rprop", "adam"};
static const char *const trainer_losses[] = {"squared", "cross_entropy"};

static const ploy_field trainer_fields[] = {
    PLOY_FIELD_ENUM_FIXED(ploy_trainer_def, method, PLOY_TRAINER_GRADIENT, trainer_methods,
                          "how weights follow the gradient"),
    PLOY_FIELD_ENUM_FIXED(ploy_trainer_def, loss, PLOY_TRAINER_SQUARED, trainer_losses,
                          "what counts as an error"),
    PLOY_FIELD_F32(ploy_trainer_def, rate, 0.3, 0, 100, "", "learning rate at first"),
    PLOY_FIELD_F32(ploy_trainer_def, rate_end, 0.1, 0, 100, "", "learning rate at the end"),
    PLOY_FIELD_I32(ploy_trainer_def, rate_updates, 0, 0, 1 << 30, "",
                   "updates over which the rate falls; 0: it stays"),
    PLOY_FIELD_F32(ploy_trainer_def, momentum, 0, 0, 0.999, "",
                   "share of the last change repeated"),
    PLOY_FIELD_F32(ploy_trainer_def, beta1, 0.9, 0, 0.9999, "", "Adam's memory of the mean"),
    PLOY_FIELD_F32(ploy_trainer_def, beta2, 0.999, 0, 0.99999, "", "Adam's memory of the square"),
    PLOY_FIELD_F32(ploy_trainer_def, decay, 0, 0, 1, "", "weight decay"),
    PLOY_FIELD_F32(ploy_trainer_def, clip, 0, 0, 1e6, "", "largest gradient; 0: any"),
    PLOY_FIELD_I32_FIXED(ploy_trainer_def, batch, 1, 0, 1 << 20, "",
                         "examples for each update; 0: the caller updates"),
    PLOY_FIELD_U64(ploy_trainer_def, seed, 1, "seed of dropout"),
};

ploy_fields ploy_trainer_fields(void) {
    return PLOY_FIELDS(ploy_trainer_def, trainer_fields);
}

ploy_trainer_def ploy_trainer_def_default(void) {
    ploy_trainer_def def;
    ploy_fields_default(ploy_trainer_fields(), &def);
    return def;
}

struct ploy_trainer {
    ploy_env env;
    ploy_trainer_def def;
    ploy_net *net;
    size_t size;          // bytes of this block
    bool direct;          // changes go straight to the weights
    int32_t first, count; // layers that learn, besides the last
    int32_t pending;      // examples gathered
    int64_t examples, updates;
    ploy_rng_key key;
    int32_t moments;  // arrays of running means: 0, 1 or 2
    float *gradients; // param_count each
    float *moment[2];
    float *values[PLOY_NET_LAYERS_MAX + 1]; // [0] is the input
    float *sums[PLOY_NET_LAYERS_MAX];
    float *deltas[PLOY_NET_LAYERS_MAX];
    float *masks[PLOY_NET_LAYERS_MAX];    // of dropout; NULL without
    int32_t *chosen[PLOY_NET_LAYERS_MAX]; // of max pooling; NULL without
    float *sensed;                        // delta of the input
    float *patch;
    float *scaled; // one layer's deltas times the rate
};

// Hands out parts of the block behind the trainer; with a NULL base it only counts.
static float *trainer_part(char *base, size_t *at, int64_t floats) {
    float *part = base == NULL ? NULL : (float *)(void *)(base + *at);
    *at += (size_t)((floats + 7) & ~(int64_t)7) * sizeof(float);
    return part;
}

static size_t trainer_lay_out(ploy_trainer *t, const ploy_net *net, char *base) {
    size_t at = (sizeof(ploy_trainer) + 31) & ~(size_t)31;
    t->gradients = trainer_part(base, &at, net->param_count);
    for (int32_t i = 0; i < t->moments; i++)
        t->moment[i] = trainer_part(base, &at, net->param_count);
    int32_t inputs = ployi_net_padded(ploy_net_input_count(net));
    t->values[0] = trainer_part(base, &at, inputs);
    t->sensed = trainer_part(base, &at, inputs);
    for (int32_t l = 0; l < net->layer_count; l++) {
        const ployi_net_slot *slot = &net->slots[l];
        int32_t n = ployi_net_padded(ploy_net_values(slot->out));
        t->values[l + 1] = trainer_part(base, &at, n);
        t->sums[l] = trainer_part(base, &at, n);
        t->deltas[l] = trainer_part(base, &at, n);
        t->masks[l] = slot->layer.dropout > 0.0f ? trainer_part(base, &at, n) : NULL;
        t->chosen[l] = slot->layer.kind == PLOY_NET_MAX_POOL
                           ? (int32_t *)(void *)trainer_part(base, &at, n)
                           : NULL;
    }
    t->patch = trainer_part(base, &at, (int64_t)2 * net->patch);
    t->scaled = trainer_part(base, &at, net->widest);
    return at;
}

ploy_result ploy_trainer_create(const ploy_trainer_def *def, ploy_net *net, const ploy_env *env,
                                ploy_trainer **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    ploy_result result = ploy_fields_check(ploy_trainer_fields(), def, env);
    if (result != PLOY_OK) return result;
    if (net == NULL) return PLOY_ERR_ARGUMENT;
    ploy_trainer plan;
    memset(&plan, 0, sizeof plan);
    plan.moments = def->method == PLOY_TRAINER_GRADIENT ? (def->momentum > 0.0f ? 1 : 0) : 2;
    size_t size = trainer_lay_out(&plan, net, NULL);
    ploy_trainer *trainer = ploy_env_alloc_zero(env, size);
    if (trainer == NULL) return PLOY_ERR_MEMORY;
    trainer->moments = plan.moments;
    (void)trainer_lay_out(trainer, net, (char *)trainer);
    trainer->env = *env;
    trainer->def = *def;
    trainer->net = net;
    trainer->size = size;
    trainer->direct = def->method == PLOY_TRAINER_GRADIENT && def->momentum == 0.0f &&
                      def->batch == 1 && def->decay == 0.0f && def->clip == 0.0f;
    trainer->key = ploy_rng_key_make(def->seed);
    trainer->count = net->layer_count;
    ploy_trainer_reset(trainer);
    *out = trainer;
    return PLOY_OK;
}

void ploy_trainer_destroy(ploy_trainer *trainer) {
    if (trainer == NULL) return;
    ploy_env env = trainer->env;
    ploy_env_free(&env, trainer, trainer->size);
}

void ploy_trainer_reset(ploy_trainer *trainer) {
    int64_t count = trainer->net->param_count;
    trainer->pending = 0;
    trainer->examples = trainer->updates = 0;
    memset(trainer->gradients, 0, (size_t)count * sizeof(float));
    for (int32_t i = 0; i < trainer->moments; i++) {
        memset(trainer->moment[i], 0, (size_t)count * sizeof(float));
    }
    if (trainer->def.method == PLOY_TRAINER_RPROP) { // moment 0: steps, moment 1: last gradients
        float step = trainer->def.rate;
        for (int64_t i = 0; i < count; i++) trainer->moment[0][i] = step;
    }
}

ploy_result ploy_trainer_only(ploy_trainer *trainer, int32_t first, int32_t count) {
    if (!ploy_range_within(first, count, trainer->net->layer_count)) return PLOY_ERR_ARGUMENT;
    ploy_trainer_update(trainer);
    trainer->first = first;
    trainer->count = count;
    return PLOY_OK;
}

static bool trainer_learns(const ploy_trainer *trainer, int32_t layer) {
    return layer == trainer->net->layer_count - 1 ||
           (layer >= trainer->first && layer < trainer->first + trainer->count);
}

float ploy_trainer_rate(const ploy_trainer *trainer) {
    const ploy_trainer_def *def = &trainer->def;
    if (def->rate_updates == 0) return def->rate;
    if (trainer->updates >= def->rate_updates) return def->rate_end;
    return ploy_lerpf(def->rate, def->rate_end, (float)trainer->updates / (float)def->rate_updates);
}

// ---- one example

static void trainer_drop(ploy_trainer *trainer, int32_t layer, bool learns) {
    float *mask = trainer->masks[layer], *values = trainer->values[layer + 1];
    float share = trainer->net->slots[layer].layer.dropout;
    int32_t count = ploy_net_values(trainer->net->slots[layer].out);
    for (int32_t i = 0; i < count; i++) {
        float draw = learns ? ploy_rng_float_at(trainer->key, (uint32_t)i,
                                                (uint64_t)trainer->examples, (uint32_t)layer)
                            : 1.0f;
        mask[i] = learns ? (draw < share ? 0.0f : 1.0f / (1.0f - share)) : 1.0f;
        values[i] *= mask[i];
    }
}

static void trainer_forward(ploy_trainer *trainer, const float *input, bool learns) {
    const ploy_net *net = trainer->net;
    memcpy(trainer->values[0], input, (size_t)ploy_net_input_count(net) * sizeof(float));
    for (int32_t l = 0; l < net->layer_count; l++) {
        ployi_net_layer_run(net, l, trainer->values[l], trainer->sums[l], trainer->values[l + 1],
                            trainer->chosen[l], trainer->patch);
        if (trainer->masks[l] != NULL) trainer_drop(trainer, l, learns);
    }
}

// Through the last layer's activation: errors become deltas in place.
static void trainer_output_deltas(ploy_trainer *trainer, bool entropy) {
    const ploy_net *net = trainer->net;
    int32_t last = net->layer_count - 1;
    const ployi_net_slot *slot = &net->slots[last];
    int32_t count = ploy_net_values(slot->out);
    float *delta = trainer->deltas[last];
    const float *o = trainer->values[last + 1];
    ploy_net_activation kind = slot->layer.activation;
    if (entropy && (kind == PLOY_NET_SOFTMAX || kind == PLOY_NET_SIGMOID)) {
        for (int32_t i = 0; i < count; i++) delta[i] *= slot->layer.shape;
        return;
    }
    if (kind != PLOY_NET_SOFTMAX) {
        ployi_net_derive_all(kind, slot->layer.shape, count, trainer->sums[last], o, delta);
        return;
    }
    float mean = 0.0f; // softmax: every output depends on every sum
    for (int32_t i = 0; i < count; i++) mean += delta[i] * o[i];
    for (int32_t i = 0; i < count; i++) delta[i] = slot->layer.shape * o[i] * (delta[i] - mean);
}

static void trainer_back_conv(ploy_trainer *trainer, int32_t layer, float *back) {
    const ployi_net_slot *slot = &trainer->net->slots[layer];
    int32_t area = slot->out.width * slot->out.height;
    float *patch = trainer->patch, *channels = patch + slot->stride;
    memset(back, 0, (size_t)ployi_net_padded(ploy_net_values(slot->in)) * sizeof(float));
    for (int32_t p = 0; p < area; p++) {
        for (int32_t c = 0; c < slot->rows; c++) channels[c] = trainer->deltas[layer][c * area + p];
        ployi_net_back(slot->rows, slot->stride, trainer->net->params + slot->weights, channels,
                       patch);
        ployi_net_scatter(slot, patch, p % slot->out.width, p / slot->out.width, back);
    }
}

static void trainer_back_mean(const ployi_net_slot *slot, const float *delta, float *back) {
    const ploy_net_layer *layer = &slot->layer;
    int32_t at = 0;
    for (int32_t c = 0; c < slot->out.channels; c++) {
        float *image = back + c * slot->in.width * slot->in.height;
        for (int32_t y = 0; y < slot->out.height; y++) {
            for (int32_t x = 0; x < slot->out.width; x++, at++) {
                int32_t left = x * layer->stride[0] - layer->pad[0];
                int32_t top = y * layer->stride[1] - layer->pad[1];
                int32_t x0 = ploy_maxi(left, 0);
                int32_t x1 = ploy_mini(left + layer->window[0], slot->in.width);
                int32_t y0 = ploy_maxi(top, 0);
                int32_t y1 = ploy_mini(top + layer->window[1], slot->in.height);
                if (x1 <= x0 || y1 <= y0) continue;
                float share = delta[at] / (float)((x1 - x0) * (y1 - y0));
                for (int32_t row = y0; row < y1; row++) {
                    for (int32_t column = x0; column < x1; column++) {
                        image[row * slot->in.width + column] += share;
                    }
                }
            }
        }
    }
}

// The deltas of a layer's input values, before their activation.
static void trainer_back(ploy_trainer *trainer, int32_t layer, float *back) {
    const ployi_net_slot *slot = &trainer->net->slots[layer];
    const float *delta = trainer->deltas[layer];
    int32_t count = ploy_net_values(slot->in);
    if (slot->layer.kind == PLOY_NET_DENSE) {
        ployi_net_back(slot->rows, slot->stride, trainer->net->params + slot->weights, delta, back);
        return;
    }
    if (slot->layer.kind == PLOY_NET_CONV) {
        trainer_back_conv(trainer, layer, back);
        return;
    }
    memset(back, 0, (size_t)ployi_net_padded(count) * sizeof(float));
    if (slot->layer.kind == PLOY_NET_MEAN_POOL) {
        trainer_back_mean(slot, delta, back);
        return;
    }
    for (int32_t i = 0; i < ploy_net_values(slot->out); i++) {
        if (trainer->chosen[layer][i] >= 0) back[trainer->chosen[layer][i]] += delta[i];
    }
}

static void trainer_backward(ploy_trainer *trainer, bool entropy, bool to_input) {
    const ploy_net *net = trainer->net;
    int32_t lowest = to_input ? 0 : ploy_mini(trainer->first, net->layer_count - 1);
    trainer_output_deltas(trainer, entropy);
    for (int32_t l = net->layer_count - 1; l > lowest; l--) {
        const ployi_net_slot *below = &net->slots[l - 1];
        int32_t count = ploy_net_values(below->out);
        float *delta = trainer->deltas[l - 1];
        trainer_back(trainer, l, delta);
        if (trainer->masks[l - 1] != NULL) {
            // The derivative is of the value before dropout.
            const float *mask = trainer->masks[l - 1];
            ployi_net_activate_all(below->layer.activation, below->layer.shape, count,
                                   trainer->sums[l - 1], trainer->scaled);
            for (int32_t i = 0; i < count; i++) delta[i] *= mask[i];
            if (below->rows > 0) {
                ployi_net_derive_all(below->layer.activation, below->layer.shape, count,
                                     trainer->sums[l - 1], trainer->scaled, delta);
            }
        } else if (below->rows > 0) {
            ployi_net_derive_all(below->layer.activation, below->layer.shape, count,
                                 trainer->sums[l - 1], trainer->values[l], delta);
        }
    }
    if (to_input) trainer_back(trainer, 0, trainer->sensed);
}

// Adds rate times the gradient of each layer that learns to the given parameters.
static void trainer_apply(ploy_trainer *trainer, float rate, float *params) {
    const ploy_net *net = trainer->net;
    for (int32_t l = 0; l < net->layer_count; l++) {
        const ployi_net_slot *slot = &net->slots[l];
        if (slot->rows == 0 || !trainer_learns(trainer, l)) continue;
        float *weights = params + slot->weights, *biases = params + slot->biases;
        if (slot->layer.kind == PLOY_NET_DENSE) {
            ployi_net_add(slot->rows, slot->stride, rate, trainer->deltas[l], trainer->values[l],
                          weights, biases);
            continue;
        }
        int32_t area = slot->out.width * slot->out.height;
        float *patch = trainer->patch, *channels = patch + slot->stride;
        for (int32_t p = 0; p < area; p++) {
            for (int32_t c = 0; c < slot->rows; c++) channels[c] = trainer->deltas[l][c * area + p];
            ployi_net_gather(slot, trainer->values[l], p % slot->out.width, p / slot->out.width,
                             patch);
            ployi_net_add(slot->rows, slot->stride, rate, channels, patch, weights, biases);
        }
    }
}

static void trainer_absorb(ploy_trainer *trainer) {
    trainer->examples++;
    if (trainer->direct) {
        trainer_apply(trainer, ploy_trainer_rate(trainer), trainer->net->params);
        trainer->updates++;
        return;
    }
    trainer_apply(trainer, 1.0f, trainer->gradients);
    trainer->pending++;
    if (trainer->def.batch > 0 && trainer->pending >= trainer->def.batch) {
        ploy_trainer_update(trainer);
    }
}

// -ln of a probability, without the infinity of 0.
static float trainer_surprise(float p) {
    return -ploy_logf(p > 1e-12f ? p : 1e-12f);
}

float ploy_trainer_learn(ploy_trainer *trainer, const float *input, const float *target) {
    trainer_forward(trainer, input, true);
    int32_t last = trainer->net->layer_count - 1;
    int32_t count = ploy_net_output_count(trainer->net);
    const float *o = trainer->values[last + 1];
    float *delta = trainer->deltas[last];
    ploy_net_activation kind = trainer->net->slots[last].layer.activation;
    bool entropy = trainer->def.loss == PLOY_TRAINER_CROSS_ENTROPY;
    float loss = 0.0f;
    for (int32_t i = 0; i < count; i++) {
        delta[i] = target[i] - o[i];
        if (entropy && kind == PLOY_NET_SOFTMAX) {
            if (target[i] > 0.0f) loss += target[i] * trainer_surprise(o[i]);
        } else if (entropy && kind == PLOY_NET_SIGMOID) {
            loss += target[i] * trainer_surprise(o[i]) +
                    (1.0f - target[i]) * trainer_surprise(1.0f - o[i]);
        } else {
            loss += 0.5f * delta[i] * delta[i];
        }
    }
    trainer_backward(trainer, entropy, false);
    trainer_absorb(trainer);
    return loss;
}

void ploy_trainer_correct(ploy_trainer *trainer, const float *input, const float *errors) {
    trainer_forward(trainer, input, true);
    memcpy(trainer->deltas[trainer->net->layer_count - 1], errors,
           (size_t)ploy_net_output_count(trainer->net) * sizeof(float));
    trainer_backward(trainer, false, false);
    trainer_absorb(trainer);
}

void ploy_trainer_reward(ploy_trainer *trainer, const float *input, int32_t action, float reward) {
    trainer_forward(trainer, input, true);
    int32_t count = ploy_net_output_count(trainer->net);
    float *delta = trainer->deltas[trainer->net->layer_count - 1];
    for (int32_t i = 0; i < count; i++) delta[i] = i == action ? reward : 0.0f;
    trainer_backward(trainer, false, false);
    trainer_absorb(trainer);
}

void ploy_trainer_sense(ploy_trainer *trainer, const float *input, int32_t output) {
    trainer_forward(trainer, input, false);
    int32_t count = ploy_net_output_count(trainer->net);
    float *delta = trainer->deltas[trainer->net->layer_count - 1];
    for (int32_t i = 0; i < count; i++) delta[i] = i == output ? 1.0f : 0.0f;
    trainer_backward(trainer, false, true);
}

const float *ploy_trainer_sensed(const ploy_trainer *trainer) {
    return trainer->sensed;
}

const float *ploy_trainer_values(const ploy_trainer *trainer, int32_t layer) {
    return trainer->values[ploy_clampi(layer, 0, trainer->net->layer_count)];
}

// ---- updates

static float trainer_clip_scale(const ploy_trainer *trainer, float mean) {
    if (trainer->def.clip == 0.0f) return mean;
    double lanes[8] = {0}, sum = 0.0;
    for (int64_t i = 0; i < trainer->net->param_count; i++) {
        double g = (double)(trainer->gradients[i] * mean);
        lanes[i & 7] += g * g;
    }
    for (int32_t k = 0; k < 8; k++) sum += lanes[k];
    float length = (float)sqrt(sum);
    return length > trainer->def.clip ? mean * (trainer->def.clip / length) : mean;
}

// iRprop-: grows a step by 1.2 while the sign stays, halves it when the sign changes.
static void trainer_rprop(ploy_trainer *trainer) {
    float *steps = trainer->moment[0], *before = trainer->moment[1];
    float *params = trainer->net->params, *gradients = trainer->gradients;
    for (int64_t i = 0; i < trainer->net->param_count; i++) {
        float g = gradients[i] - trainer->def.decay * params[i], same = g * before[i];
        if (same > 0.0f) steps[i] = ploy_minf(steps[i] * 1.2f, 50.0f);
        if (same < 0.0f) {
            steps[i] = ploy_maxf(steps[i] * 0.5f, 1e-6f);
            g = 0.0f;
        }
        params[i] += g > 0.0f ? steps[i] : g < 0.0f ? -steps[i] : 0.0f;
        before[i] = g;
        gradients[i] = 0.0f;
    }
}

void ploy_trainer_update(ploy_trainer *trainer) {
    if (trainer->pending == 0) return;
    int64_t count = trainer->net->param_count;
    float scale = trainer_clip_scale(trainer, 1.0f / (float)trainer->pending);
    float rate = ploy_trainer_rate(trainer);
    trainer->pending = 0;
    trainer->updates++;
    for (int64_t i = 0; i < count; i++) trainer->gradients[i] *= scale;
    if (trainer->def.method == PLOY_TRAINER_RPROP) {
        trainer_rprop(trainer);
    } else if (trainer->def.method == PLOY_TRAINER_ADAM) {
        double updates = (double)trainer->updates;
        ployi_net_adam_law law;
        law.rate = rate;
        law.beta1 = trainer->def.beta1;
        law.beta2 = trainer->def.beta2;
        law.scale1 = (float)(1.0 / (1.0 - ploy_pow((double)law.beta1, updates)));
        law.scale2 = (float)(1.0 / (1.0 - ploy_pow((double)law.beta2, updates)));
        law.epsilon = 1e-8f;
        law.decay = trainer->def.decay;
        ployi_net_adam(count, law, trainer->net->params, trainer->gradients, trainer->moment[0],
                       trainer->moment[1]);
    } else if (trainer->moments == 1) {
        ployi_net_momentum(count, rate, trainer->def.momentum, trainer->def.decay,
                           trainer->net->params, trainer->gradients, trainer->moment[0]);
    } else {
        float *params = trainer->net->params, decay = trainer->def.decay;
        for (int64_t i = 0; i < count; i++) {
            params[i] += rate * (trainer->gradients[i] - decay * params[i]);
            trainer->gradients[i] = 0.0f;
        }
    }
}

float ploy_trainer_gradient_at(const ploy_trainer *trainer, int32_t layer, int32_t unit,
                               int32_t index) {
    const ployi_net_slot *slot = &trainer->net->slots[layer];
    return trainer->gradients[index < 0 ? slot->biases + unit
                                        : slot->weights + (int64_t)unit * slot->stride + index];
}

int64_t ploy_trainer_examples(const ploy_trainer *trainer) {
    return trainer->examples;
}

int64_t ploy_trainer_updates(const ploy_trainer *trainer) {
    return trainer->updates;
}

static void trainer_visit_array(ploy_visit *v, const char *name, int64_t count, float *values) {
    int32_t n = ploy_visit_fixed(v, name, PLOY_STATE, (int32_t)count);
    for (int32_t i = 0; i < n; i++) ploy_visit_f32(v, "value", PLOY_STATE, &values[i]);
    ploy_visit_end(v);
}

void ploy_trainer_visit(ploy_visit *v, void *object) {
    ploy_trainer *trainer = object;
    ploy_visit_block(v, "trainer", trainer, trainer->size);
    int64_t count = trainer->net->param_count;
    ploy_visit_i32_in(v, "first", PLOY_STATE, &trainer->first, 0, trainer->net->layer_count);
    ploy_visit_i32_in(v, "count", PLOY_STATE, &trainer->count, 0, trainer->net->layer_count);
    ploy_visit_i32_in(v, "pending", PLOY_STATE, &trainer->pending, 0, 1 << 30);
    ploy_visit_i64_in(v, "examples", PLOY_STATE, &trainer->examples, 0, INT64_MAX);
    ploy_visit_i64_in(v, "updates", PLOY_STATE, &trainer->updates, 0, INT64_MAX);
    if (!trainer->direct) trainer_visit_array(v, "gradients", count, trainer->gradients);
    if (trainer->moments > 0) trainer_visit_array(v, "moment1", count, trainer->moment[0]);
    if (trainer->moments > 1) trainer_visit_array(v, "moment2", count, trainer->moment[1]);
}

void ploy_trainer_memory(const ploy_trainer *trainer, ploy_memory_fn fn, void *user) {
    ploy_visit_memory(ploy_trainer_visit, trainer, fn, user);
}
