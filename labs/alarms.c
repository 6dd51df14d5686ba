// The lab of alarm points: a guard on patrol sees an intruder and runs to an alarm, of which there are two. The
// player blocks the near one. Which alarm is the goal can be decided by the search itself (any of them ends
// it), before it (the nearest in a straight line), or by the search without those that are known to be blocked.
// The cells that the last search took are marked: with the near alarm walled in, the first method fills
// everything around it before it turns to the other alarm.
#include <math.h>
#include <string.h>

#include "labs/lab_input.h"
#include "labs/lab_tiles.h"
#include "labs/labs.h"
#include "ploy/base/math.h"
#include "ploy/search/search.h"

enum {
    ALARMS_WIDTH = 40,
    ALARMS_HEIGHT = 12,
    ALARMS_CELLS = ALARMS_WIDTH * ALARMS_HEIGHT,
    ALARMS_POINTS = 2
};

typedef enum alarms_method {
    ALARMS_ANY,
    ALARMS_NEAREST,
    ALARMS_KNOWN,
    ALARMS_METHODS
} alarms_method;
static const char *const alarms_methods[ALARMS_METHODS + 1] = {"any", "nearest", "known", NULL};

typedef enum alarms_doing { ALARMS_PATROL, ALARMS_RUN, ALARMS_RAISE, ALARMS_DOINGS } alarms_doing;
static const char *const alarms_doings[ALARMS_DOINGS] = {"patrol", "run to an alarm", "raise it"};

typedef struct alarms_def {
    uint32_t cookie;
    int32_t method; // alarms_method
    bool blocked;
    float every;
    float walk, run;
} alarms_def;

static const ploy_field alarms_fields[] = {
    PLOY_FIELD_ENUM(alarms_def, method, ALARMS_ANY, alarms_methods,
                    "goal: any alarm, the nearest in a straight line, or any that is not blocked"),
    PLOY_FIELD_BOOL(alarms_def, blocked, true, "the player blocks the near alarm"),
    PLOY_FIELD_F32(alarms_def, every, 12, 1, 600, "s", "time between two intruders"),
    PLOY_FIELD_F32(alarms_def, walk, 2, 0.1, 20, "m/s", "speed on patrol"),
    PLOY_FIELD_F32(alarms_def, run, 6, 0.1, 20, "m/s", "speed to an alarm"),
};

static ploy_fields alarms_get_fields(void) {
    return PLOY_FIELDS(alarms_def, alarms_fields);
}

static const int32_t alarms_points[ALARMS_POINTS] = {6 * ALARMS_WIDTH + 8, 6 * ALARMS_WIDTH + 38};
static const int32_t alarms_patrol[2] = {3 * ALARMS_WIDTH + 14, 9 * ALARMS_WIDTH + 20};

typedef struct alarms_lab {
    alarms_def def;
    ploy_tiles *tiles;
    ploy_tiles_walker walker;
    ploy_space steps; // of the tiles
    ploy_search *search;
    int32_t targets[ALARMS_POINTS]; // cells that end the search
    int32_t target_count;
    ploy_edge path[ALARMS_CELLS];
    int32_t path_count, path_at;
    uint8_t took[ALARMS_CELLS]; // by the last search for an alarm
    ploy_vec2 at;
    int32_t cell; // where the guard is, or which it left
    int32_t doing, round, chosen;
    float left; // s until the next intruder, or of raising
    bool blocked;
    int64_t taken; // cells, by the searches of the last alert
    double cost;   // m to the chosen alarm
    int64_t alerts, raised[ALARMS_POINTS];
} alarms_lab;

static ploy_agent_id alarms_guard(void) {
    return ploy_agent_id_make(1, 1);
}

// ---- search ----

static bool alarms_is_goal(void *user, int32_t state) {
    const alarms_lab *lab = user;
    for (int32_t i = 0; i < lab->target_count; i++) {
        if (state == lab->targets[i]) return true;
    }
    return false;
}

static double alarms_estimate(void *user, int32_t state, int32_t goal) {
    const alarms_lab *lab = user;
    double best = (double)INFINITY;
    (void)goal;
    for (int32_t i = 0; i < lab->target_count; i++) {
        double away = (double)ploy_vec2_distance(ploy_tiles_localise(lab->tiles, state),
                                                 ploy_tiles_localise(lab->tiles, lab->targets[i]));
        best = away < best ? away : best;
    }
    return lab->target_count > 0 ? best : 0.0;
}

static ploy_result alarms_expand(void *user, int32_t state, ploy_edges *out) {
    const alarms_lab *lab = user;
    return lab->steps.expand(lab->steps.user, state, out);
}

// Finds a path to the nearest target. @param alarm  the cells that were taken are kept to be shown.
static ploy_result alarms_find(alarms_lab *lab, bool alarm) {
    ploy_space space;
    memset(&space, 0, sizeof space);
    space.count = ALARMS_CELLS;
    space.expand = alarms_expand;
    space.estimate = alarms_estimate;
    space.user = lab;
    ploy_search_start start = {lab->cell, 0.0};
    ploy_search_query query = ploy_search_query_make(&space, &start, PLOY_STATE_NONE);
    query.is_goal = alarms_is_goal;
    query.user = lab;
    ploy_result result = ploy_search_run(lab->search, &query);
    if (result != PLOY_OK) return result;
    int32_t goal = ploy_search_goal(lab->search);
    double cost = 0.0;
    lab->path_at = 0;
    lab->path_count =
        goal >= 0 ? ploy_search_path(lab->search, goal, lab->path, ALARMS_CELLS, &cost) : 0;
    if (!alarm) return PLOY_OK;
    lab->taken += ploy_search_stats_of(lab->search).taken;
    lab->cost = cost;
    for (int32_t i = 0; i < ALARMS_POINTS; i++) {
        if (goal == alarms_points[i]) lab->chosen = i;
    }
    for (int32_t i = 0; i < ploy_search_reached(lab->search); i++) {
        ploy_search_node node;
        int32_t state = ploy_search_reached_at(lab->search, i);
        if (!ploy_search_get(lab->search, state, &node)) continue;
        if (node.status == PLOY_SEARCH_CLOSED) lab->took[state] = 1;
    }
    return PLOY_OK;
}

// An intruder: decides on the alarm by the method, and plans the path.
static ploy_result alarms_alert(alarms_lab *lab) {
    bool known = lab->def.method == ALARMS_KNOWN && lab->blocked;
    lab->alerts++;
    lab->taken = 0;
    lab->chosen = -1;
    memset(lab->took, 0, sizeof lab->took);
    lab->target_count = 0;
    for (int32_t i = known ? 1 : 0; i < ALARMS_POINTS; i++) {
        lab->targets[lab->target_count++] = alarms_points[i];
    }
    if (lab->def.method != ALARMS_NEAREST) return alarms_find(lab, true);
    // Decided before the search: the second is tried after the first has failed.
    int32_t near = 0;
    float away[ALARMS_POINTS];
    for (int32_t i = 0; i < ALARMS_POINTS; i++) {
        away[i] = ploy_vec2_distance(lab->at, ploy_tiles_localise(lab->tiles, alarms_points[i]));
        if (away[i] < away[near]) near = i;
    }
    ploy_result result = PLOY_OK;
    for (int32_t i = 0; i < ALARMS_POINTS && lab->chosen < 0 && result == PLOY_OK; i++) {
        lab->target_count = 1;
        lab->targets[0] = alarms_points[(near + i) % ALARMS_POINTS];
        result = alarms_find(lab, true);
    }
    return result;
}

static ploy_result alarms_walk_round(alarms_lab *lab) {
    lab->doing = ALARMS_PATROL;
    lab->round = 1 - lab->round;
    lab->target_count = 1;
    lab->targets[0] = alarms_patrol[lab->round];
    return alarms_find(lab, false);
}

// ---- simulation ----

static void alarms_block(alarms_lab *lab) {
    static const int32_t around[4] = {-1, 1, -ALARMS_WIDTH, ALARMS_WIDTH};
    lab->blocked = lab->def.blocked;
    for (int32_t i = 0; i < 4; i++) {
        ploy_tiles_set(lab->tiles, alarms_points[0] + around[i],
                       lab->blocked ? PLOY_TILE_BLOCKED : PLOY_TILE_OPEN);
    }
}

static ploy_result alarms_create(const void *params, ploy_rng_key key, const ploy_env *env,
                                 void **out) {
    alarms_lab *lab = ploy_env_alloc_zero(env, sizeof *lab);
    (void)key;
    if (lab == NULL) return PLOY_ERR_MEMORY; // the region goes, and all that is in it
    memcpy(&lab->def, params, sizeof lab->def);
    ploy_tiles_def map = ploy_tiles_def_default();
    map.width = ALARMS_WIDTH;
    map.height = ALARMS_HEIGHT;
    map.neighbours = PLOY_TILE_FOUR;
    ploy_search_def def = ploy_search_def_default();
    ploy_result result = ploy_tiles_create(&map, env, &lab->tiles);
    if (result == PLOY_OK) result = ploy_search_create(&def, env, &lab->search);
    if (result == PLOY_OK) {
        lab->walker = ploy_tiles_walker_make(lab->tiles, NULL);
        lab->steps = ploy_tiles_space(&lab->walker);
        lab->cell = alarms_patrol[0];
        lab->at = ploy_tiles_localise(lab->tiles, lab->cell);
        lab->left = ploy_minf(lab->def.every, 3.0f); // the first comes soon
        lab->chosen = -1;
        alarms_block(lab);
        result = alarms_walk_round(lab);
    }
    *out = lab;
    return result;
}

// Goes on along the path. @return true at its end.
static bool alarms_follow(alarms_lab *lab, float speed, float dt) {
    float left = speed * dt;
    while (lab->path_at < lab->path_count && left > 0.0f) {
        int32_t next = lab->path[lab->path_at].to;
        ploy_vec2 to = ploy_tiles_localise(lab->tiles, next);
        float away = ploy_vec2_distance(lab->at, to);
        if (away > left) {
            lab->at =
                ploy_vec2_add(lab->at, ploy_vec2_with_length(ploy_vec2_sub(to, lab->at), left));
            return false;
        }
        left -= away;
        lab->at = to;
        lab->cell = next;
        lab->path_at++;
    }
    return lab->path_at >= lab->path_count;
}

static void alarms_explain(const alarms_lab *lab, ploy_trace *trace) {
    static const char *const won[ALARMS_DOINGS] = {
        "no intruder is in sight", "an intruder was seen", "it has reached the alarm"};
    static const char *const lost[ALARMS_DOINGS] = {
        "an intruder was seen", "no intruder is in sight", "it is not at an alarm"};
    static const char *const names[ALARMS_POINTS] = {"alarm A", "alarm B"};
    ploy_trace_begin(trace, alarms_guard(), "guard", "what to do");
    for (int32_t i = 0; i < ALARMS_DOINGS; i++) {
        bool now = i == lab->doing;
        ploy_trace_option(trace, alarms_doings[i], now ? PLOY_OUTCOME_WON : PLOY_OUTCOME_REJECTED,
                          (double)NAN,
                          now                                    ? won[i]
                          : i == 1 && lab->doing == ALARMS_RAISE ? "it is there"
                                                                 : lost[i]);
    }
    ploy_trace_end(trace);
    if (lab->doing == ALARMS_PATROL) return;
    ploy_trace_begin(trace, alarms_guard(), "alarm", alarms_methods[lab->def.method]);
    for (int32_t i = 0; i < ALARMS_POINTS; i++) {
        bool shut = i == 0 && lab->blocked;
        ploy_trace_option(trace, names[i],
                          i == lab->chosen ? PLOY_OUTCOME_WON : PLOY_OUTCOME_REJECTED, (double)NAN,
                          i == lab->chosen ? "the shortest path leads there"
                          : shut && lab->def.method == ALARMS_KNOWN ? "it is known to be blocked"
                          : shut                                    ? "no path leads there"
                                                                    : "the other is nearer");
    }
    ploy_trace_i64(trace, "cells taken", lab->taken);
    ploy_trace_f32(trace, "metres", (float)lab->cost);
    ploy_trace_end(trace);
}

static ploy_result alarms_step(void *state, const ploy_sim_context *context) {
    alarms_lab *lab = state;
    ploy_result result = PLOY_OK;
    memcpy(&lab->def, context->params, sizeof lab->def);
    if (lab->def.blocked != lab->blocked) alarms_block(lab);
    lab->left -= context->dt;
    bool there = alarms_follow(lab, lab->doing == ALARMS_RUN ? lab->def.run : lab->def.walk,
                               lab->doing == ALARMS_RAISE ? 0.0f : context->dt);
    if (lab->doing == ALARMS_PATROL && lab->left <= 0.0f) {
        result = alarms_alert(lab);
        lab->doing = lab->chosen >= 0 ? ALARMS_RUN : ALARMS_PATROL;
        if (lab->chosen < 0) lab->left = lab->def.every; // every alarm is blocked
    } else if (lab->doing == ALARMS_PATROL && there) {
        result = alarms_walk_round(lab);
    } else if (lab->doing == ALARMS_RUN && there) {
        lab->doing = ALARMS_RAISE;
        lab->left = 2.0f;
        lab->raised[lab->chosen]++;
    } else if (lab->doing == ALARMS_RAISE && lab->left <= 0.0f) {
        lab->left = lab->def.every;
        result = alarms_walk_round(lab);
    }
    alarms_explain(lab, context->trace);
    return result;
}

static void alarms_draw(const void *state, ploy_draw *out) {
    const alarms_lab *lab = state;
    const ploy_agent_id none = ploy_agent_id_none();
    ploy_draw_key(out, PLOY_STYLE_AGENT_A, "guard");
    ploy_draw_key(out, PLOY_STYLE_TARGET, "alarms");
    ploy_draw_key(out, PLOY_STYLE_GHOST, "cells taken by the last search for an alarm");
    ploy_tiles_draw(lab->tiles, out);
    for (int32_t i = 0; i < ALARMS_CELLS; i++) {
        if (lab->took[i] == 0) continue;
        ploy_draw_disc(out, PLOY_LAYER_PATHS, PLOY_STYLE_GHOST, none,
                       ploy_tiles_localise(lab->tiles, i), 0.2f, 0.6f);
    }
    for (int32_t i = 0; i < ALARMS_POINTS; i++) {
        ploy_vec2 at = ploy_tiles_localise(lab->tiles, alarms_points[i]);
        ploy_draw_disc(out, PLOY_LAYER_WORLD, PLOY_STYLE_TARGET, none, at, 0.45f, 1.0f);
        ploy_draw_text(out, none, ploy_vec2_make(at.x - 0.3f, at.y + 1.8f), i == 0 ? "A" : "B");
    }
    ploy_vec2 from = lab->at;
    for (int32_t i = lab->path_at; i < lab->path_count; i++) {
        ploy_vec2 to = ploy_tiles_localise(lab->tiles, lab->path[i].to);
        ploy_draw_line(out, PLOY_LAYER_PATHS, PLOY_STYLE_PATH, alarms_guard(), from, to);
        from = to;
    }
    ploy_draw_disc(out, PLOY_LAYER_AGENTS, PLOY_STYLE_AGENT_A, alarms_guard(), lab->at, 0.4f, 1.0f);
    ploy_draw_text(out, alarms_guard(), ploy_vec2_make(lab->at.x + 0.6f, lab->at.y + 0.4f),
                   alarms_doings[lab->doing]);
}

static void alarms_describe(const void *state, ploy_describe *out) {
    const alarms_lab *lab = state;
    ploy_describe_bool(out, "blocked", PLOY_STATE, lab->blocked);
    ploy_describe_i64(out, "taken", PLOY_STATE, lab->taken);
    ploy_describe_f64(out, "cost", PLOY_STATE, lab->cost);
    ploy_describe_i64(out, "alerts", PLOY_STATE, lab->alerts);
    ploy_describe_i64(out, "raised A", PLOY_STATE, lab->raised[0]);
    ploy_describe_i64(out, "raised B", PLOY_STATE, lab->raised[1]);
    ploy_describe_begin_agent(out, "guard", alarms_guard());
    ploy_describe_vec2(out, "at", PLOY_STATE, lab->at.x, lab->at.y);
    ploy_describe_text(out, "doing", PLOY_STATE, alarms_doings[lab->doing]);
    ploy_describe_i64(out, "chosen", PLOY_STATE, lab->chosen);
    ploy_describe_i64(out, "steps left", PLOY_STATE, lab->path_count - lab->path_at);
    ploy_describe_f32(out, "left", PLOY_STATE, lab->left);
    ploy_describe_end(out);
}

extern const ploy_sim_type ploy_lab_alarms; // in labs.c
const ploy_sim_type ploy_lab_alarms = {
    .name = "alarms",
    .title = "Alarm points",
    .help =
        "A guard sees an intruder and runs to one of two alarms. A search that ends at any alarm "
        "fills everything around the blocked one first; without the alarms that are known to "
        "be blocked it goes straight to the other.",
    .version = 1,
    .dt = 1.0f / 60.0f,
    .view = {-1.0f, -3.0f, 41.0f, 15.0f},
    .fields = alarms_get_fields,
    .create = alarms_create,
    .step = alarms_step,
    .draw = alarms_draw,
    .describe = alarms_describe,
};
