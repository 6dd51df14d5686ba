/// @file ploy/decide/goals.h
/// Goal-driven behavior: a character's aims as a tree of goals that are planned, pursued, failed,
/// planned again and interrupted.
///
/// An atomic goal does one thing. A composite goal has subgoals and pursues the first of them until
/// it is completed, then the next: strictly one after another, and none is planned before its turn.
/// Goals are put in front (a plan, an interruption) or at the rear (a queue of orders). Every goal
/// watches itself: one that failed is planned again if its type says so, else its parent fails too,
/// until some ancestor finds another solution.
///
///     brain            the root, a composite that is always there
///       buy sword      [active]
///         get gold     [active]
///           follow path [active]
///             edge     [active]      <- the leaf that acts
///         go to smithy [inactive]    <- not planned yet
///
/// In one step of a goal: it is activated if it is inactive; a composite removes finished subgoals
/// from its front and steps the first one left; then its own process hook has its say. A finished
/// goal is removed in its parent's next step; terminate is called exactly once for each goal,
/// children first, also when the whole tree is destroyed. Putting a goal in front of an active one
/// suspends that one with all its front chain, and it is resumed when it comes to the front again.
///
/// As a behavior a step steps the tree, messages go down its front chain, and exit clears it. A
/// goal may itself be any behavior (ploy_goal_type.maker), and a ploy_goals_type makes trees for a
/// thousand characters, each beginning with the same goals when it is entered. Saved trees continue
/// goal by goal, by the names of their types.
///
/// Technique: Buckland, "Programming Game AI by Example", chapter 9. Differences: a failure that a
/// hook set between two steps is not lost but reported (`literal` off); an order queue may repeat.
///
/// Memory: all goals of a tree lie in one block of def.capacity places; nothing allocates after
/// create but registering types. Cost of a step: O(depth). Threads: one caller at a time.
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

/// What a hook is called with.
typedef struct ploy_goal_turn {
    ploy_goals *goals;
    ploy_goal goal;
    ploy_step_context *context; ///< NULL when the tree is destroyed
    void *owner;                ///< as given to create
    const void *params;         ///< what the goal was added with
    void *data;                 ///< its private bytes, zero at first, aligned to 8
} ploy_goal_turn;

/// A kind of goal; immutable and shared. Hooks may be NULL. In a hook, subgoals may be added to and
/// removed from the goal itself and those below it.
typedef struct ploy_goal_type {
    const char *name;
    bool composite;
    /// Plans and begins. May come any number of times. The status is ACTIVE before; a hook that
    /// cannot begin sets another.
    ploy_result (*activate)(const ploy_goal_turn *turn);
    /// After the subgoals. *status is theirs (COMPLETED if there are none left), of an atomic goal
    /// the present one; the hook may change it.
    ploy_result (*process)(const ploy_goal_turn *turn, ploy_goal_status *status);
    /// Tidies up, just before the goal is gone.
    void (*terminate)(const ploy_goal_turn *turn);
    /// A message that none of the front chain below handled.
    ploy_result (*message)(const ploy_goal_turn *turn, const ploy_message *message, bool *handled);
    void (*suspend)(const ploy_goal_turn *turn); ///< something else goes first
    /// At the front again. NULL: a goal without subgoals is activated again.
    ploy_result (*resume)(const ploy_goal_turn *turn);
    void (*describe)(const void *params, const void *data, ploy_describe *out);
    /// The contents of params and data, as one JSON value. NULL: their bytes as they are, which
    /// must mean the same later then: no pointers, no handles.
    void (*save)(const void *params, const void *data, ploy_json_writer *out);
    /// Fills params and the turn's data, zero before, with what save wrote. Comes with save.
    /// @return PLOY_ERR_FORMAT if it means nothing: the goal is terminated as it is then.
    ploy_result (*load)(const ploy_goal_turn *turn, void *params, const ploy_json *doc,
                        ploy_json_node saved);
    int32_t replans;    ///< how often it is activated again when it failed; 0: it fails
    float replan_pause; ///< s between two of these, at least
    bool once;          ///< never repeated: terminate gives up what its parameters hold
    /// Of an atomic goal: the behavior that pursues it. Activating enters it, each step steps it,
    /// and the goal is completed when it succeeds or is skipped, failed when it fails. Suspending
    /// exits it, and it is entered again later. Messages reach it before the hook. Made when a goal
    /// is added, unless one of the type was removed before. None: the hooks do all.
    ploy_maker maker;
} ploy_goal_type;

typedef struct ploy_goals_def {
    uint32_t cookie;
    int32_t capacity; ///< most goals at a time
    bool literal;     ///< a failure set between two steps is lost, as in the text's listing
    bool immediate;   ///< a failed goal is activated again in the same step, not in the next
} ploy_goals_def;

PLOY_API ploy_goals_def ploy_goals_def_default(void);
PLOY_API ploy_fields ploy_goals_fields(void);

/// @param owner  handed to the hooks; may be NULL.
PLOY_API ploy_result ploy_goals_create(const ploy_goals_def *def, void *owner, const ploy_env *env,
                                       ploy_goals **out);
/// Terminates every goal, leaves first. NULL is allowed.
PLOY_API void ploy_goals_destroy(ploy_goals *goals);

/// The root: a composite without hooks.
PLOY_API ploy_goal ploy_goals_root(const ploy_goals *goals);

/// Where a goal is put among its parent's.
typedef enum ploy_goal_place {
    PLOY_GOAL_FRONT,  ///< now; what ran is suspended
    PLOY_GOAL_REAR,   ///< when all others are done
    PLOY_GOAL_REPEAT, ///< at the rear, and there again each time it is completed: a patrol
} ploy_goal_place;

/// Adds a subgoal. @param params  size bytes, copied; NULL with 0. @param out  may be NULL.
/// @return PLOY_ERR_ARGUMENT if the parent is none or atomic, or the size too large;
///         PLOY_ERR_CAPACITY; PLOY_ERR_LIMIT below PLOY_GOAL_DEPTH_MAX levels.
PLOY_API ploy_result ploy_goals_add(ploy_goals *goals, ploy_step_context *context, ploy_goal parent,
                                    ploy_goal_place place, const ploy_goal_type *type,
                                    const void *params, size_t size, ploy_goal *out);
/// Terminates and removes all subgoals, first to last, each below first.
PLOY_API void ploy_goals_clear(ploy_goals *goals, ploy_step_context *context, ploy_goal goal);
/// Terminates and removes one goal with all below it. False if it is the root or none.
PLOY_API bool ploy_goals_remove(ploy_goals *goals, ploy_step_context *context, ploy_goal goal);
/// One step of the whole tree. @param status  of the root: COMPLETED when there is nothing to do.
PLOY_API ploy_result ploy_goals_step(ploy_goals *goals, ploy_step_context *context,
                                     ploy_goal_status *status);
/// A message: to the front chain, the deepest first.
PLOY_API ploy_result ploy_goals_message(ploy_goals *goals, ploy_step_context *context,
                                        const ploy_message *message, bool *handled);
/// Sets a goal's status from outside its own step, as a message's hook does.
PLOY_API ploy_result ploy_goals_set_status(ploy_goals *goals, ploy_goal goal,
                                           ploy_goal_status status);

/// False for a goal that is gone.
PLOY_API int32_t ploy_goals_count(const ploy_goals *goals); ///< without the root
PLOY_API ploy_goal_status ploy_goals_status(const ploy_goals *goals, ploy_goal goal);
/// NULL for the root and none.
PLOY_API const ploy_goal_type *ploy_goals_type_of(const ploy_goals *goals, ploy_goal goal);
PLOY_API ploy_goal ploy_goals_first(const ploy_goals *goals, ploy_goal goal);

/// Makes types known by their names, so that a saved tree can hold them (ploy_behavior_load); those
/// of movement are made so by ploy_goal_moves_register. What is not known when a tree is loaded is
/// dropped with all below it, and its parent goal plans again.
/// @param types  must outlive the tree; the list itself is copied.
/// @return PLOY_ERR_EXISTS if another type of that name is known; nothing is changed then.
PLOY_API ploy_result ploy_goals_register(ploy_goals *goals, const ploy_goal_type *const *types,
                                         int32_t count);

/// As a behavior: a step steps the tree; RUNNING while it is active, SUCCESS when there is nothing
/// left to do, FAILURE when its first goal failed. Exit clears it.
PLOY_API ploy_behavior ploy_goals_behavior(ploy_goals *goals);

/// ---- as a definition ----

/// The goals that every character of a kind begins with. Opaque.
typedef struct ploy_goals_type ploy_goals_type;

/// Who owns a tree: the body that its goals talk to. Asked when a tree is entered or loaded.
typedef void *(*ploy_goals_owner_fn)(void *user, const ploy_step_context *context);

PLOY_API ploy_result ploy_goals_type_create(const ploy_goals_def *def, const ploy_env *env,
                                            ploy_goals_type **out);
/// NULL is allowed. Its trees must be gone.
PLOY_API void ploy_goals_type_destroy(ploy_goals_type *type);
/// Adds a goal to begin with, below the root, and makes its type known. The first of them is
/// pursued first unless a later one is put in front. @return as ploy_goals_add.
PLOY_API ploy_result ploy_goals_type_add(ploy_goals_type *type, ploy_goal_place place,
                                         const ploy_goal_type *goal, const void *params,
                                         size_t size);
/// NULL: trees have no owner, and their goals work on the context alone.
PLOY_API void ploy_goals_type_set_owner(ploy_goals_type *type, ploy_goals_owner_fn owner,
                                        void *user);
/// Makes trees of the type, which must outlive them and is not to be changed any more.
PLOY_API ploy_maker ploy_goals_type_maker(ploy_goals_type *type);
/// The tree behind a behavior, to add goals and look at it; NULL if it is another technique's.
PLOY_API ploy_goals *ploy_goals_of(ploy_behavior behavior);

/// A line for each goal: two blanks a level, its name and its status.
PLOY_API void ploy_goals_print(const ploy_goals *goals, ploy_writer *writer);
PLOY_API void ploy_goals_describe(const ploy_goals *goals, ploy_describe *out);
/// The same lines as text from a place downward, coloured by status.
PLOY_API void ploy_goals_draw(const ploy_goals *goals, ploy_agent_id agent, ploy_vec2 at,
                              float line, ploy_draw *out);
