// Influence maps: types, units and sums; the technique is described in the header.
//
// Invariants between calls:
//   (1) a sum is the sum of influence_whole over the side's units, computed in whole numbers;
//   (2) totals[side] is at most def.most, and shares are at most 1, so no sum overflows;
//   (3) stamps exist on grids only.
#include "ploy/tactics/influence.h"

#include "base/compiler.h"
#include "ploy/base/hash.h"
#include "ploy/base/math.h"
#include "tactics/influence_internal.h"

#include <math.h>
#include <string.h>

static const char *const influence_drops[] = {"inverse", "root", "square", "ramp", "custom"};
static const char *const influence_metrics[] = {"euclid", "manhattan", "chebyshev"};

static const ploy_field influence_type_table[] = {
    PLOY_FIELD_ENUM(ploy_influence_type, drop, 0, influence_drops, "how influence falls"),
    PLOY_FIELD_ENUM(ploy_influence_type, metric, 0, influence_metrics, "how distance is measured"),
    PLOY_FIELD_F32(ploy_influence_type, radius, INFINITY, 0, INFINITY, "", "largest distance"),
    PLOY_FIELD_F32(ploy_influence_type, threshold, 0, 0, 1e6f, "", "influence below it is cut"),
    PLOY_FIELD_F32(ploy_influence_type, range, 8, 1e-3f, 1e6f, "", "where a ramp ends"),
    PLOY_FIELD_F32(ploy_influence_type, plateau, 0, 0, 1e6f, "", "where a ramp begins to fall"),
};

static const ploy_field influence_table[] = {
    PLOY_FIELD_I32_FIXED(ploy_influence_def, sides, 2, 1, PLOY_INFLUENCE_SIDES, "",
                         "number of sides"),
    PLOY_FIELD_I32_FIXED(ploy_influence_def, capacity, 1024, 1, 1 << 20, "", "most units"),
    PLOY_FIELD_F32(ploy_influence_def, most, 4096, 1e-3f, 1e9f, "",
                   "largest sum of a side's strengths"),
};

ploy_fields ploy_influence_type_fields(void) {
    return PLOY_FIELDS(ploy_influence_type, influence_type_table);
}

ploy_influence_type ploy_influence_type_default(void) {
    ploy_influence_type type;
    memset(&type, 0, sizeof type);
    ploy_fields_default(ploy_influence_type_fields(), &type);
    return type;
}

ploy_fields ploy_influence_fields(void) {
    return PLOY_FIELDS(ploy_influence_def, influence_table);
}

ploy_influence_def ploy_influence_def_default(void) {
    ploy_influence_def def;
    ploy_fields_default(ploy_influence_fields(), &def);
    return def;
}

// ---- types

float ploy_influence_type_share(const ploy_influence_type *type, float distance) {
    float share = 0.0f;
    switch (type->drop) {
    case PLOY_INFLUENCE_INVERSE: share = 1.0f / (1.0f + distance); break;
    case PLOY_INFLUENCE_ROOT: share = 1.0f / sqrtf(1.0f + distance); break;
    case PLOY_INFLUENCE_SQUARE: share = 1.0f / ((1.0f + distance) * (1.0f + distance)); break;
    case PLOY_INFLUENCE_RAMP:
        share = distance <= type->plateau
                    ? 1.0f
                    : (type->range - distance) / (type->range - type->plateau);
        break;
    case PLOY_INFLUENCE_CUSTOM: share = type->custom(type->user, distance); break;
    case PLOY_INFLUENCE_DROPS: break;
    }
    // NaN, which a caller's function or a ramp without slope can give, becomes 0.
    share = share > 0.0f ? share : 0.0f;
    return share < 1.0f ? share : 1.0f;
}

float ploy_influence_type_reach(const ploy_influence_type *type, float strength) {
    float reach = type->radius;
    float ratio = type->threshold > 0.0f ? strength / type->threshold : INFINITY;
    float limit = INFINITY;
    switch (type->drop) {
    case PLOY_INFLUENCE_INVERSE: limit = ratio - 1.0f; break;
    case PLOY_INFLUENCE_ROOT: limit = ratio * ratio - 1.0f; break;
    case PLOY_INFLUENCE_SQUARE: limit = sqrtf(ratio) - 1.0f; break;
    case PLOY_INFLUENCE_RAMP: limit = type->range - (type->range - type->plateau) / ratio; break;
    case PLOY_INFLUENCE_CUSTOM:
    case PLOY_INFLUENCE_DROPS: break;
    }
    return limit < reach ? limit : reach;
}

static float influence_distance(ploy_influence_metric metric, float dx, float dy) {
    dx = fabsf(dx);
    dy = fabsf(dy);
    switch (metric) {
    case PLOY_INFLUENCE_MANHATTAN: return dx + dy;
    case PLOY_INFLUENCE_CHEBYSHEV: return dx > dy ? dx : dy;
    default: return sqrtf(dx * dx + dy * dy);
    }
}

static float influence_limited_share(const ploy_influence_type *type, float dx, float dy) {
    float distance = influence_distance(type->metric, dx, dy);
    return distance <= type->radius ? ploy_influence_type_share(type, distance) : 0.0f;
}

// How far a stamp goes along an axis of that length.
static int32_t influence_axis_reach(float radius, int32_t length, bool wraps) {
    int32_t most = wraps ? length / 2 : length - 1;
    return radius < (float)most ? (int32_t)radius : most;
}

static ploy_result influence_stamp_make(const ploy_influence *influence,
                                        const ploy_influence_type *type, influence_stamp *out) {
    const ploy_places *places = &influence->places;
    influence_stamp stamp = {NULL, 0, 0, 0, 0};
    if (places->width > 0) {
        // A ramp ends at its range.
        float radius = type->radius;
        if (type->drop == PLOY_INFLUENCE_RAMP && type->range < radius) radius = type->range;
        stamp.reach_x = influence_axis_reach(radius, places->width, places->wrap_x);
        stamp.reach_y = influence_axis_reach(radius, places->height, places->wrap_y);
        stamp.pitch = 2 * stamp.reach_x + 1;
        if (!ploy_size_add_array(0, (int64_t)stamp.pitch * (stamp.reach_y + 1), sizeof(float),
                                 &stamp.size)) {
            return PLOY_ERR_ARGUMENT;
        }
        stamp.shares = ploy_env_alloc(&influence->env, stamp.size);
        if (stamp.shares == NULL) return PLOY_ERR_MEMORY;
        for (int32_t y = 0; y <= stamp.reach_y; y++) {
            float *row = stamp.shares + (size_t)y * (size_t)stamp.pitch + stamp.reach_x;
            for (int32_t x = 0; x <= stamp.reach_x; x++) {
                row[x] = row[-x] = influence_limited_share(type, (float)x, (float)y);
            }
        }
    }
    *out = stamp;
    return PLOY_OK;
}

ploy_result ploy_influence_add_type(ploy_influence *influence, const ploy_influence_type *type,
                                    int32_t *out) {
    if (influence == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_influence_type_fields(), type, &influence->env);
    if (result != PLOY_OK) return result;
    if (type->drop == PLOY_INFLUENCE_CUSTOM && type->custom == NULL) return PLOY_ERR_ARGUMENT;
    if (type->plateau > type->range) return PLOY_ERR_ARGUMENT;
    if (influence->type_count == PLOY_INFLUENCE_TYPES) return PLOY_ERR_CAPACITY;
    influence_stamp stamp;
    result = influence_stamp_make(influence, type, &stamp);
    if (result != PLOY_OK) return result;
    influence->types[influence->type_count] = *type;
    influence->stamps[influence->type_count] = stamp;
    if (out != NULL) *out = influence->type_count;
    influence->type_count++;
    return PLOY_OK;
}

// ---- life

ploy_result ploy_influence_create(const ploy_influence_def *def, const ploy_places *places,
                                  const ploy_env *env, ploy_influence **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    ploy_result result = ploy_fields_check(ploy_influence_fields(), def, env);
    if (result != PLOY_OK) return result;
    if (!ploy_places_is_complete(places)) return PLOY_ERR_ARGUMENT;
    ploy_influence *influence = ploy_env_alloc_zero(env, sizeof *influence);
    if (influence == NULL) return PLOY_ERR_MEMORY;
    influence->env = *env;
    influence->def = *def;
    influence->places = *places;
    // Half of the range is left for rounding: a unit adds at most strength * scale + 0.5.
    influence->scale = 1.0;
    while (influence->scale * 2.0 * (double)def->most <= 1073741824.0) influence->scale *= 2.0;
    while (influence->scale * (double)def->most > 1073741824.0) influence->scale *= 0.5;
    int64_t count = places->count;
    if (!ploy_size_add_array(0, count * def->sides, sizeof(int32_t), &influence->sums_size) ||
        !ploy_size_add_array(0, count, sizeof(int32_t) + 1, &influence->marks_size)) {
        result = PLOY_ERR_ARGUMENT;
        goto fail;
    }
    result = PLOY_ERR_MEMORY;
    influence->sums = ploy_env_alloc_zero(env, influence->sums_size);
    influence->marks = ploy_env_alloc_zero(env, influence->marks_size);
    if (influence->sums == NULL || influence->marks == NULL) goto fail;
    influence->unknown = (uint8_t *)(influence->marks + count);
    result = ploy_pool_create(sizeof(influence_unit), 0, def->capacity, env, &influence->units);
    if (result == PLOY_OK) result = ploy_pool_reserve(influence->units, def->capacity);
    if (result != PLOY_OK) goto fail;
    *out = influence;
    return PLOY_OK;
fail:
    ploy_influence_destroy(influence);
    return result;
}

void ploy_influence_destroy(ploy_influence *influence) {
    if (influence == NULL) return;
    ploy_env env = influence->env;
    for (int32_t i = 0; i < influence->type_count; i++) {
        ploy_env_free(&env, influence->stamps[i].shares, influence->stamps[i].size);
    }
    ploy_pool_destroy(influence->units);
    ploy_env_free(&env, influence->known, influence->known_size);
    ploy_env_free(&env, influence->marks, influence->marks_size);
    ploy_env_free(&env, influence->sums, influence->sums_size);
    ploy_env_free(&env, influence, sizeof *influence);
}

const ploy_places *ploy_influence_places(const ploy_influence *influence) {
    return influence == NULL ? NULL : &influence->places;
}

// ---- stamps

// Adds or (mask -1) subtracts a rectangle of a stamp. Rows of the stamp are those of |dy|.
PLOYI_INLINE void influence_kernel_body(int32_t columns, int32_t dy, int32_t rows, float strength,
                                        float threshold, int32_t mask, const float *restrict shares,
                                        int32_t pitch, int32_t *restrict sums, int32_t width) {
    for (int32_t j = 0; j < rows; j++) {
        int32_t row = dy + j < 0 ? -(dy + j) : dy + j;
        const float *restrict from = shares + (int64_t)row * pitch;
        int32_t *restrict to = sums + (int64_t)j * width;
        for (int32_t i = 0; i < columns; i++) {
            float value = strength * from[i];
            int32_t whole = (int32_t)(value + 0.5f);
            whole = value >= threshold ? whole : 0;
            to[i] += (whole ^ mask) - mask;
        }
    }
}

PLOYI_KERNEL(influence_kernel,
             (int32_t columns, int32_t dy, int32_t rows, float strength, float threshold,
              int32_t mask, const float *restrict shares, int32_t pitch, int32_t *restrict sums,
              int32_t width),
             (columns, dy, rows, strength, threshold, mask, shares, pitch, sums, width))

// A stretch of an axis: cells [at, at + count) are offsets from `offset` from the unit.
typedef struct influence_span {
    int32_t at, offset, count;
} influence_span;

// The parts of an axis that a reach around a cell covers; two where it wraps.
static int32_t influence_spans(int32_t cell, int32_t reach, int32_t length, bool wraps,
                               influence_span out[3]) {
    int32_t low = cell - reach, high = cell + reach, count = 0;
    if (wraps) {
        // Every cell once, at its lesser distance.
        if (high - low + 1 > length) low = high - length + 1;
        for (int32_t shift = -1; shift <= 1; shift++) {
            int32_t first = low > shift * length ? low : shift * length;
            int32_t last = high < (shift + 1) * length - 1 ? high : (shift + 1) * length - 1;
            if (first > last) continue;
            influence_span span = {first - shift * length, first - cell, last - first + 1};
            out[count++] = span;
        }
        return count;
    }
    low = low > 0 ? low : 0;
    high = high < length - 1 ? high : length - 1;
    influence_span span = {low, low - cell, high - low + 1};
    out[0] = span;
    return 1;
}

// The farthest whole offset along the first row (axis 0) or column at which the unit has influence.
static int32_t influence_stamp_reach(const influence_stamp *stamp, int32_t axis, float strength,
                                     float threshold) {
    int32_t reach = axis == 0 ? stamp->reach_x : stamp->reach_y;
    if (!(threshold > 0.0f)) return reach;
    int32_t low = -1, high = reach; // shares do not rise: the last that is large enough
    while (low < high) {
        int32_t middle = low + (high - low + 1) / 2;
        float share =
            axis == 0
                ? stamp->shares[stamp->reach_x + middle]
                : stamp->shares[(size_t)middle * (size_t)stamp->pitch + (size_t)stamp->reach_x];
        if (strength * share >= threshold) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    return low;
}

static void influence_stamp_unit(ploy_influence *influence, const influence_unit *unit,
                                 int32_t mask) {
    const ploy_places *places = &influence->places;
    const influence_stamp *stamp = &influence->stamps[unit->type];
    float strength = (float)((double)unit->strength * influence->scale);
    float threshold = (float)((double)influence->types[unit->type].threshold * influence->scale);
    int32_t reach_x = influence_stamp_reach(stamp, 0, strength, threshold);
    int32_t reach_y = influence_stamp_reach(stamp, 1, strength, threshold);
    if (reach_x < 0 || reach_y < 0) return;
    int32_t x = unit->place % places->width, y = unit->place / places->width;
    influence_span across[3], along[3];
    int32_t columns = influence_spans(x, reach_x, places->width, places->wrap_x, across);
    int32_t rows = influence_spans(y, reach_y, places->height, places->wrap_y, along);
    int32_t *sums = influence_sums(influence, unit->side);
    for (int32_t j = 0; j < rows; j++) {
        for (int32_t i = 0; i < columns; i++) {
            influence_kernel(across[i].count, along[j].offset, along[j].count, strength, threshold,
                             mask, stamp->shares + stamp->reach_x + across[i].offset, stamp->pitch,
                             sums + (size_t)along[j].at * (size_t)places->width + across[i].at,
                             places->width);
        }
    }
}

// The same for places that are not a grid: by position.
static void influence_spread_unit(ploy_influence *influence, const influence_unit *unit,
                                  int32_t mask) {
    const ploy_places *places = &influence->places;
    const ploy_influence_type *type = &influence->types[unit->type];
    float strength = (float)((double)unit->strength * influence->scale);
    float threshold = (float)((double)type->threshold * influence->scale);
    int32_t *sums = influence_sums(influence, unit->side);
    ploy_vec3 at = places->position(places, unit->place);
    for (int32_t i = 0; i < places->count; i++) {
        if (!places->open(places, i)) continue;
        ploy_vec3 to = places->position(places, i);
        // Height counts as distance does, whatever the metric.
        float flat = influence_distance(type->metric, to.x - at.x, to.y - at.y);
        float rise = to.z - at.z;
        float distance = rise == 0.0f ? flat : sqrtf(flat * flat + rise * rise);
        if (!(distance <= type->radius)) continue;
        float value = strength * ploy_influence_type_share(type, distance);
        int32_t whole = value >= threshold ? (int32_t)(value + 0.5f) : 0;
        sums[i] += (whole ^ mask) - mask;
    }
}

static void influence_apply(ploy_influence *influence, const influence_unit *unit, int32_t mask) {
    if (influence->places.width > 0) {
        influence_stamp_unit(influence, unit, mask);
    } else {
        influence_spread_unit(influence, unit, mask);
    }
}

// ---- units

static bool influence_place_ok(const ploy_influence *influence, int32_t place) {
    return place >= 0 && place < influence->places.count;
}

// Strengths of a side, added in the order of the pool, so that the sum depends on the units alone.
static double influence_total(const ploy_influence *influence, int32_t side) {
    double total = 0.0;
    uint32_t cursor = 0;
    void *item = NULL;
    while (ploy_pool_next(influence->units, &cursor, NULL, &item)) {
        const influence_unit *unit = item;
        if (unit->side == side) total += (double)unit->strength;
    }
    return total;
}

// Room for a change of a side's strengths? A sum that only drifted by rounding is counted again.
static ploy_result influence_weigh(ploy_influence *influence, int32_t side, double change) {
    double total = influence->totals[side] + change;
    if (change > 0.0 && total > (double)influence->def.most) {
        influence->totals[side] = influence_total(influence, side);
        total = influence->totals[side] + change;
        if (total > (double)influence->def.most) return PLOY_ERR_LIMIT;
    }
    influence->totals[side] = total;
    return PLOY_OK;
}

ploy_result ploy_influence_add(ploy_influence *influence, int32_t side, int32_t type, int32_t place,
                               float strength, ploy_influence_unit *out) {
    if (influence == NULL || side < 0 || side >= influence->def.sides || type < 0 ||
        type >= influence->type_count || !influence_place_ok(influence, place) ||
        !(strength >= 0.0f) || !ploy_is_finite(strength)) {
        return PLOY_ERR_ARGUMENT;
    }
    if (ploy_pool_count(influence->units) == influence->def.capacity) return PLOY_ERR_CAPACITY;
    ploy_result result = influence_weigh(influence, side, (double)strength);
    if (result != PLOY_OK) return result;
    ploy_id id;
    void *item = NULL;
    result = ploy_pool_add(influence->units, &id, &item);
    if (result != PLOY_OK) return result; // cannot be: there is room
    influence_unit unit = {side, type, place, strength, {0, 0}};
    *(influence_unit *)item = unit;
    influence_apply(influence, &unit, 0);
    if (out != NULL) out->id = id;
    return PLOY_OK;
}

static influence_unit *influence_get(const ploy_influence *influence, ploy_influence_unit unit) {
    return influence == NULL ? NULL : ploy_pool_get(influence->units, unit.id);
}

ploy_result ploy_influence_move(ploy_influence *influence, ploy_influence_unit unit,
                                int32_t place) {
    influence_unit *item = influence_get(influence, unit);
    if (item == NULL) return PLOY_ERR_NOT_FOUND;
    if (!influence_place_ok(influence, place)) return PLOY_ERR_ARGUMENT;
    if (place == item->place) return PLOY_OK;
    influence_apply(influence, item, -1);
    item->place = place;
    influence_apply(influence, item, 0);
    return PLOY_OK;
}

ploy_result ploy_influence_set_strength(ploy_influence *influence, ploy_influence_unit unit,
                                        float strength) {
    influence_unit *item = influence_get(influence, unit);
    if (item == NULL) return PLOY_ERR_NOT_FOUND;
    if (!(strength >= 0.0f) || !ploy_is_finite(strength)) return PLOY_ERR_ARGUMENT;
    ploy_result result =
        influence_weigh(influence, item->side, (double)strength - (double)item->strength);
    if (result != PLOY_OK) return result;
    influence_apply(influence, item, -1);
    item->strength = strength;
    influence_apply(influence, item, 0);
    return PLOY_OK;
}

ploy_result ploy_influence_remove(ploy_influence *influence, ploy_influence_unit unit) {
    influence_unit *item = influence_get(influence, unit);
    if (item == NULL) return PLOY_ERR_NOT_FOUND;
    influence_apply(influence, item, -1);
    influence_weigh(influence, item->side, -(double)item->strength);
    ploy_pool_remove(influence->units, unit.id);
    return PLOY_OK;
}

void ploy_influence_clear(ploy_influence *influence) {
    if (influence == NULL) return;
    ploy_pool_clear(influence->units);
    memset(influence->totals, 0, sizeof influence->totals);
    memset(influence->sums, 0, influence->sums_size);
}

bool ploy_influence_unit_of(const ploy_influence *influence, ploy_influence_unit unit,
                            ploy_influence_state *out) {
    const influence_unit *item = influence_get(influence, unit);
    if (item == NULL) return false;
    ploy_influence_state state = {item->side, item->type, item->place, item->strength};
    *out = state;
    return true;
}

ploy_result ploy_influence_set_known(ploy_influence *influence, int32_t place, bool known) {
    if (influence == NULL || !influence_place_ok(influence, place)) return PLOY_ERR_ARGUMENT;
    influence->unknown[place] = !known;
    influence->some_unknown = influence->some_unknown || !known;
    return PLOY_OK;
}

void ploy_influence_set_all_known(ploy_influence *influence, bool known) {
    if (influence == NULL) return;
    memset(influence->unknown, !known, (size_t)influence->places.count);
    influence->some_unknown = !known;
}

// ---- state

// Sums and totals from the units.
static void influence_rebuild(void *object) {
    ploy_influence *influence = object;
    memset(influence->sums, 0, influence->sums_size);
    uint32_t cursor = 0;
    void *item = NULL;
    while (ploy_pool_next(influence->units, &cursor, NULL, &item)) {
        influence_apply(influence, item, 0);
    }
    for (int32_t side = 0; side < influence->def.sides; side++) {
        influence->totals[side] = influence_total(influence, side);
    }
    influence->some_unknown = false;
    for (int32_t i = 0; i < influence->places.count; i++) {
        influence->unknown[i] = influence->unknown[i] != 0;
        influence->some_unknown = influence->some_unknown || influence->unknown[i];
    }
}

void ploy_influence_visit(ploy_visit *v, void *object) {
    ploy_influence *influence = object;
    ploy_visit_object(v, "influence", influence, sizeof *influence);
    ploy_visit_after(v, influence_rebuild, influence);
    PLOY_VISIT_SCRATCH(v, influence->env);
    PLOY_VISIT_SCRATCH(v, influence->def);
    PLOY_VISIT_SCRATCH(v, influence->places);
    PLOY_VISIT_SCRATCH(v, influence->scale);
    PLOY_VISIT_SCRATCH(v, influence->types);
    PLOY_VISIT_SCRATCH(v, influence->stamps);
    PLOY_VISIT_SCRATCH(v, influence->type_count);
    PLOY_VISIT_SCRATCH(v, influence->units);
    PLOY_VISIT_SCRATCH(v, influence->totals);
    PLOY_VISIT_SCRATCH(v, influence->sums);
    PLOY_VISIT_SCRATCH(v, influence->marks);
    PLOY_VISIT_SCRATCH(v, influence->unknown);
    PLOY_VISIT_SCRATCH(v, influence->some_unknown);
    PLOY_VISIT_SCRATCH(v, influence->sums_size);
    PLOY_VISIT_SCRATCH(v, influence->marks_size);
    PLOY_VISIT_SCRATCH(v, influence->known);
    PLOY_VISIT_SCRATCH(v, influence->known_size);
    for (int32_t i = 0; i < influence->type_count; i++) {
        ploy_visit_block(v, "influence.stamp", influence->stamps[i].shares,
                         influence->stamps[i].size);
    }
    ploy_visit_block(v, "influence.sums", influence->sums, influence->sums_size);
    ploy_visit_block(v, "influence.marks", influence->marks, influence->marks_size);
    ploy_visit_block(v, "influence.known", influence->known, influence->known_size);
    ploy_value count = ploy_value_i64(influence->places.count);
    ploy_visit_same(v, "places", PLOY_STATE, &count);
    ploy_visit_bytes(v, "unknown", PLOY_STATE, influence->unknown, (size_t)influence->places.count);
    if (v->describe != NULL) {
        ploy_describe_u64(v->describe, "sums", PLOY_DERIVED,
                          ploy_hash_bytes(influence->sums, influence->sums_size, 0));
    }
    ploy_visit_pool(v, "unit places", influence->units, influence->def.capacity);
    int32_t units = ploy_visit_fixed(v, "units", PLOY_STATE, ploy_pool_count(influence->units));
    uint32_t cursor = 0;
    void *item = NULL;
    for (int32_t i = 0; i < units && ploy_pool_next(influence->units, &cursor, NULL, &item); i++) {
        influence_unit *unit = item;
        ploy_visit_begin_item(v, i, PLOY_STATE);
        ploy_visit_struct(v, "unit", unit, sizeof *unit);
        ploy_visit_i32_in(v, "side", PLOY_STATE, &unit->side, 0, influence->def.sides - 1);
        ploy_visit_i32_in(v, "type", PLOY_STATE, &unit->type, 0, influence->type_count - 1);
        ploy_visit_i32_in(v, "place", PLOY_STATE, &unit->place, 0, influence->places.count - 1);
        ploy_visit_f32_in(v, "strength", PLOY_STATE, &unit->strength, 0.0f, influence->def.most);
        ploy_visit_id(v, "origin", PLOY_STATE, &unit->origin);
        ploy_visit_end(v);
    }
    ploy_visit_end(v);
    if (ploy_visit_loads(v) && ploy_visit_is_ok(v)) {
        bool fits = true;
        for (int32_t side = 0; side < influence->def.sides; side++) {
            fits = fits && influence_total(influence, side) <= (double)influence->def.most;
        }
        ploy_visit_check(v, fits, "the units' strengths exceed the map's limit",
                         "smaller strengths");
    }
}

void ploy_influence_describe(const ploy_influence *influence, ploy_describe *out) {
    if (influence == NULL || out == NULL) return;
    ploy_visit_describe(ploy_influence_visit, influence, NULL, out);
}

void ploy_influence_memory(const ploy_influence *influence, ploy_memory_fn fn, void *user) {
    if (influence == NULL) return;
    ploy_visit_memory(ploy_influence_visit, influence, fn, user);
}
