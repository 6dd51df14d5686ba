#include "bench/erosion_plain.h"

#include <math.h>
#include <stddef.h>

static const int32_t erosion_plain_dx[4] = {1, 0, 0, -1};
static const int32_t erosion_plain_dy[4] = {0, 1, -1, 0};

static erosion_plain_cell *erosion_plain_near(const erosion_plain *plain, int32_t x, int32_t y,
                                              int32_t direction) {
    x += erosion_plain_dx[direction];
    y += erosion_plain_dy[direction];
    if (x < 0 || y < 0 || x >= plain->columns || y >= plain->rows) return NULL;
    return &plain->cells[y * plain->columns + x];
}

static void erosion_plain_flow(const erosion_plain *plain, int32_t x, int32_t y) {
    erosion_plain_cell *cell = &plain->cells[y * plain->columns + x];
    cell->total = 0.0f;
    for (int32_t i = 0; i < 4; i++) {
        const erosion_plain_cell *near = erosion_plain_near(plain, x, y, i);
        float flow = 0.0f;
        if (near != NULL) {
            float fall = cell->elevation + cell->water - near->elevation - near->water;
            flow = fmaxf(0.0f, plain->carry * cell->flow[i] + plain->flow_rate * fall);
        }
        cell->flow[i] = flow;
        cell->total += flow;
    }
    if (cell->total <= cell->water) return;
    for (int32_t i = 0; i < 4; i++) cell->flow[i] *= cell->water / cell->total;
    cell->total = cell->water;
}

static float erosion_plain_in(const erosion_plain *plain, int32_t x, int32_t y, int32_t direction) {
    const erosion_plain_cell *near = erosion_plain_near(plain, x, y, 3 - direction);
    return near != NULL ? near->flow[direction] : 0.0f;
}

static void erosion_plain_velocity(const erosion_plain *plain, int32_t x, int32_t y) {
    erosion_plain_cell *cell = &plain->cells[y * plain->columns + x];
    float vx = cell->flow[0] - cell->flow[3] + erosion_plain_in(plain, x, y, 0) -
               erosion_plain_in(plain, x, y, 3);
    float vy = cell->flow[1] - cell->flow[2] + erosion_plain_in(plain, x, y, 1) -
               erosion_plain_in(plain, x, y, 2);
    cell->speed = sqrtf(vx * vx + vy * vy);
}

static void erosion_plain_ground(const erosion_plain *plain, erosion_plain_cell *cell) {
    if (cell->speed > plain->pick) {
        float pick = cell->speed * plain->solubility;
        cell->elevation -= pick;
        cell->material += pick;
    } else if (cell->speed < plain->drop) {
        float drop = cell->material * (plain->drop - cell->speed) / plain->drop;
        cell->elevation += drop;
        cell->material -= drop;
    }
}

static void erosion_plain_move(const erosion_plain *plain, int32_t x, int32_t y, float water) {
    erosion_plain_cell *cell = &plain->cells[y * plain->columns + x];
    if (!(cell->total > 0.0f)) return;
    for (int32_t i = 0; i < 4; i++) {
        erosion_plain_cell *near = erosion_plain_near(plain, x, y, i);
        if (near == NULL || cell->flow[i] == 0.0f) continue;
        float source = plain->of_water ? water : cell->total;
        float material = cell->flow[i] / source * cell->material_before;
        cell->water -= cell->flow[i];
        near->water += cell->flow[i];
        cell->material -= material;
        near->material += material;
    }
}

void erosion_plain_step(erosion_plain *plain) {
    int32_t count = plain->columns * plain->rows;
    for (int32_t i = 0; i < count; i++) plain->cells[i].water += plain->rain;
    for (int32_t y = 0; y < plain->rows; y++) {
        for (int32_t x = 0; x < plain->columns; x++) erosion_plain_flow(plain, x, y);
    }
    for (int32_t y = 0; y < plain->rows; y++) {
        for (int32_t x = 0; x < plain->columns; x++) erosion_plain_velocity(plain, x, y);
    }
    for (int32_t i = 0; i < count; i++) erosion_plain_ground(plain, &plain->cells[i]);
    for (int32_t i = 0; i < count; i++) {
        // The speed is not read any more: it keeps the water before the flows.
        plain->cells[i].material_before = plain->cells[i].material;
        plain->cells[i].speed = plain->cells[i].water;
    }
    for (int32_t y = 0; y < plain->rows; y++) {
        for (int32_t x = 0; x < plain->columns; x++) {
            erosion_plain_move(plain, x, y, plain->cells[y * plain->columns + x].speed);
        }
    }
    for (int32_t i = 0; i < count; i++) plain->cells[i].water *= 1.0f - plain->evaporation;
}
