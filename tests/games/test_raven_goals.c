// The minds of Raven's bots in a real match: scenarios of the goal layer (S1 to S20; those about the
// goals alone are in tests/decide/test_goals.c, test_goal_moves.c, test_goal_fight.c and
// test_arbiter.c), evaluators, personalities, skills and reloading.
#include "ploy/base/math.h"
#include "tests/games/raven_arena.h"

typedef struct scene {
    ploy_sim *sim;
    raven_match *match; // of the sim: tests may place bots
} scene;

static void scene_begin(test_context *t, scene *s, const raven_def *def, uint64_t seed,
                        const ploy_env *env) {
    ploy_sim_def run = ploy_sim_def_default();
    run.seed = seed;
    CHECK_OK(ploy_sim_create(&run, ploy_sim_type_find(ploy_games(), "raven", NULL), def, NULL, env,
                             &s->sim));
    s->match = (raven_match *)ploy_sim_state(s->sim);
}

static void scene_step(test_context *t, scene *s, int32_t ticks) {
    for (int32_t i = 0; i < ticks; i++) CHECK_OK(ploy_sim_step(s->sim, NULL, 0, NULL));
}

static void scene_command(test_context *t, scene *s, const char *name, int32_t bot, float x,
                          float y) {
    ploy_input input;
    memset(&input, 0, sizeof input);
    input.kind = PLOY_INPUT_COMMAND;
    input.name = name;
    input.agent = raven_id(bot);
    if (strcmp(name, "go") == 0 || strcmp(name, "queue") == 0) {
        input.value.type = PLOY_VALUE_VEC2;
        input.value.as.vec[0] = x;
        input.value.as.vec[1] = y;
    }
    CHECK_OK(ploy_sim_step(s->sim, &input, 1, NULL));
}

static ploy_goals *scene_goals(const scene *s, int32_t bot) {
    const raven_thinker *thinker = raven_thinker_of(&s->match->bots[bot]);
    return thinker != NULL ? ploy_arbiter_goals(thinker->arbiter) : NULL;
}

// The name of the goal so many levels below the root, along the front chain.
static const char *front_name(const ploy_goals *goals, int32_t depth) {
    ploy_goal goal = ploy_goals_root(goals);
    for (int32_t i = 0; i < depth; i++) goal = ploy_goals_first(goals, goal);
    const ploy_goal_type *type = ploy_goals_type_of(goals, goal);
    return type != NULL ? type->name : "";
}

static bool front_has(const ploy_goals *goals, const char *name) {
    for (int32_t i = 1; i < 12; i++) {
        if (strcmp(front_name(goals, i), name) == 0) return true;
    }
    return false;
}

// Two bots, and nothing that they could fetch instead of fighting.
static raven_def duel_def(void) {
    raven_def def = arena_def();
    def.sides = 1;
    def.bots = 2;
    def.map = RAVEN_LEVEL_DM1;
    return def;
}

static void scene_place(scene *s, int32_t bot, float x, float y, float facing) {
    raven_bot *b = &s->match->bots[bot];
    b->body.position = ploy_vec2_make(x, y);
    b->body.velocity = ploy_vec2_zero();
    b->body.orientation = facing;
    b->finger.facing_angle = facing;
}

static void scene_arm(raven_bot *bot) {
    for (int32_t i = RAVEN_SHOTGUN; i <= RAVEN_ROCKET; i++) {
        bot->arms[i].held = true;
        bot->arms[i].rounds = 50;
    }
}

// A free place with a free line of that length to the east; the test's maps all have one.
static ploy_vec2 scene_line(test_context *t, const scene *s, float length, float room) {
    const raven_map *map = s->match->map;
    for (float y = map->box.min.y + 1.0f; y < map->box.max.y; y += 0.5f) {
        for (float x = map->box.min.x + 1.0f; x + length < map->box.max.x; x += 0.5f) {
            ploy_vec2 a = ploy_vec2_make(x, y), b = ploy_vec2_make(x + length, y);
            if (raven_walks(s->match, a, b, room)) return a;
        }
    }
    CHECK(false);
    return ploy_vec2_zero();
}

// S4, S6 and S7 in a match: it dodges while it sees its target, hunts when the target is gone, and
// chooses again when the target has died.
TEST(a_bot_dodges_hunts_and_chooses_again) {
    ploy_env env = ploy_env_default();
    scene s;
    raven_def def = duel_def();
    scene_begin(t, &s, &def, 5, &env);
    scene_step(t, &s, 2);
    ploy_vec2 at = scene_line(t, &s, 6.0f, 2.0f);
    scene_place(&s, 0, at.x, at.y, 0.0f);
    scene_place(&s, 1, at.x + 6.0f, at.y, 0.0f); // looks away
    scene_arm(&s.match->bots[0]);
    bool dodged = false;
    for (int32_t i = 0; i < 120 && !dodged; i++) {
        s.match->bots[1].health = 100.0f;
        s.match->bots[0].health = 100.0f;
        scene_step(t, &s, 1);
        dodged = front_has(scene_goals(&s, 0), "dodge side to side");
    }
    CHECK(dodged);
    CHECK_TEXT(front_name(scene_goals(&s, 0), 1), "attack");
    CHECK_INT(raven_thinker_of(&s.match->bots[0])->strategy, RAVEN_STRATEGY_ATTACK);
    // The target is suddenly elsewhere: it hunts.
    bool hunted = false;
    const raven_map *map = s.match->map;
    for (int32_t i = 0; i < map->spawn_count && !hunted; i++) {
        if (raven_sees(s.match, s.match->bots[0].body.position, map->spawns[i])) continue;
        for (int32_t k = 0; k < 90 && !hunted; k++) {
            scene_place(&s, 1, map->spawns[i].x, map->spawns[i].y, 0.0f);
            s.match->bots[0].health = 100.0f;
            scene_step(t, &s, 1);
            hunted = front_has(scene_goals(&s, 0), "hunt");
        }
    }
    CHECK(hunted);
    // It dies: no target, no attack.
    raven_damage(s.match, &s.match->bots[1], RAVEN_NOBODY, 1000.0f);
    scene_step(t, &s, 3);
    CHECK(strcmp(front_name(scene_goals(&s, 0), 1), "attack") != 0);
    ploy_sim_destroy(s.sim);
}

// GOA-15 and GOA-19: a hurt bot without rounds fetches health, and is healed by it.
TEST(a_hurt_bot_fetches_health) {
    ploy_env env = ploy_env_default();
    scene s;
    raven_def def = duel_def();
    def.bots = 1;
    scene_begin(t, &s, &def, 3, &env);
    scene_step(t, &s, 2);
    s.match->bots[0].health = 20.0f;
    bool fetched = false;
    for (int32_t i = 0; i < 60; i++) {
        scene_step(t, &s, 1);
        fetched = fetched || raven_thinker_of(&s.match->bots[0])->strategy == RAVEN_STRATEGY_HEALTH;
    }
    CHECK(fetched);
    CHECK_TEXT(front_name(scene_goals(&s, 0), 1), "get item");
    for (int32_t i = 0; i < 1800 && s.match->bots[0].health < 30.0f; i++) scene_step(t, &s, 1);
    CHECK(s.match->bots[0].health >= 30.0f);
    ploy_sim_destroy(s.sim);
}

// S13 to S15 and RAV-02: a possessed bot's orders are a queue; one without "queue" replaces all.
TEST(a_possessed_bot_carries_out_orders_in_a_row) {
    ploy_env env = ploy_env_default();
    scene s;
    raven_def def = duel_def();
    def.bots = 1;
    scene_begin(t, &s, &def, 3, &env);
    scene_step(t, &s, 2);
    raven_bot *bot = &s.match->bots[0];
    scene_command(t, &s, "take", 0, 0, 0);
    CHECK(bot->possessed);
    const ploy_vec2 *spawns = s.match->map->spawns;
    int32_t stops[] = {0, 1, 2};
    for (int32_t i = 0; i < 3; i++) {
        scene_command(t, &s, i == 0 ? "go" : "queue", 0, spawns[stops[i]].x, spawns[stops[i]].y);
    }
    int32_t reached = 0;
    for (int32_t i = 0; i < 7200 && reached < 3; i++) {
        scene_step(t, &s, 1);
        float left = ploy_vec2_distance(bot->body.position, spawns[stops[reached]]);
        reached += left < 1.0f;
    }
    CHECK_INT(reached, 3); // in this order
    scene_step(t, &s, 30);
    CHECK_INT(ploy_goals_count(bot->orders), 0);
    scene_command(t, &s, "go", 0, spawns[0].x, spawns[0].y);
    scene_command(t, &s, "queue", 0, spawns[1].x, spawns[1].y);
    scene_step(t, &s, 10);
    scene_command(t, &s, "go", 0, spawns[2].x, spawns[2].y); // S15
    ploy_goal root = ploy_goals_root(bot->orders), first = ploy_goals_first(bot->orders, root);
    CHECK_TEXT(ploy_goals_type_of(bot->orders, first)->name, "move to");
    for (int32_t i = 0; i < 3600 && ploy_goals_count(bot->orders) > 0; i++) scene_step(t, &s, 1);
    CHECK(ploy_vec2_distance(bot->body.position, spawns[2]) < 1.0f);
    scene_command(t, &s, "release", 0, 0, 0);
    scene_step(t, &s, 60);
    CHECK(!bot->possessed && raven_thinker_of(bot)->strategy >= 0);
    ploy_sim_destroy(s.sim);
}

// S1 and S3: it seeks while its path is searched, then follows it; held fast it plans again.
TEST(an_explorer_seeks_follows_and_plans_again) {
    ploy_env env = ploy_env_default();
    scene s;
    raven_def def = duel_def();
    def.bots = 1;
    def.search_units = 1;
    scene_begin(t, &s, &def, 11, &env);
    bool seeks = false, follows = false, traverses = false, again = false;
    for (int32_t i = 0; i < 600 && !traverses; i++) {
        scene_step(t, &s, 1);
        const ploy_goals *goals = scene_goals(&s, 0);
        seeks = seeks || (!follows && front_has(goals, "seek"));
        follows = follows || front_has(goals, "follow path");
        traverses = traverses || front_has(goals, "traverse edge");
    }
    CHECK(seeks && follows && traverses);
    ploy_vec2 held = s.match->bots[0].body.position;
    for (int32_t i = 0; i < 900 && !again; i++) {
        scene_place(&s, 0, held.x, held.y, 0.0f);
        scene_step(t, &s, 1);
        again = !front_has(scene_goals(&s, 0), "follow path"); // a new request
    }
    CHECK(again);
    ploy_sim_destroy(s.sim);
}

// S17: a match that ends in mid-plan leaves nothing behind.
TEST(a_match_that_ends_in_mid_plan_leaves_nothing) {
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    scene s;
    raven_def def = arena_def();
    scene_begin(t, &s, &def, 2, &env);
    scene_step(t, &s, 400);
    ploy_sim_destroy(s.sim);
    CHECK_INT(counts.bytes, 0);
}

static void scene_reload(test_context *t, scene *s, const char *name, const char *text,
                         ploy_result want) {
    ploy_input input;
    memset(&input, 0, sizeof input);
    input.kind = PLOY_INPUT_RELOAD;
    input.name = name;
    input.bytes = text;
    input.size = strlen(text);
    CHECK_INT(ploy_sim_step(s->sim, &input, 1, NULL), want);
}

static ploy_goal scene_first(const scene *s, int32_t bot) {
    const ploy_goals *goals = scene_goals(s, bot);
    return ploy_goals_first(goals, ploy_goals_root(goals));
}

// GOA-25: an edited personality counts from the next arbitration on and restarts nothing. The twin is
// the same match without the edit: up to a bot's arbitration its goal is the twin's, and after it too
// if the same strategy won.
TEST(an_edited_personality_counts_at_the_next_arbitration) {
    ploy_env env = ploy_env_default();
    scene s, twin;
    raven_def def = arena_def();
    bool read[8] = {false};
    int32_t kept = 0, late = 0;
    scene_begin(t, &s, &def, 9, &env);
    scene_begin(t, &twin, &def, 9, &env);
    scene_step(t, &s, 200);
    scene_step(t, &twin, 200);
    for (int32_t i = 0; i < 8; i++) {
        CHECK_NEAR(raven_thinker_of(&s.match->bots[i])->traits.explore, 0.05, 1e-6);
    }
    uint64_t edited = s.match->tick;
    for (int32_t tick = 0; tick < 40; tick++) { // half a second and a little
        if (tick == 0) {
            scene_reload(t, &s, "balanced", "{\"traits\": {\"explore\": 0.07}}", PLOY_OK);
        } else {
            scene_step(t, &s, 1);
        }
        scene_step(t, &twin, 1);
        for (int32_t i = 0; i < 8; i++) {
            if (read[i] || !raven_alive(&s.match->bots[i])) continue;
            const raven_thinker *own = raven_thinker_of(&s.match->bots[i]);
            const raven_thinker *other = raven_thinker_of(&twin.match->bots[i]);
            read[i] = own->traits.explore > 0.06f;
            late += tick > 0 && read[i];
            if (!read[i]) CHECK_INT(own->strategy, other->strategy);
            if (own->strategy != other->strategy) continue;
            CHECK(ploy_goal_equal(scene_first(&s, i), scene_first(&twin, i)));
            kept += read[i];
        }
    }
    CHECK(kept >= 6);
    CHECK(late >= 6); // the edit waits for each bot's own time
    for (int32_t i = 0; i < 8; i++) {
        // A bot that was dead for a part of that time may not have arbitrated yet.
        if (!raven_alive(&s.match->bots[i]) || s.match->bots[i].spawned >= edited) continue;
        CHECK_NEAR(raven_thinker_of(&s.match->bots[i])->traits.explore, 0.07, 1e-6);
    }
    ploy_sim_destroy(twin.sim);
    // Faults are refused before anything changes.
    scene_reload(t, &s, "balanced", "{\"traits\": {\"explor\": 0.07}}", PLOY_ERR_FORMAT);
    scene_reload(t, &s, "balanced", "{\"bias\": {\"atack\": 2}}", PLOY_ERR_FORMAT);
    scene_reload(t, &s, "hard", "{\"reaction\": -1}", PLOY_ERR_FORMAT);
    scene_reload(t, &s, "aim_rules", "Engine: aim\n", PLOY_ERR_FORMAT);
    scene_reload(t, &s, "hard", "{\"reaction\": 0.5}", PLOY_OK);
    scene_step(t, &s, 10);
    ploy_sim_destroy(s.sim);
}

TEST(skills_and_weapon_rules_are_reloaded_while_a_match_runs) {
    ploy_env env = ploy_env_default();
    scene s;
    raven_def def = arena_def();
    def.red.skill = RAVEN_SKILL_HARD;
    scene_begin(t, &s, &def, 9, &env);
    scene_step(t, &s, 100);
    for (int32_t i = 0; i < 8; i++) {
        const raven_bot *bot = &s.match->bots[i];
        CHECK_NEAR(bot->skill.reaction, bot->side == 0 ? 0.25 : 0.2, 1e-6);
    }
    scene_reload(t, &s, "hard", "{\"reaction\": 0.5}", PLOY_OK);
    scene_step(t, &s, 1);
    for (int32_t i = 0; i < 8; i++) {
        const raven_bot *bot = &s.match->bots[i];
        CHECK_NEAR(bot->skill.reaction, bot->side == 0 ? 0.5 : 0.2, 1e-6);
    }
    float shotgun = raven_weapon_desirability(&s.match->bots[0], RAVEN_SHOTGUN, 2.5f, 30, NULL);
    CHECK_NEAR(shotgun, 80.0, 1e-4);
    ploy_sim_destroy(s.sim);
}

// The words of each preset, and words added to them.
TEST(words_of_tactics_are_those_of_the_parameters) {
    raven_side_def side;
    ploy_fields_default(raven_side_fields(), &side);
    CHECK_INT(raven_side_words(&side), 0);
    CHECK_OK(ploy_fields_set_text(raven_side_fields(), &side, "tactics", "radio", NULL));
    CHECK_INT(raven_side_words(&side), RAVEN_RADIO);
    CHECK_OK(ploy_fields_set_text(raven_side_fields(), &side, "timing", "true", NULL));
    CHECK_INT(raven_side_words(&side), RAVEN_RADIO | RAVEN_TIMING);
    side.tactics = RAVEN_TACTICS_TEAM;
    CHECK((raven_side_words(&side) & RAVEN_TIMING) != 0);
    CHECK_TEXT(raven_word_name(RAVEN_GATHER), "gather");
    CHECK_TEXT(raven_word_name(RAVEN_FOCUS), "focus");
}

// A report takes radio_delay to arrive; until then only the reporter knows.
TEST(radio_takes_its_time) {
    ploy_env env = ploy_env_default();
    for (int32_t words = 0; words < 2; words++) {
        scene s;
        raven_def def = arena_def();
        def.bots = 3; // red 0, blue 1, red 2
        def.red.tactics = words != 0 ? RAVEN_TACTICS_RADIO : RAVEN_TACTICS_PLAIN;
        def.radio_delay = 0.5f;
        def.still = true;
        def.skill.reaction = 5.0f; // nobody shoots
        scene_begin(t, &s, &def, 4, &env);
        scene_step(t, &s, 2);
        ploy_vec2 at = scene_line(t, &s, 6.0f, 1.0f), hidden = at;
        for (int32_t i = 0; i < s.match->map->spawn_count; i++) {
            ploy_vec2 spawn = s.match->map->spawns[i];
            if (!raven_sees(s.match, spawn, ploy_vec2_make(at.x + 6.0f, at.y))) hidden = spawn;
        }
        scene_place(&s, 0, at.x, at.y, 0.0f);
        scene_place(&s, 1, at.x + 6.0f, at.y, 0.0f);
        scene_place(&s, 2, hidden.x, hidden.y, 0.0f);
        // A bot that fetches does not listen, so the listener has everything.
        for (int32_t w = 0; w < RAVEN_WEAPONS; w++) {
            for (int32_t i = 0; i < 20; i++) raven_give_weapon(&s.match->bots[2], (raven_weapon)w);
        }
        double seen = -1.0, told = -1.0;
        for (int32_t i = 0; i < 240 && told < 0.0; i++) {
            scene_step(t, &s, 1);
            ploy_agent_id enemy = raven_life_id(&s.match->bots[1]);
            const ploy_sense_record *first = ploy_sense_memory_get(s.match->bots[0].memory, enemy);
            const ploy_sense_record *second = ploy_sense_memory_get(s.match->bots[2].memory, enemy);
            if (seen < 0.0 && first != NULL && first->visible) seen = s.match->now;
            if (second != NULL && second->has_position) told = s.match->now;
            CHECK(second == NULL || !second->visible);
        }
        CHECK(seen >= 0.0);
        if (words != 0) {
            CHECK_NEAR(told - seen, 0.5, 0.1);
            CHECK(s.match->plans->reports > 0);
            CHECK_INT(s.match->bots[2].blind_targets, 0);
        } else {
            CHECK(told < 0.0);
            CHECK_INT(s.match->plans->reports, 0);
        }
        ploy_sim_destroy(s.sim);
    }
}
