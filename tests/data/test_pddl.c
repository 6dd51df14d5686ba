// Grounding: what can be reached, types, equality, negation, costs, and limits.
#include "data/data_internal.h"
#include "ploy/data/pddl.h"
#include "tests/test.h"

static ploy_result load(const char *domain, const char *problem, const ploy_env *env,
                        ploy_pddl **out) {
    ploy_pddl_def def = ploy_pddl_def_default();
    ploy_pddl_text texts[2] = {{domain, strlen(domain), "d"}, {problem, strlen(problem), "p"}};
    return ploy_pddl_load(&def, texts[0], texts[1], env, NULL, out);
}

static double cost_of(test_context *t, const ploy_pddl *pddl, ploy_search_outcome want) {
    ploy_env env = ploy_env_default();
    ploy_goap_def def = ploy_goap_def_default();
    ploy_goap *goap = NULL;
    int32_t count = 0;
    const ploy_goap_need *goal = ploy_pddl_goal(pddl, &count);
    def.heuristic = PLOY_GOAP_LANDMARKS;
    CHECK_OK(ploy_goap_create(&def, ploy_pddl_type(pddl), &env, &goap));
    CHECK_OK(ploy_goap_run(goap, ploy_pddl_world(pddl), goal, count));
    CHECK_INT(ploy_goap_outcome(goap), want);
    double cost = ploy_goap_cost(goap);
    ploy_goap_destroy(goap);
    return cost;
}

static const char roads[] =
    "(define (domain roads) (:requirements :strips :typing :equality :negative-preconditions\n"
    "  :action-costs) (:types city - object car truck - vehicle vehicle)\n"
    "  (:constants home - city)\n"
    "  (:predicates (road ?a ?b - city) (in ?v - vehicle ?c - city) (tired ?v - vehicle))\n"
    "  (:functions (total-cost) - number (length ?a ?b - city) - number)\n"
    "  (:action drive :parameters (?v - (either car truck) ?a ?b - city)\n"
    "    :precondition (and (in ?v ?a) (not (= ?a ?b)) (road ?a ?b) (not (tired ?v)))\n"
    "    :effect (and (not (in ?v ?a)) (in ?v ?b) (increase (total-cost) (length ?a ?b))))\n"
    "  (:action rest :parameters (?v - vehicle) :precondition (tired ?v)\n"
    "    :effect (and (not (tired ?v)) (increase (total-cost) 5))))";

// ; comments, upper case and repeated constants occur in real files.
static const char trip[] =
    "(define (problem TRIP) (:domain ROADS) ; a comment (\n"
    "  (:objects HOME mill town - city beetle - car)\n"
    "  (:init (in beetle home) (tired beetle) (road home mill) (road mill town) (road home town)\n"
    "    (road town town) (= (total-cost) 0) (= (length home mill) 2) (= (length mill town) 3)\n"
    "    (= (length home town) 7))\n"
    "  (:goal (and (in beetle town) (not (in beetle home))))\n"
    "  (:metric minimize (total-cost)))";

TEST(costs_types_equality_and_negation_ground_as_they_read) {
    ploy_env env = ploy_env_default();
    ploy_pddl *pddl = NULL;
    CHECK_OK(load(roads, trip, &env, &pddl));
    CHECK_TEXT(ploy_pddl_domain_name(pddl), "roads");
    CHECK_TEXT(ploy_pddl_problem_name(pddl), "trip");
    CHECK(ployi_pddl_has_costs(pddl));
    const ploy_goap_type *type = ploy_pddl_type(pddl);
    // Roads never change and are gone; nothing drives from town to town.
    CHECK_INT(ploy_goap_type_vars(type), 4);
    CHECK_INT(ploy_goap_type_actions(type), 4);
    CHECK_INT(ploy_goap_type_find_action(type, "(drive beetle town town)"), -1);
    CHECK(ploy_goap_type_find_action(type, "(drive beetle home mill)") >= 0);
    CHECK_INT(ploy_goap_world_get(type, ploy_pddl_world(pddl),
                                  ploy_goap_type_find(type, "(in beetle home)")),
              1);
    CHECK_NEAR(cost_of(t, pddl, PLOY_SEARCH_FOUND), 10.0, 0.0); // rest 5, 2 and 3 by the mill
    ploy_pddl_destroy(pddl);
}

TEST(without_a_metric_every_action_costs_one) {
    ploy_env env = ploy_env_default();
    ploy_pddl *pddl = NULL;
    char plain[sizeof trip];
    memcpy(plain, trip, sizeof trip);
    char *metric = strstr(plain, "(:metric");
    snprintf(metric, sizeof plain - (size_t)(metric - plain), ")");
    CHECK_OK(load(roads, plain, &env, &pddl));
    CHECK(!ployi_pddl_has_costs(pddl));
    CHECK_NEAR(cost_of(t, pddl, PLOY_SEARCH_FOUND), 2.0, 0.0); // rest, straight to town
    ploy_pddl_destroy(pddl);
}

static const char lamp[] = "(define (domain lamp) (:predicates (on ?x) (lit ?x) (fixed ?x))\n"
                           "(:action flip :parameters (?x) :precondition ()\n"
                           "  :effect (and (not (on ?x)) (on ?x) (not (lit ?x)))))";

TEST(goals_that_cannot_change_hold_or_never_do) {
    static const struct {
        const char *row, *goal;
        ploy_search_outcome want;
        double cost;
    } rows[] = {
        {"adding wins over deleting", "(on a)", PLOY_SEARCH_FOUND, 1},
        {"what is fixed and true holds", "(fixed a)", PLOY_SEARCH_FOUND, 0},
        {"what is fixed and false never will", "(fixed b)", PLOY_SEARCH_NONE, 0},
        {"not of what is fixed and true", "(not (fixed a))", PLOY_SEARCH_NONE, 0},
        {"not of what is fixed and false", "(not (fixed b))", PLOY_SEARCH_FOUND, 0},
        {"deleted", "(not (lit a))", PLOY_SEARCH_FOUND, 1},
        {"nothing lights", "(lit b)", PLOY_SEARCH_NONE, 0},
        {"equal objects", "(= a a)", PLOY_SEARCH_FOUND, 0},
        {"different objects", "(= a b)", PLOY_SEARCH_NONE, 0},
        {"nothing", "(and)", PLOY_SEARCH_FOUND, 0},
    };
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        char problem[256];
        ploy_pddl *pddl = NULL;
        t->row = rows[i].row;
        snprintf(problem, sizeof problem,
                 "(define (problem p) (:domain lamp) (:objects a b) (:init (fixed a) (lit a))\n"
                 "(:goal %s))",
                 rows[i].goal);
        CHECK_OK(load(lamp, problem, &env, &pddl));
        double cost = cost_of(t, pddl, rows[i].want);
        if (rows[i].want == PLOY_SEARCH_FOUND) CHECK_NEAR(cost, rows[i].cost, 0.0);
        ploy_pddl_destroy(pddl);
    }
}

TEST(a_problem_beyond_the_limits_is_refused) {
    static const char all[] =
        "(define (domain all) (:predicates (p ?a ?b ?c)) (:action act :parameters (?a ?b ?c)\n"
        "  :precondition () :effect (p ?a ?b ?c)))";
    char problem[1024] = "(define (problem p) (:domain all) (:init) (:goal (and)) (:objects";
    for (int32_t i = 0; i < 30; i++) {
        size_t used = strlen(problem);
        snprintf(problem + used, sizeof problem - used, " o%d", (int)i);
    }
    strcat(problem, "))");
    ploy_env env = ploy_env_default();
    for (int32_t i = 0; i < 4; i++) {
        ploy_pddl_def def = ploy_pddl_def_default();
        ploy_pddl_text texts[2] = {{all, strlen(all), "d"}, {problem, strlen(problem), "p"}};
        ploy_pddl *pddl = NULL;
        if (i == 1) def.max_actions = 1000;
        if (i == 2) def.max_atoms = 1000;
        if (i == 3) def.max_work = 10;
        CHECK_INT(ploy_pddl_load(&def, texts[0], texts[1], &env, NULL, &pddl),
                  i == 0 ? PLOY_OK : PLOY_ERR_LIMIT);
        if (i == 0) CHECK_INT(ploy_goap_type_actions(ploy_pddl_type(pddl)), 27000);
        ploy_pddl_destroy(pddl);
    }
}
