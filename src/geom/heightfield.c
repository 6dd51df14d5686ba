// Height fields.
//
// A ray walks over the columns of cells it passes, and in each over the rows, in its own order. The
// stretch of the ray over a column or row is widened by a little, so that rounding cannot step over
// a cell whose edge the ray runs along; looking at a cell twice or in vain changes no answer, as
// the nearest of all triangles met is reported. (Amanatides and Woo, "A Fast Voxel Traversal Algorithm
// for Ray Tracing", 1987, counts steps instead and trusts its sums.)
#include "ploy/geom/heightfield.h"

#include "geom/geom_internal.h"

#include "geom/solid_internal.h"

// Cells, the widening of a stretch.
static const double heightfield_margin = 1e-6;

static bool heightfield_finite(float value) {
    return fabsf(value) <= FLT_MAX;
}

ploy_heightfield ploy_heightfield_make(const float *heights, int32_t columns, int32_t rows,
                                       ploy_vec2 origin, float spacing) {
    ploy_heightfield field = {heights,       PLOY_HEIGHT_F32,
                              columns,       rows,
                              sizeof(float), (size_t)(columns > 0 ? columns : 0) * sizeof(float),
                              origin,        spacing,
                              0.0f,          1.0f};
    return field;
}

ploy_heightfield ploy_heightfield_make_u16(const uint16_t *heights, int32_t columns, int32_t rows,
                                           ploy_vec2 origin, float spacing, float low, float high) {
    ploy_heightfield field = {heights,
                              PLOY_HEIGHT_U16,
                              columns,
                              rows,
                              sizeof(uint16_t),
                              (size_t)(columns > 0 ? columns : 0) * sizeof(uint16_t),
                              origin,
                              spacing,
                              low,
                              (high - low) / 65535.0f};
    return field;
}

bool ployi_heightfield_is_valid(const ploy_heightfield *field) {
    return field->samples != NULL && field->columns >= 2 && field->rows >= 2 &&
           (field->type == PLOY_HEIGHT_F32 || field->type == PLOY_HEIGHT_U16) &&
           ploy_vec2_is_finite(field->origin) && field->spacing > 0.0f &&
           heightfield_finite(field->spacing) && heightfield_finite(field->offset) &&
           heightfield_finite(field->scale);
}

// In range. Holes come out as NaN or infinity.
static double heightfield_get(const ploy_heightfield *field, int32_t column, int32_t row) {
    const unsigned char *at = (const unsigned char *)field->samples +
                              (size_t)column * field->column_stride +
                              (size_t)row * field->row_stride;
    double value = field->type == PLOY_HEIGHT_F32 ? (double)*(const float *)(const void *)at
                                                  : (double)*(const uint16_t *)(const void *)at;
    return (double)field->offset + (double)field->scale * value;
}

float ploy_heightfield_sample(const ploy_heightfield *field, int32_t column, int32_t row) {
    if (!ployi_heightfield_is_valid(field)) return NAN;
    if (column < 0 || column >= field->columns || row < 0 || row >= field->rows) return NAN;
    return (float)heightfield_get(field, column, row);
}

ploy_box3 ployi_box3_of_heightfield(const ploy_heightfield *field) {
    ploy_box3 box = ploy_box3_empty();
    if (!ployi_heightfield_is_valid(field)) return box;
    double low = INFINITY, high = -INFINITY;
    for (int32_t row = 0; row < field->rows; row++) {
        for (int32_t column = 0; column < field->columns; column++) {
            double height = heightfield_get(field, column, row);
            if (!(fabs(height) <= (double)FLT_MAX)) continue;
            low = height < low ? height : low;
            high = height > high ? height : high;
        }
    }
    if (!(low <= high)) return box;
    double spacing = (double)field->spacing;
    box.min = ploy_vec3_make(field->origin.x, field->origin.y, (float)low);
    box.max =
        ploy_vec3_make((float)((double)field->origin.x + spacing * (field->columns - 1)),
                       (float)((double)field->origin.y + spacing * (field->rows - 1)), (float)high);
    return box;
}

// A cell, the place in it, 0 to 1 both ways, and its corners: (0,0), (1,0), (0,1), (1,1).
typedef struct heightfield_cell {
    double fx, fy, h00, h10, h01, h11;
} heightfield_cell;

static void heightfield_corners(const ploy_heightfield *field, int32_t column, int32_t row,
                                heightfield_cell *out) {
    out->h00 = heightfield_get(field, column, row);
    out->h10 = heightfield_get(field, column + 1, row);
    out->h01 = heightfield_get(field, column, row + 1);
    out->h11 = heightfield_get(field, column + 1, row + 1);
}

static bool heightfield_find(const ploy_heightfield *field, ploy_vec2 point,
                             heightfield_cell *out) {
    if (!ployi_heightfield_is_valid(field)) return false;
    double x = ((double)point.x - (double)field->origin.x) / (double)field->spacing;
    double y = ((double)point.y - (double)field->origin.y) / (double)field->spacing;
    double columns = (double)(field->columns - 1), rows = (double)(field->rows - 1);
    if (!(x >= 0.0 && x <= columns && y >= 0.0 && y <= rows)) return false;
    int32_t column = x < columns ? (int32_t)x : field->columns - 2;
    int32_t row = y < rows ? (int32_t)y : field->rows - 2;
    out->fx = x - (double)column;
    out->fy = y - (double)row;
    heightfield_corners(field, column, row, out);
    return true;
}

// Height and its rates along x and y (per cell) of the triangle, or of the smooth form. False over
// a hole.
static bool heightfield_surface(const ploy_heightfield *field, ploy_vec2 point, bool smooth,
                                double *height, double *rate_x, double *rate_y) {
    heightfield_cell c;
    if (!heightfield_find(field, point, &c)) return false;
    if (smooth) {
        *rate_x = (c.h10 - c.h00) * (1.0 - c.fy) + (c.h11 - c.h01) * c.fy;
        *rate_y = (c.h01 - c.h00) * (1.0 - c.fx) + (c.h11 - c.h10) * c.fx;
        *height = c.h00 + (c.h01 - c.h00) * c.fy + *rate_x * c.fx;
    } else {
        bool first = c.fx >= c.fy;
        *rate_x = first ? c.h10 - c.h00 : c.h11 - c.h01;
        *rate_y = first ? c.h11 - c.h10 : c.h01 - c.h00;
        *height = c.h00 + *rate_x * c.fx + *rate_y * c.fy;
    }
    double limit = (double)FLT_MAX;
    return fabs(*height) <= limit && fabs(*rate_x) <= limit && fabs(*rate_y) <= limit;
}

static bool heightfield_height(const ploy_heightfield *field, ploy_vec2 point, bool smooth,
                               float *out) {
    double height, rate_x, rate_y;
    if (!heightfield_surface(field, point, smooth, &height, &rate_x, &rate_y)) return false;
    if (out != NULL) *out = (float)height;
    return true;
}

static bool heightfield_normal(const ploy_heightfield *field, ploy_vec2 point, bool smooth,
                               ploy_vec3 *out) {
    double height, rate_x, rate_y;
    if (!heightfield_surface(field, point, smooth, &height, &rate_x, &rate_y)) return false;
    ployi_dvec3 normal = ployi_dvec3_make(-rate_x, -rate_y, (double)field->spacing);
    if (out != NULL) *out = ployi_dvec3_round(ployi_dvec3_unit(normal));
    return true;
}

bool ploy_heightfield_height(const ploy_heightfield *field, ploy_vec2 point, float *out) {
    return heightfield_height(field, point, false, out);
}

bool ploy_heightfield_normal(const ploy_heightfield *field, ploy_vec2 point, ploy_vec3 *out) {
    return heightfield_normal(field, point, false, out);
}

bool ploy_heightfield_slope(const ploy_heightfield *field, ploy_vec2 point, float *out) {
    double height, rate_x, rate_y;
    if (!heightfield_surface(field, point, false, &height, &rate_x, &rate_y)) return false;
    if (out != NULL)
        *out = (float)(sqrt(rate_x * rate_x + rate_y * rate_y) / (double)field->spacing);
    return true;
}

bool ploy_heightfield_smooth_height(const ploy_heightfield *field, ploy_vec2 point, float *out) {
    return heightfield_height(field, point, true, out);
}

bool ploy_heightfield_smooth_normal(const ploy_heightfield *field, ploy_vec2 point,
                                    ploy_vec3 *out) {
    return heightfield_normal(field, point, true, out);
}

// The ray over the field, in cells: start + t * step, for t (metres) from low to high.
typedef struct heightfield_walk {
    const ploy_heightfield *field;
    ployi_dvec3 origin, along; // m
    double start[2], step[2];  // cells, cells per metre
    double best;               // m to the nearest triangle met; INFINITY: none yet
    ployi_dvec3 normal;        // of it
} heightfield_walk;

// Cuts [*low, *high] to where start + t * step lies within [from, to], widened a little. False if
// nothing is left.
static bool heightfield_cut(double start, double step, double from, double to, double *low,
                            double *high) {
    from -= heightfield_margin;
    to += heightfield_margin;
    if (step == 0.0) return start >= from && start <= to;
    double a = (from - start) / step, b = (to - start) / step;
    double enter = a < b ? a : b, leave = a < b ? b : a;
    *low = enter > *low ? enter : *low;
    *high = leave < *high ? leave : *high;
    return *low <= *high;
}

// The cells, first to last in the ray's order, that it passes between low and high on one axis.
static void heightfield_range(double start, double step, double low, double high, int32_t cells,
                              int32_t *first, int32_t *last) {
    double a = step == 0.0 ? start : start + step * low;
    double b = step == 0.0 ? start : start + step * high;
    double from = floor((a < b ? a : b) - heightfield_margin);
    double to = floor((a < b ? b : a) + heightfield_margin);
    double most = (double)(cells - 1);
    from = from > 0.0 ? (from < most ? from : most) : 0.0;
    to = to > 0.0 ? (to < most ? to : most) : 0.0;
    *first = (int32_t)(step < 0.0 ? to : from);
    *last = (int32_t)(step < 0.0 ? from : to);
}

static void heightfield_meet(heightfield_walk *walk, ployi_dvec3 a, ployi_dvec3 b, ployi_dvec3 c) {
    double distance, rate;
    ployi_dvec3 front;
    if (!ployi_enter_triangle(a, b, c, walk->along, &distance, &front, &rate)) return;
    if (!(distance < walk->best)) return;
    walk->best = distance;
    walk->normal = ployi_dvec3_scale(front, rate > 0.0 ? -1.0 : 1.0);
}

static void heightfield_look(heightfield_walk *walk, int32_t column, int32_t row, double low,
                             double high) {
    heightfield_cell c;
    heightfield_corners(walk->field, column, row, &c);
    // Above or below all four corners along the whole ray? False for holes, which are sorted out below.
    double z_low = walk->origin.z + walk->along.z * low;
    double z_high = walk->along.z == 0.0 ? z_low : walk->origin.z + walk->along.z * high;
    double below = z_low < z_high ? z_low : z_high, above = z_low < z_high ? z_high : z_low;
    double slack = heightfield_margin * (double)walk->field->spacing + 1e-12 * fabs(walk->origin.z);
    below -= slack;
    above += slack;
    if (c.h00 < below && c.h10 < below && c.h01 < below && c.h11 < below) return;
    if (c.h00 > above && c.h10 > above && c.h01 > above && c.h11 > above) return;
    double spacing = (double)walk->field->spacing;
    double x0 = (double)walk->field->origin.x - walk->origin.x + spacing * column;
    double y0 = (double)walk->field->origin.y - walk->origin.y + spacing * row;
    double x1 = (double)walk->field->origin.x - walk->origin.x + spacing * (column + 1);
    double y1 = (double)walk->field->origin.y - walk->origin.y + spacing * (row + 1);
    double limit = (double)FLT_MAX, z = walk->origin.z;
    if (!(fabs(c.h00) <= limit && fabs(c.h11) <= limit)) return; // of both triangles
    ployi_dvec3 p00 = {x0, y0, c.h00 - z}, p11 = {x1, y1, c.h11 - z};
    ployi_dvec3 p10 = {x1, y0, c.h10 - z}, p01 = {x0, y1, c.h01 - z};
    if (fabs(c.h10) <= limit) heightfield_meet(walk, p00, p10, p11);
    if (fabs(c.h01) <= limit) heightfield_meet(walk, p00, p11, p01);
}

bool ploy_ray3_hit_heightfield(ploy_ray3 ray, const ploy_heightfield *field, ploy_hit3 *out) {
    if (!ployi_heightfield_is_valid(field)) return false;
    if (!ploy_vec3_is_finite(ray.origin) || !ploy_vec3_is_finite(ray.direction)) return false;
    if (ploy_vec3_is_zero(ray.direction)) return false;
    heightfield_walk walk;
    double spacing = (double)field->spacing, low = 0.0, high = (double)ray.length;
    walk.field = field;
    walk.origin = ployi_dvec3_of(ray.origin);
    walk.along = ployi_dvec3_of(ray.direction);
    walk.start[0] = (walk.origin.x - (double)field->origin.x) / spacing;
    walk.start[1] = (walk.origin.y - (double)field->origin.y) / spacing;
    walk.step[0] = walk.along.x / spacing;
    walk.step[1] = walk.along.y / spacing;
    walk.best = INFINITY;
    walk.normal = ployi_dvec3_make(0.0, 0.0, 0.0);
    int32_t cells[2] = {field->columns - 1, field->rows - 1};
    for (int32_t i = 0; i < 2; i++) {
        if (!heightfield_cut(walk.start[i], walk.step[i], 0.0, cells[i], &low, &high)) return false;
    }
    int32_t first, last;
    heightfield_range(walk.start[0], walk.step[0], low, high, cells[0], &first, &last);
    int32_t turn = last < first ? -1 : 1;
    for (int32_t column = first; column != last + turn; column += turn) {
        double from = low, to = high;
        if (!heightfield_cut(walk.start[0], walk.step[0], column, column + 1, &from, &to)) continue;
        if (from > walk.best) break; // what comes is farther
        int32_t row, row_last;
        heightfield_range(walk.start[1], walk.step[1], from, to, cells[1], &row, &row_last);
        int32_t row_turn = row_last < row ? -1 : 1;
        for (; row != row_last + row_turn; row += row_turn) {
            double enter = from, leave = to;
            if (!heightfield_cut(walk.start[1], walk.step[1], row, row + 1, &enter, &leave))
                continue;
            if (enter > walk.best) break;
            heightfield_look(&walk, column, row, enter, leave);
        }
    }
    if (!(walk.best < INFINITY)) return false;
    ployi_touch touch = {walk.best, walk.normal};
    return ployi_touch_tell(ray, &touch, 0.0, out);
}
