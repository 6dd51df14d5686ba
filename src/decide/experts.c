// The blackboard architecture: see the header.
//
// Invariants: (1) actions stand in the order of proposing, number 0 is never given, so an all-zero
// place is free; (2) writers has an entry for each slot of the board's layout.
#include "ploy/decide/experts.h"

#include <string.h>

#include "ploy/base/rng.h"

static const ploy_field experts_fields[] = {
    PLOY_FIELD_I32(ploy_experts_def, actions, 16, 1, 10000, "", "most actions under discussion"),
    PLOY_FIELD_BOOL(ploy_experts_def, random_ties, false, "equal insistence is drawn"),
    PLOY_FIELD_U64(ploy_experts_def, seed, 0, "of the draws"),
};

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
    ploy_experts_def def;
    ploy_blackboard *board;
    ploy_rng rng;
    uint64_t iteration;
    size_t size;
    int32_t count, action_count, next_number, slot_count;
    ploy_expert experts[PLOY_EXPERTS_MAX];
    experts_action *actions;
    experts_writer *writers;
};

ploy_fields ploy_experts_fields(void) {
    return PLOY_FIELDS(ploy_experts_def, experts_fields);
}

ploy_experts_def ploy_experts_def_default(void) {
    ploy_experts_def def;
    memset(&def, 0, sizeof def);
    ploy_fields_default(ploy_experts_fields(), &def);
    return def;
}

ploy_result ploy_experts_create(const ploy_experts_def *def, ploy_blackboard *board,
                                const ploy_env *env, ploy_experts **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_experts_fields(), def, env);
    if (result != PLOY_OK) return result;
    if (board == NULL) return PLOY_ERR_ARGUMENT;
    int32_t slots = ploy_blackboard_layout_count(ploy_blackboard_layout_of(board));
    size_t size = 0;
    if (!ploy_size_add_array(sizeof(ploy_experts), def->actions, sizeof(experts_action), &size) ||
        !ploy_size_add_array(size, slots, sizeof(experts_writer), &size)) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_experts *experts = ploy_env_alloc_zero(env, size);
    if (experts == NULL) return PLOY_ERR_MEMORY;
    experts->env = *env;
    experts->def = *def;
    experts->board = board;
    experts->rng = ploy_rng_make(def->seed);
    experts->size = size;
    experts->next_number = 1;
    experts->slot_count = slots;
    experts->actions = (experts_action *)(void *)(experts + 1);
    experts->writers = (experts_writer *)(void *)(experts->actions + def->actions);
    for (int32_t i = 0; i < slots; i++) experts->writers[i].expert = -1;
    *out = experts;
    return PLOY_OK;
}

void ploy_experts_destroy(ploy_experts *experts) {
    if (experts == NULL) return;
    ploy_env env = experts->env;
    ploy_env_free(&env, experts, experts->size);
}

ploy_result ploy_experts_add(ploy_experts *experts, const ploy_expert *expert, int32_t *out) {
    if (expert == NULL || expert->name == NULL || expert->insistence == NULL ||
        expert->run == NULL) {
        return PLOY_ERR_ARGUMENT;
    }
    if (experts->count == PLOY_EXPERTS_MAX) return PLOY_ERR_CAPACITY;
    experts->experts[experts->count] = *expert;
    if (out != NULL) *out = experts->count;
    experts->count++;
    return PLOY_OK;
}

static ploy_slot experts_slot(int32_t index) {
    ploy_slot slot = {(uint32_t)index + 1};
    return slot;
}

// Notes what changed since it was last looked at as the expert's doing; -1: somebody else's.
static void experts_audit(ploy_experts *experts, int32_t expert) {
    for (int32_t i = 0; i < experts->slot_count; i++) {
        uint32_t changes = ploy_blackboard_slot_changes(experts->board, experts_slot(i));
        experts_writer *writer = &experts->writers[i];
        if (changes == writer->changes) continue;
        writer->changes = changes;
        writer->expert = expert;
        writer->iteration = experts->iteration;
    }
}

int32_t ploy_experts_step(ploy_experts *experts, ploy_trace *trace) {
    int32_t best = -1, ties = 0;
    float most = 0.0f;
    ploy_agent_id nobody = {{0, 0}};
    ploy_trace_begin(trace, nobody, "expert", "blackboard");
    experts->iteration++;
    for (int32_t i = 0; i < experts->count; i++) {
        const ploy_expert *expert = &experts->experts[i];
        float insistence = expert->insistence(experts->def.user, experts->board, expert->data);
        bool wins = insistence > most;
        if (wins) ties = 1;
        if (!wins && best >= 0 && insistence == most && experts->def.random_ties) {
            wins = ploy_rng_below(&experts->rng, (uint64_t)++ties) == 0;
        }
        ploy_trace_option(trace, expert->name,
                          wins                ? PLOY_OUTCOME_WON
                          : insistence > 0.0f ? PLOY_OUTCOME_LOST
                                              : PLOY_OUTCOME_REJECTED,
                          (double)insistence, wins ? "insists most so far" : "insists less");
        if (!wins) continue;
        best = i;
        most = insistence;
    }
    ploy_trace_end(trace);
    experts_audit(experts, -1);
    if (best < 0) return -1;
    const ploy_expert *expert = &experts->experts[best];
    expert->run(experts->def.user, experts, experts->board, expert->data);
    experts_audit(experts, best);
    return best;
}

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
    if (experts->action_count == experts->def.actions) return PLOY_ERR_CAPACITY;
    experts_action *made = &experts->actions[experts->action_count++];
    made->action = action;
    made->needed = needed;
    made->agreed = 0;
    made->number = experts->next_number++;
    if (out != NULL) *out = made->number;
    return PLOY_OK;
}

ploy_result ploy_experts_agree(ploy_experts *experts, int32_t action, int32_t expert) {
    int32_t index = experts_find(experts, action);
    if (index < 0) return PLOY_ERR_NOT_FOUND;
    if (expert < 0 || expert >= experts->count) return PLOY_ERR_ARGUMENT;
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
    for (int32_t i = 0; i < experts->slot_count; i++) {
        ploy_slot own = experts_slot(i);
        if (memcmp(&own, &slot, sizeof slot) != 0) continue;
        if (iteration != NULL) *iteration = experts->writers[i].iteration;
        return experts->writers[i].expert;
    }
    return -1;
}

void ploy_experts_describe(const ploy_experts *experts, ploy_describe *out) {
    const ploy_blackboard_layout *layout = ploy_blackboard_layout_of(experts->board);
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
        int32_t expert = experts->writers[i].expert;
        ploy_describe_text(out, ploy_blackboard_layout_name(layout, experts_slot(i)), PLOY_STATE,
                           expert < 0 ? "" : experts->experts[expert].name);
    }
    ploy_describe_end(out);
    ploy_describe_end(out);
}
