// The pathfinder lab: paint a map, put start and goal, and watch a search fill it, slice by slice.
// Every other algorithm answers the same question beside it, for its numbers.
//
// All state is in the one block path_lab and what it owns, in the region. A change of the map or of
// the question begins the search again.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "labs/lab_tiles.h"
#include "labs/labs.h"
#include "ploy/base/math.h"
#include "ploy/path/grid_search.h"
#include "ploy/path/tiles.h"

enum {
    PATH_LAB_WIDTH = 64,
    PATH_LAB_HEIGHT = 40,
    PATH_LAB_CELLS = PATH_LAB_WIDTH * PATH_LAB_HEIGHT,
    PATH_LAB_SWAMP = 2
};

// The grid's own first, in their order; the generic core's after them.
typedef enum path_lab_algorithm {
    PATH_LAB_GRID_LAST = PLOY_GRID_FAST,
    PATH_LAB_ASTAR,    // the same as the grid's A*, through the space
    PATH_LAB_WEIGHTED, // weight 3: at most three times too long
    PATH_LAB_GREEDY,
    PATH_LAB_BREADTH,
    PATH_LAB_DEPTH,
    PATH_LAB_ALGORITHMS
} path_lab_algorithm;

static const char *const path_lab_names[] = {"dijkstra", "astar",  "jps",     "fast", "generic",
                                             "weighted", "greedy", "breadth", "depth"};

typedef enum path_lab_brush {
    PATH_LAB_BRUSH_WALL,
    PATH_LAB_BRUSH_FLOOR,
    PATH_LAB_BRUSH_SWAMP,
    PATH_LAB_BRUSH_START,
    PATH_LAB_BRUSH_GOAL
} path_lab_brush;

static const char *const path_lab_brushes[] = {"wall", "floor", "swamp", "start", "goal"};
static const char *const path_lab_corners[] = {"clear", "one", "cut"};

typedef struct path_lab_def {
    uint32_t cookie;
    path_lab_algorithm algorithm;
    path_lab_brush brush;
    int32_t brush_size;
    int32_t slice;
    float walls;
    float swamp_cost;
    ploy_tile_corners corners;
    int32_t pause;
} path_lab_def;

static const ploy_field path_lab_fields[] = {
    PLOY_FIELD_ENUM(path_lab_def, algorithm, PLOY_GRID_ASTAR, path_lab_names,
                    "which search is shown"),
    PLOY_FIELD_ENUM(path_lab_def, brush, PATH_LAB_BRUSH_WALL, path_lab_brushes,
                    "what the pointer paints or puts"),
    PLOY_FIELD_I32(path_lab_def, brush_size, 1, 1, 9, "", "cells the brush is wide"),
    PLOY_FIELD_I32(path_lab_def, slice, 8, 1, 100000, "", "units of work in a tick"),
    PLOY_FIELD_F32(path_lab_def, walls, 0.25, 0, 0.7, "", "share of walls when thrown anew"),
    PLOY_FIELD_F32(path_lab_def, swamp_cost, 3, 1, 9, "",
                   "of entering a swamp; jumps want 1, the grid's own a whole number"),
    PLOY_FIELD_ENUM(path_lab_def, corners, PLOY_TILE_CORNERS_CLEAR, path_lab_corners,
                    "when a diagonal step is possible; jumps want clear"),
    PLOY_FIELD_I32(path_lab_def, pause, 90, 0, 100000, "",
                   "ticks a result is shown before another goal is set; 0: for ever"),
};

static ploy_fields path_lab_get_fields(void) {
    return PLOY_FIELDS(path_lab_def, path_lab_fields);
}

// What one algorithm made of the question.
typedef struct path_lab_result {
    ploy_result result;
    ploy_search_outcome outcome;
    int64_t taken;
    int32_t peak_open;
    double length;
} path_lab_result;

typedef struct path_lab {
    path_lab_def def;
    ploy_env env;
    ploy_tiles *tiles;
    ploy_tiles_walker walker;
    ploy_space space;
    ploy_grid_map *map;
    ploy_result map_result; // why there is no map of bits
    ploy_grid_search *grids[PATH_LAB_GRID_LAST + 1];
    ploy_search *generics[PATH_LAB_ALGORITHMS - PATH_LAB_GRID_LAST - 1];
    int32_t start, goal;
    path_lab_result shown; // of the search that is shown, as far as it is
    path_lab_result all[PATH_LAB_ALGORITHMS];
    int32_t ticks, waited; // since the search began, since it ended
} path_lab;

static ploy_search *path_lab_generic(const path_lab *lab, path_lab_algorithm algorithm) {
    return lab->generics[algorithm - PATH_LAB_GRID_LAST - 1];
}

// ---- searching ----

static ploy_result path_lab_begin_one(path_lab *lab, path_lab_algorithm algorithm) {
    if (algorithm <= PATH_LAB_GRID_LAST) {
        if (lab->map == NULL) return lab->map_result;
        return ploy_grid_search_begin(lab->grids[algorithm], lab->map, lab->start, lab->goal);
    }
    ploy_search_start start = {lab->start, 0.0};
    ploy_search_query query = ploy_search_query_make(&lab->space, &start, lab->goal);
    return ploy_search_begin(path_lab_generic(lab, algorithm), &query);
}

static ploy_result path_lab_step_one(path_lab *lab, path_lab_algorithm algorithm,
                                     ploy_budget *budget) {
    if (algorithm <= PATH_LAB_GRID_LAST)
        return ploy_grid_search_step(lab->grids[algorithm], budget);
    return ploy_search_step(path_lab_generic(lab, algorithm), budget);
}

static path_lab_result path_lab_read(const path_lab *lab, path_lab_algorithm algorithm,
                                     ploy_result result) {
    path_lab_result read;
    memset(&read, 0, sizeof read); // its gap too: it lies in the region
    read.result = result;
    if (result < PLOY_OK) return read;
    if (algorithm <= PATH_LAB_GRID_LAST) {
        const ploy_grid_search *search = lab->grids[algorithm];
        ploy_grid_search_stats stats = ploy_grid_search_get_stats(search);
        ploy_grid_cost cost;
        read.outcome = ploy_grid_search_get_outcome(search);
        read.taken = stats.taken;
        read.peak_open = stats.peak_open;
        if (read.outcome == PLOY_SEARCH_FOUND && ploy_grid_search_cost(search, lab->goal, &cost)) {
            read.length = cost.length;
        }
    } else {
        const ploy_search *search = path_lab_generic(lab, algorithm);
        ploy_search_stats stats = ploy_search_get_stats(search);
        read.outcome = ploy_search_get_outcome(search);
        read.taken = stats.taken;
        read.peak_open = stats.peak_open;
        if (read.outcome == PLOY_SEARCH_FOUND) {
            ploy_search_path(search, lab->goal, NULL, 0, &read.length);
        }
    }
    return read;
}

// The map of bits as it is now; costs that it cannot hold leave it out.
static void path_lab_make_map(path_lab *lab) {
    ploy_grid_map_destroy(lab->map);
    lab->map = NULL;
    ploy_grid_map_def def = ploy_grid_map_def_default();
    def.tables = true;
    lab->map_result = ploy_grid_map_create(&def, lab->tiles, &lab->env, &lab->map);
    if (lab->map_result != PLOY_ERR_UNSUPPORTED) return;
    def.tables = false; // A* and Dijkstra may still do
    lab->map_result = ploy_grid_map_create(&def, lab->tiles, &lab->env, &lab->map);
}

// Everything anew: all algorithms at once for their numbers, then the shown one from its beginning.
static ploy_result path_lab_begin(path_lab *lab) {
    bool follows = lab->map != NULL && ploy_grid_map_refresh(lab->map) == PLOY_OK;
    if (follows && ploy_grid_map_prepare(lab->map) != PLOY_OK) return PLOY_ERR_MEMORY;
    if (!follows) path_lab_make_map(lab);
    if (lab->map_result == PLOY_ERR_MEMORY) return PLOY_ERR_MEMORY;
    for (int32_t i = 0; i < PATH_LAB_ALGORITHMS; i++) {
        path_lab_algorithm algorithm = (path_lab_algorithm)i;
        ploy_result result = path_lab_begin_one(lab, algorithm);
        if (result == PLOY_OK) result = path_lab_step_one(lab, algorithm, NULL);
        if (result == PLOY_ERR_MEMORY) return result;
        lab->all[i] = path_lab_read(lab, algorithm, result);
    }
    ploy_result result = path_lab_begin_one(lab, lab->def.algorithm);
    lab->shown = path_lab_read(lab, lab->def.algorithm, result);
    lab->ticks = lab->waited = 0;
    return result == PLOY_ERR_MEMORY ? result : PLOY_OK;
}

// ---- painting ----

// A free cell, in the left or the right quarter if there is one, that can be reached from another
// (or any, if that is PLOY_STATE_NONE); the same draws give the same one.
static int32_t path_lab_somewhere(path_lab *lab, ploy_rng_key key, uint64_t tick, bool right,
                                  int32_t from) {
    uint32_t draw = ploy_rng_u32_at(key, right ? 1 : 0, tick, 0);
    int32_t x = (int32_t)(draw % (PATH_LAB_WIDTH / 4)), y = (int32_t)(draw / 256 % PATH_LAB_HEIGHT);
    int32_t cell = y * PATH_LAB_WIDTH + (right ? PATH_LAB_WIDTH - 1 - x : x);
    ploy_tiles_refresh(lab->tiles);
    for (int32_t i = 0; i < PATH_LAB_CELLS; i++) {
        bool good = ploy_tiles_passable(lab->tiles, cell) &&
                    (from < 0 || ploy_tiles_connected(lab->tiles, from, cell));
        if (good) break;
        // Down the columns: it stays on its side as long as that has any.
        int32_t down = cell + PATH_LAB_WIDTH, next = right ? PATH_LAB_CELLS - 1 : 1;
        cell = down < PATH_LAB_CELLS ? down : (down + next) % PATH_LAB_WIDTH;
    }
    return cell;
}

// Other walls, and start and goal on either side.
static void path_lab_scatter(path_lab *lab, ploy_rng_key key, uint64_t tick) {
    uint8_t kinds[PATH_LAB_CELLS];
    ploy_rng rng = ploy_rng_from_key(key, tick + 1);
    lab_tiles_strokes(kinds, PATH_LAB_WIDTH, PATH_LAB_HEIGHT, lab->def.walls, &rng);
    ploy_tiles_set_all(lab->tiles, kinds);
    // Walls may shut the start in: then somewhere else, until it reaches the other side.
    for (uint64_t attempt = 0; attempt < 32; attempt++) {
        uint64_t draw = tick + (attempt << 32);
        lab->start = path_lab_somewhere(lab, key, draw, false, PLOY_STATE_NONE);
        lab->goal = path_lab_somewhere(lab, key, draw, true, lab->start);
        if (lab->goal % PATH_LAB_WIDTH >= PATH_LAB_WIDTH / 2) break;
    }
}

static ploy_result path_lab_make_tiles(path_lab *lab) {
    ploy_tiles_def def = ploy_tiles_def_default();
    def.width = PATH_LAB_WIDTH;
    def.height = PATH_LAB_HEIGHT;
    def.corners = lab->def.corners;
    ploy_tiles *tiles = NULL;
    ploy_result result = ploy_tiles_create(&def, &lab->env, &tiles);
    if (result != PLOY_OK) return result;
    uint8_t kinds[PATH_LAB_CELLS];
    for (int32_t i = 0; i < PATH_LAB_CELLS; i++) {
        kinds[i] = lab->tiles != NULL ? ploy_tiles_get(lab->tiles, i) : PLOY_TILE_OPEN;
    }
    ploy_tiles_set_all(tiles, kinds);
    ploy_tiles_set_cost(tiles, PATH_LAB_SWAMP, lab->def.swamp_cost);
    ploy_grid_map_destroy(lab->map);
    lab->map = NULL;
    ploy_tiles_destroy(lab->tiles);
    lab->tiles = tiles;
    lab->walker = ploy_tiles_walker_make(tiles, NULL);
    lab->space = ploy_tiles_space(&lab->walker);
    return PLOY_OK;
}

static void path_lab_clicked(path_lab *lab, ploy_vec2 at) {
    static const uint8_t kinds[] = {PLOY_TILE_BLOCKED, PLOY_TILE_OPEN, PATH_LAB_SWAMP};
    int32_t cell = ploy_tiles_quantise(lab->tiles, at);
    if (cell < 0) return;
    if (lab->def.brush == PATH_LAB_BRUSH_START) {
        lab->start = cell;
    } else if (lab->def.brush == PATH_LAB_BRUSH_GOAL) {
        lab->goal = cell;
    } else {
        lab_tiles_paint(lab->tiles, cell, lab->def.brush_size, kinds[lab->def.brush]);
    }
}

// ---- life ----

static ploy_result path_lab_make_searches(path_lab *lab) {
    for (int32_t i = 0; i < PATH_LAB_ALGORITHMS; i++) {
        ploy_result result;
        if (i <= PATH_LAB_GRID_LAST) {
            ploy_grid_search_def def = ploy_grid_search_def_default();
            def.algorithm = (ploy_grid_algorithm)i;
            result = ploy_grid_search_create(&def, &lab->env, &lab->grids[i]);
        } else {
            ploy_search_def def = ploy_search_def_default();
            if (i == PATH_LAB_WEIGHTED) def.weight = 3.0;
            if (i == PATH_LAB_GREEDY) def.order = PLOY_SEARCH_GREEDY;
            if (i == PATH_LAB_BREADTH) def.order = PLOY_SEARCH_BREADTH;
            if (i == PATH_LAB_DEPTH) def.order = PLOY_SEARCH_DEPTH;
            result =
                ploy_search_create(&def, &lab->env, &lab->generics[i - PATH_LAB_GRID_LAST - 1]);
        }
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

static ploy_result path_lab_create(const void *params, ploy_rng_key key, const ploy_env *env,
                                   void **out) {
    path_lab *lab = ploy_env_alloc_zero(env, sizeof *lab);
    if (lab == NULL) return PLOY_ERR_MEMORY;
    memcpy(&lab->def, params, sizeof lab->def);
    lab->env = *env;
    lab->env.log = NULL; // a map that jumps refuse is no fault here
    ploy_result result = path_lab_make_searches(lab);
    if (result == PLOY_OK) result = path_lab_make_tiles(lab);
    if (result != PLOY_OK) return result;
    path_lab_scatter(lab, key, 0);
    result = path_lab_begin(lab);
    if (result == PLOY_OK) *out = lab;
    return result;
}

static ploy_result path_lab_step(void *state, const ploy_sim_context *context) {
    path_lab *lab = state;
    const path_lab_def *def = context->params;
    bool anew = def->algorithm != lab->def.algorithm;
    if (def->corners != lab->def.corners || def->swamp_cost != lab->def.swamp_cost) {
        memcpy(&lab->def, def, sizeof lab->def);
        ploy_result result = path_lab_make_tiles(lab);
        if (result != PLOY_OK) return result;
        anew = true;
    }
    memcpy(&lab->def, def, sizeof lab->def);
    for (int32_t i = 0; i < context->input_count; i++) {
        const ploy_input *input = &context->inputs[i];
        if (input->kind != PLOY_INPUT_COMMAND) continue;
        anew = true;
        if (strcmp(input->name, "click") == 0) {
            path_lab_clicked(lab, ploy_vec2_make(input->value.as.vec[0], input->value.as.vec[1]));
        } else if (strcmp(input->name, "start") == 0 || strcmp(input->name, "goal") == 0) {
            int32_t cell = ploy_tiles_quantise(
                lab->tiles, ploy_vec2_make(input->value.as.vec[0], input->value.as.vec[1]));
            if (cell >= 0) *(input->name[0] == 's' ? &lab->start : &lab->goal) = cell;
        } else if (strcmp(input->name, "scatter") == 0) {
            path_lab_scatter(lab, context->key, context->tick + 1);
        } else if (strcmp(input->name, "clear") == 0) {
            for (int32_t k = 0; k < PATH_LAB_CELLS; k++)
                ploy_tiles_set(lab->tiles, k, PLOY_TILE_OPEN);
        }
    }
    bool ended = lab->shown.outcome != PLOY_SEARCH_OPEN;
    lab->waited = ended ? lab->waited + 1 : 0;
    if (ended && lab->def.pause > 0 && lab->waited > lab->def.pause) {
        if (lab->shown.outcome == PLOY_SEARCH_FOUND) lab->start = lab->goal;
        lab->goal =
            path_lab_somewhere(lab, context->key, context->tick + 1,
                               lab->start % PATH_LAB_WIDTH < PATH_LAB_WIDTH / 2, lab->start);
        anew = true;
    }
    if (anew) return path_lab_begin(lab);
    if (ended) return PLOY_OK;
    ploy_budget budget = ploy_budget_units(lab->def.slice);
    ploy_result result = path_lab_step_one(lab, lab->def.algorithm, &budget);
    lab->shown = path_lab_read(lab, lab->def.algorithm, result);
    lab->ticks++;
    return result < PLOY_OK ? result : PLOY_OK;
}

// ---- sight ----

static void path_lab_draw_generic(const path_lab *lab, ploy_draw *out) {
    const ploy_search *search = path_lab_generic(lab, lab->def.algorithm);
    for (int32_t i = 0; i < ploy_search_reached(search); i++) {
        int32_t cell = ploy_search_reached_at(search, i);
        ploy_search_node node;
        if (!ploy_search_get(search, cell, &node)) continue;
        ploy_tiles_draw_cells(lab->tiles, cell, 1, PLOY_LAYER_PATHS,
                              node.status == PLOY_SEARCH_SEEN ? PLOY_STYLE_OPEN : PLOY_STYLE_CLOSED,
                              0.5f, out);
    }
    int32_t at = ploy_search_get_outcome(search) == PLOY_SEARCH_FOUND ? lab->goal
                                                                      : ploy_search_nearest(search);
    ploy_search_node node;
    for (; at >= 0 && ploy_search_get(search, at, &node) && node.parent >= 0; at = node.parent) {
        ploy_draw_line(out, PLOY_LAYER_PATHS, PLOY_STYLE_PATH, ploy_agent_id_none(),
                       ploy_tiles_localise(lab->tiles, node.parent),
                       ploy_tiles_localise(lab->tiles, at));
    }
}

static void path_lab_draw(const void *state, ploy_draw *out) {
    const path_lab *lab = state;
    ploy_agent_id nobody = ploy_agent_id_none();
    ploy_tiles_draw(lab->tiles, out);
    if (lab->shown.result >= PLOY_OK) {
        if (lab->def.algorithm <= PATH_LAB_GRID_LAST) {
            ploy_grid_search_draw(lab->grids[lab->def.algorithm], out);
        } else {
            path_lab_draw_generic(lab, out);
        }
    }
    ploy_draw_disc(out, PLOY_LAYER_AGENTS, PLOY_STYLE_AGENT_A, nobody,
                   ploy_tiles_localise(lab->tiles, lab->start), 0.45f, 1.0f);
    ploy_draw_disc(out, PLOY_LAYER_AGENTS, PLOY_STYLE_TARGET, nobody,
                   ploy_tiles_localise(lab->tiles, lab->goal), 0.45f, 1.0f);
    for (int32_t i = 0; i < PATH_LAB_ALGORITHMS; i++) {
        const path_lab_result *one = &lab->all[i];
        char text[96];
        if (one->result < PLOY_OK) {
            snprintf(text, sizeof text, "%s: not on this map", path_lab_names[i]);
        } else if (one->outcome != PLOY_SEARCH_FOUND) {
            snprintf(text, sizeof text, "%s: no way, %d taken", path_lab_names[i], (int)one->taken);
        } else {
            // In hundredths, because printing a double is the C library's business.
            int64_t hundredths = (int64_t)floor(one->length * 100.0 + 0.5);
            snprintf(text, sizeof text, "%s: %d.%02d long, %d taken", path_lab_names[i],
                     (int)(hundredths / 100), (int)(hundredths % 100), (int)one->taken);
        }
        ploy_draw_text(out, nobody, ploy_vec2_make(65.0f, 38.0f - 2.4f * (float)i), text);
    }
}

static void path_lab_describe_result(const path_lab_result *one, ploy_describe *out) {
    ploy_describe_text(out, "result", PLOY_DERIVED, ploy_result_name(one->result));
    ploy_describe_text(out, "outcome", PLOY_STATE, ploy_search_outcome_text(one->outcome));
    ploy_describe_i64(out, "taken", PLOY_STATE, one->taken);
    ploy_describe_i64(out, "peak open", PLOY_STATE, one->peak_open);
    ploy_describe_f64(out, "length", PLOY_STATE, one->length);
}

static void path_lab_describe(const void *state, ploy_describe *out) {
    const path_lab *lab = state;
    ploy_describe_begin(out, "tiles");
    ploy_tiles_describe(lab->tiles, out);
    ploy_describe_end(out);
    ploy_describe_begin(out, "question");
    ploy_describe_i64(out, "start", PLOY_STATE, lab->start);
    ploy_describe_i64(out, "goal", PLOY_STATE, lab->goal);
    ploy_describe_i64(out, "ticks", PLOY_STATE, lab->ticks);
    ploy_describe_i64(out, "waited", PLOY_STATE, lab->waited);
    ploy_describe_end(out);
    ploy_describe_begin(out, "shown");
    path_lab_describe_result(&lab->shown, out);
    if (lab->def.algorithm <= PATH_LAB_GRID_LAST) {
        ploy_grid_search_describe(lab->grids[lab->def.algorithm], out);
    } else {
        ploy_search_describe(path_lab_generic(lab, lab->def.algorithm), out);
    }
    ploy_describe_end(out);
    for (int32_t i = 0; i < PATH_LAB_ALGORITHMS; i++) {
        ploy_describe_begin(out, path_lab_names[i]);
        path_lab_describe_result(&lab->all[i], out);
        ploy_describe_end(out);
    }
}

static const ploy_command path_lab_commands[] = {
    {"click", "paint, or put start or goal, as the brush says", PLOY_VALUE_VEC2, false, "Pointer"},
    {"start", "put the start there", PLOY_VALUE_VEC2, false, NULL},
    {"goal", "put the goal there", PLOY_VALUE_VEC2, false, NULL},
    {"scatter", "throw other walls", PLOY_VALUE_NONE, false, "r"},
    {"clear", "take all walls away", PLOY_VALUE_NONE, false, "c"},
};

extern const ploy_sim_type ploy_lab_pathfinder; // in labs.c
const ploy_sim_type ploy_lab_pathfinder = {
    .name = "pathfinder",
    .title = "Pathfinder",
    .help = "Paint walls and swamps, put start and goal, and choose a search: it fills the map a "
            "slice of work in each tick. All searches' numbers for the same question stand beside.",
    .version = 1,
    .capabilities = PLOY_SIM_INTERACTIVE,
    .dt = 1.0f / 60.0f,
    .view = {-1.0f, -1.0f, 132.0f, 41.0f},
    .fields = path_lab_get_fields,
    .commands = path_lab_commands,
    .command_count = sizeof path_lab_commands / sizeof path_lab_commands[0],
    .create = path_lab_create,
    .destroy = NULL, // the region goes with the simulation
    .step = path_lab_step,
    .draw = path_lab_draw,
    .describe = path_lab_describe,
};
