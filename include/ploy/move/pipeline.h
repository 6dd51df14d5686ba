/// @file ploy/move/pipeline.h
/// The steering pipeline: goals first, then ways to reach them that break no rule.
///
///     targeters -> decomposers -> ( actuator: way -> constraints: broken? -> another goal )*
///                                   -> output; all tries used up: the deadlock source
///
/// Targeters say what is wanted: a place, a facing, a velocity, a rotation, or some of these.
/// Decomposers replace a far goal by the next step to it (the route of a path service). The
/// actuator says how this body would go there; each constraint looks at that way and, if it is
/// broken, suggests another goal. Wishes of the kind "away from" are a place to run to; what must
/// not be run into is a constraint, never a goal.
/// It gets through doors and around corners where sums of forces get stuck.
/// Technique: Millington, "AI for Games", 3.4, with the listings' mistakes mended.
///
/// Units: metres, seconds, radians. Cost: O(tries * constraints); no allocation in a step (routes:
/// when a longer one than ever comes). Threads: pure, if the stages are.
#pragma once

#include "ploy/base/env.h"
#include "ploy/exec/path_service.h"
#include "ploy/move/arrive.h"
#include "ploy/move/combine.h"

/// The channels of a goal that are set; the others do not matter.
#define PLOY_GOAL_POSITION 1u
#define PLOY_GOAL_ORIENTATION 2u
#define PLOY_GOAL_VELOCITY 4u
#define PLOY_GOAL_ROTATION 8u

typedef struct ploy_steering_goal {
    uint32_t has; ///< bits above
    ploy_vec2 position;
    float orientation;
    ploy_vec2 velocity;
    float rotation;
} ploy_steering_goal;

/// A goal with no channel set.
PLOY_API ploy_steering_goal ploy_steering_goal_none(void);
/// Channels set in `more` overwrite those of goal. @return the channels that were set in both.
PLOY_API uint32_t ploy_steering_goal_merge(ploy_steering_goal *goal, ploy_steering_goal more);

/// The way a body would take: straight pieces from point to point.
#define PLOY_STEERING_WAY_POINTS 16
typedef struct ploy_steering_way {
    ploy_vec2 points[PLOY_STEERING_WAY_POINTS];
    int32_t count;
} ploy_steering_way;

typedef struct ploy_targeter {
    const char *name;
    ploy_steering_goal (*target)(void *user, const ploy_steering_context *context);
    void *user;
} ploy_targeter;

typedef struct ploy_decomposer {
    const char *name;
    ploy_steering_goal (*decompose)(void *user, const ploy_steering_context *context,
                                    ploy_steering_goal goal);
    void *user;
} ploy_decomposer;

typedef struct ploy_constraint {
    const char *name;
    /// True if the way breaks it; *piece says which piece (0 is the first).
    bool (*broken)(void *user, const ploy_steering_context *context, const ploy_steering_way *way,
                   int32_t *piece);
    /// Another goal, asked for right after a positive test.
    ploy_steering_goal (*suggest)(void *user, const ploy_steering_context *context,
                                  const ploy_steering_way *way, int32_t piece,
                                  ploy_steering_goal goal);
    void *user;
} ploy_constraint;

typedef struct ploy_actuator {
    const char *name;
    void (*way)(void *user, const ploy_steering_context *context, ploy_steering_goal goal,
                ploy_steering_way *out);
    ploy_steering (*output)(void *user, const ploy_steering_context *context,
                            const ploy_steering_way *way, ploy_steering_goal goal);
    void *user;
} ploy_actuator;

/// What keeps a pipeline to a goal that a constraint suggested. Without it every step starts anew,
/// which is right for who turns on the spot; who must back up or go round first would change its
/// mind at the first metre, for ever. One for each agent; all zero at first.
typedef struct ploy_pipeline_hold {
    float seconds;          ///< s to keep to a suggestion, while its way breaks nothing; 0: never
    float reach;            ///< m from it that counts as having been there; then it is given up
    float moved;            ///< m that what is wanted may move in the meantime
    float left;             ///< s, of the present one: state
    ploy_vec2 wanted, held; ///< state: what was wanted, and what is done instead
} ploy_pipeline_hold;
/// A second, a metre, a metre; nothing held.
PLOY_API ploy_pipeline_hold ploy_pipeline_hold_default(void);

/// A pipeline; the caller's memory.
typedef struct ploy_pipeline {
    const ploy_targeter *targeters;
    int32_t targeter_count;
    const ploy_decomposer *decomposers; ///< coarse ones first
    int32_t decomposer_count;
    const ploy_constraint *constraints;
    int32_t constraint_count;
    ploy_actuator actuator;
    ploy_steering_source deadlock; ///< steer NULL: asks for nothing then
    int32_t tries;                 ///< about the number of constraints; 1 to 1000
    ploy_pipeline_hold *hold;      ///< may be NULL; written by every step
} ploy_pipeline;

/// What happened in a step, to be shown.
typedef struct ploy_pipeline_report {
    ploy_steering_goal goal; ///< in the end
    ploy_steering_way way;   ///< in the end
    int32_t tries;           ///< how many
    uint32_t conflicts;      ///< channels that two targeters set
    bool deadlock;
} ploy_pipeline_report;

/// One step. @param report  may be NULL.
PLOY_API ploy_steering ploy_pipeline_steer(const ploy_pipeline *pipeline,
                                           const ploy_steering_context *context,
                                           ploy_pipeline_report *report);
/// A pipeline as a source; it is only read (but for its hold), and must stay.
PLOY_API ploy_steering_source ploy_pipeline_source(const char *name, ploy_pipeline *pipeline);
PLOY_API void ploy_pipeline_report_draw(const ploy_pipeline_report *report, ploy_agent_id owner,
                                        ploy_draw *out);

// ---- stages ----

/// Chase: where somebody will be after `lookahead` seconds.
typedef struct ploy_chase {
    const ploy_kinematic *victim;
    float lookahead; ///< s
} ploy_chase;
PLOY_API ploy_targeter ploy_chase_targeter(ploy_chase *chase);
/// A goal that is given.
PLOY_API ploy_targeter ploy_goal_targeter(ploy_steering_goal *goal);
/// Look at a point.
PLOY_API ploy_targeter ploy_look_targeter(ploy_vec2 *point);

/// Keep out of a circle.
typedef struct ploy_keep_out {
    ploy_vec2 centre;
    float radius; ///< m
    float margin; ///< above 1; the suggested goal is so many radii away
} ploy_keep_out;
PLOY_API ploy_constraint ploy_keep_out_constraint(ploy_keep_out *circle);

/// Keep out of the walls of a scene.
typedef struct ploy_keep_clear {
    const ploy_scene *scene;
    uint32_t mask;
    float radius; ///< m, of the body
    float margin; ///< m of room besides
} ploy_keep_clear;
PLOY_API ploy_constraint ploy_keep_clear_constraint(ploy_keep_clear *walls);

/// Stay within a box.
typedef struct ploy_keep_in {
    ploy_vec2 min, max; ///< m
} ploy_keep_in;
PLOY_API ploy_constraint ploy_keep_in_constraint(ploy_keep_in *box);

/// The plain actuator: straight to the goal, braking at its end; with a velocity channel it takes a
/// run-up, so as to pass the place at that velocity; with an orientation it turns to that.
typedef struct ploy_plain_actuator {
    ploy_arrive_def arrive;
    float lookahead;    ///< s, of a goal that is only a velocity
    float max_rotation; ///< rad/s
    float turn_time;    ///< s to reach a wanted rotation
    float max_angular_acceleration;
    float match; ///< m/s; nearer to the wanted velocity no run-up is needed
} ploy_plain_actuator;
PLOY_API ploy_plain_actuator ploy_plain_actuator_default(void);
PLOY_API ploy_actuator ploy_plain_actuator_make(ploy_plain_actuator *actuator);

/// The decomposer over a path service: asks for a route, goes on with what it has until the answer
/// is there, and hands out the route's next point. Opaque.
typedef struct ploy_route ploy_route;
typedef struct ploy_route_def {
    uint32_t cookie;
    float reach;  ///< m from a point of the route that counts as having been there
    float replan; ///< m that the goal may move before another route is asked for
    float radius; ///< m, of the body
} ploy_route_def;
PLOY_API ploy_route_def ploy_route_def_default(void);
PLOY_API ploy_fields ploy_route_fields(void);
/// @param service  copied; what it points to must stay, and somebody must step it.
PLOY_API ploy_result ploy_route_create(const ploy_route_def *def, const ploy_path_service *service,
                                       const ploy_env *env, ploy_route **out);
PLOY_API void ploy_route_destroy(ploy_route *route);
PLOY_API ploy_decomposer ploy_route_decomposer(ploy_route *route);
/// True if the service said that there is no way to the present goal.
PLOY_API bool ploy_route_is_blocked(const ploy_route *route);
PLOY_API void ploy_route_describe(const ploy_route *route, ploy_describe *out);
PLOY_API void ploy_route_draw(const ploy_route *route, ploy_agent_id owner, ploy_draw *out);
PLOY_API void ploy_route_memory(const ploy_route *route, ploy_memory_fn fn, void *user);
