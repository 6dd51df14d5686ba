// A match that is warm allocates nothing: not from the system and not from its region.
#include "tests/games/raven_test.h"

// An allocator of a region that counts: how often anything is allocated, grown or freed.
typedef struct memory_heap {
    ploy_env region;
    int64_t calls;
    bool warm;
} memory_heap;

static void *memory_resize(void *user, void *ptr, size_t old_size, size_t new_size) {
    memory_heap *heap = user;
    if (heap->warm) heap->calls++;
    return ploy_env_resize(&heap->region, ptr, old_size, new_size);
}

static raven_level memory_map;
static void memory_change(raven_def *def) {
    def->map = memory_map;
    def->sides = 2;
    def->red.tactics = RAVEN_TACTICS_TEAM;
}

// Allocations of a match in so many ticks after so many others.
static int64_t memory_allocations(test_context *t, uint64_t seed, int32_t warm, int32_t ticks) {
    raven_scene scene;
    memory_heap heap;
    ploy_env env = ploy_env_default();
    void *state = NULL;
    memset(&scene, 0, sizeof scene);
    CHECK_OK(ploy_region_create((size_t)1 << 26, &env, &scene.region));
    heap.region = ploy_region_env(scene.region);
    heap.calls = 0;
    heap.warm = false;
    scene.env = heap.region;
    scene.env.allocator.resize = memory_resize;
    scene.env.allocator.user = &heap;
    scene.key = ploy_rng_key_make(seed);
    ploy_fields_default(raven_fields(), &scene.def);
    memory_change(&scene.def);
    CHECK_OK(raven_type()->create(&scene.def, scene.key, &scene.env, &state));
    scene.match = state;
    raven_scene_run(t, &scene, warm);
    heap.warm = true;
    raven_scene_run(t, &scene, ticks);
    raven_scene_end(&scene);
    return heap.calls;
}

TEST(a_warm_match_allocates_nothing) {
    for (int32_t map = 0; map < RAVEN_LEVEL_COUNT; map++) {
        memory_map = (raven_level)map;
        t->row = raven_level_name(map);
        bool soak = test_rounds(1) > 1;
        CHECK_INT(memory_allocations(t, 1, 3600, soak ? 1000000 : 5000), 0);
    }
}
