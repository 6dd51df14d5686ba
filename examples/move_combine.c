// A courier runs to a door past a guard. A sum of wishes gets stuck where they cancel out; a
// priority with a wander behind it gets free; a pipeline keeps out of the guard's circle from the
// start. Shows ploy_combine and ploy_pipeline_steer.
#include <stdio.h>
#include <string.h>

#include "ploy/move/flee.h"
#include "ploy/move/integrate.h"
#include "ploy/move/pipeline.h"
#include "ploy/move/seek.h"
#include "ploy/move/wander.h"

static const ploy_vec2 door = {20.0f, 0.0f}, guard = {10.0f, 0.0f};

static ploy_steering to_the_door(void *user, const ploy_steering_context *context) {
    return ploy_seek(user, context->agent, door);
}

static ploy_steering from_the_guard(void *user, const ploy_steering_context *context) {
    return ploy_flee(user, context->agent, guard);
}

static ploy_steering about(void *user, const ploy_steering_context *context) {
    ploy_wander_def wander = ploy_wander_def_default();
    return ploy_wander_steer(&wander, context->agent, user, context->dt, context->key,
                             context->id.id.index, context->tick);
}

static void run(const char *name, ploy_steering_source source) {
    ploy_integrate_def motion = ploy_integrate_def_default();
    motion.max_speed = 4.0f;
    motion.drag = 2.0f;
    ploy_steering_context context;
    memset(&context, 0, sizeof context);
    context.agent = ploy_kinematic_make(ploy_vec2_zero(), 0.0f);
    context.dt = 1.0f / 60.0f;
    for (; context.tick < 3600; context.tick++) {
        if (ploy_vec2_distance(context.agent.position, door) < 1.0f) break;
        ploy_steering wish = source.steer(source.user, &context);
        context.agent = ploy_integrate(&motion, context.agent, wish, context.dt);
    }
    printf("%s: at %.1f after %d s\n", name, context.agent.position.x, (int)(context.tick / 60));
}

int main(void) {
    ploy_seek_def seek = ploy_seek_def_default();
    ploy_flee_def flee = ploy_flee_def_default();
    seek.mode = flee.mode = PLOY_PULL_FULL;
    flee.panic_distance = 6.0f;
    float drift = 0.0f;
    ploy_steering_source sources[3] = {
        {"door", to_the_door, &seek}, {"guard", from_the_guard, &flee}, {"about", about, &drift}};
    ploy_combine_part parts[3];
    for (int i = 0; i < 3; i++) parts[i] = ploy_combine_part_make(sources[i], 1.0f);
    parts[2].group = 1; // asked only if the first group has next to nothing to say
    ploy_combination combination = {ploy_combine_def_default(), parts, 2, NULL, NULL};
    run("sum", ploy_combination_source("sum", &combination));
    combination.def.mode = PLOY_COMBINE_PRIORITY;
    combination.part_count = 3;
    run("priority", ploy_combination_source("priority", &combination));

    ploy_steering_goal goal = ploy_steering_goal_none();
    goal.has = PLOY_GOAL_POSITION;
    goal.position = door;
    ploy_targeter targeter = ploy_goal_targeter(&goal);
    ploy_keep_out circle = {guard, 5.0f, 1.2f};
    ploy_constraint constraint = ploy_keep_out_constraint(&circle);
    ploy_plain_actuator plain = ploy_plain_actuator_default();
    ploy_pipeline pipeline = {
        &targeter,  1, NULL, 0, &constraint, 1, ploy_plain_actuator_make(&plain),
        sources[2], 4, NULL};
    run("pipeline", ploy_pipeline_source("pipeline", &pipeline));
    return 0;
}
