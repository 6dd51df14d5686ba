// A technology tree: what archers need, what a gun gives away, what to hit, and the cheapest plan.
// Shows ploy_dependency.
#include <stdio.h>

#include "ploy/path/dependency.h"

enum { MILL, QUARRY, WOOD, FORGE, IRON, POWDER, BARRACKS, ARROWS, ARCHER, GUNNER, THINGS };
static const char *const names[] = {"mill",   "quarry",   "wood",   "forge",  "iron",
                                    "powder", "barracks", "arrows", "archer", "gunner"};

static void list(const char *what, const int32_t *things, int32_t count) {
    printf("%s:", what);
    for (int32_t i = 0; i < count; i++) printf(" %s", names[things[i]]);
    printf("\n");
}

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_dependency *tree = NULL;
    if (ploy_dependency_create(THINGS, &env, &tree) != PLOY_OK) return 1;
    ploy_dependency_add(tree, WOOD, MILL, 20, 0);
    ploy_dependency_add(tree, FORGE, WOOD, 40, 1);   // a forge of wood
    ploy_dependency_add(tree, FORGE, QUARRY, 30, 1); // or of stone
    ploy_dependency_add(tree, IRON, FORGE, 10, 0);
    ploy_dependency_add(tree, POWDER, FORGE, 15, 0);
    ploy_dependency_add(tree, ARROWS, WOOD, 5, 0);
    ploy_dependency_add(tree, ARCHER, ARROWS, 5, 0);
    ploy_dependency_add(tree, ARCHER, BARRACKS, 10, 0);
    ploy_dependency_add(tree, GUNNER, IRON, 20, 0);
    ploy_dependency_add(tree, GUNNER, POWDER, 20, 0);
    ploy_dependency_add(tree, GUNNER, BARRACKS, 10, 0);
    int32_t out[THINGS], count = 0;
    double cost = 0.0;
    list("before archers", out, ploy_dependency_before(tree, ARCHER, out, THINGS));
    list("a gunner gives away", out, ploy_dependency_implies(tree, GUNNER, out, THINGS));
    ploy_dependency_plan(tree, GUNNER, NULL, 1000, out, THINGS, &count, &cost);
    list("cheapest gunner", out, count);
    printf("costs %.0f\n", cost);
    bool enemy[THINGS] = {true, true, true, true, true, true, true, false, false, false};
    list("hit one of", out, ploy_dependency_critical(tree, GUNNER, enemy, out, THINGS));
    list("the enemy may build", out, ploy_dependency_next(tree, enemy, out, THINGS));
    printf("barracks unlock %d\n", (int)ploy_dependency_unlocks(tree, BARRACKS, NULL, false));
    ploy_dependency_destroy(tree);
    return 0;
}
