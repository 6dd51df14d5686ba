// Finders over blocks, flow fields, frozen graphs, hierarchies, timetables, groups and several
// agents: what each promises, against slow answers.
#include "ploy/base/describe.h"
#include "ploy/base/math.h"
#include "ploy/path/finder_kit.h"
#include "tests/path/finder_levels.h"

enum { KINDS_WIDTH = 9, KINDS_HEIGHT = 8, KINDS_CELLS = KINDS_WIDTH * KINDS_HEIGHT, TICKS = 260 };
enum { BLOCKS, FLOW, FROZEN, BOTH, HIERARCHY, TIMED, COOPERATIVE, CONFLICTS };

typedef struct ends {
    int32_t start, goal;
} ends;

// A random level with two free cells on it.
static ends random_level(test_context *t, int64_t seed, kit *out) {
    ploy_rng rng = ploy_rng_make((uint64_t)seed);
    ploy_tiles *tiles = maps_plain(t, KINDS_WIDTH, KINDS_HEIGHT);
    maps_scatter(tiles, &rng, ploy_rng_range(&rng, 0.0f, 0.45f));
    ends in = {(int32_t)ploy_rng_below(&rng, KINDS_CELLS),
               (int32_t)ploy_rng_below(&rng, KINDS_CELLS)};
    CHECK_OK(ploy_tiles_set(tiles, in.start, PLOY_TILE_OPEN));
    CHECK_OK(ploy_tiles_set(tiles, in.goal, PLOY_TILE_OPEN));
    kit_make(t, tiles, out);
    out->now = (double)(seed % 5);
    for (int32_t i = 0; i < KIT_OTHERS && seed % 3 != 0; i++) { // a group, and agents of conflicts
        int32_t a = (int32_t)ploy_rng_below(&rng, KINDS_CELLS);
        int32_t b = (int32_t)ploy_rng_below(&rng, KINDS_CELLS);
        if (!ploy_tiles_passable(tiles, a) || !ploy_tiles_passable(tiles, b)) continue;
        if (a == in.start || b == in.goal) continue;
        ploy_result added = ploy_cooperative_add(out->group, a, b, NULL);
        if (added == PLOY_ERR_EXISTS) continue;
        CHECK_OK(added);
        bool apart = true;
        for (int32_t k = 0; k < out->agent_count; k++) {
            apart = apart && out->agents[k].start != a && out->agents[k].goal != b;
        }
        if (!apart || !ploy_grid_map_connected(out->map, a, b) || out->agent_count == 1) continue;
        out->agents[out->agent_count].start = a;
        out->agents[out->agent_count++].goal = b;
    }
    if (ploy_cooperative_count(out->group) > 0) CHECK_OK(ploy_cooperative_step(out->group));
    return in;
}

static ploy_finder_request ask(const kit *in, ends between) {
    ploy_vec3 from = in->view.localise(in->view.user, between.start);
    ploy_vec3 to = in->view.localise(in->view.user, between.goal);
    ploy_path_request path = ploy_path_request_make(ploy_agent_id_none(), from, to);
    return ploy_finder_request_make(&path);
}

// ---- slow answers ----

// The least cost by steps; with a goal by predicate to any such cell.
static double slow_steps(const kit *in, ends between, const ploy_cost_hook *hook,
                         bool (*is_goal)(void *, int32_t)) {
    double cost[KINDS_CELLS], best = (double)INFINITY;
    for (int32_t i = 0; i < KINDS_CELLS; i++) cost[i] = (double)INFINITY;
    cost[between.start] = 0.0;
    for (bool again = true; again;) {
        again = false;
        for (int32_t i = 0; i < KINDS_CELLS; i++) {
            for (int32_t k = 0; k < 8 && cost[i] < (double)INFINITY; k++) {
                double step = ploy_tiles_walker_step(&in->walker, i, k);
                int32_t to = ploy_tiles_neighbour(in->tiles, i, k);
                if (!(step < (double)INFINITY)) continue;
                if (hook != NULL) step = hook->fn(hook->user, i, to, k, step);
                if (!(cost[i] + step < cost[to] - 1e-12)) continue;
                cost[to] = cost[i] + step;
                again = true;
            }
        }
    }
    for (int32_t i = 0; i < KINDS_CELLS; i++) {
        bool goal = is_goal != NULL ? is_goal(NULL, i) && ploy_tiles_passable(in->tiles, i)
                                    : i == between.goal;
        if (goal && cost[i] < best) best = cost[i];
    }
    return best;
}

// May a step or a wait begin at a tick? How many ticks it takes, or 0.
typedef int32_t (*ticks_fn)(const kit *in, int32_t start, int32_t from, int32_t to, int32_t label,
                            int32_t tick);

static int32_t timetable_ticks(const kit *in, int32_t start, int32_t from, int32_t to,
                               int32_t label, int32_t tick) {
    (void)start;
    if (from == to) return 1; // half a second
    double depart = in->now + 0.5 * tick;
    if (!kit_gate_open(to % KINDS_WIDTH, depart)) return 0;
    return (int32_t)(2.0 * kit_seconds(label));
}

static int32_t crowd_ticks(const kit *in, int32_t start, int32_t from, int32_t to, int32_t label,
                           int32_t tick) {
    (void)label;
    for (int32_t i = 0; i < ploy_cooperative_count(in->group); i++) {
        if (ploy_cooperative_state(in->group, i) == start) continue; // itself
        int32_t now = ploy_cooperative_planned(in->group, i, tick);
        int32_t then = ploy_cooperative_planned(in->group, i, tick + 1);
        if (then == to || (now == to && then == from)) return 0;
    }
    return 1;
}

// The first tick at which the goal can be reached, or -1.
static int32_t slow_ticks(const kit *in, ends between, ticks_fn fn) {
    static bool at[TICKS + 4][KINDS_CELLS];
    memset(at, 0, sizeof at);
    at[0][between.start] = true;
    for (int32_t tick = 0; tick < TICKS; tick++) {
        if (at[tick][between.goal]) return tick;
        for (int32_t i = 0; i < KINDS_CELLS; i++) {
            if (!at[tick][i]) continue;
            int32_t ticks = fn(in, between.start, i, i, -1, tick);
            if (ticks > 0) at[tick + ticks][i] = true;
            for (int32_t k = 0; k < 8; k++) {
                if (!(ploy_tiles_walker_step(&in->walker, i, k) < (double)INFINITY)) continue;
                int32_t to = ploy_tiles_neighbour(in->tiles, i, k);
                ticks = fn(in, between.start, i, to, k, tick);
                if (ticks > 0) at[tick + ticks][to] = true;
            }
        }
    }
    return -1;
}

// ---- one finder ----

static ploy_finder new_finder(test_context *t, const ploy_finder_factory *factory,
                              const ploy_env *env) {
    ploy_finder finder;
    CHECK_OK(ploy_finder_make(factory, env, &finder));
    CHECK_UINT(finder.type->traits, factory->traits);
    CHECK_TEXT(finder.type->name, factory->name);
    return finder;
}

static ploy_path *new_path(test_context *t, const ploy_env *env) {
    ploy_path_def def = ploy_path_def_default();
    ploy_path *path = NULL;
    CHECK_OK(ploy_path_create(&def, env, &path));
    return path;
}

static uint64_t hash_of(ploy_finder finder, const ploy_path *path) {
    ploy_hash_sink sink;
    ploy_hash_sink_init(&sink);
    ploy_describe out = ploy_hash_sink_describe(&sink);
    ploy_finder_describe(finder, &out);
    ploy_path_describe(path, &out);
    return ploy_hash_sink_result(&sink);
}

// Steps of the level and waits, from start to goal, at the cost that the finder reports.
static void check_path(test_context *t, const kit *in, ends between, ploy_finder finder,
                       const ploy_path *path) {
    int32_t cells[TICKS + 4], count = ploy_finder_states(finder, cells, TICKS + 4);
    CHECK(count >= 1 && count <= TICKS + 4);
    CHECK_INT(cells[0], between.start);
    CHECK_INT(cells[count - 1], between.goal);
    for (int32_t i = 1; i < count; i++) {
        bool step = cells[i] == cells[i - 1]; // a wait
        for (int32_t k = 0; k < 8 && !step; k++) {
            step = ploy_tiles_neighbour(in->tiles, cells[i - 1], k) == cells[i] &&
                   ploy_tiles_walker_step(&in->walker, cells[i - 1], k) < (double)INFINITY;
        }
        CHECK(step);
    }
    CHECK_INT(ploy_path_count(path), count);
    double cost = ploy_finder_state_of(finder)->cost;
    CHECK_NEAR(ploy_path_cost(path), cost, 1e-4 * (1.0 + cost));
    for (int32_t i = 1; i < count; i++) {
        bool wait = ploy_path_edge_from(path, i - 1)->kind.hash == ploy_name_of("wait").hash;
        CHECK_INT(wait, cells[i] == cells[i - 1]);
    }
}

// The least cost in the finder's own measure, INFINITY without a path; exact or only a lower bound.
static double slow_answer(const kit *in, ends between, int32_t kind, bool *exact) {
    int32_t ticks = -1;
    *exact = true;
    switch (kind) {
    case BLOCKS:
    case HIERARCHY: *exact = false; return slow_steps(in, between, NULL, NULL);
    case TIMED:
        ticks = slow_ticks(in, between, timetable_ticks);
        return ticks >= 0 ? 0.5 * ticks : (double)INFINITY;
    case COOPERATIVE:
        ticks = slow_ticks(in, between, crowd_ticks);
        return ticks >= 0 ? (double)ticks : (double)INFINITY;
    case CONFLICTS: {
        kit alone = *in;
        ploy_env env = ploy_env_default();
        ploy_cooperative_def def = ploy_cooperative_def_default();
        if (ploy_cooperative_create(&def, &in->view.space, &env, &alone.group) != PLOY_OK) break;
        ticks = slow_ticks(&alone, between, crowd_ticks);
        ploy_cooperative_destroy(alone.group);
        *exact = in->agent_count == 0;
        return ticks >= 0 ? (double)ticks : (double)INFINITY;
    }
    default: break;
    }
    return slow_steps(in, between, NULL, NULL);
}

TEST(each_kind_keeps_its_promise_in_one_go_and_in_slices) {
    ploy_env env = ploy_env_default();
    ploy_path *path = new_path(t, &env);
    for (int64_t seed = 0; seed < test_rounds(300); seed++) {
        TEST_SEED(seed);
        kit in;
        ends between = random_level(t, seed, &in);
        ploy_finder_request request = ask(&in, between);
        for (int32_t i = 0; i < KIT_KINDS; i++) {
            t->row = in.finders[i].name;
            ploy_finder finder = new_finder(t, &in.finders[i], &env);
            CHECK(ploy_finder_serves(finder, &request, NULL) == NULL);
            CHECK_OK(ploy_finder_run(finder, &request, NULL));
            bool exact = false;
            double best = slow_answer(&in, between, i, &exact);
            ploy_path_outcome outcome = ploy_finder_outcome(finder);
            CHECK_INT(outcome, best < (double)INFINITY ? PLOY_PATH_FOUND : PLOY_PATH_NONE);
            CHECK_INT(ploy_finder_path(finder, path),
                      outcome == PLOY_PATH_FOUND ? PLOY_OK : PLOY_ERR_STATE);
            if (outcome == PLOY_PATH_FOUND) {
                double cost = ploy_finder_state_of(finder)->cost;
                CHECK(cost >= best - 1e-6);
                if (exact) CHECK(cost <= best + 1e-6);
                check_path(t, &in, between, finder, path);
            }
            uint64_t whole = hash_of(finder, path);
            int64_t units = ploy_finder_state_of(finder)->units, spent = 0;
            int64_t taken = ploy_finder_state_of(finder)->taken;
            int64_t work = ploy_finder_state_of(finder)->work;
            ploy_finder_destroy(finder); // flow keeps its field: sliced in new memory
            finder = new_finder(t, &in.finders[i], &env);
            CHECK_OK(ploy_finder_begin(finder, &request, NULL));
            for (ploy_result result = PLOY_IN_PROGRESS; result != PLOY_OK;) {
                ploy_budget one = ploy_budget_units(1);
                result = ploy_finder_step(finder, &one);
                CHECK(result >= PLOY_OK);
                spent += one.spent;
                if (result == PLOY_IN_PROGRESS && finder.type->peek != NULL && spent % 3 == 0) {
                    CHECK_OK(ploy_finder_peek(finder, path));
                }
            }
            CHECK_INT(spent, units);
            CHECK_INT(ploy_finder_state_of(finder)->taken, taken);
            CHECK_INT(ploy_finder_state_of(finder)->work, work);
            (void)ploy_finder_path(finder, path);
            CHECK_UINT(hash_of(finder, path), whole);
            ploy_finder_destroy(finder);
        }
        kit_free(&in);
    }
    ploy_path_destroy(path);
}

TEST(an_edit_ends_a_search_and_a_stale_graph_is_refused) {
    ploy_env env = ploy_env_default();
    ploy_path *path = new_path(t, &env);
    kit in;
    kit_make(t, maps_plain(t, KINDS_WIDTH, KINDS_HEIGHT), &in);
    ends between = {0, KINDS_CELLS - 1};
    ploy_finder_request request = ask(&in, between);
    for (int32_t i = 0; i < KIT_KINDS; i++) {
        t->row = in.finders[i].name;
        ploy_finder finder = new_finder(t, &in.finders[i], &env);
        for (int64_t units = 0; units < 200; units++) { // cancelled anywhere
            CHECK_OK(ploy_finder_begin(finder, &request, NULL));
            ploy_budget budget = ploy_budget_units(units);
            CHECK(ploy_finder_step(finder, &budget) >= PLOY_OK);
            ploy_finder_cancel(finder);
            CHECK_INT(ploy_finder_step(finder, NULL), PLOY_ERR_STATE);
            CHECK_INT(ploy_finder_path(finder, path), PLOY_ERR_STATE);
        }
        CHECK_OK(ploy_finder_run(finder, &request, NULL));
        CHECK_OK(ploy_tiles_set(in.tiles, 40, PLOY_TILE_BLOCKED));
        CHECK_INT(ploy_finder_path(finder, path), PLOY_ERR_CHANGED);
        CHECK_INT(ploy_finder_step(finder, NULL), PLOY_ERR_CHANGED);
        bool grid = i == BLOCKS || i == FLOW, frozen = i >= FROZEN && i <= HIERARCHY;
        if (grid || frozen) {
            CHECK_INT(ploy_finder_begin(finder, &request, NULL), PLOY_ERR_UNSUPPORTED);
            CHECK(ploy_finder_serves(finder, &request, NULL) != NULL);
        }
        ploy_grid_map_refresh(in.map);
        if (i == BLOCKS) CHECK(ploy_finder_serves(finder, &request, NULL) != NULL);
        ploy_grid_blocks_refresh(in.blocks);
        if (i == COOPERATIVE) CHECK_OK(ploy_cooperative_changed(in.group));
        if (!frozen) {
            CHECK_OK(ploy_finder_run(finder, &request, NULL));
            CHECK_INT(ploy_finder_outcome(finder), PLOY_PATH_FOUND);
        }
        CHECK_OK(ploy_tiles_set(in.tiles, 40, PLOY_TILE_OPEN));
        ploy_grid_map_refresh(in.map);
        ploy_grid_blocks_refresh(in.blocks);
        ploy_finder_destroy(finder);
    }
    kit_free(&in);
    ploy_path_destroy(path);
}

static double dear_column(void *user, int32_t from, int32_t to, int32_t label, double base) {
    (void)user;
    (void)from;
    (void)label;
    return to % KINDS_WIDTH == 4 ? base * 5.0 : base;
}

static bool is_corner(void *user, int32_t cell) {
    (void)user;
    return cell % KINDS_WIDTH == KINDS_WIDTH - 1 && cell / KINDS_WIDTH % 7 == 0;
}

TEST(hooks_predicates_and_radii_are_obeyed_or_refused) {
    ploy_env env = ploy_env_default();
    ploy_cost_hook hook = {dear_column, NULL};
    for (int64_t seed = 0; seed < test_rounds(60); seed++) {
        TEST_SEED(seed);
        kit in;
        ends between = random_level(t, seed, &in);
        ploy_finder_request plain = ask(&in, between);
        for (int32_t i = 0; i < KIT_KINDS; i++) {
            t->row = in.finders[i].name;
            uint32_t traits = in.finders[i].traits;
            ploy_finder finder = new_finder(t, &in.finders[i], &env);
            bool hooks = (traits & PLOY_FINDER_COSTS) != 0;
            CHECK_INT(ploy_finder_serves(finder, &plain, &hook) == NULL, hooks);
            CHECK_INT(ploy_finder_run(finder, &plain, &hook),
                      hooks ? PLOY_OK : PLOY_ERR_UNSUPPORTED);
            double best = slow_steps(&in, between, &hook, NULL);
            if (hooks && best < (double)INFINITY) {
                CHECK_NEAR(ploy_finder_state_of(finder)->cost, best, 1e-6);
            }
            ploy_finder_request any = plain;
            any.is_goal = is_corner;
            bool predicates = (traits & PLOY_FINDER_PREDICATE) != 0;
            CHECK_INT(ploy_finder_serves(finder, &any, NULL) == NULL, predicates);
            CHECK_INT(ploy_finder_run(finder, &any, NULL),
                      predicates ? PLOY_OK : PLOY_ERR_UNSUPPORTED);
            best = slow_steps(&in, between, NULL, is_corner);
            if (predicates && i != TIMED) {
                CHECK_INT(ploy_finder_outcome(finder),
                          best < (double)INFINITY ? PLOY_PATH_FOUND : PLOY_PATH_NONE);
                if (best < (double)INFINITY) {
                    CHECK_NEAR(ploy_finder_state_of(finder)->cost, best, 1e-6);
                    CHECK(is_corner(NULL, ploy_finder_state_of(finder)->end));
                }
            }
            ploy_finder_request wide = plain;
            wide.path.radius = 0.6f; // cells are 1 m
            bool grid = i == BLOCKS || i == FLOW;
            if (grid) CHECK(ploy_finder_serves(finder, &wide, NULL) != NULL);
            ploy_finder_request varied = plain;
            varied.variety = 7;
            CHECK(ploy_finder_serves(finder, &varied, NULL) != NULL);
            ploy_finder_destroy(finder);
        }
        kit_free(&in);
    }
}

TEST(a_partial_path_leads_to_the_nearest_place) {
    ploy_env env = ploy_env_default();
    ploy_tiles *tiles = maps_plain(t, KINDS_WIDTH, KINDS_HEIGHT);
    for (int32_t y = 0; y < KINDS_HEIGHT; y++) {
        CHECK_OK(ploy_tiles_set(tiles, y * KINDS_WIDTH + 6, PLOY_TILE_BLOCKED));
    }
    kit in;
    kit_make(t, tiles, &in);
    ploy_path *path = new_path(t, &env);
    ends between = {3 * KINDS_WIDTH, 3 * KINDS_WIDTH + 8};
    ploy_finder_request request = ask(&in, between);
    request.partial = true;
    for (int32_t i = 0; i < KIT_KINDS; i++) {
        t->row = in.finders[i].name;
        bool partial = (in.finders[i].traits & PLOY_FINDER_PARTIAL) != 0;
        ploy_finder finder = new_finder(t, &in.finders[i], &env);
        CHECK_OK(ploy_finder_run(finder, &request, NULL));
        CHECK_INT(ploy_finder_outcome(finder), partial ? PLOY_PATH_PARTIAL : PLOY_PATH_NONE);
        if (partial) CHECK_INT(ploy_finder_state_of(finder)->end, 3 * KINDS_WIDTH + 5);
        if (partial) CHECK_OK(ploy_finder_path(finder, path));
        ploy_finder_destroy(finder);
    }
    ploy_path_destroy(path);
    kit_free(&in);
}

TEST(a_flow_field_is_kept_for_the_next_request_to_the_same_goal) {
    ploy_env env = ploy_env_default();
    kit in;
    kit_make(t, maps_plain(t, KINDS_WIDTH, KINDS_HEIGHT), &in);
    ploy_finder finder = new_finder(t, &in.finders[FLOW], &env);
    ends first = {0, 50}, second = {8, 50}, third = {8, 40};
    ploy_finder_request request = ask(&in, first);
    CHECK_OK(ploy_finder_run(finder, &request, NULL));
    CHECK(ploy_finder_state_of(finder)->units > 0);
    request = ask(&in, second);
    CHECK_OK(ploy_finder_run(finder, &request, NULL));
    CHECK_INT(ploy_finder_state_of(finder)->units, 0);
    CHECK_INT(ploy_finder_outcome(finder), PLOY_PATH_FOUND);
    CHECK_NEAR(ploy_finder_state_of(finder)->cost, slow_steps(&in, second, NULL, NULL), 1e-6);
    request = ask(&in, third);
    CHECK_OK(ploy_finder_run(finder, &request, NULL));
    CHECK(ploy_finder_state_of(finder)->units > 0);
    ploy_finder_destroy(finder);
    kit_free(&in);
}

TEST(two_agents_of_a_plan_never_meet) {
    // A corridor with one bay: one of the two has to wait in it.
    static const char rows[] = "###.###"
                               "......."
                               "#######";
    ploy_env env = ploy_env_default();
    kit in;
    kit_make(t, maps_text(t, rows, 7, 3), &in);
    in.agents[0].start = 13;
    in.agents[0].goal = 7;
    in.agent_count = 1;
    ends between = {7, 13};
    ploy_finder finder = new_finder(t, &in.finders[CONFLICTS], &env);
    ploy_finder_request request = ask(&in, between);
    CHECK_OK(ploy_finder_run(finder, &request, NULL));
    CHECK_INT(ploy_finder_outcome(finder), PLOY_PATH_FOUND);
    int32_t cells[32], count = ploy_finder_states(finder, cells, 32);
    CHECK(count >= 7 && count <= 32);
    in.agents[0].goal = 13; // both to one place: not served
    CHECK_INT(ploy_finder_begin(finder, &request, NULL), PLOY_ERR_UNSUPPORTED);
    ploy_finder_destroy(finder);
    kit_free(&in);
}

typedef struct fail_arg {
    kit *in;
    int32_t kind;
    ends between;
} fail_arg;

static ploy_result found_with(const ploy_env *env, void *arg) {
    const fail_arg *fail = arg;
    ploy_finder finder;
    ploy_path *path = NULL;
    ploy_path_def def = ploy_path_def_default();
    ploy_finder_request request = ask(fail->in, fail->between);
    ploy_result result = ploy_finder_make(&fail->in->finders[fail->kind], env, &finder);
    if (result == PLOY_OK) result = ploy_path_create(&def, env, &path);
    if (result == PLOY_OK) result = ploy_finder_run(finder, &request, NULL);
    if (result == PLOY_OK) result = ploy_finder_path(finder, path);
    ploy_path_destroy(path);
    ploy_finder_destroy(finder);
    return result;
}

TEST(memory_may_run_out_and_what_is_reported_is_what_is_held) {
    kit in;
    kit_make(t, maps_plain(t, KINDS_WIDTH, KINDS_HEIGHT), &in);
    for (int32_t i = 0; i < KIT_KINDS; i++) {
        t->row = in.finders[i].name;
        fail_arg arg = {&in, i, {0, 32}};
        CHECK_FAIL_NTH(found_with, &arg);
        test_counts counts = {0, 0, 0};
        ploy_env env = test_counting_env(&counts);
        ploy_finder finder = new_finder(t, &in.finders[i], &env);
        ploy_finder_request request = ask(&in, arg.between);
        CHECK_OK(ploy_finder_run(finder, &request, NULL));
        int64_t bytes = 0, calls = counts.calls;
        ploy_finder_memory(finder, test_sum_memory, &bytes);
        CHECK_INT(bytes, counts.bytes);
        if (i != CONFLICTS) { // which takes memory for each side of a split
            for (int32_t k = 0; k < 3; k++) CHECK_OK(ploy_finder_run(finder, &request, NULL));
            CHECK_INT(counts.calls, calls); // warm
        }
        ploy_finder_destroy(finder);
        CHECK_INT(counts.blocks, 0);
        ploy_env plain = ploy_env_default();
        ploy_finder_factory none = in.finders[i];
        none.user = NULL;
        CHECK_INT(ploy_finder_make(&none, &plain, &finder), PLOY_ERR_ARGUMENT);
    }
    kit_free(&in);
}

static ploy_result kit_found(const ploy_env *env, void *arg) {
    const kit *in = arg;
    ploy_finder_kit_def def = ploy_finder_kit_def_default();
    def.side = KIT_SIDE;
    ploy_finder_kit *finders = NULL;
    ploy_finder_factory list[64];
    ploy_result result = ploy_finder_kit_create(&def, in->map, in->tiles, env, &finders);
    int32_t count = result == PLOY_OK ? ploy_finder_kit_list(finders, list, 64) : 0;
    for (int32_t i = 0; i < count && result == PLOY_OK; i++) {
        ploy_finder_factory factory;
        ploy_finder finder;
        result = ploy_finder_kit_find(finders, list[i].name, &factory);
        if (result == PLOY_OK) result = ploy_finder_make(&factory, env, &finder);
        if (result == PLOY_OK) ploy_finder_destroy(finder);
    }
    if (result == PLOY_OK) result = ploy_finder_kit_refresh(finders);
    ploy_finder_kit_destroy(finders);
    return result;
}

TEST(a_kit_finds_every_finder_of_its_list_and_follows_edits) {
    ploy_env plain = ploy_env_default();
    kit in;
    kit_make(t, maps_plain(t, KINDS_WIDTH, KINDS_HEIGHT), &in);
    CHECK_FAIL_NTH(kit_found, &in);
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    ploy_finder_kit_def def = ploy_finder_kit_def_default();
    ploy_finder_kit *finders = NULL;
    ploy_finder_factory factory;
    CHECK_OK(ploy_finder_kit_create(&def, in.map, in.tiles, &env, &finders));
    CHECK_INT(ploy_finder_kit_find(finders, "no such finder", &factory), PLOY_ERR_NOT_FOUND);
    ploy_finder_factory list[64], bare[64];
    int32_t count = ploy_finder_kit_list(finders, list, 64);
    CHECK_INT(ploy_finder_kit_list(NULL, bare, 64), count);
    ends between = {0, KINDS_CELLS - 1};
    ploy_finder_request request = ask(&in, between);
    for (int32_t i = 0; i < count; i++) {
        t->row = list[i].name;
        CHECK_TEXT(bare[i].name, list[i].name);
        for (int32_t k = 0; k < i; k++) CHECK(strcmp(list[i].name, list[k].name) != 0);
        ploy_finder finder;
        CHECK_INT(ploy_finder_make(&bare[i], &plain, &finder), PLOY_ERR_ARGUMENT);
        CHECK_OK(ploy_finder_kit_find(finders, list[i].name, &factory));
        finder = new_finder(t, &factory, &env);
        CHECK_OK(ploy_finder_run(finder, &request, NULL));
        CHECK_INT(ploy_finder_outcome(finder), PLOY_PATH_FOUND);
        ploy_finder_destroy(finder);
        int64_t bytes = 0;
        ploy_finder_kit_memory(finders, test_sum_memory, &bytes);
        CHECK_INT(bytes, counts.bytes);
    }
    // A graph frozen before an edit is refused, also by finders that are made after it.
    CHECK_OK(ploy_tiles_set(in.tiles, 40, PLOY_TILE_BLOCKED));
    CHECK_OK(ploy_grid_map_refresh(in.map));
    for (int32_t turn = 0; turn < 2; turn++) {
        CHECK_OK(ploy_finder_kit_find(finders, "hierarchy", &factory));
        ploy_finder finder = new_finder(t, &factory, &env);
        CHECK_INT(ploy_finder_run(finder, &request, NULL),
                  turn == 0 ? PLOY_ERR_UNSUPPORTED : PLOY_OK);
        ploy_finder_destroy(finder);
        CHECK_OK(ploy_finder_kit_refresh(finders));
    }
    ploy_finder_kit_destroy(finders);
    CHECK_INT(counts.blocks, 0);
    // Without a map its finders are refused, the others are not.
    CHECK_OK(ploy_finder_kit_create(&def, NULL, in.tiles, &plain, &finders));
    CHECK_INT(ploy_finder_kit_find(finders, "jps", &factory), PLOY_ERR_UNSUPPORTED);
    CHECK_INT(ploy_finder_kit_find(finders, "blocks", &factory), PLOY_ERR_UNSUPPORTED);
    CHECK_OK(ploy_finder_kit_find(finders, "frozen.both", &factory));
    ploy_finder_kit_destroy(finders);
    kit_free(&in);
}
