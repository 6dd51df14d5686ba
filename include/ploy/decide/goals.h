/// @file ploy/decide/goals.h
/// Goal-driven behavior: a character's aims as a tree of goals that are planned, pursued and
/// interrupted, and planned again after a failure.
///
/// An atomic goal does one thing. A composite goal has subgoals and pursues the first of them until
/// it is completed, then the next: strictly one after another; no subgoal is planned before its
/// turn. Goals are put in front (a plan, an interruption) or at the rear (a queue of orders). Every
/// goal monitors itself: a failed goal is planned again if its type allows it; otherwise its parent
/// fails too, until some ancestor finds another solution.
///
///     brain            the root, a composite that is always there
///       buy sword      [active]
///         get gold     [active]
///           follow path [active]
///             edge     [active]      <- the leaf that acts
///         go to smithy [inactive]    <- not planned yet
///
/// In one step of a goal: it is activated if it is inactive; a composite removes finished subgoals
/// from its front and steps the first one left; then its process hook is called. A finished goal is
/// removed in its parent's next step; terminate is called exactly once for each goal, children
/// first, also when the whole tree is destroyed. Putting a goal in front of an active one suspends
/// the active goal and its whole front chain; it is resumed when it is at the front again.
///
/// As a behavior, a step steps the tree, messages go to its front chain, and exit clears it. A goal
/// may itself be any behavior (ploy_goal_type.maker), and a ploy_goals_type creates trees for many
/// characters, each beginning with the same goals when it is entered. Saved trees continue goal by
/// goal, by the names of their types.
///
/// Technique: Buckland, "Programming Game AI by Example", chapter 9. Differences: a failure that a
/// hook set between two steps is not lost but reported (`literal` off); an order queue may repeat.
///
/// Memory: all goals of a tree are in one block of def.capacity places; after create, only
/// registering types allocates. Cost of a step: O(depth). Threads: one caller at a time.
#pragma once

#include "ploy/base/fields.h"
#include "ploy/base/writer.h"
#include "ploy/exec/maker.h"

/// Most bytes of a goal's parameters and of its private data, and deepest nesting.
#define PLOY_GOAL_PARAMS_MAX 64
#define PLOY_GOAL_DATA_MAX 64
#define PLOY_GOAL_DEPTH_MAX 32

/// One character's tree. Opaque.
typedef struct ploy_goals ploy_goals;

/// A goal of one tree. All zero means none.
typedef struct ploy_goal {
    ploy_id id;
} ploy_goal;

static inline bool ploy_goal_equal(ploy_goal a, ploy_goal b) {
    return a.id.index == b.id.index && a.id.generation == b.id.generation;
}

typedef enum ploy_goal_status {
    PLOY_GOAL_INACTIVE, ///< waits for its first activation, or for the next
    PLOY_GOAL_ACTIVE,
    PLOY_GOAL_COMPLETED, ///< removed by its parent's next step
    PLOY_GOAL_FAILED
} ploy_goal_status;

/// "inactive", "active", "completed", "failed".
PLOY_API const char *ploy_goal_status_text(ploy_goal_status status);

/// Passed to each hook.
typedef struct ploy_goal_turn {
    ploy_goals *goals;
    ploy_goal goal;
    ploy_step_context *context; ///< NULL when the tree is destroyed
    void *owner;                ///< as given to create
    const void *params;         ///< the parameters given when the goal was added
    void *data;                 ///< private bytes, initially zero, aligned to 8
} ploy_goal_turn;

/// A kind of goal; immutable and shared. Hooks may be NULL. In a hook, subgoals may be added to and
/// removed from the goal itself and those below it.
typedef struct ploy_goal_type {
    const char *name;
    bool composite;
    /// Plans and begins. May be called any number of times. The status is already ACTIVE; a hook
    /// that cannot begin sets another.
    ploy_result (*activate)(const ploy_goal_turn *turn);
    /// Called after the subgoals. *status is theirs (COMPLETED if none is left), or the current one
    /// for an atomic goal; the hook may change it.
    ploy_result (*process)(const ploy_goal_turn *turn, ploy_goal_status *status);
    /// Cleans up, just before the goal is removed.
    void (*terminate)(const ploy_goal_turn *turn);
    /// Receives a message that no goal of the front chain below handled.
    ploy_result (*message)(const ploy_goal_turn *turn, const ploy_message *message, bool *handled);
    void (*suspend)(const ploy_goal_turn *turn); ///< another goal was put in front
    /// Called when the goal is at the front again. NULL: a goal without subgoals is activated
    /// again.
    ploy_result (*resume)(const ploy_goal_turn *turn);
    void (*describe)(const void *params, const void *data, ploy_describe *out);
    /// Writes params and data as one JSON value. NULL: their raw bytes are saved, which must then
    /// hold no pointers and no handles.
    void (*save)(const void *params, const void *data, ploy_json_writer *out);
    /// Fills params and the turn's data, which are zeroed before, from the value that save wrote.
    /// Required if save is set.
    /// @return PLOY_ERR_FORMAT if the value is invalid: the goal is then terminated in its current
    ///         state.
    ploy_result (*load)(const ploy_goal_turn *turn, void *params, const ploy_json *doc,
                        ploy_json_node saved);
    int32_t replans;    ///< how often it is activated again after a failure; 0: never
    float replan_pause; ///< s, least time between two of these
    bool once;          ///< never repeated, because terminate releases what its parameters hold
    /// Carried to its end once it is at the front: until then the goals above are not processed, and
    /// an arbiter keeps its strategy. For short actions that are worthless when half done, such as
    /// passing a door. Clear and remove end it all the same. It must end by itself.
    bool committed;
    bool needs_owner; ///< its hooks use the owner: a tree without one refuses the goal
    /// Of an atomic goal: the behavior that pursues it. Activating enters the behavior, each step
    /// steps it, and the goal is completed when the behavior succeeds or is skipped, failed when it
    /// fails. Suspending exits the behavior, and resuming enters it again. Messages reach the
    /// behavior before the hook. It is created when a goal is added, unless one of a removed goal
    /// of the type can be reused. None: the hooks do everything.
    ploy_maker maker;
} ploy_goal_type;

typedef struct ploy_goals_def {
    uint32_t cookie;
    int32_t capacity; ///< most goals at a time
    bool literal;     ///< a failure set between two steps is lost, as in the book's listing
    bool immediate;   ///< a failed goal is activated again in the same step, not in the next
} ploy_goals_def;

PLOY_API ploy_goals_def ploy_goals_def_default(void);
PLOY_API ploy_fields ploy_goals_fields(void);

/// @param owner  passed to the hooks; may be NULL.
PLOY_API ploy_result ploy_goals_create(const ploy_goals_def *def, void *owner, const ploy_env *env,
                                       ploy_goals **out);
/// Terminates every goal, leaves first. NULL is allowed.
PLOY_API void ploy_goals_destroy(ploy_goals *goals);

/// The root: a composite without hooks.
PLOY_API ploy_goal ploy_goals_root(const ploy_goals *goals);

/// Where a goal is put among its parent's subgoals.
typedef enum ploy_goal_place {
    PLOY_GOAL_FRONT,  ///< now; the running goal is suspended
    PLOY_GOAL_REAR,   ///< when all others are done
    PLOY_GOAL_REPEAT, ///< at the rear, and again each time it is completed: a patrol
} ploy_goal_place;

/// Adds a subgoal. @param params  size bytes, copied; NULL with 0. @param out  may be NULL.
/// @return PLOY_ERR_ARGUMENT if the parent is none or atomic, the size too large, or the type needs
///         an owner and the tree has none; PLOY_ERR_CAPACITY; PLOY_ERR_LIMIT below PLOY_GOAL_DEPTH_MAX levels.
PLOY_API ploy_result ploy_goals_add(ploy_goals *goals, ploy_step_context *context, ploy_goal parent,
                                    ploy_goal_place place, const ploy_goal_type *type,
                                    const void *params, size_t size, ploy_goal *out);
/// Terminates and removes all subgoals, first to last, the subgoals of each before it.
PLOY_API void ploy_goals_clear(ploy_goals *goals, ploy_step_context *context, ploy_goal goal);
/// Terminates and removes one goal and all below it. False if it is the root or none.
PLOY_API bool ploy_goals_remove(ploy_goals *goals, ploy_step_context *context, ploy_goal goal);
/// Runs one step of the whole tree. @param status  of the root: COMPLETED when there is nothing to
/// do.
PLOY_API ploy_result ploy_goals_step(ploy_goals *goals, ploy_step_context *context,
                                     ploy_goal_status *status);
/// Sends a message to the front chain, the deepest goal first.
PLOY_API ploy_result ploy_goals_message(ploy_goals *goals, ploy_step_context *context,
                                        const ploy_message *message, bool *handled);
/// Sets a goal's status outside its own step, for example in a message hook.
PLOY_API ploy_result ploy_goals_set_status(ploy_goals *goals, ploy_goal goal,
                                           ploy_goal_status status);

/// False for a goal that no longer exists.
PLOY_API int32_t ploy_goals_count(const ploy_goals *goals); ///< without the root
PLOY_API ploy_goal_status ploy_goals_status(const ploy_goals *goals, ploy_goal goal);
/// Whether a goal of the front chain is committed and not over, see ploy_goal_type.
PLOY_API bool ploy_goals_committed(const ploy_goals *goals);
/// NULL for the root and none.
PLOY_API const ploy_goal_type *ploy_goals_type_of(const ploy_goals *goals, ploy_goal goal);
PLOY_API ploy_goal ploy_goals_first(const ploy_goals *goals, ploy_goal goal);

/// Registers types by their names, so that a saved tree can contain them (ploy_behavior_load);
/// ploy_goal_moves_register registers those of movement. When a tree is loaded, a goal of an
/// unknown type is dropped with all below it, and its parent plans again.
/// @param types  must outlive the tree; the list itself is copied.
/// @return PLOY_ERR_EXISTS if another type of that name is registered; nothing is then changed.
PLOY_API ploy_result ploy_goals_register(ploy_goals *goals, const ploy_goal_type *const *types,
                                         int32_t count);

/// Returns the tree as a behavior: a step steps the tree; RUNNING while it is active, SUCCESS when
/// no goal is left, FAILURE when its first goal failed. Exit clears the tree.
PLOY_API ploy_behavior ploy_goals_behavior(ploy_goals *goals);

/// ---- as a definition ----

/// The initial goals of every character of a kind. Opaque.
typedef struct ploy_goals_type ploy_goals_type;

/// Returns the owner of a tree: the body that its goals control. Called when a tree is entered or
/// loaded.
typedef void *(*ploy_goals_owner_fn)(void *user, const ploy_step_context *context);

PLOY_API ploy_result ploy_goals_type_create(const ploy_goals_def *def, const ploy_env *env,
                                            ploy_goals_type **out);
/// NULL is allowed. Destroy its trees first.
PLOY_API void ploy_goals_type_destroy(ploy_goals_type *type);
/// Adds an initial goal below the root and registers its type. The first one added is pursued
/// first, unless a later one is put in front. @return as ploy_goals_add.
PLOY_API ploy_result ploy_goals_type_add(ploy_goals_type *type, ploy_goal_place place,
                                         const ploy_goal_type *goal, const void *params,
                                         size_t size);
/// NULL: trees have no owner, and their goals use only the context.
PLOY_API void ploy_goals_type_set_owner(ploy_goals_type *type, ploy_goals_owner_fn owner,
                                        void *user);
/// A maker that creates trees of the type, which must outlive them and must no longer change.
PLOY_API ploy_maker ploy_goals_type_maker(ploy_goals_type *type);
/// Returns the tree of a behavior, to inspect it and to add goals; NULL if the behavior is of
/// another technique.
PLOY_API ploy_goals *ploy_goals_of(ploy_behavior behavior);

/// Writes one line for each goal: two spaces per level, its name and its status.
PLOY_API void ploy_goals_print(const ploy_goals *goals, ploy_writer *writer);
PLOY_API void ploy_goals_describe(const ploy_goals *goals, ploy_describe *out);
/// Draws the same lines as text from a position downward, coloured by status.
PLOY_API void ploy_goals_draw(const ploy_goals *goals, ploy_agent_id agent, ploy_vec2 at,
                              float line, ploy_draw *out);
