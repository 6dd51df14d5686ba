// Observers; see the header. One block: the struct, the rules, an id for each.
//
// Invariant: the ids of the rules of the present state are good, all others are none.
#include "ploy/world/observer.h"

#include "world/world_internal.h"

#include <string.h>

typedef struct observer_rule {
    ploy_observer_rule rule;
    ploy_listener_id id;
} observer_rule;

struct ploy_observer {
    ploy_env env;
    ploy_events *events;
    ploy_listener listener;
    void (*entered)(void *user, int32_t state);
    size_t size; // of this block
    int32_t state;
    int32_t count;
    observer_rule rules[];
};

// Unsubscribes those of a state.
static void observer_leave(ploy_observer *observer, int32_t state) {
    for (int32_t i = 0; i < observer->count; i++) {
        observer_rule *rule = &observer->rules[i];
        if (rule->rule.state != state || ploy_id_is_none(rule->id.id)) continue;
        ploy_events_unregister(observer->events, rule->id);
        rule->id.id = ploy_id_none();
    }
}

static ploy_result observer_enter(ploy_observer *observer, int32_t state) {
    for (int32_t i = 0; i < observer->count; i++) {
        observer_rule *rule = &observer->rules[i];
        if (rule->rule.state != state) continue;
        ploy_result result = ploy_events_register(observer->events, &observer->listener,
                                                  rule->rule.interest, &rule->id);
        if (result == PLOY_OK) continue;
        observer_leave(observer, state);
        return result;
    }
    return PLOY_OK;
}

ploy_result ploy_observer_create(ploy_events *events, const ploy_listener *listener,
                                 const ploy_observer_rule *rules, int32_t count,
                                 void (*entered)(void *user, int32_t state), const ploy_env *env,
                                 ploy_observer **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    size_t size = 0;
    if (events == NULL || listener == NULL || listener->notify == NULL || env == NULL ||
        (rules == NULL && count > 0) ||
        !ploy_size_add_array(sizeof(ploy_observer), count, sizeof(observer_rule), &size)) {
        return PLOY_ERR_ARGUMENT;
    }
    for (int32_t i = 0; i < count; i++) {
        if (rules[i].state == PLOY_OBSERVER_NO_STATE) return PLOY_ERR_ARGUMENT;
        // Registering is the one place that knows what a good interest is.
        ploy_listener_id id;
        ploy_result result = ploy_events_register(events, listener, rules[i].interest, &id);
        if (result != PLOY_OK) return result;
        ploy_events_unregister(events, id);
    }
    ploy_observer *observer = ploy_env_alloc_zero(env, size);
    if (observer == NULL) return PLOY_ERR_MEMORY;
    observer->env = *env;
    observer->events = events;
    observer->listener = *listener;
    observer->entered = entered;
    observer->size = size;
    observer->state = PLOY_OBSERVER_NO_STATE;
    observer->count = count;
    for (int32_t i = 0; i < count; i++) observer->rules[i].rule = rules[i];
    *out = observer;
    return PLOY_OK;
}

void ploy_observer_destroy(ploy_observer *observer) {
    if (observer == NULL) return;
    observer_leave(observer, observer->state);
    ploy_env env = observer->env;
    ploy_env_free(&env, observer, observer->size);
}

ploy_result ploy_observer_set_state(ploy_observer *observer, int32_t state) {
    if (observer == NULL) return PLOY_ERR_ARGUMENT;
    if (state == observer->state) return PLOY_OK;
    ploy_result result = observer_enter(observer, state); // first: it can fail, leaving cannot
    if (result != PLOY_OK) return result;
    observer_leave(observer, observer->state);
    observer->state = state;
    if (observer->entered != NULL) observer->entered(observer->listener.user, state);
    return PLOY_OK;
}

int32_t ployi_observer_state(const ploy_observer *observer) {
    return observer != NULL ? observer->state : PLOY_OBSERVER_NO_STATE;
}

int32_t ployi_observer_subscriptions(const ploy_observer *observer) {
    int32_t count = 0;
    for (int32_t i = 0; observer != NULL && i < observer->count; i++) {
        if (!ploy_id_is_none(observer->rules[i].id.id)) count++;
    }
    return count;
}

void ploy_observer_describe(const ploy_observer *observer, ploy_describe *out) {
    if (observer == NULL || out == NULL) return;
    ploy_describe_i64(out, "state", PLOY_STATE, observer->state);
    ploy_describe_i64(out, "subscriptions", PLOY_DERIVED, ployi_observer_subscriptions(observer));
}
