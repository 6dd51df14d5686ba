// Time travel of one object: what lives in a region goes back with it and comes again, byte by
// byte. This finds what an object keeps outside, and bytes that nobody set.
#pragma once

#include "base/base_internal.h"
#include "ploy/base/region.h"
#include "tests/test.h"

// Changes the object in a way that follows from the seed alone.
typedef void (*test_life_fn)(test_context *t, void *object, uint64_t seed);
typedef uint64_t (*test_hash_fn)(const void *object);

static inline ploy_region *test_region(test_context *t) {
    ploy_env env = ploy_env_default();
    ploy_region *region = NULL;
    CHECK_OK(ploy_region_create((size_t)8 << 20, &env, &region));
    return region;
}

// The object must have been made with the region's env. hash: of what it tells of itself, or NULL.
static inline void test_rewind(test_context *t, ploy_region *region, void *object,
                               test_life_fn life, test_hash_fn hash) {
    for (uint64_t seed = 1; seed < 9; seed += 2) {
        TEST_SEED(seed);
        ploy_snapshot *before = NULL, *after = NULL, *again = NULL;
        life(t, object, seed);
        CHECK_OK(ploy_region_snapshot(region, &before));
        life(t, object, seed + 1);
        uint64_t late = hash != NULL ? hash(object) : 0;
        CHECK_OK(ploy_region_snapshot(region, &after));
        CHECK(ployi_snapshot_difference(before, after) >= 0);
        CHECK_OK(ploy_region_restore(region, before));
        CHECK(hash == NULL || hash(object) != late);
        life(t, object, seed + 1);
        CHECK(hash == NULL || hash(object) == late);
        CHECK_OK(ploy_region_snapshot(region, &again));
        CHECK_INT(ployi_snapshot_difference(after, again), -1);
        CHECK(ployi_region_valid(region));
        ploy_snapshot_destroy(before);
        ploy_snapshot_destroy(after);
        ploy_snapshot_destroy(again);
    }
}
