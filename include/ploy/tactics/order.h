/// @file ploy/tactics/order.h
/// Orders go down a chain of command, reports go up: both as plain records.
///
/// An order names what to do, where or to whom, which areas to avoid, which route and formation to
/// use, its priority and its expiry. A report gives the outcome of an order (accepted, done,
/// failed, stuck) or an observation (seen, lost). ploy/tactics/tiers.h delivers them.
///
/// A stuck report needs a test: ploy_progress_step finds agents that make no progress.
///
/// Techniques: Millington, "AI for Games", 3rd ed. 2019, 6.5 (orders, in-trays and feedback); squad
/// communication by order and status records.
/// Units: metres, seconds. Plain data. Threads: as any plain data.
#pragma once

#include "ploy/base/fields.h"
#include "ploy/base/id.h"
#include "ploy/base/name.h"
#include "ploy/base/visit.h"
#include "ploy/geom/circle.h"

/// Maximum number of areas to avoid and of route points in one order.
#define PLOY_ORDER_AVOID_MAX 4
#define PLOY_ORDER_ROUTE_MAX 16

typedef enum ploy_order_kind {
    PLOY_ORDER_NONE,
    PLOY_ORDER_MOVE,
    PLOY_ORDER_ATTACK,   ///< a place or a unit
    PLOY_ORDER_DEFEND,   ///< a place
    PLOY_ORDER_GUARD,    ///< a unit, in formation
    PLOY_ORDER_EXPLORE,  ///< an area
    PLOY_ORDER_COVER,    ///< covering fire for the others
    PLOY_ORDER_WITHDRAW, ///< to the rally point in `place`
    PLOY_ORDER_OWN,      ///< the game's own; `what` names it
    PLOY_ORDER_KINDS
} ploy_order_kind;

/// "none", "move", "attack", "defend", "guard", "explore", "cover", "withdraw", "own".
PLOY_API const char *ploy_order_kind_text(ploy_order_kind kind);

typedef struct ploy_order {
    uint64_t id; ///< from 1, set when it is given; 0: none
    ploy_order_kind kind;
    int32_t priority;    ///< larger comes first in the in-tray
    ploy_name what;      ///< of PLOY_ORDER_OWN, or a detail of the others; may be none
    ploy_name formation; ///< the game's name of a pattern, or none
    ploy_agent_id unit;  ///< on whom, or none
    ploy_vec2 place;     ///< m
    float radius;        ///< m; near enough to the place
    int32_t avoid_count;
    int32_t route_count;
    ploy_circle avoid[PLOY_ORDER_AVOID_MAX];
    ploy_vec2 route[PLOY_ORDER_ROUTE_MAX]; ///< m; points to pass, in order
    double issued;                         ///< s, set when it is given
    double expiry;                         ///< s of the same clock; INFINITY: never
} ploy_order;

/// An order with every field set: no id, no unit, radius 1 m, no end.
PLOY_API ploy_order ploy_order_make(ploy_order_kind kind, ploy_vec2 place);
/// Adds an area to avoid, or a point of the route. @return PLOY_ERR_CAPACITY, PLOY_ERR_ARGUMENT.
PLOY_API ploy_result ploy_order_add_avoid(ploy_order *order, ploy_circle area);
PLOY_API ploy_result ploy_order_add_route(ploy_order *order, ploy_vec2 point);
/// Checks kind, counts and numbers. @return PLOY_ERR_ARGUMENT.
PLOY_API ploy_result ploy_order_check(const ploy_order *order);
/// Whether both orders request the same thing: kind, what, unit and place.
PLOY_API bool ploy_order_same(const ploy_order *a, const ploy_order *b);
/// Visits a ploy_order.
PLOY_API void ploy_order_visit(ploy_visit *v, void *order);

typedef enum ploy_report_kind {
    PLOY_REPORT_ACCEPTED,
    PLOY_REPORT_DONE,
    PLOY_REPORT_FAILED,
    PLOY_REPORT_STUCK, ///< no progress: the tier above should order something else
    PLOY_REPORT_SEEN,  ///< a unit, at a place
    PLOY_REPORT_LOST,  ///< a unit fell, or is out of sight
    PLOY_REPORT_NEEDS, ///< has nothing to do and asks for orders
    PLOY_REPORT_KINDS
} ploy_report_kind;

/// "accepted", "done", "failed", "stuck", "seen", "lost", "needs orders".
PLOY_API const char *ploy_report_kind_text(ploy_report_kind kind);

typedef enum ploy_report_reason {
    PLOY_REASON_NONE,
    PLOY_REASON_REFUSED,     ///< the receiver declined
    PLOY_REASON_EXPIRED,     ///< the order's time was over
    PLOY_REASON_REPLACED,    ///< a later order of the same giver took its place
    PLOY_REASON_NO_PATH,     ///< there is no path to it
    PLOY_REASON_NO_PROGRESS, ///< see ploy_progress_step
    PLOY_REASON_BLOCKED,
    PLOY_REASON_LOSSES,
    PLOY_REASON_OTHER,
    PLOY_REASONS
} ploy_report_reason;

/// "none", "refused", "expired", "replaced", "no path", "no progress", "blocked", "losses",
/// "other".
PLOY_API const char *ploy_report_reason_text(ploy_report_reason reason);

typedef struct ploy_report {
    ploy_report_kind kind;
    ploy_report_reason reason;
    uint64_t order; ///< that the report is about; 0: none
    int32_t tier;   ///< the reporting tier in the ploy_tiers
    int32_t count;  ///< how many reports were merged into this one
    ploy_agent_id unit;
    ploy_vec2 place; ///< m
    double time;     ///< s, of the latest of them
} ploy_report;

/// A report about an order (0: none), without unit and place.
PLOY_API ploy_report ploy_report_make(ploy_report_kind kind, uint64_t order,
                                      ploy_report_reason reason);
/// Visits a ploy_report.
PLOY_API void ploy_report_visit(ploy_visit *v, void *report);

/// When an agent counts as stuck. Start from ploy_progress_def_default().
typedef struct ploy_progress_def {
    uint32_t cookie;
    float distance; ///< m that it must come nearer to its goal ...
    float seconds;  ///< s ... within this time
} ploy_progress_def;

PLOY_API ploy_progress_def ploy_progress_def_default(void);
PLOY_API ploy_fields ploy_progress_fields(void);

/// The state of the test. Start from ploy_progress_begin().
typedef struct ploy_progress {
    float best;   ///< m left to the goal when it last made progress; INFINITY: not known yet
    double since; ///< s, when that was
} ploy_progress;

PLOY_API ploy_progress ploy_progress_begin(double now);
/// @param remaining  m left to the goal, along the path if there is one.
/// @return true if it is stuck: not nearer by def.distance for def.seconds. Then false until
///         as much time has passed again, so that one obstacle is one report.
PLOY_API bool ploy_progress_step(const ploy_progress_def *def, ploy_progress *progress,
                                 float remaining, double now);
