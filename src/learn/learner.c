// The front of the learners; see the header.
#include "ploy/learn/learner.h"

#include "learn/learn_internal.h"

#include <stdio.h>
#include <string.h>

ploy_answer ploy_answer_none(void) {
    ploy_answer answer = {false, -1, 0.0, 0.0};
    return answer;
}

int32_t ployi_argmax(const double *values, int32_t count) {
    int32_t best = count > 0 ? 0 : -1;
    for (int32_t i = 1; i < count; i++) {
        if (values[i] > values[best]) best = i;
    }
    return best;
}

const ploy_learner_type *ploy_learners_find(const char *name) {
    if (name == NULL) return NULL;
    const ploy_learner_type *type = ploy_learners_at(0);
    for (int32_t i = 1; type != NULL && strcmp(type->name, name) != 0; i++) {
        type = ploy_learners_at(i);
    }
    return type;
}

static bool learner_refuses(const ploy_learner_type *type, const char *what, const char *column,
                            const ploy_env *env) {
    char text[256];
    snprintf(text, sizeof text, "learner '%s' cannot take %s '%s'", type->name, what, column);
    ploy_env_log(env, PLOY_SEVERITY_ERROR, text);
    return false;
}

bool ploy_learner_takes(const ploy_learner_type *type, const ploy_schema *schema,
                        const ploy_env *env) {
    if (type == NULL || ploy_schema_count(schema) == 0) return false;
    int32_t target = ploy_schema_target(schema);
    bool takes = true;
    for (int32_t i = 0; i < ploy_schema_count(schema); i++) {
        const char *name = ploy_schema_name_at(schema, i);
        bool number = ploy_schema_kind_at(schema, i) == PLOY_COLUMN_NUMBER;
        uint32_t needs = i == target ? (number ? PLOY_LEARNER_ESTIMATES : PLOY_LEARNER_CLASSIFIES)
                                     : (number ? PLOY_LEARNER_NUMBERS : PLOY_LEARNER_CATEGORIES);
        if ((type->abilities & needs) == 0) {
            takes = learner_refuses(type,
                                    i == target ? "the target"
                                    : number    ? "the numbers of"
                                                : "the categories of",
                                    name, env);
        } else if (i == target && !number && ploy_schema_value_count(schema, i) == 0) {
            takes = learner_refuses(type, "a target without categories:", name, env);
        }
    }
    return takes;
}

ploy_result ploy_learner_create(const ploy_learner_type *type, const void *def,
                                const ploy_schema *schema, const ploy_env *env, ploy_learner *out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    out->type = NULL;
    out->self = NULL;
    if (env == NULL || !ploy_learner_takes(type, schema, env)) return PLOY_ERR_ARGUMENT;
    ploy_fields fields = type->fields();
    ploy_learner_common common;
    memset(&common, 0, sizeof common);
    common.env = *env;
    common.type = type;
    common.def = ploy_env_alloc(env, fields.size);
    if (common.def == NULL) return PLOY_ERR_MEMORY;
    if (def != NULL) {
        memcpy(common.def, def, fields.size);
    } else {
        ploy_fields_default(fields, common.def);
    }
    void *self = NULL;
    ploy_result result = ploy_fields_check(fields, common.def, env);
    if (result == PLOY_OK) result = ploy_schema_copy(schema, env, &common.schema);
    if (result == PLOY_OK) result = type->create(common.def, &common, &self);
    if (result != PLOY_OK) {
        ploy_schema_destroy(common.schema);
        ploy_env_free(env, common.def, fields.size);
        return result;
    }
    out->type = type;
    out->self = self;
    return PLOY_OK;
}

static ploy_learner_common *learner_common(ploy_learner learner) {
    return learner.self;
}

void ploy_learner_destroy(ploy_learner learner) {
    if (learner.type == NULL) return;
    ploy_learner_train_cancel(learner);
    ploy_learner_common common = *learner_common(learner);
    learner.type->destroy(learner.self);
    ploy_schema_destroy(common.schema);
    ploy_env_free(&common.env, common.def, common.type->fields().size);
}

const ploy_schema *ploy_learner_schema(ploy_learner learner) {
    return learner.type == NULL ? NULL : learner_common(learner)->schema;
}

const void *ploy_learner_def(ploy_learner learner) {
    return learner.type == NULL ? NULL : learner_common(learner)->def;
}

// ---- learning

// Learns one row that was checked; rows without a target teach nothing.
static ploy_result learner_learn(ploy_learner learner, const double *row) {
    ploy_learner_common *common = learner_common(learner);
    if (ploy_is_missing(row[ploy_schema_target(common->schema)])) return PLOY_OK;
    ploy_result result = learner.type->observe(learner.self, row);
    if (result == PLOY_OK) common->observed++;
    return result;
}

ploy_result ploy_learner_observe(ploy_learner learner, const double *example) {
    if (learner.type == NULL) return PLOY_ERR_ARGUMENT;
    ploy_learner_common *common = learner_common(learner);
    if (!ploy_schema_accepts(common->schema, example)) return PLOY_ERR_ARGUMENT;
    if (common->frozen) return PLOY_OK;
    if (learner.type->observe == NULL || common->trains) return PLOY_ERR_STATE;
    return learner_learn(learner, example);
}

ploy_result ploy_learner_train_begin(ploy_learner learner, const ploy_examples *examples) {
    if (learner.type == NULL || examples == NULL) return PLOY_ERR_ARGUMENT;
    ploy_learner_common *common = learner_common(learner);
    if (common->frozen || common->trains) return PLOY_ERR_STATE;
    if (ploy_schema_hash(ploy_examples_schema(examples)) != ploy_schema_hash(common->schema)) {
        ploy_env_log(&common->env, PLOY_SEVERITY_ERROR,
                     "the table's schema differs from the learner's");
        return PLOY_ERR_ARGUMENT;
    }
    common->examples = examples;
    common->next = 0;
    ploy_result result = learner.type->begin != NULL ? learner.type->begin(learner.self) : PLOY_OK;
    common->trains = result == PLOY_OK;
    if (result != PLOY_OK) common->examples = NULL;
    return result;
}

void ploy_learner_train_cancel(ploy_learner learner) {
    if (learner.type == NULL) return;
    ploy_learner_common *common = learner_common(learner);
    if (!common->trains) return;
    if (learner.type->cancel != NULL) learner.type->cancel(learner.self);
    common->trains = false;
    common->examples = NULL;
    common->next = 0;
}

static ploy_result learner_observe_rows(ploy_learner learner, ploy_budget *budget) {
    ploy_learner_common *common = learner_common(learner);
    int32_t count = ploy_examples_count(common->examples);
    while (common->next < count) {
        if (budget != NULL && !ploy_budget_spend(budget, 1)) return PLOY_IN_PROGRESS;
        const double *row = ploy_examples_at(common->examples, (int32_t)common->next);
        ploy_result result = learner_learn(learner, row);
        if (result != PLOY_OK) return result;
        common->next++;
    }
    return PLOY_OK;
}

ploy_result ploy_learner_train_step(ploy_learner learner, ploy_budget *budget) {
    if (learner.type == NULL) return PLOY_ERR_ARGUMENT;
    ploy_learner_common *common = learner_common(learner);
    if (!common->trains) return PLOY_OK;
    if (common->frozen) return PLOY_IN_PROGRESS; // goes on when it is thawed
    ploy_result result = learner.type->step != NULL ? learner.type->step(learner.self, budget)
                                                    : learner_observe_rows(learner, budget);
    if (result != PLOY_IN_PROGRESS) ploy_learner_train_cancel(learner);
    return result;
}

ploy_result ploy_learner_train(ploy_learner learner, const ploy_examples *examples) {
    ploy_result result = ploy_learner_train_begin(learner, examples);
    return result == PLOY_OK ? ploy_learner_train_step(learner, NULL) : result;
}

int64_t ploy_learner_train_total(ploy_learner learner) {
    if (!ploy_learner_trains(learner)) return 0;
    if (learner.type->total != NULL) return learner.type->total(learner.self);
    return ploy_examples_count(learner_common(learner)->examples);
}

bool ploy_learner_trains(ploy_learner learner) {
    return learner.type != NULL && learner_common(learner)->trains;
}

void ploy_learner_freeze(ploy_learner learner, bool frozen) {
    if (learner.type != NULL) learner_common(learner)->frozen = frozen;
}

bool ploy_learner_frozen(ploy_learner learner) {
    return learner.type != NULL && learner_common(learner)->frozen;
}

void ploy_learner_reset(ploy_learner learner) {
    if (learner.type == NULL || learner_common(learner)->frozen) return;
    ploy_learner_train_cancel(learner);
    learner.type->reset(learner.self);
    learner_common(learner)->observed = 0;
}

// ---- answers

ploy_answer ploy_learner_predict(ploy_learner learner, const double *input, double *posteriors) {
    ploy_answer answer = ploy_answer_none();
    if (learner.type == NULL || input == NULL) return answer;
    learner.type->predict(learner.self, input, posteriors, &answer);
    return answer.opinion ? answer : ploy_answer_none();
}

ploy_answer ploy_learner_choose(ploy_learner learner, const double *input, const bool *allowed,
                                double *posteriors) {
    int32_t classes = ploy_schema_classes(ploy_learner_schema(learner));
    if (posteriors == NULL || classes == 0) return ploy_answer_none();
    ploy_answer answer = ploy_learner_predict(learner, input, posteriors);
    if (!answer.opinion || allowed == NULL) return answer;
    for (int32_t i = 0; i < classes; i++) {
        if (!allowed[i]) posteriors[i] = 0.0;
    }
    if (allowed[answer.category]) return answer;
    int32_t best = ployi_argmax(posteriors, classes);
    if (!(posteriors[best] > 0.0)) return ploy_answer_none();
    answer.category = best;
    answer.confidence = posteriors[best];
    return answer;
}

int64_t ploy_learner_observed(ploy_learner learner) {
    return learner.type == NULL ? 0 : learner_common(learner)->observed;
}

int64_t ploy_learner_size(ploy_learner learner) {
    return learner.type == NULL ? 0 : learner.type->size(learner.self);
}

// ---- state

void ploy_learner_visit(ploy_visit *v, void *object) {
    ploy_learner *learner = object;
    if (learner->type == NULL) return;
    ploy_learner_common *common = learner_common(*learner);
    PLOY_VISIT_SCRATCH(v, common->env);
    PLOY_VISIT_SCRATCH(v, common->type);
    PLOY_VISIT_SCRATCH(v, common->schema);
    PLOY_VISIT_SCRATCH(v, common->examples);
    PLOY_VISIT_SCRATCH(v, common->def);
    ploy_visit_block(v, "learner.settings", common->def, common->type->fields().size);
    if (v->memory != NULL) ploy_schema_visit(v, common->schema);
    ploy_value name = ploy_value_text(learner->type->name);
    ploy_visit_same(v, "learner", PLOY_STATE, &name);
    ploy_value schema = ploy_value_u64(ploy_schema_hash(common->schema));
    ploy_visit_same(v, "schema", PLOY_STATE, &schema);
    ploy_visit_bool(v, "frozen", PLOY_STATE, &common->frozen);
    ploy_visit_i64_in(v, "observed", PLOY_STATE, &common->observed, 0, INT64_MAX);
    // Training goes on with the same table, which the caller hands to train_begin before it loads.
    ploy_value trains = ploy_value_bool(common->trains);
    ploy_visit_same(v, "trains", PLOY_STATE, &trains);
    PLOY_VISIT_SCRATCH(v, common->trains);
    ploy_value table = ploy_value_u64(ploy_examples_hash(common->examples));
    ploy_visit_same(v, "table", PLOY_STATE, &table);
    ploy_visit_i64_in(v, "next", PLOY_STATE, &common->next, 0, INT64_MAX);
    ploy_visit_begin(v, "model", PLOY_STATE);
    learner->type->visit(v, learner->self);
    ploy_visit_end(v);
}

uint64_t ploy_learner_hash(ploy_learner learner) {
    return ploy_visit_hash(ploy_learner_visit, &learner, NULL);
}

void ploy_learner_describe(ploy_learner learner, ploy_describe *out) {
    ploy_visit_describe(ploy_learner_visit, &learner, NULL, out);
}

void ploy_learner_memory(ploy_learner learner, ploy_memory_fn fn, void *user) {
    ploy_visit_memory(ploy_learner_visit, &learner, fn, user);
}

// ---- sight

void ploy_learner_explain(ploy_learner learner, const double *input, ploy_agent_id agent,
                          ploy_trace *trace) {
    if (learner.type == NULL || input == NULL || trace == NULL) return;
    const ploy_schema *schema = ploy_learner_schema(learner);
    int32_t target = ploy_schema_target(schema);
    ploy_answer answer = ploy_learner_predict(learner, input, NULL);
    ploy_trace_begin(trace, agent, ploy_schema_name_at(schema, target), learner.type->name);
    if (!answer.opinion) {
        ploy_trace_note(trace, "no opinion: nothing that applies was learned");
    } else {
        if (answer.category < 0) ploy_trace_f32(trace, "estimate", (float)answer.value);
        learner.type->explain(learner.self, input, trace);
    }
    ploy_trace_end(trace);
}

void ploy_learner_draw(ploy_learner learner, ploy_draw *out) {
    if (learner.type != NULL && out != NULL) learner.type->draw(learner.self, out);
}

void ployi_learner_explain_classes(const ploy_schema *schema, const double *posteriors,
                                   const char *reason, ploy_trace *trace) {
    int32_t classes = ploy_schema_classes(schema);
    int32_t best = ployi_argmax(posteriors, classes);
    for (int32_t i = 0; i < classes; i++) {
        ploy_trace_option(trace, ploy_schema_value_at(schema, ploy_schema_target(schema), i),
                          i == best ? PLOY_OUTCOME_WON : PLOY_OUTCOME_LOST, posteriors[i], reason);
    }
}

void ployi_learner_draw_bars(const ploy_schema *schema, const double *shares, int32_t classes,
                             ploy_draw *out) {
    float width = classes > 0 ? 100.0f / (float)classes : 100.0f;
    for (int32_t i = 0; i < classes; i++) {
        float left = (float)i * width, height = 90.0f * (float)shares[i];
        ploy_vec2 corners[4] = {ploy_vec2_make(left + 0.1f * width, 5.0f),
                                ploy_vec2_make(left + 0.9f * width, 5.0f),
                                ploy_vec2_make(left + 0.9f * width, 5.0f + height),
                                ploy_vec2_make(left + 0.1f * width, 5.0f + height)};
        ploy_draw_polygon(out, PLOY_LAYER_REGIONS, PLOY_STYLE_AGENT_A, ploy_agent_id_none(),
                          corners, 4, 0.6f);
        ploy_draw_text(out, ploy_agent_id_none(), ploy_vec2_make(left + 0.1f * width, 2.0f),
                       ploy_schema_value_at(schema, ploy_schema_target(schema), i));
    }
}
