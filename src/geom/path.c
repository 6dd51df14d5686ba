// Paths.
//
// Invariants, from create to destroy:
//   (1) one block holds capacity edges, points, heights and capacity + 1 distances along, in order
//       of alignment, so that nothing needs padding; there is none while capacity is 0;
//   (2) along[0..count) are what ploy_polyline_measure would give, and along[count] too if closed;
//   (3) edges[i] leads from point i to point i + 1; of a closed path the last point's is `closing`;
//   (4) a failed call leaves the path as it was.
#include "ploy/geom/path.h"

#include "geom/geom_internal.h"

#include "ploy/base/math.h"

#include <string.h>

static const ploy_field path_fields[] = {
    PLOY_FIELD_I32_FIXED(ploy_path_def, capacity, 0, 0, 1 << 24, "",
                         "points that fit before it grows"),
    PLOY_FIELD_BOOL(ploy_path_def, closed, 0, "the last point leads to the first"),
};

struct ploy_path {
    ploy_env env;
    int32_t count, capacity;
    bool closed;
    double sum; // m, from the first to the last point, before it is rounded
    ploy_path_edge closing;
    bool closing_set; // its cost was given, not to be measured
    ploy_path_edge *edges;
    float *along;
    ploy_vec2 *points;
    float *heights;
};

ploy_fields ploy_path_fields(void) {
    return PLOY_FIELDS(ploy_path_def, path_fields);
}

ploy_path_def ploy_path_def_default(void) {
    ploy_path_def def;
    ploy_fields_default(ploy_path_fields(), &def);
    return def;
}

// Bytes of the block for a capacity, 0 if it does not fit.
static size_t path_block_size(int32_t capacity) {
    size_t size = 0;
    size_t each = sizeof(ploy_path_edge) + sizeof(float) + sizeof(ploy_vec2) + sizeof(float);
    if (!ploy_size_add_array(sizeof(float), capacity, each, &size)) return 0;
    return size;
}

ploy_result ploy_path_reserve(ploy_path *path, int32_t points) {
    if (points <= path->capacity) return PLOY_OK;
    size_t size = path_block_size(points);
    if (size == 0) return PLOY_ERR_LIMIT;
    unsigned char *block = ploy_env_alloc(&path->env, size);
    if (block == NULL) return PLOY_ERR_MEMORY;
    size_t n = (size_t)points;
    ploy_path_edge *edges = (ploy_path_edge *)(void *)block;
    ploy_vec2 *places = (ploy_vec2 *)(void *)(block + n * sizeof *edges);
    float *heights = (float *)(void *)(block + n * (sizeof *edges + sizeof *places));
    float *along = heights + n;
    if (path->count > 0) {
        size_t used = (size_t)path->count;
        memcpy(edges, path->edges, used * sizeof *edges);
        memcpy(places, path->points, used * sizeof *places);
        memcpy(heights, path->heights, used * sizeof *heights);
        memcpy(along, path->along, (used + (path->closed ? 1u : 0u)) * sizeof *along);
    }
    if (path->capacity > 0) ploy_env_free(&path->env, path->edges, path_block_size(path->capacity));
    path->edges = edges;
    path->points = places;
    path->heights = heights;
    path->along = along;
    path->capacity = points; // keeps (1)
    return PLOY_OK;
}

static ploy_result path_grow(ploy_path *path) {
    if (path->count < path->capacity) return PLOY_OK;
    int32_t first = PLOY_CAPACITY(16);
    if (path->capacity > INT32_MAX / 2) return PLOY_ERR_LIMIT;
    return ploy_path_reserve(path, path->capacity == 0 ? first : path->capacity * 2);
}

static double path_gap(ploy_vec2 a, ploy_vec2 b) {
    double x = (double)b.x - (double)a.x, y = (double)b.y - (double)a.y;
    return sqrt(x * x + y * y); // as ploy_polyline_measure does it
}

static ploy_path_edge path_ordinary_edge(double length) {
    ploy_path_edge edge = {{0}, (float)length, 0.0f, {0, 0}};
    return edge;
}

static bool path_edge_ok(const ploy_path_edge *edge) {
    return edge == NULL || (ploy_is_finite(edge->cost) && ploy_is_finite(edge->speed_limit) &&
                            edge->speed_limit >= 0.0f);
}

// Brings the segment from the last point to the first up to date.
static void path_close(ploy_path *path) {
    if (!path->closed || path->count == 0) return;
    double gap = path_gap(path->points[path->count - 1], path->points[0]);
    if (path->count < 2) gap = 0.0;
    path->along[path->count] = (float)(path->sum + gap); // keeps (2)
    if (!path->closing_set) path->closing = path_ordinary_edge(gap);
}

ploy_result ploy_path_create(const ploy_path_def *def, const ploy_env *env, ploy_path **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_path_fields(), def, env);
    if (result != PLOY_OK) return result;
    ploy_path *path = ploy_env_alloc_zero(env, sizeof *path);
    if (path == NULL) return PLOY_ERR_MEMORY;
    path->env = *env;
    path->closed = def->closed;
    result = ploy_path_reserve(path, def->capacity);
    if (result != PLOY_OK) {
        ploy_path_destroy(path);
        return result;
    }
    *out = path;
    return PLOY_OK;
}

void ploy_path_destroy(ploy_path *path) {
    if (path == NULL) return;
    ploy_env env = path->env;
    if (path->capacity > 0) ploy_env_free(&env, path->edges, path_block_size(path->capacity));
    ploy_env_free(&env, path, sizeof *path);
}

ploy_result ploy_path_append(ploy_path *path, ploy_vec2 point, float height,
                             const ploy_path_edge *edge) {
    if (!ploy_vec2_is_finite(point) || !ploy_is_finite(height)) return PLOY_ERR_ARGUMENT;
    if (!path_edge_ok(edge)) return PLOY_ERR_ARGUMENT;
    ploy_result result = path_grow(path);
    if (result != PLOY_OK) return result;
    int32_t i = path->count;
    if (i == 0) {
        path->sum = 0.0;
        path->along[0] = 0.0f;
    } else {
        double gap = path_gap(path->points[i - 1], point);
        path->sum += gap;
        path->along[i] = (float)path->sum;
        path->edges[i - 1] = edge != NULL ? *edge : path_ordinary_edge(gap);
    }
    path->points[i] = point;
    path->heights[i] = height;
    path->count = i + 1;
    path_close(path);
    return PLOY_OK;
}

ploy_result ployi_path_set(ploy_path *path, const ploy_vec2 *points, int32_t count) {
    if (count < 0 || (points == NULL && count > 0)) return PLOY_ERR_ARGUMENT;
    for (int32_t i = 0; i < count; i++) {
        if (!ploy_vec2_is_finite(points[i])) return PLOY_ERR_ARGUMENT;
    }
    ploy_result result = ploy_path_reserve(path, count);
    if (result != PLOY_OK) return result;
    ploy_path_clear(path);
    for (int32_t i = 0; i < count; i++) {
        result = ploy_path_append(path, points[i], 0.0f, NULL);
        PLOY_ASSERT(result == PLOY_OK); // there is room, and the points were checked
    }
    return PLOY_OK;
}

ploy_result ploy_path_copy(ploy_path *path, const ploy_path *from) {
    if (path == from) return PLOY_OK;
    ploy_result result = ploy_path_reserve(path, from->count);
    if (result != PLOY_OK) return result;
    path->count = from->count;
    path->closed = from->closed;
    path->sum = from->sum;
    path->closing = from->closing;
    path->closing_set = from->closing_set;
    if (from->count > 0) {
        size_t used = (size_t)from->count;
        memcpy(path->edges, from->edges, (used - 1) * sizeof *from->edges);
        memcpy(path->points, from->points, used * sizeof *from->points);
        memcpy(path->heights, from->heights, used * sizeof *from->heights);
        memcpy(path->along, from->along, (used + (from->closed ? 1u : 0u)) * sizeof *from->along);
    }
    return PLOY_OK;
}

ploy_result ploy_path_splice(ploy_path *path, int32_t index, const ploy_path *from) {
    if (index < 0 || index >= path->count || path == from || path->closed || from->closed) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_result result = ploy_path_reserve(path, index + 1 + from->count);
    if (result != PLOY_OK) return result;
    // Distances are sums from the first point on, which are not kept in full.
    path->count = index + 1;
    path->sum = 0.0;
    for (int32_t i = 0; i < index; i++) {
        path->sum += path_gap(path->points[i], path->points[i + 1]);
    }
    for (int32_t i = 0; i < from->count; i++) {
        bool joined = i == 0 && ploy_vec2_equal(from->points[0], path->points[index]) &&
                      from->heights[0] == path->heights[index];
        if (joined) continue;
        const ploy_path_edge *edge = i > 0 ? &from->edges[i - 1] : NULL;
        result = ploy_path_append(path, from->points[i], from->heights[i], edge);
        PLOY_ASSERT(result == PLOY_OK); // there is room, and the other path was checked
    }
    return PLOY_OK;
}

void ploy_path_clear(ploy_path *path) {
    path->count = 0;
    path->sum = 0.0;
    path->closing_set = false;
    path->closing = path_ordinary_edge(0.0);
}

ploy_result ployi_path_set_closed(ploy_path *path, bool closed, const ploy_path_edge *edge) {
    if (!path_edge_ok(edge)) return PLOY_ERR_ARGUMENT;
    path->closed = closed;
    path->closing_set = edge != NULL;
    path->closing = edge != NULL ? *edge : path_ordinary_edge(0.0);
    path_close(path);
    return PLOY_OK;
}

int32_t ploy_path_count(const ploy_path *path) {
    return path->count;
}

ploy_polyline ploy_path_polyline(const ploy_path *path) {
    ploy_polyline line = ploy_polyline_make(path->points, path->count, path->closed);
    line.along = path->along;
    return line;
}

float ploy_path_length(const ploy_path *path) {
    ploy_polyline line = ploy_path_polyline(path);
    return ploy_polyline_length(&line);
}

double ploy_path_cost(const ploy_path *path) {
    double cost = 0.0;
    for (int32_t i = 0;; i++) {
        const ploy_path_edge *edge = ploy_path_edge_from(path, i);
        if (edge == NULL) return cost;
        cost += (double)edge->cost;
    }
}

ploy_vec2 ploy_path_point(const ploy_path *path, int32_t index) {
    if (index < 0 || index >= path->count) return ploy_vec2_zero();
    return path->points[index];
}

float ploy_path_height(const ploy_path *path, int32_t index) {
    if (index < 0 || index >= path->count) return 0.0f;
    return path->heights[index];
}

const ploy_path_edge *ploy_path_edge_from(const ploy_path *path, int32_t index) {
    if (index < 0 || path->count < 2 || index >= path->count) return NULL;
    if (index < path->count - 1) return &path->edges[index];
    return path->closed ? &path->closing : NULL;
}

ploy_vec3 ploy_path_at(const ploy_path *path, float along) {
    ploy_polyline line = ploy_path_polyline(path);
    ploy_vec2 point = ploy_polyline_at(&line, along);
    int32_t edge = ploy_polyline_edge_at(&line, along);
    if (edge < 0) return ploy_vec3_from_vec2(point, ploy_path_height(path, 0));
    float place = ploy_polyline_wrap(&line, along);
    float low = path->heights[edge];
    float high = path->heights[edge + 1 < path->count ? edge + 1 : 0];
    float share = (place - path->along[edge]) / (path->along[edge + 1] - path->along[edge]);
    return ploy_vec3_from_vec2(point, low * (1.0f - share) + high * share);
}

const ploy_path_edge *ploy_path_edge_at(const ploy_path *path, float along) {
    ploy_polyline line = ploy_path_polyline(path);
    return ploy_path_edge_from(path, ploy_polyline_edge_at(&line, along));
}

// Distances, and the closing edge if it is measured, from the points.
static void path_rebuild(void *object) {
    ploy_path *path = object;
    path->sum = 0.0;
    for (int32_t i = 0; i < path->count; i++) {
        if (i > 0) path->sum += path_gap(path->points[i - 1], path->points[i]);
        path->along[i] = (float)path->sum; // keeps (2)
    }
    path_close(path);
}

static void path_visit_edge(ploy_visit *v, ploy_path_edge *edge) {
    ploy_visit_struct(v, "edge", edge, sizeof *edge);
    ploy_visit_name(v, "kind", PLOY_STATE, &edge->kind);
    ploy_visit_f32(v, "cost", PLOY_STATE, &edge->cost);
    ploy_visit_f32_in(v, "speed_limit", PLOY_STATE, &edge->speed_limit, 0.0f, INFINITY);
    ploy_visit_id(v, "link", PLOY_STATE, &edge->link);
}

// Room for that many points, all zero where there were none.
static bool path_visit_room(ploy_visit *v, ploy_path *path, int32_t count) {
    if (!ploy_visit_loads(v)) return true;
    int32_t before = path->count;
    if (count < 0 || !ploy_visit_is_ok(v)) return false;
    if (!ploy_visit_result(v, ploy_path_reserve(path, count))) return false;
    for (int32_t i = before; i < count; i++) {
        path->edges[i] = path_ordinary_edge(0.0);
        path->points[i] = ploy_vec2_zero();
        path->heights[i] = 0.0f;
    }
    ploy_visit_write(v, &path->count, &count, sizeof count);
    return path->count == count;
}

void ploy_path_visit(ploy_visit *v, void *object) {
    ploy_path *path = object;
    ploy_visit_object(v, "path", path, sizeof *path);
    size_t size = path->capacity > 0 ? path_block_size(path->capacity) : 0;
    ploy_visit_block(v, "points", size > 0 ? path->edges : NULL, size);
    ploy_visit_after(v, path_rebuild, path);
    PLOY_VISIT_SCRATCH(v, path->env);
    PLOY_VISIT_SCRATCH(v, path->count);
    PLOY_VISIT_SCRATCH(v, path->capacity);
    PLOY_VISIT_SCRATCH(v, path->sum);
    PLOY_VISIT_SCRATCH(v, path->edges);
    PLOY_VISIT_SCRATCH(v, path->along);
    PLOY_VISIT_SCRATCH(v, path->points);
    PLOY_VISIT_SCRATCH(v, path->heights);
    ploy_visit_bool(v, "closed", PLOY_STATE, &path->closed);
    ploy_describe_i64(v->describe, "count", PLOY_STATE, path->count);
    if (v->describe != NULL) {
        ploy_describe_f32(v->describe, "length", PLOY_DERIVED, ploy_path_length(path));
        ploy_describe_f64(v->describe, "cost", PLOY_DERIVED, ploy_path_cost(path));
    }
    ploy_visit_bool(v, "closing set", PLOY_SAVED, &path->closing_set);
    int32_t count = ploy_visit_count(v, "points", PLOY_STATE, path->count, 1 << 24);
    if (!path_visit_room(v, path, count)) count = 0;
    bool closing = false;
    for (int32_t i = 0; i < count; i++) {
        ploy_visit_begin_item(v, i, PLOY_STATE);
        ploy_visit_vec3(v, "point", PLOY_STATE, &path->points[i].x, &path->points[i].y,
                        &path->heights[i]);
        const ploy_path_edge *edge = ploy_path_edge_from(path, i);
        closing = closing || edge == &path->closing;
        if (edge != NULL) path_visit_edge(v, i + 1 < count ? &path->edges[i] : &path->closing);
        ploy_visit_end(v);
    }
    ploy_visit_end(v);
    if (!closing) PLOY_VISIT_SCRATCH(v, path->closing);
}

void ploy_path_describe(const ploy_path *path, ploy_describe *out) {
    ploy_visit_describe(ploy_path_visit, path, NULL, out);
}

void ploy_path_draw(const ploy_path *path, ploy_agent_id owner, ploy_draw *out) {
    if (!ploy_draw_wants(out, PLOY_LAYER_PATHS) || path->count == 0) return;
    ploy_vec3 buffer[64];
    ploy_draw_item item = {PLOY_SHAPE_LINE,
                           PLOY_LAYER_PATHS,
                           PLOY_STYLE_PATH,
                           owner.id,
                           buffer,
                           0,
                           0.0f,
                           0.0f,
                           1.0f,
                           NULL,
                           NULL};
    int32_t end = path->count + (path->closed && path->count > 1 ? 1 : 0);
    for (int32_t first = 0; first < end - 1;) { // pieces that share their end points
        int32_t n = ploy_mini(end - first, 64);
        for (int32_t i = 0; i < n; i++) {
            int32_t at = first + i < path->count ? first + i : 0;
            buffer[i] = ploy_vec3_from_vec2(path->points[at], path->heights[at]);
        }
        item.count = n;
        ploy_draw_item_out(out, &item);
        first += n - 1;
    }
    item.shape = PLOY_SHAPE_POINT;
    item.count = 1;
    for (int32_t i = 0; i < path->count; i++) {
        const ploy_path_edge *edge = ploy_path_edge_from(path, i);
        bool linked = edge != NULL && !ploy_id_is_none(edge->link);
        bool last = i == path->count - 1 && !path->closed;
        if (!linked && !last) continue;
        buffer[0] = ploy_vec3_from_vec2(path->points[i], path->heights[i]);
        item.style = linked ? PLOY_STYLE_WARNING : PLOY_STYLE_TARGET;
        ploy_draw_item_out(out, &item);
    }
}

void ploy_path_memory(const ploy_path *path, ploy_memory_fn fn, void *user) {
    ploy_visit_memory(ploy_path_visit, path, fn, user);
}
