// The lab of triangulations: points, polygons and walls put in and taken out by clicking; the mesh,
// the convex polygons made of it, or the Voronoi cells of its points.
//
// The triangulation is the state and lives in the region; what is made of it is made again after
// every change. The cells are those of a second triangulation without walls, as constraints would
// spoil them.
#include <string.h>

#include "labs/lab_input.h"
#include "labs/labs.h"
#include "ploy/base/math.h"
#include "ploy/geom/merge.h"
#include "ploy/geom/voronoi.h"

enum { TRIANGULATION_MOST = 400, TRIANGULATION_EDGES = 800 };

static const float triangulation_reach = 1000.0f; // m, as far as a click may be from the middle
static const float triangulation_near = 0.7f;     // m, so near a click means the vertex there

typedef enum triangulation_show {
    TRIANGULATION_SHOW_MESH,
    TRIANGULATION_SHOW_MERGED,
    TRIANGULATION_SHOW_DUAL
} triangulation_show;

typedef enum triangulation_click {
    TRIANGULATION_CLICK_POINT,
    TRIANGULATION_CLICK_POLYGON,
    TRIANGULATION_CLICK_WALL,
    TRIANGULATION_CLICK_REMOVE
} triangulation_click;

static const char *const triangulation_shows[] = {"mesh", "merged", "dual"};
static const char *const triangulation_clicks[] = {"point", "polygon", "wall", "remove"};

typedef struct triangulation_lab_def {
    uint32_t cookie;
    triangulation_show show;
    triangulation_click click;
    int32_t max_corners;
    bool walls;
} triangulation_lab_def;

static const ploy_field triangulation_lab_fields[] = {
    PLOY_FIELD_ENUM(triangulation_lab_def, show, TRIANGULATION_SHOW_MESH, triangulation_shows,
                    "the triangles, the convex polygons made of them, the cells of the points"),
    PLOY_FIELD_ENUM(triangulation_lab_def, click, TRIANGULATION_CLICK_POINT, triangulation_clicks,
                    "what a click does: adds a point, a polygon's corner (its first one closes "
                    "it), a wall between two vertices, or removes the nearest vertex"),
    PLOY_FIELD_I32(triangulation_lab_def, max_corners, 32, 3, 64, "", "most of a merged polygon"),
    PLOY_FIELD_BOOL(triangulation_lab_def, walls, true, "walls within the area divide polygons"),
};

static ploy_fields triangulation_lab_get_fields(void) {
    return PLOY_FIELDS(triangulation_lab_def, triangulation_lab_fields);
}

typedef struct triangulation_lab {
    triangulation_lab_def def; // as of the last step: drawing needs it
    ploy_env env;
    ploy_cdt *cdt;  // the state
    ploy_cdt *bare; // its vertices alone
    ploy_merge *merge;
    ploy_merge_def merge_def; // the one it was made with
    ploy_voronoi *voronoi;
    ploy_arena *scratch;
    int32_t first, last; // vertices of the polygon or wall that is being drawn; -1: none
    int32_t refused;     // walls that would have crossed others
} triangulation_lab;

// ---- the start ----

typedef struct triangulation_plan {
    ploy_vec2 points[TRIANGULATION_MOST];
    ploy_cdt_edge edges[TRIANGULATION_EDGES];
    int32_t point_count, edge_count;
} triangulation_plan;

static void triangulation_plan_ring(triangulation_plan *plan, const ploy_vec2 *points,
                                    int32_t count) {
    int32_t first = plan->point_count;
    for (int32_t i = 0; i < count; i++) {
        ploy_cdt_edge edge = {first + i, first + (i + 1) % count};
        plan->points[plan->point_count++] = points[i];
        plan->edges[plan->edge_count++] = edge;
    }
}

// A hall with three pillars, turned and sized by the seed, and a few points.
static ploy_result triangulation_scatter(triangulation_lab *lab, ploy_rng_key key, uint64_t tick) {
    static const ploy_vec2 hall[] = {{-17, -9}, {-3, -9}, {-3, -6}, {3, -6}, {3, -9}, {17, -9},
                                     {17, 9},   {5, 9},   {3, 5},   {-3, 5}, {-5, 9}, {-17, 9}};
    static const ploy_vec2 centres[] = {{-10, 0}, {0, 0}, {10, 1}};
    triangulation_plan *plan = ploy_arena_alloc(lab->scratch, sizeof *plan);
    if (plan == NULL) return PLOY_ERR_MEMORY;
    plan->point_count = plan->edge_count = 0;
    triangulation_plan_ring(plan, hall, (int32_t)(sizeof hall / sizeof hall[0]));
    for (uint32_t p = 0; p < 3; p++) {
        ploy_vec2 corners[6];
        int32_t count = 4 + (int32_t)p % 3;
        float turn = ploy_rng_range_at(key, p, tick, 0, 0.0f, PLOY_TWO_PI_F);
        float radius = ploy_rng_range_at(key, p, tick, 1, 1.5f, 3.0f);
        for (int32_t i = 0; i < count; i++) {
            float sine, cosine;
            ploy_sincosf(turn + PLOY_TWO_PI_F * (float)i / (float)count, &sine, &cosine);
            corners[i] =
                ploy_vec2_make(centres[p].x + radius * cosine, centres[p].y + radius * sine);
        }
        triangulation_plan_ring(plan, corners, count);
    }
    for (uint32_t i = 0; i < 8; i++) {
        plan->points[plan->point_count++] =
            ploy_vec2_make(ploy_rng_range_at(key, i, tick, 2, -16.0f, 16.0f),
                           ploy_rng_range_at(key, i, tick, 3, -5.0f, 4.5f));
    }
    lab->first = lab->last = -1;
    lab->refused = 0;
    return ploy_cdt_build(lab->cdt, plan->points, plan->point_count, plan->edges, plan->edge_count,
                          NULL);
}

// ---- what is made of it ----

static ploy_result triangulation_make(triangulation_lab *lab) {
    ploy_result result = ploy_cdt_fill(lab->cdt, PLOY_FILL_EVEN_ODD);
    ploy_merge_def def = ploy_merge_def_default();
    def.max_corners = lab->def.max_corners;
    def.walls = lab->def.walls;
    if (result == PLOY_OK && (lab->merge == NULL || def.max_corners != lab->merge_def.max_corners ||
                              def.walls != lab->merge_def.walls)) {
        ploy_merge_destroy(lab->merge);
        lab->merge_def = def;
        result = ploy_merge_create(&def, &lab->env, &lab->merge);
    }
    if (result == PLOY_OK) result = ploy_merge_build(lab->merge, lab->cdt, lab->scratch);
    if (result == PLOY_OK) {
        // Vertices are numbered again: those that were removed leave no gap.
        ploy_cdt_view view = ploy_cdt_get(lab->cdt);
        ploy_vec2 *points = ploy_arena_alloc_array(lab->scratch, view.point_count, sizeof *points);
        int32_t count = 0;
        if (points == NULL) result = PLOY_ERR_MEMORY;
        for (int32_t i = 0; i < view.point_count && result == PLOY_OK; i++) {
            if (ploy_cdt_has_vertex(lab->cdt, i)) points[count++] = view.points[i];
        }
        if (result == PLOY_OK) result = ploy_cdt_build(lab->bare, points, count, NULL, 0, NULL);
    }
    if (result == PLOY_OK) {
        ploy_box2 box = ploy_box2_make(ploy_vec2_make(-19, -11), ploy_vec2_make(19, 11));
        result = ploy_voronoi_build(lab->voronoi, lab->bare, box, lab->scratch);
    }
    ploy_arena_reset(lab->scratch);
    return result;
}

// ---- clicks ----

// The vertex nearest to a place, -1 without any.
static int32_t triangulation_nearest(const triangulation_lab *lab, ploy_vec2 at) {
    ploy_cdt_view view = ploy_cdt_get(lab->cdt);
    int32_t best = -1;
    float best_gap = INFINITY;
    for (int32_t i = 0; i < view.point_count; i++) {
        float gap = ploy_vec2_distance_sq(view.points[i], at);
        if (!ploy_cdt_has_vertex(lab->cdt, i) || !(gap < best_gap)) continue;
        best = i;
        best_gap = gap;
    }
    return best;
}

// The vertex that a click means: one so near, or a new one there; -1 if there is no room.
static ploy_result triangulation_vertex(triangulation_lab *lab, ploy_vec2 at, int32_t *vertex) {
    *vertex = triangulation_nearest(lab, at);
    if (*vertex >= 0 &&
        ploy_vec2_distance(ploy_cdt_point(lab->cdt, *vertex), at) <= triangulation_near) {
        return PLOY_OK;
    }
    *vertex = -1;
    if (ploy_cdt_vertex_count(lab->cdt) >= TRIANGULATION_MOST) return PLOY_OK;
    return ploy_cdt_insert_point(lab->cdt, at, vertex);
}

// A wall between two vertices, unless it would cross another.
static ploy_result triangulation_wall(triangulation_lab *lab, int32_t from, int32_t to) {
    if (from == to || ploy_cdt_edge_count(lab->cdt) >= TRIANGULATION_EDGES) return PLOY_OK;
    ploy_result result = ploy_cdt_insert_edge(lab->cdt, from, to, NULL);
    if (result != PLOY_ERR_STATE) return result;
    lab->refused++;
    return PLOY_OK;
}

// Removes a vertex and the walls that end in it. Walls that cross there keep it.
static ploy_result triangulation_remove(triangulation_lab *lab, int32_t vertex) {
    ploy_cdt_edge *edges = ploy_arena_alloc_array(lab->scratch, TRIANGULATION_EDGES, sizeof *edges);
    if (edges == NULL) return PLOY_ERR_MEMORY;
    int32_t count = ploy_cdt_edges(lab->cdt, edges, TRIANGULATION_EDGES);
    ploy_result result = PLOY_OK;
    for (int32_t i = 0; i < count && i < TRIANGULATION_EDGES; i++) {
        if (edges[i].from != vertex && edges[i].to != vertex) continue;
        do { // once for each time it was added
            result = ploy_cdt_remove_edge(lab->cdt, edges[i].from, edges[i].to);
        } while (result == PLOY_OK);
        if (result != PLOY_ERR_NOT_FOUND) return result;
    }
    result = ploy_cdt_remove_point(lab->cdt, vertex);
    return result == PLOY_ERR_STATE ? PLOY_OK : result;
}

static ploy_result triangulation_clicked(triangulation_lab *lab, ploy_vec2 at) {
    at = ploy_vec2_make(ploy_clampf(at.x, -triangulation_reach, triangulation_reach),
                        ploy_clampf(at.y, -triangulation_reach, triangulation_reach));
    if (lab->def.click == TRIANGULATION_CLICK_REMOVE) {
        int32_t nearest = triangulation_nearest(lab, at);
        lab->first = lab->last = -1;
        return nearest >= 0 ? triangulation_remove(lab, nearest) : PLOY_OK;
    }
    int32_t vertex = -1;
    ploy_result result = triangulation_vertex(lab, at, &vertex);
    if (result != PLOY_OK || vertex < 0 || lab->def.click == TRIANGULATION_CLICK_POINT) {
        return result;
    }
    if (lab->last < 0) {
        lab->first = lab->last = vertex;
        return PLOY_OK;
    }
    result = triangulation_wall(lab, lab->last, vertex);
    // A wall has two ends; a polygon goes on until its first corner is clicked again.
    bool done = lab->def.click == TRIANGULATION_CLICK_WALL || vertex == lab->first;
    lab->last = done ? -1 : vertex;
    if (done) lab->first = -1;
    return result;
}

// ---- the simulation ----

static ploy_result triangulation_lab_create(const void *params, ploy_rng_key key,
                                            const ploy_env *env, void **out) {
    triangulation_lab *lab = ploy_env_alloc_zero(env, sizeof *lab);
    if (lab == NULL) return PLOY_ERR_MEMORY;
    memcpy(&lab->def, params, sizeof lab->def);
    lab->env = *env;
    ploy_cdt_def def = ploy_cdt_def_default();
    // What is left on failure goes with the region.
    ploy_result result = ploy_arena_create(1 << 16, 0, env, &lab->scratch);
    if (result == PLOY_OK) result = ploy_cdt_create(&def, env, &lab->cdt);
    if (result == PLOY_OK) result = ploy_cdt_create(&def, env, &lab->bare);
    if (result == PLOY_OK) result = ploy_voronoi_create(env, &lab->voronoi);
    if (result == PLOY_OK) result = triangulation_scatter(lab, key, 0);
    if (result == PLOY_OK) result = triangulation_make(lab);
    if (result == PLOY_OK) *out = lab;
    return result;
}

static ploy_result triangulation_lab_step(void *state, const ploy_sim_context *context) {
    triangulation_lab *lab = state;
    triangulation_lab_def before = lab->def;
    memcpy(&lab->def, context->params, sizeof lab->def);
    if (lab->def.click != before.click) lab->first = lab->last = -1;
    bool changed = memcmp(&before, &lab->def, sizeof before) != 0;
    ploy_result result = PLOY_OK;
    for (int32_t i = 0; i < context->input_count && result == PLOY_OK; i++) {
        const ploy_input *input = &context->inputs[i];
        if (input->kind != PLOY_INPUT_COMMAND) continue;
        changed = true;
        if (lab_input_is(input, "click")) {
            result = triangulation_clicked(lab, lab_input_point(input));
        } else if (lab_input_is(input, "scatter")) {
            result = triangulation_scatter(lab, context->key, context->tick + 1);
        } else if (lab_input_is(input, "clear")) {
            ploy_cdt_clear(lab->cdt);
            lab->first = lab->last = -1;
        }
    }
    return result == PLOY_OK && changed ? triangulation_make(lab) : result;
}

static void triangulation_lab_draw(const void *state, ploy_draw *out) {
    const triangulation_lab *lab = state;
    ploy_draw_key(out, PLOY_STYLE_AGENT_A, "vertices");
    ploy_draw_key(out, PLOY_STYLE_TARGET, "line being drawn");
    ploy_agent_id nobody = ploy_agent_id_none();
    if (lab->def.show == TRIANGULATION_SHOW_MERGED) {
        ploy_merge_draw(lab->merge, out);
    } else if (lab->def.show == TRIANGULATION_SHOW_DUAL) {
        ploy_voronoi_draw(lab->voronoi, out);
    } else {
        ploy_cdt_draw(lab->cdt, out);
    }
    ploy_cdt_view view = ploy_cdt_get(lab->cdt);
    for (int32_t i = 0; i < view.point_count; i++) {
        if (!ploy_cdt_has_vertex(lab->cdt, i)) continue;
        bool drawing = i == lab->last || i == lab->first;
        ploy_draw_disc(out, PLOY_LAYER_LABELS, drawing ? PLOY_STYLE_TARGET : PLOY_STYLE_AGENT_A,
                       nobody, view.points[i], drawing ? 0.3f : 0.15f, 1.0f);
    }
}

static void triangulation_lab_describe(const void *state, ploy_describe *out) {
    const triangulation_lab *lab = state;
    ploy_describe_begin(out, "mesh");
    ploy_cdt_describe(lab->cdt, out);
    ploy_describe_end(out);
    ploy_describe_begin(out, "merged");
    ploy_merge_describe(lab->merge, out);
    ploy_describe_end(out);
    ploy_describe_begin(out, "dual");
    ploy_voronoi_describe(lab->voronoi, out);
    ploy_describe_end(out);
    ploy_describe_begin(out, "drawing");
    ploy_describe_i64(out, "first", PLOY_STATE, lab->first);
    ploy_describe_i64(out, "last", PLOY_STATE, lab->last);
    ploy_describe_i64(out, "refused", PLOY_STATE, lab->refused);
    ploy_describe_i64(out, "vertices", PLOY_DERIVED, ploy_cdt_vertex_count(lab->cdt));
    ploy_describe_i64(out, "walls", PLOY_DERIVED, ploy_cdt_edge_count(lab->cdt));
    ploy_describe_end(out);
}

static const ploy_command triangulation_lab_commands[] = {
    {"click", "add or remove a point, a corner or a wall, as the parameter says", PLOY_VALUE_VEC2,
     false, "Pointer"},
    {"scatter", "begin with another hall", PLOY_VALUE_NONE, false, "r"},
    {"clear", "begin with nothing", PLOY_VALUE_NONE, false, "c"},
};

extern const ploy_sim_type ploy_lab_triangulation; // in labs.c
const ploy_sim_type ploy_lab_triangulation = {
    .name = "triangulation",
    .title = "Triangulation",
    .help = "Click to add a point, or, as the parameter says, the corners of a polygon (its first "
            "corner closes it), a wall between two vertices, or to remove the nearest vertex. See "
            "the mesh, the convex polygons made of it, or the cells of its points.",
    .version = 1,
    .capabilities = PLOY_SIM_INTERACTIVE,
    .dt = 1.0f / 60.0f,
    .view = {-20.0f, -12.0f, 20.0f, 12.0f},
    .fields = triangulation_lab_get_fields,
    .commands = triangulation_lab_commands,
    .command_count = sizeof triangulation_lab_commands / sizeof triangulation_lab_commands[0],
    .create = triangulation_lab_create,
    .destroy = NULL, // the region goes with the simulation
    .step = triangulation_lab_step,
    .draw = triangulation_lab_draw,
    .describe = triangulation_lab_describe,
};
