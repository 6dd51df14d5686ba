// Finding elements in an XML text and moving them; for the lab of behavior trees.
//
// Tags, quotes, comments and processing instructions are told apart and nothing else: the text was
// read by a loader before, so it is well-formed, and a name occurs as the loader saw it.
#include "labs/tree_text.h"

#include <string.h>

enum { TREE_TEXT_DEPTH_MAX = 64 };

typedef struct tree_source {
    const char *text;
    size_t size;
} tree_source;

// An element from its '<' to behind its last '>'.
typedef struct tree_span {
    size_t from, to;
} tree_span;

static bool tree_source_at(const tree_source *source, size_t at, const char *word) {
    size_t length = strlen(word);
    return source->size - at >= length && memcmp(source->text + at, word, length) == 0;
}

// Behind the next `word`, or the end of the text.
static size_t tree_source_behind(const tree_source *source, size_t at, const char *word) {
    while (at < source->size && !tree_source_at(source, at, word)) at++;
    return at < source->size ? at + strlen(word) : at;
}

// The next '<' that begins or ends an element.
static size_t tree_source_tag(const tree_source *source, size_t at) {
    while (at < source->size) {
        if (source->text[at] != '<') {
            at++;
        } else if (tree_source_at(source, at, "<!--")) {
            at = tree_source_behind(source, at, "-->");
        } else if (tree_source_at(source, at, "<?") || tree_source_at(source, at, "<!")) {
            at = tree_source_behind(source, at, ">");
        } else {
            break;
        }
    }
    return at;
}

// Behind the '>' that ends the tag at `at`.
static size_t tree_source_tag_end(const tree_source *source, size_t at) {
    char quote = 0;
    for (; at < source->size; at++) {
        char c = source->text[at];
        if (quote != 0) {
            if (c == quote) quote = 0;
        } else if (c == '"' || c == '\'') {
            quote = c;
        } else if (c == '>') {
            return at + 1;
        }
    }
    return at;
}

static bool tree_source_named(const tree_source *source, size_t from, size_t to, const char *name) {
    size_t length = strlen(name);
    for (size_t at = from; at + length + 8 <= to; at++) {
        if (!tree_source_at(source, at, " name=") || !tree_source_at(source, at + 7, name))
            continue;
        char quote = source->text[at + 6];
        if ((quote == '"' || quote == '\'') && source->text[at + 7 + length] == quote) return true;
    }
    return false;
}

typedef struct tree_hunt {
    tree_source source;
    const char *name;
    bool found;
    tree_span before, self,
        after; // the siblings from the first to the last before it; the next one
    bool has_before, has_after;
} tree_hunt;

// Goes through the children that begin at `at`; returns where their parent's end tag is.
static size_t tree_hunt_children(tree_hunt *hunt, size_t at, int32_t depth) {
    const tree_source *source = &hunt->source;
    tree_span first = {0, 0}, last = {0, 0};
    int32_t count = 0;
    bool here = false; // the one looked for is a child of this element
    for (;;) {
        at = tree_source_tag(source, at);
        if (at >= source->size || tree_source_at(source, at, "</")) return at;
        tree_span span = {at, tree_source_tag_end(source, at)};
        bool found = hunt->found;
        bool named = !found && tree_source_named(source, span.from, span.to, hunt->name);
        if (named) hunt->found = here = true;
        if (span.to < 2 || source->text[span.to - 2] != '/') {
            if (depth >= TREE_TEXT_DEPTH_MAX) return source->size;
            span.to = tree_source_tag_end(source, tree_hunt_children(hunt, span.to, depth + 1));
        }
        if (named) {
            hunt->self = span;
            hunt->has_before = count > 0;
            hunt->before.from = first.from;
            hunt->before.to = last.to;
        } else if (here && !hunt->has_after) {
            hunt->after = span;
            hunt->has_after = true;
        }
        if (count++ == 0) first = span;
        last = span;
        at = span.to;
    }
}

static tree_hunt tree_text_find(const char *text, size_t size, const char *name) {
    tree_hunt hunt;
    memset(&hunt, 0, sizeof hunt);
    hunt.source.text = text;
    hunt.source.size = size;
    hunt.name = name;
    (void)tree_hunt_children(&hunt, 0, 0);
    return hunt;
}

static size_t tree_text_copy(const tree_source *source, const tree_span *parts, size_t count,
                             char *out) {
    size_t used = 0;
    for (size_t i = 0; i < count; i++) {
        memcpy(out + used, source->text + parts[i].from, parts[i].to - parts[i].from);
        used += parts[i].to - parts[i].from;
    }
    return used;
}

bool tree_text_shift(const char *text, size_t size, const char *name, char *moved) {
    tree_hunt hunt = tree_text_find(text, size, name);
    if (!hunt.found || (!hunt.has_after && !hunt.has_before)) return false;
    tree_span a = hunt.has_after ? hunt.self : hunt.before; // a comes before b
    tree_span b = hunt.has_after ? hunt.after : hunt.self;
    const tree_span order[] = {{0, a.from}, b, {a.to, b.from}, a, {b.to, size}};
    (void)tree_text_copy(&hunt.source, order, 5, moved);
    return true;
}

size_t tree_text_cut(const char *text, size_t size, const char *name, char *out) {
    tree_hunt hunt = tree_text_find(text, size, name);
    if (!hunt.found || (!hunt.has_after && !hunt.has_before)) return 0;
    size_t from = hunt.self.from;
    while (from > 0 && strchr(" \t\r\n", text[from - 1]) != NULL) from--;
    const tree_span rest[] = {{0, from}, {hunt.self.to, size}};
    return tree_text_copy(&hunt.source, rest, 2, out);
}

size_t tree_text_rename(const char *text, size_t size, const char *name, const char *tag,
                        char *out) {
    tree_hunt hunt = tree_text_find(text, size, name);
    if (!hunt.found) return 0;
    size_t at = hunt.self.from + 1, last = hunt.self.to - 1, length = strlen(tag);
    size_t old = strcspn(text + at, " \t\r\n/>"); // the name's attribute lies behind it
    while (text[last] != '<') last--;
    size_t used = tree_text_copy(&hunt.source, &(tree_span){0, at}, 1, out);
    memcpy(out + used, tag, length);
    used += length;
    at += old;
    if (last > hunt.self.from) { // an end tag
        used += tree_text_copy(&hunt.source, &(tree_span){at, last + 2}, 1, out + used);
        memcpy(out + used, tag, length);
        used += length;
        at = last + 2 + old;
    }
    return used + tree_text_copy(&hunt.source, &(tree_span){at, size}, 1, out + used);
}
