/// @file ploy/world/entity.h
/// Entities: everything in the game that has an id: characters, doors, traps, trees.
///
/// Code that sends a message, aims at an entity or remembers one keeps an id, never a pointer, and
/// asks the registry what that id refers to. A reused slot gets the next generation, so a stale id
/// finds nothing and never another entity. Ids are ploy_agent_id: the same ids that an engine's
/// behaviors, the draw sink and the inspector use for agents.
///
/// Technique: Buckland, "Programming Game AI by Example", 2005, chapters 2 and 3 (base entity and
/// entity manager). In the book the caller assigns ids, an id must not be below the next valid one,
/// and a violation stops the program. PLOY_ENTITY_IDS_RISING keeps that rule but returns an error.
/// By default slots are reused.
///
/// Units: metres. Cost: add, find and remove O(1); walking O(entities visited). Allocates only when
/// it grows, never after a large enough reserve. Threads: many may find at a time; everything else
/// one caller.
#pragma once

#include "ploy/base/describe.h"
#include "ploy/base/fields.h"
#include "ploy/base/visit.h"
#include "ploy/geom/draw.h"
#include "ploy/world/pose.h"

/// Maximum number of entities in a registry; indexes are below it.
#define PLOY_ENTITIES_MAX (1 << 24)

/// Opaque.
typedef struct ploy_entities ploy_entities;

/// What the registry stores about one entity: plain data, filled by the caller.
typedef struct ploy_entity {
    ploy_name type; ///< "miner"; none is allowed
    ploy_pose pose; ///< where it is, and the radius of its bounds at scale 1
    float scale;    ///< of its appearance; its bounds scale too. Above 0
    uint32_t tag;   ///< the game's own temporary mark bits
    uint64_t user;  ///< the game's own value, such as an index into its tables
} ploy_entity;

/// An entity of that type at the origin, scale 1.
PLOY_API ploy_entity ploy_entity_make(ploy_name type);

typedef enum ploy_entity_ids {
    PLOY_ENTITY_IDS_REUSED, ///< free slots first, last freed first; any free index may be requested
    PLOY_ENTITY_IDS_RISING  ///< no index is reused; a requested index must not be below the next
} ploy_entity_ids;

typedef struct ploy_entities_def {
    uint32_t cookie;
    int32_t capacity;    ///< entities that fit before it grows
    int32_t types;       ///< types that fit before it grows
    int32_t limit;       ///< indexes are below it, so that a wrong index cannot exhaust memory
    ploy_entity_ids ids; ///< which index a new entity may have
} ploy_entities_def;

PLOY_API ploy_entities_def ploy_entities_def_default(void);
PLOY_API ploy_fields ploy_entities_fields(void);

/// Creates an empty registry.
PLOY_API ploy_result ploy_entities_create(const ploy_entities_def *def, const ploy_env *env,
                                          ploy_entities **out);
/// Does not call the removal hooks. NULL is allowed.
PLOY_API void ploy_entities_destroy(ploy_entities *entities);

/// Reserves room for this many entities and types in all.
PLOY_API ploy_result ploy_entities_reserve(ploy_entities *entities, int32_t count, int32_t types);

/// Adds an entity.
/// @return PLOY_ERR_ARGUMENT if a number is not finite, the radius negative or the scale not above
///         0; PLOY_ERR_CAPACITY at the limit; PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_entities_add(ploy_entities *entities, const ploy_entity *entity,
                                       ploy_agent_id *out);

/// Adds an entity at an index of the caller's choice: for ids that a level file or a second
/// registry assigned. Indexes in between become free slots.
/// @return PLOY_ERR_EXISTS if the index is in use; PLOY_ERR_DENIED if ids only rise and the index
///         is below the next; PLOY_ERR_CAPACITY at or past the limit; and as above.
PLOY_API ploy_result ploy_entities_add_at(ploy_entities *entities, uint32_t index,
                                          const ploy_entity *entity, ploy_agent_id *out);

/// Removes an entity, then calls every hook in the order in which the hooks were added.
/// @return PLOY_ERR_NOT_FOUND if the id is stale.
PLOY_API ploy_result ploy_entities_remove(ploy_entities *entities, ploy_agent_id id);

/// Removes all entities in the order in which they were added, and calls the hooks. Indexes start
/// again at 0 with the next generation, so old ids stay stale.
PLOY_API void ploy_entities_clear(ploy_entities *entities);

/// Returns the entity, or NULL if the id is stale. The pointer stays valid until the next add,
/// reserve or remove.
PLOY_API const ploy_entity *ploy_entities_get(const ploy_entities *entities, ploy_agent_id id);
PLOY_API bool ploy_entities_has(const ploy_entities *entities, ploy_agent_id id);
/// Returns the id of the entity at that index; none if the slot is free.
PLOY_API ploy_agent_id ploy_entities_at(const ploy_entities *entities, uint32_t index);
PLOY_API int32_t ploy_entities_count(const ploy_entities *entities);

/// Changes everything but the id; a new type moves the entity to the end of that type's walk.
/// @return PLOY_ERR_NOT_FOUND; PLOY_ERR_ARGUMENT and PLOY_ERR_MEMORY as for adding.
PLOY_API ploy_result ploy_entities_set(ploy_entities *entities, ploy_agent_id id,
                                       const ploy_entity *entity);
/// Changes only the pose, as a game does for all entities in every tick.
PLOY_API ploy_result ploy_entities_set_pose(ploy_entities *entities, ploy_agent_id id,
                                            const ploy_pose *pose);

/// Reads all poses from the game's own arrays instead of the poses set here. A source without a
/// function undoes that. The source is kept; one that leads back to these entities is ignored.
PLOY_API void ploy_entities_set_source(ploy_entities *entities, ploy_pose_source source);
/// Gets an entity's pose: from the game's source, or else the pose that was set. The radius is
/// scaled.
/// @return false, leaving out unchanged, if there is no such entity or the source has no pose for
/// it.
PLOY_API bool ploy_entities_pose(const ploy_entities *entities, ploy_agent_id id, ploy_pose *out);
/// The registry as a source of poses for senses, triggers and events.
PLOY_API ploy_pose_source ploy_entities_pose_source(const ploy_entities *entities);

/// A walk over entities in the order in which they were added. Entities may be removed during the
/// walk; entities added during the walk are not visited.
typedef struct ploy_entity_walk {
    ploy_name type;
    bool all; ///< of any type
    uint32_t reserved;
    ploy_agent_id last; ///< visited before
    uint64_t order;     ///< of the last
    uint64_t end;       ///< entities from this order on were added too late
} ploy_entity_walk;

PLOY_API ploy_entity_walk ploy_entities_walk(const ploy_entities *entities);
PLOY_API ploy_entity_walk ploy_entities_walk_type(const ploy_entities *entities, ploy_name type);
/// @return false at the end, leaving out unchanged.
PLOY_API bool ploy_entities_walk_next(const ploy_entities *entities, ploy_entity_walk *walk,
                                      ploy_agent_id *out);

/// Called after an entity was removed. The id is already stale; `was` is a copy. May add, remove
/// and send.
typedef void (*ploy_entity_removed_fn)(void *user, ploy_agent_id id, const ploy_entity *was);

/// Adds a hook. @return PLOY_ERR_EXISTS if the same pair was already added, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_entities_add_hook(ploy_entities *entities, ploy_entity_removed_fn fn,
                                            void *user);
/// Removes a hook; may be called from a hook. @return PLOY_ERR_NOT_FOUND.
PLOY_API ploy_result ploy_entities_remove_hook(ploy_entities *entities, ploy_entity_removed_fn fn,
                                               void *user);

/// Visits a ploy_entities (ploy/base/visit.h): entities keep their ids. A load calls no removal
/// hooks. v->context: a ploy_names for texts behind types, or NULL.
PLOY_API void ploy_entities_visit(ploy_visit *v, void *entities);
/// @param names  texts behind types, for people; may be NULL.
PLOY_API void ploy_entities_describe(const ploy_entities *entities, const ploy_names *names,
                                     ploy_describe *out);
/// Draws a circle for each entity's bounds, with its type as text if `names` contains it.
PLOY_API void ploy_entities_draw(const ploy_entities *entities, const ploy_names *names,
                                 ploy_draw *out);
PLOY_API void ploy_entities_memory(const ploy_entities *entities, ploy_memory_fn fn, void *user);
