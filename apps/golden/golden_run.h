// One golden scene: a lab run for a number of ticks, and the hash of the state it ends in.
#pragma once

#include "ploy/base/result.h"

// Runs `scene`: a lab's name, or with parameters "seek:followers=500,seek.max_speed=3". Ticks and
// seed as given; workers is 1 or the size of a pool. *hash is set on PLOY_OK.
ploy_result golden_run(const char *scene, uint64_t ticks, uint64_t seed, int32_t workers,
                       uint64_t *hash);
