// The labs in Lua: the miner's states and the guard's scenes, edited while they run, and rewound.
#include "tests/labs/lab_edit.h"
#include "tests/labs/lab_test.h"
#include "tests/labs/lab_why.h"

#include <string.h>

#include "ploy/inspect/recorder.h"

// The text of a value, by the end of its path.
typedef struct lua_lab_asked {
    lab_asked place; // first: its functions keep the path
    char text[256];
} lua_lab_asked;

static void lua_lab_value(void *user, const char *name, ploy_mark mark, const ploy_value *value) {
    lua_lab_asked *asked = user;
    char path[512];
    (void)mark;
    snprintf(path, sizeof path, "/%s%s", asked->place.at, name);
    size_t have = strlen(path), whole = strlen(asked->place.path);
    if (have <= whole || strcmp(path + have - whole, asked->place.path) != 0) return;
    if (path[have - whole - 1] != '/') return;
    (void)ploy_value_print(value, asked->text, sizeof asked->text);
    asked->place.found = true;
}

static lua_lab_asked lua_lab_ask(test_context *t, const ploy_sim *sim, const char *path) {
    lua_lab_asked asked;
    memset(&asked, 0, sizeof asked);
    asked.place.path = path;
    ploy_describe out = {lab_asked_begin, lab_asked_end, lua_lab_value, &asked};
    ploy_sim_describe(sim, &out);
    CHECK(asked.place.found);
    return asked;
}

static bool lua_lab_says(test_context *t, const ploy_sim *sim, const char *path, const char *text) {
    return strstr(lua_lab_ask(t, sim, path).text, text) != NULL;
}

// As lab_check_rewind, but the hash comes before the snapshot both times: describing a state of Lua
// uses its stack, whose free slots are bytes of the region.
static void lua_lab_check_rewind(test_context *t, ploy_sim *sim, int32_t ticks) {
    ploy_snapshot *early = NULL, *late = NULL, *again = NULL;
    CHECK_OK(ploy_sim_snapshot(sim, &early));
    lab_run(t, sim, ticks);
    uint64_t hash = ploy_sim_hash(sim);
    CHECK_OK(ploy_sim_snapshot(sim, &late));
    CHECK_OK(ploy_sim_restore(sim, early));
    lab_run(t, sim, ticks);
    CHECK_UINT(ploy_sim_hash(sim), hash);
    CHECK_OK(ploy_sim_snapshot(sim, &again));
    CHECK_INT(ployi_snapshot_difference(late, again), -1);
    ploy_snapshot_destroy(again);
    ploy_snapshot_destroy(late);
    ploy_snapshot_destroy(early);
}

TEST(recordings_of_scripts_name_the_release_of_lua) {
    static const char *const labs[] = {"miner", "stage"};
    for (size_t i = 0; i < COUNT_OF(labs); i++) {
        const ploy_sim_type *type = ploy_sim_type_find(ploy_labs(), labs[i], NULL);
        CHECK(type != NULL && type->runtime != NULL);
        CHECK(strncmp(type->runtime(), "Lua 5.", 6) == 0);
    }
}

TEST(an_edited_state_keeps_the_miners_gold) {
    ploy_env env = ploy_env_default();
    ploy_sim *sim = lab_start(t, "miner", NULL, &env);
    lab_run(t, sim, 97);
    double gold = lab_number(t, sim, "miner 1/gold");
    CHECK(gold >= 6.0);
    CHECK(lab_drawn(sim) > 6);
    char *text = lab_definition(t, sim, "miner");
    char *edited = lab_replace(t, text, "+ 2", "+ 1000");
    ploy_input input = lab_reload_input("miner", edited);
    CHECK_OK(ploy_sim_step(sim, &input, 1, NULL));
    CHECK(lab_number(t, sim, "miner 1/gold") == gold);
    lab_run(t, sim, 80);
    CHECK(lab_number(t, sim, "miner 1/gold") > 1000.0 + gold - 1.0);
    // The strikes of all are a local that was kept: they go on, and do not begin again.
    char *counted = lab_replace(t, text, "'Walking home.'", "'strikes ' .. strikes");
    input = lab_reload_input("miner", counted);
    CHECK_OK(ploy_sim_step(sim, &input, 1, NULL));
    int32_t strikes = 0;
    for (int32_t i = 0; i < 80 && strikes == 0; i++) {
        lab_run(t, sim, 1);
        (void)sscanf(lua_lab_ask(t, sim, "miner 1/said").text, "strikes %d", &strikes);
    }
    CHECK(strikes > 12);
    free(counted);
    input.bytes = "miner = {";
    input.size = 9;
    CHECK(ploy_sim_step(sim, &input, 1, NULL) < 0); // refused, and the lab goes on
    lab_run(t, sim, 3);
    free(text);
    free(edited);
    ploy_sim_destroy(sim);
}

TEST(the_miner_rewinds_to_the_same_bytes) {
    ploy_env env = ploy_env_default();
    ploy_sim *sim = lab_start(t, "miner", NULL, &env);
    lab_run(t, sim, 20);
    lua_lab_check_rewind(t, sim, 60);
    ploy_sim_destroy(sim);
}

// Opens a recording deeper in the stack, because Lua's hash seed follows from an address there.
static ploy_result lua_lab_load(const ploy_buffer *bytes, const ploy_env *env, int32_t depth,
                                ploy_recorder **out) {
    volatile char room[512];
    room[0] = 0;
    ploy_recorder_def def = ploy_recorder_def_default();
    ploy_result result = depth > 0 ? lua_lab_load(bytes, env, depth - 1, out)
                                   : ploy_recorder_load(bytes->bytes, bytes->size, "greedy",
                                                        ploy_labs(), &def, NULL, env, NULL, out);
    return room[0] == 0 ? result : PLOY_ERR_STATE;
}

TEST(a_recording_stores_where_memory_ended_a_script) {
    ploy_env env = ploy_env_default();
    ploy_recorder_def def = ploy_recorder_def_default();
    def.hash_every = 1;
    ploy_recorder *recorder = NULL;
    CHECK_OK(ploy_recorder_create(&def, ploy_sim_type_find(ploy_labs(), "miner", NULL), NULL, NULL,
                                  &env, &recorder));
    char *text = lab_definition(t, ploy_recorder_sim(recorder), "miner");
    char *greedy =
        lab_replace(t, text, "    self.gold = (self.gold or 0) + 2\n",
                    "    local hoard, n = {}, 0\n"
                    "    while true do n = n + 1 hoard['k' .. n] = n self.gold = n end\n");
    ploy_input input = lab_reload_input("miner", greedy);
    CHECK_OK(ploy_recorder_input(recorder, &input, NULL));
    for (int32_t i = 0; i < 60; i++) CHECK_OK(ploy_recorder_step(recorder));
    CHECK(lua_lab_says(t, ploy_recorder_sim(recorder), "miner 1/said", "KiB of memory"));
    CHECK(lab_number(t, ploy_recorder_sim(recorder), "miner 1/gold") > 1000.0);
    int32_t ends = 0, count = ploy_recorder_input_count(recorder);
    for (int32_t i = 0; i < count; i++) {
        const ploy_input *at = ploy_recorder_input_at(recorder, i, NULL);
        ends += at->kind == PLOY_INPUT_UNITS && strcmp(at->name, "miner") == 0;
    }
    CHECK(ends >= 3);
    // Executing it again adds nothing and compares every tick.
    CHECK_OK(ploy_recorder_seek(recorder, 1, NULL));
    CHECK_OK(ploy_recorder_seek(recorder, 60, NULL));
    CHECK_INT(ploy_recorder_input_count(recorder), count);
    ploy_buffer bytes;
    ploy_buffer_init(&bytes, 0, &env);
    ploy_writer out = ploy_buffer_writer(&bytes);
    CHECK_OK(ploy_recorder_save(recorder, &out));
    for (int32_t depth = 0; depth < 4; depth++) {
        ploy_recorder *other = NULL;
        CHECK_OK(lua_lab_load(&bytes, &env, depth, &other));
        CHECK_OK(ploy_recorder_seek(other, 60, NULL));
        CHECK_UINT(ploy_sim_hash(ploy_recorder_sim(other)),
                   ploy_sim_hash(ploy_recorder_sim(recorder)));
        ploy_recorder_destroy(other);
    }
    ploy_buffer_fini(&bytes);
    free(greedy);
    free(text);
    ploy_recorder_destroy(recorder);
}

TEST(the_guard_answers_as_he_is_spoken_to) { // D-07
    static const struct {
        const char *command, *said;
    } rows[] = {{"first", "welcome, friend"}, {"second", "Away with you"}};
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].command;
        ploy_sim *sim = lab_start(t, "stage", NULL, &env);
        lab_run(t, sim, 100); // he walks up and asks; the player takes the time that he needs
        CHECK_INT((int64_t)lab_number(t, sim, "options"), 2);
        CHECK(lua_lab_says(t, sim, "question", "What brings you here?"));
        lua_lab_check_rewind(t, sim, 20);
        lab_command(t, sim, rows[i].command, ploy_value_none());
        lab_run(t, sim, 20);
        CHECK(lua_lab_says(t, sim, "said", rows[i].said));
        lab_run(t, sim, 150);
        CHECK(lua_lab_says(t, sim, "state/done", "true"));
        CHECK(lab_drawn(sim) > 5);
        lab_command(t, sim, "again", ploy_value_none());
        CHECK(lua_lab_says(t, sim, "state/done", "false"));
        ploy_sim_destroy(sim);
    }
}

TEST(scripted_minds_give_their_reasons) {
    static const struct {
        const char *lab, *settings[3];
        int32_t ticks, decisions;
    } rows[] = {{"miner", {NULL}, 200, 75},
                {"stage", {"answers=2", NULL}, 100, 1},
                {"stage", {"scene=guard", NULL}, 100, 1},
                {"stage", {"scene=guard", "authorised=false", NULL}, 100, 1}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        lab_why why = lab_check_why(t, rows[i].lab, rows[i].settings, rows[i].ticks);
        t->row = rows[i].lab;
        CHECK_INT(why.decisions, rows[i].decisions);
    }
}

TEST(the_guard_leads_to_the_throne_or_the_dungeon) { // D-08
    static const struct {
        const char *setting, *said;
        double y; // of the player at the end
    } rows[] = {{"authorised=true", "Welcome, Sir Edward", 19.0},
                {"authorised=false", "Shame on you", 3.0}};
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].setting;
        const char *const settings[] = {"scene=guard", rows[i].setting, NULL};
        ploy_sim *sim = lab_start(t, "stage", settings, &env);
        lab_run(t, sim, 60);
        CHECK_INT((int64_t)lab_number(t, sim, "camera"), 0); // locked on the guard
        CHECK(lua_lab_says(t, sim, "said", rows[i].said));
        lab_run(t, sim, 300);
        CHECK(lua_lab_says(t, sim, "state/done", "true"));
        CHECK_INT((int64_t)lab_number(t, sim, "camera"), 1);
        double x = 0.0, y = 0.0;
        CHECK_INT(sscanf(lua_lab_ask(t, sim, "player/position").text, "(%lf, %lf", &x, &y), 2);
        CHECK_NEAR(y, rows[i].y, 1.0);
        CHECK_TEXT(lua_lab_ask(t, sim, "guard/position").text, "(4, 12)"); // at the drawbridge
        ploy_sim_destroy(sim);
    }
}

TEST(an_edited_scene_restarts_and_says_so) {
    ploy_env env = ploy_env_default();
    ploy_sim *sim = lab_start(t, "stage", NULL, &env);
    lab_run(t, sim, 60);
    char *text = lab_definition(t, sim, "scene");
    char *other = lab_replace(t, text, "Shame on you", "Bad luck"); // in the other scene
    ploy_input input = lab_reload_input("scene", other);
    CHECK_OK(ploy_sim_step(sim, &input, 1, NULL));
    CHECK_INT((int64_t)lab_number(t, sim, "options"), 2); // the question is still open
    char *same = lab_replace(t, text, "Good day", "Hello");
    input = lab_reload_input("scene", same);
    CHECK_OK(ploy_sim_step(sim, &input, 1, NULL));
    lab_command(t, sim, "first", ploy_value_none());
    lab_run(t, sim, 5);
    CHECK(!lua_lab_says(t, sim, "said", "friend")); // it restarted
    lab_run(t, sim, 60);
    CHECK(lua_lab_says(t, sim, "question", "Hello"));
    CHECK_INT((int64_t)lab_number(t, sim, "options"), 2);
    CHECK(lua_lab_says(t, sim, "state/failed", "false"));
    free(text);
    free(other);
    free(same);
    ploy_sim_destroy(sim);
}
