// Visibility maps; the technique is described in the header.
//
// Shadow casting looks into four quadrants. In each, row r is r cells away, and a line with slope s
// crosses it at s r. A sector is a closed range of slopes that every row so far lets through. An open
// cell c lets through crossings in [c - 1/2, c + 1/2], and shows its centre at c. Slopes are
// (c +- 1/2) / r with r below 2^14, so that products with a row are whole numbers, halves, or at
// least 2^-16 away from them: SIGHT_NEAR decides exactly.
//
// Diagonals belong to one quadrant each: the one whose positive side they are on, counter-clockwise.
#include "ploy/tactics/sight_map.h"

#include "base/compiler.h"
#include "ploy/base/array.h"
#include "ploy/base/math.h"
#include "ploy/base/rng.h"
#include "tactics/analysis_internal.h"

#include <math.h>
#include <string.h>

#define SIGHT_NEAR 1e-6
enum { SIGHT_UNIT = 64, SIGHT_SIDE_MAX = 1 << 14 };

static const char *const sight_modes[] = {"exhaustive", "random", "important", "rays"};

static const ploy_field sight_map_table[] = {
    PLOY_FIELD_ENUM(ploy_sight_map_def, mode, 0, sight_modes, "what is counted"),
    PLOY_FIELD_F32(ploy_sight_map_def, radius, INFINITY, 0, INFINITY, "", "how far one sees"),
    PLOY_FIELD_I32(ploy_sight_map_def, samples, 32, 1, 1 << 16, "", "places or rays tested"),
    PLOY_FIELD_U64(ploy_sight_map_def, seed, 1, "of the sampled places"),
    PLOY_FIELD_F32(ploy_sight_map_def, eye, 1.7f, 0, 1e4f, "m", "height of the eye"),
};

typedef struct sight_sector {
    double low, high; // slopes
} sight_sector;

struct ploy_sight_map {
    ploy_env env;
    ploy_sight_map_def def;
    ploy_places places;
    ploy_scene scene;
    bool has_scene;
    ploy_heightfield heights;
    bool has_heights;
    ploy_array important; // int32_t
    int32_t open_count;
    uint64_t *rows, *columns; // open cells as bits, by row and by column; NULL: not a grid
    int32_t row_words, column_words;
    sight_sector *sectors[2];
    size_t bits_size, sectors_size;
    int64_t work; // sectors, lines and rays so far, for the budget
    ploy_tactics_layer *out;
    int32_t next;
    int64_t spent; // of `work` that was paid
    bool running;
};

ploy_fields ploy_sight_map_fields(void) {
    return PLOY_FIELDS(ploy_sight_map_def, sight_map_table);
}

ploy_sight_map_def ploy_sight_map_def_default(void) {
    ploy_sight_map_def def;
    memset(&def, 0, sizeof def);
    ploy_fields_default(ploy_sight_map_fields(), &def);
    def.mask = UINT32_MAX;
    return def;
}

ploy_result ploy_sight_map_create(const ploy_sight_map_def *def, const ploy_places *places,
                                  const ploy_env *env, ploy_sight_map **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    ploy_result result = ploy_fields_check(ploy_sight_map_fields(), def, env);
    if (result != PLOY_OK) return result;
    if (!ploy_places_is_complete(places) || places->width > SIGHT_SIDE_MAX ||
        places->height > SIGHT_SIDE_MAX ||
        (def->mode == PLOY_SIGHT_RAYS && !ploy_is_finite(def->radius))) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_sight_map *map = ploy_env_alloc_zero(env, sizeof *map);
    if (map == NULL) return PLOY_ERR_MEMORY;
    map->env = *env;
    map->def = *def;
    map->places = *places;
    ploy_array_init(&map->important, sizeof(int32_t), env);
    if (places->width > 0) {
        int32_t side = places->width > places->height ? places->width : places->height;
        map->row_words = (places->width + 63) / 64;
        map->column_words = (places->height + 63) / 64;
        size_t row_bits = (size_t)map->row_words * (size_t)places->height;
        size_t column_bits = (size_t)map->column_words * (size_t)places->width;
        map->bits_size = (row_bits + column_bits) * sizeof(uint64_t);
        map->sectors_size = 2 * ((size_t)side + 2) * sizeof(sight_sector);
        map->rows = ploy_env_alloc_zero(env, map->bits_size);
        map->sectors[0] = ploy_env_alloc(env, map->sectors_size);
        if (map->rows == NULL || map->sectors[0] == NULL) {
            ploy_sight_map_destroy(map);
            return PLOY_ERR_MEMORY;
        }
        map->columns = map->rows + row_bits;
        map->sectors[1] = map->sectors[0] + side + 2;
    }
    ploy_sight_map_refresh(map);
    *out = map;
    return PLOY_OK;
}

void ploy_sight_map_destroy(ploy_sight_map *map) {
    if (map == NULL) return;
    ploy_env env = map->env;
    ploy_array_fini(&map->important);
    ploy_env_free(&env, map->sectors[0], map->sectors_size);
    ploy_env_free(&env, map->rows, map->bits_size);
    ploy_env_free(&env, map, sizeof *map);
}

void ploy_sight_map_refresh(ploy_sight_map *map) {
    const ploy_places *places = &map->places;
    map->open_count = 0;
    if (map->rows != NULL) memset(map->rows, 0, map->bits_size);
    for (int32_t i = 0; i < places->count; i++) {
        if (!places->open(places, i)) continue;
        map->open_count++;
        if (map->rows == NULL) continue;
        int32_t x = i % places->width, y = i / places->width;
        map->rows[y * map->row_words + x / 64] |= (uint64_t)1 << (x % 64);
        map->columns[x * map->column_words + y / 64] |= (uint64_t)1 << (y % 64);
    }
}

void ploy_sight_map_set_scene(ploy_sight_map *map, const ploy_scene *scene) {
    map->has_scene = scene != NULL;
    if (scene != NULL) map->scene = *scene;
}

void ploy_sight_map_set_heights(ploy_sight_map *map, const ploy_heightfield *heights) {
    map->has_heights = heights != NULL;
    if (heights != NULL) map->heights = *heights;
}

ploy_result ploy_sight_map_set_important(ploy_sight_map *map, const int32_t *places,
                                         int32_t count) {
    if (map == NULL || count < 0 || (places == NULL && count > 0)) return PLOY_ERR_ARGUMENT;
    for (int32_t i = 0; i < count; i++) {
        if (places[i] < 0 || places[i] >= map->places.count) return PLOY_ERR_ARGUMENT;
    }
    ploy_result result = ploy_array_resize(&map->important, count);
    if (result != PLOY_OK) return result;
    for (int32_t i = 0; i < count; i++) *PLOY_ARRAY_AT(&map->important, int32_t, i) = places[i];
    return PLOY_OK;
}

// ---- shadow casting

static bool sight_bit(const uint64_t *words, int32_t at) {
    return (words[at / 64] >> (at % 64) & 1) != 0;
}

// The first bit at or behind `at` that is set (flip 0) or clear (flip all ones); `end` if none.
static int32_t sight_next(const uint64_t *words, int32_t at, int32_t end, uint64_t flip) {
    while (at < end) {
        uint64_t word = (words[at / 64] ^ flip) >> (at % 64);
        if (word != 0) {
            at += ployi_lowest_bit(word);
            return at < end ? at : end;
        }
        at = (at / 64 + 1) * 64;
    }
    return end;
}

// floor for numbers above -2^15, and ceil.
static int32_t sight_floor(double value) {
    return (int32_t)(value + 32768.0) - 32768;
}

static int32_t sight_ceil(double value) {
    return -sight_floor(-value);
}

// One of the four quadrants: lines of bits away from the viewer.
typedef struct sight_quadrant {
    const uint64_t *lines;
    int32_t words, line_count, length; // of all lines, bits of one
    int32_t line, at;                  // of the viewer
    int32_t direction;                 // of lines: 1 or -1
    bool positive;                     // the diagonal with positive offsets belongs to it
    int32_t line_step, step;           // places from a line to the next, and along it
} sight_quadrant;

// Half the width of the circle of sight in a row.
static int32_t sight_half(double radius, int32_t row, int32_t length) {
    double square = radius * radius - (double)row * (double)row;
    if (!(square >= 0.0)) return -1;
    double half = sqrt(square) + SIGHT_NEAR;
    return half < (double)length ? (int32_t)half : length;
}

static int32_t sight_cast_quadrant(ploy_sight_map *map, const sight_quadrant *q, uint8_t *seen,
                                   int32_t place) {
    double radius = (double)map->def.radius;
    int32_t count = 1, total = 0, now = 0;
    map->sectors[0][0].low = -1.0;
    map->sectors[0][0].high = 1.0;
    for (int32_t row = 1; count > 0; row++) {
        int32_t line = q->line + q->direction * row;
        if (line < 0 || line >= q->line_count || (double)row > radius) break;
        const uint64_t *words = q->lines + (size_t)line * (size_t)q->words;
        int32_t half = sight_half(radius, row, q->length);
        int32_t first = q->positive ? -row + 1 : -row, last = q->positive ? row : row - 1;
        if (first < -half) first = -half;
        if (last > half) last = half;
        sight_sector *next = map->sectors[1 - now];
        int32_t next_count = 0;
        map->work += count;
        for (int32_t i = 0; i < count; i++) {
            sight_sector sector = map->sectors[now][i];
            double low = sector.low * row, high = sector.high * row;
            // Cells that the sector touches, and those whose centres are in it.
            int32_t from = sight_ceil(low - 0.5 - SIGHT_NEAR);
            int32_t to = sight_floor(high + 0.5 + SIGHT_NEAR);
            int32_t least = sight_ceil(low - SIGHT_NEAR), most = sight_floor(high + SIGHT_NEAR);
            if (least < first) least = first;
            if (most > last) most = last;
            int32_t begin = q->at + from > 0 ? q->at + from : 0;
            int32_t end = q->at + to + 1 < q->length ? q->at + to + 1 : q->length;
            for (int32_t at = sight_next(words, begin, end, 0); at < end;) {
                int32_t stop = sight_next(words, at, end, ~(uint64_t)0);
                int32_t c0 = at - q->at, c1 = stop - 1 - q->at;
                sight_sector part = sector;
                if (c0 > from) part.low = ((double)c0 - 0.5) / row;
                if (c1 < to) part.high = ((double)c1 + 0.5) / row;
                if (part.low < sector.low) part.low = sector.low;
                if (part.high > sector.high) part.high = sector.high;
                next[next_count++] = part;
                int32_t a = c0 > least ? c0 : least, b = c1 < most ? c1 : most;
                if (a <= b) {
                    total += b - a + 1;
                    for (int32_t c = a; seen != NULL && c <= b; c++) {
                        seen[place + q->direction * row * q->line_step + c * q->step] = 1;
                    }
                }
                at = sight_next(words, stop, end, 0);
            }
        }
        now = 1 - now;
        count = next_count;
    }
    return total;
}

static int32_t sight_cast(ploy_sight_map *map, int32_t place, uint8_t *seen) {
    int32_t width = map->places.width, height = map->places.height;
    int32_t x = place % width, y = place / width, total = 0;
    for (int32_t i = 0; i < 4; i++) {
        bool rows = i % 2 == 0; // up, left, down, right
        sight_quadrant q = {rows ? map->rows : map->columns,
                            rows ? map->row_words : map->column_words,
                            rows ? height : width,
                            rows ? width : height,
                            rows ? y : x,
                            rows ? x : y,
                            i == 0 || i == 3 ? 1 : -1,
                            i < 2,
                            rows ? width : 1,
                            rows ? 1 : width};
        total += sight_cast_quadrant(map, &q, seen, place);
    }
    return total;
}

int32_t ploy_sight_map_mark(ploy_sight_map *map, int32_t place, uint8_t *seen) {
    if (map == NULL || seen == NULL) return 0;
    memset(seen, 0, (size_t)map->places.count);
    if (map->rows == NULL || place < 0 || place >= map->places.count ||
        !map->places.open(&map->places, place)) {
        return 0;
    }
    seen[place] = 1;
    return sight_cast(map, place, seen);
}

// ---- lines

// The definition itself: in each row between the ends the line touches an open cell.
static bool sight_line(const ploy_sight_map *map, int32_t from, int32_t to) {
    int32_t width = map->places.width;
    int32_t dx = to % width - from % width, dy = to / width - from / width;
    bool steep = (dy < 0 ? -dy : dy) >= (dx < 0 ? -dx : dx);
    int32_t far = steep ? dy : dx, side = steep ? dx : dy;
    int32_t line = steep ? from / width : from % width, at = steep ? from % width : from / width;
    int32_t direction = far < 0 ? -1 : 1, rows = far * direction;
    for (int32_t row = 1; row < rows; row++) {
        const uint64_t *words =
            steep ? map->rows + (size_t)(line + direction * row) * (size_t)map->row_words
                  : map->columns + (size_t)(line + direction * row) * (size_t)map->column_words;
        double crossing = (double)side * row / rows;
        int32_t a = sight_ceil(crossing - 0.5 - SIGHT_NEAR);
        int32_t b = sight_floor(crossing + 0.5 + SIGHT_NEAR);
        bool open = sight_bit(words, at + a) || (b > a && sight_bit(words, at + b));
        if (!open) return false;
    }
    return true;
}

static bool sight_in_reach(const ploy_sight_map *map, int32_t from, int32_t to) {
    const ploy_places *places = &map->places;
    if (map->def.radius == INFINITY) return true;
    ploy_vec3 a = places->position(places, from), b = places->position(places, to);
    double dx = (double)a.x - (double)b.x, dy = (double)a.y - (double)b.y;
    double reach = (double)map->def.radius * (double)places->size + 1e-6;
    return dx * dx + dy * dy <= reach * reach;
}

static ploy_vec3 sight_eye(const ploy_sight_map *map, int32_t place) {
    ploy_vec3 at = map->places.position(&map->places, place);
    float height = at.z;
    if (map->has_heights) {
        ploy_heightfield_height(&map->heights, ploy_vec2_make(at.x, at.y), &height);
    }
    return ploy_vec3_make(at.x, at.y, height + map->def.eye);
}

bool ploy_sight_map_sees(const ploy_sight_map *map, int32_t from, int32_t to) {
    if (map == NULL || from < 0 || to < 0 || from >= map->places.count || to >= map->places.count ||
        !map->places.open(&map->places, from) || !map->places.open(&map->places, to)) {
        return false;
    }
    if (from == to) return true;
    if (!sight_in_reach(map, from, to)) return false;
    if (map->has_heights) {
        ploy_vec3 a = sight_eye(map, from), b = sight_eye(map, to);
        ploy_vec3 line = ploy_vec3_sub(b, a);
        ploy_ray3 ray = {a, ploy_vec3_normalise(line), ploy_vec3_length(line)};
        return !ploy_ray3_hit_heightfield(ray, &map->heights, NULL);
    }
    if (map->has_scene) {
        return !ploy_scene_ray(&map->scene, sight_eye(map, from), sight_eye(map, to), map->def.mask,
                               NULL);
    }
    return map->rows != NULL && sight_line(map, from, to);
}

ploy_sight_rays ploy_sight_rays_cast(const ploy_scene *scene, ploy_vec3 from, float radius,
                                     int32_t count, uint32_t mask) {
    ploy_sight_rays rays = {0.0f, 0.0f, 0};
    double sum = 0.0, area = 0.0, first = 0.0, before = 0.0;
    if (count < 1 || !(radius > 0.0f)) return rays;
    double turn = 6.283185307179586 / count;
    for (int32_t i = 0; i < count; i++) {
        double sine, cosine;
        ploy_sincos(turn * i, &sine, &cosine);
        ploy_vec3 to =
            ploy_vec3_make(from.x + radius * (float)cosine, from.y + radius * (float)sine, from.z);
        ploy_scene_hit hit;
        bool met = ploy_scene_ray(scene, from, to, mask, &hit);
        double length = met ? (double)hit.distance : (double)radius;
        rays.hits += met;
        sum += length;
        if (i == 0) first = length;
        if (i > 0) area += before * length;
        before = length;
    }
    area += before * first;
    rays.mean = (float)(sum / count);
    rays.area = (float)(0.5 * ploy_sin(turn) * area);
    return rays;
}

// ---- values

static int32_t sight_count_lines(ploy_sight_map *map, int32_t place) {
    int32_t count = 0;
    for (int32_t i = 0; i < map->places.count; i++) {
        count += i != place && ploy_sight_map_sees(map, place, i);
    }
    map->work += map->places.count;
    return count;
}

static float sight_map_sample(ploy_sight_map *map, int32_t place) {
    // The same sample for every place; those that are not open are drawn again, a few times.
    ploy_rng rng = ploy_rng_make(map->def.seed);
    int32_t tested = 0, seen = 0;
    for (int32_t i = 0; i < 4 * map->def.samples && tested < map->def.samples; i++) {
        int32_t to = ploy_rng_int(&rng, 0, map->places.count - 1);
        if (to == place || !map->places.open(&map->places, to)) continue;
        tested++;
        seen += ploy_sight_map_sees(map, place, to);
    }
    map->work += tested;
    return tested == 0 ? 0.0f : (float)((double)seen * (map->open_count - 1) / tested);
}

float ploy_sight_map_at(ploy_sight_map *map, int32_t place) {
    if (map == NULL || place < 0 || place >= map->places.count ||
        !map->places.open(&map->places, place)) {
        return NAN;
    }
    bool grid = map->rows != NULL && !map->has_scene && !map->has_heights;
    int32_t count = 0;
    switch (map->def.mode) {
    case PLOY_SIGHT_RANDOM: return sight_map_sample(map, place);
    case PLOY_SIGHT_IMPORTANT:
        for (int32_t i = 0; i < map->important.count; i++) {
            int32_t to = *PLOY_ARRAY_AT(&map->important, int32_t, i);
            count += to != place && ploy_sight_map_sees(map, place, to);
        }
        map->work += map->important.count;
        return (float)count;
    case PLOY_SIGHT_RAYS:
        map->work += map->def.samples;
        return ploy_sight_rays_cast(map->has_scene ? &map->scene : NULL, sight_eye(map, place),
                                    map->def.radius, map->def.samples, map->def.mask)
            .mean;
    default: return (float)(grid ? sight_cast(map, place, NULL) : sight_count_lines(map, place));
    }
}

ploy_result ploy_sight_map_begin(ploy_sight_map *map, ploy_tactics_layer *out) {
    if (map == NULL || ploy_tactics_layer_numbers(out) == NULL ||
        ploy_tactics_layer_places(out)->count != map->places.count) {
        return PLOY_ERR_ARGUMENT;
    }
    map->out = out;
    map->next = 0;
    map->work = 0;
    map->spent = 0;
    map->running = true;
    return PLOY_OK;
}

ploy_result ploy_sight_map_step(ploy_sight_map *map, ploy_budget *budget) {
    if (map == NULL || !map->running || map->out == NULL) return PLOY_ERR_STATE;
    float *numbers = ploy_tactics_layer_numbers(map->out);
    while (map->next < map->places.count) {
        if (budget != NULL && ploy_budget_empty(budget)) return PLOY_IN_PROGRESS;
        numbers[map->next] = ploy_sight_map_at(map, map->next);
        map->next++;
        map->work++;
        // Whole units of what was done are paid; the rest is carried on.
        int64_t units = (map->work - map->spent) / SIGHT_UNIT;
        map->spent += units * SIGHT_UNIT;
        if (budget != NULL && units > 0) ploy_budget_spend(budget, units);
    }
    map->running = false;
    return PLOY_OK;
}

void ploy_sight_map_cancel(ploy_sight_map *map) {
    if (map != NULL) map->running = false;
}

ploy_result ploy_sight_map_run(ploy_sight_map *map, ploy_tactics_layer *out) {
    ploy_result result = ploy_sight_map_begin(map, out);
    return result == PLOY_OK ? ploy_sight_map_step(map, NULL) : result;
}

void ployi_sight_map_resume(ploy_sight_map *map, ploy_tactics_layer *out) {
    map->out = out;
}

// After a load: the bits by column and the count follow from the bits by row, and a file cannot open cells
// beyond the edge.
static void sight_bits(void *object) {
    ploy_sight_map *map = object;
    int32_t width = map->places.width, height = map->places.height;
    map->open_count = 0;
    memset(map->columns, 0, (size_t)map->column_words * (size_t)width * sizeof *map->columns);
    for (int32_t y = 0; y < height; y++) {
        uint64_t *row = map->rows + (size_t)y * (size_t)map->row_words;
        if (width % 64 != 0) row[map->row_words - 1] &= ((uint64_t)1 << width % 64) - 1;
        for (int32_t x = 0; x < width; x++) {
            if ((row[x / 64] >> (x % 64) & 1) == 0) continue;
            map->open_count++;
            map->columns[x * map->column_words + y / 64] |= (uint64_t)1 << (y % 64);
        }
    }
}

void ploy_sight_map_visit(ploy_visit *v, void *object) {
    ploy_sight_map *map = object;
    ploy_visit_object(v, "sight map", map, sizeof *map);
    if (map->rows != NULL) ploy_visit_after(v, sight_bits, map);
    PLOY_VISIT_SCRATCH(v, map->env);
    PLOY_VISIT_SCRATCH(v, map->def);
    PLOY_VISIT_SCRATCH(v, map->places);
    PLOY_VISIT_SCRATCH(v, map->scene);
    PLOY_VISIT_SCRATCH(v, map->has_scene);
    PLOY_VISIT_SCRATCH(v, map->heights);
    PLOY_VISIT_SCRATCH(v, map->has_heights);
    PLOY_VISIT_SCRATCH(v, map->rows);
    PLOY_VISIT_SCRATCH(v, map->columns);
    PLOY_VISIT_SCRATCH(v, map->row_words);
    PLOY_VISIT_SCRATCH(v, map->column_words);
    PLOY_VISIT_SCRATCH(v, map->sectors);
    PLOY_VISIT_SCRATCH(v, map->bits_size);
    PLOY_VISIT_SCRATCH(v, map->sectors_size);
    PLOY_VISIT_SCRATCH(v, map->out);
    ploy_visit_block(v, "sight bits", map->rows, map->bits_size);
    ploy_visit_block(v, "sight sectors", map->sectors[0], map->sectors_size);
    ploy_value places = ploy_value_i64(map->places.count);
    ploy_visit_same(v, "places", PLOY_STATE, &places);
    int32_t count =
        ploy_visit_array(v, "important", PLOY_STATE, &map->important, map->places.count);
    for (int32_t i = 0; i < count; i++) {
        ploy_visit_i32_in(v, "place", PLOY_STATE, &PLOY_ARRAY_ITEMS(&map->important, int32_t)[i], 0,
                          map->places.count - 1);
    }
    ploy_visit_end(v);
    if (map->rows != NULL) { // the count follows from them
        PLOY_VISIT_SCRATCH(v, map->open_count);
        int32_t words = map->row_words * map->places.height;
        ploy_visit_fixed(v, "open", PLOY_STATE, words);
        for (int32_t i = 0; i < words; i++) {
            ploy_visit_hex64(v, "cells", PLOY_STATE, &map->rows[i]);
        }
        ploy_visit_end(v);
    } else {
        ploy_visit_i32_in(v, "open_count", PLOY_STATE, &map->open_count, 0, map->places.count);
    }
    ploy_visit_bool(v, "running", PLOY_STATE, &map->running);
    ploy_visit_i32_in(v, "next", PLOY_STATE, &map->next, 0, map->places.count);
    ploy_visit_i64_in(v, "work", PLOY_STATE, &map->work, 0, INT64_MAX / 2);
    ploy_visit_i64_in(v, "spent", PLOY_STATE, &map->spent, 0, INT64_MAX / 2);
}

void ploy_sight_map_memory(const ploy_sight_map *map, ploy_memory_fn fn, void *user) {
    if (map == NULL || fn == NULL) return;
    ploy_visit_memory(ploy_sight_map_visit, map, fn, user);
}
