// A scheduler in a file, item by item: what the turns so far came to, so that a group that is loaded
// divides its time as it would have.
#include "scheduler_internal.h"

#include "ploy/base/math.h"

// Costs beyond this would overflow the sums that phases are chosen by.
#define SCHEDULER_SAVE_COST_MAX ((int64_t)1 << 40)

static void scheduler_save_i64(ploy_json_writer *out, const char *key, int64_t value) {
    if (value == 0) return;
    ploy_json_write_key(out, key);
    ploy_json_write_i64(out, value);
}

static int64_t scheduler_load_i64(const ploy_json *doc, ploy_json_node node, const char *key,
                                  int64_t most) {
    int64_t value = 0;
    (void)ploy_json_i64(doc, ploy_json_member(doc, node, key), &value);
    return value < 0 ? 0 : value > most ? most : value;
}

static float scheduler_load_f32(const ploy_json *doc, ploy_json_node node, const char *key) {
    double value = 1.0;
    if (ploy_json_f64(doc, ploy_json_member(doc, node, key), &value) != PLOY_OK) return 1.0f;
    return value >= 0.0 && value <= 1e6 ? (float)value : 1.0f;
}

void ployi_scheduler_save_item(const ploy_scheduler *scheduler, int32_t item,
                               ploy_json_writer *out) {
    const ployi_scheduler_item *record = &scheduler->items[item];
    ploy_json_write_begin_object(out);
    scheduler_save_i64(out, "cost_16", record->cost);
    scheduler_save_i64(out, "allowed", record->allowed);
    scheduler_save_i64(out, "last", (int64_t)record->last);
    scheduler_save_i64(out, "from", (int64_t)record->from);
    scheduler_save_i64(out, "streak", record->streak);
    scheduler_save_i64(out, "turns", record->turns);
    scheduler_save_i64(out, "waits", record->waits);
    scheduler_save_i64(out, "spent", record->spent);
    scheduler_save_i64(out, "most_spent", record->most_spent);
    scheduler_save_i64(out, "last_spent", record->last_spent);
    scheduler_save_i64(out, "overruns", record->overruns);
    scheduler_save_i64(out, "worst_interval", (int64_t)record->worst_interval);
    ploy_json_write_key(out, "ratio");
    ploy_json_write_f64(out, (double)record->ratio);
    ploy_json_write_key(out, "bias");
    ploy_json_write_f64(out, (double)record->bias);
    ploy_json_write_end_object(out);
}

void ployi_scheduler_save_all(const ploy_scheduler *scheduler, ploy_json_writer *out) {
    ploy_json_write_begin_object(out);
    scheduler_save_i64(out, "tick", (int64_t)scheduler->tick);
    scheduler_save_i64(out, "cursor", scheduler->cursor);
    scheduler_save_i64(out, "spent", scheduler->spent);
    ploy_json_write_end_object(out);
}

void ployi_scheduler_load_all(ploy_scheduler *scheduler, const ploy_json *doc,
                              ploy_json_node node) {
    // What is linked depends on the tick: all out, then in again.
    for (int32_t i = 0; i < scheduler->capacity; i++) {
        ployi_scheduler_item *record = &scheduler->items[i];
        if (!record->used || !record->enabled) continue;
        ploy_scheduler_set_enabled(scheduler, i, false);
        record->listed = true; // a note, until it is in again
    }
    scheduler->tick = (uint64_t)scheduler_load_i64(doc, node, "tick", (int64_t)1 << 52);
    int64_t cursor = scheduler_load_i64(doc, node, "cursor", PLOY_SCHEDULER_ITEMS_MAX);
    scheduler->cursor = cursor <= scheduler->capacity ? (int32_t)cursor : 0;
    scheduler->spent = scheduler_load_i64(doc, node, "spent", INT64_MAX / 2);
    for (int32_t i = 0; i < scheduler->capacity; i++) {
        if (!scheduler->items[i].used || !scheduler->items[i].listed) continue;
        scheduler->items[i].listed = false;
        ploy_scheduler_set_enabled(scheduler, i, true);
    }
}

void ployi_scheduler_load_item(ploy_scheduler *scheduler, int32_t item, const ploy_json *doc,
                               ploy_json_node node) {
    ployi_scheduler_item *record = ployi_scheduler_find(scheduler, item);
    if (record == NULL) return;
    const int64_t most = INT64_MAX / 2;
    ployi_scheduler_set_cost(scheduler, item,
                             scheduler_load_i64(doc, node, "cost_16", SCHEDULER_SAVE_COST_MAX));
    int64_t tick = (int64_t)scheduler->tick;
    record->allowed = scheduler_load_i64(doc, node, "allowed", most);
    record->last = (uint64_t)scheduler_load_i64(doc, node, "last", tick);
    record->from = (uint64_t)scheduler_load_i64(doc, node, "from", tick);
    record->streak = scheduler_load_i64(doc, node, "streak", tick);
    record->turns = scheduler_load_i64(doc, node, "turns", most);
    record->waits = scheduler_load_i64(doc, node, "waits", most);
    record->spent = scheduler_load_i64(doc, node, "spent", most);
    record->most_spent = scheduler_load_i64(doc, node, "most_spent", most);
    record->last_spent = scheduler_load_i64(doc, node, "last_spent", most);
    record->overruns = scheduler_load_i64(doc, node, "overruns", most);
    record->worst_interval = (uint64_t)scheduler_load_i64(doc, node, "worst_interval", most);
    record->ratio = scheduler_load_f32(doc, node, "ratio");
    record->bias = scheduler_load_f32(doc, node, "bias");
}

void ployi_scheduler_wait(ploy_scheduler *scheduler, int32_t item) {
    ployi_scheduler_item *record = ployi_scheduler_find(scheduler, item);
    if (record == NULL || !record->enabled || record->put_off) return;
    record->put_off = true;
    scheduler->waiting[scheduler->waiting_count++] = item; // as many places as items
}
