// Behavior-tree documents: life cycle and lookup. The work is done in the files beside it.
#include "ploy/data/bt_file.h"

#include <stdio.h>
#include <string.h>

#include "data/bt_file_internal.h"

static const ploy_field bt_file_fields[] = {
    PLOY_FIELD_BOOL(ploy_bt_file_def, relaxed, false, "raw '<' and '&' in attribute values"),
};

ploy_bt_file_def ploy_bt_file_def_default(void) {
    ploy_bt_file_def def;
    ploy_fields_default(ploy_bt_file_fields(), &def);
    return def;
}

ploy_fields ploy_bt_file_fields(void) {
    return PLOY_FIELDS(ploy_bt_file_def, bt_file_fields);
}

// ---- shared ----

void ployi_bt_file_fault(ploy_bt_file *file, ployi_btf_place place, ploy_result code,
                         const char *message, const char *what, const char *expected,
                         const char *nearest) {
    char text[PLOY_DIAG_TEXT_MAX];
    if (what != NULL) {
        snprintf(text, sizeof text, "%s '%.90s'", message, what);
    } else {
        snprintf(text, sizeof text, "%s", message);
    }
    const char *name = place.source < file->sources.count && place.line > 0
                           ? PLOYI_BT_FILE_AT(file, source, place.source)->name
                           : "";
    ploy_diags_add(file->diags, PLOY_SEVERITY_ERROR, code, name, place.line, place.column, text,
                   expected, nearest);
    if (file->result == PLOY_OK) file->result = code;
}

bool ployi_bt_file_memory(ploy_bt_file *file) {
    file->result = PLOY_ERR_MEMORY; // more than any fault: the rest was not looked at
    return false;
}

const char *ployi_bt_file_copy(ploy_bt_file *file, const char *text, size_t size) {
    char *copy = ploy_arena_alloc(file->arena, size + 1);
    if (copy == NULL) {
        ployi_bt_file_memory(file);
        return NULL;
    }
    if (size > 0) memcpy(copy, text, size);
    copy[size] = 0;
    return copy;
}

ployi_btf_attr *ployi_bt_file_attr(const ploy_bt_file *file, const ployi_btf_item *item,
                                   const char *name) {
    for (int32_t i = 0; i < item->attr_count; i++) {
        ployi_btf_attr *attr = PLOYI_BT_FILE_AT(file, attr, item->first_attr + i);
        if (strcmp(attr->name, name) == 0) return attr;
    }
    return NULL;
}

bool ployi_bt_file_flag(ploy_bt_file *file, const ployi_btf_attr *attr, bool otherwise) {
    ploy_value value;
    if (attr == NULL) return otherwise;
    if (ploy_value_parse(PLOY_VALUE_BOOL, attr->value, &value) == PLOY_OK) return value.as.b;
    ployi_bt_file_fault(file, attr->place, PLOY_ERR_FORMAT, "invalid bool", attr->value,
                        "true or false", NULL);
    return otherwise;
}

// ---- life ----

static ploy_bt_file *bt_file_open(const ploy_bt_file_def *def, const ploy_env *env,
                                  ploy_diags *diags) {
    ploy_bt_file *file = ploy_env_alloc_zero(env, sizeof *file);
    if (file == NULL) return NULL;
    file->env = *env;
    file->def = def;
    file->diags = diags;
    file->main = -1;
    ploy_array_init(&file->sources, sizeof(ployi_btf_source), env);
    ploy_array_init(&file->items, sizeof(ployi_btf_item), env);
    ploy_array_init(&file->attrs, sizeof(ployi_btf_attr), env);
    ploy_array_init(&file->trees, sizeof(ployi_btf_tree), env);
    ploy_array_init(&file->keys, sizeof(ployi_btf_key), env);
    ploy_array_init(&file->models, sizeof(ployi_btf_model), env);
    ploy_array_init(&file->model_ports, sizeof(ployi_btf_model_port), env);
    ploy_array_init(&file->scripts, sizeof(ployi_btf_script), env);
    ploy_array_init(&file->leaves, sizeof(ploy_bt_file_leaf), env);
    ploy_array_init(&file->order, sizeof(int32_t), env);
    ploy_array_init(&file->binds, sizeof(ploy_bt_bind), env);
    ploy_map_init(&file->words, sizeof(int32_t), env);
    ploy_map_init(&file->ids, sizeof(int32_t), env);
    if (ploy_arena_create(0, 0, env, &file->arena) == PLOY_OK) return file;
    ploy_env_free(env, file, sizeof *file);
    return NULL;
}

void ploy_bt_file_destroy(ploy_bt_file *file) {
    if (file == NULL) return;
    // A tree holds copies of its sub-trees, but layouts and expressions of theirs.
    for (int32_t i = 0; i < file->trees.count; i++) {
        ploy_bt_destroy(PLOYI_BT_FILE_AT(file, tree, i)->bt);
    }
    for (int32_t i = 0; i < file->trees.count; i++) {
        ployi_btf_tree *tree = PLOYI_BT_FILE_AT(file, tree, i);
        ploy_blackboard_layout_destroy(tree->own);
        ploy_map_fini(&tree->by_name);
        ploy_array_fini(&tree->keys);
    }
    for (int32_t i = 0; i < file->scripts.count; i++) {
        ploy_expression_destroy(PLOYI_BT_FILE_AT(file, script, i)->expression);
    }
    ploy_conditions_destroy(file->functions);
    for (int32_t i = 0; i < file->sources.count; i++) {
        ploy_xml_destroy(PLOYI_BT_FILE_AT(file, source, i)->xml);
        ploy_json_destroy(PLOYI_BT_FILE_AT(file, source, i)->json);
    }
    ploy_array *arrays[] = {&file->sources, &file->items,       &file->attrs,   &file->trees,
                            &file->keys,    &file->models,      &file->scripts, &file->leaves,
                            &file->order,   &file->model_ports, &file->binds};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) ploy_array_fini(arrays[i]);
    ploy_map_fini(&file->words);
    ploy_map_fini(&file->ids);
    ploy_arena_destroy(file->arena);
    ploy_env env = file->env;
    ploy_env_free(&env, file, sizeof *file);
}

static bool bt_file_tables_fine(const ploy_bt_file_def *def) {
    if (def->leaf_count < 0 || (def->leaf_count > 0 && def->leaves == NULL)) return false;
    if (def->constant_count < 0 || (def->constant_count > 0 && def->constants == NULL)) {
        return false;
    }
    if (def->key_count < 0 || (def->key_count > 0 && def->keys == NULL)) return false;
    for (int32_t i = 0; i < def->leaf_count; i++) {
        if (def->leaves[i].leaf == NULL || def->leaves[i].leaf->name == NULL) return false;
    }
    for (int32_t i = 0; i < def->key_count; i++) {
        if (def->keys[i].name == NULL) return false;
    }
    if (def->maker_count < 0 || (def->maker_count > 0 && def->makers == NULL)) return false;
    for (int32_t i = 0; i < def->maker_count; i++) {
        if (def->makers[i].name == NULL || ploy_maker_is_none(def->makers[i].maker)) return false;
    }
    if (def->word_count < 0 || (def->word_count > 0 && def->words == NULL)) return false;
    // A layout is complete: there is no place for further keys.
    if (def->layout != NULL && def->key_count > 0) return false;
    return true;
}

// The functions that scripts may call.
static ploy_result bt_file_functions(ploy_bt_file *file) {
    if (file->def->word_count == 0) return PLOY_OK;
    ploy_result result = ploy_conditions_create(NULL, &file->env, &file->functions);
    if (result != PLOY_OK) return result;
    return ploy_conditions_register_words(file->functions, file->def->words, file->def->word_count);
}

ploy_result ploy_bt_file_load(const void *bytes, size_t size, const char *name,
                              const ploy_bt_file_def *def, const ploy_env *env, ploy_diags *diags,
                              ploy_bt_file **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL || name == NULL || (bytes == NULL && size > 0)) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_bt_file_fields(), def, env);
    if (result != PLOY_OK) return result;
    if (!bt_file_tables_fine(def)) return PLOY_ERR_ARGUMENT;
    ploy_bt_file *file = bt_file_open(def, env, diags);
    if (file == NULL) return PLOY_ERR_MEMORY;
    result = bt_file_functions(file);
    if (result != PLOY_OK) {
        ploy_bt_file_destroy(file);
        return result;
    }
    ployi_bt_file_read(file, size > 0 ? bytes : "", size, name);
    // What follows looks at all that was read, so that all faults are reported at once. Only text that
    // could not be read at all, or memory, ends it early.
    if (file->sources.count > 0 && file->result != PLOY_ERR_MEMORY) ployi_bt_file_check(file);
    if (file->order.count > 0 && file->result != PLOY_ERR_MEMORY) ployi_bt_file_keys(file);
    if (file->result == PLOY_OK) ployi_bt_file_build(file);
    if (file->result != PLOY_OK) {
        result = file->result;
        ploy_bt_file_destroy(file);
        return result;
    }
    ployi_bt_file_doubt(file);
    ploy_array_fini(&file->binds);
    ploy_map_fini(&file->words);
    file->def = NULL;
    file->diags = NULL;
    *out = file;
    return PLOY_OK;
}

// ---- lookup ----

const ploy_bt *ploy_bt_file_at(const ploy_bt_file *file, int32_t index) {
    if (index < 0 || index >= file->trees.count) return NULL;
    return PLOYI_BT_FILE_AT(file, tree, index)->bt;
}

int32_t ploy_bt_file_count(const ploy_bt_file *file) {
    return file->trees.count;
}

const ploy_bt *ploy_bt_file_main(const ploy_bt_file *file) {
    return ploy_bt_file_at(file, file->main);
}

const ploy_bt *ploy_bt_file_find(const ploy_bt_file *file, const char *id) {
    const int32_t *index = id != NULL ? ploy_map_find_text(&file->ids, id) : NULL;
    return index != NULL ? ploy_bt_file_at(file, *index) : NULL;
}

const ploy_blackboard_layout *ploy_bt_file_layout(const ploy_bt_file *file, const ploy_bt *bt) {
    for (int32_t i = 0; i < file->trees.count && bt != NULL; i++) {
        const ployi_btf_tree *tree = PLOYI_BT_FILE_AT(file, tree, i);
        if (tree->bt == bt) return tree->layout;
    }
    return NULL;
}

void ploy_bt_file_memory(const ploy_bt_file *file, ploy_memory_fn fn, void *user) {
    ploy_memory_item item = {"bt_file", sizeof *file, 1};
    fn(user, &item);
    for (int32_t i = 0; i < file->sources.count; i++) {
        const ployi_btf_source *source = PLOYI_BT_FILE_AT(file, source, i);
        if (source->xml != NULL) ploy_xml_memory(source->xml, fn, user);
        if (source->json != NULL) ploy_json_memory(source->json, fn, user);
    }
    const ploy_array *arrays[] = {&file->sources, &file->items,      &file->attrs,   &file->trees,
                                  &file->keys,    &file->models,     &file->scripts, &file->leaves,
                                  &file->order,   &file->model_ports};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        ploy_array_memory(arrays[i], fn, user);
    }
    ploy_map_memory(&file->ids, fn, user);
    ploy_arena_memory(file->arena, fn, user);
}
