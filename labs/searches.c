// The search lab: up to four search methods solve the same problem side by side: a path through a
// small grid with random walls, or an 8-puzzle. Every method gets the same number of units in each
// tick. A click toggles a wall: LPA* repairs its answer, the other methods start again.
//
// State: the walls, the scrambled board, and one search with its numbered boards per panel.
#include <stdio.h>
#include <stdlib.h>

#include "labs/lab_input.h"
#include "labs/labs.h"
#include "ploy/base/rng.h"
#include "ploy/geom/draw.h"
#include "ploy/search/search.h"

enum {
    SEARCHES_WIDTH = 12,
    SEARCHES_HEIGHT = 8,
    SEARCHES_CELLS = SEARCHES_WIDTH * SEARCHES_HEIGHT,
    SEARCHES_SHOWN = 30, // moves of a path that fit into a panel
    SEARCHES_START = SEARCHES_HEIGHT / 2 * SEARCHES_WIDTH + 1,
    SEARCHES_GOAL = SEARCHES_START + SEARCHES_WIDTH - 3,
    SEARCHES_PANELS = 4,
    SEARCHES_STRIDE_X = SEARCHES_WIDTH + 2, // from one panel to the next
    SEARCHES_STRIDE_Y = SEARCHES_HEIGHT + 3,
    SEARCHES_TILES = 9,    // of a board
    SEARCHES_TABLE = 4096, // states that depth-first methods remember within a round
    SEARCHES_LAYERS = 40   // costs and estimates of the puzzle that are drawn
};

// name, text, method, order, weight of the estimate (of weighted a* by parameter)
// clang-format off
#define SEARCHES_CHOICES(choice) \
    choice(OFF, "off", PLOY_SEARCH_METHOD_BEST_FIRST, PLOY_SEARCH_BEST, 1) \
    choice(A_STAR, "a*", PLOY_SEARCH_METHOD_BEST_FIRST, PLOY_SEARCH_BEST, 1) \
    choice(DIJKSTRA, "dijkstra", PLOY_SEARCH_METHOD_BEST_FIRST, PLOY_SEARCH_BEST, 0) \
    choice(WEIGHTED, "weighted a*", PLOY_SEARCH_METHOD_BEST_FIRST, PLOY_SEARCH_BEST, 1) \
    choice(GREEDY, "greedy", PLOY_SEARCH_METHOD_BEST_FIRST, PLOY_SEARCH_GREEDY, 1) \
    choice(BREADTH, "breadth first", PLOY_SEARCH_METHOD_BEST_FIRST, PLOY_SEARCH_BREADTH, 1) \
    choice(DEPTH, "depth first", PLOY_SEARCH_METHOD_BEST_FIRST, PLOY_SEARCH_DEPTH, 1) \
    choice(LIMITED, "depth limited", PLOY_SEARCH_METHOD_DEPTH_LIMITED, PLOY_SEARCH_BEST, 1) \
    choice(DEEPENING, "deepening", PLOY_SEARCH_METHOD_DEEPENING, PLOY_SEARCH_BEST, 1) \
    choice(IDA_STAR, "ida*", PLOY_SEARCH_METHOD_IDA_STAR, PLOY_SEARCH_BEST, 1) \
    choice(SMA_STAR, "sma*", PLOY_SEARCH_METHOD_SMA_STAR, PLOY_SEARCH_BEST, 1) \
    choice(TWO_SIDES, "bidirectional", PLOY_SEARCH_METHOD_BIDIRECTIONAL, PLOY_SEARCH_BEST, 1) \
    choice(LPA_STAR, "lpa*", PLOY_SEARCH_METHOD_LPA_STAR, PLOY_SEARCH_BEST, 1)
#define SEARCHES_NAME(name, text, method, order, weight) SEARCHES_##name,
#define SEARCHES_TEXT(name, text, method, order, weight) text,
#define SEARCHES_KIND(name, text, method, order, weight) {method, order, weight},
// clang-format on

typedef enum searches_choice { SEARCHES_CHOICES(SEARCHES_NAME) } searches_choice;

typedef struct searches_kind {
    ploy_search_method method;
    ploy_search_order order;
    double weight;
} searches_kind;

static const searches_kind searches_kinds[] = {SEARCHES_CHOICES(SEARCHES_KIND)};

static const char *const searches_choices[] = {SEARCHES_CHOICES(SEARCHES_TEXT)};
static const char *const searches_problems[] = {"grid", "puzzle"};

// In the order of ploy_open_kind.
static const char *const searches_opens[PLOY_OPEN_ORDERED] = {
    "heap", "binary heap", "buckets", "sorted array", "sorted list", "unsorted"};

typedef struct searches_lab_def {
    uint32_t cookie;
    int32_t units;
    enum { SEARCHES_GRID, SEARCHES_PUZZLE } problem;
    searches_choice first, second, third, fourth;
    ploy_open_kind open;
    float weight, walls;
    int32_t depth, memory, scramble;
} searches_lab_def;

static const ploy_field searches_lab_fields[] = {
    PLOY_FIELD_I32(searches_lab_def, units, 2, 1, 100000, "", "states per tick and method"),
    PLOY_FIELD_ENUM(searches_lab_def, problem, SEARCHES_GRID, searches_problems, "what is solved"),
    PLOY_FIELD_ENUM(searches_lab_def, first, SEARCHES_A_STAR, searches_choices, "top left"),
    PLOY_FIELD_ENUM(searches_lab_def, second, SEARCHES_IDA_STAR, searches_choices, "top right"),
    PLOY_FIELD_ENUM(searches_lab_def, third, SEARCHES_TWO_SIDES, searches_choices, "bottom left"),
    PLOY_FIELD_ENUM(searches_lab_def, fourth, SEARCHES_LPA_STAR, searches_choices, "bottom right"),
    PLOY_FIELD_ENUM(searches_lab_def, open, PLOY_OPEN_HEAP, searches_opens, "kind of open list"),
    PLOY_FIELD_F32(searches_lab_def, weight, 2, 0, 100, "", "of the estimate in weighted a*"),
    PLOY_FIELD_I32(searches_lab_def, depth, 40, 1, 80, "", "longest path of methods that go deep"),
    PLOY_FIELD_I32(searches_lab_def, memory, 200, 2, 10000, "", "states that sma* keeps"),
    PLOY_FIELD_F32(searches_lab_def, walls, 0.15, 0, 0.9, "", "share of the grid"),
    PLOY_FIELD_I32(searches_lab_def, scramble, 25, 0, 1000, "", "random moves of the puzzle"),
};

static ploy_fields searches_lab_get_fields(void) {
    return PLOY_FIELDS(searches_lab_def, searches_lab_fields);
}

typedef struct searches_panel {
    searches_choice choice;
    ploy_search *search; // NULL if the panel is off
    ploy_states *boards; // NULL on the grid
    ploy_space space;
    int32_t start, goal;
} searches_panel;

typedef struct searches_lab {
    searches_lab_def def;
    ploy_env env;
    ploy_rng_key key;
    bool wall[SEARCHES_CELLS];
    char board[SEARCHES_TILES + 1]; // with a terminator
    searches_panel panels[SEARCHES_PANELS];
} searches_lab;

// ---- the two problems ----

static const int32_t searches_step_x[] = {1, 0, -1, 0}, searches_step_y[] = {0, 1, 0, -1};

// The neighbour of a cell in a width x height field; -1 outside.
static int32_t searches_neighbour(int32_t cell, int32_t side, int32_t width, int32_t height) {
    int32_t x = cell % width + searches_step_x[side], y = cell / width + searches_step_y[side];
    return x >= 0 && x < width && y >= 0 && y < height ? y * width + x : -1;
}

// Steps can be taken back, so these are the edges into a cell, too.
static ploy_result searches_grid_expand(void *user, int32_t state, ploy_edges *out) {
    const searches_lab *lab = user;
    ploy_result result = PLOY_OK;
    for (int32_t side = 0; side < 4 && result == PLOY_OK && !lab->wall[state]; side++) {
        int32_t to = searches_neighbour(state, side, SEARCHES_WIDTH, SEARCHES_HEIGHT);
        if (to >= 0 && !lab->wall[to]) result = ploy_edges_add(out, to, 1.0, side);
    }
    return result;
}

static double searches_grid_estimate(void *user, int32_t state, int32_t goal) {
    (void)user;
    return abs(state % SEARCHES_WIDTH - goal % SEARCHES_WIDTH) +
           abs(state / SEARCHES_WIDTH - goal / SEARCHES_WIDTH);
}

static const char searches_solved[] = "12345678 ";

// The blank moves to one side. @return the tile that slid, 0 if the blank is at that edge.
static char searches_slide(char *board, int32_t side) {
    int32_t blank = (int32_t)((char *)memchr(board, ' ', SEARCHES_TILES) - board);
    int32_t to = searches_neighbour(blank, side, 3, 3);
    if (to < 0) return 0;
    board[blank] = board[to];
    board[to] = ' ';
    return board[blank];
}

static ploy_result searches_puzzle_expand(void *user, int32_t state, ploy_edges *out) {
    char board[SEARCHES_TILES], next[SEARCHES_TILES];
    memcpy(board, ploy_states_get(user, state), sizeof board);
    for (int32_t side = 0; side < 4; side++) {
        memcpy(next, board, sizeof next);
        char tile = searches_slide(next, side);
        if (tile == 0) continue;
        int32_t to = 0;
        ploy_result result = ploy_states_find(user, next, &to);
        if (result == PLOY_OK) result = ploy_edges_add(out, to, 1.0, tile - '0');
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

// Sum over the tiles of the distance to the place in the other board, in moves.
static double searches_puzzle_estimate(void *user, int32_t state, int32_t goal) {
    const char *board = ploy_states_get(user, state), *home = ploy_states_get(user, goal);
    int32_t sum = 0;
    for (int32_t at = 0; at < SEARCHES_TILES; at++) {
        if (board[at] == ' ') continue;
        int32_t to = (int32_t)((const char *)memchr(home, board[at], SEARCHES_TILES) - home);
        sum += abs(at % 3 - to % 3) + abs(at / 3 - to / 3);
    }
    return sum;
}

// Random walls, and one from top to bottom with a gap; a board that is random moves from solved.
static void searches_draw_problem(searches_lab *lab) {
    uint32_t gap = ploy_rng_u32_at(lab->key, 2, 0, 0) % SEARCHES_HEIGHT;
    for (int32_t i = 0; i < SEARCHES_CELLS; i++) {
        float draw = ploy_rng_range_at(lab->key, 0, 0, (uint32_t)i, 0.0f, 1.0f);
        lab->wall[i] = draw < lab->def.walls && i != SEARCHES_START && i != SEARCHES_GOAL;
        if (i % SEARCHES_WIDTH != SEARCHES_WIDTH / 2 || lab->def.walls <= 0.0f) continue;
        lab->wall[i] = i / SEARCHES_WIDTH != (int32_t)gap;
    }
    int32_t middle = (int32_t)gap * SEARCHES_WIDTH + SEARCHES_WIDTH / 2;
    lab->wall[middle - 1] = lab->wall[middle + 1] = false; // the gap leads somewhere
    memcpy(lab->board, searches_solved, sizeof lab->board);
    for (int32_t i = 0, last = 0; i < lab->def.scramble; i++) {
        uint32_t draw = ploy_rng_u32_at(lab->key, 1, 0, (uint32_t)i) % 3;
        int32_t side = (last + 3 + (int32_t)draw) % 4; // not back
        if (searches_slide(lab->board, side) != 0) last = side;
    }
}

// ---- the methods ----

static ploy_result searches_begin(searches_lab *lab, searches_panel *panel) {
    if (panel->boards != NULL) {
        ploy_states_clear(panel->boards);
        ploy_result result = ploy_states_find(panel->boards, lab->board, &panel->start);
        if (result == PLOY_OK)
            result = ploy_states_find(panel->boards, searches_solved, &panel->goal);
        if (result != PLOY_OK) return result;
    }
    ploy_search_start start = {panel->start, 0.0};
    ploy_search_query query = ploy_search_query_make(&panel->space, &start, panel->goal);
    query.states = panel->boards;
    return ploy_search_begin(panel->search, &query);
}

static ploy_result searches_open(searches_lab *lab, searches_panel *panel, searches_choice choice) {
    memset(panel, 0, sizeof *panel);
    panel->choice = choice;
    if (choice == SEARCHES_OFF) return PLOY_OK;
    const searches_lab_def *params = &lab->def;
    const searches_kind *kind = &searches_kinds[choice];
    ploy_search_def def = ploy_search_def_default();
    def.method = kind->method;
    def.order = kind->order;
    def.weight = choice == SEARCHES_WEIGHTED ? (double)params->weight : kind->weight;
    def.open = params->open;
    def.max_depth = params->depth;
    if (choice == SEARCHES_DEPTH) def.max_cost = params->depth;
    def.table = SEARCHES_TABLE;
    def.capacity = params->memory;
    def.branching = 4;
    ploy_states_def states = ploy_states_def_default();
    states.size = SEARCHES_TILES;
    ploy_result result = ploy_search_create(&def, &lab->env, &panel->search);
    panel->start = SEARCHES_START;
    panel->goal = SEARCHES_GOAL;
    panel->space = (ploy_space){SEARCHES_CELLS, searches_grid_expand, searches_grid_expand,
                                searches_grid_estimate, lab};
    if (result == PLOY_OK && params->problem == SEARCHES_PUZZLE) {
        result = ploy_states_create(&states, &lab->env, &panel->boards);
        panel->space = (ploy_space){0, searches_puzzle_expand, searches_puzzle_expand,
                                    searches_puzzle_estimate, panel->boards};
    }
    return result == PLOY_OK ? searches_begin(lab, panel) : result;
}

// Replaces every search by one with the settings of now.
static ploy_result searches_rebuild(searches_lab *lab) {
    const searches_choice choices[SEARCHES_PANELS] = {lab->def.first, lab->def.second,
                                                      lab->def.third, lab->def.fourth};
    searches_draw_problem(lab);
    ploy_result result = PLOY_OK;
    for (int32_t i = 0; i < SEARCHES_PANELS && result == PLOY_OK; i++) {
        ploy_search_destroy(lab->panels[i].search);
        ploy_states_destroy(lab->panels[i].boards);
        result = searches_open(lab, &lab->panels[i], choices[i]);
    }
    return result;
}

static ploy_result searches_lab_create(const void *params, ploy_rng_key key, const ploy_env *env,
                                       void **out) {
    searches_lab *lab = ploy_env_alloc_zero(env, sizeof *lab);
    if (lab == NULL) return PLOY_ERR_MEMORY; // the region is freed with all that is in it
    memcpy(&lab->def, params, sizeof lab->def);
    lab->env = *env;
    lab->key = key;
    ploy_result result = searches_rebuild(lab);
    if (result == PLOY_OK) *out = lab;
    return result;
}

// ---- step ----

// A wall appears or goes: LPA* is notified which edges changed, the others begin again.
static ploy_result searches_toggle(searches_lab *lab, int32_t cell) {
    ploy_result result = PLOY_OK;
    lab->wall[cell] = !lab->wall[cell];
    for (int32_t i = 0; i < SEARCHES_PANELS && result == PLOY_OK; i++) {
        searches_panel *panel = &lab->panels[i];
        bool repairs = panel->choice == SEARCHES_LPA_STAR;
        if (panel->search != NULL && !repairs) result = searches_begin(lab, panel);
        for (int32_t side = 0; side < 4 && repairs && result == PLOY_OK; side++) {
            int32_t near = searches_neighbour(cell, side, SEARCHES_WIDTH, SEARCHES_HEIGHT);
            if (near < 0) continue;
            result = ploy_search_changed(panel->search, near, cell);
            if (result == PLOY_OK) result = ploy_search_changed(panel->search, cell, near);
        }
    }
    return result;
}

static ploy_vec2 searches_origin(int32_t panel) {
    return ploy_vec2_make((float)(panel % 2 * SEARCHES_STRIDE_X),
                          (float)((1 - panel / 2) * SEARCHES_STRIDE_Y));
}

// The cell of any panel at a point; -1 if there is none.
static int32_t searches_cell_at(ploy_vec2 at) {
    if (!(at.x >= 0.0f && at.x < 2.0f * SEARCHES_STRIDE_X)) return -1;
    if (!(at.y >= 0.0f && at.y < 2.0f * SEARCHES_STRIDE_Y)) return -1;
    int32_t x = (int32_t)at.x % SEARCHES_STRIDE_X, y = (int32_t)at.y % SEARCHES_STRIDE_Y;
    return x < SEARCHES_WIDTH && y < SEARCHES_HEIGHT ? y * SEARCHES_WIDTH + x : -1;
}

static ploy_result searches_lab_step(void *state, const ploy_sim_context *context) {
    searches_lab *lab = state;
    const searches_lab_def *params = context->params;
    lab->def.units = params->units; // the only parameter that does not start the searches again
    bool rebuild = memcmp(&lab->def, params, sizeof lab->def) != 0;
    memcpy(&lab->def, params, sizeof lab->def);
    ploy_result result = rebuild ? searches_rebuild(lab) : PLOY_OK;
    for (int32_t i = 0; i < context->input_count && result == PLOY_OK; i++) {
        if (!lab_input_is(&context->inputs[i], "click")) continue;
        int32_t cell = searches_cell_at(lab_input_point(&context->inputs[i]));
        if (lab->def.problem != SEARCHES_GRID || cell < 0) continue;
        if (cell != SEARCHES_START && cell != SEARCHES_GOAL) result = searches_toggle(lab, cell);
    }
    for (int32_t i = 0; i < SEARCHES_PANELS && result == PLOY_OK; i++) {
        ploy_search *search = lab->panels[i].search;
        if (search == NULL || ploy_search_outcome_of(search) != PLOY_SEARCH_OPEN) continue;
        ploy_budget budget = ploy_budget_units(lab->def.units);
        result = ploy_search_step(search, &budget);
        if (result == PLOY_IN_PROGRESS) result = PLOY_OK;
    }
    return result;
}

// ---- drawing and describing ----

static ploy_vec2 searches_middle(ploy_vec2 origin, int32_t cell) {
    return ploy_vec2_make(origin.x + (float)(cell % SEARCHES_WIDTH) + 0.5f,
                          origin.y + (float)(cell / SEARCHES_WIDTH) + 0.5f);
}

// The walls, the fill with the tree of its paths, and the path.
static void searches_draw_grid(const searches_lab *lab, const searches_panel *panel,
                               ploy_vec2 origin, ploy_draw *out) {
    static const ploy_style styles[] = {PLOY_STYLE_FLOOR, PLOY_STYLE_OPEN, PLOY_STYLE_CLOSED};
    ploy_agent_id none = ploy_agent_id_none();
    for (int32_t cell = 0; cell < SEARCHES_CELLS; cell++) {
        ploy_vec2 at = searches_middle(origin, cell);
        ploy_vec2 corners[4] = {{at.x - 0.5f, at.y - 0.5f},
                                {at.x + 0.5f, at.y - 0.5f},
                                {at.x + 0.5f, at.y + 0.5f},
                                {at.x - 0.5f, at.y + 0.5f}};
        ploy_search_node node = {.status = PLOY_SEARCH_UNSEEN, .parent = PLOY_STATE_NONE};
        if (!lab->wall[cell]) ploy_search_get(panel->search, cell, &node);
        ploy_style style = lab->wall[cell] ? PLOY_STYLE_WALL : styles[node.status];
        if (cell == panel->start) style = PLOY_STYLE_AGENT_A;
        if (cell == panel->goal) style = PLOY_STYLE_TARGET;
        ploy_draw_polygon(out, PLOY_LAYER_WORLD, style, none, corners, 4, 0.6f);
        if (node.parent == PLOY_STATE_NONE) continue;
        ploy_draw_line(out, PLOY_LAYER_PATHS, PLOY_STYLE_GHOST, none, at,
                       searches_middle(origin, node.parent));
    }
    ploy_edge path[SEARCHES_CELLS];
    int32_t count = ploy_search_path(panel->search, panel->goal, path, SEARCHES_CELLS, NULL);
    for (int32_t i = 0, from = panel->start; i < count && i < SEARCHES_CELLS; from = path[i++].to) {
        ploy_draw_line(out, PLOY_LAYER_PATHS, PLOY_STYLE_PATH, none, searches_middle(origin, from),
                       searches_middle(origin, path[i].to));
    }
}

// The scrambled board, the reached states by cost (right) and estimate (up), the tiles to slide.
static void searches_draw_puzzle(const searches_lab *lab, const searches_panel *panel,
                                 ploy_vec2 origin, ploy_draw *out) {
    ploy_agent_id none = ploy_agent_id_none();
    ploy_draw_text(out, none, ploy_vec2_make(origin.x, origin.y + 7.0f), lab->board);
    bool drawn[2][SEARCHES_LAYERS][SEARCHES_LAYERS] = {{{false}}}; // many states share a point
    for (int32_t i = 0; i < ploy_search_reached(panel->search); i++) {
        ploy_search_node node;
        int32_t state = ploy_search_reached_at(panel->search, i);
        if (!ploy_search_get(panel->search, state, &node)) continue;
        if (!(node.cost < SEARCHES_LAYERS && node.estimate < SEARCHES_LAYERS)) continue;
        bool open = node.status == PLOY_SEARCH_SEEN;
        bool *seen = &drawn[open][(int32_t)node.cost][(int32_t)node.estimate];
        ploy_vec2 at = ploy_vec2_make(origin.x + 0.3f * (float)node.cost + 0.1f * (float)open,
                                      origin.y + 0.8f + 0.15f * (float)node.estimate);
        ploy_style style = open ? PLOY_STYLE_OPEN : PLOY_STYLE_CLOSED;
        if (!*seen) ploy_draw_point(out, PLOY_LAYER_PATHS, style, none, at);
        *seen = true;
    }
    ploy_edge path[SEARCHES_CELLS];
    char text[SEARCHES_CELLS + 1] = "";
    int32_t count = ploy_search_path(panel->search, panel->goal, path, SEARCHES_CELLS, NULL);
    for (int32_t i = 0; i < count && i < SEARCHES_CELLS; i++) text[i] = (char)('0' + path[i].label);
    // A long path would run into the next panel.
    if (count > SEARCHES_SHOWN) memcpy(text + SEARCHES_SHOWN - 3, "...", 4);
    if (count > 0) ploy_draw_text(out, none, origin, text);
}

static void searches_lab_draw(const void *state, ploy_draw *out) {
    const searches_lab *lab = state;
    ploy_draw_key(out, PLOY_STYLE_AGENT_A, "start");
    ploy_draw_key(out, PLOY_STYLE_TARGET, "goal");
    ploy_draw_key(out, PLOY_STYLE_GHOST, "tree of the search");
    for (int32_t i = 0; i < SEARCHES_PANELS; i++) {
        const searches_panel *panel = &lab->panels[i];
        ploy_vec2 origin = searches_origin(i);
        if (panel->search == NULL) continue;
        if (panel->boards != NULL) searches_draw_puzzle(lab, panel, origin, out);
        if (panel->boards == NULL) searches_draw_grid(lab, panel, origin, out);
        ploy_search_stats stats = ploy_search_stats_of(panel->search);
        const char *outcome = ploy_search_outcome_text(ploy_search_outcome_of(panel->search));
        int steps = ploy_search_path(panel->search, panel->goal, NULL, 0, NULL);
        ploy_vec2 above = ploy_vec2_make(origin.x, origin.y + (float)SEARCHES_HEIGHT + 0.5f);
        char text[96];
        snprintf(text, sizeof text, "%d taken, %d open at most", (int)stats.taken,
                 (int)stats.peak_open);
        ploy_draw_text(out, ploy_agent_id_none(), above, text);
        int used = snprintf(text, sizeof text, "%s: %s", searches_choices[panel->choice], outcome);
        if (steps >= 0) snprintf(text + used, sizeof text - (size_t)used, ", %d steps", steps);
        above.y += 0.9f;
        ploy_draw_text(out, ploy_agent_id_none(), above, text);
    }
}

static void searches_lab_describe(const void *state, ploy_describe *out) {
    static const char *const names[SEARCHES_PANELS] = {"first", "second", "third", "fourth"};
    const searches_lab *lab = state;
    char walls[SEARCHES_CELLS + 1] = "";
    for (int32_t i = 0; i < SEARCHES_CELLS; i++) walls[i] = lab->wall[i] ? '#' : '.';
    ploy_describe_text(out, "walls", PLOY_STATE, walls);
    ploy_describe_text(out, "board", PLOY_STATE, lab->board);
    for (int32_t i = 0; i < SEARCHES_PANELS; i++) {
        const searches_panel *panel = &lab->panels[i];
        if (panel->search == NULL) continue;
        double cost = 0.0;
        int32_t steps = ploy_search_path(panel->search, panel->goal, NULL, 0, &cost);
        ploy_describe_begin(out, names[i]);
        ploy_describe_text(out, "method", PLOY_STATE, searches_choices[panel->choice]);
        ploy_describe_i64(out, "steps", PLOY_DERIVED, steps);
        if (steps >= 0) ploy_describe_f64(out, "cost", PLOY_DERIVED, cost);
        ploy_search_describe(panel->search, out);
        ploy_describe_end(out);
    }
}

static const ploy_command searches_lab_commands[] = {
    {"click", "toggle a wall", PLOY_VALUE_VEC2, false, "Pointer"},
};

extern const ploy_sim_type ploy_lab_search; // in labs.c
const ploy_sim_type ploy_lab_search = {
    .name = "search",
    .title = "Search methods",
    .help = "Up to four search methods solve the same grid or 8-puzzle with the same budget per "
            "tick. Click to toggle a wall: lpa* repairs its path, the others start again.",
    .version = 1,
    .capabilities = PLOY_SIM_INTERACTIVE | PLOY_SIM_DIAGRAM,
    .dt = 1.0f / 60.0f,
    .view = {-1.0f, -1.0f, 27.0f, 21.0f},
    .fields = searches_lab_get_fields,
    .commands = searches_lab_commands,
    .command_count = sizeof searches_lab_commands / sizeof searches_lab_commands[0],
    .create = searches_lab_create,
    .step = searches_lab_step,
    .draw = searches_lab_draw,
    .describe = searches_lab_describe,
};
