// What Raven's bots know: looks, reaction, memory, targets, felt damage, level of detail.
#include <math.h>

#include "tests/games/raven_test.h"

static void sense_still(raven_def *def) {
    def->bots = 3;
    def->still = true;
    def->skill.accuracy = 0.0f;
}

// A look in every quarter of a second, reaction 0.2 s: the first shot comes just after both.
TEST(a_bot_reacts_no_faster_than_it_may) {
    raven_scene scene;
    raven_scene_begin(t, &scene, 1, sense_still, raven_hall);
    raven_scene_run(t, &scene, 1);
    raven_bot *bot = raven_scene_put(&scene, 0, 8.0f, 10.0f, 0.0f);
    raven_scene_put(&scene, 1, 35.0f, 12.0f, 0.0f);
    raven_scene_put(&scene, 2, 35.0f, 18.0f, 0.0f);
    raven_scene_run(t, &scene, 360);
    CHECK_INT(raven_target(bot), RAVEN_NOBODY);
    // The regulator is ready at 6.25 s and then each 0.25 s; the opponent appears in between.
    bot->vision.next = 6.25;
    bot->targeting.next = 6.25;
    raven_scene_run(t, &scene, (int32_t)(367 - scene.match->tick));
    raven_scene_put(&scene, 1, 13.0f, 10.0f, 0.0f);
    int64_t before = bot->shots;
    for (int32_t i = 0; i < 120 && bot->shots == before; i++) raven_scene_run(t, &scene, 1);
    CHECK_INT(bot->shots, before + 1);
    CHECK_NEAR(scene.match->now, 6.45, 0.04); // seen at 6.25, 0.2 s later at the earliest
    CHECK(scene.match->now > 6.45);
    CHECK_INT(bot->early_shots, 0);
    raven_scene_end(&scene);
}

TEST(views_are_limited_by_angle_and_walls) {
    static const struct {
        const char *row;
        float x, y; // of the other; the bot is at 25, 15 and looks along +x
        float fov;
        bool seen;
    } rows[] = {{"ahead", 28.0f, 15.0f, 1.0f, true},
                {"beside, wide", 25.01f, 20.0f, 3.1415f, true},
                {"beside, narrow", 25.0f, 20.0f, 1.0f, false},
                {"behind", 20.0f, 15.0f, 3.1415f, false},
                {"behind, all round", 20.0f, 15.0f, 6.2831853f, true},
                {"behind the wall", 35.0f, 15.0f, 3.1415f, false},
                {"past the end of the wall", 35.0f, 27.0f, 6.2831853f, true}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        raven_scene scene;
        t->row = rows[i].row;
        raven_scene_begin(t, &scene, 1, sense_still, raven_hall);
        scene.def.skill.fov = rows[i].fov;
        raven_scene_run(t, &scene, 1);
        raven_scene_put(&scene, 2, 2.0f, 2.0f, 0.0f);
        raven_bot *bot = raven_scene_put(&scene, 0, 25.0f, rows[i].y > 26.0f ? 27.0f : 15.0f, 0.0f);
        raven_bot *other = raven_scene_put(&scene, 1, rows[i].x, rows[i].y, 0.0f);
        bot->skill.turn_rate = 1e-3f;
        other->status = RAVEN_ALIVE;
        CHECK_INT(raven_in_view(scene.match, bot, other), rows[i].seen);
        for (int32_t k = 0; k < 70; k++) {
            bot->body.orientation = 0.0f;
            other->health = 100.0f;
            bot->health = 100.0f;
            raven_scene_run(t, &scene, 1);
        }
        const ploy_sense_record *record = ploy_sense_memory_get(bot->memory, raven_life_id(other));
        CHECK_INT(record != NULL && record->visible, rows[i].seen);
        raven_scene_end(&scene);
    }
}

// One that was killed and spawned elsewhere is not the one that was remembered.
TEST(a_spawned_bot_is_unknown) {
    raven_scene scene;
    raven_scene_begin(t, &scene, 1, sense_still, raven_hall);
    raven_scene_run(t, &scene, 1);
    raven_bot *bot = raven_scene_put(&scene, 0, 8.0f, 10.0f, 0.0f);
    raven_bot *other = raven_scene_put(&scene, 1, 13.0f, 10.0f, 0.0f);
    raven_scene_put(&scene, 2, 35.0f, 18.0f, 0.0f);
    raven_scene_run(t, &scene, 60);
    CHECK_INT(raven_target(bot), 1);
    raven_damage(scene.match, other, 0, 1000.0f);
    CHECK_INT(raven_target(bot), RAVEN_NOBODY);
    CHECK_INT(bot->kills, 1);
    raven_scene_run(t, &scene, 1);
    raven_scene_put(&scene, 1, 35.0f, 12.0f, 0.0f);
    for (int32_t i = 0; i < 120; i++) {
        raven_scene_run(t, &scene, 1);
        CHECK_INT(raven_target(bot), RAVEN_NOBODY);
    }
    CHECK(ploy_sense_memory_get(bot->memory, raven_life_id(other)) == NULL ||
          !ploy_sense_memory_get(bot->memory, raven_life_id(other))->visible);
    raven_scene_end(&scene);
}

TEST(targets_are_weighed) {
    static const struct {
        const char *row;
        const char *weight; // that is set
        float value;
        int32_t target; // 1 is near ahead, 2 is farther, at an angle
    } rows[] = {{"the nearest", "distance", 1.0f, 1},
                {"the one that hurt it", "damage", 100.0f, 2},
                {"revenge", "revenge", 50.0f, 2},
                {"easy prey", "prey", 50.0f, 2},
                {"least to turn", "angle", 50.0f, 1},
                {"unaware", "unaware", 50.0f, 2},
                {"the ideal range", "range", 50.0f, 1},
                {"longest in view", "time_visible", 50.0f, 1},
                {"just come into view", "time_visible", -50.0f, 2},
                {"well armed", "armed", 50.0f, 2},
                {"badly armed", "armed", -50.0f, 1}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        raven_scene scene;
        t->row = rows[i].row;
        raven_scene_begin(t, &scene, 1, sense_still, raven_hall);
        ploy_value value = ploy_value_f32(rows[i].value);
        char path[64] = "target.";
        memcpy(path + 7, rows[i].weight, strlen(rows[i].weight) + 1);
        CHECK_OK(ploy_fields_set(raven_fields(), &scene.def, path, &value, NULL));
        scene.def.skill.reaction = 5.0f; // nobody shoots
        raven_scene_run(t, &scene, 1);
        raven_bot *bot = raven_scene_put(&scene, 0, 8.0f, 10.0f, 0.0f);
        raven_scene_put(&scene, 1, 13.0f, 10.0f, PLOY_PI_F - 1e-6f);
        raven_bot *other = raven_scene_put(&scene, 2, 2.0f, 16.0f, 0.7f); // looks away
        raven_give_weapon(other, RAVEN_SHOTGUN);
        CHECK(raven_change_weapon(other, RAVEN_SHOTGUN));
        bot->felt[2].damage = 10.0f;
        bot->felt[2].last = scene.match->now;
        bot->felt[2].died = 2;
        bot->felt[2].killed = 2;
        for (int32_t k = 0; k < 120; k++) {
            // From behind it comes into view later than the other.
            if (k == 30) raven_scene_put(&scene, 2, 14.0f, 16.0f, 0.7f);
            bot->body.orientation = 0.0f;
            scene.match->bots[2].body.orientation = 0.7f;
            scene.match->bots[1].body.orientation = PLOY_PI_F - 1e-6f;
            raven_scene_run(t, &scene, 1);
        }
        CHECK_INT(raven_target(bot), rows[i].target);
        raven_scene_end(&scene);
    }
}

TEST(damage_is_felt_and_fades) {
    raven_scene scene;
    raven_scene_begin(t, &scene, 1, sense_still, raven_hall);
    raven_scene_run(t, &scene, 1);
    raven_bot *bot = &scene.match->bots[0];
    raven_scene_put(&scene, 0, 8.0f, 10.0f, 0.0f);
    raven_scene_put(&scene, 1, 35.0f, 10.0f, 0.0f);
    raven_scene_put(&scene, 2, 35.0f, 20.0f, 0.0f);
    CHECK(!raven_under_fire(bot, 1.0f));
    raven_damage(scene.match, bot, 1, 10.0f);
    raven_damage(scene.match, bot, 2, 5.0f);
    CHECK_NEAR(raven_felt_damage(bot, 1), 10.0, 1e-5);
    CHECK_NEAR(raven_felt_damage(bot, RAVEN_NOBODY), 15.0, 1e-5);
    CHECK(raven_under_fire(bot, 1.0f));
    raven_scene_run(t, &scene, 90);
    CHECK_NEAR(raven_felt_damage(bot, 1), 5.0, 0.2); // half of 3 s later
    raven_damage(scene.match, bot, 1, 10.0f);
    CHECK_NEAR(raven_felt_damage(bot, 1), 15.0, 0.2);
    raven_scene_run(t, &scene, 185);
    CHECK_NEAR(raven_felt_damage(bot, RAVEN_NOBODY), 0.0, 0.0);
    CHECK(!raven_under_fire(bot, 1.0f));
    raven_scene_end(&scene);
}

TEST(a_report_by_radio_counts_as_sensed) {
    raven_scene scene;
    raven_scene_begin(t, &scene, 1, sense_still, raven_hall);
    raven_scene_run(t, &scene, 1);
    raven_bot *bot = raven_scene_put(&scene, 0, 8.0f, 10.0f, 0.0f);
    raven_scene_put(&scene, 1, 35.0f, 10.0f, 0.0f);
    raven_scene_put(&scene, 2, 35.0f, 20.0f, 0.0f);
    raven_tell(bot, 1, ploy_vec2_make(35.0f, 10.0f));
    for (int32_t i = 0; i < 280; i++) {
        raven_scene_run(t, &scene, 1);
        CHECK(!raven_target_shootable(bot));
    }
    ploy_vec2 place;
    CHECK_INT(raven_target(bot), 1);
    CHECK(raven_target_place(bot, &place));
    CHECK_NEAR(place.x, 35.0, 0.0);
    CHECK_INT(bot->shots, 0);
    raven_scene_run(t, &scene, 30);
    CHECK_INT(raven_target(bot), RAVEN_NOBODY); // 5 s later
    raven_scene_end(&scene);
}

static void sense_many(raven_def *def) {
    def->map = RAVEN_LEVEL_LARGE;
    def->bots = 64;
}

// Units of senses and paths: with a level of detail and nobody watching, at least 40 % less.
TEST(level_of_detail_saves_work) {
    int64_t units[3];
    for (int32_t i = 0; i < 3; i++) {
        raven_scene scene;
        raven_scene_begin(t, &scene, 1, sense_many, NULL);
        scene.def.lod = i > 0;
        if (i == 2) {
            raven_scene_command(t, &scene, "watch", RAVEN_NOBODY, ploy_value_vec2(20.0f, 20.0f));
        }
        bool near = false, far = false;
        for (int32_t n = 0; n < 12; n++) {
            raven_scene_run(t, &scene, 100);
            for (int32_t k = 0; k < 64 && i == 2; k++) {
                near |= scene.match->bots[k].lod == 1.0f;
                far |= scene.match->bots[k].lod < scene.def.lod_least + 1e-3f;
            }
        }
        units[i] = scene.match->sense_units + scene.match->path_units;
        if (i == 2) CHECK(near && far);
        raven_scene_end(&scene);
    }
    printf("units: %d all, %d nobody watches, %d a corner watched\n", (int)units[0], (int)units[1],
           (int)units[2]);
    CHECK((double)units[1] <= 0.6 * (double)units[0]);
    CHECK(units[2] > units[1] && units[2] < units[0]);
}

TEST(a_look_can_be_limited_to_the_nearest) {
    raven_scene scene;
    raven_scene_begin(t, &scene, 1, sense_many, NULL);
    raven_scene_run(t, &scene, 300);
    int64_t all = scene.match->sense_units;
    raven_scene_end(&scene);
    raven_scene_begin(t, &scene, 1, sense_many, NULL);
    scene.def.view_most = 8;
    raven_scene_run(t, &scene, 300);
    CHECK(scene.match->sense_units < all / 3);
    raven_scene_end(&scene);
}
