// What one sees of Raven: it rewinds, replays, draws, gives reasons, reloads and takes commands.
#include "games/raven/raven.h"
#include "tests/games/game_test.h"

static void sight_play(test_context *t, ploy_sim *sim) {
    lab_command(t, sim, "take", ploy_value_none());
    lab_send_at(t, sim, "go", 22.0f, 15.0f);
    lab_send_at(t, sim, "queue", 6.0f, 15.0f);
    lab_run(t, sim, 100);
    lab_send_at(t, sim, "fire", 30.0f, 15.0f);
    lab_command(t, sim, "weapon1", ploy_value_none());
    lab_command(t, sim, "shoot", ploy_value_none());
    lab_run(t, sim, 100);
    lab_command(t, sim, "release", ploy_value_none());
    lab_command(t, sim, "add", ploy_value_none());
    lab_run(t, sim, 60);
    lab_command(t, sim, "remove", ploy_value_none());
    lab_run(t, sim, 60);
}

static int32_t sight_rockets(const ploy_sim *sim) {
    const raven_match *match = ploy_sim_state(sim);
    int32_t count = 0;
    for (int32_t i = 0; i < match->shot_count; i++) {
        const raven_shot *shot = &match->shots[i];
        count += shot->weapon == RAVEN_ROCKET && shot->state == RAVEN_SHOT_FLYING ? 1 : 0;
    }
    return count;
}

TEST(raven_rewinds_to_the_same_bytes_with_rockets_in_flight) {
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    ploy_sim *sim = lab_start(t, "raven", NULL, &env);
    for (int32_t i = 0; i < 6000 && sight_rockets(sim) == 0; i++) lab_run(t, sim, 1);
    CHECK(sight_rockets(sim) > 0);
    lab_check_rewind(t, sim, 600);
    lab_check_rewind_of(t, sim, sight_play);
    CHECK(lab_drawn(sim) > 100);
    ploy_sim_destroy(sim);
    CHECK_INT(counts.bytes, 0);
}

TEST(raven_rewinds_with_searches_under_way) {
    static const char *const settings[] = {"search_units=1", "map=doors", NULL};
    ploy_env env = ploy_env_default();
    ploy_sim *sim = lab_start(t, "raven", settings, &env);
    lab_run(t, sim, 200);
    const raven_match *match = ploy_sim_state(sim);
    CHECK(ploy_planners_stats_of(match->planners).active > 0);
    lab_check_rewind(t, sim, 300);
    ploy_sim_destroy(sim);
}

// ---- forks

enum { SIGHT_TICKS = 1800, SIGHT_ITEMS = 64 };

// What a tick left of each bot and each item.
typedef struct sight_record {
    uint64_t bots[RAVEN_BOTS_MAX];
    uint64_t due[SIGHT_ITEMS];
} sight_record;

static void sight_take(const ploy_sim *sim, sight_record *out) {
    const raven_match *match = ploy_sim_state(sim);
    for (int32_t i = 0; i < match->bot_count; i++) {
        const raven_bot *bot = &match->bots[i];
        ploy_hasher hasher;
        ploy_hasher_init(&hasher, 0);
        ploy_hasher_add(&hasher, &bot->body, sizeof bot->body);
        ploy_hasher_add(&hasher, &bot->health, sizeof bot->health);
        ploy_hasher_add(&hasher, &bot->target.current, sizeof bot->target.current);
        ploy_hasher_add(&hasher, &bot->weapon, sizeof bot->weapon);
        out->bots[i] = ploy_hasher_result(&hasher);
    }
    for (int32_t i = 0; i < match->map->item_count && i < SIGHT_ITEMS; i++) {
        out->due[i] = match->map->items[i].due;
    }
}

TEST(a_fork_of_raven_first_differs_where_its_parameter_acts) {
    static const struct {
        const char *path;
        ploy_value value;
        int32_t side; // whose bots differ first; -1: items, not bots
    } rows[] = {{"red.tactics", {PLOY_VALUE_I64, {.i64 = RAVEN_TACTICS_TEAM}}, 0},
                {"blue.personality", {PLOY_VALUE_I64, {.i64 = RAVEN_PERSONALITY_AGGRESSIVE}}, 1},
                {"blue.skill", {PLOY_VALUE_I64, {.i64 = RAVEN_SKILL_NOVICE}}, 1},
                {"health_respawn", {PLOY_VALUE_F32, {.f32 = 4.0f}}, -1},
                {"weapon_respawn", {PLOY_VALUE_F32, {.f32 = 4.0f}}, -1}};
    static const char *const settings[] = {"sides=2", NULL};
    static sight_record before[SIGHT_TICKS], now;
    ploy_env env = ploy_env_default();
    ploy_sim *sim = lab_start(t, "raven", settings, &env);
    lab_run(t, sim, 300);
    ploy_snapshot *snapshot = NULL;
    CHECK_OK(ploy_sim_snapshot(sim, &snapshot));
    for (int32_t i = 0; i < SIGHT_TICKS; i++) {
        lab_run(t, sim, 1);
        sight_take(sim, &before[i]);
    }
    for (size_t r = 0; r < COUNT_OF(rows); r++) {
        t->row = rows[r].path;
        CHECK_OK(ploy_sim_restore(sim, snapshot));
        bool differs = false;
        for (int32_t i = 0; i < SIGHT_TICKS && !differs; i++) {
            if (i == 0) {
                lab_set(t, sim, rows[r].path, rows[r].value);
            } else {
                lab_run(t, sim, 1);
            }
            memset(&now, 0, sizeof now);
            sight_take(sim, &now);
            for (int32_t k = 0; k < 8; k++) {
                if (now.bots[k] == before[i].bots[k]) continue;
                differs = true;
                CHECK_INT(k % 2, rows[r].side);
            }
            bool items = memcmp(now.due, before[i].due, sizeof now.due) != 0;
            if (items) CHECK_INT(rows[r].side, -1);
            differs = differs || items;
        }
        CHECK(differs);
    }
    ploy_snapshot_destroy(snapshot);
    ploy_sim_destroy(sim);
}

TEST(raven_create_survives_every_failing_allocation) {
    static char name[] = "raven";
    CHECK_FAIL_NTH(lab_create, name);
}

// ---- reasons

typedef struct sight_topics {
    int32_t shot, weapon, fires, holds, fired;
    bool choosing; // the decision about the weapon is open
    bool rules;    // and one of its files
} sight_topics;

static void sight_begin(void *user, ploy_id agent, const char *topic, const char *technique) {
    sight_topics *topics = user;
    (void)agent;
    topics->rules = topics->choosing && strcmp(technique, "fuzzy") == 0;
    topics->choosing = topics->rules || strcmp(topic, "weapon") == 0;
    topics->shot += strcmp(topic, "shot") == 0 ? 1 : 0;
    topics->weapon += strcmp(topic, "weapon") == 0 ? 1 : 0;
}
static void sight_option(void *user, const char *name, ploy_outcome outcome, double score,
                         const char *reason) {
    sight_topics *topics = user;
    (void)score;
    topics->fired += topics->rules && outcome == PLOY_OUTCOME_WON ? 1 : 0;
    if (strcmp(name, "fire") != 0) return;
    topics->fires += outcome == PLOY_OUTCOME_WON ? 1 : 0;
    topics->holds += outcome == PLOY_OUTCOME_REJECTED && reason != NULL ? 1 : 0;
}
static void sight_value(void *user, const char *name, const ploy_value *value) {
    (void)user, (void)name, (void)value;
}
static void sight_note(void *user, const char *text) {
    (void)user, (void)text;
}
static void sight_end(void *user) {
    sight_topics *topics = user;
    if (!topics->rules) topics->choosing = false;
    topics->rules = false;
}

TEST(raven_gives_its_reasons_and_they_change_nothing) {
    sight_topics topics = {0, 0, 0, 0, 0, false, false};
    ploy_trace trace = {sight_begin, sight_option, sight_value, sight_note, sight_end, &topics};
    ploy_env env = ploy_env_default();
    ploy_sim *asked = lab_start(t, "raven", NULL, &env), *plain = lab_start(t, "raven", NULL, &env);
    for (int32_t i = 0; i < 900; i++) {
        CHECK_OK(ploy_sim_step(asked, NULL, 0, &trace));
        CHECK_OK(ploy_sim_step(plain, NULL, 0, NULL));
    }
    CHECK_UINT(ploy_sim_hash(asked), ploy_sim_hash(plain));
    CHECK(topics.shot > 6000); // every living bot in every tick
    CHECK(topics.weapon > 20 && topics.fires > 20 && topics.holds > 1000);
    CHECK(topics.fired >= topics.weapon); // at least one rule of each choice
    ploy_sim_destroy(asked);
    ploy_sim_destroy(plain);
}

typedef struct sight_table {
    char text[4096];
} sight_table;

static void sight_item(void *user, const ploy_draw_item *item) {
    sight_table *table = user;
    if (item->shape != PLOY_SHAPE_TABLE) return;
    (void)snprintf(table->text, sizeof table->text, "%s", item->text);
}

// FUZ-18: the picture has the rules of the selected bot's weapon, with the degrees of those that fired.
TEST(the_rules_of_the_weapon_in_hand_are_a_table) {
    ploy_env env = ploy_env_default();
    ploy_sim *sim = lab_start(t, "raven", NULL, &env);
    const raven_match *match = ploy_sim_state(sim);
    sight_table table;
    ploy_draw draw = {sight_item, &table, 0xffffffffu};
    ploy_input select;
    memset(&select, 0, sizeof select);
    select.kind = PLOY_INPUT_COMMAND;
    select.name = "select";
    select.agent = raven_id(2);
    memset(&table, 0, sizeof table);
    lab_run(t, sim, 5);
    ploy_sim_draw(sim, &draw);
    CHECK_TEXT(table.text, ""); // of nobody
    CHECK_OK(ploy_sim_step(sim, &select, 1, NULL));
    ploy_sim_draw(sim, &draw);
    CHECK_TEXT(table.text, "ll\nblaster\nclose\tdesirable\nmedium\tundesirable\nfar\tundesirable");
    for (int32_t i = 0; i < 3600 && match->bots[2].weapon == RAVEN_BLASTER; i++) {
        lab_run(t, sim, 1);
    }
    CHECK(match->bots[2].weapon != RAVEN_BLASTER);
    ploy_sim_draw(sim, &draw);
    CHECK(strncmp(table.text, "llll\n", 5) == 0);
    CHECK(strstr(table.text, "\trounds low\trounds okay\trounds loads\nclose\t") != NULL);
    CHECK(strstr(table.text, "desirable 0.") != NULL || strstr(table.text, "desirable 1.") != NULL);
    ploy_sim_destroy(sim);
}

// ---- a person

TEST(a_person_selects_possesses_queues_and_gives_back) {
    ploy_env env = ploy_env_default();
    ploy_sim *sim = lab_start(t, "raven", NULL, &env);
    const raven_match *match = ploy_sim_state(sim);
    lab_run(t, sim, 5);
    ploy_input select;
    memset(&select, 0, sizeof select);
    select.kind = PLOY_INPUT_COMMAND;
    select.name = "select";
    select.agent = raven_id(3);
    CHECK_OK(ploy_sim_step(sim, &select, 1, NULL));
    CHECK_INT(match->selected, 3);
    CHECK(!match->bots[3].possessed);
    CHECK_OK(ploy_sim_step(sim, &select, 1, NULL)); // once more: possessed
    CHECK(match->bots[3].possessed);
    // Three moves in a row.
    lab_send_at(t, sim, "go", 6.0f, 27.0f);
    lab_send_at(t, sim, "queue", 22.0f, 26.0f);
    lab_send_at(t, sim, "queue", 22.0f, 13.0f);
    CHECK_INT(ploy_goals_count(match->bots[3].orders) >= 3, 1);
    float nearest[3] = {100.0f, 100.0f, 100.0f};
    static const ploy_vec2 places[3] = {{6.0f, 27.0f}, {22.0f, 26.0f}, {22.0f, 13.0f}};
    uint64_t reached[3] = {0, 0, 0};
    uint32_t life = match->bots[3].lives;
    for (int32_t i = 0; i < 3000 && reached[2] == 0 && match->bots[3].lives == life; i++) {
        lab_run(t, sim, 1);
        for (int32_t k = 0; k < 3; k++) {
            float distance = ploy_vec2_distance(match->bots[3].body.position, places[k]);
            if (distance < nearest[k]) nearest[k] = distance;
            if (distance < 0.3f && reached[k] == 0) reached[k] = match->tick;
        }
    }
    if (match->bots[3].lives == life) { // the others do not spare it
        CHECK(reached[0] > 0 && reached[0] < reached[1] && reached[1] < reached[2]);
    }
    // Another bot is selected: the first is given back.
    select.agent = raven_id(5);
    CHECK_OK(ploy_sim_step(sim, &select, 1, NULL));
    CHECK(!match->bots[3].possessed && match->selected == 5);
    lab_run(t, sim, 2);
    CHECK(match->bots[3].brain.entered || !raven_alive(&match->bots[3]));
    lab_command(t, sim, "take", ploy_value_none());
    CHECK(match->bots[5].possessed);
    lab_command(t, sim, "release", ploy_value_none());
    CHECK(!match->bots[5].possessed);
    ploy_sim_destroy(sim);
}

// ---- definitions

TEST(the_level_and_the_weapons_are_edited_during_play) {
    static const lab_edit map = {"map", "spawn 4 28", "spawn 4.5 28", "spawn 4 nowhere", 131};
    static const lab_edit weapons = {"weapons", "\"rate\": 3", "\"rate\": 6", "\"rate\": -3", 3};
    lab_check_edited(t, "raven", &map);
    lab_check_edited(t, "raven", &weapons);
    // A wall where bots are: they spawn again, and the match goes on.
    ploy_env env = ploy_env_default();
    ploy_sim *sim = lab_start(t, "raven", NULL, &env);
    lab_run(t, sim, 120);
    char *text = lab_definition(t, sim, "map");
    char *edited =
        lab_replace(t, text, "spawn 4 28", "wall 14 0 14 25\nwall 14 26 14 32\nspawn 4 28");
    ploy_input reload = lab_reload_input("map", edited);
    ploy_result checked = ploy_sim_check_input(sim, &reload, NULL);
    if (checked == PLOY_OK) CHECK_OK(ploy_sim_step(sim, &reload, 1, NULL));
    lab_run(t, sim, 300);
    free(text);
    free(edited);
    ploy_sim_destroy(sim);
}

TEST(parameters_change_during_play) {
    static const struct {
        const char *path;
        ploy_value value;
    } rows[] = {{"navigation", {PLOY_VALUE_I64, {.i64 = RAVEN_NAVIGATION_MESH}}},
                {"smoothing", {PLOY_VALUE_I64, {.i64 = RAVEN_SMOOTHING_OFF}}},
                {"navigation", {PLOY_VALUE_I64, {.i64 = RAVEN_NAVIGATION_COARSE}}},
                {"skill.memory", {PLOY_VALUE_F32, {.f32 = 2.0f}}},
                {"skill.vision_rate", {PLOY_VALUE_F32, {.f32 = 10.0f}}},
                {"bots", {PLOY_VALUE_I64, {.i64 = 12}}},
                {"replanning", {PLOY_VALUE_BOOL, {.b = false}}},
                {"bots", {PLOY_VALUE_I64, {.i64 = 4}}}};
    ploy_env env = ploy_env_default();
    ploy_sim *sim = lab_start(t, "raven", NULL, &env);
    lab_run(t, sim, 100);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].path;
        lab_set(t, sim, rows[i].path, rows[i].value);
        lab_run(t, sim, 200);
    }
    const raven_match *match = ploy_sim_state(sim);
    CHECK_INT(match->bot_count, 4);
    CHECK_NEAR(match->bots[0].skill.memory, 2.0, 0.0);
    ploy_sim_destroy(sim);
}
