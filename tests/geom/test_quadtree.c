// Quadtrees and octrees are one body, and so are their tests.
#include "tests/geom/index_test.h"

#include "ploy/base/describe.h"
#include "ploy/geom/octree.h"
#include "ploy/geom/quadtree.h"

static const float sizes[] = {10, 1000, 1e9f, 1e-1f, 1e15f};

typedef struct tree_drawn {
    int32_t boxes, cells, edges;
} tree_drawn;

static void tree_draw_count(void *user, const ploy_draw_item *item) {
    tree_drawn *drawn = user;
    if (item->count == 2) {
        drawn->edges++;
    } else if (item->style == PLOY_STYLE_PLAIN) {
        drawn->boxes++;
    } else {
        drawn->cells++;
    }
}

static bool tree_stop(void *user, int32_t id, double *limit) {
    (void)id;
    (void)limit;
    return --*(int32_t *)user > 0;
}

TEST(the_first_wall_on_a_way_through_a_quadtree_is_that_of_a_list) {
    static index_list2 list;
    for (uint64_t seed = 0; seed < (uint64_t)test_rounds(200); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        float size = sizes[seed % COUNT_OF(sizes)];
        ploy_quadtree_def def = ploy_quadtree_def_default();
        def.size = fminf(size, 1e9f);
        ploy_env env = ploy_env_default();
        ploy_quadtree *tree = NULL;
        CHECK_OK(ploy_quadtree_create(&def, &env, &tree));
        list.count = INDEX_MOST;
        for (int32_t id = 0; id < INDEX_MOST; id++) {
            list.there[id] = true;
            list.box[id] = index_box2(&rng, seed / 5, size, id);
            CHECK_OK(ploy_quadtree_insert(tree, id, list.box[id]));
        }
        for (int32_t k = 0; k < 10; k++) {
            ploy_query2 query = index_query2_any(&rng, &list, size);
            if (query.kind < PLOY_QUERY_RAY) continue;
            index_check_walls2(t, ploy_quadtree_index(tree), &list, &query);
        }
        ploy_quadtree_destroy(tree);
    }
}

#define TREE quadtree
#define TREE_N 2
#define TREE_ROUNDS test_rounds(150)
#include "tests/geom/tree_test.inc"

#define TREE octree
#define TREE_N 3
#define TREE_ROUNDS test_rounds(80)
#include "tests/geom/tree_test.inc"

TEST(quadtree_create_refuses_bad_settings) {
    quadtree_try_settings(t);
}

TEST(a_changing_quadtree_equals_asking_every_box) {
    quadtree_try_changes(t);
}

TEST(a_quadtree_refuses_bad_ids_and_boxes) {
    quadtree_try_bad_input(t);
}

TEST(a_quadtree_allocates_only_in_create_and_survives_when_that_fails) {
    quadtree_try_memory(t);
}

TEST(state_of_a_quadtree_is_its_boxes_and_all_of_them_are_drawn) {
    quadtree_try_sight(t);
}

TEST(octree_create_refuses_bad_settings) {
    octree_try_settings(t);
}

TEST(a_changing_octree_equals_asking_every_box) {
    octree_try_changes(t);
}

TEST(an_octree_refuses_bad_ids_and_boxes) {
    octree_try_bad_input(t);
}

TEST(an_octree_allocates_only_in_create_and_survives_when_that_fails) {
    octree_try_memory(t);
}

TEST(state_of_an_octree_is_its_boxes_and_all_of_them_are_drawn) {
    octree_try_sight(t);
}
