// Tactical costs of edges; see the header.
#include "ploy/tactics/costs.h"

#include "ploy/base/math.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { COSTS_NEIGHBOURS = 64 };

static const char *const costs_edges[] = {"mean", "worst"};

static const ploy_field costs_table[] = {
    PLOY_FIELD_ENUM(ploy_tactical_costs_def, edge, 0, costs_edges, "what counts of an edge"),
    PLOY_FIELD_I32(ploy_tactical_costs_def, samples, 5, 2, 64, "", "samples on an edge"),
    PLOY_FIELD_F32(ploy_tactical_costs_def, base_weight, 1, 0, 1e6f, "", "of the base cost"),
    PLOY_FIELD_BOOL(ploy_tactical_costs_def, by_length, false, "qualities count by length"),
    PLOY_FIELD_BOOL(ploy_tactical_costs_def, cached, false, "sums of places are kept"),
    PLOY_FIELD_F32(ploy_tactical_costs_def, unknown, 0, -1e6f, 1e6f, "",
                   "quality of an unknown place"),
};

struct ploy_tactical_costs {
    ploy_env env;
    ploy_tactical_costs_def def;
    ploy_places places;
    const ploy_tactics_layer *layers[PLOY_CONCERNS_MAX];
    ploy_tactical_profile profile;
    float *cache; // weighted sums by place; NULL without cache
    size_t cache_size;
    ploy_tactical_stats stats;
};

ploy_tactical_profile ploy_tactical_blend(const ploy_tactical_profile *members, int32_t count) {
    ploy_tactical_profile blend;
    memset(&blend, 0, sizeof blend);
    for (int32_t i = 0; members != NULL && i < count; i++) {
        if (members[i].count > blend.count) blend.count = members[i].count;
    }
    for (int32_t k = 0; k < blend.count; k++) {
        for (int32_t i = 0; i < count; i++) {
            float weight = k < members[i].count ? members[i].weights[k] : 0.0f;
            if (i == 0 || weight > blend.weights[k]) blend.weights[k] = weight;
        }
    }
    return blend;
}

static ploy_tactical_profile costs_profile(float terrain, float enemies, float visibility) {
    ploy_tactical_profile profile;
    memset(&profile, 0, sizeof profile);
    profile.count = 3;
    profile.weights[0] = terrain;
    profile.weights[1] = enemies;
    profile.weights[2] = visibility;
    return profile;
}

ploy_tactical_profile ploy_tactical_profile_scout(void) {
    return costs_profile(0.1f, 1.0f, -0.5f);
}

ploy_tactical_profile ploy_tactical_profile_infantry(void) {
    return costs_profile(0.3f, 0.5f, 0.2f);
}

ploy_tactical_profile ploy_tactical_profile_artillery(void) {
    return costs_profile(1.4f, 0.6f, 1.0f);
}

ploy_fields ploy_tactical_costs_fields(void) {
    return PLOY_FIELDS(ploy_tactical_costs_def, costs_table);
}

ploy_tactical_costs_def ploy_tactical_costs_def_default(void) {
    ploy_tactical_costs_def def;
    ploy_fields_default(ploy_tactical_costs_fields(), &def);
    return def;
}

static void costs_clear_stats(ploy_tactical_costs *costs) {
    ploy_tactical_stats none = {0, 0, PLOY_PLACE_NONE, PLOY_PLACE_NONE, 0.0};
    costs->stats = none;
}

ploy_result ploy_tactical_costs_create(const ploy_tactical_costs_def *def,
                                       const ploy_places *places, const ploy_env *env,
                                       ploy_tactical_costs **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    ploy_result result = ploy_fields_check(ploy_tactical_costs_fields(), def, env);
    if (result != PLOY_OK) return result;
    if (!ploy_places_is_complete(places)) return PLOY_ERR_ARGUMENT;
    ploy_tactical_costs *costs = ploy_env_alloc_zero(env, sizeof *costs);
    if (costs == NULL) return PLOY_ERR_MEMORY;
    costs->env = *env;
    costs->def = *def;
    costs->places = *places;
    costs_clear_stats(costs);
    if (def->cached) {
        costs->cache_size = (size_t)places->count * sizeof(float);
        costs->cache = ploy_env_alloc_zero(env, costs->cache_size);
        if (costs->cache == NULL) {
            ploy_tactical_costs_destroy(costs);
            return PLOY_ERR_MEMORY;
        }
    }
    *out = costs;
    return PLOY_OK;
}

void ploy_tactical_costs_destroy(ploy_tactical_costs *costs) {
    if (costs == NULL) return;
    ploy_env env = costs->env;
    ploy_env_free(&env, costs->cache, costs->cache_size);
    ploy_env_free(&env, costs, sizeof *costs);
}

ploy_result ploy_tactical_costs_add(ploy_tactical_costs *costs, const ploy_tactics_layer *layer) {
    if (costs == NULL || layer == NULL ||
        ploy_tactics_layer_places(layer)->count != costs->places.count) {
        return PLOY_ERR_ARGUMENT;
    }
    if (costs->profile.count == PLOY_CONCERNS_MAX) return PLOY_ERR_CAPACITY;
    costs->layers[costs->profile.count] = layer;
    costs->profile.weights[costs->profile.count++] = 0.0f;
    return PLOY_OK;
}

ploy_result ploy_tactical_costs_set(ploy_tactical_costs *costs,
                                    const ploy_tactical_profile *profile) {
    if (costs == NULL || profile == NULL || profile->count != costs->profile.count) {
        return PLOY_ERR_ARGUMENT;
    }
    for (int32_t i = 0; i < profile->count; i++) {
        if (!ploy_is_finite(profile->weights[i])) return PLOY_ERR_ARGUMENT;
    }
    costs->profile = *profile;
    ploy_tactical_costs_refresh(costs);
    return PLOY_OK;
}

static float costs_quality(const ploy_tactical_costs *costs, int32_t concern, int32_t place) {
    float value = ploy_tactics_layer_at(costs->layers[concern], place);
    return isnan(value) ? costs->def.unknown : value;
}

static float costs_sum(const ploy_tactical_costs *costs, int32_t place) {
    float sum = 0.0f;
    for (int32_t i = 0; i < costs->profile.count; i++) {
        sum += costs->profile.weights[i] * costs_quality(costs, i, place);
    }
    return sum;
}

void ploy_tactical_costs_refresh(ploy_tactical_costs *costs) {
    if (costs == NULL) return;
    costs_clear_stats(costs);
    for (int32_t i = 0; costs->cache != NULL && i < costs->places.count; i++) {
        costs->cache[i] = costs_sum(costs, i);
    }
}

float ploy_tactical_costs_at(const ploy_tactical_costs *costs, int32_t place) {
    if (costs == NULL || place < 0 || place >= costs->places.count) return 0.0f;
    return costs->cache != NULL ? costs->cache[place] : costs_sum(costs, place);
}

// The weighted sum of the worst sample of each concern along the line.
static double costs_worst(const ploy_tactical_costs *costs, int32_t from, int32_t to) {
    const ploy_places *places = &costs->places;
    ploy_vec3 a = places->position(places, from), b = places->position(places, to);
    double sum = 0.0;
    float worst[PLOY_CONCERNS_MAX];
    for (int32_t s = 0; s < costs->def.samples; s++) {
        float t = (float)s / (float)(costs->def.samples - 1);
        int32_t place = s == 0 ? from
                        : s + 1 == costs->def.samples
                            ? to
                            : places->nearest(places, ploy_vec3_lerp(a, b, t));
        for (int32_t i = 0; i < costs->profile.count; i++) {
            float weighted =
                costs->profile.weights[i] *
                (place == PLOY_PLACE_NONE ? costs->def.unknown : costs_quality(costs, i, place));
            if (s == 0 || weighted > worst[i]) worst[i] = weighted;
        }
    }
    for (int32_t i = 0; i < costs->profile.count; i++) sum += (double)worst[i];
    return sum;
}

double ploy_tactical_costs_edge(ploy_tactical_costs *costs, int32_t from, int32_t to, double base) {
    double quality = 0.0;
    if (costs->def.edge == PLOY_TACTICAL_WORST) {
        quality = costs_worst(costs, from, to);
    } else {
        quality = 0.5 * ((double)ploy_tactical_costs_at(costs, from) +
                         (double)ploy_tactical_costs_at(costs, to));
    }
    double cost =
        (double)costs->def.base_weight * base + (costs->def.by_length ? quality * base : quality);
    costs->stats.edges++;
    if (!(cost < 0.0)) return cost;
    if (costs->stats.clamped++ == 0) {
        char text[160];
        costs->stats.from = from;
        costs->stats.to = to;
        costs->stats.cost = cost;
        snprintf(text, sizeof text,
                 "tactical cost of the edge from %d to %d is %g, below 0; it counts as 0", from, to,
                 cost);
        ploy_env_log(&costs->env, PLOY_SEVERITY_WARNING, text);
    }
    return 0.0;
}

static double costs_hook(void *user, int32_t from, int32_t to, int32_t label, double base) {
    (void)label;
    return ploy_tactical_costs_edge(user, from, to, base);
}

ploy_cost_hook ploy_tactical_costs_hook(ploy_tactical_costs *costs) {
    ploy_cost_hook hook = {costs_hook, costs};
    return hook;
}

ploy_tactical_stats ploy_tactical_costs_stats(const ploy_tactical_costs *costs) {
    return costs->stats;
}

ploy_result ploy_tactical_costs_scale(ploy_tactical_costs *costs, const ploy_space *space,
                                      double *out) {
    if (costs == NULL || space == NULL || out == NULL || space->expand == NULL ||
        space->count < 1 || space->count > costs->places.count) {
        return PLOY_ERR_ARGUMENT;
    }
    double scale = 1.0;
    ploy_edges edges;
    ploy_result result = PLOY_OK;
    ploy_edges_init(&edges, &costs->env);
    for (int32_t i = 0; i < space->count && result == PLOY_OK; i++) {
        ploy_edges_clear(&edges);
        result = space->expand(space->user, i, &edges);
        for (int32_t k = 0; k < edges.count && result == PLOY_OK; k++) {
            ploy_edge edge = edges.view[k];
            if (!(edge.cost > 0.0) || edge.cost == INFINITY) continue;
            double ratio = ploy_tactical_costs_edge(costs, i, edge.to, edge.cost) / edge.cost;
            if (ratio < scale) scale = ratio;
        }
    }
    ploy_edges_fini(&edges);
    if (result == PLOY_OK) *out = scale;
    return result;
}

// ---- graphs

static bool costs_can_see(const ploy_scene *scene, uint32_t mask, ploy_vec3 a, ploy_vec3 b) {
    return scene == NULL || !ploy_scene_ray(scene, a, b, mask, NULL);
}

ploy_result ploy_tactics_link_points(ploy_graph *graph, const ploy_vec3 *points, int32_t count,
                                     float reach, const ploy_scene *scene, uint32_t mask,
                                     int32_t *nodes, int32_t *joined) {
    if (graph == NULL || count < 0 || (points == NULL && count > 0) || !(reach > 0.0f)) {
        return PLOY_ERR_ARGUMENT;
    }
    int32_t before = ploy_graph_node_slots(graph); // points are joined with these alone
    for (int32_t i = 0; i < count; i++) {
        int32_t node = 0, edges = 0;
        ploy_result result = ploy_graph_add_node(graph, points[i], &node);
        for (int32_t k = 0; k < before && result == PLOY_OK; k++) {
            if (!ploy_graph_has_node(graph, k)) continue;
            ploy_vec3 at = ploy_graph_position(graph, k);
            float distance = ploy_vec3_distance(points[i], at);
            if (!(distance <= reach) || !costs_can_see(scene, mask, points[i], at)) continue;
            result = ploy_graph_add_both(graph, node, k, (double)distance, 0);
            edges++;
        }
        if (result != PLOY_OK) return result;
        if (nodes != NULL) nodes[i] = node;
        if (joined != NULL) joined[i] = edges;
    }
    return PLOY_OK;
}

static float costs_height(const ploy_heightfield *heights, ploy_vec3 at) {
    float height = at.z;
    if (heights != NULL) ploy_heightfield_height(heights, ploy_vec2_make(at.x, at.y), &height);
    return height;
}

ploy_result ploy_tactics_place_graph(const ploy_places *places, const ploy_heightfield *heights,
                                     float max_slope, ploy_graph *graph) {
    if (!ploy_places_is_complete(places) || graph == NULL || ploy_graph_node_slots(graph) != 0 ||
        !(max_slope >= 0.0f)) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_result result = PLOY_OK;
    for (int32_t i = 0; i < places->count && result == PLOY_OK; i++) {
        ploy_vec3 at = places->position(places, i);
        at.z = costs_height(heights, at);
        result = ploy_graph_add_node(graph, at, NULL);
    }
    for (int32_t i = 0; i < places->count && result == PLOY_OK; i++) {
        if (!places->open(places, i)) result = ploy_graph_remove_node(graph, i);
    }
    for (int32_t i = 0; i < places->count && result == PLOY_OK; i++) {
        int32_t around[COSTS_NEIGHBOURS];
        if (!places->open(places, i)) continue;
        int32_t count = places->neighbours(places, i, around, COSTS_NEIGHBOURS);
        for (int32_t k = 0; k < count && k < COSTS_NEIGHBOURS && result == PLOY_OK; k++) {
            // Each pair once; both directions are added.
            if (around[k] <= i || !places->open(places, around[k])) continue;
            ploy_vec3 a = ploy_graph_position(graph, i), b = ploy_graph_position(graph, around[k]);
            float run = ploy_vec2_distance(ploy_vec2_make(a.x, a.y), ploy_vec2_make(b.x, b.y));
            if (fabsf(a.z - b.z) > max_slope * run) continue;
            result = ploy_graph_add_both(graph, i, around[k], (double)ploy_vec3_distance(a, b), 0);
        }
    }
    return result;
}

void ploy_tactical_costs_visit(ploy_visit *v, void *object) {
    ploy_tactical_costs *costs = object;
    ploy_visit_object(v, "tactical costs", costs, sizeof *costs);
    PLOY_VISIT_SCRATCH(v, costs->env);
    PLOY_VISIT_SCRATCH(v, costs->def);
    PLOY_VISIT_SCRATCH(v, costs->places);
    PLOY_VISIT_SCRATCH(v, costs->layers); // the caller's, added before a load
    PLOY_VISIT_SCRATCH(v, costs->cache);
    PLOY_VISIT_SCRATCH(v, costs->cache_size);
    PLOY_VISIT_SCRATCH(v, costs->profile.count);
    ploy_value concerns = ploy_value_i64(costs->profile.count);
    ploy_visit_same(v, "concerns", PLOY_STATE, &concerns);
    ploy_visit_fixed(v, "weights", PLOY_STATE, costs->profile.count);
    for (int32_t i = 0; i < costs->profile.count; i++) {
        ploy_visit_begin_item(v, i, PLOY_STATE);
        ploy_visit_f32(v, "weight", PLOY_STATE, &costs->profile.weights[i]);
        ploy_visit_end(v);
    }
    ploy_visit_end(v);
    for (int32_t i = costs->profile.count; i < PLOY_CONCERNS_MAX; i++) {
        PLOY_VISIT_SCRATCH(v, costs->profile.weights[i]);
    }
    // Not computed again by a load: refresh may have been called before the layers changed.
    ploy_visit_block(v, "tactical cache", costs->cache, costs->cache_size);
    if (costs->cache != NULL) {
        ploy_visit_bytes(v, "cache", PLOY_STATE, costs->cache, costs->cache_size);
    }
    int32_t last = costs->places.count - 1;
    ploy_visit_i64_in(v, "edges", PLOY_NOTE, &costs->stats.edges, 0, INT64_MAX);
    ploy_visit_i64_in(v, "clamped", PLOY_NOTE, &costs->stats.clamped, 0, INT64_MAX);
    ploy_visit_i32_in(v, "clamped_from", PLOY_SAVED, &costs->stats.from, PLOY_PLACE_NONE, last);
    ploy_visit_i32_in(v, "clamped_to", PLOY_SAVED, &costs->stats.to, PLOY_PLACE_NONE, last);
    ploy_visit_f64(v, "clamped_cost", PLOY_SAVED, &costs->stats.cost);
}

void ploy_tactical_costs_describe(const ploy_tactical_costs *costs, ploy_describe *out) {
    if (costs == NULL || out == NULL) return;
    ploy_visit_describe(ploy_tactical_costs_visit, costs, NULL, out);
}

void ploy_tactical_costs_memory(const ploy_tactical_costs *costs, ploy_memory_fn fn, void *user) {
    if (costs == NULL || fn == NULL) return;
    ploy_visit_memory(ploy_tactical_costs_visit, costs, fn, user);
}
