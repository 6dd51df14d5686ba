// Erosion by single drops; see erosion.h. Lengths are in cells, heights in metres / spacing.
//
// Every elevation change is booked as what the rounded sum really moved, and a drop that ends puts
// down what it holds: ground is neither made nor lost.
#include "ploy/generate/erosion.h"

#include <string.h>

#include "generate/terrain_internal.h"
#include "ploy/base/math.h"

#define DROPLETS_RADIUS 6
#define DROPLETS_BRUSH ((2 * DROPLETS_RADIUS + 1) * (2 * DROPLETS_RADIUS + 1))

static const ploy_field droplets_fields[] = {
    PLOY_FIELD_I32(ploy_droplets_def, count, 4000, 1, 10000000, "", "drops"),
    PLOY_FIELD_I32(ploy_droplets_def, lifetime, 48, 1, 200, "", "cells that a drop runs through"),
    PLOY_FIELD_F32(ploy_droplets_def, inertia, 0.1f, 0, 0.99f, "",
                   "0: straight downhill, 1: straight on"),
    PLOY_FIELD_F32(ploy_droplets_def, capacity, 4, 0, 100, "", "sediment that a drop can hold"),
    PLOY_FIELD_F32(ploy_droplets_def, min_slope, 0.01f, 0, 1, "",
                   "slope below which the capacity falls no further"),
    PLOY_FIELD_F32(ploy_droplets_def, deposit, 0.3f, 0, 1, "", "share of a surplus put down"),
    PLOY_FIELD_F32(ploy_droplets_def, erode, 0.3f, 0, 1, "", "share of a lack picked up"),
    PLOY_FIELD_F32(ploy_droplets_def, evaporation, 0.02f, 0, 1, "", "share of the water"),
    PLOY_FIELD_F32(ploy_droplets_def, gravity, 4, 0, 100, "", "speed that a slope gives"),
    PLOY_FIELD_I32(ploy_droplets_def, radius, 2, 1, DROPLETS_RADIUS, "",
                   "cells around a drop that soil is picked up from"),
};

ploy_fields ploy_droplets_fields(void) {
    return PLOY_FIELDS(ploy_droplets_def, droplets_fields);
}

ploy_droplets_def ploy_droplets_def_default(void) {
    ploy_droplets_def def;
    ploy_fields_default(ploy_droplets_fields(), &def);
    return def;
}

typedef struct droplets_state {
    ploy_terrain terrain;
    ploy_droplets_def def;
    ploy_rng_key key;
    float brush[DROPLETS_BRUSH]; // row by row, 2 * radius + 1 to a side
    int64_t steps;
} droplets_state;

typedef struct droplets_drop {
    ploy_vec2 at, direction;
    float speed, water, sediment; // sediment in m / spacing
} droplets_drop;

static ploy_result droplets_setup(ploy_terrain *terrain, ploy_rng_key key) {
    droplets_state *self = (droplets_state *)(void *)terrain;
    self->key = ploy_generate_stream(key, "drops");
    terrain->passes = 1;
    terrain->items = self->def.count;
    int32_t radius = self->def.radius, side = 2 * radius + 1;
    for (int32_t y = -radius; y <= radius; y++) {
        for (int32_t x = -radius; x <= radius; x++) {
            float weight = (float)radius - sqrtf((float)(x * x + y * y));
            self->brush[(y + radius) * side + x + radius] = ploy_maxf(weight, 0.0f);
        }
    }
    return PLOY_OK;
}

// Height and slope at a point within the cells.
static float droplets_height(const droplets_state *self, ploy_vec2 at, ploy_vec2 *slope) {
    const ploy_heightmap_def *size = ploy_heightmap_def_of(self->terrain.map);
    int32_t x = ploy_mini((int32_t)at.x, size->columns - 2);
    int32_t y = ploy_mini((int32_t)at.y, size->rows - 2);
    float u = at.x - (float)x, v = at.y - (float)y, unit = 1.0f / size->spacing;
    const float *h = ploy_heightmap_elevation(self->terrain.map) + y * size->columns + x;
    float h00 = h[0] * unit, h10 = h[1] * unit;
    float h01 = h[size->columns] * unit, h11 = h[size->columns + 1] * unit;
    slope->x = (h10 - h00) * (1.0f - v) + (h11 - h01) * v;
    slope->y = (h01 - h00) * (1.0f - u) + (h11 - h10) * u;
    return ploy_lerpf(ploy_lerpf(h00, h10, u), ploy_lerpf(h01, h11, u), v);
}

// Raises a cell by an amount in m / spacing; returns what the rounded sum really added.
static float droplets_raise(const droplets_state *self, int32_t cell, float amount) {
    float spacing = ploy_heightmap_def_of(self->terrain.map)->spacing;
    float *height = &ploy_heightmap_elevation(self->terrain.map)[cell], old = *height;
    *height = old + amount * spacing;
    return (*height - old) / spacing;
}

static void droplets_put_down(const droplets_state *self, ploy_vec2 at, float amount,
                              droplets_drop *drop) {
    const ploy_heightmap_def *size = ploy_heightmap_def_of(self->terrain.map);
    int32_t x = ploy_mini((int32_t)at.x, size->columns - 2);
    int32_t y = ploy_mini((int32_t)at.y, size->rows - 2);
    float u = at.x - (float)x, v = at.y - (float)y;
    int32_t cell = y * size->columns + x;
    float put = droplets_raise(self, cell, amount * (1.0f - u) * (1.0f - v));
    put += droplets_raise(self, cell + 1, amount * u * (1.0f - v));
    put += droplets_raise(self, cell + size->columns, amount * (1.0f - u) * v);
    put += droplets_raise(self, cell + size->columns + 1, amount * u * v);
    drop->sediment -= put;
}

static void droplets_pick_up(const droplets_state *self, ploy_vec2 at, float amount,
                             droplets_drop *drop) {
    const ploy_heightmap_def *size = ploy_heightmap_def_of(self->terrain.map);
    int32_t radius = self->def.radius, side = 2 * radius + 1;
    int32_t middle_x = (int32_t)at.x, middle_y = (int32_t)at.y;
    int32_t x0 = ploy_maxi(middle_x - radius, 0),
            x1 = ploy_mini(middle_x + radius, size->columns - 1);
    int32_t y0 = ploy_maxi(middle_y - radius, 0), y1 = ploy_mini(middle_y + radius, size->rows - 1);
    float sum = 0.0f;
    for (int32_t y = y0; y <= y1; y++) {
        const float *brush = self->brush + (y - middle_y + radius) * side + radius - middle_x;
        for (int32_t x = x0; x <= x1; x++) sum += brush[x];
    }
    for (int32_t y = y0; y <= y1; y++) {
        const float *brush = self->brush + (y - middle_y + radius) * side + radius - middle_x;
        for (int32_t x = x0; x <= x1; x++) {
            if (brush[x] == 0.0f) continue;
            drop->sediment -=
                droplets_raise(self, y * size->columns + x, -(amount * brush[x] / sum));
        }
    }
}

// Moves a drop by one cell; false when it ends.
static bool droplets_step(droplets_state *self, droplets_drop *drop) {
    const ploy_heightmap_def *size = ploy_heightmap_def_of(self->terrain.map);
    const ploy_droplets_def *def = &self->def;
    ploy_vec2 slope, after_slope;
    float before = droplets_height(self, drop->at, &slope);
    ploy_vec2 direction = {drop->direction.x * def->inertia - slope.x * (1.0f - def->inertia),
                           drop->direction.y * def->inertia - slope.y * (1.0f - def->inertia)};
    float length = sqrtf(direction.x * direction.x + direction.y * direction.y);
    if (!(length > 1e-9f)) return false; // level ground: the drop stays where it is
    drop->direction = ploy_vec2_make(direction.x / length, direction.y / length);
    ploy_vec2 next = ploy_vec2_add(drop->at, drop->direction);
    if (!(next.x >= 0.0f && next.y >= 0.0f && next.x <= (float)(size->columns - 1) &&
          next.y <= (float)(size->rows - 1))) {
        return false;
    }
    float rise = droplets_height(self, next, &after_slope) - before;
    float holds = ploy_maxf(-rise, def->min_slope) * drop->speed * drop->water * def->capacity;
    if (rise > 0.0f) {
        droplets_put_down(self, drop->at, ploy_minf(rise, drop->sediment), drop);
    } else if (drop->sediment > holds) {
        droplets_put_down(self, drop->at, (drop->sediment - holds) * def->deposit, drop);
    } else {
        float amount = ploy_minf((holds - drop->sediment) * def->erode, -rise);
        droplets_pick_up(self, drop->at, amount, drop);
    }
    drop->speed = sqrtf(ploy_maxf(drop->speed * drop->speed - rise * def->gravity, 0.0f));
    drop->water *= 1.0f - def->evaporation;
    drop->at = next;
    self->steps++;
    return true;
}

static void droplets_stage(ploy_terrain *terrain, int32_t stage, int32_t first, int32_t count) {
    droplets_state *self = (droplets_state *)(void *)terrain;
    (void)stage;
    const ploy_heightmap_def *size = ploy_heightmap_def_of(terrain->map);
    for (int32_t i = first; i < first + count; i++) {
        droplets_drop drop;
        memset(&drop, 0, sizeof drop);
        float x = ploy_rng_float_at(self->key, (uint32_t)i, 0, 0);
        float y = ploy_rng_float_at(self->key, (uint32_t)i, 0, 1);
        drop.at = ploy_vec2_make(x * (float)(size->columns - 1), y * (float)(size->rows - 1));
        drop.speed = drop.water = 1.0f;
        for (int32_t step = 0; step < self->def.lifetime; step++) {
            if (!droplets_step(self, &drop)) break;
        }
        droplets_put_down(self, drop.at, drop.sediment, &drop);
        terrain->outcome.draws += 2;
    }
}

static void droplets_describe(const ploy_terrain *terrain, ploy_describe *out) {
    const droplets_state *self = (const droplets_state *)(const void *)terrain;
    ploy_describe_i64(out, "steps", PLOY_NOTE, self->steps);
}

static const ployi_terrain_type droplets_type = {"droplets",
                                                 sizeof(droplets_state),
                                                 offsetof(droplets_state, def),
                                                 ploy_droplets_fields,
                                                 true,
                                                 droplets_setup,
                                                 NULL,
                                                 droplets_stage,
                                                 NULL,
                                                 NULL,
                                                 droplets_describe};

PLOYI_TERRAIN_MODIFIER(droplets, "single drops of rain cut gullies on their path downhill",
                       "one drop")
