// Water on a landscape: sea, flood and drainage; see the header.
//
// Invariants once the flood has passed a cell:
//   (1) filled >= elevation, and filled never falls along `drain`;
//   (2) the cell that a cell drains to came earlier in `order`: it is lower, or it is the cell from
//       which the flood reached this one. So `drain` has no cycles, and `order` backwards visits
//       every cell before the one it drains to.
#include "ploy/generate/water.h"

#include <string.h>

#include "generate/generate_internal.h"
#include "generate/water_internal.h"
#include "ploy/base/hash.h"
#include "ploy/base/math.h"

const int32_t ployi_water_dx[8] = {1, 0, 0, -1, 1, -1, 1, -1};
const int32_t ployi_water_dy[8] = {0, 1, -1, 0, 1, 1, -1, -1};

static const ploy_field water_fields[] = {
    PLOY_FIELD_F32(ploy_water_def, sea_level, -1e6f, -1e6f, 1e6f, "m",
                   "terrain at or below it that is connected with the edge is sea"),
    PLOY_FIELD_F32(ploy_water_def, river_area, 200, 1e-3f, 1e12f, "m^2",
                   "area that must drain before a river begins"),
    PLOY_FIELD_F32(ploy_water_def, river_width, 0.03f, 0, 100, "m",
                   "width of a river that drains 1 m^2; grows by the square root"),
    PLOY_FIELD_F32(ploy_water_def, lake_depth, 0.2f, 0, 1e4f, "m",
                   "shallower hollows are no lakes"),
    PLOY_FIELD_F32(ploy_water_def, lake_area, 6, 0, 1e12f, "m^2", "smaller hollows are no lakes"),
    PLOY_FIELD_I32(ploy_water_def, max_rivers, 4096, 0, 1 << 20, "", "the largest are kept"),
    PLOY_FIELD_I32(ploy_water_def, max_lakes, 4096, 0, 1 << 20, "", "most lakes"),
};

ploy_fields ploy_water_fields(void) {
    return PLOY_FIELDS(ploy_water_def, water_fields);
}

ploy_water_def ploy_water_def_default(void) {
    ploy_water_def def;
    ploy_fields_default(ploy_water_fields(), &def);
    return def;
}

static const char *const water_ends[] = {"edge", "sea", "lake", "river"};

const char *ploy_river_end_text(ploy_river_end end) {
    return (uint32_t)end <= PLOY_RIVER_IN_RIVER ? water_ends[end] : "?";
}

int32_t ployi_water_near(const ploy_water *water, int32_t cell, int32_t direction) {
    int32_t x = cell % water->columns + ployi_water_dx[direction];
    int32_t y = cell / water->columns + ployi_water_dy[direction];
    if (x < 0 || y < 0 || x >= water->columns || y >= water->rows) return -1;
    return y * water->columns + x;
}

bool ployi_water_spend(ploy_water *water, ploy_budget *budget, int32_t cells) {
    if (water->credit < cells) {
        int32_t units = (cells - water->credit + PLOYI_WATER_UNIT - 1) / PLOYI_WATER_UNIT;
        if (!ploy_budget_spend(budget, units)) return false;
        water->credit += units * PLOYI_WATER_UNIT;
    }
    water->credit -= cells;
    return true;
}

static bool water_at_edge(const ploy_water *water, int32_t cell) {
    int32_t x = cell % water->columns, y = cell / water->columns;
    return x == 0 || y == 0 || x == water->columns - 1 || y == water->rows - 1;
}

static ploy_result water_layer(ploy_water *water, const char *name, ploy_heightmap_type type,
                               void **out) {
    return ploy_heightmap_add(water->map, name, type, out);
}

static ploy_result water_allocate(ploy_water *water, const ploy_heightmap *map) {
    ploy_result result = ploy_heightmap_copy(map, &water->env, &water->map);
    if (result != PLOY_OK) return result;
    const ploy_heightmap_def *size = ploy_heightmap_def_of(water->map);
    water->columns = size->columns;
    water->rows = size->rows;
    water->cells = ploy_heightmap_cells(water->map);
    water->elevation = ploy_heightmap_elevation(water->map);
    void *layers[5] = {NULL};
    static const char *const names[5] = {"filled", "water", "drain", "drained", "lake"};
    for (int32_t i = 0; i < 5 && result == PLOY_OK; i++) {
        result = water_layer(water, names[i], i < 2 ? PLOY_HEIGHTMAP_F32 : PLOY_HEIGHTMAP_I32,
                             &layers[i]);
    }
    if (result != PLOY_OK) return result;
    water->filled = layers[0];
    water->depth = layers[1];
    water->drain = layers[2];
    water->drained = layers[3];
    water->lake = layers[4];
    size_t count = (size_t)water->cells;
    water->order = ploy_env_alloc(&water->env, count * sizeof *water->order);
    water->feeder = ploy_env_alloc(&water->env, count * sizeof *water->feeder);
    water->marks = ploy_env_alloc_zero(&water->env, count);
    if (water->order == NULL || water->feeder == NULL || water->marks == NULL) {
        return PLOY_ERR_MEMORY;
    }
    for (int32_t i = 0; i < water->cells; i++) {
        water->filled[i] = water->elevation[i];
        water->depth[i] = 0.0f;
        water->drain[i] = water->feeder[i] = -1;
        water->drained[i] = 1;
        water->lake[i] = 0;
    }
    return ploy_rings_create(&water->env, &water->rings);
}

// A cell whose water leaves the map: where the flood starts.
static ploy_result water_outlet(ploy_water *water, int32_t cell) {
    water->marks[cell] |= PLOYI_WATER_SEEN;
    return ploy_heap_push(&water->heap, (double)water->elevation[cell], (uint64_t)cell);
}

static void water_flood_sea(ploy_water *water, int32_t cell) {
    if ((water->marks[cell] & PLOYI_WATER_IS_SEA) != 0) return;
    if (!(water->elevation[cell] <= water->def.sea_level)) return;
    water->marks[cell] |= PLOYI_WATER_IS_SEA;
    water->depth[cell] = water->def.sea_level - water->elevation[cell];
    water->order[water->order_count++] = cell;
}

ploy_result ploy_water_begin(const ploy_water_def *def, ploy_rng_key key, const ploy_heightmap *map,
                             ploy_trace *trace, const ploy_env *env, ploy_water **out) {
    (void)key;
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (map == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_water_fields(), def, env);
    if (result != PLOY_OK) return result;
    ploy_water *water = ploy_env_alloc_zero(env, sizeof *water);
    if (water == NULL) return PLOY_ERR_MEMORY;
    water->env = *env;
    water->def = *def;
    water->trace = trace;
    water->outcome.limit = "";
    ploy_heap_init(&water->heap, 4, env);
    ploy_array_init(&water->rivers, sizeof(ploy_river), env);
    ploy_array_init(&water->points, sizeof(ploy_river_point), env);
    ploy_array_init(&water->lakes, sizeof(ploy_lake), env);
    result = water_allocate(water, map);
    if (result != PLOY_OK) {
        ploy_water_cancel(water);
        return result;
    }
    for (int32_t i = 0; i < water->cells; i++) {
        if (water_at_edge(water, i)) water_flood_sea(water, i);
    }
    *out = water;
    return PLOY_OK;
}

// ---- sea, flood, drainage

// Grows the sea from the cells on the stack, then marks all outlets.
static ploy_result water_sea(ploy_water *water, ploy_budget *budget) {
    while (water->cursor < water->order_count) {
        if (!ployi_water_spend(water, budget, 1)) return PLOY_IN_PROGRESS;
        int32_t cell = water->order[water->cursor++];
        for (int32_t i = 0; i < 4; i++) {
            int32_t near = ployi_water_near(water, cell, i);
            if (near >= 0) water_flood_sea(water, near);
        }
    }
    water->order_count = 0;
    ploy_result result = PLOY_OK;
    for (int32_t i = 0; i < water->cells && result == PLOY_OK; i++) {
        bool sea = (water->marks[i] & PLOYI_WATER_IS_SEA) != 0;
        if (sea || water_at_edge(water, i)) result = water_outlet(water, i);
    }
    return result;
}

// The lowest filled neighbour by slope, if one is lower; otherwise where the flood came from.
static void water_choose_drain(ploy_water *water, int32_t cell) {
    float best = 0.0f;
    for (int32_t i = 0; i < 8; i++) {
        int32_t near = ployi_water_near(water, cell, i);
        // What the flood has not seen will be no lower than this cell.
        if (near < 0 || (water->marks[near] & PLOYI_WATER_SEEN) == 0) continue;
        float fall = water->filled[cell] - water->filled[near];
        if (i >= 4) fall *= 0.70710678f;
        if (fall > best) {
            best = fall;
            water->drain[cell] = near;
        }
    }
}

static ploy_result water_flood(ploy_water *water, ploy_budget *budget) {
    while (ploy_heap_count(&water->heap) > 0) {
        if (!ployi_water_spend(water, budget, 1)) return PLOY_IN_PROGRESS;
        uint64_t payload = 0;
        ploy_heap_pop(&water->heap, NULL, &payload);
        int32_t cell = (int32_t)payload;
        water->order[water->order_count++] = cell;
        bool outlet = water_at_edge(water, cell) || (water->marks[cell] & PLOYI_WATER_IS_SEA) != 0;
        if (!outlet && water->filled[cell] == water->elevation[cell]) {
            water_choose_drain(water, cell);
        }
        for (int32_t i = 0; i < 8; i++) {
            int32_t near = ployi_water_near(water, cell, i);
            if (near < 0 || (water->marks[near] & PLOYI_WATER_SEEN) != 0) continue;
            water->marks[near] |= PLOYI_WATER_SEEN;
            water->filled[near] = ploy_maxf(water->elevation[near], water->filled[cell]);
            water->drain[near] = cell;
            ploy_result result =
                ploy_heap_push(&water->heap, (double)water->filled[near], (uint64_t)near);
            if (result != PLOY_OK) return result;
        }
    }
    return PLOY_OK;
}

static ploy_result water_add_up(ploy_water *water, ploy_budget *budget) {
    for (; water->cursor < water->order_count; water->cursor++) {
        if (!ployi_water_spend(water, budget, 1)) return PLOY_IN_PROGRESS;
        int32_t cell = water->order[water->order_count - 1 - water->cursor];
        int32_t to = water->drain[cell];
        if (to >= 0) water->drained[to] += water->drained[cell];
        water->marks[cell] &= (uint8_t)~PLOYI_WATER_SEEN;
    }
    return PLOY_OK;
}

ploy_result ploy_water_step(ploy_water *water, ploy_budget *budget) {
    if (water == NULL) return PLOY_ERR_ARGUMENT;
    ploy_budget unlimited = ploy_budget_unlimited();
    if (budget == NULL) budget = &unlimited;
    while (water->stage != PLOYI_WATER_DONE) {
        int64_t before = budget->spent;
        ploy_result result = PLOY_OK;
        switch (water->stage) {
        case PLOYI_WATER_SEA: result = water_sea(water, budget); break;
        case PLOYI_WATER_FLOOD: result = water_flood(water, budget); break;
        case PLOYI_WATER_DRAIN: result = water_add_up(water, budget); break;
        case PLOYI_WATER_LAKES: result = ployi_water_lakes(water, budget); break;
        case PLOYI_WATER_HEADS: result = ployi_water_heads(water, budget); break;
        case PLOYI_WATER_RIVERS: result = ployi_water_rivers(water, budget); break;
        case PLOYI_WATER_DONE: break;
        }
        water->outcome.units += budget->spent - before;
        if (result != PLOY_OK) return result;
        water->stage = (ployi_water_stage)(water->stage + 1);
        water->cursor = 0;
    }
    water->outcome.done = true;
    water->outcome.count = water->rivers.count;
    return PLOY_OK;
}

ploy_generate_outcome ploy_water_outcome(const ploy_water *water) {
    ploy_generate_outcome outcome = water->outcome;
    outcome.partial = outcome.done && outcome.limit[0] != '\0';
    return outcome;
}

void ploy_water_cancel(ploy_water *water) {
    if (water == NULL) return;
    size_t count = (size_t)water->cells;
    ploy_heap_fini(&water->heap);
    ploy_array_fini(&water->rivers);
    ploy_array_fini(&water->points);
    ploy_array_fini(&water->lakes);
    ploy_rings_destroy(water->rings);
    ploy_env_free(&water->env, water->order, count * sizeof *water->order);
    ploy_env_free(&water->env, water->feeder, count * sizeof *water->feeder);
    ploy_env_free(&water->env, water->marks, count);
    ploy_heightmap_destroy(water->map);
    ploy_env env = water->env;
    ploy_env_free(&env, water, sizeof *water);
}

const ploy_heightmap *ploy_water_heights(const ploy_water *water) {
    return water->map;
}

const ploy_river *ploy_water_rivers(const ploy_water *water, int32_t *count) {
    *count = water->rivers.count;
    return water->rivers.items;
}

const ploy_river_point *ploy_water_points(const ploy_water *water) {
    return water->points.items;
}

const ploy_lake *ploy_water_lakes(const ploy_water *water, int32_t *count) {
    *count = water->lakes.count;
    return water->lakes.items;
}

const ploy_rings *ploy_water_rings(const ploy_water *water) {
    return water->rings;
}

// ---- sight

void ploy_water_describe(const ploy_water *water, ploy_describe *out) {
    ploy_describe_begin(out, "heights");
    ploy_heightmap_describe(water->map, out);
    ploy_describe_end(out);
    uint64_t hash = 0;
    const ploy_river *rivers = water->rivers.items;
    for (int32_t i = 0; i < water->rivers.count; i++) {
        hash = ploy_hash_combine(hash, (uint64_t)rivers[i].count);
        hash = ploy_hash_combine(hash, (uint64_t)rivers[i].end);
        hash = ploy_hash_combine(hash, (uint64_t)(uint32_t)rivers[i].into);
        hash = ploy_hash_combine(hash, (uint64_t)(uint32_t)rivers[i].from_lake);
    }
    const ploy_river_point *points = water->points.items;
    for (int32_t i = 0; i < water->points.count; i++) {
        hash = ploy_hash_combine(hash, (uint64_t)points[i].cell);
        hash = ploy_hash_combine(hash, ployi_generate_bits(points[i].width));
    }
    ploy_describe_u64(out, "hash of the rivers", PLOY_STATE, hash);
    ploy_describe_begin(out, "lakes");
    ploy_rings_describe(water->rings, out);
    ploy_describe_end(out);
    ploy_describe_begin(out, "statistics");
    ploy_describe_i64(out, "rivers", PLOY_NOTE, water->rivers.count);
    ploy_describe_i64(out, "lakes", PLOY_NOTE, water->lakes.count);
    ploy_describe_end(out);
}

void ploy_water_draw(const ploy_water *water, ploy_draw *out) {
    int32_t side = ploy_maxi(water->columns, water->rows);
    ploy_heightmap_draw(water->map, (side + 127) / 128, out);
    ploy_rings_draw(water->rings, PLOY_LAYER_REGIONS, PLOY_STYLE_AGENT_A, out);
    const ploy_river *rivers = water->rivers.items;
    const ploy_river_point *points = water->points.items;
    for (int32_t i = 0; i < water->rivers.count; i++) {
        for (int32_t k = 1; k < rivers[i].count; k++) {
            const ploy_river_point *a = &points[rivers[i].first + k - 1], *b = a + 1;
            ploy_vec2 from = {a->position.x, a->position.y}, to = {b->position.x, b->position.y};
            ploy_draw_line(out, PLOY_LAYER_PATHS, PLOY_STYLE_AGENT_A, ploy_agent_id_none(), from,
                           to);
            if (b->width > ploy_heightmap_def_of(water->map)->spacing) {
                ploy_draw_disc(out, PLOY_LAYER_PATHS, PLOY_STYLE_AGENT_A, ploy_agent_id_none(), to,
                               0.5f * b->width, 1.0f);
            }
        }
    }
}

void ploy_water_memory(const ploy_water *water, ploy_memory_fn fn, void *user) {
    size_t count = (size_t)water->cells;
    ploy_memory_item self = {"water", sizeof *water, 1};
    ploy_memory_item cells = {"cells", count * (2 * sizeof(int32_t) + 1), 3};
    fn(user, &self);
    fn(user, &cells);
    ploy_heap_memory(&water->heap, fn, user);
    ploy_array_memory(&water->rivers, fn, user);
    ploy_array_memory(&water->points, fn, user);
    ploy_array_memory(&water->lakes, fn, user);
    ploy_rings_memory(water->rings, fn, user);
    ploy_heightmap_memory(water->map, fn, user);
}

// ---- the front

static ploy_content water_content(const ploy_water *water) {
    ploy_content content = ploy_content_none();
    content.kinds = PLOY_CONTENT_HEIGHTS;
    content.heights = water->map;
    content.area = ploy_heightmap_box(water->map);
    return content;
}

PLOYI_GENERATOR_CALLS(water)

static ploy_result water_front_begin(const void *def, ploy_rng_key key, const ploy_content *input,
                                     ploy_trace *trace, const ploy_env *env, void **out) {
    ploy_water *water = NULL;
    ploy_result result = ploy_water_begin(def, key, input->heights, trace, env, &water);
    *out = water;
    return result;
}

const ploy_generator_type *ploy_water_generator(void) {
    static const ploy_generator_type type = {
        "water",
        "fills hollows, finds where rain runs to, rivers and lakes",
        "64 cells in one stage",
        PLOY_CONTENT_HEIGHTS,
        0,
        PLOY_CONTENT_HEIGHTS,
        PLOYI_GENERATOR_TABLE(water),
    };
    return &type;
}
