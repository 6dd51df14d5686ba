// The methods by which a maze grows.
//
// A node is a cell, or all cells of a planned room; a link is a side between two cells of different
// nodes, numbered by the lower cell: 2 * cell for the side toward +x, 2 * cell + 1 toward +y.
#include "base/compiler.h"
#include "generate/generate_internal.h"
#include "generate/maze_internal.h"

#include <string.h>

// ---- backtracking

// With rejected walls: free, and of its eight neighbours all but the three on the side that it is
// entered from are unused. Cells beyond the edge are unused.
static bool maze_stands_apart(const ploy_maze *maze, int32_t cell, int32_t direction) {
    int32_t x = cell % maze->def.width, y = cell / maze->def.width;
    for (int32_t dy = -1; dy <= 1; dy++) {
        for (int32_t dx = -1; dx <= 1; dx++) {
            if (dx * ployi_plan_dx[direction] + dy * ployi_plan_dy[direction] < 0)
                continue; // where it comes from
            int32_t u = x + dx, v = y + dy;
            if (u < 0 || v < 0 || u >= maze->def.width || v >= maze->def.height) continue;
            if (maze->state[v * maze->def.width + u] == MAZE_USED) return false;
        }
    }
    return true;
}

static bool maze_may_enter(const ploy_maze *maze, int32_t cell, int32_t direction) {
    if (cell < 0 || maze->state[cell] != MAZE_FREE) return false;
    return maze->def.walls != PLOY_MAZE_REJECT || maze_stands_apart(maze, cell, direction);
}

static const char *maze_room_fits(const ploy_maze *maze, int32_t x, int32_t y, int32_t width,
                                  int32_t height) {
    int32_t apart = maze->def.walls == PLOY_MAZE_REJECT ? 1 : 0; // a wall of one cell around it
    if (x < 0 || y < 0 || x > maze->def.width - width || y > maze->def.height - height) {
        return "beyond the edge";
    }
    for (int32_t v = y - apart; v < y + height + apart; v++) {
        for (int32_t u = x - apart; u < x + width + apart; u++) {
            bool holds = u >= 0 && v >= 0 && u < maze->def.width && v < maze->def.height;
            bool ring = u < x || v < y || u >= x + width || v >= y + height;
            if (!holds) continue;
            uint8_t state = maze->state[v * maze->def.width + u];
            if (state == MAZE_USED || (!ring && state == MAZE_BLOCKED)) return "overlaps the maze";
        }
    }
    return NULL;
}

// Tries to put a room beside the cell, at a random place along its wall.
static ploy_backtrack_turn maze_try_room(ploy_maze *maze, int32_t cell, ploy_rng *rng,
                                         int32_t *next) {
    int32_t width = ploy_rng_int(rng, maze->def.room_min, maze->def.room_max);
    int32_t height = ploy_rng_int(rng, maze->def.room_min, maze->def.room_max);
    int32_t direction = ploy_rng_int(rng, 0, 3), gap = 1;
    int32_t slide = ploy_rng_int(rng, 0, (ployi_plan_dx[direction] != 0 ? height : width) - 1);
    const char *reason = NULL;
    if (maze->def.walls == PLOY_MAZE_REJECT) { // the door is a cell between
        gap = 2;
        if (!maze_may_enter(maze, ployi_maze_beside(maze, cell, direction), direction))
            reason = "no place for a door";
    }
    int32_t x = cell % maze->def.width, y = cell / maze->def.width;
    x = ployi_plan_dx[direction] > 0
            ? x + gap
            : (ployi_plan_dx[direction] < 0 ? x - gap + 1 - width : x - slide);
    y = ployi_plan_dy[direction] > 0
            ? y + gap
            : (ployi_plan_dy[direction] < 0 ? y - gap + 1 - height : y - slide);
    if (reason == NULL) reason = maze_room_fits(maze, x, y, width, height);
    ployi_level_attempt(&maze->level, "room", maze->placed, reason);
    maze->refused += reason != NULL;
    if (reason != NULL) return PLOY_BACKTRACK_RETRY;
    if (ployi_maze_place_room(maze, x, y, width, height) != PLOY_OK) return PLOY_BACKTRACK_FAILED;
    maze->cells++;
    int32_t from = cell;
    if (gap == 2) {
        int32_t door = ployi_maze_beside(maze, cell, direction);
        if (ployi_maze_enter(maze, door) != PLOY_OK) return PLOY_BACKTRACK_FAILED;
        if (ployi_maze_link(maze, cell, direction) != PLOY_OK) return PLOY_BACKTRACK_FAILED;
        from = door;
    }
    if (ployi_maze_link(maze, from, direction) != PLOY_OK) return PLOY_BACKTRACK_FAILED;
    if (!maze->def.rooms_lead_on) return PLOY_BACKTRACK_RETRY;
    // Goes on from a random cell of its rim.
    int32_t rim = ploy_rng_int(rng, 0, 3);
    int32_t u = rim == 0 ? width - 1 : (rim == 3 ? 0 : ploy_rng_int(rng, 0, width - 1));
    int32_t v = rim == 1 ? height - 1 : (rim == 2 ? 0 : ploy_rng_int(rng, 0, height - 1));
    *next = (y + v) * maze->def.width + x + u;
    return PLOY_BACKTRACK_NEW;
}

// One of `count` with the same chance, to within 2^-14: sixteen bits are enough to turn a corner, and none
// are used where there is no choice. Without a branch for that, because no processor could foresee it.
PLOYI_INLINE int32_t maze_choose_of(ploy_rng *rng, uint64_t *word, int32_t *left, int32_t count) {
    if (*left == 0) {
        *word = ploy_rng_u64(rng);
        *left = 4;
    }
    int32_t choice = (int32_t)((uint32_t)(*word & 0xFFFFu) * (uint32_t)count >> 16);
    int32_t used = count > 1;
    *word >>= 16 * used;
    *left -= used;
    return choice;
}

static int32_t maze_choose(ploy_maze *maze, int32_t count) {
    return maze_choose_of(&maze->rng, &maze->word, &maze->word_left, count);
}

static ploy_backtrack_turn maze_connect(void *user, int32_t place, ploy_rng *rng, int32_t *next) {
    ploy_maze *maze = user;
    bool in_room = maze->level.plan->kinds[ployi_maze_plan_cell(maze, place)] == PLOY_PLAN_ROOM;
    int32_t ways[4] = {0, 1, 2, 3}, count = 0;
    for (int32_t direction = 0; direction < 4; direction++) {
        if (maze_may_enter(maze, ployi_maze_beside(maze, place, direction), direction))
            ways[count++] = direction;
    }
    if (count == 0) return PLOY_BACKTRACK_NONE;
    // A room needs room: only where a plain cell would fit too, so that tries come to an end.
    if (!in_room && maze->placed < maze->def.rooms &&
        ploy_rng_chance(&maze->room_rng, maze->def.room_chance)) {
        ploy_backtrack_turn turn = maze_try_room(maze, place, &maze->room_rng, next);
        if (turn != PLOY_BACKTRACK_RETRY) return turn;
        // Placed as a dead end, or refused: the cell goes on with a plain one in the same turn, so
        // that a chance of 1 does not ask forever.
        count = 0;
        for (int32_t direction = 0; direction < 4; direction++) {
            if (maze_may_enter(maze, ployi_maze_beside(maze, place, direction), direction))
                ways[count++] = direction;
        }
        if (count == 0) return PLOY_BACKTRACK_RETRY;
    }
    (void)rng;
    int32_t direction = ways[maze_choose(maze, count)];
    *next = ployi_maze_beside(maze, place, direction);
    if (ployi_maze_enter(maze, *next) != PLOY_OK) return PLOY_BACKTRACK_FAILED;
    if (ployi_maze_link(maze, place, direction) != PLOY_OK) return PLOY_BACKTRACK_FAILED;
    return PLOY_BACKTRACK_NEW;
}

static bool maze_enough(void *user, const ploy_backtrack *work) {
    const ploy_maze *maze = user;
    if (maze->def.max_cells > 0 && maze->cells >= maze->def.max_cells) return true;
    if (maze->def.max_dead_ends > 0 && work->dead_ends >= maze->def.max_dead_ends) return true;
    return maze->def.stop_with_rooms && maze->def.rooms > 0 && maze->placed >= maze->def.rooms;
}

// The cell that `side` belongs to is no longer free for its neighbours.
PLOYI_INLINE void maze_strike(uint8_t *side, int32_t w) {
    side[1] &= (uint8_t)~8u;
    side[w] &= (uint8_t)~4u;
    side[-w] &= (uint8_t)~2u;
    side[-1] &= (uint8_t)~1u;
}

// Numbers directions by the step to the next cell.
static int32_t maze_direction(int32_t step, int32_t w) {
    return step == 1 ? 0 : step == w ? 1 : step == -w ? 2 : 3;
}

// The deepest cell is the exit; of several, the one that a search from the start finds first, which is the one
// whose directions come first where the two part.
static bool maze_is_first(const ploy_maze *maze, const int32_t *stack) {
    int32_t w = maze->def.width, parts = stack[maze->deep_shared - 1];
    return maze_direction(stack[maze->deep_shared] - parts, w) <
           maze_direction(maze->deep_branch - parts, w);
}

// The same turns as ploy_backtrack_step with maze_connect make, without calls and divisions, for mazes
// without rooms and rejected walls. `sides` has the free neighbours of a cell; a cell that is taken is
// struck from its four neighbours, where guards make those beyond the edge safe and cells of the row before or
// after never had it. Places on the stack are the distance from the start, where nothing is braided later.
// Returns the turns taken.
static int32_t maze_backtrack_turns(ploy_maze *maze, int32_t most) {
    static const uint8_t nth[16][4] = {{0},    {0},       {1},       {0, 1},      {2},    {0, 2},
                                       {1, 2}, {0, 1, 2}, {3},       {0, 3},      {1, 3}, {0, 1, 3},
                                       {2, 3}, {0, 2, 3}, {1, 2, 3}, {0, 1, 2, 3}};
    static const uint8_t bits[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
    ploy_backtrack *work = &maze->work;
    ploy_floor_plan *plan = maze->level.plan;
    const int32_t w = maze->def.width, step[4] = {1, w, -w, -1};
    const int32_t plan_step[4] = {1, plan->width, -plan->width, -1};
    const bool expand = maze->def.walls == PLOY_MAZE_EXPAND;
    const bool keep_exits =
        !expand || maze->def.braid > 0.0f; // what only braiding reads of wide walls
    const bool limited = maze->def.max_cells > 0 || maze->def.max_dead_ends > 0;
    const bool depths = maze->depths;
    // Bytes may alias anything, so what the loop changes is kept in local variables.
    int32_t *stack = PLOY_ARRAY_ITEMS(&work->stack, int32_t), count = work->stack.count, turns = 0;
    uint8_t *states = maze->state, *exits = maze->exits, *kinds = plan->kinds,
            *plan_exits = plan->exits;
    uint8_t *sides = maze->sides;
    const int32_t *plan_cells = maze->plan_cells;
    int32_t *distances = plan->queue; // until the maze is complete
    int32_t deep_count = maze->deep_count, deep_shared = maze->deep_shared;
    int32_t dead_ends = work->dead_ends, peak = work->peak, places = 0;
    uint64_t word = maze->word;
    int32_t word_left = maze->word_left;
    bool fresh = work->fresh, enough = work->enough;
    while (turns < most && count > 0 && !enough) {
        int32_t cell = stack[count - 1];
        int32_t mask = sides[cell];
        turns++;
        if (mask == 0) {
            dead_ends += fresh && count > 1;
            fresh = false;
            count--;
            if (count < deep_shared) {
                deep_shared = count;
                maze->deep_branch = cell;
            }
            continue;
        }
        int32_t choice = maze_choose_of(&maze->rng, &word, &word_left, bits[mask]);
        int32_t direction = nth[mask][choice], next = cell + step[direction];
        states[next] = MAZE_USED;
        maze_strike(sides + next, w);
        if (keep_exits) {
            exits[cell] = (uint8_t)(exits[cell] | 1 << direction);
            exits[next] = (uint8_t)(1 << (3 - direction));
        }
        if (expand) {
            int32_t from = plan_cells[cell], middle = from + plan_step[direction];
            int32_t to = middle + plan_step[direction];
            kinds[middle] = kinds[to] = PLOY_PLAN_CORRIDOR;
            if (depths) {
                distances[middle] = 2 * count - 1;
                distances[to] = 2 * count;
            }
        } else {
            plan_exits[cell] = exits[cell];
            plan_exits[next] = exits[next];
            kinds[next] = PLOY_PLAN_CORRIDOR;
            if (depths) distances[next] = count;
        }
        stack[count++] = next; // reserved for every cell
        if (count >= deep_count) {
            maze->deep_shared = deep_shared;
            if (count > deep_count || maze_is_first(maze, stack)) {
                maze->deep = next;
                deep_count = deep_shared = count;
            }
        }
        peak = count > peak ? count : peak;
        places++;
        fresh = true;
        if (limited) {
            work->dead_ends = dead_ends;
            maze->cells++;
            work->enough = enough = maze_enough(maze, work);
        }
    }
    maze->deep_count = deep_count;
    maze->deep_shared = deep_shared;
    maze->word = word;
    maze->word_left = word_left;
    if (!limited) maze->cells += places;
    work->places += places;
    work->stack.count = count;
    work->dead_ends = dead_ends;
    work->peak = peak;
    work->fresh = fresh;
    work->tries += turns;
    maze->level.outcome.count = maze->cells;
    return turns;
}

static bool maze_is_plain(const ploy_maze *maze) {
    return maze->def.rooms == 0 && maze->def.walls != PLOY_MAZE_REJECT && maze->level.trace == NULL;
}

// Plain mazes in runs of turns that are paid for together.
static ploy_result maze_backtrack_plain(ploy_maze *maze, ploy_budget *budget) {
    ploy_backtrack *work = &maze->work;
    while (work->stack.count > 0 && !work->enough) {
        int64_t most = maze->def.max_attempts - work->tries;
        if (most <= 0) {
            work->out_of_tries = true;
            return PLOY_OK;
        }
        if (!ploy_budget_spend(budget, 0)) return PLOY_IN_PROGRESS; // looks at the clock, too
        if (most > 1024) most = 1024;
        if (budget != NULL && most > budget->units) most = budget->units;
        if (budget != NULL && budget->deadline_ns != 0 && most > budget->check_every) {
            most = budget->check_every;
        }
        int32_t turns = maze_backtrack_turns(maze, (int32_t)most);
        if (budget != NULL && turns > 0) ploy_budget_spend(budget, turns);
    }
    return PLOY_OK;
}

static ploy_result maze_backtrack(ploy_maze *maze, ploy_budget *budget) {
    ploy_backtrack_places places = {maze_connect, maze_enough, maze};
    int64_t before = maze->work.tries;
    ploy_result result = maze_is_plain(maze)
                             ? maze_backtrack_plain(maze, budget)
                             : ploy_backtrack_step(&maze->work, &places, &maze->rng, budget);
    maze->level.outcome.units += maze->work.tries - before;
    maze->level.outcome.attempts += maze->work.tries - before;
    if (maze->work.out_of_tries) ployi_level_limit(&maze->level, "max_attempts");
    return result;
}

// ---- links by cost: Prim, Kruskal

// Where a link leads from a cell, or -1: beyond the edge, blocked, or within one room.
static int32_t maze_across(const ploy_maze *maze, int32_t cell, int32_t direction) {
    int32_t next = ployi_maze_beside(maze, cell, direction);
    if (next < 0 || maze->state[cell] == MAZE_BLOCKED || maze->state[next] == MAZE_BLOCKED)
        return -1;
    if (maze->room_of[cell] >= 0 && maze->room_of[cell] == maze->room_of[next]) return -1;
    return next;
}

static ploy_result maze_push_link(ploy_maze *maze, int32_t cell, int32_t direction) {
    int32_t next = maze_across(maze, cell, direction);
    if (next < 0) return PLOY_OK;
    int32_t lower = cell < next ? cell : next;
    uint32_t link = (uint32_t)lower * 2u + (direction == 1 || direction == 2 ? 1u : 0u);
    uint64_t cost = ploy_rng_u64_at(maze->costs, link, 0, 0) >> 11; // exact in a double
    // The payload keeps the direction in which the link is walked.
    uint64_t payload = (uint64_t)cell * 4u + (uint64_t)direction;
    maze->level.outcome.draws += 2;
    return ploy_heap_push(&maze->heap, (double)cost, payload);
}

// Offers the links of a node: of a cell its four, of a room those of its rim.
static ploy_result maze_push_node(ploy_maze *maze, int32_t cell) {
    int32_t x = cell % maze->def.width, y = cell / maze->def.width, width = 1, height = 1;
    if (maze->room_of[cell] >= 0) {
        const maze_room *room = &PLOY_ARRAY_ITEMS(&maze->rooms, maze_room)[maze->room_of[cell]];
        x = room->x;
        y = room->y;
        width = room->width;
        height = room->height;
    }
    for (int32_t i = 0; i < width * height; i++) {
        int32_t at = (y + i / width) * maze->def.width + x + i % width;
        for (int32_t direction = 0; direction < 4; direction++) {
            ploy_result result = maze_push_link(maze, at, direction);
            if (result != PLOY_OK) return result;
        }
    }
    return PLOY_OK;
}

// Only the start's part of the grid becomes the maze. Kruskal therefore first finds the tree of
// everything and keeps links by part; here the part is found first and other cells are blocked.
static void maze_keep_part(ploy_maze *maze) {
    int32_t count = maze->def.width * maze->def.height, head = 0, tail = 0;
    int32_t *queue = maze->parents;
    for (int32_t i = 0; i < count; i++) maze->exits[i] = 0;
    queue[tail++] = maze->start;
    maze->exits[maze->start] = 1;
    while (head < tail) {
        int32_t cell = queue[head++];
        for (int32_t direction = 0; direction < 4; direction++) {
            int32_t next = ployi_maze_beside(maze, cell, direction);
            if (next < 0 || maze->exits[next] != 0 || maze->state[next] == MAZE_BLOCKED) continue;
            maze->exits[next] = 1;
            queue[tail++] = next;
        }
    }
    for (int32_t i = 0; i < count; i++) {
        if (maze->exits[i] == 0) maze->state[i] = MAZE_BLOCKED;
        maze->exits[i] = 0;
        maze->parents[i] = i;
    }
    // The cells of a room are one node from the start.
    for (int32_t i = 0; i < count; i++) {
        if (maze->room_of[i] < 0) continue;
        const maze_room *room = &PLOY_ARRAY_ITEMS(&maze->rooms, maze_room)[maze->room_of[i]];
        maze->parents[i] = room->y * maze->def.width + room->x;
    }
}

static bool maze_is_full(const ploy_maze *maze) {
    return maze->def.max_cells > 0 && maze->cells >= maze->def.max_cells;
}

// Counts a unit of the three methods below; false if the budget or the limit ends the work.
static bool maze_unit(ploy_maze *maze, ploy_budget *budget, ploy_result *result) {
    if (maze->level.outcome.attempts >= maze->def.max_attempts) {
        ployi_level_limit(&maze->level, "max_attempts");
        *result = PLOY_OK;
        return false;
    }
    if (!ployi_level_spend(&maze->level, budget, 1)) {
        *result = PLOY_IN_PROGRESS;
        return false;
    }
    maze->level.outcome.attempts++;
    return true;
}

static ploy_result maze_prim(ploy_maze *maze, ploy_budget *budget) {
    ploy_result result = PLOY_OK;
    while (maze->heap.count > 0 && !maze_is_full(maze)) {
        if (!maze_unit(maze, budget, &result)) return result;
        uint64_t payload = 0;
        ploy_heap_pop(&maze->heap, NULL, &payload);
        int32_t cell = (int32_t)(payload / 4), direction = (int32_t)(payload % 4);
        int32_t next = ployi_maze_beside(maze, cell, direction);
        if (maze->state[next] == MAZE_USED) continue;
        result = ployi_maze_enter(maze, next);
        if (result == PLOY_OK) result = ployi_maze_link(maze, cell, direction);
        if (result == PLOY_OK) result = maze_push_node(maze, next);
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

// Kruskal joins parts all over the grid, so links are kept as exits first, in maze->exits, and the
// plan is filled from the start at the end: a maze that a limit ended has one part.
static ploy_result maze_kruskal(ploy_maze *maze, ploy_budget *budget) {
    ploy_result result = PLOY_OK;
    while (maze->heap.count > 0) {
        if (!maze_unit(maze, budget, &result)) {
            if (result == PLOY_IN_PROGRESS) return result;
            break;
        }
        uint64_t payload = 0;
        ploy_heap_pop(&maze->heap, NULL, &payload);
        int32_t cell = (int32_t)(payload / 4), direction = (int32_t)(payload % 4);
        int32_t a = ployi_root(maze->parents, cell),
                b = ployi_root(maze->parents, ployi_maze_beside(maze, cell, direction));
        if (a == b) continue;
        maze->parents[a] = b;
        maze->exits[cell] = (uint8_t)(maze->exits[cell] | 1 << direction);
    }
    // Prim over the links that were kept: the same cells whatever the order.
    ploy_heap_clear(&maze->heap);
    int32_t count = maze->def.width * maze->def.height, head = 0, tail = 0;
    int32_t *queue = maze->parents;
    for (int32_t i = 0; i < count; i++) { // exits both ways
        for (int32_t direction = 0; direction < 2; direction++) {
            if ((maze->exits[i] >> direction & 1) == 0) continue;
            int32_t next = ployi_maze_beside(maze, i, direction);
            maze->exits[next] = (uint8_t)(maze->exits[next] | 1 << (3 - direction));
        }
    }
    queue[tail++] = maze->start;
    while (head < tail) {
        int32_t node = queue[head++], x = node % maze->def.width, y = node / maze->def.width;
        int32_t width = 1, height = 1;
        if (maze->room_of[node] >= 0) {
            const maze_room *room = &PLOY_ARRAY_ITEMS(&maze->rooms, maze_room)[maze->room_of[node]];
            x = room->x;
            y = room->y;
            width = room->width;
            height = room->height;
        }
        for (int32_t i = 0; i < width * height && !maze_is_full(maze); i++) {
            int32_t cell = (y + i / width) * maze->def.width + x + i % width;
            for (int32_t direction = 0; direction < 4 && !maze_is_full(maze); direction++) {
                if ((maze->exits[cell] >> direction & 1) == 0) continue;
                int32_t next = ployi_maze_beside(maze, cell, direction);
                if (maze->state[next] == MAZE_USED) continue;
                result = ployi_maze_enter(maze, next);
                if (result == PLOY_OK) result = ployi_maze_link(maze, cell, direction);
                if (result != PLOY_OK) return result;
                queue[tail++] = next;
            }
        }
    }
    for (int32_t i = 0; i < count; i++) { // links that max_cells left out
        if (maze->state[i] != MAZE_USED) maze->exits[i] = 0;
        for (int32_t direction = 0; direction < 4; direction++) {
            int32_t next = ployi_maze_beside(maze, i, direction);
            if (next >= 0 && maze->state[next] != MAZE_USED) {
                maze->exits[i] = (uint8_t)(maze->exits[i] & ~(1 << direction));
            }
        }
    }
    return PLOY_OK;
}

// ---- Wilson

// A random link of the node at a cell: cell * 4 + direction. Every link is equally likely.
static int32_t maze_random_link(ploy_maze *maze, int32_t cell) {
    const maze_room *room = NULL;
    if (maze->room_of[cell] >= 0) {
        room = &PLOY_ARRAY_ITEMS(&maze->rooms, maze_room)[maze->room_of[cell]];
    }
    for (;;) { // ends: the node has a link, because its part has a start that is another node
        int32_t from = cell;
        if (room != NULL) {
            int32_t i = ploy_rng_int(&maze->rng, 0, room->width * room->height - 1);
            from = (room->y + i / room->width) * maze->def.width + room->x + i % room->width;
        }
        int32_t direction = (int32_t)(ploy_rng_u32(&maze->rng) >> 30);
        if (maze_across(maze, from, direction) >= 0) return from * 4 + direction;
    }
}

static int32_t *maze_last_exit(ploy_maze *maze, int32_t cell) {
    if (maze->room_of[cell] < 0) return &maze->parents[cell];
    return &PLOY_ARRAY_ITEMS(&maze->rooms, maze_room)[maze->room_of[cell]].link;
}

// Walks at random from a cell outside the tree until it meets the tree; loops vanish because every
// node remembers only its last exit. Then the walk joins the tree.
static ploy_result maze_wilson(ploy_maze *maze, ploy_budget *budget) {
    int32_t count = maze->def.width * maze->def.height;
    ploy_result result = PLOY_OK;
    while (!maze_is_full(maze)) {
        if (maze->walk < 0) {
            for (; maze->cursor < count; maze->cursor++) {
                uint8_t state = maze->state[maze->cursor];
                if (state == MAZE_FREE || state == MAZE_PLANNED) break;
            }
            if (maze->cursor == count) return PLOY_OK;
            maze->walk = maze->at = maze->cursor;
        }
        while (maze->state[maze->at] != MAZE_USED) {
            if (!maze_unit(maze, budget, &result)) return result;
            int32_t link = maze_random_link(maze, maze->at);
            *maze_last_exit(maze, maze->at) = link;
            maze->at = ployi_maze_beside(maze, link / 4, link % 4);
        }
        // A maze that max_cells ends must stay in one piece: the walk joins from the tree outward, so
        // its nodes are put on a list first. The heap is free for that.
        for (int32_t cell = maze->walk; maze->state[cell] != MAZE_USED;) {
            int32_t link = *maze_last_exit(maze, cell);
            result = ploy_heap_push(&maze->heap, -(double)maze->heap.count, (uint64_t)link);
            if (result != PLOY_OK) return result;
            cell = ployi_maze_beside(maze, link / 4, link % 4);
        }
        uint64_t link = 0;
        while (ploy_heap_pop(&maze->heap, NULL, &link) && !maze_is_full(maze)) {
            result = ployi_maze_enter(maze, (int32_t)(link / 4));
            if (result == PLOY_OK)
                result = ployi_maze_link(maze, (int32_t)(link / 4), (int32_t)(link % 4));
            if (result != PLOY_OK) return result;
        }
        ploy_heap_clear(&maze->heap);
        maze->walk = -1;
    }
    return PLOY_OK;
}

// ---- all

ploy_result ployi_maze_grow_begin(ploy_maze *maze) {
    maze->cursor = 0;
    ploy_result result = PLOY_OK;
    if (maze->def.method == PLOY_MAZE_BACKTRACK) {
        // The stack can hold every cell of a long corridor.
        result = ploy_array_reserve(&maze->work.stack, maze->def.width * maze->def.height);
        if (result == PLOY_OK) result = ploy_backtrack_start(&maze->work, maze->start);
        if (result == PLOY_OK) result = ployi_maze_enter(maze, maze->start);
        for (int32_t i = 0; i < maze->def.width * maze->def.height; i++) {
            if (maze->state[i] != MAZE_FREE) maze_strike(maze->sides + i, maze->def.width);
        }
        maze->deep = maze->start;
        maze->deep_count = maze->deep_shared = 1;
        maze->depths = maze_is_plain(maze) && !(maze->def.braid > 0.0f);
        if (maze->depths) {
            ploy_floor_plan *plan = maze->level.plan;
            size_t cells = (size_t)plan->width * (size_t)plan->height;
            memset(plan->queue, 0xFF, cells * sizeof *plan->queue);
            plan->queue[ployi_maze_plan_cell(maze, maze->start)] = 0;
        }
        return result;
    }
    maze_keep_part(maze);
    if (maze->def.method == PLOY_MAZE_KRUSKAL) {
        int32_t count = maze->def.width * maze->def.height;
        result = ploy_heap_reserve(&maze->heap, 2 * count);
        for (int32_t i = 0; i < count && result == PLOY_OK; i++) {
            result = maze_push_link(maze, i, 0);
            if (result == PLOY_OK) result = maze_push_link(maze, i, 1);
        }
    }
    if (result == PLOY_OK) result = ployi_maze_enter(maze, maze->start);
    if (result == PLOY_OK && maze->def.method == PLOY_MAZE_PRIM) {
        result = maze_push_node(maze, maze->start);
    }
    return result;
}

ploy_result ployi_maze_grow(ploy_maze *maze, ploy_budget *budget) {
    switch ((ploy_maze_method)maze->def.method) {
    case PLOY_MAZE_BACKTRACK: return maze_backtrack(maze, budget);
    case PLOY_MAZE_WILSON: return maze_wilson(maze, budget);
    case PLOY_MAZE_PRIM: return maze_prim(maze, budget);
    case PLOY_MAZE_KRUSKAL: return maze_kruskal(maze, budget);
    }
    return PLOY_OK;
}
