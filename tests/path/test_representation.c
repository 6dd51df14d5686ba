// Divisions: tiles and graphs as places to plan on, and edges that cannot be walked.
#include "ploy/path/representation.h"
#include "tests/path/planners_help.h"

TEST(tiles_quantise_localise_and_say_what_is_free) {
    tile_level level;
    tile_level_make(t, 16, 0.2f, 3, &level);
    ploy_representation_body body = {0.0f, 0xffffffffu};
    CHECK(ploy_representation_is_complete(&level.division));
    for (int32_t i = 0; i < 256; i++) {
        ploy_vec3 at = level.division.localise(level.division.user, i);
        bool is_free = ploy_tiles_passable(level.tiles, i);
        CHECK_INT(level.division.quantise(level.division.user, at, &body), is_free ? i : -1);
        CHECK(level.division.clear(level.division.user, at, at, &body) == is_free);
    }
    static ploy_representation_fault faults[2048];
    int32_t count = -1;
    ploy_env env = ploy_env_default();
    // Tiles whose corners are not cut are valid everywhere; only walls have edges out of them.
    CHECK_OK(
        ploy_representation_check(&level.division, &body, 2, 0.4f, 1, &env, faults, 2048, &count));
    CHECK(count > 0 && count < 2048);
    for (int32_t i = 0; i < count; i++) CHECK(!ploy_tiles_passable(level.tiles, faults[i].from));
    ploy_tiles_destroy(level.tiles);
}

typedef struct graph_level {
    ploy_graph *graph;
    ploy_plain_scene *scene;
    ploy_graph_representation *division;
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
    ploy_graph_representation_def division = ploy_graph_representation_def_default();
    division.candidates = 1024;
    CHECK_OK(ploy_graph_representation_create(&division, out->graph, &walls, &env, &out->division));
}

static void graph_level_free(graph_level *level) {
    ploy_graph_representation_destroy(level->division);
    ploy_plain_scene_destroy(level->scene);
    ploy_graph_destroy(level->graph);
}

TEST(the_nearest_node_in_reach_equals_looking_at_all) { // PLN-08, PTH-19
    CHECK_OK(ploy_fields_check_table(ploy_graph_representation_fields(), NULL));
    for (int64_t seed = 0; seed < test_rounds(20); seed++) {
        TEST_SEED(seed);
        graph_level level;
        graph_level_make(t, 120, (uint64_t)seed, &level);
        ploy_representation division = ploy_graph_representation_view(level.division);
        ploy_representation_body body = {0.2f, 1};
        ploy_rng rng = ploy_rng_make((uint64_t)seed + 50);
        for (int32_t i = 0; i < 40; i++) {
            ploy_vec3 at = {ploy_rng_range(&rng, 0, 50), ploy_rng_range(&rng, 0, 50), 0};
            int32_t best = -1;
            for (int32_t n = 0; n < 120; n++) {
                ploy_vec3 there = ploy_graph_position(level.graph, n);
                if (!division.clear(division.user, at, there, &body)) continue;
                if (best < 0 ||
                    ploy_vec3_distance_sq(at, there) <
                        ploy_vec3_distance_sq(at, ploy_graph_position(level.graph, best))) {
                    best = n;
                }
            }
            CHECK_INT(ploy_graph_representation_nearest(level.division, at, &body), best);
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
    CHECK_OK(ploy_graph_representation_rebuild(level.division));
    CHECK_OK(ploy_graph_representation_set_kind(level.division, 2, ploy_name_of("swim"), 1.5f));
    CHECK_OK(ploy_graph_representation_set_kind(level.division, 3, ploy_name_of("jump"), 0));
    CHECK_INT(ploy_graph_representation_set_kind(level.division, 31, ploy_name_of("x"), 0),
              PLOY_ERR_ARGUMENT);
    CHECK_OK(ploy_graph_representation_set_link(level.division, swim, ploy_id_make(7, 1)));
    CHECK_INT(ploy_graph_representation_set_link(level.division, 99, ploy_id_make(7, 1)),
              PLOY_ERR_NOT_FOUND);
    ploy_representation division = ploy_graph_representation_view(level.division);
    ploy_edge edge = {1, swim, 10};
    ploy_path_edge travel;
    memset(&travel, 0, sizeof travel);
    division.travel(division.user, 0, &edge, &travel);
    CHECK_UINT(travel.kind.hash, ploy_name_of("swim").hash);
    CHECK_NEAR(travel.speed_limit, 1.5, 0);
    CHECK_INT(travel.link.index, 7);
    // The wall stands across 1 -> 2; 2 -> 1 is a jump over it and none of the check's business.
    ploy_representation_fault faults[4];
    int32_t count = 0;
    ploy_representation_body body = {0.2f, 1};
    CHECK_OK(ploy_representation_check(&division, &body, 0, 0, 1, &env, faults, 4, &count));
    CHECK_INT(count, 1);
    CHECK_INT(faults[0].from, 1);
    CHECK_INT(faults[0].edge.label, blocked);
    CHECK(ploy_representation_check(&division, &body, -1, 0, 1, &env, NULL, 0, &count) ==
          PLOY_ERR_ARGUMENT);
    graph_level_free(&level);
}

static ploy_result make_division(const ploy_env *env, void *arg) {
    ploy_graph_representation_def def = ploy_graph_representation_def_default();
    ploy_graph_representation *division = NULL;
    ploy_result result = ploy_graph_representation_create(&def, arg, NULL, env, &division);
    if (result == PLOY_OK) {
        result = ploy_graph_representation_set_link(division, 0, ploy_id_make(1, 1));
    }
    ploy_graph_representation_destroy(division);
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
