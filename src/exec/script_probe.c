// Probes; see the header.
#include "ploy/exec/script_probe.h"

#include <string.h>

bool ploy_script_find(const ploy_script_report *report, int32_t level, const char *name,
                      ploy_script_variable *out) {
    const int32_t levels[2] = {level, -1};
    for (int32_t i = 0; i < 2; i++) {
        ploy_script_variable variable;
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
static void script_probe_begin(void *user, ploy_id agent, const char *topic,
                               const char *technique) {
    (void)user, (void)agent, (void)topic, (void)technique;
}

ploy_trace ploy_script_probe_trace(ploy_script_probe *probe) {
    ploy_trace trace = {script_probe_begin, NULL, NULL, NULL, NULL, probe};
    return trace;
}

ploy_script_probe *ploy_script_probe_of(const ploy_trace *trace) {
    return trace != NULL && trace->begin == script_probe_begin ? trace->user : NULL;
}
