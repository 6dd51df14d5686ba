/// @file ploy/decide/goal_moves.h
/// Goals that move a character: wander, seek, one edge, a whole path, anywhere, through doors, by
/// lifts and platforms.
///
/// They speak to the character through a ploy_goal_mover, which is the owner of the tree they are
/// in: where it is, how it is to steer, who finds its paths. None of them moves anything itself.
///
///     move to (place)            requests a path, seeks straight on until it is there
///       follow path              turns one edge at a time into a goal
///         traverse edge          arrive at the last, seek the others; late means stuck: failed
///         negotiate door         move to the switch, back to the edge, then through
///
/// A path's answer is polled while the goal is in front; what arrives while it is suspended waits
/// in the path service. Edges whose kind is registered become goals of your own (jump, climb); a
/// unknown kind fails. Technique: Buckland, chapter 9; the errata of its listings are
/// built as they are meant (an empty path completes, a refused request fails, the last-edge flag
/// is passed).
///
/// Units: metres, seconds. Nothing allocates but a path found. Threads: as the path service.
#pragma once

#include "ploy/decide/goals.h"
#include "ploy/exec/path_service.h"

typedef enum ploy_goal_steer {
    PLOY_GOAL_STEER_NONE, ///< stay in place
    PLOY_GOAL_STEER_SEEK,
    PLOY_GOAL_STEER_ARRIVE,
    PLOY_GOAL_STEER_WANDER
} ploy_goal_steer;

/// How an edge of a kind is traversed.
typedef struct ploy_goal_edge {
    const char *kind;           ///< of ploy_path_edge
    const ploy_goal_type *type; ///< gets ploy_goal_edge_params; NULL: as an ordinary one
    float speed;                ///< m/s on such edges, 0: the ordinary one
} ploy_goal_edge;

/// The character. Only position, steer and paths are needed; the others for the goals that use
/// them.
typedef struct ploy_goal_mover {
    ploy_vec2 (*position)(void *user);
    /// @param speed  m/s, 0: the ordinary one.
    void (*steer)(void *user, ploy_goal_steer how, ploy_vec2 target, float speed);
    const ploy_path_service *paths;
    ploy_env env;        ///< where found paths are kept
    ploy_agent_id agent; ///< for requests
    float radius;        ///< m, of the body, for requests
    float speed;         ///< m/s, the ordinary largest
    float tolerance;     ///< m, nearer than this is there
    float margin;        ///< s beyond what an edge should take before it counts as stuck: 2
    bool pause_timer;    ///< time while suspended does not count
    const ploy_goal_edge *edges;
    int32_t edge_count;
    /// Somewhere to go, for exploring. False: nowhere.
    bool (*explore)(void *user, ploy_step_context *context, ploy_vec2 *out);
    /// The nearest switch that opens a door. False: none can be reached.
    bool (*find_switch)(void *user, ploy_id door, ploy_vec2 from, ploy_vec2 *out);
    void (*use)(void *user, ploy_id mechanism);   ///< presses or pulls it
    bool (*ready)(void *user, ploy_id mechanism); ///< it has come, one may step on
    bool (*there)(void *user, ploy_id mechanism); ///< it has brought one to the other side
    void (*say)(void *user, const char *text);    ///< shows a phrase; NULL or "": takes it away
    /// Where the one is who is to follow, for leading. False: out of sight.
    bool (*follower)(void *user, ploy_vec2 *out);
    void (*vanish)(void *user); ///< takes the character out of the game, after this step
    void *user;
} ploy_goal_mover;

/// Margin 2 s, tolerance and radius 0.5 m, speed 3 m/s.
PLOY_API ploy_goal_mover ploy_goal_mover_make(const ploy_path_service *paths, const ploy_env *env);

/// Parameters of seek and move to.
typedef struct ploy_goal_place_params {
    ploy_vec2 to;
} ploy_goal_place_params;

/// Parameters of traverse edge, negotiate door and edges' own goals. Plain, without gaps.
typedef struct ploy_goal_edge_params {
    ploy_vec2 from, to;
    ploy_id link;
    float speed;   ///< m/s, 0: the ordinary one
    uint32_t last; ///< 1 for the last edge of a path
} ploy_goal_edge_params;

/// Parameters of follow path: the path belongs to the goal from the moment it was added.
typedef struct ploy_goal_path_params {
    ploy_path *path;
} ploy_goal_path_params;

/// Parameters of use mechanism: go to the button, use it, go to where one gets on, wait until it is
/// ready, ride until it is there.
typedef struct ploy_goal_mechanism_params {
    ploy_vec2 button, embark;
    ploy_id mechanism;
    float patience; ///< s, the longest wait
    uint32_t reserved;
} ploy_goal_mechanism_params;

/// Parameters of pause.
typedef struct ploy_goal_pause_params {
    float seconds;
} ploy_goal_pause_params;

PLOY_API const ploy_goal_type *ploy_goal_wander(void);        ///< never ends by itself
PLOY_API const ploy_goal_type *ploy_goal_seek(void);          ///< straight to a place
PLOY_API const ploy_goal_type *ploy_goal_traverse_edge(void); ///< along one edge
PLOY_API const ploy_goal_type *ploy_goal_follow_path(void);   ///< edge by edge
PLOY_API const ploy_goal_type *ploy_goal_move_to(void);       ///< to any place
PLOY_API const ploy_goal_type *ploy_goal_explore(void); ///< to any place of the mover's choice
PLOY_API const ploy_goal_type *ploy_goal_negotiate_door(void); ///< an edge with a door on it
PLOY_API const ploy_goal_type *ploy_goal_use_mechanism(void);  ///< a lift, a platform
PLOY_API const ploy_goal_type *ploy_goal_pause(void);          ///< represents a while

/// Makes all of them known to a tree, so that a saved one can hold them; see ploy_goals_register. A
/// path that was requested when the tree was saved is requested again.
PLOY_API ploy_result ploy_goal_moves_register(ploy_goals *goals);
