// Text rules of automata: whatever is read must run on a small grid, and a fault must have a column within
// the text.
#include <stdlib.h>
#include <string.h>

#include "ploy/geom/automaton.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char text[256];
    if (size >= sizeof text) return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    ploy_env env = ploy_env_default();
    ploy_diags *diags = NULL;
    if (ploy_diags_create(2, &env, &diags) != PLOY_OK) return 0;
    ploy_automaton_rule rule;
    if (ploy_automaton_rule_text(text, diags, &rule) != PLOY_OK) {
        int32_t column = ploy_diags_get(diags, 0)->column;
        if (column < 1 || (size_t)column > strlen(text) + 1) abort();
        ploy_diags_destroy(diags);
        return 0;
    }
    ploy_diags_destroy(diags);
    ploy_automaton_def def = ploy_automaton_def_default();
    def.width = 70;
    def.height = 20;
    def.border = PLOY_AUTOMATON_TORUS;
    ploy_automaton *automaton = NULL;
    if (ploy_automaton_create(&def, &env, &automaton) != PLOY_OK) return 0;
    for (int32_t i = 0; i < 70; i++) ploy_automaton_set(automaton, i, i % 20, 1);
    for (int32_t i = 0; i < 4; i++) {
        if (ploy_automaton_step(automaton, &rule, NULL) != PLOY_OK) abort();
    }
    ploy_automaton_destroy(automaton);
    return 0;
}
