/// @file ploy/tactics/sight_map.h
/// Visibility maps: how much of a level each place sees, for look-outs, ambushes and radar sites.
///
/// On a grid a cell sees another if the line between their centres is free. The line is tested in
/// each row (or column, if it is flatter) between them: it may pass if it touches an open cell
/// there. Sight is symmetric: if one cell sees another, the other sees it too.
///
///     exhaustive   every place is counted: shadow casting, which goes outward by rows and keeps
///                  the sectors that are still free, so that runs of open cells cost one step
///     random       a sample of places is tested and the count is scaled up
///     important    only listed places are counted: strategic sites, enemies
///     rays         rays in fixed directions against a scene; the value is their mean length
///
/// Over a height field, or on graphs and meshes with a scene, lines are tested by rays between eyes
/// above the places. Technique: Millington, "AI for Games", 6.2.3; symmetric shadow casting as in
/// Ford 2017, with closed sectors, so that sight through a single point is symmetric as well.
///
/// Units: a budget unit is 64 sectors, tested lines or rays. Cost of shadow casting: O(rows x
/// sectors) per place, much less than the cells seen. Memory: two bits per cell. Threads: one
/// caller at a time.
#pragma once

#include "ploy/base/budget.h"
#include "ploy/base/fields.h"
#include "ploy/base/visit.h"
#include "ploy/geom/heightfield.h"
#include "ploy/geom/scene.h"
#include "ploy/tactics/layer.h"

typedef enum ploy_sight_mode {
    PLOY_SIGHT_EXHAUSTIVE,
    PLOY_SIGHT_RANDOM,
    PLOY_SIGHT_IMPORTANT,
    PLOY_SIGHT_RAYS,
    PLOY_SIGHT_MODES
} ploy_sight_mode;

typedef struct ploy_sight_map_def {
    uint32_t cookie;
    ploy_sight_mode mode;
    float radius;    ///< cells (rays: m); INFINITY: the whole map; not with rays
    int32_t samples; ///< random: places tested; rays: directions
    uint64_t seed;   ///< random
    float eye;       ///< m above the place, with heights or a scene
    uint32_t mask;   ///< layers of the scene that block sight
} ploy_sight_map_def;

PLOY_API ploy_sight_map_def ploy_sight_map_def_default(void);
PLOY_API ploy_fields ploy_sight_map_fields(void);

/// Opaque.
typedef struct ploy_sight_map ploy_sight_map;

/// @return PLOY_ERR_ARGUMENT, also for rays without a finite radius; PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_sight_map_create(const ploy_sight_map_def *def, const ploy_places *places,
                                           const ploy_env *env, ploy_sight_map **out);
/// NULL is allowed.
PLOY_API void ploy_sight_map_destroy(ploy_sight_map *map);

/// Reads again which places are open.
PLOY_API void ploy_sight_map_refresh(ploy_sight_map *map);
/// Tests lines against a scene instead of the grid; copied, its user pointer must stay valid. NULL:
/// the grid.
PLOY_API void ploy_sight_map_set_scene(ploy_sight_map *map, const ploy_scene *scene);
/// Tests lines against a height field instead; copied, its samples must stay valid. NULL: the grid.
PLOY_API void ploy_sight_map_set_heights(ploy_sight_map *map, const ploy_heightfield *heights);
/// The places that count in mode important; copied. @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_sight_map_set_important(ploy_sight_map *map, const int32_t *places,
                                                  int32_t count);

/// True if both places are open and the line between them is free; a place sees itself.
PLOY_API bool ploy_sight_map_sees(const ploy_sight_map *map, int32_t from, int32_t to);
/// The value of a place by the mode: the number of open places seen, without itself; scaled up in
/// mode random; m in mode rays. NaN if the place is not open.
PLOY_API float ploy_sight_map_at(ploy_sight_map *map, int32_t place);
/// Marks what an open place of a grid sees by shadow casting: 1 for open cells that are seen and
/// for the place itself, 0 for others.
/// @param seen  one byte per place. @return how many are seen, itself not counted.
PLOY_API int32_t ploy_sight_map_mark(ploy_sight_map *map, int32_t place, uint8_t *seen);

/// Begins to fill a layer of numbers, place by place; places that are not open become unknown.
/// @param out  must stay valid until the end. @return PLOY_ERR_ARGUMENT.
PLOY_API ploy_result ploy_sight_map_begin(ploy_sight_map *map, ploy_tactics_layer *out);
/// @return PLOY_IN_PROGRESS, PLOY_OK; PLOY_ERR_STATE if nothing was begun.
PLOY_API ploy_result ploy_sight_map_step(ploy_sight_map *map, ploy_budget *budget);
PLOY_API void ploy_sight_map_cancel(ploy_sight_map *map);
PLOY_API ploy_result ploy_sight_map_run(ploy_sight_map *map, ploy_tactics_layer *out);

/// The result of rays in all directions around a point.
typedef struct ploy_sight_rays {
    float mean; ///< m, mean length
    float area; ///< m^2, of the polygon of their ends
    int32_t hits;
} ploy_sight_rays;

/// Casts rays in `count` directions from +x. Hits beyond the radius do not count.
PLOY_API ploy_sight_rays ploy_sight_rays_cast(const ploy_scene *scene, ploy_vec3 from, float radius,
                                              int32_t count, uint32_t mask);

/// Visits a ploy_sight_map (ploy/base/visit.h), also in the middle of a pass. The layer, the scene
/// and the heights are the caller's: set them before a load, and begin once with the layer that a
/// pass under way continues with.
PLOY_API void ploy_sight_map_visit(ploy_visit *v, void *map);
PLOY_API void ploy_sight_map_memory(const ploy_sight_map *map, ploy_memory_fn fn, void *user);
