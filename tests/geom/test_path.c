#include "geom/geom_internal.h"
#include "tests/geom/geom_test.h"

#include "ploy/geom/path.h"
#include "tests/state.h"

static ploy_path *path_new(test_context *t, bool closed) {
    ploy_path_def def = ploy_path_def_default();
    def.closed = closed;
    ploy_env env = ploy_env_default();
    ploy_path *path = NULL;
    CHECK_OK(ploy_path_create(&def, &env, &path));
    return path;
}

static uint64_t path_hash(const ploy_path *path) {
    ploy_hash_sink sink;
    ploy_hash_sink_init(&sink);
    ploy_describe out = ploy_hash_sink_describe(&sink);
    ploy_path_describe(path, &out);
    return ploy_hash_sink_result(&sink);
}

TEST(path_create_refuses_bad_settings) {
    ploy_env env = ploy_env_default();
    ploy_path *path = (ploy_path *)&env;
    ploy_path_def def = ploy_path_def_default();
    def.capacity = -1;
    CHECK_INT(ploy_path_create(&def, &env, &path), PLOY_ERR_ARGUMENT);
    CHECK(path == NULL);
    memset(&def, 0, sizeof def);
    CHECK_INT(ploy_path_create(&def, &env, &path), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_path_create(NULL, &env, &path), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_path_create(&def, &env, NULL), PLOY_ERR_ARGUMENT);
    ploy_path_destroy(NULL);
}

TEST(a_path_keeps_points_heights_and_how_to_travel) {
    ploy_path *path = path_new(t, false);
    ploy_path_edge door = {ploy_name_of("door"), 7.5f, 1.5f, {3, 1}};
    CHECK_INT(ploy_path_count(path), 0);
    CHECK_SAME(ploy_path_length(path), 0);
    CHECK_VEC3(ploy_path_at(path, 3), 0, 0, 0, 0);
    CHECK(ploy_path_edge_at(path, 0) == NULL);
    CHECK_OK(ploy_path_append(path, test_v2(0, 0), 1, NULL));
    CHECK_VEC3(ploy_path_at(path, 3), 0, 0, 1, 0);
    CHECK_OK(ploy_path_append(path, test_v2(4, 0), 3, NULL));
    CHECK_OK(ploy_path_append(path, test_v2(4, 3), 9, &door));
    CHECK_INT(ploy_path_count(path), 3);
    CHECK_SAME(ploy_path_length(path), 7);
    CHECK_NEAR(ploy_path_cost(path), 11.5, 1e-12);
    CHECK_VEC3(ploy_path_at(path, 2), 2, 0, 2, 1e-6);
    CHECK_VEC3(ploy_path_at(path, 5), 4, 1, 5, 1e-6); // a third of the way up from 3 to 9
    CHECK_VEC3(ploy_path_at(path, 99), 4, 3, 9, 0);
    CHECK(ploy_name_is_none(ploy_path_edge_at(path, 3.9f)->kind));
    CHECK(ploy_name_equal(ploy_path_edge_at(path, 4)->kind, ploy_name_of("door")));
    CHECK_SAME(ploy_path_edge_from(path, 1)->speed_limit, 1.5);
    CHECK(ploy_path_edge_from(path, 2) == NULL && ploy_path_edge_from(path, -1) == NULL);
    CHECK_VEC2(ploy_path_point(path, 1), 4, 0, 0);
    CHECK_VEC2(ploy_path_point(path, 3), 0, 0, 0);
    CHECK_SAME(ploy_path_height(path, 2), 9);
    CHECK_SAME(ploy_path_height(path, -1), 0);
    ploy_polyline line = ploy_path_polyline(path);
    CHECK_NEAR(ploy_polyline_find(&line, test_v2(5, 1)).along, 5, 1e-6);
    CHECK_OK(ployi_path_set(path, NULL, 0));
    CHECK_INT(ploy_path_count(path), 0);
    CHECK_SAME(ploy_path_length(path), 0);
    ploy_path_destroy(path);
}

TEST(bad_points_and_edges_leave_the_path_as_it_was) {
    ploy_path *path = path_new(t, false);
    CHECK_OK(ploy_path_append(path, test_v2(1, 2), 0, NULL));
    CHECK_OK(ploy_path_append(path, test_v2(3, 4), 0, NULL));
    uint64_t before = path_hash(path);
    ploy_path_edge bad = {{0}, NAN, 0, {0, 0}};
    CHECK_INT(ploy_path_append(path, test_v2(NAN, 0), 0, NULL), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_path_append(path, test_v2(0, INFINITY), 0, NULL), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_path_append(path, test_v2(0, 0), NAN, NULL), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_path_append(path, test_v2(0, 0), 0, &bad), PLOY_ERR_ARGUMENT);
    bad.cost = 0;
    bad.speed_limit = -1;
    CHECK_INT(ploy_path_append(path, test_v2(0, 0), 0, &bad), PLOY_ERR_ARGUMENT);
    CHECK_INT(ployi_path_set_closed(path, true, &bad), PLOY_ERR_ARGUMENT);
    ploy_vec2 points[2] = {{0, 0}, {0, NAN}};
    CHECK_INT(ployi_path_set(path, points, 2), PLOY_ERR_ARGUMENT);
    CHECK_INT(ployi_path_set(path, points, -1), PLOY_ERR_ARGUMENT);
    CHECK_INT(ployi_path_set(path, NULL, 1), PLOY_ERR_ARGUMENT);
    CHECK_UINT(path_hash(path), before);
    ploy_path_destroy(path);
}

TEST(a_round_leads_back_to_its_start) {
    ploy_path *path = path_new(t, true);
    ploy_vec2 points[4] = {{0, 0}, {4, 0}, {4, 3}, {0, 3}};
    CHECK_OK(ployi_path_set(path, points, 3));
    CHECK_SAME(ploy_path_length(path), 12);
    CHECK_NEAR(ploy_path_cost(path), 12, 1e-12);
    CHECK_VEC3(ploy_path_at(path, 9.5f), 2, 1.5, 0, 1e-6);
    CHECK_OK(ploy_path_append(path, points[3], 0, NULL)); // the way back is measured anew
    CHECK_SAME(ploy_path_length(path), 14);
    CHECK_NEAR(ploy_path_cost(path), 14, 1e-12);
    ploy_path_edge lift = {ploy_name_of("lift"), 99, 0, {1, 1}};
    CHECK_OK(ployi_path_set_closed(path, true, &lift));
    CHECK(ploy_name_equal(ploy_path_edge_at(path, 13)->kind, ploy_name_of("lift")));
    CHECK_OK(ploy_path_append(path, test_v2(0, 2), 0, NULL)); // and keeps what was said of it
    CHECK_SAME(ploy_path_edge_from(path, 4)->cost, 99);
    CHECK_OK(ployi_path_set_closed(path, false, NULL));
    CHECK_SAME(ploy_path_length(path), 12);
    CHECK(ploy_path_edge_from(path, 4) == NULL);
    ploy_path_destroy(path);
}

TEST(growing_keeps_everything_and_measures_as_the_polyline_does) {
    for (uint64_t seed = 0; seed < 60; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        ploy_path *path = path_new(t, seed % 2 == 0);
        ploy_path *other = path_new(t, false);
        ploy_vec2 points[100];
        float along[101];
        int32_t count = ploy_rng_int(&rng, 0, 100);
        for (int32_t i = 0; i < count; i++) {
            points[i] = test_random_vec2(&rng, 10);
            ploy_path_edge edge = {{(uint64_t)i}, (float)i, 1, {(uint32_t)i, 1}};
            CHECK_OK(ploy_path_append(path, points[i], (float)i * 2, &edge));
        }
        ploy_polyline want = ploy_polyline_make(points, count, seed % 2 == 0);
        ploy_polyline got = ploy_path_polyline(path);
        CHECK_INT(got.count, count);
        if (count > 0) {
            ploy_polyline_measure(&want, along);
            int32_t numbers = count + (want.closed ? 1 : 0);
            CHECK_BYTES(got.points, points, (size_t)count * sizeof points[0]);
            CHECK_BYTES(got.along, along, (size_t)numbers * sizeof along[0]);
        }
        for (int32_t i = 0; i < count; i++) CHECK_SAME(ploy_path_height(path, i), i * 2);
        for (int32_t i = 0; i + 1 < count; i++) {
            CHECK_SAME(ploy_path_edge_from(path, i)->cost, i + 1);
        }
        CHECK_OK(ploy_path_copy(other, path));
        CHECK_UINT(path_hash(other), path_hash(path));
        CHECK_SAME(ploy_path_length(other), ploy_path_length(path));
        CHECK_OK(ploy_path_copy(other, other));
        CHECK_OK(ploy_path_append(other, test_v2(1, 1), 0, NULL));
        CHECK(path_hash(other) != path_hash(path));
        ploy_path_destroy(path);
        ploy_path_destroy(other);
    }
}

static ploy_result path_make_and_grow(const ploy_env *env, void *arg) {
    ploy_path_def def = ploy_path_def_default();
    def.capacity = 3;
    ploy_path *path = NULL, *copy = NULL;
    (void)arg;
    ploy_result result = ploy_path_create(&def, env, &path);
    if (result != PLOY_OK) return path == NULL ? result : PLOY_ERR_STATE;
    for (int32_t i = 0; i < 40 && result == PLOY_OK; i++) {
        uint64_t before = path_hash(path);
        result = ploy_path_append(path, test_v2(i, i), 0, NULL);
        if (result != PLOY_OK && path_hash(path) != before) result = PLOY_ERR_STATE;
    }
    def.capacity = 0;
    if (result == PLOY_OK) result = ploy_path_create(&def, env, &copy);
    if (result == PLOY_OK) result = ploy_path_copy(copy, path);
    ploy_path_destroy(copy);
    ploy_path_destroy(path);
    return result;
}

TEST(paths_survive_every_failing_allocation) {
    CHECK_FAIL_NTH(path_make_and_grow, NULL);
}

typedef struct drawn {
    int32_t lines, points, edges;
    float highest;
    ploy_id owner;
} drawn;

static void draw_count(void *user, const ploy_draw_item *item) {
    drawn *seen = user;
    seen->owner = item->owner;
    if (item->shape == PLOY_SHAPE_POINT) seen->points++;
    if (item->shape != PLOY_SHAPE_LINE) return;
    seen->lines++;
    seen->edges += item->count - 1;
    for (int32_t i = 0; i < item->count; i++) {
        if (item->points[i].z > seen->highest) seen->highest = item->points[i].z;
    }
}

TEST(long_paths_are_drawn_whole) {
    ploy_path *path = path_new(t, true);
    for (int32_t i = 0; i < 200; i++) CHECK_OK(ploy_path_append(path, test_v2(i, i % 7), 5, NULL));
    ploy_path_edge link = {{0}, 1, 0, {4, 1}};
    CHECK_OK(ploy_path_append(path, test_v2(0, 50), 6, &link));
    drawn seen = {0};
    ploy_draw out = {draw_count, &seen, 1u << PLOY_LAYER_PATHS};
    ploy_path_draw(path, ploy_agent_id_make(9, 2), &out);
    CHECK_INT(seen.edges, 201); // 200 and the way back
    CHECK_INT(seen.points, 1);  // where the link begins
    CHECK_SAME(seen.highest, 6);
    CHECK_INT(seen.owner.index, 9);
    out.layers = 0;
    ploy_path_draw(path, ploy_agent_id_none(), &out);
    CHECK_INT(seen.edges, 201);
    ploy_path_destroy(path);
}

static void memory_sum(void *user, const ploy_memory_item *item) {
    *(int64_t *)user += (int64_t)item->bytes;
}

TEST(path_memory_is_what_was_allocated_and_following_allocates_nothing) {
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    ploy_path_def def = ploy_path_def_default();
    ploy_path *path = NULL;
    CHECK_OK(ploy_path_create(&def, &env, &path));
    for (int32_t i = 0; i < 100; i++) CHECK_OK(ploy_path_append(path, test_v2(i, i), 0, NULL));
    int64_t told = 0;
    ploy_path_memory(path, memory_sum, &told);
    CHECK_INT(told, counts.bytes);
    int64_t calls = counts.calls;
    for (int32_t i = 0; i < 100; i++) {
        (void)ploy_path_at(path, (float)i);
        (void)ploy_path_edge_at(path, (float)i);
    }
    ploy_path_clear(path); // keeps its memory
    for (int32_t i = 0; i < 100; i++) CHECK_OK(ploy_path_append(path, test_v2(i, i), 0, NULL));
    CHECK_INT(counts.calls, calls);
    ploy_path_destroy(path);
    CHECK_INT(counts.bytes, 0);
}

TEST(a_spliced_path_equals_one_that_was_made_in_one_go) {
    for (int64_t seed = 0; seed < test_rounds(200); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        ploy_path *first = path_new(t, false), *rest = path_new(t, false);
        ploy_path *whole = path_new(t, false);
        int32_t count = ploy_rng_int(&rng, 1, 12), more = ploy_rng_int(&rng, 0, 12);
        int32_t index = ploy_rng_int(&rng, 0, count - 1);
        bool joined = more > 0 && ploy_rng_chance(&rng, 0.5f);
        for (int32_t i = 0; i < count + more; i++) {
            ploy_vec2 point = ploy_vec2_make(ploy_rng_range(&rng, -9, 9), (float)i);
            ploy_path_edge edge = {ploy_name_of("door"), (float)i, 1.0f, {(uint32_t)i + 1, 1}};
            float height = ploy_rng_range(&rng, 0, 3);
            if (i == count && joined) {
                point = ploy_path_point(first, index);
                height = ploy_path_height(first, index);
            }
            CHECK_OK(ploy_path_append(i < count ? first : rest, point, height, &edge));
            bool kept = i <= index || (i >= count && !(i == count && joined));
            const ploy_path_edge *way = i == count ? NULL : &edge;
            if (kept) CHECK_OK(ploy_path_append(whole, point, height, way));
        }
        CHECK_OK(ploy_path_splice(first, index, rest));
        CHECK_UINT(path_hash(first), path_hash(whole));
        CHECK_SAME(ploy_path_length(first), ploy_path_length(whole));
        CHECK_SAME(ploy_path_cost(first), ploy_path_cost(whole));
        ploy_path_destroy(first);
        ploy_path_destroy(rest);
        ploy_path_destroy(whole);
    }
}

static ploy_result path_spliced(const ploy_env *env, void *arg) {
    ploy_path_def def = ploy_path_def_default();
    ploy_path *path = NULL;
    ploy_result result = ploy_path_create(&def, env, &path);
    if (result == PLOY_OK) result = ploy_path_append(path, ploy_vec2_make(1, 2), 0.0f, NULL);
    if (result == PLOY_OK) {
        result = ploy_path_splice(path, 0, arg);
        if (result != PLOY_OK && ploy_path_count(path) != 1) result = PLOY_ERR_STATE; // changed
    }
    ploy_path_destroy(path);
    return result;
}

TEST(a_splice_that_cannot_be_leaves_the_path_as_it_was) {
    ploy_path *path = path_new(t, false), *rest = path_new(t, false), *ring = path_new(t, true);
    CHECK_INT(ploy_path_splice(path, 0, rest), PLOY_ERR_ARGUMENT); // there is no point 0
    for (int32_t i = 0; i < 9; i++) {
        CHECK_OK(ploy_path_append(path, ploy_vec2_make((float)i, 0), 0.0f, NULL));
        CHECK_OK(ploy_path_append(rest, ploy_vec2_make((float)i, 1), 0.0f, NULL));
        CHECK_OK(ploy_path_append(ring, ploy_vec2_make((float)i, (float)(i % 3)), 0.0f, NULL));
    }
    uint64_t before = path_hash(path);
    CHECK_INT(ploy_path_splice(path, -1, rest), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_path_splice(path, 9, rest), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_path_splice(path, 3, path), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_path_splice(path, 3, ring), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_path_splice(ring, 3, path), PLOY_ERR_ARGUMENT);
    CHECK_UINT(path_hash(path), before);
    CHECK_FAIL_NTH(path_spliced, rest);
    ploy_path_destroy(path);
    ploy_path_destroy(rest);
    ploy_path_destroy(ring);
}

TEST(a_path_saves_and_loads_every_edge) {
    static const char *const skip[] = {"closing set", "closed", NULL};
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    ploy_path_def def = ploy_path_def_default();
    ploy_path *path = NULL, *other = NULL;
    CHECK_OK(ploy_path_create(&def, &env, &path));
    state_check s = {ploy_path_visit, path, NULL, skip, NULL};
    ploy_path_edge jump = {ploy_name_of("jump"), 3.5f, 2.0f, {4, 1}};
    for (int32_t i = 0; i < 40; i++) { // past the first block
        ploy_vec2 point = {(float)i, (float)(i % 3)};
        CHECK_OK(ploy_path_append(path, point, 0.5f * (float)i, i % 5 == 0 ? &jump : NULL));
    }
    CHECK_OK(ployi_path_set_closed(path, true, &jump));
    state_check_memory(t, &s, &counts);
    state_check_all(t, &s);
    CHECK_OK(ploy_path_create(&def, &env, &other));
    state_check_copy(t, &s, other);
    CHECK_NEAR(ploy_path_length(other), ploy_path_length(path), 0); // distances are computed again
    CHECK_NEAR(ploy_path_at(other, 17.5f).x, ploy_path_at(path, 17.5f).x, 0);
    CHECK_OK(ploy_path_append(other, ploy_vec2_make(1, 1), 0, NULL));
    ploy_path_destroy(other);
    ploy_path_destroy(path);
    CHECK_INT(counts.bytes, 0);
}

static ploy_result path_load_body(const ploy_env *env, void *arg) {
    ploy_path_def def = ploy_path_def_default();
    ploy_path *path = NULL;
    ploy_result result = ploy_path_create(&def, env, &path);
    if (result != PLOY_OK) return result;
    state_check s = {ploy_path_visit, path, NULL, NULL, NULL};
    result = state_load(&s, arg, env, NULL);
    if (result != PLOY_OK && ploy_path_count(path) != 0) result = PLOY_ERR_STATE;
    ploy_path_destroy(path);
    return result;
}

TEST(a_path_loads_under_short_memory) {
    ploy_path *path = path_new(t, false);
    for (int32_t i = 0; i < 20; i++) {
        CHECK_OK(ploy_path_append(path, ploy_vec2_make((float)i, 1), 0, NULL));
    }
    state_check s = {ploy_path_visit, path, NULL, NULL, NULL};
    char *text = state_save(t, &s);
    CHECK_FAIL_NTH(path_load_body, text);
    free(text);
    ploy_path_destroy(path);
}
