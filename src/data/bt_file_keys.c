// Keys of behavior-tree documents: which there are in each tree, what type each has, and the
// layouts made of them.
//
// Every mention of a key puts it into its tree. Keys that a SubTree remaps to each other are joined
// (union-find with path halving: Tarjan and van Leeuwen 1984), which may bring new keys into the
// trees above and below, so that is repeated until nothing changes. Then types spread in order of
// trust: ports of leaves, scripts, literals, and text for unknown nodes.
#include <stdio.h>
#include <string.h>

#include "data/bt_file_internal.h"
#include "ploy/base/number.h"

#define BT_KEYS_BLANKS " \t\r\n"

// ---- keys ----

int32_t ployi_bt_file_key_find(const ploy_bt_file *file, int32_t tree, const char *name) {
    const int32_t *at = ploy_map_find_text(&PLOYI_BT_FILE_AT(file, tree, tree)->by_name, name);
    return at != NULL ? *at : -1;
}

static int32_t bt_keys_root(const ploy_bt_file *file, int32_t key) {
    ployi_btf_key *keys = PLOY_ARRAY_ITEMS(&file->keys, ployi_btf_key);
    while (keys[key].up != key) {
        keys[key].up = keys[keys[key].up].up;
        key = keys[key].up;
    }
    return key;
}

ployi_btf_key *ployi_bt_file_key_root(const ploy_bt_file *file, int32_t key) {
    return PLOYI_BT_FILE_AT(file, key, bt_keys_root(file, key));
}

static bool bt_keys_valid(const char *name) {
    size_t size = strlen(name);
    if (size == 0 || size > PLOY_BLACKBOARD_NAME_MAX) return false;
    for (size_t i = 0; i < size; i++) {
        char c = name[i];
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
        bool other = (c >= '0' && c <= '9') || c == '-' || c == '.' || c == ':';
        if (!letter && !(i > 0 && other)) return false;
    }
    return true;
}

// What the game's layout says of a key; a fault if it does not have it.
static bool bt_keys_given(ploy_bt_file *file, const char *name, ployi_btf_place place,
                          ployi_btf_key *key) {
    const ploy_blackboard_layout *layout = file->def->layout;
    ploy_slot slot = ploy_blackboard_layout_find(layout, name);
    if (!ploy_slot_is_none(slot)) {
        key->type = ploy_blackboard_layout_type(layout, slot);
        key->rank = PLOYI_BT_RANK_PORT;
        key->made = true;
        return true;
    }
    if (file->again) return false; // said already
    ploy_nearest nearest = ploy_nearest_make(name);
    for (int32_t i = 0; i < ploy_blackboard_layout_count(layout); i++) {
        slot.number = (uint32_t)i + 1;
        ploy_nearest_offer(&nearest, ploy_blackboard_layout_name(layout, slot));
    }
    ployi_bt_file_fault(file, place, PLOY_ERR_NOT_FOUND, "unknown blackboard key", name, NULL,
                        nearest.best);
    return false;
}

// The key of that name, added if it is new. -1 if it cannot be one.
static int32_t bt_keys_add(ploy_bt_file *file, int32_t tree, const char *name,
                           ployi_btf_place place) {
    int32_t at = ployi_bt_file_key_find(file, tree, name);
    if (at >= 0) return at;
    if (!bt_keys_valid(name)) {
        if (file->again) return -1; // said already
        ployi_bt_file_fault(file, place, PLOY_ERR_FORMAT, "invalid key", name,
                            "letters, digits, '_', '-', '.', ':', at most 63", NULL);
        return -1;
    }
    ployi_btf_tree *owner = PLOYI_BT_FILE_AT(file, tree, tree);
    at = file->keys.count;
    ployi_btf_key key;
    memset(&key, 0, sizeof key);
    if (file->def->layout != NULL && owner->root && !bt_keys_given(file, name, place, &key)) {
        return -1;
    }
    key.name = name;
    key.place = place;
    key.tree = tree;
    key.up = at;
    if (ploy_array_push(&file->keys, &key) != PLOY_OK ||
        ploy_array_push(&owner->keys, &at) != PLOY_OK ||
        ploy_map_put_text(&owner->by_name, name, &at) != PLOY_OK) {
        ployi_bt_file_memory(file);
        return -1;
    }
    file->changed = true;
    return at;
}

const char *ployi_bt_file_key_name(ploy_bt_file *file, int32_t tree, const ployi_btf_attr *attr) {
    const char *text = attr->value;
    size_t size = strlen(text);
    while (size > 0 && (unsigned char)text[size - 1] <= ' ') size--;
    while (size > 0 && (unsigned char)text[0] <= ' ') {
        text++;
        size--;
    }
    if (size < 2 || text[0] != '{' || text[size - 1] != '}') return NULL;
    text++;
    size -= 2;
    if (size == 1 && text[0] == '=') return attr->name;
    if (size > 0 && text[0] == '@') {
        char name[sizeof PLOYI_BT_FILE_ROOT + PLOY_BLACKBOARD_NAME_MAX + 1];
        bool root = PLOYI_BT_FILE_AT(file, tree, tree)->root;
        int length = snprintf(name, sizeof name, "%s%.*s", root ? "" : PLOYI_BT_FILE_ROOT,
                              (int)(size > 64 ? 65 : size) - 1, text + 1);
        return ployi_bt_file_copy(file, name, (size_t)length);
    }
    return ployi_bt_file_copy(file, text, size);
}

static void bt_keys_clash(ploy_bt_file *file, ployi_btf_place place, const char *name,
                          ploy_value_type is, ploy_value_type wanted) {
    char what[128];
    snprintf(what, sizeof what, "%.63s is %s and %s", name, ploy_value_type_text(is),
             ploy_value_type_text(wanted));
    ployi_bt_file_fault(file, place, PLOY_ERR_FORMAT, "conflicting types for one key:", what, NULL,
                        NULL);
}

// Gives a key's group a type, unless it has one that is known better.
static void bt_keys_set_type(ploy_bt_file *file, int32_t key, ploy_value_type type,
                             ployi_btf_rank rank, ployi_btf_place place) {
    ployi_btf_key *root = ployi_bt_file_key_root(file, key);
    if (rank == PLOYI_BT_RANK_PORT && root->rank == rank && root->type != type) {
        bt_keys_clash(file, place, PLOYI_BT_FILE_AT(file, key, key)->name, root->type, type);
    }
    if (rank <= root->rank || type == PLOY_VALUE_NONE) return;
    root->rank = rank;
    root->type = type;
    file->changed = true;
}

static void bt_keys_join(ploy_bt_file *file, int32_t a, int32_t b, ployi_btf_place place) {
    if (a < 0 || b < 0) return;
    int32_t from = bt_keys_root(file, b), to = bt_keys_root(file, a);
    if (from == to) return;
    ployi_btf_key *keys = PLOY_ARRAY_ITEMS(&file->keys, ployi_btf_key);
    ployi_btf_key *low = &keys[from], *high = &keys[to];
    if (low->rank == PLOYI_BT_RANK_PORT && high->rank == low->rank && low->type != high->type) {
        bt_keys_clash(file, place, keys[b].name, high->type, low->type);
    }
    low->up = to;
    high->made = high->made || low->made;
    if (low->rank > high->rank) {
        high->rank = low->rank;
        high->type = low->type;
    }
    if (high->literal == PLOY_VALUE_NONE || low->literal == PLOY_VALUE_TEXT) {
        if (low->literal != PLOY_VALUE_NONE) high->literal = low->literal;
    }
    file->changed = true;
}

// Notes what a literal for the key reads as: a number if all do.
static void bt_keys_literal(ploy_bt_file *file, int32_t key, const char *text) {
    if (key < 0) return;
    ployi_btf_key *root = ployi_bt_file_key_root(file, key);
    double number;
    ploy_value flag;
    bool numeric = ploy_parse_f64(text, strlen(text), NULL, &number) == PLOY_OK ||
                   ploy_value_parse(PLOY_VALUE_BOOL, text, &flag) == PLOY_OK;
    for (int32_t i = 0; i < file->def->constant_count && !numeric; i++) {
        numeric = strcmp(file->def->constants[i].name, text) == 0;
    }
    if (!numeric) root->literal = PLOY_VALUE_TEXT;
    if (numeric && root->literal == PLOY_VALUE_NONE) root->literal = PLOY_VALUE_F64;
}

// Puts the attribute's key into the tree. -1 if its value is not a key.
static int32_t bt_keys_mention(ploy_bt_file *file, int32_t tree, const ployi_btf_attr *attr) {
    const char *name = ployi_bt_file_key_name(file, tree, attr);
    int32_t key = name != NULL ? bt_keys_add(file, tree, name, attr->place) : -1;
    if (key >= 0) ployi_bt_file_key_root(file, key)->made = true;
    return key;
}

bool ployi_bt_file_literal(ploy_bt_file *file, const ployi_btf_attr *attr, const char *text,
                           ploy_value_type type, ploy_value *out) {
    for (int32_t i = 0; i < file->def->constant_count && type != PLOY_VALUE_TEXT; i++) {
        if (strcmp(file->def->constants[i].name, text) != 0) continue;
        ploy_value number = ploy_value_f64(file->def->constants[i].value);
        if (ploy_value_convert(&number, type, out) == PLOY_OK) return true;
    }
    ploy_value flag;
    if (ploy_value_parse(type, text, out) == PLOY_OK) return true;
    bool number = type >= PLOY_VALUE_I64 && type <= PLOY_VALUE_F64;
    if (number && ploy_value_parse(PLOY_VALUE_BOOL, text, &flag) == PLOY_OK) {
        ploy_value one = ploy_value_i64(flag.as.b ? 1 : 0);
        if (ploy_value_convert(&one, type, out) == PLOY_OK) return true;
    }
    ployi_bt_file_fault(file, attr->place, PLOY_ERR_FORMAT, "invalid value", text,
                        ploy_value_type_text(type), NULL);
    return false;
}

// ---- what each node mentions ----

// A script with every @name as the key that it is in this tree. NULL if memory is short.
static const char *bt_keys_root_names(ploy_bt_file *file, int32_t tree, const char *text) {
    if (strchr(text, '@') == NULL) return text;
    const char *prefix = PLOYI_BT_FILE_AT(file, tree, tree)->root ? "" : PLOYI_BT_FILE_ROOT;
    size_t length = strlen(prefix), size = 0, at = 0;
    for (const char *c = text; *c != 0; c++) size += *c == '@' ? length + 1 : 1;
    char *out = ploy_arena_alloc(file->arena, size + 1);
    if (out == NULL) {
        ployi_bt_file_memory(file);
        return NULL;
    }
    bool quoted = false;
    for (const char *c = text; *c != 0; c++) {
        quoted = quoted != (*c == '\'');
        if (*c == '@' && !quoted) {
            memcpy(out + at, prefix, length);
            at += length;
        } else {
            out[at++] = *c;
        }
    }
    out[at] = 0;
    return out;
}

static void bt_keys_script(ploy_bt_file *file, int32_t tree, int32_t attr_at, const char *text) {
    ployi_btf_attr *attr = PLOYI_BT_FILE_AT(file, attr, attr_at);
    ployi_btf_script script = {attr_at, tree, NULL};
    text = bt_keys_root_names(file, tree, text);
    if (text == NULL) return;
    const char *name = PLOYI_BT_FILE_AT(file, source, attr->place.source)->name;
    ploy_result result = ploy_expression_create(text, name, attr->place.line, attr->place.column,
                                                file->def->constants, file->def->constant_count,
                                                &file->env, file->diags, &script.expression);
    if (result != PLOY_OK) {
        if (file->result == PLOY_OK || result == PLOY_ERR_MEMORY) file->result = result;
        return;
    }
    if (ploy_array_push(&file->scripts, &script) != PLOY_OK) {
        ploy_expression_destroy(script.expression);
        ployi_bt_file_memory(file);
        return;
    }
    attr->expression = script.expression;
    if (file->functions != NULL) {
        result = ploy_expression_resolve(script.expression, file->functions, file->diags);
        if (result != PLOY_OK && (file->result == PLOY_OK || result == PLOY_ERR_MEMORY)) {
            file->result = result;
        }
    }
    for (int32_t i = 0; i < ploy_expression_name_count(script.expression); i++) {
        ploy_expression_use use;
        ploy_expression_name(script.expression, i, &use);
        int32_t key = bt_keys_add(file, tree, use.name, attr->place);
        if (key >= 0 && use.makes) ployi_bt_file_key_root(file, key)->made = true;
    }
}

enum { BT_KEYS_HOOKS = 8, BT_KEYS_UNDERSCORES = 12 };
static const char *const bt_keys_underscores[BT_KEYS_UNDERSCORES] = {
    "_failureIf", "_successIf", "_skipIf",    "_while",       "_onSuccess", "_onFailure",
    "_post",      "_onHalted",  "_autoremap", "_description", "_uid",       "_fullpath"};

// Attributes that begin with '_': conditions, effects and flags of any node.
static void bt_keys_hook(ploy_bt_file *file, int32_t tree, int32_t attr_at) {
    const ployi_btf_attr *attr = PLOYI_BT_FILE_AT(file, attr, attr_at);
    for (int32_t i = 0; i < BT_KEYS_UNDERSCORES; i++) {
        if (strcmp(attr->name, bt_keys_underscores[i]) != 0) continue;
        if (i < BT_KEYS_HOOKS) bt_keys_script(file, tree, attr_at, attr->value);
        return;
    }
    ploy_nearest nearest = ploy_nearest_make(attr->name);
    for (int32_t i = 0; i < BT_KEYS_UNDERSCORES; i++) {
        ploy_nearest_offer(&nearest, bt_keys_underscores[i]);
    }
    ployi_bt_file_fault(file, attr->place, PLOY_ERR_NOT_FOUND, "unknown attribute", attr->name,
                        NULL, nearest.best);
}

static void bt_keys_leaf(ploy_bt_file *file, int32_t tree, const ployi_btf_item *item) {
    const ploy_bt_file_leaf *entry = PLOY_ARRAY_AT(&file->leaves, ploy_bt_file_leaf, item->leaf);
    const ploy_bt_leaf *leaf = entry->leaf;
    for (int32_t i = 0; i < item->attr_count; i++) {
        const ployi_btf_attr *attr = PLOYI_BT_FILE_AT(file, attr, item->first_attr + i);
        if (attr->name[0] == '_') continue;
        const ploy_bt_port *port = NULL;
        for (int32_t k = 0; k < leaf->port_count; k++) {
            if (strcmp(leaf->ports[k].name, attr->name) == 0) port = &leaf->ports[k];
        }
        if (port == NULL && !entry->any_port) {
            ploy_nearest nearest = ploy_nearest_make(attr->name);
            for (int32_t k = 0; k < leaf->port_count; k++) {
                ploy_nearest_offer(&nearest, leaf->ports[k].name);
            }
            ployi_bt_file_fault(file, attr->place, PLOY_ERR_NOT_FOUND, "unknown port", attr->name,
                                NULL, nearest.best);
            continue;
        }
        bool names = attr->value[strspn(attr->value, BT_KEYS_BLANKS)] == '{';
        int32_t key = names ? bt_keys_mention(file, tree, attr) : -1;
        ploy_value value; // only to hear now whether it will fit
        if (port != NULL && key >= 0) {
            bt_keys_set_type(file, key, port->type, PLOYI_BT_RANK_PORT, attr->place);
        } else if (port != NULL && !names) {
            (void)ployi_bt_file_literal(file, attr, attr->value, port->type, &value);
        }
    }
    for (int32_t k = 0; k < leaf->port_count; k++) {
        if (leaf->ports[k].optional ||
            ployi_bt_file_attr(file, item, leaf->ports[k].name) != NULL) {
            continue;
        }
        ployi_bt_file_fault(file, item->place, PLOY_ERR_FORMAT, "missing port", leaf->ports[k].name,
                            NULL, NULL);
    }
}

// What a built-in node reads: attributes, and how they are used.
typedef enum bt_keys_role {
    BT_KEYS_PLAIN,   // a number, a flag or a word
    BT_KEYS_NUMBER,  // a number or {key}
    BT_KEYS_QUEUE,   // values parted by ';', or {key}
    BT_KEYS_SCRIPT,  // an expression
    BT_KEYS_KEY,     // {key} or key
    BT_KEYS_VARIABLE // {key} alone
} bt_keys_role;

static const struct {
    ploy_bt_kind kind;
    const char *name;
    bt_keys_role role;
    bool needed;
} bt_keys_ports[] = {
    {PLOY_BT_PARALLEL, "success_count", BT_KEYS_NUMBER, false},
    {PLOY_BT_PARALLEL, "failure_count", BT_KEYS_NUMBER, false},
    {PLOY_BT_PARALLEL_ALL, "max_failures", BT_KEYS_NUMBER, false},
    {PLOY_BT_SWITCH, "variable", BT_KEYS_VARIABLE, true},
    {PLOY_BT_SWITCH, "case_1", BT_KEYS_PLAIN, true},
    {PLOY_BT_SWITCH, "case_2", BT_KEYS_PLAIN, true},
    {PLOY_BT_SWITCH, "case_3", BT_KEYS_PLAIN, false},
    {PLOY_BT_SWITCH, "case_4", BT_KEYS_PLAIN, false},
    {PLOY_BT_SWITCH, "case_5", BT_KEYS_PLAIN, false},
    {PLOY_BT_SWITCH, "case_6", BT_KEYS_PLAIN, false},
    {PLOY_BT_TRY_CATCH, "catch_on_halt", BT_KEYS_PLAIN, false},
    {PLOY_BT_RANDOM_SELECTOR, "tries", BT_KEYS_NUMBER, false},
    {PLOY_BT_REPEAT, "num_cycles", BT_KEYS_NUMBER, true},
    {PLOY_BT_RETRY, "num_attempts", BT_KEYS_NUMBER, true},
    {PLOY_BT_UNTIL_FAIL, "result", BT_KEYS_PLAIN, false},
    {PLOY_BT_RESTART, "num_cycles", BT_KEYS_NUMBER, false},
    {PLOY_BT_TIMEOUT, "msec", BT_KEYS_NUMBER, true},
    {PLOY_BT_TIMEOUT, "result", BT_KEYS_PLAIN, false},
    {PLOY_BT_DELAY, "delay_msec", BT_KEYS_NUMBER, true},
    {PLOY_BT_COOLDOWN, "msec", BT_KEYS_NUMBER, true},
    {PLOY_BT_RUN_ONCE, "then_skip", BT_KEYS_PLAIN, false},
    {PLOY_BT_LIMIT, "max", BT_KEYS_NUMBER, false},
    {PLOY_BT_PRECONDITION, "if", BT_KEYS_SCRIPT, true},
    {PLOY_BT_PRECONDITION, "else", BT_KEYS_PLAIN, false},
    {PLOY_BT_LOOP, "queue", BT_KEYS_QUEUE, true},
    {PLOY_BT_LOOP, "value", BT_KEYS_VARIABLE, true},
    {PLOY_BT_LOOP, "if_empty", BT_KEYS_PLAIN, false},
    {PLOY_BT_SKIP_UNLESS_UPDATED, "entry", BT_KEYS_KEY, true},
    {PLOY_BT_WAIT_VALUE_UPDATE, "entry", BT_KEYS_KEY, true},
    {PLOY_BT_SEMAPHORE_GUARD, "semaphore", BT_KEYS_PLAIN, true},
    {PLOY_BT_SEMAPHORE_GUARD, "max", BT_KEYS_PLAIN, false},
    {PLOY_BT_GATE, "open", BT_KEYS_PLAIN, false},
    {PLOY_BT_SLEEP, "msec", BT_KEYS_NUMBER, true},
    {PLOY_BT_SLEEP, "max_msec", BT_KEYS_NUMBER, false},
    {PLOY_BT_SET_BLACKBOARD, "value", BT_KEYS_PLAIN, true},
    {PLOY_BT_SET_BLACKBOARD, "output_key", BT_KEYS_KEY, true},
    {PLOY_BT_UNSET_BLACKBOARD, "key", BT_KEYS_KEY, true},
    {PLOY_BT_WAS_ENTRY_UPDATED, "entry", BT_KEYS_KEY, true},
    {PLOY_BT_CONDITION, "code", BT_KEYS_SCRIPT, true},
    {PLOY_BT_SCRIPT, "code", BT_KEYS_SCRIPT, true},
    {PLOY_BT_SIGNAL, "node", BT_KEYS_PLAIN, true},
    {PLOY_BT_SIGNAL, "result", BT_KEYS_PLAIN, false},
};

enum { BT_KEYS_PORTS = sizeof bt_keys_ports / sizeof bt_keys_ports[0] };
_Static_assert(BT_KEYS_PORTS <= 64, "a bit for each, below");

// A key that may be written without its braces: those are put around it.
static bool bt_keys_brace(ploy_bt_file *file, ployi_btf_attr *attr) {
    if (attr->value[0] == '{') return true;
    char text[PLOY_BLACKBOARD_NAME_MAX + 3];
    int length = snprintf(text, sizeof text, "{%.*s}", PLOY_BLACKBOARD_NAME_MAX, attr->value);
    const char *copy = ployi_bt_file_copy(file, text, (size_t)length);
    if (copy != NULL) attr->value = copy;
    return copy != NULL;
}

static void bt_keys_port(ploy_bt_file *file, int32_t tree, const ployi_btf_item *item,
                         int32_t attr_at, bt_keys_role role) {
    ployi_btf_attr *attr = PLOYI_BT_FILE_AT(file, attr, attr_at);
    if (role == BT_KEYS_SCRIPT) {
        bt_keys_script(file, tree, attr_at, attr->value);
        return;
    }
    if (role == BT_KEYS_PLAIN || (role == BT_KEYS_KEY && !bt_keys_brace(file, attr))) return;
    bool names = attr->value[strspn(attr->value, BT_KEYS_BLANKS)] == '{';
    if (role == BT_KEYS_NUMBER || role == BT_KEYS_QUEUE) {
        int32_t key = names ? bt_keys_mention(file, tree, attr) : -1;
        if (key < 0) return;
        if (role == BT_KEYS_QUEUE) {
            bt_keys_set_type(file, key, PLOY_VALUE_TEXT, PLOYI_BT_RANK_PORT, attr->place);
        } else {
            bt_keys_literal(file, key, "0"); // a number, if nothing else is known
        }
        return;
    }
    if (!names) {
        ployi_bt_file_fault(file, attr->place, PLOY_ERR_FORMAT, "expected a key, found",
                            attr->value, "{key}", NULL);
        return;
    }
    int32_t key = bt_keys_mention(file, tree, attr);
    if (key < 0 || item->kind != PLOY_BT_LOOP) return;
    ploy_value_type type = strcmp(item->type, "LoopInt") == 0      ? PLOY_VALUE_I64
                           : strcmp(item->type, "LoopDouble") == 0 ? PLOY_VALUE_F64
                           : strcmp(item->type, "LoopBool") == 0   ? PLOY_VALUE_BOOL
                                                                   : PLOY_VALUE_TEXT;
    bt_keys_set_type(file, key, type, PLOYI_BT_RANK_PORT, attr->place);
}

// SetBlackboard's value is a literal, or another key: then it is a script.
static void bt_keys_assign(ploy_bt_file *file, int32_t tree, const ployi_btf_item *item) {
    const ployi_btf_attr *value = ployi_bt_file_attr(file, item, "value");
    const ployi_btf_attr *target = ployi_bt_file_attr(file, item, "output_key");
    if (value == NULL || target == NULL) return;
    const char *from = ployi_bt_file_key_name(file, tree, value);
    const char *to = ployi_bt_file_key_name(file, tree, target);
    if (to == NULL) return;
    if (from == NULL) {
        bt_keys_literal(file, ployi_bt_file_key_find(file, tree, to), value->value);
        return;
    }
    char text[2 * PLOY_BLACKBOARD_NAME_MAX + 8];
    snprintf(text, sizeof text, "%.*s := %.*s", PLOY_BLACKBOARD_NAME_MAX, to,
             PLOY_BLACKBOARD_NAME_MAX, from);
    int32_t at = (int32_t)(value - PLOY_ARRAY_ITEMS(&file->attrs, ployi_btf_attr));
    bt_keys_script(file, tree, at, text);
}

// Built-in nodes have the ports of the table; a behavior of the game has none.
static void bt_keys_builtin(ploy_bt_file *file, int32_t tree, const ployi_btf_item *item) {
    uint64_t found = 0;
    for (int32_t i = 0; i < item->attr_count; i++) {
        const ployi_btf_attr *attr = PLOYI_BT_FILE_AT(file, attr, item->first_attr + i);
        if (attr->name[0] == '_') continue;
        bool known = false;
        for (int32_t k = 0; k < BT_KEYS_PORTS && !known; k++) {
            known = (int32_t)bt_keys_ports[k].kind == item->kind &&
                    strcmp(bt_keys_ports[k].name, attr->name) == 0;
            if (!known) continue;
            found |= (uint64_t)1 << k;
            bt_keys_port(file, tree, item, item->first_attr + i, bt_keys_ports[k].role);
        }
        if (known) continue;
        ploy_nearest nearest = ploy_nearest_make(attr->name);
        for (int32_t k = 0; k < BT_KEYS_PORTS; k++) {
            if ((int32_t)bt_keys_ports[k].kind == item->kind) {
                ploy_nearest_offer(&nearest, bt_keys_ports[k].name);
            }
        }
        ployi_bt_file_fault(file, attr->place, PLOY_ERR_NOT_FOUND, "unknown port", attr->name, NULL,
                            nearest.best);
    }
    for (int32_t k = 0; k < BT_KEYS_PORTS; k++) {
        if ((int32_t)bt_keys_ports[k].kind != item->kind || !bt_keys_ports[k].needed) continue;
        if ((found >> k & 1) != 0) continue;
        ployi_bt_file_fault(file, item->place, PLOY_ERR_FORMAT, "missing port",
                            bt_keys_ports[k].name, NULL, NULL);
    }
    if (item->kind == PLOY_BT_SET_BLACKBOARD) bt_keys_assign(file, tree, item);
    if (item->kind == PLOY_BT_SWITCH) {
        const ployi_btf_attr *variable = ployi_bt_file_attr(file, item, "variable");
        const char *name = variable != NULL ? ployi_bt_file_key_name(file, tree, variable) : NULL;
        int32_t key = name != NULL ? ployi_bt_file_key_find(file, tree, name) : -1;
        for (int32_t i = 0; i < item->attr_count; i++) {
            const ployi_btf_attr *attr = PLOYI_BT_FILE_AT(file, attr, item->first_attr + i);
            if (strncmp(attr->name, "case_", 5) == 0) bt_keys_literal(file, key, attr->value);
        }
    }
}

static void bt_keys_collect(ploy_bt_file *file, int32_t tree) {
    const ployi_btf_tree *owner = PLOYI_BT_FILE_AT(file, tree, tree);
    for (int32_t i = owner->first; i < owner->end && file->result != PLOY_ERR_MEMORY; i++) {
        ployi_btf_item *item = PLOYI_BT_FILE_AT(file, item, i);
        item->autoremap =
            ployi_bt_file_flag(file, ployi_bt_file_attr(file, item, "_autoremap"), false);
        for (int32_t k = 0; k < item->attr_count; k++) {
            if (PLOYI_BT_FILE_AT(file, attr, item->first_attr + k)->name[0] == '_') {
                bt_keys_hook(file, tree, item->first_attr + k);
            }
        }
        bool ours = item->kind == PLOY_BT_LEAF || item->kind == PLOY_BT_CONTROL;
        if (ours) bt_keys_leaf(file, tree, item);
        if (item->kind >= 0 && !ours && item->kind != PLOY_BT_SUBTREE) {
            bt_keys_builtin(file, tree, item);
        }
    }
}

// ---- between trees ----

// One remapping of a SubTree node, written there or a default of its model.
static void bt_keys_remap(ploy_bt_file *file, int32_t tree, int32_t child,
                          const ployi_btf_attr *attr) {
    int32_t inner = bt_keys_add(file, child, attr->name, attr->place);
    if (inner < 0) return;
    const char *name = ployi_bt_file_key_name(file, tree, attr);
    if (name != NULL) {
        bt_keys_join(file, bt_keys_add(file, tree, name, attr->place), inner, attr->place);
        return;
    }
    bt_keys_literal(file, inner, attr->value);
    ployi_bt_file_key_root(file, inner)->made = true;
}

// The root's keys go through every tree, and under autoremap all that are not private.
static void bt_keys_through(ploy_bt_file *file, int32_t tree, const ployi_btf_item *item) {
    ployi_btf_tree *child = PLOYI_BT_FILE_AT(file, tree, item->tree);
    size_t prefix = strlen(PLOYI_BT_FILE_ROOT);
    for (int32_t i = 0; i < child->keys.count; i++) {
        int32_t inner = PLOY_ARRAY_ITEMS(&child->keys, int32_t)[i];
        const char *name = PLOYI_BT_FILE_AT(file, key, inner)->name;
        if (strncmp(name, PLOYI_BT_FILE_ROOT, prefix) == 0) {
            if (PLOYI_BT_FILE_AT(file, tree, tree)->root) name += prefix;
        } else if (!item->autoremap || name[0] == '_' ||
                   ployi_bt_file_attr(file, item, name) != NULL) {
            continue;
        }
        bt_keys_join(file, bt_keys_add(file, tree, name, item->place), inner, item->place);
    }
}

// Defaults of the model that the node does not set itself become attributes of it.
static void bt_keys_defaults(ploy_bt_file *file, int32_t tree, const ployi_btf_item *item) {
    if (item->model < 0) return;
    const ployi_btf_model *model = PLOYI_BT_FILE_AT(file, model, item->model);
    for (int32_t i = 0; i < model->port_count; i++) {
        const ployi_btf_model_port *port =
            PLOYI_BT_FILE_AT(file, model_port, model->first_port + i);
        if (port->value == NULL || port->name == NULL) continue;
        if (ployi_bt_file_attr(file, item, port->name) != NULL) continue;
        ployi_btf_attr attr = {port->name, port->value, item->place, NULL};
        bt_keys_remap(file, tree, item->tree, &attr);
    }
}

static void bt_keys_spread(ploy_bt_file *file) {
    do {
        file->changed = false;
        for (int32_t o = 0; o < file->order.count && file->result != PLOY_ERR_MEMORY; o++) {
            int32_t tree = PLOY_ARRAY_ITEMS(&file->order, int32_t)[o];
            const ployi_btf_tree *owner = PLOYI_BT_FILE_AT(file, tree, tree);
            for (int32_t i = owner->first; i < owner->end; i++) {
                const ployi_btf_item *item = PLOYI_BT_FILE_AT(file, item, i);
                if (item->tree < 0) continue;
                for (int32_t k = 0; k < item->attr_count; k++) {
                    const ployi_btf_attr *attr = PLOYI_BT_FILE_AT(file, attr, item->first_attr + k);
                    if (attr->name[0] != '_') bt_keys_remap(file, tree, item->tree, attr);
                }
                bt_keys_defaults(file, tree, item);
                bt_keys_through(file, tree, item);
            }
        }
        file->again = true;
    } while (file->changed && file->result != PLOY_ERR_MEMORY);
}

// ---- types ----

static void bt_keys_types_of(const ploy_bt_file *file, const ployi_btf_script *script,
                             int32_t *keys, ploy_value_type *types) {
    for (int32_t i = 0; i < ploy_expression_name_count(script->expression); i++) {
        ploy_expression_use use;
        ploy_expression_name(script->expression, i, &use);
        keys[i] = ployi_bt_file_key_find(file, script->tree, use.name);
        types[i] = keys[i] >= 0 ? ployi_bt_file_key_root(file, keys[i])->type : PLOY_VALUE_NONE;
    }
}

// Scripts give types to what they make, until none does any more.
static void bt_keys_infer(ploy_bt_file *file) {
    int32_t keys[PLOY_EXPRESSION_NAMES_MAX];
    ploy_value_type types[PLOY_EXPRESSION_NAMES_MAX];
    do {
        file->changed = false;
        for (int32_t i = 0; i < file->scripts.count; i++) {
            const ployi_btf_script *script = PLOYI_BT_FILE_AT(file, script, i);
            bt_keys_types_of(file, script, keys, types);
            if (!ploy_expression_infer(script->expression, types)) continue;
            for (int32_t k = 0; k < ploy_expression_name_count(script->expression); k++) {
                if (keys[k] < 0) continue;
                bt_keys_set_type(file, keys[k], types[k], PLOYI_BT_RANK_SCRIPT,
                                 PLOYI_BT_FILE_AT(file, attr, script->attr)->place);
            }
        }
    } while (file->changed);
}

// Gives a type to the groups that have none: what their literals read as, or text.
static void bt_keys_guess(ploy_bt_file *file, bool literals) {
    for (int32_t i = 0; i < file->keys.count; i++) {
        const ployi_btf_key *key = PLOYI_BT_FILE_AT(file, key, i);
        if (key->up != i || key->rank != PLOYI_BT_RANK_NONE) continue;
        bt_keys_set_type(file, i, literals ? key->literal : PLOY_VALUE_TEXT, PLOYI_BT_RANK_LITERAL,
                         key->place);
    }
}

// Every name that a script reads or assigns must be made by some node.
static bool bt_keys_made(ploy_bt_file *file, const ployi_btf_script *script) {
    bool fine = true;
    for (int32_t i = 0; i < ploy_expression_name_count(script->expression); i++) {
        ploy_expression_use use;
        ploy_expression_name(script->expression, i, &use);
        int32_t key = ployi_bt_file_key_find(file, script->tree, use.name);
        if (key < 0 || ployi_bt_file_key_root(file, key)->made) continue;
        const ployi_btf_tree *tree = PLOYI_BT_FILE_AT(file, tree, script->tree);
        ploy_nearest nearest = ploy_nearest_make(use.name);
        for (int32_t k = 0; k < tree->keys.count; k++) {
            int32_t other = PLOY_ARRAY_ITEMS(&tree->keys, int32_t)[k];
            if (ployi_bt_file_key_root(file, other)->made) {
                ploy_nearest_offer(&nearest, PLOYI_BT_FILE_AT(file, key, other)->name);
            }
        }
        char text[PLOY_DIAG_TEXT_MAX];
        snprintf(text, sizeof text, "key '%.90s' is read but never written", use.name);
        ployi_bt_file_fault(file, PLOYI_BT_FILE_AT(file, attr, script->attr)->place,
                            PLOY_ERR_NOT_FOUND, text, NULL, NULL, nearest.best);
        fine = false;
    }
    return fine;
}

static void bt_keys_bind(ploy_bt_file *file) {
    int32_t keys[PLOY_EXPRESSION_NAMES_MAX];
    ploy_value_type types[PLOY_EXPRESSION_NAMES_MAX];
    for (int32_t i = 0; i < file->scripts.count; i++) {
        const ployi_btf_script *script = PLOYI_BT_FILE_AT(file, script, i);
        if (!bt_keys_made(file, script)) continue;
        bt_keys_types_of(file, script, keys, types);
        bool known = true; // what is not was reported where it was met
        for (int32_t k = 0; k < ploy_expression_name_count(script->expression); k++) {
            known = known && keys[k] >= 0;
        }
        if (!known) continue;
        ploy_result result = ploy_expression_bind(script->expression, types, file->diags);
        if (result != PLOY_OK && file->result == PLOY_OK) file->result = result;
    }
}

// ---- layouts ----

static void bt_keys_game(ploy_bt_file *file) {
    ployi_btf_place nowhere = {0, 0, 0};
    for (int32_t i = 0; i < file->def->key_count && file->main >= 0; i++) {
        const ploy_blackboard_key *wanted = &file->def->keys[i];
        const char *name = ployi_bt_file_copy(file, wanted->name, strlen(wanted->name));
        int32_t key = name != NULL ? bt_keys_add(file, file->main, name, nowhere) : -1;
        if (key < 0) return;
        ployi_bt_file_key_root(file, key)->made = true;
        bt_keys_set_type(file, key, wanted->type, PLOYI_BT_RANK_PORT, nowhere);
        if (wanted->type == PLOY_VALUE_NONE) {
            ployi_bt_file_key_root(file, key)->literal = wanted->initial.type;
        }
    }
}

// The first value that the game gives to a key of the main tree, or none.
static ploy_value bt_keys_initial(ploy_bt_file *file, const ployi_btf_key *key,
                                  ploy_value_type type) {
    ploy_value value = ploy_value_none();
    for (int32_t i = 0; i < file->def->key_count && key->tree == file->main; i++) {
        const ploy_blackboard_key *wanted = &file->def->keys[i];
        if (strcmp(wanted->name, key->name) != 0 || wanted->initial.type == PLOY_VALUE_NONE) {
            continue;
        }
        bool fits = ploy_value_convert(&wanted->initial, type, &value) == PLOY_OK;
        if (!fits && wanted->type != PLOY_VALUE_NONE) {
            bt_keys_clash(file, key->place, key->name, type, wanted->initial.type);
        }
    }
    return value;
}

static void bt_keys_layout(ploy_bt_file *file, ployi_btf_tree *tree) {
    if (file->def->layout != NULL && tree->root) {
        tree->layout = file->def->layout;
        return;
    }
    ploy_array keys;
    ploy_array_init(&keys, sizeof(ploy_blackboard_key), &file->env);
    for (int32_t i = 0; i < tree->keys.count; i++) {
        int32_t at = PLOY_ARRAY_ITEMS(&tree->keys, int32_t)[i];
        const ployi_btf_key *key = PLOYI_BT_FILE_AT(file, key, at);
        ploy_value_type type = ployi_bt_file_key_root(file, at)->type;
        ploy_blackboard_key entry = {key->name, type, bt_keys_initial(file, key, type), NULL};
        if (ploy_array_push(&keys, &entry) != PLOY_OK) ployi_bt_file_memory(file);
    }
    if (file->result == PLOY_OK) {
        file->result =
            ploy_blackboard_layout_create(PLOY_ARRAY_ITEMS(&keys, ploy_blackboard_key), keys.count,
                                          tree->id, &file->env, file->diags, &tree->own);
        tree->layout = tree->own;
    }
    ploy_array_fini(&keys);
}

void ployi_bt_file_keys(ploy_bt_file *file) {
    bt_keys_game(file);
    for (int32_t i = 0; i < file->trees.count; i++) bt_keys_collect(file, i);
    if (file->result != PLOY_ERR_MEMORY) bt_keys_spread(file);
    if (file->result == PLOY_ERR_MEMORY) return;
    bt_keys_infer(file);
    bt_keys_guess(file, true);
    bt_keys_infer(file);
    bt_keys_guess(file, false);
    bt_keys_infer(file);
    bt_keys_bind(file);
    for (int32_t i = 0; i < file->trees.count && file->result == PLOY_OK; i++) {
        bt_keys_layout(file, PLOYI_BT_FILE_AT(file, tree, i));
    }
}

#undef BT_KEYS_BLANKS
