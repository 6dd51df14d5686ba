// The support spots of Simple Soccer.
#include <stdlib.h>

#include "tests/games/soccer_test.h"

TEST(spots_are_a_grid_in_the_opponents_half) { // SOC-12
    static const double columns[] = {624.154, 578.462, 532.769, 487.077, 441.385};
    static const double rows[] = {80, 128, 176, 224, 272, 320};
    for (int32_t c = 0; c < SOCCER_SPOT_COLUMNS; c++) {
        for (int32_t r = 0; r < SOCCER_SPOT_ROWS; r++) {
            ploy_vec2 red = soccer_spot(1.0f, c * SOCCER_SPOT_ROWS + r);
            ploy_vec2 blue = soccer_spot(-1.0f, c * SOCCER_SPOT_ROWS + r);
            CHECK_NEAR(red.x, (columns[c] - 350.0) / 10.0, 1e-3);
            CHECK_NEAR(red.y, (rows[r] - 200.0) / 10.0, 1e-3);
            CHECK_NEAR(blue.x, -red.x, 0);
        }
    }
}

TEST(the_score_by_distance_peaks_and_fades) { // SOC-12
    static const double rows[][2] = {{0, 0},      {50, 0.5},  {100, 1}, {150, 1.5},
                                     {200, 2},    {250, 1.5}, {300, 1}, {350, 0.5},
                                     {399, 0.01}, {400, 0},   {500, 0}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        CHECK_NEAR(soccer_spot_distance_score((float)rows[i][0], 200.0f, 2.0f), rows[i][1], 1e-5);
    }
}

TEST(the_best_spot_has_the_highest_score_and_is_looked_for_once_a_second) {
    soccer_scene scene;
    soccer_scene_begin(t, &scene, 3, NULL);
    int32_t looks = 0, attacks = 0;
    float before[SOCCER_SPOTS] = {0};
    for (int32_t i = 0; i < 6000; i++) {
        soccer_scene_run(t, &scene, 1);
        const soccer_team *team = &scene.match->teams[0];
        if (team->best_spot == SOCCER_NOBODY) continue;
        attacks += team->machine.state == SOCCER_ATTACK ? 1 : 0;
        looks += memcmp(before, team->spot_scores, sizeof before) != 0 ? 1 : 0;
        memcpy(before, team->spot_scores, sizeof before);
        for (int32_t k = 0; k < SOCCER_SPOTS; k++) {
            CHECK(team->spot_scores[k] <= team->spot_scores[team->best_spot]);
            CHECK(team->spot_scores[k] >= 1.0f && team->spot_scores[k] <= 6.0f);
            if (k < team->best_spot) {
                CHECK(team->spot_scores[k] < team->spot_scores[team->best_spot]);
            }
        }
    }
    CHECK(attacks > 600);
    CHECK(looks > attacks / 60 / 2);
    CHECK(looks < attacks / 60 * 2 + 20); // more than once a second only after kick-offs
    soccer_scene_end(&scene);
}

// A search to its end, at once; the parts of each score by themselves.
static const soccer_team *spots_search(soccer_scene *scene, ploy_sim_context *context) {
    soccer_team *team = &scene->match->teams[0];
    memset(context, 0, sizeof *context);
    context->key = scene->key;
    scene->match->context = context;
    team->best_spot = SOCCER_NOBODY; // none is known: it looks at once
    team->search.searching = false;
    soccer_spots_think(scene->match, 0, &team->search, NULL, NULL);
    soccer_spots_publish(team);
    scene->match->context = NULL;
    return team;
}

// Red 1 has the ball at the origin, blue stands as a test puts it; nobody supports yet.
static void spots_scene(test_context *t, soccer_scene *scene) {
    soccer_scene_begin(t, scene, 3, NULL);
    soccer_scene_run(t, scene, 2);
    for (int32_t i = 0; i < SOCCER_PLAYERS; i++) {
        soccer_scene_put(scene, i, -32, i % 2 == 0 ? 17.0f : -17.0f, 0); // behind everything
    }
    soccer_scene_put(scene, 1, 0, 0, 0);
    soccer_scene_ball(scene, 0, 0, 0, 0);
    soccer_set_control(scene->match, &scene->match->teams[0], 1);
    scene->match->teams[0].supporting = SOCCER_NOBODY;
}

TEST(a_spot_scores_for_a_safe_pass_a_shot_and_its_distance) { // SOC-12: 1, 2, 3
    soccer_scene scene;
    ploy_sim_context context;
    spots_scene(t, &scene);
    const soccer_team *red = spots_search(&scene, &context);
    int32_t reached = 0;
    for (int32_t i = 0; i < SOCCER_SPOTS; i++) {
        // Nobody is in the way: a pass of 18 m/s rolls 30 m, a shot of 36 always gets there.
        ploy_vec2 spot = soccer_spot(1.0f, i);
        bool near = ploy_vec2_length(spot) < 18.0f * 18.0f / (2.0f * 5.4f);
        CHECK_NEAR(red->spot_scores[i], 1.0 + (near ? 2.0 : 0.0) + 1.0, 1e-5);
        reached += near ? 1 : 0;
    }
    CHECK(reached > 10);
    // Ties keep the earlier spot: the first that a pass reaches.
    int32_t first = 0;
    while (red->spot_scores[first] < 4.0f) first++;
    CHECK_INT(red->best_spot, first);
    // With a supporter the distance counts: twice (20 - |20 - d|) / 20.
    scene.match->teams[0].supporting = 2;
    scene.match->players[2].machine.state = SOCCER_SUPPORT;
    red = spots_search(&scene, &context);
    for (int32_t i = 0; i < SOCCER_SPOTS; i++) {
        float distance = ploy_vec2_length(soccer_spot(1.0f, i));
        bool near = distance < 30.0f;
        float part = 2.0f * fmaxf(0.0f, 20.0f - fabsf(20.0f - distance)) / 20.0f;
        CHECK_NEAR(red->spot_scores[i], 2.0 + (near ? 2.0 : 0.0) + (double)part, 1e-4);
    }
    soccer_scene_end(&scene);
}

TEST(opponents_in_the_way_take_pass_and_shot_away) { // SOC-12: 1, 2
    soccer_scene scene;
    ploy_sim_context context;
    spots_scene(t, &scene);
    soccer_scene_put(&scene, 5, 32.5f, -3, 0); // three before their goal: no shot goes in
    soccer_scene_put(&scene, 6, 32.5f, 0, 0);
    soccer_scene_put(&scene, 7, 32.5f, 3, 0);
    soccer_scene_put(&scene, 8, 2, 0, 0); // one right before the ball's player
    const soccer_team *red = spots_search(&scene, &context);
    int32_t passes = 0, cut = 0;
    for (int32_t i = 0; i < SOCCER_SPOTS; i++) {
        ploy_vec2 spot = soccer_spot(1.0f, i);
        soccer_pass_ask ask = {ploy_vec2_make(0, 0), spot, 18.0f, 5.4f, false, {0, 0}};
        bool safe = soccer_pass_safe(scene.match, red, &ask, NULL);
        CHECK_INT((red->search.parts[i] & SOCCER_SPOT_PASS) != 0, safe);
        CHECK(red->spot_scores[i] >= 1.0f + (safe ? 2.0f : 0.0f));
        CHECK(red->spot_scores[i] <= 2.0f + (safe ? 2.0f : 0.0f));
        passes += safe ? 1 : 0;
        cut += fabsf(spot.y) < 5.0f && !safe ? 1 : 0;
    }
    CHECK(cut >= 5); // straight ahead, behind the opponent
    CHECK(passes < SOCCER_SPOTS - cut + 1);
    soccer_scene_end(&scene);
}

TEST(a_search_in_slices_finds_the_same_spot) {
    soccer_scene scene;
    ploy_sim_context context;
    spots_scene(t, &scene);
    soccer_scene_put(&scene, 6, 10, 4, 0);
    spots_search(&scene, &context);
    float whole[SOCCER_SPOTS];
    soccer_team *red = &scene.match->teams[0];
    memcpy(whole, red->spot_scores, sizeof whole);
    int32_t best = red->best_spot, turns = 0;
    memset(red->spot_scores, 0, sizeof red->spot_scores);
    scene.match->context = &context;
    red->best_spot = SOCCER_NOBODY;
    red->search.draws = 0;
    for (; red->best_spot == SOCCER_NOBODY && turns < 100; turns++) {
        ploy_budget budget = ploy_budget_units(10);
        soccer_spots_think(scene.match, 0, &red->search, &budget, NULL);
        soccer_spots_publish(red);
    }
    scene.match->context = NULL;
    CHECK(turns > 3 && turns < 30);
    CHECK_INT(red->best_spot, best);
    CHECK_BYTES(red->spot_scores, whole, sizeof whole);
    // Nobody has the ball: what was known stays.
    red->controlling = SOCCER_NOBODY;
    soccer_spots_think(scene.match, 0, &red->search, NULL, NULL);
    soccer_spots_publish(red);
    CHECK_INT(red->best_spot, best);
    soccer_scene_end(&scene);
}

// A trace that adds up the points that the reasons of spots name.
typedef struct spots_reasons {
    bool inside;
    int32_t options, wrong, ahead;
    char first[200];
} spots_reasons;

static void reasons_begin(void *user, ploy_id agent, const char *topic, const char *technique) {
    spots_reasons *seen = user;
    (void)agent, (void)technique;
    seen->inside = strcmp(topic, "support spot") == 0;
}
static void reasons_option(void *user, const char *name, ploy_outcome outcome, double score,
                           const char *reason) {
    spots_reasons *seen = user;
    (void)outcome;
    if (!seen->inside) return;
    double sum = 1.0; // every spot has that much
    for (const char *at = strchr(reason, '('); at != NULL; at = strchr(at + 1, '(')) {
        sum += strtod(at + 1, NULL);
    }
    const char *part = strstr(reason, "closeness "), *of = strstr(reason, " of ");
    part = part != NULL ? part + 10 : strstr(reason, "distance ") + 9;
    sum += strtod(part, NULL);
    seen->options++;
    seen->ahead += strstr(reason, "ahead") != NULL ? 1 : 0;
    if (fabs(sum - score) < 0.01 && of != NULL) return;
    if (seen->wrong++ == 0) {
        snprintf(seen->first, sizeof seen->first, "%s has %g: %s", name, score, reason);
    }
}
static void reasons_value(void *user, const char *name, const ploy_value *value) {
    (void)user, (void)name, (void)value;
}
static void reasons_note(void *user, const char *text) {
    (void)user, (void)text;
}
static void reasons_end(void *user) {
    spots_reasons *seen = user;
    seen->inside = false;
}

static void reasons_all_parts(soccer_def *def) {
    def->red.spot_closeness = def->blue.spot_closeness = 1.5f;
    def->red.spot_ahead = def->blue.spot_ahead = 0.75f;
}

TEST(the_reason_of_a_spot_names_all_its_points) {
    for (int32_t i = 0; i < 2; i++) {
        spots_reasons seen;
        memset(&seen, 0, sizeof seen);
        ploy_trace trace = {reasons_begin, reasons_option, reasons_value,
                            reasons_note,  reasons_end,    &seen};
        soccer_scene scene;
        soccer_scene_begin(t, &scene, 7, i == 0 ? NULL : reasons_all_parts);
        for (int32_t k = 0; k < 1500; k++) soccer_scene_tick(t, &scene, NULL, 0, &trace);
        CHECK(seen.options >= 5 * SOCCER_SPOTS);
        CHECK_INT(seen.ahead > 0, i);
        CHECK_TEXT(seen.first, "");
        soccer_scene_end(&scene);
    }
}
