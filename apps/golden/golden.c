// golden LAB TICKS SEED WORKERS [LAB TICKS SEED WORKERS]...
// golden --components
//
// The second form prints the components that scenes may need and this build has, one a line.
// Prints the state hash of each scene on a separate line. Every build of ploy must print the
// same; tools/golden.mjs compares them with tests/golden/golden.txt. Exit status 2 for bad usage.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/golden/golden_run.h"

int main(int argc, char **argv) {
    if (argc == 2 && strcmp(argv[1], "--components") == 0) {
#ifdef PLOY_HAS_SCRIPT_LUA
        printf("lua\n");
#endif
        return 0;
    }
    if (argc < 5 || argc % 4 != 1) {
        fprintf(stderr, "usage: golden LAB TICKS SEED WORKERS [LAB TICKS SEED WORKERS]...\n");
        return 2;
    }
    for (int i = 1; i < argc; i += 4) {
        uint64_t ticks = strtoull(argv[i + 1], NULL, 10);
        uint64_t seed = strtoull(argv[i + 2], NULL, 10);
        int32_t workers = (int32_t)strtol(argv[i + 3], NULL, 10);
        uint64_t hash = 0;
        ploy_result result = golden_run(argv[i], ticks, seed, workers, &hash);
        if (result != PLOY_OK) {
            fprintf(stderr, "golden: %s: %s\n", argv[i], ploy_result_text(result));
            return 2;
        }
        printf("%016" PRIx64 "\n", hash);
    }
    return 0;
}
