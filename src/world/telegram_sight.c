// What can be seen of telegrams: what waits, what became of the others, and why some were dropped.
#include <stdio.h>

#include "world/telegram_internal.h"

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

bool ploy_telegrams_next_due(const ploy_telegrams *telegrams, double *due) {
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

ploy_telegrams_counts ploy_telegrams_counts_of(const ploy_telegrams *telegrams) {
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

void ploy_telegrams_describe(const ploy_telegrams *telegrams, const ploy_names *names,
                             ploy_describe *out) {
    if (telegrams == NULL || out == NULL) return;
    ploy_describe_f64(out, "now", PLOY_STATE, telegrams->now);
    ploy_describe_u64(out, "next order", PLOY_STATE, telegrams->next_order);
    ploy_describe_u64(out, "free places", PLOY_STATE, ployi_queue_free_hash(&telegrams->queue));
    ploy_telegrams_counts counts = ploy_telegrams_counts_of(telegrams);
    ploy_describe_begin(out, "counts");
    ploy_describe_i64(out, "sent", PLOY_NOTE, counts.sent);
    for (int32_t i = 0; i < PLOY_TELEGRAM_FATE_COUNT; i++) {
        const char *fate = ploy_telegram_fate_text((ploy_telegram_fate)i);
        if (i != PLOY_TELEGRAM_CALLS) ploy_describe_i64(out, fate, PLOY_NOTE, counts.fates[i]);
    }
    ploy_describe_i64(out, "most waiting", PLOY_NOTE, counts.most_waiting);
    ploy_describe_end(out);
    ploy_describe_begin(out, "waiting");
    int32_t cursor = 0;
    ploy_telegram_id id;
    while (ploy_telegrams_next(telegrams, &cursor, &id)) {
        const ployi_telegram *item = ployi_queue_get(&telegrams->queue, id.id);
        char name[32];
        ployi_print_id(id.id, name, sizeof name);
        ploy_describe_begin_agent(out, name, item->message.receiver);
        ployi_describe_name(out, "kind", PLOY_DERIVED, names, item->message.kind);
        ploy_describe_f64(out, "sent", PLOY_STATE, item->sent);
        ploy_message_describe(&item->message, "message", PLOY_STATE, out);
        ploy_describe_end(out);
    }
    ploy_describe_end(out);
    ploy_describe_begin(out, "lives");
    for (int32_t i = 0; i < ployi_ring_count(&telegrams->lives); i++) {
        ploy_describe_begin_item(out, i);
        telegram_describe_life(ployi_ring_newest(&telegrams->lives, i), names, out);
        ploy_describe_end(out);
    }
    ploy_describe_end(out);
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
    if (telegrams == NULL || fn == NULL) return;
    size_t buckets = ((size_t)telegrams->bucket_mask + 1) * PLOYI_TELEGRAM_SORTS * sizeof(int32_t);
    ploy_memory_item item = {"telegrams", sizeof *telegrams + buckets, 2};
    fn(user, &item);
    ployi_queue_memory(&telegrams->queue, fn, user);
    ploy_array_memory(&telegrams->links, fn, user);
    ployi_ring_memory(&telegrams->lives, fn, user);
}
