// A selector in a file, by the name of its level.
//
//     { "level": "crowd", "importance": 3.5, "warned": true, "handover": ["00ff"],
//       "behavior": { ... } }
#include <string.h>

#include "exec/lod_internal.h"
#include "ploy/base/math.h"

static const char lod_save_digits[] = "0123456789abcdef";

// Hexadecimal digits in pieces, so that nothing has to be allocated.
static void lod_save_bytes(ploy_json_writer *out, const unsigned char *bytes, size_t size) {
    ploy_json_write_begin_row(out);
    for (size_t at = 0; at < size; at += 32) {
        char text[65];
        size_t piece = size - at < 32 ? size - at : 32;
        for (size_t i = 0; i < piece; i++) {
            text[2 * i] = lod_save_digits[bytes[at + i] >> 4];
            text[2 * i + 1] = lod_save_digits[bytes[at + i] & 15];
        }
        text[2 * piece] = '\0';
        ploy_json_write_text(out, text);
    }
    ploy_json_write_end_array(out);
}

static int32_t lod_load_digit(char c) {
    const char *at = c != '\0' ? strchr(lod_save_digits, c) : NULL;
    return at != NULL ? (int32_t)(at - lod_save_digits) : -1;
}

// False if there are not exactly so many; then only a part may be written.
static bool lod_load_bytes(const ploy_json *doc, ploy_json_node node, unsigned char *bytes,
                           size_t size) {
    size_t used = 0;
    for (int32_t i = 0; i < ploy_json_count(doc, node); i++) {
        size_t length = 0;
        const char *text = ploy_json_text(doc, ploy_json_at(doc, node, i), &length);
        for (size_t j = 0; j + 1 < length; j += 2) {
            int32_t high = lod_load_digit(text[j]), low = lod_load_digit(text[j + 1]);
            if (high < 0 || low < 0 || used >= size) return false;
            bytes[used++] = (unsigned char)(high * 16 + low);
        }
    }
    return used == size;
}

void ployi_lod_selector_save(const void *self, ploy_json_writer *out) {
    const ploy_lod_selector *selector = self;
    const char *level = ploy_lod_level_name(selector->lod, selector->level);
    int32_t size = selector->lod->def.handover_size;
    ploy_json_write_begin_object(out);
    if (level != NULL) {
        ploy_json_write_key(out, "level");
        ploy_json_write_text(out, level);
    }
    ploy_json_write_key(out, "importance");
    ploy_json_write_f64(out, (double)selector->importance);
    ploy_json_write_key(out, "switches");
    ploy_json_write_i64(out, selector->switches);
    ploy_json_write_key(out, "uncovered");
    ploy_json_write_i64(out, selector->uncovered);
    if (selector->warned) {
        ploy_json_write_key(out, "warned");
        ploy_json_write_bool(out, true);
    }
    if (size > 0) {
        ploy_json_write_key(out, "handover");
        lod_save_bytes(out, selector->handover, (size_t)size);
    }
    if (selector->entered) {
        ploy_json_write_key(out, "behavior");
        ploy_behavior_save(ployi_lod_selector_behavior_of(selector, selector->level), out);
    }
    ploy_json_write_end_object(out);
}

static int64_t lod_load_count(const ploy_json *doc, ploy_json_node state, const char *key) {
    int64_t count = 0;
    (void)ploy_json_i64(doc, ploy_json_member(doc, state, key), &count);
    return count > 0 && count < INT64_MAX / 2 ? count : 0;
}

ploy_result ployi_lod_selector_load(void *self, ploy_step_context *context, const ploy_json *doc,
                                    ploy_json_node state, ploy_diags *diags) {
    ploy_lod_selector *selector = self;
    const ploy_lod *lod = selector->lod;
    double importance = 0.0;
    (void)ploy_json_f64(doc, ploy_json_member(doc, state, "importance"), &importance);
    if (ploy_is_finite((float)importance)) selector->importance = (float)importance;
    selector->switches = lod_load_count(doc, state, "switches");
    selector->uncovered = lod_load_count(doc, state, "uncovered");
    (void)ploy_json_bool(doc, ploy_json_member(doc, state, "warned"), &selector->warned);
    ploy_json_node handover = ploy_json_member(doc, state, "handover");
    size_t size = (size_t)lod->def.handover_size;
    if (size > 0 && !lod_load_bytes(doc, handover, selector->handover, size)) {
        memset(selector->handover, 0, size);
        ploy_behavior_lost(doc, handover, diags, "the", "hand-over",
                           "has another size: it is empty");
    }
    ploy_json_node level = ploy_json_member(doc, state, "level");
    const char *name = ploy_json_text(doc, level, NULL);
    selector->level = PLOY_LOD_NONE;
    for (int32_t i = 0; i < lod->level_count && selector->level < 0; i++) {
        if (strcmp(lod->levels[i].name, name) == 0) selector->level = i;
    }
    if (selector->level < 0) {
        if (name[0] != '\0') {
            ploy_behavior_lost(doc, level, diags, "level", name, "is gone: it is chosen again");
        }
        return PLOY_OK;
    }
    ploy_json_node behavior = ploy_json_member(doc, state, "behavior");
    if (ploy_json_is_none(behavior)) return PLOY_OK;
    if (lod->state_size > 0) memset(selector->state, 0, (size_t)lod->state_size);
    selector->entered = true;
    return ploy_behavior_load(ployi_lod_selector_behavior_of(selector, selector->level), context,
                              doc, behavior, diags);
}
