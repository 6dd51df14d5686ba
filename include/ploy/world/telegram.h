/// @file ploy/world/telegram.h
/// Telegrams: messages to one agent, delivered immediately or at a later time.
///
/// A character that receives messages need not poll: the pass is announced to its receiver, the
/// wounded call their comrades, and a fuse reminds its owner in thirty seconds that
/// it has burnt down. Senders know ids only; receivers are anything that has one.
///
/// Technique: Buckland, "Programming Game AI by Example", 2005, chapter 2 (telegrams and message
/// dispatcher), with what its listings leave open settled: an order that does not depend on fuzzy
/// comparison, payloads that are copied, receivers that are gone, handlers that send, cancel and
/// remove while they are called.
///
/// Order of delivery: by due time, then in the order of sending. A delayed one leaves the queue
/// before its handler is called, so a handler may do anything but destroy the dispatcher: send (a
/// telegram without delay arrives before the call returns), cancel, remove entities, step.
/// Telegrams within telegrams nest `depth` deep at most. One that is sent with a delay never
/// arrives in the same step.
///
/// Units: seconds of the clock that step is given. Cost: sending and cancelling one O(log waiting),
/// cancelling a receiver's O(its own), other filters O(waiting). Allocates only when the queue
/// grows, never after a large enough reserve. Threads: one caller at a time; thinking behaviors use
/// their outbox instead.
#pragma once

#include "ploy/base/budget.h"
#include "ploy/base/message.h"
#include "ploy/base/visit.h"
#include "ploy/exec/engine.h"
#include "ploy/world/entity.h"

/// Opaque.
typedef struct ploy_telegrams ploy_telegrams;

/// Names a telegram that waits.
typedef struct ploy_telegram_id {
    ploy_id id;
} ploy_telegram_id;

typedef struct ploy_telegrams_def {
    uint32_t cookie;
    int32_t capacity; ///< delayed telegrams that fit before the queue grows
    int32_t limit;    ///< most that wait; more are dropped
    int32_t depth;    ///< telegrams within telegrams
    int32_t log;      ///< lives that are remembered; 0: none
    float
        duplicate_window; ///< s; a delayed telegram is dropped if one of the same sender, receiver
                          ///< and kind waits, due less than this apart; 0: off. The book has 0.25
    bool strict;          ///< due before now, as the book has it, instead of due by now
    bool purge_sent; ///< when an entity goes, what it sent goes too, not only what it would get
} ploy_telegrams_def;

PLOY_API ploy_telegrams_def ploy_telegrams_def_default(void);
PLOY_API ploy_fields ploy_telegrams_fields(void);

/// Creates a dispatcher at time 0 without receivers.
PLOY_API ploy_result ploy_telegrams_create(const ploy_telegrams_def *def, const ploy_env *env,
                                           ploy_telegrams **out);
/// What waits is lost. Destroy it before the entities it was given. NULL is allowed.
PLOY_API void ploy_telegrams_destroy(ploy_telegrams *telegrams);
/// Reserves room for this many waiting telegrams in all.
PLOY_API ploy_result ploy_telegrams_reserve(ploy_telegrams *telegrams, int32_t count);

/// Takes a telegram for the receiver it names.
/// @param handled  set to true if it meant something to the receiver; false before the call.
/// @return PLOY_ERR_NOT_FOUND if there is no such receiver; another error is the receiver's own: it
///         is logged and remembered, and the dispatcher goes on.
typedef ploy_result (*ploy_telegram_fn)(void *user, const ploy_message *message, bool *handled);

/// The receiver of telegrams. NULL: none, except an engine that is connected.
PLOY_API void ploy_telegrams_set_receiver(ploy_telegrams *telegrams, ploy_telegram_fn fn,
                                          void *user);

/// Lets a registry say who exists: telegrams for others are refused when they are sent and dropped
/// when they are due, and what waits for an entity is purged when it goes. NULL takes that back.
/// @return PLOY_ERR_MEMORY; nothing has changed then.
PLOY_API ploy_result ploy_telegrams_set_entities(ploy_telegrams *telegrams,
                                                 ploy_entities *entities);

/// Joins an engine and a dispatcher: what the engine's behaviors send for later, or to an agent
/// without a behavior there, comes here; and telegrams go to the engine's behaviors first, to the
/// receiver function if the engine does not know theirs. Step the dispatcher with the engine's time
/// after each step of the engine. NULL parts them. Both are kept by the other.
PLOY_API void ploy_telegrams_connect(ploy_telegrams *telegrams, ploy_engine *engine);

/// Sends a telegram: delivered before the call returns if delay is 0 or below, else due that much
/// after now. The message is copied; its due and order are set here. A receiver of none means
/// all listeners: an engine notifies all but the sender, a receiver function is called once.
/// @param delay  s, finite.
/// @param out    the waiting telegram, none if it was delivered; may be NULL.
/// @return PLOY_ERR_NOT_FOUND if there is no such receiver, PLOY_ERR_EXISTS if it was dropped as a
///         duplicate, PLOY_ERR_CAPACITY at the limit, PLOY_ERR_LIMIT past the depth,
///         PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY, or the error of the handler.
PLOY_API ploy_result ploy_telegrams_send(ploy_telegrams *telegrams, const ploy_message *message,
                                         double delay, ploy_telegram_id *out);

/// The same by the message's own due: for what comes with an absolute time. Such as an engine's
/// route: the signature is ploy_engine_route_fn's, with the dispatcher as user.
PLOY_API ploy_result ploy_telegrams_post(void *telegrams, const ploy_message *message);

/// Sends a reminder: from an agent to itself.
PLOY_API ploy_result ploy_telegrams_remind(ploy_telegrams *telegrams, ploy_agent_id agent,
                                           ploy_name kind, double delay, ploy_telegram_id *out);

/// Sends copies to several: a leader's orders. All go on their way whatever becomes of one.
/// @param sent  how many arrived or wait; may be NULL.
/// @return PLOY_OK if all did, else what became of the first that did not.
PLOY_API ploy_result ploy_telegrams_send_each(ploy_telegrams *telegrams,
                                              const ploy_message *message, double delay,
                                              const ploy_agent_id *receivers, int32_t count,
                                              int32_t *sent);
/// The same to every entity of a type but the sender, as they are now, in order of adding.
/// @return PLOY_ERR_STATE without a registry; and as above.
PLOY_API ploy_result ploy_telegrams_send_type(ploy_telegrams *telegrams,
                                              const ploy_message *message, double delay,
                                              ploy_name type, int32_t *sent);

/// Which telegrams: those that fit in every part that is set. None fits all.
typedef struct ploy_telegram_filter {
    ploy_agent_id sender;
    ploy_agent_id receiver;
    ploy_name kind;
} ploy_telegram_filter;

/// Takes back one that waits. @return false if it does not wait any more.
PLOY_API bool ploy_telegrams_cancel(ploy_telegrams *telegrams, ploy_telegram_id id);
/// Takes back all that fit. @return how many.
PLOY_API int32_t ploy_telegrams_cancel_all(ploy_telegrams *telegrams, ploy_telegram_filter filter);

/// Delivers what is due by now, in order.
/// @param now        s; not before the last step's.
/// @param budget     one unit a delivery; NULL: no limit. A deadline is refused, as by an engine.
/// @param frame      handed to a connected engine; NULL: all zero.
/// @param delivered  how many left the queue; may be NULL.
/// @return PLOY_IN_PROGRESS if the budget was empty before the queue: the rest comes first next
///         time; PLOY_ERR_ARGUMENT, PLOY_ERR_UNSUPPORTED for a deadline, PLOY_ERR_LIMIT past the
///         depth. Errors of handlers are not returned.
PLOY_API ploy_result ploy_telegrams_step(ploy_telegrams *telegrams, double now, ploy_budget *budget,
                                         const ploy_engine_frame *frame, int32_t *delivered);

/// The time of the last step, s.
PLOY_API double ploy_telegrams_now(const ploy_telegrams *telegrams);
PLOY_API int32_t ploy_telegrams_waiting(const ploy_telegrams *telegrams);
/// A waiting telegram, or NULL. Good until the next call that may send.
PLOY_API const ploy_message *ploy_telegrams_get(const ploy_telegrams *telegrams,
                                                ploy_telegram_id id);
/// When a waiting telegram was sent; false if it does not wait any more.
PLOY_API bool ploy_telegrams_sent_at(const ploy_telegrams *telegrams, ploy_telegram_id id,
                                     double *out);
/// Walks those that wait, not in order of delivery: start with a cursor of 0 and call until it
/// returns false. Cancelling meanwhile is allowed.
PLOY_API bool ploy_telegrams_next(const ploy_telegrams *telegrams, int32_t *cursor,
                                  ploy_telegram_id *out);

/// What became of a telegram.
typedef enum ploy_telegram_fate {
    PLOY_TELEGRAM_WAITS,     ///< in the queue
    PLOY_TELEGRAM_CALLS,     ///< its handler is being called
    PLOY_TELEGRAM_HANDLED,   ///< delivered, and it meant something
    PLOY_TELEGRAM_UNHANDLED, ///< delivered, and it meant nothing to the receiver
    PLOY_TELEGRAM_FAILED,    ///< the handler reported an error
    PLOY_TELEGRAM_NOBODY,    ///< dropped: there is no such receiver
    PLOY_TELEGRAM_DUPLICATE, ///< dropped: one like it waits
    PLOY_TELEGRAM_FULL,      ///< dropped: the limit was reached, or memory was short
    PLOY_TELEGRAM_TOO_DEEP,  ///< dropped: too many within each other
    PLOY_TELEGRAM_CANCELLED, ///< taken back
    PLOY_TELEGRAM_PURGED,    ///< its receiver went, or its sender
    PLOY_TELEGRAM_FATE_COUNT
} ploy_telegram_fate;

/// "waits", "calls", "handled", "unhandled", "failed", "nobody", "duplicate", "full", "too deep",
/// "cancelled", "purged".
PLOY_API const char *ploy_telegram_fate_text(ploy_telegram_fate fate);

/// One telegram's life.
typedef struct ploy_telegram_life {
    ploy_agent_id sender;
    ploy_agent_id receiver;
    ploy_name kind;
    uint64_t order; ///< number of the telegram
    double sent;    ///< s
    double due;     ///< s
    double ended;   ///< s; while it waits, the same as sent
    ploy_telegram_fate fate;
    ploy_result result; ///< the handler's error
} ploy_telegram_life;

/// How many lives the log holds, and one by age: 0 is the last that began or, if its beginning was
/// forgotten, ended. @return false out of range.
PLOY_API int32_t ploy_telegrams_life_count(const ploy_telegrams *telegrams);
PLOY_API bool ploy_telegrams_life(const ploy_telegrams *telegrams, int32_t age,
                                  ploy_telegram_life *out);

/// How many telegrams came to each end so far (fates[PLOY_TELEGRAM_WAITS] wait now), and the most
/// that ever waited.
typedef struct ploy_telegrams_counts {
    int64_t sent;
    int64_t fates[PLOY_TELEGRAM_FATE_COUNT];
    int64_t most_waiting;
} ploy_telegrams_counts;

/// Visits a ploy_telegrams (ploy/base/visit.h): what waits, with its ids and payloads, the counts
/// and the log. v->context: a ploy_names for texts behind kinds, or NULL. Receivers, entities and
/// engine stay connected as they are. Not from within a delivery.
PLOY_API void ploy_telegrams_visit(ploy_visit *v, void *telegrams);
/// The queue, the counts and every life in the log.
/// @param names  texts behind kinds, for people; may be NULL.
PLOY_API void ploy_telegrams_describe(const ploy_telegrams *telegrams, const ploy_names *names,
                                      ploy_describe *out);
/// The lives in the log that one agent sent or got, newest first, as notes: what is in its own
/// group, beside what it did. At most `most`.
PLOY_API void ploy_telegrams_describe_agent(const ploy_telegrams *telegrams, ploy_agent_id agent,
                                            int32_t most, const ploy_names *names,
                                            ploy_describe *out);
PLOY_API void ploy_telegrams_memory(const ploy_telegrams *telegrams, ploy_memory_fn fn, void *user);
