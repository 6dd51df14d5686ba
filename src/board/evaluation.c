// Evaluation graphs.
//
// Invariants: (1) a node's inputs are nodes before it; (2) values are within 2^31 because each node clamps.
#include "ploy/board/evaluation.h"

#include "ploy/base/array.h"

enum { EVALUATION_NODES = 256 };

typedef enum evaluation_kind {
    EVALUATION_COMPONENT,
    EVALUATION_PATTERN,
    EVALUATION_CONSTANT,
    EVALUATION_CURVE,
    EVALUATION_SUM,
    EVALUATION_PRODUCT,
    EVALUATION_CLAMP
} evaluation_kind;

typedef struct evaluation_node {
    evaluation_kind kind;
    const char *name;
    ploy_board_component component;
    ploy_board_pattern pattern;
    int32_t first, count; // points or terms
    int32_t a, b;         // inputs of a product
    int32_t low, high;    // of a clamp; low is a constant's value
} evaluation_node;

struct ploy_board_evaluation {
    ploy_env env;
    int32_t (*phase)(const void *rules, const void *position);
    ploy_array nodes;  // evaluation_node
    ploy_array points; // ploy_board_curve_point
    ploy_array terms;  // ploy_board_term
};

ploy_result ploy_board_evaluation_create(int32_t (*phase)(const void *rules, const void *position),
                                         const ploy_env *env, ploy_board_evaluation **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_board_evaluation *e = ploy_env_alloc_zero(env, sizeof *e);
    if (e == NULL) return PLOY_ERR_MEMORY;
    e->env = *env;
    e->phase = phase;
    ploy_array_init(&e->nodes, sizeof(evaluation_node), env);
    ploy_array_init(&e->points, sizeof(ploy_board_curve_point), env);
    ploy_array_init(&e->terms, sizeof(ploy_board_term), env);
    *out = e;
    return PLOY_OK;
}

void ploy_board_evaluation_destroy(ploy_board_evaluation *evaluation) {
    if (evaluation == NULL) return;
    ploy_env env = evaluation->env;
    ploy_array_fini(&evaluation->nodes);
    ploy_array_fini(&evaluation->points);
    ploy_array_fini(&evaluation->terms);
    ploy_env_free(&env, evaluation, sizeof *evaluation);
}

static bool evaluation_has(const ploy_board_evaluation *e, int32_t node) {
    return node >= 0 && node < e->nodes.count;
}

static ploy_result evaluation_add(ploy_board_evaluation *e, const evaluation_node *node,
                                  int32_t *out) {
    if (e->nodes.count >= EVALUATION_NODES) return PLOY_ERR_CAPACITY;
    ploy_result result = ploy_array_push(&e->nodes, node);
    if (result == PLOY_OK && out != NULL) *out = e->nodes.count - 1;
    return result;
}

ploy_result ploy_board_evaluation_component(ploy_board_evaluation *e,
                                            const ploy_board_component *component, int32_t *node) {
    if (component == NULL || component->value == NULL) return PLOY_ERR_ARGUMENT;
    evaluation_node n = {.kind = EVALUATION_COMPONENT, .name = component->name};
    n.component = *component;
    return evaluation_add(e, &n, node);
}

ploy_result ploy_board_evaluation_pattern(ploy_board_evaluation *e,
                                          const ploy_board_pattern *pattern, int32_t *node) {
    if (pattern == NULL || pattern->cell == NULL || pattern->list == NULL ||
        pattern->table == NULL || pattern->squares < 1 || pattern->squares > 10 ||
        pattern->parts < 1) {
        return PLOY_ERR_ARGUMENT;
    }
    evaluation_node n = {.kind = EVALUATION_PATTERN, .name = pattern->name};
    n.pattern = *pattern;
    return evaluation_add(e, &n, node);
}

ploy_result ploy_board_evaluation_constant(ploy_board_evaluation *e, const char *name,
                                           int32_t value, int32_t *node) {
    evaluation_node n = {.kind = EVALUATION_CONSTANT, .name = name, .low = value};
    return evaluation_add(e, &n, node);
}

ploy_result ploy_board_evaluation_curve(ploy_board_evaluation *e, const char *name,
                                        const ploy_board_curve_point *points, int32_t count,
                                        int32_t *node) {
    if (points == NULL || count < 1) return PLOY_ERR_ARGUMENT;
    for (int32_t i = 1; i < count; i++) {
        if (points[i].phase <= points[i - 1].phase) return PLOY_ERR_ARGUMENT;
    }
    evaluation_node n = {.kind = EVALUATION_CURVE, .name = name, .first = e->points.count};
    n.count = count;
    ploy_result result = ploy_array_push_many(&e->points, points, count);
    return result == PLOY_OK ? evaluation_add(e, &n, node) : result;
}

ploy_result ploy_board_evaluation_sum(ploy_board_evaluation *e, const char *name,
                                      const ploy_board_term *terms, int32_t count, int32_t *node) {
    if (terms == NULL || count < 1) return PLOY_ERR_ARGUMENT;
    for (int32_t i = 0; i < count; i++) {
        if (!evaluation_has(e, terms[i].node)) return PLOY_ERR_ARGUMENT; // keeps (1)
    }
    evaluation_node n = {.kind = EVALUATION_SUM, .name = name, .first = e->terms.count};
    n.count = count;
    ploy_result result = ploy_array_push_many(&e->terms, terms, count);
    return result == PLOY_OK ? evaluation_add(e, &n, node) : result;
}

ploy_result ploy_board_evaluation_product(ploy_board_evaluation *e, const char *name, int32_t a,
                                          int32_t b, int32_t *node) {
    if (!evaluation_has(e, a) || !evaluation_has(e, b)) return PLOY_ERR_ARGUMENT;
    evaluation_node n = {.kind = EVALUATION_PRODUCT, .name = name, .a = a, .b = b};
    return evaluation_add(e, &n, node);
}

ploy_result ploy_board_evaluation_clamp(ploy_board_evaluation *e, const char *name, int32_t a,
                                        int32_t low, int32_t high, int32_t *node) {
    if (!evaluation_has(e, a) || low > high) return PLOY_ERR_ARGUMENT;
    evaluation_node n = {.kind = EVALUATION_CLAMP, .name = name, .a = a, .low = low, .high = high};
    return evaluation_add(e, &n, node);
}

static int64_t evaluation_pattern_value(const ploy_board_pattern *p, const void *rules,
                                        const void *position, int32_t player) {
    int64_t sum = 0;
    for (int32_t part = 0; part < p->parts; part++) {
        int32_t code = 0;
        for (int32_t i = 0; i < p->squares; i++) {
            code = code * 3 + p->cell(rules, position, player, p->list[part * p->squares + i]);
        }
        sum += p->table[code];
    }
    return sum;
}

static int64_t evaluation_curve_value(const ploy_board_evaluation *e, const evaluation_node *node,
                                      int32_t phase) {
    const ploy_board_curve_point *points =
        PLOY_ARRAY_ITEMS(&e->points, ploy_board_curve_point) + node->first;
    if (phase <= points[0].phase) return points[0].value;
    for (int32_t i = 1; i < node->count; i++) {
        if (phase > points[i].phase) continue;
        int64_t rise = (int64_t)points[i].value - points[i - 1].value;
        return points[i - 1].value +
               rise * (phase - points[i - 1].phase) / (points[i].phase - points[i - 1].phase);
    }
    return points[node->count - 1].value;
}

static int64_t evaluation_value(const ploy_board_evaluation *e, const evaluation_node *node,
                                const int32_t *values, int32_t phase, const void *rules,
                                const void *position, int32_t player) {
    int64_t sum = 0;
    switch (node->kind) {
    case EVALUATION_COMPONENT: return node->component.value(rules, position, player);
    case EVALUATION_PATTERN:
        return evaluation_pattern_value(&node->pattern, rules, position, player);
    case EVALUATION_CONSTANT: return node->low;
    case EVALUATION_CURVE: return evaluation_curve_value(e, node, phase);
    case EVALUATION_PRODUCT:
        return (int64_t)values[node->a] * values[node->b] / PLOY_BOARD_THOUSAND;
    case EVALUATION_CLAMP:
        return values[node->a] < node->low    ? node->low
               : values[node->a] > node->high ? node->high
                                              : values[node->a];
    case EVALUATION_SUM:
        for (int32_t i = 0; i < node->count; i++) {
            const ploy_board_term *term =
                PLOY_ARRAY_AT(&e->terms, ploy_board_term, node->first + i);
            sum += (int64_t)values[term->node] * term->weight;
        }
        return sum / PLOY_BOARD_THOUSAND;
    }
    return 0;
}

int32_t ploy_board_evaluation_explain(const ploy_board_evaluation *e, const void *rules,
                                      const void *position, int32_t player, ploy_board_part_fn fn,
                                      void *user) {
    int32_t values[EVALUATION_NODES];
    int32_t phase = e->phase != NULL ? e->phase(rules, position) : 0;
    for (int32_t i = 0; i < e->nodes.count; i++) {
        const evaluation_node *node = PLOY_ARRAY_AT(&e->nodes, evaluation_node, i);
        int64_t value = evaluation_value(e, node, values, phase, rules, position, player);
        if (value > INT32_MAX) value = INT32_MAX; // keeps (2)
        if (value < -INT32_MAX) value = -INT32_MAX;
        values[i] = (int32_t)value;
        if (fn != NULL) fn(user, node->name, values[i]);
    }
    if (e->nodes.count == 0) return 0;
    int32_t score = values[e->nodes.count - 1];
    if (score >= PLOY_BOARD_EVALUATION) return PLOY_BOARD_EVALUATION - 1;
    return score <= -PLOY_BOARD_EVALUATION ? 1 - PLOY_BOARD_EVALUATION : score;
}

int32_t ploy_board_evaluation_score(const ploy_board_evaluation *evaluation, const void *rules,
                                    const void *position, int32_t player) {
    return ploy_board_evaluation_explain(evaluation, rules, position, player, NULL, NULL);
}
