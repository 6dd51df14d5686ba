// Patterns of formations: lists, shapes for any number, plays, roles; see the header of formations.
#include "move/move_internal.h"
#include "ploy/geom/angle.h"
#include "ploy/move/formation.h"

static const char *const pattern_shapes[] = {"line",    "column", "v",      "wedge",
                                             "fingers", "block",  "circle", "rings"};

static const ploy_field pattern_fields[] = {
    PLOY_FIELD_ENUM(ploy_formation_shape_def, shape, PLOY_FORMATION_V, pattern_shapes, "the shape"),
    PLOY_FIELD_F32(ploy_formation_shape_def, spacing, 2, 1e-3, 1e6, "m",
                   "distance between neighbours"),
    PLOY_FIELD_I32(ploy_formation_shape_def, ring_capacity, 24, 1, PLOY_FORMATION_MAX, "",
                   "members on the innermost ring, of rings"),
};

ploy_fields ploy_formation_shape_fields(void) {
    return PLOY_FIELDS(ploy_formation_shape_def, pattern_fields);
}

ploy_formation_shape_def ploy_formation_shape_def_default(void) {
    ploy_formation_shape_def def;
    ploy_fields_default(ploy_formation_shape_fields(), &def);
    return def;
}

static ploy_place pattern_place(float x, float y, float orientation) {
    ploy_place out = {{x, y}, orientation};
    return out;
}

ploy_place ploy_place_in(ploy_place relative, ploy_place anchor) {
    ploy_vec2 turned =
        ploy_vec2_rotate_by(relative.position, ploy_angle_heading(anchor.orientation));
    ploy_place out = {ploy_vec2_add(anchor.position, turned),
                      anchor.orientation + relative.orientation};
    return out;
}

// ---- lists ----

static ploy_place pattern_list_slot(const void *user, int32_t slot, int32_t count, float time) {
    const ploy_place_list *list = user;
    (void)count, (void)time;
    return ploy_range_within(slot, 1, list->count) ? list->places[slot]
                                                   : pattern_place(0.0f, 0.0f, 0.0f);
}

static bool pattern_list_supports(const void *user, int32_t count) {
    return count <= ((const ploy_place_list *)user)->count;
}

ploy_pattern ploy_pattern_list(const char *name, const ploy_place_list *list) {
    ploy_pattern out = {name, pattern_list_slot, pattern_list_supports, list, false};
    return out;
}

// ---- shapes ----

// `count` around a circle on which `full` would be `spacing` apart along the chord; one alone is
// its centre.
static ploy_place pattern_circle(float spacing, int32_t slot, int32_t count, int32_t full) {
    if (full < 2) return pattern_place(0.0f, 0.0f, 0.0f);
    float radius = 0.5f * spacing / ploy_sinf(PLOY_PI_F / (float)full);
    float angle = PLOY_TWO_PI_F * (float)slot / (float)count;
    ploy_vec2 out = ploy_vec2_scale(ploy_angle_heading(angle), radius);
    return pattern_place(out.x, out.y, angle);
}

// The innermost ring is full first; each ring around it holds seven more (2 pi, rounded up), which
// keeps the rings a spacing apart. The outermost may be part full, and spreads out evenly.
static ploy_place pattern_rings(const ploy_formation_shape_def *def, int32_t slot, int32_t count) {
    int32_t full = def->ring_capacity;
    if (count <= full) return pattern_circle(def->spacing, slot, count, count);
    while (slot >= full) {
        slot -= full;
        count -= full;
        full += 7;
    }
    return pattern_circle(def->spacing, slot, ploy_mini(count, full), full);
}

static ploy_place pattern_wedge(float spacing, int32_t slot) {
    int32_t rank = 0, first = 0;
    while (slot >= first + rank + 1) first += ++rank; // rank r holds r + 1
    float aside = (float)(slot - first) - 0.5f * (float)rank;
    return pattern_place(-(float)rank * spacing * 0.8660254f, -aside * spacing, 0.0f);
}

static ploy_place pattern_block(float spacing, int32_t slot, int32_t count) {
    int32_t width = 1;
    while (width * width < count) width++;
    int32_t rank = slot / width, file = slot % width;
    // The last rank is in the middle.
    int32_t here = ploy_mini(width, count - rank * width);
    float aside = (float)file - 0.5f * (float)(here - 1);
    return pattern_place(-(float)rank * spacing, -aside * spacing, 0.0f);
}

// Arms back at half a right angle, the left one first.
static ploy_place pattern_arms(float spacing, int32_t slot, int32_t left, int32_t right) {
    if (slot == 0) return pattern_place(0.0f, 0.0f, 0.0f);
    // Slots alternate until the shorter arm is full.
    int32_t both = 2 * ploy_mini(left, right);
    bool on_left = slot <= both ? slot % 2 == 1 : left > right;
    int32_t step = slot <= both ? (slot + 1) / 2 : slot - both / 2;
    float distance = (float)step * spacing * 0.70710678f;
    return pattern_place(-distance, on_left ? distance : -distance, 0.0f);
}

static ploy_place pattern_shape_slot(const void *user, int32_t slot, int32_t count, float time) {
    const ploy_formation_shape_def *def = user;
    float spacing = def->spacing;
    (void)time;
    switch (def->shape) {
    case PLOY_FORMATION_LINE:
        return pattern_place(0.0f, (0.5f * (float)(count - 1) - (float)slot) * spacing, 0.0f);
    case PLOY_FORMATION_COLUMN: return pattern_place(-(float)slot * spacing, 0.0f, 0.0f);
    case PLOY_FORMATION_V: return pattern_arms(spacing, slot, count / 2, (count - 1) / 2);
    case PLOY_FORMATION_FINGERS: {
        // Of four: the tip, one on the left, two on the right.
        int32_t left = (count - 1) / 3;
        return pattern_arms(spacing, slot, left, count - 1 - left);
    }
    case PLOY_FORMATION_WEDGE: return pattern_wedge(spacing, slot);
    case PLOY_FORMATION_BLOCK: return pattern_block(spacing, slot, count);
    case PLOY_FORMATION_CIRCLE: return pattern_circle(spacing, slot, count, count);
    case PLOY_FORMATION_RINGS: return pattern_rings(def, slot, count);
    }
    return pattern_place(0.0f, 0.0f, 0.0f);
}

ploy_pattern ploy_pattern_shape(const ploy_formation_shape_def *def) {
    bool known = (uint32_t)def->shape <= PLOY_FORMATION_RINGS;
    ploy_pattern out = {known ? pattern_shapes[def->shape] : "?", pattern_shape_slot, NULL, def,
                        false};
    return out;
}

// ---- plays ----

static ploy_place pattern_play_slot(const void *user, int32_t slot, int32_t count, float time) {
    const ploy_play *play = user;
    const ploy_play_key *before = NULL, *after = NULL;
    (void)count;
    for (int32_t i = 0; i < play->key_count; i++) {
        const ploy_play_key *key = &play->keys[i];
        if (key->slot != slot) continue;
        if (key->time <= time) before = key;
        if (key->time > time && after == NULL) after = key;
    }
    if (before == NULL && after == NULL) return pattern_place(0.0f, 0.0f, 0.0f);
    if (before == NULL) return after->place;
    if (after == NULL || after->jump) return before->place;
    float part = (time - before->time) / (after->time - before->time);
    ploy_place out = {ploy_vec2_lerp(before->place.position, after->place.position, part),
                      ploy_angle_lerp(before->place.orientation, after->place.orientation, part)};
    return out;
}

static bool pattern_play_supports(const void *user, int32_t count) {
    return count <= ((const ploy_play *)user)->slot_count;
}

ploy_pattern ploy_pattern_play(const char *name, const ploy_play *play) {
    ploy_pattern out = {name, pattern_play_slot, pattern_play_supports, play, true};
    return out;
}

// ---- roles ----

float ploy_roles_cost(const ploy_roles *roles, int32_t kind, int32_t slot) {
    if (!ploy_range_within(kind, 1, roles->kind_count)) return INFINITY;
    if (!ploy_range_within(slot, 1, roles->slot_count)) return INFINITY;
    int32_t role = roles->slot_roles[slot];
    if (!ploy_range_within(role, 1, roles->role_count)) return INFINITY;
    return roles->costs[(size_t)kind * (size_t)roles->role_count + (size_t)role];
}
