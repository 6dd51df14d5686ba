// Any bytes as a flat machine: it loads whole or not at all, and what loads can run and be printed.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "ploy/data/machine.h"

static void must(bool condition) {
    if (!condition) abort();
}

static bool fuzz_test(void *user, const ploy_moment *moment, const float *args) {
    (void)user;
    return args != NULL ? args[0] > 1.0f : moment->context->tick % 2 == 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    static const ploy_blackboard_key keys[] = {
        {"alert", PLOY_VALUE_BOOL, {0}, NULL},
        {"health", PLOY_VALUE_F32, {0}, NULL},
        {"shots", PLOY_VALUE_I64, {0}, NULL},
    };
    ploy_env env = ploy_env_default();
    env.log = NULL;
    ploy_blackboard_layout *layout = NULL;
    must(ploy_blackboard_layout_create(keys, 3, "fuzz", &env, NULL, &layout) == PLOY_OK);
    ploy_machine_work works[2];
    memset(works, 0, sizeof works);
    works[0].name = "walk";
    works[1].name = "run";
    const ploy_word tests[] = {{"sees", fuzz_test, NULL, NULL, 0},
                               {"nearer", fuzz_test, NULL, NULL, 1}};
    const ploy_machine_words words = {layout, tests, 2, NULL, 0, works, 2};
    ploy_diags *diags = NULL;
    must(ploy_diags_create(8, &env, &diags) == PLOY_OK);
    ploy_fsm_type *type = NULL;
    ploy_machine *machine = NULL;
    ploy_result result = ploy_machine_load_json(bytes, size, "fuzz", &env, diags, &machine);
    if (result == PLOY_OK) {
        result = ploy_machine_build_fsm(machine, NULL, &words, &env, diags, &type);
    }
    ploy_machine_destroy(machine);
    must((result == PLOY_OK) == (type != NULL));
    if (result == PLOY_OK) {
        ploy_fsm *fsm = NULL;
        ploy_step_context context = ploy_step_context_make(ploy_agent_id_none(), NULL, 0.5f);
        must(ploy_blackboard_create(layout, &env, &context.blackboard) == PLOY_OK);
        must(ploy_fsm_create(type, NULL, &env, &fsm) == PLOY_OK);
        must(ploy_behavior_enter(ploy_fsm_behavior(fsm), &context) == PLOY_OK);
        for (; context.tick < 8; context.tick++) {
            ploy_status status;
            context.now += 0.5;
            // A stack that is too small for the file's pushes is a result too.
            if (ploy_behavior_step(ploy_fsm_behavior(fsm), &context, &status) != PLOY_OK) break;
        }
        ploy_behavior_exit(ploy_fsm_behavior(fsm), &context, PLOY_EXIT_REMOVED);
        ploy_fsm_type_lint(type, NULL);
        ploy_fsm_destroy(fsm);
        ploy_blackboard_destroy(context.blackboard);
    } else {
        must(result == PLOY_ERR_MEMORY || result == PLOY_ERR_LIMIT || ploy_diags_count(diags) > 0);
    }
    ploy_fsm_type_destroy(type);
    ploy_diags_destroy(diags);
    ploy_blackboard_layout_destroy(layout);
    return 0;
}
