/// @file ploy/world/sight.h
/// Sight: whether an observer sees a target, how well, and if not, why not.
///
/// A game's characters should see exactly what a player would expect them to see. One test combines
/// all factors: range, a cone with full attention in its middle and less at its edge, how large the
/// target looks, walls in front of several points of its body, bushes that hide a part, light, fog,
/// and how well its clothes match the background. The result is a visibility from 0 to 1 with every
/// factor, and the reason if it was too low.
///
/// Technique: Millington, "AI for Games", sight as a modality, with camouflage by a ray beyond the
/// target; Buckland, "Programming Game AI by Example", perception filters. A dark figure in front
/// of a bright background is seen: the factor is the light on the target or its difference from the
/// background's light, whichever is larger.
///
/// Units: metres, radians; light 0 (dark) to 1 (day). Cost: a dot product for targets too far away
/// or outside the cone; otherwise `samples` rays and `background_rays` more. No allocation.
/// Threads: pure if the world's callbacks are, which may be called from several threads at a time.
#pragma once

#include "ploy/base/fields.h"
#include "ploy/base/trace.h"
#include "ploy/geom/scene.h"
#include "ploy/world/sense.h"

/// Maximum number of points of a body to which rays are cast.
#define PLOY_SIGHT_SAMPLES_MAX 5

/// Everything that makes a target less visible, in the order of examination.
typedef enum ploy_sight_factor {
    PLOY_SIGHT_ATTENTION, ///< angle from the middle of the view
    PLOY_SIGHT_SIZE,      ///< how large it looks
    PLOY_SIGHT_FOG,
    PLOY_SIGHT_LIGHT,
    PLOY_SIGHT_COVER,    ///< share of the body that is not hidden
    PLOY_SIGHT_CONTRAST, ///< of clothes to background; above 1 is conspicuous
    PLOY_SIGHT_FACTORS
} ploy_sight_factor;

/// Why a target is or is not seen.
typedef enum ploy_sight_reason {
    PLOY_SIGHT_SEEN,
    PLOY_SIGHT_SELF,          ///< an observer does not see itself
    PLOY_SIGHT_TOO_FAR,       ///< beyond the range
    PLOY_SIGHT_OUTSIDE,       ///< outside the cone, to the side
    PLOY_SIGHT_OUTSIDE_LEVEL, ///< outside the cone, above or below
    PLOY_SIGHT_INATTENTIVE,   ///< at the edge of the view
    PLOY_SIGHT_TOO_SMALL,     ///< looks too small
    PLOY_SIGHT_FOGGED,        ///< the fog is too thick
    PLOY_SIGHT_TOO_DARK,      ///< too little light on it
    PLOY_SIGHT_BLOCKED,       ///< something opaque hides all of it
    PLOY_SIGHT_COVERED,       ///< too much of it is hidden
    PLOY_SIGHT_CAMOUFLAGED,   ///< looks like what is behind it
    PLOY_SIGHT_REASON_COUNT
} ploy_sight_reason;

/// "seen", "too far", "outside the cone" and so on.
PLOY_API const char *ploy_sight_reason_text(ploy_sight_reason reason);

/// Settings of a pair of eyes. Start from ploy_sight_def_default(); may be shared by many
/// observers.
typedef struct ploy_sight_def {
    uint32_t cookie;
    float range;              ///< m; targets farther away are not noticed
    float fov;                ///< rad, the whole horizontal angle of the cone
    float fov_vertical;       ///< rad, the whole vertical angle
    float focus;              ///< rad, the whole angle of full attention
    float peripheral;         ///< attention left at the edge of the cone, 0 to 1
    float search_widening;    ///< rad added to both angles while searching, as neck and eyes move
    float size_min;           ///< rad; targets that look smaller are not seen
    float size_full;          ///< rad; targets that look larger are seen fully
    float light_full;         ///< light at and above which everything is seen fully
    float night_vision;       ///< minimum factor for light: 0 human, 1 sees in the dark
    float threshold;          ///< minimum visibility at which a target is seen
    float eye_height;         ///< m above the pose, where the eyes are
    float cover_transmission; ///< share of sight that each metre of cover lets through
    float background_range;   ///< m beyond the target to search for background
    int32_t samples;          ///< points of the body: 1 centre, 3 with sides, 5 with head and feet
    int32_t background_rays;  ///< rays for the background, up to samples; 0: no camouflage
    uint32_t blocks;          ///< scene layers that hide; everything by default
    uint32_t covers;          ///< scene layers that hide in part; none by default; not in blocks
} ploy_sight_def;

PLOY_API ploy_sight_def ploy_sight_def_default(void);
PLOY_API ploy_fields ploy_sight_fields(void);

/// How visible clothes are against backgrounds: a table[clothing][background] of factors. A green
/// suit: 0.1 against foliage, 1.5 against the sky. Owned by the caller; immutable.
typedef struct ploy_camouflage {
    const float *factors; ///< row by row, each at least 0
    int32_t clothings;
    int32_t backgrounds;
} ploy_camouflage;

/// Returns the factor; 1 outside the table or if there is no table.
PLOY_API float ploy_camouflage_get(const ploy_camouflage *table, int32_t clothing,
                                   int32_t background);

/// What is behind a target.
typedef struct ploy_background {
    int32_t pattern; ///< column of the camouflage table; -1 for none
    float light;     ///< on it, 0 to 1; below 0: unknown, and only the light on the target counts
} ploy_background;

/// The part of the world that sight reads. Any pointer may be NULL.
typedef struct ploy_sight_world {
    const ploy_scene *scene; ///< NULL: nothing blocks
    /// Light on a point, 0 to 1. NULL: `daylight` everywhere.
    float (*light)(void *user, ploy_vec3 at);
    /// Returns the background that a ray beyond the target hit; hit is NULL if it hit nothing (the
    /// sky). NULL: unknown.
    ploy_background (*background)(void *user, const ploy_scene_hit *hit);
    void *user;
    const ploy_camouflage *camouflage;
    float daylight; ///< 0 to 1
    float fog;      ///< 1/m: sight falls to exp(-fog * distance)
} ploy_sight_world;

/// Returns a world with daylight, no fog, and that scene.
PLOY_API ploy_sight_world ploy_sight_world_make(const ploy_scene *scene);

typedef struct ploy_sight_observer {
    ploy_agent_id agent;
    ploy_pose pose;
    const ploy_sight_def *def; ///< immutable; not NULL
    bool searching;
} ploy_sight_observer;

typedef struct ploy_sight_target {
    ploy_agent_id agent;
    ploy_pose pose;   ///< its radius is half its width; its position the middle of the body
    float height;     ///< m, of the body; 0: as high as wide
    float glow;       ///< light that it emits: a torch, a muzzle flash
    int32_t clothing; ///< row of the camouflage table; -1 for none
} ploy_sight_target;

/// The result of one test. Factors that were not evaluated, because the result was already settled,
/// are -1.
typedef struct ploy_sight {
    ploy_sight_reason reason;
    float visibility; ///< 0 to 1; 0 unless all factors were evaluated
    float distance;   ///< m
    float factors[PLOY_SIGHT_FACTORS];
} ploy_sight;

/// Tests whether the observer sees the target.
/// @param trace  NULL, or receives each factor and which one decided.
PLOY_API ploy_sight ploy_sight_test(const ploy_sight_observer *observer,
                                    const ploy_sight_target *target, const ploy_sight_world *world,
                                    ploy_trace *trace);

/// Sight as the check of a modality (ploy_sense_check_fn): multiplies the intensity by the
/// visibility; detail becomes the ploy_sight_reason. Then only the sensors' thresholds should
/// apply, so give the def a threshold of 0. The modality's check_gain is 1.
typedef struct ploy_sight_checker {
    const ploy_sight_def *def;
    const ploy_sight_world *world;
    /// Fills in the target of a signal, preset to a point at the signal's position. NULL: it stays
    /// a point. @return false if it cannot be seen at all.
    bool (*target)(void *user, const ploy_signal *signal, ploy_sight_target *target);
    void *user;
} ploy_sight_checker;

/// Outlines the area that an observer can see, cut off where sight is blocked, and fills the area
/// of full attention. Casts rays into the scene only if the layer of senses is drawn.
PLOY_API void ploy_sight_draw(const ploy_sight_observer *observer, const ploy_sight_world *world,
                              ploy_draw *out);
