// Building the trees of a document, those that others hold first.
#include <string.h>

#include "data/bt_file_internal.h"

// What represents an IfThenElse or WhileDoElse that has no branches to choose from.
static ploy_result bt_make_wrong_step(ploy_bt_call *call, ploy_status *status) {
    (void)call;
    *status = PLOY_STATUS_FAILURE;
    return PLOY_ERR_ARGUMENT;
}

static const ploy_bt_leaf bt_make_wrong = {.name = "WrongChildren", .step = bt_make_wrong_step};

// One tree that is being built.
typedef struct bt_make {
    ploy_bt_file *file;
    int32_t tree;
    ploy_bt_builder *builder;
} bt_make;

// ---- settings ----

static double bt_make_number(const bt_make *make, const ployi_btf_item *item, const char *name,
                             double otherwise, bool whole) {
    const ployi_btf_attr *attr = ployi_bt_file_attr(make->file, item, name);
    if (attr == NULL) return otherwise;
    ploy_value value = ploy_value_f64(otherwise);
    ploy_value_type type = whole ? PLOY_VALUE_I64 : PLOY_VALUE_F64;
    double number = otherwise;
    if (!ployi_bt_file_literal(make->file, attr, attr->value, type, &value)) return otherwise;
    (void)ploy_value_number(&value, &number);
    if (number >= -2147483647.0 && number <= 2147483647.0) return number;
    ployi_bt_file_fault(make->file, attr->place, PLOY_ERR_FORMAT, "number is out of range",
                        attr->value, NULL, NULL);
    return otherwise;
}

// The key that an attribute names, and its type.
static const char *bt_make_key(const bt_make *make, const ployi_btf_item *item, const char *name,
                               ploy_value_type *type) {
    const ployi_btf_attr *attr = ployi_bt_file_attr(make->file, item, name);
    const char *key = attr != NULL ? ployi_bt_file_key_name(make->file, make->tree, attr) : NULL;
    int32_t at = key != NULL ? ployi_bt_file_key_find(make->file, make->tree, key) : -1;
    if (at < 0) return NULL;
    *type = ployi_bt_file_key_root(make->file, at)->type;
    return key;
}

// True if the attribute names a key of numbers, or of text: then *out is it.
static bool bt_make_from_key(const bt_make *make, const ployi_btf_item *item, const char *name,
                             bool text, const char **out) {
    ploy_value zero;
    double number;
    memset(&zero, 0, sizeof zero);
    *out = bt_make_key(make, item, name, &zero.type);
    if (*out == NULL) return false;
    if (text ? zero.type == PLOY_VALUE_TEXT : ploy_value_number(&zero, &number)) return true;
    ployi_bt_file_fault(
        make->file, ployi_bt_file_attr(make->file, item, name)->place, PLOY_ERR_FORMAT,
        text ? "expected a text key, found" : "expected a numeric key, found", *out, NULL, NULL);
    *out = NULL;
    return true;
}

static int32_t bt_make_count(const bt_make *make, const ployi_btf_item *item, const char *name,
                             int32_t otherwise, const char **key) {
    if (bt_make_from_key(make, item, name, false, key)) return otherwise;
    return (int32_t)bt_make_number(make, item, name, otherwise, true);
}

static double bt_make_seconds(const bt_make *make, const ployi_btf_item *item, const char *name,
                              const char **key) {
    if (bt_make_from_key(make, item, name, false, key)) return 0.0;
    double ms = bt_make_number(make, item, name, 0.0, false);
    if (ms >= 0.0) return ms / 1000.0;
    ployi_bt_file_fault(make->file, ployi_bt_file_attr(make->file, item, name)->place,
                        PLOY_ERR_FORMAT, "negative time in port", name, NULL, NULL);
    return 0.0;
}

static ploy_status bt_make_status(const bt_make *make, const ployi_btf_item *item, const char *name,
                                  ploy_status otherwise) {
    const ployi_btf_attr *attr = ployi_bt_file_attr(make->file, item, name);
    if (attr == NULL) return otherwise;
    if (strcmp(attr->value, "SUCCESS") == 0) return PLOY_STATUS_SUCCESS;
    if (strcmp(attr->value, "FAILURE") == 0) return PLOY_STATUS_FAILURE;
    if (strcmp(attr->value, "SKIPPED") == 0) return PLOY_STATUS_SKIPPED;
    bool runs = item->kind == PLOY_BT_PRECONDITION || item->kind == PLOY_BT_SIGNAL;
    if (strcmp(attr->value, "RUNNING") == 0 && runs) return PLOY_STATUS_RUNNING;
    ployi_bt_file_fault(
        make->file, attr->place, PLOY_ERR_FORMAT, "invalid status", attr->value,
        runs ? "SUCCESS, FAILURE, SKIPPED or RUNNING" : "SUCCESS, FAILURE or SKIPPED", NULL);
    return otherwise;
}

static ploy_expression *bt_make_script(const bt_make *make, const ployi_btf_item *item,
                                       const char *name) {
    const ployi_btf_attr *attr = ployi_bt_file_attr(make->file, item, name);
    return attr != NULL ? attr->expression : NULL;
}

static bool bt_make_value(const bt_make *make, const ployi_btf_attr *attr, const char *text,
                          ploy_value_type type, ploy_array *values) {
    ploy_value value = ploy_value_none();
    if (!ployi_bt_file_literal(make->file, attr, text, type, &value)) return false;
    return ploy_array_push(values, &value) == PLOY_OK || ployi_bt_file_memory(make->file);
}

// "1;2;3" as values.
static void bt_make_queue(const bt_make *make, const ployi_btf_item *item, ploy_value_type type,
                          ploy_array *values) {
    const ployi_btf_attr *attr = ployi_bt_file_attr(make->file, item, "queue");
    if (attr == NULL) return;
    const char *text = attr->value;
    while (text[0] != 0) {
        size_t size = strcspn(text, ";");
        const char *part = ployi_bt_file_copy(make->file, text, size);
        if (part == NULL || !bt_make_value(make, attr, part, type, values)) return;
        text += size + (text[size] == ';' ? 1 : 0);
    }
}

static void bt_make_cases(const bt_make *make, const ployi_btf_item *item, ploy_value_type type,
                          ploy_array *values) {
    char name[] = "case_1";
    int32_t cases = item->type[6] - '0'; // Switch2 to Switch6
    for (int32_t i = 0; i < cases; i++) {
        name[5] = (char)('1' + i);
        const ployi_btf_attr *attr = ployi_bt_file_attr(make->file, item, name);
        if (attr == NULL) {
            ployi_bt_file_fault(make->file, item->place, PLOY_ERR_FORMAT, "missing port", name,
                                NULL, NULL);
        } else {
            bt_make_value(make, attr, attr->value, type, values);
        }
    }
    if (item->children == cases + 1) return;
    ployi_bt_file_fault(make->file, item->place, PLOY_ERR_FORMAT,
                        "wrong number of children, expected one per case and a default in",
                        item->type, NULL, NULL);
}

static void bt_make_settings(const bt_make *make, const ployi_btf_item *item, ploy_bt_node_def *def,
                             ploy_array *values) {
    ploy_value_type type = PLOY_VALUE_NONE;
    const ployi_btf_attr *attr = NULL;
    def->key_scale = 0.001; // files have milliseconds
    switch (def->kind) {
    case PLOY_BT_PARALLEL:
        def->count = bt_make_count(make, item, "success_count", def->count, &def->count_key);
        def->count2 = bt_make_count(make, item, "failure_count", def->count2, &def->count2_key);
        break;
    case PLOY_BT_PARALLEL_ALL:
        def->count2 = bt_make_count(make, item, "max_failures", def->count2, &def->count2_key);
        break;
    case PLOY_BT_TRY_CATCH:
        attr = ployi_bt_file_attr(make->file, item, "catch_on_halt");
        if (ployi_bt_file_flag(make->file, attr, false)) {
            ployi_bt_file_fault(make->file, attr->place, PLOY_ERR_UNSUPPORTED, "unsupported port",
                                attr->name, NULL, NULL);
        }
        break;
    case PLOY_BT_RANDOM_SELECTOR:
        def->count = bt_make_count(make, item, "tries", 0, &def->count_key);
        break;
    case PLOY_BT_REPEAT:
    case PLOY_BT_RESTART:
        def->count = bt_make_count(make, item, "num_cycles", def->count, &def->count_key);
        break;
    case PLOY_BT_RETRY:
        def->count = bt_make_count(make, item, "num_attempts", def->count, &def->count_key);
        break;
    case PLOY_BT_UNTIL_FAIL: def->result = bt_make_status(make, item, "result", def->result); break;
    case PLOY_BT_TIMEOUT:
        def->seconds = bt_make_seconds(make, item, "msec", &def->seconds_key);
        def->result = bt_make_status(make, item, "result", def->result);
        break;
    case PLOY_BT_DELAY:
        def->seconds = bt_make_seconds(make, item, "delay_msec", &def->seconds_key);
        break;
    case PLOY_BT_COOLDOWN:
        def->seconds = bt_make_seconds(make, item, "msec", &def->seconds_key);
        break;
    case PLOY_BT_SLEEP:
        def->seconds = bt_make_seconds(make, item, "msec", &def->seconds_key);
        def->seconds_max = bt_make_seconds(make, item, "max_msec", &def->seconds_max_key);
        break;
    case PLOY_BT_RUN_ONCE:
        attr = ployi_bt_file_attr(make->file, item, "then_skip");
        def->flag = ployi_bt_file_flag(make->file, attr, true);
        break;
    case PLOY_BT_GATE:
        attr = ployi_bt_file_attr(make->file, item, "open");
        def->flag = ployi_bt_file_flag(make->file, attr, true);
        break;
    case PLOY_BT_LIMIT:
        def->count = bt_make_count(make, item, "max", def->count, &def->count_key);
        break;
    case PLOY_BT_SEMAPHORE_GUARD:
        def->text = ployi_bt_file_attr(make->file, item, "semaphore")->value;
        def->count = (int32_t)bt_make_number(make, item, "max", def->count, true);
        break;
    case PLOY_BT_SIGNAL:
        def->text = ployi_bt_file_attr(make->file, item, "node")->value;
        def->result = bt_make_status(make, item, "result", def->result);
        break;
    case PLOY_BT_PRECONDITION:
        def->condition = ploy_bt_condition_expression(bt_make_script(make, item, "if"));
        def->result = bt_make_status(make, item, "else", def->result);
        break;
    case PLOY_BT_CONDITION:
    case PLOY_BT_SCRIPT:
        def->condition = ploy_bt_condition_expression(bt_make_script(make, item, "code"));
        break;
    case PLOY_BT_SWITCH:
        def->key = bt_make_key(make, item, "variable", &type);
        bt_make_cases(make, item, type, values);
        break;
    case PLOY_BT_LOOP:
        def->key = bt_make_key(make, item, "value", &type);
        def->result = bt_make_status(make, item, "if_empty", def->result);
        if (!bt_make_from_key(make, item, "queue", true, &def->queue_key)) {
            bt_make_queue(make, item, type, values);
        }
        break;
    case PLOY_BT_SKIP_UNLESS_UPDATED:
    case PLOY_BT_WAIT_VALUE_UPDATE:
    case PLOY_BT_WAS_ENTRY_UPDATED: def->key = bt_make_key(make, item, "entry", &type); break;
    case PLOY_BT_UNSET_BLACKBOARD: def->key = bt_make_key(make, item, "key", &type); break;
    case PLOY_BT_SET_BLACKBOARD:
        attr = ployi_bt_file_attr(make->file, item, "value");
        if (attr->expression != NULL) { // from another key
            def->kind = PLOY_BT_SCRIPT;
            def->condition = ploy_bt_condition_expression(attr->expression);
            break;
        }
        def->key = bt_make_key(make, item, "output_key", &type);
        bt_make_value(make, attr, attr->value, type, values);
        break;
    default: break;
    }
    def->values = PLOY_ARRAY_ITEMS(values, ploy_value);
    def->value_count = values->count;
}

// ---- nodes ----

static void bt_make_hooks(const bt_make *make, const ployi_btf_item *item) {
    static const char *const names[] = {"_failureIf", "_successIf", "_skipIf", "_while",
                                        "_onSuccess", "_onFailure", "_post",   "_onHalted"};
    for (int32_t i = 0; i < item->attr_count; i++) {
        const ployi_btf_attr *attr = PLOYI_BT_FILE_AT(make->file, attr, item->first_attr + i);
        if (attr->name[0] != '_' || attr->expression == NULL) continue;
        for (int32_t when = 0; when <= PLOY_BT_ON_HALTED; when++) {
            if (strcmp(attr->name, names[when]) != 0) continue;
            if (when <= PLOY_BT_WHILE) {
                ploy_bt_condition condition = ploy_bt_condition_expression(attr->expression);
                ploy_bt_builder_when_holds(make->builder, (ploy_bt_when)when, &condition);
            } else {
                ploy_bt_effect effect = ploy_bt_effect_expression(attr->expression);
                ploy_bt_builder_then(make->builder, (ploy_bt_when)when, &effect);
            }
        }
    }
}

static void bt_make_bind(const bt_make *make, const char *port, const char *key, ploy_value value) {
    ploy_bt_bind bind = {port, key, value};
    if (ploy_array_push(&make->file->binds, &bind) != PLOY_OK) ployi_bt_file_memory(make->file);
}

static void bt_make_leaf(const bt_make *make, const ployi_btf_item *item, const char *name) {
    ploy_bt_file *file = make->file;
    const ploy_bt_file_leaf *entry = PLOY_ARRAY_AT(&file->leaves, ploy_bt_file_leaf, item->leaf);
    ploy_array_clear(&file->binds);
    for (int32_t i = 0; i < entry->leaf->port_count; i++) {
        const ploy_bt_port *port = &entry->leaf->ports[i];
        const ployi_btf_attr *attr = ployi_bt_file_attr(file, item, port->name);
        if (attr == NULL) continue;
        const char *key = ployi_bt_file_key_name(file, make->tree, attr);
        ploy_value value = ploy_value_none();
        if (key == NULL && !ployi_bt_file_literal(file, attr, attr->value, port->type, &value)) {
            continue;
        }
        bt_make_bind(make, port->name, key, value);
    }
    const ploy_bt_bind *binds = PLOY_ARRAY_ITEMS(&file->binds, ploy_bt_bind);
    if (item->kind == PLOY_BT_CONTROL) {
        ploy_bt_builder_open_control(make->builder, entry->leaf, name, entry->user, binds,
                                     file->binds.count);
    } else {
        ploy_bt_builder_add_leaf(make->builder, entry->leaf, name, entry->user, binds,
                                 file->binds.count);
    }
}

// Binds a key of the sub-tree to a key here or to a literal.
static void bt_make_remap(const bt_make *make, int32_t child, const ployi_btf_attr *attr) {
    const char *key = ployi_bt_file_key_name(make->file, make->tree, attr);
    int32_t inner = ployi_bt_file_key_find(make->file, child, attr->name);
    ploy_value value = ploy_value_none();
    if (inner < 0) return;
    ploy_value_type type = ployi_bt_file_key_root(make->file, inner)->type;
    if (key == NULL && !ployi_bt_file_literal(make->file, attr, attr->value, type, &value)) return;
    bt_make_bind(make, attr->name, key, value);
}

static void bt_make_subtree(const bt_make *make, const ployi_btf_item *item, const char *name) {
    ploy_bt_file *file = make->file;
    const ployi_btf_tree *child = PLOYI_BT_FILE_AT(file, tree, item->tree);
    static const char prefix[] = PLOYI_BT_FILE_ROOT;
    if (child->bt == NULL) return;
    ploy_array_clear(&file->binds);
    for (int32_t i = 0; i < item->attr_count; i++) {
        const ployi_btf_attr *attr = PLOYI_BT_FILE_AT(file, attr, item->first_attr + i);
        if (attr->name[0] != '_') bt_make_remap(make, item->tree, attr);
    }
    for (int32_t i = 0; item->model >= 0; i++) {
        const ployi_btf_model *model = PLOYI_BT_FILE_AT(file, model, item->model);
        if (i >= model->port_count) break;
        const ployi_btf_model_port *port =
            PLOYI_BT_FILE_AT(file, model_port, model->first_port + i);
        if (port->value == NULL || ployi_bt_file_attr(file, item, port->name) != NULL) continue;
        ployi_btf_attr attr = {port->name, port->value, item->place, NULL};
        bt_make_remap(make, item->tree, &attr);
    }
    for (int32_t i = 0; i < child->keys.count; i++) {
        int32_t at = PLOY_ARRAY_ITEMS(&child->keys, int32_t)[i];
        const char *key = PLOYI_BT_FILE_AT(file, key, at)->name;
        if (strncmp(key, prefix, sizeof prefix - 1) != 0) continue;
        bool root = PLOYI_BT_FILE_AT(file, tree, make->tree)->root;
        bt_make_bind(make, key, root ? key + sizeof prefix - 1 : key, ploy_value_none());
    }
    ploy_bt_builder_add_subtree(make->builder, child->bt, name,
                                PLOY_ARRAY_ITEMS(&file->binds, ploy_bt_bind), file->binds.count,
                                item->autoremap);
}

static void bt_make_item(const bt_make *make, int32_t at);

// The children of a node that was opened, and its close.
static void bt_make_children(const bt_make *make, int32_t at) {
    int32_t end = PLOYI_BT_FILE_AT(make->file, item, at)->end;
    for (int32_t child = at + 1; child < end;
         child = PLOYI_BT_FILE_AT(make->file, item, child)->end) {
        bt_make_item(make, child);
    }
    ploy_bt_builder_close(make->builder);
}

// As deep as the document, which its reader limits.
static void bt_make_item(const bt_make *make, int32_t at) {
    ploy_bt_file *file = make->file;
    const ployi_btf_item *item = PLOYI_BT_FILE_AT(file, item, at);
    const char *name = item->name != NULL ? item->name : item->id != NULL ? item->id : item->type;
    if (item->wrong) {
        ploy_bt_builder_add_leaf(make->builder, &bt_make_wrong, name, NULL, NULL, 0);
        bt_make_hooks(make, item);
        return;
    }
    if (item->kind == PLOY_BT_BEHAVIOR) {
        ploy_maker maker = file->def->makers[item->leaf].maker;
        ploy_bt_builder_add_behavior(make->builder, name, maker, true);
        bt_make_hooks(make, item);
        return;
    }
    bool control = item->kind == PLOY_BT_CONTROL;
    if (item->kind == PLOY_BT_LEAF || item->kind == PLOY_BT_SUBTREE || control) {
        if (item->kind == PLOY_BT_SUBTREE) {
            bt_make_subtree(make, item, name);
        } else {
            bt_make_leaf(make, item, name);
        }
        bt_make_hooks(make, item);
        if (control) bt_make_children(make, at);
        return;
    }
    ploy_bt_node_def def = ploy_bt_node_make((ploy_bt_kind)item->kind, name);
    ploy_array values;
    ploy_array_init(&values, sizeof(ploy_value), &file->env);
    bt_make_settings(make, item, &def, &values);
    bool leaf = def.kind >= PLOY_BT_ALWAYS_SUCCESS;
    if (leaf) {
        ploy_bt_builder_add_node(make->builder, &def);
    } else {
        ploy_bt_builder_open_node(make->builder, &def);
    }
    ploy_array_fini(&values);
    bt_make_hooks(make, item);
    if (!leaf) bt_make_children(make, at);
}

// Builds one tree. After a fault in it, or of a tree that it holds, it is not whole, and
// ploy_bt_builder_build would only complain about that.
static ploy_result bt_make_tree(ploy_bt_file *file, int32_t at) {
    ployi_btf_tree *tree = PLOYI_BT_FILE_AT(file, tree, at);
    bt_make make = {file, at, NULL};
    bool whole = true;
    for (int32_t i = tree->first; i < tree->end; i++) {
        int32_t child = PLOYI_BT_FILE_AT(file, item, i)->tree;
        whole = whole && (child < 0 || PLOYI_BT_FILE_AT(file, tree, child)->bt != NULL);
    }
    ploy_result result = ploy_bt_builder_create(tree->id, tree->layout, &file->env, &make.builder);
    if (result != PLOY_OK) return result;
    bt_make_item(&make, tree->first);
    result = file->result;
    if (result == PLOY_OK && whole)
        result = ploy_bt_builder_build(make.builder, file->diags, &tree->bt);
    ploy_bt_builder_destroy(make.builder);
    return result;
}

void ployi_bt_file_build(ploy_bt_file *file) {
    ploy_result first = PLOY_OK; // the first fault, while others are still looked for
    for (int32_t i = 0; i < file->order.count && first != PLOY_ERR_MEMORY; i++) {
        file->result = PLOY_OK;
        ploy_result result = bt_make_tree(file, PLOY_ARRAY_ITEMS(&file->order, int32_t)[i]);
        if (first == PLOY_OK || result == PLOY_ERR_MEMORY) first = result;
    }
    file->result = first;
}
