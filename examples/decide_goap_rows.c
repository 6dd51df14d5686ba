// A settler plans a warm supper. You see the plan of a domain of six actions that is one table.
// Shows ploy_goap_type_from and ploy_goap_needs_text.
#include <stdio.h>

#include "ploy/decide/goap_rows.h"

static const ploy_goap_range ranges[] = {{"wood", 0, 5}};
static const ploy_goap_row rows[] = {
    {"buy an axe", 3, "!axe", "axe := true"},
    {"chop wood", 2, "axe", "wood += 2"},
    {"gather branches", 3, "wood <= 4", "wood += 1"},
    {"light a fire", 1, "wood >= 2", "fire := true; wood -= 2"},
    {"catch a fish", 4, NULL, "fish := true"},
    {"cook", 1, "fire && fish", "supper := true; fish := false"},
};

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_goap_type *type = NULL;
    ploy_goap *goap = NULL;
    ploy_goap_def def = ploy_goap_def_default();
    ploy_goap_need goal[4];
    uint64_t world[1] = {0};
    int32_t needs = 0, plan[16];
    if (ploy_goap_type_from(ranges, 1, rows, 6, &env, NULL, &type) != PLOY_OK) return 1;
    ploy_result result = ploy_goap_needs_text(type, "supper", &env, NULL, goal, 4, &needs);
    if (result == PLOY_OK) result = ploy_goap_create(&def, type, &env, &goap);
    if (result == PLOY_OK) result = ploy_goap_run(goap, world, goal, needs);
    int32_t count = result == PLOY_OK ? ploy_goap_plan(goap, plan, 16) : 0;
    for (int32_t i = 0; i < count; i++) printf("%s\n", ploy_goap_type_action_id(type, plan[i]));
    ploy_goap_destroy(goap);
    ploy_goap_type_destroy(type);
    return result == PLOY_OK ? 0 : 1;
}
