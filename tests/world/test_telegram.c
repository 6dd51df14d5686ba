// Telegrams: order, re-entrancy, cancelling, duplicates, purging, engines.
#include "base/base_internal.h"
#include "ploy/world/telegram.h"
#include "world/world_internal.h"

#include <math.h>

#include "ploy/base/rng.h"
#include "tests/exec/engine_probe.h"
#include "tests/rewind.h"
#include "tests/world/world_test.h"

enum { OFFICE_MOST = 512 };

// A post office that remembers what it received and does what its test tells it.
typedef struct office {
    ploy_telegrams *telegrams;
    ploy_entities *entities;
    ploy_message got[OFFICE_MOST];
    double at[OFFICE_MOST];
    int32_t count;
    ploy_result answer;
    bool handles;
    void (*on)(struct office *self, const ploy_message *message);
    ploy_telegram_id id;
    int32_t number;
} office;

static ploy_result office_receive(void *user, const ploy_message *message, bool *handled) {
    office *self = user;
    if (self->count < OFFICE_MOST) {
        self->at[self->count] = ploy_telegrams_now(self->telegrams);
        self->got[self->count++] = *message;
    }
    *handled = self->handles;
    if (self->on != NULL) self->on(self, message);
    return self->answer;
}

static void office_open(test_context *t, office *self, const ploy_telegrams_def *def) {
    memset(self, 0, sizeof *self);
    ploy_env env = ploy_env_default();
    ploy_telegrams_def plain = ploy_telegrams_def_default();
    CHECK_OK(ploy_telegrams_create(def != NULL ? def : &plain, &env, &self->telegrams));
    ploy_telegrams_set_receiver(self->telegrams, office_receive, self);
    self->handles = true;
}

static ploy_message letter(int32_t from, int32_t to, const char *kind) {
    return ploy_message_make(agent(from), agent(to), ploy_name_of(kind));
}

static ploy_result mail(office *self, int32_t from, int32_t to, const char *kind, double delay) {
    ploy_message message = letter(from, to, kind);
    return ploy_telegrams_send(self->telegrams, &message, delay, &self->id);
}

static int32_t pass_time(test_context *t, office *self, double now) {
    int32_t delivered = 0;
    CHECK_OK(ploy_telegrams_step(self->telegrams, now, NULL, NULL, &delivered));
    return delivered;
}

static ploy_telegram_fate last_fate(test_context *t, const office *self) {
    ploy_telegram_life life;
    CHECK(ploy_telegrams_life(self->telegrams, 0, &life));
    return life.fate;
}

TEST(without_delay_a_telegram_arrives_before_send_returns) { // FSM-16
    office o;
    office_open(t, &o, NULL);
    CHECK_OK(mail(&o, 1, 2, "hi", 0));
    CHECK_INT(o.count, 1);
    CHECK(ploy_id_is_none(o.id.id));
    CHECK_OK(mail(&o, 1, 2, "hi", -3));
    CHECK_INT(o.count, 2);
    CHECK_UINT(o.got[0].sender.id.index, 1);
    CHECK_UINT(o.got[0].receiver.id.index, 2);
    CHECK_INT(ploy_telegrams_waiting(o.telegrams), 0);
    ploy_telegrams_destroy(o.telegrams);
}

TEST(delayed_ones_come_by_due_time_then_in_order_of_sending) {
    office o;
    office_open(t, &o, NULL);
    CHECK_INT(pass_time(t, &o, 0), 0); // an empty queue is no fault (the printed loop's)
    CHECK_OK(mail(&o, 1, 9, "c", 2.0));
    CHECK_OK(mail(&o, 2, 9, "a", 1.0));
    CHECK_OK(mail(&o, 3, 9, "d", 2.0));
    CHECK_OK(mail(&o, 4, 9, "b", 1.5));
    double due = 0;
    CHECK(ployi_telegrams_next_due(o.telegrams, &due));
    CHECK_NEAR(due, 1.0, 0);
    CHECK_INT(pass_time(t, &o, 0.999), 0);
    CHECK_INT(pass_time(t, &o, 5.0), 4);
    static const uint32_t want[] = {2, 4, 1, 3};
    for (int32_t i = 0; i < 4; i++) CHECK_UINT(o.got[i].sender.id.index, want[i]);
    CHECK_NEAR(o.got[0].due, 1.0, 0); // told when it was due, delivered when there was time
    CHECK_NEAR(o.at[0], 5.0, 0);
    ploy_telegrams_destroy(o.telegrams);
}

TEST(the_strict_rule_waits_for_the_next_tick) { // FSM-16: stamp < now
    for (int32_t strict = 0; strict < 2; strict++) {
        ploy_telegrams_def def = ploy_telegrams_def_default();
        def.strict = strict == 1;
        office o;
        office_open(t, &o, &def);
        CHECK_OK(mail(&o, 1, 2, "hi", 1.0));
        CHECK_INT(pass_time(t, &o, 1.0), strict == 1 ? 0 : 1);
        CHECK_INT(pass_time(t, &o, 1.001), strict == 1 ? 1 : 0);
        ploy_telegrams_destroy(o.telegrams);
    }
}

// The numbers of the stew: queued after update 14 of ticks of 0.30033 s, ready 1.5 s later it
// comes after update 19; 0.8 s later, after update 17. With ticks of 0.8 s, after update 16.
TEST(the_stew_is_ready_when_the_book_says) { // FSM-16, N3
    static const struct {
        const char *row;
        double tick, delay;
        int32_t update;
    } rows[] = {
        {"as printed in the listing", 0.30033, 1.5, 19},
        {"as printed in the trace", 0.30033, 0.8, 17},
        {"with longer ticks", 0.8, 1.5, 16},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_telegrams_def def = ploy_telegrams_def_default();
        def.strict = true;
        office o;
        office_open(t, &o, &def);
        int32_t arrived = 0;
        for (int32_t update = 0; update <= 20; update++) {
            pass_time(t, &o, update * rows[i].tick); // the clock of this update
            if (o.count > 0 && arrived == 0) arrived = update;
            if (update == 14) CHECK_OK(mail(&o, 1, 1, "stew_ready", rows[i].delay));
        }
        CHECK_INT(arrived, rows[i].update);
        ploy_telegrams_destroy(o.telegrams);
    }
}

static void on_answer(office *self, const ploy_message *message) {
    if (message->kind.hash == ploy_name_of("ping").hash) {
        mail(self, 2, 1, "pong", 0); // nested: before this call returns
        mail(self, 2, 1, "later", 0.5);
        mail(self, 2, 1, "tiny", 1e-300); // lost in rounding, and still not in this step
    }
}

TEST(handlers_may_send) {
    office o;
    office_open(t, &o, NULL);
    o.on = on_answer;
    CHECK_OK(mail(&o, 1, 2, "ping", 1.0));
    CHECK_INT(pass_time(t, &o, 100.0), 1);
    CHECK_INT(o.count, 2);
    CHECK_UINT(o.got[1].kind.hash, ploy_name_of("pong").hash);
    CHECK_INT(ploy_telegrams_waiting(o.telegrams), 2);
    CHECK_INT(pass_time(t, &o, 100.25), 1);
    CHECK_UINT(o.got[2].kind.hash, ploy_name_of("tiny").hash);
    CHECK_INT(pass_time(t, &o, 100.5), 1);
    CHECK_UINT(o.got[3].kind.hash, ploy_name_of("later").hash);
    ploy_telegrams_destroy(o.telegrams);
}

static void on_echo(office *self, const ploy_message *message) {
    self->number = (int32_t)mail(self, (int32_t)message->receiver.id.index,
                                 (int32_t)message->sender.id.index, "echo", 0);
}

TEST(two_who_answer_each_other_stop_at_the_depth) {
    ploy_telegrams_def def = ploy_telegrams_def_default();
    def.depth = 5;
    office o;
    office_open(t, &o, &def);
    o.on = on_echo;
    CHECK_OK(mail(&o, 1, 2, "echo", 0));
    CHECK_INT(o.count, 5);
    ploy_telegrams_counts counts = ployi_telegrams_counts_of(o.telegrams);
    CHECK_INT(counts.fates[PLOY_TELEGRAM_TOO_DEEP], 1);
    CHECK_INT(counts.fates[PLOY_TELEGRAM_HANDLED], 5);
    ploy_telegrams_destroy(o.telegrams);
}

static void on_trouble(office *self, const ploy_message *message) {
    if (self->number++ != 0) return;
    ploy_telegram_filter filter = {ploy_agent_id_none(), message->receiver, {0}};
    ploy_telegrams_cancel_all(self->telegrams, filter); // the rest of this receiver's
    ploy_telegrams_step(self->telegrams, ploy_telegrams_now(self->telegrams) + 1, NULL, NULL, NULL);
}

TEST(handlers_may_cancel_and_step) {
    office o;
    office_open(t, &o, NULL);
    o.on = on_trouble;
    CHECK_OK(mail(&o, 1, 2, "first", 1));
    CHECK_OK(mail(&o, 1, 2, "second", 1));
    CHECK_OK(mail(&o, 1, 3, "third", 1));
    CHECK_OK(mail(&o, 1, 3, "fourth", 2));
    CHECK_INT(pass_time(t, &o, 1), 1); // the inner step took the others
    CHECK_INT(o.count, 3);
    CHECK_UINT(o.got[1].kind.hash, ploy_name_of("third").hash);
    CHECK_UINT(o.got[2].kind.hash, ploy_name_of("fourth").hash);
    CHECK_NEAR(ploy_telegrams_now(o.telegrams), 2, 0);
    CHECK_INT(ployi_telegrams_counts_of(o.telegrams).fates[PLOY_TELEGRAM_CANCELLED], 1);
    ploy_telegrams_destroy(o.telegrams);
}

TEST(telegrams_can_be_taken_back_in_every_way) {
    office o;
    office_open(t, &o, NULL);
    ploy_telegram_id ids[27];
    for (int32_t i = 0; i < 27; i++) {
        static const char *const kinds[] = {"a", "b", "c"};
        CHECK_OK(mail(&o, i / 9, i / 3 % 3, kinds[i % 3], 1 + i));
        ids[i] = o.id;
    }
    ploy_telegram_filter filter = {agent(0), agent(1), ploy_name_of("a")};
    CHECK_INT(ploy_telegrams_cancel_all(o.telegrams, filter), 1);
    CHECK(!ploy_telegrams_cancel(o.telegrams, ids[3]));
    CHECK(ploy_telegrams_cancel(o.telegrams, ids[4]));
    CHECK(!ploy_telegrams_cancel(o.telegrams, ids[4]));
    ploy_telegram_filter receiver = {ploy_agent_id_none(), agent(1), {0}};
    CHECK_INT(ploy_telegrams_cancel_all(o.telegrams, receiver), 7);
    ploy_telegram_filter sender = {agent(2), ploy_agent_id_none(), {0}};
    CHECK_INT(ploy_telegrams_cancel_all(o.telegrams, sender), 6);
    ploy_telegram_filter kind = {ploy_agent_id_none(), ploy_agent_id_none(), ploy_name_of("b")};
    CHECK_INT(ploy_telegrams_cancel_all(o.telegrams, kind), 4);
    ploy_telegram_filter all = {ploy_agent_id_none(), ploy_agent_id_none(), {0}};
    CHECK_INT(ploy_telegrams_cancel_all(o.telegrams, all), 8);
    CHECK_INT(ploy_telegrams_waiting(o.telegrams), 0);
    CHECK_INT(pass_time(t, &o, 100), 0);
    ploy_telegrams_destroy(o.telegrams);
}

TEST(a_second_one_within_the_window_is_dropped) { // FSM-16: 0.25 s
    ploy_telegrams_def def = ploy_telegrams_def_default();
    def.duplicate_window = 0.25f;
    static const struct {
        const char *row;
        int32_t from, to;
        const char *kind;
        double delay;
        ploy_result want;
    } rows[] = {
        {"0.25 s apart is another", 1, 2, "hi", 1.25, PLOY_OK},
        {"just within", 1, 2, "hi", 1.2, PLOY_ERR_EXISTS},
        {"just within, earlier", 1, 2, "hi", 0.8, PLOY_ERR_EXISTS},
        {"another sender", 3, 2, "hi", 1.0, PLOY_OK},
        {"another receiver", 1, 3, "hi", 1.0, PLOY_OK},
        {"another kind", 1, 2, "ho", 1.0, PLOY_OK},
        {"at once is never filtered", 1, 2, "hi", 0.0, PLOY_OK},
    };
    office o;
    office_open(t, &o, &def);
    CHECK_OK(mail(&o, 1, 2, "hi", 1.0));
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        CHECK_INT(mail(&o, rows[i].from, rows[i].to, rows[i].kind, rows[i].delay), rows[i].want);
    }
    CHECK_INT(ployi_telegrams_counts_of(o.telegrams).fates[PLOY_TELEGRAM_DUPLICATE], 2);
    pass_time(t, &o, 10);
    CHECK_OK(mail(&o, 1, 2, "hi", 0.1)); // nothing waits any more
    ploy_telegrams_destroy(o.telegrams);
    office_open(t, &o, NULL); // off by default
    CHECK_OK(mail(&o, 1, 2, "hi", 1.0));
    CHECK_OK(mail(&o, 1, 2, "hi", 1.0));
    ploy_telegrams_destroy(o.telegrams);
}

static int32_t warnings;
static void count_warning(void *user, ploy_severity severity, const char *text) {
    (void)user;
    if (severity == PLOY_SEVERITY_WARNING && strstr(text, "nobody") != NULL) warnings++;
}

TEST(a_telegram_for_nobody_is_dropped_and_said_so) {
    warnings = 0;
    office o;
    memset(&o, 0, sizeof o);
    ploy_env env = ploy_env_default();
    env.log = count_warning;
    ploy_telegrams_def def = ploy_telegrams_def_default();
    CHECK_OK(ploy_telegrams_create(&def, &env, &o.telegrams));
    CHECK_INT(mail(&o, 1, 2, "hi", 0), PLOY_ERR_NOT_FOUND); // no receiver at all
    CHECK_INT(last_fate(t, &o), PLOY_TELEGRAM_NOBODY);
    ploy_telegrams_set_receiver(o.telegrams, office_receive, &o);
    o.answer = PLOY_ERR_NOT_FOUND;
    CHECK_INT(mail(&o, 1, 2, "hi", 0), PLOY_ERR_NOT_FOUND);
    CHECK_INT(warnings, 2);
    ploy_telegrams_destroy(o.telegrams);
}

TEST(what_waits_for_an_entity_goes_with_it) {
    for (int32_t purge = 0; purge < 2; purge++) {
        ploy_telegrams_def def = ploy_telegrams_def_default();
        def.purge_sent = purge == 1;
        office o;
        office_open(t, &o, &def);
        ploy_env env = ploy_env_default();
        ploy_entities_def people = ploy_entities_def_default();
        CHECK_OK(ploy_entities_create(&people, &env, &o.entities));
        CHECK_OK(ploy_telegrams_set_entities(o.telegrams, o.entities));
        ploy_agent_id a = world_add(t, o.entities, "a"), b = world_add(t, o.entities, "b");
        CHECK_INT(mail(&o, 0, 7, "stranger", 1), PLOY_ERR_NOT_FOUND); // refused when sent
        CHECK_OK(mail(&o, 0, 1, "to b", 1));
        CHECK_OK(mail(&o, 1, 0, "from b", 1));
        CHECK_OK(ploy_entities_remove(o.entities, b));
        CHECK_INT(ploy_telegrams_waiting(o.telegrams), 1 - purge);
        ploy_agent_id c = world_add(t, o.entities, "c"); // takes b's place, not its mail
        CHECK_UINT(c.id.index, b.id.index);
        CHECK_INT(pass_time(t, &o, 2), 1 - purge);
        CHECK_INT(o.count, 1 - purge);
        CHECK_INT(ployi_telegrams_counts_of(o.telegrams).fates[PLOY_TELEGRAM_PURGED], 1 + purge);
        CHECK_OK(ploy_telegrams_set_entities(o.telegrams, NULL)); // and knows nobody any more
        CHECK_OK(ploy_entities_remove(o.entities, a));
        ploy_telegrams_destroy(o.telegrams);
        ploy_entities_destroy(o.entities);
    }
}

static void on_kill(office *self, const ploy_message *message) {
    (void)message;
    ploy_entities_clear(self->entities);
}

TEST(a_leaders_orders_reach_all_his_men) { // FSM-16: multicast
    office o;
    office_open(t, &o, NULL);
    ploy_env env = ploy_env_default();
    ploy_entities_def people = ploy_entities_def_default();
    CHECK_OK(ploy_entities_create(&people, &env, &o.entities));
    ploy_message order = letter(0, 0, "attack");
    int32_t sent = 0;
    CHECK_INT(ploy_telegrams_send_type(o.telegrams, &order, 0, ploy_name_of("man"), &sent),
              PLOY_ERR_STATE);
    CHECK_OK(ploy_telegrams_set_entities(o.telegrams, o.entities));
    ploy_agent_id men[4];
    for (int32_t i = 0; i < 4; i++) men[i] = world_add(t, o.entities, i < 3 ? "man" : "dog");
    order.sender = men[0];
    CHECK_OK(ploy_telegrams_send_type(o.telegrams, &order, 0, ploy_name_of("man"), &sent));
    CHECK_INT(sent, 2); // not to himself
    CHECK_OK(ploy_telegrams_send_type(o.telegrams, &order, 1, ploy_name_of("man"), &sent));
    CHECK_INT(ploy_telegrams_waiting(o.telegrams), 2);
    CHECK_OK(ploy_entities_remove(o.entities, men[1]));
    CHECK_INT(ploy_telegrams_send_each(o.telegrams, &order, 0, men, 4, &sent), PLOY_ERR_NOT_FOUND);
    CHECK_INT(sent, 3);
    CHECK_OK(ploy_telegrams_remind(o.telegrams, men[3], ploy_name_of("match burnt"), 30, NULL));
    o.on = on_kill; // everybody goes in the first delivery
    o.count = 0;
    CHECK_INT(pass_time(t, &o, 100), 1);
    CHECK_INT(o.count, 1);
    CHECK_INT(ploy_telegrams_waiting(o.telegrams), 0);
    ploy_telegrams_destroy(o.telegrams);
    ploy_entities_destroy(o.entities);
}

TEST(a_budget_leaves_the_rest_for_the_next_step_in_order) {
    office o;
    office_open(t, &o, NULL);
    for (int32_t i = 0; i < 10; i++) CHECK_OK(mail(&o, i, 1, "hi", 10 - i));
    int32_t delivered = 0;
    for (int32_t step_number = 0; step_number < 4; step_number++) {
        ploy_budget budget = ploy_budget_units(3);
        CHECK_INT(ploy_telegrams_step(o.telegrams, 20, &budget, NULL, &delivered),
                  step_number < 3 ? PLOY_IN_PROGRESS : PLOY_OK);
        CHECK_INT(delivered, step_number < 3 ? 3 : 1);
    }
    for (int32_t i = 0; i < 10; i++) CHECK_UINT(o.got[i].sender.id.index, 9 - i);
    ploy_env env = ploy_env_default();
    ploy_budget clocked = ploy_budget_deadline(10, 1000, 1, &env);
    CHECK_INT(ploy_telegrams_step(o.telegrams, 20, &clocked, NULL, NULL), PLOY_ERR_UNSUPPORTED);
    ploy_telegrams_destroy(o.telegrams);
}

TEST(errors_of_handlers_are_survived_and_remembered) {
    office o;
    office_open(t, &o, NULL);
    o.answer = PLOY_ERR_DENIED;
    CHECK_OK(mail(&o, 1, 2, "a", 1));
    CHECK_OK(mail(&o, 1, 2, "b", 2));
    CHECK_INT(pass_time(t, &o, 3), 2);
    ploy_telegram_life life;
    CHECK(ploy_telegrams_life(o.telegrams, 1, &life));
    CHECK_INT(life.fate, PLOY_TELEGRAM_FAILED);
    CHECK_INT(life.result, PLOY_ERR_DENIED);
    CHECK_INT(mail(&o, 1, 2, "c", 0), PLOY_ERR_DENIED);
    o.answer = PLOY_IN_PROGRESS; // no answer a handler may give
    CHECK_INT(mail(&o, 1, 2, "c", 0), PLOY_ERR_CALLBACK);
    ploy_telegrams_destroy(o.telegrams);
}

TEST(bad_telegrams_and_limits_are_refused) {
    ploy_telegrams_def def = ploy_telegrams_def_default();
    def.limit = 2;
    office o;
    office_open(t, &o, &def);
    ploy_message message = letter(1, 2, "hi");
    CHECK_INT(ploy_telegrams_send(o.telegrams, &message, NAN, NULL), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_telegrams_send(o.telegrams, &message, INFINITY, NULL), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_telegrams_send(o.telegrams, NULL, 0, NULL), PLOY_ERR_ARGUMENT);
    message.size = PLOY_MESSAGE_PAYLOAD + 1;
    CHECK_INT(ploy_telegrams_send(o.telegrams, &message, 0, NULL), PLOY_ERR_ARGUMENT);
    message.size = 0;
    message.due = NAN;
    CHECK_INT(ploy_telegrams_post(o.telegrams, &message), PLOY_ERR_ARGUMENT);
    CHECK_OK(mail(&o, 1, 2, "a", 1));
    CHECK_OK(mail(&o, 1, 2, "b", 1));
    CHECK_INT(mail(&o, 1, 2, "c", 1), PLOY_ERR_CAPACITY);
    CHECK_INT(last_fate(t, &o), PLOY_TELEGRAM_FULL);
    pass_time(t, &o, 5);
    CHECK_INT(ploy_telegrams_step(o.telegrams, 4, NULL, NULL, NULL), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_telegrams_step(o.telegrams, NAN, NULL, NULL, NULL), PLOY_ERR_ARGUMENT);
    ploy_telegrams_destroy(o.telegrams);
    ploy_env env = ploy_env_default();
    def.duplicate_window = NAN;
    CHECK_INT(ploy_telegrams_create(&def, &env, &o.telegrams), PLOY_ERR_ARGUMENT);
    CHECK_OK(ploy_fields_check_table(ploy_telegrams_fields(), NULL));
}

static void engine_says_later(probe *self, ploy_step_context *context) {
    if (self->steps != 1) return;
    ploy_message message = ploy_message_make(context->agent, self->other, ploy_name_of("soon"));
    message.due = context->now + 0.5;
    ploy_outbox_message(context->outbox, &message);
    message.receiver = agent(77); // somebody without a behavior
    message.due = 0;
    ploy_outbox_message(context->outbox, &message);
}

TEST(an_engine_sends_through_the_dispatcher_and_back) {
    for (int32_t parallel = 0; parallel < 2; parallel++) {
        office o;
        office_open(t, &o, NULL);
        ploy_engine *engine = engine_of(t, parallel == 1);
        probe one, two;
        memset(&one, 0, sizeof one);
        memset(&two, 0, sizeof two);
        one.on_step = engine_says_later;
        one.other = agent(2);
        add(t, engine, &one, 1);
        add(t, engine, &two, 2);
        ploy_telegrams_connect(o.telegrams, engine);
        int game = 0;
        ploy_engine_frame frame;
        memset(&frame, 0, sizeof frame);
        frame.game = &game;
        for (int32_t tick = 0; tick < 4; tick++) {
            CHECK_OK(ploy_engine_step(engine, 0.25f, NULL, &frame));
            CHECK_OK(ploy_telegrams_step(o.telegrams, ploy_engine_now(engine), NULL, &frame, NULL));
            CHECK_INT(o.count, 1); // for 77, at once, through the receiver function
            CHECK_INT(two.messages, ploy_engine_now(engine) >= 0.5 ? 1 : 0);
        }
        CHECK(two.game_seen == &game);
        CHECK_UINT(two.last_sender.id.index, 1);
        ploy_message all = ploy_message_make(agent(1), ploy_agent_id_none(), ploy_name_of("all"));
        CHECK_OK(ploy_telegrams_send(o.telegrams, &all, 0, NULL));
        CHECK_INT(two.messages, 2);
        CHECK_INT(one.messages, 0);          // not to the sender
        CHECK_INT(o.count, 2);               // and the receiver function once
        ploy_telegrams_destroy(o.telegrams); // parts them
        CHECK_OK(ploy_engine_step(engine, 0.25f, NULL, NULL));
        ploy_engine_destroy(engine);
    }
}

// Sending, cancelling and stepping at random against a list.
TEST(a_dispatcher_does_what_a_list_does) {
    for (int64_t round = 0; round < test_rounds(40); round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round);
        ploy_telegrams_def def = ploy_telegrams_def_default();
        def.capacity = 0;
        def.duplicate_window = round % 2 == 0 ? 0.0f : 0.5f;
        def.strict = round % 3 == 0;
        office o;
        office_open(t, &o, &def);
        struct {
            double due;
            int32_t from, to;
            uint64_t order;
            ploy_telegram_id id;
            bool there;
        } list[400];
        int32_t count = 0;
        double now = 0;
        for (uint64_t order = 0; order < 300; order++) {
            uint64_t what = ploy_rng_below(&rng, 8);
            if (what < 5) {
                int32_t from = (int32_t)ploy_rng_below(&rng, 3);
                int32_t to = (int32_t)ploy_rng_below(&rng, 3);
                double delay = 0.25 * (double)(1 + ploy_rng_below(&rng, 12));
                bool twin = false;
                for (int32_t i = 0; i < count; i++) {
                    twin = twin || (list[i].there && list[i].from == from && list[i].to == to &&
                                    fabs(list[i].due - now - delay) < (double)def.duplicate_window);
                }
                CHECK_INT(mail(&o, from, to, "x", delay), twin ? PLOY_ERR_EXISTS : PLOY_OK);
                if (!twin) {
                    list[count].due = now + delay;
                    list[count].from = from;
                    list[count].to = to;
                    list[count].order = (uint64_t)count;
                    list[count].id = o.id;
                    list[count++].there = true;
                }
            } else if (what == 5 && count > 0) {
                int32_t at = (int32_t)ploy_rng_below(&rng, (uint64_t)count);
                CHECK(ploy_telegrams_cancel(o.telegrams, list[at].id) == list[at].there);
                list[at].there = false;
            } else if (what == 6) {
                ploy_telegram_filter filter = {
                    ploy_agent_id_none(), agent((int32_t)ploy_rng_below(&rng, 3)), {0}};
                int32_t want = 0;
                for (int32_t i = 0; i < count; i++) {
                    if (!list[i].there || agent(list[i].to).id.index != filter.receiver.id.index) {
                        continue;
                    }
                    list[i].there = false;
                    want++;
                }
                CHECK_INT(ploy_telegrams_cancel_all(o.telegrams, filter), want);
            } else {
                now += 0.25 * (double)ploy_rng_below(&rng, 4);
                o.count = 0;
                int32_t delivered = pass_time(t, &o, now);
                for (int32_t i = 0; i < delivered; i++) {
                    int32_t first = -1;
                    for (int32_t k = 0; k < count; k++) {
                        bool due = def.strict ? list[k].due < now : list[k].due <= now;
                        if (!list[k].there || !due) continue;
                        if (first < 0 || list[k].due < list[first].due) first = k;
                    }
                    CHECK(first >= 0);
                    CHECK_NEAR(o.got[i].due, list[first].due, 0);
                    CHECK_UINT(o.got[i].sender.id.index, list[first].from);
                    list[first].there = false;
                }
                for (int32_t k = 0; k < count; k++) {
                    bool due = def.strict ? list[k].due < now : list[k].due <= now;
                    CHECK(!list[k].there || !due);
                }
            }
        }
        ploy_telegrams_destroy(o.telegrams);
    }
}

TEST(a_hundred_thousand_wait_and_come_in_order_without_allocating) {
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    ploy_telegrams_def def = ploy_telegrams_def_default();
    office o;
    memset(&o, 0, sizeof o);
    CHECK_OK(ploy_telegrams_create(&def, &env, &o.telegrams));
    ploy_telegrams_set_receiver(o.telegrams, office_receive, &o);
    CHECK_OK(ploy_telegrams_reserve(o.telegrams, 100000));
    int64_t calls = counts.calls;
    ploy_rng rng = ploy_rng_make(1);
    for (int32_t i = 0; i < 100000; i++) {
        CHECK_OK(mail(&o, i, i % 1000, "x", 1.0 + (double)ploy_rng_below(&rng, 1000)));
    }
    CHECK_INT(ploy_telegrams_waiting(o.telegrams), 100000);
    ploy_telegram_filter filter = {ploy_agent_id_none(), agent(7), {0}};
    CHECK_INT(ploy_telegrams_cancel_all(o.telegrams, filter), 100);
    int32_t delivered = 0;
    for (int32_t i = 1; i <= 1000; i++) {
        o.count = 0;
        delivered += pass_time(t, &o, i);
        for (int32_t k = 1; k < o.count; k++) {
            CHECK(ployi_message_compare(&o.got[k - 1], &o.got[k]) < 0);
        }
    }
    CHECK_INT(delivered, 99900);
    CHECK_INT(counts.calls, calls);
    ploy_telegrams_destroy(o.telegrams);
    CHECK_INT(counts.bytes, 0);
}

static ploy_result telegrams_fill(const ploy_env *env, void *arg) {
    (void)arg;
    ploy_telegrams_def def = ploy_telegrams_def_default();
    def.capacity = 1;
    ploy_entities_def people = ploy_entities_def_default();
    office o;
    memset(&o, 0, sizeof o);
    ploy_result result = ploy_telegrams_create(&def, env, &o.telegrams);
    if (result == PLOY_OK) result = ploy_entities_create(&people, env, &o.entities);
    if (result == PLOY_OK) result = ploy_telegrams_set_entities(o.telegrams, o.entities);
    ploy_entity entity = ploy_entity_make(ploy_name_of("x"));
    for (int32_t i = 0; i < 3 && result == PLOY_OK; i++) {
        result = ploy_entities_add(o.entities, &entity, NULL);
    }
    for (int32_t i = 0; i < 40 && result == PLOY_OK; i++) {
        int32_t waiting = ploy_telegrams_waiting(o.telegrams);
        result = mail(&o, i, i % 3, "x", 1 + i);
        bool grown = ploy_telegrams_waiting(o.telegrams) > waiting;
        if (grown != (result == PLOY_OK)) result = PLOY_ERR_STATE;
    }
    ploy_telegrams_destroy(o.telegrams);
    ploy_entities_destroy(o.entities);
    return result;
}

TEST(telegrams_survive_every_failing_allocation) {
    CHECK_FAIL_NTH(telegrams_fill, NULL);
}

// A time of letters, the same for the same number.
static void office_life(test_context *t, void *object, uint64_t number) {
    ploy_telegrams *telegrams = object;
    ploy_rng rng = ploy_rng_make(number);
    double now = ploy_telegrams_now(telegrams);
    ploy_telegram_id last = {{0, 0}};
    for (int32_t i = 0; i < 200; i++) {
        ploy_message message =
            letter(ploy_rng_int(&rng, 1, 5), ploy_rng_int(&rng, 1, 5), i % 2 == 0 ? "a" : "b");
        double delay = (double)ploy_rng_range(&rng, 0.0f, 3.0f);
        ploy_result sent =
            ploy_telegrams_send(telegrams, &message, i % 7 == 0 ? 0.0 : delay, &last);
        CHECK(sent == PLOY_OK || sent == PLOY_ERR_EXISTS); // one alike was on its way
        if (i % 5 == 0) (void)ploy_telegrams_cancel(telegrams, last);
        now += 0.05;
        CHECK_OK(ploy_telegrams_step(telegrams, now, NULL, NULL, NULL));
    }
}

TEST(telegrams_go_back_in_time_and_come_again_byte_by_byte) {
    ploy_region *region = test_region(t);
    ploy_env inside = ploy_region_env(region);
    ploy_telegrams_def def = ploy_telegrams_def_default();
    def.capacity = 2;
    def.duplicate_window = 0.25f;
    office self;
    memset(&self, 0, sizeof self);
    CHECK_OK(ploy_telegrams_create(&def, &inside, &self.telegrams));
    ploy_telegrams_set_receiver(self.telegrams, office_receive, &self);
    test_rewind(t, region, self.telegrams, office_life, NULL);
    ploy_telegrams_destroy(self.telegrams);
    ploy_region_destroy(region);
}
