// A floor is baked in tiles, a few each frame; then a wall is put across it and taken away again.
// Shows the bake of ploy/path/recast.h: slices, dynamic obstacles, only touched tiles baked again.
#include <stdio.h>

#include "ploy/path/recast.h"

// Three tiles a frame, as a game would.
static ploy_result bake_frames(ploy_recast_bake *bake, const char *what) {
    int32_t frames = 0, tiles = ploy_recast_bake_stats(bake).dirty;
    ploy_result result = PLOY_IN_PROGRESS;
    for (; result == PLOY_IN_PROGRESS; frames++) {
        ploy_budget budget = ploy_budget_units(3);
        result = ploy_recast_bake_step(bake, &budget, NULL);
    }
    if (result != PLOY_OK) return result;
    ploy_navmesh_stats stats = ploy_navmesh_stats_of(ploy_recast_bake_mesh(bake));
    printf("%s: %d tiles in %d frames, %d %s\n", what, (int)tiles, (int)frames, (int)stats.islands,
           stats.islands == 1 ? "island" : "islands");
    return PLOY_OK;
}

static size_t bytes_held;

static void count_bytes(void *user, const ploy_memory_item *item) {
    (void)user;
    bytes_held += item->bytes;
}

int main(void) {
    static const ploy_vec3 corners[] = {{0, 0, 0}, {40, 0, 0}, {40, 40, 0}, {0, 40, 0}};
    static const int32_t triangles[] = {0, 1, 2, 0, 2, 3};
    static const ploy_vec2 wall[] = {{-1, 19.5f}, {41, 19.5f}, {41, 20.5f}, {-1, 20.5f}};
    ploy_env env = ploy_env_default();
    ploy_recast_level level = {corners, 4, triangles, 2, NULL, NULL, NULL, 0};
    ploy_recast_def def = ploy_recast_def_default();
    ploy_recast_bake *bake = NULL;
    ploy_id id;
    def.tile = 32;
    ploy_result result = ploy_recast_bake_create(&def, &level, &env, NULL, &bake);
    if (result == PLOY_OK) result = bake_frames(bake, "the floor");
    uint64_t before = result == PLOY_OK ? ploy_recast_bake_generation(bake) : 0;
    ploy_recast_obstacle block = {wall, 4, -1, 3, -1};
    if (result == PLOY_OK) result = ploy_recast_bake_add(bake, &block, &id);
    if (result == PLOY_OK) result = bake_frames(bake, "with the wall");
    if (result == PLOY_OK) result = ploy_recast_bake_remove(bake, id);
    if (result == PLOY_OK) result = bake_frames(bake, "without it");
    if (result == PLOY_OK) {
        ploy_recast_bake_memory(bake, count_bytes, NULL);
        printf("queries of the first mesh are %s; the bake holds %s 100 kB\n",
               ploy_recast_bake_generation(bake) == before ? "valid" : "stale",
               bytes_held < 100000 ? "less than" : "more than");
    }
    ploy_recast_bake_destroy(bake);
    return result == PLOY_OK ? 0 : 1;
}
