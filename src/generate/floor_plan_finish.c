// Finishing a floor plan in slices: exits, the middle of rooms, distances from the entrance, the exit.
//
// Each phase goes over cells, rooms, doors or links in chunks of PLOYI_PLAN_CHUNK, one unit each. What
// comes next is in ployi_finish; the queue and the marks of the plan are scratch between the phases.
#include "ploy/generate/floor_plan.h"

#include "base/compiler.h"
#include "generate/plan_internal.h"

#include <string.h>

// Cells that are cleared together; a chunk of clearing is this many times as long.
#define FINISH_BLOCK 16

int32_t ployi_plan_chunk(ployi_level *level, ploy_budget *budget, int32_t first, int32_t count) {
    if (first >= count) return count;
    if (level != NULL && !ployi_level_spend(level, budget, 1)) return -1;
    return count - first > PLOYI_PLAN_CHUNK ? first + PLOYI_PLAN_CHUNK : count;
}

// One row of exits, from whether it, the row above and the row below are open: 1 or 0, by bytes, so that
// compilers make vectors of it.
PLOYI_INLINE void finish_exits_row_body(int32_t n, const uint8_t *restrict own,
                                        const uint8_t *restrict above,
                                        const uint8_t *restrict below, uint8_t *restrict out) {
    for (int32_t x = 1; x < n - 1; x++) {
        uint8_t exits = (uint8_t)((own[x + 1] != 0) | (above[x] != 0) << 1 | (below[x] != 0) << 2 |
                                  (own[x - 1] != 0) << 3);
        out[x] = (uint8_t)(own[x] != 0 ? exits : 0);
    }
}
PLOYI_KERNEL(finish_exits_row,
             (int32_t n, const uint8_t *restrict own, const uint8_t *restrict above,
              const uint8_t *restrict below, uint8_t *restrict out),
             (n, own, above, below, out))

// Exits of the rows [first, end). Keeps (1) and (2) of floor_plan.c. SOLID is 0, so kinds are read as
// they are; the marks lend a row of zeros.
static void finish_open_exits(ploy_floor_plan *plan, int32_t first, int32_t end) {
    int32_t w = plan->width, h = plan->height;
    memset(plan->mark, 0, (size_t)w);
    for (int32_t y = first; y < end; y++) {
        const uint8_t *own = plan->kinds + (size_t)y * (size_t)w;
        const uint8_t *above = y + 1 < h ? own + w : plan->mark,
                      *below = y > 0 ? own - w : plan->mark;
        uint8_t *out = plan->exits + (size_t)y * (size_t)w;
        finish_exits_row(w, own, above, below, out);
        for (int32_t k = 0; k < 2; k++) { // the two ends
            int32_t x = k == 0 ? 0 : w - 1, exits = (above[x] != 0) << 1 | (below[x] != 0) << 2;
            if (x + 1 < w && own[x + 1] != 0) exits |= 1;
            if (x > 0 && own[x - 1] != 0) exits |= 8;
            out[x] = (uint8_t)(own[x] != 0 ? exits : 0);
        }
    }
}

static bool finish_exits(ployi_level *level, ploy_budget *budget) {
    ployi_finish *at = &level->finish;
    int32_t rows = PLOYI_PLAN_CHUNK / level->plan->width;
    if (rows < 1) rows = 1;
    while (!level->plan->thin && at->cursor < level->plan->height) {
        if (!ployi_level_spend(level, budget, 1)) return false;
        int32_t left = level->plan->height - at->cursor;
        finish_open_exits(level->plan, at->cursor, at->cursor + (left < rows ? left : rows));
        at->cursor += left < rows ? left : rows;
    }
    return true;
}

// The cell of each room nearest to the middle of its rectangle; the first of equals.
static bool finish_middles(ployi_level *level, ploy_budget *budget) {
    ploy_floor_plan *plan = level->plan;
    ployi_finish *at = &level->finish;
    int32_t left = 0; // cells and rooms until the next unit is spent
    for (; at->cursor < plan->rooms.count; at->cursor++) {
        ploy_plan_room *room = &ployi_plan_rooms(plan)[at->cursor];
        int32_t middle =
            ployi_plan_cell(plan, room->x + room->width / 2, room->y + room->height / 2);
        if (plan->owners[middle] == at->cursor && plan->kinds[middle] == PLOY_PLAN_ROOM) {
            if (left <= 0) {
                if (!ployi_level_spend(level, budget, 1)) return false;
                left = PLOYI_PLAN_CHUNK;
            }
            left--;
            room->cell = middle;
            continue;
        }
        if (at->row == 0) {
            at->best = -1;
            at->least = INT32_MAX;
        }
        for (; at->row < room->height; at->row++) {
            if (left <= 0) {
                if (!ployi_level_spend(level, budget, 1)) return false;
                left = PLOYI_PLAN_CHUNK;
            }
            left -= room->width;
            for (int32_t x = room->x; x < room->x + room->width; x++) {
                int32_t cell = ployi_plan_cell(plan, x, room->y + at->row);
                if (plan->owners[cell] != at->cursor || plan->kinds[cell] != PLOY_PLAN_ROOM) {
                    continue;
                }
                int32_t dx = 2 * (x - room->x) + 1 - room->width;
                int32_t dy = 2 * at->row + 1 - room->height;
                if (dx * dx + dy * dy >= at->least) continue;
                at->least = dx * dx + dy * dy;
                at->best = cell;
            }
        }
        at->row = 0;
        room->cell = at->best;
    }
    return true;
}

// Doors and links of every room.
static bool finish_counts(ployi_level *level, ploy_budget *budget) {
    ploy_floor_plan *plan = level->plan;
    ployi_finish *at = &level->finish;
    ploy_plan_room *rooms = ployi_plan_rooms(plan);
    int32_t rooms_end = plan->rooms.count, doors_end = rooms_end + plan->doors.count,
            links_end = doors_end + plan->links.count;
    while (at->cursor < links_end) { // one row of all three
        int32_t end = ployi_plan_chunk(level, budget, at->cursor, links_end), i = at->cursor;
        if (end < 0) return false;
        for (; i < end && i < rooms_end; i++) {
            rooms[i].doors = rooms[i].links = 0;
            rooms[i].distance = -1;
        }
        for (; i < end && i < doors_end; i++) {
            rooms[ployi_plan_doors(plan)[i - rooms_end].room].doors++;
        }
        for (; i < end; i++) {
            const ploy_plan_link *link =
                &PLOY_ARRAY_ITEMS(&plan->links, ploy_plan_link)[i - doors_end];
            rooms[link->from].links++;
            if (link->to != link->from) rooms[link->to].links++;
        }
        at->cursor = end;
    }
    if (plan->entrance < 0 && plan->rooms.count > 0) plan->entrance = rooms[0].cell;
    return true;
}

// The first open cell, if there is no entrance yet.
static bool finish_entrance(ployi_level *level, ploy_budget *budget) {
    ploy_floor_plan *plan = level->plan;
    ployi_finish *at = &level->finish;
    int32_t cells = plan->width * plan->height;
    while (plan->entrance < 0 && at->cursor < cells) {
        int32_t end = ployi_plan_chunk(level, budget, at->cursor, cells);
        if (end < 0) return false;
        for (; plan->entrance < 0 && at->cursor < end; at->cursor++) {
            if (plan->kinds[at->cursor] != PLOY_PLAN_SOLID) plan->entrance = at->cursor;
        }
    }
    return true;
}

void ployi_plan_set_distances(ployi_level *level, int32_t far, int32_t open) {
    ploy_floor_plan *plan = level->plan;
    int32_t *distances = plan->queue;
    plan->queue = plan->distances;
    plan->distances = distances;
    plan->measured = plan->known = true;
    level->finish.far = far;
    level->finish.tail = open - 1; // as after the search, but for the entrance
}

// Clears the distances, and puts the entrance's neighbours into the queue.
static bool finish_clear(ployi_level *level, ploy_budget *budget) {
    ploy_floor_plan *plan = level->plan;
    ployi_finish *at = &level->finish;
    if (plan->known) return true;
    int32_t cells = plan->width * plan->height, blocks = (cells + FINISH_BLOCK - 1) / FINISH_BLOCK;
    while (plan->measured && at->cursor < blocks) {
        int32_t end = ployi_plan_chunk(level, budget, at->cursor, blocks);
        if (end < 0) return false;
        int32_t first = at->cursor * FINISH_BLOCK, last = end * FINISH_BLOCK;
        if (last > cells) last = cells;
        memset(plan->distances + first, 0xFF, (size_t)(last - first) * sizeof(int32_t));
        at->cursor = end;
    }
    at->head = at->tail = 0;
    if (plan->entrance < 0) return true;
    plan->distances[plan->entrance] = 0;
    plan->queue[0] = plan->entrance * 4;
    for (int32_t direction = 0; direction < 4; direction++) { // the entrance has no direction back
        if ((plan->exits[plan->entrance] >> direction & 1) == 0) continue;
        int32_t next = ployi_plan_beside(plan, plan->entrance, direction);
        plan->distances[next] = 1;
        plan->queue[++at->tail] = next * 4 + 3 - direction;
    }
    return true;
}

// Distances from the entrance. While this runs, items of the queue are 4 * cell + the direction that
// leads back, which is not looked at again: in a corridor exactly one exit is left, as the processor
// expects.
static bool finish_measure(ployi_level *level, ploy_budget *budget) {
    static const int8_t lowest[16] = {0, 0, 1, 0, 2, 0, 1, 0, 3, 0, 1, 0, 2, 0, 1, 0};
    ploy_floor_plan *plan = level->plan;
    ployi_finish *at = &level->finish;
    if (plan->known) { // costs the same number of units, so that budgets do not depend on it
        while (at->cursor < at->tail) {
            int32_t end = ployi_plan_chunk(level, budget, at->cursor, at->tail);
            if (end < 0) return false;
            at->cursor = end;
        }
        return true;
    }
    const int32_t step[4] = {1, plan->width, -plan->width, -1};
    int32_t steps[16],
        items[16]; // of the lowest exit: to the neighbour, and to its item from 4 * cell
    for (int32_t i = 0; i < 16; i++) {
        steps[i] = step[lowest[i]];
        items[i] = 4 * steps[i] + 3 - lowest[i];
    }
    int32_t *distances = plan->distances, *queue = plan->queue, head = at->head, tail = at->tail;
    const uint8_t *all_exits = plan->exits;
    while (head < tail) {
        at->head = head;
        at->tail = tail;
        if (!ployi_level_spend(level, budget, 1)) return false;
        for (int32_t left = PLOYI_PLAN_CHUNK; left > 0 && head < tail; left--) {
            int32_t item = queue[++head], cell = item >> 2, distance = distances[cell] + 1;
            int32_t exits = all_exits[cell] & ~(1 << (item & 3));
            for (; exits != 0; exits &= exits - 1) {
                int32_t next = cell + steps[exits];
                if (distances[next] >= 0) continue;
                distances[next] = distance;
                queue[++tail] = (item & ~3) + items[exits];
            }
        }
    }
    at->tail = plan->entrance < 0 ? 0 : tail + 1; // from here on the number of cells
    at->far = plan->entrance;
    return true;
}

// The first of the farthest cells, from the end of the queue backwards.
static void finish_farthest(const ploy_floor_plan *plan, ployi_finish *at) {
    int32_t last = at->tail > 0 ? plan->distances[plan->queue[at->tail - 1] >> 2] : 0;
    for (int32_t i = at->tail - 1; i >= 0; i--) {
        if (plan->distances[plan->queue[i] >> 2] != last) break;
        at->far = plan->queue[i] >> 2;
    }
}

// Distances of rooms, and the farthest cell. The queue is in the order of distances, so the first cell
// of a room is its nearest.
static bool finish_rooms(ployi_level *level, ploy_budget *budget) {
    ploy_floor_plan *plan = level->plan;
    ployi_finish *at = &level->finish;
    ploy_plan_room *rooms = ployi_plan_rooms(plan);
    if (plan->known) return true;
    if (plan->rooms.count == 0) {
        finish_farthest(plan, at);
        return true;
    }
    while (at->cursor < at->tail) {
        int32_t end = ployi_plan_chunk(level, budget, at->cursor, at->tail);
        if (end < 0) return false;
        const int32_t *queue = plan->queue, *owners = plan->owners;
        const uint8_t *kinds = plan->kinds;
        for (int32_t i = at->cursor; i < end; i++) {
            int32_t cell = queue[i] >> 2;
            if (kinds[cell] != PLOY_PLAN_ROOM) continue;
            ploy_plan_room *room = &rooms[owners[cell]];
            if (room->distance < 0) room->distance = plan->distances[cell];
        }
        at->cursor = end;
    }
    finish_farthest(plan, at);
    return true;
}

static bool finish_exit(ployi_level *level, ploy_budget *budget) {
    ploy_floor_plan *plan = level->plan;
    ployi_finish *at = &level->finish;
    const ploy_plan_room *rooms = ployi_plan_rooms(plan);
    if (at->cursor == 0) at->best = -1;
    while (at->cursor < plan->rooms.count) {
        int32_t end = ployi_plan_chunk(level, budget, at->cursor, plan->rooms.count);
        if (end < 0) return false;
        for (int32_t i = at->cursor; i < end; i++) {
            if (rooms[i].distance > (at->best < 0 ? -1 : rooms[at->best].distance)) at->best = i;
        }
        at->cursor = end;
    }
    plan->exit = plan->rooms.count > 1 && at->best >= 0 ? rooms[at->best].cell : at->far;
    return true;
}

ploy_result ployi_plan_finish(ployi_level *level, const ploy_plan_roles_def *roles,
                              ploy_budget *budget) {
    static bool (*const phases[])(ployi_level *, ploy_budget *) = {
        finish_exits, finish_middles, finish_counts, finish_entrance,
        finish_clear, finish_measure, finish_rooms,  finish_exit};
    const int32_t count = (int32_t)(sizeof phases / sizeof phases[0]);
    for (; level->finish.phase < count; level->finish.phase++) {
        if (!phases[level->finish.phase](level, budget)) return PLOY_IN_PROGRESS;
        level->finish.cursor = 0;
    }
    return ployi_plan_assign_roles(level, roles, budget);
}

// ---- flood fill

// Closed doors of a flood: the locks from `lock` on, then the door `shut`.
static int32_t finish_closed(const ploy_floor_plan *plan, const ployi_flood *flood) {
    int32_t closed = plan->locks.count > flood->lock ? plan->locks.count - flood->lock : 0;
    return closed + (flood->shut >= 0 ? 1 : 0);
}

static const ploy_plan_door *finish_closed_at(const ploy_floor_plan *plan, const ployi_flood *flood,
                                              int32_t i) {
    const ploy_plan_lock *locks = PLOY_ARRAY_ITEMS(&plan->locks, ploy_plan_lock);
    int32_t number = flood->lock + i;
    return &ployi_plan_doors(plan)[number < plan->locks.count ? locks[number].door : flood->shut];
}

static bool finish_flood_clear(const ploy_floor_plan *plan, ployi_flood *flood, ployi_level *level,
                               ploy_budget *budget) {
    int32_t cells = plan->width * plan->height, blocks = (cells + FINISH_BLOCK - 1) / FINISH_BLOCK;
    while (flood->head < blocks) {
        int32_t end = ployi_plan_chunk(level, budget, flood->head, blocks);
        if (end < 0) return false;
        int32_t first = flood->head * FINISH_BLOCK, last = end * FINISH_BLOCK;
        memset(flood->mark + first, 0, (size_t)((last > cells ? cells : last) - first));
        flood->head = end;
    }
    // With thick walls the cells of closed doors count as reached already; with thin walls the two exits
    // are looked at one by one, because there are few.
    for (int32_t i = 0; !plan->thin && i < finish_closed(plan, flood); i++) {
        flood->mark[finish_closed_at(plan, flood, i)->cell] = 2;
    }
    flood->head = flood->tail = 0;
    if (plan->entrance >= 0 && flood->mark[plan->entrance] == 0) {
        plan->queue[flood->tail++] = plan->entrance;
        flood->mark[plan->entrance] = 1;
    }
    return true;
}

bool ployi_plan_flood(const ploy_floor_plan *plan, ployi_flood *flood, ployi_level *level,
                      ploy_budget *budget) {
    const int32_t step[4] = {1, plan->width, -plan->width, -1};
    if (flood->phase == 0) {
        if (!finish_flood_clear(plan, flood, level, budget)) return false;
        flood->phase = 1;
    }
    int32_t closed = finish_closed(plan, flood);
    while (flood->head < flood->tail) {
        if (level != NULL && !ployi_level_spend(level, budget, 1)) return false;
        for (int32_t left = PLOYI_PLAN_CHUNK; left > 0 && flood->head < flood->tail; left--) {
            int32_t cell = plan->queue[flood->head++], exits = plan->exits[cell];
            for (int32_t i = 0; plan->thin && i < closed; i++) {
                const ploy_plan_door *door = finish_closed_at(plan, flood, i);
                if (door->cell == cell) exits &= ~(1 << door->direction);
                if (door->cell + step[door->direction] == cell) {
                    exits &= ~(1 << (3 - door->direction));
                }
            }
            for (int32_t side = 0; side < 4; side++) {
                int32_t next = cell + step[side];
                if ((exits >> side & 1) == 0 || flood->mark[next] != 0) continue;
                flood->mark[next] = 1;
                plan->queue[flood->tail++] = next;
            }
        }
    }
    for (int32_t i = 0; !plan->thin && i < closed; i++) {
        flood->mark[finish_closed_at(plan, flood, i)->cell] = 0;
    }
    return true;
}

#undef FINISH_BLOCK
