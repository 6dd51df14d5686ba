// Recordings: any bytes are refused or opened, and what was opened is written to the same bytes
// again, executes without a crash, and is never believed when its hashes are wrong.
//
// A checksum keeps a fuzzer out, so each input is tried twice: as it is, and with the checksum that
// its bytes would need.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ploy/base/hash.h"
#include "ploy/base/number.h"
#include "ploy/inspect/recorder.h"
#include "tests/exec/toy_sim.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define REQUIRE(condition)                                           \
    do {                                                             \
        if (!(condition)) {                                          \
            fprintf(stderr, "%d: %s fails\n", __LINE__, #condition); \
            abort();                                                 \
        }                                                            \
    } while (0)

static const ploy_sim_type *const types[] = {&toy_sim, NULL};

static void open_and_run(const char *bytes, size_t size) {
    ploy_env env = ploy_env_default();
    ploy_recorder_def def = ploy_recorder_def_default();
    def.sim.region_mib = 1;
    def.snapshot_mib = 1;
    def.max_inputs = 1000;
    ploy_diags *diags = NULL;
    REQUIRE(ploy_diags_create(20, &env, &diags) == PLOY_OK);
    ploy_recorder *recorder = NULL;
    ploy_result result =
        ploy_recorder_load(bytes, size, "fuzz", types, &def, NULL, &env, diags, &recorder);
    REQUIRE((result == PLOY_OK) == (recorder != NULL));
    // Whatever is refused is explained. A toy with too much ballast runs out of its region.
    REQUIRE(result == PLOY_OK || result == PLOY_ERR_MEMORY || ploy_diags_count(diags) > 0);
    if (result == PLOY_OK) {
        uint64_t end = ploy_recorder_end(recorder);
        ploy_buffer buffer;
        ploy_buffer_init(&buffer, 0, &env);
        ploy_writer writer = ploy_buffer_writer(&buffer);
        REQUIRE(ploy_recorder_save(recorder, &writer) == PLOY_OK);
        ploy_recorder *again = NULL;
        REQUIRE(ploy_recorder_load(buffer.bytes, buffer.size, "again", types, &def, NULL, &env,
                                   NULL, &again) == PLOY_OK);
        REQUIRE(ploy_recorder_end(again) == end);
        ploy_recorder_destroy(again);
        ploy_buffer_fini(&buffer);
        ploy_budget budget = ploy_budget_units(100);
        if (ploy_recorder_seek(recorder, end, &budget) == PLOY_OK) {
            ploy_recorder_seek(recorder, end / 2, NULL);
            if (ploy_recorder_tick(recorder) > 0) ploy_recorder_why(recorder, NULL);
        }
        ploy_recorder_step(recorder);
        ploy_recorder_destroy(recorder);
    }
    ploy_diags_destroy(diags);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char key[] = "\"checksum\":\"";
    char *bytes = malloc(size + 1);
    if (bytes == NULL) return 0;
    memcpy(bytes, data, size);
    bytes[size] = 0;
    open_and_run(bytes, size);
    for (size_t at = size; at-- > 0;) {
        if (size - at < sizeof key - 1 + 16 || memcmp(bytes + at, key, sizeof key - 1) != 0) {
            continue;
        }
        char digits[PLOY_PRINT_HEX64_SIZE];
        ploy_print_hex64(ploy_hash_bytes(bytes, at, 0), digits);
        memcpy(bytes + at + sizeof key - 1, digits, 16);
        open_and_run(bytes, size);
        break;
    }
    free(bytes);
    return 0;
}
