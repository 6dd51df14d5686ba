/// @file ploy/exec/action.h
/// Actions: what a character asks its body to do, and the reports that come back.
///
/// Thinking ends in requests such as "operate lever 1" or "walk stealthily to (3, 4)". The game's
/// controllers carry them out, and there are five kinds of effect: motion, an animation played on
/// the spot, an invisible change of the game, a question to another thinker, and something the
/// player sees or hears. A request may need motion first: to "eat", a character that is already at
/// the table plays the animation; any other walks there first.
///
/// A character's actions run one after the other, in the order requested, unless a request says
/// otherwise (PLOY_ACTION_NOW, PLOY_ACTION_BESIDE):
///
///     waiting --> moving --> acting --> succeeded, failed or cancelled
///         (moving only with PLOY_ACTION_MOVE_FIRST, and if it is not there yet)
///
/// Cost: request, cancel and get O(1) for queues of ordinary length, step O(live). All memory is
/// taken at create. Threads: one caller at a time; thinking characters go through a ploy_outbox.
#pragma once

#include "ploy/base/describe.h"
#include "ploy/base/env.h"
#include "ploy/base/fields.h"
#include "ploy/base/visit.h"
#include "ploy/exec/status.h"
#include "ploy/geom/draw.h"
#include "ploy/geom/vec.h"

/// Identifies one request until the step after the one in which it finished.
typedef struct ploy_action_id {
    ploy_id id;
} ploy_action_id;

typedef enum ploy_action_effect {
    PLOY_ACTION_MOVE,    ///< motion, by the movement controller
    PLOY_ACTION_ANIMATE, ///< an animation played directly, without motion
    PLOY_ACTION_CHANGE,  ///< a change of the game with nothing to see, such as research
    PLOY_ACTION_THINK,   ///< a question to another thinker: a route, what to build
    PLOY_ACTION_PRESENT, ///< a sound, a line of dialogue, particles
    PLOY_ACTION_EFFECT_COUNT
} ploy_action_effect;

/// "move", "animate", "change", "think", "present".
PLOY_API const char *ploy_action_effect_text(ploy_action_effect effect);

/// Flags of a request.
enum {
    PLOY_ACTION_MOVE_FIRST = 1, ///< go to the position first, unless there already
    PLOY_ACTION_NOW = 2,        ///< cancels what the agent does and has waiting
    PLOY_ACTION_BESIDE = 4 ///< outside the agent's queue: does not wait, and nothing waits for it
};

/// The request. Plain data without gaps; start from ploy_action_request_make().
typedef struct ploy_action_request {
    ploy_agent_id agent; ///< who acts
    ploy_id target;      ///< on what or whom, or none
    ploy_name kind;      ///< "operate", "walk", "eat"
    ploy_name style;     ///< "stealthily", or none
    uint64_t token;      ///< the caller's own value; returned in the report
    ploy_vec3 position;  ///< m; where to go or aim
    float reach;         ///< m; near enough to the position
    float parameters[4]; ///< whatever the kind needs
    ploy_action_effect effect;
    uint32_t flags;
} ploy_action_request;

/// A request with every byte set: no target, no style, the origin, all numbers 0.
PLOY_API ploy_action_request ploy_action_request_make(ploy_agent_id agent, ploy_name kind,
                                                      ploy_action_effect effect);

/// Checks a request by itself: an agent, a kind, a known effect and flags, finite numbers.
PLOY_API ploy_result ploy_action_request_check(const ploy_action_request *request);

PLOY_API void ploy_action_request_describe(const ploy_action_request *request, const char *name,
                                           ploy_mark mark, ploy_describe *out);

typedef enum ploy_action_state {
    PLOY_ACTION_UNKNOWN, ///< no such action, or no longer known
    PLOY_ACTION_WAITING, ///< for the agent's earlier actions
    PLOY_ACTION_MOVING,  ///< going to the position (PLOY_ACTION_MOVE_FIRST)
    PLOY_ACTION_ACTING,
    PLOY_ACTION_SUCCEEDED,
    PLOY_ACTION_FAILED,
    PLOY_ACTION_CANCELLED
} ploy_action_state;

/// "unknown", "waiting", "moving", "acting", "succeeded", "failed", "cancelled".
PLOY_API const char *ploy_action_state_text(ploy_action_state state);

/// How an action ended.
typedef struct ploy_action_report {
    ploy_action_id id;
    ploy_action_state state; ///< SUCCEEDED, FAILED or CANCELLED
    ploy_result result;      ///< PLOY_OK, or the error of the controller that failed
    ploy_action_request request;
} ploy_action_report;

/// One of the game's controllers. If begin and step are both NULL, the game has no such effect, and
/// requests for it are refused.
typedef struct ploy_action_controller {
    /// Starts. May be NULL. An error fails the action.
    ploy_result (*begin)(void *user, ploy_action_id id, const ploy_action_request *request);
    /// Continues; sets *status on PLOY_OK. NULL: the action is finished as soon as it has begun.
    /// SKIPPED counts as success, an error as failure.
    ploy_result (*step)(void *user, ploy_action_id id, const ploy_action_request *request, float dt,
                        ploy_status *status);
    /// Stops an action that has begun and not ended. May be NULL.
    void (*cancel)(void *user, ploy_action_id id, const ploy_action_request *request);
    void *user;
} ploy_action_controller;

/// The game's side. Copied; the user pointers must stay valid.
typedef struct ploy_action_host {
    ploy_action_controller move; ///< also the approach of an action that moves first
    ploy_action_controller animate;
    ploy_action_controller change;
    ploy_action_controller think;
    ploy_action_controller present;
    /// Is the agent at the place of the request, within reach? NULL: never, so it always moves.
    bool (*there)(void *user, const ploy_action_request *request);
    /// An action ended. May be NULL.
    void (*done)(void *user, const ploy_action_report *report);
    void *user;
} ploy_action_host;

/// All actions of one game. Opaque.
typedef struct ploy_actions ploy_actions;

typedef struct ploy_actions_def {
    uint32_t cookie;
    int32_t capacity; ///< most actions alive at once
} ploy_actions_def;

PLOY_API ploy_actions_def ploy_actions_def_default(void);
PLOY_API ploy_fields ploy_actions_fields(void);

/// Creates an empty set of actions for a host.
PLOY_API ploy_result ploy_actions_create(const ploy_actions_def *def, const ploy_action_host *host,
                                         const ploy_env *env, ploy_actions **out);
/// Cancels what runs (with each controller's cancel, without `done`), then frees. NULL is allowed.
PLOY_API void ploy_actions_destroy(ploy_actions *actions);

/// Requests an action. It begins in the next step at the earliest. Controllers may call this and
/// cancel while they are called themselves.
/// @return PLOY_ERR_ARGUMENT for a bad request, PLOY_ERR_UNSUPPORTED if the host has no controller
///         for it, PLOY_ERR_CAPACITY. Out may be NULL.
PLOY_API ploy_result ploy_actions_request(ploy_actions *actions, const ploy_action_request *request,
                                          ploy_action_id *out);

/// Stops an action. @return PLOY_ERR_NOT_FOUND if it is unknown, PLOY_ERR_STATE if it has ended.
PLOY_API ploy_result ploy_actions_cancel(ploy_actions *actions, ploy_action_id id);

/// Drops the reports of the last step, begins what may begin and steps what runs, in the order
/// requested.
/// @param dt  s, 0 to PLOY_ACTION_DT_MAX_S.
/// @return PLOY_ERR_ARGUMENT; PLOY_ERR_STATE if called from a controller. An action's error only
///         fails that action.
PLOY_API ploy_result ploy_actions_step(ploy_actions *actions, float dt);

/// Longest step, in seconds.
#define PLOY_ACTION_DT_MAX_S 60.0f

/// The state of an action. It is kept until the step after the one in which it ended.
PLOY_API ploy_action_state ploy_actions_state(const ploy_actions *actions, ploy_action_id id);
/// The request behind an id, or NULL.
PLOY_API const ploy_action_request *ploy_actions_get(const ploy_actions *actions,
                                                     ploy_action_id id);

/// Actions that ended since the last step began, in the order in which they ended.
PLOY_API int32_t ploy_actions_finished_count(const ploy_actions *actions);
/// One of them. @return false and out untouched out of range.
PLOY_API bool ploy_actions_finished(const ploy_actions *actions, int32_t index,
                                    ploy_action_report *out);

/// Those that wait, move or act.
PLOY_API int32_t ploy_actions_live_count(const ploy_actions *actions);

/// Its state: ids stay valid after a load. A load needs the same capacity. It does not call `begin`
/// for the actions it restores: the controllers continue them by their ids.
PLOY_API void ploy_actions_visit(ploy_visit *v, void *object);
PLOY_API void ploy_actions_describe(const ploy_actions *actions, ploy_describe *out);
/// The places that actions under way aim at.
PLOY_API void ploy_actions_draw(const ploy_actions *actions, ploy_draw *out);
PLOY_API void ploy_actions_memory(const ploy_actions *actions, ploy_memory_fn fn, void *user);
