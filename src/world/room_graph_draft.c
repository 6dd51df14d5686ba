// A first sense graph out of regions and walls.
//
// Openings: points along a region's outline, a little inside and a little outside; where the outer
// one lies in another region and a ray passes between the two, the regions are open to each other
// there, and the link is at the open point nearest to the middle of all of them. Sight: rays
// between points of a lattice in both regions; the first that passes makes a link.
#include "ploy/world/room_graph.h"

#include "world/world_internal.h"

#include <math.h>
#include <string.h>

#include "ploy/base/array.h"
#include "ploy/base/math.h"

enum { DRAFT_ROUND = 32, DRAFT_SAMPLES_MAX = 256 };

static const ploy_field draft_fields[] = {
    PLOY_FIELD_F32(ploy_room_draft_def, spacing, 0.25, 0.01, 1000, "m",
                   "between the points that rays are fired from"),
    PLOY_FIELD_F32(ploy_room_draft_def, gap, 0.5, 0.001, 1000, "m",
                   "thickest wall whose openings are found"),
    PLOY_FIELD_F32(ploy_room_draft_def, eye, 1.6, 0, 1000, "m", "height of the rays above a floor"),
    PLOY_FIELD_I32(ploy_room_draft_def, samples, 16, 1, DRAFT_SAMPLES_MAX, "",
                   "most points of a region for sight"),
};

ploy_fields ploy_room_draft_fields(void) {
    return PLOY_FIELDS(ploy_room_draft_def, draft_fields);
}

ploy_room_draft_def ploy_room_draft_def_default(void) {
    ploy_room_draft_def def;
    ploy_fields_default(ploy_room_draft_fields(), &def);
    return def;
}

typedef struct draft_work {
    const ploy_room_draft_def *def;
    const ploy_room *nodes;
    int32_t count;
    const ploy_scene *scene;
    uint32_t mask;
    const ploy_modalities *modalities;
    ploy_array links; // ploy_room_link
} draft_work;

// Calls back for points of an outline, evenly; each with the way out.
typedef void (*draft_outline_fn)(void *user, ploy_vec2 at, ploy_vec2 outward);

static float draft_height(const draft_work *work, const ploy_zone *zone) {
    if (zone->kind == PLOY_ZONE_SPHERE) return zone->centre.z;
    return (isfinite(zone->low) ? zone->low : 0.0f) + work->def->eye;
}

static void draft_outline(const draft_work *work, const ploy_zone *zone, draft_outline_fn fn,
                          void *user) {
    ploy_vec2 corners[DRAFT_ROUND] = {
        zone->box.min, ploy_vec2_make(zone->box.max.x, zone->box.min.y), zone->box.max,
        ploy_vec2_make(zone->box.min.x, zone->box.max.y)};
    ploy_polygon outline = ploy_polygon_make(corners, 4);
    if (zone->kind == PLOY_ZONE_POLYGON) outline = zone->polygon;
    if (zone->kind == PLOY_ZONE_CIRCLE || zone->kind == PLOY_ZONE_SPHERE) {
        for (int32_t i = 0; i < DRAFT_ROUND; i++) {
            float sine, cosine;
            ploy_sincosf(PLOY_TWO_PI_F * (float)i / (float)DRAFT_ROUND, &sine, &cosine);
            corners[i] = ploy_vec2_make(zone->centre.x + zone->radius * cosine,
                                        zone->centre.y + zone->radius * sine);
        }
        outline = ploy_polygon_make(corners, DRAFT_ROUND);
    }
    float turn = ploy_polygon_turn(outline) < 0 ? 1.0f : -1.0f;
    for (int32_t e = 0; e < outline.count; e++) {
        ploy_segment2 edge = ploy_polygon_edge(outline, e);
        ploy_vec2 outward = ploy_vec2_scale(ploy_segment2_normal(edge), turn);
        int32_t parts = (int32_t)ploy_clampf(ceilf(ploy_segment2_length(edge) / work->def->spacing),
                                             1.0f, 10000.0f);
        for (int32_t i = 0; i < parts; i++) {
            fn(user, ploy_segment2_at(edge, ((float)i + 0.5f) / (float)parts), outward);
        }
    }
}

// The openings from one region into another.
typedef struct draft_opening {
    const draft_work *work;
    const ploy_zone *from, *to;
    float z;
    int32_t count;
    double x, y;     // sums
    ploy_vec2 best;  // nearest to the middle, in the second pass
    double best_gap; // squared
} draft_opening;

static bool draft_is_open(const draft_opening *opening, ploy_vec2 at, ploy_vec2 outward) {
    float half = opening->work->def->gap * 0.5f;
    ploy_vec2 inner = ploy_vec2_add_scaled(at, outward, -half);
    // The far side may be up to the gap away: the nearest point that lies in the other region.
    for (int32_t i = 1; i <= 4; i++) {
        ploy_vec2 outer = ploy_vec2_add_scaled(at, outward, half * 0.5f * (float)i);
        ploy_vec3 far = ploy_vec3_make(outer.x, outer.y, opening->z);
        if (!ploy_zone_contains(opening->to, far)) continue;
        ploy_vec3 near = ploy_vec3_make(inner.x, inner.y, opening->z);
        return !ploy_scene_ray(opening->work->scene, near, far, opening->work->mask, NULL);
    }
    return false;
}

static void draft_sum(void *user, ploy_vec2 at, ploy_vec2 outward) {
    draft_opening *opening = user;
    if (!draft_is_open(opening, at, outward)) return;
    opening->count++;
    opening->x += (double)at.x;
    opening->y += (double)at.y;
}

static void draft_choose(void *user, ploy_vec2 at, ploy_vec2 outward) {
    draft_opening *opening = user;
    if (!draft_is_open(opening, at, outward)) return;
    double x = (double)at.x - opening->x / opening->count;
    double y = (double)at.y - opening->y / opening->count;
    if (!(x * x + y * y < opening->best_gap)) return;
    opening->best_gap = x * x + y * y;
    opening->best = at;
}

static ploy_result draft_add(draft_work *work, int32_t a, int32_t b, ploy_vec3 at_a, ploy_vec3 at_b,
                             bool sight_only) {
    for (int32_t turn = 0; turn < 2; turn++) {
        ploy_room_link link = turn == 0 ? ploy_room_link_make(a, b, at_a, at_b, work->modalities)
                                        : ploy_room_link_make(b, a, at_b, at_a, work->modalities);
        for (int32_t m = 0; m < ployi_modalities_count(work->modalities); m++) {
            ploy_sense_kind kind = ploy_modalities_get(work->modalities, m)->kind;
            if (sight_only && kind != PLOY_SENSE_SIGHT) link.attenuation[m] = 0.0f;
            if (kind == PLOY_SENSE_TOUCH) link.attenuation[m] = 0.0f;
        }
        ploy_result result = ploy_array_push(&work->links, &link);
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

// Points of a lattice that lie in the region, its centre first.
static int32_t draft_lattice(const draft_work *work, const ploy_zone *zone, ploy_vec3 *out) {
    float z = draft_height(work, zone);
    ploy_vec3 centre = ploy_zone_centre(zone);
    ploy_box2 box = ploy_zone_bounds(zone);
    int32_t most = work->def->samples, side = 1, count = 0;
    while (side * side < most) side++;
    centre.z = z;
    if (ploy_zone_contains(zone, centre)) out[count++] = centre;
    for (int32_t i = 0; i < side * side && count < most; i++) {
        ploy_vec3 at = {ploy_lerpf(box.min.x, box.max.x, ((float)(i % side) + 0.5f) / (float)side),
                        ploy_lerpf(box.min.y, box.max.y, ((float)(i / side) + 0.5f) / (float)side),
                        z};
        if (ploy_zone_contains(zone, at)) out[count++] = at;
    }
    return count;
}

static bool draft_has_sight(const ploy_modalities *modalities) {
    for (int32_t m = 0; m < ployi_modalities_count(modalities); m++) {
        if (ploy_modalities_get(modalities, m)->kind == PLOY_SENSE_SIGHT) return true;
    }
    return false;
}

static ploy_result draft_sight(draft_work *work, int32_t a, int32_t b) {
    ploy_vec3 of_a[DRAFT_SAMPLES_MAX], of_b[DRAFT_SAMPLES_MAX];
    int32_t count_a = draft_lattice(work, &work->nodes[a].zone, of_a);
    int32_t count_b = draft_lattice(work, &work->nodes[b].zone, of_b);
    for (int32_t i = 0; i < count_a; i++) {
        for (int32_t k = 0; k < count_b; k++) {
            if (ploy_scene_ray(work->scene, of_a[i], of_b[k], work->mask, NULL)) continue;
            return draft_add(work, a, b, of_a[i], of_b[k], true);
        }
    }
    return PLOY_OK;
}

static ploy_result draft_pair(draft_work *work, int32_t a, int32_t b, bool sight) {
    const ploy_zone *from = &work->nodes[a].zone, *to = &work->nodes[b].zone;
    ploy_box2 reach = ploy_box2_grow(ploy_zone_bounds(from), work->def->gap);
    if (ploy_box2_overlaps(reach, ploy_zone_bounds(to))) {
        draft_opening opening;
        memset(&opening, 0, sizeof opening);
        opening.work = work;
        opening.from = from;
        opening.to = to;
        opening.z = draft_height(work, from);
        opening.best_gap = INFINITY;
        draft_outline(work, from, draft_sum, &opening);
        if (opening.count > 0) {
            draft_outline(work, from, draft_choose, &opening);
            ploy_vec3 at = ploy_vec3_make(opening.best.x, opening.best.y, opening.z);
            return draft_add(work, a, b, at, at, false);
        }
    }
    return sight ? draft_sight(work, a, b) : PLOY_OK;
}

ploy_result ploy_room_graph_draft(const ploy_room_draft_def *def, const ploy_room *nodes,
                                  int32_t node_count, const ploy_scene *scene, uint32_t mask,
                                  const ploy_modalities *modalities, const ploy_env *env,
                                  ploy_room_graph **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL || modalities == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_room_draft_fields(), def, env);
    if (result != PLOY_OK) return result;
    // Without links it checks the nodes, before anything relies on them.
    result = ploy_room_graph_create(nodes, node_count, NULL, 0, modalities, env, out);
    if (result != PLOY_OK) return result;
    ploy_room_graph_destroy(*out);
    *out = NULL;
    draft_work work;
    memset(&work, 0, sizeof work);
    work.def = def;
    work.nodes = nodes;
    work.count = node_count;
    work.scene = scene;
    work.mask = mask;
    work.modalities = modalities;
    ploy_array_init(&work.links, sizeof(ploy_room_link), env);
    bool sight = draft_has_sight(modalities);
    for (int32_t a = 0; result == PLOY_OK && a < node_count; a++) {
        for (int32_t b = a + 1; result == PLOY_OK && b < node_count; b++) {
            result = draft_pair(&work, a, b, sight);
        }
    }
    if (result == PLOY_OK) {
        result = ploy_room_graph_create(nodes, node_count, work.links.items, work.links.count,
                                        modalities, env, out);
    }
    ploy_array_fini(&work.links);
    return result;
}
