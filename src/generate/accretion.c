// Levels that grow room by room; see the header.
//
// Phases: 0 rooms, 1 loops, 2 finishing, 3 done.
#include "ploy/generate/accretion.h"

#include "generate/plan_internal.h"

#include <string.h>

enum { ACCRETION_SIDE = 32, ACCRETION_LOOKS = 64 }; // largest room; walls looked at for each try

static const ploy_field accretion_fields[] = {
    PLOY_FIELD_I32(ploy_accretion_def, width, 64, 5, 512, "", "cells along x"),
    PLOY_FIELD_I32(ploy_accretion_def, height, 48, 5, 512, "", "cells along y"),
    PLOY_FIELD_I32(ploy_accretion_def, rooms, 0, 0, 4096, "", "stop at this number; 0: all tries"),
    PLOY_FIELD_I32(ploy_accretion_def, room_min, 3, 1, ACCRETION_SIDE, "",
                   "shortest side of a room"),
    PLOY_FIELD_I32(ploy_accretion_def, room_max, 9, 1, ACCRETION_SIDE, "",
                   "longest side of a room"),
    PLOY_FIELD_F32(ploy_accretion_def, cross, 0.25f, 0, 1, "", "share of crosses"),
    PLOY_FIELD_F32(ploy_accretion_def, round, 0.15f, 0, 1, "", "share of round rooms"),
    PLOY_FIELD_F32(ploy_accretion_def, corridor, 0.3f, 0, 1, "", "chance of a corridor"),
    PLOY_FIELD_I32(ploy_accretion_def, corridor_max, 6, 1, 32, "", "longest corridor"),
    PLOY_FIELD_I32(ploy_accretion_def, loop_detour, 24, 2, 4096, "", "shortest detour that is cut"),
    PLOY_FIELD_I32(ploy_accretion_def, loops, 8, 0, 1024, "", "most loops"),
    PLOY_FIELD_I32(ploy_accretion_def, max_attempts, 600, 1, 10000, "", "limit of tries for rooms"),
    PLOY_FIELD_DEF(ploy_accretion_def, roles, ploy_plan_roles_fields,
                   "roles of rooms, locks and keys"),
};

typedef struct accretion_shape {
    int32_t kind, width, height;
    uint8_t open[ACCRETION_SIDE][ACCRETION_SIDE];
} accretion_shape;

struct ploy_accretion {
    ployi_level level;
    ploy_accretion_def def;
    int32_t phase, cursor, loops;
    ploy_rng rng;
    int32_t no_wall, no_space;
    accretion_shape shape;
};

ploy_fields ploy_accretion_fields(void) {
    return PLOY_FIELDS(ploy_accretion_def, accretion_fields);
}

PLOYI_LEVEL_FUNCTIONS(accretion)

// ---- shapes

static void accretion_fill(accretion_shape *shape, int32_t x, int32_t y, int32_t width,
                           int32_t height) {
    for (int32_t v = y; v < y + height; v++) memset(&shape->open[v][x], 1, (size_t)width);
}

static void accretion_make_shape(ploy_accretion *self) {
    accretion_shape *shape = &self->shape;
    ploy_rng *rng = &self->rng;
    int32_t least = self->def.room_min, most = self->def.room_max;
    shape->kind = 0;
    shape->width = ploy_rng_int(rng, least, most);
    shape->height = ploy_rng_int(rng, least, most);
    memset(shape->open, 0, (size_t)shape->height * ACCRETION_SIDE);
    float draw = ploy_rng_float(rng);
    if (draw < self->def.cross && shape->width > 2 && shape->height > 2) {
        shape->kind = 1; // a bar along each axis
        int32_t thick_x = ploy_rng_int(rng, 1, shape->width - 2);
        int32_t thick_y = ploy_rng_int(rng, 1, shape->height - 2);
        accretion_fill(shape, ploy_rng_int(rng, 0, shape->width - thick_x), 0, thick_x,
                       shape->height);
        accretion_fill(shape, 0, ploy_rng_int(rng, 0, shape->height - thick_y), shape->width,
                       thick_y);
    } else if (draw < self->def.cross + self->def.round && shape->width > 2) {
        shape->kind = 2; // cells whose middle is within the circle of the shorter side
        int32_t side = shape->width < shape->height ? shape->width : shape->height;
        shape->width = shape->height = side;
        for (int32_t i = 0; i < side * side; i++) {
            int32_t dx = 2 * (i % side) + 1 - side, dy = 2 * (i / side) + 1 - side;
            shape->open[i / side][i % side] = dx * dx + dy * dy <= side * side;
        }
    } else {
        accretion_fill(shape, 0, 0, shape->width, shape->height);
    }
}

static bool accretion_is_open(const accretion_shape *shape, int32_t x, int32_t y) {
    return x >= 0 && y >= 0 && x < shape->width && y < shape->height && shape->open[y][x] != 0;
}

// True if all cells of the shape and the eight around each are rock, inside the rim.
static bool accretion_fits(const ploy_accretion *self, int32_t x, int32_t y) {
    const ploy_floor_plan *plan = self->level.plan;
    const accretion_shape *shape = &self->shape;
    if (x < 1 || y < 1 || x + shape->width > plan->width - 1 ||
        y + shape->height > plan->height - 1) {
        return false;
    }
    for (int32_t v = 0; v < shape->height; v++) {
        for (int32_t u = 0; u < shape->width; u++) {
            if (!shape->open[v][u]) continue;
            for (int32_t dy = -1; dy <= 1; dy++) {
                const uint8_t *row = plan->kinds + ployi_plan_cell(plan, x + u, y + v + dy);
                if ((row[-1] | row[0] | row[1]) != PLOY_PLAN_SOLID) return false;
            }
        }
    }
    return true;
}

static int32_t accretion_put(ploy_accretion *self, int32_t x, int32_t y) {
    int32_t room = ployi_plan_add_room(self->level.plan);
    if (room < 0) return -1;
    for (int32_t v = 0; v < self->shape.height; v++) {
        for (int32_t u = 0; u < self->shape.width; u++) {
            if (self->shape.open[v][u]) ployi_plan_put_room(self->level.plan, room, x + u, y + v);
        }
    }
    ployi_plan_rooms(self->level.plan)[room].value = self->shape.kind;
    return room;
}

ploy_result ploy_accretion_begin(const ploy_accretion_def *def, ploy_rng_key key, ploy_trace *trace,
                                 const ploy_env *env, ploy_accretion **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    ploy_result result = ploy_fields_check(ploy_accretion_fields(), def, env);
    if (result != PLOY_OK) return result;
    ploy_accretion *self = ploy_env_alloc_zero(env, sizeof *self);
    if (self == NULL) return PLOY_ERR_MEMORY;
    self->def = *def;
    int32_t most = (def->width < def->height ? def->width : def->height) - 2;
    if (self->def.room_min > most) self->def.room_min = most;
    if (self->def.room_max > most) self->def.room_max = most;
    if (self->def.room_max < self->def.room_min) self->def.room_max = self->def.room_min;
    self->rng = ploy_rng_from_key(ploy_generate_stream(key, "rooms"), 0);
    self->level.env = *env;
    result = ployi_level_init(&self->level, "accretion", def->width, def->height, false, key, trace,
                              env);
    if (result == PLOY_OK) {
        accretion_make_shape(self);
        if (accretion_put(self, (def->width - self->shape.width) / 2,
                          (def->height - self->shape.height) / 2) < 0) {
            result = PLOY_ERR_MEMORY;
        }
    }
    if (result != PLOY_OK) {
        ploy_accretion_cancel(self);
        return result;
    }
    *out = self;
    return PLOY_OK;
}

void ploy_accretion_cancel(ploy_accretion *self) {
    if (self == NULL) return;
    ploy_env env = self->level.env;
    ployi_level_fini(&self->level);
    ploy_env_free(&env, self, sizeof *self);
}

// ---- rooms

// A random wall behind which is a room, and in front of which is rock. Returns the cell, or -1.
static int32_t accretion_find_wall(ploy_accretion *self, int32_t *direction) {
    const ploy_floor_plan *plan = self->level.plan;
    for (int32_t n = 0; n < ACCRETION_LOOKS; n++) {
        int32_t x = ploy_rng_int(&self->rng, 1, plan->width - 2);
        int32_t y = ploy_rng_int(&self->rng, 1, plan->height - 2);
        int32_t cell = ployi_plan_cell(plan, x, y), open = 0;
        if (plan->kinds[cell] != PLOY_PLAN_SOLID) continue;
        for (int32_t k = 0; k < 4; k++) {
            int32_t next = ployi_plan_beside(plan, cell, k);
            open += plan->kinds[next] != PLOY_PLAN_SOLID;
            if (plan->kinds[next] == PLOY_PLAN_ROOM) *direction = 3 - k;
        }
        int32_t back = ployi_plan_beside(plan, cell, 3 - *direction);
        if (open == 1 && plan->kinds[back] == PLOY_PLAN_ROOM) return cell;
    }
    return -1;
}

// A corridor's cells beyond the door, and those beside them, are rock.
static bool accretion_corridor_fits(const ploy_floor_plan *plan, int32_t x, int32_t y,
                                    int32_t direction, int32_t length) {
    int32_t side_x = ployi_plan_dy[direction], side_y = ployi_plan_dx[direction];
    for (int32_t i = 0; i < length; i++) {
        x += ployi_plan_dx[direction];
        y += ployi_plan_dy[direction];
        for (int32_t k = -1; k <= 1; k++) {
            int32_t u = x + k * side_x, v = y + k * side_y;
            if (u < 1 || v < 1 || u > plan->width - 2 || v > plan->height - 2) return false;
            if (plan->kinds[ployi_plan_cell(plan, u, v)] != PLOY_PLAN_SOLID) return false;
        }
    }
    return true;
}

// A cell of the shape's rim that faces back, at random, as the offset of the shape's corner.
static bool accretion_face(ploy_accretion *self, int32_t direction, int32_t *at_x, int32_t *at_y) {
    const accretion_shape *shape = &self->shape;
    int32_t count = 0;
    for (int32_t y = 0; y < shape->height; y++) {
        for (int32_t x = 0; x < shape->width; x++) {
            if (!shape->open[y][x]) continue;
            if (accretion_is_open(shape, x - ployi_plan_dx[direction],
                                  y - ployi_plan_dy[direction]))
                continue;
            count++;
            if (ploy_rng_int(&self->rng, 1, count) == 1) { // each with the same chance
                *at_x = x;
                *at_y = y;
            }
        }
    }
    return count > 0;
}

static ploy_result accretion_attach(ploy_accretion *self, int32_t wall, int32_t direction,
                                    int32_t length, int32_t x, int32_t y) {
    ploy_floor_plan *plan = self->level.plan;
    int32_t back = ployi_plan_beside(plan, wall, 3 - direction), old = plan->owners[back];
    int32_t room = accretion_put(self, x, y);
    if (room < 0) return PLOY_ERR_MEMORY;
    int32_t link = ployi_plan_add_link(plan, old, room, false), last = wall;
    if (link < 0) return PLOY_ERR_MEMORY;
    for (int32_t i = 0; i < length; i++) {
        last = ployi_plan_beside(plan, last, direction);
        plan->kinds[last] = PLOY_PLAN_CORRIDOR;
        plan->owners[last] = link;
    }
    PLOY_ARRAY_ITEMS(&plan->links, ploy_plan_link)[link].length = length + 1;
    if (ployi_plan_add_door(plan, wall, 3 - direction, old, link) < 0) return PLOY_ERR_MEMORY;
    return ployi_plan_add_door(plan, last, direction, room, link) < 0 ? PLOY_ERR_MEMORY : PLOY_OK;
}

static ploy_result accretion_try(ploy_accretion *self) {
    int32_t direction = 0, wall = accretion_find_wall(self, &direction), x = 0, y = 0, length = 0;
    if (wall >= 0) accretion_make_shape(self);
    if (ploy_rng_chance(&self->rng, self->def.corridor)) {
        length = ploy_rng_int(&self->rng, 1, self->def.corridor_max);
    }
    const char *reason = NULL;
    if (wall < 0 || !accretion_face(self, direction, &x, &y)) {
        reason = "no wall to attach to";
        self->no_wall++;
    } else {
        int32_t door_x = wall % self->def.width, door_y = wall / self->def.width;
        x = door_x + (length + 1) * ployi_plan_dx[direction] - x;
        y = door_y + (length + 1) * ployi_plan_dy[direction] - y;
        if (!accretion_corridor_fits(self->level.plan, door_x, door_y, direction, length) ||
            !accretion_fits(self, x, y)) {
            reason = "no space behind the wall";
            self->no_space++;
        }
    }
    ployi_level_attempt(&self->level, "room", self->level.plan->rooms.count, reason);
    return reason != NULL ? PLOY_OK : accretion_attach(self, wall, direction, length, x, y);
}

// ---- loops

// Steps from one cell to another over open cells, up to `most`; -1 if it is farther.
static int32_t accretion_detour(ploy_floor_plan *plan, int32_t from, int32_t to, int32_t most) {
    int32_t head = 0, tail = 0, found = -1;
    plan->queue[tail++] = from;
    plan->distances[from] = 0;
    while (head < tail && found < 0) {
        int32_t cell = plan->queue[head++];
        if (cell == to) found = plan->distances[cell];
        if (plan->distances[cell] >= most) continue;
        for (int32_t direction = 0; direction < 4; direction++) {
            int32_t next = ployi_plan_beside(plan, cell, direction);
            if (next < 0 || plan->kinds[next] == PLOY_PLAN_SOLID || plan->distances[next] >= 0)
                continue;
            plan->distances[next] = plan->distances[cell] + 1;
            plan->queue[tail++] = next;
        }
    }
    for (int32_t i = 0; i < tail; i++) plan->distances[plan->queue[i]] = -1;
    return found;
}

static ploy_result accretion_add_loops(ploy_accretion *self, ploy_budget *budget) {
    ploy_floor_plan *plan = self->level.plan;
    int32_t count = plan->width * plan->height;
    for (; self->cursor < count && self->loops < self->def.loops; self->cursor++) {
        int32_t cell = self->cursor, x = cell % plan->width, y = cell / plan->width;
        if (plan->kinds[cell] != PLOY_PLAN_SOLID) continue;
        if (x < 1 || y < 1 || x >= plan->width - 1 || y >= plan->height - 1) continue;
        for (int32_t direction = 0; direction < 2; direction++) {
            int32_t a = ployi_plan_beside(plan, cell, direction),
                    b = ployi_plan_beside(plan, cell, 3 - direction);
            int32_t side = ployi_plan_beside(plan, cell, 1 - direction);
            int32_t other = ployi_plan_beside(plan, cell, 2 + direction);
            if (plan->kinds[a] != PLOY_PLAN_ROOM || plan->kinds[b] != PLOY_PLAN_ROOM) continue;
            if (plan->kinds[side] != PLOY_PLAN_SOLID || plan->kinds[other] != PLOY_PLAN_SOLID)
                continue;
            if (plan->owners[a] == plan->owners[b]) continue;
            if (!ployi_level_spend(&self->level, budget, 1)) return PLOY_IN_PROGRESS;
            if (accretion_detour(plan, a, b, self->def.loop_detour - 1) >= 0) continue;
            int32_t link = ployi_plan_add_link(plan, plan->owners[a], plan->owners[b], true);
            if (link < 0) return PLOY_ERR_MEMORY;
            PLOY_ARRAY_ITEMS(&plan->links, ploy_plan_link)[link].length = 1;
            if (ployi_plan_add_door(plan, cell, direction, plan->owners[a], link) < 0 ||
                ployi_plan_add_door(plan, cell, 3 - direction, plan->owners[b], link) < 0) {
                return PLOY_ERR_MEMORY;
            }
            self->loops++;
            break;
        }
    }
    return PLOY_OK;
}

ploy_result ploy_accretion_step(ploy_accretion *self, ploy_budget *budget) {
    ploy_result result = PLOY_OK;
    for (; self->phase == 0; self->cursor++) {
        bool enough = self->def.rooms > 0 && self->level.plan->rooms.count >= self->def.rooms;
        if (enough || self->cursor >= self->def.max_attempts) {
            if (!enough && self->def.rooms > 0) ployi_level_limit(&self->level, "max_attempts");
            self->phase = 1;
            self->cursor = 0;
            break;
        }
        if (!ployi_level_spend(&self->level, budget, 1)) return PLOY_IN_PROGRESS;
        result = accretion_try(self);
        if (result != PLOY_OK) return result;
    }
    if (self->phase == 1) {
        result = accretion_add_loops(self, budget);
        if (result != PLOY_OK) return result;
        self->phase = 2;
    }
    if (self->phase == 2) {
        self->level.outcome.draws = ploy_generate_draws(&self->rng);
        result = ployi_level_finish(&self->level, &self->def.roles, self->level.plan->rooms.count,
                                    budget);
        if (result != PLOY_OK) return result;
        self->phase = 3;
    }
    return PLOY_OK;
}

void ploy_accretion_describe(const ploy_accretion *self, ploy_describe *out) {
    ploy_floor_plan_describe(self->level.plan, out);
    ploy_describe_i64(out, "no_wall", PLOY_DERIVED, self->no_wall);
    ploy_describe_i64(out, "no_space", PLOY_DERIVED, self->no_space);
}

void ploy_accretion_draw(const ploy_accretion *self, ploy_draw *out) {
    ploy_floor_plan_draw(self->level.plan, out);
}

void ploy_accretion_memory(const ploy_accretion *self, ploy_memory_fn fn, void *user) {
    ploy_memory_item item = {"accretion", sizeof *self, 1};
    fn(user, &item);
    ploy_floor_plan_memory(self->level.plan, fn, user);
}

// ---- the front

PLOYI_LEVEL_FRONT(accretion, "rooms attached to each other one by one, with loops",
                  "one try for a room, or one wall looked at")
