// Terrain difficulty; see the header.
#include "ploy/tactics/difficulty.h"

#include "ploy/base/rng.h"

#include <math.h>

enum { DIFFICULTY_NEIGHBOURS = 64 };

static const char *const difficulty_combines[] = {"sum", "product"};
static const char *const difficulty_kinds[] = {"gradient", "range", "variance"};

static const ploy_field difficulty_table[] = {
    PLOY_FIELD_ENUM(ploy_difficulty_def, combine, 0, difficulty_combines, "how parts are joined"),
    PLOY_FIELD_ENUM(ploy_difficulty_def, rugged, 0, difficulty_kinds, "what rugged means"),
    PLOY_FIELD_I32(ploy_difficulty_def, samples, 16, 2, 4096, "", "heights sampled in a place"),
    PLOY_FIELD_U64(ploy_difficulty_def, seed, 1, "of the samples"),
    PLOY_FIELD_F32(ploy_difficulty_def, base_weight, 1, -1e6f, 1e6f, "", "of the kind's cost"),
    PLOY_FIELD_F32(ploy_difficulty_def, rugged_weight, 1, -1e6f, 1e6f, "", "of ruggedness"),
    PLOY_FIELD_F32(ploy_difficulty_def, extra_weight, 1, -1e6f, 1e6f, "", "of extra factors"),
};

ploy_fields ploy_difficulty_fields(void) {
    return PLOY_FIELDS(ploy_difficulty_def, difficulty_table);
}

ploy_difficulty_def ploy_difficulty_def_default(void) {
    ploy_difficulty_def def;
    ploy_fields_default(ploy_difficulty_fields(), &def);
    return def;
}

static float difficulty_height(const ploy_heightfield *heights, float x, float y) {
    float height = NAN;
    ploy_heightfield_height(heights, ploy_vec2_make(x, y), &height);
    return height;
}

static float difficulty_gradient(const ploy_places *places, const ploy_heightfield *heights,
                                 int32_t place) {
    int32_t around[DIFFICULTY_NEIGHBOURS];
    int32_t count = places->neighbours(places, place, around, DIFFICULTY_NEIGHBOURS);
    ploy_vec3 at = places->position(places, place);
    float here = difficulty_height(heights, at.x, at.y), steepest = 0.0f;
    if (isnan(here)) return NAN;
    for (int32_t i = 0; i < (count < DIFFICULTY_NEIGHBOURS ? count : DIFFICULTY_NEIGHBOURS); i++) {
        ploy_vec3 to = places->position(places, around[i]);
        float rise = fabsf(difficulty_height(heights, to.x, to.y) - here);
        float run = ploy_vec2_distance(ploy_vec2_make(at.x, at.y), ploy_vec2_make(to.x, to.y));
        if (run > 0.0f && rise / run > steepest) steepest = rise / run; // false for NaN
    }
    return steepest;
}

float ploy_difficulty_rugged(const ploy_difficulty_def *def, const ploy_places *places,
                             const ploy_heightfield *heights, int32_t place) {
    if (!ploy_range_within(place, 1, places->count)) return NAN;
    if (def->rugged == PLOY_RUGGED_GRADIENT) return difficulty_gradient(places, heights, place);
    // A stream for each place, so that ranges can be filled in any order.
    ploy_rng rng = ploy_rng_make(def->seed + (uint64_t)place * 0x9e3779b97f4a7c15u);
    ploy_vec3 at = places->position(places, place);
    float half = 0.5f * places->size, low = INFINITY, high = -INFINITY;
    double sum = 0.0, squares = 0.0;
    int32_t count = 0;
    for (int32_t i = 0; i < def->samples; i++) {
        float dx = ploy_rng_range(&rng, -half, half);
        float dy = ploy_rng_range(&rng, -half, half);
        float height = difficulty_height(heights, at.x + dx, at.y + dy);
        if (isnan(height)) continue;
        count++;
        low = height < low ? height : low;
        high = height > high ? height : high;
        sum += (double)height;
        squares += (double)height * (double)height;
    }
    if (count == 0) return NAN;
    if (def->rugged == PLOY_RUGGED_RANGE) return high - low;
    double mean = sum / count, variance = squares / count - mean * mean;
    return variance > 0.0 ? (float)variance : 0.0f;
}

static float difficulty_at(const ploy_difficulty_def *def, const ploy_difficulty_terrain *terrain,
                           const ploy_places *places, int32_t place) {
    float base = 1.0f, rugged = 0.0f, extra = 0.0f;
    if (terrain->kinds != NULL) {
        float kind = ploy_tactics_layer_at(terrain->kinds, place);
        base = isnan(kind) ? NAN : terrain->costs == NULL ? kind : terrain->costs[(int32_t)kind];
    }
    if (terrain->heights != NULL) {
        rugged = ploy_difficulty_rugged(def, places, terrain->heights, place);
    }
    if (terrain->extra != NULL) extra = ploy_tactics_layer_at(terrain->extra, place);
    float value =
        def->combine == PLOY_DIFFICULTY_SUM
            ? def->base_weight * base + def->rugged_weight * rugged + def->extra_weight * extra
            : base * (1.0f + def->rugged_weight * rugged) * (1.0f + def->extra_weight * extra);
    return isnan(value) ? NAN : value;
}

ploy_result ploy_difficulty_read(const ploy_difficulty_def *def,
                                 const ploy_difficulty_terrain *terrain, int32_t first,
                                 int32_t count, ploy_tactics_layer *out) {
    float *numbers = ploy_tactics_layer_numbers(out);
    if (def == NULL || terrain == NULL || numbers == NULL) return PLOY_ERR_ARGUMENT;
    const ploy_places *places = ploy_tactics_layer_places(out);
    if (!ploy_range_within(first, count, places->count) ||
        (terrain->kinds != NULL &&
         ploy_tactics_layer_kind(terrain->kinds) != PLOY_TACTICS_CATEGORIES)) {
        return PLOY_ERR_ARGUMENT;
    }
    for (int32_t i = first; i < first + count; i++) {
        numbers[i] = difficulty_at(def, terrain, places, i);
    }
    return PLOY_OK;
}
