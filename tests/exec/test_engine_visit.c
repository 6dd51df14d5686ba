// An engine saved between two ticks goes on in another process as if nothing had happened.
#include "tests/exec/engine_probe.h"

#include "tests/state.h"

// A mind whose only state is a number; every third step it sends a message and asks for an action.
typedef struct mind {
    int64_t thoughts;
    int32_t enters, loads, exits;
    ploy_slot slot;
} mind;

static void mind_visit(ploy_visit *v, void *object) {
    mind *m = object;
    if (ploy_visit_loads(v)) m->loads++;
    if (!ploy_visit_optional(v, "thoughts", true)) ploy_visit_result(v, PLOY_ERR_FORMAT);
    ploy_visit_i64_in(v, "thoughts", PLOY_STATE, &m->thoughts, 0, 1000);
}

static ploy_result mind_enter(void *self, ploy_step_context *context) {
    (void)context;
    ((mind *)self)->enters++;
    return PLOY_OK;
}

static ploy_result mind_step(void *self, ploy_step_context *context, ploy_status *status) {
    mind *m = self;
    m->thoughts += 1 + (int64_t)(ploy_rng_u64_at(context->key, 1, context->tick, 0) % 3);
    ploy_budget_spend(context->budget, m->thoughts % 5 + 1);
    if (context->blackboard != NULL) {
        (void)ploy_blackboard_set_i64(context->blackboard, m->slot, m->thoughts);
    }
    if (m->thoughts % 3 == 0) {
        ploy_message message =
            ploy_message_make(context->agent, ploy_agent_id_make(2, 1), ploy_name_of("news"));
        (void)ploy_outbox_message(context->outbox, &message);
    }
    *status = PLOY_STATUS_RUNNING;
    return PLOY_OK;
}

static ploy_result mind_message(void *self, ploy_step_context *context, const ploy_message *message,
                                bool *handled) {
    (void)context, (void)message;
    ((mind *)self)->thoughts++;
    *handled = true;
    return PLOY_OK;
}

static void mind_exit(void *self, ploy_step_context *context, ploy_exit_reason reason) {
    (void)context, (void)reason;
    ((mind *)self)->exits++;
}

static const ploy_behavior_type mind_type = {.name = "mind",
                                             .enter = mind_enter,
                                             .step = mind_step,
                                             .message = mind_message,
                                             .exit = mind_exit,
                                             .visit = mind_visit};

enum { MINDS = 5 };

typedef struct game {
    ploy_engine *engine;
    ploy_blackboard_layout *layout;
    ploy_blackboard *boards[MINDS];
    mind minds[MINDS];
    ploy_engine_id ids[MINDS];
} game;

static void game_open(test_context *t, game *g, bool parallel, const ploy_env *env) {
    const ploy_blackboard_key keys[] = {{"thoughts", PLOY_VALUE_I64, ploy_value_none(), NULL},
                                        {"mood", PLOY_VALUE_F32, ploy_value_none(), NULL}};
    memset(g, 0, sizeof *g);
    ploy_env plain = ploy_env_default();
    ploy_engine_def def = ploy_engine_def_default();
    def.parallel = parallel;
    def.capacity = 2;
    def.seed = 9;
    CHECK_OK(ploy_engine_create(&def, env, &g->engine));
    CHECK_OK(ploy_blackboard_layout_create(keys, 2, "test", &plain, NULL, &g->layout));
    for (int32_t i = 0; i < MINDS; i++) {
        CHECK_OK(ploy_blackboard_create(g->layout, &plain, &g->boards[i]));
        ploy_engine_entry entry = ploy_engine_entry_default();
        g->minds[i].slot = ploy_blackboard_layout_find(g->layout, "thoughts");
        entry.behavior.type = &mind_type;
        entry.behavior.self = &g->minds[i];
        entry.agent = agent(i + 1);
        entry.blackboard = i != 3 ? g->boards[i] : NULL;
        entry.schedule.period = i + 1;
        entry.schedule.priority = 1 + i % 2;
        CHECK_OK(ploy_engine_register(g->engine, &entry, &g->ids[i]));
    }
}

static void game_close(game *g) {
    ploy_engine_destroy(g->engine);
    for (int32_t i = 0; i < MINDS; i++) ploy_blackboard_destroy(g->boards[i]);
    ploy_blackboard_layout_destroy(g->layout);
}

static void game_run(test_context *t, game *g, int32_t ticks) {
    for (int32_t i = 0; i < ticks; i++) {
        ploy_budget budget = ploy_budget_units(7); // too few: some are put off
        CHECK_OK(ploy_engine_step(g->engine, 0.125f, i % 4 != 3 ? &budget : NULL, NULL));
    }
}

static ploy_result game_load(game *g, const char *text, int64_t *faults) {
    ploy_env env = ploy_env_default();
    ploy_json *doc = NULL;
    ploy_diags *diags = NULL;
    ploy_result result = ploy_diags_create(8, &env, &diags);
    if (result == PLOY_OK)
        result = ploy_json_load(text, strlen(text), "save", NULL, &env, NULL, &doc);
    if (result == PLOY_OK) {
        result = ploy_engine_load(g->engine, NULL, doc, ploy_json_root(doc), diags);
    }
    if (faults != NULL) *faults = ploy_diags_total(diags, PLOY_SEVERITY_ERROR);
    ploy_json_destroy(doc);
    ploy_diags_destroy(diags);
    return result;
}

TEST(a_loaded_engine_goes_on_alike) {
    for (int32_t parallel = 0; parallel < 2; parallel++) {
        t->row = parallel != 0 ? "parallel" : "serial";
        ploy_env env = ploy_env_default();
        game a, b;
        game_open(t, &a, parallel != 0, &env);
        game_open(t, &b, parallel != 0, &env);
        game_run(t, &a, 23);
        CHECK_OK(ploy_engine_set_paused(a.engine, a.ids[4], true));
        game_run(t, &a, 2);
        state_check s = {ploy_engine_visit, a.engine, NULL, NULL, NULL};
        char *text = state_save(t, &s);
        CHECK_OK(game_load(&b, text, NULL));
        CHECK_INT(b.minds[0].loads, 1);
        CHECK_INT(b.minds[0].enters, 0);
        state_check other = {ploy_engine_visit, b.engine, NULL, NULL, NULL};
        CHECK_UINT(state_hash(&other), state_hash(&s));
        for (int32_t i = 0; i < 40; i++) {
            game_run(t, &a, 1);
            game_run(t, &b, 1);
            CHECK_UINT(state_hash(&other), state_hash(&s));
        }
        free(text);
        game_close(&a);
        game_close(&b);
        CHECK_INT(b.minds[0].exits, 1);
    }
}

TEST(an_engine_visits_every_field) {
    static const char *const skip[] = {
        "generation", "next",    "first_free", "policy",  "waiting", "tick",         "spent",
        "clock",      "stepped", "enabled",    "counter", "put_off", "stepped_tick", NULL};
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    game a;
    game_open(t, &a, true, &env);
    game_run(t, &a, 9);
    state_check s = {ploy_engine_visit, a.engine, NULL, skip, NULL};
    state_check_memory(t, &s, &counts);
    state_check_cover(t, &s);
    CHECK(state_check_flips(t, &s) > 40);
    game_close(&a);
}

TEST(a_foreign_file_changes_no_engine) {
    ploy_env env = ploy_env_default();
    game a, b;
    game_open(t, &a, true, &env);
    game_open(t, &b, true, &env);
    game_run(t, &a, 9);
    state_check s = {ploy_engine_visit, a.engine, NULL, NULL, NULL};
    state_check other = {ploy_engine_visit, b.engine, NULL, NULL, NULL};
    uint64_t before = state_hash(&other);
    char *text = state_save(t, &s);
    int64_t faults = 0;
    static const char *const breaks[][2] = {{"\"3:1\"", "\"3:2\""},
                                            {"\"mind\"", "\"mine\""},
                                            {"\"active\"", "\"free\""},
                                            {"\"tick\"", "\"tock\""},
                                            {"\"tick\":9", "\"tick\":3"}, // before the scheduler's
                                            {"\"tick\":9", "\"tick\":99999999999999999"},
                                            {"\"period\":2", "\"period\":0"}};
    for (size_t i = 0; i < COUNT_OF(breaks); i++) {
        t->row = breaks[i][0];
        char *at = strstr(text, breaks[i][0]);
        CHECK(at != NULL);
        char *broken = malloc(strlen(text) + 32);
        sprintf(broken, "%.*s%s%s", (int)(at - text), text, breaks[i][1],
                at + strlen(breaks[i][0]));
        CHECK_INT(game_load(&b, broken, &faults), PLOY_ERR_FORMAT);
        CHECK(faults > 0);
        CHECK_UINT(state_hash(&other), before);
        CHECK_INT(b.minds[0].loads, 0);
        free(broken);
    }
    t->row = NULL;
    CHECK_INT(game_load(&a, text, &faults), PLOY_ERR_STATE); // its behaviors are entered
    CHECK_OK(game_load(&b, text, NULL));
    free(text);
    game_close(&a);
    game_close(&b);
}

TEST(a_mind_that_does_not_load_is_stopped) {
    ploy_env env = ploy_env_default();
    game a, b;
    game_open(t, &a, false, &env);
    game_open(t, &b, false, &env);
    game_run(t, &a, 9);
    state_check s = {ploy_engine_visit, a.engine, NULL, NULL, NULL};
    char *text = state_save(t, &s);
    char *at = strstr(text, "\"state\":{\"thoughts\":");
    CHECK(at != NULL);
    at[17] = '?'; // "thought?"
    CHECK_OK(game_load(&b, text, NULL));
    CHECK_INT(turn_of(t, b.engine, b.ids[0]), PLOY_ENGINE_TURN_FAILED);
    CHECK_INT(b.minds[0].exits, 1);
    CHECK_INT(b.minds[1].exits, 0);
    free(text);
    game_close(&a);
    game_close(&b);
}

static ploy_result load_engine(const ploy_env *env, void *arg) {
    game g;
    memset(&g, 0, sizeof g);
    ploy_engine_def def = ploy_engine_def_default();
    def.parallel = true;
    def.capacity = 8;
    ploy_result result = ploy_engine_create(&def, env, &g.engine);
    for (int32_t i = 0; i < 2 && result == PLOY_OK; i++) {
        ploy_engine_entry entry = ploy_engine_entry_default();
        entry.behavior.type = &mind_type;
        entry.behavior.self = &g.minds[i];
        entry.agent = agent(i + 1);
        result = ploy_engine_register(g.engine, &entry, NULL);
    }
    if (result == PLOY_OK && arg != NULL) {
        state_check s = {ploy_engine_visit, g.engine, NULL, NULL, NULL};
        uint64_t before = state_hash(&s);
        result = game_load(&g, arg, NULL);
        if (result != PLOY_OK && state_hash(&s) != before) result = PLOY_ERR_STATE;
        for (int32_t i = 0; i < 3 && result == PLOY_OK; i++) {
            result = ploy_engine_step(g.engine, 0.125f, NULL, NULL);
        }
    }
    ploy_engine_destroy(g.engine);
    return result;
}

TEST(an_engine_loads_without_memory) {
    game g;
    memset(&g, 0, sizeof g);
    ploy_env env = ploy_env_default();
    ploy_engine_def def = ploy_engine_def_default();
    def.parallel = true;
    def.capacity = 8;
    CHECK_OK(ploy_engine_create(&def, &env, &g.engine));
    for (int32_t i = 0; i < 2; i++) {
        ploy_engine_entry entry = ploy_engine_entry_default();
        entry.behavior.type = &mind_type;
        entry.behavior.self = &g.minds[i];
        entry.agent = agent(i + 1);
        entry.schedule.period = 3 + i; // lists that the other engine does not have
        CHECK_OK(ploy_engine_register(g.engine, &entry, NULL));
    }
    game_run(t, &g, 5);
    state_check s = {ploy_engine_visit, g.engine, NULL, NULL, NULL};
    char *text = state_save(t, &s);
    CHECK_FAIL_NTH(load_engine, text);
    free(text);
    ploy_engine_destroy(g.engine);
}
