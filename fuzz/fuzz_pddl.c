// Any bytes as a domain and a problem (split at a line of dashes, or after a quarter): what loads is
// planned for a while, and a plan that is found must hold.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "ploy/data/pddl.h"

static void must(bool condition) {
    if (!condition) abort();
}

static void check_plan(const ploy_pddl *pddl) {
    ploy_env env = ploy_env_default();
    const ploy_goap_type *type = ploy_pddl_type(pddl);
    int32_t count = 0;
    const ploy_goap_need *goal = ploy_pddl_goal(pddl, &count);
    double costs[2] = {-1.0, -1.0};
    for (int32_t i = 0; i < 2; i++) {
        ploy_goap_def def = ploy_goap_def_default();
        def.heuristic = i == 0 ? PLOY_GOAP_BLIND : PLOY_GOAP_LANDMARKS;
        ploy_goap *goap = NULL;
        must(ploy_goap_create(&def, type, &env, &goap) == PLOY_OK);
        must(ploy_goap_begin(goap, ploy_pddl_world(pddl), goal, count) == PLOY_OK);
        ploy_budget budget = ploy_budget_units(50);
        must(ploy_goap_step(goap, &budget) >= PLOY_OK);
        int32_t length = ploy_goap_plan(goap, NULL, 0);
        if (length >= 0) {
            int32_t *plan = malloc(((size_t)length + 1) * sizeof *plan);
            uint64_t *scratch = malloc((size_t)ploy_goap_type_words(type) * 2 * sizeof *scratch);
            must(plan != NULL && scratch != NULL);
            (void)ploy_goap_plan(goap, plan, length);
            must(ploy_goap_plan_check(type, ploy_pddl_world(pddl), goal, count, plan, length,
                                      scratch, &costs[i]) == -1);
            free(plan);
            free(scratch);
        }
        ploy_goap_destroy(goap);
    }
    // Both are optimal where both finish.
    if (costs[0] >= 0.0 && costs[1] >= 0.0) {
        double difference = costs[0] - costs[1];
        must(difference < 1e-6 * (1.0 + costs[0]) && difference > -1e-6 * (1.0 + costs[0]));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    ploy_env env = ploy_env_default();
    ploy_diags *diags = NULL;
    must(ploy_diags_create(8, &env, &diags) == PLOY_OK);
    size_t split = size / 4;
    for (size_t i = 0; i + 3 <= size; i++) {
        if (memcmp(data + i, "---", 3) == 0) {
            split = i;
            break;
        }
    }
    size_t behind = split + 3 <= size ? split + 3 : size;
    ploy_pddl_text domain = {data, split, "domain"},
                   problem = {data + behind, size - behind, "problem"};
    ploy_pddl_def def = ploy_pddl_def_default();
    def.max_actions = 200;
    def.max_atoms = 200;
    def.max_work = 20;
    ploy_pddl *pddl = NULL;
    ploy_result result = ploy_pddl_load(&def, domain, problem, &env, diags, &pddl);
    must((result == PLOY_OK) == (pddl != NULL));
    must((result == PLOY_OK) == (ploy_diags_total(diags, PLOY_SEVERITY_DEBUG) == 0));
    if (pddl != NULL) check_plan(pddl);
    ploy_pddl_destroy(pddl);
    ploy_diags_destroy(diags);
    return 0;
}
