// Whole matches of Raven, with everything that must hold checked in every tick.
#include "tests/games/raven_test.h"

typedef struct match_row {
    const char *row;
    int32_t map, bots, sides, brain;
} match_row;

static match_row match_now;
static void match_change(raven_def *def) {
    def->map = (raven_level)match_now.map;
    def->bots = match_now.bots;
    def->sides = match_now.sides;
    def->friendly_fire = match_now.sides == 3;
    def->navigation = (raven_navigation)(match_now.bots % 4);
    def->smoothing = (raven_smoothing)(match_now.bots % 3);
}

TEST(matches_keep_to_the_rules) {
    static const match_row rows[] = {
        {"everyone against everyone", RAVEN_LEVEL_DM1, 8, 1, 0},
        {"two of them", RAVEN_LEVEL_CROSS, 2, 1, 0},
        {"two teams", RAVEN_LEVEL_DM1, 9, 2, 0},
        {"three teams that hurt their own", RAVEN_LEVEL_CROSS, 10, 3, 0},
        {"doors", RAVEN_LEVEL_DOORS, 7, 1, 0},
        {"four teams on the large level", RAVEN_LEVEL_LARGE, 17, 4, 0},
    };
    int64_t rounds = test_rounds(20);
    int64_t kills = 0, minutes = 0;
    for (int64_t seed = 1; seed <= rounds; seed++) {
        TEST_SEED(seed);
        match_now = rows[(size_t)(seed - 1) % COUNT_OF(rows)];
        t->row = match_now.row;
        raven_scene scene;
        raven_watch watch;
        memset(&watch, 0, sizeof watch);
        raven_scene_begin(t, &scene, (uint64_t)seed, match_change, NULL);
        int32_t ticks = rounds > 20 ? 10800 : 1200;
        for (int32_t i = 0; i < ticks; i++) {
            raven_scene_run(t, &scene, 1);
            raven_scene_check(t, scene.match, &watch);
        }
        int64_t sides = 0, own = 0;
        for (int32_t i = 0; i < scene.match->bot_count; i++) {
            const raven_bot *bot = &scene.match->bots[i];
            kills += bot->kills;
            own += bot->kills;
            if (match_now.sides != 3) CHECK_INT(bot->team_kills, 0);
        }
        for (int32_t i = 0; i < RAVEN_SIDES_MAX; i++) sides += scene.match->side_kills[i];
        if (match_now.sides > 1) CHECK_INT(sides, own);
        minutes += (int64_t)match_now.bots * ticks;
        raven_scene_end(&scene);
    }
    printf("%.2f kills a bot-minute\n", (double)kills * 3600.0 / (double)minutes);
    CHECK(kills > 0);
}

static void match_limits(raven_def *def) {
    def->kill_limit = 3;
    def->time_limit = 400.0f;
}

TEST(a_match_ends_at_its_limits) {
    raven_scene scene;
    raven_scene_begin(t, &scene, 3, match_limits, NULL);
    int64_t most = 0;
    for (int32_t i = 0; i < 12000 && !scene.match->over; i++) raven_scene_run(t, &scene, 1);
    CHECK(scene.match->over);
    for (int32_t i = 0; i < 8; i++) {
        if (scene.match->bots[i].kills > most) most = scene.match->bots[i].kills;
    }
    CHECK_INT(most, 3);
    ploy_vec2 at = scene.match->bots[0].body.position;
    raven_scene_run(t, &scene, 60);
    CHECK(ploy_vec2_equal(at, scene.match->bots[0].body.position)); // over is over
    scene.def.kill_limit = 0;
    raven_scene_run(t, &scene, 2);
    CHECK(!scene.match->over);
    raven_scene_end(&scene);
}

TEST(bots_come_and_go) {
    raven_scene scene;
    raven_watch watch;
    memset(&watch, 0, sizeof watch);
    raven_scene_begin(t, &scene, 5, NULL, NULL);
    raven_scene_run(t, &scene, 300);
    raven_scene_command(t, &scene, "add", RAVEN_NOBODY, ploy_value_none());
    CHECK_INT(scene.match->bot_count, 9);
    for (int32_t i = 0; i < 3; i++) {
        raven_scene_command(t, &scene, "remove", RAVEN_NOBODY, ploy_value_none());
    }
    CHECK_INT(scene.match->bot_count, 6);
    for (int32_t i = 0; i < 300; i++) {
        raven_scene_run(t, &scene, 1);
        raven_scene_check(t, scene.match, &watch);
    }
    scene.def.bots = 12;
    raven_scene_run(t, &scene, 120);
    CHECK_INT(scene.match->bot_count, 12);
    int32_t alive = 0;
    for (int32_t i = 0; i < 12; i++) alive += raven_alive(&scene.match->bots[i]) ? 1 : 0;
    CHECK(alive >= 10);
    raven_scene_end(&scene);
}

static void match_crowded(raven_def *def) {
    def->bots = 8;
    def->still = true;
    def->skill.vision_rate = -1.0f;
}

// Four spawn points for eight: the others wait until one is free.
TEST(bots_wait_for_a_free_spawn_point) {
    raven_scene scene;
    raven_scene_begin(t, &scene, 5, match_crowded, NULL);
    raven_scene_end(&scene);
    raven_scene_begin(t, &scene, 5, match_crowded, raven_hall);
    // Those that were on the old level where the hall has floor stay, and all others spawn.
    for (int32_t i = 0; i < 8; i++) scene.match->bots[i].status = RAVEN_SPAWNING;
    raven_scene_run(t, &scene, 60);
    int32_t alive = 0;
    for (int32_t i = 0; i < 8; i++) alive += raven_alive(&scene.match->bots[i]) ? 1 : 0;
    CHECK_INT(alive, 4);
    for (int32_t i = 0; i < 8; i++) {
        if (!raven_alive(&scene.match->bots[i])) continue;
        raven_damage(scene.match, &scene.match->bots[i], RAVEN_NOBODY, 1000.0f);
        CHECK_INT(scene.match->bots[i].suicides, 1);
        break;
    }
    raven_scene_run(t, &scene, 2);
    alive = 0;
    for (int32_t i = 0; i < 8; i++) alive += raven_alive(&scene.match->bots[i]) ? 1 : 0;
    CHECK_INT(alive, 4);
    CHECK_INT(scene.match->grave_count, 1);
    raven_scene_run(t, &scene, 300);
    CHECK_INT(scene.match->grave_count, 0); // after 5 s
    raven_scene_end(&scene);
}
