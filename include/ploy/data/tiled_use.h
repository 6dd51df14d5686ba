/// @file ploy/data/tiled_use.h
/// Tiled maps as worlds: tiles with costs, rings of collision shapes, level objects, a drawing; and
/// generated content as Tiled maps.
///
/// Positions are metres with y up. A cell is `tile_size` metres; a finite map has its lower left
/// corner at the origin, an infinite one the upper left corner of its cell (0, 0). On isometric
/// maps positions are on the ground plane, where cells are squares; on staggered and hexagonal maps
/// they are as drawn.
#pragma once

#include "ploy/data/level.h"
#include "ploy/data/tiled.h"
#include "ploy/generate/generator.h"
#include "ploy/geom/draw.h"
#include "ploy/geom/rings.h"
#include "ploy/path/tiles.h"

/// Settings for converting a map. Start from ploy_tiled_use_default().
typedef struct ploy_tiled_use {
    float tile_size;   ///< m, side of a cell; above 0
    const char *cost;  ///< number property of a tile: cost of entering it; 0 or below blocks
    const char *solid; ///< bool property of a tile, object or layer: blocked if true
} ploy_tiled_use;

/// Returns the default: 1 m, "cost", "solid".
PLOY_API ploy_tiled_use ploy_tiled_use_default(void);

/// Returns the position of a point of the map that is given in Tiled's pixels.
PLOY_API ploy_vec2 ploy_tiled_position(const ploy_tiled *map, const ploy_tiled_use *use, double x,
                                       double y);

/// Creates tiles with the costs of the map's tiles. A cell is open if a visible tile layer has a
/// tile there; the highest cost of its tiles counts. For staggered maps, the result is the diamond
/// of the isometric grid that they show, in its own coordinates; for hexagonal maps, hexagons (with
/// staggered rows; a blocked row is added below if the parity requires it).
/// @param use    NULL: the default. @param diags  may be NULL.
/// @return PLOY_ERR_UNSUPPORTED for hexagons with staggered columns, PLOY_ERR_LIMIT for more than
///         254 costs or too many cells (diags name it), PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_tiles_from_tiled(const ploy_tiled *map, const ploy_tiled_use *use,
                                           const ploy_env *env, ploy_diags *diags,
                                           ploy_tiles **out);
/// Adds the collision shapes of all visible tiles, with their flips, and the objects that are solid
/// or in a solid layer. Outlines are counter-clockwise; ellipses have 16 corners.
/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY; rings added before the error stay.
PLOY_API ploy_result ploy_rings_from_tiled(const ploy_tiled *map, const ploy_tiled_use *use,
                                           const ploy_env *env, ploy_rings *rings);
/// Adds the objects of all visible object layers with name, class and position (the middle of
/// rectangles, ellipses and tiles), their properties and, unless a property has the same name, the
/// slots width, height (m), rotation (rad), shape, layer and gid.
/// @return as ploy_level_builder_add; objects added before the error stay.
PLOY_API ploy_result ploy_level_builder_add_tiled(ploy_level_builder *builder,
                                                  const ploy_tiled *map, const ploy_tiled_use *use);
/// Draws cells as squares in a style by tileset, and objects as outlines with their names.
PLOY_API void ploy_tiled_draw(const ploy_tiled *map, const ploy_tiled_use *use, ploy_draw *out);

/// Creates a map of generated content: a plan as tiles with classes and costs, with rooms, doors,
/// keys, entrance and exit as objects; tiles by their numbers; points as points and ellipses. It
/// has 16 pixels per metre and a tileset without images.
/// @return PLOY_ERR_ARGUMENT if the content has no plan, tiles or points; PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_tiled_from_content(const ploy_content *content, const ploy_env *env,
                                             ploy_tiled **out);
