#include "tests/geom/index_test.h"

#include "geom/index_internal.h"
#include "ploy/geom/bvh.h"
#include "ploy/geom/kdtree.h"

TEST(kinds_of_queries_have_names) {
    CHECK_TEXT(ploy_query_kind_text(PLOY_QUERY_RADIUS), "radius");
    CHECK_TEXT(ploy_query_kind_text(PLOY_QUERY_SWEEP), "sweep");
    CHECK_TEXT(ploy_query_kind_text((ploy_query_kind)5), "?");
    CHECK_TEXT(ploy_query_kind_text((ploy_query_kind)-1), "?");
}

static int keyed_order(const void *a, const void *b) {
    const ployi_keyed *p = a, *q = b;
    if (p->key != q->key) return p->key < q->key ? -1 : 1;
    return (p->id > q->id) - (p->id < q->id);
}

TEST(selection_finds_what_sorting_finds) {
    static ployi_keyed items[3000], sorted[3000];
    for (uint64_t seed = 0; seed < 200; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        int32_t count = ploy_rng_int(&rng, 1, seed % 5 == 0 ? 3000 : 40);
        for (int32_t i = 0; i < count; i++) {
            float key = ploy_rng_range(&rng, -9, 9);
            switch (seed % 6) {
            case 1: key = (float)i; break;                                   // sorted
            case 2: key = (float)-i; break;                                  // backwards
            case 3: key = 1; break;                                          // all equal
            case 4: key = (float)(i % 2 == 0 ? i : count - i); break;        // a zip
            case 5: key = (float)(i < count / 2 ? i : count - 1 - i); break; // an organ pipe
            default: break;
            }
            items[i].key = key;
            items[i].id = i ^ 1365; // not in order
        }
        memcpy(sorted, items, (size_t)count * sizeof items[0]);
        qsort(sorted, (size_t)count, sizeof sorted[0], keyed_order);
        int32_t place = ploy_rng_int(&rng, 0, count - 1);
        ployi_keyed_select(items, count, place);
        CHECK_INT(items[place].id, sorted[place].id);
        for (int32_t i = 0; i < count; i++) {
            int order = keyed_order(&items[i], &items[place]);
            CHECK(i < place ? order <= 0 : order >= 0);
        }
        qsort(items, (size_t)count, sizeof items[0], keyed_order); // nobody got lost
        CHECK_BYTES(items, sorted, (size_t)count * sizeof items[0]);
    }
}

enum { QUERIES = 500, ROOM = 20 };

// The answers of a batch by themselves, then over jobs.
static void check_batch(test_context *t, ploy_index2 plane, ploy_index3 space,
                        const ploy_query2 *queries2, const ploy_query3 *queries3,
                        const ploy_jobs *jobs) {
    static ploy_found out[QUERIES * ROOM], one[ROOM];
    static int32_t totals[QUERIES];
    memset(out, 0, sizeof out);
    if (queries2 != NULL) {
        CHECK_OK(ploy_index2_find_batch(plane, queries2, QUERIES, out, ROOM, totals, jobs));
    } else {
        CHECK_OK(ploy_index3_find_batch(space, queries3, QUERIES, out, ROOM, totals, jobs));
    }
    for (int32_t i = 0; i < QUERIES; i++) {
        int32_t total = queries2 != NULL ? ploy_index2_find(plane, &queries2[i], one, ROOM, NULL)
                                         : ploy_index3_find(space, &queries3[i], one, ROOM, NULL);
        CHECK_INT(totals[i], total);
        for (int32_t k = 0; k < total && k < ROOM; k++) {
            CHECK_INT(out[i * ROOM + k].id, one[k].id);
            CHECK_SAME(out[i * ROOM + k].rank, one[k].rank);
        }
    }
}

TEST(a_batch_answers_as_one_by_one_for_any_number_of_workers) {
    static index_list2 flat;
    static index_list3 solid;
    static ploy_query2 queries2[QUERIES];
    static ploy_query3 queries3[QUERIES];
    ploy_rng rng = ploy_rng_make(11);
    flat.count = solid.count = INDEX_MOST;
    for (int32_t i = 0; i < INDEX_MOST; i++) {
        flat.box[i] = index_box2(&rng, 0, 60, i);
        solid.box[i] = index_box3(&rng, 0, 60, i);
    }
    for (int32_t i = 0; i < QUERIES; i++) {
        queries2[i] = index_query2_any(&rng, &flat, 60);
        queries3[i] = index_query3_any(&rng, &solid, 60);
    }
    ploy_env env = ploy_env_default();
    ploy_bvh_def def = ploy_bvh_def_default();
    ploy_bvh2 *two = NULL;
    ploy_bvh3 *three = NULL;
    CHECK_OK(ploy_bvh2_create(&def, &env, &two));
    CHECK_OK(ploy_bvh3_create(&def, &env, &three));
    CHECK_OK(ploy_bvh2_rebuild(two, flat.box, INDEX_MOST));
    CHECK_OK(ploy_bvh3_rebuild(three, solid.box, INDEX_MOST));
    for (int32_t workers = 0; workers <= 3; workers++) {
        ploy_job_pool *pool = NULL;
        if (workers > 0) {
            ploy_result result = ploy_job_pool_create(workers, &env, &pool);
            if (result == PLOY_ERR_UNSUPPORTED) break; // no threads here
            CHECK_OK(result);
        }
        const ploy_jobs *jobs = pool == NULL ? NULL : ploy_job_pool_jobs(pool);
        check_batch(t, ploy_bvh2_index(two), ploy_bvh3_index(three), queries2, NULL, jobs);
        check_batch(t, ploy_bvh2_index(two), ploy_bvh3_index(three), NULL, queries3, jobs);
        ploy_job_pool_destroy(pool);
    }
    int32_t total = 7;
    ploy_index2 plane = ploy_bvh2_index(two);
    ploy_index3 space = ploy_bvh3_index(three);
    CHECK_INT(ploy_index2_find_batch(plane, queries2, -1, NULL, 0, &total, NULL),
              PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_index3_find_batch(space, queries3, 1, NULL, -1, &total, NULL),
              PLOY_ERR_ARGUMENT);
    CHECK_OK(ploy_index2_find_batch(plane, queries2, 0, NULL, 0, &total, NULL));
    CHECK_INT(total, 7);
    ploy_query2 all = ploy_query2_radius(test_v2(0, 0), 1000); // counting needs no room
    CHECK_OK(ploy_index2_find_batch(plane, &all, 1, NULL, 0, &total, NULL));
    CHECK_INT(total, INDEX_MOST);
    ploy_bvh2_destroy(two);
    ploy_bvh3_destroy(three);
}

// What a small query looks at, on average, among so many points a metre apart.
static double nodes_looked_at(test_context *t, int32_t count, bool tree) {
    static ploy_vec2 points[64000];
    static ploy_box2 boxes[64000];
    ploy_rng rng = ploy_rng_make(3);
    float half = sqrtf((float)count) * 0.5f;
    for (int32_t i = 0; i < count; i++) {
        points[i] = test_random_vec2(&rng, half);
        boxes[i] = ploy_box2_make(points[i], ploy_vec2_add(points[i], test_v2(0.5, 0.5)));
    }
    ploy_env env = ploy_env_default();
    ploy_kdtree_def kdtree_def = ploy_kdtree_def_default();
    ploy_bvh_def bvh_def = ploy_bvh_def_default();
    kdtree_def.capacity = bvh_def.capacity = count;
    ploy_kdtree *kdtree = NULL;
    ploy_bvh2 *bvh = NULL;
    CHECK_OK(ploy_kdtree_create(&kdtree_def, &env, &kdtree));
    CHECK_OK(ploy_bvh2_create(&bvh_def, &env, &bvh));
    ploy_points view = ploy_points_make(points, count);
    CHECK_OK(ploy_kdtree_rebuild(kdtree, &view));
    CHECK_OK(ploy_bvh2_rebuild(bvh, boxes, count));
    ploy_index2 index = tree ? ploy_kdtree_index(kdtree) : ploy_bvh2_index(bvh);
    ploy_query_stats stats = {0, 0, 0};
    for (int32_t i = 0; i < 1000; i++) {
        ploy_found out[8];
        ploy_query2 query = ploy_query2_nearest(test_random_vec2(&rng, half), INFINITY);
        CHECK_INT(ploy_index2_find(index, &query, out, 8, &stats), 8);
    }
    ploy_kdtree_destroy(kdtree);
    ploy_bvh2_destroy(bvh);
    return (double)stats.nodes / 1000;
}

TEST(what_a_query_looks_at_grows_no_faster_than_the_logarithm) {
    for (int32_t tree = 0; tree < 2; tree++) {
        t->row = tree == 1 ? "kdtree" : "bvh2";
        double few = nodes_looked_at(t, 1000, tree == 1);
        double more = nodes_looked_at(t, 8000, tree == 1);
        double many = nodes_looked_at(t, 64000, tree == 1);
        CHECK(few > 10);
        CHECK(few < 100);
        CHECK(more - few < 3 * 4.0);             // two nodes a doubling are the way down
        CHECK(many - more < 1.1 * (more - few)); // and eight times as many add no more again
    }
    t->row = NULL;
}
