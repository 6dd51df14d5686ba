// One step of the engine: schedule, budget, messages, failures, actions, scratch memory.
#include "exec/exec_internal.h"
#include "ploy/exec/engine.h"

#include "tests/exec/engine_probe.h"
#include "tests/test.h"

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
            CHECK_OK(set_schedule(engine, id, rows[r].period[i], rows[r].phase[i], 1));
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
        CHECK_OK(set_schedule(engine, add(t, engine, &p[i], i), 30, i, 1));
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
            CHECK_OK(set_schedule(engine, ids[i], 1, 0, rows[r].priority[i]));
        }
        ploy_budget budget = ploy_budget_units(rows[r].budget);
        CHECK_OK(ploy_engine_step(engine, 0.1f, &budget, NULL));
        for (int32_t i = 0; i < 3; i++) {
            CHECK_INT(p[i].allowed, rows[r].allowed[i]);
            ploy_engine_info info;
            CHECK_OK(ploy_engine_get(engine, ids[i], &info));
            CHECK_INT(info.service.allowed, rows[r].allowed[i]);
            CHECK_INT(info.service.spent, rows[r].spends[i] > 1 ? rows[r].spends[i] : 1);
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
        CHECK_INT(info.service.waits, 6);
        CHECK_INT(info.service.turns, 4);
        // A turn put off is kept although the period says that it is not due any more.
        CHECK_OK(set_schedule(engine, ids[0], 1000, 1, 1));
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
            CHECK_OK(set_schedule(engine, id, period, ploy_rng_int(&rng, 0, 9),
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
        CHECK_INT(ployi_engine_lost_messages(engine), 0);
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

// Hands every message back to the engine, as a dispatcher does, and counts them.
typedef struct relay {
    ploy_engine *engine;
    int32_t taken, refused;
} relay;

static ploy_result relay_route(void *user, const ploy_message *message) {
    relay *post = user;
    post->taken++;
    return ploy_engine_send(post->engine, message, NULL, NULL);
}

static void relay_thinks(probe *self, ploy_step_context *context) {
    relay *post = self->user;
    ploy_message message = ploy_message_make(context->agent, self->other, ploy_name_of("note"));
    if (ploy_outbox_message(context->outbox, &message) != PLOY_OK) self->spends = -1;
    // Straight to the other, who may be thinking: refused in a parallel engine.
    message.kind = ploy_name_of("shout");
    if (ploy_engine_send(post->engine, &message, NULL, NULL) == PLOY_ERR_STATE) post->refused++;
}

TEST(a_route_may_take_every_message_and_hand_it_back) {
    for (int32_t parallel = 0; parallel < 2; parallel++) {
        ploy_env env = ploy_env_default();
        ploy_engine_def def = ploy_engine_def_default();
        def.parallel = parallel == 1;
        def.route_all = true;
        relay post = {NULL, 0, 0};
        CHECK_OK(ploy_engine_create(&def, &env, &post.engine));
        ploy_engine_set_route(post.engine, relay_route, &post);
        probe a = {.on_step = relay_thinks,
                   .user = &post,
                   .other = agent(2),
                   .status = PLOY_STATUS_RUNNING};
        probe b = a;
        b.other = agent(1);
        add(t, post.engine, &a, 1);
        ploy_engine_id second = add(t, post.engine, &b, 2);
        step(t, post.engine, 3);
        CHECK_INT(post.taken, 6);
        CHECK_INT(post.refused, parallel == 1 ? 6 : 0);
        CHECK_INT(a.messages, parallel == 1 ? 3 : 6);
        CHECK_INT(b.messages, parallel == 1 ? 3 : 6);
        CHECK_INT(ployi_engine_lost_messages(post.engine), 0);
        CHECK_OK(ploy_engine_failure(post.engine, NULL));
        b.step_result = PLOY_ERR_LIMIT;
        step(t, post.engine, 1);
        ploy_engine_id failed = {{0, 0}};
        CHECK_INT(ploy_engine_failure(post.engine, &failed), PLOY_ERR_LIMIT);
        CHECK(ploy_id_equal(failed.id, second.id));
        ploy_engine_destroy(post.engine);
    }
}

TEST(what_cannot_be_delivered_goes_to_the_route_or_is_counted) {
    for (int32_t parallel = 0; parallel < 2; parallel++) {
        ploy_engine *engine = engine_of(t, parallel == 1);
        probe a = {0};
        a.on_step = send_later;
        a.other = agent(7); // nobody
        add(t, engine, &a, 1);
        step(t, engine, 1);
        CHECK_INT(ployi_engine_lost_messages(engine), 1);
        ploy_message last;
        ploy_engine_set_route(engine, take_route, &last);
        step(t, engine, 1);
        CHECK_INT(ployi_engine_lost_messages(engine), 1);
        CHECK(ploy_id_equal(last.receiver.id, agent(7).id));
        a.other = agent(1);
        a.spends = 40; // there, but not yet
        step(t, engine, 1);
        CHECK_SAME(last.due, 40.0);
        CHECK_INT(a.messages, 0);
        a.spends = 60;
        step(t, engine, 1);
        CHECK_INT(ployi_engine_lost_messages(engine), 2); // the route refused
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
                   "behavior 'probe' of agent 2:1 has stopped: a stated limit was reached");
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
    ployi_engine_set_actions(engine, actions);
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
        ployi_engine_set_actions(engine, actions);
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
        CHECK_INT(ployi_actions_cancel_agent(actions, agent(1)), 1);
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
