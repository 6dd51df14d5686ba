// Filters over grids; the technique is described in the header.
//
// One pass goes row by row. A window holds copies of the 2 s + 1 rows around the present one, each
// padded by s cells as the border says, so that the kernel needs no cases and rows behind the
// window can be overwritten:
//
//     window     slot of source row y: (y + s) mod (2 s + 1)
//     top        copies of the first s rows, which the border `wrap` needs again at the end
//     column     a separable kernel's sum over the window's columns, padding included
//
// A full kernel is one weighted sum of (2 s + 1)^2 shifted rows, a separable one two such sums.
//
// Invariants while work is under way:
//   (1) rows below `row` of the pass are written, the window holds rows row - s to row + s - 1;
//   (2) sums are added in a fixed order, so slicing and vector width change no bit.
#include "ploy/tactics/convolve.h"

#include "base/compiler.h"
#include "ploy/base/math.h"
#include "tactics/analysis_internal.h"

#include <math.h>
#include <string.h>

// Cells summed at a time, and cells of a budget unit.
enum { CONVOLVE_BLOCK = 32, CONVOLVE_UNIT = 64 };

struct ploy_convolve {
    ploy_env env;
    int32_t width, height, pitch; // pitch: of a padded row
    size_t size;                  // bytes of `memory`
    float *memory;
    float *window[PLOY_CONVOLVE_SIDE];
    float *top[PLOY_CONVOLVE_SIZE];
    float *column, *result;
    ploy_convolve_kernel kernel;
    ploy_convolve_options options;
    const ploy_tactics_layer *from;
    ploy_tactics_layer *to;
    bool running;
    bool prepared;                    // the present pass's sources are in, and its window is filled
    bool unknown[PLOY_CONVOLVE_SIDE]; // by slot of the window: a cell is not finite
    int32_t row, passes;
    double total;  // of the map when the work began, which the sources must not change
    float change;  // in the present pass
    float changed; // in the last one
};

static const char *const convolve_borders[] = {"renormalise", "zero", "clamp", "wrap"};

const char *ploy_convolve_border_text(ploy_convolve_border border) {
    return (int32_t)border >= 0 && border < PLOY_CONVOLVE_BORDERS ? convolve_borders[border] : "";
}

ploy_convolve_options ploy_convolve_options_default(void) {
    ploy_convolve_options options = {PLOY_CONVOLVE_RENORMALISE, 0.0f, 1, -1.0f,
                                     PLOY_CONVOLVE_NO_SOURCES,  NULL};
    return options;
}

ploy_result ploy_convolve_create(const ploy_places *places, const ploy_env *env,
                                 ploy_convolve **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL || !ploy_places_is_complete(places) || places->width == 0) {
        return PLOY_ERR_ARGUMENT;
    }
    // Blocks may read beyond a row's end.
    int32_t pitch = places->width + 2 * PLOY_CONVOLVE_SIZE + CONVOLVE_BLOCK;
    int32_t rows = PLOY_CONVOLVE_SIDE + PLOY_CONVOLVE_SIZE + 2;
    size_t size = 0;
    if (!ploy_size_add_array(0, (int64_t)pitch * rows, sizeof(float), &size)) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_convolve *convolve = ploy_env_alloc_zero(env, sizeof *convolve);
    if (convolve == NULL) return PLOY_ERR_MEMORY;
    convolve->env = *env;
    convolve->width = places->width;
    convolve->height = places->height;
    convolve->pitch = pitch;
    convolve->size = size;
    convolve->memory = ploy_env_alloc_zero(env, size);
    if (convolve->memory == NULL) {
        ploy_convolve_destroy(convolve);
        return PLOY_ERR_MEMORY;
    }
    float *at = convolve->memory;
    for (int32_t i = 0; i < PLOY_CONVOLVE_SIDE; i++, at += pitch) convolve->window[i] = at;
    for (int32_t i = 0; i < PLOY_CONVOLVE_SIZE; i++, at += pitch) convolve->top[i] = at;
    convolve->column = at;
    convolve->result = at + pitch;
    *out = convolve;
    return PLOY_OK;
}

void ploy_convolve_destroy(ploy_convolve *convolve) {
    if (convolve == NULL) return;
    ploy_env env = convolve->env;
    ploy_env_free(&env, convolve->memory, convolve->size);
    ploy_env_free(&env, convolve, sizeof *convolve);
}

// ---- one row

// out[x] = sum of weights[i] * rows[i][x], added in the order of i. Reads whole blocks of the rows
// and writes whole blocks: both have room.
PLOYI_INLINE void convolve_sum_body(int32_t count, int32_t taps, const float *const *rows,
                                    const float *weights, float *restrict out) {
    // Four vectors in registers: compilers keep an array of sums in memory.
    for (int32_t x = 0; x < count; x += CONVOLVE_BLOCK) {
        ployi_f8 a = PLOYI_SET8(0.0f), b = a, c = a, d = a;
        for (int32_t k = 0; k < taps; k++) {
            const float *row = rows[k] + x;
            ployi_f8 weight = PLOYI_SET8(weights[k]), e, f, g, h;
            PLOYI_LOAD8(e, row);
            PLOYI_LOAD8(f, row + 8);
            PLOYI_LOAD8(g, row + 16);
            PLOYI_LOAD8(h, row + 24);
            a = PLOYI_ADD8(a, PLOYI_MUL8(weight, e));
            b = PLOYI_ADD8(b, PLOYI_MUL8(weight, f));
            c = PLOYI_ADD8(c, PLOYI_MUL8(weight, g));
            d = PLOYI_ADD8(d, PLOYI_MUL8(weight, h));
        }
        PLOYI_STORE8(out + x, a);
        PLOYI_STORE8(out + x + 8, b);
        PLOYI_STORE8(out + x + 16, c);
        PLOYI_STORE8(out + x + 24, d);
    }
}

PLOYI_KERNEL(convolve_sum,
             (int32_t count, int32_t taps, const float *const *rows, const float *weights,
              float *restrict out),
             (count, taps, rows, weights, out))

// Copies a row; *unknown becomes 1 if a cell is NaN or infinite.
PLOYI_INLINE void convolve_copy_body(int32_t count, const float *restrict from, float *restrict to,
                                     int32_t *unknown) {
    int32_t found = 0;
    for (int32_t i = 0; i < count; i++) {
        float value = from[i];
        to[i] = value;
        found |= value - value != 0.0f;
    }
    *unknown = found;
}

PLOYI_KERNEL(convolve_copy,
             (int32_t count, const float *restrict from, float *restrict to, int32_t *unknown),
             (count, from, to, unknown))

// The source row that is used for row y; -1 if there is none.
static int32_t convolve_row_of(const ploy_convolve *convolve, int32_t y) {
    if (y >= 0 && y < convolve->height) return y;
    switch (convolve->options.border) {
    case PLOY_CONVOLVE_CLAMP: return y < 0 ? 0 : convolve->height - 1;
    case PLOY_CONVOLVE_WRAP: return ((y % convolve->height) + convolve->height) % convolve->height;
    default: return -1;
    }
}

static float convolve_outside(const ploy_convolve *convolve) {
    return convolve->options.border == PLOY_CONVOLVE_ZERO ? convolve->options.outside : 0.0f;
}

// Puts `size` cells before and behind a row.
static void convolve_pad(const ploy_convolve *convolve, float *row) {
    int32_t size = convolve->kernel.size, width = convolve->width;
    float *cells = row + size;
    for (int32_t i = 1; i <= size; i++) {
        switch (convolve->options.border) {
        case PLOY_CONVOLVE_CLAMP:
            cells[-i] = cells[0];
            cells[width - 1 + i] = cells[width - 1];
            break;
        case PLOY_CONVOLVE_WRAP:
            cells[-i] = cells[(width - i % width) % width];
            cells[width - 1 + i] = cells[(i - 1) % width];
            break;
        default: cells[-i] = cells[width - 1 + i] = convolve_outside(convolve); break;
        }
    }
}

static int32_t convolve_slot_index(const ploy_convolve *convolve, int32_t y) {
    int32_t side = 2 * convolve->kernel.size + 1;
    return (y + side) % side;
}

static float *convolve_slot(const ploy_convolve *convolve, int32_t y) {
    return convolve->window[convolve_slot_index(convolve, y)];
}

// Copies row y, or what is in its place, into the window.
static void convolve_load(ploy_convolve *convolve, const float *source, int32_t y) {
    int32_t size = convolve->kernel.size, width = convolve->width;
    int32_t index = convolve_slot_index(convolve, y), row = convolve_row_of(convolve, y);
    float *slot = convolve->window[index];
    if (row < 0) {
        float outside = convolve_outside(convolve);
        convolve->unknown[index] = false;
        for (int32_t i = 0; i < width + 2 * size; i++) slot[i] = outside;
        return;
    }
    // At the end of a wrapped map the first rows have been overwritten already.
    const float *from = source + (size_t)row * (size_t)width;
    if (y >= convolve->height && row < size) from = convolve->top[row] + size;
    int32_t unknown = 0;
    convolve_copy(width, from, slot + size, &unknown);
    convolve->unknown[index] = unknown != 0;
    convolve_pad(convolve, slot);
}

// Sums of the weights of a kernel that are inside the map, for the row and the column.
static float convolve_inside(const float *weights, int32_t size, int32_t at, int32_t length) {
    float sum = 0.0f;
    for (int32_t i = -size; i <= size; i++) {
        if (at + i >= 0 && at + i < length) sum += weights[i + size];
    }
    return sum;
}

// Total weight over the weight inside; 1 where the kernel has no total to keep.
static float convolve_factor(const ploy_convolve *convolve, int32_t x, int32_t y) {
    const ploy_convolve_kernel *kernel = &convolve->kernel;
    int32_t size = kernel->size, side = 2 * size + 1;
    float total = 0.0f, inside = 0.0f;
    if (kernel->separable) {
        total = convolve_inside(kernel->across, size, size, side) *
                convolve_inside(kernel->along, size, size, side);
        inside = convolve_inside(kernel->across, size, x, convolve->width) *
                 convolve_inside(kernel->along, size, y, convolve->height);
    } else {
        for (int32_t j = -size; j <= size; j++) {
            const float *weights = kernel->full + (j + size) * side;
            total += convolve_inside(weights, size, size, side);
            if (y + j >= 0 && y + j < convolve->height) {
                inside += convolve_inside(weights, size, x, convolve->width);
            }
        }
    }
    return total == 0.0f || inside == 0.0f ? 1.0f : total / inside;
}

// Scales the cells of a finished row whose neighbourhood is not all inside.
static void convolve_renormalise(const ploy_convolve *convolve, int32_t y, float *row) {
    int32_t size = convolve->kernel.size, width = convolve->width;
    bool edge = y < size || y >= convolve->height - size;
    for (int32_t x = 0; x < width; x++) {
        // Between the edges all factors of a row are equal.
        if (!edge && x == size && width > 2 * size) x = width - size;
        if (x >= width) break;
        row[x] *= convolve_factor(convolve, x, y);
    }
}

static float convolve_weight(const ploy_convolve_kernel *kernel, int32_t i, int32_t j) {
    int32_t side = 2 * kernel->size + 1;
    return kernel->separable ? kernel->across[i] * kernel->along[j] : kernel->full[j * side + i];
}

// The slow form for maps with unknown cells.
static void convolve_row_unknown(const ploy_convolve *convolve, int32_t y, float *out) {
    const ploy_convolve_kernel *kernel = &convolve->kernel;
    int32_t size = kernel->size, side = 2 * size + 1;
    bool renormalise = convolve->options.border == PLOY_CONVOLVE_RENORMALISE;
    for (int32_t x = 0; x < convolve->width; x++) {
        float sum = 0.0f, total = 0.0f, inside = 0.0f;
        for (int32_t j = 0; j < side; j++) {
            int32_t row = y + j - size;
            const float *cells = convolve_slot(convolve, row);
            for (int32_t i = 0; i < side; i++) {
                float weight = convolve_weight(kernel, i, j), value = cells[x + i];
                bool beyond = renormalise && (row < 0 || row >= convolve->height || x + i < size ||
                                              x + i >= convolve->width + size);
                total += weight;
                if (beyond || (renormalise && isnan(value))) continue;
                inside += weight;
                sum += weight * (isnan(value) ? convolve_outside(convolve) : value);
            }
        }
        bool scales = renormalise && total != 0.0f && inside != 0.0f;
        float centre = convolve_slot(convolve, y)[x + size];
        out[x] = isnan(centre) ? NAN : scales ? sum * (total / inside) : sum;
    }
}

// Computes row y from the window.
static void convolve_row(ploy_convolve *convolve, int32_t y, float *out) {
    const ploy_convolve_kernel *kernel = &convolve->kernel;
    int32_t size = kernel->size, side = 2 * size + 1;
    const float *rows[PLOY_CONVOLVE_SIDE * PLOY_CONVOLVE_SIDE];
    rows[0] = convolve->column; // compilers do not see that there is one at least
    bool unknown = false;
    for (int32_t j = 0; j < side; j++) unknown = unknown || convolve->unknown[j];
    if (unknown) {
        convolve_row_unknown(convolve, y, out);
        return;
    }
    if (kernel->separable) {
        for (int32_t j = 0; j < side; j++) rows[j] = convolve_slot(convolve, y + j - size);
        convolve_sum(convolve->width + 2 * size, side, rows, kernel->along, convolve->column);
        for (int32_t i = 0; i < side; i++) rows[i] = convolve->column + i;
        convolve_sum(convolve->width, side, rows, kernel->across, out);
    } else {
        for (int32_t j = 0; j < side; j++) {
            for (int32_t i = 0; i < side; i++) {
                rows[j * side + i] = convolve_slot(convolve, y + j - size) + i;
            }
        }
        convolve_sum(convolve->width, side * side, rows, kernel->full, out);
    }
    if (convolve->options.border == PLOY_CONVOLVE_RENORMALISE && size > 0) {
        convolve_renormalise(convolve, y, out);
    }
}

// ---- sources

static double convolve_total(const float *cells, int32_t count, int32_t *known) {
    double total = 0.0;
    *known = 0;
    for (int32_t i = 0; i < count; i++) {
        if (isnan(cells[i])) continue;
        total += (double)cells[i];
        ++*known;
    }
    return total;
}

// Writes or adds the sources before a pass; the map is `to` then.
static void convolve_sources_in(ploy_convolve *convolve, float *cells) {
    for (int32_t i = 0; i < convolve->width * convolve->height; i++) {
        float source = ploy_tactics_layer_at(convolve->options.sources, i);
        if (isnan(source) || source == 0.0f || isnan(cells[i])) continue;
        cells[i] = convolve->options.mode == PLOY_CONVOLVE_SET ? source : cells[i] + source;
    }
}

// Removes what a pass added in all.
static void convolve_sources_out(const ploy_convolve *convolve, float *cells) {
    int32_t count = convolve->width * convolve->height, known = 0;
    double total = convolve_total(cells, count, &known);
    if (known == 0) return;
    float less = (float)((total - convolve->total) / known);
    float factor = total != 0.0 ? (float)(convolve->total / total) : 1.0f;
    bool scales = convolve->options.mode == PLOY_CONVOLVE_SCALE;
    for (int32_t i = 0; i < count; i++) {
        if (!isnan(cells[i])) cells[i] = scales ? cells[i] * factor : cells[i] - less;
    }
}

// ---- the work

static bool convolve_fits(const ploy_convolve *convolve, const ploy_tactics_layer *layer) {
    if (layer == NULL || ploy_tactics_layer_kind(layer) != PLOY_TACTICS_NUMBERS) return false;
    const ploy_places *places = ploy_tactics_layer_places(layer);
    return places->width == convolve->width && places->height == convolve->height;
}

ploy_result ploy_convolve_begin(ploy_convolve *convolve, const ploy_convolve_kernel *kernel,
                                const ploy_convolve_options *options,
                                const ploy_tactics_layer *from, ploy_tactics_layer *to) {
    if (convolve == NULL || kernel == NULL || options == NULL || kernel->size < 0 ||
        kernel->size > PLOY_CONVOLVE_SIZE || (int32_t)options->border < 0 ||
        options->border >= PLOY_CONVOLVE_BORDERS || options->times < 1 ||
        !ploy_is_finite(options->outside) || isnan(options->settle) || (int32_t)options->mode < 0 ||
        options->mode > PLOY_CONVOLVE_SCALE || !convolve_fits(convolve, from) ||
        !convolve_fits(convolve, to) ||
        (options->mode != PLOY_CONVOLVE_NO_SOURCES && !convolve_fits(convolve, options->sources))) {
        return PLOY_ERR_ARGUMENT;
    }
    convolve->kernel = *kernel;
    convolve->options = *options;
    convolve->from = from;
    convolve->to = to;
    convolve->running = true;
    convolve->prepared = false;
    convolve->row = 0;
    convolve->passes = 0;
    convolve->change = 0.0f;
    convolve->changed = 0.0f;
    if (options->mode != PLOY_CONVOLVE_NO_SOURCES) {
        convolve->options.settle = -1.0f;
        // Sources are written into the map itself, so the first pass goes in place, too.
        int32_t known = 0;
        ploy_tactics_layer_copy(to, from);
        convolve->from = to;
        convolve->total = convolve_total(ploy_tactics_layer_numbers(to),
                                         convolve->width * convolve->height, &known);
    }
    return PLOY_OK;
}

// The map that the present pass reads.
static const float *convolve_source(const ploy_convolve *convolve) {
    const ploy_tactics_layer *from = convolve->passes == 0 ? convolve->from : convolve->to;
    // Only read; the accessor is for writers.
    return ploy_tactics_layer_numbers((ploy_tactics_layer *)(uintptr_t)from);
}

static void convolve_prepare(ploy_convolve *convolve) {
    int32_t size = convolve->kernel.size;
    if (convolve->options.mode != PLOY_CONVOLVE_NO_SOURCES) {
        convolve_sources_in(convolve, ploy_tactics_layer_numbers(convolve->to));
    }
    const float *source = convolve_source(convolve);
    for (int32_t y = 0; y < size && y < convolve->height; y++) {
        memcpy(convolve->top[y] + size, source + (size_t)y * (size_t)convolve->width,
               (size_t)convolve->width * sizeof(float));
    }
    for (int32_t y = -size; y < size; y++) {
        // Rows beyond the end of a small wrapped map are still unchanged.
        convolve_load(convolve, source, y);
    }
    convolve->change = 0.0f;
    convolve->row = 0;
    convolve->prepared = true;
}

static void convolve_finish_pass(ploy_convolve *convolve) {
    if (convolve->options.mode == PLOY_CONVOLVE_SUBTRACT ||
        convolve->options.mode == PLOY_CONVOLVE_SCALE) {
        convolve_sources_out(convolve, ploy_tactics_layer_numbers(convolve->to));
    }
    convolve->passes++;
    convolve->prepared = false;
    convolve->changed = convolve->change;
    bool settled = convolve->options.settle >= 0.0f && convolve->change <= convolve->options.settle;
    if (convolve->passes == convolve->options.times || settled) convolve->running = false;
}

ploy_result ploy_convolve_step(ploy_convolve *convolve, ploy_budget *budget) {
    if (convolve == NULL || !convolve->running || convolve->to == NULL) return PLOY_ERR_STATE;
    int32_t width = convolve->width, size = convolve->kernel.size;
    int64_t units = (width + CONVOLVE_UNIT - 1) / CONVOLVE_UNIT;
    while (convolve->running) {
        // A row is indivisible: it waits for a fresh budget if it would spend more than is left.
        if (budget != NULL && budget->units < units && budget->spent > 0) return PLOY_IN_PROGRESS;
        if (budget != NULL && !ploy_budget_spend(budget, units)) return PLOY_IN_PROGRESS;
        if (!convolve->prepared) convolve_prepare(convolve);
        int32_t y = convolve->row;
        convolve_load(convolve, convolve_source(convolve), y + size);
        float *to = ploy_tactics_layer_numbers(convolve->to) + (size_t)y * (size_t)width;
        // Rows are written in whole blocks, so most of them need a row with room behind it first.
        float *out = width % CONVOLVE_BLOCK == 0 ? to : convolve->result;
        convolve_row(convolve, y, out);
        if (convolve->options.settle >= 0.0f) {
            const float *old = convolve_slot(convolve, y) + size;
            for (int32_t x = 0; x < width; x++) {
                float change = fabsf(out[x] - old[x]);
                if (change > convolve->change) convolve->change = change;
            }
        }
        if (out != to) memcpy(to, out, (size_t)width * sizeof(float));
        convolve->row++;
        if (convolve->row == convolve->height) convolve_finish_pass(convolve);
    }
    return PLOY_OK;
}

void ploy_convolve_cancel(ploy_convolve *convolve) {
    if (convolve != NULL) convolve->running = false;
}

ploy_result ploy_convolve_run(ploy_convolve *convolve, const ploy_convolve_kernel *kernel,
                              const ploy_convolve_options *options, const ploy_tactics_layer *from,
                              ploy_tactics_layer *to) {
    ploy_result result = ploy_convolve_begin(convolve, kernel, options, from, to);
    return result == PLOY_OK ? ploy_convolve_step(convolve, NULL) : result;
}

int32_t ploy_convolve_passes(const ploy_convolve *convolve) {
    return convolve == NULL ? 0 : convolve->passes;
}

float ploy_convolve_change(const ploy_convolve *convolve) {
    return convolve == NULL ? 0.0f : convolve->changed;
}

void ployi_convolve_resume(ploy_convolve *convolve, const ploy_convolve_kernel *kernel,
                           const ploy_convolve_options *options, ploy_tactics_layer *layer) {
    convolve->kernel = *kernel;
    convolve->options = *options;
    convolve->from = convolve->to = layer;
}

void ploy_convolve_visit(ploy_visit *v, void *object) {
    ploy_convolve *convolve = object;
    ploy_visit_object(v, "convolve", convolve, sizeof *convolve);
    PLOY_VISIT_SCRATCH(v, convolve->env);
    PLOY_VISIT_SCRATCH(v, convolve->width);
    PLOY_VISIT_SCRATCH(v, convolve->height);
    PLOY_VISIT_SCRATCH(v, convolve->pitch);
    PLOY_VISIT_SCRATCH(v, convolve->size);
    PLOY_VISIT_SCRATCH(v, convolve->memory);
    PLOY_VISIT_SCRATCH(v, convolve->window);
    PLOY_VISIT_SCRATCH(v, convolve->top);
    PLOY_VISIT_SCRATCH(v, convolve->column);
    PLOY_VISIT_SCRATCH(v, convolve->result);
    PLOY_VISIT_SCRATCH(v, convolve->kernel);
    PLOY_VISIT_SCRATCH(v, convolve->options);
    PLOY_VISIT_SCRATCH(v, convolve->from);
    PLOY_VISIT_SCRATCH(v, convolve->to);
    ploy_visit_block(v, "convolve rows", convolve->memory, convolve->size);
    ploy_value size = ploy_value_i64((int64_t)convolve->size);
    ploy_visit_same(v, "bytes", PLOY_SAVED, &size);
    ploy_visit_bool(v, "running", PLOY_STATE, &convolve->running);
    ploy_visit_bool(v, "prepared", PLOY_STATE, &convolve->prepared);
    int32_t last =
        convolve->running && convolve->prepared ? convolve->height - 1 : convolve->height;
    ploy_visit_i32_in(v, "row", PLOY_STATE, &convolve->row, 0, last);
    ploy_visit_i32_in(v, "passes", PLOY_STATE, &convolve->passes, 0, INT32_MAX - 1);
    ploy_visit_fixed(v, "unknown", PLOY_STATE, PLOY_CONVOLVE_SIDE);
    for (int32_t i = 0; i < PLOY_CONVOLVE_SIDE; i++) {
        ploy_visit_bool(v, "slot", PLOY_STATE, &convolve->unknown[i]);
    }
    ploy_visit_end(v);
    // Sums of cells that may be infinite.
    ploy_visit_bytes(v, "total", PLOY_STATE, &convolve->total, sizeof convolve->total);
    ploy_visit_bytes(v, "change", PLOY_STATE, &convolve->change, sizeof convolve->change);
    ploy_visit_bytes(v, "changed", PLOY_STATE, &convolve->changed, sizeof convolve->changed);
    ploy_visit_bytes(v, "rows", PLOY_STATE, convolve->memory, convolve->size);
}

void ploy_convolve_memory(const ploy_convolve *convolve, ploy_memory_fn fn, void *user) {
    if (convolve == NULL || fn == NULL) return;
    ploy_visit_memory(ploy_convolve_visit, convolve, fn, user);
}
