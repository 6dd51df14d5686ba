/// @file ploy/generate/floor_plan.h
/// Floor plans: the result of every maze, cave and dungeon generator.
///
/// A plan is a grid of cells of 1 m, with rooms, doors and links on top. Numbers of rooms, doors
/// and links are given in the order in which they were made and never change: the same settings and
/// key give the same numbers. There are two kinds of plan:
/// - thick walls: a wall is a solid cell. Open cells side by side are joined; a door is a cell.
/// - thin walls: walls are between cells. A door is the passage from one cell to the next.
///
/// In both, `exits` gives the open directions of each cell, so a flood fill reads nothing else.
///
///     directions:      1 (+y)        exits of a cell: the sum of 1 << direction
///               3 (-x)  .  0 (+x)    opposite of d: 3 - d
///                      2 (-y)
///
/// Every finished plan has an entrance, an exit, the distance of each cell from the entrance, and
/// roles: the exit is in the room farthest from the entrance, locks are on doors that every route
/// to the exit passes, and each key is on the entrance's side of that key's lock and of all later
/// ones. A generator does this at its end, in slices: one unit of its budget is up to 1,024 cells,
/// rooms or doors.
///
/// Units: cells of 1 m; cell (x, y) covers [x, x + 1] x [y, y + 1]. Threads: reading from many.
#pragma once

#include "ploy/base/describe.h"
#include "ploy/base/fields.h"
#include "ploy/base/rng.h"
#include "ploy/geom/draw.h"
#include "ploy/geom/rings.h"

/// A plan. Opaque. A generator owns its plan; ploy_floor_plan_copy makes a copy to keep.
typedef struct ploy_floor_plan ploy_floor_plan;

/// The kind of a cell.
typedef enum ploy_plan_kind {
    PLOY_PLAN_SOLID,
    PLOY_PLAN_ROOM,     ///< floor of a room or cave
    PLOY_PLAN_CORRIDOR, ///< floor of a corridor, tunnel or maze
    PLOY_PLAN_DOOR,     ///< a door of a plan with thick walls
    PLOY_PLAN_KINDS
} ploy_plan_kind;

/// The purpose of a room. Numbers from PLOY_PLAN_ROLES on are free for the caller's rules.
typedef enum ploy_plan_role {
    PLOY_PLAN_ROLE_NONE,
    PLOY_PLAN_ROLE_ENTRANCE,
    PLOY_PLAN_ROLE_EXIT,
    PLOY_PLAN_ROLE_KEY,      ///< holds the key of a lock
    PLOY_PLAN_ROLE_TREASURE, ///< off the shortest route to the exit
    PLOY_PLAN_ROLE_GUARD,    ///< on the shortest route to the exit
    PLOY_PLAN_ROLES
} ploy_plan_role;

/// "none", "entrance", "exit", "key", "treasure", "guard"; "other" for the caller's.
PLOY_API const char *ploy_plan_role_text(int32_t role);

typedef struct ploy_plan_room {
    int32_t x, y, width, height; ///< smallest rectangle around its cells
    int32_t cells;               ///< number of its cells
    int32_t cell;                ///< one of its cells, near the middle: y * plan width + x
    int32_t doors;               ///< number of doors into it
    int32_t links;               ///< number of links that end in it
    int32_t distance;            ///< steps from the entrance to its nearest cell; -1 if unreachable
    int32_t role;                ///< ploy_plan_role or the caller's
    int32_t value;               ///< the generator's: see its header
} ploy_plan_room;

typedef struct ploy_plan_link {
    int32_t from, to; ///< rooms
    int32_t length;   ///< cells of corridor, doors included; 0: the rooms are side by side
    bool loop;        ///< not needed by a spanning tree
} ploy_plan_link;

typedef struct ploy_plan_door {
    int32_t cell;      ///< thick walls: the door; thin walls: the cell in front of it
    int32_t direction; ///< from the cell into the room
    int32_t room;      ///< that it opens into
    int32_t link;      ///< that it belongs to; -1: none
    int32_t lock;      ///< number of its lock; -1: none
} ploy_plan_door;

typedef struct ploy_plan_lock {
    int32_t door;
    int32_t key_cell; ///< where its key is
    int32_t key_room; ///< -1: in no room
} ploy_plan_lock;

/// A view of the whole plan, borrowed: valid until the plan changes. Cells are stored row by row
/// from y = 0.
typedef struct ploy_floor_plan_view {
    int32_t width, height;
    bool thin;                ///< walls are between cells
    const uint8_t *kinds;     ///< ploy_plan_kind
    const uint8_t *exits;     ///< sum of 1 << direction
    const int32_t *owners;    ///< the room of a room's cell, the link of a corridor or door, or -1
    const int32_t *distances; ///< steps from the entrance; -1: solid or unreachable
    const ploy_plan_room *rooms;
    int32_t room_count;
    const ploy_plan_link *links;
    int32_t link_count;
    const ploy_plan_door *doors;
    int32_t door_count;
    const ploy_plan_lock *locks; ///< in the order in which a player opens them
    int32_t lock_count;
    int32_t entrance, exit; ///< cells; -1 while the plan is not finished
} ploy_floor_plan_view;

PLOY_API ploy_floor_plan_view ploy_floor_plan_get(const ploy_floor_plan *plan);

/// Steps of a direction along x and y.
PLOY_API int32_t ploy_plan_step_x(int32_t direction);
PLOY_API int32_t ploy_plan_step_y(int32_t direction);

/// Counts over the cells and links of a plan.
typedef struct ploy_floor_plan_stats {
    int32_t open;        ///< cells that are not solid
    int32_t unreachable; ///< open cells that cannot be reached from the entrance
    int32_t passages;    ///< pairs of joined cells
    int32_t dead_ends;   ///< cells outside rooms with one exit, and rooms with one door
    int32_t loops;       ///< passages beyond a spanning tree: in plans with thick walls, links
    int32_t farthest;    ///< largest distance from the entrance
} ploy_floor_plan_stats;

/// O(cells).
PLOY_API ploy_floor_plan_stats ploy_floor_plan_stats_of(const ploy_floor_plan *plan);

// ---- roles

/// Which roles a generator gives out. Part of every level generator's settings, as `roles`.
typedef struct ploy_plan_roles_def {
    uint32_t cookie;
    int32_t locks;     ///< maximum number of locked doors on the route to the exit
    int32_t treasures; ///< rooms off the route, dead ends and far ones first
    int32_t guards;    ///< rooms on the route, those near the exit first
} ploy_plan_roles_def;

PLOY_API ploy_plan_roles_def ploy_plan_roles_def_default(void);
PLOY_API ploy_fields ploy_plan_roles_fields(void);

/// Where a rule looks for rooms.
typedef enum ploy_plan_where {
    PLOY_PLAN_ANYWHERE,
    PLOY_PLAN_ON_ROUTE,  ///< the shortest route from the entrance to the exit leads through it
    PLOY_PLAN_OFF_ROUTE, ///< it does not
    PLOY_PLAN_DEAD_END   ///< at most one door
} ploy_plan_where;

/// A rule: gives a role to rooms that have none yet.
typedef struct ploy_plan_rule {
    int32_t role;
    ploy_plan_where where;
    int32_t count;  ///< rooms, at most
    float from, to; ///< distance from the entrance as a share of the largest, 0 to 1
    bool far_first; ///< the farthest rooms first; otherwise the nearest. Equal: the lower number
} ploy_plan_rule;

/// Copies a plan; the caller owns the copy. @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_floor_plan_copy(const ploy_floor_plan *plan, const ploy_env *env,
                                          ploy_floor_plan **out);
/// Only for copies. NULL is allowed.
PLOY_API void ploy_floor_plan_destroy(ploy_floor_plan *plan);
/// Applies rules one after the other. @return number of rooms that were given a role.
PLOY_API int32_t ploy_floor_plan_assign(ploy_floor_plan *plan, const ploy_plan_rule *rules,
                                        int32_t count);
/// Flood fill from the entrance with the locks from number `lock` on closed. It uses scratch memory
/// of the plan: one caller at a time, and only after the generator has ended.
/// @param reached  1 for every cell reached, otherwise 0; width * height of them.
/// @return number of cells reached.
PLOY_API int32_t ploy_floor_plan_flood(const ploy_floor_plan *plan, int32_t lock, uint8_t *reached);

// ---- other forms

/// A plan as tiles: thin walls become tiles.
typedef struct ploy_plan_grid {
    int32_t width, height; ///< tiles
    ploy_vec2 origin;      ///< m, lower left corner of tile (0, 0)
    float size;            ///< m, side of a tile: 1, or 0.5 where walls were thin
} ploy_plan_grid;

/// The tiles of a plan with a margin of solid ones. Thin walls: 2 w - 1 by 2 h - 1 tiles, so that
/// cell (x, y) is tile (2 x, 2 y) and the tile between two cells is open if they are joined.
/// @param margin  tiles on each side, 0 to 64.
PLOY_API ploy_plan_grid ploy_floor_plan_grid(const ploy_floor_plan *plan, int32_t margin);
/// Writes the ploy_plan_kind of every tile, row by row.
/// @param out  width * height of ploy_floor_plan_grid.
PLOY_API void ploy_floor_plan_tiles(const ploy_floor_plan *plan, int32_t margin, uint8_t *out);
/// Adds the outlines of the floor: outer rings counter-clockwise, holes clockwise. Open tiles that
/// touch only at a corner are not joined.
/// @return PLOY_ERR_MEMORY; rings already added stay.
PLOY_API ploy_result ploy_floor_plan_rings(const ploy_floor_plan *plan, const ploy_env *env,
                                           ploy_rings *out);

/// The middle of a cell, m.
PLOY_API ploy_vec2 ploy_floor_plan_point(const ploy_floor_plan *plan, int32_t cell);
PLOY_API void ploy_floor_plan_describe(const ploy_floor_plan *plan, ploy_describe *out);
/// Draws floor, walls, doors, links, entrance, exit, keys and roles.
PLOY_API void ploy_floor_plan_draw(const ploy_floor_plan *plan, ploy_draw *out);
PLOY_API void ploy_floor_plan_memory(const ploy_floor_plan *plan, ploy_memory_fn fn, void *user);
