// Any bytes as a level: it opens or not, and what opens can be read from end to end. The hash is put
// right first, or nothing altered would get far.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "ploy/base/hash.h"
#include "ploy/data/level.h"

enum { FUZZ_HEAD = 64, FUZZ_HASH = 24 };

static size_t fuzz_sum; // what was read, so that reading is not left out

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    unsigned char *block = malloc(size > 0 ? size : 1); // aligned, and no byte too many
    if (block == NULL) return 0;
    memcpy(block, bytes, size);
    if (size > FUZZ_HEAD) {
        uint64_t hash = ploy_hash_bytes(block + FUZZ_HEAD, size - FUZZ_HEAD, 0);
        memcpy(block + FUZZ_HASH, &hash, sizeof hash);
    }
    ploy_level level;
    if (ploy_level_open(block, size, &level) == PLOY_OK) {
        ploy_level_object object;
        for (int32_t i = 0; ploy_level_at(&level, i, &object); i++) {
            const char *key = NULL;
            ploy_value value;
            fuzz_sum += strlen(object.name) + strlen(object.type);
            for (int32_t k = 0; ploy_level_slot(&level, i, k, &key, &value); k++) {
                fuzz_sum += strlen(key);
                if (value.type == PLOY_VALUE_TEXT) fuzz_sum += strlen(value.as.text);
            }
        }
    }
    free(block);
    return 0;
}
