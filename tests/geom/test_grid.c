#include "tests/geom/geom_test.h"

#include "ploy/geom/grid.h"

#include <stdlib.h>

enum { MOST = 400 };

// What the grid must equal: every point asked in turn.
typedef struct crowd {
    ploy_vec2 at[MOST];
    bool there[MOST];
    int32_t count; // ids in use are below this
} crowd;

static ploy_grid *grid_new(test_context *t, int32_t capacity, float cell_size) {
    ploy_grid_def def = ploy_grid_def_default();
    def.capacity = capacity;
    def.cell_size = cell_size;
    ploy_env env = ploy_env_default();
    ploy_grid *grid = NULL;
    CHECK_OK(ploy_grid_create(&def, &env, &grid));
    return grid;
}

static double slow_distance_sq(ploy_vec2 a, ploy_vec2 b) {
    double x = (double)a.x - (double)b.x, y = (double)a.y - (double)b.y;
    return x * x + y * y;
}

static int by_distance(const void *a, const void *b) {
    const ploy_grid_near *p = a, *q = b;
    if (p->distance_sq != q->distance_sq) return p->distance_sq < q->distance_sq ? -1 : 1;
    return (p->id > q->id) - (p->id < q->id);
}

// Asks the grid and the crowd the same questions.
static void check_queries(test_context *t, const ploy_grid *grid, const crowd *all, ploy_rng *rng,
                          float size) {
    static int32_t got[MOST], want[MOST];
    static ploy_grid_near near_got[MOST], near_want[MOST];
    ploy_vec2 centre = test_random_vec2(rng, size);
    if (ploy_rng_chance(rng, 0.5f) && all->count > 0) {
        centre = all->at[ploy_rng_int(rng, 0, all->count - 1)];
    }
    float radius = size * ploy_exp2f(ploy_rng_range(rng, -12, 2));
    if (ploy_rng_chance(rng, 0.1f)) radius = 0;
    if (ploy_rng_chance(rng, 0.05f)) radius = INFINITY;
    if (ploy_rng_chance(rng, 0.2f) && all->count > 0) { // somebody exactly on the edge
        radius = ploy_vec2_distance(centre, all->at[ploy_rng_int(rng, 0, all->count - 1)]);
    }
    double radius_sq = (double)radius * (double)radius;
    int32_t count = 0, near_count = 0;
    for (int32_t id = 0; id < all->count; id++) {
        if (!all->there[id]) continue;
        double distance_sq = slow_distance_sq(all->at[id], centre);
        if (distance_sq <= radius_sq) want[count++] = id;
        ploy_grid_near item = {distance_sq, id};
        if (distance_sq <= radius_sq) near_want[near_count++] = item;
    }
    CHECK_INT(ploy_grid_find_radius(grid, centre, radius, got, MOST), count);
    CHECK_BYTES(got, want, (size_t)count * sizeof want[0]);
    // Cut short, the lowest ids come; without room it only counts.
    int32_t room = ploy_rng_int(rng, 0, count);
    CHECK_INT(ploy_grid_find_radius(grid, centre, radius, got, room), count);
    CHECK_BYTES(got, want, (size_t)room * sizeof want[0]);
    CHECK_INT(ploy_grid_find_radius(grid, centre, radius, NULL, 0), count);

    qsort(near_want, (size_t)near_count, sizeof near_want[0], by_distance);
    int32_t k = ploy_rng_int(rng, 1, MOST);
    if (ploy_rng_chance(rng, 0.7f)) k = ploy_rng_int(rng, 1, 8);
    int32_t found = ploy_grid_find_nearest(grid, centre, radius, near_got, k);
    CHECK_INT(found, k < near_count ? k : near_count);
    for (int32_t i = 0; i < found; i++) {
        CHECK_INT(near_got[i].id, near_want[i].id);
        CHECK_SAME(near_got[i].distance_sq, near_want[i].distance_sq);
    }

    ploy_box2 box = ploy_box2_make(centre, test_random_vec2(rng, size));
    if (ploy_rng_chance(rng, 0.3f)) box = ploy_box2_of_circle(ploy_circle_make(centre, radius));
    count = 0;
    for (int32_t id = 0; id < all->count; id++) {
        if (all->there[id] && ploy_box2_contains(box, all->at[id])) want[count++] = id;
    }
    CHECK_INT(ploy_grid_find_box(grid, box, got, MOST), count);
    CHECK_BYTES(got, want, (size_t)count * sizeof want[0]);
}

// Points in many kinds of heaps.
static ploy_vec2 crowd_point(ploy_rng *rng, uint64_t kind, float size, int32_t id) {
    ploy_vec2 p = test_random_vec2(rng, size);
    switch (kind % 6) {
    case 0: return p;                                                          // anywhere
    case 1: return ploy_vec2_make(size * 0.5f, size * 0.5f);                   // all in one place
    case 2: return ploy_vec2_make(p.x, 0);                                     // in a row
    case 3: return ploy_vec2_make((float)(id % 20), (float)(id / 20));         // in ranks
    case 4: return ploy_vec2_scale(p, ploy_rng_float(rng) < 0.5f ? 1e-3f : 1); // a knot and a few
    default: return ploy_vec2_make(p.x, p.x);                                  // slanting
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
    static crowd all;
    static const float sizes[] = {10, 1000, 1e9f, 1e-3f, 1e15f};
    static const float cells[] = {1, 4, 1e-3f, 1e5f, 1e-6f};
    for (uint64_t seed = 0; seed < 1200; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        float size = sizes[seed % COUNT_OF(sizes)];
        ploy_grid *grid = grid_new(t, MOST, cells[seed / 5 % COUNT_OF(cells)]);
        for (int32_t round = 0; round < 2; round++) { // again over the first
            all.count = ploy_rng_int(&rng, 0, seed % 4 == 0 ? 12 : MOST);
            for (int32_t id = 0; id < all.count; id++) {
                all.at[id] = crowd_point(&rng, seed / 25, size, id);
                all.there[id] = true;
            }
            ploy_points view = ploy_points_make(all.at, all.count);
            CHECK_OK(ploy_grid_rebuild(grid, &view));
            CHECK_INT(ploy_grid_count(grid), all.count);
            for (int32_t k = 0; k < 4; k++) check_queries(t, grid, &all, &rng, size);
        }
        ploy_grid_destroy(grid);
    }
}

TEST(a_changing_grid_equals_asking_everybody) {
    static crowd all;
    for (uint64_t seed = 0; seed < 150; seed++) {
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
            ploy_vec2 p = crowd_point(&rng, seed, size, id);
            if (what < 4) {
                CHECK_INT(ploy_grid_insert(grid, id, p), all.there[id] ? PLOY_ERR_EXISTS : PLOY_OK);
                if (!all.there[id]) {
                    all.there[id] = true;
                    all.at[id] = p;
                    count++;
                }
            } else if (what < 7) {
                if (what == 5) { // a small step, mostly within the cell
                    p = ploy_vec2_add(all.at[id], test_random_vec2(&rng, 0.1f));
                }
                CHECK_INT(ploy_grid_move(grid, id, p),
                          all.there[id] ? PLOY_OK : PLOY_ERR_NOT_FOUND);
                if (all.there[id]) all.at[id] = p;
            } else if (what < 9) {
                CHECK_INT(ploy_grid_remove(grid, id), all.there[id] ? PLOY_OK : PLOY_ERR_NOT_FOUND);
                if (all.there[id]) count--;
                all.there[id] = false;
            } else if (step % 50 == 0) {
                int32_t kept = ploy_rng_int(&rng, 0, most);
                for (int32_t i = 0; i < most; i++) {
                    all.there[i] = i < kept;
                    if (all.there[i]) all.at[i] = crowd_point(&rng, seed, size, i);
                }
                ploy_points view = ploy_points_make(all.at, kept);
                CHECK_OK(ploy_grid_rebuild(grid, &view));
                count = kept;
            }
            CHECK_INT(ploy_grid_count(grid), count);
            ploy_vec2 at;
            CHECK(ploy_grid_get(grid, id, &at) == all.there[id]);
            if (all.there[id]) CHECK(ploy_vec2_equal(at, all.at[id]));
            if (step % 5 == 0) check_queries(t, grid, &all, &rng, size);
        }
        ploy_grid_clear(grid);
        memset(all.there, 0, sizeof all.there);
        CHECK_INT(ploy_grid_count(grid), 0);
        check_queries(t, grid, &all, &rng, size);
        ploy_grid_destroy(grid);
    }
}

TEST(bad_ids_points_and_queries_are_refused) {
    ploy_grid *grid = grid_new(t, 4, 1);
    int32_t out[4];
    ploy_grid_near near_out[4];
    CHECK_INT(ploy_grid_insert(grid, -1, test_v2(0, 0)), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_grid_insert(grid, 4, test_v2(0, 0)), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_grid_insert(grid, 0, test_v2(NAN, 0)), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_grid_move(grid, 9, test_v2(0, 0)), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_grid_move(grid, 0, test_v2(0, INFINITY)), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_grid_remove(grid, -3), PLOY_ERR_NOT_FOUND);
    CHECK_INT(ploy_grid_remove(grid, 0), PLOY_ERR_NOT_FOUND);
    CHECK_INT(ploy_grid_count(grid), 0);
    CHECK_OK(ploy_grid_insert(grid, 2, test_v2(0, 0)));
    CHECK_INT(ploy_grid_find_radius(grid, test_v2(0, 0), -1, out, 4), 0);
    CHECK_INT(ploy_grid_find_radius(grid, test_v2(0, 0), NAN, out, 4), 0);
    CHECK_INT(ploy_grid_find_radius(grid, test_v2(NAN, 0), 1, out, 4), 0);
    CHECK_INT(ploy_grid_find_box(grid, ploy_box2_empty(), out, 4), 0);
    CHECK_INT(ploy_grid_find_nearest(grid, test_v2(0, 0), 1, near_out, 0), 0);
    CHECK_INT(ploy_grid_find_nearest(grid, test_v2(0, NAN), 1, near_out, 4), 0);
    CHECK_INT(ploy_grid_find_nearest(grid, test_v2(0, 0), NAN, near_out, 4), 0);
    CHECK_INT(ploy_grid_find_nearest(grid, test_v2(5, 0), INFINITY, near_out, 4), 1);
    CHECK_SAME(near_out[0].distance_sq, 25);
    ploy_vec2 many[5] = {{0, 0}};
    ploy_points view = ploy_points_make(many, 5);
    CHECK_INT(ploy_grid_rebuild(grid, &view), PLOY_ERR_CAPACITY);
    view.count = -1;
    CHECK_INT(ploy_grid_rebuild(grid, &view), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_grid_count(grid), 1);
    // Points that are not finite are kept and never found.
    ploy_vec2 odd[4] = {{NAN, 0}, {1, 1}, {INFINITY, -INFINITY}, {0, NAN}};
    view = ploy_points_make(odd, 4);
    CHECK_OK(ploy_grid_rebuild(grid, &view));
    CHECK_INT(ploy_grid_find_radius(grid, test_v2(0, 0), 1e30f, out, 4), 1);
    CHECK_INT(out[0], 1);
    CHECK_INT(ploy_grid_find_nearest(grid, test_v2(0, 0), INFINITY, near_out, 4), 1);
    ploy_box2 everything = {{-INFINITY, -INFINITY}, {INFINITY, INFINITY}};
    CHECK_INT(ploy_grid_find_box(grid, everything, out, 4), 1);
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
    int32_t out[500];
    ploy_grid_near near_out[20];
    for (int32_t i = 0; i < 500; i++)
        CHECK_OK(ploy_grid_insert(grid, i, test_random_vec2(&rng, 99)));
    for (int32_t i = 0; i < 500; i++) {
        CHECK_OK(ploy_grid_move(grid, i, test_random_vec2(&rng, 99)));
        (void)ploy_grid_find_radius(grid, test_random_vec2(&rng, 99), 20, out, 500);
        (void)ploy_grid_find_nearest(grid, test_random_vec2(&rng, 99), 200, near_out, 20);
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
