// The definition of hierarchical machines; the technique is described in the header.
//
// Invariants of a finished type:
//   (1) states are in the order of the document, `last` ends each one's descendants;
//   (2) every compound state has initial targets, all within it;
//   (3) a history state has at most one rule, without event and condition, whose targets lie within
//       its parent and are no history states.
#include "hsm_internal.h"

#include "decide/decide_internal.h"

#include <string.h>

static const char *const hsm_type_policies[] = {"scxml", "keep_inner"};

static const ploy_field hsm_type_fields[] = {
    PLOY_FIELD_ENUM(ploy_hsm_def, policy, PLOY_HSM_SCXML, hsm_type_policies,
                    "what is left and remembered, and whose rules come first"),
    PLOY_FIELD_I32(ploy_hsm_def, queue, 16, 1, 65536, "", "events that may wait in each queue"),
    PLOY_FIELD_I32(ploy_hsm_def, changes, 1000, 1, 1 << 30, "", "most changes in one step"),
    PLOY_FIELD_BOOL(ploy_hsm_def, same_level, false, "rules may only lead to siblings"),
    PLOY_FIELD_BOOL(ploy_hsm_def, eager, false, "keep_inner: inner states are entered at once"),
    PLOY_FIELD_BOOL(ploy_hsm_def, clear_inner, false, "keep_inner: nothing is remembered"),
    PLOY_FIELD_BOOL(ploy_hsm_def, deep_exit, false, "keep_inner: inner states are left too"),
};

ploy_hsm_def ploy_hsm_def_default(void) {
    ploy_hsm_def def;
    ploy_fields_default(ploy_hsm_fields(), &def);
    return def;
}

ploy_fields ploy_hsm_fields(void) {
    return PLOY_FIELDS(ploy_hsm_def, hsm_type_fields);
}

ploy_hsm_event ploy_hsm_event_make(const char *name) {
    ploy_hsm_event event;
    memset(&event, 0, sizeof event);
    size_t length = name != NULL ? strlen(name) : 0;
    while (length > 0 && event.count < PLOY_HSM_EVENT_PARTS) {
        event.names[event.count++] = ploy_name_of_bytes(name, length);
        while (length > 0 && name[length - 1] != '.') length--;
        if (length > 0) length--; // the dot
    }
    event.message = ploy_message_make(ploy_agent_id_none(), ploy_agent_id_none(), event.names[0]);
    return event;
}

ploy_result ploy_hsm_type_create(const ploy_hsm_def *def, const ploy_blackboard_layout *layout,
                                 const ploy_env *env, ploy_hsm_type **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_hsm_fields(), def, env);
    if (result != PLOY_OK) return result;
    ploy_hsm_type *type = ploy_env_alloc_zero(env, sizeof *type);
    if (type == NULL) return PLOY_ERR_MEMORY;
    type->build.env = *env;
    type->def = *def;
    ploy_array_init(&type->nodes, sizeof(ployi_hsm_node), env);
    ploy_array_init(&type->links, sizeof(ployi_hsm_link), env);
    ploy_array_init(&type->order, sizeof(int32_t), env);
    ploy_array_init(&type->ons, sizeof(ploy_name), env);
    ploy_array_init(&type->targets, sizeof(uint32_t), env);
    ploy_array_init(&type->ops, sizeof(ployi_hsm_op), env);
    ploy_array_init(&type->blocks, sizeof(ployi_hsm_block), env);
    ploy_array_init(&type->holders, sizeof(uint32_t), env);
    ploy_array_init(&type->recalls, sizeof(uint32_t), env);
    ploy_array_init(&type->sets, sizeof(uint64_t), env);
    ploy_map_init(&type->state_of, sizeof(uint32_t), env);
    ploy_map_init(&type->rule_of, sizeof(int32_t), env);
    type->layout = layout;
    result = ployi_build_init(&type->build, env);
    if (result == PLOY_OK) result = ploy_conditions_create(layout, env, &type->conditions);
    ployi_hsm_node root;
    memset(&root, 0, sizeof root);
    root.maker = -1;
    root.history = -1;
    if (result == PLOY_OK) result = ploy_array_push(&type->nodes, &root);
    if (result != PLOY_OK) {
        ploy_hsm_type_destroy(type);
        return result;
    }
    *out = type;
    return PLOY_OK;
}

void ploy_hsm_type_destroy(ploy_hsm_type *type) {
    if (type == NULL) return;
    ploy_env env = type->build.env;
    ploy_array *arrays[] = {&type->nodes,   &type->links, &type->order,  &type->ons,
                            &type->targets, &type->ops,   &type->blocks, &type->holders,
                            &type->recalls, &type->sets};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) ploy_array_fini(arrays[i]);
    ploy_map_fini(&type->state_of);
    ploy_map_fini(&type->rule_of);
    ploy_conditions_destroy(type->conditions);
    ployi_build_fini(&type->build);
    ploy_env_free(&env, type, sizeof *type);
}

ploy_conditions *ploy_hsm_type_conditions(ploy_hsm_type *type) {
    return type->conditions;
}

ploy_hsm_state ploy_hsm_type_find(const ploy_hsm_type *type, const char *id) {
    ploy_hsm_state state = {0};
    const uint32_t *number = ploy_map_find_text(&type->state_of, id);
    if (number != NULL) state.number = *number;
    return state;
}

const char *ploy_hsm_type_id(const ploy_hsm_type *type, ploy_hsm_state state) {
    if (state.number == 0 || state.number >= (uint32_t)type->nodes.count) return "";
    return ployi_build_text(&type->build, ployi_hsm_node_at(type, state.number)->id);
}

int32_t ploy_hsm_type_count(const ploy_hsm_type *type) {
    return type->nodes.count - 1;
}

static ploy_hsm_event hsm_type_done(const char *prefix, const char *id) {
    char text[256];
    size_t used = strlen(prefix), length = strlen(id);
    if (length > sizeof text - used - 1) length = sizeof text - used - 1;
    memcpy(text, prefix, used);
    memcpy(text + used, id, length);
    text[used + length] = '\0';
    return ploy_hsm_event_make(text);
}

// Why a state cannot be added there, or NULL.
static const char *hsm_type_refuse(const ploy_hsm_type *type, const char *id, uint32_t parent,
                                   ploy_hsm_kind kind) {
    uint32_t count = (uint32_t)type->nodes.count;
    if ((unsigned)kind > PLOY_HSM_DEEP_HISTORY) return "unknown kind of state";
    if (parent >= count || ployi_hsm_node_at(type, parent)->last != count - 1) {
        return "state is out of document order:";
    }
    if (ployi_hsm_node_at(type, parent)->kind >= PLOY_HSM_FINAL)
        return "parent cannot contain states:";
    bool plain = kind == PLOY_HSM_STATE;
    if (type->def.policy == PLOY_HSM_KEEP_INNER && !plain) {
        return "unsupported kind of state with keep_inner:";
    }
    if (kind >= PLOY_HSM_HISTORY && parent == 0) return "history state is outside any state:";
    if (ploy_hsm_type_find(type, id).number != 0) return "duplicate state id";
    if (id != NULL && strlen(id) > 200) return "id is too long:";
    return NULL;
}

ploy_hsm_state ploy_hsm_type_state(ploy_hsm_type *type, const char *id, ploy_hsm_state parent,
                                   ploy_hsm_kind kind, const ploy_hsm_hooks *hooks,
                                   ploy_maker inside) {
    ploy_hsm_state state = {0};
    if (!ployi_build_open(&type->build)) return state;
    const char *refused = hsm_type_refuse(type, id, parent.number, kind);
    if (refused != NULL || type->nodes.count > PLOY_HSM_STATES_MAX) {
        ploy_result code = refused != NULL ? PLOY_ERR_ARGUMENT : PLOY_ERR_LIMIT;
        (void)ployi_build_fault(&type->build, code,
                                refused != NULL ? refused : "too many states at", id);
        return state;
    }
    ployi_hsm_node node;
    memset(&node, 0, sizeof node);
    node.id = ployi_build_name(&type->build, "invalid state id", id);
    if (!ployi_build_open(&type->build)) return state;
    uint32_t number = (uint32_t)type->nodes.count;
    node.kind = kind;
    node.parent = parent.number;
    node.last = number;
    if (hooks != NULL) node.hooks = *hooks;
    node.inside = inside;
    node.maker = ploy_maker_is_none(inside) ? -1 : type->makers;
    bool history = kind >= PLOY_HSM_HISTORY;
    node.history = history ? type->histories : -1;
    node.done = hsm_type_done("done.state.", id);
    ploy_result result = ploy_map_put(&type->state_of, node.id.hash, &number);
    if (result == PLOY_OK) result = ploy_array_push(&type->nodes, &node);
    if (result == PLOY_OK && node.maker >= 0) result = ploy_array_push(&type->holders, &number);
    if (result != PLOY_OK) {
        (void)ployi_build_fault(&type->build, result, "out of memory for state", id);
        return state;
    }
    if (node.maker >= 0) type->makers++;
    if (history) type->histories++;
    ployi_hsm_node *nodes = PLOY_ARRAY_ITEMS(&type->nodes, ployi_hsm_node);
    if (!history) nodes[parent.number].children++;
    uint32_t above = number;
    do { // keeps (1)
        above = nodes[above].parent;
        nodes[above].last = number;
    } while (above != 0);
    state.number = number;
    return state;
}

// Copies targets; false with a fault if one is no state.
static bool hsm_type_add_targets(ploy_hsm_type *type, const ploy_hsm_state *targets, int32_t count,
                                 const char *id, int32_t *first) {
    *first = type->targets.count;
    bool bad = count < 0 || count > PLOY_HSM_STATES_MAX || (count > 0 && targets == NULL);
    for (int32_t i = 0; i < count && !bad; i++) {
        bad = targets[i].number == 0 || targets[i].number >= (uint32_t)type->nodes.count;
        if (bad) break;
        ploy_result result = ploy_array_push(&type->targets, &targets[i].number);
        if (result != PLOY_OK) {
            (void)ployi_build_fault(&type->build, result, "out of memory for targets of", id);
            return false;
        }
    }
    if (bad) (void)ployi_build_fault(&type->build, PLOY_ERR_ARGUMENT, "unknown target of", id);
    return !bad;
}

ploy_result ploy_hsm_type_set_initial(ploy_hsm_type *type, ploy_hsm_state state,
                                      const ploy_hsm_state *targets, int32_t count,
                                      ploy_hsm_action_fn action, void *user) {
    if (!ployi_build_open(&type->build)) return PLOY_ERR_STATE;
    int32_t first;
    if (state.number >= (uint32_t)type->nodes.count || count < 1) {
        return ployi_build_fault(&type->build, PLOY_ERR_ARGUMENT, "unknown initial state", "");
    }
    const char *id = ploy_hsm_type_id(type, state);
    if (!hsm_type_add_targets(type, targets, count, id, &first)) return type->build.result;
    for (int32_t i = 0; i < count; i++) {
        if (ployi_hsm_within(type, targets[i].number, state.number)) continue;
        return ployi_build_fault(&type->build, PLOY_ERR_ARGUMENT, "initial state is outside of",
                                 id);
    }
    ployi_hsm_node *node = &PLOY_ARRAY_ITEMS(&type->nodes, ployi_hsm_node)[state.number];
    node->initial_first = first;
    node->initial_count = count;
    node->initial_action = action;
    node->initial_user = user;
    return PLOY_OK;
}

ploy_hsm_rule ploy_hsm_rule_make(const char *id, ploy_hsm_state from, const char *on,
                                 const ploy_hsm_state *to) {
    ploy_hsm_rule rule;
    memset(&rule, 0, sizeof rule);
    rule.id = id;
    rule.from = from;
    rule.on = on;
    rule.targets = to;
    rule.target_count = to != NULL ? 1 : 0;
    return rule;
}

// Notes the names of a list of events; "a.*" is "a".
static ploy_result hsm_type_add_ons(ploy_hsm_type *type, const char *on, ployi_hsm_link *link) {
    link->on_first = type->ons.count;
    while (on != NULL && *on != '\0') {
        size_t length = 0;
        while (on[length] != '\0' && on[length] != ' ') length++;
        size_t used = length;
        if (used > 2 && on[used - 1] == '*' && on[used - 2] == '.') used -= 2;
        if (used > 1 && on[used - 1] == '.') used--;
        if (used > 0) {
            char text[256];
            if (used >= sizeof text) return PLOY_ERR_LIMIT;
            memcpy(text, on, used);
            text[used] = '\0';
            ploy_name name = {0};
            ploy_result result = ploy_names_add(type->build.names, text, &name);
            if (result == PLOY_OK) result = ploy_array_push(&type->ons, &name);
            if (result != PLOY_OK) return result;
            link->on_count++;
        }
        on += length;
        if (*on == ' ') on++;
    }
    return PLOY_OK;
}

ploy_result ploy_hsm_type_add(ploy_hsm_type *type, const ploy_hsm_rule *rule) {
    if (!ployi_build_open(&type->build)) return PLOY_ERR_STATE;
    if (rule == NULL) return PLOY_ERR_ARGUMENT;
    if (rule->from.number == 0 || rule->from.number >= (uint32_t)type->nodes.count ||
        !ployi_condition_valid(type->conditions, rule->when) ||
        !ployi_hsm_content_valid(type, rule->content) ||
        (rule->on != NULL && rule->on[0] == '\0')) {
        return ployi_build_fault(&type->build, PLOY_ERR_ARGUMENT, "unknown state or condition in",
                                 rule->id);
    }
    ployi_hsm_link link;
    memset(&link, 0, sizeof link);
    if (ploy_map_find_text(&type->rule_of, rule->id) != NULL) {
        return ployi_build_fault(&type->build, PLOY_ERR_EXISTS, "duplicate rule id", rule->id);
    }
    link.id = ployi_build_name(&type->build, "invalid rule id", rule->id);
    if (!ployi_build_open(&type->build)) return type->build.result;
    link.from = rule->from.number;
    link.when = rule->when;
    link.internal = rule->internal;
    link.action = rule->action;
    link.user = rule->user;
    link.content = rule->content;
    link.target_count = rule->target_count;
    if (!hsm_type_add_targets(type, rule->targets, rule->target_count, rule->id,
                              &link.target_first)) {
        return type->build.result;
    }
    ploy_result result = hsm_type_add_ons(type, rule->on, &link);
    if (result == PLOY_OK) {
        result = ploy_map_put(&type->rule_of, link.id.hash, &type->links.count);
    }
    if (result == PLOY_OK) result = ploy_array_push(&type->links, &link);
    if (result != PLOY_OK) {
        return ployi_build_fault(&type->build, result, "out of memory for rule", rule->id);
    }
    return PLOY_OK;
}

// The level of a rule by its first target.
static int32_t hsm_type_level(const ploy_hsm_type *type, const ployi_hsm_link *link) {
    uint32_t target = ployi_hsm_targets(type, link->target_first)[0];
    uint32_t from = ployi_hsm_node_at(type, link->from)->parent;
    uint32_t to = ployi_hsm_node_at(type, target)->parent;
    int32_t up = 0, down = 0;
    // Up from the source's parent until it holds the target's parent, then down to that.
    while (from != to && !ployi_hsm_within(type, to, from)) {
        from = ployi_hsm_node_at(type, from)->parent;
        up++;
    }
    while (to != from) {
        to = ployi_hsm_node_at(type, to)->parent;
        down++;
    }
    return up > 0 ? up : -down;
}

ploy_result ploy_hsm_type_level(const ploy_hsm_type *type, const char *rule, int32_t *out) {
    const int32_t *number = ploy_map_find_text(&type->rule_of, rule);
    if (number == NULL) return PLOY_ERR_NOT_FOUND;
    const ployi_hsm_link *link = ployi_hsm_link_at(type, *number);
    if (link->target_count == 0) return PLOY_ERR_NOT_FOUND;
    *out = hsm_type_level(type, link);
    return PLOY_OK;
}

// The state, or the root if there is none of the number.
static const ployi_hsm_node *hsm_type_node(const ploy_hsm_type *type, ploy_hsm_state state) {
    uint32_t count = (uint32_t)type->nodes.count;
    return ployi_hsm_node_at(type, state.number < count ? state.number : 0);
}

ploy_hsm_state ploy_hsm_type_parent(const ploy_hsm_type *type, ploy_hsm_state state) {
    ploy_hsm_state parent = {hsm_type_node(type, state)->parent};
    return parent;
}

ploy_hsm_kind ployi_hsm_type_kind(const ploy_hsm_type *type, ploy_hsm_state state) {
    return hsm_type_node(type, state)->kind;
}

bool ploy_hsm_type_is_atomic(const ploy_hsm_type *type, ploy_hsm_state state) {
    return hsm_type_node(type, state)->children == 0;
}

const char *ployi_hsm_type_rule_id(const ploy_hsm_type *type, int32_t rule) {
    if (rule < 0 || rule >= type->links.count) return "";
    return ployi_build_text(&type->build, ployi_hsm_link_at(type, rule)->id);
}

// True if both can be active at once: one lies in the other, or they are in different regions.
static bool hsm_type_pair(const ploy_hsm_type *type, uint32_t a, uint32_t b) {
    if (a == b || ployi_hsm_within(type, a, b) || ployi_hsm_within(type, b, a)) return true;
    while (!ployi_hsm_within(type, b, a) && a != 0) a = ployi_hsm_node_at(type, a)->parent;
    return ployi_hsm_node_at(type, a)->kind == PLOY_HSM_PARALLEL;
}

// True if all of them can be active at once. In the order of the document it is enough to look at
// neighbours: for a < b < c the state that joins a and c joins one of the neighbouring pairs, too,
// or a holds c.
static bool hsm_type_together(const ploy_hsm_type *type, const uint32_t *targets, int32_t count) {
    if (count < 2) return true;
    uint64_t set[PLOY_HSM_STATES_MAX / 64 + 1];
    memset(set, 0, ((size_t)type->nodes.count + 63) / 64 * sizeof(uint64_t));
    uint32_t before = 0, last = 0;
    for (int32_t i = 0; i < count; i++) {
        ployi_hsm_put(set, targets[i]);
        if (targets[i] > last) last = targets[i];
    }
    for (uint32_t i = 1; i <= last; i++) {
        if (!ployi_hsm_has(set, i)) continue;
        if (before != 0 && !hsm_type_pair(type, before, i)) return false;
        before = i;
    }
    return true;
}

// What is wrong with a rule, or NULL.
static const char *hsm_type_doubt(const ploy_hsm_type *type, const ployi_hsm_link *link) {
    const uint32_t *targets = ployi_hsm_targets(type, link->target_first);
    const ployi_hsm_node *from = ployi_hsm_node_at(type, link->from);
    bool keep = type->def.policy == PLOY_HSM_KEEP_INNER;
    if (keep && link->target_count > 1) return "too many targets with keep_inner:";
    if (type->def.same_level && link->target_count > 0 && hsm_type_level(type, link) != 0) {
        return "target is on another level:";
    }
    if (!hsm_type_together(type, targets, link->target_count)) {
        return "conflicting targets:";
    }
    if (from->kind == PLOY_HSM_FINAL) return "unexpected rule out of a final state:";
    if (from->kind < PLOY_HSM_HISTORY) return NULL;
    if (link->target_count == 0 || link->on_count > 0 || !ploy_condition_is_none(link->when)) {
        return "history state's rule has more than targets:";
    }
    for (int32_t i = 0; i < link->target_count; i++) {
        if (!ployi_hsm_within(type, targets[i], from->parent) ||
            ployi_hsm_node_at(type, targets[i])->kind >= PLOY_HSM_HISTORY) {
            return "history target is outside its parent:";
        }
    }
    return NULL;
}

// Puts the rules in the order of their states, each state's as they were added.
static ploy_result hsm_type_sort(ploy_hsm_type *type) {
    int32_t count = type->links.count, first = 0;
    ploy_result result = ploy_array_resize(&type->order, count);
    if (result != PLOY_OK) return result;
    ployi_hsm_node *nodes = PLOY_ARRAY_ITEMS(&type->nodes, ployi_hsm_node);
    int32_t *order = PLOY_ARRAY_ITEMS(&type->order, int32_t);
    for (int32_t i = 0; i < count; i++) nodes[ployi_hsm_link_at(type, i)->from].count++;
    for (int32_t i = 0; i < type->nodes.count; i++) {
        nodes[i].first = first;
        first += nodes[i].count;
        nodes[i].count = 0;
    }
    for (int32_t i = 0; i < count; i++) {
        ployi_hsm_node *from = &nodes[ployi_hsm_link_at(type, i)->from];
        order[from->first + from->count++] = i;
    }
    return PLOY_OK;
}

// Fills in what was left open about one state.
static ploy_result hsm_type_complete(ploy_hsm_type *type, uint32_t number) {
    ployi_hsm_node *node = &PLOY_ARRAY_ITEMS(&type->nodes, ployi_hsm_node)[number];
    if (node->kind >= PLOY_HSM_HISTORY) return node->count <= 1 ? PLOY_OK : PLOY_ERR_EXISTS;
    if (node->kind != PLOY_HSM_STATE || node->children == 0) return PLOY_OK;
    if (node->initial_count > 0) {
        const uint32_t *initial = ployi_hsm_targets(type, node->initial_first);
        if (!hsm_type_together(type, initial, node->initial_count)) return PLOY_ERR_ARGUMENT;
        // Its own history, which has no rule, would lead to the initial state: a circle.
        for (int32_t i = 0; i < node->initial_count; i++) {
            const ployi_hsm_node *target = ployi_hsm_node_at(type, initial[i]);
            if (target->kind < PLOY_HSM_HISTORY || target->parent != number) continue;
            if (target->count == 0) return PLOY_ERR_ARGUMENT;
        }
        return PLOY_OK;
    }
    for (uint32_t i = number + 1; i <= node->last; i++) { // keeps (2)
        const ployi_hsm_node *child = ployi_hsm_node_at(type, i);
        if (child->parent != number || child->kind >= PLOY_HSM_HISTORY) continue;
        node->initial_first = type->targets.count;
        node->initial_count = 1;
        return ploy_array_push(&type->targets, &i);
    }
    return PLOY_OK;
}

ploy_result ploy_hsm_type_finish(ploy_hsm_type *type) {
    if (type->build.finished) return PLOY_ERR_STATE;
    ploy_result result = ploy_conditions_result(type->conditions);
    if (result != PLOY_OK && type->build.result == PLOY_OK) type->build.result = result;
    if (type->build.result != PLOY_OK) return type->build.result;
    if (ployi_hsm_node_at(type, 0)->children == 0) {
        return ployi_build_fault(&type->build, PLOY_ERR_ARGUMENT, "machine has no states", "");
    }
    for (int32_t i = 0; i < type->links.count; i++) {
        const ployi_hsm_link *link = ployi_hsm_link_at(type, i);
        const char *doubt = hsm_type_doubt(type, link);
        if (doubt == NULL) continue;
        return ployi_build_fault(&type->build, PLOY_ERR_ARGUMENT, doubt,
                                 ployi_build_text(&type->build, link->id));
    }
    result = hsm_type_sort(type);
    if (result != PLOY_OK) {
        return ployi_build_fault(&type->build, result, "out of memory for the order of rules", "");
    }
    for (uint32_t i = 0; i < (uint32_t)type->nodes.count; i++) {
        result = hsm_type_complete(type, i);
        ploy_hsm_state state = {i};
        if (result != PLOY_OK) {
            return ployi_build_fault(&type->build, result, "cannot complete state",
                                     ploy_hsm_type_id(type, state));
        }
        ploy_maker inside = ployi_hsm_node_at(type, i)->inside;
        result = ploy_maker_check(inside, type->layout, &type->build.env, NULL);
        if (result != PLOY_OK) {
            return ployi_build_fault(&type->build, result, "cannot use the behavior in state",
                                     ploy_hsm_type_id(type, state));
        }
    }
    result = ployi_hsm_prepare(type);
    if (result != PLOY_OK) {
        return ployi_build_fault(&type->build, result, "out of memory for the sets of states", "");
    }
    type->build.finished = true;
    return PLOY_OK;
}
