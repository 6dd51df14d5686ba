// Divisions: tiles and graphs as places to plan on, and edges that cannot be walked.
#include "path/path_internal.h"
#include "ploy/path/representation.h"

#include <math.h>

#include "tests/path/planners_help.h"

TEST(tiles_quantise_localise_and_say_what_is_free) {
    tile_level level;
    tile_level_make(t, 16, 0.2f, 3, &level);
    ploy_representation_body body = {0.0f, 0xffffffffu};
    CHECK(ploy_representation_is_complete(&level.representation));
    for (int32_t i = 0; i < 256; i++) {
        ploy_vec3 at = level.representation.localise(level.representation.user, i);
        bool is_free = ploy_tiles_passable(level.tiles, i);
        CHECK_INT(level.representation.quantise(level.representation.user, at, &body),
                  is_free ? i : -1);
        CHECK(level.representation.clear(level.representation.user, at, at, &body) == is_free);
    }
    static ploy_representation_fault faults[2048];
    int32_t count = -1;
    ploy_env env = ploy_env_default();
    // Tiles whose corners are not cut are valid everywhere; only walls have edges out of them.
    CHECK_OK(ploy_representation_check(&level.representation, &body, 2, 0.4f, 1, &env, faults, 2048,
                                       &count));
    CHECK(count > 0 && count < 2048);
    for (int32_t i = 0; i < count; i++) CHECK(!ploy_tiles_passable(level.tiles, faults[i].from));
    ploy_tiles_destroy(level.tiles);
}

typedef struct graph_level {
    ploy_graph *graph;
    ploy_plain_scene *scene;
    ploy_graph_representation *representation;
} graph_level;

static void graph_level_make(test_context *t, int32_t nodes, uint64_t seed, graph_level *out) {
    ploy_env env = ploy_env_default();
    ploy_graph_def def = ploy_graph_def_default();
    ploy_plain_scene_def scene = ploy_plain_scene_def_default();
    ploy_rng rng = ploy_rng_make(seed);
    CHECK_OK(ploy_graph_create(&def, &env, &out->graph));
    CHECK_OK(ploy_plain_scene_create(&scene, &env, &out->scene));
    for (int32_t i = 0; i < nodes; i++) {
        CHECK_OK(ploy_graph_add_node(
            out->graph, ploy_vec3_make(ploy_rng_range(&rng, 0, 50), ploy_rng_range(&rng, 0, 50), 0),
            NULL));
    }
    for (int32_t i = 0; i < 12; i++) {
        ploy_vec2 a = {ploy_rng_range(&rng, 0, 50), ploy_rng_range(&rng, 0, 50)};
        ploy_vec2 b = {a.x + ploy_rng_range(&rng, -9, 9), a.y + ploy_rng_range(&rng, -9, 9)};
        CHECK_OK(ploy_plain_scene_add_segment(out->scene, a, b, 1, NULL));
    }
    ploy_scene walls = ploy_plain_scene_interface(out->scene);
    ploy_graph_representation_def representation = ploy_graph_representation_def_default();
    representation.candidates = 1024;
    CHECK_OK(ploy_graph_representation_create(&representation, out->graph, &walls, &env,
                                              &out->representation));
}

static void graph_level_free(graph_level *level) {
    ploy_graph_representation_destroy(level->representation);
    ploy_plain_scene_destroy(level->scene);
    ploy_graph_destroy(level->graph);
}

TEST(the_nearest_node_in_reach_equals_looking_at_all) { // PLN-08, PTH-19
    CHECK_OK(ploy_fields_check_table(ploy_graph_representation_fields(), NULL));
    for (int64_t seed = 0; seed < test_rounds(20); seed++) {
        TEST_SEED(seed);
        graph_level level;
        graph_level_make(t, 120, (uint64_t)seed, &level);
        ploy_representation representation = ploy_graph_representation_view(level.representation);
        ploy_representation_body body = {0.2f, 1};
        ploy_rng rng = ploy_rng_make((uint64_t)seed + 50);
        for (int32_t i = 0; i < 40; i++) {
            ploy_vec3 at = {ploy_rng_range(&rng, 0, 50), ploy_rng_range(&rng, 0, 50), 0};
            int32_t best = -1;
            for (int32_t n = 0; n < 120; n++) {
                ploy_vec3 there = ploy_graph_position(level.graph, n);
                if (!representation.clear(representation.user, at, there, &body)) continue;
                if (best < 0 ||
                    ploy_vec3_distance_sq(at, there) <
                        ploy_vec3_distance_sq(at, ploy_graph_position(level.graph, best))) {
                    best = n;
                }
            }
            CHECK_INT(ploy_graph_representation_nearest(level.representation, at, &body), best);
        }
        graph_level_free(&level);
    }
}

TEST(edges_say_how_they_are_travelled_and_faulty_ones_are_named) { // PLN-12, PTH-13
    ploy_env env = ploy_env_default();
    graph_level level;
    graph_level_make(t, 0, 1, &level);
    static const ploy_vec3 places[] = {{-20, 0, 0}, {-10, 0, 0}, {-10, 10, 0}};
    for (int32_t i = 0; i < 3; i++) CHECK_OK(ploy_graph_add_node(level.graph, places[i], NULL));
    CHECK_OK(ploy_plain_scene_add_segment(level.scene, ploy_vec2_make(-12, 5),
                                          ploy_vec2_make(-8, 5), 1, NULL));
    int32_t swim = -1, jump = -1, blocked = -1;
    CHECK_OK(ploy_graph_add_edge(level.graph, 0, 1, 10, 4, &swim));
    CHECK_OK(ploy_graph_add_edge(level.graph, 1, 2, 10, 0, &blocked));
    CHECK_OK(ploy_graph_add_edge(level.graph, 2, 1, 10, 8, &jump));
    CHECK_OK(ploy_graph_representation_rebuild(level.representation));
    CHECK_OK(
        ploy_graph_representation_set_kind(level.representation, 2, ploy_name_of("swim"), 1.5f));
    CHECK_OK(ploy_graph_representation_set_kind(level.representation, 3, ploy_name_of("jump"), 0));
    CHECK_INT(ploy_graph_representation_set_kind(level.representation, 31, ploy_name_of("x"), 0),
              PLOY_ERR_ARGUMENT);
    CHECK_OK(ploy_graph_representation_set_link(level.representation, swim, ploy_id_make(7, 1)));
    CHECK_INT(ploy_graph_representation_set_link(level.representation, 99, ploy_id_make(7, 1)),
              PLOY_ERR_NOT_FOUND);
    ploy_representation representation = ploy_graph_representation_view(level.representation);
    ploy_edge edge = {1, swim, 10};
    ploy_path_edge travel;
    memset(&travel, 0, sizeof travel);
    representation.travel(representation.user, 0, &edge, &travel);
    CHECK_UINT(travel.kind.hash, ploy_name_of("swim").hash);
    CHECK_NEAR(travel.speed_limit, 1.5, 0);
    CHECK_INT(travel.link.index, 7);
    // The wall stands across 1 -> 2; 2 -> 1 is a jump over it and none of the check's business.
    ploy_representation_fault faults[4];
    int32_t count = 0;
    ploy_representation_body body = {0.2f, 1};
    CHECK_OK(ploy_representation_check(&representation, &body, 0, 0, 1, &env, faults, 4, &count));
    CHECK_INT(count, 1);
    CHECK_INT(faults[0].from, 1);
    CHECK_INT(faults[0].edge.label, blocked);
    CHECK(ploy_representation_check(&representation, &body, -1, 0, 1, &env, NULL, 0, &count) ==
          PLOY_ERR_ARGUMENT);
    graph_level_free(&level);
}

static ploy_result make_division(const ploy_env *env, void *arg) {
    ploy_graph_representation_def def = ploy_graph_representation_def_default();
    ploy_graph_representation *representation = NULL;
    ploy_result result = ploy_graph_representation_create(&def, arg, NULL, env, &representation);
    if (result == PLOY_OK) {
        result = ploy_graph_representation_set_link(representation, 0, ploy_id_make(1, 1));
    }
    TEST_REPORT(result, env, representation, ploy_graph_representation_memory);
    ploy_graph_representation_destroy(representation);
    return result;
}

TEST(a_division_survives_every_failing_allocation) {
    ploy_env env = ploy_env_default();
    ploy_graph_def def = ploy_graph_def_default();
    ploy_graph *graph = NULL;
    CHECK_OK(ploy_graph_create(&def, &env, &graph));
    for (int32_t i = 0; i < 5; i++) {
        CHECK_OK(ploy_graph_add_node(graph, ploy_vec3_make((float)i, 0, 0), NULL));
    }
    CHECK_OK(ploy_graph_add_edge(graph, 0, 1, 1, 0, NULL));
    CHECK_FAIL_NTH(make_division, graph);
    ploy_graph_destroy(graph);
}

// ---- straight lines over tiles ----

enum { LINE_SIDE = 10, LINE_PARTS = 8 };

// A point in eighths of a cell: whole numbers, so that the oracle is exact.
typedef struct eighth {
    int64_t x, y;
} eighth;

static int64_t eighth_side(eighth a, eighth b, int64_t x, int64_t y) {
    return (b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x);
}

static bool line_fits(const ploy_tiles_walker *walker, int32_t x, int32_t y) {
    int32_t cell = ploy_tiles_cell(walker->tiles, x, y);
    return cell >= 0 && ployi_tiles_walker_fits(walker, cell);
}

// What a line does to a cell: 0 nothing, 1 touches one corner and no more, 2 more than that.
static int32_t line_contact(eighth a, eighth b, int32_t x, int32_t y, int32_t *corner) {
    int64_t left = LINE_PARTS * x, low = LINE_PARTS * y, right = left + LINE_PARTS;
    int64_t high = low + LINE_PARTS;
    if ((a.x < left && b.x < left) || (a.x > right && b.x > right) || (a.y < low && b.y < low) ||
        (a.y > high && b.y > high)) {
        return 0;
    }
    if (a.x == b.x && a.y == b.y) return 2;
    int32_t above = 0, below = 0, on = 0;
    for (int32_t i = 0; i < 4; i++) {
        int64_t side = eighth_side(a, b, i % 2 == 0 ? left : right, i / 2 == 0 ? low : high);
        above += side > 0;
        below += side < 0;
        on += side == 0;
        if (side == 0) *corner = i;
    }
    if (on == 0) return above > 0 && below > 0 ? 2 : 0;
    if (on > 1 || (above > 0 && below > 0)) return 2;
    // One corner is on the line's extension: does the line get there, and go on beyond it?
    int64_t cx = *corner % 2 == 0 ? left : right, cy = *corner / 2 == 0 ? low : high;
    bool inside = cx >= (a.x < b.x ? a.x : b.x) && cx <= (a.x < b.x ? b.x : a.x) &&
                  cy >= (a.y < b.y ? a.y : b.y) && cy <= (a.y < b.y ? b.y : a.y);
    bool end = (a.x == cx && a.y == cy) || (b.x == cx && b.y == cy);
    return !inside ? 0 : end ? 2 : 1;
}

static bool line_is_clear(const ploy_tiles_walker *walker, ploy_tile_corners rule, eighth a,
                          eighth b) {
    for (int32_t y = -2; y < LINE_SIDE + 2; y++) {
        for (int32_t x = -2; x < LINE_SIDE + 2; x++) {
            int32_t corner = 0;
            if (line_fits(walker, x, y)) continue;
            int32_t contact = line_contact(a, b, x, y, &corner);
            if (contact == 2 || (contact == 1 && rule == PLOY_TILE_CORNERS_CLEAR)) return false;
            // Across the corner from this wall is the other cell beside the line.
            int32_t other_x = x + (corner % 2 == 0 ? -1 : 1);
            int32_t other_y = y + (corner / 2 == 0 ? -1 : 1);
            bool both = contact == 1 && !line_fits(walker, other_x, other_y);
            if (both && rule == PLOY_TILE_CORNERS_ONE) return false;
        }
    }
    return true;
}

static ploy_vec3 eighth_place(eighth at, float shift) {
    return ploy_vec3_make((float)at.x / LINE_PARTS + shift, (float)at.y / LINE_PARTS + shift, 0.0f);
}

TEST(straight_lines_over_tiles_keep_the_corner_rule_exactly) {
    int32_t free_lines = 0, shut = 0;
    for (int64_t seed = 0; seed < test_rounds(60); seed++) {
        TEST_SEED(seed);
        ploy_env env = ploy_env_default();
        ploy_tiles_def def = ploy_tiles_def_default();
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        ploy_tiles *tiles = NULL;
        def.width = def.height = LINE_SIDE;
        def.corners = (ploy_tile_corners)(seed % 3);
        CHECK_OK(ploy_tiles_create(&def, &env, &tiles));
        for (int32_t i = 0; i < LINE_SIDE * LINE_SIDE; i++) {
            if (ploy_rng_chance(&rng, 0.12f)) CHECK_OK(ploy_tiles_set(tiles, i, 0));
        }
        ploy_tiles_walker walker = ploy_tiles_walker_make(tiles, NULL);
        walker.size = 1 + (int32_t)(seed / 3 % 2);
        ploy_representation level = ploy_tiles_representation(&walker);
        ploy_representation_body body = {0.0f, 0xffffffffu};
        // The body's centre is half a cell further for each cell that it is wider.
        float shift = 0.5f * (float)(walker.size - 1);
        for (int32_t i = 0; i < 400; i++) {
            eighth a = {ploy_rng_int(&rng, 0, 79), ploy_rng_int(&rng, 0, 79)};
            eighth b = {ploy_rng_int(&rng, 0, 79), ploy_rng_int(&rng, 0, 79)};
            if (i % 4 == 0) { // between centres, diagonally: through corners
                int32_t far = ploy_rng_int(&rng, 1, 6) * (ploy_rng_chance(&rng, 0.5f) ? 8 : -8);
                a.x = a.x / 8 * 8 + 4;
                a.y = a.y / 8 * 8 + 4;
                b.x = a.x + far;
                b.y = a.y + (ploy_rng_chance(&rng, 0.5f) ? far : -far);
            }
            bool want = line_is_clear(&walker, def.corners, a, b);
            bool got =
                level.clear(level.user, eighth_place(a, shift), eighth_place(b, shift), &body);
            CHECK_INT(got, want);
            free_lines += got;
            shut += !got;
        }
        ploy_tiles_destroy(tiles);
    }
    CHECK(free_lines > 300 && shut > 300);
}

static double square_distance(double x, double y, double left, double low) {
    double dx = fmax(fmax(left - x, x - left - 1.0), 0.0);
    double dy = fmax(fmax(low - y, y - low - 1.0), 0.0);
    return sqrt(dx * dx + dy * dy);
}

TEST(a_body_with_a_radius_keeps_that_far_from_walls) {
    int32_t free_lines = 0;
    for (int64_t seed = 0; seed < test_rounds(20); seed++) {
        TEST_SEED(seed);
        tile_level level;
        tile_level_make(t, LINE_SIDE, 0.1f, (uint64_t)seed, &level);
        ploy_rng rng = ploy_rng_make((uint64_t)seed + 9);
        for (int32_t i = 0; i < 100; i++) {
            ploy_representation_body body = {ploy_rng_range(&rng, 0.1f, 0.9f), 0xffffffffu};
            ploy_vec3 a = {ploy_rng_range(&rng, 0, 10), ploy_rng_range(&rng, 0, 10), 0};
            ploy_vec3 b = {ploy_rng_range(&rng, 0, 10), ploy_rng_range(&rng, 0, 10), 0};
            double nearest = (double)INFINITY;
            for (int32_t k = 0; k <= 400; k++) {
                double u = k / 400.0, x = a.x + u * (b.x - a.x), y = a.y + u * (b.y - a.y);
                for (int32_t c = 0; c < 14 * 14; c++) {
                    int32_t cx = c % 14 - 2, cy = c / 14 - 2;
                    if (line_fits(&level.walker, cx, cy)) continue;
                    nearest = fmin(nearest, square_distance(x, y, cx, cy));
                }
            }
            bool got = level.representation.clear(level.representation.user, a, b, &body);
            if (nearest < (double)body.radius - 1e-5) CHECK(!got);
            if (nearest > (double)body.radius + 0.02) CHECK(got);
            free_lines += got;
        }
        ploy_tiles_destroy(level.tiles);
    }
    CHECK(free_lines > 20);
}

// A corridor two cells wide between walls, and a body two cells wide in its middle.
TEST(a_large_body_is_where_its_middle_is) {
    ploy_env env = ploy_env_default();
    ploy_tiles_def def = ploy_tiles_def_default();
    ploy_tiles *tiles = NULL;
    def.width = 12;
    def.height = 4;
    CHECK_OK(ploy_tiles_create(&def, &env, &tiles));
    for (int32_t i = 0; i < 12; i++) {
        CHECK_OK(ploy_tiles_set(tiles, i, 0));
        CHECK_OK(ploy_tiles_set(tiles, 3 * 12 + i, 0));
    }
    ploy_tiles_walker walker = ploy_tiles_walker_make(tiles, NULL);
    walker.size = 2;
    ploy_representation level = ploy_tiles_representation(&walker);
    ploy_representation_body body = {0.0f, 0xffffffffu};
    ploy_vec3 middle = {4.0f, 2.0f, 0.0f}, end = {10.0f, 2.0f, 0.0f};
    CHECK_INT(level.quantise(level.user, middle, &body), 12 + 3);
    CHECK_NEAR(level.localise(level.user, 12 + 3).x, 4.0, 1e-6);
    CHECK_NEAR(level.localise(level.user, 12 + 3).y, 2.0, 1e-6);
    CHECK(level.clear(level.user, middle, end, &body));
    ploy_planners_def planners_def = ploy_planners_def_default();
    ploy_planners *planners = NULL;
    planners_def.straight = false;
    CHECK_OK(level_planners(&planners_def, &level, &env, &planners));
    ploy_path_service service = ploy_planners_service(planners);
    ploy_path_request request = level_ask(middle, end);
    ploy_path_ticket ticket;
    ploy_path_outcome outcome;
    ploy_path *path = level_path(t);
    CHECK_OK(ploy_path_service_request(&service, &request, &ticket));
    CHECK_OK(ploy_path_service_step(&service, NULL));
    CHECK_OK(ploy_path_service_poll(&service, ticket, path, &outcome));
    CHECK_INT(outcome, PLOY_PATH_FOUND);
    for (int32_t i = 0; i < ploy_path_count(path); i++) {
        CHECK_NEAR(ploy_path_point(path, i).y, 2.0, 1e-6); // never nearer to one wall
    }
    ploy_path_destroy(path);
    ploy_planners_destroy(planners);
    ploy_tiles_destroy(tiles);
}

// Two floors, one above the other, and a graph that has no walls to ask about.
TEST(the_nearest_node_is_the_nearest_in_space) { // PLN-32
    ploy_env env = ploy_env_default();
    ploy_graph_def def = ploy_graph_def_default();
    ploy_graph_representation_def view = ploy_graph_representation_def_default();
    ploy_graph_representation *level = NULL;
    ploy_graph *graph = NULL;
    ploy_rng rng = ploy_rng_make(3);
    CHECK_OK(ploy_graph_create(&def, &env, &graph));
    for (int32_t i = 0; i < 200; i++) {
        ploy_vec3 at = {ploy_rng_range(&rng, 0, 20), ploy_rng_range(&rng, 0, 20),
                        4.0f * (float)(i % 3)};
        CHECK_OK(ploy_graph_add_node(graph, at, NULL));
    }
    view.candidates = 200;
    CHECK_OK(ploy_graph_representation_create(&view, graph, NULL, &env, &level));
    ploy_representation_body body = {0.0f, 0xffffffffu};
    for (int32_t i = 0; i < 200; i++) {
        ploy_vec3 at = {ploy_rng_range(&rng, 0, 20), ploy_rng_range(&rng, 0, 20),
                        ploy_rng_range(&rng, -1, 9)};
        int32_t best = 0;
        for (int32_t n = 1; n < 200; n++) {
            if (ploy_vec3_distance_sq(at, ploy_graph_position(graph, n)) <
                ploy_vec3_distance_sq(at, ploy_graph_position(graph, best))) {
                best = n;
            }
        }
        CHECK_INT(ploy_graph_representation_nearest(level, at, &body), best);
    }
    // Without a scene it is not known what is free: nothing is straightened.
    CHECK(ploy_graph_representation_view(level).clear == NULL);
    ploy_graph_representation_destroy(level);
    ploy_graph_destroy(graph);
}
