// Reports of members to their team; see the header.
#include "labs/lab_reports.h"

#include <stdio.h>

void lab_reports_add(lab_reports *reports, double time, int32_t member, const char *what,
                     const char *reason, ploy_vec2 place) {
    lab_report *report = &reports->latest[reports->count++ % LAB_REPORTS_MAX];
    report->time = time;
    report->member = member;
    snprintf(report->what, sizeof report->what, "%s", what);
    snprintf(report->reason, sizeof report->reason, "%s", reason != NULL ? reason : "");
    report->place = place;
}

void lab_reports_describe(const lab_reports *reports, ploy_describe *out) {
    uint64_t kept = reports->count < LAB_REPORTS_MAX ? reports->count : LAB_REPORTS_MAX;
    ploy_describe_begin(out, "log");
    for (uint64_t i = 0; i < kept; i++) {
        const lab_report *report = &reports->latest[(reports->count - 1 - i) % LAB_REPORTS_MAX];
        char from[24];
        snprintf(from, sizeof from, "member %d", (int)report->member);
        ploy_describe_begin_item(out, (int32_t)i);
        ploy_describe_f64(out, "time", PLOY_NOTE, report->time);
        ploy_describe_text(out, "from", PLOY_NOTE, from);
        ploy_describe_text(out, "to", PLOY_NOTE, "team");
        ploy_describe_text(out, "report", PLOY_NOTE, report->what);
        if (report->reason[0] != '\0') {
            ploy_describe_text(out, "reason", PLOY_NOTE, report->reason);
        }
        ploy_describe_vec2(out, "place", PLOY_NOTE, report->place.x, report->place.y);
        ploy_describe_end(out);
    }
    ploy_describe_end(out);
}
