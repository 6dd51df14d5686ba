// Goals that move a character: the scenarios of the catalog with a mover that can be held fast.
#include "decide/decide_internal.h"
#include "ploy/decide/goal_moves.h"
#include "tests/test.h"

// A body on a plane, and a path service that answers after so many polls with a path of given
// points.
typedef struct world {
    ploy_vec2 at, target;
    ploy_goal_steer how;
    float limit; // of the last steer
    bool held;
    int32_t requests, cancels, wait, polls;
    ploy_path_outcome answer;
    ploy_vec2 points[8];
    ploy_path_edge edges[8];
    int32_t point_count;
    bool refuse, has_switch, came, over;
    int32_t used, asked;
    ploy_path_service service;
    ploy_goal_mover mover;
    ploy_goals *goals;
    ploy_step_context context;
    ploy_goal root;
} world;

static ploy_vec2 world_position(void *user) {
    return ((world *)user)->at;
}

static void world_steer(void *user, ploy_goal_steer how, ploy_vec2 target, float speed) {
    world *w = user;
    w->how = how;
    w->target = target;
    w->limit = speed;
}

static ploy_result world_request(void *user, const ploy_path_request *request,
                                 ploy_path_ticket *out) {
    world *w = user;
    (void)request;
    if (w->refuse) return PLOY_ERR_CAPACITY;
    w->polls = 0;
    out->id.index = 0;
    out->id.generation = (uint32_t)++w->requests;
    return PLOY_OK;
}

static ploy_result world_poll(void *user, ploy_path_ticket ticket, ploy_path *path,
                              ploy_path_outcome *outcome) {
    world *w = user;
    (void)ticket;
    *outcome = PLOY_PATH_OPEN;
    if (w->polls++ < w->wait) return PLOY_OK;
    *outcome = w->answer;
    for (int32_t i = 0; i < w->point_count && w->answer == PLOY_PATH_FOUND; i++) {
        ploy_result result =
            ploy_path_append(path, w->points[i], 0.0f, i > 0 ? &w->edges[i - 1] : NULL);
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

static ploy_result world_cancel(void *user, ploy_path_ticket ticket) {
    (void)ticket;
    ((world *)user)->cancels++;
    return PLOY_OK;
}

static ploy_result world_work(void *user, ploy_budget *budget) {
    (void)user, (void)budget;
    return PLOY_OK;
}

static bool world_switch(void *user, ploy_id door, ploy_vec2 from, ploy_vec2 *out) {
    world *w = user;
    (void)from;
    *out = ploy_vec2_make(-2.0f, (float)door.index);
    return w->has_switch;
}

static void world_use(void *user, ploy_id mechanism) {
    (void)mechanism;
    ((world *)user)->used++;
}

static bool world_ready(void *user, ploy_id mechanism) {
    (void)mechanism;
    return ((world *)user)->came;
}

static bool world_there(void *user, ploy_id mechanism) {
    (void)mechanism;
    return ((world *)user)->over;
}

static bool world_explore(void *user, ploy_step_context *context, ploy_vec2 *out) {
    world *w = user;
    (void)context;
    *out = ploy_vec2_make(3.0f, 0.0f);
    return w->asked++ == 0;
}

static void world_begin_as(test_context *t, world *w, bool literal, const ploy_env *env) {
    memset(w, 0, sizeof *w);
    ploy_path_service service = {world_request, world_poll, world_cancel, world_work,
                                 NULL,          NULL,       NULL,         w};
    w->service = service;
    w->answer = PLOY_PATH_FOUND;
    w->point_count = 4;
    for (int32_t i = 0; i < 4; i++) w->points[i] = ploy_vec2_make(2.0f * (float)i, 0.0f);
    w->mover = ploy_goal_mover_make(&w->service, env);
    w->mover.position = world_position;
    w->mover.steer = world_steer;
    w->mover.find_switch = world_switch;
    w->mover.use = world_use;
    w->mover.ready = world_ready;
    w->mover.there = world_there;
    w->mover.explore = world_explore;
    w->mover.user = w;
    ploy_goals_def def = ploy_goals_def_default();
    def.literal = literal;
    CHECK_OK(ploy_goals_create(&def, &w->mover, env, &w->goals));
    w->root = ploy_goals_root(w->goals);
}

static void world_begin(test_context *t, world *w, const ploy_env *env) {
    world_begin_as(t, w, false, env);
}

// A tenth of a second: thinks, then moves.
static ploy_goal_status world_tick(test_context *t, world *w) {
    ploy_goal_status status = PLOY_GOAL_ACTIVE;
    CHECK_OK(ploy_goals_step(w->goals, &w->context, &status));
    ploy_vec2 way = ploy_vec2_sub(w->target, w->at);
    float length = ploy_vec2_length(way),
          step = 0.1f * (w->limit > 0.0f ? w->limit : w->mover.speed);
    if (!w->held && (w->how == PLOY_GOAL_STEER_SEEK || w->how == PLOY_GOAL_STEER_ARRIVE)) {
        w->at = length <= step ? w->target
                               : ploy_vec2_add_scaled(w->at, ploy_vec2_normalise(way), step);
    }
    w->context.now += 0.1;
    w->context.tick++;
    return status;
}

static ploy_goal world_move_to(test_context *t, world *w, ploy_goal_place place, float x, float y) {
    ploy_goal_place_params params = {{x, y}};
    ploy_goal goal;
    CHECK_OK(ploy_goals_add(w->goals, &w->context, w->root, place, ploy_goal_move_to(), &params,
                            sizeof params, &goal));
    return goal;
}

static const char *leaf_name(const world *w) {
    const ploy_goal_type *type = ploy_goals_type_of(w->goals, ployi_goals_leaf(w->goals));
    return type != NULL ? type->name : "";
}

// S1: seeks while the planner works, then follows the path edge by edge.
TEST(move_to_seeks_until_its_path_is_there_and_follows_it) {
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    world w;
    world_begin(t, &w, &env);
    w.wait = 2;
    ploy_goal goal = world_move_to(t, &w, PLOY_GOAL_REAR, 6.0f, 0.0f);
    for (int32_t i = 0; i < 2; i++) {
        CHECK_INT(world_tick(t, &w), PLOY_GOAL_ACTIVE);
        CHECK_TEXT(leaf_name(&w), "seek");
        CHECK_INT(w.how, PLOY_GOAL_STEER_ARRIVE);
    }
    CHECK_INT(world_tick(t, &w), PLOY_GOAL_ACTIVE); // the answer: the seek is gone
    CHECK_INT(w.how, PLOY_GOAL_STEER_NONE);
    CHECK_TEXT(leaf_name(&w), "follow path");
    CHECK(!ployi_goals_has(w.goals, ployi_goals_next(w.goals, ploy_goals_first(w.goals, goal))));
    CHECK_INT(world_tick(t, &w), PLOY_GOAL_ACTIVE);
    CHECK_TEXT(leaf_name(&w), "traverse edge");
    CHECK_INT(w.how, PLOY_GOAL_STEER_SEEK);
    int32_t ticks = 0;
    while (world_tick(t, &w) == PLOY_GOAL_ACTIVE) CHECK(++ticks < 100);
    CHECK_NEAR(w.at.x, 6.0f, 0.5f);
    CHECK_INT(w.requests, 1);
    ploy_goals_destroy(w.goals);
    CHECK_INT(counts.bytes, 0);
}

// A character that straight ahead leads nowhere wanders until its path is there, however long that
// takes; the path is requested once, because a second request would begin the search again.
TEST(move_to_wanders_when_straight_ahead_is_blocked_and_asks_once) {
    ploy_env env = ploy_env_default();
    world w;
    world_begin(t, &w, &env);
    w.wait = 200; // 20 s
    w.held = true;
    (void)world_move_to(t, &w, PLOY_GOAL_REAR, 6.0f, 0.0f);
    for (int32_t i = 0; i < 200; i++) {
        CHECK_INT(world_tick(t, &w), PLOY_GOAL_ACTIVE);
        if (i > 7) CHECK_INT(w.how, PLOY_GOAL_STEER_WANDER);
    }
    CHECK_INT(w.requests, 1);
    CHECK_INT(w.cancels, 0);
    w.held = false;
    int32_t ticks = 0;
    while (world_tick(t, &w) == PLOY_GOAL_ACTIVE) CHECK(++ticks < 100);
    CHECK_NEAR(w.at.x, 6.0f, 0.5f);
    CHECK_INT(w.requests, 1);
    ploy_goals_destroy(w.goals);
}

// S2: no path, after its attempts, is a failure that the parent sees; a refusal too.
TEST(no_path_and_a_refused_request_fail) {
    ploy_env env = ploy_env_default();
    for (int32_t refuse = 0; refuse < 2; refuse++) {
        world w;
        world_begin(t, &w, &env);
        w.answer = PLOY_PATH_NONE;
        w.refuse = refuse != 0;
        w.held = true;
        (void)world_move_to(t, &w, PLOY_GOAL_REAR, 6.0f, 0.0f);
        ploy_goal_status status = PLOY_GOAL_ACTIVE;
        for (int32_t i = 0; i < 200 && status == PLOY_GOAL_ACTIVE; i++) status = world_tick(t, &w);
        CHECK_INT(status, PLOY_GOAL_FAILED);
        CHECK_INT(w.requests, refuse ? 0 : 9); // the first and eight more
        ploy_goals_destroy(w.goals);
    }
}

// GOA-08: 100 m at 50 m/s is 2 s, and 2 s of margin; blocked, it fails right after 4 s. S3: the
// mover asks for another path, and nothing steers in between.
TEST(a_blocked_edge_times_out_and_the_path_is_asked_for_again) {
    ploy_env env = ploy_env_default();
    world w;
    world_begin(t, &w, &env);
    w.mover.speed = 50.0f;
    w.held = true;
    ploy_goal_edge_params edge;
    memset(&edge, 0, sizeof edge);
    edge.to = ploy_vec2_make(100.0f, 0.0f);
    CHECK_OK(ploy_goals_add(w.goals, &w.context, w.root, PLOY_GOAL_REAR, ployi_goal_traverse_edge(),
                            &edge, sizeof edge, NULL));
    int32_t ticks = 0;
    while (world_tick(t, &w) == PLOY_GOAL_ACTIVE) ticks++;
    CHECK(w.context.now - 0.1 > 4.0 && w.context.now - 0.1 < 4.25);
    CHECK_INT(ploy_goals_status(w.goals, ploy_goals_first(w.goals, w.root)), PLOY_GOAL_FAILED);
    ploy_goals_destroy(w.goals);
    world_begin(t, &w, &env);
    (void)world_move_to(t, &w, PLOY_GOAL_REAR, 6.0f, 0.0f);
    for (int32_t i = 0; i < 400 && w.requests < 2; i++) {
        w.held = w.at.x > 2.5f; // within the second edge
        CHECK_INT(world_tick(t, &w), PLOY_GOAL_ACTIVE);
        if (!ployi_goals_has(w.goals,
                             ploy_goals_first(w.goals, ploy_goals_first(w.goals, w.root)))) {
            CHECK_INT(w.how, PLOY_GOAL_STEER_NONE);
        }
    }
    CHECK_INT(w.requests, 2);
    ploy_goals_destroy(w.goals);
}

static bool world_blocked(void *user) {
    return ((const world *)user)->held;
}

// A mover that knows that it is blocked does not walk on against what blocks it for the rest of a
// long edge; but each edge gets its margin first.
TEST(a_mover_that_is_blocked_gives_a_long_edge_up) {
    ploy_env env = ploy_env_default();
    for (int32_t row = 0; row < 2; row++) {
        world w;
        world_begin(t, &w, &env);
        w.mover.blocked = world_blocked;
        ploy_goal_edge_params edge;
        memset(&edge, 0, sizeof edge);
        edge.to = ploy_vec2_make(300.0f, 0.0f); // a minute and more
        CHECK_OK(ploy_goals_add(w.goals, &w.context, w.root, PLOY_GOAL_REAR,
                                ployi_goal_traverse_edge(), &edge, sizeof edge, NULL));
        double since = row == 0 ? 0.0 : 10.0; // s, when it is blocked
        for (int32_t i = 0; i < 400; i++) {
            w.held = w.context.now >= since;
            if (world_tick(t, &w) != PLOY_GOAL_ACTIVE) break;
        }
        CHECK_INT(ploy_goals_status(w.goals, ploy_goals_first(w.goals, w.root)), PLOY_GOAL_FAILED);
        CHECK_NEAR(w.context.now, row == 0 ? 2.1 : 10.0, 0.25);
        ploy_goals_destroy(w.goals);
    }
}

// GOA-09: three edges of one step each end in the third step (literally in the fourth, six in the
// ninth), with the flag on the last alone.
static ploy_result tick_edge(const ploy_goal_turn *turn, ploy_goal_status *status) {
    const ploy_goal_mover *mover = turn->owner;
    world *w = mover->user;
    w->asked = w->asked * 10 + (((const ploy_goal_edge_params *)turn->params)->last != 0 ? 2 : 1);
    *status = PLOY_GOAL_COMPLETED;
    return PLOY_OK;
}

TEST(a_path_of_registered_edges_becomes_goals_one_at_a_time) {
    static const ploy_goal_type jump = {.name = "jump", .process = tick_edge};
    static const ploy_goal_edge known[] = {{"jump", &jump, 0.0f}};
    ploy_env env = ploy_env_default();
    for (int32_t row = 0; row < 6; row++) {
        static const int32_t want[] = {1, 3, 6, 1, 4, 9};
        int32_t edges = row % 3 * 3;
        world w;
        world_begin_as(t, &w, row >= 3, &env);
        w.mover.edges = known;
        w.mover.edge_count = 1;
        ploy_path_def def = ploy_path_def_default();
        ploy_path *path = NULL;
        CHECK_OK(ploy_path_create(&def, &env, &path));
        ploy_path_edge edge = {ploy_name_of("jump"), 1.0f, 0.0f, {0, 0}};
        for (int32_t i = 0; i <= edges; i++) {
            CHECK_OK(ploy_path_append(path, ploy_vec2_make((float)i, 0.0f), 0.0f, &edge));
        }
        CHECK_OK(ployi_goals_add_path(w.goals, &w.context, w.root, PLOY_GOAL_REAR, path, NULL));
        int32_t ticks = 1;
        while (world_tick(t, &w) == PLOY_GOAL_ACTIVE) ticks++;
        CHECK_INT(ticks, want[row]); // an empty path completes at once
        CHECK_INT(w.asked, edges == 0 ? 0 : edges == 3 ? 112 : 111112);
        ploy_goals_destroy(w.goals);
    }
}

// S9, and edges that only change the speed.
TEST(unknown_edges_fail_and_known_terrain_changes_the_speed) {
    static const ploy_goal_edge known[] = {{"mud", NULL, 0.5f}};
    ploy_env env = ploy_env_default();
    for (int32_t mud = 0; mud < 2; mud++) {
        world w;
        world_begin(t, &w, &env);
        w.mover.edges = known;
        w.mover.edge_count = 1;
        ploy_path_def def = ploy_path_def_default();
        ploy_path *path = NULL;
        CHECK_OK(ploy_path_create(&def, &env, &path));
        ploy_path_edge edge = {ploy_name_of(mud ? "mud" : "lava"), 1.0f, 0.0f, {0, 0}};
        CHECK_OK(ploy_path_append(path, ploy_vec2_make(0.0f, 0.0f), 0.0f, NULL));
        CHECK_OK(ploy_path_append(path, ploy_vec2_make(9.0f, 0.0f), 0.0f, &edge));
        CHECK_OK(ployi_goals_add_path(w.goals, &w.context, w.root, PLOY_GOAL_REAR, path, NULL));
        CHECK_INT(world_tick(t, &w), mud ? PLOY_GOAL_ACTIVE : PLOY_GOAL_FAILED);
        CHECK_SAME(w.limit, mud ? 0.5 : 0.0);
        ploy_goals_destroy(w.goals);
    }
}

// S12: steering is asserted again; a late leg fails unless its timer paused.
TEST(an_interrupted_leg_steers_again_and_its_time_has_passed_or_not) {
    ploy_env env = ploy_env_default();
    for (int32_t pause = 0; pause < 2; pause++) {
        world w;
        world_begin(t, &w, &env);
        w.mover.pause_timer = pause != 0;
        ploy_goal_place_params place = {{6.0f, 0.0f}};
        ploy_goal_pause_params rest = {6.0f};
        ploy_goal leg;
        CHECK_OK(ploy_goals_add(w.goals, &w.context, w.root, PLOY_GOAL_REAR, ploy_goal_seek(),
                                &place, sizeof place, &leg));
        CHECK_INT(world_tick(t, &w), PLOY_GOAL_ACTIVE);
        CHECK_OK(ploy_goals_add(w.goals, &w.context, w.root, PLOY_GOAL_FRONT, ploy_goal_pause(),
                                &rest, sizeof rest, NULL));
        CHECK_INT(w.how, PLOY_GOAL_STEER_NONE);
        while (!ploy_goal_equal(ployi_goals_leaf(w.goals), leg)) (void)world_tick(t, &w);
        CHECK_INT(ploy_goals_status(w.goals, leg), pause ? PLOY_GOAL_ACTIVE : PLOY_GOAL_FAILED);
        if (pause) CHECK_INT(w.how, PLOY_GOAL_STEER_ARRIVE);
        ploy_goals_destroy(w.goals);
    }
}

static bool follows(const world *w, ploy_goal move) {
    return ploy_goals_type_of(w->goals, ploy_goals_first(w->goals, move)) ==
           ployi_goal_follow_path();
}

// GOA-04, S16: a path that is ready while an interrupting goal is in front is not handled by the
// suspended goal; it waits in the path service and is there when the goal resumes.
TEST(a_path_that_comes_while_suspended_is_there_on_resume) {
    ploy_env env = ploy_env_default();
    world w;
    world_begin(t, &w, &env);
    w.wait = 1000; // the answer comes when the test says so
    ploy_goal move = world_move_to(t, &w, PLOY_GOAL_REAR, 6.0f, 0.0f);
    CHECK_INT(world_tick(t, &w), PLOY_GOAL_ACTIVE);
    CHECK_INT(w.requests, 1);
    ploy_goal_pause_params rest = {1.0f};
    CHECK_OK(ploy_goals_add(w.goals, &w.context, w.root, PLOY_GOAL_FRONT, ploy_goal_pause(), &rest,
                            sizeof rest, NULL));
    CHECK_INT(world_tick(t, &w), PLOY_GOAL_ACTIVE);
    w.wait = 0; // ready now, in front of nobody
    ploy_message message =
        ploy_message_make(ploy_agent_id_none(), ploy_agent_id_none(), ploy_name_of("path_ready"));
    bool handled = true;
    CHECK_OK(ploy_goals_message(w.goals, &w.context, &message, &handled));
    CHECK(!handled);
    CHECK(!follows(&w, move)); // it still seeks straight on, suspended
    for (int32_t i = 0; i < 100 && !follows(&w, move); i++) {
        CHECK_INT(world_tick(t, &w), PLOY_GOAL_ACTIVE);
    }
    CHECK(follows(&w, move));
    CHECK_INT(w.requests, 1); // that came meanwhile: it was not asked for again
    ploy_goals_destroy(w.goals);
}

// S8: to the switch, to the near side, through.
TEST(a_door_is_opened_by_its_switch_before_it_is_passed) {
    ploy_env env = ploy_env_default();
    world w;
    world_begin(t, &w, &env);
    w.has_switch = true;
    ploy_goal_edge_params edge;
    memset(&edge, 0, sizeof edge);
    edge.from = ploy_vec2_make(1.0f, 0.0f);
    edge.to = ploy_vec2_make(3.0f, 0.0f);
    edge.link.index = 4;
    edge.last = 1;
    ploy_goal door;
    CHECK_OK(ploy_goals_add(w.goals, &w.context, w.root, PLOY_GOAL_REAR, ploy_goal_negotiate_door(),
                            &edge, sizeof edge, &door));
    CHECK_INT(world_tick(t, &w), PLOY_GOAL_ACTIVE);
    const ploy_vec2 places[] = {{-2.0f, 4.0f}, {1.0f, 0.0f}};
    ploy_goal step = ploy_goals_first(w.goals, door);
    for (int32_t i = 0; i < 2; i++, step = ployi_goals_next(w.goals, step)) {
        const ploy_goal_place_params *params = ployi_goals_params(w.goals, step);
        CHECK(ploy_goals_type_of(w.goals, step) == ploy_goal_move_to());
        CHECK(params->to.x == places[i].x && params->to.y == places[i].y);
    }
    CHECK(ploy_goals_type_of(w.goals, step) == ployi_goal_traverse_edge());
    CHECK_INT(((const ploy_goal_edge_params *)ployi_goals_params(w.goals, step))->last, 1);
    ploy_goals_destroy(w.goals);
    world_begin(t, &w, &env); // no switch: it cannot be
    CHECK_OK(ploy_goals_add(w.goals, &w.context, w.root, PLOY_GOAL_REAR, ploy_goal_negotiate_door(),
                            &edge, sizeof edge, &door));
    ploy_goal_status status = PLOY_GOAL_ACTIVE;
    for (int32_t i = 0; i < 20 && status == PLOY_GOAL_ACTIVE; i++) status = world_tick(t, &w);
    CHECK_INT(status, PLOY_GOAL_FAILED);
    ploy_goals_destroy(w.goals);
}

// GOA-29, D-04: button, back, wait, ride.
TEST(a_platform_is_called_awaited_and_ridden) {
    ploy_env env = ploy_env_default();
    for (int32_t comes = 0; comes < 2; comes++) {
        world w;
        world_begin(t, &w, &env);
        w.wait = 1000; // seeking does
        ploy_goal_mechanism_params lift;
        memset(&lift, 0, sizeof lift);
        lift.button = ploy_vec2_make(2.0f, 0.0f);
        lift.embark = ploy_vec2_make(0.0f, 2.0f);
        lift.patience = 1.0f;
        CHECK_OK(ploy_goals_add(w.goals, &w.context, w.root, PLOY_GOAL_REAR,
                                ploy_goal_use_mechanism(), &lift, sizeof lift, NULL));
        ploy_goal_status status = PLOY_GOAL_ACTIVE;
        int32_t waited = 0, rode = 0;
        for (int32_t i = 0; i < 600 && status == PLOY_GOAL_ACTIVE; i++) {
            status = world_tick(t, &w);
            if (strcmp(leaf_name(&w), "wait") == 0) w.came = comes != 0 && ++waited > 3;
            if (strcmp(leaf_name(&w), "ride") == 0) w.over = ++rode > 3;
        }
        CHECK_INT(status, comes ? PLOY_GOAL_COMPLETED : PLOY_GOAL_FAILED);
        CHECK_INT(w.used, comes ? 1 : 4); // called again by each new plan
        CHECK_INT(rode > 0, comes);
        CHECK(w.cancels > 0); // there before the path was: the request is given back
        ploy_goals_destroy(w.goals);
    }
}

// GOA-06, GOA-14.
TEST(wandering_never_ends_and_exploring_goes_somewhere) {
    ploy_env env = ploy_env_default();
    world w;
    world_begin(t, &w, &env);
    ploy_goal goal;
    CHECK_OK(ploy_goals_add(w.goals, &w.context, w.root, PLOY_GOAL_REAR, ploy_goal_wander(), NULL,
                            0, &goal));
    for (int32_t i = 0; i < 50; i++) CHECK_INT(world_tick(t, &w), PLOY_GOAL_ACTIVE);
    CHECK_INT(w.how, PLOY_GOAL_STEER_WANDER);
    CHECK(ploy_goals_remove(w.goals, &w.context, goal));
    CHECK_INT(w.how, PLOY_GOAL_STEER_NONE);
    w.wait = 1000;
    CHECK_OK(ploy_goals_add(w.goals, &w.context, w.root, PLOY_GOAL_REAR, ploy_goal_explore(), NULL,
                            0, NULL));
    int32_t ticks = 0;
    while (world_tick(t, &w) == PLOY_GOAL_ACTIVE) CHECK(++ticks < 100);
    CHECK_NEAR(w.at.x, 3.0f, 0.5f);
    // There is nowhere else: the mover says no.
    CHECK_OK(ploy_goals_add(w.goals, &w.context, w.root, PLOY_GOAL_REAR, ploy_goal_explore(), NULL,
                            0, NULL));
    (void)world_tick(t, &w);
    CHECK_INT(ploy_goals_status(w.goals, ploy_goals_first(w.goals, w.root)), PLOY_GOAL_FAILED);
    ploy_goals_destroy(w.goals);
}

// GOA-31, S19: a genie speaks for 2 s and for 3 s, leads the player, waits while he is behind, and
// vanishes: a queue of goals as a script.
typedef struct lead_params {
    float distance;
} lead_params;

static ploy_vec2 lead_player; // where the player stands

static ploy_result lead_process(const ploy_goal_turn *turn, ploy_goal_status *status) {
    const ploy_goal_mover *mover = turn->owner;
    ploy_vec2 at = mover->position(mover->user), door = {6.0f, 0.0f};
    bool behind =
        ploy_vec2_distance(at, lead_player) > ((const lead_params *)turn->params)->distance;
    mover->steer(mover->user, behind ? PLOY_GOAL_STEER_NONE : PLOY_GOAL_STEER_ARRIVE, door, 0.0f);
    if (ploy_vec2_distance(at, door) < mover->tolerance) *status = PLOY_GOAL_COMPLETED;
    return PLOY_OK;
}

static ploy_result vanish_activate(const ploy_goal_turn *turn) {
    const ploy_goal_mover *mover = turn->owner;
    ((world *)mover->user)->over = true;
    return ploy_goals_set_status(turn->goals, turn->goal, PLOY_GOAL_COMPLETED);
}

TEST(a_queue_of_goals_plays_a_script) {
    static const ploy_goal_type lead = {.name = "lead", .process = lead_process};
    static const ploy_goal_type vanish = {.name = "vanish", .activate = vanish_activate};
    ploy_env env = ploy_env_default();
    world w;
    world_begin(t, &w, &env);
    lead_player = ploy_vec2_make(0.0f, 0.0f);
    const ploy_goal_pause_params says[] = {{2.0f}, {3.0f}};
    const lead_params close = {2.0f};
    for (int32_t i = 0; i < 2; i++) {
        CHECK_OK(ploy_goals_add(w.goals, &w.context, w.root, PLOY_GOAL_REAR, ploy_goal_pause(),
                                &says[i], sizeof says[i], NULL));
    }
    CHECK_OK(ploy_goals_add(w.goals, &w.context, w.root, PLOY_GOAL_REAR, &lead, &close,
                            sizeof close, NULL));
    CHECK_OK(ploy_goals_add(w.goals, &w.context, w.root, PLOY_GOAL_REAR, &vanish, NULL, 0, NULL));
    int32_t ticks = 0;
    while (strcmp(leaf_name(&w), "lead") != 0) {
        CHECK_INT(world_tick(t, &w), PLOY_GOAL_ACTIVE);
        CHECK(++ticks < 100);
    }
    CHECK(w.context.now > 5.0 && w.context.now < 5.6); // both phrases
    for (int32_t i = 0; i < 40; i++) CHECK_INT(world_tick(t, &w), PLOY_GOAL_ACTIVE);
    CHECK(w.at.x > 1.5f && w.at.x < 2.5f); // waits for a player who stays behind
    CHECK(!w.over);
    ploy_goal_status status = PLOY_GOAL_ACTIVE;
    for (int32_t i = 0; i < 100 && status == PLOY_GOAL_ACTIVE; i++) {
        lead_player = w.at; // he follows
        status = world_tick(t, &w);
    }
    CHECK_INT(status, PLOY_GOAL_COMPLETED);
    CHECK(w.over);
    ploy_goals_destroy(w.goals);
}

TEST(a_tree_without_an_owner_refuses_goals_of_a_body) {
    const ploy_goal_type *types[] = {ploy_goal_wander(),         ploy_goal_seek(),
                                     ploy_goal_move_to(),        ploy_goal_explore(),
                                     ploy_goal_negotiate_door(), ploy_goal_use_mechanism(),
                                     ploy_goal_pause()};
    ploy_goals_def def = ploy_goals_def_default();
    ploy_env env = ploy_env_default();
    ploy_goals *goals = NULL;
    CHECK_OK(ploy_goals_create(&def, NULL, &env, &goals));
    for (size_t i = 0; i < COUNT_OF(types); i++) {
        t->row = types[i]->name;
        CHECK_INT(ploy_goals_add(goals, NULL, ploy_goals_root(goals), PLOY_GOAL_REAR, types[i],
                                 NULL, 0, NULL),
                  PLOY_ERR_ARGUMENT);
    }
    CHECK_INT(ploy_goals_count(goals), 0);
    ploy_goals_destroy(goals);
}
