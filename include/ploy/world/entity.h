/// @file ploy/world/entity.h
/// Entities: everything that has a name to be called by: characters, doors, traps, trees.
///
/// Code that sends a message, aims at an entity or remembers one keeps an id, never a pointer, and
/// asks the registry what it still represents. A place that is used again gets the next generation,
/// so an old id finds nothing and never a stranger. Ids are ploy_agent_id: the same ones that an
/// engine's behaviors, the draw sink and the inspector know agents by.
///
/// Technique: Buckland, "Programming Game AI by Example", 2005, chapters 2 and 3 (base entity and
/// entity manager). There an id is given by the caller, must not be below the next valid one, and a
/// violation stops the program: PLOY_ENTITY_IDS_RISING keeps that rule, as a result. By default
/// places are used again.
///
/// Units: metres. Cost: add, find and remove O(1); walking O(those met). Allocates only when it
/// grows, never after a large enough reserve. Threads: finding from many at a time; everything else
/// one caller.
#pragma once

#include "ploy/base/describe.h"
#include "ploy/base/fields.h"
#include "ploy/base/visit.h"
#include "ploy/geom/draw.h"
#include "ploy/world/pose.h"

/// Most entities of a registry; indexes lie below it.
#define PLOY_ENTITIES_MAX (1 << 24)

/// Opaque.
typedef struct ploy_entities ploy_entities;

/// What the registry knows of one entity: plain data, the caller's to fill.
typedef struct ploy_entity {
    ploy_name type; ///< "miner"; none is allowed
    ploy_pose pose; ///< where it is, and the radius of its bounds at scale 1
    float scale;    ///< of what it looks like; its bounds grow with it. Above 0
    uint32_t tag;   ///< the game's: bits that mark it for the moment
    uint64_t user;  ///< the game's: an index into its own tables
} ploy_entity;

/// An entity of that type at the origin, scale 1.
PLOY_API ploy_entity ploy_entity_make(ploy_name type);

typedef enum ploy_entity_ids {
    PLOY_ENTITY_IDS_REUSED, ///< free places first, the one freed last; any free index may be asked
    PLOY_ENTITY_IDS_RISING  ///< no index comes twice; an index asked for must not be below the next
} ploy_entity_ids;

typedef struct ploy_entities_def {
    uint32_t cookie;
    int32_t capacity;    ///< entities that fit before it grows
    int32_t types;       ///< types that fit before it grows
    int32_t limit;       ///< indexes lie below it, so that a wrong one cannot eat all memory
    ploy_entity_ids ids; ///< which index a new entity may have
} ploy_entities_def;

PLOY_API ploy_entities_def ploy_entities_def_default(void);
PLOY_API ploy_fields ploy_entities_fields(void);

/// Creates an empty registry.
PLOY_API ploy_result ploy_entities_create(const ploy_entities_def *def, const ploy_env *env,
                                          ploy_entities **out);
/// Removal hooks are not called. NULL is allowed.
PLOY_API void ploy_entities_destroy(ploy_entities *entities);

/// Reserves room for this many entities and types in all.
PLOY_API ploy_result ploy_entities_reserve(ploy_entities *entities, int32_t count, int32_t types);

/// Adds an entity.
/// @return PLOY_ERR_ARGUMENT if a number is not finite, the radius negative or the scale not above
///         0; PLOY_ERR_CAPACITY at the limit; PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_entities_add(ploy_entities *entities, const ploy_entity *entity,
                                       ploy_agent_id *out);

/// Adds an entity at an index of the caller's choice: for ids that a level file or a second
/// registry has given out. Indexes in between become free places.
/// @return PLOY_ERR_EXISTS if the index is in use; PLOY_ERR_DENIED if ids only rise and the index
///         is below the next; PLOY_ERR_CAPACITY at or past the limit; and as above.
PLOY_API ploy_result ploy_entities_add_at(ploy_entities *entities, uint32_t index,
                                          const ploy_entity *entity, ploy_agent_id *out);

/// Removes an entity, then calls every hook in the order of adding hooks.
/// @return PLOY_ERR_NOT_FOUND if the id is stale.
PLOY_API ploy_result ploy_entities_remove(ploy_entities *entities, ploy_agent_id id);

/// Removes all entities, hooks called, in order of adding. Indexes start again at 0, with the next
/// generation: old ids stay stale.
PLOY_API void ploy_entities_clear(ploy_entities *entities);

/// The entity, or NULL if there is none of that id. The pointer stays good until the next add,
/// reserve or remove.
PLOY_API const ploy_entity *ploy_entities_get(const ploy_entities *entities, ploy_agent_id id);
PLOY_API bool ploy_entities_has(const ploy_entities *entities, ploy_agent_id id);
/// The entity at that index; none if it is free.
PLOY_API ploy_agent_id ploy_entities_at(const ploy_entities *entities, uint32_t index);
PLOY_API int32_t ploy_entities_count(const ploy_entities *entities);

/// Changes everything but the id; a new type moves it to the end of that type's walk.
/// @return PLOY_ERR_NOT_FOUND; PLOY_ERR_ARGUMENT and PLOY_ERR_MEMORY as for adding.
PLOY_API ploy_result ploy_entities_set(ploy_entities *entities, ploy_agent_id id,
                                       const ploy_entity *entity);
/// Changes the place alone, as a game does for all entities in every tick.
PLOY_API ploy_result ploy_entities_set_pose(ploy_entities *entities, ploy_agent_id id,
                                            const ploy_pose *pose);

/// Lets the game's own arrays provide all positions, instead of what was set here. A source
/// without a function takes that back. Kept.
PLOY_API void ploy_entities_set_source(ploy_entities *entities, ploy_pose_source source);
/// Where an entity is: what the game's source says, or what was set. The radius is scaled.
/// @return false, leaving out alone, if there is no such entity or the source does not know it.
PLOY_API bool ploy_entities_pose(const ploy_entities *entities, ploy_agent_id id, ploy_pose *out);
/// The registry as a source of poses for senses, triggers and events.
PLOY_API ploy_pose_source ploy_entities_pose_source(const ploy_entities *entities);

/// A walk over entities in the order in which they were added. Removing any of them while walking
/// is allowed; those added meanwhile are not met.
typedef struct ploy_entity_walk {
    ploy_name type;
    bool all; ///< of any type
    uint32_t reserved;
    ploy_agent_id last; ///< met before
    uint64_t order;     ///< of the last
    uint64_t end;       ///< those from here on came too late
} ploy_entity_walk;

PLOY_API ploy_entity_walk ploy_entities_walk(const ploy_entities *entities);
PLOY_API ploy_entity_walk ploy_entities_walk_type(const ploy_entities *entities, ploy_name type);
/// @return false at the end; out is left alone then.
PLOY_API bool ploy_entities_walk_next(const ploy_entities *entities, ploy_entity_walk *walk,
                                      ploy_agent_id *out);

/// Called when an entity was removed. It is found no more; `was` is a copy. May add, remove and
/// send.
typedef void (*ploy_entity_removed_fn)(void *user, ploy_agent_id id, const ploy_entity *was);

/// Adds a hook. @return PLOY_ERR_EXISTS if the same pair is there, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_entities_add_hook(ploy_entities *entities, ploy_entity_removed_fn fn,
                                            void *user);
/// Takes a hook away, also from within one. @return PLOY_ERR_NOT_FOUND.
PLOY_API ploy_result ploy_entities_remove_hook(ploy_entities *entities, ploy_entity_removed_fn fn,
                                               void *user);

/// @param names  texts behind types, for people; may be NULL.
/// Visits a ploy_entities (ploy/base/visit.h): entities keep their ids. A load calls no removal
/// hooks. v->context: a ploy_names for texts behind types, or NULL.
PLOY_API void ploy_entities_visit(ploy_visit *v, void *entities);
PLOY_API void ploy_entities_describe(const ploy_entities *entities, const ploy_names *names,
                                     ploy_describe *out);
/// A circle for the bounds of each, with its type as text if names knows it.
PLOY_API void ploy_entities_draw(const ploy_entities *entities, const ploy_names *names,
                                 ploy_draw *out);
PLOY_API void ploy_entities_memory(const ploy_entities *entities, ploy_memory_fn fn, void *user);
