// Possible links between rooms.
#include "generate/generate_internal.h"
#include "generate/room_links_internal.h"
#include "ploy/geom/cdt.h"

#include <math.h>

int32_t ployi_rooms_apart(const ploy_plan_room *a, const ploy_plan_room *b) {
    int32_t dx = a->x < b->x ? b->x - a->x - a->width : a->x - b->x - b->width;
    int32_t dy = a->y < b->y ? b->y - a->y - a->height : a->y - b->y - b->height;
    return (dx > 0 ? dx : 0) + (dy > 0 ? dy : 0);
}

static ploy_vec2 room_links_middle(const ploy_plan_room *room) {
    return ploy_vec2_make((float)room->x + 0.5f * (float)room->width,
                          (float)room->y + 0.5f * (float)room->height);
}

static ploy_result room_links_add(const ploy_floor_plan *plan, int32_t a, int32_t b, float bias,
                                  ploy_array *out) {
    const ploy_plan_room *rooms = ployi_plan_rooms(plan);
    ploy_spanning_link link = {a < b ? a : b, a < b ? b : a, 0.0f};
    link.cost = ploy_vec2_distance(room_links_middle(&rooms[a]), room_links_middle(&rooms[b]));
    if (rooms[a].value == 1 && rooms[b].value == 1) link.cost *= bias;
    return ploy_array_push(out, &link);
}

// True if no other room's middle is in the circle of which the two middles are ends of a diameter.
static bool room_links_gabriel(const ploy_vec2 *points, int32_t count, int32_t a, int32_t b) {
    ploy_vec2 middle = ploy_vec2_scale(ploy_vec2_add(points[a], points[b]), 0.5f);
    float reach = ploy_vec2_distance_sq(points[a], middle);
    for (int32_t i = 0; i < count; i++) {
        if (i != a && i != b && ploy_vec2_distance_sq(points[i], middle) < reach) return false;
    }
    return true;
}

static ploy_result room_links_triangles(const ploy_floor_plan *plan, bool gabriel, float bias,
                                        const ploy_env *env, ploy_array *out) {
    int32_t count = plan->rooms.count;
    size_t size = (size_t)count * sizeof(ploy_vec2);
    ploy_vec2 *points = ploy_env_alloc(env, size);
    if (points == NULL) return PLOY_ERR_MEMORY;
    for (int32_t i = 0; i < count; i++) points[i] = room_links_middle(&ployi_plan_rooms(plan)[i]);
    ploy_cdt_def def = ploy_cdt_def_default();
    ploy_cdt *cdt = NULL;
    ploy_result result = ploy_cdt_create(&def, env, &cdt);
    if (result == PLOY_OK) result = ploy_cdt_build(cdt, points, count, NULL, 0, NULL);
    if (result == PLOY_OK) {
        // Rooms do not overlap, so all middles differ and vertices are rooms.
        ploy_cdt_view view = ploy_cdt_get(cdt);
        for (int32_t i = 0; i < view.triangle_count && result == PLOY_OK; i++) {
            const ploy_cdt_triangle *triangle = &view.triangles[i];
            for (int32_t k = 0; k < 3 && result == PLOY_OK; k++) {
                if (triangle->neighbour[k] > i) continue; // each edge once
                int32_t a = triangle->corner[(k + 1) % 3], b = triangle->corner[(k + 2) % 3];
                if (gabriel && !room_links_gabriel(points, count, a, b)) continue;
                result = room_links_add(plan, a, b, bias, out);
            }
        }
    }
    ploy_cdt_destroy(cdt);
    ploy_env_free(env, points, size);
    return result;
}

static ploy_result room_links_near(const ploy_floor_plan *plan, int32_t reach, float bias,
                                   ploy_array *out) {
    const ploy_plan_room *rooms = ployi_plan_rooms(plan);
    for (int32_t a = 0; a < plan->rooms.count; a++) {
        for (int32_t b = a + 1; b < plan->rooms.count; b++) {
            if (ployi_rooms_apart(&rooms[a], &rooms[b]) > reach) continue;
            ploy_result result = room_links_add(plan, a, b, bias, out);
            if (result != PLOY_OK) return result;
        }
    }
    return PLOY_OK;
}

// Parts that do not hang together are joined by the shortest links between them: Prim over all rooms,
// where moving within a part is free.
static ploy_result room_links_join(const ploy_floor_plan *plan, float bias, const ploy_env *env,
                                   ploy_array *out) {
    const ploy_plan_room *rooms = ployi_plan_rooms(plan);
    int32_t count = plan->rooms.count;
    size_t size = (size_t)count * 4 * sizeof(int32_t);
    int32_t *part = ploy_env_alloc(env, size);
    if (part == NULL) return PLOY_ERR_MEMORY;
    int32_t *key = part + count, *from = key + count, *done = from + count, parts = count;
    for (int32_t i = 0; i < count; i++) {
        part[i] = i;
        key[i] = INT32_MAX;
        from[i] = -1;
        done[i] = 0;
    }
    for (int32_t i = 0; i < out->count; i++) {
        const ploy_spanning_link *link = &PLOY_ARRAY_ITEMS(out, ploy_spanning_link)[i];
        int32_t a = ployi_root(part, link->a), b = ployi_root(part, link->b);
        parts -= a != b;
        part[a] = b;
    }
    for (int32_t i = 0; i < count; i++) part[i] = ployi_root(part, i);
    ploy_result result = PLOY_OK;
    key[0] = 0;
    for (int32_t n = 0; parts > 1 && n < count && result == PLOY_OK; n++) {
        int32_t best = -1;
        for (int32_t i = 0; i < count; i++) {
            if (!done[i] && (best < 0 || key[i] < key[best])) best = i;
        }
        done[best] = 1;
        if (from[best] >= 0 && part[from[best]] != part[best]) {
            result = room_links_add(plan, from[best], best, bias, out);
        }
        for (int32_t i = 0; i < count; i++) {
            if (done[i]) continue;
            int32_t apart = part[i] == part[best] ? -1 : ployi_rooms_apart(&rooms[best], &rooms[i]);
            if (apart < key[i]) {
                key[i] = apart;
                from[i] = best;
            }
        }
    }
    ploy_env_free(env, part, size);
    return result;
}

ploy_result ployi_room_links(const ploy_floor_plan *plan, ployi_room_rule rule, int32_t reach,
                             float bias, const ploy_env *env, ploy_array *out) {
    if (plan->rooms.count < 2) return PLOY_OK;
    ploy_result result = PLOY_OK;
    if (rule == PLOYI_ROOMS_DISTANCE) {
        result = room_links_near(plan, reach, bias, out);
    } else {
        result = room_links_triangles(plan, rule == PLOYI_ROOMS_GABRIEL, bias, env, out);
    }
    return result == PLOY_OK ? room_links_join(plan, bias, env, out) : result;
}
