// Loading by a visitor: where it is in the file, and how a failed load is undone.
//
// Every write is noted first: the bytes that were there, then their address and size, in one array
// that is read from its end. A fault does not stop the visitor, so that several are reported, but
// from the first one on nothing is written any more, and in the end all notes are played back.
// (Checking first and writing afterwards would be simpler to undo, but then a visitor could not
// look at the counts and kinds that it has just loaded.)
#include <string.h>

#include "base/base_internal.h"
#include "base/visit_internal.h"

typedef struct visit_undo {
    void *address;
    size_t size;
} visit_undo;

typedef struct visit_after {
    void (*fn)(void *object);
    void *object;
} visit_after;

// A block that a load replaced.
typedef struct visit_block {
    ploy_env env;
    void *old, *fresh;
    size_t old_size, new_size;
} visit_block;

void ployi_visit_load_init(ployi_visit_load *load, const ploy_json *doc, ploy_json_node node,
                           const ploy_env *env, ploy_diags *diags, bool known) {
    load->doc = doc;
    load->diags = diags;
    load->result = PLOY_OK;
    load->known = known;
    load->undoes = !known;
    ploy_array_init(&load->undo, 1, env);
    ploy_array_init(&load->seen, sizeof(uint32_t), env);
    ploy_array_init(&load->after, sizeof(visit_after), env);
    ploy_array_init(&load->blocks, sizeof(visit_block), env);
    load->depth = 0;
    ployi_visit_level root = {node, 0, 0};
    load->levels[0] = root;
}

static void visit_undo_all(ployi_visit_load *load) {
    const char *bytes = load->undo.items;
    size_t left = (size_t)load->undo.count;
    while (left > 0) {
        visit_undo note;
        left -= sizeof note;
        memcpy(&note, bytes + left, sizeof note);
        left -= note.size;
        memcpy(note.address, bytes + left, note.size);
    }
}

ploy_result ployi_visit_load_finish(ployi_visit_load *load) {
    if (load->result != PLOY_OK && load->undoes) visit_undo_all(load);
    const visit_after *after = PLOY_ARRAY_ITEMS(&load->after, visit_after);
    for (int32_t i = 0; i < load->after.count; i++) after[i].fn(after[i].object);
    const visit_block *blocks = PLOY_ARRAY_ITEMS(&load->blocks, visit_block);
    bool kept = load->result == PLOY_OK || !load->undoes;
    for (int32_t i = 0; i < load->blocks.count; i++) {
        ploy_env_free(&blocks[i].env, kept ? blocks[i].old : blocks[i].fresh,
                      kept ? blocks[i].old_size : blocks[i].new_size);
    }
    ploy_array_fini(&load->blocks);
    ploy_array_fini(&load->undo);
    ploy_array_fini(&load->seen);
    ploy_array_fini(&load->after);
    return load->result;
}

bool ploy_visit_is_ok(const ploy_visit *v) {
    return v->mode != PLOY_VISIT_LOAD || v->load->result == PLOY_OK;
}

bool ploy_visit_tolerate(ploy_visit *v, bool tolerate) {
    if (v->mode != PLOY_VISIT_LOAD || !v->load->undoes) return tolerate;
    bool before = v->load->known;
    v->load->known = tolerate;
    return before;
}

bool ploy_visit_result(ploy_visit *v, ploy_result result) {
    if (v->mode == PLOY_VISIT_LOAD && result < PLOY_OK && v->load->result == PLOY_OK) {
        v->load->result = result;
    }
    return result >= PLOY_OK;
}

void ploy_visit_write(ploy_visit *v, void *to, const void *from, size_t size) {
    if (v->mode != PLOY_VISIT_LOAD || v->load->result != PLOY_OK || size == 0) return;
    if (v->load->undoes) {
        visit_undo note = {to, size};
        ploy_array *undo = &v->load->undo;
        if (size > (size_t)INT32_MAX / 2) {
            ploy_visit_result(v, PLOY_ERR_LIMIT);
            return;
        }
        int32_t before = undo->count;
        ploy_result result = ploy_array_push_many(undo, to, (int32_t)size);
        if (result == PLOY_OK) result = ploy_array_push_many(undo, &note, (int32_t)sizeof note);
        if (result != PLOY_OK) {
            undo->count = before;
            ploy_visit_result(v, result);
            return;
        }
    }
    memmove(to, from, size);
}

bool ploy_visit_replace(ploy_visit *v, const ploy_env *env, void *block, size_t old_size,
                        size_t new_size) {
    if (v->mode != PLOY_VISIT_LOAD || v->load->result != PLOY_OK) return false;
    visit_block note = {*env, NULL, NULL, old_size, new_size};
    memcpy(&note.old, block, sizeof note.old);
    if (new_size > 0) note.fresh = ploy_env_alloc_zero(env, new_size);
    bool made = new_size == 0 || note.fresh != NULL;
    if (made && ploy_array_push(&v->load->blocks, &note) == PLOY_OK) {
        ploy_visit_write(v, block, &note.fresh, sizeof note.fresh);
        // Without memory for the note of the write, the new block is freed at the end.
        return v->load->result == PLOY_OK;
    }
    ploy_env_free(env, note.fresh, new_size);
    return ploy_visit_result(v, PLOY_ERR_MEMORY);
}

void ploy_visit_after(ploy_visit *v, void (*fn)(void *object), void *object) {
    if (v->mode != PLOY_VISIT_LOAD) return;
    visit_after after = {fn, object};
    ploy_visit_result(v, ploy_array_push(&v->load->after, &after));
}

void ployi_visit_fault(ploy_visit *v, ploy_json_node node, const char *message,
                       const char *expected) {
    ployi_visit_load *load = v->load;
    ploy_json_position at = ploy_json_position_of(load->doc, node);
    ploy_severity severity = load->known ? PLOY_SEVERITY_WARNING : PLOY_SEVERITY_ERROR;
    ploy_diags_add(load->diags, severity, PLOY_ERR_FORMAT, ploy_json_name(load->doc), at.line,
                   at.column, message, expected, NULL);
    if (!load->known) ploy_visit_result(v, PLOY_ERR_FORMAT);
}

// "missing 'cursor'"
static void visit_fault_key(ploy_visit *v, ploy_json_node node, const char *what, const char *key) {
    char message[PLOY_DIAG_TEXT_MAX];
    ployi_text text;
    ployi_text_init(&text, message, sizeof message);
    ploy_writer writer = ployi_text_writer(&text);
    ploy_write_text(&writer, what);
    ploy_write_text(&writer, " '");
    ploy_write_text(&writer, key);
    ploy_write_char(&writer, '\'');
    ployi_text_finish(&text);
    ployi_visit_fault(v, node, message, NULL);
}

bool ploy_visit_check(ploy_visit *v, bool ok, const char *message, const char *expected) {
    // What was not loaded because of an earlier fault may be inconsistent: one message is enough.
    if (ok || v->mode != PLOY_VISIT_LOAD || v->load->result != PLOY_OK) return ok;
    ployi_visit_fault(v, v->load->levels[v->load->depth].node, message, expected);
    if (v->load->known) ploy_visit_result(v, PLOY_ERR_FORMAT); // an inconsistent object is no use
    return ok;
}

bool ployi_visit_find(ploy_visit *v, const char *name, ploy_mark mark, ploy_json_node *node) {
    ployi_visit_load *load = v->load;
    ployi_visit_level *level = &load->levels[load->depth];
    const char *key = v->key != NULL ? v->key : name;
    v->key = NULL;
    if (ploy_json_is_none(level->node)) return false; // reported where it was opened
    *node = v->in_array ? ploy_json_at(load->doc, level->node, level->next++)
                        : ploy_json_member(load->doc, level->node, key);
    if (ploy_json_is_none(*node)) {
        if (mark != PLOY_NOTE && !load->known) {
            visit_fault_key(v, level->node, v->in_array ? "missing item" : "missing", key);
        }
        return false;
    }
    if (!v->in_array && !load->known) {
        ploy_visit_result(v, ploy_array_push(&load->seen, &node->index));
    }
    return true;
}

void ployi_visit_load_push(ploy_visit *v, ploy_json_node node) {
    ployi_visit_load *load = v->load;
    ployi_visit_level level = {node, 0, load->seen.count};
    load->levels[++load->depth] = level;
}

static bool visit_was_seen(const ployi_visit_load *load, int32_t from, uint32_t index) {
    const uint32_t *seen = PLOY_ARRAY_ITEMS(&load->seen, uint32_t);
    for (int32_t i = from; i < load->seen.count; i++) {
        if (seen[i] == index) return true;
    }
    return false;
}

void ployi_visit_load_pop(ploy_visit *v, bool is_array) {
    ployi_visit_load *load = v->load;
    ployi_visit_level level = load->levels[load->depth];
    int32_t count = ploy_json_count(load->doc, level.node);
    // With faults, members may be unvisited because of them.
    if (!load->known && load->result == PLOY_OK) {
        int32_t visited = is_array ? level.next : load->seen.count - level.seen;
        for (int32_t i = 0; i < count && !is_array && visited != count; i++) {
            ploy_json_node member = ploy_json_at(load->doc, level.node, i);
            if (visit_was_seen(load, level.seen, member.index)) continue;
            visit_fault_key(v, member, "unknown member", ploy_json_key(load->doc, member, NULL));
        }
        if (is_array && level.next < count) {
            ployi_visit_fault(v, level.node, "list is too long", NULL);
        }
    }
    load->seen.count = level.seen;
    if (load->depth > 0) load->depth--;
}

ploy_json_writer *ploy_visit_writer(ploy_visit *v, const char *name) {
    if (v->mode != PLOY_VISIT_SAVE) return NULL;
    ployi_visit_write_key(v, name);
    return v->json;
}

bool ploy_visit_reader(ploy_visit *v, const char *name, const ploy_json **doc, ploy_json_node *node,
                       ploy_diags **diags) {
    if (v->mode != PLOY_VISIT_LOAD) return false;
    if (!ployi_visit_find(v, name, PLOY_STATE, node)) return false;
    if (doc != NULL) *doc = v->load->doc;
    if (diags != NULL) *diags = v->load->diags;
    return true;
}
