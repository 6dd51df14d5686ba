#include "ploy/exec/engine.h"

#include <stdlib.h>

#include "ploy/base/hash.h"
#include "ploy/exec/sim.h"
#include "tests/test.h"

// A behavior that does what its test tells it and counts what is done to it.
typedef struct probe {
    int32_t enters, steps, exits, commits, messages, destroys;
    ploy_exit_reason last_exit;
    ploy_result step_result, enter_result, message_result, commit_result;
    ploy_status status;
    int64_t spends;
    int64_t allowed; // units it was given
    float dt;
    double now;
    int32_t order; // in the list of all turns
    int32_t *turns;
    uint64_t draw;
    ploy_name last_kind;
    ploy_agent_id last_sender;
    void *game_seen;
    const void *world_seen;
    ploy_engine_action_done done;
    void (*on_step)(struct probe *self, ploy_step_context *context);
    void (*on_message)(struct probe *self, ploy_step_context *context, const ploy_message *message);
    void (*on_exit)(struct probe *self);
    void *user;
    ploy_agent_id other;
} probe;

static ploy_result probe_enter(void *self, ploy_step_context *context) {
    probe *p = self;
    (void)context;
    p->enters++;
    return p->enter_result;
}

static ploy_result probe_step(void *self, ploy_step_context *context, ploy_status *status) {
    probe *p = self;
    p->steps++;
    p->dt = context->dt;
    p->now = context->now;
    p->world_seen = context->world;
    p->game_seen = context->game;
    p->draw = ploy_rng_u64_at(context->key, context->agent.id.index, context->tick, 0);
    p->allowed = context->budget != NULL ? context->budget->units : -1;
    ploy_budget_spend(context->budget, p->spends);
    if (p->turns != NULL) p->order = (*p->turns)++;
    if (p->on_step != NULL) p->on_step(p, context);
    *status = p->status;
    return p->step_result;
}

static void probe_exit(void *self, ploy_step_context *context, ploy_exit_reason reason) {
    probe *p = self;
    (void)context;
    p->exits++;
    p->last_exit = reason;
    if (p->on_exit != NULL) p->on_exit(p);
}

static ploy_result probe_commit(void *self, ploy_step_context *context) {
    probe *p = self;
    p->commits++;
    p->game_seen = context->game;
    return p->commit_result;
}

static ploy_result probe_message(void *self, ploy_step_context *context,
                                 const ploy_message *message, bool *handled) {
    probe *p = self;
    p->messages++;
    p->last_kind = message->kind;
    p->last_sender = message->sender;
    p->game_seen = context->game;
    if (ploy_name_equal(message->kind, ploy_name_of(PLOY_ENGINE_ACTION_DONE))) {
        memcpy(&p->done, message->payload, sizeof p->done);
    }
    if (p->on_message != NULL) p->on_message(p, context, message);
    *handled = true;
    return p->message_result;
}

static void probe_destroy(void *self) {
    ((probe *)self)->destroys++;
}

static void probe_describe(const void *self, ploy_describe *out) {
    ploy_describe_i64(out, "steps", PLOY_STATE, ((const probe *)self)->steps);
}

static const ploy_behavior_type probe_type = {
    .name = "probe",
    .enter = probe_enter,
    .step = probe_step,
    .exit = probe_exit,
    .commit = probe_commit,
    .message = probe_message,
    .destroy = probe_destroy,
    .describe = probe_describe,
};

static ploy_agent_id agent(int32_t index) {
    return ploy_agent_id_make((uint32_t)index, 1);
}

static ploy_engine *engine_of(test_context *t, bool parallel) {
    ploy_env env = ploy_env_default();
    ploy_engine_def def = ploy_engine_def_default();
    def.parallel = parallel;
    def.capacity = 2; // so that it grows in every test
    ploy_engine *engine = NULL;
    CHECK_OK(ploy_engine_create(&def, &env, &engine));
    return engine;
}

static ploy_engine_id add(test_context *t, ploy_engine *engine, probe *p, int32_t index) {
    ploy_engine_entry entry = ploy_engine_entry_default();
    entry.behavior.type = &probe_type;
    entry.behavior.self = p;
    entry.agent = agent(index);
    ploy_engine_id id = {{0, 0}};
    CHECK_OK(ploy_engine_register(engine, &entry, &id));
    return id;
}

static void step(test_context *t, ploy_engine *engine, int32_t ticks) {
    for (int32_t i = 0; i < ticks; i++) CHECK_OK(ploy_engine_step(engine, 0.25f, NULL, NULL));
}

static ploy_engine_turn turn_of(test_context *t, const ploy_engine *engine, ploy_engine_id id) {
    ploy_engine_info info;
    CHECK_OK(ploy_engine_get(engine, id, &info));
    return info.turn;
}

TEST(a_behavior_enters_once_steps_each_tick_and_exits_once) {
    for (int32_t parallel = 0; parallel < 2; parallel++) {
        ploy_engine *engine = engine_of(t, parallel == 1);
        probe a = {0}, b = {0}, c = {0};
        ploy_engine_id ia = add(t, engine, &a, 1);
        add(t, engine, &b, 2);
        add(t, engine, &c, 3);
        CHECK_INT(ploy_engine_count(engine), 3);
        CHECK_INT(a.enters, 0);
        CHECK_INT(turn_of(t, engine, ia), PLOY_ENGINE_TURN_NEW);
        step(t, engine, 4);
        CHECK_INT(a.enters, 1);
        CHECK_INT(a.steps, 4);
        CHECK_INT(a.commits, 4);
        CHECK_INT(turn_of(t, engine, ia), PLOY_ENGINE_TURN_RAN);
        CHECK_SAME(a.dt, 0.25f);
        CHECK_SAME(a.now, 0.75);
        CHECK_UINT(ploy_engine_tick(engine), 4);
        CHECK_SAME(ploy_engine_now(engine), 1.0);
        CHECK_OK(ploy_engine_unregister(engine, ia));
        CHECK_INT(a.exits, 1);
        CHECK_INT(a.last_exit, PLOY_EXIT_REMOVED);
        CHECK_INT(a.destroys, 1);
        CHECK_INT(ploy_engine_unregister(engine, ia), PLOY_ERR_NOT_FOUND);
        ploy_engine_info info;
        CHECK_INT(ploy_engine_get(engine, ia, &info), PLOY_ERR_NOT_FOUND);
        b.status = PLOY_STATUS_SUCCESS; // finishes every time, and begins again
        step(t, engine, 3);
        CHECK_INT(b.enters, 3); // the first one went on until now
        CHECK_INT(b.exits, 3);
        CHECK_INT(b.steps, 7);
        CHECK_INT(b.last_exit, PLOY_EXIT_FINISHED);
        CHECK_INT(a.steps, 4);
        ploy_engine_destroy(engine);
        CHECK_INT(b.exits, 3); // it had exited already
        CHECK_INT(c.exits, 1);
        CHECK_INT(c.last_exit, PLOY_EXIT_REMOVED);
        CHECK_INT(b.destroys, 1);
        CHECK_INT(c.destroys, 1);
    }
    ploy_engine_destroy(NULL);
}

TEST(ids_are_visited_in_order_and_old_ones_are_recognised) {
    ploy_engine *engine = engine_of(t, false);
    probe p[5] = {0};
    int32_t turns = 0;
    ploy_engine_id ids[5];
    for (int32_t i = 0; i < 5; i++) {
        p[i].turns = &turns;
        ids[i] = add(t, engine, &p[i], i);
    }
    step(t, engine, 1);
    for (int32_t i = 0; i < 5; i++) CHECK_INT(p[i].order, i);
    CHECK_OK(ploy_engine_unregister(engine, ids[1]));
    probe late = {.turns = &turns};
    ploy_engine_id id = add(t, engine, &late, 9);
    CHECK_UINT(id.id.index, ids[1].id.index); // the place is used again
    CHECK(id.id.generation != ids[1].id.generation);
    turns = 0;
    step(t, engine, 1);
    CHECK_INT(late.order, 1);
    int32_t seen = 0;
    for (ploy_engine_id at = ploy_engine_next(engine, 0); !ploy_id_is_none(at.id);
         at = ploy_engine_next(engine, at.id.index + 1)) {
        seen++;
    }
    CHECK_INT(seen, 5);
    ploy_engine_destroy(engine);
}

TEST(periods_and_phases_spread_the_turns) { // EXE-02, EXE-03
    static const struct {
        const char *row;
        int32_t period[3], phase[3];
        int32_t load[8];
    } rows[] = {
        {"periods 2, 4, 8 without phase", {2, 4, 8}, {0, 0, 0}, {3, 0, 1, 0, 2, 0, 1, 0}},
        {"periods 2, 4, 8 with phases 0, 3, 5", {2, 4, 8}, {0, 3, 5}, {1, 1, 1, 1, 1, 1, 1, 0}},
        {"three times 3 with phases 0, 1, 2", {3, 3, 3}, {0, 1, 2}, {1, 1, 1, 1, 1, 1, 1, 1}},
        {"phases beyond the period, and below 0", {2, 4, 8}, {8, 7, -3}, {1, 1, 1, 1, 1, 1, 1, 0}},
    };
    for (size_t r = 0; r < COUNT_OF(rows); r++) {
        t->row = rows[r].row;
        ploy_engine *engine = engine_of(t, false);
        probe p[3] = {0};
        for (int32_t i = 0; i < 3; i++) {
            ploy_engine_id id = add(t, engine, &p[i], i);
            CHECK_OK(ploy_engine_set_schedule(engine, id, rows[r].period[i], rows[r].phase[i], 1));
        }
        for (int32_t tick = 0; tick < 16; tick++) {
            int32_t before = p[0].steps + p[1].steps + p[2].steps;
            step(t, engine, 1);
            CHECK_INT(p[0].steps + p[1].steps + p[2].steps - before, rows[r].load[tick % 8]);
        }
        for (int32_t i = 0; i < 3; i++) CHECK_INT(p[i].commits, p[i].steps); // who ran commits
        // The time since the last turn, not since the last tick.
        CHECK_SAME(p[2].dt, 0.25f * (float)rows[r].period[2]);
        ploy_engine_destroy(engine);
    }
    // 100 characters, each every 30 ticks: 20 ticks have 3 of them, 10 have 4.
    ploy_engine *engine = engine_of(t, true);
    probe p[100] = {0};
    for (int32_t i = 0; i < 100; i++) {
        CHECK_OK(ploy_engine_set_schedule(engine, add(t, engine, &p[i], i), 30, i, 1));
    }
    int32_t with[5] = {0};
    for (int32_t tick = 0; tick < 30; tick++) {
        int32_t load = 0;
        for (int32_t i = 0; i < 100; i++) load -= p[i].steps;
        step(t, engine, 1);
        for (int32_t i = 0; i < 100; i++) load += p[i].steps;
        CHECK(load >= 3 && load <= 4);
        with[load]++;
    }
    CHECK_INT(with[3], 20);
    CHECK_INT(with[4], 10);
    for (int32_t i = 0; i < 100; i++) CHECK_INT(p[i].commits, p[i].steps);
    ploy_engine_destroy(engine);
}

TEST(a_budget_is_shared_by_priority) { // EXE-10, EXE-12
    static const struct {
        const char *row;
        bool parallel;
        int64_t budget;
        int32_t priority[3];
        int64_t spends[3], allowed[3], left;
    } rows[] = {
        {"what one overspends the others lack", false, 12, {1, 1, 1}, {6, 2, 4}, {4, 3, 4}, 0},
        {"in proportion", false, 12, {1, 2, 3}, {2, 4, 6}, {2, 4, 6}, 0},
        {"what one leaves the others get", false, 12, {1, 1, 1}, {0, 0, 0}, {4, 5, 10}, 9},
        {"shares fixed before thinking", true, 12, {1, 1, 1}, {6, 2, 4}, {4, 4, 4}, 0},
        {"fixed in proportion", true, 12, {1, 2, 3}, {0, 0, 0}, {2, 4, 6}, 9},
        {"rest to the later", true, 13, {1, 1, 1}, {4, 4, 5}, {4, 4, 5}, 0},
        {"more than can be multiplied",
         true,
         INT64_MAX - 1,
         {1000, 1000, 1000},
         {1, 1, 1},
         {3074457345618258602, 3074457345618258602, 3074457345618258602},
         INT64_MAX - 4},
    };
    for (size_t r = 0; r < COUNT_OF(rows); r++) {
        t->row = rows[r].row;
        ploy_engine *engine = engine_of(t, rows[r].parallel);
        probe p[3] = {0};
        ploy_engine_id ids[3];
        for (int32_t i = 0; i < 3; i++) {
            p[i].spends = rows[r].spends[i];
            ids[i] = add(t, engine, &p[i], i);
            CHECK_OK(ploy_engine_set_schedule(engine, ids[i], 1, 0, rows[r].priority[i]));
        }
        ploy_budget budget = ploy_budget_units(rows[r].budget);
        CHECK_OK(ploy_engine_step(engine, 0.1f, &budget, NULL));
        for (int32_t i = 0; i < 3; i++) {
            CHECK_INT(p[i].allowed, rows[r].allowed[i]);
            ploy_engine_info info;
            CHECK_OK(ploy_engine_get(engine, ids[i], &info));
            CHECK_INT(info.allowed, rows[r].allowed[i]);
            CHECK_INT(info.spent, rows[r].spends[i] > 1 ? rows[r].spends[i] : 1);
        }
        CHECK_INT(budget.units, rows[r].left);
        ploy_engine_destroy(engine);
    }
    t->row = NULL;
    ploy_engine *engine = engine_of(t, false);
    probe p = {0};
    add(t, engine, &p, 1);
    ploy_budget all = ploy_budget_unlimited();
    CHECK_OK(ploy_engine_step(engine, 0.1f, &all, NULL));
    CHECK_INT(p.allowed, PLOY_BUDGET_UNLIMITED);
    CHECK_OK(ploy_engine_step(engine, 0.1f, NULL, NULL));
    CHECK_INT(p.allowed, -1); // no budget at all
    ploy_engine_destroy(engine);
}

TEST(those_left_over_come_first_in_the_next_step) {
    for (int32_t parallel = 0; parallel < 2; parallel++) {
        ploy_engine *engine = engine_of(t, parallel == 1);
        probe p[5] = {0};
        ploy_engine_id ids[5];
        int32_t order = 0;
        for (int32_t i = 0; i < 5; i++) {
            ids[i] = add(t, engine, &p[i], i);
            p[i].turns = &order;
        }
        for (int32_t round = 0; round < 10; round++) {
            ploy_budget budget = ploy_budget_units(2);
            CHECK_OK(ploy_engine_step(engine, 0.1f, &budget, NULL));
            CHECK_INT(budget.spent, 2);
            CHECK_INT(order, 2 * (round + 1));
            // Two of five a step, in turn: 01 23 40 12 34 01 ...
            CHECK_INT(p[(2 * round) % 5].order, 2 * round);
            CHECK_INT(p[(2 * round + 1) % 5].order, 2 * round + 1);
        }
        CHECK_INT(turn_of(t, engine, ids[0]), PLOY_ENGINE_TURN_WAITS);
        ploy_engine_info info;
        CHECK_OK(ploy_engine_get(engine, ids[0], &info));
        CHECK_INT(info.waits, 6);
        CHECK_INT(info.turns, 4);
        // A turn put off is kept although the period says that it is not due any more.
        CHECK_OK(ploy_engine_set_schedule(engine, ids[0], 1000, 1, 1));
        ploy_budget budget = ploy_budget_units(1);
        CHECK_OK(ploy_engine_step(engine, 0.1f, &budget, NULL));
        CHECK_INT(p[0].steps, 5);
        step(t, engine, 1);
        CHECK_INT(p[0].steps, 5);
        CHECK_INT(turn_of(t, engine, ids[0]), PLOY_ENGINE_TURN_NOT_DUE);
        ploy_engine_destroy(engine);
    }
}

TEST(nobody_waits_for_ever) {
    for (uint64_t seed = 1; seed <= 30; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        ploy_engine *engine = engine_of(t, seed % 2 == 0);
        probe p[20] = {0};
        int32_t last[20] = {0}, load = 0;
        for (int32_t i = 0; i < 20; i++) {
            ploy_engine_id id = add(t, engine, &p[i], i);
            int32_t period = ploy_rng_int(&rng, 1, 4);
            CHECK_OK(ploy_engine_set_schedule(engine, id, period, ploy_rng_int(&rng, 0, 9),
                                              ploy_rng_int(&rng, 1, 5)));
            load++;
        }
        for (int32_t tick = 1; tick <= 200; tick++) {
            int32_t before[20];
            for (int32_t i = 0; i < 20; i++) before[i] = p[i].steps;
            ploy_budget budget = ploy_budget_units(ploy_rng_int(&rng, 1, 3));
            CHECK_OK(ploy_engine_step(engine, 0.1f, &budget, NULL));
            for (int32_t i = 0; i < 20; i++) {
                if (p[i].steps != before[i]) last[i] = tick;
                // At worst all others go first, one a step, and then its period must come round.
                CHECK(tick - last[i] <= load + 4);
            }
        }
        ploy_engine_destroy(engine);
    }
}

// ---- messages

static void send_to_other(probe *self, ploy_step_context *context) {
    ploy_message message =
        ploy_message_make(ploy_agent_id_none(), self->other, ploy_name_of("hello"));
    self->step_result = ploy_outbox_message(context->outbox, &message);
}

static void note_other_messages(probe *self, ploy_step_context *context) {
    send_to_other(self, context);
    self->spends = ((probe *)self->user)->messages;
}

TEST(a_serial_engine_delivers_at_once_a_parallel_one_at_commit) {
    for (int32_t parallel = 0; parallel < 2; parallel++) {
        ploy_engine *engine = engine_of(t, parallel == 1);
        probe a = {0}, b = {0};
        a.on_step = note_other_messages; // sends, then looks whether it arrived
        a.user = &b;
        a.other = agent(2);
        a.spends = -1;
        add(t, engine, &a, 1);
        add(t, engine, &b, 2);
        int game = 0;
        ploy_engine_frame frame = {.game = &game, .world = &a};
        CHECK_OK(ploy_engine_step(engine, 0.1f, NULL, &frame));
        CHECK_INT(a.spends, parallel == 1 ? 0 : 1);
        CHECK_INT(b.messages, 1);
        CHECK(ploy_name_equal(b.last_kind, ploy_name_of("hello")));
        CHECK(ploy_id_equal(b.last_sender.id, agent(1).id)); // filled in
        CHECK(b.game_seen == &game);
        CHECK(a.world_seen == &a);
        CHECK_INT(ploy_engine_lost_messages(engine), 0);
        ploy_engine_destroy(engine);
    }
}

static void answer(probe *self, ploy_step_context *context, const ploy_message *message) {
    ploy_message back = ploy_message_make(ploy_agent_id_none(), message->sender, message->kind);
    ploy_result result = ploy_outbox_message(context->outbox, &back);
    if (result != PLOY_OK) self->status = PLOY_STATUS_RUNNING, self->spends = result;
}

TEST(answers_to_answers_end) {
    // In a serial engine the chain is cut at its depth; in a parallel one an answer goes out in the
    // next step.
    for (int32_t parallel = 0; parallel < 2; parallel++) {
        ploy_engine *engine = engine_of(t, parallel == 1);
        probe a = {0}, b = {0};
        a.on_message = answer;
        b.on_message = answer;
        add(t, engine, &a, 1);
        add(t, engine, &b, 2);
        step(t, engine, 1);
        ploy_message message = ploy_message_make(agent(1), agent(2), ploy_name_of("ping"));
        bool handled = false;
        CHECK_OK(ploy_engine_send(engine, &message, NULL, &handled));
        CHECK(handled);
        CHECK_INT(a.messages + b.messages, parallel == 1 ? 1 : PLOY_ENGINE_MESSAGE_DEPTH);
        if (parallel == 0) CHECK_INT(a.spends + b.spends, PLOY_ERR_LIMIT);
        step(t, engine, 3);
        CHECK_INT(a.messages + b.messages, parallel == 1 ? 4 : PLOY_ENGINE_MESSAGE_DEPTH);
        ploy_engine_destroy(engine);
    }
}

TEST(a_message_for_nobody_in_particular_reaches_all_others) {
    ploy_engine *engine = engine_of(t, true);
    probe p[4] = {0};
    for (int32_t i = 0; i < 4; i++) add(t, engine, &p[i], i == 3 ? 0 : i); // two belong to agent 0
    p[0].on_step = send_to_other;
    p[0].other = ploy_agent_id_none();
    step(t, engine, 1);
    CHECK_INT(p[0].messages, 0);
    CHECK_INT(p[1].messages, 1);
    CHECK_INT(p[2].messages, 1);
    CHECK_INT(p[3].messages, 0); // the sender's other behavior
    p[0].other = agent(0);       // to oneself: both hear it
    step(t, engine, 1);
    CHECK_INT(p[0].messages, 1);
    CHECK_INT(p[3].messages, 1);
    ploy_engine_destroy(engine);
}

static void note_order(probe *self, ploy_step_context *context, const ploy_message *message) {
    (void)context, (void)message;
    self->order = (*self->turns)++;
}

TEST(all_behaviors_of_an_agent_hear_in_order_of_ids_and_draw_apart) {
    ploy_engine *engine = engine_of(t, true);
    int32_t turns = 0;
    probe p[6] = {0}, late = {.turns = &turns};
    ploy_engine_id ids[6];
    for (int32_t i = 0; i < 6; i++) {
        p[i].turns = &turns;
        p[i].on_message = note_order;
        ids[i] = add(t, engine, &p[i], 4);
    }
    late.on_message = note_order;
    CHECK_OK(ploy_engine_unregister(engine, ids[2]));
    add(t, engine, &late, 4); // takes the place that became free
    step(t, engine, 1);
    for (int32_t i = 0; i < 5; i++) CHECK(p[i].draw != p[i + 1].draw);
    turns = 0;
    ploy_message message = ploy_message_make(agent(9), agent(4), ploy_name_of("x"));
    CHECK_OK(ploy_engine_send(engine, &message, NULL, NULL));
    CHECK_INT(turns, 6);
    for (int32_t i = 0; i < 6; i++) CHECK_INT(i == 2 ? late.order : p[i].order, i);
    ploy_engine_destroy(engine);
}

static ploy_result take_route(void *user, const ploy_message *message) {
    ploy_message *last = user;
    *last = *message;
    return message->due > 50 ? PLOY_ERR_CAPACITY : PLOY_OK;
}

static void send_later(probe *self, ploy_step_context *context) {
    ploy_message message = ploy_message_make(agent(1), self->other, ploy_name_of("later"));
    message.due = (double)self->spends;
    self->step_result = ploy_outbox_message(context->outbox, &message);
}

TEST(what_cannot_be_delivered_goes_to_the_route_or_is_counted) {
    for (int32_t parallel = 0; parallel < 2; parallel++) {
        ploy_engine *engine = engine_of(t, parallel == 1);
        probe a = {0};
        a.on_step = send_later;
        a.other = agent(7); // nobody
        add(t, engine, &a, 1);
        step(t, engine, 1);
        CHECK_INT(ploy_engine_lost_messages(engine), 1);
        ploy_message last;
        ploy_engine_set_route(engine, take_route, &last);
        step(t, engine, 1);
        CHECK_INT(ploy_engine_lost_messages(engine), 1);
        CHECK(ploy_id_equal(last.receiver.id, agent(7).id));
        a.other = agent(1);
        a.spends = 40; // there, but not yet
        step(t, engine, 1);
        CHECK_SAME(last.due, 40.0);
        CHECK_INT(a.messages, 0);
        a.spends = 60;
        step(t, engine, 1);
        CHECK_INT(ploy_engine_lost_messages(engine), 2); // the route refused
        a.spends = 0;
        step(t, engine, 1);
        CHECK_INT(a.messages, 1);
        ploy_message message = ploy_message_make(agent(1), agent(7), ploy_name_of("x"));
        CHECK_INT(ploy_engine_send(engine, &message, NULL, NULL), PLOY_ERR_NOT_FOUND);
        message.size = PLOY_MESSAGE_PAYLOAD + 1;
        CHECK_INT(ploy_engine_send(engine, &message, NULL, NULL), PLOY_ERR_ARGUMENT);
        ploy_engine_destroy(engine);
    }
}

static ploy_result hello_enter(void *self, ploy_step_context *context) {
    probe *p = self;
    p->enters++;
    ploy_message message = ploy_message_make(agent(1), p->other, ploy_name_of("hello"));
    return ploy_outbox_message(context->outbox, &message);
}

TEST(a_message_sent_on_entering_reaches_those_who_enter_after) {
    for (int32_t parallel = 0; parallel < 2; parallel++) {
        ploy_behavior_type type = probe_type;
        type.enter = hello_enter;
        ploy_engine *engine = engine_of(t, parallel == 1);
        probe a = {0}, b = {0};
        a.other = agent(2);
        ploy_engine_entry entry = ploy_engine_entry_default();
        entry.behavior.type = &type;
        entry.behavior.self = &a;
        entry.agent = agent(1);
        CHECK_OK(ploy_engine_register(engine, &entry, NULL));
        add(t, engine, &b, 2);
        step(t, engine, 1);
        CHECK_INT(b.messages, 1);
        ploy_engine_destroy(engine);
    }
}

static void send_many(probe *self, ploy_step_context *context) {
    ploy_message message = ploy_message_make(agent(1), agent(1), ploy_name_of("x"));
    for (int32_t i = 0; i < 8; i++) {
        if (ploy_outbox_message(context->outbox, &message) != PLOY_OK) self->spends = -1;
    }
    if (ploy_outbox_message(context->outbox, &message) == PLOY_ERR_CAPACITY) self->spends = 9;
}

TEST(an_outbox_has_room_for_as_many_as_the_def_says) {
    ploy_engine *engine = engine_of(t, true);
    probe a = {0};
    a.on_step = send_many;
    add(t, engine, &a, 1);
    step(t, engine, 2);
    CHECK_INT(a.spends, 9);
    CHECK_INT(a.messages, 16);
    ploy_engine_destroy(engine);
}

// ---- failures

typedef struct heard {
    int32_t errors;
    char last[256];
} heard;

static void hear(void *user, ploy_severity severity, const char *text) {
    heard *all = user;
    if (severity < PLOY_SEVERITY_ERROR) return;
    all->errors++;
    snprintf(all->last, sizeof all->last, "%s", text);
}

TEST(an_error_stops_one_behavior_and_no_other) {
    for (int32_t where = 0; where < 8; where++) { // enter, step, message, commit; serial, parallel
        TEST_SEED(where);
        heard all = {0, ""};
        ploy_env env = ploy_env_default();
        env.log = hear;
        env.log_user = &all;
        ploy_engine_def def = ploy_engine_def_default();
        def.parallel = where >= 4;
        ploy_engine *engine = NULL;
        CHECK_OK(ploy_engine_create(&def, &env, &engine));
        probe a = {0}, bad = {0}, c = {0};
        add(t, engine, &a, 1);
        ploy_engine_id id = add(t, engine, &bad, 2);
        add(t, engine, &c, 3);
        a.on_step = send_to_other;
        a.other = agent(2);
        ploy_result error = PLOY_ERR_LIMIT;
        if (where % 4 == 0) bad.enter_result = error;
        if (where % 4 == 1) bad.step_result = error;
        if (where % 4 == 2) bad.message_result = error;
        if (where % 4 == 3) bad.commit_result = error;
        step(t, engine, 3);
        CHECK_INT(bad.enters, 1);
        CHECK_INT(bad.exits, 1);
        CHECK_INT(bad.last_exit, PLOY_EXIT_ERROR);
        CHECK(bad.steps <= 1);
        CHECK_INT(turn_of(t, engine, id), PLOY_ENGINE_TURN_FAILED);
        ploy_engine_info info;
        CHECK_OK(ploy_engine_get(engine, id, &info));
        CHECK_INT(info.result, error);
        CHECK_INT(all.errors, 1);
        CHECK_TEXT(all.last,
                   "behavior 'probe' of agent 2:1 is stopped: a stated limit was reached");
        CHECK_INT(a.steps, 3);
        CHECK_INT(c.steps, 3);
        // It begins again when somebody mended it.
        bad.enter_result = bad.step_result = bad.message_result = bad.commit_result = PLOY_OK;
        CHECK_OK(ploy_engine_restart(engine, id));
        CHECK_INT(ploy_engine_restart(engine, id), PLOY_ERR_STATE);
        int32_t steps = bad.steps;
        step(t, engine, 2);
        CHECK_INT(bad.enters, 2);
        CHECK_INT(bad.steps, steps + 2);
        ploy_engine_destroy(engine);
        CHECK_INT(bad.exits, 2);
    }
}

static void send_and_ask(probe *self, ploy_step_context *context) {
    send_to_other(self, context);
    ploy_action_request request =
        ploy_action_request_make(ploy_agent_id_none(), ploy_name_of("wave"), PLOY_ACTION_ANIMATE);
    ploy_outbox_action(context->outbox, &request);
    self->step_result = PLOY_ERR_LIMIT;
}

static ploy_result count_begin(void *user, ploy_action_id id, const ploy_action_request *request) {
    (void)id, (void)request;
    (*(int32_t *)user)++;
    return PLOY_OK;
}

TEST(what_a_failing_thought_wanted_to_say_is_taken_back) {
    ploy_env env = ploy_env_default();
    int32_t begun = 0;
    ploy_action_host host = {.animate = {.begin = count_begin, .user = &begun}};
    ploy_actions_def actions_def = ploy_actions_def_default();
    ploy_actions *actions = NULL;
    CHECK_OK(ploy_actions_create(&actions_def, &host, &env, &actions));
    ploy_engine *engine = engine_of(t, true);
    ploy_engine_set_actions(engine, actions);
    probe a = {0}, b = {0};
    a.on_step = send_and_ask;
    a.other = agent(2);
    add(t, engine, &a, 1);
    add(t, engine, &b, 2);
    step(t, engine, 3);
    CHECK_INT(b.messages, 0);
    CHECK_INT(begun, 0);
    CHECK_INT(a.exits, 1);
    ploy_engine_destroy(engine);
    ploy_actions_destroy(actions);
}

// ---- changes while running

TEST(an_implementation_can_be_replaced_while_the_game_runs) { // ENG-03
    for (int32_t parallel = 0; parallel < 2; parallel++) {
        ploy_engine *engine = engine_of(t, parallel == 1);
        probe placeholder = {0}, real = {0}, third = {0};
        ploy_engine_id id = add(t, engine, &placeholder, 1);
        step(t, engine, 2);
        ploy_behavior next = {&probe_type, &real};
        CHECK_OK(ploy_engine_replace(engine, id, next));
        CHECK_INT(placeholder.last_exit, PLOY_EXIT_REPLACED);
        CHECK_INT(placeholder.exits, 1);
        CHECK_INT(placeholder.destroys, 1);
        CHECK_INT(real.enters, 0);
        step(t, engine, 2);
        CHECK_INT(placeholder.steps, 2);
        CHECK_INT(real.enters, 1);
        CHECK_INT(real.steps, 2);
        ploy_engine_info info;
        CHECK_OK(ploy_engine_get(engine, id, &info)); // the same id
        CHECK(info.behavior.self == &real);
        next.self = &third;
        real.step_result = PLOY_ERR_LIMIT;
        step(t, engine, 1);
        CHECK_OK(ploy_engine_replace(engine, id, next)); // one that failed gives way too
        CHECK_INT(real.exits, 1);                        // but exits only once
        CHECK_INT(real.last_exit, PLOY_EXIT_ERROR);
        step(t, engine, 1);
        CHECK_INT(third.steps, 1);
        ploy_behavior none = {NULL, NULL};
        CHECK_INT(ploy_engine_replace(engine, id, none), PLOY_ERR_ARGUMENT);
        ploy_engine_destroy(engine);
        CHECK_INT(real.destroys, 1);
        CHECK_INT(third.destroys, 1);
    }
}

typedef struct meddler {
    ploy_engine *engine;
    ploy_engine_id self, other;
    probe *fresh;
    ploy_result results[6];
} meddler;

// Does everything that changes the register.
static void meddle(probe *self) {
    meddler *m = self->user;
    ploy_engine_entry entry = ploy_engine_entry_default();
    entry.behavior.type = &probe_type;
    entry.behavior.self = &m->fresh[0];
    entry.agent = agent(50);
    m->results[0] = ploy_engine_register(m->engine, &entry, NULL);
    m->results[1] = ploy_engine_unregister(m->engine, m->other);
    ploy_behavior next = {&probe_type, &m->fresh[1]};
    m->results[2] = ploy_engine_replace(m->engine, m->self, next);
    m->results[3] = ploy_engine_step(m->engine, 0.1f, NULL, NULL);
    m->results[4] = ploy_engine_set_schedule(m->engine, m->self, 1, 0, 2);
    m->results[5] = ploy_engine_set_paused(m->engine, m->self, false);
}

static void meddle_in_step(probe *self, ploy_step_context *context) {
    (void)context;
    meddle(self);
    self->on_step = NULL;
}

static void meddle_on_message(probe *self, ploy_step_context *context,
                              const ploy_message *message) {
    (void)context, (void)message;
    meddle(self);
    self->on_message = NULL;
}

TEST(the_register_may_change_within_a_step_where_others_do_not_think) {
    for (int32_t turn = 0; turn < 4; turn++) {
        TEST_SEED(turn);
        bool parallel = turn >= 2, on_message = turn % 2 == 1;
        ploy_env env = ploy_env_default();
        ploy_engine_def def = ploy_engine_def_default();
        def.parallel = parallel;
        def.capacity = 3;
        ploy_engine *engine = NULL;
        CHECK_OK(ploy_engine_create(&def, &env, &engine));
        probe a = {0}, other = {0}, fresh[2] = {0};
        meddler m = {.engine = engine, .fresh = fresh};
        m.self = add(t, engine, &a, 1);
        m.other = add(t, engine, &other, 2);
        a.user = &m;
        if (on_message) {
            a.on_message = meddle_on_message;
            step(t, engine, 1);
            ploy_message message = ploy_message_make(agent(2), agent(1), ploy_name_of("x"));
            CHECK_OK(ploy_engine_send(engine, &message, NULL, NULL));
        } else {
            a.on_step = meddle_in_step;
            step(t, engine, 1);
        }
        bool allowed = !parallel || on_message;
        CHECK_INT(m.results[0], allowed ? PLOY_OK : PLOY_ERR_STATE);
        CHECK_INT(m.results[1], allowed ? PLOY_OK : PLOY_ERR_STATE);
        CHECK_INT(m.results[2], allowed ? PLOY_OK : PLOY_ERR_STATE);
        CHECK_INT(m.results[3], PLOY_ERR_STATE);
        CHECK_INT(m.results[4], allowed ? PLOY_OK : PLOY_ERR_STATE);
        CHECK_INT(m.results[5], allowed ? PLOY_OK : PLOY_ERR_STATE);
        int32_t others = other.steps;
        step(t, engine, 1);
        CHECK_INT(ploy_engine_count(engine), 2);
        CHECK_INT(other.destroys, allowed ? 1 : 0);
        CHECK_INT(other.exits, allowed ? 1 : 0);
        CHECK_INT(other.steps, allowed ? others : others + 1);
        CHECK_INT(a.destroys, allowed ? 1 : 0);
        CHECK_INT(fresh[0].steps, allowed ? 1 : 0);
        CHECK_INT(fresh[1].steps, allowed ? 1 : 0);
        ploy_engine_destroy(engine);
    }
}

static void take_along(probe *self) {
    meddler *m = self->user;
    m->results[0] = ploy_engine_unregister(m->engine, m->other);
}

TEST(an_exit_may_take_others_along_at_once) {
    ploy_engine *engine = engine_of(t, false);
    probe first = {0}, last = {0};
    meddler m = {.engine = engine};
    m.other = add(t, engine, &first, 1);
    m.self = add(t, engine, &last, 2);
    last.user = &m;
    last.on_exit = take_along;
    step(t, engine, 1);
    CHECK_OK(ploy_engine_unregister(engine, m.self));
    CHECK_INT(m.results[0], PLOY_OK);
    CHECK_INT(first.exits, 1); // although its place lies before the other's
    CHECK_INT(first.destroys, 1);
    CHECK_INT(ploy_engine_count(engine), 0);
    ploy_engine_destroy(engine);
}

TEST(within_a_step_the_register_does_not_grow) {
    ploy_engine *engine = engine_of(t, false); // room for two
    probe a = {0}, b = {0}, fresh[2] = {0};
    meddler m = {.engine = engine, .fresh = fresh};
    m.self = add(t, engine, &a, 1);
    m.other = add(t, engine, &b, 2);
    a.user = &m;
    a.on_step = meddle_in_step;
    step(t, engine, 1);
    CHECK_INT(m.results[0], PLOY_ERR_CAPACITY);
    CHECK_INT(fresh[0].destroys, 0); // still the caller's
    ploy_engine_destroy(engine);
}

TEST(one_that_finishes_for_good_stays_so_and_one_that_is_paused_has_no_turns) {
    ploy_engine *engine = engine_of(t, true);
    probe once = {.status = PLOY_STATUS_FAILURE}, paused = {0};
    ploy_engine_entry entry = ploy_engine_entry_default();
    entry.behavior.type = &probe_type;
    entry.behavior.self = &once;
    entry.agent = agent(1);
    entry.once = true;
    ploy_engine_id id = {{0, 0}};
    CHECK_OK(ploy_engine_register(engine, &entry, &id));
    ploy_engine_id paused_id = add(t, engine, &paused, 2);
    CHECK_OK(ploy_engine_set_paused(engine, paused_id, true));
    step(t, engine, 4);
    CHECK_INT(once.steps, 1);
    CHECK_INT(once.exits, 1);
    CHECK_INT(turn_of(t, engine, id), PLOY_ENGINE_TURN_DONE);
    CHECK_INT(paused.enters, 1);
    CHECK_INT(paused.steps, 0);
    CHECK_INT(turn_of(t, engine, paused_id), PLOY_ENGINE_TURN_PAUSED);
    ploy_message message = ploy_message_make(agent(9), agent(2), ploy_name_of("x"));
    CHECK_OK(ploy_engine_send(engine, &message, NULL, NULL));
    CHECK_INT(paused.messages, 1); // it still hears
    CHECK_OK(ploy_engine_set_paused(engine, paused_id, false));
    step(t, engine, 1);
    CHECK_INT(paused.steps, 1);
    CHECK_SAME(paused.dt, 0.25f); // the pause does not count
    CHECK_OK(ploy_engine_restart(engine, id));
    step(t, engine, 1);
    CHECK_INT(once.steps, 2);
    ploy_engine_destroy(engine);
}

TEST(bad_arguments_are_refused_and_change_nothing) {
    ploy_env env = ploy_env_default();
    ploy_engine_def def = ploy_engine_def_default();
    ploy_engine *engine = (ploy_engine *)&env;
    CHECK_INT(ploy_engine_create(&def, &env, NULL), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_engine_create(NULL, &env, &engine), PLOY_ERR_ARGUMENT);
    CHECK(engine == NULL);
    def.capacity = 0;
    CHECK_INT(ploy_engine_create(&def, &env, &engine), PLOY_ERR_ARGUMENT);
    engine = engine_of(t, false);
    probe p = {0};
    ploy_engine_entry entry = ploy_engine_entry_default();
    ploy_engine_id id = {{0, 0}};
    entry.agent = agent(1);
    CHECK_INT(ploy_engine_register(engine, &entry, &id), PLOY_ERR_ARGUMENT); // no behavior
    entry.behavior.type = &probe_type;
    entry.behavior.self = &p;
    entry.agent = ploy_agent_id_none();
    CHECK_INT(ploy_engine_register(engine, &entry, &id), PLOY_ERR_ARGUMENT);
    entry.agent = agent(1);
    entry.period = 0;
    CHECK_INT(ploy_engine_register(engine, &entry, &id), PLOY_ERR_ARGUMENT);
    entry.period = 1;
    entry.cookie = 0;
    CHECK_INT(ploy_engine_register(engine, &entry, &id), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_engine_count(engine), 0);
    id = add(t, engine, &p, 1);
    CHECK_INT(ploy_engine_set_schedule(engine, id, 0, 0, 1), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_engine_set_schedule(engine, id, 1, 0, 0), PLOY_ERR_ARGUMENT);
    ploy_engine_id wrong = {{77, 1}};
    CHECK_INT(ploy_engine_set_schedule(engine, wrong, 1, 0, 1), PLOY_ERR_NOT_FOUND);
    CHECK_INT(ploy_engine_set_paused(engine, wrong, true), PLOY_ERR_NOT_FOUND);
    CHECK_INT(ploy_engine_restart(engine, wrong), PLOY_ERR_NOT_FOUND);
    ploy_behavior next = {&probe_type, &p};
    CHECK_INT(ploy_engine_replace(engine, wrong, next), PLOY_ERR_NOT_FOUND);
    CHECK_INT(ploy_engine_step(engine, NAN, NULL, NULL), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_engine_step(engine, -1.0f, NULL, NULL), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_engine_step(engine, 61.0f, NULL, NULL), PLOY_ERR_ARGUMENT);
    ploy_budget deadline = ploy_budget_deadline(10, 1000000, 1, &env);
    CHECK_INT(ploy_engine_step(engine, 0.1f, &deadline, NULL), PLOY_ERR_UNSUPPORTED);
    CHECK_INT(p.enters, 0);
    CHECK_UINT(ploy_engine_tick(engine), 0);
    ploy_engine_destroy(engine);
}

// ---- actions

static ploy_result act_step(void *user, ploy_action_id id, const ploy_action_request *request,
                            float dt, ploy_status *status) {
    (void)user, (void)id, (void)dt;
    *status = request->parameters[0] > 0 ? PLOY_STATUS_SUCCESS : PLOY_STATUS_RUNNING;
    return PLOY_OK;
}

static void ask(probe *self, ploy_step_context *context) {
    ploy_action_request request = ploy_action_request_make(
        ploy_agent_id_none(), ploy_name_of("wave"), (ploy_action_effect)self->spends);
    request.token = 77;
    request.parameters[0] = self->user != NULL ? 1.0f : 0.0f;
    self->step_result = ploy_outbox_action(context->outbox, &request);
    self->on_step = NULL;
}

TEST(actions_are_asked_for_and_their_end_is_heard) { // ENG-04
    for (int32_t parallel = 0; parallel < 2; parallel++) {
        ploy_env env = ploy_env_default();
        ploy_action_host host = {.animate = {.step = act_step}};
        ploy_actions_def actions_def = ploy_actions_def_default();
        ploy_actions *actions = NULL;
        CHECK_OK(ploy_actions_create(&actions_def, &host, &env, &actions));
        ploy_engine *engine = engine_of(t, parallel == 1);
        probe a = {0}, b = {0};
        a.on_step = ask;
        a.spends = PLOY_ACTION_ANIMATE;
        a.user = &a; // succeeds
        add(t, engine, &a, 1);
        add(t, engine, &b, 2);
        step(t, engine, 1);
        CHECK_INT(a.messages, 1); // refused at once: there is nobody to act
        CHECK_INT(a.done.state, PLOY_ACTION_FAILED);
        CHECK_INT(a.done.result, PLOY_ERR_UNSUPPORTED);
        CHECK_UINT(a.done.token, 77);
        ploy_engine_set_actions(engine, actions);
        a.on_step = ask;
        step(t, engine, 1);
        CHECK_INT(a.messages, 2);
        CHECK_INT(a.done.state, PLOY_ACTION_SUCCEEDED);
        CHECK(ploy_name_equal(a.done.kind, ploy_name_of("wave")));
        CHECK_INT(ploy_actions_state(actions, a.done.id), PLOY_ACTION_SUCCEEDED);
        a.on_step = ask;
        a.spends = PLOY_ACTION_CHANGE; // the host has no such controller
        step(t, engine, 1);
        CHECK_INT(a.messages, 3);
        CHECK_INT(a.done.result, PLOY_ERR_UNSUPPORTED);
        a.on_step = ask;
        a.spends = PLOY_ACTION_ANIMATE;
        a.user = NULL; // goes on until it is cancelled
        step(t, engine, 2);
        CHECK_INT(a.messages, 3);
        CHECK_INT(ploy_actions_cancel_agent(actions, agent(1)), 1);
        CHECK_INT(a.messages, 3); // between two steps
        step(t, engine, 1);
        CHECK_INT(a.messages, 4);
        CHECK_INT(a.done.state, PLOY_ACTION_CANCELLED);
        step(t, engine, 2);
        CHECK_INT(a.messages, 4); // each report comes once
        CHECK_INT(b.messages, 0);
        ploy_engine_destroy(engine);
        ploy_actions_destroy(actions);
    }
}

// ---- scratch memory

static void use_scratch(probe *self, ploy_step_context *context) {
    // All of it, and not a byte more.
    self->spends = ploy_arena_alloc(context->scratch, 2048 - 1024) != NULL;
    self->spends += ploy_arena_alloc(context->scratch, 1024) != NULL;
    self->spends += ploy_arena_alloc(context->scratch, 16) == NULL;
}

TEST(every_turn_has_the_same_scratch_memory) {
    for (int32_t parallel = 0; parallel < 2; parallel++) {
        ploy_env env = ploy_env_default();
        ploy_engine_def def = ploy_engine_def_default();
        def.parallel = parallel == 1;
        def.scratch_kib = 2;
        ploy_engine *engine = NULL;
        CHECK_OK(ploy_engine_create(&def, &env, &engine));
        probe p[3] = {0};
        for (int32_t i = 0; i < 3; i++) {
            p[i].on_step = use_scratch;
            add(t, engine, &p[i], i);
        }
        ploy_arena *arena = NULL;
        CHECK_OK(ploy_arena_create(0, 0, &env, &arena));
        CHECK(ploy_arena_alloc(arena, 100) != NULL);
        size_t used = ploy_arena_used(arena);
        ploy_engine_frame frame = {.scratch = arena};
        for (int32_t turn = 0; turn < 4; turn++) {
            CHECK_OK(ploy_engine_step(engine, 0.1f, NULL, turn % 2 == 0 ? NULL : &frame));
            for (int32_t i = 0; i < 3; i++) CHECK_INT(p[i].spends, 3);
            CHECK_UINT(ploy_arena_used(arena), used); // given back
        }
        ploy_arena_destroy(arena);
        ploy_engine_destroy(engine);
    }
}

// ---- the same for any number of workers

// A crowd in which everybody draws, remembers, writes to others, asks for actions, sometimes
// finishes, fails or is starved.
typedef struct crowd_member {
    uint64_t memory;
    uint64_t heard;
    ploy_slot energy;
    int32_t size;
    bool fails;
} crowd_member;

static ploy_result crowd_step(void *self, ploy_step_context *context, ploy_status *status) {
    crowd_member *member = self;
    uint32_t id = context->agent.id.index;
    uint64_t draw = ploy_rng_u64_at(context->key, id, context->tick, 0);
    member->memory = ploy_hash_combine(member->memory, draw ^ (uint64_t)(context->dt * 1024.0f));
    uint64_t *scratch = ploy_arena_alloc_array(context->scratch, 32, sizeof *scratch);
    if (scratch == NULL) return PLOY_ERR_MEMORY;
    for (uint64_t i = 0; i < 32; i++) scratch[i] = draw * i;
    member->memory = ploy_hash_bytes(scratch, 32 * sizeof *scratch, member->memory);
    ploy_blackboard_set_f32(context->blackboard, member->energy, (float)(draw % 1000));
    int64_t work = (int64_t)(draw % 7);
    while (work-- > 0 && ploy_budget_spend(context->budget, 1)) member->memory *= 3;
    if (draw % 3 == 0) {
        ploy_message message = ploy_message_make(
            context->agent, agent((int32_t)(draw >> 8) % member->size), ploy_name_of("tell"));
        ploy_message_set_payload(&message, &draw, sizeof draw);
        ploy_result result = ploy_outbox_message(context->outbox, &message);
        if (result != PLOY_OK) return result;
    }
    if (draw % 5 == 0) {
        ploy_action_request request =
            ploy_action_request_make(context->agent, ploy_name_of("act"), PLOY_ACTION_ANIMATE);
        request.token = draw;
        request.parameters[0] = (float)(draw % 2);
        ploy_outbox_action(context->outbox, &request);
    }
    ploy_trace_begin(context->trace, context->agent, "work", "crowd");
    ploy_trace_end(context->trace);
    if (member->fails && draw % 50 == 0) return PLOY_ERR_LIMIT;
    *status = draw % 11 == 0 ? PLOY_STATUS_SUCCESS : PLOY_STATUS_RUNNING;
    return PLOY_OK;
}

static ploy_result crowd_message(void *self, ploy_step_context *context,
                                 const ploy_message *message, bool *handled) {
    crowd_member *member = self;
    uint64_t bytes = ploy_hash_bytes(message->payload, message->size, message->order);
    member->heard = ploy_hash_combine(member->heard, bytes ^ message->kind.hash);
    *handled = true;
    if (message->size == sizeof(uint64_t) && bytes % 4 == 0) {
        ploy_message back =
            ploy_message_make(context->agent, message->sender, ploy_name_of("thanks"));
        ploy_outbox_message(context->outbox, &back); // may be full, which is the same everywhere
    }
    return PLOY_OK;
}

static ploy_result crowd_commit(void *self, ploy_step_context *context) {
    uint64_t *shared = context->game;
    *shared = ploy_hash_combine(*shared, ((crowd_member *)self)->memory); // order matters
    return PLOY_OK;
}

static void crowd_describe(const void *self, ploy_describe *out) {
    const crowd_member *member = self;
    ploy_describe_u64(out, "memory", PLOY_STATE, member->memory);
    ploy_describe_u64(out, "heard", PLOY_STATE, member->heard);
}

static const ploy_behavior_type crowd_type = {
    .name = "crowd",
    .step = crowd_step,
    .commit = crowd_commit,
    .message = crowd_message,
    .describe = crowd_describe,
};

enum { CROWD_SIZE = 200, CROWD_TICKS = 40 };

typedef struct crowd {
    ploy_engine *engine;
    ploy_actions *actions;
    ploy_blackboard_layout *layout;
    ploy_blackboard *boards[CROWD_SIZE];
    crowd_member members[CROWD_SIZE];
    uint64_t shared;
} crowd;

static void crowd_make(test_context *t, crowd *c, bool parallel, const ploy_env *env) {
    memset(c, 0, sizeof *c);
    static const ploy_blackboard_key keys[] = {{"energy", PLOY_VALUE_F32, {0}, NULL}};
    CHECK_OK(ploy_blackboard_layout_create(keys, 1, "crowd", env, NULL, &c->layout));
    ploy_action_host host = {.animate = {.step = act_step}};
    ploy_actions_def actions_def = ploy_actions_def_default();
    actions_def.capacity = 64; // so that some are refused
    CHECK_OK(ploy_actions_create(&actions_def, &host, env, &c->actions));
    ploy_engine_def def = ploy_engine_def_default();
    def.parallel = parallel;
    def.seed = 5;
    def.grain = 7;
    def.outbox_messages = 2;
    CHECK_OK(ploy_engine_create(&def, env, &c->engine));
    ploy_engine_set_actions(c->engine, c->actions);
    for (int32_t i = 0; i < CROWD_SIZE; i++) {
        CHECK_OK(ploy_blackboard_create(c->layout, env, &c->boards[i]));
        c->members[i].energy = ploy_blackboard_layout_find(c->layout, "energy");
        c->members[i].size = CROWD_SIZE;
        c->members[i].fails = i % 10 == 0;
        ploy_engine_entry entry = ploy_engine_entry_default();
        entry.behavior.type = &crowd_type;
        entry.behavior.self = &c->members[i];
        entry.agent = agent(i);
        entry.blackboard = c->boards[i];
        entry.period = 1 + i % 4;
        entry.phase = i;
        entry.priority = 1 + i % 3;
        CHECK_OK(ploy_engine_register(c->engine, &entry, NULL));
    }
}

static void crowd_free(crowd *c) {
    ploy_engine_destroy(c->engine);
    ploy_actions_destroy(c->actions);
    for (int32_t i = 0; i < CROWD_SIZE; i++) ploy_blackboard_destroy(c->boards[i]);
    ploy_blackboard_layout_destroy(c->layout);
}

static uint64_t crowd_hash(const crowd *c) {
    ploy_hash_sink sink;
    ploy_hash_sink_init(&sink);
    ploy_describe out = ploy_hash_sink_describe(&sink);
    ploy_describe_u64(&out, "shared", PLOY_STATE, c->shared);
    ploy_engine_describe(c->engine, &out);
    ploy_actions_describe(c->actions, &out);
    return ploy_hash_sink_result(&sink);
}

static void crowd_run(test_context *t, bool parallel, int64_t units, const ploy_jobs *jobs,
                      ploy_trace *trace, uint64_t hashes[CROWD_TICKS]) {
    ploy_env env = ploy_env_default();
    crowd c;
    crowd_make(t, &c, parallel, &env);
    for (int32_t i = 0; i < CROWD_TICKS; i++) {
        ploy_engine_frame frame = {.jobs = jobs, .trace = trace, .game = &c.shared};
        ploy_budget budget = ploy_budget_units(units);
        CHECK_OK(ploy_engine_step(c.engine, 0.125f, units > 0 ? &budget : NULL, &frame));
        hashes[i] = crowd_hash(&c);
    }
    crowd_free(&c);
}

static void count_decision(void *user, ploy_id who, const char *topic, const char *technique) {
    (void)who, (void)topic, (void)technique;
    (*(int32_t *)user)++;
}

TEST(results_are_the_same_for_any_number_of_workers_and_with_a_trace) {
    ploy_env env = ploy_env_default();
    static const int64_t budgets[] = {0, 1000, 60}; // none, ample, starving
    for (size_t b = 0; b < COUNT_OF(budgets); b++) {
        TEST_SEED(budgets[b]);
        uint64_t want[CROWD_TICKS], got[CROWD_TICKS];
        crowd_run(t, true, budgets[b], NULL, NULL, want);
        CHECK(want[0] != want[1]);
        static const int32_t workers[] = {1, 2, 4};
        for (size_t w = 0; w < COUNT_OF(workers); w++) {
            ploy_job_pool *pool = NULL;
            CHECK_OK(ploy_job_pool_create(workers[w], &env, &pool));
            const ploy_jobs *jobs = ploy_job_pool_jobs(pool);
            crowd_run(t, true, budgets[b], jobs, NULL, got);
            for (int32_t i = 0; i < CROWD_TICKS; i++) CHECK_UINT(got[i], want[i]);
            int32_t decisions = 0;
            ploy_trace trace = {count_decision, NULL, NULL, NULL, NULL, &decisions};
            crowd_run(t, true, budgets[b], jobs, &trace, got);
            for (int32_t i = 0; i < CROWD_TICKS; i++) CHECK_UINT(got[i], want[i]);
            CHECK(decisions > CROWD_TICKS);
            // Serial is another engine, with jobs or without.
            uint64_t serial[CROWD_TICKS];
            crowd_run(t, false, budgets[b], jobs, NULL, serial);
            crowd_run(t, false, budgets[b], NULL, &trace, got);
            for (int32_t i = 0; i < CROWD_TICKS; i++) CHECK_UINT(got[i], serial[i]);
            ploy_job_pool_destroy(pool);
        }
    }
}

TEST(a_warm_step_allocates_nothing) {
    for (int32_t parallel = 0; parallel < 2; parallel++) {
        test_counts counts;
        ploy_env env = test_counting_env(&counts);
        ploy_job_pool *pool = NULL;
        ploy_env plain = ploy_env_default();
        CHECK_OK(ploy_job_pool_create(2, &plain, &pool));
        crowd c;
        crowd_make(t, &c, parallel == 1, &env);
        ploy_engine_frame frame = {.jobs = ploy_job_pool_jobs(pool), .game = &c.shared};
        for (int32_t i = 0; i < 3; i++) CHECK_OK(ploy_engine_step(c.engine, 0.125f, NULL, &frame));
        int64_t calls = counts.calls;
        for (int32_t i = 0; i < 30; i++) {
            ploy_budget budget = ploy_budget_units(100 + i);
            CHECK_OK(ploy_engine_step(c.engine, 0.125f, &budget, &frame));
        }
        CHECK_INT(counts.calls, calls);
        crowd_free(&c);
        CHECK_INT(counts.blocks, 0);
        ploy_job_pool_destroy(pool);
    }
}

// ---- in a simulation

typedef struct crowd_def {
    uint32_t cookie;
    int32_t size;
} crowd_def;

static const ploy_field crowd_field_table[] = {
    PLOY_FIELD_I32_FIXED(crowd_def, size, 30, 1, 100, "", "how many there are"),
};

static ploy_fields crowd_fields(void) {
    return PLOY_FIELDS(crowd_def, crowd_field_table);
}

typedef struct crowd_state {
    ploy_env env;
    ploy_engine *engine;
    crowd_member *members;
    uint64_t shared;
} crowd_state;

static ploy_result crowd_sim_create(const void *params, ploy_rng_key key, const ploy_env *env,
                                    void **out) {
    const crowd_def *def = params;
    crowd_state *state = ploy_env_alloc_zero(env, sizeof *state);
    if (state == NULL) return PLOY_ERR_MEMORY;
    state->env = *env;
    state->members = ploy_env_alloc_zero(env, (size_t)def->size * sizeof(crowd_member));
    if (state->members == NULL) return PLOY_ERR_MEMORY;
    ploy_engine_def engine_def = ploy_engine_def_default();
    engine_def.parallel = true;
    engine_def.seed = key.bits;
    engine_def.grain = 3;
    ploy_result result = ploy_engine_create(&engine_def, env, &state->engine);
    for (int32_t i = 0; i < def->size && result == PLOY_OK; i++) {
        state->members[i].size = def->size;
        ploy_engine_entry entry = ploy_engine_entry_default();
        entry.behavior.type = &crowd_type;
        entry.behavior.self = &state->members[i];
        entry.agent = agent(i);
        result = ploy_engine_register(state->engine, &entry, NULL);
    }
    *out = state;
    return result;
}

static ploy_result crowd_sim_step(void *state_in, const ploy_sim_context *context) {
    crowd_state *state = state_in;
    ploy_engine_frame frame = {.jobs = context->jobs,
                               .scratch = context->scratch,
                               .trace = context->trace,
                               .game = &state->shared};
    ploy_budget budget = ploy_budget_units(50);
    return ploy_engine_step(state->engine, context->dt, &budget, &frame);
}

static void crowd_sim_describe(const void *state, ploy_describe *out) {
    ploy_engine_describe(((const crowd_state *)state)->engine, out);
}

TEST(an_engine_in_a_region_rewinds_byte_for_byte_whoever_works) {
    ploy_env env = ploy_env_default();
    ploy_job_pool *pool = NULL;
    CHECK_OK(ploy_job_pool_create(3, &env, &pool));
    ploy_sim_type type = {.name = "crowd",
                          .dt = 0.125f,
                          .fields = crowd_fields,
                          .create = crowd_sim_create,
                          .step = crowd_sim_step,
                          .describe = crowd_sim_describe,
                          .capabilities = PLOY_SIM_PARALLEL};
    ploy_sim_def def = ploy_sim_def_default();
    ploy_sim *sim = NULL;
    CHECK_OK(ploy_sim_create(&def, &type, NULL, ploy_job_pool_jobs(pool), &env, &sim));
    for (int32_t i = 0; i < 20; i++) CHECK_OK(ploy_sim_step(sim, NULL, 0, NULL));
    ploy_snapshot *snapshot = NULL, *first = NULL, *second = NULL;
    CHECK_OK(ploy_sim_snapshot(sim, &snapshot));
    for (int32_t i = 0; i < 30; i++) CHECK_OK(ploy_sim_step(sim, NULL, 0, NULL));
    CHECK_OK(ploy_sim_snapshot(sim, &first));
    uint64_t hash = ploy_sim_hash(sim);
    CHECK_OK(ploy_sim_restore(sim, snapshot));
    for (int32_t i = 0; i < 30; i++) CHECK_OK(ploy_sim_step(sim, NULL, 0, NULL));
    CHECK_OK(ploy_sim_snapshot(sim, &second));
    CHECK_UINT(ploy_sim_hash(sim), hash);
    CHECK_INT(ploy_snapshot_difference(first, second), -1);
    ploy_snapshot_destroy(snapshot);
    ploy_snapshot_destroy(first);
    ploy_snapshot_destroy(second);
    ploy_sim_destroy(sim);
    ploy_job_pool_destroy(pool);
}

// ---- the contract of enter and exit, whatever happens

typedef struct wild {
    ploy_engine *engine;
    ploy_rng rng;
    probe pool[400];
    int32_t used;
} wild;

static ploy_engine_id wild_pick(wild *w) {
    uint32_t from = (uint32_t)ploy_rng_below(&w->rng, 40);
    return ploy_engine_next(w->engine, from);
}

static void wild_act(wild *w);

static void wild_step(probe *self, ploy_step_context *context) {
    (void)context;
    wild *w = self->user;
    if (ploy_rng_chance(&w->rng, 0.2f)) wild_act(w);
    self->status = ploy_rng_chance(&w->rng, 0.2f) ? PLOY_STATUS_FAILURE : PLOY_STATUS_RUNNING;
    self->step_result = ploy_rng_chance(&w->rng, 0.05f) ? PLOY_ERR_LIMIT : PLOY_OK;
}

static void wild_exit(probe *self) {
    wild *w = self->user;
    if (ploy_rng_chance(&w->rng, 0.2f)) wild_act(w);
}

static void wild_message(probe *self, ploy_step_context *context, const ploy_message *message) {
    (void)context, (void)message;
    wild *w = self->user;
    self->message_result = ploy_rng_chance(&w->rng, 0.1f) ? PLOY_ERR_LIMIT : PLOY_OK;
    if (ploy_rng_chance(&w->rng, 0.3f)) wild_act(w);
}

static probe *wild_new(wild *w) {
    probe *p = &w->pool[w->used++];
    p->user = w;
    p->on_step = wild_step;
    p->on_exit = wild_exit;
    p->on_message = wild_message;
    return p;
}

static void wild_act(wild *w) {
    if (w->used + 2 > (int32_t)COUNT_OF(w->pool)) return;
    ploy_engine_entry entry = ploy_engine_entry_default();
    switch (ploy_rng_int(&w->rng, 0, 5)) {
    case 0:
    case 1:
        entry.behavior.type = &probe_type;
        entry.behavior.self = wild_new(w);
        entry.agent = agent(ploy_rng_int(&w->rng, 0, 9));
        entry.once = ploy_rng_chance(&w->rng, 0.3f);
        if (ploy_engine_register(w->engine, &entry, NULL) != PLOY_OK) w->used--;
        break;
    case 2: ploy_engine_unregister(w->engine, wild_pick(w)); break;
    case 3: {
        ploy_behavior next = {&probe_type, wild_new(w)};
        if (ploy_engine_replace(w->engine, wild_pick(w), next) != PLOY_OK) w->used--;
        break;
    }
    case 4: ploy_engine_restart(w->engine, wild_pick(w)); break;
    default: {
        ploy_message message = ploy_message_make(
            ploy_agent_id_none(), agent(ploy_rng_int(&w->rng, 0, 9)), ploy_name_of("x"));
        ploy_engine_send(w->engine, &message, NULL, NULL);
        break;
    }
    }
}

TEST(each_enter_has_one_exit_and_each_behavior_one_destroy_whatever_happens) {
    for (uint64_t seed = 1; seed <= 60; seed++) {
        TEST_SEED(seed);
        static wild w;
        memset(&w, 0, sizeof w);
        w.rng = ploy_rng_make(seed);
        w.engine = engine_of(t, seed % 2 == 0);
        for (int32_t i = 0; i < 80; i++) {
            wild_act(&w);
            ploy_budget budget = ploy_budget_units(ploy_rng_int(&w.rng, 1, 20));
            CHECK_OK(ploy_engine_step(w.engine, 0.1f, &budget, NULL));
            for (int32_t k = 0; k < w.used; k++) {
                CHECK(w.pool[k].enters - w.pool[k].exits == 0 ||
                      w.pool[k].enters - w.pool[k].exits == 1);
                CHECK(w.pool[k].destroys == 0 || w.pool[k].enters == w.pool[k].exits);
            }
        }
        CHECK(w.used > 20);
        ploy_engine_destroy(w.engine);
        for (int32_t k = 0; k < w.used; k++) {
            CHECK_INT(w.pool[k].exits, w.pool[k].enters);
            CHECK_INT(w.pool[k].destroys, 1);
            CHECK(w.pool[k].steps == 0 || w.pool[k].enters > 0);
        }
    }
}

// ---- telling

typedef struct told {
    char text[4096];
} told;

static void told_begin(void *user, const char *name, ploy_id owner) {
    told *all = user;
    size_t length = strlen(all->text);
    snprintf(all->text + length, sizeof all->text - length, "%s(%u) {\n", name,
             (unsigned)owner.index);
}

static void told_value(void *user, const char *name, ploy_mark mark, const ploy_value *value) {
    told *all = user;
    size_t length = strlen(all->text);
    char printed[64];
    ploy_value_print(value, printed, sizeof printed);
    snprintf(all->text + length, sizeof all->text - length, "%s%s=%s\n",
             mark == PLOY_STATE ? "" : "#", name, printed);
}

TEST(describe_tells_who_ran_and_why_the_others_did_not) {
    ploy_engine *engine = engine_of(t, true);
    probe a = {0}, b = {0}, c = {0};
    add(t, engine, &a, 1);
    CHECK_OK(ploy_engine_set_schedule(engine, add(t, engine, &b, 2), 3, 1, 1));
    add(t, engine, &c, 3);
    ploy_budget budget = ploy_budget_units(1);
    CHECK_OK(ploy_engine_step(engine, 0.5f, &budget, NULL));
    static told all;
    memset(&all, 0, sizeof all);
    ploy_describe out = {told_begin, NULL, told_value, &all};
    ploy_engine_describe(engine, &out);
    CHECK(strstr(all.text, "tick=1\nnow=0.5\n") != NULL);
    CHECK(strstr(all.text, "0:1(1) {\nbehavior=probe\nstate=active\n#turn=ran\n") != NULL);
    CHECK(strstr(all.text, "1:1(2) {\nbehavior=probe\nstate=active\n#turn=not due\n") != NULL);
    CHECK(strstr(all.text, "2:1(3) {\nbehavior=probe\nstate=active\n#turn=waits\n") != NULL);
    CHECK(strstr(all.text, "self(0) {\nsteps=1\n") != NULL);
    CHECK_TEXT(ploy_engine_turn_text(PLOY_ENGINE_TURN_NEW), "new");
    CHECK_TEXT(ploy_engine_turn_text(PLOY_ENGINE_TURN_PAUSED), "paused");
    CHECK_TEXT(ploy_engine_turn_text(PLOY_ENGINE_TURN_DONE), "done");
    CHECK_TEXT(ploy_engine_turn_text(PLOY_ENGINE_TURN_FAILED), "failed");
    CHECK_TEXT(ploy_engine_turn_text((ploy_engine_turn)99), "?");
    ploy_engine_destroy(engine);
}

static void sum_memory(void *user, const ploy_memory_item *item) {
    *(int64_t *)user += (int64_t)item->bytes;
}

TEST(the_memory_report_adds_up) {
    test_counts counts;
    ploy_env env = test_counting_env(&counts);
    ploy_engine_def def = ploy_engine_def_default();
    ploy_engine *engine = NULL;
    CHECK_OK(ploy_engine_create(&def, &env, &engine));
    CHECK_OK(ploy_engine_step(engine, 0.1f, NULL, NULL));
    int64_t bytes = 0;
    ploy_engine_memory(engine, sum_memory, &bytes);
    CHECK_INT(bytes, counts.bytes);
    ploy_engine_destroy(engine);
    CHECK_INT(counts.bytes, 0);
}

static ploy_result make_and_step(const ploy_env *env, void *arg) {
    (void)arg;
    ploy_engine_def def = ploy_engine_def_default();
    def.capacity = 2;
    def.parallel = true;
    ploy_engine *engine = NULL;
    ploy_result result = ploy_engine_create(&def, env, &engine);
    if (result != PLOY_OK) return engine == NULL ? result : PLOY_ERR_STATE;
    probe p[5] = {0};
    for (int32_t i = 0; i < 5 && result == PLOY_OK; i++) {
        ploy_engine_entry entry = ploy_engine_entry_default();
        entry.behavior.type = &probe_type;
        entry.behavior.self = &p[i];
        entry.agent = agent(i);
        result = ploy_engine_register(engine, &entry, NULL);
        if (ploy_engine_count(engine) != (result == PLOY_OK ? i + 1 : i)) result = PLOY_ERR_STATE;
    }
    if (result == PLOY_OK) result = ploy_engine_step(engine, 0.1f, NULL, NULL);
    // A step without memory has not begun.
    if (result == PLOY_ERR_MEMORY && p[0].enters != 0) result = PLOY_ERR_STATE;
    if (result == PLOY_ERR_MEMORY && ploy_engine_tick(engine) != 0) result = PLOY_ERR_STATE;
    ploy_engine_destroy(engine);
    return result;
}

TEST(every_failing_allocation_is_survived) {
    CHECK_FAIL_NTH(make_and_step, NULL);
}
