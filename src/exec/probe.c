// Probes; see the header.
#include "ploy/exec/probe.h"

#include <string.h>

bool ploy_probe_find(const ploy_probe_report *report, int32_t level, const char *name,
                     ploy_probe_variable *out) {
    const int32_t levels[2] = {level, -1};
    for (int32_t i = 0; i < 2; i++) {
        ploy_probe_variable variable;
        bool found = false;
        for (int32_t k = 0; report->view->variable(report->self, levels[i], k, &variable); k++) {
            if (strcmp(variable.name, name) != 0) continue;
            *out = variable; // a later one hides it
            found = true;
        }
        if (found) return true;
    }
    return false;
}

// Its address marks a trace that carries a probe.
static void probe_begin(void *user, ploy_id agent, const char *topic, const char *technique) {
    (void)user, (void)agent, (void)topic, (void)technique;
}

ploy_trace ploy_probe_trace(ploy_probe *probe) {
    ploy_trace trace = {probe_begin, NULL, NULL, NULL, NULL, probe};
    return trace;
}

ploy_probe *ploy_probe_of(const ploy_trace *trace) {
    return trace != NULL && trace->begin == probe_begin ? trace->user : NULL;
}
