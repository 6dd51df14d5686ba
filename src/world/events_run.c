// Runs: checkers, then deliveries, in an order and with a budget.
#include <string.h>

#include "ploy/base/math.h"

#include "world/events_internal.h"
#include "world/world_internal.h"

#define EVENTS_RUN_END (-1)

// One list per bit of the code, the list of the code itself and the wide one.
enum { EVENTS_RUN_LISTS = 66 };

// The lists that an event concerns, merged into one walk in order of registering.
typedef struct events_run_walk {
    int32_t heads[EVENTS_RUN_LISTS];
    int32_t count;
    uint64_t end; // who registered from here on came too late
} events_run_walk;

static void events_run_add_list(events_run_walk *walk, const ployi_listeners *list) {
    if (list != NULL && list->first != EVENTS_RUN_END) walk->heads[walk->count++] = list->first;
}

static events_run_walk events_run_begin(const ploy_events *events, uint64_t code) {
    events_run_walk walk;
    walk.count = 0;
    walk.end = events->next_listener;
    events_run_add_list(&walk, ploy_map_get(&events->codes, code));
    for (uint64_t rest = code, bit = 0; rest != 0; rest >>= 1, bit++) {
        if ((rest & 1) != 0) events_run_add_list(&walk, &events->bits[bit]);
    }
    events_run_add_list(&walk, &events->wide);
    return walk;
}

// The next listener in order of registering, dead ones too; NULL at the end. Each is in one list
// and so comes once.
static ployi_listener *events_run_next(const ploy_events *events, events_run_walk *walk) {
    ployi_listener *best = NULL;
    int32_t from = 0;
    for (int32_t i = 0; i < walk->count; i++) {
        ployi_listener *head = ployi_events_listener(events, walk->heads[i]);
        if (best != NULL && best->order < head->order) continue;
        best = head;
        from = i;
    }
    if (best == NULL || best->order >= walk->end) return NULL;
    // The link is read now although the call that follows may append behind it: what is appended
    // came too late in any case.
    walk->heads[from] = best->next;
    if (best->next == EVENTS_RUN_END) walk->heads[from] = walk->heads[--walk->count];
    return best;
}

static bool events_run_is_near(const ploy_events *events, const ployi_listener *listener,
                               const ploy_event *event) {
    float radius = listener->interest.radius;
    if (!(radius > 0.0f) || !event->placed) return true;
    ploy_pose pose;
    if (!ploy_pose_source_get(&events->source, listener->listener.agent, &pose)) return true;
    ploy_vec3 gap = ploy_vec3_sub(event->position, pose.frame.position);
    return ploy_vec3_dot(gap, gap) <= radius * radius;
}

static bool events_run_wants(const ploy_events *events, const ployi_listener *listener,
                             const ploy_event *event) {
    const ploy_interest *interest = &listener->interest;
    if (interest->match == PLOY_INTEREST_MASK && (interest->code & event->code) == 0) return false;
    if (!events_run_is_near(events, listener, event)) return false;
    return interest->wants == NULL || interest->wants(listener->listener.user, event);
}

// Calls every listener. The listener is copied before the call: whatever it does to the
// register, nothing is read through the old pointer afterwards.
static int32_t events_run_deliver(ploy_events *events, const ploy_event *event) {
    int32_t notified = 0;
    PLOY_ASSERT(events->depth > 0); // or the lists could change under the walk
    events_run_walk walk = events_run_begin(events, event->code);
    ployi_listener *listener = NULL;
    while ((listener = events_run_next(events, &walk)) != NULL) {
        if (listener->dead || !events_run_wants(events, listener, event)) continue;
        ploy_listener who = listener->listener;
        listener->notified++;
        notified++;
        ploy_result result = who.notify(who.user, event);
        if (result > PLOY_OK) result = PLOY_ERR_CALLBACK;
        if (result != PLOY_OK) {
            events->counts.errors++;
            ploy_env_log(&events->env, PLOY_SEVERITY_WARNING, "a listener reported an error");
        }
        ployi_events_note(events, PLOY_EVENT_NOTIFIED, event, who.agent, result);
    }
    events->counts.delivered++;
    events->counts.notified += notified;
    if (notified == 0) {
        events->counts.unheard++;
        ployi_events_note(events, PLOY_EVENT_UNHEARD, event, ploy_agent_id_none(), PLOY_OK);
    }
    return notified;
}

int32_t ployi_events_fire_here(ploy_events *events, const ploy_event *event) {
    ploy_event copy = *event;
    copy.order = events->next_order++;
    copy.raised = events->now;
    ployi_events_note(events, PLOY_EVENT_FIRED, &copy, ploy_agent_id_none(), PLOY_OK);
    return events_run_deliver(events, &copy);
}

// ---- checkers

ploy_result ploy_events_add_checker(ploy_events *events, const ploy_checker *checker,
                                    ploy_checker_id *out) {
    if (events == NULL || checker == NULL || checker->check == NULL || checker->period < 1 ||
        checker->phase < 0) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_id id;
    void *item = NULL;
    ploy_result result = ploy_pool_add(events->checkers, &id, &item);
    if (result != PLOY_OK) return result;
    ((ployi_checker *)item)->checker = *checker;
    if (out != NULL) out->id = id;
    return PLOY_OK;
}

ploy_result ployi_events_remove_checker(ploy_events *events, ploy_checker_id id) {
    if (events == NULL || !ploy_pool_remove(events->checkers, id.id)) return PLOY_ERR_NOT_FOUND;
    return PLOY_OK;
}

static void events_run_checkers(ploy_events *events, uint64_t tick) {
    uint32_t cursor = 0;
    ploy_id id;
    void *item = NULL;
    while (ploy_pool_next(events->checkers, &cursor, &id, &item)) {
        ployi_checker *checker = item;
        ploy_checker copy = checker->checker;
        uint64_t period = (uint64_t)copy.period;
        if ((tick % period + (uint64_t)copy.phase) % period != 0) continue;
        if (copy.code != 0 && !ploy_events_wanted(events, copy.code)) {
            checker->spared++;
            events->counts.spared++;
            continue;
        }
        events->counts.checks++;
        ploy_result result = copy.check(copy.user, events, tick);
        if (result > PLOY_OK) result = PLOY_ERR_CALLBACK;
        if (result != PLOY_OK) {
            events->counts.errors++;
            ploy_env_log(&events->env, PLOY_SEVERITY_WARNING, "a checker reported an error");
        }
        checker = ploy_pool_get(events->checkers, id);
        if (checker == NULL) continue; // it took itself away
        checker->calls++;
        checker->last = result;
    }
}

// ---- the run

// Whether the first in the queue may go out now.
static bool events_run_may_go(const ploy_events *events, const ploy_budget *budget) {
    if (!ploy_budget_empty(budget)) return true;
    return events->def.order == PLOY_EVENTS_DEADLINE &&
           ployi_queue_first(&events->queue)->time <= events->now;
}

static void events_run_take_later(ploy_events *events) {
    const ploy_event *later = PLOY_ARRAY_ITEMS(&events->later, ploy_event);
    for (int32_t i = 0; i < events->later.count; i++) {
        ploy_result result = ployi_events_enqueue(events, &later[i]);
        PLOY_ASSERT(result == PLOY_OK); // room was made when it was raised
        (void)result;
    }
    ploy_array_clear(&events->later);
}

ploy_result ploy_events_step(ploy_events *events, uint64_t tick, double now, ploy_budget *budget) {
    if (events == NULL || !ploy_is_finite_d(now) || now < events->now) return PLOY_ERR_ARGUMENT;
    if (budget != NULL && budget->deadline_ns != 0) return PLOY_ERR_UNSUPPORTED;
    if (events->running || events->checking > 0 || events->depth > 0) return PLOY_ERR_STATE;
    events->now = now;
    events->checking++;
    events_run_checkers(events, tick);
    events->checking--;
    events->running = true;
    int32_t delivered = 0;
    ploy_event event;
    while (ployi_queue_count(&events->queue) > 0 && delivered < events->def.run_limit &&
           events_run_may_go(events, budget)) {
        ployi_queue_pop(&events->queue, &event); // before any call
        events->depth++;
        int32_t notified = events_run_deliver(events, &event);
        events->depth--;
        ployi_events_sweep(events);
        if (budget != NULL) ploy_budget_spend(budget, notified > 0 ? notified : 1);
        delivered++;
    }
    bool left = ployi_queue_count(&events->queue) > 0;
    events->running = false;
    events_run_take_later(events);
    return left ? PLOY_IN_PROGRESS : PLOY_OK;
}

#undef EVENTS_RUN_END
