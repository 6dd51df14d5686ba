// The lab `searches`: game-tree searches side by side on one small tree, four of them or all, a node at a
// time. Inner nodes show their window and score, and a cut says why the rest of a node was not looked at.
//
// State: a search for each panel, and what it did to each node of the tree.
#include <stdio.h>
#include <string.h>

#include "labs/lab_input.h"
#include "labs/labs.h"
#include "ploy/board/search.h"
#include "ploy/board/tree.h"

static const char *const trees_methods[] = {"minimax",  "negamax", "alphabeta", "negascout",
                                            "pvs",      "mtdf",    "sss",       "dual",
                                            "mtd_best", "one_ply", "maxn",      "mt"};
static const ploy_board_method trees_kinds[] = {
    PLOY_BOARD_MINIMAX,  PLOY_BOARD_NEGAMAX, PLOY_BOARD_ALPHABETA, PLOY_BOARD_NEGASCOUT,
    PLOY_BOARD_PVS,      PLOY_BOARD_MTDF,    PLOY_BOARD_SSS,       PLOY_BOARD_DUAL,
    PLOY_BOARD_MTD_BEST, PLOY_BOARD_ONE_PLY, PLOY_BOARD_MAXN,      PLOY_BOARD_MT};
static const char *const trees_presets[] = {"random", "t1", "t2", "t3", "t4", "t5"};

enum { TREES_FEW = 4, TREES_PANELS = 12, TREES_NODES = 128, TREES_DEPTH = 6 };

typedef struct trees_lab_def {
    uint32_t cookie;
    ploy_board_tree_preset tree;
    int32_t depth, branching, period;
    int32_t first, second, third, fourth;
    bool all;
} trees_lab_def;

static const ploy_field trees_lab_fields[] = {
    PLOY_FIELD_ENUM(trees_lab_def, tree, PLOY_BOARD_TREE_T4, trees_presets, "which tree"),
    PLOY_FIELD_I32(trees_lab_def, depth, 4, 1, 4, "", "of a random tree"),
    PLOY_FIELD_I32(trees_lab_def, branching, 3, 1, 3, "", "of a random tree"),
    PLOY_FIELD_I32(trees_lab_def, period, 6, 1, 120, "ticks", "from node to node"),
    PLOY_FIELD_ENUM(trees_lab_def, first, 0, trees_methods, "top left"),
    PLOY_FIELD_ENUM(trees_lab_def, second, 2, trees_methods, "top right"),
    PLOY_FIELD_ENUM(trees_lab_def, third, 3, trees_methods, "bottom left"),
    PLOY_FIELD_ENUM(trees_lab_def, fourth, 5, trees_methods, "bottom right"),
    PLOY_FIELD_BOOL(trees_lab_def, all, false, "show all searches, not only these four"),
};

static ploy_fields trees_lab_get_fields(void) {
    return PLOY_FIELDS(trees_lab_def, trees_lab_fields);
}

// A node of the tree: where it is drawn, and what a search did there.
typedef struct trees_node {
    int32_t parent, level, move; // move is the child's number, from 0
    float x;
} trees_node;

typedef struct trees_mark {
    int32_t visits, alpha, beta, score;
    int32_t cut; // ploy_board_cut of the last visit
    bool left, entered;
} trees_mark;

typedef struct trees_panel {
    ploy_board_search *search;
    trees_mark marks[TREES_NODES];
    int32_t path[TREES_DEPTH + 1];
    int32_t at; // the node looked at last
    bool done;
} trees_panel;

typedef struct trees_lab {
    trees_lab_def def;
    ploy_env env;
    uint64_t seed;
    ploy_board_tree_def rules;
    ploy_board_type type; // the tree without its chance nodes, so that every search suits
    ploy_board board;
    trees_node nodes[TREES_NODES];
    int32_t count, depth;
    trees_panel panels[TREES_PANELS];
} trees_lab;

static int32_t trees_panels(const trees_lab *lab) {
    return lab->def.all ? TREES_PANELS : TREES_FEW;
}

// The method of a panel, an index of trees_methods.
static int32_t trees_method(const trees_lab *lab, int32_t panel) {
    const int32_t few[TREES_FEW] = {lab->def.first, lab->def.second, lab->def.third,
                                    lab->def.fourth};
    return lab->def.all ? panel : few[panel];
}

static int32_t trees_child(const trees_lab *lab, int32_t parent, int32_t move) {
    for (int32_t i = parent + 1; i < lab->count; i++) {
        if (lab->nodes[i].parent == parent && lab->nodes[i].move == move) return i;
    }
    return -1;
}

static void trees_watch(void *user, const ploy_board_event *event) {
    trees_lab *lab = ((void **)user)[0];
    trees_panel *panel = ((void **)user)[1];
    if (event->ply > TREES_DEPTH) return;
    if (event->entered) {
        panel->path[event->ply] = event->ply == 0 ? 0
                                                  : trees_child(lab, panel->path[event->ply - 1],
                                                                (int32_t)event->move - 1);
    }
    int32_t node = panel->path[event->ply];
    if (node < 0) return;
    panel->at = node;
    trees_mark *mark = &panel->marks[node];
    mark->visits += event->entered;
    mark->entered = true;
    mark->left = !event->entered;
    mark->cut = (int32_t)event->cut;
    // Windows and scores are drawn for the first player, in every node.
    mark->alpha = event->side == 1 ? -event->beta : event->alpha;
    mark->beta = event->side == 1 ? -event->alpha : event->beta;
    if (!event->entered) mark->score = event->side == 1 ? -event->score : event->score;
}

// Adds a node and all below it; leaves are spread evenly, parents are above their middle.
static void trees_build(trees_lab *lab, const void *position, int32_t parent, int32_t move,
                        int32_t level, float *next) {
    if (lab->count == TREES_NODES) return;
    int32_t own = lab->count++;
    lab->nodes[own] = (trees_node){parent, level, move, *next};
    if (level > lab->depth) lab->depth = level;
    if (lab->type.side(&lab->rules, position) == PLOY_BOARD_OVER) {
        *next += 1.0f;
        return;
    }
    ploy_board_move moves[8];
    int32_t count = lab->type.moves(&lab->rules, position, moves, 8);
    float first = *next;
    for (int32_t i = 0; i < count; i++) {
        uint64_t child[8];
        memcpy(child, position, sizeof child);
        lab->type.make(&lab->rules, child, moves[i], NULL);
        trees_build(lab, child, own, i, level + 1, next);
    }
    lab->nodes[own].x = 0.5f * (first + *next - 1.0f);
}

static ploy_result trees_rebuild(trees_lab *lab) {
    lab->rules = ploy_board_tree_def_default();
    lab->rules.preset = lab->def.tree;
    lab->rules.seed = lab->seed;
    lab->rules.depth = lab->def.depth;
    lab->rules.branching = lab->def.branching;
    lab->type = *ploy_board_tree();
    lab->type.flags &= ~(uint32_t)PLOY_BOARD_RANDOM;
    lab->board = ploy_board_of(&lab->type, &lab->rules);
    uint64_t start[8];
    memset(start, 0, sizeof start);
    lab->type.start(&lab->rules, start);
    lab->count = lab->depth = 0;
    float next = 0.0f;
    trees_build(lab, start, -1, 0, 0, &next);
    ploy_result result = PLOY_OK;
    for (int32_t i = 0; i < TREES_PANELS && result == PLOY_OK; i++) {
        trees_panel *panel = &lab->panels[i];
        ploy_board_search_destroy(panel->search);
        memset(panel, 0, sizeof *panel);
        if (i >= trees_panels(lab)) continue;
        ploy_board_search_def def = ploy_board_search_def_default();
        def.method = trees_kinds[trees_method(lab, i)];
        def.depth = lab->depth;
        def.max_ply = 8;
        def.distance = def.order_previous = false;
        def.table.kilobytes = def.method >= PLOY_BOARD_MT ? 16 : 0;
        result = ploy_board_search_create(&def, lab->board, &lab->env, &panel->search);
        if (result == PLOY_OK) result = ploy_board_search_begin(panel->search, start, NULL, 0);
    }
    return result;
}

static ploy_result trees_lab_create(const void *params, ploy_rng_key key, const ploy_env *env,
                                    void **out) {
    trees_lab *lab = ploy_env_alloc_zero(env, sizeof *lab);
    if (lab == NULL) return PLOY_ERR_MEMORY;
    memcpy(&lab->def, params, sizeof lab->def);
    lab->env = *env;
    lab->seed = key.bits;
    ploy_result result = trees_rebuild(lab);
    if (result == PLOY_OK) *out = lab;
    return result;
}

static ploy_result trees_lab_step(void *state, const ploy_sim_context *context) {
    trees_lab *lab = state;
    const trees_lab_def *params = context->params;
    lab->def.period = params->period;
    bool rebuild = memcmp(&lab->def, params, sizeof lab->def) != 0;
    memcpy(&lab->def, params, sizeof lab->def);
    ploy_result result = rebuild ? trees_rebuild(lab) : PLOY_OK;
    if (lab_input_count(context, "again") > 0) result = trees_rebuild(lab);
    bool turn = context->tick % (uint64_t)lab->def.period == 0;
    for (int32_t i = 0; i < trees_panels(lab) && result == PLOY_OK && turn; i++) {
        trees_panel *panel = &lab->panels[i];
        void *pair[2] = {lab, panel};
        ploy_board_hooks hooks = {.watch = trees_watch, .user = pair};
        ploy_board_search_hooks_set(panel->search, &hooks);
        ploy_budget budget = ploy_budget_units(1);
        result = ploy_board_search_step(panel->search, &budget);
        ploy_board_search_hooks_set(panel->search, NULL); // pair is gone after this step
        panel->done = result == PLOY_OK;
        if (result == PLOY_IN_PROGRESS) result = PLOY_OK;
    }
    return result;
}

// ---- sight

static ploy_vec2 trees_place(const trees_lab *lab, int32_t panel, int32_t node) {
    int32_t columns = lab->def.all ? 4 : 2, rows = trees_panels(lab) / columns;
    const float wide = 28.0f / (float)columns - 1.0f, high = 20.0f / (float)rows - 2.0f;
    float leaves = 1.0f;
    for (int32_t i = 0; i < lab->count; i++) {
        if (lab->nodes[i].x + 1.0f > leaves) leaves = lab->nodes[i].x + 1.0f;
    }
    float x =
        (float)(panel % columns) * (wide + 1.0f) + wide * (lab->nodes[node].x + 0.5f) / leaves;
    float y =
        (float)(rows - 1 - panel / columns) * (high + 2.0f) + high - (lab->def.all ? 1.6f : 1.0f);
    float step = (high - 2.0f) / (float)(lab->depth > 0 ? lab->depth : 1);
    return ploy_vec2_make(x, y - step * (float)lab->nodes[node].level);
}

static void trees_bound(char *text, size_t size, int32_t bound) {
    if (bound <= -PLOY_BOARD_INFINITY + 1)
        snprintf(text, size, "-inf");
    else if (bound >= PLOY_BOARD_INFINITY - 1)
        snprintf(text, size, "inf");
    else
        snprintf(text, size, "%d", bound);
}

static void trees_draw_node(const trees_lab *lab, int32_t number, int32_t node, ploy_draw *out) {
    const trees_panel *panel = &lab->panels[number];
    const trees_mark *mark = &panel->marks[node];
    ploy_agent_id none = ploy_agent_id_none();
    ploy_vec2 at = trees_place(lab, number, node);
    if (node > 0) {
        ploy_style style = mark->entered ? PLOY_STYLE_PATH : PLOY_STYLE_GHOST;
        ploy_draw_line(out, PLOY_LAYER_PATHS, style, none,
                       trees_place(lab, number, lab->nodes[node].parent), at);
    }
    ploy_style style = !mark->entered                      ? PLOY_STYLE_GHOST
                       : !mark->left                       ? PLOY_STYLE_OPEN
                       : mark->cut == PLOY_BOARD_CUT_BETA  ? PLOY_STYLE_BAD
                       : mark->cut == PLOY_BOARD_CUT_TABLE ? PLOY_STYLE_WARNING
                                                           : PLOY_STYLE_CLOSED;
    bool now = panel->at == node && !panel->done;
    ploy_draw_disc(out, PLOY_LAYER_AGENTS, style, none, at, now ? 0.3f : 0.2f, 0.9f);
    if (!mark->entered) return;
    char text[64] = "";
    if (mark->left) {
        bool cut = mark->cut == PLOY_BOARD_CUT_BETA || mark->cut == PLOY_BOARD_CUT_TABLE;
        bool leaf = lab->nodes[node].level == lab->depth; // no room for words there
        snprintf(text, sizeof text, "%d %s", mark->score,
                 cut && !leaf && !lab->def.all ? ploy_board_cut_text((ploy_board_cut)mark->cut)
                                               : "");
    } else {
        char low[16], high[16];
        trees_bound(low, sizeof low, mark->alpha);
        trees_bound(high, sizeof high, mark->beta);
        snprintf(text, sizeof text, "%s, %s", low, high);
    }
    ploy_draw_text(out, none, ploy_vec2_make(at.x + 0.25f, at.y + 0.2f), text);
}

// What a panel shows and what its search found: one line for four panels, two narrow ones for all.
static void trees_draw_title(const trees_lab *lab, int32_t panel, ploy_draw *out) {
    const char *name = trees_methods[trees_method(lab, panel)];
    ploy_board_outcome outcome = ploy_board_search_outcome(lab->panels[panel].search);
    ploy_agent_id none = ploy_agent_id_none();
    float y = trees_place(lab, panel, 0).y;
    char text[96];
    if (lab->def.all) {
        float x = (float)(panel % 4) * 7.0f;
        ploy_draw_text(out, none, ploy_vec2_make(x, y + 1.5f), name);
        int used = snprintf(text, sizeof text, "%d leaves", (int)outcome.leaves);
        if (outcome.done) {
            snprintf(text + used, sizeof text - (size_t)used, ": %d", outcome.score);
        }
        ploy_draw_text(out, none, ploy_vec2_make(x, y + 0.8f), text);
        return;
    }
    int used = snprintf(text, sizeof text, "%s: %d nodes, %d leaves", name, (int)outcome.nodes,
                        (int)outcome.leaves);
    if (outcome.done) {
        snprintf(text + used, sizeof text - (size_t)used, ", value %d, move %d", outcome.score,
                 (int)outcome.move);
    }
    ploy_draw_text(out, none, ploy_vec2_make((float)(panel % 2) * 14.0f, y + 0.9f), text);
}

static void trees_lab_draw(const void *state, ploy_draw *out) {
    const trees_lab *lab = state;
    ploy_draw_key(out, PLOY_STYLE_PATH, "edges that were entered");
    ploy_draw_key(out, PLOY_STYLE_OPEN, "being searched");
    ploy_draw_key(out, PLOY_STYLE_CLOSED, "searched");
    ploy_draw_key(out, PLOY_STYLE_BAD, "cut off by a bound");
    ploy_draw_key(out, PLOY_STYLE_WARNING, "answered by the table");
    ploy_draw_key(out, PLOY_STYLE_GHOST, "not entered");
    for (int32_t p = 0; p < trees_panels(lab); p++) {
        for (int32_t i = 0; i < lab->count; i++) trees_draw_node(lab, p, i, out);
        trees_draw_title(lab, p, out);
    }
}

static void trees_lab_describe(const void *state, ploy_describe *out) {
    static const char *const names[TREES_FEW] = {"first", "second", "third", "fourth"};
    const trees_lab *lab = state;
    ploy_describe_i64(out, "nodes", PLOY_STATE, lab->count);
    for (int32_t p = 0; p < trees_panels(lab); p++) {
        const trees_panel *panel = &lab->panels[p];
        ploy_describe_begin(out, lab->def.all ? trees_methods[p] : names[p]);
        ploy_describe_bool(out, "finished", PLOY_STATE, panel->done);
        ploy_describe_i64(out, "at", PLOY_STATE, panel->at);
        ploy_board_search_describe(panel->search, out);
        for (int32_t i = 0; i < lab->count; i++) {
            const trees_mark *mark = &panel->marks[i];
            if (!mark->entered) continue;
            ploy_describe_begin_item(out, i);
            ploy_describe_i64(out, "visits", PLOY_STATE, mark->visits);
            ploy_describe_i64(out, "alpha", PLOY_STATE, mark->alpha);
            ploy_describe_i64(out, "beta", PLOY_STATE, mark->beta);
            ploy_describe_i64(out, "score", PLOY_STATE, mark->score);
            ploy_describe_text(out, "cut", PLOY_STATE,
                               ploy_board_cut_text((ploy_board_cut)mark->cut));
            ploy_describe_end(out);
        }
        ploy_describe_end(out);
    }
}

static const ploy_command trees_lab_commands[] = {
    {"again", "start again", PLOY_VALUE_NONE, false, "a"},
};

extern const ploy_sim_type ploy_lab_searches; // in labs.c
const ploy_sim_type ploy_lab_searches = {
    .name = "searches",
    .title = "Game-tree searches",
    .help = "Game-tree searches, four or all of them, on the same small tree, one node at a time. "
            "Open nodes show "
            "their window, closed ones their score for the first player and why they were cut.",
    .version = 1,
    .capabilities = PLOY_SIM_INTERACTIVE | PLOY_SIM_DIAGRAM,
    .dt = 1.0f / 30.0f,
    .view = {-1.0f, -1.0f, 28.0f, 19.0f},
    .fields = trees_lab_get_fields,
    .commands = trees_lab_commands,
    .command_count = sizeof trees_lab_commands / sizeof trees_lab_commands[0],
    .create = trees_lab_create,
    .step = trees_lab_step,
    .draw = trees_lab_draw,
    .describe = trees_lab_describe,
};
