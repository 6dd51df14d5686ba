// Constrained Delaunay triangulations: life cycle and looking. What changes them is in the files
// beside this one; the invariants are listed in cdt_internal.h.
#include "ploy/geom/cdt.h"

#include "geom/geom_internal.h"

#include "geom/cdt_internal.h"
#include "ploy/base/hash.h"

#include <string.h>

static const ploy_field cdt_fields[] = {
    PLOY_FIELD_I32_FIXED(ploy_cdt_def, capacity, 64, 0, PLOY_CDT_MAX, "",
                         "vertices there is room for from the start"),
};

ploy_fields ploy_cdt_fields(void) {
    return PLOY_FIELDS(ploy_cdt_def, cdt_fields);
}

ploy_cdt_def ploy_cdt_def_default(void) {
    ploy_cdt_def def;
    ploy_fields_default(ploy_cdt_fields(), &def);
    return def;
}

ploy_result ploy_cdt_create(const ploy_cdt_def *def, const ploy_env *env, ploy_cdt **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_cdt_fields(), def, env);
    if (result != PLOY_OK) return result;
    ploy_cdt *cdt = ploy_env_alloc_zero(env, sizeof *cdt);
    if (cdt == NULL) return PLOY_ERR_MEMORY;
    cdt->env = *env;
    cdt->def = *def;
    ployi_cdt_mesh_init(&cdt->mesh, env);
    ployi_cdt_mesh_init(&cdt->spare, env);
    ploy_array_init(&cdt->links, sizeof(ployi_cdt_link), env);
    ploy_array_init(&cdt->numbers, sizeof(int32_t), env);
    ploy_array_init(&cdt->keys, sizeof(uint64_t), env);
    result = ployi_cdt_mesh_reserve(&cdt->mesh, def->capacity);
    if (result == PLOY_OK) result = ployi_cdt_hints_reserve(&cdt->mesh, def->capacity);
    if (result != PLOY_OK) {
        ploy_cdt_destroy(cdt);
        return result;
    }
    *out = cdt;
    return PLOY_OK;
}

void ploy_cdt_destroy(ploy_cdt *cdt) {
    if (cdt == NULL) return;
    ploy_env env = cdt->env;
    ploy_array_fini(&cdt->keys);
    ploy_array_fini(&cdt->numbers);
    ploy_array_fini(&cdt->links);
    ployi_cdt_mesh_fini(&cdt->spare);
    ployi_cdt_mesh_fini(&cdt->mesh);
    ploy_env_free(&env, cdt, sizeof *cdt);
}

void ploy_cdt_clear(ploy_cdt *cdt) {
    ployi_cdt_mesh_clear(&cdt->mesh);
}

int32_t ploy_cdt_input_vertex(const ploy_cdt *cdt, int32_t index) {
    const int32_t *vertex = ploy_array_at(&cdt->mesh.inputs, index);
    return vertex == NULL ? -1 : *vertex;
}

ploy_cdt_view ploy_cdt_get(const ploy_cdt *cdt) {
    ploy_cdt_view view = {cdt->mesh.triangles, cdt->mesh.triangle_count, cdt->mesh.points,
                          cdt->mesh.slots};
    return view;
}

int32_t ploy_cdt_vertex_count(const ploy_cdt *cdt) {
    return cdt->mesh.alive;
}

int32_t ploy_cdt_triangle_count(const ploy_cdt *cdt) {
    return cdt->mesh.triangle_count;
}

int32_t ploy_cdt_edge_count(const ploy_cdt *cdt) {
    return cdt->mesh.edges.count;
}

bool ploy_cdt_has_vertex(const ploy_cdt *cdt, int32_t vertex) {
    return vertex >= 0 && vertex < cdt->mesh.slots &&
           cdt->mesh.vertices[vertex].triangle != PLOYI_CDT_GONE;
}

int32_t ployi_cdt_vertex_triangle(const ploy_cdt *cdt, int32_t vertex) {
    if (!ploy_cdt_has_vertex(cdt, vertex)) return -1;
    return cdt->mesh.vertices[vertex].triangle;
}

ploy_vec2 ploy_cdt_point(const ploy_cdt *cdt, int32_t vertex) {
    return ploy_cdt_has_vertex(cdt, vertex) ? cdt->mesh.points[vertex] : ploy_vec2_make(0.0f, 0.0f);
}

int32_t ploy_cdt_edges(const ploy_cdt *cdt, ploy_cdt_edge *out, int32_t capacity) {
    int32_t cursor = 0, count = 0;
    uint64_t key;
    while (ploy_map_next(&cdt->mesh.edges, &cursor, &key, NULL)) {
        if (count < capacity) {
            ploy_cdt_edge edge = {ployi_cdt_key_from(key), ployi_cdt_key_to(key)};
            out[count] = edge;
        }
        count++;
    }
    return count;
}

ploy_cdt_fan ploy_cdt_fan_begin(const ploy_cdt *cdt, int32_t vertex) {
    const ploy_cdt_triangle *triangles = cdt->mesh.triangles;
    ploy_cdt_fan fan = {-1, 0, -1};
    int32_t start = ployi_cdt_vertex_triangle(cdt, vertex);
    if (start < 0) return fan;
    int32_t at = start, corner;
    for (;;) { // clockwise to the hull, or once round
        corner = ployi_cdt_corner(&triangles[at], vertex);
        int32_t beyond = triangles[at].neighbour[ployi_cdt_before(corner)];
        if (beyond < 0) break;
        at = beyond;
        if (at == start) {
            corner = ployi_cdt_corner(&triangles[at], vertex);
            break;
        }
    }
    fan.triangle = fan.first = at;
    fan.corner = corner;
    return fan;
}

void ploy_cdt_fan_next(const ploy_cdt *cdt, ploy_cdt_fan *fan) {
    if (fan->triangle < 0) return;
    const ploy_cdt_triangle *t = &cdt->mesh.triangles[fan->triangle];
    int32_t vertex = t->corner[fan->corner];
    int32_t beyond = t->neighbour[ployi_cdt_after(fan->corner)];
    fan->triangle = beyond == fan->first ? -1 : beyond;
    if (fan->triangle >= 0) {
        fan->corner = ployi_cdt_corner(&cdt->mesh.triangles[fan->triangle], vertex);
    }
}

bool ploy_cdt_find_edge(const ploy_cdt *cdt, int32_t from, int32_t to, int32_t *triangle,
                        int32_t *index) {
    for (ploy_cdt_fan fan = ploy_cdt_fan_begin(cdt, from); fan.triangle >= 0;
         ploy_cdt_fan_next(cdt, &fan)) {
        const ploy_cdt_triangle *t = &cdt->mesh.triangles[fan.triangle];
        int32_t after = ployi_cdt_after(fan.corner), before = ployi_cdt_before(fan.corner);
        int32_t edge;
        if (t->corner[after] == to) {
            edge = before; // from -> to, the triangle on its left
        } else if (t->corner[before] == to && t->neighbour[after] < 0) {
            edge = after; // to -> from, on the hull: there is no other
        } else {
            continue;
        }
        if (triangle != NULL) *triangle = fan.triangle;
        if (index != NULL) *index = edge;
        return true;
    }
    return false;
}

int32_t ployi_cdt_hull(const ploy_cdt *cdt, int32_t *out, int32_t capacity) {
    const ployi_cdt_mesh *mesh = &cdt->mesh;
    int32_t start = -1, lowest = -1;
    for (int32_t t = 0; t < mesh->triangle_count; t++) {
        for (int32_t i = 0; i < 3; i++) {
            if (mesh->triangles[t].neighbour[i] >= 0) continue;
            int32_t from = mesh->triangles[t].corner[ployi_cdt_after(i)];
            if (lowest >= 0 && !ployi_cdt_less(mesh->points[from], mesh->points[lowest])) continue;
            lowest = from;
            start = t * 3 + i;
        }
    }
    if (start < 0) return 0;
    int32_t count = 0, half = start;
    do {
        if (count < capacity) {
            out[count] = mesh->triangles[half / 3].corner[ployi_cdt_after(half % 3)];
        }
        count++;
        half = ployi_cdt_hull_next(mesh, half);
    } while (half != start);
    return count;
}

// Everything that the future depends on, folded.
static uint64_t cdt_fold(const ployi_cdt_mesh *mesh) {
    uint64_t hash = mesh->bounded ? 1u : 0u;
    for (int32_t v = 0; v < mesh->slots; v++) {
        uint32_t x, y;
        memcpy(&x, &mesh->points[v].x, sizeof x);
        memcpy(&y, &mesh->points[v].y, sizeof y);
        hash = ploy_hash_combine(hash, (uint64_t)x << 32 | y);
        hash = ploy_hash_combine(hash,
                                 ployi_cdt_key(mesh->vertices[v].triangle, mesh->vertices[v].uses));
    }
    for (int32_t t = 0; t < mesh->triangle_count; t++) {
        const ploy_cdt_triangle *triangle = &mesh->triangles[t];
        for (int32_t i = 0; i < 3; i++) {
            hash =
                ploy_hash_combine(hash, ployi_cdt_key(triangle->corner[i], triangle->neighbour[i]));
        }
        hash = ploy_hash_combine(hash, triangle->flags);
    }
    int32_t cursor = 0;
    uint64_t key;
    void *value;
    while (ploy_map_next(&mesh->edges, &cursor, &key, &value)) {
        hash = ploy_hash_combine(hash, key);
        hash = ploy_hash_combine(hash, (uint64_t) * (const int32_t *)value);
    }
    return hash;
}

void ploy_cdt_describe(const ploy_cdt *cdt, ploy_describe *out) {
    const ployi_cdt_mesh *mesh = &cdt->mesh;
    int32_t inside = 0;
    for (int32_t t = 0; t < mesh->triangle_count; t++) {
        if ((mesh->triangles[t].flags & PLOY_CDT_INSIDE) != 0) inside++;
    }
    ploy_describe_i64(out, "vertices", PLOY_STATE, mesh->alive);
    ploy_describe_i64(out, "triangles", PLOY_STATE, mesh->triangle_count);
    ploy_describe_i64(out, "constraints", PLOY_STATE, mesh->edges.count);
    ploy_describe_i64(out, "next vertex", PLOY_STATE, mesh->free >= 0 ? mesh->free : mesh->slots);
    ploy_describe_u64(out, "mesh", PLOY_STATE, cdt_fold(mesh));
    ploy_describe_i64(out, "inside", PLOY_DERIVED, inside);
    ploy_describe_i64(out, "pieces", PLOY_DERIVED, mesh->pieces.count);
}

void ploy_cdt_draw(const ploy_cdt *cdt, ploy_draw *out) {
    const ployi_cdt_mesh *mesh = &cdt->mesh;
    const ploy_agent_id nobody = ploy_agent_id_none();
    if (ploy_draw_wants(out, PLOY_LAYER_REGIONS)) {
        for (int32_t t = 0; t < mesh->triangle_count; t++) {
            const ploy_cdt_triangle *triangle = &mesh->triangles[t];
            if ((triangle->flags & PLOY_CDT_INSIDE) == 0) continue;
            ploy_vec2 corners[3] = {mesh->points[triangle->corner[0]],
                                    mesh->points[triangle->corner[1]],
                                    mesh->points[triangle->corner[2]]};
            ploy_draw_polygon(out, PLOY_LAYER_REGIONS, PLOY_STYLE_FLOOR, nobody, corners, 3, 0.5f);
        }
    }
    for (int32_t pass = 0; pass < 2; pass++) { // walls over the rest
        ploy_layer layer = pass == 0 ? PLOY_LAYER_REGIONS : PLOY_LAYER_WORLD;
        if (!ploy_draw_wants(out, layer)) continue;
        for (int32_t t = 0; t < mesh->triangle_count; t++) {
            const ploy_cdt_triangle *triangle = &mesh->triangles[t];
            for (int32_t i = 0; i < 3; i++) {
                if (triangle->neighbour[i] > t) continue; // each edge once
                if ((triangle->flags >> i & 1u) != (uint32_t)pass) continue;
                ploy_draw_line(out, layer, pass == 0 ? PLOY_STYLE_GHOST : PLOY_STYLE_WALL, nobody,
                               mesh->points[triangle->corner[ployi_cdt_after(i)]],
                               mesh->points[triangle->corner[ployi_cdt_before(i)]]);
            }
        }
    }
}

// One mesh's blocks.
static void cdt_add_memory(const ployi_cdt_mesh *mesh, ploy_memory_item *item) {
    item->bytes += mesh->size + (size_t)mesh->hints.capacity * sizeof(int32_t) + mesh->pieces.size +
                   mesh->edges.size + (size_t)mesh->inputs.capacity * mesh->inputs.item_size;
    item->blocks += (mesh->size > 0) + (mesh->hints.capacity > 0) + (mesh->pieces.size > 0) +
                    (mesh->edges.size > 0) + (mesh->inputs.capacity > 0);
}

void ploy_cdt_memory(const ploy_cdt *cdt, ploy_memory_fn fn, void *user) {
    ploy_memory_item mesh = {"mesh", sizeof *cdt, 1}, spare = {"spare mesh", 0, 0};
    ploy_memory_item scratch = {"scratch", 0, 0};
    const ploy_array *arrays[3] = {&cdt->links, &cdt->numbers, &cdt->keys};
    for (int32_t i = 0; i < 3; i++) {
        scratch.bytes += (size_t)arrays[i]->capacity * arrays[i]->item_size;
        scratch.blocks += arrays[i]->capacity > 0;
    }
    cdt_add_memory(&cdt->mesh, &mesh);
    cdt_add_memory(&cdt->spare, &spare);
    fn(user, &mesh);
    fn(user, &spare);
    fn(user, &scratch);
}
