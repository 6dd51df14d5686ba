// Experts around one board: see the header.
//
// Invariants: (1) actions stand in the order of proposing, number 0 is never given, so an all-zero
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

// Notes what changed since it was last looked at as the expert's doing; -1: somebody else's. The
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

void ploy_experts_describe(const ploy_experts *experts, ploy_describe *out) {
    ploy_describe_begin(out, "experts");
    ploy_describe_u64(out, "iteration", PLOY_STATE, experts->iteration);
    for (int32_t i = 0; i < experts->action_count; i++) {
        const experts_action *action = &experts->actions[i];
        ploy_describe_begin_item(out, action->number);
        ploy_describe_name(out, "action", PLOY_STATE, action->action.name);
        ploy_describe_u64(out, "subject", PLOY_STATE, action->action.subject);
        ploy_describe_u64(out, "needed", PLOY_STATE, action->needed);
        ploy_describe_u64(out, "agreed", PLOY_STATE, action->agreed);
        ploy_describe_end(out);
    }
    ploy_describe_begin(out, "writers");
    for (int32_t i = 0; i < experts->slot_count; i++) {
        ploy_describe_text(out, ploy_blackboard_layout_name(experts->type->layout, experts_slot(i)),
                           PLOY_STATE, experts_name(experts, experts->writers[i].expert));
    }
    ploy_describe_end(out);
    ployi_choice_describe(&experts->choice, out, experts_name(experts, experts->choice.running));
    ploy_describe_end(out);
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

static void experts_behavior_describe(const void *self, ploy_describe *out) {
    ploy_experts_describe(self, out);
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

static void experts_save_bits(const ploy_experts *experts, const char *key, uint32_t bits,
                              ploy_json_writer *out) {
    ploy_json_write_key(out, key);
    ploy_json_write_begin_row(out);
    for (int32_t i = 0; i < experts->type->count; i++) {
        if ((bits >> i & 1) != 0) ploy_json_write_text(out, experts_name(experts, i));
    }
    ploy_json_write_end_array(out);
}

static void experts_behavior_save(const void *self, ploy_json_writer *out) {
    const ploy_experts *experts = self;
    char id[PLOYI_SAVE_ID_SIZE];
    ploy_json_write_begin_object(out);
    ployi_save_u64(out, "iteration", experts->iteration);
    ployi_save_u64(out, "next", (uint64_t)experts->next_number);
    ploy_json_write_key(out, "rng");
    ployi_save_bytes(out, &experts->rng, sizeof experts->rng);
    ploy_json_write_key(out, "actions");
    ploy_json_write_begin_array(out);
    for (int32_t i = 0; i < experts->action_count; i++) {
        const experts_action *action = &experts->actions[i];
        ploy_json_write_begin_object(out);
        ployi_save_u64(out, "number", (uint64_t)action->number);
        ployi_save_id(action->action.name.hash, id);
        ployi_save_text(out, "name", id);
        ployi_save_u64(out, "subject", action->action.subject);
        experts_save_bits(experts, "needed", action->needed, out);
        experts_save_bits(experts, "agreed", action->agreed, out);
        ploy_json_write_end_object(out);
    }
    ploy_json_write_end_array(out);
    ploy_json_write_key(out, "writers");
    ploy_json_write_begin_object(out);
    for (int32_t i = 0; i < experts->slot_count; i++) {
        const experts_writer *writer = &experts->writers[i];
        if (writer->iteration == 0) continue;
        ploy_json_write_key(out,
                            ploy_blackboard_layout_name(experts->type->layout, experts_slot(i)));
        ploy_json_write_begin_object(out);
        if (writer->expert >= 0) {
            ployi_save_text(out, "expert", experts_name(experts, writer->expert));
        }
        ployi_save_u64(out, "iteration", writer->iteration);
        ploy_json_write_end_object(out);
    }
    ploy_json_write_end_object(out);
    ployi_choice_save(&experts->choice, out, "expert",
                      experts_name(experts, experts->choice.running));
    ploy_json_write_end_object(out);
}

static int32_t experts_load_find(const ploy_experts *experts, const char *name) {
    for (int32_t i = 0; i < experts->type->count; i++) {
        if (strcmp(experts->type->experts[i].name, name) == 0) return i;
    }
    return -1;
}

// The experts of a list. *gone names one that is not there any more.
static uint32_t experts_load_bits(const ploy_experts *experts, const ploy_json *doc,
                                  ploy_json_node list, const char **gone) {
    uint32_t bits = 0;
    for (int32_t i = 0; i < ploy_json_count(doc, list); i++) {
        const char *name = ploy_json_text(doc, ploy_json_at(doc, list, i), NULL);
        int32_t found = experts_load_find(experts, name);
        if (found >= 0) bits |= (uint32_t)1 << found;
        if (found < 0) *gone = name;
    }
    return bits;
}

static void experts_load_actions(ploy_experts *experts, const ploy_json *doc, ploy_json_node saved,
                                 ploy_diags *diags) {
    for (int32_t i = 0; i < ploy_json_count(doc, saved); i++) {
        ploy_json_node item = ploy_json_at(doc, saved, i);
        uint64_t number = 0;
        const char *gone = NULL, *ignored = NULL;
        ploy_expert_action action = {{0}, 0};
        ployi_load_u64(doc, item, "number", &number);
        ployi_load_u64(doc, item, "subject", &action.subject);
        bool named = ployi_load_id(doc, ploy_json_member(doc, item, "name"), &action.name.hash);
        uint32_t needed =
            experts_load_bits(experts, doc, ploy_json_member(doc, item, "needed"), &gone);
        uint32_t agreed =
            experts_load_bits(experts, doc, ploy_json_member(doc, item, "agreed"), &ignored);
        bool fits = named && number > 0 && number < INT32_MAX &&
                    experts_find(experts, (int32_t)number) < 0 &&
                    experts->action_count < experts->type->def.actions;
        if (gone != NULL || !fits) { // whom it waits for cannot agree any more
            ploy_behavior_lost(doc, item, diags, "an action that needs expert",
                               gone != NULL ? gone : "", "is withdrawn");
            continue;
        }
        experts_action *made = &experts->actions[experts->action_count++];
        made->action = action;
        made->needed = needed;
        made->agreed = agreed;
        made->number = (int32_t)number;
        if (experts->next_number <= made->number) experts->next_number = made->number + 1;
    }
}

static ploy_result experts_behavior_load(void *self, ploy_step_context *context,
                                         const ploy_json *doc, ploy_json_node state,
                                         ploy_diags *diags) {
    ploy_experts *experts = self;
    const ploy_experts_type *type = experts->type;
    (void)experts_behavior_enter(self, context);
    ploy_rng rng;
    if (ployi_load_bytes(doc, ploy_json_member(doc, state, "rng"), &rng, sizeof rng) &&
        rng.left <= 4) {
        experts->rng = rng;
    }
    uint64_t next = 0;
    ployi_load_u64(doc, state, "iteration", &experts->iteration);
    ployi_load_u64(doc, state, "next", &next);
    if (next > 0 && next < INT32_MAX) experts->next_number = (int32_t)next;
    experts_load_actions(experts, doc, ploy_json_member(doc, state, "actions"), diags);
    ploy_json_node writers = ploy_json_member(doc, state, "writers");
    for (int32_t i = 0; i < ploy_json_count(doc, writers); i++) {
        ploy_json_node item = ploy_json_at(doc, writers, i);
        const char *key = ploy_json_key(doc, item, NULL);
        ploy_slot slot = ploy_blackboard_layout_find(type->layout, key);
        if (ploy_slot_is_none(slot)) continue; // the board tells of it
        experts_writer *writer = &experts->writers[slot.number - 1];
        writer->expert = experts_load_find(
            experts, ploy_json_text(doc, ploy_json_member(doc, item, "expert"), NULL));
        ployi_load_u64(doc, item, "iteration", &writer->iteration);
    }
    const char *id = ployi_choice_saved(doc, state, "expert");
    if (id == NULL) return PLOY_OK;
    int32_t running = experts_load_find(experts, id);
    if (!ployi_choice_has(&experts->choice, running)) {
        ployi_choice_lose(doc, state, "expert", "expert", diags);
        return PLOY_OK;
    }
    return ployi_choice_load(&experts->choice, context, doc, state, "expert", running,
                             experts_name(experts, running), diags);
}

ploy_behavior ploy_experts_behavior(ploy_experts *experts) {
    static const ploy_behavior_type type = {.name = "experts",
                                            .enter = experts_behavior_enter,
                                            .step = experts_behavior_step,
                                            .exit = experts_behavior_exit,
                                            .commit = experts_behavior_commit,
                                            .message = experts_behavior_message,
                                            .destroy = experts_behavior_destroy,
                                            .describe = experts_behavior_describe,
                                            .draw = experts_behavior_draw,
                                            .save = experts_behavior_save,
                                            .load = experts_behavior_load};
    ploy_behavior behavior = {experts != NULL ? &type : NULL, experts};
    return behavior;
}
