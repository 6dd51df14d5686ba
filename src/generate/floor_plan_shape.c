// A floor plan as tiles, as rings and as a picture.
#include "ploy/generate/floor_plan.h"

#include "generate/plan_internal.h"

#include <string.h>

ploy_plan_grid ploy_floor_plan_grid(const ploy_floor_plan *plan, int32_t margin) {
    ploy_plan_grid grid;
    if (margin < 0) margin = 0;
    if (margin > 64) margin = 64;
    grid.size = plan->thin ? 0.5f : 1.0f;
    grid.width = (plan->thin ? 2 * plan->width - 1 : plan->width) + 2 * margin;
    grid.height = (plan->thin ? 2 * plan->height - 1 : plan->height) + 2 * margin;
    // A cell's tile is in the middle of the cell, so that points agree between the forms.
    float corner = (plan->thin ? 0.25f : 0.0f) - (float)margin * grid.size;
    grid.origin = ploy_vec2_make(corner, corner);
    return grid;
}

// The tile between two cells, or between four: open between joined cells, and within a room where all
// four are joined.
static uint8_t plan_shape_between(const ploy_floor_plan *plan, int32_t cell, int32_t direction) {
    if ((plan->exits[cell] >> direction & 1) == 0) return PLOY_PLAN_SOLID;
    int32_t next = ployi_plan_beside(plan, cell, direction);
    bool same = plan->kinds[cell] == PLOY_PLAN_ROOM && plan->kinds[next] == PLOY_PLAN_ROOM &&
                plan->owners[cell] == plan->owners[next];
    return same ? PLOY_PLAN_ROOM : PLOY_PLAN_CORRIDOR;
}

static uint8_t plan_shape_post(const ploy_floor_plan *plan, int32_t cell) {
    int32_t right = ployi_plan_beside(plan, cell, 0), up = ployi_plan_beside(plan, cell, 1);
    bool open = plan_shape_between(plan, cell, 0) == PLOY_PLAN_ROOM &&
                plan_shape_between(plan, cell, 1) == PLOY_PLAN_ROOM &&
                plan_shape_between(plan, right, 1) == PLOY_PLAN_ROOM &&
                plan_shape_between(plan, up, 0) == PLOY_PLAN_ROOM;
    return open ? PLOY_PLAN_ROOM : PLOY_PLAN_SOLID;
}

void ploy_floor_plan_tiles(const ploy_floor_plan *plan, int32_t margin, uint8_t *out) {
    ploy_plan_grid grid = ploy_floor_plan_grid(plan, margin);
    int32_t scale = plan->thin ? 2 : 1, w = grid.width;
    margin = (grid.width - (plan->thin ? 2 * plan->width - 1 : plan->width)) / 2;
    memset(out, PLOY_PLAN_SOLID, (size_t)grid.width * (size_t)grid.height);
    for (int32_t y = 0; y < plan->height; y++) {
        for (int32_t x = 0; x < plan->width; x++) {
            int32_t cell = ployi_plan_cell(plan, x, y);
            uint8_t *tile = out + (size_t)(y * scale + margin) * (size_t)w + (x * scale + margin);
            tile[0] = plan->kinds[cell];
            if (!plan->thin) continue;
            if (x + 1 < plan->width) tile[1] = plan_shape_between(plan, cell, 0);
            if (y + 1 < plan->height) tile[w] = plan_shape_between(plan, cell, 1);
            if (x + 1 < plan->width && y + 1 < plan->height) {
                tile[w + 1] = plan_shape_post(plan, cell);
            }
        }
    }
    for (int32_t i = 0; plan->thin && i < plan->doors.count; i++) {
        const ploy_plan_door *door = &ployi_plan_doors(plan)[i];
        int32_t x = 2 * (door->cell % plan->width) + ployi_plan_dx[door->direction] + margin;
        int32_t y = 2 * (door->cell / plan->width) + ployi_plan_dy[door->direction] + margin;
        out[(size_t)y * (size_t)w + (size_t)x] = PLOY_PLAN_DOOR;
    }
}

// ---- rings

typedef struct plan_shape_walk {
    ploy_plan_grid grid;
    const uint8_t *tiles; // with a margin of 1, so that looking outward never leaves the array
    uint8_t *done;        // bit d: the side of the tile below which a walk in direction d began
    ploy_array points;
} plan_shape_walk;

static bool plan_shape_open(const plan_shape_walk *walk, int32_t x, int32_t y) {
    if (x < 0 || y < 0 || x >= walk->grid.width || y >= walk->grid.height) return false;
    return walk->tiles[(size_t)y * (size_t)walk->grid.width + (size_t)x] != PLOY_PLAN_SOLID;
}

// Walks once round an outline with the floor on the left, from corner (x, y) along +x.
//
//     at a corner:  AL AR    ahead left is wall: turn left, so that tiles that touch in a corner
//                    L  R    alone stay apart; ahead right is floor: turn right; otherwise go on
static ploy_result plan_shape_ring(plan_shape_walk *walk, int32_t x0, int32_t y0, ploy_rings *out) {
    static const int32_t turn_left[4] = {1, 3, 0, 2}, turn_right[4] = {2, 0, 3, 1};
    // The tile left of an edge that leaves corner (x, y) in direction d, from the corner.
    static const int32_t left_x[4] = {0, -1, 0, -1}, left_y[4] = {0, 0, -1, -1};
    static const int32_t right_x[4] = {0, 0, -1, -1}, right_y[4] = {-1, 0, -1, 0};
    int32_t x = x0, y = y0, direction = 0;
    ploy_array_clear(&walk->points);
    do {
        int32_t tx = x + left_x[direction], ty = y + left_y[direction];
        uint8_t *done = &walk->done[(size_t)ty * (size_t)walk->grid.width + (size_t)tx];
        *done = (uint8_t)(*done | 1 << direction);
        x += ployi_plan_dx[direction];
        y += ployi_plan_dy[direction];
        int32_t next = direction;
        if (!plan_shape_open(walk, x + left_x[direction], y + left_y[direction])) {
            next = turn_left[direction];
        } else if (plan_shape_open(walk, x + right_x[direction], y + right_y[direction])) {
            next = turn_right[direction];
        }
        if (next != direction) {
            ploy_vec2 point = {walk->grid.origin.x + (float)x * walk->grid.size,
                               walk->grid.origin.y + (float)y * walk->grid.size};
            ploy_result result = ploy_array_push(&walk->points, &point);
            if (result != PLOY_OK) return result;
        }
        direction = next;
    } while (x != x0 || y != y0 || direction != 0);
    return ploy_rings_add(out, walk->points.items, walk->points.count);
}

ploy_result ploy_floor_plan_rings(const ploy_floor_plan *plan, const ploy_env *env,
                                  ploy_rings *out) {
    if (plan == NULL || env == NULL || out == NULL) return PLOY_ERR_ARGUMENT;
    plan_shape_walk walk;
    walk.grid = ploy_floor_plan_grid(plan, 1);
    size_t count = (size_t)walk.grid.width * (size_t)walk.grid.height;
    uint8_t *block = ploy_env_alloc_zero(env, 2 * count);
    if (block == NULL) return PLOY_ERR_MEMORY;
    ploy_floor_plan_tiles(plan, 1, block);
    walk.tiles = block;
    walk.done = block + count;
    ploy_array_init(&walk.points, sizeof(ploy_vec2), env);
    ploy_result result = PLOY_OK;
    for (int32_t y = 1; y < walk.grid.height && result == PLOY_OK; y++) {
        for (int32_t x = 1; x < walk.grid.width && result == PLOY_OK; x++) {
            // Every outline has an edge along +x with wall below it.
            bool edge = plan_shape_open(&walk, x, y) && !plan_shape_open(&walk, x, y - 1);
            if (!edge || (walk.done[(size_t)y * (size_t)walk.grid.width + (size_t)x] & 1) != 0) {
                continue;
            }
            result = plan_shape_ring(&walk, x, y, out);
        }
    }
    ploy_array_fini(&walk.points);
    ploy_env_free(env, block, 2 * count);
    return result;
}

// ---- picture

ploy_vec2 ploy_floor_plan_point(const ploy_floor_plan *plan, int32_t cell) {
    return ploy_vec2_make((float)(cell % plan->width) + 0.5f, (float)(cell / plan->width) + 0.5f);
}

static void plan_shape_box(ploy_draw *out, ploy_layer layer, ploy_style style, float x0, float y0,
                           float x1, float y1, float alpha) {
    ploy_vec2 corners[4] = {{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}};
    ploy_draw_polygon(out, layer, style, ploy_agent_id_none(), corners, 4, alpha);
}

// Runs of one kind along x as one rectangle each.
static void plan_shape_draw_cells(const ploy_floor_plan *plan, ploy_draw *out) {
    for (int32_t y = 0; y < plan->height; y++) {
        const uint8_t *row = plan->kinds + ployi_plan_cell(plan, 0, y);
        for (int32_t x = 0, end; x < plan->width; x = end) {
            for (end = x + 1; end < plan->width && row[end] == row[x];) end++;
            if (row[x] == PLOY_PLAN_SOLID && !plan->thin) {
                plan_shape_box(out, PLOY_LAYER_WORLD, PLOY_STYLE_WALL, (float)x, (float)y,
                               (float)end, (float)(y + 1), 1.0f);
            } else if (row[x] == PLOY_PLAN_ROOM) {
                plan_shape_box(out, PLOY_LAYER_REGIONS, PLOY_STYLE_FLOOR, (float)x, (float)y,
                               (float)end, (float)(y + 1), 1.0f);
            } else if (row[x] == PLOY_PLAN_DOOR) {
                plan_shape_box(out, PLOY_LAYER_REGIONS, PLOY_STYLE_WARNING, (float)x + 0.2f,
                               (float)y + 0.2f, (float)end - 0.2f, (float)(y + 1) - 0.2f, 0.8f);
            }
        }
    }
}

// Thin walls: sides of open cells without an exit, merged along each line of the grid.
static void plan_shape_draw_walls(const ploy_floor_plan *plan, ploy_draw *out) {
    for (int32_t axis = 0; axis < 2; axis++) {
        int32_t lines = axis == 0 ? plan->height : plan->width;
        int32_t length = axis == 0 ? plan->width : plan->height;
        for (int32_t line = 0; line <= lines; line++) {
            int32_t start = -1;
            for (int32_t i = 0; i <= length; i++) {
                bool wall = false;
                if (i < length) {
                    int32_t after = axis == 0 ? line * plan->width + i : i * plan->width + line;
                    int32_t before = after - (axis == 0 ? plan->width : 1);
                    bool open_after = line < lines && plan->kinds[after] != PLOY_PLAN_SOLID;
                    bool open_before = line > 0 && plan->kinds[before] != PLOY_PLAN_SOLID;
                    int32_t direction = axis == 0 ? 1 : 0; // from before to after
                    wall = (open_after || open_before) &&
                           !(open_before && (plan->exits[before] >> direction & 1) != 0);
                }
                if (wall && start < 0) start = i;
                if (!wall && start >= 0) {
                    float a = (float)start, b = (float)i, c = (float)line;
                    ploy_draw_line(out, PLOY_LAYER_WORLD, PLOY_STYLE_WALL, ploy_agent_id_none(),
                                   axis == 0 ? ploy_vec2_make(a, c) : ploy_vec2_make(c, a),
                                   axis == 0 ? ploy_vec2_make(b, c) : ploy_vec2_make(c, b));
                    start = -1;
                }
            }
        }
    }
}

// A word on a plate, so that it can be read over walls too. Letters are about 1 m wide at the usual scale.
static void plan_shape_draw_label(ploy_vec2 at, const char *text, ploy_draw *out) {
    float width = (float)strlen(text) + 0.3f;
    ploy_vec2 corners[4] = {{at.x - 0.3f, at.y - 0.5f},
                            {at.x + width, at.y - 0.5f},
                            {at.x + width, at.y + 1.1f},
                            {at.x - 0.3f, at.y + 1.1f}};
    ploy_draw_polygon(out, PLOY_LAYER_REGIONS, PLOY_STYLE_FLOOR, ploy_agent_id_none(), corners, 4,
                      0.9f);
    ploy_draw_text(out, ploy_agent_id_none(), at, text);
}

void ploy_floor_plan_draw(const ploy_floor_plan *plan, ploy_draw *out) {
    ploy_draw_key(out, PLOY_STYLE_WARNING, "doors");
    ploy_draw_key(out, PLOY_STYLE_BAD, "locked doors");
    ploy_draw_key(out, PLOY_STYLE_AGENT_D, "keys");
    ploy_draw_key(out, PLOY_STYLE_GOOD, "entrance");
    ploy_draw_key(out, PLOY_STYLE_TARGET, "exit");
    ploy_draw_key(out, PLOY_STYLE_GHOST, "links between rooms");
    ploy_draw_key(out, PLOY_STYLE_PATH, "links that make a loop");
    plan_shape_draw_cells(plan, out);
    if (plan->thin) plan_shape_draw_walls(plan, out);
    ploy_agent_id none = ploy_agent_id_none();
    const ploy_plan_room *rooms = ployi_plan_rooms(plan);
    for (int32_t i = 0; i < plan->links.count; i++) {
        const ploy_plan_link *link = &PLOY_ARRAY_ITEMS(&plan->links, ploy_plan_link)[i];
        if (rooms[link->from].cell < 0 || rooms[link->to].cell < 0) continue;
        ploy_draw_line(out, PLOY_LAYER_PATHS, link->loop ? PLOY_STYLE_PATH : PLOY_STYLE_GHOST, none,
                       ploy_floor_plan_point(plan, rooms[link->from].cell),
                       ploy_floor_plan_point(plan, rooms[link->to].cell));
    }
    for (int32_t i = 0; i < plan->doors.count; i++) {
        const ploy_plan_door *door = &ployi_plan_doors(plan)[i];
        ploy_vec2 at = ploy_floor_plan_point(plan, door->cell);
        if (plan->thin) {
            at.x += 0.5f * (float)ployi_plan_dx[door->direction];
            at.y += 0.5f * (float)ployi_plan_dy[door->direction];
        }
        if (door->lock >= 0) {
            ploy_draw_disc(out, PLOY_LAYER_REGIONS, PLOY_STYLE_BAD, none, at, 0.4f, 1.0f);
        } else if (plan->thin) {
            ploy_draw_disc(out, PLOY_LAYER_REGIONS, PLOY_STYLE_WARNING, none, at, 0.15f, 0.8f);
        }
    }
    for (int32_t i = 0; i < plan->rooms.count; i++) {
        if (rooms[i].role <= PLOY_PLAN_ROLE_EXIT || rooms[i].cell < 0) continue;
        plan_shape_draw_label(ploy_floor_plan_point(plan, rooms[i].cell),
                              ploy_plan_role_text(rooms[i].role), out);
    }
    for (int32_t i = 0; i < plan->locks.count; i++) {
        const ploy_plan_lock *lock = &PLOY_ARRAY_ITEMS(&plan->locks, ploy_plan_lock)[i];
        ploy_draw_disc(out, PLOY_LAYER_AGENTS, PLOY_STYLE_AGENT_D, none,
                       ploy_floor_plan_point(plan, lock->key_cell), 0.35f, 1.0f);
    }
    if (plan->entrance >= 0) {
        ploy_draw_disc(out, PLOY_LAYER_AGENTS, PLOY_STYLE_GOOD, none,
                       ploy_floor_plan_point(plan, plan->entrance), 0.4f, 1.0f);
    }
    if (plan->exit >= 0) {
        ploy_draw_disc(out, PLOY_LAYER_AGENTS, PLOY_STYLE_TARGET, none,
                       ploy_floor_plan_point(plan, plan->exit), 0.4f, 1.0f);
    }
}
