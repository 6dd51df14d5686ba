// Any text as an expression: what reads gets types, binds and runs, and the same text gives the
// same value twice.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "ploy/decide/expression.h"

static void must(bool condition) {
    if (!condition) abort();
}

// Binds the names to keys of their inferred types, numbers where nothing is known, and runs it.
static void run(ploy_expression *expression) {
    ploy_env env = ploy_env_default();
    ploy_blackboard_key keys[PLOY_EXPRESSION_NAMES_MAX];
    ploy_value_type types[PLOY_EXPRESSION_NAMES_MAX] = {PLOY_VALUE_NONE};
    int32_t count = ploy_expression_name_count(expression);
    while (ploy_expression_infer(expression, types)) {
    }
    memset(keys, 0, sizeof keys);
    for (int32_t i = 0; i < count; i++) {
        ploy_expression_use use;
        must(ploy_expression_name(expression, i, &use));
        if (types[i] == PLOY_VALUE_NONE) types[i] = PLOY_VALUE_F64;
        keys[i].name = use.name;
        keys[i].type = types[i];
    }
    ploy_blackboard_layout *layout = NULL;
    ploy_blackboard *first = NULL, *second = NULL;
    if (ploy_blackboard_layout_create(keys, count, "fuzz", &env, NULL, &layout) == PLOY_OK &&
        ploy_expression_bind_layout(expression, layout, NULL) == PLOY_OK) {
        must(ploy_blackboard_create(layout, &env, &first) == PLOY_OK);
        must(ploy_blackboard_create(layout, &env, &second) == PLOY_OK);
        ploy_expression_value a, b;
        memset(&a, 0, sizeof a);
        memset(&b, 0, sizeof b);
        ploy_result result = ploy_expression_run_on(expression, first, &a);
        must(result == ploy_expression_run_on(expression, second, &b));
        must(a.is_text == b.is_text && memcmp(&a.number, &b.number, sizeof a.number) == 0);
        must(strcmp(a.text, b.text) == 0 && strlen(a.text) <= PLOY_BLACKBOARD_TEXT_MAX);
    }
    ploy_blackboard_destroy(first);
    ploy_blackboard_destroy(second);
    ploy_blackboard_layout_destroy(layout);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const ploy_expression_constant constants[] = {{"RED", 1}, {"BLUE", 2}};
    ploy_env env = ploy_env_default();
    char *text = malloc(size + 1);
    ploy_diags *diags = NULL;
    ploy_expression *expression = NULL;
    must(text != NULL && ploy_diags_create(4, &env, &diags) == PLOY_OK);
    if (size > 0) memcpy(text, data, size);
    text[size] = 0;
    ploy_result result =
        ploy_expression_create(text, "fuzz", 1, 1, constants, 2, &env, diags, &expression);
    must((result == PLOY_OK) == (expression != NULL));
    must((result == PLOY_OK) == (ploy_diags_total(diags, PLOY_SEVERITY_ERROR) == 0));
    if (expression != NULL) {
        must(strcmp(ploy_expression_text(expression), text) == 0);
        run(expression);
    }
    ploy_expression_destroy(expression);
    ploy_diags_destroy(diags);
    free(text);
    return 0;
}
