// Attack, hunt and dodge: scenarios S4 to S7 with a fighter whose knowledge the test sets.
#include "ploy/decide/goal_fight.h"

#include "decide/decide_internal.h"
#include "ploy/base/math.h"
#include "tests/test.h"

typedef struct arena {
    ploy_vec2 at, to;
    ploy_goal_steer how;
    bool has_target, held;
    bool room[2]; // to the right, to the left
    ploy_goal_target target;
    int32_t explored;
    ploy_direct_paths *paths;
    ploy_path_service service;
    ploy_goal_mover mover;
    ploy_goals *goals;
    ploy_step_context context;
} arena;

static ploy_vec2 arena_position(void *user) {
    return ((arena *)user)->at;
}

static void arena_steer(void *user, ploy_goal_steer how, ploy_vec2 target, float speed) {
    arena *a = user;
    (void)speed;
    a->how = how;
    a->to = target;
}

static bool arena_target(void *user, ploy_goal_target *out) {
    *out = ((arena *)user)->target;
    return ((arena *)user)->has_target;
}

// The target is to the east, so that left is north.
static bool arena_side_step(void *user, int32_t side, ploy_vec2 *out) {
    const arena *a = user;
    *out = ploy_vec2_make(a->at.x, a->at.y + (float)side);
    return a->room[side > 0 ? 1 : 0];
}

static bool arena_explore(void *user, ploy_step_context *context, ploy_vec2 *out) {
    arena *a = user;
    (void)context;
    *out = ploy_vec2_make(-5.0f, (float)++a->explored);
    return true;
}

static void arena_begin(test_context *t, arena *a, const ploy_env *env) {
    memset(a, 0, sizeof *a);
    ploy_direct_paths_def paths = ploy_direct_paths_def_default();
    CHECK_OK(ploy_direct_paths_create(&paths, NULL, env, &a->paths));
    a->service = ploy_direct_paths_service(a->paths);
    a->mover = ploy_goal_mover_make(&a->service, env);
    a->mover.position = arena_position;
    a->mover.steer = arena_steer;
    a->mover.target = arena_target;
    a->mover.side_step = arena_side_step;
    a->mover.explore = arena_explore;
    a->mover.user = a;
    a->has_target = true;
    a->room[0] = a->room[1] = true;
    a->target.place = ploy_vec2_make(8.0f, 0.0f);
    a->target.known = a->target.shootable = true;
    a->context = ploy_step_context_make(ploy_agent_id_make(3, 1), NULL, 0.1f);
    ploy_goals_def def = ploy_goals_def_default();
    CHECK_OK(ploy_goals_create(&def, &a->mover, env, &a->goals));
    CHECK_OK(ploy_goal_moves_register(a->goals));
    CHECK_OK(ploy_goal_fight_register(a->goals));
    CHECK_OK(ploy_goals_add(a->goals, &a->context, ploy_goals_root(a->goals), PLOY_GOAL_FRONT,
                            ploy_goal_attack(), NULL, 0, NULL));
}

static void arena_end(arena *a) {
    ploy_goals_destroy(a->goals);
    ploy_direct_paths_destroy(a->paths);
}

static ploy_goal_status arena_tick(test_context *t, arena *a) {
    ploy_goal_status status = PLOY_GOAL_ACTIVE;
    CHECK_OK(ploy_goals_step(a->goals, &a->context, &status));
    CHECK_OK(ploy_path_service_step(&a->service, NULL));
    ploy_vec2 line = ploy_vec2_sub(a->to, a->at);
    float length = ploy_vec2_length(line), step = 0.3f;
    if (!a->held && (a->how == PLOY_GOAL_STEER_SEEK || a->how == PLOY_GOAL_STEER_ARRIVE)) {
        a->at =
            length <= step ? a->to : ploy_vec2_add_scaled(a->at, ploy_vec2_normalise(line), step);
    }
    ploy_step_context_next(&a->context);
    return status;
}

// The name of the goal so many levels below the root, along the front chain.
static const char *arena_front(const arena *a, int32_t depth) {
    ploy_goal goal = ploy_goals_root(a->goals);
    for (int32_t i = 0; i < depth; i++) goal = ploy_goals_first(a->goals, goal);
    const ploy_goal_type *type = ploy_goals_type_of(a->goals, goal);
    return type != NULL ? type->name : "";
}

TEST(an_attacker_dodges_charges_or_hunts) {
    static const struct {
        const char *row;
        bool shootable, right, left;
        const char *subgoal;
    } rows[] = {
        {"S4: in view, room on the right", true, true, false, "dodge side to side"},
        {"in view, room on the left", true, false, true, "dodge side to side"},
        {"S5: in view, walls on both sides", true, false, false, "seek"},
        {"S6: remembered but out of view", false, true, true, "hunt"},
    };
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        arena a;
        arena_begin(t, &a, &env);
        a.target.shootable = rows[i].shootable;
        a.room[0] = rows[i].right;
        a.room[1] = rows[i].left;
        CHECK_INT(arena_tick(t, &a), PLOY_GOAL_ACTIVE);
        CHECK_TEXT(arena_front(&a, 1), "attack");
        CHECK_TEXT(arena_front(&a, 2), rows[i].subgoal);
        if (i == 2) { // to where the target was at activation
            a.target.place = ploy_vec2_make(20.0f, 20.0f);
            CHECK_INT(arena_tick(t, &a), PLOY_GOAL_ACTIVE);
            CHECK_SAME(a.to.x, 8.0f);
        }
        arena_end(&a);
    }
}

// S7: the target dies; the attack is completed when it plans again, or at once if it hunts.
TEST(an_attack_without_a_target_is_completed) {
    ploy_env env = ploy_env_default();
    arena a;
    arena_begin(t, &a, &env);
    a.has_target = false;
    CHECK_INT(arena_tick(t, &a), PLOY_GOAL_COMPLETED);
    arena_end(&a);
    for (int32_t hunts = 0; hunts < 2; hunts++) {
        arena_begin(t, &a, &env);
        a.target.shootable = hunts == 0;
        for (int32_t i = 0; i < 5; i++) CHECK_INT(arena_tick(t, &a), PLOY_GOAL_ACTIVE);
        a.has_target = false;
        CHECK_INT(arena_tick(t, &a), PLOY_GOAL_COMPLETED);
        CHECK_INT(arena_tick(t, &a), PLOY_GOAL_COMPLETED);
        CHECK_INT(ploy_goals_count(a.goals), 0);
        CHECK_INT(a.how, PLOY_GOAL_STEER_NONE);
        arena_end(&a);
    }
}

TEST(a_dodger_goes_to_both_sides_and_fails_without_room) {
    ploy_env env = ploy_env_default();
    arena a;
    arena_begin(t, &a, &env);
    float least = 0.0f, most = 0.0f;
    int32_t turns = 0;
    for (int32_t i = 0; i < 60; i++) {
        float before = a.to.y;
        CHECK_INT(arena_tick(t, &a), PLOY_GOAL_ACTIVE);
        if (i > 0 && a.to.y != before) turns++;
        least = ploy_minf(least, a.at.y);
        most = ploy_maxf(most, a.at.y);
    }
    CHECK(turns >= 10);
    CHECK(least > -2.0f && most < 2.0f && most - least > 0.5f);
    // Held fast, it gives the step up and tries the other side.
    a.held = true;
    float to = a.to.y;
    for (int32_t i = 0; i < 20 && a.to.y == to; i++) (void)arena_tick(t, &a);
    CHECK(a.to.y != to);
    // No room any more: the dodge fails and the attack plans a charge.
    a.held = false;
    a.room[0] = a.room[1] = false;
    for (int32_t i = 0; i < 20; i++) CHECK_INT(arena_tick(t, &a), PLOY_GOAL_ACTIVE);
    CHECK_TEXT(arena_front(&a, 2), "seek");
    arena_end(&a);
}

TEST(a_dodge_ends_when_the_target_is_out_of_view) {
    ploy_env env = ploy_env_default();
    arena a;
    arena_begin(t, &a, &env);
    CHECK_INT(arena_tick(t, &a), PLOY_GOAL_ACTIVE);
    a.target.shootable = false;
    CHECK_INT(arena_tick(t, &a), PLOY_GOAL_COMPLETED); // and the brain chooses again
    arena_end(&a);
}

// GOA-12: to the last known place, then anywhere, until it is in view.
TEST(a_hunter_searches_the_last_known_place_and_then_others) {
    ploy_env env = ploy_env_default();
    arena a;
    arena_begin(t, &a, &env);
    a.target.shootable = false;
    CHECK_INT(arena_tick(t, &a), PLOY_GOAL_ACTIVE);
    CHECK_TEXT(arena_front(&a, 3), "move to");
    CHECK_INT(a.explored, 0);
    int32_t ticks = 0;
    while (a.explored == 0) {
        CHECK(++ticks < 100);
        CHECK_INT(arena_tick(t, &a), PLOY_GOAL_ACTIVE);
    }
    CHECK_NEAR(a.at.x, 8.0f, 1.0f); // it came to the place first
    CHECK_TEXT(arena_front(&a, 3), "explore");
    while (a.explored < 2) { // that place is empty too
        CHECK(++ticks < 200);
        CHECK_INT(arena_tick(t, &a), PLOY_GOAL_ACTIVE);
    }
    a.target.place = ploy_vec2_make(2.0f, 2.0f); // heard
    CHECK_INT(arena_tick(t, &a), PLOY_GOAL_ACTIVE);
    CHECK_TEXT(arena_front(&a, 3), "move to");
    a.target.shootable = true;
    CHECK_INT(arena_tick(t, &a), PLOY_GOAL_COMPLETED);
    arena_end(&a);
    // Without a known place it explores from the start.
    arena_begin(t, &a, &env);
    a.target.shootable = a.target.known = false;
    CHECK_INT(arena_tick(t, &a), PLOY_GOAL_ACTIVE);
    CHECK_TEXT(arena_front(&a, 3), "explore");
    arena_end(&a);
}
