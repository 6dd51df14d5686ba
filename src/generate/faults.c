// Faults; see terrain.h. A fault is drawn from the key by its number, so any one can be asked for.
#include <string.h>

#include "generate/terrain_internal.h"
#include "ploy/base/math.h"

static const ploy_field faults_fields[] = {
    PLOY_FIELD_I32(ploy_faults_def, count, 200, 1, 10000, "", "faults"),
    PLOY_FIELD_F32(ploy_faults_def, depth, 1, -1e4f, 1e4f, "m", "depth of the first fault"),
    PLOY_FIELD_F32(ploy_faults_def, depth_last, 0.2f, -1e4f, 1e4f, "m", "depth of the last fault"),
    PLOY_FIELD_F32(ploy_faults_def, fade, 0, 0, 1e5f, "m",
                   "distance at which the change is halved; 0: the same everywhere"),
    PLOY_FIELD_F32(ploy_faults_def, curved, 0, 0, 1, "", "share of faults that are circles"),
    PLOY_FIELD_F32(ploy_faults_def, radius_min, 8, 0.01f, 1e5f, "m", "smallest circle"),
    PLOY_FIELD_F32(ploy_faults_def, radius_max, 40, 0.01f, 1e5f, "m", "largest circle"),
};

ploy_fields ploy_faults_fields(void) {
    return PLOY_FIELDS(ploy_faults_def, faults_fields);
}

ploy_faults_def ploy_faults_def_default(void) {
    ploy_faults_def def;
    ploy_fields_default(ploy_faults_fields(), &def);
    return def;
}

typedef struct faults_state {
    ploy_terrain terrain;
    ploy_faults_def def;
    ploy_rng_key key;
    ploy_fault fault; // of the present pass
} faults_state;

// Distance to the line, above 0 on the high side.
static float faults_side(const ploy_fault *fault, float sine, float cosine, ploy_vec2 point) {
    float dx = fault->point.x - point.x, dy = fault->point.y - point.y;
    if (fault->radius > 0.0f) return fault->radius - sqrtf(dx * dx + dy * dy);
    return dx * cosine + dy * sine;
}

static float faults_change(const ploy_fault *fault, float side) {
    float change = side > 0.0f ? fault->depth : -fault->depth;
    if (fault->fade > 0.0f) change *= fault->fade / (fault->fade + fabsf(side));
    return change;
}

float ploy_fault_change(const ploy_fault *fault, ploy_vec2 point) {
    float sine = 0.0f, cosine = 1.0f;
    ploy_sincosf(fault->angle, &sine, &cosine);
    return faults_change(fault, faults_side(fault, sine, cosine, point));
}

ploy_fault ploy_faults_at(const ploy_faults_def *def, ploy_rng_key key, const ploy_heightmap *map,
                          int32_t index) {
    const ploy_heightmap_def *size = ploy_heightmap_def_of(map);
    ploy_rng_key stream = ploy_generate_stream(key, "faults");
    uint32_t id = (uint32_t)index;
    ploy_fault fault;
    memset(&fault, 0, sizeof fault);
    float x = ploy_rng_range_at(stream, id, 0, 0, 0.0f, (float)(size->columns - 1));
    float y = ploy_rng_range_at(stream, id, 0, 1, 0.0f, (float)(size->rows - 1));
    fault.point.x = size->origin.x + x * size->spacing;
    fault.point.y = size->origin.y + y * size->spacing;
    fault.angle = ploy_rng_range_at(stream, id, 0, 2, -PLOY_PI_F, PLOY_PI_F);
    float share = def->count > 1 ? (float)index / (float)(def->count - 1) : 0.0f;
    fault.depth = ploy_lerpf(def->depth, def->depth_last, share);
    fault.fade = def->fade;
    if (ploy_rng_float_at(stream, id, 0, 3) < def->curved) {
        float most = ploy_maxf(def->radius_min, def->radius_max);
        fault.radius = ploy_rng_range_at(stream, id, 0, 4, def->radius_min, most);
        // A raised disc and a lowered one are equally likely, or circles would only make hills.
        if ((ploy_rng_u32_at(stream, id, 0, 5) & 1u) != 0) fault.depth = -fault.depth;
    }
    return fault;
}

static ploy_result faults_setup(ploy_terrain *terrain, ploy_rng_key key) {
    faults_state *self = (faults_state *)(void *)terrain;
    self->key = key;
    terrain->passes = self->def.count;
    return PLOY_OK;
}

static void faults_pass_begin(ploy_terrain *terrain) {
    faults_state *self = (faults_state *)(void *)terrain;
    self->fault = ploy_faults_at(&self->def, self->key, terrain->map, terrain->pass);
    ploy_trace_vec2(terrain->trace, "point", self->fault.point.x, self->fault.point.y);
    ploy_trace_f32(terrain->trace, "angle", self->fault.angle);
    ploy_trace_f32(terrain->trace, "radius", self->fault.radius);
    ploy_trace_f32(terrain->trace, "depth", self->fault.depth);
}

static void faults_stage(ploy_terrain *terrain, int32_t stage, int32_t first, int32_t count) {
    const faults_state *self = (const faults_state *)(const void *)terrain;
    (void)stage;
    const ploy_heightmap_def *size = ploy_heightmap_def_of(terrain->map);
    float sine = 0.0f, cosine = 1.0f;
    ploy_sincosf(self->fault.angle, &sine, &cosine);
    for (int32_t row = first; row < first + count; row++) {
        float *elevation =
            ploy_heightmap_elevation(terrain->map) + (size_t)row * (size_t)size->columns;
        ploy_vec2 point = {0.0f, size->origin.y + (float)row * size->spacing};
        for (int32_t column = 0; column < size->columns; column++) {
            point.x = size->origin.x + (float)column * size->spacing;
            float side = faults_side(&self->fault, sine, cosine, point);
            elevation[column] += faults_change(&self->fault, side);
        }
    }
}

static bool faults_pass_end(ploy_terrain *terrain) {
    const faults_state *self = (const faults_state *)(const void *)terrain;
    // Position, angle and the choice of curve, and for circles radius and sign.
    terrain->outcome.draws += self->fault.radius > 0.0f ? 6 : 4;
    return false;
}

static const ployi_terrain_type faults_type = {"faults",
                                               sizeof(faults_state),
                                               offsetof(faults_state, def),
                                               ploy_faults_fields,
                                               false,
                                               faults_setup,
                                               faults_pass_begin,
                                               faults_stage,
                                               faults_pass_end,
                                               NULL,
                                               NULL};

PLOYI_TERRAIN_MODIFIER(faults, "cracks that raise the ground on one side and lower it on the other",
                       "one row of one fault")
