// Trees of goals from a definition: what every character of a kind begins with.
#include <string.h>

#include "goals_internal.h"

#include "decide/decide_internal.h"

typedef struct goals_type_item {
    const ploy_goal_type *type;
    uint64_t params[PLOY_GOAL_PARAMS_MAX / 8];
    size_t size;
    ploy_goal_place place;
} goals_type_item;

struct ploy_goals_type {
    ploy_env env;
    ploy_goals_def def;
    ploy_array items; // goals_type_item
    ploy_array known; // const ploy_goal_type *
    ploy_goals_owner_fn owner;
    void *owner_user;
};

ploy_result ploy_goals_type_create(const ploy_goals_def *def, const ploy_env *env,
                                   ploy_goals_type **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_goals_fields(), def, env);
    if (result != PLOY_OK) return result;
    ploy_goals_type *type = ploy_env_alloc_zero(env, sizeof *type);
    if (type == NULL) return PLOY_ERR_MEMORY;
    type->env = *env;
    type->def = *def;
    ploy_array_init(&type->items, sizeof(goals_type_item), env);
    ploy_array_init(&type->known, sizeof(const ploy_goal_type *), env);
    *out = type;
    return PLOY_OK;
}

void ploy_goals_type_destroy(ploy_goals_type *type) {
    if (type == NULL) return;
    ploy_env env = type->env;
    ploy_array_fini(&type->items);
    ploy_array_fini(&type->known);
    ploy_env_free(&env, type, sizeof *type);
}

ploy_result ployi_goals_type_register(ploy_goals_type *type, const ploy_goal_type *const *types,
                                      int32_t count) {
    if (type == NULL || count < 0 || (count > 0 && types == NULL)) return PLOY_ERR_ARGUMENT;
    for (int32_t i = 0; i < count; i++) {
        if (types[i] == NULL || types[i]->name == NULL) return PLOY_ERR_ARGUMENT;
        bool known = false;
        for (int32_t k = 0; k < type->known.count && !known; k++) {
            const ploy_goal_type *other = PLOY_ARRAY_ITEMS(&type->known, const ploy_goal_type *)[k];
            known = other == types[i];
            if (!known && strcmp(other->name, types[i]->name) == 0) return PLOY_ERR_EXISTS;
        }
        ploy_result result = known ? PLOY_OK : ploy_array_push(&type->known, &types[i]);
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

ploy_result ploy_goals_type_add(ploy_goals_type *type, ploy_goal_place place,
                                const ploy_goal_type *goal, const void *params, size_t size) {
    if (type == NULL || goal == NULL || size > PLOY_GOAL_PARAMS_MAX ||
        (size > 0 && params == NULL) || (uint32_t)place > (uint32_t)PLOY_GOAL_REPEAT ||
        (place == PLOY_GOAL_REPEAT && goal->once) ||
        (goal->composite && !ploy_maker_is_none(goal->maker))) {
        return PLOY_ERR_ARGUMENT;
    }
    if (type->items.count >= type->def.capacity) return PLOY_ERR_CAPACITY;
    ploy_result result = ployi_goals_type_register(type, &goal, 1);
    if (result != PLOY_OK) return result;
    goals_type_item item;
    memset(&item, 0, sizeof item);
    item.type = goal;
    item.place = place;
    item.size = size;
    if (size > 0) memcpy(item.params, params, size);
    return ploy_array_push(&type->items, &item);
}

void ploy_goals_type_set_owner(ploy_goals_type *type, ploy_goals_owner_fn owner, void *user) {
    type->owner = owner;
    type->owner_user = user;
}

void ployi_goals_own(ploy_goals *goals, const ploy_step_context *context) {
    const ploy_goals_type *type = goals->made_of;
    if (type == NULL || type->owner == NULL) return;
    goals->owner = type->owner(type->owner_user, context);
}

ploy_result ployi_goals_begin(ploy_goals *goals, ploy_step_context *context) {
    const ploy_goals_type *type = goals->made_of;
    if (type == NULL) return PLOY_OK;
    ployi_goals_own(goals, context);
    ploy_result result = PLOY_OK;
    for (int32_t i = 0; i < type->items.count && result == PLOY_OK; i++) {
        const goals_type_item *item = PLOY_ARRAY_AT(&type->items, goals_type_item, i);
        result = ploy_goals_add(goals, context, ploy_goals_root(goals), item->place, item->type,
                                item->params, item->size, NULL);
    }
    return result;
}

static ploy_result goals_type_make(void *user, const ploy_env *env, ploy_behavior *out) {
    const ploy_goals_type *type = user;
    ploy_goals *goals = NULL;
    ploy_result result = ploy_goals_create(&type->def, NULL, env, &goals);
    if (result != PLOY_OK) return result;
    goals->made_of = type;
    result = ploy_goals_register(goals, PLOY_ARRAY_ITEMS(&type->known, const ploy_goal_type *),
                                 type->known.count);
    if (result != PLOY_OK) {
        ploy_goals_destroy(goals);
        return result;
    }
    *out = ploy_goals_behavior(goals);
    return PLOY_OK;
}

static ploy_result goals_type_check(const void *user, const ploy_blackboard_layout *layout,
                                    ploy_diags *diags) {
    const ploy_goals_type *type = user;
    ploy_result result = PLOY_OK;
    for (int32_t i = 0; i < type->known.count; i++) {
        const ploy_goal_type *goal = PLOY_ARRAY_ITEMS(&type->known, const ploy_goal_type *)[i];
        ploy_result one = ploy_maker_check(goal->maker, layout, &type->env, diags);
        if (result == PLOY_OK) result = one;
    }
    return result;
}

ploy_maker ploy_goals_type_maker(ploy_goals_type *type) {
    ploy_maker maker = {goals_type_make, type, NULL, goals_type_check};
    return maker;
}
