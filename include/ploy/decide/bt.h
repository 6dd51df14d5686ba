/// @file ploy/decide/bt.h
/// Behavior trees: the definition, which characters share, and the instance, which is one
/// character's place in it.
///
/// A tree is searched depth first, left to right. Leaves look (conditions) and act (actions);
/// composites and decorators combine their answers. The node set is that of BehaviorTree.CPP 4,
/// with its semantics, and what Millington ("AI for Games", 3rd edition, 5.4) adds to it. Where
/// both have a name, the name means BehaviorTree.CPP's node. A leaf may answer SKIPPED: it did not
/// apply. Errors are results, not statuses.
///
///     ploy_bt_builder ... ploy_bt_builder_build     once: an immutable ploy_bt
///     ploy_bt_instance_create               for each character: one block, a few bytes a node
///     ploy_bt_instance_step                 in each tick, or as a ploy_behavior
///
/// A node that answered RUNNING is taken up again where it was: the step begins at the running leaf
/// unless a reactive node, a parallel or a time limit above it has to look again, and then at the
/// topmost of those. Whatever is started ends in exactly one stop: finished, or halted because
/// something else took its place, the tree was stopped or an error occurred.
///
/// Cost: a step visits the nodes it has to ask, each O(1); it allocates nothing, except where a
/// behavior leaf makes its behavior. Budget unit: one node visited. A step that runs out of budget
/// answers RUNNING and goes on at that node in the next step.
/// Threads: a definition may be used by many at once; an instance takes one caller at a time.
#pragma once

#include "ploy/base/fields.h"
#include "ploy/decide/semaphore.h"
#include "ploy/exec/maker.h"

/// Most nodes of a tree, and how deep they may nest.
#define PLOY_BT_NODES_MAX 1000000
#define PLOY_BT_DEPTH_MAX 256

/// X(enumerator, name, least children, most children, holds): the last is 1 if nothing above a
/// running child has to be asked again while it runs.
#define PLOY_BT_KINDS(X)                                              \
    X(SEQUENCE, "Sequence", 0, 65535, 1)                              \
    X(SEQUENCE_WITH_MEMORY, "SequenceWithMemory", 0, 65535, 1)        \
    X(ASYNC_SEQUENCE, "AsyncSequence", 0, 65535, 1)                   \
    X(REACTIVE_SEQUENCE, "ReactiveSequence", 0, 65535, 0)             \
    X(FALLBACK, "Fallback", 0, 65535, 1)                              \
    X(ASYNC_FALLBACK, "AsyncFallback", 0, 65535, 1)                   \
    X(REACTIVE_FALLBACK, "ReactiveFallback", 0, 65535, 0)             \
    X(IF_THEN_ELSE, "IfThenElse", 2, 3, 1)                            \
    X(WHILE_DO_ELSE, "WhileDoElse", 2, 3, 0)                          \
    X(SWITCH, "Switch", 2, 65535, 0)                                  \
    X(TRY_CATCH, "TryCatch", 2, 65535, 1)                             \
    X(PARALLEL, "Parallel", 1, 65535, 0)                              \
    X(PARALLEL_ALL, "ParallelAll", 1, 65535, 0)                       \
    X(SHUFFLED_SEQUENCE, "ShuffledSequence", 0, 65535, 1)             \
    X(SHUFFLED_FALLBACK, "ShuffledFallback", 0, 65535, 1)             \
    X(RANDOM_SELECTOR, "RandomSelector", 1, 65535, 1)                 \
    X(UTILITY_FALLBACK, "UtilityFallback", 1, 65535, 1)               \
    X(CONTROL, "Control", 0, 65535, 0)                                \
    X(INVERTER, "Inverter", 1, 1, 1)                                  \
    X(FORCE_SUCCESS, "ForceSuccess", 1, 1, 1)                         \
    X(FORCE_FAILURE, "ForceFailure", 1, 1, 1)                         \
    X(REPEAT, "Repeat", 1, 1, 1)                                      \
    X(RETRY, "RetryUntilSuccessful", 1, 1, 1)                         \
    X(KEEP_RUNNING_UNTIL_FAILURE, "KeepRunningUntilFailure", 1, 1, 1) \
    X(UNTIL_FAIL, "UntilFail", 1, 1, 1)                               \
    X(UNTIL_SUCCESS, "UntilSuccess", 1, 1, 1)                         \
    X(RESTART, "Restart", 1, 1, 1)                                    \
    X(TIMEOUT, "Timeout", 1, 1, 0)                                    \
    X(DELAY, "Delay", 1, 1, 1)                                        \
    X(COOLDOWN, "Cooldown", 1, 1, 1)                                  \
    X(RUN_ONCE, "RunOnce", 1, 1, 1)                                   \
    X(LIMIT, "Limit", 1, 1, 1)                                        \
    X(PRECONDITION, "Precondition", 1, 1, 1)                          \
    X(LOOP, "Loop", 1, 1, 1)                                          \
    X(SKIP_UNLESS_UPDATED, "SkipUnlessUpdated", 1, 1, 1)              \
    X(WAIT_VALUE_UPDATE, "WaitValueUpdate", 1, 1, 1)                  \
    X(SEMAPHORE_GUARD, "SemaphoreGuard", 1, 1, 1)                     \
    X(INTERRUPTER, "Interrupter", 1, 1, 0)                            \
    X(GATE, "Gate", 1, 1, 0)                                          \
    X(HOLD, "Hold", 1, 1, 1)                                          \
    X(BLACKBOARD_SCOPE, "BlackboardScope", 1, 1, 1)                   \
    X(SUBTREE, "SubTree", 1, 1, 1)                                    \
    X(ALWAYS_SUCCESS, "AlwaysSuccess", 0, 0, 1)                       \
    X(ALWAYS_FAILURE, "AlwaysFailure", 0, 0, 1)                       \
    X(SLEEP, "Sleep", 0, 0, 1)                                        \
    X(SET_BLACKBOARD, "SetBlackboard", 0, 0, 1)                       \
    X(UNSET_BLACKBOARD, "UnsetBlackboard", 0, 0, 1)                   \
    X(WAS_ENTRY_UPDATED, "WasEntryUpdated", 0, 0, 1)                  \
    X(CONDITION, "ScriptCondition", 0, 0, 1)                          \
    X(SCRIPT, "Script", 0, 0, 1)                                      \
    X(SIGNAL, "Signal", 0, 0, 1)                                      \
    X(LEAF, "Leaf", 0, 0, 1)                                          \
    X(BEHAVIOR, "Behavior", 0, 0, 1)

/// What a node is. The builder's header describes what each does and which settings it reads.
typedef enum ploy_bt_kind {
#define PLOY_BT_KIND_ENUM(id, text, least, most, holds) PLOY_BT_##id,
    PLOY_BT_KINDS(PLOY_BT_KIND_ENUM)
#undef PLOY_BT_KIND_ENUM
        PLOY_BT_KIND_COUNT
} ploy_bt_kind;

/// "Sequence", "ReactiveFallback", ...; "?" for any other number.
PLOY_API const char *ploy_bt_kind_text(ploy_bt_kind kind);
/// The kind of that name; "Switch2" to "Switch6" are Switch too. False if there is none.
PLOY_API bool ploy_bt_kind_find(const char *text, ploy_bt_kind *out);

/// An immutable tree. Opaque.
typedef struct ploy_bt ploy_bt;
/// One character's place in a tree. Opaque.
typedef struct ploy_bt_instance ploy_bt_instance;

/// What a leaf's callbacks, conditions and effects get. Valid during the call only.
typedef struct ploy_bt_call {
    ploy_step_context *context;
    ploy_bt_instance *instance;
    int32_t node; ///< whose callback it is
    void *user;   ///< as given to the builder; shared by all instances
    void *state;  ///< the leaf's own bytes in the instance, zero at each start; NULL if it has none
} ploy_bt_call;

/// One thing that a leaf reads or writes, bound to a blackboard's key or a literal when the tree is
/// built.
typedef struct ploy_bt_port {
    const char *name;
    ploy_value_type type;
    bool optional; ///< may stay unbound
} ploy_bt_port;

/// A kind of leaf: plain callbacks. Copied by the builder; texts and functions must stay.
typedef struct ploy_bt_leaf {
    const char *name;
    /// Looks: true is success. Instead of step, for a condition.
    bool (*test)(ploy_bt_call *call);
    /// Acts. Sets *status on PLOY_OK.
    ploy_result (*step)(ploy_bt_call *call, ploy_status *status);
    /// Before the first step. May be NULL. An error ends the tree's step; stop follows.
    ploy_result (*start)(ploy_bt_call *call);
    /// After the last step, exactly once for each start: FINISHED, or why it was cut off. Below a
    /// reactive node the leaf that takes over has started already: release only what this leaf
    /// acquired. May be NULL.
    void (*stop)(ploy_bt_call *call, ploy_exit_reason reason);
    /// A message arrived while the leaf runs. May be NULL.
    ploy_result (*message)(ploy_bt_call *call, const ploy_message *message, bool *handled);
    const ploy_bt_port *ports;
    int32_t port_count;
    int32_t state_size; ///< private bytes in each instance, aligned to 8
    bool sleeps;        ///< calls ploy_bt_sleep; costs 24 bytes in each instance
    /// Instead of step and test, for a node with children (ploy_bt_builder_open_control). Asked in
    /// each step while it runs, with child -1, and again with each child that answered, and what
    /// that was. Sets *next to the child to ask now, counted from 0; or to -1, and *status to its
    /// own answer. A child that runs goes on when it is chosen in the next step; all are halted
    /// when the node answers with anything but RUNNING.
    ploy_result (*choose)(ploy_bt_call *call, int32_t child, ploy_status answer, int32_t *next,
                          ploy_status *status);
} ploy_bt_leaf;

/// Most children that a node of your own may ask in one step.
#define PLOY_BT_CHOICES_MAX 100000

/// Reads a port. @return PLOY_ERR_NOT_FOUND if it is unbound, PLOY_ERR_ARGUMENT if there is no such
/// port.
PLOY_API ploy_result ploy_bt_port_get(const ploy_bt_call *call, int32_t port, ploy_value *out);
/// Writes a port; converted to the key's type where nothing is lost. @return PLOY_ERR_DENIED for a
/// literal, and as above.
PLOY_API ploy_result ploy_bt_port_set(const ploy_bt_call *call, int32_t port,
                                      const ploy_value *value);
/// The board and slot behind a port, for the blackboard's own typed calls; board NULL if it is
/// unbound or a literal.
PLOY_API ploy_blackboard_ref ploy_bt_port_ref(const ploy_bt_call *call, int32_t port);

/// Puts the calling leaf, which is going to answer RUNNING, to sleep: it is not stepped again until
/// something wakes it, and the step of a tree that waits for this leaf alone costs almost nothing.
/// Each sleep is for once. @return PLOY_ERR_STATE unless ploy_bt_leaf.sleeps is set,
/// PLOY_ERR_ARGUMENT if the port has no key.
/// @param port     a change of this port's key wakes it; -1 for none.
/// @param seconds  wakes it after so long; 0 or less for never.
/// @param message  any message to the tree wakes it.
PLOY_API ploy_result ploy_bt_sleep(ploy_bt_call *call, int32_t port, double seconds, bool message);

/// ---- definition ----

/// Frees a tree. Its instances must be gone. NULL is allowed.
PLOY_API void ploy_bt_destroy(ploy_bt *bt);
PLOY_API const char *ploy_bt_name(const ploy_bt *bt);
PLOY_API int32_t ploy_bt_node_count(const ploy_bt *bt);
/// The semaphores of the SemaphoreGuards in instances that are created without any, as a maker
/// does. Must stay. Set before the first instance is created.
PLOY_API void ploy_bt_set_semaphores(ploy_bt *bt, ploy_semaphores *semaphores);
/// Hash of structure, settings, names, literals and remapping: equal trees, equal hash.
/// Callbacks do not count.
PLOY_API uint64_t ploy_bt_hash(const ploy_bt *bt);

/// One node, for tools. Nodes are numbered depth first from the root, 0.
typedef struct ploy_bt_node_info {
    ploy_bt_kind kind;
    const char *name;
    int32_t parent;   ///< -1 for the root
    int32_t end;      ///< one past its last descendant: the next sibling, if there is one
    int32_t children; ///< how many
    int32_t depth;    ///< 0 for the root
    uint64_t id;      ///< stable: from the names on the way from the root, numbered among equals
} ploy_bt_node_info;

/// @return PLOY_ERR_ARGUMENT if there is no such node.
PLOY_API ploy_result ploy_bt_node_at(const ploy_bt *bt, int32_t node, ploy_bt_node_info *out);
/// The first node of that name, or -1.
PLOY_API int32_t ploy_bt_find_node(const ploy_bt *bt, const char *name);

/// ---- instance ----

typedef struct ploy_bt_instance_def {
    uint32_t cookie;
    bool watch; ///< also notes when each node was visited last: 4 bytes a node
} ploy_bt_instance_def;

PLOY_API ploy_bt_instance_def ploy_bt_instance_def_default(void);
PLOY_API ploy_fields ploy_bt_instance_fields(void);

/// Makes one character's instance: one block of the env's.
/// @param semaphores  for the tree's SemaphoreGuards; NULL: the tree's own. Must stay.
/// @return PLOY_ERR_ARGUMENT for a bad def or missing semaphores, PLOY_ERR_EXISTS for a semaphore
///         that is there with another maximum, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_bt_instance_create(const ploy_bt_instance_def *def, const ploy_bt *bt,
                                             ploy_semaphores *semaphores, const ploy_env *env,
                                             ploy_bt_instance **out);
/// Halts what runs (with PLOY_EXIT_REMOVED and a context that holds nothing but its boards), frees
/// the behaviors of its leaves and itself. NULL is allowed.
PLOY_API void ploy_bt_instance_destroy(ploy_bt_instance *instance);

/// Bytes of the instance's block.
PLOY_API size_t ploy_bt_instance_size(const ploy_bt_instance *instance);
PLOY_API const ploy_bt *ploy_bt_instance_bt(const ploy_bt_instance *instance);

/// Advances the tree. The blackboard in the context must have the layout that the tree was built
/// with, if it was built with one.
/// @return PLOY_ERR_ARGUMENT for another blackboard; PLOY_ERR_STATE from inside itself; whatever a
///         leaf returned: then everything that ran was halted with PLOY_EXIT_ERROR, and the next
///         step begins at the root.
PLOY_API ploy_result ploy_bt_instance_step(ploy_bt_instance *instance, ploy_step_context *context,
                                           ploy_status *status);

/// Halts what runs, innermost first. The next step begins at the root. What is meant to survive a
/// restart (Limit, RunOnce, Cooldown, SequenceWithMemory's place) stays. Does nothing inside a
/// step.
PLOY_API void ploy_bt_instance_halt(ploy_bt_instance *instance, ploy_step_context *context,
                                    ploy_exit_reason reason);

/// Speaks to a node, as its partner leaf Signal does: an Interrupter halts its child and answers
/// with that status (SUCCESS, FAILURE or SKIPPED), a Gate opens with SUCCESS and closes with any
/// other, a Hold hands out what it holds, a Limit counts from 0 again. They obey when they are
/// visited next; an Interrupter beside the Signal under a Parallel is visited again at once.
/// @return PLOY_ERR_ARGUMENT if there is no such node or it does not listen.
PLOY_API ploy_result ploy_bt_instance_signal(ploy_bt_instance *instance, int32_t node,
                                             ploy_status status);

/// What a node's last visit came to. False, with *status untouched, if it is idle: never visited,
/// halted, or put back by its parent.
PLOY_API bool ploy_bt_instance_node_status(const ploy_bt_instance *instance, int32_t node,
                                           ploy_status *status);
/// The tick of its last visit, modulo 2^32; only of an instance that watches. False if never.
PLOY_API bool ploy_bt_instance_node_seen(const ploy_bt_instance *instance, int32_t node,
                                         uint32_t *tick);
/// True if the tree waits for one leaf that sleeps, so that a step would do nothing but look
/// whether it is to be woken. *until is when by time, or 0.
PLOY_API bool ploy_bt_instance_asleep(const ploy_bt_instance *instance, double *until);

/// Each running or finished node's status under its number and name, counters and boards.
PLOY_API void ploy_bt_instance_describe(const ploy_bt_instance *instance, ploy_describe *out);

/// The instance as a behavior, so that trees nest in anything and in each other. Its destroy is
/// ploy_bt_instance_destroy.
PLOY_API ploy_behavior ploy_bt_instance_behavior(ploy_bt_instance *instance);
/// Makes instances with default settings. @param bt  must outlive what holds the maker.
PLOY_API ploy_maker ploy_bt_maker(const ploy_bt *bt);
