/// @file ploy/world/observer.h
/// An observer: subscriptions that follow a state.
///
/// A state machine that is processed in every tick mostly finds that nothing has changed. An
/// observing state machine is processed only when an event arrives that can change its current
/// state. It subscribes to no others: each change of state replaces the interests of the old state
/// by those of the new one.
///
/// Technique: event-driven state machines by publish and subscribe, with their three pitfalls
/// handled: conditions that already hold when a state is entered are checked once at that time;
/// events raised during a delivery are queued (ploy/world/events.h); and destroying the observer
/// unsubscribes.
///
/// Cost: a change of state O(interests of both). Threads: as the event manager's.
#pragma once

#include "ploy/world/events.h"

/// Opaque.
typedef struct ploy_observer ploy_observer;

/// An interest that is registered while in a state.
typedef struct ploy_observer_rule {
    int32_t state;
    ploy_interest interest; ///< its `wants` receives the listener's user
} ploy_observer_rule;

/// The state of an observer before the first ploy_observer_set_state: no interests are registered.
#define PLOY_OBSERVER_NO_STATE INT32_MIN

/// Creates an observer in no state.
/// @param rules     copied.
/// @param listener  the listener to notify; agent and user as for registering.
/// @param entered   called with the new state after each change, to check once what already holds.
///                  May change the state again. May be NULL.
/// @return PLOY_ERR_ARGUMENT for a bad rule or listener, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_observer_create(ploy_events *events, const ploy_listener *listener,
                                          const ploy_observer_rule *rules, int32_t count,
                                          void (*entered)(void *user, int32_t state),
                                          const ploy_env *env, ploy_observer **out);
/// Unsubscribes and frees. The manager must still exist. NULL is allowed.
PLOY_API void ploy_observer_destroy(ploy_observer *observer);

/// Replaces the interests of the current state by those of another. Allowed during a notification:
/// the event being delivered is not received again. Setting the current state changes nothing.
/// @return PLOY_ERR_MEMORY; then the old state and its interests are unchanged.
PLOY_API ploy_result ploy_observer_set_state(ploy_observer *observer, int32_t state);
/// Describes the state and the number of interests registered now.
PLOY_API void ploy_observer_describe(const ploy_observer *observer, ploy_describe *out);
