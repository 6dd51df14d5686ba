// Draw as SVG, and what the canvas shares with it: sizes on the screen, and which shapes can be
// drawn at all.
#include "ploy/inspect/sinks.h"

#include <math.h>
#include <string.h>

#include "inspect/inspect_internal.h"
#include "ploy/base/math.h"
#include "ploy/base/utf8.h"

#define SVG_SIZE_MIN 16
#define SVG_SIZE_MAX 16384
// Farther out than this a coordinate is not printed: no viewer keeps a hundredth of it.
#define SVG_COORDINATE_MAX 1e12
// Of tables: room for a letter of 12 pixels in common fonts, and for a row.
#define SVG_LETTER_PX 6.8
#define SVG_ROW_PX 16.0

float ployi_sink_stroke(ploy_style style) {
    switch (style) {
    case PLOY_STYLE_WALL: return 2.5f;
    case PLOY_STYLE_GHOST: return 1.0f;
    default: return 1.5f;
    }
}

int32_t ployi_sink_points_needed(const ploy_draw_item *item) {
    switch (item->shape) {
    case PLOY_SHAPE_POINT:
    case PLOY_SHAPE_CIRCLE:
    case PLOY_SHAPE_DISC:
    case PLOY_SHAPE_AGENT:
    case PLOY_SHAPE_TABLE:
    case PLOY_SHAPE_TEXT: return 1;
    case PLOY_SHAPE_LINE:
    case PLOY_SHAPE_POLYGON: return INT32_MAX;
    case PLOY_SHAPE_ARROW: return 2;
    default: return 0;
    }
}

bool ployi_sink_is_drawable(const ploy_draw_item *item) {
    int32_t needed = ployi_sink_points_needed(item);
    if (needed == INT32_MAX) {
        needed = item->count;
        if (needed < (item->shape == PLOY_SHAPE_POLYGON ? 3 : 2)) return false;
    }
    if (needed == 0 || item->points == NULL || item->count < needed) return false;
    for (int32_t i = 0; i < needed; i++) {
        if (!ploy_is_finite(item->points[i].x) || !ploy_is_finite(item->points[i].y)) return false;
    }
    bool round = item->shape == PLOY_SHAPE_CIRCLE || item->shape == PLOY_SHAPE_DISC ||
                 item->shape == PLOY_SHAPE_AGENT;
    if (round && !(ploy_is_finite(item->radius) && item->radius >= 0.0f)) return false;
    return item->shape != PLOY_SHAPE_AGENT || ploy_is_finite(item->angle);
}

float ployi_sink_alpha(float alpha) {
    if (alpha != alpha) return 1.0f;
    return ploy_clampf(alpha, 0.0f, 1.0f);
}

bool ployi_sink_frame(const float view[4], int32_t width, int32_t max_height, double *scale,
                      int32_t *height) {
    for (int32_t i = 0; i < 4; i++) {
        if (!ploy_is_finite(view[i])) return false;
    }
    double wide = (double)view[2] - (double)view[0];
    double high = (double)view[3] - (double)view[1];
    if (!(wide > 0.0 && high > 0.0)) return false;
    double pixels = ceil((double)width * (high / wide));
    if (!(pixels >= 1.0 && pixels <= (double)max_height)) return false;
    *scale = (double)width / wide;
    *height = (int32_t)pixels;
    return true;
}

void ployi_sink_nose(float angle, double nose[3][2]) {
    float sine = 0.0f, cosine = 0.0f;
    ploy_sincosf(angle, &sine, &cosine);
    // A line from the tip at distance d touches the unit circle at (1/d, sqrt(1 - 1/d^2)).
    double along = 1.0 / (double)PLOYI_NOSE_RADII;
    double aside = sqrt(1.0 - along * along);
    double s = (double)sine, c = (double)cosine;
    nose[0][0] = c * (double)PLOYI_NOSE_RADII;
    nose[0][1] = s * (double)PLOYI_NOSE_RADII;
    nose[1][0] = c * along - s * aside;
    nose[1][1] = s * along + c * aside;
    nose[2][0] = c * along + s * aside;
    nose[2][1] = s * along - c * aside;
}

// A number with at most two decimals.
static void svg_write_number(ploy_writer *writer, double value) {
    int64_t hundredths = (int64_t)floor(value * 100.0 + 0.5);
    if (hundredths < 0) {
        ploy_write_char(writer, '-');
        hundredths = -hundredths;
    }
    ploy_write_i64(writer, hundredths / 100);
    int64_t rest = hundredths % 100;
    if (rest == 0) return;
    ploy_write_char(writer, '.');
    ploy_write_char(writer, (char)('0' + rest / 10));
    if (rest % 10 != 0) ploy_write_char(writer, (char)('0' + rest % 10));
}

static void svg_write_attribute(ploy_writer *writer, const char *name, double value) {
    ploy_write_char(writer, ' ');
    ploy_write_text(writer, name);
    ploy_write_text(writer, "=\"");
    svg_write_number(writer, value);
    ploy_write_char(writer, '"');
}

// Text as XML allows it: markup escaped, what XML 1.0 forbids or is not UTF-8 replaced by U+FFFD.
static void svg_write_escaped_size(ploy_writer *writer, const char *text, size_t size) {
    size_t at = 0;
    while (at < size) {
        size_t start = at;
        int32_t code = ploy_utf8_next(text, size, &at);
        switch (code) {
        case '&': ploy_write_text(writer, "&amp;"); break;
        case '<': ploy_write_text(writer, "&lt;"); break;
        case '>': ploy_write_text(writer, "&gt;"); break;
        case '"': ploy_write_text(writer, "&quot;"); break;
        case '\t':
        case '\n':
        case '\r': ploy_write_char(writer, ' '); break;
        default:
            if (code < 0x20 || code == 0xFFFE || code == 0xFFFF) {
                ploy_write_text(writer, "\xEF\xBF\xBD");
            } else {
                ploy_write_bytes(writer, text + start, at - start);
            }
            break;
        }
    }
}

static void svg_write_escaped(ploy_writer *writer, const char *text) {
    svg_write_escaped_size(writer, text, strlen(text));
}

static double svg_x(const ploy_svg_sink *sink, double x) {
    return (x - (double)sink->view[0]) * (double)sink->scale;
}

static double svg_y(const ploy_svg_sink *sink, double y) {
    return ((double)sink->view[3] - y) * (double)sink->scale;
}

// Begins an element with everything that all of them have; kind is the class that distinguishes outlines
// ("o") from fills ("f").
static void svg_open(ploy_svg_sink *sink, const ploy_draw_item *item, const char *element,
                     const char *kind) {
    ploy_writer *writer = sink->writer;
    bool known = (uint32_t)item->style < PLOY_STYLE_COUNT;
    bool placed = (uint32_t)item->layer < PLOY_LAYER_COUNT;
    ploy_write_char(writer, '<');
    ploy_write_text(writer, element);
    ploy_write_text(writer, " class=\"");
    ploy_write_text(writer, ploy_layer_text(placed ? item->layer : PLOY_LAYER_WORLD));
    ploy_write_char(writer, ' ');
    ploy_write_text(writer, ploy_style_text(known ? item->style : PLOY_STYLE_PLAIN));
    ploy_write_char(writer, ' ');
    ploy_write_text(writer, kind);
    ploy_write_char(writer, '"');
    if (!ploy_id_is_none(item->owner)) {
        ploy_value owner = ploy_value_id(item->owner);
        ploy_write_text(writer, " data-owner=\"");
        ployi_sink_write_value(writer, &owner);
        ploy_write_char(writer, '"');
    }
}

static void svg_alpha(ploy_svg_sink *sink, const ploy_draw_item *item) {
    float alpha = ployi_sink_alpha(item->alpha);
    if (alpha < 1.0f) svg_write_attribute(sink->writer, "fill-opacity", (double)alpha);
}

static void svg_round(ploy_svg_sink *sink, const ploy_draw_item *item, const char *kind,
                      double radius_px) {
    svg_open(sink, item, "circle", kind);
    svg_write_attribute(sink->writer, "cx", svg_x(sink, (double)item->points[0].x));
    svg_write_attribute(sink->writer, "cy", svg_y(sink, (double)item->points[0].y));
    svg_write_attribute(sink->writer, "r", radius_px);
    if (item->shape == PLOY_SHAPE_DISC) svg_alpha(sink, item);
    ploy_write_text(sink->writer, "/>\n");
}

static void svg_points(ploy_svg_sink *sink, const ploy_draw_item *item) {
    ploy_write_text(sink->writer, " points=\"");
    for (int32_t i = 0; i < item->count; i++) {
        if (i > 0) ploy_write_char(sink->writer, ' ');
        svg_write_number(sink->writer, svg_x(sink, (double)item->points[i].x));
        ploy_write_char(sink->writer, ',');
        svg_write_number(sink->writer, svg_y(sink, (double)item->points[i].y));
    }
    ploy_write_text(sink->writer, "\"");
}

// One step of a path: a letter and a point in pixels.
static void svg_step(ploy_svg_sink *sink, char letter, double x, double y) {
    ploy_write_char(sink->writer, letter);
    svg_write_number(sink->writer, x);
    ploy_write_char(sink->writer, ' ');
    svg_write_number(sink->writer, y);
}

static void svg_arrow(ploy_svg_sink *sink, const ploy_draw_item *item) {
    double x0 = svg_x(sink, (double)item->points[0].x);
    double y0 = svg_y(sink, (double)item->points[0].y);
    double x1 = svg_x(sink, (double)item->points[1].x);
    double y1 = svg_y(sink, (double)item->points[1].y);
    double dx = x1 - x0, dy = y1 - y0;
    double length = sqrt(dx * dx + dy * dy);
    if (!(length > 0.0)) {
        svg_round(sink, item, "f", 1.0); // no direction: a dot
        return;
    }
    double head = length < (double)PLOYI_ARROW_PX ? length : (double)PLOYI_ARROW_PX;
    double bx = dx / length * head, by = dy / length * head; // from the head's foot to the tip
    svg_open(sink, item, "path", "a");
    ploy_write_text(sink->writer, " d=\"");
    svg_step(sink, 'M', x0, y0);
    svg_step(sink, 'L', x1 - bx, y1 - by);
    svg_step(sink, 'M', x1, y1);
    svg_step(sink, 'L', x1 - bx - by * 0.375, y1 - by + bx * 0.375);
    svg_step(sink, 'L', x1 - bx + by * 0.375, y1 - by - bx * 0.375);
    ploy_write_text(sink->writer, "Z\"/>\n");
}

static void svg_agent(ploy_svg_sink *sink, const ploy_draw_item *item) {
    double nose[3][2];
    ployi_sink_nose(item->angle, nose);
    double x = svg_x(sink, (double)item->points[0].x);
    double y = svg_y(sink, (double)item->points[0].y);
    double radius = (double)item->radius * (double)sink->scale;
    svg_open(sink, item, "path", "f");
    ploy_write_text(sink->writer, " d=\"");
    svg_step(sink, 'M', x + nose[1][0] * radius, y - nose[1][1] * radius);
    svg_step(sink, 'L', x + nose[0][0] * radius, y - nose[0][1] * radius);
    svg_step(sink, 'L', x + nose[2][0] * radius, y - nose[2][1] * radius);
    // The longer arc round the body, clockwise on the screen.
    ploy_write_char(sink->writer, 'A');
    svg_write_number(sink->writer, radius);
    ploy_write_char(sink->writer, ' ');
    svg_write_number(sink->writer, radius);
    ploy_write_text(sink->writer, " 0 1 1 ");
    svg_write_number(sink->writer, x + nose[1][0] * radius);
    ploy_write_char(sink->writer, ' ');
    svg_write_number(sink->writer, y - nose[1][1] * radius);
    ploy_write_text(sink->writer, "Z\"/>\n");
}

// True if every coordinate is near enough to be printed.
static bool svg_in_reach(const ploy_svg_sink *sink, const ploy_draw_item *item) {
    int32_t needed = ployi_sink_points_needed(item);
    if (needed > item->count) needed = item->count;
    for (int32_t i = 0; i < needed; i++) {
        if (!(fabs(svg_x(sink, (double)item->points[i].x)) <= SVG_COORDINATE_MAX)) return false;
        if (!(fabs(svg_y(sink, (double)item->points[i].y)) <= SVG_COORDINATE_MAX)) return false;
    }
    bool round = item->shape == PLOY_SHAPE_CIRCLE || item->shape == PLOY_SHAPE_DISC ||
                 item->shape == PLOY_SHAPE_AGENT;
    return !round || (double)item->radius * (double)sink->scale <= SVG_COORDINATE_MAX;
}

// One element for each cell, anchored where its column is aligned: the columns line up whatever font
// a viewer has.
static void svg_table(ploy_svg_sink *sink, const ploy_draw_item *item) {
    ployi_table table;
    ployi_table_cell cell;
    if (!ployi_table_begin(item->text, &table)) {
        sink->left_out++;
        return;
    }
    double left[PLOYI_TABLE_COLUMNS + 1] = {svg_x(sink, (double)item->points[0].x)};
    for (int32_t i = 0; i < table.columns; i++) {
        left[i + 1] = left[i] + SVG_LETTER_PX * (double)(table.letters[i] + PLOYI_TABLE_GAP);
    }
    double top = svg_y(sink, (double)item->points[0].y);
    while (ployi_table_next(&table, &cell)) {
        if (cell.letters == 0) continue;
        char align = table.align[cell.column];
        double width = SVG_LETTER_PX * (double)table.letters[cell.column];
        double x = left[cell.column] + (align == 'r' ? width : align == 'c' ? width / 2.0 : 0.0);
        svg_open(sink, item, "text", "f");
        svg_write_attribute(sink->writer, "x", x);
        svg_write_attribute(sink->writer, "y", top + SVG_ROW_PX * (double)(cell.row + 1) - 4.0);
        if (align != 'l') {
            ploy_write_text(sink->writer,
                            align == 'r' ? " text-anchor=\"end\"" : " text-anchor=\"middle\"");
        }
        if (cell.row == 0) ploy_write_text(sink->writer, " font-weight=\"bold\"");
        ploy_write_char(sink->writer, '>');
        svg_write_escaped_size(sink->writer, cell.text, cell.size);
        ploy_write_text(sink->writer, "</text>\n");
    }
}

static void svg_item(void *user, const ploy_draw_item *item) {
    ploy_svg_sink *sink = user;
    if (item != NULL && item->shape == PLOY_SHAPE_KEY) return; // see ploy/inspect/legend.h
    if (item == NULL || !ployi_sink_is_drawable(item) || !svg_in_reach(sink, item)) {
        sink->left_out++;
        return;
    }
    double radius = (double)item->radius * (double)sink->scale;
    switch (item->shape) {
    case PLOY_SHAPE_POINT: svg_round(sink, item, "f", (double)PLOYI_POINT_PX); break;
    case PLOY_SHAPE_CIRCLE: svg_round(sink, item, "o", radius); break;
    case PLOY_SHAPE_DISC: svg_round(sink, item, "f", radius); break;
    case PLOY_SHAPE_LINE:
        svg_open(sink, item, "polyline", "o");
        svg_points(sink, item);
        ploy_write_text(sink->writer, "/>\n");
        break;
    case PLOY_SHAPE_POLYGON:
        svg_open(sink, item, "polygon", "f");
        svg_points(sink, item);
        svg_alpha(sink, item);
        ploy_write_text(sink->writer, "/>\n");
        break;
    case PLOY_SHAPE_ARROW: svg_arrow(sink, item); break;
    case PLOY_SHAPE_AGENT: svg_agent(sink, item); break;
    case PLOY_SHAPE_TABLE: svg_table(sink, item); break;
    case PLOY_SHAPE_TEXT:
        svg_open(sink, item, "text", "f");
        svg_write_attribute(sink->writer, "x", svg_x(sink, (double)item->points[0].x));
        svg_write_attribute(sink->writer, "y", svg_y(sink, (double)item->points[0].y));
        ploy_write_char(sink->writer, '>');
        svg_write_escaped(sink->writer, item->text != NULL ? item->text : "");
        ploy_write_text(sink->writer, "</text>\n");
        break;
    default: break;
    }
}

static void svg_write_color(ploy_writer *writer, uint32_t color) {
    static const char digits[] = "0123456789abcdef";
    ploy_write_char(writer, '#');
    for (int32_t shift = 20; shift >= 0; shift -= 4) {
        ploy_write_char(writer, digits[color >> shift & 15u]);
    }
}

// The rules in rising order: a style's colour, then what is an outline ("o"), a fill ("f"), an
// arrow ("a", both) or text.
static void svg_write_palette(ploy_writer *writer) {
    ploy_write_text(writer, "<style>\n");
    for (int32_t i = 0; i < PLOY_STYLE_COUNT; i++) {
        ploy_style style = (ploy_style)i;
        ploy_write_char(writer, '.');
        ploy_write_text(writer, ploy_style_text(style));
        ploy_write_text(writer, "{fill:");
        svg_write_color(writer, ploy_style_color(style));
        ploy_write_text(writer, ";stroke:");
        svg_write_color(writer, ploy_style_color(style));
        ploy_write_text(writer, ";stroke-width:");
        svg_write_number(writer, (double)ployi_sink_stroke(style));
        ploy_write_text(writer, "}\n");
    }
    ploy_write_text(writer, ".o{fill:none;stroke-linejoin:round;stroke-linecap:round}\n"
                            ".f{stroke:none}\n"
                            "text{font:12px sans-serif}\n"
                            "</style>\n");
}

ploy_result ploy_svg_sink_init(ploy_svg_sink *sink, ploy_writer *writer, const float view[4],
                               int32_t width) {
    double scale = 0.0;
    int32_t height = 0;
    if (sink == NULL || writer == NULL || view == NULL) return PLOY_ERR_ARGUMENT;
    if (width < SVG_SIZE_MIN || width > SVG_SIZE_MAX) return PLOY_ERR_ARGUMENT;
    if (!ployi_sink_frame(view, width, SVG_SIZE_MAX, &scale, &height)) return PLOY_ERR_ARGUMENT;
    if (!ploy_is_finite((float)scale) || !((float)scale > 0.0f)) return PLOY_ERR_ARGUMENT;
    memset(sink, 0, sizeof *sink);
    sink->writer = writer;
    memcpy(sink->view, view, sizeof sink->view);
    sink->scale = (float)scale;
    ploy_write_text(writer, "<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\"");
    svg_write_attribute(writer, "width", (double)width);
    svg_write_attribute(writer, "height", (double)height);
    ploy_write_text(writer, " viewBox=\"0 0 ");
    ploy_write_i64(writer, width);
    ploy_write_char(writer, ' ');
    ploy_write_i64(writer, height);
    ploy_write_text(writer, "\">\n");
    svg_write_palette(writer);
    ploy_write_text(writer, "<rect width=\"100%\" height=\"100%\" fill=\"");
    svg_write_color(writer, PLOYI_GROUND_COLOR);
    ploy_write_text(writer, "\"/>\n");
    return ploy_writer_result(writer);
}

ploy_draw ploy_svg_sink_draw(ploy_svg_sink *sink) {
    ploy_draw draw = {svg_item, sink, (1u << PLOY_LAYER_COUNT) - 1u};
    return draw;
}

ploy_result ploy_svg_sink_finish(ploy_svg_sink *sink) {
    ploy_write_text(sink->writer, "</svg>\n");
    return ploy_writer_result(sink->writer);
}

#undef SVG_SIZE_MIN
#undef SVG_SIZE_MAX
#undef SVG_COORDINATE_MAX
#undef SVG_LETTER_PX
#undef SVG_ROW_PX
