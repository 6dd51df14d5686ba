// World models as lists of differences; the technique is described in the header.
//
// Invariants: (1) the list is sorted by variable, each at most once; (2) a value in the list differs
// from the source's, as of the time it was written, and is in the variable's range.
#include "ploy/decide/goap_diffs.h"

#include <string.h>

#include "goap_internal.h"

#include "ploy/base/hash.h"

struct ploy_goap_diffs {
    ploy_env env;
    const ploy_goap_type *type;
    ploy_goap_source source;
    ploy_array list;  // ploy_goap_difference
    ploy_array world; // uint64_t: packed, for callbacks of actions
};

ploy_result ploy_goap_diffs_create(const ploy_goap_type *type, const ploy_goap_source *source,
                                   const ploy_env *env, ploy_goap_diffs **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (type == NULL || source == NULL || source->read == NULL || env == NULL) {
        return PLOY_ERR_ARGUMENT;
    }
    if (!type->build.finished) return PLOY_ERR_STATE;
    ploy_goap_diffs *diffs = ploy_env_alloc_zero(env, sizeof *diffs);
    if (diffs == NULL) return PLOY_ERR_MEMORY;
    diffs->env = *env;
    diffs->type = type;
    diffs->source = *source;
    ploy_array_init(&diffs->list, sizeof(ploy_goap_difference), env);
    ploy_array_init(&diffs->world, sizeof(uint64_t), env);
    ploy_result result = ploy_array_resize(&diffs->world, type->words);
    if (result != PLOY_OK) {
        ploy_goap_diffs_destroy(diffs);
        return result;
    }
    *out = diffs;
    return PLOY_OK;
}

void ploy_goap_diffs_destroy(ploy_goap_diffs *diffs) {
    if (diffs == NULL) return;
    ploy_env env = diffs->env;
    ploy_array_fini(&diffs->list);
    ploy_array_fini(&diffs->world);
    ploy_env_free(&env, diffs, sizeof *diffs);
}

void ploy_goap_diffs_clear(ploy_goap_diffs *diffs) {
    ploy_array_clear(&diffs->list);
}

ploy_result ploy_goap_diffs_copy(ploy_goap_diffs *diffs, const ploy_goap_diffs *from) {
    if (diffs->type != from->type) return PLOY_ERR_ARGUMENT;
    if (diffs == from) return PLOY_OK;
    ploy_result result = ploy_array_reserve(&diffs->list, from->list.count);
    if (result != PLOY_OK) return result;
    ploy_array_clear(&diffs->list);
    return ploy_array_push_many(&diffs->list, from->list.items, from->list.count);
}

// The place of a variable in the list, or where it would be.
static int32_t goap_diffs_find(const ploy_goap_diffs *diffs, ploy_goap_var var) {
    const ploy_goap_difference *list = PLOY_ARRAY_ITEMS(&diffs->list, ploy_goap_difference);
    int32_t low = 0, high = diffs->list.count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (list[middle].var.number < var.number) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static bool goap_diffs_has(const ploy_goap_diffs *diffs, int32_t place, ploy_goap_var var) {
    return place < diffs->list.count &&
           PLOY_ARRAY_ITEMS(&diffs->list, ploy_goap_difference)[place].var.number == var.number;
}

static int32_t goap_diffs_source(const ploy_goap_diffs *diffs, ploy_goap_var var) {
    const ployi_goap_var *item = ployi_goap_var_at(diffs->type, var);
    int32_t value = diffs->source.read(diffs->source.user, diffs->type, var);
    return value < item->min ? item->min : value > item->max ? item->max : value;
}

static bool goap_diffs_valid(const ploy_goap_diffs *diffs, ploy_goap_var var) {
    return var.number >= 1 && var.number <= (uint32_t)diffs->type->vars.count;
}

int32_t ploy_goap_diffs_get(const ploy_goap_diffs *diffs, ploy_goap_var var) {
    if (!goap_diffs_valid(diffs, var)) return 0;
    int32_t place = goap_diffs_find(diffs, var);
    if (!goap_diffs_has(diffs, place, var)) return goap_diffs_source(diffs, var);
    return PLOY_ARRAY_ITEMS(&diffs->list, ploy_goap_difference)[place].value;
}

ploy_result ploy_goap_diffs_set(ploy_goap_diffs *diffs, ploy_goap_var var, int32_t value) {
    if (!goap_diffs_valid(diffs, var)) return PLOY_ERR_ARGUMENT;
    const ployi_goap_var *item = ployi_goap_var_at(diffs->type, var);
    if (value < item->min || value > item->max) return PLOY_ERR_ARGUMENT;
    int32_t place = goap_diffs_find(diffs, var);
    bool listed = goap_diffs_has(diffs, place, var);
    if (goap_diffs_source(diffs, var) == value) { // keeps (2)
        if (listed) (void)ploy_array_remove(&diffs->list, place);
        return PLOY_OK;
    }
    ploy_goap_difference difference = {var, value};
    if (!listed) return ploy_array_insert(&diffs->list, place, &difference); // keeps (1)
    PLOY_ARRAY_ITEMS(&diffs->list, ploy_goap_difference)[place] = difference;
    return PLOY_OK;
}

ploy_result ploy_goap_diffs_apply(ploy_goap_diffs *diffs, int32_t action) {
    ploy_goap_action item;
    if (!ploy_goap_type_action_at(diffs->type, action, &item)) return PLOY_ERR_ARGUMENT;
    // Room first, so that nothing is half applied.
    ploy_result result = ploy_array_reserve(&diffs->list, diffs->list.count + item.gain_count);
    for (int32_t i = 0; result == PLOY_OK && i < item.gain_count; i++) {
        const ploy_goap_gain *gain = &item.gains[i];
        int32_t value = gain->add ? ploy_goap_diffs_get(diffs, gain->var) : 0;
        value = ployi_goap_after(ployi_goap_var_at(diffs->type, gain->var), gain, value);
        result = ploy_goap_diffs_set(diffs, gain->var, value);
    }
    return result;
}

// Can the action be done here? Only the variables of its needs are read; callbacks get all.
static bool goap_diffs_allows(ploy_goap_diffs *diffs, int32_t action) {
    ploy_goap_action item;
    (void)ploy_goap_type_action_at(diffs->type, action, &item);
    for (int32_t i = 0; i < item.need_count; i++) {
        const ploy_goap_need *need = &item.needs[i];
        int32_t have = ploy_goap_diffs_get(diffs, need->var);
        if (!ployi_goap_meets(need->test, have, need->value)) return false;
    }
    if (item.allowed == NULL && item.price == NULL) return true;
    uint64_t *world = PLOY_ARRAY_ITEMS(&diffs->world, uint64_t);
    ploy_goap_diffs_pack(diffs, world);
    return ployi_goap_world_price(diffs->type, world, action) < (double)INFINITY;
}

int32_t ploy_goap_diffs_next(ploy_goap_diffs *diffs, int32_t action) {
    int32_t count = diffs->type->actions.count;
    if (action >= count) return -1;
    for (int32_t next = action < -1 ? 0 : action + 1; next < count; next++) {
        if (goap_diffs_allows(diffs, next)) return next;
    }
    return -1;
}

const ploy_goap_difference *ploy_goap_diffs_list(const ploy_goap_diffs *diffs, int32_t *count) {
    if (count != NULL) *count = diffs->list.count;
    return PLOY_ARRAY_ITEMS(&diffs->list, ploy_goap_difference);
}

bool ploy_goap_diffs_same(const ploy_goap_diffs *a, const ploy_goap_diffs *b) {
    if (a->type != b->type || a->list.count != b->list.count) return false;
    const ploy_goap_difference *mine = PLOY_ARRAY_ITEMS(&a->list, ploy_goap_difference);
    const ploy_goap_difference *theirs = PLOY_ARRAY_ITEMS(&b->list, ploy_goap_difference);
    for (int32_t i = 0; i < a->list.count; i++) {
        if (mine[i].var.number != theirs[i].var.number || mine[i].value != theirs[i].value) {
            return false;
        }
    }
    return true;
}

uint64_t ploy_goap_diffs_hash(const ploy_goap_diffs *diffs) {
    uint64_t hash = 0;
    for (int32_t i = 0; i < diffs->list.count; i++) {
        const ploy_goap_difference *item = &PLOY_ARRAY_ITEMS(&diffs->list, ploy_goap_difference)[i];
        hash = ploy_hash_combine(hash, ((uint64_t)item->var.number << 32) | (uint32_t)item->value);
    }
    return hash;
}

void ploy_goap_diffs_pack(const ploy_goap_diffs *diffs, uint64_t *world) {
    ploy_goap_world_clear(diffs->type, world);
    for (uint32_t i = 1; i <= (uint32_t)diffs->type->vars.count; i++) {
        ploy_goap_var var = {i};
        ployi_goap_write(ployi_goap_var_at(diffs->type, var), world,
                         ploy_goap_diffs_get(diffs, var));
    }
}
