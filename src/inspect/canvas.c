// The canvas: scan conversion by counting.
//
// Every shape is a set of closed outlines in pixels, y down, given as crossings of sample rows: a
// polygon by its edges, a disc by the two ends of each chord. Four sample rows cross a pixel and
// four samples lie on each; a crossing adds its direction to the first sample right of it, and the
// running sum along the row is the winding number (the non-zero rule), so nothing is sorted and no
// number of points is too large. Parts of one shape that overlap are one area, because all of them
// wind the same way. Only +, -, *, / and sqrt of doubles are used: the same bits everywhere.
//
// Invariants:
//   (1) rgb holds height rows from the top, 3 * width bytes each;
//   (2) crossings[0 .. SAMPLES * width] and coverage[0 .. width) are all zero between two shapes;
//   (3) the crossings of one sample row add up to 0, because outlines are closed.
#include "ploy/inspect/canvas.h"

#include <math.h>
#include <string.h>

#include "inspect/inspect_internal.h"
#include "ploy/base/math.h"
#include "ploy/base/utf8.h"

#define CANVAS_SAMPLES 4 // a pixel's samples in each direction
#define CANVAS_SIZE_MIN 16
#define CANVAS_SIZE_MAX 8192
#define CANVAS_PART_MAX 4 // corners of a part that we make ourselves

// Texts whose places are remembered; later ones may hide each other.
#define CANVAS_TEXTS 128

typedef struct canvas_box {
    int32_t x0, y0, x1, y1; // pixels
} canvas_box;

struct ploy_canvas {
    ploy_env env;
    size_t size; // bytes of this block
    int32_t width;
    int32_t height;
    float view[4];
    double scale;       // pixels a metre
    int32_t touched[2]; // first sample crossed on the present sample row, and one past the last
    int32_t covered[2]; // first pixel covered on the present row of pixels, and one past the last
    canvas_box texts[CANVAS_TEXTS];
    int32_t text_count;
    int32_t *crossings;
    uint8_t *coverage;
    uint8_t *rgb;
};

typedef struct canvas_point {
    double x, y;
} canvas_point;

// A shape in pixels: one polygon and up to two discs, together one area.
typedef struct canvas_shape {
    const canvas_point *corners; // NULL if the polygon is an item's points
    const ploy_draw_item *item;
    int32_t corner_count;
    int32_t direction; // 1 or -1: makes the polygon wind as discs do
    canvas_point centers[2];
    int32_t disc_count;
    double radius;
    double hole; // radius of what is cut out of the discs
    uint32_t color;
    float alpha;
} canvas_shape;

static canvas_point canvas_place(const ploy_canvas *canvas, ploy_vec3 point) {
    canvas_point placed = {((double)point.x - (double)canvas->view[0]) * canvas->scale,
                           ((double)canvas->view[3] - (double)point.y) * canvas->scale};
    return placed;
}

static canvas_point canvas_corner(const ploy_canvas *canvas, const canvas_shape *shape,
                                  int32_t index) {
    if (shape->corners != NULL) return shape->corners[index];
    return canvas_place(canvas, shape->item->points[index]);
}

// The whole number nearest above, held within [low, high] before it is converted.
static int32_t canvas_ceil_within(double value, int32_t low, int32_t high) {
    if (!(value > (double)low)) return low;
    if (value >= (double)high) return high;
    return (int32_t)ceil(value);
}

// Counts a crossing of the present sample row at x.
static void canvas_cross(ploy_canvas *canvas, double x, int32_t direction) {
    // Sample s lies at (s + 0.5) / SAMPLES; the first one at or right of x counts.
    double first = x * CANVAS_SAMPLES - 0.5;
    int32_t sample = canvas_ceil_within(first, 0, CANVAS_SAMPLES * canvas->width);
    canvas->crossings[sample] += direction;
    if (sample < canvas->touched[0]) canvas->touched[0] = sample;
    if (sample >= canvas->touched[1]) canvas->touched[1] = sample + 1;
}

static void canvas_cross_polygon(ploy_canvas *canvas, const canvas_shape *shape, double y) {
    if (shape->corner_count == 0) return;
    canvas_point from = canvas_corner(canvas, shape, shape->corner_count - 1);
    for (int32_t i = 0; i < shape->corner_count; i++) {
        canvas_point to = canvas_corner(canvas, shape, i);
        // Half open, so that a row through a corner meets one of its two edges.
        bool down = from.y <= y && y < to.y;
        bool up = to.y <= y && y < from.y;
        if (down || up) {
            double x = from.x + (to.x - from.x) * ((y - from.y) / (to.y - from.y));
            canvas_cross(canvas, x, (down ? 1 : -1) * shape->direction);
        }
        from = to;
    }
}

static void canvas_cross_chord(ploy_canvas *canvas, canvas_point center, double radius, double y,
                               int32_t direction) {
    double dy = y - center.y;
    double square = radius * radius - dy * dy;
    if (!(square > 0.0)) return;
    double half = sqrt(square);
    canvas_cross(canvas, center.x - half, direction);
    canvas_cross(canvas, center.x + half, -direction);
}

static void canvas_cross_row(ploy_canvas *canvas, const canvas_shape *shape, double y) {
    canvas_cross_polygon(canvas, shape, y);
    for (int32_t i = 0; i < shape->disc_count; i++) {
        canvas_cross_chord(canvas, shape->centers[i], shape->radius, y, 1);
        canvas_cross_chord(canvas, shape->centers[i], shape->hole, y, -1);
    }
}

static void canvas_include(double *low, double *high, double value) {
    if (value < *low) *low = value;
    if (value > *high) *high = value;
}

// The rows of pixels that the shape may touch.
static void canvas_rows(const ploy_canvas *canvas, const canvas_shape *shape, int32_t rows[2]) {
    double low = INFINITY, high = -INFINITY;
    for (int32_t i = 0; i < shape->corner_count; i++) {
        canvas_include(&low, &high, canvas_corner(canvas, shape, i).y);
    }
    for (int32_t i = 0; i < shape->disc_count; i++) {
        canvas_include(&low, &high, shape->centers[i].y - shape->radius);
        canvas_include(&low, &high, shape->centers[i].y + shape->radius);
    }
    rows[0] = canvas_ceil_within(low - 1.0, 0, canvas->height);
    rows[1] = canvas_ceil_within(high, 0, canvas->height);
}

// Turns the crossings of one sample row into covered samples, and clears them: keeps (2). Outside
// what was touched the winding number is 0, so a slanted line costs its length and not its box.
static void canvas_add_coverage(ploy_canvas *canvas) {
    int32_t winding = 0;
    for (int32_t s = canvas->touched[0]; s < canvas->touched[1]; s++) {
        winding += canvas->crossings[s];
        canvas->crossings[s] = 0;
        // The place behind the last sample (s = SAMPLES * width) is never reached with another
        // winding than 0, by (3).
        if (winding != 0) canvas->coverage[s / CANVAS_SAMPLES]++;
    }
    int32_t first = canvas->touched[0] / CANVAS_SAMPLES;
    int32_t past = (canvas->touched[1] + CANVAS_SAMPLES - 1) / CANVAS_SAMPLES;
    if (past > canvas->width) past = canvas->width;
    if (first < canvas->covered[0]) canvas->covered[0] = first;
    if (past > canvas->covered[1]) canvas->covered[1] = past;
}

// Lays the color over one row where it is covered, and clears the coverage: keeps (2).
static void canvas_blend(ploy_canvas *canvas, int32_t row, uint32_t color, uint32_t alpha) {
    const uint32_t whole = CANVAS_SAMPLES * CANVAS_SAMPLES * 255u;
    uint32_t source[3] = {color >> 16 & 255u, color >> 8 & 255u, color & 255u};
    for (int32_t x = canvas->covered[0]; x < canvas->covered[1]; x++) {
        uint32_t weight = canvas->coverage[x] * alpha;
        canvas->coverage[x] = 0;
        if (weight == 0) continue;
        uint8_t *pixel = canvas->rgb + ((size_t)row * (size_t)canvas->width + (size_t)x) * 3;
        for (int32_t c = 0; c < 3; c++) {
            uint32_t mixed = pixel[c] * (whole - weight) + source[c] * weight;
            pixel[c] = (uint8_t)((mixed + whole / 2) / whole);
        }
    }
}

static void canvas_fill(ploy_canvas *canvas, const canvas_shape *shape) {
    int32_t rows[2];
    canvas_rows(canvas, shape, rows);
    uint32_t alpha = (uint32_t)(ployi_sink_alpha(shape->alpha) * 255.0f + 0.5f);
    for (int32_t row = rows[0]; row < rows[1]; row++) {
        canvas->covered[0] = canvas->width;
        canvas->covered[1] = 0;
        for (int32_t s = 0; s < CANVAS_SAMPLES; s++) {
            canvas->touched[0] = CANVAS_SAMPLES * canvas->width + 1;
            canvas->touched[1] = 0;
            canvas_cross_row(canvas, shape, (double)row + (s + 0.5) / CANVAS_SAMPLES);
            canvas_add_coverage(canvas);
        }
        canvas_blend(canvas, row, shape->color, alpha);
    }
}

static canvas_shape canvas_shape_of(const ploy_draw_item *item) {
    canvas_shape shape;
    memset(&shape, 0, sizeof shape);
    shape.item = item;
    shape.direction = 1;
    shape.color = ploy_style_color(item->style);
    shape.alpha = 1.0f;
    return shape;
}

// Gives the shape a polygon of our own, wound as discs are: a chord begins with +1, and an edge
// that goes down counts +1, so the left edges must go down.
static void canvas_set_corners(canvas_shape *shape, const canvas_point *corners, int32_t count) {
    double area = 0.0;
    for (int32_t i = 0; i < count; i++) {
        canvas_point a = corners[i], b = corners[(i + 1) % count];
        area += a.x * b.y - a.y * b.x;
    }
    shape->corners = corners;
    shape->corner_count = count;
    shape->direction = area > 0.0 ? -1 : 1;
}

// A line with round ends. Lines far out of sight are as long as they are: only rows in sight count.
static void canvas_line(ploy_canvas *canvas, const ploy_draw_item *item, canvas_point from,
                        canvas_point to) {
    canvas_shape shape = canvas_shape_of(item);
    double dx = to.x - from.x, dy = to.y - from.y;
    double length = sqrt(dx * dx + dy * dy);
    canvas_point corners[CANVAS_PART_MAX];
    shape.radius = (double)ployi_sink_stroke(item->style) / 2.0;
    shape.centers[0] = from;
    shape.centers[1] = to;
    shape.disc_count = 2;
    if (length > 0.0) {
        double ax = -dy / length * shape.radius, ay = dx / length * shape.radius;
        corners[0].x = from.x + ax, corners[0].y = from.y + ay;
        corners[1].x = to.x + ax, corners[1].y = to.y + ay;
        corners[2].x = to.x - ax, corners[2].y = to.y - ay;
        corners[3].x = from.x - ax, corners[3].y = from.y - ay;
        canvas_set_corners(&shape, corners, 4);
    }
    canvas_fill(canvas, &shape);
}

static void canvas_disc(ploy_canvas *canvas, const ploy_draw_item *item, double radius, double hole,
                        float alpha) {
    canvas_shape shape = canvas_shape_of(item);
    shape.centers[0] = canvas_place(canvas, item->points[0]);
    shape.disc_count = 1;
    shape.radius = radius;
    shape.hole = hole > 0.0 ? hole : 0.0;
    shape.alpha = alpha;
    canvas_fill(canvas, &shape);
}

static void canvas_polygon(ploy_canvas *canvas, const ploy_draw_item *item) {
    canvas_shape shape = canvas_shape_of(item);
    shape.corner_count = item->count;
    shape.alpha = item->alpha;
    canvas_fill(canvas, &shape);
}

static void canvas_arrow(ploy_canvas *canvas, const ploy_draw_item *item) {
    canvas_point from = canvas_place(canvas, item->points[0]);
    canvas_point to = canvas_place(canvas, item->points[1]);
    double dx = to.x - from.x, dy = to.y - from.y;
    double length = sqrt(dx * dx + dy * dy);
    if (!(length > 0.0)) {
        canvas_disc(canvas, item, 1.0, 0.0, 1.0f); // no direction: a dot
        return;
    }
    double head = length < (double)PLOYI_ARROW_PX ? length : (double)PLOYI_ARROW_PX;
    double bx = dx / length * head, by = dy / length * head; // from the head's foot to the tip
    canvas_point foot = {to.x - bx, to.y - by};
    canvas_point corners[CANVAS_PART_MAX] = {
        to, {foot.x - by * 0.375, foot.y + bx * 0.375}, {foot.x + by * 0.375, foot.y - bx * 0.375}};
    canvas_shape shape = canvas_shape_of(item);
    canvas_set_corners(&shape, corners, 3);
    canvas_line(canvas, item, from, foot);
    canvas_fill(canvas, &shape);
}

static void canvas_agent(ploy_canvas *canvas, const ploy_draw_item *item) {
    double nose[3][2];
    ployi_sink_nose(item->angle, nose);
    canvas_shape shape = canvas_shape_of(item);
    canvas_point corners[CANVAS_PART_MAX];
    shape.centers[0] = canvas_place(canvas, item->points[0]);
    shape.disc_count = 1;
    shape.radius = (double)item->radius * canvas->scale;
    for (int32_t i = 0; i < 3; i++) {
        corners[i].x = shape.centers[0].x + nose[i][0] * shape.radius;
        corners[i].y = shape.centers[0].y - nose[i][1] * shape.radius;
    }
    canvas_set_corners(&shape, corners, 3);
    canvas_fill(canvas, &shape);
}

// Sets a square of size by size pixels.
static void canvas_set(ploy_canvas *canvas, int32_t x, int32_t y, int32_t size, uint32_t color) {
    for (int32_t row = y; row < y + size; row++) {
        for (int32_t column = x; column < x + size; column++) {
            if (column < 0 || column >= canvas->width || row < 0 || row >= canvas->height) continue;
            uint8_t *pixel =
                canvas->rgb + ((size_t)row * (size_t)canvas->width + (size_t)column) * 3;
            pixel[0] = (uint8_t)(color >> 16 & 255u);
            pixel[1] = (uint8_t)(color >> 8 & 255u);
            pixel[2] = (uint8_t)(color & 255u);
        }
    }
}

static bool canvas_text_free(const ploy_canvas *canvas, const canvas_box *box, int32_t dy) {
    for (int32_t i = 0; i < canvas->text_count; i++) {
        const canvas_box *other = &canvas->texts[i];
        if (box->x0 < other->x1 && other->x0 < box->x1 && box->y0 + dy < other->y1 &&
            other->y0 < box->y1 + dy) {
            return false;
        }
    }
    return true;
}

// Finds room for a text: an agent's goes up or down by a line or two where another one is. False
// if there is none. What belongs to no agent stays where it was put.
static bool canvas_text_place(ploy_canvas *canvas, bool owned, canvas_box *box) {
    static const int32_t lines[] = {0, -1, 1, -2, 2};
    int32_t dy = 0, high = box->y1 - box->y0;
    for (size_t i = 0; owned && i < sizeof lines / sizeof lines[0]; i++) {
        dy = lines[i] * high;
        if (canvas_text_free(canvas, box, dy)) break;
        if (i + 1 == sizeof lines / sizeof lines[0]) return false;
    }
    box->y0 += dy;
    box->y1 += dy;
    if (canvas->text_count < CANVAS_TEXTS) canvas->texts[canvas->text_count++] = *box;
    return true;
}

// Writes letters from their upper left corner, in whole pixels: letters on half pixels are
// unreadable.
static void canvas_letters(ploy_canvas *canvas, const char *text, size_t length, int32_t x,
                           int32_t y, int32_t size, uint32_t color) {
    for (size_t byte = 0; byte < length && x < canvas->width; x += (PLOYI_FONT_WIDTH + 1) * size) {
        int32_t code = ploy_utf8_next(text, length, &byte);
        int32_t glyph = code - PLOYI_FONT_FIRST;
        if (glyph < 0 || glyph >= PLOYI_FONT_GLYPHS - 1) glyph = PLOYI_FONT_GLYPHS - 1;
        for (int32_t row = 0; row < PLOYI_FONT_HEIGHT; row++) {
            for (int32_t column = 0; column < PLOYI_FONT_WIDTH; column++) {
                uint32_t bit =
                    (uint32_t)ployi_canvas_font[glyph][row] >> (PLOYI_FONT_WIDTH - 1 - column);
                if ((bit & 1u) == 0) continue;
                canvas_set(canvas, x + column * size, y + row * size, size, color);
            }
        }
    }
}

// Pixels of one dot of a letter.
static int32_t canvas_dot_of(int32_t width) {
    return width >= 640 ? 2 : 1;
}

static int32_t canvas_dot(const ploy_canvas *canvas) {
    return canvas_dot_of(canvas->width);
}

// From its lower left corner.
static void canvas_text(ploy_canvas *canvas, const ploy_draw_item *item) {
    canvas_point at = canvas_place(canvas, item->points[0]);
    int32_t size = canvas_dot(canvas);
    int32_t advance = (PLOYI_FONT_WIDTH + 1) * size;
    int32_t margin = 1 << 20; // past it nothing is in sight, and the sums below cannot overflow
    int32_t x = canvas_ceil_within(at.x, -margin, margin);
    int32_t y = canvas_ceil_within(at.y, -margin, margin) - PLOYI_FONT_HEIGHT * size;
    const char *text = item->text != NULL ? item->text : "";
    size_t length = strlen(text);
    if (length > (size_t)canvas->width) length = (size_t)canvas->width; // more is never in sight
    int32_t wide = 0;
    for (size_t byte = 0; byte < length; wide += advance) (void)ploy_utf8_next(text, length, &byte);
    // What begins in sight is moved by as much as it takes to be in sight whole.
    if (x >= 0 && x < canvas->width && x + wide > canvas->width) {
        x = wide < canvas->width ? canvas->width - wide : 0;
    }
    canvas_box box = {x, y, x + wide, y + PLOYI_FONT_HEIGHT * size};
    if (!canvas_text_place(canvas, !ploy_id_is_none(item->owner), &box)) return;
    canvas_letters(canvas, text, length, x, box.y0, size, ploy_style_color(item->style));
}

// From its upper left corner; letters have one width here, so columns are counted in letters.
static void canvas_table(ploy_canvas *canvas, const ploy_draw_item *item) {
    ployi_table table;
    ployi_table_cell cell;
    if (!ployi_table_begin(item->text, &table)) return;
    canvas_point at = canvas_place(canvas, item->points[0]);
    int32_t size = canvas_dot(canvas), margin = 1 << 20;
    int32_t x = canvas_ceil_within(at.x, -margin, margin);
    int32_t y = canvas_ceil_within(at.y, -margin, margin), left[PLOYI_TABLE_COLUMNS + 1] = {0};
    for (int32_t i = 0; i < table.columns; i++) {
        int32_t most = table.letters[i] < canvas->width ? table.letters[i] : canvas->width;
        left[i + 1] = left[i] + most + PLOYI_TABLE_GAP;
    }
    int32_t advance = (PLOYI_FONT_WIDTH + 1) * size, high = (PLOYI_FONT_HEIGHT + 2) * size;
    bool fits = x + left[table.columns] * advance <= canvas->width &&
                (int64_t)table.rows * high <= canvas->height - y;
    if (!fits && size > 1) { // small letters rather than half a table
        size = 1;
        advance = PLOYI_FONT_WIDTH + 1;
        high = PLOYI_FONT_HEIGHT + 2;
    }
    canvas_box box = {x, y, x + left[table.columns] * advance, y};
    while (ployi_table_next(&table, &cell)) {
        int32_t top = y + cell.row * high;
        if (top > canvas->height) break;
        box.y1 = top + high;
        if (cell.letters > canvas->width) continue;
        int32_t room = left[cell.column + 1] - PLOYI_TABLE_GAP - left[cell.column] - cell.letters;
        char align = table.align[cell.column];
        int32_t from = left[cell.column] + (align == 'r' ? room : align == 'c' ? room / 2 : 0);
        canvas_letters(canvas, cell.text, cell.size, x + from * advance, top, size,
                       ploy_style_color(item->style));
    }
    if (canvas->text_count < CANVAS_TEXTS) canvas->texts[canvas->text_count++] = box;
}

static void canvas_item(void *user, const ploy_draw_item *item) {
    ploy_canvas *canvas = user;
    if (item == NULL || !ployi_sink_is_drawable(item)) return;
    double radius = (double)item->radius * canvas->scale;
    double half_stroke = (double)ployi_sink_stroke(item->style) / 2.0;
    switch (item->shape) {
    case PLOY_SHAPE_POINT: canvas_disc(canvas, item, (double)PLOYI_POINT_PX, 0.0, 1.0f); break;
    case PLOY_SHAPE_CIRCLE:
        canvas_disc(canvas, item, radius + half_stroke, radius - half_stroke, 1.0f);
        break;
    case PLOY_SHAPE_DISC: canvas_disc(canvas, item, radius, 0.0, item->alpha); break;
    case PLOY_SHAPE_LINE:
        for (int32_t i = 0; i + 1 < item->count; i++) {
            canvas_line(canvas, item, canvas_place(canvas, item->points[i]),
                        canvas_place(canvas, item->points[i + 1]));
        }
        break;
    case PLOY_SHAPE_POLYGON: canvas_polygon(canvas, item); break;
    case PLOY_SHAPE_ARROW: canvas_arrow(canvas, item); break;
    case PLOY_SHAPE_AGENT: canvas_agent(canvas, item); break;
    case PLOY_SHAPE_TEXT: canvas_text(canvas, item); break;
    case PLOY_SHAPE_TABLE: canvas_table(canvas, item); break;
    case PLOY_SHAPE_KEY:
    case PLOY_SHAPE_MAP: break; // see ploy/inspect/legend.h; maps are sent as shaded cells
    default: break;
    }
}

ploy_result ploy_canvas_create(const float view[4], int32_t width, const ploy_env *env,
                               ploy_canvas **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    double scale = 0.0;
    int32_t height = 0;
    if (view == NULL || env == NULL) return PLOY_ERR_ARGUMENT;
    if (width < CANVAS_SIZE_MIN || width > CANVAS_SIZE_MAX) return PLOY_ERR_ARGUMENT;
    if (!ployi_sink_frame(view, width, CANVAS_SIZE_MAX, &scale, &height)) return PLOY_ERR_ARGUMENT;
    int64_t pixels = (int64_t)width * height;
    size_t size = (sizeof(ploy_canvas) + 15) / 16 * 16;
    size_t crossings = size, coverage, rgb;
    if (!ploy_size_add_array(size, (int64_t)width * CANVAS_SAMPLES + 1, sizeof(int32_t), &size)) {
        return PLOY_ERR_ARGUMENT;
    }
    coverage = size;
    if (!ploy_size_add_array(size, width, 1, &size)) return PLOY_ERR_ARGUMENT;
    rgb = size;
    if (!ploy_size_add_array(size, pixels, 3, &size)) return PLOY_ERR_ARGUMENT;
    ploy_canvas *canvas = ploy_env_alloc_zero(env, size);
    if (canvas == NULL) return PLOY_ERR_MEMORY;
    canvas->env = *env;
    canvas->size = size;
    canvas->width = width;
    canvas->height = height;
    memcpy(canvas->view, view, sizeof canvas->view);
    canvas->scale = scale;
    canvas->crossings = (int32_t *)(void *)((char *)canvas + crossings);
    canvas->coverage = (uint8_t *)canvas + coverage;
    canvas->rgb = (uint8_t *)canvas + rgb;
    ploy_canvas_clear(canvas);
    *out = canvas;
    return PLOY_OK;
}

void ploy_canvas_destroy(ploy_canvas *canvas) {
    if (canvas == NULL) return;
    ploy_env env = canvas->env;
    ploy_env_free(&env, canvas, canvas->size);
}

void ploy_canvas_clear(ploy_canvas *canvas) {
    canvas->text_count = 0;
    size_t pixels = (size_t)canvas->width * (size_t)canvas->height;
    for (size_t i = 0; i < pixels; i++) {
        canvas->rgb[i * 3 + 0] = (uint8_t)(PLOYI_GROUND_COLOR >> 16 & 255u);
        canvas->rgb[i * 3 + 1] = (uint8_t)(PLOYI_GROUND_COLOR >> 8 & 255u);
        canvas->rgb[i * 3 + 2] = (uint8_t)(PLOYI_GROUND_COLOR & 255u);
    }
}

ploy_draw ploy_canvas_draw(ploy_canvas *canvas) {
    ploy_draw draw = {canvas_item, canvas, (1u << PLOY_LAYER_COUNT) - 1u};
    return draw;
}

int32_t ploy_canvas_letter(int32_t width) {
    return (PLOYI_FONT_WIDTH + 1) * canvas_dot_of(width);
}

int32_t ploy_canvas_width(const ploy_canvas *canvas) {
    return canvas->width;
}

int32_t ploy_canvas_height(const ploy_canvas *canvas) {
    return canvas->height;
}

const uint8_t *ploy_canvas_pixels(const ploy_canvas *canvas) {
    return canvas->rgb;
}

#undef CANVAS_SAMPLES
#undef CANVAS_SIZE_MIN
#undef CANVAS_SIZE_MAX
#undef CANVAS_PART_MAX
#undef CANVAS_TEXTS
