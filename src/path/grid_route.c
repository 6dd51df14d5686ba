// Routes over a grid in blocks: the search from place to place, its legs, and smoothing.
//
// States of the search: place p of block b is b * room + p; behind them the start and the goal. The
// search is a separate A*, because a state has only a few edges and a general one would spend more
// on calls than on them. Its estimate is weighted: places lie off the straight line by a few
// hundredths, and a search for the very best would look at most of the map for that.
// Invariants, while there is something to do or a path was found:
//   (1) from_start[p] is what it costs from the start to place p of its block, to_goal[p] from place
//       p of the goal's block; INFINITY without a path inside of the block;
//   (2) route and blocks are of one version: begin checks it;
//   (3) a node counts if its mark has the round; the heap may hold a state several times, of which
//       all but the first one taken are passed over.
#include <math.h>
#include <string.h>

#include "path/grid_blocks_internal.h"
#include "ploy/base/array.h"
#include "ploy/base/hash.h"
#include "ploy/base/math.h"

enum { GRID_ROUTE_ROOM = 2 * PLOYI_BLOCK_SIDE_MAX + 2, GRID_ROUTE_WINDOW = 64 };

typedef struct grid_route_node {
    double cost;
    int32_t parent;
    uint32_t mark; // round << 8 | (label + 1) << 1 | closed
} grid_route_node;

typedef struct grid_route_open {
    double rank; // cost and weighted estimate
    int32_t state;
} grid_route_open;

struct ploy_grid_route {
    ploy_env env;
    const ploy_grid_blocks *blocks;
    grid_route_node *nodes; // of all states
    int32_t node_count;
    uint32_t round;
    ploy_array open;    // grid_route_open: a heap
    ploy_array reached; // int32_t
    int64_t taken;
    int32_t start, goal, start_block, goal_block;
    double from_start[GRID_ROUTE_ROOM], to_goal[GRID_ROUTE_ROOM];
    double direct; // from start to goal in a square around both, if they are near
    double least;  // cost of the cheapest cell, a hair less, for estimates
    double weight;
    int32_t goal_x, goal_y;
    ploy_search_outcome outcome;
};

ploy_result ploy_grid_route_create(const ploy_env *env, ploy_grid_route **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_grid_route *route = ploy_env_alloc_zero(env, sizeof *route);
    if (route == NULL) return PLOY_ERR_MEMORY;
    route->env = *env;
    ploy_array_init(&route->open, sizeof(grid_route_open), env);
    ploy_array_init(&route->reached, sizeof(int32_t), env);
    *out = route;
    return PLOY_OK;
}

void ploy_grid_route_destroy(ploy_grid_route *route) {
    if (route == NULL) return;
    ploy_env env = route->env;
    ploy_env_free(&env, route->nodes, (size_t)route->node_count * sizeof *route->nodes);
    ploy_array_fini(&route->open);
    ploy_array_fini(&route->reached);
    ploy_env_free(&env, route, sizeof *route);
}

// ---- the space ----

static int32_t grid_route_places(const ploy_grid_route *route) {
    return route->blocks->count * route->blocks->room;
}

// The goal's state; the start's if they are one cell.
static int32_t grid_route_goal(const ploy_grid_route *route) {
    return grid_route_places(route) + (route->start != route->goal);
}

static int32_t grid_route_cell(const ploy_grid_route *route, int32_t state) {
    int32_t places = grid_route_places(route);
    if (state < places) return route->blocks->cells[state];
    return state == places ? route->start : route->goal;
}

static double grid_route_estimate(const ploy_grid_route *route, int32_t state) {
    const ploy_grid_map *map = route->blocks->map;
    int32_t cell = grid_route_cell(route, state), row = ployi_grid_row(map, cell);
    int32_t dx = cell - row * map->width - route->goal_x, dy = row - route->goal_y;
    dx = dx < 0 ? -dx : dx;
    dy = dy < 0 ? -dy : dy;
    int32_t less = ploy_mini(dx, dy);
    return route->least * ((double)(dx + dy - 2 * less) + 1.4142135623730951 * (double)less);
}

// Of equal ranks the lower state.
static bool grid_route_before(const grid_route_open *a, const grid_route_open *b) {
    return a->rank != b->rank ? a->rank < b->rank : a->state < b->state;
}

static ploy_result grid_route_push(ploy_grid_route *route, grid_route_open item) {
    ploy_result result = ploy_array_push(&route->open, &item);
    if (result != PLOY_OK) return result;
    grid_route_open *open = PLOY_ARRAY_ITEMS(&route->open, grid_route_open);
    int32_t at = route->open.count - 1;
    for (; at > 0 && grid_route_before(&item, &open[(at - 1) / 2]); at = (at - 1) / 2) {
        open[at] = open[(at - 1) / 2];
    }
    open[at] = item;
    return PLOY_OK;
}

static int32_t grid_route_pop(ploy_grid_route *route) {
    grid_route_open *open = PLOY_ARRAY_ITEMS(&route->open, grid_route_open);
    int32_t first = open[0].state, count = --route->open.count, at = 0;
    grid_route_open last = open[count];
    for (int32_t child = 1; child < count; child = 2 * at + 1) {
        if (child + 1 < count && grid_route_before(&open[child + 1], &open[child])) child++;
        if (!grid_route_before(&open[child], &last)) break;
        open[at] = open[child];
        at = child;
    }
    if (count > 0) open[at] = last;
    return first;
}

// A path to a state: kept if it is the first or a cheaper one. Closed ones stay as they are: with a
// weighted estimate that costs no more than the weight allows.
static ploy_result grid_route_reach_state(ploy_grid_route *route, int32_t state, double cost,
                                          int32_t parent, int32_t label) {
    grid_route_node *node = &route->nodes[state];
    bool seen = node->mark >> 8 == route->round;
    if (!(cost < (double)INFINITY) || (seen && ((node->mark & 1u) != 0 || node->cost <= cost))) {
        return PLOY_OK;
    }
    if (!seen) {
        ploy_result result = ploy_array_push(&route->reached, &state);
        if (result != PLOY_OK) return result;
    }
    node->cost = cost;
    node->parent = parent;
    node->mark = route->round << 8 | (uint32_t)(label + 1) << 1;
    grid_route_open item = {cost + route->weight * grid_route_estimate(route, state), state};
    return grid_route_push(route, item);
}

// The other side of a border: the place of the next block at a cell.
static ploy_result grid_route_cross(ploy_grid_route *route, int32_t state, int32_t direction,
                                    double before) {
    const ploy_grid_blocks *blocks = route->blocks;
    int32_t cell = blocks->cells[state];
    int32_t to = cell + ployi_tile_dx[direction] + ployi_tile_dy[direction] * blocks->map->width;
    int32_t block = state / blocks->room + ployi_tile_dx[direction] +
                    ployi_tile_dy[direction] * blocks->columns;
    int32_t first = block * blocks->room;
    double cost = blocks->map->weights != NULL ? (double)blocks->map->weights[to] : 1.0;
    for (int32_t place = 0; place < blocks->counts[block]; place++) {
        if (blocks->cells[first + place] != to) continue;
        return grid_route_reach_state(route, first + place, before + cost, state, direction);
    }
    return PLOY_OK; // never: both blocks know the entrance
}

static ploy_result grid_route_expand(ploy_grid_route *route, int32_t state, double before) {
    const ploy_grid_blocks *blocks = route->blocks;
    int32_t places = grid_route_places(route), room = blocks->room;
    ploy_result result = PLOY_OK;
    if (state == places) {
        int32_t first = route->start_block * room;
        for (int32_t to = 0; result == PLOY_OK && to < blocks->counts[route->start_block]; to++) {
            result = grid_route_reach_state(route, first + to, route->from_start[to], state, -1);
        }
        if (result != PLOY_OK) return result;
        return grid_route_reach_state(route, places + 1, route->direct, state, -1);
    }
    int32_t block = state / room, own = state - block * room;
    const ployi_block_cost *costs = &blocks->costs[(size_t)state * (size_t)room];
    // Through the block only if it was not just crossed: such a path is already known whole.
    bool inside = (route->nodes[state].mark >> 1 & 127u) == 0 && state != places;
    for (int32_t to = 0; result == PLOY_OK && !inside && to < blocks->counts[block]; to++) {
        if (to == own || (costs[to].straight == UINT16_MAX && costs[to].diagonal == UINT16_MAX)) {
            continue;
        }
        result = grid_route_reach_state(route, block * room + to,
                                        before + ployi_block_length(costs[to]), state, -1);
    }
    for (int32_t side = 0; result == PLOY_OK && side < 4; side++) {
        if ((blocks->sides[state] >> side & 1u) == 0) continue;
        result = grid_route_cross(route, state, 2 * side, before);
    }
    if (result == PLOY_OK && block == route->goal_block) {
        result = grid_route_reach_state(route, places + 1, before + route->to_goal[own], state, -1);
    }
    return result;
}

// ---- begin and step ----

static double grid_route_reach(const ploy_grid_route *route, const ployi_block_flood *flood,
                               int32_t cell) {
    int64_t units = flood->costs[ployi_block_local(route->blocks->map, flood, cell)];
    return units == INT64_MAX ? (double)INFINITY : ployi_grid_cost_of(units).length;
}

// From the start to the places of its block, or from those of the goal's to the goal.
static void grid_route_enter(ploy_grid_route *route, bool goal) {
    const ploy_grid_blocks *blocks = route->blocks;
    int32_t block = goal ? route->goal_block : route->start_block;
    ployi_block_flood flood;
    ployi_block_flood_run(blocks, goal ? route->goal : route->start, goal, &flood);
    for (int32_t i = 0; i < blocks->counts[block]; i++) {
        double length = grid_route_reach(route, &flood, blocks->cells[block * blocks->room + i]);
        *(goal ? &route->to_goal[i] : &route->from_start[i]) = length;
    }
}

// Room for every state, and a new round.
static ploy_result grid_route_reserve(ploy_grid_route *route) {
    int32_t count = grid_route_places(route) + 2;
    if (count > route->node_count) {
        size_t bytes = (size_t)count * sizeof *route->nodes;
        grid_route_node *nodes = ploy_env_alloc_zero(&route->env, bytes);
        if (nodes == NULL) return PLOY_ERR_MEMORY;
        ploy_env_free(&route->env, route->nodes, (size_t)route->node_count * sizeof *route->nodes);
        route->nodes = nodes;
        route->node_count = count;
        route->round = 0;
    }
    if (++route->round == (uint32_t)1 << 24) {
        memset(route->nodes, 0, (size_t)route->node_count * sizeof *route->nodes);
        route->round = 1;
    }
    ploy_array_clear(&route->open);
    ploy_array_clear(&route->reached);
    route->taken = 0;
    return PLOY_OK;
}

ploy_result ploy_grid_route_begin(ploy_grid_route *route, const ploy_grid_blocks *blocks,
                                  int32_t start, int32_t goal) {
    route->outcome = PLOY_SEARCH_IDLE;
    route->blocks = NULL;
    if (blocks == NULL || start < 0 || goal < 0 || start >= blocks->map->count ||
        goal >= blocks->map->count) {
        return PLOY_ERR_ARGUMENT;
    }
    if (blocks->version != blocks->map->version) return PLOY_ERR_STATE;
    route->blocks = blocks;
    route->start = start;
    route->goal = goal;
    route->start_block = ployi_block_of(blocks, start);
    route->goal_block = ployi_block_of(blocks, goal);
    route->least = (double)blocks->map->least * (1.0 - 1e-12);
    route->weight = (double)blocks->def.weight;
    route->goal_y = ployi_grid_row(blocks->map, goal);
    route->goal_x = goal - route->goal_y * blocks->map->width;
    route->direct = (double)INFINITY;
    if (!ploy_grid_map_connected(blocks->map, start, goal)) {
        route->outcome = PLOY_SEARCH_NONE;
        return PLOY_OK;
    }
    grid_route_enter(route, false);
    grid_route_enter(route, true);
    ployi_block_flood flood;
    if (ployi_block_flood_near(blocks, start, goal, &flood)) {
        route->direct = grid_route_reach(route, &flood, goal);
    }
    ploy_result result = grid_route_reserve(route);
    int32_t from = grid_route_places(route);
    if (result == PLOY_OK) {
        if (start == goal) route->direct = 0.0;
        result = grid_route_reach_state(route, from, 0.0, PLOY_STATE_NONE, -1);
    }
    if (result == PLOY_OK) route->outcome = PLOY_SEARCH_OPEN;
    return result;
}

ploy_result ploy_grid_route_step(ploy_grid_route *route, ploy_budget *budget) {
    if (route->outcome == PLOY_SEARCH_IDLE) return PLOY_ERR_STATE;
    int32_t goal = route->outcome == PLOY_SEARCH_OPEN ? grid_route_goal(route) : 0;
    while (route->outcome == PLOY_SEARCH_OPEN) {
        if (route->open.count == 0) {
            route->outcome = PLOY_SEARCH_NONE;
            break;
        }
        const grid_route_open *first = PLOY_ARRAY_ITEMS(&route->open, grid_route_open);
        grid_route_node *node = &route->nodes[first->state];
        if ((node->mark & 1u) != 0) { // taken before; keeps (3)
            (void)grid_route_pop(route);
            continue;
        }
        if (budget != NULL && !ploy_budget_spend(budget, 1)) return PLOY_IN_PROGRESS;
        int32_t state = grid_route_pop(route);
        node->mark |= 1u;
        route->taken++;
        if (state == goal) {
            route->outcome = PLOY_SEARCH_FOUND;
            break;
        }
        ploy_result result = grid_route_expand(route, state, node->cost);
        if (result != PLOY_OK) {
            route->outcome = PLOY_SEARCH_IDLE;
            return result;
        }
    }
    return PLOY_OK;
}

void ploy_grid_route_cancel(ploy_grid_route *route) {
    route->outcome = PLOY_SEARCH_IDLE;
}

ploy_result ploy_grid_route_run(ploy_grid_route *route, const ploy_grid_blocks *blocks,
                                int32_t start, int32_t goal) {
    ploy_result result = ploy_grid_route_begin(route, blocks, start, goal);
    return result == PLOY_OK ? ploy_grid_route_step(route, NULL) : result;
}

// ---- results ----

// A cell, and how far one gets from it diagonally; -1 not examined yet.
typedef struct grid_route_view {
    const ploy_grid_map *map;
    int32_t x, y;
    int32_t diagonal[2][2]; // to the left or right, down or up
} grid_route_view;

static grid_route_view grid_route_look(const ploy_grid_map *map, int32_t cell) {
    int32_t y = ployi_grid_row(map, cell);
    grid_route_view view = {map, cell - y * map->width, y, {{-1, -1}, {-1, -1}}};
    return view;
}

// How many of that many steps are possible diagonally.
static int32_t grid_route_diagonal(const ploy_grid_map *map, int32_t x, int32_t y, int32_t sx,
                                   int32_t sy, int32_t most) {
    int32_t count = 0, direction = 0;
    while (ployi_tile_dx[direction] != sx || ployi_tile_dy[direction] != sy) direction++;
    for (; count < most; count++, x += sx, y += sy) {
        if ((map->moves[8][ployi_grid_around(map, x, y)] >> direction & 1u) == 0) break;
    }
    return count;
}

// Are all cells of a line free between two places on it?
static bool grid_route_line(const ployi_grid_lines *lines, int32_t line, int32_t a, int32_t b) {
    const uint64_t *bits = lines->pass + (size_t)(line + 1) * (size_t)lines->words;
    int32_t first = ploy_mini(a, b) + 1, last = ploy_maxi(a, b) + 1;
    for (int32_t word = first >> 6; word <= last >> 6; word++) {
        uint64_t mask = ~(uint64_t)0;
        if (word == first >> 6) mask &= ~(uint64_t)0 << (first & 63);
        if (word == last >> 6) mask &= ~(uint64_t)0 >> (63 - (last & 63));
        if ((bits[word] & mask) != mask) return false;
    }
    return true;
}

// The path to a cell with one bend, diagonally first or last; writes its cells. 0 if something is
// between, or it is longer than the window.
static int32_t grid_route_bend(grid_route_view *view, int32_t to, bool diagonal_first,
                               int32_t out[GRID_ROUTE_WINDOW]) {
    const ploy_grid_map *map = view->map;
    int32_t to_y = ployi_grid_row(map, to), to_x = to - to_y * map->width;
    int32_t dx = to_x - view->x, dy = to_y - view->y;
    int32_t sx = (dx > 0) - (dx < 0), sy = (dy > 0) - (dy < 0), far_x = dx * sx, far_y = dy * sy;
    int32_t slant = ploy_mini(far_x, far_y), steps = ploy_maxi(far_x, far_y);
    int32_t straight_x = far_x > far_y ? sx : 0, straight_y = far_y > far_x ? sy : 0;
    int32_t level = steps - slant;
    if (steps > GRID_ROUTE_WINDOW) return 0;
    // Where the straight part begins and ends.
    int32_t ax = diagonal_first ? view->x + slant * sx : view->x;
    int32_t ay = diagonal_first ? view->y + slant * sy : view->y;
    int32_t bx = ax + level * straight_x, by = ay + level * straight_y;
    if (level > 0 && !(straight_x != 0 ? grid_route_line(&map->rows, ay, ax, bx)
                                       : grid_route_line(&map->columns, ax, ay, by))) {
        return 0;
    }
    if (slant > 0 && diagonal_first) {
        int32_t *known = &view->diagonal[sx > 0][sy > 0];
        if (*known < 0) {
            *known = grid_route_diagonal(map, view->x, view->y, sx, sy, GRID_ROUTE_WINDOW);
        }
        if (*known < slant) return 0;
    } else if (slant > 0 && grid_route_diagonal(map, bx, by, sx, sy, slant) < slant) {
        return 0;
    }
    int32_t at = view->y * map->width + view->x, across = sx + sy * map->width;
    int32_t along = straight_x + straight_y * map->width;
    for (int32_t i = 0; i < steps; i++) {
        at += (diagonal_first ? i < slant : i >= level) ? across : along;
        out[i] = at;
    }
    return steps;
}

ploy_search_outcome ploy_grid_route_outcome(const ploy_grid_route *route) {
    return route->outcome;
}

double ploy_grid_route_length(const ploy_grid_route *route) {
    return route->outcome == PLOY_SEARCH_FOUND ? route->nodes[grid_route_goal(route)].cost : 0.0;
}

int64_t ploy_grid_route_taken(const ploy_grid_route *route) {
    return route->outcome == PLOY_SEARCH_NONE ? 0 : route->taken;
}

int32_t ploy_grid_route_legs(const ploy_grid_route *route) {
    if (route->outcome != PLOY_SEARCH_FOUND) return -1;
    int32_t count = -1;
    for (int32_t at = grid_route_goal(route); at >= 0; at = route->nodes[at].parent) count++;
    return count;
}

// The cells of the leg that led to a state; -1 as a label is one inside of a block.
static int32_t grid_route_cells(const ploy_grid_route *route, int32_t to, int32_t *out,
                                int32_t capacity) {
    const grid_route_node *node = &route->nodes[to];
    int32_t from = node->parent, label = (int32_t)(node->mark >> 1 & 127u) - 1;
    const ploy_grid_map *map = route->blocks->map;
    int32_t a = grid_route_cell(route, from), b = grid_route_cell(route, to), count = 0;
    if (label >= 0) {
        if (capacity > 0) out[0] = b;
        return 1;
    }
    // In the open one bend is as short as can be, and no flood is needed.
    if (map->weights == NULL && map->tiles->def.neighbours == PLOY_TILE_EIGHT) {
        int32_t bend[GRID_ROUTE_WINDOW];
        grid_route_view view = grid_route_look(map, a);
        count = grid_route_bend(&view, b, true, bend);
        if (count == 0) count = grid_route_bend(&view, b, false, bend);
        if (count > 0) {
            memcpy(out, bend, (size_t)ploy_mini(count, capacity) * sizeof *out);
            return count;
        }
    }
    ployi_block_flood flood;
    bool direct = from == grid_route_places(route) && to == from + 1;
    if (!direct || !ployi_block_flood_near(route->blocks, a, b, &flood)) {
        ployi_block_flood_to(route->blocks, a, b, node->cost - route->nodes[from].cost, &flood);
    }
    for (int32_t turn = 0; turn < 2; turn++) { // counts, then writes from the end
        int32_t index = count, at = b;
        while (at != a) {
            int32_t direction = flood.ways[ployi_block_local(map, &flood, at)];
            index--;
            if (turn == 0) count++;
            if (turn == 1 && index < capacity) out[index] = at;
            at -= ployi_tile_dx[direction] + ployi_tile_dy[direction] * map->width;
        }
    }
    return count;
}

int32_t ploy_grid_route_leg(const ploy_grid_route *route, int32_t leg, int32_t *out,
                            int32_t capacity) {
    int32_t legs = ploy_grid_route_legs(route), at;
    if (leg < 0 || leg >= legs) return -1;
    at = grid_route_goal(route);
    for (int32_t i = legs - 1; i > leg; i--) at = route->nodes[at].parent;
    return grid_route_cells(route, at, out, capacity);
}

int32_t ploy_grid_route_path(const ploy_grid_route *route, int32_t *out, int32_t capacity) {
    if (route->outcome != PLOY_SEARCH_FOUND) return -1;
    // Legs come from the last to the first, so they are laid from the end of the room and moved to
    // its beginning. What does not fit is the end of the path: then the first ones are requested.
    int32_t count = 0, cells[PLOYI_BLOCK_CELLS], at = grid_route_goal(route);
    for (; route->nodes[at].parent >= 0; at = route->nodes[at].parent) {
        int32_t some = grid_route_cells(route, at, cells, PLOYI_BLOCK_CELLS);
        count += some;
        if (some > 0 && count <= capacity) {
            memcpy(out + capacity - count, cells, (size_t)some * sizeof *out);
        }
    }
    if (count <= capacity) {
        if (count > 0) memmove(out, out + capacity - count, (size_t)count * sizeof *out);
        return count;
    }
    for (int32_t leg = 0, index = 0; index < capacity; leg++) {
        int32_t some = ploy_grid_route_leg(route, leg, cells, PLOYI_BLOCK_CELLS);
        for (int32_t i = 0; i < some && index < capacity; i++) out[index++] = cells[i];
    }
    return count;
}

void ploy_grid_route_draw(const ploy_grid_route *route, ploy_draw *out) {
    if (route->blocks == NULL || !ploy_draw_wants(out, PLOY_LAYER_PATHS)) return;
    const ploy_tiles *tiles = route->blocks->map->tiles;
    for (int32_t i = 0; i < route->reached.count; i++) {
        int32_t state = PLOY_ARRAY_ITEMS(&route->reached, int32_t)[i];
        bool closed = (route->nodes[state].mark & 1u) != 0;
        ploy_tiles_draw_cells(tiles, grid_route_cell(route, state), 1, PLOY_LAYER_PATHS,
                              closed ? PLOY_STYLE_CLOSED : PLOY_STYLE_OPEN, 0.7f, out);
    }
    int32_t legs = ploy_grid_route_legs(route), from = route->start;
    for (int32_t leg = 0; leg < legs; leg++) {
        int32_t cells[PLOYI_BLOCK_CELLS];
        int32_t count = ploy_grid_route_leg(route, leg, cells, PLOYI_BLOCK_CELLS);
        for (int32_t i = 0; i < count; i++) {
            ploy_draw_line(out, PLOY_LAYER_PATHS, PLOY_STYLE_PATH, ploy_agent_id_none(),
                           ploy_tiles_localise(tiles, from), ploy_tiles_localise(tiles, cells[i]));
            from = cells[i];
        }
    }
}

void ploy_grid_route_describe(const ploy_grid_route *route, ploy_describe *out) {
    ploy_describe_text(out, "outcome", PLOY_STATE, ploy_search_outcome_text(route->outcome));
    ploy_describe_i64(out, "legs", PLOY_STATE, ploy_grid_route_legs(route));
    ploy_describe_f64(out, "length", PLOY_DERIVED, ploy_grid_route_length(route));
    ploy_describe_i64(out, "taken", PLOY_STATE, ploy_grid_route_taken(route));
    ploy_describe_i64(out, "open", PLOY_STATE, route->open.count);
    uint64_t hash = 0;
    for (int32_t i = 0; route->blocks != NULL && i < route->reached.count; i++) {
        int32_t state = PLOY_ARRAY_ITEMS(&route->reached, int32_t)[i];
        const grid_route_node *node = &route->nodes[state];
        double cost = node->cost;
        hash = ploy_hash_combine(hash, ploy_hash_bytes(&cost, sizeof cost, (uint64_t)state));
        hash =
            ploy_hash_combine(hash, (uint64_t)(uint32_t)node->parent << 32 | (node->mark & 255u));
    }
    ploy_describe_u64(out, "places", PLOY_STATE, hash);
}

void ploy_grid_route_memory(const ploy_grid_route *route, ploy_memory_fn fn, void *user) {
    ploy_memory_item self = {"grid route", sizeof *route, 1};
    ploy_memory_item nodes = {"grid route nodes", (size_t)route->node_count * sizeof *route->nodes,
                              1};
    fn(user, &self);
    if (route->node_count > 0) fn(user, &nodes);
    ploy_array_memory(&route->open, fn, user);
    ploy_array_memory(&route->reached, fn, user);
}

// ---- smoothing ----

int32_t ploy_grid_smooth(const ploy_grid_map *map, int32_t start, int32_t *cells, int32_t count) {
    if (map->weights != NULL || map->tiles->def.neighbours != PLOY_TILE_EIGHT) return count;
    int32_t size = map->width * map->height;
    bool inside = ploy_range_within(start, 1, size);
    for (int32_t i = 0; i < count && inside; i++) inside = ploy_range_within(cells[i], 1, size);
    if (!inside) return count;
    int32_t kept = 0;
    for (int32_t at = 0, next; at < count; at = next) {
        int32_t bend[GRID_ROUTE_WINDOW] = {cells[at]}, steps = 1;
        next = at + 1;
        // The furthest that one bend leads to. It has no more steps than the stretch it replaces.
        grid_route_view view = grid_route_look(map, start);
        for (int32_t to = ploy_mini(count, at + GRID_ROUTE_WINDOW) - 1; to > at; to--) {
            int32_t found = grid_route_bend(&view, cells[to], true, bend);
            if (found == 0) found = grid_route_bend(&view, cells[to], false, bend);
            if (found == 0) continue;
            steps = found;
            next = to + 1;
            break;
        }
        if (next == at + 1) bend[0] = cells[at]; // others were tried in its place
        start = cells[next - 1];
        for (int32_t i = 0; i < steps; i++) cells[kept++] = bend[i];
    }
    return kept;
}
