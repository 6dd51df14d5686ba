// Hierarchies of graphs; the technique is described in the header.
//
// Invariants, from create to destroy:
//   (1) level 0 is the caller's graph or space; every other level owns a graph, and a group for each node of
//       the level below;
//   (2) every group has a node, and its nodes reach each other inside of it, so a plan of groups can
//       always be followed below;
//   (3) groups are joined exactly if nodes of theirs are.
#include "ploy/path/hierarchy.h"

#include "path/path_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "path/graph_internal.h"
#include "path/hierarchy_internal.h"
#include "path/path_flood.h"
#include "ploy/base/hash.h"
#include "ploy/base/math.h"

static const char *const hierarchy_centres[] = {"middle", "connected", "largest"};

static const ploy_field hierarchy_fields[] = {
    PLOY_FIELD_F32(ploy_hierarchy_def, minimum, 0, 0, 1e6f, "", "weight of the cheapest crossing"),
    PLOY_FIELD_F32(ploy_hierarchy_def, maximin, 0, 0, 1e6f, "",
                   "weight of the worst entry's crossing"),
    PLOY_FIELD_F32(ploy_hierarchy_def, average, 1, 0, 1e6f, "", "share of the mean of entries"),
    PLOY_FIELD_ENUM(ploy_hierarchy_def, centre, PLOY_HIERARCHY_CENTRE_MIDDLE, hierarchy_centres,
                    "which node stands for its group"),
};

ploy_fields ploy_hierarchy_fields(void) {
    return PLOY_FIELDS(ploy_hierarchy_def, hierarchy_fields);
}

ploy_hierarchy_def ploy_hierarchy_def_default(void) {
    ploy_hierarchy_def def;
    ploy_fields_default(ploy_hierarchy_fields(), &def);
    return def;
}

ploy_result ploy_hierarchy_create_space(const ploy_hierarchy_def *def, const ploy_space *space,
                                        ploy_position_fn position, const void *position_user,
                                        const ploy_env *env, ploy_hierarchy **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL || space == NULL || space->expand == NULL || space->expand_back == NULL ||
        space->count < 0) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_result result = ploy_fields_check(ploy_hierarchy_fields(), def, env);
    if (result != PLOY_OK) return result;
    if (!(def->minimum + def->maximin + def->average > 0.0f)) {
        ploy_env_log(env, PLOY_SEVERITY_ERROR, "hierarchy: all cost weights are 0");
        return PLOY_ERR_ARGUMENT;
    }
    ploy_hierarchy *hierarchy = ploy_env_alloc_zero(env, sizeof *hierarchy);
    if (hierarchy == NULL) return PLOY_ERR_MEMORY;
    hierarchy->env = *env;
    hierarchy->def = *def;
    hierarchy->space = *space;
    hierarchy->position = position;
    hierarchy->position_user = position_user;
    hierarchy->level_count = 1;
    hierarchy->levels[0].count = space->count;
    *out = hierarchy;
    return PLOY_OK;
}

ploy_result ploy_hierarchy_create(const ploy_hierarchy_def *def, const ploy_frozen_graph *graph,
                                  const ploy_env *env, ploy_hierarchy **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (graph == NULL) return PLOY_ERR_ARGUMENT;
    ploy_space space = ploy_frozen_graph_space(graph);
    ploy_result result =
        ploy_hierarchy_create_space(def, &space, ployi_frozen_graph_position, graph, env, out);
    if (result == PLOY_OK) (*out)->base = graph;
    return result;
}

static void hierarchy_free_level(const ploy_env *env, ployi_hierarchy_level *level) {
    ploy_frozen_graph_destroy(level->graph);
    ploy_env_free(env, level->groups, (size_t)level->below * sizeof *level->groups);
    ploy_env_free(env, level->centres, (size_t)level->count * sizeof *level->centres);
    ploy_env_free(env, level->areas, (size_t)level->count * sizeof *level->areas);
}

void ploy_hierarchy_destroy(ploy_hierarchy *hierarchy) {
    if (hierarchy == NULL) return;
    ploy_env env = hierarchy->env;
    for (int32_t i = 0; i < hierarchy->level_count; i++) {
        hierarchy_free_level(&env, &hierarchy->levels[i]);
    }
    ploy_env_free(&env, hierarchy, sizeof *hierarchy);
}

ploy_result ploy_hierarchy_set_areas(ploy_hierarchy *hierarchy, const float *areas) {
    ployi_hierarchy_level *level = &hierarchy->levels[0];
    if (hierarchy->level_count > 1) return PLOY_ERR_STATE;
    if (areas == NULL) return PLOY_ERR_ARGUMENT;
    for (int32_t i = 0; i < level->count; i++) {
        if (!ploy_in_range(areas[i], 0.0f, 1e30f)) return PLOY_ERR_ARGUMENT;
    }
    size_t bytes = (size_t)level->count * sizeof *areas;
    float *copy = ploy_env_alloc(&hierarchy->env, bytes);
    if (copy == NULL) return PLOY_ERR_MEMORY;
    memcpy(copy, areas, bytes);
    ploy_env_free(&hierarchy->env, level->areas, bytes);
    level->areas = copy;
    return PLOY_OK;
}

ploy_vec3 ployi_hierarchy_position(const ploy_hierarchy *hierarchy, int32_t level, int32_t node) {
    if (level > 0) return ployi_frozen_graph_position(hierarchy->levels[level].graph, node);
    return hierarchy->position != NULL ? hierarchy->position(hierarchy->position_user, node)
                                       : ploy_vec3_zero();
}

uint64_t ployi_hierarchy_generation(const ploy_hierarchy *hierarchy) {
    uint64_t hash = hierarchy->edits;
    for (int32_t i = 0; i < hierarchy->level_count; i++) {
        const ploy_frozen_graph *graph = ployi_hierarchy_graph(hierarchy, i);
        if (graph != NULL) hash = ploy_hash_combine(hash, ployi_frozen_graph_generation(graph));
    }
    return hash;
}

// ---- building a level ----

// One way out of a group, and what the policies know of it.
typedef struct hierarchy_exit {
    int32_t to;        // the other group
    double minimum;    // cheapest edge over
    double worst, sum; // over entries: the cheapest crossing
    int32_t entries;
    double crossing; // of the entry at hand
} hierarchy_exit;

typedef struct hierarchy_builder {
    ploy_env env;
    const ploy_hierarchy *hierarchy;
    int32_t below;      // the level's number
    ploy_space space;   // of that level
    ploy_edges buffer;  // what out and in gave last
    ploy_result result; // of the first expand that failed
    ploy_search *search;
    ployi_hierarchy_level *level;
    int32_t group;    // at hand
    int32_t *members; // nodes by group, of group g from starts[g] on
    int32_t *starts;
    hierarchy_exit *exits; // of the group at hand
    int32_t exit_count, exit_room;
    ploy_edge *edges; // of the new level, rows one behind the other
    int32_t edge_count, edge_room;
    int32_t *rows; // where each begins
} hierarchy_builder;

static bool hierarchy_allow(void *user, int32_t node) {
    const hierarchy_builder *builder = user;
    return builder->level->groups[node] == builder->group;
}

// The edges out of a node of the level below, or into it; valid until the next call.
static int32_t hierarchy_edges(hierarchy_builder *builder, int32_t node, bool into,
                               const ploy_edge **edges) {
    ploy_edges_clear(&builder->buffer);
    ploy_result result =
        into ? builder->space.expand_back(builder->space.user, node, &builder->buffer)
             : builder->space.expand(builder->space.user, node, &builder->buffer);
    *edges = builder->buffer.view;
    if (result == PLOY_OK) return builder->buffer.count;
    if (builder->result == PLOY_OK) builder->result = result;
    return 0;
}

// Closed edges are not there.
static bool hierarchy_leaves(const hierarchy_builder *builder, const ploy_edge *edge) {
    return edge->cost < (double)INFINITY && builder->level->groups[edge->to] != builder->group;
}

// Costs from a node to all of its group (backward: from all of them to it).
static ploy_result hierarchy_flood(hierarchy_builder *builder, int32_t node, bool backward) {
    ploy_search_start start = {node, 0.0};
    ploy_search_query query = ploy_search_query_make(&builder->space, &start, PLOY_STATE_NONE);
    query.allow = hierarchy_allow;
    query.user = builder;
    query.backward = backward;
    return ploy_search_run(builder->search, &query);
}

// An array with room for one more, its new part zeroed.
static ploy_result hierarchy_room(const ploy_env *env, void **items, int32_t count, int32_t *room,
                                  size_t size) {
    if (count < *room) return PLOY_OK;
    int32_t more = *room > 0 ? 2 * *room : PLOY_CAPACITY(64);
    void *grown = *room >= 1 << 29
                      ? NULL
                      : ploy_env_resize(env, *items, (size_t)*room * size, (size_t)more * size);
    if (grown == NULL) return PLOY_ERR_MEMORY;
    *items = grown;
    *room = more;
    return PLOY_OK;
}

static hierarchy_exit *hierarchy_find_exit(const hierarchy_builder *builder, int32_t to) {
    for (int32_t i = 0; i < builder->exit_count; i++) {
        if (builder->exits[i].to == to) return &builder->exits[i];
    }
    return NULL;
}

// The group's exits, in the order in which its nodes' edges name them.
static ploy_result hierarchy_find_exits(hierarchy_builder *builder) {
    const int32_t *groups = builder->level->groups;
    builder->exit_count = 0;
    for (int32_t i = builder->starts[builder->group]; i < builder->starts[builder->group + 1];
         i++) {
        const ploy_edge *edges;
        int32_t count = hierarchy_edges(builder, builder->members[i], false, &edges);
        for (int32_t k = 0; k < count; k++) {
            if (!hierarchy_leaves(builder, &edges[k])) continue;
            int32_t to = groups[edges[k].to];
            hierarchy_exit *exit = hierarchy_find_exit(builder, to);
            if (exit == NULL) {
                void *items = builder->exits;
                ploy_result result = hierarchy_room(&builder->env, &items, builder->exit_count,
                                                    &builder->exit_room, sizeof *exit);
                builder->exits = items;
                if (result != PLOY_OK) return result;
                exit = &builder->exits[builder->exit_count++];
                memset(exit, 0, sizeof *exit);
                exit->to = to;
                exit->minimum = (double)INFINITY;
            }
            exit->minimum = ployi_least(exit->minimum, edges[k].cost);
        }
    }
    return PLOY_OK;
}

// Crossings from one entry to every exit, from the costs that the flood left.
static void hierarchy_cross(hierarchy_builder *builder) {
    const int32_t *groups = builder->level->groups;
    for (int32_t i = 0; i < builder->exit_count; i++) {
        builder->exits[i].crossing = (double)INFINITY;
    }
    for (int32_t i = builder->starts[builder->group]; i < builder->starts[builder->group + 1];
         i++) {
        const ploy_edge *edges;
        int32_t count = hierarchy_edges(builder, builder->members[i], false, &edges);
        double inside = count > 0 ? ployi_flood_cost(builder->search, builder->members[i]) : 0.0;
        for (int32_t k = 0; k < count; k++) {
            if (!hierarchy_leaves(builder, &edges[k])) continue;
            hierarchy_exit *exit = hierarchy_find_exit(builder, groups[edges[k].to]);
            if (exit == NULL) continue; // an expand failed meanwhile
            exit->crossing = ployi_least(exit->crossing, inside + edges[k].cost);
        }
    }
}

static void hierarchy_count_entry(hierarchy_exit *exit) {
    exit->worst = exit->entries == 0 ? exit->crossing : ployi_most(exit->worst, exit->crossing);
    exit->sum += exit->crossing;
    exit->entries++;
}

// An entry counts for an exit if a path leads into it from a group that is not that exit's.
static void hierarchy_count_exits(hierarchy_builder *builder, int32_t node) {
    const int32_t *groups = builder->level->groups;
    const ploy_edge *in;
    int32_t count = hierarchy_edges(builder, node, true, &in);
    for (int32_t i = 0; i < builder->exit_count; i++) {
        bool suits = false;
        for (int32_t k = 0; k < count && !suits; k++) {
            suits = hierarchy_leaves(builder, &in[k]) && groups[in[k].to] != builder->exits[i].to;
        }
        if (suits) hierarchy_count_entry(&builder->exits[i]);
    }
}

static bool hierarchy_is_entry(hierarchy_builder *builder, int32_t node) {
    const ploy_edge *in;
    int32_t count = hierarchy_edges(builder, node, true, &in);
    for (int32_t k = 0; k < count; k++) {
        if (hierarchy_leaves(builder, &in[k])) return true;
    }
    return false;
}

static ploy_result hierarchy_add_edges(hierarchy_builder *builder) {
    const ploy_hierarchy_def *def = &builder->hierarchy->def;
    double minimum = (double)def->minimum, maximin = (double)def->maximin;
    double average = (double)def->average, all = minimum + maximin + average;
    for (int32_t i = 0; i < builder->exit_count; i++) {
        const hierarchy_exit *exit = &builder->exits[i];
        void *items = builder->edges;
        ploy_result result = hierarchy_room(&builder->env, &items, builder->edge_count,
                                            &builder->edge_room, sizeof *builder->edges);
        builder->edges = items;
        if (result != PLOY_OK) return result;
        double cost = minimum * exit->minimum + maximin * exit->worst +
                      average * exit->sum / (double)exit->entries;
        ploy_edge *edge = &builder->edges[builder->edge_count];
        edge->to = exit->to;
        edge->label = builder->edge_count++;
        edge->cost = cost / all;
    }
    return PLOY_OK;
}

// The edges of one group.
static ploy_result hierarchy_join(hierarchy_builder *builder) {
    ploy_result result = hierarchy_find_exits(builder);
    int32_t first = builder->starts[builder->group], last = builder->starts[builder->group + 1];
    for (int32_t i = first; result == PLOY_OK && i < last; i++) {
        if (!hierarchy_is_entry(builder, builder->members[i])) continue;
        result = hierarchy_flood(builder, builder->members[i], false);
        if (result != PLOY_OK) break;
        hierarchy_cross(builder);
        hierarchy_count_exits(builder, builder->members[i]);
    }
    bool lone = false; // an exit that no entry counts for is taken from the centre
    for (int32_t i = 0; i < builder->exit_count; i++) lone = lone || builder->exits[i].entries == 0;
    if (result == PLOY_OK && lone) {
        result = hierarchy_flood(builder, builder->level->centres[builder->group], false);
        if (result != PLOY_OK) return result;
        hierarchy_cross(builder);
        for (int32_t i = 0; i < builder->exit_count; i++) {
            if (builder->exits[i].entries == 0) hierarchy_count_entry(&builder->exits[i]);
        }
    }
    return result == PLOY_OK ? hierarchy_add_edges(builder) : result;
}

// ---- centres and checks ----

static ploy_vec3 hierarchy_place(const hierarchy_builder *builder, int32_t node) {
    return ployi_hierarchy_position(builder->hierarchy, builder->below, node);
}

static double hierarchy_away(const hierarchy_builder *builder, int32_t node, const double mean[3]) {
    ploy_vec3 at = hierarchy_place(builder, node);
    double x = (double)at.x - mean[0], y = (double)at.y - mean[1], z = (double)at.z - mean[2];
    return x * x + y * y + z * z;
}

// Of equals the lowest node.
static int32_t hierarchy_choose(hierarchy_builder *builder) {
    const int32_t *members = builder->members + builder->starts[builder->group];
    int32_t count = builder->starts[builder->group + 1] - builder->starts[builder->group];
    ploy_hierarchy_centre centre = builder->hierarchy->def.centre;
    const float *areas = builder->hierarchy->levels[builder->below].areas;
    double mean[3] = {0.0, 0.0, 0.0}, best = (double)INFINITY;
    for (int32_t i = 0; i < count; i++) {
        ploy_vec3 at = hierarchy_place(builder, members[i]);
        mean[0] += (double)at.x / (double)count;
        mean[1] += (double)at.y / (double)count;
        mean[2] += (double)at.z / (double)count;
    }
    int32_t chosen = members[0];
    for (int32_t i = 0; i < count; i++) {
        const ploy_edge *edges;
        double value = 0.0;
        if (centre == PLOY_HIERARCHY_CENTRE_MIDDLE) {
            value = hierarchy_away(builder, members[i], mean);
        } else if (centre == PLOY_HIERARCHY_CENTRE_CONNECTED) {
            value = -(double)hierarchy_edges(builder, members[i], false, &edges);
        } else {
            value = areas != NULL ? -(double)areas[members[i]] : -1.0;
        }
        if (value < best) {
            best = value;
            chosen = members[i];
        }
    }
    return chosen;
}

static ploy_result hierarchy_complain(const hierarchy_builder *builder, const char *what) {
    char text[96];
    snprintf(text, sizeof text, "hierarchy: group %d %s", (int)builder->group, what);
    ploy_env_log(&builder->env, PLOY_SEVERITY_ERROR, text);
    return PLOY_ERR_ARGUMENT;
}

// (2) of one group: from its centre to all of its nodes and back.
static ploy_result hierarchy_check(hierarchy_builder *builder) {
    int32_t first = builder->starts[builder->group], last = builder->starts[builder->group + 1];
    for (int32_t turn = 0; turn < 2; turn++) {
        ploy_result result =
            hierarchy_flood(builder, builder->level->centres[builder->group], turn == 1);
        if (result != PLOY_OK) return result;
        if (ploy_search_reached(builder->search) != last - first) {
            return hierarchy_complain(builder, "is not connected");
        }
    }
    return PLOY_OK;
}

// Sorts the nodes by group. Every group must have one.
static ploy_result hierarchy_sort(hierarchy_builder *builder) {
    const ployi_hierarchy_level *level = builder->level;
    for (int32_t i = 0; i < level->below; i++) {
        builder->group = level->groups[i];
        if (builder->group < 0 || builder->group >= level->count) {
            return hierarchy_complain(builder, "is not counted");
        }
        builder->starts[builder->group + 1]++;
    }
    for (int32_t g = 0; g < level->count; g++) {
        builder->group = g;
        if (builder->starts[g + 1] == 0) return hierarchy_complain(builder, "has no node");
        builder->starts[g + 1] += builder->starts[g];
    }
    // Each start serves as its group's end while it fills, and is put back behind that.
    for (int32_t i = 0; i < level->below; i++) {
        builder->members[builder->starts[level->groups[i]]++] = i;
    }
    for (int32_t g = level->count; g > 0; g--) builder->starts[g] = builder->starts[g - 1];
    builder->starts[0] = 0;
    return PLOY_OK;
}

static ploy_result hierarchy_row(void *user, int32_t state, ploy_edges *out) {
    const hierarchy_builder *builder = user;
    int32_t first = builder->rows[state], count = builder->rows[state + 1] - first;
    if (count > 0) ploy_edges_lend(out, builder->edges + first, count); // else there may be none
    return PLOY_OK;
}

static ploy_vec3 hierarchy_position(const void *user, int32_t group) {
    const hierarchy_builder *builder = user;
    return hierarchy_place(builder, builder->level->centres[group]);
}

static ploy_result hierarchy_build(hierarchy_builder *builder, const int32_t *centres) {
    ployi_hierarchy_level *level = builder->level;
    ploy_result result = hierarchy_sort(builder);
    for (int32_t g = 0; result == PLOY_OK && g < level->count; g++) {
        builder->group = g;
        level->centres[g] = centres != NULL ? centres[g] : hierarchy_choose(builder);
        int32_t centre = level->centres[g];
        if (centre < 0 || centre >= level->below || level->groups[centre] != g) {
            return hierarchy_complain(builder, "has a centre outside it");
        }
        result = hierarchy_check(builder);
        if (result == PLOY_OK) result = hierarchy_join(builder);
        if (result == PLOY_OK) result = builder->result;
        builder->rows[g + 1] = builder->edge_count;
    }
    if (result != PLOY_OK) return result;
    ploy_space space;
    memset(&space, 0, sizeof space);
    space.count = level->count;
    space.expand = hierarchy_row;
    space.user = builder;
    return ploy_space_freeze(&space, hierarchy_position, builder, &builder->env, &level->graph);
}

ploy_result ploy_hierarchy_add_level(ploy_hierarchy *hierarchy, const int32_t *groups,
                                     int32_t count, const int32_t *centres) {
    if (hierarchy->level_count == PLOY_HIERARCHY_LEVELS_MAX) return PLOY_ERR_LIMIT;
    const ploy_env *env = &hierarchy->env;
    int32_t below = hierarchy->levels[hierarchy->level_count - 1].count;
    if (groups == NULL || count < 1 || count > below) return PLOY_ERR_ARGUMENT;
    ployi_hierarchy_level level = {NULL, NULL, NULL, below, count, NULL};
    hierarchy_builder builder;
    memset(&builder, 0, sizeof builder);
    builder.env = *env;
    builder.hierarchy = hierarchy;
    builder.below = hierarchy->level_count - 1;
    builder.space = builder.below == 0
                        ? hierarchy->space
                        : ploy_frozen_graph_space(hierarchy->levels[builder.below].graph);
    builder.space.estimate = NULL;
    ploy_edges_init(&builder.buffer, env);
    builder.level = &level;
    size_t member_bytes = (size_t)below * sizeof(int32_t);
    size_t row_bytes = ((size_t)count + 1) * sizeof(int32_t);
    level.groups = ploy_env_alloc(env, member_bytes);
    level.centres = ploy_env_alloc(env, (size_t)count * sizeof(int32_t));
    level.areas = ploy_env_alloc_zero(env, (size_t)count * sizeof(float));
    builder.members = ploy_env_alloc(env, member_bytes);
    builder.starts = ploy_env_alloc_zero(env, row_bytes);
    builder.rows = ploy_env_alloc_zero(env, row_bytes);
    ploy_result result = PLOY_ERR_MEMORY;
    if (level.groups != NULL && level.centres != NULL && level.areas != NULL &&
        builder.members != NULL && builder.starts != NULL && builder.rows != NULL) {
        memcpy(level.groups, groups, member_bytes);
        result = ployi_flood_create(env, &builder.search);
        if (result == PLOY_OK) result = hierarchy_build(&builder, centres);
    }
    const float *areas = hierarchy->levels[builder.below].areas;
    for (int32_t i = 0; i < below && result == PLOY_OK; i++) {
        level.areas[groups[i]] += areas != NULL ? areas[i] : 1.0f;
    }
    ploy_edges_fini(&builder.buffer);
    ploy_search_destroy(builder.search);
    ploy_env_free(env, builder.members, member_bytes);
    ploy_env_free(env, builder.starts, row_bytes);
    ploy_env_free(env, builder.rows, row_bytes);
    ploy_env_free(env, builder.exits, (size_t)builder.exit_room * sizeof *builder.exits);
    ploy_env_free(env, builder.edges, (size_t)builder.edge_room * sizeof *builder.edges);
    if (result != PLOY_OK) {
        ploy_frozen_graph_destroy(level.graph);
        ploy_env_free(env, level.groups, member_bytes);
        ploy_env_free(env, level.centres, (size_t)count * sizeof(int32_t));
        ploy_env_free(env, level.areas, (size_t)count * sizeof(float));
        return result;
    }
    hierarchy->levels[hierarchy->level_count++] = level;
    return PLOY_OK;
}

ploy_result ploy_hierarchy_set_cost(ploy_hierarchy *hierarchy, int32_t level, int32_t from,
                                    int32_t to, double cost) {
    if (level < 1 || level >= hierarchy->level_count || !(cost >= 0.0 && cost < (double)INFINITY)) {
        return PLOY_ERR_ARGUMENT;
    }
    if (!ployi_frozen_set_cost(hierarchy->levels[level].graph, from, to, cost)) {
        return PLOY_ERR_NOT_FOUND;
    }
    hierarchy->edits++;
    return PLOY_OK;
}

// ---- looking ----

int32_t ployi_hierarchy_levels(const ploy_hierarchy *hierarchy) {
    return hierarchy->level_count;
}

const ploy_frozen_graph *ployi_hierarchy_graph(const ploy_hierarchy *hierarchy, int32_t level) {
    if (level < 0 || level >= hierarchy->level_count) return NULL;
    return level == 0 ? hierarchy->base : hierarchy->levels[level].graph;
}

int32_t ploy_hierarchy_node(const ploy_hierarchy *hierarchy, int32_t level, int32_t node,
                            int32_t to_level) {
    if (level < 0 || level >= hierarchy->level_count || to_level < 0 ||
        to_level >= hierarchy->level_count || node < 0 || node >= hierarchy->levels[level].count) {
        return PLOY_STATE_NONE;
    }
    while (level < to_level) node = hierarchy->levels[++level].groups[node];
    while (level > to_level) node = hierarchy->levels[level--].centres[node];
    return node;
}

double ploy_hierarchy_cost(const ploy_hierarchy *hierarchy, int32_t level, int32_t from,
                           int32_t to) {
    double best = (double)INFINITY;
    if (level < 0 || level >= hierarchy->level_count || from < 0 ||
        from >= hierarchy->levels[level].count) {
        return best;
    }
    ploy_edges edges;
    ploy_edges_init(&edges, &hierarchy->env);
    ploy_space space =
        level == 0 ? hierarchy->space : ploy_frozen_graph_space(hierarchy->levels[level].graph);
    if (space.expand(space.user, from, &edges) == PLOY_OK) {
        for (int32_t i = 0; i < edges.count; i++) {
            if (edges.view[i].to == to) best = ployi_least(best, edges.view[i].cost);
        }
    }
    ploy_edges_fini(&edges);
    return best;
}

void ploy_hierarchy_describe(const ploy_hierarchy *hierarchy, ploy_describe *out) {
    ploy_describe_i64(out, "levels", PLOY_STATE, hierarchy->level_count);
    for (int32_t i = 1; i < hierarchy->level_count; i++) {
        char name[16];
        snprintf(name, sizeof name, "level %d", (int)i);
        ploy_describe_begin(out, name);
        ploy_frozen_graph_describe(hierarchy->levels[i].graph, out);
        ploy_describe_end(out);
    }
}

void ploy_hierarchy_memory(const ploy_hierarchy *hierarchy, ploy_memory_fn fn, void *user) {
    ploy_memory_item self = {"hierarchy", sizeof *hierarchy, 1};
    fn(user, &self);
    ploy_memory_item areas = {"hierarchy areas", (size_t)hierarchy->levels[0].count * sizeof(float),
                              1};
    if (hierarchy->levels[0].areas != NULL) fn(user, &areas);
    for (int32_t i = 1; i < hierarchy->level_count; i++) {
        const ployi_hierarchy_level *level = &hierarchy->levels[i];
        ploy_memory_item groups = {"hierarchy groups",
                                   (size_t)level->below * sizeof *level->groups +
                                       (size_t)level->count * sizeof *level->centres +
                                       (size_t)level->count * sizeof *level->areas,
                                   3};
        fn(user, &groups);
        ploy_frozen_graph_memory(level->graph, fn, user);
    }
}
