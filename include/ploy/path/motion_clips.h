/// @file ploy/path/motion_clips.h
/// Movement planning: a sequence of animations through a tight place, with valid footfalls.
///
/// An animation covers a small range of displacement and rotation, can be played a little faster or
/// slower, needs a speed to begin with, and leads from one posture to another. Where there is
/// little floor (stairs, ledges, stepping stones), steering is too coarse; a search over animations
/// is not.
///
/// A state is an exact pose: position, orientation, velocity and posture. Playing the plan ends
/// exactly at its last pose, bit for bit. Bins of a lattice only detect duplicates: of two poses in
/// one bin the earlier one is kept. Bins are made smaller than the smallest move, so no move is
/// lost. Goals are ranges, because an exact pose can seldom be reached.
///
/// Ranges are continuous and a search needs choices: scale, rotation and playback rate are divided
/// into a few values each (ploy_clip_choices). Either all combinations become successors, or, with
/// `refine`, only the most promising ones, one for each part of the range of scale: the ranges are
/// sampled again and again around the best sample so far. That finds exact scales with few
/// states, but it relies on the estimate, so a plan may be longer, or be missed in a maze.
/// Footfalls are clips, too: left and right are postures, every step is a clip, and `clear` tests
/// where the foot lands.
///
/// Technique: Millington, "AI for Games", movement planning and footfalls.
/// Units: metres, seconds, radians. One unit of budget is one pose taken. For short paths: one
/// room. Memory: about 200 bytes a pose. Threads: one caller.
#pragma once

#include "ploy/base/budget.h"
#include "ploy/geom/path.h"
#include "ploy/geom/scene.h"
#include "ploy/search/search.h"

/// A state of movement.
typedef struct ploy_clip_pose {
    ploy_vec2 position;
    float orientation;  ///< rad
    int32_t posture;    ///< the game's: standing, crouching, left foot down
    ploy_vec2 velocity; ///< m/s
} ploy_clip_pose;

/// Makes a pose at rest in posture 0.
PLOY_API ploy_clip_pose ploy_clip_pose_make(ploy_vec2 position, float orientation);

/// An animation or manoeuvre: when it can be played, what it does, and how it may be stretched.
typedef struct ploy_clip {
    ploy_name name;
    int32_t from_posture, to_posture;
    ploy_vec2 shift; ///< m, in the body's axes: x forward, y left
    float scale_min; ///< the displacement ranges from shift x this
    float scale_max; ///< to shift x this
    float turn_min;  ///< rad; the rotation ranges from this
    float turn_max;  ///< to this
    float duration;  ///< s, at rate 1; above 0
    float rate_min;  ///< slowest playback
    float rate_max;  ///< fastest playback
    float speed_min; ///< m/s; the body must be this fast when it begins
    float speed_max; ///< m/s; and no faster
    float radius;    ///< m, of the circle that it sweeps
} ploy_clip;

/// Makes a clip that is not stretched, turns by one angle, and begins at any speed.
PLOY_API ploy_clip ploy_clip_make(ploy_name name, ploy_vec2 shift, float turn, float duration);

/// Divides a range into values, including both ends: 15 to 30 in 4 gives 15, 20, 25, 30.
/// @param out  room for count; one value is the middle. @return PLOY_ERR_ARGUMENT.
PLOY_API ploy_result ploy_clip_choices(float least, float most, int32_t count, float *out);

/// Returns true if a clip can produce this speed and rotation (rad/s). A clip's speed and rotation
/// are displacement and turn over duration, within its ranges of scale, turn and rate.
PLOY_API bool ploy_clip_fits(const ploy_clip *clip, float speed, float rotation, float tolerance);

/// One variant of a clip.
typedef struct ploy_clip_choice {
    float scale; ///< of the displacement
    float turn;  ///< rad
    float rate;  ///< of playback
} ploy_clip_choice;

/// Returns true if the clip may be played between these poses. For tests that a scene cannot make:
/// footholds, hazards. NULL: always.
typedef bool (*ploy_clip_clear_fn)(void *user, const ploy_clip *clip, ploy_clip_pose from,
                                   ploy_clip_pose to);

typedef struct ploy_clip_planner ploy_clip_planner;

typedef struct ploy_clip_planner_def {
    uint32_t cookie;
    float lattice;       ///< m, size of a bin; made smaller if a clip moves less
    int32_t headings;    ///< bins of a full circle; more if a clip turns less
    float speed_step;    ///< m/s, size of a bin of velocity
    int32_t scales;      ///< values that each range of scale is divided into
    int32_t turns;       ///< values of each range of rotation
    int32_t rates;       ///< values of each range of playback rate
    int32_t refine;      ///< rounds of sampling around the best choice; 0: all choices
    int32_t max_states;  ///< poses after which the search gives up
    float goal_radius;   ///< m; distance at which the goal counts as reached
    float goal_angle;    ///< rad; pi: any
    float goal_velocity; ///< m/s; the velocity may differ from the goal's by this; 1e6: any
    float top_speed;     ///< m/s that no clip exceeds, for the estimate; 0: found from the clips
} ploy_clip_planner_def;

PLOY_API ploy_clip_planner_def ploy_clip_planner_def_default(void);
PLOY_API ploy_fields ploy_clip_planner_fields(void);
/// @param clips  copied.
/// @param scene  every clip sweeps a circle of its radius through it, in a straight line; copied;
///               NULL: empty. @param clear  tested in addition; may be NULL.
/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_clip_planner_create(const ploy_clip_planner_def *def,
                                              const ploy_clip *clips, int32_t count,
                                              const ploy_scene *scene, ploy_clip_clear_fn clear,
                                              void *user, const ploy_env *env,
                                              ploy_clip_planner **out);
/// NULL is allowed.
PLOY_API void ploy_clip_planner_destroy(ploy_clip_planner *planner);

/// Begins a plan. @param posture  of the goal; -1: any. @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_clip_planner_begin(ploy_clip_planner *planner, ploy_clip_pose from,
                                             ploy_clip_pose to, int32_t posture);
/// Steps the search, as ploy_search_step.
PLOY_API ploy_result ploy_clip_planner_step(ploy_clip_planner *planner, ploy_budget *budget);
/// Returns the outcome, as ploy_search_outcome_of.
PLOY_API ploy_search_outcome ploy_clip_planner_outcome(const ploy_clip_planner *planner);

/// One clip of a plan.
typedef struct ploy_clip_step {
    int32_t clip; ///< its index
    ploy_clip_choice choice;
    float seconds;
    ploy_clip_pose to; ///< where it ends
} ploy_clip_step;

/// Returns the plan. @return the number of clips, which may exceed capacity; -1 if there is none.
PLOY_API int32_t ploy_clip_planner_plan(const ploy_clip_planner *planner, ploy_clip_step *out,
                                        int32_t capacity, double *seconds);
PLOY_API void ploy_clip_planner_memory(const ploy_clip_planner *planner, ploy_memory_fn fn,
                                       void *user);

// ---- feet ----

/// Postures of a walk: which foot is down.
enum { PLOY_FOOT_LEFT = 0, PLOY_FOOT_RIGHT = 1 };

/// What feet can reach.
typedef struct ploy_footfalls {
    float width;    ///< m between the feet
    float step_min; ///< m forward, from one foot to the other
    float step_max;
    float turn_max; ///< rad a step, to both sides
    float seconds;  ///< of a step
    int32_t steps;  ///< values that the length is divided into
    int32_t turns;  ///< values that the turn is divided into; odd, to include straight ahead
} ploy_footfalls;

/// The footfalls of an adult.
PLOY_API ploy_footfalls ploy_footfalls_default(void);
/// Lists the steps of both feet, for a clip planner. @return their number, which may exceed
/// capacity.
PLOY_API int32_t ploy_footfalls_clips(const ploy_footfalls *feet, ploy_clip *out, int32_t capacity);
/// Returns the position of the foot that is down in a pose.
PLOY_API ploy_vec2 ploy_footfalls_place(const ploy_footfalls *feet, ploy_clip_pose pose);
/// Finds the valid place nearest to where a foot would land. This is a local correction; the rest
/// is inverse kinematics. @param good  returns true if a foot can be put there. @return false,
/// leaving out alone, if there is none within the radius.
PLOY_API bool ploy_footfalls_snap(ploy_vec2 place, float radius, float step,
                                  bool (*good)(void *user, ploy_vec2 place), void *user,
                                  ploy_vec2 *out);
