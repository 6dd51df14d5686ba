// Builds levels; the steps are described in the header.
#include "ploy/data/level_build.h"

#include <math.h>
#include <string.h>

#include "level_internal.h"
#include "level_line.h"
#include "ploy/base/math.h"

static const char *const level_issue_kinds[PLOY_LEVEL_ISSUE_KIND_COUNT] = {
    "spawn blocked",  "item unreachable", "button unreachable", "part split", "floor unreachable",
    "node at wall",   "edge blocked",     "door unused",        "name twice", "gap closed",
    "override stale", "trigger fault",    "offer fault"};

const char *ploy_level_issue_kind_text(ploy_level_issue_kind kind) {
    bool known = (int)kind >= 0 && kind < PLOY_LEVEL_ISSUE_KIND_COUNT;
    return known ? level_issue_kinds[kind] : "";
}

// ---- issues

static size_t level_build_append(char *text, size_t at, size_t size, const char *more) {
    for (; *more != 0 && at + 1 < size; more++) text[at++] = *more;
    text[at] = 0;
    return at;
}

ploy_result ployi_level_issue(ploy_level_build *build, ploy_level_issue_kind kind,
                              ploy_severity severity, int32_t object, ploy_vec2 position,
                              float size, const char *text, const char *name) {
    ploy_level_issue issue;
    memset(&issue, 0, sizeof issue);
    issue.kind = kind;
    issue.severity = severity;
    issue.object = object;
    issue.position = position;
    issue.size = size;
    size_t at = level_build_append(issue.text, 0, sizeof issue.text, text);
    if (name[0] != 0) {
        at = level_build_append(issue.text, at, sizeof issue.text, " '");
        at = level_build_append(issue.text, at, sizeof issue.text, name);
        (void)level_build_append(issue.text, at, sizeof issue.text, "'");
    }
    return ploy_array_push(&build->issues, &issue);
}

// Errors first; otherwise in the order found.
static void level_build_sort(ploy_level_build *build) {
    ploy_level_issue *issues = PLOY_ARRAY_ITEMS(&build->issues, ploy_level_issue);
    for (int32_t i = 1; i < build->issues.count; i++) {
        ploy_level_issue issue = issues[i];
        int32_t to = i;
        for (; to > 0 && issues[to - 1].severity < issue.severity; to--)
            issues[to] = issues[to - 1];
        issues[to] = issue;
    }
}

// ---- overrides

static int32_t level_build_node_near(const ploy_level_build *build, ploy_vec2 at) {
    int32_t best = PLOY_GRAPH_NONE;
    float least = 0.5f * build->def.spacing;
    for (int32_t n = ploy_graph_next_node(build->graph, 0); n >= 0;
         n = ploy_graph_next_node(build->graph, n + 1)) {
        float distance =
            ploy_vec2_distance(ploy_vec2_from_vec3(ploy_graph_position(build->graph, n)), at);
        if (distance > least || (distance == least && best >= 0)) continue;
        best = n;
        least = distance;
    }
    return best;
}

static ploy_result level_build_join(ploy_level_build *build, int32_t a, int32_t b, float cost) {
    double distance = (double)ploy_vec3_distance(ploy_graph_position(build->graph, a),
                                                 ploy_graph_position(build->graph, b));
    double price = cost < 0.0f ? distance : (double)cost;
    int32_t there = ploy_graph_find_edge(build->graph, a, b);
    int32_t back = ploy_graph_find_edge(build->graph, b, a);
    if (there < 0 && back < 0) return ploy_graph_add_both(build->graph, a, b, price, 0);
    ploy_result result = there < 0 ? ploy_graph_add_edge(build->graph, a, b, price, 0, NULL)
                                   : ploy_graph_set_cost(build->graph, there, price);
    if (result != PLOY_OK) return result;
    return back < 0 ? ploy_graph_add_edge(build->graph, b, a, price, 0, NULL)
                    : ploy_graph_set_cost(build->graph, back, price);
}

// A new node, joined to all within two spacings that agents can reach from it.
static ploy_result level_build_add_node(ploy_level_build *build, ploy_vec2 at) {
    ploy_scene walls = ploy_plain_scene_interface(build->scene);
    ploy_vec3 place = ploy_vec3_from_vec2(at, 0.0f);
    int32_t node = 0;
    ploy_result result = ploy_graph_add_node(build->graph, place, &node);
    for (int32_t n = ploy_graph_next_node(build->graph, 0); n >= 0 && result == PLOY_OK;
         n = ploy_graph_next_node(build->graph, n + 1)) {
        ploy_vec3 other = ploy_graph_position(build->graph, n);
        if (n == node || ploy_vec3_distance(place, other) > 2.0f * build->def.spacing) continue;
        if (ploy_scene_sweep(&walls, place, other, build->def.radius, 1, NULL)) continue;
        result = level_build_join(build, node, n, -1.0f);
    }
    return result;
}

static void level_build_price(ploy_level_build *build, int32_t edge) {
    ploy_graph_edge it;
    if (!ploy_graph_edge_at(build->graph, edge, &it)) return;
    (void)ploy_graph_set_cost(build->graph, edge,
                              (double)ploy_vec3_distance(ploy_graph_position(build->graph, it.from),
                                                         ploy_graph_position(build->graph, it.to)));
}

static ploy_result level_build_move_node(ploy_level_build *build, int32_t node, ploy_vec2 to) {
    ploy_graph_node it;
    (void)ploy_graph_node_at(build->graph, node, &it);
    it.position = ploy_vec3_from_vec2(to, 0.0f);
    ploy_result result = ploy_graph_set_node(build->graph, node, &it);
    for (int32_t e = ploy_graph_first_out(build->graph, node); e >= 0;
         e = ploy_graph_next_out(build->graph, e)) {
        level_build_price(build, e);
    }
    for (int32_t e = ploy_graph_first_in(build->graph, node); e >= 0;
         e = ploy_graph_next_in(build->graph, e)) {
        level_build_price(build, e);
    }
    return result;
}

static ploy_result level_build_cut(ploy_level_build *build, int32_t a, int32_t b) {
    ploy_result result = PLOY_ERR_NOT_FOUND;
    int32_t there = ploy_graph_find_edge(build->graph, a, b);
    if (there >= 0) result = ploy_graph_remove_edge(build->graph, there);
    int32_t back = ploy_graph_find_edge(build->graph, b, a);
    if (back >= 0) result = ploy_graph_remove_edge(build->graph, back);
    return result;
}

static ploy_result level_build_override_point(ploy_level_build *build,
                                              const ploy_level_override *one) {
    ploy_level_point *points = PLOY_ARRAY_ITEMS(&build->points, ploy_level_point);
    if (one->kind == PLOY_LEVEL_ADD_POINT) {
        ploy_level_point point = {-1, one->at, NAN, NAN, NAN, one->name, one->tags};
        return ploy_array_push(&build->points, &point);
    }
    for (int32_t i = 0; i < build->points.count; i++) {
        if (ploy_vec2_distance(points[i].position, one->at) > 0.5f * build->def.spacing) continue;
        (void)ploy_array_remove(&build->points, i);
        return PLOY_OK;
    }
    return PLOY_ERR_NOT_FOUND;
}

// @return PLOY_ERR_NOT_FOUND if the override fits nothing.
static ploy_result level_build_apply(ploy_level_build *build, const ploy_level_override *one) {
    if (one->kind == PLOY_LEVEL_TAG) {
        return ploy_level_find(&build->level, one->name) >= 0 ? PLOY_OK : PLOY_ERR_NOT_FOUND;
    }
    if (one->kind == PLOY_LEVEL_ADD_POINT || one->kind == PLOY_LEVEL_REMOVE_POINT) {
        return level_build_override_point(build, one);
    }
    if (build->graph == NULL) return PLOY_ERR_NOT_FOUND;
    if (one->kind == PLOY_LEVEL_ADD_NODE) return level_build_add_node(build, one->at);
    int32_t node = level_build_node_near(build, one->at);
    if (node < 0) return PLOY_ERR_NOT_FOUND;
    if (one->kind == PLOY_LEVEL_REMOVE_NODE) return ploy_graph_remove_node(build->graph, node);
    if (one->kind == PLOY_LEVEL_MOVE_NODE) return level_build_move_node(build, node, one->to);
    int32_t other = level_build_node_near(build, one->to);
    if (other < 0 || other == node) return PLOY_ERR_NOT_FOUND;
    return one->kind == PLOY_LEVEL_JOIN ? level_build_join(build, node, other, one->cost)
                                        : level_build_cut(build, node, other);
}

ploy_result ployi_level_build_override(ploy_level_build *build) {
    ploy_level_override one;
    int32_t count = build->overrides == NULL ? 0 : ploy_level_overrides_count(build->overrides);
    for (int32_t i = 0; i < count; i++) {
        (void)ploy_level_overrides_get(build->overrides, i, &one);
        ploy_result result = level_build_apply(build, &one);
        if (result == PLOY_ERR_NOT_FOUND) {
            build->stale++;
            result = ployi_level_issue(
                build, PLOY_LEVEL_OVERRIDE_STALE, PLOY_SEVERITY_WARNING, -1, one.at, 0.0f,
                "override no longer applies:", ploy_level_override_kind_text(one.kind));
            if (result == PLOY_OK) {
                PLOY_ARRAY_AT(&build->issues, ploy_level_issue, build->issues.count - 1)->line =
                    one.line;
            }
        }
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

// ---- create

static ploy_result level_build_nodes(ploy_level_build *build) {
    ploy_result result =
        ploy_level_nodes_create(&build->def, &build->level, &build->env, NULL, &build->graph);
    return result == PLOY_ERR_NOT_FOUND ? PLOY_OK : result; // the checks report it
}

// A floor too narrow for the radius is left without a mesh, too.
static ploy_result level_build_mesh(ploy_level_build *build) {
    ploy_result result =
        ploy_level_mesh_create(&build->def, &build->level, &build->env, NULL, &build->mesh);
    return result == PLOY_ERR_NOT_FOUND || result == PLOY_ERR_ARGUMENT ? PLOY_OK : result;
}

static ploy_result level_build_scene(ploy_level_build *build) {
    return ploy_level_scene_create(&build->level, 1, 0, &build->env, &build->scene, NULL);
}

ploy_result ploy_level_build_step(ploy_level_build *build, ploy_budget *budget) {
    ploy_result (*const stages[PLOY_LEVEL_BUILD_STAGES])(ploy_level_build *) = {
        level_build_scene,        level_build_nodes,         level_build_mesh,
        ployi_level_build_points, ployi_level_build_spheres, ployi_level_build_override,
        ployi_level_build_check};
    while (build->stage < PLOY_LEVEL_BUILD_STAGES) {
        if (budget != NULL && !ploy_budget_spend(budget, 1)) return PLOY_IN_PROGRESS;
        ploy_result result = stages[build->stage](build);
        if (result != PLOY_OK) return result;
        if (++build->stage == PLOY_LEVEL_BUILD_STAGES) level_build_sort(build);
    }
    return PLOY_OK;
}

ploy_result ploy_level_build_begin(const ploy_level_def *def, const ploy_level *level,
                                   const ploy_level_overrides *overrides, const ploy_env *env,
                                   ploy_level_build **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (level == NULL || env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_level_fields(), def, env);
    if (result != PLOY_OK) return result;
    ploy_level_build *build = ploy_env_alloc_zero(env, sizeof *build);
    if (build == NULL) return PLOY_ERR_MEMORY;
    build->env = *env;
    build->def = *def;
    build->level = *level;
    build->overrides = overrides;
    ploy_array_init(&build->issues, sizeof(ploy_level_issue), env);
    ploy_array_init(&build->points, sizeof(ploy_level_point), env);
    ploy_array_init(&build->spheres, sizeof(ploy_level_sphere), env);
    *out = build;
    return PLOY_OK;
}

ploy_result ploy_level_build_create(const ploy_level_def *def, const ploy_level *level,
                                    const ploy_level_overrides *overrides, const ploy_env *env,
                                    ploy_level_build **out) {
    ploy_result result = ploy_level_build_begin(def, level, overrides, env, out);
    if (result == PLOY_OK) result = ploy_level_build_step(*out, NULL);
    if (result == PLOY_OK || out == NULL) return result;
    ploy_level_build_destroy(*out);
    *out = NULL;
    return result;
}

void ploy_level_build_destroy(ploy_level_build *build) {
    if (build == NULL) return;
    ploy_env env = build->env;
    ploy_array_fini(&build->spheres);
    ploy_array_fini(&build->points);
    ploy_array_fini(&build->issues);
    ploy_navmesh_destroy(build->mesh);
    ploy_graph_destroy(build->graph);
    ploy_plain_scene_destroy(build->scene);
    ploy_env_free(&env, build, sizeof *build);
}

// ---- results

static int32_t level_build_count(const ploy_level *level, const char *type) {
    int32_t count = 0;
    for (int32_t i = ploy_level_next(level, -1, type); i >= 0;
         i = ploy_level_next(level, i, type)) {
        count++;
    }
    return count;
}

ploy_level_stats ploy_level_build_stats(const ploy_level_build *build) {
    const ploy_level *level = &build->level;
    ploy_level_stats stats;
    memset(&stats, 0, sizeof stats);
    stats.objects = level->object_count;
    stats.walls = level_build_count(level, "wall");
    stats.doors = level_build_count(level, "door");
    stats.items = level_build_count(level, "item");
    stats.spawns = level_build_count(level, "spawn");
    stats.triggers = level_build_count(level, "trigger");
    stats.offers = level_build_count(level, "offers");
    stats.obstacles = level_build_count(level, "obstacle");
    if (build->graph != NULL) {
        stats.nodes = ploy_graph_node_count(build->graph);
        stats.edges = ploy_graph_edge_count(build->graph);
    }
    stats.parts = build->parts;
    if (build->mesh != NULL) {
        ploy_navmesh_stats mesh = ploy_navmesh_stats_of(build->mesh);
        stats.polygons = mesh.polygons;
        stats.area = mesh.area;
    }
    stats.points = build->points.count;
    stats.spheres = build->spheres.count;
    stats.gaps_closed = build->gaps_closed;
    stats.gaps_opened = build->gaps_opened;
    stats.overrides = build->overrides == NULL ? 0 : ploy_level_overrides_count(build->overrides);
    stats.stale = build->stale;
    for (int32_t i = 0; i < build->issues.count; i++) {
        bool error = ploy_level_build_issue(build, i)->severity == PLOY_SEVERITY_ERROR;
        stats.errors += error;
        stats.warnings += !error;
    }
    return stats;
}

int32_t ploy_level_build_issues(const ploy_level_build *build) {
    return build->issues.count;
}

const ploy_level_issue *ploy_level_build_issue(const ploy_level_build *build, int32_t index) {
    return ploy_array_at(&build->issues, index);
}

const ploy_graph *ploy_level_build_nodes(const ploy_level_build *build) {
    return build->graph;
}

const ploy_navmesh *ploy_level_build_mesh(const ploy_level_build *build) {
    return build->mesh;
}

const ploy_level_point *ploy_level_build_point(const ploy_level_build *build, int32_t index) {
    return ploy_array_at(&build->points, index);
}

const ploy_level_sphere *ploy_level_build_sphere(const ploy_level_build *build, int32_t index) {
    return ploy_array_at(&build->spheres, index);
}
