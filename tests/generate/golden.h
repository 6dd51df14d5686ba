// One hash for each generator: default settings, key of seed 4, input as in test_generator.c. A change
// here is a change of behavior and goes into CHANGELOG.md.
#pragma once

#include <stdint.h>

static const struct golden_hash {
    const char *name;
    uint64_t hash;
} golden_hashes[] = {
    // Placement.
    {"scatter", UINT64_C(0x62B8AF88FEC35F92)},
    {"halton", UINT64_C(0xD87EC4DC8A931D64)},
    {"phyllotaxis", UINT64_C(0xD00D69CDA0D0E36F)},
    // Landscapes and plants.

    // Mazes, dungeons and grammars.

};
