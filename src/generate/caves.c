// Caves; see the header.
//
// Phases: 0 the automaton runs or circles grow, 1 cells become rooms, 2 pockets are joined
// (automaton), 3 the plan is finished, 4 done.
#include "ploy/generate/caves.h"

#include "base/compiler.h"
#include "generate/plan_internal.h"
#include "ploy/base/math.h"
#include "ploy/generate/backtrack.h"
#include "ploy/generate/spanning.h"
#include "ploy/geom/automaton.h"

#include <math.h>
#include <string.h>

static const char *const caves_methods[] = {"automaton", "circles"};

static const ploy_field caves_fields[] = {
    PLOY_FIELD_I32(ploy_caves_def, width, 64, 3, 512, "", "cells along x"),
    PLOY_FIELD_I32(ploy_caves_def, height, 48, 3, 512, "", "cells along y"),
    PLOY_FIELD_ENUM(ploy_caves_def, method, 0, caves_methods, "rock worn away, or round chambers"),
    PLOY_FIELD_F32(ploy_caves_def, open, 0.55f, 0, 1, "", "automaton: share open at first"),
    PLOY_FIELD_I32(ploy_caves_def, generations, 5, 0, 32, "", "automaton: generations"),
    PLOY_FIELD_I32(ploy_caves_def, min_cells, 12, 1, 1024, "", "automaton: smallest pocket kept"),
    PLOY_FIELD_F32(ploy_caves_def, radius_min, 2, 1, 32, "m", "circles: smallest radius"),
    PLOY_FIELD_F32(ploy_caves_def, radius_max, 5, 1, 32, "m", "circles: largest radius"),
    PLOY_FIELD_F32(ploy_caves_def, gap, 1.5f, 1.1f, 16, "m", "circles: rock between caves"),
    PLOY_FIELD_I32(ploy_caves_def, tries, 12, 1, 64, "", "circles: directions tried"),
    PLOY_FIELD_I32(ploy_caves_def, max_caves, 0, 0, 65536, "", "circles: stop at this number"),
    PLOY_FIELD_I32(ploy_caves_def, max_attempts, 10000000, 1, 1000000000, "", "limit of tries"),
    PLOY_FIELD_DEF(ploy_caves_def, roles, ploy_plan_roles_fields, "roles of rooms, locks and keys"),
};

typedef struct caves_circle {
    int32_t parent; // -1: the first
    int32_t next;   // in its bucket; -1: the last
} caves_circle;

struct ploy_caves {
    ployi_level level;
    ploy_caves_def def;
    int32_t phase;
    ploy_rng rng;
    ploy_automaton *automaton;
    ploy_automaton_rule rule;
    ploy_backtrack work;
    ploy_array placed;  // ploy_placed: the circles
    ploy_array circles; // caves_circle, beside them
    ploy_array buckets; // int32_t: first circle of each square of `side` cells; -1: none
    int32_t side, columns, rows;
    int32_t overlaps, beyond; // rejections by reason
    int32_t filled;           // pockets that were too small
};

ploy_fields ploy_caves_fields(void) {
    return PLOY_FIELDS(ploy_caves_def, caves_fields);
}

PLOYI_LEVEL_FUNCTIONS(caves)

// ---- automaton

// Rock is 1, so that the rim, which is rock, is a fixed border. Eight bits of a word decide a cell
// each where that is exact enough; a share in 256ths cannot be distinguished from the requested one.
static ploy_result caves_begin_automaton(ploy_caves *caves, const ploy_env *env) {
    ploy_automaton_def def = ploy_automaton_def_default();
    def.width = caves->def.width;
    def.height = caves->def.height;
    def.border = PLOY_AUTOMATON_FIXED;
    def.outside = 1;
    ploy_result result = ploy_automaton_create(&def, env, &caves->automaton);
    if (result != PLOY_OK) return result;
    uint32_t threshold = (uint32_t)(caves->def.open * 256.0f + 0.5f);
    uint8_t row[512];
    for (int32_t y = 0; y < def.height; y++) {
        for (int32_t x = 0; x < def.width; x += 4) {
            uint32_t word = ploy_rng_u32(&caves->rng);
            for (int32_t k = 0; k < 4; k++) row[x + k] = (word >> 8 * k & 255u) >= threshold;
        }
        if (y == 0 || y == def.height - 1) memset(row, 1, sizeof row);
        row[0] = row[def.width - 1] = 1;
        ploy_automaton_set_row(caves->automaton, y, row);
    }
    return ploy_automaton_rule_text("B5678/S45678", NULL, &caves->rule);
}

static ploy_result caves_run_automaton(ploy_caves *caves, ploy_budget *budget) {
    while (ploy_automaton_generation(caves->automaton) < caves->def.generations) {
        ploy_budget slice = budget != NULL ? *budget : ploy_budget_unlimited();
        int64_t before = slice.spent;
        ploy_result result = ploy_automaton_step(caves->automaton, &caves->rule, &slice);
        caves->level.outcome.units += slice.spent - before;
        if (budget != NULL) *budget = slice;
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

// A run is a row of open cells side by side. Runs are found from left to right and from the lowest row up;
// those of one pocket are joined to its first run. A cave has far fewer runs than cells.
typedef struct caves_run {
    int32_t first, end; // cells of the plan
    int32_t parent;     // run of the same pocket, itself for the first; later the pocket's room
} caves_run;

static int32_t caves_run_root(caves_run *runs, int32_t run) {
    while (runs[run].parent != run) {
        runs[run].parent = runs[runs[run].parent].parent;
        run = runs[run].parent;
    }
    return run;
}

// The earlier root stays: pockets are numbered by their first cell.
static void caves_run_join(caves_run *runs, int32_t a, int32_t b) {
    a = caves_run_root(runs, a);
    b = caves_run_root(runs, b);
    if (a < b) runs[b].parent = a;
    if (b < a) runs[a].parent = b;
}

// One row of cells of the automaton as kinds.
PLOYI_INLINE void caves_kinds_body(int32_t n, const uint8_t *restrict rock,
                                   uint8_t *restrict kinds) {
    for (int32_t x = 0; x < n; x++) {
        kinds[x] = (uint8_t)(rock[x] != 0 ? PLOY_PLAN_SOLID : PLOY_PLAN_ROOM);
    }
}
PLOYI_KERNEL(caves_kinds, (int32_t n, const uint8_t *restrict rock, uint8_t *restrict kinds),
             (n, rock, kinds))

// Cells of the automaton become kinds; the rim is rock.
static void caves_read_rows(ploy_caves *caves) {
    ploy_floor_plan *plan = caves->level.plan;
    int32_t w = plan->width, h = plan->height;
    memset(plan->kinds, PLOY_PLAN_SOLID, (size_t)w * (size_t)h);
    for (int32_t y = 1; y < h - 1; y++) {
        const uint8_t *row = ploy_automaton_row(caves->automaton, y);
        caves_kinds(w - 2, row + 1, plan->kinds + y * w + 1);
    }
}

// Finds all runs and joins those that touch across a row.
static ploy_result caves_find_runs(const ploy_floor_plan *plan, ploy_array *out) {
    int32_t w = plan->width, below = 0, below_end = 0; // runs of the row below
    for (int32_t y = 1; y < plan->height - 1; y++) {
        int32_t row_first = out->count, cell = y * w, row_end = cell + w;
        for (;;) {
            while (cell < row_end && plan->kinds[cell] == PLOY_PLAN_SOLID) cell++;
            if (cell == row_end) break;
            int32_t first = cell;
            while (plan->kinds[cell] != PLOY_PLAN_SOLID) cell++; // ends at the rim
            caves_run run = {first, cell, out->count};
            if (ploy_array_push(out, &run) != PLOY_OK) return PLOY_ERR_MEMORY;
            caves_run *runs = PLOY_ARRAY_ITEMS(out, caves_run);
            while (below < below_end && runs[below].end + w <= first) below++;
            for (int32_t i = below; i < below_end && runs[i].first + w < cell; i++) {
                caves_run_join(runs, i, out->count - 1);
            }
        }
        below = row_first;
        below_end = out->count;
    }
    return PLOY_OK;
}

// A run becomes a part of a room.
static void caves_put_run(ploy_floor_plan *plan, int32_t number, const caves_run *run) {
    ploy_plan_room *room = &ployi_plan_rooms(plan)[number];
    int32_t y = run->first / plan->width, x = run->first - y * plan->width;
    int32_t length = run->end - run->first, right = room->x + room->width;
    if (room->cells == 0) {
        room->x = x;
        room->y = y; // the lowest, because runs come in that order
        right = x + length;
    }
    if (x < room->x) room->x = x;
    if (x + length > right) right = x + length;
    room->width = right - room->x;
    room->height = y + 1 - room->y;
    room->cells += length;
    for (int32_t cell = run->first; cell < run->end; cell++) plan->owners[cell] = number;
}

// Pockets become rooms in the order of their first cells. Small ones become rock, but a level has a
// room: the largest pocket, or one cell.
static ploy_result caves_add_pockets(ploy_caves *caves, caves_run *runs, int32_t count) {
    ploy_floor_plan *plan = caves->level.plan;
    int32_t largest = -1, most = 0;
    int32_t *cells = plan->queue; // of a pocket, by its first run
    for (int32_t i = 0; i < count; i++) {
        runs[i].parent = caves_run_root(runs, i);
        if (runs[i].parent == i) cells[i] = 0;
        cells[runs[i].parent] += runs[i].end - runs[i].first;
    }
    for (int32_t i = 0; i < count; i++) {
        if (runs[i].parent != i) continue;
        if (cells[i] > most) {
            most = cells[i];
            largest = i;
        }
        bool keep = cells[i] >= caves->def.min_cells;
        ployi_level_attempt(&caves->level, "pocket", plan->rooms.count,
                            keep ? NULL : "smaller than min_cells");
        caves->filled += !keep;
        cells[i] = -1;
        if (!keep) continue;
        cells[i] = ployi_plan_add_room(plan); // from here on the number of its room
        if (cells[i] < 0) return PLOY_ERR_MEMORY;
    }
    if (plan->rooms.count == 0) {
        int32_t room = ployi_plan_add_room(plan);
        if (room < 0) return PLOY_ERR_MEMORY;
        if (largest < 0) {
            ployi_plan_put_room(plan, room, plan->width / 2, plan->height / 2);
        } else {
            cells[largest] = room;
        }
    }
    for (int32_t i = 0; i < count; i++) {
        int32_t room = cells[runs[i].parent];
        if (room >= 0) {
            caves_put_run(plan, room, &runs[i]);
        } else {
            memset(plan->kinds + runs[i].first, PLOY_PLAN_SOLID,
                   (size_t)(runs[i].end - runs[i].first));
        }
    }
    return PLOY_OK;
}

// Cells of the automaton become pockets, pockets rooms.
static ploy_result caves_find_rooms(ploy_caves *caves) {
    ploy_array runs;
    ploy_array_init(&runs, sizeof(caves_run), &caves->level.env);
    caves_read_rows(caves);
    ploy_result result = caves_find_runs(caves->level.plan, &runs);
    if (result == PLOY_OK) {
        result = caves_add_pockets(caves, PLOY_ARRAY_ITEMS(&runs, caves_run), runs.count);
    }
    ploy_array_fini(&runs);
    return result;
}

// All rooms grow into the rock at once, a step each turn. Where two meet, a tunnel is possible; of
// those the cheapest that span all rooms are dug, back along the steps by which each side grew.
typedef struct caves_meeting {
    int32_t from, to; // cells on either side
} caves_meeting;

static ploy_result caves_dig_half(ploy_floor_plan *plan, const uint8_t *back, int32_t cell,
                                  int32_t link, int32_t *length) {
    const int32_t step[4] = {1, plan->width, -plan->width, -1};
    for (; plan->kinds[cell] != PLOY_PLAN_ROOM; cell += step[back[cell] & 3]) {
        if (plan->kinds[cell] == PLOY_PLAN_SOLID) (*length)++;
        plan->kinds[cell] = PLOY_PLAN_CORRIDOR;
        plan->owners[cell] = link;
    }
    return PLOY_OK;
}

// 1 for open cells with rock beside them. Kinds are bytes, and SOLID is 0.
PLOYI_INLINE void caves_rim_body(int32_t n, const uint8_t *restrict own,
                                 const uint8_t *restrict above, const uint8_t *restrict below,
                                 uint8_t *restrict rim) {
    for (int32_t x = 0; x < n; x++) {
        rim[x] = (uint8_t)((own[x] != 0) & ((own[x + 1] == 0) | (above[x] == 0) | (below[x] == 0) |
                                            (own[x - 1] == 0)));
    }
}
PLOYI_KERNEL(caves_rim,
             (int32_t n, const uint8_t *restrict own, const uint8_t *restrict above,
              const uint8_t *restrict below, uint8_t *restrict rim),
             (n, own, above, below, rim))

// Distances before anything grew: 0 in rooms, -1 in rock.
PLOYI_INLINE void caves_start_body(int32_t n, const int32_t *restrict owners,
                                   int32_t *restrict distances) {
    for (int32_t i = 0; i < n; i++) distances[i] = owners[i] >= 0 ? 0 : -1;
}
PLOYI_KERNEL(caves_start, (int32_t n, const int32_t *restrict owners, int32_t *restrict distances),
             (n, owners, distances))

// What grew over rock is rock again.
PLOYI_INLINE void caves_forget_body(int32_t n, const uint8_t *restrict kinds,
                                    int32_t *restrict owners) {
    for (int32_t i = 0; i < n; i++) owners[i] = kinds[i] == PLOY_PLAN_SOLID ? -1 : owners[i];
}
PLOYI_KERNEL(caves_forget, (int32_t n, const uint8_t *restrict kinds, int32_t *restrict owners),
             (n, kinds, owners))

static ploy_result caves_meetings(ploy_floor_plan *plan, uint8_t *back, ploy_array *links,
                                  ploy_array *meetings) {
    int32_t w = plan->width, h = plan->height, head = 0, tail = 0;
    const int32_t step[4] = {1, w, -w, -1};
    plan->measured = true;
    caves_start(w * h, plan->owners, plan->distances);
    // The edge of the plan stays rock: with a distance and without an owner it is never grown into.
    for (int32_t x = 0; x < w; x++) plan->distances[x] = plan->distances[(h - 1) * w + x] = 0;
    for (int32_t y = 0; y < h; y++) plan->distances[y * w] = plan->distances[y * w + w - 1] = 0;
    for (int32_t y = 1; y < h - 1; y++) {
        // Only the rim of a room can grow. Where it is is not kept: `back` is of cells that grew.
        int32_t first = y * w + 1;
        caves_rim(w - 2, plan->kinds + first, plan->kinds + first + w, plan->kinds + first - w,
                  back + first);
        for (int32_t cell = first; cell < first + w - 2; cell++) {
            plan->queue[tail] = cell; // no branch: it would be a guess
            tail += back[cell];
        }
    }
    int32_t *distances = plan->distances, *owners = plan->owners, *queue = plan->queue;
    while (head < tail) {
        int32_t cell = queue[head++], owner = owners[cell], distance = distances[cell];
        for (int32_t direction = 0; direction < 4; direction++) {
            int32_t next = cell + step[direction];
            if (distances[next] < 0) {
                distances[next] = distance + 1;
                owners[next] = owner;
                back[next] = (uint8_t)(3 - direction);
                queue[tail++] = next;
            } else if (owners[next] > owner) {
                ploy_spanning_link link = {owner, owners[next],
                                           (float)(distance + distances[next])};
                caves_meeting meeting = {cell, next};
                if (ploy_array_push(links, &link) != PLOY_OK) return PLOY_ERR_MEMORY;
                if (ploy_array_push(meetings, &meeting) != PLOY_OK) return PLOY_ERR_MEMORY;
            }
        }
    }
    return PLOY_OK;
}

static ploy_result caves_dig(ploy_caves *caves, const uint8_t *back, const ploy_array *links,
                             const ploy_array *meetings) {
    ploy_floor_plan *plan = caves->level.plan;
    size_t size = (size_t)plan->rooms.count * sizeof(int32_t);
    int32_t *chosen = ploy_env_alloc(&caves->level.env, size), count = 0;
    if (chosen == NULL) return PLOY_ERR_MEMORY;
    ploy_result result = ploy_spanning_kruskal(links->items, links->count, plan->rooms.count,
                                               &caves->level.env, chosen, &count);
    caves_forget(plan->width * plan->height, plan->kinds, plan->owners);
    for (int32_t i = 0; i < count && result == PLOY_OK; i++) {
        const ploy_spanning_link *link = &PLOY_ARRAY_ITEMS(links, ploy_spanning_link)[chosen[i]];
        const caves_meeting *meeting = &PLOY_ARRAY_ITEMS(meetings, caves_meeting)[chosen[i]];
        int32_t number = ployi_plan_add_link(plan, link->a, link->b, false), length = 0;
        if (number < 0) {
            result = PLOY_ERR_MEMORY;
            break;
        }
        caves_dig_half(plan, back, meeting->from, number, &length);
        caves_dig_half(plan, back, meeting->to, number, &length);
        PLOY_ARRAY_ITEMS(&plan->links, ploy_plan_link)[number].length = length;
    }
    ploy_env_free(&caves->level.env, chosen, size);
    return result;
}

static ploy_result caves_join_rooms(ploy_caves *caves) {
    ploy_floor_plan *plan = caves->level.plan;
    if (plan->rooms.count < 2) return PLOY_OK;
    ploy_array links, meetings;
    ploy_array_init(&links, sizeof(ploy_spanning_link), &caves->level.env);
    ploy_array_init(&meetings, sizeof(caves_meeting), &caves->level.env);
    ploy_result result = caves_meetings(plan, plan->mark, &links, &meetings);
    if (result == PLOY_OK) result = caves_dig(caves, plan->mark, &links, &meetings);
    ploy_array_fini(&links);
    ploy_array_fini(&meetings);
    return result;
}

// ---- circles

static int32_t *caves_bucket(const ploy_caves *caves, ploy_vec2 at) {
    int32_t column = (int32_t)at.x / caves->side, row = (int32_t)at.y / caves->side;
    return &PLOY_ARRAY_ITEMS(&caves->buckets, int32_t)[row * caves->columns + column];
}

static ploy_result caves_add_circle(ploy_caves *caves, ploy_vec2 at, float radius, int32_t parent) {
    ploy_placed placed = {at, radius, 0.0f, 0};
    int32_t *bucket = caves_bucket(caves, at);
    caves_circle circle = {parent, *bucket};
    if (ploy_array_push(&caves->placed, &placed) != PLOY_OK) return PLOY_ERR_MEMORY;
    if (ploy_array_push(&caves->circles, &circle) != PLOY_OK) return PLOY_ERR_MEMORY;
    *bucket = caves->placed.count - 1;
    return PLOY_OK;
}

// Keeps the gap to every circle but the parent, which it touches.
static bool caves_circle_fits(const ploy_caves *caves, ploy_vec2 at, float radius, int32_t parent) {
    const ploy_placed *placed = PLOY_ARRAY_ITEMS(&caves->placed, ploy_placed);
    const caves_circle *circles = PLOY_ARRAY_ITEMS(&caves->circles, caves_circle);
    int32_t column = (int32_t)at.x / caves->side, row = (int32_t)at.y / caves->side;
    for (int32_t v = row - 1; v <= row + 1; v++) {
        for (int32_t u = column - 1; u <= column + 1; u++) {
            if (u < 0 || v < 0 || u >= caves->columns || v >= caves->rows) continue;
            int32_t i = PLOY_ARRAY_ITEMS(&caves->buckets, int32_t)[v * caves->columns + u];
            for (; i >= 0; i = circles[i].next) {
                if (i == parent) continue;
                float least = radius + placed[i].radius + caves->def.gap;
                if (ploy_vec2_distance_sq(at, placed[i].position) < least * least) return false;
            }
        }
    }
    return true;
}

static ploy_backtrack_turn caves_connect(void *user, int32_t place, ploy_rng *rng, int32_t *next) {
    ploy_caves *caves = user;
    const ploy_placed from = PLOY_ARRAY_ITEMS(&caves->placed, ploy_placed)[place];
    float angle = ploy_rng_range(rng, 0.0f, 2.0f * (float)PLOY_PI);
    float radius = ploy_rng_range(rng, caves->def.radius_min, caves->def.radius_max);
    for (int32_t i = 0; i < caves->def.tries; i++) {
        float turn = angle + 2.0f * (float)PLOY_PI * (float)i / (float)caves->def.tries;
        float reach = from.radius + radius;
        ploy_vec2 at = {from.position.x + reach * ploy_cosf(turn),
                        from.position.y + reach * ploy_sinf(turn)};
        const char *reason = NULL;
        if (at.x - radius < 1.0f || at.y - radius < 1.0f ||
            at.x + radius > (float)caves->def.width - 1.0f ||
            at.y + radius > (float)caves->def.height - 1.0f) {
            reason = "beyond the edge";
            caves->beyond++;
        } else if (!caves_circle_fits(caves, at, radius, place)) {
            reason = "too near to another cave";
            caves->overlaps++;
        }
        ployi_level_attempt(&caves->level, "cave", caves->placed.count, reason);
        if (reason != NULL) continue;
        if (caves_add_circle(caves, at, radius, place) != PLOY_OK) return PLOY_BACKTRACK_FAILED;
        *next = caves->placed.count - 1;
        return PLOY_BACKTRACK_NEW;
    }
    return PLOY_BACKTRACK_NONE;
}

static bool caves_enough(void *user, const ploy_backtrack *work) {
    const ploy_caves *caves = user;
    return caves->def.max_caves > 0 && work->places >= caves->def.max_caves;
}

static ploy_result caves_begin_circles(ploy_caves *caves) {
    // Circles in one bucket or beside it are all that can be too near.
    caves->side = (int32_t)(2.0f * caves->def.radius_max + caves->def.gap) + 1;
    caves->columns = caves->def.width / caves->side + 1;
    caves->rows = caves->def.height / caves->side + 1;
    ploy_result result = ploy_array_resize(&caves->buckets, caves->columns * caves->rows);
    if (result != PLOY_OK) return result;
    memset(caves->buckets.items, 0xFF, (size_t)caves->buckets.count * sizeof(int32_t));
    float least =
        (float)(caves->def.width < caves->def.height ? caves->def.width : caves->def.height);
    float radius = ploy_rng_range(&caves->rng, caves->def.radius_min, caves->def.radius_max);
    if (radius > least * 0.5f - 1.0f) radius = least * 0.5f - 1.0f;
    ploy_vec2 middle = {(float)caves->def.width * 0.5f, (float)caves->def.height * 0.5f};
    caves->work.max_tries = caves->def.max_attempts;
    result = caves_add_circle(caves, middle, radius, -1);
    return result == PLOY_OK ? ploy_backtrack_start(&caves->work, 0) : result;
}

static ploy_result caves_run_circles(ploy_caves *caves, ploy_budget *budget) {
    ploy_backtrack_places places = {caves_connect, caves_enough, caves};
    int64_t before = caves->work.tries;
    ploy_result result = ploy_backtrack_step(&caves->work, &places, &caves->rng, budget);
    caves->level.outcome.units += caves->work.tries - before;
    if (caves->work.out_of_tries) ployi_level_limit(&caves->level, "max_attempts");
    return result;
}

// Cells whose middle is within a circle are its room. The middle cell always is.
static ploy_result caves_draw_circles(ploy_caves *caves) {
    ploy_floor_plan *plan = caves->level.plan;
    const ploy_placed *placed = PLOY_ARRAY_ITEMS(&caves->placed, ploy_placed);
    for (int32_t i = 0; i < caves->placed.count; i++) {
        int32_t room = ployi_plan_add_room(plan);
        if (room < 0) return PLOY_ERR_MEMORY;
        ploy_vec2 at = placed[i].position;
        float r = placed[i].radius;
        for (int32_t y = (int32_t)(at.y - r); y <= (int32_t)(at.y + r); y++) {
            for (int32_t x = (int32_t)(at.x - r); x <= (int32_t)(at.x + r); x++) {
                float dx = (float)x + 0.5f - at.x, dy = (float)y + 0.5f - at.y;
                bool middle = x == (int32_t)at.x && y == (int32_t)at.y;
                if (dx * dx + dy * dy > r * r && !middle) continue;
                if (!ployi_plan_holds(plan, x, y)) continue;
                if (plan->kinds[ployi_plan_cell(plan, x, y)] != PLOY_PLAN_SOLID) continue;
                ployi_plan_put_room(plan, room, x, y);
            }
        }
    }
    return PLOY_OK;
}

// Passages: a line of cells, side by side, from each cave to the one that it grew from.
static ploy_result caves_dig_passages(ploy_caves *caves) {
    ploy_floor_plan *plan = caves->level.plan;
    const ploy_placed *placed = PLOY_ARRAY_ITEMS(&caves->placed, ploy_placed);
    const caves_circle *circles = PLOY_ARRAY_ITEMS(&caves->circles, caves_circle);
    for (int32_t i = 1; i < caves->placed.count; i++) {
        int32_t parent = circles[i].parent;
        int32_t link = ployi_plan_add_link(plan, parent, i, false), length = 0;
        if (link < 0) return PLOY_ERR_MEMORY;
        int32_t x = (int32_t)placed[parent].position.x, y = (int32_t)placed[parent].position.y;
        int32_t to_x = (int32_t)placed[i].position.x, to_y = (int32_t)placed[i].position.y;
        int32_t wide = to_x > x ? to_x - x : x - to_x, high = to_y > y ? to_y - y : y - to_y;
        for (int32_t done_x = 0, done_y = 0; x != to_x || y != to_y;) {
            // Along the axis that is behind: cells of the line share sides.
            if ((done_x * 2 + 1) * high <= (done_y * 2 + 1) * wide && x != to_x) {
                x += to_x > x ? 1 : -1;
                done_x++;
            } else if (y != to_y) {
                y += to_y > y ? 1 : -1;
                done_y++;
            } else {
                x += to_x > x ? 1 : -1;
                done_x++;
            }
            int32_t cell = ployi_plan_cell(plan, x, y);
            if (plan->kinds[cell] != PLOY_PLAN_SOLID) continue;
            plan->kinds[cell] = PLOY_PLAN_CORRIDOR;
            plan->owners[cell] = link;
            length++;
        }
        PLOY_ARRAY_ITEMS(&plan->links, ploy_plan_link)[link].length = length;
    }
    return PLOY_OK;
}

// ---- all

ploy_result ploy_caves_begin(const ploy_caves_def *def, ploy_rng_key key, ploy_trace *trace,
                             const ploy_env *env, ploy_caves **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    ploy_result result = ploy_fields_check(ploy_caves_fields(), def, env);
    if (result != PLOY_OK) return result;
    ploy_caves *caves = ploy_env_alloc_zero(env, sizeof *caves);
    if (caves == NULL) return PLOY_ERR_MEMORY;
    caves->def = *def;
    if (def->radius_max < def->radius_min) caves->def.radius_max = def->radius_min;
    ploy_backtrack_init(&caves->work, env);
    ploy_array_init(&caves->placed, sizeof(ploy_placed), env);
    ploy_array_init(&caves->circles, sizeof(caves_circle), env);
    ploy_array_init(&caves->buckets, sizeof(int32_t), env);
    caves->rng = ploy_rng_from_key(ploy_generate_stream(key, "caves"), 0);
    caves->level.env = *env;
    result =
        ployi_level_init(&caves->level, "caves", def->width, def->height, false, key, trace, env);
    if (result == PLOY_OK) {
        result = def->method == PLOY_CAVES_AUTOMATON ? caves_begin_automaton(caves, env)
                                                     : caves_begin_circles(caves);
    }
    if (result != PLOY_OK) {
        ploy_caves_cancel(caves);
        return result;
    }
    *out = caves;
    return PLOY_OK;
}

void ploy_caves_cancel(ploy_caves *caves) {
    if (caves == NULL) return;
    ploy_env env = caves->level.env;
    ploy_automaton_destroy(caves->automaton);
    ploy_backtrack_fini(&caves->work);
    ploy_array_fini(&caves->placed);
    ploy_array_fini(&caves->circles);
    ploy_array_fini(&caves->buckets);
    ployi_level_fini(&caves->level);
    ploy_env_free(&env, caves, sizeof *caves);
}

ploy_result ploy_caves_step(ploy_caves *caves, ploy_budget *budget) {
    bool automaton = caves->def.method == PLOY_CAVES_AUTOMATON;
    if (caves->phase == 0) {
        ploy_result result =
            automaton ? caves_run_automaton(caves, budget) : caves_run_circles(caves, budget);
        if (result != PLOY_OK) return result;
        caves->phase = 1;
    }
    while (caves->phase < 4) {
        if (caves->phase < 3 && !ployi_level_spend(&caves->level, budget, 1)) {
            return PLOY_IN_PROGRESS;
        }
        ploy_result result = PLOY_OK;
        if (caves->phase == 1) {
            result = automaton ? caves_find_rooms(caves) : caves_draw_circles(caves);
        } else if (caves->phase == 2) {
            result = automaton ? caves_join_rooms(caves) : caves_dig_passages(caves);
        } else {
            caves->level.outcome.draws = ploy_generate_draws(&caves->rng);
            result = ployi_level_finish(&caves->level, &caves->def.roles,
                                        caves->level.plan->rooms.count, budget);
        }
        if (result != PLOY_OK) return result;
        caves->phase++;
    }
    return PLOY_OK;
}

const ploy_placed *ploy_caves_circles(const ploy_caves *caves, int32_t *count) {
    *count = caves->placed.count;
    return PLOY_ARRAY_ITEMS(&caves->placed, ploy_placed);
}

void ploy_caves_describe(const ploy_caves *caves, ploy_describe *out) {
    ploy_floor_plan_describe(caves->level.plan, out);
    ploy_describe_i64(out, "circles", PLOY_STATE, caves->placed.count);
    ploy_describe_i64(out, "too_near", PLOY_DERIVED, caves->overlaps);
    ploy_describe_i64(out, "beyond_the_edge", PLOY_DERIVED, caves->beyond);
    ploy_describe_i64(out, "pockets_filled", PLOY_DERIVED, caves->filled);
}

void ploy_caves_draw(const ploy_caves *caves, ploy_draw *out) {
    if (caves->phase == 0 && caves->automaton != NULL) {
        ploy_automaton_draw(caves->automaton, out);
        return;
    }
    ploy_floor_plan_draw(caves->level.plan, out);
    const ploy_placed *placed = PLOY_ARRAY_ITEMS(&caves->placed, ploy_placed);
    for (int32_t i = 0; i < caves->placed.count; i++) {
        ploy_draw_circle(out, PLOY_LAYER_REGIONS, PLOY_STYLE_GHOST, ploy_agent_id_none(),
                         placed[i].position, placed[i].radius);
    }
}

void ploy_caves_memory(const ploy_caves *caves, ploy_memory_fn fn, void *user) {
    ploy_memory_item item = {"caves", sizeof *caves, 1};
    fn(user, &item);
    ploy_floor_plan_memory(caves->level.plan, fn, user);
    if (caves->automaton != NULL) ploy_automaton_memory(caves->automaton, fn, user);
    ploy_array_memory(&caves->work.stack, fn, user);
    ploy_array_memory(&caves->placed, fn, user);
    ploy_array_memory(&caves->circles, fn, user);
    ploy_array_memory(&caves->buckets, fn, user);
}

// ---- the front

PLOYI_LEVEL_FRONT(caves, "caves: rock worn away by an automaton, or round chambers",
                  "one try for a cave, or 16 rows of a generation")
