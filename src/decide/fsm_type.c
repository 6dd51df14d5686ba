// The definition of state machines; the technique is described in the header.
//
// Invariants of a finished type:
//   (1) `order` holds for each state the rules that may fire in it: its own and those of every
//       state, by priority, those of every state first among equals, then in the order of adding;
//   (2) every target is a state.
#include "fsm_internal.h"

#include "decide/decide_internal.h"

#include <string.h>

static const char *const fsm_type_orders[] = {"rules_first", "execute_first", "either"};
static const char *const fsm_type_arbiters[] = {"first",        "last",          "random",
                                                "least_recent", "most_specific", "score"};

static const ploy_field fsm_type_fields[] = {
    PLOY_FIELD_ENUM(ploy_fsm_def, order, PLOY_FSM_RULES_FIRST, fsm_type_orders,
                    "when the present state executes in a step"),
    PLOY_FIELD_ENUM(ploy_fsm_def, arbiter, PLOY_FSM_FIRST, fsm_type_arbiters,
                    "which of the rules that hold fires"),
    PLOY_FIELD_BOOL(ploy_fsm_def, deferred, false, "changes wait until the hook has returned"),
    PLOY_FIELD_BOOL(ploy_fsm_def, enter_initial, true, "the first state is entered at the start"),
    PLOY_FIELD_BOOL(ploy_fsm_def, remember, false, "continues in the state in which it was left"),
    PLOY_FIELD_I32(ploy_fsm_def, stack, 4, 0, 1024, "", "states that may be put aside"),
    PLOY_FIELD_I32(ploy_fsm_def, record, 0, 0, 1024, "", "changes that each machine remembers"),
    PLOY_FIELD_F32(ploy_fsm_def, idle, 0, 0, 1e9f, "s", "until the idle state; 0 is never"),
};

// The largest private memory of a state.
static const size_t fsm_type_data_max = (size_t)1 << 20;

ploy_fsm_def ploy_fsm_def_default(void) {
    ploy_fsm_def def;
    ploy_fields_default(ploy_fsm_fields(), &def);
    return def;
}

ploy_fields ploy_fsm_fields(void) {
    return PLOY_FIELDS(ploy_fsm_def, fsm_type_fields);
}

ploy_result ploy_fsm_type_create(const ploy_fsm_def *def, const ploy_blackboard_layout *layout,
                                 const ploy_env *env, ploy_fsm_type **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_fsm_fields(), def, env);
    if (result != PLOY_OK) return result;
    ploy_fsm_type *type = ploy_env_alloc_zero(env, sizeof *type);
    if (type == NULL) return PLOY_ERR_MEMORY;
    type->build.env = *env;
    type->def = *def;
    type->layout = layout;
    ploy_array_init(&type->items, sizeof(ployi_fsm_item), env);
    ploy_array_init(&type->links, sizeof(ployi_fsm_link), env);
    ploy_array_init(&type->order, sizeof(int32_t), env);
    ploy_array_init(&type->quick, sizeof(ployi_fsm_quick), env);
    ploy_array_init(&type->tests, sizeof(ployi_fsm_test), env);
    ploy_array_init(&type->targets, sizeof(ployi_fsm_target), env);
    ploy_map_init(&type->state_of, sizeof(uint32_t), env);
    ploy_map_init(&type->rule_of, 0, env);
    result = ployi_build_init(&type->build, env);
    if (result == PLOY_OK) result = ploy_conditions_create(layout, env, &type->conditions);
    if (result != PLOY_OK) {
        ploy_fsm_type_destroy(type);
        return result;
    }
    *out = type;
    return PLOY_OK;
}

void ploy_fsm_type_destroy(ploy_fsm_type *type) {
    if (type == NULL) return;
    ploy_env env = type->build.env;
    ploy_array_fini(&type->items);
    ploy_array_fini(&type->links);
    ploy_array_fini(&type->order);
    ploy_array_fini(&type->quick);
    ploy_array_fini(&type->tests);
    ploy_array_fini(&type->targets);
    ploy_map_fini(&type->state_of);
    ploy_map_fini(&type->rule_of);
    ploy_conditions_destroy(type->conditions);
    ploy_blackboard_layout_destroy(type->own_layout);
    ployi_build_fini(&type->build);
    ploy_env_free(&env, type, sizeof *type);
}

ploy_conditions *ploy_fsm_type_conditions(ploy_fsm_type *type) {
    return type->conditions;
}

const ploy_blackboard_layout *ploy_fsm_type_layout(const ploy_fsm_type *type) {
    return type->layout;
}

ploy_fsm_state ploy_fsm_type_find(const ploy_fsm_type *type, const char *id) {
    ploy_fsm_state state = {0};
    const uint32_t *number = ploy_map_find_text(&type->state_of, id);
    if (number != NULL) state.number = *number;
    return state;
}

const char *ploy_fsm_type_id(const ploy_fsm_type *type, ploy_fsm_state state) {
    if (state.number == 0 || state.number > (uint32_t)type->items.count) return "";
    return ployi_build_text(&type->build, ployi_fsm_item_at(type, state.number)->id);
}

int32_t ploy_fsm_type_count(const ploy_fsm_type *type) {
    return type->items.count;
}

ploy_fsm_state ploy_fsm_type_state(ploy_fsm_type *type, const char *id, const ploy_fsm_hooks *hooks,
                                   ploy_maker inside) {
    ploy_fsm_state state = {0};
    if (!ployi_build_open(&type->build)) return state;
    if (ploy_fsm_type_find(type, id).number != 0) {
        (void)ployi_build_fault(&type->build, PLOY_ERR_EXISTS, "duplicate state id", id);
        return state;
    }
    ployi_fsm_item item;
    memset(&item, 0, sizeof item);
    item.id = ployi_build_name(&type->build, "invalid state id", id);
    if (hooks != NULL) item.hooks = *hooks;
    item.inside = inside;
    item.maker = ploy_maker_is_none(inside) ? -1 : type->makers;
    if (!ployi_build_open(&type->build)) return state;
    uint32_t number = (uint32_t)type->items.count + 1;
    ploy_result result = ploy_map_put(&type->state_of, item.id.hash, &number);
    if (result == PLOY_OK) result = ploy_array_push(&type->items, &item);
    if (result != PLOY_OK) {
        (void)ployi_build_fault(&type->build, result, "out of memory for state", id);
        return state;
    }
    if (item.maker >= 0) type->makers++;
    state.number = number;
    return state;
}

// The state to change while building, or NULL with a fault.
static ployi_fsm_item *fsm_type_edit(ploy_fsm_type *type, ploy_fsm_state state) {
    if (!ployi_build_open(&type->build)) return NULL;
    if (state.number == 0 || state.number > (uint32_t)type->items.count) {
        (void)ployi_build_fault(&type->build, PLOY_ERR_ARGUMENT, "unknown state", "");
        return NULL;
    }
    return &PLOY_ARRAY_ITEMS(&type->items, ployi_fsm_item)[state.number - 1];
}

// What an edit that was refused returns.
static ploy_result fsm_type_refused(const ploy_fsm_type *type) {
    return type->build.result != PLOY_OK ? type->build.result : PLOY_ERR_STATE;
}

ploy_result ploy_fsm_type_set_data(ploy_fsm_type *type, ploy_fsm_state state, size_t size,
                                   bool keep) {
    ployi_fsm_item *item = fsm_type_edit(type, state);
    if (item == NULL) return fsm_type_refused(type);
    if (size > fsm_type_data_max || type->data_size > SIZE_MAX / 4) {
        return ployi_build_fault(&type->build, PLOY_ERR_ARGUMENT, "too many private bytes", "");
    }
    item->data_at = type->data_size;
    item->data_size = size;
    item->keep = keep;
    type->data_size += (size + 15) / 16 * 16;
    return PLOY_OK;
}

ploy_result ploy_fsm_type_set_final(ploy_fsm_type *type, ploy_fsm_state state, ploy_status status) {
    ployi_fsm_item *item = fsm_type_edit(type, state);
    if (item == NULL) return fsm_type_refused(type);
    if (status != PLOY_STATUS_SUCCESS && status != PLOY_STATUS_FAILURE) {
        return ployi_build_fault(&type->build, PLOY_ERR_ARGUMENT, "final state must end with",
                                 "success or failure");
    }
    item->final = true;
    item->status = status;
    return PLOY_OK;
}

ploy_result ploy_fsm_type_set_global(ploy_fsm_type *type, const ploy_fsm_hooks *hooks) {
    if (!ployi_build_open(&type->build)) return fsm_type_refused(type);
    if (hooks == NULL) return PLOY_ERR_ARGUMENT;
    type->global = *hooks;
    return PLOY_OK;
}

ploy_result ploy_fsm_type_set_idle(ploy_fsm_type *type, ploy_fsm_state state) {
    if (fsm_type_edit(type, state) == NULL) return fsm_type_refused(type);
    type->idle = state.number;
    return PLOY_OK;
}

ploy_fsm_rule ploy_fsm_rule_make(const char *id, ploy_fsm_state from, ploy_condition when,
                                 ploy_fsm_state to) {
    ploy_fsm_rule rule;
    memset(&rule, 0, sizeof rule);
    rule.id = id;
    rule.from = from;
    rule.when = when;
    rule.to = to;
    return rule;
}

// What a leaf of a rule's tree leads to; to is 0 if nothing is known of it.
static ployi_fsm_target fsm_type_target(const ploy_fsm_type *type, const ploy_fsm_rule *rule,
                                        const char *id) {
    ployi_fsm_target target = {0, NULL, NULL};
    for (int32_t i = 0; i < rule->leaf_count; i++) {
        const ploy_fsm_leaf *leaf = &rule->leaves[i];
        if (leaf->id == NULL || strcmp(leaf->id, id) != 0) continue;
        if (leaf->to.number <= (uint32_t)type->items.count) target.to = leaf->to.number;
        target.action = leaf->action;
        target.user = leaf->user;
        return target;
    }
    target.to = ploy_fsm_type_find(type, id).number;
    return target;
}

// Notes what a tree's leaves lead to.
static ploy_result fsm_type_add_targets(ploy_fsm_type *type, const ploy_fsm_rule *rule) {
    if (rule->leaf_count < 0 || (rule->leaf_count > 0 && rule->leaves == NULL)) {
        return ployi_build_fault(&type->build, PLOY_ERR_ARGUMENT, "missing leaves of", rule->id);
    }
    for (uint32_t i = 1; i <= (uint32_t)ploy_decision_tree_count(rule->tree); i++) {
        ploy_decision_node node = {i};
        ployi_fsm_target target = {0, NULL, NULL};
        if (ploy_decision_tree_is_leaf(rule->tree, node)) {
            const char *id = ploy_decision_tree_id(rule->tree, node);
            target = fsm_type_target(type, rule, id);
            if (target.to == 0) {
                return ployi_build_fault(&type->build, PLOY_ERR_NOT_FOUND, "unknown state of leaf",
                                         id);
            }
        }
        ploy_result result = ploy_array_push(&type->targets, &target);
        if (result != PLOY_OK) {
            return ployi_build_fault(&type->build, result, "out of memory for a tree's states", "");
        }
    }
    return PLOY_OK;
}

static ploy_result fsm_type_add_link(ploy_fsm_type *type, const ploy_fsm_rule *rule,
                                     int32_t level) {
    if (!ployi_build_open(&type->build)) return fsm_type_refused(type);
    if (rule == NULL) return PLOY_ERR_ARGUMENT;
    uint32_t count = (uint32_t)type->items.count;
    bool aimed = rule->effect <= PLOY_FSM_PUSH && rule->tree == NULL;
    if (rule->from.number > count || rule->to.number > count || (aimed && rule->to.number == 0) ||
        (unsigned)rule->effect > PLOY_FSM_STAY ||
        (rule->tree != NULL && rule->effect > PLOY_FSM_PUSH) ||
        !ployi_condition_valid(type->conditions, rule->when) ||
        !ployi_score_valid(type->conditions, rule->score)) {
        return ployi_build_fault(&type->build, PLOY_ERR_ARGUMENT, "unknown state or condition in",
                                 rule->id);
    }
    ployi_fsm_link link;
    memset(&link, 0, sizeof link);
    link.rule = *rule;
    link.level = level;
    link.tree = -1;
    link.size = ployi_condition_size(type->conditions, rule->when);
    if (ploy_map_has(&type->rule_of, ploy_name_of(rule->id).hash)) {
        return ployi_build_fault(&type->build, PLOY_ERR_EXISTS, "duplicate rule id", rule->id);
    }
    link.id = ployi_build_name(&type->build, "invalid rule id", rule->id);
    if (rule->on != NULL) {
        link.on = ployi_build_name(&type->build, "invalid kind of message", rule->on);
    }
    if (!ployi_build_open(&type->build)) return type->build.result;
    if (rule->tree != NULL) {
        link.tree = type->trees;
        link.targets = type->targets.count;
        ploy_result result = fsm_type_add_targets(type, rule);
        if (result != PLOY_OK) return result;
    }
    ploy_result result = ploy_map_put(&type->rule_of, link.id.hash, NULL);
    if (result == PLOY_OK) result = ploy_array_push(&type->links, &link);
    if (result != PLOY_OK) {
        return ployi_build_fault(&type->build, result, "out of memory for rule", rule->id);
    }
    if (link.tree >= 0) type->trees++;
    return PLOY_OK;
}

ploy_result ploy_fsm_type_add(ploy_fsm_type *type, const ploy_fsm_rule *rule) {
    return fsm_type_add_link(type, rule, 0);
}

// How many different levels the alarms have.
static int32_t fsm_type_levels(const ploy_fsm_type *type) {
    int32_t levels = 0;
    for (uint32_t i = 1; i <= (uint32_t)type->items.count; i++) {
        int32_t level = ployi_fsm_item_at(type, i)->level;
        bool seen = level == 0;
        for (uint32_t k = 1; k < i && !seen; k++) seen = ployi_fsm_item_at(type, k)->level == level;
        if (!seen) levels++;
    }
    return levels;
}

ploy_result ploy_fsm_type_alarm(ploy_fsm_type *type, const char *id, int32_t level,
                                ploy_condition raised, ploy_fsm_state state, ploy_condition over) {
    ployi_fsm_item *item = fsm_type_edit(type, state);
    if (item == NULL) return fsm_type_refused(type);
    if (level < 1 || level > 1000 || id == NULL || strlen(id) > 100) {
        return ployi_build_fault(&type->build, PLOY_ERR_ARGUMENT, "invalid level or id of alarm",
                                 id);
    }
    item->level = level;
    // A higher alarm interrupts a lower one, so that each level may put one state aside.
    if (fsm_type_levels(type) > type->def.stack) {
        return ployi_build_fault(&type->build, PLOY_ERR_LIMIT,
                                 "too many levels for the stack: alarm", id);
    }
    // Above every ordinary rule, and the highest level first.
    ploy_fsm_rule up = ploy_fsm_rule_make(id, ploy_fsm_state_none(), raised, state);
    up.effect = PLOY_FSM_PUSH;
    up.priority = INT32_MAX - 1000 + level;
    ploy_result result = fsm_type_add_link(type, &up, level);
    if (result != PLOY_OK) return result;
    char text[128];
    size_t length = strlen(id);
    memcpy(text, id, length);
    memcpy(text + length, "/over", sizeof "/over");
    ploy_fsm_rule down = ploy_fsm_rule_make(text, state, over, ploy_fsm_state_none());
    down.effect = PLOY_FSM_POP;
    return fsm_type_add_link(type, &down, 0);
}

// True if rule a is looked at before rule b.
static bool fsm_type_before(const ployi_fsm_link *a, const ployi_fsm_link *b) {
    if (a->rule.priority != b->rule.priority) return a->rule.priority > b->rule.priority;
    return a->rule.from.number == 0 && b->rule.from.number != 0;
}

// Makes (1) for a state, by insertion, which keeps the order of adding among equals. `next`: of
// each rule, the next one from where it is from; `heads`: of each state and of 0, the first.
static ploy_result fsm_type_sort(ploy_fsm_type *type, uint32_t number, const int32_t *heads,
                                 const int32_t *next) {
    ployi_fsm_item *item = &PLOY_ARRAY_ITEMS(&type->items, ployi_fsm_item)[number - 1];
    item->first = type->order.count;
    int32_t own = heads[number], any = heads[0];
    while (own >= 0 || any >= 0) {
        bool mine = any < 0 || (own >= 0 && own < any);
        int32_t i = mine ? own : any;
        const ployi_fsm_link *link = ployi_fsm_link_at(type, i);
        int32_t at = type->order.count;
        const int32_t *order = PLOY_ARRAY_ITEMS(&type->order, int32_t);
        while (at > item->first && fsm_type_before(link, ployi_fsm_link_at(type, order[at - 1]))) {
            at--;
        }
        ploy_result result = ploy_array_insert(&type->order, at, &i);
        if (result != PLOY_OK) return result;
        if (mine) {
            own = next[own];
        } else {
            any = next[any];
        }
    }
    item->count = type->order.count - item->first;
    return PLOY_OK;
}

// The same for all states.
static ploy_result fsm_type_sort_all(ploy_fsm_type *type) {
    ploy_array lists; // heads, then next
    ploy_array_init(&lists, sizeof(int32_t), &type->build.env);
    int32_t states = type->items.count, rules = type->links.count;
    ploy_result result = ploy_array_resize(&lists, states + 1 + rules);
    int32_t *heads = PLOY_ARRAY_ITEMS(&lists, int32_t), *next = heads + states + 1;
    for (int32_t i = 0; i <= states && result == PLOY_OK; i++) heads[i] = -1;
    for (int32_t i = rules - 1; i >= 0 && result == PLOY_OK; i--) {
        uint32_t from = ployi_fsm_link_at(type, i)->rule.from.number;
        next[i] = heads[from];
        heads[from] = i;
    }
    for (uint32_t i = 1; i <= (uint32_t)states && result == PLOY_OK; i++) {
        result = fsm_type_sort(type, i, heads, next);
    }
    ploy_array_fini(&lists);
    return result;
}

// The rules of a simple state as rows of tests.
static ploy_result fsm_type_add_tests(ploy_fsm_type *type, ployi_fsm_item *item) {
    const ployi_fsm_quick *quick = PLOY_ARRAY_ITEMS(&type->quick, ployi_fsm_quick) + item->first;
    item->tests = type->tests.count;
    item->rows = (item->count + PLOYI_FSM_TESTS - 1) / PLOYI_FSM_TESTS;
    if (item->rows == 0) item->rows = 1;
    for (int32_t i = 0; i < item->rows * PLOYI_FSM_TESTS; i++) {
        ployi_fsm_test test = {0, -1};
        if (i < item->count) {
            test.offset = ploy_blackboard_layout_offset(type->layout, quick[i].slot);
            test.want = quick[i].want;
        }
        ploy_result result = ploy_array_push(&type->tests, &test);
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

// What is looked at in a step that has no message and no trace, beside `order`.
static ploy_result fsm_type_quicken(ploy_fsm_type *type) {
    const int32_t *order = PLOY_ARRAY_ITEMS(&type->order, int32_t);
    ploy_result result = PLOY_OK;
    for (int32_t i = 0; i < type->order.count && result == PLOY_OK; i++) {
        const ployi_fsm_link *link = ployi_fsm_link_at(type, order[i]);
        const ploy_fsm_rule *rule = &link->rule;
        ployi_fsm_quick quick = {rule->when, {0}, rule->to.number, order[i], false, false, true};
        quick.message = !ploy_name_is_none(link->on);
        quick.plain = rule->effect == PLOY_FSM_GO && rule->from.number != 0 && link->level == 0 &&
                      link->tree < 0 && !quick.message;
        if (!ployi_condition_is_bool(type->conditions, rule->when, &quick.slot, &quick.want)) {
            quick.slot = ploy_slot_none();
        }
        result = ploy_array_push(&type->quick, &quick);
    }
    // A step is nothing but rules, the first of which counts, and then the state.
    bool plain = type->global.execute == NULL && type->def.order == PLOY_FSM_RULES_FIRST &&
                 type->def.arbiter == PLOY_FSM_FIRST &&
                 (type->idle == 0 || !(type->def.idle > 0.0f));
    for (int32_t i = 0; i < type->items.count; i++) {
        ployi_fsm_item *item = &PLOY_ARRAY_ITEMS(&type->items, ployi_fsm_item)[i];
        item->acts = item->maker >= 0 || item->hooks.execute != NULL;
        item->simple =
            plain && type->layout != NULL && ploy_blackboard_layout_count(type->layout) > 0;
        const ployi_fsm_quick *quick = PLOY_ARRAY_ITEMS(&type->quick, ployi_fsm_quick);
        for (int32_t k = item->first; k < item->first + item->count && result == PLOY_OK; k++) {
            item->simple = item->simple && quick[k].plain && !ploy_slot_is_none(quick[k].slot);
        }
        if (item->simple && result == PLOY_OK) result = fsm_type_add_tests(type, item);
    }
    return result;
}

// Whether the trees of rules and the behaviors inside states can run on boards of the type's layout.
static ploy_result fsm_type_check(ploy_fsm_type *type) {
    for (int32_t i = 0; i < type->links.count; i++) {
        const ployi_fsm_link *link = ployi_fsm_link_at(type, i);
        if (link->tree < 0) continue;
        // The tree is only read; makers take what is not const because instances share it.
        ploy_maker maker = ploy_decision_tree_maker((ploy_decision_tree *)link->rule.tree);
        ploy_result result = ploy_maker_check(maker, type->layout, &type->build.env, NULL);
        if (result == PLOY_OK) continue;
        return ployi_build_fault(&type->build, result, "cannot use the decision tree in rule",
                                 ployi_build_text(&type->build, link->id));
    }
    for (uint32_t i = 1; i <= (uint32_t)type->items.count; i++) {
        const ployi_fsm_item *item = ployi_fsm_item_at(type, i);
        ploy_result result = ploy_maker_check(item->inside, type->layout, &type->build.env, NULL);
        if (result == PLOY_OK) continue;
        return ployi_build_fault(&type->build, result, "cannot use the behavior in state",
                                 ployi_build_text(&type->build, item->id));
    }
    return PLOY_OK;
}

ploy_result ploy_fsm_type_finish(ploy_fsm_type *type, ploy_fsm_state initial) {
    if (type->build.finished) return PLOY_ERR_STATE;
    ploy_result result = ploy_conditions_result(type->conditions);
    if (result != PLOY_OK && type->build.result == PLOY_OK) type->build.result = result;
    if (type->build.result != PLOY_OK) return type->build.result;
    if (fsm_type_edit(type, initial) == NULL) return type->build.result;
    result = fsm_type_sort_all(type);
    if (result == PLOY_OK) result = fsm_type_quicken(type);
    if (result != PLOY_OK) {
        return ployi_build_fault(&type->build, result, "out of memory for the order of rules", "");
    }
    result = fsm_type_check(type);
    if (result != PLOY_OK) return result;
    type->initial = initial.number;
    type->build.finished = true;
    return PLOY_OK;
}

// True if some rule leads to the state.
static bool fsm_type_reached(const ploy_fsm_type *type, uint32_t number) {
    if (number == type->initial || number == type->idle) return true;
    for (int32_t i = 0; i < type->links.count; i++) {
        const ployi_fsm_link *link = ployi_fsm_link_at(type, i);
        if (link->rule.to.number == number && link->rule.from.number != number) return true;
        if (link->tree < 0) continue;
        int32_t nodes = ploy_decision_tree_count(link->rule.tree);
        const ployi_fsm_target *targets =
            PLOY_ARRAY_ITEMS(&type->targets, ployi_fsm_target) + link->targets;
        for (int32_t k = 0; k < nodes; k++) {
            if (targets[k].to == number) return true;
        }
    }
    return false;
}

int32_t ploy_fsm_type_lint(const ploy_fsm_type *type, ploy_diags *diags) {
    int32_t doubts = 0;
    if (!type->build.finished) return 0;
    for (uint32_t i = 1; i <= (uint32_t)type->items.count; i++) {
        const ployi_fsm_item *item = ployi_fsm_item_at(type, i);
        const char *id = ployi_build_text(&type->build, item->id);
        if (!fsm_type_reached(type, i)) ployi_lint(diags, &doubts, "unreachable state", id);
        bool acts = item->hooks.execute != NULL || item->hooks.message != NULL || item->maker >= 0;
        if (item->count == 0 && !acts && !item->final && type->idle == 0) {
            ployi_lint(diags, &doubts, "state is never left:", id);
        }
        bool settled = false;
        const int32_t *order = PLOY_ARRAY_AT(&type->order, int32_t, item->first);
        for (int32_t k = 0; k < item->count; k++) {
            const ployi_fsm_link *link = ployi_fsm_link_at(type, order[k]);
            const char *rule = ployi_build_text(&type->build, link->id);
            bool own = link->rule.from.number == i;
            if (settled && own)
                ployi_lint(diags, &doubts, "rule never fires, an earlier one always does:", rule);
            settled = settled || (type->def.arbiter == PLOY_FSM_FIRST && own && link->tree < 0 &&
                                  ploy_name_is_none(link->on) && link->rule.effect <= PLOY_FSM_GO &&
                                  ploy_condition_is_none(link->rule.when));
        }
    }
    return doubts;
}

static void fsm_type_print_edge(const ploy_fsm_type *type, const ployi_fsm_link *link, uint32_t to,
                                ploy_writer *writer) {
    static const char *const effects[] = {"", "push ", "pop ", "revert ", "stay "};
    ploy_fsm_state target = {to};
    const char *from = ploy_fsm_type_id(type, link->rule.from);
    ploy_write_text(writer, "  \"");
    ploy_write_text(writer, from[0] != '\0' ? from : "*");
    ploy_write_text(writer, "\" -> \"");
    ploy_write_text(writer, to != 0 ? ploy_fsm_type_id(type, target) : "*");
    ploy_write_text(writer, "\" [label=\"");
    ploy_write_text(writer, effects[link->rule.effect]);
    ploy_write_text(writer, ployi_build_text(&type->build, link->id));
    ploy_write_text(writer, ": ");
    if (!ploy_name_is_none(link->on)) {
        ploy_write_text(writer, "on ");
        ploy_write_text(writer, ployi_build_text(&type->build, link->on));
        ploy_write_text(writer, ", ");
    }
    ploy_condition_print(type->conditions, link->rule.when, writer);
    ploy_write_text(writer, "\"];\n");
}

int32_t ploy_fsm_type_rule_count(const ploy_fsm_type *type) {
    return type->links.count;
}

ploy_result ploy_fsm_type_rule_at(const ploy_fsm_type *type, int32_t index,
                                  ploy_fsm_rule_info *out) {
    if (out == NULL || index < 0 || index >= type->links.count) return PLOY_ERR_ARGUMENT;
    const ployi_fsm_link *link = ployi_fsm_link_at(type, index);
    ploy_fsm_rule_info info = {ployi_build_text(&type->build, link->id), link->rule.from,
                               link->rule.to, link->rule.effect};
    *out = info;
    return PLOY_OK;
}

void ploy_fsm_type_print(const ploy_fsm_type *type, ploy_writer *writer) {
    ploy_write_text(writer, "digraph machine {\n");
    for (uint32_t i = 1; i <= (uint32_t)type->items.count; i++) {
        const ployi_fsm_item *item = ployi_fsm_item_at(type, i);
        ploy_write_text(writer, "  \"");
        ploy_write_text(writer, ployi_build_text(&type->build, item->id));
        ploy_write_text(writer, i == type->initial ? "\" [peripheries=2];\n" : "\";\n");
    }
    for (int32_t i = 0; i < type->links.count; i++) {
        const ployi_fsm_link *link = ployi_fsm_link_at(type, i);
        if (link->tree < 0) {
            fsm_type_print_edge(type, link, link->rule.to.number, writer);
            continue;
        }
        int32_t nodes = ploy_decision_tree_count(link->rule.tree);
        const ployi_fsm_target *targets =
            PLOY_ARRAY_ITEMS(&type->targets, ployi_fsm_target) + link->targets;
        for (int32_t k = 0; k < nodes; k++) {
            if (targets[k].to != 0) fsm_type_print_edge(type, link, targets[k].to, writer);
        }
    }
    ploy_write_text(writer, "}\n");
}
