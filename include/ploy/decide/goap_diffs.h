/// @file ploy/decide/goap_diffs.h
/// A world model as differences from the game's state.
///
/// A packed world (ploy/decide/goap.h) is a copy of every variable. This model copies nothing: it
/// reads the game's state through a callback and stores only the variables that predicted actions
/// have changed. Reading looks at the differences first, then at the game. The callback may return
/// what a character believes: facts that it does not know are left out there.
///
///     read(var)     in the list of differences?  yes: its value    no: source.read(user, var)
///     apply(action) the action's changes go into the list; the game's state stays as it is
///
/// A variable that comes back to the game's value leaves the list, so that equal worlds have equal
/// lists, whichever actions led to them. All comparisons are valid only while the game's state does
/// not change.
///
/// Technique: Millington, "AI for Games", 3rd edition, 5.7.4 (world model as a list of
/// differences). Cost: O(log differences) to read, O(differences) to change, copy, compare and
/// hash. Memory grows only in set, apply and copy. Threads: one caller at a time.
#pragma once

#include "ploy/decide/goap.h"

/// Opaque.
typedef struct ploy_goap_diffs ploy_goap_diffs;

/// The game's state, or what a character believes of it.
typedef struct ploy_goap_source {
    /// Returns the value of a variable. Values out of its range are cut to it.
    int32_t (*read)(void *user, const ploy_goap_type *type, ploy_goap_var var);
    void *user;
} ploy_goap_source;

/// One variable that differs from the game.
typedef struct ploy_goap_difference {
    ploy_goap_var var;
    int32_t value;
} ploy_goap_difference;

/// Creates a model without differences: the game as it is.
/// @param type    finished; must outlive the model.
/// @param source  copied; its user must outlive the model.
/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_STATE if the type is not finished, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_goap_diffs_create(const ploy_goap_type *type,
                                            const ploy_goap_source *source, const ploy_env *env,
                                            ploy_goap_diffs **out);
/// NULL is allowed.
PLOY_API void ploy_goap_diffs_destroy(ploy_goap_diffs *diffs);

/// Removes all differences.
PLOY_API void ploy_goap_diffs_clear(ploy_goap_diffs *diffs);
/// Makes a model equal to another of the same type and source.
/// @return PLOY_ERR_ARGUMENT for another type, PLOY_ERR_MEMORY, changing nothing.
PLOY_API ploy_result ploy_goap_diffs_copy(ploy_goap_diffs *diffs, const ploy_goap_diffs *from);

/// Reads a variable; 0 for none.
PLOY_API int32_t ploy_goap_diffs_get(const ploy_goap_diffs *diffs, ploy_goap_var var);
/// @return PLOY_ERR_ARGUMENT for no variable or a value out of its range, PLOY_ERR_MEMORY, changing
///         nothing.
PLOY_API ploy_result ploy_goap_diffs_set(ploy_goap_diffs *diffs, ploy_goap_var var, int32_t value);
/// Applies the action: predicts its effects, without testing its needs.
/// @return PLOY_ERR_ARGUMENT for no action, PLOY_ERR_MEMORY, changing nothing.
PLOY_API ploy_result ploy_goap_diffs_apply(ploy_goap_diffs *diffs, int32_t action);
/// Returns the first possible action after `action` (-1: from the first on); -1 if there is none.
PLOY_API int32_t ploy_goap_diffs_next(ploy_goap_diffs *diffs, int32_t action);

/// The differences, in the order of variables; valid until the model changes.
PLOY_API const ploy_goap_difference *ploy_goap_diffs_list(const ploy_goap_diffs *diffs,
                                                          int32_t *count);
/// Returns whether two models of one source are the same world.
PLOY_API bool ploy_goap_diffs_same(const ploy_goap_diffs *a, const ploy_goap_diffs *b);
/// Equal for models that are the same world.
PLOY_API uint64_t ploy_goap_diffs_hash(const ploy_goap_diffs *diffs);

/// Packs every variable into a world, from which a planner can begin.
/// @param world  room for ploy_goap_type_words words.
PLOY_API void ploy_goap_diffs_pack(const ploy_goap_diffs *diffs, uint64_t *world);
