// Raven's levels and paths: what is read, the variants of the floor, items, doors, budgets.
#include <math.h>

#include "tests/games/raven_test.h"

static ploy_result paths_load(const ploy_env *env, void *text) {
    raven_def def;
    raven_map *map = NULL;
    ploy_fields_default(raven_fields(), &def);
    ploy_result result = raven_map_load(text, strlen(text), "m", &def, env, NULL, &map);
    raven_map_destroy(map, env);
    return result;
}

TEST(every_level_is_read_and_connected) {
    ploy_env env = ploy_env_default();
    raven_def def;
    ploy_fields_default(raven_fields(), &def);
    for (int32_t i = 0; i < RAVEN_LEVEL_COUNT; i++) {
        const raven_file *file = raven_level_file(i);
        raven_map *map = NULL;
        t->row = raven_level_name(i);
        CHECK(file != NULL);
        CHECK_OK(raven_map_load((const char *)file->bytes, file->size, file->name, &def, &env, NULL,
                                &map));
        CHECK(map->spawn_count >= 12 && map->item_count >= 8 && map->node_count > 300);
        CHECK_INT(map->door_count, i == RAVEN_LEVEL_DOORS ? 6 : 0);
        CHECK(map->room_count > 1 || i == RAVEN_LEVEL_CROSS);
        ploy_graph_report report;
        CHECK_OK(ploy_graph_report_of(map->fine, &report));
        CHECK(report.connected);
        // Every node keeps off the walls.
        for (int32_t n = 0; n < map->node_count; n++) {
            CHECK_INT(ploy_scene_overlap(&map->scene, ploy_graph_position(map->fine, n), def.radius,
                                         RAVEN_LAYER_WALL, NULL, 0),
                      0);
        }
        for (int32_t k = 0; k < map->item_count; k++) {
            for (int32_t n = 0; n < map->node_count; n++) {
                CHECK(isfinite(map->costs[k * map->node_count + n]));
            }
        }
        raven_map_destroy(map, &env);
    }
}

TEST(a_faulty_level_is_refused) {
    static const struct {
        const char *row, *text, *message;
    } rows[] = {
        {"no spawn point", "wall 0 0 1 1\n", "missing spawn point"},
        {"no walls", "spawn 5 5\n", "level is not closed"},
        {"spawn in a wall", "spawn 0.2 0\nwall 0 -5 0 5\n", "spawn point in a wall"},
        {"item in a wall",
         "spawn 5 5\nwall 0 0 10 0\nwall 10 0 10 10\nwall 10 10 0 10\n"
         "wall 0 10 0 0\nitem health 9.8 5\n",
         "item in a wall"},
        {"unreachable item",
         "spawn 5 5\nwall 0 0 20 0\nwall 20 0 20 10\nwall 20 10 0 10\nwall 0 10 0 0\n"
         "wall 10 0 10 10\nitem health 15 5\n",
         "unreachable item"},
        {"unreachable spawn point",
         "spawn 5 5\nspawn 15 5\nwall 0 0 20 0\nwall 20 0 20 10\nwall 20 10 0 10\nwall 0 10 0 0\n"
         "wall 10 0 10 10\n",
         "unreachable spawn point"},
        {"buttons on one side",
         "spawn 5 5\nwall 0 0 10 0\nwall 10 0 10 10\nwall 10 10 0 10\nwall 0 10 0 0\n"
         "door d 4 2 6 2 button 5 4 button 5 5\n",
         "missing button of a door"},
    };
    ploy_env env = ploy_env_default();
    ploy_diags *diags = NULL;
    raven_def def;
    ploy_fields_default(raven_fields(), &def);
    CHECK_OK(ploy_diags_create(8, &env, &diags));
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        raven_map *map = NULL;
        t->row = rows[i].row;
        ploy_diags_clear(diags);
        CHECK_INT(raven_map_load(rows[i].text, strlen(rows[i].text), "m", &def, &env, diags, &map),
                  PLOY_ERR_FORMAT);
        CHECK(map == NULL);
        CHECK(ploy_diags_count(diags) > 0);
        CHECK(strstr(ploy_diags_get(diags, 0)->message, rows[i].message) != NULL);
    }
    ploy_diags_destroy(diags);
    static char small[] = "spawn 2 2\nwall 0 0 5 0\nwall 5 0 5 5\nwall 5 5 0 5\nwall 0 5 0 0\n"
                          "item health 3.5 3.5\n";
    CHECK_FAIL_NTH(paths_load, small);
}

// ---- variants

typedef struct paths_row {
    raven_navigation navigation;
    raven_smoothing smoothing;
    int32_t units;
} paths_row;

static paths_row paths_now;
static void paths_change(raven_def *def) {
    def->bots = 1;
    def->navigation = paths_now.navigation;
    def->smoothing = paths_now.smoothing;
    def->search_units = paths_now.units;
}

// One request to its end: the path, and the ticks it took.
static ploy_path *paths_find(test_context *t, raven_scene *scene, ploy_vec2 to, int32_t *item,
                             int32_t kind, int32_t *ticks) {
    raven_bot *bot = &scene->match->bots[0];
    ploy_env env = ploy_env_default();
    ploy_path_def def = ploy_path_def_default();
    ploy_path *path = NULL;
    CHECK_OK(ploy_path_create(&def, &env, &path));
    ploy_path_ticket ticket;
    ploy_path_outcome outcome = PLOY_PATH_OPEN;
    if (kind >= 0) {
        CHECK_OK(raven_request_item(bot, (raven_item_kind)kind, false, &ticket));
    } else {
        CHECK_OK(raven_request_path(bot, to, &ticket));
    }
    *ticks = 0;
    while (outcome == PLOY_PATH_OPEN && *ticks < 20000) {
        CHECK_OK(raven_step_paths(scene->match));
        CHECK(scene->match->worst_units <= scene->def.search_units);
        CHECK_OK(raven_poll_path(bot, ticket, path, &outcome, item));
        (*ticks)++;
    }
    CHECK_INT(outcome, PLOY_PATH_FOUND);
    return path;
}

TEST(every_form_of_the_floor_finds_paths) {
    static const paths_row rows[] = {
        {RAVEN_NAVIGATION_COARSE, RAVEN_SMOOTHING_OFF, 1000},
        {RAVEN_NAVIGATION_COARSE, RAVEN_SMOOTHING_PRECISE, 1000},
        {RAVEN_NAVIGATION_FINE, RAVEN_SMOOTHING_OFF, 1000},
        {RAVEN_NAVIGATION_FINE, RAVEN_SMOOTHING_QUICK, 1000},
        {RAVEN_NAVIGATION_FINE, RAVEN_SMOOTHING_PRECISE, 1000},
        {RAVEN_NAVIGATION_FINE, RAVEN_SMOOTHING_PRECISE, 1},
        {RAVEN_NAVIGATION_MESH, RAVEN_SMOOTHING_OFF, 1000},
        {RAVEN_NAVIGATION_ROOMS, RAVEN_SMOOTHING_QUICK, 1000},
    };
    int32_t counts[COUNT_OF(rows)];
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        raven_scene scene;
        char row[16];
        snprintf(row, sizeof row, "row %d", (int)i);
        t->row = row;
        paths_now = rows[i];
        raven_scene_begin(t, &scene, 1, paths_change, NULL);
        raven_scene_run(t, &scene, 2);
        raven_bot *bot = raven_scene_put(&scene, 0, 4.0f, 28.0f, 0.0f);
        bot->node = ploy_graph_representation_nearest(
            scene.match->map->fine_view, ploy_vec3_make(4.0f, 28.0f, 0.0f),
            &(ploy_representation_body){0.45f, RAVEN_MASK_PLAN});
        ploy_vec2 to = {40.0f, 7.0f};
        int32_t item = 0, ticks = 0;
        ploy_path *path = paths_find(t, &scene, to, &item, -1, &ticks);
        counts[i] = ploy_path_count(path);
        CHECK_NEAR(ploy_vec2_distance(ploy_path_point(path, counts[i] - 1), to), 0.0, 1e-3);
        CHECK_NEAR(ploy_vec2_distance(ploy_path_point(path, 0), bot->body.position), 0.0, 0.2);
        float length = ploy_path_length(path);
        CHECK(length > 41.0f && length < 75.0f);
        for (int32_t k = 0; k + 1 < counts[i]; k++) {
            CHECK(raven_walks(scene.match, ploy_path_point(path, k), ploy_path_point(path, k + 1),
                              0.4f));
        }
        if (rows[i].units == 1) CHECK(ticks > 20); // many ticks, one node in each
        ploy_path_destroy(path);
        // The nearest railgun, from the same place.
        path = paths_find(t, &scene, to, &item, RAVEN_ITEM_RAILGUN, &ticks);
        CHECK(item >= 0 && scene.match->map->items[item].kind == RAVEN_ITEM_RAILGUN);
        float cost = 0.0f;
        CHECK_INT(raven_nearest_item(bot, RAVEN_ITEM_RAILGUN, false, &cost), item);
        CHECK(cost > 5.0f && cost < 15.0f);
        ploy_path_destroy(path);
        raven_scene_end(&scene);
    }
    CHECK(counts[3] < counts[2] && counts[4] <= counts[3]); // smoothing removes points
}

// An item that is away is chosen only by a bot that knows when it is back.
TEST(a_search_can_know_when_items_are_back) {
    raven_scene scene;
    paths_now = (paths_row){RAVEN_NAVIGATION_FINE, RAVEN_SMOOTHING_QUICK, 1000};
    raven_scene_begin(t, &scene, 1, paths_change, raven_hall);
    raven_scene_run(t, &scene, 2);
    raven_bot *bot = raven_scene_put(&scene, 0, 3.0f, 15.0f, 0.0f);
    bot->node = ploy_graph_representation_nearest(
        scene.match->map->fine_view, ploy_vec3_make(3.0f, 15.0f, 0.0f),
        &(ploy_representation_body){0.45f, RAVEN_MASK_PLAN});
    raven_item *health = &scene.match->map->items[0];
    ploy_path_ticket ticket;
    health->active = false;
    health->due = scene.match->tick + 180; // 3 s; the way takes 4 s
    CHECK_INT(raven_nearest_item(bot, RAVEN_ITEM_HEALTH, false, NULL), RAVEN_NOBODY);
    CHECK_INT(raven_request_item(bot, RAVEN_ITEM_HEALTH, false, &ticket), PLOY_ERR_NOT_FOUND);
    CHECK_INT(raven_nearest_item(bot, RAVEN_ITEM_HEALTH, true, NULL), 0);
    CHECK_OK(raven_request_item(bot, RAVEN_ITEM_HEALTH, true, &ticket));
    raven_cancel_path(bot, ticket);
    CHECK_NEAR(raven_item_wait(scene.match, 0), 3.0, 0.01);
    health->due = scene.match->tick + 300;
    CHECK_INT(raven_nearest_item(bot, RAVEN_ITEM_HEALTH, true, NULL), RAVEN_NOBODY);
    raven_scene_end(&scene);
}

// ---- doors

static const char paths_doors[] = "wall 0 0 20 0\nwall 20 0 20 10\nwall 20 10 0 10\nwall 0 10 0 0\n"
                                  "wall 10 0 10 4\nwall 10 6 10 10\n"
                                  "door middle 10 4 10 6 button 8 8 button 12 2\n"
                                  "spawn 3 5\nspawn 17 5\nspawn 3 8\nspawn 17 2\n";

static raven_navigation paths_navigation;
static void paths_one(raven_def *def) {
    def->bots = 1;
    def->navigation = paths_navigation;
}

TEST(a_door_is_opened_by_its_button_and_passed) {
    for (int32_t n = 0; n < 4; n++) {
        raven_scene scene;
        static const char *const names[] = {"coarse", "fine", "mesh", "rooms"};
        t->row = names[n];
        paths_navigation = (raven_navigation)n;
        raven_scene_begin(t, &scene, 1, paths_one, paths_doors);
        raven_scene_run(t, &scene, 1);
        raven_bot *bot = raven_scene_put(&scene, 0, 3.0f, 5.0f, 0.0f);
        const raven_door *door = &scene.match->map->doors[0];
        CHECK_TEXT(door->name, "middle");
        CHECK(!raven_sees(scene.match, ploy_vec2_make(9, 5), ploy_vec2_make(11, 5)));
        raven_scene_command(t, &scene, "take", 0, ploy_value_none());
        raven_scene_command(t, &scene, "go", 0, ploy_value_vec2(17.0f, 5.0f));
        bool pressed = false, open = false;
        for (int32_t i = 0; i < 900; i++) {
            raven_scene_run(t, &scene, 1);
            raven_watch watch;
            memset(&watch, 0, sizeof watch);
            raven_scene_check(t, scene.match, &watch);
            if (door->opening && !pressed) {
                pressed = true;
                CHECK(ploy_vec2_distance(bot->body.position, door->buttons[0]) < 1.0f);
            }
            open |= door->open > 1.99f;
        }
        CHECK(pressed && open);
        CHECK_NEAR(ploy_vec2_distance(bot->body.position, ploy_vec2_make(17.0f, 5.0f)), 0.0, 0.4);
        raven_scene_run(t, &scene, 600);
        CHECK_NEAR(door->open, 0.0, 0.0); // closed again
        raven_scene_end(&scene);
    }
}

TEST(a_door_never_closes_on_a_bot) {
    raven_scene scene;
    paths_navigation = RAVEN_NAVIGATION_FINE;
    raven_scene_begin(t, &scene, 1, paths_one, paths_doors);
    scene.def.still = true;
    raven_scene_run(t, &scene, 1);
    raven_scene_put(&scene, 0, 8.0f, 8.0f, 0.0f);
    raven_scene_run(t, &scene, 90);
    const raven_door *door = &scene.match->map->doors[0];
    CHECK_NEAR(door->open, 2.0, 1e-4);
    raven_scene_put(&scene, 0, 10.0f, 5.0f, 0.0f);
    raven_scene_run(t, &scene, 1200);
    CHECK_NEAR(door->open, 2.0, 1e-4);
    raven_scene_put(&scene, 0, 3.0f, 5.0f, 0.0f);
    raven_scene_run(t, &scene, 240);
    CHECK_NEAR(door->open, 0.0, 0.0);
    scene.def.doors = false; // always open
    raven_scene_run(t, &scene, 2);
    CHECK_NEAR(door->open, 2.0, 1e-4);
    CHECK(raven_door_open(scene.match, 0, ploy_vec2_lerp(door->from, door->to, 0.5f)));
    raven_scene_end(&scene);
}

static void paths_little(raven_def *def) {
    def->search_units = 1;
}

// One node a tick for all: the budget holds, and bots still get about.
TEST(one_unit_a_tick_is_enough_to_go_on) {
    raven_scene scene;
    raven_scene_begin(t, &scene, 1, paths_little, NULL);
    double walked = 0.0;
    ploy_vec2 last[8];
    for (int32_t i = 0; i < 8; i++) last[i] = scene.match->bots[i].body.position;
    int64_t items = 0;
    for (int32_t i = 0; i < 3600; i++) {
        raven_scene_run(t, &scene, 1);
        CHECK(scene.match->worst_units <= 1);
        for (int32_t k = 0; k < 8; k++) {
            walked += (double)ploy_vec2_distance(last[k], scene.match->bots[k].body.position);
            last[k] = scene.match->bots[k].body.position;
        }
    }
    for (int32_t k = 0; k < 8; k++) items += scene.match->bots[k].items;
    CHECK(items >= 5);
    CHECK(walked > 8.0 * 60.0); // a metre a second each, although most paths come late
    CHECK(scene.match->longest_wait > 10);
    raven_scene_end(&scene);
}

// A long edge along a wall, and a bot that was pushed off it: the next point is behind the wall. It
// plans again after three seconds, not when the edge should have been walked.
static const char paths_nook[] = "wall 0 0 40 0\nwall 40 0 40 30\nwall 40 30 0 30\nwall 0 30 0 0\n"
                                 "wall 0 10 19 10\nwall 21 10 40 10\n"
                                 "spawn 2 2\nspawn 2 28\nspawn 38 2\nspawn 38 28\n"
                                 "item health 15 15 50\nitem rocket 35 15\n";

static void paths_single(raven_def *def) {
    def->bots = 1;
}

TEST(a_bot_that_was_pushed_off_its_edge_plans_again) {
    raven_scene scene;
    raven_scene_begin(t, &scene, 3, paths_single, paths_nook);
    raven_scene_run(t, &scene, 2);
    raven_bot *bot = raven_scene_put(&scene, 0, 20.0f, 8.0f, 0.0f);
    raven_scene_command(t, &scene, "take", 0, ploy_value_none());
    raven_scene_command(t, &scene, "go", 0, ploy_value_vec2(30.0f, 28.0f));
    for (int32_t i = 0; i < 200 && bot->body.position.y < 12.0f; i++) raven_scene_run(t, &scene, 1);
    CHECK(bot->body.position.y >= 12.0f && bot->body.position.x > 20.2f); // on the last edge
    raven_scene_put(&scene, 0, 30.0f, 9.4f, 0.0f);
    int32_t ticks = 0;
    while (bot->body.position.y < 12.0f && ticks < 900) {
        raven_scene_run(t, &scene, 1);
        ticks++;
    }
    CHECK(ticks < 540);
    CHECK(bot->longest_stuck > 120 && bot->longest_stuck < 240);
    raven_scene_end(&scene);
}
