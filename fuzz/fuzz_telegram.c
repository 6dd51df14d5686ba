// Telegrams against a list: the input is a sequence of sending, cancelling, removing entities and
// stepping, also from within handlers. Whatever the sequence, what arrives, and in which order, is
// what a list that is searched from end to end says.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ploy/world/telegram.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define REQUIRE(condition)                                           \
    do {                                                             \
        if (!(condition)) {                                          \
            fprintf(stderr, "%d: %s fails\n", __LINE__, #condition); \
            abort();                                                 \
        }                                                            \
    } while (0)

enum { PEOPLE = 6, MOST = 600, STEPS = 300 };

typedef struct waiting {
    double due;
    ploy_agent_id from, to;
    ploy_telegram_id id;
    bool there;
} waiting;

typedef struct model {
    const uint8_t *data;
    size_t size;
    ploy_entities *entities;
    ploy_telegrams *telegrams;
    ploy_agent_id people[PEOPLE];
    waiting list[MOST];
    int count;
    double now;
    int depth;
    bool strict;
    double window;
} model;

static uint8_t take(model *m) {
    if (m->size == 0) return 0;
    m->size--;
    return *m->data++;
}

static bool is_due(const model *m, double due) {
    return m->strict ? due < m->now : due <= m->now;
}

static int first_due(const model *m) {
    int first = -1;
    for (int i = 0; i < m->count; i++) {
        if (!m->list[i].there || !is_due(m, m->list[i].due)) continue;
        if (first < 0 || m->list[i].due < m->list[first].due) first = i;
    }
    return first;
}

static void act(model *m);

static ploy_result receive(void *user, const ploy_message *message, bool *handled) {
    model *m = user;
    *handled = true;
    REQUIRE(ploy_entities_has(m->entities, message->receiver));
    if (message->size == 1) { // a delayed one
        int first = first_due(m);
        REQUIRE(first >= 0);
        REQUIRE(message->due == m->list[first].due);
        REQUIRE(ploy_id_equal(message->sender.id, m->list[first].from.id));
        REQUIRE(ploy_id_equal(message->receiver.id, m->list[first].to.id));
        m->list[first].there = false;
    }
    if (m->depth < 3) { // does anything while it is called
        m->depth++;
        act(m);
        m->depth--;
    }
    return take(m) % 8 == 0 ? PLOY_ERR_DENIED : PLOY_OK;
}

static void forget(model *m, ploy_agent_id from, ploy_agent_id to) {
    for (int i = 0; i < m->count; i++) {
        waiting *w = &m->list[i];
        if (!ploy_id_is_none(from.id) && !ploy_id_equal(w->from.id, from.id)) continue;
        if (!ploy_id_is_none(to.id) && !ploy_id_equal(w->to.id, to.id)) continue;
        w->there = false;
    }
}

static bool has_twin(const model *m, ploy_agent_id from, ploy_agent_id to, double due) {
    for (int i = 0; i < m->count; i++) {
        const waiting *w = &m->list[i];
        if (!w->there || !ploy_id_equal(w->from.id, from.id)) continue;
        if (!ploy_id_equal(w->to.id, to.id)) continue;
        if (w->due - due < m->window && due - w->due < m->window) return true;
    }
    return false;
}

static void send(model *m) {
    ploy_agent_id from = m->people[take(m) % PEOPLE], to = m->people[take(m) % PEOPLE];
    double delay = take(m) % 9 * 0.125;
    ploy_message message = ploy_message_make(from, to, ploy_name_of("x"));
    if (delay > 0.0) REQUIRE(ploy_message_set_payload(&message, "d", 1) == PLOY_OK);
    bool known = ploy_entities_has(m->entities, to);
    bool twin = delay > 0.0 && has_twin(m, from, to, m->now + delay);
    if (m->count == MOST) return;
    ploy_telegram_id id;
    ploy_result result = ploy_telegrams_send(m->telegrams, &message, delay, &id);
    if (!known) {
        REQUIRE(result == PLOY_ERR_NOT_FOUND);
    } else if (delay > 0.0) {
        REQUIRE(result == (twin ? PLOY_ERR_EXISTS : PLOY_OK));
        if (twin) return;
        waiting w = {m->now + delay, from, to, id, true};
        m->list[m->count++] = w;
    }
}

static void step(model *m) {
    m->now += take(m) % 5 * 0.125;
    REQUIRE(ploy_telegrams_step(m->telegrams, m->now, NULL, NULL, NULL) == PLOY_OK);
    REQUIRE(first_due(m) < 0);
}

static void act(model *m) {
    uint8_t what = take(m) % 8;
    uint8_t who = take(m) % PEOPLE;
    ploy_agent_id none = ploy_agent_id_none();
    if (what < 4) {
        send(m);
    } else if (what == 4 && m->count > 0) {
        waiting *w = &m->list[take(m) % m->count];
        REQUIRE(ploy_telegrams_cancel(m->telegrams, w->id) == w->there);
        w->there = false;
    } else if (what == 5) {
        bool sender = take(m) % 2 == 0;
        ploy_telegram_filter filter = {
            sender ? m->people[who] : none, sender ? none : m->people[who], {0}};
        ploy_telegrams_cancel_all(m->telegrams, filter);
        forget(m, filter.sender, filter.receiver);
    } else if (what == 6) {
        ploy_entity entity = ploy_entity_make(ploy_name_of("man"));
        if (ploy_entities_remove(m->entities, m->people[who]) == PLOY_OK) {
            forget(m, none, m->people[who]);
        } else {
            REQUIRE(ploy_entities_add(m->entities, &entity, &m->people[who]) == PLOY_OK);
        }
    } else if (what == 7) {
        step(m);
    }
    int there = 0;
    for (int i = 0; i < m->count; i++) there += m->list[i].there;
    REQUIRE(ploy_telegrams_waiting(m->telegrams) == there);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    model m;
    memset(&m, 0, sizeof m);
    m.data = data;
    m.size = size;
    ploy_env env = ploy_env_default();
    ploy_entities_def people = ploy_entities_def_default();
    ploy_telegrams_def def = ploy_telegrams_def_default();
    uint8_t mode = take(&m);
    def.strict = m.strict = (mode & 1) != 0;
    def.duplicate_window = (mode & 2) != 0 ? 0.25f : 0.0f;
    m.window = (double)def.duplicate_window;
    def.log = mode >> 4;
    def.capacity = 0;
    REQUIRE(ploy_entities_create(&people, &env, &m.entities) == PLOY_OK);
    REQUIRE(ploy_telegrams_create(&def, &env, &m.telegrams) == PLOY_OK);
    REQUIRE(ploy_telegrams_set_entities(m.telegrams, m.entities) == PLOY_OK);
    ploy_telegrams_set_receiver(m.telegrams, receive, &m);
    ploy_entity entity = ploy_entity_make(ploy_name_of("man"));
    for (int i = 0; i < PEOPLE; i++) {
        REQUIRE(ploy_entities_add(m.entities, &entity, &m.people[i]) == PLOY_OK);
    }
    for (int i = 0; i < STEPS && m.size > 0; i++) act(&m);
    m.depth = 3; // the rest is only taken
    m.now += 10.0;
    m.size = 0;
    REQUIRE(ploy_telegrams_step(m.telegrams, m.now, NULL, NULL, NULL) == PLOY_OK);
    REQUIRE(ploy_telegrams_waiting(m.telegrams) == 0);
    ploy_telegrams_destroy(m.telegrams);
    ploy_entities_destroy(m.entities);
    return 0;
}
