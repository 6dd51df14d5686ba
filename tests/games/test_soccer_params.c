// The parameters of Simple Soccer, and the data files that come with it.
#include <stdlib.h>

#include "games/games.h"
#include "ploy/base/fields_json.h"
#include "tests/games/soccer_test.h"

static void params_load(test_context *t, const char *file, soccer_def *def) {
    ploy_env env = ploy_env_default();
    char path[512];
    snprintf(path, sizeof path, "%s/games/soccer/%s", PLOY_SOURCE_DIR, file);
    size_t size = 0;
    char *text = test_read_file(path, &size);
    CHECK(text != NULL);
    ploy_json_def json = ploy_json_def_default();
    ploy_diags *diags = NULL;
    ploy_json *doc = NULL;
    CHECK_OK(ploy_diags_create(8, &env, &diags));
    CHECK_OK(ploy_json_load(text, size, file, &json, &env, diags, &doc));
    ploy_fields_default(soccer_fields(), def);
    CHECK_OK(ploy_fields_load_json(soccer_fields(), def, doc, ploy_json_root(doc), diags));
    CHECK_OK(ploy_fields_check(soccer_fields(), def, &env));
    ploy_json_destroy(doc);
    ploy_diags_destroy(diags);
    free(text);
}

TEST(the_data_file_holds_the_defaults) {
    soccer_def loaded, def;
    params_load(t, "soccer.json", &loaded);
    ploy_fields_default(soccer_fields(), &def);
    CHECK_BYTES(&loaded, &def, sizeof def);
}

// `make soak` plays 400 matches, each with its own seed, which the search never saw; the sides alternate.
TEST(the_tuned_team_beats_the_shipped_one) {
    soccer_def tuned, fresh;
    params_load(t, "tuned.json", &tuned);
    ploy_fields_default(soccer_fields(), &fresh);
    CHECK_SAME(tuned.red.accuracy, fresh.red.accuracy); // tactics only
    CHECK_SAME(tuned.red.shooting_speed, fresh.red.shooting_speed);
    CHECK_SAME(tuned.red.passing_speed, fresh.red.passing_speed);
    CHECK_SAME(tuned.red.dribble_speed, fresh.red.dribble_speed);
    CHECK_BYTES(&tuned.blue, &fresh.blue, sizeof fresh.blue);
    soccer_def swapped = tuned;
    swapped.red = tuned.blue;
    swapped.blue = tuned.red;
    ploy_env env = ploy_env_default();
    int32_t matches = test_rounds(1) == 1 ? 6 : 400;
    double points = 0.0;
    for (int32_t i = 0; i < matches; i++) {
        TEST_SEED(900000 + i);
        static const char *const paths[] = {"state.summary.score.x", "state.summary.score.y"};
        double goals[2];
        CHECK_OK(ploy_sim_play(ploy_sim_type_find(ploy_games(), "soccer", NULL),
                               i % 2 == 0 ? &tuned : &swapped, t->seed, 10800, paths, 2, &env,
                               goals, NULL));
        double lead = i % 2 == 0 ? goals[0] - goals[1] : goals[1] - goals[0];
        points += lead > 0.0 ? 1.0 : lead < 0.0 ? 0.0 : 0.5;
    }
    printf("soccer: the tuned team scores %.4f in %d matches\n", points / matches, (int)matches);
    CHECK(points >= 0.75 * matches);
}

static soccer_def params_bold_def;
static void params_bold(soccer_def *def) {
    *def = params_bold_def;
}

TEST(teams_have_their_ways) {
    params_load(t, "bold.json", &params_bold_def);
    CHECK_INT(params_bold_def.red.line_up, SOCCER_LINE_UP_BOLD);
    CHECK_INT(params_bold_def.blue.line_up, SOCCER_LINE_UP_CAUTIOUS);
    double middle[SOCCER_TEAMS] = {0, 0};
    int64_t potshots[SOCCER_TEAMS] = {0, 0};
    for (uint64_t seed = 1; seed <= 4; seed++) {
        soccer_scene scene;
        soccer_scene_begin(t, &scene, seed, params_bold);
        for (int32_t i = 0; i < 4000; i++) {
            soccer_scene_run(t, &scene, 1);
            soccer_scene_check(t, &scene);
            for (int32_t k = 0; k < SOCCER_PLAYERS; k++) {
                const soccer_player *player = &scene.match->players[k];
                middle[player->team] +=
                    (double)(player->body.position.x * scene.match->teams[player->team].side);
            }
        }
        for (int32_t i = 0; i < SOCCER_TEAMS; i++) potshots[i] += scene.match->teams[i].potshots;
        soccer_scene_end(&scene);
    }
    // The bold stand farther up the pitch and try their luck.
    CHECK(middle[0] > middle[1] + 5.0 * 16000.0 * 2.0);
    CHECK(potshots[0] > 0);
    CHECK_INT(potshots[1], 0);
}

TEST(parameters_change_while_it_plays) {
    soccer_scene scene;
    soccer_scene_begin(t, &scene, 2, NULL);
    soccer_scene_run(t, &scene, 500);
    scene.def.goal_width = 20;
    scene.def.kick_rate = 2;
    scene.def.red.spot_rate = 10;
    soccer_scene_run(t, &scene, 1);
    CHECK_NEAR(scene.match->teams[0].their_goal.post_b.y, 10, 0);
    CHECK_NEAR(scene.match->players[7].kick_limit.period, 0.5, 0);
    CHECK_NEAR(scene.match->teams[0].search.limit.period, 0.1, 1e-6);
    CHECK_NEAR(scene.match->teams[1].search.limit.period, 1, 1e-6);
    for (int32_t i = 0; i < 1000; i++) {
        soccer_scene_run(t, &scene, 1);
        soccer_scene_check(t, &scene);
    }
    soccer_scene_end(&scene);
}

TEST(a_ball_that_grows_stays_inside_the_walls) {
    soccer_scene scene;
    soccer_scene_begin(t, &scene, 1, NULL);
    soccer_scene_run(t, &scene, 5);
    soccer_scene_clear(&scene);
    soccer_scene_put(&scene, 0, -31, 17, 0);
    soccer_scene_ball(&scene, -32.4f, 17.4f, 0, 0); // in the corner, in the keeper's hands
    scene.match->players[0].machine.state = SOCCER_PUT_BACK;
    scene.match->players[0].deadline = 1000;
    scene.match->holder = 0;
    scene.def.ball_radius = 1.0f;
    scene.def.red.keeper_min_pass = 70; // nobody is far enough
    soccer_scene_run(t, &scene, 1);
    CHECK_INT(scene.match->holder, 0);
    CHECK_NEAR(scene.match->ball.position.x, -32, 1e-5);
    CHECK_NEAR(scene.match->ball.position.y, 17, 1e-5);
    soccer_scene_end(&scene);
}
