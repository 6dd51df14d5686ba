// Every finder on the same levels: what each promises, in one go and in slices, cancelled, after
// edits, with hooks, saved and loaded.
#include "path/path_internal.h"
#include "ploy/path/finder_kit.h"

#include <stdlib.h>

#include "ploy/base/math.h"
#include "ploy/path/planners.h"
#include "tests/draw_count.h"
#include "tests/path/navmesh_help.h"
#include "tests/path/tile_maps.h"
#include "tests/state.h"

enum { LEVEL_WIDTH = 9, LEVEL_HEIGHT = 8, LEVEL_CELLS = LEVEL_WIDTH * LEVEL_HEIGHT, FINDERS = 64 };

// A small level as tiles, grid map, representation and mesh: one polygon for each free cell.
typedef struct level {
    ploy_tiles *tiles;
    ploy_grid_map *map;
    ploy_tiles_walker walker;
    ploy_representation view;
    ploy_navmesh *mesh;
    ploy_navmesh_finder_def floor;
    ploy_finder_kit *kit;
    int32_t polygons[LEVEL_CELLS]; // of cells, -1
    int32_t cells[LEVEL_CELLS];    // of polygons
    int32_t start, goal;
    ploy_finder_factory finders[FINDERS];
    int32_t count;
} level;

static void level_mesh(test_context *t, level *out) {
    ploy_vec3 vertices[(LEVEL_WIDTH + 1) * (LEVEL_HEIGHT + 1)];
    int32_t sizes[LEVEL_CELLS], corners[4 * LEVEL_CELLS], count = 0;
    int32_t across = LEVEL_WIDTH + 1;
    for (int32_t i = 0; i < across * (LEVEL_HEIGHT + 1); i++) {
        vertices[i] = ploy_vec3_make((float)(i % across), (float)(i / across), 0.0f);
    }
    for (int32_t i = 0; i < LEVEL_CELLS; i++) {
        out->polygons[i] = -1;
        if (!ploy_tiles_passable(out->tiles, i)) continue;
        int32_t least = i / LEVEL_WIDTH * across + i % LEVEL_WIDTH;
        int32_t ring[4] = {least, least + 1, least + across + 1, least + across};
        memcpy(corners + 4 * count, ring, sizeof ring);
        out->cells[count] = i;
        out->polygons[i] = count;
        sizes[count++] = 4;
    }
    ploy_navmesh_soup soup;
    memset(&soup, 0, sizeof soup);
    soup.vertices = vertices;
    soup.vertex_count = across * (LEVEL_HEIGHT + 1);
    soup.sizes = sizes;
    soup.polygon_count = count;
    soup.corners = corners;
    soup.corner_count = 4 * count;
    ploy_env env = ploy_env_default();
    ploy_navmesh_def def = ploy_navmesh_def_default();
    CHECK_OK(ploy_navmesh_create(&def, &soup, &env, NULL, &out->mesh));
    out->floor = ploy_navmesh_finder_def_default();
    out->floor.mesh = out->mesh;
    out->floor.reach = 0.0f;
}

// Finders that a kit prepares; the rest of its list needs no more than the map.
static const char *const prepared[] = {"blocks",    "flow",  "frozen",      "frozen.both",
                                       "hierarchy", "timed", "cooperative", "conflicts"};

// Blocks and flow search the map; frozen graphs and hierarchies are copies of the tiles.
static bool is_prepared(const ploy_finder_factory *finder, size_t first, size_t last) {
    for (size_t i = first; i <= last; i++) {
        if (strcmp(finder->name, prepared[i]) == 0) return true;
    }
    return false;
}

// Prepares again what an edit made stale.
static void level_prepare(test_context *t, level *in, int32_t finder) {
    ploy_finder_factory *factory = &in->finders[finder];
    if (!is_prepared(factory, 0, COUNT_OF(prepared) - 1)) return;
    CHECK_OK(ploy_finder_kit_find(in->kit, factory->name, factory));
}

static void level_make(test_context *t, uint64_t seed, level *out) {
    ploy_rng rng = ploy_rng_make(seed);
    memset(out, 0, sizeof *out);
    out->tiles = maps_plain(t, LEVEL_WIDTH, LEVEL_HEIGHT);
    maps_scatter(out->tiles, &rng, ploy_rng_range(&rng, 0.0f, 0.4f));
    out->start = (int32_t)ploy_rng_below(&rng, LEVEL_CELLS);
    out->goal = (int32_t)ploy_rng_below(&rng, LEVEL_CELLS);
    CHECK_OK(ploy_tiles_set(out->tiles, out->start, PLOY_TILE_OPEN));
    CHECK_OK(ploy_tiles_set(out->tiles, out->goal, PLOY_TILE_OPEN));
    out->map = maps_grid(t, out->tiles, 1, seed % 2 == 0);
    out->walker = ploy_tiles_walker_make(out->tiles, NULL);
    out->view = ploy_tiles_representation(&out->walker);
    level_mesh(t, out);
    out->count = ploy_tiles_finders(out->map, &out->view, out->finders, FINDERS);
    CHECK(out->count >= 12 && out->count + 2 <= FINDERS);
    out->finders[out->count++] = ploy_navmesh_finder(&out->floor);
    out->finders[out->count++] = ploy_navmesh_exact_finder(&out->floor);
    ploy_env env = ploy_env_default();
    ploy_finder_kit_def kit = ploy_finder_kit_def_default();
    kit.side = 4;
    CHECK_OK(ploy_finder_kit_create(&kit, out->map, out->tiles, &env, &out->kit));
    for (size_t i = 0; i < COUNT_OF(prepared); i++) {
        CHECK_OK(ploy_finder_kit_find(out->kit, prepared[i], &out->finders[out->count++]));
    }
}

static void level_free(level *in) {
    ploy_finder_kit_destroy(in->kit);
    ploy_navmesh_destroy(in->mesh);
    ploy_grid_map_destroy(in->map);
    ploy_tiles_destroy(in->tiles);
}

static ploy_finder_request level_request(const level *in) {
    ploy_vec3 from = in->view.localise(in->view.user, in->start);
    ploy_vec3 to = in->view.localise(in->view.user, in->goal);
    ploy_path_request path = ploy_path_request_make(ploy_agent_id_none(), from, to);
    return ploy_finder_request_make(&path);
}

// ---- oracles ----

static bool on_mesh(const ploy_finder_factory *finder) {
    return strcmp(finder->name, "mesh") == 0 || strcmp(finder->name, "exact") == 0;
}

static bool by_lines(const ploy_finder_factory *finder) {
    return on_mesh(finder) || strcmp(finder->name, "theta") == 0 ||
           strcmp(finder->name, "lazy") == 0 || strcmp(finder->name, "anya") == 0;
}

// The least cost by steps, found by relaxing every step until nothing changes; INFINITY.
static double slow_steps(const level *in, const ploy_cost_hook *hook) {
    double cost[LEVEL_CELLS];
    for (int32_t i = 0; i < LEVEL_CELLS; i++) cost[i] = (double)INFINITY;
    cost[in->start] = 0.0;
    for (bool again = true; again;) {
        again = false;
        for (int32_t i = 0; i < LEVEL_CELLS; i++) {
            for (int32_t k = 0; k < 8 && cost[i] < (double)INFINITY; k++) {
                double step = ploy_tiles_walker_step(&in->walker, i, k);
                int32_t to = ploy_tiles_neighbour(in->tiles, i, k);
                if (!(step < (double)INFINITY)) continue;
                if (hook != NULL) step = hook->fn(hook->user, i, to, k, step);
                if (!(cost[i] + step < cost[to] - 1e-12)) continue;
                cost[to] = cost[i] + step;
                again = true;
            }
        }
    }
    return cost[in->goal];
}

// What finders in time count: seconds in halves, or ticks.
static double seconds(void *user, int32_t from, int32_t to, int32_t label, double base) {
    (void)user;
    (void)from;
    (void)to;
    (void)base;
    return label % 2 != 0 ? 1.5 : 1.0;
}

static double one_tick(void *user, int32_t from, int32_t to, int32_t label, double base) {
    (void)user;
    (void)from;
    (void)to;
    (void)label;
    (void)base;
    return 1.0;
}

// The least that steps cost in a finder's own measure.
static double slow_own(const level *in, const ploy_finder_factory *finder) {
    ploy_cost_hook timed = {seconds, NULL}, ticks = {one_tick, NULL};
    if (is_prepared(finder, 5, 5)) return slow_steps(in, &timed);
    return slow_steps(in, is_prepared(finder, 6, 7) ? &ticks : NULL);
}

static bool is_wall(const level *in, int32_t x, int32_t y) {
    int32_t cell = ploy_tiles_cell(in->tiles, x, y);
    return cell < 0 || !ploy_tiles_passable(in->tiles, cell);
}

// May a point go straight from a to b? It may touch walls, but not pass through them, nor between
// two that meet in a corner or along an edge.
static bool line_is_free(const level *in, maps_point a, maps_point b) {
    for (int32_t i = 0; i < LEVEL_CELLS; i++) {
        if (!ploy_tiles_passable(in->tiles, i) && maps_touches(a, b, i, LEVEL_WIDTH, true)) {
            return false;
        }
    }
    int64_t low_x = ploy_mini((int32_t)a.x, (int32_t)b.x), high_x = a.x + b.x - low_x;
    int64_t low_y = ploy_mini((int32_t)a.y, (int32_t)b.y), high_y = a.y + b.y - low_y;
    for (int32_t i = 0; i < (LEVEL_WIDTH + 1) * (LEVEL_HEIGHT + 1); i++) { // corners on the line
        int32_t x = i % (LEVEL_WIDTH + 1), y = i / (LEVEL_WIDTH + 1);
        maps_point at = {2 * x, 2 * y};
        bool inside = at.x >= low_x && at.x <= high_x && at.y >= low_y && at.y <= high_y;
        bool end = (at.x == a.x && at.y == a.y) || (at.x == b.x && at.y == b.y);
        if (!inside || end || maps_side(a, b, at) != 0) continue;
        if ((is_wall(in, x - 1, y) && is_wall(in, x, y - 1)) ||
            (is_wall(in, x, y) && is_wall(in, x - 1, y - 1))) {
            return false;
        }
    }
    // Along an edge of the grid: not both sides may be walls, nor the map's rim beside one.
    if (a.x == b.x && a.x % 2 == 0) {
        for (int64_t y = low_y / 2; 2 * y < high_y; y++) {
            int32_t x = (int32_t)(a.x / 2);
            if (is_wall(in, x - 1, (int32_t)y) && is_wall(in, x, (int32_t)y)) return false;
        }
    }
    if (a.y == b.y && a.y % 2 == 0) {
        for (int64_t x = low_x / 2; 2 * x < high_x; x++) {
            int32_t y = (int32_t)(a.y / 2);
            if (is_wall(in, (int32_t)x, y - 1) && is_wall(in, (int32_t)x, y)) return false;
        }
    }
    return true;
}

// The shortest line between two cells that bends at corners of walls. A corner where two walls meet
// is no place to bend: the point would pass between them.
static double slow_lines(const level *in) {
    enum { MOST = (LEVEL_WIDTH + 1) * (LEVEL_HEIGHT + 1) + 2 };
    maps_point at[MOST];
    double cost[MOST];
    bool done[MOST];
    int32_t count = 2;
    at[0] = maps_centre(in->start, LEVEL_WIDTH);
    at[1] = maps_centre(in->goal, LEVEL_WIDTH);
    for (int32_t i = 0; i < MOST - 2; i++) {
        int32_t x = i % (LEVEL_WIDTH + 1), y = i / (LEVEL_WIDTH + 1);
        int32_t walls = is_wall(in, x, y) + is_wall(in, x - 1, y) + is_wall(in, x, y - 1) +
                        is_wall(in, x - 1, y - 1);
        if (walls != 1) continue; // only one sticks out
        at[count].x = 2 * x;
        at[count++].y = 2 * y;
    }
    for (int32_t i = 0; i < count; i++) {
        cost[i] = i == 0 ? 0.0 : (double)INFINITY;
        done[i] = false;
    }
    for (;;) {
        int32_t best = -1;
        for (int32_t i = 0; i < count; i++) {
            if (!done[i] && cost[i] < (double)INFINITY && (best < 0 || cost[i] < cost[best])) {
                best = i;
            }
        }
        if (best < 0 || best == 1) return cost[1];
        done[best] = true;
        for (int32_t i = 1; i < count; i++) {
            double dx = (double)(at[i].x - at[best].x), dy = (double)(at[i].y - at[best].y);
            double length = 0.5 * sqrt(dx * dx + dy * dy);
            if (done[i] || !(cost[best] + length < cost[i])) continue;
            if (line_is_free(in, at[best], at[i])) cost[i] = cost[best] + length;
        }
    }
}

// Moves the goal to a cell that is some steps away and can be reached.
static void level_far(test_context *t, level *in) {
    double cost = 0.0;
    for (in->goal = 0; in->goal < LEVEL_CELLS; in->goal++) {
        cost = slow_steps(in, NULL);
        if (cost > 4.0 && cost < (double)INFINITY) return;
    }
    CHECK(cost > 4.0);
}

// ---- one finder ----

typedef struct found {
    ploy_path *path;
    ploy_path_outcome outcome;
    double cost;
    int64_t taken;
    int32_t end;
} found;

static ploy_path *new_path(test_context *t) {
    ploy_env env = ploy_env_default();
    ploy_path_def def = ploy_path_def_default();
    ploy_path *path = NULL;
    CHECK_OK(ploy_path_create(&def, &env, &path));
    return path;
}

static ploy_finder new_finder(test_context *t, const ploy_finder_factory *factory) {
    ploy_env env = ploy_env_default();
    ploy_finder finder;
    CHECK_OK(ploy_finder_make(factory, &env, &finder));
    CHECK_UINT(finder.type->traits, factory->traits);
    CHECK_TEXT(finder.type->name, factory->name);
    return finder;
}

static void read_finder(test_context *t, ploy_finder finder, found *out) {
    const ploy_finder_state *state = ploy_finder_state_of(finder);
    out->outcome = ploy_finder_outcome(finder);
    out->cost = state->cost;
    out->taken = state->taken;
    out->end = state->end;
    bool is_path = out->outcome == PLOY_PATH_FOUND || out->outcome == PLOY_PATH_PARTIAL;
    CHECK_INT(ploy_finder_path(finder, out->path), is_path ? PLOY_OK : PLOY_ERR_STATE);
}

static void check_same(test_context *t, const found *a, const found *b) {
    CHECK_INT(a->outcome, b->outcome);
    CHECK_SAME(a->cost, b->cost);
    CHECK_INT(a->taken, b->taken);
    CHECK_INT(a->end, b->end);
    CHECK_INT(ploy_path_count(a->path), ploy_path_count(b->path));
    for (int32_t i = 0; i < ploy_path_count(a->path); i++) {
        CHECK_SAME(ploy_path_point(a->path, i).x, ploy_path_point(b->path, i).x);
        CHECK_SAME(ploy_path_point(a->path, i).y, ploy_path_point(b->path, i).y);
    }
    CHECK_SAME(ploy_path_cost(a->path), ploy_path_cost(b->path));
}

// From start to goal, over nothing but floor, at the cost that the finder reports.
static void check_path(test_context *t, const level *in, const ploy_finder_factory *factory,
                       const found *one) {
    const ploy_path *path = one->path;
    int32_t count = ploy_path_count(path);
    ploy_vec3 from = in->view.localise(in->view.user, in->start);
    ploy_vec3 to = in->view.localise(in->view.user, in->goal);
    CHECK(count > 0);
    CHECK_NEAR(ploy_path_point(path, 0).x, from.x, 1e-6);
    CHECK_NEAR(ploy_path_point(path, 0).y, from.y, 1e-6);
    CHECK_NEAR(ploy_path_point(path, count - 1).x, to.x, 1e-6);
    CHECK_NEAR(ploy_path_point(path, count - 1).y, to.y, 1e-6);
    for (int32_t i = 0; i + 1 < count; i++) {
        ploy_vec2 a = ploy_path_point(path, i), b = ploy_path_point(path, i + 1);
        maps_point p = {(int64_t)(2.0f * a.x), (int64_t)(2.0f * a.y)};
        maps_point q = {(int64_t)(2.0f * b.x), (int64_t)(2.0f * b.y)};
        CHECK_NEAR(2.0f * a.x, (float)p.x, 1e-6); // centres and corners
        CHECK(line_is_free(in, p, q));
    }
    // A mesh's cost is that of its search, not of the pulled string.
    bool mesh = strcmp(factory->name, "mesh") == 0;
    if (!mesh) CHECK_NEAR(ploy_path_cost(path), one->cost, 1e-4 * (1.0 + one->cost));
}

static void check_cost(test_context *t, const ploy_finder_factory *factory, const found *one,
                       double best) {
    bool reachable = best < (double)INFINITY;
    CHECK_INT(one->outcome, reachable ? PLOY_PATH_FOUND : PLOY_PATH_NONE);
    if (!reachable) return;
    double cost = on_mesh(factory) ? (double)ploy_path_length(one->path) : one->cost;
    bool optimal = (factory->traits & PLOY_FINDER_OPTIMAL) != 0;
    CHECK(cost >= best - 1e-4);
    if (optimal) CHECK(cost <= best + 1e-4);
}

TEST(every_finder_keeps_its_promise_in_one_go_and_in_slices) {
    for (int64_t seed = 0; seed < test_rounds(2000); seed++) {
        TEST_SEED(seed);
        level in;
        level_make(t, (uint64_t)seed, &in);
        ploy_finder_request request = level_request(&in);
        double lines = slow_lines(&in);
        found one = {new_path(t), PLOY_PATH_NONE, 0.0, 0, 0}, two = one;
        two.path = new_path(t);
        for (int32_t i = 0; i < in.count; i++) {
            const ploy_finder_factory *factory = &in.finders[i];
            t->row = factory->name;
            ploy_finder finder = new_finder(t, factory);
            CHECK(ploy_finder_serves(finder, &request, NULL) == NULL);
            CHECK_INT(ploy_finder_step(finder, NULL), PLOY_ERR_STATE);
            CHECK_OK(ploy_finder_run(finder, &request, NULL));
            read_finder(t, finder, &one);
            check_cost(t, factory, &one, by_lines(factory) ? lines : slow_own(&in, factory));
            if (one.outcome == PLOY_PATH_FOUND) check_path(t, &in, factory, &one);
            int64_t units = ploy_finder_state_of(finder)->units, spent = 0;
            if (is_prepared(factory, 1, 1)) { // a flow finder keeps its field
                ploy_finder_destroy(finder);
                finder = new_finder(t, factory);
            }
            // One unit at a time, looked at all along.
            CHECK_OK(ploy_finder_begin(finder, &request, NULL));
            ploy_result result = PLOY_IN_PROGRESS;
            while (result == PLOY_IN_PROGRESS) {
                ploy_budget budget = ploy_budget_units(1);
                result = ploy_finder_step(finder, &budget);
                spent += budget.spent;
                if (result == PLOY_IN_PROGRESS && finder.type->peek != NULL && spent % 3 == 0) {
                    CHECK_OK(ploy_finder_peek(finder, two.path));
                    CHECK(ploy_path_count(two.path) > 0);
                }
            }
            CHECK_OK(result);
            CHECK_INT(spent, units);
            read_finder(t, finder, &two);
            check_same(t, &one, &two);
            ploy_finder_destroy(finder);
        }
        ploy_path_destroy(one.path);
        ploy_path_destroy(two.path);
        level_free(&in);
    }
}

TEST(a_finder_is_cancelled_anywhere_and_saved_anywhere) {
    for (int64_t seed = 0; seed < test_rounds(2000); seed++) {
        TEST_SEED(seed);
        level in;
        level_make(t, (uint64_t)seed, &in);
        ploy_rng rng = ploy_rng_make((uint64_t)seed + 7);
        ploy_finder_request request = level_request(&in);
        found one = {new_path(t), PLOY_PATH_NONE, 0.0, 0, 0}, two = one;
        two.path = new_path(t);
        for (int32_t i = 0; i < in.count; i++) {
            t->row = in.finders[i].name;
            ploy_env env = ploy_env_default();
            ploy_finder finder = new_finder(t, &in.finders[i]), other;
            CHECK_OK(ploy_finder_run(finder, &request, NULL));
            read_finder(t, finder, &one);
            ploy_budget budget = ploy_budget_units(ploy_rng_int(&rng, 0, 20));
            CHECK_OK(ploy_finder_begin(finder, &request, NULL));
            CHECK(ploy_finder_step(finder, &budget) >= PLOY_OK);
            // Another one goes on where it was.
            state_check saved = {ploy_finder_visit, &finder, NULL, NULL, NULL};
            if (seed < 20) {
                state_check_cover(t, &saved);
                t->row = in.finders[i].name;
            }
            char *text = state_save(t, &saved);
            other = new_finder(t, &in.finders[i]);
            saved.object = &other;
            state_expect_load(t, &saved, text);
            CHECK_INT(ploy_finder_outcome(other), ploy_finder_outcome(finder));
            CHECK_INT(ploy_finder_state_of(other)->taken, ploy_finder_state_of(finder)->taken);
            CHECK_OK(ploy_finder_step(other, NULL));
            read_finder(t, other, &two);
            check_same(t, &one, &two);
            ploy_finder none = {NULL, NULL};
            saved.object = &none;
            CHECK_INT(state_load(&saved, text, &env, NULL), PLOY_ERR_ARGUMENT);
            // Cancelled, and asked again.
            ploy_finder_cancel(finder);
            CHECK_INT(ploy_finder_outcome(finder), PLOY_PATH_NONE);
            CHECK_INT(ploy_finder_step(finder, NULL), PLOY_ERR_STATE);
            CHECK_INT(ploy_finder_path(finder, two.path), PLOY_ERR_STATE);
            CHECK_INT(ploy_finder_peek(finder, two.path), PLOY_ERR_STATE);
            CHECK_INT(ploy_finder_states(finder, NULL, 0), -1);
            CHECK_OK(ploy_finder_run(finder, &request, NULL));
            read_finder(t, finder, &two);
            check_same(t, &one, &two);
            free(text);
            ploy_finder_destroy(other);
            ploy_finder_destroy(finder);
        }
        ploy_path_destroy(one.path);
        ploy_path_destroy(two.path);
        level_free(&in);
    }
}

TEST(after_an_edit_a_search_says_changed_and_begins_again) {
    for (int64_t seed = 0; seed < test_rounds(2000); seed++) {
        TEST_SEED(seed);
        level in;
        level_make(t, (uint64_t)seed, &in);
        ploy_rng rng = ploy_rng_make((uint64_t)seed + 3);
        ploy_finder_request request = level_request(&in);
        ploy_path *path = new_path(t);
        int32_t edited = (int32_t)ploy_rng_below(&rng, LEVEL_CELLS);
        while (edited == in.start || edited == in.goal) edited = (edited + 1) % LEVEL_CELLS;
        for (int32_t i = 0; i < in.count; i++) {
            if (on_mesh(&in.finders[i])) continue; // a mesh never changes; floors in tiles below
            t->row = in.finders[i].name;
            level_prepare(t, &in, i);
            ploy_finder finder = new_finder(t, &in.finders[i]);
            uint64_t before = ploy_finder_generation(finder);
            ploy_budget budget = ploy_budget_units(ploy_rng_int(&rng, 0, 10));
            CHECK_OK(ploy_finder_begin(finder, &request, NULL));
            bool ended = ploy_finder_step(finder, &budget) == PLOY_OK;
            bool has_path = ploy_finder_outcome(finder) == PLOY_PATH_FOUND;
            uint8_t kind = ploy_tiles_get(in.tiles, edited);
            CHECK_OK(ploy_tiles_set(in.tiles, edited, kind == 0 ? 1 : 0));
            CHECK(ploy_finder_generation(finder) != before);
            if (ended && has_path) {
                CHECK_INT(ploy_finder_path(finder, path), PLOY_ERR_CHANGED);
                CHECK_INT(ploy_finder_states(finder, NULL, 0), -1);
            } else if (!ended) {
                CHECK_INT(ploy_finder_peek(finder, path), PLOY_ERR_CHANGED);
            }
            CHECK_INT(ploy_finder_step(finder, NULL), PLOY_ERR_CHANGED);
            CHECK_INT(ploy_finder_step(finder, NULL), PLOY_ERR_STATE);
            // A grid map refuses until it has followed; then all find what is there now.
            CHECK_OK(ploy_grid_map_refresh(in.map));
            if (is_prepared(&in.finders[i], 2, 4)) { // copies of the tiles are made again
                CHECK(ploy_finder_serves(finder, &request, NULL) != NULL);
                ploy_finder_destroy(finder);
                finder.type = NULL;
            }
            CHECK_OK(ploy_finder_kit_refresh(in.kit));
            level_prepare(t, &in, i);
            if (finder.type == NULL) finder = new_finder(t, &in.finders[i]);
            CHECK_OK(ploy_finder_run(finder, &request, NULL));
            bool lines = by_lines(&in.finders[i]);
            double best = lines ? slow_lines(&in) : slow_steps(&in, NULL);
            CHECK_INT(ploy_finder_outcome(finder),
                      best < (double)INFINITY ? PLOY_PATH_FOUND : PLOY_PATH_NONE);
            ploy_finder_destroy(finder);
        }
        ploy_path_destroy(path);
        level_free(&in);
    }
}

// Refused by name while the map is behind, served after a refresh.
TEST(a_grid_map_that_is_behind_its_tiles_is_refused) {
    level in;
    level_make(t, 4, &in);
    ploy_finder_request request = level_request(&in);
    int32_t cell = in.start == 5 || in.goal == 5 ? 6 : 5;
    CHECK_OK(ploy_tiles_set(in.tiles, cell, 3));
    for (int32_t i = 0; i < in.count; i++) {
        t->row = in.finders[i].name;
        ploy_finder finder = new_finder(t, &in.finders[i]);
        bool map = i < 7 || is_prepared(&in.finders[i], 0, 4);
        CHECK_INT(ploy_finder_serves(finder, &request, NULL) != NULL, map);
        CHECK_INT(ploy_finder_begin(finder, &request, NULL), map ? PLOY_ERR_UNSUPPORTED : PLOY_OK);
        ploy_finder_destroy(finder);
    }
    level_free(&in);
}

// ---- hooks and predicates ----

typedef struct prices {
    float of[LEVEL_CELLS];
    const level *in;
    bool polygons;
    int64_t calls;
} prices;

static double price(void *user, int32_t from, int32_t to, int32_t label, double base) {
    prices *self = user;
    (void)from;
    (void)label;
    self->calls++;
    return base * (double)self->of[self->polygons ? self->in->cells[to] : to];
}

static bool is_cell(void *user, int32_t state) {
    return state == *(const int32_t *)user;
}

TEST(a_hook_is_obeyed_or_refused) {
    for (int64_t seed = 0; seed < test_rounds(2000); seed++) {
        TEST_SEED(seed);
        level in;
        level_make(t, (uint64_t)seed, &in);
        ploy_rng rng = ploy_rng_make((uint64_t)seed + 5);
        ploy_finder_request request = level_request(&in);
        prices hooked;
        memset(&hooked, 0, sizeof hooked);
        hooked.in = &in;
        for (int32_t i = 0; i < LEVEL_CELLS; i++) {
            hooked.of[i] = ploy_rng_chance(&rng, 0.15f) ? INFINITY : ploy_rng_range(&rng, 1, 4);
        }
        hooked.of[in.start] = hooked.of[in.goal] = 1.0f;
        ploy_cost_hook hook = {price, &hooked};
        double best = slow_steps(&in, &hook);
        ploy_path *path = new_path(t);
        int64_t total = 0;
        for (int32_t i = 0; i < in.count; i++) {
            const ploy_finder_factory *factory = &in.finders[i];
            t->row = factory->name;
            ploy_finder finder = new_finder(t, factory);
            bool takes = (factory->traits & PLOY_FINDER_COSTS) != 0;
            hooked.polygons = on_mesh(factory);
            hooked.calls = 0;
            CHECK_INT(ploy_finder_serves(finder, &request, &hook) == NULL, takes);
            ploy_result result = ploy_finder_run(finder, &request, &hook);
            CHECK_INT(result, takes ? PLOY_OK : PLOY_ERR_UNSUPPORTED);
            CHECK(takes || hooked.calls == 0);
            total += hooked.calls;
            if (takes && !on_mesh(factory)) {
                found one = {path, PLOY_PATH_NONE, 0.0, 0, 0};
                read_finder(t, finder, &one);
                check_cost(t, factory, &one, best);
            }
            // Closed cells are not entered.
            bool has_path = takes && ploy_finder_outcome(finder) == PLOY_PATH_FOUND;
            int32_t states[4 * LEVEL_CELLS];
            int32_t count = has_path ? ploy_finder_states(finder, states, 4 * LEVEL_CELLS) : 0;
            CHECK(count <= 4 * LEVEL_CELLS);
            for (int32_t k = 0; k < count; k++) {
                int32_t cell = on_mesh(factory) ? in.cells[states[k]] : states[k];
                CHECK(hooked.of[cell] < INFINITY);
            }
            ploy_finder_destroy(finder);
        }
        if (in.start != in.goal) CHECK(total > 0);
        ploy_path_destroy(path);
        level_free(&in);
    }
}

TEST(a_goal_by_predicate_and_a_radius_are_served_or_refused) {
    for (int64_t seed = 0; seed < test_rounds(2000); seed++) {
        TEST_SEED(seed);
        level in;
        level_make(t, (uint64_t)seed, &in);
        ploy_path *path = new_path(t);
        for (int32_t i = 0; i < in.count; i++) {
            const ploy_finder_factory *factory = &in.finders[i];
            t->row = factory->name;
            double best = slow_own(&in, factory);
            ploy_finder finder = new_finder(t, factory);
            bool takes = (factory->traits & PLOY_FINDER_PREDICATE) != 0;
            int32_t state = on_mesh(factory) ? in.polygons[in.goal] : in.goal;
            ploy_finder_request request = level_request(&in);
            request.is_goal = is_cell;
            request.user = &state;
            request.path.to = ploy_vec3_make(-50, -50, 0); // not read
            CHECK_INT(ploy_finder_serves(finder, &request, NULL) == NULL, takes);
            CHECK_INT(ploy_finder_run(finder, &request, NULL),
                      takes ? PLOY_OK : PLOY_ERR_UNSUPPORTED);
            bool reachable = best < (double)INFINITY;
            if (takes) {
                CHECK_INT(ploy_finder_outcome(finder),
                          reachable ? PLOY_PATH_FOUND : PLOY_PATH_NONE);
                CHECK_INT(ploy_finder_state_of(finder)->end, reachable ? state : PLOY_STATE_NONE);
            }
            bool optimal = takes && (factory->traits & PLOY_FINDER_OPTIMAL) != 0;
            if (optimal && reachable) {
                CHECK_NEAR(ploy_finder_state_of(finder)->cost, best, 1e-9);
            }
            // A body half as wide as a cell goes by steps or over a mesh that trims its portals.
            request = level_request(&in);
            request.path.radius = 0.25f;
            bool thin =
                strcmp(factory->name, "exact") == 0 || (by_lines(factory) && !on_mesh(factory));
            CHECK_INT(ploy_finder_serves(finder, &request, NULL) != NULL, thin);
            // Partial paths lead to the nearest reachable point, if a finder has them.
            request = level_request(&in);
            request.partial = true;
            CHECK_OK(ploy_finder_run(finder, &request, NULL));
            bool partial = (factory->traits & PLOY_FINDER_PARTIAL) != 0;
            CHECK_INT(ploy_finder_outcome(finder), reachable ? PLOY_PATH_FOUND
                                                   : partial ? PLOY_PATH_PARTIAL
                                                             : PLOY_PATH_NONE);
            ploy_finder_destroy(finder);
        }
        ploy_path_destroy(path);
        level_free(&in);
    }
}

// ---- floors in tiles ----

TEST(mesh_finders_follow_a_floor_in_tiles) {
    static const ploy_vec2 hall[] = {{0, 0}, {20, 0}, {20, 12}, {0, 12}};
    static const ploy_vec2 wall[] = {{9, -1}, {10, -1}, {10, 10}, {9, 10}};
    ploy_env env = ploy_env_default();
    ploy_navmesh_tiles *tiles = NULL;
    CHECK_OK(nav_tiled(hall, 4, 4.0f, 0.0f, &env, &tiles));
    CHECK_OK(ploy_navmesh_tiles_refresh(tiles, NULL));
    CHECK_DRAWS(ploy_navmesh_tiles_stats_of(tiles).columns,
                ploy_navmesh_tiles_draw(tiles, &drawing));
    ploy_navmesh_finder_def def = ploy_navmesh_finder_def_default();
    def.tiles = tiles;
    ploy_path_request ask = ploy_path_request_make(ploy_agent_id_none(), ploy_vec3_make(1, 1, 0),
                                                   ploy_vec3_make(19, 1, 0));
    ploy_finder_request request = ploy_finder_request_make(&ask);
    ploy_path *path = new_path(t);
    for (int32_t i = 0; i < 2; i++) {
        ploy_finder_factory factory =
            i == 0 ? ploy_navmesh_finder(&def) : ploy_navmesh_exact_finder(&def);
        t->row = factory.name;
        ploy_finder finder = new_finder(t, &factory);
        CHECK_OK(ploy_finder_run(finder, &request, NULL));
        CHECK_OK(ploy_finder_path(finder, path));
        CHECK_NEAR(ploy_path_length(path), 18.0, 1e-4);
        ploy_id id;
        for (int32_t round = 0; round < 4; round++) { // there, away, there again
            ploy_budget budget = ploy_budget_units(1);
            CHECK_OK(ploy_finder_begin(finder, &request, NULL));
            CHECK(ploy_finder_step(finder, &budget) >= PLOY_OK);
            if (round % 2 == 0) {
                CHECK_OK(ploy_navmesh_tiles_add(tiles, wall, 4, &id));
            } else {
                CHECK_OK(ploy_navmesh_tiles_remove(tiles, id));
            }
            CHECK_OK(ploy_navmesh_tiles_refresh(tiles, NULL)); // the old mesh is gone
            CHECK_INT(ploy_finder_path(finder, path), PLOY_ERR_CHANGED);
            CHECK_INT(ploy_finder_step(finder, NULL), PLOY_ERR_CHANGED);
            CHECK_OK(ploy_finder_run(finder, &request, NULL));
            CHECK_OK(ploy_finder_path(finder, path));
            if (round % 2 == 0) CHECK(ploy_path_length(path) > 24.0f);
            if (round % 2 == 1) CHECK_NEAR(ploy_path_length(path), 18.0, 1e-4);
        }
        ploy_finder_destroy(finder);
    }
    ploy_path_destroy(path);
    ploy_navmesh_tiles_destroy(tiles);
}

// ---- through the planners ----

static int32_t logged;

static void count_log(void *user, ploy_severity severity, const char *text) {
    (void)user;
    (void)severity;
    (void)text;
    logged++;
}

TEST(planners_take_the_first_finder_that_serves_and_say_why_none_does) {
    level in;
    level_make(t, 4, &in);
    level_far(t, &in);
    ploy_env env = ploy_env_default();
    env.log = count_log;
    ploy_planners_def def = ploy_planners_def_default();
    ploy_planners *planners = NULL;
    def.straight = false;
    CHECK_OK(ploy_planners_create(&def, &env, &planners));
    ploy_finder_request asked = level_request(&in);
    ploy_path_request request = asked.path;
    ploy_path_options options = ploy_path_options_make();
    ploy_path_ticket ticket;
    ploy_planners_status status;
    prices hooked;
    memset(&hooked, 0, sizeof hooked);
    hooked.in = &in;
    for (int32_t i = 0; i < LEVEL_CELLS; i++) hooked.of[i] = 1.0f;
    options.costs.fn = price;
    options.costs.user = &hooked;
    logged = 0;
    CHECK_INT(ploy_planners_request(planners, &request, NULL, &ticket), PLOY_ERR_UNSUPPORTED);
    CHECK_INT(logged, 1); // no finder at all
    CHECK_OK(ploy_planners_add_finder(planners, (ploy_name){0}, &in.finders[6]));
    CHECK_OK(ploy_planners_add_finder(planners, (ploy_name){0}, &in.finders[2]));
    CHECK_INT(ploy_planners_request(planners, &request, &options, &ticket), PLOY_ERR_UNSUPPORTED);
    CHECK_INT(logged, 3); // one line for each
    CHECK_OK(ploy_planners_add_finder(planners, (ploy_name){0}, &in.finders[7]));
    ploy_path_service service = ploy_planners_service(planners);
    static const char *const want[] = {"anya", "generic", "jps"};
    for (int32_t i = 0; i < 3; i++) {
        t->row = want[i];
        request.radius = i == 2 ? 0.4f : 0.0f; // lines touch corners: steps do not
        CHECK_OK(ploy_planners_request(planners, &request, i == 1 ? &options : NULL, &ticket));
        CHECK_OK(ploy_path_service_step(&service, NULL));
        CHECK(ploy_planners_get(planners, ticket, &status));
        CHECK_INT(status.outcome, PLOY_PATH_FOUND);
        CHECK_TEXT(status.finder, want[i]);
    }
    CHECK(hooked.calls > 0);
    CHECK_INT(ployi_planners_remove_finders(planners, ploy_name_of("nobody")), PLOY_ERR_NOT_FOUND);
    // Between request and search the only finder goes: the answer says so.
    CHECK_OK(ploy_planners_request(planners, &request, NULL, &ticket));
    CHECK_OK(ployi_planners_remove_finders(planners, (ploy_name){0}));
    CHECK_OK(ploy_path_service_step(&service, NULL));
    CHECK(ploy_planners_get(planners, ticket, &status));
    CHECK_INT(status.outcome, PLOY_PATH_NONE);
    CHECK_INT(status.result, PLOY_ERR_UNSUPPORTED);
    ploy_planners_destroy(planners);
    level_free(&in);
}

TEST(planners_begin_again_after_an_edit_without_being_told) {
    for (int64_t seed = 0; seed < test_rounds(100); seed++) {
        TEST_SEED(seed);
        level in;
        level_make(t, (uint64_t)seed, &in);
        ploy_env env = ploy_env_default();
        ploy_planners_def def = ploy_planners_def_default();
        ploy_planners *planners = NULL;
        def.straight = false;
        def.partial = false;
        CHECK_OK(ploy_planners_create(&def, &env, &planners));
        ploy_finder_factory jps = in.finders[2], generic = in.finders[7];
        CHECK_OK(ploy_planners_add_finder(planners, (ploy_name){0}, &jps));
        CHECK_OK(ploy_planners_add_finder(planners, (ploy_name){0}, &generic));
        ploy_path_service service = ploy_planners_service(planners);
        ploy_path_request request = level_request(&in).path;
        ploy_path_ticket ticket;
        ploy_path_outcome outcome;
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        for (int32_t round = 0; round < 6; round++) {
            ploy_budget budget = ploy_budget_units(1);
            CHECK_OK(ploy_path_service_request(&service, &request, &ticket));
            CHECK(ploy_path_service_step(&service, &budget) >= PLOY_OK);
            int32_t cell = (int32_t)ploy_rng_below(&rng, LEVEL_CELLS);
            ploy_planners_status status;
            CHECK(ploy_planners_get(planners, ticket, &status));
            bool open = status.stage != PLOY_PLANNERS_DONE;
            if (open && cell != in.start && cell != in.goal) {
                CHECK_OK(
                    ploy_tiles_set(in.tiles, cell, ploy_tiles_passable(in.tiles, cell) ? 0 : 1));
                if (round % 2 == 0) CHECK_OK(ploy_grid_map_refresh(in.map));
            }
            CHECK_OK(ploy_path_service_step(&service, NULL));
            CHECK_OK(ploy_path_service_poll(&service, ticket, NULL, &outcome));
            bool reachable = slow_steps(&in, NULL) < (double)INFINITY;
            if (open) CHECK_INT(outcome, reachable ? PLOY_PATH_FOUND : PLOY_PATH_NONE);
        }
        ploy_planners_destroy(planners);
        level_free(&in);
    }
}

// ---- memory ----

static ploy_result use_finder(const ploy_env *env, void *arg) {
    const level *in = arg;
    ploy_path_def def = ploy_path_def_default();
    ploy_finder_request request = level_request(in);
    ploy_path *path = NULL;
    ploy_result result = ploy_path_create(&def, env, &path);
    for (int32_t i = 0; i < in->count && result == PLOY_OK; i++) {
        ploy_finder finder;
        ploy_budget budget = ploy_budget_units(2);
        result = ploy_finder_make(&in->finders[i], env, &finder);
        if (result == PLOY_OK) result = ploy_finder_begin(finder, &request, NULL);
        if (result == PLOY_OK) result = ploy_finder_step(finder, &budget);
        if (result == PLOY_IN_PROGRESS && finder.type->peek != NULL) {
            result = ploy_finder_peek(finder, path);
        }
        if (result >= PLOY_OK) result = ploy_finder_step(finder, NULL);
        if (result == PLOY_OK) result = ploy_finder_path(finder, path);
        ploy_finder_destroy(finder);
    }
    ploy_path_destroy(path);
    return result;
}

TEST(every_finder_survives_every_failing_allocation) {
    level in;
    level_make(t, 2, &in);
    level_far(t, &in);
    CHECK_FAIL_NTH(use_finder, &in);
    // What they report is what they hold, and a second search like the first needs no more.
    ploy_finder_request request = level_request(&in);
    for (int32_t i = 0; i < in.count; i++) {
        t->row = in.finders[i].name;
        test_counts counts = {0, 0, 0};
        ploy_env env = test_counting_env(&counts);
        ploy_finder finder;
        int64_t bytes = 0;
        CHECK_OK(ploy_finder_make(&in.finders[i], &env, &finder));
        CHECK_OK(ploy_finder_run(finder, &request, NULL));
        int64_t calls = counts.calls;
        CHECK_OK(ploy_finder_run(finder, &request, NULL));
        CHECK_INT(counts.calls, calls);
        ploy_finder_memory(finder, test_sum_memory, &bytes);
        CHECK_INT(bytes, counts.bytes);
        ploy_finder_destroy(finder);
    }
    level_free(&in);
}

// A floor, and 4 m above it a balcony: 2 cm off its rim one is on the balcony.
TEST(a_request_beside_a_rim_is_on_the_rim) {
    static const ploy_vec3 points[] = {{0, 0, 0}, {20, 0, 0}, {20, 10, 0}, {0, 10, 0},
                                       {2, 2, 4}, {12, 2, 4}, {12, 6, 4},  {2, 6, 4}};
    static const int32_t sizes[] = {4, 4}, corners[] = {0, 1, 2, 3, 4, 5, 6, 7};
    ploy_navmesh_soup soup = {points, 8,    sizes, 2, corners, 8,   NULL,
                              NULL,   NULL, NULL,  0, NULL,    NULL};
    nav_floor floor = nav_soup(t, soup);
    ploy_navmesh_finder_def def = ploy_navmesh_finder_def_default();
    def.mesh = floor.mesh;
    ploy_path_request ask = ploy_path_request_make(
        ploy_agent_id_none(), ploy_vec3_make(12.02f, 4, 4), ploy_vec3_make(3, 3, 4.1f));
    ploy_finder_request request = ploy_finder_request_make(&ask);
    ploy_path *path = new_path(t);
    for (int32_t i = 0; i < 2; i++) {
        ploy_finder_factory factory =
            i == 0 ? ploy_navmesh_finder(&def) : ploy_navmesh_exact_finder(&def);
        t->row = factory.name;
        ploy_finder finder = new_finder(t, &factory);
        CHECK_OK(ploy_finder_run(finder, &request, NULL));
        CHECK_INT(ploy_finder_outcome(finder), PLOY_PATH_FOUND);
        CHECK_INT(ploy_finder_state_of(finder)->start, 1);
        CHECK_OK(ploy_finder_path(finder, path));
        CHECK_NEAR(ploy_path_height(path, 0), 4.0, 1e-6);
        // 6 m above everything there is no floor to be on.
        ploy_finder_request high = request;
        high.path.from.z = 10.5f;
        CHECK_OK(ploy_finder_run(finder, &high, NULL));
        CHECK_INT(ploy_finder_outcome(finder), PLOY_PATH_NONE);
        ploy_finder_destroy(finder);
    }
    ploy_path_destroy(path);
    nav_close(&floor);
}
