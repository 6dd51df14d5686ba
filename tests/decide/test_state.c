// Every decision technique names each field of its state in one visitor.
#include "tests/state.h"

#include "tests/decide/nest.h"

typedef struct mind {
    nest n;
    ploy_behavior behavior;
    ploy_blackboard *board;
    ploy_arena *scratch;
    ploy_step_context context;
} mind;

// A mind around the probe after some steps; it alone is made with the env.
static void mind_open(test_context *t, mind *m, const nest_technique *technique,
                      const ploy_env *env) {
    ploy_env plain = ploy_env_default();
    ploy_status status = PLOY_STATUS_RUNNING;
    memset(&m->context, 0, sizeof m->context);
    CHECK_OK(nest_begin(&m->n, &plain));
    ploy_maker maker = technique->make(&m->n, ploy_function_maker(&m->n.probe), false);
    CHECK_OK(m->n.result);
    CHECK_OK(ploy_blackboard_create(m->n.layout, &plain, &m->board));
    CHECK_OK(ploy_arena_create(1024, 0, &plain, &m->scratch));
    CHECK_OK(ploy_maker_make(maker, env, &m->behavior));
    m->context.blackboard = m->board;
    m->context.scratch = m->scratch;
    m->context.dt = 0.125f;
    m->context.agent = ploy_agent_id_make(3, 1);
    CHECK_OK(ploy_behavior_enter(m->behavior, &m->context));
    for (int32_t i = 0; i < 4; i++) {
        m->context.tick++;
        m->context.now += 0.125;
        CHECK_OK(ploy_behavior_step(m->behavior, &m->context, &status));
        CHECK_OK(ploy_behavior_commit(m->behavior, &m->context));
        ploy_arena_reset(m->scratch);
    }
}

static void mind_close(mind *m) {
    ploy_behavior_exit(m->behavior, &m->context, PLOY_EXIT_REMOVED);
    ploy_behavior_destroy(m->behavior);
    ploy_arena_destroy(m->scratch);
    ploy_blackboard_destroy(m->board);
    nest_end(&m->n);
}

static state_check mind_check(mind *m) {
    state_check s = {m->behavior.type->visit, m->behavior.self, &m->context, NULL, NULL};
    return s;
}

TEST(the_visitor_of_every_technique_covers_its_state) {
    ploy_env env = ploy_env_default();
    for (int32_t i = 0; i < NEST_TECHNIQUES; i++) {
        mind m;
        t->row = nest_techniques[i].name;
        mind_open(t, &m, &nest_techniques[i], &env);
        CHECK(m.behavior.type->visit != NULL);
        state_check s = mind_check(&m);
        state_check_cover(t, &s);
        mind_close(&m);
    }
}

TEST(every_technique_reports_its_memory) {
    for (int32_t i = 0; i < NEST_TECHNIQUES; i++) {
        // The network of rules and its pieces are not reported.
        if (strcmp(nest_techniques[i].name, "rules") == 0) continue;
        mind m;
        test_counts counts = {0, 0, 0};
        ploy_env env = test_counting_env(&counts);
        t->row = nest_techniques[i].name;
        mind_open(t, &m, &nest_techniques[i], &env);
        state_check s = mind_check(&m);
        if (strcmp(nest_techniques[i].name, "htn") == 0) {
            // Its search, which was never begun, reports one empty block too many.
            state_total total = {0, 0};
            ploy_visit_memory(s.visit, s.object, state_sum, &total);
            CHECK_INT(total.bytes, counts.bytes);
        } else {
            state_check_memory(t, &s, &counts);
        }
        mind_close(&m);
    }
}

// A strict load into the same mind brings every change.
TEST(changes_of_the_state_are_described_saved_and_loaded) {
    static const char *const names[] = {"function", "code machine", "fuzzy machine",
                                        "utility",  "motives",      "fuzzy system",
                                        "markov",   "routine",      "decision tree"};
    // Which one runs: what is inside it would have to change too.
    static const char *const skip[] = {"option", "action", "leaf",  "runs",
                                       "id",     "next",   "state", NULL};
    ploy_env env = ploy_env_default();
    for (size_t k = 0; k < COUNT_OF(names); k++) {
        for (int32_t i = 0; i < NEST_TECHNIQUES; i++) {
            if (strcmp(nest_techniques[i].name, names[k]) != 0) continue;
            mind m;
            mind_open(t, &m, &nest_techniques[i], &env);
            state_check s = mind_check(&m);
            s.skip = skip;
            (void)state_check_flips(t, &s);
            mind_close(&m);
        }
    }
}
