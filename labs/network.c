// A network learns two classes, live. Of points in the plane: the background is its answer, bars are the values of
// the hidden layers for the clicked example, squares the weights between the two. Of pictures: a convolution, with
// its filters and what they make of the clicked picture. Below, the error in training and in test.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "labs/lab_input.h"
#include "labs/labs.h"
#include "ploy/base/math.h"
#include "ploy/learn/trainer.h"

enum {
    NETWORK_POINTS = 200,
    NETWORK_HISTORY = 200,
    NETWORK_SIDE = 24,
    NETWORK_UNITS = 32,
    NETWORK_FILTERS = 12,
    NETWORK_IMAGE = 8, // pixels on a side
    NETWORK_PIXELS = NETWORK_IMAGE * NETWORK_IMAGE,
    NETWORK_ROW = 5, // pictures shown on a side
    NETWORK_SCRATCH = 2048
};

enum { NETWORK_PICTURES = 4 };
static const char *const network_shapes[] = {"ring", "halves", "squares", "spiral", "pictures"};
static const char *const network_functions[] = {
    "linear", "step",   "sign",     "relu",          "leaky",      "softplus", "sigmoid",
    "tanh",   "radial", "gaussian", "sigmoid_steps", "tanh_steps", "softmax"};

typedef struct network_def {
    uint32_t cookie;
    int32_t shape;
    ploy_net_activation activation;
    int32_t units, speed;
    float noise;
    ploy_trainer_def trainer;
} network_def;

static const ploy_field network_fields[] = {
    PLOY_FIELD_ENUM(network_def, shape, 0, network_shapes, "what separates the classes"),
    PLOY_FIELD_ENUM(network_def, activation, PLOY_NET_TANH, network_functions,
                    "function of hidden units"),
    PLOY_FIELD_I32(network_def, units, 12, 1, NETWORK_UNITS, "",
                   "units of each of two hidden layers; filters for pictures, at most 12"),
    PLOY_FIELD_I32(network_def, speed, 200, 0, 100000, "", "examples in a tick; 0 pauses"),
    PLOY_FIELD_F32(network_def, noise, 0.05, 0, 1, "", "share of points with the wrong class"),
    PLOY_FIELD_DEF(network_def, trainer, ploy_trainer_fields, "how weights change"),
};

static ploy_fields network_get_fields(void) {
    return PLOY_FIELDS(network_def, network_fields);
}

typedef struct network_lab {
    network_def def;
    ploy_env env;
    ploy_rng_key key;
    ploy_net *net;
    ploy_trainer *trainer;
    float *scratch;
    ploy_vec2 probe; // the clicked point
    uint64_t learned;
    int32_t history;
    float errors[2][NETWORK_HISTORY];                         // of training and test points
    float points[NETWORK_POINTS][2], classes[NETWORK_POINTS]; // the second half is for testing
    float pictures[NETWORK_POINTS][NETWORK_PIXELS];           // instead of points
} network_lab;

static bool network_inside(int32_t shape, float x, float y) {
    if (shape == 0) return x * x + y * y < 0.4f;
    if (shape == 1) return y > 0.3f * x;
    if (shape == 2) return (x > 0.0f) == (y > 0.0f);
    float angle = ploy_atan2f(y, x) + 6.0f * sqrtf(x * x + y * y);
    return ploy_sinf(angle) > 0.0f;
}

static bool network_shows_pictures(const network_lab *lab) {
    return lab->def.shape == NETWORK_PICTURES;
}

static const float *network_input(const network_lab *lab, int32_t example) {
    return network_shows_pictures(lab) ? lab->pictures[example] : lab->points[example];
}

// A box or a cross of five pixels on a side, somewhere, over noise.
static void network_paint(network_lab *lab, int32_t example) {
    uint32_t agent = (uint32_t)example;
    bool box = ploy_rng_float_at(lab->key, agent, 1, 0) < 0.5f;
    bool wrong = ploy_rng_float_at(lab->key, agent, 1, 1) < lab->def.noise;
    int32_t cx = ploy_rng_int_at(lab->key, agent, 1, 2, 2, NETWORK_IMAGE - 3);
    int32_t cy = ploy_rng_int_at(lab->key, agent, 1, 3, 2, NETWORK_IMAGE - 3);
    for (int32_t i = 0; i < NETWORK_PIXELS; i++) {
        int32_t dx = i % NETWORK_IMAGE - cx, dy = i / NETWORK_IMAGE - cy;
        int32_t far = ploy_maxi(dx < 0 ? -dx : dx, dy < 0 ? -dy : dy);
        bool on = box ? far == 2 : far <= 2 && (dx == dy || dx == -dy);
        float dim = ploy_rng_range_at(lab->key, agent, 2, (uint32_t)i, 0.0f, 0.4f);
        lab->pictures[example][i] = on ? 1.0f - dim : dim;
    }
    lab->classes[example] = box != wrong ? 1.0f : 0.0f;
}

static void network_scatter(network_lab *lab) {
    for (int32_t i = 0; i < NETWORK_POINTS; i++) {
        uint32_t agent = (uint32_t)i;
        if (network_shows_pictures(lab)) {
            network_paint(lab, i);
            continue;
        }
        lab->points[i][0] = ploy_rng_range_at(lab->key, agent, 0, 0, -1.0f, 1.0f);
        lab->points[i][1] = ploy_rng_range_at(lab->key, agent, 0, 1, -1.0f, 1.0f);
        bool inside = network_inside(lab->def.shape, lab->points[i][0], lab->points[i][1]);
        bool wrong = ploy_rng_float_at(lab->key, agent, 0, 2) < lab->def.noise;
        lab->classes[i] = inside != wrong ? 1.0f : 0.0f;
    }
}

static ploy_result network_begin(network_lab *lab) {
    ploy_trainer_destroy(lab->trainer);
    ploy_net_destroy(lab->net);
    lab->trainer = NULL;
    lab->net = NULL;
    lab->learned = 0;
    lab->history = 0;
    network_scatter(lab);
    ploy_net_activation kind =
        lab->def.activation == PLOY_NET_SOFTMAX ? PLOY_NET_TANH : lab->def.activation;
    ploy_net_layer points[] = {ploy_net_dense(lab->def.units, kind),
                               ploy_net_dense(lab->def.units, kind),
                               ploy_net_dense(1, PLOY_NET_SIGMOID)};
    ploy_net_layer pictures[] = {ploy_net_conv(ploy_mini(lab->def.units, NETWORK_FILTERS), 3, kind),
                                 ploy_net_pool(PLOY_NET_MAX_POOL, 2),
                                 ploy_net_dense(1, PLOY_NET_SIGMOID)};
    ploy_net_size image = {1, NETWORK_IMAGE, NETWORK_IMAGE};
    bool shows = network_shows_pictures(lab);
    ploy_result result =
        ploy_net_create(shows ? image : ploy_net_inputs(2), shows ? pictures : points, 3, lab->key,
                        &lab->env, &lab->net);
    ploy_trainer_def trainer = lab->def.trainer;
    if (result == PLOY_OK)
        result = ploy_trainer_create(&trainer, lab->net, &lab->env, &lab->trainer);
    return result;
}

static ploy_result network_create(const void *params, ploy_rng_key key, const ploy_env *env,
                                  void **out) {
    network_lab *lab = ploy_env_alloc_zero(env, sizeof *lab);
    if (lab == NULL) return PLOY_ERR_MEMORY; // the region goes, and all that is in it
    memcpy(&lab->def, params, sizeof lab->def);
    lab->env = *env;
    lab->key = ploy_rng_key_split(key, 1);
    lab->scratch = ploy_env_alloc_zero(env, NETWORK_SCRATCH * sizeof(float));
    if (lab->scratch == NULL) return PLOY_ERR_MEMORY;
    ploy_result result = network_begin(lab);
    if (result == PLOY_OK) *out = lab;
    return result;
}

static float network_error(network_lab *lab, int32_t first) {
    int32_t wrong = 0;
    for (int32_t i = first; i < first + NETWORK_POINTS / 2; i++) {
        float out = 0.0f;
        ploy_net_run(lab->net, network_input(lab, i), &out, lab->scratch);
        wrong += (out > 0.5f) != (lab->classes[i] > 0.5f) ? 1 : 0;
    }
    return (float)wrong / (float)(NETWORK_POINTS / 2);
}

static void network_record(network_lab *lab) {
    if (lab->history ==
        NETWORK_HISTORY) { // every second value, so that the whole run stays in view
        for (int32_t i = 0; i < NETWORK_HISTORY / 2; i++) {
            lab->errors[0][i] = lab->errors[0][2 * i];
            lab->errors[1][i] = lab->errors[1][2 * i];
        }
        lab->history = NETWORK_HISTORY / 2;
    }
    lab->errors[0][lab->history] = network_error(lab, 0);
    lab->errors[1][lab->history] = network_error(lab, NETWORK_POINTS / 2);
    lab->history++;
}

static ploy_result network_step(void *state, const ploy_sim_context *context) {
    network_lab *lab = state;
    network_def before;
    memcpy(&before, &lab->def, sizeof before);
    memcpy(&lab->def, context->params, sizeof lab->def);
    before.speed = lab->def.speed;
    for (int32_t i = 0; i < context->input_count; i++) {
        const ploy_input *input = &context->inputs[i];
        if (input->kind != PLOY_INPUT_COMMAND || strcmp(input->name, "look") != 0) continue;
        lab->probe = lab_input_point_within(input, 10.0f, 10.0f);
    }
    if (lab_input_count(context, "again") > 0 || memcmp(&before, &lab->def, sizeof before) != 0) {
        ploy_result result = network_begin(lab);
        if (result != PLOY_OK) return result;
    }
    if (lab->def.speed == 0) return PLOY_OK;
    for (int32_t i = 0; i < lab->def.speed; i++) {
        int32_t at = (int32_t)(lab->learned++ % (NETWORK_POINTS / 2));
        (void)ploy_trainer_learn(lab->trainer, network_input(lab, at), &lab->classes[at]);
    }
    network_record(lab);
    return PLOY_OK;
}

// The clicked example: the picture under the probe, or the nearest point.
static int32_t network_clicked(const network_lab *lab) {
    if (network_shows_pictures(lab)) {
        float side = 2.0f / (float)NETWORK_ROW;
        int32_t x = ploy_clampi((int32_t)((lab->probe.x + 1.0f) / side), 0, NETWORK_ROW - 1);
        int32_t y = ploy_clampi((int32_t)((1.0f - lab->probe.y) / side), 0, NETWORK_ROW - 1);
        return NETWORK_POINTS / 2 + y * NETWORK_ROW + x;
    }
    int32_t best = 0;
    float nearest = INFINITY;
    for (int32_t i = 0; i < NETWORK_POINTS; i++) {
        float dx = lab->points[i][0] - lab->probe.x, dy = lab->points[i][1] - lab->probe.y;
        if (dx * dx + dy * dy >= nearest) continue;
        nearest = dx * dx + dy * dy;
        best = i;
    }
    return best;
}

static void network_draw_answer(const network_lab *lab, float *scratch, ploy_draw *out) {
    for (int32_t i = 0; i < NETWORK_SIDE * NETWORK_SIDE; i++) {
        float in[2] = {((float)(i % NETWORK_SIDE) + 0.5f) / NETWORK_SIDE * 2.0f - 1.0f,
                       ((float)(i / NETWORK_SIDE) + 0.5f) / NETWORK_SIDE * 2.0f - 1.0f};
        float value = 0.0f;
        ploy_net_run(lab->net, in, &value, scratch);
        ploy_draw_disc(out, PLOY_LAYER_INFLUENCE, value > 0.5f ? PLOY_STYLE_GOOD : PLOY_STYLE_BAD,
                       ploy_agent_id_none(), ploy_vec2_make(in[0], in[1]), 0.04f,
                       fabsf(value - 0.5f));
    }
    for (int32_t i = 0; i < NETWORK_POINTS; i++) {
        ploy_vec2 at = ploy_vec2_make(lab->points[i][0], lab->points[i][1]);
        ploy_style style = lab->classes[i] > 0.5f ? PLOY_STYLE_AGENT_A : PLOY_STYLE_AGENT_B;
        ploy_draw_disc(out, PLOY_LAYER_AGENTS, style, ploy_agent_id_none(), at, 0.018f,
                       i < NETWORK_POINTS / 2 ? 0.9f : 0.3f);
    }
    const float *at = lab->points[network_clicked(lab)];
    ploy_draw_circle(out, PLOY_LAYER_PATHS, PLOY_STYLE_TARGET, ploy_agent_id_none(),
                     ploy_vec2_make(at[0], at[1]), 0.06f);
}

// Numbers as squares in rows from the upper left corner: green above 0, red below, dense where large. `most` is the
// largest of them; 0: take it from these.
static void network_draw_grid(const float *values, int32_t columns, int32_t rows, ploy_vec2 corner,
                              float cell, float most, ploy_draw *out) {
    int32_t count = columns * rows;
    float largest = most;
    for (int32_t i = 0; i < count && most <= 0.0f; i++) {
        largest = ploy_maxf(largest, fabsf(values[i]));
    }
    for (int32_t i = 0; i < count; i++) {
        float share = fabsf(values[i]) / ploy_maxf(largest, 1e-6f);
        if (share < 0.03f) continue; // nearly white
        float x = corner.x + (float)(i % columns) * cell,
              y = corner.y - (float)(i / columns) * cell;
        ploy_vec2 square[4] = {{x, y - cell}, {x + cell, y - cell}, {x + cell, y}, {x, y}};
        ploy_draw_polygon(out, PLOY_LAYER_FORCES,
                          values[i] > 0.0f ? PLOY_STYLE_GOOD : PLOY_STYLE_BAD, ploy_agent_id_none(),
                          square, 4, ploy_minf(share, 1.0f));
    }
}

// A bar for each unit of a hidden layer, for the clicked example.
static void network_draw_bars(const network_lab *lab, int32_t layer, float x, float *scratch,
                              ploy_draw *out) {
    float values[NETWORK_UNITS], high = 2.0f / (float)lab->def.units;
    ploy_net_run_layers(lab->net, layer + 1, network_input(lab, network_clicked(lab)), values,
                        scratch);
    for (int32_t j = 0; j < lab->def.units; j++) {
        float value = ploy_clampf(values[j], -2.0f, 2.0f), y = 1.0f - ((float)j + 0.5f) * high;
        ploy_draw_line(out, PLOY_LAYER_FORCES, value > 0.0f ? PLOY_STYLE_GOOD : PLOY_STYLE_BAD,
                       ploy_agent_id_none(), ploy_vec2_make(x, y),
                       ploy_vec2_make(x + 0.15f * value, y));
    }
}

// Both hidden layers: their values, the first one's two weights as arrows, the weights between them as squares.
static void network_draw_units(const network_lab *lab, float *scratch, ploy_draw *out) {
    float high = 2.0f / (float)lab->def.units, most = 0.0f;
    network_draw_bars(lab, 0, 1.4f, scratch, out);
    network_draw_bars(lab, 1, 3.2f, scratch, out);
    for (int32_t j = 0; j < lab->def.units; j++) {
        const float *between = ploy_net_weights_at(lab->net, 1, j);
        for (int32_t i = 0; i < lab->def.units; i++) most = ploy_maxf(most, fabsf(between[i]));
    }
    for (int32_t j = 0; j < lab->def.units; j++) {
        const float *w = ploy_net_weights_at(lab->net, 0, j);
        float y = 1.0f - ((float)j + 0.5f) * high;
        ploy_vec2 to = ploy_vec2_make(1.85f + 0.05f * ploy_clampf(w[0], -2, 2),
                                      y + 0.05f * ploy_clampf(w[1], -2, 2));
        ploy_draw_arrow(out, PLOY_LAYER_FORCES, PLOY_STYLE_FORCE, ploy_agent_id_none(),
                        ploy_vec2_make(1.85f, y), to);
        float cell = ploy_minf(high, 0.8f / (float)lab->def.units);
        network_draw_grid(ploy_net_weights_at(lab->net, 1, j), lab->def.units, 1,
                          ploy_vec2_make(2.05f, y + 0.5f * cell), cell, most, out);
    }
}

// Pictures that were not learned, framed by whether the answer is right.
static void network_draw_pictures(const network_lab *lab, float *scratch, ploy_draw *out) {
    float side = 2.0f / (float)NETWORK_ROW, pixel = 0.8f * side / (float)NETWORK_IMAGE;
    for (int32_t k = 0; k < NETWORK_ROW * NETWORK_ROW; k++) {
        int32_t example = NETWORK_POINTS / 2 + k;
        float left = -1.0f + ((float)(k % NETWORK_ROW) + 0.1f) * side;
        float top = 1.0f - ((float)(k / NETWORK_ROW) + 0.1f) * side, wide = 0.8f * side, answer;
        for (int32_t i = 0; i < NETWORK_PIXELS; i++) {
            float x = left + (float)(i % NETWORK_IMAGE) * pixel;
            float y = top - (float)(i / NETWORK_IMAGE) * pixel;
            ploy_vec2 square[4] = {{x, y - pixel}, {x + pixel, y - pixel}, {x + pixel, y}, {x, y}};
            ploy_draw_polygon(out, PLOY_LAYER_AGENTS,
                              lab->classes[example] > 0.5f ? PLOY_STYLE_AGENT_A
                                                           : PLOY_STYLE_AGENT_B,
                              ploy_agent_id_none(), square, 4, lab->pictures[example][i]);
        }
        ploy_net_run(lab->net, lab->pictures[example], &answer, scratch);
        bool right = (answer > 0.5f) == (lab->classes[example] > 0.5f);
        ploy_vec2 frame[5] = {{left, top},
                              {left + wide, top},
                              {left + wide, top - wide},
                              {left, top - wide},
                              {left, top}};
        ploy_draw_polyline(out, PLOY_LAYER_PATHS, right ? PLOY_STYLE_GOOD : PLOY_STYLE_BAD,
                           ploy_agent_id_none(), frame, 5);
        if (example != network_clicked(lab)) continue;
        ploy_draw_circle(out, PLOY_LAYER_PATHS, PLOY_STYLE_TARGET, ploy_agent_id_none(),
                         ploy_vec2_make(left + 0.5f * wide, top - 0.5f * wide), 0.6f * wide);
    }
}

// A row for each filter: the filter, what it makes of the clicked picture, that pooled, and how the answer weighs it.
static void network_draw_filters(const network_lab *lab, float *scratch, ploy_draw *out) {
    enum { HALF = NETWORK_IMAGE / 2, POOLED = HALF * HALF };
    float maps[NETWORK_FILTERS * NETWORK_PIXELS], pooled[NETWORK_FILTERS * POOLED], most = 0.0f;
    const float *input = network_input(lab, network_clicked(lab));
    ploy_net_run_layers(lab->net, 1, input, maps, scratch);
    ploy_net_run_layers(lab->net, 2, input, pooled, scratch);
    const float *answer = ploy_net_weights_at(lab->net, 2, 0);
    int32_t filters = ploy_net_size_at(lab->net, 1).channels;
    for (int32_t i = 0; i < filters * POOLED; i++) most = ploy_maxf(most, fabsf(answer[i]));
    float high = ploy_minf(2.0f / (float)filters, 0.5f), wide = 0.9f * high;
    for (int32_t j = 0; j < filters; j++) {
        float y = 1.0f - (float)j * high;
        network_draw_grid(ploy_net_weights_at(lab->net, 0, j), 3, 3, ploy_vec2_make(1.2f, y),
                          wide / 3.0f, 0.0f, out);
        network_draw_grid(maps + j * NETWORK_PIXELS, NETWORK_IMAGE, NETWORK_IMAGE,
                          ploy_vec2_make(1.8f, y), wide / (float)NETWORK_IMAGE, 1.0f, out);
        network_draw_grid(pooled + j * POOLED, HALF, HALF, ploy_vec2_make(2.4f, y),
                          wide / (float)HALF, 1.0f, out);
        network_draw_grid(answer + j * POOLED, HALF, HALF, ploy_vec2_make(3.0f, y),
                          wide / (float)HALF, most, out);
    }
    static const char *const heads[] = {"filter", "picture", "pooled", "weight"};
    for (int32_t i = 0; i < 4; i++) {
        ploy_draw_text(out, ploy_agent_id_none(), ploy_vec2_make(1.2f + 0.6f * (float)i, 1.05f),
                       heads[i]);
    }
}

// The function of hidden units from -3 to 3, and its slope.
static void network_draw_function(const network_lab *lab, ploy_draw *out) {
    enum { STEPS = 48 };
    const ploy_net_layer *layer = ploy_net_layer_at(lab->net, 0);
    ploy_vec2 curve[STEPS + 1], slope[STEPS + 1];
    for (int32_t i = 0; i <= STEPS; i++) {
        float x = 6.0f * (float)i / (float)STEPS - 3.0f, at = 1.8f + 0.15f * x;
        float y = ploy_net_activate(layer->activation, layer->shape, x);
        float rise = ploy_net_derive(layer->activation, layer->shape, x);
        curve[i] = ploy_vec2_make(at, -1.55f + 0.15f * ploy_clampf(y, -2.0f, 2.0f));
        slope[i] = ploy_vec2_make(at, -1.55f + 0.15f * ploy_clampf(rise, -2.0f, 2.0f));
    }
    ploy_draw_polyline(out, PLOY_LAYER_PATHS, PLOY_STYLE_FORCE, ploy_agent_id_none(), curve,
                       STEPS + 1);
    ploy_draw_polyline(out, PLOY_LAYER_PATHS, PLOY_STYLE_GHOST, ploy_agent_id_none(), slope,
                       STEPS + 1);
}

static void network_draw(const void *state, ploy_draw *out) {
    const network_lab *lab = state;
    ploy_draw_key(out, PLOY_STYLE_AGENT_A, "examples of class 1");
    ploy_draw_key(out, PLOY_STYLE_AGENT_B, "examples of class 0");
    ploy_draw_key(out, PLOY_STYLE_GOOD,
                  network_shows_pictures(lab) ? "right answer, value above 0"
                                              : "answer 1, value above 0");
    ploy_draw_key(out, PLOY_STYLE_BAD,
                  network_shows_pictures(lab) ? "wrong answer, value below 0"
                                              : "answer 0, value below 0");
    ploy_draw_key(out, PLOY_STYLE_TARGET, "clicked example");
    ploy_draw_key(out, PLOY_STYLE_PATH, "error in training");
    ploy_draw_key(out, PLOY_STYLE_WARNING, "error in test");
    ploy_draw_key(out, PLOY_STYLE_FORCE, "weights of a unit, or its function");
    ploy_draw_key(out, PLOY_STYLE_GHOST, "slope of that function");
    float scratch[NETWORK_SCRATCH], answer;
    int32_t clicked = network_clicked(lab);
    if (network_shows_pictures(lab)) {
        network_draw_pictures(lab, scratch, out);
        network_draw_filters(lab, scratch, out);
    } else {
        network_draw_answer(lab, scratch, out);
        network_draw_units(lab, scratch, out);
    }
    network_draw_function(lab, out);
    ploy_net_run(lab->net, network_input(lab, clicked), &answer, scratch);
    for (int32_t k = 0; k < 2; k++) {
        for (int32_t i = 1; i < lab->history; i++) {
            float x = 2.0f / NETWORK_HISTORY * (float)i - 1.0f;
            ploy_draw_line(
                out, PLOY_LAYER_PATHS, k == 0 ? PLOY_STYLE_PATH : PLOY_STYLE_WARNING,
                ploy_agent_id_none(),
                ploy_vec2_make(x - 2.0f / NETWORK_HISTORY, -1.9f + lab->errors[k][i - 1]),
                ploy_vec2_make(x, -1.9f + lab->errors[k][i]));
        }
    }
    char text[160];
    int32_t last = lab->history - 1;
    snprintf(text, sizeof text, "%llu examples: error %.2f in training, %.2f in test",
             (unsigned long long)lab->learned, last < 0 ? 1.0 : (double)lab->errors[0][last],
             last < 0 ? 1.0 : (double)lab->errors[1][last]);
    ploy_draw_text(out, ploy_agent_id_none(), ploy_vec2_make(-1.0f, 1.25f), text);
    snprintf(text, sizeof text, "clicked example: class %.0f, answer %.2f",
             (double)lab->classes[clicked], (double)answer);
    ploy_draw_text(out, ploy_agent_id_none(), ploy_vec2_make(-1.0f, -1.15f), text);
}

static void network_describe(const void *state, ploy_describe *out) {
    const network_lab *lab = state;
    ploy_describe_u64(out, "learned", PLOY_STATE, lab->learned);
    ploy_describe_vec2(out, "probe", PLOY_STATE, lab->probe.x, lab->probe.y);
    ploy_describe_i64(out, "clicked", PLOY_DERIVED, network_clicked(lab));
    ploy_describe_f64(out, "unseen", PLOY_DERIVED,
                      lab->history > 0 ? (double)lab->errors[1][lab->history - 1] : 1.0);
    ploy_describe_begin(out, "net");
    ploy_net_describe(lab->net, out);
    ploy_describe_end(out);
    ploy_describe_begin(out, "trainer");
    ploy_visit_describe(ploy_trainer_visit, lab->trainer, NULL, out);
    ploy_describe_end(out);
    ploy_describe_begin(out, "errors");
    for (int32_t i = 0; i < lab->history; i++) {
        ploy_describe_vec2(out, "training and test", PLOY_STATE, lab->errors[0][i],
                           lab->errors[1][i]);
    }
    ploy_describe_end(out);
}

static const ploy_command network_commands[] = {
    {"again", "draw other weights and begin again", PLOY_VALUE_NONE, false, "r"},
    {"look", "show the units' values for the example there", PLOY_VALUE_VEC2, false, "Pointer"},
};

extern const ploy_sim_type ploy_lab_network; // in labs.c
const ploy_sim_type ploy_lab_network = {
    .name = "network",
    .title = "A network learns two classes",
    .help = "The background is the answer, bars are the hidden layers' values for the clicked "
            "example, arrows and squares the weights; below, the error in training and in test. "
            "Try a spiral with few and many units. With pictures: the filters of a convolution, "
            "and what they make of the clicked picture.",
    .version = 1,
    .capabilities = PLOY_SIM_INTERACTIVE | PLOY_SIM_DIAGRAM,
    .dt = 1.0f / 30.0f,
    .view = {-1.1f, -2.0f, 3.6f, 1.35f},
    .fields = network_get_fields,
    .commands = network_commands,
    .command_count = sizeof network_commands / sizeof network_commands[0],
    .create = network_create,
    .destroy = NULL, // the region goes with the simulation
    .step = network_step,
    .draw = network_draw,
    .describe = network_describe,
};
