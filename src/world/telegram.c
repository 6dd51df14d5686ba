// Telegrams: the queue and the delivery; telegram_sight.c describes them.
//
// Two chains run through the waiting telegrams: those for one receiver, so that its going costs no
// look at the others, and those of one sender, receiver and kind, for the duplicate filter.
//
// Invariants, also while a handler is called:
//   (1) every telegram in the queue is in exactly one chain of each sort that is kept, the one it
//       hashes to; links has an entry for every place of the queue;
//   (2) there are at least as many buckets of each sort as telegrams in the queue, or one;
//   (3) a telegram that is being delivered is not in the queue;
//   (4) everything that waits is due after the last step's time, or was left over by its budget or
//       sits exactly on the strict rule's edge.
#include "world/telegram_internal.h"

#include <string.h>

#include "ploy/base/hash.h"
#include "ploy/base/math.h"

#define TELEGRAM_END (-1)

static const ploy_field telegram_fields[] = {
    PLOY_FIELD_I32_FIXED(ploy_telegrams_def, capacity, 64, 0, PLOYI_TELEGRAMS_MAX, "",
                         "delayed telegrams that fit before the queue grows"),
    PLOY_FIELD_I32_FIXED(ploy_telegrams_def, limit, 1 << 20, 1, PLOYI_TELEGRAMS_MAX, "",
                         "most telegrams that wait"),
    PLOY_FIELD_I32_FIXED(ploy_telegrams_def, depth, 16, 1, 256, "", "telegrams within telegrams"),
    PLOY_FIELD_I32_FIXED(ploy_telegrams_def, log, 64, 0, 1 << 20, "", "lives that are remembered"),
    PLOY_FIELD_F32(ploy_telegrams_def, duplicate_window, 0, 0, 3600, "s",
                   "nearer than this, two alike count as one"),
    PLOY_FIELD_BOOL(ploy_telegrams_def, strict, false, "due before now instead of by now"),
    PLOY_FIELD_BOOL(ploy_telegrams_def, purge_sent, false, "what an entity sent goes with it"),
};

ploy_fields ploy_telegrams_fields(void) {
    return PLOY_FIELDS(ploy_telegrams_def, telegram_fields);
}

ploy_telegrams_def ploy_telegrams_def_default(void) {
    ploy_telegrams_def def;
    ploy_fields_default(ploy_telegrams_fields(), &def);
    return def;
}

// ---- chains

static uint64_t telegram_hash(const ploy_message *message, int32_t sort) {
    uint64_t hash = ploy_hash_combine(0, ploy_id_to_u64(message->receiver.id));
    if (sort == PLOYI_TELEGRAM_RECEIVER) return hash;
    hash = ploy_hash_combine(hash, ploy_id_to_u64(message->sender.id));
    return ploy_hash_combine(hash, message->kind.hash);
}

static int32_t *telegram_bucket(const ploy_telegrams *telegrams, const ploy_message *message,
                                int32_t sort) {
    uint64_t at = telegram_hash(message, sort) & telegrams->bucket_mask;
    return &telegrams->buckets[(size_t)sort * ((size_t)telegrams->bucket_mask + 1) + (size_t)at];
}

static ployi_telegram *telegram_at(const ploy_telegrams *telegrams, int32_t place) {
    return ployi_queue_at(&telegrams->queue, place, NULL);
}

static ployi_telegram_link *telegram_link_at(const ploy_telegrams *telegrams, int32_t place,
                                             int32_t sort) {
    return &PLOY_ARRAY_ITEMS(&telegrams->links, ployi_telegram_links)[place].sorts[sort];
}

static void telegram_link(ploy_telegrams *telegrams, int32_t place) {
    const ploy_message *message = &telegram_at(telegrams, place)->message;
    for (int32_t sort = 0; sort < telegrams->sorts; sort++) {
        int32_t *first = telegram_bucket(telegrams, message, sort);
        ployi_telegram_link link = {TELEGRAM_END, *first};
        *telegram_link_at(telegrams, place, sort) = link;
        if (*first != TELEGRAM_END) telegram_link_at(telegrams, *first, sort)->previous = place;
        *first = place;
    }
}

static void telegram_unlink(ploy_telegrams *telegrams, int32_t place) {
    const ploy_message *message = &telegram_at(telegrams, place)->message;
    for (int32_t sort = 0; sort < telegrams->sorts; sort++) {
        ployi_telegram_link link = *telegram_link_at(telegrams, place, sort);
        if (link.previous == TELEGRAM_END) {
            *telegram_bucket(telegrams, message, sort) = link.next;
        } else {
            telegram_link_at(telegrams, link.previous, sort)->next = link.next;
        }
        if (link.next != TELEGRAM_END) {
            telegram_link_at(telegrams, link.next, sort)->previous = link.previous;
        }
    }
}

// Lets the memory of the next one come while the receiver of this one is busy: among 100,000 it is
// far away, and waiting for it was a fifth of the time.
static void telegram_expect_next(const ploy_telegrams *telegrams) {
    const ployi_queue_entry *first = ployi_queue_first(&telegrams->queue);
    if (first == NULL) return;
    ployi_queue_expect(&telegrams->queue);
    if (telegrams->sorts == 0) return;
    PLOYI_PREFETCH(telegram_link_at(telegrams, first->place, PLOYI_TELEGRAM_RECEIVER));
}

static size_t telegram_buckets_size(uint32_t mask) {
    return ((size_t)mask + 1) * PLOYI_TELEGRAM_SORTS * sizeof(int32_t);
}

// Makes at least that many buckets of each sort: keeps (2).
static ploy_result telegram_grow_buckets(ploy_telegrams *telegrams, int32_t count) {
    if (telegrams->buckets != NULL && (uint32_t)count <= telegrams->bucket_mask + 1) return PLOY_OK;
    uint32_t mask = 0;
    while (mask + 1 < (uint32_t)count) mask = 2 * mask + 1;
    int32_t *buckets = ploy_env_alloc(&telegrams->env, telegram_buckets_size(mask));
    if (buckets == NULL) return PLOY_ERR_MEMORY;
    ploy_env_free(&telegrams->env, telegrams->buckets,
                  telegrams->buckets != NULL ? telegram_buckets_size(telegrams->bucket_mask) : 0);
    telegrams->buckets = buckets;
    telegrams->bucket_mask = mask;
    for (size_t i = 0; i < telegram_buckets_size(mask) / sizeof(int32_t); i++) {
        buckets[i] = TELEGRAM_END;
    }
    for (int32_t i = 0; i < ployi_queue_places(&telegrams->queue); i++) {
        if (telegram_at(telegrams, i) != NULL) telegram_link(telegrams, i);
    }
    return PLOY_OK;
}

void ployi_telegram_relink(ploy_telegrams *telegrams) {
    size_t buckets = telegram_buckets_size(telegrams->bucket_mask) / sizeof(int32_t);
    for (size_t i = 0; i < buckets && telegrams->buckets != NULL; i++) {
        telegrams->buckets[i] = TELEGRAM_END;
    }
    for (int32_t i = 0; i < ployi_queue_places(&telegrams->queue); i++) {
        if (telegram_at(telegrams, i) != NULL) telegram_link(telegrams, i);
    }
}

ploy_result ployi_telegram_reserve_chains(ploy_telegrams *telegrams, int32_t count) {
    ploy_result result = PLOY_OK;
    if (telegrams->links.count < count) result = ploy_array_resize(&telegrams->links, count);
    if (result == PLOY_OK && (uint32_t)count > telegrams->bucket_mask + 1) {
        // Growing chains what is in the queue, which a load has not filled yet: the old buckets
        // go first into the new ones when it ends.
        uint32_t mask = telegrams->bucket_mask;
        while (mask + 1 < (uint32_t)count) mask = 2 * mask + 1;
        int32_t *buckets = ploy_env_resize(&telegrams->env, telegrams->buckets,
                                           telegram_buckets_size(telegrams->bucket_mask),
                                           telegram_buckets_size(mask));
        if (buckets == NULL) return PLOY_ERR_MEMORY;
        telegrams->buckets = buckets;
        telegrams->bucket_mask = mask;
    }
    return result;
}

// ---- life

ploy_result ploy_telegrams_create(const ploy_telegrams_def *def, const ploy_env *env,
                                  ploy_telegrams **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_telegrams_fields(), def, env);
    if (result != PLOY_OK) return result;
    ploy_telegrams *telegrams = ploy_env_alloc_zero(env, sizeof *telegrams);
    if (telegrams == NULL) return PLOY_ERR_MEMORY;
    telegrams->env = *env;
    telegrams->def = *def;
    telegrams->sorts = def->duplicate_window > 0.0f ? PLOYI_TELEGRAM_SORTS : 0;
    ploy_array_init(&telegrams->links, sizeof(ployi_telegram_links), env);
    ployi_queue_init(&telegrams->queue, sizeof(ployi_telegram), env);
    result = ployi_ring_init(&telegrams->lives, sizeof(ploy_telegram_life), def->log, env);
    int32_t capacity = PLOY_CAPACITY(def->capacity);
    if (result == PLOY_OK) result = ploy_telegrams_reserve(telegrams, capacity);
    if (result != PLOY_OK) {
        ploy_telegrams_destroy(telegrams);
        return result;
    }
    *out = telegrams;
    return PLOY_OK;
}

static void telegram_entity_gone(void *user, ploy_agent_id id, const ploy_entity *was);

void ploy_telegrams_destroy(ploy_telegrams *telegrams) {
    if (telegrams == NULL) return;
    if (telegrams->entities != NULL) {
        ploy_entities_remove_hook(telegrams->entities, telegram_entity_gone, telegrams);
    }
    ploy_telegrams_connect(telegrams, NULL);
    ploy_env env = telegrams->env;
    ployi_ring_fini(&telegrams->lives);
    ployi_queue_fini(&telegrams->queue);
    ploy_array_fini(&telegrams->links);
    ploy_env_free(&env, telegrams->buckets,
                  telegrams->buckets != NULL ? telegram_buckets_size(telegrams->bucket_mask) : 0);
    ploy_env_free(&env, telegrams, sizeof *telegrams);
}

ploy_result ploy_telegrams_reserve(ploy_telegrams *telegrams, int32_t count) {
    if (telegrams == NULL || count < 0 || count > PLOYI_TELEGRAMS_MAX) return PLOY_ERR_ARGUMENT;
    ploy_result result = ployi_queue_reserve(&telegrams->queue, count);
    if (result == PLOY_OK) result = ploy_array_reserve(&telegrams->links, count);
    return result == PLOY_OK ? telegram_grow_buckets(telegrams, count) : result;
}

void ploy_telegrams_set_receiver(ploy_telegrams *telegrams, ploy_telegram_fn fn, void *user) {
    if (telegrams == NULL) return;
    telegrams->receive = fn;
    telegrams->receive_user = user;
}

ploy_result ploy_telegrams_set_entities(ploy_telegrams *telegrams, ploy_entities *entities) {
    if (telegrams == NULL) return PLOY_ERR_ARGUMENT;
    if (entities == telegrams->entities) return PLOY_OK;
    if (entities != NULL) {
        ploy_result result = ploy_entities_add_hook(entities, telegram_entity_gone, telegrams);
        if (result != PLOY_OK) return result;
    }
    if (telegrams->entities != NULL) {
        ploy_entities_remove_hook(telegrams->entities, telegram_entity_gone, telegrams);
    }
    telegrams->entities = entities;
    // The chains of receivers are for entities that go: nothing else is worth keeping them.
    if (!(telegrams->def.duplicate_window > 0.0f)) telegrams->sorts = entities != NULL ? 1 : 0;
    ployi_telegram_relink(telegrams);
    return PLOY_OK;
}

void ploy_telegrams_connect(ploy_telegrams *telegrams, ploy_engine *engine) {
    if (telegrams == NULL) return;
    if (telegrams->engine != NULL) ploy_engine_set_route(telegrams->engine, NULL, NULL);
    telegrams->engine = engine;
    if (engine != NULL) ploy_engine_set_route(engine, ploy_telegrams_post, telegrams);
}

// ---- lives

static void telegram_fill_life(ploy_telegram_life *life, const ployi_telegram *item) {
    life->sender = item->message.sender;
    life->receiver = item->message.receiver;
    life->kind = item->message.kind;
    life->order = item->message.order;
    life->sent = item->sent;
    life->due = item->message.due;
}

// Notes the place of a telegram. Its record is found by its number, or, if that was overwritten
// while it waited, begun again.
static void telegram_note(ploy_telegrams *telegrams, ployi_telegram *item, ploy_telegram_fate fate,
                          ploy_result result) {
    if (fate != PLOY_TELEGRAM_CALLS && fate != PLOY_TELEGRAM_WAITS) telegrams->ends[fate]++;
    ploy_telegram_life *life = NULL;
    if (item->noted) life = ployi_ring_get(&telegrams->lives, item->life);
    if (life == NULL) life = ployi_ring_push(&telegrams->lives, &item->life);
    item->noted = true;
    if (life == NULL) return;
    telegram_fill_life(life, item);
    life->ended = telegrams->now;
    life->fate = fate;
    life->result = result;
}

// ---- delivery

static bool telegram_is_known(const ploy_telegrams *telegrams, const ploy_message *message) {
    return telegrams->entities == NULL || ploy_id_is_none(message->receiver.id) ||
           ploy_entities_has(telegrams->entities, message->receiver);
}

// Calls the receivers. *handled says whether one of them handled it.
static ploy_result telegram_call(ploy_telegrams *telegrams, const ploy_message *message,
                                 bool *handled) {
    bool anybody = ploy_id_is_none(message->receiver.id);
    ploy_result result = PLOY_ERR_NOT_FOUND;
    if (telegrams->engine != NULL) {
        result = ploy_engine_send(telegrams->engine, message, telegrams->frame, handled);
    }
    if (telegrams->receive != NULL && (result == PLOY_ERR_NOT_FOUND || anybody)) {
        bool meant = false;
        result = telegrams->receive(telegrams->receive_user, message, &meant);
        *handled = *handled || meant;
    }
    return result > PLOY_OK ? PLOY_ERR_CALLBACK : result;
}

static ploy_result telegram_drop(ploy_telegrams *telegrams, ployi_telegram *item,
                                 ploy_telegram_fate fate, ploy_result result) {
    telegram_note(telegrams, item, fate, result);
    ployi_telegram_warn(telegrams, &item->message, fate, result);
    return result;
}

// Delivers a telegram that is not in the queue: keeps (3).
static ploy_result telegram_deliver(ploy_telegrams *telegrams, ployi_telegram *item) {
    if (!telegram_is_known(telegrams, &item->message)) {
        return telegram_drop(telegrams, item, PLOY_TELEGRAM_NOBODY, PLOY_ERR_NOT_FOUND);
    }
    if (telegrams->depth >= telegrams->def.depth) {
        return telegram_drop(telegrams, item, PLOY_TELEGRAM_TOO_DEEP, PLOY_ERR_LIMIT);
    }
    telegram_note(telegrams, item, PLOY_TELEGRAM_CALLS, PLOY_OK);
    bool handled = false;
    telegrams->depth++;
    ploy_result result = telegram_call(telegrams, &item->message, &handled);
    telegrams->depth--;
    if (result == PLOY_ERR_NOT_FOUND) {
        return telegram_drop(telegrams, item, PLOY_TELEGRAM_NOBODY, result);
    }
    if (result != PLOY_OK) return telegram_drop(telegrams, item, PLOY_TELEGRAM_FAILED, result);
    telegram_note(telegrams, item, handled ? PLOY_TELEGRAM_HANDLED : PLOY_TELEGRAM_UNHANDLED,
                  PLOY_OK);
    return PLOY_OK;
}

// ---- sending

static bool telegram_has_twin(const ploy_telegrams *telegrams, const ploy_message *message) {
    double window = (double)telegrams->def.duplicate_window;
    if (!(window > 0.0)) return false;
    int32_t at = *telegram_bucket(telegrams, message, PLOYI_TELEGRAM_ALIKE);
    while (at != TELEGRAM_END) {
        const ployi_telegram *other = telegram_at(telegrams, at);
        double apart = other->message.due - message->due;
        if (apart < window && -apart < window &&
            ploy_id_equal(other->message.sender.id, message->sender.id) &&
            ploy_id_equal(other->message.receiver.id, message->receiver.id) &&
            ploy_name_equal(other->message.kind, message->kind)) {
            return true;
        }
        at = telegram_link_at(telegrams, at, PLOYI_TELEGRAM_ALIKE)->next;
    }
    return false;
}

static ploy_result telegram_enqueue(ploy_telegrams *telegrams, ployi_telegram *item,
                                    ploy_telegram_id *out) {
    if (!telegram_is_known(telegrams, &item->message)) {
        return telegram_drop(telegrams, item, PLOY_TELEGRAM_NOBODY, PLOY_ERR_NOT_FOUND);
    }
    if (telegram_has_twin(telegrams, &item->message)) {
        // Common and meant: no warning.
        telegram_note(telegrams, item, PLOY_TELEGRAM_DUPLICATE, PLOY_ERR_EXISTS);
        return PLOY_ERR_EXISTS;
    }
    int32_t count = ployi_queue_count(&telegrams->queue) + 1;
    if (count > telegrams->def.limit) {
        return telegram_drop(telegrams, item, PLOY_TELEGRAM_FULL, PLOY_ERR_CAPACITY);
    }
    ploy_result result = telegram_grow_buckets(telegrams, count);
    // A link for every place, before there is a telegram that could be left without.
    if (result == PLOY_OK && telegrams->queue.first_free < 0 &&
        telegrams->links.count <= ployi_queue_places(&telegrams->queue)) {
        result = ploy_array_push(&telegrams->links, NULL);
    }
    ploy_id id = ploy_id_none();
    if (result == PLOY_OK) {
        result = ployi_queue_push(&telegrams->queue, item->message.due, 0, item->message.order,
                                  item, &id);
    }
    if (result != PLOY_OK) return telegram_drop(telegrams, item, PLOY_TELEGRAM_FULL, result);
    telegram_link(telegrams, (int32_t)id.index); // keeps (1)
    ployi_telegram *waiting = ployi_queue_get(&telegrams->queue, id);
    telegram_note(telegrams, waiting, PLOY_TELEGRAM_WAITS, PLOY_OK);
    if (count > telegrams->most_waiting) telegrams->most_waiting = count;
    if (out != NULL) out->id = id;
    return PLOY_OK;
}

// The next double after a time, which is never below 0: what now + delay becomes when the delay is
// lost in rounding.
static double telegram_after(double now) {
    uint64_t bits;
    now += 0.0; // -0 becomes 0
    memcpy(&bits, &now, sizeof bits);
    bits++;
    memcpy(&now, &bits, sizeof bits);
    return now;
}

static ploy_result telegram_dispatch(ploy_telegrams *telegrams, const ploy_message *message,
                                     double due, ploy_telegram_id *out) {
    if (message == NULL || message->size > PLOY_MESSAGE_PAYLOAD) return PLOY_ERR_ARGUMENT;
    ployi_telegram item;
    memset(&item, 0, sizeof item);
    item.message = *message;
    item.message.due = due;
    item.message.order = telegrams->next_order++;
    item.sent = telegrams->now;
    if (out != NULL) out->id = ploy_id_none();
    return due > telegrams->now ? telegram_enqueue(telegrams, &item, out)
                                : telegram_deliver(telegrams, &item);
}

ploy_result ploy_telegrams_send(ploy_telegrams *telegrams, const ploy_message *message,
                                double delay, ploy_telegram_id *out) {
    if (telegrams == NULL || !ploy_is_finite_d(delay)) return PLOY_ERR_ARGUMENT;
    double due = telegrams->now;
    if (delay > 0.0) {
        due += delay;
        if (!ploy_is_finite_d(due)) return PLOY_ERR_ARGUMENT;
        if (!(due > telegrams->now)) due = telegram_after(telegrams->now);
    }
    return telegram_dispatch(telegrams, message, due, out);
}

ploy_result ploy_telegrams_post(void *telegrams, const ploy_message *message) {
    ploy_telegrams *self = telegrams;
    if (self == NULL || message == NULL || !ploy_is_finite_d(message->due)) {
        return PLOY_ERR_ARGUMENT;
    }
    return telegram_dispatch(self, message, message->due, NULL);
}

ploy_result ploy_telegrams_remind(ploy_telegrams *telegrams, ploy_agent_id agent, ploy_name kind,
                                  double delay, ploy_telegram_id *out) {
    ploy_message message = ploy_message_make(agent, agent, kind);
    return ploy_telegrams_send(telegrams, &message, delay, out);
}

// Sends one of several copies and adds up what became of them.
static void telegram_send_copy(ploy_telegrams *telegrams, const ploy_message *message, double delay,
                               ploy_agent_id receiver, int32_t *sent, ploy_result *first) {
    ploy_message copy = *message;
    copy.receiver = receiver;
    ploy_result result = ploy_telegrams_send(telegrams, &copy, delay, NULL);
    if (result == PLOY_OK) {
        ++*sent;
    } else if (*first == PLOY_OK) {
        *first = result;
    }
}

ploy_result ploy_telegrams_send_each(ploy_telegrams *telegrams, const ploy_message *message,
                                     double delay, const ploy_agent_id *receivers, int32_t count,
                                     int32_t *sent) {
    if (telegrams == NULL || message == NULL || count < 0 || (receivers == NULL && count > 0)) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_result first = PLOY_OK;
    int32_t arrived = 0;
    for (int32_t i = 0; i < count; i++) {
        telegram_send_copy(telegrams, message, delay, receivers[i], &arrived, &first);
    }
    if (sent != NULL) *sent = arrived;
    return first;
}

ploy_result ploy_telegrams_send_type(ploy_telegrams *telegrams, const ploy_message *message,
                                     double delay, ploy_name type, int32_t *sent) {
    if (telegrams == NULL || message == NULL) return PLOY_ERR_ARGUMENT;
    if (telegrams->entities == NULL) return PLOY_ERR_STATE;
    ploy_entities *entities = telegrams->entities;
    ploy_result first = PLOY_OK;
    int32_t arrived = 0;
    ploy_entity_walk walk = ploy_entities_walk_type(entities, type);
    ploy_agent_id receiver;
    while (ploy_entities_walk_next(entities, &walk, &receiver)) {
        if (ploy_id_equal(receiver.id, message->sender.id)) continue;
        telegram_send_copy(telegrams, message, delay, receiver, &arrived, &first);
    }
    if (sent != NULL) *sent = arrived;
    return first;
}

// ---- taking back

static void telegram_take_back(ploy_telegrams *telegrams, ploy_id id, ploy_telegram_fate fate) {
    ployi_telegram *item = ployi_queue_get(&telegrams->queue, id);
    telegram_unlink(telegrams, (int32_t)id.index);
    telegram_note(telegrams, item, fate, PLOY_OK);
    ployi_queue_remove(&telegrams->queue, id);
}

static bool telegram_fits(const ploy_message *message, const ploy_telegram_filter *filter) {
    return (ploy_id_is_none(filter->sender.id) ||
            ploy_id_equal(filter->sender.id, message->sender.id)) &&
           (ploy_id_is_none(filter->receiver.id) ||
            ploy_id_equal(filter->receiver.id, message->receiver.id)) &&
           (ploy_name_is_none(filter->kind) || ploy_name_equal(filter->kind, message->kind));
}

// Takes back all that fit, along the receiver's chain if one is named and kept.
static int32_t telegram_take_back_all(ploy_telegrams *telegrams, ploy_telegram_filter filter,
                                      ploy_telegram_fate fate) {
    bool chain = !ploy_id_is_none(filter.receiver.id) && telegrams->sorts > 0;
    ploy_message key = ploy_message_make(filter.sender, filter.receiver, filter.kind);
    int32_t at = chain ? *telegram_bucket(telegrams, &key, PLOYI_TELEGRAM_RECEIVER) : 0;
    int32_t count = 0, next = TELEGRAM_END;
    for (; chain ? at != TELEGRAM_END : at < ployi_queue_places(&telegrams->queue); at = next) {
        ploy_id id;
        const ployi_telegram *item = ployi_queue_at(&telegrams->queue, at, &id);
        next = chain ? telegram_link_at(telegrams, at, PLOYI_TELEGRAM_RECEIVER)->next : at + 1;
        if (item == NULL || !telegram_fits(&item->message, &filter)) continue;
        telegram_take_back(telegrams, id, fate);
        count++;
    }
    return count;
}

bool ploy_telegrams_cancel(ploy_telegrams *telegrams, ploy_telegram_id id) {
    if (telegrams == NULL || ployi_queue_get(&telegrams->queue, id.id) == NULL) return false;
    telegram_take_back(telegrams, id.id, PLOY_TELEGRAM_CANCELLED);
    return true;
}

int32_t ploy_telegrams_cancel_all(ploy_telegrams *telegrams, ploy_telegram_filter filter) {
    if (telegrams == NULL) return 0;
    return telegram_take_back_all(telegrams, filter, PLOY_TELEGRAM_CANCELLED);
}

static void telegram_entity_gone(void *user, ploy_agent_id id, const ploy_entity *was) {
    ploy_telegrams *telegrams = user;
    (void)was;
    ploy_telegram_filter filter;
    memset(&filter, 0, sizeof filter);
    filter.receiver = id;
    telegram_take_back_all(telegrams, filter, PLOY_TELEGRAM_PURGED);
    if (!telegrams->def.purge_sent) return;
    filter.receiver = ploy_agent_id_none();
    filter.sender = id;
    telegram_take_back_all(telegrams, filter, PLOY_TELEGRAM_PURGED);
}

// ---- stepping

static bool telegram_is_due(const ploy_telegrams *telegrams) {
    const ployi_queue_entry *first = ployi_queue_first(&telegrams->queue);
    if (first == NULL) return false;
    // A handler may have stepped further than this step was given.
    return telegrams->def.strict ? first->time < telegrams->now : first->time <= telegrams->now;
}

ploy_result ploy_telegrams_step(ploy_telegrams *telegrams, double now, ploy_budget *budget,
                                const ploy_engine_frame *frame, int32_t *delivered) {
    if (telegrams == NULL || !ploy_is_finite_d(now) || now < telegrams->now) {
        return PLOY_ERR_ARGUMENT;
    }
    if (budget != NULL && budget->deadline_ns != 0) return PLOY_ERR_UNSUPPORTED;
    if (telegrams->depth >= telegrams->def.depth) return PLOY_ERR_LIMIT;
    const ploy_engine_frame *outer = telegrams->frame;
    if (frame != NULL) telegrams->frame = frame;
    telegrams->now = now;
    int32_t count = 0;
    ploy_result result = PLOY_OK;
    while (telegram_is_due(telegrams)) {
        if (budget != NULL && !ploy_budget_spend(budget, 1)) {
            result = PLOY_IN_PROGRESS;
            break;
        }
        ployi_telegram item;
        const ployi_queue_entry *first = ployi_queue_first(&telegrams->queue);
        telegram_unlink(telegrams, first->place);
        ployi_queue_pop(&telegrams->queue, &item);
        telegram_expect_next(telegrams);
        telegram_deliver(telegrams, &item);
        count++;
    }
    telegrams->frame = outer;
    if (delivered != NULL) *delivered = count;
    return result;
}

#undef TELEGRAM_END
