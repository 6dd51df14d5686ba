// Saved trees of goals: plans, queues, interruptions, paths under way; edited and altered.
#include "decide/decide_internal.h"
#include "ploy/decide/goal_moves.h"
#include "tests/decide/saved.h"

typedef struct errand_params {
    int32_t number, steps;
} errand_params;

static void errand_note(const ploy_goal_turn *turn, uint64_t what) {
    saved_note(turn->owner, what + 100 * (uint64_t)((const errand_params *)turn->params)->number);
}

static ploy_result errand_activate(const ploy_goal_turn *turn) {
    errand_note(turn, 1);
    *(int32_t *)turn->data = 0;
    return PLOY_OK;
}

static ploy_result errand_process(const ploy_goal_turn *turn, ploy_goal_status *status) {
    const errand_params *params = turn->params;
    errand_note(turn, 2);
    if (++*(int32_t *)turn->data < params->steps) return PLOY_OK;
    *status = params->number % 5 == 4 ? PLOY_GOAL_FAILED : PLOY_GOAL_COMPLETED;
    return PLOY_OK;
}

static void errand_terminate(const ploy_goal_turn *turn) {
    errand_note(turn, 3);
}

static void errand_suspend(const ploy_goal_turn *turn) {
    errand_note(turn, 4);
}

static ploy_result errand_resume(const ploy_goal_turn *turn) {
    errand_note(turn, 5);
    return PLOY_OK;
}

static const ploy_goal_type errand_type = {.name = "errand",
                                           .activate = errand_activate,
                                           .process = errand_process,
                                           .terminate = errand_terminate,
                                           .suspend = errand_suspend,
                                           .resume = errand_resume};
static const ploy_goal_type chore_type = {.name = "chore",
                                          .activate = errand_activate,
                                          .process = errand_process,
                                          .terminate = errand_terminate};

// Plans an errand and a chore, again when one of them fails.
static ploy_result plan_activate(const ploy_goal_turn *turn) {
    errand_params params = *(const errand_params *)turn->params;
    errand_note(turn, 6);
    ploy_goals_clear(turn->goals, turn->context, turn->goal);
    ploy_result result = PLOY_OK;
    for (int32_t i = 0; i < 2 && result == PLOY_OK; i++) {
        params.number++;
        result = ploy_goals_add(turn->goals, turn->context, turn->goal, PLOY_GOAL_REAR,
                                i == 0 ? &errand_type : &chore_type, &params, sizeof params, NULL);
    }
    return result == PLOY_ERR_CAPACITY ? PLOY_OK : result;
}

static const ploy_goal_type plan_type = {.name = "plan",
                                         .composite = true,
                                         .activate = plan_activate,
                                         .terminate = errand_terminate,
                                         .suspend = errand_suspend,
                                         .replans = 2,
                                         .replan_pause = 0.6f};

static ploy_result errand_build(saved_bench *bench, int32_t edition) {
    static const ploy_goal_type *const known[] = {&errand_type, &plan_type, &chore_type};
    ploy_goals_def def = ploy_goals_def_default();
    def.capacity = 12;
    ploy_goals *goals = NULL;
    ploy_result result = ploy_goals_create(&def, bench, &bench->env, &goals);
    // The edited game has no chores any more.
    if (result == PLOY_OK) result = ploy_goals_register(goals, known, edition == 0 ? 3 : 2);
    if (result != PLOY_OK) {
        ploy_goals_destroy(goals);
        return result;
    }
    bench->mind = ploy_goals_behavior(goals);
    return PLOY_OK;
}

static void goals_unbuild(saved_bench *bench) {
    ploy_behavior_destroy(bench->mind);
}

static ploy_result errand_poke(saved_bench *bench, uint64_t tick) {
    static const ploy_goal_type *const types[] = {&errand_type, &plan_type, &plan_type};
    ploy_goals *goals = bench->mind.self;
    int32_t draw = saved_draw(bench, tick, 30, 5);
    if (draw > 2) return PLOY_OK;
    errand_params params = {(int32_t)(tick % 97), 1 + saved_draw(bench, tick, 31, 3)};
    ploy_goal_place place = (ploy_goal_place)saved_draw(bench, tick, 32, 2);
    ploy_result result = ploy_goals_add(goals, &bench->context, ploy_goals_root(goals), place,
                                        types[draw], &params, sizeof params, NULL);
    return result == PLOY_ERR_CAPACITY ? PLOY_OK : result;
}

static const char *goals_where(const saved_bench *bench) {
    const ploy_goals *goals = bench->mind.self;
    const ploy_goal_type *type = ploy_goals_type_of(goals, ployi_goals_leaf(goals));
    return type != NULL ? type->name : "";
}

// An errand of a plan goes with the plan, if that has to be made anew.
static const char *errand_where(const saved_bench *bench) {
    const ploy_goals *goals = bench->mind.self;
    ploy_goal parent = ployi_goals_parent(goals, ployi_goals_leaf(goals));
    bool planned = ploy_goals_type_of(goals, parent) == &plan_type;
    return planned && strcmp(goals_where(bench), "errand") == 0 ? "planned" : goals_where(bench);
}

// ---- a walker: world[0] and [1] are where it is, as thousandths

typedef struct walker {
    ploy_path_service service;
    ploy_goal_mover mover;
    uint32_t requests;
    int32_t wait; // polls until a path is there
    ploy_vec2 target;
    ploy_goal_steer how;
} walker;

static ploy_vec2 walker_position(void *user) {
    const saved_bench *bench = user;
    return ploy_vec2_make((float)(int64_t)bench->world[0] / 1000.0f,
                          (float)(int64_t)bench->world[1] / 1000.0f);
}

static void walker_steer(void *user, ploy_goal_steer how, ploy_vec2 target, float speed) {
    saved_bench *bench = user;
    walker *own = bench->type;
    saved_note(bench, (uint64_t)how + 10 * (uint64_t)(int64_t)(target.x * 100.0f + speed));
    own->how = how;
    own->target = target;
    // The steering is the body's own, and goes along when the mind is saved.
    bench->world[2] = (uint64_t)how;
    bench->world[3] = (uint64_t)(int64_t)(target.x * 1000.0f);
}

static ploy_result walker_request(void *user, const ploy_path_request *request,
                                  ploy_path_ticket *out) {
    walker *own = ((saved_bench *)user)->type;
    (void)request;
    out->id.index = 0;
    out->id.generation = ++own->requests;
    return PLOY_OK;
}

static ploy_result walker_poll(void *user, ploy_path_ticket ticket, ploy_path *path,
                               ploy_path_outcome *outcome) {
    saved_bench *bench = user;
    walker *own = bench->type;
    (void)ticket;
    *outcome = PLOY_PATH_OPEN;
    if (own->wait-- > 0) return PLOY_OK;
    *outcome = PLOY_PATH_FOUND;
    ploy_vec2 at = walker_position(user);
    for (int32_t i = 0; i < 4; i++) {
        ploy_path_edge edge = {{0}, (float)i, i == 2 ? 0.5f : 0.0f, {(uint32_t)i, 1}};
        ploy_vec2 point = ploy_vec2_make(at.x + 0.7f * (float)i, 0.1f * (float)i);
        ploy_result result = ploy_path_append(path, point, 0.25f, i > 0 ? &edge : NULL);
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

static ploy_result walker_cancel(void *user, ploy_path_ticket ticket) {
    (void)user, (void)ticket;
    return PLOY_OK;
}

static ploy_result walker_work(void *user, ploy_budget *budget) {
    (void)user, (void)budget;
    return PLOY_OK;
}

static ploy_result walker_build(saved_bench *bench, int32_t edition) {
    walker *own = ploy_env_alloc_zero(&bench->env, sizeof *own);
    if (own == NULL) return PLOY_ERR_MEMORY;
    ploy_path_service service = {walker_request, walker_poll, walker_cancel, walker_work,
                                 NULL,           NULL,        NULL,          bench};
    own->service = service;
    own->mover = ploy_goal_mover_make(&own->service, &bench->env);
    own->mover.position = walker_position;
    own->mover.steer = walker_steer;
    own->mover.tolerance = 0.2f;
    own->mover.user = bench;
    ploy_goals_def def = ploy_goals_def_default();
    ploy_goals *goals = NULL;
    ploy_result result = ploy_goals_create(&def, &own->mover, &bench->env, &goals);
    if (result == PLOY_OK && edition == 0) result = ploy_goal_moves_register(goals);
    if (result != PLOY_OK) {
        ploy_goals_destroy(goals);
        ploy_env_free(&bench->env, own, sizeof *own);
        return result;
    }
    bench->type = own;
    bench->mind = ploy_goals_behavior(goals);
    return PLOY_OK;
}

static void walker_unbuild(saved_bench *bench) {
    ploy_behavior_destroy(bench->mind);
    ploy_env_free(&bench->env, bench->type, sizeof(walker));
}

// Gets somewhere to go when it has nothing to do, sometimes in front; and moves.
static ploy_result walker_poke(saved_bench *bench, uint64_t tick) {
    ploy_goals *goals = bench->mind.self;
    if (bench->world[2] == PLOY_GOAL_STEER_SEEK || bench->world[2] == PLOY_GOAL_STEER_ARRIVE) {
        int64_t way = (int64_t)(bench->world[3] - bench->world[0]);
        bench->world[0] += (uint64_t)(way > 400 ? 400 : way < -400 ? -400 : way);
    }
    if (ploy_goals_count(goals) > 0 && saved_draw(bench, tick, 40, 7) != 0) return PLOY_OK;
    bool pause = saved_draw(bench, tick, 41, 3) == 0;
    ploy_goal_place_params place = {{(float)saved_draw(bench, tick, 42, 9), 0.0f}};
    ploy_goal_pause_params still = {0.6f};
    return ploy_goals_add(goals, &bench->context, ploy_goals_root(goals), PLOY_GOAL_FRONT,
                          pause ? ploy_goal_pause() : ploy_goal_move_to(),
                          pause ? (const void *)&still : (const void *)&place,
                          pause ? sizeof still : sizeof place, NULL);
}

static const saved_kind goals_kinds[] = {
    {"errands", errand_build, goals_unbuild, errand_poke, errand_where, "errand", "chore", true},
    {"walker", walker_build, walker_unbuild, walker_poke, goals_where, NULL, NULL, true},
};

TEST(a_saved_tree_of_goals_goes_on_as_one_that_never_was) {
    for (size_t i = 0; i < COUNT_OF(goals_kinds); i++) {
        saved_check_round_trip(t, &goals_kinds[i], test_rounds(80));
    }
}

TEST(goals_of_unknown_types_are_dropped_and_told) {
    saved_check_edited(t, &goals_kinds[0]);
}

TEST(altered_files_of_goals_are_refused_or_do_no_harm) {
    for (size_t i = 0; i < COUNT_OF(goals_kinds); i++) {
        saved_check_altered(t, &goals_kinds[i], test_rounds(150));
    }
}

TEST(loading_goals_survives_every_failing_allocation) {
    for (size_t i = 0; i < COUNT_OF(goals_kinds); i++) saved_check_fail(t, &goals_kinds[i]);
}

TEST(a_goal_that_lost_a_subgoal_plans_again) {
    ploy_env env = ploy_env_default();
    saved_bench old, fresh;
    TEST_SEED(1);
    CHECK_OK(saved_open(&old, &goals_kinds[0], 0, 1, &env));
    ploy_goals *goals = old.mind.self;
    errand_params params = {10, 5};
    CHECK_OK(ploy_goals_add(goals, &old.context, ploy_goals_root(goals), PLOY_GOAL_REAR, &plan_type,
                            &params, sizeof params, NULL));
    ploy_status status;
    CHECK_OK(ploy_behavior_step(old.mind, &old.context, &status));
    CHECK_INT(ploy_goals_count(goals), 3);
    CHECK_INT(saved_hand_over(t, &fresh, &old, &goals_kinds[0], 1, 1), 1);
    // The chore is unknown, so that the plan is made anew; its errand went with the old one.
    ploy_goals *loaded = fresh.mind.self;
    CHECK_INT(ploy_goals_count(loaded), 1);
    CHECK_INT(ploy_goals_status(loaded, ployi_goals_leaf(loaded)), PLOY_GOAL_INACTIVE);
    CHECK_OK(ploy_behavior_step(fresh.mind, &fresh.context, &status));
    CHECK_INT(ploy_goals_count(loaded), 3);
    // One that has goals is not loaded over.
    ploy_json *doc = saved_take(t, old.mind, &env);
    CHECK_INT(ploy_behavior_load(fresh.mind, &fresh.context, doc, ploy_json_root(doc), NULL),
              PLOY_ERR_STATE);
    ploy_json_destroy(doc);
    saved_close(&fresh, &goals_kinds[0]);
    saved_close(&old, &goals_kinds[0]);
}

TEST(a_path_that_was_asked_for_is_asked_for_again) {
    ploy_env env = ploy_env_default();
    saved_bench old, fresh;
    TEST_SEED(1);
    CHECK_OK(saved_open(&old, &goals_kinds[1], 0, 1, &env));
    ((walker *)old.type)->wait = 5;
    ploy_goals *goals = old.mind.self;
    ploy_goal_place_params place = {{4.0f, 0.0f}};
    CHECK_OK(ploy_goals_add(goals, &old.context, ploy_goals_root(goals), PLOY_GOAL_FRONT,
                            ploy_goal_move_to(), &place, sizeof place, NULL));
    ploy_status status;
    CHECK_OK(ploy_behavior_step(old.mind, &old.context, &status));
    CHECK_TEXT(goals_where(&old), "seek");
    CHECK_INT(saved_hand_over(t, &fresh, &old, &goals_kinds[1], 0, 1), 0);
    CHECK_INT(((walker *)fresh.type)->requests, 1);
    CHECK_TEXT(goals_where(&fresh), "seek");
    CHECK_OK(ploy_behavior_step(fresh.mind, &fresh.context, &status));
    CHECK_TEXT(goals_where(&fresh), "follow path");
    saved_close(&fresh, &goals_kinds[1]);
    saved_close(&old, &goals_kinds[1]);
}

TEST(a_followed_path_is_never_repeated) {
    // The path goes with the goal: a second round would follow what is gone.
    static const char text[] =
        "{\"type\": \"goals\", \"state\": {\"status\": \"active\", \"goals\": [{\"goal\": "
        "\"follow path\", \"depth\": 1, \"status\": \"active\", \"repeat\": true, \"own\": "
        "{\"edge\": 0, \"path\": [[0, 0, 0, \"0000000000000000\", 1, 0, 0, 0], [2, 0, 0]]}}]}}";
    ploy_env env = ploy_env_default();
    saved_bench bench;
    CHECK_OK(saved_open(&bench, &goals_kinds[1], 0, 1, &env));
    ploy_goals *goals = bench.mind.self;
    ploy_goal_path_params params = {NULL};
    CHECK_INT(ploy_goals_add(goals, &bench.context, ploy_goals_root(goals), PLOY_GOAL_REPEAT,
                             ployi_goal_follow_path(), &params, sizeof params, NULL),
              PLOY_ERR_ARGUMENT);
    CHECK_INT(saved_give(t, bench.mind, &bench.context, saved_read(t, text, &env), &env), 1);
    CHECK_INT(ploy_goals_count(goals), 0);
    saved_close(&bench, &goals_kinds[1]);
}

TEST(types_are_known_by_one_name_each) {
    static const ploy_goal_type other = {.name = "errand"}, nameless = {.name = NULL};
    static const ploy_goal_type *const rows[][2] = {
        {&errand_type, &errand_type}, {&chore_type, &other}, {&chore_type, &nameless}};
    static const ploy_result wants[] = {PLOY_OK, PLOY_ERR_EXISTS, PLOY_ERR_ARGUMENT};
    ploy_env env = ploy_env_default();
    ploy_goals_def def = ploy_goals_def_default();
    ploy_goals *goals = NULL;
    CHECK_OK(ploy_goals_create(&def, NULL, &env, &goals));
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        CHECK_INT(ploy_goals_register(goals, rows[i], 2), wants[i]);
    }
    CHECK_INT(ploy_goals_register(goals, NULL, 1), PLOY_ERR_ARGUMENT);
    ploy_goals_destroy(goals);
}
