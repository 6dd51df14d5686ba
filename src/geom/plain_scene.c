// The plain scene: thick segments in a hierarchy of boxes.
//
// A cast is a visit of the hierarchy in which each obstacle near the path is tested itself and the
// nearest one so far cuts the rest short; layers are known to inner nodes, so that what a mask does
// not see is skipped by whole branches. Answers are those of a loop over all obstacles.
//
// Invariants, from create to destroy:
//   (1) places [0, used) hold obstacles or are free; a free one has layers 0 and `live` false; free
//       places form a list through next_free, the one freed last first;
//   (2) a place's generation rises when it is freed, and is never 0: an old id finds nothing;
//   (3) the tree holds exactly the live places, by index, with bounds that contain the obstacle,
//       radius included, a hair too large rather than too small, and with its layers;
//   (4) capacity is that of places and of the tree, which is NULL while there is none;
//   (5) a failed call changes nothing.
#include "ploy/geom/scene.h"

#include "geom/bvh_internal.h"
#include "geom/geom_internal.h"
#include "ploy/base/math.h"
#include "ploy/geom/box.h"

#include <string.h>

// As many as a hierarchy can hold.
enum { PLAIN_SCENE_MOST = 1 << 24 };

static const ploy_field plain_scene_fields[] = {
    PLOY_FIELD_I32_FIXED(ploy_plain_scene_def, capacity, 0, 0, 1 << 20, "",
                         "obstacles that fit before it grows"),
    PLOY_FIELD_F32(ploy_plain_scene_def, ground_height, 0, -1e9f, 1e9f, "m",
                   "height of the flat floor"),
    PLOY_FIELD_F32(
        ploy_plain_scene_def, margin, 0.1f, 0, 1e9f, "m",
        "how far obstacles may move before the tree changes, about the distance of a few steps"),
};

typedef struct plain_scene_place {
    ploy_obstacle obstacle;
    uint32_t generation;
    int32_t next_free;
    bool live;
} plain_scene_place;

struct ploy_plain_scene {
    ploy_env env;
    plain_scene_place *places;
    ploy_bvh2 *tree;
    int32_t used, capacity;
    int32_t count;
    int32_t free; // first of the list, or -1
    float ground_height;
    float margin;
};

ploy_fields ploy_plain_scene_fields(void) {
    return PLOY_FIELDS(ploy_plain_scene_def, plain_scene_fields);
}

ploy_plain_scene_def ploy_plain_scene_def_default(void) {
    ploy_plain_scene_def def;
    ploy_fields_default(ploy_plain_scene_fields(), &def);
    return def;
}

// Room for that many obstacles: a larger tree beside the old one, then more places, so that whatever
// fails leaves everything as it was.
static ploy_result plain_scene_reserve(ploy_plain_scene *scene, int32_t capacity) {
    size_t old_size = 0, new_size = 0;
    if (capacity <= scene->capacity) return PLOY_OK;
    if (capacity > PLAIN_SCENE_MOST) return PLOY_ERR_LIMIT;
    if (!ploy_size_add_array(0, scene->capacity, sizeof(plain_scene_place), &old_size) ||
        !ploy_size_add_array(0, capacity, sizeof(plain_scene_place), &new_size)) {
        return PLOY_ERR_LIMIT;
    }
    ploy_bvh_def def = ploy_bvh_def_default();
    def.capacity = capacity;
    def.margin = scene->margin;
    ploy_bvh2 *tree = NULL;
    ploy_result result = ploy_bvh2_create(&def, &scene->env, &tree);
    if (result != PLOY_OK) return result;
    plain_scene_place *places = ploy_env_resize(&scene->env, scene->places, old_size, new_size);
    if (places == NULL) {
        ploy_bvh2_destroy(tree);
        return PLOY_ERR_MEMORY;
    }
    // What is never read, padding too, is the same in every run.
    memset((unsigned char *)places + old_size, 0, new_size - old_size);
    if (scene->tree != NULL) ployi_bvh2_rebuild_from(tree, scene->tree);
    ploy_bvh2_destroy(scene->tree);
    scene->tree = tree;
    scene->places = places;
    scene->capacity = capacity;
    return PLOY_OK;
}

// Room for `more` obstacles in new places, growing by half at least.
static ploy_result plain_scene_room(ploy_plain_scene *scene, int32_t more) {
    int64_t want = (int64_t)scene->count + more; // free places are used first
    if (want <= scene->capacity) return PLOY_OK;
    if (want > PLAIN_SCENE_MOST) return PLOY_ERR_LIMIT;
    int64_t doubled = scene->capacity == 0 ? PLOY_CAPACITY(16) : 2 * (int64_t)scene->capacity;
    if (doubled > PLAIN_SCENE_MOST) doubled = PLAIN_SCENE_MOST;
    return plain_scene_reserve(scene, (int32_t)(want > doubled ? want : doubled));
}

ploy_result ploy_plain_scene_create(const ploy_plain_scene_def *def, const ploy_env *env,
                                    ploy_plain_scene **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_plain_scene_fields(), def, env);
    if (result != PLOY_OK) return result;
    ploy_plain_scene *scene = ploy_env_alloc_zero(env, sizeof *scene);
    if (scene == NULL) return PLOY_ERR_MEMORY;
    scene->env = *env;
    scene->free = -1;
    scene->ground_height = def->ground_height;
    scene->margin = def->margin;
    result = plain_scene_reserve(scene, def->capacity);
    if (result != PLOY_OK) {
        ploy_plain_scene_destroy(scene);
        return result;
    }
    *out = scene;
    return PLOY_OK;
}

void ploy_plain_scene_destroy(ploy_plain_scene *scene) {
    if (scene == NULL) return;
    ploy_env env = scene->env;
    ploy_bvh2_destroy(scene->tree);
    ploy_env_free(&env, scene->places, (size_t)scene->capacity * sizeof(plain_scene_place));
    ploy_env_free(&env, scene, sizeof *scene);
}

static bool plain_scene_obstacle_ok(const ploy_obstacle *obstacle) {
    return obstacle != NULL && ploy_vec2_is_finite(obstacle->segment.from) &&
           ploy_vec2_is_finite(obstacle->segment.to) && ploy_is_finite(obstacle->radius) &&
           obstacle->radius >= 0.0f;
}

// Bounds in float are rounded; a millionth more makes up for it. What would be more than a float
// can tell ends there. Keeps (3).
static ploy_box2 plain_scene_bounds(ploy_segment2 segment, float radius) {
    ploy_box2 box = ploy_box2_grow(ploy_box2_of_segment(segment), radius);
    float largest = ploy_maxf(ployi_vec2_largest(box.min), ployi_vec2_largest(box.max));
    box = ploy_box2_grow(box, largest * 1e-6f + FLT_MIN);
    box.min.x = ploy_maxf(box.min.x, -FLT_MAX);
    box.min.y = ploy_maxf(box.min.y, -FLT_MAX);
    box.max.x = ploy_minf(box.max.x, FLT_MAX);
    box.max.y = ploy_minf(box.max.y, FLT_MAX);
    return box;
}

// Takes a place for an obstacle that is known to be good; there is room.
static ploy_obstacle_id plain_scene_put(ploy_plain_scene *scene, const ploy_obstacle *obstacle) {
    int32_t index = scene->free;
    if (index >= 0) {
        scene->free = scene->places[index].next_free;
    } else {
        index = scene->used++;
        scene->places[index].generation = 1;
    }
    plain_scene_place *place = &scene->places[index];
    place->obstacle = *obstacle;
    place->next_free = -1;
    place->live = true;
    scene->count++;
    ploy_box2 bounds = plain_scene_bounds(obstacle->segment, obstacle->radius);
    ploy_result result = ploy_bvh2_insert(scene->tree, index, bounds);
    PLOY_ASSERT(result == PLOY_OK); // its bounds are finite and its place was free
    (void)result;
    ployi_bvh2_set_layers(scene->tree, index, obstacle->layers);
    ploy_obstacle_id id = {ploy_id_make((uint32_t)index, place->generation)};
    return id;
}

ploy_result ploy_plain_scene_add(ploy_plain_scene *scene, const ploy_obstacle *obstacle,
                                 ploy_obstacle_id *id) {
    if (!plain_scene_obstacle_ok(obstacle)) return PLOY_ERR_ARGUMENT;
    ploy_result result = plain_scene_room(scene, 1);
    if (result != PLOY_OK) return result;
    ploy_obstacle_id added = plain_scene_put(scene, obstacle);
    if (id != NULL) *id = added;
    return PLOY_OK;
}

ploy_result ploy_plain_scene_add_segment(ploy_plain_scene *scene, ploy_vec2 from, ploy_vec2 to,
                                         uint32_t layers, ploy_obstacle_id *id) {
    ploy_obstacle obstacle = {{from, to}, 0.0f, layers};
    return ploy_plain_scene_add(scene, &obstacle, id);
}

ploy_result ploy_plain_scene_add_circle(ploy_plain_scene *scene, ploy_vec2 centre, float radius,
                                        uint32_t layers, ploy_obstacle_id *id) {
    ploy_obstacle obstacle = {{centre, centre}, radius, layers};
    return ploy_plain_scene_add(scene, &obstacle, id);
}

// How many walls an outline has: one less than corners, unless it is closed.
static int32_t plain_scene_walls(int32_t corners, bool closed) {
    if (corners < 2) return 0;
    return closed && corners > 2 ? corners : corners - 1;
}

// The walls of an outline that is known to be good; there is room.
static void plain_scene_put_outline(ploy_plain_scene *scene, const ploy_vec2 *points,
                                    int32_t corners, bool closed, float radius, uint32_t layers,
                                    ploy_obstacle_id *ids) {
    int32_t walls = plain_scene_walls(corners, closed);
    for (int32_t i = 0; i < walls; i++) {
        ploy_obstacle wall = {{points[i], points[i + 1 < corners ? i + 1 : 0]}, radius, layers};
        ploy_obstacle_id id = plain_scene_put(scene, &wall);
        if (ids != NULL) ids[i] = id;
    }
}

ploy_result ploy_plain_scene_add_outline(ploy_plain_scene *scene, const ploy_vec2 *points,
                                         int32_t count, bool closed, float radius, uint32_t layers,
                                         ploy_obstacle_id *ids) {
    if (count < 0 || (count > 0 && points == NULL)) return PLOY_ERR_ARGUMENT;
    if (!(radius >= 0.0f) || !ploy_is_finite(radius)) return PLOY_ERR_ARGUMENT;
    for (int32_t i = 0; i < count; i++) {
        if (!ploy_vec2_is_finite(points[i])) return PLOY_ERR_ARGUMENT;
    }
    ploy_result result = plain_scene_room(scene, plain_scene_walls(count, closed));
    if (result != PLOY_OK) return result;
    plain_scene_put_outline(scene, points, count, closed, radius, layers, ids);
    return PLOY_OK;
}

ploy_result ploy_plain_scene_add_rings(ploy_plain_scene *scene, const ploy_rings *rings,
                                       float radius, uint32_t layers, ploy_obstacle_id *ids) {
    if (!(radius >= 0.0f) || !ploy_is_finite(radius)) return PLOY_ERR_ARGUMENT;
    ploy_result result = plain_scene_room(scene, ploy_rings_corners(rings));
    if (result != PLOY_OK) return result;
    for (int32_t i = 0; i < ploy_rings_count(rings); i++) {
        ploy_polygon ring = ploy_rings_get(rings, i); // three finite corners at least
        plain_scene_put_outline(scene, ring.points, ring.count, true, radius, layers, ids);
        if (ids != NULL) ids += ring.count;
    }
    return PLOY_OK;
}

// The place of an obstacle that is still there, or NULL.
static plain_scene_place *plain_scene_find(const ploy_plain_scene *scene, ploy_obstacle_id id) {
    if (id.id.index >= (uint32_t)scene->used) return NULL;
    plain_scene_place *place = &scene->places[id.id.index];
    return place->live && place->generation == id.id.generation ? place : NULL;
}

ploy_result ploy_plain_scene_set(ploy_plain_scene *scene, ploy_obstacle_id id,
                                 const ploy_obstacle *obstacle) {
    if (!plain_scene_obstacle_ok(obstacle)) return PLOY_ERR_ARGUMENT;
    plain_scene_place *place = plain_scene_find(scene, id);
    if (place == NULL) return PLOY_ERR_NOT_FOUND;
    int32_t index = (int32_t)id.id.index;
    ploy_box2 bounds = plain_scene_bounds(obstacle->segment, obstacle->radius);
    ploy_result result = ploy_bvh2_move(scene->tree, index, bounds);
    PLOY_ASSERT(result == PLOY_OK); // its bounds are finite, and it is there
    (void)result;
    if (place->obstacle.layers != obstacle->layers) {
        ployi_bvh2_set_layers(scene->tree, index, obstacle->layers);
    }
    place->obstacle = *obstacle;
    return PLOY_OK;
}

static void plain_scene_free_place(ploy_plain_scene *scene, int32_t index) {
    plain_scene_place *place = &scene->places[index];
    place->obstacle.layers = 0;
    place->live = false;
    place->generation = place->generation == UINT32_MAX ? 1 : place->generation + 1;
    place->next_free = scene->free;
    scene->free = index; // keeps (1), (2)
    scene->count--;
}

ploy_result ploy_plain_scene_remove(ploy_plain_scene *scene, ploy_obstacle_id id) {
    if (plain_scene_find(scene, id) == NULL) return PLOY_ERR_NOT_FOUND;
    int32_t index = (int32_t)id.id.index;
    ploy_result result = ploy_bvh2_remove(scene->tree, index);
    PLOY_ASSERT(result == PLOY_OK); // keeps (3)
    (void)result;
    plain_scene_free_place(scene, index);
    return PLOY_OK;
}

void ploy_plain_scene_clear(ploy_plain_scene *scene) {
    // Backwards, so that the next obstacles get indexes 0, 1, 2, ...
    scene->free = -1;
    for (int32_t i = scene->used - 1; i >= 0; i--) {
        if (scene->places[i].live) {
            plain_scene_free_place(scene, i);
        } else {
            scene->places[i].next_free = scene->free;
            scene->free = i;
        }
    }
    if (scene->tree != NULL) ploy_bvh2_clear(scene->tree);
}

void ploy_plain_scene_tidy(ploy_plain_scene *scene) {
    if (scene->tree != NULL) ployi_bvh2_tidy(scene->tree);
}

bool ployi_plain_scene_next(const ploy_plain_scene *scene, int32_t *cursor, ploy_obstacle_id *id,
                            ploy_obstacle *out) {
    for (int32_t i = ploy_maxi(*cursor, 0); i < scene->used; i++) {
        const plain_scene_place *place = &scene->places[i];
        if (!place->live) continue;
        *cursor = i + 1;
        if (id != NULL) id->id = ploy_id_make((uint32_t)i, place->generation);
        if (out != NULL) *out = place->obstacle;
        return true;
    }
    return false;
}

int32_t ploy_plain_scene_count(const ploy_plain_scene *scene) {
    return scene->count;
}

bool ploy_plain_scene_get(const ploy_plain_scene *scene, ploy_obstacle_id id, ploy_obstacle *out) {
    const plain_scene_place *place = plain_scene_find(scene, id);
    if (place == NULL) return false;
    *out = place->obstacle;
    return true;
}

// One obstacle against the path of a circle. A thin ray against a thin wall is decided by the two
// segments themselves: exact at the ends, where a ray's rounded direction is not.
static bool plain_scene_meets(const ploy_obstacle *obstacle, const ploy_sweep *sweep,
                              ploy_segment2 line, ploy_hit2 *hit) {
    if (sweep->radius > 0.0f || obstacle->radius > 0.0f) {
        return ploy_sweep_hit_capsule(*sweep, obstacle->segment, obstacle->radius, hit);
    }
    ploy_crossing2 crossing;
    if (!ploy_segment2_touches(line, obstacle->segment, &crossing)) return false;
    ploy_vec2 normal = ploy_segment2_normal(obstacle->segment);
    if (ploy_vec2_dot(normal, sweep->ray.direction) > 0.0f) normal = ploy_vec2_negate(normal);
    ploy_vec2 along = ploy_vec2_sub(obstacle->segment.to, obstacle->segment.from);
    if (ploy_vec2_cross(along, sweep->ray.direction) == 0.0f &&
        !ploy_vec2_is_zero(sweep->ray.direction)) {
        normal = ploy_vec2_negate(sweep->ray.direction); // met end on
    }
    hit->distance = crossing.distance;
    hit->point = crossing.point;
    hit->normal = normal;
    hit->inside = false;
    return true;
}

// The first obstacle on the way, of those equally near the one with the lowest index: what a loop
// over all of them finds.
typedef struct plain_scene_cast {
    const ploy_plain_scene *scene;
    ploy_segment2 line;
    ploy_sweep sweep;
    uint32_t mask;
    int32_t index; // of the best so far, or -1
    ploy_hit2 hit;
} plain_scene_cast;

static bool plain_scene_try(void *user, int32_t index, double *limit) {
    plain_scene_cast *cast = user;
    const ploy_obstacle *obstacle = &cast->scene->places[index].obstacle;
    ploy_hit2 hit;
    if ((obstacle->layers & cast->mask) == 0) return true;
    if (!plain_scene_meets(obstacle, &cast->sweep, cast->line, &hit)) return true;
    if (cast->index >= 0) {
        if (hit.distance > cast->hit.distance) return true;
        if (hit.distance == cast->hit.distance && index > cast->index) return true;
    }
    cast->index = index;
    cast->hit = hit;
    *limit = (double)hit.distance;
    return true;
}

// A path so long that its numbers leave the floats has no ray; its box says where to look.
static ploy_query2 plain_scene_query(const plain_scene_cast *cast) {
    ploy_ray2 ray = cast->sweep.ray;
    float largest =
        ploy_maxf(ployi_vec2_largest(cast->line.from), ployi_vec2_largest(cast->line.to));
    largest = ploy_maxf(largest, cast->sweep.radius);
    // Without a direction it does not move: what touches the start, if that.
    bool short_side = ploy_vec2_is_zero(ray.direction) || !(ray.length > 0.0f);
    if (largest > 1e15f || short_side) {
        return ploy_query2_box(plain_scene_bounds(cast->line, cast->sweep.radius));
    }
    return ploy_query2_sweep(cast->sweep);
}

static bool plain_scene_first(const ploy_plain_scene *scene, ploy_vec3 from, ploy_vec3 to,
                              float radius, uint32_t mask, ploy_scene_hit *hit) {
    if (scene->count == 0) return false;
    plain_scene_cast cast;
    memset(&cast, 0, sizeof cast);
    cast.scene = scene;
    cast.line.from = ploy_vec2_from_vec3(from);
    cast.line.to = ploy_vec2_from_vec3(to);
    cast.sweep = ploy_sweep_between(cast.line.from, cast.line.to, radius);
    cast.mask = mask;
    cast.index = -1;
    ploy_query2 query = plain_scene_query(&cast);
    ployi_bvh2_visit_layers(scene->tree, &query, mask, plain_scene_try, &cast);
    if (cast.index < 0) return false;
    const plain_scene_place *place = &scene->places[cast.index];
    hit->object = ploy_id_make((uint32_t)cast.index, place->generation);
    hit->layers = place->obstacle.layers;
    hit->distance = cast.hit.distance;
    float length = cast.sweep.ray.length;
    float share = length > 0.0f ? cast.hit.distance / length : 0.0f;
    hit->point = ploy_vec3_from_vec2(cast.hit.point, from.z + (to.z - from.z) * share);
    hit->normal = ploy_vec3_from_vec2(cast.hit.normal, 0.0f);
    hit->inside = cast.hit.inside;
    return true;
}

static bool plain_scene_on_ray(void *user, ploy_vec3 from, ploy_vec3 to, uint32_t mask,
                               ploy_scene_hit *hit) {
    return plain_scene_first(user, from, to, 0.0f, mask, hit);
}

static bool plain_scene_on_sweep(void *user, ploy_vec3 from, ploy_vec3 to, float radius,
                                 uint32_t mask, ploy_scene_hit *hit) {
    return plain_scene_first(user, from, to, radius, mask, hit);
}

// Who touches a circle: the lowest indexes, in order. While there is room they are gathered as they
// come; then they are a heap with the highest on top.
typedef struct plain_scene_touch {
    const ploy_plain_scene *scene;
    ploy_vec2 centre;
    float radius;
    uint32_t mask;
    ploy_id *out;
    int32_t capacity, count;
} plain_scene_touch;

static void plain_scene_ids_down(ploy_id *heap, int32_t count, int32_t at) {
    ploy_id id = heap[at];
    for (;;) {
        int32_t child = 2 * at + 1;
        if (child >= count) break;
        if (child + 1 < count && heap[child + 1].index > heap[child].index) child++;
        if (heap[child].index <= id.index) break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = id;
}

static void plain_scene_ids_heap(ploy_id *ids, int32_t count) {
    for (int32_t i = count / 2 - 1; i >= 0; i--) plain_scene_ids_down(ids, count, i);
}

static void plain_scene_ids_sort(ploy_id *ids, int32_t count) {
    plain_scene_ids_heap(ids, count);
    for (int32_t end = count - 1; end > 0; end--) {
        ploy_id swap = ids[0];
        ids[0] = ids[end];
        ids[end] = swap;
        plain_scene_ids_down(ids, end, 0);
    }
}

static bool plain_scene_touches(void *user, int32_t index, double *limit) {
    plain_scene_touch *touch = user;
    (void)limit;
    const plain_scene_place *place = &touch->scene->places[index];
    if ((place->obstacle.layers & touch->mask) == 0) return true;
    double reach = (double)touch->radius + (double)place->obstacle.radius;
    double gap_sq = ployi_segment2_distance_sq(place->obstacle.segment, touch->centre);
    if (gap_sq > reach * reach) return true;
    int32_t count = touch->count++, capacity = touch->capacity;
    ploy_id id = ploy_id_make((uint32_t)index, place->generation);
    if (count < capacity) {
        touch->out[count] = id;
        if (count + 1 == capacity) plain_scene_ids_heap(touch->out, capacity);
    } else if (capacity > 0 && id.index < touch->out[0].index) {
        touch->out[0] = id;
        plain_scene_ids_down(touch->out, capacity, 0);
    }
    return true;
}

static int32_t plain_scene_on_overlap(void *user, ploy_vec3 centre, float radius, uint32_t mask,
                                      ploy_id *out, int32_t capacity) {
    const ploy_plain_scene *scene = user;
    if (scene->count == 0) return 0;
    ploy_vec2 at = ploy_vec2_from_vec3(centre);
    plain_scene_touch touch = {scene, at, radius, mask, out, ploy_maxi(capacity, 0), 0};
    ploy_segment2 point = {at, at};
    ploy_query2 query = ploy_query2_box(plain_scene_bounds(point, radius));
    ployi_bvh2_visit_layers(scene->tree, &query, mask, plain_scene_touches, &touch);
    plain_scene_ids_sort(out, ploy_mini(touch.count, touch.capacity));
    return touch.count;
}

static bool plain_scene_on_ground(void *user, ploy_vec3 at, uint32_t mask, float *height,
                                  ploy_vec3 *normal) {
    const ploy_plain_scene *scene = user;
    (void)at;
    (void)mask;
    *height = scene->ground_height;
    *normal = ploy_vec3_make(0.0f, 0.0f, 1.0f);
    return true;
}

ploy_scene ploy_plain_scene_interface(const ploy_plain_scene *scene) {
    // The callbacks take a plain void pointer, as a game's may need one; these only read.
    ploy_scene view = {plain_scene_on_ray, plain_scene_on_sweep, plain_scene_on_overlap,
                       plain_scene_on_ground, (void *)(uintptr_t)scene};
    return view;
}

void ploy_plain_scene_describe(const ploy_plain_scene *scene, ploy_describe *out) {
    ploy_describe_f32(out, "ground_height", PLOY_STATE, scene->ground_height);
    ploy_describe_i64(out, "count", PLOY_STATE, scene->count);
    // Which place comes next decides the ids to come, so free places are state as well.
    ploy_describe_i64(out, "free", PLOY_STATE, scene->free);
    ploy_describe_begin(out, "obstacles");
    for (int32_t i = 0; i < scene->used; i++) {
        const plain_scene_place *place = &scene->places[i];
        const ploy_obstacle *obstacle = &place->obstacle;
        ploy_describe_begin_item(out, i);
        ploy_describe_u64(out, "generation", PLOY_STATE, place->generation);
        if (place->live) {
            ploy_describe_vec2(out, "from", PLOY_STATE, obstacle->segment.from.x,
                               obstacle->segment.from.y);
            ploy_describe_vec2(out, "to", PLOY_STATE, obstacle->segment.to.x,
                               obstacle->segment.to.y);
            ploy_describe_f32(out, "radius", PLOY_STATE, obstacle->radius);
            ploy_describe_u64(out, "layers", PLOY_STATE, obstacle->layers);
        } else {
            ploy_describe_i64(out, "next_free", PLOY_STATE, place->next_free);
        }
        ploy_describe_end(out);
    }
    ploy_describe_end(out);
}

void ploy_plain_scene_draw(const ploy_plain_scene *scene, ploy_draw *out) {
    if (!ploy_draw_wants(out, PLOY_LAYER_WORLD)) return;
    ploy_agent_id nobody = ploy_agent_id_none();
    for (int32_t i = 0; i < scene->used; i++) {
        const plain_scene_place *place = &scene->places[i];
        ploy_segment2 segment = place->obstacle.segment;
        float radius = place->obstacle.radius;
        if (!place->live) continue;
        bool round = ploy_vec2_equal(segment.from, segment.to);
        if (radius > 0.0f) {
            ploy_draw_disc(out, PLOY_LAYER_WORLD, PLOY_STYLE_WALL, nobody, segment.from, radius,
                           1.0f);
        } else if (round) {
            ploy_draw_point(out, PLOY_LAYER_WORLD, PLOY_STYLE_WALL, nobody, segment.from);
        }
        if (round) continue;
        if (radius > 0.0f) {
            ploy_vec2 side = ploy_vec2_scale(ploy_segment2_normal(segment), radius);
            ploy_vec2 corners[4] = {
                ploy_vec2_sub(segment.from, side), ploy_vec2_sub(segment.to, side),
                ploy_vec2_add(segment.to, side), ploy_vec2_add(segment.from, side)};
            ploy_draw_disc(out, PLOY_LAYER_WORLD, PLOY_STYLE_WALL, nobody, segment.to, radius,
                           1.0f);
            ploy_draw_polygon(out, PLOY_LAYER_WORLD, PLOY_STYLE_WALL, nobody, corners, 4, 1.0f);
        } else {
            ploy_draw_line(out, PLOY_LAYER_WORLD, PLOY_STYLE_WALL, nobody, segment.from,
                           segment.to);
        }
    }
}

void ploy_plain_scene_memory(const ploy_plain_scene *scene, ploy_memory_fn fn, void *user) {
    ploy_memory_item self = {"plain_scene", sizeof *scene, 1};
    fn(user, &self);
    if (scene->capacity == 0) return;
    ploy_memory_item places = {"obstacles", (size_t)scene->capacity * sizeof(plain_scene_place), 1};
    fn(user, &places);
    ploy_bvh2_memory(scene->tree, fn, user);
}
