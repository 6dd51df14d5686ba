// Reading PDDL: brackets, words and names.
//
// The file becomes a tree of nodes in one array, without recursion, so that no file can be too
// deep; what is nested deeper than PDDL_DEPTH is a fault. Faults are counted and the reading goes
// on, so that all of them are reported.
#include <string.h>

#include "pddl_reader.h"

enum { PDDL_DEPTH = 64, PDDL_FAULTS_MAX = 50 };

const ployi_pddl_node *ployi_pddl_at(const ployi_pddl_reader *reader, int32_t node) {
    return &PLOY_ARRAY_ITEMS(&reader->nodes, ployi_pddl_node)[node];
}

bool ployi_pddl_is_list(const ployi_pddl_reader *reader, int32_t node) {
    return ployi_pddl_at(reader, node)->size == 0;
}

// A word as text, cut; "" for a list.
const char *ployi_pddl_text(const ployi_pddl_reader *reader, int32_t node,
                            char out[PLOYI_PDDL_WORD_MAX + 1]) {
    const ployi_pddl_node *item = ployi_pddl_at(reader, node);
    size_t size = item->size < PLOYI_PDDL_WORD_MAX ? (size_t)item->size : PLOYI_PDDL_WORD_MAX;
    if (size > 0) memcpy(out, PLOY_ARRAY_ITEMS(&reader->text, char) + item->text, size);
    out[size] = '\0';
    return out;
}

bool ployi_pddl_is(const ployi_pddl_reader *reader, int32_t node, const char *word) {
    const ployi_pddl_node *item = ployi_pddl_at(reader, node);
    size_t size = strlen(word);
    return item->size == (int32_t)size &&
           memcmp(PLOY_ARRAY_ITEMS(&reader->text, char) + item->text, word, size) == 0;
}

// Says what is wrong at a node, with its word and what may have been meant.
void ployi_pddl_fault(ployi_pddl_reader *reader, int32_t node, const char *what,
                      const char *expected, const char *nearest) {
    char word[PLOYI_PDDL_WORD_MAX + 1] = "", message[PLOY_DIAG_TEXT_MAX];
    int32_t line = 1, column = 1; // where nothing is, the beginning of the file
    if (node >= 0) {
        line = ployi_pddl_at(reader, node)->line;
        column = ployi_pddl_at(reader, node)->column;
        (void)ployi_pddl_text(reader, node, word);
    }
    const char *parts[] = {what, word[0] != '\0' ? " '" : "", word, word[0] != '\0' ? "'" : ""};
    size_t used = 0;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        for (const char *c = parts[i]; *c != '\0' && used + 1 < sizeof message; c++) {
            message[used++] = *c;
        }
    }
    message[used] = '\0';
    reader->faults++;
    ploy_diags_add(reader->diags, PLOY_SEVERITY_ERROR, PLOY_ERR_FORMAT, reader->file.name, line,
                   column, message, expected, nearest);
}

bool ployi_pddl_going(const ployi_pddl_reader *reader) {
    return reader->result == PLOY_OK && reader->faults < PDDL_FAULTS_MAX;
}

// Keeps the first trouble with memory.
bool ployi_pddl_kept(ployi_pddl_reader *reader, ploy_result result) {
    if (result != PLOY_OK && reader->result == PLOY_OK) reader->result = result;
    return result == PLOY_OK;
}

// ---- brackets and words

static int32_t pddl_add_node(ployi_pddl_reader *reader, int32_t *last, int32_t parent, int32_t text,
                             int32_t size, int32_t line, int32_t column) {
    ployi_pddl_node node = {-1, -1, text, size, line, column};
    if (!ployi_pddl_kept(reader, ploy_array_push(&reader->nodes, &node))) return -1;
    int32_t index = reader->nodes.count - 1;
    ployi_pddl_node *nodes = PLOY_ARRAY_ITEMS(&reader->nodes, ployi_pddl_node);
    if (*last >= 0) {
        nodes[*last].next = index;
    } else if (parent >= 0) {
        nodes[parent].first = index;
    }
    *last = index;
    return index;
}

static bool pddl_blank(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}

// The whole file under node 0.
void ployi_pddl_scan(ployi_pddl_reader *reader) {
    int32_t parents[PDDL_DEPTH + 1], lasts[PDDL_DEPTH + 1], depth = 0, line = 1, column = 1;
    size_t size = reader->file.size;
    const char *bytes = reader->file.bytes;
    if (size >= (size_t)INT32_MAX / 2) {
        ployi_pddl_fault(reader, -1, "file is too large", NULL, NULL);
        return;
    }
    if (!ployi_pddl_kept(reader, ploy_array_push_many(&reader->text, bytes, (int32_t)size))) return;
    char *text = PLOY_ARRAY_ITEMS(&reader->text, char);
    for (size_t i = 0; i < size; i++) {
        if (text[i] >= 'A' && text[i] <= 'Z') text[i] = (char)(text[i] - 'A' + 'a');
    }
    lasts[0] = -1;
    parents[0] = pddl_add_node(reader, &lasts[0], -1, 0, 0, 1, 1);
    lasts[0] = -1;
    for (size_t at = 0; at < size && ployi_pddl_going(reader);) {
        char c = text[at];
        if (c == '\n') {
            line++;
            column = 1;
            at++;
        } else if (pddl_blank(c)) {
            at++;
            column++;
        } else if (c == ';') {
            while (at < size && text[at] != '\n') at++;
        } else if (c == '(') {
            int32_t list = pddl_add_node(reader, &lasts[depth], parents[depth], 0, 0, line, column);
            if (list < 0) return;
            if (depth == PDDL_DEPTH) {
                ployi_pddl_fault(reader, list, "brackets are nested too deeply", NULL, NULL);
                return;
            }
            depth++;
            parents[depth] = list;
            lasts[depth] = -1;
            at++;
            column++;
        } else if (c == ')') {
            if (depth == 0) {
                int32_t here = pddl_add_node(reader, &lasts[0], parents[0], 0, 0, line, column);
                if (here >= 0) ployi_pddl_fault(reader, here, "unexpected ')'", NULL, NULL);
            } else {
                depth--;
            }
            at++;
            column++;
        } else {
            size_t begin = at;
            while (at < size && !pddl_blank(text[at]) && text[at] != '(' && text[at] != ')' &&
                   text[at] != ';') {
                at++;
            }
            (void)pddl_add_node(reader, &lasts[depth], parents[depth], (int32_t)begin,
                                (int32_t)(at - begin), line, column);
            column += (int32_t)(at - begin);
        }
    }
    if (depth > 0 && ployi_pddl_going(reader)) {
        ployi_pddl_fault(reader, parents[depth], "unclosed '('", ")", NULL);
    }
}

// ---- names

// The name of a word, kept for printing; none after a fault.
ploy_name ployi_pddl_name(ployi_pddl_reader *reader, int32_t node) {
    ploy_name none = {0}, name;
    char word[PLOYI_PDDL_WORD_MAX + 1];
    if (ployi_pddl_is_list(reader, node)) {
        ployi_pddl_fault(reader, node, "unexpected bracket", "a name", NULL);
        return none;
    }
    if (ployi_pddl_at(reader, node)->size > PLOYI_PDDL_WORD_MAX) {
        ployi_pddl_fault(reader, node, "name is longer than 63 characters:", NULL, NULL);
        return none;
    }
    (void)ployi_pddl_text(reader, node, word);
    if (memchr(word, '\0', (size_t)ployi_pddl_at(reader, node)->size) != NULL) {
        ployi_pddl_fault(reader, node, "unexpected zero byte in a name", NULL, NULL);
        return none;
    }
    ploy_result result = ploy_names_add(reader->pddl->names, word, &name);
    if (result == PLOY_OK) return name;
    if (result == PLOY_ERR_MEMORY) {
        (void)ployi_pddl_kept(reader, result);
    } else {
        ployi_pddl_fault(reader, node, "invalid name", NULL, NULL);
    }
    return none;
}

// Every table begins its items with the name.
int32_t ployi_pddl_find(const ploy_array *items, ploy_name name) {
    for (int32_t i = 0; i < items->count; i++) {
        if (ploy_name_equal(*(const ploy_name *)ploy_array_at(items, i), name)) return i;
    }
    return -1;
}

// Says that a name is none of these, and which is nearest.
void ployi_pddl_unknown(ployi_pddl_reader *reader, int32_t node, const char *what,
                        const ploy_array *items) {
    char word[PLOYI_PDDL_WORD_MAX + 1];
    ploy_nearest nearest = ploy_nearest_make(ployi_pddl_text(reader, node, word));
    for (int32_t i = 0; i < items->count; i++) {
        ploy_name name = *(const ploy_name *)ploy_array_at(items, i);
        const char *text = ploy_names_text(reader->pddl->names, name);
        if (text != NULL) ploy_nearest_offer(&nearest, text);
    }
    ployi_pddl_fault(reader, node, what, NULL, nearest.best);
}
