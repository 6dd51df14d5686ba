// Hydraulic erosion written plainly from its published description (Millington, "AI for Games", 8.3.4,
// with the errata corrected): a struct for each cell, one loop over the map for each stage. What
// ploy_hydraulic is measured against, and what its tests compare it with. Even rain,
// one kind of rock.
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct erosion_plain_cell {
    float elevation, water, material;
    float flow[4]; // 0 = +x, 1 = +y, 2 = -y, 3 = -x
    float total, speed;
    float material_before;
} erosion_plain_cell;

typedef struct erosion_plain {
    erosion_plain_cell *cells; // columns * rows
    int32_t columns, rows;
    float rain, flow_rate, carry, pick, drop, solubility, evaporation;
    bool of_water;
} erosion_plain;

void erosion_plain_step(erosion_plain *plain);
