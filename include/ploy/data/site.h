/// @file ploy/data/site.h
/// A site: one level with everything that characters need in it, created by one call and stepped by
/// one call.
///
/// Every game connects the same parts in the same order: walls, mesh, scene, path planners, engine,
/// telegrams, senses and a cast of characters. A site does that with sensible defaults. It is made
/// of the public parts, which are members of the struct: use them directly, or build your own
/// combination from the same headers.
///
///     ploy_site_from_tiles(&def, tiles, &env, &site);               // text, Tiled, generated
///     ploy_cast_add_kind(site->cast, kinds, guard, at, 0, &id);     // ploy/data/character.h
///     for (;;) {
///         ploy_cast_look(site->cast, id, enemy, ploy_site_now(site), trace);
///         ploy_site_step(site, dt, &frame, hear, game);
///     }
///
/// Order of a step: sounds arrive (`hear` is called), minds think, telegrams that are due arrive,
/// path searches continue, bodies move, footsteps sound. The telegrams are not connected to the engine: set a
/// receiver (ploy_telegrams_set_receiver), or call ploy_telegrams_connect if the minds handle
/// messages themselves.
///
/// Units: metres, seconds. Cost: the sum of the parts' costs. Threads: one caller at a time.
#pragma once

#include "ploy/data/character.h"
#include "ploy/geom/scene.h"
#include "ploy/path/finders.h"
#include "ploy/path/navmesh.h"
#include "ploy/path/outlines.h"
#include "ploy/path/planners.h"
#include "ploy/world/telegram.h"

/// Settings. Start from ploy_site_def_default(); create copies it.
typedef struct ploy_site_def {
    uint32_t cookie;
    float radius;        ///< m, of the largest body: paths keep this distance from walls
    int32_t think_units; ///< budget of all minds in a step
    int32_t path_units;  ///< budget of all path searches in a step
    ploy_modality sound; ///< how far noises carry
    ploy_engine_def engine;
    ploy_planners_def planners;
    ploy_telegrams_def telegrams;
    ploy_cast_def cast; ///< cast.crowd.capacity is the most characters
} ploy_site_def;

PLOY_API ploy_site_def ploy_site_def_default(void);
/// The settings but for the sound, which has its own table (ploy_modality_fields).
PLOY_API ploy_fields ploy_site_fields(void);

/// A level ready for characters. Create it with ploy_site_from_tiles or ploy_site_create. The parts
/// may be used directly; def.think_units and def.path_units may be changed.
typedef struct ploy_site {
    ploy_env env;
    ploy_site_def def;
    ploy_rings *walls;
    ploy_navmesh *mesh;
    ploy_plain_scene *plain;
    ploy_scene scene; ///< over plain: blocks sight
    ploy_planners *planners;
    ploy_path_service service; ///< over planners and mesh
    ploy_engine *engine;
    ploy_telegrams *telegrams;
    ploy_modalities *modalities; ///< one: def.sound
    ploy_senses *senses;
    ploy_cast *cast;
} ploy_site;

/// Creates a site from the walls and the floor of a level (ploy/path/outlines.h has both for tiles
/// and meshes).
/// @param walls, floor  copied.
/// @return PLOY_ERR_ARGUMENT (the log names the setting), PLOY_ERR_MEMORY, or the error of a part.
PLOY_API ploy_result ploy_site_create(const ploy_site_def *def, const ploy_rings *walls,
                                      const ploy_rings *floor, const ploy_env *env,
                                      ploy_site **out);
/// Creates a site from tiles: blocked cells are walls, the others floor.
/// @return as ploy_site_create and ploy_rings_from_tiles.
PLOY_API ploy_result ploy_site_from_tiles(const ploy_site_def *def, const ploy_tiles *tiles,
                                          const ploy_env *env, ploy_site **out);
/// Destroys the characters, their minds and all parts. NULL is allowed.
PLOY_API void ploy_site_destroy(ploy_site *site);

/// The time of the engine's clock, s.
PLOY_API double ploy_site_now(const ploy_site *site);
/// Makes a noise now; characters with a low enough `hearing` hear it in the steps that follow.
/// @param kind  for the percept. @return as ploy_senses_add_signal.
PLOY_API ploy_result ploy_site_noise(ploy_site *site, ploy_vec2 at, float strength, ploy_name kind);
/// Advances everything by one tick, in the order given above.
/// @param frame  as for ploy_engine_step; its jobs also move the bodies. NULL: all zero.
/// @param hear   called for every noise that a character hears; may be NULL. @param user  for it.
/// @return the error of a part. PLOY_ERR_ARGUMENT for dt; then nothing has happened.
PLOY_API ploy_result ploy_site_step(ploy_site *site, float dt, const ploy_engine_frame *frame,
                                    ploy_percept_fn hear, void *user);

/// Visits a ploy_site (ploy/base/visit.h): cast, paths, senses and telegrams. The engine is
/// described and hashed too, but saved by ploy_save (save.engine = site->engine), because its
/// behaviors take part in a load.
PLOY_API void ploy_site_visit(ploy_visit *v, void *site);
/// Describes every part, the engine last.
PLOY_API void ploy_site_describe(const ploy_site *site, ploy_describe *out);
/// Draws walls, noises, characters, their fields of view and paths.
PLOY_API void ploy_site_draw(const ploy_site *site, ploy_draw *out);
/// Reports the memory of all parts.
PLOY_API void ploy_site_memory(const ploy_site *site, ploy_memory_fn fn, void *user);
