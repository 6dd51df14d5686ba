// CLIPS's functions of texts.
#include <string.h>

#include "data/clips_internal.h"
#include "ploy/base/number.h"

static ploy_rule_value texts_buffer(ploy_clips *clips, ploy_buffer *text, ploy_rule_type type) {
    ploy_rule_value value = ployi_clips_text(clips, type, ploy_buffer_text(text));
    ploy_buffer_fini(text);
    return value;
}

static ploy_rule_value texts_cat(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    ploy_buffer text;
    ploy_buffer_init(&text, 0, &clips->env);
    ploy_writer writer = ploy_buffer_writer(&text);
    for (int32_t i = 0; i < x->count && !clips->failed; i++) {
        ploy_rule_value value = ployi_clips_arg(clips, frame, x, i);
        if (!clips->failed) ployi_clips_print(clips, &value, &writer);
    }
    return texts_buffer(clips, &text,
                        x->function->name[1] == 'y' ? PLOY_RULE_SYMBOL : PLOY_RULE_STRING);
}

static ploy_rule_value texts_case(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    ploy_rule_value value = ployi_clips_arg(clips, frame, x, 0);
    if (!clips->failed && value.type != PLOY_RULE_SYMBOL && value.type != PLOY_RULE_STRING) {
        ployi_clips_arg_error(clips, x, 0, "symbol or string");
    }
    if (clips->failed) return value;
    ploy_buffer text;
    ploy_buffer_init(&text, 0, &clips->env);
    ploy_writer writer = ploy_buffer_writer(&text);
    bool up = x->function->name[0] == 'u';
    for (const char *c = ployi_clips_get_text(clips, &value); *c != '\0'; c++) {
        char made = *c;
        if (up && made >= 'a' && made <= 'z') made = (char)(made - 'a' + 'A');
        if (!up && made >= 'A' && made <= 'Z') made = (char)(made - 'A' + 'a');
        ploy_write_char(&writer, made);
    }
    return texts_buffer(clips, &text, (ploy_rule_type)value.type);
}

static ploy_rule_value texts_str_length(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    const char *text = NULL;
    if (!ployi_clips_lexeme(clips, frame, x, 0, &text)) return ploy_rule_integer(-1);
    return ploy_rule_integer((int64_t)strlen(text));
}

static ploy_rule_value texts_str_compare(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    const char *a = NULL, *b = NULL;
    if (!ployi_clips_lexeme(clips, frame, x, 0, &a) ||
        !ployi_clips_lexeme(clips, frame, x, 1, &b)) {
        return ploy_rule_integer(0);
    }
    int order = strcmp(a, b);
    return ploy_rule_integer(order < 0 ? -1 : order > 0);
}

static ploy_rule_value texts_str_index(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    const char *a = NULL, *b = NULL;
    if (!ployi_clips_lexeme(clips, frame, x, 0, &a) ||
        !ployi_clips_lexeme(clips, frame, x, 1, &b)) {
        return ployi_clips_bool(clips, false);
    }
    const char *at = strstr(b, a);
    return at == NULL ? ployi_clips_bool(clips, false) : ploy_rule_integer(at - b + 1);
}

static ploy_rule_value texts_sub_string(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    int64_t from = 0, to = 0;
    const char *text = NULL;
    if (!ployi_clips_integer(clips, frame, x, 0, &from) ||
        !ployi_clips_integer(clips, frame, x, 1, &to) ||
        !ployi_clips_lexeme(clips, frame, x, 2, &text)) {
        return ployi_clips_text(clips, PLOY_RULE_STRING, "");
    }
    int64_t size = (int64_t)strlen(text);
    if (from < 1) from = 1;
    if (to > size) to = size;
    ploy_buffer made;
    ploy_buffer_init(&made, 0, &clips->env);
    if (from <= to &&
        ploy_buffer_append(&made, text + from - 1, (size_t)(to - from + 1)) != PLOY_OK) {
        clips->failed = true;
    }
    return texts_buffer(clips, &made, PLOY_RULE_STRING);
}

static ploy_rule_value texts_implode(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    ploy_rule_value list;
    if (!ployi_clips_multi(clips, frame, x, 0, &list)) {
        return ployi_clips_text(clips, PLOY_RULE_STRING, "");
    }
    ploy_buffer text;
    ploy_buffer_init(&text, 0, &clips->env);
    ploy_writer writer = ploy_buffer_writer(&text);
    for (int32_t i = 0; i < list.count; i++) {
        if (i > 0) ploy_write_char(&writer, ' ');
        ploy_rules_write_value(clips->rules, &list.as.items[i], &writer);
    }
    return texts_buffer(clips, &text, PLOY_RULE_STRING);
}

// The values that a text holds, read with the program's own scanner.
static ploy_rule_value texts_read(ploy_clips *clips, const char *text) {
    ploy_clips saved = *clips;
    ploy_array items;
    ploy_array_init(&items, sizeof(ploy_rule_value), &clips->env);
    ployi_clips_open(clips, text, strlen(text), "explode$", NULL);
    while (clips->token.kind != PLOYI_TOKEN_END && !clips->parse_failed) {
        ploy_rule_value value = clips->token.value;
        if (clips->token.kind != PLOYI_TOKEN_VALUE) {
            char piece[64];
            size_t size = clips->token.end - clips->token.begin;
            if (size > 63) size = 63;
            memcpy(piece, text + clips->token.begin, size);
            piece[size] = '\0';
            value = ployi_clips_text(clips, PLOY_RULE_STRING, piece);
        }
        if (ploy_array_push(&items, &value) != PLOY_OK) clips->failed = true;
        ployi_clips_next(clips);
    }
    ployi_clips_restore(clips, &saved);
    ploy_rule_value *kept = ployi_clips_items(clips, items.count + 1);
    if (kept != NULL && items.count > 0) {
        memcpy(kept, items.items, (size_t)items.count * sizeof *kept);
    }
    int32_t count = items.count;
    ploy_array_fini(&items);
    return ploy_rule_multi(kept, kept == NULL ? 0 : count);
}

static ploy_rule_value texts_explode(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    const char *text = NULL;
    if (!ployi_clips_string(clips, frame, x, 0, &text)) return ploy_rule_multi(NULL, 0);
    return texts_read(clips, text);
}

static ploy_rule_value texts_string_to_field(ploy_clips *clips, ployi_frame *frame,
                                             const ployi_x *x) {
    const char *text = NULL;
    if (!ployi_clips_lexeme(clips, frame, x, 0, &text)) return ploy_rule_multi(NULL, 0);
    ploy_rule_value list = texts_read(clips, text);
    if (clips->failed) return list;
    return list.count > 0 ? list.as.items[0] : ployi_clips_symbol(clips, "EOF");
}

static ploy_rule_value texts_gensym(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    char text[PLOY_PRINT_I64_SIZE + 4] = "gen";
    (void)frame;
    (void)x;
    ploy_print_i64(++clips->gensym, text + 3);
    return ployi_clips_symbol(clips, text);
}

static ploy_rule_value texts_setgen(ploy_clips *clips, ployi_frame *frame, const ployi_x *x) {
    int64_t n = 0;
    if (ployi_clips_integer(clips, frame, x, 0, &n)) clips->gensym = n - 1;
    return ploy_rule_integer(n);
}

const ployi_function ployi_clips_texts[] = {
    {"str-cat", 1, -1, texts_cat},
    {"sym-cat", 1, -1, texts_cat},
    {"upcase", 1, 1, texts_case},
    {"lowcase", 1, 1, texts_case},
    {"str-length", 1, 1, texts_str_length},
    {"str-compare", 2, 3, texts_str_compare},
    {"str-index", 2, 2, texts_str_index},
    {"sub-string", 3, 3, texts_sub_string},
    {"implode$", 1, 1, texts_implode},
    {"str-implode", 1, 1, texts_implode},
    {"explode$", 1, 1, texts_explode},
    {"str-explode", 1, 1, texts_explode},
    {"string-to-field", 1, 1, texts_string_to_field},
    {"gensym", 0, 0, texts_gensym},
    {"gensym*", 0, 0, texts_gensym},
    {"setgen", 1, 1, texts_setgen},
    {NULL, 0, 0, NULL},
};
