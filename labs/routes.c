// Tactical routes: the same start and goal for a scout, infantry, artillery and a squad of them.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "labs/lab_input.h"
#include "labs/labs.h"
#include "ploy/path/graph_views.h"
#include "ploy/search/search.h"
#include "ploy/tactics/costs.h"
#include "ploy/tactics/difficulty.h"
#include "ploy/tactics/influence.h"
#include "ploy/tactics/sight_map.h"

enum { ROUTES_SIDE = 24, ROUTES_CELLS = ROUTES_SIDE * ROUTES_SIDE, ROUTES_KINDS = 4 };

static const char *const routes_edges[] = {"mean", "worst"};
static const char *const routes_layers[] = {"terrain", "enemies", "visibility"};
static const char *const routes_scales[] = {"safe", "half", "none"};

typedef struct routes_def {
    uint32_t cookie;
    int32_t edge, layer, scale; // of the lists above
    float weight;               // of all concerns
    bool hurt;                  // the infantry is hurt and avoids the enemy more
    float max_slope;
} routes_def;

static const ploy_field routes_fields[] = {
    PLOY_FIELD_ENUM(routes_def, edge, 0, routes_edges, "what counts of an edge"),
    PLOY_FIELD_ENUM(routes_def, layer, 2, routes_layers, "which layer is shown"),
    PLOY_FIELD_ENUM(routes_def, scale, 0, routes_scales, "scale of the estimates"),
    PLOY_FIELD_F32(routes_def, weight, 3, 0, 20, "", "of all concerns"),
    PLOY_FIELD_BOOL(routes_def, hurt, false, "infantry avoids the enemy more"),
    PLOY_FIELD_F32(routes_def, max_slope, 2, 0.1f, 20, "", "steeper steps are impossible"),
};

static ploy_fields routes_get_fields(void) {
    return PLOY_FIELDS(routes_def, routes_fields);
}

typedef struct routes_route {
    int32_t cells[ROUTES_CELLS];
    int32_t count;
    double length, cost;
    float concerns[3]; // sums over the route
    int64_t taken, clamped;
} routes_route;

typedef struct routes_lab {
    routes_def def;
    ploy_env env;
    uint64_t seed, ticks;
    float heights[(ROUTES_SIDE + 1) * (ROUTES_SIDE + 1)];
    ploy_heightfield field;
    ploy_places places;
    ploy_influence *influence;
    ploy_sight_map *sight;
    ploy_tactics_layer *layers[3];
    ploy_graph *graph;
    double scale;
    routes_route routes[ROUTES_KINDS];
} routes_lab;

static const char *const routes_names[ROUTES_KINDS] = {"scout", "infantry", "artillery", "squad"};

// Hills at random.
static void routes_hills(routes_lab *lab) {
    ploy_rng rng = ploy_rng_make(lab->seed);
    int32_t side = ROUTES_SIDE + 1;
    for (int32_t hill = 0; hill < 9; hill++) {
        float x = ploy_rng_range(&rng, 0.0f, (float)side);
        float y = ploy_rng_range(&rng, 0.0f, (float)side);
        float top = ploy_rng_range(&rng, 1.0f, 6.0f);
        float wide = ploy_rng_range(&rng, 2.0f, 6.0f);
        for (int32_t i = 0; i < side * side; i++) {
            float dx = ((float)(i % side) - x) / wide, dy = ((float)(i / side) - y) / wide;
            float share = 1.0f - (dx * dx + dy * dy);
            if (share > 0.0f) lab->heights[i] += top * share;
        }
    }
    lab->field = ploy_heightfield_make(lab->heights, side, side, ploy_vec2_make(0, 0), 1.0f);
}

// All values of a layer divided by the largest.
static void routes_to_one(ploy_tactics_layer *layer) {
    float *numbers = ploy_tactics_layer_numbers(layer);
    float most = ploy_tactics_layer_range(layer).most;
    for (int32_t i = 0; i < ROUTES_CELLS && most > 0.0f; i++) numbers[i] /= most;
}

static ploy_result routes_analyse(routes_lab *lab) {
    static const int32_t enemies[] = {12 * ROUTES_SIDE + 9, 7 * ROUTES_SIDE + 15};
    ploy_result result = PLOY_OK;
    for (int32_t i = 0; i < 3 && result == PLOY_OK; i++) {
        result = ploy_tactics_layer_create(&lab->places, PLOY_TACTICS_NUMBERS, &lab->env,
                                           &lab->layers[i]);
    }
    if (result != PLOY_OK) return result;
    ploy_difficulty_def difficulty = ploy_difficulty_def_default();
    ploy_difficulty_terrain terrain = {NULL, NULL, &lab->field, NULL};
    difficulty.base_weight = 0.0f;
    result = ploy_difficulty_read(&difficulty, &terrain, 0, ROUTES_CELLS, lab->layers[0]);
    ploy_influence_def def = ploy_influence_def_default();
    ploy_influence_type type = ploy_influence_type_default();
    def.sides = 1;
    type.drop = PLOY_INFLUENCE_RAMP;
    type.range = 9.0f;
    type.plateau = 2.0f;
    if (result == PLOY_OK) {
        result = ploy_influence_create(&def, &lab->places, &lab->env, &lab->influence);
    }
    if (result == PLOY_OK) result = ploy_influence_add_type(lab->influence, &type, NULL);
    for (int32_t i = 0; i < 2 && result == PLOY_OK; i++) {
        result = ploy_influence_add(lab->influence, 0, 0, enemies[i], 1.0f, NULL);
    }
    if (result == PLOY_OK) {
        result = ploy_influence_read(lab->influence, PLOY_INFLUENCE_VALUE, 0, 0, ROUTES_CELLS,
                                     lab->layers[1]);
    }
    ploy_sight_map_def sight = ploy_sight_map_def_default();
    sight.mode = PLOY_SIGHT_RANDOM;
    sight.samples = 24;
    if (result == PLOY_OK) {
        result = ploy_sight_map_create(&sight, &lab->places, &lab->env, &lab->sight);
    }
    if (result != PLOY_OK) return result;
    ploy_sight_map_set_heights(lab->sight, &lab->field);
    result = ploy_sight_map_run(lab->sight, lab->layers[2]);
    for (int32_t i = 0; i < 3; i++) routes_to_one(lab->layers[i]);
    return result;
}

static ploy_tactical_profile routes_profile(const routes_lab *lab, int32_t kind) {
    ploy_tactical_profile members[3] = {ploy_tactical_profile_scout(),
                                        ploy_tactical_profile_infantry(),
                                        ploy_tactical_profile_artillery()};
    if (lab->def.hurt) members[1].weights[1] = 3.0f;
    ploy_tactical_profile profile = kind < 3 ? members[kind] : ploy_tactical_blend(members, 3);
    for (int32_t i = 0; i < profile.count; i++) profile.weights[i] *= lab->def.weight;
    return profile;
}

static void routes_keep(routes_lab *lab, const ploy_search *search, routes_route *route) {
    ploy_edge edges[ROUTES_CELLS];
    int32_t count = ploy_search_path(search, ROUTES_CELLS - 1, edges, ROUTES_CELLS, &route->cost);
    route->taken = ploy_search_stats_of(search).taken;
    if (count < 0) return;
    route->cells[route->count++] = 0;
    for (int32_t i = 0; i < count && i + 1 < ROUTES_CELLS; i++) {
        ploy_vec3 a = ploy_graph_position(lab->graph, route->cells[route->count - 1]);
        ploy_vec3 b = ploy_graph_position(lab->graph, edges[i].to);
        route->length += (double)ploy_vec3_distance(a, b);
        for (int32_t k = 0; k < 3; k++) {
            route->concerns[k] += ploy_tactics_layer_at(lab->layers[k], edges[i].to);
        }
        route->cells[route->count++] = edges[i].to;
    }
}

static ploy_result routes_search(routes_lab *lab, ploy_tactical_costs *costs, routes_route *route) {
    ploy_space space = ploy_graph_space(lab->graph);
    double scale = 0.0;
    ploy_result result = ploy_tactical_costs_scale(costs, &space, &scale);
    if (result != PLOY_OK) return result;
    route->clamped = ploy_tactical_costs_stats(costs).clamped;
    lab->scale = lab->def.scale == 0 ? scale : lab->def.scale == 1 ? 0.5 : 0.0;
    ploy_cost_hook hook = ploy_tactical_costs_hook(costs);
    ploy_lazy_costs_def lazy_def = ploy_lazy_costs_def_default();
    ploy_search_def def = ploy_search_def_default();
    ploy_lazy_costs *lazy = NULL;
    ploy_search *search = NULL;
    def.weight = lab->scale;
    result = ploy_lazy_costs_create(&lazy_def, &space, hook.fn, hook.user, &lab->env, &lazy);
    if (result == PLOY_OK) result = ploy_search_create(&def, &lab->env, &search);
    if (result == PLOY_OK) {
        ploy_space tactical = ploy_lazy_costs_space(lazy);
        ploy_search_start start = {0, 0.0};
        ploy_search_query query = ploy_search_query_make(&tactical, &start, ROUTES_CELLS - 1);
        result = ploy_search_run(search, &query);
    }
    if (result == PLOY_OK) routes_keep(lab, search, route);
    ploy_search_destroy(search);
    ploy_lazy_costs_destroy(lazy);
    return result;
}

static ploy_result routes_find(routes_lab *lab) {
    ploy_graph_def graph = ploy_graph_def_default();
    ploy_graph_destroy(lab->graph);
    lab->graph = NULL;
    memset(lab->routes, 0, sizeof lab->routes);
    ploy_result result = ploy_graph_create(&graph, &lab->env, &lab->graph);
    if (result == PLOY_OK) {
        result =
            ploy_tactics_place_graph(&lab->places, &lab->field, lab->def.max_slope, lab->graph);
    }
    for (int32_t kind = 0; kind < ROUTES_KINDS && result == PLOY_OK; kind++) {
        ploy_tactical_costs_def def = ploy_tactical_costs_def_default();
        ploy_tactical_costs *costs = NULL;
        def.edge = (ploy_tactical_edge)lab->def.edge;
        def.cached = true;
        ploy_env quiet = lab->env;
        quiet.log = NULL; // clamped edges are counted and shown
        result = ploy_tactical_costs_create(&def, &lab->places, &quiet, &costs);
        for (int32_t i = 0; i < 3 && result == PLOY_OK; i++) {
            result = ploy_tactical_costs_add(costs, lab->layers[i]);
        }
        ploy_tactical_profile profile = routes_profile(lab, kind);
        if (result == PLOY_OK) result = ploy_tactical_costs_set(costs, &profile);
        if (result == PLOY_OK) result = routes_search(lab, costs, &lab->routes[kind]);
        ploy_tactical_costs_destroy(costs);
    }
    return result;
}

static ploy_result routes_create(const void *params, ploy_rng_key key, const ploy_env *env,
                                 void **out) {
    routes_lab *lab = ploy_env_alloc_zero(env, sizeof *lab);
    if (lab == NULL) return PLOY_ERR_MEMORY;
    memcpy(&lab->def, params, sizeof lab->def);
    lab->env = *env;
    lab->seed = key.bits;
    lab->places = ploy_places_grid(ROUTES_SIDE, ROUTES_SIDE, ploy_vec2_make(0, 0), 1.0f);
    routes_hills(lab);
    ploy_result result = routes_analyse(lab);
    if (result == PLOY_OK) result = routes_find(lab);
    if (result == PLOY_OK) *out = lab;
    return result;
}

static ploy_result routes_step(void *state, const ploy_sim_context *context) {
    routes_lab *lab = state;
    bool again = memcmp(&lab->def, context->params, sizeof lab->def) != 0;
    memcpy(&lab->def, context->params, sizeof lab->def);
    lab->ticks++;
    return again ? routes_find(lab) : PLOY_OK;
}

static void routes_draw(const void *state, ploy_draw *out) {
    static const ploy_style styles[ROUTES_KINDS] = {PLOY_STYLE_AGENT_A, PLOY_STYLE_AGENT_B,
                                                    PLOY_STYLE_AGENT_C, PLOY_STYLE_AGENT_D};
    const routes_lab *lab = state;
    ploy_draw_key(out, PLOY_STYLE_AGENT_A, "scout");
    ploy_draw_key(out, PLOY_STYLE_AGENT_B, "infantry");
    ploy_draw_key(out, PLOY_STYLE_AGENT_C, "artillery");
    ploy_draw_key(out, PLOY_STYLE_AGENT_D, "squad");
    ploy_tactics_layer_draw(lab->layers[lab->def.layer], routes_layers[lab->def.layer], out);
    for (int32_t kind = 0; kind < ROUTES_KINDS; kind++) {
        const routes_route *route = &lab->routes[kind];
        ploy_vec2 points[ROUTES_CELLS];
        float shift = 0.12f * (float)(kind - 1);
        for (int32_t i = 0; i < route->count; i++) {
            ploy_vec3 at = lab->places.position(&lab->places, route->cells[i]);
            points[i] = ploy_vec2_make(at.x + shift, at.y - shift);
        }
        ploy_draw_polyline(out, PLOY_LAYER_PATHS, styles[kind], ploy_agent_id_none(), points,
                           route->count);
        char text[120];
        snprintf(text, sizeof text, "%s: %.1f m, cost %.1f, %lld taken, %lld clamped",
                 routes_names[kind], route->length, route->cost, (long long)route->taken,
                 (long long)route->clamped);
        ploy_draw_text(out, ploy_agent_id_none(), ploy_vec2_make(0.0f, -0.8f - 0.9f * (float)kind),
                       text);
    }
}

static void routes_describe(const void *state, ploy_describe *out) {
    const routes_lab *lab = state;
    ploy_describe_u64(out, "ticks", PLOY_STATE, lab->ticks);
    ploy_describe_f64(out, "scale", PLOY_STATE, lab->scale);
    for (int32_t kind = 0; kind < ROUTES_KINDS; kind++) {
        const routes_route *route = &lab->routes[kind];
        ploy_describe_begin(out, routes_names[kind]);
        ploy_describe_i64(out, "cells", PLOY_STATE, route->count);
        ploy_describe_f64(out, "length", PLOY_STATE, route->length);
        ploy_describe_f64(out, "cost", PLOY_STATE, route->cost);
        ploy_describe_i64(out, "taken", PLOY_STATE, route->taken);
        ploy_describe_i64(out, "clamped", PLOY_STATE, route->clamped);
        for (int32_t k = 0; k < 3; k++) {
            ploy_describe_f64(out, routes_layers[k], PLOY_STATE, (double)route->concerns[k]);
        }
        ploy_describe_end(out);
    }
}

extern const ploy_sim_type ploy_lab_routes; // in labs.c
const ploy_sim_type ploy_lab_routes = {
    .name = "routes",
    .title = "Tactical routes",
    .help = "Four routes over the same hills: a scout seeks sight and avoids enemies, artillery "
            "avoids everything, a squad is as careful as its weakest member. Change weights and "
            "watch the routes.",
    .version = 1,
    .capabilities = PLOY_SIM_INTERACTIVE | PLOY_SIM_TACTICS,
    .dt = 1.0f / 30.0f,
    .view = {-0.5f, -4.6f, 24.5f, 25.5f},
    .fields = routes_get_fields,
    .create = routes_create,
    .destroy = NULL,
    .step = routes_step,
    .draw = routes_draw,
    .describe = routes_describe,
};
