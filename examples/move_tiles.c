// On tiles: a wolf that knows no physics intercepts a rabbit that runs along a hedge, and one
// that runs straight at it comes later. Shows ploy_tile_intercept.
#include <stdio.h>

#include "ploy/move/moves.h"

// Turns until the wolf is on the rabbit's tile, or 99. @param ahead  look at the rabbit's step.
static int hunt(bool ahead) {
    ploy_tile wolf = {20, 0}, step = {0, 0}, rabbit = {0, 0}, standing = {0, 0};
    for (int turn = 0; turn < 99; turn++) {
        if (wolf.row == rabbit.row && wolf.col == rabbit.col) return turn;
        ploy_tile run = {0, turn % 3 == 0 ? 0 : 1}; // it rests every third turn
        ploy_tile next =
            ploy_tile_intercept(wolf, step, rabbit, ahead ? run : standing, 21, 60, NULL);
        step.row = next.row - wolf.row;
        step.col = next.col - wolf.col;
        wolf = next;
        rabbit.col += run.col;
    }
    return 99;
}

int main(void) {
    printf("straight at it: %d turns\n", hunt(false));
    printf("heading it off: %d turns\n", hunt(true));
    return 0;
}
