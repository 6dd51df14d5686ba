// Models of wave function collapse: patterns of a sample, forms of tiles, and their neighbours.
#include "ploy/base/hash.h"
#include "ploy/base/math.h"

#include "generate/wfc_internal.h"

#include <string.h>

// Places for pattern numbers while a sample is read; a power of two, more than twice the patterns.
#define MODEL_TABLE 32768

static const char *const wfc_orders[] = {"entropy", "fewest", "scanline"};

static const ploy_field wfc_fields[] = {
    PLOY_FIELD_I32(ploy_wfc_def, columns, 32, 1, 4096, "", "width of the result, tiles"),
    PLOY_FIELD_I32(ploy_wfc_def, rows, 32, 1, 4096, "", "height of the result, tiles"),
    PLOY_FIELD_BOOL(ploy_wfc_def, periodic, true, "the result repeats at its edges"),
    PLOY_FIELD_I32(ploy_wfc_def, n, 3, 2, 6, "", "side of a pattern of the sample, tiles"),
    PLOY_FIELD_I32(ploy_wfc_def, symmetry, 8, 1, 8, "",
                   "turned and mirrored forms of the sample's patterns"),
    PLOY_FIELD_BOOL(ploy_wfc_def, sample_periodic, true, "the sample repeats at its edges"),
    PLOY_FIELD_BOOL(ploy_wfc_def, ground, false,
                    "the sample's lowest row is the result's lowest row, and only there"),
    PLOY_FIELD_ENUM(ploy_wfc_def, order, PLOY_WFC_ENTROPY, wfc_orders,
                    "which cell is decided next"),
    PLOY_FIELD_I32(ploy_wfc_def, max_backtracks, 200, 0, 1 << 30, "",
                   "decisions undone before it starts again"),
    PLOY_FIELD_I32(ploy_wfc_def, max_restarts, 20, 0, 1 << 20, "", "starts after the first"),
};

ploy_fields ploy_wfc_fields(void) {
    return PLOY_FIELDS(ploy_wfc_def, wfc_fields);
}

ploy_wfc_def ploy_wfc_def_default(void) {
    ploy_wfc_def def;
    ploy_fields_default(ploy_wfc_fields(), &def);
    return def;
}

// ---- life

static ploy_wfc_model *model_create(const ploy_env *env) {
    ploy_wfc_model *model = ploy_env_alloc_zero(env, sizeof *model);
    if (model == NULL) return NULL;
    model->env = *env;
    model->wrapped = -1;
    static const size_t sizes[5] = {sizeof(int32_t), sizeof(int32_t), sizeof(int64_t),
                                    sizeof(int64_t), sizeof(uint64_t)};
    for (int32_t i = 0; i < WFC_ARRAYS; i++) {
        ploy_array_init(&model->arrays[i], i < 5 ? sizes[i] : sizeof(int32_t), env);
    }
    return model;
}

void ploy_wfc_model_destroy(ploy_wfc_model *model) {
    if (model == NULL) return;
    for (int32_t i = 0; i < WFC_ARRAYS; i++) ploy_array_fini(&model->arrays[i]);
    ploy_env env = model->env;
    ploy_env_free(&env, model, sizeof *model);
}

// Points the model's members at its arrays, and computes what follows from the weights.
static ploy_result model_finish(ploy_wfc_model *model) {
    model->cells = ploy_array_at(&model->arrays[0], 0);
    model->turns = ploy_array_at(&model->arrays[1], 0);
    model->weights = ploy_array_at(&model->arrays[2], 0);
    ploy_result result = ploy_array_resize(&model->arrays[3], model->count);
    if (result != PLOY_OK) return result;
    model->logs = ploy_array_at(&model->arrays[3], 0);
    model->lowest = ploy_array_at(&model->arrays[4], 0);
    for (int32_t i = 0; i < model->count; i++) {
        double weight = (double)model->weights[i];
        model->logs[i] = (int64_t)(weight * ploy_log(weight) * WFC_LOG_SCALE);
    }
    return PLOY_OK;
}

static ploy_result model_join_lists(ploy_wfc_model *model) {
    ploy_array *first = &model->arrays[WFC_ARRAYS - 2], *all = &model->arrays[WFC_ARRAYS - 1];
    int32_t count = model->count;
    int64_t total = 0;
    for (int32_t d = 0; d < WFC_DIRECTIONS; d++) total += model->first[d][count];
    if (total > INT32_MAX) return PLOY_ERR_CAPACITY;
    ploy_result result = ploy_array_resize(first, count + 1);
    if (result == PLOY_OK) result = ploy_array_resize(all, (int32_t)total);
    if (result != PLOY_OK) return result;
    model->all_first = ploy_array_at(first, 0);
    model->all = ploy_array_at(all, 0);
    int32_t at = 0;
    for (int32_t p = 0; p < count; p++) {
        model->all_first[p] = at;
        for (int32_t d = 0; d < WFC_DIRECTIONS; d++) {
            for (int32_t i = model->first[d][p]; i < model->first[d][p + 1]; i++) {
                model->all[at++] = model->next[d][i] * WFC_DIRECTIONS + d;
            }
        }
        if (at - model->all_first[p] > model->most) model->most = at - model->all_first[p];
    }
    model->all_first[count] = at;
    return PLOY_OK;
}

// ---- neighbours

// The lists of direction d from a test of two patterns that share a key: `from` of the one and `to`
// of the other. Candidates come in ascending order.
typedef struct model_join {
    const ploy_wfc_model *model;
    int32_t direction;
    int32_t *head; // of the chain of each key's place, MODEL_TABLE
    int32_t *link; // next pattern in the chain
    uint64_t *from, *to;
} model_join;

// Hash of the columns from `x` (or the rows from `y`) that two neighbours share.
static uint64_t model_overlap(const ploy_wfc_model *model, int32_t pattern, int32_t x, int32_t y,
                              int32_t width, int32_t height) {
    uint64_t hash = 0;
    const int32_t *cells = model->cells + (ptrdiff_t)pattern * model->n * model->n;
    for (int32_t j = y; j < y + height; j++) {
        for (int32_t i = x; i < x + width; i++) {
            hash = ploy_hash_combine(hash, (uint64_t)(uint32_t)cells[j * model->n + i]);
        }
    }
    return hash;
}

static bool model_agree(const ploy_wfc_model *model, int32_t a, int32_t b, int32_t direction) {
    int32_t n = model->n, dx = direction == 0 ? 1 : 0, dy = 1 - dx;
    const int32_t *one = model->cells + (ptrdiff_t)a * n * n;
    const int32_t *two = model->cells + (ptrdiff_t)b * n * n;
    for (int32_t y = 0; y < n - dy; y++) {
        for (int32_t x = 0; x < n - dx; x++) {
            if (one[(y + dy) * n + x + dx] != two[y * n + x]) return false;
        }
    }
    return true;
}

// The opposite direction has the same pairs, seen from the other side.
static ploy_result model_mirror(ploy_wfc_model *model, int32_t direction) {
    int32_t other = 3 - direction, count = model->count;
    int32_t total = model->first[direction][count];
    ploy_array *first = &model->arrays[5 + 2 * other], *next = &model->arrays[6 + 2 * other];
    ploy_result result = ploy_array_resize(first, count + 1);
    if (result == PLOY_OK) result = ploy_array_resize(next, total);
    if (result != PLOY_OK) return result;
    model->first[other] = ploy_array_at(first, 0);
    model->next[other] = ploy_array_at(next, 0);
    int32_t *at = model->first[other];
    memset(at, 0, ((size_t)count + 1) * sizeof *at);
    for (int32_t i = 0; i < total; i++) at[model->next[direction][i] + 1]++;
    for (int32_t i = 0; i < count; i++) at[i + 1] += at[i];
    // Filling in ascending order of the source keeps each list ascending; `at` moves to the ends and is
    // moved back after it.
    for (int32_t a = 0; a < count; a++) {
        for (int32_t i = model->first[direction][a]; i < model->first[direction][a + 1]; i++) {
            model->next[other][at[model->next[direction][i]]++] = a;
        }
    }
    for (int32_t i = count; i > 0; i--) at[i] = at[i - 1];
    at[0] = 0;
    return PLOY_OK;
}

static ploy_result model_joined(ploy_wfc_model *model, model_join *join) {
    int32_t n = model->n, dx = join->direction == 0 ? 1 : 0, dy = 1 - dx;
    ploy_array *first = &model->arrays[5 + 2 * join->direction];
    ploy_array *next = &model->arrays[6 + 2 * join->direction];
    for (int32_t i = 0; i < MODEL_TABLE; i++) join->head[i] = -1;
    for (int32_t i = model->count - 1; i >= 0; i--) {
        join->from[i] = model_overlap(model, i, dx, dy, n - dx, n - dy);
        join->to[i] = model_overlap(model, i, 0, 0, n - dx, n - dy);
        int32_t *head = &join->head[join->to[i] & (MODEL_TABLE - 1)];
        join->link[i] = *head;
        *head = i;
    }
    for (int32_t a = 0; a < model->count; a++) {
        int32_t begin = ploy_array_count(next);
        ploy_result result = ploy_array_push(first, &begin);
        int32_t b = join->head[join->from[a] & (MODEL_TABLE - 1)];
        for (; result == PLOY_OK && b >= 0; b = join->link[b]) {
            if (join->from[a] != join->to[b] || !model_agree(model, a, b, join->direction))
                continue;
            result = ploy_array_push(next, &b);
        }
        if (result != PLOY_OK) return result;
    }
    int32_t end = ploy_array_count(next);
    ploy_result result = ploy_array_push(first, &end);
    model->first[join->direction] = ploy_array_at(first, 0);
    model->next[join->direction] = ploy_array_at(next, 0);
    return result;
}

static ploy_result model_sample_neighbours(ploy_wfc_model *model) {
    size_t count = (size_t)model->count;
    size_t size = MODEL_TABLE * sizeof(int32_t) + count * (2 * sizeof(uint64_t) + sizeof(int32_t));
    char *scratch = ploy_env_alloc(&model->env, size);
    if (scratch == NULL) return PLOY_ERR_MEMORY;
    model_join join;
    join.model = model;
    join.from = (uint64_t *)(void *)scratch;
    join.to = join.from + count;
    join.head = (int32_t *)(void *)(join.to + count);
    join.link = join.head + MODEL_TABLE;
    ploy_result result = PLOY_OK;
    for (join.direction = 0; join.direction < 2 && result == PLOY_OK; join.direction++) {
        result = model_joined(model, &join);
        if (result == PLOY_OK) result = model_mirror(model, join.direction);
    }
    ploy_env_free(&model->env, scratch, size);
    return result;
}

// ---- samples

// Mirrors a pattern in x.
static void model_reflect(int32_t n, const int32_t *from, int32_t *to) {
    for (int32_t y = 0; y < n; y++) {
        for (int32_t x = 0; x < n; x++) to[y * n + x] = from[y * n + n - 1 - x];
    }
}

// Turns a pattern counter-clockwise by a quarter.
static void model_rotate(int32_t n, const int32_t *from, int32_t *to) {
    for (int32_t y = 0; y < n; y++) {
        for (int32_t x = 0; x < n; x++) to[y * n + x] = from[(n - 1 - x) * n + y];
    }
}

typedef struct model_reader {
    ploy_wfc_model *model;
    const ploy_wfc_def *def;
    const int32_t *tiles;
    int32_t columns, rows;
    int32_t *table; // number of a pattern + 1, by its hash
} model_reader;

// The number of a pattern, added if it is new. Negative: out of memory or too many.
static int32_t model_number(model_reader *reader, const int32_t *cells, int64_t weight) {
    ploy_wfc_model *model = reader->model;
    int32_t area = model->n * model->n;
    size_t bytes = (size_t)area * sizeof(int32_t);
    uint64_t place = ploy_hash_bytes(cells, bytes, 0);
    for (;; place++) {
        int32_t *slot = &reader->table[place & (MODEL_TABLE - 1)];
        int32_t number = *slot - 1;
        if (number >= 0) {
            if (memcmp(ploy_array_at(&model->arrays[0], number * area), cells, bytes) != 0)
                continue;
            *(int64_t *)ploy_array_at(&model->arrays[2], number) += weight;
            return number;
        }
        if (model->count == PLOY_WFC_PATTERNS_MAX) return PLOY_ERR_CAPACITY;
        if (ploy_array_push_many(&model->arrays[0], cells, area) != PLOY_OK ||
            ploy_array_push(&model->arrays[2], &weight) != PLOY_OK) {
            return PLOY_ERR_MEMORY;
        }
        *slot = ++model->count;
        return model->count - 1;
    }
}

static void model_window(const model_reader *reader, int32_t x, int32_t y, int32_t *out) {
    int32_t n = reader->model->n;
    for (int32_t j = 0; j < n; j++) {
        for (int32_t i = 0; i < n; i++) {
            int32_t column = (x + i) % reader->columns, row = (y + j) % reader->rows;
            out[j * n + i] = reader->tiles[(ptrdiff_t)row * reader->columns + column];
        }
    }
}

static ploy_result model_read_patterns(model_reader *reader) {
    const ploy_wfc_def *def = reader->def;
    int32_t n = def->n, forms[8][36];
    int32_t right = def->sample_periodic ? reader->columns : reader->columns - n + 1;
    int32_t top = def->sample_periodic ? reader->rows : reader->rows - n + 1;
    for (int32_t y = 0; y < top; y++) {
        for (int32_t x = 0; x < right; x++) {
            model_window(reader, x, y, forms[0]);
            for (int32_t k = 1; k < 8; k++) {
                if (k % 2 == 1) {
                    model_reflect(n, forms[k - 1], forms[k]);
                } else {
                    model_rotate(n, forms[k - 2], forms[k]);
                }
            }
            for (int32_t k = 0; k < def->symmetry; k++) {
                int32_t number = model_number(reader, forms[k], 1);
                if (number < 0) return (ploy_result)number;
            }
        }
    }
    return PLOY_OK;
}

// Which patterns have the ground in their lowest row, and which one wraps round to it.
static ploy_result model_read_ground(model_reader *reader) {
    ploy_wfc_model *model = reader->model;
    ploy_result result = ploy_array_resize(&model->arrays[4], ployi_wfc_words(model->count));
    if (result != PLOY_OK) return result;
    uint64_t *lowest = ploy_array_at(&model->arrays[4], 0);
    memset(lowest, 0, (size_t)ployi_wfc_words(model->count) * sizeof *lowest);
    model->ground = true;
    int32_t n = model->n, window[36];
    int32_t right = reader->def->sample_periodic ? reader->columns : reader->columns - n + 1;
    for (int32_t x = 0; x < right; x++) {
        model_window(reader, x, 0, window);
        int32_t number = model_number(reader, window, 0);
        lowest[number >> 6] |= (uint64_t)1 << (number & 63);
    }
    if (reader->def->sample_periodic) {
        model_window(reader, reader->columns - 1, reader->rows - n + 1, window);
        model->wrapped = model_number(reader, window, 0);
    }
    return PLOY_OK;
}

static ploy_result model_refuse(const ploy_env *env, ploy_result result, const char *message) {
    ploy_env_log(env, PLOY_SEVERITY_ERROR, message);
    return result;
}

ploy_result ploy_wfc_model_from_sample(const ploy_wfc_def *def, const int32_t *tiles,
                                       int32_t columns, int32_t rows, const ploy_env *env,
                                       ploy_wfc_model **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    ploy_result result = ploy_fields_check(ploy_wfc_fields(), def, env);
    if (result != PLOY_OK) return result;
    if (tiles == NULL || columns < def->n || rows < def->n || columns > 4096 || rows > 4096) {
        return model_refuse(
            env, PLOY_ERR_ARGUMENT,
            "the sample must be at least as large as a pattern, and at most 4096 tiles "
            "in each direction");
    }
    ploy_wfc_model *model = model_create(env);
    if (model == NULL) return PLOY_ERR_MEMORY;
    model->n = def->n;
    model_reader reader = {model, def, tiles, columns, rows, NULL};
    reader.table = ploy_env_alloc_zero(env, MODEL_TABLE * sizeof(int32_t));
    result = reader.table == NULL ? PLOY_ERR_MEMORY : model_read_patterns(&reader);
    if (result == PLOY_OK && def->ground) result = model_read_ground(&reader);
    if (reader.table != NULL) {
        ploy_env_free(env, reader.table, MODEL_TABLE * sizeof(int32_t));
    }
    if (result == PLOY_OK) result = model_finish(model);
    if (result == PLOY_OK) result = model_sample_neighbours(model);
    if (result == PLOY_OK) result = model_join_lists(model);
    if (result != PLOY_OK) {
        ploy_wfc_model_destroy(model);
        if (result == PLOY_ERR_CAPACITY) {
            return model_refuse(
                env, result, "the sample has more than 8192 patterns; make n or symmetry smaller");
        }
        return result;
    }
    *out = model;
    return PLOY_OK;
}

// ---- tiles

typedef struct model_forms {
    int32_t count;
    uint8_t turned[8];   // the form after a quarter turn counter-clockwise
    uint8_t mirrored[8]; // the form after mirroring in x
} model_forms;

static const model_forms model_symmetries[PLOY_WFC_SYMMETRY_COUNT] = {
    {1, {0}, {0}},
    {2, {1, 0}, {0, 1}},
    {2, {1, 0}, {1, 0}},
    {4, {1, 2, 3, 0}, {1, 0, 3, 2}},
    {4, {1, 2, 3, 0}, {0, 3, 2, 1}},
    {8, {1, 2, 3, 0, 7, 4, 5, 6}, {4, 5, 6, 7, 0, 1, 2, 3}},
};

static int32_t model_form(ploy_wfc_symmetry symmetry, int32_t form, int32_t turn) {
    const model_forms *forms = &model_symmetries[symmetry];
    for (int32_t k = 0; k < (turn & 3); k++) form = forms->turned[form];
    return (turn & 4) != 0 ? forms->mirrored[form] : form;
}

// The first form of a tile, and all its forms with their turns.
static ploy_result model_add_tiles(ploy_wfc_model *model, const ploy_wfc_tile *tiles, int32_t count,
                                   int32_t *first) {
    for (int32_t i = 0; i < count; i++) {
        first[i] = model->count;
        int32_t forms = model_symmetries[tiles[i].symmetry].count;
        if (model->count + forms > PLOY_WFC_PATTERNS_MAX) return PLOY_ERR_CAPACITY;
        for (int32_t form = 0; form < forms; form++, model->count++) {
            int64_t weight = (int64_t)((double)tiles[i].weight * 1024.0 + 0.5);
            if (weight < 1) weight = 1;
            ploy_result result = ploy_array_push(&model->arrays[0], &i);
            if (result == PLOY_OK) result = ploy_array_push(&model->arrays[1], &form);
            if (result == PLOY_OK) result = ploy_array_push(&model->arrays[2], &weight);
            if (result != PLOY_OK) return result;
        }
    }
    return PLOY_OK;
}

// Marks a pair and its seven turned and mirrored forms in the two matrices, +x and +y.
static void model_add_pair(const ploy_wfc_model *model, const ploy_wfc_tile *tiles,
                           const int32_t *first, const ploy_wfc_pair *pair, uint64_t *matrices) {
    static const int32_t turned[4] = {0, 1, 3, 2}; // +x after that many quarter turns
    int32_t words = ployi_wfc_words(model->count);
    ploy_wfc_symmetry left = tiles[pair->left].symmetry, right = tiles[pair->right].symmetry;
    for (int32_t g = 0; g < 8; g++) {
        int32_t a = first[pair->left] + model_form(left, model_form(left, 0, pair->left_turn), g);
        int32_t b =
            first[pair->right] + model_form(right, model_form(right, 0, pair->right_turn), g);
        int32_t direction = turned[g & 3];
        if ((g & 4) != 0 && (direction == 0 || direction == 3)) direction = 3 - direction;
        if (direction > 1) { // seen from the other one it is +x or +y
            int32_t swap = a;
            a = b;
            b = swap;
            direction = 3 - direction;
        }
        uint64_t *row = matrices + ((ptrdiff_t)direction * model->count + a) * words;
        row[b >> 6] |= (uint64_t)1 << (b & 63);
    }
}

static ploy_result model_list(ploy_wfc_model *model, int32_t direction, const uint64_t *matrices) {
    int32_t words = ployi_wfc_words(model->count);
    ploy_array *first = &model->arrays[5 + 2 * direction];
    ploy_array *next = &model->arrays[6 + 2 * direction];
    for (int32_t a = 0; a <= model->count; a++) {
        int32_t begin = ploy_array_count(next);
        ploy_result result = ploy_array_push(first, &begin);
        if (result != PLOY_OK) return result;
        if (a == model->count) break;
        const uint64_t *row = matrices + ((ptrdiff_t)direction * model->count + a) * words;
        for (int32_t b = 0; b < model->count; b++) {
            if (!ployi_wfc_bit(row, b)) continue;
            result = ploy_array_push(next, &b);
            if (result != PLOY_OK) return result;
        }
    }
    model->first[direction] = ploy_array_at(first, 0);
    model->next[direction] = ploy_array_at(next, 0);
    return PLOY_OK;
}

static ploy_result model_tile_neighbours(ploy_wfc_model *model, const ploy_wfc_tile *tiles,
                                         const int32_t *first, const ploy_wfc_pair *pairs,
                                         int32_t pair_count) {
    size_t size =
        2 * (size_t)model->count * (size_t)ployi_wfc_words(model->count) * sizeof(uint64_t);
    uint64_t *matrices = ploy_env_alloc_zero(&model->env, size);
    if (matrices == NULL) return PLOY_ERR_MEMORY;
    for (int32_t i = 0; i < pair_count; i++)
        model_add_pair(model, tiles, first, &pairs[i], matrices);
    ploy_result result = PLOY_OK;
    for (int32_t d = 0; d < 2 && result == PLOY_OK; d++) {
        result = model_list(model, d, matrices);
        if (result == PLOY_OK) result = model_mirror(model, d);
    }
    ploy_env_free(&model->env, matrices, size);
    return result;
}

static bool model_tiles_good(const ploy_wfc_tile *tiles, int32_t tile_count,
                             const ploy_wfc_pair *pairs, int32_t pair_count) {
    if (tiles == NULL || tile_count < 1 || tile_count > PLOY_WFC_PATTERNS_MAX || pair_count < 0 ||
        (pair_count > 0 && pairs == NULL)) {
        return false;
    }
    for (int32_t i = 0; i < tile_count; i++) {
        int32_t symmetry = (int32_t)tiles[i].symmetry;
        if (symmetry < 0 || symmetry >= PLOY_WFC_SYMMETRY_COUNT) return false;
        if (!(tiles[i].weight > 0.0f && tiles[i].weight <= 1e6f)) return false;
    }
    for (int32_t i = 0; i < pair_count; i++) {
        const ploy_wfc_pair *pair = &pairs[i];
        if (pair->left < 0 || pair->left >= tile_count || pair->right < 0 ||
            pair->right >= tile_count || pair->left_turn < 0 || pair->left_turn > 7 ||
            pair->right_turn < 0 || pair->right_turn > 7) {
            return false;
        }
    }
    return true;
}

ploy_result ploy_wfc_model_from_tiles(const ploy_wfc_tile *tiles, int32_t tile_count,
                                      const ploy_wfc_pair *pairs, int32_t pair_count,
                                      const ploy_env *env, ploy_wfc_model **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (!model_tiles_good(tiles, tile_count, pairs, pair_count)) {
        return model_refuse(
            env, PLOY_ERR_ARGUMENT,
            "a tile needs a known symmetry and a weight above 0, up to 1e6; a pair needs two "
            "tiles of the list and turns from 0 to 7");
    }
    ploy_wfc_model *model = model_create(env);
    size_t size = (size_t)tile_count * sizeof(int32_t);
    int32_t *first = ploy_env_alloc(env, size);
    ploy_result result = model == NULL || first == NULL ? PLOY_ERR_MEMORY : PLOY_OK;
    if (result == PLOY_OK) {
        model->n = 1;
        model->of_tiles = true;
        result = model_add_tiles(model, tiles, tile_count, first);
    }
    if (result == PLOY_OK) result = model_finish(model);
    if (result == PLOY_OK) {
        result = model_tile_neighbours(model, tiles, first, pairs, pair_count);
    }
    if (result == PLOY_OK) result = model_join_lists(model);
    if (first != NULL) ploy_env_free(env, first, size);
    if (result != PLOY_OK) {
        ploy_wfc_model_destroy(model);
        return result;
    }
    *out = model;
    return PLOY_OK;
}

// ---- reading a model

int32_t ploy_wfc_model_count(const ploy_wfc_model *model) {
    return model->count;
}

ploy_wfc_pattern ploy_wfc_model_at(const ploy_wfc_model *model, int32_t index) {
    ploy_wfc_pattern pattern = {-1, 0, 0.0};
    if (index < 0 || index >= model->count) return pattern;
    pattern.tile = model->cells[(ptrdiff_t)index * model->n * model->n];
    if (model->of_tiles) pattern.turn = model->turns[index];
    pattern.weight = (double)model->weights[index];
    return pattern;
}

int32_t ploy_wfc_model_tile(const ploy_wfc_model *model, int32_t index, int32_t x, int32_t y) {
    if (index < 0 || index >= model->count) return -1;
    if (model->of_tiles) return index;
    if (x < 0 || y < 0 || x >= model->n || y >= model->n) return -1;
    return model->cells[((ptrdiff_t)index * model->n + y) * model->n + x];
}

bool ploy_wfc_model_allows(const ploy_wfc_model *model, int32_t index, int32_t next,
                           int32_t direction) {
    if (index < 0 || index >= model->count || direction < 0 || direction >= WFC_DIRECTIONS) {
        return false;
    }
    int32_t low = model->first[direction][index], high = model->first[direction][index + 1];
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (model->next[direction][middle] < next) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < model->first[direction][index + 1] && model->next[direction][low] == next;
}

void ploy_wfc_model_describe(const ploy_wfc_model *model, ploy_describe *out) {
    ploy_describe_i64(out, "n", PLOY_STATE, model->n);
    ploy_describe_i64(out, "patterns", PLOY_STATE, model->count);
    uint64_t hash = 0;
    for (int32_t i = 0; i < model->count; i++) {
        for (int32_t k = 0; k < model->n * model->n; k++) {
            int32_t tile = model->cells[(ptrdiff_t)i * model->n * model->n + k];
            hash = ploy_hash_combine(hash, (uint64_t)(uint32_t)tile);
        }
        hash = ploy_hash_combine(hash, (uint64_t)model->weights[i]);
    }
    ploy_describe_u64(out, "tiles", PLOY_STATE, hash);
    for (int32_t d = 0; d < 2; d++) {
        ploy_describe_i64(out, d == 0 ? "pairs along x" : "pairs along y", PLOY_STATE,
                          model->first[d][model->count]);
    }
}

void ploy_wfc_model_memory(const ploy_wfc_model *model, ploy_memory_fn fn, void *user) {
    ploy_memory_item item = {"wfc model", sizeof *model, 1};
    fn(user, &item);
    for (int32_t i = 0; i < WFC_ARRAYS; i++) ploy_array_memory(&model->arrays[i], fn, user);
}

#undef MODEL_TABLE
