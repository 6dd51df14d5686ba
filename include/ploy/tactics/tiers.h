/// @file ploy/tactics/tiers.h
/// Tiers: a chain of command for decision makers of any technique.
///
/// Each tier (army, squad, character) has a behavior of any technique, a period (higher tiers think
/// rarely), an in-tray of orders and a tray of its subordinates' reports. The player may be at the
/// top, as a tier without a behavior.
///
///     ploy_tier_def def = ploy_tier_def_default();
///     def.name = "player";
///     ploy_tiers_add(tiers, &def, &player);
///     def.name = "squad"; def.parent = player; def.behavior = tactics; def.period = 30;
///     ploy_tiers_add(tiers, &def, &squad);
///     ...
///     ploy_order order = ploy_order_make(PLOY_ORDER_DEFEND, hill);
///     ploy_tiers_give(tiers, squad, &order, now, NULL);    // from its parent
///     ploy_tiers_step(tiers, &context);
///     while (ploy_tiers_next_report(tiers, player, &report)) ...
///
/// In a step, due tiers think in order of adding, so that a parent's new order reaches its children
/// in the same step. Reports about an order go to the tier that gave it. Sightings and losses pass
/// to every tier above, merged by unit in each tray.
///
/// Three schemes, one interface. The scheme belongs to the receiving tier:
/// - direct: the order takes effect within the give; host.force is called. The giver decides all.
/// - poll: the order waits with the giver until the receiver's next turn; the receiver accepts or
///   refuses it.
/// - events: order and reports travel as telegrams, with a delay. Also accepted or refused. A later
///   order replaces one under way and arrives in its place.
///
/// A behavior reads its order from its blackboard, if the layout has these keys: "order" (name: the
/// kind's text), "order_id" (u64), "order_place" (vec2), "order_unit" (id), "order_radius" (f32).
/// It gives orders as actions in its outbox: agent is the subordinate, kind the order's, position,
/// target and reach as named, parameters[0] the priority, parameters[1] the seconds until it
/// expires (0: never). It reports with messages whose kind is a report's text, without payload or
/// with unit and place (ploy_tiers_sighting). Game code uses the calls below, which give access to
/// all fields.
///
/// An order that was reported stuck def.retries times is refused when it is given again.
/// Bottom-up groups (def.bottom_up) have no orders; reports and shared knowledge still go up.
///
/// Techniques: Millington, "AI for Games", 3rd ed. 2019, 6.5 and 10.1.6; the tiers are members of a
/// ploy_group, whose scheduler spreads them. Cost: O(tiers + reports) per step. Memory is allocated
/// only by create and add. Threads: one caller at a time.
#pragma once

#include "ploy/exec/group.h"
#include "ploy/tactics/order.h"
#include "ploy/world/telegram.h"

/// Orders in an in-tray, reports in a tray (the oldest is dropped), bytes of a name with its
/// terminating zero.
#define PLOY_TIER_ORDERS_MAX 4
#define PLOY_TIER_REPORTS_MAX 16
#define PLOY_TIER_NAME_MAX 32

typedef enum ploy_tier_scheme {
    PLOY_TIER_DIRECT,
    PLOY_TIER_POLL,
    PLOY_TIER_EVENTS,
    PLOY_TIER_SCHEMES
} ploy_tier_scheme;

/// "direct", "poll", "events".
PLOY_API const char *ploy_tier_scheme_text(ploy_tier_scheme scheme);

typedef struct ploy_tiers_def {
    uint32_t cookie;
    int32_t capacity; ///< maximum number of tiers
    int32_t retries;  ///< how often an order may get stuck before giving it again is refused
    float delay;      ///< s that an order or report takes as a telegram
    bool bottom_up;   ///< no orders, only reports
    bool queue;       ///< a giver's orders queue up; otherwise the latest replaces the one before
} ploy_tiers_def;

PLOY_API ploy_tiers_def ploy_tiers_def_default(void);
PLOY_API ploy_fields ploy_tiers_fields(void);

/// The game's side; members may be NULL. Not called from within each other.
typedef struct ploy_tiers_host {
    /// Direct control: makes the tier carry out the order.
    void (*force)(void *user, int32_t tier, const ploy_order *order);
    /// Poll and events: false refuses the order. NULL: accepts all.
    bool (*accept)(void *user, int32_t tier, const ploy_order *order);
    void *user;
} ploy_tiers_host;

/// A tier to add. Start from ploy_tier_def_default().
typedef struct ploy_tier_def {
    uint32_t cookie;
    int32_t parent; ///< added before; -1: a top
    int32_t period; ///< steps between two turns
    int32_t phase;  ///< steps by which its turns are earlier
    ploy_tier_scheme scheme;
    const char *name;    ///< stable id, different from the others'; copied
    ploy_agent_id agent; ///< whose behavior it is; none only without one and not with events
    ploy_blackboard *blackboard; ///< the agent's, borrowed; may be NULL
    ploy_behavior behavior;      ///< owned after add; type NULL: the game or a player decides
} ploy_tier_def;

PLOY_API ploy_tier_def ploy_tier_def_default(void);
PLOY_API ploy_fields ploy_tier_fields(void);

typedef struct ploy_tiers ploy_tiers;

/// @param host  copied; NULL: none. @param telegrams  for tiers with events; borrowed, may be NULL.
///              The game hands telegrams on to ploy_tiers_receive.
PLOY_API ploy_result ploy_tiers_create(const ploy_tiers_def *def, const ploy_tiers_host *host,
                                       ploy_telegrams *telegrams, const ploy_env *env,
                                       ploy_tiers **out);
/// Exits and destroys the behaviors. NULL is allowed.
PLOY_API void ploy_tiers_destroy(ploy_tiers *tiers);

/// @param out  its number, from 0; may be NULL.
/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_CAPACITY, PLOY_ERR_EXISTS for a name or agent used twice,
///         PLOY_ERR_STATE for events without telegrams, PLOY_ERR_MEMORY; the behavior is still the
///         caller's then.
PLOY_API ploy_result ploy_tiers_add(ploy_tiers *tiers, const ploy_tier_def *def, int32_t *out);
/// Removes a fallen tier: its behavior ends, its subordinates move to its parent, and the parent
/// gets a LOST report about its agent. Not from within a step. @return PLOY_ERR_NOT_FOUND.
PLOY_API ploy_result ploy_tiers_lose(ploy_tiers *tiers, int32_t tier, double now);
PLOY_API int32_t ploy_tiers_count(const ploy_tiers *tiers);
/// The tier of an agent, or -1. Fallen tiers are not found.
PLOY_API int32_t ploy_tiers_find(const ploy_tiers *tiers, ploy_agent_id agent);
/// Its parent; -1 for a top and out of range.
PLOY_API int32_t ploy_tiers_parent(const ploy_tiers *tiers, int32_t tier);

/// The parent of `to` (the game itself for a top) gives it an order, by the scheme of `to`.
/// @param id  set on PLOY_OK; may be NULL.
/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_NOT_FOUND, PLOY_ERR_DENIED if the group is bottom-up,
///         PLOY_ERR_LIMIT if the same order got stuck too often, PLOY_ERR_CAPACITY if the tray is full
///         of orders of at least this priority; what sending the telegram returned.
PLOY_API ploy_result ploy_tiers_give(ploy_tiers *tiers, int32_t to, const ploy_order *order,
                                     double now, uint64_t *id);
/// The order in effect: of the highest priority, then the oldest. NULL: none.
PLOY_API const ploy_order *ploy_tiers_order(const ploy_tiers *tiers, int32_t tier);

/// Posts a report of a tier to the one above (the game itself above a top). DONE, FAILED and STUCK
/// end the order that they name. @return PLOY_ERR_NOT_FOUND, PLOY_ERR_ARGUMENT.
PLOY_API ploy_result ploy_tiers_report(ploy_tiers *tiers, int32_t tier, const ploy_report *report,
                                       double now);
/// Takes the oldest report out of a tier's tray. @param tier  -1: the game's, above the tops.
/// @return false if there is none.
PLOY_API bool ploy_tiers_next_report(ploy_tiers *tiers, int32_t tier, ploy_report *out);
/// The message with which a behavior reports a sighting or a loss in its outbox.
PLOY_API ploy_message ploy_tiers_sighting(ploy_report_kind kind, ploy_agent_id unit,
                                          ploy_vec2 place);

/// Handles a telegram that arrived. The signature is ploy_telegram_fn's, with the tiers as user.
PLOY_API ploy_result ploy_tiers_receive(void *tiers, const ploy_message *message, bool *handled);

/// One step from the top down. Time, dt, key, trace, scratch, world and budget come from the
/// context.
/// @return PLOY_ERR_ARGUMENT; an error of a behavior ends only that tier's thinking, see maker.h.
PLOY_API ploy_result ploy_tiers_step(ploy_tiers *tiers, const ploy_step_context *context);

/// Visits a ploy_tiers (ploy/base/visit.h). A load needs the same tiers, and the step context in
/// v->context. Does not visit the telegrams and blackboards.
PLOY_API void ploy_tiers_visit(ploy_visit *v, void *tiers);
PLOY_API void ploy_tiers_describe(const ploy_tiers *tiers, ploy_describe *out);
/// Draws orders in effect: lines from each agent's position to its place, routes and areas to
/// avoid.
/// @param position  of a tier, m.
PLOY_API void ploy_tiers_draw(const ploy_tiers *tiers,
                              ploy_vec2 (*position)(void *user, int32_t tier), void *user,
                              ploy_draw *out);
PLOY_API void ploy_tiers_memory(const ploy_tiers *tiers, ploy_memory_fn fn, void *user);
