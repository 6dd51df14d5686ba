// The action planner; the techniques are described in the header.
//
// Worlds are numbered by ploy_states and searched by ploy_search, through goap_worlds.c; the
// depth-first methods have separate sources (goap_depth.c).
//
// Invariants: (1) world and goal are those of the last begin; (2) plan is what the last search
// found, in the order of doing, and empty unless the outcome is FOUND.
#include <math.h>
#include <string.h>

#include "goap_planner.h"

#include "decide/decide_internal.h"
#include "ploy/base/number.h"

static const char *const goap_methods[] = {"astar", "breadth", "greedy", "ida"};
static const char *const goap_heuristics[] = {"blind", "count", "max", "add", "ff", "landmarks"};

static const ploy_field goap_fields[] = {
    PLOY_FIELD_ENUM(ploy_goap_def, method, PLOY_GOAP_ASTAR, goap_methods, "how to search"),
    PLOY_FIELD_ENUM(ploy_goap_def, heuristic, PLOY_GOAP_MAX, goap_heuristics, "what guides it"),
    PLOY_FIELD_BOOL(ploy_goap_def, backward, 0, "from the goal to the world"),
    PLOY_FIELD_F64(ploy_goap_def, weight, 1, 0, 1e6, "", "of the heuristic"),
    PLOY_FIELD_I32(ploy_goap_def, max_depth, 64, 0, 1 << 20, "", "longest plan of ida and value"),
    PLOY_FIELD_I32_FIXED(ploy_goap_def, max_states, 1 << 20, 1, 1 << 28, "", "most worlds"),
    PLOY_FIELD_I32_FIXED(ploy_goap_def, table, 1024, 0, 1 << 26, "", "worlds that ida remembers"),
    PLOY_FIELD_BOOL(ploy_goap_def, anytime, 1, "shorter plans count too"),
    PLOY_FIELD_BOOL(ploy_goap_def, prune, 0, "never through what makes things worse"),
};

ploy_fields ploy_goap_fields(void) {
    return PLOY_FIELDS(ploy_goap_def, goap_fields);
}

ploy_goap_def ploy_goap_def_default(void) {
    ploy_goap_def def;
    ploy_fields_default(ploy_goap_fields(), &def);
    return def;
}

// ---- the planner

static ploy_result goap_make_search(ploy_goap *goap) {
    ploy_states_def states_def = ploy_states_def_default();
    states_def.size = (int32_t)ployi_goap_worlds_size(goap);
    states_def.capacity = goap->def.max_states;
    ploy_search_def def = ploy_search_def_default();
    def.weight = goap->def.weight;
    def.max_states = goap->def.max_states;
    if (goap->def.method == PLOY_GOAP_BREADTH) def.order = PLOY_SEARCH_BREADTH;
    if (goap->def.method == PLOY_GOAP_GREEDY) def.order = PLOY_SEARCH_GREEDY;
    ploy_result result = ploy_states_create(&states_def, &goap->env, &goap->states);
    if (result == PLOY_OK) result = ploy_search_create(&def, &goap->env, &goap->search);
    ployi_goap_worlds_space(goap, goap->def.method != PLOY_GOAP_BREADTH);
    return result;
}

ploy_result ploy_goap_create(const ploy_goap_def *def, const ploy_goap_type *type,
                             const ploy_env *env, ploy_goap **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL || type == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_goap_fields(), def, env);
    if (result != PLOY_OK) return result;
    if (!type->build.finished) return PLOY_ERR_STATE;
    ploy_goap *goap = ploy_env_alloc_zero(env, sizeof *goap);
    if (goap == NULL) return PLOY_ERR_MEMORY;
    goap->env = *env;
    goap->def = *def;
    goap->type = type;
    ploy_array_init(&goap->world, sizeof(uint64_t), env);
    ploy_array_init(&goap->scratch, sizeof(uint64_t), env);
    ploy_array_init(&goap->goal, sizeof(ploy_goap_need), env);
    ploy_array_init(&goap->plan, sizeof(int32_t), env);
    ploy_array_init(&goap->path, sizeof(ploy_edge), env);
    ploy_array_init(&goap->heirs, sizeof(ployi_goap_heir), env);
    ploy_array_init(&goap->estimates, sizeof(double), env);
    ploy_array_init(&goap->counted, sizeof(uint64_t), env);
    size_t words = (ployi_goap_worlds_size(goap) + sizeof(uint64_t) - 1) / sizeof(uint64_t);
    int32_t least = 2 * type->words;
    result = ploy_array_resize(&goap->world, type->words);
    if (result == PLOY_OK && def->heuristic == PLOY_GOAP_COUNT) {
        result = ploy_array_resize(&goap->counted, type->vars.count);
    }
    if (result == PLOY_OK) {
        result = ploy_array_resize(&goap->scratch, (int32_t)words > least ? (int32_t)words : least);
    }
    if (result == PLOY_OK && def->method == PLOY_GOAP_IDA) {
        result = ployi_goap_depth_create(type, def->table, env, &goap->depth);
    } else if (result == PLOY_OK) {
        result = goap_make_search(goap);
    }
    if (result == PLOY_OK && def->heuristic >= PLOY_GOAP_MAX && def->method != PLOY_GOAP_BREADTH) {
        result = ployi_goap_relax_create(type, env, &goap->relax);
    }
    if (result != PLOY_OK) {
        ploy_goap_destroy(goap);
        return result;
    }
    *out = goap;
    return PLOY_OK;
}

void ploy_goap_destroy(ploy_goap *goap) {
    if (goap == NULL) return;
    ploy_env env = goap->env;
    ployi_goap_relax_destroy(goap->relax);
    ployi_goap_depth_destroy(goap->depth);
    ploy_search_destroy(goap->search);
    ploy_states_destroy(goap->states);
    ploy_array_fini(&goap->world);
    ploy_array_fini(&goap->scratch);
    ploy_array_fini(&goap->goal);
    ploy_array_fini(&goap->plan);
    ploy_array_fini(&goap->path);
    ploy_array_fini(&goap->heirs);
    ploy_array_fini(&goap->estimates);
    ploy_array_fini(&goap->counted);
    ploy_env_free(&env, goap, sizeof *goap);
}

void ployi_goap_set_estimate(ploy_goap *goap,
                             double (*estimate)(void *user, const ploy_goap_type *type,
                                                const uint64_t *world),
                             void *user) {
    goap->estimate = estimate;
    goap->estimate_user = user;
}

// Everything a begin has in common. Nothing is changed before it is known to be right.
static ploy_result goap_check(const ploy_goap *goap, const ploy_goap_need *goal, int32_t count) {
    const ploy_goap_type *type = goap->type;
    if (count < 0 || count > PLOY_GOAP_PARTS_MAX || (count > 0 && goal == NULL)) {
        return PLOY_ERR_ARGUMENT;
    }
    for (int32_t i = 0; i < count; i++) {
        if (!ployi_goap_need_valid(type, &goal[i])) return PLOY_ERR_ARGUMENT;
    }
    if (!goap->def.backward || goap->depth != NULL) return PLOY_OK;
    for (int32_t i = 0; i < count; i++) {
        if (!ployi_goap_worlds_rangeable(type, &goal[i])) return PLOY_ERR_UNSUPPORTED;
    }
    for (int32_t i = 0; i < type->needs.count; i++) {
        if (!ployi_goap_worlds_rangeable(type,
                                         &PLOY_ARRAY_ITEMS(&type->needs, ploy_goap_need)[i])) {
            return PLOY_ERR_UNSUPPORTED;
        }
    }
    return PLOY_OK;
}

static ploy_result goap_begin_search(ploy_goap *goap) {
    bool possible = true;
    ploy_states_clear(goap->states);
    ploy_array_clear(&goap->estimates);
    ploy_search_cancel(goap->search);
    ploy_result result = ployi_goap_worlds_first(goap, &possible, &goap->start);
    if (result != PLOY_OK) return result;
    // A goal that contradicts itself has no ranges to begin from: no start, nothing found.
    if (!possible) goap->cost = (double)INFINITY;
    goap->starting =
        goap->def.backward && goap->relax != NULL ? PLOYI_GOAP_START_COSTS : PLOYI_GOAP_START_STATE;
    goap->begun = true;
    return PLOY_OK;
}

// Forgets what the last search had in hand.
static void goap_forget(ploy_goap *goap) {
    goap->begun = false;
    goap->starting = PLOYI_GOAP_STARTED;
    goap->expanding = goap->estimating = false;
    goap->cost = 0.0;
    goap->work = 0;
    ploy_array_clear(&goap->plan);
    ploy_array_clear(&goap->goal);
}

ploy_result ploy_goap_begin(ploy_goap *goap, const uint64_t *world, const ploy_goap_need *goal,
                            int32_t count) {
    if (goap == NULL || world == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = goap_check(goap, goal, count);
    if (result != PLOY_OK) return result;
    goap_forget(goap);
    goap->deep = goap->search == NULL;
    result = ploy_array_push_many(&goap->goal, goal, count);
    if (result != PLOY_OK) return result;
    memcpy(goap->world.items, world, (size_t)goap->type->words * sizeof *world);
    if (goap->relax != NULL) result = ployi_goap_relax_goal(goap->relax, goal, count);
    if (result != PLOY_OK) return result;
    if (!goap->deep) return goap_begin_search(goap);
    static const ploy_goap_need nothing = {{0}, PLOY_GOAP_EQUAL, 0};
    ployi_goap_ask ask;
    memset(&ask, 0, sizeof ask);
    ask.type = goap->type;
    ask.goal = count > 0 ? PLOY_ARRAY_ITEMS(&goap->goal, ploy_goap_need) : &nothing;
    ask.goal_count = count;
    ask.estimate = ployi_goap_worlds_estimate;
    ask.estimate_user = goap;
    ask.max_depth = goap->def.max_depth;
    result = ployi_goap_depth_begin(goap->depth, &ask, world);
    goap->begun = result == PLOY_OK;
    return result;
}

ploy_result ploy_goap_begin_value(ploy_goap *goap, const uint64_t *world,
                                  double (*value)(void *user, const ploy_goap_type *type,
                                                  const uint64_t *world),
                                  void *user) {
    if (goap == NULL || world == NULL || value == NULL) return PLOY_ERR_ARGUMENT;
    goap_forget(goap);
    goap->deep = true;
    memcpy(goap->world.items, world, (size_t)goap->type->words * sizeof *world);
    ploy_result result = PLOY_OK;
    if (goap->depth == NULL) {
        result = ployi_goap_depth_create(goap->type, 0, &goap->env, &goap->depth);
    }
    if (result != PLOY_OK) return result;
    ployi_goap_ask ask;
    memset(&ask, 0, sizeof ask);
    ask.type = goap->type;
    ask.value = value;
    ask.value_user = user;
    ask.max_depth = goap->def.max_depth;
    ask.anytime = goap->def.anytime;
    ask.prune = goap->def.prune;
    result = ployi_goap_depth_begin(goap->depth, &ask, world);
    goap->begun = result == PLOY_OK;
    return result;
}

// The plan out of what was found: keeps (2).
static ploy_result goap_take_plan(ploy_goap *goap) {
    if (goap->deep) {
        int32_t count = ployi_goap_depth_plan(goap->depth, NULL, 0);
        goap->cost = ployi_goap_depth_cost(goap->depth);
        if (count < 0) return PLOY_OK;
        ploy_result result = ploy_array_resize(&goap->plan, count);
        if (result == PLOY_OK) {
            (void)ployi_goap_depth_plan(goap->depth, goap->plan.items, count);
        }
        return result;
    }
    int32_t end = ploy_search_goal(goap->search);
    int32_t count = ploy_search_path(goap->search, end, NULL, 0, &goap->cost);
    if (end == PLOY_STATE_NONE || count < 0) return PLOY_OK;
    ploy_result result = ploy_array_resize(&goap->path, count);
    if (result == PLOY_OK) result = ploy_array_resize(&goap->plan, count);
    if (result != PLOY_OK) return result;
    ploy_edge *path = PLOY_ARRAY_ITEMS(&goap->path, ploy_edge);
    (void)ploy_search_path(goap->search, end, path, count, NULL);
    for (int32_t i = 0; i < count; i++) {
        int32_t at = goap->def.backward ? count - 1 - i : i;
        PLOY_ARRAY_ITEMS(&goap->plan, int32_t)[at] = path[i].label;
    }
    return PLOY_OK;
}

static bool goap_contradiction(const ploy_goap *goap) {
    return !goap->deep && !(goap->cost < (double)INFINITY);
}

// Continues with the next world, or in the middle of one.
static ploy_result goap_unit(ploy_goap *goap, ploy_budget *one) {
    if (goap->deep) return ployi_goap_depth_step(goap->depth, &goap->allow, one != NULL);
    if (goap->starting != PLOYI_GOAP_STARTED) {
        ploy_result result = ployi_goap_worlds_start(goap);
        if (result != PLOY_OK) return result;
    }
    return ploy_search_step(goap->search, one);
}

ploy_result ploy_goap_step(ploy_goap *goap, ploy_budget *budget) {
    if (goap == NULL || !goap->begun) return PLOY_ERR_STATE;
    if (goap_contradiction(goap)) return PLOY_OK;
    ploy_result result = PLOY_IN_PROGRESS;
    if (budget == NULL) {
        goap->allow = PLOYI_GOAP_ENDLESS;
        result = goap_unit(goap, NULL);
        goap->work += PLOYI_GOAP_ENDLESS - goap->allow;
    }
    while (result == PLOY_IN_PROGRESS) {
        if (!ploy_budget_spend(budget, 1)) return PLOY_IN_PROGRESS;
        ploy_budget one = ploy_budget_units(1);
        goap->allow = PLOYI_GOAP_UNIT;
        result = goap_unit(goap, &one);
        goap->work += PLOYI_GOAP_UNIT - goap->allow;
    }
    if (result == PLOY_ERR_LIMIT && !goap->deep) {
        // More worlds than may be kept: the search ends, as it does at its own limit.
        ploy_search_cancel(goap->search);
        return PLOY_OK;
    }
    if (result == PLOY_OK) result = goap_take_plan(goap);
    if (result < PLOY_OK) goap->begun = false;
    return result;
}

void ploy_goap_cancel(ploy_goap *goap) {
    if (goap->deep && goap->depth != NULL) ployi_goap_depth_cancel(goap->depth);
    if (goap->search != NULL) ploy_search_cancel(goap->search);
    goap->starting = PLOYI_GOAP_STARTED;
    goap->expanding = goap->estimating = false;
    goap->begun = false;
}

ploy_result ploy_goap_run(ploy_goap *goap, const uint64_t *world, const ploy_goap_need *goal,
                          int32_t count) {
    ploy_result result = ploy_goap_begin(goap, world, goal, count);
    return result == PLOY_OK ? ploy_goap_step(goap, NULL) : result;
}

static ploy_result goap_task_step(void *self, ploy_budget *budget) {
    return ploy_goap_step(self, budget);
}

static void goap_task_cancel(void *self) {
    ploy_goap_cancel(self);
}

static void goap_task_describe(const void *self, ploy_describe *out) {
    ploy_goap_describe(self, out);
}

ploy_task ploy_goap_task(ploy_goap *goap) {
    static const ploy_task_type type = {"goap", goap_task_step, goap_task_cancel,
                                        goap_task_describe};
    ploy_task task = {&type, goap};
    return task;
}

ploy_search_outcome ploy_goap_outcome(const ploy_goap *goap) {
    if (!goap->begun) return PLOY_SEARCH_IDLE;
    if (goap->deep) return ployi_goap_depth_outcome(goap->depth);
    if (goap_contradiction(goap)) return PLOY_SEARCH_NONE;
    if (goap->starting != PLOYI_GOAP_STARTED) return PLOY_SEARCH_OPEN;
    ploy_search_outcome outcome = ploy_search_outcome_of(goap->search);
    return outcome == PLOY_SEARCH_IDLE ? PLOY_SEARCH_PRUNED : outcome; // cut off by max_states
}

int32_t ploy_goap_plan(const ploy_goap *goap, int32_t *out, int32_t capacity) {
    if (ploy_goap_outcome(goap) != PLOY_SEARCH_FOUND) return -1;
    for (int32_t i = 0; i < goap->plan.count && i < capacity; i++) {
        out[i] = PLOY_ARRAY_ITEMS(&goap->plan, int32_t)[i];
    }
    return goap->plan.count;
}

double ploy_goap_cost(const ploy_goap *goap) {
    return goap->cost;
}

ploy_goap_stats ploy_goap_stats_of(const ploy_goap *goap) {
    ploy_goap_stats stats;
    memset(&stats, 0, sizeof stats);
    if (goap->deep) {
        if (goap->depth != NULL) ployi_goap_depth_stats(goap->depth, &stats);
        stats.work = goap->work;
        return stats;
    }
    if (goap->search == NULL) return stats; // nothing was begun
    ploy_search_stats own = ploy_search_stats_of(goap->search);
    stats.taken = own.taken;
    stats.edges = own.edges;
    stats.estimates = own.estimates;
    stats.states = ploy_states_count(goap->states);
    stats.work = goap->work;
    return stats;
}

int32_t ploy_goap_explain(ploy_goap *goap, ploy_writer *writer) {
    const ploy_goap_need *goal = PLOY_ARRAY_ITEMS(&goap->goal, ploy_goap_need);
    ploy_search_outcome outcome = ploy_goap_outcome(goap);
    // A separate domain: a search that goes on needs what is in its own.
    ployi_goap_relax *relax = NULL;
    ploy_result result = ployi_goap_relax_create(goap->type, &goap->env, &relax);
    if (result == PLOY_OK) result = ployi_goap_relax_goal(relax, goal, goap->goal.count);
    if (result != PLOY_OK) {
        ployi_goap_relax_destroy(relax);
        ploy_write_text(writer, "there is no memory to look for the reason\n");
        return 0;
    }
    (void)ployi_goap_relax_estimate(relax, goap->world.items, PLOY_GOAP_MAX);
    int32_t missing = ployi_goap_why(goap->type, relax, goal, goap->goal.count, &goap->env, writer);
    ployi_goap_relax_destroy(relax);
    if (missing > 0 || outcome == PLOY_SEARCH_FOUND) return missing;
    ploy_write_text(writer, outcome == PLOY_SEARCH_PRUNED
                                ? "a limit of the planner cut the search off\n"
                                : "each condition can be had, but not all of them together\n");
    return 0;
}

void ploy_goap_trace(ploy_goap *goap, ploy_agent_id agent, ploy_trace *trace) {
    if (trace == NULL) return;
    ploy_trace_begin(trace, agent, "plan", "goap");
    ploy_search_outcome outcome = ploy_goap_outcome(goap);
    ploy_trace_text(trace, "outcome", ploy_search_outcome_text(outcome));
    uint64_t *world = PLOY_ARRAY_ITEMS(&goap->scratch, uint64_t);
    memcpy(world, goap->world.items, (size_t)goap->type->words * sizeof *world);
    for (int32_t i = 0; i < goap->plan.count && outcome == PLOY_SEARCH_FOUND; i++) {
        int32_t action = PLOY_ARRAY_ITEMS(&goap->plan, int32_t)[i];
        ploy_trace_option(trace, ploy_goap_type_action_id(goap->type, action), PLOY_OUTCOME_WON,
                          ployi_goap_world_price(goap->type, world, action), "in the plan");
        ploy_goap_world_apply(goap->type, world, action);
    }
    if (outcome == PLOY_SEARCH_NONE || outcome == PLOY_SEARCH_PRUNED) {
        ploy_buffer text;
        ploy_buffer_init(&text, 4096, &goap->env);
        ploy_writer writer = ploy_buffer_writer(&text);
        (void)ploy_goap_explain(goap, &writer);
        ploy_trace_note(trace, ploy_buffer_text(&text));
        ploy_buffer_fini(&text);
    }
    ploy_trace_end(trace);
}

void ploy_goap_describe(const ploy_goap *goap, ploy_describe *out) {
    ploy_describe_text(out, "outcome", PLOY_STATE,
                       ploy_search_outcome_text(ploy_goap_outcome(goap)));
    ploy_describe_f64(out, "cost", PLOY_STATE, goap->cost);
    if (goap->expanding) {
        ploy_describe_i64(out, "actions tried", PLOY_STATE, goap->tried);
        ploy_describe_i64(out, "worlds estimated", PLOY_STATE, goap->given);
    }
    ploy_describe_begin(out, "plan");
    for (int32_t i = 0; i < goap->plan.count; i++) {
        char name[PLOY_PRINT_I64_SIZE];
        (void)ploy_print_i64(i, name);
        ploy_describe_text(
            out, name, PLOY_STATE,
            ploy_goap_type_action_id(goap->type, PLOY_ARRAY_ITEMS(&goap->plan, int32_t)[i]));
    }
    ploy_describe_end(out);
    ploy_describe_begin(out, "search");
    if (goap->deep && goap->depth != NULL) {
        ployi_goap_depth_describe(goap->depth, out);
    } else if (!goap->deep && goap->search != NULL) {
        ploy_search_describe(goap->search, out);
        ploy_states_describe(goap->states, out);
    }
    ploy_describe_end(out);
}

void ploy_goap_memory(const ploy_goap *goap, ploy_memory_fn fn, void *user) {
    const ploy_array *arrays[] = {&goap->world, &goap->scratch, &goap->goal,      &goap->plan,
                                  &goap->path,  &goap->heirs,   &goap->estimates, &goap->counted};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        ploy_array_memory(arrays[i], fn, user);
    }
    if (goap->relax != NULL) ployi_goap_relax_memory(goap->relax, fn, user);
    if (goap->depth != NULL) ployi_goap_depth_memory(goap->depth, fn, user);
    if (goap->search != NULL) ploy_search_memory(goap->search, fn, user);
    if (goap->states != NULL) ploy_states_memory(goap->states, fn, user);
    ploy_memory_item own = {"goap", sizeof *goap, 1};
    fn(user, &own);
}
