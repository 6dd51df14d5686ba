// Any bytes as images and labels: the first two are the size of the images. Refused, or a table whose
// rows fit its schema.
#include <stdint.h>
#include <stdlib.h>

#include "ploy/data/idx.h"

static void must(bool condition) {
    if (!condition) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 2 || size > 1 << 16) return 0;
    size_t images = (size_t)data[0] << 8 | data[1];
    data += 2;
    size -= 2;
    if (images > size) images = size;
    ploy_env env = ploy_env_default();
    ploy_diags *diags = NULL;
    ploy_examples *table = NULL;
    must(ploy_diags_create(4, &env, &diags) == PLOY_OK);
    ploy_result result = ploy_idx_load(data, images, "images", images < size ? data + images : NULL,
                                       size - images, "labels", &env, diags, &table);
    must((result == PLOY_OK) == (table != NULL));
    for (int32_t i = 0; i < ploy_examples_count(table); i++) {
        must(ploy_schema_accepts(ploy_examples_schema(table), ploy_examples_at(table, i)));
    }
    ploy_examples_destroy(table);
    ploy_diags_destroy(diags);
    return 0;
}
