// The draw sink: names, the palette, and the calls that fill in a draw item.
//
// Nothing here allocates. Points of the plane become points of space in a small buffer on the
// stack: a longer line goes out in pieces that share their end points, which looks the same.
#include "ploy/geom/draw.h"

static const char *const draw_layer_texts[PLOY_LAYER_COUNT] = {
    "world", "regions", "influence", "paths", "senses", "forces", "agents", "labels",
};

typedef struct draw_style {
    const char *text, *meaning;
    uint32_t color; // 0xRRGGBB
} draw_style;

// Okabe and Ito's eight colours ("Color Universal Design", 2008), which people with any common
// kind of colour blindness can tell apart, for everything that must be told apart by colour; greys
// for what must not ask for attention.
static const draw_style draw_styles[PLOY_STYLE_COUNT] = {
    {"plain", "outlines", 0x404040u},                 // dark grey
    {"wall", "walls", 0x000000u},                     // black
    {"floor", "floor", 0xe6e6e0u},                    // light grey
    {"agent_a", "agents", 0x0072b2u},                 // blue
    {"agent_b", "other agents", 0xd55e00u},           // vermilion
    {"agent_c", "a third kind of agent", 0x009e73u},  // bluish green
    {"agent_d", "a fourth kind of agent", 0xcc79a7u}, // reddish purple
    {"target", "goals and targets", 0xe69f00u},       // orange
    {"path", "path", 0x56b4e9u},                      // sky blue
    {"velocity", "velocity", 0x0072b2u},              // blue
    {"force", "steering force", 0xd55e00u},           // vermilion
    {"good", "in order", 0x009e73u},                  // bluish green
    {"warning", "needs attention", 0xe69f00u},        // orange
    {"bad", "not in order", 0xd55e00u},               // vermilion
    {"open", "to be searched", 0x56b4e9u},            // sky blue
    {"closed", "searched", 0xf0e442u},                // yellow
    {"ghost", "helper lines", 0xa0a0a0u},             // grey
    {"text", "texts", 0x202020u},                     // nearly black
};

const char *ploy_layer_text(ploy_layer layer) {
    if ((uint32_t)layer >= PLOY_LAYER_COUNT) return "?";
    return draw_layer_texts[layer];
}

const char *ploy_style_text(ploy_style style) {
    if ((uint32_t)style >= PLOY_STYLE_COUNT) return "?";
    return draw_styles[style].text;
}

const char *ploy_style_meaning(ploy_style style) {
    if ((uint32_t)style >= PLOY_STYLE_COUNT) return "?";
    return draw_styles[style].meaning;
}

uint32_t ploy_style_color(ploy_style style) {
    if ((uint32_t)style >= PLOY_STYLE_COUNT) style = PLOY_STYLE_PLAIN;
    return draw_styles[style].color;
}

bool ploy_draw_wants(const ploy_draw *out, ploy_layer layer) {
    return out != NULL && out->item != NULL && (uint32_t)layer < PLOY_LAYER_COUNT &&
           (out->layers >> (uint32_t)layer & 1u) != 0;
}

void ploy_draw_item_out(ploy_draw *out, const ploy_draw_item *item) {
    if (item == NULL || !ploy_draw_wants(out, item->layer)) return;
    out->item(out->user, item);
}

static void draw_points(ploy_draw *out, ploy_shape shape, ploy_layer layer, ploy_style style,
                        ploy_agent_id owner, const ploy_vec3 *points, int32_t count, float radius,
                        float alpha) {
    ploy_draw_item item = {shape,  layer, style, owner.id, points, count,
                           radius, 0.0f,  alpha, NULL,     NULL};
    ploy_draw_item_out(out, &item);
}

void ploy_draw_point(ploy_draw *out, ploy_layer layer, ploy_style style, ploy_agent_id owner,
                     ploy_vec2 at) {
    ploy_vec3 point = ploy_vec3_from_vec2(at, 0.0f);
    draw_points(out, PLOY_SHAPE_POINT, layer, style, owner, &point, 1, 0.0f, 1.0f);
}

void ploy_draw_line(ploy_draw *out, ploy_layer layer, ploy_style style, ploy_agent_id owner,
                    ploy_vec2 from, ploy_vec2 to) {
    ploy_vec3 points[2] = {ploy_vec3_from_vec2(from, 0.0f), ploy_vec3_from_vec2(to, 0.0f)};
    draw_points(out, PLOY_SHAPE_LINE, layer, style, owner, points, 2, 0.0f, 1.0f);
}

void ploy_draw_polyline(ploy_draw *out, ploy_layer layer, ploy_style style, ploy_agent_id owner,
                        const ploy_vec2 *points, int32_t count) {
    if (points == NULL || count < 2 || !ploy_draw_wants(out, layer)) return;
    ploy_vec3 buffer[PLOY_DRAW_POINTS];
    int32_t first = 0; // of the piece; its last point is the next piece's first
    while (first < count - 1) {
        int32_t n = count - first < PLOY_DRAW_POINTS ? count - first : PLOY_DRAW_POINTS;
        for (int32_t i = 0; i < n; i++) buffer[i] = ploy_vec3_from_vec2(points[first + i], 0.0f);
        draw_points(out, PLOY_SHAPE_LINE, layer, style, owner, buffer, n, 0.0f, 1.0f);
        first += n - 1;
    }
}

void ploy_draw_polygon(ploy_draw *out, ploy_layer layer, ploy_style style, ploy_agent_id owner,
                       const ploy_vec2 *points, int32_t count, float alpha) {
    if (points == NULL || count < 3 || !ploy_draw_wants(out, layer)) return;
    if (count > PLOY_DRAW_POINTS) {
        ploy_draw_polyline(out, layer, style, owner, points, count);
        ploy_draw_line(out, layer, style, owner, points[count - 1], points[0]);
        return;
    }
    ploy_vec3 buffer[PLOY_DRAW_POINTS];
    for (int32_t i = 0; i < count; i++) buffer[i] = ploy_vec3_from_vec2(points[i], 0.0f);
    draw_points(out, PLOY_SHAPE_POLYGON, layer, style, owner, buffer, count, 0.0f, alpha);
}

bool ploy_draw_space(const ploy_draw *out) {
    // Who sets all bits means all layers.
    return out != NULL && out->layers != UINT32_MAX && (out->layers & PLOY_DRAW_SPACE) != 0;
}

bool ploy_draw_takes_maps(const ploy_draw *out) {
    return out != NULL && out->layers != UINT32_MAX && (out->layers & PLOY_DRAW_MAPS) != 0;
}

void ploy_draw_values(ploy_draw *out, ploy_layer layer, const ploy_draw_map *map) {
    if (map == NULL || !ploy_draw_takes_maps(out)) return;
    ploy_vec3 corner = ploy_vec3_from_vec2(map->origin, 0.0f);
    ploy_draw_item item = {
        PLOY_SHAPE_MAP, layer, PLOY_STYLE_PLAIN, ploy_id_none(), &corner, 1, map->size, 0.0f, 1.0f,
        map->name,      map};
    ploy_draw_item_out(out, &item);
}

void ploy_draw_line3(ploy_draw *out, ploy_layer layer, ploy_style style, ploy_agent_id owner,
                     const ploy_vec3 *points, int32_t count) {
    if (points == NULL || count < 2) return;
    draw_points(out, PLOY_SHAPE_LINE, layer, style, owner, points, count, 0.0f, 1.0f);
}

void ploy_draw_polygon3(ploy_draw *out, ploy_layer layer, ploy_style style, ploy_agent_id owner,
                        const ploy_vec3 *points, int32_t count, float alpha) {
    if (points == NULL || count < 3) return;
    draw_points(out, PLOY_SHAPE_POLYGON, layer, style, owner, points, count, 0.0f, alpha);
}

void ploy_draw_circle(ploy_draw *out, ploy_layer layer, ploy_style style, ploy_agent_id owner,
                      ploy_vec2 centre, float radius) {
    ploy_vec3 point = ploy_vec3_from_vec2(centre, 0.0f);
    draw_points(out, PLOY_SHAPE_CIRCLE, layer, style, owner, &point, 1, radius, 1.0f);
}

void ploy_draw_disc(ploy_draw *out, ploy_layer layer, ploy_style style, ploy_agent_id owner,
                    ploy_vec2 centre, float radius, float alpha) {
    ploy_vec3 point = ploy_vec3_from_vec2(centre, 0.0f);
    draw_points(out, PLOY_SHAPE_DISC, layer, style, owner, &point, 1, radius, alpha);
}

void ploy_draw_arrow(ploy_draw *out, ploy_layer layer, ploy_style style, ploy_agent_id owner,
                     ploy_vec2 from, ploy_vec2 to) {
    ploy_vec3 points[2] = {ploy_vec3_from_vec2(from, 0.0f), ploy_vec3_from_vec2(to, 0.0f)};
    draw_points(out, PLOY_SHAPE_ARROW, layer, style, owner, points, 2, 0.0f, 1.0f);
}

void ploy_draw_agent(ploy_draw *out, ploy_style style, ploy_agent_id owner, ploy_vec2 position,
                     float orientation, float radius) {
    ploy_vec3 point = ploy_vec3_from_vec2(position, 0.0f);
    ploy_draw_item item = {PLOY_SHAPE_AGENT, PLOY_LAYER_AGENTS, style, owner.id, &point, 1,
                           radius,           orientation,       1.0f,  NULL,     NULL};
    ploy_draw_item_out(out, &item);
}

static void draw_letters(ploy_draw *out, ploy_shape shape, ploy_agent_id owner, ploy_vec2 at,
                         const char *text) {
    if (text == NULL) return;
    ploy_vec3 point = ploy_vec3_from_vec2(at, 0.0f);
    ploy_draw_item item = {
        shape, PLOY_LAYER_LABELS, PLOY_STYLE_TEXT, owner.id, &point, 1, 0.0f, 0.0f, 1.0f, text,
        NULL};
    ploy_draw_item_out(out, &item);
}

void ploy_draw_text(ploy_draw *out, ploy_agent_id owner, ploy_vec2 at, const char *text) {
    draw_letters(out, PLOY_SHAPE_TEXT, owner, at, text);
}

void ploy_draw_table(ploy_draw *out, ploy_agent_id owner, ploy_vec2 at, const char *table) {
    draw_letters(out, PLOY_SHAPE_TABLE, owner, at, table);
}

void ploy_draw_key(ploy_draw *out, ploy_style style, const char *meaning) {
    if (out == NULL || out->item == NULL || meaning == NULL) return;
    ploy_vec3 nowhere = ploy_vec3_make(0.0f, 0.0f, 0.0f);
    ploy_draw_item item = {
        PLOY_SHAPE_KEY, PLOY_LAYER_LABELS, style, ploy_id_none(), &nowhere, 1, 0.0f, 0.0f,
        1.0f,           meaning,           NULL};
    out->item(out->user, &item);
}
