// Conflict-based search against joint-state A*, and on public benchmark maps.
#include "path/path_internal.h"
#include "ploy/base/rng.h"
#include "ploy/path/conflicts.h"
#include "ploy/path/tiles.h"
#include "ploy/search/states.h"
#include "tests/path/crowd_help.h"
#include "tests/test.h"

// All agents at once: their places, and who stands at its goal for good and costs nothing more.
typedef struct joint_key {
    int32_t at[3];
    uint32_t rests;
} joint_key;

typedef struct joint {
    const ploy_space *space;
    const ploy_conflicts_agent *agents;
    int32_t count;
    ploy_states *states;
    ploy_edges edges[3];
} joint;

static ploy_result joint_next(joint *all, const joint_key *from, joint_key *to, int32_t agent,
                              double cost, ploy_edges *out) {
    if (agent == all->count) {
        for (int32_t a = 0; a < all->count; a++) {
            for (int32_t b = 0; b < a; b++) {
                if (to->at[a] == to->at[b]) return PLOY_OK;
                if (to->at[a] == from->at[b] && to->at[b] == from->at[a]) return PLOY_OK;
            }
        }
        int32_t next = 0;
        ploy_result result = ploy_states_find(all->states, to, &next);
        return result == PLOY_OK ? ploy_edges_add(out, next, cost, 0) : result;
    }
    uint32_t bit = 1u << agent;
    if (from->rests & bit) return joint_next(all, from, to, agent + 1, cost, out);
    ploy_result result = PLOY_OK;
    for (int32_t i = -1; i < all->edges[agent].count && result == PLOY_OK; i++) {
        to->at[agent] = i < 0 ? from->at[agent] : all->edges[agent].view[i].to;
        result = joint_next(all, from, to, agent + 1, cost + 1.0, out);
        // Having arrived it may stay for good: from the next tick on it costs nothing.
        if (result != PLOY_OK || to->at[agent] != all->agents[agent].goal) continue;
        to->rests |= bit;
        result = joint_next(all, from, to, agent + 1, cost + 1.0, out);
        to->rests &= ~bit;
    }
    to->at[agent] = from->at[agent];
    return result;
}

static ploy_result joint_expand(void *user, int32_t state, ploy_edges *out) {
    joint *all = user;
    joint_key from, to;
    memcpy(&from, ploy_states_get(all->states, state), sizeof from);
    to = from;
    for (int32_t i = 0; i < all->count; i++) {
        ploy_edges_clear(&all->edges[i]);
        ploy_result result = all->space->expand(all->space->user, from.at[i], &all->edges[i]);
        if (result != PLOY_OK) return result;
    }
    return joint_next(all, &from, &to, 0, 0.0, out);
}

static bool joint_is_goal(void *user, int32_t state) {
    const joint *all = user;
    joint_key key;
    memcpy(&key, ploy_states_get(all->states, state), sizeof key);
    return key.rests == (1u << all->count) - 1u;
}

// The least sum of ticks; -1: there is no solution.
static int64_t joint_cost(test_context *t, const ploy_space *space,
                          const ploy_conflicts_agent *agents, int32_t count) {
    ploy_env env = ploy_env_default();
    joint all;
    memset(&all, 0, sizeof all);
    all.space = space;
    all.agents = agents;
    all.count = count;
    ploy_states_def states = ploy_states_def_default();
    states.size = (int32_t)sizeof(joint_key);
    ploy_search_def def = ploy_search_def_default();
    def.storage = PLOY_SEARCH_PAGES;
    ploy_search *search = NULL;
    CHECK_OK(ploy_states_create(&states, &env, &all.states));
    CHECK_OK(ploy_search_create(&def, &env, &search));
    joint_key key;
    memset(&key, 0, sizeof key);
    for (int32_t i = 0; i < count; i++) {
        ploy_edges_init(&all.edges[i], &env);
        key.at[i] = agents[i].start;
        if (agents[i].start == agents[i].goal) key.rests |= 0u; // it may have to move away
    }
    // Whoever is at its goal already may rest from the beginning.
    ploy_search_start starts[8];
    int32_t begun = 0;
    for (uint32_t rests = 0; rests < 1u << count; rests++) {
        bool may = true;
        for (int32_t i = 0; i < count; i++) {
            if ((rests >> i & 1u) && agents[i].start != agents[i].goal) may = false;
        }
        if (!may) continue;
        key.rests = rests;
        starts[begun].cost = 0.0;
        CHECK_OK(ploy_states_find(all.states, &key, &starts[begun++].state));
    }
    ploy_space whole = {0, joint_expand, NULL, NULL, &all};
    ploy_search_query query = ploy_search_query_make(&whole, starts, PLOY_STATE_NONE);
    query.start_count = begun;
    query.is_goal = joint_is_goal;
    query.user = &all;
    CHECK_OK(ploy_search_run(search, &query));
    double cost = -1.0;
    if (ploy_search_outcome_of(search) == PLOY_SEARCH_FOUND) {
        (void)ploy_search_path(search, ploy_search_goal(search), NULL, 0, &cost);
    }
    ploy_search_destroy(search);
    ploy_states_destroy(all.states);
    for (int32_t i = 0; i < count; i++) ploy_edges_fini(&all.edges[i]);
    return (int64_t)cost;
}

// Nobody meets anybody; each way follows edges and ends at its goal. Returns the sum of ticks.
static int64_t check_ways(test_context *t, const ploy_conflicts *conflicts, const ploy_space *space,
                          const ploy_conflicts_agent *agents, int32_t count) {
    enum { LONGEST = 512 };
    static int32_t ways[64][LONGEST];
    int32_t lengths[64], longest = 0;
    int64_t sum = 0;
    for (int32_t i = 0; i < count; i++) {
        lengths[i] = ployi_conflicts_path(conflicts, i, ways[i], LONGEST);
        CHECK(lengths[i] > 0 && lengths[i] <= LONGEST);
        CHECK_INT(ways[i][0], agents[i].start);
        CHECK_INT(ways[i][lengths[i] - 1], agents[i].goal);
        for (int32_t k = 1; k < lengths[i]; k++) {
            CHECK(ways[i][k] == ways[i][k - 1] ||
                  crowd_is_edge(t, space, ways[i][k - 1], ways[i][k]));
        }
        for (int32_t k = lengths[i]; k < LONGEST; k++) ways[i][k] = agents[i].goal;
        if (lengths[i] > longest) longest = lengths[i];
        sum += lengths[i] - 1;
    }
    for (int32_t k = 0; k < longest; k++) {
        for (int32_t a = 0; a < count; a++) {
            for (int32_t b = 0; b < a; b++) {
                CHECK(ways[a][k] != ways[b][k]);
                if (k > 0) CHECK(ways[a][k] != ways[b][k - 1] || ways[b][k] != ways[a][k - 1]);
            }
        }
    }
    return sum;
}

TEST(costs_equal_those_of_all_agents_searched_at_once) {
    ploy_env env = ploy_env_default();
    ploy_conflicts_def def = ploy_conflicts_def_default();
    def.max_nodes = 3000;
    ploy_conflicts *conflicts = NULL;
    CHECK_OK(ploy_fields_check_table(ploy_conflicts_fields(), NULL));
    CHECK_OK(ploy_conflicts_create(&def, &env, &conflicts));
    int32_t solved = 0, collided = 0;
    for (int64_t seed = 0; seed < test_rounds(120); seed++) {
        TEST_SEED(seed);
        crowd_map map = crowd_map_make(t, 5, 4, 0.25f, (uint64_t)seed);
        ploy_conflicts_agent agents[3];
        int32_t count = crowd_agents(&map, (uint64_t)seed, agents, 2 + (int32_t)(seed % 2));
        CHECK_OK(ploy_conflicts_run(conflicts, &map.space, agents, count));
        ploy_search_outcome outcome = ploy_conflicts_outcome(conflicts);
        if (outcome == PLOY_SEARCH_FOUND) {
            int64_t sum = check_ways(t, conflicts, &map.space, agents, count);
            CHECK_INT(ploy_conflicts_cost(conflicts), sum);
            CHECK_INT(sum, joint_cost(t, &map.space, agents, count));
            solved++;
            collided += ployi_conflicts_stats_of(conflicts).nodes > 1;
            // In slices: the same.
            ploy_conflicts_stats stats = ployi_conflicts_stats_of(conflicts);
            CHECK_OK(ploy_conflicts_begin(conflicts, &map.space, agents, count));
            ploy_result result = PLOY_IN_PROGRESS;
            int64_t spent = 0;
            while (result == PLOY_IN_PROGRESS) {
                ploy_budget budget = ploy_budget_units(3);
                result = ploy_conflicts_step(conflicts, &budget);
                CHECK(budget.spent <= 3);
                spent += budget.spent;
            }
            CHECK_OK(result);
            CHECK_INT(ploy_conflicts_cost(conflicts), sum);
            CHECK_INT(ployi_conflicts_stats_of(conflicts).nodes, stats.nodes);
            CHECK_INT(ployi_conflicts_stats_of(conflicts).taken, stats.taken);
            CHECK(spent >= stats.taken); // finding an open list empty counts, too
        } else if (outcome == PLOY_SEARCH_NONE) {
            CHECK_INT(joint_cost(t, &map.space, agents, count), -1);
        }
        crowd_map_free(&map);
    }
    CHECK(solved > 50);
    CHECK(collided > 10);
    ploy_conflicts_destroy(conflicts);
}

TEST(public_scenarios_are_solved_without_a_collision) {
    static const struct {
        const char *map, *scenario;
        int32_t agents;
    } rows[] = {
        {"empty-16-16.map", "empty-16-16-random-1.scen", 12},
        {"random-32-32-10.map", "random-32-32-10-random-1.scen", 12},
        {"room-32-32-4.map", "room-32-32-4-even-1.scen", 6},
    };
    if (test_data_dir() == NULL) {
        test_skip(t, "no outside data");
        return;
    }
    ploy_env env = ploy_env_default();
    ploy_conflicts_def def = ploy_conflicts_def_default();
    def.max_nodes = 4000;
    ploy_conflicts *conflicts = NULL;
    CHECK_OK(ploy_conflicts_create(&def, &env, &conflicts));
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].scenario;
        crowd_map map;
        if (!crowd_map_load(t, rows[i].map, &map)) {
            test_skip(t, "no such map");
            break;
        }
        ploy_conflicts_agent agents[64];
        int32_t count = crowd_scenario(t, &map, rows[i].scenario, agents, rows[i].agents);
        CHECK_INT(count, rows[i].agents);
        CHECK_OK(ploy_conflicts_run(conflicts, &map.space, agents, count));
        CHECK_TEXT(ploy_search_outcome_text(ploy_conflicts_outcome(conflicts)), "found");
        CHECK_INT(check_ways(t, conflicts, &map.space, agents, count),
                  ploy_conflicts_cost(conflicts));
        crowd_map_free(&map);
    }
    ploy_conflicts_destroy(conflicts);
}

TEST(bad_questions_are_refused_and_hopeless_ones_end) {
    ploy_env env = ploy_env_default();
    ploy_conflicts_def def = ploy_conflicts_def_default();
    def.max_nodes = 200;
    ploy_conflicts *conflicts = NULL;
    CHECK_OK(ploy_conflicts_create(&def, &env, &conflicts));
    crowd_map map = crowd_map_make(t, 4, 1, 0.0f, 0); // a corridor
    ploy_conflicts_agent swap[2] = {{0, 3}, {3, 0}}, same[2] = {{0, 3}, {0, 2}}, off = {0, 9};
    CHECK_INT(ploy_conflicts_step(conflicts, NULL), PLOY_ERR_STATE);
    CHECK_INT(ploy_conflicts_run(conflicts, &map.space, same, 2), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_conflicts_run(conflicts, &map.space, &off, 1), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_conflicts_run(conflicts, &map.space, swap, 0), PLOY_ERR_ARGUMENT);
    CHECK_OK(ploy_conflicts_run(conflicts, &map.space, swap, 2)); // nobody can pass
    CHECK_INT(ploy_conflicts_outcome(conflicts), PLOY_SEARCH_PRUNED);
    CHECK_INT(ploy_conflicts_cost(conflicts), -1);
    CHECK_OK(ploy_conflicts_run(conflicts, &map.space, swap, 1));
    CHECK_INT(ploy_conflicts_cost(conflicts), 3);
    ploy_conflicts_cancel(conflicts);
    CHECK_INT(ployi_conflicts_path(conflicts, 0, NULL, 0), -1);
    crowd_map_free(&map);
    ploy_conflicts_destroy(conflicts);
}

static ploy_result solve_one(const ploy_env *env, void *arg) {
    const crowd_map *map = arg;
    ploy_conflicts_def def = ploy_conflicts_def_default();
    ploy_conflicts *conflicts = NULL;
    ploy_conflicts_agent agents[2] = {{0, 8}, {2, 6}};
    ploy_result result = ploy_conflicts_create(&def, env, &conflicts);
    if (result == PLOY_OK) result = ploy_conflicts_run(conflicts, &map->space, agents, 2);
    TEST_REPORT(result, env, conflicts, ploy_conflicts_memory);
    ploy_conflicts_destroy(conflicts);
    return result;
}

TEST(conflicts_survive_every_failing_allocation) {
    crowd_map map = crowd_map_make(t, 3, 3, 0.0f, 0);
    CHECK_FAIL_NTH(solve_one, &map);
    crowd_map_free(&map);
}
