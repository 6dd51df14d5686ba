// Navigation meshes as bytes.
//
//     8 bytes   "ploynav" and a zero
//     u32       version
//     f32 x 2   weld, step_height
//     u32 x 6   vertices, polygons, corners, links, vertices and triangles of the detail
//     12 each   vertices: f32 x 3
//     15 each   polygons: u32 number of corners, u8 area, u16 flags, f32 clearance (infinite: any),
//               u32 number of triangles
//     5 each    corners: u32 vertex, u8 1 for a wall by force
//     64 each   links: f32 x 7 (from, to, cost), u32 x 5 (two_way, area, flags, the two polygons),
//               u64 kind, u64 id
//     12 each   vertices of the detail: f32 x 3
//     12 each   triangles of the detail: u32 x 3
//     u64       XXH64 of all before
//
// Older versions are read: version 1 has four counts, and polygons of 7 bytes without clearance and
// triangles; version 2 the clearance, too.
//
// All little-endian. Neighbours, islands and boxes are not stored: a loader that builds them again
// with the builder's own checks has nothing to trust.
#include <string.h>

#include "path/navmesh_internal.h"
#include "ploy/base/hash.h"

static const char navfile_versions[] = "1 to 3"; // that are read
enum { NAVFILE_VERSION = 3, NAVFILE_LINK = 64, NAVFILE_COUNTS = 6 };

// What versions differ in.
typedef struct navfile_form {
    int32_t counts;  // in the head
    int32_t polygon; // bytes of one
    bool clearance;  // of polygons
    bool detail;
} navfile_form;

static navfile_form navfile_form_of(uint64_t version) {
    navfile_form form = {version < 3 ? 4 : 6,
                         version < 2   ? 7
                         : version < 3 ? 11
                                       : 15,
                         version >= 2, version >= 3};
    return form;
}

static const char navfile_magic[8] = "ploynav";

// ---- writing ----

typedef struct navfile_out {
    ploy_writer *writer;
    ploy_hasher hasher;
} navfile_out;

static void navfile_put(navfile_out *out, uint64_t value, size_t size) {
    unsigned char bytes[8];
    for (size_t i = 0; i < size; i++) bytes[i] = (unsigned char)(value >> (8 * i));
    ploy_hasher_add(&out->hasher, bytes, size);
    ploy_write_bytes(out->writer, bytes, size);
}

static void navfile_put_f32(navfile_out *out, float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    navfile_put(out, bits, 4);
}

static void navfile_put_vec3(navfile_out *out, ploy_vec3 value) {
    navfile_put_f32(out, value.x);
    navfile_put_f32(out, value.y);
    navfile_put_f32(out, value.z);
}

static void navfile_put_link(navfile_out *out, const ploy_navmesh *mesh, int32_t i) {
    const ploy_navmesh_link *link = &mesh->links[i];
    navfile_put_vec3(out, link->from);
    navfile_put_vec3(out, link->to);
    navfile_put_f32(out, link->cost);
    navfile_put(out, link->two_way, 4);
    navfile_put(out, link->area, 4);
    navfile_put(out, link->flags, 4);
    navfile_put(out, (uint32_t)mesh->link_polygons[2 * i], 4);
    navfile_put(out, (uint32_t)mesh->link_polygons[2 * i + 1], 4);
    navfile_put(out, link->kind.hash, 8);
    navfile_put(out, ploy_id_to_u64(link->id), 8);
}

ploy_result ploy_navmesh_save(const ploy_navmesh *mesh, ploy_writer *writer) {
    const ploy_navmesh_stats *stats = &mesh->stats;
    bool detailed = stats->details > 0;
    navfile_out out;
    out.writer = writer;
    ploy_hasher_init(&out.hasher, 0);
    for (size_t i = 0; i < sizeof navfile_magic; i++) {
        navfile_put(&out, (unsigned char)navfile_magic[i], 1);
    }
    navfile_put(&out, NAVFILE_VERSION, 4);
    navfile_put_f32(&out, mesh->def.weld);
    navfile_put_f32(&out, mesh->def.step_height);
    navfile_put(&out, (uint32_t)stats->vertices, 4);
    navfile_put(&out, (uint32_t)stats->polygons, 4);
    navfile_put(&out, (uint32_t)stats->edges, 4);
    navfile_put(&out, (uint32_t)stats->links, 4);
    navfile_put(&out, detailed ? (uint32_t)mesh->detail_vertex_count : 0, 4);
    navfile_put(&out, (uint32_t)stats->details, 4);
    for (int32_t i = 0; i < stats->vertices; i++) navfile_put_vec3(&out, mesh->vertices[i]);
    for (int32_t i = 0; i < stats->polygons; i++) {
        const ployi_nav_polygon *p = &mesh->polygons[i];
        navfile_put(&out, (uint32_t)ployi_nav_count(p), 4);
        navfile_put(&out, p->area, 1);
        navfile_put(&out, p->flags, 2);
        navfile_put_f32(&out, ployi_nav_fits(mesh, i));
        navfile_put(&out, (uint32_t)(p[1].first_detail - p->first_detail), 4);
    }
    for (int32_t i = 0; i < stats->edges; i++) {
        navfile_put(&out, (uint32_t)mesh->edges[i].vertex, 4);
        navfile_put(&out, mesh->closed != NULL ? mesh->closed[i] : 0, 1);
    }
    for (int32_t i = 0; i < stats->links; i++) navfile_put_link(&out, mesh, i);
    for (int32_t i = 0; detailed && i < mesh->detail_vertex_count; i++) {
        navfile_put_vec3(&out, mesh->detail_vertices[i]);
    }
    for (int32_t i = 0; i < 3 * stats->details; i++) {
        navfile_put(&out, (uint32_t)(ployi_nav_detail(mesh, i) - mesh->detail_vertices), 4);
    }
    navfile_put(&out, ploy_hasher_result(&out.hasher), 8);
    return ploy_writer_result(writer);
}

// ---- reading ----

// Bytes while they are read; their number was checked before.
typedef struct navfile_in {
    const unsigned char *at;
} navfile_in;

static uint64_t navfile_get(navfile_in *in, size_t size) {
    uint64_t value = 0;
    for (size_t i = 0; i < size; i++) value |= (uint64_t)in->at[i] << (8 * i);
    in->at += size;
    return value;
}

static float navfile_get_f32(navfile_in *in) {
    uint32_t bits = (uint32_t)navfile_get(in, 4);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static ploy_vec3 navfile_get_vec3(navfile_in *in) {
    float x = navfile_get_f32(in), y = navfile_get_f32(in), z = navfile_get_f32(in);
    return ploy_vec3_make(x, y, z);
}

// A count as the soup has them: what does not fit becomes -1, which the builder refuses.
static int32_t navfile_get_i32(navfile_in *in) {
    uint64_t value = navfile_get(in, 4);
    return value <= INT32_MAX ? (int32_t)value : -1;
}

// @param at  the byte where it goes wrong, reported as a column of line 1.
static ploy_result navfile_fault(ploy_diags *diags, const char *name, size_t at, ploy_result code,
                                 const char *message) {
    int32_t column = at < INT32_MAX ? (int32_t)at + 1 : INT32_MAX;
    ploy_diags_add(diags, PLOY_SEVERITY_ERROR, code, name, 1, column, message, NULL, NULL);
    return code;
}

static ploy_result navfile_check(const unsigned char *bytes, size_t size, const char *name,
                                 ploy_diags *diags, uint64_t counts[NAVFILE_COUNTS],
                                 navfile_form *form) {
    if (bytes == NULL || size < sizeof navfile_magic + 4 ||
        memcmp(bytes, navfile_magic, sizeof navfile_magic) != 0) {
        return navfile_fault(diags, name, 0, PLOY_ERR_FORMAT, "invalid navigation mesh");
    }
    navfile_in in = {bytes + sizeof navfile_magic};
    uint64_t version = navfile_get(&in, 4);
    *form = navfile_form_of(version);
    if (version < 1 || version > NAVFILE_VERSION) {
        ploy_diags_add(diags, PLOY_SEVERITY_ERROR, PLOY_ERR_VERSION, name, 1, 9,
                       "unsupported version of the mesh", navfile_versions, NULL);
        return PLOY_ERR_VERSION;
    }
    uint64_t want = 20 + 4 * (uint64_t)form->counts + 8;
    if (size >= want) {
        const uint64_t each[NAVFILE_COUNTS] = {12, (uint64_t)form->polygon, 5, NAVFILE_LINK, 12,
                                               12};
        in.at += 8;
        for (int32_t i = 0; i < form->counts; i++) {
            counts[i] = navfile_get(&in, 4); // below 2^32 each, so no sum overflows
            want += counts[i] * each[i];
        }
    }
    if (size != want) {
        return navfile_fault(diags, name, size < want ? size : (size_t)want, PLOY_ERR_FORMAT,
                             "wrong size of the mesh");
    }
    in.at = bytes + size - 8;
    if (navfile_get(&in, 8) != ploy_hash_bytes(bytes, size - 8, 0)) {
        return navfile_fault(diags, name, size - 8, PLOY_ERR_FORMAT, "wrong checksum");
    }
    return PLOY_OK;
}

// The arrays in scratch memory, and the mesh made of them.
static ploy_result navfile_read(navfile_in *in, const ploy_navmesh_def *def,
                                const uint64_t counts[NAVFILE_COUNTS], const navfile_form *form,
                                ploy_arena *scratch, const ploy_env *env, ploy_diags *diags,
                                ploy_navmesh **out) {
    int64_t vertex_count = (int64_t)counts[0], polygon_count = (int64_t)counts[1];
    int64_t corner_count = (int64_t)counts[2], link_count = (int64_t)counts[3];
    int64_t detail_count = (int64_t)counts[4], triangle_count = (int64_t)counts[5];
    ploy_vec3 *vertices = ploy_arena_alloc_array(scratch, vertex_count, sizeof *vertices);
    int32_t *sizes = ploy_arena_alloc_array(scratch, polygon_count, sizeof *sizes);
    uint8_t *areas = ploy_arena_alloc_array(scratch, polygon_count, sizeof *areas);
    uint16_t *flags = ploy_arena_alloc_array(scratch, polygon_count, sizeof *flags);
    float *clearances = ploy_arena_alloc_array(scratch, polygon_count, sizeof *clearances);
    int32_t *corners = ploy_arena_alloc_array(scratch, corner_count, sizeof *corners);
    uint8_t *closed = ploy_arena_alloc_array(scratch, corner_count, sizeof *closed);
    ploy_navmesh_link *links = ploy_arena_alloc_array(scratch, link_count, sizeof *links);
    int32_t *ends = ploy_arena_alloc_array(scratch, 2 * link_count, sizeof *ends);
    ploy_vec3 *ground = ploy_arena_alloc_array(scratch, detail_count, sizeof *ground);
    int32_t *ground_sizes = ploy_arena_alloc_array(scratch, polygon_count, sizeof *ground_sizes);
    int32_t *triangles = ploy_arena_alloc_array(scratch, 3 * triangle_count, sizeof *triangles);
    if (vertices == NULL || sizes == NULL || areas == NULL || flags == NULL || clearances == NULL ||
        corners == NULL || closed == NULL || links == NULL || ends == NULL || ground == NULL ||
        ground_sizes == NULL || triangles == NULL) {
        return PLOY_ERR_MEMORY;
    }
    for (int64_t i = 0; i < vertex_count; i++) vertices[i] = navfile_get_vec3(in);
    for (int64_t i = 0; i < polygon_count; i++) {
        sizes[i] = navfile_get_i32(in);
        areas[i] = (uint8_t)navfile_get(in, 1);
        flags[i] = (uint16_t)navfile_get(in, 2);
        clearances[i] = form->clearance ? navfile_get_f32(in) : INFINITY;
        ground_sizes[i] = form->detail ? navfile_get_i32(in) : 0;
    }
    for (int64_t i = 0; i < corner_count; i++) {
        corners[i] = navfile_get_i32(in);
        closed[i] = (uint8_t)navfile_get(in, 1) != 0;
    }
    for (int64_t i = 0; i < link_count; i++) {
        links[i].from = navfile_get_vec3(in);
        links[i].to = navfile_get_vec3(in);
        links[i].cost = navfile_get_f32(in);
        links[i].two_way = (uint32_t)navfile_get(in, 4);
        links[i].area = (uint32_t)navfile_get(in, 4);
        links[i].flags = (uint32_t)navfile_get(in, 4);
        ends[2 * i] = navfile_get_i32(in);
        ends[2 * i + 1] = navfile_get_i32(in);
        links[i].kind.hash = navfile_get(in, 8);
        links[i].id = ploy_id_from_u64(navfile_get(in, 8));
    }
    for (int64_t i = 0; i < detail_count; i++) ground[i] = navfile_get_vec3(in);
    for (int64_t i = 0; i < 3 * triangle_count; i++) triangles[i] = navfile_get_i32(in);
    ploy_navmesh_detail detail = {ground, (int32_t)detail_count, ground_sizes, triangles,
                                  (int32_t)triangle_count};
    ploy_navmesh_soup soup = {vertices,
                              (int32_t)vertex_count,
                              sizes,
                              (int32_t)polygon_count,
                              corners,
                              (int32_t)corner_count,
                              areas,
                              flags,
                              closed,
                              links,
                              (int32_t)link_count,
                              clearances,
                              &detail};
    return ployi_nav_build(def, &soup, ends, NULL, env, diags, out);
}

ploy_result ploy_navmesh_load(const void *bytes, size_t size, const char *name, const ploy_env *env,
                              ploy_diags *diags, ploy_navmesh **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    uint64_t counts[NAVFILE_COUNTS] = {0, 0, 0, 0, 0, 0};
    navfile_form form;
    ploy_result result = navfile_check(bytes, size, name, diags, counts, &form);
    if (result != PLOY_OK) return result;
    for (int32_t i = 0; i < NAVFILE_COUNTS; i++) {
        if (counts[i] <= PLOY_NAVMESH_CORNERS_MAX) continue;
        return navfile_fault(diags, name, 20, PLOY_ERR_FORMAT, "mesh is too large");
    }
    navfile_in in = {(const unsigned char *)bytes + sizeof navfile_magic + 4};
    ploy_navmesh_def def = ploy_navmesh_def_default();
    def.weld = navfile_get_f32(&in);
    def.step_height = navfile_get_f32(&in);
    in.at += 4 * form.counts;
    if (ploy_fields_check_diags(ploy_navmesh_fields(), &def, name, diags) != PLOY_OK) {
        return PLOY_ERR_FORMAT;
    }
    ploy_arena *scratch = NULL;
    result = ploy_arena_create(0, 0, env, &scratch);
    if (result == PLOY_OK) {
        result = navfile_read(&in, &def, counts, &form, scratch, env, diags, out);
    }
    ploy_arena_destroy(scratch);
    // What the builder refuses is the data's fault here.
    return result == PLOY_ERR_ARGUMENT || result == PLOY_ERR_LIMIT ? PLOY_ERR_FORMAT : result;
}
