// A network learns two classes of points in the plane, live: the background is its answer, bars are the values
// of the first hidden layer at the clicked point, lines the error on training and on test points.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "labs/lab_input.h"
#include "labs/labs.h"
#include "ploy/base/math.h"
#include "ploy/learn/trainer.h"

enum { NETWORK_POINTS = 200, NETWORK_HISTORY = 200, NETWORK_SIDE = 24, NETWORK_UNITS = 32 };

static const char *const network_shapes[] = {"ring", "halves", "squares", "spiral"};
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
                   "units of each of two hidden layers"),
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
} network_lab;

static bool network_inside(int32_t shape, float x, float y) {
    if (shape == 0) return x * x + y * y < 0.4f;
    if (shape == 1) return y > 0.3f * x;
    if (shape == 2) return (x > 0.0f) == (y > 0.0f);
    float angle = ploy_atan2f(y, x) + 6.0f * sqrtf(x * x + y * y);
    return ploy_sinf(angle) > 0.0f;
}

static void network_scatter(network_lab *lab) {
    for (int32_t i = 0; i < NETWORK_POINTS; i++) {
        uint32_t agent = (uint32_t)i;
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
    ploy_net_layer layers[] = {ploy_net_dense(lab->def.units, kind),
                               ploy_net_dense(lab->def.units, kind),
                               ploy_net_dense(1, PLOY_NET_SIGMOID)};
    ploy_result result =
        ploy_net_create(ploy_net_inputs(2), layers, 3, lab->key, &lab->env, &lab->net);
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
    lab->scratch = ploy_env_alloc_zero(env, 1024 * sizeof(float));
    if (lab->scratch == NULL) return PLOY_ERR_MEMORY;
    ploy_result result = network_begin(lab);
    if (result == PLOY_OK) *out = lab;
    return result;
}

static float network_error(network_lab *lab, int32_t first) {
    int32_t wrong = 0;
    for (int32_t i = first; i < first + NETWORK_POINTS / 2; i++) {
        float out = 0.0f;
        ploy_net_run(lab->net, lab->points[i], &out, lab->scratch);
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
        (void)ploy_trainer_learn(lab->trainer, lab->points[at], &lab->classes[at]);
    }
    network_record(lab);
    return PLOY_OK;
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
    ploy_draw_circle(out, PLOY_LAYER_PATHS, PLOY_STYLE_TARGET, ploy_agent_id_none(), lab->probe,
                     0.06f);
}

// A bar for each unit of the first layer, at the probe; its two weights as a line.
static void network_draw_units(const network_lab *lab, ploy_draw *out) {
    const ploy_net_layer *layer = ploy_net_layer_at(lab->net, 0);
    float high = 2.0f / (float)lab->def.units;
    for (int32_t j = 0; j < lab->def.units; j++) {
        const float *w = ploy_net_weights_at(lab->net, 0, j);
        float sum = w[0] * lab->probe.x + w[1] * lab->probe.y + ploy_net_bias_at(lab->net, 0, j);
        float value =
            ploy_clampf(ploy_net_activate(layer->activation, layer->shape, sum), -2.0f, 2.0f);
        float y = -1.0f + ((float)j + 0.5f) * high;
        ploy_draw_line(out, PLOY_LAYER_FORCES, value > 0.0f ? PLOY_STYLE_GOOD : PLOY_STYLE_BAD,
                       ploy_agent_id_none(), ploy_vec2_make(1.5f, y),
                       ploy_vec2_make(1.5f + 0.2f * value, y));
        ploy_vec2 to = ploy_vec2_make(1.9f + 0.05f * ploy_clampf(w[0], -2, 2),
                                      y + 0.05f * ploy_clampf(w[1], -2, 2));
        ploy_draw_arrow(out, PLOY_LAYER_FORCES, PLOY_STYLE_FORCE, ploy_agent_id_none(),
                        ploy_vec2_make(1.9f, y), to);
    }
}

static void network_draw(const void *state, ploy_draw *out) {
    const network_lab *lab = state;
    float scratch[1024];
    network_draw_answer(lab, scratch, out);
    network_draw_units(lab, out);
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
    char text[120];
    int32_t last = lab->history - 1;
    snprintf(text, sizeof text, "%llu examples, error %.2f in training, %.2f in test",
             (unsigned long long)lab->learned, last < 0 ? 1.0 : (double)lab->errors[0][last],
             last < 0 ? 1.0 : (double)lab->errors[1][last]);
    ploy_draw_text(out, ploy_agent_id_none(), ploy_vec2_make(-1.0f, 1.1f), text);
}

static void network_describe(const void *state, ploy_describe *out) {
    const network_lab *lab = state;
    ploy_describe_u64(out, "learned", PLOY_STATE, lab->learned);
    ploy_describe_vec2(out, "probe", PLOY_STATE, lab->probe.x, lab->probe.y);
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
    {"look", "show the units' values at a point", PLOY_VALUE_VEC2, false, "Pointer"},
};

extern const ploy_sim_type ploy_lab_network; // in labs.c
const ploy_sim_type ploy_lab_network = {
    .name = "network",
    .title = "A network learns two classes",
    .help = "The background is the answer, bars are the first layer's values at the clicked point, "
            "arrows its "
            "weights; below, the error on training and on test points. Try a spiral with few and "
            "many units.",
    .version = 1,
    .capabilities = PLOY_SIM_INTERACTIVE | PLOY_SIM_DIAGRAM,
    .dt = 1.0f / 30.0f,
    .view = {-1.1f, -2.0f, 2.2f, 1.2f},
    .fields = network_get_fields,
    .commands = network_commands,
    .command_count = sizeof network_commands / sizeof network_commands[0],
    .create = network_create,
    .destroy = NULL, // the region goes with the simulation
    .step = network_step,
    .draw = network_draw,
    .describe = network_describe,
};
