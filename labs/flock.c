// The lab of flocking: a flock, a dog that the pointer leads and that the flock evades, and wander for
// birds that have lost the others. The crowd form over the workers.
#include <string.h>

#include "labs/labs.h"
#include "ploy/base/math.h"
#include "ploy/geom/angle.h"
#include "ploy/move/arrive.h"
#include "ploy/move/bounds.h"
#include "ploy/move/flock.h"
#include "ploy/move/integrate.h"
#include "ploy/move/pursue.h"
#include "ploy/move/wander.h"

enum {
    FLOCK_LAB_MAX = 10000,
    FLOCK_LAB_TOLD = 100,
    FLOCK_LAB_BODIES = 1000,
    FLOCK_LAB_GRAIN = 256
};

typedef struct flock_lab_def {
    uint32_t cookie;
    int32_t count;
    float dog_weight;
    float wander_weight;
    float min_speed;
    float max_speed;
    ploy_flock_def flock;
    ploy_evade_def evade;
    ploy_wander_def wander;
    ploy_arrive_def dog;
    ploy_bounds_def bounds;
} flock_lab_def;

static const ploy_field flock_lab_fields[] = {
    PLOY_FIELD_I32_FIXED(flock_lab_def, count, 150, 1, FLOCK_LAB_MAX, "", "size of the flock"),
    PLOY_FIELD_F32(flock_lab_def, dog_weight, 2, 0, 100, "", "of running from the dog"),
    PLOY_FIELD_F32(flock_lab_def, wander_weight, 0.2, 0, 100, "", "of wandering"),
    PLOY_FIELD_F32(flock_lab_def, min_speed, 1, 0, 100, "m/s", "smallest speed"),
    PLOY_FIELD_F32(flock_lab_def, max_speed, 4, 0, 100, "m/s", "largest speed"),
    PLOY_FIELD_DEF(flock_lab_def, flock, ploy_flock_fields, "the three rules"),
    PLOY_FIELD_DEF(flock_lab_def, evade, ploy_evade_fields, "how the flock runs from the dog"),
    PLOY_FIELD_DEF(flock_lab_def, wander, ploy_wander_fields, "how it wanders"),
    PLOY_FIELD_DEF(flock_lab_def, dog, ploy_arrive_fields, "how the dog goes to the pointer"),
    PLOY_FIELD_DEF(flock_lab_def, bounds, ploy_bounds_fields, "the edges of the world"),
};

static ploy_fields flock_lab_get_fields(void) {
    return PLOY_FIELDS(flock_lab_def, flock_lab_fields);
}

typedef struct flock_lab {
    flock_lab_def def;
    ploy_kinematic dog;
    ploy_vec2 goal; // of the dog
    ploy_flock *flock;
    ploy_wander *wander;
    ploy_kinematic *agents;   // def.count
    ploy_steering *steerings; // def.count, of the last step
} flock_lab;

static const float flock_lab_threat = 6.0f; // m, beyond which the dog is no matter

static ploy_agent_id flock_lab_id(int32_t i) {
    return ploy_agent_id_make((uint32_t)i + 2, 1);
}

static ploy_agent_id flock_lab_dog(void) {
    return ploy_agent_id_make(1, 1);
}

static void flock_lab_scatter(flock_lab *lab, ploy_rng_key key, uint64_t tick) {
    ploy_vec3 low = lab->def.bounds.min, high = lab->def.bounds.max;
    for (int32_t i = 0; i < lab->def.count; i++) {
        uint32_t id = (uint32_t)i;
        ploy_vec2 at = {ploy_rng_range_at(key, id, tick, 0, low.x, high.x),
                        ploy_rng_range_at(key, id, tick, 1, low.y, high.y)};
        float way = ploy_rng_range_at(key, id, tick, 2, -PLOY_PI_F, PLOY_PI_F);
        lab->agents[i] = ploy_kinematic_make(at, way);
        lab->agents[i].velocity = ploy_vec2_scale(ploy_angle_heading(way), lab->def.min_speed);
        lab->steerings[i] = ploy_steering_none();
    }
}

static ploy_result flock_lab_create(const void *params, ploy_rng_key key, const ploy_env *env,
                                    void **out) {
    flock_lab *lab = ploy_env_alloc_zero(env, sizeof *lab);
    if (lab == NULL) return PLOY_ERR_MEMORY; // the region goes, and all that is in it
    memcpy(&lab->def, params, sizeof lab->def);
    size_t count = (size_t)lab->def.count;
    lab->agents = ploy_env_alloc_zero(env, count * sizeof *lab->agents);
    lab->steerings = ploy_env_alloc_zero(env, count * sizeof *lab->steerings);
    if (lab->agents == NULL || lab->steerings == NULL) return PLOY_ERR_MEMORY;
    ploy_result result = ploy_flock_create(&lab->def.flock, lab->def.count, env, &lab->flock);
    if (result != PLOY_OK) return result;
    result = ploy_wander_create(&lab->def.wander, lab->def.count, env, &lab->wander);
    if (result != PLOY_OK) return result;
    flock_lab_scatter(lab, ploy_rng_key_split(key, 1), 0);
    lab->dog = ploy_kinematic_make(ploy_vec2_make(0.0f, -9.0f), 0.0f);
    lab->goal = lab->dog.position;
    *out = lab;
    return PLOY_OK;
}

static void flock_lab_inputs(flock_lab *lab, const ploy_sim_context *context) {
    for (int32_t i = 0; i < context->input_count; i++) {
        const ploy_input *input = &context->inputs[i];
        if (input->kind != PLOY_INPUT_COMMAND) continue;
        if (strcmp(input->name, "dog") == 0) {
            lab->goal = ploy_vec2_make(input->value.as.vec[0], input->value.as.vec[1]);
        } else if (strcmp(input->name, "scatter") == 0) {
            flock_lab_scatter(lab, ploy_rng_key_split(context->key, 1), context->tick + 1);
        }
    }
}

typedef struct flock_lab_job {
    flock_lab *lab;
    const ploy_sim_context *context;
    ploy_integrate_def motion;
    ploy_steering *wander; // scratch, one for each agent
    ploy_result *results;  // of each chunk
} flock_lab_job;

static float flock_lab_bound_speed(const flock_lab_def *def, float speed) {
    return ploy_clampf(speed, ploy_minf(def->min_speed, def->max_speed), def->max_speed);
}

// The flock's request, the dog and the bird's own course, added.
static void flock_lab_think(void *arg, int32_t first, int32_t count, int32_t worker) {
    flock_lab_job *job = arg;
    flock_lab *lab = job->lab;
    const flock_lab_def *def = &lab->def;
    (void)worker;
    ploy_kinematics view = ploy_kinematics_of(lab->agents, def->count);
    ploy_steerings own = ploy_steerings_of(job->wander, def->count);
    ploy_result result = ploy_wander_step(lab->wander, &view, first, count, job->context->dt,
                                          job->context->key, job->context->tick, &own);
    ploy_evade_def evade = def->evade;
    if (evade.threat_range <= 0.0f) evade.threat_range = flock_lab_threat;
    for (int32_t i = first; i < first + count && result == PLOY_OK; i++) {
        ploy_steering run = ploy_evade(&evade, lab->agents[i], lab->dog);
        ploy_steering sum =
            ploy_steering_add(lab->steerings[i], ploy_steering_scale(run, def->dog_weight));
        sum = ploy_steering_add(sum, ploy_steering_scale(job->wander[i], def->wander_weight));
        lab->steerings[i] = sum;
    }
    job->results[first / FLOCK_LAB_GRAIN] = result;
}

// The motion.
static void flock_lab_move(void *arg, int32_t first, int32_t count, int32_t worker) {
    const flock_lab_job *job = arg;
    flock_lab *lab = job->lab;
    float dt = job->context->dt;
    (void)worker;
    for (int32_t i = first; i < first + count; i++) {
        ploy_kinematic moved = lab->agents[i];
        // A bird below its speed falls: the velocity is held within its range before the step.
        ploy_vec2 wanted = ploy_vec2_add_scaled(moved.velocity, lab->steerings[i].linear, dt);
        float speed = flock_lab_bound_speed(&lab->def, ploy_vec2_length(wanted));
        moved.velocity = ploy_vec2_with_length(wanted, speed);
        moved = ploy_integrate(&job->motion, moved, ploy_steering_none(), dt);
        lab->agents[i] = ploy_bounds_apply(&lab->def.bounds, moved);
    }
}

static ploy_result flock_lab_step(void *state, const ploy_sim_context *context) {
    flock_lab *lab = state;
    if (memcmp(&lab->def, context->params, sizeof lab->def) != 0) {
        memcpy(&lab->def, context->params, sizeof lab->def);
        ploy_result changed = ploy_flock_set_def(lab->flock, &lab->def.flock);
        if (changed == PLOY_OK) changed = ploy_wander_set_def(lab->wander, &lab->def.wander);
        if (changed != PLOY_OK) return changed;
    }
    flock_lab_inputs(lab, context);
    int32_t count = lab->def.count, chunks = (count + FLOCK_LAB_GRAIN - 1) / FLOCK_LAB_GRAIN;
    ploy_kinematics view = ploy_kinematics_of(lab->agents, count);
    ploy_steerings steerings = ploy_steerings_of(lab->steerings, count);
    ploy_result result = ploy_flock_update_all(lab->flock, &view, context->jobs);
    if (result == PLOY_OK) result = ploy_flock_step_all(lab->flock, context->jobs, &steerings);
    if (result != PLOY_OK) return result;
    flock_lab_job job = {lab, context, ploy_integrate_def_default(),
                         ploy_arena_alloc_array(context->scratch, count, sizeof(ploy_steering)),
                         ploy_arena_alloc_array(context->scratch, chunks, sizeof(ploy_result))};
    if (job.wander == NULL || job.results == NULL) return PLOY_ERR_MEMORY;
    ploy_jobs_run(context->jobs, flock_lab_think, &job, count, FLOCK_LAB_GRAIN);
    for (int32_t i = 0; i < chunks; i++) {
        if (job.results[i] != PLOY_OK) return job.results[i];
    }
    for (int32_t i = 0; i < count && context->trace != NULL; i++) {
        ploy_neighbours seen = ploy_flock_neighbours(lab->flock, i);
        ploy_flock_trace(&lab->def.flock, lab->agents[i], &seen, flock_lab_id(i), context->trace);
    }
    ploy_jobs_run(context->jobs, flock_lab_move, &job, count, FLOCK_LAB_GRAIN);
    ploy_steering run = ploy_arrive(&lab->def.dog, lab->dog, lab->goal);
    ploy_arrive_trace(&lab->def.dog, lab->dog, lab->goal, flock_lab_dog(), context->trace);
    lab->dog = ploy_integrate(&job.motion, lab->dog, run, context->dt);
    return PLOY_OK;
}

static void flock_lab_draw(const void *state, ploy_draw *out) {
    const flock_lab *lab = state;
    ploy_draw_key(out, PLOY_STYLE_AGENT_A, "sheep");
    ploy_draw_key(out, PLOY_STYLE_AGENT_B, "dog");
    ploy_draw_key(out, PLOY_STYLE_AGENT_C, "sheep whose neighborhood is shown");
    ploy_draw_key(out, PLOY_STYLE_GHOST, "its neighborhood, and the bounds");
    ploy_bounds_draw(&lab->def.bounds, out);
    ploy_draw_circle(out, PLOY_LAYER_SENSES, PLOY_STYLE_GHOST, flock_lab_id(0),
                     lab->agents[0].position, lab->def.flock.radius);
    bool bodies = lab->def.count <= FLOCK_LAB_BODIES;
    for (int32_t i = 0; i < lab->def.count; i++) {
        const ploy_kinematic *agent = &lab->agents[i];
        ploy_style style = i == 0 ? PLOY_STYLE_AGENT_C : PLOY_STYLE_AGENT_A;
        if (bodies) {
            ploy_draw_agent(out, style, flock_lab_id(i), agent->position, agent->orientation,
                            0.25f);
        } else {
            ploy_draw_point(out, PLOY_LAYER_AGENTS, style, flock_lab_id(i), agent->position);
        }
        if (bodies) {
            ploy_steering_draw(&lab->steerings[i], agent->position, 0.1f, flock_lab_id(i), out);
        }
    }
    ploy_kinematic_draw(&lab->dog, 0.5f, PLOY_STYLE_AGENT_B, flock_lab_dog(), out);
    ploy_draw_text(out, flock_lab_dog(),
                   ploy_vec2_make(lab->dog.position.x, lab->dog.position.y + 0.8f), "dog");
}

static void flock_lab_describe(const void *state, ploy_describe *out) {
    const flock_lab *lab = state;
    ploy_describe_begin_agent(out, "dog", flock_lab_dog());
    ploy_kinematic_describe(&lab->dog, PLOY_STATE, out);
    ploy_describe_vec2(out, "goal", PLOY_STATE, lab->goal.x, lab->goal.y);
    ploy_describe_end(out);
    int32_t told = ploy_mini(lab->def.count, FLOCK_LAB_TOLD);
    for (int32_t i = 0; i < told; i++) {
        char name[24] = "bird ";
        ploy_value number = ploy_value_i64(i);
        ploy_value_print(&number, name + 5, sizeof name - 5);
        ploy_describe_begin_agent(out, name, flock_lab_id(i));
        ploy_kinematic_describe(&lab->agents[i], PLOY_STATE, out);
        ploy_describe_f32(out, "drift", PLOY_STATE, ploy_wander_drift(lab->wander, i));
        ploy_describe_end(out);
    }
    // The rest as one hash: a page with ten thousand groups is of no use.
    uint64_t others = 0;
    for (int32_t i = told; i < lab->def.count; i++) {
        float drift = ploy_wander_drift(lab->wander, i);
        others = ploy_hash_bytes(&lab->agents[i], sizeof lab->agents[i], others);
        others = ploy_hash_bytes(&drift, sizeof drift, others);
    }
    ploy_describe_u64(out, "hash of the others", PLOY_STATE, others);
}

static const ploy_command flock_lab_commands[] = {
    {"dog", "send the dog there", PLOY_VALUE_VEC2, false, "Pointer"},
    {"scatter", "throw the flock to the winds", PLOY_VALUE_NONE, false, "r"},
};

extern const ploy_sim_type ploy_lab_flock; // in labs.c
const ploy_sim_type ploy_lab_flock = {
    .name = "flock",
    .title = "A flock and a dog",
    .help = "Separation, alignment and cohesion, and a dog to run from. Click to send the dog "
            "somewhere.",
    .version = 1,
    .capabilities = PLOY_SIM_PARALLEL | PLOY_SIM_INTERACTIVE,
    .dt = 1.0f / 60.0f,
    .view = {-20.0f, -12.0f, 20.0f, 12.0f},
    .fields = flock_lab_get_fields,
    .commands = flock_lab_commands,
    .command_count = sizeof flock_lab_commands / sizeof flock_lab_commands[0],
    .create = flock_lab_create,
    .destroy = NULL, // the region goes with the simulation
    .step = flock_lab_step,
    .draw = flock_lab_draw,
    .describe = flock_lab_describe,
};
