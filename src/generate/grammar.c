// The engine of shape grammars, and strings of tokens; plans are in grammar_plan.c.
#include "ploy/generate/grammar.h"

#include "ploy/base/hash.h"
#include "ploy/base/math.h"

#include <string.h>

int32_t ploy_grammar_pick(const float *importances, int32_t count, float draw) {
    float sum = 0.0f;
    for (int32_t i = 0; i < count; i++) {
        if (importances[i] > 0.0f) sum += importances[i];
        if (sum > draw) return i;
    }
    return -1;
}

ploy_result ploy_grammar_init(ploy_grammar_work *work, const ploy_grammar_rule *rules,
                              int32_t rule_count, void *object, ploy_rng_key key,
                              int32_t max_firings, ploy_trace *trace, const ploy_env *env) {
    memset(work, 0, sizeof *work);
    if (env == NULL || rules == NULL || rule_count < 1 || max_firings < 1) return PLOY_ERR_ARGUMENT;
    work->rules = rules;
    work->rule_count = rule_count;
    work->object = object;
    work->rng = ploy_rng_from_key(key, 0);
    work->max_firings = max_firings;
    work->trace = trace;
    ploy_array_init(&work->fired, sizeof(int32_t), env);
    ploy_array_init(&work->importances, sizeof(float), env);
    return ploy_array_resize(&work->importances, rule_count);
}

void ploy_grammar_fini(ploy_grammar_work *work) {
    ploy_array_fini(&work->fired);
    ploy_array_fini(&work->importances);
}

// Reports what applied and what was drawn.
static void grammar_tell(const ploy_grammar_work *work, const float *importances, int32_t chosen) {
    if (work->trace == NULL) return;
    ploy_trace_begin(work->trace, ploy_agent_id_none(), "rule", "grammar");
    for (int32_t i = 0; i < work->rule_count; i++) {
        bool applies = importances[i] > 0.0f;
        ploy_outcome outcome = applies ? PLOY_OUTCOME_LOST : PLOY_OUTCOME_REJECTED;
        if (i == chosen) outcome = PLOY_OUTCOME_WON;
        ploy_trace_option(work->trace, work->rules[i].name, outcome, (double)importances[i],
                          applies ? "applies" : "does not apply");
    }
    ploy_trace_end(work->trace);
}

ploy_result ploy_grammar_step(ploy_grammar_work *work, ploy_budget *budget) {
    float *importances = PLOY_ARRAY_ITEMS(&work->importances, float);
    while (!work->done) {
        float sum = 0.0f;
        for (int32_t i = 0; i < work->rule_count; i++) {
            float value = work->rules[i].importance(work->rules[i].user, work->object);
            importances[i] = value > 0.0f && ploy_is_finite(value) ? value : 0.0f;
            sum += importances[i];
        }
        if (!(sum > 0.0f)) {
            work->done = true;
            break;
        }
        if (work->fired.count >= work->max_firings) {
            work->done = work->out_of_firings = true;
            break;
        }
        if (budget != NULL && !ploy_budget_spend(budget, 1)) return PLOY_IN_PROGRESS;
        int32_t chosen =
            ploy_grammar_pick(importances, work->rule_count, ploy_rng_float(&work->rng) * sum);
        for (int32_t i = work->rule_count - 1; chosen < 0 && i >= 0; i--) {
            if (importances[i] > 0.0f) chosen = i; // the product was rounded up to the sum
        }
        ploy_result result = ploy_array_push(&work->fired, &chosen);
        if (result != PLOY_OK) return result;
        grammar_tell(work, importances, chosen);
        const ploy_grammar_rule *rule = &work->rules[chosen];
        result = rule->fire(rule->user, work->object, &work->rng);
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

// ---- tokens

struct ploy_tokens {
    ploy_env env;
    ploy_array nodes; // ploy_token: all of them
    ploy_array live;  // int32_t: those that are present, in order
};

ploy_result ploy_tokens_create(int32_t axiom, const ploy_env *env, ploy_tokens **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_tokens *tokens = ploy_env_alloc_zero(env, sizeof *tokens);
    if (tokens == NULL) return PLOY_ERR_MEMORY;
    tokens->env = *env;
    ploy_array_init(&tokens->nodes, sizeof(ploy_token), env);
    ploy_array_init(&tokens->live, sizeof(int32_t), env);
    ploy_token *node = ploy_array_add(&tokens->nodes);
    int32_t first = 0;
    if (node == NULL || ploy_array_push(&tokens->live, &first) != PLOY_OK) {
        ploy_tokens_destroy(tokens);
        return PLOY_ERR_MEMORY;
    }
    node->symbol = axiom;
    node->rule = -1;
    node->present = true;
    *out = tokens;
    return PLOY_OK;
}

ploy_result ploy_tokens_copy(const ploy_tokens *tokens, const ploy_env *env, ploy_tokens **out) {
    ploy_tokens *copy = NULL;
    ploy_result result = ploy_tokens_create(0, env, &copy);
    *out = NULL;
    if (result != PLOY_OK) return result;
    ploy_array_clear(&copy->nodes);
    ploy_array_clear(&copy->live);
    result = ploy_array_push_many(&copy->nodes, tokens->nodes.items, tokens->nodes.count);
    if (result == PLOY_OK && tokens->live.count > 0) {
        result = ploy_array_push_many(&copy->live, tokens->live.items, tokens->live.count);
    }
    if (result != PLOY_OK) {
        ploy_tokens_destroy(copy);
        return result;
    }
    *out = copy;
    return PLOY_OK;
}

void ploy_tokens_destroy(ploy_tokens *tokens) {
    if (tokens == NULL) return;
    ploy_env env = tokens->env;
    ploy_array_fini(&tokens->nodes);
    ploy_array_fini(&tokens->live);
    ploy_env_free(&env, tokens, sizeof *tokens);
}

int32_t ploy_tokens_count(const ploy_tokens *tokens) {
    return tokens->live.count;
}

int32_t ploy_tokens_at(const ploy_tokens *tokens, int32_t index) {
    const int32_t *at = ploy_array_at(&tokens->live, index);
    return at == NULL ? -1 : *at;
}

const ploy_token *ploy_tokens_derivation(const ploy_tokens *tokens, int32_t *count) {
    *count = tokens->nodes.count;
    return PLOY_ARRAY_ITEMS(&tokens->nodes, ploy_token);
}

// Place among the present tokens of the first with this symbol, other than `but`; -1: none.
static int32_t grammar_find_token(const ploy_tokens *tokens, int32_t symbol, int32_t but) {
    const ploy_token *nodes = PLOY_ARRAY_ITEMS(&tokens->nodes, ploy_token);
    for (int32_t i = 0; i < tokens->live.count; i++) {
        int32_t node = PLOY_ARRAY_ITEMS(&tokens->live, int32_t)[i];
        if (i != but && nodes[node].symbol == symbol) return i;
    }
    return -1;
}

static float grammar_token_importance(void *user, const void *object) {
    const ploy_token_rule *rule = user;
    int32_t at = grammar_find_token(object, rule->target, -1);
    if (at < 0) return 0.0f;
    for (int32_t i = 0; i < rule->need_count; i++) {
        if (grammar_find_token(object, rule->needs[i], at) < 0) return 0.0f;
    }
    return rule->weight;
}

static ploy_result grammar_token_fire(void *user, void *object, ploy_rng *rng) {
    const ploy_token_rule *rule = user;
    ploy_tokens *tokens = object;
    (void)rng;
    int32_t at = grammar_find_token(tokens, rule->target, -1);
    if (at < 0) return PLOY_ERR_STATE;
    int32_t parents[PLOY_TOKEN_RESULTS + 1], count = 1;
    parents[0] = PLOY_ARRAY_ITEMS(&tokens->live, int32_t)[at];
    for (int32_t i = 0; i < rule->need_count; i++) {
        int32_t need = grammar_find_token(tokens, rule->needs[i], at);
        if (need < 0) return PLOY_ERR_STATE;
        parents[count++] = PLOY_ARRAY_ITEMS(&tokens->live, int32_t)[need];
    }
    ploy_result result =
        ploy_array_reserve(&tokens->nodes, tokens->nodes.count + rule->result_count);
    if (result == PLOY_OK) {
        result = ploy_array_reserve(&tokens->live, tokens->live.count + rule->result_count);
    }
    if (result != PLOY_OK)
        return result; // nothing below can fail, so the object is never half changed
    PLOY_ARRAY_ITEMS(&tokens->nodes, ploy_token)[parents[0]].present = false;
    ploy_array_remove(&tokens->live, at);
    for (int32_t i = 0; i < rule->result_count; i++) {
        ploy_token *node = ploy_array_add(&tokens->nodes);
        node->symbol = rule->results[i];
        node->rule = rule->number;
        node->parent_count = count;
        memcpy(node->parents, parents, (size_t)count * sizeof parents[0]);
        node->present = true;
        int32_t number = tokens->nodes.count - 1;
        ploy_array_insert(&tokens->live, at + i, &number);
    }
    return PLOY_OK;
}

void ploy_token_rules(ploy_token_rule *rules, int32_t count, ploy_grammar_rule *out) {
    for (int32_t i = 0; i < count; i++) {
        rules[i].number = i;
        out[i].name = rules[i].name;
        out[i].importance = grammar_token_importance;
        out[i].fire = grammar_token_fire;
        out[i].complete = NULL;
        out[i].cost = rules[i].cost;
        out[i].user = &rules[i];
    }
}

static ploy_result grammar_tokens_clone(void *user, const void *object, const ploy_env *env,
                                        void **out) {
    (void)user;
    ploy_tokens *copy = NULL;
    ploy_result result = ploy_tokens_copy(object, env, &copy);
    *out = copy;
    return result;
}

static void grammar_tokens_destroy(void *user, void *object) {
    (void)user;
    ploy_tokens_destroy(object);
}

// The present symbols in order; how they came about does not matter to what may follow.
static uint64_t grammar_tokens_hash(void *user, const void *object) {
    const ploy_tokens *tokens = object;
    const ploy_token *nodes = PLOY_ARRAY_ITEMS(&tokens->nodes, ploy_token);
    uint64_t hash = (uint64_t)tokens->live.count;
    (void)user;
    for (int32_t i = 0; i < tokens->live.count; i++) {
        int32_t node = PLOY_ARRAY_ITEMS(&tokens->live, int32_t)[i];
        hash = ploy_hash_combine(hash, (uint64_t)(int64_t)nodes[node].symbol);
    }
    return hash;
}

ploy_grammar_object ploy_tokens_object(void) {
    ploy_grammar_object calls = {grammar_tokens_clone, grammar_tokens_destroy, grammar_tokens_hash,
                                 NULL, NULL};
    return calls;
}
