#include "tests/geom/index_test.h"

#include "ploy/base/describe.h"
#include "ploy/geom/kdtree.h"

static const float sizes[] = {10, 1000, 1e9f, 1e-3f, 1e15f};

static ploy_kdtree *kdtree_new(test_context *t, int32_t capacity) {
    ploy_kdtree_def def = ploy_kdtree_def_default();
    def.capacity = capacity;
    ploy_env env = ploy_env_default();
    ploy_kdtree *tree = NULL;
    CHECK_OK(ploy_kdtree_create(&def, &env, &tree));
    return tree;
}

TEST(kdtree_create_refuses_bad_settings) {
    static const struct {
        const char *row;
        int32_t capacity;
        ploy_result want;
    } rows[] = {
        {"fine", 10, PLOY_OK},
        {"room for nobody", 0, PLOY_ERR_ARGUMENT},
        {"too many", (1 << 24) + 1, PLOY_ERR_ARGUMENT},
    };
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_kdtree_def def = ploy_kdtree_def_default();
        def.capacity = rows[i].capacity;
        ploy_kdtree *tree = (ploy_kdtree *)&env;
        CHECK_INT(ploy_kdtree_create(&def, &env, &tree), rows[i].want);
        CHECK((tree != NULL) == (rows[i].want == PLOY_OK));
        ploy_kdtree_destroy(tree);
    }
    t->row = NULL;
    CHECK_INT(ploy_kdtree_create(NULL, &env, NULL), PLOY_ERR_ARGUMENT);
}

TEST(a_kdtree_equals_asking_every_point) {
    static index_list2 list;
    static ploy_vec2 points[INDEX_MOST];
    for (uint64_t seed = 0; seed < (uint64_t)test_rounds(2000); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        float size = sizes[seed % COUNT_OF(sizes)];
        ploy_kdtree *tree = kdtree_new(t, INDEX_MOST);
        for (int32_t round = 0; round < 2; round++) { // again over the first
            list.count = ploy_rng_int(&rng, 0, seed % 4 == 0 ? 12 : INDEX_MOST);
            for (int32_t id = 0; id < list.count; id++) {
                points[id] = index_place2(&rng, seed / 5, size, id);
                list.box[id] = ploy_box2_make(points[id], points[id]);
                list.there[id] = true;
                if (!ploy_rng_chance(&rng, 0.03f)) continue;
                points[id].y = ploy_rng_chance(&rng, 0.5f) ? NAN : INFINITY; // left out
                list.there[id] = false;
            }
            ploy_points view = ploy_points_make(points, list.count);
            CHECK_OK(ploy_kdtree_rebuild(tree, &view));
            int32_t held = 0;
            for (int32_t id = 0; id < list.count; id++) held += list.there[id];
            CHECK_INT(ploy_kdtree_count(tree), held);
            for (int32_t k = 0; k < 12; k++) {
                ploy_query2 query = index_query2_any(&rng, &list, size);
                index_check2(t, ploy_kdtree_index(tree), &list, &query, index_room(&rng));
                if (query.kind >= PLOY_QUERY_RAY) {
                    index_check_walls2(t, ploy_kdtree_index(tree), &list, &query);
                }
            }
        }
        ploy_kdtree_destroy(tree);
    }
}

// By hand, on a lattice whose distances are known.
TEST(points_on_a_lattice_are_found_where_they_are) {
    ploy_kdtree *tree = kdtree_new(t, 100);
    ploy_vec2 points[100];
    for (int32_t i = 0; i < 100; i++) points[i] = test_v2(i % 10, i / 10);
    ploy_points view = ploy_points_make(points, 100);
    CHECK_OK(ploy_kdtree_rebuild(tree, &view));
    ploy_found out[100];
    ploy_query2 query = ploy_query2_radius(test_v2(5, 5), 1);
    CHECK_INT(ploy_kdtree_find(tree, &query, out, 100, NULL), 5);
    static const int32_t cross[] = {45, 54, 55, 56, 65};
    for (int32_t i = 0; i < 5; i++) CHECK_INT(out[i].id, cross[i]);
    CHECK_SAME(out[0].rank, 1);
    CHECK_SAME(out[2].rank, 0);
    CHECK_INT(ploy_kdtree_find(tree, &query, out, 2, NULL), 5); // the lowest two of five
    CHECK_INT(out[1].id, 54);
    CHECK_INT(ploy_kdtree_find(tree, &query, NULL, 0, NULL), 5);
    query = ploy_query2_nearest(test_v2(-3, 0), INFINITY);
    CHECK_INT(ploy_kdtree_find(tree, &query, out, 3, NULL), 3);
    CHECK_INT(out[0].id, 0);
    CHECK_INT(out[1].id, 10); // 9 + 1, before number 1 at 16
    CHECK_INT(out[2].id, 20);
    CHECK_SAME(out[2].rank, 13);
    query = ploy_query2_ray(ploy_ray2_make(test_v2(-1, 3), test_v2(1, 0)));
    CHECK_INT(ploy_kdtree_find(tree, &query, out, 2, NULL), 2);
    CHECK_INT(out[0].id, 30);
    CHECK_SAME(out[0].rank, 1);
    CHECK_INT(out[1].id, 31);
    query = ploy_query2_sweep(ploy_sweep_between(test_v2(2.5, -3), test_v2(2.5, 3), 0.75f));
    CHECK_INT(ploy_kdtree_find(tree, &query, out, 100, NULL), 8);
    CHECK_INT(out[0].id, 2); // as far as number 3, which comes after it
    CHECK_INT(out[1].id, 3);
    ploy_kdtree_destroy(tree);
}

TEST(a_kdtree_refuses_what_it_cannot_hold_and_finds_nothing_for_nonsense) {
    ploy_kdtree *tree = kdtree_new(t, 4);
    ploy_vec2 many[5] = {{1, 1}, {2, 2}, {3, 3}, {4, 4}, {5, 5}};
    ploy_points view = ploy_points_make(many, 4);
    CHECK_OK(ploy_kdtree_rebuild(tree, &view));
    view.count = 5;
    CHECK_INT(ploy_kdtree_rebuild(tree, &view), PLOY_ERR_CAPACITY);
    view.count = -1;
    CHECK_INT(ploy_kdtree_rebuild(tree, &view), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_kdtree_count(tree), 4);
    ploy_ray2 right = ploy_ray2_make(test_v2(0, 1), test_v2(1, 0)), odd = right, endless = right;
    odd.origin.y = NAN;
    endless.length = -1;
    ploy_sweep wide = {right, INFINITY};
    const struct {
        const char *row;
        ploy_query2 query;
    } rows[] = {
        {"radius below 0", ploy_query2_radius(test_v2(0, 0), -1)},
        {"radius NaN", ploy_query2_radius(test_v2(0, 0), NAN)},
        {"centre NaN", ploy_query2_radius(test_v2(NAN, 0), 10)},
        {"centre infinite", ploy_query2_nearest(test_v2(0, INFINITY), INFINITY)},
        {"distance NaN", ploy_query2_nearest(test_v2(0, 0), NAN)},
        {"empty box", ploy_query2_box(ploy_box2_empty())},
        {"ray from nowhere", ploy_query2_ray(odd)},
        {"length below 0", ploy_query2_ray(endless)},
        {"endless circle", ploy_query2_sweep(wide)},
    };
    ploy_found out[4];
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        CHECK_INT(ploy_kdtree_find(tree, &rows[i].query, out, 4, NULL), 0);
    }
    t->row = NULL;
    ploy_query2 fine = ploy_query2_ray(right);
    CHECK_INT(ploy_kdtree_find(tree, &fine, out, 4, NULL), 1);
    ploy_query2 unknown = fine;
    unknown.kind = (ploy_query_kind)77;
    CHECK_INT(ploy_kdtree_find(tree, &unknown, out, 4, NULL), 0);
    ploy_box2 everything = {{-INFINITY, -INFINITY}, {INFINITY, INFINITY}};
    fine = ploy_query2_box(everything);
    CHECK_INT(ploy_kdtree_find(tree, &fine, out, 4, NULL), 4);
    ploy_kdtree_destroy(tree);
}

static ploy_result kdtree_make(const ploy_env *env, void *arg) {
    (void)arg;
    ploy_kdtree_def def = ploy_kdtree_def_default();
    ploy_kdtree *tree = NULL;
    ploy_result result = ploy_kdtree_create(&def, env, &tree);
    if ((result == PLOY_OK) != (tree != NULL)) result = PLOY_ERR_STATE;
    ploy_kdtree_destroy(tree);
    return result;
}

TEST(kdtrees_survive_every_failing_allocation) {
    CHECK_FAIL_NTH(kdtree_make, NULL);
}

static void kdtree_bytes(void *user, const ploy_memory_item *item) {
    *(int64_t *)user += (int64_t)item->bytes;
}

static void kdtree_lines(void *user, const ploy_draw_item *item) {
    int32_t *count = user;
    if (item->shape == PLOY_SHAPE_LINE && item->count == 5) (*count)++;
}

TEST(only_create_allocates_for_a_kdtree_and_its_parts_are_drawn) {
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    ploy_kdtree_def def = ploy_kdtree_def_default();
    def.capacity = 1000;
    ploy_kdtree *tree = NULL;
    CHECK_OK(ploy_kdtree_create(&def, &env, &tree));
    int64_t told = 0, calls = counts.calls;
    ploy_kdtree_memory(tree, kdtree_bytes, &told);
    CHECK_INT(told, counts.bytes);
    int32_t lines = 0;
    ploy_draw out = {kdtree_lines, &lines, ~0u};
    ploy_kdtree_draw(tree, &out);
    CHECK_INT(lines, 0);
    static ploy_vec2 points[1000];
    ploy_rng rng = ploy_rng_make(1);
    for (int32_t i = 0; i < 1000; i++) points[i] = test_random_vec2(&rng, 99);
    ploy_points view = ploy_points_make(points, 1000);
    CHECK_OK(ploy_kdtree_rebuild(tree, &view));
    ploy_query_stats stats = {0, 0, 0};
    ploy_found found[20];
    for (int32_t i = 0; i < 1000; i++) {
        ploy_query2 query = ploy_query2_nearest(points[i], INFINITY);
        CHECK_INT(ploy_kdtree_find(tree, &query, found, 1, &stats), 1);
        CHECK_INT(found[0].id, i);
    }
    CHECK_INT(counts.calls, calls);
    // A few leaves each, not the thousand points that asking everybody takes.
    CHECK(stats.objects >= 1000);
    CHECK(stats.objects < 40 * 1000);
    CHECK(stats.nodes < 60 * 1000);
    CHECK(stats.found >= 1000);
    CHECK(stats.found <= stats.objects);
    ploy_kdtree_draw(tree, &out);
    CHECK(lines >= 100 && lines <= 1000 && (lines & (lines - 1)) == 0);
    out.layers = 0;
    int32_t before = lines;
    ploy_kdtree_draw(tree, &out);
    CHECK_INT(lines, before);
    ploy_kdtree_destroy(tree);
    CHECK_INT(counts.bytes, 0);
}

static uint64_t kdtree_hash(const ploy_kdtree *tree) {
    ploy_hash_sink sink;
    ploy_hash_sink_init(&sink);
    ploy_describe out = ploy_hash_sink_describe(&sink);
    ploy_kdtree_describe(tree, &out);
    return ploy_hash_sink_result(&sink);
}

TEST(state_of_a_kdtree_is_its_points) {
    ploy_kdtree *one = kdtree_new(t, 60), *two = kdtree_new(t, 600);
    ploy_rng rng = ploy_rng_make(5);
    ploy_vec2 points[50];
    for (int32_t i = 0; i < 50; i++) points[i] = test_random_vec2(&rng, 9);
    ploy_points view = ploy_points_make(points, 50);
    CHECK_OK(ploy_kdtree_rebuild(one, &view));
    CHECK_OK(ploy_kdtree_rebuild(two, &view));
    CHECK_UINT(kdtree_hash(one), kdtree_hash(two));
    points[7].x += 0.001f;
    CHECK_OK(ploy_kdtree_rebuild(two, &view));
    CHECK(kdtree_hash(one) != kdtree_hash(two));
    ploy_kdtree_destroy(one);
    ploy_kdtree_destroy(two);
}
