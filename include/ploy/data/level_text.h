/// @file ploy/data/level_text.h
/// Levels as text: one object per line, in metres, read into the objects of ploy/data/level.h.
///
///     wall x0 y0 x1 y1                      # a wall
///     door NAME x0 y0 x1 y1 button x y button x y
///     spawn x y                             light x y reach
///     item health|shotgun|railgun|rocket x y [amount]
///     kind NAME                             # a further kind of item, before its first use
///     object NAME TYPE x y                  # any type
///     trigger NAME circle x y r do="VERB TARGET [WORDS]; ..." [when="CONDITION"]
///     offers NAME ACTION makes="EFFECTS" [needs="CONDITIONS"] [costs=NUMBER]
///
/// `#` begins a comment. Tags, `key=value`, may follow on every line and become slots of the object
/// (ploy_level_get): their meaning is up to the game. Values that read as numbers become f32,
/// others text; a value in double quotes may contain spaces.
///
/// Each line becomes an object whose type is the line's first word (for `object` its TYPE). A wall
/// and a door have the slots x1 and y1, a door also button0, button1, ... (vec2). A light has the
/// slot reach, an item kind and amount, a trigger radius, and an offer action.
/// ploy/data/level_use.h reads walls, doors, items and spawn points as structs, ploy/data/staging.h
/// runs triggers, and ploy/data/level_offers.h makes a planning domain from offers.
///
/// Objects of type `point` are tactical points: slots named after qualities are their values, links
/// names other points (`links=a,b`), and facing, radius and region set the point's members of that
/// name.
///
///     object crate1 point 4 2 cover=0.8 shadow=0.5 links=crate2
///     object ann agent 1 1 side=red
///
/// Cost: O(bytes); each name in `links` O(points), of which the set has at most its capacity.
/// Threads: one caller for each builder.
#pragma once

#include "ploy/base/diags.h"
#include "ploy/data/level.h"
#include "ploy/geom/scene.h"
#include "ploy/tactics/points.h"

/// Maximum number of buttons of a door.
#define PLOY_LEVEL_BUTTONS_MAX 4

/// Reads a text into the builder. Continues after a fault and reports each with line and column.
/// @param diags  may be NULL.
/// @return PLOY_ERR_FORMAT, PLOY_ERR_MEMORY, PLOY_ERR_CAPACITY; then the builder may contain some
///         of the objects.
PLOY_API ploy_result ploy_level_text_load(const char *text, size_t size, const char *name,
                                          ploy_diags *diags, ploy_level_builder *builder);
/// Returns the line, from 1, that defines an object of a text without errors; 0 if there is none.
PLOY_API int32_t ploy_level_text_line(const char *text, size_t size, int32_t object);
/// Adds the walls of a level to a scene. @return PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_level_text_walls(const ploy_level *level, uint32_t layers,
                                           ploy_plain_scene *scene);
/// Adds the points of a level to a set: qualities that the set does not have are added to it.
/// @param text   the text that the level was made from, of `size` bytes, so that a fault has a line
///               and a column; NULL: none. @param name  of the text, in messages. @param diags  may
///               be NULL.
/// @return PLOY_ERR_ARGUMENT for a value outside 0 to 1, PLOY_ERR_NOT_FOUND for a link to an unknown
///         point, PLOY_ERR_CAPACITY, PLOY_ERR_MEMORY; then some points may have been added.
PLOY_API ploy_result ploy_level_text_points(const ploy_level *level, const char *text, size_t size,
                                            const char *name, ploy_diags *diags,
                                            ploy_tactical_points *points);
