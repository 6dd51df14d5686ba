// A settler plans a warm supper. You see the plan, what happens when the axe is gone, and why there
// is no plan when the pond is frozen. Shows ploy_goap_type, ploy_goap_run and ploy_goap_explain.
#include <stdio.h>

#include "ploy/decide/goap.h"

static void add_action(ploy_goap_type *type, const char *id, double cost, ploy_goap_need need,
                       ploy_goap_gain gain) {
    ploy_goap_action action = ploy_goap_action_make(id, cost);
    action.needs = &need;
    action.need_count = 1;
    action.gains = &gain;
    action.gain_count = 1;
    (void)ploy_goap_type_action(type, &action); // finish reports the first fault
}

static void print_plan(ploy_goap *goap, const ploy_goap_type *type) {
    int32_t plan[16];
    int32_t count = ploy_goap_plan(goap, plan, 16);
    for (int32_t i = 0; i < count; i++) printf("  %s\n", ploy_goap_type_action_id(type, plan[i]));
    if (count >= 0) printf("  costs %g\n", ploy_goap_cost(goap));
}

static ploy_result print_text(void *user, const void *bytes, size_t size) {
    (void)user;
    fwrite(bytes, 1, size, stdout);
    return PLOY_OK;
}

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_goap_type *type = NULL;
    ploy_goap *goap = NULL;
    if (ploy_goap_type_create(&env, &type) != PLOY_OK) return 1;
    ploy_goap_var axe = ploy_goap_type_bool(type, "axe");
    ploy_goap_var wood = ploy_goap_type_int(type, "wood", 0, 5);
    ploy_goap_var pond = ploy_goap_type_bool(type, "pond open");
    ploy_goap_var fish = ploy_goap_type_bool(type, "fish");
    ploy_goap_var fire = ploy_goap_type_bool(type, "fire");
    add_action(type, "chop wood", 2, ploy_goap_is(axe, 1), ploy_goap_add_to(wood, 2));
    add_action(type, "gather branches", 3, ploy_goap_need_make(wood, PLOY_GOAP_AT_MOST, 4),
               ploy_goap_add_to(wood, 1));
    add_action(type, "light a fire", 1, ploy_goap_need_make(wood, PLOY_GOAP_AT_LEAST, 2),
               ploy_goap_set_to(fire, 1));
    add_action(type, "catch a fish", 4, ploy_goap_is(pond, 1), ploy_goap_set_to(fish, 1));
    ploy_goap_def def = ploy_goap_def_default();
    if (ploy_goap_type_finish(type) != PLOY_OK ||
        ploy_goap_create(&def, type, &env, &goap) != PLOY_OK) {
        return 1;
    }
    ploy_goap_need supper[] = {ploy_goap_is(fire, 1), ploy_goap_is(fish, 1)};
    uint64_t world[1];
    ploy_goap_world_clear(type, world);
    (void)ploy_goap_world_set(type, world, axe, 1);
    (void)ploy_goap_world_set(type, world, pond, 1);
    printf("with an axe:\n");
    if (ploy_goap_run(goap, world, supper, 2) == PLOY_OK) print_plan(goap, type);
    (void)ploy_goap_world_set(type, world, axe, 0);
    printf("without:\n");
    if (ploy_goap_run(goap, world, supper, 2) == PLOY_OK) print_plan(goap, type);
    (void)ploy_goap_world_set(type, world, pond, 0);
    printf("in winter:\n");
    if (ploy_goap_run(goap, world, supper, 2) == PLOY_OK) print_plan(goap, type);
    ploy_writer out = ploy_writer_make(print_text, NULL);
    (void)ploy_goap_explain(goap, &out);
    ploy_goap_destroy(goap);
    ploy_goap_type_destroy(type);
    return 0;
}
