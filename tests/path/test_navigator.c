// A character's planner: following, being stuck, goals that move.
#include "path/path_internal.h"
#include "ploy/path/navigator.h"
#include "tests/path/planners_help.h"

typedef struct planned {
    ploy_direct_paths *paths;
    ploy_path_service service;
    ploy_navigator *planner;
} planned;

static planned plan(test_context *t, const ploy_navigator_def *def) {
    ploy_env env = ploy_env_default();
    ploy_direct_paths_def paths = ploy_direct_paths_def_default();
    planned out;
    CHECK_OK(ploy_direct_paths_create(&paths, NULL, &env, &out.paths));
    out.service = ploy_direct_paths_service(out.paths);
    CHECK_OK(ploy_navigator_create(def, &env, &out.planner));
    return out;
}

static void unplan(planned *out) {
    ploy_navigator_destroy(out->planner);
    ploy_direct_paths_destroy(out->paths);
}

TEST(it_waits_follows_and_arrives_edge_by_edge) { // PLN-14
    ploy_navigator_def def = ploy_navigator_def_default();
    CHECK_OK(ploy_fields_check_table(ploy_navigator_fields(), NULL));
    planned it = plan(t, &def);
    ploy_path *path = level_path(t);
    ploy_path_edge swim = {ploy_name_of("swim"), 5.0f, 0.5f, {0, 0}};
    CHECK_OK(ploy_path_append(path, ploy_vec2_make(0, 0), 0, NULL));
    CHECK_OK(ploy_path_append(path, ploy_vec2_make(4, 0), 0, NULL));
    CHECK_OK(ploy_path_append(path, ploy_vec2_make(4, 4), 0, &swim));
    CHECK_OK(ploy_path_append(path, ploy_vec2_make(8, 4), 0, NULL));
    CHECK_OK(ploy_navigator_follow(it.planner, &it.service, path));
    ploy_vec3 at = {0, 0, 0};
    char modes[64] = "";
    int32_t edge = -1;
    for (int32_t i = 0; i < 400; i++) {
        CHECK_OK(ploy_navigator_step(it.planner, &it.service, at, 0.05f));
        if (ploy_navigator_state_of(it.planner) != PLOY_NAVIGATOR_FOLLOWING) break;
        if (ploy_navigator_edge_index(it.planner) != edge) {
            edge = ploy_navigator_edge_index(it.planner);
            bool wet = ploy_navigator_edge(it.planner)->kind.hash == ploy_name_of("swim").hash;
            strcat(modes, wet ? "swim " : "walk ");
        }
        ploy_vec3 toward = ploy_vec3_sub(ploy_navigator_target(it.planner), at);
        float step = ploy_navigator_edge(it.planner)->speed_limit > 0 ? 0.025f : 0.1f;
        at = ploy_vec3_add(at, ploy_vec3_scale(toward, step / ploy_vec3_length(toward)));
    }
    CHECK_TEXT(modes, "walk swim walk ");
    CHECK_INT(ploy_navigator_state_of(it.planner), PLOY_NAVIGATOR_ARRIVED);
    CHECK_INT(ployi_navigator_stats_of(it.planner).stuck_slow, 0);
    ploy_path_destroy(path);
    unplan(&it);
}

// The option that won, and how many there were.
typedef struct navigator_why {
    char won[32];
    int32_t options, reasons;
} navigator_why;

static void navigator_why_begin(void *user, ploy_id agent, const char *topic,
                                const char *technique) {
    (void)user, (void)agent, (void)topic, (void)technique;
}
static void navigator_why_option(void *user, const char *name, ploy_outcome outcome, double score,
                                 const char *reason) {
    navigator_why *why = user;
    (void)score;
    why->options++;
    why->reasons += reason[0] != 0;
    if (outcome == PLOY_OUTCOME_WON) strcpy(why->won, name);
}

TEST(it_explains_what_it_does_and_why_not_the_rest) {
    ploy_navigator_def def = ploy_navigator_def_default();
    planned it = plan(t, &def);
    ploy_agent_id agent = ploy_agent_id_make(1, 1);
    navigator_why why = {"", 0, 0};
    ploy_trace trace = {navigator_why_begin, navigator_why_option, NULL, NULL, NULL, &why};
    ploy_navigator_explain(it.planner, agent, NULL); // nobody listens
    ploy_navigator_explain(it.planner, agent, &trace);
    CHECK_TEXT(why.won, "stay");
    CHECK_INT(why.options, 5);
    CHECK_INT(why.reasons, 5);
    ploy_path *path = level_path(t);
    CHECK_OK(ploy_path_append(path, ploy_vec2_make(0, 0), 0, NULL));
    CHECK_OK(ploy_path_append(path, ploy_vec2_make(4, 0), 0, NULL));
    CHECK_OK(ploy_navigator_follow(it.planner, &it.service, path));
    ploy_navigator_explain(it.planner, agent, &trace);
    CHECK_TEXT(why.won, "follow the path");
    CHECK_OK(ploy_navigator_step(it.planner, &it.service, ploy_vec3_make(4, 0, 0), 0.1f));
    ploy_navigator_explain(it.planner, agent, &trace);
    CHECK_TEXT(why.won, "be there");
    ploy_path_destroy(path);
    unplan(&it);
}

TEST(who_does_not_get_on_is_stuck_after_the_time_and_the_margin) { // PLN-30
    ploy_navigator_def def = ploy_navigator_def_default();
    def.max_speed = 60.0f; // 50 at 1 a tick and 60 Hz: 0.833 s and 2 s
    def.stall = 1000.0f;
    def.tries = 10;
    planned it = plan(t, &def);
    ploy_path_request request = level_ask(ploy_vec3_make(0, 0, 0), ploy_vec3_make(50, 0, 0));
    CHECK_OK(ploy_navigator_begin(it.planner, &it.service, &request));
    CHECK_INT(ploy_navigator_state_of(it.planner), PLOY_NAVIGATOR_WAITING);
    CHECK_NEAR(ploy_navigator_target(it.planner).x, 50, 0); // meanwhile straight on
    CHECK_OK(ploy_path_service_step(&it.service, NULL));
    float stuck_at = -1;
    for (int32_t i = 1; i < 300 && stuck_at < 0; i++) {
        CHECK_OK(ploy_navigator_step(it.planner, &it.service, ploy_vec3_make(1, 0, 0), 1.0f / 60));
        if (ployi_navigator_stats_of(it.planner).stuck_slow > 0) stuck_at = (float)i / 60.0f;
    }
    CHECK_NEAR(stuck_at, 2.833, 0.04);
    CHECK_INT(ployi_navigator_stats_of(it.planner).requests, 2); // asked again
    unplan(&it);
    def.stall = 0.5f;
    def.margin = 1000.0f;
    def.tries = 2;
    it = plan(t, &def);
    CHECK_OK(ploy_navigator_begin(it.planner, &it.service, &request));
    for (int32_t i = 0; i < 200; i++) {
        CHECK_OK(ploy_path_service_step(&it.service, NULL));
        CHECK_OK(ploy_navigator_step(it.planner, &it.service, ploy_vec3_make(1, 0, 0), 1.0f / 60));
    }
    CHECK(ployi_navigator_stats_of(it.planner).stuck_stall >= 2);
    CHECK_INT(ploy_navigator_state_of(it.planner), PLOY_NAVIGATOR_FAILED);
    unplan(&it);
}

static bool never(void *user, ploy_vec3 from, ploy_vec3 to) {
    (void)user;
    (void)from;
    (void)to;
    return false;
}

TEST(goals_that_move_and_ways_that_close_are_asked_for_again_but_not_too_often) { // PTH-36, NTU-16
    ploy_navigator_def def = ploy_navigator_def_default();
    def.replan_wait = 0.5f;
    planned it = plan(t, &def);
    ploy_path_request request = level_ask(ploy_vec3_make(0, 0, 0), ploy_vec3_make(50, 0, 0));
    CHECK_OK(ploy_navigator_begin(it.planner, &it.service, &request));
    for (int32_t i = 0; i < 60; i++) { // one second; the goal runs at 10 m/s
        CHECK_OK(ploy_path_service_step(&it.service, NULL));
        ploy_navigator_set_goal(it.planner, ploy_vec3_make(50 + (float)i / 6.0f, 0, 0));
        CHECK_OK(ploy_navigator_step(it.planner, &it.service,
                                     ploy_vec3_make((float)i / 30.0f, 0, 0), 1.0f / 60));
    }
    int32_t asked = ployi_navigator_stats_of(it.planner).requests; // not once for each metre
    CHECK(asked >= 2 && asked <= 3);
    CHECK(ployi_navigator_stats_of(it.planner).moved >= 1);
    CHECK(!ploy_navigator_check(it.planner, never, NULL) ||
          ploy_navigator_state_of(it.planner) == PLOY_NAVIGATOR_WAITING);
    ploy_navigator_cancel(it.planner, &it.service);
    CHECK_INT(ploy_navigator_state_of(it.planner), PLOY_NAVIGATOR_IDLE);
    CHECK_INT(ploy_navigator_step(it.planner, &it.service, ploy_vec3_make(NAN, 0, 0), 0.1f),
              PLOY_ERR_ARGUMENT);
    unplan(&it);
}

static ploy_result make_planner(const ploy_env *env, void *arg) {
    ploy_navigator_def def = ploy_navigator_def_default();
    ploy_navigator *planner = NULL;
    (void)arg;
    ploy_result result = ploy_navigator_create(&def, env, &planner);
    ploy_navigator_destroy(planner);
    return result;
}

TEST(a_planner_survives_every_failing_allocation) {
    CHECK_FAIL_NTH(make_planner, NULL);
}

static bool is_item(void *user, int32_t state) {
    const int32_t *items = user;
    return state == items[0] || state == items[1];
}

TEST(it_fetches_the_nearest_item) { // PLN-24
    tile_level level;
    tile_level_make(t, 20, 0.0f, 1, &level);
    for (int32_t y = 0; y < 18; y++) CHECK_OK(ploy_tiles_set(level.tiles, y * 20 + 4, 0));
    ploy_env env = ploy_env_default();
    ploy_planners_def planners_def = ploy_planners_def_default();
    ploy_navigator_def def = ploy_navigator_def_default();
    ploy_planners *planners = NULL;
    ploy_navigator *mind = NULL;
    CHECK_OK(level_planners(&planners_def, &level.representation, &env, &planners));
    CHECK_OK(ploy_navigator_create(&def, &env, &mind));
    ploy_path_service service = ploy_planners_service(planners);
    int32_t items[2] = {5, 12 * 20 + 1}; // the first is next door, but behind the wall
    ploy_path_request request = level_ask_cells(&level, 0, 0);
    ploy_path_options options = ploy_path_options_make();
    CHECK_INT(ploy_navigator_begin_options(mind, planners, &request, NULL), PLOY_ERR_ARGUMENT);
    options.is_goal = is_item;
    options.user = items;
    CHECK_OK(ploy_navigator_begin_options(mind, planners, &request, &options));
    ploy_vec3 at = request.from;
    CHECK_NEAR(ploy_navigator_target(mind).x, at.x, 1e-6); // it does not know where to go yet
    ploy_navigator_set_goal(mind, ploy_vec3_make(19, 19, 0));
    for (int32_t i = 0; i < 400; i++) {
        ploy_budget budget = ploy_budget_units(16);
        CHECK(ploy_path_service_step(&service, &budget) >= 0);
        CHECK_OK(ploy_navigator_step(mind, &service, at, 0.1f));
        if (ploy_navigator_state_of(mind) == PLOY_NAVIGATOR_ARRIVED) break;
        ploy_vec2 next = ploy_vec2_toward(ploy_vec2_from_vec3(at),
                                          ploy_vec2_from_vec3(ploy_navigator_target(mind)), 0.2f);
        at = ploy_vec3_from_vec2(next, 0.0f);
    }
    CHECK_INT(ploy_navigator_state_of(mind), PLOY_NAVIGATOR_ARRIVED);
    CHECK_INT(ploy_tiles_quantise(level.tiles, ploy_vec2_from_vec3(at)), items[1]);
    CHECK_INT(ployi_navigator_stats_of(mind).requests, 1);
    ploy_navigator_destroy(mind);
    ploy_planners_destroy(planners);
    ploy_tiles_destroy(level.tiles);
}

// A path with a corner, walked with the velocities that the navigator asks for.
TEST(the_velocity_keeps_its_speed_round_corners_and_slows_down_at_the_end) {
    ploy_navigator_def def = ploy_navigator_def_default();
    def.max_speed = 3.2f;
    planned it = plan(t, &def);
    ploy_path *path = level_path(t);
    CHECK_OK(ploy_path_append(path, ploy_vec2_make(0, 0), 0, NULL));
    CHECK_OK(ploy_path_append(path, ploy_vec2_make(20, 0), 0, NULL));
    CHECK_OK(ploy_path_append(path, ploy_vec2_make(20, 20), 0, NULL));
    CHECK_NEAR(ploy_vec2_length(ploy_navigator_wanted(it.planner, ploy_vec2_make(0, 0), 1.4f)), 0,
               0);
    CHECK_OK(ploy_navigator_follow(it.planner, &it.service, path));
    ploy_vec2 at = {0, 0};
    float last = 0;
    for (int32_t i = 0; i < 4000; i++) {
        CHECK_OK(
            ploy_navigator_step(it.planner, &it.service, ploy_vec3_from_vec2(at, 0), 1.0f / 60));
        if (ploy_navigator_state_of(it.planner) != PLOY_NAVIGATOR_FOLLOWING) break;
        ploy_vec2 wanted = ploy_navigator_wanted(it.planner, at, 1.4f);
        last = ploy_vec2_length(wanted);
        if (ploy_vec2_distance(at, ploy_vec2_make(20, 20)) > 1) CHECK_NEAR(last, 1.4f, 1e-3);
        at = ploy_vec2_add(at, ploy_vec2_scale(wanted, 1.0f / 60));
    }
    CHECK_INT(ploy_navigator_state_of(it.planner), PLOY_NAVIGATOR_ARRIVED);
    CHECK(last < 1.0f);
    // Slower than max_speed all the time, and never taken for stuck.
    CHECK_INT(ployi_navigator_stats_of(it.planner).stuck_slow, 0);
    CHECK_INT(ployi_navigator_stats_of(it.planner).stuck_stall, 0);
    ploy_path_destroy(path);
    unplan(&it);
}

TEST(a_trip_that_is_over_does_not_cancel_the_next_one) {
    ploy_navigator_def def = ploy_navigator_def_default();
    planned it = plan(t, &def);
    CHECK_UINT(ploy_navigator_trip(it.planner), 0);
    ploy_path_request request = level_ask(ploy_vec3_make(0, 0, 0), ploy_vec3_make(50, 0, 0));
    CHECK_OK(ploy_navigator_begin(it.planner, &it.service, &request));
    uint32_t first = ploy_navigator_trip(it.planner);
    CHECK_OK(ploy_navigator_begin(it.planner, &it.service, &request));
    CHECK(!ploy_navigator_cancel_trip(it.planner, &it.service, first));
    CHECK(!ploy_navigator_cancel_trip(it.planner, &it.service, 0));
    CHECK_INT(ploy_navigator_state_of(it.planner), PLOY_NAVIGATOR_WAITING);
    CHECK(ploy_navigator_cancel_trip(it.planner, &it.service, ploy_navigator_trip(it.planner)));
    CHECK_INT(ploy_navigator_state_of(it.planner), PLOY_NAVIGATOR_IDLE);
    unplan(&it);
}
