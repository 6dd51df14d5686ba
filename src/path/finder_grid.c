// Finders over a grid map: steps, lines between cells, and Anya; see finders.h.
//
// Invariants, from make to destroy:
//   (1) exactly one of steps, lines and anya is there, as `kind` says;
//   (2) cells, found and points are scratch of writing a path.
#include <math.h>
#include <string.h>

#include "path/finder_internal.h"

#include "path/grid_angle_internal.h"
#include "path/grid_anya_internal.h"
#include "path/grid_internal.h"
#include "path/path_internal.h"
#include "ploy/base/hash.h"
#include "ploy/base/math.h"

typedef struct grid_finder {
    ploy_finder_state state;
    ploy_env env;
    const ploy_grid_map *map;
    ploy_tiles_walker walker; // of the map's size, over its tiles
    ploy_representation level;
    ploy_grid_search *steps;
    ployi_grid_angle *lines;
    ployi_grid_anya *anya;
    ploy_grid_algorithm algorithm; // of steps
    ploy_array cells;              // int32_t
    ploy_array found;              // ploy_edge
    ploy_array points;             // ploy_vec2
} grid_finder;

// ---- what can be served ----

static const char *grid_finder_behind(const grid_finder *self) {
    bool behind = !ployi_grid_map_follows(self->map);
    return behind ? "the grid map is behind its tiles; ploy_grid_map_refresh follows them" : NULL;
}

static const char *grid_finder_steps_serve(const void *user, const ploy_finder_request *request,
                                           const ploy_cost_hook *costs) {
    const grid_finder *self = user;
    (void)costs;
    bool jumps = self->algorithm == PLOY_GRID_JPS || self->algorithm == PLOY_GRID_FAST;
    if (jumps && !ployi_grid_jumps_allowed(self->map)) {
        return "jump-point search needs uniform costs, eight neighbours and no corner cutting";
    }
    float side = (float)self->map->def.size * self->map->tiles->def.size;
    if (2.0f * request->path.radius > side) return "radius exceeds the one the map was built for";
    return grid_finder_behind(self);
}

static const char *grid_finder_lines_serve(const void *user, const ploy_finder_request *request,
                                           const ploy_cost_hook *costs) {
    const grid_finder *self = user;
    const ploy_tiles_def *def = &self->map->tiles->def;
    (void)costs;
    if (self->map->weights != NULL || def->neighbours != PLOY_TILE_EIGHT) {
        return "any-angle search needs uniform costs and eight neighbours";
    }
    if (self->anya != NULL && def->corners == PLOY_TILE_CORNERS_CUT) {
        return "lines that may pass between two walls are not supported";
    }
    float side = (float)(self->map->def.size - 1) * def->size;
    if (2.0f * request->path.radius > side) {
        return "lines touch corners: the agent needs a map with one more cell of clearance";
    }
    return grid_finder_behind(self);
}

// ---- the search ----

static ploy_path_outcome grid_finder_outcome(ploy_search_outcome outcome) {
    return outcome == PLOY_SEARCH_FOUND  ? PLOY_PATH_FOUND
           : outcome == PLOY_SEARCH_OPEN ? PLOY_PATH_OPEN
                                         : PLOY_PATH_NONE;
}

static ploy_search_outcome grid_finder_inner(const grid_finder *self) {
    if (self->steps != NULL) return ploy_grid_search_outcome(self->steps);
    if (self->lines != NULL) return ployi_grid_angle_outcome(self->lines);
    return ployi_grid_anya_outcome(self->anya);
}

static ploy_result grid_finder_begin(void *user) {
    grid_finder *self = user;
    ploy_finder_state *state = &self->state;
    if (ployi_finder_ends(&self->level, state)) return PLOY_OK;
    ploy_result result =
        self->steps != NULL
            ? ploy_grid_search_begin(self->steps, self->map, state->start, state->end)
        : self->lines != NULL
            ? ployi_grid_angle_begin(self->lines, self->map, state->start, state->end)
            : ployi_grid_anya_begin(self->anya, self->map, state->start, state->end);
    if (result != PLOY_OK) return result;
    if (grid_finder_inner(self) == PLOY_SEARCH_NONE) { // the map's labels say so
        state->outcome = PLOY_PATH_NONE;
        state->end = PLOY_STATE_NONE;
    }
    return PLOY_OK;
}

// The direction of a step.
static int32_t grid_finder_direction(const ploy_grid_map *map, int32_t from, int32_t to) {
    int32_t direction = 0;
    while (direction < 7 &&
           from + ployi_tile_dx[direction] + ployi_tile_dy[direction] * map->width != to) {
        direction++;
    }
    return direction;
}

// The steps from the start to a cell, each with its direction and cost.
static ploy_result grid_finder_take_steps(grid_finder *self, int32_t cell) {
    int32_t count = ploy_maxi(ploy_grid_search_path(self->steps, cell, NULL, 0), 0);
    ploy_result result = ploy_array_resize(&self->cells, count);
    if (result == PLOY_OK) result = ploy_array_resize(&self->found, count);
    if (result != PLOY_OK) return result;
    int32_t *cells = PLOY_ARRAY_ITEMS(&self->cells, int32_t), at = self->state.start;
    ploy_edge *found = PLOY_ARRAY_ITEMS(&self->found, ploy_edge);
    ploy_grid_search_path(self->steps, cell, cells, count);
    for (int32_t i = 0; i < count; i++) {
        int32_t direction = grid_finder_direction(self->map, at, cells[i]);
        found[i].cost = ploy_tiles_walker_step(&self->walker, at, direction);
        found[i].label = direction;
        found[i].to = at = cells[i];
    }
    return PLOY_OK;
}

// The lines from turn to turn.
static ploy_result grid_finder_take_lines(grid_finder *self) {
    int32_t count = ploy_maxi(ployi_grid_angle_path(self->lines, NULL, 0), 0);
    ploy_result result = ploy_array_resize(&self->cells, count);
    if (result == PLOY_OK) result = ploy_array_resize(&self->found, count);
    if (result != PLOY_OK) return result;
    int32_t *cells = PLOY_ARRAY_ITEMS(&self->cells, int32_t), at = self->state.start;
    ploy_edge *found = PLOY_ARRAY_ITEMS(&self->found, ploy_edge);
    ployi_grid_angle_path(self->lines, cells, count);
    for (int32_t i = 0; i < count; i++) {
        double dx = cells[i] % self->map->width - at % self->map->width;
        double dy = cells[i] / self->map->width - at / self->map->width;
        found[i].cost = sqrt(dx * dx + dy * dy);
        found[i].label = -1;
        found[i].to = at = cells[i];
    }
    return PLOY_OK;
}

static ploy_result grid_finder_take_anya(grid_finder *self) {
    int32_t count = ploy_maxi(ployi_grid_anya_path(self->anya, NULL, 0), 0);
    ploy_result result = ploy_array_resize(&self->points, count);
    if (result != PLOY_OK) return result;
    ployi_grid_anya_path(self->anya, PLOY_ARRAY_ITEMS(&self->points, ploy_vec2), count);
    return PLOY_OK;
}

// Statistics, and once it has ended outcome and cost.
static void grid_finder_read(grid_finder *self) {
    ploy_finder_state *state = &self->state;
    ploy_path_outcome outcome = grid_finder_outcome(grid_finder_inner(self));
    if (self->steps != NULL) {
        ploy_grid_search_stats stats = ploy_grid_search_stats_of(self->steps);
        ploy_grid_cost cost = {0, 0, 0, 0.0};
        state->taken = stats.taken;
        state->opened = stats.opened;
        state->work = stats.units;
        bool found = outcome == PLOY_PATH_FOUND;
        if (found && ploy_grid_search_cost(self->steps, state->end, &cost)) {
            state->cost = cost.length;
        }
    } else if (self->lines != NULL) {
        state->taken = ployi_grid_angle_stats_of(self->lines).taken;
        state->work = ployi_grid_angle_stats_of(self->lines).units;
        state->cost = ployi_grid_angle_length(self->lines);
    } else {
        ployi_grid_anya_stats stats = ployi_grid_anya_stats_of(self->anya);
        state->taken = stats.taken;
        state->opened = stats.opened;
        state->work = stats.units;
        state->cost = ployi_grid_anya_length(self->anya);
    }
    if (outcome == PLOY_PATH_NONE) state->end = PLOY_STATE_NONE;
    state->outcome = outcome;
}

static ploy_result grid_finder_step(void *user, ploy_budget *budget) {
    grid_finder *self = user;
    ploy_result result = self->steps != NULL   ? ploy_grid_search_step(self->steps, budget)
                         : self->lines != NULL ? ployi_grid_angle_step(self->lines, budget)
                                               : ployi_grid_anya_step(self->anya, budget);
    if (result >= PLOY_OK) grid_finder_read(self);
    return result;
}

// ---- the path ----

static ploy_result grid_finder_path(void *user, ploy_path *path) {
    grid_finder *self = user;
    ploy_result result = PLOY_OK;
    ploy_array_clear(&self->found); // from a cell to itself nothing was searched
    if (self->state.start != self->state.end) {
        result = self->steps != NULL ? grid_finder_take_steps(self, self->state.end)
                                     : grid_finder_take_lines(self);
    }
    if (result != PLOY_OK) return result;
    return ployi_finder_compose(&self->level, &self->state, self->found.items, self->found.count,
                                true, path);
}

// As the others', but turns are corners, which are no cells.
static ploy_result grid_finder_anya_path(void *user, ploy_path *path) {
    grid_finder *self = user;
    const ploy_path_request *asked = &self->state.request.path;
    const ploy_representation *level = &self->level;
    ploy_array_clear(&self->points);
    ploy_result result =
        self->state.start != self->state.end ? grid_finder_take_anya(self) : PLOY_OK;
    if (result != PLOY_OK) return result;
    ploy_vec3 at = level->localise(level->user, self->state.start);
    ploy_vec2 centre = ploy_tiles_localise(self->walker.tiles, self->state.start);
    // Where a body larger than a cell is, seen from the cell that names it.
    ploy_vec2 aside = ploy_vec2_sub(ploy_vec2_from_vec3(at), centre);
    const ploy_vec2 *points = PLOY_ARRAY_ITEMS(&self->points, ploy_vec2);
    result = ployi_finder_append(path, asked->from, NULL);
    if (result == PLOY_OK) result = ployi_finder_append(path, at, NULL);
    for (int32_t i = 0; i < self->points.count && result == PLOY_OK; i++) {
        ploy_path_edge edge;
        memset(&edge, 0, sizeof edge);
        edge.cost = ploy_vec2_distance(centre, points[i]) / self->map->tiles->def.size;
        centre = points[i];
        result = ployi_finder_append(path, ploy_vec3_from_vec2(ploy_vec2_add(centre, aside), at.z),
                                     &edge);
    }
    return result == PLOY_OK ? ployi_finder_append(path, asked->to, NULL) : result;
}

static ploy_result grid_finder_peek(void *user, ploy_path *path) {
    grid_finder *self = user;
    ploy_result result = grid_finder_take_steps(self, ployi_grid_search_nearest(self->steps));
    if (result != PLOY_OK) return result;
    return ployi_finder_compose(&self->level, &self->state, self->found.items, self->found.count,
                                false, path);
}

static uint64_t grid_finder_generation(const void *user) {
    const grid_finder *self = user;
    return ploy_hash_combine(ploy_grid_map_generation(self->map),
                             ploy_tiles_generation(self->walker.tiles));
}

static void grid_finder_cancel(void *user) {
    grid_finder *self = user;
    if (self->steps != NULL) ploy_grid_search_cancel(self->steps);
    if (self->lines != NULL) ployi_grid_angle_cancel(self->lines);
    if (self->anya != NULL) ployi_grid_anya_cancel(self->anya);
}

static int32_t grid_finder_states(const void *user, int32_t *out, int32_t capacity) {
    const grid_finder *self = user;
    if (capacity > 0) out[0] = self->state.start;
    if (self->state.start == self->state.end) return 1;
    int32_t *rest = capacity > 0 ? out + 1 : NULL, room = capacity > 0 ? capacity - 1 : 0;
    return 1 + (self->steps != NULL
                    ? ploy_grid_search_path(self->steps, self->state.end, rest, room)
                    : ployi_grid_angle_path(self->lines, rest, room));
}

static int32_t grid_finder_locate(const void *user, ploy_vec3 place,
                                  const ploy_path_request *request) {
    const grid_finder *self = user;
    ploy_representation_body body = {request->radius, request->mask};
    return self->level.quantise(self->level.user, place, &body);
}

static bool grid_finder_clear(const void *user, ploy_vec3 from, ploy_vec3 to,
                              const ploy_path_request *request) {
    const grid_finder *self = user;
    ploy_representation_body body = {request->radius, request->mask};
    return self->level.clear(self->level.user, from, to, &body);
}

// ---- sight ----

static void grid_finder_describe(const void *user, ploy_describe *out) {
    const grid_finder *self = user;
    if (self->steps != NULL) ploy_grid_search_describe(self->steps, out);
    if (self->lines != NULL) ployi_grid_angle_describe(self->lines, out);
    if (self->anya != NULL) ployi_grid_anya_describe(self->anya, out);
}

static void grid_finder_draw(const void *user, ploy_draw *out) {
    const grid_finder *self = user;
    if (grid_finder_inner(self) == PLOY_SEARCH_IDLE) return;
    if (self->steps != NULL) ploy_grid_search_draw(self->steps, out);
    if (self->lines != NULL) ployi_grid_angle_draw(self->lines, out);
    if (self->anya != NULL) ployi_grid_anya_draw(self->anya, out);
}

static void grid_finder_memory(const void *user, ploy_memory_fn fn, void *fn_user) {
    const grid_finder *self = user;
    ploy_memory_item item = {"finder", sizeof *self, 1};
    fn(fn_user, &item);
    ploy_array_memory(&self->cells, fn, fn_user);
    ploy_array_memory(&self->found, fn, fn_user);
    ploy_array_memory(&self->points, fn, fn_user);
    if (self->steps != NULL) ploy_grid_search_memory(self->steps, fn, fn_user);
    if (self->lines != NULL) ployi_grid_angle_memory(self->lines, fn, fn_user);
    if (self->anya != NULL) ployi_grid_anya_memory(self->anya, fn, fn_user);
}

static void grid_finder_destroy(void *user) {
    grid_finder *self = user;
    if (self == NULL) return;
    ploy_env env = self->env;
    ploy_grid_search_destroy(self->steps);
    ployi_grid_angle_destroy(self->lines);
    ployi_grid_anya_destroy(self->anya);
    ploy_array_fini(&self->cells);
    ploy_array_fini(&self->found);
    ploy_array_fini(&self->points);
    ploy_env_free(&env, self, sizeof *self);
}

// ---- making ----

typedef enum grid_finder_kind {
    GRID_FINDER_STEPS,
    GRID_FINDER_LINES = PLOY_GRID_ALGORITHM_COUNT,
    GRID_FINDER_ANYA = GRID_FINDER_LINES + PLOY_GRID_ANGLE_COUNT,
    GRID_FINDER_COUNT
} grid_finder_kind;

#define GRID_FINDER_STEPS_TYPE(text)                                                               \
    {                                                                                              \
        text, PLOY_FINDER_OPTIMAL, grid_finder_begin, grid_finder_step, grid_finder_path,          \
            grid_finder_generation, grid_finder_steps_serve, grid_finder_cancel, grid_finder_peek, \
            grid_finder_states, grid_finder_locate, grid_finder_clear, grid_finder_describe,       \
            grid_finder_draw, grid_finder_memory, grid_finder_destroy, NULL,                       \
    }
#define GRID_FINDER_LINES_TYPE(text)                                                            \
    {                                                                                           \
        text, 0, grid_finder_begin, grid_finder_step, grid_finder_path, grid_finder_generation, \
            grid_finder_lines_serve, grid_finder_cancel, NULL, grid_finder_states,              \
            grid_finder_locate, grid_finder_clear, grid_finder_describe, grid_finder_draw,      \
            grid_finder_memory, grid_finder_destroy, NULL,                                      \
    }

static const ploy_finder_type grid_finder_types[GRID_FINDER_COUNT] = {
    GRID_FINDER_STEPS_TYPE("dijkstra"),
    GRID_FINDER_STEPS_TYPE("astar"),
    GRID_FINDER_STEPS_TYPE("jps"),
    GRID_FINDER_STEPS_TYPE("fast"),
    GRID_FINDER_LINES_TYPE("theta"),
    GRID_FINDER_LINES_TYPE("lazy"),
    {"anya", PLOY_FINDER_OPTIMAL, grid_finder_begin, grid_finder_step, grid_finder_anya_path,
     grid_finder_generation, grid_finder_lines_serve, grid_finder_cancel, NULL, NULL, NULL,
     grid_finder_clear, grid_finder_describe, grid_finder_draw, grid_finder_memory,
     grid_finder_destroy, NULL},
};

#undef GRID_FINDER_STEPS_TYPE
#undef GRID_FINDER_LINES_TYPE

static const char *const grid_finder_help[GRID_FINDER_COUNT] = {
    "steps, nearest cells first (Dijkstra): the reference",
    "steps, A* from buckets: cells may differ in cost",
    "steps, jump points: rows are scanned 64 cells at a time",
    "steps, jump points with tables and landmarks: the fastest, after preparation",
    "lines at any angle, Theta*: nearly the shortest",
    "lines at any angle, Lazy Theta*: the same with fewer lines of sight",
    "lines at any angle, the shortest path for a point (Anya)",
};

static ploy_result grid_finder_parts(grid_finder *self, int32_t kind) {
    if (kind >= GRID_FINDER_ANYA) return ployi_grid_anya_create(&self->env, &self->anya);
    if (kind >= GRID_FINDER_LINES) {
        ployi_grid_angle_def def = ployi_grid_angle_def_default();
        def.algorithm = (ploy_grid_angle_algorithm)(kind - GRID_FINDER_LINES);
        return ployi_grid_angle_create(&def, &self->env, &self->lines);
    }
    ploy_grid_search_def def = ploy_grid_search_def_default();
    self->algorithm = def.algorithm = (ploy_grid_algorithm)kind;
    return ploy_grid_search_create(&def, &self->env, &self->steps);
}

static ploy_result grid_finder_make(const ploy_finder_factory *factory, const ploy_env *env,
                                    ploy_finder *out) {
    if (factory->user == NULL || factory->variant < 0 || factory->variant >= GRID_FINDER_COUNT) {
        ploy_env_log(env, PLOY_SEVERITY_ERROR, "finder: expected a grid map and an algorithm");
        return PLOY_ERR_ARGUMENT;
    }
    grid_finder *self = ploy_env_alloc_zero(env, sizeof *self);
    if (self == NULL) return PLOY_ERR_MEMORY;
    self->env = *env;
    self->map = factory->user;
    self->walker = ploy_tiles_walker_make(self->map->tiles, NULL);
    self->walker.size = self->map->def.size;
    self->level = ploy_tiles_representation(&self->walker);
    ploy_array_init(&self->cells, sizeof(int32_t), env);
    ploy_array_init(&self->found, sizeof(ploy_edge), env);
    ploy_array_init(&self->points, sizeof(ploy_vec2), env);
    ploy_result result = grid_finder_parts(self, factory->variant);
    if (result != PLOY_OK) {
        grid_finder_destroy(self);
        return result;
    }
    out->type = &grid_finder_types[factory->variant];
    out->self = self;
    return PLOY_OK;
}

static ploy_finder_factory grid_finder_factory(const ploy_grid_map *map, int32_t kind, bool known) {
    const ploy_finder_type *type = &grid_finder_types[known ? kind : 0];
    ploy_finder_factory factory = {grid_finder_make,  map,
                                   known ? kind : -1, type->traits,
                                   type->name,        grid_finder_help[known ? kind : 0]};
    return factory;
}

ploy_finder_factory ploy_grid_finder(const ploy_grid_map *map, ploy_grid_algorithm algorithm) {
    return grid_finder_factory(map, GRID_FINDER_STEPS + (int32_t)algorithm,
                               (unsigned)algorithm < PLOY_GRID_ALGORITHM_COUNT);
}

ploy_finder_factory ploy_grid_angle_finder(const ploy_grid_map *map,
                                           ploy_grid_angle_algorithm algorithm) {
    return grid_finder_factory(map, GRID_FINDER_LINES + (int32_t)algorithm,
                               (unsigned)algorithm < PLOY_GRID_ANGLE_COUNT);
}

ploy_finder_factory ploy_grid_anya_finder(const ploy_grid_map *map) {
    return grid_finder_factory(map, GRID_FINDER_ANYA, true);
}

int32_t ploy_tiles_finders(const ploy_grid_map *map, const ploy_representation *tiles,
                           ploy_finder_factory *out, int32_t capacity) {
    int32_t count = 0;
    for (int32_t i = 0; i < GRID_FINDER_COUNT; i++, count++) {
        if (count < capacity) out[count] = grid_finder_factory(map, i, true);
    }
    for (int32_t i = 0; i < PLOY_SPACE_METHOD_COUNT; i++, count++) {
        if (count < capacity) {
            out[count] = ploy_representation_finder(tiles, (ploy_space_method)i);
        }
    }
    return count;
}
