// What is in a behavior-tree document: which node is what, names, numbers of children, models,
// and that no tree holds itself.
#include <stdio.h>
#include <string.h>

#include "data/bt_file_internal.h"

// ---- words ----

static void bt_check_word(ploy_bt_file *file, const char *name, int32_t code) {
    if (ploy_map_find_text(&file->words, name) != NULL) return; // the first one counts
    ploy_result result = ploy_map_put_text(&file->words, name, &code);
    if (result == PLOY_ERR_MEMORY) ployi_bt_file_memory(file);
}

// Kinds that no file names: what needs functions of the game, and what the builder makes of the
// game's leaves and behaviors, which have separate names.
static bool bt_check_is_word(ploy_bt_kind kind) {
    return kind != PLOY_BT_LEAF && kind != PLOY_BT_CONTROL && kind != PLOY_BT_BEHAVIOR &&
           kind != PLOY_BT_SWITCH && kind != PLOY_BT_LOOP && kind != PLOY_BT_UTILITY_FALLBACK &&
           kind != PLOY_BT_BLACKBOARD_SCOPE;
}

static const struct {
    const char *name;
    ploy_bt_kind kind;
} bt_check_others[] = {
    {"SequenceStar", PLOY_BT_SEQUENCE_WITH_MEMORY},
    {"Switch2", PLOY_BT_SWITCH},
    {"Switch3", PLOY_BT_SWITCH},
    {"Switch4", PLOY_BT_SWITCH},
    {"Switch5", PLOY_BT_SWITCH},
    {"Switch6", PLOY_BT_SWITCH},
    {"LoopInt", PLOY_BT_LOOP},
    {"LoopDouble", PLOY_BT_LOOP},
    {"LoopBool", PLOY_BT_LOOP},
    {"LoopString", PLOY_BT_LOOP},
};

enum { BT_CHECK_OTHERS = sizeof bt_check_others / sizeof bt_check_others[0] };

static void bt_check_words(ploy_bt_file *file) {
    for (int32_t i = 0; i < PLOY_BT_KIND_COUNT; i++) {
        if (bt_check_is_word((ploy_bt_kind)i)) {
            bt_check_word(file, ploy_bt_kind_text((ploy_bt_kind)i), i);
        }
    }
    for (int32_t i = 0; i < BT_CHECK_OTHERS; i++) {
        bt_check_word(file, bt_check_others[i].name, (int32_t)bt_check_others[i].kind);
    }
    if (ploy_array_push_many(&file->leaves, file->def->leaves, file->def->leaf_count) != PLOY_OK) {
        ployi_bt_file_memory(file);
        return;
    }
    for (int32_t i = 0; i < file->def->leaf_count; i++) {
        bt_check_word(file, file->def->leaves[i].leaf->name, PLOYI_BT_FILE_LEAF + i);
    }
    for (int32_t i = 0; i < file->def->maker_count; i++) {
        bt_check_word(file, file->def->makers[i].name, PLOYI_BT_FILE_MAKER + i);
    }
}

static const char *bt_check_nearest(const ploy_bt_file *file, const char *type) {
    ploy_nearest nearest = ploy_nearest_make(type);
    for (int32_t i = 0; i < PLOY_BT_KIND_COUNT; i++) {
        if (bt_check_is_word((ploy_bt_kind)i)) {
            ploy_nearest_offer(&nearest, ploy_bt_kind_text((ploy_bt_kind)i));
        }
    }
    for (int32_t i = 0; i < BT_CHECK_OTHERS; i++) {
        ploy_nearest_offer(&nearest, bt_check_others[i].name);
    }
    for (int32_t i = 0; i < file->leaves.count; i++) {
        ploy_nearest_offer(&nearest,
                           PLOY_ARRAY_AT(&file->leaves, ploy_bt_file_leaf, i)->leaf->name);
    }
    for (int32_t i = 0; i < file->def->maker_count; i++) {
        ploy_nearest_offer(&nearest, file->def->makers[i].name);
    }
    return nearest.best;
}

// Asks the game for a leaf that is in no table. The code of the word, or -1.
static int32_t bt_check_ask(ploy_bt_file *file, const ployi_btf_item *item) {
    ploy_bt_file_leaf found = {NULL, NULL, false};
    if (file->def->find == NULL) return -1;
    ploy_result result = file->def->find(file->def->find_user, item->type, &found);
    if (result == PLOY_ERR_MEMORY) ployi_bt_file_memory(file);
    if (result != PLOY_OK || found.leaf == NULL || found.leaf->name == NULL) return -1;
    int32_t code = PLOYI_BT_FILE_LEAF + file->leaves.count;
    if (ploy_array_push(&file->leaves, &found) != PLOY_OK) {
        ployi_bt_file_memory(file);
        return -1;
    }
    bt_check_word(file, item->type, code);
    return code;
}

static void bt_check_type(ploy_bt_file *file, ployi_btf_item *item) {
    const int32_t *known = ploy_map_find_text(&file->words, item->type);
    int32_t code = known != NULL ? *known : bt_check_ask(file, item);
    if (code < 0) {
        if (file->result != PLOY_ERR_MEMORY && item->type[0] != 0) {
            ployi_bt_file_fault(file, item->place, PLOY_ERR_NOT_FOUND, "unknown node", item->type,
                                NULL, bt_check_nearest(file, item->type));
        }
        return;
    }
    if (code < PLOYI_BT_FILE_LEAF) {
        item->kind = code;
    } else if (code >= PLOYI_BT_FILE_MAKER) {
        item->leaf = code - PLOYI_BT_FILE_MAKER;
        item->kind = PLOY_BT_BEHAVIOR;
    } else {
        item->leaf = code - PLOYI_BT_FILE_LEAF;
        bool control =
            PLOY_ARRAY_AT(&file->leaves, ploy_bt_file_leaf, item->leaf)->leaf->choose != NULL;
        item->kind = control ? PLOY_BT_CONTROL : PLOY_BT_LEAF;
    }
}

// ---- names ----

// True if the text may name a tree or a port: BehaviorTree.CPP makes paths of them.
static bool bt_check_identifier(const char *text, bool port) {
    unsigned char first = (unsigned char)text[0];
    bool letter = (first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z') || first >= 0x80;
    if (first == 0 || (port && !letter)) return false;
    for (const char *at = text; *at != 0; at++) {
        if ((unsigned char)*at <= ' ' || strchr(".<>&\"'/\\:*?|", *at) != NULL) return false;
    }
    return true;
}

static bool bt_check_port_name(const char *name) {
    return name != NULL && bt_check_identifier(name, true) && strcmp(name, "ID") != 0 &&
           strcmp(name, "name") != 0;
}

static void bt_check_name(ploy_bt_file *file, const ployi_btf_item *item) {
    for (const char *at = item->name; at != NULL && *at != 0; at++) {
        if ((unsigned char)*at >= ' ' && *at != '/' && *at != 0x7f) continue;
        ployi_bt_file_fault(file, item->place, PLOY_ERR_FORMAT, "invalid name", item->name, NULL,
                            NULL);
        return;
    }
}

static void bt_check_ids(ploy_bt_file *file) {
    for (int32_t i = 0; i < file->trees.count; i++) {
        const ployi_btf_tree *tree = PLOYI_BT_FILE_AT(file, tree, i);
        bool reserved = strcmp(tree->id, "root") == 0 || strcmp(tree->id, "Root") == 0;
        if (!tree->named && file->trees.count > 1) {
            ployi_bt_file_fault(file, tree->place, PLOY_ERR_FORMAT, "missing attribute", "ID", NULL,
                                NULL);
            continue;
        }
        if (reserved || !bt_check_identifier(tree->id, false)) {
            ployi_bt_file_fault(file, tree->place, PLOY_ERR_FORMAT, "invalid tree ID", tree->id,
                                "a name without spaces and dots, other than 'root'", NULL);
            continue;
        }
        if (ploy_map_find_text(&file->ids, tree->id) != NULL) {
            ployi_bt_file_fault(file, tree->place, PLOY_ERR_EXISTS, "duplicate tree ID", tree->id,
                                NULL, NULL);
        } else if (ploy_map_put_text(&file->ids, tree->id, &i) != PLOY_OK) {
            ployi_bt_file_memory(file);
        }
    }
}

static void bt_check_models(ploy_bt_file *file) {
    for (int32_t i = 0; i < file->models.count; i++) {
        const ployi_btf_model *model = PLOYI_BT_FILE_AT(file, model, i);
        if (strcmp(model->category, "SubTree") != 0) continue;
        if (model->id == NULL || model->id[0] == 0) {
            ployi_bt_file_fault(file, model->place, PLOY_ERR_FORMAT, "missing attribute", "ID",
                                NULL, NULL);
        }
        for (int32_t k = 0; k < model->port_count; k++) {
            const ployi_btf_model_port *port =
                PLOYI_BT_FILE_AT(file, model_port, model->first_port + k);
            if (bt_check_port_name(port->name)) continue;
            ployi_bt_file_fault(file, port->place, PLOY_ERR_FORMAT, "invalid port name", port->name,
                                "a letter first, no spaces or dots, other than 'ID' and 'name'",
                                NULL);
        }
    }
}

// ---- nodes ----

static void bt_check_doubt(ploy_bt_file *file, ployi_btf_place place, const char *message,
                           const char *what, const char *expected) {
    char text[PLOY_DIAG_TEXT_MAX];
    snprintf(text, sizeof text, "%s '%.60s'", message, what);
    ploy_diags_add(file->diags, PLOY_SEVERITY_WARNING, PLOY_OK,
                   PLOYI_BT_FILE_AT(file, source, place.source)->name, place.line, place.column,
                   text, expected, NULL);
}

static void bt_check_children(ploy_bt_file *file, ployi_btf_item *item) {
    bool leaf = item->kind >= PLOY_BT_ALWAYS_SUCCESS || item->kind == PLOY_BT_SUBTREE;
    bool decorator = !leaf && item->kind >= PLOY_BT_INVERTER;
    const char *expected = leaf ? "no children" : decorator ? "one child" : "children";
    bool branch = item->kind == PLOY_BT_IF_THEN_ELSE || item->kind == PLOY_BT_WHILE_DO_ELSE;
    if (branch && item->children > 0 && (item->children < 2 || item->children > 3)) {
        // As in BehaviorTree.CPP this ends the step that comes to it, not the load.
        bt_check_doubt(file, item->place, "wrong number of children, an error at run time, in",
                       item->type, "2 or 3 children");
        item->wrong = true;
        return;
    }
    if (leaf ? item->children == 0 : decorator ? item->children == 1 : item->children > 0) return;
    ployi_bt_file_fault(file, item->place, PLOY_ERR_FORMAT, "wrong number of children in",
                        item->type, expected, NULL);
}

// @param names  of the sub-trees before it in its tree.
static void bt_check_subtree(ploy_bt_file *file, ploy_map *names, ployi_btf_item *item) {
    if (item->id == NULL) {
        ployi_bt_file_fault(file, item->place, PLOY_ERR_FORMAT, "missing ID in", "SubTree", NULL,
                            NULL);
        return;
    }
    const int32_t *index = ploy_map_find_text(&file->ids, item->id);
    if (index == NULL) {
        ploy_nearest nearest = ploy_nearest_make(item->id);
        for (int32_t i = 0; i < file->trees.count; i++) {
            ploy_nearest_offer(&nearest, PLOYI_BT_FILE_AT(file, tree, i)->id);
        }
        ployi_bt_file_fault(file, item->place, PLOY_ERR_NOT_FOUND, "unknown tree", item->id, NULL,
                            nearest.best);
        return;
    }
    item->tree = *index;
    PLOYI_BT_FILE_AT(file, tree, *index)->held = true;
    for (int32_t i = 0; i < file->models.count; i++) {
        const ployi_btf_model *model = PLOYI_BT_FILE_AT(file, model, i);
        if (model->id != NULL && strcmp(model->category, "SubTree") == 0 &&
            strcmp(model->id, item->id) == 0) {
            item->model = i;
        }
    }
    bool added = true;
    void *value;
    if (item->name == NULL || item->name[0] == 0) return;
    if (ploy_map_ensure(names, ploy_name_of(item->name).hash, &value, &added) != PLOY_OK) {
        ployi_bt_file_memory(file);
    } else if (!added) {
        ployi_bt_file_fault(file, item->place, PLOY_ERR_EXISTS, "duplicate sub-tree name",
                            item->name, NULL, NULL);
    }
}

static void bt_check_attrs(ploy_bt_file *file, const ployi_btf_item *item) {
    for (int32_t i = 0; i < item->attr_count; i++) {
        const ployi_btf_attr *attr = PLOYI_BT_FILE_AT(file, attr, item->first_attr + i);
        if (attr->name[0] == '_' || bt_check_port_name(attr->name)) continue;
        ployi_bt_file_fault(file, attr->place, PLOY_ERR_FORMAT, "invalid port name", attr->name,
                            NULL, NULL);
    }
}

// Whether a node takes more than one step by itself, as far as that is known here.
static bool bt_check_waits(const ploy_bt_file *file, const ployi_btf_item *item) {
    if (item->kind == PLOY_BT_SLEEP || item->kind == PLOY_BT_DELAY ||
        item->kind == PLOY_BT_WAIT_VALUE_UPDATE || item->kind == PLOY_BT_BEHAVIOR) {
        return true;
    }
    if (item->kind != PLOY_BT_LEAF) return false;
    const ploy_bt_leaf *leaf = PLOY_ARRAY_AT(&file->leaves, ploy_bt_file_leaf, item->leaf)->leaf;
    return leaf->start != NULL || leaf->stop != NULL || leaf->state_size > 0 || leaf->sleeps;
}

// BehaviorTree.CPP refuses a reactive node with more than one asynchronous child: whichever runs is
// halted as soon as one before it runs, which is rarely meant.
static void bt_check_reactive(ploy_bt_file *file, int32_t at) {
    const ployi_btf_item *item = PLOYI_BT_FILE_AT(file, item, at);
    int32_t waits = 0;
    if (item->kind != PLOY_BT_REACTIVE_SEQUENCE && item->kind != PLOY_BT_REACTIVE_FALLBACK) return;
    for (int32_t child = at + 1; child < item->end;
         child = PLOYI_BT_FILE_AT(file, item, child)->end) {
        bool found = false;
        for (int32_t i = child; i < PLOYI_BT_FILE_AT(file, item, child)->end && !found; i++) {
            found = bt_check_waits(file, PLOYI_BT_FILE_AT(file, item, i));
        }
        if (found) waits++;
    }
    if (waits < 2) return;
    bt_check_doubt(file, item->place, "more than one asynchronous child in reactive node",
                   item->name != NULL ? item->name : item->type,
                   "one, as BehaviorTree.CPP requires");
}

static void bt_check_items(ploy_bt_file *file, int32_t tree) {
    int32_t first = PLOYI_BT_FILE_AT(file, tree, tree)->first;
    int32_t end = PLOYI_BT_FILE_AT(file, tree, tree)->end;
    ploy_map names;
    ploy_map_init(&names, 0, &file->env);
    for (int32_t i = first; i < end; i++) {
        ployi_btf_item *item = PLOYI_BT_FILE_AT(file, item, i);
        bt_check_type(file, item);
        bt_check_name(file, item);
        bt_check_attrs(file, item);
        if (item->kind >= 0) bt_check_children(file, item);
        if (item->kind == PLOY_BT_SUBTREE) bt_check_subtree(file, &names, item);
    }
    ploy_map_fini(&names);
}

// ---- order ----

typedef struct bt_check_way {
    int32_t tree, item;
} bt_check_way;

// Goes down from one tree, with an explicit stack: documents may be long.
static void bt_check_descend(ploy_bt_file *file, ploy_array *stack, int32_t start) {
    enum { BT_CHECK_OPEN = 1, BT_CHECK_DONE = 2 };
    bt_check_way way = {start, PLOYI_BT_FILE_AT(file, tree, start)->first};
    if (PLOYI_BT_FILE_AT(file, tree, start)->visit != 0) return;
    PLOYI_BT_FILE_AT(file, tree, start)->visit = BT_CHECK_OPEN;
    if (ploy_array_push(stack, &way) != PLOY_OK) ployi_bt_file_memory(file);
    while (stack->count > 0 && file->result != PLOY_ERR_MEMORY) {
        bt_check_way *top = PLOY_ARRAY_AT(stack, bt_check_way, stack->count - 1);
        ployi_btf_tree *tree = PLOYI_BT_FILE_AT(file, tree, top->tree);
        if (top->item >= tree->end) {
            tree->visit = BT_CHECK_DONE;
            if (ploy_array_push(&file->order, &top->tree) != PLOY_OK) ployi_bt_file_memory(file);
            ploy_array_pop(stack, NULL);
            continue;
        }
        const ployi_btf_item *item = PLOYI_BT_FILE_AT(file, item, top->item++);
        if (item->tree < 0) continue;
        ployi_btf_tree *below = PLOYI_BT_FILE_AT(file, tree, item->tree);
        if (below->visit == BT_CHECK_OPEN) {
            ployi_bt_file_fault(file, item->place, PLOY_ERR_FORMAT,
                                "tree contains itself:", below->id, NULL, NULL);
        } else if (below->visit == 0) {
            below->visit = BT_CHECK_OPEN;
            bt_check_way next = {item->tree, below->first};
            if (ploy_array_push(stack, &next) != PLOY_OK) ployi_bt_file_memory(file);
        }
    }
}

static void bt_check_order(ploy_bt_file *file) {
    ploy_array stack;
    ploy_array_init(&stack, sizeof(bt_check_way), &file->env);
    for (int32_t i = 0; i < file->trees.count; i++) bt_check_descend(file, &stack, i);
    ploy_array_fini(&stack);
}

static void bt_check_main(ploy_bt_file *file) {
    const char *id = file->def->main != NULL ? file->def->main : file->main_id;
    const int32_t *index = ploy_map_find_text(&file->ids, id != NULL ? id : "MainTree");
    if (index != NULL) {
        file->main = *index;
    } else if (id != NULL) {
        ploy_nearest nearest = ploy_nearest_make(id);
        for (int32_t i = 0; i < file->trees.count; i++) {
            ploy_nearest_offer(&nearest, PLOYI_BT_FILE_AT(file, tree, i)->id);
        }
        ployi_bt_file_fault(file, file->main_place, PLOY_ERR_NOT_FOUND, "unknown main tree", id,
                            NULL, nearest.best);
    }
    int32_t tops = 0, top = -1;
    for (int32_t i = 0; i < file->trees.count; i++) {
        ployi_btf_tree *tree = PLOYI_BT_FILE_AT(file, tree, i);
        tree->root = !tree->held || i == file->main;
        if (tree->held) continue;
        top = i;
        tops++;
    }
    if (file->main < 0 && tops == 1) file->main = top;
    for (int32_t i = 0; i < file->trees.count && file->main >= 0; i++) {
        const ployi_btf_tree *tree = PLOYI_BT_FILE_AT(file, tree, i);
        if (tree->held || i == file->main) continue;
        bt_check_doubt(file, tree->place, "unused tree", tree->id, NULL);
    }
}

void ployi_bt_file_doubt(ploy_bt_file *file) {
    for (int32_t i = 0; i < file->items.count; i++) bt_check_reactive(file, i);
}

void ployi_bt_file_check(ploy_bt_file *file) {
    if (file->trees.count == 0) {
        if (file->result != PLOY_OK) return; // the earlier message says why
        ployi_btf_place place = {0, 1, 1};
        ployi_bt_file_fault(file, place, PLOY_ERR_FORMAT, "missing element", "BehaviorTree", NULL,
                            NULL);
        return;
    }
    bt_check_words(file);
    bt_check_ids(file);
    bt_check_models(file);
    for (int32_t i = 0; i < file->trees.count && file->result != PLOY_ERR_MEMORY; i++) {
        bt_check_items(file, i);
    }
    bt_check_main(file);
    if (file->result != PLOY_ERR_MEMORY) bt_check_order(file);
}
