// The pathfinder lab: paint a map, put start and goal, and watch up to four searches fill it side
// by side, each with the same work in each tick. All searches answer the same question beside them,
// for their numbers.
//
// All state is in the one block path_lab and what it owns, in the region. A change of the map or of
// the question begins the searches again.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "labs/lab_input.h"
#include "labs/lab_searches.h"
#include "labs/lab_tiles.h"
#include "labs/labs.h"
#include "ploy/base/math.h"

enum {
    PATH_LAB_WIDTH = 64,
    PATH_LAB_HEIGHT = 40,
    PATH_LAB_CELLS = PATH_LAB_WIDTH * PATH_LAB_HEIGHT,
    PATH_LAB_SWAMP = 2,
    PATH_LAB_PANES = 4
};

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
    lab_search algorithm, second, third, fourth;
    int32_t panes;
    path_lab_brush brush;
    int32_t brush_size;
    int32_t slice;
    float walls;
    float swamp_cost;
    ploy_tile_corners corners;
    int32_t pause;
} path_lab_def;

static const ploy_field path_lab_fields[] = {
    PLOY_FIELD_ENUM(path_lab_def, algorithm, PLOY_GRID_ASTAR, lab_search_names,
                    "the search that is shown"),
    PLOY_FIELD_ENUM(path_lab_def, second, PLOY_GRID_JPS, lab_search_names, "beside it"),
    PLOY_FIELD_ENUM(path_lab_def, third, LAB_SEARCH_ANYA, lab_search_names, "below it"),
    PLOY_FIELD_ENUM(path_lab_def, fourth, LAB_SEARCH_BLOCKS, lab_search_names, "below the second"),
    PLOY_FIELD_I32(path_lab_def, panes, 4, 1, PATH_LAB_PANES, "", "searches shown side by side"),
    PLOY_FIELD_ENUM(path_lab_def, brush, PATH_LAB_BRUSH_WALL, path_lab_brushes,
                    "what the pointer paints or puts"),
    PLOY_FIELD_I32(path_lab_def, brush_size, 1, 1, 9, "", "cells the brush is wide"),
    PLOY_FIELD_I32(path_lab_def, slice, 8, 1, 100000, "", "units of work of each in a tick"),
    PLOY_FIELD_F32(path_lab_def, walls, 0.25, 0, 0.7, "", "share of walls of a new random map"),
    PLOY_FIELD_F32(path_lab_def, swamp_cost, 3, 1, 9, "",
                   "of entering a swamp; jumps and lines need 1, the grid's own a whole number"),
    PLOY_FIELD_ENUM(path_lab_def, corners, PLOY_TILE_CORNERS_CLEAR, path_lab_corners,
                    "when a diagonal step is possible; jumps need clear"),
    PLOY_FIELD_I32(path_lab_def, pause, 90, 0, 100000, "",
                   "ticks a result is shown before another goal is set; 0: forever"),
};

static ploy_fields path_lab_get_fields(void) {
    return PLOY_FIELDS(path_lab_def, path_lab_fields);
}

typedef struct path_lab {
    path_lab_def def;
    int32_t ticks, waited; // since the searches began, since all of them ended
    lab_searches searches;
    lab_search_result shown[LAB_SEARCH_COUNT]; // of those that are shown, as far as they are
    lab_search_result all[LAB_SEARCH_COUNT];
} path_lab;

static lab_search path_lab_pane_search(const path_lab_def *def, int32_t pane) {
    const lab_search searches[PATH_LAB_PANES] = {def->algorithm, def->second, def->third,
                                                 def->fourth};
    return searches[pane];
}

// Two panes may show the same search, which is stepped once.
static bool path_lab_is_shown(const path_lab_def *def, lab_search search) {
    for (int32_t i = 0; i < def->panes; i++) {
        if (path_lab_pane_search(def, i) == search) return true;
    }
    return false;
}

// ---- searching ----

// Everything again: all searches at once for their numbers, then the shown ones from their
// beginning.
static ploy_result path_lab_begin(path_lab *lab) {
    ploy_result result = lab_searches_refresh(&lab->searches);
    if (result != PLOY_OK) return result;
    for (int32_t i = 0; i < LAB_SEARCH_COUNT; i++) {
        lab_search search = (lab_search)i;
        result = lab_searches_begin(&lab->searches, search);
        if (result == PLOY_OK) result = lab_searches_step(&lab->searches, search, NULL);
        if (result == PLOY_ERR_MEMORY) return result;
        lab->all[i] = lab_searches_read(&lab->searches, search, result);
        lab->shown[i] = lab->all[i];
        if (!path_lab_is_shown(&lab->def, search)) continue;
        result = lab_searches_begin(&lab->searches, search);
        if (result == PLOY_ERR_MEMORY) return result;
        lab->shown[i] = lab_searches_read(&lab->searches, search, result);
    }
    lab->ticks = lab->waited = 0;
    return PLOY_OK;
}

// One tick's work of every search that is shown. *ended: none has anything to do.
static ploy_result path_lab_advance(path_lab *lab, bool *ended) {
    *ended = true;
    for (int32_t i = 0; i < LAB_SEARCH_COUNT; i++) {
        lab_search search = (lab_search)i;
        bool open = lab->shown[i].outcome == PLOY_SEARCH_OPEN && lab->shown[i].result >= PLOY_OK;
        if (!open || !path_lab_is_shown(&lab->def, search)) continue;
        ploy_budget budget = ploy_budget_units(lab->def.slice);
        ploy_result result = lab_searches_step(&lab->searches, search, &budget);
        if (result < PLOY_OK) return result;
        lab->shown[i] = lab_searches_read(&lab->searches, search, result);
        *ended = false;
    }
    return PLOY_OK;
}

// ---- painting ----

// A free cell, in the left or the right quarter if there is one, that can be reached from another
// (or any, if that is PLOY_STATE_NONE); the same draws give the same one.
static int32_t path_lab_somewhere(path_lab *lab, ploy_rng_key key, uint64_t tick, bool right,
                                  int32_t from) {
    uint32_t draw = ploy_rng_u32_at(key, right ? 1 : 0, tick, 0);
    int32_t x = (int32_t)(draw % (PATH_LAB_WIDTH / 4)), y = (int32_t)(draw / 256 % PATH_LAB_HEIGHT);
    int32_t cell = y * PATH_LAB_WIDTH + (right ? PATH_LAB_WIDTH - 1 - x : x);
    ploy_tiles_refresh(lab->searches.tiles);
    for (int32_t i = 0; i < PATH_LAB_CELLS; i++) {
        bool good = ploy_tiles_passable(lab->searches.tiles, cell) &&
                    (from < 0 || ploy_tiles_connected(lab->searches.tiles, from, cell));
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
    ploy_tiles_set_all(lab->searches.tiles, kinds);
    // Walls may shut the start in: then somewhere else, until it reaches the other side.
    for (uint64_t attempt = 0; attempt < 32; attempt++) {
        uint64_t draw = tick + (attempt << 32);
        lab->searches.start = path_lab_somewhere(lab, key, draw, false, PLOY_STATE_NONE);
        lab->searches.goal = path_lab_somewhere(lab, key, draw, true, lab->searches.start);
        if (lab->searches.goal % PATH_LAB_WIDTH >= PATH_LAB_WIDTH / 2) break;
    }
}

static ploy_result path_lab_make_tiles(path_lab *lab) {
    ploy_tiles_def def = ploy_tiles_def_default();
    def.width = PATH_LAB_WIDTH;
    def.height = PATH_LAB_HEIGHT;
    def.corners = lab->def.corners;
    ploy_tiles *tiles = NULL;
    ploy_result result = ploy_tiles_create(&def, &lab->searches.env, &tiles);
    if (result != PLOY_OK) return result;
    uint8_t kinds[PATH_LAB_CELLS];
    for (int32_t i = 0; i < PATH_LAB_CELLS; i++) {
        kinds[i] =
            lab->searches.tiles != NULL ? ploy_tiles_get(lab->searches.tiles, i) : PLOY_TILE_OPEN;
    }
    ploy_tiles_set_all(tiles, kinds);
    ploy_tiles_set_cost(tiles, PATH_LAB_SWAMP, lab->def.swamp_cost);
    lab_searches_set_tiles(&lab->searches, tiles);
    return PLOY_OK;
}

// ---- panes ----

// Where a pane is: the map is drawn from there, enlarged by the scale. Above each is a line of
// words.
typedef struct path_lab_frame {
    float x, y, scale;
} path_lab_frame;

static const float path_lab_across = 66.0f, path_lab_up = 45.0f;

static path_lab_frame path_lab_pane(int32_t panes, int32_t pane) {
    path_lab_frame frame = {path_lab_across * (float)(pane % 2),
                            path_lab_up * (float)(1 - pane / 2), 1.0f}; // as one reads
    if (panes == 1) frame.scale = 2.0f;
    if (panes <= 2) frame.y = panes == 1 ? 0.0f : 0.5f * path_lab_up;
    return frame;
}

// The cell under a point, in whichever pane; PLOY_STATE_NONE between them.
static int32_t path_lab_cell(const path_lab *lab, ploy_vec2 at) {
    for (int32_t i = 0; i < lab->def.panes; i++) {
        path_lab_frame frame = path_lab_pane(lab->def.panes, i);
        ploy_vec2 local =
            ploy_vec2_make((at.x - frame.x) / frame.scale, (at.y - frame.y) / frame.scale);
        int32_t cell = ploy_tiles_quantise(lab->searches.tiles, local);
        if (cell >= 0) return cell;
    }
    return PLOY_STATE_NONE;
}

static void path_lab_clicked(path_lab *lab, ploy_vec2 at, path_lab_brush brush) {
    static const uint8_t kinds[] = {PLOY_TILE_BLOCKED, PLOY_TILE_OPEN, PATH_LAB_SWAMP};
    int32_t cell = path_lab_cell(lab, at);
    if (cell < 0) return;
    if (brush == PATH_LAB_BRUSH_START) {
        lab->searches.start = cell;
    } else if (brush == PATH_LAB_BRUSH_GOAL) {
        lab->searches.goal = cell;
    } else {
        lab_tiles_paint(lab->searches.tiles, cell, lab->def.brush_size, kinds[brush]);
    }
}

// ---- life ----

static ploy_result path_lab_create(const void *params, ploy_rng_key key, const ploy_env *env,
                                   void **out) {
    path_lab *lab = ploy_env_alloc_zero(env, sizeof *lab);
    if (lab == NULL) return PLOY_ERR_MEMORY;
    memcpy(&lab->def, params, sizeof lab->def);
    lab->searches.env = *env;
    lab->searches.env.log = NULL; // a map that jumps refuse is no fault here
    ploy_result result = path_lab_make_tiles(lab);
    if (result != PLOY_OK) return result;
    path_lab_scatter(lab, key, 0);
    result = path_lab_begin(lab);
    if (result == PLOY_OK) *out = lab;
    return result;
}

// What the tick's inputs ask for. True if the searches have to begin again.
static bool path_lab_obey(path_lab *lab, const ploy_sim_context *context) {
    bool anew = false;
    for (int32_t i = 0; i < context->input_count; i++) {
        const ploy_input *input = &context->inputs[i];
        anew = anew || input->kind == PLOY_INPUT_COMMAND;
        if (lab_input_is(input, "click")) {
            path_lab_clicked(lab, lab_input_point(input), lab->def.brush);
        } else if (lab_input_is(input, "start")) {
            path_lab_clicked(lab, lab_input_point(input), PATH_LAB_BRUSH_START);
        } else if (lab_input_is(input, "goal")) {
            path_lab_clicked(lab, lab_input_point(input), PATH_LAB_BRUSH_GOAL);
        } else if (lab_input_is(input, "scatter")) {
            path_lab_scatter(lab, context->key, context->tick + 1);
        } else if (lab_input_is(input, "clear")) {
            for (int32_t k = 0; k < PATH_LAB_CELLS; k++) {
                ploy_tiles_set(lab->searches.tiles, k, PLOY_TILE_OPEN);
            }
        }
    }
    return anew;
}

static ploy_result path_lab_step(void *state, const ploy_sim_context *context) {
    path_lab *lab = state;
    const path_lab_def *def = context->params;
    bool anew = def->panes != lab->def.panes;
    for (int32_t i = 0; i < PATH_LAB_PANES; i++) {
        anew = anew || path_lab_pane_search(def, i) != path_lab_pane_search(&lab->def, i);
    }
    bool other = def->corners != lab->def.corners || def->swamp_cost != lab->def.swamp_cost;
    memcpy(&lab->def, def, sizeof lab->def);
    if (other) {
        ploy_result result = path_lab_make_tiles(lab);
        if (result != PLOY_OK) return result;
    }
    anew = path_lab_obey(lab, context) || anew || other;
    if (lab->def.pause > 0 && lab->waited > lab->def.pause) {
        bool found = lab->shown[lab->def.algorithm].outcome == PLOY_SEARCH_FOUND;
        if (found) lab->searches.start = lab->searches.goal;
        bool left = lab->searches.start % PATH_LAB_WIDTH < PATH_LAB_WIDTH / 2;
        lab->searches.goal =
            path_lab_somewhere(lab, context->key, context->tick + 1, left, lab->searches.start);
        anew = true;
    }
    if (anew) return path_lab_begin(lab);
    bool ended = false;
    ploy_result result = path_lab_advance(lab, &ended);
    lab->waited = ended ? lab->waited + 1 : 0;
    lab->ticks += !ended;
    return result;
}

// ---- sight ----

typedef struct path_lab_sink {
    ploy_draw *out;
    path_lab_frame frame;
} path_lab_sink;

// Everything of a pane goes to its place.
static void path_lab_item(void *user, const ploy_draw_item *item) {
    const path_lab_sink *sink = user;
    ploy_vec3 points[PLOY_DRAW_POINTS];
    ploy_draw_item moved = *item;
    if (item->count > PLOY_DRAW_POINTS) return; // nothing here is that long
    for (int32_t i = 0; i < item->count; i++) {
        points[i] = item->points[i];
        points[i].x = sink->frame.x + points[i].x * sink->frame.scale;
        points[i].y = sink->frame.y + points[i].y * sink->frame.scale;
    }
    moved.points = points;
    moved.radius *= sink->frame.scale;
    ploy_draw_item_out(sink->out, &moved);
}

// In tenths, because printing a double is the C library's business.
static void path_lab_print(char *text, size_t size, double value, const char *plus,
                           const char *unit) {
    int64_t tenths = (int64_t)floor(fabs(value) * 10.0 + 0.5);
    snprintf(text, size, "%s%d.%d%s", value < 0.0 && tenths > 0 ? "-" : plus, (int)(tenths / 10),
             (int)(tenths % 10), unit);
}

// A row of the table: length, how much longer than the best of steps, taken, units of work.
static int path_lab_row(const path_lab *lab, lab_search search, char *text, size_t size) {
    const lab_search_result *one = &lab->all[search];
    double best = lab->all[LAB_SEARCH_GENERIC].length;
    char length[32] = "no path", ratio[32] = "";
    if (one->result < PLOY_OK) {
        return snprintf(text, size, "\n%s\tnot here\t\t\t", lab_search_names[search]);
    }
    if (one->outcome == PLOY_SEARCH_FOUND) {
        path_lab_print(length, sizeof length, one->length, "", "");
        double more = best > 0.0 ? 100.0 * (one->length / best - 1.0) : 0.0;
        path_lab_print(ratio, sizeof ratio, more, "+", " %");
    }
    return snprintf(text, size, "\n%s\t%s\t%s\t%d\t%d", lab_search_names[search], length, ratio,
                    (int)one->taken, (int)one->units);
}

static void path_lab_draw_pane(const path_lab *lab, int32_t pane, ploy_draw *out) {
    lab_search search = path_lab_pane_search(&lab->def, pane);
    path_lab_sink sink = {out, path_lab_pane(lab->def.panes, pane)};
    ploy_draw moved = {path_lab_item, &sink, out->layers};
    ploy_agent_id nobody = ploy_agent_id_none();
    ploy_tiles_draw(lab->searches.tiles, &moved);
    const ploy_vec2 border[5] = {
        ploy_vec2_make(0.0f, 0.0f), ploy_vec2_make((float)PATH_LAB_WIDTH, 0.0f),
        ploy_vec2_make((float)PATH_LAB_WIDTH, (float)PATH_LAB_HEIGHT),
        ploy_vec2_make(0.0f, (float)PATH_LAB_HEIGHT), ploy_vec2_make(0.0f, 0.0f)};
    ploy_draw_polyline(&moved, PLOY_LAYER_WORLD, PLOY_STYLE_GHOST, nobody, border, 5);
    if (lab->shown[search].result >= PLOY_OK) {
        lab_searches_draw(&lab->searches, search, &moved);
    }
    ploy_draw_disc(&moved, PLOY_LAYER_AGENTS, PLOY_STYLE_AGENT_A, nobody,
                   ploy_tiles_localise(lab->searches.tiles, lab->searches.start), 0.8f, 1.0f);
    ploy_draw_disc(&moved, PLOY_LAYER_AGENTS, PLOY_STYLE_TARGET, nobody,
                   ploy_tiles_localise(lab->searches.tiles, lab->searches.goal), 0.8f, 1.0f);
    const lab_search_result *one = &lab->shown[search];
    char text[64];
    snprintf(text, sizeof text, "%s: %d work%s", lab_search_names[search], (int)one->units,
             one->result < PLOY_OK              ? ", not on this map"
             : one->outcome == PLOY_SEARCH_OPEN ? " ..."
             : one->outcome == PLOY_SEARCH_NONE ? ", no path"
                                                : "");
    ploy_draw_text(&moved, nobody,
                   ploy_vec2_make(0.0f, (float)PATH_LAB_HEIGHT + 1.0f / sink.frame.scale), text);
}

static void path_lab_draw(const void *state, ploy_draw *out) {
    const path_lab *lab = state;
    ploy_agent_id nobody = ploy_agent_id_none();
    char table[64 + 96 * LAB_SEARCH_COUNT];
    for (int32_t i = 0; i < lab->def.panes; i++) path_lab_draw_pane(lab, i, out);
    int used = snprintf(table, sizeof table, "lrrrr\nsearch\tlength\tmore\ttaken\twork");
    for (int32_t i = 0; i < LAB_SEARCH_COUNT && used > 0 && (size_t)used < sizeof table; i++) {
        int more = path_lab_row(lab, (lab_search)i, table + used, sizeof table - (size_t)used);
        used = more < 0 ? -1 : used + more;
    }
    ploy_draw_table(out, nobody, ploy_vec2_make(131.0f, 84.0f), table);
    ploy_draw_key(out, PLOY_STYLE_PATH, "path found");
    ploy_draw_key(out, PLOY_STYLE_OPEN, "reached, not taken yet");
    ploy_draw_key(out, PLOY_STYLE_CLOSED, "taken");
    ploy_draw_key(out, PLOY_STYLE_AGENT_A, "start");
    ploy_draw_key(out, PLOY_STYLE_TARGET, "goal");
}

static void path_lab_describe_result(const lab_search_result *one, ploy_describe *out) {
    ploy_describe_text(out, "result", PLOY_DERIVED, ploy_result_name(one->result));
    ploy_describe_text(out, "outcome", PLOY_STATE, ploy_search_outcome_text(one->outcome));
    ploy_describe_i64(out, "taken", PLOY_STATE, one->taken);
    ploy_describe_i64(out, "units", PLOY_STATE, one->units);
    ploy_describe_f64(out, "length", PLOY_STATE, one->length);
}

static void path_lab_describe(const void *state, ploy_describe *out) {
    const path_lab *lab = state;
    ploy_describe_begin(out, "tiles");
    ploy_tiles_describe(lab->searches.tiles, out);
    ploy_describe_end(out);
    ploy_describe_begin(out, "question");
    ploy_describe_i64(out, "start", PLOY_STATE, lab->searches.start);
    ploy_describe_i64(out, "goal", PLOY_STATE, lab->searches.goal);
    ploy_describe_i64(out, "ticks", PLOY_STATE, lab->ticks);
    ploy_describe_i64(out, "waited", PLOY_STATE, lab->waited);
    ploy_describe_end(out);
    ploy_describe_begin(out, "shown");
    for (int32_t i = 0; i < LAB_SEARCH_COUNT; i++) {
        if (!path_lab_is_shown(&lab->def, (lab_search)i)) continue;
        ploy_describe_begin(out, lab_search_names[i]);
        path_lab_describe_result(&lab->shown[i], out);
        lab_searches_describe(&lab->searches, (lab_search)i, out);
        ploy_describe_end(out);
    }
    ploy_describe_end(out);
    for (int32_t i = 0; i < LAB_SEARCH_COUNT; i++) {
        ploy_describe_begin(out, lab_search_names[i]);
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
    .help = "Paint walls and swamps, put start and goal, and choose up to four searches: they fill "
            "the map side by side, the same work in each tick. The numbers of all searches for the "
            "same question are shown beside: length, how much more that is than the best of steps, "
            "what was taken, and units of work.",
    .version = 2,
    .capabilities = PLOY_SIM_INTERACTIVE | PLOY_SIM_DIAGRAM,
    .dt = 1.0f / 60.0f,
    .view = {-1.0f, -1.0f, 217.0f, 90.0f},
    .fields = path_lab_get_fields,
    .commands = path_lab_commands,
    .command_count = sizeof path_lab_commands / sizeof path_lab_commands[0],
    .create = path_lab_create,
    .destroy = NULL, // the region goes with the simulation
    .step = path_lab_step,
    .draw = path_lab_draw,
    .describe = path_lab_describe,
};
