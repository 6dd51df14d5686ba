// The action book: what characters can do, as a definition; described in the header.
//
// Invariants of a finished book:
//   (1) nodes lie depth first, and every compound has at least one part;
//   (2) entries are the outermost nodes in order, with names that differ;
//   (3) an entry's resources are those of all its parts, and it interrupts as the header says.
#include <string.h>

#include "action_internal.h"

#include "decide/decide_internal.h"
#include "ploy/base/math.h"

ploy_action_part ploy_action_part_make(const char *name, ploy_action_effect effect,
                                       uint32_t resources) {
    ploy_action_part part;
    memset(&part, 0, sizeof part);
    part.name = name;
    part.effect = effect;
    part.resources = resources;
    return part;
}

ploy_action_terms ploy_action_terms_default(void) {
    ploy_action_terms terms = {0.0f, 0.0f, {0}};
    return terms;
}

ploy_result ploy_action_book_create(const ploy_env *env, ploy_action_book **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_action_book *book = ploy_env_alloc_zero(env, sizeof *book);
    if (book == NULL) return PLOY_ERR_MEMORY;
    ploy_result result = ployi_build_init(&book->build, env);
    if (result != PLOY_OK) {
        ploy_env_free(env, book, sizeof *book);
        return result;
    }
    ploy_array_init(&book->nodes, sizeof(ployi_action_node), env);
    ploy_array_init(&book->entries, sizeof(ployi_action_entry), env);
    *out = book;
    return PLOY_OK;
}

void ploy_action_book_destroy(ploy_action_book *book) {
    if (book == NULL) return;
    ploy_env env = book->build.env;
    ploy_array_fini(&book->nodes);
    ploy_array_fini(&book->entries);
    ployi_build_fini(&book->build);
    ploy_env_free(&env, book, sizeof *book);
}

static ploy_result action_book_fault(ploy_action_book *book, ploy_result code, const char *what,
                                     const char *name) {
    if (book->build.finished) return PLOY_ERR_STATE;
    return ployi_build_fault(&book->build, code, what, name);
}

static bool action_book_part_is_fine(const ploy_action_part *part) {
    if ((uint32_t)part->effect >= PLOY_ACTION_EFFECT_COUNT) return false;
    if ((part->flags & ~(uint32_t)PLOY_ACTION_MOVE_FIRST) != 0) return false;
    // Written so that NaN is refused.
    if (!(part->seconds >= 0.0f && part->seconds <= 1e9f)) return false;
    return ploy_is_finite(part->position.x) && ploy_is_finite(part->position.y) &&
           ploy_is_finite(part->position.z) && part->reach >= 0.0f && ploy_is_finite(part->reach);
}

// Adds a node, and an entry if it is an outermost one.
static ploy_result action_book_node(ploy_action_book *book, const ploy_action_part *part,
                                    int32_t join) {
    if (!ployi_build_open(&book->build)) {
        return book->build.finished ? PLOY_ERR_STATE : book->build.result;
    }
    if (book->nodes.count >= PLOY_ACTION_PARTS_MAX) {
        return action_book_fault(book, PLOY_ERR_LIMIT, "too many parts at", part->name);
    }
    ployi_action_node node;
    memset(&node, 0, sizeof node);
    node.part = *part;
    node.name = ployi_build_name(&book->build, "invalid action name", part->name);
    if (part->style != NULL && part->style[0] != '\0') {
        node.style = ployi_build_name(&book->build, "invalid style", part->style);
    }
    if (book->build.result != PLOY_OK) return book->build.result;
    node.part.name = ployi_build_text(&book->build, node.name);
    node.part.style = ployi_build_text(&book->build, node.style);
    node.end = book->nodes.count + 1;
    node.join = join;
    if (book->depth == 0) {
        if (ploy_action_book_find(book, node.name) >= 0) {
            return action_book_fault(book, PLOY_ERR_EXISTS, "duplicate action", part->name);
        }
        ployi_action_entry entry;
        memset(&entry, 0, sizeof entry);
        entry.name = node.name;
        entry.terms = ploy_action_terms_default();
        entry.node = book->nodes.count;
        if (ploy_array_push(&book->entries, &entry) != PLOY_OK) {
            return action_book_fault(book, PLOY_ERR_MEMORY, "out of memory for", part->name);
        }
    }
    if (ploy_array_push(&book->nodes, &node) != PLOY_OK) {
        return action_book_fault(book, PLOY_ERR_MEMORY, "out of memory for", part->name);
    }
    return PLOY_OK;
}

ploy_result ploy_action_book_open(ploy_action_book *book, const char *name, ploy_action_join join) {
    if (book == NULL) return PLOY_ERR_ARGUMENT;
    if (join != PLOY_ACTION_SEQUENCE && join != PLOY_ACTION_TOGETHER) {
        return action_book_fault(book, PLOY_ERR_ARGUMENT, "missing style of compound", name);
    }
    if (book->depth >= PLOY_ACTION_DEPTH_MAX) {
        return action_book_fault(book, PLOY_ERR_LIMIT, "actions are nested too deeply at", name);
    }
    ploy_action_part part = ploy_action_part_make(name, PLOY_ACTION_MOVE, 0);
    ploy_result result = action_book_node(book, &part, (int32_t)join);
    if (result == PLOY_OK) book->open[book->depth++] = book->nodes.count - 1;
    return result;
}

ploy_result ploy_action_book_close(ploy_action_book *book) {
    if (book == NULL) return PLOY_ERR_ARGUMENT;
    if (!ployi_build_open(&book->build)) {
        return book->build.finished ? PLOY_ERR_STATE : book->build.result;
    }
    if (book->depth == 0) {
        return action_book_fault(book, PLOY_ERR_STATE, "unexpected close after", "");
    }
    ployi_action_node *node =
        PLOY_ARRAY_AT(&book->nodes, ployi_action_node, book->open[book->depth - 1]);
    if (book->open[book->depth - 1] == book->nodes.count - 1) {
        return action_book_fault(book, PLOY_ERR_STATE, "empty compound",
                                 node->part.name); // keeps (1)
    }
    node->end = book->nodes.count;
    book->depth--;
    return PLOY_OK;
}

ploy_result ploy_action_book_add(ploy_action_book *book, const ploy_action_part *part) {
    if (book == NULL) return PLOY_ERR_ARGUMENT;
    if (part == NULL || !action_book_part_is_fine(part)) {
        return action_book_fault(book, PLOY_ERR_ARGUMENT, "invalid settings of part",
                                 part != NULL ? part->name : NULL);
    }
    return action_book_node(book, part, -1);
}

ploy_result ployi_action_book_set_terms(ploy_action_book *book, const ploy_action_terms *terms) {
    if (book == NULL) return PLOY_ERR_ARGUMENT;
    if (!ployi_build_open(&book->build)) {
        return book->build.finished ? PLOY_ERR_STATE : book->build.result;
    }
    if (terms == NULL || book->entries.count == 0 || !ploy_is_finite(terms->priority) ||
        !(terms->patience >= 0.0f && terms->patience <= 1e9f)) {
        return action_book_fault(book, PLOY_ERR_ARGUMENT, "invalid terms", NULL);
    }
    PLOY_ARRAY_AT(&book->entries, ployi_action_entry, book->entries.count - 1)->terms = *terms;
    return PLOY_OK;
}

ploy_result ploy_action_book_set_both(ploy_action_book *book, ploy_action_both_fn both,
                                      void *user) {
    if (book == NULL) return PLOY_ERR_ARGUMENT;
    if (book->build.finished) return PLOY_ERR_STATE;
    book->both = both;
    book->both_user = user;
    return PLOY_OK;
}

// A sequence asks its first part only: what comes later may not push before it is its turn.
static bool action_book_node_interrupts(const ploy_action_book *book, int32_t at) {
    const ployi_action_node *node = ployi_action_node_at(book, at);
    if (node->join < 0) return node->part.interrupts;
    for (int32_t i = at + 1; i < node->end; i = ployi_action_node_at(book, i)->end) {
        if (action_book_node_interrupts(book, i)) return true;
        if (node->join == PLOY_ACTION_SEQUENCE) return false;
    }
    return false;
}

ploy_result ploy_action_book_finish(ploy_action_book *book) {
    if (book == NULL) return PLOY_ERR_ARGUMENT;
    if (book->build.finished) return PLOY_ERR_STATE;
    if (book->build.result != PLOY_OK) return book->build.result;
    if (book->depth > 0) {
        return action_book_fault(book, PLOY_ERR_STATE, "unclosed compound",
                                 ployi_action_node_at(book, book->open[0])->part.name);
    }
    for (int32_t i = 0; i < book->entries.count; i++) {
        ployi_action_entry *entry = PLOY_ARRAY_AT(&book->entries, ployi_action_entry, i);
        int32_t end = ployi_action_node_at(book, entry->node)->end;
        entry->interrupts = action_book_node_interrupts(book, entry->node);
        for (int32_t j = entry->node; j < end; j++) {
            entry->resources |= ployi_action_node_at(book, j)->part.resources; // keeps (3)
        }
        if (end - entry->node > book->most_parts) book->most_parts = end - entry->node;
    }
    book->build.finished = true;
    return PLOY_OK;
}

int32_t ployi_action_book_count(const ploy_action_book *book) {
    return book != NULL ? book->entries.count : 0;
}

static const ployi_action_entry *action_book_entry(const ploy_action_book *book, int32_t action) {
    return book != NULL ? PLOY_ARRAY_AT(&book->entries, const ployi_action_entry, action) : NULL;
}

const char *ploy_action_book_name(const ploy_action_book *book, int32_t action) {
    const ployi_action_entry *entry = action_book_entry(book, action);
    return entry != NULL ? ployi_build_text(&book->build, entry->name) : NULL;
}

int32_t ploy_action_book_find(const ploy_action_book *book, ploy_name name) {
    for (int32_t i = 0; i < ployi_action_book_count(book); i++) {
        if (ploy_name_equal(ployi_action_entry_at(book, i)->name, name)) return i;
    }
    return -1;
}

ploy_action_terms ployi_action_book_terms(const ploy_action_book *book, int32_t action) {
    const ployi_action_entry *entry = action_book_entry(book, action);
    return entry != NULL ? entry->terms : ploy_action_terms_default();
}

int32_t ployi_action_book_parts(const ploy_action_book *book, int32_t action) {
    const ployi_action_entry *entry = action_book_entry(book, action);
    return entry != NULL ? ployi_action_node_at(book, entry->node)->end - entry->node : 0;
}

bool ployi_action_book_interrupts(const ploy_action_book *book, int32_t action) {
    const ployi_action_entry *entry = action_book_entry(book, action);
    return entry != NULL && entry->interrupts;
}

bool ployi_action_book_both(const ploy_action_book *book, int32_t a, int32_t b) {
    const ployi_action_entry *one = action_book_entry(book, a);
    const ployi_action_entry *other = action_book_entry(book, b);
    if (one == NULL || other == NULL) return false;
    // Resources of all parts are disjoint exactly if those of every pair are.
    if (book->both == NULL) return (one->resources & other->resources) == 0;
    int32_t one_end = ployi_action_node_at(book, one->node)->end;
    int32_t other_end = ployi_action_node_at(book, other->node)->end;
    for (int32_t i = one->node; i < one_end; i++) {
        const ployi_action_node *first = ployi_action_node_at(book, i);
        if (first->join >= 0) continue;
        for (int32_t j = other->node; j < other_end; j++) {
            const ployi_action_node *second = ployi_action_node_at(book, j);
            if (second->join >= 0) continue;
            if (!book->both(book->both_user, &first->part, &second->part) ||
                !book->both(book->both_user, &second->part, &first->part)) {
                return false;
            }
        }
    }
    return true;
}
