#include "exec/exec_internal.h"
#include "ploy/exec/engine.h"

#include "tests/draw_count.h"
#include "tests/exec/engine_probe.h"
#include "tests/test.h"

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
        CHECK_DRAWS(0, ploy_engine_draw(engine, &drawing)); // probes have no picture
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
    for (ploy_engine_id at = ployi_engine_next(engine, 0); !ploy_id_is_none(at.id);
         at = ployi_engine_next(engine, at.id.index + 1)) {
        seen++;
    }
    CHECK_INT(seen, 5);
    ploy_engine_destroy(engine);
}

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
    m->results[4] = set_schedule(m->engine, m->self, 1, 0, 2);
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
    entry.schedule.period = 0;
    CHECK_INT(ploy_engine_register(engine, &entry, &id), PLOY_ERR_ARGUMENT);
    entry.schedule.period = 1;
    entry.cookie = 0;
    CHECK_INT(ploy_engine_register(engine, &entry, &id), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_engine_count(engine), 0);
    id = add(t, engine, &p, 1);
    CHECK_INT(set_schedule(engine, id, 0, 0, 1), PLOY_ERR_ARGUMENT);
    CHECK_INT(set_schedule(engine, id, 1, 0, 0), PLOY_ERR_ARGUMENT);
    ploy_engine_id wrong = {{77, 1}};
    CHECK_INT(set_schedule(engine, wrong, 1, 0, 1), PLOY_ERR_NOT_FOUND);
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

// ---- the contract of enter and exit, whatever happens

typedef struct wild {
    ploy_engine *engine;
    ploy_rng rng;
    probe pool[400];
    int32_t used;
} wild;

static ploy_engine_id wild_pick(wild *w) {
    uint32_t from = (uint32_t)ploy_rng_below(&w->rng, 40);
    return ployi_engine_next(w->engine, from);
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

static ploy_schedule wild_schedule(wild *w) {
    ploy_schedule schedule = ploy_schedule_default();
    schedule.period = ploy_rng_chance(&w->rng, 0.8f) ? ploy_rng_int(&w->rng, 1, 3) : 300;
    schedule.phase = ploy_rng_int(&w->rng, -9, 9);
    schedule.auto_phase = ploy_rng_chance(&w->rng, 0.3f);
    schedule.indivisible = ploy_rng_chance(&w->rng, 0.2f);
    schedule.min_slice = ploy_rng_int(&w->rng, 0, 4);
    if (ploy_rng_chance(&w->rng, 0.3f)) schedule.max_interval = schedule.period + 1;
    return schedule;
}

static void wild_act(wild *w) {
    if (w->used + 2 > (int32_t)COUNT_OF(w->pool)) return;
    ploy_engine_entry entry = ploy_engine_entry_default();
    switch (ploy_rng_int(&w->rng, 0, 7)) {
    case 0:
    case 1:
        entry.schedule = wild_schedule(w);
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
    case 5: {
        ploy_schedule schedule = wild_schedule(w);
        ploy_engine_set_schedule(w->engine, wild_pick(w), &schedule);
        break;
    }
    case 6: ploy_engine_set_paused(w->engine, wild_pick(w), ploy_rng_chance(&w->rng, 0.5f)); break;
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
            wild_act(&w);
            ploy_budget budget = ploy_budget_units(ploy_rng_int(&w.rng, 1, 20));
            CHECK_OK(ploy_engine_set_policy(w.engine, (ploy_policy)(i / 16), NULL, NULL));
            CHECK_OK(ploy_engine_step(w.engine, 0.1f, &budget, NULL));
            ploy_workload load;
            CHECK_OK(ploy_engine_workload(w.engine, 0, &load));
            CHECK(load.ran <= load.due);
            CHECK_INT(ploy_scheduler_count(ploy_engine_scheduler(w.engine)),
                      ploy_engine_count(w.engine));
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
    CHECK_OK(set_schedule(engine, add(t, engine, &b, 2), 3, 1, 1));
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
    CHECK_TEXT(ployi_engine_turn_text(PLOY_ENGINE_TURN_NEW), "new");
    CHECK_TEXT(ployi_engine_turn_text(PLOY_ENGINE_TURN_PAUSED), "paused");
    CHECK_TEXT(ployi_engine_turn_text(PLOY_ENGINE_TURN_DONE), "done");
    CHECK_TEXT(ployi_engine_turn_text(PLOY_ENGINE_TURN_FAILED), "failed");
    CHECK_TEXT(ployi_engine_turn_text((ploy_engine_turn)99), "?");
    ploy_engine_destroy(engine);
}

TEST(the_memory_report_adds_up) {
    test_counts counts;
    ploy_env env = test_counting_env(&counts);
    ploy_engine_def def = ploy_engine_def_default();
    ploy_engine *engine = NULL;
    CHECK_OK(ploy_engine_create(&def, &env, &engine));
    CHECK_OK(ploy_engine_step(engine, 0.1f, NULL, NULL));
    int64_t bytes = 0;
    ploy_engine_memory(engine, test_sum_memory, &bytes);
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

TEST(the_field_tables_are_sound) {
    CHECK_OK(ploy_fields_check_table(ploy_engine_fields(), NULL));
    CHECK_OK(ploy_fields_check_table(ploy_engine_entry_fields(), NULL));
}
