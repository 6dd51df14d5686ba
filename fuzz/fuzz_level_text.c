// Any bytes as a level's text: it loads whole or not at all, and what loads can be built, staged,
// planned with and saved. Its points become a set or have a fault.
#include <stdint.h>
#include <stdlib.h>

#include "ploy/data/level_build.h"
#include "ploy/data/level_offers.h"
#include "ploy/data/staging.h"

static void must(bool ok) {
    if (!ok) abort();
}

static void try_points(const ploy_level *level, const char *text, size_t size, ploy_env *env,
                       ploy_diags *diags) {
    ploy_tactical_points_def def = ploy_tactical_points_def_default();
    ploy_tactical_points *points = NULL;
    def.capacity = 64;
    int64_t before = ploy_diags_total(diags, PLOY_SEVERITY_ERROR);
    must(ploy_tactical_points_create(&def, env, &points) == PLOY_OK);
    ploy_result result = ploy_level_text_points(level, text, size, "fuzz", diags, points);
    must(result == PLOY_OK || ploy_diags_total(diags, PLOY_SEVERITY_ERROR) > before);
    ploy_tactical_points_destroy(points);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    ploy_env env = ploy_env_default();
    env.log = NULL;
    ploy_diags *diags = NULL;
    ploy_buffer block;
    ploy_level level;
    ploy_level_def def = ploy_level_def_default();
    def.limit = 200;
    def.points = false;
    ploy_buffer_init(&block, 0, &env);
    must(ploy_diags_create(4, &env, &diags) == PLOY_OK);
    ploy_result result =
        ploy_level_from_text((const char *)bytes, size, "fuzz", &env, diags, &block, &level);
    must(result == PLOY_OK || ploy_diags_total(diags, PLOY_SEVERITY_ERROR) > 0);
    if (result == PLOY_OK) {
        ploy_level_build *build = NULL;
        ploy_staging *staging = NULL;
        ploy_goap_type *domain = NULL;
        for (int32_t i = 0; i < level.object_count; i++) {
            must(ploy_level_text_line((const char *)bytes, size, i) > 0);
        }
        if (level.object_count <= 64 &&
            ploy_level_build_create(&def, &level, NULL, &env, &build) == PLOY_OK) {
            ploy_buffer saved;
            ploy_buffer_init(&saved, 0, &env);
            ploy_writer writer = ploy_buffer_writer(&saved);
            must(ploy_level_build_save(build, &writer) == PLOY_OK);
            must(ploy_level_open(saved.bytes, saved.size, &level) == PLOY_OK);
            ploy_level_build_destroy(build);
            ploy_buffer_fini(&saved);
            must(ploy_level_open(block.bytes, block.size, &level) == PLOY_OK);
        }
        try_points(&level, (const char *)bytes, size, &env, diags);
        if (ploy_staging_create(&level, NULL, &env, diags, &staging) == PLOY_OK) {
            must(ploy_staging_step(staging, 0.0, NULL, NULL, NULL, NULL) == PLOY_OK);
        }
        (void)ploy_level_offers_domain(&level, &env, diags, &domain);
        ploy_goap_type_destroy(domain);
        ploy_staging_destroy(staging);
    }
    ploy_buffer_fini(&block);
    ploy_diags_destroy(diags);
    return 0;
}
