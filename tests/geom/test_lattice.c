// The lattice's sort and tree against the double loop.
#include "tests/geom/geom_test.h"

#include "geom/lattice_internal.h"

static int32_t by_number(const void *a, const void *b) {
    int32_t p = *(const int32_t *)a, q = *(const int32_t *)b;
    return p < q ? -1 : p > q;
}

TEST(sorting_puts_every_item_in_its_place) {
    ploy_env env = ploy_env_default();
    ploy_arena *arena = NULL;
    CHECK_OK(ploy_arena_create(0, 0, &env, &arena));
    for (int64_t seed = 0; seed < test_rounds(100); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        int32_t items[200], count = ploy_rng_int(&rng, 0, 200), sum = 0;
        for (int32_t i = 0; i < count; i++) sum += items[i] = ploy_rng_int(&rng, -50, 50);
        CHECK(ployi_lattice_sort(items, count, sizeof items[0], by_number, arena));
        for (int32_t i = 0; i < count; i++) {
            CHECK(i == 0 || items[i - 1] <= items[i]);
            sum -= items[i];
        }
        CHECK_INT(sum, 0);
    }
    CHECK_UINT(ploy_arena_used(arena), 0);
    ploy_arena_destroy(arena);
}

static ployi_lattice_point random_point(ploy_rng *rng, int32_t size) {
    ployi_lattice_point point = {ploy_rng_int(rng, -size, size), ploy_rng_int(rng, -size, size)};
    return point;
}

TEST(a_walk_finds_what_touches_the_box_or_the_line) {
    enum { MOST = 700 };
    static ployi_lattice_box boxes[MOST];
    static int32_t found[MOST];
    ploy_env env = ploy_env_default();
    ploy_arena *arena = NULL;
    CHECK_OK(ploy_arena_create(0, 0, &env, &arena));
    int64_t visited = 0, all = 0;
    for (int64_t seed = 0; seed < test_rounds(60); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        static const int32_t sizes[] = {5, 1000, 1 << 24};
        int32_t size = sizes[seed % 3], count = ploy_rng_int(&rng, 0, MOST);
        for (int32_t i = 0; i < count; i++) {
            ployi_lattice_point at = random_point(&rng, size);
            ployi_lattice_point to = random_point(&rng, size / 20);
            if (seed % 2 == 0) to.x = to.y = 0;
            to.x = ploy_clampi(to.x + at.x, -(1 << 24), 1 << 24);
            to.y = ploy_clampi(to.y + at.y, -(1 << 24), 1 << 24);
            boxes[i] = ployi_lattice_box_of(at, to);
        }
        ployi_lattice_tree tree;
        CHECK(ployi_lattice_tree_build(&tree, boxes, count, arena));
        for (int32_t q = 0; q < 20; q++) {
            ployi_lattice_point from = random_point(&rng, size), to = random_point(&rng, size);
            if (ployi_lattice_compare(to, from) < 0) {
                ployi_lattice_point swap = from;
                from = to;
                to = swap;
            }
            bool line = q % 2 == 0;
            ployi_lattice_box box = ployi_lattice_box_of(from, to);
            ployi_lattice_walk walk;
            if (line) {
                ployi_lattice_walk_along(&walk, &tree, from, to);
            } else {
                ployi_lattice_walk_begin(&walk, &tree, box);
            }
            memset(found, 0, sizeof found);
            for (int32_t i; (i = ployi_lattice_walk_next(&walk)) >= 0; visited += line) {
                CHECK(i < count);
                CHECK_INT(found[i]++, 0); // once
            }
            for (int32_t i = 0; i < count; i++) {
                ployi_lattice_box own = boxes[i];
                bool touches = own.min.x <= box.max.x && own.max.x >= box.min.x &&
                               own.min.y <= box.max.y && own.max.y >= box.min.y;
                const ployi_lattice_point corners[4] = {
                    own.min, {own.max.x, own.min.y}, own.max, {own.min.x, own.max.y}};
                bool left = false, right = false;
                for (int32_t c = 0; c < 4; c++) {
                    int64_t side = ployi_lattice_cross(from, to, corners[c]);
                    left = left || side >= 0;
                    right = right || side <= 0;
                }
                // Along a line more may come, within a step of it, but no less.
                if (line && left && right) CHECK(found[i] == touches);
                if (line && found[i]) CHECK(touches);
                if (!line) CHECK(found[i] == touches);
                all += line;
            }
        }
        ploy_arena_reset(arena);
    }
    CHECK(visited * 4 < all); // it leaves most of them out
    ploy_arena_destroy(arena);
}

static ploy_result tree_body(const ploy_env *env, void *arg) {
    (void)arg;
    ployi_lattice_box boxes[20];
    memset(boxes, 0, sizeof boxes);
    ploy_arena *arena = NULL;
    ployi_lattice_tree tree;
    ploy_result result = ploy_arena_create(0, 0, env, &arena);
    if (result == PLOY_OK && !ployi_lattice_tree_build(&tree, boxes, 20, arena)) {
        result = PLOY_ERR_MEMORY;
    }
    ploy_arena_destroy(arena);
    return result;
}

TEST(a_tree_survives_every_failing_allocation) {
    CHECK_FAIL_NTH(tree_body, NULL);
}
