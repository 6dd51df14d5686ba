/// @file ploy/decide/actions.h
/// Carrying out decisions: an action book, which lists the actions of a character, and an action
/// manager, which decides which of them run now.
///
/// All deciders (a tree, a machine, a plan, an alarm) request actions in the format of
/// ploy/exec/action.h. The manager connects the deciders and the body. It keeps requests in a queue
/// by priority, runs compatible actions at the same time, lets urgent actions interrupt others,
/// drops expired requests, and holds each action until it is complete. Deciders therefore need not
/// repeat a request in every frame, and a machine needs no states for the transitions between its
/// states.
///
///     deciders --> request --> queue --> active --> ploy_actions --> the game's controllers
///                              (by priority)  (all compatible actions)
///
/// A book's actions are single parts or compounds of parts, nested to any depth up to
/// PLOY_ACTION_DEPTH_MAX: a sequence (walk to the lever, pull, the door opens) or a combination
/// (shout while running). A script, such as a scientist who goes to the console, starts the
/// countdown and leaves, is also one action, and its requester may cancel it as a whole.
///
///     ploy_action_book_open(book, "pull lever", PLOY_ACTION_SEQUENCE);
///         ploy_action_book_add(book, &walk);
///         ploy_action_book_add(book, &pull);
///     ploy_action_book_close(book);
///     ploy_action_book_finish(book);
///
/// Technique: Millington, "AI for Games", 3rd edition, 5.10, with corrections to its listing:
/// actions of lower priority join the running ones, and finished parts of a combination are not
/// executed again.
///
/// Cost: a step is O(active * queued) tests of compatibility and O(parts) of the active ones.
/// Nothing allocates after create. Threads: a finished book may be used by many threads; a manager
/// takes one caller at a time.
#pragma once

#include "ploy/base/diags.h"
#include "ploy/base/json.h"
#include "ploy/base/trace.h"
#include "ploy/exec/action.h"

/// Most parts of a book, including compounds, and their deepest nesting.
#define PLOY_ACTION_PARTS_MAX 65535
#define PLOY_ACTION_DEPTH_MAX 16

/// ---- the book ----

/// How the parts of a compound run.
typedef enum ploy_action_join {
    PLOY_ACTION_SEQUENCE, ///< one after the other; fails with the first part that fails
    PLOY_ACTION_TOGETHER  ///< all at once; complete when all are, fails with the first that fails
} ploy_action_join;

/// One thing that the body has to do. Start from ploy_action_part_make().
typedef struct ploy_action_part {
    const char *name;  ///< the kind of the request to the body
    const char *style; ///< "stealthily"; NULL: that of the request
    ploy_action_effect effect;
    uint32_t flags;     ///< PLOY_ACTION_MOVE_FIRST or 0
    uint32_t resources; ///< a bit for each resource it needs (legs, arms, voice); 0: no conflicts
    float seconds;      ///< s; ends after this time, with success; 0: when the body is done
    bool interrupts;    ///< may interrupt running actions of lower priority
    bool placed;        ///< happens at `position`, not at the request's position
    ploy_vec3 position; ///< m
    float reach;        ///< m; if placed
} ploy_action_part;

PLOY_API ploy_action_part ploy_action_part_make(const char *name, ploy_action_effect effect,
                                                uint32_t resources);

/// How much an action matters. Start from ploy_action_terms_default().
typedef struct ploy_action_terms {
    float priority;   ///< larger goes first; finite
    float patience;   ///< s in the queue before the action is dropped; 0: forever
    ploy_name source; ///< the decider that requested it, for the log
} ploy_action_terms;

/// Priority 0, unlimited patience, no source.
PLOY_API ploy_action_terms ploy_action_terms_default(void);

/// Returns whether two parts can run at once; replaces the test of resources. Called in both
/// orders.
typedef bool (*ploy_action_both_fn)(void *user, const ploy_action_part *a,
                                    const ploy_action_part *b);

/// The actions of characters of one kind; immutable when finished, and shared. Opaque.
typedef struct ploy_action_book ploy_action_book;

PLOY_API ploy_result ploy_action_book_create(const ploy_env *env, ploy_action_book **out);
/// Destroy its managers first. NULL is allowed.
PLOY_API void ploy_action_book_destroy(ploy_action_book *book);

/// Opens a compound; parts added before its close belong to it. Outermost parts and compounds are
/// the book's actions, under their names. Faults are kept, so that calls may be chained: each
/// returns the first fault so far, and the log reports all of them.
PLOY_API ploy_result ploy_action_book_open(ploy_action_book *book, const char *name,
                                           ploy_action_join join);
PLOY_API ploy_result ploy_action_book_close(ploy_action_book *book);
/// Adds a single part; its texts are copied.
PLOY_API ploy_result ploy_action_book_add(ploy_action_book *book, const ploy_action_part *part);
/// Replaces the test of resources. NULL: restores the test of resources.
PLOY_API ploy_result ploy_action_book_set_both(ploy_action_book *book, ploy_action_both_fn both,
                                               void *user);
/// Finishes the book. @return the first fault: PLOY_ERR_ARGUMENT, PLOY_ERR_EXISTS for two actions
/// of one name, PLOY_ERR_LIMIT, PLOY_ERR_MEMORY; PLOY_ERR_STATE if a compound is open or empty.
PLOY_API ploy_result ploy_action_book_finish(ploy_action_book *book);

/// The name of an action, in the order added; NULL out of range.
PLOY_API const char *ploy_action_book_name(const ploy_action_book *book, int32_t action);
/// The action of that name, or -1.
PLOY_API int32_t ploy_action_book_find(const ploy_action_book *book, ploy_name name);

/// ---- the manager ----

typedef enum ploy_action_mode {
    PLOY_ACTION_COMBINE, ///< as many as are compatible, by priority
    PLOY_ACTION_STRICT,  ///< only actions of higher priority than all running ones join them
    PLOY_ACTION_SINGLE   ///< one at a time, except within a combination: the cheapest mode
} ploy_action_mode;

typedef struct ploy_action_manager_def {
    uint32_t cookie;
    int32_t queue;  ///< most waiting actions; beyond it the one of lowest priority is dropped
    int32_t active; ///< most actions that run at once
    int32_t parts;  ///< most parts of an action of the book
    int32_t log;    ///< most entries in the log
    ploy_action_mode mode;
    bool requeue; ///< interrupted actions wait again, to restart from the beginning, if not expired
} ploy_action_manager_def;

PLOY_API ploy_action_manager_def ploy_action_manager_def_default(void);
PLOY_API ploy_fields ploy_action_manager_fields(void);

/// One action in a manager, until it ends.
typedef struct ploy_action_entry_id {
    ploy_id id;
} ploy_action_entry_id;

/// What happened to an action, as logged.
typedef enum ploy_action_event_kind {
    PLOY_ACTION_QUEUED,
    PLOY_ACTION_STARTED,
    PLOY_ACTION_PUSHED, ///< interrupted by another action
    PLOY_ACTION_EXPIRED,
    PLOY_ACTION_DROPPED, ///< the queue was full
    PLOY_ACTION_COMPLETED,
    PLOY_ACTION_BROKEN, ///< a part of it failed
    PLOY_ACTION_ABANDONED
} ploy_action_event_kind;

/// "queued", "started", "pushed aside", "expired", "dropped", "completed", "failed", "abandoned".
PLOY_API const char *ploy_action_event_text(ploy_action_event_kind kind);

typedef struct ploy_action_event {
    double now;    ///< s
    double queued; ///< s; when it was requested
    ploy_name action, source;
    uint64_t token; ///< of the request
    ploy_action_entry_id entry;
    float priority;
    ploy_action_event_kind kind;
} ploy_action_event;

/// One character's actions. Opaque.
typedef struct ploy_action_manager ploy_action_manager;

/// @param book   finished; must outlive the manager.
/// @param agent  the agent that acts.
/// @return PLOY_ERR_ARGUMENT for a bad def, PLOY_ERR_STATE for a book that is not finished,
///         PLOY_ERR_LIMIT if one of its actions has more than def.parts parts, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_action_manager_create(const ploy_action_manager_def *def,
                                                const ploy_action_book *book, ploy_agent_id agent,
                                                const ploy_env *env, ploy_action_manager **out);
/// Frees the manager; the body continues the parts already requested. NULL is allowed.
PLOY_API void ploy_action_manager_destroy(ploy_action_manager *manager);

/// Requests an action of the book by the request's kind. Position, target, parameters, token and,
/// where a part has none, style are passed to every part; effect and flags come from the book.
/// @param terms  NULL: the book's.
/// @param now    s; finite.
/// @param out    may be NULL.
/// @return PLOY_ERR_NOT_FOUND if the book has no such action; PLOY_ERR_CAPACITY if the queue is
///         full of actions of equal or higher priority; PLOY_ERR_ARGUMENT.
PLOY_API ploy_result ploy_action_manager_request(ploy_action_manager *manager,
                                                 const ploy_action_request *request,
                                                 const ploy_action_terms *terms, double now,
                                                 ploy_action_entry_id *out);

/// Removes an action and stops the parts that the body is carrying out. @return PLOY_ERR_NOT_FOUND.
PLOY_API ploy_result ploy_action_manager_cancel(ploy_action_manager *manager, ploy_actions *actions,
                                                ploy_action_entry_id entry, double now);

/// Drops expired actions, starts those that may start, and continues the running ones. Call it
/// before each ploy_actions_step: an action that the body finished there is noticed in the next
/// call here.
/// @param dt     s since the last call; 0 to PLOY_ACTION_DT_MAX_S.
/// @param trace  may be NULL.
PLOY_API ploy_result ploy_action_manager_step(ploy_action_manager *manager, ploy_actions *actions,
                                              double now, float dt, ploy_trace *trace);

/// The number of waiting and running actions, and their ids in order of priority; none out of
/// range.
PLOY_API ploy_action_entry_id ploy_action_manager_queued(const ploy_action_manager *manager,
                                                         int32_t index);
PLOY_API ploy_action_entry_id ploy_action_manager_active(const ploy_action_manager *manager,
                                                         int32_t index);
/// Returns the request of an entry, or NULL.
PLOY_API const ploy_action_request *ploy_action_manager_get(const ploy_action_manager *manager,
                                                            ploy_action_entry_id entry);

/// The log, oldest first: at most def.log entries. @return false out of range.
PLOY_API int32_t ploy_action_manager_event_count(const ploy_action_manager *manager);
PLOY_API bool ploy_action_manager_event(const ploy_action_manager *manager, int32_t index,
                                        ploy_action_event *out);

/// Its state (ploy/base/visit.h), saved by the names of the book's actions and parts. A load (with
/// ploy_visit_load_known) continues with the saved actions: waiting actions wait, running actions
/// continue with their unfinished parts, and the parts that the body was carrying out are requested
/// again, because the body no longer has them. Actions that are no longer in the book are dropped
/// and reported. The log starts empty. A load into a manager that has actions fails with
/// PLOY_ERR_STATE.
PLOY_API void ploy_action_manager_visit(ploy_visit *v, void *object);
PLOY_API void ploy_action_manager_describe(const ploy_action_manager *manager, ploy_describe *out);
