/// @file ploy/world/telegram.h
/// Telegrams: messages to one agent, delivered immediately or at a later time.
///
/// A character that receives messages need not poll: a player announces a pass to its receiver, a
/// wounded soldier calls its squad, and a fuse notifies its owner after thirty seconds. Senders
/// only need ids; anything with an id can receive.
///
/// Technique: Buckland, "Programming Game AI by Example", 2005, chapter 2 (telegrams and message
/// dispatcher), with rules for what its listings leave open: the order does not depend on fuzzy
/// comparison, payloads are copied, receivers may be gone, and handlers may send, cancel and
/// remove.
///
/// Order of delivery: by due time, then in the order of sending. A delayed telegram leaves the
/// queue before its handler is called, so a handler may do anything except destroy the dispatcher:
/// send (a telegram without delay arrives before the call returns), cancel, remove entities, step.
/// Telegrams sent from handlers nest at most `depth` deep. A telegram sent with a delay never
/// arrives in the same step.
///
/// Units: seconds of the clock passed to step. Cost: sending or cancelling one O(log waiting),
/// cancelling a receiver's telegrams O(their number) with a registry of entities, other filters
/// O(waiting). Allocates only
/// when the queue grows, never after a large enough reserve. Threads: one caller at a time;
/// thinking behaviors use their outbox instead.
#pragma once

#include "ploy/base/budget.h"
#include "ploy/base/message.h"
#include "ploy/base/visit.h"
#include "ploy/exec/engine.h"
#include "ploy/world/entity.h"

/// Opaque.
typedef struct ploy_telegrams ploy_telegrams;

/// Identifies a waiting telegram.
typedef struct ploy_telegram_id {
    ploy_id id;
} ploy_telegram_id;

typedef struct ploy_telegrams_def {
    uint32_t cookie;
    int32_t capacity; ///< delayed telegrams that fit before the queue grows
    int32_t limit;    ///< maximum waiting; any beyond are dropped
    int32_t depth;    ///< maximum nesting of telegrams sent from handlers
    int32_t log;      ///< number of lives kept in the log; 0: none
    /// s; a delayed telegram is dropped if one of the same sender, receiver and kind is waiting
    /// with a due time less than this apart; 0: off. The book uses 0.25.
    float duplicate_window;
    bool strict;     ///< deliver only what is due before now, as in the book; otherwise by now
    bool purge_sent; ///< a removed entity's sent telegrams are purged too, not only those to it
} ploy_telegrams_def;

PLOY_API ploy_telegrams_def ploy_telegrams_def_default(void);
PLOY_API ploy_fields ploy_telegrams_fields(void);

/// Creates a dispatcher at time 0 without receivers.
PLOY_API ploy_result ploy_telegrams_create(const ploy_telegrams_def *def, const ploy_env *env,
                                           ploy_telegrams **out);
/// Drops all waiting telegrams. Destroy the dispatcher before its entities. NULL is allowed.
PLOY_API void ploy_telegrams_destroy(ploy_telegrams *telegrams);
/// Reserves room for this many waiting telegrams in all.
PLOY_API ploy_result ploy_telegrams_reserve(ploy_telegrams *telegrams, int32_t count);

/// Handles a telegram for the receiver named in it.
/// @param handled  set to true if the receiver handled it; false before the call.
/// @return PLOY_ERR_NOT_FOUND if there is no such receiver; any other error is the receiver's own:
///         it is logged and recorded, and the dispatcher continues.
typedef ploy_result (*ploy_telegram_fn)(void *user, const ploy_message *message, bool *handled);

/// Sets the receiver of telegrams. NULL: none, except a connected engine.
PLOY_API void ploy_telegrams_set_receiver(ploy_telegrams *telegrams, ploy_telegram_fn fn,
                                          void *user);

/// Uses a registry to check receivers: telegrams to unknown ids are refused when sent and dropped
/// when due, and telegrams waiting for an entity are purged when it is removed. NULL undoes that.
/// @return PLOY_ERR_MEMORY; then nothing has changed.
PLOY_API ploy_result ploy_telegrams_set_entities(ploy_telegrams *telegrams,
                                                 ploy_entities *entities);

/// Connects an engine and a dispatcher. The dispatcher takes messages that the engine's behaviors
/// send with a delay, or to an agent without a behavior in the engine. Telegrams go to the engine's
/// behaviors first, and to the receiver function if the engine does not know the receiver. Step the
/// dispatcher with the engine's time after each step of the engine. NULL disconnects them. Each
/// keeps a pointer to the other.
PLOY_API void ploy_telegrams_connect(ploy_telegrams *telegrams, ploy_engine *engine);

/// Sends a telegram: delivered before the call returns if delay is 0 or below, otherwise due that
/// long after now. The message is copied; its due and order are set here. If the receiver is none,
/// it goes to all listeners: an engine notifies all but the sender, a receiver function is called
/// once.
/// @param delay  s, finite.
/// @param out    the waiting telegram; none if already delivered; may be NULL.
/// @return PLOY_ERR_NOT_FOUND if there is no such receiver, PLOY_ERR_EXISTS if it was dropped as a
///         duplicate, PLOY_ERR_CAPACITY at the limit, PLOY_ERR_LIMIT past the depth,
///         PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY, or the error of the handler.
PLOY_API ploy_result ploy_telegrams_send(ploy_telegrams *telegrams, const ploy_message *message,
                                         double delay, ploy_telegram_id *out);

/// Sends a message at its own absolute due time, for instance as an engine's route: the signature
/// is that of ploy_engine_route_fn, with the dispatcher as user.
PLOY_API ploy_result ploy_telegrams_post(void *telegrams, const ploy_message *message);

/// Sends a reminder: from an agent to itself.
PLOY_API ploy_result ploy_telegrams_remind(ploy_telegrams *telegrams, ploy_agent_id agent,
                                           ploy_name kind, double delay, ploy_telegram_id *out);

/// Sends copies to several receivers, such as a leader's orders. A failure for one does not stop
/// the others.
/// @param sent  how many were delivered or wait; may be NULL.
/// @return PLOY_OK if all were, otherwise the error of the first that was not.
PLOY_API ploy_result ploy_telegrams_send_each(ploy_telegrams *telegrams,
                                              const ploy_message *message, double delay,
                                              const ploy_agent_id *receivers, int32_t count,
                                              int32_t *sent);
/// Sends copies to every current entity of a type except the sender, in the order in which the
/// entities were added.
/// @return PLOY_ERR_STATE without a registry; and as above.
PLOY_API ploy_result ploy_telegrams_send_type(ploy_telegrams *telegrams,
                                              const ploy_message *message, double delay,
                                              ploy_name type, int32_t *sent);

/// Selects telegrams that match every field that is set. A field of none matches all.
typedef struct ploy_telegram_filter {
    ploy_agent_id sender;
    ploy_agent_id receiver;
    ploy_name kind;
} ploy_telegram_filter;

/// Cancels a waiting telegram. @return false if it is no longer waiting.
PLOY_API bool ploy_telegrams_cancel(ploy_telegrams *telegrams, ploy_telegram_id id);
/// Cancels all waiting telegrams that match. @return how many.
PLOY_API int32_t ploy_telegrams_cancel_all(ploy_telegrams *telegrams, ploy_telegram_filter filter);

/// Delivers what is due by now, in order.
/// @param now        s; not before the last step's.
/// @param budget     one unit per delivery; NULL: no limit. A deadline is refused, as by an engine.
/// @param frame      passed to a connected engine; NULL: all zero.
/// @param delivered  how many left the queue; may be NULL.
/// @return PLOY_IN_PROGRESS if the budget ran out before the queue was empty: the next step
///         continues with the rest; PLOY_ERR_ARGUMENT, PLOY_ERR_UNSUPPORTED for a deadline,
///         PLOY_ERR_LIMIT past the depth. Errors of handlers are not returned.
PLOY_API ploy_result ploy_telegrams_step(ploy_telegrams *telegrams, double now, ploy_budget *budget,
                                         const ploy_engine_frame *frame, int32_t *delivered);

/// The time of the last step, s.
PLOY_API double ploy_telegrams_now(const ploy_telegrams *telegrams);
PLOY_API int32_t ploy_telegrams_waiting(const ploy_telegrams *telegrams);
/// Returns a waiting telegram, or NULL. Valid until the next call that may send.
PLOY_API const ploy_message *ploy_telegrams_get(const ploy_telegrams *telegrams,
                                                ploy_telegram_id id);
/// Gets the time at which a waiting telegram was sent; false if it is no longer waiting.
PLOY_API bool ploy_telegrams_sent_at(const ploy_telegrams *telegrams, ploy_telegram_id id,
                                     double *out);
/// Walks the waiting telegrams, not in order of delivery: start with a cursor of 0 and call until
/// it returns false. Cancelling during the walk is allowed.
PLOY_API bool ploy_telegrams_next(const ploy_telegrams *telegrams, int32_t *cursor,
                                  ploy_telegram_id *out);

/// What became of a telegram.
typedef enum ploy_telegram_fate {
    PLOY_TELEGRAM_WAITS,     ///< in the queue
    PLOY_TELEGRAM_CALLS,     ///< its handler is being called
    PLOY_TELEGRAM_HANDLED,   ///< delivered, and the receiver handled it
    PLOY_TELEGRAM_UNHANDLED, ///< delivered, and the receiver ignored it
    PLOY_TELEGRAM_FAILED,    ///< the handler reported an error
    PLOY_TELEGRAM_NOBODY,    ///< dropped: there is no such receiver
    PLOY_TELEGRAM_DUPLICATE, ///< dropped: a similar one is waiting
    PLOY_TELEGRAM_FULL,      ///< dropped: the limit was reached, or memory ran out
    PLOY_TELEGRAM_TOO_DEEP,  ///< dropped: nested too deep
    PLOY_TELEGRAM_CANCELLED, ///< cancelled by the caller
    PLOY_TELEGRAM_PURGED,    ///< its receiver or sender was removed
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

/// The number of lives in the log, and one of them by age: 0 is the last that began or, if its
/// beginning has been dropped, ended. @return false out of range.
PLOY_API int32_t ploy_telegrams_life_count(const ploy_telegrams *telegrams);
PLOY_API bool ploy_telegrams_life(const ploy_telegrams *telegrams, int32_t age,
                                  ploy_telegram_life *out);

/// Number of telegrams by fate so far (fates[PLOY_TELEGRAM_WAITS]: waiting now), and the most that
/// ever waited at once.
typedef struct ploy_telegrams_counts {
    int64_t sent;
    int64_t fates[PLOY_TELEGRAM_FATE_COUNT];
    int64_t most_waiting;
} ploy_telegrams_counts;

/// Visits a ploy_telegrams (ploy/base/visit.h): the waiting telegrams with their ids and payloads,
/// the counts and the log. v->context: a ploy_names for texts behind kinds, or NULL. Receiver,
/// entities and engine stay connected. Do not call it during a delivery.
PLOY_API void ploy_telegrams_visit(ploy_visit *v, void *telegrams);
/// Describes the queue, the counts and every life in the log.
/// @param names  texts behind kinds, for people; may be NULL.
PLOY_API void ploy_telegrams_describe(const ploy_telegrams *telegrams, const ploy_names *names,
                                      ploy_describe *out);
/// Describes, as notes in the agent's own group, the logged telegrams that the agent sent or
/// received, newest first, at most `most`.
PLOY_API void ploy_telegrams_describe_agent(const ploy_telegrams *telegrams, ploy_agent_id agent,
                                            int32_t most, const ploy_names *names,
                                            ploy_describe *out);
PLOY_API void ploy_telegrams_memory(const ploy_telegrams *telegrams, ploy_memory_fn fn, void *user);
