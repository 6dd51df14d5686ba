// Any bytes as an FLL file: what loads is written and read again to the same text, and evaluates to
// the same numbers.
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "ploy/data/fuzzy_file.h"

static void must(bool condition) {
    if (!condition) abort();
}

static void save(const ploy_fuzzy_type *type, ploy_buffer *out) {
    ploy_writer writer = ploy_buffer_writer(out);
    must(ploy_fll_save(type, &writer) == PLOY_OK);
}

static void check_type(const ploy_fuzzy_type *type) {
    ploy_env env = ploy_env_default();
    ploy_buffer first, second;
    ploy_fuzzy_type *again = NULL;
    ploy_fuzzy *a = NULL, *b = NULL;
    ploy_buffer_init(&first, 0, &env);
    ploy_buffer_init(&second, 0, &env);
    save(type, &first);
    must(ploy_fll_load(first.bytes, first.size, "again", &env, NULL, &again) == PLOY_OK);
    save(again, &second);
    must(first.size == second.size && memcmp(first.bytes, second.bytes, first.size) == 0);
    must(ploy_fuzzy_create(type, &env, &a) == PLOY_OK);
    must(ploy_fuzzy_create(again, &env, &b) == PLOY_OK);
    for (int32_t i = 0; i < 3; i++) {
        for (int32_t k = 0; k < ploy_fuzzy_type_inputs(type); k++) {
            ploy_fuzzy_set_input(a, k, 0.7 * i - 0.5 * k);
            ploy_fuzzy_set_input(b, k, 0.7 * i - 0.5 * k);
        }
        ploy_fuzzy_step(a, NULL);
        ploy_fuzzy_step(b, NULL);
        for (int32_t k = 0; k < ploy_fuzzy_type_outputs(type); k++) {
            double x = ploy_fuzzy_output(a, k), y = ploy_fuzzy_output(b, k);
            must(x == y || (isnan(x) && isnan(y)));
        }
    }
    (void)ploy_fuzzy_type_lint(type, 8, 0.01, NULL);
    ploy_fuzzy_destroy(a);
    ploy_fuzzy_destroy(b);
    ploy_fuzzy_type_destroy(again);
    ploy_buffer_fini(&first);
    ploy_buffer_fini(&second);
}

// Most samples that one input may ask for in all, so that a run stays short.
static bool is_small(const ploy_fuzzy_type *type) {
    int64_t samples = 0;
    for (int32_t i = 0; i < ploy_fuzzy_type_outputs(type); i++) {
        samples += ploy_fuzzy_type_variable(type, PLOY_FUZZY_OUTPUT + i)->samples;
    }
    return samples < 20000;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    ploy_env env = ploy_env_default();
    ploy_diags *diags = NULL;
    must(ploy_diags_create(8, &env, &diags) == PLOY_OK);
    ploy_fuzzy_type *type = NULL;
    ploy_result result = ploy_fll_load(data, size, "fuzz", &env, diags, &type);
    must((result == PLOY_OK) == (type != NULL));
    must((result == PLOY_OK) == (ploy_diags_total(diags, PLOY_SEVERITY_ERROR) == 0));
    if (type != NULL && is_small(type)) check_type(type);
    ploy_fuzzy_type_destroy(type);
    ploy_diags_destroy(diags);
    return 0;
}
