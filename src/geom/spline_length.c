// Splines by metres: the table of lengths, and the conversion from a distance to a parameter.
//
// A span is cut into PLOY_SPLINE_CELLS cells, even in u. The distance at a cell's start is a sum in
// double, rounded to float: measure stores those numbers and the walk recomputes them, so that both
// methods agree to the bit. Within a cell a place is found by Newton's method on the length itself,
// kept between bounds that halving would give.
#include "ploy/geom/spline.h"

#include "geom/spline_internal.h"

// Walks over the cells. With a table it can start anywhere.
typedef struct spline_walk {
    const ployi_spline *spline;
    int64_t cell, cells;
    ployi_cubic cubic; // of the cell's span
    int32_t span;      // whose cubic that is; -1: none yet
    double sum;        // unrounded, at the cell's end; only without a table
    float begin, end;  // m along, of the cell
} spline_walk;

static double spline_speed(const ployi_cubic *cubic, double u) {
    double v[3];
    ployi_cubic_derivative(cubic, u, v);
    return sqrt(ployi_dot3(v, v));
}

// Gauss and Legendre with five points: exact for polynomials of degree nine.
static double spline_gauss(const ployi_cubic *cubic, double a, double b) {
    static const double places[2] = {0.53846931010568309104, 0.90617984593866399280};
    static const double weights[3] = {0.56888888888888888889, 0.47862867049936646804,
                                      0.23692688505618908751};
    double middle = 0.5 * (a + b), half = 0.5 * (b - a);
    double sum = weights[0] * spline_speed(cubic, middle);
    for (int32_t i = 0; i < 2; i++) {
        double step = half * places[i];
        sum += weights[i + 1] *
               (spline_speed(cubic, middle - step) + spline_speed(cubic, middle + step));
    }
    return sum * half;
}

// Halves [a, b] until the whole and the sum of its halves agree. Only next to a cusp, where the
// speed has a corner, does that go deep, and there on one side alone.
static double spline_arc_part(const ployi_cubic *cubic, double a, double b, double whole,
                              double tolerance, int32_t depth) {
    double middle = 0.5 * (a + b);
    double first = spline_gauss(cubic, a, middle), second = spline_gauss(cubic, middle, b);
    if (depth == 0 || !(fabs(first + second - whole) > tolerance)) return first + second;
    return spline_arc_part(cubic, a, middle, first, tolerance, depth - 1) +
           spline_arc_part(cubic, middle, b, second, tolerance, depth - 1);
}

// The largest the cubic's parts could be: what a length is small beside.
static double spline_size(const ployi_cubic *cubic) {
    double size = 0.0;
    for (int32_t k = 0; k < 3; k++) size += sqrt(ployi_dot3(cubic->c[k], cubic->c[k]));
    return size;
}

static double spline_arc(const ployi_cubic *cubic, double a, double b) {
    if (!(b > a)) return 0.0;
    double tolerance = spline_size(cubic) * 1e-9;
    return spline_arc_part(cubic, a, b, spline_gauss(cubic, a, b), tolerance, 14);
}

static double spline_cell_start(const spline_walk *walk) {
    return (double)(walk->cell % PLOY_SPLINE_CELLS) / (double)PLOY_SPLINE_CELLS;
}

static double spline_cell_end(const spline_walk *walk) {
    return (double)(walk->cell % PLOY_SPLINE_CELLS + 1) / (double)PLOY_SPLINE_CELLS;
}

static void spline_walk_load_cubic(spline_walk *walk) {
    int32_t span = (int32_t)(walk->cell / PLOY_SPLINE_CELLS);
    if (span != walk->span) walk->cubic = ployi_spline_cubic(walk->spline, span);
    walk->span = span;
}

static void spline_walk_load(spline_walk *walk) {
    if (walk->cell >= walk->cells) return;
    const float *table = walk->spline->along;
    if (table != NULL) {
        walk->begin = table[walk->cell];
        walk->end = table[walk->cell + 1];
        return;
    }
    spline_walk_load_cubic(walk);
    walk->begin = walk->cell == 0 ? 0.0f : walk->end;
    walk->sum += spline_arc(&walk->cubic, spline_cell_start(walk), spline_cell_end(walk));
    walk->end = (float)walk->sum;
}

static void spline_walk_start(spline_walk *walk, const ployi_spline *spline) {
    walk->spline = spline;
    walk->cell = 0;
    walk->cells = (int64_t)spline->spans * PLOY_SPLINE_CELLS;
    walk->span = -1;
    walk->sum = 0.0;
    walk->begin = walk->end = 0.0f;
    spline_walk_load(walk);
}

static void spline_walk_next(spline_walk *walk) {
    walk->cell++;
    spline_walk_load(walk);
}

float ployi_spline_length(const ployi_spline *spline) {
    int64_t cells = (int64_t)spline->spans * PLOY_SPLINE_CELLS;
    if (cells == 0) return 0.0f;
    if (spline->along != NULL) return spline->along[cells];
    spline_walk walk;
    spline_walk_start(&walk, spline);
    while (walk.cell < walk.cells - 1) spline_walk_next(&walk);
    return walk.end;
}

float ployi_spline_wrap_along(const ployi_spline *spline, float along, float length) {
    if (along >= 0.0f && along < length) return along;
    if (!spline->closed) return along > 0.0f ? length : 0.0f; // NaN too gives 0
    if (!(length > 0.0f) || !(fabsf(along) <= FLT_MAX)) return 0.0f;
    double turns = floor((double)along / (double)length);
    float wrapped = (float)((double)along - turns * (double)length);
    return wrapped >= 0.0f && wrapped < length ? wrapped : 0.0f;
}

// The cell of the table that holds a place: the first that ends beyond it; at the very end the last
// that has a length.
static int64_t spline_cell_at(const ployi_spline *spline, float along) {
    int64_t cells = (int64_t)spline->spans * PLOY_SPLINE_CELLS, low = 0, high = cells;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (spline->along[middle + 1] > along) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    if (low < cells) return low;
    low = cells - 1;
    while (low > 0 && spline->along[low] == spline->along[low + 1]) low--;
    return low;
}

int32_t ployi_spline_span_at(const ployi_spline *spline, float along) {
    return (int32_t)(spline_cell_at(spline, along) / PLOY_SPLINE_CELLS);
}

// The walk at the cell that holds a place, with or without a table.
static void spline_walk_to(spline_walk *walk, const ployi_spline *spline, float along) {
    spline_walk_start(walk, spline);
    if (spline->along != NULL) {
        walk->cell = spline_cell_at(spline, along);
        spline_walk_load(walk);
    } else {
        spline_walk last = *walk;
        for (; walk->cell < walk->cells; spline_walk_next(walk)) {
            if (walk->end > walk->begin || walk->cell == 0) last = *walk;
            if (walk->end > along) return;
        }
        *walk = last;
    }
    spline_walk_load_cubic(walk);
}

ployi_spline_place ployi_spline_place_at(const ployi_spline *spline, float along) {
    spline_walk walk;
    spline_walk_to(&walk, spline, along);
    double start = spline_cell_start(&walk), end = spline_cell_end(&walk);
    ployi_spline_place place = {(int32_t)(walk.cell / PLOY_SPLINE_CELLS), start};
    double room = (double)walk.end - (double)walk.begin;
    double share = room > 0.0 ? ((double)along - (double)walk.begin) / room : 0.0;
    if (!(share > 0.0)) return place;
    place.u = end;
    if (share >= 1.0) return place;
    // The share is of the cell's length as it truly is, of which the table holds a rounded sum.
    double wanted = share * spline_arc(&walk.cubic, start, end);
    double close_enough = spline_size(&walk.cubic) * 1e-9;
    double low = start, high = end, u = start + (end - start) * share;
    for (int32_t i = 0; i < 40; i++) {
        double miss = spline_arc(&walk.cubic, start, u) - wanted;
        if (!(fabs(miss) > close_enough)) break;
        if (miss > 0.0) {
            high = u;
        } else {
            low = u;
        }
        double speed = spline_speed(&walk.cubic, u);
        double next = speed > 0.0 ? u - miss / speed : low;
        u = next > low && next < high ? next : 0.5 * (low + high);
    }
    place.u = u;
    return place;
}

float ployi_spline_along_of(const ployi_spline *spline, ployi_spline_place place) {
    double cells = floor(place.u * (double)PLOY_SPLINE_CELLS);
    double most = (double)(PLOY_SPLINE_CELLS - 1);
    int64_t in_span = (int64_t)(cells > 0.0 ? (cells < most ? cells : most) : 0.0);
    int64_t cell = (int64_t)place.span * PLOY_SPLINE_CELLS + in_span;
    spline_walk walk;
    spline_walk_start(&walk, spline);
    if (spline->along != NULL) {
        walk.cell = cell;
        spline_walk_load(&walk);
    } else {
        while (walk.cell < cell) spline_walk_next(&walk);
    }
    spline_walk_load_cubic(&walk);
    double start = spline_cell_start(&walk);
    double whole = spline_arc(&walk.cubic, start, spline_cell_end(&walk));
    double part = spline_arc(&walk.cubic, start, place.u);
    double share = whole > 0.0 ? part / whole : 0.0;
    float along = (float)((double)walk.begin + share * ((double)walk.end - (double)walk.begin));
    if (along > walk.end) along = walk.end;
    // The end of a closed one is its start.
    if (spline->closed && cell == walk.cells - 1 && along >= walk.end) along = 0.0f;
    return along;
}

static void spline_measure(const ployi_spline *spline, float *out) {
    ployi_spline bare = *spline;
    bare.along = NULL; // an old table must not answer for the new one
    out[0] = 0.0f;
    spline_walk walk;
    spline_walk_start(&walk, &bare);
    for (; walk.cell < walk.cells; spline_walk_next(&walk)) out[walk.cell + 1] = walk.end;
}

static int32_t spline_table_size(int32_t spans) {
    int64_t size = (int64_t)spans * PLOY_SPLINE_CELLS + 1;
    return size <= INT32_MAX ? (int32_t)size : -1;
}

int32_t ploy_spline2_table_size(const ploy_spline2 *spline) {
    return spline_table_size(ploy_spline2_spans(spline));
}

int32_t ploy_spline3_table_size(const ploy_spline3 *spline) {
    return spline_table_size(ploy_spline3_spans(spline));
}

void ploy_spline2_measure(const ploy_spline2 *spline, float *out) {
    ployi_spline s = ployi_spline_of2(spline);
    spline_measure(&s, out);
}

void ploy_spline3_measure(const ploy_spline3 *spline, float *out) {
    ployi_spline s = ployi_spline_of3(spline);
    spline_measure(&s, out);
}

float ploy_spline2_length(const ploy_spline2 *spline) {
    ployi_spline s = ployi_spline_of2(spline);
    return ployi_spline_length(&s);
}

float ploy_spline3_length(const ploy_spline3 *spline) {
    ployi_spline s = ployi_spline_of3(spline);
    return ployi_spline_length(&s);
}
