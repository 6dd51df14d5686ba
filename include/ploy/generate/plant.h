/// @file ploy/generate/plant.h
/// Plants: branches and leaves, grown by rules that turn one branch into several.
///
/// A rule reads a branch (its level, length and direction) and returns the branches that grow from
/// its end. Growth starts with the root and applies rules until none matches: a Lindenmayer system
/// on branches instead of letters (ploy/generate/lsystem.h has the letters).
///
///     root --> rule --> child, child --> rule --> ...        no rule: the branch is a tip
///
/// Rules are data: conditions, a weight, and for each child ranges of angle, roll and length.
/// Ranges and weights vary the plants of one kind; a rule for each range of levels makes trunk,
/// boughs and twigs; a callback does what data cannot. Every branch draws from a separate key, so
/// that breadth-first and depth-first order grow the same plant, unless a limit cuts it: use
/// breadth first with a limit on branches, or boughs near the trunk stay stumps.
///
/// Flat plants grow in the x-y plane with y up, others in space with z up. A branch points along
/// the x axis of its orientation; a child is rolled about its parent's axis and then bent to the
/// left about its own z axis. Tips get leaves by the golden angle; thickness adds up from the tips
/// to the root (Leonardo's rule). Technique: Lindenmayer 1968; Prusinkiewicz and Lindenmayer, "The
/// Algorithmic Beauty of Plants", 1990; Millington, "AI for Games", 8.2.
///
/// Units: metres, radians. A budget unit is one branch. Cost: O(rules) per branch. Memory: 60 bytes
/// per branch. Threads: one caller for growth; a finished plant may be read from many.
#pragma once

#include "ploy/generate/generator.h"
#include "ploy/geom/quat.h"

/// One branch, straight from its position along its direction.
typedef struct ploy_plant_branch {
    ploy_vec3 position;       ///< m, where it begins
    ploy_quat orientation;    ///< x along the branch
    float length;             ///< m
    float radius, tip_radius; ///< m, at its beginning and at its end
    int32_t parent;           ///< index, smaller than its own; -1 for a root
    int32_t level;            ///< 0 for a root, one more than its parent's
    int32_t rule;             ///< that made its children; -1 for a tip
} ploy_plant_branch;

typedef struct ploy_plant_leaf {
    ploy_vec3 position;  ///< m, of its stalk
    ploy_vec3 direction; ///< unit, from the stalk to the leaf's point
    float size;          ///< m, length
    int32_t branch;
} ploy_plant_leaf;

/// Branches and leaves. Opaque, immutable; owned by the generator that grew it.
typedef struct ploy_plant ploy_plant;

PLOY_API const ploy_plant_branch *ploy_plant_branches(const ploy_plant *plant, int32_t *count);
PLOY_API const ploy_plant_leaf *ploy_plant_leaves(const ploy_plant *plant, int32_t *count);
/// True if it grew in the x-y plane.
PLOY_API bool ploy_plant_flat(const ploy_plant *plant);
/// The end of a branch.
PLOY_API ploy_vec3 ploy_plant_end(const ploy_plant_branch *branch);
/// A point of a branch's curve: t from 0 to 1, from its position to its end.
PLOY_API ploy_vec3 ploy_plant_curve(const ploy_plant *plant, int32_t branch, float t);
PLOY_API void ploy_plant_describe(const ploy_plant *plant, ploy_describe *out);
/// Draws branches and leaves; plants in space as seen from the side, x across and z up.
PLOY_API void ploy_plant_draw(const ploy_plant *plant, ploy_draw *out);
PLOY_API void ploy_plant_memory(const ploy_plant *plant, ploy_memory_fn fn, void *user);

// ---- growth

/// One branch of a rule's result; each value is drawn from its range.
typedef struct ploy_growth_child {
    float angle_min, angle_max;   ///< rad: bend from the parent's direction, to the left above 0
    float roll_min, roll_max;     ///< rad: turn about the parent's axis, before the bend
    float length_min, length_max; ///< factor on the parent's length
} ploy_growth_child;

/// A rule. Start from ploy_growth_rule_make: matches everything, weight 1.
typedef struct ploy_growth_rule {
    int32_t level_min, level_max; ///< levels that it matches
    float length_min, length_max; ///< m: lengths from min to below max
    float lean_min, lean_max;     ///< rad: of the branch from up; flat plants: to the left above 0
    float weight;                 ///< with choice weighted
    const ploy_growth_child *children;
    int32_t child_count; ///< 0: the branch is a tip
    /// A further condition; may be NULL.
    bool (*matches)(void *user, const ploy_plant_branch *branch);
    void *user;
} ploy_growth_rule;

PLOY_API ploy_growth_rule ploy_growth_rule_make(const ploy_growth_child *children, int32_t count);

/// The answer of a check of the whole plant before a branch is added.
typedef enum ploy_growth_check {
    PLOY_GROWTH_GO_ON,
    PLOY_GROWTH_PRUNE, ///< drop this branch
    PLOY_GROWTH_STOP   ///< end the plant: the outcome is partial, its limit "check"
} ploy_growth_check;

/// Rules of a plant; borrowed until growth is cancelled.
typedef struct ploy_growth_rules {
    const ploy_growth_rule *items;
    int32_t count;
    /// Collision with surroundings, overall shape; may be NULL.
    ploy_growth_check (*check)(void *user, const ploy_plant *plant, const ploy_plant_branch *next);
    void *user;
} ploy_growth_rules;

typedef enum ploy_growth_order { PLOY_GROWTH_BREADTH, PLOY_GROWTH_DEPTH } ploy_growth_order;

typedef enum ploy_growth_choice {
    PLOY_GROWTH_FIRST,   ///< the first rule that matches
    PLOY_GROWTH_WEIGHTED ///< one of all that match, by weight
} ploy_growth_choice;

/// Rules of the library.
typedef enum ploy_growth_preset {
    PLOY_GROWTH_EVEN,    ///< two children of 2/3 at 50 degrees
    PLOY_GROWTH_UNEVEN,  ///< 2/3 at -25 and 1/2 at 55 degrees
    PLOY_GROWTH_RANDOM,  ///< angles of 25 to 55 degrees, lengths of 0.4 to 0.8
    PLOY_GROWTH_UPRIGHT, ///< as uneven, the longer child always the more upright one
    PLOY_GROWTH_TREE,    ///< in space: trunk, boughs, branches and twigs have their own rules
    PLOY_GROWTH_FIR,     ///< in space: a leader with whorls of branches
    PLOY_GROWTH_BUSH,    ///< in space: many stems from the base
    PLOY_GROWTH_PRESETS
} ploy_growth_preset;

typedef struct ploy_growth_def {
    uint32_t cookie;
    ploy_growth_preset preset; ///< rules if none are given to begin
    ploy_growth_order order;
    ploy_growth_choice choice;
    float length;         ///< m, of the root
    float min_length;     ///< m: shorter branches are tips
    int32_t max_level;    ///< branches of this level are tips
    int32_t max_branches; ///< the plant ends, as a partial result
    bool space;           ///< grows in space; set by the presets that need it
    float curve;          ///< how much branches bend upward; 0: straight; below 0: they sag
    float twig_radius;    ///< m, of a tip
    float thickening;     ///< exponent with which radii add up: 2 keeps the cross-section
    int32_t leaves;       ///< on every tip
    float leaf_size;      ///< m
    float leaf_angle;     ///< rad, from the branch
    float leaf_jitter;    ///< rad, largest random turn of a leaf
} ploy_growth_def;

PLOY_API ploy_growth_def ploy_growth_def_default(void);
PLOY_API ploy_fields ploy_growth_fields(void);
/// The rules of a preset.
PLOY_API ploy_growth_rules ploy_growth_preset_rules(ploy_growth_preset preset);

/// A plant that grows. Opaque.
typedef struct ploy_growth ploy_growth;

/// @param rules  NULL: those of the preset.
/// @return PLOY_ERR_ARGUMENT, also for a rule whose ranges are reversed; PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_growth_begin(const ploy_growth_def *def, ploy_rng_key key,
                                       const ploy_growth_rules *rules, ploy_trace *trace,
                                       const ploy_env *env, ploy_growth **out);
PLOY_API ploy_result ploy_growth_step(ploy_growth *growth, ploy_budget *budget);
PLOY_API ploy_generate_outcome ploy_growth_outcome(const ploy_growth *growth);
/// The plant: complete when growth is done. Thickness and leaves come at the end.
PLOY_API const ploy_plant *ploy_growth_plant(const ploy_growth *growth);
/// Maximum number of branches that waited at the same time.
PLOY_API int32_t ploy_growth_peak(const ploy_growth *growth);
PLOY_API void ploy_growth_cancel(ploy_growth *growth);
PLOY_API void ploy_growth_describe(const ploy_growth *growth, ploy_describe *out);
PLOY_API void ploy_growth_draw(const ploy_growth *growth, ploy_draw *out);
PLOY_API void ploy_growth_memory(const ploy_growth *growth, ploy_memory_fn fn, void *user);
/// "growth": makes a plant.
PLOY_API const ploy_generator_type *ploy_growth_generator(void);
