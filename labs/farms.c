// The lab of farmhouses: a country of 10,000 places with up to forty farmhouses of two designs. Each design is
// one graph, and each farmhouse an instance of it with two doors: its rooms get numbers after the places of the
// country. Two couriers carry letters to the same kitchens: one plans over all nodes, the other first over
// blocks of the country and whole farmhouses, then inside those that the coarse path goes through.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "labs/lab_input.h"
#include "labs/labs.h"
#include "ploy/base/math.h"
#include "ploy/path/graph_instances.h"
#include "ploy/path/hierarchy.h"
#include "ploy/path/tiles.h"

enum {
    FARMS_SIDE = 100,
    FARMS_PLACES = FARMS_SIDE * FARMS_SIDE,
    FARMS_MAX = 40,
    FARMS_ROOMS = 6, // of the larger design
    FARMS_BLOCK = 10,
    FARMS_BLOCKS = FARMS_SIDE / FARMS_BLOCK,
    FARMS_NODES = FARMS_PLACES + FARMS_MAX * FARMS_ROOMS,
    FARMS_PATH = 2048,
    FARMS_COURIERS = 2
};

typedef struct farms_def {
    uint32_t cookie;
    int32_t farms;
    float door_cost;
    float speed;
} farms_def;

static const ploy_field farms_fields[] = {
    PLOY_FIELD_I32(farms_def, farms, FARMS_MAX, 1, FARMS_MAX, "",
                   "farmhouses; takes effect on restart"),
    PLOY_FIELD_F32(farms_def, door_cost, 0, 0, 100, "m",
                   "cost of each door; takes effect on restart"),
    PLOY_FIELD_F32(farms_def, speed, 15, 1, 100, "m/s", "speed of the couriers"),
};

static ploy_fields farms_get_fields(void) {
    return PLOY_FIELDS(farms_def, farms_fields);
}

typedef struct farms_courier {
    int32_t node; // where it is, or which it left
    ploy_vec2 at;
    ploy_edge path[FARMS_PATH];
    int32_t path_count, path_at;
    int32_t letter; // number of the one that it carries
    int32_t farm;   // whose
    int64_t taken;  // nodes, by the last search
    double cost;    // m, of the last path
    int64_t taken_sum, rooms;
    double cost_sum;
} farms_courier;

typedef struct farms_lab {
    farms_def def;
    ploy_rng_key key;
    ploy_tiles *tiles;
    ploy_tiles_walker walker;
    ploy_graph *designs[2];
    ploy_graph_instances *all;
    ploy_hierarchy *hierarchy;
    ploy_search *plain;
    ploy_hierarchy_search *levels;
    farms_courier couriers[FARMS_COURIERS];
} farms_lab;

static ploy_agent_id farms_id(int32_t courier) {
    return ploy_agent_id_make((uint32_t)courier + 1, 1);
}

// The place before a farmhouse's front door.
static int32_t farms_place(int32_t farm) {
    return (farm % 8 * 12 + 5) + (farm / 8 * 18 + 7) * FARMS_SIDE;
}

static int32_t farms_room_count(int32_t farm) {
    return farm % 2 == 0 ? 4 : FARMS_ROOMS;
}

// The farmhouse that a node is in; -1: a place of the country.
static int32_t farms_of(const farms_lab *lab, int32_t node) {
    int32_t farm = -1;
    while (node >= FARMS_PLACES && farm + 1 < lab->def.farms &&
           node >= ploy_graph_instances_offset(lab->all, farm + 1)) {
        farm++;
    }
    return farm;
}

static ploy_vec3 farms_position(const void *user, int32_t node) {
    const farms_lab *lab = user;
    int32_t farm = farms_of(lab, node), place = farm < 0 ? node : farms_place(farm);
    ploy_vec3 at = ploy_vec3_make((float)(place % FARMS_SIDE), (float)(place / FARMS_SIDE), 0.0f);
    if (farm < 0) return at;
    // Rooms are in a row from the front door to the back door.
    int32_t room = node - ploy_graph_instances_offset(lab->all, farm);
    at.x += 3.0f * (float)room / (float)(farms_room_count(farm) - 1);
    return at;
}

static ploy_vec2 farms_point(const farms_lab *lab, int32_t node) {
    return ploy_vec2_from_vec3(farms_position(lab, node));
}

// ---- the country ----

static ploy_result farms_make_design(int32_t rooms, const ploy_env *env, ploy_graph **out) {
    ploy_graph_def def = ploy_graph_def_default();
    def.directed = false;
    ploy_result result = ploy_graph_create(&def, env, out);
    for (int32_t i = 0; i < rooms && result == PLOY_OK; i++) {
        result = ploy_graph_add_node(*out, ploy_vec3_zero(), NULL);
        // At most 2.5 for the 3 m between the doors: a house is a shortcut.
        if (i > 0 && result == PLOY_OK) result = ploy_graph_add_edge(*out, i - 1, i, 0.5, 0, NULL);
    }
    return result;
}

static ploy_result farms_make_levels(farms_lab *lab, const ploy_env *env) {
    ploy_space space = ploy_graph_instances_space(lab->all);
    int32_t *groups = ploy_env_alloc(env, FARMS_NODES * sizeof *groups);
    if (groups == NULL) return PLOY_ERR_MEMORY;
    for (int32_t i = 0; i < space.count; i++) {
        int32_t farm = farms_of(lab, i);
        groups[i] =
            farm >= 0 ? FARMS_BLOCKS * FARMS_BLOCKS + farm
                      : i / FARMS_SIDE / FARMS_BLOCK * FARMS_BLOCKS + i % FARMS_SIDE / FARMS_BLOCK;
    }
    ploy_hierarchy_def def = ploy_hierarchy_def_default();
    ploy_result result =
        ploy_hierarchy_create_space(&def, &space, farms_position, lab, env, &lab->hierarchy);
    if (result == PLOY_OK) {
        result = ploy_hierarchy_add_level(lab->hierarchy, groups,
                                          FARMS_BLOCKS * FARMS_BLOCKS + lab->def.farms, NULL);
    }
    ploy_env_free(env, groups, FARMS_NODES * sizeof *groups);
    return result;
}

static ploy_result farms_build(farms_lab *lab, const ploy_env *env) {
    ploy_tiles_def map = ploy_tiles_def_default();
    map.width = map.height = FARMS_SIDE;
    ploy_result result = ploy_tiles_create(&map, env, &lab->tiles);
    for (int32_t i = 0; i < 2 && result == PLOY_OK; i++) {
        result = farms_make_design(farms_room_count(i), env, &lab->designs[i]);
    }
    if (result != PLOY_OK) return result;
    lab->walker = ploy_tiles_walker_make(lab->tiles, NULL);
    ploy_space country = ploy_tiles_space(&lab->walker);
    result = ploy_graph_instances_create(&country, env, &lab->all);
    for (int32_t i = 0; i < lab->def.farms && result == PLOY_OK; i++) {
        ploy_space rooms = ploy_graph_space(lab->designs[i % 2]);
        double cost = (double)lab->def.door_cost;
        int32_t place = farms_place(i), last = rooms.count - 1;
        result = ploy_graph_instances_add(lab->all, &rooms, NULL);
        if (result == PLOY_OK) {
            result =
                ploy_graph_instances_add_door(lab->all, i, 0, place, PLOY_DOOR_BOTH, cost, NULL);
        }
        if (result == PLOY_OK) {
            result = ploy_graph_instances_add_door(lab->all, i, last, place + 3, PLOY_DOOR_BOTH,
                                                   cost, NULL);
        }
    }
    return result == PLOY_OK ? farms_make_levels(lab, env) : result;
}

// ---- letters ----

// Plans to the kitchen (the room behind the front door) that the courier's next letter is for.
static ploy_result farms_next(farms_lab *lab, int32_t index) {
    farms_courier *courier = &lab->couriers[index];
    // The same for both: a draw by the number of the letter.
    courier->letter++;
    courier->farm = (int32_t)(ploy_rng_u32_at(lab->key, 0, (uint64_t)courier->letter, 0) %
                              (uint32_t)lab->def.farms);
    int32_t to = ploy_graph_instances_offset(lab->all, courier->farm) + 1;
    courier->path_at = courier->path_count = 0;
    courier->taken = 0;
    ploy_result result = PLOY_OK;
    if (index == 0) {
        ploy_space space = ploy_graph_instances_space(lab->all);
        ploy_search_start start = {courier->node, 0.0};
        ploy_search_query query = ploy_search_query_make(&space, &start, to);
        result = ploy_search_run(lab->plain, &query);
        if (result != PLOY_OK) return result;
        courier->path_count =
            ploy_search_path(lab->plain, to, courier->path, FARMS_PATH, &courier->cost);
        courier->taken = ploy_search_stats_of(lab->plain).taken;
    } else {
        result = ploy_hierarchy_search_run(lab->levels, lab->hierarchy, courier->node, to);
        if (result != PLOY_OK) return result;
        courier->path_count =
            ploy_hierarchy_search_path(lab->levels, courier->path, FARMS_PATH, &courier->cost);
        courier->taken = ploy_hierarchy_search_taken(lab->levels, 0) +
                         ploy_hierarchy_search_taken(lab->levels, 1);
    }
    courier->path_count = ploy_clampi(courier->path_count, 0, FARMS_PATH); // -1: no path
    courier->taken_sum += courier->taken;
    courier->cost_sum += courier->cost;
    return PLOY_OK;
}

static ploy_result farms_create(const void *params, ploy_rng_key key, const ploy_env *env,
                                void **out) {
    farms_lab *lab = ploy_env_alloc_zero(env, sizeof *lab);
    if (lab == NULL) return PLOY_ERR_MEMORY; // the region goes, and all that is in it
    memcpy(&lab->def, params, sizeof lab->def);
    lab->key = key;
    ploy_search_def plain = ploy_search_def_default();
    ploy_hierarchy_search_def levels = ploy_hierarchy_search_def_default();
    levels.mode = PLOY_HIERARCHY_EXCLUDE;
    ploy_result result = farms_build(lab, env);
    if (result == PLOY_OK) result = ploy_search_create(&plain, env, &lab->plain);
    if (result == PLOY_OK) result = ploy_hierarchy_search_create(&levels, env, &lab->levels);
    for (int32_t i = 0; i < FARMS_COURIERS && result == PLOY_OK; i++) {
        lab->couriers[i].at = farms_point(lab, 0);
        result = farms_next(lab, i);
    }
    *out = lab;
    return result;
}

static ploy_result farms_walk(farms_lab *lab, int32_t index, float dt) {
    farms_courier *courier = &lab->couriers[index];
    float left = lab->def.speed * dt;
    while (courier->path_at < courier->path_count && left > 0.0f) {
        int32_t next = courier->path[courier->path_at].to;
        ploy_vec2 to = farms_point(lab, next);
        float away = ploy_vec2_distance(courier->at, to);
        if (away > left) {
            ploy_vec2 step = ploy_vec2_with_length(ploy_vec2_sub(to, courier->at), left);
            courier->at = ploy_vec2_add(courier->at, step);
            return PLOY_OK;
        }
        left -= away;
        courier->at = to;
        courier->node = next;
        courier->rooms += next >= FARMS_PLACES;
        courier->path_at++;
    }
    return courier->path_at < courier->path_count ? PLOY_OK : farms_next(lab, index);
}

static void farms_explain(const farms_lab *lab, int32_t index, ploy_trace *trace) {
    const farms_courier *courier = &lab->couriers[index];
    bool inside = farms_of(lab, courier->node) >= 0;
    bool goal = inside && farms_of(lab, courier->node) == courier->farm;
    ploy_trace_begin(trace, farms_id(index), "courier",
                     index == 0 ? "a path over all nodes" : "a path by two levels");
    ploy_trace_option(trace, "country", inside ? PLOY_OUTCOME_REJECTED : PLOY_OUTCOME_WON,
                      (double)NAN,
                      inside ? "the path goes through a house here" : "the path is outside here");
    ploy_trace_option(trace, "house", inside ? PLOY_OUTCOME_WON : PLOY_OUTCOME_REJECTED,
                      (double)NAN,
                      goal     ? "the letter is for this house"
                      : inside ? "the house is a shortcut"
                               : "no room is on this part of the path");
    ploy_trace_i64(trace, "farmhouse of the letter", courier->farm);
    ploy_trace_i64(trace, "nodes taken", courier->taken);
    ploy_trace_f32(trace, "metres", (float)courier->cost);
    ploy_trace_end(trace);
}

static ploy_result farms_step(void *state, const ploy_sim_context *context) {
    farms_lab *lab = state;
    farms_def def;
    memcpy(&def, context->params, sizeof def);
    lab->def.speed = def.speed;
    ploy_result result = PLOY_OK;
    for (int32_t i = 0; i < FARMS_COURIERS && result == PLOY_OK; i++) {
        result = farms_walk(lab, i, context->dt);
        farms_explain(lab, i, context->trace);
    }
    return result;
}

// ---- sight ----

static void farms_draw(const void *state, ploy_draw *out) {
    static const ploy_style styles[FARMS_COURIERS] = {PLOY_STYLE_AGENT_A, PLOY_STYLE_AGENT_C};
    const farms_lab *lab = state;
    const ploy_agent_id none = ploy_agent_id_none();
    ploy_draw_key(out, PLOY_STYLE_AGENT_A, "plans over all nodes");
    ploy_draw_key(out, PLOY_STYLE_AGENT_C, "plans by two levels");
    ploy_draw_key(out, PLOY_STYLE_TARGET, "farmhouses");
    float side = (float)FARMS_SIDE;
    ploy_vec2 border[5] = {{-1, -1}, {side, -1}, {side, side}, {-1, side}, {-1, -1}};
    ploy_draw_polyline(out, PLOY_LAYER_WORLD, PLOY_STYLE_WALL, none, border, 5);
    for (int32_t i = 0; i < lab->def.farms; i++) {
        ploy_vec2 at = farms_point(lab, farms_place(i));
        ploy_vec2 house[4] = {{at.x - 0.5f, at.y - 1.0f},
                              {at.x + 3.5f, at.y - 1.0f},
                              {at.x + 3.5f, at.y + 1.0f},
                              {at.x - 0.5f, at.y + 1.0f}};
        ploy_draw_polygon(out, PLOY_LAYER_WORLD, PLOY_STYLE_TARGET, none, house, 4, 0.5f);
    }
    for (int32_t i = 0; i < FARMS_COURIERS; i++) {
        const farms_courier *courier = &lab->couriers[i];
        ploy_vec2 from = courier->at;
        for (int32_t k = courier->path_at; k < courier->path_count; k++) {
            ploy_vec2 to = farms_point(lab, courier->path[k].to);
            ploy_draw_line(out, PLOY_LAYER_PATHS, styles[i], farms_id(i), from, to);
            from = to;
        }
        ploy_draw_disc(out, PLOY_LAYER_AGENTS, styles[i], farms_id(i), courier->at, 1.0f, 1.0f);
        char text[96];
        snprintf(text, sizeof text, "%s: letter %d, %d nodes taken, %d m",
                 i == 0 ? "all nodes" : "two levels", (int)courier->letter, (int)courier->taken,
                 (int)courier->cost);
        ploy_draw_text(out, farms_id(i), ploy_vec2_make(0.0f, -5.0f - 5.0f * (float)i), text);
    }
}

static void farms_describe(const void *state, ploy_describe *out) {
    static const char *const names[FARMS_COURIERS] = {"plain", "levels"};
    const farms_lab *lab = state;
    ploy_describe_i64(out, "nodes", PLOY_STATE, ploy_graph_instances_space(lab->all).count);
    for (int32_t i = 0; i < FARMS_COURIERS; i++) {
        const farms_courier *courier = &lab->couriers[i];
        ploy_describe_begin_agent(out, names[i], farms_id(i));
        ploy_describe_vec2(out, "at", PLOY_STATE, courier->at.x, courier->at.y);
        ploy_describe_i64(out, "node", PLOY_STATE, courier->node);
        ploy_describe_i64(out, "letter", PLOY_STATE, courier->letter);
        ploy_describe_i64(out, "farm", PLOY_STATE, courier->farm);
        ploy_describe_i64(out, "steps left", PLOY_STATE, courier->path_count - courier->path_at);
        ploy_describe_i64(out, "taken", PLOY_STATE, courier->taken);
        ploy_describe_f64(out, "cost", PLOY_STATE, courier->cost);
        ploy_describe_i64(out, "taken in all", PLOY_STATE, courier->taken_sum);
        ploy_describe_f64(out, "cost in all", PLOY_STATE, courier->cost_sum);
        ploy_describe_i64(out, "rooms", PLOY_STATE, courier->rooms);
        ploy_describe_end(out);
    }
}

extern const ploy_sim_type ploy_lab_farms; // in labs.c
const ploy_sim_type ploy_lab_farms = {
    .name = "farms",
    .title = "Farmhouses",
    .help = "Forty farmhouses of two designs in a country of 10,000 places: each design is stored "
            "once. Two couriers carry letters to the same kitchens, one by a search over all "
            "nodes, one by blocks of the country and whole houses first.",
    .version = 1,
    .dt = 1.0f / 60.0f,
    .view = {-3.0f, -13.0f, 103.0f, 103.0f},
    .fields = farms_get_fields,
    .create = farms_create,
    .step = farms_step,
    .draw = farms_draw,
    .describe = farms_describe,
};
