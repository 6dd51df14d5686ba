// Wavefront OBJ; the format is in the header.
#include "ploy/data/obj.h"

#include <string.h>

#include "ploy/base/array.h"
#include "ploy/base/math.h"
#include "ploy/base/number.h"

// After that many faults a file is not worth reading on; with more items than that no mesh is made of it.
enum { OBJ_FAULTS_MAX = 20, OBJ_ITEMS_MAX = 1 << 26 };

struct ploy_obj {
    ploy_env env;
    ploy_array vertices, sizes, corners, triangles;
};

typedef struct obj_reader {
    const char *bytes;
    size_t size, at, line_start;
    int32_t line; // from 1
    const char *word;
    size_t word_size;
    int32_t word_line, word_column;
    const char *name;
    ploy_diags *diags;
    ploy_adapter adapter;
    int32_t faults;
} obj_reader;

// ---- words ----

static void obj_fault_at(obj_reader *reader, int32_t line, int32_t column, const char *message,
                         const char *expected) {
    reader->faults++;
    ploy_diags_add(reader->diags, PLOY_SEVERITY_ERROR, PLOY_ERR_FORMAT, reader->name, line, column,
                   message, expected, NULL);
}

static int32_t obj_column(const obj_reader *reader) {
    size_t column = reader->at - reader->line_start + 1;
    return column < INT32_MAX ? (int32_t)column : INT32_MAX;
}

// At the last word that was found, or where one was missed.
static void obj_fault(obj_reader *reader, const char *message, const char *expected) {
    obj_fault_at(reader, reader->word_line, reader->word_column, message, expected);
}

// How many bytes the end of the line has there; 0: none does.
static size_t obj_line_end(const obj_reader *reader, size_t at) {
    if (at >= reader->size) return 0;
    if (reader->bytes[at] == '\n') return 1;
    bool both = reader->bytes[at] == '\r' && at + 1 < reader->size && reader->bytes[at + 1] == '\n';
    return both ? 2 : 0;
}

static void obj_cross(obj_reader *reader, size_t bytes) {
    reader->at += bytes;
    reader->line_start = reader->at;
    if (reader->line < INT32_MAX) reader->line++;
}

static void obj_next_line(obj_reader *reader) {
    while (reader->at < reader->size && reader->bytes[reader->at] != '\n') {
        bool goes_on = reader->bytes[reader->at] == '\\';
        size_t end = goes_on ? obj_line_end(reader, reader->at + 1) : 0;
        reader->at++;
        if (end > 0) obj_cross(reader, end);
    }
    if (reader->at < reader->size) obj_cross(reader, 1);
}

// The next word of the line; false if it has no more. A comment is the end of it.
static bool obj_word(obj_reader *reader) {
    for (; reader->at < reader->size; reader->at++) {
        char c = reader->bytes[reader->at];
        size_t end = c == '\\' ? obj_line_end(reader, reader->at + 1) : 0;
        if (end > 0) {
            obj_cross(reader, end + 1);
            reader->at--;
        } else if (c != ' ' && c != '\t') {
            break;
        }
    }
    reader->word = reader->bytes + reader->at;
    reader->word_line = reader->line;
    reader->word_column = obj_column(reader);
    size_t first = reader->at;
    while (reader->at < reader->size) {
        char c = reader->bytes[reader->at];
        if (c == ' ' || c == '\t' || c == '#' || obj_line_end(reader, reader->at) > 0) break;
        if (c == '\\' && obj_line_end(reader, reader->at + 1) > 0) break;
        if (c == '\r' && reader->at + 1 == reader->size) break;
        reader->at++;
    }
    reader->word_size = reader->at - first;
    return reader->word_size > 0;
}

static bool obj_word_is(const obj_reader *reader, const char *text) {
    return reader->word_size == strlen(text) && memcmp(reader->word, text, reader->word_size) == 0;
}

// ---- lines ----

static bool obj_number(obj_reader *reader, float *out) {
    if (ploy_parse_f32(reader->word, reader->word_size, NULL, out) == PLOY_OK &&
        ploy_in_range(*out, -1e9f, 1e9f)) {
        return true;
    }
    obj_fault(reader, "invalid coordinate", "a number from -1e9 to 1e9");
    return false;
}

static ploy_result obj_vertex(obj_reader *reader, ploy_obj *obj) {
    float number[3] = {0.0f, 0.0f, 0.0f}, more = 0.0f;
    for (int32_t i = 0; i < 3; i++) {
        if (!obj_word(reader)) {
            obj_fault(reader, "unexpected end of line", "x, y and z");
            break;
        }
        if (!obj_number(reader, &number[i])) break;
    }
    // A vertex that is wrong still counts, so that faces after it mean what they meant.
    while (reader->faults == 0 && obj_word(reader) && obj_number(reader, &more)) continue;
    ploy_vec3 point = ploy_vec3_make(number[0], number[1], number[2]);
    point = ploy_adapter_point_from_host(reader->adapter, point);
    return ploy_array_push(&obj->vertices, &point);
}

// The word as a corner: its vertex, from 0; -1 if something is wrong with it, which is said.
static int32_t obj_corner(obj_reader *reader, int32_t vertices) {
    size_t at = 0;
    int64_t index[3] = {0, 0, 0};
    for (int32_t part = 0; part < 3; part++) {
        size_t used = 0;
        bool empty = part == 1 && at < reader->word_size && reader->word[at] == '/';
        if (!empty && ploy_parse_i64(reader->word + at, reader->word_size - at, &used,
                                     &index[part]) != PLOY_OK) {
            obj_fault(reader, "invalid corner", "v, v/vt, v//vn or v/vt/vn, as whole numbers");
            return -1;
        }
        at += used;
        if (at == reader->word_size) break;
        if (reader->word[at++] != '/' || part == 2) {
            obj_fault(reader, "invalid corner", "v, v/vt, v//vn or v/vt/vn, as whole numbers");
            return -1;
        }
    }
    int64_t vertex = index[0] > 0 ? index[0] - 1 : vertices + index[0];
    if (index[0] == 0 || vertex < 0 || vertex >= vertices) {
        obj_fault(reader, "unknown vertex", NULL);
        return -1;
    }
    return (int32_t)vertex;
}

static ploy_result obj_face(obj_reader *reader, ploy_obj *obj) {
    int32_t line = reader->word_line, column = reader->word_column, count = 0;
    int32_t first = obj->corners.count, faults = reader->faults;
    ploy_result result = PLOY_OK;
    while (result == PLOY_OK && reader->faults == faults && obj_word(reader)) {
        int32_t vertex = obj_corner(reader, obj->vertices.count);
        if (vertex >= 0) result = ploy_array_push(&obj->corners, &vertex);
        count++;
    }
    if (result == PLOY_OK && reader->faults == faults && count < 3) {
        obj_fault_at(reader, line, column, "face has fewer than three corners", NULL);
    }
    if (result == PLOY_OK) result = ploy_array_push(&obj->sizes, &count);
    for (int32_t i = 1; i + 1 < count && result == PLOY_OK && reader->faults == faults; i++) {
        const int32_t *corners = PLOY_ARRAY_ITEMS(&obj->corners, int32_t) + first;
        int32_t triangle[3] = {corners[0], corners[i], corners[i + 1]};
        result = ploy_array_push_many(&obj->triangles, triangle, 3);
    }
    return result;
}

static bool obj_known(const obj_reader *reader) {
    static const char *const words[] = {
        "vt",     "vn",       "vp",       "l",          "p",        "o",     "g",    "s",
        "mg",     "usemtl",   "mtllib",   "deg",        "bmat",     "step",  "curv", "curv2",
        "surf",   "parm",     "trim",     "hole",       "scrv",     "sp",    "end",  "con",
        "bevel",  "c_interp", "d_interp", "lod",        "ctech",    "stech", "csh",  "call",
        "cstype", "usemap",   "maplib",   "shadow_obj", "trace_obj"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (obj_word_is(reader, words[i])) return true;
    }
    return false;
}

static ploy_result obj_read(obj_reader *reader, ploy_obj *obj) {
    ploy_result result = PLOY_OK;
    for (; reader->at < reader->size && result == PLOY_OK; obj_next_line(reader)) {
        if (reader->faults >= OBJ_FAULTS_MAX) break;
        if (!obj_word(reader)) continue;
        if (obj_word_is(reader, "v")) {
            result = obj_vertex(reader, obj);
        } else if (obj_word_is(reader, "f")) {
            result = obj_face(reader, obj);
        } else if (!obj_known(reader)) {
            obj_fault(reader, "unknown keyword", "v, f or another OBJ keyword");
        }
        if (obj->vertices.count > OBJ_ITEMS_MAX || obj->corners.count > OBJ_ITEMS_MAX) {
            obj_fault(reader, "too many vertices or corners", NULL);
            return PLOY_ERR_LIMIT;
        }
    }
    if (result == PLOY_OK && reader->faults == 0 && obj->sizes.count == 0) {
        obj_fault_at(reader, reader->line, obj_column(reader), "missing faces",
                     "a line 'f' with its corners");
    }
    return result == PLOY_OK && reader->faults > 0 ? PLOY_ERR_FORMAT : result;
}

// ---- the whole ----

ploy_result ploy_obj_load(const void *bytes, size_t size, ploy_axes axes, const char *name,
                          const ploy_env *env, ploy_diags *diags, ploy_obj **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL || (int32_t)axes < 0 || axes >= PLOY_AXES_COUNT) return PLOY_ERR_ARGUMENT;
    ploy_obj *obj = ploy_env_alloc_zero(env, sizeof *obj);
    if (obj == NULL) return PLOY_ERR_MEMORY;
    obj->env = *env;
    ploy_array_init(&obj->vertices, sizeof(ploy_vec3), env);
    ploy_array_init(&obj->sizes, sizeof(int32_t), env);
    ploy_array_init(&obj->corners, sizeof(int32_t), env);
    ploy_array_init(&obj->triangles, sizeof(int32_t), env);
    obj_reader reader;
    memset(&reader, 0, sizeof reader);
    reader.bytes = bytes;
    reader.size = bytes != NULL ? size : 0;
    reader.line = 1;
    reader.name = name != NULL ? name : "";
    reader.diags = diags;
    reader.adapter = ploy_adapter_make(axes, 1.0f);
    ploy_result result = obj_read(&reader, obj);
    if (result == PLOY_OK) {
        *out = obj;
    } else {
        ploy_obj_destroy(obj);
    }
    return result;
}

void ploy_obj_destroy(ploy_obj *obj) {
    if (obj == NULL) return;
    ploy_env env = obj->env;
    ploy_array_fini(&obj->triangles);
    ploy_array_fini(&obj->corners);
    ploy_array_fini(&obj->sizes);
    ploy_array_fini(&obj->vertices);
    ploy_env_free(&env, obj, sizeof *obj);
}

ploy_obj_view ploy_obj_get(const ploy_obj *obj) {
    ploy_obj_view view;
    view.vertices = PLOY_ARRAY_ITEMS(&obj->vertices, ploy_vec3);
    view.vertex_count = obj->vertices.count;
    view.sizes = PLOY_ARRAY_ITEMS(&obj->sizes, int32_t);
    view.face_count = obj->sizes.count;
    view.corners = PLOY_ARRAY_ITEMS(&obj->corners, int32_t);
    view.corner_count = obj->corners.count;
    view.triangles = PLOY_ARRAY_ITEMS(&obj->triangles, int32_t);
    view.triangle_count = obj->triangles.count / 3;
    return view;
}

ploy_navmesh_soup ploy_obj_soup(const ploy_obj *obj) {
    ploy_obj_view view = ploy_obj_get(obj);
    ploy_navmesh_soup soup;
    memset(&soup, 0, sizeof soup);
    soup.vertices = view.vertices;
    soup.vertex_count = view.vertex_count;
    soup.sizes = view.sizes;
    soup.polygon_count = view.face_count;
    soup.corners = view.corners;
    soup.corner_count = view.corner_count;
    return soup;
}
