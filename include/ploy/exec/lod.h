/// @file ploy/exec/lod.h
/// Level of detail of behavior: one character, given as much thought as it is worth.
///
/// A ploy_lod is the shared, immutable definition: levels, each with a behavior and the range of
/// importance for which it is good enough, and transitions between them. A ploy_lod_selector
/// belongs to one character and is itself a ploy_behavior. It runs one level at a time, and
/// engines, trees and groups need not know which.
///
///     importance   0 ...... 4 ...... 6 ...... 10
///     crowd        [-----------------]                 overlap: an agent stays in its level,
///     person                [-----------------]        so that none flickers around a border
///
/// A change exits the old behavior before it enters the new one: two are never alive at once, and
/// their states share one block, so a change allocates nothing. A transition carries over what the
/// next level should know: it packs this into a small buffer before the old behavior exits, and
/// unpacks it after the new one has entered. For example, the first item of a shopper's plan becomes
/// the stall that the simple walker heads for, and back again, so that the character does not turn
/// around in mid-stride. Without a transition, nothing is carried over. The buffer is kept while
/// nothing runs.
///
/// If no level fits, the old one exits and nothing runs; this is logged, counted and traced.
///
/// Techniques: behavioral LOD with entry and exit processing, compression, hysteresis and
/// arbitration: Millington, "AI for Games", 3rd ed. 2019, chapter 10, with three corrections to its
/// listing: the direction of the range test, the first choice, and the case without a choice.
/// Mapping states between simpler and richer machines is the same hand-over.
///
/// Budget: one choice costs select_units; staying in a level that still fits costs nothing extra.
/// Threads: a definition may be used by many; a selector touches only itself while thinking.
#pragma once

#include "ploy/base/fields.h"
#include "ploy/exec/maker.h"

/// Most levels of a definition, and the numbers that mean none and any in a transition.
#define PLOY_LOD_LEVELS_MAX 16
#define PLOY_LOD_NONE (-1)
#define PLOY_LOD_ANY (-2)

/// Who wins when several levels fit and none of them is running.
typedef enum ploy_lod_arbitration {
    PLOY_LOD_FIRST,        ///< the first in the list; put a fallback that always fits last
    PLOY_LOD_MOST_CENTRAL, ///< whose range has importance nearest to its middle: lasts longest
    PLOY_LOD_SMALLEST,     ///< whose range is smallest: the most specific
    PLOY_LOD_ANY_FIT       ///< whichever is found first; the order is not defined
} ploy_lod_arbitration;

/// "first", "most central", "smallest", "any".
PLOY_API const char *ploy_lod_arbitration_text(ploy_lod_arbitration arbitration);

/// Makes one character's behavior of a level, when its selector is made. For techniques that own
/// memory; it is destroyed with the selector.
typedef ploy_result (*ploy_lod_make_fn)(void *user, ploy_agent_id agent, const ploy_env *env,
                                        ploy_behavior *out);

/// One level: either a type, whose state is state_size bytes of the block that all levels share,
/// zeroed before enter; or a behavior that is made with the selector and lives as long as it, by a
/// maker or, where it needs to know the agent, by a function.
typedef struct ploy_lod_level {
    const char *name;               ///< copied
    float min, max;                 ///< importance; fits if min <= importance <= max
    const ploy_behavior_type *type; ///< must stay; its destroy is not called
    int32_t state_size;             ///< bytes
    ploy_lod_make_fn make;          ///< used if type is NULL
    void *user;                     ///< of make
    ploy_maker maker;               ///< used if type and make are NULL
} ploy_lod_level;

/// A change of level under way.
typedef struct ploy_lod_change {
    int32_t from;           ///< level, or PLOY_LOD_NONE
    int32_t to;             ///< level, or PLOY_LOD_NONE
    ploy_behavior behavior; ///< packing: the old one; unpacking: the new one, entered already
    void *handover;         ///< handover_size bytes
    int32_t size;
    ploy_step_context *context;
} ploy_lod_change;

typedef void (*ploy_lod_change_fn)(void *user, const ploy_lod_change *change);

/// What is carried from one level to another. The exact pair is looked for first, then (from, any),
/// (any, to) and (any, any).
typedef struct ploy_lod_transition {
    int32_t from;              ///< level, PLOY_LOD_NONE or PLOY_LOD_ANY
    int32_t to;                ///< level, PLOY_LOD_NONE or PLOY_LOD_ANY
    ploy_lod_change_fn pack;   ///< before the old one exits, unless from is none; may be NULL
    ploy_lod_change_fn unpack; ///< after the new one has entered, unless to is none; may be NULL
    void *user;
} ploy_lod_transition;

/// How important a character is now; for definitions that compute it themselves.
typedef float (*ploy_lod_importance_fn)(void *user, ploy_agent_id agent,
                                        const ploy_step_context *context);

typedef struct ploy_lod_def {
    uint32_t cookie;
    ploy_lod_arbitration arbitration;
    int32_t handover_size; ///< bytes of the buffer between levels
    int32_t select_units;  ///< of the budget, spent on each choice
    const ploy_lod_level *levels;
    int32_t level_count;
    const ploy_lod_transition *transitions;
    int32_t transition_count;
    /// Where importance comes from: this function, else the agent's blackboard in this slot (f32),
    /// else ploy_lod_selector_set_importance.
    ploy_lod_importance_fn importance;
    void *importance_user;
    ploy_slot importance_slot;
} ploy_lod_def;

PLOY_API ploy_lod_def ploy_lod_def_default(void);
/// arbitration, handover_size, select_units.
PLOY_API ploy_fields ploy_lod_fields(void);

/// The definition. Opaque; must outlive its selectors.
typedef struct ploy_lod ploy_lod;

/// @return PLOY_ERR_ARGUMENT for a level without a name, behavior or range, or a transition to
///         nowhere (the log names it); PLOY_ERR_EXISTS for a pair given twice; PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_lod_create(const ploy_lod_def *def, const ploy_env *env, ploy_lod **out);
PLOY_API void ploy_lod_destroy(ploy_lod *lod);
PLOY_API int32_t ploy_lod_level_count(const ploy_lod *lod);
/// NULL out of range.
PLOY_API const char *ploy_lod_level_name(const ploy_lod *lod, int32_t level);

/// The level for an importance: `current` if it still fits, else by arbitration; or PLOY_LOD_NONE.
PLOY_API int32_t ploy_lod_find(const ploy_lod *lod, float importance, int32_t current);

/// One character's selector. Opaque.
typedef struct ploy_lod_selector ploy_lod_selector;

/// Creates a selector at no level, with importance 0.
/// @return whatever a level's make returned; PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_lod_selector_create(const ploy_lod *lod, ploy_agent_id agent,
                                              const ploy_env *env, ploy_lod_selector **out);
/// Only for a selector that is not in use as a behavior. NULL is allowed.
PLOY_API void ploy_lod_selector_destroy(ploy_lod_selector *selector);

/// The selector as a behavior; destroying the behavior destroys the selector. Its status is that of
/// the level, or RUNNING while none fits. After it exits, the level is remembered and kept if it
/// still fits. A saved selector continues at its level by the level's name, with the level's own
/// state and the hand-over buffer; if the level is gone, it chooses again.
PLOY_API ploy_behavior ploy_lod_selector_behavior(ploy_lod_selector *selector);

/// Makes selectors of a definition, which must outlive them. Their agent is the one that steps
/// them, so levels with a `make` function are made for no agent; use makers.
PLOY_API ploy_maker ploy_lod_maker(ploy_lod *lod);

/// Takes effect in the next step. @return PLOY_ERR_ARGUMENT if it is not finite.
PLOY_API ploy_result ploy_lod_selector_set_importance(ploy_lod_selector *selector,
                                                      float importance);

typedef struct ploy_lod_info {
    int32_t level; ///< or PLOY_LOD_NONE
    bool running;  ///< it has entered
    float importance;
    int64_t switches;       ///< changes of level, to and from none included
    int64_t uncovered;      ///< steps in which no level fitted
    ploy_behavior behavior; ///< of the level, or none
} ploy_lod_info;

/// A selector's current state.
PLOY_API ploy_lod_info ploy_lod_selector_get(const ploy_lod_selector *selector);
/// The buffer between levels, and its size; for callers that fill it before the first step.
PLOY_API void *ploy_lod_selector_handover(ploy_lod_selector *selector, int32_t *size);
PLOY_API void ploy_lod_selector_memory(const ploy_lod_selector *selector, ploy_memory_fn fn,
                                       void *user);
