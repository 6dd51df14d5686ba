// Hydraulic erosion on a grid; see erosion.h.
//
// Four stages over rows (terrain_internal.h says how they are run):
//
//     0  rain       water grows
//     1  flow       flows to the four neighbours, cut to the water that is there, and their sum
//     2  ground     pick up or put down by the speed of the water; sediment for each metre of flow
//     3  transport  water and sediment arrive; evaporation
//
// Flows are numbered 0 = +x, 1 = +y, 2 = -y, 3 = -x. Sums take opposite neighbours first, so that a
// turned map gives the turned bits. Every elevation change is booked as what the rounded sum really
// moved, so that ground plus sediment keeps its total far below the rounding of one elevation.
//
// The wall around the map is so high that nothing flows over it: cells at the edge need no test.
#include "ploy/generate/erosion.h"

#include <string.h>

#include "base/compiler.h"
#include "generate/terrain_internal.h"
#include "ploy/base/math.h"

#define HYDRAULIC_WALL 1e30f
// Flows are cut to a little less than the water, or rounding could leave less than none.
#define HYDRAULIC_CUT (1.0f - 1.0f / 2097152.0f)
// Water that counts as none where sediment is divided by it.
#define HYDRAULIC_DRY 1e-20f

static const char *const hydraulic_shares[] = {"of_flow", "of_water"};

static const ploy_field hydraulic_fields[] = {
    PLOY_FIELD_I32(ploy_hydraulic_def, passes, 120, 1, 1000000, "", "rounds of rain and flow"),
    PLOY_FIELD_F32(ploy_hydraulic_def, rain, 0.01f, 0, 100, "m", "on every cell in a pass"),
    PLOY_FIELD_F32(ploy_hydraulic_def, flow_rate, 0.1f, 0, 0.25f, "",
                   "share of the difference of levels that flows"),
    PLOY_FIELD_F32(ploy_hydraulic_def, carry, 0, 0, 1, "", "share of the flow that goes on"),
    PLOY_FIELD_F32(ploy_hydraulic_def, pick, 0.025f, 0, 100, "m",
                   "speed above which soil is picked up"),
    PLOY_FIELD_F32(ploy_hydraulic_def, drop, 0.02f, 0, 100, "m",
                   "speed below which sediment is put down"),
    PLOY_FIELD_F32(ploy_hydraulic_def, solubility, 0.04f, 0, 10, "", "soil picked up at speed 1"),
    PLOY_FIELD_F32(ploy_hydraulic_def, evaporation, 0.06f, 0, 1, "", "share of the water"),
    PLOY_FIELD_ENUM(ploy_hydraulic_def, share, PLOY_SEDIMENT_OF_WATER, hydraulic_shares,
                    "sediment that leaves: all with any flow, or as much as of the water"),
    PLOY_FIELD_F32(ploy_hydraulic_def, windward, 0, 0, 100, "",
                   "more rain on slopes that face the wind"),
    PLOY_FIELD_F32(ploy_hydraulic_def, wind_angle, 0, -3.1415927f, 3.1415927f, "rad",
                   "direction toward which the wind blows"),
    PLOY_FIELD_F32(ploy_hydraulic_def, loose, 1, 0, 100, "",
                   "solubility of soil that was put down, to that of rock"),
};

ploy_fields ploy_hydraulic_fields(void) {
    return PLOY_FIELDS(ploy_hydraulic_def, hydraulic_fields);
}

ploy_hydraulic_def ploy_hydraulic_def_default(void) {
    ploy_hydraulic_def def;
    ploy_fields_default(ploy_hydraulic_fields(), &def);
    return def;
}

typedef struct hydraulic_state {
    ploy_terrain terrain;
    ploy_hydraulic_def def;
    float *elevation, *water, *sediment, *total; // layers
    float *flow[4], *load;                       // scratch; load: sediment for each metre of flow
    float *loose;                                // m put down before, or NULL
    const float *softness;                       // layer, or NULL
    const float *wall, *zero;                    // rows beyond the edge
    float wind_x, wind_y;
} hydraulic_state;

// ---- rain

PLOYI_INLINE void hydraulic_rain_body(int32_t columns, float rain, float *restrict water) {
    for (int32_t x = 0; x < columns; x++) water[x] += rain;
}

PLOYI_KERNEL(hydraulic_rain, (int32_t columns, float rain, float *restrict water),
             (columns, rain, water))

static void hydraulic_rain_windward(const hydraulic_state *self, int32_t y) {
    const ploy_heightmap_def *size = ploy_heightmap_def_of(self->terrain.map);
    int32_t columns = size->columns;
    int32_t up = ploy_maxi(y - 1, 0), down = ploy_mini(y + 1, size->rows - 1);
    for (int32_t x = 0; x < columns; x++) {
        int32_t left = ploy_maxi(x - 1, 0), right = ploy_mini(x + 1, columns - 1);
        float dx = self->elevation[y * columns + right] - self->elevation[y * columns + left];
        float dy = self->elevation[down * columns + x] - self->elevation[up * columns + x];
        dx /= (float)(right - left) * size->spacing;
        dy /= (float)(down - up) * size->spacing;
        float rise = dx * self->wind_x + dy * self->wind_y;
        float factor = 1.0f + self->def.windward * rise;
        self->water[y * columns + x] += self->def.rain * ploy_maxf(factor, 0.0f);
    }
}

// ---- flow

typedef struct hydraulic_flows {
    float flow[4], total;
} hydraulic_flows;

PLOYI_INLINE float hydraulic_flow_to(float rate, float carry, float old, float here, float there) {
    float flow = carry * old + rate * (here - there);
    return flow > 0.0f ? flow : 0.0f;
}

// near: water levels of the neighbours; old: the flows of the last pass.
PLOYI_INLINE hydraulic_flows hydraulic_flow_cell(float rate, float carry, float water, float here,
                                                 float near0, float near1, float near2, float near3,
                                                 float old0, float old1, float old2, float old3) {
    float f0 = hydraulic_flow_to(rate, carry, old0, here, near0);
    float f1 = hydraulic_flow_to(rate, carry, old1, here, near1);
    float f2 = hydraulic_flow_to(rate, carry, old2, here, near2);
    float f3 = hydraulic_flow_to(rate, carry, old3, here, near3);
    float total = (f0 + f3) + (f1 + f2);
    float scale = total > water ? water * HYDRAULIC_CUT / total : 1.0f;
    hydraulic_flows out = {{f0 * scale, f1 * scale, f2 * scale, f3 * scale}, 0.0f};
    out.total = (out.flow[0] + out.flow[3]) + (out.flow[1] + out.flow[2]);
    return out;
}

PLOYI_INLINE void hydraulic_flow_body(int32_t columns, float rate, float carry,
                                      const float *restrict eu, const float *restrict em,
                                      const float *restrict ed, const float *restrict wu,
                                      const float *restrict wm, const float *restrict wd,
                                      float *restrict f0, float *restrict f1, float *restrict f2,
                                      float *restrict f3, float *restrict total) {
    for (int32_t x = 1; x < columns - 1; x++) {
        hydraulic_flows out = hydraulic_flow_cell(
            rate, carry, wm[x], em[x] + wm[x], em[x + 1] + wm[x + 1], ed[x] + wd[x], eu[x] + wu[x],
            em[x - 1] + wm[x - 1], f0[x], f1[x], f2[x], f3[x]);
        f0[x] = out.flow[0];
        f1[x] = out.flow[1];
        f2[x] = out.flow[2];
        f3[x] = out.flow[3];
        total[x] = out.total;
    }
}

PLOYI_KERNEL(hydraulic_flow,
             (int32_t columns, float rate, float carry, const float *restrict eu,
              const float *restrict em, const float *restrict ed, const float *restrict wu,
              const float *restrict wm, const float *restrict wd, float *restrict f0,
              float *restrict f1, float *restrict f2, float *restrict f3, float *restrict total),
             (columns, rate, carry, eu, em, ed, wu, wm, wd, f0, f1, f2, f3, total))

static void hydraulic_flow_row(const hydraulic_state *self, int32_t y) {
    const ploy_heightmap_def *size = ploy_heightmap_def_of(self->terrain.map);
    int32_t columns = size->columns;
    size_t at = (size_t)y * (size_t)columns;
    const float *em = self->elevation + at, *wm = self->water + at;
    const float *eu = y > 0 ? em - columns : self->wall, *wu = y > 0 ? wm - columns : self->zero;
    bool last = y == size->rows - 1;
    const float *ed = last ? self->wall : em + columns, *wd = last ? self->zero : wm + columns;
    float *f0 = self->flow[0] + at, *f1 = self->flow[1] + at;
    float *f2 = self->flow[2] + at, *f3 = self->flow[3] + at, *total = self->total + at;
    float rate = self->def.flow_rate, carry = self->def.carry;
    hydraulic_flow(columns, rate, carry, eu, em, ed, wu, wm, wd, f0, f1, f2, f3, total);
    const int32_t edges[2] = {0, columns - 1};
    for (int32_t i = 0; i < 2; i++) {
        int32_t x = edges[i];
        float east = x < columns - 1 ? em[x + 1] + wm[x + 1] : HYDRAULIC_WALL;
        float west = x > 0 ? em[x - 1] + wm[x - 1] : HYDRAULIC_WALL;
        hydraulic_flows out =
            hydraulic_flow_cell(rate, carry, wm[x], em[x] + wm[x], east, ed[x] + wd[x],
                                eu[x] + wu[x], west, f0[x], f1[x], f2[x], f3[x]);
        f0[x] = out.flow[0];
        f1[x] = out.flow[1];
        f2[x] = out.flow[2];
        f3[x] = out.flow[3];
        total[x] = out.total;
    }
}

// ---- ground

typedef struct hydraulic_law {
    float pick, drop, per_drop; // per_drop: 1 / drop, 0 for 0
    float solubility;
    float of_water; // 1 or 0; a bool would keep the loops from becoming vectors
} hydraulic_law;

typedef struct hydraulic_ground {
    float elevation, moved, keep, load;
} hydraulic_ground;

// vx and vy: velocity of the water. keep: sediment that stays; load: what goes with a metre of flow.
PLOYI_INLINE hydraulic_ground hydraulic_ground_cell(hydraulic_law law, float solubility, float vx,
                                                    float vy, float elevation, float water,
                                                    float sediment, float total) {
    float speed = sqrtf(vx * vx + vy * vy);
    float slow = law.drop - speed;
    slow = slow > 0.0f ? slow : 0.0f;
    float drop = sediment * (slow * law.per_drop);
    float pick = -(speed * solubility);
    float changed = elevation + (speed > law.pick ? pick : drop);
    float moved = changed - elevation; // what the rounded sum really moved
    moved = sediment < moved ? 0.0f : moved;
    float left = sediment - moved;
    hydraulic_ground out;
    out.elevation = elevation + moved;
    out.moved = moved;
    float source = law.of_water > 0.0f ? water : total;
    float some = source > HYDRAULIC_DRY ? source : 1.0f;
    float load = left / some;
    out.load = source > HYDRAULIC_DRY ? load : 0.0f;
    float rest = left - total * out.load;
    float stays = law.of_water > 0.0f ? rest : 0.0f;
    out.keep = source > HYDRAULIC_DRY ? stays : left;
    return out;
}

PLOYI_INLINE void hydraulic_ground_row_body(int32_t columns, hydraulic_law law,
                                            const float *restrict f0, const float *restrict f1,
                                            const float *restrict f1u, const float *restrict f2,
                                            const float *restrict f2d, const float *restrict f3,
                                            const float *restrict total,
                                            const float *restrict water, float *restrict elevation,
                                            float *restrict sediment, float *restrict load) {
    for (int32_t x = 1; x < columns - 1; x++) {
        float vx = (f0[x] - f3[x]) + (f0[x - 1] - f3[x + 1]);
        float vy = (f1[x] - f2[x]) + (f1u[x] - f2d[x]);
        hydraulic_ground out = hydraulic_ground_cell(law, law.solubility, vx, vy, elevation[x],
                                                     water[x], sediment[x], total[x]);
        elevation[x] = out.elevation;
        sediment[x] = out.keep;
        load[x] = out.load;
    }
}

PLOYI_KERNEL(hydraulic_ground_row,
             (int32_t columns, hydraulic_law law, const float *restrict f0,
              const float *restrict f1, const float *restrict f1u, const float *restrict f2,
              const float *restrict f2d, const float *restrict f3, const float *restrict total,
              const float *restrict water, float *restrict elevation, float *restrict sediment,
              float *restrict load),
             (columns, law, f0, f1, f1u, f2, f2d, f3, total, water, elevation, sediment, load))

static void hydraulic_ground_stage(const hydraulic_state *self, int32_t y) {
    const ploy_heightmap_def *size = ploy_heightmap_def_of(self->terrain.map);
    int32_t columns = size->columns;
    size_t at = (size_t)y * (size_t)columns;
    const ploy_hydraulic_def *def = &self->def;
    hydraulic_law law = {def->pick, def->drop, def->drop > 0.0f ? 1.0f / def->drop : 0.0f,
                         def->solubility, def->share == PLOY_SEDIMENT_OF_WATER ? 1.0f : 0.0f};
    const float *f0 = self->flow[0] + at, *f1 = self->flow[1] + at;
    const float *f2 = self->flow[2] + at, *f3 = self->flow[3] + at;
    const float *f1u = y > 0 ? f1 - columns : self->zero;
    const float *f2d = y < size->rows - 1 ? f2 + columns : self->zero;
    float *elevation = self->elevation + at, *sediment = self->sediment + at;
    const float *total = self->total + at, *water = self->water + at;
    float *load = self->load + at;
    bool plain = self->loose == NULL && self->softness == NULL;
    if (plain) {
        hydraulic_ground_row(columns, law, f0, f1, f1u, f2, f2d, f3, total, water, elevation,
                             sediment, load);
    }
    // The two edge cells, or with rock types and loose ground all of them.
    for (int32_t x = 0; x < columns; x += plain ? columns - 1 : 1) {
        float vx =
            (f0[x] - f3[x]) + ((x > 0 ? f0[x - 1] : 0.0f) - (x < columns - 1 ? f3[x + 1] : 0.0f));
        float vy = (f1[x] - f2[x]) + (f1u[x] - f2d[x]);
        float solubility = law.solubility;
        if (self->softness != NULL) solubility *= self->softness[at + (size_t)x];
        if (self->loose != NULL && self->loose[at + (size_t)x] > 0.0f) solubility *= def->loose;
        hydraulic_ground out = hydraulic_ground_cell(law, solubility, vx, vy, elevation[x],
                                                     water[x], sediment[x], total[x]);
        elevation[x] = out.elevation;
        sediment[x] = out.keep;
        load[x] = out.load;
        if (self->loose != NULL) {
            float depth = self->loose[at + (size_t)x] + out.moved;
            self->loose[at + (size_t)x] = depth > 0.0f ? depth : 0.0f;
        }
    }
}

// ---- transport

PLOYI_INLINE void hydraulic_arrive(float left, float *water, float *sediment, float total,
                                   float in0, float in1, float in2, float in3, float load0,
                                   float load1, float load2, float load3) {
    *water = (*water - total + ((in0 + in3) + (in1 + in2))) * left;
    *sediment += (in0 * load0 + in3 * load3) + (in1 * load1 + in2 * load2);
}

PLOYI_INLINE void hydraulic_move_body(int32_t columns, float left, const float *restrict f0,
                                      const float *restrict f1u, const float *restrict f2d,
                                      const float *restrict f3, const float *restrict total,
                                      const float *restrict qu, const float *restrict qm,
                                      const float *restrict qd, float *restrict water,
                                      float *restrict sediment) {
    for (int32_t x = 1; x < columns - 1; x++) {
        hydraulic_arrive(left, &water[x], &sediment[x], total[x], f0[x - 1], f1u[x], f2d[x],
                         f3[x + 1], qm[x - 1], qu[x], qd[x], qm[x + 1]);
    }
}

PLOYI_KERNEL(hydraulic_move,
             (int32_t columns, float left, const float *restrict f0, const float *restrict f1u,
              const float *restrict f2d, const float *restrict f3, const float *restrict total,
              const float *restrict qu, const float *restrict qm, const float *restrict qd,
              float *restrict water, float *restrict sediment),
             (columns, left, f0, f1u, f2d, f3, total, qu, qm, qd, water, sediment))

static void hydraulic_move_stage(const hydraulic_state *self, int32_t y) {
    const ploy_heightmap_def *size = ploy_heightmap_def_of(self->terrain.map);
    int32_t columns = size->columns;
    size_t at = (size_t)y * (size_t)columns;
    bool first = y == 0, last = y == size->rows - 1;
    const float *f0 = self->flow[0] + at, *f3 = self->flow[3] + at;
    const float *f1u = first ? self->zero : self->flow[1] + at - columns;
    const float *f2d = last ? self->zero : self->flow[2] + at + columns;
    const float *qm = self->load + at;
    const float *qu = first ? self->zero : qm - columns, *qd = last ? self->zero : qm + columns;
    float *water = self->water + at, *sediment = self->sediment + at;
    const float *total = self->total + at;
    float left = 1.0f - self->def.evaporation;
    hydraulic_move(columns, left, f0, f1u, f2d, f3, total, qu, qm, qd, water, sediment);
    const int32_t edges[2] = {0, columns - 1};
    for (int32_t i = 0; i < 2; i++) {
        int32_t x = edges[i];
        bool west = x > 0, east = x < columns - 1;
        hydraulic_arrive(left, &water[x], &sediment[x], total[x], west ? f0[x - 1] : 0.0f, f1u[x],
                         f2d[x], east ? f3[x + 1] : 0.0f, west ? qm[x - 1] : 0.0f, qu[x], qd[x],
                         east ? qm[x + 1] : 0.0f);
    }
}

// ---- the modifier

static ploy_result hydraulic_layer(hydraulic_state *self, const char *name, float **out) {
    void *values = NULL;
    ploy_result result = ploy_heightmap_add(self->terrain.map, name, PLOY_HEIGHTMAP_F32, &values);
    *out = values;
    return result;
}

static ploy_result hydraulic_setup(ploy_terrain *terrain, ploy_rng_key key) {
    hydraulic_state *self = (hydraulic_state *)(void *)terrain;
    (void)key;
    terrain->passes = self->def.passes;
    terrain->stages = 4;
    self->elevation = ploy_heightmap_elevation(terrain->map);
    ploy_result result = hydraulic_layer(self, "water", &self->water);
    if (result == PLOY_OK) result = hydraulic_layer(self, "sediment", &self->sediment);
    if (result == PLOY_OK) result = hydraulic_layer(self, "flow", &self->total);
    if (result != PLOY_OK) return result;
    self->softness = ploy_heightmap_layer(terrain->map, "softness", PLOY_HEIGHTMAP_F32);
    int64_t cells = ploy_heightmap_cells(terrain->map);
    int32_t columns = ploy_heightmap_def_of(terrain->map)->columns;
    bool loose = self->def.loose != 1.0f;
    result = ployi_terrain_scratch(terrain, (loose ? 6 : 5) * cells + 2 * (int64_t)columns);
    if (result != PLOY_OK) return result;
    float *next = terrain->scratch;
    for (int32_t i = 0; i < 4; i++, next += cells) self->flow[i] = next;
    self->load = next;
    next += cells;
    for (int32_t x = 0; x < columns; x++) next[x] = HYDRAULIC_WALL;
    self->wall = next;
    self->zero = next + columns;
    if (loose) self->loose = next + 2 * columns;
    float sine = 0.0f, cosine = 1.0f;
    ploy_sincosf(self->def.wind_angle, &sine, &cosine);
    self->wind_x = cosine;
    self->wind_y = sine;
    return PLOY_OK;
}

static void hydraulic_stage(ploy_terrain *terrain, int32_t stage, int32_t first, int32_t count) {
    hydraulic_state *self = (hydraulic_state *)(void *)terrain;
    int32_t columns = ploy_heightmap_def_of(terrain->map)->columns;
    for (int32_t y = first; y < first + count; y++) {
        switch (stage) {
        case 0:
            if (self->def.windward > 0.0f) {
                hydraulic_rain_windward(self, y);
            } else {
                hydraulic_rain(columns, self->def.rain, self->water + (size_t)y * (size_t)columns);
            }
            break;
        case 1: hydraulic_flow_row(self, y); break;
        case 2: hydraulic_ground_stage(self, y); break;
        default: hydraulic_move_stage(self, y); break;
        }
    }
}

static void hydraulic_describe(const ploy_terrain *terrain, ploy_describe *out) {
    const hydraulic_state *self = (const hydraulic_state *)(const void *)terrain;
    double water = 0.0, sediment = 0.0;
    int32_t cells = ploy_heightmap_cells(terrain->map);
    for (int32_t i = 0; i < cells; i++) {
        water += (double)self->water[i];
        sediment += (double)self->sediment[i];
    }
    ploy_describe_f64(out, "water", PLOY_NOTE, water);
    ploy_describe_f64(out, "sediment", PLOY_NOTE, sediment);
}

static const ployi_terrain_type hydraulic_type = {"hydraulic",
                                                  sizeof(hydraulic_state),
                                                  offsetof(hydraulic_state, def),
                                                  ploy_hydraulic_fields,
                                                  false,
                                                  hydraulic_setup,
                                                  NULL,
                                                  hydraulic_stage,
                                                  NULL,
                                                  NULL,
                                                  hydraulic_describe};

PLOYI_TERRAIN_MODIFIER(hydraulic, "rain and flowing water cut valleys and fill plains",
                       "one row of one pass")
