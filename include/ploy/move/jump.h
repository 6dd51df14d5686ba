/// @file ploy/move/jump.h
/// Jumping: whether a jump is possible, the speed it needs, and where the run-up starts.
///
/// A jump point has a take-off and a landing. The character determines what the jump needs: its
/// upward take-off speed gives the time in the air, and that time gives the horizontal speed. The
/// behavior first goes back far enough for a run-up, then runs through the take-off point at the
/// needed velocity and reports NOW there:
///
///     run-up start ----> accelerate ----> take-off  ~ ~ ~ ~  landing
///
/// The behavior needs exclusive control: a push by another behavior spoils the jump. In routes, a
/// jump is an edge of kind "jump" (ploy/geom/path.h). Where no jump point is authored, use a hole
/// filler (a scene object on a separate layer that fills the gap): a character that would run into
/// it accelerates toward it as much as possible and jumps at the edge. Technique: Millington, "AI
/// for Games", 3.6. The book's velocity match alone does not bring the character to the point; the
/// run-up does.
///
/// Units: metres, seconds; z is up. Cost: O(1); no allocation. Threads: pure functions.
#pragma once

#include "ploy/base/fields.h"
#include "ploy/base/name.h"
#include "ploy/base/trace.h"
#include "ploy/geom/path.h"
#include "ploy/geom/scene.h"
#include "ploy/move/kinematic.h"
#include "ploy/move/source.h"

/// The character's abilities. Start from ploy_jump_def_default() and change what you need.
typedef struct ploy_jump_def {
    uint32_t cookie;        ///< set by the default; leave alone
    float take_off_speed;   ///< m/s upwards; set it lower for a heavy load
    float gravity;          ///< m/s^2, downwards
    float max_speed;        ///< m/s, horizontal
    float max_acceleration; ///< m/s^2
    float time_to_target;   ///< s, time to reach a desired velocity
    float near_distance;    ///< m; within this distance of the take-off point it may jump
    float near_speed;       ///< m/s by which the velocity may differ at take-off
    bool rising;            ///< may land while rising, through a floor that lets it pass
} ploy_jump_def;

PLOY_API ploy_jump_def ploy_jump_def_default(void);
PLOY_API ploy_fields ploy_jump_fields(void);

/// The requirements of a jump.
typedef struct ploy_jump_need {
    ploy_vec2 velocity; ///< m/s, horizontal, at take-off
    float time;         ///< s in the air
    float run_up;       ///< m to reach that velocity from rest
} ploy_jump_need;

/// Finds whether and how a character can jump from one point to another.
/// @return false, leaving out unchanged, if the landing is too high or too far, or a setting is out
/// of range.
PLOY_API bool ploy_jump_find(const ploy_jump_def *def, ploy_vec3 take_off, ploy_vec3 landing,
                             ploy_jump_need *out);

/// When a velocity is good enough for a jump.
typedef enum ploy_jump_accept {
    PLOY_JUMP_MATCH,   ///< the right velocity, within a tolerance: narrow landings
    PLOY_JUMP_AT_LEAST ///< fast enough in the right direction: long ledges, chasms
} ploy_jump_accept;

/// A jump authored by a designer.
typedef struct ploy_jump_point {
    ploy_vec3 take_off;      ///< m
    ploy_vec3 landing;       ///< m
    ploy_jump_accept accept; ///< how precise the velocity must be
    float fail_cost;         ///< the cost of falling, for planners: low for water, high for lava
    ploy_vec2 velocity;      ///< m/s on the plane at take-off, as authored; zero: what the jump
                             ///< needs. An authored one is not checked against the landing
} ploy_jump_point;

/// Makes the edge of a route that represents a jump: kind "jump", a cost
/// of time and fail_cost (INFINITY if the jump is impossible), and id.
PLOY_API ploy_path_edge ploy_jump_edge(const ploy_jump_def *def, const ploy_jump_point *point,
                                       ploy_id id);
/// True for an edge made by ploy_jump_edge.
PLOY_API bool ploy_jump_is_edge(const ploy_path_edge *edge);

typedef enum ploy_jump_phase {
    PLOY_JUMP_IDLE,       ///< nothing to do
    PLOY_JUMP_RUN_UP,     ///< going to the start of the run
    PLOY_JUMP_RUNNING,    ///< toward the take-off point
    PLOY_JUMP_NOW,        ///< jump in this step
    PLOY_JUMP_IMPOSSIBLE, ///< this character cannot make the jump
    PLOY_JUMP_MISSED      ///< passed the point without the right velocity; no jump
} ploy_jump_phase;

/// "idle", "run-up", "running", "now", "impossible", "missed".
PLOY_API const char *ploy_jump_phase_text(ploy_jump_phase phase);

/// One character's jump; plain data that the caller keeps.
typedef struct ploy_jump {
    ploy_jump_point point;
    ploy_jump_need need;
    ploy_vec2 start; ///< m, where the run begins
    ploy_jump_phase phase;
} ploy_jump;

/// Prepares a jump: computes its requirements and where the run begins. The phase is IMPOSSIBLE if
/// the jump is, or if a number is not finite.
PLOY_API ploy_jump ploy_jump_begin(const ploy_jump_def *def, const ploy_jump_point *point,
                                   ploy_vec2 position);

/// Returns the acceleration until take-off. Checks the jump again each step, to detect pushes by
/// others. In phase NOW, give the character ploy_jump_velocity (or play the animation that does)
/// and no steering until it lands.
PLOY_API ploy_steering ploy_jump_steer(const ploy_jump_def *def, ploy_jump *jump,
                                       ploy_kinematic agent);
/// Returns the velocity at take-off.
PLOY_API ploy_vec3 ploy_jump_velocity(const ploy_jump_def *def, const ploy_jump *jump,
                                      ploy_vec2 velocity);

/// The jump detector: runs at full speed toward a gap marked in the scene, and jumps at its edge.
/// @param gaps       the layers of hole fillers.
/// @param look       m ahead.
/// @param radius     m, of the body; within this distance of the gap it is at the edge.
/// @param jump_now   set to true at the edge, if fast enough in the direction of travel
///                   (min_speed).
/// @return no request if no gap is ahead.
PLOY_API ploy_steering ploy_jump_detect(const ploy_jump_def *def, const ploy_scene *scene,
                                        uint32_t gaps, ploy_kinematic agent, float look,
                                        float radius, float min_speed, bool *jump_now);

/// The arguments and the result of ploy_jump_detect, for a source.
typedef struct ploy_jump_gaps {
    uint32_t mask;   ///< layers of the scene that are gaps
    float look;      ///< m ahead, above 0
    float radius;    ///< m, of the body
    float min_speed; ///< m/s
    bool now;        ///< at the edge in the last step: jump
} ploy_jump_gaps;
/// Makes gaps with look 5 m, radius 0.5 m and min_speed 1 m/s.
PLOY_API ploy_jump_gaps ploy_jump_gaps_make(uint32_t mask);
/// As a steering source (ploy/move/source.h); all pointers are borrowed, `gaps` is written.
/// @return PLOY_ERR_ARGUMENT if a setting is out of range (the log names it) or a pointer is
///         NULL; then out is none.
PLOY_API ploy_result ploy_jump_detect_source(const ploy_jump_def *def, const ploy_scene *scene,
                                             ploy_jump_gaps *gaps, const ploy_env *env,
                                             ploy_steering_source *out);

/// Reports to a trace what the jump needs, and whether this character can make it.
PLOY_API void ploy_jump_trace(const ploy_jump_def *def, const ploy_jump *jump, ploy_agent_id id,
                              ploy_trace *trace);
/// Visits a ploy_jump (ploy/base/visit.h).
PLOY_API void ploy_jump_visit(ploy_visit *v, void *jump);
PLOY_API void ploy_jump_describe(const ploy_jump *jump, ploy_describe *out);
/// Draws run-up, take-off and landing.
PLOY_API void ploy_jump_draw(const ploy_jump *jump, ploy_agent_id owner, ploy_draw *out);

/// As steering sources (ploy/move/source.h); all pointers are borrowed, state included.
/// @return PLOY_ERR_ARGUMENT if a setting is out of range (env's log names it) or a pointer is
///         NULL; then out is none.
PLOY_API ploy_result ploy_jump_source(const ploy_jump_def *def, ploy_jump *jump,
                                      const ploy_env *env, ploy_steering_source *out);
