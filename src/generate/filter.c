// Altitude filters; see terrain.h. The curves are evaluated in double, so that they keep the ends.
#include <string.h>

#include "generate/terrain_internal.h"
#include "ploy/base/math.h"

static const char *const filter_kinds[PLOY_FILTER_COUNT] = {"desert", "glacier", "terrace", "steps",
                                                            "canyon", "island",  "blend"};

static const ploy_field filter_fields[] = {
    PLOY_FIELD_ENUM(ploy_filter_def, kind, PLOY_FILTER_DESERT, filter_kinds, "shape of the ground"),
    PLOY_FIELD_F32(ploy_filter_def, max_height, 0, 0, 1e6f, "m",
                   "height of the curve; 0: the highest elevation"),
    PLOY_FIELD_F32(ploy_filter_def, sharpness, 6, 0.1f, 100, "", "steepness of the curve"),
    PLOY_FIELD_BOOL(ploy_filter_def, rescale, false, "keep the lowest and the highest height"),
    PLOY_FIELD_I32(ploy_filter_def, tiers, 4, 1, 1000, "", "terraces"),
    PLOY_FIELD_F32(ploy_filter_def, level, 0.3f, 0, 1, "",
                   "of a canyon's rim, share of the height"),
    PLOY_FIELD_F32(ploy_filter_def, share, 0.5f, 0, 1, "", "of the bitmap"),
};

ploy_fields ploy_filter_fields(void) {
    return PLOY_FIELDS(ploy_filter_def, filter_fields);
}

ploy_filter_def ploy_filter_def_default(void) {
    ploy_filter_def def;
    ploy_fields_default(ploy_filter_fields(), &def);
    return def;
}

typedef struct filter_state {
    ploy_terrain terrain;
    ploy_filter_def def;
    float max_height;
    const float *bitmap;
} filter_state;

static double filter_logistic(double t) {
    return 1.0 / (1.0 + ploy_exp(-t));
}

// The share of M that a share of M becomes.
static double filter_share(const ploy_filter_def *def, double h) {
    double sharpness = (double)def->sharpness;
    switch (def->kind) {
    case PLOY_FILTER_DESERT: {
        double out = filter_logistic(sharpness * (h - 0.5) / 0.5);
        if (!def->rescale) return out;
        double low = filter_logistic(-sharpness), high = filter_logistic(sharpness);
        return (out - low) / (high - low);
    }
    case PLOY_FILTER_GLACIER: {
        double out = 2.0 * filter_logistic(sharpness * (h - 1.0));
        if (!def->rescale) return out;
        double low = 2.0 * filter_logistic(-sharpness);
        return (out - low) / (1.0 - low);
    }
    case PLOY_FILTER_TERRACE: {
        double turn = 2.0 * PLOY_PI * def->tiers;
        return h - ploy_sin(turn * h) / turn;
    }
    case PLOY_FILTER_STEPS: return floor(h * def->tiers) / def->tiers;
    case PLOY_FILTER_CANYON:
        return h * filter_logistic(10.0 * sharpness * (h - (double)def->level));
    default: return h;
    }
}

float ploy_filter_height(const ploy_filter_def *def, float max_height, float height) {
    if (!(max_height > 0.0f)) return height;
    double share = filter_share(def, (double)height / (double)max_height);
    return (float)((double)max_height * share);
}

static ploy_result filter_setup(ploy_terrain *terrain, ploy_rng_key key) {
    filter_state *self = (filter_state *)(void *)terrain;
    (void)key;
    terrain->passes = 1;
    float low = 0.0f;
    ploy_heightmap_range(terrain->map, &low, &self->max_height);
    if (self->def.max_height > 0.0f) self->max_height = self->def.max_height;
    self->bitmap = ploy_heightmap_layer(terrain->map, "bitmap", PLOY_HEIGHTMAP_F32);
    return PLOY_OK;
}

// How much of the height the island keeps at a point: fades over the outer quarter.
static float filter_island(const ploy_heightmap_def *size, int32_t column, int32_t row) {
    double x = (double)column - 0.5 * size->columns, y = (double)row - 0.5 * size->rows;
    double half = 0.5 * (size->columns < size->rows ? size->columns : size->rows);
    double keep = 4.0 * (1.0 - sqrt(x * x + y * y) / half);
    return (float)(keep < 0.0 ? 0.0 : keep > 1.0 ? 1.0 : keep);
}

static void filter_stage(ploy_terrain *terrain, int32_t stage, int32_t first, int32_t count) {
    const filter_state *self = (const filter_state *)(const void *)terrain;
    (void)stage;
    const ploy_heightmap_def *size = ploy_heightmap_def_of(terrain->map);
    float *elevation = ploy_heightmap_elevation(terrain->map);
    for (int32_t row = first; row < first + count; row++) {
        for (int32_t column = 0; column < size->columns; column++) {
            int32_t cell = row * size->columns + column;
            if (self->def.kind == PLOY_FILTER_ISLAND) {
                elevation[cell] *= filter_island(size, column, row);
            } else if (self->def.kind == PLOY_FILTER_BLEND) {
                if (self->bitmap == NULL) continue;
                elevation[cell] = self->def.share * self->bitmap[cell] +
                                  (1.0f - self->def.share) * elevation[cell];
            } else {
                elevation[cell] = ploy_filter_height(&self->def, self->max_height, elevation[cell]);
            }
        }
    }
}

static const ployi_terrain_type filter_type = {"filter",
                                               sizeof(filter_state),
                                               offsetof(filter_state, def),
                                               ploy_filter_fields,
                                               false,
                                               filter_setup,
                                               NULL,
                                               filter_stage,
                                               NULL,
                                               NULL,
                                               NULL};

PLOYI_TERRAIN_MODIFIER(filter, "bends all heights by a curve: deserts, glaciers, terraces, islands",
                       "one row")
