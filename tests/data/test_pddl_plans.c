// The planning competitions' problems: known optimal lengths, by every optimal planner that can be
// expected to finish, and plans that hold.
#include <stdlib.h>

#include "ploy/data/pddl.h"
#include "tests/test.h"

static ploy_pddl *load_files(test_context *t, const char *domain, const char *problem) {
    char path[1024];
    ploy_env env = ploy_env_default();
    ploy_pddl_def def = ploy_pddl_def_default();
    ploy_pddl_text texts[2];
    ploy_pddl *pddl = NULL;
    char *bytes[2];
    for (int32_t i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s/planning/pddl/%s/%s", test_data_dir(), domain,
                 i == 0 ? "domain.pddl" : problem);
        bytes[i] = test_read_file(path, &texts[i].size);
        CHECK(bytes[i] != NULL);
        texts[i].bytes = bytes[i];
        texts[i].name = path;
    }
    ploy_result result = ploy_pddl_load(&def, texts[0], texts[1], &env, NULL, &pddl);
    free(bytes[0]);
    free(bytes[1]);
    if (strcmp(domain, "briefcaseworld") == 0) {
        CHECK_INT(result, PLOY_ERR_FORMAT); // beyond STRIPS
        return NULL;
    }
    CHECK_OK(result);
    return pddl;
}

// @return the cost; the plan is checked step by step.
static double solve(test_context *t, const ploy_pddl *pddl, ploy_goap_method method,
                    ploy_goap_heuristic heuristic) {
    ploy_env env = ploy_env_default();
    ploy_goap_def def = ploy_goap_def_default();
    ploy_goap *goap = NULL;
    int32_t count = 0, plan[256];
    uint64_t scratch[64];
    const ploy_goap_need *goal = ploy_pddl_goal(pddl, &count);
    const ploy_goap_type *type = ploy_pddl_type(pddl);
    def.method = method;
    def.heuristic = heuristic;
    def.max_depth = 200;
    def.table = 1 << 14;
    CHECK(ploy_goap_type_words(type) * 2 <= 64);
    CHECK_OK(ploy_goap_create(&def, type, &env, &goap));
    CHECK_OK(ploy_goap_run(goap, ploy_pddl_world(pddl), goal, count));
    CHECK_INT(ploy_goap_outcome(goap), PLOY_SEARCH_FOUND);
    int32_t length = ploy_goap_plan(goap, plan, 256);
    double cost = 0.0;
    CHECK_INT(ploy_goap_plan_check(type, ploy_pddl_world(pddl), goal, count, plan, length, scratch,
                                   &cost),
              -1);
    CHECK_NEAR(ploy_goap_cost(goap), cost, 0.0);
    ploy_goap_destroy(goap);
    return cost;
}

// Which planners finish a problem in a moment.
enum { BREADTH = 1, CUTS = 2, IDA = 4, BY_MAX = 8, LONG = 16 };

TEST(known_optimal_lengths_are_met) {
    static const struct {
        const char *domain, *problem;
        double length;
        int32_t by;
    } rows[] = {
        {"blocks", "probBLOCKS-4-0.pddl", 6, BREADTH | CUTS | IDA | BY_MAX},
        {"blocks", "probBLOCKS-4-1.pddl", 10, BREADTH | CUTS | IDA | BY_MAX},
        {"blocks", "probBLOCKS-5-0.pddl", 12, BREADTH | CUTS | IDA | BY_MAX},
        {"blocks", "probBLOCKS-5-1.pddl", 10, BREADTH | CUTS | IDA | BY_MAX},
        {"blocks", "probBLOCKS-6-0.pddl", 12, BREADTH | CUTS | IDA},
        {"blocks", "probBLOCKS-6-2.pddl", 20, CUTS},
        {"blocks", "probBLOCKS-7-0.pddl", 20, CUTS},
        {"blocks", "probBLOCKS-8-0.pddl", 18, CUTS},
        {"blocks", "probBLOCKS-9-0.pddl", 30, CUTS | LONG},
        {"blocks", "probBLOCKS-10-0.pddl", 34, CUTS | LONG},
        {"gripper", "prob01.pddl", 11, BREADTH | CUTS | IDA | BY_MAX},
        {"gripper", "prob03.pddl", 23, BREADTH},
        {"gripper", "prob05.pddl", 35, BREADTH | LONG},
        {"hanoi", "pfile1.pddl", 1, BREADTH | CUTS | IDA | BY_MAX},
        {"hanoi", "pfile2.pddl", 3, BREADTH | CUTS | IDA | BY_MAX},
        {"hanoi", "pfile3.pddl", 7, BREADTH | CUTS | IDA | BY_MAX},
        {"hanoi", "pfile5.pddl", 31, BREADTH | CUTS | BY_MAX},
        {"logistics00", "problogistics-4-0.pddl", 20, CUTS | IDA},
        {"logistics00", "problogistics-4-1.pddl", 19, CUTS},
        {"logistics00", "problogistics-5-0.pddl", 27, CUTS},
        {"logistics00", "problogistics-5-2.pddl", 8, BREADTH | CUTS | IDA},
        {"logistics00", "problogistics-6-1.pddl", 14, CUTS | IDA},
        {"miconic", "s1-0.pddl", 4, BREADTH | CUTS | IDA | BY_MAX},
        {"miconic", "s2-0.pddl", 7, BREADTH | CUTS | IDA | BY_MAX},
        {"miconic", "s3-0.pddl", 10, BREADTH | CUTS | IDA | BY_MAX},
        {"miconic", "s4-0.pddl", 14, BREADTH | CUTS | IDA | BY_MAX},
        {"miconic", "s5-0.pddl", 17, BREADTH | CUTS | IDA},
        {"movie", "prob01.pddl", 7, BREADTH | CUTS | BY_MAX},
        {"movie", "prob05.pddl", 7, BREADTH | CUTS | BY_MAX},
        {"briefcaseworld", "pfile1.pddl", -1, 0},
        {"visitall-opt11-strips", "problem02-full.pddl", 3, BREADTH | CUTS | IDA | BY_MAX},
        {"visitall-opt11-strips", "problem03-half.pddl", 6, BREADTH | CUTS | IDA | BY_MAX},
        {"visitall-opt11-strips", "problem04-half.pddl", 11, BREADTH | CUTS | IDA | BY_MAX},
        {"tyreworld", "pfile1.pddl", 19, BREADTH | CUTS | BY_MAX},
        {"tsp", "pfile1.pddl", 1, BREADTH | CUTS | IDA | BY_MAX},
        {"tsp", "pfile3.pddl", 3, BREADTH | CUTS | IDA | BY_MAX},
        {"ferry", "p-10locs-5cars.pddl", 18, CUTS},
        {"ferry", "p-12locs-5cars.pddl", 12, CUTS | IDA},
    };
    if (test_data_dir() == NULL) {
        test_skip(t, "no outside data");
        return;
    }
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        char row[128];
        snprintf(row, sizeof row, "%s/%s", rows[i].domain, rows[i].problem);
        t->row = row;
        if ((rows[i].by & LONG) != 0 && test_rounds(1) == 1) continue; // for make soak
        ploy_pddl *pddl = load_files(t, rows[i].domain, rows[i].problem);
        if (pddl == NULL) continue;
        if (rows[i].by & BREADTH) {
            CHECK_NEAR(solve(t, pddl, PLOY_GOAP_BREADTH, PLOY_GOAP_BLIND), rows[i].length, 0.0);
        }
        if (rows[i].by & CUTS) {
            CHECK_NEAR(solve(t, pddl, PLOY_GOAP_ASTAR, PLOY_GOAP_LANDMARKS), rows[i].length, 0.0);
        }
        if (rows[i].by & IDA) {
            CHECK_NEAR(solve(t, pddl, PLOY_GOAP_IDA, PLOY_GOAP_LANDMARKS), rows[i].length, 0.0);
        }
        if (rows[i].by & BY_MAX) {
            CHECK_NEAR(solve(t, pddl, PLOY_GOAP_ASTAR, PLOY_GOAP_MAX), rows[i].length, 0.0);
        }
        if ((rows[i].by & LONG) == 0) { // greedy finds some plan, no shorter
            CHECK(solve(t, pddl, PLOY_GOAP_GREEDY, PLOY_GOAP_FF) >= rows[i].length);
        }
        ploy_pddl_destroy(pddl);
    }
}
