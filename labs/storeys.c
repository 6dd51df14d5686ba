// Storeys: a level from an OBJ file with floors above each other, and walkers who choose between the slopes that join
// them. The file is a text that can be edited while the lab runs; its faces are the polygons of the mesh.
//
// Every face that is not level is a slope. Each has its own flag in the mesh, so a search can leave out all slopes but
// one: that is how a walker compares them, and what it can say about those it did not take.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "labs/lab_input.h"
#include "labs/labs.h"
#include "ploy/base/math.h"
#include "ploy/data/obj.h"
#include "ploy/geom/angle.h"
#include "ploy/path/navmesh_query.h"

enum { STOREYS_WALKERS = 5, STOREYS_SLOPES = 8, STOREYS_OPTIONS = STOREYS_SLOPES + 1 };

typedef struct storeys_def {
    uint32_t cookie;
    float speed, cut;
} storeys_def;

static const ploy_field storeys_fields[] = {
    PLOY_FIELD_F32(storeys_def, speed, 3, 0, 20, "m/s", "of the walkers"),
    PLOY_FIELD_F32(storeys_def, cut, 100, -10, 100, "m", "floors above this height are not shown"),
};

static ploy_fields storeys_get_fields(void) {
    return PLOY_FIELDS(storeys_def, storeys_fields);
}

// Two storeys above each other: a ramp with a bridge in the east, stairs with a walkway in the west.
static const char storeys_text[] =
    "# The ground floor, around a court.\n"
    "v 0 0 0\nv 6 0 0\nv 12 0 0\nv 15 0 0\nv 0 3 0\nv 6 3 0\nv 12 3 0\nv 15 3 0\n"
    "v 0 5 0\nv 6 5 0\nv 12 5 0\nv 15 5 0\nv 0 8 0\nv 6 8 0\nv 12 8 0\nv 15 8 0\n"
    "f 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 5 6 10 9\nf 7 8 12 11\n"
    "f 9 10 14 13\nf 10 11 15 14\nf 11 12 16 15\n"
    "# The ramp, its landing and the bridge back.\n"
    "v 21 0 3\nv 21 3 3\nv 24 0 3\nv 24 3 3\nv 21 5 3\nv 24 5 3\nv 12 3 3\nv 12 5 3\n"
    "f 4 17 18 8\nf 17 19 20 18\nf 18 20 22 21\nf 23 18 21 24\n"
    "# The upper floor.\n"
    "v 0 3 3\nv 6 3 3\nv 0 5 3\nv 6 5 3\nv 0 8 3\nv 6 8 3\nv 12 8 3\n"
    "f 25 26 28 27\nf 26 23 24 28\nf 27 28 30 29\nf 28 24 31 30\n"
    "# The stairs and the walkway.\n"
    "v 0 14 3\nv 6 14 3\nv 6 16 3\nv 0 16 3\nv -3 14 3\nv -3 16 3\nv -3 8 3\nv -3 5 3\n"
    "f 13 14 33 32\nf 32 33 34 35\nf 36 32 35 37\nf 38 29 32 36\nf 39 27 29 38\n";

static const ploy_definition storeys_definition = {
    "level", "obj", "Vertices (x y z, z up, in metres) and faces: the floors and slopes."};

typedef struct storeys_walker {
    ploy_navmesh_place at, goal;
    ploy_path *path;
    float along, angle;
    int32_t chosen; // option of the last decision: 0 without a slope, else the slope's number
    int32_t arrivals;
} storeys_walker;

typedef struct storeys_lab {
    storeys_def def;
    ploy_env env;
    ploy_definition_text text;
    ploy_navmesh *mesh;
    ploy_navmesh_query *query;
    int32_t slopes;
    ploy_vec3 slope_at[STOREYS_SLOPES]; // their middles
    storeys_walker walkers[STOREYS_WALKERS];
    ploy_rng rng;
} storeys_lab;

static ploy_agent_id storeys_id(int32_t i) {
    return ploy_agent_id_make((uint32_t)i + 1, 1);
}

// ---- the level ----

// Middle of a face, and whether it is level.
static bool storeys_is_level(const ploy_obj_view *view, const int32_t *corners, int32_t count,
                             ploy_vec3 *middle) {
    float low = INFINITY, high = -INFINITY;
    *middle = ploy_vec3_zero();
    for (int32_t i = 0; i < count; i++) {
        ploy_vec3 point = view->vertices[corners[i]];
        *middle = ploy_vec3_add_scaled(*middle, point, 1.0f / (float)count);
        low = ploy_minf(low, point.z);
        high = ploy_maxf(high, point.z);
    }
    return high - low < 0.01f;
}

// Reads a text into a mesh. The lab's slopes are set if there is one.
static ploy_result storeys_read(const void *bytes, size_t size, const ploy_env *env,
                                ploy_diags *diags, storeys_lab *lab, ploy_navmesh **out) {
    ploy_obj *obj = NULL;
    uint16_t *flags = NULL;
    *out = NULL;
    ploy_result result = ploy_obj_load(bytes, size, PLOY_AXES_PLOY, "level", env, diags, &obj);
    if (result != PLOY_OK) return result;
    ploy_obj_view view = ploy_obj_get(obj);
    size_t flags_size = (size_t)view.face_count * sizeof *flags;
    flags = ploy_env_alloc(env, flags_size);
    if (flags == NULL) result = PLOY_ERR_MEMORY;
    int32_t slopes = 0;
    for (int32_t i = 0, first = 0; i < view.face_count && result == PLOY_OK; i++) {
        ploy_vec3 middle;
        flags[i] = 1;
        if (!storeys_is_level(&view, view.corners + first, view.sizes[i], &middle)) {
            if (slopes < STOREYS_SLOPES) {
                if (lab != NULL) lab->slope_at[slopes] = middle;
                flags[i] = (uint16_t)(2u << slopes++);
            }
        }
        first += view.sizes[i];
    }
    if (result == PLOY_OK) {
        ploy_navmesh_def def = ploy_navmesh_def_default();
        ploy_navmesh_soup soup = ploy_obj_soup(obj);
        soup.flags = flags;
        result = ploy_navmesh_create(&def, &soup, env, diags, out);
    }
    if (result == PLOY_OK && lab != NULL) lab->slopes = slopes;
    if (flags != NULL) ploy_env_free(env, flags, flags_size);
    ploy_obj_destroy(obj);
    return result;
}

// Makes the mesh of the text; walkers go on from the nearest place.
static ploy_result storeys_make(storeys_lab *lab) {
    ploy_navmesh_query_destroy(lab->query);
    ploy_navmesh_destroy(lab->mesh);
    lab->query = NULL;
    ploy_result result =
        storeys_read(lab->text.bytes, lab->text.size, &lab->env, NULL, lab, &lab->mesh);
    if (result == PLOY_OK) result = ploy_navmesh_query_create(lab->mesh, &lab->env, &lab->query);
    for (int32_t i = 0; i < STOREYS_WALKERS && result == PLOY_OK; i++) {
        storeys_walker *one = &lab->walkers[i];
        ploy_path_clear(one->path);
        one->along = 0.0f;
        result = ploy_navmesh_find_nearest(lab->query, one->at.point, -1, NULL, &one->at);
        one->goal = one->at;
    }
    return result;
}

static ploy_result storeys_create(const void *params, ploy_rng_key key, const ploy_env *env,
                                  void **out) {
    storeys_lab *lab = ploy_env_alloc_zero(env, sizeof *lab);
    if (lab == NULL) return PLOY_ERR_MEMORY; // the region goes, and all that is in it
    memcpy(&lab->def, params, sizeof lab->def);
    lab->env = *env;
    lab->rng = ploy_rng_from_key(key, 0);
    ploy_path_def path = ploy_path_def_default();
    ploy_result result =
        ploy_definition_text_set(&lab->text, storeys_text, sizeof storeys_text - 1, env);
    for (int32_t i = 0; i < STOREYS_WALKERS && result == PLOY_OK; i++) {
        result = ploy_path_create(&path, env, &lab->walkers[i].path);
        lab->walkers[i].at.point =
            ploy_vec3_make(1.0f + 2.0f * (float)i, 1.0f + 5.0f * (float)(i % 2), 0.0f);
    }
    if (result == PLOY_OK) result = storeys_make(lab);
    if (result == PLOY_OK) *out = lab;
    return result;
}

// ---- decisions ----

// Length of the path if no slope but this one may be used; infinite without one. Option 0 uses none.
static ploy_result storeys_measure(storeys_lab *lab, storeys_walker *one, int32_t option,
                                   float *length) {
    ploy_navmesh_filter filter = ploy_navmesh_filter_default();
    uint32_t slopes = ((1u << lab->slopes) - 1u) << 1;
    filter.exclude = option == 0 ? slopes : slopes & ~(1u << option);
    *length = INFINITY;
    ploy_path_clear(one->path);
    ploy_result result = ploy_navmesh_query_set_filter(lab->query, &filter);
    ploy_navmesh_request request = ploy_navmesh_request_make(one->at, one->goal);
    ploy_navmesh_answer answer;
    if (result == PLOY_OK) {
        result = ploy_navmesh_find_path(lab->query, &request, one->path, &answer);
    }
    if (result == PLOY_ERR_DENIED) return PLOY_OK; // it is on a slope that was left out
    if (result == PLOY_OK && answer.outcome == PLOY_PATH_FOUND) {
        *length = ploy_path_length(one->path);
    }
    return result;
}

static void storeys_explain(const storeys_lab *lab, int32_t walker, const float *lengths,
                            ploy_trace *trace) {
    static const char *const names[STOREYS_OPTIONS] = {"on this storey", "slope 1", "slope 2",
                                                       "slope 3",        "slope 4", "slope 5",
                                                       "slope 6",        "slope 7", "slope 8"};
    const storeys_walker *one = &lab->walkers[walker];
    ploy_trace_begin(trace, storeys_id(walker), "path", "shortest path over one slope");
    for (int32_t i = 0; i <= lab->slopes; i++) {
        bool found = lengths[i] < INFINITY, won = found && i == one->chosen;
        char reason[96];
        if (i > 0 && lengths[0] < INFINITY && lengths[i] >= lengths[0]) {
            (void)snprintf(reason, sizeof reason, "not needed: the goal is on this storey");
        } else if (won) {
            (void)snprintf(reason, sizeof reason, "%.1f m, the shortest", (double)lengths[i]);
        } else if (found) {
            (void)snprintf(reason, sizeof reason, "%.1f m, %.1f m longer", (double)lengths[i],
                           (double)(lengths[i] - lengths[one->chosen]));
        }
        ploy_trace_option(trace, names[i],
                          won     ? PLOY_OUTCOME_WON
                          : found ? PLOY_OUTCOME_LOST
                                  : PLOY_OUTCOME_REJECTED,
                          found ? -(double)lengths[i] : (double)NAN,
                          found    ? reason
                          : i == 0 ? "the goal is on another storey"
                                   : "no path over this slope alone");
    }
    ploy_trace_end(trace);
}

// Another goal, and the shortest path to it.
static ploy_result storeys_decide(storeys_lab *lab, int32_t walker, ploy_trace *trace) {
    storeys_walker *one = &lab->walkers[walker];
    float lengths[STOREYS_OPTIONS];
    ploy_navmesh_filter all = ploy_navmesh_filter_default();
    ploy_result result = ploy_navmesh_query_set_filter(lab->query, &all);
    if (result == PLOY_OK) {
        result = ploy_navmesh_find_random(lab->query, &lab->rng, &one->goal);
    }
    one->chosen = 0;
    for (int32_t i = 0; i <= lab->slopes && result == PLOY_OK; i++) {
        result = storeys_measure(lab, one, i, &lengths[i]);
        if (result == PLOY_OK && lengths[i] < lengths[one->chosen]) one->chosen = i;
    }
    if (result != PLOY_OK) return result;
    storeys_explain(lab, walker, lengths, trace);
    one->along = 0.0f;
    return storeys_measure(lab, one, one->chosen, &lengths[0]); // its path again
}

static ploy_result storeys_walk(storeys_lab *lab, int32_t walker, float dt, ploy_trace *trace) {
    storeys_walker *one = &lab->walkers[walker];
    float length = ploy_path_length(one->path);
    if (one->along >= length) {
        one->arrivals++;
        return storeys_decide(lab, walker, trace);
    }
    one->along = ploy_minf(one->along + lab->def.speed * dt, length);
    ploy_vec3 next = ploy_path_at(one->path, one->along);
    ploy_vec2 step = ploy_vec2_sub(ploy_vec2_from_vec3(next), ploy_vec2_from_vec3(one->at.point));
    if (ploy_vec2_length(step) > 1e-4f) one->angle = ploy_angle_of(step);
    return ploy_navmesh_find_nearest(lab->query, next, one->at.polygon, NULL, &one->at);
}

static ploy_result storeys_step(void *state, const ploy_sim_context *context) {
    storeys_lab *lab = state;
    memcpy(&lab->def, context->params, sizeof lab->def);
    ploy_result result = PLOY_OK;
    for (int32_t i = 0; i < context->input_count && result == PLOY_OK; i++) {
        const ploy_input *input = &context->inputs[i];
        if (input->kind != PLOY_INPUT_RELOAD) continue;
        result = ploy_definition_text_set(&lab->text, input->bytes, input->size, context->env);
        if (result == PLOY_OK) result = storeys_make(lab);
    }
    for (int32_t i = 0; i < STOREYS_WALKERS && result == PLOY_OK; i++) {
        result = storeys_walk(lab, i, context->dt, context->trace);
    }
    return result;
}

// ---- the picture ----

static void storeys_draw_item(ploy_shape shape, ploy_style style, ploy_agent_id owner, ploy_vec3 at,
                              const storeys_walker *one, const char *text, ploy_draw *out) {
    ploy_layer layer = text != NULL ? PLOY_LAYER_LABELS : PLOY_LAYER_AGENTS;
    ploy_draw_item item = {shape, layer, style, owner.id, &at, 1, 0.3f, 0.0f, 1.0f, text, NULL};
    if (one != NULL) item.angle = one->angle;
    ploy_draw_item_out(out, &item);
}

// A polygon of the mesh, and a low parapet where its edge is a wall.
static void storeys_draw_polygon(const storeys_lab *lab, int32_t index, ploy_draw *out) {
    ploy_navmesh_polygon polygon = ploy_navmesh_polygon_at(lab->mesh, index);
    ploy_vec3 corners[PLOY_NAVMESH_POLYGON_MAX];
    float low = INFINITY, high = -INFINITY;
    for (int32_t i = 0; i < polygon.count; i++) {
        corners[i] = ploy_navmesh_edge_at(lab->mesh, polygon.first + i).from;
        low = ploy_minf(low, corners[i].z);
        high = ploy_maxf(high, corners[i].z);
    }
    if (high > lab->def.cut) return;
    ploy_agent_id none = ploy_agent_id_none();
    ploy_style style = high - low > 0.01f ? PLOY_STYLE_WARNING
                       : high > 1.5f      ? PLOY_STYLE_GOOD
                                          : PLOY_STYLE_FLOOR;
    ploy_draw_polygon3(out, PLOY_LAYER_WORLD, style, none, corners, polygon.count, 0.5f);
    for (int32_t i = 0; i < polygon.count; i++) {
        ploy_navmesh_edge edge = ploy_navmesh_edge_at(lab->mesh, polygon.first + i);
        if (edge.neighbour >= 0) continue;
        ploy_vec3 up = {0.0f, 0.0f, 0.3f}, ends[2] = {edge.from, edge.to};
        ploy_draw_line3(out, PLOY_LAYER_WORLD, PLOY_STYLE_WALL, none, ends, 2);
        if (!ploy_draw_space(out)) continue;
        ploy_vec3 side[4] = {edge.from, edge.to, ploy_vec3_add(edge.to, up),
                             ploy_vec3_add(edge.from, up)};
        ploy_draw_polygon3(out, PLOY_LAYER_WORLD, PLOY_STYLE_WALL, none, side, 4, 1.0f);
    }
}

static void storeys_draw(const void *state, ploy_draw *out) {
    const storeys_lab *lab = state;
    ploy_draw_key(out, PLOY_STYLE_TARGET, "ends of paths");
    ploy_draw_key(out, PLOY_STYLE_FLOOR, "ground floor");
    ploy_draw_key(out, PLOY_STYLE_GOOD, "upper floor");
    ploy_draw_key(out, PLOY_STYLE_WARNING, "slope");
    ploy_draw_key(out, PLOY_STYLE_AGENT_A, "walker");
    ploy_navmesh_stats stats = ploy_navmesh_stats_of(lab->mesh);
    for (int32_t i = 0; i < stats.polygons; i++) storeys_draw_polygon(lab, i, out);
    for (int32_t i = 0; i < STOREYS_WALKERS; i++) {
        const storeys_walker *one = &lab->walkers[i];
        if (one->at.point.z > lab->def.cut) continue;
        ploy_vec3 body = ploy_vec3_add(one->at.point, ploy_vec3_make(0.0f, 0.0f, 0.3f));
        ploy_path_draw(one->path, storeys_id(i), out);
        storeys_draw_item(PLOY_SHAPE_AGENT, PLOY_STYLE_AGENT_A, storeys_id(i), body, one, NULL,
                          out);
    }
    for (int32_t i = 0; i < lab->slopes; i++) {
        char text[16];
        (void)snprintf(text, sizeof text, "slope %d", (int)i + 1);
        storeys_draw_item(PLOY_SHAPE_TEXT, PLOY_STYLE_WALL, ploy_agent_id_none(), lab->slope_at[i],
                          NULL, text, out);
    }
}

// ---- the state ----

static void storeys_describe(const void *state, ploy_describe *out) {
    const storeys_lab *lab = state;
    ploy_describe_begin(out, "mesh");
    ploy_navmesh_describe(lab->mesh, out);
    ploy_describe_end(out);
    for (int32_t i = 0; i < STOREYS_WALKERS; i++) {
        const storeys_walker *one = &lab->walkers[i];
        ploy_describe_begin_agent(out, "walker", storeys_id(i));
        ploy_describe_vec2(out, "at", PLOY_STATE, one->at.point.x, one->at.point.y);
        ploy_describe_f32(out, "height", PLOY_STATE, one->at.point.z);
        ploy_describe_vec2(out, "goal", PLOY_STATE, one->goal.point.x, one->goal.point.y);
        ploy_describe_f32(out, "goal_height", PLOY_STATE, one->goal.point.z);
        ploy_describe_i64(out, "polygon", PLOY_STATE, one->at.polygon);
        ploy_describe_i64(out, "slope", PLOY_STATE, one->chosen);
        ploy_describe_f32(out, "along", PLOY_STATE, one->along);
        ploy_describe_f32(out, "path_length", PLOY_STATE, ploy_path_length(one->path));
        ploy_describe_f32(out, "angle", PLOY_STATE, one->angle);
        ploy_describe_i64(out, "arrivals", PLOY_STATE, one->arrivals);
        ploy_describe_end(out);
    }
    ploy_rng next = lab->rng;
    ploy_describe_u64(out, "random", PLOY_STATE, ploy_rng_u64(&next));
    ploy_definition_text_describe(&lab->text, storeys_definition.name, NULL, out);
}

static ploy_result storeys_write(const void *state, int32_t definition, ploy_writer *out) {
    const storeys_lab *lab = state;
    (void)definition;
    return ploy_definition_text_write(&lab->text, out);
}

static ploy_result storeys_check(const void *state, int32_t definition, const void *bytes,
                                 size_t size, const ploy_env *env, ploy_diags *diags) {
    ploy_navmesh *mesh = NULL;
    (void)state;
    (void)definition;
    ploy_result result = storeys_read(bytes, size, env, diags, NULL, &mesh);
    ploy_navmesh_destroy(mesh);
    return result;
}

extern const ploy_sim_type ploy_lab_storeys; // in labs.c
const ploy_sim_type ploy_lab_storeys = {
    .name = "storeys",
    .title = "A level with storeys",
    .help = "A level from an OBJ file: two storeys above each other, joined by a ramp and by "
            "stairs. Each walker measures the path over every slope and takes the shortest. Edit "
            "the vertices and faces while it runs; lower the setting cut to look under the upper "
            "floor.",
    .version = 1,
    .capabilities = PLOY_SIM_INTERACTIVE | PLOY_SIM_RELOADS | PLOY_SIM_SPATIAL | PLOY_SIM_ABOVE,
    .dt = 1.0f / 60.0f,
    .view = {-4.0f, -1.0f, 25.0f, 17.0f},
    .fields = storeys_get_fields,
    .commands = NULL,
    .command_count = 0,
    .create = storeys_create,
    .destroy = NULL, // the region goes with the simulation
    .step = storeys_step,
    .draw = storeys_draw,
    .describe = storeys_describe,
    .definitions = &storeys_definition,
    .definition_count = 1,
    .write = storeys_write,
    .check = storeys_check,
};
