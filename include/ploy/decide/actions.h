/// @file ploy/decide/actions.h
/// Carrying out decisions: an action book, which lists what a character can do, and an action
/// manager, which decides what it does now.
///
/// Whatever decides (a tree, a machine, a plan, an alarm) requests actions in the one format of
/// ploy/exec/action.h. The manager connects the deciders and the body. It keeps what was
/// asked for in a queue by priority, runs together what can be done together, lets the urgent push
/// the rest aside, drops what came too late, and holds each action until it is complete, so that no
/// decider has to repeat itself in every frame and no machine needs states for the transitions
/// between its states.
///
///     deciders --> request --> queue --> active --> ploy_actions --> the game's controllers
///                              (by priority)  (all that can be done at once)
///
/// A book's actions are single parts or compounds of parts, nested to any depth up to
/// PLOY_ACTION_DEPTH_MAX: a sequence (walk to the lever, pull, the door opens) or a combination
/// (shout while running). A script, such as a scientist who goes to the console, starts the
/// countdown and leaves, is one action too, and its requester may cancel it as one.
///
///     ploy_action_book_open(book, "pull lever", PLOY_ACTION_SEQUENCE);
///         ploy_action_book_add(book, &walk);
///         ploy_action_book_add(book, &pull);
///     ploy_action_book_close(book);
///     ploy_action_book_finish(book);
///
/// Technique: Millington, "AI for Games", 3rd edition, 5.10, with its listing mended: actions of
/// lower priority join what runs, and finished parts of a combination are not executed again.
///
/// Cost: a step is O(active * queued) tests of compatibility and O(parts) of the active ones.
/// Nothing allocates after create. Threads: a finished book may be used by many; a manager takes
/// one caller at a time.
#pragma once

#include "ploy/base/diags.h"
#include "ploy/base/json.h"
#include "ploy/base/trace.h"
#include "ploy/exec/action.h"

/// Most parts of a book, compounds included, and how deep they may nest.
#define PLOY_ACTION_PARTS_MAX 65535
#define PLOY_ACTION_DEPTH_MAX 16

/// ---- the book ----

/// How the parts of a compound belong together.
typedef enum ploy_action_join {
    PLOY_ACTION_SEQUENCE, ///< one after the other; the first that fails fails it
    PLOY_ACTION_TOGETHER  ///< all at once; complete when all are, the first that fails fails it
} ploy_action_join;

/// One thing that the body has to do. Start from ploy_action_part_make().
typedef struct ploy_action_part {
    const char *name;  ///< the kind of the request that the body gets
    const char *style; ///< "stealthily"; NULL: that of the request
    ploy_action_effect effect;
    uint32_t flags; ///< PLOY_ACTION_MOVE_FIRST or 0
    uint32_t
        resources; ///< a bit for each thing it needs (legs, arms, voice); 0: it conflicts with none
    float seconds; ///< s; ended after so long, with success; 0: when the body is done
    bool interrupts;    ///< may push aside what runs, if that is of lower priority
    bool placed;        ///< happens at `position`, not at that of the request
    ploy_vec3 position; ///< m
    float reach;        ///< m; if placed
} ploy_action_part;

PLOY_API ploy_action_part ploy_action_part_make(const char *name, ploy_action_effect effect,
                                                uint32_t resources);

/// How much an action matters. Start from ploy_action_terms_default().
typedef struct ploy_action_terms {
    float priority;   ///< larger goes first; finite
    float patience;   ///< s that it may wait in the queue before it is dropped; 0: forever
    ploy_name source; ///< who decided so, for the log
} ploy_action_terms;

/// Priority 0, no end to its patience, no source.
PLOY_API ploy_action_terms ploy_action_terms_default(void);

/// Whether two parts can be done at once, in place of the resources. Asked both ways round.
typedef bool (*ploy_action_both_fn)(void *user, const ploy_action_part *a,
                                    const ploy_action_part *b);

/// What characters of one kind can do; immutable when finished, and shared. Opaque.
typedef struct ploy_action_book ploy_action_book;

PLOY_API ploy_result ploy_action_book_create(const ploy_env *env, ploy_action_book **out);
/// Its managers must be gone. NULL is allowed.
PLOY_API void ploy_action_book_destroy(ploy_action_book *book);

/// Opens a compound; what follows up to its close are its parts. Outermost parts and compounds are
/// the book's actions, under their names. Faults stick, so that calls may be chained: each returns
/// the first fault so far, and the log has all of them.
PLOY_API ploy_result ploy_action_book_open(ploy_action_book *book, const char *name,
                                           ploy_action_join join);
PLOY_API ploy_result ploy_action_book_close(ploy_action_book *book);
/// Adds a single part; its texts are copied.
PLOY_API ploy_result ploy_action_book_add(ploy_action_book *book, const ploy_action_part *part);
/// Replaces the test of resources. NULL: the resources again.
PLOY_API ploy_result ploy_action_book_set_both(ploy_action_book *book, ploy_action_both_fn both,
                                               void *user);
/// Ends the building. @return the first fault: PLOY_ERR_ARGUMENT, PLOY_ERR_EXISTS for two actions
/// of one name, PLOY_ERR_LIMIT, PLOY_ERR_MEMORY; PLOY_ERR_STATE if a compound is open or empty.
PLOY_API ploy_result ploy_action_book_finish(ploy_action_book *book);

/// The name of an action, in order of adding; NULL out of range.
PLOY_API const char *ploy_action_book_name(const ploy_action_book *book, int32_t action);
/// The action of that name, or -1.
PLOY_API int32_t ploy_action_book_find(const ploy_action_book *book, ploy_name name);

/// ---- the manager ----

typedef enum ploy_action_mode {
    PLOY_ACTION_COMBINE, ///< as many as can be done at once, by priority
    PLOY_ACTION_STRICT,  ///< only those of higher priority than all that run join them
    PLOY_ACTION_SINGLE   ///< one at a time; together only what is a combination: the cheapest
} ploy_action_mode;

typedef struct ploy_action_manager_def {
    uint32_t cookie;
    int32_t queue;  ///< most actions that wait; past it the one of lowest priority goes
    int32_t active; ///< most that run at once
    int32_t parts;  ///< most parts of an action of the book
    int32_t log;    ///< entries that the log remembers
    ploy_action_mode mode;
    bool requeue; ///< what was pushed aside waits again, from its beginning, if not too late
} ploy_action_manager_def;

PLOY_API ploy_action_manager_def ploy_action_manager_def_default(void);
PLOY_API ploy_fields ploy_action_manager_fields(void);

/// One action in a manager, until it ends.
typedef struct ploy_action_entry_id {
    ploy_id id;
} ploy_action_entry_id;

/// What became of an action, as the log has it.
typedef enum ploy_action_event_kind {
    PLOY_ACTION_QUEUED,
    PLOY_ACTION_STARTED,
    PLOY_ACTION_PUSHED, ///< aside, by one that interrupts
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
/// @param agent  who acts.
/// @return PLOY_ERR_ARGUMENT for a bad def, PLOY_ERR_STATE for a book that is not finished,
///         PLOY_ERR_LIMIT if one of its actions has more than def.parts parts, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_action_manager_create(const ploy_action_manager_def *def,
                                                const ploy_action_book *book, ploy_agent_id agent,
                                                const ploy_env *env, ploy_action_manager **out);
/// Frees it; what it asked the body for goes on there. NULL is allowed.
PLOY_API void ploy_action_manager_destroy(ploy_action_manager *manager);

/// Requests an action of the book by the request's kind. Position, target, parameters, token and,
/// where a part has none, style reach every part; its effect and flags are the book's affair.
/// @param terms  NULL: the book's.
/// @param now    s; finite.
/// @param out    may be NULL.
/// @return PLOY_ERR_NOT_FOUND if the book has no such action; PLOY_ERR_CAPACITY if the queue is
///         full of what matters as much or more; PLOY_ERR_ARGUMENT.
PLOY_API ploy_result ploy_action_manager_request(ploy_action_manager *manager,
                                                 const ploy_action_request *request,
                                                 const ploy_action_terms *terms, double now,
                                                 ploy_action_entry_id *out);

/// Takes an action out, stopping what of it the body does. @return PLOY_ERR_NOT_FOUND.
PLOY_API ploy_result ploy_action_manager_cancel(ploy_action_manager *manager, ploy_actions *actions,
                                                ploy_action_entry_id entry, double now);

/// Drops what waited too long, starts what may start, and goes on with what runs. Call it before
/// each ploy_actions_step: an action that the body finished there is noticed in the next call here.
/// @param dt     s since the last call; 0 to PLOY_ACTION_DT_MAX_S.
/// @param trace  may be NULL.
PLOY_API ploy_result ploy_action_manager_step(ploy_action_manager *manager, ploy_actions *actions,
                                              double now, float dt, ploy_trace *trace);

/// How many wait and run, and which, in order of priority; the id none out of range.
PLOY_API ploy_action_entry_id ploy_action_manager_queued(const ploy_action_manager *manager,
                                                         int32_t index);
PLOY_API ploy_action_entry_id ploy_action_manager_active(const ploy_action_manager *manager,
                                                         int32_t index);
/// The request behind an entry, or NULL.
PLOY_API const ploy_action_request *ploy_action_manager_get(const ploy_action_manager *manager,
                                                            ploy_action_entry_id entry);

/// The log, oldest first: at most def.log entries. @return false out of range.
PLOY_API int32_t ploy_action_manager_event_count(const ploy_action_manager *manager);
PLOY_API bool ploy_action_manager_event(const ploy_action_manager *manager, int32_t index,
                                        ploy_action_event *out);

/// Its state (ploy/base/visit.h), saved by the names of the book's actions and parts. A load (with
/// ploy_visit_load_known) continues with what was saved: what waited waits, what ran goes on with its
/// parts that were not done; the body is asked again for those it was carrying out, which it does not
/// know any more. What the book does not have any more is dropped and reported. The log starts empty.
/// A load into a manager that has actions fails with PLOY_ERR_STATE.
PLOY_API void ploy_action_manager_visit(ploy_visit *v, void *object);
PLOY_API void ploy_action_manager_describe(const ploy_action_manager *manager, ploy_describe *out);
