// The lab of wave function collapse: more of a small sample, tile by tile. A cell that is not decided shows the
// tiles that it can still become; a click paints a tile there and the run starts again with it.
#include "ploy/generate/wfc.h"

#include <stddef.h>
#include <stdio.h>

#include "labs/lab_seed.h"
#include "labs/labs.h"

enum { WFC_LAB_TILES = 4, WFC_LAB_SAMPLE = 12, WFC_LAB_PAINTED = 256 };

// Water, sand, grass, trees; the highest row first.
static const char *const wfc_lab_sample[WFC_LAB_SAMPLE] = {
    "gggggttttggg", "gggggtttgggg", "ggsssggggggg", "gsswwssggggg", "gswwwwsggttg", "gswwwssggttg",
    "gsswssgggggg", "ggsssggggggg", "ggggggsssggg", "gttgggswsggg", "gtttggsssggg", "ggttgggggggg"};
static const char wfc_lab_letters[] = "wsgt";
static const char *const wfc_lab_names[] = {"water", "sand", "grass", "trees"};
static const ploy_style wfc_lab_styles[WFC_LAB_TILES] = {PLOY_STYLE_AGENT_A, PLOY_STYLE_WARNING,
                                                         PLOY_STYLE_GOOD, PLOY_STYLE_CLOSED};

typedef struct wfc_lab_def {
    uint32_t cookie;
    int32_t slice;
    int32_t tile; // what a click paints
    int32_t size;
    int32_t n;
    int32_t symmetry;
    bool periodic;
    ploy_wfc_order order;
} wfc_lab_def;

static const char *const wfc_lab_orders[] = {"entropy", "fewest", "scanline"};

static const ploy_field wfc_lab_fields[] = {
    PLOY_FIELD_I32(wfc_lab_def, slice, 400, 1, 100000, "", "patterns removed in a tick"),
    PLOY_FIELD_ENUM(wfc_lab_def, tile, 0, wfc_lab_names, "tile that a click paints"),
    PLOY_FIELD_I32(wfc_lab_def, size, 24, 6, 48, "", "tiles along a side"),
    PLOY_FIELD_I32(wfc_lab_def, n, 3, 2, 3, "", "side of a pattern, tiles"),
    PLOY_FIELD_I32(wfc_lab_def, symmetry, 8, 1, 8, "", "turned and mirrored forms of a pattern"),
    PLOY_FIELD_BOOL(wfc_lab_def, periodic, false, "the result repeats at its edges"),
    PLOY_FIELD_ENUM(wfc_lab_def, order, PLOY_WFC_ENTROPY, wfc_lab_orders,
                    "which cell is decided next"),
};

static ploy_fields wfc_lab_get_fields(void) {
    return PLOY_FIELDS(wfc_lab_def, wfc_lab_fields);
}

typedef struct wfc_lab_paint {
    int32_t column, row, tile;
} wfc_lab_paint;

typedef struct wfc_lab {
    lab_seed base;
    wfc_lab_def def;
    ploy_wfc_model *model;
    ploy_wfc *wfc;
    wfc_lab_paint painted[WFC_LAB_PAINTED]; // the newest counts for its cell
    int32_t painted_count;
} wfc_lab;

static ploy_wfc_def wfc_lab_settings(const wfc_lab *lab) {
    ploy_wfc_def def = ploy_wfc_def_default();
    def.columns = def.rows = lab->def.size;
    def.n = lab->def.n;
    def.symmetry = lab->def.symmetry;
    def.periodic = lab->def.periodic;
    def.order = lab->def.order;
    def.max_restarts = 20;
    return def;
}

static bool wfc_lab_covered(const wfc_lab *lab, int32_t index) {
    for (int32_t i = index + 1; i < lab->painted_count; i++) {
        if (lab->painted[i].column == lab->painted[index].column &&
            lab->painted[i].row == lab->painted[index].row) {
            return true;
        }
    }
    return false;
}

static ploy_result wfc_lab_begin(wfc_lab *lab) {
    ploy_wfc_cancel(lab->wfc);
    ploy_wfc_model_destroy(lab->model);
    lab->wfc = NULL;
    lab->model = NULL;
    int32_t tiles[WFC_LAB_SAMPLE * WFC_LAB_SAMPLE];
    for (int32_t i = 0; i < WFC_LAB_SAMPLE * WFC_LAB_SAMPLE; i++) {
        char letter = wfc_lab_sample[WFC_LAB_SAMPLE - 1 - i / WFC_LAB_SAMPLE][i % WFC_LAB_SAMPLE];
        tiles[i] = (int32_t)(strchr(wfc_lab_letters, letter) - wfc_lab_letters);
    }
    ploy_wfc_def def = wfc_lab_settings(lab);
    ploy_result result = ploy_wfc_model_from_sample(&def, tiles, WFC_LAB_SAMPLE, WFC_LAB_SAMPLE,
                                                    &lab->base.env, &lab->model);
    if (result != PLOY_OK) return result;
    result = ploy_wfc_begin(&def, ploy_rng_key_split(lab->base.key, lab->base.seed), lab->model,
                            NULL, &lab->base.env, &lab->wfc);
    for (int32_t i = 0; i < lab->painted_count && result == PLOY_OK; i++) {
        const wfc_lab_paint *one = &lab->painted[i];
        if (one->column >= lab->def.size || one->row >= lab->def.size) continue;
        if (wfc_lab_covered(lab, i)) continue;
        result = ploy_wfc_allow(lab->wfc, one->column, one->row, &one->tile, 1);
    }
    return result;
}

static ploy_result wfc_lab_create(const void *params, ploy_rng_key key, const ploy_env *env,
                                  void **out) {
    wfc_lab *lab = lab_seed_alloc(sizeof *lab, offsetof(wfc_lab, def), params, sizeof lab->def,
                                  ploy_rng_key_split(key, 1), env);
    if (lab == NULL) return PLOY_ERR_MEMORY;
    ploy_result result = wfc_lab_begin(lab);
    if (result == PLOY_OK) *out = lab;
    return result;
}

// Adds what was painted in this tick and takes back what was undone. True if anything changed.
static bool wfc_lab_paint_inputs(wfc_lab *lab, const ploy_sim_context *context) {
    bool changed = false;
    for (int32_t i = 0; i < context->input_count; i++) {
        const ploy_input *input = &context->inputs[i];
        if (lab_input_is(input, "paint")) {
            ploy_vec2 at = lab_input_point(input);
            float side = (float)lab->def.size;
            if (!(at.x >= 0 && at.y >= 0 && at.x < side && at.y < side)) continue;
            if (lab->painted_count == WFC_LAB_PAINTED) continue;
            wfc_lab_paint paint = {(int32_t)at.x, (int32_t)at.y, lab->def.tile};
            lab->painted[lab->painted_count++] = paint;
            changed = true;
        } else if (lab_input_is(input, "undo") && lab->painted_count > 0) {
            lab->painted_count--;
            changed = true;
        } else if (lab_input_is(input, "clear") && lab->painted_count > 0) {
            lab->painted_count = 0;
            changed = true;
        }
    }
    return changed;
}

static ploy_result wfc_lab_step(void *state, const ploy_sim_context *context) {
    wfc_lab *lab = state;
    static const size_t kept[] = {offsetof(wfc_lab_def, slice), offsetof(wfc_lab_def, tile)};
    bool again = lab_seed_again(&lab->base, "seed", kept, 2, &lab->def, sizeof lab->def, context);
    again |= wfc_lab_paint_inputs(lab, context);
    if (again) {
        ploy_result result = wfc_lab_begin(lab);
        if (result != PLOY_OK) return result;
    }
    ploy_budget budget = ploy_budget_units(lab->def.slice);
    ploy_result result = ploy_wfc_step(lab->wfc, &budget);
    return result == PLOY_IN_PROGRESS ? PLOY_OK : result;
}

static void wfc_lab_square(ploy_vec2 low, float side, ploy_style style, float alpha,
                           ploy_draw *out) {
    ploy_vec2 corners[4] = {
        low, {low.x + side, low.y}, {low.x + side, low.y + side}, {low.x, low.y + side}};
    ploy_draw_polygon(out, PLOY_LAYER_WORLD, style, ploy_agent_id_none(), corners, 4, alpha);
}

// A decided cell as its tile; another as four quarters, one for each tile that it can still become.
static void wfc_lab_draw_cell(const wfc_lab *lab, int32_t column, int32_t row, ploy_draw *out) {
    int32_t tile = ploy_wfc_tiles(lab->wfc)[row * lab->def.size + column];
    ploy_vec2 low = {(float)column, (float)row};
    if (tile >= 0) {
        wfc_lab_square(low, 1.0f, wfc_lab_styles[tile], 0.9f, out);
        return;
    }
    uint64_t options = ploy_wfc_options_at(lab->wfc, column, row);
    for (int32_t i = 0; i < WFC_LAB_TILES; i++) {
        if ((options >> i & 1) == 0) continue;
        ploy_vec2 part = {low.x + 0.1f + 0.42f * (float)(i % 2),
                          low.y + 0.1f + 0.42f * (float)(i / 2)};
        wfc_lab_square(part, 0.38f, wfc_lab_styles[i], 0.35f, out);
    }
}

static void wfc_lab_draw(const void *state, ploy_draw *out) {
    const wfc_lab *lab = state;
    ploy_draw_key(out, PLOY_STYLE_AGENT_A, "water");
    ploy_draw_key(out, PLOY_STYLE_WARNING, "sand");
    ploy_draw_key(out, PLOY_STYLE_GOOD, "grass");
    ploy_draw_key(out, PLOY_STYLE_CLOSED, "trees");
    ploy_draw_key(out, PLOY_STYLE_TARGET, "painted cell");
    ploy_draw_key(out, PLOY_STYLE_BAD, "cell without a possible tile");
    int32_t side = lab->def.size, open = 0;
    for (int32_t i = 0; i < side * side; i++) {
        wfc_lab_draw_cell(lab, i % side, i / side, out);
        open += ploy_wfc_tiles(lab->wfc)[i] < 0;
    }
    for (int32_t i = 0; i < lab->painted_count; i++) {
        if (wfc_lab_covered(lab, i)) continue;
        ploy_vec2 at = {(float)lab->painted[i].column + 0.5f, (float)lab->painted[i].row + 0.5f};
        ploy_draw_circle(out, PLOY_LAYER_AGENTS, PLOY_STYLE_TARGET, ploy_agent_id_none(), at, 0.3f);
    }
    ploy_generate_outcome outcome = ploy_wfc_outcome(lab->wfc);
    ploy_wfc_conflict conflict = ploy_wfc_conflict_of(lab->wfc);
    if (outcome.partial && conflict.column >= 0) {
        ploy_vec2 at = {(float)conflict.column + 0.5f, (float)conflict.row + 0.5f};
        ploy_draw_circle(out, PLOY_LAYER_AGENTS, PLOY_STYLE_BAD, ploy_agent_id_none(), at, 0.8f);
    }
    char text[160];
    snprintf(text, sizeof text, "%d patterns, %d cells open, %d decisions, %d conflicts%s%s",
             (int)ploy_wfc_model_count(lab->model), (int)open, (int)outcome.attempts,
             (int)outcome.rejected, outcome.partial ? ": no result " : "",
             outcome.partial ? outcome.limit : "");
    ploy_draw_text(out, ploy_agent_id_none(), ploy_vec2_make(0.0f, -1.2f), text);
}

static void wfc_lab_describe(const void *state, ploy_describe *out) {
    const wfc_lab *lab = state;
    ploy_describe_u64(out, "seed", PLOY_STATE, lab->base.seed);
    ploy_describe_i64(out, "painted", PLOY_STATE, lab->painted_count);
    for (int32_t i = 0; i < lab->painted_count; i++) {
        lab_begin_numbered(out, "paint", i, ploy_agent_id_none());
        ploy_describe_i64(out, "column", PLOY_STATE, lab->painted[i].column);
        ploy_describe_i64(out, "row", PLOY_STATE, lab->painted[i].row);
        ploy_describe_text(out, "tile", PLOY_STATE, wfc_lab_names[lab->painted[i].tile]);
        ploy_describe_end(out);
    }
    ploy_describe_begin(out, "run");
    ploy_wfc_describe(lab->wfc, out);
    ploy_describe_end(out);
}

static const ploy_command wfc_lab_commands[] = {
    {"paint", "paint the chosen tile", PLOY_VALUE_VEC2, false, "Pointer"},
    {"undo", "take the last painted tile back", PLOY_VALUE_NONE, false, "u"},
    {"clear", "take all painted tiles back", PLOY_VALUE_NONE, false, "c"},
    {"seed", "start again with another seed", PLOY_VALUE_NONE, false, "r"},
};

extern const ploy_sim_type ploy_lab_wfc; // in labs.c
const ploy_sim_type ploy_lab_wfc = {
    .name = "wfc",
    .title = "Wave function collapse",
    .help = "More of a sample of lakes, beaches, grass and trees. Small squares are the tiles that "
            "a cell can still "
            "become. Click to paint the chosen tile; the run starts again around it.",
    .version = 1,
    .capabilities = PLOY_SIM_INTERACTIVE | PLOY_SIM_DIAGRAM,
    .dt = 1.0f / 60.0f,
    .view = {-1.0f, -2.0f, 25.0f, 25.0f},
    .fields = wfc_lab_get_fields,
    .commands = wfc_lab_commands,
    .command_count = sizeof wfc_lab_commands / sizeof wfc_lab_commands[0],
    .create = wfc_lab_create,
    .destroy = NULL, // the region goes with the simulation
    .step = wfc_lab_step,
    .draw = wfc_lab_draw,
    .describe = wfc_lab_describe,
};
