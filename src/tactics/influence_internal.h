// The influence map's layout, shared by its two sources.
#pragma once

#include "ploy/base/pool.h"
#include "ploy/tactics/influence.h"

// A type's shares around a unit, for grids. Row |dy| has `pitch` values from dx = -reach_x:
//
//     dy = 0   | -reach_x ... 0 ... reach_x |
//     dy = 1   |                            |
typedef struct influence_stamp {
    float *shares;
    size_t size; // bytes
    int32_t reach_x, reach_y, pitch;
} influence_stamp;

typedef struct influence_unit {
    int32_t side, type, place;
    float strength;
    ploy_id origin; // the unit that this one stands for in a map of what a side knows; or none
} influence_unit;

struct ploy_influence {
    ploy_env env;
    ploy_influence_def def;
    ploy_places places;
    double scale; // whole numbers for an influence of 1; a power of two
    ploy_influence_type types[PLOY_INFLUENCE_TYPES];
    influence_stamp stamps[PLOY_INFLUENCE_TYPES];
    int32_t type_count;
    ploy_pool *units;
    double totals[PLOY_INFLUENCE_SIDES]; // sum of strengths, to refuse overflow
    int32_t *sums;                       // by side, then by place
    int32_t *marks;                      // a number for each place, for sectors
    uint8_t *unknown;                    // by place
    bool some_unknown;                   // any of them
    size_t sums_size, marks_size;
    ploy_id *known; // of a view: its units by origin, see influence_sense.c; NULL before the first
    size_t known_size;
};

// A side's whole-number sums.
static inline int32_t *influence_sums(const ploy_influence *influence, int32_t side) {
    return influence->sums + (size_t)side * (size_t)influence->places.count;
}

// Largest and second sum at a place and the side of the largest; PLOY_SIDE_NONE if it is 0.
typedef struct influence_lead {
    int32_t side, first, second;
} influence_lead;

static inline influence_lead influence_lead_at(const ploy_influence *influence, int32_t place) {
    influence_lead lead = {PLOY_SIDE_NONE, 0, 0};
    for (int32_t side = 0; side < influence->def.sides; side++) {
        int32_t sum = influence_sums(influence, side)[place];
        if (sum > lead.first) {
            lead.second = lead.first;
            lead.first = sum;
            lead.side = side;
        } else if (sum > lead.second) {
            lead.second = sum;
        }
    }
    return lead;
}
