#include "tests/geom/index_test.h"

#include "ploy/geom/grid.h"

enum { MOST = INDEX_MOST };

static ploy_grid *grid_new(test_context *t, int32_t capacity, float cell_size) {
    ploy_grid_def def = ploy_grid_def_default();
    def.capacity = capacity;
    def.cell_size = cell_size;
    ploy_env env = ploy_env_default();
    ploy_grid *grid = NULL;
    CHECK_OK(ploy_grid_create(&def, &env, &grid));
    return grid;
}

static ploy_box2 point_box(ploy_vec2 at) {
    return ploy_box2_make(at, at);
}

// Asks the grid and the list the same questions of all kinds.
static void check_queries(test_context *t, const ploy_grid *grid, const index_list2 *all,
                          ploy_rng *rng, float size) {
    ploy_index2 index = ploy_grid_index(grid);
    for (int32_t k = 0; k < 5; k++) {
        ploy_query2 query = index_query2_any(rng, all, size);
        index_check2(t, index, all, &query, index_room(rng));
        index_check_visit2(t, index, all, &query);
        if (query.kind >= PLOY_QUERY_RAY) index_check_walls2(t, index, all, &query);
    }
}

TEST(grid_create_refuses_bad_settings) {
    ploy_env env = ploy_env_default();
    static const struct {
        const char *row;
        int32_t capacity;
        float cell_size;
        ploy_result want;
    } rows[] = {
        {"fine", 10, 1, PLOY_OK},
        {"room for nobody", 0, 1, PLOY_ERR_ARGUMENT},
        {"too many", (1 << 24) + 1, 1, PLOY_ERR_ARGUMENT},
        {"no cells", 10, 0, PLOY_ERR_ARGUMENT},
        {"not a number", 10, NAN, PLOY_ERR_ARGUMENT},
        {"negative", 10, -1, PLOY_ERR_ARGUMENT},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_grid_def def = ploy_grid_def_default();
        def.capacity = rows[i].capacity;
        def.cell_size = rows[i].cell_size;
        ploy_grid *grid = (ploy_grid *)&env;
        CHECK_INT(ploy_grid_create(&def, &env, &grid), rows[i].want);
        CHECK((grid != NULL) == (rows[i].want == PLOY_OK));
        ploy_grid_destroy(grid);
    }
    t->row = NULL;
    CHECK_INT(ploy_grid_create(NULL, &env, NULL), PLOY_ERR_ARGUMENT);
}

TEST(a_rebuilt_grid_equals_asking_everybody) {
    static index_list2 all;
    static ploy_vec2 points[MOST];
    static const float sizes[] = {10, 1000, 1e9f, 1e-3f, 1e15f};
    static const float cells[] = {1, 4, 1e-3f, 1e5f, 1e-6f};
    for (uint64_t seed = 0; seed < (uint64_t)test_rounds(600); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        float size = sizes[seed % COUNT_OF(sizes)];
        ploy_grid *grid = grid_new(t, MOST, cells[seed / 5 % COUNT_OF(cells)]);
        for (int32_t round = 0; round < 2; round++) { // again over the first
            all.count = ploy_rng_int(&rng, 0, seed % 4 == 0 ? 12 : MOST);
            for (int32_t id = 0; id < all.count; id++) {
                points[id] = index_place2(&rng, seed / 25, size, id);
                all.box[id] = point_box(points[id]);
                all.there[id] = true;
            }
            ploy_points view = ploy_points_make(points, all.count);
            CHECK_OK(ploy_grid_rebuild(grid, &view));
            CHECK_INT(ploy_grid_count(grid), all.count);
            for (int32_t k = 0; k < 2; k++) check_queries(t, grid, &all, &rng, size);
        }
        ploy_grid_destroy(grid);
    }
}

TEST(a_changing_grid_equals_asking_everybody) {
    static index_list2 all;
    static ploy_vec2 points[MOST];
    for (uint64_t seed = 0; seed < (uint64_t)test_rounds(100); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        float size = seed % 3 == 0 ? 1e9f : 20;
        int32_t most = seed % 2 == 0 ? 30 : MOST;
        ploy_grid *grid = grid_new(t, most, seed % 5 == 0 ? 100.0f : 2.0f);
        memset(&all, 0, sizeof all);
        all.count = most;
        int32_t count = 0;
        for (int32_t step = 0; step < 600; step++) {
            int32_t id = ploy_rng_int(&rng, 0, most - 1), what = ploy_rng_int(&rng, 0, 9);
            ploy_vec2 p = index_place2(&rng, seed, size, id);
            if (what < 4) {
                CHECK_INT(ploy_grid_insert(grid, id, p), all.there[id] ? PLOY_ERR_EXISTS : PLOY_OK);
                if (!all.there[id]) {
                    all.there[id] = true;
                    all.box[id] = point_box(p);
                    count++;
                }
            } else if (what < 7) {
                if (what == 5) { // a small step, mostly within the cell
                    p = ploy_vec2_add(all.box[id].min, test_random_vec2(&rng, 0.1f));
                }
                CHECK_INT(ploy_grid_move(grid, id, p),
                          all.there[id] ? PLOY_OK : PLOY_ERR_NOT_FOUND);
                if (all.there[id]) all.box[id] = point_box(p);
            } else if (what < 9) {
                CHECK_INT(ploy_grid_remove(grid, id), all.there[id] ? PLOY_OK : PLOY_ERR_NOT_FOUND);
                if (all.there[id]) count--;
                all.there[id] = false;
            } else if (step % 50 == 0) {
                int32_t kept = ploy_rng_int(&rng, 0, most);
                for (int32_t i = 0; i < most; i++) {
                    all.there[i] = i < kept;
                    points[i] = index_place2(&rng, seed, size, i);
                    if (all.there[i]) all.box[i] = point_box(points[i]);
                }
                ploy_points view = ploy_points_make(points, kept);
                CHECK_OK(ploy_grid_rebuild(grid, &view));
                count = kept;
            }
            CHECK_INT(ploy_grid_count(grid), count);
            ploy_vec2 at;
            CHECK(ploy_grid_get(grid, id, &at) == all.there[id]);
            if (all.there[id]) CHECK(ploy_vec2_equal(at, all.box[id].min));
            if (step % 5 == 0) check_queries(t, grid, &all, &rng, size);
        }
        ploy_grid_clear(grid);
        memset(all.there, 0, sizeof all.there);
        CHECK_INT(ploy_grid_count(grid), 0);
        check_queries(t, grid, &all, &rng, size);
        ploy_grid_destroy(grid);
    }
}

static int32_t find_radius(const ploy_grid *grid, ploy_vec2 centre, float radius,
                           ploy_found out[4]) {
    ploy_query2 query = ploy_query2_radius(centre, radius);
    return ploy_grid_find(grid, &query, out, 4, NULL);
}

TEST(a_way_through_emptiness_is_not_walked_cell_by_cell) {
    ploy_grid *grid = grid_new(t, 64, 1e-3f);
    // A knot at the origin and one point so far away that there are 10^12 cells between.
    for (int32_t i = 0; i < 63; i++) CHECK_OK(ploy_grid_insert(grid, i, test_v2(i, i % 7)));
    CHECK_OK(ploy_grid_insert(grid, 63, test_v2(1e9, 1e9)));
    static const struct {
        const char *row;
        float x, y, dx, dy, radius;
        int32_t first;
    } rows[] = {
        {"to the far point", -1, 0, 1, 1, 2, 0},   {"along x", -1e9f, 3, 1, 0, 0.5f, 3},
        {"past everything", -5, -5, 0, -1, 1, -1}, {"out of the knot", 64, 2, 1, 0, 1, -1},
        {"nowhere to go", 3, 3, 0, 0, 0.5f, 3},    {"from outside, back", 5e5f, 0, -1, 0, 0.5f, 56},
        {"wide", -50, 3, 1, 0, 1000, 0},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_ray2 ray = {test_v2(rows[i].x, rows[i].y), test_v2(rows[i].dx, rows[i].dy), INFINITY};
        if (rows[i].dx == 1 && rows[i].dy == 1) ray = ploy_ray2_make(ray.origin, ray.direction);
        ploy_sweep sweep = {ray, rows[i].radius};
        ploy_query2 query = ploy_query2_sweep(sweep);
        ploy_query_stats stats = {0, 0, 0};
        ploy_found out[1];
        int32_t found = ploy_grid_find(grid, &query, out, 1, &stats);
        CHECK_INT(found, rows[i].first < 0 ? 0 : 1);
        if (found == 1) CHECK_INT(out[0].id, rows[i].first);
        CHECK(stats.nodes <= 64 + 32);
        CHECK(stats.objects <= 64);
    }
    t->row = NULL;
    ploy_grid_destroy(grid);
}

TEST(a_ray_looks_at_the_cells_on_its_way_until_it_has_enough) {
    ploy_grid *grid = grid_new(t, 4096, 1);
    for (int32_t i = 0; i < 4096; i++) {
        CHECK_OK(ploy_grid_insert(grid, i, test_v2(i % 64 + 0.5, i / 64 + 0.5)));
    }
    ploy_ray2 ray = {{-10, 20.5f}, {1, 0}, INFINITY};
    ploy_query2 query = ploy_query2_ray(ray);
    ploy_query_stats stats = {0, 0, 0};
    ploy_found out[100];
    CHECK_INT(ploy_grid_find(grid, &query, out, 1, &stats), 1);
    CHECK_INT(out[0].id, 20 * 64);
    CHECK_SAME(out[0].rank, 10.5);
    CHECK(stats.nodes < 5); // what lies behind is not looked at
    CHECK_INT(ploy_grid_find(grid, &query, out, 100, NULL), 64);
    CHECK_INT(out[63].id, 20 * 64 + 63);
    ploy_ray2 down = {{20.5f, 100}, {0, -1}, INFINITY};
    query = ploy_query2_ray(down);
    CHECK_INT(ploy_grid_find(grid, &query, out, 100, NULL), 64);
    CHECK_INT(out[0].id, 63 * 64 + 20);
    ploy_grid_destroy(grid);
}

TEST(bad_ids_points_and_queries_are_refused) {
    ploy_grid *grid = grid_new(t, 4, 1);
    ploy_found out[4];
    CHECK_INT(ploy_grid_insert(grid, -1, test_v2(0, 0)), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_grid_insert(grid, 4, test_v2(0, 0)), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_grid_insert(grid, 0, test_v2(NAN, 0)), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_grid_move(grid, 9, test_v2(0, 0)), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_grid_move(grid, 0, test_v2(0, INFINITY)), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_grid_remove(grid, -3), PLOY_ERR_NOT_FOUND);
    CHECK_INT(ploy_grid_remove(grid, 0), PLOY_ERR_NOT_FOUND);
    CHECK_INT(ploy_grid_count(grid), 0);
    CHECK_OK(ploy_grid_insert(grid, 2, test_v2(0, 0)));
    CHECK_INT(find_radius(grid, test_v2(0, 0), -1, out), 0);
    CHECK_INT(find_radius(grid, test_v2(0, 0), NAN, out), 0);
    CHECK_INT(find_radius(grid, test_v2(NAN, 0), 1, out), 0);
    ploy_query2 query = ploy_query2_box(ploy_box2_empty());
    CHECK_INT(ploy_grid_find(grid, &query, out, 4, NULL), 0);
    query = ploy_query2_nearest(test_v2(5, 0), INFINITY);
    CHECK_INT(ploy_grid_find(grid, &query, out, 0, NULL), 0);
    CHECK_INT(ploy_grid_find(grid, &query, out, 4, NULL), 1);
    CHECK_SAME(out[0].rank, 25);
    query.point.y = NAN;
    CHECK_INT(ploy_grid_find(grid, &query, out, 4, NULL), 0);
    query.kind = (ploy_query_kind)17;
    CHECK_INT(ploy_grid_find(grid, &query, out, 4, NULL), 0);
    ploy_vec2 many[5] = {{0, 0}};
    ploy_points view = ploy_points_make(many, 5);
    CHECK_INT(ploy_grid_rebuild(grid, &view), PLOY_ERR_CAPACITY);
    view.count = -1;
    CHECK_INT(ploy_grid_rebuild(grid, &view), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_grid_count(grid), 1);
    // Points that are not finite are left out.
    ploy_vec2 odd[4] = {{NAN, 0}, {1, 1}, {INFINITY, -INFINITY}, {0, NAN}};
    view = ploy_points_make(odd, 4);
    CHECK_OK(ploy_grid_rebuild(grid, &view));
    CHECK_INT(ploy_grid_count(grid), 1);
    CHECK_INT(ploy_grid_move(grid, 0, test_v2(0, 0)), PLOY_ERR_NOT_FOUND);
    CHECK_INT(find_radius(grid, test_v2(0, 0), 1e30f, out), 1);
    CHECK_INT(out[0].id, 1);
    ploy_box2 everything = {{-INFINITY, -INFINITY}, {INFINITY, INFINITY}};
    query = ploy_query2_box(everything);
    CHECK_INT(ploy_grid_find(grid, &query, out, 4, NULL), 1);
    ploy_grid_destroy(grid);
}

static ploy_result grid_make(const ploy_env *env, void *arg) {
    ploy_grid_def def = ploy_grid_def_default();
    ploy_grid *grid = NULL;
    (void)arg;
    ploy_result result = ploy_grid_create(&def, env, &grid);
    if ((result == PLOY_OK) != (grid != NULL)) result = PLOY_ERR_STATE;
    ploy_grid_destroy(grid);
    return result;
}

TEST(grids_survive_every_failing_allocation) {
    CHECK_FAIL_NTH(grid_make, NULL);
}

static void memory_sum(void *user, const ploy_memory_item *item) {
    *(int64_t *)user += (int64_t)item->bytes;
}

TEST(only_create_allocates) {
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    ploy_grid_def def = ploy_grid_def_default();
    def.capacity = 500;
    ploy_grid *grid = NULL;
    CHECK_OK(ploy_grid_create(&def, &env, &grid));
    int64_t told = 0, calls = counts.calls;
    ploy_grid_memory(grid, memory_sum, &told);
    CHECK_INT(told, counts.bytes);
    ploy_rng rng = ploy_rng_make(1);
    static const index_list2 none;
    ploy_found out[500];
    for (int32_t i = 0; i < 500; i++)
        CHECK_OK(ploy_grid_insert(grid, i, test_random_vec2(&rng, 99)));
    for (int32_t i = 0; i < 500; i++) {
        CHECK_OK(ploy_grid_move(grid, i, test_random_vec2(&rng, 99)));
        ploy_query2 query = index_query2_any(&rng, &none, 99);
        (void)ploy_grid_find(grid, &query, out, 500, NULL);
    }
    CHECK_INT(counts.calls, calls);
    ploy_grid_destroy(grid);
    CHECK_INT(counts.bytes, 0);
}

static uint64_t grid_hash(const ploy_grid *grid) {
    ploy_hash_sink sink;
    ploy_hash_sink_init(&sink);
    ploy_describe out = ploy_hash_sink_describe(&sink);
    ploy_grid_describe(grid, &out);
    return ploy_hash_sink_result(&sink);
}

TEST(state_depends_on_the_points_and_not_on_how_they_came) {
    ploy_grid *one = grid_new(t, 50, 2), *two = grid_new(t, 50, 2);
    ploy_rng rng = ploy_rng_make(5);
    ploy_vec2 at[50];
    for (int32_t i = 0; i < 50; i++) at[i] = test_random_vec2(&rng, 9);
    ploy_points view = ploy_points_make(at, 50);
    CHECK_OK(ploy_grid_rebuild(one, &view));
    for (int32_t i = 49; i >= 0; i--) CHECK_OK(ploy_grid_insert(two, i, test_v2(0, 0)));
    for (int32_t i = 0; i < 50; i++) CHECK_OK(ploy_grid_move(two, i, at[i]));
    CHECK_UINT(grid_hash(one), grid_hash(two));
    CHECK_OK(ploy_grid_move(two, 7, test_v2(1, 1)));
    CHECK(grid_hash(one) != grid_hash(two));
    ploy_grid_destroy(one);
    ploy_grid_destroy(two);
}

// Counts the outlines of cells: two metres a side, corners on even numbers.
static void draw_count(void *user, const ploy_draw_item *item) {
    ploy_vec3 low = item->points[0], high = item->points[2];
    bool square = high.x - low.x == 2 && high.y - low.y == 2;
    bool even = low.x / 2 == floorf(low.x / 2) && low.y / 2 == floorf(low.y / 2);
    *(int32_t *)user += item->shape == PLOY_SHAPE_LINE && item->count == 5 && square && even;
}

TEST(every_cell_that_holds_points_is_drawn_once) {
    ploy_grid *grid = grid_new(t, 100, 2);
    bool held[20][20] = {{false}};
    int32_t want = 0, got = 0;
    ploy_rng rng = ploy_rng_make(3);
    for (int32_t i = 0; i < 100; i++) {
        int32_t x = ploy_rng_int(&rng, 0, 19), y = ploy_rng_int(&rng, 0, 19);
        want += !held[x][y];
        held[x][y] = true;
        CHECK_OK(ploy_grid_insert(grid, i, test_v2(2 * x - 20 + 0.5, 2 * y - 20 + 1.5)));
    }
    ploy_draw out = {draw_count, &got, ~0u};
    ploy_grid_draw(grid, &out);
    CHECK_INT(got, want);
    out.layers = 0;
    ploy_grid_draw(grid, &out);
    CHECK_INT(got, want);
    ploy_grid_destroy(grid);
}

static void draw_first(void *user, const ploy_draw_item *item) {
    ploy_box2 *box = user;
    box->min = ploy_vec2_from_vec3(item->points[0]);
    box->max = ploy_vec2_from_vec3(item->points[2]);
}

// STE-27: of 7 by 7 cells on 490 m, (100, 200) lies in column 1, row 2.
TEST(a_point_lies_in_the_cell_that_its_numbers_say) {
    ploy_grid *grid = grid_new(t, 49, 490.0f / 7);
    CHECK_OK(ploy_grid_insert(grid, 0, test_v2(100, 200)));
    ploy_box2 cell = ploy_box2_empty();
    ploy_draw out = {draw_first, &cell, ~0u};
    ploy_grid_draw(grid, &out);
    CHECK_VEC2(cell.min, 1 * 70, 2 * 70, 0);
    CHECK_VEC2(cell.max, 2 * 70, 3 * 70, 0);
    ploy_grid_destroy(grid);
}
