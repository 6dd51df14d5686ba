// The path corridor; the idea is in the header.
//
// Invariants, while there is a row:
//   (1) polygons[0] is the agent's, the last one the goal's; vias[i] leads from each to the next;
//   (2) the string goes from the agent to the goal, and marks[i] is a polygon of the row that its
//       point i lies on;
//   (3) a failed call changes nothing but, when memory ran out, the string.
#include "ploy/path/corridor.h"

#include "path/path_internal.h"

#include <string.h>

#include "path/navmesh_query_internal.h"
#include "ploy/base/math.h"

static const ploy_field corridor_fields[] = {
    PLOY_FIELD_I32_FIXED(ploy_corridor_def, capacity, 256, 2, 1 << 20, "",
                         "most polygons of a row"),
    PLOY_FIELD_I32(ploy_corridor_def, repair, 64, 1, 1 << 20, "", "most nodes of a repair"),
    PLOY_FIELD_I32(ploy_corridor_def, ahead, 6, 1, 64, "", "bends ahead that shortening looks"),
    PLOY_FIELD_F32(ploy_corridor_def, radius, 0, 0, 1e4f, "m", "of the agent"),
};

struct ploy_corridor {
    ploy_env env;
    ploy_corridor_def def;
    uint64_t generation; // of the row's mesh, which may be gone: the query brings it
    ploy_navmesh_place agent, goal;
    int32_t count;
    bool partial, stale;
    bool loaded; // the row comes from a file: it is compared with the mesh before it is used
    int32_t repairs;
    float trim;
    float price[PLOY_NAVMESH_AREAS]; // of links, from the filter
    ploy_path *string, *trial;
    int32_t *polygons, *vias, *marks; // three arrays in one block
    int32_t *spare;                   // and a row while it is made: polygons, then vias
    size_t size;
};

ploy_fields ploy_corridor_fields(void) {
    return PLOY_FIELDS(ploy_corridor_def, corridor_fields);
}

ploy_corridor_def ploy_corridor_def_default(void) {
    ploy_corridor_def def;
    ploy_fields_default(ploy_corridor_fields(), &def);
    return def;
}

// ---- life ----

// A string has no more points than its row polygons, and two more; links add two each.
static int32_t corridor_marks(const ploy_corridor *corridor) {
    return 3 * corridor->def.capacity + 2;
}

ploy_result ploy_corridor_create(const ploy_corridor_def *def, const ploy_env *env,
                                 ploy_corridor **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_corridor_fields(), def, env);
    if (result != PLOY_OK) return result;
    ploy_corridor *corridor = ploy_env_alloc_zero(env, sizeof *corridor);
    if (corridor == NULL) return PLOY_ERR_MEMORY;
    corridor->env = *env;
    corridor->def = *def;
    corridor->agent.polygon = corridor->goal.polygon = -1;
    ploy_path_def path_def = ploy_path_def_default();
    int64_t capacity = def->capacity;
    corridor->size = (size_t)(4 * capacity + corridor_marks(corridor)) * sizeof(int32_t);
    result = ploy_path_create(&path_def, env, &corridor->string);
    if (result == PLOY_OK) result = ploy_path_create(&path_def, env, &corridor->trial);
    if (result == PLOY_OK) {
        corridor->polygons = ploy_env_alloc_zero(env, corridor->size);
        if (corridor->polygons == NULL) result = PLOY_ERR_MEMORY;
    }
    if (result != PLOY_OK) {
        ploy_corridor_destroy(corridor);
        return result;
    }
    corridor->vias = corridor->polygons + capacity;
    corridor->spare = corridor->vias + capacity;
    corridor->marks = corridor->spare + 2 * capacity;
    *out = corridor;
    return PLOY_OK;
}

void ploy_corridor_destroy(ploy_corridor *corridor) {
    if (corridor == NULL) return;
    ploy_env env = corridor->env;
    ploy_path_destroy(corridor->string);
    ploy_path_destroy(corridor->trial);
    ploy_env_free(&env, corridor->polygons, corridor->size);
    ploy_env_free(&env, corridor, sizeof *corridor);
}

void ploy_corridor_clear(ploy_corridor *corridor) {
    corridor->count = 0;
    corridor->agent.polygon = corridor->goal.polygon = -1;
    corridor->partial = corridor->stale = corridor->loaded = false;
    corridor->repairs = 0;
    ploy_path_clear(corridor->string);
}

// ---- the row ----

// Pulls the string again; keeps (2).
static ploy_result corridor_pull(ploy_corridor *corridor, const ploy_navmesh *mesh) {
    ployi_nav_row row = {mesh,
                         corridor->polygons,
                         corridor->vias,
                         corridor->count,
                         corridor->agent.point,
                         corridor->goal.point,
                         corridor->trim,
                         corridor->price};
    ploy_path_clear(corridor->string);
    return ployi_nav_pull(&row, corridor->string, corridor->marks, corridor_marks(corridor));
}

ploy_result ploy_corridor_set(ploy_corridor *corridor, const ploy_navmesh_query *query) {
    if (query->phase != PLOYI_NAV_DONE) return PLOY_ERR_STATE;
    if (query->corridor_count > corridor->def.capacity) return PLOY_ERR_CAPACITY;
    size_t count = (size_t)query->corridor_count;
    // The string first: it is all that can fail.
    ployi_nav_row row = {query->mesh,           query->corridor,           query->vias,
                         query->corridor_count, query->request.from.point, query->answer.end.point,
                         query->trim,           query->filter.cost};
    ploy_path_clear(corridor->trial);
    ploy_result result = ployi_nav_pull(&row, corridor->trial, NULL, 0);
    if (result == PLOY_OK) result = ploy_path_copy(corridor->string, corridor->trial);
    if (result != PLOY_OK) return result;
    memcpy(corridor->polygons, query->corridor, count * sizeof(int32_t));
    memcpy(corridor->vias, query->vias, (count - 1) * sizeof(int32_t));
    memcpy(corridor->price, query->filter.cost, sizeof corridor->price);
    corridor->generation = ploy_navmesh_generation(query->mesh);
    corridor->count = query->corridor_count;
    corridor->agent = query->request.from;
    corridor->goal = query->answer.end;
    corridor->partial = query->answer.outcome == PLOY_PATH_PARTIAL;
    corridor->stale = corridor->loaded = false;
    corridor->repairs = 0;
    corridor->trim = query->trim;
    return corridor_pull(corridor, query->mesh); // for the marks; it has the room
}

// Searches a little from one place to another. True if the query holds a path that gets there.
static bool corridor_search(const ploy_corridor *corridor, ploy_navmesh_query *query,
                            ploy_navmesh_place from, ploy_navmesh_place to) {
    ploy_navmesh_request request = ploy_navmesh_request_make(from, to);
    ploy_budget budget = ploy_budget_units(corridor->def.repair);
    request.radius = corridor->def.radius;
    if (ploy_navmesh_query_begin(query, &request) != PLOY_OK) return false;
    bool found = ploy_navmesh_query_step(query, &budget) == PLOY_OK &&
                 query->answer.outcome == PLOY_PATH_FOUND;
    if (!found) ploy_navmesh_query_cancel(query);
    return found;
}

// Replaces polygons [first, last] of the row by the query's corridor, which begins and ends with
// the polygons that are to stand there. False if there is no room.
static bool corridor_splice(ploy_corridor *corridor, const ploy_navmesh_query *query, int32_t first,
                            int32_t last) {
    int32_t between = query->corridor_count, behind = corridor->count - last - 1;
    int32_t count = first + between + behind;
    if (count > corridor->def.capacity) return false;
    int32_t *polygons = corridor->spare, *vias = corridor->spare + corridor->def.capacity;
    size_t each = sizeof(int32_t);
    memcpy(polygons, corridor->polygons, (size_t)first * each);
    memcpy(vias, corridor->vias, (size_t)first * each);
    memcpy(polygons + first, query->corridor, (size_t)between * each);
    memcpy(vias + first, query->vias, (size_t)(between - 1) * each);
    memcpy(polygons + first + between, corridor->polygons + last + 1, (size_t)behind * each);
    // From the last polygon of the middle on everything leads where it led.
    memcpy(vias + first + between - 1, corridor->vias + last, (size_t)behind * each);
    memcpy(corridor->polygons, polygons, (size_t)count * each);
    memcpy(corridor->vias, vias, (size_t)(count - 1) * each);
    corridor->count = count;
    return true;
}

static int32_t corridor_index(const ploy_corridor *corridor, int32_t polygon) {
    int32_t at = 0;
    while (at < corridor->count && corridor->polygons[at] != polygon) at++;
    return at < corridor->count ? at : -1;
}

// Point `i` of the string as a place.
static ploy_navmesh_place corridor_bend(const ploy_corridor *corridor, int32_t i) {
    ploy_navmesh_place place;
    place.polygon = corridor->polygons[corridor->marks[i]];
    place.point = ploy_vec3_from_vec2(ploy_path_point(corridor->string, i),
                                      ploy_path_height(corridor->string, i));
    place.distance = 0.0f;
    return place;
}

// Whether a row that was loaded is one of this mesh: keeps (1).
static bool corridor_fits(const ploy_corridor *corridor, const ploy_navmesh *mesh) {
    if (ploy_navmesh_generation(mesh) != corridor->generation) return false;
    if (!corridor->loaded) return true;
    int32_t last = corridor->count - 1, edges = mesh->stats.edges;
    if (corridor->polygons[0] != corridor->agent.polygon) return false;
    if (corridor->polygons[last] != corridor->goal.polygon) return false;
    for (int32_t i = 0; i <= last; i++) {
        int32_t polygon = corridor->polygons[i], via = corridor->vias[i];
        if (polygon < 0 || polygon >= mesh->stats.polygons) return false;
        if (i == last) break;
        if (via < 0 || via >= edges + 2 * mesh->stats.links) return false;
        const ployi_nav_polygon *from = &mesh->polygons[polygon];
        bool leaves = via < edges ? via >= from->first && via < from[1].first
                                  : mesh->link_polygons[via - edges] == polygon;
        if (!leaves || ployi_nav_via_to(mesh, via) != corridor->polygons[i + 1]) return false;
    }
    return true;
}

static ploy_result corridor_begin(ploy_corridor *corridor, const ploy_navmesh_query *query,
                                  ploy_navmesh_place from, ploy_vec2 to) {
    if (corridor->count == 0) return PLOY_ERR_STATE;
    if (!corridor_fits(corridor, query->mesh)) return PLOY_ERR_CHANGED;
    corridor->loaded = false;
    return ploy_vec2_is_finite(to) && from.polygon >= 0 ? PLOY_OK : PLOY_ERR_ARGUMENT;
}

// ---- moving ----

ploy_result ploy_corridor_move(ploy_corridor *corridor, ploy_navmesh_query *query, ploy_vec2 to) {
    ploy_navmesh_place place;
    ploy_result result = corridor_begin(corridor, query, corridor->agent, to);
    if (result == PLOY_OK) result = ploy_navmesh_find_move(query, corridor->agent, to, &place);
    if (result != PLOY_OK) return result;
    place.distance = 0.0f;
    int32_t at = corridor_index(corridor, place.polygon);
    if (at > 0) { // further along: what lies behind is forgotten
        size_t left = (size_t)(corridor->count - at);
        memmove(corridor->polygons, corridor->polygons + at, left * sizeof(int32_t));
        memmove(corridor->vias, corridor->vias + at, (left - 1) * sizeof(int32_t));
        corridor->count -= at;
    } else if (at < 0) { // off the row: back to the next bend, or to the goal
        int32_t points = ploy_path_count(corridor->string), bend = ploy_mini(1, points - 1);
        bool mended = corridor_search(corridor, query, place, corridor_bend(corridor, bend)) &&
                      corridor_splice(corridor, query, 0, corridor->marks[bend]);
        corridor->repairs++;
        if (!mended) { // the row is the agent's place only
            corridor->stale = true;
            corridor->polygons[0] = place.polygon;
            corridor->count = 1;
            corridor->goal = place;
        }
    }
    corridor->agent = place;
    return corridor_pull(corridor, query->mesh);
}

ploy_result ploy_corridor_move_goal(ploy_corridor *corridor, ploy_navmesh_query *query,
                                    ploy_vec2 to) {
    ploy_navmesh_place place;
    ploy_result result = corridor_begin(corridor, query, corridor->goal, to);
    if (result == PLOY_OK) result = ploy_navmesh_find_move(query, corridor->goal, to, &place);
    if (result != PLOY_OK) return result;
    place.distance = 0.0f;
    int32_t at = corridor_index(corridor, place.polygon);
    if (at >= 0) { // the goal came nearer
        corridor->count = at + 1;
    } else { // it left the row: follow it from the last bend
        int32_t points = ploy_path_count(corridor->string), bend = ploy_maxi(points - 2, 0);
        int32_t mark = corridor->marks[bend];
        corridor->repairs++;
        if (!corridor_search(corridor, query, corridor_bend(corridor, bend), place) ||
            !corridor_splice(corridor, query, mark, corridor->count - 1)) {
            corridor->stale = true;
            return PLOY_OK;
        }
    }
    corridor->goal = place;
    return corridor_pull(corridor, query->mesh);
}

ploy_result ploy_corridor_shorten(ploy_corridor *corridor, ploy_navmesh_query *query) {
    ploy_result result = corridor_begin(corridor, query, corridor->agent, ploy_vec2_zero());
    int32_t bend = ploy_mini(corridor->def.ahead, ploy_path_count(corridor->string) - 1);
    if (result != PLOY_OK || bend < 1) return result;
    float length = 0.0f;
    for (int32_t i = 1; i <= bend; i++) {
        length += ploy_vec2_distance(ploy_path_point(corridor->string, i - 1),
                                     ploy_path_point(corridor->string, i));
    }
    if (!corridor_search(corridor, query, corridor->agent, corridor_bend(corridor, bend))) {
        return PLOY_OK;
    }
    result = ploy_navmesh_query_path(query, corridor->trial);
    // A hair must be won, or two paths of one length would alternate.
    if (result != PLOY_OK || !(ploy_path_length(corridor->trial) < length * 0.9999f)) return result;
    if (!corridor_splice(corridor, query, 0, corridor->marks[bend])) return PLOY_OK;
    corridor->repairs++;
    return corridor_pull(corridor, query->mesh);
}

// ---- looking ----

ploy_corridor_state ploy_corridor_get(const ploy_corridor *corridor) {
    ploy_corridor_state state;
    memset(&state, 0, sizeof state);
    state.agent = corridor->agent;
    state.goal = corridor->goal;
    state.polygons = corridor->count;
    state.partial = corridor->partial;
    state.stale = corridor->stale;
    state.repairs = corridor->repairs;
    return state;
}

const int32_t *ployi_corridor_polygons(const ploy_corridor *corridor, int32_t *count) {
    *count = corridor->count;
    return corridor->polygons;
}

const ploy_path *ploy_corridor_path(const ploy_corridor *corridor) {
    return corridor->string;
}

ploy_vec3 ploy_corridor_next(const ploy_corridor *corridor, float near) {
    ploy_vec2 at = ploy_vec2_from_vec3(corridor->agent.point);
    for (int32_t i = 1; i < ploy_path_count(corridor->string); i++) {
        ploy_vec2 point = ploy_path_point(corridor->string, i);
        if (!(ploy_vec2_distance(at, point) > near)) continue;
        return ploy_vec3_from_vec2(point, ploy_path_height(corridor->string, i));
    }
    return corridor->goal.point;
}

static void corridor_visit_place(ploy_visit *v, const char *name, ploy_navmesh_place *place) {
    ploy_vec3 *at = &place->point;
    ploy_visit_vec3(v, name, PLOY_STATE, &at->x, &at->y, &at->z);
}

// A list of numbers below `limit`, described one by one under its items' name.
static void corridor_visit_row(ploy_visit *v, const char *name, const char *item, int32_t *row,
                               int32_t count, int32_t limit) {
    count = ploy_visit_fixed(v, name, PLOY_SAVED, count);
    for (int32_t i = 0; i < count; i++) {
        ploy_visit_i32_in(v, item, PLOY_STATE, &row[i], 0, limit - 1);
    }
    ploy_visit_end(v);
}

void ploy_corridor_visit(ploy_visit *v, void *object) {
    ploy_corridor *corridor = object;
    ploy_visit_object(v, "corridor", corridor, sizeof *corridor);
    ploy_visit_block(v, "corridor.row", corridor->polygons, corridor->size);
    PLOY_VISIT_SCRATCH(v, corridor->env);
    PLOY_VISIT_SCRATCH(v, corridor->def);
    PLOY_VISIT_SCRATCH(v, corridor->loaded);
    PLOY_VISIT_SCRATCH(v, corridor->string);
    PLOY_VISIT_SCRATCH(v, corridor->trial);
    PLOY_VISIT_SCRATCH(v, corridor->polygons);
    PLOY_VISIT_SCRATCH(v, corridor->vias);
    PLOY_VISIT_SCRATCH(v, corridor->marks);
    PLOY_VISIT_SCRATCH(v, corridor->spare);
    PLOY_VISIT_SCRATCH(v, corridor->size);
    bool loaded = true;
    if (ploy_visit_loads(v)) ploy_visit_write(v, &corridor->loaded, &loaded, sizeof loaded);
    ploy_visit_i32_in(v, "polygons", PLOY_STATE, &corridor->count, 0, corridor->def.capacity);
    ploy_visit_bool(v, "partial", PLOY_STATE, &corridor->partial);
    ploy_visit_bool(v, "stale", PLOY_STATE, &corridor->stale);
    ploy_visit_i32_in(v, "repairs", PLOY_STATE, &corridor->repairs, 0, INT32_MAX - 1);
    corridor_visit_place(v, "agent", &corridor->agent);
    corridor_visit_place(v, "goal", &corridor->goal);
    int32_t count = corridor->count, edges = ploy_maxi(count - 1, 0);
    corridor_visit_row(v, "row", "polygon", corridor->polygons, count, INT32_MAX);
    corridor_visit_row(v, "edges", "edge", corridor->vias, edges, INT32_MAX);
    ploy_visit_u64(v, "mesh", PLOY_STATE, &corridor->generation);
    ploy_visit_i32_in(v, "agent polygon", PLOY_STATE, &corridor->agent.polygon, -1, INT32_MAX);
    ploy_visit_i32_in(v, "goal polygon", PLOY_STATE, &corridor->goal.polygon, -1, INT32_MAX);
    ploy_visit_f32(v, "agent off", PLOY_STATE, &corridor->agent.distance);
    ploy_visit_f32(v, "goal off", PLOY_STATE, &corridor->goal.distance);
    ploy_visit_f32_in(v, "trim", PLOY_STATE, &corridor->trim, 0.0f, 1e6f);
    int32_t prices = ploy_visit_fixed(v, "prices", PLOY_SAVED, PLOY_NAVMESH_AREAS);
    for (int32_t i = 0; i < prices; i++) {
        ploy_visit_f32_in(v, "price", PLOY_STATE, &corridor->price[i], 0.0f, INFINITY);
    }
    ploy_visit_end(v);
    ploy_visit_begin(v, "path", PLOY_STATE);
    ploy_path_visit(v, corridor->string);
    ploy_visit_end(v);
    int32_t points = ploy_path_count(corridor->string);
    bool fits = points <= corridor_marks(corridor) && (count == 0) == (points == 0);
    if (ploy_visit_check(v, fits, "the path does not fit the row", NULL)) {
        corridor_visit_row(v, "marks", "mark", corridor->marks, points, ploy_maxi(count, 1));
    }
    if (v->memory != NULL) ploy_path_memory(corridor->trial, v->memory, v->memory_user);
}

void ploy_corridor_describe(const ploy_corridor *corridor, ploy_describe *out) {
    ploy_visit_describe(ploy_corridor_visit, corridor, NULL, out);
}

void ploy_corridor_draw(const ploy_corridor *corridor, const ploy_navmesh *mesh, ploy_draw *out) {
    if (!ploy_draw_wants(out, PLOY_LAYER_PATHS) || corridor->count == 0) return;
    if (!corridor_fits(corridor, mesh)) return;
    for (int32_t i = 0; i < corridor->count; i++) {
        ployi_nav_draw_polygon(mesh, corridor->polygons[i], PLOY_STYLE_GOOD, out);
    }
    ploy_path_draw(corridor->string, ploy_agent_id_none(), out);
}

void ploy_corridor_memory(const ploy_corridor *corridor, ploy_memory_fn fn, void *user) {
    ploy_visit_memory(ploy_corridor_visit, corridor, fn, user);
}
