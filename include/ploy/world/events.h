/// @file ploy/world/events.h
/// Events: notifications to all registered listeners.
///
/// A telegram knows its receiver; an event does not. Sources raise events, listeners register their
/// interests, and the manager between them has a queue, a register and a dispatcher. Work that many
/// characters would each repeat is done once, and an agent without interests costs nothing.
///
/// Technique: Millington, "AI for Games", 3rd ed. 2019, chapter 11 (event manager, casting, polling
/// checkers), with its listing corrected and its open questions settled:
/// - Listeners are notified in the order in which they registered. Codes are looked up, not
///   scanned.
/// - Queues are first in, first out, or by (deadline, priority, order of raising). Dispatch stops
///   when its budget is empty, but the second kind always delivers overdue events.
/// - An event raised during a run waits for the next run, so that two listeners that answer each
///   other cannot prolong it forever; PLOY_EVENTS_SAME_RUN appends to the run, up to `run_limit`
///   events.
/// - Listeners may register and unregister any listener during a notification. A listener that
///   registers during an event does not receive it; unregistering takes effect immediately.
/// - A listener's error is logged and recorded; the others are still notified.
///
/// Narrowcasting: use one manager for each team, room or side. Managers form trees; each has
/// settings for whether it forwards its events to its parent, and whether it receives its parent's
/// events. An event that went up does not come down again.
///
/// Units: seconds, metres. One unit of a budget is one listener notified, at least one per event.
/// Cost: raising O(log waiting); an event O(its listeners, and those of several codes). Allocates
/// only when something grows, never after a large enough reserve. Threads: one caller at a time for
/// all managers of a tree.
#pragma once

#include "ploy/base/budget.h"
#include "ploy/base/describe.h"
#include "ploy/base/fields.h"
#include "ploy/base/visit.h"
#include "ploy/geom/draw.h"
#include "ploy/world/pose.h"

/// Bytes of payload in an event.
#define PLOY_EVENT_PAYLOAD 32

/// A deadline for events that may be delivered at any time.
#define PLOY_EVENT_ANY_TIME 1e300

/// Opaque.
typedef struct ploy_events ploy_events;

/// What happened: plain data, copied into the queue. Every byte is set by ploy_event_make.
typedef struct ploy_event {
    uint64_t code;        ///< what listeners match: a number, or bits
    ploy_name name;       ///< for people and for handlers
    ploy_agent_id sender; ///< none: the game
    ploy_vec3 position;   ///< m, where it happened, if placed
    int32_t priority;     ///< higher comes first among equal deadlines
    double deadline;      ///< s, when it must have been delivered at the latest
    double raised;        ///< s, set by the manager
    uint64_t order;       ///< set by the manager
    bool placed;          ///< position is valid; events that are not placed reach any radius
    uint8_t reserved[3];
    uint32_t size; ///< bytes used of payload
    unsigned char payload[PLOY_EVENT_PAYLOAD];
} ploy_event;

/// Returns an event without position, payload or deadline, with the code of its name.
PLOY_API ploy_event ploy_event_make(const char *name);
/// Returns the code of a name: its hash. For small sets of events, bits (1 << n) work too.
PLOY_API uint64_t ploy_event_code(const char *name);
/// @return PLOY_ERR_CAPACITY if the bytes do not fit; then the event is unchanged.
PLOY_API ploy_result ploy_event_set_payload(ploy_event *event, const void *bytes, size_t size);

typedef enum ploy_events_order {
    PLOY_EVENTS_FIFO,    ///< first in, first out; ignores deadlines and priorities
    PLOY_EVENTS_DEADLINE ///< by deadline, then priority, then order of raising
} ploy_events_order;

typedef enum ploy_events_raised {
    PLOY_EVENTS_NEXT_RUN, ///< what listeners raise waits for the next run
    PLOY_EVENTS_SAME_RUN  ///< it is queued immediately
} ploy_events_raised;

typedef struct ploy_events_def {
    uint32_t cookie;
    int32_t capacity;          ///< events that fit before the queue grows
    int32_t listeners;         ///< listeners that fit before the register grows
    int32_t limit;             ///< maximum number of waiting events
    int32_t run_limit;         ///< maximum number of events in one run
    int32_t depth;             ///< maximum nesting of events fired within events
    int32_t log;               ///< number of records kept in the log; 0: none
    ploy_events_order order;   ///< of the queue
    ploy_events_raised raised; ///< where events raised by listeners go
    bool tells_parent;         ///< events raised here are raised in the parent too
    bool hears_parent;         ///< events raised in the parent are raised here too
} ploy_events_def;

PLOY_API ploy_events_def ploy_events_def_default(void);
PLOY_API ploy_fields ploy_events_fields(void);

/// Creates a manager with no listeners and no parent.
PLOY_API ploy_result ploy_events_create(const ploy_events_def *def, const ploy_env *env,
                                        ploy_events **out);
/// Detaches it from its parent and children first. Do not call it from a callback of any manager in
/// its tree. NULL is allowed.
PLOY_API void ploy_events_destroy(ploy_events *events);
PLOY_API ploy_result ploy_events_reserve(ploy_events *events, int32_t count, int32_t listeners);

/// Makes it a child of another manager; NULL: no parent.
/// @return PLOY_ERR_ARGUMENT if it would be its own ancestor, PLOY_ERR_STATE from within a callback
///         of either.
PLOY_API ploy_result ploy_events_set_parent(ploy_events *events, ploy_events *parent);
/// Sets the source of listeners' poses, for interests with a radius. The source is kept.
PLOY_API void ploy_events_set_source(ploy_events *events, ploy_pose_source source);

// ---- listeners

typedef enum ploy_interest_match {
    PLOY_INTEREST_CODE, ///< the event's code is this one
    PLOY_INTEREST_MASK, ///< the event's code shares a bit with it
    PLOY_INTEREST_ANY   ///< any code
} ploy_interest_match;

/// The interest of a listener. All conditions that are set must hold.
typedef struct ploy_interest {
    ploy_interest_match match;
    /// m around the listener's own pose; 0: anywhere. An event without a position, or a listener
    /// without a pose, counts as within it.
    float radius;
    uint64_t code; ///< or mask
    /// May be NULL. Must return the same result for the same state.
    bool (*wants)(void *user, const ploy_event *event);
} ploy_interest;

PLOY_API ploy_interest ploy_interest_code(uint64_t code);
PLOY_API ploy_interest ploy_interest_mask(uint64_t mask);
PLOY_API ploy_interest ploy_interest_any(void);

/// The listener.
typedef struct ploy_listener {
    ploy_agent_id agent; ///< centre of the radius, and whose history records it; or none
    ploy_result (*notify)(void *user, const ploy_event *event);
    void *user; ///< for notify and for the interest's predicate
} ploy_listener;

/// Identifies one registration in one manager.
typedef struct ploy_listener_id {
    ploy_id id;
} ploy_listener_id;

/// Registers an interest; the same listener may register several.
/// @return PLOY_ERR_ARGUMENT without notify, for a mask of 0 or a bad radius; PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_events_register(ploy_events *events, const ploy_listener *listener,
                                          ploy_interest interest, ploy_listener_id *out);
/// @return PLOY_ERR_NOT_FOUND.
PLOY_API ploy_result ploy_events_unregister(ploy_events *events, ploy_listener_id id);
/// Removes all registrations of an agent. @return how many. Cost: O(listeners).
PLOY_API int32_t ploy_events_unregister_agent(ploy_events *events, ploy_agent_id agent);
/// Moves a registration to another manager, as when an agent changes rooms or teams. With the same
/// manager, the registration moves to the end of the order.
/// @return PLOY_ERR_NOT_FOUND, PLOY_ERR_MEMORY; then the registration is unchanged.
PLOY_API ploy_result ploy_events_move(ploy_events *from, ploy_listener_id id, ploy_events *to,
                                      ploy_listener_id *out);
/// Returns whether a listener here, or in a manager to which events raised here go, might receive
/// such an event, so that sources can skip their work. For masks, one common bit is enough.
PLOY_API bool ploy_events_wanted(const ploy_events *events, uint64_t code);

// ---- events

/// Queues an event here and in every manager that it reaches, or in none of them.
/// @return PLOY_ERR_ARGUMENT if a number is not finite, PLOY_ERR_CAPACITY if a queue is full,
///         PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_events_raise(ploy_events *events, const ploy_event *event);
/// Notifies all listeners before the call returns, bypassing the queue: for urgent events, managers
/// without a queue, and firing by hand.
/// @param notified  number of listeners notified; may be NULL.
/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_LIMIT past the depth.
PLOY_API ploy_result ploy_events_fire(ploy_events *events, const ploy_event *event,
                                      int32_t *notified);

/// Checks for events; may raise any number of them. @return an error, which is logged and counted.
typedef ploy_result (*ploy_event_check_fn)(void *user, ploy_events *events, uint64_t tick);

/// A source that is polled.
typedef struct ploy_checker {
    ploy_event_check_fn check;
    void *user;
    uint64_t code;  ///< what it may raise; skipped if it has no listener. 0: always called
    int32_t period; ///< ticks between two calls, 1 or more
    int32_t phase;  ///< ticks, 0 or more
} ploy_checker;

typedef struct ploy_checker_id {
    ploy_id id;
} ploy_checker_id;

/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_events_add_checker(ploy_events *events, const ploy_checker *checker,
                                             ploy_checker_id *out);

/// One run: calls the checkers that are due, then delivers the queued events.
/// @param now     s, compared with deadlines; not before the last run's.
/// @param budget  NULL: no limit. A deadline is refused.
/// @return PLOY_IN_PROGRESS if the budget or run_limit left events over, PLOY_ERR_ARGUMENT,
///         PLOY_ERR_UNSUPPORTED, PLOY_ERR_STATE from within a run of this manager.
PLOY_API ploy_result ploy_events_step(ploy_events *events, uint64_t tick, double now,
                                      ploy_budget *budget);

// ---- sight

typedef enum ploy_event_stage {
    PLOY_EVENT_RAISED,   ///< queued here
    PLOY_EVENT_FIRED,    ///< bypassing the queue
    PLOY_EVENT_NOTIFIED, ///< a listener was notified; result is what it returned
    PLOY_EVENT_UNHEARD   ///< delivered, without a listener
} ploy_event_stage;

typedef struct ploy_event_record {
    ploy_event_stage stage;
    ploy_result result;
    double time; ///< s
    uint64_t code;
    ploy_name name;
    uint64_t order; ///< of the event
    ploy_agent_id sender;
    ploy_agent_id listener; ///< the one notified
} ploy_event_record;

/// The log by age: 0 is the newest. @return false out of range.
PLOY_API bool ploy_events_record(const ploy_events *events, int32_t age, ploy_event_record *out);
/// Lists what one agent received, newest first, as far as the log goes back.
/// @return how many were written, at most capacity.
PLOY_API int32_t ploy_events_history(const ploy_events *events, ploy_agent_id agent,
                                     ploy_event_record *out, int32_t capacity);

typedef struct ploy_events_counts {
    int64_t raised;
    int64_t delivered;
    int64_t notified; ///< listeners, over all events
    int64_t unheard;  ///< events without a listener
    int64_t errors;   ///< of listeners and checkers
    int64_t checks;   ///< calls of checkers
    int64_t spared;   ///< calls of checkers skipped because there was no listener
    int64_t most_waiting;
} ploy_events_counts;

/// Returns the counts of this manager so far.
PLOY_API ploy_events_counts ploy_events_counts_of(const ploy_events *events);

/// Visits a ploy_events (ploy/base/visit.h): the queue, the counts and the log. Listeners and
/// checkers are callbacks: register the same ones in the same order before a load, which refuses a
/// file with different ones. Do not call it during a delivery. v->context: a ploy_names, or NULL.
PLOY_API void ploy_events_visit(ploy_visit *v, void *events);
/// Describes the register, the queue, the counts and the log. @param names  texts behind names; may
/// be NULL.
PLOY_API void ploy_events_describe(const ploy_events *events, const ploy_names *names,
                                   ploy_describe *out);
/// Draws where waiting events happened, and the radius of each listener whose pose is known.
PLOY_API void ploy_events_draw(const ploy_events *events, ploy_draw *out);
PLOY_API void ploy_events_memory(const ploy_events *events, ploy_memory_fn fn, void *user);
