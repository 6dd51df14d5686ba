// Mazes: settings, rooms planned beforehand, braiding, finishing. The methods are in maze_grow.c.
//
// Phases: 0 rooms are planned (all methods but backtracking), 1 the maze grows, 2 dead ends are
// joined, 3 the plan is finished, 4 done.
#include "ploy/generate/maze.h"

#include "generate/maze_internal.h"

#include <string.h>

static const char *const maze_methods[] = {"backtrack", "wilson", "prim", "kruskal"};
static const char *const maze_walls[] = {"thin", "expand", "reject"};
static const char *const maze_starts[] = {"corner", "centre", "random"};

static const ploy_field maze_fields[] = {
    PLOY_FIELD_I32(ploy_maze_def, width, 24, 1, 512, "", "cells along x"),
    PLOY_FIELD_I32(ploy_maze_def, height, 16, 1, 512, "", "cells along y"),
    PLOY_FIELD_ENUM(ploy_maze_def, method, 0, maze_methods, "how the tree is made"),
    PLOY_FIELD_ENUM(ploy_maze_def, walls, 0, maze_walls, "between cells, or cells themselves"),
    PLOY_FIELD_ENUM(ploy_maze_def, start, 0, maze_starts, "where the maze begins"),
    PLOY_FIELD_F32(ploy_maze_def, blocked, 0, 0, 0.5f, "", "share of cells blocked at random"),
    PLOY_FIELD_F32(ploy_maze_def, braid, 0, 0, 1, "", "chance that a dead end becomes a loop"),
    PLOY_FIELD_I32(ploy_maze_def, rooms, 0, 0, 256, "", "most rooms"),
    PLOY_FIELD_F32(ploy_maze_def, room_chance, 0.1f, 0, 1, "", "chance that a try places a room"),
    PLOY_FIELD_I32(ploy_maze_def, room_min, 2, 1, 16, "", "shortest side of a room"),
    PLOY_FIELD_I32(ploy_maze_def, room_max, 4, 1, 16, "", "longest side of a room"),
    PLOY_FIELD_BOOL(ploy_maze_def, rooms_lead_on, false, "the maze continues from rooms"),
    PLOY_FIELD_I32(ploy_maze_def, max_cells, 0, 0, 1 << 18, "", "stop at this number of places"),
    PLOY_FIELD_I32(ploy_maze_def, max_dead_ends, 0, 0, 1 << 18, "",
                   "stop at this number of dead ends"),
    PLOY_FIELD_BOOL(ploy_maze_def, stop_with_rooms, false, "stop when all rooms are placed"),
    PLOY_FIELD_I32(ploy_maze_def, max_attempts, 100000000, 1, 1000000000, "", "limit of units"),
    PLOY_FIELD_DEF(ploy_maze_def, roles, ploy_plan_roles_fields, "roles of rooms, locks and keys"),
};

ploy_fields ploy_maze_fields(void) {
    return PLOY_FIELDS(ploy_maze_def, maze_fields);
}

PLOYI_LEVEL_FUNCTIONS(maze)

int32_t ployi_maze_beside(const ploy_maze *maze, int32_t cell, int32_t direction) {
    int32_t x = cell % maze->def.width + ployi_plan_dx[direction];
    int32_t y = cell / maze->def.width + ployi_plan_dy[direction];
    bool holds = x >= 0 && y >= 0 && x < maze->def.width && y < maze->def.height;
    return holds ? y * maze->def.width + x : -1;
}

int32_t ployi_maze_plan_cell(const ploy_maze *maze, int32_t cell) {
    return maze->plan_cells[cell];
}

ploy_result ployi_maze_place_room(ploy_maze *maze, int32_t x, int32_t y, int32_t width,
                                  int32_t height) {
    int32_t s = maze->scale;
    int32_t number = ployi_plan_add_rectangle(maze->level.plan, x * s, y * s, (width - 1) * s + 1,
                                              (height - 1) * s + 1);
    if (number < 0) return PLOY_ERR_MEMORY;
    for (int32_t v = y; v < y + height; v++) {
        for (int32_t u = x; u < x + width; u++) maze->state[v * maze->def.width + u] = MAZE_USED;
    }
    maze->placed++;
    return PLOY_OK;
}

ploy_result ployi_maze_enter(ploy_maze *maze, int32_t cell) {
    maze->level.outcome.count = ++maze->cells;
    if (maze->room_of[cell] >= 0) {
        maze_room *room = &PLOY_ARRAY_ITEMS(&maze->rooms, maze_room)[maze->room_of[cell]];
        room->number = maze->level.plan->rooms.count;
        return ployi_maze_place_room(maze, room->x, room->y, room->width, room->height);
    }
    maze->state[cell] = MAZE_USED;
    maze->level.plan->kinds[ployi_maze_plan_cell(maze, cell)] = PLOY_PLAN_CORRIDOR;
    return PLOY_OK;
}

ploy_result ployi_maze_link(ploy_maze *maze, int32_t cell, int32_t direction) {
    ploy_floor_plan *plan = maze->level.plan;
    int32_t next = ployi_maze_beside(maze, cell, direction);
    if (maze->level.trace != NULL) {
        ploy_trace_begin(maze->level.trace, ploy_agent_id_none(), "passage",
                         maze_methods[maze->def.method]);
        ploy_trace_i64(maze->level.trace, "from", cell);
        ploy_trace_i64(maze->level.trace, "to", next);
        ploy_trace_end(maze->level.trace);
    }
    maze->exits[cell] = (uint8_t)(maze->exits[cell] | 1 << direction);
    maze->exits[next] = (uint8_t)(maze->exits[next] | 1 << (3 - direction));
    int32_t from = ployi_maze_plan_cell(maze, cell), to = ployi_maze_plan_cell(maze, next);
    int32_t middle = from + ployi_plan_dx[direction] + ployi_plan_dy[direction] * plan->width;
    if (maze->def.walls == PLOY_MAZE_THIN) ployi_plan_join(plan, from, direction);
    if (maze->def.walls == PLOY_MAZE_EXPAND) plan->kinds[middle] = PLOY_PLAN_CORRIDOR;
    bool room_to = plan->kinds[to] == PLOY_PLAN_ROOM,
         room_from = plan->kinds[from] == PLOY_PLAN_ROOM;
    int32_t link = -1;
    if (room_to && room_from) { // side by side: a link, so that the graph of rooms shows it
        link = ployi_plan_add_link(plan, plan->owners[from], plan->owners[to], false);
        if (link < 0) return PLOY_ERR_MEMORY;
    }
    // With rejected walls a door is the cell beside the room, which is the maze's own.
    int32_t front = maze->def.walls == PLOY_MAZE_EXPAND ? middle : from;
    int32_t back = maze->def.walls == PLOY_MAZE_EXPAND ? middle : to;
    if (room_to && ployi_plan_add_door(plan, front, direction, plan->owners[to], link) < 0) {
        return PLOY_ERR_MEMORY;
    }
    if (room_from && ployi_plan_add_door(plan, back, 3 - direction, plan->owners[from], link) < 0) {
        return PLOY_ERR_MEMORY;
    }
    return PLOY_OK;
}

static void maze_block(ploy_maze *maze, const uint8_t *blocked) {
    ploy_rng rng = ploy_rng_from_key(ploy_generate_stream(maze->level.key, "blocked"), 0);
    int32_t count = maze->def.width * maze->def.height;
    for (int32_t i = 0; i < count; i++) {
        bool hit = maze->def.blocked > 0.0f && ploy_rng_chance(&rng, maze->def.blocked);
        if (hit || (blocked != NULL && blocked[i] != 0)) maze->state[i] = MAZE_BLOCKED;
    }
    int32_t start = 0;
    if (maze->def.start == PLOY_MAZE_CENTRE) {
        start = maze->def.height / 2 * maze->def.width + maze->def.width / 2;
    } else if (maze->def.start == PLOY_MAZE_RANDOM) {
        start = (int32_t)ploy_rng_below(&rng, (uint64_t)count);
    }
    // The next free cell; if all are blocked, the start is opened, because a level has an entrance.
    maze->start = start;
    for (int32_t i = 0; i < count; i++) {
        if (maze->state[(start + i) % count] != MAZE_BLOCKED) {
            maze->start = (start + i) % count;
            break;
        }
    }
    maze->state[maze->start] = MAZE_FREE;
    maze->level.outcome.draws += ploy_generate_draws(&rng);
}

// Cuts the block into its arrays and fills those that follow from the size.
static void maze_index(ploy_maze *maze, size_t count) {
    int32_t w = maze->def.width, h = maze->def.height;
    maze->parents = maze->block;
    maze->room_of = maze->parents + count;
    maze->plan_cells = maze->room_of + count;
    maze->exits = (uint8_t *)(maze->plan_cells + count);
    maze->sides = maze->exits + count + w + 1;
    maze->state = maze->sides + count + w + 1;
    memset(maze->room_of, 0xFF, count * sizeof(int32_t));
    memset(maze->exits, 0, count + (size_t)w + 1);
    memset(maze->sides + count, 0, count + 2 * ((size_t)w + 1));
    for (int32_t y = 0; y < h; y++) {
        int32_t first = y * w, rows = (y + 1 < h ? 2 : 0) | (y > 0 ? 4 : 0);
        memset(maze->sides + first, rows | 1 | 8, (size_t)w);
        maze->sides[first] = (uint8_t)(maze->sides[first] & ~8);
        maze->sides[first + w - 1] = (uint8_t)(maze->sides[first + w - 1] & ~1);
        int32_t plan_first = y * maze->scale * maze->level.plan->width;
        for (int32_t x = 0; x < w; x++) maze->plan_cells[first + x] = plan_first + x * maze->scale;
    }
}

ploy_result ploy_maze_begin(const ploy_maze_def *def, ploy_rng_key key, const uint8_t *blocked,
                            ploy_trace *trace, const ploy_env *env, ploy_maze **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    ploy_result result = ploy_fields_check(ploy_maze_fields(), def, env);
    if (result != PLOY_OK) return result;
    ploy_maze *maze = ploy_env_alloc_zero(env, sizeof *maze);
    if (maze == NULL) return PLOY_ERR_MEMORY;
    maze->def = *def;
    if (def->room_max < def->room_min) maze->def.room_max = def->room_min;
    maze->scale = def->walls == PLOY_MAZE_EXPAND ? 2 : 1;
    ploy_backtrack_init(&maze->work, env);
    ploy_array_init(&maze->rooms, sizeof(maze_room), env);
    ploy_heap_init(&maze->heap, 4, env);
    int32_t width = (def->width - 1) * maze->scale + 1,
            height = (def->height - 1) * maze->scale + 1;
    result = ployi_level_init(&maze->level, "maze", width, height, def->walls == PLOY_MAZE_THIN,
                              key, trace, env);
    size_t count = (size_t)def->width * (size_t)def->height;
    if (result == PLOY_OK) {
        maze->bytes = count * 15 + 3 * ((size_t)def->width + 1);
        maze->block = ploy_env_alloc(env, maze->bytes);
        if (maze->block == NULL) result = PLOY_ERR_MEMORY;
    }
    if (result != PLOY_OK) {
        maze->level.env = *env;
        ploy_maze_cancel(maze);
        return result;
    }
    maze_index(maze, count);
    maze->rng = ploy_rng_from_key(ploy_generate_stream(key, "maze"), 0);
    maze->room_rng = ploy_rng_from_key(ploy_generate_stream(key, "rooms"), 0);
    maze->costs = ploy_generate_stream(key, "costs");
    maze->walk = -1;
    maze->work.max_tries = def->max_attempts;
    if (maze->def.walls == PLOY_MAZE_REJECT) maze->def.method = PLOY_MAZE_BACKTRACK;
    maze_block(maze, blocked);
    if (maze->def.method == PLOY_MAZE_BACKTRACK) {
        maze->phase = 1;
        result = ployi_maze_grow_begin(maze);
        if (result != PLOY_OK) {
            ploy_maze_cancel(maze);
            return result;
        }
    }
    *out = maze;
    return PLOY_OK;
}

void ploy_maze_cancel(ploy_maze *maze) {
    if (maze == NULL) return;
    ploy_env env = maze->level.env;
    ploy_backtrack_fini(&maze->work);
    ploy_array_fini(&maze->rooms);
    ploy_heap_fini(&maze->heap);
    ploy_env_free(&env, maze->block, maze->bytes);
    ployi_level_fini(&maze->level);
    ploy_env_free(&env, maze, sizeof *maze);
}

// Phase 0: rooms for the methods that take them as one node. Each room has a few tries.
static ploy_result maze_plan_rooms(ploy_maze *maze, ploy_budget *budget) {
    while (maze->cursor < maze->def.rooms * 8 && maze->rooms.count < maze->def.rooms) {
        if (!ployi_level_spend(&maze->level, budget, 1)) return PLOY_IN_PROGRESS;
        maze->cursor++;
        maze_room room = {0,
                          0,
                          ploy_rng_int(&maze->room_rng, maze->def.room_min, maze->def.room_max),
                          ploy_rng_int(&maze->room_rng, maze->def.room_min, maze->def.room_max),
                          0,
                          -1};
        const char *reason = NULL;
        if (room.width > maze->def.width || room.height > maze->def.height) {
            reason = "larger than the maze";
        } else {
            room.x = ploy_rng_int(&maze->room_rng, 0, maze->def.width - room.width);
            room.y = ploy_rng_int(&maze->room_rng, 0, maze->def.height - room.height);
        }
        for (int32_t i = 0; reason == NULL && i < room.width * room.height; i++) {
            int32_t cell = (room.y + i / room.width) * maze->def.width + room.x + i % room.width;
            if (maze->state[cell] == MAZE_BLOCKED) reason = "on a blocked cell";
            if (maze->state[cell] == MAZE_PLANNED) reason = "overlaps a room";
            if (cell == maze->start) reason = "on the start";
        }
        ployi_level_attempt(&maze->level, "room", maze->rooms.count, reason);
        maze->refused += reason != NULL;
        if (reason != NULL) continue;
        if (ploy_array_push(&maze->rooms, &room) != PLOY_OK) return PLOY_ERR_MEMORY;
        for (int32_t i = 0; i < room.width * room.height; i++) {
            int32_t cell = (room.y + i / room.width) * maze->def.width + room.x + i % room.width;
            maze->state[cell] = MAZE_PLANNED;
            maze->room_of[cell] = maze->rooms.count - 1;
        }
    }
    return PLOY_OK;
}

static int32_t maze_exit_count(const ploy_maze *maze, int32_t cell) {
    int32_t exits = maze->exits[cell];
    return (exits & 1) + (exits >> 1 & 1) + (exits >> 2 & 1) + (exits >> 3 & 1);
}

// Joins a dead end with a cell that it does not lead to yet; with rejected walls through the wall
// to a cell two steps away.
static ploy_result maze_braid_cell(ploy_maze *maze, int32_t cell) {
    ploy_floor_plan *plan = maze->level.plan;
    int32_t ways[4] = {0, 1, 2, 3};
    ploy_rng_shuffle(&maze->rng, ways, 4, sizeof ways[0]);
    for (int32_t i = 0; i < 4; i++) {
        if ((maze->exits[cell] >> ways[i] & 1) != 0) continue;
        int32_t next = ployi_maze_beside(maze, cell, ways[i]);
        if (next < 0) continue;
        if (maze->def.walls != PLOY_MAZE_REJECT) {
            if (maze->state[next] != MAZE_USED) continue;
            return ployi_maze_link(maze, cell, ways[i]);
        }
        int32_t far = ployi_maze_beside(maze, next, ways[i]);
        if (maze->state[next] != MAZE_FREE || far < 0 || maze->state[far] != MAZE_USED) continue;
        if (plan->kinds[far] != PLOY_PLAN_CORRIDOR) continue;
        maze->state[next] = MAZE_USED;
        plan->kinds[next] = PLOY_PLAN_CORRIDOR;
        ploy_result result = ployi_maze_link(maze, cell, ways[i]);
        return result == PLOY_OK ? ployi_maze_link(maze, next, ways[i]) : result;
    }
    return PLOY_OK;
}

static ploy_result maze_braid(ploy_maze *maze, ploy_budget *budget) {
    int32_t count = maze->def.width * maze->def.height;
    if (!(maze->def.braid > 0.0f)) return PLOY_OK;
    for (; maze->cursor < count; maze->cursor++) {
        if (maze->state[maze->cursor] != MAZE_USED || maze_exit_count(maze, maze->cursor) != 1 ||
            maze->level.plan->kinds[ployi_maze_plan_cell(maze, maze->cursor)] == PLOY_PLAN_ROOM) {
            continue;
        }
        if (!ployi_level_spend(&maze->level, budget, 1)) return PLOY_IN_PROGRESS;
        if (!ploy_rng_chance(&maze->rng, maze->def.braid)) continue;
        ploy_result result = maze_braid_cell(maze, maze->cursor);
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

ploy_result ploy_maze_step(ploy_maze *maze, ploy_budget *budget) {
    ploy_result result = PLOY_OK;
    if (maze->phase == 0) {
        result = maze_plan_rooms(maze, budget);
        if (result != PLOY_OK) return result;
        result = ployi_maze_grow_begin(maze);
        if (result != PLOY_OK) return result;
        maze->phase = 1;
    }
    if (maze->phase == 1) {
        result = ployi_maze_grow(maze, budget);
        if (result != PLOY_OK) return result;
        maze->cursor = 0;
        maze->phase = 2;
    }
    if (maze->phase == 2) {
        result = maze_braid(maze, budget);
        if (result != PLOY_OK) return result;
        if (maze->depths) {
            int32_t open = maze->scale * (maze->cells - 1) + 1; // passages are cells, too
            ployi_plan_set_distances(&maze->level, ployi_maze_plan_cell(maze, maze->deep), open);
        }
        maze->phase = 3;
    }
    if (maze->phase == 3) {
        maze->level.plan->entrance = ployi_maze_plan_cell(maze, maze->start);
        result = ployi_level_finish(&maze->level, &maze->def.roles, maze->cells, budget);
        if (result != PLOY_OK) return result;
        maze->level.outcome.draws +=
            ploy_generate_draws(&maze->rng) + ploy_generate_draws(&maze->room_rng);
        maze->phase = 4;
    }
    return PLOY_OK;
}

int32_t ploy_maze_peak(const ploy_maze *maze) {
    return maze->work.peak;
}

void ploy_maze_describe(const ploy_maze *maze, ploy_describe *out) {
    ploy_floor_plan_describe(maze->level.plan, out);
    ploy_describe_i64(out, "places", PLOY_STATE, maze->cells);
    ploy_describe_i64(out, "stack", PLOY_DERIVED, maze->work.stack.count);
    ploy_describe_i64(out, "stack_peak", PLOY_DERIVED, maze->work.peak);
    ploy_describe_i64(out, "rooms_refused", PLOY_DERIVED, maze->refused);
}

void ploy_maze_draw(const ploy_maze *maze, ploy_draw *out) {
    ploy_floor_plan_draw(maze->level.plan, out);
    ploy_draw_key(out, PLOY_STYLE_AGENT_A, "cell at work");
    ploy_draw_key(out, PLOY_STYLE_PATH, "path back to the start");
    const int32_t *stack = PLOY_ARRAY_ITEMS(&maze->work.stack, int32_t);
    for (int32_t i = 0; maze->phase == 1 && i < maze->work.stack.count; i++) {
        ploy_vec2 at =
            ploy_floor_plan_point(maze->level.plan, ployi_maze_plan_cell(maze, stack[i]));
        if (i > 0) {
            int32_t before = ployi_maze_plan_cell(maze, stack[i - 1]);
            ploy_draw_line(out, PLOY_LAYER_PATHS, PLOY_STYLE_PATH, ploy_agent_id_none(),
                           ploy_floor_plan_point(maze->level.plan, before), at);
        }
        if (i == maze->work.stack.count - 1) {
            ploy_draw_disc(out, PLOY_LAYER_AGENTS, PLOY_STYLE_AGENT_A, ploy_agent_id_none(), at,
                           0.35f, 1.0f);
        }
    }
}

void ploy_maze_memory(const ploy_maze *maze, ploy_memory_fn fn, void *user) {
    ploy_memory_item item = {"maze", sizeof *maze + maze->bytes, 2};
    fn(user, &item);
    ploy_floor_plan_memory(maze->level.plan, fn, user);
    ploy_array_memory(&maze->work.stack, fn, user);
    ploy_array_memory(&maze->rooms, fn, user);
    ploy_heap_memory(&maze->heap, fn, user);
}

// ---- the front

static ploy_result maze_front_begin(const void *def, ploy_rng_key key, const ploy_content *input,
                                    ploy_trace *trace, const ploy_env *env, void **out) {
    const ploy_maze_def *settings = def;
    ploy_maze *maze = NULL;
    uint8_t *blocked = NULL;
    size_t count = 0;
    if ((input->kinds & PLOY_CONTENT_TILES) != 0 && input->tile_columns == settings->width &&
        input->tile_rows == settings->height) {
        count = (size_t)settings->width * (size_t)settings->height;
        blocked = ploy_env_alloc(env, count);
        if (blocked == NULL) return PLOY_ERR_MEMORY;
        for (size_t i = 0; i < count; i++) blocked[i] = input->tiles[i] != 0;
    }
    ploy_result result = ploy_maze_begin(settings, key, blocked, trace, env, &maze);
    ploy_env_free(env, blocked, count);
    *out = maze;
    return result;
}

const ploy_generator_type *ploy_maze_generator(void) {
    static const ploy_generator_type type = {
        "maze",
        "a maze on a grid: backtracking, Wilson, Prim or Kruskal, with rooms and loops",
        "one try, link or step of a walk",
        0,
        PLOY_CONTENT_TILES,
        PLOY_CONTENT_PLAN,
        PLOYI_GENERATOR_TABLE(maze),
    };
    return &type;
}
