// Where to build the next radar tower: three analyses and one combination, kept up to date by the analysis server.
#include <stdio.h>
#include <string.h>

#include "labs/lab_input.h"
#include "labs/labs.h"
#include "ploy/tactics/analysis.h"

enum { RADAR_WIDTH = 32, RADAR_HEIGHT = 24, RADAR_CELLS = RADAR_WIDTH * RADAR_HEIGHT };
enum { RADAR_TOWERS = 8 };

static const char *const radar_formulas[] = {"product", "ratio", "sum"};
static const char *const radar_layers[] = {"radar", "visibility", "security", "distance", "own"};

typedef struct radar_def {
    uint32_t cookie;
    int32_t formula, layer; // of the lists above
    int32_t pause, towers, units;
    float range;
} radar_def;

static const ploy_field radar_fields[] = {
    PLOY_FIELD_ENUM(radar_def, formula, 0, radar_formulas, "how the layers are combined"),
    PLOY_FIELD_ENUM(radar_def, layer, 0, radar_layers, "which layer is shown"),
    PLOY_FIELD_I32(radar_def, pause, 30, 1, 1000, "", "ticks between towers"),
    PLOY_FIELD_I32(radar_def, towers, 5, 0, RADAR_TOWERS, "", "towers that are built"),
    PLOY_FIELD_I32(radar_def, units, 8, 1, 1000, "", "budget of a tick, in units of 64 cells"),
    PLOY_FIELD_F32(radar_def, range, 10, 1, 50, "", "farther than this a tower does not matter"),
};

static ploy_fields radar_get_fields(void) {
    return PLOY_FIELDS(radar_def, radar_fields);
}

typedef struct radar_lab {
    radar_def def;
    ploy_env env;
    uint64_t seed, ticks;
    ploy_tiles *tiles;
    ploy_places places;
    ploy_influence *influence;
    ploy_sight_map *sight;
    ploy_analysis_server *server;
    ploy_influence_source held;
    ploy_analysis_fill security, distance, own;
    int32_t towers[RADAR_TOWERS], tower_count;
} radar_lab;

// The combinations; security is 0 on foreign land, so that products need no mask.
static const char *const radar_texts[] = {
    "radar = security * visibility * distance\n",
    "radar = distance > 0 ? security * visibility / (1 + 10 / distance) : 0\n",
    "radar = 40 * security + visibility + 10 * distance\n  mask own\n"};

static void radar_fill_distance(void *user, int32_t first, int32_t count, float *out) {
    const radar_lab *lab = user;
    for (int32_t i = 0; i < count; i++) {
        ploy_vec3 at = lab->places.position(&lab->places, first + i);
        out[i] = lab->def.range;
        for (int32_t k = 0; k < lab->tower_count; k++) {
            ploy_vec3 tower = lab->places.position(&lab->places, lab->towers[k]);
            float distance = ploy_vec3_distance(at, tower);
            if (distance < out[i]) out[i] = distance;
        }
    }
}

static void radar_fill_own(void *user, int32_t first, int32_t count, float *out) {
    const radar_lab *lab = user;
    for (int32_t i = 0; i < count; i++) {
        bool own = ploy_influence_owner(lab->influence, first + i) == 0;
        out[i] = own && lab->places.open(&lab->places, first + i) ? 1.0f : 0.0f;
    }
}

// Walls at random, and two sides: ours on the left.
static ploy_result radar_level(radar_lab *lab) {
    ploy_rng rng = ploy_rng_make(lab->seed);
    ploy_tiles_def def = ploy_tiles_def_default();
    def.width = RADAR_WIDTH;
    def.height = RADAR_HEIGHT;
    ploy_result result = ploy_tiles_create(&def, &lab->env, &lab->tiles);
    for (int32_t i = 0; i < 40 && result == PLOY_OK; i++) {
        int32_t x = ploy_rng_int(&rng, 0, RADAR_WIDTH - 1);
        int32_t y = ploy_rng_int(&rng, 0, RADAR_HEIGHT - 1);
        int32_t length = ploy_rng_int(&rng, 1, 4);
        bool across = ploy_rng_chance(&rng, 0.5f);
        for (int32_t k = 0; k < length; k++) {
            int32_t cell = ploy_tiles_cell(lab->tiles, across ? x + k : x, across ? y : y + k);
            if (cell != PLOY_STATE_NONE) (void)ploy_tiles_set(lab->tiles, cell, PLOY_TILE_BLOCKED);
        }
    }
    lab->places = ploy_places_tiles(lab->tiles);
    ploy_influence_def influence = ploy_influence_def_default();
    ploy_influence_type type = ploy_influence_type_default();
    if (result == PLOY_OK) {
        result = ploy_influence_create(&influence, &lab->places, &lab->env, &lab->influence);
    }
    if (result == PLOY_OK) result = ploy_influence_add_type(lab->influence, &type, NULL);
    for (int32_t i = 0; i < 10 && result == PLOY_OK; i++) {
        int32_t x = ploy_rng_int(&rng, 0, RADAR_WIDTH / 2 - 1);
        int32_t y = ploy_rng_int(&rng, 0, RADAR_HEIGHT - 1);
        float strength = ploy_rng_range(&rng, 1.0f, 4.0f);
        if (i % 2 == 1) x += RADAR_WIDTH / 2;
        result = ploy_influence_add(lab->influence, i % 2, 0, y * RADAR_WIDTH + x, strength, NULL);
    }
    return result;
}

static ploy_result radar_serve(radar_lab *lab) {
    ploy_analysis_server_def def = ploy_analysis_server_def_default();
    def.units = lab->def.units;
    ploy_analysis_server_destroy(lab->server);
    lab->server = NULL;
    lab->tower_count = 0;
    ploy_influence_source held = {lab->influence, PLOY_INFLUENCE_HELD, 0};
    ploy_analysis_fill security = {ploy_influence_fill, &lab->held, NULL, 0};
    ploy_analysis_fill distance = {radar_fill_distance, lab, NULL, 0};
    ploy_analysis_fill own = {radar_fill_own, lab, NULL, 0};
    lab->held = held;
    lab->security = security;
    lab->distance = distance;
    lab->own = own;
    ploy_result result = ploy_analysis_server_create(&def, &lab->places, &lab->env, &lab->server);
    const struct {
        const char *name;
        ploy_analysis_class level;
        ploy_analysis analysis;
    } rows[] = {{"visibility", PLOY_ANALYSIS_STATIC, ploy_sight_map_analysis(lab->sight)},
                {"security", PLOY_ANALYSIS_SLOW, ploy_analysis_fill_make(&lab->security)},
                {"distance", PLOY_ANALYSIS_SLOW, ploy_analysis_fill_make(&lab->distance)},
                {"own", PLOY_ANALYSIS_SLOW, ploy_analysis_fill_make(&lab->own)}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0] && result == PLOY_OK; i++) {
        result = ploy_analysis_server_add(lab->server, rows[i].name, rows[i].level,
                                          rows[i].analysis, NULL);
    }
    const char *text = radar_texts[lab->def.formula];
    if (result == PLOY_OK) {
        result = ploy_analysis_server_read(lab->server, text, strlen(text), "radar", NULL);
    }
    return result;
}

static ploy_result radar_create(const void *params, ploy_rng_key key, const ploy_env *env,
                                void **out) {
    radar_lab *lab = ploy_env_alloc_zero(env, sizeof *lab);
    if (lab == NULL) return PLOY_ERR_MEMORY;
    memcpy(&lab->def, params, sizeof lab->def);
    lab->env = *env;
    lab->seed = key.bits;
    ploy_sight_map_def sight = ploy_sight_map_def_default();
    ploy_result result = radar_level(lab);
    if (result == PLOY_OK) {
        result = ploy_sight_map_create(&sight, &lab->places, env, &lab->sight);
    }
    if (result == PLOY_OK) result = radar_serve(lab);
    if (result == PLOY_OK) *out = lab;
    return result;
}

enum { RADAR_TOLD = 8 };

// The best places of a layer, for the trace: the first is where the tower goes.
static void radar_trace(const radar_lab *lab, const ploy_tactics_layer *layer, ploy_trace *trace) {
    if (trace == NULL) return;
    int32_t told[RADAR_TOLD], count = 0;
    ploy_trace_begin(trace, ploy_agent_id_none(), "tower", "combined layers");
    while (count < RADAR_TOLD) {
        int32_t best = PLOY_PLACE_NONE;
        for (int32_t i = 0; i < RADAR_CELLS; i++) {
            bool known = false;
            for (int32_t k = 0; k < count; k++) known = known || told[k] == i;
            float value = ploy_tactics_layer_at(layer, i);
            if (known || !(value == value)) continue;
            if (best == PLOY_PLACE_NONE || value > ploy_tactics_layer_at(layer, best)) best = i;
        }
        if (best == PLOY_PLACE_NONE) break;
        ploy_vec3 at = lab->places.position(&lab->places, best);
        char name[40];
        snprintf(name, sizeof name, "(%.1f, %.1f)", (double)at.x, (double)at.y);
        ploy_trace_option(trace, name, count == 0 ? PLOY_OUTCOME_WON : PLOY_OUTCOME_LOST,
                          (double)ploy_tactics_layer_at(layer, best),
                          count == 0 ? "the largest value of the layer radar"
                                     : "another place has a larger value");
        told[count++] = best;
    }
    ploy_trace_end(trace);
}

// Builds at the best place, once a whole pass of the combination has seen the last tower.
static void radar_build(radar_lab *lab, ploy_trace *trace) {
    const ploy_tactics_layer *layer =
        ploy_analysis_server_layer(lab->server, ploy_analysis_server_find(lab->server, "radar"));
    if (layer == NULL || lab->tower_count >= lab->def.towers) return;
    int32_t best = ploy_tactics_layer_range(layer).most_at;
    radar_trace(lab, layer, trace);
    if (best != PLOY_PLACE_NONE) lab->towers[lab->tower_count++] = best;
}

static ploy_result radar_step(void *state, const ploy_sim_context *context) {
    radar_lab *lab = state;
    radar_def now;
    memcpy(&now, context->params, sizeof now);
    bool again = lab_input_count(context, "again") > 0 || now.formula != lab->def.formula ||
                 now.units != lab->def.units;
    lab->def = now;
    ploy_result result = again ? radar_serve(lab) : PLOY_OK;
    for (int32_t i = 0; i < context->input_count && result == PLOY_OK; i++) {
        if (!lab_input_is(&context->inputs[i], "wall")) continue;
        int32_t cell = ploy_tiles_quantise(lab->tiles, lab_input_point(&context->inputs[i]));
        if (cell == PLOY_STATE_NONE) continue;
        bool open = ploy_tiles_passable(lab->tiles, cell);
        (void)ploy_tiles_set(lab->tiles, cell, open ? PLOY_TILE_BLOCKED : PLOY_TILE_OPEN);
        ploy_vec2 at = ploy_tiles_localise(lab->tiles, cell);
        ploy_analysis_server_invalidate(lab->server, 0, ploy_box2_make(at, at));
    }
    if (result == PLOY_OK) result = ploy_analysis_server_step(lab->server);
    lab->ticks++;
    if (result == PLOY_OK && lab->ticks % (uint64_t)lab->def.pause == 0)
        radar_build(lab, context->trace);
    return result;
}

// All layers, the chosen one first.
static void radar_draw_maps(const radar_lab *lab, int32_t first, ploy_draw *out) {
    static const char *const units[] = {"", "cells", "", "m", ""};
    for (int32_t i = -1; i < (int32_t)(sizeof radar_layers / sizeof radar_layers[0]); i++) {
        int32_t which = i < 0 ? lab->def.layer : i;
        int32_t index = ploy_analysis_server_find(lab->server, radar_layers[which]);
        const ploy_tactics_layer *layer = ploy_analysis_server_layer(lab->server, index);
        if (layer == NULL || (i >= 0 && index == first)) continue;
        ploy_tactics_layer_map(layer, radar_layers[which], units[which], out);
    }
}

static void radar_draw(const void *state, ploy_draw *out) {
    const radar_lab *lab = state;
    ploy_draw_key(out, PLOY_STYLE_TARGET, "tower");
    ploy_draw_key(out, PLOY_STYLE_AGENT_A, "value above 0, stronger if darker");
    ploy_draw_key(out, PLOY_STYLE_AGENT_B, "value below 0, stronger if darker");
    int32_t index = ploy_analysis_server_find(lab->server, radar_layers[lab->def.layer]);
    if (ploy_draw_takes_maps(out)) {
        radar_draw_maps(lab, index, out);
    } else {
        ploy_analysis_server_draw(lab->server, index, out);
    }
    ploy_tiles_draw(lab->tiles, out);
    for (int32_t i = 0; i < lab->tower_count; i++) {
        ploy_vec3 at = lab->places.position(&lab->places, lab->towers[i]);
        ploy_draw_disc(out, PLOY_LAYER_AGENTS, PLOY_STYLE_TARGET, ploy_agent_id_none(),
                       ploy_vec2_make(at.x, at.y), 0.45f, 1.0f);
    }
    char text[120];
    ploy_analysis_info info = {"", PLOY_ANALYSIS_SLOW, 0, 0, 0};
    (void)ploy_analysis_server_info(lab->server, index, &info);
    snprintf(text, sizeof text, "age %lld of %lld ticks, %lld units a pass", (long long)info.age,
             (long long)ploy_analysis_server_bound(lab->server), (long long)info.cost);
    ploy_draw_text(out, ploy_agent_id_none(), ploy_vec2_make(0.0f, -0.9f), text);
}

static void radar_describe(const void *state, ploy_describe *out) {
    const radar_lab *lab = state;
    ploy_describe_u64(out, "ticks", PLOY_STATE, lab->ticks);
    ploy_describe_i64(out, "towers", PLOY_STATE, lab->tower_count);
    for (int32_t i = 0; i < lab->tower_count; i++) {
        ploy_describe_i64(out, "tower", PLOY_STATE, lab->towers[i]);
    }
    for (int32_t i = 0; i < ploy_analysis_server_count(lab->server); i++) {
        ploy_describe_f64(out, "centre", PLOY_NOTE,
                          (double)ploy_analysis_server_value(lab->server, i, RADAR_CELLS / 2));
    }
    ploy_describe_begin(out, "server");
    ploy_analysis_server_describe(lab->server, out);
    ploy_describe_end(out);
}

static const ploy_command radar_commands[] = {
    {"again", "remove all towers", PLOY_VALUE_NONE, false, "r"},
    {"wall", "build or remove a wall", PLOY_VALUE_VEC2, false, "Pointer"},
};

extern const ploy_sim_type ploy_lab_radar; // in labs.c
const ploy_sim_type ploy_lab_radar = {
    .name = "radar",
    .title = "Radar placement",
    .help =
        "Towers go where security, visibility and distance to other towers are best. The server "
        "renews each layer in slices; readers always see a whole pass. Click to build a wall: "
        "visibility is computed again.",
    .version = 1,
    .capabilities = PLOY_SIM_INTERACTIVE | PLOY_SIM_TACTICS,
    .dt = 1.0f / 30.0f,
    .view = {-0.5f, -1.5f, 32.5f, 25.3f},
    .fields = radar_get_fields,
    .commands = radar_commands,
    .command_count = sizeof radar_commands / sizeof radar_commands[0],
    .create = radar_create,
    .destroy = NULL,
    .step = radar_step,
    .draw = radar_draw,
    .describe = radar_describe,
};
