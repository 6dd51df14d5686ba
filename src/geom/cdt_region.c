// Which triangles count as inside.
#include "geom/cdt_internal.h"

#include "geom/geom_internal.h"

#include <string.h>

// Marks of a flood, above the one of waiting triangles: none of them outlives a call.
enum { CDT_REGION_SEEN = 2 };

// A border of a part: the triangle beyond it, and the count there as seen from here.
typedef struct cdt_region_border {
    int32_t triangle, count;
} cdt_region_border;

// Scratch of a fill, all in one block: a part for each triangle; for each part its count and layer;
// and the borders, two for each piece and one for each edge of the hull at most.
typedef struct cdt_region_parts {
    int32_t *part;  // of a triangle
    int32_t *count; // of a part: how often the constraints go round it
    int32_t *layer; // of a part: borders to the outside, -1 if not known yet
    int32_t *first; // of a part: one of its triangles
    cdt_region_border *borders;
} cdt_region_parts;

// How a count changes over edge i of a triangle, from within to beyond.
static int32_t cdt_region_change(const ployi_cdt_mesh *mesh, const ploy_cdt_triangle *t, int32_t i,
                                 ploy_fill fill) {
    if ((t->flags >> i & 1u) == 0) return 0;
    int32_t from = t->corner[ployi_cdt_after(i)], to = t->corner[ployi_cdt_before(i)];
    uint64_t key = from < to ? ployi_cdt_key(from, to) : ployi_cdt_key(to, from);
    const ployi_cdt_piece *piece = ploy_map_get(&mesh->pieces, key);
    PLOY_ASSERT(piece != NULL);
    if (fill == PLOY_FILL_EVEN_ODD) return piece->count & 1;
    // Within lies to the left of from -> to: leaving over it takes its direction's turns away.
    return from < to ? -piece->turn : piece->turn;
}

static int32_t cdt_region_add(int32_t count, int32_t change, ploy_fill fill) {
    return fill == PLOY_FILL_EVEN_ODD ? count ^ change : count + change;
}

// Numbers the parts: triangles that reach each other without crossing a constraint.
static int32_t cdt_region_number(ployi_cdt_mesh *mesh, cdt_region_parts *parts) {
    int32_t count = 0;
    for (int32_t t = 0; t < mesh->triangle_count; t++) parts->part[t] = -1;
    for (int32_t seed = 0; seed < mesh->triangle_count; seed++) {
        if (parts->part[seed] >= 0) continue;
        int32_t waiting = 0;
        parts->part[seed] = count;
        parts->first[count] = seed;
        parts->layer[count] = -1;
        mesh->work[waiting++] = seed;
        while (waiting > 0) {
            const ploy_cdt_triangle *t = &mesh->triangles[mesh->work[--waiting]];
            for (int32_t i = 0; i < 3; i++) {
                int32_t beyond = t->neighbour[i];
                if (beyond < 0 || (t->flags >> i & 1u) != 0 || parts->part[beyond] >= 0) continue;
                parts->part[beyond] = count;
                mesh->work[waiting++] = beyond;
            }
        }
        count++;
    }
    return count;
}

// Notes the borders of a part whose count is known, to parts that are not. Walks the part again,
// with marks this time.
static int32_t cdt_region_borders(ployi_cdt_mesh *mesh, cdt_region_parts *parts, int32_t part,
                                  ploy_fill fill, int32_t border_count) {
    int32_t waiting = 0;
    mesh->work[waiting++] = parts->first[part];
    mesh->marks[parts->first[part]] |= CDT_REGION_SEEN;
    while (waiting > 0) {
        const ploy_cdt_triangle *t = &mesh->triangles[mesh->work[--waiting]];
        for (int32_t i = 0; i < 3; i++) {
            int32_t beyond = t->neighbour[i];
            if (beyond < 0) continue;
            if (parts->part[beyond] == part) {
                if ((t->flags >> i & 1u) != 0 || mesh->marks[beyond] != 0) continue;
                mesh->marks[beyond] |= CDT_REGION_SEEN;
                mesh->work[waiting++] = beyond;
            } else if (parts->layer[parts->part[beyond]] < 0) {
                cdt_region_border border = {
                    beyond,
                    cdt_region_add(parts->count[part], cdt_region_change(mesh, t, i, fill), fill)};
                parts->borders[border_count++] = border;
            }
        }
    }
    return border_count;
}

// Layer by layer from the outside. A part takes the highest count that a border of the layer before
// gives it: where the constraints are rings all agree, and where they are not, the order in which
// triangles happen to lie must not matter.
static void cdt_region_count(ployi_cdt_mesh *mesh, cdt_region_parts *parts, int32_t part_count,
                             ploy_fill fill) {
    int32_t done = 0, known = 0;
    for (int32_t index = 0; index < mesh->triangle_count; index++) {
        const ploy_cdt_triangle *t = &mesh->triangles[index];
        for (int32_t i = 0; i < 3; i++) {
            if (t->neighbour[i] >= 0) continue;
            if ((t->flags >> i & 1u) == 0) { // no border: the part belongs to the outside
                parts->layer[parts->part[index]] = 0;
                parts->count[parts->part[index]] = 0;
                continue;
            }
            int32_t change = cdt_region_change(mesh, t, i, fill);
            cdt_region_border border = {index, fill == PLOY_FILL_EVEN_ODD ? change : -change};
            parts->borders[known++] = border;
        }
    }
    for (int32_t part = 0; part < part_count; part++) {
        if (parts->layer[part] == 0) known = cdt_region_borders(mesh, parts, part, fill, known);
    }
    for (int32_t layer = 1; done < known; layer++) {
        int32_t end = known;
        for (int32_t k = done; k < end; k++) {
            cdt_region_border border = parts->borders[k];
            int32_t part = parts->part[border.triangle];
            if (parts->layer[part] < 0) {
                parts->layer[part] = layer;
                parts->count[part] = border.count;
            } else if (parts->layer[part] == layer && border.count > parts->count[part]) {
                parts->count[part] = border.count;
            }
        }
        for (int32_t k = done; k < end; k++) {
            int32_t part = parts->part[parts->borders[k].triangle];
            if (mesh->marks[parts->first[part]] != 0) continue;
            known = cdt_region_borders(mesh, parts, part, fill, known);
        }
        done = end;
    }
}

static void cdt_region_mark(ploy_cdt_triangle *triangle, bool inside) {
    if (inside) {
        triangle->flags |= PLOY_CDT_INSIDE;
    } else {
        triangle->flags &= ~(uint32_t)PLOY_CDT_INSIDE;
    }
}

ploy_result ployi_cdt_fill(ploy_cdt *cdt, ployi_cdt_mesh *mesh, ploy_fill fill) {
    if (fill != PLOY_FILL_EVEN_ODD && fill != PLOY_FILL_NON_ZERO) return PLOY_ERR_ARGUMENT;
    int32_t triangles = mesh->triangle_count;
    // Four numbers a triangle, and two for each border: pieces from both sides, and the hull's
    // edges, fewer than there are vertices.
    int64_t borders = 2 * (int64_t)mesh->pieces.count + mesh->alive;
    int64_t numbers = 4 * (int64_t)triangles + 2 * borders;
    if (numbers > INT32_MAX) return PLOY_ERR_MEMORY;
    if (cdt->numbers.count < (int32_t)numbers) {
        ploy_result result = ploy_array_resize(&cdt->numbers, (int32_t)numbers);
        if (result != PLOY_OK) return result;
    }
    mesh->bounded = true;
    if (triangles == 0) return PLOY_OK;
    cdt_region_parts parts;
    parts.part = PLOY_ARRAY_ITEMS(&cdt->numbers, int32_t);
    parts.count = parts.part + triangles;
    parts.layer = parts.count + triangles;
    parts.first = parts.layer + triangles;
    parts.borders = (cdt_region_border *)(void *)(parts.first + triangles);
    cdt_region_count(mesh, &parts, cdt_region_number(mesh, &parts), fill);
    memset(mesh->marks, 0, (size_t)triangles);
    for (int32_t t = 0; t < triangles; t++) {
        cdt_region_mark(&mesh->triangles[t], parts.count[parts.part[t]] != 0);
    }
    return PLOY_OK;
}

ploy_result ploy_cdt_fill(ploy_cdt *cdt, ploy_fill fill) {
    return ployi_cdt_fill(cdt, &cdt->mesh, fill);
}

void ployi_cdt_fill_all(ploy_cdt *cdt, bool inside) {
    cdt->mesh.bounded = !inside;
    for (int32_t t = 0; t < cdt->mesh.triangle_count; t++) {
        cdt_region_mark(&cdt->mesh.triangles[t], inside);
    }
}

// Lets a triangle wait if the flood has not been there.
static void cdt_region_reach(ployi_cdt_mesh *mesh, int32_t triangle) {
    if (triangle < 0 || mesh->marks[triangle] != 0) return;
    mesh->marks[triangle] = CDT_REGION_SEEN;
    mesh->work[mesh->work_count++] = triangle;
}

ploy_result ploy_cdt_flood(ploy_cdt *cdt, const ploy_vec2 *seeds, int32_t count, bool inside) {
    ployi_cdt_mesh *mesh = &cdt->mesh;
    if (count < 0 || (count > 0 && seeds == NULL)) return PLOY_ERR_ARGUMENT;
    for (int32_t i = 0; i < count; i++) {
        if (!ploy_vec2_is_finite(seeds[i])) return PLOY_ERR_ARGUMENT;
    }
    mesh->bounded = true;
    if (mesh->triangle_count == 0) return PLOY_OK;
    ploy_cdt_location at = {PLOY_CDT_OUTSIDE, -1, 0, -1};
    for (int32_t i = 0; i < count; i++) {
        at = ployi_cdt_locate(mesh, seeds[i], -1);
        if (at.place == PLOY_CDT_OUTSIDE) continue;
        cdt_region_reach(mesh, at.triangle);
        if (at.place == PLOY_CDT_ON_EDGE) {
            cdt_region_reach(mesh, mesh->triangles[at.triangle].neighbour[at.index]);
        } else if (at.place == PLOY_CDT_ON_VERTEX) {
            for (ploy_cdt_fan fan = ploy_cdt_fan_begin(cdt, at.vertex); fan.triangle >= 0;
                 ploy_cdt_fan_next(cdt, &fan)) {
                cdt_region_reach(mesh, fan.triangle);
            }
        }
    }
    while (mesh->work_count > 0) {
        ploy_cdt_triangle *t = &mesh->triangles[mesh->work[--mesh->work_count]];
        cdt_region_mark(t, inside);
        for (int32_t i = 0; i < 3; i++) {
            if ((t->flags >> i & 1u) == 0) cdt_region_reach(mesh, t->neighbour[i]);
        }
    }
    memset(mesh->marks, 0, (size_t)mesh->triangle_count);
    return PLOY_OK;
}
