// Levels of prefabricated pieces; see the header.
//
// Phases: 0 pieces are placed, 1 doors that make loops, 2 finishing, 3 done.
#include "ploy/generate/pieces.h"

#include "generate/plan_internal.h"
#include "ploy/generate/backtrack.h"

#include <stdio.h>
#include <string.h>

enum {
    PIECES_MOST = 64,
    PIECES_EAST = 1,
    PIECES_NORTH = 2,
    PIECES_SOUTH = 4,
    PIECES_WEST = 8,
    PIECES_ALL = 15
};

static const char *const pieces_sets[] = {"rooms", "halls"};

static const ploy_field pieces_fields[] = {
    PLOY_FIELD_I32(ploy_pieces_def, width, 16, 1, 256, "", "cells along x"),
    PLOY_FIELD_I32(ploy_pieces_def, height, 12, 1, 256, "", "cells along y"),
    PLOY_FIELD_ENUM(ploy_pieces_def, set, 0, pieces_sets, "pieces, if the caller brings none"),
    PLOY_FIELD_I32(ploy_pieces_def, pieces, 24, 0, 65536, "", "stop at this number; 0: fill"),
    PLOY_FIELD_F32(ploy_pieces_def, loops, 0.1f, 0, 1, "", "chance of a door that makes a loop"),
    PLOY_FIELD_BOOL(ploy_pieces_def, broad, false, "joined pieces merge along their common side"),
    PLOY_FIELD_I32(ploy_pieces_def, max_attempts, 1000000, 1, 10000000, "", "limit of units"),
    PLOY_FIELD_DEF(ploy_pieces_def, roles, ploy_plan_roles_fields,
                   "roles of rooms, locks and keys"),
};

static const ploy_piece pieces_rooms[] = {
    {"1 by 1", 4, 1, {{0, 0, PIECES_ALL}}},
    {"2 by 1", 3, 2, {{0, 0, PIECES_ALL}, {1, 0, PIECES_ALL}}},
    {"2 by 2",
     2,
     4,
     {{0, 0, PIECES_ALL}, {1, 0, PIECES_ALL}, {0, 1, PIECES_ALL}, {1, 1, PIECES_ALL}}},
    {"L", 2, 3, {{0, 0, PIECES_ALL}, {1, 0, PIECES_ALL}, {0, 1, PIECES_ALL}}},
};

static const ploy_piece pieces_halls[] = {
    {"corridor", 4, 3, {{0, 0, PIECES_WEST}, {1, 0, 0}, {2, 0, PIECES_EAST}}},
    {"corner", 3, 3, {{0, 0, PIECES_WEST}, {1, 0, 0}, {1, 1, PIECES_NORTH}}},
    {"crossing",
     2,
     5,
     {{0, 1, PIECES_WEST},
      {1, 1, 0},
      {2, 1, PIECES_EAST},
      {1, 0, PIECES_SOUTH},
      {1, 2, PIECES_NORTH}}},
    {"hall",
     2,
     9,
     {{0, 0, 0},
      {1, 0, PIECES_SOUTH},
      {2, 0, 0},
      {0, 1, PIECES_WEST},
      {1, 1, 0},
      {2, 1, PIECES_EAST},
      {0, 2, 0},
      {1, 2, PIECES_NORTH},
      {2, 2, 0}}},
    {"cell", 1, 1, {{0, 0, PIECES_ALL}}},
};

struct ploy_pieces {
    ployi_level level;
    ploy_pieces_def def;
    int32_t phase, cursor;
    ploy_rng rng, loop_rng;
    ploy_backtrack work;
    int32_t count;
    uint8_t *sides; // by cell of the plan: where its piece may have exits
    size_t bytes;
    int32_t overlaps, beyond;
    ploy_piece pieces[PIECES_MOST][4]; // in all orientations
};

ploy_fields ploy_pieces_fields(void) {
    return PLOY_FIELDS(ploy_pieces_def, pieces_fields);
}

PLOYI_LEVEL_FUNCTIONS(pieces)

const ploy_piece *ploy_pieces_of(ploy_pieces_set set, int32_t *count) {
    bool halls = set == PLOY_PIECES_HALLS;
    *count =
        (int32_t)(halls ? sizeof pieces_halls : sizeof pieces_rooms) / (int32_t)sizeof(ploy_piece);
    return halls ? pieces_halls : pieces_rooms;
}

static bool pieces_has_cell(const ploy_piece *piece, int32_t count, int32_t x, int32_t y) {
    for (int32_t i = 0; i < count; i++) {
        if (piece->cells[i].x == x && piece->cells[i].y == y) return true;
    }
    return false;
}

// Cells must hang together, because they become one room.
static bool pieces_in_one_part(const ploy_piece *piece) {
    uint32_t seen = 1, before = 0;
    while (seen != before) {
        before = seen;
        for (int32_t i = 0; i < piece->cell_count; i++) {
            for (int32_t k = 0; k < piece->cell_count; k++) {
                int32_t dx = piece->cells[i].x - piece->cells[k].x;
                int32_t dy = piece->cells[i].y - piece->cells[k].y;
                if (dx * dx + dy * dy == 1 && (seen >> i & 1u) != 0) seen |= 1u << k;
            }
        }
    }
    return seen == (1u << piece->cell_count) - 1u;
}

static const char *pieces_fault(const ploy_piece *piece) {
    if (piece->cell_count < 1 || piece->cell_count > PLOY_PIECE_CELLS) return "1 to 16 cells";
    if (!(piece->weight >= 0.0f)) return "a weight of 0 or more";
    int32_t exits = 0;
    for (int32_t i = 0; i < piece->cell_count; i++) {
        const ploy_piece_cell *cell = &piece->cells[i];
        if (cell->exits > PIECES_ALL) return "exits as a sum of 1, 2, 4 and 8";
        if (cell->x < -16 || cell->x > 16 || cell->y < -16 || cell->y > 16) {
            return "cells within 16 of the first";
        }
        if (pieces_has_cell(piece, i, cell->x, cell->y)) return "each cell once";
        for (int32_t direction = 0; direction < 4; direction++) { // exits inside the piece are none
            exits += (cell->exits >> direction & 1) != 0 &&
                     !pieces_has_cell(piece, piece->cell_count, cell->x + ployi_plan_dx[direction],
                                      cell->y + ployi_plan_dy[direction]);
        }
    }
    if (!pieces_in_one_part(piece)) return "cells that hang together";
    return exits == 0 ? "an exit" : NULL;
}

// A quarter turn counter-clockwise: (x, y) becomes (-y, x).
static ploy_piece pieces_turn(const ploy_piece *piece) {
    static const int32_t turned[4] = {1, 3, 0, 2};
    ploy_piece out = *piece;
    for (int32_t i = 0; i < piece->cell_count; i++) {
        out.cells[i].x = (int8_t)-piece->cells[i].y;
        out.cells[i].y = piece->cells[i].x;
        out.cells[i].exits = 0;
        for (int32_t direction = 0; direction < 4; direction++) {
            int32_t bit = piece->cells[i].exits >> direction & 1;
            out.cells[i].exits = (uint8_t)(out.cells[i].exits | bit << turned[direction]);
        }
    }
    return out;
}

// ---- placing

static const char *pieces_fits(ploy_pieces *self, const ploy_piece *piece, int32_t x, int32_t y) {
    for (int32_t i = 0; i < piece->cell_count; i++) {
        int32_t u = x + piece->cells[i].x, v = y + piece->cells[i].y;
        if (!ployi_plan_holds(self->level.plan, u, v)) {
            self->beyond++;
            return "beyond the edge";
        }
        if (self->level.plan->kinds[ployi_plan_cell(self->level.plan, u, v)] != PLOY_PLAN_SOLID) {
            self->overlaps++;
            return "overlaps a piece";
        }
    }
    return NULL;
}

static int32_t pieces_put(ploy_pieces *self, const ploy_piece *piece, int32_t number, int32_t x,
                          int32_t y) {
    ploy_floor_plan *plan = self->level.plan;
    int32_t room = ployi_plan_add_room(plan);
    if (room < 0) return -1;
    for (int32_t i = 0; i < piece->cell_count; i++) {
        int32_t u = x + piece->cells[i].x, v = y + piece->cells[i].y;
        int32_t cell = ployi_plan_cell(plan, u, v);
        ployi_plan_put_room(plan, room, u, v);
        self->sides[cell] = piece->cells[i].exits;
        for (int32_t direction = 0; direction < 4; direction++) {
            int32_t next = ployi_plan_beside(plan, cell, direction);
            if (next >= 0 && plan->kinds[next] == PLOY_PLAN_ROOM && plan->owners[next] == room) {
                ployi_plan_join(plan, cell, direction);
            }
        }
    }
    ployi_plan_rooms(plan)[room].value = number;
    return room;
}

// A door from a cell of one piece to the next one.
static ploy_result pieces_link(ploy_pieces *self, int32_t cell, int32_t direction, bool loop) {
    ploy_floor_plan *plan = self->level.plan;
    int32_t next = ployi_plan_beside(plan, cell, direction);
    int32_t from = plan->owners[cell], to = plan->owners[next];
    int32_t link = ployi_plan_add_link(plan, from, to, loop);
    if (link < 0) return PLOY_ERR_MEMORY;
    ployi_plan_join(plan, cell, direction);
    if (ployi_plan_add_door(plan, cell, direction, to, link) < 0) return PLOY_ERR_MEMORY;
    return ployi_plan_add_door(plan, next, 3 - direction, from, link) < 0 ? PLOY_ERR_MEMORY
                                                                          : PLOY_OK;
}

// Opens every side at which the new piece and the one that it grew from both have exits.
static void pieces_merge(ploy_pieces *self, int32_t room, int32_t with) {
    ploy_floor_plan *plan = self->level.plan;
    const ploy_plan_room *it = &ployi_plan_rooms(plan)[room];
    for (int32_t i = 0; i < it->width * it->height; i++) {
        int32_t cell = ployi_plan_cell(plan, it->x + i % it->width, it->y + i / it->width);
        if (plan->kinds[cell] != PLOY_PLAN_ROOM || plan->owners[cell] != room) continue;
        for (int32_t direction = 0; direction < 4; direction++) {
            int32_t next = ployi_plan_beside(plan, cell, direction);
            if (next < 0 || plan->kinds[next] != PLOY_PLAN_ROOM || plan->owners[next] != with)
                continue;
            bool both = (self->sides[cell] >> direction & 1) != 0 &&
                        (self->sides[next] >> (3 - direction) & 1) != 0;
            if (both) ployi_plan_join(plan, cell, direction);
        }
    }
}

// Tries to put a piece so that an exit of it meets the exit of `cell` in direction `way`.
static ploy_backtrack_turn pieces_try(ploy_pieces *self, int32_t cell, int32_t direction,
                                      int32_t number, int32_t turn, int32_t *next) {
    const ploy_piece *piece = &self->pieces[number][turn];
    int32_t x = cell % self->def.width + ployi_plan_dx[direction];
    int32_t y = cell / self->def.width + ployi_plan_dy[direction];
    for (int32_t i = 0; i < piece->cell_count; i++) {
        if ((piece->cells[i].exits >> (3 - direction) & 1) == 0) continue;
        int32_t at_x = x - piece->cells[i].x, at_y = y - piece->cells[i].y;
        const char *reason = pieces_fits(self, piece, at_x, at_y);
        ployi_level_attempt(&self->level, piece->name, self->level.plan->rooms.count, reason);
        if (reason != NULL) continue;
        int32_t parent = self->level.plan->owners[cell];
        *next = pieces_put(self, piece, number, at_x, at_y);
        if (*next < 0) return PLOY_BACKTRACK_FAILED;
        if (pieces_link(self, cell, direction, false) != PLOY_OK) return PLOY_BACKTRACK_FAILED;
        if (self->def.broad) pieces_merge(self, *next, parent);
        return PLOY_BACKTRACK_NEW;
    }
    return PLOY_BACKTRACK_NONE;
}

static ploy_backtrack_turn pieces_connect(void *user, int32_t place, ploy_rng *rng, int32_t *next) {
    ploy_pieces *self = user;
    ploy_floor_plan *plan = self->level.plan;
    const ploy_plan_room room = ployi_plan_rooms(plan)[place];
    int32_t exits[PLOY_PIECE_CELLS * 4], exit_count = 0;
    for (int32_t i = 0; i < room.width * room.height; i++) {
        int32_t cell = ployi_plan_cell(plan, room.x + i % room.width, room.y + i / room.width);
        if (plan->kinds[cell] != PLOY_PLAN_ROOM || plan->owners[cell] != place) continue;
        for (int32_t direction = 0; direction < 4; direction++) {
            int32_t beside = ployi_plan_beside(plan, cell, direction);
            if (beside < 0 || plan->kinds[beside] != PLOY_PLAN_SOLID) continue;
            if ((self->sides[cell] >> direction & 1) != 0)
                exits[exit_count++] = cell * 4 + direction;
        }
    }
    ploy_rng_shuffle(rng, exits, exit_count, sizeof exits[0]);
    for (int32_t e = 0; e < exit_count; e++) {
        // By weight, each once: what was tried has weight 0.
        float weights[PIECES_MOST];
        for (int32_t i = 0; i < self->count; i++) weights[i] = self->pieces[i][0].weight;
        for (int32_t n = 0; n < self->count; n++) {
            int32_t number = ploy_rng_weighted(rng, weights, self->count);
            if (number < 0) break;
            weights[number] = 0.0f;
            int32_t first = ploy_rng_int(rng, 0, 3);
            for (int32_t k = 0; k < 4; k++) {
                ploy_backtrack_turn turn =
                    pieces_try(self, exits[e] / 4, exits[e] % 4, number, (first + k) % 4, next);
                if (turn != PLOY_BACKTRACK_NONE) return turn;
            }
        }
    }
    return PLOY_BACKTRACK_NONE;
}

static bool pieces_enough(void *user, const ploy_backtrack *work) {
    const ploy_pieces *self = user;
    return self->def.pieces > 0 && work->places >= self->def.pieces;
}

// The first piece is put where it fits, in the middle if possible.
static ploy_result pieces_place_first(ploy_pieces *self) {
    int32_t count = self->def.width * self->def.height;
    int32_t middle = self->def.height / 2 * self->def.width + self->def.width / 2;
    int32_t first = ploy_rng_int(&self->rng, 0, self->count - 1);
    for (int32_t n = 0; n < self->count * 4; n++) {
        int32_t number = (first + n / 4) % self->count;
        const ploy_piece *piece = &self->pieces[number][n % 4];
        for (int32_t i = 0; i < count; i++) {
            int32_t cell = (middle + i) % count;
            int32_t x = cell % self->def.width, y = cell / self->def.width;
            if (pieces_fits(self, piece, x, y) != NULL) continue;
            if (pieces_put(self, piece, number, x, y) < 0) return PLOY_ERR_MEMORY;
            return ploy_backtrack_start(&self->work, 0);
        }
    }
    // No piece fits on the map: one cell, because a level has an entrance.
    static const ploy_piece cell = {"cell", 1, 1, {{0, 0, 0}}};
    ployi_level_limit(&self->level, "width");
    if (pieces_put(self, &cell, -1, self->def.width / 2, self->def.height / 2) < 0) {
        return PLOY_ERR_MEMORY;
    }
    return ploy_backtrack_start(&self->work, 0);
}

ploy_result ploy_pieces_begin(const ploy_pieces_def *def, ploy_rng_key key,
                              const ploy_piece *pieces, int32_t count, ploy_trace *trace,
                              const ploy_env *env, ploy_pieces **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    ploy_result result = ploy_fields_check(ploy_pieces_fields(), def, env);
    if (result != PLOY_OK) return result;
    if (pieces == NULL) pieces = ploy_pieces_of((ploy_pieces_set)def->set, &count);
    if (count < 1 || count > PIECES_MOST) return PLOY_ERR_ARGUMENT;
    for (int32_t i = 0; i < count; i++) {
        const char *fault = pieces_fault(&pieces[i]);
        if (fault == NULL) continue;
        char text[96];
        snprintf(text, sizeof text, "invalid piece %d; expected %s", (int)i, fault);
        ploy_env_log(env, PLOY_SEVERITY_ERROR, text);
        return PLOY_ERR_ARGUMENT;
    }
    ploy_pieces *self = ploy_env_alloc_zero(env, sizeof *self);
    if (self == NULL) return PLOY_ERR_MEMORY;
    self->def = *def;
    self->count = count;
    for (int32_t i = 0; i < count; i++) {
        self->pieces[i][0] = pieces[i];
        for (int32_t k = 1; k < 4; k++) self->pieces[i][k] = pieces_turn(&self->pieces[i][k - 1]);
    }
    ploy_backtrack_init(&self->work, env);
    self->work.max_tries = def->max_attempts;
    self->rng = ploy_rng_from_key(ploy_generate_stream(key, "pieces"), 0);
    self->loop_rng = ploy_rng_from_key(ploy_generate_stream(key, "loops"), 0);
    self->level.env = *env;
    result =
        ployi_level_init(&self->level, "pieces", def->width, def->height, true, key, trace, env);
    self->bytes = (size_t)def->width * (size_t)def->height;
    if (result == PLOY_OK) {
        self->sides = ploy_env_alloc_zero(env, self->bytes);
        result = self->sides == NULL ? PLOY_ERR_MEMORY : pieces_place_first(self);
    }
    if (result != PLOY_OK) {
        ploy_pieces_cancel(self);
        return result;
    }
    *out = self;
    return PLOY_OK;
}

void ploy_pieces_cancel(ploy_pieces *self) {
    if (self == NULL) return;
    ploy_env env = self->level.env;
    ploy_backtrack_fini(&self->work);
    ploy_env_free(&env, self->sides, self->bytes);
    ployi_level_fini(&self->level);
    ploy_env_free(&env, self, sizeof *self);
}

static ploy_result pieces_grow(ploy_pieces *self, ploy_budget *budget) {
    ploy_backtrack_places places = {pieces_connect, pieces_enough, self};
    if (pieces_enough(self, &self->work)) return PLOY_OK;
    int64_t before = self->work.tries;
    ploy_result result = ploy_backtrack_step(&self->work, &places, &self->rng, budget);
    self->level.outcome.units += self->work.tries - before;
    if (self->work.out_of_tries) ployi_level_limit(&self->level, "max_attempts");
    return result;
}

// Doors between pieces that face each other with exits but are not joined there.
static ploy_result pieces_add_loops(ploy_pieces *self, ploy_budget *budget) {
    ploy_floor_plan *plan = self->level.plan;
    int32_t count = plan->width * plan->height;
    for (; self->cursor < count && self->def.loops > 0.0f; self->cursor++) {
        if (!ployi_level_spend(&self->level, budget, 1)) return PLOY_IN_PROGRESS;
        for (int32_t direction = 0; direction < 2; direction++) {
            int32_t next = ployi_plan_beside(plan, self->cursor, direction);
            if (next < 0 || plan->kinds[next] == PLOY_PLAN_SOLID) continue;
            if (plan->kinds[self->cursor] == PLOY_PLAN_SOLID) continue;
            if (plan->owners[next] == plan->owners[self->cursor]) continue;
            if ((plan->exits[self->cursor] >> direction & 1) != 0) continue;
            if ((self->sides[self->cursor] >> direction & 1) == 0) continue;
            if ((self->sides[next] >> (3 - direction) & 1) == 0) continue;
            if (!ploy_rng_chance(&self->loop_rng, self->def.loops)) continue;
            ploy_result result = pieces_link(self, self->cursor, direction, true);
            if (result != PLOY_OK) return result;
        }
    }
    return PLOY_OK;
}

ploy_result ploy_pieces_step(ploy_pieces *self, ploy_budget *budget) {
    ploy_result result = PLOY_OK;
    if (self->phase == 0) {
        result = pieces_grow(self, budget);
        if (result != PLOY_OK) return result;
        self->phase = 1;
    }
    if (self->phase == 1) {
        result = pieces_add_loops(self, budget);
        if (result != PLOY_OK) return result;
        self->phase = 2;
    }
    if (self->phase == 2) {
        self->level.outcome.draws =
            ploy_generate_draws(&self->rng) + ploy_generate_draws(&self->loop_rng);
        result = ployi_level_finish(&self->level, &self->def.roles, self->level.plan->rooms.count,
                                    budget);
        if (result != PLOY_OK) return result;
        self->phase = 3;
    }
    return PLOY_OK;
}

void ploy_pieces_describe(const ploy_pieces *self, ploy_describe *out) {
    ploy_floor_plan_describe(self->level.plan, out);
    ploy_describe_i64(out, "overlaps", PLOY_DERIVED, self->overlaps);
    ploy_describe_i64(out, "beyond_the_edge", PLOY_DERIVED, self->beyond);
    ploy_describe_i64(out, "stack_peak", PLOY_DERIVED, self->work.peak);
}

void ploy_pieces_draw(const ploy_pieces *self, ploy_draw *out) {
    ploy_floor_plan_draw(self->level.plan, out);
}

void ploy_pieces_memory(const ploy_pieces *self, ploy_memory_fn fn, void *user) {
    ploy_memory_item item = {"pieces", sizeof *self + self->bytes, 2};
    fn(user, &item);
    ploy_floor_plan_memory(self->level.plan, fn, user);
    ploy_array_memory(&self->work.stack, fn, user);
}

// ---- the front

static ploy_result pieces_front_begin(const void *def, ploy_rng_key key, const ploy_content *input,
                                      ploy_trace *trace, const ploy_env *env, void **out) {
    (void)input;
    ploy_pieces *self = NULL;
    ploy_result result = ploy_pieces_begin(def, key, NULL, 0, trace, env, &self);
    *out = self;
    return result;
}

const ploy_generator_type *ploy_pieces_generator(void) {
    static const ploy_generator_type type = {
        "pieces",
        "rooms and halls from prefabricated pieces with exits",
        "one piece looked for",
        0,
        0,
        PLOY_CONTENT_PLAN,
        PLOYI_GENERATOR_TABLE(pieces),
    };
    return &type;
}
