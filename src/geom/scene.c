// The scene interface and its plain implementation.
//
// Invariants of a plain scene, from create to destroy:
//   (1) places [0, used) hold obstacles or are free; a free one has layers 0, so no mask sees it,
//       and `live` false; free places form a list through next_free, the one freed last first;
//   (2) a place's generation rises when it is freed, and is never 0: an old id finds nothing;
//   (3) bounds hold the obstacle, radius included, a hair too large rather than too small;
//   (4) a failed call changes nothing.
#include "ploy/geom/scene.h"

#include "ploy/base/math.h"
#include "ploy/geom/box.h"

#include "geom/geom_internal.h"

static const ploy_field scene_fields[] = {
    PLOY_FIELD_I32_FIXED(ploy_plain_scene_def, capacity, 0, 0, 1 << 20, "",
                         "obstacles that fit before it grows"),
    PLOY_FIELD_F32(ploy_plain_scene_def, ground_height, 0, -1e9f, 1e9f, "m", "the flat ground's z"),
};

typedef struct scene_place {
    ploy_obstacle obstacle;
    ploy_box2 bounds;
    uint32_t generation;
    int32_t next_free;
    bool live;
} scene_place;

struct ploy_plain_scene {
    ploy_env env;
    scene_place *places;
    int32_t used, capacity;
    int32_t count;
    int32_t free; // first of the list, or -1
    float ground_height;
};

// The interface.

bool ploy_scene_ray(const ploy_scene *scene, ploy_vec3 from, ploy_vec3 to, uint32_t mask,
                    ploy_scene_hit *hit) {
    ploy_scene_hit ignored;
    if (scene == NULL || scene->ray == NULL) return false;
    if (!ploy_vec3_is_finite(from) || !ploy_vec3_is_finite(to)) return false;
    return scene->ray(scene->user, from, to, mask, hit != NULL ? hit : &ignored);
}

bool ploy_scene_sweep(const ploy_scene *scene, ploy_vec3 from, ploy_vec3 to, float radius,
                      uint32_t mask, ploy_scene_hit *hit) {
    ploy_scene_hit ignored;
    if (scene == NULL) return false;
    if (scene->sweep == NULL || !(radius > 0.0f)) return ploy_scene_ray(scene, from, to, mask, hit);
    if (!ploy_vec3_is_finite(from) || !ploy_vec3_is_finite(to)) return false;
    if (!ploy_is_finite(radius)) return false;
    return scene->sweep(scene->user, from, to, radius, mask, hit != NULL ? hit : &ignored);
}

int32_t ploy_scene_overlap(const ploy_scene *scene, ploy_vec3 centre, float radius, uint32_t mask,
                           ploy_id *out, int32_t capacity) {
    if (scene == NULL || scene->overlap == NULL) return 0;
    if (!ploy_vec3_is_finite(centre) || !ploy_is_finite(radius)) return 0;
    return scene->overlap(scene->user, centre, radius > 0.0f ? radius : 0.0f, mask, out,
                          out == NULL ? 0 : capacity);
}

bool ploy_scene_ground(const ploy_scene *scene, ploy_vec3 at, uint32_t mask, float *height,
                       ploy_vec3 *normal) {
    float z = 0.0f;
    ploy_vec3 up = ploy_vec3_make(0.0f, 0.0f, 1.0f);
    if (!ploy_vec3_is_finite(at)) return false;
    if (scene != NULL && scene->ground != NULL && !scene->ground(scene->user, at, mask, &z, &up)) {
        return false;
    }
    if (height != NULL) *height = z;
    if (normal != NULL) *normal = up;
    return true;
}

bool ploy_scene_ray2(const ploy_scene *scene, ploy_vec2 from, ploy_vec2 to, uint32_t mask,
                     ploy_scene_hit *hit) {
    return ploy_scene_ray(scene, ploy_vec3_from_vec2(from, 0.0f), ploy_vec3_from_vec2(to, 0.0f),
                          mask, hit);
}

bool ploy_scene_sweep2(const ploy_scene *scene, ploy_vec2 from, ploy_vec2 to, float radius,
                       uint32_t mask, ploy_scene_hit *hit) {
    return ploy_scene_sweep(scene, ploy_vec3_from_vec2(from, 0.0f), ploy_vec3_from_vec2(to, 0.0f),
                            radius, mask, hit);
}

bool ploy_scene_sees2(const ploy_scene *scene, ploy_vec2 from, ploy_vec2 to, uint32_t mask) {
    return !ploy_scene_ray2(scene, from, to, mask, NULL);
}

// The plain scene.

ploy_fields ploy_plain_scene_fields(void) {
    return PLOY_FIELDS(ploy_plain_scene_def, scene_fields);
}

ploy_plain_scene_def ploy_plain_scene_def_default(void) {
    ploy_plain_scene_def def;
    ploy_fields_default(ploy_plain_scene_fields(), &def);
    return def;
}

static ploy_result scene_reserve(ploy_plain_scene *scene, int32_t capacity) {
    size_t old_size = 0, new_size = 0;
    if (capacity <= scene->capacity) return PLOY_OK;
    if (!ploy_size_add_array(0, scene->capacity, sizeof(scene_place), &old_size) ||
        !ploy_size_add_array(0, capacity, sizeof(scene_place), &new_size)) {
        return PLOY_ERR_LIMIT;
    }
    scene_place *places = ploy_env_resize(&scene->env, scene->places, old_size, new_size);
    if (places == NULL) return PLOY_ERR_MEMORY;
    scene->places = places;
    scene->capacity = capacity;
    return PLOY_OK;
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
    result = scene_reserve(scene, def->capacity);
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
    ploy_env_free(&env, scene->places, (size_t)scene->capacity * sizeof(scene_place));
    ploy_env_free(&env, scene, sizeof *scene);
}

static bool scene_obstacle_ok(const ploy_obstacle *obstacle) {
    return obstacle != NULL && ploy_vec2_is_finite(obstacle->segment.from) &&
           ploy_vec2_is_finite(obstacle->segment.to) && ploy_is_finite(obstacle->radius) &&
           obstacle->radius >= 0.0f;
}

// Bounds in float are rounded; a millionth more makes up for it. Keeps (3).
static ploy_box2 scene_bounds(ploy_segment2 segment, float radius) {
    ploy_box2 box = ploy_box2_grow(ploy_box2_of_segment(segment), radius);
    float largest = ployi_vec2_largest(box.min);
    largest = ploy_maxf(largest, ployi_vec2_largest(box.max));
    return ploy_box2_grow(box, largest * 1e-6f + FLT_MIN);
}

// ploy_box2_overlaps for two boxes known not to be empty, inline: this is what most obstacles see.
static inline bool scene_apart(const ploy_box2 *a, const ploy_box2 *b) {
    return a->min.x > b->max.x || a->max.x < b->min.x || a->min.y > b->max.y || a->max.y < b->min.y;
}

static void scene_fill(scene_place *place, const ploy_obstacle *obstacle) {
    place->obstacle = *obstacle;
    place->bounds = scene_bounds(obstacle->segment, obstacle->radius);
    place->next_free = -1;
    place->live = true;
}

ploy_result ploy_plain_scene_add(ploy_plain_scene *scene, const ploy_obstacle *obstacle,
                                 ploy_obstacle_id *id) {
    if (!scene_obstacle_ok(obstacle)) return PLOY_ERR_ARGUMENT;
    int32_t index = scene->free;
    if (index >= 0) {
        scene->free = scene->places[index].next_free;
    } else {
        if (scene->used == scene->capacity) {
            if (scene->capacity > INT32_MAX / 2) return PLOY_ERR_LIMIT;
            int32_t first = PLOY_CAPACITY(16);
            ploy_result result =
                scene_reserve(scene, scene->capacity == 0 ? first : scene->capacity * 2);
            if (result != PLOY_OK) return result;
        }
        index = scene->used++;
        scene->places[index].generation = 1;
    }
    scene_place *place = &scene->places[index];
    scene_fill(place, obstacle);
    scene->count++;
    if (id != NULL) id->id = ploy_id_make((uint32_t)index, place->generation);
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

// The place of an obstacle that is still there, or NULL.
static scene_place *scene_find(const ploy_plain_scene *scene, ploy_obstacle_id id) {
    if (id.id.index >= (uint32_t)scene->used) return NULL;
    scene_place *place = &scene->places[id.id.index];
    return place->live && place->generation == id.id.generation ? place : NULL;
}

ploy_result ploy_plain_scene_set(ploy_plain_scene *scene, ploy_obstacle_id id,
                                 const ploy_obstacle *obstacle) {
    if (!scene_obstacle_ok(obstacle)) return PLOY_ERR_ARGUMENT;
    scene_place *place = scene_find(scene, id);
    if (place == NULL) return PLOY_ERR_NOT_FOUND;
    scene_fill(place, obstacle);
    return PLOY_OK;
}

static void scene_free_place(ploy_plain_scene *scene, int32_t index) {
    scene_place *place = &scene->places[index];
    place->obstacle.layers = 0;
    place->live = false;
    place->generation = place->generation == UINT32_MAX ? 1 : place->generation + 1;
    place->next_free = scene->free;
    scene->free = index; // keeps (1), (2)
    scene->count--;
}

ploy_result ploy_plain_scene_remove(ploy_plain_scene *scene, ploy_obstacle_id id) {
    if (scene_find(scene, id) == NULL) return PLOY_ERR_NOT_FOUND;
    scene_free_place(scene, (int32_t)id.id.index);
    return PLOY_OK;
}

void ploy_plain_scene_clear(ploy_plain_scene *scene) {
    // Backwards, so that the next obstacles get indexes 0, 1, 2, ...
    scene->free = -1;
    for (int32_t i = scene->used - 1; i >= 0; i--) {
        if (scene->places[i].live) {
            scene_free_place(scene, i);
        } else {
            scene->places[i].next_free = scene->free;
            scene->free = i;
        }
    }
}

int32_t ploy_plain_scene_count(const ploy_plain_scene *scene) {
    return scene->count;
}

bool ploy_plain_scene_get(const ploy_plain_scene *scene, ploy_obstacle_id id, ploy_obstacle *out) {
    const scene_place *place = scene_find(scene, id);
    if (place == NULL) return false;
    *out = place->obstacle;
    return true;
}

// One obstacle against the way of a circle. A thin ray against a thin wall is decided by the two
// segments themselves: exact at the ends, where a ray's rounded direction is not.
static bool scene_meets(const ploy_obstacle *obstacle, const ploy_sweep *sweep, ploy_segment2 way,
                        ploy_hit2 *hit) {
    if (sweep->radius > 0.0f || obstacle->radius > 0.0f) {
        return ploy_sweep_hit_capsule(*sweep, obstacle->segment, obstacle->radius, hit);
    }
    ploy_crossing2 crossing;
    if (!ploy_segment2_touches(way, obstacle->segment, &crossing)) return false;
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

static bool scene_cast(const ploy_plain_scene *scene, ploy_vec3 from, ploy_vec3 to, float radius,
                       uint32_t mask, ploy_scene_hit *hit) {
    ploy_segment2 way = {ploy_vec2_from_vec3(from), ploy_vec2_from_vec3(to)};
    ploy_sweep sweep = ploy_sweep_between(way.from, way.to, radius);
    ploy_box2 bounds = scene_bounds(way, radius);
    bool met = false;
    ploy_hit2 best = {0.0f, {0.0f, 0.0f}, {0.0f, 0.0f}, false};
    for (int32_t i = 0; i < scene->used; i++) {
        const scene_place *place = &scene->places[i];
        ploy_hit2 found;
        if ((place->obstacle.layers & mask) == 0) continue; // free places too
        if (scene_apart(&place->bounds, &bounds)) continue;
        if (!scene_meets(&place->obstacle, &sweep, way, &found)) continue;
        if (met && found.distance >= best.distance) continue;
        met = true;
        best = found;
        hit->object = ploy_id_make((uint32_t)i, place->generation);
        hit->layers = place->obstacle.layers;
    }
    if (!met) return false;
    hit->distance = best.distance;
    float share = sweep.ray.length > 0.0f ? best.distance / sweep.ray.length : 0.0f;
    hit->point = ploy_vec3_from_vec2(best.point, from.z + (to.z - from.z) * share);
    hit->normal = ploy_vec3_from_vec2(best.normal, 0.0f);
    hit->inside = best.inside;
    return true;
}

static bool scene_on_ray(void *user, ploy_vec3 from, ploy_vec3 to, uint32_t mask,
                         ploy_scene_hit *hit) {
    return scene_cast(user, from, to, 0.0f, mask, hit);
}

static bool scene_on_sweep(void *user, ploy_vec3 from, ploy_vec3 to, float radius, uint32_t mask,
                           ploy_scene_hit *hit) {
    return scene_cast(user, from, to, radius, mask, hit);
}

static int32_t scene_on_overlap(void *user, ploy_vec3 centre, float radius, uint32_t mask,
                                ploy_id *out, int32_t capacity) {
    const ploy_plain_scene *scene = user;
    ploy_vec2 at = ploy_vec2_from_vec3(centre);
    ploy_segment2 point = {at, at};
    ploy_box2 bounds = scene_bounds(point, radius);
    int32_t count = 0;
    for (int32_t i = 0; i < scene->used; i++) {
        const scene_place *place = &scene->places[i];
        if ((place->obstacle.layers & mask) == 0) continue;
        if (scene_apart(&place->bounds, &bounds)) continue;
        double reach = (double)radius + (double)place->obstacle.radius;
        if (ployi_segment2_distance_sq(place->obstacle.segment, at) > reach * reach) continue;
        if (count < capacity) out[count] = ploy_id_make((uint32_t)i, place->generation);
        count++;
    }
    return count;
}

static bool scene_on_ground(void *user, ploy_vec3 at, uint32_t mask, float *height,
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
    ploy_scene view = {scene_on_ray, scene_on_sweep, scene_on_overlap, scene_on_ground,
                       (void *)(uintptr_t)scene};
    return view;
}

void ploy_plain_scene_describe(const ploy_plain_scene *scene, ploy_describe *out) {
    ploy_describe_f32(out, "ground_height", PLOY_STATE, scene->ground_height);
    ploy_describe_i64(out, "count", PLOY_STATE, scene->count);
    // Which place comes next decides the ids to come, so free places are state as well.
    ploy_describe_i64(out, "free", PLOY_STATE, scene->free);
    ploy_describe_begin(out, "obstacles");
    for (int32_t i = 0; i < scene->used; i++) {
        const scene_place *place = &scene->places[i];
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
        const scene_place *place = &scene->places[i];
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
    ploy_memory_item places = {"obstacles", (size_t)scene->capacity * sizeof(scene_place), 1};
    fn(user, &places);
}
