// Generators of candidates.
#include <float.h>
#include <math.h>
#include <string.h>

#include "ploy/base/math.h"
#include "query_internal.h"

int32_t ploy_query_offsets(int32_t radius, int32_t (*out)[2], int32_t capacity) {
    int32_t count = 0;
    if (radius < 0 || radius > 1024) return 0;
    for (int32_t square = 0; square <= radius * radius; square++) {
        for (int32_t y = -radius; y <= radius; y++) {
            int32_t rest = square - y * y;
            if (rest < 0) continue;
            int32_t x = (int32_t)sqrtf((float)rest);
            if (x * x != rest) continue;
            for (int32_t side = x == 0 ? 1 : -1; side <= 1; side += 2) {
                if (count < capacity) {
                    out[count][0] = side * x;
                    out[count][1] = y;
                }
                count++;
            }
        }
    }
    return count;
}

// Adds a candidate; false when there is no room for more.
static bool query_source_add(ploy_query *query, ploy_vec3 position, ploy_tactical_id id) {
    const ploy_query_context *context = &query->context;
    ployi_query_candidate candidate;
    memset(&candidate, 0, sizeof candidate);
    candidate.position = position;
    candidate.id = id;
    candidate.rejected_by = -1;
    if (context->holds) {
        bool point = !ploy_id_is_none(context->held.id);
        bool same = point ? ploy_tactical_id_equal(context->held, id)
                          : ploy_vec3_distance(context->held_position, position) <= 0.5f;
        if (same) candidate.bonus = query->def.margin;
    }
    if (query->candidates.count == query->def.candidates) return false;
    return ploy_array_push(&query->candidates, &candidate) == PLOY_OK; // reserved
}

// Adds a place, on the floor if the scene has one.
static bool query_source_place(ploy_query *query, ploy_vec3 position) {
    const ploy_scene *scene = &query->context.scene;
    ploy_tactical_id none = {{0, 0}};
    if (scene->ground != NULL &&
        !ploy_scene_ground(scene, position, query->context.mask, &position.z, NULL)) {
        return true; // a hole
    }
    return query_source_add(query, position, none);
}

static void query_source_points(ploy_query *query, const ployi_query_choice *choice) {
    ploy_tactical_near *near = PLOY_ARRAY_ITEMS(&query->near, ploy_tactical_near);
    int32_t count = ploy_tactical_points_near(query->context.points, query->context.self,
                                              choice->radius, choice->tag, FLT_MIN,
                                              query->context.now, near, query->def.candidates);
    for (int32_t i = 0; i < count; i++) {
        ploy_vec3 at = ployi_tactical_item_of(query->context.points, near[i].id)->point.position;
        (void)query_source_add(query, at, near[i].id);
    }
}

static void query_source_ring(ploy_query *query, const ployi_query_choice *choice) {
    for (int32_t i = 0; i < choice->count; i++) {
        float sine, cosine;
        ploy_sincosf(query->context.facing + (float)i * (2.0f * PLOY_PI_F / (float)choice->count),
                     &sine, &cosine);
        ploy_vec3 at = ploy_vec3_add_scaled(query->context.self, ploy_vec3_make(cosine, sine, 0.0f),
                                            choice->radius);
        if (!query_source_place(query, at)) return;
    }
}

// The same walk as ploy_query_offsets, without a list.
static void query_source_grid(ploy_query *query, const ployi_query_choice *choice, bool cone) {
    int32_t radius = (int32_t)(choice->radius / choice->spacing);
    float sine, cosine;
    ploy_sincosf(query->context.facing, &sine, &cosine);
    float edge_sine, edge;
    ploy_sincosf(0.5f * choice->arc, &edge_sine, &edge);
    for (int32_t square = 0; square <= radius * radius; square++) {
        for (int32_t y = -radius; y <= radius; y++) {
            int32_t rest = square - y * y;
            int32_t x = rest < 0 ? -1 : (int32_t)sqrtf((float)rest);
            if (rest < 0 || x * x != rest) continue;
            for (int32_t side = x == 0 ? 1 : -1; side <= 1; side += 2) {
                ploy_vec3 to = ploy_vec3_make((float)(side * x) * choice->spacing,
                                              (float)y * choice->spacing, 0.0f);
                float ahead = to.x * cosine + to.y * sine;
                if (cone && ahead < edge * sqrtf(to.x * to.x + to.y * to.y)) continue;
                if (!query_source_place(query, ploy_vec3_add(query->context.self, to))) return;
            }
        }
    }
}

static void query_source_path(ploy_query *query, const ployi_query_choice *choice) {
    const ploy_vec3 *path = query->context.path;
    float rest = 0.0f; // from the last corner to the next place
    for (int32_t i = 0; i + 1 < query->context.path_count; i++) {
        float length = ploy_vec3_distance(path[i], path[i + 1]);
        for (; rest < length; rest += choice->spacing) {
            ploy_vec3 at = ploy_vec3_lerp(path[i], path[i + 1], rest / length);
            ploy_tactical_id none = {{0, 0}};
            if (!query_source_add(query, at, none)) return;
        }
        rest -= length;
    }
}

static void query_source_places(ploy_query *query, const ployi_query_choice *choice) {
    const ploy_places *places = query->context.places;
    ploy_tactical_id none = {{0, 0}};
    for (int32_t i = 0; i < places->count; i++) {
        if (!places->open(places, i)) continue;
        ploy_vec3 at = places->position(places, i);
        if (!(ploy_vec3_distance(at, query->context.self) <= choice->radius)) continue;
        if (!query_source_add(query, at, none)) return;
    }
}

ploy_result ployi_query_generate(ploy_query *query) {
    const ployi_query_choice *choice = ployi_query_choice_of(query);
    ploy_tactical_id none = {{0, 0}};
    ploy_array_clear(&query->candidates);
    switch (choice->from) {
    case PLOY_QUERY_FROM_POINTS: query_source_points(query, choice); break;
    case PLOY_QUERY_FROM_RING: query_source_ring(query, choice); break;
    case PLOY_QUERY_FROM_GRID: query_source_grid(query, choice, false); break;
    case PLOY_QUERY_FROM_CONE: query_source_grid(query, choice, true); break;
    case PLOY_QUERY_FROM_PATH: query_source_path(query, choice); break;
    case PLOY_QUERY_FROM_PLACES: query_source_places(query, choice); break;
    default:
        for (int32_t i = 0; i < query->context.list_count; i++) {
            if (!query_source_add(query, query->context.list[i], none)) break;
        }
    }
    int32_t count = query->candidates.count;
    ploy_result result = ploy_array_resize(&query->terms, count * choice->test_count);
    if (result == PLOY_OK) result = ploy_array_reserve(&query->heap, count);
    if (result == PLOY_OK) result = ploy_array_reserve(&query->taken, count);
    if (result == PLOY_OK) result = ploy_array_reserve(&query->states, count);
    return result;
}
