// Any bytes as CBOR: refused, or JSON that is read, written as CBOR and read to the same text.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "ploy/data/cbor.h"

static void must(bool condition) {
    if (!condition) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size > 1 << 16) return 0;
    ploy_env env = ploy_env_default();
    ploy_diags *diags = NULL;
    must(ploy_diags_create(4, &env, &diags) == PLOY_OK);
    ploy_buffer text, bytes, again;
    ploy_buffer_init(&text, 0, &env);
    ploy_buffer_init(&bytes, 0, &env);
    ploy_buffer_init(&again, 0, &env);
    ploy_writer to_text = ploy_buffer_writer(&text), to_bytes = ploy_buffer_writer(&bytes),
                to_again = ploy_buffer_writer(&again);
    ploy_json *doc = NULL;
    // Texts that are not UTF-8 and keys that occur twice are refused by the reader of JSON.
    if (ploy_cbor_load(data, size, "fuzz", diags, &to_text) == PLOY_OK &&
        ploy_json_load(text.bytes, text.size, "json", NULL, &env, diags, &doc) == PLOY_OK) {
        must(ploy_cbor_save(doc, ploy_json_root(doc), &to_bytes) == PLOY_OK);
        must(ploy_cbor_load(bytes.bytes, bytes.size, "again", diags, &to_again) == PLOY_OK);
        must(text.size == again.size && memcmp(text.bytes, again.bytes, text.size) == 0);
    }
    ploy_json_destroy(doc);
    ploy_buffer_fini(&text);
    ploy_buffer_fini(&bytes);
    ploy_buffer_fini(&again);
    ploy_diags_destroy(diags);
    return 0;
}
