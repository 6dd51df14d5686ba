// What whole matches of equal bots come to. The suite plays a few short matches; `make soak` plays
// those of the acceptance, whose figures are in docs/guide/games-raven-minds.md. Each entry also runs
// alone: PLOY_SOAK=20 build/ci/tests/ploy_test_games equal_bots (PLOY_SOAK_FIRST: other seeds).
#include "tests/games/raven_arena.h"
#include "tests/games/raven_test.h"

static arena_result matches_run(test_context *t, const raven_def *def, int32_t few,
                                int32_t matches) {
    arena_result r = arena_soaks() ? arena_run(t, def, arena_first(), matches, ARENA_TICKS)
                                   : arena_run(t, def, 1, few, 3600);
    CHECK_INT(r.early_shots, 0);
    CHECK_INT(r.blind_targets, 0);
    return r;
}

TEST(equal_bots_kill_at_a_fair_rate_from_every_place_in_the_list) {
    raven_def def = arena_def();
    def.sides = 1;
    arena_result r = matches_run(t, &def, 12, 400);
    CHECK(r.stuck < 6.0);
    int64_t all = 0;
    double chi = 0.0;
    for (int32_t i = 0; i < def.bots; i++) all += r.place_kills[i];
    double expected = (double)all / (double)def.bots;
    for (int32_t i = 0; i < def.bots; i++) {
        double off = (double)r.place_kills[i] - expected;
        chi += off * off / expected;
    }
    double rate = (double)all / r.bot_minutes;
    printf("%d kills, %.2f a bot-minute, chi-squared %.1f (18.5 is 1 %%), stuck for %.1f s\n",
           (int)all, rate, chi, r.stuck);
    CHECK(expected > 5.0);
    CHECK(chi < 18.48); // 7 degrees of freedom, 1 %
    CHECK(rate >= 0.4 && rate <= 2.0);
}

TEST(no_bot_is_stuck_on_any_level) {
    for (int32_t map = 0; map < RAVEN_LEVEL_COUNT; map++) {
        raven_def def = arena_def();
        def.map = (raven_level)map;
        def.sides = 1;
        t->row = raven_level_name(map);
        arena_result r = matches_run(t, &def, 2, 100);
        CHECK(r.stuck < 6.0);
        printf("%s: stuck for %.1f s\n", t->row, r.stuck);
    }
}

TEST(goals_to_pass_a_door_are_completed) {
    raven_def def = arena_def();
    def.map = RAVEN_LEVEL_DOORS;
    def.sides = 1;
    arena_result r = matches_run(t, &def, 2, 100);
    // Every goal that was begun counts, unless its bot was killed.
    double begun = (double)(r.doors_passed + r.doors_failed + r.doors_left);
    printf("doors: %d passed, %d given up, %d dropped, %d killed\n", (int)r.doors_passed,
           (int)r.doors_failed, (int)r.doors_left, (int)r.doors_died);
    CHECK(r.doors_passed > 20);
    CHECK((double)r.doors_passed >= 0.99 * begun);
}

TEST(one_unit_a_tick_keeps_bots_moving) {
    raven_def def = arena_def();
    def.sides = 1;
    def.search_units = 1;
    arena_result r = matches_run(t, &def, 2, 50);
    printf(
        "one unit: %d items, at most %d ticks at rest while a path is searched, stuck for %.1f s\n",
        (int)r.items, (int)r.longest_wait, r.stuck);
    CHECK(r.stuck < 6.0);
    CHECK_INT(r.worst_units, 1);
    CHECK(r.longest_wait <= 2);
    CHECK((double)r.items / r.bot_minutes > 0.5); // those that set out arrive
}

TEST(level_of_detail_saves_two_fifths_of_the_large_level) {
    int64_t units[2];
    for (int32_t i = 0; i < 2; i++) {
        raven_def def = arena_def();
        def.map = RAVEN_LEVEL_LARGE;
        def.bots = 64;
        def.sides = 1;
        def.lod = i > 0;
        arena_result r = arena_run(t, &def, arena_first(), arena_soaks() ? 4 : 1,
                                   arena_soaks() ? ARENA_TICKS : 1200);
        units[i] = r.units;
        CHECK_INT(r.early_shots, 0);
        CHECK_INT(r.blind_targets, 0);
        CHECK(r.stuck < 6.0);
    }
    printf("units: %lld, with a level of detail %lld\n", (long long)units[0], (long long)units[1]);
    CHECK((double)units[1] <= 0.6 * (double)units[0]);
}

// A level that no setting was made for: narrow corridors, pillars, a dead end and a door.
static const char matches_new_level[] =
    "wall 0 0 30 0\nwall 30 0 30 24\nwall 30 24 0 24\nwall 0 24 0 0\n"
    "wall 10 0 10 7\nwall 10 9 10 24\nwall 20 0 20 15\nwall 20 17 20 24\n"
    "wall 3 6 7 6\nwall 3 6 3 12\nwall 7 6 7 12\n"
    "wall 13 4 14 4\nwall 14 4 14 5\nwall 14 5 13 5\nwall 13 5 13 4\n"
    "wall 16 9 17 9\nwall 17 9 17 10\nwall 17 10 16 10\nwall 16 10 16 9\n"
    "wall 13 14 14 14\nwall 14 14 14 15\nwall 14 15 13 15\nwall 13 15 13 14\n"
    "wall 20 12 24 12\nwall 26 12 30 12\n"
    "door east 24 12 26 12 button 22 11 button 22 13\n"
    "spawn 2 2\nspawn 2 22\nspawn 8 2\nspawn 8 22\nspawn 12 2\nspawn 18 22\nspawn 22 2\nspawn 28 "
    "2\n"
    "spawn 22 22\nspawn 28 22\nspawn 15 12\nspawn 5 9\n"
    "item health 5 8 50\nitem health 28 14 50\nitem shotgun 15 2\nitem railgun 2 12\n"
    "item rocket 28 4\nitem health 15 20 50\n";

TEST(no_bot_is_stuck_on_a_new_level) {
    int32_t matches = arena_soaks() ? 100 : 2, ticks = arena_soaks() ? ARENA_TICKS : 3600;
    uint64_t longest = 0;
    int64_t kills = 0, passed = 0, begun = 0;
    for (int32_t i = 0; i < matches; i++) {
        raven_scene scene;
        TEST_SEED(arena_first() + (uint64_t)i);
        raven_scene_begin(t, &scene, arena_first() + (uint64_t)i, NULL, matches_new_level);
        raven_scene_run(t, &scene, ticks);
        CHECK_INT(scene.match->map->door_count, 1);
        passed += scene.match->doors_passed;
        begun += scene.match->doors_passed + scene.match->doors_failed + scene.match->doors_left;
        for (int32_t k = 0; k < scene.match->bot_count; k++) {
            const raven_bot *bot = &scene.match->bots[k];
            kills += bot->kills;
            if (bot->longest_stuck > longest) longest = bot->longest_stuck;
        }
        raven_scene_end(&scene);
    }
    printf("a new level: %d kills, stuck for %.1f s\n", (int)kills, (double)longest / 60.0);
    CHECK(kills > 0);
    CHECK(longest < 360);
    CHECK(passed > 0 && (double)passed >= 0.99 * (double)begun);
}
