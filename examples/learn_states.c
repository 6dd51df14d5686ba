// Categories from numbers, and a state as one number. Shows ploy_bins_clusters, ploy_sector and
// ploy_state_encode.
#include "ploy/learn/discretise.h"

#include <stdio.h>

static void print_bins(const char *name, const ploy_bins *bins) {
    printf("%-16s", name);
    for (int32_t i = 0; i < bins->count; i++) printf(" %.1f", bins->thresholds[i]);
    printf("\n");
}

int main(void) {
    ploy_env env = ploy_env_default();
    // Distances at which a player fired: close up, across a room, across the map.
    double shots[] = {1.5, 2, 2.5, 3, 9, 10, 11, 60, 62, 64, 66, 70};
    int32_t count = sizeof shots / sizeof shots[0];
    ploy_bins bins;
    if (ploy_bins_equal_width(shots, count, 3, &bins) != PLOY_OK) return 1;
    print_bins("equal width", &bins);
    if (ploy_bins_equal_frequency(shots, count, 3, &bins) != PLOY_OK) return 1;
    print_bins("equal frequency", &bins);
    if (ploy_bins_clusters(shots, count, 3, &bins) != PLOY_OK) return 1;
    print_bins("clusters", &bins);

    // A state: the range, the side on which the enemy is, hurt or not.
    int32_t radix[3] = {3, 4, 2}, parts[3] = {ploy_bins_find(&bins, 12.0), ploy_sector(1.4, 4), 1};
    ploy_state_code code;
    if (ploy_state_code_make(radix, 3, 1000, &env, &code) != PLOY_OK) return 1;
    uint64_t state = ploy_state_encode(&code, parts);
    int32_t back[3];
    ploy_state_decode(&code, state, back);
    printf("state %llu of %llu: range %d, side %d, hurt %d\n", (unsigned long long)state,
           (unsigned long long)code.states, back[0], back[1], back[2]);
    return 0;
}
