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

static void tree_bytes(void *user, const ploy_memory_item *item) {
    *(int64_t *)user += (int64_t)item->bytes;
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

// ---- quadtree ----

static ploy_quadtree *quadtree_new(test_context *t, int32_t capacity, float size, int32_t levels) {
    ploy_quadtree_def def = ploy_quadtree_def_default();
    def.capacity = capacity;
    def.size = fminf(size, 1e9f);
    size = def.size;
    def.centre = test_v2(size * 0.1f, 0);
    def.levels = levels;
    ploy_env env = ploy_env_default();
    ploy_quadtree *tree = NULL;
    CHECK_OK(ploy_quadtree_create(&def, &env, &tree));
    return tree;
}

static void check_quadtree(test_context *t, const ploy_quadtree *tree, const index_list2 *list,
                           ploy_rng *rng, float size, int32_t queries) {
    for (int32_t k = 0; k < queries; k++) {
        ploy_query2 query = index_query2_any(rng, list, size);
        index_check2(t, ploy_quadtree_index(tree), list, &query, index_room(rng));
    }
}

TEST(quadtree_create_refuses_bad_settings) {
    static const struct {
        const char *row;
        int32_t capacity, levels;
        float size;
        ploy_result want;
    } rows[] = {
        {"fine", 10, 4, 100, PLOY_OK},
        {"one", 1, 1, 100, PLOY_OK},
        {"room for nobody", 0, 4, 100, PLOY_ERR_ARGUMENT},
        {"too many", (1 << 24) + 1, 4, 100, PLOY_ERR_ARGUMENT},
        {"no levels", 10, 0, 100, PLOY_ERR_ARGUMENT},
        {"too many levels", 10, 17, 100, PLOY_ERR_ARGUMENT},
        {"no world", 10, 4, 0, PLOY_ERR_ARGUMENT},
        {"not a number", 10, 4, NAN, PLOY_ERR_ARGUMENT},
    };
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_quadtree_def def = ploy_quadtree_def_default();
        def.capacity = rows[i].capacity;
        def.levels = rows[i].levels;
        def.size = rows[i].size;
        ploy_quadtree *tree = (ploy_quadtree *)&env;
        CHECK_INT(ploy_quadtree_create(&def, &env, &tree), rows[i].want);
        CHECK((tree != NULL) == (rows[i].want == PLOY_OK));
        ploy_quadtree_destroy(tree);
    }
    t->row = NULL;
    CHECK_INT(ploy_quadtree_create(NULL, &env, NULL), PLOY_ERR_ARGUMENT);
}

TEST(a_changing_quadtree_equals_asking_every_box) {
    static index_list2 list;
    for (uint64_t seed = 0; seed < (uint64_t)test_rounds(150); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        float size = sizes[seed % COUNT_OF(sizes)];
        int32_t most = seed % 2 == 0 ? 30 : INDEX_MOST, count = 0;
        // A world that is too small, right, or far too large for what is in it.
        static const float worlds[] = {2, 0.1f, 50};
        ploy_quadtree *tree =
            quadtree_new(t, most, size * worlds[seed % 3], (int32_t)(seed % 16) + 1);
        memset(&list, 0, sizeof list);
        list.count = most;
        for (int32_t step = 0; step < 600; step++) {
            int32_t id = ploy_rng_int(&rng, 0, most - 1), what = ploy_rng_int(&rng, 0, 8);
            // Fills up at first, empties toward the end.
            if (step < 200 && what >= 7) what = 0;
            if (step > 500 && what < 4) what = 8;
            ploy_box2 box = index_box2(&rng, seed / 3, size, id);
            bool there = list.there[id];
            if (what < 4) {
                CHECK_INT(ploy_quadtree_insert(tree, id, box), there ? PLOY_ERR_EXISTS : PLOY_OK);
                if (!there) list.box[id] = box;
                count += !there;
                list.there[id] = true;
            } else if (what < 7) {
                if (what == 5 && there) { // a small step, mostly within the cell
                    box = list.box[id];
                    box.max.x += size * 1e-4f;
                }
                CHECK_INT(ploy_quadtree_move(tree, id, box), there ? PLOY_OK : PLOY_ERR_NOT_FOUND);
                if (there) list.box[id] = box;
            } else {
                CHECK_INT(ploy_quadtree_remove(tree, id), there ? PLOY_OK : PLOY_ERR_NOT_FOUND);
                count -= there;
                list.there[id] = false;
            }
            CHECK_INT(ploy_quadtree_count(tree), count);
            ploy_box2 got;
            CHECK(ploy_quadtree_get(tree, id, &got) == list.there[id]);
            if (list.there[id]) CHECK_BYTES(&got, &list.box[id], sizeof got);
            if (step % 5 == 0) check_quadtree(t, tree, &list, &rng, size, 2);
        }
        ploy_quadtree_clear(tree);
        memset(list.there, 0, sizeof list.there);
        CHECK_INT(ploy_quadtree_count(tree), 0);
        check_quadtree(t, tree, &list, &rng, size, 3);
        ploy_quadtree_destroy(tree);
    }
}

TEST(a_quadtree_refuses_bad_ids_and_boxes) {
    ploy_quadtree *tree = quadtree_new(t, 4, 100, 4);
    ploy_box2 box, odd;
    memset(&box, 0, sizeof box);
    odd = box;
    odd.min.y = NAN;
    CHECK_INT(ploy_quadtree_insert(tree, -1, box), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_quadtree_insert(tree, 4, box), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_quadtree_insert(tree, 0, odd), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_quadtree_insert(tree, 0, ploy_box2_empty()), PLOY_ERR_ARGUMENT);
    odd = box;
    odd.max.x = INFINITY;
    CHECK_INT(ploy_quadtree_insert(tree, 0, odd), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_quadtree_move(tree, 9, box), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_quadtree_move(tree, 0, box), PLOY_ERR_NOT_FOUND);
    CHECK_INT(ploy_quadtree_remove(tree, -1), PLOY_ERR_NOT_FOUND);
    CHECK_INT(ploy_quadtree_remove(tree, 4), PLOY_ERR_NOT_FOUND);
    CHECK_OK(ploy_quadtree_insert(tree, 2, box));
    CHECK_INT(ploy_quadtree_move(tree, 2, odd), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_quadtree_count(tree), 1);
    CHECK(!ploy_quadtree_get(tree, 7, &odd));
    ploy_quadtree_destroy(tree);
    ploy_quadtree_destroy(NULL);
}

static ploy_result quadtree_make(const ploy_env *env, void *arg) {
    (void)arg;
    ploy_quadtree_def def = ploy_quadtree_def_default();
    ploy_quadtree *tree = NULL;
    ploy_result result = ploy_quadtree_create(&def, env, &tree);
    if ((result == PLOY_OK) != (tree != NULL)) result = PLOY_ERR_STATE;
    ploy_quadtree_destroy(tree);
    return result;
}

static uint64_t quadtree_hash(const ploy_quadtree *tree) {
    ploy_hash_sink sink;
    ploy_hash_sink_init(&sink);
    ploy_describe out = ploy_hash_sink_describe(&sink);
    ploy_quadtree_describe(tree, &out);
    return ploy_hash_sink_result(&sink);
}

TEST(a_quadtree_allocates_only_in_create_and_survives_when_that_fails) {
    CHECK_FAIL_NTH(quadtree_make, NULL);
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    ploy_quadtree_def def = ploy_quadtree_def_default();
    def.capacity = 1000;
    def.size = 100;
    ploy_quadtree *tree = NULL;
    CHECK_OK(ploy_quadtree_create(&def, &env, &tree));
    int64_t told = 0, calls = counts.calls;
    ploy_quadtree_memory(tree, tree_bytes, &told);
    CHECK_INT(told, counts.bytes);
    ploy_rng rng = ploy_rng_make(1);
    for (int32_t i = 0; i < 1000; i++) {
        ploy_vec2 at = test_random_vec2(&rng, 49);
        CHECK_OK(ploy_quadtree_insert(tree, i, ploy_box2_make(at, at)));
    }
    ploy_query_stats stats = {0, 0, 0};
    ploy_found found[4];
    for (int32_t i = 0; i < 1000; i++) {
        ploy_box2 box;
        CHECK(ploy_quadtree_get(tree, i, &box));
        ploy_query2 query = ploy_query2_nearest(box.min, INFINITY);
        CHECK_INT(ploy_quadtree_find(tree, &query, found, 1, &stats), 1);
        CHECK_INT(found[0].id, i);
    }
    CHECK_INT(counts.calls, calls);
    CHECK(stats.objects < 100 * 1000); // a tenth of everybody at most
    CHECK(stats.found >= 1000 && stats.found <= stats.objects);
    int32_t enough = 3;
    ploy_query2 query =
        ploy_query2_box(ploy_box2_make(test_random_vec2(&rng, 1), test_random_vec2(&rng, 49)));
    query.box.min.x = query.box.min.y = -INFINITY;
    ploy_quadtree_visit(tree, &query, tree_stop, &enough, NULL);
    CHECK_INT(enough, 0);
    ploy_quadtree_destroy(tree);
    CHECK_INT(counts.bytes, 0);
}

TEST(state_of_a_quadtree_is_its_boxes_and_all_of_them_are_drawn) {
    ploy_quadtree *one = quadtree_new(t, 50, 40, 8), *two = quadtree_new(t, 60, 400, 3);
    ploy_rng rng = ploy_rng_make(5);
    ploy_box2 boxes[50];
    for (int32_t i = 0; i < 50; i++) boxes[i] = index_box2(&rng, 0, 9, i);
    for (int32_t i = 0; i < 50; i++) CHECK_OK(ploy_quadtree_insert(one, i, boxes[i]));
    for (int32_t i = 49; i >= 0; i--) CHECK_OK(ploy_quadtree_insert(two, i, boxes[0]));
    for (int32_t i = 0; i < 50; i++) CHECK_OK(ploy_quadtree_move(two, i, boxes[i]));
    CHECK_UINT(quadtree_hash(one), quadtree_hash(two));
    tree_drawn drawn = {0, 0, 0};
    ploy_draw out = {tree_draw_count, &drawn, ~0u};
    ploy_quadtree_draw(one, &out);
    CHECK_INT(drawn.boxes, 50);
    CHECK(drawn.cells > 4);
    CHECK_INT(drawn.edges, 0 * (drawn.boxes + drawn.cells));
    out.layers = 0;
    ploy_quadtree_draw(one, &out);
    CHECK_INT(drawn.boxes, 50);
    CHECK_OK(ploy_quadtree_remove(two, 7));
    CHECK(quadtree_hash(one) != quadtree_hash(two));
    ploy_quadtree_destroy(one);
    ploy_quadtree_destroy(two);
}

// ---- octree ----

static ploy_octree *octree_new(test_context *t, int32_t capacity, float size, int32_t levels) {
    ploy_octree_def def = ploy_octree_def_default();
    def.capacity = capacity;
    def.size = fminf(size, 1e9f);
    size = def.size;
    def.centre = test_v3(size * 0.1f, 0, 0);
    def.levels = levels;
    ploy_env env = ploy_env_default();
    ploy_octree *tree = NULL;
    CHECK_OK(ploy_octree_create(&def, &env, &tree));
    return tree;
}

static void check_octree(test_context *t, const ploy_octree *tree, const index_list3 *list,
                         ploy_rng *rng, float size, int32_t queries) {
    for (int32_t k = 0; k < queries; k++) {
        ploy_query3 query = index_query3_any(rng, list, size);
        index_check3(t, ploy_octree_index(tree), list, &query, index_room(rng));
    }
}

TEST(octree_create_refuses_bad_settings) {
    static const struct {
        const char *row;
        int32_t capacity, levels;
        float size;
        ploy_result want;
    } rows[] = {
        {"fine", 10, 4, 100, PLOY_OK},
        {"one", 1, 1, 100, PLOY_OK},
        {"room for nobody", 0, 4, 100, PLOY_ERR_ARGUMENT},
        {"too many", (1 << 24) + 1, 4, 100, PLOY_ERR_ARGUMENT},
        {"no levels", 10, 0, 100, PLOY_ERR_ARGUMENT},
        {"too many levels", 10, 17, 100, PLOY_ERR_ARGUMENT},
        {"no world", 10, 4, 0, PLOY_ERR_ARGUMENT},
        {"not a number", 10, 4, NAN, PLOY_ERR_ARGUMENT},
    };
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_octree_def def = ploy_octree_def_default();
        def.capacity = rows[i].capacity;
        def.levels = rows[i].levels;
        def.size = rows[i].size;
        ploy_octree *tree = (ploy_octree *)&env;
        CHECK_INT(ploy_octree_create(&def, &env, &tree), rows[i].want);
        CHECK((tree != NULL) == (rows[i].want == PLOY_OK));
        ploy_octree_destroy(tree);
    }
    t->row = NULL;
    CHECK_INT(ploy_octree_create(NULL, &env, NULL), PLOY_ERR_ARGUMENT);
}

TEST(a_changing_octree_equals_asking_every_box) {
    static index_list3 list;
    for (uint64_t seed = 0; seed < (uint64_t)test_rounds(80); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        float size = sizes[seed % COUNT_OF(sizes)];
        int32_t most = seed % 2 == 0 ? 30 : INDEX_MOST, count = 0;
        // A world that is too small, right, or far too large for what is in it.
        static const float worlds[] = {2, 0.1f, 50};
        ploy_octree *tree = octree_new(t, most, size * worlds[seed % 3], (int32_t)(seed % 16) + 1);
        memset(&list, 0, sizeof list);
        list.count = most;
        for (int32_t step = 0; step < 600; step++) {
            int32_t id = ploy_rng_int(&rng, 0, most - 1), what = ploy_rng_int(&rng, 0, 8);
            // Fills up at first, empties toward the end.
            if (step < 200 && what >= 7) what = 0;
            if (step > 500 && what < 4) what = 8;
            ploy_box3 box = index_box3(&rng, seed / 3, size, id);
            bool there = list.there[id];
            if (what < 4) {
                CHECK_INT(ploy_octree_insert(tree, id, box), there ? PLOY_ERR_EXISTS : PLOY_OK);
                if (!there) list.box[id] = box;
                count += !there;
                list.there[id] = true;
            } else if (what < 7) {
                if (what == 5 && there) { // a small step, mostly within the cell
                    box = list.box[id];
                    box.max.x += size * 1e-4f;
                }
                CHECK_INT(ploy_octree_move(tree, id, box), there ? PLOY_OK : PLOY_ERR_NOT_FOUND);
                if (there) list.box[id] = box;
            } else {
                CHECK_INT(ploy_octree_remove(tree, id), there ? PLOY_OK : PLOY_ERR_NOT_FOUND);
                count -= there;
                list.there[id] = false;
            }
            CHECK_INT(ploy_octree_count(tree), count);
            ploy_box3 got;
            CHECK(ploy_octree_get(tree, id, &got) == list.there[id]);
            if (list.there[id]) CHECK_BYTES(&got, &list.box[id], sizeof got);
            if (step % 5 == 0) check_octree(t, tree, &list, &rng, size, 2);
        }
        ploy_octree_clear(tree);
        memset(list.there, 0, sizeof list.there);
        CHECK_INT(ploy_octree_count(tree), 0);
        check_octree(t, tree, &list, &rng, size, 3);
        ploy_octree_destroy(tree);
    }
}

TEST(a_octree_refuses_bad_ids_and_boxes) {
    ploy_octree *tree = octree_new(t, 4, 100, 4);
    ploy_box3 box, odd;
    memset(&box, 0, sizeof box);
    odd = box;
    odd.min.y = NAN;
    CHECK_INT(ploy_octree_insert(tree, -1, box), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_octree_insert(tree, 4, box), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_octree_insert(tree, 0, odd), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_octree_insert(tree, 0, ploy_box3_empty()), PLOY_ERR_ARGUMENT);
    odd = box;
    odd.max.x = INFINITY;
    CHECK_INT(ploy_octree_insert(tree, 0, odd), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_octree_move(tree, 9, box), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_octree_move(tree, 0, box), PLOY_ERR_NOT_FOUND);
    CHECK_INT(ploy_octree_remove(tree, -1), PLOY_ERR_NOT_FOUND);
    CHECK_INT(ploy_octree_remove(tree, 4), PLOY_ERR_NOT_FOUND);
    CHECK_OK(ploy_octree_insert(tree, 2, box));
    CHECK_INT(ploy_octree_move(tree, 2, odd), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_octree_count(tree), 1);
    CHECK(!ploy_octree_get(tree, 7, &odd));
    ploy_octree_destroy(tree);
    ploy_octree_destroy(NULL);
}

static ploy_result octree_make(const ploy_env *env, void *arg) {
    (void)arg;
    ploy_octree_def def = ploy_octree_def_default();
    ploy_octree *tree = NULL;
    ploy_result result = ploy_octree_create(&def, env, &tree);
    if ((result == PLOY_OK) != (tree != NULL)) result = PLOY_ERR_STATE;
    ploy_octree_destroy(tree);
    return result;
}

static uint64_t octree_hash(const ploy_octree *tree) {
    ploy_hash_sink sink;
    ploy_hash_sink_init(&sink);
    ploy_describe out = ploy_hash_sink_describe(&sink);
    ploy_octree_describe(tree, &out);
    return ploy_hash_sink_result(&sink);
}

TEST(a_octree_allocates_only_in_create_and_survives_when_that_fails) {
    CHECK_FAIL_NTH(octree_make, NULL);
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    ploy_octree_def def = ploy_octree_def_default();
    def.capacity = 1000;
    def.size = 100;
    ploy_octree *tree = NULL;
    CHECK_OK(ploy_octree_create(&def, &env, &tree));
    int64_t told = 0, calls = counts.calls;
    ploy_octree_memory(tree, tree_bytes, &told);
    CHECK_INT(told, counts.bytes);
    ploy_rng rng = ploy_rng_make(1);
    for (int32_t i = 0; i < 1000; i++) {
        ploy_vec3 at = test_random_vec3(&rng, 49);
        CHECK_OK(ploy_octree_insert(tree, i, ploy_box3_make(at, at)));
    }
    ploy_query_stats stats = {0, 0, 0};
    ploy_found found[4];
    for (int32_t i = 0; i < 1000; i++) {
        ploy_box3 box;
        CHECK(ploy_octree_get(tree, i, &box));
        ploy_query3 query = ploy_query3_nearest(box.min, INFINITY);
        CHECK_INT(ploy_octree_find(tree, &query, found, 1, &stats), 1);
        CHECK_INT(found[0].id, i);
    }
    CHECK_INT(counts.calls, calls);
    CHECK(stats.objects < 100 * 1000); // a tenth of everybody at most
    CHECK(stats.found >= 1000 && stats.found <= stats.objects);
    int32_t enough = 3;
    ploy_query3 query =
        ploy_query3_box(ploy_box3_make(test_random_vec3(&rng, 1), test_random_vec3(&rng, 49)));
    query.box.min.x = query.box.min.y = -INFINITY;
    ploy_octree_visit(tree, &query, tree_stop, &enough, NULL);
    CHECK_INT(enough, 0);
    ploy_octree_destroy(tree);
    CHECK_INT(counts.bytes, 0);
}

TEST(state_of_a_octree_is_its_boxes_and_all_of_them_are_drawn) {
    ploy_octree *one = octree_new(t, 50, 40, 8), *two = octree_new(t, 60, 400, 3);
    ploy_rng rng = ploy_rng_make(5);
    ploy_box3 boxes[50];
    for (int32_t i = 0; i < 50; i++) boxes[i] = index_box3(&rng, 0, 9, i);
    for (int32_t i = 0; i < 50; i++) CHECK_OK(ploy_octree_insert(one, i, boxes[i]));
    for (int32_t i = 49; i >= 0; i--) CHECK_OK(ploy_octree_insert(two, i, boxes[0]));
    for (int32_t i = 0; i < 50; i++) CHECK_OK(ploy_octree_move(two, i, boxes[i]));
    CHECK_UINT(octree_hash(one), octree_hash(two));
    tree_drawn drawn = {0, 0, 0};
    ploy_draw out = {tree_draw_count, &drawn, ~0u};
    ploy_octree_draw(one, &out);
    CHECK_INT(drawn.boxes, 50);
    CHECK(drawn.cells > 4);
    CHECK_INT(drawn.edges, 3 * (drawn.boxes + drawn.cells));
    out.layers = 0;
    ploy_octree_draw(one, &out);
    CHECK_INT(drawn.boxes, 50);
    CHECK_OK(ploy_octree_remove(two, 7));
    CHECK(octree_hash(one) != octree_hash(two));
    ploy_octree_destroy(one);
    ploy_octree_destroy(two);
}
