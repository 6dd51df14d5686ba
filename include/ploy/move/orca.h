/// @file ploy/move/orca.h
/// Reciprocal avoidance: the velocity nearest to the desired one that avoids all others.
///
/// Every neighbour forbids some velocities: those that would bring the two bodies together within
/// the horizon. The forbidden set is a cone without its tip. A straight line along its edge, moved
/// by the agent's share of the evasion, leaves a half-plane of velocities that are safe as long as
/// the neighbour takes its share. A small linear program then finds the velocity nearest to the
/// desired one that is in all half-planes and within the largest speed. If there is none, because
/// the crowd is too dense, it takes the velocity that violates the worst half-plane least; it never
/// violates a wall's half-plane to satisfy an agent's.
///
/// Responsibilities decide how much each agent yields: an agent's share in a pair is its own
/// responsibility over the sum of both. With 1 and 1 each takes half. An agent with 0 ignores the
/// others, and they do all the yielding; an agent that cannot move (max_speed 0) counts as 0.
/// Bodies that already overlap are separated within one step if their speeds allow.
///
/// Walls are edges of polygons whose corners go round counter-clockwise (solid inside; clockwise: a
/// room, solid outside). Each edge stores the corners before and after it. An agent passes a convex
/// corner as close as its radius allows; at a concave corner the edge counts as unbounded, so that
/// bends and seams neither catch nor slow agents that walk along the wall. Two corners make a wall
/// without thickness. An agent behind an edge ignores it, so that an agent inside a solid can
/// leave.
///
/// This is the plain form, for one agent; ploy/move/crowd.h handles thousands. Both give the same
/// bits. Technique: van den Berg, Guy, Lin and Manocha, "Reciprocal n-Body Collision Avoidance",
/// ISRR 2009. Shares by responsibility, concave corners as unbounded edges and the choice among
/// supporting lines of walls are additions.
///
/// Units: metres, seconds. Cost: O(others) to choose the nearest, then O(lines^2), no allocation.
/// Threads: pure functions.
#pragma once

#include "ploy/base/fields.h"
#include "ploy/base/trace.h"
#include "ploy/geom/draw.h"
#include "ploy/move/kinematic.h"

/// The largest numbers of agents and wall edges that count for one agent, and so of half-planes.
#define PLOY_ORCA_NEIGHBOURS_MAX 32
#define PLOY_ORCA_WALLS_MAX 16
#define PLOY_ORCA_LINES_MAX (PLOY_ORCA_NEIGHBOURS_MAX + PLOY_ORCA_WALLS_MAX)

/// Settings. Start from ploy_orca_def_default() and change what you need.
typedef struct ploy_orca_def {
    uint32_t cookie;        ///< set by the default; leave alone
    float horizon;          ///< s, how far ahead collisions with agents are avoided
    float wall_horizon;     ///< s, the same for walls; also the time in which walls push out
    float range;            ///< m, from centre to centre; agents farther away are ignored
    int32_t max_neighbours; ///< the nearest ones, 1 to PLOY_ORCA_NEIGHBOURS_MAX
} ploy_orca_def;

PLOY_API ploy_orca_def ploy_orca_def_default(void);
PLOY_API ploy_fields ploy_orca_fields(void);

/// An agent that avoids, or is avoided. Start from ploy_orca_agent_make.
typedef struct ploy_orca_agent {
    ploy_vec2 position;   ///< m
    ploy_vec2 velocity;   ///< m/s, of the last step, as seen by the others
    ploy_vec2 wanted;     ///< m/s, the velocity it would have alone
    float radius;         ///< m, 0 to 1e5
    float max_speed;      ///< m/s; 0: it never moves
    float responsibility; ///< 0 to 1e3, see above
    uint32_t number;      ///< distinguishes agents at the same position
} ploy_orca_agent;

/// Makes an agent at rest with responsibility 1 and no preferred velocity.
PLOY_API ploy_orca_agent ploy_orca_agent_make(ploy_vec2 position, float radius, float max_speed,
                                              uint32_t number);

/// One edge of a wall, solid on its left, and the corners next to it.
typedef struct ploy_orca_wall {
    ploy_vec2 before; ///< the corner before from
    ploy_vec2 from;
    ploy_vec2 to;
    ploy_vec2 after; ///< the corner after to
} ploy_orca_wall;

/// Makes the edges of a polygon: edge i goes from corner i to the next one, the last to the first.
/// @param corners  2 or more, no two in a row equal.
/// @param out      room for count edges.
PLOY_API void ploy_orca_walls_make(const ploy_vec2 *corners, int32_t count, ploy_orca_wall *out);

/// A half-plane of velocities: v is allowed if normal . v <= limit.
typedef struct ploy_orca_line {
    ploy_vec2 normal; ///< unit, toward the obstacle
    float limit;      ///< m/s
    int32_t index;    ///< of the agent or wall in its list
} ploy_orca_line;

/// The result of ploy_orca_find.
typedef struct ploy_orca_result {
    ploy_vec2 velocity; ///< m/s, at most max_speed long
    float violation;    ///< m/s by which the worst half-plane is violated; 0 if none is
    int32_t walls;      ///< half-planes of walls, which come first
    int32_t lines;      ///< all half-planes that a speed up to max_speed can violate
} ploy_orca_result;

/// Returns the velocity of one agent.
/// @param others      the agent itself must not be among them. Those beyond the range are ignored;
///                    of the rest, the nearest max_neighbours count, ties by number.
/// @param walls       the nearest PLOY_ORCA_WALLS_MAX in reach count, ties by index.
/// @param dt          s, the step in which overlaps are separated; 0 to PLOY_DT_MAX_S.
/// @param lines       receives the half-planes, room for PLOY_ORCA_LINES_MAX; NULL: not needed.
/// @return the desired velocity cut to max_speed if no agent or wall is in range. A zero result if
///         a setting, dt or the agent itself is out of range; others out of range are ignored.
PLOY_API ploy_orca_result ploy_orca_find(const ploy_orca_def *def, const ploy_orca_agent *agent,
                                         const ploy_orca_agent *others, int32_t other_count,
                                         const ploy_orca_wall *walls, int32_t wall_count, float dt,
                                         ploy_orca_line *lines);

/// Reports to a trace the half-planes, and which of them determined the velocity.
PLOY_API void ploy_orca_trace(const ploy_orca_result *result, const ploy_orca_line *lines,
                              ploy_vec2 wanted, ploy_agent_id id, ploy_trace *trace);
/// Draws the half-planes around an agent's position: each as its line, with a tick toward the
/// forbidden side, within the circle of the agent's speeds; the region that all of them allow is
/// filled. 1 m/s is `scale` metres long.
PLOY_API void ploy_orca_draw(const ploy_orca_result *result, const ploy_orca_line *lines,
                             const ploy_orca_agent *agent, float scale, ploy_agent_id id,
                             ploy_draw *out);
