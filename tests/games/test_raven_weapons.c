// Raven's weapons: the table, what a bot carries, choosing, aiming, shots.
#include <math.h>

#include "ploy/geom/angle.h"
#include "tests/games/raven_test.h"

TEST(the_table_of_weapons_has_the_values_of_the_text) {
    static const struct {
        raven_weapon weapon;
        float rate, damage, speed, range, sound; // m and s
        int32_t projectiles, rounds, most;
        bool predicts;
    } rows[] = {{RAVEN_BLASTER, 3.0f, 1.0f, 15.0f, 2.5f, 5.0f, 1, 0, 0, true},
                {RAVEN_SHOTGUN, 1.0f, 1.0f, 15000.0f, 5.0f, 20.0f, 10, 15, 50, false},
                {RAVEN_RAILGUN, 1.0f, 10.0f, 15000.0f, 10.0f, 20.0f, 1, 15, 50, false},
                {RAVEN_ROCKET, 1.5f, 10.0f, 9.0f, 7.5f, 20.0f, 1, 15, 50, true}};
    const raven_file *file = raven_file_find("weapons.json");
    ploy_env env = ploy_env_default();
    raven_weapon_table table;
    CHECK(file != NULL);
    CHECK_OK(raven_weapons_load(file->bytes, file->size, file->name, &env, NULL, &table));
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const raven_weapon_def *def = &table.items[rows[i].weapon];
        t->row = raven_weapon_name((int32_t)rows[i].weapon);
        CHECK_NEAR(def->rate, rows[i].rate, 0.0);
        CHECK_NEAR(def->damage, rows[i].damage, 0.0);
        CHECK_NEAR(def->speed, rows[i].speed, 0.0);
        CHECK_NEAR(def->ideal_range, rows[i].range, 0.0);
        CHECK_NEAR(def->sound, rows[i].sound, 0.0);
        CHECK_INT(def->projectiles, rows[i].projectiles);
        CHECK_INT(def->rounds, rows[i].rounds);
        CHECK_INT(def->max_rounds, rows[i].most);
        CHECK_INT(def->predicts, rows[i].predicts);
    }
    CHECK(table.items[RAVEN_BLASTER].endless && table.items[RAVEN_RAILGUN].pierces);
    CHECK_NEAR(table.items[RAVEN_ROCKET].blast, 1.0, 0.0);
}

static ploy_result weapons_read(const ploy_env *env, void *text) {
    raven_weapon_table table;
    return raven_weapons_load(text, strlen(text), "w", env, NULL, &table);
}

TEST(a_faulty_table_is_refused_with_its_place) {
    static const struct {
        const char *row, *text, *nearest;
        int32_t line;
    } rows[] = {{"an unknown weapon", "{\n\"blastr\": {}}", "blaster", 2},
                {"an unknown value", "{\"blaster\":\n {\"rat\": 3}}", "rate", 2},
                {"out of range", "{\"blaster\":\n\n {\"rate\": 0}}", NULL, 3},
                {"not an object", "[1]", NULL, 1},
                {"not JSON", "{\"blaster\"", NULL, 1}};
    ploy_env env = ploy_env_default();
    ploy_diags *diags = NULL;
    CHECK_OK(ploy_diags_create(8, &env, &diags));
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        raven_weapon_table table;
        memset(&table, 7, sizeof table);
        t->row = rows[i].row;
        ploy_diags_clear(diags);
        CHECK_INT(raven_weapons_load(rows[i].text, strlen(rows[i].text), "w", &env, diags, &table),
                  PLOY_ERR_FORMAT);
        const ploy_diag *diag = ploy_diags_get(diags, 0);
        CHECK(diag != NULL);
        CHECK_INT(diag->line, rows[i].line);
        if (rows[i].nearest != NULL) CHECK_TEXT(diag->nearest, rows[i].nearest);
        CHECK_INT(table.items[0].projectiles, 0x07070707); // unchanged
    }
    ploy_diags_destroy(diags);
    static char text[] = "{\"rocket\": {\"rate\": 2}}";
    CHECK_FAIL_NTH(weapons_read, text);
}

static void weapons_one(raven_def *def) {
    def->bots = 2;
    def->still = true;
    def->skill.vision_rate = -1.0f;
}

TEST(pickups_add_rounds_up_to_the_most) {
    raven_scene scene;
    raven_scene_begin(t, &scene, 1, weapons_one, raven_hall);
    raven_scene_run(t, &scene, 1);
    raven_bot *bot = &scene.match->bots[0];
    CHECK(raven_holds(bot, RAVEN_BLASTER) && !raven_holds(bot, RAVEN_SHOTGUN));
    CHECK(!raven_change_weapon(bot, RAVEN_SHOTGUN));
    CHECK_INT(raven_rounds(bot, RAVEN_SHOTGUN), 0);
    static const int32_t want[] = {15, 30, 45, 50, 50};
    for (size_t i = 0; i < COUNT_OF(want); i++) {
        raven_give_weapon(bot, RAVEN_SHOTGUN);
        CHECK_INT(raven_rounds(bot, RAVEN_SHOTGUN), want[i]);
    }
    // Most railgun rounds, half the rockets, no shotgun: 1/3 + 1/6.
    memset(bot->arms, 0, sizeof bot->arms);
    bot->arms[RAVEN_BLASTER].held = true;
    bot->arms[RAVEN_RAILGUN].held = true;
    bot->arms[RAVEN_RAILGUN].rounds = 50;
    bot->arms[RAVEN_ROCKET].held = true;
    bot->arms[RAVEN_ROCKET].rounds = 25;
    CHECK_NEAR(raven_total_strength(bot), 0.5, 1e-6);
    raven_give_health(bot, 1000.0f);
    CHECK_NEAR(bot->health, 100.0, 0.0);
    raven_scene_end(&scene);
}

TEST(a_weapon_fires_at_its_rate_and_not_without_rounds) {
    static const struct {
        raven_weapon weapon;
        int32_t shots; // in 600 ticks
    } rows[] = {{RAVEN_BLASTER, 30}, {RAVEN_SHOTGUN, 10}, {RAVEN_ROCKET, 15}, {RAVEN_RAILGUN, 10}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        raven_scene scene;
        t->row = raven_weapon_name((int32_t)rows[i].weapon);
        raven_scene_begin(t, &scene, 1, weapons_one, raven_hall);
        raven_scene_run(t, &scene, 1);
        raven_bot *bot = raven_scene_put(&scene, 0, 5.0f, 15.0f, 0.0f);
        raven_scene_put(&scene, 1, 38.0f, 28.0f, 0.0f);
        if (rows[i].weapon != RAVEN_BLASTER) raven_give_weapon(bot, rows[i].weapon);
        raven_scene_command(t, &scene, "take", 0, ploy_value_none());
        CHECK(raven_change_weapon(bot, rows[i].weapon));
        int64_t before = bot->shots;
        for (int32_t k = 0; k < 600; k++) {
            raven_scene_command(t, &scene, "fire", 0, ploy_value_vec2(20.0f, 15.0f));
        }
        CHECK_INT(bot->shots - before, rows[i].shots);
        int32_t left = raven_rounds(bot, rows[i].weapon);
        if (rows[i].weapon != RAVEN_BLASTER) CHECK_INT(left, 15 - rows[i].shots);
        bot->arms[bot->weapon].rounds = 0;
        before = bot->shots;
        for (int32_t k = 0; k < 120; k++) {
            raven_scene_command(t, &scene, "fire", 0, ploy_value_vec2(20.0f, 15.0f));
        }
        CHECK_INT(bot->shots > before, rows[i].weapon == RAVEN_BLASTER);
        raven_scene_end(&scene);
    }
}

TEST(a_person_s_rocket_explodes_at_the_cursor) {
    raven_scene scene;
    raven_scene_begin(t, &scene, 1, weapons_one, raven_hall);
    raven_scene_run(t, &scene, 1);
    raven_bot *bot = raven_scene_put(&scene, 0, 5.0f, 15.0f, 0.0f);
    raven_bot *other = raven_scene_put(&scene, 1, 14.0f, 16.2f, 0.0f);
    raven_give_weapon(bot, RAVEN_ROCKET);
    raven_scene_command(t, &scene, "take", 0, ploy_value_none());
    CHECK(raven_change_weapon(bot, RAVEN_ROCKET));
    raven_scene_command(t, &scene, "fire", 0, ploy_value_vec2(14.0f, 15.0f));
    bool exploded = false;
    for (int32_t i = 0; i < 120; i++) {
        raven_scene_run(t, &scene, 1);
        for (int32_t k = 0; k < scene.match->shot_count; k++) {
            const raven_shot *shot = &scene.match->shots[k];
            if (shot->state != RAVEN_SHOT_EXPLODING || exploded) continue;
            exploded = true;
            CHECK_NEAR(shot->position.x, 14.0, 0.26);
            CHECK_NEAR(shot->position.y, 15.0, 1e-4);
        }
    }
    CHECK(exploded);
    CHECK_NEAR(other->health, 90.0, 0.0); // 1.2 m off is within the blast and its body
    raven_scene_end(&scene);
}

// Turning by pi at 0.2 rad a tick: true at the 17th call.
TEST(turning_takes_its_time) {
    float facing = 0.0f;
    int32_t calls = 0;
    ploy_vec2 at = {0.0f, 0.0f}, behind = {-1.0f, 1e-7f};
    bool facing_it = false;
    while (!facing_it && calls < 100) {
        facing_it = raven_turn(&facing, at, behind, 0.2f, 0.01f);
        calls++;
    }
    CHECK_INT(calls, 17);
    CHECK_NEAR(fabsf(facing), PLOY_PI_F, 1e-3);
}

TEST(leading_a_target_looks_ahead) {
    // 80 px away, 1 px a tick across, a rocket of 3 px a tick: 20 ticks, so 20 px.
    ploy_vec2 from = {0.0f, 0.0f}, at = {80.0f, 0.0f}, velocity = {0.0f, 1.0f};
    ploy_vec2 aim = raven_lead(from, at, velocity, 3.0f, 1.0f);
    CHECK_NEAR(aim.x, 80.0, 1e-5);
    CHECK_NEAR(aim.y, 20.0, 1e-5);
}

TEST(a_target_s_velocity_is_averaged) {
    raven_scene scene;
    raven_scene_begin(t, &scene, 1, weapons_one, raven_hall);
    raven_bot *bot = &scene.match->bots[0];
    bot->sample_count = 0;
    bot->sample_next = 0;
    for (int32_t i = 0; i < 6; i++) {
        bot->samples[bot->sample_next] = ploy_vec2_make(i % 2 == 0 ? 3.0f : -3.0f, 1.0f);
        bot->sample_next = (bot->sample_next + 1) % RAVEN_SAMPLES_MAX;
        bot->sample_count++;
    }
    CHECK_NEAR(raven_mean_velocity(bot, 4).x, 0.0, 1e-6);
    CHECK_NEAR(raven_mean_velocity(bot, 4).y, 1.0, 1e-6);
    CHECK_NEAR(raven_mean_velocity(bot, 1).x, -3.0, 1e-6);
    CHECK_NEAR(raven_mean_velocity(bot, 100).x, 0.0, 1e-6);
    raven_scene_end(&scene);
}

static float weapons_accuracy;
static void weapons_duel(raven_def *def) {
    def->bots = 2;
    def->still = true;
    def->skill.accuracy = weapons_accuracy;
}

// Every shot deviates by at most the accuracy, to both sides; 0 is perfect.
TEST(shots_deviate_by_at_most_the_accuracy) {
    static const float accuracies[] = {0.0f, 0.2f};
    for (size_t a = 0; a < COUNT_OF(accuracies); a++) {
        raven_scene scene;
        weapons_accuracy = accuracies[a];
        raven_scene_begin(t, &scene, 1, weapons_duel, raven_hall);
        raven_scene_run(t, &scene, 1);
        raven_scene_put(&scene, 0, 8.0f, 10.0f, 0.0f);
        raven_scene_put(&scene, 1, 13.0f, 10.0f, PLOY_PI_F - 1e-6f);
        float least = 1.0f, most = -1.0f;
        int32_t shots = 0;
        uint32_t seen = 0;
        for (int32_t i = 0; i < 1500; i++) {
            for (int32_t k = 0; k < 2; k++) scene.match->bots[k].health = 100.0f;
            raven_scene_run(t, &scene, 1);
            for (int32_t k = 0; k < scene.match->shot_count; k++) {
                const raven_shot *shot = &scene.match->shots[k];
                if (shot->shooter != 0 || shot->volley <= seen) continue;
                seen = shot->volley;
                float angle = ploy_angle_of(shot->velocity);
                least = fminf(least, angle);
                most = fmaxf(most, angle);
                shots++;
            }
        }
        CHECK(shots > 50);
        CHECK(most <= weapons_accuracy + 1e-4f && least >= -weapons_accuracy - 1e-4f);
        if (weapons_accuracy > 0.0f) CHECK(most > 0.1f && least < -0.1f);
        raven_scene_end(&scene);
    }
}

static bool weapons_first, weapons_mercy;
static void weapons_fair(raven_def *def) {
    def->bots = 2;
    def->still = true;
    def->skill.accuracy = 0.0f;
    def->first_shot_misses = weapons_first;
    def->mercy = weapons_mercy ? 50.0f : 0.0f;
}

// The first shot at a person misses and passes close by; the next ones hit.
TEST(bots_are_fair_to_a_person) {
    raven_scene scene;
    weapons_first = true;
    raven_scene_begin(t, &scene, 1, weapons_fair, raven_hall);
    raven_scene_run(t, &scene, 1);
    raven_scene_put(&scene, 0, 8.0f, 10.0f, 0.0f);
    raven_bot *person = raven_scene_put(&scene, 1, 13.0f, 10.0f, PLOY_PI_F - 1e-6f);
    raven_scene_command(t, &scene, "take", 1, ploy_value_none());
    const raven_bot *bot = &scene.match->bots[0];
    for (int32_t i = 0; i < 300 && bot->shots == 0; i++) raven_scene_run(t, &scene, 1);
    CHECK_INT(bot->shots, 1);
    const raven_shot *shot = &scene.match->shots[scene.match->shot_count - 1];
    // How far it passes from the person's centre: not a hit, and within two bodies.
    ploy_vec2 line = ploy_vec2_normalise(shot->velocity);
    float gap = fabsf(ploy_vec2_cross(line, ploy_vec2_sub(person->body.position, shot->origin)));
    CHECK(gap > 0.5f && gap < 1.2f);
    raven_scene_run(t, &scene, 18);
    CHECK_NEAR(person->health, 100.0, 0.0);
    raven_scene_run(t, &scene, 120);
    CHECK(person->health < 100.0f);
    raven_scene_end(&scene);
    // Mercy: with little health the same bot misses some.
    int32_t hits[2];
    weapons_first = false;
    for (int32_t merciful = 0; merciful < 2; merciful++) {
        weapons_mercy = merciful == 1;
        raven_scene_begin(t, &scene, 1, weapons_fair, raven_hall);
        raven_scene_run(t, &scene, 1);
        raven_scene_put(&scene, 0, 5.0f, 10.0f, 0.0f);
        person = raven_scene_put(&scene, 1, 20.0f, 10.0f, 0.0f);
        raven_scene_command(t, &scene, "take", 1, ploy_value_none());
        hits[merciful] = 0;
        for (int32_t i = 0; i < 1800; i++) {
            person->health = 40.0f;
            raven_scene_run(t, &scene, 1);
            hits[merciful] += person->health < 40.0f ? 1 : 0;
        }
        raven_scene_end(&scene);
    }
    CHECK(hits[0] > 60 && hits[1] < hits[0]);
}

TEST(fuzzy_aim_is_worse_when_far_fast_and_new) {
    raven_scene scene;
    raven_scene_begin(t, &scene, 1, weapons_one, raven_hall);
    raven_bot *bot = &scene.match->bots[0];
    bot->skill.accuracy = 0.1f;
    float best = raven_aim_deviation(bot, 1.0f, 0.0f, 5.0f);
    float worst = raven_aim_deviation(bot, 30.0f, 3.0f, 0.1f);
    CHECK(best > 0.0f && worst > 1.5f * best);
    CHECK(raven_aim_deviation(bot, 15.0f, 0.0f, 5.0f) >= best);
    CHECK(raven_aim_deviation(bot, 1.0f, 3.0f, 5.0f) >= best);
    CHECK(raven_aim_deviation(bot, 1.0f, 0.0f, 0.2f) >= best);
    raven_scene_end(&scene);
}

static void weapons_friends(raven_def *def) {
    def->bots = 3;
    def->sides = 2;
    def->still = true;
    def->skill.vision_rate = -1.0f;
}

TEST(friendly_fire_is_a_rule) {
    for (int32_t hurts = 0; hurts < 2; hurts++) {
        raven_scene scene;
        raven_scene_begin(t, &scene, 1, weapons_friends, raven_hall);
        scene.def.friendly_fire = hurts == 1;
        raven_scene_run(t, &scene, 2);
        raven_bot *shooter = raven_scene_put(&scene, 0, 5.0f, 10.0f, 0.0f);
        raven_bot *enemy = raven_scene_put(&scene, 1, 20.0f, 10.0f, 0.0f);
        raven_bot *mate = raven_scene_put(&scene, 2, 12.0f, 10.0f, 0.0f);
        CHECK_INT(shooter->side, mate->side);
        raven_fire(scene.match, shooter, enemy->body.position);
        raven_scene_run(t, &scene, 120);
        CHECK_NEAR(mate->health, hurts ? 99.0 : 100.0, 0.0);
        CHECK_NEAR(enemy->health, hurts ? 100.0 : 99.0, 0.0);
        mate->health = 1.0f;
        raven_fire(scene.match, shooter, enemy->body.position);
        raven_scene_run(t, &scene, 120);
        CHECK_INT(shooter->team_kills, hurts);
        CHECK_INT(shooter->kills, 0);
        raven_scene_end(&scene);
    }
}
