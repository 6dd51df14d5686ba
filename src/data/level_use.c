// What games take from levels; see the header.
#include "ploy/data/level_use.h"

#include <math.h>
#include <string.h>

#include "ploy/base/math.h"
#include "ploy/geom/boolean.h"
#include "ploy/path/graph_tools.h"

static const ploy_field level_use_fields[] = {
    PLOY_FIELD_F32(ploy_level_def, radius, 0.25f, 1e-3f, 1e4f, "m", "radius of the agents"),
    PLOY_FIELD_F32(ploy_level_def, spacing, 0.5f, 1e-3f, 1e4f, "m", "distance between nodes"),
    PLOY_FIELD_BOOL(ploy_level_def, diagonal, true, "join diagonal neighbours too"),
    PLOY_FIELD_I32(ploy_level_def, limit, 100000, 1, 10000000, "", "most nodes"),
    PLOY_FIELD_F32(ploy_level_def, thickness, 0.1f, 1e-3f, 100, "m",
                   "thickness of walls in the mesh"),
};

ploy_fields ploy_level_fields(void) {
    return PLOY_FIELDS(ploy_level_def, level_use_fields);
}

ploy_level_def ploy_level_def_default(void) {
    ploy_level_def def;
    ploy_fields_default(ploy_level_fields(), &def);
    return def;
}

ploy_result ploy_level_from_text(const char *text, size_t size, const char *name,
                                 const ploy_env *env, ploy_diags *diags, ploy_buffer *bytes,
                                 ploy_level *out) {
    if (env == NULL || bytes == NULL || out == NULL) return PLOY_ERR_ARGUMENT;
    ploy_level_builder *builder = NULL;
    ploy_buffer block;
    ploy_buffer_init(&block, 0, env);
    ploy_writer writer = ploy_buffer_writer(&block);
    ploy_result result = ploy_level_builder_create(env, &builder);
    if (result == PLOY_OK) result = ploy_level_text_load(text, size, name, diags, builder);
    if (result == PLOY_OK) result = ploy_level_builder_save(builder, &writer);
    ploy_level_builder_destroy(builder);
    ploy_level level;
    if (result == PLOY_OK) result = ploy_level_open(block.bytes, block.size, &level);
    if (result == PLOY_OK) {
        ploy_buffer old = *bytes;
        *bytes = block;
        block = old;
        *out = level;
    }
    ploy_buffer_fini(&block);
    return result;
}

// ---- objects

float ploy_level_number(const ploy_level *level, int32_t object, const char *key, float usual) {
    ploy_value value;
    if (!ploy_level_get(level, object, key, &value) || value.type != PLOY_VALUE_F32) return usual;
    return value.as.f32;
}

const char *ploy_level_word(const ploy_level *level, int32_t object, const char *key,
                            const char *usual) {
    ploy_value value;
    if (!ploy_level_get(level, object, key, &value) || value.type != PLOY_VALUE_TEXT) return usual;
    return value.as.text;
}

static bool level_use_next(const ploy_level *level, int32_t *cursor, const char *type,
                           int32_t *object, ploy_vec2 *position) {
    ploy_level_object found;
    *object = *cursor < 0 ? -1 : ploy_level_next(level, *cursor - 1, type);
    if (*object < 0) return false;
    *cursor = *object + 1;
    (void)ploy_level_at(level, *object, &found);
    *position = ploy_vec2_from_vec3(found.position);
    return true;
}

static ploy_segment2 level_use_segment(const ploy_level *level, int32_t object, ploy_vec2 from) {
    return ploy_segment2_make(from, ploy_vec2_make(ploy_level_number(level, object, "x1", from.x),
                                                   ploy_level_number(level, object, "y1", from.y)));
}

bool ploy_level_next_wall(const ploy_level *level, int32_t *cursor, ploy_segment2 *out) {
    int32_t object;
    ploy_vec2 from;
    if (!level_use_next(level, cursor, "wall", &object, &from)) return false;
    *out = level_use_segment(level, object, from);
    return true;
}

bool ploy_level_next_door(const ploy_level *level, int32_t *cursor, ploy_level_door *out) {
    static const char *const keys[PLOY_LEVEL_BUTTONS_MAX] = {"button0", "button1", "button2",
                                                             "button3"};
    ploy_level_door door;
    ploy_level_object object;
    ploy_value value;
    memset(&door, 0, sizeof door);
    if (!level_use_next(level, cursor, "door", &door.object, &door.segment.from)) return false;
    (void)ploy_level_at(level, door.object, &object);
    door.name = object.name;
    door.segment = level_use_segment(level, door.object, door.segment.from);
    for (int32_t i = 0; i < PLOY_LEVEL_BUTTONS_MAX; i++) {
        if (!ploy_level_get(level, door.object, keys[i], &value) || value.type != PLOY_VALUE_VEC2) {
            continue;
        }
        door.buttons[door.button_count++] = ploy_vec2_make(value.as.vec[0], value.as.vec[1]);
    }
    *out = door;
    return true;
}

bool ploy_level_next_item(const ploy_level *level, int32_t *cursor, ploy_level_item *out) {
    ploy_level_item item;
    if (!level_use_next(level, cursor, "item", &item.object, &item.position)) return false;
    item.kind = ploy_level_word(level, item.object, "kind", "");
    item.amount = ploy_level_number(level, item.object, "amount", 1.0f);
    *out = item;
    return true;
}

bool ploy_level_next_spawn(const ploy_level *level, int32_t *cursor, ploy_level_spawn *out) {
    ploy_level_spawn spawn;
    if (!level_use_next(level, cursor, "spawn", &spawn.object, &spawn.position)) return false;
    spawn.facing = ploy_level_number(level, spawn.object, "facing", 0.0f);
    spawn.side = ploy_level_word(level, spawn.object, "side", "");
    *out = spawn;
    return true;
}

// ---- the scene

ploy_result ploy_level_scene_create(const ploy_level *level, uint32_t wall_layers,
                                    uint32_t door_layers, const ploy_env *env,
                                    ploy_plain_scene **out, ploy_obstacle_id *doors) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (level == NULL || env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_plain_scene_def def = ploy_plain_scene_def_default();
    ploy_plain_scene *scene = NULL;
    ploy_level_door door;
    int32_t index = 0;
    ploy_result result = ploy_plain_scene_create(&def, env, &scene);
    if (result == PLOY_OK) result = ploy_level_text_walls(level, wall_layers, scene);
    for (int32_t at = 0;
         result == PLOY_OK && door_layers != 0 && ploy_level_next_door(level, &at, &door);
         index++) {
        result = ploy_plain_scene_add_segment(scene, door.segment.from, door.segment.to,
                                              door_layers, doors == NULL ? NULL : &doors[index]);
    }
    if (result != PLOY_OK) {
        ploy_plain_scene_destroy(scene);
        return result;
    }
    ploy_plain_scene_tidy(scene);
    *out = scene;
    return PLOY_OK;
}

// ---- nodes

typedef struct level_use_flood {
    ploy_scene walls;
    ploy_box2 box; // of the walls: a gap in them leads no further
    float radius;
    float spacing;
    ploy_graph *graph;
} level_use_flood;

static bool level_use_walks(void *user, ploy_vec3 from, ploy_vec3 to) {
    const level_use_flood *flood = user;
    if (!(to.x >= flood->box.min.x && to.x <= flood->box.max.x && to.y >= flood->box.min.y &&
          to.y <= flood->box.max.y)) {
        return false;
    }
    return !ploy_scene_sweep(&flood->walls, from, to, flood->radius, 1, NULL);
}

static ploy_box2 level_use_box(const ploy_level *level) {
    ploy_box2 box = ploy_box2_empty();
    ploy_segment2 wall;
    for (int32_t at = 0; ploy_level_next_wall(level, &at, &wall);) {
        box = ploy_box2_merge(box, ploy_box2_of_segment(wall));
    }
    return box;
}

static bool level_use_has_node(const ploy_graph *graph, ploy_vec3 at, float near) {
    for (int32_t n = ploy_graph_next_node(graph, 0); n >= 0;
         n = ploy_graph_next_node(graph, n + 1)) {
        if (ploy_vec3_distance(ploy_graph_position(graph, n), at) <= near) return true;
    }
    return false;
}

// The nearest of the lattice's points around a spawn point from which agents can walk there.
// @return false if there is none, or if one of them is a node already.
static bool level_use_seed(level_use_flood *flood, ploy_vec3 first, ploy_vec3 spawn,
                           ploy_vec3 *seed) {
    float column = floorf((spawn.x - first.x) / flood->spacing);
    float row = floorf((spawn.y - first.y) / flood->spacing);
    float best = INFINITY;
    for (int32_t i = 0; i < 4; i++) {
        ploy_vec3 at = {first.x + (column + (float)(i % 2)) * flood->spacing,
                        first.y + (row + (float)(i / 2)) * flood->spacing, 0.0f};
        float distance = ploy_vec3_distance(at, spawn);
        if (!level_use_walks(flood, spawn, at)) continue;
        if (level_use_has_node(flood->graph, at, 0.01f * flood->spacing)) return false;
        if (distance >= best) continue;
        best = distance;
        *seed = at;
    }
    return best < INFINITY;
}

static ploy_result level_use_flood_all(level_use_flood *flood, const ploy_level_def *def,
                                       const ploy_level *level, ploy_diags *diags) {
    ploy_level_spawn spawn;
    ploy_vec3 first = {0, 0, 0};
    int32_t number = 0;
    for (int32_t at = 0; ploy_level_next_spawn(level, &at, &spawn); number++) {
        ploy_vec3 place = ploy_vec3_from_vec2(spawn.position, 0.0f), seed = place;
        int32_t count = ploy_graph_node_count(flood->graph);
        if (!level_use_walks(flood, place, place)) {
            ploy_diags_add(diags, PLOY_SEVERITY_WARNING, PLOY_ERR_ARGUMENT, "spawn", number + 1, 0,
                           "spawn point is too close to a wall", NULL, NULL);
            continue;
        }
        if (count == 0) {
            first = place;
        } else if (!level_use_seed(flood, first, place, &seed)) {
            continue;
        }
        if (count >= def->limit) return PLOY_ERR_LIMIT;
        ploy_result result =
            ploy_graph_add_flood(flood->graph, seed, def->spacing, def->diagonal,
                                 def->limit - count, level_use_walks, flood, NULL, NULL);
        if (result != PLOY_OK) return result;
    }
    return ploy_graph_node_count(flood->graph) > 0 ? PLOY_OK : PLOY_ERR_NOT_FOUND;
}

ploy_result ploy_level_nodes_create(const ploy_level_def *def, const ploy_level *level,
                                    const ploy_env *env, ploy_diags *diags, ploy_graph **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (level == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_level_fields(), def, env);
    if (result != PLOY_OK) return result;
    ploy_graph_def graph_def = ploy_graph_def_default();
    ploy_plain_scene *scene = NULL;
    level_use_flood flood;
    memset(&flood, 0, sizeof flood);
    flood.radius = def->radius;
    flood.spacing = def->spacing;
    flood.box = level_use_box(level);
    result = ploy_level_scene_create(level, 1, 0, env, &scene, NULL);
    if (result == PLOY_OK) result = ploy_graph_create(&graph_def, env, &flood.graph);
    if (result == PLOY_OK) {
        flood.walls = ploy_plain_scene_interface(scene);
        result = level_use_flood_all(&flood, def, level, diags);
    }
    ploy_plain_scene_destroy(scene);
    if (result != PLOY_OK) {
        ploy_graph_destroy(flood.graph);
        return result;
    }
    *out = flood.graph;
    return PLOY_OK;
}

int32_t ploy_level_door_edges(const ploy_level_door *door, const ploy_graph *graph, int32_t *out,
                              int32_t capacity) {
    int32_t count = 0;
    ploy_graph_edge edge;
    for (int32_t i = 0; i < ploy_graph_edge_slots(graph); i++) {
        if (!ploy_graph_edge_at(graph, i, &edge)) continue;
        ploy_segment2 line =
            ploy_segment2_make(ploy_vec2_from_vec3(ploy_graph_position(graph, edge.from)),
                               ploy_vec2_from_vec3(ploy_graph_position(graph, edge.to)));
        if (!ploy_segment2_touches(line, door->segment, NULL)) continue;
        if (count < capacity) out[count] = i;
        count++;
    }
    return count;
}

// ---- the mesh

// A wall as a box around its segment, counter-clockwise.
static ploy_result level_use_add_wall(ploy_rings *rings, ploy_segment2 wall, float half) {
    ploy_vec2 along = ploy_vec2_sub(wall.to, wall.from);
    float length = ploy_vec2_length(along);
    along = length > 0.0f ? ploy_vec2_scale(along, half / length) : ploy_vec2_make(half, 0.0f);
    ploy_vec2 left = {-along.y, along.x};
    ploy_vec2 from = ploy_vec2_sub(wall.from, along), to = ploy_vec2_add(wall.to, along);
    const ploy_vec2 corners[] = {ploy_vec2_sub(from, left), ploy_vec2_sub(to, left),
                                 ploy_vec2_add(to, left), ploy_vec2_add(from, left)};
    return ploy_rings_add(rings, corners, 4);
}

// The smallest outer ring around a point that is larger than an area; -1 if there is none.
static int32_t level_use_outer(const ploy_rings *rings, ploy_vec2 point, float area) {
    int32_t best = -1;
    float least = INFINITY;
    for (int32_t i = 0; i < ploy_rings_count(rings); i++) {
        ploy_polygon ring = ploy_rings_get(rings, i);
        float size = ploy_polygon_area(ring);
        if (ploy_rings_is_hole(rings, i) || size <= area || size >= least) continue;
        if (ploy_polygon_locate(ring, point) == PLOY_LOCATION_OUTSIDE) continue;
        best = i;
        least = size;
    }
    return best;
}

// Copies the parts of an area that contain a spawn point.
static ploy_result level_use_parts(const ploy_level *level, const ploy_rings *area,
                                   ploy_arena *scratch, ploy_rings *out) {
    int32_t count = ploy_rings_count(area);
    bool *used = ploy_arena_alloc_array(scratch, count, sizeof *used);
    if (used == NULL) return PLOY_ERR_MEMORY;
    ploy_level_spawn spawn;
    for (int32_t at = 0; ploy_level_next_spawn(level, &at, &spawn);) {
        int32_t outer = level_use_outer(area, spawn.position, 0.0f);
        if (outer >= 0 && ploy_rings_contains(area, spawn.position, PLOY_FILL_NON_ZERO)) {
            used[outer] = true;
        }
    }
    for (int32_t i = 0; i < count; i++) {
        ploy_polygon ring = ploy_rings_get(area, i);
        int32_t outer = !ploy_rings_is_hole(area, i)
                            ? i
                            : level_use_outer(area, ring.points[0], ploy_polygon_area(ring));
        if (outer < 0 || !used[outer]) continue;
        ploy_result result = ploy_rings_add(out, ring.points, ring.count);
        if (result != PLOY_OK) return result;
    }
    return ploy_rings_count(out) > 0 ? PLOY_OK : PLOY_ERR_NOT_FOUND;
}

// The floor around the spawn points: the walls' box without the walls.
static ploy_result level_use_floor(const ploy_level_def *def, const ploy_level *level,
                                   const ploy_env *env, ploy_rings *floor) {
    ploy_box2 box = level_use_box(level);
    if (ploy_box2_is_empty(box)) return PLOY_ERR_NOT_FOUND;
    ploy_rings *walls = NULL, *area = NULL;
    ploy_arena *scratch = NULL;
    const ploy_vec2 corners[] = {box.min, {box.max.x, box.min.y}, box.max, {box.min.x, box.max.y}};
    ploy_segment2 wall;
    ploy_result result = ploy_rings_create(env, &walls);
    if (result == PLOY_OK) result = ploy_rings_create(env, &area);
    if (result == PLOY_OK) result = ploy_arena_create(0, 0, env, &scratch);
    if (result == PLOY_OK) result = ploy_rings_add(area, corners, 4);
    for (int32_t at = 0; result == PLOY_OK && ploy_level_next_wall(level, &at, &wall);) {
        result = level_use_add_wall(walls, wall, 0.5f * def->thickness);
    }
    if (result == PLOY_OK) {
        result = ploy_rings_boolean(area, walls, PLOY_BOOLEAN_DIFFERENCE, PLOY_FILL_NON_ZERO,
                                    scratch, area);
    }
    if (result == PLOY_OK) result = level_use_parts(level, area, scratch, floor);
    ploy_arena_destroy(scratch);
    ploy_rings_destroy(area);
    ploy_rings_destroy(walls);
    return result;
}

ploy_result ploy_level_mesh_create(const ploy_level_def *def, const ploy_level *level,
                                   const ploy_env *env, ploy_diags *diags, ploy_navmesh **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (level == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_level_fields(), def, env);
    if (result != PLOY_OK) return result;
    ploy_navmesh_def mesh = ploy_navmesh_def_default();
    mesh.radius = def->radius;
    ploy_rings *floor = NULL;
    result = ploy_rings_create(env, &floor);
    if (result == PLOY_OK) result = level_use_floor(def, level, env, floor);
    if (result == PLOY_OK) {
        result =
            ploy_navmesh_create_rings(&mesh, floor, PLOY_FILL_NON_ZERO, NULL, 0, env, diags, out);
    }
    ploy_rings_destroy(floor);
    return result;
}
