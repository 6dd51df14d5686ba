/// @file ploy/geom/draw.h
/// The draw sink: receives shapes to show.
///
/// Every object with a shape has a function `void ploy_x_draw(const ploy_x *x, ploy_draw *out)`.
/// Shapes carry a layer (which can be switched on and off), a style (a meaning, not a colour: the
/// page, SVG and PNG share one colour-blind-safe palette) and the owner's id (so that a click finds
/// the agent). Points are vec3; z = 0 on the plane. Drawing never changes the object.
#pragma once

#include "ploy/base/id.h"
#include "ploy/geom/vec.h"

typedef enum ploy_layer {
    PLOY_LAYER_WORLD,     ///< walls, obstacles, maps
    PLOY_LAYER_REGIONS,   ///< areas with a meaning: triggers, rooms, cells
    PLOY_LAYER_INFLUENCE, ///< fields and heat maps
    PLOY_LAYER_PATHS,     ///< routes, search fill
    PLOY_LAYER_SENSES,    ///< cones, sounds
    PLOY_LAYER_FORCES,    ///< steering and velocities
    PLOY_LAYER_AGENTS,    ///< the characters
    PLOY_LAYER_LABELS,    ///< text
    PLOY_LAYER_COUNT
} ploy_layer;

/// "world", "regions", "influence", "paths", "senses", "forces", "agents", "labels".
PLOY_API const char *ploy_layer_text(ploy_layer layer);

typedef enum ploy_style {
    PLOY_STYLE_PLAIN,
    PLOY_STYLE_WALL,
    PLOY_STYLE_FLOOR,
    PLOY_STYLE_AGENT_A, ///< first team or kind
    PLOY_STYLE_AGENT_B,
    PLOY_STYLE_AGENT_C,
    PLOY_STYLE_AGENT_D,
    PLOY_STYLE_TARGET,
    PLOY_STYLE_PATH,
    PLOY_STYLE_VELOCITY,
    PLOY_STYLE_FORCE,
    PLOY_STYLE_GOOD,
    PLOY_STYLE_WARNING,
    PLOY_STYLE_BAD,
    PLOY_STYLE_OPEN,   ///< of a search: the frontier
    PLOY_STYLE_CLOSED, ///< of a search: done
    PLOY_STYLE_GHOST,  ///< hints, construction lines
    PLOY_STYLE_TEXT,
    PLOY_STYLE_COUNT
} ploy_style;

/// "plain", "wall", "floor", "agent_a", ...
PLOY_API const char *ploy_style_text(ploy_style style);

/// Returns what the style means in most pictures, for legends: "walls", "path", "steering force".
PLOY_API const char *ploy_style_meaning(ploy_style style);

/// The style's colour as 0xRRGGBB in the shared palette (dark lines on a light background).
PLOY_API uint32_t ploy_style_color(ploy_style style);

typedef enum ploy_shape {
    PLOY_SHAPE_POINT,   ///< points[0], drawn at a fixed size on screen
    PLOY_SHAPE_LINE,    ///< count points joined
    PLOY_SHAPE_POLYGON, ///< count points, closed and filled
    PLOY_SHAPE_CIRCLE,  ///< points[0], radius; outline
    PLOY_SHAPE_DISC,    ///< points[0], radius; filled
    PLOY_SHAPE_ARROW,   ///< from points[0] to points[1]
    PLOY_SHAPE_AGENT,   ///< points[0], radius, angle: a body with a nose
    PLOY_SHAPE_TEXT,    ///< points[0], text
    PLOY_SHAPE_TABLE,   ///< points[0], the upper left corner; text as for ploy_draw_table
    PLOY_SHAPE_KEY,     ///< text: what the style means in this picture; nothing to draw
    PLOY_SHAPE_MAP,     ///< map: values over a grid; sent only to receivers that take maps
    PLOY_SHAPE_COUNT
} ploy_shape;

/// Values over a grid of square cells, such as influence or danger. The receiver chooses how to show
/// them, and can give the value under a pointer.
typedef struct ploy_draw_map {
    const char *name; ///< for a legend: "security"
    const char *unit; ///< of the values: "m"; "" if they have none
    ploy_vec2 origin; ///< m, least corner
    float size;       ///< m, side of a cell; above 0
    int32_t columns, rows;
    /// Names of the values 0, 1, ... if they are categories; NULL: they are numbers.
    const char *const *categories;
    int32_t category_count;
    /// The value of a cell; cells are numbered row by row from the least corner. NaN: unknown.
    float (*value)(const void *user, int32_t cell);
    const void *user;
} ploy_draw_map;

typedef struct ploy_draw_item {
    ploy_shape shape;
    ploy_layer layer;
    ploy_style style;
    ploy_id owner;
    const ploy_vec3 *points;
    int32_t count;
    float radius;             ///< m
    float angle;              ///< rad
    float alpha;              ///< 0 to 1, for fills and heat maps
    const char *text;         ///< UTF-8, or NULL
    const ploy_draw_map *map; ///< of PLOY_SHAPE_MAP, otherwise NULL
} ploy_draw_item;

/// The receiving side. The item and everything it points to are valid only during the call.
typedef struct ploy_draw {
    void (*item)(void *user, const ploy_draw_item *item);
    void *user;
    uint32_t layers; ///< bit 1 << layer: the layers to draw; the calls below skip others
} ploy_draw;

/// Maximum number of points of a filled polygon given as vec2: the calls below convert them to vec3
/// on the stack and never allocate. Polylines may have any number of points (they are sent in
/// pieces that share end points). A polygon with more points is drawn as its outline; to fill it,
/// keep vec3 points and call ploy_draw_item_out, which has no limit.
#define PLOY_DRAW_POINTS 512

/// A bit of `layers`: the receiver shows space. Objects that would draw a projection (from above
/// and from the side) send their points with heights instead. UINT32_MAX is every layer, flat.
#define PLOY_DRAW_SPACE 0x80000000u

/// A bit of `layers`: the receiver takes maps (PLOY_SHAPE_MAP). Objects that would shade cells send
/// their values instead. Not set in UINT32_MAX.
#define PLOY_DRAW_MAPS 0x40000000u

/// True if the receiver takes maps (PLOY_DRAW_MAPS). False for NULL.
PLOY_API bool ploy_draw_takes_maps(const ploy_draw *out);
/// Sends a map to a receiver that takes maps and draws the layer; has no effect for others, so that
/// the caller shades the cells for them.
PLOY_API void ploy_draw_values(ploy_draw *out, ploy_layer layer, const ploy_draw_map *map);
/// True if the receiver shows space (PLOY_DRAW_SPACE). False for NULL.
PLOY_API bool ploy_draw_space(const ploy_draw *out);
/// True if the layer is drawn. Check this before computing anything that is only drawn. False for
/// NULL.
PLOY_API bool ploy_draw_wants(const ploy_draw *out, ploy_layer layer);
/// Passes an item on unchanged if its layer is drawn.
PLOY_API void ploy_draw_item_out(ploy_draw *out, const ploy_draw_item *item);
PLOY_API void ploy_draw_point(ploy_draw *out, ploy_layer layer, ploy_style style,
                              ploy_agent_id owner, ploy_vec2 at);
PLOY_API void ploy_draw_line(ploy_draw *out, ploy_layer layer, ploy_style style,
                             ploy_agent_id owner, ploy_vec2 from, ploy_vec2 to);
PLOY_API void ploy_draw_polyline(ploy_draw *out, ploy_layer layer, ploy_style style,
                                 ploy_agent_id owner, const ploy_vec2 *points, int32_t count);
PLOY_API void ploy_draw_polygon(ploy_draw *out, ploy_layer layer, ploy_style style,
                                ploy_agent_id owner, const ploy_vec2 *points, int32_t count,
                                float alpha);
PLOY_API void ploy_draw_circle(ploy_draw *out, ploy_layer layer, ploy_style style,
                               ploy_agent_id owner, ploy_vec2 centre, float radius);
PLOY_API void ploy_draw_disc(ploy_draw *out, ploy_layer layer, ploy_style style,
                             ploy_agent_id owner, ploy_vec2 centre, float radius, float alpha);
PLOY_API void ploy_draw_arrow(ploy_draw *out, ploy_layer layer, ploy_style style,
                              ploy_agent_id owner, ploy_vec2 from, ploy_vec2 to);
PLOY_API void ploy_draw_agent(ploy_draw *out, ploy_style style, ploy_agent_id owner,
                              ploy_vec2 position, float orientation, float radius);
PLOY_API void ploy_draw_text(ploy_draw *out, ploy_agent_id owner, ploy_vec2 at, const char *text);
/// A line and a filled polygon in space. The polygon is sent as it is, so it may have any number of
/// points.
PLOY_API void ploy_draw_line3(ploy_draw *out, ploy_layer layer, ploy_style style,
                              ploy_agent_id owner, const ploy_vec3 *points, int32_t count);
PLOY_API void ploy_draw_polygon3(ploy_draw *out, ploy_layer layer, ploy_style style,
                                 ploy_agent_id owner, const ploy_vec3 *points, int32_t count,
                                 float alpha);
/// Draws a table whose columns are aligned in every font.
///
///     "lrr\nsearch\tlength\ttaken\nastar\t84.9\t1360\njump\t84.9\t75"
///
/// The first line has a letter for each column, up to 16: l, r or c for left, right or centred. The
/// second line has the headings, every further one is a row; cells are separated by tabs. Cells
/// that are missing are empty. Letters have the same size in every picture.
/// @param at  the upper left corner.
PLOY_API void ploy_draw_table(ploy_draw *out, ploy_agent_id owner, ploy_vec2 at, const char *table);
/// Sets the meaning of a style in this picture, for legends: "red team", "waits for a path". Draws
/// nothing, and is passed on with any layers.
PLOY_API void ploy_draw_key(ploy_draw *out, ploy_style style, const char *meaning);
