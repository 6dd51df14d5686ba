// The last orders and reports of a group of tiers, for people.
#pragma once

#include "ploy/base/describe.h"
#include "ploy/tactics/order.h"

enum { PLOYI_TIERS_LOG_MAX = 24 };

typedef struct ployi_tiers_entry {
    double time;      // s
    int32_t from, to; // tiers; -1: the game, above the tops
    bool is_report;
    ploy_order_kind order;
    ploy_report_kind report;
    ploy_report_reason reason;
    ploy_vec2 place;
    ploy_agent_id unit;
} ployi_tiers_entry;

// A ring; `count` entries were written since create.
typedef struct ployi_tiers_log {
    uint64_t count;
    ployi_tiers_entry entries[PLOYI_TIERS_LOG_MAX];
} ployi_tiers_log;

void ployi_tiers_log_order(ployi_tiers_log *log, int32_t from, int32_t to, const ploy_order *order,
                           double now);
void ployi_tiers_log_report(ployi_tiers_log *log, int32_t from, int32_t to,
                            const ploy_report *report, double now);
// Describes the entries as notes, newest first. @param name  of a tier by its number.
void ployi_tiers_log_describe(const ployi_tiers_log *log,
                              const char *(*name)(const void *user, int32_t tier), const void *user,
                              ploy_describe *out);
