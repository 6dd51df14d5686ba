// Reading XML; see the header.
//
// The file is read from the caller's bytes and decoded into a copy, each text at the place where it
// stood: decoding never makes a text longer. The zeros behind texts fall on characters that belong
// to none: the quote, the blank or the bracket behind them.
#include <string.h>

#include "data/xml_internal.h"
#include "ploy/base/number.h"
#include "ploy/base/utf8.h"

// After that many faults a file is not worth reading on.
enum { XML_FAULTS_MAX = 20 };

static const ploy_field xml_fields[] = {
    PLOY_FIELD_BOOL(ploy_xml_def, relaxed, false, "raw '<' and '&' in attribute values"),
    PLOY_FIELD_I32(ploy_xml_def, max_depth, 256, 1, 4096, "", "deepest nesting"),
    PLOY_FIELD_I32(ploy_xml_def, max_kib, 65536, 1, 1 << 20, "KiB", "largest document"),
};

ploy_xml_def ploy_xml_def_default(void) {
    ploy_xml_def def;
    ploy_fields_default(ploy_xml_fields(), &def);
    return def;
}

ploy_fields ploy_xml_fields(void) {
    return PLOY_FIELDS(ploy_xml_def, xml_fields);
}

// A piece of text between two tags.
typedef struct xml_run {
    uint32_t element, at, size;
} xml_run;

typedef struct xml_reader {
    const char *bytes;
    uint32_t size, at;
    ploy_xml *doc;
    const ploy_xml_def *def;
    const char *name;
    ploy_diags *diags;
    ploy_array runs;
    uint32_t open; // the element that is open, 0 for none
    uint32_t last; // the last one that was closed inside it, 0 for none
    int32_t depth;
    int32_t faults;
    ploy_result result;
} xml_reader;

static void xml_fault_code(xml_reader *reader, ploy_result code, uint32_t at, const char *message,
                           const char *expected, const char *nearest) {
    ploy_xml_position place = ployi_xml_place(reader->doc, at);
    reader->faults++;
    if (reader->result == PLOY_OK) reader->result = code;
    ploy_diags_add(reader->diags, PLOY_SEVERITY_ERROR, code, reader->name, place.line, place.column,
                   message, expected, nearest);
}

static void xml_fault(xml_reader *reader, uint32_t at, const char *message, const char *expected) {
    xml_fault_code(reader, PLOY_ERR_FORMAT, at, message, expected, NULL);
}

static bool xml_stopped(const xml_reader *reader) {
    return reader->faults >= XML_FAULTS_MAX || reader->result == PLOY_ERR_MEMORY ||
           reader->result == PLOY_ERR_LIMIT;
}

static bool xml_short(xml_reader *reader) {
    reader->result = PLOY_ERR_MEMORY;
    return false;
}

static bool xml_is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool xml_begins_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == ':' ||
           (unsigned char)c >= 0x80;
}

static bool xml_in_name(char c) {
    return xml_begins_name(c) || (c >= '0' && c <= '9') || c == '-' || c == '.';
}

static void xml_skip_blanks(xml_reader *reader) {
    while (reader->at < reader->size && xml_is_blank(reader->bytes[reader->at])) reader->at++;
}

static bool xml_at(const xml_reader *reader, const char *text) {
    size_t size = strlen(text);
    return reader->size - reader->at >= size && memcmp(reader->bytes + reader->at, text, size) == 0;
}

// Passes a name. @return its size, 0 if there is none.
static uint32_t xml_pass_name(xml_reader *reader) {
    uint32_t begin = reader->at;
    if (begin >= reader->size || !xml_begins_name(reader->bytes[begin])) return 0;
    while (reader->at < reader->size && xml_in_name(reader->bytes[reader->at])) reader->at++;
    return reader->at - begin;
}

// Passes everything up to and with the text; false, at the end of the file, if it does not come.
static bool xml_pass(xml_reader *reader, const char *text) {
    size_t size = strlen(text);
    while (reader->size - reader->at >= size) {
        const char *from = reader->bytes + reader->at;
        const char *found = memchr(from, text[0], reader->size - reader->at - size + 1);
        if (found == NULL) break;
        reader->at += (uint32_t)(found - from);
        if (memcmp(found, text, size) == 0) {
            reader->at += (uint32_t)size;
            return true;
        }
        reader->at++;
    }
    reader->at = reader->size;
    return false;
}

// ---- characters ----

// Decodes a reference that begins at `at`, an '&'. @return its size, 0 if it is none that is known.
static uint32_t xml_decode(const xml_reader *reader, uint32_t at, uint32_t end, char out[4],
                           int32_t *out_size) {
    static const struct {
        const char *text;
        char character;
    } known[] = {{"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&quot;", '"'}, {"&apos;", '\''}};
    const char *from = reader->bytes + at;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        size_t size = strlen(known[i].text);
        if (end - at < size || memcmp(from, known[i].text, size) != 0) continue;
        out[0] = known[i].character;
        *out_size = 1;
        return (uint32_t)size;
    }
    if (end - at < 4 || from[1] != '#') return 0;
    bool hex = from[2] == 'x';
    uint32_t code = 0, place = hex ? 3 : 2, digits = 0;
    for (; at + place < end && from[place] != ';' && digits < 8; place++, digits++) {
        char c = from[place];
        uint32_t digit = c >= '0' && c <= '9'          ? (uint32_t)(c - '0')
                         : hex && c >= 'a' && c <= 'f' ? (uint32_t)(c - 'a') + 10
                         : hex && c >= 'A' && c <= 'F' ? (uint32_t)(c - 'A') + 10
                                                       : 99;
        if (digit == 99) return 0;
        code = code * (hex ? 16 : 10) + digit;
    }
    if (digits == 0 || at + place >= end || from[place] != ';') return 0;
    // Characters that XML does not have cannot be written as references either.
    if (code < 0x20 && code != '\t' && code != '\n' && code != '\r') return 0;
    if (code == 0xfffe || code == 0xffff) return 0;
    *out_size = ploy_utf8_encode(code, out);
    return *out_size > 0 ? place + 1 : 0;
}

// Decodes [begin, end) of the file into the same place of the copy. @return the size it has there.
static uint32_t xml_copy(xml_reader *reader, uint32_t begin, uint32_t end, bool attribute) {
    char *out = reader->doc->texts + begin;
    uint32_t size = 0;
    for (uint32_t at = begin; at < end;) {
        char c = reader->bytes[at];
        if (c == '&') {
            char character[4];
            int32_t bytes = 0;
            uint32_t passed = xml_decode(reader, at, end, character, &bytes);
            if (passed > 0) {
                memcpy(out + size, character, (size_t)bytes);
                size += (uint32_t)bytes;
                at += passed;
                continue;
            }
            if (!attribute || !reader->def->relaxed) {
                xml_fault(reader, at, "invalid reference after '&'",
                          "&amp; &lt; &gt; &quot; &apos; &#number;");
            }
        } else if (c == '<' && !reader->def->relaxed) { // only an attribute can hold it
            xml_fault(reader, at, "unexpected '<' in an attribute value", "&lt;");
        } else if (c == '\r') {
            at++;
            if (at < end && reader->bytes[at] == '\n') continue; // the line feed represents both
            out[size++] = attribute ? ' ' : '\n';
            continue;
        } else if (attribute && (c == '\n' || c == '\t')) {
            c = ' ';
        }
        out[size++] = c;
        at++;
    }
    return size;
}

static void xml_text(xml_reader *reader, uint32_t begin, uint32_t end, bool raw) {
    bool blank = true;
    for (uint32_t at = begin; at < end && blank; at++) blank = xml_is_blank(reader->bytes[at]);
    if (blank) return;
    if (reader->open == 0) {
        while (xml_is_blank(reader->bytes[begin])) begin++;
        xml_fault(reader, begin, "unexpected text outside the root element", NULL);
        return;
    }
    xml_run run = {reader->open, begin, end - begin};
    if (raw) {
        memcpy(reader->doc->texts + begin, reader->bytes + begin, end - begin);
    } else {
        run.size = xml_copy(reader, begin, end, false);
    }
    if (ploy_array_push(&reader->runs, &run) != PLOY_OK) xml_short(reader);
}

// ---- tags ----

static ployi_xml_element *xml_element(const xml_reader *reader, uint32_t element) {
    return &PLOY_ARRAY_ITEMS(&reader->doc->elements, ployi_xml_element)[element];
}

static void xml_close(xml_reader *reader) {
    reader->last = reader->open;
    reader->open = xml_element(reader, reader->open)->parent;
    reader->depth--;
}

// One attribute. False if the tag cannot be read on.
static bool xml_read_attribute(xml_reader *reader, ployi_xml_element *element) {
    ploy_array *attributes = &reader->doc->attributes;
    ployi_xml_pair pair = {reader->at, reader->at, 0};
    uint32_t size = xml_pass_name(reader);
    if (size == 0) {
        xml_fault(reader, reader->at, "invalid attribute", "a name, '>' or '/>'");
        return false;
    }
    uint32_t name_end = reader->at;
    xml_skip_blanks(reader);
    if (reader->at >= reader->size || reader->bytes[reader->at] != '=') {
        xml_fault(reader, reader->at, "missing attribute value", "'='");
        return false;
    }
    reader->at++;
    xml_skip_blanks(reader);
    char quote = reader->at < reader->size ? reader->bytes[reader->at] : 0;
    if (quote != '"' && quote != '\'') {
        xml_fault(reader, reader->at, "unquoted attribute value", "'\"'");
        return false;
    }
    uint32_t begin = ++reader->at;
    const char *end = memchr(reader->bytes + begin, quote, reader->size - begin);
    if (end == NULL) {
        xml_fault(reader, begin - 1, "unclosed quote", NULL);
        reader->at = reader->size;
        return false;
    }
    reader->at = (uint32_t)(end - reader->bytes) + 1;
    char *texts = reader->doc->texts;
    memcpy(texts + pair.name, reader->bytes + pair.name, size);
    texts[name_end] = 0;
    texts[begin + xml_copy(reader, begin, reader->at - 1, true)] = 0;
    pair.value = begin;
    const ployi_xml_pair *pairs = PLOY_ARRAY_ITEMS(attributes, ployi_xml_pair);
    for (uint32_t i = 0; i < element->attribute_count; i++) {
        if (strcmp(texts + pairs[element->attribute + i].name, texts + pair.name) == 0) {
            xml_fault(reader, pair.at, "duplicate attribute", NULL);
            return true;
        }
    }
    if (element->attribute_count == PLOY_XML_ATTRIBUTES_MAX) {
        xml_fault_code(reader, PLOY_ERR_LIMIT, pair.at, "too many attributes", NULL, NULL);
        return false;
    }
    if (ploy_array_push(attributes, &pair) != PLOY_OK) return xml_short(reader);
    element->attribute_count++;
    return true;
}

static void xml_begin_tag(xml_reader *reader) {
    uint32_t begin = reader->at++;
    uint32_t size = xml_pass_name(reader);
    if (size == 0) {
        xml_fault(reader, begin, "invalid tag after '<'", "a name, or &lt;");
        return;
    }
    if (reader->open == 0 && reader->doc->elements.count > 1) {
        xml_fault(reader, begin, "unexpected second root element", "the end of the file");
    }
    if (reader->depth >= reader->def->max_depth) {
        xml_fault_code(reader, PLOY_ERR_LIMIT, begin, "elements are nested too deeply", NULL, NULL);
        return;
    }
    uint32_t index = (uint32_t)reader->doc->elements.count;
    ployi_xml_element element;
    memset(&element, 0, sizeof element);
    element.at = begin;
    element.name = element.local = begin + 1;
    element.parent = reader->open;
    element.attribute = (uint32_t)reader->doc->attributes.count;
    char *texts = reader->doc->texts;
    memcpy(texts + element.name, reader->bytes + element.name, size);
    const char *colon = memchr(texts + element.name, ':', size);
    if (colon != NULL && (size_t)(colon - texts) + 1 < element.name + size) {
        element.local = (uint32_t)(colon - texts) + 1;
    }
    uint32_t name_end = element.name + size;
    bool closed = false;
    for (bool going = true; going && !xml_stopped(reader);) {
        uint32_t before = reader->at;
        xml_skip_blanks(reader);
        if (reader->at >= reader->size) {
            xml_fault(reader, begin, "unclosed tag", "'>'");
            going = false;
        } else if (reader->bytes[reader->at] == '>' || xml_at(reader, "/>")) {
            closed = reader->bytes[reader->at] == '/';
            reader->at += closed ? 2 : 1;
            going = false;
        } else if (before == reader->at) {
            xml_fault(reader, reader->at, "missing space between attributes", "a blank");
            going = xml_read_attribute(reader, &element) || xml_pass(reader, ">");
        } else if (!xml_read_attribute(reader, &element)) {
            xml_pass(reader, ">");
            going = false;
        }
    }
    texts[name_end] = 0;
    if (ploy_array_push(&reader->doc->elements, &element) != PLOY_OK) {
        xml_short(reader);
        return;
    }
    if (reader->last != 0) {
        xml_element(reader, reader->last)->next = index;
    } else {
        xml_element(reader, reader->open)->first = index;
    }
    reader->open = index;
    reader->last = 0;
    reader->depth++;
    if (closed) xml_close(reader);
}

// A closing tag that is not that of the open element. Which of the two is misspelled is not known
// here, so both are named. True if the names are nearly the same.
static bool xml_fault_closing(xml_reader *reader, uint32_t begin, uint32_t name, uint32_t size) {
    const char *open = reader->doc->texts + xml_element(reader, reader->open)->name;
    uint32_t at = xml_element(reader, reader->open)->at;
    char wrong[64], expected[224];
    bool fits = size < sizeof wrong && strlen(open) < sizeof wrong;
    if (!fits) {
        xml_fault(reader, begin, "unexpected closing tag of another element", NULL);
        return false;
    }
    memcpy(wrong, reader->bytes + name, size);
    wrong[size] = 0;
    ploy_value line = ploy_value_i64(ployi_xml_place(reader->doc, at).line);
    char number[24];
    ploy_value_print(&line, number, sizeof number);
    const char *const parts[] = {"'</", open, ">', or '<", wrong, ">' in line ", number};
    expected[0] = 0;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) strcat(expected, parts[i]);
    xml_fault(reader, begin, "unexpected closing tag of another element", expected);
    ploy_nearest nearest = ploy_nearest_make(wrong);
    ploy_nearest_offer(&nearest, open);
    return nearest.best != NULL && size > 2; // of short names nearly all are near
}

static void xml_end_tag(xml_reader *reader) {
    uint32_t begin = reader->at;
    reader->at += 2;
    uint32_t name = reader->at, size = xml_pass_name(reader);
    xml_skip_blanks(reader);
    bool ended = reader->at < reader->size && reader->bytes[reader->at] == '>';
    if (ended) reader->at++;
    if (size == 0 || !ended) {
        xml_fault(reader, begin, "invalid closing tag", "'</name>'");
        xml_pass(reader, ">");
    }
    const char *texts = reader->doc->texts;
    uint32_t match = reader->open;
    while (match != 0) {
        const char *open = texts + xml_element(reader, match)->name;
        if (strlen(open) == size && memcmp(open, reader->bytes + name, size) == 0) break;
        match = xml_element(reader, match)->parent;
    }
    if (match == 0 && reader->open == 0) {
        xml_fault(reader, begin, "unexpected closing tag", NULL);
        return;
    }
    if (match != reader->open) {
        bool near = xml_fault_closing(reader, begin, name, size);
        if (match == 0 && !near) return;
        if (match == 0) match = reader->open; // misspelled here or there: it closes that element
    }
    while (reader->open != match) xml_close(reader);
    xml_close(reader);
}

static void xml_comment(xml_reader *reader) {
    uint32_t begin = reader->at;
    reader->at += 4;
    if (!xml_pass(reader, "--")) {
        xml_fault(reader, begin, "unclosed comment", "'-->'");
    } else if (reader->at >= reader->size || reader->bytes[reader->at] != '>') {
        xml_fault(reader, reader->at - 2, "unexpected '--' in a comment", "'-->'");
        xml_pass(reader, "-->");
    } else {
        reader->at++;
    }
}

static void xml_declaration(xml_reader *reader) {
    uint32_t begin = reader->at;
    while (reader->at < reader->size && reader->bytes[reader->at] != '>' &&
           reader->bytes[reader->at] != '[') {
        reader->at++;
    }
    bool own = reader->at < reader->size && reader->bytes[reader->at] == '[';
    if (own || !xml_at(reader, ">")) {
        xml_fault(reader, begin,
                  own ? "unsupported document type with declarations" : "unclosed tag", NULL);
        if (own) xml_pass(reader, "]");
        xml_pass(reader, ">");
    } else {
        reader->at++;
    }
    if (reader->doc->elements.count > 1) {
        xml_fault(reader, begin, "unexpected document type after the root element", NULL);
    }
}

static void xml_read(xml_reader *reader) {
    if (xml_at(reader, "\xef\xbb\xbf")) reader->at = 3; // a byte order mark
    while (reader->at < reader->size && !xml_stopped(reader)) {
        const char *from = reader->bytes + reader->at;
        const char *tag = memchr(from, '<', reader->size - reader->at);
        uint32_t begin = reader->at;
        reader->at = tag != NULL ? begin + (uint32_t)(tag - from) : reader->size;
        if (reader->at > begin) xml_text(reader, begin, reader->at, false);
        if (tag == NULL) break;
        if (xml_at(reader, "<!--")) {
            xml_comment(reader);
        } else if (xml_at(reader, "<![CDATA[")) {
            begin = reader->at;
            reader->at += 9;
            if (xml_pass(reader, "]]>")) {
                xml_text(reader, begin + 9, reader->at - 3, true);
            } else {
                xml_fault(reader, begin, "unclosed CDATA section", "']]>'");
            }
        } else if (xml_at(reader, "<!")) {
            xml_declaration(reader);
        } else if (xml_at(reader, "<?")) {
            begin = reader->at;
            if (!xml_pass(reader, "?>")) {
                xml_fault(reader, begin, "unclosed processing instruction", "'?>'");
            }
        } else if (xml_at(reader, "</")) {
            xml_end_tag(reader);
        } else {
            xml_begin_tag(reader);
        }
    }
    if (xml_stopped(reader)) return;
    if (reader->open != 0) {
        const ployi_xml_element *open = xml_element(reader, reader->open);
        xml_fault(reader, open->at, "unclosed element", "its closing tag");
    } else if (reader->doc->elements.count == 1) {
        xml_fault(reader, reader->size, "missing root element", "'<'");
    }
}

// ---- the document ----

// Where lines begin, and characters that XML does not have.
static bool xml_scan(xml_reader *reader) {
    ploy_array *lines = &reader->doc->lines;
    uint32_t begin = 0;
    if (ploy_array_push(lines, &begin) != PLOY_OK) return xml_short(reader);
    for (const char *from = reader->bytes, *end = from + reader->size; from < end;) {
        const char *found = memchr(from, '\n', (size_t)(end - from));
        if (found == NULL) break;
        begin = (uint32_t)(found - reader->bytes) + 1;
        if (ploy_array_push(lines, &begin) != PLOY_OK) return xml_short(reader);
        from = found + 1;
    }
    size_t bad = reader->size;
    if (!ploy_utf8_check(reader->bytes, reader->size, &bad)) {
        xml_fault(reader, (uint32_t)bad, "invalid UTF-8", NULL);
    }
    for (uint32_t i = 0; i < reader->size && !xml_stopped(reader); i++) {
        unsigned char c = (unsigned char)reader->bytes[i];
        if (c < 0x20 && !xml_is_blank((char)c)) {
            xml_fault(reader, i, "unexpected control character", NULL);
        }
    }
    return true;
}

// Gives each element its text: where there is one run it stays where it is; several are joined
// behind the file's own bytes.
static void xml_join(xml_reader *reader) {
    xml_run *runs = PLOY_ARRAY_ITEMS(&reader->runs, xml_run);
    char *texts = reader->doc->texts;
    uint32_t free_at = reader->size + 1;
    for (int32_t i = 0; i < reader->runs.count; i++) {
        ployi_xml_element *element = xml_element(reader, runs[i].element);
        element->text_size += runs[i].size;
        // How many runs, until the text is placed; a run is never empty.
        element->text++;
        texts[runs[i].at + runs[i].size] = 0;
    }
    for (int32_t i = 0; i < reader->runs.count; i++) {
        ployi_xml_element *element = xml_element(reader, runs[i].element);
        if (element->text == 1 && element->text_size == runs[i].size) {
            element->text = runs[i].at;
            runs[i].element = 0; // placed
        }
    }
    // Sorted by element they would lie side by side; a second pass over each element's first run
    // reserves its room instead, and the rest follow in the order of the text.
    for (int32_t i = 0; i < reader->runs.count; i++) {
        if (runs[i].element == 0) continue;
        ployi_xml_element *element = xml_element(reader, runs[i].element);
        if (element->text <= reader->size) { // still a number of runs
            uint32_t room = element->text_size + 1;
            element->text = free_at;
            element->text_size = 0;
            free_at += room;
        }
        memcpy(texts + element->text + element->text_size, texts + runs[i].at, runs[i].size);
        element->text_size += runs[i].size;
        texts[element->text + element->text_size] = 0;
    }
}

static ploy_result xml_open(const char *name, size_t size, const ploy_env *env, ploy_xml **out) {
    ploy_xml *doc = ploy_env_alloc_zero(env, sizeof *doc);
    if (doc == NULL) return PLOY_ERR_MEMORY;
    doc->env = *env;
    ploy_array_init(&doc->elements, sizeof(ployi_xml_element), env);
    ploy_array_init(&doc->attributes, sizeof(ployi_xml_pair), env);
    ploy_array_init(&doc->lines, sizeof(uint32_t), env);
    // The joined texts are made of runs that lie apart in the file by a tag, so they and their
    // zeros take no more than the file again.
    size_t name_size = strlen(name) + 1;
    doc->texts_size = 2 * size + 2 + name_size;
    doc->texts = ploy_env_alloc(env, doc->texts_size);
    if (doc->texts == NULL || ploy_array_push(&doc->elements, NULL) != PLOY_OK) {
        ploy_xml_destroy(doc);
        return PLOY_ERR_MEMORY;
    }
    doc->source = (uint32_t)(2 * size + 2);
    memcpy(doc->texts + doc->source, name, name_size);
    doc->texts[0] = doc->texts[size] = 0;
    *out = doc;
    return PLOY_OK;
}

ploy_result ploy_xml_load(const void *bytes, size_t size, const char *name, const ploy_xml_def *def,
                          const ploy_env *env, ploy_diags *diags, ploy_xml **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL || (bytes == NULL && size > 0)) return PLOY_ERR_ARGUMENT;
    ploy_xml_def plain = ploy_xml_def_default();
    if (def == NULL) def = &plain;
    ploy_result result = ploy_fields_check(ploy_xml_fields(), def, env);
    if (result != PLOY_OK) return result;
    if (name == NULL) name = "";
    if (size > (size_t)def->max_kib * 1024) {
        ploy_diags_add(diags, PLOY_SEVERITY_ERROR, PLOY_ERR_LIMIT, name, 0, 0, "file is too large",
                       NULL, NULL);
        return PLOY_ERR_LIMIT;
    }
    xml_reader reader;
    memset(&reader, 0, sizeof reader);
    result = xml_open(name, size, env, &reader.doc);
    if (result != PLOY_OK) return result;
    reader.bytes = size > 0 ? bytes : "";
    reader.size = (uint32_t)size;
    reader.def = def;
    reader.name = name;
    reader.diags = diags;
    ploy_array_init(&reader.runs, sizeof(xml_run), env);
    if (xml_scan(&reader)) xml_read(&reader);
    if (reader.result == PLOY_OK) xml_join(&reader);
    ploy_array_fini(&reader.runs);
    if (reader.result != PLOY_OK) {
        ploy_xml_destroy(reader.doc);
        return reader.result;
    }
    *out = reader.doc;
    return PLOY_OK;
}
