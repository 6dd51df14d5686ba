/// @file ploy/data/tiled_use.h
/// Tiled maps as worlds: tiles with costs, rings of collision shapes, level objects, a picture; and
/// generated content as Tiled maps.
///
/// Positions are metres with y up. A cell is `tile_size` metres; a finite map has its lower left
/// corner at the origin, an infinite one the upper left corner of its cell (0, 0). On isometric maps
/// positions are on the ground plane, where cells are squares; on staggered and hexagonal maps they
/// are those of the picture.
#pragma once

#include "ploy/data/level.h"
#include "ploy/data/tiled.h"
#include "ploy/generate/generator.h"
#include "ploy/geom/draw.h"
#include "ploy/geom/rings.h"
#include "ploy/path/tiles.h"

/// How a map is used. Start from ploy_tiled_use_default().
typedef struct ploy_tiled_use {
    float tile_size;   ///< m, side of a cell; above 0
    const char *cost;  ///< number property of a tile: cost of entering it; 0 or below blocks
    const char *solid; ///< bool property of a tile, object or layer: blocked if true
} ploy_tiled_use;

/// 1 m, "cost", "solid".
PLOY_API ploy_tiled_use ploy_tiled_use_default(void);

/// The position of a point of the map, in Tiled's pixels.
PLOY_API ploy_vec2 ploy_tiled_position(const ploy_tiled *map, const ploy_tiled_use *use, double x,
                                       double y);

/// Tiles with the costs of the map's tiles. A cell is open if a tile layer that is shown has a tile
/// there; the highest cost of its tiles counts. Of staggered maps the result is the diamond of the
/// isometric grid that they show, in its own coordinates; of hexagonal maps hexagons (with rows
/// staggered; a blocked row is added below where the parity needs it).
/// @param use    NULL: the default. @param diags  may be NULL.
/// @return PLOY_ERR_UNSUPPORTED for hexagons with staggered columns, PLOY_ERR_LIMIT for more than
///         254 costs or too many cells (diags name it), PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_tiles_from_tiled(const ploy_tiled *map, const ploy_tiled_use *use,
                                           const ploy_env *env, ploy_diags *diags,
                                           ploy_tiles **out);
/// Adds the collision shapes of all tiles that are shown, with their flips, and the objects that are
/// solid or in a solid layer. Outlines go counter-clockwise; ellipses have 16 corners.
/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY; rings added by then stay.
PLOY_API ploy_result ploy_rings_from_tiled(const ploy_tiled *map, const ploy_tiled_use *use,
                                           const ploy_env *env, ploy_rings *rings);
/// Adds the objects of all object layers that are shown, as name, class and position (of rectangles,
/// ellipses and tiles the middle), with their properties and, where no property has the name, the
/// slots width, height (m), rotation (rad), shape, layer and gid.
/// @return as ploy_level_builder_add; objects added by then stay.
PLOY_API ploy_result ploy_level_builder_add_tiled(ploy_level_builder *builder,
                                                  const ploy_tiled *map, const ploy_tiled_use *use);
/// Cells as squares in a style by tileset, objects as outlines with their names.
PLOY_API void ploy_tiled_draw(const ploy_tiled *map, const ploy_tiled_use *use, ploy_draw *out);

/// A map of generated content: a plan as tiles with classes and costs, with rooms, doors, keys,
/// entrance and exit as objects; tiles by their numbers; points as points and ellipses. 16 pixels a
/// metre, a tileset without pictures.
/// @return PLOY_ERR_ARGUMENT if it has neither plan, tiles nor points; PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_tiled_from_content(const ploy_content *content, const ploy_env *env,
                                             ploy_tiled **out);
