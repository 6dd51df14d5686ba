// The map: walls, spawn points, items, doors and rooms, read from level text
// (ploy/data/level_text.h).
//
//     wall, spawn, item, door                as described there
//     object NAME room x y x1=... y1=...     a room, for the search above the nodes
//
// Invariants, once loaded:
//   (1) there is a spawn point, and a body fits at each spawn point and at each item;
//   (2) a door has two buttons, on different sides of it;
//   (3) the scene has every wall on the layer WALL, and for each door a panel and a sill.
#include <math.h>
#include <string.h>

#include "games/raven/raven.h"
#include "ploy/data/level_text.h"

enum { MAP_OBJECTS_MAX = 20000, MAP_BODIES_MAX = 256 };

typedef struct map_reader {
    const ploy_level *level;
    const char *name;
    ploy_diags *diags;
    const raven_def *def;
    raven_map *map;
    ploy_result result;
} map_reader;

static void map_fault(map_reader *reader, ploy_vec2 at, const char *message, const char *expected) {
    char text[160];
    ploy_value place = ploy_value_vec2(at.x, at.y);
    char numbers[64];
    ploy_value_print(&place, numbers, sizeof numbers);
    size_t used = strlen(message), more = strlen(numbers);
    if (used + more + 5 > sizeof text) more = 0;
    memcpy(text, message, used);
    memcpy(text + used, " at ", 4);
    memcpy(text + used + 4, numbers, more);
    text[used + 4 + more] = 0;
    ploy_diags_add(reader->diags, PLOY_SEVERITY_ERROR, PLOY_ERR_FORMAT, reader->name, 0, 0, text,
                   expected, NULL);
    if (reader->result == PLOY_OK) reader->result = PLOY_ERR_FORMAT;
}

static float map_number(const map_reader *reader, int32_t object, const char *key, float other) {
    ploy_value value;
    if (!ploy_level_get(reader->level, object, key, &value)) return other;
    return value.type == PLOY_VALUE_F32 ? value.as.f32 : other;
}

static ploy_vec2 map_end(const map_reader *reader, int32_t object, ploy_vec2 start) {
    return ploy_vec2_make(map_number(reader, object, "x1", start.x),
                          map_number(reader, object, "y1", start.y));
}

static int32_t map_count(const ploy_level *level, const char *type) {
    int32_t count = 0;
    for (int32_t i = ploy_level_next(level, -1, type); i >= 0;
         i = ploy_level_next(level, i, type)) {
        count++;
    }
    return count;
}

// ---- memory

static ploy_result map_reserve(map_reader *reader, const ploy_env *env) {
    raven_map *map = reader->map;
    const ploy_level *level = reader->level;
    map->wall_count = map_count(level, "wall");
    map->spawn_count = map_count(level, "spawn");
    map->item_count = map_count(level, "item");
    map->door_count = map_count(level, "door");
    map->zone_count = map_count(level, "room");
    if (level->object_count > MAP_OBJECTS_MAX || map->spawn_count > MAP_BODIES_MAX ||
        map->item_count > MAP_BODIES_MAX || map->door_count > MAP_BODIES_MAX) {
        map_fault(reader, ploy_vec2_make(0.0f, 0.0f), "too many objects", NULL);
        return PLOY_ERR_LIMIT;
    }
    // One more of each, so that none of them is a block of no bytes.
    map->walls = ploy_env_alloc_zero(env, sizeof *map->walls * (size_t)(map->wall_count + 1));
    map->spawns = ploy_env_alloc_zero(env, sizeof *map->spawns * (size_t)(map->spawn_count + 1));
    map->items = ploy_env_alloc_zero(env, sizeof *map->items * (size_t)(map->item_count + 1));
    map->doors = ploy_env_alloc_zero(env, sizeof *map->doors * (size_t)(map->door_count + 1));
    map->zones = ploy_env_alloc_zero(env, sizeof *map->zones * (size_t)(map->zone_count + 1));
    bool all = map->walls != NULL && map->spawns != NULL && map->items != NULL &&
               map->doors != NULL && map->zones != NULL;
    return all ? PLOY_OK : PLOY_ERR_MEMORY;
}

static void map_free(const ploy_env *env, void *block, int32_t count, size_t size) {
    if (block != NULL) ploy_env_free(env, block, size * (size_t)(count + 1));
}

void raven_map_destroy(raven_map *map, const ploy_env *env) {
    if (map == NULL) return;
    raven_nav_destroy(map, env);
    ploy_plain_scene_destroy(map->solid);
    map_free(env, map->walls, map->wall_count, sizeof *map->walls);
    map_free(env, map->spawns, map->spawn_count, sizeof *map->spawns);
    map_free(env, map->items, map->item_count, sizeof *map->items);
    map_free(env, map->doors, map->door_count, sizeof *map->doors);
    map_free(env, map->zones, map->zone_count, sizeof *map->zones);
    ploy_env_free(env, map, sizeof *map);
}

// ---- objects

static void map_grow(raven_map *map, ploy_vec2 point) {
    map->box.min = ploy_vec2_make(fminf(map->box.min.x, point.x), fminf(map->box.min.y, point.y));
    map->box.max = ploy_vec2_make(fmaxf(map->box.max.x, point.x), fmaxf(map->box.max.y, point.y));
}

static int32_t map_item_kind(const char *name) {
    for (int32_t i = 0; i < RAVEN_ITEM_KINDS; i++) {
        if (strcmp(name, raven_item_name(i)) == 0) return i;
    }
    return RAVEN_NOBODY;
}

static void map_read_item(map_reader *reader, int32_t object, ploy_vec2 at, raven_item *item) {
    ploy_value kind;
    item->position = at;
    item->active = true;
    item->amount = map_number(reader, object, "amount", 1.0f);
    bool text =
        ploy_level_get(reader->level, object, "kind", &kind) && kind.type == PLOY_VALUE_TEXT;
    item->kind = text ? map_item_kind(kind.as.text) : RAVEN_NOBODY;
    if (item->kind == RAVEN_NOBODY) {
        map_fault(reader, at, "unknown item", "health, shotgun, railgun or rocket");
        item->kind = RAVEN_ITEM_HEALTH;
    }
    if (item->kind == RAVEN_ITEM_HEALTH && item->amount <= 1.0f) item->amount = 50.0f;
}

static bool map_button(const map_reader *reader, int32_t object, const char *key, ploy_vec2 *out) {
    ploy_value value;
    if (!ploy_level_get(reader->level, object, key, &value) || value.type != PLOY_VALUE_VEC2) {
        return false;
    }
    *out = ploy_vec2_make(value.as.vec[0], value.as.vec[1]);
    return true;
}

static void map_read_door(map_reader *reader, int32_t object, const ploy_level_object *from,
                          raven_door *door) {
    door->from = ploy_vec2_make(from->position.x, from->position.y);
    door->to = map_end(reader, object, door->from);
    size_t length = strlen(from->name);
    if (length >= sizeof door->name) length = sizeof door->name - 1;
    memcpy(door->name, from->name, length);
    ploy_vec2 along = ploy_vec2_sub(door->to, door->from);
    bool buttons = map_button(reader, object, "button0", &door->buttons[0]) &&
                   map_button(reader, object, "button1", &door->buttons[1]);
    float sides[2] = {0.0f, 0.0f};
    for (int32_t i = 0; i < 2 && buttons; i++) {
        sides[i] = ploy_vec2_cross(along, ploy_vec2_sub(door->buttons[i], door->from));
    }
    if (!buttons || !(sides[0] * sides[1] < 0.0f)) {
        map_fault(reader, door->from, "missing button of a door", "one on each side"); // keeps (2)
    }
}

static void map_read(map_reader *reader) {
    raven_map *map = reader->map;
    int32_t walls = 0, spawns = 0, items = 0, doors = 0, zones = 0;
    map->box.min = ploy_vec2_make(INFINITY, INFINITY);
    map->box.max = ploy_vec2_make(-INFINITY, -INFINITY);
    for (int32_t i = 0; i < reader->level->object_count; i++) {
        ploy_level_object object;
        if (!ploy_level_at(reader->level, i, &object)) continue;
        ploy_vec2 at = ploy_vec2_make(object.position.x, object.position.y);
        if (strcmp(object.type, "wall") == 0) {
            map->walls[walls].from = at;
            map->walls[walls].to = map_end(reader, i, at);
            map_grow(map, at);
            map_grow(map, map->walls[walls++].to);
        } else if (strcmp(object.type, "spawn") == 0) {
            map->spawns[spawns++] = at;
            map_grow(map, at);
        } else if (strcmp(object.type, "item") == 0) {
            map_read_item(reader, i, at, &map->items[items++]);
            map_grow(map, at);
        } else if (strcmp(object.type, "door") == 0) {
            map_read_door(reader, i, &object, &map->doors[doors++]);
        } else if (strcmp(object.type, "room") == 0) {
            map->zones[zones++] = ploy_box2_make(at, map_end(reader, i, at));
        }
    }
    if (spawns == 0)
        map_fault(reader, ploy_vec2_make(0.0f, 0.0f), "missing spawn point", "spawn x y");
    ploy_vec2 size = ploy_vec2_sub(map->box.max, map->box.min);
    if (spawns > 0 && !(size.x <= 2000.0f && size.y <= 2000.0f)) {
        map_fault(reader, map->box.max, "level is too large", "at most 2000 m");
    }
}

// ---- scene

static ploy_result map_make_scene(raven_map *map, const ploy_env *env) {
    ploy_plain_scene_def def = ploy_plain_scene_def_default();
    def.capacity = map->wall_count + 2 * map->door_count + 1;
    ploy_result result = ploy_plain_scene_create(&def, env, &map->solid);
    for (int32_t i = 0; i < map->wall_count && result == PLOY_OK; i++) {
        result = ploy_plain_scene_add_segment(map->solid, map->walls[i].from, map->walls[i].to,
                                              RAVEN_LAYER_WALL, NULL);
    }
    for (int32_t i = 0; i < map->door_count && result == PLOY_OK; i++) {
        raven_door *door = &map->doors[i];
        result = ploy_plain_scene_add_segment(map->solid, door->from, door->to, RAVEN_LAYER_PANEL,
                                              &door->panel);
        if (result != PLOY_OK) break;
        result =
            ploy_plain_scene_add_segment(map->solid, door->from, door->to, RAVEN_LAYER_SILL, NULL);
    }
    if (result != PLOY_OK) return result;
    ploy_plain_scene_tidy(map->solid);
    map->scene = ploy_plain_scene_interface(map->solid);
    return PLOY_OK;
}

static void map_check_place(map_reader *reader, ploy_vec2 at, const char *what) {
    if (ploy_scene_overlap(&reader->map->scene, ploy_vec3_make(at.x, at.y, 0.0f),
                           0.99f * reader->def->radius, RAVEN_MASK_SOLID, NULL, 0) > 0) {
        map_fault(reader, at, what, "a place where a bot fits"); // keeps (1)
    }
}

// Whether every item can be reached from the first spawn point, and every spawn point.
static void map_check_reach(map_reader *reader) {
    raven_map *map = reader->map;
    for (int32_t i = 0; i < map->item_count; i++) {
        if (map->items[i].node < 0) {
            map_fault(reader, map->items[i].position, "unreachable item",
                      "a path from the first spawn point");
        }
    }
    ploy_representation_body body = {0.9f * reader->def->radius, RAVEN_MASK_PLAN};
    for (int32_t i = 0; i < map->spawn_count; i++) {
        ploy_vec3 at = ploy_vec3_make(map->spawns[i].x, map->spawns[i].y, 0.0f);
        if (ploy_graph_representation_nearest(map->fine_view, at, &body) == PLOY_GRAPH_NONE) {
            map_fault(reader, map->spawns[i], "unreachable spawn point",
                      "a path from the first spawn point");
        }
    }
}

// ---- load

static ploy_result map_open(const char *text, size_t size, const char *name, const ploy_env *env,
                            ploy_diags *diags, ploy_buffer *bytes, ploy_level *level) {
    ploy_level_builder *builder = NULL;
    ploy_result result = ploy_level_builder_create(env, &builder);
    if (result == PLOY_OK) result = ploy_level_text_load(text, size, name, diags, builder);
    if (result == PLOY_OK) {
        ploy_writer writer = ploy_buffer_writer(bytes);
        result = ploy_level_builder_save(builder, &writer);
    }
    ploy_level_builder_destroy(builder);
    return result == PLOY_OK ? ploy_level_open(bytes->bytes, bytes->size, level) : result;
}

ploy_result raven_map_load(const char *text, size_t size, const char *name, const raven_def *def,
                           const ploy_env *env, ploy_diags *diags, raven_map **out) {
    *out = NULL;
    ploy_buffer bytes;
    ploy_level level;
    ploy_buffer_init(&bytes, 0, env);
    raven_map *map = ploy_env_alloc_zero(env, sizeof *map);
    ploy_result result = map != NULL ? PLOY_OK : PLOY_ERR_MEMORY;
    if (result == PLOY_OK) result = map_open(text, size, name, env, diags, &bytes, &level);
    map_reader reader = {&level, name, diags, def, map, PLOY_OK};
    if (result == PLOY_OK) result = map_reserve(&reader, env);
    if (result == PLOY_OK) {
        map_read(&reader);
        result = reader.result;
    }
    if (result == PLOY_OK) result = map_make_scene(map, env);
    if (result == PLOY_OK) {
        for (int32_t i = 0; i < map->spawn_count; i++) {
            map_check_place(&reader, map->spawns[i], "spawn point in a wall");
        }
        for (int32_t i = 0; i < map->item_count; i++) {
            map_check_place(&reader, map->items[i].position, "item in a wall");
        }
        result = reader.result;
    }
    if (result == PLOY_OK) result = raven_nav_build(map, def, env);
    if (result == PLOY_ERR_LIMIT) {
        // The flood found no end.
        map_fault(&reader, map->spawns[0], "level is not closed or too large",
                  "walls around the first spawn point");
        result = PLOY_ERR_FORMAT;
    }
    if (result == PLOY_OK) {
        map_check_reach(&reader);
        result = reader.result;
    }
    ploy_buffer_fini(&bytes);
    if (result != PLOY_OK) {
        raven_map_destroy(map, env);
        return result;
    }
    *out = map;
    return PLOY_OK;
}

// ---- files

const raven_file *raven_file_find(const char *name) {
    for (const raven_file *file = raven_files(); file->name != NULL; file++) {
        if (strcmp(file->name, name) == 0) return file;
    }
    return NULL;
}

const raven_file *raven_level_file(int32_t level) {
    char name[64] = "maps/";
    const char *level_name = raven_level_name(level);
    size_t length = strlen(level_name);
    memcpy(name + 5, level_name, length);
    memcpy(name + 5 + length, ".txt", 5);
    return raven_file_find(name);
}
