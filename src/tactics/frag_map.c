// Frag maps; see the header.
#include "ploy/tactics/frag_map.h"

#include "ploy/base/math.h"

#include <math.h>

static const ploy_field frag_table[] = {
    PLOY_FIELD_F32(ploy_frag_def, kill, 1, 0, 1e6f, "", "value of a fatal hit"),
    PLOY_FIELD_F32(ploy_frag_def, wound, 0, 0, 1e6f, "", "value of another hit"),
    PLOY_FIELD_BOOL(ploy_frag_def, by_damage, false, "hits count by their damage"),
    PLOY_FIELD_F32(ploy_frag_def, keep, 0.9f, 0, 1, "", "share left before a hit counts"),
    PLOY_FIELD_F32(ploy_frag_def, half_life, 0, 0, 1e6f, "s", "time in which values halve"),
    PLOY_FIELD_BOOL(ploy_frag_def, frozen, false, "nothing is learned"),
};

ploy_fields ploy_frag_fields(void) {
    return PLOY_FIELDS(ploy_frag_def, frag_table);
}

ploy_frag_def ploy_frag_def_default(void) {
    ploy_frag_def def;
    ploy_fields_default(ploy_frag_fields(), &def);
    return def;
}

static void frag_scale(ploy_tactics_layer *map, float factor) {
    float *numbers = ploy_tactics_layer_numbers(map);
    int32_t count = ploy_tactics_layer_places(map)->count;
    for (int32_t i = 0; i < count; i++) {
        if (!isnan(numbers[i])) numbers[i] *= factor;
    }
}

// Adds to a place; one that was unknown counts as 0 from now on.
static void frag_add(ploy_tactics_layer *map, int32_t place, float value) {
    float *numbers = ploy_tactics_layer_numbers(map);
    numbers[place] = (isnan(numbers[place]) ? 0.0f : numbers[place]) + value;
}

ploy_result ploy_frag_map_hit(const ploy_frag_def *def, ploy_tactics_layer *map, int32_t attacker,
                              int32_t victim, bool fatal, float damage) {
    if (def == NULL || ploy_tactics_layer_numbers(map) == NULL) return PLOY_ERR_ARGUMENT;
    int32_t count = ploy_tactics_layer_places(map)->count;
    if (victim < 0 || victim >= count || attacker < PLOY_PLACE_NONE || attacker >= count ||
        !(damage >= 0.0f && damage <= 1.0f)) {
        return PLOY_ERR_ARGUMENT;
    }
    if (def->frozen) return PLOY_OK;
    if (def->keep != 1.0f) frag_scale(map, def->keep);
    float value = fatal ? def->kill : def->by_damage ? def->wound * damage : def->wound;
    frag_add(map, victim, -value);
    if (attacker != PLOY_PLACE_NONE) frag_add(map, attacker, value);
    return PLOY_OK;
}

ploy_result ploy_frag_map_fade(const ploy_frag_def *def, ploy_tactics_layer *map, float seconds) {
    if (def == NULL || ploy_tactics_layer_numbers(map) == NULL || !(seconds >= 0.0f)) {
        return PLOY_ERR_ARGUMENT;
    }
    if (!def->frozen && def->half_life > 0.0f && seconds > 0.0f) {
        frag_scale(map, ploy_exp2f(-seconds / def->half_life));
    }
    return PLOY_OK;
}

int32_t ploy_frag_map_best(const ploy_tactics_layer *map, const int32_t *places, int32_t count) {
    int32_t best = -1;
    float most = 0.0f;
    for (int32_t i = 0; i < count; i++) {
        float value = ploy_tactics_layer_at(map, places[i]);
        if (isnan(value) || (best >= 0 && value <= most)) continue;
        best = i;
        most = value;
    }
    return best;
}
