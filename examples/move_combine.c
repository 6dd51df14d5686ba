// A courier runs to a door past a guard. A sum of requests gets stuck where they cancel out; a
// priority with a wander behind it gets free; a pipeline keeps out of the guard's circle from the
// start. Shows ploy_combination_add, the sources of behaviors, and ploy_pipeline_make.
#include <stdio.h>

#include "ploy/move/combine.h"
#include "ploy/move/flee.h"
#include "ploy/move/integrate.h"
#include "ploy/move/pipeline.h"
#include "ploy/move/seek.h"
#include "ploy/move/wander.h"

static const ploy_vec2 door = {20.0f, 0.0f}, guard = {10.0f, 0.0f};

static void run(const char *name, ploy_steering_source source) {
    ploy_integrate_def motion = ploy_integrate_def_default();
    motion.max_speed = 4.0f;
    motion.drag = 2.0f;
    ploy_steering_context context =
        ploy_steering_context_make(ploy_kinematic_make(ploy_vec2_zero(), 0.0f),
                                   ploy_agent_id_make(0, 1), 1.0f / 60.0f, 0, ploy_rng_key_make(1));
    for (; context.tick < 3600; context.tick++) {
        if (ploy_vec2_distance(context.agent.position, door) < 1.0f) break;
        ploy_steering steering = ploy_steering_source_steer(&source, &context);
        context.agent = ploy_integrate(&motion, context.agent, steering, context.dt);
    }
    printf("%s: at %.1f after %d s\n", name, context.agent.position.x, (int)(context.tick / 60));
}

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_seek_def seek = ploy_seek_def_default();
    ploy_flee_def flee = ploy_flee_def_default();
    ploy_wander_def wander = ploy_wander_def_default();
    ploy_combine_def combine = ploy_combine_def_default();
    seek.mode = flee.mode = PLOY_PULL_FULL;
    flee.panic_distance = 6.0f;
    float drift = 0.0f;
    ploy_steering_source to_door, from_guard, about;
    ploy_combination both;
    ploy_result result = ploy_seek_source(&seek, &door, &env, &to_door);
    if (result == PLOY_OK) result = ploy_flee_source(&flee, &guard, &env, &from_guard);
    if (result == PLOY_OK) result = ploy_wander_source(&wander, &drift, &env, &about);
    if (result == PLOY_OK) result = ploy_combination_init(&both, &combine, &env);
    if (result == PLOY_OK) result = ploy_combination_add(&both, "door", to_door, 1.0f);
    if (result == PLOY_OK) result = ploy_combination_add(&both, "guard", from_guard, 1.0f);
    if (result == PLOY_OK) result = ploy_combination_add(&both, "about", about, 1.0f);
    if (result != PLOY_OK) return 1;

    ploy_combination_switch(&both, "about", false);
    run("sum", ploy_combination_source(&both));
    both.def.mode = PLOY_COMBINE_PRIORITY;
    ploy_combination_switch(&both, "about", true);
    ploy_combination_part(&both, "about")->group = 1; // only if group 0 requests next to nothing
    run("priority", ploy_combination_source(&both));

    ploy_steering_goal goal = ploy_steering_goal_at(door);
    ploy_keep_out circle = ploy_keep_out_make(guard, 5.0f, 1.2f);
    ploy_plain_actuator plain = ploy_plain_actuator_default();
    ploy_pipeline pipeline = ploy_pipeline_make(ploy_plain_actuator_make(&plain));
    ploy_pipeline_add_targeter(&pipeline, ploy_goal_targeter(&goal));
    ploy_pipeline_add_constraint(&pipeline, ploy_keep_out_constraint(&circle));
    pipeline.deadlock = about;
    run("pipeline", ploy_pipeline_source(&pipeline));
    return 0;
}
