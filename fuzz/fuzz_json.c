// Any bytes as JSON, strict and relaxed: what loads is walked whole, written on one line and
// indented, and read again; both must be the same document. Each number is asked for in every type,
// every member found by its key, and the document is offered to a field table.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "ploy/base/fields_json.h"

typedef struct fuzz_def {
    uint32_t cookie;
    float speed;
    int32_t count;
    uint64_t seed;
    float at[2];
    bool on;
} fuzz_def;

static const ploy_field fuzz_table[] = {
    PLOY_FIELD_F32(fuzz_def, speed, 1, 0, 100, "m/s", "speed"),
    PLOY_FIELD_I32(fuzz_def, count, 1, 0, 100, "", "count"),
    PLOY_FIELD_U64(fuzz_def, seed, 1, "seed"),
    PLOY_FIELD_VEC2(fuzz_def, at, 0, 0, -10, 10, "m", "place"),
    PLOY_FIELD_BOOL(fuzz_def, on, false, "switch"),
};

static void must(bool condition) {
    if (!condition) abort();
}

static void walk(const ploy_json *doc, ploy_json_node node) {
    double f64 = 0.0;
    float f32 = 0.0f;
    int64_t i64 = 0;
    uint64_t u64 = 0;
    size_t size = 0;
    must(ploy_json_position_of(doc, node).line > 0);
    const char *text = ploy_json_text(doc, node, &size);
    must(text[size] == '\0');
    ploy_json_f32(doc, node, &f32);
    if (ploy_json_i64(doc, node, &i64) == PLOY_OK) {
        // A whole number is a real one, too.
        must(ploy_json_f64(doc, node, &f64) == PLOY_OK && (double)i64 == f64);
    }
    if (ploy_json_u64(doc, node, &u64) == PLOY_OK) {
        must(ploy_json_f64(doc, node, &f64) == PLOY_OK && (double)u64 == f64);
    }
    bool object = ploy_json_type_of(doc, node) == PLOY_JSON_OBJECT;
    for (int32_t i = 0; i < ploy_json_count(doc, node); i++) {
        ploy_json_node child = ploy_json_at(doc, node, i);
        must(ploy_json_parent(doc, child).index == node.index);
        if (object) {
            const char *key = ploy_json_key(doc, child, &size);
            must(ploy_json_member_bytes(doc, node, key, size).index == child.index);
            must(ploy_json_key_position(doc, child).offset <
                 ploy_json_position_of(doc, child).offset);
        }
        walk(doc, child);
    }
}

static void write_document(const ploy_json *doc, int32_t indent, ploy_buffer *buffer) {
    ploy_env env = ploy_env_default();
    ploy_buffer_init(buffer, 0, &env);
    ploy_writer writer = ploy_buffer_writer(buffer);
    ploy_json_writer json;
    ploy_json_writer_init(&json, &writer, indent);
    ploy_json_write(doc, ploy_json_root(doc), &json);
    must(ploy_json_writer_finish(&json) == PLOY_OK);
}

static void check_document(const ploy_json *doc) {
    ploy_env env = ploy_env_default();
    ploy_buffer first, second, third;
    walk(doc, ploy_json_root(doc));
    write_document(doc, 0, &first);
    write_document(doc, 2, &second);
    ploy_json *again = NULL;
    must(ploy_json_load(second.bytes, second.size, "again", NULL, &env, NULL, &again) == PLOY_OK);
    write_document(again, 0, &third);
    must(first.size == third.size && memcmp(first.bytes, third.bytes, first.size) == 0);
    ploy_json_destroy(again);
    ploy_buffer_fini(&first);
    ploy_buffer_fini(&second);
    ploy_buffer_fini(&third);

    ploy_fields fields = PLOY_FIELDS(fuzz_def, fuzz_table);
    fuzz_def def, before;
    ploy_fields_default(fields, &def);
    memcpy(&before, &def, sizeof def);
    if (ploy_fields_load_json(fields, &def, doc, ploy_json_root(doc), NULL) == PLOY_OK) {
        must(ploy_fields_check(fields, &def, NULL) == PLOY_OK);
    } else {
        must(memcmp(&def, &before, sizeof def) == 0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    ploy_env env = ploy_env_default();
    ploy_diags *diags = NULL;
    must(ploy_diags_create(8, &env, &diags) == PLOY_OK);
    bool strict_reads = false;
    for (int relaxed = 0; relaxed < 2; relaxed++) {
        ploy_json_def def = ploy_json_def_default();
        def.relaxed = relaxed != 0;
        ploy_json *doc = NULL;
        ploy_diags_clear(diags);
        ploy_result result = ploy_json_load(data, size, "fuzz", &def, &env, diags, &doc);
        must((result == PLOY_OK) == (doc != NULL));
        must((result == PLOY_OK) == (ploy_diags_total(diags, PLOY_SEVERITY_DEBUG) == 0));
        if (doc != NULL) check_document(doc);
        ploy_json_destroy(doc);
        if (relaxed == 0)
            strict_reads = result == PLOY_OK;
        else
            must(!strict_reads || result == PLOY_OK); // relaxed reads all that strict reads
    }
    ploy_diags_destroy(diags);
    return 0;
}
