// Orders and reports; described in the header.
#include "ploy/tactics/order.h"

#include <math.h>
#include <string.h>

#include "ploy/base/math.h"

static const ploy_field progress_fields[] = {
    PLOY_FIELD_F32(ploy_progress_def, distance, 1, 1e-3f, 1e6f, "m",
                   "how much nearer it must come to its goal"),
    PLOY_FIELD_F32(ploy_progress_def, seconds, 3, 1e-3f, 1e6f, "s", "within this time"),
};

const char *ploy_order_kind_text(ploy_order_kind kind) {
    static const char *const texts[] = {"none",    "move",  "attack",   "defend", "guard",
                                        "explore", "cover", "withdraw", "own"};
    return (uint32_t)kind < PLOY_ORDER_KINDS ? texts[kind] : "?";
}

const char *ploy_report_kind_text(ploy_report_kind kind) {
    static const char *const texts[] = {"accepted", "done", "failed",      "stuck",
                                        "seen",     "lost", "needs orders"};
    return (uint32_t)kind < PLOY_REPORT_KINDS ? texts[kind] : "?";
}

const char *ploy_report_reason_text(ploy_report_reason reason) {
    static const char *const texts[] = {"none",        "refused", "expired", "replaced", "no path",
                                        "no progress", "blocked", "losses",  "other"};
    return (uint32_t)reason < PLOY_REASONS ? texts[reason] : "?";
}

static const char *order_kind_of(int32_t kind) {
    return ploy_order_kind_text((ploy_order_kind)kind);
}

static const char *order_report_of(int32_t kind) {
    return ploy_report_kind_text((ploy_report_kind)kind);
}

static const char *order_reason_of(int32_t reason) {
    return ploy_report_reason_text((ploy_report_reason)reason);
}

ploy_order ploy_order_make(ploy_order_kind kind, ploy_vec2 place) {
    ploy_order order;
    memset(&order, 0, sizeof order);
    order.kind = kind;
    order.place = place;
    order.radius = 1.0f;
    order.expiry = (double)INFINITY;
    return order;
}

ploy_result ploy_order_add_avoid(ploy_order *order, ploy_circle area) {
    if (!ploy_vec2_is_finite(area.centre) || !ploy_in_range(area.radius, 0.0f, 1e9f)) {
        return PLOY_ERR_ARGUMENT;
    }
    if (order->avoid_count >= PLOY_ORDER_AVOID_MAX) return PLOY_ERR_CAPACITY;
    order->avoid[order->avoid_count++] = area;
    return PLOY_OK;
}

ploy_result ploy_order_add_route(ploy_order *order, ploy_vec2 point) {
    if (!ploy_vec2_is_finite(point)) return PLOY_ERR_ARGUMENT;
    if (order->route_count >= PLOY_ORDER_ROUTE_MAX) return PLOY_ERR_CAPACITY;
    order->route[order->route_count++] = point;
    return PLOY_OK;
}

ploy_result ploy_order_check(const ploy_order *order) {
    if (order == NULL || order->kind <= PLOY_ORDER_NONE || order->kind >= PLOY_ORDER_KINDS ||
        order->avoid_count < 0 || order->avoid_count > PLOY_ORDER_AVOID_MAX ||
        order->route_count < 0 || order->route_count > PLOY_ORDER_ROUTE_MAX ||
        !ploy_vec2_is_finite(order->place) || !ploy_in_range(order->radius, 0.0f, 1e9f) ||
        isnan(order->expiry)) {
        return PLOY_ERR_ARGUMENT;
    }
    for (int32_t i = 0; i < order->avoid_count; i++) {
        if (!ploy_vec2_is_finite(order->avoid[i].centre)) return PLOY_ERR_ARGUMENT;
        if (!ploy_in_range(order->avoid[i].radius, 0.0f, 1e9f)) return PLOY_ERR_ARGUMENT;
    }
    for (int32_t i = 0; i < order->route_count; i++) {
        if (!ploy_vec2_is_finite(order->route[i])) return PLOY_ERR_ARGUMENT;
    }
    return PLOY_OK;
}

bool ploy_order_same(const ploy_order *a, const ploy_order *b) {
    return a->kind == b->kind && ploy_name_equal(a->what, b->what) &&
           ploy_id_equal(a->unit.id, b->unit.id) && a->place.x == b->place.x &&
           a->place.y == b->place.y;
}

void ploy_order_visit(ploy_visit *v, void *object) {
    ploy_order *order = object;
    ploy_visit_struct(v, "order", order, sizeof *order);
    ploy_visit_u64(v, "id", PLOY_STATE, &order->id);
    PLOY_VISIT_ENUM(v, "kind", PLOY_STATE, order->kind, order_kind_of, PLOY_ORDER_KINDS);
    ploy_visit_i32(v, "priority", PLOY_STATE, &order->priority);
    ploy_visit_name(v, "what", PLOY_STATE, &order->what);
    ploy_visit_name(v, "formation", PLOY_STATE, &order->formation);
    ploy_visit_id(v, "unit", PLOY_STATE, &order->unit.id);
    ploy_visit_vec2(v, "place", PLOY_STATE, &order->place.x, &order->place.y);
    ploy_visit_f32_in(v, "radius", PLOY_STATE, &order->radius, 0.0f, 1e9f);
    ploy_visit_f64(v, "issued", PLOY_STATE, &order->issued);
    ploy_visit_f64_in(v, "expiry", PLOY_STATE, &order->expiry, -(double)INFINITY, (double)INFINITY);
    // What is behind the counts is not used and may hold anything.
    PLOY_VISIT_SCRATCH(v, order->avoid);
    PLOY_VISIT_SCRATCH(v, order->route);
    int32_t areas =
        ploy_visit_list(v, "avoid", PLOY_STATE, &order->avoid_count, PLOY_ORDER_AVOID_MAX);
    for (int32_t i = 0; i < areas; i++) {
        ploy_visit_begin_item(v, i, PLOY_STATE);
        ploy_circle *area = &order->avoid[i];
        ploy_visit_vec2(v, "centre", PLOY_STATE, &area->centre.x, &area->centre.y);
        ploy_visit_f32_in(v, "radius", PLOY_STATE, &area->radius, 0.0f, 1e9f);
        ploy_visit_end(v);
    }
    ploy_visit_end(v);
    int32_t points =
        ploy_visit_list(v, "route", PLOY_STATE, &order->route_count, PLOY_ORDER_ROUTE_MAX);
    for (int32_t i = 0; i < points; i++) {
        ploy_visit_begin_item(v, i, PLOY_STATE);
        ploy_visit_vec2(v, "point", PLOY_STATE, &order->route[i].x, &order->route[i].y);
        ploy_visit_end(v);
    }
    ploy_visit_end(v);
}

ploy_report ploy_report_make(ploy_report_kind kind, uint64_t order, ploy_report_reason reason) {
    ploy_report report;
    memset(&report, 0, sizeof report);
    report.kind = kind;
    report.reason = reason;
    report.order = order;
    report.tier = -1;
    report.count = 1;
    return report;
}

void ploy_report_visit(ploy_visit *v, void *object) {
    ploy_report *report = object;
    ploy_visit_struct(v, "report", report, sizeof *report);
    PLOY_VISIT_ENUM(v, "kind", PLOY_STATE, report->kind, order_report_of, PLOY_REPORT_KINDS);
    PLOY_VISIT_ENUM(v, "reason", PLOY_STATE, report->reason, order_reason_of, PLOY_REASONS);
    ploy_visit_u64(v, "order", PLOY_STATE, &report->order);
    ploy_visit_i32_in(v, "tier", PLOY_STATE, &report->tier, -1, INT32_MAX);
    ploy_visit_i32_in(v, "count", PLOY_STATE, &report->count, 1, INT32_MAX);
    ploy_visit_id(v, "unit", PLOY_STATE, &report->unit.id);
    ploy_visit_vec2(v, "place", PLOY_STATE, &report->place.x, &report->place.y);
    ploy_visit_f64(v, "time", PLOY_STATE, &report->time);
}

ploy_fields ploy_progress_fields(void) {
    return PLOY_FIELDS(ploy_progress_def, progress_fields);
}

ploy_progress_def ploy_progress_def_default(void) {
    ploy_progress_def def;
    ploy_fields_default(ploy_progress_fields(), &def);
    return def;
}

ploy_progress ploy_progress_begin(double now) {
    ploy_progress progress = {INFINITY, now};
    return progress;
}

bool ploy_progress_step(const ploy_progress_def *def, ploy_progress *progress, float remaining,
                        double now) {
    // The first call sets the mark; a mark of INFINITY would count any distance as headway forever.
    if (remaining <= progress->best - def->distance || progress->best == INFINITY) {
        progress->best = remaining;
        progress->since = now;
        return false;
    }
    if (now - progress->since < (double)def->seconds) return false;
    progress->best = remaining;
    progress->since = now;
    return true;
}
