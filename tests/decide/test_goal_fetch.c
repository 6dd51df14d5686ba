// Fetching items: respawn-aware choice (GOA-33), the goal (GOA-15) and weaving (GOA-34).
#include "ploy/decide/goal_fetch.h"

#include "decide/decide_internal.h"
#include "ploy/base/math.h"
#include "tests/test.h"

// 3 m/s: 6 m take 2 s.
TEST(an_item_that_respawns_by_the_time_of_arrival_counts) {
    static const struct {
        const char *row;
        ploy_item_option option;
        bool in_time;
    } rows[] = {
        {"there", {6.0f, 0.0f}, true},
        {"back exactly on arrival", {6.0f, 2.0f}, true},
        {"back a moment later", {6.0f, 2.01f}, false},
        {"never back", {6.0f, INFINITY}, false},
        {"out of reach", {INFINITY, 0.0f}, false},
        {"not a number", {NAN, 0.0f}, false},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        CHECK_INT(ploy_item_in_time(rows[i].option, 3.0f), rows[i].in_time);
    }
    // The near one is away for 2 s more: only a fetcher that is aware of it goes there.
    static const ploy_item_option options[] = {
        {20.0f, 0.0f}, {6.0f, 2.0f}, {3.0f, 2.0f}, {20.0f, 0.0f}};
    CHECK_INT(ploy_item_choose(options, 4, 3.0f, true), 1);
    CHECK_INT(ploy_item_choose(options, 4, 3.0f, false), 0); // of equals the first
    CHECK_INT(ploy_item_choose(options + 2, 1, 3.0f, true), -1);
    CHECK_INT(ploy_item_choose(NULL, 0, 3.0f, true), -1);
}

typedef struct shop {
    ploy_vec2 at, to;
    ploy_goal_steer how;
    ploy_goal_item_state state;
    bool none;
    ploy_direct_paths *paths;
    ploy_path_service service;
    ploy_goal_mover mover;
    ploy_goals *goals;
    ploy_step_context context;
} shop;

static ploy_vec2 shop_position(void *user) {
    return ((shop *)user)->at;
}

static void shop_steer(void *user, ploy_goal_steer how, ploy_vec2 target, float speed) {
    shop *s = user;
    (void)speed;
    s->how = how;
    s->to = target;
}

static bool shop_find(void *user, ploy_name kind, ploy_goal_item *out) {
    const shop *s = user;
    out->place = ploy_vec2_make(3.0f, 0.0f);
    out->item.index = 7;
    out->item.generation = 1;
    return !s->none && ploy_name_equal(kind, ploy_name_of("health"));
}

static ploy_goal_item_state shop_item(void *user, const ploy_goal_item *item) {
    return item->item.index == 7 ? ((shop *)user)->state : PLOY_GOAL_ITEM_GONE;
}

static void shop_begin(test_context *t, shop *s, const char *kind, const ploy_env *env) {
    memset(s, 0, sizeof *s);
    ploy_direct_paths_def paths = ploy_direct_paths_def_default();
    CHECK_OK(ploy_direct_paths_create(&paths, NULL, env, &s->paths));
    s->service = ploy_direct_paths_service(s->paths);
    s->mover = ploy_goal_mover_make(&s->service, env);
    s->mover.position = shop_position;
    s->mover.steer = shop_steer;
    s->mover.find_item = shop_find;
    s->mover.item = shop_item;
    s->mover.user = s;
    s->context = ploy_step_context_make(ploy_agent_id_make(1, 1), NULL, 0.1f);
    ploy_goals_def def = ploy_goals_def_default();
    CHECK_OK(ploy_goals_create(&def, &s->mover, env, &s->goals));
    CHECK_OK(ploy_goal_moves_register(s->goals));
    CHECK_OK(ploy_goal_fetch_register(s->goals));
    ploy_goal_item_params params = {ploy_name_of(kind), 1.0f, 0};
    CHECK_OK(ploy_goals_add(s->goals, &s->context, ploy_goals_root(s->goals), PLOY_GOAL_FRONT,
                            ploy_goal_get_item(), &params, sizeof params, NULL));
}

static ploy_goal_status shop_tick(test_context *t, shop *s) {
    ploy_goal_status status = PLOY_GOAL_ACTIVE;
    CHECK_OK(ploy_goals_step(s->goals, &s->context, &status));
    CHECK_OK(ploy_path_service_step(&s->service, NULL));
    ploy_vec2 line = ploy_vec2_sub(s->to, s->at);
    if (s->how != PLOY_GOAL_STEER_NONE && ploy_vec2_length(line) > 0.3f) {
        s->at = ploy_vec2_add_scaled(s->at, ploy_vec2_normalise(line), 0.3f);
    }
    ploy_step_context_next(&s->context);
    return status;
}

static void shop_end(shop *s) {
    ploy_goals_destroy(s->goals);
    ploy_direct_paths_destroy(s->paths);
}

TEST(an_item_is_fetched_missed_or_awaited) {
    ploy_env env = ploy_env_default();
    shop s;
    shop_begin(t, &s, "health", &env);
    for (int32_t i = 0; i < 5; i++) CHECK_INT(shop_tick(t, &s), PLOY_GOAL_ACTIVE);
    CHECK(s.at.x > 0.5f);
    s.state = PLOY_GOAL_ITEM_TAKEN;
    CHECK_INT(shop_tick(t, &s), PLOY_GOAL_COMPLETED);
    shop_end(&s);
    t->row = "somebody else takes it on the way";
    shop_begin(t, &s, "health", &env);
    for (int32_t i = 0; i < 5; i++) CHECK_INT(shop_tick(t, &s), PLOY_GOAL_ACTIVE);
    s.state = PLOY_GOAL_ITEM_GONE;
    CHECK_INT(shop_tick(t, &s), PLOY_GOAL_FAILED);
    shop_end(&s);
    t->row = "it is not there yet: a second of patience";
    shop_begin(t, &s, "health", &env);
    ploy_goal_status status = PLOY_GOAL_ACTIVE;
    double arrived = 0.0;
    while (status == PLOY_GOAL_ACTIVE) {
        CHECK(s.context.now < 5.0);
        status = shop_tick(t, &s);
        if (arrived == 0.0 && ploy_vec2_distance(s.at, ploy_vec2_make(3.0f, 0.0f)) < 0.5f) {
            arrived = s.context.now;
        }
    }
    CHECK_INT(status, PLOY_GOAL_FAILED);
    CHECK(arrived > 0.0 && s.context.now - arrived > 0.9 && s.context.now - arrived < 1.6);
    shop_end(&s);
    t->row = "there is none of the kind";
    shop_begin(t, &s, "railgun", &env);
    CHECK_INT(shop_tick(t, &s), PLOY_GOAL_FAILED);
    shop_end(&s);
}

TEST(a_weaving_agent_leaves_the_line_and_still_arrives) {
    ploy_vec2 at = {0.0f, 0.0f}, to = {20.0f, 0.0f};
    float least = 0.0f, most = 0.0f;
    int32_t ticks = 0;
    for (; ploy_vec2_distance(at, to) > 0.1f; ticks++) {
        CHECK(ticks < 600);
        ploy_vec2 steer = ploy_goal_weave(at, to, (double)ticks / 60.0, 0.75f, 1.0f);
        ploy_vec2 line = ploy_vec2_sub(steer, at);
        CHECK(ploy_vec2_normalise(line).x > 0.8f);
        at = ploy_vec2_add_scaled(at, ploy_vec2_normalise(line), 0.05f);
        least = ploy_minf(least, at.y);
        most = ploy_maxf(most, at.y);
    }
    CHECK(most > 0.15f && least < -0.05f); // both sides of the line
    CHECK(ticks < 500);                    // 400 in a straight line
    // Near the item, and without a width, it goes straight.
    CHECK_SAME(ploy_goal_weave(at, ploy_vec2_make(at.x + 1.0f, 5.0f), 0.3, 0.75f, 0.0f).y, 5.0f);
    ploy_vec2 near = ploy_vec2_make(at.x + 1.0f, at.y);
    CHECK_SAME(ploy_goal_weave(at, near, 0.3, 0.75f, 1.0f).x, near.x);
}
