// A frag map: a good ambush site becomes bad when its user is shot there again and again.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "labs/lab_input.h"
#include "labs/labs.h"
#include "ploy/tactics/convolve.h"
#include "ploy/tactics/frag_map.h"

enum { FRAG_WIDTH = 15, FRAG_HEIGHT = 9, FRAG_SPOTS = 3 };

typedef struct frag_def {
    uint32_t cookie;
    float start;   // value of A
    int32_t pause; // ticks between kills
    int32_t blur;  // size of the filter that teaches places nearby; 0: none
    ploy_frag_def rules;
} frag_def;

static const ploy_field frag_fields[] = {
    PLOY_FIELD_F32(frag_def, start, 20, -50, 50, "", "what A is worth at first"),
    PLOY_FIELD_I32(frag_def, pause, 10, 1, 1000, "", "ticks between kills"),
    PLOY_FIELD_I32(frag_def, blur, 0, 0, 3, "", "size of the blur that is shown"),
    PLOY_FIELD_DEF(frag_def, rules, ploy_frag_fields, "how the map learns"),
};

static ploy_fields frag_get_fields(void) {
    return PLOY_FIELDS(frag_def, frag_fields);
}

// A is in reach of B and C.
static const int32_t frag_spots[FRAG_SPOTS] = {4 * FRAG_WIDTH + 7, 7 * FRAG_WIDTH + 2,
                                               1 * FRAG_WIDTH + 12};

typedef struct frag_lab {
    frag_def def;
    ploy_env env;
    uint64_t ticks;
    int32_t kills, chosen, left; // left: kill after which A is no longer chosen; 0: it still is
    ploy_tactics_layer *map, *shown;
    ploy_convolve *convolve;
} frag_lab;

static ploy_result frag_show(frag_lab *lab) {
    ploy_convolve_kernel kernel = ploy_convolve_kernel_gaussian(lab->def.blur);
    ploy_convolve_options options = ploy_convolve_options_default();
    return ploy_convolve_run(lab->convolve, &kernel, &options, lab->map, lab->shown);
}

static ploy_result frag_begin(frag_lab *lab) {
    lab->kills = lab->chosen = lab->left = 0;
    ploy_result result = ploy_tactics_layer_fill(lab->map, 0.0f);
    if (result == PLOY_OK) {
        result = ploy_tactics_layer_set(lab->map, frag_spots[0], lab->def.start);
    }
    return result == PLOY_OK ? frag_show(lab) : result;
}

static ploy_result frag_create(const void *params, ploy_rng_key key, const ploy_env *env,
                               void **out) {
    frag_lab *lab = ploy_env_alloc_zero(env, sizeof *lab);
    (void)key;
    if (lab == NULL) return PLOY_ERR_MEMORY;
    memcpy(&lab->def, params, sizeof lab->def);
    lab->env = *env;
    ploy_places places = ploy_places_grid(FRAG_WIDTH, FRAG_HEIGHT, ploy_vec2_make(0, 0), 1.0f);
    ploy_result result = ploy_tactics_layer_create(&places, PLOY_TACTICS_NUMBERS, env, &lab->map);
    if (result == PLOY_OK) {
        result = ploy_tactics_layer_create(&places, PLOY_TACTICS_NUMBERS, env, &lab->shown);
    }
    if (result == PLOY_OK) result = ploy_convolve_create(&places, env, &lab->convolve);
    if (result == PLOY_OK) result = frag_begin(lab);
    if (result == PLOY_OK) *out = lab;
    return result;
}

// The character waits at the best spot; the player shoots at it from one of the others in turn.
static ploy_result frag_kill(frag_lab *lab, ploy_trace *trace) {
    lab->chosen = ploy_frag_map_best(lab->map, frag_spots, FRAG_SPOTS);
    ploy_trace_begin(trace, ploy_agent_id_make(1, 1), "spot", "frag map");
    for (int32_t i = 0; i < FRAG_SPOTS; i++) {
        char name[2] = {(char)('A' + i), 0};
        bool won = i == lab->chosen;
        ploy_trace_option(trace, name, won ? PLOY_OUTCOME_WON : PLOY_OUTCOME_LOST,
                          (double)ploy_tactics_layer_at(lab->map, frag_spots[i]),
                          won ? "the map remembers it as the best" : "another spot is worth more");
    }
    ploy_trace_end(trace);
    int32_t from = 1 + lab->kills % 2;
    if (from == lab->chosen) from = 3 - from;
    lab->kills++;
    if (lab->chosen != 0 && lab->left == 0) lab->left = lab->kills;
    ploy_result result = ploy_frag_map_hit(&lab->def.rules, lab->map, frag_spots[from],
                                           frag_spots[lab->chosen], true, 1.0f);
    return result == PLOY_OK ? frag_show(lab) : result;
}

static ploy_result frag_step(void *state, const ploy_sim_context *context) {
    frag_lab *lab = state;
    frag_def now;
    memcpy(&now, context->params, sizeof now);
    bool again = lab_input_count(context, "again") > 0 || now.start != lab->def.start;
    lab->def = now;
    ploy_result result = again ? frag_begin(lab) : PLOY_OK;
    if (result == PLOY_OK) result = ploy_frag_map_fade(&lab->def.rules, lab->map, context->dt);
    lab->ticks++;
    if (result == PLOY_OK && lab->ticks % (uint64_t)lab->def.pause == 0)
        result = frag_kill(lab, context->trace);
    return result;
}

static void frag_draw(const void *state, ploy_draw *out) {
    const frag_lab *lab = state;
    ploy_draw_key(out, PLOY_STYLE_AGENT_A, "the character");
    ploy_draw_key(out, PLOY_STYLE_TARGET, "spot that it chose");
    ploy_draw_key(out, PLOY_STYLE_AGENT_C, "other spots");
    ploy_tactics_layer_draw(lab->shown, "value", out);
    const ploy_places *places = ploy_tactics_layer_places(lab->map);
    for (int32_t i = 0; i < FRAG_SPOTS; i++) {
        ploy_vec3 at = places->position(places, frag_spots[i]);
        char text[48];
        snprintf(text, sizeof text, "%c %.2f", 'A' + i,
                 (double)ploy_tactics_layer_at(lab->map, frag_spots[i]));
        ploy_draw_circle(out, PLOY_LAYER_AGENTS,
                         i == lab->chosen ? PLOY_STYLE_TARGET : PLOY_STYLE_AGENT_C,
                         ploy_agent_id_none(), ploy_vec2_make(at.x, at.y), 0.45f);
        if (i == lab->chosen) {
            ploy_draw_disc(out, PLOY_LAYER_AGENTS, PLOY_STYLE_AGENT_A, ploy_agent_id_make(1, 1),
                           ploy_vec2_make(at.x, at.y), 0.3f, 1.0f);
        }
        ploy_draw_text(out, ploy_agent_id_none(), ploy_vec2_make(at.x + 0.6f, at.y), text);
    }
    char text[96];
    snprintf(text, sizeof text, "%d kills; A given up at kill %d", lab->kills, lab->left);
    ploy_draw_text(out, ploy_agent_id_none(), ploy_vec2_make(0.0f, -0.8f), text);
}

static void frag_describe(const void *state, ploy_describe *out) {
    const frag_lab *lab = state;
    ploy_describe_u64(out, "ticks", PLOY_STATE, lab->ticks);
    ploy_describe_i64(out, "kills", PLOY_STATE, lab->kills);
    ploy_describe_i64(out, "left", PLOY_STATE, lab->left);
    for (int32_t i = 0; i < FRAG_SPOTS; i++) {
        char name[2] = {(char)('A' + i), 0};
        ploy_describe_f64(out, name, PLOY_STATE,
                          (double)ploy_tactics_layer_at(lab->map, frag_spots[i]));
    }
    ploy_describe_begin(out, "map");
    ploy_tactics_layer_describe(lab->map, out);
    ploy_describe_end(out);
}

static const ploy_command frag_commands[] = {
    {"again", "forget every kill", PLOY_VALUE_NONE, false, "r"},
};

extern const ploy_sim_type ploy_lab_frag; // in labs.c
const ploy_sim_type ploy_lab_frag = {
    .name = "frag",
    .title = "Frag maps",
    .help = "A character waits at the best of three spots; the player shoots it from the others. "
            "With rules.keep below 1 the map forgets, so that A is given up soon; with 1 it takes "
            "as many deaths as A was worth.",
    .version = 1,
    .capabilities = PLOY_SIM_INTERACTIVE | PLOY_SIM_TACTICS,
    .dt = 1.0f / 30.0f,
    .view = {-0.5f, -1.5f, 15.5f, 10.2f},
    .fields = frag_get_fields,
    .commands = frag_commands,
    .command_count = sizeof frag_commands / sizeof frag_commands[0],
    .create = frag_create,
    .destroy = NULL,
    .step = frag_step,
    .draw = frag_draw,
    .describe = frag_describe,
};
