// Whether words of tactics, skills and personalities do what they are for. The suite plays a few
// short matches; `make soak` plays those of the acceptance, whose figures are in
// docs/guide/games-raven-minds.md.
#include "tests/games/raven_arena.h"

static const double teams_sigma = 2.326; // 1 %, one-sided

static bool teams_soaks(void) {
    return test_rounds(1) > 1;
}

// matches in the soak, a few short ones otherwise.
static arena_result teams_run(test_context *t, const raven_def *def, int32_t matches) {
    return arena_run(t, def, 1, teams_soaks() ? matches : 4, teams_soaks() ? ARENA_TICKS : 3600);
}

static void teams_check_fair(test_context *t, const arena_result *r) {
    CHECK_INT(r->early_shots, 0);
    CHECK_INT(r->blind_targets, 0);
    CHECK(r->stuck < 6.0);
}

TEST(a_team_takes_most_kills_from_a_plain_side) {
    for (int32_t map = 0; map < RAVEN_LEVEL_COUNT; map++) {
        raven_def def = arena_def();
        def.map = (raven_level)map;
        if (!teams_soaks() && map != RAVEN_LEVEL_DM1 && map != RAVEN_LEVEL_CROSS) continue;
        t->row = raven_level_name(map);
        def.red.tactics = RAVEN_TACTICS_TEAM;
        arena_result r = teams_run(t, &def, map == RAVEN_LEVEL_DM1 ? 1000 : 300);
        teams_check_fair(t, &r);
        CHECK(arena_share(&r) >= (teams_soaks() ? 0.65 : 0.5));
    }
}

// With timing on both sides, because fetching would hide everything else.
TEST(a_team_is_better_where_both_sides_time) {
    for (int32_t map = 0; map < RAVEN_LEVEL_COUNT; map++) {
        raven_def def = arena_def();
        def.map = (raven_level)map;
        if (!teams_soaks() && map != RAVEN_LEVEL_DM1) continue;
        t->row = raven_level_name(map);
        def.red.tactics = RAVEN_TACTICS_TEAM;
        def.blue.tactics = RAVEN_TACTICS_TIMING;
        arena_result r = teams_run(t, &def, map == RAVEN_LEVEL_DM1 ? 1000 : 300);
        teams_check_fair(t, &r);
        CHECK(arena_share(&r) > 0.4); // of few matches
        if (!teams_soaks()) continue;
        printf("team against timing on %s: %.1f %%\n", t->row, 100.0 * arena_share(&r));
        if (map == RAVEN_LEVEL_DOORS) { // reports lead around closed doors: no more than even yet
            CHECK(arena_above(&r) > -teams_sigma);
            continue;
        }
        CHECK(arena_share(&r) >= 0.54);
        CHECK(arena_lead(&r) > teams_sigma);
    }
}

TEST(no_word_of_the_team_hurts) {
    raven_side_def team;
    ploy_fields_default(raven_side_fields(), &team);
    team.tactics = RAVEN_TACTICS_TEAM;
    for (int32_t word = RAVEN_TACTICS_FOCUS; word < RAVEN_TACTICS_TEAM; word++) {
        raven_def def = arena_def();
        def.red.tactics = (raven_tactics)word;
        t->row = raven_word_name(raven_side_words(&def.red));
        arena_result r = teams_run(t, &def, 300);
        teams_check_fair(t, &r);
        if (!teams_soaks()) continue;
        printf("%s alone: %.1f %%\n", t->row, 100.0 * arena_share(&r));
        bool chosen = (raven_side_words(&team) & raven_side_words(&def.red)) != 0;
        if (chosen) CHECK(arena_above(&r) > -teams_sigma);
    }
}

TEST(each_skill_beats_the_one_below) {
    for (int32_t level = RAVEN_SKILL_EASY; level < RAVEN_SKILL_COUNT; level++) {
        raven_def def = arena_def();
        def.red.skill = (raven_skill_level)level;
        def.blue.skill = (raven_skill_level)(level - 1);
        if (!teams_soaks()) def.blue.skill = RAVEN_SKILL_NOVICE;
        if (!teams_soaks() && level < RAVEN_SKILL_EXPERT) continue;
        arena_result r = teams_run(t, &def, 200);
        teams_check_fair(t, &r);
        CHECK(arena_share(&r) > 0.5);
        if (teams_soaks()) CHECK(arena_lead(&r) > teams_sigma);
    }
}

TEST(the_aggressive_attack_longer_than_the_cautious) {
    raven_def def = arena_def();
    def.red.personality = RAVEN_PERSONALITY_AGGRESSIVE;
    def.blue.personality = RAVEN_PERSONALITY_CAUTIOUS;
    arena_result r = teams_run(t, &def, 200);
    teams_check_fair(t, &r);
    CHECK(r.seconds[0][RAVEN_STRATEGY_ATTACK] >= 1.3 * r.seconds[1][RAVEN_STRATEGY_ATTACK]);
    CHECK(r.seconds[1][RAVEN_STRATEGY_HEALTH] > r.seconds[0][RAVEN_STRATEGY_HEALTH]);
}

TEST(bots_kill_neither_too_often_nor_too_seldom) {
    raven_def def = arena_def();
    arena_result r = teams_run(t, &def, 400);
    teams_check_fair(t, &r);
    double rate = (double)(r.kills[0] + r.kills[1]) / r.bot_minutes;
    CHECK(rate >= 0.4 && rate <= 2.0);
}
