// Flow fields; the technique is described in the header.
//
// Invariants:
//   (1) costs[c] is INT64_MAX where no path is known; a goal where the body fits has 0;
//   (2) a cell with a cost above 0 has a direction, and the step in it was legal and costs[c] its
//       price and the next cell's cost when it was set; so directions make a forest;
//   (3) while costs are being lowered, every cell whose neighbours may gain by it is in the heap;
//   (4) when ready, costs are the least there are, each direction is the lowest of those that keep
//       (2), and vectors follow from both.
// The heap's keys are doubles: past 2^53 units they round, and then a cell may be taken before a
// slightly cheaper one. It is put back when it gains, so costs stay exact.
#include "ploy/path/grid_flow.h"

#include "base/compiler.h"
#include "path/path_internal.h"

#include <math.h>
#include <string.h>

#include "path/grid_internal.h"
#include "ploy/base/hash.h"
#include "ploy/base/heap.h"
#include "ploy/base/math.h"

enum { GRID_FLOW_NOWHERE = 8, GRID_FLOW_SCAN = 64 };
enum { GRID_FLOW_GOAL = 1, GRID_FLOW_TOUCHED = 2 };

typedef enum grid_flow_phase {
    GRID_FLOW_READY,
    GRID_FLOW_FORGET, // what led through a changed cell
    GRID_FLOW_SEED,   // the forgotten from what is beside them
    GRID_FLOW_LOWER,  // Dijkstra
    GRID_FLOW_POINT   // directions and vectors
} grid_flow_phase;

static const char *const grid_flow_phases[] = {"ready", "forget", "seed", "lower", "point"};

static const ploy_field grid_flow_fields[] = {
    PLOY_FIELD_BOOL(ploy_grid_flow_def, smooth, true,
                    "in the open, point down the slope of the costs"),
};

struct ploy_grid_flow {
    ploy_env env;
    ploy_grid_flow_def def;
    const ploy_grid_map *map;
    uint64_t version; // of the map
    size_t bytes;     // of the block
    int64_t *costs;   // the block: costs, vectors, touched, directions, flags
    ploy_vec2 *vectors;
    int32_t *touched; // cells whose cost changed, while not all are taken as such
    uint8_t *directions, *flags;
    int32_t touched_count, at; // at: the next of them, or the next cell
    int32_t edits[PLOYI_TILES_JOURNAL], edit_count;
    bool all; // every cell is to be pointed
    grid_flow_phase phase;
    ploy_indexed_heap heap;
    ploy_grid_flow_stats stats;
};

ploy_fields ploy_grid_flow_fields(void) {
    return PLOY_FIELDS(ploy_grid_flow_def, grid_flow_fields);
}

ploy_grid_flow_def ploy_grid_flow_def_default(void) {
    ploy_grid_flow_def def;
    ploy_fields_default(ploy_grid_flow_fields(), &def);
    return def;
}

// ---- life ----

static void grid_flow_forget_all(ploy_grid_flow *flow) {
    size_t count = (size_t)flow->map->count;
    for (size_t i = 0; i < count; i++) flow->costs[i] = INT64_MAX;
    memset(flow->directions, GRID_FLOW_NOWHERE, count);
    for (size_t i = 0; i < count; i++) flow->flags[i] &= GRID_FLOW_GOAL;
    ploy_indexed_heap_clear(&flow->heap);
    memset(&flow->stats, 0, sizeof flow->stats);
    flow->touched_count = flow->at = 0;
    flow->version = flow->map->version;
}

ploy_result ploy_grid_flow_create(const ploy_grid_flow_def *def, const ploy_grid_map *map,
                                  const ploy_env *env, ploy_grid_flow **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL || map == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_grid_flow_fields(), def, env);
    if (result != PLOY_OK) return result;
    size_t one = sizeof(int64_t) + sizeof(ploy_vec2) + sizeof(int32_t) + 2, bytes = 0;
    if (!ploy_size_add_array(0, map->count, one, &bytes)) return PLOY_ERR_ARGUMENT;
    ploy_grid_flow *flow = ploy_env_alloc_zero(env, sizeof *flow);
    if (flow == NULL) return PLOY_ERR_MEMORY;
    flow->env = *env;
    flow->def = *def;
    flow->map = map;
    ploy_indexed_heap_init(&flow->heap, 4, env);
    flow->costs = ploy_env_alloc_zero(env, bytes);
    if (flow->costs == NULL) goto fail;
    flow->bytes = bytes;
    flow->vectors = (ploy_vec2 *)(void *)(flow->costs + map->count);
    flow->touched = (int32_t *)(void *)(flow->vectors + map->count);
    flow->directions = (uint8_t *)(flow->touched + map->count);
    flow->flags = flow->directions + map->count;
    if (ploy_indexed_heap_reserve(&flow->heap, map->count) != PLOY_OK) goto fail;
    grid_flow_forget_all(flow);
    *out = flow;
    return PLOY_OK;
fail:
    ploy_grid_flow_destroy(flow);
    return PLOY_ERR_MEMORY;
}

void ploy_grid_flow_destroy(ploy_grid_flow *flow) {
    if (flow == NULL) return;
    ploy_env env = flow->env;
    ploy_indexed_heap_fini(&flow->heap);
    ploy_env_free(&env, flow->costs, flow->bytes);
    ploy_env_free(&env, flow, sizeof *flow);
}

// ---- steps between cells ----

// The directions that a body standing on a cell may step in.
static uint32_t grid_flow_moves(const ploy_grid_map *map, int32_t cell) {
    int32_t y = ployi_grid_row(map, cell), x = cell - y * map->width;
    if (!ployi_grid_fits(map, x, y)) return 0;
    return map->moves[8][ployi_grid_around(map, x, y)];
}

static int32_t grid_flow_beside(const ploy_grid_map *map, int32_t cell, int32_t direction) {
    return cell + ployi_tile_dx[direction] + ployi_tile_dy[direction] * map->width;
}

// What a step into a cell costs.
static int64_t grid_flow_price(const ploy_grid_map *map, int32_t to, int32_t direction) {
    int64_t step = direction % 2 != 0 ? PLOY_GRID_DIAGONAL : PLOY_GRID_STRAIGHT;
    return map->weights != NULL ? step * map->weights[to] : step;
}

static void grid_flow_touch(ploy_grid_flow *flow, int32_t cell) {
    if (flow->all || (flow->flags[cell] & GRID_FLOW_TOUCHED) != 0) return;
    flow->flags[cell] |= GRID_FLOW_TOUCHED;
    flow->touched[flow->touched_count++] = cell;
}

// A cell got a cost: its neighbours may gain. The heap has room for every cell.
static void grid_flow_queue(ploy_grid_flow *flow, int32_t cell) {
    double key = (double)flow->costs[cell];
    if (ploy_indexed_heap_contains(&flow->heap, cell)) {
        ploy_indexed_heap_update(&flow->heap, cell, key);
    } else {
        ploy_indexed_heap_push(&flow->heap, cell, key);
    }
}

static bool grid_flow_is_goal(const ploy_grid_flow *flow, int32_t cell) {
    return (flow->flags[cell] & GRID_FLOW_GOAL) != 0 && ploy_grid_map_fits(flow->map, cell);
}

// The best direction from a cell by what its neighbours know; the lowest direction of the best.
static int64_t grid_flow_best(const ploy_grid_flow *flow, int32_t cell, uint32_t moves,
                              int32_t *direction) {
    int64_t best = INT64_MAX;
    *direction = GRID_FLOW_NOWHERE;
    for (; moves != 0; moves &= moves - 1) {
        int32_t side = ployi_lowest_bit(moves), to = grid_flow_beside(flow->map, cell, side);
        if (flow->costs[to] == INT64_MAX) continue;
        int64_t cost = flow->costs[to] + grid_flow_price(flow->map, to, side);
        if (cost < best) {
            best = cost;
            *direction = side;
        }
    }
    return best;
}

// ---- begin ----

static void grid_flow_begin_goals(ploy_grid_flow *flow) {
    grid_flow_forget_all(flow);
    for (int32_t cell = 0; cell < flow->map->count; cell++) {
        if (!grid_flow_is_goal(flow, cell)) continue;
        flow->costs[cell] = 0;
        grid_flow_queue(flow, cell);
    }
    flow->all = true;
    flow->phase = GRID_FLOW_LOWER;
}

ploy_result ploy_grid_flow_begin(ploy_grid_flow *flow, const int32_t *goals, int32_t count) {
    if (count < 0 || (count > 0 && goals == NULL)) return PLOY_ERR_ARGUMENT;
    for (int32_t i = 0; i < count; i++) {
        if (goals[i] < 0 || goals[i] >= flow->map->count) return PLOY_ERR_ARGUMENT;
    }
    memset(flow->flags, 0, (size_t)flow->map->count);
    for (int32_t i = 0; i < count; i++) flow->flags[goals[i]] = GRID_FLOW_GOAL;
    grid_flow_begin_goals(flow);
    return PLOY_OK;
}

void ploy_grid_flow_cancel(ploy_grid_flow *flow) {
    memset(flow->flags, 0, (size_t)flow->map->count);
    grid_flow_forget_all(flow);
    memset(flow->vectors, 0, (size_t)flow->map->count * sizeof *flow->vectors);
    flow->phase = GRID_FLOW_READY;
}

static void grid_flow_forget(ploy_grid_flow *flow, int32_t cell) {
    flow->costs[cell] = INT64_MAX;
    flow->directions[cell] = GRID_FLOW_NOWHERE;
    flow->stats.forgotten++;
    grid_flow_touch(flow, cell);
}

// A cell changed: forgets the direction of one around it, if the cell took part in it as the next one or
// as a corner that was brushed.
static void grid_flow_lose(ploy_grid_flow *flow, int32_t cell, int32_t near) {
    const ploy_grid_map *map = flow->map;
    int32_t direction = flow->directions[near];
    bool lost =
        direction != GRID_FLOW_NOWHERE && ((grid_flow_moves(map, near) >> direction & 1u) == 0 ||
                                           grid_flow_beside(map, near, direction) == cell);
    bool goal_lost = flow->costs[near] == 0 && !ploy_grid_map_fits(map, near);
    if (lost || goal_lost) grid_flow_forget(flow, near);
}

// Everything around the changed cells: first what lost its direction, and when all such are found, all as
// what may gain or point elsewhere.
static void grid_flow_around(ploy_grid_flow *flow, bool lose) {
    const ploy_grid_map *map = flow->map;
    for (int32_t i = 0; i < flow->edit_count; i++) {
        int32_t y = ployi_grid_row(map, flow->edits[i]), x = flow->edits[i] - y * map->width;
        int32_t last_x = ploy_mini(map->width - 1, x + 1),
                last_y = ploy_mini(map->height - 1, y + 1);
        for (int32_t ny = ploy_maxi(0, y - 1); ny <= last_y; ny++) {
            for (int32_t nx = ploy_maxi(0, x - 1); nx <= last_x; nx++) {
                int32_t near = ny * map->width + nx;
                if (lose) {
                    grid_flow_lose(flow, flow->edits[i], near);
                } else {
                    grid_flow_touch(flow, near);
                }
            }
        }
    }
}

void ploy_grid_flow_refresh(ploy_grid_flow *flow) {
    const ploy_grid_map *map = flow->map;
    if (map->version == flow->version) return;
    // As ploy_grid_map_refresh; the journal must still hold what the map has followed. Bodies
    // larger than a cell enter many cells at a time, and their directions are found again.
    uint64_t since = map->tiles->version - flow->version;
    if (since > PLOYI_TILES_JOURNAL || map->def.size > 1 || flow->phase != GRID_FLOW_READY) {
        grid_flow_begin_goals(flow);
        return;
    }
    flow->all = false;
    flow->touched_count = flow->at = flow->edit_count = 0;
    memset(&flow->stats, 0, sizeof flow->stats);
    for (uint64_t v = flow->version + 1; v <= map->version; v++) {
        flow->edits[flow->edit_count++] = map->tiles->journal[v % PLOYI_TILES_JOURNAL];
    }
    grid_flow_around(flow, true);
    flow->version = map->version;
    flow->phase = GRID_FLOW_FORGET;
}

// ---- work ----

// Forgets the directions that lead into a forgotten cell; until all are, the touched are the forgotten.
static bool grid_flow_forget_one(ploy_grid_flow *flow) {
    const ploy_grid_map *map = flow->map;
    if (flow->at == flow->touched_count) {
        grid_flow_around(flow, false);
        return false;
    }
    int32_t cell = flow->touched[flow->at++];
    int32_t y = ployi_grid_row(map, cell), x = cell - y * map->width;
    for (int32_t back = 0; back < 8; back++) {
        int32_t nx = x + ployi_tile_dx[back], ny = y + ployi_tile_dy[back];
        if (nx < 0 || ny < 0 || nx >= map->width || ny >= map->height) continue;
        int32_t near = ny * map->width + nx;
        if (flow->directions[near] == (back + 4) % 8) grid_flow_forget(flow, near);
    }
    return true;
}

static bool grid_flow_seed_one(ploy_grid_flow *flow) {
    if (flow->at == flow->touched_count) return false;
    int32_t cell = flow->touched[flow->at++], direction;
    int64_t best = grid_flow_best(flow, cell, grid_flow_moves(flow->map, cell), &direction);
    if (grid_flow_is_goal(flow, cell)) {
        best = 0;
        direction = GRID_FLOW_NOWHERE;
    }
    if (best < flow->costs[cell]) {
        flow->costs[cell] = best;
        flow->directions[cell] = (uint8_t)direction;
        grid_flow_queue(flow, cell); // keeps (3)
    }
    return true;
}

static bool grid_flow_lower_one(ploy_grid_flow *flow) {
    const ploy_grid_map *map = flow->map;
    int32_t cell;
    if (!ploy_indexed_heap_pop(&flow->heap, &cell, NULL)) return false;
    flow->stats.taken++;
    // Steps are legal in both directions or in none, so those out of the cell lead into it too.
    for (uint32_t moves = grid_flow_moves(map, cell); moves != 0; moves &= moves - 1) {
        int32_t back = ployi_lowest_bit(moves), near = grid_flow_beside(map, cell, back);
        int64_t cost = flow->costs[cell] + grid_flow_price(map, cell, back);
        if (cost >= flow->costs[near]) continue;
        flow->costs[near] = cost;
        flow->directions[near] = (uint8_t)((back + 4) % 8);
        grid_flow_touch(flow, near);
        grid_flow_queue(flow, near);
    }
    return true;
}

static ploy_vec2 grid_flow_unit(double x, double y) {
    double length = sqrt(x * x + y * y);
    if (!(length > 0.0)) return ploy_vec2_make(0.0f, 0.0f);
    return ploy_vec2_make((float)(x / length), (float)(y / length));
}

// Direction and vector of one cell, from the costs around it: keeps (4).
static void grid_flow_point(ploy_grid_flow *flow, int32_t cell) {
    const ploy_grid_map *map = flow->map;
    int32_t y = ployi_grid_row(map, cell), x = cell - y * map->width, direction = GRID_FLOW_NOWHERE;
    double vx = 0.0, vy = 0.0;
    flow->stats.pointed++;
    if (ployi_grid_fits(map, x, y)) {
        uint32_t moves = grid_flow_moves(map, cell);
        if (flow->costs[cell] != 0 && flow->costs[cell] != INT64_MAX) {
            grid_flow_best(flow, cell, moves, &direction);
        }
        if (flow->def.smooth && moves == 255u && direction != GRID_FLOW_NOWHERE) {
            vx = (double)flow->costs[cell - 1] - (double)flow->costs[cell + 1];
            vy = (double)flow->costs[cell - map->width] - (double)flow->costs[cell + map->width];
        }
    } else {
        int64_t best = INT64_MAX;
        for (int32_t d = 0; d < 8; d++) {
            int32_t nx = x + ployi_tile_dx[d], ny = y + ployi_tile_dy[d];
            if (nx < 0 || ny < 0 || nx >= map->width || ny >= map->height) continue;
            int64_t cost = flow->costs[ny * map->width + nx];
            if (cost >= best) continue;
            best = cost;
            vx = ployi_tile_dx[d];
            vy = ployi_tile_dy[d];
        }
    }
    if (vx == 0.0 && vy == 0.0 && direction != GRID_FLOW_NOWHERE) {
        vx = ployi_tile_dx[direction];
        vy = ployi_tile_dy[direction];
    }
    flow->directions[cell] = (uint8_t)direction;
    flow->vectors[cell] = grid_flow_unit(vx, vy);
}

// A cell's cost decides about its neighbours' directions and vectors too.
static bool grid_flow_point_some(ploy_grid_flow *flow) {
    const ploy_grid_map *map = flow->map;
    if (flow->all) {
        int32_t end = ploy_mini(map->count, flow->at + GRID_FLOW_SCAN);
        while (flow->at < end) grid_flow_point(flow, flow->at++);
        return flow->at < map->count;
    }
    if (flow->at == flow->touched_count) return false;
    int32_t cell = flow->touched[flow->at++];
    int32_t y = ployi_grid_row(map, cell), x = cell - y * map->width;
    flow->flags[cell] &= (uint8_t)~GRID_FLOW_TOUCHED;
    for (int32_t i = 0; i < 9; i++) {
        int32_t nx = x + i % 3 - 1, ny = y + i / 3 - 1;
        if (nx < 0 || ny < 0 || nx >= map->width || ny >= map->height) continue;
        grid_flow_point(flow, ny * map->width + nx);
    }
    return true;
}

ploy_result ploy_grid_flow_step(ploy_grid_flow *flow, ploy_budget *budget) {
    while (flow->phase != GRID_FLOW_READY) {
        if (budget != NULL && !ploy_budget_spend(budget, 1)) return PLOY_IN_PROGRESS;
        flow->stats.units++;
        bool more = false;
        switch (flow->phase) {
        case GRID_FLOW_FORGET: more = grid_flow_forget_one(flow); break;
        case GRID_FLOW_SEED: more = grid_flow_seed_one(flow); break;
        case GRID_FLOW_LOWER: more = grid_flow_lower_one(flow); break;
        default: more = grid_flow_point_some(flow); break;
        }
        if (more) continue;
        flow->at = 0;
        flow->phase =
            flow->phase == GRID_FLOW_POINT ? GRID_FLOW_READY : (grid_flow_phase)(flow->phase + 1);
    }
    return PLOY_OK;
}

ploy_result ploy_grid_flow_run(ploy_grid_flow *flow, const int32_t *goals, int32_t count) {
    ploy_result result = ploy_grid_flow_begin(flow, goals, count);
    return result == PLOY_OK ? ploy_grid_flow_step(flow, NULL) : result;
}

static ploy_result grid_flow_task_step(void *self, ploy_budget *budget) {
    return ploy_grid_flow_step(self, budget);
}

static void grid_flow_task_cancel(void *self) {
    ploy_grid_flow_cancel(self);
}

static void grid_flow_task_describe(const void *self, ploy_describe *out) {
    ploy_grid_flow_describe(self, out);
}

ploy_task ploy_grid_flow_task(ploy_grid_flow *flow) {
    static const ploy_task_type type = {"grid flow", grid_flow_task_step, grid_flow_task_cancel,
                                        grid_flow_task_describe};
    ploy_task task = {&type, flow};
    return task;
}

// ---- results ----

bool ployi_grid_flow_ready(const ploy_grid_flow *flow) {
    return flow->phase == GRID_FLOW_READY;
}

static bool grid_flow_has(const ploy_grid_flow *flow, int32_t cell) {
    return cell >= 0 && cell < flow->map->count && flow->costs[cell] != INT64_MAX;
}

bool ploy_grid_flow_cost(const ploy_grid_flow *flow, int32_t cell, ploy_grid_cost *out) {
    if (!grid_flow_has(flow, cell)) return false;
    *out = ployi_grid_cost_of(flow->costs[cell]);
    return true;
}

int32_t ploy_grid_flow_direction(const ploy_grid_flow *flow, int32_t cell) {
    if (!grid_flow_has(flow, cell)) return -1;
    return flow->directions[cell] == GRID_FLOW_NOWHERE ? -1 : flow->directions[cell];
}

int32_t ployi_grid_flow_next(const ploy_grid_flow *flow, int32_t cell) {
    int32_t direction = ploy_grid_flow_direction(flow, cell);
    return direction < 0 ? PLOY_STATE_NONE : grid_flow_beside(flow->map, cell, direction);
}

const ploy_vec2 *ploy_grid_flow_vectors(const ploy_grid_flow *flow) {
    return flow->vectors;
}

ploy_vec2 ployi_grid_flow_at(const ploy_grid_flow *flow, ploy_vec2 point) {
    int32_t cell = ploy_tiles_quantise(flow->map->tiles, point);
    return cell < 0 ? ploy_vec2_make(0.0f, 0.0f) : flow->vectors[cell];
}

ploy_grid_flow_stats ploy_grid_flow_stats_of(const ploy_grid_flow *flow) {
    return flow->stats;
}

// ---- sight ----

void ploy_grid_flow_draw(const ploy_grid_flow *flow, ploy_draw *out) {
    const ploy_tiles *tiles = flow->map->tiles;
    ploy_agent_id nobody = ploy_agent_id_none();
    int64_t most = 1;
    for (int32_t cell = 0; cell < flow->map->count; cell++) {
        int64_t cost = flow->costs[cell];
        if (cost != INT64_MAX && cost > most) most = cost;
    }
    for (int32_t cell = 0; cell < flow->map->count; cell++) {
        int64_t cost = flow->costs[cell];
        if (cost == INT64_MAX) continue;
        ploy_vec2 at = ploy_tiles_localise(tiles, cell), direction = flow->vectors[cell];
        if (ploy_draw_wants(out, PLOY_LAYER_INFLUENCE)) {
            float far = (float)((double)cost / (double)most);
            ploy_tiles_draw_cells(tiles, cell, 1, PLOY_LAYER_INFLUENCE, PLOY_STYLE_OPEN,
                                  0.05f + 0.45f * (1.0f - far), out);
        }
        if (ploy_draw_wants(out, PLOY_LAYER_FORCES) &&
            (direction.x != 0.0f || direction.y != 0.0f)) {
            ploy_vec2 half = ploy_vec2_scale(direction, 0.35f * tiles->def.size);
            ploy_draw_line(out, PLOY_LAYER_FORCES, PLOY_STYLE_GHOST, nobody, at,
                           ploy_vec2_add(at, half));
        }
    }
}

void ploy_grid_flow_describe(const ploy_grid_flow *flow, ploy_describe *out) {
    size_t count = (size_t)flow->map->count;
    uint64_t hash = ploy_hash_bytes(flow->costs, count * sizeof *flow->costs, 1);
    hash = ploy_hash_bytes(flow->directions, count, hash);
    ploy_describe_text(out, "phase", PLOY_STATE, grid_flow_phases[flow->phase]);
    ploy_describe_u64(out, "costs and directions", PLOY_STATE, hash);
    ploy_describe_u64(out, "vectors", PLOY_STATE,
                      ploy_hash_bytes(flow->vectors, count * sizeof *flow->vectors, 1));
    ploy_describe_i64(out, "waiting", PLOY_DERIVED, ploy_indexed_heap_count(&flow->heap));
    ploy_describe_i64(out, "forgotten", PLOY_STATE, flow->stats.forgotten);
    ploy_describe_i64(out, "taken", PLOY_STATE, flow->stats.taken);
    ploy_describe_i64(out, "pointed", PLOY_STATE, flow->stats.pointed);
    ploy_describe_i64(out, "units", PLOY_STATE, flow->stats.units);
}

void ploy_grid_flow_memory(const ploy_grid_flow *flow, ploy_memory_fn fn, void *user) {
    ploy_memory_item self = {"grid flow", sizeof *flow, 1};
    ploy_memory_item cells = {"grid flow cells", flow->bytes, 1};
    fn(user, &self);
    fn(user, &cells);
    ploy_indexed_heap_memory(&flow->heap, fn, user);
}
