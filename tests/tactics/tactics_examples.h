// The example of Millington's figure 6.10, and helpers that several tests share.
#pragma once

#include <math.h>

#include "ploy/base/rng.h"
#include "ploy/tactics/influence.h"
#include "tests/test.h"

typedef struct example_unit {
    int32_t x, y;
    float strength;
} example_unit;

static const example_unit example_white[] = {{4, 1, 2}, {9, 1, 3}, {1, 2, 4}, {8, 2, 2},
                                             {3, 4, 2}, {5, 4, 1}, {6, 5, 1}};
static const example_unit example_black[] = {
    {15, 3, 2}, {12, 6, 2}, {14, 8, 2}, {10, 11, 2}, {2, 13, 2}};

// Owners row by row, (0, 0) first.
static const char *const example_owners[16] = {
    "WWWWWWWWWWWWWWWW", "WWWWWWWWWWWWWWWB", "WWWWWWWWWWWWWWBB", "WWWWWWWWWWWWWBBB",
    "WWWWWWWWWWWWWBBB", "WWWWWWWWWWWWBBBB", "WWWWWWWWWWWBBBBB", "WWWWWWWWWWWBBBBB",
    "WWWWWWWWWWBBBBBB", "WWWWWWWWWBBBBBBB", "WWWWWWWWBBBBBBBB", "WWWWWWWWBBBBBBBB",
    "WBBBBWWBBBBBBBBB", "BBBBBBBBBBBBBBBB", "BBBBBBBBBBBBBBBB", "BBBBBBBBBBBBBBBB"};

__attribute__((unused)) static ploy_influence *example_influence(test_context *t,
                                                                 const ploy_influence_type *type) {
    ploy_env env = ploy_env_default();
    ploy_influence_def def = ploy_influence_def_default();
    ploy_places places = ploy_places_grid(16, 16, ploy_vec2_make(0, 0), 1.0f);
    ploy_influence *influence = NULL;
    CHECK_OK(ploy_influence_create(&def, &places, &env, &influence));
    CHECK_OK(ploy_influence_add_type(influence, type, NULL));
    for (size_t i = 0; i < COUNT_OF(example_white); i++) {
        const example_unit *u = &example_white[i];
        CHECK_OK(ploy_influence_add(influence, 0, 0, u->y * 16 + u->x, u->strength, NULL));
    }
    for (size_t i = 0; i < COUNT_OF(example_black); i++) {
        const example_unit *u = &example_black[i];
        CHECK_OK(ploy_influence_add(influence, 1, 0, u->y * 16 + u->x, u->strength, NULL));
    }
    return influence;
}
