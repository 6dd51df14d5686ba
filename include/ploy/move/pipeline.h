/// @file ploy/move/pipeline.h
/// The steering pipeline: first goals, then paths to them that violate no constraint.
///
///     targeters -> decomposers -> ( actuator: path -> constraints: broken? -> another goal )*
///                                   -> output; all tries used up: the deadlock source
///
/// Targeters set the goal: a place, a facing, a velocity, a rotation, or some of these. Decomposers
/// replace a far goal by the next step to it (the route of a path service). The actuator computes
/// the path that this body would take; each constraint checks that path and, if violated, suggests
/// another goal. Express "away from" as a place to run to, and things to avoid as constraints,
/// never as goals. The pipeline gets through doors and around corners where sums of forces get
/// stuck.
///
///     ploy_pipeline pipeline = ploy_pipeline_make(ploy_plain_actuator_make(&plain));
///     ploy_pipeline_add_targeter(&pipeline, ploy_goal_targeter(&goal));
///     ploy_pipeline_add_constraint(&pipeline, ploy_keep_out_constraint(&circle));
///     steering = ploy_pipeline_steer(&pipeline, &context, NULL);
///
/// One pipeline serves the plane and space: positions have three components, and z is 0 on the
/// plane.
/// Technique: Millington, "AI for Games", 3.4, with the listings' mistakes corrected.
///
/// Units: metres, seconds, radians. Cost: O(tries * constraints); no allocation in a step (except
/// when a route is longer than any before). Threads: as for the stages.
#pragma once

#include "ploy/base/env.h"
#include "ploy/exec/path_service.h"
#include "ploy/geom/scene.h"
#include "ploy/move/arrive.h"
#include "ploy/move/source.h"

/// The channels of a goal that are set; the others do not matter.
#define PLOY_GOAL_POSITION 1u
#define PLOY_GOAL_ORIENTATION 2u
#define PLOY_GOAL_VELOCITY 4u
#define PLOY_GOAL_ROTATION 8u
/// With a position: pass it at full speed, as an intermediate point, without braking.
#define PLOY_GOAL_PASS 16u

typedef struct ploy_steering_goal {
    uint32_t has;           ///< bits above
    ploy_vec3 position;     ///< m
    float orientation;      ///< rad, on the plane
    ploy_quat orientation3; ///< in space
    ploy_vec3 velocity;     ///< m/s
    ploy_vec3 rotation;     ///< rad/s; on the plane only z
} ploy_steering_goal;

/// Makes a goal with no channel set.
PLOY_API ploy_steering_goal ploy_steering_goal_none(void);
/// Makes a goal with only a position.
PLOY_API ploy_steering_goal ploy_steering_goal_at(ploy_vec2 position);
PLOY_API ploy_steering_goal ploy_steering_goal3_at(ploy_vec3 position);

/// The path that a body would take: straight segments between points.
#define PLOY_STEERING_PATH_POINTS 16
typedef struct ploy_steering_path {
    ploy_vec3 points[PLOY_STEERING_PATH_POINTS];
    int32_t count;
} ploy_steering_path;

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
    /// Returns true if the path violates the constraint; sets *piece to the segment that does (0 is
    /// the first).
    bool (*broken)(void *user, const ploy_steering_context *context, const ploy_steering_path *path,
                   int32_t *piece);
    /// Returns another goal; called right after `broken` returned true.
    ploy_steering_goal (*suggest)(void *user, const ploy_steering_context *context,
                                  const ploy_steering_path *path, int32_t piece,
                                  ploy_steering_goal goal);
    void *user;
} ploy_constraint;

typedef struct ploy_actuator {
    const char *name;
    void (*path)(void *user, const ploy_steering_context *context, ploy_steering_goal goal,
                 ploy_steering_path *out);
    /// The request on the plane. NULL: the body works only in space.
    ploy_steering (*output)(void *user, const ploy_steering_context *context,
                            const ploy_steering_path *path, ploy_steering_goal goal);
    /// The request in space. NULL: the body works only on the plane.
    ploy_steering3 (*output3)(void *user, const ploy_steering_context *context,
                              const ploy_steering_path *path, ploy_steering_goal goal);
    void *user;
} ploy_actuator;

/// Keeps a pipeline on a goal that a constraint suggested. Without it every step starts from
/// scratch, which suits bodies that turn on the spot; a body that must first back up or go round
/// would change its goal again after the first metre, forever. One for each agent; initially all
/// zero.
typedef struct ploy_pipeline_hold {
    float seconds;          ///< s to keep a suggestion while its path violates nothing; 0: never
    float reach;            ///< m; a suggestion within this distance is reached and dropped
    float moved;            ///< m that the goal may move while a suggestion is kept
    float left;             ///< s left for the present suggestion: state
    ploy_vec3 wanted, held; ///< state: the goal, and the suggestion followed instead
} ploy_pipeline_hold;
/// Returns seconds 1, reach 1, moved 1, and no suggestion.
PLOY_API ploy_pipeline_hold ploy_pipeline_hold_default(void);

#define PLOY_PIPELINE_TARGETERS_MAX 4
#define PLOY_PIPELINE_DECOMPOSERS_MAX 4
#define PLOY_PIPELINE_CONSTRAINTS_MAX 16

/// A pipeline: plain data in the caller's memory. Set up with ploy_pipeline_make and the functions
/// that add stages.
typedef struct ploy_pipeline {
    ploy_targeter targeters[PLOY_PIPELINE_TARGETERS_MAX];
    ploy_decomposer decomposers[PLOY_PIPELINE_DECOMPOSERS_MAX];
    ploy_constraint constraints[PLOY_PIPELINE_CONSTRAINTS_MAX];
    int32_t targeter_count, decomposer_count, constraint_count;
    ploy_actuator actuator;
    ploy_steering_source deadlock; ///< runs when all tries are used up; none: requests nothing
    int32_t tries;            ///< 1 to 1000; 0: one more than there are constraints, and at least 4
    ploy_pipeline_hold *hold; ///< may be NULL; written by every step
} ploy_pipeline;

/// Makes a pipeline with only an actuator.
PLOY_API ploy_pipeline ploy_pipeline_make(ploy_actuator actuator);
/// Adds a stage. Decomposers run in the order added: add coarse ones first.
/// @return PLOY_ERR_CAPACITY, PLOY_ERR_ARGUMENT for a stage without its functions.
PLOY_API ploy_result ploy_pipeline_add_targeter(ploy_pipeline *pipeline, ploy_targeter targeter);
PLOY_API ploy_result ploy_pipeline_add_decomposer(ploy_pipeline *pipeline,
                                                  ploy_decomposer decomposer);
PLOY_API ploy_result ploy_pipeline_add_constraint(ploy_pipeline *pipeline,
                                                  ploy_constraint constraint);

/// The course of a step, for display.
typedef struct ploy_pipeline_report {
    ploy_steering_goal goal; ///< in the end
    ploy_steering_path path; ///< in the end
    int32_t tries;           ///< how many
    uint32_t conflicts;      ///< channels that two targeters set
    bool deadlock;
} ploy_pipeline_report;

/// One step. Invalid if the number of tries is out of range, or the actuator does not support the
/// plane, or space.
/// @param report  may be NULL.
PLOY_API ploy_steering ploy_pipeline_steer(const ploy_pipeline *pipeline,
                                           const ploy_steering_context *context,
                                           ploy_pipeline_report *report);
PLOY_API ploy_steering3 ploy_pipeline_steer3(const ploy_pipeline *pipeline,
                                             const ploy_steering_context *context,
                                             ploy_pipeline_report *report);
/// Makes a source of a pipeline, which is borrowed; for the plane and for space.
PLOY_API ploy_steering_source ploy_pipeline_source(const ploy_pipeline *pipeline);
/// Draws the path and the goal, seen from above.
PLOY_API void ploy_pipeline_report_draw(const ploy_pipeline_report *report, ploy_agent_id owner,
                                        ploy_draw *out);

// ---- stages ----

/// Chase: the goal is where another agent will be after `lookahead` seconds.
typedef struct ploy_chase {
    const ploy_kinematic *victim;
    const ploy_kinematic3 *victim3; ///< in space; then victim is not read
    float lookahead;                ///< s
} ploy_chase;
PLOY_API ploy_targeter ploy_chase_targeter(ploy_chase *chase);
/// A fixed goal, set by the caller.
PLOY_API ploy_targeter ploy_goal_targeter(ploy_steering_goal *goal);
/// Look at a point; z is used only in space.
PLOY_API ploy_targeter ploy_look_targeter(ploy_vec3 *point);

/// Keep out of a circle, or of a sphere.
typedef struct ploy_keep_out {
    ploy_vec3 centre;
    float radius; ///< m
    float margin; ///< above 1; the suggested goal is this many radii away
} ploy_keep_out;
PLOY_API ploy_keep_out ploy_keep_out_make(ploy_vec2 centre, float radius, float margin);
PLOY_API ploy_constraint ploy_keep_out_constraint(ploy_keep_out *circle);

/// Keep clear of moving agents, up to `horizon` seconds ahead; each is assumed to keep its
/// velocity.
typedef struct ploy_keep_apart {
    const ploy_kinematics *others; ///< the agent itself may be among them
    int32_t self;                  ///< its number there; -1: it is not
    float radius;                  ///< m, of both bodies together
    float horizon;                 ///< s
    float speed;                   ///< m/s, expected speed of the agent
    float margin;                  ///< above 1, as in ploy_keep_out
} ploy_keep_apart;
PLOY_API ploy_constraint ploy_keep_apart_constraint(ploy_keep_apart *agents);

/// Stay off slopes steeper than `max_slope`, measured by the heights of the scene's floor.
typedef struct ploy_keep_level {
    const ploy_scene *scene;
    uint32_t mask;
    float max_slope; ///< rise over run
    float step;      ///< m between the heights that are compared
    float margin;    ///< m, how far before the slope to stop
} ploy_keep_level;
PLOY_API ploy_constraint ploy_keep_level_constraint(ploy_keep_level *floor);

/// Keep out of the walls of a scene.
typedef struct ploy_keep_clear {
    const ploy_scene *scene;
    uint32_t mask;
    float radius; ///< m, of the body
    float margin; ///< m of extra room
} ploy_keep_clear;
PLOY_API ploy_constraint ploy_keep_clear_constraint(ploy_keep_clear *walls);

/// Stay within a box; z is used only in space.
typedef struct ploy_keep_in {
    ploy_vec3 min, max; ///< m
} ploy_keep_in;
PLOY_API ploy_constraint ploy_keep_in_constraint(ploy_keep_in *box);

/// The plain actuator: goes straight to the goal and brakes at the end, unless the goal is only
/// passed. With a velocity channel it takes a run-up, to pass the position at that velocity. With
/// an orientation it turns to it.
typedef struct ploy_plain_actuator {
    ploy_arrive_def arrive;
    float lookahead;    ///< s, of a goal that is only a velocity
    float max_rotation; ///< rad/s
    float turn_time;    ///< s to reach a desired rotation
    float max_angular_acceleration;
    float match; ///< m/s; no run-up is needed within this of the desired velocity
} ploy_plain_actuator;
PLOY_API ploy_plain_actuator ploy_plain_actuator_default(void);
PLOY_API ploy_actuator ploy_plain_actuator_make(ploy_plain_actuator *actuator);

/// A decomposer that uses a path service: requests a route, keeps its present one until the answer
/// arrives, and returns the route's next point as a point to pass. Only on the plane. Opaque.
typedef struct ploy_route ploy_route;
typedef struct ploy_route_def {
    uint32_t cookie;
    float reach;  ///< m; a route point within this distance counts as reached
    float replan; ///< m that the goal may move before another route is requested
    float radius; ///< m, of the body
} ploy_route_def;
PLOY_API ploy_route_def ploy_route_def_default(void);
PLOY_API ploy_fields ploy_route_fields(void);
/// @param service  copied; its pointers must stay valid, and the caller must step it.
PLOY_API ploy_result ploy_route_create(const ploy_route_def *def, const ploy_path_service *service,
                                       const ploy_env *env, ploy_route **out);
PLOY_API void ploy_route_destroy(ploy_route *route);
PLOY_API ploy_decomposer ploy_route_decomposer(ploy_route *route);
/// Visits a ploy_route (ploy/base/visit.h): for a load, the path service must have the ticket.
PLOY_API void ploy_route_visit(ploy_visit *v, void *route);
PLOY_API void ploy_route_describe(const ploy_route *route, ploy_describe *out);
PLOY_API void ploy_route_draw(const ploy_route *route, ploy_agent_id owner, ploy_draw *out);
PLOY_API void ploy_route_memory(const ploy_route *route, ploy_memory_fn fn, void *user);
