// ploy plan: a plan for a problem in PDDL, or why there is none.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/ploy/cli.h"
#include "ploy/base/name.h"
#include "ploy/base/os.h"
#include "ploy/data/pddl.h"

typedef struct plan_way {
    const char *name, *help;
    ploy_goap_method method;
    ploy_goap_heuristic heuristic;
    bool backward;
} plan_way;

static const plan_way plan_ways[] = {
    {"astar", "A* with landmark cuts: the cheapest plan", PLOY_GOAP_ASTAR, PLOY_GOAP_LANDMARKS,
     false},
    {"astar-max", "A* with the most expensive single condition", PLOY_GOAP_ASTAR, PLOY_GOAP_MAX,
     false},
    {"blind", "Dijkstra: the cheapest plan, without estimates", PLOY_GOAP_ASTAR, PLOY_GOAP_BLIND,
     false},
    {"breadth", "the fewest actions", PLOY_GOAP_BREADTH, PLOY_GOAP_BLIND, false},
    {"ida", "IDA* with landmark cuts: the cheapest plan, in little memory", PLOY_GOAP_IDA,
     PLOY_GOAP_LANDMARKS, false},
    {"greedy", "some plan, by the relaxed plan's cost", PLOY_GOAP_GREEDY, PLOY_GOAP_FF, false},
    {"greedy-add", "some plan, by the sum of single conditions", PLOY_GOAP_GREEDY, PLOY_GOAP_ADD,
     false},
    {"backward", "A* from the goal: the cheapest plan", PLOY_GOAP_ASTAR, PLOY_GOAP_MAX, true},
};
enum { PLAN_WAYS = sizeof plan_ways / sizeof plan_ways[0] };

typedef struct plan_run {
    ploy_env env;
    ploy_diags *diags;
    ploy_buffer files[2];
    ploy_pddl *pddl;
    ploy_goap *goap;
} plan_run;

static int find_way(const char *name, const plan_way **out) {
    ploy_nearest nearest = ploy_nearest_make(name);
    for (int32_t i = 0; i < PLAN_WAYS; i++) {
        *out = &plan_ways[i];
        if (strcmp(name, plan_ways[i].name) == 0) return -1;
        ploy_nearest_offer(&nearest, plan_ways[i].name);
    }
    return cli_error_near("unknown planner", name, nearest.best);
}

static int load_problem(plan_run *run, const char *const *words) {
    ploy_pddl_text texts[2];
    for (int32_t i = 0; i < 2; i++) {
        ploy_result result =
            ploy_os_read_file(words[i], (size_t)1 << 28, &run->env, &run->files[i]);
        if (result != PLOY_OK) return cli_error_read(words[i], result);
        texts[i].bytes = run->files[i].bytes;
        texts[i].size = run->files[i].size;
        texts[i].name = words[i];
    }
    ploy_pddl_def def = ploy_pddl_def_default();
    ploy_result result =
        ploy_pddl_load(&def, texts[0], texts[1], &run->env, run->diags, &run->pddl);
    if (result == PLOY_OK) return -1;
    return ploy_diags_count(run->diags) > 0 ? cli_error_diags(run->diags)
                                            : cli_error_result(words[1], result);
}

// Runs in slices, so that a terminal sees how far it is.
static ploy_result solve(plan_run *run, const plan_way *way, int64_t limit) {
    ploy_goap_def def = ploy_goap_def_default();
    def.method = way->method;
    def.heuristic = way->heuristic;
    def.backward = way->backward;
    def.max_states = 1 << 27;
    def.max_depth = 1 << 16;
    def.table = 1 << 16;
    int32_t count = 0;
    const ploy_goap_need *goal = ploy_pddl_goal(run->pddl, &count);
    ploy_result result = ploy_goap_create(&def, ploy_pddl_type(run->pddl), &run->env, &run->goap);
    if (result == PLOY_OK) {
        result = ploy_goap_begin(run->goap, ploy_pddl_world(run->pddl), goal, count);
    }
    cli_progress progress = cli_progress_begin("planning", (uint64_t)limit, true);
    int64_t spent = 0;
    while (result == PLOY_OK || result == PLOY_IN_PROGRESS) {
        int64_t left = limit - spent;
        ploy_budget budget = ploy_budget_units(left < 1000 ? left : 1000);
        result = ploy_goap_step(run->goap, &budget);
        spent += budget.spent;
        if (result != PLOY_IN_PROGRESS || spent >= limit) break;
        cli_progress_step(&progress, (uint64_t)spent);
    }
    cli_progress_end(&progress);
    return result;
}

static void write_plan(const plan_run *run, const plan_way *way, const int32_t *plan,
                       int32_t length, const char *reason) {
    const ploy_goap_type *type = ploy_pddl_type(run->pddl);
    ploy_goap_stats stats = ploy_goap_stats_of(run->goap);
    ploy_writer out = cli_stream_writer(stdout);
    ploy_json_writer json;
    ploy_json_writer_init(&json, &out, 0);
    ploy_json_write_begin_object(&json);
    ploy_json_write_key(&json, "domain");
    ploy_json_write_text(&json, ploy_pddl_domain_name(run->pddl));
    ploy_json_write_key(&json, "problem");
    ploy_json_write_text(&json, ploy_pddl_problem_name(run->pddl));
    ploy_json_write_key(&json, "planner");
    ploy_json_write_text(&json, way->name);
    ploy_json_write_key(&json, "outcome");
    ploy_json_write_text(&json, ploy_search_outcome_text(ploy_goap_outcome(run->goap)));
    if (length >= 0) {
        ploy_json_write_key(&json, "length");
        ploy_json_write_i64(&json, length);
        ploy_json_write_key(&json, "cost");
        ploy_json_write_f64(&json, ploy_goap_cost(run->goap));
        ploy_json_write_key(&json, "plan");
        ploy_json_write_begin_array(&json);
        for (int32_t i = 0; i < length; i++) {
            ploy_json_write_text(&json, ploy_goap_type_action_id(type, plan[i]));
        }
        ploy_json_write_end_array(&json);
    } else {
        ploy_json_write_key(&json, "reason");
        ploy_json_write_text(&json, reason);
    }
    ploy_json_write_key(&json, "atoms");
    ploy_json_write_i64(&json, ploy_goap_type_vars(type));
    ploy_json_write_key(&json, "actions");
    ploy_json_write_i64(&json, ploy_goap_type_actions(type));
    ploy_json_write_key(&json, "taken");
    ploy_json_write_i64(&json, stats.taken);
    ploy_json_write_end_object(&json);
    ploy_json_writer_finish(&json);
    putchar('\n');
}

static int print_answer(plan_run *run, const plan_way *way, bool json) {
    int32_t length = ploy_goap_plan(run->goap, NULL, 0);
    int32_t *plan = malloc((size_t)(length > 0 ? length : 1) * sizeof *plan);
    if (plan == NULL) return cli_error_result("plan", PLOY_ERR_MEMORY);
    (void)ploy_goap_plan(run->goap, plan, length > 0 ? length : 0);
    ploy_buffer why;
    ploy_buffer_init(&why, 0, &run->env);
    ploy_search_outcome outcome = ploy_goap_outcome(run->goap);
    if (length < 0) {
        ploy_writer writer = ploy_buffer_writer(&why);
        if (outcome == PLOY_SEARCH_OPEN) {
            ploy_write_text(&writer, "limit reached before a plan was found\n");
        } else {
            (void)ploy_goap_explain(run->goap, &writer);
        }
    }
    if (json) {
        write_plan(run, way, plan, length, ploy_buffer_text(&why));
    } else if (length >= 0) {
        for (int32_t i = 0; i < length; i++) {
            printf("%s\n", ploy_goap_type_action_id(ploy_pddl_type(run->pddl), plan[i]));
        }
        printf("; %d actions, cost %g, %lld states expanded\n", (int)length,
               ploy_goap_cost(run->goap), (long long)ploy_goap_stats_of(run->goap).taken);
    } else {
        printf("; no plan\n%s", ploy_buffer_text(&why));
    }
    ploy_buffer_fini(&why);
    free(plan);
    return length >= 0 ? CLI_OK : CLI_NO;
}

int cmd_plan(int argc, char **argv) {
    const char *planner = "astar", *words[2] = {NULL, NULL};
    bool json = false;
    int64_t limit = INT64_MAX;
    const cli_option options[] = {
        {"--planner", CLI_TEXT, &planner, "NAME",
         "search method (default astar); 'list' prints the names"},
        {"--limit", CLI_COUNT, &limit, "N", "give up after this many states"},
        {"--json", CLI_FLAG, &json, NULL, "print one JSON object on one line"},
    };
    const cli_usage usage = {"plan",
                             "DOMAIN.pddl PROBLEM.pddl [options]",
                             "Finds a plan and prints it, one action per line; exit status 1 and "
                             "the reason if there is none.",
                             options,
                             (int32_t)(sizeof options / sizeof options[0]),
                             0,
                             2};
    int status = cli_parse(&usage, argc, argv, words);
    if (status >= 0) return status;
    if (strcmp(planner, "list") == 0) {
        for (int32_t i = 0; i < PLAN_WAYS; i++) {
            printf("%-11s %s\n", plan_ways[i].name, plan_ways[i].help);
        }
        return CLI_OK;
    }
    if (words[1] == NULL) {
        cli_print_usage(&usage, true);
        return CLI_USAGE;
    }
    const plan_way *way = NULL;
    status = find_way(planner, &way);
    if (status >= 0) return status;
    plan_run run;
    memset(&run, 0, sizeof run);
    run.env = cli_env();
    for (int32_t i = 0; i < 2; i++) ploy_buffer_init(&run.files[i], 0, &run.env);
    ploy_result result = ploy_diags_create(50, &run.env, &run.diags);
    if (result != PLOY_OK) return cli_error_result("plan", result);
    status = load_problem(&run, words);
    if (status < 0) {
        result = solve(&run, way, limit);
        status =
            result < PLOY_OK ? cli_error_result("plan", result) : print_answer(&run, way, json);
    }
    ploy_goap_destroy(run.goap);
    ploy_pddl_destroy(run.pddl);
    for (int32_t i = 0; i < 2; i++) ploy_buffer_fini(&run.files[i]);
    ploy_diags_destroy(run.diags);
    return status;
}
