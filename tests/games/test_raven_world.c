// Raven as a whole: the integration tests of the text.
#include <math.h>

#include "tests/games/raven_test.h"

static void world_two_still(raven_def *def) {
    def->bots = 2;
    def->still = true;
    def->skill.accuracy = 0.0f;
}

// Hits a second: the 100th comes 99 / 3 = 33 s after the first.
TEST(two_still_bots_land_three_hits_a_second) {
    raven_scene scene;
    raven_scene_begin(t, &scene, 1, world_two_still, raven_hall);
    raven_scene_run(t, &scene, 1);
    raven_scene_put(&scene, 0, 8.0f, 10.0f, 0.0f);
    raven_bot *victim = raven_scene_put(&scene, 1, 13.0f, 10.0f, PLOY_PI_F - 1e-6f);
    uint64_t first = 0, last = 0;
    for (int32_t i = 0; i < 3000 && last == 0; i++) {
        float before = victim->health;
        raven_scene_run(t, &scene, 1);
        if (victim->health < before && first == 0) first = scene.match->tick;
        if (victim->deaths == 1) last = scene.match->tick;
    }
    CHECK(first > 12 && first < 90); // reaction 0.2 s, a look in a quarter of a second, the flight
    CHECK_UINT(last - first, 1980);
    CHECK_INT(scene.match->bots[0].early_shots, 0);
    raven_scene_end(&scene);
}

static void world_four_still(raven_def *def) {
    def->bots = 4;
    def->still = true;
    def->skill.vision_rate = -1.0f; // nobody shoots by itself
}

static void world_arm(raven_bot *bot, raven_weapon weapon) {
    raven_give_weapon(bot, weapon);
    (void)raven_change_weapon(bot, weapon);
}

TEST(a_rocket_hurts_everyone_in_its_blast_once) {
    raven_scene scene;
    raven_scene_begin(t, &scene, 1, world_four_still, raven_hall);
    raven_scene_run(t, &scene, 1);
    raven_bot *shooter = raven_scene_put(&scene, 0, 8.0f, 15.0f, 0.0f);
    raven_bot *others[3];
    for (int32_t i = 0; i < 3; i++) {
        others[i] = raven_scene_put(&scene, i + 1, 20.0f, 14.2f + 0.8f * (float)i, 0.0f);
    }
    world_arm(shooter, RAVEN_ROCKET);
    raven_scene_run(t, &scene, 1);
    raven_fire(scene.match, shooter, ploy_vec2_make(20.0f, 15.0f));
    raven_scene_run(t, &scene, 200);
    for (int32_t i = 0; i < 3; i++) CHECK_NEAR(others[i]->health, 90.0, 0.0);
    CHECK_NEAR(shooter->health, 100.0, 0.0);
    CHECK_NEAR(shooter->damage, 30.0, 0.0);
    CHECK_INT(shooter->hits, 1);
    CHECK_INT(scene.match->shot_count, 0); // gone after the ring

    // Splash-back: a rocket against a wall nearby hurts its shooter, and is no hit.
    raven_scene_put(&scene, 0, 29.0f, 15.0f, 0.0f);
    raven_fire(scene.match, shooter, ploy_vec2_make(35.0f, 15.0f));
    raven_scene_run(t, &scene, 60);
    CHECK_NEAR(shooter->health, 90.0, 0.0);
    CHECK_INT(shooter->hits, 1);
    raven_scene_end(&scene);
}

TEST(a_railgun_pierces_bots_and_not_walls) {
    raven_scene scene;
    raven_scene_begin(t, &scene, 1, world_four_still, raven_hall);
    scene.def.bots = 5;
    raven_scene_run(t, &scene, 4);
    raven_bot *shooter = raven_scene_put(&scene, 0, 5.0f, 10.0f, 0.0f);
    for (int32_t i = 1; i < 4; i++)
        raven_scene_put(&scene, i, 10.0f * (float)i - 2.0f, 10.0f, 0.0f);
    raven_bot *hidden = raven_scene_put(&scene, 4, 35.0f, 10.0f, 0.0f);
    world_arm(shooter, RAVEN_RAILGUN);
    raven_fire(scene.match, shooter, ploy_vec2_make(38.0f, 10.0f));
    raven_scene_run(t, &scene, 30);
    for (int32_t i = 1; i < 4; i++) CHECK_NEAR(scene.match->bots[i].health, 90.0, 0.0);
    CHECK_NEAR(hidden->health, 100.0, 0.0);
    raven_scene_end(&scene);
}

static int32_t world_balls(test_context *t, raven_scene *scene, float distance, int32_t shots) {
    raven_bot *shooter = raven_scene_put(scene, 0, 2.0f, 20.0f, 0.0f);
    raven_bot *victim = raven_scene_put(scene, 1, 2.0f + distance, 20.0f, 0.0f);
    float sum = 0.0f;
    for (int32_t i = 0; i < shots; i++) {
        victim->health = 100.0f;
        // Firing draws random numbers, so it happens within a tick of the match.
        ploy_sim_context context;
        memset(&context, 0, sizeof context);
        context.key = scene->key;
        scene->match->context = &context;
        shooter->draws = 0;
        raven_fire(scene->match, shooter, victim->body.position);
        scene->match->context = NULL;
        raven_scene_run(t, scene, 3);
        sum += 100.0f - victim->health;
    }
    return (int32_t)(sum + 0.5f);
}

TEST(a_shotgun_is_deadly_close_and_weak_far) {
    raven_scene scene;
    raven_scene_begin(t, &scene, 1, world_four_still, raven_hall);
    raven_scene_run(t, &scene, 1);
    raven_scene_put(&scene, 2, 3.0f, 3.0f, 0.0f);
    raven_scene_put(&scene, 3, 36.0f, 3.0f, 0.0f);
    raven_scene_put(&scene, 0, 2.0f, 20.0f, 0.0f);
    world_arm(&scene.match->bots[0], RAVEN_SHOTGUN);
    CHECK_INT(world_balls(t, &scene, 1.5f, 1), 10);
    CHECK_INT(world_balls(t, &scene, 9.9f, 20), 200); // 10 px / sin 0.05 = 200 px
    int32_t far = world_balls(t, &scene, 25.0f, 100);
    CHECK(far > 250 && far < 550); // 0.5 / (25 sin 0.05) = 0.4 of the balls
    raven_scene_end(&scene);
}

static void world_hidden(raven_def *def) {
    def->bots = 2;
    def->still = true;
}

TEST(a_bot_behind_a_wall_is_no_target_unless_heard_and_is_forgotten) {
    raven_scene scene;
    raven_scene_begin(t, &scene, 1, world_hidden, raven_hall);
    raven_scene_run(t, &scene, 1);
    raven_bot *bot = raven_scene_put(&scene, 0, 25.0f, 15.0f, 0.0f);
    raven_bot *other = raven_scene_put(&scene, 1, 35.0f, 15.0f, PLOY_PI_F - 1e-6f);
    for (int32_t i = 0; i < 300; i++) {
        raven_scene_run(t, &scene, 1);
        CHECK_INT(raven_target(bot), RAVEN_NOBODY);
    }
    // A shot on the other side is heard: a target, without a place and without a shot at it.
    other->weapon = RAVEN_BLASTER;
    raven_make_sound(scene.match, other, 20.0f);
    raven_scene_run(t, &scene, 60);
    ploy_vec2 place;
    CHECK_INT(raven_target(bot), 1);
    CHECK(!raven_target_shootable(bot) && !raven_target_place(bot, &place));
    double heard = ploy_sense_memory_get(bot->memory, bot->target.current)->last_sensed;
    // Forgotten after the memory span, and never blind before.
    uint64_t forgotten = 0;
    for (int32_t i = 0; i < 400 && forgotten == 0; i++) {
        raven_scene_run(t, &scene, 1);
        CHECK_INT(bot->blind_targets, 0);
        if (raven_target(bot) == RAVEN_NOBODY) forgotten = scene.match->tick;
    }
    CHECK_NEAR((double)forgotten / 60.0 - heard, 5.0, 0.05);
    CHECK_INT(bot->shots, 0);
    raven_scene_end(&scene);
}

static void world_on_item(raven_def *def) {
    def->bots = 1;
    def->still = true;
    def->trigger_rate = 0.0f; // tests in every tick
}

TEST(a_health_pack_is_back_after_600_ticks) {
    raven_scene scene;
    raven_scene_begin(t, &scene, 1, world_on_item, raven_hall);
    raven_scene_run(t, &scene, 1);
    raven_bot *bot = raven_scene_put(&scene, 0, 15.5f, 15.0f, 0.0f);
    uint64_t taken[3] = {0, 0, 0};
    for (int32_t i = 0; i < 1300; i++) {
        int64_t before = bot->items;
        raven_scene_run(t, &scene, 1);
        if (bot->items > before) taken[before] = scene.match->tick;
    }
    CHECK_INT(bot->items, 3);
    CHECK_UINT(taken[1] - taken[0], 600);
    CHECK_UINT(taken[2] - taken[1], 600);
    // A weapon takes 900, and strictly touching: 0.5 + 0.5 m away is not.
    raven_scene_put(&scene, 0, 34.0f, 15.0f, 0.0f);
    raven_scene_run(t, &scene, 5);
    CHECK_INT(bot->items, 3);
    raven_scene_put(&scene, 0, 34.01f, 15.0f, 0.0f);
    raven_scene_run(t, &scene, 901);
    CHECK_INT(bot->items, 5);
    CHECK_INT(raven_rounds(bot, RAVEN_ROCKET), 30);
    raven_scene_end(&scene);
}

// How long an item is away counts from the next time on that it is taken, its reach at once.
TEST(items_follow_their_parameters_during_play) {
    raven_scene scene;
    raven_scene_begin(t, &scene, 1, world_on_item, raven_hall);
    raven_scene_run(t, &scene, 1);
    raven_bot *bot = raven_scene_put(&scene, 0, 15.5f, 15.0f, 0.0f);
    uint64_t taken[4] = {0, 0, 0, 0};
    for (int32_t i = 0; i < 900 && bot->items < 4; i++) {
        int64_t before = bot->items;
        if (before == 1) scene.def.health_respawn = 2.0f; // it is away for 10 s already
        raven_scene_run(t, &scene, 1);
        const raven_item *item = &scene.match->map->items[0];
        CHECK(item->active || item->due > scene.match->tick);
        if (bot->items > before) taken[before] = scene.match->tick;
    }
    CHECK_UINT(taken[1] - taken[0], 600);
    CHECK_UINT(taken[2] - taken[1], 120);
    CHECK_UINT(taken[3] - taken[2], 120);
    raven_scene_put(&scene, 0, 12.6f, 15.0f, 0.0f);
    raven_scene_run(t, &scene, 200);
    CHECK_INT(bot->items, 4);
    scene.def.giver_range = 2.0f;
    raven_scene_run(t, &scene, 2);
    CHECK_INT(bot->items, 5);
    // Less health than before, and fewer rounds.
    scene.def.max_health = 40.0f;
    raven_scene_run(t, &scene, 1);
    CHECK_SAME(bot->health, 40.0f);
    raven_give_weapon(bot, RAVEN_ROCKET);
    static const char fewer[] = "{\"rocket\": {\"rounds\": 3, \"max_rounds\": 4}}";
    ploy_input input;
    memset(&input, 0, sizeof input);
    input.kind = PLOY_INPUT_RELOAD;
    input.name = "weapons";
    input.bytes = fewer;
    input.size = sizeof fewer - 1;
    raven_scene_tick(t, &scene, &input, 1, NULL);
    CHECK_INT(raven_rounds(bot, RAVEN_ROCKET), 4);
    raven_scene_end(&scene);
}

static void world_two(raven_def *def) {
    def->bots = 2;
}

// A memory of another span is empty, so the target goes with it; and what a bot shot before it left
// does not count for the one that takes its place.
TEST(what_a_bot_loses_takes_what_hangs_on_it_along) {
    raven_scene scene;
    raven_scene_begin(t, &scene, 1, world_two, raven_hall);
    scene.def.still = true;
    raven_scene_run(t, &scene, 1);
    raven_bot *bot = raven_scene_put(&scene, 1, 10.0f, 3.0f, 0.0f);
    raven_scene_put(&scene, 0, 25.0f, 3.0f, 0.0f);
    for (int32_t i = 0; i < 300 && bot->shots == 0; i++) raven_scene_run(t, &scene, 1);
    CHECK_INT(raven_target(bot), 0);
    CHECK(scene.match->shot_count > 0);
    scene.def.skill.memory = 2.0f;
    raven_scene_run(t, &scene, 1);
    CHECK_INT(bot->blind_targets, 0);
    raven_scene_command(t, &scene, "remove", RAVEN_NOBODY, ploy_value_none());
    for (int32_t i = 0; i < scene.match->shot_count; i++) {
        CHECK(scene.match->shots[i].shooter != 1);
    }
    raven_scene_command(t, &scene, "add", RAVEN_NOBODY, ploy_value_none());
    raven_scene_run(t, &scene, 120);
    CHECK(bot->hits <= bot->shots);
    raven_scene_end(&scene);
}

TEST(a_possessed_bot_obeys_and_does_nothing_by_itself) {
    raven_scene scene;
    raven_scene_begin(t, &scene, 1, world_two, raven_hall);
    raven_scene_run(t, &scene, 1);
    raven_bot *bot = raven_scene_put(&scene, 0, 5.0f, 15.0f, 0.0f);
    raven_bot *enemy = raven_scene_put(&scene, 1, 12.0f, 15.0f, 0.0f);
    raven_scene_command(t, &scene, "take", 0, ploy_value_none());
    raven_scene_command(t, &scene, "aim", 0, ploy_value_vec2(5.0f, 25.0f));
    for (int32_t i = 0; i < 120; i++) {
        raven_scene_put(&scene, 1, 12.0f, 15.0f, 0.0f);
        enemy->health = 100.0f;
        raven_scene_run(t, &scene, 1);
        CHECK_INT(raven_target(bot), RAVEN_NOBODY);
    }
    CHECK_INT(bot->shots, 0);
    CHECK(!bot->brain.entered);
    CHECK_NEAR(bot->body.orientation, 0.5f * PLOY_PI_F, 0.02); // faces the cursor
    CHECK_NEAR(bot->body.position.x, 5.0, 0.8);                // jostled at most
    raven_scene_put(&scene, 1, 38.0f, 2.0f, 0.0f);
    raven_scene_command(t, &scene, "go", 0, ploy_value_vec2(35.0f, 15.0f));
    for (int32_t i = 0; i < 900; i++) {
        raven_scene_put(&scene, 1, 38.0f, 2.0f, 0.0f);
        bot->health = 100.0f;
        raven_scene_run(t, &scene, 1);
    }
    CHECK_NEAR(ploy_vec2_distance(bot->body.position, ploy_vec2_make(35.0f, 15.0f)), 0.0, 0.3);
    CHECK_INT(bot->shots, 0);
    raven_scene_end(&scene);
}

TEST(the_same_seed_is_the_same_match) {
    raven_scene a, b, c;
    raven_scene_begin(t, &a, 7, NULL, NULL);
    raven_scene_begin(t, &b, 7, NULL, NULL);
    raven_scene_begin(t, &c, 8, NULL, NULL);
    raven_scene_run(t, &a, 1500);
    raven_scene_run(t, &b, 1500);
    raven_scene_run(t, &c, 1500);
    bool differ = false;
    for (int32_t i = 0; i < 8; i++) {
        const ploy_kinematic *x = &a.match->bots[i].body, *y = &b.match->bots[i].body;
        CHECK(ploy_vec2_equal(x->position, y->position) && x->orientation == y->orientation);
        differ |= !ploy_vec2_equal(x->position, c.match->bots[i].body.position);
    }
    CHECK(differ);
    raven_scene_end(&a);
    raven_scene_end(&b);
    raven_scene_end(&c);
}
