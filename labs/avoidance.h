// A course with posts: a runner of constant speed crosses it from left to right by choosing turns.
#pragma once

#include "ploy/geom/scene.h"
#include "ploy/learn/problem.h"
#include "ploy/move/kinematic.h"

enum {
    AVOIDANCE_RAYS = 15,
    AVOIDANCE_OBSERVED = AVOIDANCE_RAYS + 2,
    AVOIDANCE_ACTIONS = 5,
    AVOIDANCE_POSTS_MAX = 30,
    AVOIDANCE_STEPS_MAX = 250
};

#define AVOIDANCE_LENGTH 30.0f // m
#define AVOIDANCE_HALF_WIDTH 6.0f
#define AVOIDANCE_RADIUS 0.3f // m, of the runner

typedef enum avoidance_end {
    AVOIDANCE_RUNS,
    AVOIDANCE_CROSSED,
    AVOIDANCE_CRASHED,
    AVOIDANCE_LOST // too many steps
} avoidance_end;

typedef struct avoidance_course {
    ploy_plain_scene *scene; // posts and the two side walls
    ploy_circle posts[AVOIDANCE_POSTS_MAX];
    int32_t post_count;
    ploy_kinematic body;
    int32_t steps;
    avoidance_end end;
} avoidance_course;

// What an actor sees and does: closeness of what each ray hits, the orientation and the place across
// the course; turns from right to left.
ploy_problem_space avoidance_space(void);
// Creates the scene. The course is empty until a layout is made.
ploy_result avoidance_init(avoidance_course *course, const ploy_env *env);
// Places the posts of a layout, with a gap around each, and the runner before them.
ploy_result avoidance_lay(avoidance_course *course, ploy_rng_key key, uint64_t layout,
                          int32_t posts);
void avoidance_observe(const avoidance_course *course, float *out);
// One step. The reward is the progress, a hundredth for 0.2 m, and -1 for a crash.
ploy_problem_result avoidance_step(avoidance_course *course, int32_t action);
// The hand-made rule: the push of ploy_avoid_obstacles where a post is ahead, else toward the far
// side. Posts are passed at the distance `berth`, m.
int32_t avoidance_rule(const avoidance_course *course, float berth);
void avoidance_describe(const avoidance_course *course, ploy_describe *out);
