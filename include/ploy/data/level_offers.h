/// @file ploy/data/level_offers.h
/// Actions that a level's objects offer, for planners and for reactive characters.
///
///     object table furniture 4 2
///     offers table push needs="!pushed" makes="pushed := true" costs=2
///     offers table climb needs="pushed" makes="high := true" costs=1
///     object wood range 0 0 min=0 max=3        # a variable of whole numbers; others are bools
///
/// A planner sees actions named after action and object ("push table"), whose needs and effects are
/// the texts of ploy/decide/goap_rows.h. A reactive character only checks whether an object can be
/// pushed. Further tags of an offer (an animation, a duration) are read with ploy_level_get.
///
/// Technique: Millington, "AI for Games", chapter 12: actions as data objects. Cost: O(objects).
/// Threads: the level is only read.
#pragma once

#include "ploy/data/level_use.h"
#include "ploy/decide/goap_rows.h"

/// Longest name of an action with its object.
#define PLOY_LEVEL_OFFER_MAX 95

/// An action that an object offers. Texts live as long as the level.
typedef struct ploy_level_offer {
    int32_t object; ///< the offer, for further tags
    int32_t by;     ///< the object that offers it; -1 if the level has none of that name
    ploy_vec2 position;
    const char *name;   ///< of the object
    const char *action; ///< "push"
    const char *needs;  ///< NULL: none
    const char *makes;
    float cost; ///< 1 if the text gives none
} ploy_level_offer;

/// Gets the next offer: set the cursor to 0 and call until it returns false.
PLOY_API bool ploy_level_next_offer(const ploy_level *level, int32_t *cursor,
                                    ploy_level_offer *out);
/// Returns whether an object offers an action.
PLOY_API bool ploy_level_offers_action(const ploy_level *level, const char *name,
                                       const char *action);
/// Creates a planning domain with an action for each offer.
/// @param diags  receives faults, with the action's name as the name; may be NULL.
/// @return PLOY_ERR_NOT_FOUND if an offer names an unknown object; as ploy_goap_type_from.
PLOY_API ploy_result ploy_level_offers_domain(const ploy_level *level, const ploy_env *env,
                                              ploy_diags *diags, ploy_goap_type **out);
