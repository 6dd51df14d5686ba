#include "tests/geom/index_test.h"

#include "ploy/base/describe.h"
#include "ploy/geom/bvh.h"
#include "ploy/geom/kdtree.h"

static const float sizes[] = {10, 1000, 1e9f, 1e-3f, 1e15f};

static ploy_bvh2 *bvh2_new(test_context *t, int32_t capacity, float margin) {
    ploy_bvh_def def = ploy_bvh_def_default();
    def.capacity = capacity;
    def.margin = margin;
    ploy_env env = ploy_env_default();
    ploy_bvh2 *bvh = NULL;
    CHECK_OK(ploy_bvh2_create(&def, &env, &bvh));
    return bvh;
}

static ploy_bvh3 *bvh3_new(test_context *t, int32_t capacity, float margin) {
    ploy_bvh_def def = ploy_bvh_def_default();
    def.capacity = capacity;
    def.margin = margin;
    ploy_env env = ploy_env_default();
    ploy_bvh3 *bvh = NULL;
    CHECK_OK(ploy_bvh3_create(&def, &env, &bvh));
    return bvh;
}

static void check_bvh2(test_context *t, const ploy_bvh2 *bvh, const index_list2 *list,
                       ploy_rng *rng, float size, int32_t queries) {
    ploy_index2 index = ploy_bvh2_index(bvh);
    for (int32_t k = 0; k < queries; k++) {
        ploy_query2 query = index_query2_any(rng, list, size);
        index_check2(t, index, list, &query, index_room(rng));
        if (query.kind >= PLOY_QUERY_RAY) index_check_walls2(t, index, list, &query);
    }
}

static void check_bvh3(test_context *t, const ploy_bvh3 *bvh, const index_list3 *list,
                       ploy_rng *rng, float size, int32_t queries) {
    for (int32_t k = 0; k < queries; k++) {
        ploy_query3 query = index_query3_any(rng, list, size);
        index_check3(t, ploy_bvh3_index(bvh), list, &query, index_room(rng));
    }
}

TEST(bvh_create_refuses_bad_settings) {
    static const struct {
        const char *row;
        int32_t capacity;
        float margin;
        ploy_result want;
    } rows[] = {
        {"fine", 10, 1, PLOY_OK},
        {"no margin", 1, 0, PLOY_OK},
        {"room for nobody", 0, 1, PLOY_ERR_ARGUMENT},
        {"too many", (1 << 24) + 1, 1, PLOY_ERR_ARGUMENT},
        {"negative", 10, -1, PLOY_ERR_ARGUMENT},
        {"not a number", 10, NAN, PLOY_ERR_ARGUMENT},
    };
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_bvh_def def = ploy_bvh_def_default();
        def.capacity = rows[i].capacity;
        def.margin = rows[i].margin;
        ploy_bvh2 *two = (ploy_bvh2 *)&env;
        ploy_bvh3 *three = (ploy_bvh3 *)&env;
        CHECK_INT(ploy_bvh2_create(&def, &env, &two), rows[i].want);
        CHECK_INT(ploy_bvh3_create(&def, &env, &three), rows[i].want);
        CHECK((two != NULL) == (rows[i].want == PLOY_OK));
        CHECK((three != NULL) == (rows[i].want == PLOY_OK));
        ploy_bvh2_destroy(two);
        ploy_bvh3_destroy(three);
    }
    t->row = NULL;
    CHECK_INT(ploy_bvh2_create(NULL, &env, NULL), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_bvh3_create(NULL, &env, NULL), PLOY_ERR_ARGUMENT);
}

TEST(a_rebuilt_bvh_equals_asking_every_box) {
    static index_list2 list;
    for (uint64_t seed = 0; seed < (uint64_t)test_rounds(800); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        float size = sizes[seed % COUNT_OF(sizes)];
        ploy_bvh2 *bvh = bvh2_new(t, INDEX_MOST, 0.1f);
        list.count = ploy_rng_int(&rng, 0, seed % 4 == 0 ? 12 : INDEX_MOST);
        int32_t held = 0;
        for (int32_t id = 0; id < list.count; id++) {
            list.box[id] = index_box2(&rng, seed / 5, size, id);
            list.there[id] = !ploy_rng_chance(&rng, 0.03f);
            held += list.there[id];
        }
        ploy_box2 boxes[INDEX_MOST];
        for (int32_t id = 0; id < list.count; id++) {
            boxes[id] = list.there[id] ? list.box[id] : ploy_box2_empty(); // those are left out
        }
        CHECK_OK(ploy_bvh2_rebuild(bvh, boxes, list.count));
        CHECK_INT(ploy_bvh2_count(bvh), held);
        check_bvh2(t, bvh, &list, &rng, size, 12);
        // Everybody moves: the same tree, other bounds.
        for (int32_t id = 0; id < list.count; id++) {
            list.box[id] = index_box2(&rng, seed / 7, size, id);
            boxes[id] = list.there[id] ? list.box[id] : ploy_box2_empty();
        }
        CHECK_OK(ploy_bvh2_refit(bvh, boxes, list.count));
        check_bvh2(t, bvh, &list, &rng, size, 12);
        ploy_bvh2_destroy(bvh);
    }
}

TEST(a_rebuilt_bvh_of_space_equals_asking_every_box) {
    static index_list3 list;
    for (uint64_t seed = 0; seed < (uint64_t)test_rounds(800); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        float size = sizes[seed % COUNT_OF(sizes)];
        ploy_bvh3 *bvh = bvh3_new(t, INDEX_MOST, 0.1f);
        list.count = ploy_rng_int(&rng, 0, seed % 4 == 0 ? 12 : INDEX_MOST);
        for (int32_t id = 0; id < list.count; id++) {
            list.box[id] = index_box3(&rng, seed / 5, size, id);
            list.there[id] = true;
        }
        CHECK_OK(ploy_bvh3_rebuild(bvh, list.box, list.count));
        CHECK_INT(ploy_bvh3_count(bvh), list.count);
        check_bvh3(t, bvh, &list, &rng, size, 12);
        for (int32_t id = 0; id < list.count; id++) {
            list.box[id] = index_box3(&rng, seed / 7, size, id);
        }
        CHECK_OK(ploy_bvh3_refit(bvh, list.box, list.count));
        check_bvh3(t, bvh, &list, &rng, size, 12);
        ploy_bvh3_destroy(bvh);
    }
}

TEST(a_changing_bvh_equals_asking_every_box) {
    static index_list2 list;
    for (uint64_t seed = 0; seed < (uint64_t)test_rounds(150); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        float size = sizes[seed % COUNT_OF(sizes)];
        int32_t most = seed % 2 == 0 ? 20 : INDEX_MOST, count = 0;
        ploy_bvh2 *bvh = bvh2_new(t, most, seed % 3 == 0 ? 0 : fminf(size * 0.05f, 1e9f));
        memset(&list, 0, sizeof list);
        list.count = most;
        for (int32_t step = 0; step < 500; step++) {
            int32_t id = ploy_rng_int(&rng, 0, most - 1), what = ploy_rng_int(&rng, 0, 9);
            ploy_box2 box = index_box2(&rng, seed, size, id);
            bool there = list.there[id];
            if (what < 4) {
                CHECK_INT(ploy_bvh2_insert(bvh, id, box), there ? PLOY_ERR_EXISTS : PLOY_OK);
                if (!there) list.box[id] = box;
                count += !there;
                list.there[id] = true;
            } else if (what < 7) {
                if (what == 5) { // a small step, mostly within the margin
                    ploy_vec2 way = test_random_vec2(&rng, size * 0.02f);
                    box = ploy_box2_make(ploy_vec2_add(list.box[id].min, way),
                                         ploy_vec2_add(list.box[id].max, way));
                }
                CHECK_INT(ploy_bvh2_move(bvh, id, box), there ? PLOY_OK : PLOY_ERR_NOT_FOUND);
                if (there) list.box[id] = box;
            } else if (what < 9) {
                CHECK_INT(ploy_bvh2_remove(bvh, id), there ? PLOY_OK : PLOY_ERR_NOT_FOUND);
                count -= there;
                list.there[id] = false;
            } else if (step % 50 == 0) {
                count = ploy_rng_int(&rng, 0, most);
                for (int32_t i = 0; i < most; i++) {
                    list.there[i] = i < count;
                    if (i < count) list.box[i] = index_box2(&rng, seed, size, i);
                }
                CHECK_OK(ploy_bvh2_rebuild(bvh, list.box, count));
            } else if (step % 7 == 0) {
                for (int32_t i = 0; i < most / 2; i++) {
                    list.box[i] = index_box2(&rng, seed, size, i);
                }
                CHECK_OK(ploy_bvh2_refit(bvh, list.box, most / 2));
            }
            CHECK_INT(ploy_bvh2_count(bvh), count);
            ploy_box2 got;
            CHECK(ploy_bvh2_get(bvh, id, &got) == list.there[id]);
            if (list.there[id]) CHECK_BYTES(&got, &list.box[id], sizeof got);
            if (step % 5 == 0) check_bvh2(t, bvh, &list, &rng, size, 2);
        }
        ploy_bvh2_clear(bvh);
        memset(list.there, 0, sizeof list.there);
        CHECK_INT(ploy_bvh2_count(bvh), 0);
        check_bvh2(t, bvh, &list, &rng, size, 3);
        ploy_bvh2_destroy(bvh);
    }
}

TEST(a_changing_bvh_of_space_equals_asking_every_box) {
    static index_list3 list;
    for (uint64_t seed = 0; seed < (uint64_t)test_rounds(80); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        float size = sizes[seed % COUNT_OF(sizes)];
        int32_t most = seed % 2 == 0 ? 20 : INDEX_MOST, count = 0;
        ploy_bvh3 *bvh = bvh3_new(t, most, seed % 3 == 0 ? 0 : fminf(size * 0.05f, 1e9f));
        memset(&list, 0, sizeof list);
        list.count = most;
        for (int32_t step = 0; step < 400; step++) {
            int32_t id = ploy_rng_int(&rng, 0, most - 1), what = ploy_rng_int(&rng, 0, 8);
            ploy_box3 box = index_box3(&rng, seed, size, id);
            bool there = list.there[id];
            if (what < 4) {
                CHECK_INT(ploy_bvh3_insert(bvh, id, box), there ? PLOY_ERR_EXISTS : PLOY_OK);
                if (!there) list.box[id] = box;
                count += !there;
                list.there[id] = true;
            } else if (what < 7) {
                CHECK_INT(ploy_bvh3_move(bvh, id, box), there ? PLOY_OK : PLOY_ERR_NOT_FOUND);
                if (there) list.box[id] = box;
            } else {
                CHECK_INT(ploy_bvh3_remove(bvh, id), there ? PLOY_OK : PLOY_ERR_NOT_FOUND);
                count -= there;
                list.there[id] = false;
            }
            CHECK_INT(ploy_bvh3_count(bvh), count);
            ploy_box3 got;
            CHECK(ploy_bvh3_get(bvh, id, &got) == list.there[id]);
            if (list.there[id]) CHECK_BYTES(&got, &list.box[id], sizeof got);
            if (step % 5 == 0) check_bvh3(t, bvh, &list, &rng, size, 2);
        }
        ploy_bvh3_clear(bvh);
        CHECK_INT(ploy_bvh3_count(bvh), 0);
        ploy_bvh3_destroy(bvh);
    }
}

typedef struct bvh_told {
    int64_t height;
} bvh_told;

// The height as describe tells it.
static void bvh_height(void *user, const char *name, ploy_mark mark, const ploy_value *value) {
    (void)mark;
    if (strcmp(name, "height") == 0) ((bvh_told *)user)->height = value->as.i64;
}

TEST(a_bvh_stays_balanced_when_boxes_come_in_the_worst_order) {
    enum { MANY = 4096 };
    ploy_bvh2 *bvh = bvh2_new(t, MANY, 0.1f);
    bvh_told told = {0};
    ploy_describe out;
    memset(&out, 0, sizeof out);
    out.value = bvh_height;
    out.user = &told;
    for (int32_t turn = 0; turn < 2; turn++) {
        // In a row, each beyond the last: an unbalanced tree would be a list.
        for (int32_t i = 0; i < MANY; i++) {
            ploy_box2 box = ploy_box2_make(test_v2(i * 2, 0), test_v2(i * 2 + 1, turn));
            CHECK_OK(ploy_bvh2_insert(bvh, i, box));
        }
        ploy_bvh2_describe(bvh, &out);
        CHECK(told.height >= 12);
        CHECK(told.height <= 17); // 1.45 log2 4096
        // Half of it goes from one end, then all of it.
        for (int32_t i = 0; i < MANY - 64; i++) CHECK_OK(ploy_bvh2_remove(bvh, i));
        ploy_bvh2_describe(bvh, &out);
        CHECK(told.height >= 6);
        CHECK(told.height <= 8); // 1.45 log2 64
        for (int32_t i = MANY - 64; i < MANY; i++) CHECK_OK(ploy_bvh2_remove(bvh, i));
    }
    CHECK_INT(ploy_bvh2_count(bvh), 0);
    ploy_bvh2_destroy(bvh);
}

TEST(a_bvh_of_points_and_a_kdtree_answer_alike) {
    static index_list2 list;
    static ploy_vec2 points[INDEX_MOST];
    for (uint64_t seed = 0; seed < 100; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        list.count = INDEX_MOST;
        for (int32_t i = 0; i < INDEX_MOST; i++) {
            points[i] = index_place2(&rng, seed, 50, i);
            list.box[i] = ploy_box2_make(points[i], points[i]);
        }
        ploy_bvh2 *bvh = bvh2_new(t, INDEX_MOST, 1);
        CHECK_OK(ploy_bvh2_rebuild(bvh, list.box, INDEX_MOST));
        ploy_kdtree_def def = ploy_kdtree_def_default();
        ploy_env env = ploy_env_default();
        ploy_kdtree *tree = NULL;
        CHECK_OK(ploy_kdtree_create(&def, &env, &tree));
        ploy_points view = ploy_points_make(points, INDEX_MOST);
        CHECK_OK(ploy_kdtree_rebuild(tree, &view));
        for (int32_t k = 0; k < 30; k++) {
            ploy_query2 query = index_query2_any(&rng, &list, 50);
            ploy_found a[INDEX_MOST], b[INDEX_MOST];
            int32_t count = ploy_kdtree_find(tree, &query, a, INDEX_MOST, NULL);
            CHECK_INT(ploy_bvh2_find(bvh, &query, b, INDEX_MOST, NULL), count);
            for (int32_t i = 0; i < count; i++) {
                CHECK_INT(b[i].id, a[i].id);
                CHECK_SAME(b[i].rank, a[i].rank);
            }
        }
        ploy_kdtree_destroy(tree);
        ploy_bvh2_destroy(bvh);
    }
}

TEST(bad_ids_and_boxes_are_refused) {
    ploy_bvh2 *bvh = bvh2_new(t, 4, 1);
    ploy_box2 unit = ploy_box2_make(test_v2(0, 0), test_v2(1, 1)), odd = unit, wide = unit;
    odd.min.x = NAN;
    wide.max.y = INFINITY;
    CHECK_INT(ploy_bvh2_insert(bvh, -1, unit), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_bvh2_insert(bvh, 4, unit), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_bvh2_insert(bvh, 0, odd), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_bvh2_insert(bvh, 0, wide), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_bvh2_insert(bvh, 0, ploy_box2_empty()), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_bvh2_move(bvh, 9, unit), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_bvh2_move(bvh, 0, unit), PLOY_ERR_NOT_FOUND);
    CHECK_INT(ploy_bvh2_remove(bvh, -1), PLOY_ERR_NOT_FOUND);
    CHECK_INT(ploy_bvh2_remove(bvh, 4), PLOY_ERR_NOT_FOUND);
    CHECK_INT(ploy_bvh2_remove(bvh, 0), PLOY_ERR_NOT_FOUND);
    CHECK_OK(ploy_bvh2_insert(bvh, 2, unit));
    ploy_box2 boxes[5] = {unit, unit, odd, unit, unit};
    CHECK_INT(ploy_bvh2_rebuild(bvh, boxes, 5), PLOY_ERR_CAPACITY);
    CHECK_INT(ploy_bvh2_rebuild(bvh, boxes, -1), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_bvh2_refit(bvh, boxes, 3), PLOY_ERR_ARGUMENT); // 2 is held
    CHECK_INT(ploy_bvh2_refit(bvh, boxes, 5), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_bvh2_refit(bvh, boxes, -1), PLOY_ERR_ARGUMENT);
    CHECK_OK(ploy_bvh2_refit(bvh, boxes, 2));
    CHECK_INT(ploy_bvh2_count(bvh), 1);
    ploy_box2 got;
    CHECK(!ploy_bvh2_get(bvh, 7, &got));
    CHECK(ploy_bvh2_get(bvh, 2, &got));
    CHECK_SAME(got.max.y, 1);
    ploy_bvh2_destroy(bvh);
    ploy_bvh2_destroy(NULL);
    ploy_bvh3_destroy(NULL);
}

static bool visit_stop(void *user, int32_t id, double *limit) {
    (void)id;
    (void)limit;
    return --*(int32_t *)user > 0;
}

static bool visit_count(void *user, int32_t id, double *limit) {
    (void)id;
    (void)limit;
    ++*(int32_t *)user;
    return true;
}

TEST(a_visitor_sees_what_is_touched_until_it_has_enough) {
    ploy_bvh2 *bvh = bvh2_new(t, 100, 5);
    for (int32_t i = 0; i < 100; i++) {
        ploy_vec2 at = test_v2(i % 10 * 10, i / 10 * 10);
        CHECK_OK(ploy_bvh2_insert(bvh, i, ploy_box2_make(at, at)));
    }
    // Margins reach the neighbours; only boxes themselves count.
    ploy_query2 query = ploy_query2_radius(test_v2(50, 50), 12);
    int32_t seen = 0;
    ploy_query_stats stats = {0, 0, 0};
    ploy_bvh2_visit(bvh, &query, visit_count, &seen, &stats);
    CHECK_INT(seen, 5);
    CHECK_INT(stats.found, 5);
    CHECK(stats.objects >= 5 && stats.objects < 100);
    int32_t enough = 3;
    ploy_bvh2_visit(bvh, &query, visit_stop, &enough, NULL);
    CHECK_INT(enough, 0);
    ploy_bvh2_destroy(bvh);
}

static ploy_result bvh_make(const ploy_env *env, void *arg) {
    (void)arg;
    ploy_bvh_def def = ploy_bvh_def_default();
    ploy_bvh2 *two = NULL;
    ploy_bvh3 *three = NULL;
    ploy_result result = ploy_bvh2_create(&def, env, &two);
    if ((result == PLOY_OK) != (two != NULL)) result = PLOY_ERR_STATE;
    if (result == PLOY_OK) {
        result = ploy_bvh3_create(&def, env, &three);
        if ((result == PLOY_OK) != (three != NULL)) result = PLOY_ERR_STATE;
    }
    ploy_bvh2_destroy(two);
    ploy_bvh3_destroy(three);
    return result;
}

TEST(bvhs_survive_every_failing_allocation) {
    CHECK_FAIL_NTH(bvh_make, NULL);
}

static void bvh_bytes(void *user, const ploy_memory_item *item) {
    *(int64_t *)user += (int64_t)item->bytes;
}

TEST(only_create_allocates_for_a_bvh) {
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    ploy_bvh_def def = ploy_bvh_def_default();
    def.capacity = 300;
    ploy_bvh2 *two = NULL;
    ploy_bvh3 *three = NULL;
    CHECK_OK(ploy_bvh2_create(&def, &env, &two));
    CHECK_OK(ploy_bvh3_create(&def, &env, &three));
    int64_t told = 0, calls = counts.calls;
    ploy_bvh2_memory(two, bvh_bytes, &told);
    ploy_bvh3_memory(three, bvh_bytes, &told);
    CHECK_INT(told, counts.bytes);
    ploy_rng rng = ploy_rng_make(1);
    ploy_found out[10];
    for (int32_t turn = 0; turn < 3; turn++) {
        for (int32_t i = 0; i < 300; i++) {
            ploy_box2 flat = index_box2(&rng, 0, 50, i);
            ploy_box3 box = index_box3(&rng, 0, 50, i);
            CHECK_OK(turn == 0 ? ploy_bvh2_insert(two, i, flat) : ploy_bvh2_move(two, i, flat));
            CHECK_OK(turn == 0 ? ploy_bvh3_insert(three, i, box) : ploy_bvh3_move(three, i, box));
            ploy_query2 near2 = ploy_query2_nearest(flat.min, INFINITY);
            ploy_query3 near3 = ploy_query3_nearest(box.min, INFINITY);
            CHECK(ploy_bvh2_find(two, &near2, out, 10, NULL) > 0);
            CHECK_SAME(out[0].rank, 0);
            CHECK(ploy_bvh3_find(three, &near3, out, 10, NULL) > 0);
            CHECK_SAME(out[0].rank, 0);
        }
    }
    CHECK_INT(counts.calls, calls);
    ploy_bvh2_destroy(two);
    ploy_bvh3_destroy(three);
    CHECK_INT(counts.bytes, 0);
}

static uint64_t bvh_hash(const ploy_bvh2 *bvh) {
    ploy_hash_sink sink;
    ploy_hash_sink_init(&sink);
    ploy_describe out = ploy_hash_sink_describe(&sink);
    ploy_bvh2_describe(bvh, &out);
    return ploy_hash_sink_result(&sink);
}

TEST(state_of_a_bvh_is_its_boxes_and_not_how_they_came) {
    ploy_bvh2 *one = bvh2_new(t, 50, 2), *two = bvh2_new(t, 60, 0.5f);
    ploy_rng rng = ploy_rng_make(5);
    ploy_box2 boxes[50];
    for (int32_t i = 0; i < 50; i++) boxes[i] = index_box2(&rng, 0, 9, i);
    CHECK_OK(ploy_bvh2_rebuild(one, boxes, 50));
    for (int32_t i = 49; i >= 0; i--) CHECK_OK(ploy_bvh2_insert(two, i, boxes[0]));
    for (int32_t i = 0; i < 50; i++) CHECK_OK(ploy_bvh2_move(two, i, boxes[i]));
    CHECK_UINT(bvh_hash(one), bvh_hash(two));
    boxes[7].max.x += 1;
    CHECK_OK(ploy_bvh2_move(two, 7, boxes[7]));
    CHECK(bvh_hash(one) != bvh_hash(two));
    ploy_bvh2_destroy(one);
    ploy_bvh2_destroy(two);
}

typedef struct bvh_drawn {
    int32_t boxes, holders, edges;
} bvh_drawn;

static void bvh_draw_count(void *user, const ploy_draw_item *item) {
    bvh_drawn *drawn = user;
    if (item->count == 2) {
        drawn->edges++;
    } else if (item->style == PLOY_STYLE_PLAIN) {
        drawn->boxes++;
    } else {
        drawn->holders++;
    }
}

TEST(boxes_and_what_holds_them_are_drawn) {
    ploy_bvh2 *two = bvh2_new(t, 9, 1);
    ploy_bvh3 *three = bvh3_new(t, 9, 1);
    bvh_drawn drawn = {0, 0, 0};
    ploy_draw out = {bvh_draw_count, &drawn, ~0u};
    ploy_bvh2_draw(two, &out);
    CHECK_INT(drawn.boxes, 0);
    ploy_rng rng = ploy_rng_make(2);
    for (int32_t i = 0; i < 9; i++) {
        CHECK_OK(ploy_bvh2_insert(two, i, index_box2(&rng, 0, 20, i)));
        CHECK_OK(ploy_bvh3_insert(three, i, index_box3(&rng, 0, 20, i)));
    }
    ploy_bvh2_draw(two, &out);
    CHECK_INT(drawn.boxes, 9);
    CHECK_INT(drawn.holders, 8);
    CHECK_INT(drawn.edges, 0);
    ploy_bvh3_draw(three, &out);
    CHECK_INT(drawn.boxes, 18);
    CHECK_INT(drawn.holders, 16);
    CHECK_INT(drawn.edges, 3 * 17);
    out.layers = 0;
    ploy_bvh2_draw(two, &out);
    CHECK_INT(drawn.boxes, 18);
    ploy_bvh2_destroy(two);
    ploy_bvh3_destroy(three);
}
