// Anya: as short as the shortest way over a visibility graph, legal by a walker that knows only
// squares and lines, and never longer than what any other search of a grid finds.
#include "path/grid_anya_internal.h"
#include "path/path_internal.h"

#include "path/grid_angle_internal.h"
#include "tests/path/tile_maps.h"

static ployi_grid_anya *make_anya(test_context *t) {
    ploy_env env = ploy_env_default();
    ployi_grid_anya *anya = NULL;
    CHECK_OK(ployi_grid_anya_create(&env, &anya));
    return anya;
}

// Is that cell a wall? Beyond the map everything is.
static bool is_wall(const ploy_grid_map *map, int64_t x, int64_t y) {
    const ploy_tiles *tiles = ployi_grid_map_tiles(map);
    int32_t cell = ploy_tiles_cell(tiles, (int32_t)x, (int32_t)y);
    return cell < 0 || !ploy_grid_map_fits(map, cell);
}

// Two walls meet in a corner, and nothing else is there.
static bool is_pinched(const ploy_grid_map *map, int64_t x, int64_t y) {
    bool a = is_wall(map, x - 1, y - 1), b = is_wall(map, x, y - 1);
    bool c = is_wall(map, x - 1, y), d = is_wall(map, x, y);
    return (a && d) || (b && c);
}

// May a point go straight from one to the other, touching walls?
static bool slow_clear(const ploy_grid_map *map, maps_point a, maps_point b) {
    const ploy_tiles *tiles = ployi_grid_map_tiles(map);
    int32_t width = ploy_tiles_width(tiles);
    for (int32_t cell = 0; cell < maps_count(tiles); cell++) {
        if (!ploy_grid_map_fits(map, cell) && maps_touches(a, b, cell, width, true)) return false;
    }
    // Along a line of the grid one side must be free at least.
    for (int64_t x = a.x < b.x ? a.x : b.x, end = a.x + b.x - x; a.y == b.y && x < end; x++) {
        bool on_line = a.y % 2 == 0;
        if (on_line && is_wall(map, x / 2, a.y / 2) && is_wall(map, x / 2, a.y / 2 - 1)) {
            return false;
        }
    }
    for (int64_t y = a.y < b.y ? a.y : b.y, end = a.y + b.y - y; a.x == b.x && y < end; y++) {
        bool on_line = a.x % 2 == 0;
        if (on_line && is_wall(map, a.x / 2, y / 2) && is_wall(map, a.x / 2 - 1, y / 2)) {
            return false;
        }
    }
    // Corners of the grid on the way, the ends left out.
    int64_t low = a.x < b.x ? a.x : b.x, high = a.x + b.x - low;
    int64_t bottom = a.y < b.y ? a.y : b.y, top = a.y + b.y - bottom;
    for (int64_t y = bottom + bottom % 2; y <= top; y += 2) {
        for (int64_t x = low + low % 2; x <= high; x += 2) {
            maps_point corner = {x, y};
            bool end = (x == a.x && y == a.y) || (x == b.x && y == b.y);
            if (!end && maps_side(a, b, corner) == 0 && is_pinched(map, x / 2, y / 2)) return false;
        }
    }
    return true;
}

static double distance(maps_point a, maps_point b) {
    double dx = (double)(a.x - b.x), dy = (double)(a.y - b.y);
    return 0.5 * sqrt(dx * dx + dy * dy);
}

enum { POINTS_MAX = 512 };

// Everything a tight string may touch: the centres, and corners of walls that are not pinched.
static int32_t slow_points(const ploy_grid_map *map, int32_t start, int32_t goal,
                           maps_point *points) {
    const ploy_tiles *tiles = ployi_grid_map_tiles(map);
    int32_t width = ploy_tiles_width(tiles), height = ploy_tiles_height(tiles), count = 2;
    points[0] = maps_centre(start, width);
    points[1] = maps_centre(goal, width);
    for (int32_t y = 0; y <= height; y++) {
        for (int32_t x = 0; x <= width; x++) {
            int32_t walls = is_wall(map, x - 1, y - 1) + is_wall(map, x, y - 1) +
                            is_wall(map, x - 1, y) + is_wall(map, x, y);
            if (walls != 1) continue;
            maps_point point = {2 * x, 2 * y};
            points[count++] = point;
        }
    }
    return count;
}

// Dijkstra over the visibility graph, looking at all pairs.
static double slow_length(const ploy_grid_map *map, int32_t start, int32_t goal) {
    static maps_point points[POINTS_MAX];
    double lengths[POINTS_MAX];
    bool done[POINTS_MAX] = {false};
    int32_t count = slow_points(map, start, goal, points);
    for (int32_t i = 0; i < count; i++) lengths[i] = i == 0 ? 0.0 : (double)INFINITY;
    for (;;) {
        int32_t at = -1;
        for (int32_t i = 0; i < count; i++) {
            if (!done[i] && lengths[i] < (double)INFINITY && (at < 0 || lengths[i] < lengths[at])) {
                at = i;
            }
        }
        if (at < 0 || at == 1) break;
        done[at] = true;
        for (int32_t i = 0; i < count; i++) {
            double length = lengths[at] + distance(points[at], points[i]);
            if (!done[i] && length < lengths[i] && slow_clear(map, points[at], points[i])) {
                lengths[i] = length;
            }
        }
    }
    return lengths[1];
}

// Walks the answer; its length, -1 if there is none.
static double answer(test_context *t, ployi_grid_anya *anya, const ploy_grid_map *map,
                     int32_t start, int32_t goal, bool slow) {
    static ploy_vec2 turns[1024];
    int32_t width = ploy_tiles_width(ployi_grid_map_tiles(map));
    CHECK_OK(ployi_grid_anya_run(anya, map, start, goal));
    int32_t count = ployi_grid_anya_path(anya, turns, 1024);
    bool fits = ploy_grid_map_fits(map, start) && ploy_grid_map_fits(map, goal);
    bool way = fits && ploy_grid_map_connected(map, start, goal);
    CHECK_INT(ployi_grid_anya_outcome(anya), way ? PLOY_SEARCH_FOUND : PLOY_SEARCH_NONE);
    if (!way) {
        CHECK_INT(count, -1);
        return -1.0;
    }
    CHECK(count >= 0 && count <= 1024);
    double length = 0.0;
    maps_point at = maps_centre(start, width), end = maps_centre(goal, width);
    for (int32_t i = 0; i < count; i++) {
        maps_point next = {(int64_t)(2.0f * turns[i].x), (int64_t)(2.0f * turns[i].y)};
        if (slow) CHECK(slow_clear(map, at, next));
        length += distance(at, next);
        at = next;
    }
    CHECK_INT(at.x, end.x);
    CHECK_INT(at.y, end.y);
    CHECK_NEAR(ployi_grid_anya_length(anya), length, 1e-9 * (1.0 + length));
    return length;
}

TEST(ways_are_as_short_as_the_visibility_graph_allows) {
    ployi_grid_anya *anya = make_anya(t);
    int32_t bent = 0;
    for (int64_t seed = 0; seed < test_rounds(150); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        ploy_tiles_def def = ploy_tiles_def_default();
        def.width = ploy_rng_int(&rng, 1, 13);
        def.height = ploy_rng_int(&rng, 1, 13);
        if (seed % 4 == 3) def.corners = PLOY_TILE_CORNERS_ONE;
        ploy_tiles *tiles = maps_make(t, &def);
        maps_scatter(tiles, &rng, ploy_rng_range(&rng, 0.05f, 0.5f));
        ploy_grid_map *map = maps_grid(t, tiles, seed % 7 == 6 ? 2 : 1, false);
        int32_t count = maps_count(tiles);
        for (int32_t k = 0; k < 4; k++) {
            int32_t start = (int32_t)ploy_rng_below(&rng, (uint64_t)count);
            int32_t goal = (int32_t)ploy_rng_below(&rng, (uint64_t)count);
            double length = answer(t, anya, map, start, goal, true);
            if (length < 0.0) continue;
            CHECK_NEAR(length, slow_length(map, start, goal), 1e-9);
            CHECK_NEAR(answer(t, anya, map, goal, start, false), length, 1e-9);
            bent += ployi_grid_anya_path(anya, NULL, 0) > 2;
        }
        ploy_grid_map_destroy(map);
        ploy_tiles_destroy(tiles);
    }
    CHECK(bent > 20); // the maps ask for something
    ployi_grid_anya_destroy(anya);
}

TEST(no_other_search_of_a_grid_finds_a_shorter_way) {
    ployi_grid_anya *anya = make_anya(t);
    ploy_env env = ploy_env_default();
    ployi_grid_angle_def def = ployi_grid_angle_def_default();
    ployi_grid_angle *angle = NULL;
    CHECK_OK(ployi_grid_angle_create(&def, &env, &angle));
    for (int64_t seed = 0; seed < test_rounds(30); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        ploy_tiles *tiles = maps_plain(t, 150, 90);
        maps_scatter(tiles, &rng, 0.1f + 0.01f * (float)(seed % 30));
        ploy_grid_map *map = maps_grid(t, tiles, 1, false);
        for (int32_t k = 0; k < 5; k++) {
            int32_t start = (int32_t)ploy_rng_below(&rng, 150 * 90);
            int32_t goal = (int32_t)ploy_rng_below(&rng, 150 * 90);
            double length = answer(t, anya, map, start, goal, false);
            if (length < 0.0) continue;
            CHECK_OK(ployi_grid_angle_run(angle, map, start, goal));
            CHECK(length <= ployi_grid_angle_length(angle) + 1e-9);
            CHECK_NEAR(answer(t, anya, map, goal, start, false), length, 1e-9 * length);
        }
        ploy_grid_map_destroy(map);
        ploy_tiles_destroy(tiles);
    }
    ployi_grid_angle_destroy(angle);
    ployi_grid_anya_destroy(anya);
}

TEST(a_string_bends_round_walls_and_not_between_them) {
    static const struct {
        const char *row, *text;
        int32_t width, start, goal, bends;
    } rows[] = {
        {"straight across an empty room", "........................................", 8, 0, 39, 0},
        {"along the top of a wall",
         "....."
         "....."
         ".###."
         "....."
         ".....",
         5, 10, 14, 2},
        {"two walls that meet in a corner are shut",
         "..#.."
         "..#.."
         "##..."
         "....."
         ".....",
         5, 0, 24, 0},
    };
    // Seven columns and four rows; up half a cell to the corner, three along, and down again.
    const double lengths[] = {sqrt(65.0), 2.0 * sqrt(0.5) + 3.0, -1.0};
    ployi_grid_anya *anya = make_anya(t);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        int32_t cells = (int32_t)strlen(rows[i].text);
        ploy_tiles *tiles = maps_text(t, rows[i].text, rows[i].width, cells / rows[i].width);
        ploy_grid_map *map = maps_grid(t, tiles, 1, false);
        CHECK_NEAR(answer(t, anya, map, rows[i].start, rows[i].goal, true), lengths[i], 1e-12);
        if (lengths[i] >= 0.0) CHECK_INT(ployi_grid_anya_path(anya, NULL, 0), rows[i].bends + 1);
        ploy_grid_map_destroy(map);
        ploy_tiles_destroy(tiles);
    }
    ployi_grid_anya_destroy(anya);
}

TEST(pieces_that_lead_nowhere_or_straight_on_are_passed_over) {
    ployi_grid_anya *anya = make_anya(t);
    ploy_tiles *tiles = maps_plain(t, 90, 61);
    ploy_grid_map *map = maps_grid(t, tiles, 1, false);
    // Half way up an empty hall to a corner of it: nothing is below; above, only the goal's row.
    CHECK_NEAR(answer(t, anya, map, 30 * 90, 61 * 90 - 1, true), sqrt(89.0 * 89.0 + 900.0), 1e-9);
    ployi_grid_anya_stats stats = ployi_grid_anya_stats_of(anya);
    CHECK_INT(stats.opened, 2); // a piece, and the goal
    CHECK_INT(stats.taken, 1);
    // A wall with gaps, walked along: its ends are turned at when they are due and not before.
    for (int32_t x = 1; x < 89; x++) {
        if (x % 3 != 0) CHECK_OK(ploy_tiles_set(tiles, 40 * 90 + x, 0));
    }
    CHECK_OK(ploy_grid_map_refresh(map));
    double length = answer(t, anya, map, 40 * 90, 45 * 90, true);
    CHECK_NEAR(length, 5.0, 1e-9);
    CHECK(ployi_grid_anya_stats_of(anya).roots < 4);
    ploy_grid_map_destroy(map);
    ploy_tiles_destroy(tiles);
    ployi_grid_anya_destroy(anya);
}

TEST(anya_in_slices_changes_nothing) {
    for (int64_t seed = 0; seed < test_rounds(6); seed++) {
        TEST_SEED(seed);
        ploy_tiles *tiles;
        int32_t start, goal;
        ploy_grid_map *map = maps_far(t, seed, &tiles, &start, &goal);
        ployi_grid_anya *whole = make_anya(t), *sliced = make_anya(t);
        ploy_vec2 a[256], b[256];
        CHECK_OK(ployi_grid_anya_run(whole, map, start, goal));
        CHECK_OK(ployi_grid_anya_begin(sliced, map, start, goal));
        ploy_result result = PLOY_IN_PROGRESS;
        int64_t spent = 0;
        while (result == PLOY_IN_PROGRESS) {
            ploy_budget budget = ploy_budget_units(1);
            result = ploy_task_step(ployi_grid_anya_task(sliced), &budget);
            spent += budget.spent;
        }
        CHECK_OK(result);
        int32_t count = ployi_grid_anya_path(whole, a, 256);
        CHECK_INT(ployi_grid_anya_path(sliced, b, 256), count);
        CHECK_BYTES(a, b, (size_t)count * sizeof a[0]);
        ployi_grid_anya_stats one = ployi_grid_anya_stats_of(whole);
        ployi_grid_anya_stats other = ployi_grid_anya_stats_of(sliced);
        CHECK_BYTES(&one, &other, sizeof one);
        CHECK(spent <= one.units && spent >= one.units - 64); // the last piece's words are a gift
        ployi_grid_anya_destroy(whole);
        ployi_grid_anya_destroy(sliced);
        ploy_grid_map_destroy(map);
        ploy_tiles_destroy(tiles);
    }
}

TEST(what_a_string_cannot_answer_is_refused) {
    ployi_grid_anya *anya = make_anya(t);
    ploy_tiles *tiles = maps_plain(t, 9, 9);
    ploy_grid_map *map = maps_grid(t, tiles, 1, false);
    CHECK_INT(ployi_grid_anya_step(anya, NULL), PLOY_ERR_STATE);
    CHECK_INT(ployi_grid_anya_begin(anya, map, 0, 81), PLOY_ERR_ARGUMENT);
    CHECK_INT(ployi_grid_anya_begin(anya, map, -1, 3), PLOY_ERR_ARGUMENT);
    CHECK_INT(ployi_grid_anya_begin(anya, NULL, 0, 3), PLOY_ERR_ARGUMENT);
    CHECK_OK(ployi_grid_anya_run(anya, map, 5, 5));
    CHECK_INT(ployi_grid_anya_path(anya, NULL, 0), 0);
    CHECK_OK(ployi_grid_anya_begin(anya, map, 5, 60));
    ployi_grid_anya_cancel(anya);
    CHECK_INT(ployi_grid_anya_path(anya, NULL, 0), -1);
    CHECK_OK(ploy_tiles_set(tiles, 7, 2));
    CHECK_OK(ploy_tiles_set_cost(tiles, 2, 3.0f));
    CHECK_OK(ploy_grid_map_refresh(map));
    CHECK_INT(ployi_grid_anya_begin(anya, map, 0, 3), PLOY_ERR_UNSUPPORTED);
    ploy_grid_map_destroy(map);
    ploy_tiles_destroy(tiles);
    ployi_grid_anya_destroy(anya);
}

static ploy_result run_one(const ploy_env *env, void *arg) {
    ployi_grid_anya *anya = NULL;
    ploy_result result = ployi_grid_anya_create(env, &anya);
    if (result == PLOY_OK) result = ployi_grid_anya_run(anya, arg, 0, 24 * 24 - 1);
    ployi_grid_anya_destroy(anya);
    return result;
}

TEST(anya_survives_every_failing_allocation_and_needs_none_when_warm) {
    ploy_tiles *tiles = maps_winding(t);
    ploy_grid_map *map = maps_grid(t, tiles, 1, false);
    CHECK_FAIL_NTH(run_one, map);
    test_counts counts;
    ploy_env env = test_counting_env(&counts);
    ployi_grid_anya *anya = NULL;
    CHECK_OK(ployi_grid_anya_create(&env, &anya));
    CHECK_OK(ployi_grid_anya_run(anya, map, 0, 24 * 24 - 1));
    int64_t calls = counts.calls, bytes = 0;
    CHECK_OK(ployi_grid_anya_run(anya, map, 0, 24 * 24 - 1));
    CHECK_INT(counts.calls, calls);
    ployi_grid_anya_memory(anya, test_sum_memory, &bytes);
    CHECK_INT(bytes, counts.bytes);
    ployi_grid_anya_destroy(anya);
    ploy_grid_map_destroy(map);
    ploy_tiles_destroy(tiles);
}
