// Groups as definitions: members as makers, shared by all groups of the type.
#include <string.h>

#include "group_internal.h"
#include "ploy/base/array.h"
#include "ploy/base/name.h"

typedef struct group_type_member {
    ploy_group_member member;
    ploy_maker maker;
} group_type_member;

struct ploy_group_type {
    ploy_env env;
    ploy_scheduler_def def;
    ploy_names *names;  // of the members
    ploy_array members; // group_type_member
};

ploy_result ploy_group_type_create(const ploy_scheduler_def *def, const ploy_env *env,
                                   ploy_group_type **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_scheduler_fields(), def, env);
    if (result != PLOY_OK) return result;
    ploy_group_type *type = ploy_env_alloc_zero(env, sizeof *type);
    if (type == NULL) return PLOY_ERR_MEMORY;
    type->env = *env;
    type->def = *def;
    ploy_array_init(&type->members, sizeof(group_type_member), env);
    result = ploy_names_create(env, &type->names);
    if (result != PLOY_OK) {
        ploy_group_type_destroy(type);
        return result;
    }
    *out = type;
    return PLOY_OK;
}

void ploy_group_type_destroy(ploy_group_type *type) {
    if (type == NULL) return;
    ploy_env env = type->env;
    ploy_array_fini(&type->members);
    ploy_names_destroy(type->names);
    ploy_env_free(&env, type, sizeof *type);
}

ploy_result ploy_group_type_add(ploy_group_type *type, const char *name,
                                const ploy_group_member *member, ploy_maker maker) {
    if (type == NULL || name == NULL || name[0] == '\0' || name[0] == '#' || member == NULL ||
        ploy_maker_is_none(maker)) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_result result = ploy_fields_check(ploy_group_member_fields(), member, &type->env);
    if (result != PLOY_OK) return result;
    if (member->behavior.type != NULL || member->blackboard != NULL ||
        !ploy_id_is_none(member->agent.id)) {
        return PLOY_ERR_ARGUMENT;
    }
    for (int32_t i = 0; i < type->members.count; i++) {
        const group_type_member *other = PLOY_ARRAY_AT(&type->members, group_type_member, i);
        if (strcmp(other->member.name, name) == 0) return PLOY_ERR_EXISTS;
    }
    ploy_name id = {0};
    result = ploy_names_add(type->names, name, &id);
    if (result != PLOY_OK) return result;
    group_type_member item = {*member, maker};
    item.member.name = ploy_names_text(type->names, id);
    return ploy_array_push(&type->members, &item);
}

static ploy_result group_type_make(void *user, const ploy_env *env, ploy_behavior *out) {
    const ploy_group_type *type = user;
    ploy_group *group = NULL;
    ploy_result result = ploy_group_create(&type->def, env, &group);
    for (int32_t i = 0; i < type->members.count && result == PLOY_OK; i++) {
        const group_type_member *item = PLOY_ARRAY_AT(&type->members, group_type_member, i);
        ploy_group_member member = item->member;
        result = ploy_maker_make(item->maker, env, &member.behavior);
        if (result != PLOY_OK) break;
        result = ploy_group_add(group, &member, NULL);
        if (result != PLOY_OK) ploy_behavior_destroy(member.behavior);
    }
    if (result != PLOY_OK) {
        ploy_group_destroy(group);
        return result;
    }
    *out = ploy_group_behavior(group);
    return PLOY_OK;
}

static ploy_result group_type_check(const void *user, const ploy_blackboard_layout *layout,
                                    ploy_diags *diags) {
    const ploy_group_type *type = user;
    ploy_result result = PLOY_OK;
    for (int32_t i = 0; i < type->members.count; i++) {
        const group_type_member *item = PLOY_ARRAY_AT(&type->members, group_type_member, i);
        ploy_result one = ploy_maker_check(item->maker, layout, &type->env, diags);
        if (result == PLOY_OK) result = one;
    }
    return result;
}

ploy_maker ploy_group_type_maker(ploy_group_type *type) {
    ploy_maker maker = {group_type_make, type, NULL, group_type_check};
    return maker;
}
