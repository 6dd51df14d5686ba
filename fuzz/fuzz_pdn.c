// Any bytes as a PDN file.
#include "fuzz/round_trip.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    return round_trip(ploy_pdn_load, data, size);
}
