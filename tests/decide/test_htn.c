// Task networks: preference, backtracking, records, limits, and agreement with a recursive planner.
#include "decide/decide_internal.h"
#include "ploy/decide/htn.h"
#include "tests/decide/goap_test.h"

// Travel: by taxi if it can be paid, else on foot if it is near, else by bus, which needs a ticket.
typedef struct travel {
    ploy_goap_type *domain;
    ploy_htn_type *type;
    ploy_goap_var cash, near, there, riding;
    ploy_htn_task go;
} travel;

static ploy_result travel_make(const ploy_env *env, travel *s) {
    memset(s, 0, sizeof *s);
    ploy_result result = ploy_goap_type_create(env, &s->domain);
    if (result != PLOY_OK) return result;
    s->cash = ploy_goap_type_int(s->domain, "cash", 0, 50);
    s->near = ploy_goap_type_bool(s->domain, "near");
    s->there = ploy_goap_type_bool(s->domain, "there");
    s->riding = ploy_goap_type_bool(s->domain, "riding");
    const struct {
        const char *id;
        int32_t need, need_riding, spend, sets_riding, sets_there;
    } rows[] = {{"call taxi", 0, 0, 0, 1, 0},
                {"pay 20", 20, 1, 20, 0, 1},
                {"pay 2", 2, 1, 2, 0, 1},
                {"walk", 0, 0, 0, 0, 1},
                {"board bus", 0, 0, 0, 1, 0}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        ploy_goap_need needs[] = {ploy_goap_need_make(s->cash, PLOY_GOAP_AT_LEAST, rows[i].need),
                                  ploy_goap_is(s->riding, 1)};
        ploy_goap_gain gains[] = {ploy_goap_add_to(s->cash, -rows[i].spend),
                                  ploy_goap_set_to(s->riding, rows[i].sets_riding),
                                  ploy_goap_set_to(s->there, 1)};
        ploy_goap_action action = ploy_goap_action_make(rows[i].id, 1.0);
        action.needs = needs;
        action.need_count = 1 + rows[i].need_riding;
        action.gains = gains;
        action.gain_count = 2 + rows[i].sets_there;
        (void)ploy_goap_type_action(s->domain, &action);
    }
    result = ploy_goap_type_finish(s->domain);
    if (result == PLOY_OK) result = ploy_htn_type_create(s->domain, env, &s->type);
    if (result != PLOY_OK) return result;
    s->go = ploy_htn_type_task(s->type, "go");
    ploy_htn_task ride = ploy_htn_type_task(s->type, "ride");
    ploy_htn_task by_taxi[] = {ploy_htn_type_action(s->type, "call taxi"), ride};
    ploy_htn_task by_bus[] = {ploy_htn_type_action(s->type, "board bus"), ride};
    ploy_htn_task on_foot[] = {ploy_htn_type_action(s->type, "walk")};
    ploy_htn_task pay20 = ploy_htn_type_action(s->type, "pay 20");
    ploy_htn_task pay2 = ploy_htn_type_action(s->type, "pay 2");
    ploy_goap_need some = ploy_goap_need_make(s->cash, PLOY_GOAP_AT_LEAST, 5);
    ploy_goap_need is_near = ploy_goap_is(s->near, 1);
    (void)ploy_htn_type_method(s->type, ride, "pay well", &some, 1, &pay20, 1);
    (void)ploy_htn_type_method(s->type, s->go, "by taxi", &some, 1, by_taxi, 2);
    (void)ploy_htn_type_method(s->type, s->go, "on foot", &is_near, 1, on_foot, 1);
    (void)ploy_htn_type_method(s->type, ride, "pay little", NULL, 0, &pay2, 1);
    (void)ploy_htn_type_method(s->type, s->go, "by bus", NULL, 0, by_bus, 2);
    return ploy_htn_type_finish(s->type);
}

static void travel_free(travel *s) {
    ploy_htn_type_destroy(s->type);
    ploy_goap_type_destroy(s->domain);
}

static uint64_t travel_world(test_context *t, const travel *s, int32_t cash, bool near) {
    uint64_t world = 0;
    CHECK_OK(ploy_goap_world_set(s->domain, &world, s->cash, cash));
    CHECK_OK(ploy_goap_world_set(s->domain, &world, s->near, near ? 1 : 0));
    return world;
}

TEST(the_first_method_that_works_is_taken_and_choices_are_taken_back) {
    static const struct {
        const char *row;
        int32_t cash;
        bool near;
        int32_t count, plan[2], records, record[2];
    } rows[] = {
        {"rich: by taxi", 40, true, 2, {0, 1}, 2, {0, 0}},
        // 10 is enough for the method, not for paying 20: it pays little instead.
        {"the last choice first", 10, true, 2, {0, 2}, 2, {0, 1}},
        {"poor and near: on foot", 1, true, 1, {3, 0}, 1, {1, 0}},
        {"poor and far: by bus", 3, false, 2, {4, 2}, 2, {2, 1}},
        {"broke and far: no plan", 1, false, -1, {0, 0}, -1, {0, 0}},
    };
    ploy_env env = ploy_env_default();
    travel s;
    CHECK_OK(travel_make(&env, &s));
    ploy_htn_def def = ploy_htn_def_default();
    ploy_htn *htn = NULL;
    CHECK_OK(ploy_htn_create(&def, s.type, &env, &htn));
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        int32_t plan[4] = {0}, record[4] = {0};
        uint64_t world = travel_world(t, &s, rows[i].cash, rows[i].near);
        t->row = rows[i].row;
        CHECK_OK(ployi_htn_run(htn, &world, s.go));
        CHECK_INT(ploy_htn_plan(htn, plan, 4), rows[i].count);
        CHECK_INT(ploy_htn_record(htn, record, 4), rows[i].records);
        for (int32_t k = 0; k < rows[i].count; k++) CHECK_INT(plan[k], rows[i].plan[k]);
        for (int32_t k = 0; k < rows[i].records; k++) CHECK_INT(record[k], rows[i].record[k]);
        // In slices of one task the same.
        CHECK_OK(ploy_htn_begin(htn, &world, s.go, NULL, 0));
        ploy_result result = PLOY_IN_PROGRESS;
        while (result == PLOY_IN_PROGRESS) {
            ploy_budget budget = ploy_budget_units(1);
            result = ploy_htn_step(htn, &budget);
        }
        CHECK_OK(result);
        CHECK_INT(ploy_htn_plan(htn, plan, 4), rows[i].count);
    }
    ploy_buffer buffer;
    ploy_buffer_init(&buffer, 0, &env);
    ploy_writer writer = ploy_buffer_writer(&buffer);
    ploy_htn_explain(htn, &writer);
    CHECK_TEXT(ploy_buffer_text(&buffer),
               "after 1 actions 'pay 2' cannot be done: needs 'cash >= 2'\n");
    ploy_buffer_fini(&buffer);
    ploy_htn_destroy(htn);
    travel_free(&s);
}

TEST(only_a_better_plan_replaces_the_one_that_runs) {
    static const struct {
        const char *row;
        int32_t cash, running[2], count;
        ploy_search_outcome want;
    } rows[] = {
        {"rich now: the taxi is better than walking", 40, {1, 0}, 1, PLOY_SEARCH_FOUND},
        {"still poor: walking again is not better", 1, {1, 0}, 1, PLOY_SEARCH_NONE},
        {"the taxi runs, and nothing is better", 40, {0, 0}, 2, PLOY_SEARCH_NONE},
        {"walking is worse than the taxi that runs", 1, {0, 0}, 2, PLOY_SEARCH_NONE},
    };
    ploy_env env = ploy_env_default();
    travel s;
    CHECK_OK(travel_make(&env, &s));
    ploy_htn_def def = ploy_htn_def_default();
    ploy_htn *htn = NULL;
    CHECK_OK(ploy_htn_create(&def, s.type, &env, &htn));
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        uint64_t world = travel_world(t, &s, rows[i].cash, true);
        t->row = rows[i].row;
        CHECK_OK(ploy_htn_begin(htn, &world, s.go, rows[i].running, rows[i].count));
        CHECK_OK(ploy_htn_step(htn, NULL));
        CHECK_INT(ploy_htn_outcome(htn), rows[i].want);
        if (rows[i].want != PLOY_SEARCH_FOUND) continue;
        int32_t record[4];
        int32_t count = ploy_htn_record(htn, record, 4);
        CHECK(ployi_htn_record_compare(record, count, rows[i].running, rows[i].count) < 0);
    }
    ploy_htn_destroy(htn);
    travel_free(&s);
}

// ---- random networks against a recursive planner

enum { TASKS = 4 };

typedef struct slow {
    const ploy_goap_type *domain;
    int32_t methods[TASKS], needs[TASKS][3], subs[TASKS][3][3]; // subs: >= 0 action, else ~task
    ploy_goap_need conditions[TASKS][3];
    int32_t plan[64], count, budget;
} slow;

// todo is a list of tasks, first at the end; true if it could be done.
static bool slow_solve(slow *s, uint64_t world, const int32_t *todo, int32_t left, int32_t depth) {
    if (--s->budget < 0) return false;
    if (left == 0) return true;
    int32_t list[64], task = todo[left - 1];
    memcpy(list, todo, (size_t)(left - 1) * sizeof *list);
    if (task >= 0) {
        if (!ployi_goap_world_allows(s->domain, &world, task)) return false;
        ploy_goap_world_apply(s->domain, &world, task);
        s->plan[s->count++] = task;
        if (slow_solve(s, world, list, left - 1, depth)) return true;
        s->count--;
        return false;
    }
    for (int32_t m = 0; m < s->methods[~task]; m++) {
        if (s->needs[~task][m] > 0 &&
            !ployi_goap_world_holds(s->domain, &world, &s->conditions[~task][m], 1)) {
            continue;
        }
        for (int32_t i = 0; i < 3; i++) list[left - 1 + i] = s->subs[~task][m][2 - i];
        if (slow_solve(s, world, list, left + 2, depth + 1)) return true;
        if (s->budget < 0) return false;
    }
    return false;
}

TEST(random_networks_give_what_a_recursive_planner_gives) {
    ploy_env env = ploy_env_default();
    int32_t found = 0;
    for (int64_t round = 0; round < test_rounds(300); round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round);
        slow s;
        memset(&s, 0, sizeof s);
        ploy_goap_type *domain = goap_make_random(t, &rng, false, false, &env);
        ploy_htn_type *type = NULL;
        ploy_htn_task tasks[TASKS];
        CHECK_OK(ploy_htn_type_create(domain, &env, &type));
        s.domain = domain;
        for (int32_t i = 0; i < TASKS; i++) {
            char name[8] = {'t', (char)('0' + i), '\0'};
            tasks[i] = ploy_htn_type_task(type, name);
        }
        for (int32_t i = 0; i < TASKS; i++) {
            s.methods[i] = ploy_rng_int(&rng, 1, 3);
            for (int32_t m = 0; m < s.methods[i]; m++) {
                ploy_htn_task subs[3];
                ploy_goap_need both[2];
                for (int32_t k = 0; k < 3; k++) {
                    // Tasks only of higher numbers: no recursion, so both planners end.
                    bool compound = i + 1 < TASKS && ploy_rng_chance(&rng, 0.3f);
                    int32_t number = compound ? ploy_rng_int(&rng, i + 1, TASKS - 1)
                                              : ploy_rng_int(&rng, 0, GOAP_TEST_ACTIONS - 1);
                    s.subs[i][m][k] = compound ? ~number : number;
                    subs[k] =
                        compound
                            ? tasks[number]
                            : ploy_htn_type_action(type, ploy_goap_type_action_id(domain, number));
                }
                (void)goap_random_goal(&rng, domain, false, both);
                s.conditions[i][m] = both[0];
                s.needs[i][m] = ploy_rng_int(&rng, 0, 1);
                CHECK_OK(ploy_htn_type_method(type, tasks[i], "m", both, s.needs[i][m], subs, 3));
            }
        }
        CHECK_OK(ploy_htn_type_finish(type));
        ploy_htn_def def = ploy_htn_def_default();
        ploy_htn *htn = NULL;
        uint64_t world = 0;
        int32_t plan[64];
        const int32_t todo[] = {~0};
        CHECK_OK(ploy_htn_create(&def, type, &env, &htn));
        CHECK_OK(ployi_htn_run(htn, &world, tasks[0]));
        s.budget = 1000000;
        bool want = slow_solve(&s, world, todo, 1, 0);
        CHECK_INT(ploy_htn_plan(htn, plan, 64), want ? s.count : -1);
        for (int32_t i = 0; i < s.count && want; i++) CHECK_INT(plan[i], s.plan[i]);
        found += want ? 1 : 0;
        ploy_htn_destroy(htn);
        ploy_htn_type_destroy(type);
        ploy_goap_type_destroy(domain);
    }
    CHECK(found > 20);
}

TEST(endless_recursion_is_cut_and_faults_are_told) {
    ploy_env env = ploy_env_default();
    travel s;
    CHECK_OK(travel_make(&env, &s));
    ploy_htn_type *type = NULL;
    CHECK_OK(ploy_htn_type_create(s.domain, &env, &type));
    ploy_htn_task loop = ploy_htn_type_task(type, "loop");
    CHECK_OK(ploy_htn_type_method(type, loop, "again", NULL, 0, &loop, 1));
    CHECK_OK(ploy_htn_type_finish(type));
    ploy_htn_def def = ploy_htn_def_default();
    ploy_htn *htn = NULL;
    uint64_t world = 0;
    CHECK_OK(ploy_htn_create(&def, type, &env, &htn));
    CHECK_OK(ployi_htn_run(htn, &world, loop));
    CHECK_INT(ploy_htn_outcome(htn), PLOY_SEARCH_PRUNED);
    CHECK_INT(ploy_htn_step(htn, NULL), PLOY_ERR_STATE);
    ploy_htn_destroy(htn);
    ploy_htn_type_destroy(type);
    CHECK_OK(ploy_htn_type_create(s.domain, &env, &type)); // a task without methods
    (void)ploy_htn_type_task(type, "empty");
    CHECK_INT(ploy_htn_type_finish(type), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_htn_create(&def, type, &env, &htn), PLOY_ERR_STATE);
    ploy_htn_type_destroy(type);
    CHECK_OK(ploy_htn_type_create(s.domain, &env, &type));
    CHECK_INT(ploy_htn_type_action(type, "fly").number, 0);
    CHECK_INT(ploy_htn_type_finish(type), PLOY_ERR_NOT_FOUND);
    ploy_htn_type_destroy(type);
    travel_free(&s);
}

static ploy_result plan_travel(const ploy_env *env, void *arg) {
    travel s;
    ploy_htn *htn = NULL;
    ploy_htn_def def = ploy_htn_def_default();
    (void)arg;
    ploy_result result = travel_make(env, &s);
    if (result == PLOY_OK) result = ploy_htn_create(&def, s.type, env, &htn);
    uint64_t world = 0;
    if (result == PLOY_OK) result = ployi_htn_run(htn, &world, s.go);
    ploy_htn_destroy(htn);
    travel_free(&s);
    return result;
}

TEST(planning_with_recipes_survives_every_failing_allocation) {
    CHECK_FAIL_NTH(plan_travel, NULL);
}
