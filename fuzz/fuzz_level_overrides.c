// Any bytes as overrides: they load whole or not at all, and what loads is applied to a small level.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "ploy/data/level_build.h"

static void must(bool ok) {
    if (!ok) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    static const char text[] = "wall 0 0 4 0\nwall 4 0 4 4\nwall 4 4 0 4\nwall 0 4 0 0\nspawn 1 1\n"
                               "object gate box 2 2 locked=1\nobject p point 1 1 cover=1\n";
    ploy_env env = ploy_env_default();
    env.log = NULL;
    ploy_level_overrides *overrides = NULL;
    ploy_level_build *build = NULL;
    ploy_buffer block, saved;
    ploy_level level;
    ploy_level_def def = ploy_level_def_default();
    def.points = false;
    def.spacing = 1.0f;
    ploy_buffer_init(&block, 0, &env);
    ploy_buffer_init(&saved, 0, &env);
    ploy_writer writer = ploy_buffer_writer(&saved);
    ploy_result result =
        ploy_level_overrides_load((const char *)bytes, size, "fuzz", &env, NULL, &overrides);
    must((result == PLOY_OK) == (overrides != NULL));
    if (result == PLOY_OK && ploy_level_overrides_count(overrides) <= 200) {
        must(ploy_level_from_text(text, strlen(text), "room", &env, NULL, &block, &level) ==
             PLOY_OK);
        must(ploy_level_build_create(&def, &level, overrides, &env, &build) == PLOY_OK);
        must(ploy_level_build_save(build, &writer) == PLOY_OK);
        must(ploy_level_open(saved.bytes, saved.size, &level) == PLOY_OK);
    }
    ploy_level_build_destroy(build);
    ploy_level_overrides_destroy(overrides);
    ploy_buffer_fini(&saved);
    ploy_buffer_fini(&block);
    return 0;
}
