// Corridors: rows that stay whole while agent and goal move, and strings that stay near the best.
#include "path/path_internal.h"
#include "ploy/path/corridor.h"

#include <stdlib.h>

#include "tests/path/navmesh_help.h"

typedef struct walk {
    nav_floor floor;
    ploy_corridor *corridor;
    ploy_path *fresh;
    ploy_navmesh_query *other; // asks for fresh paths
} walk;

static void search(test_context *t, ploy_navmesh_query *query, ploy_navmesh_place from,
                   ploy_navmesh_place to, ploy_path *path) {
    ploy_navmesh_request request = ploy_navmesh_request_make(from, to);
    CHECK_OK(ploy_navmesh_find_path(query, &request, path, NULL));
}

static walk walk_open(test_context *t, uint64_t seed) {
    walk w;
    ploy_env env = ploy_env_default();
    ploy_corridor_def def = ploy_corridor_def_default();
    w.floor = nav_hall(t, seed, 0.3f);
    w.fresh = nav_path(t);
    CHECK_OK(ploy_navmesh_query_create(w.floor.mesh, &env, &w.other));
    CHECK_OK(ploy_corridor_create(&def, &env, &w.corridor));
    return w;
}

static void walk_close(walk *w) {
    ploy_corridor_destroy(w->corridor);
    ploy_navmesh_query_destroy(w->other);
    ploy_path_destroy(w->fresh);
    nav_close(&w->floor);
}

// Neighbours in the row are neighbours in the mesh, its ends hold agent and goal, and every leg of
// the string lies within it.
static void check_row(test_context *t, const walk *w) {
    const ploy_navmesh *mesh = w->floor.mesh;
    ploy_corridor_state state = ploy_corridor_get(w->corridor);
    int32_t count = 0;
    const int32_t *row = ployi_corridor_polygons(w->corridor, &count);
    CHECK(count > 0 && state.polygons == count);
    CHECK_INT(row[0], state.agent.polygon);
    CHECK_INT(row[count - 1], state.goal.polygon);
    for (int32_t i = 0; i + 1 < count; i++) {
        ploy_navmesh_polygon p = ploy_navmesh_polygon_at(mesh, row[i]);
        bool joined = false;
        for (int32_t e = p.first; e < p.first + p.count; e++) {
            joined = joined || ploy_navmesh_edge_at(mesh, e).neighbour == row[i + 1];
        }
        CHECK(joined);
    }
    const ploy_path *path = ploy_corridor_path(w->corridor);
    for (int32_t i = 0; i + 1 < ploy_path_count(path); i++) {
        for (int32_t k = 0; k <= 8; k++) {
            ploy_vec2 at = ploy_vec2_lerp(ploy_path_point(path, i), ploy_path_point(path, i + 1),
                                          (float)k / 8.0f);
            float nearest = INFINITY;
            for (int32_t n = 0; n < count; n++) {
                ploy_vec3 near = ploy_navmesh_closest(mesh, row[n], at);
                nearest = ploy_minf(nearest, ploy_vec2_distance(ploy_vec2_from_vec3(near), at));
            }
            CHECK(nearest < 1e-4f);
        }
    }
}

// An agent is pushed about while it walks, and its goal walks too. Against a fresh search each time
// the string is less than 1 % longer in the mean and never twice as long: the tolerance that the
// guide states. Hardly any corridor goes stale.
TEST(a_mended_corridor_is_nearly_as_short_as_a_fresh_path) {
    double sum = 0.0, worst = 1.0;
    int64_t samples = 0, stale = 0, repairs = 0;
    for (int64_t seed = 1; seed <= test_rounds(12); seed++) {
        TEST_SEED(seed);
        walk w = walk_open(t, (uint64_t)seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        ploy_navmesh_place from, to;
        CHECK_OK(ploy_navmesh_find_random(w.floor.query, &rng, &from));
        CHECK_OK(ploy_navmesh_find_random(w.floor.query, &rng, &to));
        search(t, w.floor.query, from, to, NULL);
        CHECK_OK(ploy_corridor_set(w.corridor, w.floor.query));
        ploy_vec2 heading = ploy_vec2_make(1, 0);
        for (int32_t tick = 0; tick < 300; tick++) {
            ploy_corridor_state state = ploy_corridor_get(w.corridor);
            repairs += state.repairs;
            bool there = ploy_path_length(ploy_corridor_path(w.corridor)) < 0.5f;
            if (there || state.stale || tick % 100 == 99) {
                stale += state.stale;
                CHECK_OK(ploy_navmesh_find_random(w.floor.query, &rng, &to));
                search(t, w.floor.query, state.agent, to, NULL);
                CHECK_OK(ploy_corridor_set(w.corridor, w.floor.query));
                state = ploy_corridor_get(w.corridor);
            }
            ploy_vec2 at = ploy_vec2_from_vec3(state.agent.point);
            ploy_vec2 next = ploy_vec2_from_vec3(ploy_corridor_next(w.corridor, 0.05f));
            ploy_vec2 step = ploy_vec2_with_length(ploy_vec2_sub(next, at), 0.2f);
            ploy_vec2 push = ploy_vec2_make(ploy_rng_range(&rng, -0.25f, 0.25f),
                                            ploy_rng_range(&rng, -0.25f, 0.25f));
            CHECK_OK(ploy_corridor_move(w.corridor, w.floor.query,
                                        ploy_vec2_add(at, ploy_vec2_add(step, push))));
            if (tick % 7 == 0) {
                heading = ploy_vec2_make(ploy_rng_range(&rng, -0.3f, 0.3f),
                                         ploy_rng_range(&rng, -0.3f, 0.3f));
            }
            ploy_vec2 goal = ploy_vec2_from_vec3(ploy_corridor_get(w.corridor).goal.point);
            CHECK_OK(
                ploy_corridor_move_goal(w.corridor, w.floor.query, ploy_vec2_add(goal, heading)));
            if (tick % 3 == 0) CHECK_OK(ploy_corridor_shorten(w.corridor, w.floor.query));
            check_row(t, &w);
            state = ploy_corridor_get(w.corridor);
            if (state.stale || tick % 5 != 0) continue;
            search(t, w.other, state.agent, state.goal, w.fresh);
            double mended = (double)ploy_path_length(ploy_corridor_path(w.corridor));
            double fresh = (double)ploy_path_length(w.fresh);
            if (fresh < 1.0) continue;
            sum += mended / fresh;
            worst = fmax(worst, mended / fresh);
            samples++;
        }
        walk_close(&w);
    }
    CHECK(samples > 300 && repairs > 300);
    CHECK(stale * 100 <= samples);
    CHECK(sum / (double)samples < 1.01);
    CHECK(worst < 2.0); // 1.69 over 14,000 samples
}

// One square after the other along x.
static walk walk_strip(test_context *t, nav_tiles *tiles, int32_t columns, int32_t rows) {
    walk w;
    ploy_env env = ploy_env_default();
    ploy_corridor_def def = ploy_corridor_def_default();
    w.floor = nav_soup(t, nav_grid(tiles, columns, rows));
    w.fresh = NULL;
    w.other = NULL;
    CHECK_OK(ploy_corridor_create(&def, &env, &w.corridor));
    return w;
}

TEST(what_was_walked_is_forgotten_and_what_was_left_is_searched) {
    static nav_tiles tiles;
    walk w = walk_strip(t, &tiles, 8, 2);
    ploy_navmesh_query *query = w.floor.query;
    search(t, query, nav_at(t, query, 0.5f, 0.5f), nav_at(t, query, 7.5f, 0.5f), NULL);
    CHECK_OK(ploy_corridor_set(w.corridor, query));
    CHECK_INT(ploy_corridor_get(w.corridor).polygons, 8);
    // Along the row nothing is searched.
    CHECK_OK(ploy_corridor_move(w.corridor, query, ploy_vec2_make(2.5f, 0.5f)));
    CHECK_INT(ploy_corridor_get(w.corridor).polygons, 6);
    CHECK_INT(ploy_corridor_get(w.corridor).repairs, 0);
    CHECK_NEAR(ploy_path_length(ploy_corridor_path(w.corridor)), 5.0, 1e-5);
    // Pushed to the other row of squares, it is mended.
    CHECK_OK(ploy_corridor_move(w.corridor, query, ploy_vec2_make(2.5f, 1.5f)));
    CHECK_INT(ploy_corridor_get(w.corridor).repairs, 1);
    check_row(t, &w);
    CHECK_NEAR(ploy_path_length(ploy_corridor_path(w.corridor)), sqrt(26.0), 1e-4);
    // The goal comes nearer, and goes to the other row.
    CHECK_OK(ploy_corridor_move_goal(w.corridor, query, ploy_vec2_make(6.5f, 0.5f)));
    CHECK_OK(ploy_corridor_move_goal(w.corridor, query, ploy_vec2_make(6.5f, 1.5f)));
    check_row(t, &w);
    CHECK_NEAR(ploy_path_length(ploy_corridor_path(w.corridor)), 4.0, 1e-4);
    ploy_vec3 next = ploy_corridor_next(w.corridor, 0.1f);
    CHECK_NEAR(next.x, 6.5, 1e-5);
    CHECK(!ploy_corridor_get(w.corridor).stale);
    ploy_corridor_clear(w.corridor);
    CHECK_INT(ploy_corridor_get(w.corridor).agent.polygon, -1);
    CHECK_INT(ploy_corridor_move(w.corridor, query, ploy_vec2_zero()), PLOY_ERR_STATE);
    walk_close(&w);
}

// A repair with room for one node cannot follow far: it says so, and the row stays whole.
TEST(a_repair_that_runs_out_leaves_a_stale_corridor) {
    static nav_tiles tiles;
    walk w = walk_strip(t, &tiles, 8, 8);
    ploy_env env = ploy_env_default();
    ploy_corridor_def def = ploy_corridor_def_default();
    def.repair = 1;
    ploy_corridor_destroy(w.corridor);
    CHECK_OK(ploy_corridor_create(&def, &env, &w.corridor));
    ploy_navmesh_query *query = w.floor.query;
    search(t, query, nav_at(t, query, 0.5f, 0.5f), nav_at(t, query, 7.5f, 0.5f), NULL);
    CHECK_OK(ploy_corridor_set(w.corridor, query));
    CHECK_OK(ploy_corridor_move_goal(w.corridor, query, ploy_vec2_make(7.5f, 6.5f)));
    CHECK(ploy_corridor_get(w.corridor).stale);
    CHECK_NEAR(ploy_corridor_get(w.corridor).goal.point.y, 0.5, 1e-6); // where the row leads
    check_row(t, &w);
    CHECK_OK(ploy_corridor_move(w.corridor, query, ploy_vec2_make(0.5f, 7.5f)));
    CHECK_INT(ploy_corridor_get(w.corridor).polygons, 1);
    check_row(t, &w);
    walk_close(&w);
}

TEST(misuse_is_a_result) {
    static nav_tiles tiles, more;
    walk w = walk_strip(t, &tiles, 6, 1), other = walk_strip(t, &more, 3, 1);
    ploy_env env = ploy_env_default();
    ploy_navmesh_query *query = w.floor.query;
    CHECK_INT(ploy_corridor_set(w.corridor, query), PLOY_ERR_STATE);
    CHECK_INT(ploy_corridor_shorten(w.corridor, query), PLOY_ERR_STATE);
    search(t, query, nav_at(t, query, 0.5f, 0.5f), nav_at(t, query, 5.5f, 0.5f), NULL);
    CHECK_OK(ploy_corridor_set(w.corridor, query));
    CHECK_INT(ploy_corridor_move(w.corridor, other.floor.query, ploy_vec2_zero()),
              PLOY_ERR_CHANGED);
    CHECK_INT(ploy_corridor_move(w.corridor, query, ploy_vec2_make(NAN, 0)), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_corridor_move_goal(w.corridor, query, ploy_vec2_make(0, INFINITY)),
              PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_corridor_get(w.corridor).polygons, 6);
    ploy_corridor_def def = ploy_corridor_def_default();
    ploy_corridor *small = NULL;
    def.capacity = 4;
    CHECK_OK(ploy_corridor_create(&def, &env, &small));
    search(t, query, nav_at(t, query, 0.5f, 0.5f), nav_at(t, query, 5.5f, 0.5f), NULL);
    CHECK_INT(ploy_corridor_set(small, query), PLOY_ERR_CAPACITY);
    CHECK_INT(ploy_corridor_get(small).polygons, 0);
    ploy_corridor_destroy(small);
    def.capacity = 1;
    CHECK_INT(ploy_corridor_create(&def, &env, &small), PLOY_ERR_ARGUMENT);
    CHECK(small == NULL);
    walk_close(&other);
    walk_close(&w);
}

static ploy_result corridor_nth(const ploy_env *env, void *arg) {
    ploy_navmesh_query *query = arg;
    ploy_corridor_def def = ploy_corridor_def_default();
    ploy_corridor *corridor = NULL;
    ploy_result result = ploy_corridor_create(&def, env, &corridor);
    if (result == PLOY_OK) result = ploy_corridor_set(corridor, query);
    ploy_corridor_destroy(corridor);
    return result;
}

TEST(creating_survives_every_failing_allocation) {
    static nav_tiles tiles;
    walk w = walk_strip(t, &tiles, 8, 1);
    ploy_navmesh_query *query = w.floor.query;
    search(t, query, nav_at(t, query, 0.5f, 0.5f), nav_at(t, query, 7.5f, 0.5f), NULL);
    CHECK_FAIL_NTH(corridor_nth, query);
    walk_close(&w);
}

TEST(moving_allocates_nothing_once_it_is_warm) {
    walk w = walk_open(t, 5);
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    ploy_corridor_def def = ploy_corridor_def_default();
    ploy_corridor *corridor = NULL;
    ploy_navmesh_query *query = w.floor.query;
    CHECK_OK(ploy_corridor_create(&def, &env, &corridor));
    int64_t warm = 0;
    for (int32_t round = 0; round < 2; round++) {
        search(t, query, nav_at(t, query, 1, 1), nav_at(t, query, 39, 29), NULL);
        CHECK_OK(ploy_corridor_set(corridor, query));
        for (int32_t i = 0; i < 200; i++) {
            ploy_vec2 next = ploy_vec2_from_vec3(ploy_corridor_next(corridor, 0.1f));
            ploy_vec2 at = ploy_vec2_from_vec3(ploy_corridor_get(corridor).agent.point);
            ploy_vec2 step = ploy_vec2_with_length(ploy_vec2_sub(next, at), 0.3f);
            CHECK_OK(ploy_corridor_move(corridor, query, ploy_vec2_add(at, step)));
            CHECK_OK(ploy_corridor_shorten(corridor, query));
        }
        CHECK(ploy_path_length(ploy_corridor_path(corridor)) < 0.5f); // it got there
        if (round == 0) warm = counts.calls;
    }
    CHECK_INT(counts.calls, warm);
    int64_t told = 0;
    ploy_corridor_memory(corridor, test_sum_memory, &told);
    CHECK_INT(told, counts.bytes);
    ploy_corridor_destroy(corridor);
    walk_close(&w);
}

// An allocator that keeps one block when it is freed and hands it out again for the next one of its
// size.
typedef struct reuser {
    const void *watched;
    void *kept;
    size_t size;
} reuser;

static void *reuse(void *user, void *ptr, size_t old_size, size_t new_size) {
    reuser *self = user;
    if (new_size == 0) {
        if (ptr == NULL || ptr != self->watched) {
            free(ptr);
        } else {
            self->kept = ptr;
            self->size = old_size;
        }
        return NULL;
    }
    if (ptr != NULL || self->kept == NULL || new_size != self->size) return realloc(ptr, new_size);
    ptr = self->kept;
    self->kept = NULL;
    return ptr;
}

TEST(a_mesh_at_the_address_of_an_older_one_is_another_mesh) {
    static const ploy_vec2 hall[] = {{0, 0}, {40, 0}, {40, 30}, {0, 30}};
    reuser user = {NULL, NULL, 0};
    ploy_env env = ploy_env_default();
    env.allocator = (ploy_allocator){reuse, &user};
    ploy_navmesh_def def = ploy_navmesh_def_default();
    ploy_corridor_def corridor_def = ploy_corridor_def_default();
    ploy_corridor *corridor = NULL;
    ploy_rings *rings = NULL;
    ploy_navmesh *mesh = NULL, *again = NULL;
    ploy_navmesh_query *query = NULL;
    CHECK_OK(ploy_corridor_create(&corridor_def, &env, &corridor));
    CHECK_OK(ploy_rings_create(&env, &rings));
    nav_rings(t, 5, &env, rings);
    CHECK_OK(
        ploy_navmesh_create_rings(&def, rings, PLOY_FILL_EVEN_ODD, NULL, 0, &env, NULL, &mesh));
    CHECK_OK(ploy_navmesh_query_create(mesh, &env, &query));
    search(t, query, nav_at(t, query, 1, 1), nav_at(t, query, 39, 29), NULL);
    CHECK_OK(ploy_corridor_set(corridor, query));
    CHECK(ploy_corridor_get(corridor).polygons > 4);
    uint64_t first = ploy_navmesh_generation(mesh);
    ploy_navmesh_query_destroy(query);
    user.watched = mesh;
    ploy_navmesh_destroy(mesh);
    ploy_rings_destroy(rings);
    // An empty hall in its place: one polygon.
    CHECK_OK(ploy_rings_create(&env, &rings));
    CHECK_OK(ploy_rings_add(rings, hall, 4));
    CHECK_OK(
        ploy_navmesh_create_rings(&def, rings, PLOY_FILL_EVEN_ODD, NULL, 0, &env, NULL, &again));
    CHECK(again == mesh);
    user.watched = NULL;
    CHECK(ploy_navmesh_generation(again) != first);
    CHECK_OK(ploy_navmesh_query_create(again, &env, &query));
    CHECK_INT(ploy_corridor_move(corridor, query, ploy_vec2_make(2, 2)), PLOY_ERR_CHANGED);
    CHECK_INT(ploy_corridor_move_goal(corridor, query, ploy_vec2_make(2, 2)), PLOY_ERR_CHANGED);
    CHECK_INT(ploy_corridor_shorten(corridor, query), PLOY_ERR_CHANGED);
    // A search on the new mesh mends it; the same mesh made once more is the same to it.
    search(t, query, nav_at(t, query, 1, 1), nav_at(t, query, 39, 29), NULL);
    CHECK_OK(ploy_corridor_set(corridor, query));
    CHECK_OK(ploy_corridor_move(corridor, query, ploy_vec2_make(2, 2)));
    ploy_navmesh_query_destroy(query);
    ploy_navmesh_destroy(again);
    CHECK_OK(
        ploy_navmesh_create_rings(&def, rings, PLOY_FILL_EVEN_ODD, NULL, 0, &env, NULL, &again));
    CHECK_OK(ploy_navmesh_query_create(again, &env, &query));
    CHECK_OK(ploy_corridor_move(corridor, query, ploy_vec2_make(3, 2)));
    ploy_navmesh_query_destroy(query);
    ploy_navmesh_destroy(again);
    ploy_rings_destroy(rings);
    ploy_corridor_destroy(corridor);
}
