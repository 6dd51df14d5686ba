// The action manager: queue, active set and log of one character; described in the header.
//
// One block holds everything:
//
//     struct | entries | run-time state of their parts | log | queue | active
//
// Invariants, from create to destroy:
//   (1) queue and active hold every entry that is in use, once, each in order: larger priority,
//       then earlier expiry, then asked for earlier;
//   (2) the first def.parts states of an entry belong to its action's nodes, and are zero while it
//       waits;
//   (3) a part that runs has the id of its action with the body;
//   (4) every byte is set, so that equal states have equal bytes.
#include <string.h>

#include "action_internal.h"

#include "decide/decide_internal.h"
#include "ploy/base/math.h"

static const char *const action_manager_modes[] = {"combine", "strict", "single"};

static const ploy_field action_manager_field_table[] = {
    PLOY_FIELD_I32_FIXED(ploy_action_manager_def, queue, 16, 1, 4096, "", "most actions that wait"),
    PLOY_FIELD_I32_FIXED(ploy_action_manager_def, active, 8, 1, 4096, "",
                         "most actions that run at once"),
    PLOY_FIELD_I32_FIXED(ploy_action_manager_def, parts, 16, 1, 4096, "",
                         "most parts of an action"),
    PLOY_FIELD_I32_FIXED(ploy_action_manager_def, log, 32, 0, 65536, "",
                         "events that the log remembers"),
    PLOY_FIELD_ENUM(ploy_action_manager_def, mode, 0, action_manager_modes,
                    "which actions run at once"),
    PLOY_FIELD_BOOL(ploy_action_manager_def, requeue, false,
                    "actions that were pushed aside wait again"),
};

const char *ploy_action_event_text(ploy_action_event_kind kind) {
    switch (kind) {
    case PLOY_ACTION_QUEUED: return "queued";
    case PLOY_ACTION_STARTED: return "started";
    case PLOY_ACTION_PUSHED: return "pushed aside";
    case PLOY_ACTION_EXPIRED: return "expired";
    case PLOY_ACTION_DROPPED: return "dropped";
    case PLOY_ACTION_COMPLETED: return "completed";
    case PLOY_ACTION_BROKEN: return "failed";
    case PLOY_ACTION_ABANDONED: return "abandoned";
    }
    return "?";
}

ploy_fields ploy_action_manager_fields(void) {
    return PLOY_FIELDS(ploy_action_manager_def, action_manager_field_table);
}

ploy_action_manager_def ploy_action_manager_def_default(void) {
    ploy_action_manager_def def;
    ploy_fields_default(ploy_action_manager_fields(), &def);
    return def;
}

ploy_result ploy_action_manager_create(const ploy_action_manager_def *def,
                                       const ploy_action_book *book, ploy_agent_id agent,
                                       const ploy_env *env, ploy_action_manager **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (book == NULL || env == NULL || ploy_id_is_none(agent.id)) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_action_manager_fields(), def, env);
    if (result != PLOY_OK) return result;
    if (!book->build.finished) return PLOY_ERR_STATE;
    if (book->most_parts > def->parts) return PLOY_ERR_LIMIT;
    int64_t entries = (int64_t)def->queue + def->active;
    size_t entries_at = (sizeof(ploy_action_manager) + 15) / 16 * 16;
    size_t parts_at = 0, log_at = 0, queue_at = 0, active_at = 0, size = 0;
    if (!ploy_size_add_array(entries_at, entries, sizeof(ployi_action_manager_entry), &parts_at) ||
        !ploy_size_add_array(parts_at, entries * def->parts, sizeof(ployi_action_manager_part),
                             &log_at) ||
        !ploy_size_add_array(log_at, def->log, sizeof(ploy_action_event), &queue_at) ||
        !ploy_size_add_array(queue_at, def->queue, sizeof(int32_t), &active_at) ||
        !ploy_size_add_array(active_at, def->active, sizeof(int32_t), &size)) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_action_manager *manager = ploy_env_alloc_zero(env, size);
    if (manager == NULL) return PLOY_ERR_MEMORY;
    unsigned char *block = (unsigned char *)manager;
    manager->env = *env;
    manager->book = book;
    manager->size = size;
    manager->def = *def;
    manager->agent = agent;
    manager->entries = (ployi_action_manager_entry *)(void *)(block + entries_at);
    manager->parts = (ployi_action_manager_part *)(void *)(block + parts_at);
    manager->log = (ploy_action_event *)(void *)(block + log_at);
    manager->queue = (int32_t *)(void *)(block + queue_at);
    manager->active = (int32_t *)(void *)(block + active_at);
    for (int64_t i = 0; i < entries; i++) manager->entries[i].generation = 1;
    *out = manager;
    return PLOY_OK;
}

void ployi_action_manager_act_as(ploy_action_manager *manager, ploy_agent_id agent) {
    manager->agent = agent;
}

void ploy_action_manager_destroy(ploy_action_manager *manager) {
    if (manager == NULL) return;
    ploy_env env = manager->env;
    ploy_env_free(&env, manager, manager->size);
}

static ploy_action_entry_id action_manager_id(const ploy_action_manager *manager, int32_t index) {
    ploy_action_entry_id id = {ploy_id_make((uint32_t)index, manager->entries[index].generation)};
    return id;
}

// The index behind an id, or -1.
static int32_t action_manager_find(const ploy_action_manager *manager, ploy_action_entry_id id) {
    uint32_t count = (uint32_t)(manager->def.queue + manager->def.active);
    if (ploy_id_is_none(id.id) || id.id.index >= count) return -1;
    const ployi_action_manager_entry *entry = &manager->entries[id.id.index];
    if (entry->state == PLOY_ACTION_UNKNOWN || entry->generation != id.id.generation) return -1;
    return (int32_t)id.id.index;
}

static void action_manager_tell(ploy_action_manager *manager, int32_t index, double now,
                                ploy_action_event_kind kind, ploy_trace *trace) {
    const ployi_action_manager_entry *entry = &manager->entries[index];
    if (trace != NULL) {
        ploy_outcome outcome = kind == PLOY_ACTION_STARTED ? PLOY_OUTCOME_WON : PLOY_OUTCOME_LOST;
        ploy_trace_option(trace, ploy_action_book_name(manager->book, entry->action), outcome,
                          (double)entry->priority, ploy_action_event_text(kind));
    }
    if (manager->def.log == 0) return;
    ploy_action_event *event = &manager->log[manager->events % (uint64_t)manager->def.log];
    memset(event, 0, sizeof *event);
    event->now = now;
    event->queued = entry->queued;
    event->action = entry->request.kind;
    event->source = entry->source;
    event->token = entry->request.token;
    event->entry = action_manager_id(manager, index);
    event->priority = entry->priority;
    event->kind = kind;
    manager->events++;
}

// The order of (1).
static bool action_manager_before(const ployi_action_manager_entry *a,
                                  const ployi_action_manager_entry *b) {
    if (a->priority != b->priority) return a->priority > b->priority;
    if (a->expiry != b->expiry) return a->expiry < b->expiry;
    return a->order < b->order;
}

void ployi_action_manager_insert(const ploy_action_manager *manager, int32_t *list, int32_t *count,
                                 int32_t index) {
    int32_t at = *count;
    const ployi_action_manager_entry *entry = &manager->entries[index];
    while (at > 0 && action_manager_before(entry, &manager->entries[list[at - 1]])) {
        list[at] = list[at - 1];
        at--;
    }
    list[at] = index;
    (*count)++;
}

static void action_manager_remove(int32_t *list, int32_t *count, int32_t at) {
    (*count)--;
    memmove(&list[at], &list[at + 1], (size_t)(*count - at) * sizeof list[0]);
    list[*count] = 0; // keeps (4)
}

ployi_action_manager_part *ployi_action_manager_parts(const ploy_action_manager *manager,
                                                      int32_t index) {
    return &manager->parts[(size_t)index * (size_t)manager->def.parts];
}

static void action_manager_clear_parts(ploy_action_manager *manager, int32_t index) {
    memset(ployi_action_manager_parts(manager, index), 0,
           (size_t)manager->def.parts * sizeof(ployi_action_manager_part));
}

static void action_manager_free(ploy_action_manager *manager, int32_t index) {
    ployi_action_manager_entry *entry = &manager->entries[index];
    uint32_t generation = entry->generation + 1;
    memset(entry, 0, sizeof *entry);
    entry->generation = generation != 0 ? generation : 1;
    action_manager_clear_parts(manager, index);
}

// Takes an entry out of the queue or of what runs, and forgets it.
static void action_manager_forget(ploy_action_manager *manager, bool active, int32_t at, double now,
                                  ploy_action_event_kind kind, ploy_trace *trace) {
    int32_t *list = active ? manager->active : manager->queue;
    int32_t index = list[at];
    action_manager_tell(manager, index, now, kind, trace);
    action_manager_remove(list, active ? &manager->active_count : &manager->queue_count, at);
    action_manager_free(manager, index);
}

ploy_result ploy_action_manager_request(ploy_action_manager *manager,
                                        const ploy_action_request *request,
                                        const ploy_action_terms *terms, double now,
                                        ploy_action_entry_id *out) {
    if (manager == NULL || request == NULL || !ploy_is_finite_d(now)) return PLOY_ERR_ARGUMENT;
    ployi_action_manager_entry fresh;
    memset(&fresh, 0, sizeof fresh);
    fresh.request = *request;
    fresh.request.agent = manager->agent;
    fresh.request.flags = 0; // whether it waits, and for whom, is the manager's affair
    ploy_result result = ploy_action_request_check(&fresh.request);
    if (result != PLOY_OK) return result;
    fresh.action = ploy_action_book_find(manager->book, request->kind);
    if (fresh.action < 0) return PLOY_ERR_NOT_FOUND;
    if (terms == NULL) terms = &ployi_action_entry_at(manager->book, fresh.action)->terms;
    if (!ploy_is_finite(terms->priority) || !(terms->patience >= 0.0f)) return PLOY_ERR_ARGUMENT;
    fresh.priority = terms->priority;
    fresh.source = terms->source;
    fresh.queued = now;
    fresh.expiry = terms->patience > 0.0f ? now + (double)terms->patience : (double)INFINITY;
    fresh.order = manager->asked;
    fresh.state = PLOY_ACTION_WAITING;
    if (manager->queue_count == manager->def.queue) {
        int32_t last = manager->queue_count - 1;
        if (!action_manager_before(&fresh, &manager->entries[manager->queue[last]])) {
            return PLOY_ERR_CAPACITY;
        }
        action_manager_forget(manager, false, last, now, PLOY_ACTION_DROPPED, NULL);
    }
    int32_t index = 0; // there are as many entries as fit into both lists, so one is free
    while (manager->entries[index].state != PLOY_ACTION_UNKNOWN) index++;
    fresh.generation = manager->entries[index].generation;
    manager->entries[index] = fresh;
    manager->asked++;
    ployi_action_manager_insert(manager, manager->queue, &manager->queue_count, index);
    action_manager_tell(manager, index, now, PLOY_ACTION_QUEUED, NULL);
    if (out != NULL) *out = action_manager_id(manager, index);
    return PLOY_OK;
}

// Stops what the body does of an entry.
static void action_manager_halt(ploy_action_manager *manager, ploy_actions *actions,
                                int32_t index) {
    ployi_action_manager_part *parts = ployi_action_manager_parts(manager, index);
    for (int32_t i = 0; i < manager->def.parts; i++) {
        if (parts[i].state != PLOYI_ACTION_PART_RUNS || ploy_id_is_none(parts[i].id.id)) continue;
        (void)ploy_actions_cancel(actions, parts[i].id); // one that has just ended is no matter
    }
    action_manager_clear_parts(manager, index);
}

static int32_t action_manager_place(const int32_t *list, int32_t count, int32_t index) {
    int32_t at = 0;
    while (at < count && list[at] != index) at++;
    return at;
}

ploy_result ploy_action_manager_cancel(ploy_action_manager *manager, ploy_actions *actions,
                                       ploy_action_entry_id entry, double now) {
    if (manager == NULL || actions == NULL) return PLOY_ERR_ARGUMENT;
    int32_t index = action_manager_find(manager, entry);
    if (index < 0) return PLOY_ERR_NOT_FOUND;
    if (manager->entries[index].state == PLOY_ACTION_WAITING) {
        int32_t at = action_manager_place(manager->queue, manager->queue_count, index);
        action_manager_forget(manager, false, at, now, PLOY_ACTION_ABANDONED, NULL);
        return PLOY_OK;
    }
    action_manager_halt(manager, actions, index);
    int32_t at = action_manager_place(manager->active, manager->active_count, index);
    action_manager_forget(manager, true, at, now, PLOY_ACTION_ABANDONED, NULL);
    return PLOY_OK;
}

// Pushes all that runs aside. What is to wait again joins the queue while there is room in it.
static void action_manager_push(ploy_action_manager *manager, ploy_actions *actions, double now,
                                ploy_trace *trace) {
    while (manager->active_count > 0) {
        int32_t index = manager->active[0];
        ployi_action_manager_entry *entry = &manager->entries[index];
        action_manager_halt(manager, actions, index);
        bool waits = manager->def.requeue && entry->expiry >= now &&
                     manager->queue_count < manager->def.queue;
        if (!waits) {
            action_manager_forget(manager, true, 0, now, PLOY_ACTION_PUSHED, trace);
            continue;
        }
        action_manager_tell(manager, index, now, PLOY_ACTION_PUSHED, trace);
        action_manager_remove(manager->active, &manager->active_count, 0);
        entry->state = PLOY_ACTION_WAITING;
        ployi_action_manager_insert(manager, manager->queue, &manager->queue_count, index);
    }
}

static bool action_manager_fits(const ploy_action_manager *manager, int32_t action) {
    if (manager->active_count == 0) return true;
    if (manager->def.mode == PLOY_ACTION_SINGLE) return false;
    if (manager->active_count >= manager->def.active) return false;
    for (int32_t i = 0; i < manager->active_count; i++) {
        int32_t other = manager->entries[manager->active[i]].action;
        if (!ployi_action_book_both(manager->book, action, other)) return false;
    }
    return true;
}

// Starts what waits at that place of the queue; alone: after pushing aside all that runs.
static void action_manager_start(ploy_action_manager *manager, ploy_actions *actions, int32_t at,
                                 bool alone, double now, ploy_trace *trace) {
    int32_t index = manager->queue[at];
    // It leaves the queue first: what is pushed aside may need its place there.
    action_manager_remove(manager->queue, &manager->queue_count, at);
    if (alone) action_manager_push(manager, actions, now, trace);
    manager->entries[index].state = PLOY_ACTION_ACTING;
    ployi_action_manager_insert(manager, manager->active, &manager->active_count, index);
    action_manager_tell(manager, index, now, PLOY_ACTION_STARTED, trace);
}

static void action_manager_admit(ploy_action_manager *manager, ploy_actions *actions, double now,
                                 ploy_trace *trace) {
    int32_t at = 0;
    while (at < manager->queue_count) {
        const ployi_action_manager_entry *entry = &manager->entries[manager->queue[at]];
        bool above = manager->active_count == 0 ||
                     entry->priority > manager->entries[manager->active[0]].priority;
        // The printed listing gives up here; its text requires all that can run together.
        if (!above && manager->def.mode != PLOY_ACTION_COMBINE) return;
        bool alone = above && manager->active_count > 0 &&
                     ployi_action_book_interrupts(manager->book, entry->action);
        if (alone || action_manager_fits(manager, entry->action)) {
            action_manager_start(manager, actions, at, alone, now, trace);
            if (alone) at = 0; // what is there now has not been compared with this one
        } else {
            at++;
        }
    }
}

typedef struct action_manager_run {
    ploy_action_manager *manager;
    ploy_actions *actions;
    const ployi_action_manager_entry *entry;
    ployi_action_manager_part *parts; // of the entry
    int32_t first;                    // its first node
    float dt;
} action_manager_run;

static ploy_action_request action_manager_ask(const action_manager_run *run,
                                              const ployi_action_node *node) {
    ploy_action_request request = run->entry->request;
    request.kind = node->name;
    if (!ploy_name_is_none(node->style)) request.style = node->style;
    request.effect = node->part.effect;
    // The manager has settled what may run beside what.
    request.flags = node->part.flags | PLOY_ACTION_BESIDE;
    if (node->part.placed) {
        request.position = node->part.position;
        request.reach = node->part.reach;
    }
    return request;
}

static int32_t action_manager_step_part(const action_manager_run *run, int32_t at) {
    const ployi_action_node *node = ployi_action_node_at(run->manager->book, at);
    ployi_action_manager_part *part = &run->parts[at - run->first];
    if (part->state == PLOYI_ACTION_PART_IDLE) {
        ploy_action_request request = action_manager_ask(run, node);
        part->state = PLOYI_ACTION_PART_RUNS;
        if (ploy_actions_request(run->actions, &request, &part->id) != PLOY_OK) {
            part->state = PLOYI_ACTION_PART_FAILED;
        }
        return part->state;
    }
    if (part->state != PLOYI_ACTION_PART_RUNS) return part->state;
    part->seconds += run->dt;
    switch (ploy_actions_state(run->actions, part->id)) {
    case PLOY_ACTION_SUCCEEDED: part->state = PLOYI_ACTION_PART_DONE; break;
    case PLOY_ACTION_WAITING:
    case PLOY_ACTION_MOVING:
    case PLOY_ACTION_ACTING:
        if (node->part.seconds > 0.0f && part->seconds >= node->part.seconds) {
            (void)ploy_actions_cancel(run->actions, part->id);
            part->state = PLOYI_ACTION_PART_DONE;
        }
        break;
    case PLOY_ACTION_UNKNOWN:
    case PLOY_ACTION_FAILED:
    case PLOY_ACTION_CANCELLED: part->state = PLOYI_ACTION_PART_FAILED; break;
    }
    return part->state;
}

// Recursion is as deep as the book, PLOY_ACTION_DEPTH_MAX at most.
static int32_t action_manager_step_node(const action_manager_run *run, int32_t at) {
    const ployi_action_node *node = ployi_action_node_at(run->manager->book, at);
    if (node->join < 0) return action_manager_step_part(run, at);
    ployi_action_manager_part *state = &run->parts[at - run->first];
    if (state->state == PLOYI_ACTION_PART_DONE || state->state == PLOYI_ACTION_PART_FAILED)
        return state->state;
    state->state = PLOYI_ACTION_PART_DONE;
    for (int32_t i = at + 1; i < node->end; i = ployi_action_node_at(run->manager->book, i)->end) {
        int32_t came = action_manager_step_node(run, i);
        if (came == PLOYI_ACTION_PART_DONE) continue;
        state->state = came;
        // A combination goes on to its other parts, so that a failure behind one that runs shows.
        if (came == PLOYI_ACTION_PART_FAILED || node->join == PLOY_ACTION_SEQUENCE) break;
    }
    return state->state;
}

ploy_result ploy_action_manager_step(ploy_action_manager *manager, ploy_actions *actions,
                                     double now, float dt, ploy_trace *trace) {
    if (manager == NULL || actions == NULL || !ploy_is_finite_d(now) ||
        !ploy_in_range(dt, 0.0f, PLOY_ACTION_DT_MAX_S)) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_trace_begin(trace, manager->agent, "act", "action manager");
    for (int32_t at = 0; at < manager->queue_count;) {
        if (manager->entries[manager->queue[at]].expiry < now) {
            action_manager_forget(manager, false, at, now, PLOY_ACTION_EXPIRED, trace);
        } else {
            at++;
        }
    }
    action_manager_admit(manager, actions, now, trace);
    for (int32_t at = 0; at < manager->active_count;) {
        int32_t index = manager->active[at];
        action_manager_run run = {
            manager, actions, &manager->entries[index], ployi_action_manager_parts(manager, index),
            0,       dt};
        run.first = ployi_action_entry_at(manager->book, run.entry->action)->node;
        int32_t came = action_manager_step_node(&run, run.first);
        if (came == PLOYI_ACTION_PART_RUNS) {
            at++;
            continue;
        }
        action_manager_halt(manager, actions, index); // the rest of one that failed
        action_manager_forget(
            manager, true, at, now,
            came == PLOYI_ACTION_PART_DONE ? PLOY_ACTION_COMPLETED : PLOY_ACTION_BROKEN, trace);
    }
    ploy_trace_end(trace);
    return PLOY_OK;
}

void ployi_action_manager_note(ploy_action_manager *manager, const ploy_action_report *report) {
    if (manager == NULL || report == NULL) return;
    for (int32_t i = 0; i < manager->active_count; i++) {
        ployi_action_manager_part *parts = ployi_action_manager_parts(manager, manager->active[i]);
        for (int32_t j = 0; j < manager->def.parts; j++) {
            if (parts[j].state != PLOYI_ACTION_PART_RUNS ||
                !ploy_id_equal(parts[j].id.id, report->id.id)) {
                continue;
            }
            parts[j].state = report->state == PLOY_ACTION_SUCCEEDED ? PLOYI_ACTION_PART_DONE
                                                                    : PLOYI_ACTION_PART_FAILED;
            return;
        }
    }
}

ploy_action_state ployi_action_manager_state(const ploy_action_manager *manager,
                                             ploy_action_entry_id entry) {
    int32_t index = manager != NULL ? action_manager_find(manager, entry) : -1;
    return index >= 0 ? (ploy_action_state)manager->entries[index].state : PLOY_ACTION_UNKNOWN;
}

static ploy_action_entry_id action_manager_in(const ploy_action_manager *manager,
                                              const int32_t *list, int32_t count, int32_t index) {
    ploy_action_entry_id none = {{0, 0}};
    return index >= 0 && index < count ? action_manager_id(manager, list[index]) : none;
}

int32_t ployi_action_manager_queue_count(const ploy_action_manager *manager) {
    return manager->queue_count;
}

ploy_action_entry_id ploy_action_manager_queued(const ploy_action_manager *manager, int32_t index) {
    return action_manager_in(manager, manager->queue, manager->queue_count, index);
}

int32_t ployi_action_manager_active_count(const ploy_action_manager *manager) {
    return manager->active_count;
}

ploy_action_entry_id ploy_action_manager_active(const ploy_action_manager *manager, int32_t index) {
    return action_manager_in(manager, manager->active, manager->active_count, index);
}

const ploy_action_request *ploy_action_manager_get(const ploy_action_manager *manager,
                                                   ploy_action_entry_id entry) {
    int32_t index = manager != NULL ? action_manager_find(manager, entry) : -1;
    return index >= 0 ? &manager->entries[index].request : NULL;
}

int32_t ploy_action_manager_event_count(const ploy_action_manager *manager) {
    uint64_t room = (uint64_t)manager->def.log;
    return (int32_t)(manager->events < room ? manager->events : room);
}

bool ploy_action_manager_event(const ploy_action_manager *manager, int32_t index,
                               ploy_action_event *out) {
    int32_t count = ploy_action_manager_event_count(manager);
    if (out == NULL || index < 0 || index >= count) return false;
    uint64_t number = manager->events - (uint64_t)count + (uint64_t)index;
    *out = manager->log[number % (uint64_t)manager->def.log];
    return true;
}
