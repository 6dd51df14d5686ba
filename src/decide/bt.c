// Definitions of behavior trees: kinds, and what tools ask.
#include "ploy/decide/bt.h"

#include <string.h>

#include "decide/bt_internal.h"
#include "ploy/base/hash.h"

typedef struct bt_kind_row {
    const char *text;
    int32_t least, most;
    bool holds;
} bt_kind_row;

static const bt_kind_row bt_kind_rows[] = {
#define BT_KIND_ROW(id, text, least, most, holds) {text, least, most, holds},
    PLOY_BT_KINDS(BT_KIND_ROW)
#undef BT_KIND_ROW
};

static bool bt_kind_valid(ploy_bt_kind kind) {
    return (uint32_t)kind < PLOY_BT_KIND_COUNT;
}

const char *ploy_bt_kind_text(ploy_bt_kind kind) {
    return bt_kind_valid(kind) ? bt_kind_rows[kind].text : "?";
}

bool ploy_bt_kind_find(const char *text, ploy_bt_kind *out) {
    if (text == NULL || out == NULL) return false;
    bool numbered = strncmp(text, "Switch", 6) == 0 && text[6] >= '2' && text[6] <= '6';
    if (numbered && text[7] == 0) text = "Switch";
    for (int32_t i = 0; i < PLOY_BT_KIND_COUNT; i++) {
        if (strcmp(bt_kind_rows[i].text, text) != 0) continue;
        *out = (ploy_bt_kind)i;
        return true;
    }
    return false;
}

int32_t ployi_bt_kind_least(ploy_bt_kind kind) {
    return bt_kind_rows[kind].least;
}

int32_t ployi_bt_kind_most(ploy_bt_kind kind) {
    return bt_kind_rows[kind].most;
}

bool ployi_bt_kind_holds(ploy_bt_kind kind) {
    return bt_kind_rows[kind].holds;
}

uint32_t ployi_bt_kind_words(ploy_bt_kind kind, int32_t children) {
    switch (kind) {
    case PLOY_BT_PARALLEL:
    case PLOY_BT_PARALLEL_ALL:
    case PLOY_BT_COOLDOWN: return 3;
    case PLOY_BT_SHUFFLED_SEQUENCE:
    case PLOY_BT_SHUFFLED_FALLBACK: return 1 + (uint32_t)children;
    case PLOY_BT_UTILITY_FALLBACK: return 2 + 2 * (uint32_t)children;
    case PLOY_BT_RANDOM_SELECTOR:
    case PLOY_BT_TIMEOUT:
    case PLOY_BT_DELAY:
    case PLOY_BT_SLEEP:
    case PLOY_BT_HOLD: return 2;
    case PLOY_BT_INVERTER:
    case PLOY_BT_FORCE_SUCCESS:
    case PLOY_BT_FORCE_FAILURE:
    case PLOY_BT_KEEP_RUNNING_UNTIL_FAILURE:
    case PLOY_BT_UNTIL_FAIL:
    case PLOY_BT_UNTIL_SUCCESS:
    case PLOY_BT_PRECONDITION:
    case PLOY_BT_BLACKBOARD_SCOPE:
    case PLOY_BT_SUBTREE:
    case PLOY_BT_ALWAYS_SUCCESS:
    case PLOY_BT_ALWAYS_FAILURE:
    case PLOY_BT_SET_BLACKBOARD:
    case PLOY_BT_UNSET_BLACKBOARD:
    case PLOY_BT_CONDITION:
    case PLOY_BT_SIGNAL:
    case PLOY_BT_LEAF:
    case PLOY_BT_BEHAVIOR: return 0;
    default: return 1;
    }
}

void ployi_bt_init(ploy_bt *bt, const ploy_env *env) {
    memset(bt, 0, sizeof *bt);
    bt->env = *env;
#define BT_INIT(member, type) ploy_array_init(&bt->member, sizeof(type), env);
    PLOYI_BT_ARRAYS(BT_INIT)
#undef BT_INIT
}

void ployi_bt_fini(ploy_bt *bt) {
    ploy_expression **expressions = PLOY_ARRAY_ITEMS(&bt->expressions, ploy_expression *);
    for (int32_t i = 0; i < bt->expressions.count; i++) ploy_expression_destroy(expressions[i]);
#define BT_FINI(member, type) ploy_array_fini(&bt->member);
    PLOYI_BT_ARRAYS(BT_FINI)
#undef BT_FINI
}

void ploy_bt_destroy(ploy_bt *bt) {
    if (bt == NULL) return;
    ployi_bt_fini(bt);
    ploy_env env = bt->env;
    ploy_env_free(&env, bt, sizeof *bt);
}

const char *ploy_bt_name(const ploy_bt *bt) {
    return ployi_bt_text(bt, bt->name);
}

int32_t ploy_bt_node_count(const ploy_bt *bt) {
    return bt->nodes.count;
}

static uint64_t bt_hash_value(const ploy_value *value, uint64_t hash) {
    char text[128];
    ploy_value_print(value, text, sizeof text);
    hash = ploy_hash_combine(hash, (uint64_t)value->type);
    return ploy_hash_combine(hash, ploy_name_of(text).hash);
}

static uint64_t bt_hash_ref(const ploy_bt *bt, uint32_t ref, uint64_t hash) {
    if (ref == PLOYI_BT_NONE) return ploy_hash_combine(hash, 0);
    const ployi_bt_ref *key = PLOYI_BT_AT(bt, refs, ployi_bt_ref, ref);
    return ploy_hash_combine(ploy_hash_combine(hash, key->scope + 1u), key->slot.number);
}

static uint64_t bt_hash_double(double value, uint64_t hash) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return ploy_hash_combine(hash, bits);
}

static uint64_t bt_hash_test(const ploy_bt *bt, const ployi_bt_test *test, uint64_t hash) {
    hash = bt_hash_ref(bt, test->ref, hash);
    if (test->expression != NULL) {
        hash = ploy_hash_combine(hash, ploy_name_of(ploy_expression_text(test->expression)).hash);
    }
    return bt_hash_value(&test->value, hash);
}

static uint64_t bt_hash_extra(const ploy_bt *bt, const ployi_bt_extra *extra, uint64_t hash) {
    hash = bt_hash_double(extra->seconds, bt_hash_double(extra->seconds_max, hash));
    hash = ploy_hash_combine(hash, (uint32_t)extra->count);
    hash = ploy_hash_combine(hash, (uint32_t)extra->count2);
    hash = ploy_hash_combine(hash, (uint64_t)extra->result * 2 + (extra->flag ? 1 : 0));
    for (int32_t i = 0; i < PLOYI_BT_SETTINGS; i++) {
        if (extra->keys[i] == PLOYI_BT_NONE) continue;
        hash = bt_hash_ref(bt, extra->keys[i], ploy_hash_combine(hash, (uint64_t)i));
        hash = bt_hash_double(extra->scale, hash);
    }
    if (extra->text != PLOYI_BT_NONE) {
        hash = ploy_hash_combine(hash, ploy_name_of(ployi_bt_text(bt, extra->text)).hash);
    }
    for (uint32_t i = 0; i < extra->value_count; i++) {
        hash = bt_hash_value(PLOYI_BT_AT(bt, values, ploy_value, extra->first_value + i), hash);
    }
    return bt_hash_test(bt, &extra->condition, bt_hash_ref(bt, extra->ref, hash));
}

static uint64_t bt_hash_leaf(const ploy_bt *bt, const ployi_bt_bound_leaf *bound, uint64_t hash) {
    hash = ploy_hash_combine(hash, ploy_name_of(bound->leaf.name).hash);
    for (int32_t i = 0; i < bound->leaf.port_count; i++) {
        const ployi_bt_port *port =
            PLOYI_BT_AT(bt, ports, ployi_bt_port, bound->first_port + (uint32_t)i);
        hash = bt_hash_ref(bt, port->ref, hash);
        if (port->value != PLOYI_BT_NONE) {
            hash = bt_hash_value(PLOYI_BT_AT(bt, values, ploy_value, port->value), hash);
        }
    }
    return hash;
}

uint64_t ploy_bt_hash(const ploy_bt *bt) {
    uint64_t hash = ploy_name_of(ploy_bt_name(bt)).hash;
    for (int32_t i = 0; i < bt->nodes.count; i++) {
        const ployi_bt_node *node = PLOYI_BT_AT(bt, nodes, ployi_bt_node, i);
        hash = ploy_hash_combine(hash, *PLOYI_BT_AT(bt, ids, uint64_t, i));
        hash = ploy_hash_combine(hash, (uint64_t)node->end << 8 | node->kind);
        if (ployi_bt_has_leaf(node)) {
            hash =
                bt_hash_leaf(bt, PLOYI_BT_AT(bt, leaves, ployi_bt_bound_leaf, node->extra), hash);
        } else if (node->kind != PLOY_BT_BEHAVIOR && node->extra != PLOYI_BT_NONE) {
            hash = bt_hash_extra(bt, ployi_bt_extra_of(bt, node), hash);
        }
        for (uint32_t next = node->hook; next != PLOYI_BT_NONE;) {
            const ployi_bt_hook *hook = PLOYI_BT_AT(bt, hooks, ployi_bt_hook, next);
            hash = bt_hash_test(bt, &hook->test, ploy_hash_combine(hash, hook->when + 1u));
            next = hook->next;
        }
    }
    for (int32_t i = 0; i < bt->scopes.count; i++) {
        const ployi_bt_scope *scope = PLOYI_BT_AT(bt, scopes, ployi_bt_scope, i);
        uint64_t keys = scope->layout != NULL ? ploy_blackboard_layout_hash(scope->layout) : 0;
        hash = ploy_hash_combine(hash, keys);
    }
    for (int32_t i = 0; i < bt->literals.count; i++) {
        const ployi_bt_literal *literal = PLOYI_BT_AT(bt, literals, ployi_bt_literal, i);
        hash = ploy_hash_combine(hash, literal->ref.scope);
        hash = bt_hash_value(&literal->value, ploy_hash_combine(hash, literal->ref.slot.number));
    }
    return hash;
}

ploy_result ploy_bt_node_at(const ploy_bt *bt, int32_t node, ploy_bt_node_info *out) {
    if (bt == NULL || out == NULL || node < 0 || node >= bt->nodes.count) return PLOY_ERR_ARGUMENT;
    const ployi_bt_node *nodes = PLOY_ARRAY_ITEMS(&bt->nodes, ployi_bt_node);
    const ployi_bt_node *at = &nodes[node];
    out->kind = (ploy_bt_kind)at->kind;
    out->name = ployi_bt_text(bt, at->name);
    out->parent = at->parent == PLOYI_BT_NONE ? -1 : (int32_t)at->parent;
    out->end = (int32_t)at->end;
    out->children = at->children;
    out->id = *PLOYI_BT_AT(bt, ids, uint64_t, node);
    out->depth = 0;
    for (uint32_t up = at->parent; up != PLOYI_BT_NONE; up = nodes[up].parent) out->depth++;
    return PLOY_OK;
}

int32_t ploy_bt_find_node(const ploy_bt *bt, const char *name) {
    if (bt == NULL || name == NULL) return -1;
    for (int32_t i = 0; i < bt->nodes.count; i++) {
        const ployi_bt_node *node = PLOYI_BT_AT(bt, nodes, ployi_bt_node, i);
        if (strcmp(ployi_bt_text(bt, node->name), name) == 0) return i;
    }
    return -1;
}
