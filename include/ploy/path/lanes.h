/// @file ploy/path/lanes.h
/// Driving through traffic: plans ahead when to change lanes.
///
/// A state is a lane, a position on the road, a time and a speed. The other cars keep their lane
/// and speed, so the positions of the gaps are known; oncoming cars have negative speeds. From a
/// state the driver may
///
///     change to an adjacent lane, if it is free until the change is done;
///     drive on, as fast as possible, braking in time behind the car ahead;
///     drive on until just past a car of an adjacent lane, or until just passed by it: a gap may open;
///     with `unsafe`, or towards an oncoming car, the same at full speed without room to brake: the
///     lane must then be left in time;
///     drive on to the end of the stretch.
///
/// No plan comes closer to another car than `car_length`, whatever the settings. Every piece keeps
/// its speeds, so that it can be driven as planned. Driving as fast as possible to the next
/// change is an assumption: waiting might line up two gaps.
///
/// Technique: Millington, "AI for Games", the lane-changing police car. Units: metres, seconds.
/// For the next hundred metres; one unit of budget is one state taken. Threads: one caller.
#pragma once

#include "ploy/base/budget.h"
#include "ploy/geom/draw.h"
#include "ploy/search/search.h"

/// Another car, or the one that plans.
typedef struct ploy_lane_car {
    double position; ///< m along the road, of its middle
    double speed;    ///< m/s; below 0: oncoming, not allowed for the planning car
    int32_t lane;    ///< from 0
    int32_t reserved;
} ploy_lane_car;

typedef struct ploy_lanes_def {
    uint32_t cookie;
    int32_t lanes;
    double max_speed;      ///< m/s
    double accel;          ///< m/s^2
    double brake;          ///< m/s^2, above 0
    double car_length;     ///< m, least distance between the middles of two cars in a lane
    double change_seconds; ///< s, duration of a lane change
    double horizon;        ///< s; nothing is planned beyond
    bool unsafe;           ///< also drive on at full speed towards a gap, without room to brake
    double miss_distance;  ///< m between bumpers; nearer is a near miss
    double miss_cost;      ///< s added to a piece that leaves no distance; less if it leaves some
    int32_t max_states;
} ploy_lanes_def;

PLOY_API ploy_lanes_def ploy_lanes_def_default(void);
PLOY_API ploy_fields ploy_lanes_fields(void);

/// How to approach a car ahead: speeding up, holding, braking to its speed at the last moment.
typedef struct ploy_lane_profile {
    double speed;            ///< at the beginning
    double rise, hold, fall; ///< s of each; hold may be INFINITY
    double accel, brake;     ///< m/s^2
    double peak;             ///< m/s
    double after;            ///< m/s, kept behind the car ahead
} ploy_lane_profile;

/// Returns the metres covered after a time, and the speed at that time.
PLOY_API double ploy_lane_profile_at(const ploy_lane_profile *profile, double seconds,
                                     double *speed);

typedef struct ploy_lanes ploy_lanes;

/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_lanes_create(const ploy_lanes_def *def, const ploy_env *env,
                                       ploy_lanes **out);
/// NULL is allowed.
PLOY_API void ploy_lanes_destroy(ploy_lanes *lanes);

/// Begins a plan. @param cars  the others, copied. @param goal  m along the road to get to, in any
/// lane.
/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_lanes_begin(ploy_lanes *lanes, const ploy_lane_car *cars, int32_t count,
                                      const ploy_lane_car *me, double goal);
/// Steps the search, as ploy_search_step.
PLOY_API ploy_result ploy_lanes_step(ploy_lanes *lanes, ploy_budget *budget);

typedef enum ploy_lane_action {
    PLOY_LANE_CHANGE,
    PLOY_LANE_DRIVE,
    PLOY_LANE_ARRIVE
} ploy_lane_action;

/// A piece of the plan.
typedef struct ploy_lane_piece {
    ploy_lane_action action;
    int32_t from_lane, to_lane;
    double begin, end; ///< s
    double position;   ///< m, at the beginning
    double gap;        ///< m, least distance to the bumper of another car; INFINITY: none is near
    double cost;       ///< s, with the cost of a near miss
    ploy_lane_profile profile;
} ploy_lane_piece;

/// Returns the plan. @return the number of pieces, which may exceed capacity; -1 if there is none.
PLOY_API int32_t ploy_lanes_plan(const ploy_lanes *lanes, ploy_lane_piece *out, int32_t capacity,
                                 double *seconds);
/// Draws a time-space diagram with the cars and the plan: time to the right, the road upward, a
/// strip for each lane. @param width  m of the drawing for a second.
PLOY_API void ploy_lanes_draw(const ploy_lanes *lanes, float width, ploy_draw *out);
PLOY_API void ploy_lanes_memory(const ploy_lanes *lanes, ploy_memory_fn fn, void *user);
