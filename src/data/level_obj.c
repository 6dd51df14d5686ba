// Levels from OBJ and JSON; the format is in the header.
#include "ploy/data/level_obj.h"

#include <math.h>
#include <string.h>

#include "ploy/base/array.h"
#include "ploy/base/json.h"
#include "ploy/base/math.h"
#include "ploy/base/name.h"
#include "ploy/data/level_text.h"
#include "ploy/data/obj.h"
#include "ploy/geom/segment.h"

typedef struct level_obj {
    ploy_env env;
    ploy_diags *diags;
    ploy_level_builder *builder;
    ploy_json *doc; // NULL without tags
    ploy_adapter adapter;
    ploy_axes axes;
    float height;
    ploy_array walls; // ploy_segment2
    ploy_result result;
} level_obj;

static void level_obj_fault(level_obj *it, ploy_json_node node, const char *message,
                            const char *expected, const char *nearest) {
    ploy_json_fault(it->doc, node, it->diags, message, expected, nearest);
    if (it->result == PLOY_OK) it->result = PLOY_ERR_FORMAT;
}

// ---- walls

// Where a triangle crosses the plane. @return false if it does not, or only touches it.
static bool level_obj_slice(const ploy_vec3 corner[3], float height, ploy_segment2 *out) {
    ploy_vec2 found[2];
    int32_t count = 0;
    for (int32_t i = 0; i < 3; i++) {
        ploy_vec3 a = corner[i], b = corner[(i + 1) % 3];
        if ((a.z < height) == (b.z < height)) continue; // exactly 0 or 2 of the sides cross
        if (b.z < a.z) { // the same point for both triangles that share the side
            ploy_vec3 swap = a;
            a = b;
            b = swap;
        }
        float share = (height - a.z) / (b.z - a.z);
        if (count < 2) {
            found[count++] = ploy_vec2_lerp(ploy_vec2_from_vec3(a), ploy_vec2_from_vec3(b), share);
        }
    }
    if (count < 2 || ploy_vec2_distance(found[0], found[1]) < 1e-4f) return false;
    bool forward = found[0].x < found[1].x || (found[0].x == found[1].x && found[0].y < found[1].y);
    *out =
        forward ? ploy_segment2_make(found[0], found[1]) : ploy_segment2_make(found[1], found[0]);
    return true;
}

static int level_obj_compare(const void *a, const void *b) {
    const ploy_segment2 *one = a, *other = b;
    const float left[] = {one->from.x, one->from.y, one->to.x, one->to.y};
    const float right[] = {other->from.x, other->from.y, other->to.x, other->to.y};
    for (int32_t i = 0; i < 4; i++) {
        if (left[i] != right[i]) return left[i] < right[i] ? -1 : 1;
    }
    return 0;
}

// True if b continues a: it begins within a, on the same line. Both go in ascending order.
static bool level_obj_continues(ploy_segment2 a, ploy_segment2 b) {
    ploy_vec2 along = ploy_vec2_normalise(ploy_vec2_sub(a.to, a.from));
    float off_from = ploy_vec2_cross(along, ploy_vec2_sub(b.from, a.from));
    float off_to = ploy_vec2_cross(along, ploy_vec2_sub(b.to, a.from));
    float begins = ploy_vec2_dot(along, ploy_vec2_sub(b.from, a.from));
    return fabsf(off_from) < 1e-4f && fabsf(off_to) < 1e-4f && begins > -1e-4f &&
           begins <= ploy_vec2_distance(a.from, a.to) + 1e-4f;
}

static void level_obj_join(level_obj *it) {
    ploy_segment2 *walls = PLOY_ARRAY_ITEMS(&it->walls, ploy_segment2);
    int32_t kept = 0;
    for (int32_t i = 1; i < it->walls.count; i++) { // by insertion: merging below is no faster
        ploy_segment2 wall = walls[i];
        int32_t at = i;
        for (; at > 0 && level_obj_compare(&wall, &walls[at - 1]) < 0; at--) {
            walls[at] = walls[at - 1];
        }
        walls[at] = wall;
    }
    for (int32_t i = 0; i < it->walls.count; i++) {
        int32_t into = -1;
        for (int32_t k = 0; k < kept && into < 0; k++) {
            if (level_obj_continues(walls[k], walls[i])) into = k;
        }
        if (into < 0) {
            walls[kept++] = walls[i];
            continue;
        }
        ploy_vec2 along = ploy_vec2_sub(walls[into].to, walls[into].from);
        bool longer = ploy_vec2_dot(along, ploy_vec2_sub(walls[i].to, walls[into].to)) > 0.0f;
        if (longer) walls[into].to = walls[i].to;
    }
    it->walls.count = kept;
}

static void level_obj_walls(level_obj *it, const void *bytes, size_t size, const char *name) {
    ploy_obj *obj = NULL;
    ploy_segment2 wall;
    it->result = ploy_obj_load(bytes, size, it->axes, name, &it->env, it->diags, &obj);
    if (it->result != PLOY_OK) return;
    ploy_obj_view view = ploy_obj_get(obj);
    for (int32_t i = 0; i < view.triangle_count && it->result == PLOY_OK; i++) {
        const ploy_vec3 corner[3] = {view.vertices[view.triangles[3 * i]],
                                     view.vertices[view.triangles[3 * i + 1]],
                                     view.vertices[view.triangles[3 * i + 2]]};
        if (level_obj_slice(corner, it->height, &wall)) {
            it->result = ploy_array_push(&it->walls, &wall);
        }
    }
    ploy_obj_destroy(obj);
    level_obj_join(it);
    for (int32_t i = 0; i < it->walls.count && it->result == PLOY_OK; i++) {
        wall = *PLOY_ARRAY_AT(&it->walls, ploy_segment2, i);
        it->result =
            ploy_level_builder_add(it->builder, "", "wall", ploy_vec3_from_vec2(wall.from, 0.0f));
        if (it->result == PLOY_OK) {
            it->result = ploy_level_builder_set(it->builder, "x1", ploy_value_f32(wall.to.x));
        }
        if (it->result == PLOY_OK) {
            it->result = ploy_level_builder_set(it->builder, "y1", ploy_value_f32(wall.to.y));
        }
    }
}

// ---- tags

static bool level_obj_point(level_obj *it, ploy_json_node node, ploy_vec3 *out) {
    float number[3];
    bool good = ploy_json_count(it->doc, node) == 3;
    for (int32_t i = 0; i < 3 && good; i++) {
        good = ploy_json_f32(it->doc, ploy_json_at(it->doc, node, i), &number[i]) == PLOY_OK &&
               ploy_in_range(number[i], -1e9f, 1e9f);
    }
    if (!good) {
        level_obj_fault(it, node, "position is missing or invalid", "[x, y, z] in metres", NULL);
        return false;
    }
    *out =
        ploy_adapter_point_from_host(it->adapter, ploy_vec3_make(number[0], number[1], number[2]));
    out->z = 0.0f;
    return true;
}

static void level_obj_set(level_obj *it, ploy_json_node node, const char *key, ploy_value value) {
    if (it->result != PLOY_OK) return;
    ploy_result result = ploy_level_builder_set(it->builder, key, value);
    if (result == PLOY_ERR_EXISTS) {
        level_obj_fault(it, node, "duplicate tag", NULL, NULL);
    } else {
        it->result = result;
    }
}

static void level_obj_tags(level_obj *it, ploy_json_node tags) {
    for (int32_t i = 0; i < ploy_json_count(it->doc, tags); i++) {
        ploy_json_node node = ploy_json_at(it->doc, tags, i);
        const char *key = ploy_json_key(it->doc, node, NULL);
        float number = 0.0f;
        bool yes = false;
        if (ploy_json_type_of(it->doc, node) == PLOY_JSON_NUMBER &&
            ploy_json_f32(it->doc, node, &number) == PLOY_OK) {
            level_obj_set(it, node, key, ploy_value_f32(number));
        } else if (ploy_json_bool(it->doc, node, &yes) == PLOY_OK) {
            level_obj_set(it, node, key, ploy_value_bool(yes));
        } else if (ploy_json_type_of(it->doc, node) == PLOY_JSON_TEXT) {
            level_obj_set(it, node, key, ploy_value_text(ploy_json_text(it->doc, node, NULL)));
        } else {
            level_obj_fault(it, node, "tag is invalid", "a number, a bool or a text", NULL);
        }
    }
}

// The end of a door, and its buttons.
static void level_obj_door(level_obj *it, ploy_json_node node) {
    static const char *const keys[PLOY_LEVEL_BUTTONS_MAX] = {"button0", "button1", "button2",
                                                             "button3"};
    ploy_vec3 at;
    ploy_json_node buttons = ploy_json_member(it->doc, node, "buttons");
    if (!level_obj_point(it, ploy_json_member(it->doc, node, "to"), &at)) return;
    level_obj_set(it, node, "x1", ploy_value_f32(at.x));
    level_obj_set(it, node, "y1", ploy_value_f32(at.y));
    if (ploy_json_count(it->doc, buttons) > PLOY_LEVEL_BUTTONS_MAX) {
        level_obj_fault(it, buttons, "too many buttons", "at most 4", NULL);
        return;
    }
    for (int32_t i = 0; i < ploy_json_count(it->doc, buttons); i++) {
        if (!level_obj_point(it, ploy_json_at(it->doc, buttons, i), &at)) return;
        level_obj_set(it, node, keys[i], ploy_value_vec2(at.x, at.y));
    }
}

static void level_obj_object(level_obj *it, ploy_json_node node) {
    static const char *const keys[] = {"name", "type", "at", "to", "buttons", "tags"};
    ploy_json_node type = ploy_json_member(it->doc, node, "type");
    ploy_json_node tags = ploy_json_member(it->doc, node, "tags");
    const char *name = ploy_json_text(it->doc, ploy_json_member(it->doc, node, "name"), NULL);
    const char *kind = ploy_json_text(it->doc, type, NULL);
    ploy_vec3 at;
    if (ploy_json_check_keys(it->doc, node, keys, 6, it->diags) > 0 && it->result == PLOY_OK) {
        it->result = PLOY_ERR_FORMAT;
    }
    if (kind[0] == 0) {
        level_obj_fault(it, ploy_json_is_none(type) ? node : type, "type is missing", "a text",
                        NULL);
        return;
    }
    ploy_json_node position = ploy_json_member(it->doc, node, "at");
    if (!level_obj_point(it, ploy_json_is_none(position) ? node : position, &at)) return;
    if (!ploy_json_is_none(tags) && ploy_json_type_of(it->doc, tags) != PLOY_JSON_OBJECT) {
        level_obj_fault(it, tags, "tags are invalid", "an object", NULL);
        return;
    }
    if (it->result != PLOY_OK) return;
    it->result = ploy_level_builder_add(it->builder, name, kind, at);
    if (strcmp(kind, "door") == 0) level_obj_door(it, node);
    level_obj_tags(it, tags);
}

static void level_obj_settings(level_obj *it) {
    static const char *const keys[] = {"axes", "height", "objects"};
    ploy_json_node root = ploy_json_root(it->doc);
    ploy_json_node axes = ploy_json_member(it->doc, root, "axes");
    ploy_json_node height = ploy_json_member(it->doc, root, "height");
    if (ploy_json_type_of(it->doc, root) != PLOY_JSON_OBJECT) {
        level_obj_fault(it, root, "tags of a level are invalid", "an object", NULL);
        return;
    }
    if (ploy_json_check_keys(it->doc, root, keys, 3, it->diags) > 0) it->result = PLOY_ERR_FORMAT;
    if (!ploy_json_is_none(height) && (ploy_json_f32(it->doc, height, &it->height) != PLOY_OK ||
                                       !ploy_in_range(it->height, -1e6f, 1e6f))) {
        level_obj_fault(it, height, "height is invalid", "metres", NULL);
    }
    if (ploy_json_is_none(axes)) return;
    const char *text = ploy_json_text(it->doc, axes, NULL);
    ploy_nearest nearest = ploy_nearest_make(text);
    for (int32_t i = 0; i < PLOY_AXES_COUNT; i++) {
        if (strcmp(text, ploy_axes_text((ploy_axes)i)) == 0) {
            it->axes = (ploy_axes)i;
            return;
        }
        ploy_nearest_offer(&nearest, ploy_axes_text((ploy_axes)i));
    }
    level_obj_fault(it, axes, "unknown axes", "y_up_right or another name of axes", nearest.best);
}

ploy_result ploy_level_obj_load(const void *obj, size_t obj_size, const char *obj_name,
                                const void *tags, size_t tags_size, const char *tags_name,
                                const ploy_env *env, ploy_diags *diags,
                                ploy_level_builder *builder) {
    if (env == NULL || builder == NULL || (tags == NULL && tags_size > 0)) {
        return PLOY_ERR_ARGUMENT;
    }
    level_obj it;
    memset(&it, 0, sizeof it);
    it.env = *env;
    it.diags = diags;
    it.builder = builder;
    it.axes = PLOY_AXES_Y_UP_RIGHT;
    it.height = 0.5f;
    ploy_array_init(&it.walls, sizeof(ploy_segment2), env);
    if (tags_size > 0) {
        it.result = ploy_json_load(tags, tags_size, tags_name, NULL, env, diags, &it.doc);
        if (it.result == PLOY_OK) level_obj_settings(&it);
    }
    it.adapter = ploy_adapter_make(it.axes, 1.0f);
    if (it.result == PLOY_OK) level_obj_walls(&it, obj, obj_size, obj_name);
    if (it.doc != NULL && it.result == PLOY_OK) {
        ploy_json_node objects = ploy_json_member(it.doc, ploy_json_root(it.doc), "objects");
        for (int32_t i = 0; i < ploy_json_count(it.doc, objects); i++) {
            if (it.result == PLOY_ERR_MEMORY) break;
            level_obj_object(&it, ploy_json_at(it.doc, objects, i));
        }
    }
    ploy_array_fini(&it.walls);
    ploy_json_destroy(it.doc);
    return it.result;
}
