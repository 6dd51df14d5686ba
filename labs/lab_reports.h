// Reports of members to their team, for people: the latest, newest first. No decision reads them, and they
// are not part of the state.
#pragma once

#include "ploy/base/describe.h"
#include "ploy/geom/vec.h"

enum { LAB_REPORTS_MAX = 24, LAB_REPORT_TEXT = 32 };

typedef struct lab_report {
    double time; // s
    int32_t member;
    char what[LAB_REPORT_TEXT], reason[LAB_REPORT_TEXT];
    ploy_vec2 place; // m
} lab_report;

typedef struct lab_reports {
    uint64_t count; // of all that were added
    lab_report latest[LAB_REPORTS_MAX];
} lab_reports;

// @param reason  NULL: none. Longer texts are cut.
void lab_reports_add(lab_reports *reports, double time, int32_t member, const char *what,
                     const char *reason, ploy_vec2 place);

// A group "log" with the names of ploy_tiers_describe, so that tools show both.
void lab_reports_describe(const lab_reports *reports, ploy_describe *out);
