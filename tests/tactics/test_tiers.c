// Tiers: orders down, reports up, three schemes behind one interface (TAC-42, 43, 46, 47, WAY-16).
#include "ploy/tactics/tiers.h"
#include "tests/state.h"

static const ploy_blackboard_key keys[] = {
    {"order", PLOY_VALUE_NAME, {PLOY_VALUE_NONE, {0}}, "kind of the order"},
    {"order_id", PLOY_VALUE_U64, {PLOY_VALUE_NONE, {0}}, "its id"},
    {"order_place", PLOY_VALUE_VEC2, {PLOY_VALUE_NONE, {0}}, "where"},
    {"order_unit", PLOY_VALUE_ID, {PLOY_VALUE_NONE, {0}}, "on whom"},
};

// A mind that counts its turns and does what its table says.
typedef struct mind {
    int32_t turns;
    bool commands; // orders agent 3 to attack (5, 6)
    bool sees;     // reports unit 9 at (1, 2)
    bool done;     // reports its order as done
    bool errs;
    ploy_name order; // it read
} mind;

static ploy_result mind_step(void *user, void *state, ploy_step_context *context,
                             ploy_status *status) {
    mind *self = user;
    (void)state;
    self->turns++;
    *status = PLOY_STATUS_RUNNING;
    if (self->errs) return PLOY_ERR_STATE;
    if (context->blackboard != NULL) {
        self->order = ploy_blackboard_get_name(
            context->blackboard,
            ploy_blackboard_layout_find(ploy_blackboard_layout_of(context->blackboard), "order"));
    }
    if (self->commands) {
        ploy_action_request request = ploy_action_request_make(
            ploy_agent_id_make(3, 1), ploy_name_of("attack"), PLOY_ACTION_THINK);
        request.position = ploy_vec3_make(5, 6, 0);
        request.reach = 2.0f;
        request.parameters[0] = 4.0f;
        ploy_result result = ploy_outbox_action(context->outbox, &request);
        if (result != PLOY_OK) return result;
    }
    if (self->sees) {
        ploy_message message =
            ploy_tiers_sighting(PLOY_REPORT_SEEN, ploy_agent_id_make(9, 1), ploy_vec2_make(1, 2));
        ploy_result result = ploy_outbox_message(context->outbox, &message);
        if (result != PLOY_OK) return result;
    }
    if (self->done && !ploy_name_is_none(self->order)) {
        ploy_message message =
            ploy_message_make(ploy_agent_id_none(), ploy_agent_id_none(), ploy_name_of("done"));
        return ploy_outbox_message(context->outbox, &message);
    }
    return PLOY_OK;
}

// army (0) - squad (1) - soldier (2), a player without a behavior on top if wanted.
typedef struct chain {
    ploy_env env;
    ploy_blackboard_layout *layout;
    ploy_blackboard *boards[3];
    ploy_telegrams *telegrams;
    ploy_tiers *tiers;
    mind minds[3];
    ploy_function functions[3];
    ploy_step_context context;
    int32_t forced, asked;
    bool refuses;
} chain;

static void chain_force(void *user, int32_t tier, const ploy_order *order) {
    chain *c = user;
    (void)tier;
    (void)order;
    c->forced++;
}

static bool chain_accept(void *user, int32_t tier, const ploy_order *order) {
    chain *c = user;
    (void)tier;
    (void)order;
    c->asked++;
    return !c->refuses;
}

static void chain_make(test_context *t, chain *c, ploy_tier_scheme scheme, float delay, bool queue,
                       int32_t period, const ploy_env *env) {
    static const char *const names[] = {"army", "squad", "soldier"};
    memset(c, 0, sizeof *c);
    c->env = *env;
    c->context = ploy_step_context_make(ploy_agent_id_none(), NULL, 0.1f);
    CHECK_OK(ploy_blackboard_layout_create(keys, 4, "tier", env, NULL, &c->layout));
    ploy_telegrams_def telegrams = ploy_telegrams_def_default();
    CHECK_OK(ploy_telegrams_create(&telegrams, env, &c->telegrams));
    ploy_tiers_def def = ploy_tiers_def_default();
    def.delay = delay;
    def.queue = queue;
    ploy_tiers_host host = {chain_force, chain_accept, c};
    CHECK_OK(ploy_tiers_create(&def, &host, c->telegrams, env, &c->tiers));
    ploy_telegrams_set_receiver(c->telegrams, ploy_tiers_receive, c->tiers);
    for (uint32_t i = 0; i < 3; i++) {
        ploy_tier_def tier = ploy_tier_def_default();
        CHECK_OK(ploy_blackboard_create(c->layout, env, &c->boards[i]));
        c->functions[i].name = names[i];
        c->functions[i].step = mind_step;
        c->functions[i].user = &c->minds[i];
        tier.name = names[i];
        tier.parent = (int32_t)i - 1;
        tier.scheme = scheme;
        tier.agent = ploy_agent_id_make(i + 1, 1);
        tier.blackboard = c->boards[i];
        tier.period = i == 0 ? period : 1;
        CHECK_OK(ploy_function_behavior(&c->functions[i], env, &tier.behavior));
        int32_t index = -1;
        CHECK_OK(ploy_tiers_add(c->tiers, &tier, &index));
        CHECK_INT(index, i);
    }
}

static void chain_free(chain *c) {
    ploy_tiers_destroy(c->tiers);
    ploy_telegrams_destroy(c->telegrams);
    for (int32_t i = 0; i < 3; i++) ploy_blackboard_destroy(c->boards[i]);
    ploy_blackboard_layout_destroy(c->layout);
}

static void chain_step(test_context *t, chain *c) {
    CHECK_OK(ploy_tiers_step(c->tiers, &c->context));
    ploy_step_context_next(&c->context);
    CHECK_OK(ploy_telegrams_step(c->telegrams, c->context.now, NULL, NULL, NULL));
}

static ploy_order attack(float x) {
    return ploy_order_make(PLOY_ORDER_ATTACK, ploy_vec2_make(x, 0.0f));
}

TEST(three_schemes_behind_one_interface) {
    static const struct {
        ploy_tier_scheme scheme;
        float delay;
        bool at_once, after_step, after_delay;
        int32_t forced, asked;
    } rows[] = {
        {PLOY_TIER_DIRECT, 0.0f, true, true, true, 1, 0},
        {PLOY_TIER_POLL, 0.0f, false, true, true, 0, 1},
        {PLOY_TIER_EVENTS, 0.0f, true, true, true, 0, 1},
        {PLOY_TIER_EVENTS, 0.35f, false, false, true, 0, 1},
    };
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = ploy_tier_scheme_text(rows[i].scheme);
        chain c;
        chain_make(t, &c, rows[i].scheme, rows[i].delay, false, 1, &env);
        ploy_order order = attack(3.0f);
        uint64_t id = 0;
        CHECK_OK(ploy_tiers_give(c.tiers, 2, &order, 0.0, &id));
        CHECK_UINT(id, 1);
        CHECK_INT(ploy_tiers_order(c.tiers, 2) != NULL, rows[i].at_once);
        chain_step(t, &c);
        CHECK_INT(ploy_tiers_order(c.tiers, 2) != NULL, rows[i].after_step);
        for (int32_t k = 0; k < 5; k++) chain_step(t, &c);
        CHECK_INT(ploy_tiers_order(c.tiers, 2) != NULL, rows[i].after_delay);
        CHECK_UINT(ploy_tiers_order(c.tiers, 2)->id, 1);
        CHECK_INT(c.forced, rows[i].forced);
        CHECK_INT(c.asked, rows[i].asked);
        // The mind reads the order from its board, and the giver hears that it was accepted.
        CHECK(ploy_name_equal(c.minds[2].order, ploy_name_of("attack")));
        for (int32_t k = 0; k < 5; k++) chain_step(t, &c);
        ploy_report report;
        CHECK(ploy_tiers_next_report(c.tiers, 1, &report));
        CHECK_INT(report.kind, PLOY_REPORT_ACCEPTED);
        CHECK_UINT(report.order, 1);
        CHECK_INT(report.tier, 2);
        // Done: the tray is empty, and the giver hears of that too.
        c.minds[2].done = true;
        for (int32_t k = 0; k < 6; k++) chain_step(t, &c);
        CHECK(ploy_tiers_order(c.tiers, 2) == NULL);
        CHECK(ploy_tiers_next_report(c.tiers, 1, &report));
        CHECK_INT(report.kind, PLOY_REPORT_DONE);
        CHECK(!ploy_tiers_next_report(c.tiers, 1, &report));
        chain_free(&c);
    }
}

TEST(orders_faster_than_their_telegrams_still_arrive) {
    ploy_env env = ploy_env_default();
    chain c;
    chain_make(t, &c, PLOY_TIER_EVENTS, 0.35f, false, 1, &env);
    for (int32_t i = 0; i < 20; i++) {
        ploy_order order = attack((float)i);
        CHECK_OK(ploy_tiers_give(c.tiers, 2, &order, c.context.now, NULL));
        chain_step(t, &c);
        CHECK_INT(ploy_tiers_order(c.tiers, 2) != NULL, i >= 3);
    }
    for (int32_t i = 0; i < 5; i++) chain_step(t, &c);
    CHECK_SAME(ploy_tiers_order(c.tiers, 2)->place.x, 19.0f); // the last one in the end
    chain_free(&c);
}

TEST(members_may_refuse_unless_they_are_controlled_directly) {
    ploy_env env = ploy_env_default();
    for (int32_t scheme = 0; scheme < PLOY_TIER_SCHEMES; scheme++) {
        t->row = ploy_tier_scheme_text((ploy_tier_scheme)scheme);
        chain c;
        chain_make(t, &c, (ploy_tier_scheme)scheme, 0.0f, false, 1, &env);
        c.refuses = true;
        ploy_order order = attack(3.0f);
        CHECK_OK(ploy_tiers_give(c.tiers, 2, &order, 0.0, NULL));
        chain_step(t, &c);
        ploy_report report;
        CHECK(ploy_tiers_next_report(c.tiers, 1, &report));
        bool direct = scheme == PLOY_TIER_DIRECT;
        CHECK_INT(report.kind, direct ? PLOY_REPORT_ACCEPTED : PLOY_REPORT_FAILED);
        CHECK_INT(report.reason, direct ? PLOY_REASON_NONE : PLOY_REASON_REFUSED);
        CHECK_INT(ploy_tiers_order(c.tiers, 2) != NULL, direct);
        chain_free(&c);
    }
}

TEST(orders_of_a_mind_reach_the_tier_below_in_the_same_step) {
    ploy_env env = ploy_env_default();
    chain c;
    chain_make(t, &c, PLOY_TIER_POLL, 0.0f, false, 1, &env);
    c.minds[1].commands = true; // the squad orders the soldier
    chain_step(t, &c);
    const ploy_order *order = ploy_tiers_order(c.tiers, 2);
    CHECK(order != NULL);
    CHECK_INT(order->kind, PLOY_ORDER_ATTACK);
    CHECK_SAME(order->place.x, 5.0f);
    CHECK_SAME(order->radius, 2.0f);
    CHECK_INT(order->priority, 4);
    // Ordered the same in every turn, the soldier goes on with the first.
    for (int32_t i = 0; i < 5; i++) chain_step(t, &c);
    CHECK_UINT(ploy_tiers_order(c.tiers, 2)->id, 1);
    // The army is not the soldier's direct superior: its orders reach only the squad.
    c.minds[1].commands = false;
    c.minds[0].commands = true;
    ploy_report done = ploy_report_make(PLOY_REPORT_DONE, 1, PLOY_REASON_NONE);
    CHECK_OK(ploy_tiers_report(c.tiers, 2, &done, c.context.now));
    chain_step(t, &c);
    CHECK(ploy_tiers_order(c.tiers, 2) == NULL);
    chain_free(&c);
}

// Counts notes by name, and keeps the last text of each of two names.
typedef struct notes_seen {
    const char *names[2];
    int32_t counts[2];
    char last[32];
} notes_seen;

static void notes_value(void *user, const char *name, ploy_mark mark, const ploy_value *value) {
    notes_seen *seen = user;
    for (int32_t i = 0; i < 2; i++) {
        if (strcmp(name, seen->names[i]) != 0 || mark != PLOY_NOTE) continue;
        seen->counts[i]++;
        if (value->type == PLOY_VALUE_TEXT)
            (void)ploy_value_print(value, seen->last, sizeof seen->last);
    }
}

static void notes_begin(void *user, const char *name, ploy_id owner) {
    (void)user, (void)name, (void)owner;
}

static void notes_end(void *user) {
    (void)user;
}

TEST(orders_and_reports_are_logged) {
    ploy_env env = ploy_env_default();
    chain c;
    chain_make(t, &c, PLOY_TIER_POLL, 0.0f, false, 1, &env);
    c.minds[1].commands = true;
    chain_step(t, &c);
    c.minds[1].commands = false;
    ploy_report done = ploy_report_make(PLOY_REPORT_DONE, 1, PLOY_REASON_NONE);
    CHECK_OK(ploy_tiers_report(c.tiers, 2, &done, c.context.now));
    notes_seen seen = {{"order", "report"}, {0, 0}, ""};
    ploy_describe out = {notes_begin, notes_end, notes_value, &seen};
    ploy_tiers_describe(c.tiers, &out);
    CHECK_INT(seen.counts[0], 1);
    CHECK_INT(seen.counts[1], 2); // accepted, done
    for (int32_t i = 0; i < 100; i++) {
        ploy_report needs = ploy_report_make(PLOY_REPORT_NEEDS, 0, PLOY_REASON_NONE);
        CHECK_OK(ploy_tiers_report(c.tiers, 2, &needs, c.context.now));
    }
    memset(seen.counts, 0, sizeof seen.counts);
    ploy_tiers_describe(c.tiers, &out);
    CHECK_INT(seen.counts[1], 24); // the newest
    chain_free(&c);
}

TEST(higher_tiers_run_rarely) {
    ploy_env env = ploy_env_default();
    chain c;
    chain_make(t, &c, PLOY_TIER_DIRECT, 0.0f, false, 30, &env);
    for (int32_t i = 0; i < 300; i++) chain_step(t, &c);
    CHECK_INT(c.minds[0].turns, 10);
    CHECK_INT(c.minds[1].turns, 300);
    CHECK_INT(c.minds[2].turns, 300);
    chain_free(&c);
}

TEST(sightings_go_up_to_every_tier_and_are_merged) {
    ploy_env env = ploy_env_default();
    static const ploy_tier_scheme schemes[] = {PLOY_TIER_POLL, PLOY_TIER_EVENTS};
    for (size_t i = 0; i < COUNT_OF(schemes); i++) {
        t->row = ploy_tier_scheme_text(schemes[i]);
        chain c;
        chain_make(t, &c, schemes[i], 0.0f, false, 1, &env);
        c.minds[2].sees = true;
        for (int32_t k = 0; k < 4; k++) chain_step(t, &c);
        for (int32_t tier = -1; tier < 2; tier++) {
            ploy_report report;
            CHECK(ploy_tiers_next_report(c.tiers, tier, &report));
            CHECK_INT(report.kind, PLOY_REPORT_SEEN);
            CHECK_INT(report.count, 4);
            CHECK_INT(report.tier, 2);
            CHECK_UINT(report.unit.id.index, 9);
            CHECK_SAME(report.place.y, 2.0f);
            CHECK(!ploy_tiers_next_report(c.tiers, tier, &report));
        }
        chain_free(&c);
    }
}

TEST(a_stuck_order_is_not_given_for_ever) {
    ploy_env env = ploy_env_default();
    chain c;
    chain_make(t, &c, PLOY_TIER_DIRECT, 0.0f, false, 1, &env);
    ploy_order far_away = attack(900.0f), other = attack(5.0f);
    for (int32_t i = 0; i < 2; i++) {
        uint64_t id = 0;
        CHECK_OK(ploy_tiers_give(c.tiers, 2, &far_away, 0.0, &id));
        ploy_report stuck = ploy_report_make(PLOY_REPORT_STUCK, id, PLOY_REASON_NO_PATH);
        CHECK_OK(ploy_tiers_report(c.tiers, 2, &stuck, 1.0));
        CHECK_INT(ploy_tiers_report(c.tiers, 2, &stuck, 1.0), PLOY_ERR_NOT_FOUND); // ended already
    }
    CHECK_INT(ploy_tiers_give(c.tiers, 2, &far_away, 2.0, NULL), PLOY_ERR_LIMIT);
    CHECK_OK(ploy_tiers_give(c.tiers, 2, &other, 2.0, NULL));
    int32_t stuck = 0;
    ploy_report report;
    while (ploy_tiers_next_report(c.tiers, 1, &report)) {
        stuck += report.kind == PLOY_REPORT_STUCK && report.reason == PLOY_REASON_NO_PATH;
    }
    CHECK_INT(stuck, 2);
    chain_free(&c);
}

TEST(orders_expire_replace_and_queue) {
    ploy_env env = ploy_env_default();
    chain c;
    chain_make(t, &c, PLOY_TIER_DIRECT, 0.0f, false, 1, &env);
    ploy_order first = attack(1.0f), second = attack(2.0f);
    CHECK_OK(ploy_tiers_give(c.tiers, 2, &first, 0.0, NULL));
    CHECK_OK(ploy_tiers_give(c.tiers, 2, &second, 0.0, NULL));
    CHECK_UINT(ploy_tiers_order(c.tiers, 2)->id, 2); // the latest
    second.expiry = 0.15;
    CHECK_OK(ploy_tiers_give(c.tiers, 2, &second, 0.0, NULL));
    chain_step(t, &c);
    CHECK(ploy_tiers_order(c.tiers, 2) != NULL);
    chain_step(t, &c);
    chain_step(t, &c);
    CHECK(ploy_tiers_order(c.tiers, 2) == NULL);
    ploy_report report;
    bool expired = false;
    while (ploy_tiers_next_report(c.tiers, 1, &report)) {
        expired = expired || report.reason == PLOY_REASON_EXPIRED;
    }
    CHECK(expired);
    chain_free(&c);
    chain_make(t, &c, PLOY_TIER_DIRECT, 0.0f, true, 1, &env);
    static const int32_t priorities[] = {2, 5, 2, 9};
    for (int32_t i = 0; i < 4; i++) {
        ploy_order order = attack((float)i);
        order.priority = priorities[i];
        CHECK_OK(ploy_tiers_give(c.tiers, 2, &order, 0.0, NULL));
    }
    CHECK_UINT(ploy_tiers_order(c.tiers, 2)->id, 4);
    ploy_order low = attack(9.0f), high = attack(9.0f);
    high.priority = 3;
    CHECK_INT(ploy_tiers_give(c.tiers, 2, &low, 0.0, NULL), PLOY_ERR_CAPACITY);
    CHECK_OK(ploy_tiers_give(c.tiers, 2, &high, 0.0, NULL)); // pushes the third out
    static const uint64_t order_of[] = {4, 2, 5, 1};
    for (size_t i = 0; i < COUNT_OF(order_of); i++) {
        CHECK_UINT(ploy_tiers_order(c.tiers, 2)->id, order_of[i]);
        ploy_report done = ploy_report_make(PLOY_REPORT_DONE, order_of[i], PLOY_REASON_NONE);
        CHECK_OK(ploy_tiers_report(c.tiers, 2, &done, 0.0));
    }
    CHECK(ploy_tiers_order(c.tiers, 2) == NULL);
    chain_free(&c);
}

TEST(a_fallen_tier_leaves_its_people_to_the_one_above) {
    ploy_env env = ploy_env_default();
    chain c;
    chain_make(t, &c, PLOY_TIER_POLL, 0.0f, false, 1, &env);
    chain_step(t, &c);
    CHECK_OK(ploy_tiers_lose(c.tiers, 1, c.context.now));
    CHECK_INT(ploy_tiers_lose(c.tiers, 1, c.context.now), PLOY_ERR_NOT_FOUND);
    CHECK_INT(ploy_tiers_parent(c.tiers, 2), 0);
    CHECK_INT(ploy_tiers_find(c.tiers, ploy_agent_id_make(2, 1)), -1);
    CHECK_INT(ploy_tiers_count(c.tiers), 3);
    ploy_report report;
    CHECK(ploy_tiers_next_report(c.tiers, 0, &report));
    CHECK_INT(report.kind, PLOY_REPORT_LOST);
    CHECK_UINT(report.unit.id.index, 2);
    ploy_order order = attack(1.0f);
    CHECK_INT(ploy_tiers_give(c.tiers, 1, &order, 0.0, NULL), PLOY_ERR_NOT_FOUND);
    CHECK_OK(ploy_tiers_give(c.tiers, 2, &order, 0.0, NULL));
    chain_step(t, &c);
    CHECK_INT(c.minds[1].turns, 1); // it thinks no more
    CHECK(ploy_tiers_next_report(c.tiers, 0, &report));
    CHECK_INT(report.kind, PLOY_REPORT_ACCEPTED);
    chain_free(&c);
}

TEST(bottom_up_groups_take_no_orders) {
    ploy_env env = ploy_env_default();
    ploy_tiers_def def = ploy_tiers_def_default();
    def.bottom_up = true;
    ploy_tiers *tiers = NULL;
    CHECK_OK(ploy_tiers_create(&def, NULL, NULL, &env, &tiers));
    ploy_tier_def tier = ploy_tier_def_default();
    tier.name = "player";
    CHECK_OK(ploy_tiers_add(tiers, &tier, NULL));
    CHECK_INT(ploy_tiers_add(tiers, &tier, NULL), PLOY_ERR_EXISTS);
    tier.name = "soldier";
    tier.parent = 0;
    tier.agent = ploy_agent_id_make(1, 1);
    CHECK_OK(ploy_tiers_add(tiers, &tier, NULL));
    ploy_order order = attack(1.0f);
    CHECK_INT(ploy_tiers_give(tiers, 1, &order, 0.0, NULL), PLOY_ERR_DENIED);
    ploy_report seen = ploy_report_make(PLOY_REPORT_SEEN, 0, PLOY_REASON_NONE);
    CHECK_OK(ploy_tiers_report(tiers, 1, &seen, 0.0));
    ploy_report report;
    CHECK(ploy_tiers_next_report(tiers, 0, &report));
    // Events need telegrams, and an agent.
    tier.name = "radio";
    tier.agent = ploy_agent_id_make(2, 1);
    tier.scheme = PLOY_TIER_EVENTS;
    CHECK_INT(ploy_tiers_add(tiers, &tier, NULL), PLOY_ERR_STATE);
    ploy_tiers_destroy(tiers);
}

TEST(telegrams_of_others_change_nothing) {
    ploy_env env = ploy_env_default();
    chain c;
    chain_make(t, &c, PLOY_TIER_EVENTS, 0.0f, false, 1, &env);
    state_check s = {ploy_tiers_visit, c.tiers, &c.context, NULL, NULL};
    uint64_t before = state_hash(&s);
    unsigned char bytes[32];
    memset(bytes, 255, sizeof bytes);
    for (int32_t i = 0; i < 4; i++) {
        ploy_message message =
            ploy_message_make(ploy_agent_id_make(3, 1), ploy_agent_id_make(i < 2 ? 2 : 77, 1),
                              ploy_name_of(i % 2 == 0 ? "report" : "order"));
        CHECK_OK(ploy_message_set_payload(&message, bytes, sizeof bytes));
        bool handled = true;
        CHECK_OK(ploy_tiers_receive(c.tiers, &message, &handled));
        CHECK(!handled);
    }
    CHECK_UINT(state_hash(&s), before);
    chain_free(&c);
}

TEST(an_error_of_one_mind_does_not_stop_the_others) {
    ploy_env env = ploy_env_default();
    env.log = NULL;
    chain c;
    chain_make(t, &c, PLOY_TIER_DIRECT, 0.0f, false, 1, &env);
    c.minds[1].errs = true;
    for (int32_t i = 0; i < 5; i++) chain_step(t, &c);
    CHECK_INT(c.minds[0].turns, 5);
    CHECK_INT(c.minds[2].turns, 5);
    chain_free(&c);
}

static void fill(test_context *t, chain *c) {
    for (int32_t i = 0; i < 3; i++) {
        ploy_order order = attack((float)i);
        order.priority = 7 - i;
        ploy_circle swamp = {{5, 5}, 2};
        CHECK_OK(ploy_order_add_avoid(&order, swamp));
        CHECK_OK(ploy_tiers_give(c->tiers, 2, &order, 0.0, NULL));
    }
    ploy_report stuck = ploy_report_make(PLOY_REPORT_STUCK, 1, PLOY_REASON_BLOCKED);
    CHECK_OK(ploy_tiers_report(c->tiers, 2, &stuck, 1.0));
    ploy_report seen = ploy_report_make(PLOY_REPORT_SEEN, 0, PLOY_REASON_NONE);
    seen.unit = ploy_agent_id_make(8, 1);
    CHECK_OK(ploy_tiers_report(c->tiers, 2, &seen, 1.0));
}

TEST(state_of_tiers_is_visited) {
    ploy_env env = ploy_env_default();
    chain c, other;
    chain_make(t, &c, PLOY_TIER_DIRECT, 0.0f, true, 1, &env);
    fill(t, &c);
    static const char *const skip[] = {"priority", NULL}; // a tray must stay sorted
    static const char *const refused[] = {"gone", NULL};
    state_check s = {ploy_tiers_visit, c.tiers, &c.context, skip, refused};
    state_check_all(t, &s);
    chain_make(t, &other, PLOY_TIER_DIRECT, 0.0f, true, 1, &env);
    state_check_copy(t, &s, other.tiers);
    chain_free(&other);
    chain_free(&c);
}

TEST(running_minds_are_saved_and_go_on) {
    ploy_env env = ploy_env_default();
    chain c, other;
    chain_make(t, &c, PLOY_TIER_POLL, 0.0f, false, 3, &env);
    for (int32_t i = 0; i < 4; i++) chain_step(t, &c);
    chain_make(t, &other, PLOY_TIER_POLL, 0.0f, false, 3, &env);
    other.context = c.context;
    state_check s = {ploy_tiers_visit, c.tiers, &c.context, NULL, NULL};
    state_check o = {ploy_tiers_visit, other.tiers, &other.context, NULL, NULL};
    char *text = state_save(t, &s);
    CHECK(strstr(text, "minds") != NULL);
    state_expect_load(t, &o, text);
    free(text);
    // The army's turn comes in both at the same step.
    for (int32_t i = 0; i < 3; i++) {
        int32_t a = c.minds[0].turns, b = other.minds[0].turns;
        chain_step(t, &c);
        chain_step(t, &other);
        CHECK_INT(c.minds[0].turns - a, other.minds[0].turns - b);
    }
    chain_free(&other);
    chain_free(&c);
}

static ploy_result tiers_body(const ploy_env *env, void *arg) {
    ploy_tiers_def def = ploy_tiers_def_default();
    ploy_tiers *tiers = NULL;
    mind self = {0, false, false, false, false, {0}};
    ploy_function function = {.name = "mind", .step = mind_step, .user = &self};
    (void)arg;
    ploy_result result = ploy_tiers_create(&def, NULL, NULL, env, &tiers);
    if (result != PLOY_OK) return result;
    ploy_tier_def tier = ploy_tier_def_default();
    tier.name = "a";
    tier.agent = ploy_agent_id_make(1, 1);
    result = ploy_function_behavior(&function, env, &tier.behavior);
    if (result == PLOY_OK) {
        result = ploy_tiers_add(tiers, &tier, NULL);
        if (result != PLOY_OK) ploy_behavior_destroy(tier.behavior); // still the caller's
    }
    ploy_step_context context = ploy_step_context_make(ploy_agent_id_none(), NULL, 0.1f);
    if (result == PLOY_OK) result = ploy_tiers_step(tiers, &context);
    ploy_tiers_destroy(tiers);
    return result;
}

TEST(tiers_survive_a_lack_of_memory) {
    CHECK_FAIL_NTH(tiers_body, NULL);
}

TEST(a_warm_step_of_tiers_allocates_nothing) {
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    chain c;
    chain_make(t, &c, PLOY_TIER_EVENTS, 0.05f, false, 2, &env);
    c.minds[1].commands = c.minds[2].sees = c.minds[2].done = true;
    for (int32_t i = 0; i < 50; i++) chain_step(t, &c);
    int64_t before = counts.calls;
    for (int32_t i = 0; i < 200; i++) chain_step(t, &c);
    CHECK_INT(counts.calls, before);
    int64_t bytes = 0;
    ploy_tiers_memory(c.tiers, test_sum_memory, &bytes);
    CHECK(bytes > 0);
    chain_free(&c);
    CHECK_INT(counts.blocks, 0);
}
