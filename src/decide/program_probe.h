// What a step with a trace reports: lines, calls and stops to a probe, choices to a trace.
#pragma once

#include "decide/program_instance.h"
#include "ploy/exec/script_probe.h"

enum { PLOYI_PROGRAM_GROUPS = 8 }; // nested choices that are reported at once

// A group of rules whose conditions are being evaluated.
typedef struct ployi_program_group {
    int32_t base;        // of the frame
    int32_t first, rule; // statements: the group's first rule, and the one under evaluation
} ployi_program_group;

typedef struct ployi_program_watch {
    const ploy_program_instance *instance;
    ploy_step_context *context;
    ploy_script_probe *probe; // NULL: a trace of decisions
    int64_t from;             // units before the step
    int64_t ceiling;          // units used so far and left, together
    int32_t pc, base;         // the instruction before it runs; -1 before the first
    int32_t depth;
    int32_t group_count;
    ployi_program_group groups[PLOYI_PROGRAM_GROUPS];
} ployi_program_watch;

void ployi_program_watch_begin(ployi_program_watch *watch, const ploy_program_instance *instance,
                               ploy_step_context *context);
// The hook of the machine.
void ployi_program_watch_hook(void *watch, const ployi_vm *vm);
void ployi_program_watch_end(ployi_program_watch *watch);
