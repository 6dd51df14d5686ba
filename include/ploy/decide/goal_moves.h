/// @file ploy/decide/goal_moves.h
/// Goals that move a character: wander, seek, one edge, a whole path, anywhere, through doors, by
/// lifts and platforms.
///
/// The goals control the character through a ploy_goal_mover, which is the owner of their tree: its
/// position, its steering, its path service. No goal moves anything itself.
///
///     move to (place)            requests a path, seeks straight ahead until it arrives
///       follow path              turns one edge at a time into a goal
///         traverse edge          arrives at the last, seeks the others; late means stuck: failed
///         negotiate door         moves to the switch, back to the edge, then through
///
/// The result of a path request is polled while the goal is in front; a result that arrives while
/// the goal is suspended waits in the path service. Edges of a registered kind become custom goals
/// (jump, climb); an unknown kind fails. Technique: Buckland, chapter 9; with the errors in its
/// listings corrected (an empty path completes, a refused request fails, the last-edge flag is
/// passed).
///
/// Units: metres, seconds. Only a found path allocates, and with a pool of paths not even that. Threads: as the path service.
#pragma once

#include "ploy/decide/goals.h"
#include "ploy/exec/path_service.h"
#include "ploy/geom/path_pool.h"

typedef enum ploy_goal_steer {
    PLOY_GOAL_STEER_NONE, ///< stay in place
    PLOY_GOAL_STEER_SEEK,
    PLOY_GOAL_STEER_ARRIVE,
    PLOY_GOAL_STEER_WANDER
} ploy_goal_steer;

/// How an edge of a kind is traversed.
typedef struct ploy_goal_edge {
    const char *kind;           ///< of ploy_path_edge
    const ploy_goal_type *type; ///< receives ploy_goal_edge_params; NULL: as an ordinary edge
    float speed;                ///< m/s on such edges, 0: the ordinary speed
} ploy_goal_edge;

/// What a character knows of its target, for the goals of ploy/decide/goal_fight.h.
typedef struct ploy_goal_target {
    ploy_vec2 place; ///< m, where it was last sensed
    bool known;      ///< the place is known
    bool shootable;  ///< it is in view with no wall between
} ploy_goal_target;

/// An item that a character goes to, for ploy/decide/goal_fetch.h.
typedef struct ploy_goal_item {
    ploy_vec2 place; ///< m
    ploy_id item;    ///< of the game
} ploy_goal_item;

typedef enum ploy_goal_item_state {
    PLOY_GOAL_ITEM_WORTH, ///< it is there, or will be by the time of arrival
    PLOY_GOAL_ITEM_TAKEN, ///< this character has picked it up
    PLOY_GOAL_ITEM_GONE   ///< no longer worth going to
} ploy_goal_item_state;

/// The character. Only position, steer and paths are required; the others are needed by the goals
/// that use them.
typedef struct ploy_goal_mover {
    ploy_vec2 (*position)(void *user);
    /// @param speed  m/s, 0: the ordinary one.
    void (*steer)(void *user, ploy_goal_steer how, ploy_vec2 target, float speed);
    const ploy_path_service *paths;
    ploy_env env;         ///< allocates found paths
    ploy_path_pool *pool; ///< of found paths; NULL: each is allocated and freed
    ploy_agent_id agent;  ///< for requests
    float radius;         ///< m, of the body, for requests
    float speed;          ///< m/s, the ordinary maximum
    float tolerance;      ///< m, nearer than this counts as arrived
    float margin;         ///< s beyond the expected time of an edge before it counts as stuck: 2
    bool pause_timer;     ///< time while suspended does not count
    /// Whether something keeps the character from moving on. An edge that was begun more than the
    /// margin ago then fails at once, however long it may take. NULL: only its expected time counts.
    bool (*blocked)(void *user);
    const ploy_goal_edge *edges;
    int32_t edge_count;
    /// Chooses a place to go to, for exploring. False: none.
    bool (*explore)(void *user, ploy_step_context *context, ploy_vec2 *out);
    /// Finds the nearest switch that opens a door. False: none can be reached.
    bool (*find_switch)(void *user, ploy_id door, ploy_vec2 from, ploy_vec2 *out);
    void (*use)(void *user, ploy_id mechanism);   ///< presses or pulls it
    bool (*ready)(void *user, ploy_id mechanism); ///< it has arrived, the character may step on
    bool (*there)(void *user, ploy_id mechanism); ///< it has reached the other side
    void (*say)(void *user, const char *text);    ///< shows a phrase; NULL or "": hides it
    /// Position of the character that follows, for leading. False: out of sight.
    bool (*follower)(void *user, ploy_vec2 *out);
    void (*vanish)(void *user); ///< removes the character from the game, after this step
    /// Reports what the character knows of its target. False: it has none.
    bool (*target)(void *user, ploy_goal_target *out);
    /// Finds a place a step to the left (side 1) or to the right (-1) of the direction to the
    /// target. False: there is no room.
    bool (*side_step)(void *user, int32_t side, ploy_vec2 *out);
    /// Chooses an item of a kind to go to. False: there is none.
    bool (*find_item)(void *user, ploy_name kind, ploy_goal_item *out);
    /// Reports whether the item is still worth going to; asked in each step.
    ploy_goal_item_state (*item)(void *user, const ploy_goal_item *item);
    void *user;
} ploy_goal_mover;

/// Margin 2 s, tolerance and radius 0.5 m, speed 3 m/s.
PLOY_API ploy_goal_mover ploy_goal_mover_make(const ploy_path_service *paths, const ploy_env *env);

/// Parameters of seek and move to.
typedef struct ploy_goal_place_params {
    ploy_vec2 to;
} ploy_goal_place_params;

/// Parameters of traverse edge, negotiate door and custom goals of edges. Plain data without gaps.
typedef struct ploy_goal_edge_params {
    ploy_vec2 from, to;
    ploy_id link;
    float speed;   ///< m/s, 0: the ordinary one
    uint32_t last; ///< 1 for the last edge of a path
} ploy_goal_edge_params;

/// Parameters of follow path: the goal owns the path from the moment it is added.
typedef struct ploy_goal_path_params {
    ploy_path *path;
} ploy_goal_path_params;

/// Parameters of use mechanism: go to the button, use it, go to the boarding point, wait until the
/// mechanism is ready, ride until it arrives.
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

PLOY_API const ploy_goal_type *ploy_goal_wander(void);         ///< never ends on its own
PLOY_API const ploy_goal_type *ploy_goal_seek(void);           ///< straight to a place
PLOY_API const ploy_goal_type *ploy_goal_move_to(void);        ///< to any place
PLOY_API const ploy_goal_type *ploy_goal_explore(void);        ///< to a place of the mover's choice
PLOY_API const ploy_goal_type *ploy_goal_negotiate_door(void); ///< an edge with a door on it
PLOY_API const ploy_goal_type *ploy_goal_use_mechanism(void);  ///< a lift, a platform
PLOY_API const ploy_goal_type *ploy_goal_pause(void);          ///< waits

/// Registers all of these goals with a tree, so that a saved tree can contain them; see
/// ploy_goals_register. A path that was requested when the tree was saved is requested again.
PLOY_API ploy_result ploy_goal_moves_register(ploy_goals *goals);
