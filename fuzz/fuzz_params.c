// Any bytes as a parameter file: it sets all it names or nothing, and what it sets is within the
// table's ranges and is the same after saving and loading.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "ploy/base/fields_text.h"
#include "ploy/move/flock.h"

static void must(bool condition) {
    if (!condition) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    ploy_env env = ploy_env_default();
    ploy_flock_def def = ploy_flock_def_default(), before = def, back = def;
    ploy_diags *diags = NULL;
    must(ploy_diags_create(4, &env, &diags) == PLOY_OK);
    ploy_result result = ploy_fields_load_text(ploy_flock_fields(), &def, bytes, size, "f", diags);
    must((result == PLOY_OK) == (ploy_diags_count(diags) == 0));
    must(ploy_fields_check(ploy_flock_fields(), &def, NULL) == PLOY_OK);
    if (result != PLOY_OK) must(memcmp(&def, &before, sizeof def) == 0);
    ploy_buffer buffer;
    ploy_buffer_init(&buffer, 0, &env);
    ploy_writer writer = ploy_buffer_writer(&buffer);
    ploy_fields_save_text(ploy_flock_fields(), &def, &writer);
    must(ploy_fields_load_text(ploy_flock_fields(), &back, ploy_buffer_text(&buffer), buffer.size,
                               "f", NULL) == PLOY_OK);
    must(memcmp(&back, &def, sizeof def) == 0);
    ploy_buffer_fini(&buffer);
    ploy_diags_destroy(diags);
    return 0;
}
