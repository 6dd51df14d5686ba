// Experts around one board: see the header.
//
// Invariants: (1) actions are in the order of proposing, number 0 is never given, so an all-zero
// place is free; (2) writers has an entry for each slot of the type's layout.
#include <string.h>

#include "experts_internal.h"
#include "ploy/base/rng.h"

typedef struct experts_action {
    ploy_expert_action action;
    uint32_t needed, agreed;
    int32_t number, spare;
} experts_action;

typedef struct experts_writer {
    uint64_t iteration;
    uint32_t changes; // of the slot, when last looked at
    int32_t expert;
} experts_writer;

struct ploy_experts {
    ploy_env env;
    const ploy_experts_type *type;
    ployi_choice choice;
    ploy_rng rng;
    uint64_t iteration;
    size_t size;
    int32_t action_count, next_number, slot_count;
    bool begun; // the writers' counts are of the board
    experts_action *actions;
    experts_writer *writers;
};

static ploy_maker experts_maker_at(const void *user, int32_t index) {
    return ((const ploy_experts_type *)user)->experts[index].maker;
}

static void experts_restart(ploy_experts *experts, uint64_t seed) {
    experts->rng = ploy_rng_make(seed);
    experts->iteration = 0;
    experts->next_number = 1;
    experts->action_count = 0;
    experts->begun = false;
    memset(experts->actions, 0, (size_t)experts->type->def.actions * sizeof *experts->actions);
    memset(experts->writers, 0, (size_t)experts->slot_count * sizeof *experts->writers);
    for (int32_t i = 0; i < experts->slot_count; i++) experts->writers[i].expert = -1;
}

ploy_result ploy_experts_create(const ploy_experts_type *type, const ploy_env *env,
                                ploy_experts **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (type == NULL || env == NULL) return PLOY_ERR_ARGUMENT;
    if (!type->build.finished) return PLOY_ERR_STATE;
    int32_t slots = ploy_blackboard_layout_count(type->layout);
    size_t size = 0;
    if (!ploy_size_add_array(sizeof(ploy_experts), type->def.actions, sizeof(experts_action),
                             &size) ||
        !ploy_size_add_array(size, slots, sizeof(experts_writer), &size)) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_experts *experts = ploy_env_alloc_zero(env, size);
    if (experts == NULL) return PLOY_ERR_MEMORY;
    experts->env = *env;
    experts->type = type;
    experts->size = size;
    experts->slot_count = slots;
    experts->actions = (experts_action *)(void *)(experts + 1);
    experts->writers = (experts_writer *)(void *)(experts->actions + type->def.actions);
    experts_restart(experts, type->def.seed);
    ploy_result result =
        ployi_choice_init(&experts->choice, type->count, experts_maker_at, type, env);
    if (result != PLOY_OK) {
        ploy_env_free(env, experts, size);
        return result;
    }
    *out = experts;
    return PLOY_OK;
}

void ploy_experts_destroy(ploy_experts *experts) {
    if (experts == NULL) return;
    ploy_env env = experts->env;
    ployi_choice_fini(&experts->choice);
    ploy_env_free(&env, experts, experts->size);
}

static ploy_slot experts_slot(int32_t index) {
    ploy_slot slot = {(uint32_t)index + 1};
    return slot;
}

// Notes what changed since it was last looked at as the expert's doing; -1: another writer's. The
// first look only counts.
static void experts_audit(ploy_experts *experts, const ploy_blackboard *board, int32_t expert) {
    for (int32_t i = 0; i < experts->slot_count; i++) {
        uint32_t changes = ploy_blackboard_slot_changes(board, experts_slot(i));
        experts_writer *writer = &experts->writers[i];
        if (changes == writer->changes) continue;
        writer->changes = changes;
        if (!experts->begun) continue;
        writer->expert = expert;
        writer->iteration = experts->iteration;
    }
    experts->begun = true;
}

// The expert that insists most, or -1.
static int32_t experts_choose(ploy_experts *experts, ploy_expert_turn *turn) {
    const ploy_experts_type *type = experts->type;
    ploy_trace *trace = turn->context->trace;
    int32_t best = -1, ties = 0;
    float most = 0.0f;
    ploy_trace_begin(trace, turn->context->agent, "expert", "blackboard");
    for (int32_t i = 0; i < type->count; i++) {
        turn->data = type->experts[i].data;
        float insistence = ployi_expert_insists(type, i, turn);
        bool wins = insistence > most;
        if (wins) ties = 1;
        if (!wins && best >= 0 && insistence == most && type->def.random_ties) {
            wins = ploy_rng_below(&experts->rng, (uint64_t)++ties) == 0;
        }
        ploy_trace_option(trace, type->experts[i].name,
                          wins                ? PLOY_OUTCOME_WON
                          : insistence > 0.0f ? PLOY_OUTCOME_LOST
                                              : PLOY_OUTCOME_REJECTED,
                          (double)insistence, wins ? "insists most so far" : "insists less");
        if (!wins) continue;
        best = i;
        most = insistence;
    }
    ploy_trace_end(trace);
    return best;
}

int32_t ploy_experts_step(ploy_experts *experts, ploy_step_context *context, ploy_status *status) {
    const ploy_experts_type *type = experts->type;
    ploy_status own = PLOY_STATUS_SUCCESS;
    int32_t best = -1;
    ploy_blackboard *board = context->blackboard;
    experts->iteration++;
    if (board != NULL && ploy_blackboard_layout_of(board) == type->layout) {
        ploy_expert_turn turn = {experts, board, context, type->def.user, NULL};
        best = experts_choose(experts, &turn);
        experts_audit(experts, board, -1);
        if (experts->choice.running >= 0 && experts->choice.running != best) {
            ployi_choice_leave(&experts->choice, context, PLOY_EXIT_INTERRUPTED);
        }
        if (best >= 0) {
            const ploy_expert *expert = &type->experts[best];
            turn.data = expert->data;
            bool first = experts->choice.running != best;
            if (expert->run != NULL && (first || ploy_maker_is_none(expert->maker))) {
                expert->run(&turn);
            }
            (void)ployi_choice_step(&experts->choice, context, best, expert->name);
            own = PLOY_STATUS_RUNNING;
        }
        experts_audit(experts, board, best);
    }
    if (status != NULL) *status = own;
    return best;
}

// ---- actions ----

static int32_t experts_find(const ploy_experts *experts, int32_t number) {
    for (int32_t i = 0; i < experts->action_count; i++) {
        if (experts->actions[i].number == number) return i;
    }
    return -1;
}

static void experts_remove(ploy_experts *experts, int32_t index) {
    experts->action_count--;
    for (int32_t i = index; i < experts->action_count; i++) {
        experts->actions[i] = experts->actions[i + 1];
    }
    memset(&experts->actions[experts->action_count], 0, sizeof(experts_action));
}

ploy_result ploy_experts_propose(ploy_experts *experts, ploy_expert_action action, uint32_t needed,
                                 int32_t *out) {
    if (experts->action_count == experts->type->def.actions) return PLOY_ERR_CAPACITY;
    experts_action *made = &experts->actions[experts->action_count++];
    made->action = action;
    made->needed = needed;
    made->agreed = 0;
    made->number = experts->next_number++;
    if (experts->next_number <= 0) experts->next_number = 1; // keeps (1)
    if (out != NULL) *out = made->number;
    return PLOY_OK;
}

ploy_result ploy_experts_agree(ploy_experts *experts, int32_t action, int32_t expert) {
    int32_t index = experts_find(experts, action);
    if (index < 0) return PLOY_ERR_NOT_FOUND;
    if (expert < 0 || expert >= experts->type->count) return PLOY_ERR_ARGUMENT;
    experts->actions[index].agreed |= (uint32_t)1 << expert;
    return PLOY_OK;
}

ploy_result ploy_experts_withdraw(ploy_experts *experts, int32_t action) {
    int32_t index = experts_find(experts, action);
    if (index < 0) return PLOY_ERR_NOT_FOUND;
    experts_remove(experts, index);
    return PLOY_OK;
}

bool ploy_experts_take(ploy_experts *experts, ploy_expert_action *out) {
    for (int32_t i = 0; i < experts->action_count; i++) {
        const experts_action *action = &experts->actions[i];
        if ((action->needed & ~action->agreed) != 0) continue;
        *out = action->action;
        experts_remove(experts, i);
        return true;
    }
    return false;
}

int32_t ploy_experts_writer(const ploy_experts *experts, ploy_slot slot, uint64_t *iteration) {
    if (slot.number < 1 || slot.number > (uint32_t)experts->slot_count) return -1;
    const experts_writer *writer = &experts->writers[slot.number - 1];
    if (iteration != NULL) *iteration = writer->iteration;
    return writer->expert;
}

static const char *experts_name(const ploy_experts *experts, int32_t expert) {
    const char *name = ploy_experts_type_name(experts->type, expert);
    return name != NULL ? name : "";
}

// ---- the behavior ----

static ploy_result experts_behavior_enter(void *self, ploy_step_context *context) {
    ploy_experts *experts = self;
    uint64_t agent = ((uint64_t)context->agent.id.generation << 32) + context->agent.id.index;
    experts_restart(experts, experts->type->def.seed + agent * UINT64_C(0x9E3779B97F4A7C15));
    return PLOY_OK;
}

static ploy_result experts_behavior_step(void *self, ploy_step_context *context,
                                         ploy_status *status) {
    ploy_experts *experts = self;
    (void)ploy_experts_step(experts, context, status);
    ploy_expert_action action;
    while (context->outbox != NULL && ploy_experts_take(experts, &action)) {
        ploy_action_request request =
            ploy_action_request_make(context->agent, action.name, PLOY_ACTION_CHANGE);
        request.token = action.subject;
        ploy_result result = ploy_outbox_action(context->outbox, &request);
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

static void experts_behavior_exit(void *self, ploy_step_context *context, ploy_exit_reason reason) {
    ployi_choice_leave(&((ploy_experts *)self)->choice, context, reason);
}

static ploy_result experts_behavior_commit(void *self, ploy_step_context *context) {
    ploy_experts *experts = self;
    ployi_choice_commit(&experts->choice, context, experts_name(experts, experts->choice.running));
    return PLOY_OK;
}

static ploy_result experts_behavior_message(void *self, ploy_step_context *context,
                                            const ploy_message *message, bool *handled) {
    ploy_experts *experts = self;
    *handled = ployi_choice_message(&experts->choice, context, message,
                                    experts_name(experts, experts->choice.running));
    return PLOY_OK;
}

static void experts_behavior_destroy(void *self) {
    ploy_experts_destroy(self);
}

static void experts_behavior_draw(const void *self, ploy_draw *out) {
    ployi_choice_draw(&((const ploy_experts *)self)->choice, out);
}

// ---- in a file ----
//
//     { "iteration": 3, "next": 2, "rng": [...],
//       "actions": [{ "number": 1, "name": "8f...", "subject": 15, "needed": ["gunner"],
//                     "agreed": [] }],
//       "writers": { "target": { "expert": "spotter", "iteration": 1 } },
//       "expert": { "id": "driver", "behavior": { ... } } }

static const char *experts_visit_text(const void *user, uint32_t number) {
    const ploy_experts_type *type = user;
    return number < (uint32_t)type->count ? type->experts[number].name : "";
}

static ploy_visit_table experts_table(const ploy_experts *experts, const char *what,
                                      const char *lost) {
    ploy_visit_table table = {
        experts_visit_text, NULL, experts->type, (uint32_t)experts->type->count, what, lost};
    return table;
}

// A set of experts as a list of names. @return one that is gone, or NULL.
static const char *experts_visit_bits(ploy_visit *v, const ploy_experts *experts, const char *key,
                                      uint32_t *bits) {
    const char *gone = NULL;
    int32_t now = 0;
    uint32_t fresh = 0;
    for (uint32_t rest = *bits; rest != 0; rest &= rest - 1) now++;
    ploy_describe_u64(v->describe, key, PLOY_STATE, *bits);
    int32_t count = ploy_visit_count(v, key, PLOY_SAVED, now, PLOY_EXPERTS_MAX);
    for (int32_t i = 0; i < experts->type->count; i++) {
        ploy_json_writer *json = (*bits >> i & 1) != 0 ? ploy_visit_writer(v, "expert") : NULL;
        if (json != NULL) ploy_json_write_text(json, experts_name(experts, i));
    }
    for (int32_t i = 0; i < count && ploy_visit_loads(v); i++) {
        const ploy_json *doc = NULL;
        ploy_json_node node;
        if (!ploy_visit_reader(v, "expert", &doc, &node, NULL)) break;
        const char *name = ploy_json_text(doc, node, NULL);
        int32_t found = experts->type->count - 1;
        while (found >= 0 && strcmp(experts_name(experts, found), name) != 0) found--;
        if (found >= 0) fresh |= (uint32_t)1 << found;
        if (found < 0) gone = name;
    }
    ploy_visit_end(v);
    PLOY_VISIT_WRITE(v, *bits, fresh);
    return gone;
}

// One action. @return whether it can be kept.
static bool experts_visit_action(ploy_visit *v, const ploy_experts *experts,
                                 experts_action *action) {
    ploy_visit_begin_item(v, action->number, PLOY_STATE);
    ploy_visit_i32_in(v, "number", PLOY_SAVED, &action->number, 0, INT32_MAX - 1);
    ploy_describe_name(v->describe, "action", PLOY_STATE, action->action.name);
    ploy_visit_hex64(v, "name", PLOY_SAVED, &action->action.name.hash);
    ploy_visit_u64(v, "subject", PLOY_STATE, &action->action.subject);
    const char *gone = experts_visit_bits(v, experts, "needed", &action->needed);
    (void)experts_visit_bits(v, experts, "agreed", &action->agreed);
    PLOY_VISIT_SCRATCH(v, action->needed);
    PLOY_VISIT_SCRATCH(v, action->agreed);
    PLOY_VISIT_SCRATCH(v, action->spare);
    // Whom it waits for must still be able to agree.
    bool fits = gone == NULL && action->number > 0 && action->action.name.hash != 0;
    if (ploy_visit_loads(v) && !fits) {
        ploy_visit_lost(v, "an action that needs expert", gone != NULL ? gone : "", "is withdrawn");
    }
    ploy_visit_end(v);
    return fits;
}

static void experts_visit_actions(ploy_visit *v, ploy_experts *experts) {
    const experts_action blank = {{{0}, 0}, 0, 0, 0, 0};
    int32_t room = experts->type->def.actions, kept = 0;
    int32_t count = ploy_visit_count(v, "actions", PLOY_SAVED, experts->action_count,
                                     ploy_visit_tolerates(v) ? INT32_MAX : room);
    for (int32_t i = 0; i < count; i++) {
        if (!ploy_visit_loads(v)) {
            (void)experts_visit_action(v, experts, &experts->actions[i]);
            continue;
        }
        // In a load the list closes up over those that are withdrawn.
        if (kept == room) {
            ploy_visit_begin_item(v, i, PLOY_STATE);
            ploy_visit_lost(v, "an action beyond the limit of", "actions", "is withdrawn");
            ploy_visit_end(v);
            continue;
        }
        experts_action *action = &experts->actions[kept];
        ploy_visit_write(v, action, &blank, sizeof blank);
        if (!experts_visit_action(v, experts, action)) continue;
        bool twice = false;
        for (int32_t k = 0; k < kept; k++) {
            twice = twice || experts->actions[k].number == action->number;
        }
        if (!twice) kept++;
    }
    ploy_visit_end(v);
    if (ploy_visit_loads(v)) {
        ploy_visit_check(v, kept == count || ploy_visit_tolerates(v),
                         "duplicate number of an action", NULL);
        PLOY_VISIT_WRITE(v, experts->action_count, kept);
    }
    for (int32_t i = 0; i < experts->action_count && ploy_visit_loads(v); i++) {
        int32_t next = experts->actions[i].number + 1;
        if (experts->next_number < next) PLOY_VISIT_WRITE(v, experts->next_number, next);
    }
}

static void experts_visit_writers(ploy_visit *v, ploy_experts *experts) {
    ploy_visit_table table = experts_table(experts, "expert", NULL);
    ploy_visit_begin(v, "writers", PLOY_STATE);
    for (int32_t i = 0; i < experts->slot_count; i++) {
        experts_writer *writer = &experts->writers[i];
        const char *key = ploy_blackboard_layout_name(experts->type->layout, experts_slot(i));
        int32_t none = -1;
        uint64_t never = 0;
        PLOY_VISIT_SCRATCH(v, *writer); // visited if it has written
        PLOY_VISIT_WRITE(v, writer->expert, none);
        if (!ploy_visit_optional(v, key, writer->iteration != 0)) {
            PLOY_VISIT_WRITE(v, writer->iteration, never);
            continue;
        }
        bool named = writer->expert >= 0;
        ploy_visit_begin(v, key, PLOY_STATE);
        if (ploy_visit_optional(v, "expert", named)) {
            ploy_visit_ref(v, "expert", PLOY_STATE, (uint32_t *)&writer->expert, &table);
        }
        // Of a write from outside it is not part of the description: a loaded mind cannot know
        // whether the board was written between the save and its first step.
        ploy_mark mark = writer->expert >= 0 ? PLOY_STATE : PLOY_SAVED;
        ploy_visit_u64(v, "iteration", mark, &writer->iteration);
        ploy_visit_end(v);
    }
    ploy_visit_end(v);
}

static void experts_visit(ploy_visit *v, void *object) {
    ploy_experts *experts = object;
    ploy_visit_table running = experts_table(experts, "expert", "no longer exists: it restarts");
    if (ploy_visit_tolerates(v)) (void)experts_behavior_enter(experts, v->context);
    ploy_visit_object(v, "experts", experts, experts->size);
    PLOY_VISIT_SCRATCH(v, experts->env);
    PLOY_VISIT_SCRATCH(v, experts->type);
    PLOY_VISIT_SCRATCH(v, experts->size);
    PLOY_VISIT_SCRATCH(v, experts->slot_count);
    PLOY_VISIT_SCRATCH(v, experts->begun); // the writers' counts are taken again
    PLOY_VISIT_SCRATCH(v, experts->actions);
    PLOY_VISIT_SCRATCH(v, experts->writers);
    PLOY_VISIT_SCRATCH(v, experts->action_count);
    ploy_visit_scratch(v, experts->actions + experts->action_count,
                       (size_t)(experts->type->def.actions - experts->action_count) *
                           sizeof *experts->actions);
    ploy_visit_begin(v, "experts", PLOY_DERIVED);
    ploy_visit_u64(v, "iteration", PLOY_STATE, &experts->iteration);
    ploy_visit_i32_in(v, "next", PLOY_STATE, &experts->next_number, 1, INT32_MAX - 1);
    ployi_visit_rng(v, "rng", &experts->rng);
    experts_visit_actions(v, experts);
    experts_visit_writers(v, experts);
    ployi_choice_visit(v, &experts->choice, "expert", &running);
    ploy_visit_end(v);
}

void ploy_experts_describe(const ploy_experts *experts, ploy_describe *out) {
    ploy_visit_describe(experts_visit, experts, NULL, out);
}

ploy_behavior ploy_experts_behavior(ploy_experts *experts) {
    static const ploy_behavior_type type = {.name = "experts",
                                            .enter = experts_behavior_enter,
                                            .step = experts_behavior_step,
                                            .exit = experts_behavior_exit,
                                            .commit = experts_behavior_commit,
                                            .message = experts_behavior_message,
                                            .destroy = experts_behavior_destroy,
                                            .draw = experts_behavior_draw,
                                            .visit = experts_visit};
    ploy_behavior behavior = {experts != NULL ? &type : NULL, experts};
    return behavior;
}
