// The movement planning lab: what steering alone cannot do. A biped crosses a room of lava by
// animation clips, two feet cross stepping stones, a vehicle with a turning circle parks, and a
// police car overtakes through oncoming traffic.
//
// All state is in the one block moves_lab and what it owns, in the region.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "labs/lab_input.h"
#include "labs/lab_tiles.h"
#include "labs/labs.h"
#include "ploy/geom/angle.h"
#include "ploy/path/headings.h"
#include "ploy/path/lanes.h"
#include "ploy/path/motion_clips.h"

enum { MOVES_LAVA, MOVES_STONES, MOVES_HEADINGS, MOVES_POLICE };
enum { MOVES_STEPS = 96, MOVES_PATCHES = 24, MOVES_STONE_COUNT = 64, MOVES_CARS = 14 };
enum { MOVES_WIDTH = 32, MOVES_HEIGHT = 18, MOVES_CELLS = MOVES_WIDTH * MOVES_HEIGHT };
enum { MOVES_LANES = 4 };

static const char *const moves_lab_scenes[] = {"lava", "stones", "headings", "police"};

typedef struct moves_lab_def {
    uint32_t cookie;
    int32_t scene;
    int32_t slice;
    int32_t rates;
    int32_t turns;
    int32_t patches;
    int32_t headings;
    bool reverse;
    bool unsafe;
    float miss_cost;
} moves_lab_def;

static const ploy_field moves_lab_fields[] = {
    PLOY_FIELD_ENUM_FIXED(moves_lab_def, scene, MOVES_LAVA, moves_lab_scenes, "what is planned"),
    PLOY_FIELD_I32(moves_lab_def, slice, 150, 1, 100000, "", "states taken in a tick"),
    PLOY_FIELD_I32_FIXED(moves_lab_def, rates, 3, 1, 8, "", "playback rates of a clip"),
    PLOY_FIELD_I32_FIXED(moves_lab_def, turns, 3, 1, 8, "", "rotations of a clip"),
    PLOY_FIELD_I32_FIXED(moves_lab_def, patches, 14, 0, 20, "", "pools of lava"),
    PLOY_FIELD_I32_FIXED(moves_lab_def, headings, 16, 4, 16, "", "of the vehicle: 4, 8 or 16"),
    PLOY_FIELD_BOOL(moves_lab_def, reverse, true, "the vehicle has a reverse gear"),
    PLOY_FIELD_BOOL(moves_lab_def, unsafe, false, "also gaps that leave no room to brake"),
    PLOY_FIELD_F32(moves_lab_def, miss_cost, 2, 0, 30, "s", "of a near miss"),
};

static ploy_fields moves_lab_get_fields(void) {
    return PLOY_FIELDS(moves_lab_def, moves_lab_fields);
}

typedef struct moves_lab {
    moves_lab_def def;
    ploy_rng_key key;
    ploy_env env;
    int32_t trips; // goals reached
    int32_t failed;
    bool planning;
    // Clips: lava and stones.
    ploy_plain_scene *scene;
    ploy_circle pools[MOVES_PATCHES];
    int32_t pool_count;
    ploy_vec2 stones[MOVES_STONE_COUNT];
    ploy_clip clips[64];
    int32_t clip_count;
    ploy_clip_planner *planner;
    ploy_footfalls feet;
    ploy_clip_pose pose, goal;
    ploy_clip_step steps[MOVES_STEPS];
    int32_t step_count, step;
    float played; // s of the step at hand
    // Headings.
    ploy_tiles *tiles;
    ploy_tiles_walker walker;
    ploy_headings headings;
    ploy_search *search;
    ploy_edge edges[MOVES_STEPS];
    int32_t edge_count, edge, state, goal_state, waited;
    // Police.
    ploy_lanes *lanes;
    ploy_lane_car cars[MOVES_CARS], police;
    ploy_lane_piece pieces[64];
    int32_t piece_count;
    double since; // s into the plan
    double driven;
    double nearest; // m to the nearest bumper so far
} moves_lab;

// ---- clips ----

enum { MOVES_STANDING, MOVES_WALKING };

// Standing and mid-walk; only standing one turns and sidesteps.
static void moves_lab_biped(moves_lab *lab) {
    static const struct {
        const char *name;
        int32_t from, to;
        float x, y, turn, seconds;
    } rows[] = {
        {"stand to walk", MOVES_STANDING, MOVES_WALKING, 0.6f, 0, 0, 0.6f},
        {"walk", MOVES_WALKING, MOVES_WALKING, 1.2f, 0, 0, 0.8f},
        {"walk to stand", MOVES_WALKING, MOVES_STANDING, 0.6f, 0, 0, 0.6f},
        {"sidestep left", MOVES_STANDING, MOVES_STANDING, 0, 0.7f, 0, 0.7f},
        {"sidestep right", MOVES_STANDING, MOVES_STANDING, 0, -0.7f, 0, 0.7f},
        {"turn left", MOVES_STANDING, MOVES_STANDING, 0, 0, 0.785f, 0.5f},
        {"turn right", MOVES_STANDING, MOVES_STANDING, 0, 0, -0.785f, 0.5f},
    };
    lab->clip_count = (int32_t)(sizeof rows / sizeof rows[0]);
    for (int32_t i = 0; i < lab->clip_count; i++) {
        ploy_clip clip =
            ploy_clip_make(ploy_name_of(rows[i].name), ploy_vec2_make(rows[i].x, rows[i].y),
                           rows[i].turn, rows[i].seconds);
        clip.from_posture = rows[i].from;
        clip.to_posture = rows[i].to;
        clip.rate_min = 0.75f;
        clip.radius = 0.35f;
        if (rows[i].from == MOVES_WALKING && rows[i].to == MOVES_WALKING) { // it bends a little
            clip.turn_min = -0.4f;
            clip.turn_max = 0.4f;
            clip.scale_min = 0.8f;
        }
        lab->clips[i] = clip;
    }
}

static bool moves_lab_on_stone(void *user, ploy_vec2 place) {
    const moves_lab *lab = user;
    for (int32_t i = 0; i < MOVES_STONE_COUNT; i++) {
        if (ploy_vec2_distance_sq(lab->stones[i], place) < 0.45f * 0.45f) return true;
    }
    return false;
}

static bool moves_lab_foot_lands(void *user, const ploy_clip *clip, ploy_clip_pose from,
                                 ploy_clip_pose to) {
    const moves_lab *lab = user;
    (void)clip, (void)from;
    return moves_lab_on_stone(user, ploy_footfalls_place(&lab->feet, to));
}

static ploy_result moves_lab_make_clips(moves_lab *lab) {
    ploy_clip_planner_def def = ploy_clip_planner_def_default();
    ploy_plain_scene_def scene_def = ploy_plain_scene_def_default();
    ploy_rng rng = ploy_rng_from_key(lab->key, 1);
    bool lava = lab->def.scene == MOVES_LAVA;
    def.rates = lab->def.rates;
    def.turns = lab->def.turns;
    def.lattice = 0.25f;
    def.headings = 16;
    def.goal_radius = lava ? 0.5f : 0.8f;
    def.max_states = 40000;
    ploy_result result = ploy_plain_scene_create(&scene_def, &lab->env, &lab->scene);
    if (result != PLOY_OK) return result;
    lab->pose = ploy_clip_pose_make(ploy_vec2_make(0.7f, 4.5f), 0);
    lab->goal = ploy_clip_pose_make(ploy_vec2_make(15.3f, 4.5f), 0);
    if (lava) {
        moves_lab_biped(lab);
        for (int32_t i = 0; i < lab->def.patches && result == PLOY_OK; i++) {
            ploy_circle *pool = &lab->pools[lab->pool_count++];
            float x = ploy_rng_range(&rng, 2, 14); // before y: arguments have no order
            pool->centre = ploy_vec2_make(x, ploy_rng_range(&rng, 1, 8));
            pool->radius = ploy_rng_range(&rng, 0.3f, 0.9f);
            result = ploy_plain_scene_add_circle(lab->scene, pool->centre, pool->radius, 1, NULL);
        }
        static const ploy_vec2 walls[4] = {{0, 0}, {16, 0}, {16, 9}, {0, 9}};
        if (result == PLOY_OK) {
            result = ploy_plain_scene_add_outline(lab->scene, walls, 4, true, 0, 1, NULL);
        }
    } else {
        lab->feet = ploy_footfalls_default();
        lab->feet.turn_max = 0.7f;
        lab->clip_count = ploy_footfalls_clips(&lab->feet, lab->clips, 64);
        for (int32_t i = 0; i < MOVES_STONE_COUNT; i++) { // a winding row with gaps
            float x = 0.9f + 0.49f * (float)i;
            float sine, cosine;
            ploy_sincosf(x * 0.35f, &sine, &cosine);
            lab->stones[i] =
                ploy_vec2_make(x, 9.0f + 4.0f * sine + ploy_rng_range(&rng, -0.2f, 0.2f));
        }
        lab->pose = ploy_clip_pose_make(lab->stones[0], 0.9f);
        lab->pose.position.y -= 0.15f;
        lab->goal = ploy_clip_pose_make(lab->stones[MOVES_STONE_COUNT - 2], 0);
    }
    ploy_scene scene = ploy_plain_scene_interface(lab->scene);
    if (result == PLOY_OK) {
        result = ploy_clip_planner_create(&def, lab->clips, lab->clip_count, lava ? &scene : NULL,
                                          lava ? NULL : moves_lab_foot_lands, lab, &lab->env,
                                          &lab->planner);
    }
    return result;
}

static ploy_agent_id moves_lab_id(void) {
    return ploy_agent_id_make(1, 1);
}

static ploy_result moves_lab_ask_clips(moves_lab *lab) {
    lab->planning = true;
    lab->step_count = lab->step = 0;
    lab->played = 0.0f;
    return ploy_clip_planner_begin(lab->planner, lab->pose, lab->goal, -1);
}

// Back to where it came from.
static ploy_result moves_lab_turn_round(moves_lab *lab) {
    float x = lab->goal.position.x > 8.0f ? 0.7f : 15.3f;
    ploy_clip_pose to = ploy_clip_pose_make(ploy_vec2_make(x, 4.5f), 0);
    if (lab->def.scene == MOVES_STONES) {
        bool back = lab->goal.position.x > 16;
        to = ploy_clip_pose_make(lab->stones[back ? 1 : MOVES_STONE_COUNT - 2], 0);
        lab->pose.orientation = ploy_angle_wrap(lab->pose.orientation + PLOY_PI_F); // about turn
        lab->pose.posture = 1 - lab->pose.posture;
    }
    lab->goal = to;
    return moves_lab_ask_clips(lab);
}

static ploy_result moves_lab_step_clips(moves_lab *lab, float dt) {
    if (lab->planning) {
        ploy_budget budget = ploy_budget_units(lab->def.slice);
        ploy_result result = ploy_clip_planner_step(lab->planner, &budget);
        if (result != PLOY_OK) return result == PLOY_IN_PROGRESS ? PLOY_OK : result;
        lab->planning = false;
        int32_t count = ploy_clip_planner_plan(lab->planner, lab->steps, MOVES_STEPS, NULL);
        lab->step_count = count < 0 ? 0 : ploy_mini(count, MOVES_STEPS);
        lab->failed += count < 0;
    }
    if (lab->step >= lab->step_count) {
        lab->trips += lab->step_count > 0;
        return moves_lab_turn_round(lab);
    }
    lab->played += dt;
    if (lab->played < lab->steps[lab->step].seconds) return PLOY_OK;
    lab->played -= lab->steps[lab->step].seconds;
    lab->pose = lab->steps[lab->step++].to; // to the bit where the plan said
    return PLOY_OK;
}

// ---- headings ----

static ploy_result moves_lab_ask_drive(moves_lab *lab) {
    ploy_space space = ploy_headings_space(&lab->headings);
    ploy_search_start start = {lab->state, 0.0};
    ploy_search_query query = ploy_search_query_make(&space, &start, lab->goal_state);
    lab->planning = true;
    lab->edge_count = lab->edge = 0;
    return ploy_search_begin(lab->search, &query);
}

static void moves_lab_choose(moves_lab *lab) {
    uint32_t draw = ploy_rng_u32_at(lab->key, 2, (uint64_t)(lab->trips + lab->failed), 0);
    int32_t cell =
        lab_tiles_somewhere(lab->tiles, draw, ploy_headings_cell(&lab->headings, lab->state));
    lab->goal_state = ploy_headings_state(&lab->headings, cell,
                                          (int32_t)(draw % (uint32_t)lab->headings.def.headings));
}

static ploy_result moves_lab_make_drive(moves_lab *lab) {
    uint8_t kinds[MOVES_CELLS];
    ploy_rng rng = ploy_rng_from_key(lab->key, 3);
    ploy_headings_def def = ploy_headings_def_default();
    ploy_search_def search_def = ploy_search_def_default();
    ploy_result result = lab_tiles_make(MOVES_WIDTH, MOVES_HEIGHT, &lab->env, &lab->tiles);
    if (result != PLOY_OK) return result;
    lab_tiles_strokes(kinds, MOVES_WIDTH, MOVES_HEIGHT, 0.1f, &rng);
    for (int32_t i = 0; i < MOVES_CELLS; i++) { // a yard to turn in
        int32_t x = i % MOVES_WIDTH - 14, y = i / MOVES_WIDTH - 6;
        if (x >= 0 && x < 6 && y >= 0 && y < 6) kinds[i] = PLOY_TILE_OPEN;
    }
    ploy_tiles_set_all(lab->tiles, kinds);
    lab->walker = ploy_tiles_walker_make(lab->tiles, NULL);
    def.headings = lab->def.headings >= 16 ? 16 : lab->def.headings >= 8 ? 8 : 4;
    def.turn_cost = 0.1;
    def.reverse = lab->def.reverse;
    result = ploy_headings_make(&def, &lab->walker, &lab->env, &lab->headings);
    if (result == PLOY_OK) result = ploy_search_create(&search_def, &lab->env, &lab->search);
    lab->state = ploy_headings_state(&lab->headings, 8 * MOVES_WIDTH + 16, 0);
    if (result != PLOY_OK) return result;
    moves_lab_choose(lab);
    return moves_lab_ask_drive(lab);
}

static ploy_result moves_lab_step_drive(moves_lab *lab) {
    if (lab->planning) {
        ploy_budget budget = ploy_budget_units(lab->def.slice);
        ploy_result result = ploy_search_step(lab->search, &budget);
        if (result != PLOY_OK) return result == PLOY_IN_PROGRESS ? PLOY_OK : result;
        lab->planning = false;
        int32_t count =
            ploy_search_path(lab->search, lab->goal_state, lab->edges, MOVES_STEPS, NULL);
        lab->edge_count = count < 0 ? 0 : ploy_mini(count, MOVES_STEPS);
        lab->failed += count < 0;
        return PLOY_OK;
    }
    if (++lab->waited < 8) return PLOY_OK;
    lab->waited = 0;
    if (lab->edge < lab->edge_count) {
        lab->state = lab->edges[lab->edge++].to;
        return PLOY_OK;
    }
    lab->trips += lab->edge_count > 0;
    moves_lab_choose(lab);
    return moves_lab_ask_drive(lab);
}

// ---- police ----

// Two lanes in each direction; a car that falls behind comes again ahead.
static void moves_lab_traffic(moves_lab *lab, float dt) {
    for (int32_t i = 0; i < MOVES_CARS; i++) {
        lab->cars[i].position += lab->cars[i].speed * (double)dt;
        // Rings of 240 m: the order in a lane stays, so none overtakes another.
        while (lab->cars[i].position < lab->police.position - 60.0) lab->cars[i].position += 240.0;
        while (lab->cars[i].position > lab->police.position + 180.0) lab->cars[i].position -= 240.0;
    }
}

static ploy_result moves_lab_ask_lanes(moves_lab *lab) {
    lab->planning = true;
    lab->piece_count = 0;
    lab->since = 0.0;
    return ploy_lanes_begin(lab->lanes, lab->cars, MOVES_CARS, &lab->police,
                            lab->police.position + 100.0);
}

static ploy_result moves_lab_make_lanes(moves_lab *lab) {
    ploy_lanes_def def = ploy_lanes_def_default();
    ploy_rng rng = ploy_rng_from_key(lab->key, 4);
    def.lanes = MOVES_LANES;
    def.unsafe = lab->def.unsafe;
    def.miss_cost = (double)lab->def.miss_cost;
    def.horizon = 30.0;
    def.max_states = 3000;
    lab->police.speed = 15.0;
    lab->police.lane = 1;
    lab->nearest = 1e3;
    static const double speeds[MOVES_LANES] = {6, 9, -9, -7};
    for (int32_t i = 0; i < MOVES_CARS; i++) {
        int32_t lane = i % MOVES_LANES, place = i / MOVES_LANES;
        lab->cars[i].lane = lane;
        lab->cars[i].speed = speeds[lane];
        lab->cars[i].position =
            25.0 + 58.0 * place + 13.0 * lane + (double)ploy_rng_range(&rng, 0, 25);
    }
    ploy_result result = ploy_lanes_create(&def, &lab->env, &lab->lanes);
    return result == PLOY_OK ? moves_lab_ask_lanes(lab) : result;
}

// Where the plan has it after a time; false behind its end.
static bool moves_lab_planned(const moves_lab *lab, double seconds, ploy_lane_car *out,
                              double *lane) {
    for (int32_t i = 0; i < lab->piece_count; i++) {
        const ploy_lane_piece *piece = &lab->pieces[i];
        if (seconds >= piece->end) continue;
        double into = seconds - piece->begin;
        double share = into / (piece->end - piece->begin);
        out->position = piece->position + ploy_lane_profile_at(&piece->profile, into, &out->speed);
        out->lane = piece->to_lane;
        *lane = piece->from_lane + (piece->to_lane - piece->from_lane) * share;
        return true;
    }
    return false;
}

static ploy_result moves_lab_step_lanes(moves_lab *lab, float dt) {
    if (lab->planning) { // the world stands still while it thinks: a plan is for now
        ploy_budget budget = ploy_budget_units(lab->def.slice);
        ploy_result result = ploy_lanes_step(lab->lanes, &budget);
        if (result != PLOY_OK) return result == PLOY_IN_PROGRESS ? PLOY_OK : result;
        lab->planning = false;
        int32_t count = ploy_lanes_plan(lab->lanes, lab->pieces, 64, NULL);
        lab->piece_count = count < 0 ? 0 : ploy_mini(count, 64);
        lab->failed += count < 0;
        if (count < 0) lab->police.speed *= 0.9; // no passage: slow down and look again
        return count < 0 ? moves_lab_ask_lanes(lab) : PLOY_OK;
    }
    double lane = 0.0, before = lab->police.position;
    lab->since += (double)dt;
    bool driving = moves_lab_planned(lab, lab->since, &lab->police, &lane);
    if (!driving) {
        const ploy_lane_piece *last = &lab->pieces[lab->piece_count - 1];
        double end = last->end - last->begin;
        lab->police.position =
            last->position + ploy_lane_profile_at(&last->profile, end, &lab->police.speed);
        lab->police.lane = last->to_lane;
        lab->since = last->end;
    }
    lab->driven += lab->police.position - before;
    moves_lab_traffic(lab, dt);
    for (int32_t i = 0; i < MOVES_CARS; i++) {
        if (lab->cars[i].lane != lab->police.lane) continue;
        double gap = fabs(lab->cars[i].position - lab->police.position) - 6.0;
        lab->nearest = gap < lab->nearest ? gap : lab->nearest;
    }
    // Again every two seconds, but not while it changes lanes.
    bool settled = lane == floor(lane);
    if (driving && (lab->since < 2.0 || !settled)) return PLOY_OK;
    lab->trips++;
    return moves_lab_ask_lanes(lab);
}

// ---- the lab ----

static ploy_result moves_lab_create(const void *params, ploy_rng_key key, const ploy_env *env,
                                    void **out) {
    moves_lab *lab = ploy_env_alloc_zero(env, sizeof *lab);
    if (lab == NULL) return PLOY_ERR_MEMORY; // the region goes, and all that is in it
    memcpy(&lab->def, params, sizeof lab->def);
    lab->key = ploy_rng_key_split(key, 1);
    lab->env = *env;
    ploy_result result = PLOY_OK;
    if (lab->def.scene == MOVES_HEADINGS) {
        result = moves_lab_make_drive(lab);
    } else if (lab->def.scene == MOVES_POLICE) {
        result = moves_lab_make_lanes(lab);
    } else {
        result = moves_lab_make_clips(lab);
        if (result == PLOY_OK) result = moves_lab_ask_clips(lab);
    }
    if (result == PLOY_OK) *out = lab;
    return result;
}

// A click pours lava, builds a wall, or puts a stone.
static ploy_result moves_lab_click(moves_lab *lab, ploy_vec2 at) {
    if (lab->def.scene == MOVES_LAVA && lab->pool_count < MOVES_PATCHES) {
        ploy_circle pool = {ploy_vec2_scale(at, 0.5f), 0.4f};
        lab->pools[lab->pool_count++] = pool;
        ploy_result result =
            ploy_plain_scene_add_circle(lab->scene, pool.centre, pool.radius, 1, NULL);
        return result == PLOY_OK ? moves_lab_ask_clips(lab) : result;
    }
    if (lab->def.scene == MOVES_STONES) {
        lab->stones[(lab->trips + lab->failed) % MOVES_STONE_COUNT] = at;
        return moves_lab_ask_clips(lab);
    }
    if (lab->def.scene == MOVES_HEADINGS) {
        int32_t cell = ploy_tiles_quantise(lab->tiles, at);
        if (cell < 0 || cell == ploy_headings_cell(&lab->headings, lab->state)) return PLOY_OK;
        bool open = ploy_tiles_passable(lab->tiles, cell);
        (void)ploy_tiles_set(lab->tiles, cell, open ? PLOY_TILE_BLOCKED : PLOY_TILE_OPEN);
        return moves_lab_ask_drive(lab);
    }
    return PLOY_OK;
}

// Plan, carry the plan out, or ask for another one.
static void moves_lab_explain(const moves_lab *lab, ploy_trace *trace) {
    int32_t done = lab->def.scene == MOVES_HEADINGS ? lab->edge : lab->step;
    int32_t count = lab->def.scene == MOVES_HEADINGS ? lab->edge_count
                    : lab->def.scene == MOVES_POLICE ? lab->piece_count
                                                     : lab->step_count;
    bool plan = lab->planning, go = !plan && done < count;
    ploy_trace_begin(trace, moves_lab_id(), "move", "search of movements");
    ploy_trace_option(trace, "wait for the plan", plan ? PLOY_OUTCOME_WON : PLOY_OUTCOME_REJECTED,
                      (double)NAN, plan ? "the search is not done" : "the search is done");
    ploy_trace_option(trace, "carry it out", go ? PLOY_OUTCOME_WON : PLOY_OUTCOME_REJECTED,
                      (double)NAN,
                      go     ? "movements of the plan are left"
                      : plan ? "there is no plan yet"
                             : "no movement is left");
    ploy_trace_option(trace, "ask for another plan",
                      plan || go ? PLOY_OUTCOME_REJECTED : PLOY_OUTCOME_WON, (double)NAN,
                      plan || go ? "this one comes first" : "the last one is done, or failed");
    ploy_trace_i64(trace, "movements done", done);
    ploy_trace_i64(trace, "movements planned", count);
    ploy_trace_end(trace);
}

static ploy_result moves_lab_step(void *state, const ploy_sim_context *context) {
    moves_lab *lab = state;
    memcpy(&lab->def, context->params, sizeof lab->def);
    moves_lab_explain(lab, context->trace);
    for (int32_t i = 0; i < context->input_count; i++) {
        if (!lab_input_is(&context->inputs[i], "click")) continue;
        ploy_result result = moves_lab_click(lab, lab_input_point(&context->inputs[i]));
        if (result != PLOY_OK) return result;
    }
    if (lab->def.scene == MOVES_HEADINGS) return moves_lab_step_drive(lab);
    if (lab->def.scene == MOVES_POLICE) return moves_lab_step_lanes(lab, context->dt);
    return moves_lab_step_clips(lab, context->dt);
}

// ---- sight ----

// The room of lava is 16 m wide and drawn twice as large.
static float moves_lab_zoom(const moves_lab *lab) {
    return lab->def.scene == MOVES_LAVA ? 2.0f : 1.0f;
}

static void moves_lab_draw_pose(ploy_draw *out, ploy_style style, ploy_vec2 at, float orientation) {
    ploy_agent_id nobody = ploy_agent_id_none();
    ploy_vec2 nose = ploy_vec2_add_scaled(at, ploy_angle_heading(orientation), 1.0f);
    ploy_draw_circle(out, PLOY_LAYER_PATHS, style, nobody, at, 0.7f);
    ploy_draw_line(out, PLOY_LAYER_PATHS, style, nobody, at, nose);
}

static void moves_lab_draw_clips(const moves_lab *lab, ploy_draw *out) {
    ploy_agent_id nobody = ploy_agent_id_none();
    bool lava = lab->def.scene == MOVES_LAVA;
    ploy_draw_key(out, PLOY_STYLE_AGENT_A, lava ? "walker" : "walker and its left foot");
    ploy_draw_key(out, PLOY_STYLE_AGENT_B, "right foot");
    ploy_draw_key(out, PLOY_STYLE_BAD, "lava");
    ploy_draw_key(out, PLOY_STYLE_GHOST, "stones");
    ploy_draw_key(out, PLOY_STYLE_WARNING, "clips done standing");
    float zoom = moves_lab_zoom(lab);
    for (int32_t i = 0; i < lab->pool_count; i++) {
        ploy_draw_disc(out, PLOY_LAYER_WORLD, PLOY_STYLE_BAD, nobody,
                       ploy_vec2_scale(lab->pools[i].centre, zoom), lab->pools[i].radius * zoom,
                       0.8f);
    }
    for (int32_t i = 0; i < MOVES_STONE_COUNT && !lava; i++) {
        ploy_draw_disc(out, PLOY_LAYER_WORLD, PLOY_STYLE_GHOST, nobody, lab->stones[i], 0.45f,
                       1.0f);
    }
    ploy_draw_circle(out, PLOY_LAYER_WORLD, PLOY_STYLE_TARGET, nobody,
                     ploy_vec2_scale(lab->goal.position, zoom), 1.0f);
    ploy_vec2 before = ploy_vec2_scale(lab->pose.position, zoom);
    for (int32_t i = lab->step; i < lab->step_count; i++) {
        const ploy_clip_step *step = &lab->steps[i];
        ploy_vec2 at = ploy_vec2_scale(step->to.position, zoom);
        if (lava) { // what is done standing in another colour
            bool walks = lab->clips[step->clip].from_posture == MOVES_WALKING;
            ploy_style style = walks ? PLOY_STYLE_PATH : PLOY_STYLE_WARNING;
            moves_lab_draw_pose(out, style, at, step->to.orientation);
            ploy_draw_line(out, PLOY_LAYER_PATHS, style, nobody, before, at);
        } else {
            bool left = step->to.posture == PLOY_FOOT_LEFT;
            ploy_draw_disc(out, PLOY_LAYER_PATHS, left ? PLOY_STYLE_AGENT_A : PLOY_STYLE_AGENT_B,
                           nobody, ploy_footfalls_place(&lab->feet, step->to), 0.16f, 1.0f);
        }
        before = at;
    }
    ploy_clip_pose shown = lab->pose;
    if (lab->step < lab->step_count) {
        float share = lab->played / lab->steps[lab->step].seconds;
        shown.position =
            ploy_vec2_lerp(lab->pose.position, lab->steps[lab->step].to.position, share);
    }
    ploy_draw_agent(out, PLOY_STYLE_AGENT_A, moves_lab_id(), ploy_vec2_scale(shown.position, zoom),
                    shown.orientation, 0.35f * zoom);
}

static void moves_lab_draw_drive(const moves_lab *lab, ploy_draw *out) {
    ploy_agent_id nobody = ploy_agent_id_none();
    ploy_draw_key(out, PLOY_STYLE_AGENT_A, "car");
    ploy_draw_key(out, PLOY_STYLE_TARGET, "where and how it must arrive");
    ploy_draw_key(out, PLOY_STYLE_WARNING, "reverse");
    ploy_tiles_draw(lab->tiles, out);
    int32_t before = lab->state;
    for (int32_t i = lab->edge; i < lab->edge_count; i++) {
        int32_t to = lab->edges[i].to;
        bool back = PLOY_HEADINGS_MOVE(lab->edges[i].label) == 2;
        ploy_draw_arrow(out, PLOY_LAYER_PATHS, back ? PLOY_STYLE_WARNING : PLOY_STYLE_PATH, nobody,
                        ploy_tiles_localise(lab->tiles, ploy_headings_cell(&lab->headings, before)),
                        ploy_tiles_localise(lab->tiles, ploy_headings_cell(&lab->headings, to)));
        before = to;
    }
    const int32_t states[2] = {lab->goal_state, lab->state};
    for (int32_t i = 0; i < 2; i++) {
        int32_t heading = ploy_headings_heading(&lab->headings, states[i]);
        ploy_draw_agent(
            out, i == 0 ? PLOY_STYLE_TARGET : PLOY_STYLE_AGENT_A, i == 0 ? nobody : moves_lab_id(),
            ploy_tiles_localise(lab->tiles, ploy_headings_cell(&lab->headings, states[i])),
            ploy_headings_orientation(&lab->headings, heading), 0.6f);
    }
}

// The road from 25 m behind the car to 155 m ahead of it, 32 m wide in the picture.
static ploy_vec2 moves_lab_road(const moves_lab *lab, double position, double lane) {
    return ploy_vec2_make((float)((position - lab->police.position + 25.0) * 32.0 / 180.0),
                          (float)(5.0 + 2.5 * lane));
}

static void moves_lab_draw_car(ploy_draw *out, ploy_style style, ploy_vec2 at) {
    ploy_vec2 body[4] = {{at.x - 0.45f, at.y - 0.5f},
                         {at.x + 0.45f, at.y - 0.5f},
                         {at.x + 0.45f, at.y + 0.5f},
                         {at.x - 0.45f, at.y + 0.5f}};
    ploy_draw_polygon(out, PLOY_LAYER_AGENTS, style, ploy_agent_id_none(), body, 4, 1.0f);
}

static void moves_lab_draw_lanes(const moves_lab *lab, ploy_draw *out) {
    ploy_agent_id nobody = ploy_agent_id_none();
    ploy_draw_key(out, PLOY_STYLE_AGENT_A, "police car");
    ploy_draw_key(out, PLOY_STYLE_AGENT_B, "oncoming car");
    ploy_draw_key(out, PLOY_STYLE_AGENT_C, "car in the same direction");
    ploy_draw_key(out, PLOY_STYLE_PATH, "plan, a mark for each second");
    for (int32_t i = 0; i <= MOVES_LANES; i++) {
        float y = 3.75f + 2.5f * (float)i;
        ploy_draw_line(out, PLOY_LAYER_WORLD, i % 2 == 0 ? PLOY_STYLE_WALL : PLOY_STYLE_GHOST,
                       nobody, ploy_vec2_make(0, y), ploy_vec2_make(32, y));
    }
    for (int32_t i = 0; i < MOVES_CARS; i++) {
        ploy_vec2 at = moves_lab_road(lab, lab->cars[i].position, lab->cars[i].lane);
        if (at.x < 0.5f || at.x > 31.5f) continue;
        moves_lab_draw_car(out, lab->cars[i].speed < 0 ? PLOY_STYLE_AGENT_B : PLOY_STYLE_AGENT_C,
                           at);
        ploy_vec2 after =
            moves_lab_road(lab, lab->cars[i].position + lab->cars[i].speed, lab->cars[i].lane);
        ploy_draw_arrow(out, PLOY_LAYER_PATHS, PLOY_STYLE_VELOCITY, nobody, at, after);
    }
    double lane = lab->police.lane;
    ploy_lane_car at = lab->police;
    if (!lab->planning) (void)moves_lab_planned(lab, lab->since, &at, &lane);
    ploy_vec2 here = moves_lab_road(lab, lab->police.position, lane);
    moves_lab_draw_car(out, PLOY_STYLE_AGENT_A, here);
    for (double ahead = 0.25; ahead < 20.0 && !lab->planning; ahead += 0.25) { // the plan
        ploy_lane_car then = lab->police;
        double side = 0.0;
        if (!moves_lab_planned(lab, lab->since + ahead, &then, &side)) break;
        ploy_vec2 next = moves_lab_road(lab, then.position, side);
        ploy_draw_line(out, PLOY_LAYER_PATHS, PLOY_STYLE_PATH, nobody, here, next);
        // A mark for each second.
        if (ahead == floor(ahead)) {
            ploy_draw_disc(out, PLOY_LAYER_PATHS, PLOY_STYLE_PATH, nobody, next, 0.2f, 1.0f);
        }
        here = next;
    }
}

static void moves_lab_draw(const void *state, ploy_draw *out) {
    const moves_lab *lab = state;
    char text[96];
    if (lab->def.scene == MOVES_HEADINGS) {
        moves_lab_draw_drive(lab, out);
        snprintf(text, sizeof text, "%d headings, %d moves left, %d trips, %d without a plan",
                 (int)lab->headings.def.headings, (int)(lab->edge_count - lab->edge),
                 (int)lab->trips, (int)lab->failed);
    } else if (lab->def.scene == MOVES_POLICE) {
        moves_lab_draw_lanes(lab, out);
        snprintf(text, sizeof text, "%d m driven at %d km/h, nearest bumper %d.%d m",
                 (int)lab->driven, (int)(lab->police.speed * 3.6), (int)lab->nearest,
                 (int)(lab->nearest * 10.0) % 10);
    } else {
        moves_lab_draw_clips(lab, out);
        snprintf(text, sizeof text, "%d clips left, %d trips, %d without a plan",
                 (int)(lab->step_count - lab->step), (int)lab->trips, (int)lab->failed);
    }
    ploy_draw_text(out, ploy_agent_id_none(), ploy_vec2_make(0.5f, 18.6f), text);
}

static void moves_lab_describe(const void *state, ploy_describe *out) {
    const moves_lab *lab = state;
    ploy_describe_text(out, "scene", PLOY_DERIVED, moves_lab_scenes[lab->def.scene]);
    ploy_describe_i64(out, "trips", PLOY_STATE, lab->trips);
    ploy_describe_i64(out, "without a plan", PLOY_STATE, lab->failed);
    ploy_describe_bool(out, "planning", PLOY_STATE, lab->planning);
    if (lab->def.scene == MOVES_HEADINGS) {
        ploy_describe_i64(out, "state", PLOY_STATE, lab->state);
        ploy_describe_i64(out, "goal", PLOY_STATE, lab->goal_state);
        ploy_describe_i64(out, "moves left", PLOY_STATE, lab->edge_count - lab->edge);
        ploy_describe_i64(out, "waited", PLOY_STATE, lab->waited);
        ploy_describe_begin(out, "search");
        ploy_search_describe(lab->search, out);
        ploy_describe_end(out);
    } else if (lab->def.scene == MOVES_POLICE) {
        ploy_describe_f64(out, "position", PLOY_STATE, lab->police.position);
        ploy_describe_f64(out, "speed", PLOY_STATE, lab->police.speed);
        ploy_describe_i64(out, "lane", PLOY_STATE, lab->police.lane);
        ploy_describe_f64(out, "into the plan", PLOY_STATE, lab->since);
        ploy_describe_f64(out, "nearest bumper", PLOY_STATE, lab->nearest);
        for (int32_t i = 0; i < MOVES_CARS; i++) {
            ploy_describe_f64(out, "car", PLOY_STATE, lab->cars[i].position);
        }
    } else {
        ploy_describe_vec2(out, "position", PLOY_STATE, lab->pose.position.x, lab->pose.position.y);
        ploy_describe_f64(out, "orientation", PLOY_STATE, (double)lab->pose.orientation);
        ploy_describe_i64(out, "posture", PLOY_STATE, lab->pose.posture);
        ploy_describe_i64(out, "clips left", PLOY_STATE, lab->step_count - lab->step);
        ploy_describe_f64(out, "played", PLOY_STATE, (double)lab->played);
        ploy_describe_i64(out, "pools", PLOY_STATE, lab->pool_count);
        ploy_describe_vec2(out, "goal", PLOY_STATE, lab->goal.position.x, lab->goal.position.y);
        bool known = lab->step < lab->step_count;
        ploy_describe_i64(out, "clip", PLOY_DERIVED, known ? lab->steps[lab->step].clip : -1);
    }
}

static const ploy_command moves_lab_commands[] = {
    {"click", "pour lava, put a stone, build a wall", PLOY_VALUE_VEC2, false, "Pointer"},
};

extern const ploy_sim_type ploy_lab_movement_planning; // in labs.c
const ploy_sim_type ploy_lab_movement_planning = {
    .name = "movement_planning",
    .title = "Movement planning",
    .help = "Plans that steering cannot make: clips through a room of lava, feet on stepping "
            "stones, a vehicle with a turning circle, a police car through oncoming traffic. "
            "Choose the scene; click to change it.",
    .version = 1,
    .capabilities = PLOY_SIM_INTERACTIVE,
    .dt = 1.0f / 60.0f,
    .view = {-0.5f, -0.5f, 32.5f, 20.0f},
    .fields = moves_lab_get_fields,
    .commands = moves_lab_commands,
    .command_count = sizeof moves_lab_commands / sizeof moves_lab_commands[0],
    .create = moves_lab_create,
    .destroy = NULL, // the region goes with the simulation
    .step = moves_lab_step,
    .draw = moves_lab_draw,
    .describe = moves_lab_describe,
};
