// Any bytes as an FCL file, and as a table: what loads can be evaluated, linted and written as FLL,
// which reads back.
#include <stdint.h>
#include <stdlib.h>

#include "ploy/data/fuzzy_file.h"

static void must(bool condition) {
    if (!condition) abort();
}

static void check_type(const ploy_fuzzy_type *type) {
    ploy_env env = ploy_env_default();
    ploy_buffer text;
    ploy_fuzzy_type *again = NULL;
    ploy_fuzzy *fuzzy = NULL;
    ploy_buffer_init(&text, 0, &env);
    ploy_writer writer = ploy_buffer_writer(&text);
    must(ploy_fll_save(type, &writer) == PLOY_OK);
    must(ploy_fll_load(text.bytes, text.size, "again", &env, NULL, &again) == PLOY_OK);
    must(ploy_fuzzy_create(type, &env, &fuzzy) == PLOY_OK);
    for (int32_t k = 0; k < ploy_fuzzy_type_inputs(type); k++) ploy_fuzzy_set_input(fuzzy, k, 0.5);
    ploy_fuzzy_step(fuzzy, NULL);
    (void)ploy_fuzzy_type_lint(type, 8, 0.01, NULL);
    ploy_fuzzy_destroy(fuzzy);
    ploy_fuzzy_type_destroy(again);
    ploy_buffer_fini(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    ploy_env env = ploy_env_default();
    ploy_diags *diags = NULL;
    must(ploy_diags_create(8, &env, &diags) == PLOY_OK);
    ploy_fuzzy_type *type = NULL;
    ploy_result result = ploy_fcl_load(data, size, "fuzz", NULL, 32, &env, diags, &type);
    must((result == PLOY_OK) == (type != NULL));
    must((result == PLOY_OK) == (ploy_diags_total(diags, PLOY_SEVERITY_ERROR) == 0));
    if (type != NULL) check_type(type);
    ploy_fuzzy_type_destroy(type);
    ploy_diags_destroy(diags);
    ploy_fld *table = NULL;
    result = ploy_fld_load(data, size, "fuzz", &env, NULL, &table);
    must((result == PLOY_OK) == (table != NULL));
    ploy_fld_destroy(table);
    return 0;
}
