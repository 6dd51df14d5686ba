/// @file ploy/data/tiled.h
/// Maps of the Tiled editor: TMX and TMJ, with tilesets (TSX, TSJ) and templates (TX, TJ), read and
/// written.
///
/// One loader reads all of them; it detects XML or JSON from the bytes, and a map, tileset or
/// template from the outermost element. The XML and the JSON form of a map give equal objects. The
/// loader supports all four orientations, finite and infinite maps, CSV, base64 and element lists,
/// external tilesets and templates, flips, every object shape and property type, Wang sets, and
/// both `class` and the older `type`; in JSON also the older forms of properties and tiles as
/// objects. An unknown version is not an error. JSON does not store the types of the members of a
/// class property: they become int, float, bool, string or class according to the value.
///
/// Layers compressed with zlib, gzip or zstd need the component `data_compression`
/// (ploy/data/compression.h); without it they are refused, and diags name the compression.
///
/// A map is immutable plain data behind ploy_tiled_get: arrays that refer to each other by ranges.
/// Coordinates are Tiled's own: pixels, y down. ploy/data/tiled_use.h converts to tiles, rings and
/// level objects.
///
/// Cost: linear in the files. Threads: a map may be read from many threads at once.
#pragma once

#include "ploy/base/diags.h"
#include "ploy/base/fields.h"
#include "ploy/base/writer.h"
#include "ploy/geom/vec.h"

/// Maximum number of decoded cells in all layers of a map.
#define PLOY_TILED_CELLS_MAX (1 << 24)
/// Largest side of a map or chunk, in cells.
#define PLOY_TILED_SIDE_MAX 65536
/// Deepest nesting of group layers and of class properties.
#define PLOY_TILED_DEPTH_MAX 32

/// Flags in a global tile id; the rest is the id.
#define PLOY_TILED_FLIP_X 0x80000000u
#define PLOY_TILED_FLIP_Y 0x40000000u
#define PLOY_TILED_FLIP_DIAGONAL 0x20000000u ///< x and y swapped, before the other flips
#define PLOY_TILED_TURN_120 0x10000000u      ///< hexagonal maps: turned by 120 degrees
#define PLOY_TILED_FLAGS 0xf0000000u

typedef enum ploy_tiled_kind {
    PLOY_TILED_MAP,
    PLOY_TILED_TILESET, ///< the first tileset is the file
    PLOY_TILED_TEMPLATE ///< the first object is the file
} ploy_tiled_kind;

typedef enum ploy_tiled_orientation {
    PLOY_TILED_ORTHOGONAL,
    PLOY_TILED_ISOMETRIC,
    PLOY_TILED_STAGGERED,
    PLOY_TILED_HEXAGONAL,
    PLOY_TILED_ORIENTATIONS
} ploy_tiled_orientation;

typedef enum ploy_tiled_layer_kind {
    PLOY_TILED_LAYER_TILES,
    PLOY_TILED_LAYER_OBJECTS,
    PLOY_TILED_LAYER_IMAGE,
    PLOY_TILED_LAYER_GROUP
} ploy_tiled_layer_kind;

typedef enum ploy_tiled_shape {
    PLOY_TILED_RECTANGLE,
    PLOY_TILED_ELLIPSE,
    PLOY_TILED_POINT,
    PLOY_TILED_POLYGON,
    PLOY_TILED_POLYLINE,
    PLOY_TILED_TEXT,
    PLOY_TILED_TILE, ///< an image: `gid`; its position is the lower left corner
    PLOY_TILED_SHAPES
} ploy_tiled_shape;

typedef enum ploy_tiled_property_type {
    PLOY_TILED_STRING,
    PLOY_TILED_INT,
    PLOY_TILED_FLOAT,
    PLOY_TILED_BOOL,
    PLOY_TILED_COLOR,
    PLOY_TILED_FILE,
    PLOY_TILED_OBJECT, ///< the id of an object
    PLOY_TILED_CLASS,  ///< has members
    PLOY_TILED_PROPERTY_TYPES
} ploy_tiled_property_type;

/// How the cells of a layer are written.
typedef enum ploy_tiled_encoding {
    PLOY_TILED_CSV, ///< in JSON: an array of numbers
    PLOY_TILED_BASE64,
    PLOY_TILED_ELEMENTS, ///< XML only: one element for each cell
    PLOY_TILED_ENCODINGS
} ploy_tiled_encoding;

typedef enum ploy_tiled_compression {
    PLOY_TILED_PLAIN,
    PLOY_TILED_ZLIB,
    PLOY_TILED_GZIP,
    PLOY_TILED_ZSTD,
    PLOY_TILED_COMPRESSIONS
} ploy_tiled_compression;

/// "orthogonal", "isometric", "staggered", "hexagonal"; "" for anything else.
PLOY_API const char *ploy_tiled_orientation_text(ploy_tiled_orientation orientation);

/// Some items of one of the map's arrays: [first, first + count).
typedef struct ploy_tiled_range {
    int32_t first, count;
} ploy_tiled_range;

/// One property. Texts are never NULL, here and below.
typedef struct ploy_tiled_property {
    const char *name;
    const char *class_name; ///< the name of an enum or class type; "" if none
    const char *text;       ///< the value as text; "true" or "false" for a bool, "" for a class
    double number;          ///< of an int, float, bool (0 or 1) or object; otherwise 0
    ploy_tiled_property_type type;
    ploy_tiled_range members; ///< properties of a class
} ploy_tiled_property;

/// One object. Values that the object lacks are filled in from its template.
typedef struct ploy_tiled_object {
    const char *name, *class_name;
    const char *template_name; ///< the file, as written; "" if none
    double x, y;               ///< pixels, y down
    double width, height;      ///< pixels
    double rotation;           ///< degrees, clockwise, about (x, y)
    double opacity;
    int32_t id;
    uint32_t gid; ///< with flags; 0 if it is not a tile
    ploy_tiled_shape shape;
    bool visible;
    ploy_tiled_range points;     ///< of a polygon or polyline, relative to (x, y)
    ploy_tiled_range attributes; ///< of a text: font, size, alignment, as they were written
    const char *text;            ///< of a text
    ploy_tiled_range properties;
} ploy_tiled_object;

/// One rectangle of cells of a tile layer; a finite layer has one.
typedef struct ploy_tiled_chunk {
    int32_t x, y, width, height; ///< cells, y down
    int32_t cells;               ///< index of the first in `cells`, row by row from the top
} ploy_tiled_chunk;

typedef struct ploy_tiled_image {
    const char *source; ///< file; "" if none
    const char *trans;  ///< transparent colour; "" if none
    int32_t width, height;
} ploy_tiled_image;

typedef struct ploy_tiled_layer {
    const char *name, *class_name;
    const char *tint;  ///< colour; "" if none
    const char *blend; ///< blend mode; "" for normal
    ploy_tiled_layer_kind kind;
    int32_t id;
    int32_t parent; ///< the group that contains it; -1 if none. Groups come before their layers
    bool visible, locked;
    double opacity, offset_x, offset_y, parallax_x, parallax_y;
    ploy_tiled_range properties;
    int32_t width, height;        ///< cells, of a tile layer; if infinite, the bounds of its chunks
    ploy_tiled_range chunks;      ///< of a tile layer
    ploy_tiled_encoding encoding; ///< as it was written
    ploy_tiled_compression compression;
    ploy_tiled_range objects; ///< of an object layer
    bool index_order;         ///< objects are drawn by index, not from the top down
    const char *color;        ///< of an object layer; "" if none
    ploy_tiled_image image;   ///< of an image layer
    bool repeat_x, repeat_y;
} ploy_tiled_layer;

/// One tile of a tileset that has data.
typedef struct ploy_tiled_tile {
    const char *class_name;
    int32_t id; ///< within the tileset
    double probability;
    int32_t terrain[4]; ///< older files: terrain of each corner, -1 if none
    bool has_terrain;
    ploy_tiled_range properties;
    ploy_tiled_range objects; ///< collision shapes, in pixels from the tile's upper left corner
    ploy_tiled_range frames;
    ploy_tiled_image image;      ///< of an image collection
    int32_t x, y, width, height; ///< part of the image; width 0: all
} ploy_tiled_tile;

typedef struct ploy_tiled_frame {
    int32_t tile, duration; ///< tile of the tileset; milliseconds
} ploy_tiled_frame;

typedef struct ploy_tiled_terrain {
    const char *name;
    int32_t tile;
} ploy_tiled_terrain;

typedef struct ploy_tiled_wang_color {
    const char *name, *class_name, *color;
    int32_t tile;
    double probability;
    ploy_tiled_range properties;
} ploy_tiled_wang_color;

/// The colours around a tile: top, top right, right, ... top left; 0 is none.
typedef struct ploy_tiled_wang_tile {
    int32_t tile;
    uint8_t colors[8];
} ploy_tiled_wang_tile;

typedef struct ploy_tiled_wang_set {
    const char *name, *class_name;
    const char *type; ///< "corner", "edge" or "mixed"
    int32_t tile;
    ploy_tiled_range colors, tiles, properties;
} ploy_tiled_wang_set;

typedef struct ploy_tiled_tileset {
    const char *name, *class_name;
    const char *source; ///< file of an external tileset, as written; "" if it is in the map
    bool loaded;        ///< false for an external tileset that was not read
    int32_t first_gid;
    int32_t tile_width, tile_height, spacing, margin, tile_count, columns;
    int32_t offset_x, offset_y;
    const char *alignment, *render_size, *fill_mode, *background; ///< "" if not given
    bool has_grid, grid_isometric;
    int32_t grid_width, grid_height;
    bool has_transformations, flip_x, flip_y, rotate, prefer_untransformed;
    ploy_tiled_image image;
    ploy_tiled_range tiles; ///< by id, ascending
    ploy_tiled_range terrains, wang_sets, properties;
} ploy_tiled_tileset;

/// A map and all its arrays. Valid as long as the map.
typedef struct ploy_tiled_view {
    ploy_tiled_kind kind;
    const char *version, *tiled_version, *class_name, *background; ///< "" if not given
    ploy_tiled_orientation orientation;
    const char *render_order; ///< "right-down" and so on
    int32_t width, height;    ///< cells; of an infinite map as given in the file
    int32_t tile_width, tile_height;
    bool infinite;
    int32_t hex_side; ///< pixels, of a hexagonal map
    bool stagger_x;   ///< columns are staggered, not rows
    bool stagger_even;
    int32_t next_layer, next_object;
    double parallax_x, parallax_y;
    ploy_tiled_range properties;
    const ploy_tiled_layer *layers;
    int32_t layer_count;
    const ploy_tiled_tileset *tilesets;
    int32_t tileset_count;
    const ploy_tiled_chunk *chunks;
    const uint32_t *cells; ///< global tile ids with flags; 0 is empty
    int32_t cell_count;
    const ploy_tiled_object *objects;
    int32_t object_count;
    const ploy_vec2 *points;
    const ploy_tiled_property *all_properties;
    int32_t property_count;
    const ploy_tiled_tile *tiles;
    const ploy_tiled_frame *frames;
    const ploy_tiled_terrain *terrains;
    const ploy_tiled_wang_set *wang_sets;
    const ploy_tiled_wang_color *wang_colors;
    const ploy_tiled_wang_tile *wang_tiles;
} ploy_tiled_view;

/// Reads the files to which a file refers.
typedef struct ploy_tiled_source {
    /// Appends the file to out. The name is relative to the folder of the first file's name.
    ploy_result (*read)(void *user, const char *name, ploy_buffer *out);
    void *user;
} ploy_tiled_source;

/// Compresses and decompresses layers; the component's ploy_compression() returns one.
typedef struct ploy_compression_service {
    /// Decompresses to exactly out_size bytes. @return PLOY_ERR_FORMAT if the size differs or the
    /// bytes are invalid.
    ploy_result (*decompress)(void *user, ploy_tiled_compression kind, const void *bytes,
                              size_t size, void *out, size_t out_size);
    /// Appends the compressed bytes.
    ploy_result (*compress)(void *user, ploy_tiled_compression kind, const void *bytes, size_t size,
                            ploy_buffer *out);
    void *user;
} ploy_compression_service;

/// Options for loading. All zero: none.
typedef struct ploy_tiled_options {
    const ploy_tiled_source *source; ///< NULL: external tilesets and templates are not read
    const ploy_compression_service *compression; ///< NULL: compressed layers are refused
    bool allow_missing; ///< a file that cannot be read is a warning, not an error
} ploy_tiled_options;

/// A map, tileset or template. Opaque.
typedef struct ploy_tiled ploy_tiled;

/// Reads a map, tileset or template.
/// @param name     of the file, for messages and as the base of relative names.
/// @param options  NULL: none.
/// @param diags    may be NULL.
/// @return PLOY_ERR_FORMAT, PLOY_ERR_UNSUPPORTED for a compressed layer without the component,
///         PLOY_ERR_LIMIT (diags give the position), PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_tiled_load(const void *bytes, size_t size, const char *name,
                                     const ploy_tiled_options *options, const ploy_env *env,
                                     ploy_diags *diags, ploy_tiled **out);
/// Frees it. NULL is allowed.
PLOY_API void ploy_tiled_destroy(ploy_tiled *map);
PLOY_API ploy_tiled_view ploy_tiled_get(const ploy_tiled *map);
PLOY_API void ploy_tiled_memory(const ploy_tiled *map, ploy_memory_fn fn, void *user);

/// Options for writing a file.
typedef struct ploy_tiled_form {
    bool json;                          ///< TMJ, TSJ, TJ instead of TMX, TSX, TX
    bool recode;                        ///< use the encoding below for all layers, not their own
    bool embed;                         ///< external tilesets become part of the map
    ploy_tiled_encoding encoding;       ///< elements become CSV in JSON
    ploy_tiled_compression compression; ///< base64 only
    const ploy_compression_service *service; ///< NULL: layers are written without compression
} ploy_tiled_form;

/// Writes a map, tileset or template. Reading it back gives an equal one. @param form  NULL: XML,
/// all zero otherwise.
/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY, or the writer's error.
PLOY_API ploy_result ploy_tiled_save(const ploy_tiled *map, const ploy_tiled_form *form,
                                     ploy_writer *writer);

// ---- lookup

/// Returns the tileset of a global id (flags are ignored); -1 if the id is empty or unknown.
PLOY_API int32_t ploy_tiled_find_tileset(const ploy_tiled *map, uint32_t gid);
/// Returns the tileset's data for a global id; NULL if there is none.
PLOY_API const ploy_tiled_tile *ploy_tiled_find_tile(const ploy_tiled *map, uint32_t gid);
/// Returns a property of a range by name; NULL if there is none.
PLOY_API const ploy_tiled_property *
ploy_tiled_find_property(const ploy_tiled *map, ploy_tiled_range range, const char *name);
/// Returns the global id at a cell of a layer; 0 outside.
PLOY_API uint32_t ploy_tiled_cell(const ploy_tiled *map, int32_t layer, int32_t column,
                                  int32_t row);
/// Returns whether a layer and all groups that contain it are visible.
PLOY_API bool ploy_tiled_layer_shown(const ploy_tiled *map, int32_t layer);
