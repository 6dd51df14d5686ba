// Sites: a level with everything in it, the leaves that move characters there, and their noises.
#include "ploy/data/site.h"

#include <string.h>

#include "ploy/data/character_leaves.h"
#include "ploy/data/save.h"
#include "ploy/data/tiles_text.h"
#include "tests/state.h"
#include "tests/test.h"

static const char site_level[] = "############\n"
                                 "#a....#....#\n"
                                 "#.....#....#\n"
                                 "#.....#..b.#\n"
                                 "#..........#\n"
                                 "############\n";

// One leaf takes over from another of the same kind below a reactive node.
static const char site_tree[] =
    "<root BTCPP_format=\"4\"><BehaviorTree ID=\"Guard\"><Fallback>"
    "<Sequence _while=\"mode == 'look'\"><LookAround seconds=\"100\" rate=\"2\"/></Sequence>"
    "<Sequence _while=\"mode == 'turn'\"><LookAround seconds=\"0.5\"/>"
    "<Script code=\"mode = 'done'\"/></Sequence>"
    "<Sequence _while=\"mode == 'run'\"><Go place=\"{there}\" speed=\"3\"/>"
    "<Script code=\"mode = 'done'\"/></Sequence>"
    "<Sequence _while=\"mode == 'walk'\"><Go place=\"{here}\" speed=\"1\"/>"
    "<Script code=\"mode = 'done'\"/></Sequence>"
    "</Fallback></BehaviorTree></root>";

enum { SITE_MODE, SITE_HERE, SITE_THERE, SITE_KEYS };
static const ploy_blackboard_key site_keys[SITE_KEYS] = {
    {"mode", PLOY_VALUE_TEXT, {PLOY_VALUE_NONE, {0}}, ""},
    {"here", PLOY_VALUE_VEC2, {PLOY_VALUE_NONE, {0}}, ""},
    {"there", PLOY_VALUE_VEC2, {PLOY_VALUE_NONE, {0}}, ""},
};

typedef struct site_world {
    ploy_tiles *tiles;
    ploy_site *site;
    ploy_bt_file *tree;
    ploy_slot key[SITE_KEYS];
    ploy_agent_id guard, other;
    int32_t heard;
} site_world;

static void site_close(site_world *w) {
    ploy_site_destroy(w->site);
    ploy_bt_file_destroy(w->tree);
    ploy_tiles_destroy(w->tiles);
}

static ploy_result site_open(site_world *w, const ploy_env *env) {
    memset(w, 0, sizeof *w);
    ploy_result result =
        ploy_tiles_from_text(site_level, sizeof site_level - 1, "#", "level", env, NULL, &w->tiles);
    ploy_site_def def = ploy_site_def_default();
    def.cast.crowd.capacity = 4;
    if (result == PLOY_OK) result = ploy_site_from_tiles(&def, w->tiles, env, &w->site);
    if (result != PLOY_OK) return result;
    ploy_bt_file_def file = ploy_bt_file_def_default();
    file.find = ploy_character_leaf;
    file.find_user = w->site->cast;
    file.keys = site_keys;
    file.key_count = SITE_KEYS;
    result =
        ploy_bt_file_load(site_tree, sizeof site_tree - 1, "guard.xml", &file, env, NULL, &w->tree);
    if (result != PLOY_OK) return result;
    const ploy_bt *bt = ploy_bt_file_main(w->tree);
    const ploy_blackboard_layout *layout = ploy_bt_file_layout(w->tree, bt);
    for (int i = 0; i < SITE_KEYS; i++) {
        w->key[i] = ploy_blackboard_layout_find(layout, site_keys[i].name);
    }
    ploy_character_def character = ploy_character_def_default();
    character.think_every = 1;
    ploy_behavior mind = {NULL, NULL}, none = {NULL, NULL};
    ploy_blackboard *board = NULL;
    ploy_vec2 a = {1.5f, 4.5f}, b = {9.5f, 2.5f};
    result = ploy_blackboard_create(layout, env, &board);
    if (result == PLOY_OK) result = ploy_maker_make(ploy_bt_maker(bt), env, &mind);
    if (result == PLOY_OK) {
        result = ploy_cast_add(w->site->cast, &character, board, mind, a, 0, &w->guard);
    }
    if (result != PLOY_OK) {
        if (mind.type != NULL) ploy_behavior_destroy(mind);
        ploy_blackboard_destroy(board);
        return result;
    }
    character.hearing = 0;
    character.step_noise = 2;
    character.quiet_speed = 1.5f;
    return ploy_cast_add(w->site->cast, &character, NULL, none, b, 0, &w->other);
}

static void site_hear(void *user, const ploy_percept *percept) {
    site_world *w = user;
    w->heard += ploy_id_equal(percept->sensor.id, w->guard.id);
}

static void site_run(test_context *t, site_world *w, int32_t ticks) {
    for (int32_t i = 0; i < ticks; i++) {
        CHECK_OK(ploy_site_step(w->site, 1.0f / 60, NULL, site_hear, w));
    }
}

static ploy_character *site_guard(const site_world *w) {
    return ploy_cast_get(w->site->cast, w->guard);
}

static void site_mode(test_context *t, site_world *w, const char *mode) {
    CHECK_OK(ploy_blackboard_set_text(site_guard(w)->board, w->key[SITE_MODE], mode));
}

static const char *site_mode_of(const site_world *w) {
    return ploy_blackboard_get_text(site_guard(w)->board, w->key[SITE_MODE]);
}

TEST(a_tree_from_a_file_walks_and_looks_around) {
    ploy_env env = ploy_env_default();
    site_world w;
    CHECK_OK(site_open(&w, &env));
    ploy_blackboard *board = site_guard(&w)->board;
    ploy_vec2 there = {7.5f, 4.5f};
    CHECK_OK(ploy_blackboard_set_vec2(board, w.key[SITE_THERE], there));
    CHECK_SAME(ploy_blackboard_get_vec2(board, w.key[SITE_THERE]).y, 4.5f);
    CHECK_INT(ploy_blackboard_set_vec2(board, w.key[SITE_MODE], there), PLOY_ERR_ARGUMENT);
    site_mode(t, &w, "run");
    site_run(t, &w, 60);
    CHECK_TEXT(site_mode_of(&w), "run"); // around the wall
    site_run(t, &w, 600);
    CHECK_TEXT(site_mode_of(&w), "done");
    CHECK(ploy_vec2_distance(ploy_cast_position(w.site->cast, w.guard), there) < 0.4f);
    float before = site_guard(&w)->orientation;
    site_mode(t, &w, "turn");
    site_run(t, &w, 20);
    CHECK(site_guard(&w)->orientation != before);
    site_run(t, &w, 20);
    CHECK_TEXT(site_mode_of(&w), "done");
    CHECK_SAME(site_guard(&w)->turn, 0.0f);
    ploy_bt_file_leaf leaf;
    CHECK_INT(ploy_character_leaf(w.site->cast, "Jump", &leaf), PLOY_ERR_NOT_FOUND);
    site_close(&w);
}

TEST(a_leaf_that_stops_ends_only_its_own_trip_and_turn) {
    ploy_env env = ploy_env_default();
    site_world w;
    CHECK_OK(site_open(&w, &env));
    ploy_vec2 here = {1.5f, 1.5f}, there = {5.5f, 4.5f};
    CHECK_OK(ploy_blackboard_set_vec2(site_guard(&w)->board, w.key[SITE_HERE], here));
    CHECK_OK(ploy_blackboard_set_vec2(site_guard(&w)->board, w.key[SITE_THERE], there));
    site_mode(t, &w, "walk");
    site_run(t, &w, 30);
    site_mode(t, &w, "run");
    site_run(t, &w, 180);
    CHECK_TEXT(site_mode_of(&w), "done");
    CHECK(ploy_vec2_distance(ploy_cast_position(w.site->cast, w.guard), there) < 0.4f);
    uint32_t old = 0, now = 0; // the order below a reactive node: the new one first
    CHECK_OK(ploy_cast_turn(w.site->cast, w.guard, 1, &old));
    CHECK_OK(ploy_cast_turn(w.site->cast, w.guard, 2, &now));
    CHECK(!ploy_cast_stop_turn(w.site->cast, w.guard, old));
    CHECK_SAME(site_guard(&w)->turn, 2.0f);
    CHECK(ploy_cast_stop_turn(w.site->cast, w.guard, now));
    CHECK_SAME(site_guard(&w)->turn, 0.0f);
    CHECK_INT(ploy_cast_turn(w.site->cast, ploy_agent_id_none(), 1, NULL), PLOY_ERR_NOT_FOUND);
    CHECK_INT(ploy_cast_turn(w.site->cast, w.guard, NAN, NULL), PLOY_ERR_ARGUMENT);
    site_close(&w);
}

TEST(fast_footsteps_and_noises_are_heard) {
    ploy_env env = ploy_env_default();
    site_world w;
    CHECK_OK(site_open(&w, &env));
    ploy_vec2 goal = {7.5f, 1.5f};
    CHECK_OK(ploy_cast_go(w.site->cast, w.other, goal, 1, NULL)); // quiet
    site_run(t, &w, 240);
    CHECK_INT(w.heard, 0);
    goal = ploy_vec2_make(9.5f, 4.5f);
    CHECK_OK(ploy_cast_go(w.site->cast, w.other, goal, 3, NULL)); // 3.6 m; at the end it is slow
    site_run(t, &w, 120);
    CHECK_INT(w.heard, 1);
    CHECK_OK(ploy_site_noise(w.site, goal, 5, ploy_name_of("coin")));
    site_run(t, &w, 60);
    CHECK_INT(w.heard, 2);
    CHECK_INT(ploy_site_step(w.site, NAN, NULL, NULL, NULL), PLOY_ERR_ARGUMENT);
    site_close(&w);
}

static ploy_save site_save(site_world *w) {
    ploy_save save = ploy_save_make("site", 1);
    save.visit = ploy_site_visit;
    save.object = w->site;
    save.engine = w->site->engine;
    return save;
}

TEST(a_saved_site_goes_on_as_if_it_had_not_been_saved) {
    ploy_env env = ploy_env_default();
    site_world w, loaded;
    CHECK_OK(site_open(&w, &env));
    CHECK_OK(site_open(&loaded, &env));
    ploy_vec2 there = {9.5f, 4.5f};
    CHECK_OK(ploy_blackboard_set_vec2(site_guard(&w)->board, w.key[SITE_THERE], there));
    site_mode(t, &w, "run");
    ploy_message call = ploy_message_make(w.other, w.guard, ploy_name_of("seen"));
    CHECK_OK(ploy_telegrams_send(w.site->telegrams, &call, 5, NULL));
    site_run(t, &w, 50);
    ploy_buffer bytes;
    ploy_buffer_init(&bytes, 0, &env);
    ploy_writer writer = ploy_buffer_writer(&bytes);
    state_check s = {ploy_site_visit, w.site, NULL, NULL, NULL};
    state_check_cover(t, &s);
    state_check_files(t, &s);
    ploy_save save = site_save(&w), other = site_save(&loaded);
    CHECK_OK(ploy_save_write(&save, &writer));
    CHECK_OK(ploy_save_load(&other, bytes.bytes, bytes.size, "save", &env, NULL));
    ploy_buffer_fini(&bytes);
    CHECK_UINT(ploy_visit_hash(ploy_site_visit, loaded.site, NULL),
               ploy_visit_hash(ploy_site_visit, w.site, NULL));
    CHECK_INT(ploy_telegrams_waiting(loaded.site->telegrams), 1);
    site_run(t, &w, 200);
    site_run(t, &loaded, 200);
    CHECK_UINT(ploy_visit_hash(ploy_site_visit, loaded.site, NULL),
               ploy_visit_hash(ploy_site_visit, w.site, NULL));
    site_close(&w);
    site_close(&loaded);
}

TEST(bad_sites_are_refused) {
    ploy_env env = ploy_env_default();
    env.log = NULL;
    ploy_site *site = NULL;
    ploy_site_def def = ploy_site_def_default();
    CHECK_INT(ploy_site_from_tiles(&def, NULL, &env, &site), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_site_create(&def, NULL, NULL, &env, &site), PLOY_ERR_ARGUMENT);
    site_world w;
    CHECK_OK(site_open(&w, &env));
    def.radius = -1;
    CHECK_INT(ploy_site_from_tiles(&def, w.tiles, &env, &site), PLOY_ERR_ARGUMENT);
    CHECK(site == NULL);
    site_close(&w);
}

static ploy_result site_try(const ploy_env *env, void *user) {
    (void)user;
    site_world w;
    ploy_result result = site_open(&w, env);
    site_close(&w);
    return result;
}

TEST(creating_survives_every_failing_allocation) {
    CHECK_FAIL_NTH(site_try, NULL);
}

TEST(a_site_reports_the_memory_of_all_its_parts) {
    test_counts counts = {0, 0, 0};
    ploy_env env = ploy_env_default(), counting = test_counting_env(&counts);
    ploy_tiles *tiles = NULL;
    ploy_site *site = NULL;
    CHECK_OK(
        ploy_tiles_from_text(site_level, sizeof site_level - 1, "#", "level", &env, NULL, &tiles));
    ploy_site_def def = ploy_site_def_default();
    def.cast.crowd.capacity = 4;
    CHECK_OK(ploy_site_from_tiles(&def, tiles, &counting, &site));
    ploy_character_def character = ploy_character_def_default();
    ploy_behavior none = {NULL, NULL};
    for (int32_t i = 0; i < 2; i++) {
        ploy_vec2 at = {i == 0 ? 1.5f : 9.5f, i == 0 ? 4.5f : 2.5f};
        CHECK_OK(ploy_cast_add(site->cast, &character, NULL, none, at, 0, NULL));
    }
    for (int32_t i = 0; i < 30; i++) {
        CHECK_OK(ploy_site_step(site, 1.0f / 60, NULL, NULL, NULL));
    }
    int64_t reported = 0;
    ploy_site_memory(site, test_sum_memory, &reported);
    CHECK_INT(reported, counts.bytes);
    ploy_site_destroy(site);
    CHECK_INT(counts.bytes, 0);
    ploy_tiles_destroy(tiles);
}
