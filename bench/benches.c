// Every claim about speed that ploy makes.
#include "bench/bench.h"

#include <stddef.h>

static const bench_entry benches[] = {
    {"move.seek", "one agent, one step: seek, integrate, look where it goes; 10,000 in batch form",
     "yuka", "copying the same arrays", 100.0, bench_move_seek, 10000},
    {"move.seek.batch", "one agent's seek; 10,000 in batch form", "our own single form in a loop",
     NULL, 2.5, bench_move_seek_batch, 10000},
    {"move.step.single", "the step of move.seek by the single forms, one call each", NULL, NULL,
     0.0, bench_move_step_single, 10000},
    {"move.step/1", "one agent, one step of move.seek, alone in its batch", NULL, NULL, 0.0,
     bench_move_step, 1},
    {"move.step/100", "the same, 100 in the batch", NULL, NULL, 0.0, bench_move_step, 100},
    {"move.step/10000", "the same, 10,000 in the batch", NULL, NULL, 0.0, bench_move_step, 10000},
    {NULL, NULL, NULL, NULL, 0.0, NULL, 0},
};

const bench_entry *ploy_benches(void) {
    return benches;
}
