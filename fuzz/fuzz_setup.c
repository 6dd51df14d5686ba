// Any bytes as a set-up file: it loads whole or not at all, what loads can run, and whatever was
// made is destroyed exactly once.
#include <stdint.h>

#include "fuzz/walk_def.h"
#include "ploy/exec/setup.h"

static void fuzz_destroy(void *self) {
    (*(int64_t *)self)--;
}

static const ploy_behavior_type fuzz_type = {
    .name = "fuzz", .step = fuzz_step, .destroy = fuzz_destroy};

static ploy_result fuzz_make(void *user, const void *params, const ploy_setup_character *who,
                             const ploy_env *env, ploy_behavior *out) {
    (void)env;
    const fuzz_walk_def *walk = params;
    must(who->name[0] != '\0');
    if (walk != NULL) must(walk->speed >= 0.0f && walk->speed <= 10.0f && walk->legs >= 1);
    (*(int64_t *)user)++;
    out->type = &fuzz_type;
    out->self = user;
    return PLOY_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    static const ploy_blackboard_key keys[] = {
        {"health", PLOY_VALUE_F32, {0}, NULL}, {"alert", PLOY_VALUE_BOOL, {0}, NULL},
        {"post", PLOY_VALUE_VEC2, {0}, NULL},  {"rank", PLOY_VALUE_NAME, {0}, NULL},
        {"kills", PLOY_VALUE_I64, {0}, NULL},  {"friend", PLOY_VALUE_ID, {0}, NULL},
    };
    ploy_env env = ploy_env_default();
    ploy_blackboard_layout *layout = NULL;
    must(ploy_blackboard_layout_create(keys, 6, "soldier", &env, NULL, &layout) == PLOY_OK);
    int64_t alive = 0;
    ploy_setup_kind kinds[2] = {{"walk", fuzz_walk_fields, fuzz_make, &alive},
                                {"bark", NULL, fuzz_make, &alive}};
    ploy_setup_layout layouts[1] = {{"soldier", layout}};
    ploy_setup_source source = {kinds, 2, layouts, 1, 0};
    ploy_engine_def def = ploy_engine_def_default();
    def.scratch_kib = 1;
    ploy_engine *engine = NULL;
    must(ploy_engine_create(&def, &env, &engine) == PLOY_OK);
    ploy_diags *diags = NULL;
    must(ploy_diags_create(4, &env, &diags) == PLOY_OK);
    ploy_setup *setup = NULL;
    ploy_result result = ploy_setup_load(bytes, size, "fuzz", &source, engine, &env, diags, &setup);
    must((result == PLOY_OK) == (setup != NULL));
    must(ploy_engine_count(engine) == alive);
    if (result == PLOY_OK) {
        for (int32_t i = 0; i < ploy_setup_count(setup); i++) {
            const ploy_setup_character *who = ploy_setup_at(setup, i);
            must(ploy_setup_find(setup, who->name) == who);
        }
        for (int32_t i = 0; i < 3; i++) {
            must(ploy_engine_step(engine, 0.1f, NULL, NULL) == PLOY_OK);
        }
        if (size % 2 == 0) ploy_setup_unload(setup, engine);
    } else {
        must(alive == 0);
        must(result == PLOY_ERR_FORMAT || result == PLOY_ERR_LIMIT || result == PLOY_ERR_ARGUMENT);
        must(ploy_diags_count(diags) > 0);
    }
    ploy_engine_destroy(engine);
    must(alive == 0);
    ploy_setup_destroy(setup);
    ploy_diags_destroy(diags);
    ploy_blackboard_layout_destroy(layout);
    return 0;
}
