#include "exec/exec_internal.h"
#include "ploy/exec/action.h"

#include "ploy/base/rng.h"
#include "tests/state.h"

// A game's side: counts what it is told, and finishes what it is told to finish.
typedef struct stage {
    ploy_actions *actions;
    int32_t begins[3], steps[3], cancels[3]; // by controller: move, animate, change
    int32_t done;
    ploy_action_report last;
    bool there;
    ploy_status status[3];
    ploy_result begin_result[3], step_result[3];
    char log[512]; // m moves, a animates, c changes, x cancelled, . done
    ploy_action_id cancel_in_begin, cancel_in_step;
    bool ask_in_done;
} stage;

static void note(stage *s, char c) {
    size_t length = strlen(s->log);
    if (length + 1 < sizeof s->log) s->log[length] = c, s->log[length + 1] = 0;
}

typedef struct controller {
    stage *s;
    int32_t which;
} controller;

static ploy_result on_begin(void *user, ploy_action_id id, const ploy_action_request *request) {
    controller *c = user;
    (void)id, (void)request;
    c->s->begins[c->which]++;
    note(c->s, "mac"[c->which]);
    if (!ploy_id_is_none(c->s->cancel_in_begin.id)) {
        ploy_action_id victim = c->s->cancel_in_begin;
        c->s->cancel_in_begin.id = ploy_id_none();
        ploy_actions_cancel(c->s->actions, victim);
    }
    return c->s->begin_result[c->which];
}

static ploy_result on_step(void *user, ploy_action_id id, const ploy_action_request *request,
                           float dt, ploy_status *status) {
    controller *c = user;
    (void)id, (void)request, (void)dt;
    c->s->steps[c->which]++;
    if (!ploy_id_is_none(c->s->cancel_in_step.id)) {
        ploy_action_id victim = c->s->cancel_in_step;
        c->s->cancel_in_step.id = ploy_id_none();
        ploy_actions_cancel(c->s->actions, victim);
    }
    if ((int)c->s->status[c->which] >= 0) *status = c->s->status[c->which];
    return c->s->step_result[c->which];
}

static void on_cancel(void *user, ploy_action_id id, const ploy_action_request *request) {
    controller *c = user;
    (void)request;
    c->s->cancels[c->which]++;
    note(c->s, 'x');
    ploy_actions_cancel(c->s->actions, id); // again: must be harmless
}

static bool on_there(void *user, const ploy_action_request *request) {
    (void)request;
    return ((stage *)user)->there;
}

static void on_done(void *user, const ploy_action_report *report) {
    stage *s = user;
    s->done++;
    s->last = *report;
    note(s, '.');
    if (s->ask_in_done) {
        s->ask_in_done = false;
        ploy_action_request again = report->request;
        ploy_actions_request(s->actions, &again, NULL);
    }
}

typedef struct theatre {
    stage s;
    controller c[3];
} theatre;

static void open_theatre(test_context *t, theatre *it, int32_t capacity) {
    memset(it, 0, sizeof *it);
    for (int32_t i = 0; i < 3; i++) {
        it->c[i].s = &it->s;
        it->c[i].which = i;
    }
    ploy_action_host host = {
        .move = {on_begin, on_step, on_cancel, &it->c[0]},
        .animate = {on_begin, on_step, on_cancel, &it->c[1]},
        .change = {on_begin, NULL, on_cancel, &it->c[2]}, // changes happen at once
        .there = on_there,
        .done = on_done,
        .user = &it->s,
    };
    ploy_env env = ploy_env_default();
    ploy_actions_def def = ploy_actions_def_default();
    def.capacity = capacity;
    CHECK_OK(ploy_actions_create(&def, &host, &env, &it->s.actions));
}

static ploy_action_request request_of(int32_t agent, ploy_action_effect effect, uint32_t flags) {
    ploy_action_request request = ploy_action_request_make(ploy_agent_id_make((uint32_t)agent, 1),
                                                           ploy_name_of("act"), effect);
    request.flags = flags;
    return request;
}

static ploy_action_id ask(test_context *t, theatre *it, int32_t agent, ploy_action_effect effect,
                          uint32_t flags) {
    ploy_action_request request = request_of(agent, effect, flags);
    ploy_action_id id = {{0, 0}};
    CHECK_OK(ploy_actions_request(it->s.actions, &request, &id));
    return id;
}

static void step(test_context *t, theatre *it) {
    CHECK_OK(ploy_actions_step(it->s.actions, 0.1f));
}

TEST(the_three_kinds_of_effect_reach_their_controllers) { // ENG-04
    theatre it;
    open_theatre(t, &it, 8);
    ploy_action_id walk = ask(t, &it, 1, PLOY_ACTION_MOVE, 0);
    ploy_action_id wave = ask(t, &it, 2, PLOY_ACTION_ANIMATE, 0);
    ploy_action_id learn = ask(t, &it, 3, PLOY_ACTION_CHANGE, 0);
    CHECK_INT(ploy_actions_state(it.s.actions, walk), PLOY_ACTION_WAITING);
    CHECK_TEXT(it.s.log, ""); // nothing begins before the step
    step(t, &it);
    CHECK_TEXT(it.s.log, "mac."); // the change is done at once
    CHECK_INT(ploy_actions_state(it.s.actions, walk), PLOY_ACTION_ACTING);
    CHECK_INT(ploy_actions_state(it.s.actions, wave), PLOY_ACTION_ACTING);
    CHECK_INT(ploy_actions_state(it.s.actions, learn), PLOY_ACTION_SUCCEEDED);
    CHECK_INT(ploy_actions_live_count(it.s.actions), 2);
    CHECK_INT(ploy_actions_finished_count(it.s.actions), 1);
    ploy_action_report report;
    CHECK(ploy_actions_finished(it.s.actions, 0, &report));
    CHECK(ploy_id_equal(report.id.id, learn.id));
    CHECK(!ploy_actions_finished(it.s.actions, 1, &report));
    it.s.status[0] = PLOY_STATUS_SUCCESS;
    it.s.status[1] = PLOY_STATUS_FAILURE;
    step(t, &it);
    CHECK_INT(ploy_actions_state(it.s.actions, learn), PLOY_ACTION_UNKNOWN); // forgotten by now
    CHECK_INT(ploy_actions_state(it.s.actions, walk), PLOY_ACTION_SUCCEEDED);
    CHECK_INT(ploy_actions_state(it.s.actions, wave), PLOY_ACTION_FAILED);
    CHECK_INT(it.s.last.state, PLOY_ACTION_FAILED);
    CHECK_INT(it.s.last.result, PLOY_OK); // a normal answer, no error
    CHECK_INT(ploy_actions_live_count(it.s.actions), 0);
    ploy_actions_destroy(it.s.actions);
    ploy_actions_destroy(NULL);
}

TEST(eating_walks_to_the_table_first_unless_already_there) { // ENG-04, the composite
    theatre it;
    open_theatre(t, &it, 8);
    ploy_action_id eat = ask(t, &it, 1, PLOY_ACTION_ANIMATE, PLOY_ACTION_MOVE_FIRST);
    step(t, &it);
    CHECK_TEXT(it.s.log, "m");
    CHECK_INT(ploy_actions_state(it.s.actions, eat), PLOY_ACTION_MOVING);
    step(t, &it);
    CHECK_INT(it.s.steps[0], 2);
    it.s.status[0] = PLOY_STATUS_SUCCESS;
    step(t, &it);
    CHECK_TEXT(it.s.log, "ma"); // arrived, begins to eat in the same step
    CHECK_INT(it.s.steps[1], 0);
    CHECK_INT(ploy_actions_state(it.s.actions, eat), PLOY_ACTION_ACTING);
    it.s.status[1] = PLOY_STATUS_SUCCESS;
    step(t, &it);
    CHECK_TEXT(it.s.log, "ma.");
    CHECK_INT(ploy_actions_state(it.s.actions, eat), PLOY_ACTION_SUCCEEDED);
    it.s.there = true;
    ask(t, &it, 1, PLOY_ACTION_ANIMATE, PLOY_ACTION_MOVE_FIRST);
    step(t, &it);
    CHECK_TEXT(it.s.log, "ma.a."); // no walking
    // If the way fails, so does the whole.
    it.s.there = false;
    it.s.status[0] = PLOY_STATUS_FAILURE;
    ask(t, &it, 1, PLOY_ACTION_ANIMATE, PLOY_ACTION_MOVE_FIRST);
    step(t, &it);
    CHECK_TEXT(it.s.log, "ma.a.m.");
    CHECK_INT(it.s.last.state, PLOY_ACTION_FAILED);
    ploy_actions_destroy(it.s.actions);
}

// One agent with an action under way, one that waits for it and one beside it; and another agent.
typedef struct four_actions {
    ploy_action_id a, b, beside, other;
} four_actions;

static four_actions open_with_four(test_context *t, theatre *it) {
    open_theatre(t, it, 8);
    four_actions of;
    of.a = ask(t, it, 1, PLOY_ACTION_ANIMATE, 0);
    of.b = ask(t, it, 1, PLOY_ACTION_MOVE, 0);
    of.beside = ask(t, it, 1, PLOY_ACTION_MOVE, PLOY_ACTION_BESIDE);
    of.other = ask(t, it, 2, PLOY_ACTION_ANIMATE, 0);
    step(t, it);
    return of;
}

TEST(an_agents_actions_run_one_after_the_other_in_order_of_asking) {
    theatre it;
    four_actions of = open_with_four(t, &it);
    CHECK_INT(ploy_actions_state(it.s.actions, of.a), PLOY_ACTION_ACTING);
    CHECK_INT(ploy_actions_state(it.s.actions, of.b), PLOY_ACTION_WAITING);
    CHECK_INT(ploy_actions_state(it.s.actions, of.beside), PLOY_ACTION_ACTING);
    CHECK_INT(ploy_actions_state(it.s.actions, of.other), PLOY_ACTION_ACTING);
    it.s.status[1] = PLOY_STATUS_SUCCESS;
    step(t, &it);
    CHECK_INT(ploy_actions_state(it.s.actions, of.a), PLOY_ACTION_SUCCEEDED);
    CHECK_INT(ploy_actions_state(it.s.actions, of.b), PLOY_ACTION_ACTING); // in the same step
    it.s.status[0] = PLOY_STATUS_SKIPPED;                                  // nothing to do is fine
    step(t, &it);
    CHECK_INT(ploy_actions_state(it.s.actions, of.b), PLOY_ACTION_SUCCEEDED);
    CHECK_INT(ploy_actions_state(it.s.actions, of.beside), PLOY_ACTION_SUCCEEDED);
    ploy_actions_destroy(it.s.actions);
}

TEST(now_clears_the_queue_and_only_that) {
    theatre it;
    four_actions of = open_with_four(t, &it);
    it.s.log[0] = 0;
    ploy_action_id now = ask(t, &it, 1, PLOY_ACTION_MOVE, PLOY_ACTION_NOW);
    CHECK_TEXT(it.s.log, "x.."); // one was running, one was only waiting
    CHECK_INT(it.s.cancels[1], 1);
    CHECK_INT(ploy_actions_state(it.s.actions, of.a), PLOY_ACTION_CANCELLED);
    CHECK_INT(ploy_actions_state(it.s.actions, of.b), PLOY_ACTION_CANCELLED);
    CHECK_INT(ploy_actions_state(it.s.actions, of.beside), PLOY_ACTION_ACTING);
    CHECK_INT(ploy_actions_state(it.s.actions, of.other), PLOY_ACTION_ACTING);
    step(t, &it);
    CHECK_INT(ploy_actions_state(it.s.actions, now), PLOY_ACTION_ACTING);
    CHECK_INT(ployi_actions_cancel_agent(it.s.actions, ploy_agent_id_make(1, 1)), 2);
    CHECK_INT(ployi_actions_cancel_agent(it.s.actions, ploy_agent_id_make(1, 1)), 0);
    CHECK_INT(ployi_actions_cancel_agent(it.s.actions, ploy_agent_id_none()), 0);
    CHECK_INT(ploy_actions_cancel(it.s.actions, now), PLOY_ERR_STATE);
    CHECK_INT(ploy_actions_state(it.s.actions, of.other), PLOY_ACTION_ACTING);
    step(t, &it);
    CHECK_INT(ploy_actions_cancel(it.s.actions, now), PLOY_ERR_NOT_FOUND);
    ploy_actions_destroy(it.s.actions);
    CHECK_INT(it.s.cancels[1], 2); // the last one, with everything
}

TEST(controllers_errors_fail_their_action_only) {
    static const struct {
        const char *row;
        ploy_result begin, step;
        int32_t status;
        ploy_result want;
    } rows[] = {
        {"begin fails", PLOY_ERR_LIMIT, PLOY_OK, 0, PLOY_ERR_LIMIT},
        {"begin says it goes on", PLOY_IN_PROGRESS, PLOY_OK, 0, PLOY_ERR_CALLBACK},
        {"step fails", PLOY_OK, PLOY_ERR_LIMIT, 0, PLOY_ERR_LIMIT},
        {"step does not answer", PLOY_OK, PLOY_OK, -1, PLOY_ERR_CALLBACK},
        {"step answers nonsense", PLOY_OK, PLOY_OK, 99, PLOY_ERR_CALLBACK},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        theatre it;
        open_theatre(t, &it, 8);
        it.s.begin_result[0] = rows[i].begin;
        it.s.step_result[0] = rows[i].step;
        it.s.status[0] = (ploy_status)rows[i].status;
        ask(t, &it, 1, PLOY_ACTION_MOVE, 0);
        ploy_action_id fine = ask(t, &it, 2, PLOY_ACTION_ANIMATE, 0);
        step(t, &it);
        CHECK_INT(it.s.last.state, PLOY_ACTION_FAILED);
        CHECK_INT(it.s.last.result, rows[i].want);
        CHECK_INT(it.s.cancels[0], 0);
        CHECK_INT(ploy_actions_state(it.s.actions, fine), PLOY_ACTION_ACTING);
        ploy_actions_destroy(it.s.actions);
    }
}

TEST(controllers_may_ask_and_cancel_while_they_are_called) {
    theatre it;
    open_theatre(t, &it, 8);
    // One that cancels itself while it begins, and one while it steps.
    ploy_action_id a = ask(t, &it, 1, PLOY_ACTION_MOVE, 0);
    it.s.cancel_in_begin = a;
    step(t, &it);
    CHECK_INT(ploy_actions_state(it.s.actions, a), PLOY_ACTION_CANCELLED);
    ploy_action_id b = ask(t, &it, 1, PLOY_ACTION_MOVE, 0);
    step(t, &it);
    it.s.cancel_in_step = b;
    it.s.status[0] = PLOY_STATUS_SUCCESS; // too late
    step(t, &it);
    CHECK_INT(ploy_actions_state(it.s.actions, b), PLOY_ACTION_CANCELLED);
    CHECK_INT(it.s.done, 2);
    // One cancels the next, which has not had its turn in this step.
    it.s.status[0] = PLOY_STATUS_RUNNING;
    ploy_action_id c = ask(t, &it, 1, PLOY_ACTION_MOVE, 0);
    ploy_action_id d = ask(t, &it, 2, PLOY_ACTION_MOVE, 0);
    it.s.cancel_in_begin = d;
    step(t, &it);
    CHECK_INT(ploy_actions_state(it.s.actions, d), PLOY_ACTION_CANCELLED);
    CHECK_INT(ploy_actions_state(it.s.actions, c), PLOY_ACTION_ACTING);
    // What is asked for from `done` begins in the next step.
    it.s.ask_in_done = true;
    it.s.status[0] = PLOY_STATUS_SUCCESS;
    int32_t begins = it.s.begins[0];
    step(t, &it);
    CHECK_INT(it.s.begins[0], begins);
    CHECK_INT(ploy_actions_live_count(it.s.actions), 1);
    step(t, &it);
    CHECK_INT(it.s.begins[0], begins + 1);
    ploy_actions_destroy(it.s.actions);
}

TEST(bad_requests_are_refused) {
    theatre it;
    open_theatre(t, &it, 2);
    const ploy_action_request good = request_of(1, PLOY_ACTION_MOVE, 0);
    CHECK_OK(ploy_action_request_check(&good));
    CHECK_INT(ploy_action_request_check(NULL), PLOY_ERR_ARGUMENT);
    for (int32_t i = 0; i < 10; i++) {
        TEST_SEED(i);
        ploy_action_request bad = good;
        if (i == 0) bad.agent = ploy_agent_id_none();
        if (i == 1) bad.kind = ploy_name_of(NULL);
        if (i == 2) bad.effect = PLOY_ACTION_EFFECT_COUNT;
        if (i == 3) bad.effect = (ploy_action_effect)-1;
        if (i == 4) bad.flags = 8;
        if (i == 5) bad.flags = PLOY_ACTION_NOW | PLOY_ACTION_BESIDE;
        if (i == 6) bad.position.y = NAN;
        if (i == 7) bad.reach = -0.5f;
        if (i == 8) bad.parameters[3] = INFINITY;
        if (i == 9) bad.reach = NAN;
        CHECK_INT(ploy_actions_request(it.s.actions, &bad, NULL), PLOY_ERR_ARGUMENT);
    }
    ploy_action_id id = {{7, 7}};
    CHECK_OK(ploy_actions_request(it.s.actions, &good, &id));
    CHECK_OK(ploy_actions_request(it.s.actions, &good, NULL));
    ploy_action_id before = id;
    CHECK_INT(ploy_actions_request(it.s.actions, &good, &id), PLOY_ERR_CAPACITY);
    ploy_action_request now = good;
    now.flags = PLOY_ACTION_NOW;
    CHECK_INT(ploy_actions_request(it.s.actions, &now, &id), PLOY_ERR_CAPACITY);
    CHECK_INT(ploy_actions_live_count(it.s.actions), 2); // nothing was cancelled for it
    CHECK(ploy_id_equal(id.id, before.id));
    CHECK_INT(ploy_actions_step(it.s.actions, NAN), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_actions_step(it.s.actions, -1), PLOY_ERR_ARGUMENT);
    CHECK(ploy_actions_get(it.s.actions, id) != NULL);
    ploy_action_id wrong = {{1000, 1}};
    CHECK(ploy_actions_get(it.s.actions, wrong) == NULL);
    CHECK_INT(ploy_actions_cancel(it.s.actions, wrong), PLOY_ERR_NOT_FOUND);
    ploy_actions_destroy(it.s.actions);
    // A host without a controller for it.
    ploy_env env = ploy_env_default();
    ploy_actions_def def = ploy_actions_def_default();
    ploy_action_host host;
    memset(&host, 0, sizeof host);
    host.change.begin = on_begin;
    ploy_actions *actions = NULL;
    CHECK_OK(ploy_actions_create(&def, &host, &env, &actions));
    CHECK_INT(ploy_actions_request(actions, &good, NULL), PLOY_ERR_UNSUPPORTED);
    ploy_action_request change = request_of(1, PLOY_ACTION_CHANGE, PLOY_ACTION_MOVE_FIRST);
    CHECK_INT(ploy_actions_request(actions, &change, NULL), PLOY_ERR_UNSUPPORTED);
    ploy_actions_destroy(actions);
    CHECK_INT(ploy_actions_create(&def, NULL, &env, &actions), PLOY_ERR_ARGUMENT);
    def.capacity = 0;
    CHECK_INT(ploy_actions_create(&def, &host, &env, &actions), PLOY_ERR_ARGUMENT);
    CHECK(actions == NULL);
}

// What the queues should do, written down plainly: an array of everything ever asked.
typedef struct plain_action {
    ploy_action_id id;
    int32_t agent;
    uint32_t flags;
    ploy_action_state state;
    int32_t left; // steps until it succeeds
} plain_action;

typedef struct plain {
    plain_action all[4000];
    int32_t count;
} plain;

static plain *plain_now;

static plain_action *plain_find(ploy_action_id id) {
    for (int32_t i = plain_now->count - 1; i >= 0; i--) {
        if (ploy_id_equal(plain_now->all[i].id.id, id.id)) return &plain_now->all[i];
    }
    return NULL;
}

static ploy_result plain_step(void *user, ploy_action_id id, const ploy_action_request *request,
                              float dt, ploy_status *status) {
    (void)user, (void)request, (void)dt;
    plain_action *action = plain_find(id);
    *status = --action->left <= 0 ? PLOY_STATUS_SUCCESS : PLOY_STATUS_RUNNING;
    return PLOY_OK;
}

static bool plain_live(const plain_action *action) {
    return action->state == PLOY_ACTION_WAITING || action->state == PLOY_ACTION_ACTING;
}

TEST(queues_agree_with_a_plain_list) {
    static plain p;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        TEST_SEED(seed);
        memset(&p, 0, sizeof p);
        plain_now = &p;
        ploy_rng rng = ploy_rng_make(seed);
        ploy_env env = ploy_env_default();
        ploy_actions_def def = ploy_actions_def_default();
        def.capacity = 40;
        ploy_action_host host;
        memset(&host, 0, sizeof host);
        host.move.step = plain_step;
        ploy_actions *actions = NULL;
        CHECK_OK(ploy_actions_create(&def, &host, &env, &actions));
        for (int32_t turn = 0; turn < 200; turn++) {
            int32_t asks = ploy_rng_int(&rng, 0, 6);
            for (int32_t i = 0; i < asks; i++) {
                static const uint32_t choices[] = {0, 0, 0, PLOY_ACTION_NOW, PLOY_ACTION_BESIDE};
                int32_t agent = ploy_rng_int(&rng, 0, 7);
                uint32_t flags = choices[ploy_rng_below(&rng, 5)];
                ploy_action_request request = request_of(agent, PLOY_ACTION_MOVE, flags);
                plain_action action = {
                    {{0, 0}}, agent, flags, PLOY_ACTION_WAITING, ploy_rng_int(&rng, 1, 4)};
                if (ploy_actions_request(actions, &request, &action.id) != PLOY_OK) break;
                for (int32_t k = 0; k < p.count && flags == PLOY_ACTION_NOW; k++) {
                    plain_action *other = &p.all[k];
                    if (other->agent == agent && other->flags != PLOY_ACTION_BESIDE &&
                        plain_live(other)) {
                        other->state = PLOY_ACTION_CANCELLED;
                    }
                }
                p.all[p.count++] = action;
            }
            if (ploy_rng_chance(&rng, 0.2f) && p.count > 0) {
                plain_action *action = &p.all[ploy_rng_below(&rng, (uint64_t)p.count)];
                if (ploy_actions_cancel(actions, action->id) == PLOY_OK) {
                    CHECK(plain_live(action));
                    action->state = PLOY_ACTION_CANCELLED;
                } else {
                    CHECK(!plain_live(action));
                }
            }
            CHECK_OK(ploy_actions_step(actions, 0.1f));
            int32_t live = 0;
            for (int32_t i = 0; i < p.count; i++) {
                plain_action *action = &p.all[i];
                bool blocked = false;
                for (int32_t k = 0; k < i && action->flags != PLOY_ACTION_BESIDE; k++) {
                    blocked =
                        blocked || (p.all[k].agent == action->agent && plain_live(&p.all[k]) &&
                                    p.all[k].flags != PLOY_ACTION_BESIDE);
                }
                if (action->state == PLOY_ACTION_WAITING && !blocked) {
                    action->state = PLOY_ACTION_ACTING;
                }
                bool ended = action->state == PLOY_ACTION_ACTING && action->left <= 0;
                if (ended) action->state = PLOY_ACTION_SUCCEEDED;
                if (plain_live(action) || ended) {
                    CHECK_INT(ploy_actions_state(actions, action->id), action->state);
                } else {
                    CHECK_INT(ploy_actions_state(actions, action->id), PLOY_ACTION_UNKNOWN);
                }
                live += plain_live(action) ? 1 : 0;
            }
            CHECK_INT(ploy_actions_live_count(actions), live);
        }
        CHECK(p.count > 300);
        ploy_actions_destroy(actions);
    }
}

static uint64_t hash_of(const ploy_actions *actions) {
    ploy_hash_sink sink;
    ploy_hash_sink_init(&sink);
    ploy_describe out = ploy_hash_sink_describe(&sink);
    ploy_actions_describe(actions, &out);
    return ploy_hash_sink_result(&sink);
}

typedef struct points {
    int32_t count;
    ploy_vec3 last;
    ploy_id owner;
} points;

static void on_point(void *user, const ploy_draw_item *item) {
    points *all = user;
    all->count++;
    all->last = item->points[0];
    all->owner = item->owner;
}

TEST(describe_draw_and_memory_tell_what_is_there) {
    theatre it;
    open_theatre(t, &it, 8);
    uint64_t empty = hash_of(it.s.actions);
    ploy_action_request walk = request_of(4, PLOY_ACTION_MOVE, 0);
    walk.position = ploy_vec3_make(3, 4, 0);
    CHECK_OK(ploy_actions_request(it.s.actions, &walk, NULL));
    uint64_t waiting = hash_of(it.s.actions);
    points all = {0, {0, 0, 0}, {0, 0}};
    ploy_draw draw = {on_point, &all, 0xffffffffu};
    ploy_actions_draw(it.s.actions, &draw);
    CHECK_INT(all.count, 0); // it only waits
    step(t, &it);
    CHECK(hash_of(it.s.actions) != waiting && waiting != empty);
    ploy_actions_draw(it.s.actions, &draw);
    CHECK_INT(all.count, 1);
    CHECK(all.last.x == 3 && all.last.y == 4);
    CHECK_UINT(all.owner.index, 4);
    ploy_action_request next = request_of(4, PLOY_ACTION_MOVE, 1);
    CHECK_OK(ploy_actions_request(it.s.actions, &next, NULL)); // waits behind the first
    // A place is taken once, and ids contain its generation.
    static const char *const refused[] = {"index", NULL}, *const skip[] = {"generation", NULL};
    state_check s = {ploy_actions_visit, it.s.actions, NULL, skip, refused};
    state_check_all(t, &s);
    ploy_actions_destroy(it.s.actions);
    test_counts counts;
    ploy_env env = test_counting_env(&counts);
    ploy_actions_def def = ploy_actions_def_default();
    ploy_action_host host;
    memset(&host, 0, sizeof host);
    ploy_actions *actions = NULL;
    CHECK_OK(ploy_actions_create(&def, &host, &env, &actions));
    int64_t bytes = 0;
    ploy_actions_memory(actions, test_sum_memory, &bytes);
    CHECK_INT(bytes, counts.bytes);
    ploy_actions_destroy(actions);
}

TEST(texts_are_those_of_the_enumerators) {
    CHECK_TEXT(ploy_action_effect_text(PLOY_ACTION_MOVE), "move");
    CHECK_TEXT(ploy_action_effect_text(PLOY_ACTION_ANIMATE), "animate");
    CHECK_TEXT(ploy_action_effect_text(PLOY_ACTION_CHANGE), "change");
    CHECK_TEXT(ploy_action_effect_text(PLOY_ACTION_THINK), "think");
    CHECK_TEXT(ploy_action_effect_text(PLOY_ACTION_PRESENT), "present");
    CHECK_TEXT(ploy_action_effect_text(PLOY_ACTION_EFFECT_COUNT), "?");
    CHECK_TEXT(ploy_action_state_text(PLOY_ACTION_UNKNOWN), "unknown");
    CHECK_TEXT(ploy_action_state_text(PLOY_ACTION_WAITING), "waiting");
    CHECK_TEXT(ploy_action_state_text(PLOY_ACTION_MOVING), "moving");
    CHECK_TEXT(ploy_action_state_text(PLOY_ACTION_ACTING), "acting");
    CHECK_TEXT(ploy_action_state_text(PLOY_ACTION_SUCCEEDED), "succeeded");
    CHECK_TEXT(ploy_action_state_text(PLOY_ACTION_FAILED), "failed");
    CHECK_TEXT(ploy_action_state_text(PLOY_ACTION_CANCELLED), "cancelled");
    CHECK_TEXT(ploy_action_state_text((ploy_action_state)99), "?");
}

static ploy_result make_actions(const ploy_env *env, void *arg) {
    (void)arg;
    ploy_actions_def def = ploy_actions_def_default();
    ploy_action_host host;
    memset(&host, 0, sizeof host);
    ploy_actions *actions = NULL;
    ploy_result result = ploy_actions_create(&def, &host, env, &actions);
    ploy_actions_destroy(actions);
    return result;
}

TEST(every_failing_allocation_is_survived) {
    CHECK_FAIL_NTH(make_actions, NULL);
}

TEST(the_field_tables_are_sound) {
    CHECK_OK(ploy_fields_check_table(ploy_actions_fields(), NULL));
}
