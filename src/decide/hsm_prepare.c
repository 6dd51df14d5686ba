// What can be computed about a chart when it is finished: which states a rule leaves and enters, as
// long as no history has a say in it. A step then only masks sets.
#include <string.h>

#include "hsm_internal.h"

// A machine that is in no state, with nothing but what collecting states needs.
static ploy_result hsm_prepare_open(ploy_hsm *hsm, const ploy_hsm_type *type) {
    size_t words = (size_t)type->words, nodes = (size_t)type->nodes.count;
    memset(hsm, 0, sizeof *hsm);
    hsm->env = type->build.env;
    hsm->type = type;
    hsm->words = type->words;
    hsm->size = words * (size_t)(PLOYI_HSM_SETS + type->histories) * sizeof(uint64_t) +
                nodes * sizeof(int32_t);
    hsm->block = ploy_env_alloc_zero(&hsm->env, hsm->size);
    if (hsm->block == NULL) return PLOY_ERR_MEMORY;
    hsm->scratch = hsm->block;
    hsm->histories = hsm->scratch + words * PLOYI_HSM_SETS;
    hsm->content = (int32_t *)(void *)(hsm->histories + words * (size_t)type->histories);
    return PLOY_OK;
}

static uint64_t *hsm_prepare_set(const ploy_hsm_type *type, const uint64_t *set) {
    return PLOY_ARRAY_ITEMS(&type->sets, uint64_t) +
           (set - PLOY_ARRAY_ITEMS(&type->sets, uint64_t));
}

static void hsm_prepare_states(const ploy_hsm_type *type) {
    uint64_t *atomic = hsm_prepare_set(type, ployi_hsm_type_set(type, PLOYI_HSM_ATOMIC));
    uint64_t *acts = hsm_prepare_set(type, ployi_hsm_type_set(type, PLOYI_HSM_ACTS));
    for (uint32_t i = 1; i < (uint32_t)type->nodes.count; i++) {
        const ployi_hsm_node *node = ployi_hsm_node_at(type, i);
        if (node->children == 0 && node->kind < PLOY_HSM_HISTORY) ployi_hsm_put(atomic, i);
        if (node->maker >= 0 || node->hooks.execute != NULL) ployi_hsm_put(acts, i);
        bool loud = node->maker >= 0 || node->hooks.enter != NULL || node->hooks.exit != NULL ||
                    node->on_enter.number != 0 || node->on_exit.number != 0 ||
                    node->on_initial.number != 0 || node->initial_action != NULL ||
                    node->kind == PLOY_HSM_FINAL;
        if (loud) ployi_hsm_put(hsm_prepare_set(type, ployi_hsm_type_set(type, PLOYI_HSM_LOUD)), i);
        if (node->history < 0) continue;
        uint64_t *wanted = hsm_prepare_set(type, ployi_hsm_wanted(type, node->history));
        uint32_t last = ployi_hsm_node_at(type, node->parent)->last;
        for (uint32_t k = node->parent + 1; k <= last; k++) {
            const ployi_hsm_node *inner = ployi_hsm_node_at(type, k);
            bool deep = node->kind == PLOY_HSM_DEEP_HISTORY;
            if (deep ? inner->children == 0 : inner->parent == node->parent) {
                ployi_hsm_put(wanted, k);
            }
        }
    }
}

// Whether what a history represents may lie outside of its parent, or inside together with where
// the rule comes from: then the domain depends on what it remembers.
static bool hsm_prepare_roams(const ploy_hsm_type *type, uint32_t from, uint32_t target) {
    const ployi_hsm_node *node = ployi_hsm_node_at(type, target);
    if (node->history < 0) return false;
    return node->count > 0 || from == node->parent || ployi_hsm_within(type, from, node->parent);
}

// The sets of a rule, as far as no history decides.
static void hsm_prepare_rule(ploy_hsm_type *type, ploy_hsm *hsm, int32_t rule) {
    ployi_hsm_link *link = &PLOY_ARRAY_ITEMS(&type->links, ployi_hsm_link)[rule];
    const uint32_t *targets = ployi_hsm_targets(type, link->target_first);
    bool roams = ployi_hsm_node_at(type, link->from)->kind >= PLOY_HSM_HISTORY;
    for (int32_t i = 0; i < link->target_count && !roams; i++) {
        roams = hsm_prepare_roams(type, link->from, targets[i]);
    }
    if (roams || link->target_count == 0) return;
    // In this machine no history remembers anything; each then represents its parent.
    uint32_t domain = ployi_hsm_domain(hsm, link);
    hsm->recalled = false;
    ployi_hsm_begin_entry(hsm);
    ployi_hsm_collect(hsm, link, domain);
    size_t size = (size_t)type->words * sizeof(uint64_t);
    uint64_t *inside = hsm_prepare_set(type, ployi_hsm_link_set(type, rule, PLOYI_HSM_INSIDE));
    uint32_t last = ployi_hsm_node_at(type, domain)->last;
    for (uint32_t i = domain + 1; i <= last; i++) ployi_hsm_put(inside, i);
    link->domain = domain;
    link->fixed_exit = true;
    if (hsm->recalled) return;
    // The second and third of the machine's sets are those to enter, see hsm_run.c.
    memcpy(hsm_prepare_set(type, ployi_hsm_link_set(type, rule, PLOYI_HSM_ENTRY)),
           hsm->scratch + type->words, size);
    memcpy(hsm_prepare_set(type, ployi_hsm_link_set(type, rule, PLOYI_HSM_DEFAULT)),
           hsm->scratch + 2 * type->words, size);
    link->fixed_entry = true;
}

ploy_result ployi_hsm_prepare(ploy_hsm_type *type) {
    type->words = (type->nodes.count + 63) / 64;
    int64_t sets =
        PLOYI_HSM_TYPE_SETS + type->histories + (int64_t)type->links.count * PLOYI_HSM_LINK_SETS;
    if (sets * type->words > INT32_MAX / 8) return PLOY_ERR_LIMIT;
    ploy_result result = ploy_array_resize(&type->sets, (int32_t)(sets * type->words));
    if (result != PLOY_OK) return result;
    memset(PLOY_ARRAY_ITEMS(&type->sets, uint64_t), 0, (size_t)type->sets.count * sizeof(uint64_t));
    for (uint32_t i = 1; i < (uint32_t)type->nodes.count && result == PLOY_OK; i++) {
        if (ployi_hsm_node_at(type, i)->history >= 0) {
            result = ploy_array_push(&type->recalls, &i);
        }
    }
    if (result != PLOY_OK) return result;
    hsm_prepare_states(type);
    ploy_name any = ploy_name_of("*");
    type->eventless = 0;
    for (int32_t i = 0; i < type->links.count; i++) {
        ployi_hsm_link *link = &PLOY_ARRAY_ITEMS(&type->links, ployi_hsm_link)[i];
        const ploy_name *ons = PLOY_ARRAY_ITEMS(&type->ons, ploy_name) + link->on_first;
        for (int32_t k = 0; k < link->on_count; k++) {
            link->any = link->any || ploy_name_equal(ons[k], any);
        }
        bool history = ployi_hsm_node_at(type, link->from)->kind >= PLOY_HSM_HISTORY;
        if (link->on_count == 0 && !history) type->eventless++;
        if (history) type->defaults = true;
    }
    if (type->def.policy != PLOY_HSM_SCXML) return PLOY_OK;
    ploy_hsm hsm;
    result = hsm_prepare_open(&hsm, type);
    if (result != PLOY_OK) return result;
    for (int32_t i = 0; i < type->links.count; i++) hsm_prepare_rule(type, &hsm, i);
    ploy_env_free(&hsm.env, hsm.block, hsm.size);
    return PLOY_OK;
}
