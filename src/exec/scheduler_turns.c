// The turns of a tick: who, in what order, how much. The header states the rules.
//
// While a tick is under way order[0..due) holds its turns and merge[i] the weight of order[i]; what
// next has passed lies before `at`. An item that goes, or may not have turns any more, is not
// listed, and its place in order is passed over.
#include <string.h>

#include "base/compiler.h"
#include "exec/scheduler_internal.h"

// Parts of a priority that an adaptive policy can tell apart; weights stay below 2^16.
#define SCHEDULER_BIAS_STEPS 64
// The running mean of costs moves by an eighth, that of spent to allowed by a tenth.
#define SCHEDULER_COST_PARTS 8
#define SCHEDULER_COST_MAX ((int64_t)1 << 40)
// Turns between the request for an item's memory and its use.
#define SCHEDULER_AHEAD 4

uint64_t ployi_scheduler_next_due(uint64_t tick, int32_t period, int32_t slot) {
    uint64_t length = (uint64_t)period, now = tick % length;
    return tick + ((uint64_t)slot + length - now) % length;
}

// ---- sorting

static void scheduler_merge_two(const int32_t *from, int32_t middle, int32_t end, int32_t *to) {
    int32_t a = 0, b = middle;
    if (middle < end && middle > 0 && from[middle - 1] < from[middle]) a = middle, b = end;
    if (a == middle) {
        memcpy(to, from, (size_t)end * sizeof *to);
        return;
    }
    int32_t count = 0;
    while (a < middle && b < end) { // without a branch on the numbers: any may be the lower
        int32_t x = from[a], y = from[b], first = x < y;
        to[count++] = first ? x : y;
        a += first;
        b += 1 - first;
    }
    memcpy(to + count, from + a, (size_t)(middle - a) * sizeof *to);
    memcpy(to + count + middle - a, from + b, (size_t)(end - b) * sizeof *to);
}

// Sorts different numbers from 0 to highest by setting a bit for each.
static void scheduler_sort_bits(int32_t *numbers, int32_t *merge, int32_t count, int32_t highest) {
    uint32_t *words = (uint32_t *)merge;
    int32_t size = highest / 32 + 1;
    memset(words, 0, (size_t)size * sizeof *words);
    for (int32_t i = 0; i < count; i++) {
        words[numbers[i] >> 5] |= (uint32_t)1 << (numbers[i] & 31);
    }
    int32_t made = 0;
    for (int32_t i = 0; i < size; i++) {
        for (uint64_t word = words[i]; word != 0; word &= word - 1) {
            numbers[made++] = 32 * i + ployi_lowest_bit(word);
        }
    }
    PLOY_ASSERT(made == count);
}

void ployi_scheduler_merge(int32_t *numbers, int32_t *merge, int32_t *bounds, int32_t runs) {
    int32_t *from = numbers, *to = merge;
    int32_t count = runs > 0 ? bounds[runs - 1] : 0, highest = 0;
    for (int32_t i = 0; i < runs; i++) {
        int32_t last = numbers[bounds[i] - 1];
        highest = last > highest ? last : highest;
    }
    if (runs > 1 && highest / 32 < count) {
        scheduler_sort_bits(numbers, merge, count, highest);
        return;
    }
    while (runs > 1) {
        int32_t made = 0, start = 0;
        for (int32_t i = 0; i < runs; i += 2) {
            int32_t middle = bounds[i], end = i + 1 < runs ? bounds[i + 1] : middle;
            scheduler_merge_two(from + start, middle - start, end - start, to + start);
            bounds[made++] = end;
            start = end;
        }
        runs = made;
        int32_t *swap = from;
        from = to;
        to = swap;
    }
    if (from != numbers) memcpy(numbers, from, (size_t)count * sizeof *numbers);
}

void ployi_scheduler_sort(int32_t *numbers, int32_t *merge, int32_t count) {
    int32_t rising = 1;
    while (rising < count && numbers[rising - 1] < numbers[rising]) rising++;
    if (rising >= count) return;
    int32_t *from = numbers, *to = merge;
    for (int32_t width = 1; width < count; width *= 2) {
        for (int32_t start = 0; start < count; start += 2 * width) {
            int32_t left = count - start;
            int32_t middle = left < width ? left : width, end = left < 2 * width ? left : 2 * width;
            scheduler_merge_two(from + start, middle, end, to + start);
        }
        int32_t *swap = from;
        from = to;
        to = swap;
    }
    if (from != numbers) memcpy(numbers, from, (size_t)count * sizeof *numbers);
}

// ---- who

// Appends those of a list that do not wait already.
static int32_t scheduler_take_list(const ploy_scheduler *scheduler, int32_t first, int32_t *out) {
    int32_t count = 0;
    const int32_t *next = scheduler->next;
    if (scheduler->waiting_count == 0) {
        for (int32_t i = first; i >= 0; i = next[i]) out[count++] = i;
        return count;
    }
    for (int32_t i = first; i >= 0; i = next[i]) {
        if (!scheduler->items[i].put_off) out[count++] = i;
    }
    return count;
}

static int32_t scheduler_take_later(ploy_scheduler *scheduler, int32_t *out) {
    int32_t count = 0, item = 0;
    double key = 0.0;
    double now = (double)scheduler->tick;
    while (ploy_indexed_heap_peek(&scheduler->later, &item, &key) && key <= now) {
        const ployi_scheduler_item *record = &scheduler->items[item];
        int32_t period = record->schedule.period;
        // Below now if ticks were left out: then it may still be due in this one.
        uint64_t next = key < now ? ployi_scheduler_next_due(scheduler->tick, period, record->slot)
                                  : scheduler->tick + (uint64_t)period;
        ploy_indexed_heap_update(&scheduler->later, item, (double)next);
        if (key == now && !record->put_off) out[count++] = item;
    }
    return count;
}

// Those that are due and do not wait already, by rising number.
static int32_t scheduler_list_due(ploy_scheduler *scheduler, int32_t *out, int32_t *merge) {
    int32_t count = 0, runs = 0;
    if (scheduler->def.policy == PLOY_POLICY_PRIORITY_ONLY) {
        for (int32_t i = 0; i < scheduler->capacity; i++) {
            const ployi_scheduler_item *record = &scheduler->items[i];
            if (record->enabled && !record->put_off) out[count++] = i;
        }
        return count;
    }
    int32_t bounds[PLOY_SCHEDULER_DIRECT_MAX + 1];
    for (int32_t i = 0; i < scheduler->period_count; i++) {
        int32_t period = scheduler->periods[i];
        if (scheduler->linked[period] == 0) continue;
        const ployi_scheduler_bucket *lists = scheduler->buckets[period];
        int32_t slot = (int32_t)(scheduler->tick % (uint64_t)period);
        int32_t more = scheduler_take_list(scheduler, lists[slot].first, out + count);
        count += more;
        if (more > 0) bounds[runs++] = count;
    }
    int32_t more = scheduler_take_later(scheduler, out + count);
    count += more;
    if (more > 0) bounds[runs++] = count;
    ployi_scheduler_merge(out, merge, bounds, runs);
    return count;
}

// Lets the numbers begin at the cursor.
static void scheduler_rotate(int32_t *numbers, int32_t *merge, int32_t count, int32_t cursor) {
    int32_t split = 0;
    while (split < count && numbers[split] < cursor) split++;
    if (split == 0 || split == count) return;
    memcpy(merge, numbers, (size_t)split * sizeof *numbers);
    memmove(numbers, numbers + split, (size_t)(count - split) * sizeof *numbers);
    memcpy(numbers + count - split, merge, (size_t)split * sizeof *numbers);
}

// ---- in what order

// Moves those that had no turn for their max_interval to the front, keeping the order otherwise.
static void scheduler_order_bounded(ploy_scheduler *scheduler, int32_t *order, int32_t count) {
    int32_t front = 0, rest = 0;
    for (int32_t i = 0; i < count; i++) {
        const ployi_scheduler_item *record = &scheduler->items[order[i]];
        uint64_t bound = (uint64_t)record->schedule.max_interval;
        bool late = bound > 0 && scheduler->tick - record->from >= bound;
        if (late) {
            order[front++] = order[i];
        } else {
            scheduler->merge[rest++] = order[i];
        }
    }
    memcpy(order + front, scheduler->merge, (size_t)rest * sizeof *order);
}

static bool scheduler_asks_before(const ploy_scheduler *scheduler, int32_t a, int32_t b) {
    const ployi_scheduler_item *x = &scheduler->items[a], *y = &scheduler->items[b];
    bool late_x = x->put_off && x->streak >= scheduler->def.patience;
    bool late_y = y->put_off && y->streak >= scheduler->def.patience;
    if (late_x != late_y) return late_x;
    if (!late_x && x->schedule.priority != y->schedule.priority) {
        return x->schedule.priority > y->schedule.priority;
    }
    if (x->streak != y->streak) return x->streak > y->streak;
    return a < b;
}

static void scheduler_order_requests(ploy_scheduler *scheduler) {
    int32_t *from = scheduler->order, *to = scheduler->merge, count = scheduler->due;
    for (int32_t width = 1; width < count; width *= 2) {
        for (int32_t start = 0; start < count; start += 2 * width) {
            int32_t left = count - start, a = start, b = start + (left < width ? left : width);
            int32_t middle = b, end = start + (left < 2 * width ? left : 2 * width);
            for (int32_t i = start; i < end; i++) {
                bool first =
                    b >= end || (a < middle && scheduler_asks_before(scheduler, from[a], from[b]));
                to[i] = first ? from[a++] : from[b++];
            }
        }
        int32_t *swap = from;
        from = to;
        to = swap;
    }
    if (from != scheduler->order) memcpy(scheduler->order, from, (size_t)count * sizeof *from);
}

// ---- how much

static int32_t scheduler_weight(const ploy_scheduler *scheduler,
                                const ployi_scheduler_item *record) {
    switch (scheduler->def.policy) {
    case PLOY_POLICY_EVEN: return 1;
    case PLOY_POLICY_ADAPTIVE: {
        int32_t weight =
            (int32_t)((float)record->schedule.priority * record->bias * SCHEDULER_BIAS_STEPS);
        return weight > 1 ? weight : 1;
    }
    default: return record->schedule.priority;
    }
}

// The part of the units that falls to a weight out of all, at least 1.
static int64_t scheduler_share(int64_t units, int64_t weight, int64_t total) {
    if (units == PLOY_BUDGET_UNLIMITED) return units;
    int64_t share = 0;
    if (units <= UINT16_MAX && weight <= UINT16_MAX && total <= UINT32_MAX) {
        // The usual sizes: a narrow division is several times as fast as a wide one.
        share = (int64_t)((uint32_t)units * (uint32_t)weight / (uint32_t)total);
    } else {
        // Divided first: units times weight could overflow. The result is the same.
        share = units / total * weight + units % total * weight / total;
    }
    return share > 1 ? share : 1;
}

static int64_t scheduler_mean_cost(const ployi_scheduler_item *record) {
    return (record->cost + PLOYI_SCHEDULER_COST_ONE / 2) / PLOYI_SCHEDULER_COST_ONE;
}

// What the policy alone would give to order[at], out of the weight still to come.
static int64_t scheduler_policy_share(const ploy_scheduler *scheduler,
                                      const ployi_scheduler_item *record, int32_t at,
                                      int64_t weight) {
    if (scheduler->def.policy == PLOY_POLICY_REQUEST) return record->schedule.request;
    if (scheduler->def.policy == PLOY_POLICY_CUSTOM) return scheduler->allowances[at];
    int64_t own = scheduler->merge[at];
    int64_t share = scheduler_share(scheduler->remaining, own, weight);
    if (record->schedule.wants_spare) return share;
    int64_t fair = scheduler_share(scheduler->units, own, scheduler->total_weight);
    return share < fair ? share : fair;
}

// The units for order[at], or 0: it is put off.
static int64_t scheduler_allow(const ploy_scheduler *scheduler, const ployi_scheduler_item *record,
                               int32_t at, int64_t weight) {
    const ploy_schedule *schedule = &record->schedule;
    bool first = scheduler->served == 0;
    int64_t left = scheduler->remaining;
    int64_t share = scheduler_policy_share(scheduler, record, at, weight);
    if (share <= 0 && !first) return 0;
    if (schedule->max_slice > 0 && share > schedule->max_slice) share = schedule->max_slice;
    int64_t need = schedule->min_slice;
    if (schedule->indivisible || scheduler->def.predict) {
        int64_t whole = scheduler_mean_cost(record);
        if (scheduler->def.policy == PLOY_POLICY_REQUEST) whole = schedule->request;
        if (whole > need) need = whole;
    }
    if (need > left && !first) return 0;
    int64_t least = schedule->indivisible ? need : schedule->min_slice;
    if (share > left) share = left;
    if (share < least) share = least; // the first may overdraw what is left
    return share > 1 ? share : 1;
}

static void scheduler_ask_policy(ploy_scheduler *scheduler) {
    for (int32_t i = 0; i < scheduler->due; i++) {
        const ployi_scheduler_item *record = &scheduler->items[scheduler->order[i]];
        ploy_turn_ask *ask = &scheduler->asks[i];
        ask->item = scheduler->order[i];
        ask->priority = record->schedule.priority;
        ask->request = record->schedule.request;
        ask->min_slice = record->schedule.min_slice;
        ask->max_slice = record->schedule.max_slice;
        ask->waits = record->streak;
        ask->cost = scheduler_mean_cost(record);
        scheduler->allowances[i] = 0;
    }
    if (scheduler->due == 0) return;
    scheduler->allocate(scheduler->allocate_user, scheduler->asks, scheduler->due, scheduler->units,
                        scheduler->allowances);
}

// ---- a tick

// An item is three lines of memory. The beginning of a tick reads the first of each, a turn the others
// too: all are requested some items ahead.
static inline void scheduler_fetch(const ploy_scheduler *scheduler, int32_t at) {
    if (at >= scheduler->due) return;
    PLOYI_PREFETCH(&scheduler->items[scheduler->order[at]].schedule);
}

static inline void scheduler_fetch_rest(const ploy_scheduler *scheduler, int32_t item) {
    if (item < 0) return;
    const ployi_scheduler_item *record = &scheduler->items[item];
    PLOYI_PREFETCH(&record->from);
    PLOYI_PREFETCH((const char *)(record + 1) - 1);
}

ploy_result ploy_scheduler_begin(ploy_scheduler *scheduler, uint64_t tick, int64_t units,
                                 int32_t *due) {
    if (scheduler == NULL) return PLOY_ERR_ARGUMENT;
    if (scheduler->phase != PLOYI_SCHEDULER_IDLE) return PLOY_ERR_STATE;
    if (tick < scheduler->tick || tick > PLOYI_SCHEDULER_TICK_MAX) return PLOY_ERR_ARGUMENT;
    scheduler->tick = tick;
    scheduler->phase = PLOYI_SCHEDULER_BEGUN;
    scheduler->units = units > 0 ? units : 0;
    scheduler->remaining = scheduler->units;
    scheduler->at = 0;
    scheduler->served = 0;
    scheduler->shares = !scheduler->def.predict && scheduler->def.policy != PLOY_POLICY_REQUEST &&
                        scheduler->def.policy != PLOY_POLICY_CUSTOM;
    int32_t waiting = scheduler->waiting_count;
    if (waiting > 0) {
        memcpy(scheduler->order, scheduler->waiting, (size_t)waiting * sizeof(int32_t));
    }
    int32_t *fresh = scheduler->order + waiting;
    int32_t count = scheduler_list_due(scheduler, fresh, scheduler->merge);
    scheduler->due = waiting + count;
    if (scheduler->def.policy == PLOY_POLICY_REQUEST) {
        scheduler_order_requests(scheduler);
    } else {
        scheduler_rotate(fresh, scheduler->merge, count, scheduler->cursor);
        // The longest waiting stays in front, on which the bound for all items depends.
        int32_t kept = waiting > 0 ? 1 : 0;
        if (scheduler->bounded > 0) {
            scheduler_order_bounded(scheduler, scheduler->order + kept, scheduler->due - kept);
        }
    }
    int64_t weight = 0;
    for (int32_t i = 0; i < scheduler->due; i++) {
        scheduler_fetch(scheduler, i + 4 * SCHEDULER_AHEAD);
        ployi_scheduler_item *record = &scheduler->items[scheduler->order[i]];
        record->listed = true;
        scheduler->merge[i] = scheduler_weight(scheduler, record);
        weight += scheduler->merge[i];
    }
    scheduler->weight = weight;
    scheduler->total_weight = weight;
    if (scheduler->def.policy == PLOY_POLICY_CUSTOM) scheduler_ask_policy(scheduler);
    if (due != NULL) *due = scheduler->due;
    return PLOY_OK;
}

static bool scheduler_give(ploy_scheduler *scheduler, int32_t item, int64_t allowed,
                           ploy_turn *out) {
    ployi_scheduler_item *record = &scheduler->items[item];
    record->listed = false;
    record->put_off = false;
    record->streak = 0;
    record->allowed = allowed;
    scheduler->served++;
    out->item = item;
    out->allowed = allowed;
    return true;
}

// The next turn, whatever its item asks for.
PLOYI_OUTLINE bool scheduler_next_any(ploy_scheduler *scheduler, ploy_turn *out) {
    while (scheduler->at < scheduler->due && scheduler->remaining > 0) {
        int32_t at = scheduler->at++, item = scheduler->order[at];
        int64_t weight = scheduler->weight;
        scheduler->weight -= scheduler->merge[at];
        const ployi_scheduler_item *record = &scheduler->items[item];
        if (!record->listed) continue; // it went meanwhile
        int64_t allowed = scheduler->shares && record->plain
                              ? scheduler_share(scheduler->remaining, scheduler->merge[at], weight)
                              : scheduler_allow(scheduler, record, at, weight);
        if (allowed == 0) continue; // still listed: the end of the tick puts it off
        return scheduler_give(scheduler, item, allowed, out);
    }
    return false;
}

static bool scheduler_next_turn(ploy_scheduler *scheduler, ploy_turn *out) {
    int32_t at = scheduler->at;
    if (at >= scheduler->due || scheduler->remaining <= 0) return false;
    scheduler_fetch_rest(scheduler, ployi_scheduler_ahead(scheduler, SCHEDULER_AHEAD));
    int32_t item = scheduler->order[at];
    const ployi_scheduler_item *record = &scheduler->items[item];
    bool usual = scheduler->shares && record->plain && record->listed;
    if (!usual) return scheduler_next_any(scheduler, out);
    int64_t weight = scheduler->weight, own = scheduler->merge[at];
    scheduler->at = at + 1;
    scheduler->weight = weight - own;
    return scheduler_give(scheduler, item, scheduler_share(scheduler->remaining, own, weight), out);
}

bool ploy_scheduler_next(ploy_scheduler *scheduler, ploy_turn *out) {
    if (scheduler->phase == PLOYI_SCHEDULER_BEGUN) scheduler->phase = PLOYI_SCHEDULER_SERIAL;
    return scheduler->phase == PLOYI_SCHEDULER_SERIAL && scheduler_next_turn(scheduler, out);
}

static void scheduler_deduct(ploy_scheduler *scheduler, int64_t units) {
    if (scheduler->remaining == PLOY_BUDGET_UNLIMITED) return;
    scheduler->remaining = units < scheduler->remaining ? scheduler->remaining - units : 0;
}

int32_t ploy_scheduler_plan(ploy_scheduler *scheduler, ploy_turn *turns) {
    if (scheduler->phase != PLOYI_SCHEDULER_BEGUN) return 0;
    scheduler->phase = PLOYI_SCHEDULER_PLANNED;
    int32_t count = 0;
    while (scheduler_next_turn(scheduler, &turns[count])) {
        scheduler_deduct(scheduler, turns[count].allowed);
        count++;
    }
    return count;
}

// Less for those that overspend again and again, and slowly back to what the designer gave.
static void scheduler_adapt(ployi_scheduler_item *record, int64_t spent) {
    if (record->allowed == PLOY_BUDGET_UNLIMITED) return;
    float ratio = (float)spent / (float)record->allowed;
    record->ratio = 0.9f * record->ratio + 0.1f * ratio;
    if (record->ratio > 1.1f) {
        float factor = 1.0f / record->ratio;
        record->bias *= factor > 0.5f ? factor : 0.5f;
        float least = 1.0f / SCHEDULER_BIAS_STEPS;
        if (record->bias < least) record->bias = least;
    } else {
        record->bias += 0.02f * (1.0f - record->bias);
    }
}

void ploy_scheduler_report(ploy_scheduler *scheduler, int32_t item, int64_t spent) {
    if (scheduler == NULL || scheduler->phase == PLOYI_SCHEDULER_IDLE) return;
    if (spent < 1) spent = 1;
    if (scheduler->phase == PLOYI_SCHEDULER_SERIAL) scheduler_deduct(scheduler, spent);
    scheduler->spent = spent > INT64_MAX - scheduler->spent ? INT64_MAX : scheduler->spent + spent;
    ployi_scheduler_item *record = ployi_scheduler_find(scheduler, item);
    if (record == NULL) return; // it removed itself
    uint64_t interval = scheduler->tick - record->from;
    if (interval > record->worst_interval) record->worst_interval = interval;
    record->last = scheduler->tick;
    record->from = scheduler->tick;
    record->last_spent = spent;
    record->spent = spent > INT64_MAX - record->spent ? INT64_MAX : record->spent + spent;
    if (spent > record->most_spent) record->most_spent = spent;
    if (spent > record->allowed) record->overruns++;
    int64_t cost = (spent < SCHEDULER_COST_MAX ? spent : SCHEDULER_COST_MAX);
    cost *= PLOYI_SCHEDULER_COST_ONE;
    int64_t change = cost - record->cost;
    if (record->turns > 0) change /= SCHEDULER_COST_PARTS;
    record->turns++;
    record->cost += change;
    int32_t period = record->schedule.period;
    bool direct = period <= PLOY_SCHEDULER_DIRECT_MAX;
    scheduler->buckets[direct ? period : 0][direct ? record->slot : 0].weight += change;
    if (scheduler->def.policy == PLOY_POLICY_ADAPTIVE) scheduler_adapt(record, spent);
    scheduler->cursor = item + 1;
}

void ploy_scheduler_end(ploy_scheduler *scheduler) {
    if (scheduler == NULL || scheduler->phase == PLOYI_SCHEDULER_IDLE) return;
    int32_t kept = 0;
    for (int32_t i = 0; i < scheduler->waiting_count; i++) {
        int32_t item = scheduler->waiting[i];
        if (scheduler->items[item].put_off) scheduler->waiting[kept++] = item;
    }
    for (int32_t i = 0; i < scheduler->due; i++) {
        int32_t item = scheduler->order[i];
        ployi_scheduler_item *record = &scheduler->items[item];
        if (!record->listed) continue;
        record->listed = false;
        record->streak++;
        record->waits++;
        if (!record->put_off) scheduler->waiting[kept++] = item;
        record->put_off = true;
    }
    scheduler->waiting_count = kept;
    if (kept == 0) scheduler->cursor = 0;
    scheduler->phase = PLOYI_SCHEDULER_IDLE;
    scheduler->tick++;
}

#undef SCHEDULER_BIAS_STEPS
#undef SCHEDULER_COST_PARTS
#undef SCHEDULER_COST_MAX
#undef SCHEDULER_AHEAD
