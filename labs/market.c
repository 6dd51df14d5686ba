// The lab of level of detail: a market of many blocks, thought about as well as the camera deserves.
//
// Near the camera each person has a plan of stalls to visit and walks around the others; farther away
// a block moves its people in straight lines to random stalls and through each other; far away there
// are no people, only their number and distributions. Each block is a selector under an engine, its
// turns become rarer as it matters less, and what is carried over a change keeps each person's target:
// no person turns in mid-stride. With the parameter `carry` off one sees what happens without.
//
// All state is in market_lab, the engine and the selectors; the states of the levels are in those.
#include <string.h>

#include "labs/lab_input.h"
#include "labs/labs.h"
#include "ploy/base/math.h"
#include "ploy/exec/distribution.h"
#include "ploy/exec/engine.h"
#include "ploy/exec/importance.h"
#include "ploy/exec/lod.h"
#include "ploy/exec/lod_schedule.h"
#include "ploy/geom/angle.h"

enum {
    MARKET_COLUMNS = 5,
    MARKET_ROWS = 3,
    MARKET_BLOCKS = MARKET_COLUMNS * MARKET_ROWS,
    MARKET_PEOPLE_MAX = 24, // in a block
    MARKET_STALLS = 6,      // in a block
    MARKET_PLAN = 3,        // stalls that one plans ahead
    MARKET_FIRST_PERSON = 100
};

enum { MARKET_FIGURES, MARKET_WALKERS, MARKET_CROWD, MARKET_LEVELS };

static const float market_block = 24.0f;   // m, side of a block
static const float market_radius = 0.4f;   // m, of a body
static const float market_reach = 1.6f;    // m, from a stall to its customers
static const float market_near = 0.35f;    // importance from which on there are people at all
static const float market_nearest = 0.65f; // importance from which on they have plans
static const float market_overlap = 0.05f; // of the levels' ranges, in each direction

typedef struct market_lab_def {
    uint32_t cookie;
    int32_t people;
    bool tour;
    bool carry;
    float camera_speed;
    float screen;
    float walk_speed;
    ploy_importance_def importance;
} market_lab_def;

static const ploy_field market_lab_fields[] = {
    PLOY_FIELD_I32_FIXED(market_lab_def, people, 14, 0, MARKET_PEOPLE_MAX, "",
                         "people in each block"),
    PLOY_FIELD_BOOL(market_lab_def, tour, true, "the camera goes around by itself"),
    PLOY_FIELD_BOOL(market_lab_def, carry, true, "targets are carried over a change of level"),
    PLOY_FIELD_F32(market_lab_def, camera_speed, 12, 0, 1000, "m/s", "how fast the camera moves"),
    PLOY_FIELD_F32(market_lab_def, screen, 24, 0, 1000, "m", "what the camera sees around it"),
    PLOY_FIELD_F32(market_lab_def, walk_speed, 1.5, 0, 100, "m/s", "how fast people walk"),
    PLOY_FIELD_DEF(market_lab_def, importance, ploy_importance_fields, "what makes a block matter"),
};

static ploy_fields market_lab_get_fields(void) {
    return PLOY_FIELDS(market_lab_def, market_lab_fields);
}

typedef struct market_body {
    ploy_vec2 at;
    float heading; // rad
    float wait;    // s still to spend at the stall
    int32_t stall; // where it goes, or is
} market_body;

// The states of the levels, one at a time in the block that a selector keeps for them; of a crowd
// the plan begins behind the stall that is headed for.
typedef struct market_crowd {
    int32_t count;
    market_body bodies[MARKET_PEOPLE_MAX];
    int32_t plans[MARKET_PEOPLE_MAX][MARKET_PLAN];
} market_crowd;

typedef struct market_figures {
    int32_t count;
    ploy_distribution x, y, stall;
} market_figures;

// What is carried over: bodies, or figures.
typedef struct market_handover {
    int32_t count;
    int32_t has_bodies;
    market_body bodies[MARKET_PEOPLE_MAX];
    ploy_distribution x, y, stall;
} market_handover;

typedef struct market_lab {
    market_lab_def def; // as of the last step: drawing needs it
    ploy_vec2 camera, camera_goal;
    float phase; // rad, of the tour
    ploy_lod *lod;
    ploy_engine *engine;
    ploy_lod_selector *selectors[MARKET_BLOCKS];
    ploy_engine_id ids[MARKET_BLOCKS];
    ploy_importance importances[MARKET_BLOCKS];
    ploy_lod_schedule schedules[MARKET_BLOCKS];
    ploy_vec2 stalls[MARKET_BLOCKS][MARKET_STALLS];
    int64_t units;  // of the last tick
    int64_t turned; // in mid-stride by a change of level
    ploy_rng_key key;
} market_lab;

static ploy_agent_id market_block_id(int32_t block) {
    return ploy_agent_id_make((uint32_t)block + 1, 1);
}

static int32_t market_block_of(ploy_agent_id agent) {
    return (int32_t)agent.id.index - 1;
}

static uint32_t market_person(int32_t block, int32_t i) {
    return (uint32_t)(MARKET_FIRST_PERSON + block * MARKET_PEOPLE_MAX + i);
}

static ploy_vec2 market_centre(int32_t block) {
    return ploy_vec2_make(
        ((float)(block % MARKET_COLUMNS) - 0.5f * (float)(MARKET_COLUMNS - 1)) * market_block,
        ((float)(block / MARKET_COLUMNS) - 0.5f * (float)(MARKET_ROWS - 1)) * market_block);
}

static int32_t market_pick(ploy_rng_key key, uint32_t person, uint64_t tick, uint32_t draw) {
    return ploy_rng_int_at(key, person, tick, draw, 0, MARKET_STALLS - 1);
}

// ---- the levels: their steps

// Where a customer is: around the stall, each at its own angle, so that they need not fight.
static ploy_vec2 market_place(const market_lab *lab, int32_t block, int32_t i, int32_t stall) {
    float angle = PLOY_TWO_PI_F * (float)i / (float)MARKET_PEOPLE_MAX;
    return ploy_vec2_add_scaled(lab->stalls[block][stall], ploy_angle_heading(angle), market_reach);
}

// Walks on with a push from the side, or waits. True when it is time for another stall.
static bool market_walk(const market_lab *lab, int32_t block, int32_t i, market_body *body,
                        ploy_vec2 push, const ploy_step_context *context) {
    ploy_vec2 way = ploy_vec2_sub(market_place(lab, block, i, body->stall), body->at);
    float left = ploy_vec2_length(way), stride = lab->def.walk_speed * context->dt;
    if (left <= stride || left < 0.05f) {
        if (body->wait <= 0.0f) { // has just come
            body->wait = ploy_rng_range_at(context->key, market_person(block, i), context->tick, 9,
                                           2.0f, 8.0f);
        }
        body->wait -= context->dt;
        return body->wait <= 0.0f;
    }
    ploy_vec2 step = ploy_vec2_add(ploy_vec2_scale(way, 1.0f / left), push);
    float length = ploy_vec2_length(step);
    if (length > 1e-3f) {
        step = ploy_vec2_scale(step, 1.0f / length);
        body->at = ploy_vec2_add_scaled(body->at, step, stride);
        body->heading = ploy_angle_of(step);
    }
    return false;
}

// Away from all within a metre and a half; costs a look at each of the others.
static ploy_vec2 market_push(const market_crowd *crowd, int32_t i) {
    const float range = 1.5f;
    ploy_vec2 push = ploy_vec2_zero();
    for (int32_t j = 0; j < crowd->count; j++) {
        ploy_vec2 apart = ploy_vec2_sub(crowd->bodies[i].at, crowd->bodies[j].at);
        float distance = ploy_vec2_length(apart);
        if (j == i || distance >= range || distance < 1e-4f) continue;
        push = ploy_vec2_add_scaled(push, apart, 1.5f * (1.0f / distance - 1.0f / range));
    }
    return push;
}

static ploy_result market_crowd_step(void *self, ploy_step_context *context, ploy_status *status) {
    const market_lab *lab = context->world;
    market_crowd *crowd = self;
    int32_t block = market_block_of(context->agent);
    for (int32_t i = 0; i < crowd->count; i++) {
        ploy_budget_spend(context->budget, crowd->count);
        ploy_vec2 push = market_push(crowd, i);
        if (!market_walk(lab, block, i, &crowd->bodies[i], push, context)) continue;
        int32_t *plan = crowd->plans[i];
        crowd->bodies[i].stall = plan[0];
        memmove(plan, plan + 1, (MARKET_PLAN - 1) * sizeof plan[0]);
        plan[MARKET_PLAN - 1] =
            market_pick(context->key, market_person(block, i), context->tick, 1);
    }
    *status = PLOY_STATUS_RUNNING;
    return PLOY_OK;
}

static ploy_result market_walkers_step(void *self, ploy_step_context *context,
                                       ploy_status *status) {
    const market_lab *lab = context->world;
    market_crowd *crowd = self; // its plans are not used
    int32_t block = market_block_of(context->agent);
    for (int32_t i = 0; i < crowd->count; i++) {
        ploy_budget_spend(context->budget, 1);
        if (market_walk(lab, block, i, &crowd->bodies[i], ploy_vec2_zero(), context)) {
            crowd->bodies[i].stall =
                market_pick(context->key, market_person(block, i), context->tick, 1);
        }
    }
    *status = PLOY_STATUS_RUNNING;
    return PLOY_OK;
}

// Far away, people only spread: their places forget where they were.
static ploy_result market_figures_step(void *self, ploy_step_context *context,
                                       ploy_status *status) {
    market_figures *figures = self;
    float rate = 1.0f - ploy_expf(-context->dt / 20.0f);
    ploy_budget_spend(context->budget, 1);
    figures->x.deviation += (0.25f * market_block - figures->x.deviation) * rate;
    figures->y.deviation += (0.25f * market_block - figures->y.deviation) * rate;
    *status = PLOY_STATUS_RUNNING;
    return PLOY_OK;
}

// ---- the levels: what is carried over

static ploy_people market_column(float *values, int32_t count) {
    ploy_people people = {values, 1, count, NULL, NULL};
    return people;
}

static void market_compress(const market_handover *carried, market_figures *out) {
    float x[MARKET_PEOPLE_MAX], y[MARKET_PEOPLE_MAX], stall[MARKET_PEOPLE_MAX];
    for (int32_t i = 0; i < carried->count; i++) {
        x[i] = carried->bodies[i].at.x;
        y[i] = carried->bodies[i].at.y;
        stall[i] = (float)carried->bodies[i].stall;
    }
    ploy_people columns[3] = {market_column(x, carried->count), market_column(y, carried->count),
                              market_column(stall, carried->count)};
    ploy_people_estimate(&columns[0], 0, &out->x);
    ploy_people_estimate(&columns[1], 0, &out->y);
    ploy_people_estimate(&columns[2], 0, &out->stall);
}

// The figures of a block that is not seen yet.
static market_figures market_fresh(const market_lab *lab, int32_t block) {
    market_figures out;
    memset(&out, 0, sizeof out);
    ploy_vec2 centre = market_centre(block);
    static const int32_t evenly[MARKET_STALLS] = {1, 1, 1, 1, 1, 1};
    out.count = lab->def.people;
    out.x = ploy_distribution_normal(centre.x, 0.25f * market_block);
    out.y = ploy_distribution_normal(centre.y, 0.25f * market_block);
    out.stall = ploy_distribution_histogram(evenly, MARKET_STALLS);
    out.x.min = centre.x - 0.5f * market_block + market_radius;
    out.x.max = centre.x + 0.5f * market_block - market_radius;
    out.y.min = centre.y - 0.5f * market_block + market_radius;
    out.y.max = centre.y + 0.5f * market_block - market_radius;
    return out;
}

static void market_draw_people(const market_lab *lab, int32_t block, const market_figures *figures,
                               uint64_t tick, market_crowd *crowd) {
    ploy_rng_key key = ploy_rng_key_split(ploy_rng_key_split(lab->key, tick), (uint64_t)block);
    crowd->count = figures->count;
    for (int32_t i = 0; i < crowd->count; i++) {
        market_body *body = &crowd->bodies[i];
        body->at.x = ploy_distribution_quota(&figures->x, figures->count, i, key, 0);
        body->at.y = ploy_distribution_quota(&figures->y, figures->count, i, key, 1);
        body->stall = (int32_t)ploy_distribution_quota(&figures->stall, figures->count, i, key, 2);
        body->wait = 0.0f;
        body->heading =
            ploy_angle_of(ploy_vec2_sub(market_place(lab, block, i, body->stall), body->at));
    }
}

static void market_pack(void *user, const ploy_lod_change *change) {
    market_handover *carried = change->handover;
    (void)user;
    memset(carried, 0, sizeof *carried);
    if (change->from == MARKET_FIGURES) {
        const market_figures *figures = change->behavior.self;
        carried->count = figures->count;
        carried->x = figures->x;
        carried->y = figures->y;
        carried->stall = figures->stall;
    } else {
        const market_crowd *crowd = change->behavior.self;
        carried->count = crowd->count;
        carried->has_bodies = 1;
        memcpy(carried->bodies, crowd->bodies, sizeof carried->bodies);
    }
}

static void market_unpack(void *user, const ploy_lod_change *change) {
    const market_lab *lab = change->context->world;
    const market_handover *carried = change->handover;
    int32_t block = market_block_of(change->context->agent);
    uint64_t tick = change->context->tick;
    (void)user;
    market_figures figures = market_fresh(lab, block);
    if (change->from != PLOY_LOD_NONE && carried->has_bodies == 0) {
        figures.x = carried->x;
        figures.y = carried->y;
        figures.stall = carried->stall;
    }
    if (change->to == MARKET_FIGURES) {
        if (carried->has_bodies != 0) market_compress(carried, &figures);
        memcpy(change->behavior.self, &figures, sizeof figures);
        return;
    }
    market_crowd *crowd = change->behavior.self;
    if (change->from == PLOY_LOD_NONE || carried->has_bodies == 0) {
        market_draw_people(lab, block, &figures, tick, crowd);
    } else {
        crowd->count = carried->count;
        memcpy(crowd->bodies, carried->bodies, sizeof crowd->bodies);
    }
    for (int32_t i = 0; i < crowd->count; i++) {
        uint32_t person = market_person(block, i);
        if (!lab->def.carry) crowd->bodies[i].stall = market_pick(lab->key, person, tick, 7);
        for (int32_t n = 0; n < MARKET_PLAN; n++) {
            crowd->plans[i][n] = market_pick(lab->key, person, tick, 2 + (uint32_t)n);
        }
    }
}

// ---- the levels: sight

static void market_draw_bodies(const market_crowd *crowd, ploy_style style, ploy_draw *out) {
    for (int32_t i = 0; i < crowd->count; i++) {
        ploy_draw_agent(out, style, ploy_agent_id_none(), crowd->bodies[i].at,
                        crowd->bodies[i].heading, market_radius);
    }
}

static void market_crowd_draw(const void *self, ploy_draw *out) {
    market_draw_bodies(self, PLOY_STYLE_AGENT_A, out);
}

static void market_walkers_draw(const void *self, ploy_draw *out) {
    market_draw_bodies(self, PLOY_STYLE_AGENT_B, out);
}

static void market_figures_draw(const void *self, ploy_draw *out) {
    const market_figures *figures = self;
    ploy_vec2 centre = {figures->x.mean, figures->y.mean};
    float spread = 0.5f * (figures->x.deviation + figures->y.deviation);
    char text[24];
    ploy_value count = ploy_value_i64(figures->count);
    ploy_value_print(&count, text, sizeof text);
    ploy_draw_disc(out, PLOY_LAYER_INFLUENCE, PLOY_STYLE_AGENT_C, ploy_agent_id_none(), centre,
                   spread, 0.25f);
    ploy_draw_text(out, ploy_agent_id_none(), centre, text);
}

static void market_describe_bodies(const market_crowd *crowd, bool plans, ploy_describe *out) {
    ploy_describe_i64(out, "people", PLOY_STATE, crowd->count);
    for (int32_t i = 0; i < crowd->count; i++) {
        const market_body *body = &crowd->bodies[i];
        ploy_describe_begin_item(out, i);
        ploy_describe_vec2(out, "position", PLOY_STATE, body->at.x, body->at.y);
        ploy_describe_f32(out, "heading", PLOY_STATE, body->heading);
        ploy_describe_f32(out, "wait", PLOY_STATE, body->wait);
        ploy_describe_i64(out, "stall", PLOY_STATE, body->stall);
        for (int32_t n = 0; plans && n < MARKET_PLAN; n++) {
            ploy_describe_i64(out, "then", PLOY_STATE, crowd->plans[i][n]);
        }
        ploy_describe_end(out);
    }
}

static void market_crowd_visit(ploy_visit *v, void *self) {
    if (v->describe != NULL) market_describe_bodies(self, true, v->describe);
}

static void market_walkers_visit(ploy_visit *v, void *self) {
    if (v->describe != NULL) market_describe_bodies(self, false, v->describe);
}

static void market_describe_distribution(const ploy_distribution *d, const char *name,
                                         ploy_describe *out) {
    ploy_describe_begin(out, name);
    ploy_distribution_describe(d, PLOY_STATE, out);
    ploy_describe_end(out);
}

static void market_figures_visit(ploy_visit *v, void *self) {
    const market_figures *figures = self;
    if (v->describe == NULL) return; // a level is not saved
    ploy_describe_i64(v->describe, "people", PLOY_STATE, figures->count);
    market_describe_distribution(&figures->x, "x", v->describe);
    market_describe_distribution(&figures->y, "y", v->describe);
    market_describe_distribution(&figures->stall, "stalls", v->describe);
}

static const ploy_behavior_type market_types[MARKET_LEVELS] = {
    {.name = "figures",
     .step = market_figures_step,
     .visit = market_figures_visit,
     .draw = market_figures_draw},
    {.name = "walkers",
     .step = market_walkers_step,
     .visit = market_walkers_visit,
     .draw = market_walkers_draw},
    {.name = "people",
     .step = market_crowd_step,
     .visit = market_crowd_visit,
     .draw = market_crowd_draw},
};

// ---- the lab

static ploy_lod_schedule_def market_schedule(void) {
    static const ploy_lod_band bands[] = {{0.65f, 1}, {0.35f, 2}, {0.0f, 16}};
    ploy_lod_schedule_def def = ploy_lod_schedule_def_default();
    def.band_count = (int32_t)(sizeof bands / sizeof bands[0]);
    memcpy(def.bands, bands, sizeof bands);
    return def;
}

static ploy_result market_create_lod(market_lab *lab, const ploy_env *env) {
    const float low = market_near, high = market_nearest, half = market_overlap;
    const ploy_lod_level levels[MARKET_LEVELS] = {
        {"figures", 0.0f, low + half, &market_types[0], sizeof(market_figures), NULL, NULL, {0}},
        {"walkers",
         low - half,
         high + half,
         &market_types[1],
         sizeof(market_crowd),
         NULL,
         NULL,
         {0}},
        {"people", high - half, 1.0f, &market_types[2], sizeof(market_crowd), NULL, NULL, {0}},
    };
    const ploy_lod_transition all = {PLOY_LOD_ANY, PLOY_LOD_ANY, market_pack, market_unpack, NULL};
    ploy_lod_def def = ploy_lod_def_default();
    def.handover_size = (int32_t)sizeof(market_handover);
    def.levels = levels;
    def.level_count = MARKET_LEVELS;
    def.transitions = &all;
    def.transition_count = 1;
    return ploy_lod_create(&def, env, &lab->lod);
}

static ploy_result market_create_blocks(market_lab *lab, const ploy_env *env) {
    for (int32_t block = 0; block < MARKET_BLOCKS; block++) {
        ploy_engine_entry entry = ploy_engine_entry_default();
        ploy_result result =
            ploy_lod_selector_create(lab->lod, market_block_id(block), env, &lab->selectors[block]);
        if (result != PLOY_OK) return result; // the region goes, and all that is in it
        entry.behavior = ploy_lod_selector_behavior(lab->selectors[block]);
        entry.agent = market_block_id(block);
        result = ploy_engine_register(lab->engine, &entry, &lab->ids[block]);
        if (result != PLOY_OK) return result;
        lab->schedules[block].band = -1;
        ploy_vec2 centre = market_centre(block);
        for (int32_t s = 0; s < MARKET_STALLS; s++) {
            uint32_t id = (uint32_t)(block * MARKET_STALLS + s);
            float x = (float)(s % 3 - 1) * 7.0f, y = s < 3 ? -4.5f : 4.5f;
            lab->stalls[block][s] =
                ploy_vec2_make(centre.x + x + ploy_rng_range_at(lab->key, id, 0, 0, -1.5f, 1.5f),
                               centre.y + y + ploy_rng_range_at(lab->key, id, 0, 1, -1.5f, 1.5f));
        }
    }
    return PLOY_OK;
}

static ploy_result market_lab_create(const void *params, ploy_rng_key key, const ploy_env *env,
                                     void **out) {
    market_lab *lab = ploy_env_alloc_zero(env, sizeof *lab);
    if (lab == NULL) return PLOY_ERR_MEMORY;
    memcpy(&lab->def, params, sizeof lab->def);
    lab->key = ploy_rng_key_split(key, 1);
    ploy_engine_def def = ploy_engine_def_default();
    def.seed = key.bits;
    ploy_result result = ploy_engine_create(&def, env, &lab->engine);
    if (result == PLOY_OK) result = market_create_lod(lab, env);
    if (result == PLOY_OK) result = market_create_blocks(lab, env);
    if (result == PLOY_OK) *out = lab;
    return result;
}

static void market_move_camera(market_lab *lab, const ploy_sim_context *context) {
    for (int32_t i = 0; i < context->input_count; i++) {
        const ploy_input *input = &context->inputs[i];
        if (!lab_input_is(input, "camera")) continue;
        lab->camera_goal = lab_input_point_within(input, 1e4f, 1e4f);
    }
    float stride = lab->def.camera_speed * context->dt;
    if (lab->def.tour) {
        // About as fast as the camera may be, on an ellipse; wrapped, so that no digits are lost.
        lab->phase += stride / 45.0f;
        if (lab->phase >= PLOY_TWO_PI_F) lab->phase -= PLOY_TWO_PI_F;
        float sine, cosine;
        ploy_sincosf(lab->phase, &sine, &cosine);
        lab->camera_goal = ploy_vec2_make(48.0f * cosine, 24.0f * sine);
    }
    ploy_vec2 way = ploy_vec2_sub(lab->camera_goal, lab->camera);
    lab->camera = ploy_vec2_add(lab->camera, ploy_vec2_limit(way, stride));
}

// How much each block matters, and how often it is thought about.
static ploy_result market_weigh(market_lab *lab, const ploy_sim_context *context) {
    ploy_lod_schedule_def schedule = market_schedule();
    for (int32_t block = 0; block < MARKET_BLOCKS; block++) {
        ploy_importance_input input = ploy_importance_input_make();
        ploy_importance *state = &lab->importances[block];
        input.distance = ploy_vec2_distance(market_centre(block), lab->camera);
        input.on_screen = input.distance < lab->def.screen;
        ploy_result result = ploy_importance_step(&lab->def.importance, &input, context->dt, state);
        if (result != PLOY_OK) return result;
        ploy_importance_trace(&lab->def.importance, &input, state, market_block_id(block),
                              context->trace);
        ploy_lod_schedule_trace(&schedule, state->value, lab->schedules[block].band,
                                market_block_id(block), context->trace);
        ploy_lod_schedule next =
            ploy_lod_schedule_find(&schedule, state->value, block, lab->schedules[block].band);
        if (next.period != lab->schedules[block].period ||
            next.priority != lab->schedules[block].priority) {
            ploy_schedule turns;
            result = ploy_engine_schedule(lab->engine, lab->ids[block], &turns);
            if (result != PLOY_OK) return result;
            ploy_lod_schedule_apply(&next, &turns);
            result = ploy_engine_set_schedule(lab->engine, lab->ids[block], &turns);
        }
        lab->schedules[block] = next;
        if (result == PLOY_OK) {
            result = ploy_lod_selector_set_importance(lab->selectors[block], state->value);
        }
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

// The crowd of a block, or NULL while there are only figures.
static const market_crowd *market_crowd_of(const market_lab *lab, int32_t block) {
    ploy_lod_info info = ploy_lod_selector_get(lab->selectors[block]);
    return info.running && info.level != MARKET_FIGURES ? info.behavior.self : NULL;
}

typedef struct market_before {
    bool walking[MARKET_BLOCKS];
    int64_t switches[MARKET_BLOCKS];
    int32_t stall[MARKET_BLOCKS][MARKET_PEOPLE_MAX]; // -1 while waiting
} market_before;

static void market_look_before(const market_lab *lab, market_before *out) {
    for (int32_t block = 0; block < MARKET_BLOCKS; block++) {
        const market_crowd *crowd = market_crowd_of(lab, block);
        out->walking[block] = crowd != NULL;
        out->switches[block] = ploy_lod_selector_get(lab->selectors[block]).switches;
        for (int32_t i = 0; crowd != NULL && i < crowd->count; i++) {
            bool waits = crowd->bodies[i].wait > 0.0f;
            out->stall[block][i] = waits ? -1 : crowd->bodies[i].stall;
        }
    }
}

// People who were on the way somewhere and, after a change of level, are on the way elsewhere.
static void market_count_turned(market_lab *lab, const market_before *before) {
    for (int32_t block = 0; block < MARKET_BLOCKS; block++) {
        const market_crowd *crowd = market_crowd_of(lab, block);
        int64_t switches = ploy_lod_selector_get(lab->selectors[block]).switches;
        if (crowd == NULL || !before->walking[block] || switches == before->switches[block]) {
            continue;
        }
        for (int32_t i = 0; i < crowd->count; i++) {
            int32_t was = before->stall[block][i];
            if (was >= 0 && was != crowd->bodies[i].stall) lab->turned++;
        }
    }
}

static ploy_result market_lab_step(void *state, const ploy_sim_context *context) {
    market_lab *lab = state;
    memcpy(&lab->def, context->params, sizeof lab->def);
    market_before *before = ploy_arena_alloc(context->scratch, sizeof *before);
    if (before == NULL) return PLOY_ERR_MEMORY;
    market_move_camera(lab, context);
    ploy_result result = market_weigh(lab, context);
    if (result != PLOY_OK) return result;
    market_look_before(lab, before);
    ploy_engine_frame frame;
    memset(&frame, 0, sizeof frame);
    frame.trace = context->trace;
    frame.world = lab;
    ploy_budget budget = ploy_budget_units(1000000);
    result = ploy_engine_step(lab->engine, context->dt, &budget, &frame);
    lab->units = budget.spent;
    if (result == PLOY_OK) market_count_turned(lab, before);
    return result;
}

// ---- sight

static void market_draw_block(const market_lab *lab, int32_t block, ploy_draw *out) {
    static const ploy_style styles[MARKET_LEVELS] = {PLOY_STYLE_AGENT_C, PLOY_STYLE_AGENT_B,
                                                     PLOY_STYLE_AGENT_A};
    ploy_lod_info info = ploy_lod_selector_get(lab->selectors[block]);
    ploy_vec2 centre = market_centre(block);
    float half = 0.5f * market_block - 0.25f;
    ploy_vec2 corners[4] = {{centre.x - half, centre.y - half},
                            {centre.x + half, centre.y - half},
                            {centre.x + half, centre.y + half},
                            {centre.x - half, centre.y + half}};
    ploy_style style = info.level >= 0 ? styles[info.level] : PLOY_STYLE_GHOST;
    ploy_draw_polygon(out, PLOY_LAYER_REGIONS, style, market_block_id(block), corners, 4, 0.12f);
    for (int32_t s = 0; s < MARKET_STALLS; s++) {
        ploy_vec2 at = lab->stalls[block][s];
        ploy_vec2 box[4] = {{at.x - 0.7f, at.y - 0.5f},
                            {at.x + 0.7f, at.y - 0.5f},
                            {at.x + 0.7f, at.y + 0.5f},
                            {at.x - 0.7f, at.y + 0.5f}};
        ploy_draw_polygon(out, PLOY_LAYER_WORLD, PLOY_STYLE_WALL, market_block_id(block), box, 4,
                          0.6f);
    }
    const market_crowd *crowd = market_crowd_of(lab, block);
    if (crowd != NULL && info.level == MARKET_CROWD) {
        for (int32_t i = 0; i < crowd->count; i++) { // the path, and the first of the plan
            ploy_vec2 to = market_place(lab, block, i, crowd->bodies[i].stall);
            ploy_draw_line(out, PLOY_LAYER_PATHS, PLOY_STYLE_GHOST, market_block_id(block),
                           crowd->bodies[i].at, to);
        }
    }
    ploy_behavior_draw(ploy_lod_selector_behavior(lab->selectors[block]), out);
}

static int64_t market_switches(const market_lab *lab) {
    int64_t sum = 0;
    for (int32_t block = 0; block < MARKET_BLOCKS; block++) {
        sum += ploy_lod_selector_get(lab->selectors[block]).switches;
    }
    return sum;
}

static void market_draw_number(const char *what, int64_t value, ploy_vec2 at, ploy_draw *out) {
    char text[64];
    size_t size = strlen(what);
    memcpy(text, what, size); // all of them are short
    ploy_value number = ploy_value_i64(value);
    ploy_value_print(&number, text + size, sizeof text - size);
    ploy_draw_text(out, ploy_agent_id_none(), at, text);
}

static void market_lab_draw(const void *state, ploy_draw *out) {
    const market_lab *lab = state;
    ploy_draw_key(out, PLOY_STYLE_AGENT_A, "people with plans");
    ploy_draw_key(out, PLOY_STYLE_AGENT_B, "people who only walk");
    ploy_draw_key(out, PLOY_STYLE_AGENT_C, "people as numbers");
    ploy_draw_key(out, PLOY_STYLE_TARGET, "camera and what it shows");
    ploy_draw_key(out, PLOY_STYLE_WALL, "stalls");
    ploy_draw_key(out, PLOY_STYLE_GHOST, "where people go");
    ploy_agent_id nobody = ploy_agent_id_none();
    for (int32_t block = 0; block < MARKET_BLOCKS; block++) market_draw_block(lab, block, out);
    ploy_draw_circle(out, PLOY_LAYER_SENSES, PLOY_STYLE_TARGET, nobody, lab->camera,
                     lab->def.screen);
    ploy_draw_disc(out, PLOY_LAYER_SENSES, PLOY_STYLE_TARGET, nobody, lab->camera, 0.8f, 1.0f);
    market_draw_number("units ", lab->units, ploy_vec2_make(-60.0f, 37.5f), out);
    market_draw_number("changes of level ", market_switches(lab), ploy_vec2_make(-36.0f, 37.5f),
                       out);
    market_draw_number("turned in mid-stride ", lab->turned, ploy_vec2_make(12.0f, 37.5f), out);
}

static void market_lab_describe(const void *state, ploy_describe *out) {
    const market_lab *lab = state;
    int32_t levels[MARKET_LEVELS] = {0};
    ploy_describe_begin(out, "camera");
    ploy_describe_vec2(out, "position", PLOY_STATE, lab->camera.x, lab->camera.y);
    ploy_describe_vec2(out, "wish", PLOY_STATE, lab->camera_goal.x, lab->camera_goal.y);
    ploy_describe_f32(out, "phase", PLOY_STATE, lab->phase);
    ploy_describe_end(out);
    for (int32_t block = 0; block < MARKET_BLOCKS; block++) {
        int32_t level = ploy_lod_selector_get(lab->selectors[block]).level;
        if (level >= 0) levels[level]++;
        ploy_describe_begin_agent(out, "block", market_block_id(block));
        ploy_importance_describe(&lab->importances[block], PLOY_STATE, out);
        ploy_lod_schedule_describe(&lab->schedules[block], PLOY_STATE, out);
        for (int32_t s = 0; s < MARKET_STALLS; s++) {
            ploy_describe_vec2(out, "stall", PLOY_STATE, lab->stalls[block][s].x,
                               lab->stalls[block][s].y);
        }
        ploy_describe_end(out);
    }
    ploy_describe_begin(out, "levels");
    for (int32_t i = 0; i < MARKET_LEVELS; i++) {
        ploy_describe_i64(out, market_types[i].name, PLOY_DERIVED, levels[i]);
    }
    ploy_describe_end(out);
    ploy_describe_i64(out, "units", PLOY_NOTE, lab->units);
    ploy_describe_i64(out, "turned", PLOY_STATE, lab->turned);
    ploy_describe_i64(out, "switches", PLOY_NOTE, market_switches(lab));
    ploy_describe_begin(out, "engine");
    ploy_engine_describe(lab->engine, out);
    ploy_describe_end(out);
}

static const ploy_command market_lab_commands[] = {
    {"camera", "send the camera there (with the tour off)", PLOY_VALUE_VEC2, false, "Pointer"},
};

extern const ploy_sim_type ploy_lab_market; // in labs.c
const ploy_sim_type ploy_lab_market = {
    .name = "market",
    .title = "Level of detail",
    .help = "A market that is simulated person by person near the camera, in straight lines "
            "farther away, and as mere numbers far away. Switch the tour off and click to send the "
            "camera; switch carry off to see people turn in mid-stride.",
    .version = 1,
    .capabilities = PLOY_SIM_INTERACTIVE,
    .dt = 1.0f / 30.0f,
    .view = {-63.0f, -39.0f, 63.0f, 41.0f},
    .fields = market_lab_get_fields,
    .commands = market_lab_commands,
    .command_count = sizeof market_lab_commands / sizeof market_lab_commands[0],
    .create = market_lab_create,
    .destroy = NULL, // the region goes with the simulation
    .step = market_lab_step,
    .draw = market_lab_draw,
    .describe = market_lab_describe,
};
