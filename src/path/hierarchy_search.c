// Searching a hierarchy, from its top down.
//
// Invariants, while there is something to do:
//   (1) levels above `level` are done: their plans are in their searches, or they had none;
//   (2) refining: `target` is a node of `target_level` that the level below is to reach, or the goal;
//   (3) marks of the level above say which of its nodes lie on the plan (refining: on its first
//       steps), and no others are entered.
// Refining makes progress because of (3): who stays on the first steps of every level's plan either
// is where it was on that level, and plans the same again, or has less of the plan left. Were
// others entered, the path to a door could lead through a group whose own plan leads back.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "path/hierarchy_internal.h"

#include "path/path_internal.h"
#include "ploy/base/array.h"
#include "ploy/base/math.h"

enum { HIER_SEARCH_RINGS_MAX = 8 };

static const char *const hier_search_modes[] = {"refine", "exclude"};
static const char *const hier_search_aims[] = {"door", "centre"};

static const ploy_field hier_search_fields[] = {
    PLOY_FIELD_ENUM(ploy_hierarchy_search_def, mode, PLOY_HIERARCHY_REFINE, hier_search_modes,
                    "the first steps alone, or the whole path inside of the plan above"),
    PLOY_FIELD_ENUM(ploy_hierarchy_search_def, aim, PLOY_HIERARCHY_AIM_DOOR, hier_search_aims,
                    "where in a group refined plans lead"),
    PLOY_FIELD_I32(ploy_hierarchy_search_def, refine_steps, 1, 1, 1 << 20, "",
                   "steps of a plan that the level below covers"),
    PLOY_FIELD_I32(ploy_hierarchy_search_def, widen, 0, 0, HIER_SEARCH_RINGS_MAX, "",
                   "groups this many steps beside the plan are entered too"),
    PLOY_FIELD_BOOL(ploy_hierarchy_search_def, keep, false,
                    "reuse plans of higher levels while they lead to the goal"),
    PLOY_FIELD_F32(ploy_hierarchy_search_def, least_cost, 0, 0, 1e6f, "1/m",
                   "least cost of a metre on level 0, for estimates"),
};

struct ploy_hierarchy_search {
    ploy_env env;
    ploy_hierarchy_search_def def;
    const ploy_hierarchy *hierarchy;
    ploy_search *searches[PLOY_HIERARCHY_LEVELS_MAX];
    bool searched[PLOY_HIERARCHY_LEVELS_MAX];
    int64_t taken[PLOY_HIERARCHY_LEVELS_MAX];
    uint32_t *marks[PLOY_HIERARCHY_LEVELS_MAX]; // of a level's nodes: generation << 4 | ring + 1
    int32_t mark_counts[PLOY_HIERARCHY_LEVELS_MAX];
    uint32_t generation;
    int32_t level, first_level;
    int32_t start, goal;
    int32_t target, target_level;
    ploy_array plans[PLOY_HIERARCHY_LEVELS_MAX]; // int32_t: nodes of each level's plan
    // What the plans of the levels were made for, if they may be used again.
    bool kept[PLOY_HIERARCHY_LEVELS_MAX];
    int32_t kept_to[PLOY_HIERARCHY_LEVELS_MAX];     // where they lead, or
    int32_t kept_target[PLOY_HIERARCHY_LEVELS_MAX]; // the group they lead into
    uint64_t kept_for;                              // generation of the hierarchy
    bool into_group;                                // at the level at hand
    int32_t to;
    bool searching;
    ploy_search_outcome outcome;
};

ploy_fields ploy_hierarchy_search_fields(void) {
    return PLOY_FIELDS(ploy_hierarchy_search_def, hier_search_fields);
}

ploy_hierarchy_search_def ploy_hierarchy_search_def_default(void) {
    ploy_hierarchy_search_def def;
    ploy_fields_default(ploy_hierarchy_search_fields(), &def);
    return def;
}

ploy_result ploy_hierarchy_search_create(const ploy_hierarchy_search_def *def, const ploy_env *env,
                                         ploy_hierarchy_search **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_hierarchy_search_fields(), def, env);
    if (result != PLOY_OK) return result;
    ploy_hierarchy_search *search = ploy_env_alloc_zero(env, sizeof *search);
    if (search == NULL) return PLOY_ERR_MEMORY;
    search->env = *env;
    search->def = *def;
    search->first_level = -1;
    for (int32_t i = 0; i < PLOY_HIERARCHY_LEVELS_MAX; i++) {
        ploy_array_init(&search->plans[i], sizeof(int32_t), env);
    }
    *out = search;
    return PLOY_OK;
}

void ploy_hierarchy_search_destroy(ploy_hierarchy_search *search) {
    if (search == NULL) return;
    ploy_env env = search->env;
    for (int32_t i = 0; i < PLOY_HIERARCHY_LEVELS_MAX; i++) {
        ploy_search_destroy(search->searches[i]);
        ploy_array_fini(&search->plans[i]);
        ploy_env_free(&env, search->marks[i],
                      (size_t)search->mark_counts[i] * sizeof *search->marks[i]);
    }
    ploy_env_free(&env, search, sizeof *search);
}

// A search for each level, and marks for all but the lowest.
static ploy_result hier_search_reserve(ploy_hierarchy_search *search) {
    const ploy_hierarchy *hierarchy = search->hierarchy;
    bool again = ++search->generation == (uint32_t)1 << 28;
    if (again) search->generation = 1;
    for (int32_t i = 0; i < hierarchy->level_count; i++) {
        if (search->searches[i] == NULL) {
            ploy_search_def def = ploy_search_def_default();
            ploy_result result = ploy_search_create(&def, &search->env, &search->searches[i]);
            if (result != PLOY_OK) return result;
        }
        int32_t count = hierarchy->levels[i].count;
        if (i == 0) continue;
        if (count > search->mark_counts[i]) {
            uint32_t *marks = ploy_env_alloc_zero(&search->env, (size_t)count * sizeof *marks);
            if (marks == NULL) return PLOY_ERR_MEMORY;
            ploy_env_free(&search->env, search->marks[i],
                          (size_t)search->mark_counts[i] * sizeof *marks);
            search->marks[i] = marks;
            search->mark_counts[i] = count;
        } else if (again) {
            memset(search->marks[i], 0, (size_t)search->mark_counts[i] * sizeof(uint32_t));
        }
    }
    return PLOY_OK;
}

ploy_result ploy_hierarchy_search_begin(ploy_hierarchy_search *search,
                                        const ploy_hierarchy *hierarchy, int32_t start,
                                        int32_t goal) {
    search->outcome = PLOY_SEARCH_IDLE;
    search->hierarchy = NULL;
    search->first_level = -1;
    search->searching = false;
    memset(search->searched, 0, sizeof search->searched);
    memset(search->taken, 0, sizeof search->taken);
    if (hierarchy == NULL || start < 0 || goal < 0 || start >= hierarchy->levels[0].count ||
        goal >= hierarchy->levels[0].count) {
        return PLOY_ERR_ARGUMENT;
    }
    search->hierarchy = hierarchy;
    uint64_t made = ployi_hierarchy_generation(hierarchy);
    if (made != search->kept_for) memset(search->kept, 0, sizeof search->kept);
    search->kept_for = made;
    ploy_result result = hier_search_reserve(search);
    if (result != PLOY_OK) {
        search->hierarchy = NULL;
        return result;
    }
    search->start = start;
    search->goal = search->target = goal;
    search->target_level = 0;
    search->level = hierarchy->level_count - 1;
    search->outcome = start == goal ? PLOY_SEARCH_FOUND : PLOY_SEARCH_OPEN;
    return PLOY_OK;
}

// ---- one level ----

static int32_t hier_search_up(const ploy_hierarchy_search *search, int32_t node, int32_t level) {
    return ploy_hierarchy_node(search->hierarchy, 0, node, level);
}

// Refining: any node of the target group will do.
static bool hier_search_in_target(void *user, int32_t node) {
    const ploy_hierarchy_search *search = user;
    return ploy_hierarchy_node(search->hierarchy, search->level, node, search->target_level) ==
           search->target;
}

// Only nodes whose group is on the plan above.
static bool hier_search_allow(void *user, int32_t node) {
    const ploy_hierarchy_search *search = user;
    int32_t above = search->level + 1;
    uint32_t mark = search->marks[above][search->hierarchy->levels[above].groups[node]];
    return mark >> 4 == search->generation;
}

static double hier_search_estimate(void *user, int32_t state, int32_t goal) {
    const ploy_hierarchy_search *search = user;
    if (goal < 0) return 0.0;
    ploy_vec3 a = ployi_hierarchy_position(search->hierarchy, 0, state);
    ploy_vec3 b = ployi_hierarchy_position(search->hierarchy, 0, goal);
    double x = (double)a.x - (double)b.x, y = (double)a.y - (double)b.y;
    double z = (double)a.z - (double)b.z;
    return sqrt(x * x + y * y + z * z) * (double)search->def.least_cost;
}

static ploy_result hier_search_graph_expand(void *user, int32_t state, ploy_edges *out) {
    const ploy_hierarchy_search *search = user;
    const ploy_edge *edges;
    if (search->level == 0) {
        const ploy_space *space = &search->hierarchy->space;
        return space->expand(space->user, state, out);
    }
    int32_t count = ployi_frozen_graph_out(ployi_hierarchy_graph(search->hierarchy, search->level),
                                           state, &edges);
    ploy_edges_lend(out, edges, count);
    return PLOY_OK;
}

// Begins to search the level at hand, from the start's node to `to`, or into the target group.
static ploy_result hier_search_begin_level(ploy_hierarchy_search *search, int32_t from, int32_t to,
                                           bool into_group, bool restricted) {
    ploy_space space;
    memset(&space, 0, sizeof space);
    space.count = search->hierarchy->levels[search->level].count;
    space.expand = hier_search_graph_expand;
    if (search->level == 0 && search->def.least_cost > 0.0f) space.estimate = hier_search_estimate;
    space.user = search;
    ploy_search_start start = {from, 0.0};
    ploy_search_query query =
        ploy_search_query_make(&space, &start, into_group ? PLOY_STATE_NONE : to);
    if (into_group) query.is_goal = hier_search_in_target;
    if (restricted) query.allow = hier_search_allow;
    query.user = search;
    search->searching = true;
    return ploy_search_begin(search->searches[search->level], &query);
}

static int32_t *hier_search_nodes(const ploy_hierarchy_search *search, int32_t level) {
    return PLOY_ARRAY_ITEMS(&search->plans[level], int32_t);
}

// Uses the plan of the level again if it leads to the same end and the start is on it: the rest of a
// cheapest path is one.
static bool hier_search_reuse(ploy_hierarchy_search *search, int32_t from) {
    int32_t level = search->level;
    if (!search->def.keep || search->def.mode != PLOY_HIERARCHY_REFINE || level == 0 ||
        !search->kept[level] ||
        search->kept_to[level] != (search->into_group ? PLOY_STATE_NONE : search->to) ||
        search->kept_target[level] != (search->into_group ? search->target : PLOY_STATE_NONE)) {
        return false;
    }
    ploy_array *plan = &search->plans[level];
    int32_t *nodes = hier_search_nodes(search, level), first = 0;
    while (first < plan->count && nodes[first] != from) first++;
    if (first >= plan->count) return false;
    memmove(nodes, nodes + first, (size_t)(plan->count - first) * sizeof *nodes);
    return ploy_array_resize(plan, plan->count - first) == PLOY_OK;
}

static void hier_search_mark(ploy_hierarchy_search *search, int32_t node, int32_t ring) {
    uint32_t *mark = &search->marks[search->level][node];
    if (*mark >> 4 != search->generation) *mark = search->generation << 4 | (uint32_t)(ring + 1);
}

// The plan of this level, that many nodes of it, as the corridor of the next.
static void hier_search_mark_plan(ploy_hierarchy_search *search, int32_t steps) {
    const int32_t *nodes = hier_search_nodes(search, search->level);
    hier_search_mark(search, hier_search_up(search, search->start, search->level), 0);
    for (int32_t i = 0; i < steps; i++) hier_search_mark(search, nodes[i], 0);
    const ploy_frozen_graph *graph = ployi_hierarchy_graph(search->hierarchy, search->level);
    int32_t count = search->hierarchy->levels[search->level].count;
    int32_t rings = search->def.mode == PLOY_HIERARCHY_EXCLUDE ? search->def.widen : 0;
    for (int32_t ring = 1; ring <= rings; ring++) {
        for (int32_t group = 0; group < count; group++) {
            if (search->marks[search->level][group] != (search->generation << 4 | (uint32_t)ring)) {
                continue;
            }
            const ploy_edge *edges;
            int32_t edge_count = ployi_frozen_graph_out(graph, group, &edges);
            for (int32_t i = 0; i < edge_count; i++) hier_search_mark(search, edges[i].to, ring);
        }
    }
}

// Goes on to the level below with the plan of this one.
static void hier_search_use_plan(ploy_hierarchy_search *search) {
    int32_t level = search->level, last = search->plans[level].count - 1;
    search->searched[level] = true;
    if (search->def.mode == PLOY_HIERARCHY_REFINE) {
        last = ploy_mini(last, search->def.refine_steps);
        search->target = hier_search_nodes(search, level)[last];
        search->target_level = level;
    }
    if (level > 0) hier_search_mark_plan(search, last + 1);
    search->level--;
}

// Turns to the next level that start and goal differ on, and begins it; nothing is left below 0.
static ploy_result hier_search_next_level(ploy_hierarchy_search *search) {
    bool exclude = search->def.mode == PLOY_HIERARCHY_EXCLUDE;
    int32_t top = search->hierarchy->level_count - 1;
    for (; search->level >= 0; search->level--) {
        int32_t level = search->level, from = hier_search_up(search, search->start, level), to;
        bool into_group = false;
        if (exclude || search->target_level <= level ||
            hier_search_up(search, search->goal, search->target_level) == search->target) {
            // The goal's own node, wherever the plan above meets the goal's group.
            to = hier_search_up(search, search->goal, level);
        } else {
            to =
                ploy_hierarchy_node(search->hierarchy, search->target_level, search->target, level);
            into_group = search->def.aim == PLOY_HIERARCHY_AIM_DOOR;
        }
        if (from != to || into_group) {
            if (search->first_level < 0) search->first_level = level;
            search->to = to;
            search->into_group = into_group;
            if (!hier_search_reuse(search, from)) {
                return hier_search_begin_level(search, from, to, into_group, level < top);
            }
            hier_search_use_plan(search);
            return PLOY_OK;
        }
        if (level > 0) hier_search_mark_plan(search, 0);
    }
    search->outcome = PLOY_SEARCH_FOUND;
    return PLOY_OK;
}

// A level's search is over: its plan, from the start's node on.
static ploy_result hier_search_end_level(ploy_hierarchy_search *search) {
    int32_t level = search->level;
    ploy_search *found = search->searches[level];
    search->searching = false;
    search->taken[level] += ploy_search_stats_of(found).taken;
    for (int32_t i = 0; i <= level; i++)
        search->kept[i] = false; // those below followed another plan
    if (ploy_search_outcome_of(found) != PLOY_SEARCH_FOUND) {
        search->outcome = PLOY_SEARCH_NONE; // on the highest level: (2) of hierarchies
        return PLOY_OK;
    }
    int32_t at = ploy_search_goal(found);
    int32_t count = ploy_search_path(found, at, NULL, 0, NULL) + 1;
    ploy_result result = ploy_array_resize(&search->plans[level], count);
    if (result != PLOY_OK) return result;
    ploy_search_node node;
    for (int32_t i = count - 1; i >= 0 && ploy_search_get(found, at, &node); i--) {
        hier_search_nodes(search, level)[i] = at;
        at = node.parent;
    }
    search->kept[level] = true;
    search->kept_to[level] = search->into_group ? PLOY_STATE_NONE : search->to;
    search->kept_target[level] = search->into_group ? search->target : PLOY_STATE_NONE;
    hier_search_use_plan(search);
    return PLOY_OK;
}

ploy_result ploy_hierarchy_search_step(ploy_hierarchy_search *search, ploy_budget *budget) {
    if (search->outcome == PLOY_SEARCH_IDLE) return PLOY_ERR_STATE;
    ploy_result result = PLOY_OK;
    while (result == PLOY_OK && search->outcome == PLOY_SEARCH_OPEN) {
        if (!search->searching) {
            result = hier_search_next_level(search);
        } else {
            result = ploy_search_step(search->searches[search->level], budget);
            if (result == PLOY_OK) result = hier_search_end_level(search);
        }
    }
    if (result < PLOY_OK) search->outcome = PLOY_SEARCH_IDLE;
    return result;
}

void ploy_hierarchy_search_cancel(ploy_hierarchy_search *search) {
    search->outcome = PLOY_SEARCH_IDLE;
}

ploy_result ploy_hierarchy_search_run(ploy_hierarchy_search *search,
                                      const ploy_hierarchy *hierarchy, int32_t start,
                                      int32_t goal) {
    ploy_result result = ploy_hierarchy_search_begin(search, hierarchy, start, goal);
    return result == PLOY_OK ? ploy_hierarchy_search_step(search, NULL) : result;
}

static ploy_result hier_search_task_step(void *self, ploy_budget *budget) {
    return ploy_hierarchy_search_step(self, budget);
}

static void hier_search_task_cancel(void *self) {
    ploy_hierarchy_search_cancel(self);
}

static void hier_search_task_describe(const void *self, ploy_describe *out) {
    ploy_hierarchy_search_describe(self, out);
}

ploy_task ploy_hierarchy_search_task(ploy_hierarchy_search *search) {
    static const ploy_task_type type = {"hierarchy search", hier_search_task_step,
                                        hier_search_task_cancel, hier_search_task_describe};
    ploy_task task = {&type, search};
    return task;
}

// ---- results ----

ploy_search_outcome ployi_hierarchy_search_outcome(const ploy_hierarchy_search *search) {
    return search->outcome;
}

int32_t ploy_hierarchy_search_path(const ploy_hierarchy_search *search, ploy_edge *out,
                                   int32_t capacity, double *cost) {
    if (search->outcome != PLOY_SEARCH_FOUND) return -1;
    if (!search->searched[0]) { // from a node to itself
        if (cost != NULL) *cost = 0.0;
        return 0;
    }
    return ploy_search_path(search->searches[0], ploy_search_goal(search->searches[0]), out,
                            capacity, cost);
}

int32_t ploy_hierarchy_search_end(const ploy_hierarchy_search *search) {
    if (search->outcome != PLOY_SEARCH_FOUND) return PLOY_STATE_NONE;
    return search->searched[0] ? ploy_search_goal(search->searches[0]) : search->start;
}

int32_t ployi_hierarchy_search_plan(const ploy_hierarchy_search *search, int32_t level,
                                    int32_t *out, int32_t capacity) {
    if (level < 0 || level >= PLOY_HIERARCHY_LEVELS_MAX || !search->searched[level]) return 0;
    const ploy_array *plan = &search->plans[level];
    for (int32_t i = 0; i < plan->count && i < capacity; i++) {
        out[i] = hier_search_nodes(search, level)[i];
    }
    return plan->count;
}

int32_t ploy_hierarchy_search_first_level(const ploy_hierarchy_search *search) {
    return search->first_level;
}

int64_t ploy_hierarchy_search_taken(const ploy_hierarchy_search *search, int32_t level) {
    if (level < 0 || level >= PLOY_HIERARCHY_LEVELS_MAX) return 0;
    bool working = search->searching && level == search->level;
    return search->taken[level] +
           (working ? ploy_search_stats_of(search->searches[level]).taken : 0);
}

void ploy_hierarchy_search_draw(const ploy_hierarchy_search *search, ploy_draw *out) {
    static const ploy_style styles[] = {PLOY_STYLE_PATH, PLOY_STYLE_OPEN, PLOY_STYLE_CLOSED};
    for (int32_t level = PLOY_HIERARCHY_LEVELS_MAX - 1; level >= 0; level--) {
        if (search->hierarchy == NULL || !search->searched[level]) continue;
        const int32_t *nodes = hier_search_nodes(search, level);
        for (int32_t i = search->plans[level].count - 1; i > 0; i--) {
            ploy_vec3 a = ployi_hierarchy_position(search->hierarchy, level, nodes[i - 1]);
            ploy_vec3 b = ployi_hierarchy_position(search->hierarchy, level, nodes[i]);
            ploy_draw_line(out, PLOY_LAYER_PATHS, styles[ploy_mini(level, 2)], ploy_agent_id_none(),
                           ploy_vec2_make(a.x, a.y), ploy_vec2_make(b.x, b.y));
        }
    }
}

void ploy_hierarchy_search_describe(const ploy_hierarchy_search *search, ploy_describe *out) {
    ploy_describe_text(out, "mode", PLOY_STATE, hier_search_modes[search->def.mode]);
    ploy_describe_text(out, "outcome", PLOY_STATE, ploy_search_outcome_text(search->outcome));
    ploy_describe_i64(out, "first level", PLOY_STATE, search->first_level);
    for (int32_t i = 0; search->hierarchy != NULL && i < search->hierarchy->level_count; i++) {
        char name[16];
        snprintf(name, sizeof name, "level %d", (int)i);
        ploy_describe_begin(out, name);
        ploy_describe_i64(out, "taken", PLOY_STATE, ploy_hierarchy_search_taken(search, i));
        const ploy_array *plan = &search->plans[i];
        if (search->searched[i]) {
            ploy_describe_i64(out, "end", PLOY_STATE,
                              hier_search_nodes(search, i)[plan->count - 1]);
        }
        ploy_describe_end(out);
    }
}

void ploy_hierarchy_search_memory(const ploy_hierarchy_search *search, ploy_memory_fn fn,
                                  void *user) {
    ploy_memory_item self = {"hierarchy search", sizeof *search, 1};
    fn(user, &self);
    for (int32_t i = 0; i < PLOY_HIERARCHY_LEVELS_MAX; i++) {
        ploy_memory_item marks = {"hierarchy search marks",
                                  (size_t)search->mark_counts[i] * sizeof *search->marks[i], 1};
        if (search->mark_counts[i] > 0) fn(user, &marks);
        if (search->searches[i] != NULL) ploy_search_memory(search->searches[i], fn, user);
        ploy_array_memory(&search->plans[i], fn, user);
    }
}
