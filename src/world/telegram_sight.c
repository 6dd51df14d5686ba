// What can be seen of telegrams: what waits, what became of the others, and why some were dropped.
#include <stdio.h>

#include "world/telegram_internal.h"

#include "world/world_internal.h"

const char *ploy_telegram_fate_text(ploy_telegram_fate fate) {
    switch (fate) {
    case PLOY_TELEGRAM_WAITS: return "waits";
    case PLOY_TELEGRAM_CALLS: return "calls";
    case PLOY_TELEGRAM_HANDLED: return "handled";
    case PLOY_TELEGRAM_UNHANDLED: return "unhandled";
    case PLOY_TELEGRAM_FAILED: return "failed";
    case PLOY_TELEGRAM_NOBODY: return "nobody";
    case PLOY_TELEGRAM_DUPLICATE: return "duplicate";
    case PLOY_TELEGRAM_FULL: return "full";
    case PLOY_TELEGRAM_TOO_DEEP: return "too deep";
    case PLOY_TELEGRAM_CANCELLED: return "cancelled";
    case PLOY_TELEGRAM_PURGED: return "purged";
    case PLOY_TELEGRAM_FATE_COUNT: break;
    }
    return "?";
}

void ployi_telegram_warn(const ploy_telegrams *telegrams, const ploy_message *message,
                         ploy_telegram_fate fate, ploy_result result) {
    if (telegrams->env.log == NULL) return;
    char receiver[32], kind[32], text[192];
    ployi_print_id(message->receiver.id, receiver, sizeof receiver);
    ploy_value name = ploy_value_name(message->kind);
    ploy_value_print(&name, kind, sizeof kind);
    snprintf(text, sizeof text, "telegram %s for %s: %s (%s)", kind, receiver,
             ploy_telegram_fate_text(fate), ploy_result_text(result));
    ploy_env_log(&telegrams->env, PLOY_SEVERITY_WARNING, text);
}

double ploy_telegrams_now(const ploy_telegrams *telegrams) {
    return telegrams != NULL ? telegrams->now : 0.0;
}

int32_t ploy_telegrams_waiting(const ploy_telegrams *telegrams) {
    return telegrams != NULL ? ployi_queue_count(&telegrams->queue) : 0;
}

bool ployi_telegrams_next_due(const ploy_telegrams *telegrams, double *due) {
    const ployi_queue_entry *first =
        telegrams != NULL ? ployi_queue_first(&telegrams->queue) : NULL;
    if (first == NULL) return false;
    if (due != NULL) *due = first->time;
    return true;
}

const ploy_message *ploy_telegrams_get(const ploy_telegrams *telegrams, ploy_telegram_id id) {
    const ployi_telegram *item =
        telegrams != NULL ? ployi_queue_get(&telegrams->queue, id.id) : NULL;
    return item != NULL ? &item->message : NULL;
}

bool ploy_telegrams_sent_at(const ploy_telegrams *telegrams, ploy_telegram_id id, double *out) {
    const ployi_telegram *item =
        telegrams != NULL ? ployi_queue_get(&telegrams->queue, id.id) : NULL;
    if (item == NULL || out == NULL) return false;
    *out = item->sent;
    return true;
}

bool ploy_telegrams_next(const ploy_telegrams *telegrams, int32_t *cursor, ploy_telegram_id *out) {
    if (telegrams == NULL || cursor == NULL || out == NULL || *cursor < 0) return false;
    while (*cursor < ployi_queue_places(&telegrams->queue)) {
        if (ployi_queue_at(&telegrams->queue, (*cursor)++, &out->id) != NULL) return true;
    }
    return false;
}

int32_t ploy_telegrams_life_count(const ploy_telegrams *telegrams) {
    return telegrams != NULL ? ployi_ring_count(&telegrams->lives) : 0;
}

bool ploy_telegrams_life(const ploy_telegrams *telegrams, int32_t age, ploy_telegram_life *out) {
    const ploy_telegram_life *life =
        telegrams != NULL ? ployi_ring_newest(&telegrams->lives, age) : NULL;
    if (life == NULL || out == NULL) return false;
    *out = *life;
    return true;
}

ploy_telegrams_counts ployi_telegrams_counts_of(const ploy_telegrams *telegrams) {
    ploy_telegrams_counts counts = {0, {0}, 0};
    if (telegrams == NULL) return counts;
    counts.sent = (int64_t)telegrams->next_order;
    for (int32_t i = 0; i < PLOY_TELEGRAM_FATE_COUNT; i++) counts.fates[i] = telegrams->ends[i];
    counts.fates[PLOY_TELEGRAM_WAITS] = ployi_queue_count(&telegrams->queue);
    counts.most_waiting = telegrams->most_waiting;
    return counts;
}

static void telegram_describe_life(const ploy_telegram_life *life, const ploy_names *names,
                                   ploy_describe *out) {
    ploy_describe_u64(out, "order", PLOY_NOTE, life->order);
    ployi_describe_name(out, "kind", PLOY_NOTE, names, life->kind);
    ploy_describe_id(out, "sender", PLOY_NOTE, life->sender.id);
    ploy_describe_id(out, "receiver", PLOY_NOTE, life->receiver.id);
    ploy_describe_f64(out, "sent", PLOY_NOTE, life->sent);
    ploy_describe_f64(out, "due", PLOY_NOTE, life->due);
    if (life->fate != PLOY_TELEGRAM_WAITS) ploy_describe_f64(out, "ended", PLOY_NOTE, life->ended);
    ploy_describe_text(out, "fate", PLOY_NOTE, ploy_telegram_fate_text(life->fate));
    if (life->result != PLOY_OK) {
        ploy_describe_text(out, "result", PLOY_NOTE, ploy_result_text(life->result));
    }
}

static const char *telegram_fate_text(int32_t fate) {
    return ploy_telegram_fate_text((ploy_telegram_fate)fate);
}

static void telegram_visit_life(ploy_visit *v, ploy_telegram_life *life) {
    ploy_visit_u64(v, "order", PLOY_NOTE, &life->order);
    ployi_visit_name(v, "kind", PLOY_NOTE, &life->kind);
    ploy_visit_id(v, "sender", PLOY_NOTE, &life->sender.id);
    ploy_visit_id(v, "receiver", PLOY_NOTE, &life->receiver.id);
    ploy_visit_f64(v, "sent", PLOY_NOTE, &life->sent);
    ploy_visit_f64(v, "due", PLOY_NOTE, &life->due);
    bool ended = v->describe == NULL || life->fate != PLOY_TELEGRAM_WAITS;
    if (ended) ploy_visit_f64(v, "ended", PLOY_NOTE, &life->ended);
    PLOY_VISIT_ENUM(v, "fate", PLOY_NOTE, life->fate, telegram_fate_text, PLOY_TELEGRAM_FATE_COUNT);
    bool failed = v->describe == NULL || life->result != PLOY_OK;
    if (failed) ploy_visit_code(v, "result", PLOY_NOTE, &life->result);
}

static void telegram_visit_counts(ploy_visit *v, ploy_telegrams *telegrams) {
    ploy_visit_begin(v, "counts", PLOY_STATE);
    ploy_describe_i64(v->describe, "sent", PLOY_NOTE, (int64_t)telegrams->next_order);
    for (int32_t i = 0; i < PLOY_TELEGRAM_FATE_COUNT; i++) {
        if (i == PLOY_TELEGRAM_WAITS) {
            ploy_describe_i64(v->describe, telegram_fate_text(i), PLOY_NOTE,
                              ployi_queue_count(&telegrams->queue));
            PLOY_VISIT_SCRATCH(v, telegrams->ends[i]);
        } else if (i == PLOY_TELEGRAM_CALLS) {
            PLOY_VISIT_SCRATCH(v, telegrams->ends[i]);
        } else {
            ploy_visit_i64_in(v, telegram_fate_text(i), PLOY_NOTE, &telegrams->ends[i], 0,
                              INT64_MAX);
        }
    }
    ploy_visit_i64_in(v, "most waiting", PLOY_NOTE, &telegrams->most_waiting, 0, INT64_MAX);
    ploy_visit_end(v);
}

static void telegram_visit_waiting(ploy_visit *v, ploy_telegrams *telegrams) {
    int32_t left = ploy_visit_fixed(v, "waiting", PLOY_STATE, ployi_queue_taken(&telegrams->queue));
    for (int32_t i = 0; i < ployi_queue_places(&telegrams->queue) && left > 0; i++) {
        ploy_id id;
        ployi_telegram *item = ployi_queue_at(&telegrams->queue, i, &id);
        if (item == NULL) continue;
        char name[32];
        ployi_print_id(id, name, sizeof name);
        ploy_visit_begin_agent(v, name, PLOY_STATE, item->message.receiver);
        if (v->describe != NULL) {
            ployi_describe_name(v->describe, "kind", PLOY_DERIVED, v->context, item->message.kind);
        }
        ploy_visit_f64(v, "sent", PLOY_STATE, &item->sent);
        ploy_visit_message(v, "message", PLOY_STATE, &item->message);
        ploy_visit_u64(v, "life", PLOY_SAVED, &item->life);
        ploy_visit_bool(v, "noted", PLOY_SAVED, &item->noted);
        PLOY_VISIT_SCRATCH(v, item->reserved);
        ploy_visit_end(v);
        left--;
    }
    ploy_visit_end(v);
}

static void telegram_key(const void *item, double *time, int32_t *rank, uint64_t *order) {
    const ployi_telegram *telegram = item;
    *time = telegram->message.due;
    *rank = 0;
    *order = telegram->message.order;
}

static void telegram_rebuild(void *object) {
    ploy_telegrams *telegrams = object;
    ployi_queue_rebuild(&telegrams->queue, telegram_key);
    ployi_telegram_relink(telegrams);
}

void ploy_telegrams_visit(ploy_visit *v, void *object) {
    ploy_telegrams *telegrams = object;
    ploy_visit_object(v, "telegrams", telegrams, sizeof *telegrams);
    size_t buckets = ((size_t)telegrams->bucket_mask + 1) * PLOYI_TELEGRAM_SORTS * sizeof(int32_t);
    ploy_visit_block(v, "telegrams.chains", telegrams->buckets, buckets);
    ploy_visit_buffer(v, "telegrams.links", &telegrams->links);
    PLOY_VISIT_SCRATCH(v, telegrams->env);
    PLOY_VISIT_SCRATCH(v, telegrams->def);
    PLOY_VISIT_SCRATCH(v, telegrams->buckets);
    PLOY_VISIT_SCRATCH(v, telegrams->sorts);
    PLOY_VISIT_SCRATCH(v, telegrams->reserved);
    PLOY_VISIT_SCRATCH(v, telegrams->bucket_mask);
    PLOY_VISIT_SCRATCH(v, telegrams->depth);
    PLOY_VISIT_SCRATCH(v, telegrams->receive);
    PLOY_VISIT_SCRATCH(v, telegrams->receive_user);
    PLOY_VISIT_SCRATCH(v, telegrams->entities);
    PLOY_VISIT_SCRATCH(v, telegrams->engine);
    PLOY_VISIT_SCRATCH(v, telegrams->frame);
    if (!ploy_visit_check(v, telegrams->depth == 0,
                          "cannot load while a telegram is being delivered", NULL))
        return;
    ploy_visit_after(v, telegram_rebuild, telegrams);
    ploy_visit_f64(v, "now", PLOY_STATE, &telegrams->now);
    ploy_visit_u64(v, "next order", PLOY_STATE, &telegrams->next_order);
    if (v->describe != NULL) {
        ploy_describe_u64(v->describe, "free places", PLOY_STATE,
                          ployi_queue_free_hash(&telegrams->queue));
    }
    ployi_queue_visit(v, &telegrams->queue, telegrams->def.limit);
    int32_t places = ployi_queue_places(&telegrams->queue);
    if (ploy_visit_loads(v) && ploy_visit_is_ok(v)) {
        ploy_visit_result(v, ployi_telegram_reserve_chains(telegrams, places));
    }
    telegram_visit_counts(v, telegrams);
    telegram_visit_waiting(v, telegrams);
    int32_t lives = ployi_ring_visit(v, "lives", &telegrams->lives);
    for (int32_t i = 0; i < lives; i++) {
        ploy_visit_begin_item(v, i, PLOY_STATE);
        telegram_visit_life(v, ployi_ring_record(&telegrams->lives, i));
        ploy_visit_end(v);
    }
    ploy_visit_end(v);
}

void ploy_telegrams_describe(const ploy_telegrams *telegrams, const ploy_names *names,
                             ploy_describe *out) {
    ploy_visit_describe(ploy_telegrams_visit, telegrams, (void *)(uintptr_t)names, out);
}

void ploy_telegrams_describe_agent(const ploy_telegrams *telegrams, ploy_agent_id agent,
                                   int32_t most, const ploy_names *names, ploy_describe *out) {
    if (telegrams == NULL || out == NULL) return;
    int32_t told = 0;
    for (int32_t i = 0; i < ployi_ring_count(&telegrams->lives) && told < most; i++) {
        const ploy_telegram_life *life = ployi_ring_newest(&telegrams->lives, i);
        if (!ploy_id_equal(life->sender.id, agent.id) &&
            !ploy_id_equal(life->receiver.id, agent.id)) {
            continue;
        }
        ploy_describe_begin_item(out, told++);
        telegram_describe_life(life, names, out);
        ploy_describe_end(out);
    }
}

void ploy_telegrams_memory(const ploy_telegrams *telegrams, ploy_memory_fn fn, void *user) {
    ploy_visit_memory(ploy_telegrams_visit, telegrams, fn, user);
}
