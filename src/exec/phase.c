// Looking ahead over the schedules: the load of ticks to come, how it clumps, where one more fits.
#include "ploy/exec/phase.h"

#include "exec/exec_internal.h"

#include <math.h>
#include <string.h>

#include "exec/scheduler_internal.h"

static int64_t phase_load(const ploy_scheduler *scheduler, uint64_t tick, bool weighed) {
    int64_t load = 0;
    for (int32_t i = 0; i < scheduler->period_count; i++) {
        int32_t period = scheduler->periods[i];
        const ployi_scheduler_bucket *bucket = &scheduler->buckets[period][tick % (uint64_t)period];
        load += weighed ? bucket->weight : bucket->count;
    }
    if (scheduler->buckets[0] == NULL) return load;
    for (int32_t i = scheduler->buckets[0][0].first; i >= 0; i = scheduler->next[i]) {
        const ployi_scheduler_item *record = &scheduler->items[i];
        uint64_t at = tick % (uint64_t)record->schedule.period;
        if (at == (uint64_t)record->slot) load += weighed ? record->cost : 1;
    }
    return load;
}

double ployi_scheduler_workload(const ploy_scheduler *scheduler, uint64_t tick, bool weighed) {
    if (scheduler == NULL) return 0.0;
    double load = (double)phase_load(scheduler, tick, weighed);
    return weighed ? load / PLOYI_SCHEDULER_COST_ONE : load;
}

// The least common multiple, or 0 past the limit.
static uint64_t phase_lcm(uint64_t a, uint64_t b, uint64_t limit) {
    uint64_t x = a, y = b;
    while (y != 0) {
        uint64_t rest = x % y;
        x = y;
        y = rest;
    }
    uint64_t times = b / x;
    return a <= limit / times ? a * times : 0;
}

uint64_t ployi_scheduler_cycle(const ploy_scheduler *scheduler, uint64_t limit) {
    if (scheduler == NULL || limit == 0) return 0;
    uint64_t cycle = 1;
    for (int32_t i = 0; i < scheduler->period_count && cycle != 0; i++) {
        int32_t period = scheduler->periods[i];
        int64_t count = 0;
        for (int32_t k = 0; k < period; k++) count += scheduler->buckets[period][k].count;
        if (count > 0) cycle = phase_lcm(cycle, (uint64_t)period, limit);
    }
    if (scheduler->buckets[0] == NULL) return cycle;
    for (int32_t i = scheduler->buckets[0][0].first; i >= 0 && cycle != 0; i = scheduler->next[i]) {
        cycle = phase_lcm(cycle, (uint64_t)scheduler->items[i].schedule.period, limit);
    }
    return cycle;
}

ploy_result ploy_scheduler_clumping(const ploy_scheduler *scheduler, bool weighed,
                                    int64_t max_ticks, ploy_rng_key key, ploy_clumping *out) {
    if (scheduler == NULL || out == NULL || max_ticks < 1 || max_ticks > (int64_t)1 << 30) {
        return PLOY_ERR_ARGUMENT;
    }
    memset(out, 0, sizeof *out);
    uint64_t cycle = ployi_scheduler_cycle(scheduler, (uint64_t)max_ticks);
    out->exact = cycle != 0;
    out->ticks = cycle != 0 ? (int64_t)cycle : max_ticks;
    // Twice over the same ticks: the bars' width is known only after the first.
    for (int32_t pass = 0; pass < 2; pass++) {
        double sum = 0.0, squares = 0.0;
        for (int64_t i = 0; i < out->ticks; i++) {
            uint64_t tick = (uint64_t)i;
            // 2^40 ticks hold many cycles of anything that is worth drawing from.
            if (!out->exact) tick = ploy_rng_u64_at(key, 0, (uint64_t)i, 0) >> 24;
            double load = ployi_scheduler_workload(scheduler, tick, weighed);
            if (pass == 1) {
                int32_t bar = (int32_t)(load / out->bar);
                out->histogram[bar < PLOY_CLUMPING_BARS ? bar : PLOY_CLUMPING_BARS - 1]++;
                continue;
            }
            sum += load;
            squares += load * load;
            if (i == 0 || load < out->min) out->min = load;
            if (i == 0 || load > out->max) out->max = load;
        }
        if (pass == 1) break;
        out->mean = sum / (double)out->ticks;
        double variance = squares / (double)out->ticks - out->mean * out->mean;
        out->sd = variance > 0.0 ? sqrt(variance) : 0.0;
        out->bar = 1.0;
        if (out->max >= PLOY_CLUMPING_BARS) out->bar = (out->max + 1.0) / PLOY_CLUMPING_BARS;
    }
    return PLOY_OK;
}

// ---- picking

static void phase_fill_loads(ploy_scheduler *scheduler) {
    int32_t length = scheduler->def.look_ahead;
    int64_t *loads = scheduler->loads;
    uint64_t now = scheduler->tick;
    memset(loads, 0, (size_t)length * sizeof *loads);
    for (int32_t i = 0; i < scheduler->period_count; i++) {
        int32_t period = scheduler->periods[i];
        const ployi_scheduler_bucket *buckets = scheduler->buckets[period];
        int32_t slot = (int32_t)(now % (uint64_t)period);
        for (int32_t k = 0; k < length; k++) {
            loads[k] += buckets[slot].weight;
            slot = slot + 1 < period ? slot + 1 : 0;
        }
    }
    if (scheduler->buckets[0] == NULL) return;
    for (int32_t i = scheduler->buckets[0][0].first; i >= 0; i = scheduler->next[i]) {
        const ployi_scheduler_item *record = &scheduler->items[i];
        int32_t period = record->schedule.period;
        uint64_t first = ployi_scheduler_next_due(now, period, record->slot) - now;
        for (uint64_t k = first; k < (uint64_t)length; k += (uint64_t)period) {
            loads[k] += record->cost;
        }
    }
}

int32_t ployi_scheduler_pick_slot(ploy_scheduler *scheduler, int32_t period) {
    phase_fill_loads(scheduler);
    int32_t length = scheduler->def.look_ahead, best = 0;
    int64_t best_max = 0, best_sum = 0, best_count = 0;
    for (int32_t k = 0; k < period && k < length; k++) {
        int64_t max = 0, sum = 0, count = 0;
        for (int32_t at = k; at < length; at += period) {
            int64_t load = scheduler->loads[at];
            if (load > max) max = load;
            sum += load;
            count++;
        }
        // Means, not sums: a window that is no multiple of the period counts some slots more often.
        bool better = best_count == 0 || max < best_max ||
                      (max == best_max &&
                       (double)sum / (double)count < (double)best_sum / (double)best_count);
        if (!better) continue;
        best = k;
        best_max = max;
        best_sum = sum;
        best_count = count;
    }
    return (int32_t)((scheduler->tick + (uint64_t)best) % (uint64_t)period);
}

int32_t ploy_scheduler_pick_phase(ploy_scheduler *scheduler, int32_t period) {
    if (scheduler == NULL || period < 1 || period > 1 << 20) return 0;
    int32_t slot = ployi_scheduler_pick_slot(scheduler, period);
    return slot > 0 ? period - slot : 0;
}
