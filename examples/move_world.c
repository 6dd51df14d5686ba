// A small round world, and what moves in it: a comet that wraps around its edges, pulled by a force
// and by a request at the same time. At last, why it does what it does. Shows ploy_bounds_apply,
// ploy_bounds_offset, ploy_steering_from_force, ploy_steering_add and ploy_seek_trace.
#include <stdio.h>

#include "ploy/move/bounds.h"
#include "ploy/move/integrate.h"
#include "ploy/move/seek.h"

static void print_option(void *user, const char *name, ploy_outcome outcome, double score,
                         const char *reason) {
    (void)user, (void)score;
    printf("why: %s %s: %s\n", name, outcome == PLOY_OUTCOME_WON ? "won" : "did not win", reason);
}
static void ignore_begin(void *user, ploy_id agent, const char *topic, const char *technique) {
    (void)user, (void)agent, (void)topic, (void)technique;
}
static void ignore_value(void *user, const char *name, const ploy_value *value) {
    (void)user, (void)name, (void)value;
}
static void ignore_note(void *user, const char *text) {
    (void)user, (void)text;
}
static void ignore_end(void *user) {
    (void)user;
}

int main(void) {
    ploy_bounds_def world = ploy_bounds_def_default();
    world.min = ploy_vec3_make(-10.0f, -10.0f, 0.0f);
    world.max = ploy_vec3_make(10.0f, 10.0f, 0.0f);
    ploy_seek_def seek = ploy_seek_def_default();
    ploy_integrate_def motion = ploy_integrate_def_default();
    ploy_kinematic comet = ploy_kinematic_make(ploy_vec2_make(7.0f, 0.0f), 0.0f);
    ploy_vec2 home = {-7.0f, 0.0f};
    for (int tick = 0; tick < 90; tick++) {
        // The shortest path home leads across the edge.
        ploy_vec2 offset = ploy_bounds_offset(&world, comet.position, home);
        ploy_steering steering = ploy_seek(&seek, comet, ploy_vec2_add(comet.position, offset));
        ploy_steering wind = ploy_steering_from_force(ploy_vec2_make(0.0f, 3.0f), 2.0f);
        comet = ploy_integrate(&motion, comet, ploy_steering_add(steering, wind), 1.0f / 60.0f);
        comet = ploy_bounds_apply(&world, comet);
        if (tick % 30 == 29) printf("%.1f s: x %.1f\n", (tick + 1) / 60.0, comet.position.x);
    }
    ploy_trace trace = {ignore_begin, print_option, ignore_value, ignore_note, ignore_end, NULL};
    ploy_seek_trace(&seek, comet, home, ploy_agent_id_make(1, 1), &trace);
    return 0;
}
