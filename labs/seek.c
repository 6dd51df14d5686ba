// The lab of the first behaviors: one agent seeks a target, one arrives at it, one wanders. The
// target moves along a separate path, and jumps to wherever the pointer is clicked. A crowd of
// followers can be added that seeks places around the target in batch form, over the workers.
//
// All state is in the one block seek_lab, in the wander group, and in the followers' lanes.
#include <string.h>

#include "labs/labs.h"
#include "ploy/base/math.h"
#include "ploy/move/arrive.h"
#include "ploy/move/bounds.h"
#include "ploy/move/integrate.h"
#include "ploy/move/seek.h"
#include "ploy/move/wander.h"

enum { SEEKER, ARRIVER, WANDERER, AGENTS };
enum {
    FOLLOWERS_MAX = 10000,
    FOLLOWERS_GRAIN = 256,    // of the jobs
    FOLLOWERS_TOLD = 200,     // described one by one; the rest as one hash
    FOLLOWERS_AS_BODIES = 500 // more than that are drawn as points
};

static const float agent_radius = 0.4f;    // m
static const float follower_radius = 0.2f; // m

// The parameters.
typedef struct seek_lab_def {
    uint32_t cookie;
    bool moving;
    float target_speed;
    int32_t followers;
    float follower_spread;
    ploy_seek_def seek;
    ploy_arrive_def arrive;
    ploy_wander_def wander;
    ploy_integrate_def integrate;
    ploy_bounds_def bounds;
} seek_lab_def;

static const ploy_field seek_lab_fields[] = {
    PLOY_FIELD_BOOL(seek_lab_def, moving, true, "the target moves along its path"),
    PLOY_FIELD_F32(seek_lab_def, target_speed, 0.25, 0, 10, "rad/s", "speed along the path"),
    PLOY_FIELD_I32_FIXED(seek_lab_def, followers, 0, 0, FOLLOWERS_MAX, "",
                         "agents more that seek places around the target"),
    PLOY_FIELD_F32(seek_lab_def, follower_spread, 6, 0, 1000, "m",
                   "size of the square those places are in"),
    PLOY_FIELD_DEF(seek_lab_def, seek, ploy_seek_fields, "the seeker and the followers"),
    PLOY_FIELD_DEF(seek_lab_def, arrive, ploy_arrive_fields, "the one that arrives"),
    PLOY_FIELD_DEF(seek_lab_def, wander, ploy_wander_fields, "the wanderer"),
    PLOY_FIELD_DEF(seek_lab_def, integrate, ploy_integrate_fields, "how all of them move"),
    PLOY_FIELD_DEF(seek_lab_def, bounds, ploy_bounds_fields, "the edges of the world"),
};

static ploy_fields seek_lab_get_fields(void) {
    return PLOY_FIELDS(seek_lab_def, seek_lab_fields);
}

// One number of each follower.
enum lane {
    LANE_X,
    LANE_Y,
    LANE_ORIENTATION,
    LANE_VX,
    LANE_VY,
    LANE_PLACE_X,
    LANE_PLACE_Y,
    LANE_TARGET_X,
    LANE_TARGET_Y,
    LANE_AX,
    LANE_AY,
    LANES
};

typedef struct seek_lab {
    seek_lab_def def; // as of the last step: drawing needs it
    ploy_vec2 target;
    ploy_vec2 path_centre;
    float path_phase; // rad
    ploy_kinematic agents[AGENTS];
    ploy_steering steerings[AGENTS]; // of the last step, to be shown
    ploy_wander *wander;
    float *lanes; // LANES arrays of def.followers floats; NULL without followers
} seek_lab;

static ploy_agent_id agent_id(int32_t i) {
    return ploy_agent_id_make((uint32_t)i + 1, 1);
}

static float *lane_of(const seek_lab *lab, enum lane lane) {
    return lab->lanes + (size_t)lane * (size_t)lab->def.followers;
}

static ploy_kinematics followers_view(const seek_lab *lab) {
    return ploy_kinematics_make(lab->def.followers, lane_of(lab, LANE_X), lane_of(lab, LANE_Y),
                                lane_of(lab, LANE_ORIENTATION), lane_of(lab, LANE_VX),
                                lane_of(lab, LANE_VY), NULL, sizeof(float));
}

// A figure of eight that leaves some room to the edge.
static ploy_vec2 path_point(const ploy_bounds_def *bounds, float phase) {
    float s = 0.0f, s2 = 0.0f, c = 0.0f, c2 = 0.0f;
    ploy_sincosf(phase, &s, &c);
    ploy_sincosf(2.0f * phase, &s2, &c2);
    return ploy_vec2_make(0.35f * (bounds->max.x - bounds->min.x) * c,
                          0.3f * (bounds->max.y - bounds->min.y) * s2);
}

static ploy_vec2 within_bounds(const ploy_bounds_def *bounds, ploy_vec2 point) {
    return ploy_vec2_make(ploy_clampf(point.x, bounds->min.x, bounds->max.x),
                          ploy_clampf(point.y, bounds->min.y, bounds->max.y));
}

static ploy_vec2 random_place(const ploy_bounds_def *bounds, ploy_rng_key key, uint32_t agent,
                              uint64_t tick) {
    ploy_vec2 place = {ploy_rng_range_at(key, agent, tick, 0, bounds->min.x, bounds->max.x),
                       ploy_rng_range_at(key, agent, tick, 1, bounds->min.y, bounds->max.y)};
    return within_bounds(bounds, place);
}

// Puts each agent somewhere, at rest. Draws from a separate key, so that what a tick draws
// otherwise stays as it is.
static void scatter(seek_lab *lab, ploy_rng_key key, uint64_t tick) {
    key = ploy_rng_key_split(key, 1);
    for (int32_t i = 0; i < AGENTS; i++) {
        float orientation = ploy_rng_range_at(key, (uint32_t)i, tick, 2, -PLOY_PI_F, PLOY_PI_F);
        lab->agents[i] = ploy_kinematic_make(random_place(&lab->def.bounds, key, (uint32_t)i, tick),
                                             orientation);
        lab->steerings[i] = ploy_steering_none();
    }
    for (int32_t i = 0; i < lab->def.followers; i++) {
        uint32_t id = (uint32_t)(AGENTS + i);
        ploy_vec2 place = random_place(&lab->def.bounds, key, id, tick);
        lane_of(lab, LANE_X)[i] = place.x;
        lane_of(lab, LANE_Y)[i] = place.y;
        lane_of(lab, LANE_ORIENTATION)[i] = 0.0f;
        lane_of(lab, LANE_VX)[i] = 0.0f;
        lane_of(lab, LANE_VY)[i] = 0.0f;
        lane_of(lab, LANE_PLACE_X)[i] = ploy_rng_range_at(key, id, tick, 2, -0.5f, 0.5f);
        lane_of(lab, LANE_PLACE_Y)[i] = ploy_rng_range_at(key, id, tick, 3, -0.5f, 0.5f);
    }
}

static ploy_result seek_lab_create(const void *params, ploy_rng_key key, const ploy_env *env,
                                   void **out) {
    seek_lab *lab = ploy_env_alloc_zero(env, sizeof *lab);
    if (lab == NULL) return PLOY_ERR_MEMORY;
    memcpy(&lab->def, params, sizeof lab->def);
    if (lab->def.followers > 0) {
        size_t size = (size_t)LANES * (size_t)lab->def.followers * sizeof(float);
        lab->lanes = ploy_env_alloc_zero(env, size);
        if (lab->lanes == NULL) return PLOY_ERR_MEMORY; // the region goes, and all that is in it
    }
    ploy_result result = ploy_wander_create(&lab->def.wander, 1, env, &lab->wander);
    if (result != PLOY_OK) return result;
    const ploy_bounds_def *bounds = &lab->def.bounds;
    lab->path_centre = ploy_vec2_make(0.5f * (bounds->min.x + bounds->max.x),
                                      0.5f * (bounds->min.y + bounds->max.y));
    lab->target =
        within_bounds(bounds, ploy_vec2_add(lab->path_centre, path_point(bounds, lab->path_phase)));
    scatter(lab, key, 0);
    *out = lab;
    return PLOY_OK;
}

// ---- step ----

static void command_target(seek_lab *lab, ploy_vec2 at) {
    // The path is moved to where the pointer is, so that the target goes on from there.
    lab->target = within_bounds(&lab->def.bounds, at);
    lab->path_centre = ploy_vec2_sub(lab->target, path_point(&lab->def.bounds, lab->path_phase));
}

static void apply_inputs(seek_lab *lab, const ploy_sim_context *context) {
    for (int32_t i = 0; i < context->input_count; i++) {
        const ploy_input *input = &context->inputs[i];
        if (input->kind != PLOY_INPUT_COMMAND) continue; // parameters are set already
        if (strcmp(input->name, "target") == 0) {
            command_target(lab, ploy_vec2_make(input->value.as.vec[0], input->value.as.vec[1]));
        } else if (strcmp(input->name, "scatter") == 0) {
            // Tick 0 drew the start.
            scatter(lab, context->key, context->tick + 1);
        }
    }
}

static void move_target(seek_lab *lab, float dt) {
    if (!lab->def.moving) return;
    // Wrapped, because a float that only grows loses its digits.
    lab->path_phase += lab->def.target_speed * dt;
    if (lab->path_phase >= PLOY_TWO_PI_F) lab->path_phase -= PLOY_TWO_PI_F;
    ploy_vec2 at = ploy_vec2_add(lab->path_centre, path_point(&lab->def.bounds, lab->path_phase));
    lab->target = within_bounds(&lab->def.bounds, at);
}

// What the agents decide; the state is only read, but for the wanderer's drift.
static ploy_result steer(seek_lab *lab, const ploy_sim_context *context) {
    const seek_lab_def *def = &lab->def;
    const ploy_kinematic *agents = lab->agents;
    lab->steerings[SEEKER] = ploy_seek(&def->seek, agents[SEEKER], lab->target);
    lab->steerings[ARRIVER] = ploy_arrive(&def->arrive, agents[ARRIVER], lab->target);
    ploy_kinematics wanderer = ploy_kinematics_of(&lab->agents[WANDERER], 1);
    ploy_steerings out = ploy_steerings_of(&lab->steerings[WANDERER], 1);
    ploy_result result = ploy_wander_step(lab->wander, &wanderer, 0, 1, context->dt, context->key,
                                          context->tick, &out);
    if (context->trace != NULL) {
        ploy_seek_trace(&def->seek, agents[SEEKER], lab->target, agent_id(SEEKER), context->trace);
        ploy_arrive_trace(&def->arrive, agents[ARRIVER], lab->target, agent_id(ARRIVER),
                          context->trace);
        ploy_wander_trace(&def->wander, agents[WANDERER], ploy_wander_drift(lab->wander, 0),
                          agent_id(WANDERER), context->trace);
    }
    return result;
}

// No agent is faster than its behavior requests, whatever pushes it.
static ploy_integrate_def law_of(const seek_lab_def *def, int32_t agent) {
    ploy_integrate_def law = def->integrate;
    float limit = agent == ARRIVER    ? def->arrive.max_speed
                  : agent == WANDERER ? def->wander.max_speed
                                      : def->seek.max_speed;
    law.max_speed = ploy_minf(law.max_speed, limit);
    if (agent == WANDERER && def->wander.form == PLOY_WANDER_FACE) {
        law.facing = PLOY_FACING_FREE; // the behavior turns it
    }
    return law;
}

typedef struct follow_job {
    seek_lab *lab;
    float dt;
    ploy_integrate_def law;
    ploy_result *results; // of each chunk
} follow_job;

static void follow(void *arg, int32_t first, int32_t count, int32_t worker) {
    follow_job *job = arg;
    seek_lab *lab = job->lab;
    (void)worker;
    const float *place_x = lane_of(lab, LANE_PLACE_X), *place_y = lane_of(lab, LANE_PLACE_Y);
    float *target_x = lane_of(lab, LANE_TARGET_X), *target_y = lane_of(lab, LANE_TARGET_Y);
    for (int32_t i = first; i < first + count; i++) {
        target_x[i] = lab->target.x + place_x[i] * lab->def.follower_spread;
        target_y[i] = lab->target.y + place_y[i] * lab->def.follower_spread;
    }
    ploy_kinematics view = followers_view(lab);
    ploy_points targets = {target_x, target_y, sizeof(float), lab->def.followers};
    ploy_steerings steerings =
        ploy_steerings_make(lab->def.followers, lane_of(lab, LANE_AX), lane_of(lab, LANE_AY), NULL,
                            NULL, sizeof(float));
    ploy_result result = ploy_seek_batch(&lab->def.seek, &view, first, count, &targets, &steerings);
    if (result == PLOY_OK) {
        result = ploy_integrate_batch(&job->law, &view, first, count, &steerings, job->dt);
    }
    if (result == PLOY_OK) result = ploy_bounds_apply_batch(&lab->def.bounds, &view, first, count);
    job->results[first / FOLLOWERS_GRAIN] = result;
}

static ploy_result step_followers(seek_lab *lab, const ploy_sim_context *context) {
    int32_t count = lab->def.followers;
    if (count == 0) return PLOY_OK;
    int32_t chunks = (count + FOLLOWERS_GRAIN - 1) / FOLLOWERS_GRAIN;
    if (context->trace != NULL) {
        ploy_kinematics view = followers_view(lab);
        for (int32_t i = 0; i < count; i++) {
            ploy_vec2 place = {
                lab->target.x + lane_of(lab, LANE_PLACE_X)[i] * lab->def.follower_spread,
                lab->target.y + lane_of(lab, LANE_PLACE_Y)[i] * lab->def.follower_spread};
            ploy_seek_trace(&lab->def.seek, ploy_kinematics_get(&view, i), place,
                            agent_id(AGENTS + i), context->trace);
        }
    }
    follow_job job = {lab, context->dt, law_of(&lab->def, SEEKER),
                      ploy_arena_alloc_array(context->scratch, chunks, sizeof(ploy_result))};
    if (job.results == NULL) return PLOY_ERR_MEMORY;
    ploy_jobs_run(context->jobs, follow, &job, count, FOLLOWERS_GRAIN);
    for (int32_t i = 0; i < chunks; i++) {
        if (job.results[i] != PLOY_OK) return job.results[i];
    }
    return PLOY_OK;
}

static ploy_result seek_lab_step(void *state, const ploy_sim_context *context) {
    seek_lab *lab = state;
    if (memcmp(&lab->def, context->params, sizeof lab->def) != 0) {
        memcpy(&lab->def, context->params, sizeof lab->def);
        ploy_result changed = ploy_wander_set_def(lab->wander, &lab->def.wander);
        if (changed != PLOY_OK) return changed;
    }
    apply_inputs(lab, context);
    move_target(lab, context->dt);
    ploy_result result = steer(lab, context);
    if (result == PLOY_OK) result = step_followers(lab, context);
    if (result != PLOY_OK) return result;
    for (int32_t i = 0; i < AGENTS; i++) {
        ploy_integrate_def law = law_of(&lab->def, i);
        ploy_kinematic moved = ploy_integrate(&law, lab->agents[i], lab->steerings[i], context->dt);
        lab->agents[i] = ploy_bounds_apply(&lab->def.bounds, moved);
    }
    return PLOY_OK;
}

// ---- sight ----

static void draw_target(const seek_lab *lab, ploy_draw *out) {
    enum { PATH_POINTS = 65 };
    ploy_agent_id nobody = ploy_agent_id_none();
    if (lab->def.moving && ploy_draw_wants(out, PLOY_LAYER_PATHS)) {
        ploy_vec2 path[PATH_POINTS];
        for (int32_t i = 0; i < PATH_POINTS; i++) {
            float phase = PLOY_TWO_PI_F * (float)i / (float)(PATH_POINTS - 1);
            ploy_vec2 at = ploy_vec2_add(lab->path_centre, path_point(&lab->def.bounds, phase));
            path[i] = within_bounds(&lab->def.bounds, at);
        }
        ploy_draw_polyline(out, PLOY_LAYER_PATHS, PLOY_STYLE_GHOST, nobody, path, PATH_POINTS);
    }
    ploy_draw_disc(out, PLOY_LAYER_WORLD, PLOY_STYLE_TARGET, nobody, lab->target, 0.25f, 1.0f);
}

static void draw_followers(const seek_lab *lab, ploy_draw *out) {
    if (lab->def.followers == 0) return;
    ploy_kinematics view = followers_view(lab);
    bool bodies = lab->def.followers <= FOLLOWERS_AS_BODIES;
    for (int32_t i = 0; i < lab->def.followers; i++) {
        ploy_kinematic agent = ploy_kinematics_get(&view, i);
        ploy_agent_id id = agent_id(AGENTS + i);
        if (bodies) {
            ploy_draw_agent(out, PLOY_STYLE_AGENT_D, id, agent.position, agent.orientation,
                            follower_radius);
        } else {
            ploy_draw_point(out, PLOY_LAYER_AGENTS, PLOY_STYLE_AGENT_D, id, agent.position);
        }
    }
}

static const char *const agent_names[AGENTS] = {"seeker", "arriver", "wanderer"};

static void seek_lab_draw(const void *state, ploy_draw *out) {
    const seek_lab *lab = state;
    ploy_draw_key(out, PLOY_STYLE_AGENT_A, "seeker");
    ploy_draw_key(out, PLOY_STYLE_AGENT_B, "arriver");
    ploy_draw_key(out, PLOY_STYLE_AGENT_C, "wanderer");
    ploy_draw_key(out, PLOY_STYLE_AGENT_D, "followers");
    ploy_draw_key(out, PLOY_STYLE_TARGET, "target, and the point to wander to");
    ploy_draw_key(out, PLOY_STYLE_GHOST, "course of the target, slowing radius");
    static const ploy_style styles[AGENTS] = {PLOY_STYLE_AGENT_A, PLOY_STYLE_AGENT_B,
                                              PLOY_STYLE_AGENT_C};
    ploy_bounds_draw(&lab->def.bounds, out);
    draw_target(lab, out);
    ploy_arrive_draw(&lab->def.arrive, lab->target, agent_id(ARRIVER), out);
    ploy_wander_draw(&lab->def.wander, lab->agents[WANDERER], ploy_wander_drift(lab->wander, 0),
                     agent_id(WANDERER), out);
    draw_followers(lab, out);
    for (int32_t i = 0; i < AGENTS; i++) {
        const ploy_kinematic *agent = &lab->agents[i];
        ploy_kinematic_draw(agent, agent_radius, styles[i], agent_id(i), out);
        ploy_steering_draw(&lab->steerings[i], agent->position, 0.2f, agent_id(i), out);
        ploy_vec2 label = {agent->position.x, agent->position.y + 1.6f * agent_radius};
        ploy_draw_text(out, agent_id(i), label, agent_names[i]);
    }
}

static void describe_agent(const seek_lab *lab, int32_t i, ploy_describe *out) {
    ploy_describe_begin_agent(out, agent_names[i], agent_id(i));
    ploy_kinematic_describe(&lab->agents[i], PLOY_STATE, out);
    if (i == WANDERER) {
        ploy_describe_f32(out, "drift", PLOY_STATE, ploy_wander_drift(lab->wander, 0));
    } else {
        ploy_describe_f32(out, "distance", PLOY_DERIVED,
                          ploy_vec2_distance(lab->agents[i].position, lab->target));
    }
    if (i == ARRIVER) {
        ploy_arrive_phase phase =
            ploy_arrive_phase_of(&lab->def.arrive, lab->agents[i].position, lab->target);
        ploy_describe_text(out, "phase", PLOY_DERIVED, ploy_arrive_phase_text(phase));
    }
    ploy_describe_begin(out, "steering");
    ploy_steering_describe(&lab->steerings[i], PLOY_DERIVED, out);
    ploy_describe_end(out);
    ploy_describe_end(out);
}

static void describe_followers(const seek_lab *lab, ploy_describe *out) {
    int32_t count = lab->def.followers;
    if (count == 0) return;
    ploy_kinematics view = followers_view(lab);
    int32_t told = ploy_mini(count, FOLLOWERS_TOLD);
    ploy_describe_begin(out, "followers");
    ploy_describe_i64(out, "count", PLOY_STATE, count);
    for (int32_t i = 0; i < told; i++) {
        ploy_kinematic agent = ploy_kinematics_get(&view, i);
        char name[24] = "follower ";
        ploy_value number = ploy_value_i64(i);
        ploy_value_print(&number, name + 9, sizeof name - 9);
        ploy_describe_begin_agent(out, name, agent_id(AGENTS + i));
        ploy_kinematic_describe(&agent, PLOY_STATE, out);
        ploy_describe_vec2(out, "place", PLOY_STATE, lane_of(lab, LANE_PLACE_X)[i],
                           lane_of(lab, LANE_PLACE_Y)[i]);
        ploy_describe_end(out);
    }
    // A page with ten thousand groups is of no use; the hash still sees every one.
    uint64_t others = 0;
    for (enum lane lane = LANE_X; lane <= LANE_PLACE_Y; lane++) {
        others = ploy_hash_bytes(lane_of(lab, lane) + told, (size_t)(count - told) * sizeof(float),
                                 others);
    }
    ploy_describe_u64(out, "hash of the others", PLOY_STATE, others);
    ploy_describe_end(out);
}

static void seek_lab_describe(const void *state, ploy_describe *out) {
    const seek_lab *lab = state;
    ploy_describe_begin(out, "target");
    ploy_describe_vec2(out, "position", PLOY_STATE, lab->target.x, lab->target.y);
    ploy_describe_vec2(out, "path centre", PLOY_STATE, lab->path_centre.x, lab->path_centre.y);
    ploy_describe_f32(out, "path phase", PLOY_STATE, lab->path_phase);
    ploy_describe_end(out);
    for (int32_t i = 0; i < AGENTS; i++) describe_agent(lab, i, out);
    describe_followers(lab, out);
}

static const ploy_command seek_lab_commands[] = {
    {"target", "put the target there", PLOY_VALUE_VEC2, false, "Pointer"},
    {"scatter", "move all agents to random places", PLOY_VALUE_NONE, false, "r"},
};

extern const ploy_sim_type ploy_lab_seek; // in labs.c
const ploy_sim_type ploy_lab_seek = {
    .name = "seek",
    .title = "Seek, arrive, wander",
    .help = "One agent seeks the target and overshoots, one arrives and stops, one wanders. Click "
            "to move the target.",
    .version = 1,
    .capabilities = PLOY_SIM_PARALLEL | PLOY_SIM_INTERACTIVE,
    .dt = 1.0f / 60.0f,
    .view = {-20.0f, -12.0f, 20.0f, 12.0f},
    .fields = seek_lab_get_fields,
    .commands = seek_lab_commands,
    .command_count = sizeof seek_lab_commands / sizeof seek_lab_commands[0],
    .create = seek_lab_create,
    .destroy = NULL, // the region goes with the simulation
    .step = seek_lab_step,
    .draw = seek_lab_draw,
    .describe = seek_lab_describe,
};
