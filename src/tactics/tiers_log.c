// The last orders and reports of a group of tiers.
//
// Trays are emptied by the tiers that read them, so that a description of the trays alone shows
// little. The log is for people: it is no state, is not saved and changes no decision.
#include "tiers_internal.h"

static ployi_tiers_entry *tiers_log_next(ployi_tiers_log *log, int32_t from, int32_t to,
                                         double now) {
    ployi_tiers_entry *entry = &log->entries[log->count % PLOYI_TIERS_LOG_MAX];
    log->count++;
    entry->from = from;
    entry->to = to;
    entry->time = now;
    return entry;
}

void ployi_tiers_log_order(ployi_tiers_log *log, int32_t from, int32_t to, const ploy_order *order,
                           double now) {
    ployi_tiers_entry *entry = tiers_log_next(log, from, to, now);
    entry->is_report = false;
    entry->order = order->kind;
    entry->place = order->place;
    entry->unit = order->unit;
}

void ployi_tiers_log_report(ployi_tiers_log *log, int32_t from, int32_t to,
                            const ploy_report *report, double now) {
    ployi_tiers_entry *entry = tiers_log_next(log, from, to, now);
    entry->is_report = true;
    entry->report = report->kind;
    entry->reason = report->reason;
    entry->place = report->place;
    entry->unit = report->unit;
}

void ployi_tiers_log_describe(const ployi_tiers_log *log,
                              const char *(*name)(const void *user, int32_t tier), const void *user,
                              ploy_describe *out) {
    uint64_t kept = log->count < PLOYI_TIERS_LOG_MAX ? log->count : PLOYI_TIERS_LOG_MAX;
    ploy_describe_begin(out, "log");
    for (uint64_t i = 0; i < kept; i++) {
        const ployi_tiers_entry *entry = &log->entries[(log->count - 1 - i) % PLOYI_TIERS_LOG_MAX];
        bool placed = entry->place.x != 0.0f || entry->place.y != 0.0f;
        ploy_describe_begin_item(out, (int32_t)i);
        ploy_describe_f64(out, "time", PLOY_NOTE, entry->time);
        ploy_describe_text(out, "from", PLOY_NOTE, name(user, entry->from));
        ploy_describe_text(out, "to", PLOY_NOTE, name(user, entry->to));
        ploy_describe_text(out, entry->is_report ? "report" : "order", PLOY_NOTE,
                           entry->is_report ? ploy_report_kind_text(entry->report)
                                            : ploy_order_kind_text(entry->order));
        if (entry->is_report && entry->reason != PLOY_REASON_NONE) {
            ploy_describe_text(out, "reason", PLOY_NOTE, ploy_report_reason_text(entry->reason));
        }
        if (placed) {
            ploy_describe_vec2(out, "place", PLOY_NOTE, entry->place.x, entry->place.y);
        }
        if (!ploy_id_is_none(entry->unit.id)) {
            ploy_describe_id(out, "unit", PLOY_NOTE, entry->unit.id);
        }
        ploy_describe_end(out);
    }
    ploy_describe_end(out);
}
