/// @file ploy/data/staging.h
/// Staging: triggers in a level that switch characters on and off or send them somewhere.
///
///     trigger cave circle 4 4 2 by=player do="activate spiders; move_to spiders nest"
///     trigger bridge circle 9 1 3 when="alarm && guards > 2" delay=1.5 again=10
///             do="send_event all retreat"                       # on one line
///
/// `by` names the group of agents that fire the trigger (default: all). `when` is a condition
/// (ploy/decide/condition.h). `delay` is the time in seconds from firing to the actions, and
/// `again` the time until the trigger may fire again; without `again` it fires once. `on` is touch
/// (the default: as long as an agent is inside), leave or use (ploy_triggers_use). `do` is a list
/// of orders: a verb, its target (a group, an agent or a trigger), and words. Verbs:
///
///     activate G        deactivate G        move_to G PLACE    (a name in the level, or x y)
///     patrol G PLACES   set_state G STATE   send_event G EVENT
///
/// The game's callback executes the orders. `activate` and `deactivate` of a trigger are also
/// executed here.
///
/// Technique: Millington, "AI for Games", chapter 12: high-level staging. Units: metres, seconds.
/// Cost of a step: as ploy_triggers_step; allocates only while more orders wait than ever before.
/// Threads: one caller.
#pragma once

#include "ploy/base/visit.h"
#include "ploy/data/level_use.h"
#include "ploy/decide/condition.h"
#include "ploy/world/trigger.h"

typedef enum ploy_stage_verb {
    PLOY_STAGE_ACTIVATE,
    PLOY_STAGE_DEACTIVATE,
    PLOY_STAGE_MOVE_TO,
    PLOY_STAGE_PATROL,
    PLOY_STAGE_SET_STATE,
    PLOY_STAGE_SEND_EVENT,
    PLOY_STAGE_VERB_COUNT
} ploy_stage_verb;

/// "activate", "deactivate", "move_to", "patrol", "set_state", "send_event".
PLOY_API const char *ploy_stage_verb_text(ploy_stage_verb verb);

/// An order to carry out. Texts live as long as the staging.
typedef struct ploy_stage_order {
    ploy_stage_verb verb;
    const char *trigger; ///< its name
    const char *target;  ///< group, agent or trigger
    const char *words;   ///< the rest: place, state or event; "" if there is none
    ploy_vec2 place;     ///< of move_to
    ploy_agent_id agent; ///< that fired the trigger
    double now;          ///< s
} ploy_stage_order;

typedef void (*ploy_stage_fn)(void *user, const ploy_stage_order *order);

/// Opaque.
typedef struct ploy_staging ploy_staging;

/// Reports every fault in the triggers of a level: unknown verbs, missing or unknown targets and
/// places, invalid settings. Conditions need the game's words, so only create reads them.
/// @param diags  receives the trigger's name as the name and the column in its `do`; may be NULL.
/// @return PLOY_OK if the check was possible, also with faults; PLOY_ERR_ARGUMENT.
PLOY_API ploy_result ploy_staging_check(const ploy_level *level, ploy_diags *diags);

/// Creates the triggers of a level, which must outlive the staging.
/// @param words  for conditions, must outlive the staging; NULL: no trigger may have a condition.
/// @return PLOY_ERR_FORMAT for faults, PLOY_ERR_LIMIT for more than 31 groups, PLOY_ERR_MEMORY;
///         diags (may be NULL) contain the reasons.
PLOY_API ploy_result ploy_staging_create(const ploy_level *level, ploy_conditions *words,
                                         const ploy_env *env, ploy_diags *diags,
                                         ploy_staging **out);
/// NULL is allowed.
PLOY_API void ploy_staging_destroy(ploy_staging *staging);

/// Adds an agent. @param groups  names separated by spaces; "" for none.
/// @return as ploy_triggers_add_agent.
PLOY_API ploy_result ploy_staging_add_agent(ploy_staging *staging, ploy_agent_id agent,
                                            const char *groups);
/// Steps one tick: triggers fire, and orders that are due are executed, ordered by their time and
/// then by firing.
/// @param context  that conditions read; NULL: conditions over keys do not hold.
/// @return as ploy_triggers_step.
PLOY_API ploy_result ploy_staging_step(ploy_staging *staging, double now,
                                       const ploy_pose_source *poses, ploy_step_context *context,
                                       ploy_stage_fn fn, void *user);
/// Returns the triggers, for ploy_triggers_use, ploy_triggers_remove_agent and drawing.
PLOY_API ploy_triggers *ploy_staging_triggers(ploy_staging *staging);

/// Visits a ploy_staging (ploy/base/visit.h): which triggers have fired, and waiting orders.
PLOY_API void ploy_staging_visit(ploy_visit *v, void *staging);
PLOY_API void ploy_staging_describe(const ploy_staging *staging, ploy_describe *out);
