/// @file ploy/world/observer.h
/// An observer: subscriptions that follow a state.
///
/// A state machine that is processed in every tick mostly finds that nothing has changed. One that
/// observes is processed when an event comes that can change the state it is in, and subscribes to
/// no other: on each change of state the interests of the old one go and those of the new one come.
///
/// Technique: event-driven state machines by publish and subscribe, with their three pitfalls
/// settled: what already holds when a state is entered is checked once, then; events raised while
/// others are delivered are queued (ploy/world/events.h); and destroying the observer unsubscribes.
///
/// Cost: a change of state O(interests of both). Threads: as the event manager's.
#pragma once

#include "ploy/world/events.h"

/// Opaque.
typedef struct ploy_observer ploy_observer;

/// In this state, hear of this.
typedef struct ploy_observer_rule {
    int32_t state;
    ploy_interest interest; ///< its `wants` gets the listener's user
} ploy_observer_rule;

/// The state of an observer before the first ploy_observer_set_state: it hears of nothing then.
#define PLOY_OBSERVER_NO_STATE INT32_MIN

/// Creates an observer in no state.
/// @param rules     copied.
/// @param listener  who is notified; its agent and user as for registering.
/// @param entered   called after each change with the new state: the place to look once at what
///                  already holds. May change the state again. May be NULL.
/// @return PLOY_ERR_ARGUMENT for a bad rule or listener, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_observer_create(ploy_events *events, const ploy_listener *listener,
                                          const ploy_observer_rule *rules, int32_t count,
                                          void (*entered)(void *user, int32_t state),
                                          const ploy_env *env, ploy_observer **out);
/// Unsubscribes. Not after the manager is gone. NULL is allowed.
PLOY_API void ploy_observer_destroy(ploy_observer *observer);

/// Leaves the interests of the present state for those of another, also from within a notification:
/// the event that is being delivered is not heard again. The same state again changes nothing.
/// @return PLOY_ERR_MEMORY, with the old state and its interests in place.
PLOY_API ploy_result ploy_observer_set_state(ploy_observer *observer, int32_t state);
/// How many interests are registered now.
PLOY_API void ploy_observer_describe(const ploy_observer *observer, ploy_describe *out);
