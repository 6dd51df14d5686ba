// Action requests and the controller that carries them out through the game's own.
//
// One block holds everything: the slots of the actions, the order of asking, those that ended since
// the last step, and chains by agent, so that finding what an action waits for looks at few others.
//
// Invariants, from create to destroy, outside the functions here:
//   (1) order holds every slot that is not free, once, in order of asking;
//   (2) the chain of a bucket holds exactly the slots of order whose agent hashes to it, in order;
//   (3) finished holds exactly the slots that ended, in order of ending; the next step frees them;
//   (4) of an agent's actions that are not BESIDE, only the first that has not ended moves or acts;
//   (5) every byte of a slot is set, so that equal states have equal bytes.
// Controllers may ask and cancel while they are called: nothing moves in memory, nothing is freed
// before the next step, and every function looks at the state again after a call outside.
#include "ploy/exec/action.h"

#include <float.h>
#include <string.h>

#include "exec/exec_internal.h"
#include "ploy/base/hash.h"
#include "ploy/base/math.h"

static const ploy_field action_fields[] = {
    PLOY_FIELD_I32_FIXED(ploy_actions_def, capacity, 1024, 1, 1 << 20, "",
                         "most actions alive at once"),
};

// A request is stored in regions and outboxes, where gaps would hold whatever the stack held.
_Static_assert(sizeof(ploy_action_request) == 80, "ploy_action_request must have no gaps");

typedef struct action_slot {
    ploy_action_request request;
    ploy_action_state state; // UNKNOWN: the slot is free
    ploy_result result;
    uint32_t generation;
    int32_t next; // in the bucket's chain, or in the list of free slots; -1 ends both
} action_slot;

struct ploy_actions {
    ploy_env env;
    ploy_action_host host;
    size_t size; // of this block
    int32_t capacity;
    int32_t live; // waiting, moving or acting
    int32_t order_count;
    int32_t finished_count;
    int32_t first_free;
    uint32_t bucket_mask;
    int64_t stepping; // 1 inside ploy_actions_step
    action_slot *slots;
    int32_t *order;
    int32_t *finished;
    int32_t *bucket_first;
    int32_t *bucket_last;
};

const char *ploy_action_effect_text(ploy_action_effect effect) {
    switch (effect) {
    case PLOY_ACTION_MOVE: return "move";
    case PLOY_ACTION_ANIMATE: return "animate";
    case PLOY_ACTION_CHANGE: return "change";
    case PLOY_ACTION_THINK: return "think";
    case PLOY_ACTION_PRESENT: return "present";
    case PLOY_ACTION_EFFECT_COUNT: break;
    }
    return "?";
}

const char *ploy_action_state_text(ploy_action_state state) {
    switch (state) {
    case PLOY_ACTION_UNKNOWN: return "unknown";
    case PLOY_ACTION_WAITING: return "waiting";
    case PLOY_ACTION_MOVING: return "moving";
    case PLOY_ACTION_ACTING: return "acting";
    case PLOY_ACTION_SUCCEEDED: return "succeeded";
    case PLOY_ACTION_FAILED: return "failed";
    case PLOY_ACTION_CANCELLED: return "cancelled";
    }
    return "?";
}

ploy_action_request ploy_action_request_make(ploy_agent_id agent, ploy_name kind,
                                             ploy_action_effect effect) {
    ploy_action_request request;
    memset(&request, 0, sizeof request);
    request.agent = agent;
    request.kind = kind;
    request.effect = effect;
    return request;
}

ploy_result ploy_action_request_check(const ploy_action_request *request) {
    if (request == NULL || ploy_id_is_none(request->agent.id)) return PLOY_ERR_ARGUMENT;
    if (ploy_name_is_none(request->kind)) return PLOY_ERR_ARGUMENT;
    if ((uint32_t)request->effect >= PLOY_ACTION_EFFECT_COUNT) return PLOY_ERR_ARGUMENT;
    const uint32_t known = PLOY_ACTION_MOVE_FIRST | PLOY_ACTION_NOW | PLOY_ACTION_BESIDE;
    if ((request->flags & ~known) != 0) return PLOY_ERR_ARGUMENT;
    // An action cannot clear the queue and also stay out of it.
    const uint32_t both = PLOY_ACTION_NOW | PLOY_ACTION_BESIDE;
    if ((request->flags & both) == both) return PLOY_ERR_ARGUMENT;
    bool finite = ploy_is_finite(request->position.x) && ploy_is_finite(request->position.y) &&
                  ploy_is_finite(request->position.z) && ploy_is_finite(request->reach);
    for (int32_t i = 0; i < 4; i++) finite = finite && ploy_is_finite(request->parameters[i]);
    return finite && request->reach >= 0.0f ? PLOY_OK : PLOY_ERR_ARGUMENT;
}

static const char *action_effect_text(int32_t effect) {
    return ploy_action_effect_text((ploy_action_effect)effect);
}

static void action_visit_request(ploy_visit *v, ploy_action_request *request, ploy_mark mark) {
    float *p = request->parameters;
    ploy_visit_struct(v, "action", request, sizeof *request);
    ploy_visit_id(v, "agent", mark, &request->agent.id);
    ploy_visit_name(v, "kind", mark, &request->kind);
    PLOY_VISIT_ENUM(v, "effect", mark, request->effect, action_effect_text,
                    PLOY_ACTION_EFFECT_COUNT);
    ploy_visit_name(v, "style", mark, &request->style);
    ploy_visit_id(v, "target", mark, &request->target);
    ploy_visit_vec3(v, "position", mark, &request->position.x, &request->position.y,
                    &request->position.z);
    ploy_visit_f32_in(v, "reach", mark, &request->reach, 0.0f, FLT_MAX);
    ploy_visit_vec4(v, "parameters", mark, &p[0], &p[1], &p[2], &p[3]);
    ploy_visit_u32(v, "flags", mark, &request->flags);
    ploy_visit_u64(v, "token", mark, &request->token);
    ploy_visit_check(v, ploy_action_request_check(request) == PLOY_OK, "invalid request", NULL);
}

void ployi_action_request_visit(ploy_visit *v, ploy_action_request *request) {
    action_visit_request(v, request, PLOY_STATE);
}

static void action_visit_request_marked(ploy_visit *v, void *object) {
    action_visit_request(v, object, *(const ploy_mark *)v->context);
}

void ploy_action_request_describe(const ploy_action_request *request, const char *name,
                                  ploy_mark mark, ploy_describe *out) {
    if (request == NULL || out == NULL) return;
    ploy_describe_begin_agent(out, name, request->agent);
    ploy_visit_describe(action_visit_request_marked, request, &mark, out);
    ploy_describe_end(out);
}

ploy_actions_def ploy_actions_def_default(void) {
    ploy_actions_def def;
    ploy_fields_default(ploy_actions_fields(), &def);
    return def;
}

ploy_fields ploy_actions_fields(void) {
    return PLOY_FIELDS(ploy_actions_def, action_fields);
}

ploy_result ploy_actions_create(const ploy_actions_def *def, const ploy_action_host *host,
                                const ploy_env *env, ploy_actions **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (host == NULL || env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_actions_fields(), def, env);
    if (result != PLOY_OK) return result;
    uint32_t buckets = 1;
    while (buckets < (uint32_t)def->capacity) buckets *= 2;
    size_t slots_at = (sizeof(ploy_actions) + 15) / 16 * 16;
    size_t order_at = 0, finished_at = 0, first_at = 0, last_at = 0, size = 0;
    if (!ploy_size_add_array(slots_at, def->capacity, sizeof(action_slot), &order_at) ||
        !ploy_size_add_array(order_at, def->capacity, sizeof(int32_t), &finished_at) ||
        !ploy_size_add_array(finished_at, def->capacity, sizeof(int32_t), &first_at) ||
        !ploy_size_add_array(first_at, buckets, sizeof(int32_t), &last_at) ||
        !ploy_size_add_array(last_at, buckets, sizeof(int32_t), &size)) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_actions *actions = ploy_env_alloc_zero(env, size);
    if (actions == NULL) return PLOY_ERR_MEMORY;
    unsigned char *block = (unsigned char *)actions;
    actions->env = *env;
    actions->host = *host;
    actions->size = size;
    actions->capacity = def->capacity;
    actions->bucket_mask = buckets - 1;
    actions->slots = (action_slot *)(void *)(block + slots_at);
    actions->order = (int32_t *)(void *)(block + order_at);
    actions->finished = (int32_t *)(void *)(block + finished_at);
    actions->bucket_first = (int32_t *)(void *)(block + first_at);
    actions->bucket_last = (int32_t *)(void *)(block + last_at);
    for (int32_t i = 0; i < def->capacity; i++) {
        actions->slots[i].generation = 1;
        actions->slots[i].next = i + 1 < def->capacity ? i + 1 : -1;
    }
    for (uint32_t i = 0; i < buckets; i++) {
        actions->bucket_first[i] = -1;
        actions->bucket_last[i] = -1;
    }
    *out = actions;
    return PLOY_OK;
}

static bool action_is_live(const action_slot *slot) {
    return slot->state == PLOY_ACTION_WAITING || slot->state == PLOY_ACTION_MOVING ||
           slot->state == PLOY_ACTION_ACTING;
}

static ploy_action_id action_id_of(const ploy_actions *actions, int32_t index) {
    ploy_action_id id = {ploy_id_make((uint32_t)index, actions->slots[index].generation)};
    return id;
}

// The index behind an id, or -1.
static int32_t action_find(const ploy_actions *actions, ploy_action_id id) {
    if (ploy_id_is_none(id.id) || id.id.index >= (uint32_t)actions->capacity) return -1;
    const action_slot *slot = &actions->slots[id.id.index];
    if (slot->state == PLOY_ACTION_UNKNOWN || slot->generation != id.id.generation) return -1;
    return (int32_t)id.id.index;
}

static const ploy_action_controller *action_controller(const ploy_actions *actions,
                                                       ploy_action_effect effect) {
    switch (effect) {
    case PLOY_ACTION_ANIMATE: return &actions->host.animate;
    case PLOY_ACTION_CHANGE: return &actions->host.change;
    case PLOY_ACTION_THINK: return &actions->host.think;
    case PLOY_ACTION_PRESENT: return &actions->host.present;
    case PLOY_ACTION_MOVE:
    case PLOY_ACTION_EFFECT_COUNT: break;
    }
    return &actions->host.move;
}

// The controller that has the action now.
static const ploy_action_controller *action_stage(const ploy_actions *actions,
                                                  const action_slot *slot) {
    return slot->state == PLOY_ACTION_MOVING ? &actions->host.move
                                             : action_controller(actions, slot->request.effect);
}

static bool action_controller_missing(const ploy_action_controller *controller) {
    return controller->begin == NULL && controller->step == NULL;
}

static uint32_t action_bucket(const ploy_actions *actions, ploy_agent_id agent) {
    return (uint32_t)ploy_hash_combine(0, ploy_id_to_u64(agent.id)) & actions->bucket_mask;
}

static ploy_action_report action_report(const ploy_actions *actions, int32_t index) {
    const action_slot *slot = &actions->slots[index];
    ploy_action_report report;
    memset(&report, 0, sizeof report);
    report.id = action_id_of(actions, index);
    report.state = slot->state;
    report.result = slot->result;
    report.request = slot->request;
    return report;
}

static void action_finish(ploy_actions *actions, int32_t index, ploy_action_state state,
                          ploy_result result) {
    action_slot *slot = &actions->slots[index];
    PLOY_ASSERT(action_is_live(slot));
    slot->state = state;
    slot->result = result;
    actions->finished[actions->finished_count++] = index; // keeps (3)
    actions->live--;
    if (actions->host.done != NULL) {
        ploy_action_report report = action_report(actions, index);
        actions->host.done(actions->host.user, &report);
    }
}

static void action_cancel_slot(ploy_actions *actions, int32_t index) {
    action_slot *slot = &actions->slots[index];
    bool running = slot->state != PLOY_ACTION_WAITING;
    const ploy_action_controller *controller = action_stage(actions, slot);
    // Ended before the game hears of it: a controller that cancels again finds nothing to do.
    ploy_action_request request = slot->request;
    ploy_action_id id = action_id_of(actions, index);
    if (running && controller->cancel != NULL) {
        ploy_action_state before = slot->state;
        slot->state = PLOY_ACTION_CANCELLED;
        controller->cancel(controller->user, id, &request);
        slot->state = before;
    }
    action_finish(actions, index, PLOY_ACTION_CANCELLED, PLOY_OK);
}

static int32_t action_cancel_of_agent(ploy_actions *actions, ploy_agent_id agent, bool beside) {
    int32_t cancelled = 0;
    int32_t index = actions->bucket_first[action_bucket(actions, agent)];
    // What a controller asks for while it is cancelled came after and is left alone.
    int32_t last = actions->bucket_last[action_bucket(actions, agent)];
    while (index >= 0) {
        const action_slot *slot = &actions->slots[index];
        bool wanted = beside || (slot->request.flags & PLOY_ACTION_BESIDE) == 0;
        if (wanted && action_is_live(slot) && ploy_id_equal(slot->request.agent.id, agent.id)) {
            action_cancel_slot(actions, index);
            cancelled++;
        }
        if (index == last) break;
        index = actions->slots[index].next;
    }
    return cancelled;
}

void ploy_actions_destroy(ploy_actions *actions) {
    if (actions == NULL) return;
    actions->host.done = NULL;
    for (int32_t i = 0; i < actions->order_count; i++) {
        int32_t index = actions->order[i];
        if (action_is_live(&actions->slots[index])) action_cancel_slot(actions, index);
    }
    ploy_env env = actions->env;
    ploy_env_free(&env, actions, actions->size);
}

// Puts a slot at the end of its agent's chain.
static void action_chain(ploy_actions *actions, int32_t index) {
    uint32_t bucket = action_bucket(actions, actions->slots[index].request.agent);
    int32_t last = actions->bucket_last[bucket];
    if (last < 0) {
        actions->bucket_first[bucket] = index;
    } else {
        actions->slots[last].next = index;
    }
    actions->bucket_last[bucket] = index; // keeps (2)
}

ploy_result ploy_actions_request(ploy_actions *actions, const ploy_action_request *request,
                                 ploy_action_id *out) {
    if (actions == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_action_request_check(request);
    if (result != PLOY_OK) return result;
    if (action_controller_missing(action_controller(actions, request->effect)) ||
        ((request->flags & PLOY_ACTION_MOVE_FIRST) != 0 &&
         action_controller_missing(&actions->host.move))) {
        return PLOY_ERR_UNSUPPORTED;
    }
    if (actions->first_free < 0) return PLOY_ERR_CAPACITY;
    int32_t index = actions->first_free;
    action_slot *slot = &actions->slots[index];
    actions->first_free = slot->next;
    slot->request = *request;
    slot->state = PLOY_ACTION_WAITING;
    slot->result = PLOY_OK;
    slot->next = -1;
    actions->live++;
    // Clears the queue before joining it, or it would be cancelled too.
    if ((request->flags & PLOY_ACTION_NOW) != 0) {
        action_cancel_of_agent(actions, slot->request.agent, false);
    }
    actions->order[actions->order_count++] = index; // keeps (1)
    action_chain(actions, index);
    if (out != NULL) *out = action_id_of(actions, index);
    return PLOY_OK;
}

ploy_result ploy_actions_cancel(ploy_actions *actions, ploy_action_id id) {
    if (actions == NULL) return PLOY_ERR_ARGUMENT;
    int32_t index = action_find(actions, id);
    if (index < 0) return PLOY_ERR_NOT_FOUND;
    if (!action_is_live(&actions->slots[index])) return PLOY_ERR_STATE;
    action_cancel_slot(actions, index);
    return PLOY_OK;
}

int32_t ployi_actions_cancel_agent(ploy_actions *actions, ploy_agent_id agent) {
    if (actions == NULL || ploy_id_is_none(agent.id)) return 0;
    return action_cancel_of_agent(actions, agent, true);
}

static void action_unchain(ploy_actions *actions, int32_t index) {
    uint32_t bucket = action_bucket(actions, actions->slots[index].request.agent);
    int32_t before = -1;
    int32_t at = actions->bucket_first[bucket];
    while (at != index) {
        before = at;
        at = actions->slots[at].next;
    }
    int32_t next = actions->slots[index].next;
    if (before < 0) {
        actions->bucket_first[bucket] = next;
    } else {
        actions->slots[before].next = next;
    }
    if (next < 0) actions->bucket_last[bucket] = before;
}

// Frees the slots of what ended before this step.
static void action_free_finished(ploy_actions *actions) {
    if (actions->finished_count == 0) return;
    for (int32_t i = 0; i < actions->finished_count; i++) {
        int32_t index = actions->finished[i];
        action_slot *slot = &actions->slots[index];
        action_unchain(actions, index);
        uint32_t generation = slot->generation + 1;
        memset(slot, 0, sizeof *slot); // keeps (5)
        slot->generation = generation != 0 ? generation : 1;
        slot->next = actions->first_free;
        actions->first_free = index;
        actions->finished[i] = 0;
    }
    actions->finished_count = 0;
    int32_t kept = 0;
    for (int32_t i = 0; i < actions->order_count; i++) {
        int32_t index = actions->order[i];
        if (actions->slots[index].state != PLOY_ACTION_UNKNOWN) actions->order[kept++] = index;
    }
    memset(actions->order + kept, 0,
           (size_t)(actions->order_count - kept) * sizeof actions->order[0]);
    actions->order_count = kept;
}

// True if an earlier action of the same agent has not ended.
static bool action_is_blocked(const ploy_actions *actions, int32_t index) {
    const ploy_action_request *request = &actions->slots[index].request;
    if ((request->flags & PLOY_ACTION_BESIDE) != 0) return false;
    int32_t at = actions->bucket_first[action_bucket(actions, request->agent)];
    for (; at != index; at = actions->slots[at].next) {
        const action_slot *other = &actions->slots[at];
        if (action_is_live(other) && (other->request.flags & PLOY_ACTION_BESIDE) == 0 &&
            ploy_id_equal(other->request.agent.id, request->agent.id)) {
            return true;
        }
    }
    return false;
}

// Hands the action to the controller of a stage; a stage without a step is over at once.
static void action_begin_stage(ploy_actions *actions, int32_t index, ploy_action_state stage) {
    action_slot *slot = &actions->slots[index];
    slot->state = stage;
    const ploy_action_controller *controller = action_stage(actions, slot);
    if (controller->begin != NULL) {
        ploy_action_request request = slot->request;
        ploy_result result =
            controller->begin(controller->user, action_id_of(actions, index), &request);
        if (slot->state != stage) return; // it was cancelled meanwhile
        if (result != PLOY_OK) {
            if (result > PLOY_OK) result = PLOY_ERR_CALLBACK;
            action_finish(actions, index, PLOY_ACTION_FAILED, result);
            return;
        }
    }
    if (controller->step != NULL) return;
    if (stage == PLOY_ACTION_MOVING) {
        action_begin_stage(actions, index, PLOY_ACTION_ACTING);
    } else {
        action_finish(actions, index, PLOY_ACTION_SUCCEEDED, PLOY_OK);
    }
}

static void action_begin(ploy_actions *actions, int32_t index) {
    ploy_action_request request = actions->slots[index].request;
    bool move = (request.flags & PLOY_ACTION_MOVE_FIRST) != 0;
    if (move && actions->host.there != NULL) {
        move = !actions->host.there(actions->host.user, &request);
        if (actions->slots[index].state != PLOY_ACTION_WAITING) return;
    }
    action_begin_stage(actions, index, move ? PLOY_ACTION_MOVING : PLOY_ACTION_ACTING);
}

static void action_step_stage(ploy_actions *actions, int32_t index, float dt) {
    action_slot *slot = &actions->slots[index];
    ploy_action_state stage = slot->state;
    const ploy_action_controller *controller = action_stage(actions, slot);
    ploy_action_request request = slot->request;
    ploy_status status = (ploy_status)-1;
    ploy_result result =
        controller->step(controller->user, action_id_of(actions, index), &request, dt, &status);
    if (slot->state != stage) return; // it was cancelled meanwhile
    if (result > PLOY_OK) result = PLOY_ERR_CALLBACK;
    if (result == PLOY_OK) {
        switch (status) {
        case PLOY_STATUS_RUNNING: return;
        case PLOY_STATUS_SUCCESS:
        case PLOY_STATUS_SKIPPED:
            if (stage == PLOY_ACTION_MOVING) {
                action_begin_stage(actions, index, PLOY_ACTION_ACTING);
            } else {
                action_finish(actions, index, PLOY_ACTION_SUCCEEDED, PLOY_OK);
            }
            return;
        case PLOY_STATUS_FAILURE:
            action_finish(actions, index, PLOY_ACTION_FAILED, PLOY_OK);
            return;
        }
        result = PLOY_ERR_CALLBACK; // it forgot to answer
    }
    action_finish(actions, index, PLOY_ACTION_FAILED, result);
}

ploy_result ploy_actions_step(ploy_actions *actions, float dt) {
    if (actions == NULL || !ploy_in_range(dt, 0.0f, PLOY_ACTION_DT_MAX_S)) {
        return PLOY_ERR_ARGUMENT;
    }
    if (actions->stepping != 0) return PLOY_ERR_STATE;
    action_free_finished(actions);
    actions->stepping = 1;
    int32_t count = actions->order_count; // what is requested from here on begins next time
    for (int32_t i = 0; i < count; i++) {
        int32_t index = actions->order[i];
        action_slot *slot = &actions->slots[index];
        if (slot->state == PLOY_ACTION_WAITING && !action_is_blocked(actions, index)) {
            action_begin(actions, index);
        }
        if (slot->state == PLOY_ACTION_MOVING || slot->state == PLOY_ACTION_ACTING) {
            action_step_stage(actions, index, dt);
        }
    }
    actions->stepping = 0;
    return PLOY_OK;
}

ploy_action_state ploy_actions_state(const ploy_actions *actions, ploy_action_id id) {
    int32_t index = actions != NULL ? action_find(actions, id) : -1;
    return index >= 0 ? actions->slots[index].state : PLOY_ACTION_UNKNOWN;
}

const ploy_action_request *ploy_actions_get(const ploy_actions *actions, ploy_action_id id) {
    int32_t index = actions != NULL ? action_find(actions, id) : -1;
    return index >= 0 ? &actions->slots[index].request : NULL;
}

int32_t ploy_actions_finished_count(const ploy_actions *actions) {
    return actions->finished_count;
}

bool ploy_actions_finished(const ploy_actions *actions, int32_t index, ploy_action_report *out) {
    if (actions == NULL || out == NULL || index < 0 || index >= actions->finished_count) {
        return false;
    }
    *out = action_report(actions, actions->finished[index]);
    return true;
}

int32_t ploy_actions_live_count(const ploy_actions *actions) {
    return actions->live;
}

// Chains and counts, from the order, the list of free slots and the states.
static void action_rebuild(void *object) {
    ploy_actions *actions = object;
    for (uint32_t i = 0; i <= actions->bucket_mask; i++) {
        actions->bucket_first[i] = -1;
        actions->bucket_last[i] = -1;
    }
    actions->live = 0;
    for (int32_t i = 0; i < actions->order_count; i++) {
        int32_t index = actions->order[i];
        actions->slots[index].next = -1;
        action_chain(actions, index);
        if (action_is_live(&actions->slots[index])) actions->live++;
    }
}

static const char *action_visit_state(int32_t state) {
    return ploy_action_state_text((ploy_action_state)state);
}

// In a load: a slot is met once. Slots that were not met yet have this instead of a link.
enum { ACTION_UNMET = -2 };

static bool action_visit_meet(ploy_visit *v, ploy_actions *actions, int32_t index) {
    if (!ploy_visit_loads(v)) return true;
    int32_t met = -1;
    bool first =
        index >= 0 && index < actions->capacity && actions->slots[index].next == ACTION_UNMET;
    if (!ploy_visit_check(v, first, "duplicate place of an action", NULL)) return false;
    PLOY_VISIT_WRITE(v, actions->slots[index].next, met);
    return true;
}

static void action_visit_slot(ploy_visit *v, ploy_actions *actions, int32_t place) {
    char name[24];
    ploy_value number = ploy_value_i64(place);
    ploy_value_print(&number, name, sizeof name);
    ploy_agent_id agent = actions->slots[actions->order[place]].request.agent;
    ploy_visit_begin_agent(v, name, PLOY_STATE, agent);
    ploy_describe_id(v->describe, "id", PLOY_STATE,
                     action_id_of(actions, actions->order[place]).id);
    ploy_visit_i32_in(v, "index", PLOY_SAVED, &actions->order[place], 0, actions->capacity - 1);
    int32_t index = actions->order[place];
    if (action_visit_meet(v, actions, index)) {
        action_slot *slot = &actions->slots[index];
        ploy_visit_struct(v, "slot", slot, sizeof *slot);
        PLOY_VISIT_SCRATCH(v, slot->next); // rebuilt
        ploy_visit_u32_in(v, "generation", PLOY_SAVED, &slot->generation, 1, UINT32_MAX);
        PLOY_VISIT_ENUM(v, "state", PLOY_STATE, slot->state, action_visit_state,
                        PLOY_ACTION_CANCELLED + 1);
        if (slot->result != PLOY_OK) {
            ploy_describe_text(v->describe, "error", PLOY_STATE, ploy_result_text(slot->result));
        }
        ploy_visit_code(v, "result", PLOY_SAVED, &slot->result);
        action_visit_request(v, &slot->request, PLOY_STATE);
        ploy_visit_check(v, slot->state != PLOY_ACTION_UNKNOWN, "invalid state of an action", NULL);
    }
    ploy_visit_end(v);
}

// The places that are free, in the order in which they are given away, and their generations.
static void action_visit_free(ploy_visit *v, ploy_actions *actions) {
    int32_t free = actions->capacity - actions->order_count, none = -1;
    int32_t *link = &actions->first_free;
    int32_t count = ploy_visit_fixed(v, "free", PLOY_SAVED, free);
    int32_t index = actions->first_free;
    for (int32_t i = 0; i < count && ploy_visit_is_ok(v); i++) {
        int64_t read = 0;
        (void)ploy_visit_fixed(v, "place", PLOY_SAVED, 2);
        if (ploy_visit_packed(v, "index", PLOY_SAVED, index, 0, actions->capacity - 1, &read)) {
            index = (int32_t)read;
        }
        if (action_visit_meet(v, actions, index)) {
            action_slot *slot = &actions->slots[index];
            ploy_action_state unknown = PLOY_ACTION_UNKNOWN;
            ploy_visit_u32_in(v, "generation", PLOY_SAVED, &slot->generation, 1, UINT32_MAX);
            PLOY_VISIT_WRITE(v, slot->state, unknown);
            PLOY_VISIT_WRITE(v, *link, index);
            link = &slot->next;
            if (!ploy_visit_loads(v)) index = slot->next;
        }
        ploy_visit_end(v);
    }
    ploy_visit_end(v);
    if (ploy_visit_loads(v)) PLOY_VISIT_WRITE(v, *link, none);
}

void ploy_actions_visit(ploy_visit *v, void *object) {
    ploy_actions *actions = object;
    ploy_visit_after(v, action_rebuild, actions);
    ploy_visit_block(v, "actions", actions, actions->size);
    ploy_visit_struct(v, "actions", actions, sizeof *actions);
    PLOY_VISIT_SCRATCH(v, actions->env);
    PLOY_VISIT_SCRATCH(v, actions->host);
    PLOY_VISIT_SCRATCH(v, actions->size);
    PLOY_VISIT_SCRATCH(v, actions->bucket_mask);
    PLOY_VISIT_SCRATCH(v, actions->stepping); // only within a step
    PLOY_VISIT_SCRATCH(v, actions->slots);
    PLOY_VISIT_SCRATCH(v, actions->order);
    PLOY_VISIT_SCRATCH(v, actions->finished);
    PLOY_VISIT_SCRATCH(v, actions->bucket_first);
    PLOY_VISIT_SCRATCH(v, actions->bucket_last);
    PLOY_VISIT_SCRATCH(v, actions->live); // rebuilt
    PLOY_VISIT_SCRATCH(v, actions->first_free);
    PLOY_VISIT_SCRATCH(v, actions->order_count); // the lengths of lists
    PLOY_VISIT_SCRATCH(v, actions->finished_count);
    PLOY_VISIT_SCRATCH(v, actions->capacity);
    ploy_describe_i64(v->describe, "live", PLOY_DERIVED, actions->live);
    const int32_t unmet = ACTION_UNMET;
    for (int32_t i = 0; i < actions->capacity && ploy_visit_loads(v); i++) {
        PLOY_VISIT_WRITE(v, actions->slots[i].next, unmet);
    }
    int32_t count =
        ploy_visit_list(v, "actions", PLOY_SAVED, &actions->order_count, actions->capacity);
    for (int32_t i = 0; i < count; i++) action_visit_slot(v, actions, i);
    ploy_visit_end(v);
    if (v->describe != NULL) return;
    count = ploy_visit_list(v, "finished", PLOY_SAVED, &actions->finished_count, count);
    for (int32_t i = 0; i < count; i++) {
        int32_t *index = &actions->finished[i];
        ploy_visit_i32_in(v, "index", PLOY_SAVED, index, 0, actions->capacity - 1);
        if (!ploy_visit_loads(v)) continue;
        const action_slot *slot = &actions->slots[*index];
        bool ended =
            slot->next == -1 && slot->state != PLOY_ACTION_UNKNOWN && !action_is_live(slot);
        for (int32_t k = 0; k < i; k++) ended = ended && actions->finished[k] != *index;
        ploy_visit_check(v, ended, "invalid index of an ended action", NULL);
    }
    ploy_visit_end(v);
    action_visit_free(v, actions);
}

void ploy_actions_describe(const ploy_actions *actions, ploy_describe *out) {
    ploy_visit_describe(ploy_actions_visit, actions, NULL, out);
}

void ploy_actions_draw(const ploy_actions *actions, ploy_draw *out) {
    if (actions == NULL || out == NULL) return;
    for (int32_t i = 0; i < actions->order_count; i++) {
        const action_slot *slot = &actions->slots[actions->order[i]];
        bool aims = slot->state == PLOY_ACTION_MOVING ||
                    (slot->state == PLOY_ACTION_ACTING && slot->request.effect == PLOY_ACTION_MOVE);
        if (!aims) continue;
        ploy_vec2 at = ploy_vec2_make(slot->request.position.x, slot->request.position.y);
        ploy_draw_point(out, PLOY_LAYER_PATHS, PLOY_STYLE_TARGET, slot->request.agent, at);
    }
}

void ploy_actions_memory(const ploy_actions *actions, ploy_memory_fn fn, void *user) {
    ploy_visit_memory(ploy_actions_visit, actions, fn, user);
}
