// The steering pipeline; the technique is described in the header. Its simple stages are in
// stages.c.
#include "ploy/move/pipeline.h"
#include "move/move_internal.h"

#include <math.h>
#include <string.h>

#include "move/pipeline_internal.h"

ploy_steering_goal ploy_steering_goal_none(void) {
    ploy_steering_goal none;
    memset(&none, 0, sizeof none);
    none.orientation3 = ploy_quat_identity();
    return none;
}

ploy_steering_goal ploy_steering_goal_at(ploy_vec2 position) {
    return ploy_steering_goal3_at(ploy_vec3_from_vec2(position, 0.0f));
}

ploy_steering_goal ploy_steering_goal3_at(ploy_vec3 position) {
    ploy_steering_goal goal = ploy_steering_goal_none();
    goal.has = PLOY_GOAL_POSITION;
    goal.position = position;
    return goal;
}

uint32_t ployi_steering_goal_merge(ploy_steering_goal *goal, ploy_steering_goal more) {
    uint32_t both = goal->has & more.has;
    if (more.has & PLOY_GOAL_POSITION) goal->position = more.position;
    if (more.has & PLOY_GOAL_ORIENTATION) {
        goal->orientation = more.orientation;
        goal->orientation3 = more.orientation3;
    }
    if (more.has & PLOY_GOAL_VELOCITY) goal->velocity = more.velocity;
    if (more.has & PLOY_GOAL_ROTATION) goal->rotation = more.rotation;
    goal->has |= more.has;
    return both;
}

ploy_pipeline ploy_pipeline_make(ploy_actuator actuator) {
    ploy_pipeline pipeline;
    memset(&pipeline, 0, sizeof pipeline);
    pipeline.actuator = actuator;
    return pipeline;
}

ploy_result ploy_pipeline_add_targeter(ploy_pipeline *pipeline, ploy_targeter targeter) {
    if (targeter.target == NULL) return PLOY_ERR_ARGUMENT;
    if (pipeline->targeter_count >= PLOY_PIPELINE_TARGETERS_MAX) return PLOY_ERR_CAPACITY;
    pipeline->targeters[pipeline->targeter_count++] = targeter;
    return PLOY_OK;
}

ploy_result ploy_pipeline_add_decomposer(ploy_pipeline *pipeline, ploy_decomposer decomposer) {
    if (decomposer.decompose == NULL) return PLOY_ERR_ARGUMENT;
    if (pipeline->decomposer_count >= PLOY_PIPELINE_DECOMPOSERS_MAX) return PLOY_ERR_CAPACITY;
    pipeline->decomposers[pipeline->decomposer_count++] = decomposer;
    return PLOY_OK;
}

ploy_result ploy_pipeline_add_constraint(ploy_pipeline *pipeline, ploy_constraint constraint) {
    if (constraint.broken == NULL || constraint.suggest == NULL) return PLOY_ERR_ARGUMENT;
    if (pipeline->constraint_count >= PLOY_PIPELINE_CONSTRAINTS_MAX) return PLOY_ERR_CAPACITY;
    pipeline->constraints[pipeline->constraint_count++] = constraint;
    return PLOY_OK;
}

// ---- one step ----

// The first constraint that the path breaks, or -1.
static int32_t pipeline_broken(const ploy_pipeline *pipeline, const ploy_steering_context *context,
                               const ploy_steering_path *path, int32_t *piece) {
    for (int32_t i = 0; i < pipeline->constraint_count; i++) {
        const ploy_constraint *constraint = &pipeline->constraints[i];
        if (constraint->broken(constraint->user, context, path, piece)) return i;
    }
    return -1;
}

ploy_pipeline_hold ploy_pipeline_hold_default(void) {
    ploy_pipeline_hold out = {1.0f, 1.0f, 1.0f, 0.0f, {0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}};
    return out;
}

// Goes on with the suggestion that is held. False: there is none, or it is of no use any more.
static bool pipeline_holds(const ploy_pipeline *pipeline, const ploy_steering_context *context,
                           ploy_pipeline_report *seen) {
    ploy_pipeline_hold *hold = pipeline->hold;
    int32_t piece = 0;
    if (hold == NULL || !(hold->left > 0.0f)) return false;
    ploy_steering_goal held = seen->goal;
    held.position = hold->held;
    hold->left -= context->dt;
    if (!(hold->left > 0.0f) || !(seen->goal.has & PLOY_GOAL_POSITION) ||
        !(ploy_vec3_distance(seen->goal.position, hold->wanted) <= hold->moved) ||
        !(ploy_vec3_distance(ployi_context_position(context), hold->held) > hold->reach)) {
        hold->left = 0.0f;
        return false;
    }
    seen->path.count = 0;
    pipeline->actuator.path(pipeline->actuator.user, context, held, &seen->path);
    if (pipeline_broken(pipeline, context, &seen->path, &piece) >= 0) {
        hold->left = 0.0f;
        return false;
    }
    seen->goal = held;
    ploy_trace_note(context->trace, "Keeps to the goal that a constraint suggested.");
    return true;
}

// Keeps what the constraints made of what was requested.
static void pipeline_keep(ploy_pipeline_hold *hold, ploy_vec3 wanted, ploy_steering_goal goal) {
    if (hold == NULL || !(hold->seconds > 0.0f) || !(goal.has & PLOY_GOAL_POSITION)) return;
    hold->left = hold->seconds;
    hold->wanted = wanted;
    hold->held = goal.position;
}

static int32_t pipeline_tries(const ploy_pipeline *pipeline) {
    return pipeline->tries > 0 ? pipeline->tries : ploy_maxi(4, pipeline->constraint_count + 1);
}

// Everything before the output: the goal, and a path that breaks nothing unless it is a deadlock.
static ploy_pipeline_report pipeline_plan(const ploy_pipeline *pipeline,
                                          const ploy_steering_context *context) {
    ploy_pipeline_report seen;
    memset(&seen, 0, sizeof seen); // reports are kept in states that are compared byte by byte
    seen.goal = ploy_steering_goal_none();
    seen.deadlock = true;
    for (int32_t i = 0; i < pipeline->targeter_count; i++) {
        const ploy_targeter *targeter = &pipeline->targeters[i];
        uint32_t both =
            ployi_steering_goal_merge(&seen.goal, targeter->target(targeter->user, context));
        seen.conflicts |= both;
        ploy_trace_option(context->trace, targeter->name, PLOY_OUTCOME_WON, NAN,
                          both != 0 ? "overwrites another targeter" : "sets its part of the goal");
    }
    for (int32_t i = 0; i < pipeline->decomposer_count; i++) {
        const ploy_decomposer *decomposer = &pipeline->decomposers[i];
        seen.goal = decomposer->decompose(decomposer->user, context, seen.goal);
        if (context->trace != NULL) {
            ployi_trace_vec(context->trace, decomposer->name, seen.goal.position,
                            context->spatial ? 3 : 2);
        }
    }
    ploy_vec3 wanted = seen.goal.position;
    if (pipeline_holds(pipeline, context, &seen)) {
        seen.tries = 1;
        seen.deadlock = false;
    }
    int32_t tries = pipeline_tries(pipeline);
    while (seen.tries < tries && seen.deadlock) {
        int32_t piece = 0;
        seen.tries++;
        seen.path.count = 0;
        pipeline->actuator.path(pipeline->actuator.user, context, seen.goal, &seen.path);
        int32_t broken = pipeline_broken(pipeline, context, &seen.path, &piece);
        if (broken < 0) {
            seen.deadlock = false;
            if (seen.tries > 1) pipeline_keep(pipeline->hold, wanted, seen.goal);
            for (int32_t i = 0; i < pipeline->constraint_count; i++) {
                ploy_trace_option(context->trace, pipeline->constraints[i].name,
                                  PLOY_OUTCOME_SKIPPED, NAN,
                                  "the path keeps it; it suggests no other goal");
            }
            break;
        }
        const ploy_constraint *constraint = &pipeline->constraints[broken];
        seen.goal = constraint->suggest(constraint->user, context, &seen.path, piece, seen.goal);
        ploy_trace_option(context->trace, constraint->name, PLOY_OUTCOME_REJECTED, NAN,
                          "the path breaks it; it suggests another goal");
    }
    if (seen.deadlock) {
        ploy_trace_note(context->trace, "No goal keeps all constraints: deadlock.");
    }
    return seen;
}

static bool pipeline_ok(const ploy_pipeline *pipeline) {
    return pipeline->tries >= 0 && pipeline->tries <= 1000 && pipeline->actuator.path != NULL;
}

// The deadlock source has a separate stream of random numbers.
static ploy_steering_context pipeline_deadlock_context(const ploy_steering_context *context) {
    ploy_steering_context own = *context;
    own.key = ploy_rng_key_split(context->key, ploy_name_of("deadlock").hash);
    return own;
}

ploy_steering ploy_pipeline_steer(const ploy_pipeline *pipeline,
                                  const ploy_steering_context *context,
                                  ploy_pipeline_report *report) {
    const ploy_actuator *actuator = &pipeline->actuator;
    if (!pipeline_ok(pipeline) || actuator->output == NULL) return ploy_steering_invalid();
    ploy_trace_begin(context->trace, context->id, "steer", "pipeline");
    ploy_pipeline_report seen = pipeline_plan(pipeline, context);
    ploy_steering out = ploy_steering_none();
    if (!seen.deadlock) {
        out = actuator->output(actuator->user, context, &seen.path, seen.goal);
    } else if (pipeline->deadlock.type != NULL) {
        ploy_steering_context own = pipeline_deadlock_context(context);
        out = ploy_steering_source_steer(&pipeline->deadlock, &own);
    }
    ploy_trace_i64(context->trace, "tries", seen.tries);
    ploy_trace_end(context->trace);
    if (report != NULL) *report = seen;
    return out;
}

ploy_steering3 ploy_pipeline_steer3(const ploy_pipeline *pipeline,
                                    const ploy_steering_context *context,
                                    ploy_pipeline_report *report) {
    const ploy_actuator *actuator = &pipeline->actuator;
    if (!pipeline_ok(pipeline) || actuator->output3 == NULL) return ploy_steering3_invalid();
    ploy_trace_begin(context->trace, context->id, "steer", "pipeline");
    ploy_pipeline_report seen = pipeline_plan(pipeline, context);
    ploy_steering3 out = ploy_steering3_none();
    if (!seen.deadlock) {
        out = actuator->output3(actuator->user, context, &seen.path, seen.goal);
    } else if (pipeline->deadlock.type != NULL) {
        ploy_steering_context own = pipeline_deadlock_context(context);
        out = ploy_steering_source_steer3(&pipeline->deadlock, &own);
    }
    ploy_trace_i64(context->trace, "tries", seen.tries);
    ploy_trace_end(context->trace);
    if (report != NULL) *report = seen;
    return out;
}

// ---- as a source ----

static ploy_steering pipeline_source_steer(const ploy_steering_source *source,
                                           const ploy_steering_context *context) {
    return ploy_pipeline_steer(source->target, context, NULL);
}

static ploy_steering3 pipeline_source_steer3(const ploy_steering_source *source,
                                             const ploy_steering_context *context) {
    return ploy_pipeline_steer3(source->target, context, NULL);
}

static void pipeline_source_visit(ploy_visit *v, const ploy_steering_source *source) {
    const ploy_pipeline *pipeline = source->target;
    ploy_pipeline_hold *hold = pipeline->hold;
    if (hold != NULL) {
        ploy_vec3 *wanted = &hold->wanted, *held = &hold->held;
        ploy_visit_f32_in(v, "hold left", PLOY_STATE, &hold->left, -INFINITY, 1e9f);
        ploy_visit_vec3(v, "hold wanted", PLOY_STATE, &wanted->x, &wanted->y, &wanted->z);
        ploy_visit_vec3(v, "held", PLOY_STATE, &held->x, &held->y, &held->z);
    }
    if (pipeline->deadlock.type != NULL) {
        ploy_visit_begin(v, "deadlock", PLOY_STATE);
        ploy_steering_source_visit(v, (void *)(uintptr_t)&pipeline->deadlock);
        ploy_visit_end(v);
    }
}

static const ploy_steering_type pipeline_type = {
    "pipeline", pipeline_source_steer, pipeline_source_steer3, pipeline_source_visit, 0, true,
    false};

ploy_steering_source ploy_pipeline_source(const ploy_pipeline *pipeline) {
    ploy_steering_source source = {&pipeline_type, NULL, pipeline, NULL, NULL, 0, false};
    return source;
}

void ploy_pipeline_report_draw(const ploy_pipeline_report *report, ploy_agent_id owner,
                               ploy_draw *out) {
    ploy_vec2 points[PLOY_STEERING_PATH_POINTS];
    for (int32_t i = 0; i < report->path.count; i++) {
        points[i] = ploy_vec2_from_vec3(report->path.points[i]);
    }
    ploy_draw_polyline(out, PLOY_LAYER_PATHS, report->deadlock ? PLOY_STYLE_BAD : PLOY_STYLE_PATH,
                       owner, points, report->path.count);
    if (report->goal.has & PLOY_GOAL_POSITION) {
        ploy_draw_circle(out, PLOY_LAYER_PATHS, PLOY_STYLE_TARGET, owner,
                         ploy_vec2_from_vec3(report->goal.position), 0.2f);
    }
}
