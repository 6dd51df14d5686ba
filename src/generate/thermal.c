// Thermal erosion; see erosion.h.
//
// Each cell gathers what its four edges move, so rows do not depend on each other. Both cells of an
// edge compute the same number, so what one loses the other gets. Stage 0 takes the snapshot that
// stage 1 reads.
//
// Changes far below the rounding of an elevation matter near rest: a slope could otherwise keep a
// small excess in every cell. The residue of each cell keeps what rounding left over.
#include "ploy/generate/erosion.h"

#include <string.h>

#include "base/compiler.h"
#include "generate/terrain_internal.h"
#include "ploy/base/math.h"

// Passes between two tests whether everything has come to rest.
#define THERMAL_TEST_EVERY 16

static const ploy_field thermal_fields[] = {
    PLOY_FIELD_F32(ploy_thermal_def, angle, 0.6f, 0.01f, 1.5f, "rad", "angle of repose"),
    PLOY_FIELD_I32(ploy_thermal_def, passes, 50, 1, 1000000, "", "most passes"),
    PLOY_FIELD_F32(ploy_thermal_def, settle, 0, 0, 1e3f, "m",
                   "ends when no step exceeds the threshold by more; 0: all passes"),
    PLOY_FIELD_F32(ploy_thermal_def, max_altitude, 1e6f, -1e6f, 1e6f, "m",
                   "only terrain below it moves"),
    PLOY_FIELD_F32(ploy_thermal_def, wind_angle, 0, -3.1415927f, 3.1415927f, "rad",
                   "direction toward which the wind blows"),
    PLOY_FIELD_F32(ploy_thermal_def, wind, 0, 0, 1, "",
                   "how much more moves with the wind and less against it"),
};

ploy_fields ploy_thermal_fields(void) {
    return PLOY_FIELDS(ploy_thermal_def, thermal_fields);
}

ploy_thermal_def ploy_thermal_def_default(void) {
    ploy_thermal_def def;
    ploy_fields_default(ploy_thermal_fields(), &def);
    return def;
}

// What is the same for every cell.
typedef struct thermal_law {
    float threshold, most; // m
    float max_altitude;    // m
    float along[4];        // factor on what moves in direction 0 = +x, 1 = +y, 2 = -y, 3 = -x
} thermal_law;

typedef struct thermal_state {
    ploy_terrain terrain;
    ploy_thermal_def def;
    thermal_law law;
    float excess;   // at the last test
    float *residue; // m, of each cell: what is not in its elevation yet
} thermal_state;

PLOYI_INLINE float thermal_moved(thermal_law law, float from, float to, float factor) {
    float excess = from - law.threshold - to;
    excess = excess > 0.0f ? excess : 0.0f;
    excess = excess < law.most ? excess : law.most;
    excess = from <= law.max_altitude ? excess : 0.0f;
    return excess * 0.125f * factor;
}

// Net gain over one edge; in and out are the factors of the two directions, 0 at the map's edge.
PLOYI_INLINE float thermal_gain(thermal_law law, float here, float there, float in, float out) {
    return thermal_moved(law, there, here, in) - thermal_moved(law, here, there, out);
}

// Adds a gain to an elevation, keeping what rounding leaves over.
PLOYI_INLINE float thermal_add(float here, float gain, float *residue) {
    float sum = gain + *residue;
    float changed = here + sum;
    *residue = sum - (changed - here);
    return changed;
}

// Columns [2, columns - 2) of an inner row. in_up and in_down are 0 where that row is the edge.
PLOYI_INLINE void thermal_row_body(int32_t columns, thermal_law law, float in_up, float in_down,
                                   const float *restrict up, const float *restrict row,
                                   const float *restrict down, float *restrict residue,
                                   float *restrict out) {
    for (int32_t x = 2; x < columns - 2; x++) {
        float here = row[x];
        float east = thermal_gain(law, here, row[x + 1], law.along[3], law.along[0]);
        float west = thermal_gain(law, here, row[x - 1], law.along[0], law.along[3]);
        float north = thermal_gain(law, here, down[x], in_down, law.along[1]);
        float south = thermal_gain(law, here, up[x], in_up, law.along[2]);
        out[x] = thermal_add(here, (east + west) + (north + south), &residue[x]);
    }
}

PLOYI_KERNEL(thermal_row,
             (int32_t columns, thermal_law law, float in_up, float in_down,
              const float *restrict up, const float *restrict row, const float *restrict down,
              float *restrict residue, float *restrict out),
             (columns, law, in_up, in_down, up, row, down, residue, out))

// The gain of any cell, with every neighbour looked at.
static float thermal_cell(const thermal_state *self, const float *snapshot, int32_t x, int32_t y) {
    static const int32_t dx[4] = {1, 0, 0, -1}, dy[4] = {0, 1, -1, 0};
    const ploy_heightmap_def *size = ploy_heightmap_def_of(self->terrain.map);
    bool inner = x > 0 && y > 0 && x < size->columns - 1 && y < size->rows - 1;
    float here = snapshot[y * size->columns + x], gains[4];
    for (int32_t i = 0; i < 4; i++) {
        int32_t nx = x + dx[i], ny = y + dy[i];
        gains[i] = 0.0f;
        if (nx < 0 || ny < 0 || nx >= size->columns || ny >= size->rows) continue;
        bool there_inner = nx > 0 && ny > 0 && nx < size->columns - 1 && ny < size->rows - 1;
        gains[i] = thermal_gain(self->law, here, snapshot[ny * size->columns + nx],
                                there_inner ? self->law.along[3 - i] : 0.0f,
                                inner ? self->law.along[i] : 0.0f);
    }
    return (gains[0] + gains[3]) + (gains[1] + gains[2]);
}

static ploy_result thermal_setup(ploy_terrain *terrain, ploy_rng_key key) {
    thermal_state *self = (thermal_state *)(void *)terrain;
    (void)key;
    float spacing = ploy_heightmap_def_of(terrain->map)->spacing;
    self->law.threshold = spacing * ploy_tanf(self->def.angle);
    self->law.most = 2.0f * self->law.threshold;
    self->law.max_altitude = self->def.max_altitude;
    float sine = 0.0f, cosine = 1.0f;
    ploy_sincosf(self->def.wind_angle, &sine, &cosine);
    self->law.along[0] = 1.0f + self->def.wind * cosine;
    self->law.along[1] = 1.0f + self->def.wind * sine;
    self->law.along[2] = 1.0f - self->def.wind * sine;
    self->law.along[3] = 1.0f - self->def.wind * cosine;
    terrain->passes = self->def.passes;
    terrain->stages = 2;
    int64_t cells = ploy_heightmap_cells(terrain->map);
    ploy_result result = ployi_terrain_scratch(terrain, 2 * cells);
    if (result == PLOY_OK) self->residue = terrain->scratch + cells;
    return result;
}

static void thermal_stage(ploy_terrain *terrain, int32_t stage, int32_t first, int32_t count) {
    const thermal_state *self = (const thermal_state *)(const void *)terrain;
    const ploy_heightmap_def *size = ploy_heightmap_def_of(terrain->map);
    int32_t columns = size->columns, last = size->rows - 1;
    float *elevation = ploy_heightmap_elevation(terrain->map), *snapshot = terrain->scratch;
    if (stage == 0) {
        size_t begin = (size_t)first * (size_t)columns;
        memcpy(snapshot + begin, elevation + begin,
               (size_t)count * (size_t)columns * sizeof(float));
        return;
    }
    for (int32_t y = first; y < first + count; y++) {
        size_t at = (size_t)y * (size_t)columns;
        float *out = elevation + at, *residue = self->residue + at;
        const float *row = snapshot + at;
        if (y > 0 && y < last) {
            float in_up = y > 1 ? self->law.along[1] : 0.0f;
            float in_down = y < last - 1 ? self->law.along[2] : 0.0f;
            thermal_row(columns, self->law, in_up, in_down, row - columns, row, row + columns,
                        residue, out);
        }
        // Two cells at each end of a row: those at the edge of the map only receive.
        for (int32_t x = 0; x < columns; x++) {
            out[x] = thermal_add(row[x], thermal_cell(self, snapshot, x, y), &residue[x]);
            if (x == 1 && columns > 4 && y > 0 && y < last) x = columns - 3;
        }
    }
}

float ploy_thermal_excess(const ploy_heightmap *map, float angle) {
    const ploy_heightmap_def *size = ploy_heightmap_def_of(map);
    const float *elevation = ploy_heightmap_elevation(map);
    float threshold = size->spacing * ploy_tanf(angle), most = 0.0f;
    for (int32_t y = 1; y < size->rows - 1; y++) {
        const float *row = elevation + (size_t)y * (size_t)size->columns;
        for (int32_t x = 1; x < size->columns - 1; x++) {
            float low = ploy_minf(ploy_minf(row[x - 1], row[x + 1]),
                                  ploy_minf(row[x - size->columns], row[x + size->columns]));
            most = ploy_maxf(most, row[x] - threshold - low);
        }
    }
    return most;
}

static bool thermal_pass_end(ploy_terrain *terrain) {
    thermal_state *self = (thermal_state *)(void *)terrain;
    if (!(self->def.settle > 0.0f)) return false;
    bool last = terrain->pass == self->def.passes;
    if (terrain->pass % THERMAL_TEST_EVERY != 0 && !last) return false;
    self->excess = ploy_thermal_excess(terrain->map, self->def.angle);
    if (self->excess <= self->def.settle) return true;
    if (last) {
        terrain->outcome.partial = true;
        terrain->outcome.limit = "passes";
    }
    return false;
}

static void thermal_describe(const ploy_terrain *terrain, ploy_describe *out) {
    const thermal_state *self = (const thermal_state *)(const void *)terrain;
    ploy_describe_f32(out, "excess", PLOY_NOTE, ploy_thermal_excess(terrain->map, self->def.angle));
}

static const ployi_terrain_type thermal_type = {"thermal",
                                                sizeof(thermal_state),
                                                offsetof(thermal_state, def),
                                                ploy_thermal_fields,
                                                false,
                                                thermal_setup,
                                                NULL,
                                                thermal_stage,
                                                thermal_pass_end,
                                                NULL,
                                                thermal_describe};

PLOYI_TERRAIN_MODIFIER(thermal, "loose ground slides down until no slope is too steep",
                       "one row of one pass")
