// The steering pipeline and its simple stages; the technique is described in the header.
#include "ploy/move/pipeline.h"

#include <string.h>

#include "move/move_internal.h"
#include "ploy/geom/angle.h"

ploy_steering_goal ploy_steering_goal_none(void) {
    ploy_steering_goal none = {0, {0.0f, 0.0f}, 0.0f, {0.0f, 0.0f}, 0.0f};
    return none;
}

uint32_t ploy_steering_goal_merge(ploy_steering_goal *goal, ploy_steering_goal more) {
    uint32_t both = goal->has & more.has;
    if (more.has & PLOY_GOAL_POSITION) goal->position = more.position;
    if (more.has & PLOY_GOAL_ORIENTATION) goal->orientation = more.orientation;
    if (more.has & PLOY_GOAL_VELOCITY) goal->velocity = more.velocity;
    if (more.has & PLOY_GOAL_ROTATION) goal->rotation = more.rotation;
    goal->has |= more.has;
    return both;
}

// The first constraint that the way breaks, or -1.
static int32_t pipeline_broken(const ploy_pipeline *pipeline, const ploy_steering_context *context,
                               const ploy_steering_way *way, int32_t *piece) {
    for (int32_t i = 0; i < pipeline->constraint_count; i++) {
        const ploy_constraint *constraint = &pipeline->constraints[i];
        if (constraint->broken(constraint->user, context, way, piece)) return i;
    }
    return -1;
}

ploy_pipeline_hold ploy_pipeline_hold_default(void) {
    ploy_pipeline_hold out = {1.0f, 1.0f, 1.0f, 0.0f, {0.0f, 0.0f}, {0.0f, 0.0f}};
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
        !(ploy_vec2_distance(seen->goal.position, hold->wanted) <= hold->moved) ||
        !(ploy_vec2_distance(context->agent.position, hold->held) > hold->reach)) {
        hold->left = 0.0f;
        return false;
    }
    seen->way.count = 0;
    pipeline->actuator.way(pipeline->actuator.user, context, held, &seen->way);
    if (pipeline_broken(pipeline, context, &seen->way, &piece) >= 0) {
        hold->left = 0.0f;
        return false;
    }
    seen->goal = held;
    ploy_trace_note(context->trace, "Keeps to the goal that a constraint suggested.");
    return true;
}

// Keeps what the constraints made of what was wanted.
static void pipeline_keep(ploy_pipeline_hold *hold, ploy_vec2 wanted, ploy_steering_goal goal) {
    if (hold == NULL || !(hold->seconds > 0.0f) || !(goal.has & PLOY_GOAL_POSITION)) return;
    hold->left = hold->seconds;
    hold->wanted = wanted;
    hold->held = goal.position;
}

ploy_steering ploy_pipeline_steer(const ploy_pipeline *pipeline,
                                  const ploy_steering_context *context,
                                  ploy_pipeline_report *report) {
    ploy_pipeline_report seen;
    memset(&seen, 0, sizeof seen); // reports are kept in states that are compared byte by byte
    seen.deadlock = true;
    ploy_steering out = ploy_steering_none();
    ploy_trace_begin(context->trace, context->id, "steer", "pipeline");
    for (int32_t i = 0; i < pipeline->targeter_count; i++) {
        const ploy_targeter *targeter = &pipeline->targeters[i];
        uint32_t both =
            ploy_steering_goal_merge(&seen.goal, targeter->target(targeter->user, context));
        seen.conflicts |= both;
        ploy_trace_option(context->trace, targeter->name, PLOY_OUTCOME_WON, NAN,
                          both != 0 ? "overwrites another targeter" : "sets its part of the goal");
    }
    for (int32_t i = 0; i < pipeline->decomposer_count; i++) {
        const ploy_decomposer *decomposer = &pipeline->decomposers[i];
        seen.goal = decomposer->decompose(decomposer->user, context, seen.goal);
        ploy_trace_vec2(context->trace, decomposer->name, seen.goal.position.x,
                        seen.goal.position.y);
    }
    int32_t tries = ploy_clampi(pipeline->tries, 1, 1000);
    ploy_vec2 wanted = seen.goal.position;
    if (pipeline_holds(pipeline, context, &seen)) {
        seen.tries = 1;
        seen.deadlock = false;
        out = pipeline->actuator.output(pipeline->actuator.user, context, &seen.way, seen.goal);
    }
    while (seen.tries < tries && seen.deadlock) {
        int32_t piece = 0;
        seen.tries++;
        seen.way.count = 0;
        pipeline->actuator.way(pipeline->actuator.user, context, seen.goal, &seen.way);
        int32_t broken = pipeline_broken(pipeline, context, &seen.way, &piece);
        if (broken < 0) {
            seen.deadlock = false;
            out = pipeline->actuator.output(pipeline->actuator.user, context, &seen.way, seen.goal);
            if (seen.tries > 1) pipeline_keep(pipeline->hold, wanted, seen.goal);
            break;
        }
        const ploy_constraint *constraint = &pipeline->constraints[broken];
        seen.goal = constraint->suggest(constraint->user, context, &seen.way, piece, seen.goal);
        ploy_trace_option(context->trace, constraint->name, PLOY_OUTCOME_REJECTED, NAN,
                          "the way breaks it; it suggests another goal");
    }
    if (seen.deadlock) {
        ploy_trace_note(context->trace, "No goal keeps all constraints: deadlock.");
        if (pipeline->deadlock.steer != NULL) {
            out = pipeline->deadlock.steer(pipeline->deadlock.user, context);
        }
    }
    ploy_trace_i64(context->trace, "tries", seen.tries);
    ploy_trace_end(context->trace);
    if (report != NULL) *report = seen;
    return out;
}

static ploy_steering pipeline_source(void *user, const ploy_steering_context *context) {
    return ploy_pipeline_steer(user, context, NULL);
}

ploy_steering_source ploy_pipeline_source(const char *name, ploy_pipeline *pipeline) {
    ploy_steering_source source = {name, pipeline_source, pipeline};
    return source;
}

void ploy_pipeline_report_draw(const ploy_pipeline_report *report, ploy_agent_id owner,
                               ploy_draw *out) {
    ploy_draw_polyline(out, PLOY_LAYER_PATHS, report->deadlock ? PLOY_STYLE_BAD : PLOY_STYLE_PATH,
                       owner, report->way.points, report->way.count);
    if (report->goal.has & PLOY_GOAL_POSITION) {
        ploy_draw_circle(out, PLOY_LAYER_PATHS, PLOY_STYLE_TARGET, owner, report->goal.position,
                         0.2f);
    }
}

// ---- targeters ----

static ploy_steering_goal pipeline_chase(void *user, const ploy_steering_context *context) {
    const ploy_chase *chase = user;
    ploy_steering_goal goal = ploy_steering_goal_none();
    (void)context;
    goal.has = PLOY_GOAL_POSITION;
    goal.position =
        ploy_vec2_add_scaled(chase->victim->position, chase->victim->velocity, chase->lookahead);
    return goal;
}

ploy_targeter ploy_chase_targeter(ploy_chase *chase) {
    ploy_targeter out = {"chase", pipeline_chase, chase};
    return out;
}

static ploy_steering_goal pipeline_given(void *user, const ploy_steering_context *context) {
    (void)context;
    return *(const ploy_steering_goal *)user;
}

ploy_targeter ploy_goal_targeter(ploy_steering_goal *goal) {
    ploy_targeter out = {"goal", pipeline_given, goal};
    return out;
}

static ploy_steering_goal pipeline_look(void *user, const ploy_steering_context *context) {
    ploy_vec2 way = ploy_vec2_sub(*(const ploy_vec2 *)user, context->agent.position);
    ploy_steering_goal goal = ploy_steering_goal_none();
    if (ploy_vec2_is_zero(way)) return goal;
    goal.has = PLOY_GOAL_ORIENTATION;
    goal.orientation = ploy_angle_of(way);
    return goal;
}

ploy_targeter ploy_look_targeter(ploy_vec2 *point) {
    ploy_targeter out = {"look", pipeline_look, point};
    return out;
}

// ---- constraints ----

static ploy_segment2 pipeline_piece(const ploy_steering_way *way, int32_t i) {
    return ploy_segment2_make(way->points[i], way->points[i + 1]);
}

static bool pipeline_out_broken(void *user, const ploy_steering_context *context,
                                const ploy_steering_way *way, int32_t *piece) {
    const ploy_keep_out *circle = user;
    float deepest = circle->radius;
    (void)context;
    // Of a bent way the piece that goes deepest: where it enters, the way out of the circle is the
    // way back, and a goal there would be in front of the circle and not beside it.
    for (int32_t i = 0; i + 1 < way->count; i++) {
        ploy_segment2 segment = pipeline_piece(way, i);
        float distance = ploy_segment2_distance(segment, circle->centre);
        if (!(distance < deepest)) continue;
        // Who is inside already, or touches it, may go away from it.
        ploy_vec2 along = ploy_vec2_sub(segment.to, segment.from);
        ploy_vec2 out = ploy_vec2_sub(segment.from, circle->centre);
        if (ploy_vec2_length(out) < circle->radius && ploy_vec2_dot(along, out) > 0.0f) continue;
        deepest = distance;
        *piece = i;
    }
    return deepest < circle->radius;
}

static ploy_steering_goal pipeline_out_suggest(void *user, const ploy_steering_context *context,
                                               const ploy_steering_way *way, int32_t piece,
                                               ploy_steering_goal goal) {
    const ploy_keep_out *circle = user;
    // From the centre, because a way near the middle leaves few digits of where it passes.
    ploy_segment2 segment = pipeline_piece(way, piece);
    segment.from = ploy_vec2_sub(segment.from, circle->centre);
    segment.to = ploy_vec2_sub(segment.to, circle->centre);
    ploy_vec2 aside = ploy_segment2_closest(segment, ploy_vec2_zero(), NULL);
    (void)context;
    // Right through the middle, either side does; the left one always, so that it is decided.
    if (ploy_vec2_length(aside) <= 1e-6f * circle->radius) aside = ploy_segment2_normal(segment);
    if (ploy_vec2_is_zero(aside)) aside = ploy_vec2_make(1.0f, 0.0f);
    goal.has |= PLOY_GOAL_POSITION;
    goal.position = ploy_vec2_add(circle->centre,
                                  ploy_vec2_with_length(aside, circle->radius * circle->margin));
    return goal;
}

ploy_constraint ploy_keep_out_constraint(ploy_keep_out *circle) {
    ploy_constraint out = {"keep out", pipeline_out_broken, pipeline_out_suggest, circle};
    return out;
}

static bool pipeline_clear_hit(const ploy_keep_clear *walls, const ploy_steering_way *way,
                               int32_t i, ploy_scene_hit *hit) {
    return ploy_scene_sweep2(walls->scene, way->points[i], way->points[i + 1], walls->radius,
                             walls->mask, hit);
}

static bool pipeline_clear_broken(void *user, const ploy_steering_context *context,
                                  const ploy_steering_way *way, int32_t *piece) {
    const ploy_keep_clear *walls = user;
    (void)context;
    for (int32_t i = 0; i + 1 < way->count; i++) {
        ploy_scene_hit hit;
        if (!pipeline_clear_hit(walls, way, i, &hit)) continue;
        // Who touches a wall already may go away from it.
        ploy_vec2 along = ploy_vec2_sub(way->points[i + 1], way->points[i]);
        ploy_vec2 normal = ploy_vec2_from_vec3(hit.normal);
        if (hit.inside && ploy_vec2_dot(along, normal) >= 0.0f) continue;
        *piece = i;
        return true;
    }
    return false;
}

// Stops short of the wall, a margin off it, and slides along it by what of the way was left.
static ploy_steering_goal pipeline_clear_suggest(void *user, const ploy_steering_context *context,
                                                 const ploy_steering_way *way, int32_t piece,
                                                 ploy_steering_goal goal) {
    const ploy_keep_clear *walls = user;
    ploy_scene_hit hit;
    (void)context;
    if (!pipeline_clear_hit(walls, way, piece, &hit)) return goal;
    ploy_segment2 segment = pipeline_piece(way, piece);
    ploy_vec2 along = ploy_vec2_sub(segment.to, segment.from);
    ploy_vec2 normal = ploy_vec2_from_vec3(hit.normal);
    ploy_vec2 stop = ploy_vec2_add(segment.from, ploy_vec2_with_length(along, hit.distance));
    ploy_vec2 left = ploy_vec2_reject(ploy_vec2_sub(segment.to, stop), normal);
    goal.has |= PLOY_GOAL_POSITION;
    goal.position = ploy_vec2_add(ploy_vec2_add_scaled(stop, normal, walls->margin), left);
    return goal;
}

ploy_constraint ploy_keep_clear_constraint(ploy_keep_clear *walls) {
    ploy_constraint out = {"keep clear", pipeline_clear_broken, pipeline_clear_suggest, walls};
    return out;
}

static bool pipeline_inside(const ploy_keep_in *box, ploy_vec2 point) {
    return point.x >= box->min.x && point.x <= box->max.x && point.y >= box->min.y &&
           point.y <= box->max.y;
}

static bool pipeline_in_broken(void *user, const ploy_steering_context *context,
                               const ploy_steering_way *way, int32_t *piece) {
    (void)context;
    // The box is convex, so the ends decide; where one is now is no fault of the way.
    for (int32_t i = 1; i < way->count; i++) {
        *piece = i - 1;
        if (!pipeline_inside(user, way->points[i])) return true;
    }
    return false;
}

static ploy_steering_goal pipeline_in_suggest(void *user, const ploy_steering_context *context,
                                              const ploy_steering_way *way, int32_t piece,
                                              ploy_steering_goal goal) {
    const ploy_keep_in *box = user;
    ploy_vec2 to = way->points[piece + 1];
    (void)context;
    goal.has = (goal.has | PLOY_GOAL_POSITION) & ~PLOY_GOAL_VELOCITY;
    goal.position = ploy_vec2_make(ploy_clampf(to.x, box->min.x, box->max.x),
                                   ploy_clampf(to.y, box->min.y, box->max.y));
    return goal;
}

ploy_constraint ploy_keep_in_constraint(ploy_keep_in *box) {
    ploy_constraint out = {"keep in", pipeline_in_broken, pipeline_in_suggest, box};
    return out;
}

// ---- the plain actuator ----

ploy_plain_actuator ploy_plain_actuator_default(void) {
    ploy_plain_actuator out = {ploy_arrive_def_default(), 1.0f, 4.0f, 0.1f, 40.0f, 0.3f};
    return out;
}

static void pipeline_plain_way(void *user, const ploy_steering_context *context,
                               ploy_steering_goal goal, ploy_steering_way *out) {
    const ploy_plain_actuator *plain = user;
    out->points[0] = context->agent.position;
    out->count = 1;
    if (goal.has & PLOY_GOAL_POSITION) {
        float speed = ploy_vec2_length(goal.velocity);
        bool run = (goal.has & PLOY_GOAL_VELOCITY) && speed > 0.0f &&
                   ploy_vec2_distance(goal.velocity, context->agent.velocity) > plain->match &&
                   plain->arrive.max_acceleration > 0.0f;
        float back = run ? 1.1f * speed * speed / (2.0f * plain->arrive.max_acceleration) : 0.0f;
        ploy_vec2 start = ploy_vec2_sub(goal.position, ploy_vec2_with_length(goal.velocity, back));
        // On the line and far enough back one may run.
        ploy_vec2 off = ploy_vec2_resolve(ploy_vec2_sub(context->agent.position, start),
                                          ploy_vec2_normalise(goal.velocity));
        bool lined_up = off.x > -plain->match && off.x < back && fabsf(off.y) <= plain->match;
        if (run && !lined_up) out->points[out->count++] = start;
        out->points[out->count++] = goal.position;
    } else if (goal.has & PLOY_GOAL_VELOCITY) {
        out->points[out->count++] =
            ploy_vec2_add_scaled(context->agent.position, goal.velocity, plain->lookahead);
    }
}

static float pipeline_turn(const ploy_plain_actuator *plain, float wanted, float rotation) {
    return ploy_clampf((wanted - rotation) / plain->turn_time, -plain->max_angular_acceleration,
                       plain->max_angular_acceleration);
}

static ploy_steering pipeline_plain_output(void *user, const ploy_steering_context *context,
                                           const ploy_steering_way *way, ploy_steering_goal goal) {
    const ploy_plain_actuator *plain = user;
    ploy_steering out = ploy_steering_none();
    bool match = (goal.has & PLOY_GOAL_VELOCITY) != 0 &&
                 (way->count == 2 || (goal.has & PLOY_GOAL_POSITION) == 0);
    if (match) {
        ploy_vec2 wanted = goal.velocity;
        if (goal.has & PLOY_GOAL_POSITION) {
            ploy_vec2 toward = ploy_vec2_sub(goal.position, context->agent.position);
            // Through the place: at that speed, along what is left of the line.
            if (ploy_vec2_dot(toward, wanted) > 0.0f) {
                wanted = ploy_vec2_with_length(toward, ploy_vec2_length(wanted));
            }
        }
        ploy_vec2 error = ploy_vec2_sub(wanted, context->agent.velocity);
        error = ploy_vec2_scale(error, 1.0f / ploy_maxf(plain->arrive.time_to_target, 1e-3f));
        out = ploy_steering_make(ploy_vec2_limit(error, plain->arrive.max_acceleration), 0.0f);
    } else if (way->count >= 2) {
        out = ploy_arrive(&plain->arrive, context->agent, way->points[1]);
    }
    if (!(plain->turn_time > 0.0f)) return out;
    if (goal.has & PLOY_GOAL_ORIENTATION) {
        float turn = ploy_angle_difference(context->agent.orientation, goal.orientation);
        float wanted = ploy_clampf(turn * 4.0f, -plain->max_rotation, plain->max_rotation);
        out.angular = pipeline_turn(plain, wanted, context->agent.rotation);
        out.requested = 1;
    } else if (goal.has & PLOY_GOAL_ROTATION) {
        out.angular = pipeline_turn(plain, goal.rotation, context->agent.rotation);
        out.requested = 1;
    }
    return out;
}

ploy_actuator ploy_plain_actuator_make(ploy_plain_actuator *actuator) {
    ploy_actuator out = {"plain", pipeline_plain_way, pipeline_plain_output, actuator};
    return out;
}
