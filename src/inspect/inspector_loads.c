// What thinking cost, tick by tick, for the strip below a timeline: nothing is left out between two
// messages, as it would be if only the newest tick were sent.
//
// Invariants:
//   (1) item i covers the ticks from + i * every to from + (i + 1) * every - 1, the last one perhaps
//       only the first of them;
//   (2) there are at most LOADS_MAX items. When they are full, two become one with the least and the
//       most of both: a long recording loses sharpness and no peak.
//
// As the journal it is for people: where memory is short it has gaps.
#include "inspect/inspector_internal.h"

#include <stddef.h>
#include <string.h>

#define LOADS_MAX 32768
// Items in one message; the rest follows in the next ones.
#define LOADS_MESSAGE_MAX 2000

static int32_t loads_clip(int64_t value) {
    return value > INT32_MAX ? INT32_MAX : value < -1 ? -1 : (int32_t)value;
}

// Clients have at most that many items that are still true.
static void loads_lower(const ployi_inspect_journal *journal, int64_t count) {
    ploy_inspector *inspector = journal->inspector;
    for (int32_t i = 0; i < inspector->def.max_clients; i++) {
        ployi_inspect_client *client = &inspector->clients[i];
        if (!client->used) continue;
        ployi_inspect_watch *watch = ployi_inspect_watch_find(inspector, client, journal->session);
        if (watch == NULL || watch->loads_seen <= count) continue;
        watch->loads_seen = count;
        watch->loads_cut = true;
    }
}

static void loads_join(ployi_inspect_cost *one, const ployi_inspect_cost *other) {
    if (other->least < one->least) one->least = other->least;
    if (other->most > one->most) one->most = other->most;
    if (other->units >= 0 && (one->units < 0 || other->units < one->units)) {
        one->units = other->units;
    }
    if (other->put_off > one->put_off) one->put_off = other->put_off;
}

// Two become one; keeps (2).
static void loads_halve(ployi_inspect_journal *journal) {
    ployi_inspect_loads *loads = &journal->loads;
    int64_t half = (loads->count + 1) / 2;
    for (int64_t i = 0; i < half; i++) {
        ployi_inspect_cost joined = loads->items[2 * i];
        if (2 * i + 1 < loads->count) loads_join(&joined, &loads->items[2 * i + 1]);
        loads->items[i] = joined;
    }
    loads->count = half;
    loads->every *= 2;
    loads_lower(journal, 0); // everything is sent to them again
}

static bool loads_grow(ployi_inspect_journal *journal) {
    ployi_inspect_loads *loads = &journal->loads;
    if (loads->count < loads->capacity) return true;
    int64_t wanted = loads->capacity > 0 ? 2 * loads->capacity : PLOY_CAPACITY(256);
    ployi_inspect_cost *grown =
        ploy_env_resize(&journal->env, loads->items, (size_t)loads->capacity * sizeof *grown,
                        (size_t)wanted * sizeof *grown);
    if (grown == NULL) return false;
    loads->items = grown;
    loads->capacity = wanted;
    return true;
}

void ployi_inspect_loads_add(ployi_inspect_journal *journal, uint64_t tick,
                             const ploy_workload *load) {
    ployi_inspect_loads *loads = &journal->loads;
    int32_t spent = loads_clip(load->spent);
    ployi_inspect_cost cost = {spent, spent,
                               load->units == PLOY_BUDGET_UNLIMITED ? -1 : loads_clip(load->units),
                               loads_clip(load->put_off)};
    if (loads->count == 0) {
        loads->from = tick;
        loads->every = 1;
    } else if (loads->count == LOADS_MAX &&
               tick >= loads->from + (uint64_t)loads->count * loads->every) {
        loads_halve(journal);
    }
    int64_t index = (int64_t)((tick - loads->from) / loads->every);
    if (tick < loads->from || index > loads->count) { // ticks are missing: begin again, keeps (1)
        ployi_inspect_loads_cut(journal, 0);
        ployi_inspect_loads_add(journal, tick, load);
    } else if (index < loads->count) {
        loads_join(&loads->items[index], &cost);
        loads_lower(journal, index); // the last one is another now
    } else if (loads_grow(journal)) {
        loads->items[loads->count++] = cost;
    }
}

void ployi_inspect_loads_cut(ployi_inspect_journal *journal, uint64_t tick) {
    ployi_inspect_loads *loads = &journal->loads;
    if (loads->count == 0) return;
    // Of an item that is cut through nothing is known any more.
    int64_t kept = tick < loads->from ? 0 : (int64_t)((tick + 1 - loads->from) / loads->every);
    if (kept >= loads->count) return;
    loads->count = kept;
    loads_lower(journal, kept);
}

void ployi_inspect_loads_fini(ployi_inspect_journal *journal) {
    ployi_inspect_loads *loads = &journal->loads;
    ploy_env_free(&journal->env, loads->items, (size_t)loads->capacity * sizeof *loads->items);
    loads->items = NULL;
    loads->count = loads->capacity = 0;
}

// One column of the table that the items are.
static void loads_column(ploy_json_writer *json, const char *name, const ployi_inspect_cost *first,
                         int64_t count, size_t offset) {
    ploy_json_write_key(json, name);
    ploy_json_write_begin_array(json);
    for (int64_t i = 0; i < count; i++) {
        int32_t value = 0;
        memcpy(&value, (const unsigned char *)&first[i] + offset, sizeof value);
        ploy_json_write_i64(json, value);
    }
    ploy_json_write_end_array(json);
}

void ployi_inspect_write_loads(ploy_json_writer *json, const ployi_inspect_session *session,
                               int64_t *seen) {
    const ployi_inspect_loads *loads = &session->journal.loads;
    int64_t count = loads->count - *seen;
    if (count > LOADS_MESSAGE_MAX) count = LOADS_MESSAGE_MAX;
    const struct {
        const char *name;
        uint64_t value;
    } heads[] = {{"session", session->number},
                 {"from", loads->from},
                 {"every", loads->every},
                 {"first", (uint64_t)*seen},
                 {"count", (uint64_t)loads->count}};
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++) {
        ploy_json_write_key(json, heads[i].name);
        ploy_json_write_u64(json, heads[i].value);
    }
    const ployi_inspect_cost *first = count > 0 ? &loads->items[*seen] : NULL;
    loads_column(json, "least", first, count, offsetof(ployi_inspect_cost, least));
    loads_column(json, "most", first, count, offsetof(ployi_inspect_cost, most));
    loads_column(json, "units", first, count, offsetof(ployi_inspect_cost, units));
    loads_column(json, "put_off", first, count, offsetof(ployi_inspect_cost, put_off));
    *seen += count;
}

#undef LOADS_MAX
#undef LOADS_MESSAGE_MAX
