// Runs of wave function collapse: decide, remove what lost its support, undo on a conflict.
#include "ploy/generate/wfc.h"

#include "ploy/base/math.h"

#include "generate/wfc_run.h"

#include <math.h>
#include <string.h>

// ---- life

// Cuts the next array out of a block; only counts while `block` is NULL.
static void *wfc_cut(char *block, size_t *used, int64_t count, size_t size) {
    size_t at = (*used + 7) & ~(size_t)7;
    if (!ploy_size_add_array(at, count, size, used)) *used = SIZE_MAX / 2;
    return block == NULL ? NULL : block + at;
}

static size_t wfc_lay_out(ploy_wfc *wfc, char *block) {
    size_t used = sizeof *wfc;
    int64_t cells = wfc->cells, states = cells * wfc->patterns;
    int64_t area = (int64_t)wfc->def.columns * wfc->def.rows;
    wfc->wave = wfc_cut(block, &used, cells * wfc->words, sizeof *wfc->wave);
    wfc->sum = wfc_cut(block, &used, cells, sizeof *wfc->sum);
    wfc->sum_log = wfc_cut(block, &used, cells, sizeof *wfc->sum_log);
    wfc->key = wfc_cut(block, &used, cells, sizeof *wfc->key);
    wfc->decisions = wfc_cut(block, &used, cells, sizeof *wfc->decisions);
    wfc->support =
        wfc_cut(block, &used, (states + wfc->patterns) * WFC_DIRECTIONS, sizeof *wfc->support);
    wfc->near = wfc_cut(block, &used, wfc->model->all_first[wfc->model->count], sizeof *wfc->near);
    wfc->lost = wfc_cut(block, &used, wfc->model->most + 1, sizeof *wfc->lost);
    wfc->trail = wfc_cut(block, &used, states, sizeof *wfc->trail);
    wfc->left = wfc_cut(block, &used, cells, sizeof *wfc->left);
    wfc->around = wfc_cut(block, &used, cells * WFC_DIRECTIONS, sizeof *wfc->around);
    wfc->noise = wfc_cut(block, &used, cells, sizeof *wfc->noise);
    wfc->row_of = wfc_cut(block, &used, cells, sizeof *wfc->row_of);
    wfc->row_lowest = wfc_cut(block, &used, wfc->rows, sizeof *wfc->row_lowest);
    wfc->tiles = wfc_cut(block, &used, area, sizeof *wfc->tiles);
    wfc->best = wfc_cut(block, &used, area, sizeof *wfc->best);
    wfc->inner = wfc_cut(block, &used, cells, sizeof *wfc->inner);
    wfc->stale = wfc_cut(block, &used, cells, sizeof *wfc->stale);
    wfc->row_stale = wfc_cut(block, &used, wfc->rows, sizeof *wfc->row_stale);
    return used;
}

static void wfc_begin_start(ploy_wfc *wfc) {
    wfc->rng = ploy_rng_from_key(wfc->decide_key, (uint64_t)wfc->restarts);
    wfc->backtracks = 0;
    for (int32_t i = 0; i < wfc->cells; i++) {
        wfc->noise[i] =
            1e-4f * ploy_rng_float_at(wfc->noise_key, (uint32_t)i, (uint64_t)wfc->restarts, 0);
        wfc->stale[i] = 1;
    }
    memset(wfc->row_stale, 1, (size_t)wfc->rows);
}

static int32_t wfc_neighbour(const ploy_wfc *wfc, int32_t x, int32_t y, int32_t direction) {
    static const int32_t dx[4] = {1, 0, 0, -1}, dy[4] = {0, 1, -1, 0};
    x += dx[direction];
    y += dy[direction];
    if (wfc->def.periodic) {
        x = (x + wfc->columns) % wfc->columns;
        y = (y + wfc->rows) % wfc->rows;
    }
    if (x < 0 || y < 0 || x >= wfc->columns || y >= wfc->rows) return -1;
    return y * wfc->columns + x;
}

ploy_result ploy_wfc_begin(const ploy_wfc_def *def, ploy_rng_key key, const ploy_wfc_model *model,
                           ploy_trace *trace, const ploy_env *env, ploy_wfc **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    ploy_result result = ploy_fields_check(ploy_wfc_fields(), def, env);
    if (result != PLOY_OK) return result;
    if (model == NULL) return PLOY_ERR_ARGUMENT;
    ploy_wfc plan;
    memset(&plan, 0, sizeof plan);
    plan.def = *def;
    plan.model = model;
    plan.patterns = model->count;
    plan.words = ployi_wfc_words(model->count);
    // Without wrapping, the last patterns reach to the edge.
    plan.columns = def->periodic ? def->columns : def->columns - model->n + 1;
    plan.rows = def->periodic ? def->rows : def->rows - model->n + 1;
    if (plan.columns < 1 || plan.rows < 1) {
        ploy_env_log(env, PLOY_SEVERITY_ERROR, "columns and rows must be at least n");
        return PLOY_ERR_ARGUMENT;
    }
    plan.cells = plan.columns * plan.rows;
    int64_t states = (int64_t)plan.cells * plan.patterns;
    if (states >= INT32_MAX) {
        ploy_env_log(env, PLOY_SEVERITY_ERROR,
                     "too many cells for the number of patterns: the product must be below 2^31");
        return PLOY_ERR_ARGUMENT;
    }
    plan.size = wfc_lay_out(&plan, NULL);
    ploy_wfc *wfc = ploy_env_alloc(env, plan.size);
    if (wfc == NULL) return PLOY_ERR_MEMORY;
    *wfc = plan;
    (void)wfc_lay_out(wfc, (char *)wfc);
    wfc->env = *env;
    wfc->trace = trace;
    wfc->decide_key = ploy_generate_stream(key, "decide");
    wfc->noise_key = ploy_generate_stream(key, "noise");
    wfc->limit = "";
    wfc->best_decided = -1;
    wfc->conflict.column = wfc->conflict.row = -1;
    for (int32_t i = 0; i < wfc->patterns; i++) {
        wfc->total += model->weights[i];
        wfc->total_log += model->logs[i];
    }
    wfc->supported = ployi_wfc_support_begin(wfc);
    for (int32_t i = 0; i < wfc->cells; i++) wfc->row_of[i] = i / wfc->columns;
    int32_t area = def->columns * def->rows;
    for (int32_t i = 0; i < area; i++) wfc->tiles[i] = wfc->best[i] = -1;
    wfc_begin_start(wfc);
    *out = wfc;
    return PLOY_OK;
}

void ploy_wfc_cancel(ploy_wfc *wfc) {
    if (wfc == NULL) return;
    ploy_env env = wfc->env;
    ploy_wfc_model_destroy(wfc->own);
    size_t paint = (size_t)wfc->cells * (size_t)wfc->words * sizeof *wfc->paint;
    if (wfc->paint != NULL) ploy_env_free(&env, wfc->paint, paint);
    if (wfc->open_left != NULL) ploy_env_free(&env, wfc->open_left, wfc->link_bytes);
    ploy_env_free(&env, wfc, wfc->size);
}

// ---- painting

static bool wfc_untouched(const ploy_wfc *wfc) {
    return wfc->phase == WFC_FILL && wfc->at == 0;
}

ploy_result ploy_wfc_allow(ploy_wfc *wfc, int32_t column, int32_t row, const int32_t *tiles,
                           int32_t count) {
    if (column < 0 || row < 0 || column >= wfc->def.columns || row >= wfc->def.rows ||
        tiles == NULL || count < 1) {
        return PLOY_ERR_ARGUMENT;
    }
    if (!wfc_untouched(wfc)) return PLOY_ERR_STATE;
    if (wfc->paint == NULL) {
        size_t size = (size_t)wfc->cells * (size_t)wfc->words * sizeof *wfc->paint;
        wfc->paint = ploy_env_alloc(&wfc->env, size);
        if (wfc->paint == NULL) return PLOY_ERR_MEMORY;
        memset(wfc->paint, 0xff, size);
    }
    // At the far edge a tile belongs to the last pattern.
    int32_t x = column < wfc->columns ? column : wfc->columns - 1;
    int32_t y = row < wfc->rows ? row : wfc->rows - 1;
    uint64_t *set = wfc->paint + (ptrdiff_t)(y * wfc->columns + x) * wfc->words;
    for (int32_t p = 0; p < wfc->patterns; p++) {
        int32_t tile = ploy_wfc_model_tile(wfc->model, p, column - x, row - y);
        bool found = false;
        for (int32_t i = 0; i < count && !found; i++) found = tiles[i] == tile;
        if (!found) set[p >> 6] &= ~((uint64_t)1 << (p & 63));
    }
    return PLOY_OK;
}

static size_t wfc_lay_out_links(ploy_wfc *wfc, char *block) {
    size_t used = 0;
    int64_t cells = wfc->cells;
    wfc->open_left = wfc_cut(block, &used, cells * WFC_DIRECTIONS, sizeof *wfc->open_left);
    wfc->queue = wfc_cut(block, &used, cells, sizeof *wfc->queue);
    wfc->came = wfc_cut(block, &used, cells, sizeof *wfc->came);
    for (int32_t i = 0; i < PLOY_WFC_LINKS_MAX; i++) {
        wfc->links[i].path = wfc_cut(block, &used, cells, sizeof(int32_t));
    }
    wfc->open = wfc_cut(block, &used, wfc->patterns, sizeof *wfc->open);
    return used;
}

ploy_result ploy_wfc_connect(ploy_wfc *wfc, int32_t from_column, int32_t from_row,
                             int32_t to_column, int32_t to_row, const uint8_t *open,
                             int32_t count) {
    if (from_column < 0 || from_row < 0 || from_column >= wfc->columns || from_row >= wfc->rows ||
        to_column < 0 || to_row < 0 || to_column >= wfc->columns || to_row >= wfc->rows ||
        (wfc->open == NULL && (open == NULL || count < 1))) {
        return PLOY_ERR_ARGUMENT;
    }
    if (!wfc_untouched(wfc)) return PLOY_ERR_STATE;
    if (wfc->link_count == PLOY_WFC_LINKS_MAX) return PLOY_ERR_CAPACITY;
    if (wfc->open == NULL) {
        wfc->link_bytes = wfc_lay_out_links(wfc, NULL);
        char *block = ploy_env_alloc_zero(&wfc->env, wfc->link_bytes);
        if (block == NULL) return PLOY_ERR_MEMORY;
        (void)wfc_lay_out_links(wfc, block);
        for (int32_t p = 0; p < wfc->patterns; p++) {
            int32_t tile = ploy_wfc_model_tile(wfc->model, p, 0, 0);
            wfc->open[p] = tile >= 0 && tile < count ? (uint8_t)(open[tile] & 15u) : 0;
        }
    }
    wfc_link *link = &wfc->links[wfc->link_count++];
    link->from = from_row * wfc->columns + from_column;
    link->to = to_row * wfc->columns + to_column;
    link->length = 0;
    return PLOY_OK;
}

// ---- removing and putting back

static int32_t wfc_first(const ploy_wfc *wfc, int32_t cell) {
    const uint64_t *set = wfc->wave + (ptrdiff_t)cell * wfc->words;
    for (int32_t i = 0; i < wfc->patterns; i++) {
        if (set[i >> 6] == 0) {
            i |= 63;
        } else if (ployi_wfc_bit(set, i)) {
            return i;
        }
    }
    return -1;
}

// Writes the tiles that follow from the cell's pattern; -1 takes them back.
static void wfc_show(ploy_wfc *wfc, int32_t cell, int32_t pattern) {
    int32_t x = cell % wfc->columns, y = cell / wfc->columns;
    int32_t right = x == wfc->columns - 1 ? wfc->def.columns : x + 1;
    int32_t top = y == wfc->rows - 1 ? wfc->def.rows : y + 1;
    for (int32_t row = y; row < top; row++) {
        for (int32_t column = x; column < right; column++) {
            wfc->tiles[row * wfc->def.columns + column] =
                ploy_wfc_model_tile(wfc->model, pattern, column - x, row - y);
        }
    }
}

static void wfc_touch(ploy_wfc *wfc, int32_t cell) {
    wfc->stale[cell] = 1;
    wfc->row_stale[wfc->row_of[cell]] = 1;
}

static void wfc_conflict(ploy_wfc *wfc, int32_t cell, bool cut_off);

// Takes a pattern out of a cell that has it. False if it was the last one.
static bool wfc_remove(ploy_wfc *wfc, int32_t cell, int32_t pattern) {
    uint64_t *word = wfc->wave + (ptrdiff_t)cell * wfc->words + (pattern >> 6);
    *word &= ~((uint64_t)1 << (pattern & 63));
    wfc->trail[wfc->removed++] = (wfc_removal){cell, pattern};
    ployi_wfc_support_gone(wfc, cell, pattern);
    wfc->sum[cell] -= wfc->model->weights[pattern];
    wfc->sum_log[cell] -= wfc->model->logs[pattern];
    int32_t left = --wfc->left[cell];
    if (wfc->open != NULL) {
        for (int32_t d = 0; d < WFC_DIRECTIONS; d++) {
            wfc->open_left[cell * WFC_DIRECTIONS + d] -= wfc->open[pattern] >> d & 1;
        }
    }
    wfc_touch(wfc, cell);
    if (left == 1) {
        wfc->decided++;
        wfc_show(wfc, cell, wfc_first(wfc, cell));
    } else if (left == 0) {
        wfc->decided--;
        wfc_show(wfc, cell, -1);
    }
    return left > 0;
}

// Propagates one removal. Goes through all of it even on a conflict, so that it can be undone whole.
static void wfc_propagate(ploy_wfc *wfc, wfc_removal removal) {
    int32_t empty = -1, count = ployi_wfc_support_take(wfc, removal);
    const int32_t *lost = wfc->lost;
    for (int32_t i = 0; i < count; i++) {
        int32_t beside = wfc->around[removal.cell * WFC_DIRECTIONS + (lost[i] & 3)];
        int32_t other = lost[i] >> 2;
        if (beside < 0) continue;
        if (!ployi_wfc_bit(wfc->wave + (ptrdiff_t)beside * wfc->words, other)) continue;
        if (!wfc_remove(wfc, beside, other)) empty = beside;
    }
    if (empty >= 0) wfc_conflict(wfc, empty, false);
}

static void wfc_put_back(ploy_wfc *wfc, wfc_removal removal) {
    int32_t cell = removal.cell, pattern = removal.pattern;
    uint64_t *word = wfc->wave + (ptrdiff_t)cell * wfc->words + (pattern >> 6);
    *word |= (uint64_t)1 << (pattern & 63);
    ployi_wfc_support_back(wfc, cell, pattern);
    wfc->sum[cell] += wfc->model->weights[pattern];
    wfc->sum_log[cell] += wfc->model->logs[pattern];
    if (wfc->open != NULL) {
        for (int32_t d = 0; d < WFC_DIRECTIONS; d++) {
            wfc->open_left[cell * WFC_DIRECTIONS + d] += wfc->open[pattern] >> d & 1;
        }
    }
    int32_t left = ++wfc->left[cell];
    if (left == 1) {
        wfc->decided++;
        wfc_show(wfc, cell, pattern);
    } else if (left == 2) {
        wfc->decided--;
        wfc_show(wfc, cell, -1);
    }
    wfc_touch(wfc, cell);
}

// ---- conflicts

static void wfc_finish(ploy_wfc *wfc, bool failed, const char *limit) {
    wfc->phase = WFC_DONE;
    wfc->failed = failed;
    wfc->limit = limit;
}

static void wfc_report(ploy_wfc *wfc, int32_t cell, bool cut_off) {
    ploy_wfc_conflict *conflict = &wfc->conflict;
    conflict->column = cell % wfc->columns;
    conflict->row = cell / wfc->columns;
    conflict->cut_off = cut_off;
    for (int32_t d = 0; d < WFC_DIRECTIONS; d++) {
        int32_t beside = wfc->around[cell * WFC_DIRECTIONS + d];
        conflict->around[d] = beside < 0 ? -1 : wfc->left[beside];
        conflict->tiles[d] = -1;
        if (conflict->around[d] == 1) {
            conflict->tiles[d] = ploy_wfc_model_tile(wfc->model, wfc_first(wfc, beside), 0, 0);
        }
    }
    if (wfc->trace == NULL) return;
    static const char *const names[] = {"patterns at +x", "patterns at +y", "patterns at -y",
                                        "patterns at -x"};
    ploy_trace_begin(wfc->trace, ploy_agent_id_none(), "conflict", "wfc");
    ploy_trace_i64(wfc->trace, "column", conflict->column);
    ploy_trace_i64(wfc->trace, "row", conflict->row);
    for (int32_t d = 0; d < WFC_DIRECTIONS; d++) {
        ploy_trace_i64(wfc->trace, names[d], conflict->around[d]);
    }
    ploy_trace_note(wfc->trace,
                    cut_off ? "no path to the cell is left" : "no pattern fits its neighbours");
    ploy_trace_end(wfc->trace);
}

static void wfc_conflict(ploy_wfc *wfc, int32_t cell, bool cut_off) {
    wfc->conflicts++;
    wfc_report(wfc, cell, cut_off);
    if (wfc->decided > wfc->best_decided) {
        wfc->best_decided = wfc->decided;
        memcpy(wfc->best, wfc->tiles,
               (size_t)wfc->def.columns * (size_t)wfc->def.rows * sizeof *wfc->best);
    }
    if (wfc->depth == 0) { // nothing was decided: there is no such result
        wfc_finish(wfc, true, "");
        return;
    }
    wfc->phase = WFC_UNDO;
    if (wfc->backtracks == wfc->def.max_backtracks) {
        if (wfc->restarts == wfc->def.max_restarts) {
            wfc_finish(wfc, true, "max_restarts");
            return;
        }
        wfc->restarts++;
        wfc->draws += ploy_generate_draws(&wfc->rng);
        wfc_begin_start(wfc);
        wfc->depth = 0;
        wfc->mark = wfc->base;
        wfc->ruled_out[0] = -1;
        return;
    }
    wfc->backtracks++;
    const wfc_decision *last = &wfc->decisions[--wfc->depth];
    wfc->mark = last->mark;
    wfc->ruled_out[0] = last->cell;
    wfc->ruled_out[1] = last->pattern;
}

// Takes back one removal, or ends the backtracking.
static void wfc_undo(ploy_wfc *wfc) {
    if (wfc->removed > wfc->mark) {
        wfc_removal removal = wfc->trail[--wfc->removed];
        if (wfc->removed < wfc->head) {
            ployi_wfc_support_give(wfc, removal);
            wfc->head = wfc->removed;
        }
        wfc_put_back(wfc, removal);
        return;
    }
    wfc->phase = WFC_PROPAGATE;
    if (wfc->depth == 0) wfc->base = wfc->mark;
    int32_t cell = wfc->ruled_out[0];
    if (cell >= 0 && !wfc_remove(wfc, cell, wfc->ruled_out[1])) wfc_conflict(wfc, cell, false);
}

// ---- the start

static void wfc_fill(ploy_wfc *wfc, int32_t cell) {
    uint64_t *set = wfc->wave + (ptrdiff_t)cell * wfc->words;
    memset(set, 0xff, (size_t)wfc->words * sizeof *set);
    if ((wfc->patterns & 63) != 0) {
        set[wfc->words - 1] = ((uint64_t)1 << (wfc->patterns & 63)) - 1;
    }
    wfc->left[cell] = wfc->patterns;
    wfc->sum[cell] = wfc->total;
    wfc->sum_log[cell] = wfc->total_log;
    ployi_wfc_support_fill(wfc, cell);
    int32_t x = cell % wfc->columns, y = cell / wfc->columns;
    for (int32_t d = 0; d < WFC_DIRECTIONS; d++) {
        wfc->around[cell * WFC_DIRECTIONS + d] = wfc_neighbour(wfc, x, y, d);
        if (wfc->open == NULL) continue;
        int32_t open = 0;
        for (int32_t p = 0; p < wfc->patterns; p++) open += wfc->open[p] >> d & 1;
        wfc->open_left[cell * WFC_DIRECTIONS + d] = open;
    }
    if (wfc->patterns == 1) {
        wfc->decided++;
        wfc_show(wfc, cell, 0);
    }
}

static bool wfc_possible(const ploy_wfc *wfc, int32_t cell, int32_t pattern) {
    const ploy_wfc_model *model = wfc->model;
    for (int32_t d = 0; d < WFC_DIRECTIONS; d++) {
        bool supported = model->first[d][pattern + 1] > model->first[d][pattern];
        if (!supported && wfc->around[cell * WFC_DIRECTIONS + d] >= 0) return false;
    }
    if (wfc->paint != NULL && !ployi_wfc_bit(wfc->paint + (ptrdiff_t)cell * wfc->words, pattern)) {
        return false;
    }
    if (!model->ground) return true;
    int32_t y = cell / wfc->columns;
    if (wfc->def.periodic) {
        // The row of patterns whose highest tiles are the ground, seen from the top of the result.
        bool seam = y == ((wfc->rows - model->n + 1) % wfc->rows + wfc->rows) % wfc->rows;
        return model->wrapped < 0 || seam == (pattern == model->wrapped);
    }
    return y == 0 ? ployi_wfc_bit(model->lowest, pattern) : pattern != model->wrapped;
}

static void wfc_begin_cell(ploy_wfc *wfc, int32_t cell) {
    bool some = true;
    if (wfc->supported && wfc->paint == NULL && !wfc->model->ground) return; // all are possible
    for (int32_t p = 0; p < wfc->patterns && some; p++) {
        if (!wfc_possible(wfc, cell, p)) some = wfc_remove(wfc, cell, p);
    }
    if (!some) wfc_conflict(wfc, cell, false);
}

// ---- links

static bool wfc_passes(const ploy_wfc *wfc, int32_t cell, int32_t direction) {
    int32_t beside = wfc->around[cell * WFC_DIRECTIONS + direction];
    return beside >= 0 && wfc->open_left[cell * WFC_DIRECTIONS + direction] > 0 &&
           wfc->open_left[beside * WFC_DIRECTIONS + 3 - direction] > 0;
}

static bool wfc_path_holds(const ploy_wfc *wfc, const wfc_link *link) {
    if (link->length == 0) return false;
    for (int32_t i = 0; i + 1 < link->length; i++) {
        bool found = false;
        for (int32_t d = 0; d < WFC_DIRECTIONS && !found; d++) {
            found = wfc->around[link->path[i] * WFC_DIRECTIONS + d] == link->path[i + 1] &&
                    wfc_passes(wfc, link->path[i], d);
        }
        if (!found) return false;
    }
    return true;
}

// A shortest path through cells that can still be open.
static bool wfc_find_path(ploy_wfc *wfc, wfc_link *link) {
    for (int32_t i = 0; i < wfc->cells; i++) wfc->came[i] = -1;
    int32_t head = 0, tail = 0;
    wfc->came[link->to] = link->to;
    wfc->queue[tail++] = link->to; // from the end, so that the path comes out in order
    while (head < tail && wfc->came[link->from] < 0) {
        int32_t cell = wfc->queue[head++];
        for (int32_t d = 0; d < WFC_DIRECTIONS; d++) {
            int32_t beside = wfc->around[cell * WFC_DIRECTIONS + d];
            if (beside < 0 || wfc->came[beside] >= 0 || !wfc_passes(wfc, cell, d)) continue;
            wfc->came[beside] = cell;
            wfc->queue[tail++] = beside;
        }
    }
    link->length = 0;
    if (wfc->came[link->from] < 0) return false;
    for (int32_t cell = link->from;; cell = wfc->came[cell]) {
        link->path[link->length++] = cell;
        if (cell == link->to) return true;
    }
}

static void wfc_check_links(ploy_wfc *wfc) {
    wfc->phase = WFC_DECIDE;
    for (int32_t i = 0; i < wfc->link_count; i++) {
        wfc_link *link = &wfc->links[i];
        if (wfc_path_holds(wfc, link) || wfc_find_path(wfc, link)) continue;
        wfc_conflict(wfc, link->to, true);
        return;
    }
}

// ---- decisions

static double wfc_key(const ploy_wfc *wfc, int32_t cell) {
    if (wfc->left[cell] <= 1) return (double)INFINITY;
    switch (wfc->def.order) {
    case PLOY_WFC_FEWEST: return wfc->left[cell] + (double)wfc->noise[cell];
    case PLOY_WFC_SCANLINE: return cell;
    default: break;
    }
    double sum = (double)wfc->sum[cell];
    return ploy_log(sum) - (double)wfc->sum_log[cell] / (WFC_LOG_SCALE * sum) +
           (double)wfc->noise[cell];
}

static int32_t wfc_row(ploy_wfc *wfc, int32_t row) {
    if (!wfc->row_stale[row]) return wfc->row_lowest[row];
    wfc->row_stale[row] = 0;
    int32_t best = -1, first = row * wfc->columns, end = first + wfc->columns;
    uint8_t *stale = wfc->stale;
    double *keys = wfc->key, least = (double)INFINITY;
    for (int32_t i = first; i < end; i++) {
        if (stale[i]) {
            stale[i] = 0;
            keys[i] = wfc_key(wfc, i);
        }
        bool less = keys[i] < least;
        least = less ? keys[i] : least;
        best = less ? i : best;
    }
    wfc->row_lowest[row] = best;
    return best;
}

static void wfc_decide(ploy_wfc *wfc) {
    int32_t cell = -1;
    for (int32_t row = 0; row < wfc->rows; row++) {
        int32_t lowest = wfc_row(wfc, row);
        if (lowest >= 0 && (cell < 0 || wfc->key[lowest] < wfc->key[cell])) cell = lowest;
    }
    if (cell < 0) {
        wfc_finish(wfc, false, "");
        return;
    }
    uint64_t draw = ploy_rng_below(&wfc->rng, (uint64_t)wfc->sum[cell]);
    const uint64_t *set = wfc->wave + (ptrdiff_t)cell * wfc->words;
    int32_t chosen = -1;
    for (int32_t p = 0; p < wfc->patterns; p++) {
        if (!ployi_wfc_bit(set, p)) continue;
        chosen = p;
        if (draw < (uint64_t)wfc->model->weights[p]) break;
        draw -= (uint64_t)wfc->model->weights[p];
    }
    if (wfc->trace != NULL) {
        ploy_trace_begin(wfc->trace, ploy_agent_id_none(), "cell", "wfc");
        ploy_trace_i64(wfc->trace, "column", cell % wfc->columns);
        ploy_trace_i64(wfc->trace, "row", cell / wfc->columns);
        ploy_trace_i64(wfc->trace, "patterns", wfc->left[cell]);
        ploy_trace_i64(wfc->trace, "chosen", chosen);
        ploy_trace_f32(wfc->trace, "share",
                       (float)wfc->model->weights[chosen] / (float)wfc->sum[cell]);
        ploy_trace_end(wfc->trace);
    }
    wfc->decisions_made++;
    wfc_decision *decision = &wfc->decisions[wfc->depth++];
    decision->cell = cell;
    decision->pattern = chosen;
    decision->mark = wfc->removed;
    for (int32_t p = 0; p < wfc->patterns; p++) {
        if (p != chosen && ployi_wfc_bit(set, p)) (void)wfc_remove(wfc, cell, p);
    }
    wfc->phase = WFC_PROPAGATE;
}

// ---- steps

static void wfc_work(ploy_wfc *wfc) {
    switch (wfc->phase) {
    case WFC_FILL:
        wfc_fill(wfc, wfc->at++);
        if (wfc->at == wfc->cells) {
            wfc->at = 0;
            wfc->phase = WFC_BEGIN;
        }
        return;
    case WFC_BEGIN:
        wfc_begin_cell(wfc, wfc->at++);
        if (wfc->phase == WFC_BEGIN && wfc->at == wfc->cells) wfc->phase = WFC_PROPAGATE;
        return;
    case WFC_PROPAGATE:
        if (wfc->head < wfc->removed) {
            wfc_propagate(wfc, wfc->trail[wfc->head++]);
            return;
        }
        if (wfc->depth == 0) wfc->base = wfc->removed;
        wfc->phase = WFC_LINKS;
        return;
    case WFC_LINKS: wfc_check_links(wfc); return;
    case WFC_DECIDE: wfc_decide(wfc); return;
    case WFC_UNDO: wfc_undo(wfc); return;
    case WFC_DONE: return;
    }
}

ploy_result ploy_wfc_step(ploy_wfc *wfc, ploy_budget *budget) {
    while (wfc->phase != WFC_DONE) {
        if (budget != NULL && !ploy_budget_spend(budget, 1)) return PLOY_IN_PROGRESS;
        wfc->units++;
        wfc_work(wfc);
    }
    return PLOY_OK;
}
