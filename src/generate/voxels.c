// Voxel landscapes; see the header. Cube (column, row, layer) is cubes[(row * layers + layer) * columns +
// column]: a row of columns is one slab, and its cut is the slab itself.
#include "ploy/generate/voxels.h"

#include <string.h>

#include "generate/generate_internal.h"
#include "ploy/base/hash.h"
#include "ploy/base/math.h"
#include "ploy/generate/noise.h"

#define VOXELS_MAX (1 << 30)

static const ploy_field voxels_fields[] = {
    PLOY_FIELD_I32(ploy_voxels_def, layers, 32, 1, 1024, "", "cubes from bottom to top"),
    PLOY_FIELD_F32(ploy_voxels_def, bottom, -8, -1e5f, 1e5f, "m", "height of the lowest side"),
    PLOY_FIELD_F32(ploy_voxels_def, height, 0, 0, 1e4f, "m", "of a cube; 0: the map's spacing"),
    PLOY_FIELD_F32(ploy_voxels_def, soil, 1.5f, 0, 1e4f, "m", "depth of the soil"),
    PLOY_FIELD_F32(ploy_voxels_def, stratum, 4, 0.01f, 1e4f, "m", "thickness of a layer of rock"),
    PLOY_FIELD_I32(ploy_voxels_def, rocks, 3, 1, 200, "", "types of rock"),
    PLOY_FIELD_F32(ploy_voxels_def, bend, 3, 0, 1e4f, "m", "how far layers bend"),
    PLOY_FIELD_F32(ploy_voxels_def, cave_size, 14, 0.1f, 1e4f, "m",
                   "distance between bends of tunnels"),
    PLOY_FIELD_F32(ploy_voxels_def, cave_width, 0.07f, 0, 1, "", "0: no caves; larger: wider"),
    PLOY_FIELD_F32(ploy_voxels_def, cave_depth, 2, 0, 1e4f, "m",
                   "below the surface; 0: caves open to it"),
};

ploy_fields ploy_voxels_fields(void) {
    return PLOY_FIELDS(ploy_voxels_def, voxels_fields);
}

ploy_voxels_def ploy_voxels_def_default(void) {
    ploy_voxels_def def;
    ploy_fields_default(ploy_voxels_fields(), &def);
    return def;
}

struct ploy_voxels {
    ploy_env env;
    ploy_voxels_def def;
    ploy_trace *trace;
    const ploy_heightmap *map;
    int32_t columns, rows;
    float height; // m, of a cube
    ploy_noise caves, bends;
    uint8_t *cubes;
    size_t cube_count;
    float *samples; // noise of one slab
    int32_t *cut;   // the middle slab as tiles
    size_t slab;    // cubes in a slab
    int32_t row;
    ploy_generate_outcome outcome;
};

ploy_result ploy_voxels_begin(const ploy_voxels_def *def, ploy_rng_key key,
                              const ploy_heightmap *map, ploy_trace *trace, const ploy_env *env,
                              ploy_voxels **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (map == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_voxels_fields(), def, env);
    if (result != PLOY_OK) return result;
    const ploy_heightmap_def *size = ploy_heightmap_def_of(map);
    int64_t cubes = (int64_t)size->columns * size->rows * def->layers;
    if (cubes > VOXELS_MAX) return PLOY_ERR_LIMIT;
    ploy_voxels *voxels = ploy_env_alloc_zero(env, sizeof *voxels);
    if (voxels == NULL) return PLOY_ERR_MEMORY;
    voxels->env = *env;
    voxels->def = *def;
    voxels->trace = trace;
    voxels->map = map;
    voxels->columns = size->columns;
    voxels->rows = size->rows;
    voxels->height = def->height > 0.0f ? def->height : size->spacing;
    voxels->slab = (size_t)size->columns * (size_t)def->layers;
    voxels->cube_count = (size_t)cubes;
    voxels->outcome.limit = "";
    voxels->cubes = ploy_env_alloc_zero(env, voxels->cube_count);
    voxels->samples = ploy_env_alloc_zero(env, voxels->slab * sizeof *voxels->samples);
    voxels->cut = ploy_env_alloc_zero(env, voxels->slab * sizeof *voxels->cut);
    bool enough = voxels->cubes != NULL && voxels->samples != NULL && voxels->cut != NULL;
    result = enough ? PLOY_OK : PLOY_ERR_MEMORY;
    ploy_noise_def noise = ploy_noise_def_default();
    noise.frequency = 1.0f / def->cave_size;
    if (result == PLOY_OK) {
        result = ploy_noise_init(&voxels->caves, &noise, ploy_generate_stream(key, "caves"), env);
    }
    noise.frequency = 0.25f / def->stratum;
    if (result == PLOY_OK) {
        result = ploy_noise_init(&voxels->bends, &noise, ploy_generate_stream(key, "bends"), env);
    }
    if (result != PLOY_OK) {
        ploy_voxels_cancel(voxels);
        return result;
    }
    *out = voxels;
    return PLOY_OK;
}

// Type of the ground at a depth below the surface, before caves are cut.
static uint8_t voxels_ground(const ploy_voxels *voxels, float middle, float depth, float bend) {
    const ploy_voxels_def *def = &voxels->def;
    if (depth <= 0.0f) return 0;
    if (depth <= def->soil) return 1;
    double layer = floor(((double)middle + (double)bend) / (double)def->stratum);
    double turn = layer - floor(layer / def->rocks) * def->rocks; // 0 to rocks - 1, also below 0
    return (uint8_t)(2 + ploy_clampi((int32_t)turn, 0, def->rocks - 1));
}

static void voxels_slab(ploy_voxels *voxels, int32_t row) {
    const ploy_heightmap_def *size = ploy_heightmap_def_of(voxels->map);
    const ploy_voxels_def *def = &voxels->def;
    const float *elevation =
        ploy_heightmap_elevation(voxels->map) + (size_t)row * (size_t)size->columns;
    uint8_t *cubes = voxels->cubes + (size_t)row * voxels->slab;
    ploy_noise_grid grid;
    memset(&grid, 0, sizeof grid);
    float lowest = def->bottom + 0.5f * voxels->height;
    grid.origin = ploy_vec3_make(size->origin.x, size->origin.y, lowest);
    grid.step = ploy_vec3_make(size->spacing, size->spacing, voxels->height);
    grid.first_row = row;
    grid.columns = size->columns;
    grid.rows = 1;
    grid.layers = def->layers;
    bool caves = def->cave_width > 0.0f;
    if (caves) ploy_noise_fill3(&voxels->caves, &grid, voxels->samples, size->columns);
    for (int32_t column = 0; column < size->columns; column++) {
        ploy_vec2 at = ploy_heightmap_position(voxels->map, row * size->columns + column);
        float bend = def->bend > 0.0f ? def->bend * ploy_noise_at2(&voxels->bends, at) : 0.0f;
        for (int32_t layer = 0; layer < def->layers; layer++) {
            size_t index = (size_t)layer * (size_t)size->columns + (size_t)column;
            float middle = lowest + (float)layer * voxels->height;
            float depth = elevation[column] - middle;
            uint8_t type = voxels_ground(voxels, middle, depth, bend);
            bool deep = depth >= def->cave_depth;
            if (caves && deep && fabsf(voxels->samples[index]) < def->cave_width) type = 0;
            cubes[index] = type;
            voxels->outcome.count += type != 0;
        }
    }
    if (row != voxels->rows / 2) return;
    for (size_t i = 0; i < voxels->slab; i++) voxels->cut[i] = cubes[i];
}

ploy_result ploy_voxels_step(ploy_voxels *voxels, ploy_budget *budget) {
    if (voxels == NULL) return PLOY_ERR_ARGUMENT;
    for (; voxels->row < voxels->rows; voxels->row++) {
        if (!ploy_budget_spend(budget, 1)) return PLOY_IN_PROGRESS;
        int64_t before = voxels->outcome.count;
        voxels_slab(voxels, voxels->row);
        voxels->outcome.units++;
        voxels->outcome.attempts++;
        ploy_trace_begin(voxels->trace, ploy_agent_id_none(), "row", "voxels");
        ploy_trace_i64(voxels->trace, "cubes", voxels->outcome.count - before);
        ploy_trace_end(voxels->trace);
    }
    voxels->outcome.done = true;
    return PLOY_OK;
}

ploy_generate_outcome ploy_voxels_outcome(const ploy_voxels *voxels) {
    return voxels->outcome;
}

int32_t ploy_voxels_at(const ploy_voxels *voxels, int32_t column, int32_t row, int32_t layer) {
    if (column < 0 || row < 0 || layer < 0 || column >= voxels->columns || row >= voxels->rows ||
        layer >= voxels->def.layers) {
        return 0;
    }
    size_t index = (size_t)layer * (size_t)voxels->columns + (size_t)column;
    return voxels->cubes[(size_t)row * voxels->slab + index];
}

void ploy_voxels_cancel(ploy_voxels *voxels) {
    if (voxels == NULL) return;
    ploy_env env = voxels->env;
    ploy_env_free(&env, voxels->cubes, voxels->cube_count);
    ploy_env_free(&env, voxels->samples, voxels->slab * sizeof *voxels->samples);
    ploy_env_free(&env, voxels->cut, voxels->slab * sizeof *voxels->cut);
    ploy_env_free(&env, voxels, sizeof *voxels);
}

void ploy_voxels_describe(const ploy_voxels *voxels, ploy_describe *out) {
    ploy_describe_i64(out, "columns", PLOY_STATE, voxels->columns);
    ploy_describe_i64(out, "rows", PLOY_STATE, voxels->rows);
    ploy_describe_i64(out, "layers", PLOY_STATE, voxels->def.layers);
    ploy_describe_u64(out, "hash of the cubes", PLOY_STATE,
                      ploy_hash_bytes(voxels->cubes, voxels->cube_count, 0));
}

void ploy_voxels_draw(const ploy_voxels *voxels, ploy_draw *out) {
    static const ploy_style styles[] = {PLOY_STYLE_GOOD, PLOY_STYLE_TARGET, PLOY_STYLE_GHOST,
                                        PLOY_STYLE_AGENT_B, PLOY_STYLE_PLAIN};
    float width = ploy_heightmap_def_of(voxels->map)->spacing, height = voxels->height;
    for (int32_t layer = 0; layer < voxels->def.layers; layer++) {
        for (int32_t column = 0; column < voxels->columns; column++) {
            int32_t type = voxels->cut[layer * voxels->columns + column];
            if (type == 0) continue;
            float x = ((float)column - 0.5f) * width;
            float y = voxels->def.bottom + (float)layer * height;
            ploy_vec2 corners[4] = {
                {x, y}, {x + width, y}, {x + width, y + height}, {x, y + height}};
            ploy_style style = type == 1 ? styles[0] : styles[1 + (type - 2) % 4];
            ploy_draw_polygon(out, PLOY_LAYER_WORLD, style, ploy_agent_id_none(), corners, 4, 1.0f);
        }
    }
}

void ploy_voxels_memory(const ploy_voxels *voxels, ploy_memory_fn fn, void *user) {
    ploy_memory_item self = {"voxels", sizeof *voxels, 1};
    ploy_memory_item cubes = {"cubes", voxels->cube_count, 1};
    ploy_memory_item slab = {"slab", voxels->slab * (sizeof(float) + sizeof(int32_t)), 2};
    fn(user, &self);
    fn(user, &cubes);
    fn(user, &slab);
}

// ---- the front

static ploy_content voxels_content(const ploy_voxels *voxels) {
    ploy_content content = ploy_content_none();
    float width = ploy_heightmap_def_of(voxels->map)->spacing;
    content.kinds = PLOY_CONTENT_TILES;
    content.tiles = voxels->cut;
    content.tile_columns = voxels->columns;
    content.tile_rows = voxels->def.layers;
    content.tile_size = width;
    ploy_vec2 low = {-0.5f * width, voxels->def.bottom};
    ploy_vec2 high = {low.x + (float)voxels->columns * width,
                      low.y + (float)voxels->def.layers * voxels->height};
    content.area = ploy_box2_make(low, high);
    return content;
}

PLOYI_GENERATOR_CALLS(voxels)

static ploy_result voxels_front_begin(const void *def, ploy_rng_key key, const ploy_content *input,
                                      ploy_trace *trace, const ploy_env *env, void **out) {
    ploy_voxels *voxels = NULL;
    ploy_result result = ploy_voxels_begin(def, key, input->heights, trace, env, &voxels);
    *out = voxels;
    return result;
}

const ploy_generator_type *ploy_voxels_generator(void) {
    static const ploy_generator_type type = {
        "voxels",
        "a landscape of cubes with soil, layers of rock and caves",
        "one row of columns",
        PLOY_CONTENT_HEIGHTS,
        0,
        PLOY_CONTENT_TILES,
        PLOYI_GENERATOR_TABLE(voxels),
    };
    return &type;
}
