// Definitions of level of detail: checked, copied and made quick to ask.
//
// Invariants, from create to destroy:
//   (1) 1 <= level_count <= PLOY_LOD_LEVELS_MAX; each level has a name, finite min <= max, and
//       either a type with a step or a make;
//   (2) by_middle holds every level once, sorted by the middle of its range, then by number;
//   (3) pairs[from + 1][to + 1] is the transition for that pair, -1 for none;
//   (4) state_size is that of the largest level that lives in the shared block.
#include "exec/lod_internal.h"

#include <string.h>

#include "ploy/base/math.h"

static const char *const lod_arbitrations[] = {"first", "most central", "smallest", "any"};

static const ploy_field lod_fields[] = {
    PLOY_FIELD_ENUM(ploy_lod_def, arbitration, PLOY_LOD_FIRST, lod_arbitrations,
                    "who wins when several levels fit"),
    PLOY_FIELD_I32_FIXED(ploy_lod_def, handover_size, 64, 0, 1 << 20, "B",
                         "bytes that can be carried between levels"),
    PLOY_FIELD_I32(ploy_lod_def, select_units, 1, 0, 1 << 20, "",
                   "units of the budget spent on a choice"),
};

ploy_fields ploy_lod_fields(void) {
    return PLOY_FIELDS(ploy_lod_def, lod_fields);
}

ploy_lod_def ploy_lod_def_default(void) {
    ploy_lod_def def;
    ploy_fields_default(ploy_lod_fields(), &def);
    return def;
}

const char *ploy_lod_arbitration_text(ploy_lod_arbitration arbitration) {
    bool known = (uint32_t)arbitration < sizeof lod_arbitrations / sizeof lod_arbitrations[0];
    return known ? lod_arbitrations[arbitration] : "?";
}

static bool lod_level_fine(const ploy_lod_level *level) {
    if (level->name == NULL || level->name[0] == 0) return false;
    if (!ploy_is_finite(level->min) || !ploy_is_finite(level->max) || level->min > level->max) {
        return false;
    }
    if (level->type == NULL) return level->make != NULL || !ploy_maker_is_none(level->maker);
    return level->type->step != NULL && level->state_size >= 0 && level->state_size <= (1 << 24);
}

static bool lod_end_fine(int32_t end, int32_t count) {
    return end >= PLOY_LOD_ANY && end < count;
}

static ploy_result lod_refuse(const ploy_env *env, const char *what, ploy_result result) {
    ploy_env_log(env, PLOY_SEVERITY_ERROR, what);
    return result;
}

static ploy_result lod_check(const ploy_lod_def *def, const ploy_env *env) {
    ploy_result result = ploy_fields_check(ploy_lod_fields(), def, env);
    if (result != PLOY_OK) return result;
    if (def->levels == NULL || def->level_count < 1 || def->level_count > PLOY_LOD_LEVELS_MAX ||
        def->transition_count < 0 || def->transition_count > LOD_TRANSITIONS_MAX ||
        (def->transition_count > 0 && def->transitions == NULL)) {
        return lod_refuse(env, "ploy_lod_def: number of levels is out of range", PLOY_ERR_ARGUMENT);
    }
    for (int32_t i = 0; i < def->level_count; i++) {
        if (!lod_level_fine(&def->levels[i])) {
            return lod_refuse(env, "ploy_lod_def: level has no name, behavior or range",
                              PLOY_ERR_ARGUMENT);
        }
    }
    for (int32_t i = 0; i < def->transition_count; i++) {
        const ploy_lod_transition *a = &def->transitions[i];
        if (!lod_end_fine(a->from, def->level_count) || !lod_end_fine(a->to, def->level_count)) {
            return lod_refuse(env, "ploy_lod_def: transition refers to an unknown level",
                              PLOY_ERR_ARGUMENT);
        }
        for (int32_t j = 0; j < i; j++) {
            if (def->transitions[j].from == a->from && def->transitions[j].to == a->to) {
                return lod_refuse(env, "ploy_lod_def: transition is a duplicate", PLOY_ERR_EXISTS);
            }
        }
    }
    return PLOY_OK;
}

static float lod_middle(const ploy_lod *lod, int32_t level) {
    return 0.5f * lod->levels[level].min + 0.5f * lod->levels[level].max;
}

// Insertion sort: stable, and there are sixteen at most.
static void lod_sort(ploy_lod *lod) {
    for (int32_t i = 0; i < lod->level_count; i++) {
        int32_t at = i;
        while (at > 0 && lod_middle(lod, lod->by_middle[at - 1]) > lod_middle(lod, i)) {
            lod->by_middle[at] = lod->by_middle[at - 1];
            at--;
        }
        lod->by_middle[at] = (int8_t)i; // keeps (2)
    }
}

// The most special transition of a pair: exact, then by its from, then by its to, then any.
static int32_t lod_find_transition(const ploy_lod_def *def, int32_t from, int32_t to) {
    const int32_t wanted[4][2] = {
        {from, to}, {from, PLOY_LOD_ANY}, {PLOY_LOD_ANY, to}, {PLOY_LOD_ANY, PLOY_LOD_ANY}};
    for (int32_t w = 0; w < 4; w++) {
        for (int32_t i = 0; i < def->transition_count; i++) {
            const ploy_lod_transition *a = &def->transitions[i];
            if (a->from == wanted[w][0] && a->to == wanted[w][1]) return i;
        }
    }
    return -1;
}

ploy_result ploy_lod_create(const ploy_lod_def *def, const ploy_env *env, ploy_lod **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = lod_check(def, env);
    if (result != PLOY_OK) return result;
    size_t text = 0;
    for (int32_t i = 0; i < def->level_count; i++) text += strlen(def->levels[i].name) + 1;
    size_t transitions_at = sizeof(ploy_lod);
    size_t text_at = transitions_at + (size_t)def->transition_count * sizeof(ploy_lod_transition);
    size_t size = text_at + text;
    ploy_lod *lod = ploy_env_alloc_zero(env, size);
    if (lod == NULL) return PLOY_ERR_MEMORY;
    char *names = (char *)lod + text_at;
    lod->env = *env;
    lod->size = size;
    lod->def = *def;
    lod->def.levels = NULL; // the caller's, who may free them
    lod->def.transitions = NULL;
    lod->level_count = def->level_count;
    lod->transitions = (ploy_lod_transition *)(void *)((char *)lod + transitions_at);
    if (def->transition_count > 0) {
        memcpy(lod->transitions, def->transitions,
               (size_t)def->transition_count * sizeof(ploy_lod_transition));
    }
    for (int32_t i = 0; i < def->level_count; i++) {
        size_t length = strlen(def->levels[i].name) + 1;
        lod->levels[i] = def->levels[i];
        lod->levels[i].name = memcpy(names, def->levels[i].name, length);
        names += length;
        if (def->levels[i].type != NULL) {
            lod->state_size = ploy_maxi(lod->state_size, def->levels[i].state_size);
        }
    }
    lod_sort(lod);
    for (int32_t from = PLOY_LOD_NONE; from < lod->level_count; from++) {
        for (int32_t to = PLOY_LOD_NONE; to < lod->level_count; to++) {
            lod->pairs[from + 1][to + 1] = (int16_t)lod_find_transition(def, from, to);
        }
    }
    *out = lod;
    return PLOY_OK;
}

void ploy_lod_destroy(ploy_lod *lod) {
    if (lod == NULL) return;
    ploy_env env = lod->env;
    ploy_env_free(&env, lod, lod->size);
}

int32_t ploy_lod_level_count(const ploy_lod *lod) {
    return lod->level_count;
}

const char *ploy_lod_level_name(const ploy_lod *lod, int32_t level) {
    return ploy_range_within(level, 1, lod->level_count) ? lod->levels[level].name : NULL;
}

bool ployi_lod_fits(const ploy_lod *lod, int32_t level, float importance) {
    return ploy_range_within(level, 1, lod->level_count) &&
           ploy_in_range(importance, lod->levels[level].min, lod->levels[level].max);
}

// Smaller is better.
double ployi_lod_demerit(const ploy_lod *lod, int32_t level, float importance) {
    const ploy_lod_level *a = &lod->levels[level];
    switch (lod->def.arbitration) {
    case PLOY_LOD_MOST_CENTRAL: return fabs((double)importance - (double)lod_middle(lod, level));
    case PLOY_LOD_SMALLEST: return (double)a->max - (double)a->min;
    case PLOY_LOD_FIRST:
    case PLOY_LOD_ANY_FIT: break;
    }
    return (double)level;
}

// The level whose middle is nearest to the right, then outwards both ways: a range that fits is
// nearly always among the first looked at, but as ranges have two ends it may be any.
static int32_t lod_find_any(const ploy_lod *lod, float importance) {
    int32_t low = 0, high = lod->level_count;
    while (low < high) {
        int32_t half = (low + high) / 2;
        if (lod_middle(lod, lod->by_middle[half]) < importance) {
            low = half + 1;
        } else {
            high = half;
        }
    }
    int32_t left = low - 1, right = low;
    while (left >= 0 || right < lod->level_count) {
        if (right < lod->level_count) {
            if (ployi_lod_fits(lod, lod->by_middle[right], importance))
                return lod->by_middle[right];
            right++;
        }
        if (left >= 0) {
            if (ployi_lod_fits(lod, lod->by_middle[left], importance)) return lod->by_middle[left];
            left--;
        }
    }
    return PLOY_LOD_NONE;
}

int32_t ploy_lod_find(const ploy_lod *lod, float importance, int32_t current) {
    if (ployi_lod_fits(lod, current, importance)) return current;
    if (lod->def.arbitration == PLOY_LOD_ANY_FIT) return lod_find_any(lod, importance);
    int32_t best = PLOY_LOD_NONE;
    double least = 0.0;
    for (int32_t i = 0; i < lod->level_count; i++) {
        if (!ployi_lod_fits(lod, i, importance)) continue;
        double demerit = ployi_lod_demerit(lod, i, importance);
        if (best < 0 || demerit < least) { // the first of equals
            best = i;
            least = demerit;
        }
    }
    return best;
}
