/// @file ploy/move/orca.h
/// Reciprocal avoidance: the velocity nearest to the desired one that avoids all others.
///
/// Every neighbour forbids some velocities: those that would bring the two bodies together within
/// the horizon. The forbidden set is a cone without its tip; a straight line along its edge, moved
/// by the agent's share of the evasion, leaves a half-plane of velocities that are safe as long as
/// the other keeps to its own half. The rest is a small linear program: in all
/// half-planes and within the largest speed, as near as possible to the desired velocity. If there
/// is no such velocity, because the crowd is too dense, the one that breaks the worst of them least
/// is taken; walls are never traded for agents.
///
/// Responsibilities decide which agent yields how much: the share of one in a pair is its own over
/// the sum of both. 1 and 1 is half each; who has 0 does not look at others, and they yield to it
/// alone; who cannot move (max_speed 0) counts as 0. Bodies that overlap already are parted within
/// one step if speeds allow.
///
/// Walls are edges of polygons whose corners go round counter-clockwise (solid inside; clockwise: a
/// room, solid outside). An edge knows the corners before and after it: at a corner that sticks out
/// an agent passes as close as its radius allows, at one that recedes the edge goes on as if it
/// never ended, so that bends and seams neither catch nor slow agents that walk along. Two corners
/// make a wall without thickness. An agent behind an edge does not see it, so that one inside
/// a solid can leave.
///
/// This is the plain form, for one agent; ploy/move/crowd.h keeps thousands. Both give equal bits.
/// Technique: van den Berg, Guy, Lin and Manocha, "Reciprocal n-Body Collision Avoidance", ISRR
/// 2009. Shares by responsibility, receding corners as open ends and the choice among supporting
/// lines of walls are ours.
///
/// Units: metres, seconds. Cost: O(others) to choose the nearest, then O(lines^2), no allocation.
/// Threads: pure functions.
#pragma once

#include "ploy/base/fields.h"
#include "ploy/base/trace.h"
#include "ploy/geom/draw.h"
#include "ploy/move/kinematic.h"

/// The most agents and wall edges that count for one agent, and so the most half-planes.
#define PLOY_ORCA_NEIGHBOURS_MAX 32
#define PLOY_ORCA_WALLS_MAX 16
#define PLOY_ORCA_LINES_MAX (PLOY_ORCA_NEIGHBOURS_MAX + PLOY_ORCA_WALLS_MAX)

/// Settings. Start from ploy_orca_def_default() and change what you need.
typedef struct ploy_orca_def {
    uint32_t cookie;        ///< set by the default; leave alone
    float horizon;          ///< s, collisions with agents up to then are avoided
    float wall_horizon;     ///< s, the same for walls; also the time in which walls push out
    float range;            ///< m, those farther away do not count, from centre to centre
    int32_t max_neighbours; ///< the nearest ones, 1 to PLOY_ORCA_NEIGHBOURS_MAX
} ploy_orca_def;

PLOY_API ploy_orca_def ploy_orca_def_default(void);
PLOY_API ploy_fields ploy_orca_fields(void);

/// Who avoids, or is avoided. Start from ploy_orca_agent_make.
typedef struct ploy_orca_agent {
    ploy_vec2 position;   ///< m
    ploy_vec2 velocity;   ///< m/s, of the last step: what the others see
    ploy_vec2 wanted;     ///< m/s, what it would do alone
    float radius;         ///< m, 0 to 1e5
    float max_speed;      ///< m/s; 0: it stands still forever
    float responsibility; ///< 0 to 1e3, see above
    uint32_t number;      ///< distinguishes agents on the same spot
} ploy_orca_agent;

/// An agent at rest of responsibility 1 without a preferred velocity.
PLOY_API ploy_orca_agent ploy_orca_agent_make(ploy_vec2 position, float radius, float max_speed,
                                              uint32_t number);

/// One edge of a wall, solid on its left, and the corners next to it.
typedef struct ploy_orca_wall {
    ploy_vec2 before; ///< the corner before from
    ploy_vec2 from;
    ploy_vec2 to;
    ploy_vec2 after; ///< the corner after to
} ploy_orca_wall;

/// The edges of a polygon: edge i goes from corner i to the next one, the last to the first.
/// @param corners  2 or more, no two in a row equal.
/// @param out      room for count edges.
PLOY_API void ploy_orca_walls_make(const ploy_vec2 *corners, int32_t count, ploy_orca_wall *out);

/// A half-plane of velocities: allowed is v with normal . v <= limit.
typedef struct ploy_orca_line {
    ploy_vec2 normal; ///< unit, toward what is avoided
    float limit;      ///< m/s
    int32_t index;    ///< of the agent or wall in the list that it came from
} ploy_orca_line;

/// The answer.
typedef struct ploy_orca_result {
    ploy_vec2 velocity; ///< m/s, at most max_speed long
    float violation;    ///< m/s by which the worst half-plane is broken; 0 if all are kept
    int32_t walls;      ///< half-planes of walls, which come first
    int32_t lines;      ///< all of them; those that no speed up to max_speed breaks are left out
} ploy_orca_result;

/// The velocity of one agent.
/// @param others      the agent itself must not be among them. Those beyond the range are ignored;
///                    of the rest the nearest count, among equally near ones by number.
/// @param walls       of more than PLOY_ORCA_WALLS_MAX in reach the nearest count, then by index.
/// @param dt          s, the step in which overlaps are to be parted; 0 to PLOY_DT_MAX_S.
/// @param lines       gets the half-planes, room for PLOY_ORCA_LINES_MAX; NULL: not needed.
/// @return the desired velocity cut to max_speed if there is no other around. A zero result if a
///         setting, dt or the agent itself is out of range; others out of range do not count.
PLOY_API ploy_orca_result ploy_orca_find(const ploy_orca_def *def, const ploy_orca_agent *agent,
                                         const ploy_orca_agent *others, int32_t other_count,
                                         const ploy_orca_wall *walls, int32_t wall_count, float dt,
                                         ploy_orca_line *lines);

/// Reports to a trace which half-planes there were, and which of them decided.
PLOY_API void ploy_orca_trace(const ploy_orca_result *result, const ploy_orca_line *lines,
                              ploy_vec2 wanted, ploy_agent_id id, ploy_trace *trace);
/// Draws the half-planes around an agent's position: each as its line, with a tick toward what is
/// forbidden, within the circle of the speeds that it has; what they all allow is filled. 1 m/s is
/// `scale` metres long.
PLOY_API void ploy_orca_draw(const ploy_orca_result *result, const ploy_orca_line *lines,
                             const ploy_orca_agent *agent, float scale, ploy_agent_id id,
                             ploy_draw *out);
