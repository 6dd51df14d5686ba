// The lab of spatial indices: things that move, an index of them, and a question of each kind asked
// from wherever the pointer is. What a question looks at is drawn: cells or nodes of the index,
// things that were asked, things that were found.
//
// All indices follow the things all the time, so that they can be compared from one step to the
// next. State is the block indices_lab and the four indices.
#include <math.h>
#include <string.h>

#include "labs/lab_input.h"
#include "labs/labs.h"
#include "ploy/base/math.h"
#include "ploy/geom/angle.h"
#include "ploy/geom/bvh.h"
#include "ploy/geom/grid.h"
#include "ploy/geom/kdtree.h"
#include "ploy/geom/quadtree.h"

enum { INDICES_MOST = 4000, INDICES_ROOM = 64, INDICES_KINDS = 5 };

static const float indices_half_x = 20.0f, indices_half_y = 12.0f; // m, of the field

typedef enum indices_which {
    INDICES_GRID,
    INDICES_KDTREE,
    INDICES_HIERARCHY,
    INDICES_QUADTREE
} indices_which;

static const char *const indices_names[] = {"grid", "kdtree", "hierarchy", "quadtree"};
static const char *const indices_queries[] = {"radius", "box", "nearest", "ray", "sweep", "all"};

typedef struct indices_lab_def {
    uint32_t cookie;
    indices_which index;
    int32_t query; // a kind, or INDICES_KINDS for all
    int32_t count;
    float speed;
    float size;
    float radius;
    float length;
    int32_t wanted;
    float turning;
    float cell_size;
} indices_lab_def;

static const ploy_field indices_lab_fields[] = {
    PLOY_FIELD_ENUM(indices_lab_def, index, INDICES_HIERARCHY, indices_names,
                    "who is asked; grids and kd-trees hold the middles of things, as points"),
    PLOY_FIELD_ENUM(indices_lab_def, query, INDICES_KINDS, indices_queries, "what is asked"),
    PLOY_FIELD_I32_FIXED(indices_lab_def, count, 400, 1, INDICES_MOST, "", "things"),
    PLOY_FIELD_F32(indices_lab_def, speed, 1, 0, 20, "m/s", "fastest of the things"),
    PLOY_FIELD_F32(indices_lab_def, size, 0.8f, 0, 10, "m", "largest of the things"),
    PLOY_FIELD_F32(indices_lab_def, radius, 2.5f, 0, 40, "m", "of the circle, and half of the box"),
    PLOY_FIELD_F32(indices_lab_def, length, 14, 0, 100, "m", "of the ray and the sweep"),
    PLOY_FIELD_I32(indices_lab_def, wanted, 5, 1, INDICES_ROOM, "",
                   "how many of the nearest, and of the first on the ray and the sweep"),
    PLOY_FIELD_F32(indices_lab_def, turning, 0.2f, -10, 10, "rad/s", "of the ray and the sweep"),
    PLOY_FIELD_F32(indices_lab_def, cell_size, 2, 0.1f, 40, "m", "of the grid"),
};

static ploy_fields indices_lab_get_fields(void) {
    return PLOY_FIELDS(indices_lab_def, indices_lab_fields);
}

typedef struct indices_thing {
    ploy_vec2 at, velocity, half;
} indices_thing;

typedef struct indices_lab {
    indices_lab_def def; // as of the last step: drawing needs it
    ploy_vec2 pointer;
    float angle;
    int32_t count;
    indices_thing *things;
    float cell_size; // m, of the grid as it is
    ploy_grid *grid;
    ploy_kdtree *kdtree;
    ploy_bvh2 *hierarchy;
    ploy_quadtree *quadtree;
} indices_lab;

static ploy_box2 indices_box(const indices_thing *thing) {
    return ploy_box2_make(ploy_vec2_sub(thing->at, thing->half),
                          ploy_vec2_add(thing->at, thing->half));
}

// Sorts the points again and moves the boxes alone: each index by its own method.
static ploy_result indices_follow(indices_lab *lab) {
    ploy_points view = ploy_points_make(&lab->things[0].at, lab->count);
    view.stride = sizeof lab->things[0];
    ploy_result result = ploy_grid_rebuild(lab->grid, &view);
    if (result == PLOY_OK) result = ploy_kdtree_rebuild(lab->kdtree, &view);
    for (int32_t i = 0; i < lab->count && result == PLOY_OK; i++) {
        ploy_box2 box = indices_box(&lab->things[i]);
        result = ploy_bvh2_move(lab->hierarchy, i, box);
        if (result == PLOY_OK) result = ploy_quadtree_move(lab->quadtree, i, box);
    }
    return result;
}

static void indices_scatter(indices_lab *lab, ploy_rng_key key, uint64_t tick) {
    for (int32_t i = 0; i < lab->count; i++) {
        float r[5];
        for (int32_t k = 0; k < 5; k++) {
            r[k] = ploy_rng_range_at(key, (uint32_t)i, tick, (uint32_t)k, -1.0f, 1.0f);
        }
        indices_thing *thing = &lab->things[i];
        thing->at = ploy_vec2_make(r[0] * indices_half_x, r[1] * indices_half_y);
        thing->velocity = ploy_vec2_make(r[2], r[3]); // shares of the speed
        // Many small ones and a few large.
        float half = 0.1f + 0.4f * r[4] * r[4] * r[4] * r[4];
        thing->half = ploy_vec2_make(half * (1.2f + 0.8f * r[2]), half * (1.2f - 0.8f * r[3]));
    }
}

// A grid of the cell size that the parameters say; the old one goes once it is made.
static ploy_result indices_make_grid(indices_lab *lab, const ploy_env *env) {
    ploy_grid_def def = ploy_grid_def_default();
    ploy_grid *grid = NULL;
    def.capacity = lab->count;
    def.cell_size = lab->def.cell_size;
    ploy_result result = ploy_grid_create(&def, env, &grid);
    if (result != PLOY_OK) return result;
    ploy_grid_destroy(lab->grid);
    lab->grid = grid;
    lab->cell_size = def.cell_size;
    return PLOY_OK;
}

static ploy_result indices_make(indices_lab *lab, const ploy_env *env) {
    lab->things = ploy_env_alloc_zero(env, (size_t)lab->count * sizeof lab->things[0]);
    if (lab->things == NULL) return PLOY_ERR_MEMORY;
    ploy_kdtree_def kdtree = ploy_kdtree_def_default();
    ploy_bvh_def hierarchy = ploy_bvh_def_default();
    ploy_quadtree_def quadtree = ploy_quadtree_def_default();
    kdtree.capacity = hierarchy.capacity = quadtree.capacity = lab->count;
    hierarchy.margin = 0.2f; // m, distance of some steps
    quadtree.size = 2.0f * indices_half_x;
    quadtree.levels = 6;
    ploy_result result = indices_make_grid(lab, env);
    if (result == PLOY_OK) result = ploy_kdtree_create(&kdtree, env, &lab->kdtree);
    if (result == PLOY_OK) result = ploy_bvh2_create(&hierarchy, env, &lab->hierarchy);
    if (result == PLOY_OK) result = ploy_quadtree_create(&quadtree, env, &lab->quadtree);
    return result;
}

static ploy_result indices_lab_create(const void *params, ploy_rng_key key, const ploy_env *env,
                                      void **out) {
    indices_lab *lab = ploy_env_alloc_zero(env, sizeof *lab);
    if (lab == NULL) return PLOY_ERR_MEMORY;
    memcpy(&lab->def, params, sizeof lab->def);
    lab->count = lab->def.count;
    ploy_result result = indices_make(lab, env);
    if (result != PLOY_OK) return result; // the region goes with the simulation
    indices_scatter(lab, key, 0);
    ploy_box2 nowhere = {{0.0f, 0.0f}, {0.0f, 0.0f}};
    for (int32_t i = 0; i < lab->count && result == PLOY_OK; i++) {
        result = ploy_bvh2_insert(lab->hierarchy, i, nowhere);
        if (result == PLOY_OK) result = ploy_quadtree_insert(lab->quadtree, i, nowhere);
    }
    if (result == PLOY_OK) result = indices_follow(lab);
    if (result == PLOY_OK) *out = lab;
    return result;
}

// To and fro between two walls.
static void indices_bounce(float *at, float *velocity, float half) {
    if (*at > half) *velocity = -fabsf(*velocity);
    if (*at < -half) *velocity = fabsf(*velocity);
    *at = ploy_clampf(*at, -half, half);
}

static ploy_result indices_lab_step(void *state, const ploy_sim_context *context) {
    indices_lab *lab = state;
    memcpy(&lab->def, context->params, sizeof lab->def);
    for (int32_t i = 0; i < context->input_count; i++) {
        const ploy_input *input = &context->inputs[i];
        if (lab_input_is(input, "ask")) {
            lab->pointer = lab_input_point_within(input, 1000.0f, 1000.0f);
        } else if (lab_input_is(input, "scatter")) {
            indices_scatter(lab, context->key, context->tick + 1); // tick 0 drew the start
        }
    }
    if (lab->cell_size != lab->def.cell_size) {
        ploy_result result = indices_make_grid(lab, context->env);
        if (result != PLOY_OK) return result;
    }
    lab->angle = ploy_angle_wrap(lab->angle + lab->def.turning * context->dt);
    for (int32_t i = 0; i < lab->count; i++) {
        indices_thing *thing = &lab->things[i];
        thing->at = ploy_vec2_add_scaled(thing->at, thing->velocity, lab->def.speed * context->dt);
        indices_bounce(&thing->at.x, &thing->velocity.x, indices_half_x);
        indices_bounce(&thing->at.y, &thing->velocity.y, indices_half_y);
    }
    return indices_follow(lab);
}

// ---- questions ----

static bool indices_asks(const indices_lab *lab, int32_t kind) {
    return lab->def.query == INDICES_KINDS || lab->def.query == kind;
}

// Each kind at its own place around the pointer, if all are asked.
static ploy_query2 indices_query(const indices_lab *lab, int32_t kind) {
    static const ploy_vec2 apart[INDICES_KINDS] = {{0, 0}, {-10, 5}, {-10, -5}, {3, 3}, {3, -3}};
    bool all = lab->def.query == INDICES_KINDS;
    ploy_vec2 at = all ? ploy_vec2_add(lab->pointer, apart[kind]) : lab->pointer;
    float radius = lab->def.radius;
    float sine, cosine;
    ploy_sincosf(lab->angle, &sine, &cosine);
    ploy_ray2 ray = {at, {cosine, sine}, lab->def.length};
    ploy_vec2 corner = {radius, radius};
    ploy_sweep sweep = {ray, radius * 0.3f};
    switch (kind) {
    case PLOY_QUERY_RADIUS: return ploy_query2_radius(at, radius);
    case PLOY_QUERY_BOX:
        return ploy_query2_box(
            ploy_box2_make(ploy_vec2_sub(at, corner), ploy_vec2_add(at, corner)));
    case PLOY_QUERY_NEAREST: return ploy_query2_nearest(at, INFINITY);
    case PLOY_QUERY_RAY: return ploy_query2_ray(ray);
    default: return ploy_query2_sweep(sweep);
    }
}

static ploy_index2 indices_index(const indices_lab *lab) {
    switch (lab->def.index) {
    case INDICES_GRID: return ploy_grid_index(lab->grid);
    case INDICES_KDTREE: return ploy_kdtree_index(lab->kdtree);
    case INDICES_HIERARCHY: return ploy_bvh2_index(lab->hierarchy);
    default: return ploy_quadtree_index(lab->quadtree);
    }
}

static int32_t indices_ask(const indices_lab *lab, const ploy_query2 *query,
                           ploy_found out[INDICES_ROOM], ploy_query_stats *stats) {
    bool set = query->kind == PLOY_QUERY_RADIUS || query->kind == PLOY_QUERY_BOX;
    int32_t room = set ? INDICES_ROOM : ploy_mini(lab->def.wanted, INDICES_ROOM);
    return ploy_mini(ploy_index2_find(indices_index(lab), query, out, room, stats), room);
}

// ---- sight ----

static bool indices_of_points(const indices_lab *lab) {
    return lab->def.index == INDICES_GRID || lab->def.index == INDICES_KDTREE;
}

static void indices_outline(ploy_draw *out, ploy_layer layer, ploy_style style, ploy_box2 box) {
    ploy_vec2 corners[5] = {
        box.min, {box.max.x, box.min.y}, box.max, {box.min.x, box.max.y}, box.min};
    ploy_draw_polyline(out, layer, style, ploy_agent_id_none(), corners, 5);
}

// A thing as the index has it: a box, or a dot for a point. It is no agent: nothing decides here.
static void indices_draw_thing(const indices_lab *lab, int32_t i, ploy_layer layer,
                               ploy_style style, float alpha, ploy_draw *out) {
    const indices_thing *thing = &lab->things[i];
    ploy_agent_id nobody = ploy_agent_id_none();
    if (indices_of_points(lab)) {
        ploy_draw_disc(out, layer, style, nobody, thing->at, 0.12f, alpha);
        return;
    }
    ploy_box2 box = indices_box(thing);
    ploy_vec2 corners[4] = {box.min, {box.max.x, box.min.y}, box.max, {box.min.x, box.max.y}};
    ploy_draw_polygon(out, layer, style, nobody, corners, 4, alpha);
}

typedef struct indices_watcher {
    const indices_lab *lab;
    ploy_draw *out;
} indices_watcher;

static void indices_look(void *user, ploy_box3 bounds, int32_t id) {
    const indices_watcher *watcher = user;
    if (id >= 0) {
        indices_draw_thing(watcher->lab, id, PLOY_LAYER_PATHS, PLOY_STYLE_WARNING, 0.9f,
                           watcher->out);
        return;
    }
    ploy_box2 flat = {{bounds.min.x, bounds.min.y}, {bounds.max.x, bounds.max.y}};
    indices_outline(watcher->out, PLOY_LAYER_REGIONS, PLOY_STYLE_OPEN, flat);
}

static void indices_draw_query(const ploy_query2 *query, ploy_draw *out) {
    ploy_agent_id nobody = ploy_agent_id_none();
    ploy_layer layer = PLOY_LAYER_SENSES;
    ploy_ray2 ray = query->ray;
    ploy_vec2 end = ploy_vec2_add_scaled(ray.origin, ray.direction, ray.length);
    ploy_vec2 side = ploy_vec2_scale(ploy_vec2_perp(ray.direction), query->radius);
    switch (query->kind) {
    case PLOY_QUERY_RADIUS:
        ploy_draw_circle(out, layer, PLOY_STYLE_BAD, nobody, query->point, query->radius);
        break;
    case PLOY_QUERY_BOX: indices_outline(out, layer, PLOY_STYLE_BAD, query->box); break;
    case PLOY_QUERY_NEAREST:
        ploy_draw_disc(out, layer, PLOY_STYLE_BAD, nobody, query->point, 0.2f, 1.0f);
        break;
    case PLOY_QUERY_RAY:
        ploy_draw_arrow(out, layer, PLOY_STYLE_BAD, nobody, ray.origin, end);
        break;
    default:
        ploy_draw_circle(out, layer, PLOY_STYLE_BAD, nobody, ray.origin, query->radius);
        ploy_draw_circle(out, layer, PLOY_STYLE_BAD, nobody, end, query->radius);
        ploy_draw_line(out, layer, PLOY_STYLE_BAD, nobody, ploy_vec2_add(ray.origin, side),
                       ploy_vec2_add(end, side));
        ploy_draw_line(out, layer, PLOY_STYLE_BAD, nobody, ploy_vec2_sub(ray.origin, side),
                       ploy_vec2_sub(end, side));
        break;
    }
}

static void indices_lab_draw(const void *state, ploy_draw *out) {
    const indices_lab *lab = state;
    ploy_draw_key(out, PLOY_STYLE_GHOST, "things");
    ploy_draw_key(out, PLOY_STYLE_GOOD, "answers");
    ploy_draw_key(out, PLOY_STYLE_WARNING, "things that were tested");
    ploy_draw_key(out, PLOY_STYLE_OPEN, "parts of the index that were entered");
    ploy_draw_key(out, PLOY_STYLE_BAD, "query");
    for (int32_t i = 0; i < lab->count; i++) {
        indices_draw_thing(lab, i, PLOY_LAYER_WORLD, PLOY_STYLE_GHOST, 0.5f, out);
    }
    indices_watcher watcher = {lab, out};
    ploy_query_watch watch = {indices_look, &watcher};
    for (int32_t kind = 0; kind < INDICES_KINDS; kind++) {
        if (!indices_asks(lab, kind)) continue;
        ploy_query2 query = indices_query(lab, kind);
        query.watch = &watch;
        ploy_found found[INDICES_ROOM];
        int32_t count = indices_ask(lab, &query, found, NULL);
        for (int32_t i = 0; i < count; i++) {
            indices_draw_thing(lab, found[i].id, PLOY_LAYER_AGENTS, PLOY_STYLE_GOOD, 1.0f, out);
            if (kind != PLOY_QUERY_NEAREST) continue;
            ploy_draw_line(out, PLOY_LAYER_SENSES, PLOY_STYLE_GOOD, ploy_agent_id_none(),
                           query.point, lab->things[found[i].id].at);
        }
        indices_draw_query(&query, out);
    }
}

static void indices_lab_describe(const void *state, ploy_describe *out) {
    const indices_lab *lab = state;
    ploy_describe_vec2(out, "pointer", PLOY_STATE, lab->pointer.x, lab->pointer.y);
    ploy_describe_f32(out, "angle", PLOY_STATE, lab->angle);
    for (int32_t kind = 0; kind < INDICES_KINDS; kind++) {
        if (!indices_asks(lab, kind)) continue;
        ploy_query2 query = indices_query(lab, kind);
        ploy_query_stats stats = {0, 0, 0};
        ploy_found found[INDICES_ROOM];
        int32_t count = indices_ask(lab, &query, found, &stats);
        ploy_describe_begin(out, ploy_query_kind_text((ploy_query_kind)kind));
        ploy_describe_i64(out, "parts looked at", PLOY_DERIVED, stats.nodes);
        ploy_describe_i64(out, "things asked", PLOY_DERIVED, stats.objects);
        ploy_describe_i64(out, "things found", PLOY_DERIVED, count);
        if (count > 0) ploy_describe_i64(out, "first", PLOY_DERIVED, found[0].id);
        ploy_describe_end(out);
    }
    ploy_describe_begin(out, "grid");
    ploy_grid_describe(lab->grid, out);
    ploy_describe_end(out);
    ploy_describe_begin(out, "kdtree");
    ploy_kdtree_describe(lab->kdtree, out);
    ploy_describe_end(out);
    ploy_describe_begin(out, "hierarchy");
    ploy_bvh2_describe(lab->hierarchy, out);
    ploy_describe_end(out);
    ploy_describe_begin(out, "quadtree");
    ploy_quadtree_describe(lab->quadtree, out);
    ploy_describe_end(out);
}

static const ploy_command indices_lab_commands[] = {
    {"ask", "questions are asked from here", PLOY_VALUE_VEC2, false, "Pointer"},
    {"scatter", "begin with other things", PLOY_VALUE_NONE, false, "r"},
};

extern const ploy_sim_type ploy_lab_indices; // in labs.c
const ploy_sim_type ploy_lab_indices = {
    .name = "indices",
    .title = "Spatial indices",
    .help =
        "Click to ask from there. Blue outlines are the parts of the index that a question looked "
        "at, yellow the things it asked, green those it found. Change the index and compare.",
    .version = 1,
    .capabilities = PLOY_SIM_INTERACTIVE,
    .dt = 1.0f / 60.0f,
    .view = {-22.0f, -13.0f, 22.0f, 13.0f},
    .fields = indices_lab_get_fields,
    .commands = indices_lab_commands,
    .command_count = sizeof indices_lab_commands / sizeof indices_lab_commands[0],
    .create = indices_lab_create,
    .destroy = NULL, // the region goes with the simulation
    .step = indices_lab_step,
    .draw = indices_lab_draw,
    .describe = indices_lab_describe,
};
