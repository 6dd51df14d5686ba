// Random numbers that repeat: a stream for things that happen one after another, keyed draws for
// crowds. You will see that a batch split in two gives every agent the same draw.
#include <stdio.h>

#include "ploy/base/rng.h"

enum { AGENTS = 8 };

// One worker's share of a batch: agents [first, first + count) in tick 120.
static void wander(ploy_rng_key key, uint32_t first, uint32_t count, float *turn) {
    for (uint32_t agent = first; agent < first + count; agent++) {
        turn[agent] = ploy_rng_binomial_at(key, agent, 120, 0);
    }
}

int main(void) {
    // A stream: the same seed gives the same story, and a copy is a saved game.
    ploy_rng dice = ploy_rng_make(7);
    printf("dice:");
    for (int i = 0; i < 5; i++) printf(" %d", (int)ploy_rng_int(&dice, 1, 6));
    ploy_rng saved = dice;
    printf(" | saved | %d", (int)ploy_rng_int(&dice, 1, 6));
    printf(" | loaded | %d\n", (int)ploy_rng_int(&saved, 1, 6));

    // Parts of a game get their own keys, so that one more draw here moves nothing there.
    ploy_rng_key game = ploy_rng_key_make(7);
    ploy_rng weather = ploy_rng_from_key(ploy_rng_key_split(game, 1), 0);
    printf("rain today: %s\n", ploy_rng_chance(&weather, 0.3f) ? "yes" : "no");

    static const float loot_weights[] = {70.0f, 25.0f, 5.0f};
    static const char *const loot[] = {"coins", "potion", "sword"};
    printf("loot:");
    for (int i = 0; i < 5; i++) printf(" %s", loot[ploy_rng_weighted(&dice, loot_weights, 3)]);
    printf("\n");

    // Keyed draws: no state, only (key, agent, tick, draw number).
    ploy_rng_key crowd = ploy_rng_key_split(game, 2);
    float whole[AGENTS], split[AGENTS];
    wander(crowd, 0, AGENTS, whole);
    wander(crowd, 5, 3, split); // a second worker may even come first
    wander(crowd, 0, 5, split);
    int equal = 0;
    for (int i = 0; i < AGENTS; i++) equal += whole[i] == split[i];
    printf("equal draws in one batch and in two: %d of %d\n", equal, AGENTS);
    return 0;
}
