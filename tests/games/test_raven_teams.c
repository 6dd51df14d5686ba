// Whether words of tactics, skills and personalities do what they are for. The suite plays a few
// short matches; `make soak` plays those of the acceptance, whose figures are in
// docs/guide/games-raven-minds.md.
#include "tests/games/raven_arena.h"

static const double teams_sigma = 2.326; // 1 %, one-sided

// matches in the soak, a few short ones otherwise; on the large level, where eight bots seldom meet,
// whole ones.
static arena_result teams_run(test_context *t, const raven_def *def, int32_t matches) {
    int32_t ticks = def->map == RAVEN_LEVEL_LARGE ? ARENA_TICKS : 3600;
    if (!arena_soaks()) return arena_run(t, def, 1, 4, ticks);
    return arena_run(t, def, arena_first(), matches, ARENA_TICKS);
}

static void teams_check_fair(test_context *t, const arena_result *r) {
    CHECK_INT(r->early_shots, 0);
    CHECK_INT(r->blind_targets, 0);
    CHECK(r->stuck < 6.0);
}

static void teams_print(const char *what, const arena_result *r) {
    if (!arena_soaks()) return;
    printf("%s: %.1f %% of the kills, %d to %d of %d matches, stuck for %.1f s\n", what,
           100.0 * arena_share(r), (int)r->wins, (int)r->losses, (int)r->matches, r->stuck);
}

static arena_result teams_on(test_context *t, raven_level map, raven_tactics other) {
    raven_def def = arena_def();
    def.map = map;
    t->row = raven_level_name((int32_t)map);
    def.red.tactics = RAVEN_TACTICS_TEAM;
    def.blue.tactics = other;
    arena_result r = teams_run(t, &def, map == RAVEN_LEVEL_DM1 ? 1000 : 300);
    teams_print(t->row, &r);
    teams_check_fair(t, &r);
    return r;
}

static void teams_against_plain(test_context *t, raven_level map) {
    arena_result r = teams_on(t, map, RAVEN_TACTICS_PLAIN);
    CHECK(arena_share(&r) >= (arena_soaks() ? 0.65 : 0.5));
}

TEST(a_team_takes_most_kills_from_a_plain_side_on_dm1) {
    teams_against_plain(t, RAVEN_LEVEL_DM1);
}
TEST(a_team_takes_most_kills_from_a_plain_side_on_doors) {
    teams_against_plain(t, RAVEN_LEVEL_DOORS);
}
TEST(a_team_takes_most_kills_from_a_plain_side_on_large) {
    teams_against_plain(t, RAVEN_LEVEL_LARGE);
}
TEST(a_team_takes_most_kills_from_a_plain_side_on_cross) {
    teams_against_plain(t, RAVEN_LEVEL_CROSS);
}

// With timing on both sides, because fetching would hide everything else.
static void teams_against_timing(test_context *t, raven_level map) {
    arena_result r = teams_on(t, map, RAVEN_TACTICS_TIMING);
    CHECK(arena_share(&r) > 0.4); // of few matches
    if (!arena_soaks()) return;
    CHECK(arena_lead(&r) > teams_sigma);
    CHECK(arena_share(&r) >= 0.54);
}

TEST(a_team_is_better_where_both_sides_time_on_dm1) {
    teams_against_timing(t, RAVEN_LEVEL_DM1);
}
TEST(a_team_is_better_where_both_sides_time_on_doors) {
    teams_against_timing(t, RAVEN_LEVEL_DOORS);
}
TEST(a_team_is_better_where_both_sides_time_on_large) {
    teams_against_timing(t, RAVEN_LEVEL_LARGE);
}
TEST(a_team_is_better_where_both_sides_time_on_cross) {
    teams_against_timing(t, RAVEN_LEVEL_CROSS);
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
        if (arena_soaks()) printf("%s alone: %.1f %%\n", t->row, 100.0 * arena_share(&r));
        teams_check_fair(t, &r);
        if (!arena_soaks()) continue;
        bool chosen = (raven_side_words(&team) & raven_side_words(&def.red)) != 0;
        if (chosen) CHECK(arena_above(&r) > -teams_sigma);
    }
}

TEST(each_skill_beats_the_one_below) {
    for (int32_t level = RAVEN_SKILL_EASY; level < RAVEN_SKILL_COUNT; level++) {
        raven_def def = arena_def();
        def.red.skill = (raven_skill_level)level;
        def.blue.skill = (raven_skill_level)(level - 1);
        if (!arena_soaks()) def.blue.skill = RAVEN_SKILL_NOVICE;
        if (!arena_soaks() && level < RAVEN_SKILL_EXPERT) continue;
        arena_result r = teams_run(t, &def, 200);
        teams_print("a level of skill above another", &r);
        teams_check_fair(t, &r);
        CHECK(arena_share(&r) > 0.5);
        if (arena_soaks()) CHECK(arena_lead(&r) > teams_sigma);
    }
}

TEST(the_aggressive_attack_longer_than_the_cautious) {
    raven_def def = arena_def();
    def.red.personality = RAVEN_PERSONALITY_AGGRESSIVE;
    def.blue.personality = RAVEN_PERSONALITY_CAUTIOUS;
    arena_result r = teams_run(t, &def, 200);
    teams_print("aggressive against cautious", &r);
    teams_check_fair(t, &r);
    if (arena_soaks()) {
        printf("seconds of attack: %.0f and %.0f\n", r.seconds[0][RAVEN_STRATEGY_ATTACK],
               r.seconds[1][RAVEN_STRATEGY_ATTACK]);
    }
    CHECK(r.seconds[0][RAVEN_STRATEGY_ATTACK] >= 1.3 * r.seconds[1][RAVEN_STRATEGY_ATTACK]);
    CHECK(r.seconds[1][RAVEN_STRATEGY_HEALTH] > r.seconds[0][RAVEN_STRATEGY_HEALTH]);
}
