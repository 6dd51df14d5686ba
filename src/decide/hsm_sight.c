// Doubts about the types of hierarchical machines.
#include "hsm_internal.h"

#include <string.h>

// ---- doubts

static void hsm_sight_enter(const ploy_hsm_type *type, uint64_t *reached, uint32_t number,
                            bool *changed);

// A state that is entered on the way to another: its regions are too.
static void hsm_sight_pass(const ploy_hsm_type *type, uint64_t *reached, uint32_t number,
                           bool *changed) {
    if (ployi_hsm_has(reached, number)) return;
    ployi_hsm_put(reached, number);
    *changed = true;
    const ployi_hsm_node *node = ployi_hsm_node_at(type, number);
    if (node->kind != PLOY_HSM_PARALLEL) return;
    for (uint32_t child = number + 1; child <= node->last;
         child = ployi_hsm_node_at(type, child)->last + 1) {
        if (ployi_hsm_node_at(type, child)->kind >= PLOY_HSM_HISTORY) continue;
        hsm_sight_enter(type, reached, child, changed);
    }
}

static void hsm_sight_enter(const ploy_hsm_type *type, uint64_t *reached, uint32_t number,
                            bool *changed) {
    const ployi_hsm_node *node = ployi_hsm_node_at(type, number);
    for (uint32_t above = node->parent; above != 0;
         above = ployi_hsm_node_at(type, above)->parent) {
        hsm_sight_pass(type, reached, above, changed);
    }
    hsm_sight_pass(type, reached, number, changed);
    if (node->kind >= PLOY_HSM_HISTORY && node->count == 0) {
        node = ployi_hsm_node_at(type, node->parent); // represents its parent
    }
    const uint32_t *initial = ployi_hsm_targets(type, node->initial_first);
    for (int32_t i = 0; i < node->initial_count; i++) {
        if (!ployi_hsm_has(reached, initial[i])) {
            hsm_sight_enter(type, reached, initial[i], changed);
        }
    }
}

static void hsm_sight_reach(const ploy_hsm_type *type, uint64_t *reached) {
    const ployi_hsm_node *root = ployi_hsm_node_at(type, 0);
    bool changed = true;
    for (int32_t i = 0; i < root->initial_count; i++) {
        uint32_t first = ployi_hsm_targets(type, root->initial_first)[i];
        hsm_sight_enter(type, reached, first, &changed);
    }
    while (changed) {
        changed = false;
        for (int32_t i = 0; i < type->links.count; i++) {
            const ployi_hsm_link *link = ployi_hsm_link_at(type, i);
            const uint32_t *targets = ployi_hsm_targets(type, link->target_first);
            if (!ployi_hsm_has(reached, link->from)) continue;
            for (int32_t k = 0; k < link->target_count; k++) {
                hsm_sight_enter(type, reached, targets[k], &changed);
            }
        }
    }
}

// True if whatever b answers, a answers too.
static bool hsm_sight_covers(const ploy_hsm_type *type, const ployi_hsm_link *a,
                             const ployi_hsm_link *b) {
    if (a->on_count == 0) return true; // looked at before any event is
    if (b->on_count == 0) return false;
    const ploy_name *ons = PLOY_ARRAY_ITEMS(&type->ons, ploy_name);
    for (int32_t i = 0; i < b->on_count; i++) {
        const char *text = ployi_build_text(&type->build, ons[b->on_first + i]);
        ploy_hsm_event event = ploy_hsm_event_make(text);
        bool covered = false;
        for (int32_t k = 0; k < a->on_count && !covered; k++) {
            ploy_name on = ons[a->on_first + k];
            covered = ploy_name_equal(on, ploy_name_of("*"));
            for (int32_t x = 0; x < event.count && !covered; x++) {
                covered = ploy_name_equal(on, event.names[x]);
            }
        }
        if (!covered) return false;
    }
    return true;
}

// True if a rule of the same state always goes before it.
static bool hsm_sight_shadowed(const ploy_hsm_type *type, int32_t rule) {
    const ployi_hsm_link *link = ployi_hsm_link_at(type, rule);
    const ployi_hsm_node *from = ployi_hsm_node_at(type, link->from);
    for (int32_t k = 0; k < from->count; k++) {
        int32_t i = PLOY_ARRAY_ITEMS(&type->order, int32_t)[from->first + k];
        const ployi_hsm_link *other = ployi_hsm_link_at(type, i);
        bool earlier = i < rule || (other->on_count == 0 && link->on_count > 0);
        if (i == rule || !earlier) continue;
        if (ploy_condition_is_none(other->when) && hsm_sight_covers(type, other, link)) return true;
    }
    return false;
}

// True if both may be active at the same time.
static bool hsm_sight_together(const ploy_hsm_type *type, uint32_t a, uint32_t b) {
    if (a == b || ployi_hsm_within(type, a, b) || ployi_hsm_within(type, b, a)) return true;
    while (!ployi_hsm_within(type, b, a)) a = ployi_hsm_node_at(type, a)->parent;
    return ployi_hsm_node_at(type, a)->kind == PLOY_HSM_PARALLEL;
}

// True if some rule leaves the state.
static bool hsm_sight_leaves(const ploy_hsm_type *type, const uint64_t *reached, uint32_t number) {
    for (int32_t i = 0; i < type->links.count; i++) {
        const ployi_hsm_link *link = ployi_hsm_link_at(type, i);
        const uint32_t *targets = ployi_hsm_targets(type, link->target_first);
        if (link->target_count == 0 || !ployi_hsm_has(reached, link->from)) continue;
        if (!hsm_sight_together(type, link->from, number)) continue;
        uint32_t domain = link->internal ? link->from : ployi_hsm_node_at(type, link->from)->parent;
        for (bool all = false; !all && domain != 0;) {
            all = ployi_hsm_node_at(type, domain)->kind == PLOY_HSM_STATE;
            for (int32_t k = 0; k < link->target_count && all; k++) {
                all = ployi_hsm_within(type, targets[k], domain);
            }
            if (!all) domain = ployi_hsm_node_at(type, domain)->parent;
        }
        if (ployi_hsm_within(type, number, domain)) return true;
    }
    return false;
}

int32_t ploy_hsm_type_lint(const ploy_hsm_type *type, ploy_diags *diags) {
    if (!type->build.finished) return PLOY_ERR_STATE;
    size_t size = ((size_t)type->nodes.count + 63) / 64 * sizeof(uint64_t);
    uint64_t *reached = ploy_env_alloc_zero(&type->build.env, size);
    if (reached == NULL) return PLOY_ERR_MEMORY;
    hsm_sight_reach(type, reached);
    int32_t count = 0;
    for (uint32_t i = 1; i < (uint32_t)type->nodes.count; i++) {
        const ployi_hsm_node *node = ployi_hsm_node_at(type, i);
        const char *id = ployi_build_text(&type->build, node->id);
        if (!ployi_hsm_has(reached, i)) {
            const char *what =
                node->kind < PLOY_HSM_HISTORY ? "unreachable state" : "unreachable history";
            ployi_lint(diags, &count, what, id);
        } else if (node->children == 0 && node->kind < PLOY_HSM_FINAL &&
                   !hsm_sight_leaves(type, reached, i)) {
            ployi_lint(diags, &count, "state has no rule out of it:", id);
        }
    }
    for (int32_t i = 0; i < type->links.count; i++) {
        const ployi_hsm_link *link = ployi_hsm_link_at(type, i);
        bool dead = ployi_hsm_has(reached, link->from) && hsm_sight_shadowed(type, i);
        if (dead) {
            ployi_lint(diags, &count, "rule is never taken, an earlier one always is:",
                       ployi_build_text(&type->build, link->id));
        }
    }
    ploy_env_free(&type->build.env, reached, size);
    return count;
}
