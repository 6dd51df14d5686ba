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

// Goes through the children that begin at `at`; returns where their parent's end tag stands.
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

// Copies the text with two of its parts exchanged; a stands before b.
static void tree_text_exchange(const tree_source *source, tree_span a, tree_span b, char *out) {
    const tree_span order[] = {{0, a.from}, b, {a.to, b.from}, a, {b.to, source->size}};
    size_t used = 0;
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
        memcpy(out + used, source->text + order[i].from, order[i].to - order[i].from);
        used += order[i].to - order[i].from;
    }
}

bool tree_text_shift(const char *text, size_t size, const char *name, char *moved) {
    tree_hunt hunt;
    memset(&hunt, 0, sizeof hunt);
    hunt.source.text = text;
    hunt.source.size = size;
    hunt.name = name;
    (void)tree_hunt_children(&hunt, 0, 0);
    if (!hunt.found || (!hunt.has_after && !hunt.has_before)) return false;
    if (hunt.has_after) {
        tree_text_exchange(&hunt.source, hunt.self, hunt.after, moved);
    } else {
        tree_text_exchange(&hunt.source, hunt.before, hunt.self, moved);
    }
    return true;
}
