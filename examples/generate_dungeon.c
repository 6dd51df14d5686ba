// A dungeon in slices, what its rooms are for, and the order of its locks and keys. Shows
// ploy/generate/dungeon.h, roles by rules, and a copy to keep.
#include "ploy/generate/dungeon.h"

#include <stdio.h>

enum { SHOP = PLOY_PLAN_ROLES }; // the first role that is free

// A shop in a room without a role, about half of the distance from the entrance.
static void give_shop(ploy_floor_plan *plan) {
    const ploy_plan_rule shop = {SHOP, PLOY_PLAN_ANYWHERE, 1, 0.3f, 0.7f, false};
    ploy_floor_plan_assign(plan, &shop, 1);
}

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_dungeon_def def = ploy_dungeon_def_default();
    def.placing = PLOY_DUNGEON_SEPARATION;
    def.links = PLOY_DUNGEON_GABRIEL;
    def.roles.locks = 2;
    ploy_dungeon *dungeon = NULL;
    if (ploy_dungeon_begin(&def, ploy_rng_key_make(12), NULL, &env, &dungeon) != PLOY_OK) return 1;
    int32_t frames = 0;
    ploy_result result = PLOY_IN_PROGRESS;
    for (; result == PLOY_IN_PROGRESS; frames++) { // a little in every frame
        ploy_budget budget = ploy_budget_units(10);
        result = ploy_dungeon_step(dungeon, &budget);
    }
    printf("%d rooms after %d frames\n", (int)ploy_dungeon_outcome(dungeon).count, (int)frames);

    ploy_floor_plan *plan = NULL; // outlives the generator
    if (result != PLOY_OK ||
        ploy_floor_plan_copy(ploy_dungeon_plan(dungeon), &env, &plan) != PLOY_OK) {
        return 1;
    }
    ploy_dungeon_cancel(dungeon);
    give_shop(plan);

    ploy_floor_plan_view view = ploy_floor_plan_get(plan);
    for (int32_t i = 0; i < view.room_count; i++) {
        if (view.rooms[i].role == PLOY_PLAN_ROLE_NONE) continue;
        printf("room %d, %d steps in: %s\n", (int)i, (int)view.rooms[i].distance,
               view.rooms[i].role == SHOP ? "shop" : ploy_plan_role_text(view.rooms[i].role));
    }
    static uint8_t reached[64 * 48];
    for (int32_t i = 0; i <= view.lock_count; i++) {
        int32_t cells = ploy_floor_plan_flood(plan, i, reached);
        printf("with %d keys: %d cells, exit %s", (int)i, (int)cells,
               reached[view.exit] ? "open" : "locked");
        if (i < view.lock_count) printf(", next key in room %d", (int)view.locks[i].key_room);
        printf("\n");
    }
    ploy_floor_plan_destroy(plan);
    return 0;
}
