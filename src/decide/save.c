// What saved states of all techniques have in common; ploy_behavior_save documents the whole.
#include <string.h>

#include "decide_internal.h"
#include "ploy/base/math.h"

static const char save_digits[] = "0123456789abcdef";

void ployi_save_bytes(ploy_json_writer *out, const void *bytes, size_t size) {
    // Written piece by piece, as an array of short texts, so that nothing has to be allocated.
    const unsigned char *from = bytes;
    ploy_json_write_begin_row(out);
    while (size > 0) {
        char text[65];
        size_t piece = size < 32 ? size : 32;
        for (size_t i = 0; i < piece; i++) {
            text[2 * i] = save_digits[from[i] >> 4];
            text[2 * i + 1] = save_digits[from[i] & 15];
        }
        text[2 * piece] = '\0';
        ploy_json_write_text(out, text);
        from += piece;
        size -= piece;
    }
    ploy_json_write_end_array(out);
}

static int32_t save_digit(char c) {
    const char *at = c != '\0' ? strchr(save_digits, c) : NULL;
    return at != NULL ? (int32_t)(at - save_digits) : -1;
}

bool ployi_load_bytes(const ploy_json *doc, ploy_json_node node, void *bytes, size_t size) {
    unsigned char *to = bytes;
    // First whether all of it is there, then the writing.
    for (int32_t pass = 0; pass < 2; pass++) {
        size_t used = 0;
        for (int32_t i = 0; i < ploy_json_count(doc, node); i++) {
            size_t length = 0;
            const char *text = ploy_json_text(doc, ploy_json_at(doc, node, i), &length);
            if (length % 2 != 0) return false;
            for (size_t j = 0; j < length; j += 2, used++) {
                int32_t high = save_digit(text[j]), low = save_digit(text[j + 1]);
                if (high < 0 || low < 0 || used >= size) return false;
                if (pass == 1) to[used] = (unsigned char)(high * 16 + low);
            }
        }
        if (used != size) return false;
    }
    return true;
}

void ployi_visit_rng(ploy_visit *v, const char *name, ploy_rng *rng) {
    ploy_rng copy, read;
    memset(&copy, 0, sizeof copy); // padding too
    copy.key = rng->key;
    copy.counter = rng->counter;
    copy.stream = rng->stream;
    memcpy(copy.block, rng->block, sizeof copy.block);
    copy.left = rng->left;
    ploy_json_writer *json = ploy_visit_writer(v, name);
    if (json != NULL) ployi_save_bytes(json, &copy, sizeof copy);
    if (v->describe != NULL) ploy_describe_u64(v->describe, name, PLOY_STATE, ploy_rng_u64(&copy));
    if (v->mode == PLOY_VISIT_COVER) ploy_visit_rng(v, name, PLOY_STATE, rng);
    const ploy_json *doc = NULL;
    ploy_json_node node;
    if (!ploy_visit_reader(v, name, &doc, &node, NULL)) return;
    bool fits = ployi_load_bytes(doc, node, &read, sizeof read) && read.left <= 4;
    if (fits) {
        ploy_visit_write(v, rng, &read, sizeof read);
    } else if (!ploy_visit_tolerates(v)) {
        ploy_visit_check(v, false, "invalid random stream", NULL);
    }
}

void ployi_save_id(uint64_t id, char text[PLOYI_SAVE_ID_SIZE]) {
    for (int32_t i = 0; i < 16; i++) text[i] = save_digits[(id >> (60 - 4 * i)) & 15];
    text[16] = '\0';
}

bool ployi_load_id(const ploy_json *doc, ploy_json_node node, uint64_t *out) {
    size_t length = 0;
    const char *text = ploy_json_text(doc, node, &length);
    uint64_t id = 0;
    if (length != PLOYI_SAVE_ID_SIZE - 1) return false;
    for (size_t i = 0; i < length; i++) {
        int32_t digit = save_digit(text[i]);
        if (digit < 0) return false;
        id = id << 4 | (uint64_t)digit;
    }
    *out = id;
    return true;
}

void ployi_save_text(ploy_json_writer *out, const char *key, const char *text) {
    ploy_json_write_key(out, key);
    ploy_json_write_text(out, text);
}

void ployi_save_f64(ploy_json_writer *out, const char *key, double value) {
    ploy_json_write_key(out, key);
    ploy_json_write_f64(out, value);
}

void ployi_save_u64(ploy_json_writer *out, const char *key, uint64_t value) {
    ploy_json_write_key(out, key);
    ploy_json_write_u64(out, value);
}

void ployi_save_bool(ploy_json_writer *out, const char *key, bool value) {
    ploy_json_write_key(out, key);
    ploy_json_write_bool(out, value);
}

bool ployi_load_f64(const ploy_json *doc, ploy_json_node object, const char *key, double *out) {
    double value = 0.0;
    ploy_result result = ploy_json_f64(doc, ploy_json_member(doc, object, key), &value);
    if (result != PLOY_OK || !ploy_is_finite_d(value)) return false;
    *out = value;
    return true;
}

bool ployi_load_bool(const ploy_json *doc, ploy_json_node object, const char *key) {
    bool value = false;
    (void)ploy_json_bool(doc, ploy_json_member(doc, object, key), &value); // set only on PLOY_OK
    return value;
}

void ployi_load_u64(const ploy_json *doc, ploy_json_node object, const char *key, uint64_t *out) {
    (void)ploy_json_u64(doc, ploy_json_member(doc, object, key), out);
}

bool ployi_load_status(const ploy_json *doc, ploy_json_node node, ploy_status *out) {
    const char *text = ploy_json_text(doc, node, NULL);
    for (int32_t i = PLOY_STATUS_RUNNING; i <= PLOY_STATUS_SKIPPED; i++) {
        if (strcmp(text, ploy_status_text((ploy_status)i)) != 0) continue;
        *out = (ploy_status)i;
        return true;
    }
    return false;
}
