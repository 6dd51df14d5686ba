/// @file ploy/tactics/dwell.h
/// Dwell times and an oscillation detector for any decision maker.
///
/// Characters that react to each other can switch each other's modes in cycles. Two remedies:
/// - a dwell: once a mode is chosen, it stays for some time. ploy_dwell_maker wraps the maker of
///   any behavior that writes its mode to a key of its blackboard (a name, an integer or a bool);
/// - a detector: ploy_oscillation counts returns to modes left shortly before. The wrapper
///   lengthens its dwell while there are too many, and can report it on a second key.
///
///     ploy_dwell_def def = ploy_dwell_def_default();
///     def.key = ploy_blackboard_layout_find(layout, "mode");
///     def.seconds = 1.5f;
///     ploy_dwell_create(&def, ploy_fsm_type_maker(type), layout, &env, &dwell);
///     ploy_maker calm = ploy_dwell_maker(dwell);        // use it where the machine's was used
///
/// Two methods hold a mode: PLOY_DWELL_PAUSE does not step the behavior until the dwell is over,
/// which fits behaviors that only decide. PLOY_DWELL_RESTORE steps it each time and puts the old
/// mode back until the new one is allowed, which fits behaviors that also act. An urgent key (bool)
/// overrides both: an agent under fire does not wait.
///
/// Technique: hysteresis as in Millington, "AI for Games", 3rd ed. 2019, 6.5.4. Cost: O(1) per
/// step. Units: seconds. Threads: a definition may be shared by many; a behavior takes one caller
/// at a time.
#pragma once

#include "ploy/exec/maker.h"

/// Number of mode changes that a detector remembers.
#define PLOY_OSCILLATION_MAX 16

/// The last changes of a mode. Plain data, all of it state; all zero is the initial state.
typedef struct ploy_oscillation {
    uint64_t modes[PLOY_OSCILLATION_MAX]; ///< entered, oldest first
    double times[PLOY_OSCILLATION_MAX];   ///< s
    int32_t count;
    int32_t reserved;
    uint64_t switches; ///< changes so far; the first mode does not count
    uint64_t returns;  ///< changes so far to a mode left within the window of the call
} ploy_oscillation;

/// Records the current mode; has no effect if it equals the last one.
/// @param window  s; a return within it counts.
/// @return true if the mode changed.
PLOY_API bool ploy_oscillation_note(ploy_oscillation *oscillation, uint64_t mode, double now,
                                    float window);
/// The number of returns within the last `window` seconds: the sequence A B A B has 2.
PLOY_API int32_t ploy_oscillation_returns(const ploy_oscillation *oscillation, double now,
                                          float window);
/// Visits a ploy_oscillation.
PLOY_API void ploy_oscillation_visit(ploy_visit *v, void *oscillation);

typedef enum ploy_dwell_mode {
    PLOY_DWELL_PAUSE,  ///< the behavior is not stepped until the dwell is over
    PLOY_DWELL_RESTORE ///< it is stepped, and the key gets its old value back
} ploy_dwell_mode;

/// Settings. Start from ploy_dwell_def_default().
typedef struct ploy_dwell_def {
    uint32_t cookie;
    ploy_dwell_mode mode;
    float seconds;         ///< s, minimum time in a mode; 0: only detects
    float window;          ///< s in which the detector counts
    int32_t limit;         ///< returns in the window that count as oscillation; 0: never
    float longer;          ///< factor of the dwell while the mode oscillates
    ploy_slot key;         ///< the mode: a name, i64, u64 or bool. Required
    ploy_slot urgent;      ///< bool: no dwell while it is true; may be none
    ploy_slot oscillating; ///< bool, written: the detector's answer; may be none
} ploy_dwell_def;

PLOY_API ploy_dwell_def ploy_dwell_def_default(void);
PLOY_API ploy_fields ploy_dwell_fields(void);

/// A definition: settings around a maker. Opaque.
typedef struct ploy_dwell ploy_dwell;

/// @param inner   makes the wrapped behaviors; its pointers must stay valid.
/// @param layout  of their blackboards; must outlive the definition.
/// @return PLOY_ERR_ARGUMENT for a setting out of range, a key of another type or a missing maker;
///         PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_dwell_create(const ploy_dwell_def *def, ploy_maker inner,
                                       const ploy_blackboard_layout *layout, const ploy_env *env,
                                       ploy_dwell **out);
/// NULL is allowed. Its behaviors must be gone.
PLOY_API void ploy_dwell_destroy(ploy_dwell *dwell);
/// Makes wrapped behaviors. Its check refuses other layouts.
PLOY_API ploy_maker ploy_dwell_maker(ploy_dwell *dwell);

/// Statistics of a wrapped behavior.
typedef struct ploy_dwell_info {
    uint64_t switches; ///< of the mode so far
    uint64_t returns;  ///< to a mode left within the window
    uint64_t held;     ///< steps in which the dwell kept the mode
    bool oscillating;  ///< at its last step
} ploy_dwell_info;

/// @return PLOY_ERR_ARGUMENT if the behavior was not made by ploy_dwell_maker.
PLOY_API ploy_result ploy_dwell_info_of(ploy_behavior behavior, ploy_dwell_info *out);
