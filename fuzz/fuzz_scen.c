// Any bytes as a MovingAI scenario: what loads is written and read again, to the same problems.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "ploy/data/movingai.h"

static void must(bool condition) {
    if (!condition) abort();
}

static bool same(const ploy_movingai_problem *a, const ploy_movingai_problem *b) {
    return strcmp(a->map, b->map) == 0 && a->bucket == b->bucket && a->width == b->width &&
           a->height == b->height && a->start_x == b->start_x && a->start_y == b->start_y &&
           a->goal_x == b->goal_x && a->goal_y == b->goal_y && a->length == b->length;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    ploy_env env = ploy_env_default();
    ploy_diags *diags = NULL;
    must(ploy_diags_create(8, &env, &diags) == PLOY_OK);
    ploy_movingai_scenario *first = NULL, *second = NULL;
    ploy_result result = ploy_movingai_load_scenario(data, size, "fuzz", &env, diags, &first);
    must((result == PLOY_OK) == (first != NULL));
    must((result == PLOY_OK) == (ploy_diags_total(diags, PLOY_SEVERITY_DEBUG) == 0));
    if (first != NULL) {
        ploy_buffer buffer;
        ploy_buffer_init(&buffer, 0, &env);
        ploy_writer writer = ploy_buffer_writer(&buffer);
        ploy_movingai_save_version(&writer);
        int32_t count = ploy_movingai_scenario_count(first);
        bool writable = true; // a name may hold a lone carriage return, which is not written
        for (int32_t i = 0; i < count; i++) {
            result = ploy_movingai_save_problem(ploy_movingai_scenario_get(first, i), &writer);
            writable = writable && result == PLOY_OK;
        }
        if (writable) {
            must(ploy_movingai_load_scenario(buffer.bytes, buffer.size, "again", &env, diags,
                                             &second) == PLOY_OK);
            must(ploy_movingai_scenario_count(second) == count);
            for (int32_t i = 0; i < count; i++) {
                must(same(ploy_movingai_scenario_get(first, i),
                          ploy_movingai_scenario_get(second, i)));
            }
        }
        ploy_movingai_scenario_check(first, 64, 64, "fuzz", diags);
        ploy_buffer_fini(&buffer);
    }
    ploy_movingai_scenario_destroy(first);
    ploy_movingai_scenario_destroy(second);
    ploy_diags_destroy(diags);
    return 0;
}
