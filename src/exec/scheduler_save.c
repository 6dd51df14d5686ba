// A scheduler in a file, item by item: what the turns so far came to, so that a group that is loaded
// divides its time as it would have.
#include "scheduler_internal.h"

#include "ploy/base/math.h"

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

static void scheduler_save_visit(ploy_visit *v, void *record) {
    ployi_scheduler_visit_service(v, record);
}

void ployi_scheduler_save_item(const ploy_scheduler *scheduler, int32_t item,
                               ploy_json_writer *out) {
    ploy_visit_save(scheduler_save_visit, &scheduler->items[item], NULL, out);
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

ploy_result ployi_scheduler_load_item(ploy_scheduler *scheduler, int32_t item, const ploy_json *doc,
                                      ploy_json_node node, ploy_diags *diags) {
    ployi_scheduler_item *record = ployi_scheduler_find(scheduler, item);
    if (record == NULL || ploy_json_is_none(node)) return PLOY_OK;
    int64_t before = record->cost;
    ploy_result result = ploy_visit_load_known(scheduler_save_visit, record, NULL, doc, node,
                                               &scheduler->env, diags);
    int64_t cost = record->cost;
    record->cost = before; // its phase's load depends on it
    ployi_scheduler_set_cost(scheduler, item, cost);
    if (record->last > scheduler->tick) record->last = scheduler->tick;
    if (record->from > scheduler->tick) record->from = scheduler->tick;
    int64_t tick = (int64_t)scheduler->tick;
    record->streak = record->streak < tick ? record->streak : tick;
    return result;
}

void ployi_scheduler_wait(ploy_scheduler *scheduler, int32_t item) {
    ployi_scheduler_item *record = ployi_scheduler_find(scheduler, item);
    if (record == NULL || !record->enabled || record->put_off) return;
    record->put_off = true;
    scheduler->waiting[scheduler->waiting_count++] = item; // as many places as items
}
