// Wave function collapse: what a run shows of itself, and its front.
#include "ploy/base/hash.h"

#include "generate/generate_internal.h"
#include "generate/wfc_run.h"

#include <string.h>

// ---- what came of it

ploy_generate_outcome ploy_wfc_outcome(const ploy_wfc *wfc) {
    ploy_generate_outcome outcome;
    memset(&outcome, 0, sizeof outcome);
    outcome.done = wfc->phase == WFC_DONE;
    outcome.partial = wfc->failed;
    outcome.limit = wfc->limit;
    outcome.count = wfc->failed ? wfc->best_decided : wfc->decided;
    outcome.attempts = wfc->decisions_made;
    outcome.rejected = wfc->conflicts;
    outcome.draws = wfc->draws + ploy_generate_draws(&wfc->rng);
    outcome.units = wfc->units;
    return outcome;
}

const int32_t *ploy_wfc_tiles(const ploy_wfc *wfc) {
    return wfc->failed ? wfc->best : wfc->tiles;
}

static int32_t wfc_cell(const ploy_wfc *wfc, int32_t column, int32_t row) {
    if (column < 0 || row < 0 || column >= wfc->columns || row >= wfc->rows) return -1;
    int32_t cell = row * wfc->columns + column;
    return wfc->phase == WFC_FILL && cell >= wfc->at ? -1 : cell;
}

int32_t ploy_wfc_left_at(const ploy_wfc *wfc, int32_t column, int32_t row) {
    int32_t cell = wfc_cell(wfc, column, row);
    return cell < 0 ? 0 : wfc->left[cell];
}

uint64_t ploy_wfc_options_at(const ploy_wfc *wfc, int32_t column, int32_t row) {
    if (column < 0 || row < 0 || column >= wfc->def.columns || row >= wfc->def.rows) return 0;
    // Near the far edges a tile belongs to the pattern of an earlier cell.
    int32_t x = column < wfc->columns ? column : wfc->columns - 1;
    int32_t y = row < wfc->rows ? row : wfc->rows - 1;
    int32_t cell = wfc_cell(wfc, x, y);
    const uint64_t *wave = cell < 0 ? NULL : wfc->wave + (ptrdiff_t)cell * wfc->words;
    uint64_t options = 0;
    for (int32_t p = 0; p < wfc->patterns; p++) {
        if (wave != NULL && !ployi_wfc_bit(wave, p)) continue;
        int32_t tile = ploy_wfc_model_tile(wfc->model, p, column - x, row - y);
        if (tile >= 0 && tile < 64) options |= (uint64_t)1 << tile;
    }
    return options;
}

ploy_wfc_conflict ploy_wfc_conflict_of(const ploy_wfc *wfc) {
    return wfc->conflict;
}

static ploy_content wfc_content(const ploy_wfc *wfc) {
    ploy_content content = ploy_content_none();
    content.kinds = PLOY_CONTENT_TILES;
    content.tiles = ploy_wfc_tiles(wfc);
    content.tile_columns = wfc->def.columns;
    content.tile_rows = wfc->def.rows;
    content.tile_size = 1.0f;
    ploy_vec2 corner = ploy_vec2_make((float)wfc->def.columns, (float)wfc->def.rows);
    content.area = ploy_box2_make(ploy_vec2_make(0.0f, 0.0f), corner);
    return content;
}

void ploy_wfc_describe(const ploy_wfc *wfc, ploy_describe *out) {
    uint64_t hash = 0;
    const int32_t *tiles = ploy_wfc_tiles(wfc);
    for (int32_t i = 0; i < wfc->def.columns * wfc->def.rows; i++) {
        hash = ploy_hash_combine(hash, (uint64_t)(uint32_t)tiles[i]);
    }
    ploy_describe_i64(out, "patterns", PLOY_STATE, wfc->patterns);
    ploy_describe_u64(out, "tiles", PLOY_STATE, hash);
    ploy_describe_begin(out, "statistics");
    ploy_describe_i64(out, "restarts", PLOY_STATE, wfc->restarts);
    ploy_describe_i64(out, "conflicts", PLOY_STATE, wfc->conflicts);
    ploy_describe_end(out);
    if (wfc->conflict.column < 0) return;
    ploy_describe_begin(out, "last conflict");
    ploy_describe_i64(out, "column", PLOY_STATE, wfc->conflict.column);
    ploy_describe_i64(out, "row", PLOY_STATE, wfc->conflict.row);
    ploy_describe_bool(out, "cut off", PLOY_STATE, wfc->conflict.cut_off);
    ploy_describe_end(out);
}

// One rectangle for each run of equal tiles in a row, with a style for each tile.
void ploy_wfc_draw(const ploy_wfc *wfc, ploy_draw *out) {
    static const ploy_style styles[] = {PLOY_STYLE_FLOOR,   PLOY_STYLE_WALL,    PLOY_STYLE_AGENT_A,
                                        PLOY_STYLE_AGENT_B, PLOY_STYLE_AGENT_C, PLOY_STYLE_AGENT_D,
                                        PLOY_STYLE_GOOD,    PLOY_STYLE_WARNING, PLOY_STYLE_BAD};
    ploy_content content = wfc_content(wfc);
    ployi_generate_draw_area(content.area, out);
    for (int32_t y = 0; y < wfc->def.rows; y++) {
        const int32_t *row = content.tiles + (ptrdiff_t)y * wfc->def.columns;
        for (int32_t x = 0, end; x < wfc->def.columns; x = end) {
            for (end = x + 1; end < wfc->def.columns && row[end] == row[x];) end++;
            if (row[x] < 0) continue;
            uint32_t style = (uint32_t)row[x] % (uint32_t)(sizeof styles / sizeof styles[0]);
            float left = (float)x, right = (float)end, low = (float)y, high = (float)(y + 1);
            ploy_vec2 corners[4] = {ploy_vec2_make(left, low), ploy_vec2_make(right, low),
                                    ploy_vec2_make(right, high), ploy_vec2_make(left, high)};
            ploy_draw_polygon(out, PLOY_LAYER_REGIONS, styles[style], ploy_agent_id_none(), corners,
                              4, 1.0f);
        }
    }
}

void ploy_wfc_memory(const ploy_wfc *wfc, ploy_memory_fn fn, void *user) {
    ploy_memory_item item = {"wfc", wfc->size, 1};
    fn(user, &item);
    if (wfc->paint != NULL) {
        ploy_memory_item paint = {"wfc paint",
                                  (size_t)wfc->cells * (size_t)wfc->words * sizeof *wfc->paint, 1};
        fn(user, &paint);
    }
    if (wfc->open_left != NULL) {
        ploy_memory_item links = {"wfc links", wfc->link_bytes, 1};
        fn(user, &links);
    }
    if (wfc->own != NULL) ploy_wfc_model_memory(wfc->own, fn, user);
}

// ---- the front

PLOYI_GENERATOR_CALLS(wfc)

static ploy_result wfc_front_begin(const void *def, ploy_rng_key key, const ploy_content *input,
                                   ploy_trace *trace, const ploy_env *env, void **out) {
    ploy_wfc_model *model = NULL;
    ploy_wfc *wfc = NULL;
    ploy_result result = ploy_wfc_model_from_sample(def, input->tiles, input->tile_columns,
                                                    input->tile_rows, env, &model);
    if (result == PLOY_OK) {
        result = ploy_wfc_begin(def, key, model, trace, env, &wfc);
        if (result == PLOY_OK) {
            wfc->own = model;
        } else {
            ploy_wfc_model_destroy(model);
        }
    }
    *out = wfc;
    return result;
}

const ploy_generator_type *ploy_wfc_generator(void) {
    static const ploy_generator_type type = {
        "wfc",
        "tiles that look like a sample, by wave function collapse",
        "one pattern removed or put back",
        PLOY_CONTENT_TILES,
        0,
        PLOY_CONTENT_TILES,
        PLOYI_GENERATOR_TABLE(wfc),
    };
    return &type;
}
