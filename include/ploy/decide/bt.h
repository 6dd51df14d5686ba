/// @file ploy/decide/bt.h
/// Behavior trees: the definition, which characters share, and the instance, which holds one
/// character's position in the tree.
///
/// A tree is searched depth first, left to right. Leaves test (conditions) and act (actions);
/// composites and decorators combine the statuses that leaves return. The node set is that of
/// BehaviorTree.CPP 4, with its semantics, plus the nodes that Millington ("AI for Games", 3rd
/// edition, 5.4) adds. If both use a name, it means BehaviorTree.CPP's node. A leaf may return
/// SKIPPED: it did not apply. Errors are results, not statuses.
///
///     ploy_bt_builder ... ploy_bt_builder_build     once: an immutable ploy_bt
///     ploy_bt_instance_create               for each character: one block, a few bytes a node
///     ploy_bt_instance_step                 in each tick, or as a ploy_behavior
///
/// A node that returned RUNNING resumes where it was: the step begins at the running leaf, unless a
/// reactive node, a parallel or a time limit above it has to check again. In that case the step
/// begins at the topmost of those. Every start is followed by exactly one stop: the node finished,
/// or was halted because another node took its place, the tree was stopped or an error occurred.
///
/// Cost: a step visits only the nodes it needs, each O(1); it allocates nothing, except when a
/// behavior leaf creates its behavior. Budget unit: one node visited. A step that runs out of
/// budget returns RUNNING and continues at that node in the next step. Threads: a definition may be
/// used by many threads at once; an instance takes one caller at a time.
#pragma once

#include "ploy/base/fields.h"
#include "ploy/decide/semaphore.h"
#include "ploy/exec/maker.h"

/// Most nodes of a tree, and how deep they may nest.
#define PLOY_BT_NODES_MAX 1000000
#define PLOY_BT_DEPTH_MAX 256

/// X(enumerator, name, least children, most children, holds): holds is 1 if a running child can be
/// resumed without visiting this node again.
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

/// The kind of a node. bt_builder.h describes what each kind does and which settings it reads.
typedef enum ploy_bt_kind {
#define PLOY_BT_KIND_ENUM(id, text, least, most, holds) PLOY_BT_##id,
    PLOY_BT_KINDS(PLOY_BT_KIND_ENUM)
#undef PLOY_BT_KIND_ENUM
        PLOY_BT_KIND_COUNT
} ploy_bt_kind;

/// "Sequence", "ReactiveFallback", ...; "?" for any other number.
PLOY_API const char *ploy_bt_kind_text(ploy_bt_kind kind);
/// Finds the kind of that name; "Switch2" to "Switch6" also mean Switch. False if there is none.
PLOY_API bool ploy_bt_kind_find(const char *text, ploy_bt_kind *out);

/// An immutable tree. Opaque.
typedef struct ploy_bt ploy_bt;
/// One character's position in a tree. Opaque.
typedef struct ploy_bt_instance ploy_bt_instance;

/// Passed to a leaf's callbacks, conditions and effects. Valid only during the call.
typedef struct ploy_bt_call {
    ploy_step_context *context;
    ploy_bt_instance *instance;
    int32_t node; ///< the node whose callback is called
    void *user;   ///< as given to the builder; shared by all instances
    void *state;  ///< private bytes of the leaf, zeroed at each start; NULL if it has none
} ploy_bt_call;

/// A value that a leaf reads or writes, bound to a blackboard key or a literal when the tree is
/// built.
typedef struct ploy_bt_port {
    const char *name;
    ploy_value_type type;
    bool optional; ///< may stay unbound
} ploy_bt_port;

/// A kind of leaf: plain callbacks. Copied by the builder; its strings and functions must stay
/// valid.
typedef struct ploy_bt_leaf {
    const char *name;
    /// For a condition, used instead of step: true is success.
    bool (*test)(ploy_bt_call *call);
    /// Acts. Sets *status on PLOY_OK.
    ploy_result (*step)(ploy_bt_call *call, ploy_status *status);
    /// Called before the first step. May be NULL. An error ends the tree's step; stop follows.
    ploy_result (*start)(ploy_bt_call *call);
    /// Called after the last step, exactly once for each start, with FINISHED or the reason for the
    /// halt. Below a reactive node, the leaf that takes over has already started: release only what
    /// this leaf acquired. May be NULL.
    void (*stop)(ploy_bt_call *call, ploy_exit_reason reason);
    /// Called when a message arrives while the leaf runs. May be NULL.
    ploy_result (*message)(ploy_bt_call *call, const ploy_message *message, bool *handled);
    const ploy_bt_port *ports;
    int32_t port_count;
    int32_t state_size; ///< private bytes in each instance, aligned to 8
    bool sleeps;        ///< calls ploy_bt_sleep; costs 24 bytes in each instance
    /// For a node with children (ploy_bt_builder_open_control), used instead of step and test.
    /// Called in each step while the node runs, first with child -1, then again after each chosen
    /// child, with that child and its status. Sets *next to the child to step now, counted from 0;
    /// or sets *next to -1 and *status to the node's own status. A running child continues when it
    /// is chosen in the next step; all children are halted when the node returns anything but
    /// RUNNING.
    ploy_result (*choose)(ploy_bt_call *call, int32_t child, ploy_status answer, int32_t *next,
                          ploy_status *status);
} ploy_bt_leaf;

/// Most children that a custom node may choose in one step.
#define PLOY_BT_CHOICES_MAX 100000

/// Reads a port. @return PLOY_ERR_NOT_FOUND if it is unbound, PLOY_ERR_ARGUMENT if there is no such
/// port.
PLOY_API ploy_result ploy_bt_port_get(const ploy_bt_call *call, int32_t port, ploy_value *out);
/// Writes a port; the value is converted to the key's type if nothing is lost. @return
/// PLOY_ERR_DENIED for a literal, otherwise as ploy_bt_port_get.
PLOY_API ploy_result ploy_bt_port_set(const ploy_bt_call *call, int32_t port,
                                      const ploy_value *value);
/// Returns the blackboard and slot of a port, for the blackboard's typed calls; board is NULL if
/// the port is unbound or a literal.
PLOY_API ploy_blackboard_ref ploy_bt_port_ref(const ploy_bt_call *call, int32_t port);

/// Puts the calling leaf, which must then return RUNNING, to sleep: the leaf is not stepped again
/// until something wakes it. Stepping a tree that waits only for this leaf costs almost nothing.
/// Each call sleeps once. @return PLOY_ERR_STATE unless ploy_bt_leaf.sleeps is set,
/// PLOY_ERR_ARGUMENT if the port has no key.
/// @param port     a change of this port's key wakes the leaf; -1 for none.
/// @param seconds  wakes the leaf after this time; 0 or less for never.
/// @param message  true if any message to the tree wakes the leaf.
PLOY_API ploy_result ploy_bt_sleep(ploy_bt_call *call, int32_t port, double seconds, bool message);

/// ---- definition ----

/// Frees a tree. Destroy its instances first. NULL is allowed.
PLOY_API void ploy_bt_destroy(ploy_bt *bt);
PLOY_API const char *ploy_bt_name(const ploy_bt *bt);
PLOY_API int32_t ploy_bt_node_count(const ploy_bt *bt);
/// Sets the semaphores that SemaphoreGuards use in instances created without semaphores, for
/// example by a maker. They must stay valid. Call this before the first instance is created.
PLOY_API void ploy_bt_set_semaphores(ploy_bt *bt, ploy_semaphores *semaphores);
/// Hash of structure, settings, names, literals and remapping: equal trees have equal hashes.
/// Callbacks are not included.
PLOY_API uint64_t ploy_bt_hash(const ploy_bt *bt);

/// One node, for tools. Nodes are numbered depth first from the root, 0.
typedef struct ploy_bt_node_info {
    ploy_bt_kind kind;
    const char *name;
    int32_t parent;   ///< -1 for the root
    int32_t end;      ///< one past its last descendant: the next sibling, if there is one
    int32_t children; ///< how many
    int32_t depth;    ///< 0 for the root
    uint64_t id; ///< stable: made from the names on the path from the root, numbered among equals
} ploy_bt_node_info;

/// @return PLOY_ERR_ARGUMENT if there is no such node.
PLOY_API ploy_result ploy_bt_node_at(const ploy_bt *bt, int32_t node, ploy_bt_node_info *out);
/// The first node of that name, or -1.
PLOY_API int32_t ploy_bt_find_node(const ploy_bt *bt, const char *name);

/// ---- instance ----

typedef struct ploy_bt_instance_def {
    uint32_t cookie;
    bool watch; ///< also records when each node was last visited; 4 bytes per node
} ploy_bt_instance_def;

PLOY_API ploy_bt_instance_def ploy_bt_instance_def_default(void);
PLOY_API ploy_fields ploy_bt_instance_fields(void);

/// Creates one character's instance in one block from the env's allocator.
/// @param semaphores  for the tree's SemaphoreGuards; NULL: the tree's own. Must stay valid.
/// @return PLOY_ERR_ARGUMENT for a bad def or missing semaphores, PLOY_ERR_EXISTS for a semaphore
///         that exists with a different maximum, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_bt_instance_create(const ploy_bt_instance_def *def, const ploy_bt *bt,
                                             ploy_semaphores *semaphores, const ploy_env *env,
                                             ploy_bt_instance **out);
/// Halts running nodes (with PLOY_EXIT_REMOVED and a context that holds only the instance's
/// blackboards), then frees the behaviors of the leaves and the instance. NULL is allowed.
PLOY_API void ploy_bt_instance_destroy(ploy_bt_instance *instance);

/// Bytes of the instance's block.
PLOY_API size_t ploy_bt_instance_size(const ploy_bt_instance *instance);
PLOY_API const ploy_bt *ploy_bt_instance_bt(const ploy_bt_instance *instance);

/// Advances the tree. If the tree was built with a layout, the blackboard in the context must have
/// that layout.
/// @return PLOY_ERR_ARGUMENT for a blackboard of another layout; PLOY_ERR_STATE if called during a
///         step of this instance; any error that a leaf returned: every running node was then
///         halted with PLOY_EXIT_ERROR, and the next step begins at the root.
PLOY_API ploy_result ploy_bt_instance_step(ploy_bt_instance *instance, ploy_step_context *context,
                                           ploy_status *status);

/// Halts running nodes, innermost first. The next step begins at the root. State that is meant to
/// survive a restart (Limit, RunOnce, Cooldown, the position of SequenceWithMemory) is kept. Does
/// nothing during a step.
PLOY_API void ploy_bt_instance_halt(ploy_bt_instance *instance, ploy_step_context *context,
                                    ploy_exit_reason reason);

/// Signals a node, as the leaf Signal does: an Interrupter halts its child and returns that status
/// (SUCCESS, FAILURE or SKIPPED), a Gate opens with SUCCESS and closes with any other status, a
/// Hold releases the status it holds, and a Limit resets its count to 0. The signal takes effect at
/// the node's next visit; an Interrupter that is under the same Parallel as the Signal is visited
/// again at once.
/// @return PLOY_ERR_ARGUMENT if there is no such node or its kind takes no signals.
PLOY_API ploy_result ploy_bt_instance_signal(ploy_bt_instance *instance, int32_t node,
                                             ploy_status status);

/// Reads the status of a node's last visit. False, with *status unchanged, if the node is idle:
/// never visited, halted, or reset by its parent.
PLOY_API bool ploy_bt_instance_node_status(const ploy_bt_instance *instance, int32_t node,
                                           ploy_status *status);
/// Reads the tick of a node's last visit, modulo 2^32; needs ploy_bt_instance_def.watch. False if
/// never visited.
PLOY_API bool ploy_bt_instance_node_seen(const ploy_bt_instance *instance, int32_t node,
                                         uint32_t *tick);
/// True if the tree waits for one sleeping leaf, so that a step would only check whether to wake
/// it. *until is the time at which the leaf wakes, or 0 for none.
PLOY_API bool ploy_bt_instance_asleep(const ploy_bt_instance *instance, double *until);

/// Describes the status of each running or finished node under its number and name, the counters
/// and the blackboards.
PLOY_API void ploy_bt_instance_describe(const ploy_bt_instance *instance, ploy_describe *out);

/// Returns the instance as a behavior, so that trees can be nested in each other and in any other
/// behavior. The behavior's destroy is ploy_bt_instance_destroy.
PLOY_API ploy_behavior ploy_bt_instance_behavior(ploy_bt_instance *instance);
/// A maker that creates instances with default settings. @param bt  must outlive what holds the
/// maker.
PLOY_API ploy_maker ploy_bt_maker(const ploy_bt *bt);
