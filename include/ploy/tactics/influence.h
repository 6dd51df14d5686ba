/// @file ploy/tactics/influence.h
/// Influence maps: which side controls which part of a level, and how firmly.
///
/// Each unit spreads its strength around it, less with distance. A side's influence at a place is
/// the sum over its units. The owner of a place is the side with the largest sum, its security is
/// the lead over the second. Borders, the weakest point of a border and weak sectors follow.
///
/// Sums are whole numbers inside. A unit's contribution to a place depends only on its type,
/// strength and distance, so that moving it subtracts exactly what was added: after any number of
/// moves the map equals a newly built one, bit for bit.
///
///     type                  share of the strength at distance d (cells)
///     inverse               1 / (1 + d)
///     root                  1 / sqrt(1 + d), the longest range
///     square                1 / (1 + d)^2, the shortest
///     ramp                  1 within `plateau`, then falling evenly to 0 at `range`
///     custom                a function of the caller
///
/// A type limits its reach by a radius, or by a threshold below which influence is cut: for inverse
/// that is a radius of strength / threshold - 1. Technique: Millington, "AI for Games", 6.2.2.
///
/// On grids distances are in cells and a unit is one stamp, added by a vector kernel: O(cells in
/// its radius). On graphs and meshes distances are metres between positions, O(places) per unit.
/// Memory: 4 bytes per place for each side, 4 for queries, and 4 bytes for each cell of a type's
/// stamp, which without a radius is as large as two maps; up to 32 for each unit that a map of what
/// a side knows has room for. Nothing allocates after types are added and a side has sensed once.
/// Threads: reading may run on many threads while nothing changes.
#pragma once

#include "ploy/base/describe.h"
#include "ploy/base/fields.h"
#include "ploy/base/id.h"
#include "ploy/base/visit.h"
#include "ploy/geom/draw.h"
#include "ploy/tactics/layer.h"
#include "ploy/world/sense_memory.h"

typedef enum ploy_influence_drop {
    PLOY_INFLUENCE_INVERSE,
    PLOY_INFLUENCE_ROOT,
    PLOY_INFLUENCE_SQUARE,
    PLOY_INFLUENCE_RAMP,
    PLOY_INFLUENCE_CUSTOM,
    PLOY_INFLUENCE_DROPS
} ploy_influence_drop;

typedef enum ploy_influence_metric {
    PLOY_INFLUENCE_EUCLID,
    PLOY_INFLUENCE_MANHATTAN,
    PLOY_INFLUENCE_CHEBYSHEV,
    PLOY_INFLUENCE_METRICS
} ploy_influence_metric;

/// Share of the strength at a distance, 0 to 1, not rising with distance. Results outside are
/// clamped. Called while a type is added, and on graphs and meshes with every change of a unit.
typedef float (*ploy_influence_fn)(void *user, float distance);

/// How a kind of unit spreads its influence.
typedef struct ploy_influence_type {
    uint32_t cookie;
    ploy_influence_drop drop;
    ploy_influence_metric metric;
    float radius;    ///< cells; INFINITY: the whole map
    float threshold; ///< influence below this is cut; 0: no cut
    float range;     ///< cells, of a ramp: where it ends
    float plateau;   ///< cells, of a ramp: where it begins to fall; at most range
    ploy_influence_fn custom;
    void *user;
} ploy_influence_type;

PLOY_API ploy_influence_type ploy_influence_type_default(void);
PLOY_API ploy_fields ploy_influence_type_fields(void);
/// The share of the strength that is left at a distance; radius and threshold are not applied.
PLOY_API float ploy_influence_type_share(const ploy_influence_type *type, float distance);
/// The distance up to which a unit of that strength has influence, from radius and threshold.
PLOY_API float ploy_influence_type_reach(const ploy_influence_type *type, float strength);

/// Maximum number of sides and of types.
#define PLOY_INFLUENCE_SIDES 32
#define PLOY_INFLUENCE_TYPES 64
/// No side.
#define PLOY_SIDE_NONE (-1)

typedef struct ploy_influence_def {
    uint32_t cookie;
    int32_t sides;
    int32_t capacity; ///< maximum number of units
    float most;       ///< largest sum of one side's strengths; a smaller one gives finer values
} ploy_influence_def;

PLOY_API ploy_influence_def ploy_influence_def_default(void);
PLOY_API ploy_fields ploy_influence_fields(void);

/// Opaque.
typedef struct ploy_influence ploy_influence;

/// A unit of one map. All zero means none.
typedef struct ploy_influence_unit {
    ploy_id id;
} ploy_influence_unit;

/// Creates a map without types and units.
/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_influence_create(const ploy_influence_def *def, const ploy_places *places,
                                           const ploy_env *env, ploy_influence **out);
/// NULL is allowed.
PLOY_API void ploy_influence_destroy(ploy_influence *influence);
PLOY_API const ploy_places *ploy_influence_places(const ploy_influence *influence);

/// Adds a type; types are numbered from 0.
/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_CAPACITY, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_influence_add_type(ploy_influence *influence,
                                             const ploy_influence_type *type, int32_t *out);

/// Adds a unit at a place.
/// @param strength  0 or more.
/// @param out       may be NULL.
/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_CAPACITY; PLOY_ERR_LIMIT if the side's strengths would
///         exceed `most`.
PLOY_API ploy_result ploy_influence_add(ploy_influence *influence, int32_t side, int32_t type,
                                        int32_t place, float strength, ploy_influence_unit *out);
/// @return PLOY_ERR_NOT_FOUND for a removed unit, here and in the next functions.
PLOY_API ploy_result ploy_influence_move(ploy_influence *influence, ploy_influence_unit unit,
                                         int32_t place);
PLOY_API ploy_result ploy_influence_set_strength(ploy_influence *influence,
                                                 ploy_influence_unit unit, float strength);
PLOY_API ploy_result ploy_influence_remove(ploy_influence *influence, ploy_influence_unit unit);
/// Removes all units.
PLOY_API void ploy_influence_clear(ploy_influence *influence);

/// The state of a unit.
typedef struct ploy_influence_state {
    int32_t side, type, place;
    float strength;
} ploy_influence_state;

/// @return false, leaving out alone, if it was removed.
PLOY_API bool ploy_influence_unit_of(const ploy_influence *influence, ploy_influence_unit unit,
                                     ploy_influence_state *out);

// ---- what is known

/// Marks a place as known or unknown; every place is known at first. Owner, security and the views
/// below are unknown there, and it is not part of any border.
PLOY_API ploy_result ploy_influence_set_known(ploy_influence *influence, int32_t place, bool known);
PLOY_API void ploy_influence_set_all_known(ploy_influence *influence, bool known);

/// Updates a map of what one side knows from the real one. Own units and units at visible places
/// are copied as they are. Others stay where they were last seen, until that place is seen without
/// them. Places that are not seen become unknown.
/// @param view   made like `real`, with the same sides, types and places, and changed only by this
///               function.
/// @param seen   one byte per place, 0: not seen; as from ploy_sight_map_mark.
/// @return PLOY_ERR_ARGUMENT if the maps do not fit; PLOY_ERR_CAPACITY, PLOY_ERR_LIMIT;
///         PLOY_ERR_MEMORY in the first call.
PLOY_API ploy_result ploy_influence_sense(ploy_influence *view, const ploy_influence *real,
                                          int32_t side, const uint8_t *seen);
/// The same for an omniscient side, as if it saw every place. Players notice that it cheats.
PLOY_API ploy_result ploy_influence_sense_all(ploy_influence *view, const ploy_influence *real,
                                              int32_t side);

/// Sets side, type and strength of an agent that is remembered; its place is set. May be called
/// several times for the same agent.
/// @return false if it is not part of the map: one of the own side, or a harmless one.
typedef bool (*ploy_influence_agent_fn)(void *user, ploy_agent_id agent, ploy_influence_state *out);

/// Updates a map of what one side knows from the memories of its members. Each agent that one of
/// them remembers becomes a unit at the place nearest to its last known position, with its strength
/// times the certainty of the latest memory. Units of agents that all have forgotten are removed;
/// units that the game added, such as the side's own, stay. O(members^2 x records).
/// @param view  not also used by ploy_influence_sense.
/// @return PLOY_ERR_ARGUMENT, also for a state that does not fit; PLOY_ERR_CAPACITY,
///         PLOY_ERR_LIMIT; PLOY_ERR_MEMORY in the first call.
PLOY_API ploy_result ploy_influence_remember(ploy_influence *view,
                                             const ploy_sense_memory *const *members, int32_t count,
                                             double now, ploy_influence_agent_fn agent, void *user);

// ---- reading

/// A side's influence at a place, whether it is known or not; 0 for an invalid side or place.
PLOY_API float ploy_influence_at(const ploy_influence *influence, int32_t side, int32_t place);
/// The side with the largest influence; among equals, the first; PLOY_SIDE_NONE if no side has any
/// or the place is unknown.
PLOY_API int32_t ploy_influence_owner(const ploy_influence *influence, int32_t place);
/// The owner's lead over the second side, 0 where no side has influence; NaN if the place is
/// unknown.
PLOY_API float ploy_influence_security(const ploy_influence *influence, int32_t place);

/// What a layer is filled with. Unknown places become unknown.
typedef enum ploy_influence_view {
    PLOY_INFLUENCE_VALUE,    ///< the influence of `side`
    PLOY_INFLUENCE_SECURITY, ///< the owner's lead; `side` is ignored
    PLOY_INFLUENCE_CONTROL,  ///< of `side` less the largest of the others: below 0 in foreign land
    PLOY_INFLUENCE_HELD,     ///< security where `side` is the owner, 0 elsewhere
    PLOY_INFLUENCE_VIEWS
} ploy_influence_view;

/// Fills a range of a layer of numbers over the same places.
/// @return PLOY_ERR_ARGUMENT.
PLOY_API ploy_result ploy_influence_read(const ploy_influence *influence, ploy_influence_view view,
                                         int32_t side, int32_t first, int32_t count,
                                         ploy_tactics_layer *out);
/// Fills a layer of categories: the owner's side + 1, 0 where there is none.
PLOY_API ploy_result ploy_influence_owners(const ploy_influence *influence,
                                           ploy_tactics_layer *out);

/// Places of a side beside a place of another owner: the four neighbours on a grid, all neighbours
/// elsewhere.
/// @param out  the first `capacity`, by place; may be NULL with capacity 0.
/// @return how many there are.
PLOY_API int32_t ploy_influence_border(const ploy_influence *influence, int32_t side, int32_t *out,
                                       int32_t capacity);
/// The place of a side's border with the least security: where to attack it.
/// @return PLOY_PLACE_NONE if it has no border.
PLOY_API int32_t ploy_influence_weakest(const ploy_influence *influence, int32_t side);

/// A stretch of a border that is weak throughout.
typedef struct ploy_weak_sector {
    int32_t first;     ///< its lowest place
    int32_t size;      ///< places
    float security;    ///< mean
    ploy_vec2 centre;  ///< m, mean position
    ploy_vec2 outward; ///< unit vector from the side's places there to foreign ones; (0, 0) if even
} ploy_weak_sector;

/// Groups the border places of a side with less security than `below` into sectors, where all
/// neighbours count as connected. Largest first, then the less secure, then by place.
/// @param least  sectors with fewer places are left out.
/// @return how many there are, which may be more than capacity.
PLOY_API int32_t ploy_influence_sectors(ploy_influence *influence, int32_t side, float below,
                                        int32_t least, ploy_weak_sector *out, int32_t capacity);

/// Draws owners as colours whose strength is the security, borders outlined, units as discs.
PLOY_API void ploy_influence_draw(const ploy_influence *influence, ploy_draw *out);
PLOY_API void ploy_influence_describe(const ploy_influence *influence, ploy_describe *out);
/// All state: a ploy_visitor. Types are the caller's; a load needs the same ones.
PLOY_API void ploy_influence_visit(ploy_visit *v, void *influence);
PLOY_API void ploy_influence_memory(const ploy_influence *influence, ploy_memory_fn fn, void *user);
