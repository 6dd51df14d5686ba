/// @file ploy/path/motion_clips.h
/// Movement planning: a row of animations that leads through a tight place, and feet that land well.
///
/// An animation covers a small range of ground and turning, can be stretched a little by playing it
/// faster or slower, and leads from one posture to another. Where ground is scarce (stairs, ledges,
/// a row of stepping stones) steering is too coarse; instead one searches over animations. States
/// are poses with a posture, snapped to a fine lattice so that equal ones meet; goals are ranges,
/// because an exact pose can seldom be hit.
///
/// Ranges are continuous and a search needs choices: they are cut into a few values
/// (ploy_clip_choices). Footfalls are moves, too: left and right are postures, every step is a
/// move, and what is asked is whether the foot's place is good.
///
/// Technique: Millington, "AI for Games", movement planning and footfalls.
/// Units: metres, seconds, radians. One unit of budget is one pose taken. For short ways: one room.
/// Memory: about 100 bytes a pose. Threads: one caller.
#pragma once

#include "ploy/base/budget.h"
#include "ploy/geom/path.h"
#include "ploy/search/search.h"

/// Where one is, how one looks and stands.
typedef struct ploy_clip_pose {
    ploy_vec2 position;
    float orientation; ///< rad
    int32_t posture;   ///< the game's: standing, crouching, left foot down
} ploy_clip_pose;

/// An animation or manoeuvre: what it does from a pose, and how it may be stretched.
typedef struct ploy_clip {
    ploy_name name;
    int32_t from_posture, to_posture;
    ploy_vec2 shift; ///< m, in the body's own axes: x forward, y left
    float turn;      ///< rad, at the end
    float duration;  ///< s, at rate 1; above 0
    float rate_min;  ///< it can be played this slowly
    float rate_max;  ///< and this fast
    float scale_min; ///< the ground it covers can be stretched: shift x this
    float scale_max; ///< to shift x this
    float radius;    ///< m, of what it sweeps
} ploy_clip;

/// A move that is not stretched.
PLOY_API ploy_clip ploy_clip_make(ploy_name name, ploy_vec2 shift, float turn, float duration);

/// Cuts a range into values, both ends among them: 15 to 30 in 4 gives 15, 20, 25, 30.
/// @param out  room for count; one value is the middle. @return PLOY_ERR_ARGUMENT.
PLOY_API ploy_result ploy_clip_choices(float least, float most, int32_t count, float *out);

/// Can a move be used at this speed and turning rate? Its own are shift / duration, within rates.
PLOY_API bool ploy_clip_fits(const ploy_clip *move, float speed, float rotation, float tolerance);

/// Where a move leads.
PLOY_API ploy_clip_pose ploy_clip_apply(const ploy_clip *move, float scale, ploy_clip_pose pose);

/// May the move be made? Normally a sweep. NULL: always.
typedef bool (*ploy_clip_clear_fn)(void *user, const ploy_clip *move, ploy_clip_pose from,
                                   ploy_clip_pose to);

typedef struct ploy_clip_planner ploy_clip_planner;

typedef struct ploy_clip_planner_def {
    uint32_t cookie;
    float lattice;      ///< m; poses are snapped to it
    int32_t headings;   ///< of a full circle; orientations are snapped to them
    int32_t scales;     ///< values that each range of scale is cut into
    int32_t max_states; ///< poses after which it gives up
    float goal_radius;  ///< m: near enough
    float goal_angle;   ///< rad, likewise; pi: any
    float top_speed;    ///< m/s that no move exceeds, for the estimate; 0: found from the moves
} ploy_clip_planner_def;

PLOY_API ploy_clip_planner_def ploy_clip_planner_def_default(void);
PLOY_API ploy_fields ploy_clip_planner_fields(void);
/// @param moves  copied. @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_clip_planner_create(const ploy_clip_planner_def *def,
                                              const ploy_clip *moves, int32_t count,
                                              ploy_clip_clear_fn clear, void *user,
                                              const ploy_env *env, ploy_clip_planner **out);
/// NULL is allowed.
PLOY_API void ploy_clip_planner_destroy(ploy_clip_planner *planner);

/// Begins. @param posture  of the goal; -1: any. @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_clip_planner_begin(ploy_clip_planner *planner, ploy_clip_pose from,
                                             ploy_clip_pose to, int32_t posture);
/// As ploy_search_step.
PLOY_API ploy_result ploy_clip_planner_step(ploy_clip_planner *planner, ploy_budget *budget);
/// As ploy_search_outcome_of.
PLOY_API ploy_search_outcome ploy_clip_planner_outcome(const ploy_clip_planner *planner);

/// One move of a plan.
typedef struct ploy_clip_step {
    int32_t move; ///< its number
    float scale;
    float seconds;
    ploy_clip_pose to; ///< where it ends
} ploy_clip_step;

/// The plan. @return how many moves, perhaps more than capacity; -1 if there is none.
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
    float step_min; ///< m forward, of a foot from the other
    float step_max;
    float turn_max; ///< rad a step, to both sides
    float seconds;  ///< of a step
    int32_t steps;  ///< values that the length is cut into
    int32_t turns;  ///< values that the turn is cut into, odd: straight on is among them
} ploy_footfalls;

/// A grown person's.
PLOY_API ploy_footfalls ploy_footfalls_default(void);
/// The moves of both feet, for a move planner. @return how many, perhaps more than capacity.
PLOY_API int32_t ploy_footfalls_clips(const ploy_footfalls *feet, ploy_clip *out, int32_t capacity);
/// Where the foot that is down in a pose stands.
PLOY_API ploy_vec2 ploy_footfalls_place(const ploy_footfalls *feet, ploy_clip_pose pose);
/// The good place nearest to where a foot would land: local correction, the rest is inverse
/// kinematics. @param good  may a foot stand there? @return false, leaving out alone, if there is
/// none within the radius.
PLOY_API bool ploy_footfalls_snap(ploy_vec2 place, float radius, float step,
                                  bool (*good)(void *user, ploy_vec2 place), void *user,
                                  ploy_vec2 *out);
