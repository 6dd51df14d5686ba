// Loads: the short list of a tick's most expensive turns.
#include "ploy/exec/workload.h"

#include "exec/exec_internal.h"

void ployi_workload_add(ploy_workload *load, const char *name, ploy_agent_id agent, int64_t units) {
    int32_t at = load->top_count;
    while (at > 0 && load->top[at - 1].units < units) at--;
    if (at == PLOY_WORKLOAD_TOP) return;
    int32_t last = load->top_count < PLOY_WORKLOAD_TOP ? load->top_count++ : PLOY_WORKLOAD_TOP - 1;
    for (int32_t i = last; i > at; i--) load->top[i] = load->top[i - 1];
    load->top[at].name = name != NULL ? name : "";
    load->top[at].agent = agent;
    load->top[at].units = units;
}
