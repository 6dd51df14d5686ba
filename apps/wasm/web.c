// What apps/wasm/web calls from JavaScript: paths over a map of tiles, and a flock. A reactor module that links the
// modules path and move alone. Objects are addresses; apps/wasm/web/ploy.mjs wraps them in classes.
//
// Calls that can fail return a negative result or the address 0; ploy_wasm_text returns the text of a result.
#include <stdlib.h>

#include "ploy/base/math.h"
#include "ploy/base/version.h"
#include "ploy/geom/angle.h"
#include "ploy/move/bounds.h"
#include "ploy/move/flee.h"
#include "ploy/move/flock.h"
#include "ploy/move/integrate.h"
#include "ploy/move/wander.h"
#include "ploy/path/grid_search.h"

#define WEB_EXPORT(name) __attribute__((export_name(#name))) name

enum { WEB_AGENTS_MAX = 10000, WEB_NUMBERS = 3 };

static const float web_speed_min = 1.0f, web_speed_max = 4.0f; // m/s, of the flock
static const float web_wander_weight = 0.2f, web_flee_weight = 2.0f;

typedef struct web_level {
    ploy_tiles *tiles;
    ploy_grid_map *map;
    ploy_grid_search *search;
    int32_t *cells; // of the last path; room for all cells of the map
    int32_t size;
} web_level;

typedef struct web_flock {
    ploy_flock *flock;
    ploy_wander *wander;
    ploy_kinematic *agents;
    ploy_steering *steerings, *wandering;
    float *numbers; // WEB_NUMBERS of each agent: x, y, orientation
    ploy_bounds_def bounds;
    ploy_rng_key key;
    uint64_t tick;
    int32_t count;
} web_flock;

const char *ploy_wasm_version(void);
const char *ploy_wasm_text(int32_t result);
web_level *ploy_wasm_level_create(int32_t width, int32_t height);
void ploy_wasm_level_destroy(web_level *level);
int32_t ploy_wasm_level_set(web_level *level, int32_t x, int32_t y, int32_t wall);
int32_t ploy_wasm_level_path(web_level *level, int32_t x0, int32_t y0, int32_t x1, int32_t y1);
const int32_t *ploy_wasm_level_cells(const web_level *level);
web_flock *ploy_wasm_flock_create(int32_t count, float width, float height, uint32_t seed);
void ploy_wasm_flock_destroy(web_flock *flock);
int32_t ploy_wasm_flock_step(web_flock *flock, float dt, float x, float y, float range);
const float *ploy_wasm_flock_numbers(const web_flock *flock);

// Address of a text that ends with a zero byte.
const char *WEB_EXPORT(ploy_wasm_version)(void) {
    return ploy_version_text();
}

const char *WEB_EXPORT(ploy_wasm_text)(int32_t result) {
    return ploy_result_text((ploy_result)result);
}

// ---- a level ----

void WEB_EXPORT(ploy_wasm_level_destroy)(web_level *level) {
    if (level == NULL) return;
    ploy_grid_search_destroy(level->search);
    ploy_grid_map_destroy(level->map);
    ploy_tiles_destroy(level->tiles);
    free(level->cells);
    free(level);
}

// An open floor of tiles, one metre each; 0 if a size is out of range or there is no memory.
web_level *WEB_EXPORT(ploy_wasm_level_create)(int32_t width, int32_t height) {
    ploy_env env = ploy_env_default();
    ploy_tiles_def def = ploy_tiles_def_default();
    ploy_grid_map_def map = ploy_grid_map_def_default();
    ploy_grid_search_def search = ploy_grid_search_def_default();
    web_level *level = calloc(1, sizeof *level);
    if (level == NULL) return NULL;
    def.width = width;
    def.height = height;
    ploy_result result = ploy_tiles_create(&def, &env, &level->tiles);
    if (result == PLOY_OK) {
        level->size = width * height; // in range: the tiles exist
        level->cells = calloc((size_t)level->size, sizeof *level->cells);
        result = level->cells == NULL ? PLOY_ERR_MEMORY : PLOY_OK;
    }
    if (result == PLOY_OK) result = ploy_grid_map_create(&map, level->tiles, &env, &level->map);
    if (result == PLOY_OK) result = ploy_grid_search_create(&search, &env, &level->search);
    if (result == PLOY_OK) return level;
    ploy_wasm_level_destroy(level);
    return NULL;
}

int32_t WEB_EXPORT(ploy_wasm_level_set)(web_level *level, int32_t x, int32_t y, int32_t wall) {
    int32_t cell = ploy_tiles_cell(level->tiles, x, y);
    if (cell < 0) return (int32_t)PLOY_ERR_ARGUMENT;
    ploy_result result =
        ploy_tiles_set(level->tiles, cell, wall != 0 ? PLOY_TILE_BLOCKED : PLOY_TILE_OPEN);
    return (int32_t)result;
}

// Number of cells of the shortest path with both ends, 0 if there is none; the cells are at ploy_wasm_level_cells.
int32_t WEB_EXPORT(ploy_wasm_level_path)(web_level *level, int32_t x0, int32_t y0, int32_t x1,
                                         int32_t y1) {
    int32_t from = ploy_tiles_cell(level->tiles, x0, y0);
    int32_t to = ploy_tiles_cell(level->tiles, x1, y1);
    if (from < 0 || to < 0) return (int32_t)PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_grid_map_refresh(level->map);
    if (result == PLOY_OK) result = ploy_grid_search_run(level->search, level->map, from, to);
    if (result != PLOY_OK) return (int32_t)result;
    if (ploy_grid_search_outcome(level->search) != PLOY_SEARCH_FOUND) return 0;
    level->cells[0] = from;
    return 1 + ploy_grid_search_path(level->search, to, level->cells + 1, level->size - 1);
}

// Cell x, y of the map has the number y * width + x.
const int32_t *WEB_EXPORT(ploy_wasm_level_cells)(const web_level *level) {
    return level->cells;
}

// ---- a flock ----

void WEB_EXPORT(ploy_wasm_flock_destroy)(web_flock *flock) {
    if (flock == NULL) return;
    ploy_flock_destroy(flock->flock);
    ploy_wander_destroy(flock->wander);
    free(flock->agents);
    free(flock->steerings);
    free(flock->wandering);
    free(flock->numbers);
    free(flock);
}

static void web_show(web_flock *flock) {
    for (int32_t i = 0; i < flock->count; i++) {
        flock->numbers[WEB_NUMBERS * i] = flock->agents[i].position.x;
        flock->numbers[WEB_NUMBERS * i + 1] = flock->agents[i].position.y;
        flock->numbers[WEB_NUMBERS * i + 2] = flock->agents[i].orientation;
    }
}

static void web_scatter(web_flock *flock) {
    for (int32_t i = 0; i < flock->count; i++) {
        uint32_t id = (uint32_t)i;
        ploy_vec2 at = {ploy_rng_range_at(flock->key, id, 0, 0, 0.0f, flock->bounds.max.x),
                        ploy_rng_range_at(flock->key, id, 0, 1, 0.0f, flock->bounds.max.y)};
        float angle = ploy_rng_range_at(flock->key, id, 0, 2, -PLOY_PI_F, PLOY_PI_F);
        flock->agents[i] = ploy_kinematic_make(at, angle);
        flock->agents[i].velocity = ploy_vec2_scale(ploy_angle_heading(angle), web_speed_min);
    }
}

// Agents scattered over a floor whose edges join (width and height in metres); 0 if a number is out of range or
// there is no memory.
web_flock *WEB_EXPORT(ploy_wasm_flock_create)(int32_t count, float width, float height,
                                              uint32_t seed) {
    if (count < 1 || count > WEB_AGENTS_MAX) return NULL;
    if (!ploy_in_range(width, 1.0f, 1e4f) || !ploy_in_range(height, 1.0f, 1e4f)) return NULL;
    ploy_env env = ploy_env_default();
    ploy_flock_def rules = ploy_flock_def_default();
    ploy_wander_def wander = ploy_wander_def_default();
    web_flock *flock = calloc(1, sizeof *flock);
    if (flock == NULL) return NULL;
    flock->count = count;
    flock->key = ploy_rng_key_make(seed);
    flock->bounds = ploy_bounds_def_default();
    flock->bounds.edge = PLOY_BOUNDS_WRAP;
    flock->bounds.min = ploy_vec3_make(0.0f, 0.0f, 0.0f);
    flock->bounds.max = ploy_vec3_make(width, height, 0.0f);
    rules.max_speed = web_speed_max;
    flock->agents = calloc((size_t)count, sizeof *flock->agents);
    flock->steerings = calloc((size_t)count, sizeof *flock->steerings);
    flock->wandering = calloc((size_t)count, sizeof *flock->wandering);
    flock->numbers = calloc((size_t)count * WEB_NUMBERS, sizeof *flock->numbers);
    bool made = flock->agents != NULL && flock->steerings != NULL && flock->wandering != NULL &&
                flock->numbers != NULL &&
                ploy_flock_create(&rules, count, &env, &flock->flock) == PLOY_OK &&
                ploy_wander_create(&wander, count, &env, &flock->wander) == PLOY_OK;
    if (!made) {
        ploy_wasm_flock_destroy(flock);
        return NULL;
    }
    web_scatter(flock);
    web_show(flock);
    return flock;
}

// One step of dt seconds. Agents within `range` metres of x, y run from there; a range of 0 is none.
int32_t WEB_EXPORT(ploy_wasm_flock_step)(web_flock *flock, float dt, float x, float y,
                                         float range) {
    if (!ploy_in_range(dt, 0.0f, PLOY_DT_MAX_S)) return (int32_t)PLOY_ERR_ARGUMENT;
    ploy_kinematics view = ploy_kinematics_of(flock->agents, flock->count);
    ploy_steerings rules = ploy_steerings_of(flock->steerings, flock->count);
    ploy_steerings own = ploy_steerings_of(flock->wandering, flock->count);
    ploy_result result = ploy_flock_update(flock->flock, &view);
    if (result == PLOY_OK) result = ploy_flock_step(flock->flock, 0, flock->count, &rules);
    if (result == PLOY_OK) {
        result = ploy_wander_step(flock->wander, &view, 0, flock->count, dt, flock->key,
                                  flock->tick, &own);
    }
    if (result != PLOY_OK) return (int32_t)result;
    ploy_integrate_def motion = ploy_integrate_def_default();
    ploy_flee_def flee = ploy_flee_def_default();
    flee.panic_distance = range;
    for (int32_t i = 0; i < flock->count; i++) {
        ploy_kinematic agent = flock->agents[i];
        ploy_steering sum = ploy_steering_add(
            flock->steerings[i], ploy_steering_scale(flock->wandering[i], web_wander_weight));
        if (range > 0.0f) {
            ploy_steering run = ploy_flee(&flee, agent, ploy_vec2_make(x, y));
            sum = ploy_steering_add(sum, ploy_steering_scale(run, web_flee_weight));
        }
        ploy_vec2 velocity = ploy_vec2_add_scaled(agent.velocity, sum.linear, dt);
        float speed = ploy_clampf(ploy_vec2_length(velocity), web_speed_min, web_speed_max);
        agent.velocity = ploy_vec2_with_length(velocity, speed);
        agent.orientation = ploy_angle_of(agent.velocity);
        agent = ploy_integrate(&motion, agent, ploy_steering_none(), dt);
        flock->agents[i] = ploy_bounds_apply(&flock->bounds, agent);
    }
    flock->tick++;
    web_show(flock);
    return 0;
}

// x, y and orientation of each agent.
const float *WEB_EXPORT(ploy_wasm_flock_numbers)(const web_flock *flock) {
    return flock->numbers;
}
