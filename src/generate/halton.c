// Halton sequences; see the header.
#include "ploy/generate/halton.h"

#include "generate/generate_internal.h"

#include <math.h>
#include <string.h>

// ---- the sequence

// Both parts of the fraction are whole numbers below 2^53, so the quotient is rounded once. Digits
// beyond that would change nothing that a double can hold.
double ploy_radical_inverse(uint32_t base, uint64_t index) {
    if (base < 2) return 0.0;
    const uint64_t most = (UINT64_C(1) << 53) / base;
    uint64_t numerator = 0, denominator = 1;
    while (index > 0 && denominator <= most) {
        numerator = numerator * base + index % base;
        denominator *= base;
        index /= base;
    }
    return (double)numerator / (double)denominator;
}

static uint64_t halton_common_factor(uint64_t a, uint64_t b) {
    while (b != 0) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

ploy_result ploy_halton_init(ploy_halton *halton, int32_t dimensions, const uint32_t *bases,
                             uint64_t start, uint64_t stride, const double *offsets) {
    if (halton == NULL || bases == NULL || dimensions < 1 || dimensions > PLOY_HALTON_DIMENSIONS ||
        stride < 1) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_halton made;
    memset(&made, 0, sizeof made);
    made.dimensions = dimensions;
    made.start = start;
    made.stride = stride;
    for (int32_t i = 0; i < dimensions; i++) {
        if (bases[i] < 2 || bases[i] > PLOY_HALTON_BASE_MAX) return PLOY_ERR_ARGUMENT;
        if (halton_common_factor(bases[i], stride) != 1) return PLOY_ERR_ARGUMENT;
        for (int32_t k = 0; k < i; k++) {
            if (halton_common_factor(bases[i], bases[k]) != 1) return PLOY_ERR_ARGUMENT;
        }
        made.bases[i] = bases[i];
        double offset = offsets != NULL ? offsets[i] : 0.0;
        if (!(offset >= 0.0 && offset < 1.0)) return PLOY_ERR_ARGUMENT;
        made.offsets[i] = offset;
    }
    *halton = made;
    return PLOY_OK;
}

void ploy_halton_at(const ploy_halton *halton, uint64_t i, double *out) {
    uint64_t index = halton->start + i * halton->stride;
    for (int32_t k = 0; k < halton->dimensions; k++) {
        double value = ploy_radical_inverse(halton->bases[k], index) + halton->offsets[k];
        out[k] = value >= 1.0 ? value - 1.0 : value;
    }
}

void ploy_halton_next(ploy_halton *halton, double *out) {
    ploy_halton_at(halton, halton->next, out);
    halton->next++;
}

// ---- points in a box
//
// The numbers i = r modulo base_x^a * base_y^b share their first a digits in x and b in y, so their
// points are in one cell of base_x^-a by base_y^-b. The search refines the cells that meet the box
// until one number below count is left of each.

typedef struct halton_query {
    const ploy_halton *halton;
    double low[2], high[2];
    uint64_t count;
    uint64_t *out;
    int64_t capacity, found;
} halton_query;

// Where a cell begins along one axis: the first digits of its index.
static double halton_cell(const halton_query *q, int32_t axis, uint64_t i, uint64_t power) {
    uint64_t index = q->halton->start + i * q->halton->stride;
    return ploy_radical_inverse(q->halton->bases[axis], index % power);
}

static bool halton_meets(const halton_query *q, int32_t axis, double begin, double width) {
    const double slack = 1e-12; // of rounding; the points themselves are tested exactly
    double from = begin + q->halton->offsets[axis];
    if (from >= 1.0) from -= 1.0;
    double to = from + width;
    if (from - slack <= q->high[axis] && to + slack >= q->low[axis]) return true;
    return to > 1.0 && to - 1.0 + slack >= q->low[axis]; // the part that wrapped begins at 0
}

static void halton_search(halton_query *q, uint64_t i, uint64_t px, uint64_t py) {
    if (!halton_meets(q, 0, halton_cell(q, 0, i, px), 1.0 / (double)px)) return;
    if (!halton_meets(q, 1, halton_cell(q, 1, i, py), 1.0 / (double)py)) return;
    uint64_t step = px * py;
    if (step >= q->count) {
        double point[PLOY_HALTON_DIMENSIONS];
        ploy_halton_at(q->halton, i, point);
        for (int32_t axis = 0; axis < 2; axis++) {
            if (!(point[axis] >= q->low[axis] && point[axis] <= q->high[axis])) return;
        }
        if (q->found < q->capacity) q->out[q->found] = i;
        q->found++;
        return;
    }
    int32_t axis = px <= py ? 0 : 1; // keeps cells about square
    uint64_t base = q->halton->bases[axis];
    for (uint64_t k = 0; k < base && i + k * step < q->count; k++) {
        halton_search(q, i + k * step, axis == 0 ? px * base : px, axis == 1 ? py * base : py);
    }
}

// A heap sort: no memory, no recursion.
static void halton_sort(uint64_t *items, int64_t count) {
    for (int64_t end = count, first = count / 2; end > 1;) {
        uint64_t item;
        if (first > 0) {
            item = items[--first];
        } else {
            item = items[--end];
            items[end] = items[0];
        }
        int64_t hole = first;
        for (int64_t child = 2 * hole + 1; child < end; child = 2 * hole + 1) {
            if (child + 1 < end && items[child + 1] > items[child]) child++;
            if (items[child] <= item) break;
            items[hole] = items[child];
            hole = child;
        }
        items[hole] = item;
    }
}

int64_t ploy_halton_find(const ploy_halton *halton, ploy_box2 box, uint64_t count, uint64_t *out,
                         int64_t capacity) {
    if (halton->dimensions < 2 || count == 0 || count > UINT64_C(1) << 40) return 0;
    if (halton->bases[0] < 2 || halton->bases[1] < 2)
        return 0; // not set up: cells that never shrink
    halton_query query = {halton,
                          {(double)box.min.x, (double)box.min.y},
                          {(double)box.max.x, (double)box.max.y},
                          count,
                          out,
                          capacity,
                          0};
    halton_search(&query, 0, 1, 1);
    halton_sort(out, query.found < capacity ? query.found : capacity);
    return query.found;
}

// ---- the generator

static const ploy_field halton_fields[] = {
    PLOY_FIELD_I32(ploy_halton_points_def, count, 400, 1, 1 << 20, "", "points"),
    PLOY_FIELD_I32(ploy_halton_points_def, base_x, 2, 2, PLOY_HALTON_BASE_MAX, "",
                   "base of the x coordinate"),
    PLOY_FIELD_I32(ploy_halton_points_def, base_y, 3, 2, PLOY_HALTON_BASE_MAX, "",
                   "base of the y coordinate; no common factor with base_x"),
    PLOY_FIELD_I32(ploy_halton_points_def, start, 1, 0, 1 << 30, "", "index of the first point"),
    PLOY_FIELD_I32(ploy_halton_points_def, stride, 1, 1, 1 << 20, "",
                   "indices from one point to the next; no common factor with a base"),
    PLOY_FIELD_BOOL(ploy_halton_points_def, random_offset, 0,
                    "shift both coordinates by a random amount"),
    PLOY_FIELD_I32(ploy_halton_points_def, tiles, 1, 1, 64, "",
                   "copies of the pattern along each axis"),
    PLOY_FIELD_F32(ploy_halton_points_def, width, 40, 1e-2f, 1e6f, "m", "size of the area along x"),
    PLOY_FIELD_F32(ploy_halton_points_def, height, 40, 1e-2f, 1e6f, "m",
                   "size of the area along y"),
    PLOY_FIELD_F32(ploy_halton_points_def, radius, 0, 0, 1e4f, "m", "radius of a point"),
};

ploy_fields ploy_halton_points_fields(void) {
    return PLOY_FIELDS(ploy_halton_points_def, halton_fields);
}

ploy_halton_points_def ploy_halton_points_def_default(void) {
    ploy_halton_points_def def;
    ploy_fields_default(ploy_halton_points_fields(), &def);
    return def;
}

struct ploy_halton_points {
    ploy_env env;
    ploy_halton_points_def def;
    ploy_halton sequence;
    ploy_trace *trace;
    size_t size;
    int64_t units;
    uint64_t draws;
    int32_t per_tile; // points of one copy
    int32_t count;    // points made
    ploy_placed items[];
};

ploy_result ploy_halton_points_begin(const ploy_halton_points_def *def, ploy_rng_key key,
                                     ploy_trace *trace, const ploy_env *env,
                                     ploy_halton_points **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    ploy_result result = ploy_fields_check(ploy_halton_points_fields(), def, env);
    if (result != PLOY_OK) return result;
    ploy_rng rng = ploy_rng_from_key(ploy_generate_stream(key, "offset"), 0);
    double offsets[2] = {0.0, 0.0};
    if (def->random_offset) {
        offsets[0] = ploy_rng_double(&rng);
        offsets[1] = ploy_rng_double(&rng);
    }
    uint32_t bases[2] = {(uint32_t)def->base_x, (uint32_t)def->base_y};
    ploy_halton sequence;
    result =
        ploy_halton_init(&sequence, 2, bases, (uint64_t)def->start, (uint64_t)def->stride, offsets);
    if (result != PLOY_OK) {
        ploy_env_log(env, PLOY_SEVERITY_ERROR,
                     "halton: base_x, base_y and stride must not have a common factor");
        return result;
    }
    size_t size = 0;
    if (!ploy_size_add_array(sizeof(ploy_halton_points), def->count, sizeof(ploy_placed), &size)) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_halton_points *points = ploy_env_alloc_zero(env, size);
    if (points == NULL) return PLOY_ERR_MEMORY;
    points->env = *env;
    points->def = *def;
    points->sequence = sequence;
    points->trace = trace;
    points->size = size;
    points->draws = ploy_generate_draws(&rng);
    int32_t copies = def->tiles * def->tiles;
    points->per_tile = (def->count + copies - 1) / copies;
    *out = points;
    return PLOY_OK;
}

ploy_result ploy_halton_points_step(ploy_halton_points *points, ploy_budget *budget) {
    const ploy_halton_points_def *def = &points->def;
    double tile_width = (double)def->width / def->tiles;
    double tile_height = (double)def->height / def->tiles;
    while (points->count < def->count) {
        if (!ploy_budget_spend(budget, 1)) return PLOY_IN_PROGRESS;
        points->units++;
        int32_t tile = points->count / points->per_tile;
        double at[2];
        ploy_halton_at(&points->sequence, (uint64_t)(points->count % points->per_tile), at);
        ploy_placed *item = &points->items[points->count++];
        item->position = ploy_vec2_make((float)((tile % def->tiles + at[0]) * tile_width),
                                        (float)((tile / def->tiles + at[1]) * tile_height));
        item->radius = def->radius;
        if (points->trace != NULL) {
            ploy_trace_begin(points->trace, ploy_agent_id_none(), "point", "halton");
            ploy_trace_vec2(points->trace, "position", item->position.x, item->position.y);
            ploy_trace_end(points->trace);
        }
    }
    return PLOY_OK;
}

ploy_generate_outcome ploy_halton_points_outcome(const ploy_halton_points *points) {
    ploy_generate_outcome outcome;
    memset(&outcome, 0, sizeof outcome);
    outcome.done = points->count == points->def.count;
    outcome.limit = "";
    outcome.count = points->count;
    outcome.attempts = points->count;
    outcome.draws = points->draws;
    outcome.units = points->units;
    return outcome;
}

const ploy_placed *ploy_halton_points_items(const ploy_halton_points *points, int32_t *count) {
    *count = points->count;
    return points->items;
}

void ploy_halton_points_cancel(ploy_halton_points *points) {
    if (points == NULL) return;
    ploy_env env = points->env;
    ploy_env_free(&env, points, points->size);
}

static ploy_content halton_points_content(const ploy_halton_points *points) {
    ploy_content content = ploy_content_none();
    content.kinds = PLOY_CONTENT_POINTS;
    content.points = ploy_halton_points_items(points, &content.point_count);
    content.area = ploy_box2_make(ploy_vec2_make(0.0f, 0.0f),
                                  ploy_vec2_make(points->def.width, points->def.height));
    return content;
}

void ploy_halton_points_describe(const ploy_halton_points *points, ploy_describe *out) {
    ploy_content content = halton_points_content(points);
    ploy_describe_u64(out, "points", PLOY_STATE, ploy_content_hash_points(&content));
}

void ploy_halton_points_draw(const ploy_halton_points *points, ploy_draw *out) {
    ploy_content content = halton_points_content(points);
    ployi_generate_draw_area(content.area, out);
    ploy_content_draw_points(&content, out);
}

void ploy_halton_points_memory(const ploy_halton_points *points, ploy_memory_fn fn, void *user) {
    ploy_memory_item item = {"halton", points->size, 1};
    fn(user, &item);
}

PLOYI_GENERATOR_CALLS(halton_points)

static ploy_result halton_points_front_begin(const void *def, ploy_rng_key key,
                                             const ploy_content *input, ploy_trace *trace,
                                             const ploy_env *env, void **out) {
    (void)input;
    ploy_halton_points *points = NULL;
    ploy_result result = ploy_halton_points_begin(def, key, trace, env, &points);
    *out = points;
    return result;
}

const ploy_generator_type *ploy_halton_points_generator(void) {
    static const ploy_generator_type type = {
        "halton",
        "points that spread evenly, from a Halton sequence",
        "one point",
        0,
        0,
        PLOY_CONTENT_POINTS,
        PLOYI_GENERATOR_TABLE(halton_points),
    };
    return &type;
}
