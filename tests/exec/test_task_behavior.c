#include "ploy/exec/task_behavior.h"

#include "ploy/exec/resume.h"
#include "tests/exec/engine_probe.h"
#include "tests/test.h"

// Long work: so many units, an error at one of them, if wanted.
typedef struct work {
    ploy_resume resume;
    int32_t i, n, fails_at;
    int32_t begun, cancelled, done;
    ploy_result begin_result;
} work;

static ploy_result work_step(void *self, ploy_budget *budget) {
    work *w = self;
    PLOY_RESUME_BEGIN(&w->resume);
    for (w->i = 0; w->i < w->n; w->i++) {
        PLOY_RESUME_SPEND(&w->resume, budget, 1);
        if (w->i == w->fails_at) return PLOY_ERR_LIMIT;
    }
    w->done++;
    PLOY_RESUME_END(&w->resume);
}

static void work_cancel(void *self) {
    ((work *)self)->cancelled++;
}

static const ploy_task_type work_type = {"work", work_step, work_cancel, NULL};

static ploy_result work_begin(void *user, const ploy_step_context *context, ploy_task *out) {
    work *w = user;
    (void)context;
    w->begun++;
    w->resume.point = 0;
    out->type = &work_type;
    out->self = w;
    return w->begin_result;
}

static void work_save(void *user, ploy_task task, ploy_json_writer *out) {
    (void)user;
    ploy_json_write_i64(out, ((const work *)task.self)->i);
}

static ploy_result create_work(work *w, const ploy_env *env, ploy_task_behavior **out) {
    ploy_task_behavior_def def = {.name = "work", .begin = work_begin, .user = w};
    return ploy_task_behavior_create(&def, env, out);
}

static ploy_engine_id put_to_work(test_context *t, ploy_engine *engine, work *w, bool once) {
    ploy_env env = ploy_env_default();
    ploy_task_behavior *behavior = NULL;
    CHECK_OK(create_work(w, &env, &behavior));
    CHECK(ploy_task_behavior_task(behavior).type == NULL);
    ploy_engine_entry entry = ploy_engine_entry_default();
    entry.behavior = ploy_task_behavior_get(behavior);
    entry.agent = agent(1);
    entry.once = once;
    ploy_engine_id id = {{0, 0}};
    CHECK_OK(ploy_engine_register(engine, &entry, &id));
    return id;
}

TEST(a_task_has_a_slice_in_each_turn_until_it_is_done) { // EXE-07, EXE-01
    for (int32_t once = 0; once < 2; once++) {
        ploy_engine *engine = engine_of(t, once == 1);
        work w = {.n = 25, .fails_at = -1};
        ploy_engine_id id = put_to_work(t, engine, &w, once == 1);
        for (int32_t i = 0; i < 3; i++) {
            ploy_budget budget = ploy_budget_units(10);
            CHECK_OK(ploy_engine_step(engine, 0.1f, &budget, NULL));
            CHECK_INT(budget.spent, i < 2 ? 10 : 5);
        }
        CHECK_INT(w.done, 1);
        step(t, engine, 1);
        CHECK_INT(w.begun, once == 1 ? 1 : 2);
        CHECK_INT(w.done, once == 1 ? 1 : 2);
        ploy_engine_info info;
        CHECK_OK(ploy_engine_get(engine, id, &info));
        CHECK_INT(info.status, PLOY_STATUS_SUCCESS);
        ploy_engine_destroy(engine);
        CHECK_INT(w.cancelled, 0); // what is done is not cancelled
    }
}

TEST(a_task_is_cancelled_when_its_behavior_ends_early) { // EXE-07
    static const struct {
        const char *row;
        int32_t fails_at;
        ploy_result begin_result;
        int32_t how; // 0: it just goes on, 1: unregistered, 2: the engine goes
        int32_t cancelled;
    } rows[] = {
        {"unregistered", -1, PLOY_OK, 1, 1},
        {"with its engine", -1, PLOY_OK, 2, 1},
        {"it fails", 3, PLOY_OK, 0, 1},
        {"it never began", -1, PLOY_ERR_LIMIT, 0, 0},
    };
    for (size_t r = 0; r < COUNT_OF(rows); r++) {
        t->row = rows[r].row;
        ploy_engine *engine = engine_of(t, false);
        work w = {.n = 100, .fails_at = rows[r].fails_at, .begin_result = rows[r].begin_result};
        ploy_engine_id id = put_to_work(t, engine, &w, false);
        ploy_budget budget = ploy_budget_units(10);
        CHECK_OK(ploy_engine_step(engine, 0.1f, &budget, NULL));
        if (rows[r].how == 1) CHECK_OK(ploy_engine_unregister(engine, id));
        if (rows[r].how == 0) CHECK_INT(turn_of(t, engine, id), PLOY_ENGINE_TURN_FAILED);
        ploy_engine_destroy(engine);
        CHECK_INT(w.cancelled, rows[r].cancelled);
    }
}

static ploy_result make_task(const ploy_env *env, void *arg) {
    ploy_task_behavior *behavior = NULL;
    ploy_result result = create_work(arg, env, &behavior);
    ploy_task_behavior_destroy(behavior);
    return result;
}

TEST(a_task_behavior_needs_a_beginning_and_memory) {
    ploy_env env = ploy_env_default();
    ploy_task_behavior *behavior = NULL;
    ploy_task_behavior_def def = {.name = "x"};
    CHECK_INT(ploy_task_behavior_create(&def, &env, &behavior), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_task_behavior_create(NULL, &env, &behavior), PLOY_ERR_ARGUMENT);
    def.begin = work_begin;
    CHECK_INT(ploy_task_behavior_create(&def, &env, NULL), PLOY_ERR_ARGUMENT);
    def.save = work_save; // without a load
    CHECK_INT(ploy_task_behavior_create(&def, &env, &behavior), PLOY_ERR_ARGUMENT);
    work w = {.n = 1};
    CHECK_FAIL_NTH(make_task, &w);
    ploy_task_behavior_destroy(NULL);
}
