// Leaves that were learned: blackboard in, class or action out.
#include "ploy/learn/leaf.h"

#include "ploy/base/diags.h"

#include <string.h>

enum { LEAF_INPUTS_MAX = 256 }; // a row is read on the stack

struct ploy_learned_leaf {
    ploy_env env;
    ploy_learned_leaf_def def;
    ploy_function function; // its user is this leaf
    ploy_slot answer, state;
    int32_t inputs;
    size_t size;       // of this block
    ploy_slot slots[]; // one for each input; none: the target
};

ploy_learned_leaf_def ploy_learned_leaf_def_default(void) {
    ploy_learned_leaf_def def;
    memset(&def, 0, sizeof def);
    return def;
}

// A number from a slot of any type that a key may have.
static double leaf_read(const ploy_learned_leaf *leaf, const ploy_blackboard *board,
                        ploy_slot slot) {
    switch (ploy_blackboard_layout_type(leaf->def.layout, slot)) {
    case PLOY_VALUE_F32: return (double)ploy_blackboard_get_f32(board, slot);
    case PLOY_VALUE_F64: return ploy_blackboard_get_f64(board, slot);
    case PLOY_VALUE_I64: return (double)ploy_blackboard_get_i64(board, slot);
    case PLOY_VALUE_BOOL: return ploy_blackboard_get_bool(board, slot) ? 1.0 : 0.0;
    default: return PLOY_MISSING;
    }
}

static void leaf_read_row(const ploy_learned_leaf *leaf, const ploy_blackboard *board,
                          double *row) {
    const ploy_schema *schema = ploy_learner_schema(leaf->def.learner);
    for (int32_t i = 0; i < leaf->inputs; i++) {
        row[i] = PLOY_MISSING;
        if (ploy_slot_is_none(leaf->slots[i])) continue;
        double value = leaf_read(leaf, board, leaf->slots[i]);
        bool category = ploy_schema_kind_at(schema, i) == PLOY_COLUMN_CATEGORY;
        if (category && !(value >= 0.0 && value < ploy_schema_value_count(schema, i))) continue;
        row[i] = value;
    }
}

static ploy_situation leaf_situation(const ploy_learned_leaf *leaf, const ploy_blackboard *board,
                                     float *observed) {
    for (int32_t i = 0; i < leaf->inputs; i++) {
        observed[i] = (float)leaf_read(leaf, board, leaf->slots[i]);
    }
    ploy_situation now = {-1, leaf->inputs > 0 ? observed : NULL, NULL};
    if (!ploy_slot_is_none(leaf->state)) now.state = ploy_blackboard_get_i64(board, leaf->state);
    return now;
}

static int32_t leaf_answer(const ploy_learned_leaf *leaf, const ploy_blackboard *board,
                           const ploy_step_context *context) {
    ploy_agent_id agent = context != NULL ? context->agent : ploy_agent_id_none();
    ploy_trace *trace = context != NULL ? context->trace : NULL;
    if (leaf->def.actor.type != NULL) {
        float observed[PLOY_PROBLEM_OBSERVED_MAX];
        ploy_situation now = leaf_situation(leaf, board, observed);
        if (trace != NULL) ploy_actor_explain(leaf->def.actor, &now, agent, trace);
        return ploy_actor_best(leaf->def.actor, &now);
    }
    double row[LEAF_INPUTS_MAX];
    leaf_read_row(leaf, board, row);
    if (trace != NULL) ploy_learner_explain(leaf->def.learner, row, agent, trace);
    ploy_answer answer = ploy_learner_predict(leaf->def.learner, row, NULL);
    return answer.opinion && answer.confidence >= leaf->def.confidence ? answer.category : -1;
}

int32_t ploy_learned_leaf_choose(const ploy_learned_leaf *leaf, const ploy_blackboard *board) {
    if (leaf == NULL || board == NULL) return -1;
    return leaf_answer(leaf, board, NULL);
}

static ploy_result leaf_step(void *user, void *state, ploy_step_context *context,
                             ploy_status *status) {
    const ploy_learned_leaf *leaf = user;
    (void)state;
    if (context->blackboard == NULL) return PLOY_ERR_ARGUMENT;
    int32_t answer = leaf_answer(leaf, context->blackboard, context);
    *status = answer < 0 ? PLOY_STATUS_FAILURE : PLOY_STATUS_SUCCESS;
    if (answer < 0) return PLOY_OK;
    return ploy_blackboard_set_i64(context->blackboard, leaf->answer, answer);
}

// ---- life

static ploy_result leaf_find(const ploy_learned_leaf_def *def, const char *name, bool exact,
                             ploy_diags *diags, ploy_slot *out) {
    ploy_slot slot = ploy_blackboard_layout_find(def->layout, name);
    ploy_value_type type = ploy_blackboard_layout_type(def->layout, slot);
    bool number = type == PLOY_VALUE_F32 || type == PLOY_VALUE_F64 || type == PLOY_VALUE_BOOL;
    if (ploy_slot_is_none(slot) || exact || !number) {
        return ploy_blackboard_layout_resolve(def->layout, name, PLOY_VALUE_I64, diags, out);
    }
    *out = slot;
    return PLOY_OK;
}

static ploy_result leaf_resolve(ploy_learned_leaf *leaf, ploy_diags *diags) {
    const ploy_learned_leaf_def *def = &leaf->def;
    ploy_result result = leaf_find(def, def->answer_key, true, diags, &leaf->answer);
    if (result == PLOY_OK && def->state_key != NULL) {
        result = leaf_find(def, def->state_key, true, diags, &leaf->state);
    }
    const ploy_schema *schema =
        def->learner.type != NULL ? ploy_learner_schema(def->learner) : NULL;
    for (int32_t i = 0; i < leaf->inputs && result == PLOY_OK; i++) {
        if (schema != NULL && i == ploy_schema_target(schema)) continue;
        const char *name = schema != NULL ? ploy_schema_name_at(schema, i) : def->observed[i];
        bool index = schema != NULL && ploy_schema_kind_at(schema, i) == PLOY_COLUMN_CATEGORY;
        result = leaf_find(def, name, index, diags, &leaf->slots[i]);
    }
    return result;
}

static const char *leaf_fault(const ploy_learned_leaf_def *def) {
    bool learner = def->learner.type != NULL, actor = def->actor.type != NULL;
    if (learner == actor) return "a learned leaf needs a learner or an actor";
    if (def->layout == NULL || def->answer_key == NULL) {
        return "a learned leaf needs a layout and a key for its answer";
    }
    if (actor) {
        bool fits = def->observed_count >= 0 && def->observed_count <= PLOY_PROBLEM_OBSERVED_MAX &&
                    (def->observed_count == 0 || def->observed != NULL);
        return fits ? NULL : "a learned leaf has too many observations";
    }
    const ploy_schema *schema = ploy_learner_schema(def->learner);
    if (ploy_schema_kind_at(schema, ploy_schema_target(schema)) != PLOY_COLUMN_CATEGORY) {
        return "a learned leaf needs a learner that classifies";
    }
    return ploy_schema_count(schema) <= LEAF_INPUTS_MAX ? NULL
                                                        : "a learned leaf has too many columns";
}

ploy_result ploy_learned_leaf_create(const ploy_learned_leaf_def *def, const ploy_env *env,
                                     ploy_learned_leaf **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (def == NULL || env == NULL) return PLOY_ERR_ARGUMENT;
    const char *fault = leaf_fault(def);
    if (fault != NULL) {
        ploy_env_log(env, PLOY_SEVERITY_ERROR, fault);
        return PLOY_ERR_ARGUMENT;
    }
    int32_t inputs = def->learner.type != NULL
                         ? ploy_schema_count(ploy_learner_schema(def->learner))
                         : def->observed_count;
    size_t size = sizeof(ploy_learned_leaf) + (size_t)inputs * sizeof(ploy_slot);
    ploy_learned_leaf *leaf = ploy_env_alloc_zero(env, size);
    if (leaf == NULL) return PLOY_ERR_MEMORY;
    leaf->env = *env;
    leaf->def = *def;
    leaf->size = size;
    leaf->inputs = inputs;
    leaf->function.name =
        def->learner.type != NULL ? def->learner.type->name : def->actor.type->name;
    leaf->function.step = leaf_step;
    leaf->function.user = leaf;
    ploy_diags *diags = NULL;
    ploy_result result = ploy_diags_create(16, env, &diags);
    if (result == PLOY_OK) result = leaf_resolve(leaf, diags);
    if (diags != NULL) ploy_diags_log(diags, env);
    ploy_diags_destroy(diags);
    if (result != PLOY_OK) {
        ploy_learned_leaf_destroy(leaf);
        return result;
    }
    *out = leaf;
    return PLOY_OK;
}

void ploy_learned_leaf_destroy(ploy_learned_leaf *leaf) {
    if (leaf == NULL) return;
    ploy_env env = leaf->env;
    ploy_env_free(&env, leaf, leaf->size);
}

static ploy_result leaf_make(void *user, const ploy_env *env, ploy_behavior *out) {
    const ploy_learned_leaf *leaf = user;
    return ploy_function_behavior(&leaf->function, env, out);
}

static ploy_result leaf_check(const void *user, const ploy_blackboard_layout *layout,
                              ploy_diags *diags) {
    const ploy_learned_leaf *leaf = user;
    return ploy_maker_check_layout(leaf->def.layout, layout, diags);
}

ploy_maker ploy_learned_leaf_maker(const ploy_learned_leaf *leaf) {
    ploy_maker maker = ploy_maker_none();
    if (leaf == NULL) return maker;
    maker.make = leaf_make;
    maker.user = (void *)(uintptr_t)(const void *)leaf; // makers share it and change nothing
    maker.name = leaf->function.name;
    maker.check = leaf_check;
    return maker;
}
