// The lab of crowds: all agents to the other side, across a circle, along a corridor or through a
// door, by reciprocal avoidance; when all are there, back again. A click selects an agent, whose
// half-planes are drawn in the plane of velocities around it.
//
// All state is in the one block crowd_lab and in the crowd.
#include <string.h>

#include "labs/lab_input.h"
#include "labs/labs.h"
#include "ploy/base/hash.h"
#include "ploy/base/math.h"
#include "ploy/geom/angle.h"
#include "ploy/move/crowd.h"

enum { CROWD_LAB_MAX = 400 };

typedef enum crowd_lab_scene {
    CROWD_LAB_CIRCLE,
    CROWD_LAB_CORRIDOR,
    CROWD_LAB_DOORWAY
} crowd_lab_scene;

static const char *const crowd_lab_scenes[] = {"circle", "corridor", "doorway"};

typedef struct crowd_lab_def {
    uint32_t cookie;
    crowd_lab_scene scene;
    int32_t count;
    float radius;
    float speed;
    float noise;
    float door;
    ploy_orca_def avoid;
} crowd_lab_def;

static const ploy_field crowd_lab_fields[] = {
    PLOY_FIELD_ENUM(crowd_lab_def, scene, CROWD_LAB_CIRCLE, crowd_lab_scenes, "where they walk"),
    PLOY_FIELD_I32_FIXED(crowd_lab_def, count, 60, 1, CROWD_LAB_MAX, "", "how many"),
    PLOY_FIELD_F32(crowd_lab_def, radius, 0.3, 0.1, 0.35, "m", "of each body"),
    PLOY_FIELD_F32(crowd_lab_def, speed, 1.5, 0.1, 10, "m/s", "preferred and largest speed"),
    PLOY_FIELD_F32(crowd_lab_def, noise, 0.03, 0, 1, "m/s",
                   "added to each preferred velocity, so that no pair stays face to face"),
    PLOY_FIELD_F32(crowd_lab_def, door, 2, 0.8, 10, "m", "width of the door"),
    PLOY_FIELD_DEF(crowd_lab_def, avoid, ploy_orca_fields, "how they avoid each other"),
};

static ploy_fields crowd_lab_get_fields(void) {
    return PLOY_FIELDS(crowd_lab_def, crowd_lab_fields);
}

typedef struct crowd_lab {
    crowd_lab_def def;
    int32_t selected;
    int32_t crossings; // how often all have arrived
    int32_t arrived;   // of the last step
    int32_t padding;   // the block has no gaps
    ploy_crowd *crowd;
    ploy_agent_id id[CROWD_LAB_MAX];
    ploy_vec2 home[CROWD_LAB_MAX], goal[CROWD_LAB_MAX];
} crowd_lab;

static const float crowd_lab_wall = 4.5f; // m, of the corridor from its middle
static const float crowd_lab_near = 1.2f; // m from the goal that counts as there

// Where number i starts, and where it goes.
static void crowd_lab_ways(const crowd_lab_def *def, int32_t i, ploy_vec2 *home, ploy_vec2 *goal) {
    if (def->scene == CROWD_LAB_CIRCLE) {
        // Rings from the outside in, 0.8 m apart.
        float ring = 11.0f;
        int32_t first = 0, in_ring = (int32_t)(2.0f * PLOY_PI_F * ring / 0.8f);
        in_ring = ploy_mini(in_ring, def->count);
        while (i - first >= in_ring) {
            first += in_ring;
            ring -= 0.8f;
            in_ring = ploy_mini((int32_t)(2.0f * PLOY_PI_F * ring / 0.8f), def->count - first);
        }
        float part = (float)(i - first) / (float)in_ring;
        *home = ploy_vec2_scale(ploy_angle_heading(PLOY_PI_F * (2.0f * part - 1.0f)), ring);
        *goal = ploy_vec2_negate(*home);
        return;
    }
    float side = def->scene == CROWD_LAB_CORRIDOR && i % 2 == 1 ? -1.0f : 1.0f;
    int32_t place = def->scene == CROWD_LAB_CORRIDOR ? i / 2 : i;
    float x = 4.0f + 0.8f * (float)(place / 10), y = 0.8f * ((float)(place % 10) - 4.5f);
    *home = ploy_vec2_make(-side * x, y);
    *goal = ploy_vec2_make(side * x, y);
}

static ploy_result crowd_lab_walls(crowd_lab *lab) {
    float half = 0.5f * lab->def.door, w = crowd_lab_wall;
    ploy_vec2 low[4] = {{-40.0f, -w - 1.0f}, {40.0f, -w - 1.0f}, {40.0f, -w}, {-40.0f, -w}};
    ploy_vec2 high[4] = {{-40.0f, w}, {40.0f, w}, {40.0f, w + 1.0f}, {-40.0f, w + 1.0f}};
    if (lab->def.scene == CROWD_LAB_DOORWAY) {
        ploy_vec2 under[4] = {{-0.3f, -11.5f}, {0.3f, -11.5f}, {0.3f, -half}, {-0.3f, -half}};
        ploy_vec2 over[4] = {{-0.3f, half}, {0.3f, half}, {0.3f, 11.5f}, {-0.3f, 11.5f}};
        memcpy(low, under, sizeof low);
        memcpy(high, over, sizeof high);
    }
    ploy_crowd_clear_walls(lab->crowd);
    if (lab->def.scene == CROWD_LAB_CIRCLE) return PLOY_OK;
    ploy_result result = ploy_crowd_add_walls(lab->crowd, low, 4);
    return result == PLOY_OK ? ploy_crowd_add_walls(lab->crowd, high, 4) : result;
}

// Every agent to its start.
static ploy_result crowd_lab_place(crowd_lab *lab) {
    ploy_result result = crowd_lab_walls(lab);
    for (int32_t i = 0; i < lab->def.count && result == PLOY_OK; i++) {
        crowd_lab_ways(&lab->def, i, &lab->home[i], &lab->goal[i]);
        ploy_orca_agent agent =
            ploy_orca_agent_make(lab->home[i], lab->def.radius, lab->def.speed, 0);
        bool there = !ploy_id_is_none(lab->id[i].id);
        result = there ? ploy_crowd_set(lab->crowd, lab->id[i], &agent)
                       : ploy_crowd_add(lab->crowd, &agent, &lab->id[i]);
    }
    lab->arrived = 0;
    return result;
}

static ploy_result crowd_lab_create(const void *params, ploy_rng_key key, const ploy_env *env,
                                    void **out) {
    (void)key;
    crowd_lab *lab = ploy_env_alloc_zero(env, sizeof *lab);
    if (lab == NULL) return PLOY_ERR_MEMORY; // the region goes, and all that is in it
    memcpy(&lab->def, params, sizeof lab->def);
    ploy_crowd_def def = ploy_crowd_def_default();
    def.capacity = lab->def.count;
    def.avoid = lab->def.avoid;
    ploy_result result = ploy_crowd_create(&def, env, &lab->crowd);
    if (result == PLOY_OK) result = crowd_lab_place(lab);
    if (result == PLOY_OK) *out = lab;
    return result;
}

static void crowd_lab_select(crowd_lab *lab, ploy_vec2 at) {
    float nearest = FLT_MAX;
    for (int32_t i = 0; i < lab->def.count; i++) {
        ploy_orca_agent agent;
        if (ploy_crowd_get(lab->crowd, lab->id[i], &agent) != PLOY_OK) continue;
        float distance = ploy_vec2_distance_sq(agent.position, at);
        if (distance < nearest) lab->selected = i;
        nearest = ploy_minf(nearest, distance);
    }
}

// Settings that have changed since the last step.
static ploy_result crowd_lab_settings(crowd_lab *lab, const void *params) {
    if (memcmp(&lab->def, params, sizeof lab->def) == 0) return PLOY_OK;
    crowd_lab_def before = lab->def;
    memcpy(&lab->def, params, sizeof lab->def);
    ploy_crowd_def def = ploy_crowd_def_default();
    def.capacity = lab->def.count;
    def.avoid = lab->def.avoid;
    ploy_result result = ploy_crowd_set_def(lab->crowd, &def);
    if (result != PLOY_OK) return result;
    if (before.scene != lab->def.scene) return crowd_lab_place(lab);
    if (before.door != lab->def.door) result = crowd_lab_walls(lab);
    for (int32_t i = 0; i < lab->def.count && result == PLOY_OK; i++) {
        ploy_orca_agent agent;
        result = ploy_crowd_get(lab->crowd, lab->id[i], &agent);
        agent.radius = lab->def.radius;
        agent.max_speed = lab->def.speed;
        if (result == PLOY_OK) result = ploy_crowd_set(lab->crowd, lab->id[i], &agent);
    }
    return result;
}

// Straight to the goal; through the door first if that is on the other side of the wall.
static ploy_vec2 crowd_lab_wanted(const crowd_lab *lab, int32_t i, ploy_vec2 at) {
    ploy_vec2 to = lab->goal[i];
    float side = to.x > 0.0f ? 1.0f : -1.0f;
    if (lab->def.scene == CROWD_LAB_DOORWAY && at.x * side < 0.3f) {
        bool in_door = fabsf(at.y) < 0.5f * lab->def.door - lab->def.radius;
        to = ploy_vec2_make(in_door ? side : -0.3f * side, in_door ? at.y : 0.0f);
    }
    return ploy_vec2_limit(ploy_vec2_sub(to, at), lab->def.speed);
}

static ploy_result crowd_lab_step(void *state, const ploy_sim_context *context) {
    crowd_lab *lab = state;
    ploy_result result = crowd_lab_settings(lab, context->params);
    for (int32_t i = 0; i < context->input_count && result == PLOY_OK; i++) {
        const ploy_input *input = &context->inputs[i];
        if (lab_input_is(input, "select")) crowd_lab_select(lab, lab_input_point(input));
        if (lab_input_is(input, "restart")) result = crowd_lab_place(lab);
    }
    lab->arrived = 0;
    for (int32_t i = 0; i < lab->def.count && result == PLOY_OK; i++) {
        ploy_orca_agent agent;
        result = ploy_crowd_get(lab->crowd, lab->id[i], &agent);
        if (result != PLOY_OK) break;
        ploy_vec2 wanted = crowd_lab_wanted(lab, i, agent.position);
        lab->arrived += ploy_vec2_distance(agent.position, lab->goal[i]) < crowd_lab_near;
        float noise = lab->def.noise;
        uint32_t who = (uint32_t)i;
        wanted.x += noise * ploy_rng_binomial_at(context->key, who, context->tick, 0);
        wanted.y += noise * ploy_rng_binomial_at(context->key, who, context->tick, 1);
        result = ploy_crowd_set_wanted(lab->crowd, lab->id[i], wanted);
    }
    for (int32_t i = 0; i < lab->def.count && context->trace != NULL; i++) {
        ploy_orca_line lines[PLOY_ORCA_LINES_MAX];
        ploy_orca_result found;
        ploy_orca_agent agent;
        if (ploy_crowd_find(lab->crowd, lab->id[i], context->dt, lines, &found) != PLOY_OK ||
            ploy_crowd_get(lab->crowd, lab->id[i], &agent) != PLOY_OK) {
            continue;
        }
        ploy_orca_trace(&found, lines, agent.wanted, lab->id[i], context->trace);
    }
    if (result == PLOY_OK) result = ploy_crowd_step(lab->crowd, context->dt, context->jobs);
    if (lab->arrived == lab->def.count) { // and back
        lab->crossings++;
        for (int32_t i = 0; i < lab->def.count; i++) {
            ploy_vec2 home = lab->home[i];
            lab->home[i] = lab->goal[i];
            lab->goal[i] = home;
        }
    }
    return result;
}

static void crowd_lab_draw(const void *state, ploy_draw *out) {
    const crowd_lab *lab = state;
    bool ring = lab->def.scene == CROWD_LAB_CIRCLE;
    ploy_draw_key(out, PLOY_STYLE_AGENT_A, ring ? "first half of the circle" : "heads left");
    ploy_draw_key(out, PLOY_STYLE_AGENT_B, ring ? "second half of the circle" : "heads right");
    ploy_draw_key(out, PLOY_STYLE_AGENT_C, "selected agent");
    ploy_draw_key(out, PLOY_STYLE_GOOD, "velocities it may choose");
    ploy_draw_key(out, PLOY_STYLE_WARNING, "limit set by a neighbor");
    ploy_draw_key(out, PLOY_STYLE_TARGET, "its goal and chosen velocity");
    ploy_draw_key(out, PLOY_STYLE_GHOST, "line to its goal");
    int32_t walls = 0;
    const ploy_orca_wall *edges = ploy_crowd_walls(lab->crowd, &walls);
    for (int32_t i = 0; i + 4 <= walls; i += 4) {
        ploy_vec2 corners[4] = {edges[i].from, edges[i + 1].from, edges[i + 2].from,
                                edges[i + 3].from};
        ploy_draw_polygon(out, PLOY_LAYER_WORLD, PLOY_STYLE_WALL, ploy_agent_id_none(), corners, 4,
                          0.8f);
    }
    for (int32_t i = 0; i < lab->def.count; i++) {
        ploy_orca_agent agent;
        if (ploy_crowd_get(lab->crowd, lab->id[i], &agent) != PLOY_OK) continue;
        bool left =
            lab->def.scene == CROWD_LAB_CIRCLE ? 2 * i < lab->def.count : lab->goal[i].x < 0.0f;
        ploy_style style = i == lab->selected ? PLOY_STYLE_AGENT_C
                           : left             ? PLOY_STYLE_AGENT_A
                                              : PLOY_STYLE_AGENT_B;
        ploy_draw_disc(out, PLOY_LAYER_AGENTS, style, lab->id[i], agent.position, agent.radius,
                       0.9f);
        ploy_draw_line(out, PLOY_LAYER_FORCES, PLOY_STYLE_VELOCITY, lab->id[i], agent.position,
                       ploy_vec2_add_scaled(agent.position, agent.velocity, 0.5f));
        if (i != lab->selected) continue;
        ploy_orca_line lines[PLOY_ORCA_LINES_MAX];
        ploy_orca_result found;
        if (ploy_crowd_find(lab->crowd, lab->id[i], 1.0f / 30.0f, lines, &found) == PLOY_OK) {
            ploy_orca_draw(&found, lines, &agent, 2.0f, lab->id[i], out);
        }
        ploy_draw_point(out, PLOY_LAYER_PATHS, PLOY_STYLE_TARGET, lab->id[i], lab->goal[i]);
        ploy_draw_line(out, PLOY_LAYER_PATHS, PLOY_STYLE_GHOST, lab->id[i], agent.position,
                       lab->goal[i]);
    }
}

static void crowd_lab_describe(const void *state, ploy_describe *out) {
    const crowd_lab *lab = state;
    ploy_describe_i64(out, "crossings", PLOY_STATE, lab->crossings);
    ploy_describe_i64(out, "arrived", PLOY_STATE, lab->arrived);
    ploy_describe_i64(out, "selected", PLOY_STATE, lab->selected);
    size_t ways = (size_t)lab->def.count * sizeof lab->home[0];
    uint64_t hash = ploy_hash_bytes(lab->goal, ways, ploy_hash_bytes(lab->home, ways, 0));
    ploy_describe_u64(out, "hash of the ways", PLOY_STATE, hash);
    ploy_describe_begin(out, "crowd");
    ploy_crowd_describe(lab->crowd, out);
    ploy_describe_end(out);
}

static const ploy_command crowd_lab_commands[] = {
    {"select", "show the half-planes of the agent there", PLOY_VALUE_VEC2, false, "Pointer"},
    {"restart", "all agents to the start", PLOY_VALUE_NONE, false, "r"},
};

extern const ploy_sim_type ploy_lab_crowd; // in labs.c
const ploy_sim_type ploy_lab_crowd = {
    .name = "crowd",
    .title = "Crowds",
    .help = "Reciprocal avoidance: across a circle, along a corridor, through a door. Click on an "
            "agent to see what it may do.",
    .version = 1,
    .capabilities = PLOY_SIM_PARALLEL | PLOY_SIM_INTERACTIVE,
    .dt = 1.0f / 30.0f,
    .view = {-20.0f, -12.0f, 20.0f, 12.0f},
    .fields = crowd_lab_get_fields,
    .commands = crowd_lab_commands,
    .command_count = sizeof crowd_lab_commands / sizeof crowd_lab_commands[0],
    .create = crowd_lab_create,
    .destroy = NULL, // the region goes with the simulation
    .step = crowd_lab_step,
    .draw = crowd_lab_draw,
    .describe = crowd_lab_describe,
};
