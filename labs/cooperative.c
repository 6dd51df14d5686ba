// The cooperative lab: a crowd on a map of rooms, each agent with its own goal, and none runs
// into another. An agent that arrives gets another goal.
//
// All state is in the one block coop_lab and what it owns, in the region.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "labs/lab_input.h"
#include "labs/lab_tiles.h"
#include "labs/labs.h"
#include "ploy/path/cooperative.h"

enum { COOP_LAB_WIDTH = 40, COOP_LAB_HEIGHT = 26, COOP_LAB_AGENTS = 64 };

typedef struct coop_lab_def {
    uint32_t cookie;
    int32_t agents;
    int32_t pace;
    float walls;
} coop_lab_def;

static const ploy_field coop_lab_fields[] = {
    PLOY_FIELD_I32_FIXED(coop_lab_def, agents, 40, 1, COOP_LAB_AGENTS, "", "how many there are"),
    PLOY_FIELD_I32(coop_lab_def, pace, 8, 1, 1000, "", "ticks for a step"),
    PLOY_FIELD_F32(coop_lab_def, walls, 0.12, 0, 0.4, "", "share of cells that are walls"),
};

static ploy_fields coop_lab_get_fields(void) {
    return PLOY_FIELDS(coop_lab_def, coop_lab_fields);
}

typedef struct coop_lab {
    coop_lab_def def;
    ploy_tiles *tiles;
    ploy_tiles_walker walker;
    ploy_cooperative *crowd;
    ploy_rng_key key;
    int32_t before[COOP_LAB_AGENTS];
    int32_t waited, arrived, draws, reserved;
} coop_lab;

static int32_t coop_lab_somewhere(coop_lab *lab, int32_t from) {
    uint32_t draw = ploy_rng_u32_at(lab->key, 2, (uint64_t)lab->draws++, 0);
    return lab_tiles_somewhere(lab->tiles, draw, from);
}

static ploy_result coop_lab_people(coop_lab *lab) {
    int32_t first = coop_lab_somewhere(lab, -1);
    for (int32_t tries = 0; tries < 4000; tries++) {
        if (ploy_cooperative_count(lab->crowd) == lab->def.agents) break;
        int32_t start = coop_lab_somewhere(lab, first);
        ploy_result result =
            ploy_cooperative_add(lab->crowd, start, coop_lab_somewhere(lab, first), NULL);
        if (result != PLOY_OK && result != PLOY_ERR_EXISTS) return result;
    }
    for (int32_t i = 0; i < ploy_cooperative_count(lab->crowd); i++) {
        lab->before[i] = ploy_cooperative_state(lab->crowd, i);
    }
    return PLOY_OK;
}

static ploy_result coop_lab_create(const void *params, ploy_rng_key key, const ploy_env *env,
                                   void **out) {
    coop_lab *lab = ploy_env_alloc_zero(env, sizeof *lab);
    if (lab == NULL) return PLOY_ERR_MEMORY; // the region goes, and all that is in it
    memcpy(&lab->def, params, sizeof lab->def);
    lab->key = ploy_rng_key_split(key, 1);
    ploy_tiles_def def = ploy_tiles_def_default();
    def.width = COOP_LAB_WIDTH;
    def.height = COOP_LAB_HEIGHT;
    def.neighbours = PLOY_TILE_FOUR;
    ploy_result result = ploy_tiles_create(&def, env, &lab->tiles);
    if (result != PLOY_OK) return result;
    uint8_t kinds[COOP_LAB_WIDTH * COOP_LAB_HEIGHT];
    ploy_rng rng = ploy_rng_from_key(lab->key, 1);
    lab_tiles_strokes(kinds, COOP_LAB_WIDTH, COOP_LAB_HEIGHT, lab->def.walls, &rng);
    ploy_tiles_set_all(lab->tiles, kinds);
    lab->walker = ploy_tiles_walker_make(lab->tiles, NULL);
    ploy_space space = ploy_tiles_space(&lab->walker);
    ploy_cooperative_def crowd = ploy_cooperative_def_default();
    crowd.capacity = COOP_LAB_AGENTS;
    result = ploy_cooperative_create(&crowd, &space, env, &lab->crowd);
    if (result == PLOY_OK) result = coop_lab_people(lab);
    if (result == PLOY_OK) *out = lab;
    return result;
}

// The nearest to a click is sent there.
static ploy_result coop_lab_inputs(coop_lab *lab, const ploy_sim_context *context) {
    for (int32_t i = 0; i < context->input_count; i++) {
        if (!lab_input_is(&context->inputs[i], "click")) continue;
        ploy_vec2 point = lab_input_point(&context->inputs[i]);
        int32_t cell = ploy_tiles_quantise(lab->tiles, point);
        if (cell < 0 || !ploy_tiles_passable(lab->tiles, cell)) continue;
        int32_t nearest = 0;
        float best = 1e30f;
        for (int32_t k = 0; k < ploy_cooperative_count(lab->crowd); k++) {
            ploy_vec2 at = ploy_tiles_localise(lab->tiles, ploy_cooperative_state(lab->crowd, k));
            float away = ploy_vec2_distance(at, point);
            if (away >= best) continue;
            best = away;
            nearest = k;
        }
        ploy_result result = ploy_cooperative_set_goal(lab->crowd, nearest, cell);
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

// Where an agent could go in this step: beside what it has planned, who holds the rest.
static void coop_lab_explain(const coop_lab *lab, int32_t agent, ploy_trace *trace) {
    static const char *const names[9] = {"down left", "down",    "down right", "left",    "wait",
                                         "right",     "up left", "up",         "up right"};
    if (trace == NULL) return;
    int32_t from = lab->before[agent], now = ploy_cooperative_state(lab->crowd, agent);
    ploy_vec2 goal = ploy_tiles_localise(lab->tiles, ploy_cooperative_goal(lab->crowd, agent));
    ploy_trace_begin(trace, ploy_agent_id_make((uint32_t)agent + 1, 1), "step",
                     "search in space and time");
    for (int32_t i = 0; i < 9; i++) {
        int32_t cell = ploy_tiles_cell(lab->tiles, from % COOP_LAB_WIDTH + i % 3 - 1,
                                       from / COOP_LAB_WIDTH + i / 3 - 1);
        bool open = cell >= 0 && ploy_tiles_passable(lab->tiles, cell);
        int32_t holder = -1;
        for (int32_t k = 0; open && k < ploy_cooperative_count(lab->crowd); k++) {
            if (k != agent && ploy_cooperative_state(lab->crowd, k) == cell) holder = k;
        }
        char reason[64];
        snprintf(reason, sizeof reason, "agent %d has reserved it for this step", (int)holder + 1);
        double away = open
                          ? -(double)ploy_vec2_distance(ploy_tiles_localise(lab->tiles, cell), goal)
                          : (double)NAN;
        ploy_trace_option(trace, names[i],
                          cell == now            ? PLOY_OUTCOME_WON
                          : !open || holder >= 0 ? PLOY_OUTCOME_REJECTED
                                                 : PLOY_OUTCOME_LOST,
                          away,
                          cell == now   ? "the next cell of its plan"
                          : !open       ? "a wall"
                          : holder >= 0 ? reason
                                        : "its plan does not lead through here");
    }
    ploy_trace_note(trace, "The score is the straight distance to the goal, negated.");
    ploy_trace_end(trace);
}

static ploy_result coop_lab_step(void *state, const ploy_sim_context *context) {
    coop_lab *lab = state;
    memcpy(&lab->def, context->params, sizeof lab->def);
    ploy_result result = coop_lab_inputs(lab, context);
    if (result != PLOY_OK || ++lab->waited < lab->def.pace) return result;
    lab->waited = 0;
    for (int32_t i = 0; i < ploy_cooperative_count(lab->crowd); i++) {
        lab->before[i] = ploy_cooperative_state(lab->crowd, i);
        if (lab->before[i] != ploy_cooperative_goal(lab->crowd, i)) continue;
        lab->arrived++;
        result = ploy_cooperative_set_goal(lab->crowd, i, coop_lab_somewhere(lab, lab->before[i]));
        if (result != PLOY_OK) return result;
    }
    result = ploy_cooperative_step(lab->crowd);
    for (int32_t i = 0; i < ploy_cooperative_count(lab->crowd) && result == PLOY_OK; i++) {
        coop_lab_explain(lab, i, context->trace);
    }
    return result;
}

static void coop_lab_draw(const void *state, ploy_draw *out) {
    const coop_lab *lab = state;
    ploy_draw_key(out, PLOY_STYLE_AGENT_A, "agents, their plans and goals");
    ploy_draw_key(out, PLOY_STYLE_AGENT_B, "likewise");
    ploy_draw_key(out, PLOY_STYLE_AGENT_C, "likewise");
    ploy_draw_key(out, PLOY_STYLE_AGENT_D, "likewise");
    ploy_tiles_draw(lab->tiles, out);
    float share = (float)lab->waited / (float)lab->def.pace;
    for (int32_t i = 0; i < ploy_cooperative_count(lab->crowd); i++) {
        ploy_agent_id agent = ploy_agent_id_make((uint32_t)i + 1, 1);
        ploy_style style = (ploy_style)(PLOY_STYLE_AGENT_A + i % 4);
        int32_t from = ploy_cooperative_state(lab->crowd, i);
        ploy_vec2 now = ploy_tiles_localise(lab->tiles, from);
        ploy_vec2 at = ploy_vec2_lerp(ploy_tiles_localise(lab->tiles, lab->before[i]), now, share);
        ploy_vec2 last = now;
        for (int32_t k = 1; k <= 8; k++) { // what it has reserved
            int32_t cell = ploy_cooperative_planned(lab->crowd, i, k);
            if (cell < 0) break;
            ploy_vec2 next = ploy_tiles_localise(lab->tiles, cell);
            if (!ploy_vec2_equal(last, next)) {
                ploy_draw_line(out, PLOY_LAYER_PATHS, style, agent, last, next);
            }
            last = next;
        }
        ploy_draw_disc(out, PLOY_LAYER_AGENTS, style, agent, at, 0.38f, 1.0f);
        ploy_vec2 goal = ploy_tiles_localise(lab->tiles, ploy_cooperative_goal(lab->crowd, i));
        ploy_draw_circle(out, PLOY_LAYER_REGIONS, style, agent, goal, 0.3f);
    }
    ploy_cooperative_stats stats = ploy_cooperative_stats_of(lab->crowd);
    char text[96];
    snprintf(text, sizeof text, "%d steps, %d arrived, %d plans of %d states each, %d held back",
             (int)stats.ticks, (int)lab->arrived, (int)stats.plans,
             (int)(stats.plans > 0 ? stats.taken / stats.plans : 0), (int)stats.held);
    ploy_draw_text(out, ploy_agent_id_none(), ploy_vec2_make(0.0f, 27.0f), text);
}

static void coop_lab_describe(const void *state, ploy_describe *out) {
    const coop_lab *lab = state;
    ploy_describe_i64(out, "arrived", PLOY_STATE, lab->arrived);
    ploy_describe_i64(out, "waited", PLOY_STATE, lab->waited);
    ploy_describe_i64(out, "draws", PLOY_STATE, lab->draws);
    ploy_describe_begin(out, "crowd");
    ploy_cooperative_describe(lab->crowd, out);
    ploy_describe_end(out);
}

static const ploy_command coop_lab_commands[] = {
    {"click", "send the nearest there", PLOY_VALUE_VEC2, false, "Pointer"},
};

extern const ploy_sim_type ploy_lab_cooperative; // in labs.c
const ploy_sim_type ploy_lab_cooperative = {
    .name = "cooperative",
    .title = "Cooperative agents",
    .help = "Every agent plans a window of steps through what the others have reserved. Rings are "
            "goals. Click to send the nearest one somewhere.",
    .version = 1,
    .capabilities = PLOY_SIM_INTERACTIVE,
    .dt = 1.0f / 60.0f,
    .view = {-1.0f, -1.0f, 41.0f, 28.0f},
    .fields = coop_lab_get_fields,
    .commands = coop_lab_commands,
    .command_count = sizeof coop_lab_commands / sizeof coop_lab_commands[0],
    .create = coop_lab_create,
    .destroy = NULL, // the region goes with the simulation
    .step = coop_lab_step,
    .draw = coop_lab_draw,
    .describe = coop_lab_describe,
};
