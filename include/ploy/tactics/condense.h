/// @file ploy/tactics/condense.h
/// Candidates for tactical points, and condensation: a few good ones out of many.
///
/// Candidates come from a grid over the floor (ploy_candidates_grid) or from recorded play
/// (ploy_tracks): spots where a character stays, or that several characters visit. After they are
/// assessed (ploy/tactics/assess.h), points of one quality compete. A point removes every weaker
/// point that it can reach and that is too near for the difference in value. A point is removed if
///
///     (difference of the values)^2 > weight^2 * (distance)^2
///
/// so that very good points clear a wide area, and a poor point survives where there is nothing
/// better. A larger weight keeps more points. Never take the best N of a level: they gather in one
/// place.
///
/// Technique: Millington, "AI for Games", 6.1 (automatic generation, condensation), strongest
/// first;
/// the order of the pairs then matters only through the neighbour radius and can_move.
/// Units: metres, seconds. Cost: O(n log n + n k) for k neighbours.
/// Threads: one caller for each object.
#pragma once

#include "ploy/base/budget.h"
#include "ploy/base/fields.h"
#include "ploy/base/visit.h"
#include "ploy/geom/box.h"
#include "ploy/geom/draw.h"
#include "ploy/geom/scene.h"

/// Writes the points of a grid over a box that are on the floor and keep clear of everything in the
/// scene, row by row. z is the floor's height.
/// @param clearance  m to the nearest obstacle. @param out  room for capacity; may be NULL with 0.
/// @return the number of points, which may exceed capacity; -1 for a spacing that is not above 0 or
///         gives more than 2^30 points.
PLOY_API int32_t ploy_candidates_grid(ploy_box2 box, float spacing, float clearance,
                                      const ploy_scene *scene, uint32_t mask, ploy_vec3 *out,
                                      int32_t capacity);

// ---- condensation

/// Opaque.
typedef struct ploy_condense ploy_condense;

typedef struct ploy_condense_def {
    uint32_t cookie;
    float weight; ///< value per metre; larger keeps more
    float radius; ///< m, beyond which points do not compete
} ploy_condense_def;

PLOY_API ploy_condense_def ploy_condense_def_default(void);
PLOY_API ploy_fields ploy_condense_fields(void);
PLOY_API ploy_result ploy_condense_create(const ploy_condense_def *def, const ploy_env *env,
                                          ploy_condense **out);
/// NULL is allowed.
PLOY_API void ploy_condense_destroy(ploy_condense *condense);

/// Returns whether b can be reached from a without a long detour. Points in other rooms do not
/// compete.
typedef bool (*ploy_condense_move_fn)(void *user, int32_t a, int32_t b);

/// Begins with the values of one quality; a point with NaN takes no part and does not survive.
/// @param positions, values  copied. @param can_move  NULL: always.
/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_condense_begin(ploy_condense *condense, const ploy_vec3 *positions,
                                         const float *values, int32_t count,
                                         ploy_condense_move_fn can_move, void *user);
/// Continues until it is done (PLOY_OK) or the budget is empty (PLOY_IN_PROGRESS); a unit is a
/// point and its neighbours. Budget NULL: no limit. @return PLOY_ERR_STATE without a begin.
PLOY_API ploy_result ploy_condense_step(ploy_condense *condense, ploy_budget *budget);
/// Whether a point survives. False out of range.
PLOY_API bool ploy_condense_result(const ploy_condense *condense, int32_t index);
/// Index of the point that removed it; -1 if it survives or took no part.
PLOY_API int32_t ploy_condense_removed_by(const ploy_condense *condense, int32_t index);
PLOY_API void ploy_condense_cancel(ploy_condense *condense);
/// Visits a ploy_condense (ploy/base/visit.h). Points and can_move are the caller's: a load needs
/// an object that began with the same ones.
PLOY_API void ploy_condense_visit(ploy_visit *v, void *condense);
PLOY_API void ploy_condense_describe(const ploy_condense *condense, ploy_describe *out);
/// Survivors as discs, the removed ones as points.
PLOY_API void ploy_condense_draw(const ploy_condense *condense, ploy_draw *out);
PLOY_API void ploy_condense_memory(const ploy_condense *condense, ploy_memory_fn fn, void *user);

// ---- recorded play

/// Opaque.
typedef struct ploy_tracks ploy_tracks;

typedef struct ploy_tracks_def {
    uint32_t cookie;
    int32_t capacity;     ///< maximum number of spots; later ones are not recorded
    int32_t agents;       ///< maximum number of characters, by the index of their id
    float period;         ///< s between two samples of a character
    float radius;         ///< m, of a spot
    int32_t min_samples;  ///< a spot where a character stays for this many in a row is a candidate
    int32_t min_visits;   ///< so is one that was visited this often
    int32_t min_visitors; ///< by this many characters
} ploy_tracks_def;

PLOY_API ploy_tracks_def ploy_tracks_def_default(void);
PLOY_API ploy_fields ploy_tracks_fields(void);
PLOY_API ploy_result ploy_tracks_create(const ploy_tracks_def *def, const ploy_env *env,
                                        ploy_tracks **out);
/// NULL is allowed.
PLOY_API void ploy_tracks_destroy(ploy_tracks *tracks);
/// Records where a character is. Call it every step; it takes a sample every period.
/// @return PLOY_ERR_ARGUMENT for an index out of range or a place that is not finite.
PLOY_API ploy_result ploy_tracks_record(ploy_tracks *tracks, int32_t agent, ploy_vec3 position,
                                        double now);
/// The spots that are candidates, in the order in which they were first visited.
/// @return the number of candidates, which may exceed capacity.
PLOY_API int32_t ploy_tracks_candidates(const ploy_tracks *tracks, ploy_vec3 *out,
                                        int32_t capacity);
PLOY_API void ploy_tracks_visit(ploy_visit *v, void *tracks);
PLOY_API void ploy_tracks_describe(const ploy_tracks *tracks, ploy_describe *out);
PLOY_API void ploy_tracks_memory(const ploy_tracks *tracks, ploy_memory_fn fn, void *user);
