// Builds of levels: generated parts, overrides that survive, checks, the block.
#include "ploy/data/level_build.h"

#include "tests/test.h"

typedef struct level_build_case {
    ploy_buffer bytes;
    ploy_level level;
    ploy_level_overrides *overrides;
    ploy_level_build *build;
} level_build_case;

#define LEVEL_BUILD_ROOM "wall 0 0 8 0\nwall 8 0 8 4\nwall 8 4 0 4\nwall 0 4 0 0\nspawn 1 1\n"

static ploy_result level_build_make(level_build_case *it, const char *text, const char *overrides,
                                    const ploy_env *env) {
    memset(it, 0, sizeof *it);
    ploy_buffer_init(&it->bytes, 0, env);
    ploy_level_def def = ploy_level_def_default();
    ploy_result result =
        ploy_level_from_text(text, strlen(text), "l", env, NULL, &it->bytes, &it->level);
    if (result == PLOY_OK && overrides != NULL) {
        result =
            ploy_level_overrides_load(overrides, strlen(overrides), "o", env, NULL, &it->overrides);
    }
    if (result == PLOY_OK) {
        result = ploy_level_build_create(&def, &it->level, it->overrides, env, &it->build);
    }
    return result;
}

static void level_build_free(level_build_case *it) {
    ploy_level_build_destroy(it->build);
    ploy_level_overrides_destroy(it->overrides);
    ploy_buffer_fini(&it->bytes);
}

TEST(each_check_finds_its_fault_and_nothing_else) {
    static const struct {
        const char *row, *text, *overrides;
        ploy_level_issue_kind kind;
        int32_t issues;
        float x, size; // of the first
    } rows[] = {
        {"a good room", LEVEL_BUILD_ROOM "item health 4 2\n", NULL, PLOY_LEVEL_SPAWN_BLOCKED, 0, 0,
         0},
        {"no spawn point", "wall 0 0 8 0\n", NULL, PLOY_LEVEL_SPAWN_BLOCKED, 1, 0, 0},
        {"a spawn point in a wall", LEVEL_BUILD_ROOM "spawn 7.9 2\n", NULL,
         PLOY_LEVEL_SPAWN_BLOCKED, 1, 7.9f, 0},
        {"an item outside", LEVEL_BUILD_ROOM "item rocket 9 2\n", NULL, PLOY_LEVEL_ITEM_UNREACHABLE,
         1, 9, 0},
        {"a button behind a wall",
         LEVEL_BUILD_ROOM
         "wall 4 0 4 1.5\nwall 4 2.5 4 4\ndoor d 4 1.5 4 2.5 button 3 2 button 8.5 2\n",
         NULL, PLOY_LEVEL_BUTTON_UNREACHABLE, 1, 8.5f, 0},
        {"two parts", LEVEL_BUILD_ROOM "wall 5 0 5 4\nspawn 7 3\n", NULL, PLOY_LEVEL_PART_SPLIT, 1,
         0, 35},
        {"a closed room", LEVEL_BUILD_ROOM "wall 5 0 5 4\n", NULL, PLOY_LEVEL_FLOOR_UNREACHABLE, 1,
         6.5f, 11.31f},
        {"a node moved to a wall", LEVEL_BUILD_ROOM, "move node 1 0.5 to 1 0.1\n",
         PLOY_LEVEL_NODE_AT_WALL, 1, 1, 0},
        {"an edge through a wall", LEVEL_BUILD_ROOM "wall 3.8 1 3.8 3\n", "join 3.5 2 4.5 2\n",
         PLOY_LEVEL_EDGE_BLOCKED, 1, 4, 0},
        {"a door in a wall", LEVEL_BUILD_ROOM "door d 8 1 8 2\n", NULL, PLOY_LEVEL_DOOR_UNUSED, 1,
         8, 0},
        {"one name twice", LEVEL_BUILD_ROOM "object a lamp 1 1\nobject a lamp 2 2\n", NULL,
         PLOY_LEVEL_NAME_TWICE, 1, 2, 0},
        {"one name for two types", LEVEL_BUILD_ROOM "object a lamp 1 1\nobject a box 2 2\n", NULL,
         PLOY_LEVEL_NAME_TWICE, 0, 0, 0},
        {"a stale override", LEVEL_BUILD_ROOM, "remove node 20 20\n", PLOY_LEVEL_OVERRIDE_STALE, 1,
         20, 0},
        {"a trigger with an unknown verb",
         LEVEL_BUILD_ROOM "trigger t circle 1 1 1 do=\"activte x\"\n", NULL,
         PLOY_LEVEL_TRIGGER_FAULT, 1, 1, 0},
        {"a trigger to nowhere", LEVEL_BUILD_ROOM "trigger t circle 1 1 1 do=\"move_to x towr\"\n",
         NULL, PLOY_LEVEL_TRIGGER_FAULT, 1, 1, 0},
        {"an offer of nothing", LEVEL_BUILD_ROOM "offers x push makes=\"a := true\"\n", NULL,
         PLOY_LEVEL_OFFER_FAULT, 1, 0, 0},
        {"an offer that is not an assignment",
         LEVEL_BUILD_ROOM "object x box 2 1\noffers x push makes=\"a && b\"\n", NULL,
         PLOY_LEVEL_OFFER_FAULT, 1, 2, 0},
    };
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        level_build_case it;
        CHECK_OK(level_build_make(&it, rows[i].text, rows[i].overrides, &env));
        CHECK_INT(ploy_level_build_issues(it.build), rows[i].issues);
        const ploy_level_issue *issue = ploy_level_build_issue(it.build, 0);
        if (issue != NULL && rows[i].issues > 0) {
            CHECK_TEXT(ploy_level_issue_kind_text(issue->kind),
                       ploy_level_issue_kind_text(rows[i].kind));
            if (rows[i].x != 0.0f) CHECK_NEAR(issue->position.x, rows[i].x, 0.06);
            bool written =
                rows[i].kind == PLOY_LEVEL_TRIGGER_FAULT || rows[i].kind == PLOY_LEVEL_OFFER_FAULT;
            if (written) CHECK(issue->object >= 0); // what its line is found by
            CHECK_NEAR(issue->size, rows[i].size, 0.01);
        }
        level_build_free(&it);
    }
}

// Two crates with a gap of 1 m between their long sides: an agent of 0.5 m fits, but not between
// the spheres around the crates.
TEST(spheres_report_the_gap_that_they_close_and_open_it) {
    static const char text[] =
        LEVEL_BUILD_ROOM "object one obstacle 4 1.25 width=3 depth=0.5\nobject two obstacle 4 2.75 "
                         "width=3 depth=0.5\n";
    ploy_env env = ploy_env_default();
    level_build_case it;
    CHECK_OK(level_build_make(&it, text, NULL, &env));
    ploy_level_stats stats = ploy_level_build_stats(it.build);
    CHECK(stats.gaps_closed >= 1);
    CHECK_INT(stats.gaps_opened, stats.gaps_closed);
    CHECK(stats.spheres > 4);
    bool found = false;
    for (int32_t i = 0; i < ploy_level_build_issues(it.build); i++) {
        const ploy_level_issue *issue = ploy_level_build_issue(it.build, i);
        CHECK_INT(issue->kind, PLOY_LEVEL_GAP_CLOSED);
        if (issue->size > 0.99f && issue->size < 1.01f) found = true;
    }
    CHECK(found);
    // The spheres that were kept leave room for an agent, and each part of the box is inside one.
    for (int32_t i = 0; i < stats.spheres; i++) {
        const ploy_level_sphere *a = ploy_level_build_sphere(it.build, i);
        for (int32_t k = 0; k < i; k++) {
            const ploy_level_sphere *b = ploy_level_build_sphere(it.build, k);
            if (a->object == b->object) continue;
            CHECK(ploy_vec2_distance(a->position, b->position) - a->radius - b->radius >= 0.5f);
        }
    }
    level_build_free(&it);
}

static int32_t level_build_node_at(const ploy_graph *graph, float x, float y) {
    for (int32_t n = ploy_graph_next_node(graph, 0); n >= 0;
         n = ploy_graph_next_node(graph, n + 1)) {
        ploy_vec3 at = ploy_graph_position(graph, n);
        if (fabsf(at.x - x) < 1e-3f && fabsf(at.y - y) < 1e-3f) return n;
    }
    return -1;
}

// The level is changed and built again: overrides keep their effect, and one no longer fits.
TEST(overrides_survive_a_new_flood) {
    static const char overrides[] =
        "add node 1.25 1.25\nremove node 2 2\nmove node 3 3 to 3.1 3\njoin 1 1 3.1 3 9\n"
        "cut 1 1 1.5 1\npoint nest 2 1 cover=0.7 mood=calm\nremove point 1 3\n"
        "tag box colour=red size=2\nremove node 6 3\n";
    static const struct {
        const char *row, *text;
        int32_t stale;
    } rows[] = {
        {"first", LEVEL_BUILD_ROOM "object box crate 5 1 size=1\nobject p point 1 3 cover=1\n", 0},
        {"a room was cut off",
         "object box crate 5 1 size=1\n" LEVEL_BUILD_ROOM "wall 4.2 0 4.2 4\n"
         "object p point 1 3 cover=1\n",
         1},
        {"the crate is gone", LEVEL_BUILD_ROOM "object p point 1 3 cover=1\n", 1},
    };
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        level_build_case it;
        CHECK_OK(level_build_make(&it, rows[i].text, overrides, &env));
        const ploy_graph *graph = ploy_level_build_nodes(it.build);
        ploy_level_stats stats = ploy_level_build_stats(it.build);
        CHECK_INT(stats.overrides, 9);
        CHECK_INT(stats.stale, rows[i].stale);
        int32_t added = level_build_node_at(graph, 1.25f, 1.25f);
        int32_t moved = level_build_node_at(graph, 3.1f, 3.0f);
        int32_t first = level_build_node_at(graph, 1, 1);
        CHECK(added >= 0 && moved >= 0 && first >= 0);
        CHECK(ploy_graph_find_edge(graph, added, first) >= 0);
        CHECK_INT(level_build_node_at(graph, 2, 2), -1);
        CHECK_INT(ploy_graph_find_edge(graph, first, level_build_node_at(graph, 1.5f, 1)),
                  PLOY_GRAPH_NONE);
        ploy_graph_edge edge;
        CHECK(ploy_graph_edge_at(graph, ploy_graph_find_edge(graph, first, moved), &edge));
        CHECK_SAME((float)edge.cost, 9.0f);
        level_build_free(&it);
    }
}

TEST(the_block_has_the_level_and_everything_generated) {
    static const char text[] = LEVEL_BUILD_ROOM "wall 3 1 3 3\nlight 1 1 6\nobject box obstacle 6 "
                                                "2 width=1 depth=1\nobject p point 1 3 cover=1\n"
                                                "item health 7 3\n";
    ploy_env env = ploy_env_default();
    level_build_case it;
    ploy_buffer bytes, again;
    ploy_buffer_init(&bytes, 0, &env);
    ploy_buffer_init(&again, 0, &env);
    ploy_writer writer = ploy_buffer_writer(&bytes), second = ploy_buffer_writer(&again);
    CHECK_OK(level_build_make(&it, text, "tag box colour=red width=1.5\nremove point 1 3\n", &env));
    CHECK_OK(ploy_level_build_save(it.build, &writer));
    CHECK_OK(ploy_level_build_save(it.build, &second));
    CHECK_INT(bytes.size, again.size);
    CHECK_INT(memcmp(bytes.bytes, again.bytes, bytes.size), 0);
    ploy_level level;
    CHECK_OK(ploy_level_open(bytes.bytes, bytes.size, &level));
    int32_t box = ploy_level_find(&level, "box");
    CHECK_TEXT(ploy_level_word(&level, box, "colour", ""), "red");
    CHECK_SAME(ploy_level_number(&level, box, "width", 0), 1.5f);
    CHECK_SAME(ploy_level_number(&level, box, "depth", 0), 1.0f);
    CHECK_INT(ploy_level_find(&level, "p"), -1);
    int32_t sphere = ploy_level_next(&level, -1, "sphere");
    CHECK(ploy_level_number(&level, sphere, "radius", 0) > 0.5f);
    int32_t point = ploy_level_next(&level, -1, "point");
    CHECK(point >= 0);
    CHECK(ploy_level_number(&level, point, "cover", -1) >= 0.0f);
    CHECK(ploy_level_number(&level, point, "shadow", -1) >= 0.0f);
    // Nodes and mesh come from the block: the same as in the build.
    ploy_graph *graph = NULL;
    ploy_navmesh *mesh = NULL;
    ploy_level_def def = ploy_level_def_default();
    def.spacing = 3.0f; // of no consequence
    CHECK_OK(ploy_level_nodes_create(&def, &level, &env, NULL, &graph));
    CHECK_OK(ploy_level_mesh_create(&def, &level, &env, NULL, &mesh));
    CHECK_INT(ploy_graph_node_count(graph),
              ploy_graph_node_count(ploy_level_build_nodes(it.build)));
    CHECK_INT(ploy_graph_edge_count(graph),
              ploy_graph_edge_count(ploy_level_build_nodes(it.build)));
    CHECK(ploy_navmesh_generation(mesh) ==
          ploy_navmesh_generation(ploy_level_build_mesh(it.build)));
    ploy_navmesh_destroy(mesh);
    ploy_graph_destroy(graph);
    // A block can be built again and gives the same nodes.
    ploy_level_build *rebuilt = NULL;
    CHECK_OK(ploy_level_build_create(&def, &level, NULL, &env, &rebuilt));
    CHECK_INT(ploy_level_build_stats(rebuilt).nodes, ploy_level_build_stats(it.build).nodes);
    ploy_level_build_destroy(rebuilt);
    ploy_buffer_fini(&again);
    ploy_buffer_fini(&bytes);
    level_build_free(&it);
}

TEST(places_behind_cover_get_points) {
    ploy_env env = ploy_env_default();
    level_build_case it;
    CHECK_OK(level_build_make(&it, LEVEL_BUILD_ROOM "wall 4 0 4 3\n", NULL, &env));
    ploy_level_stats stats = ploy_level_build_stats(it.build);
    CHECK(stats.points > 0 && stats.points < stats.nodes / 4);
    for (int32_t i = 0; i < stats.points; i++) {
        const ploy_level_point *point = ploy_level_build_point(it.build, i);
        CHECK(point->cover >= 0.0f && point->cover <= 1.0f);
        CHECK(isnan(point->shadow)); // no light is known
    }
    level_build_free(&it);
}

// A build of a block finds the generated points again; the designer's stay.
TEST(a_block_that_is_built_again_has_the_same_points) {
    ploy_env env = ploy_env_default();
    ploy_level_def def = ploy_level_def_default();
    level_build_case it;
    ploy_buffer bytes;
    ploy_level level;
    ploy_level_build *again = NULL;
    ploy_buffer_init(&bytes, 0, &env);
    ploy_writer writer = ploy_buffer_writer(&bytes);
    CHECK_OK(level_build_make(&it, LEVEL_BUILD_ROOM "wall 4 0 4 3\nobject p point 1 3 cover=1\n",
                              NULL, &env));
    CHECK_OK(ploy_level_build_save(it.build, &writer));
    CHECK_OK(ploy_level_open(bytes.bytes, bytes.size, &level));
    CHECK_OK(ploy_level_build_create(&def, &level, NULL, &env, &again));
    ploy_level_stats stats = ploy_level_build_stats(it.build);
    CHECK_INT(ploy_level_build_stats(again).points, stats.points);
    for (int32_t i = 0; i < stats.points; i++) {
        const ploy_level_point *a = ploy_level_build_point(it.build, i);
        const ploy_level_point *b = ploy_level_build_point(again, i);
        CHECK(ploy_vec2_equal(a->position, b->position));
        CHECK_SAME(a->cover, b->cover);
        CHECK_INT(a->object >= 0, b->object >= 0);
    }
    ploy_level_build_destroy(again);
    // A build without points keeps those of the block.
    def.points = false;
    CHECK_OK(ploy_level_build_create(&def, &level, NULL, &env, &again));
    CHECK_INT(ploy_level_build_stats(again).points, stats.points);
    ploy_level_build_destroy(again);
    ploy_buffer_fini(&bytes);
    level_build_free(&it);
}

static ploy_result level_build_body(const ploy_env *env, void *arg) {
    (void)arg;
    level_build_case it;
    ploy_buffer bytes;
    ploy_buffer_init(&bytes, 0, env);
    ploy_writer writer = ploy_buffer_writer(&bytes);
    ploy_result result = level_build_make(
        &it,
        "wall 0 0 3 0\nwall 3 0 3 2\nwall 3 2 0 2\nwall 0 2 0 0\nspawn 1 1\nspawn 9 9\n"
        "object a obstacle 2.5 1 width=0.2 depth=0.2\nlight 1 1 2\nitem health 9 9\n"
        "trigger t circle 1 1 1 do=\"activate x\"\nobject b box 1 1\n"
        "offers b push makes=\"c := true\"\n",
        "add node 1.2 1.2\nremove node 9 9\ntag a size=1\npoint p 1 1\n", env);
    if (result == PLOY_OK) result = ploy_level_build_save(it.build, &writer);
    level_build_free(&it);
    ploy_buffer_fini(&bytes);
    return result;
}

TEST(a_build_survives_every_failing_allocation) {
    CHECK_FAIL_NTH(level_build_body, NULL);
}
