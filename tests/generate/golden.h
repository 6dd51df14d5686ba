// One hash for each generator: default settings, key of seed 4, input as in test_generator.c. A change
// here is a change of behavior and goes into CHANGELOG.md.
#pragma once

#include <stdint.h>

static const struct golden_hash {
    const char *name;
    uint64_t hash;
} golden_hashes[] = {
    // Placement.
    {"scatter", UINT64_C(0xC5CFB898129105FA)},
    {"halton", UINT64_C(0xD87EC4DC8A931D64)},
    {"phyllotaxis", UINT64_C(0xD00D69CDA0D0E36F)},
    // Landscapes and plants.
    {"growth", UINT64_C(0x419345D22AFFA6CA)},
    {"lsystem", UINT64_C(0x8A4CFF44B2D9F676)},

    {"hills", UINT64_C(0x188F36B524466642)},
    {"faults", UINT64_C(0x899110C0CEC7572B)},
    {"filter", UINT64_C(0xBF3DBBEFF36C2C13)},
    {"thermal", UINT64_C(0x91137BF6879E4F9B)},
    {"hydraulic", UINT64_C(0x3B965A430B2B90EA)},
    {"droplets", UINT64_C(0x099FB50D15DBFD3B)},
    {"water", UINT64_C(0x88847F524AE5A9CF)},
    {"roads", UINT64_C(0xA6C9D33FA3DA0C1D)},
    {"voxels", UINT64_C(0x72B9CCB2AC0FDB66)},
    // Mazes, dungeons and grammars.
    {"maze", UINT64_C(0xEA5722FDF8DBFD64)},
    {"caves", UINT64_C(0x3A07F8FC797B96C0)},
    {"dungeon", UINT64_C(0xBF416092B2D65384)},
    {"subdivision", UINT64_C(0xA0723EA5BE26CEE4)},
    {"accretion", UINT64_C(0x3DE8D4B787152579)},
    {"pieces", UINT64_C(0x1E55EC06452FAE74)},
    {"skyscraper", UINT64_C(0x91731D2678F36BEF)},
    {"wfc", UINT64_C(0x5E3E0A72E94CDD86)},
};
