// Sentries: three guards learn where to wait for an intruder.
#pragma once

#include "ploy/learn/problem.h"

enum {
    SENTRIES_GUARDS = 3,
    SENTRIES_PLACES = 15,
    SENTRIES_MOVING = SENTRIES_PLACES, // values of a guard in the state, after the places
    SENTRIES_DEAD,
    SENTRIES_VALUES,
    SENTRIES_STAY = SENTRIES_GUARDS * SENTRIES_PLACES, // the last action; the others are moves
    SENTRIES_ACTIONS
};

// The problem: 17^3 * 2 states (each guard is at a place, moving or dead; the intruder is seen or
// not). A guard may move to an empty place while no guard moves. A reward of 1 for a dead intruder,
// -1 for a dead guard and for an intruder at the entrance, which end the episode.
const ploy_problem_type *sentries_problem(void);
// The same with guards at random places, where they stay: the baseline.
const ploy_problem_type *sentries_scattered(void);
