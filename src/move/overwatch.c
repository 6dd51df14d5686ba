// Bounding overwatch; the technique is described in the header.
//
// Invariant: no two slots have the same point, from create to destroy.
#include "ploy/move/overwatch.h"

#include "move/move_internal.h"

static const ploy_field overwatch_fields[] = {
    PLOY_FIELD_I32_FIXED(ploy_overwatch_def, slots, 4, 1, 256, "", "how many members"),
    PLOY_FIELD_F32(ploy_overwatch_def, margin, 0, 0, 1e6, "m",
                   "by how much nearer a new point must be"),
    PLOY_FIELD_F32(ploy_overwatch_def, keep_clear, 0, 0, 1e6, "m",
                   "distance to the leader within which no point is taken"),
};

struct ploy_overwatch {
    ploy_env env;
    ploy_overwatch_def def;
    size_t size;
    int32_t cover[];
};

ploy_fields ploy_overwatch_fields(void) {
    return PLOY_FIELDS(ploy_overwatch_def, overwatch_fields);
}

ploy_overwatch_def ploy_overwatch_def_default(void) {
    ploy_overwatch_def def;
    ploy_fields_default(ploy_overwatch_fields(), &def);
    return def;
}

ploy_result ploy_overwatch_create(const ploy_overwatch_def *def, const ploy_env *env,
                                  ploy_overwatch **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_overwatch_fields(), def, env);
    if (result != PLOY_OK) return result;
    size_t size = 0;
    if (!ploy_size_add_array(sizeof(ploy_overwatch), def->slots, sizeof(int32_t), &size)) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_overwatch *overwatch = ploy_env_alloc(env, size);
    if (overwatch == NULL) return PLOY_ERR_MEMORY;
    overwatch->env = *env;
    overwatch->def = *def;
    overwatch->size = size;
    for (int32_t i = 0; i < def->slots; i++) overwatch->cover[i] = -1;
    *out = overwatch;
    return PLOY_OK;
}

void ploy_overwatch_destroy(ploy_overwatch *overwatch) {
    if (overwatch == NULL) return;
    ploy_env env = overwatch->env;
    ploy_env_free(&env, overwatch, overwatch->size);
}

static int32_t overwatch_slot_of(const ploy_overwatch *overwatch, int32_t point) {
    for (int32_t i = 0; i < overwatch->def.slots; i++) {
        if (overwatch->cover[i] == point) return i;
    }
    return -1;
}

static float overwatch_distance(const ploy_overwatch *overwatch, const ploy_points *points,
                                int32_t point, ploy_vec2 anchor) {
    float distance = ploy_vec2_distance(ploy_points_get(points, point), anchor);
    return distance < overwatch->def.keep_clear ? INFINITY : distance;
}

// The slot to give away: an empty one first (the lowest), else the farthest from the anchor.
static int32_t overwatch_worst(const ploy_overwatch *overwatch, const ploy_points *points,
                               ploy_vec2 anchor, float *distance) {
    int32_t worst = -1;
    *distance = -1.0f;
    for (int32_t i = 0; i < overwatch->def.slots; i++) {
        if (overwatch->cover[i] < 0) {
            *distance = INFINITY;
            return i;
        }
        float here = overwatch_distance(overwatch, points, overwatch->cover[i], anchor);
        if (here > *distance) *distance = here, worst = i;
    }
    return worst;
}

ploy_result ploy_overwatch_step(ploy_overwatch *overwatch, ploy_vec2 anchor,
                                const ploy_points *points, int32_t *moved) {
    if (points == NULL || !ploy_vec2_is_finite(anchor)) return PLOY_ERR_ARGUMENT;
    ploy_result result = ployi_points_check(points, 0, points->count);
    if (result != PLOY_OK) return result;
    int32_t changes = 0;
    bool fresh = true;                                   // no member has cover yet
    for (int32_t i = 0; i < overwatch->def.slots; i++) { // points that are gone
        if (overwatch->cover[i] >= points->count) overwatch->cover[i] = -1;
        fresh = fresh && overwatch->cover[i] < 0;
    }
    // Each turn the nearest free point replaces the worst slot, until it would not be better: at
    // the end the slots hold the nearest ones, and a point that stayed kept its slot.
    for (int32_t turn = 0; turn < overwatch->def.slots; turn++) {
        int32_t nearest = -1;
        float distance = INFINITY, worst_distance = 0.0f;
        for (int32_t j = 0; j < points->count; j++) {
            float here = overwatch_distance(overwatch, points, j, anchor);
            if (here < distance && overwatch_slot_of(overwatch, j) < 0)
                distance = here, nearest = j;
        }
        int32_t slot = overwatch_worst(overwatch, points, anchor, &worst_distance);
        if (nearest < 0 || !(distance + overwatch->def.margin < worst_distance)) break;
        overwatch->cover[slot] = nearest;
        changes++;
    }
    // At first the slots take their points in the order of the list, not of nearness.
    for (int32_t i = 1; fresh && i < changes; i++) {
        int32_t point = overwatch->cover[i], at = i;
        for (; at > 0 && overwatch->cover[at - 1] > point; at--) {
            overwatch->cover[at] = overwatch->cover[at - 1];
        }
        overwatch->cover[at] = point;
    }
    if (moved != NULL) *moved = changes;
    return PLOY_OK;
}

int32_t ploy_overwatch_cover(const ploy_overwatch *overwatch, int32_t slot) {
    return ploy_range_within(slot, 1, overwatch->def.slots) ? overwatch->cover[slot] : -1;
}

void ploy_overwatch_visit(ploy_visit *v, void *object) {
    ploy_overwatch *overwatch = object;
    ploy_visit_struct(v, "overwatch", overwatch, sizeof *overwatch);
    ploy_visit_block(v, "overwatch", overwatch, overwatch->size);
    PLOY_VISIT_SCRATCH(v, overwatch->env);
    PLOY_VISIT_SCRATCH(v, overwatch->def);
    PLOY_VISIT_SCRATCH(v, overwatch->size);
    int32_t count = ploy_visit_fixed(v, "cover", PLOY_SAVED, overwatch->def.slots);
    for (int32_t i = 0; i < count; i++) {
        ploy_visit_begin_item(v, i, PLOY_DERIVED);
        int32_t *cover = &overwatch->cover[i];
        ploy_visit_i32_in(v, "cover", PLOY_STATE, cover, -1, INT32_MAX);
        bool twice = *cover >= 0 && overwatch_slot_of(overwatch, *cover) < i;
        ploy_visit_check(v, !twice, "a point that another slot has", NULL);
        ploy_visit_end(v);
    }
    ploy_visit_end(v);
}

void ploy_overwatch_describe(const ploy_overwatch *overwatch, ploy_describe *out) {
    ploy_visit_describe(ploy_overwatch_visit, overwatch, NULL, out);
}

void ploy_overwatch_draw(const ploy_overwatch *overwatch, const ploy_points *points,
                         ploy_draw *out) {
    ploy_agent_id nobody = ploy_agent_id_none();
    for (int32_t j = 0; j < points->count; j++) {
        bool taken = overwatch_slot_of(overwatch, j) >= 0;
        ploy_draw_disc(out, PLOY_LAYER_WORLD, taken ? PLOY_STYLE_GOOD : PLOY_STYLE_GHOST, nobody,
                       ploy_points_get(points, j), 0.25f, 0.5f);
    }
}

void ploy_overwatch_memory(const ploy_overwatch *overwatch, ploy_memory_fn fn, void *user) {
    ploy_visit_memory(ploy_overwatch_visit, overwatch, fn, user);
}
