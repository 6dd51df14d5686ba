// Three bots that look around four times a second in a game that runs at 60 frames: each begins at a
// different moment, so that they don't all look in the same frame. Shows ploy_regulator.
#include <stdio.h>

#include "ploy/exec/regulator.h"

enum { BOTS = 3, FRAMES = 600 };

int main(void) {
    ploy_regulator_def def = ploy_regulator_def_default();
    def.mode =
        PLOY_REGULATOR_STEADY; // keeps the rate, although 60 / 4 frames may not come out even
    def.rate = 4.0f;
    def.bounded = true; // no bot waits longer than a period for its first look
    ploy_regulator vision[BOTS];
    int looks[BOTS] = {0}, most = 0;
    for (int i = 0; i < BOTS; i++) {
        if (ploy_regulator_init(&vision[i], &def, 0.0, (uint64_t)i) != PLOY_OK) return 1;
        printf("bot %d looks first after %.3f s\n", i, vision[i].next);
    }
    for (int frame = 0; frame < FRAMES; frame++) {
        int together = 0;
        for (int i = 0; i < BOTS; i++) {
            if (!ploy_regulator_ready(&vision[i], frame / 60.0)) continue;
            looks[i]++;
            together++;
        }
        if (together > most) most = together;
    }
    for (int i = 0; i < BOTS; i++) printf("bot %d looked %d times in 10 s\n", i, looks[i]);
    printf("at most %d in one frame\n", most);
    return 0;
}
