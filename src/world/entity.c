// The registry of entities.
//
// Places lie side by side in one array; an id is a place and its generation. Two lists run through
// the places that are taken: all, and those of one type, each in order of adding; the order number
// lets a walk continue after its current entity was removed.
//
//     types: name ──► first ⇄ ... ⇄ last      (links[ENTITY_BY_TYPE] of the places)
//     all           ► first ⇄ ... ⇄ last      (links[ENTITY_BY_ALL])
//
// Invariants, between two calls:
//   (1) a place is alive, or in the free list, or at rest forever: its generation is used up, or
//       ids only rise;
//   (2) a place's generation is at least 1, never falls, and rises when its entity goes;
//   (3) along every list the orders rise;
//   (4) hooks without a function are only there while hooks run.
#include "ploy/world/entity.h"

#include "world/world_internal.h"

#include <float.h>
#include <string.h>

#include "ploy/base/array.h"
#include "ploy/base/map.h"
#include "ploy/base/math.h"
#include "world/ring_internal.h"

#define ENTITY_NONE (-1)

enum { ENTITY_BY_ALL, ENTITY_BY_TYPE, ENTITY_LISTS };

static const char *const entity_ids_names[] = {"reused", "rising"};

static const ploy_field entity_fields[] = {
    PLOY_FIELD_I32_FIXED(ploy_entities_def, capacity, 64, 0, PLOY_ENTITIES_MAX, "",
                         "entities that fit before it grows"),
    PLOY_FIELD_I32_FIXED(ploy_entities_def, types, 8, 0, 1 << 20, "",
                         "types that fit before it grows"),
    PLOY_FIELD_I32_FIXED(ploy_entities_def, limit, PLOY_ENTITIES_MAX, 1, PLOY_ENTITIES_MAX, "",
                         "indexes lie below it"),
    PLOY_FIELD_ENUM(ploy_entities_def, ids, PLOY_ENTITY_IDS_REUSED, entity_ids_names,
                    "which index a new entity may have"),
};

typedef struct entity_link {
    int32_t previous, next;
} entity_link;

typedef struct entity_list {
    int32_t first, last, count;
} entity_list;

typedef struct entity_place {
    ploy_entity entity;
    uint64_t order;
    entity_link links[ENTITY_LISTS]; // while free: of the free list, in the first
    uint32_t generation;
    bool alive;
    bool resting; // neither alive nor free
    bool reserved[2];
} entity_place;

typedef struct entity_hook {
    ploy_entity_removed_fn fn;
    void *user;
} entity_hook;

struct ploy_entities {
    ploy_env env;
    ploy_entities_def def;
    ploy_array places; // entity_place
    ploy_array hooks;  // entity_hook
    ploy_map types;    // name to entity_list
    entity_list all;
    entity_list unused; // free places, the next to be taken first
    uint64_t next_order;
    ploy_pose_source source;
    int32_t hooks_running;
    bool hooks_gone;
};

ploy_fields ploy_entities_fields(void) {
    return PLOY_FIELDS(ploy_entities_def, entity_fields);
}

ploy_entities_def ploy_entities_def_default(void) {
    ploy_entities_def def;
    ploy_fields_default(ploy_entities_fields(), &def);
    return def;
}

ploy_entity ploy_entity_make(ploy_name type) {
    ploy_entity entity;
    memset(&entity, 0, sizeof entity);
    entity.type = type;
    entity.pose = ploy_pose_make2(ploy_vec2_zero(), 0.0f, 0.0f);
    entity.scale = 1.0f;
    return entity;
}

static entity_place *entity_place_at(const ploy_entities *entities, int32_t index) {
    return &PLOY_ARRAY_ITEMS(&entities->places, entity_place)[index];
}

static entity_place *entity_find(const ploy_entities *entities, ploy_agent_id id) {
    if (entities == NULL || id.id.index >= (uint32_t)entities->places.count) return NULL;
    entity_place *place = entity_place_at(entities, (int32_t)id.id.index);
    return place->alive && place->generation == id.id.generation ? place : NULL;
}

static ploy_agent_id entity_id_of(const ploy_entities *entities, int32_t index) {
    return ploy_agent_id_make((uint32_t)index, entity_place_at(entities, index)->generation);
}

static bool entity_pose_is_good(const ploy_pose *pose) {
    ploy_quat q = pose->frame.orientation;
    return ploy_vec3_is_finite(pose->frame.position) && ploy_is_finite(q.w) &&
           ploy_is_finite(q.x) && ploy_is_finite(q.y) && ploy_is_finite(q.z) &&
           ploy_is_finite(pose->radius) && pose->radius >= 0.0f;
}

static bool entity_is_good(const ploy_entity *entity) {
    return entity != NULL && entity_pose_is_good(&entity->pose) && ploy_is_finite(entity->scale) &&
           entity->scale > 0.0f;
}

// ---- lists

static void entity_append(ploy_entities *entities, entity_list *list, int32_t by, int32_t index) {
    entity_link *link = &entity_place_at(entities, index)->links[by];
    link->previous = list->last;
    link->next = ENTITY_NONE;
    if (list->last == ENTITY_NONE) {
        list->first = index;
    } else {
        entity_place_at(entities, list->last)->links[by].next = index;
    }
    list->last = index;
    list->count++;
}

static void entity_prepend(ploy_entities *entities, entity_list *list, int32_t by, int32_t index) {
    entity_link *link = &entity_place_at(entities, index)->links[by];
    link->previous = ENTITY_NONE;
    link->next = list->first;
    if (list->first == ENTITY_NONE) {
        list->last = index;
    } else {
        entity_place_at(entities, list->first)->links[by].previous = index;
    }
    list->first = index;
    list->count++;
}

static void entity_unlink(ploy_entities *entities, entity_list *list, int32_t by, int32_t index) {
    entity_link *link = &entity_place_at(entities, index)->links[by];
    if (link->previous == ENTITY_NONE) {
        list->first = link->next;
    } else {
        entity_place_at(entities, link->previous)->links[by].next = link->next;
    }
    if (link->next == ENTITY_NONE) {
        list->last = link->previous;
    } else {
        entity_place_at(entities, link->next)->links[by].previous = link->previous;
    }
    link->previous = link->next = ENTITY_NONE;
    list->count--;
}

static entity_list entity_list_empty(void) {
    entity_list list = {ENTITY_NONE, ENTITY_NONE, 0};
    return list;
}

// The list of a type, made if it is new. NULL if memory is short.
static entity_list *entity_type_list(ploy_entities *entities, ploy_name type) {
    void *list = NULL;
    bool added = false;
    if (ploy_map_ensure(&entities->types, type.hash, &list, &added) != PLOY_OK) return NULL;
    if (added) *(entity_list *)list = entity_list_empty();
    return list;
}

// ---- life

ploy_result ploy_entities_create(const ploy_entities_def *def, const ploy_env *env,
                                 ploy_entities **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_entities_fields(), def, env);
    if (result != PLOY_OK) return result;
    ploy_entities *entities = ploy_env_alloc_zero(env, sizeof *entities);
    if (entities == NULL) return PLOY_ERR_MEMORY;
    entities->env = *env;
    entities->def = *def;
    ploy_array_init(&entities->places, sizeof(entity_place), env);
    ploy_array_init(&entities->hooks, sizeof(entity_hook), env);
    ploy_map_init(&entities->types, sizeof(entity_list), env);
    entities->all = entity_list_empty();
    entities->unused = entity_list_empty();
    int32_t capacity = def->capacity < def->limit ? def->capacity : def->limit;
    // Small tests grow from 2.
    if (capacity > PLOY_CAPACITY(PLOY_ENTITIES_MAX)) capacity = PLOY_CAPACITY(PLOY_ENTITIES_MAX);
    result = ploy_entities_reserve(entities, capacity, PLOY_CAPACITY(def->types));
    if (result != PLOY_OK) {
        ploy_entities_destroy(entities);
        return result;
    }
    *out = entities;
    return PLOY_OK;
}

void ploy_entities_destroy(ploy_entities *entities) {
    if (entities == NULL) return;
    ploy_env env = entities->env;
    ploy_map_fini(&entities->types);
    ploy_array_fini(&entities->hooks);
    ploy_array_fini(&entities->places);
    ploy_env_free(&env, entities, sizeof *entities);
}

ploy_result ploy_entities_reserve(ploy_entities *entities, int32_t count, int32_t types) {
    if (entities == NULL || count < 0 || types < 0) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_array_reserve(&entities->places, count);
    if (result != PLOY_OK) return result;
    return ploy_map_reserve(&entities->types, types);
}

// Makes places up to and with an index; the new ones are free, the lowest to be taken first.
static ploy_result entity_grow(ploy_entities *entities, int32_t index) {
    int32_t first = entities->places.count;
    if (index < first) return PLOY_OK;
    // By push, not by an exact resize, so that adding one by one stays O(1) on average.
    ploy_result result = index == first ? ploy_array_push(&entities->places, NULL)
                                        : ploy_array_resize(&entities->places, index + 1);
    if (result != PLOY_OK) return result;
    for (int32_t i = first; i <= index; i++) {
        entity_place_at(entities, i)->generation = 1;
        entity_append(entities, &entities->unused, 0, i);
    }
    return PLOY_OK;
}

static ploy_result entity_add(ploy_entities *entities, int32_t index, const ploy_entity *entity,
                              ploy_agent_id *out) {
    ploy_entity copy = *entity; // it may lie in the array that grows
    if (entity_type_list(entities, copy.type) == NULL) return PLOY_ERR_MEMORY;
    ploy_result result = entity_grow(entities, index);
    if (result != PLOY_OK) return result;
    // Where ids rise, the free places are in rising order, and those that are passed over rest.
    while (entities->def.ids == PLOY_ENTITY_IDS_RISING && entities->unused.first != index) {
        int32_t passed = entities->unused.first;
        entity_unlink(entities, &entities->unused, 0, passed);
        entity_place_at(entities, passed)->resting = true;
    }
    entity_place *place = entity_place_at(entities, index);
    entity_unlink(entities, &entities->unused, 0, index);
    place->entity = copy;
    place->alive = true;
    place->order = entities->next_order++; // keeps (3)
    entity_append(entities, &entities->all, ENTITY_BY_ALL, index);
    entity_append(entities, entity_type_list(entities, copy.type), ENTITY_BY_TYPE, index);
    if (out != NULL) *out = entity_id_of(entities, index);
    return PLOY_OK;
}

ploy_result ploy_entities_add(ploy_entities *entities, const ploy_entity *entity,
                              ploy_agent_id *out) {
    if (entities == NULL || !entity_is_good(entity)) return PLOY_ERR_ARGUMENT;
    int32_t index = entities->unused.first;
    if (index == ENTITY_NONE) index = entities->places.count;
    if (index >= entities->def.limit) return PLOY_ERR_CAPACITY;
    return entity_add(entities, index, entity, out);
}

ploy_result ploy_entities_add_at(ploy_entities *entities, uint32_t index, const ploy_entity *entity,
                                 ploy_agent_id *out) {
    if (entities == NULL || !entity_is_good(entity)) return PLOY_ERR_ARGUMENT;
    if (index >= (uint32_t)entities->def.limit) return PLOY_ERR_CAPACITY;
    if (index < (uint32_t)entities->places.count) {
        const entity_place *place = entity_place_at(entities, (int32_t)index);
        if (place->alive) return PLOY_ERR_EXISTS;
        if (place->resting) return PLOY_ERR_DENIED;
    }
    return entity_add(entities, (int32_t)index, entity, out);
}

ploy_agent_id ployi_entities_next_id(const ploy_entities *entities) {
    if (entities == NULL) return ploy_agent_id_none();
    if (entities->unused.first != ENTITY_NONE) {
        return entity_id_of(entities, entities->unused.first);
    }
    if (entities->places.count >= entities->def.limit) return ploy_agent_id_none();
    return ploy_agent_id_make((uint32_t)entities->places.count, 1);
}

// Notifies every registered hook. Hooks may change anything, the hooks too.
static void entity_call_hooks(ploy_entities *entities, ploy_agent_id id, const ploy_entity *was) {
    int32_t count = entities->hooks.count;
    entities->hooks_running++;
    for (int32_t i = 0; i < count; i++) {
        entity_hook hook = PLOY_ARRAY_ITEMS(&entities->hooks, entity_hook)[i];
        if (hook.fn != NULL) hook.fn(hook.user, id, was);
    }
    entities->hooks_running--;
    if (entities->hooks_running > 0 || !entities->hooks_gone) return;
    for (int32_t i = entities->hooks.count - 1; i >= 0; i--) { // restores (4)
        if (PLOY_ARRAY_ITEMS(&entities->hooks, entity_hook)[i].fn == NULL) {
            ploy_array_remove(&entities->hooks, i);
        }
    }
    entities->hooks_gone = false;
}

ploy_result ploy_entities_remove(ploy_entities *entities, ploy_agent_id id) {
    entity_place *place = entity_find(entities, id);
    if (place == NULL) return PLOY_ERR_NOT_FOUND;
    int32_t index = (int32_t)id.id.index;
    ploy_entity was = place->entity;
    entity_unlink(entities, &entities->all, ENTITY_BY_ALL, index);
    entity_unlink(entities, entity_type_list(entities, was.type), ENTITY_BY_TYPE, index);
    memset(&place->entity, 0, sizeof place->entity);
    place->alive = false;
    // One more turn of a generation that is used up would let an old id find a stranger.
    place->resting = place->generation == UINT32_MAX || entities->def.ids == PLOY_ENTITY_IDS_RISING;
    if (!place->resting) {
        place->generation++; // keeps (2)
        entity_prepend(entities, &entities->unused, 0, index);
    }
    entity_call_hooks(entities, id, &was);
    return PLOY_OK;
}

void ploy_entities_clear(ploy_entities *entities) {
    if (entities == NULL) return;
    ploy_entity_walk walk = ploy_entities_walk(entities);
    ploy_agent_id id;
    while (ploy_entities_walk_next(entities, &walk, &id)) ploy_entities_remove(entities, id);
    if (entities->all.count > 0) return; // hooks added some: they keep their places
    entities->unused = entity_list_empty();
    for (int32_t i = 0; i < entities->places.count; i++) {
        entity_place *place = entity_place_at(entities, i);
        if (place->resting && place->generation < UINT32_MAX) {
            place->resting = false;
            place->generation++;
        }
        if (!place->resting) entity_append(entities, &entities->unused, 0, i);
    }
}

const ploy_entity *ploy_entities_get(const ploy_entities *entities, ploy_agent_id id) {
    const entity_place *place = entity_find(entities, id);
    return place != NULL ? &place->entity : NULL;
}

bool ploy_entities_has(const ploy_entities *entities, ploy_agent_id id) {
    return entity_find(entities, id) != NULL;
}

ploy_agent_id ploy_entities_at(const ploy_entities *entities, uint32_t index) {
    if (entities == NULL || index >= (uint32_t)entities->places.count ||
        !entity_place_at(entities, (int32_t)index)->alive) {
        return ploy_agent_id_none();
    }
    return entity_id_of(entities, (int32_t)index);
}

int32_t ploy_entities_count(const ploy_entities *entities) {
    return entities != NULL ? entities->all.count : 0;
}

int32_t ployi_entities_count_type(const ploy_entities *entities, ploy_name type) {
    if (entities == NULL) return 0;
    const entity_list *list = ploy_map_get(&entities->types, type.hash);
    return list != NULL ? list->count : 0;
}

ploy_result ploy_entities_set(ploy_entities *entities, ploy_agent_id id,
                              const ploy_entity *entity) {
    entity_place *place = entity_find(entities, id);
    if (place == NULL) return PLOY_ERR_NOT_FOUND;
    if (!entity_is_good(entity)) return PLOY_ERR_ARGUMENT;
    if (!ploy_name_equal(entity->type, place->entity.type)) {
        if (entity_type_list(entities, entity->type) == NULL) return PLOY_ERR_MEMORY;
        int32_t index = (int32_t)id.id.index;
        entity_unlink(entities, entity_type_list(entities, place->entity.type), ENTITY_BY_TYPE,
                      index);
        entity_append(entities, entity_type_list(entities, entity->type), ENTITY_BY_TYPE, index);
        // It goes to the end of both walks, or (3) would not hold in the new type's.
        entity_unlink(entities, &entities->all, ENTITY_BY_ALL, index);
        entity_append(entities, &entities->all, ENTITY_BY_ALL, index);
        place->order = entities->next_order++;
    }
    place->entity = *entity;
    return PLOY_OK;
}

ploy_result ploy_entities_set_pose(ploy_entities *entities, ploy_agent_id id,
                                   const ploy_pose *pose) {
    entity_place *place = entity_find(entities, id);
    if (place == NULL) return PLOY_ERR_NOT_FOUND;
    if (pose == NULL || !entity_pose_is_good(pose)) return PLOY_ERR_ARGUMENT;
    place->entity.pose = *pose;
    return PLOY_OK;
}

ploy_result ployi_entities_set_tag(ploy_entities *entities, ploy_agent_id id, uint32_t tag) {
    entity_place *place = entity_find(entities, id);
    if (place == NULL) return PLOY_ERR_NOT_FOUND;
    place->entity.tag = tag;
    return PLOY_OK;
}

void ployi_entities_clear_tags(ploy_entities *entities, uint32_t tag) {
    if (entities == NULL) return;
    for (int32_t i = 0; i < entities->places.count; i++) {
        entity_place *place = entity_place_at(entities, i);
        if (place->alive) place->entity.tag = tag;
    }
}

// ---- poses

static bool entity_answer_pose(void *user, ploy_agent_id agent, ploy_pose *out);

void ploy_entities_set_source(ploy_entities *entities, ploy_pose_source source) {
    if (entities == NULL) return;
    ploy_pose_source next = source;
    while (next.pose == entity_answer_pose) { // ends: no source leads back
        const ploy_entities *from = next.user;
        if (from == entities) return;
        next = from->source;
    }
    entities->source = source;
}

bool ploy_entities_pose(const ploy_entities *entities, ploy_agent_id id, ploy_pose *out) {
    const entity_place *place = entity_find(entities, id);
    if (place == NULL || out == NULL) return false;
    ploy_pose pose = place->entity.pose;
    if (entities->source.pose != NULL && !ploy_pose_source_get(&entities->source, id, &pose)) {
        return false;
    }
    pose.radius *= place->entity.scale;
    *out = pose;
    return true;
}

static bool entity_answer_pose(void *user, ploy_agent_id agent, ploy_pose *out) {
    return ploy_entities_pose(user, agent, out);
}

ploy_pose_source ploy_entities_pose_source(const ploy_entities *entities) {
    // The source's user is not const, but entity_answer_pose only reads.
    ploy_pose_source source = {entity_answer_pose, (void *)(uintptr_t)entities};
    return source;
}

// ---- walking

ploy_entity_walk ploy_entities_walk(const ploy_entities *entities) {
    ploy_entity_walk walk;
    memset(&walk, 0, sizeof walk);
    walk.all = true;
    walk.end = entities != NULL ? entities->next_order : 0;
    return walk;
}

ploy_entity_walk ploy_entities_walk_type(const ploy_entities *entities, ploy_name type) {
    ploy_entity_walk walk = ploy_entities_walk(entities);
    walk.all = false;
    walk.type = type;
    return walk;
}

bool ploy_entities_walk_next(const ploy_entities *entities, ploy_entity_walk *walk,
                             ploy_agent_id *out) {
    if (entities == NULL || walk == NULL || out == NULL) return false;
    int32_t by = walk->all ? ENTITY_BY_ALL : ENTITY_BY_TYPE;
    const entity_list *list =
        walk->all ? &entities->all : ploy_map_get(&entities->types, walk->type.hash);
    if (list == NULL) return false;
    const entity_place *last = entity_find(entities, walk->last);
    int32_t index = list->first;
    if (last != NULL && last->order == walk->order) {
        index = last->links[by].next;
    } else if (!ploy_id_is_none(walk->last.id)) {
        // The one it stood on went, or moved to the end: the next is the first that came later.
        while (index != ENTITY_NONE && entity_place_at(entities, index)->order <= walk->order) {
            index = entity_place_at(entities, index)->links[by].next;
        }
    }
    if (index == ENTITY_NONE || entity_place_at(entities, index)->order >= walk->end) return false;
    walk->order = entity_place_at(entities, index)->order;
    walk->last = entity_id_of(entities, index);
    *out = walk->last;
    return true;
}

// ---- hooks

static int32_t entity_find_hook(const ploy_entities *entities, ploy_entity_removed_fn fn,
                                const void *user) {
    const entity_hook *hooks = PLOY_ARRAY_ITEMS(&entities->hooks, entity_hook);
    for (int32_t i = 0; i < entities->hooks.count; i++) {
        if (hooks[i].fn == fn && hooks[i].user == user) return i;
    }
    return ENTITY_NONE;
}

ploy_result ploy_entities_add_hook(ploy_entities *entities, ploy_entity_removed_fn fn, void *user) {
    if (entities == NULL || fn == NULL) return PLOY_ERR_ARGUMENT;
    if (entity_find_hook(entities, fn, user) != ENTITY_NONE) return PLOY_ERR_EXISTS;
    entity_hook hook = {fn, user};
    return ploy_array_push(&entities->hooks, &hook);
}

ploy_result ploy_entities_remove_hook(ploy_entities *entities, ploy_entity_removed_fn fn,
                                      void *user) {
    if (entities == NULL || fn == NULL) return PLOY_ERR_ARGUMENT;
    int32_t at = entity_find_hook(entities, fn, user);
    if (at == ENTITY_NONE) return PLOY_ERR_NOT_FOUND;
    if (entities->hooks_running > 0) {
        memset(&PLOY_ARRAY_ITEMS(&entities->hooks, entity_hook)[at], 0, sizeof(entity_hook));
        entities->hooks_gone = true;
    } else {
        ploy_array_remove(&entities->hooks, at);
    }
    return PLOY_OK;
}

// ---- sight

static void entity_visit_entity(ploy_visit *v, ploy_entity *entity) {
    ploy_vec3 *at = &entity->pose.frame.position;
    ploy_quat *q = &entity->pose.frame.orientation;
    ployi_visit_name(v, "type", PLOY_STATE, &entity->type);
    ploy_visit_vec3(v, "position", PLOY_STATE, &at->x, &at->y, &at->z);
    ploy_visit_vec4(v, "orientation", PLOY_STATE, &q->w, &q->x, &q->y, &q->z);
    ploy_visit_f32_in(v, "radius", PLOY_STATE, &entity->pose.radius, 0.0f, FLT_MAX);
    ploy_visit_f32_in(v, "scale", PLOY_STATE, &entity->scale, FLT_MIN, FLT_MAX);
    ploy_visit_u32(v, "tag", PLOY_STATE, &entity->tag);
    ploy_visit_u64(v, "user", PLOY_STATE, &entity->user);
}

static void entity_visit_list(ploy_visit *v, const char *name, entity_list *list) {
    ploy_visit_begin(v, name, PLOY_SAVED);
    ploy_visit_i32_in(v, "first", PLOY_SAVED, &list->first, ENTITY_NONE, PLOY_ENTITIES_MAX);
    ploy_visit_i32_in(v, "last", PLOY_SAVED, &list->last, ENTITY_NONE, PLOY_ENTITIES_MAX);
    ploy_visit_i32_in(v, "count", PLOY_SAVED, &list->count, 0, PLOY_ENTITIES_MAX);
    ploy_visit_end(v);
}

static void entity_visit_place(ploy_visit *v, entity_place *place) {
    entity_link *link = &place->links[ENTITY_BY_ALL];
    ploy_visit_struct(v, "place", place, sizeof *place);
    ploy_visit_begin(v, "place", PLOY_SAVED);
    ploy_visit_u32_in(v, "generation", PLOY_SAVED, &place->generation, 1, UINT32_MAX);
    ploy_visit_bool(v, "alive", PLOY_SAVED, &place->alive);
    ploy_visit_bool(v, "resting", PLOY_SAVED, &place->resting);
    ploy_visit_u64(v, "order", PLOY_SAVED, &place->order);
    ploy_visit_i32_in(v, "previous", PLOY_SAVED, &link->previous, ENTITY_NONE, PLOY_ENTITIES_MAX);
    ploy_visit_i32_in(v, "next", PLOY_SAVED, &link->next, ENTITY_NONE, PLOY_ENTITIES_MAX);
    PLOY_VISIT_SCRATCH(v, place->links[ENTITY_BY_TYPE]);
    PLOY_VISIT_SCRATCH(v, place->reserved);
    if (place->alive) {
        entity_visit_entity(v, &place->entity);
    } else {
        ploy_entity none;
        memset(&none, 0, sizeof none);
        if (ploy_visit_loads(v)) ploy_visit_write(v, &place->entity, &none, sizeof none);
        PLOY_VISIT_SCRATCH(v, place->entity);
    }
    ploy_visit_end(v);
}

// Whether a list runs through `count` places of that life, in rising order if they are alive.
static bool entity_list_is_sound(const ploy_entities *entities, const entity_list *list,
                                 bool alive) {
    int32_t previous = ENTITY_NONE, steps = 0;
    for (int32_t at = list->first; at != ENTITY_NONE; steps++) {
        if (at < 0 || at >= entities->places.count || steps >= list->count) return false;
        const entity_place *place = entity_place_at(entities, at);
        if (place->alive != alive || (!alive && place->resting)) return false;
        if (place->links[ENTITY_BY_ALL].previous != previous) return false;
        if (alive && place->order >= entities->next_order) return false;
        if (alive && previous != ENTITY_NONE &&
            entity_place_at(entities, previous)->order >= place->order) {
            return false;
        }
        previous = at;
        at = place->links[ENTITY_BY_ALL].next;
    }
    return steps == list->count && list->last == previous;
}

static bool entity_is_sound(const ploy_entities *entities) {
    int32_t alive = 0, unused = 0;
    for (int32_t i = 0; i < entities->places.count; i++) {
        const entity_place *place = entity_place_at(entities, i);
        alive += place->alive;
        unused += !place->alive && !place->resting;
    }
    return entities->all.count == alive && entities->unused.count == unused &&
           entity_list_is_sound(entities, &entities->all, true) &&
           entity_list_is_sound(entities, &entities->unused, false);
}

// The lists of the types again, from the list of all. A load has made room in the map.
static void entity_rebuild(void *object) {
    ploy_entities *entities = object;
    ploy_map_clear(&entities->types);
    for (int32_t i = entities->all.first; i != ENTITY_NONE;
         i = entity_place_at(entities, i)->links[ENTITY_BY_ALL].next) {
        entity_list *list = entity_type_list(entities, entity_place_at(entities, i)->entity.type);
        PLOY_ASSERT(list != NULL);
        entity_append(entities, list, ENTITY_BY_TYPE, i);
    }
}

static void entity_visit_places(ploy_visit *v, ploy_entities *entities) {
    int32_t count =
        ploy_visit_array(v, "places", PLOY_SAVED, &entities->places, entities->def.limit);
    for (int32_t i = 0; i < count; i++) entity_visit_place(v, entity_place_at(entities, i));
    ploy_visit_end(v);
    entity_visit_list(v, "all", &entities->all);
    entity_visit_list(v, "unused", &entities->unused);
    ploy_visit_u64(v, "next_order", PLOY_SAVED, &entities->next_order);
    if (!ploy_visit_loads(v) || !ploy_visit_is_ok(v)) return;
    ploy_visit_check(v, entity_is_sound(entities), "inconsistent entity lists", NULL);
    ploy_visit_result(v, ploy_map_reserve(&entities->types, entities->all.count));
}

static void entity_describe_all(ploy_visit *v, ploy_entities *entities) {
    ploy_describe *out = v->describe;
    ploy_describe_i64(out, "count", PLOY_DERIVED, entities->all.count);
    ploy_describe_id(out, "next", PLOY_DERIVED, ployi_entities_next_id(entities).id);
    // The places not taken, in the order in which they will be.
    uint64_t unused = (uint64_t)entities->places.count;
    for (int32_t i = entities->unused.first; i != ENTITY_NONE;
         i = entity_place_at(entities, i)->links[0].next) {
        unused = ploy_hash_combine(unused, ploy_id_to_u64(entity_id_of(entities, i).id));
    }
    ploy_describe_u64(out, "free places", PLOY_STATE, unused);
    ploy_entity_walk walk = ploy_entities_walk(entities);
    ploy_agent_id id;
    while (ploy_entities_walk_next(entities, &walk, &id)) {
        char name[24];
        ployi_print_id(id.id, name, sizeof name);
        ploy_visit_begin_agent(v, name, PLOY_STATE, id);
        entity_visit_entity(v, &entity_find(entities, id)->entity);
        ploy_visit_end(v);
    }
}

void ploy_entities_visit(ploy_visit *v, void *object) {
    ploy_entities *entities = object;
    ploy_visit_object(v, "entities", entities, sizeof *entities);
    PLOY_VISIT_SCRATCH(v, entities->env);
    PLOY_VISIT_SCRATCH(v, entities->def);
    PLOY_VISIT_SCRATCH(v, entities->types);
    PLOY_VISIT_SCRATCH(v, entities->source);
    PLOY_VISIT_SCRATCH(v, entities->hooks_running);
    PLOY_VISIT_SCRATCH(v, entities->hooks_gone);
    ploy_visit_buffer(v, "entities.hooks", &entities->hooks);
    if (v->memory != NULL) ploy_map_memory(&entities->types, v->memory, v->memory_user);
    if (v->describe != NULL) {
        entity_describe_all(v, entities); // in the order of walking
        return;
    }
    if (!ploy_visit_check(v, entities->hooks_running == 0, "cannot load while a removal hook runs",
                          NULL))
        return;
    ploy_visit_after(v, entity_rebuild, entities);
    entity_visit_places(v, entities);
}

void ploy_entities_describe(const ploy_entities *entities, const ploy_names *names,
                            ploy_describe *out) {
    ploy_visit_describe(ploy_entities_visit, entities, (void *)(uintptr_t)names, out);
}

void ploy_entities_draw(const ploy_entities *entities, const ploy_names *names, ploy_draw *out) {
    if (entities == NULL || out == NULL) return;
    ploy_entity_walk walk = ploy_entities_walk(entities);
    ploy_agent_id id;
    while (ploy_entities_walk_next(entities, &walk, &id)) {
        ploy_pose pose;
        if (!ploy_entities_pose(entities, id, &pose)) continue;
        ploy_vec2 at = ploy_vec2_from_vec3(pose.frame.position);
        ploy_draw_circle(out, PLOY_LAYER_AGENTS, PLOY_STYLE_PLAIN, id, at, pose.radius);
        const char *type =
            names != NULL ? ploy_names_text(names, ploy_entities_get(entities, id)->type) : NULL;
        if (type != NULL) ploy_draw_text(out, id, at, type);
    }
}

void ploy_entities_memory(const ploy_entities *entities, ploy_memory_fn fn, void *user) {
    ploy_visit_memory(ploy_entities_visit, entities, fn, user);
}

#undef ENTITY_NONE
