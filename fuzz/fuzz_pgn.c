// Any bytes as a PGN file.
#include "fuzz/round_trip.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    return round_trip(ploy_pgn_load, data, size);
}
