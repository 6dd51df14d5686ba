/// @file ploy/tactics/assess.h
/// Assessment: cover, view and shadow of places, measured with rays.
///
/// Cover is the share of simulated attacks that are blocked: rays from places around the point to
/// random points of a body at the point. The angle advances in steps, the start is jittered and the
/// height drawn, so that a barrel protects from some rays and not from others. View is the mean
/// distance of rays outward from the eye, as a share of the range. Shadow is 1 minus the brightest
/// of several samples of light on the body: one lit foot gives the body away.
///
///     ploy_assess_begin(assess, positions, count, &world, key);
///     while (ploy_assess_step(assess, &budget, jobs) == PLOY_IN_PROGRESS) ...
///     ploy_assess_result(assess, i, &assessment);
///
/// A value without a valid sample is NaN: unassessed, never 0. Attacks may also start at given
/// places (the positions an enemy can occupy, or the enemies themselves): in a thin corridor rays
/// from all around find mostly walls and report cover that no attacker has to respect.
///
/// Technique: Millington, "AI for Games", 6.1 (automatic tagging), with its errors fixed: the angle
/// also advances after an invalid sample, the body has three sizes, and cover is the blocked share.
/// Units: metres, radians; one unit of budget is one sample. Samples are drawn from the key by
/// point and number, so that results are bit-identical for any slicing and number of workers.
/// Nothing allocates after begin. Threads: the hooks are called from the workers of the jobs.
#pragma once

#include "ploy/base/budget.h"
#include "ploy/base/jobs.h"
#include "ploy/tactics/points.h"

/// Maximum number of sectors of an assessment.
#define PLOY_ASSESS_SECTORS_MAX 16

/// Opaque.
typedef struct ploy_assess ploy_assess;

typedef struct ploy_assess_def {
    uint32_t cookie;
    int32_t rays;    ///< attacks on each point; 0: no cover
    int32_t views;   ///< rays outward; 0: no view
    int32_t lights;  ///< samples of light; 0: no shadow
    int32_t sectors; ///< directions in which cover and view are also counted
    float radius;    ///< m, from the point to where attacks start
    float angle;     ///< rad between two attacks
    float jitter;    ///< m; below radius * sin(angle), so that directions stay apart
    float width;     ///< m, half the body's width
    float height;    ///< m, of the body
    float eye;       ///< m, height of the eye
    float range;     ///< m, the farthest view that counts, and the farthest given origin
} ploy_assess_def;

PLOY_API ploy_assess_def ploy_assess_def_default(void);
PLOY_API ploy_fields ploy_assess_fields(void);

/// What an assessment reads from the world. Plain data, copied by begin; its pointers must stay
/// valid.
typedef struct ploy_assess_world {
    ploy_scene scene;
    uint32_t mask; ///< layers that block
    /// May an attack start here? Same room, or reachable. NULL: everywhere.
    bool (*same_room)(void *user, ploy_vec3 from, ploy_vec3 point);
    /// Light at a place, 0 to 1. NULL: shadow is unassessed.
    float (*light)(void *user, ploy_vec3 at);
    void *user;
    const ploy_vec3 *origins; ///< where attacks start; NULL: all around
    int32_t origin_count;
} ploy_assess_world;

/// A lamp: 1 at its position, falling to 0 at its reach, dark behind walls.
typedef struct ploy_assess_lamp {
    ploy_vec3 position;
    float reach; ///< m
} ploy_assess_lamp;

/// The light of the brightest lamp at a place.
PLOY_API float ploy_assess_light(const ploy_scene *scene, uint32_t mask,
                                 const ploy_assess_lamp *lamps, int32_t count, ploy_vec3 at);

/// The assessment of a point. NaN: unassessed.
typedef struct ploy_assessment {
    float cover;                                  ///< blocked / valid
    float visibility;                             ///< mean view / range
    float shadow;                                 ///< 1 - the brightest sample
    int32_t valid;                                ///< attacks that could start
    int32_t blocked;                              ///< of those
    float cover_of[PLOY_ASSESS_SECTORS_MAX];      ///< against attacks from each sector
    float visibility_of[PLOY_ASSESS_SECTORS_MAX]; ///< into each sector
} ploy_assessment;

/// @return PLOY_ERR_ARGUMENT (also for a jitter that is too large), PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_assess_create(const ploy_assess_def *def, const ploy_env *env,
                                        ploy_assess **out);
/// NULL is allowed.
PLOY_API void ploy_assess_destroy(ploy_assess *assess);

/// Begins; cancels an assessment under way. @param positions  copied.
/// @return PLOY_ERR_ARGUMENT for numbers that are not finite or a count below 0, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_assess_begin(ploy_assess *assess, const ploy_vec3 *positions,
                                       int32_t count, const ploy_assess_world *world,
                                       ploy_rng_key key);
/// Begins with all points of a set, in the order of their places.
PLOY_API ploy_result ploy_assess_begin_points(ploy_assess *assess,
                                              const ploy_tactical_points *points,
                                              const ploy_assess_world *world, ploy_rng_key key);
/// Continues until everything is done (PLOY_OK) or the budget is empty (PLOY_IN_PROGRESS). Budget
/// NULL: no limit.
/// @param jobs  NULL: on the calling thread. @return PLOY_ERR_STATE without a begin.
PLOY_API ploy_result ploy_assess_step(ploy_assess *assess, ploy_budget *budget,
                                      const ploy_jobs *jobs);
/// A point's assessment, from the samples so far. @return false if there is no such index.
PLOY_API bool ploy_assess_result(const ploy_assess *assess, int32_t index, ploy_assessment *out);
/// The number of samples done; *total (may be NULL) receives the number in all.
PLOY_API int64_t ploy_assess_done(const ploy_assess *assess, int64_t *total);
PLOY_API void ploy_assess_cancel(ploy_assess *assess);

/// Writes the values of a finished begin_points to the set: cover, exposed (1 - cover), recon and
/// shadow, and cover by sector, for all postures and weapons, if the set has as many sectors.
/// @return PLOY_ERR_STATE if it is not finished, PLOY_ERR_CHANGED if the set's points have changed,
///         PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_assess_store(const ploy_assess *assess, ploy_tactical_points *points);

/// Visits a ploy_assess (ploy/base/visit.h). The world is code: a load needs an object that began
/// with the same number of points.
PLOY_API void ploy_assess_visit(ploy_visit *v, void *assess);
PLOY_API void ploy_assess_describe(const ploy_assess *assess, ploy_describe *out);
PLOY_API void ploy_assess_memory(const ploy_assess *assess, ploy_memory_fn fn, void *user);
