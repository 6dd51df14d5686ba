// Actors in files: of every kind, in both forms, and files that are refused.
#include <stdlib.h>

#include "ploy/data/actor_file.h"
#include "tests/test.h"

// Small settings, so that a file is short. @return NULL: the defaults.
typedef union small_def {
    ploy_q_def q;
    ploy_dqn_def dqn;
} small_def;

static const void *small(const ploy_actor_type *type, small_def *def) {
    if (strcmp(type->name, "dqn") == 0) {
        def->dqn = ploy_dqn_def_default();
        def->dqn.hidden = 3;
        def->dqn.hidden2 = 0;
        def->dqn.buffer = 6;
        def->dqn.batch = 2;
        def->dqn.warm_up = 4;
        return def;
    }
    if (type->fields().items != ploy_q_fields().items) return NULL;
    def->q = ploy_q_def_default();
    if (strcmp(type->name, "q") == 0) def->q.store = PLOY_Q_HASH;
    return def;
}

static void play(test_context *t, ploy_actor actor, const ploy_problem_type *problem,
                 int64_t steps) {
    ploy_env env = ploy_env_default();
    ploy_problem *run = NULL;
    ploy_play_task *task = NULL;
    CHECK_OK(ploy_problem_create(problem, &env, &run));
    CHECK_OK(ploy_play_begin(run, actor, steps, 0.1f, 3, &env, &task));
    CHECK_OK(ploy_play_step(task, NULL));
    ploy_play_cancel(task);
    ploy_problem_destroy(run);
}

static ploy_actor played(test_context *t, const ploy_actor_type *type,
                         const ploy_problem_type *problem, int64_t steps) {
    ploy_env env = ploy_env_default();
    small_def def;
    ploy_actor actor;
    CHECK_OK(ploy_actor_create(type, small(type, &def), &problem->space, 12345, &env, &actor));
    play(t, actor, problem, steps);
    return actor;
}

typedef struct file_case {
    const char *bytes;
    size_t size;
    const ploy_problem_type *problem;
} file_case;

static ploy_result load_once(const ploy_env *env, void *arg) {
    const file_case *c = arg;
    ploy_actor actor;
    ploy_result result = ploy_actor_load(c->bytes, c->size, "saved", c->problem, env, NULL, &actor);
    ploy_actor_destroy(actor);
    return result;
}

TEST(actors_are_saved_and_loaded) {
    ploy_env env = ploy_env_default();
    const ploy_problem_type *grid = ploy_problems_find("grid4");
    for (int32_t i = 0; ploy_actors_at(i) != NULL; i++) {
        t->row = ploy_actors_at(i)->name;
        ploy_actor actor = played(t, ploy_actors_at(i), grid, 40), loaded, compact;
        const ploy_problem_type *problem = strcmp(t->row, "td") == 0 ? NULL : grid; // no model
        (void)ploy_actor_keep_best(actor, 2.0);
        ploy_buffer text, again, bytes;
        ploy_buffer_init(&text, 0, &env);
        ploy_buffer_init(&again, 0, &env);
        ploy_buffer_init(&bytes, 0, &env);
        ploy_writer writer = ploy_buffer_writer(&text);
        CHECK_OK(ploy_actor_save(actor, &writer));
        writer = ploy_buffer_writer(&bytes);
        CHECK_OK(ploy_actor_save_compact(actor, &env, &writer));
        CHECK(bytes.size < text.size * 3 / 5);
        CHECK_OK(ploy_actor_load(text.bytes, text.size, "saved", problem, &env, NULL, &loaded));
        CHECK_OK(ploy_actor_load(bytes.bytes, bytes.size, "saved", problem, &env, NULL, &compact));
        CHECK_UINT(ploy_actor_hash(loaded), ploy_actor_hash(actor));
        CHECK_UINT(ploy_actor_hash(compact), ploy_actor_hash(actor));
        writer = ploy_buffer_writer(&again);
        CHECK_OK(ploy_actor_save(loaded, &writer));
        CHECK_TEXT(ploy_buffer_text(&again), ploy_buffer_text(&text));
        // All go on to the same bytes, also after a reset, which needs the seed.
        for (int32_t round = 0; round < 2; round++) {
            play(t, actor, grid, 30);
            play(t, loaded, grid, 30);
            CHECK_UINT(ploy_actor_hash(loaded), ploy_actor_hash(actor));
            ploy_actor_reset(actor);
            ploy_actor_reset(loaded);
            CHECK_UINT(ploy_actor_hash(loaded), ploy_actor_hash(actor));
        }
        file_case c = {text.bytes, text.size, grid};
        CHECK_FAIL_NTH(load_once, &c);
        ploy_buffer_fini(&text);
        ploy_buffer_fini(&again);
        ploy_buffer_fini(&bytes);
        ploy_actor_destroy(actor);
        ploy_actor_destroy(loaded);
        ploy_actor_destroy(compact);
    }
}

TEST(a_loaded_td_actor_gets_the_model_of_its_problem) {
    ploy_env env = ploy_env_default();
    const ploy_problem_type *grid = ploy_problems_find("grid4");
    ploy_td_def def = ploy_td_def_default();
    def.model = grid->model;
    ploy_actor actor, loaded, blind;
    ploy_buffer text;
    ploy_buffer_init(&text, 0, &env);
    ploy_writer writer = ploy_buffer_writer(&text);
    CHECK_OK(ploy_actor_create(ploy_actors_find("td"), &def, &grid->space, 1, &env, &actor));
    play(t, actor, grid, 20000);
    CHECK_OK(ploy_actor_save(actor, &writer));
    CHECK_OK(ploy_actor_load(text.bytes, text.size, "td", grid, &env, NULL, &loaded));
    CHECK_OK(ploy_actor_load(text.bytes, text.size, "td", NULL, &env, NULL, &blind));
    double with[PLOY_PROBLEM_ACTIONS_MAX], without[PLOY_PROBLEM_ACTIONS_MAX];
    for (int64_t s = 1; s < 15; s++) {
        ploy_situation now = {s, NULL, NULL};
        CHECK_INT(ploy_actor_best(loaded, &now), ploy_actor_best(actor, &now));
        ploy_actor_values(loaded, &now, with);
        ploy_actor_values(blind, &now, without);
        CHECK_SAME(without[0], without[3]); // knows the state, not where actions lead
        if (s == 1) CHECK(with[3] > with[1]);
    }
    ploy_buffer_fini(&text);
    ploy_actor_destroy(actor);
    ploy_actor_destroy(loaded);
    ploy_actor_destroy(blind);
}

TEST(other_files_of_actors_are_refused_with_the_reason) {
    static const struct {
        const char *row, *from, *to, *message;
    } rows[] = {
        {"a format", "ploy actor", "ploy learner", "file is not a saved actor"},
        {"a version", "\"version\": 1", "\"version\": 2", "unknown version of the format"},
        {"a kind", "\"actor\": \"sarsa\"", "\"actor\": \"sarza\"", "unknown actor"},
        {"a seed", "\"seed\": 12345", "\"seed\": -1", "invalid seed"},
        {"no actions", "\"actions\": 2", "\"actions\": 0", NULL},
        {"a store without numbers", "\"store\": \"dense\"", "\"store\": \"tiles\"",
         "the actor cannot act in this space"},
        {"fewer states than values", "\"states\": 12", "\"states\": 11", NULL},
        {"a setting", "\"explore\":", "\"exlore\":", NULL},
    };
    ploy_env env = ploy_env_default();
    const ploy_problem_type *chain = ploy_problems_find("chain");
    ploy_actor actor = played(t, ploy_actors_find("sarsa"), chain, 30), none;
    ploy_buffer text;
    ploy_buffer_init(&text, 0, &env);
    ploy_writer writer = ploy_buffer_writer(&text);
    CHECK_OK(ploy_actor_save(actor, &writer));
    char *copy = malloc(text.size + 64);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        const char *whole = ploy_buffer_text(&text), *at = strstr(whole, rows[i].from);
        CHECK(at != NULL);
        int used = snprintf(copy, text.size + 64, "%.*s%s%s", (int)(at - whole), whole, rows[i].to,
                            at + strlen(rows[i].from));
        ploy_diags *diags = NULL;
        CHECK_OK(ploy_diags_create(8, &env, &diags));
        CHECK_INT(ploy_actor_load(copy, (size_t)used, "saved", NULL, &env, diags, &none),
                  PLOY_ERR_FORMAT);
        CHECK(none.type == NULL && ploy_diags_count(diags) > 0);
        if (rows[i].message != NULL) {
            CHECK_TEXT(ploy_diags_get(diags, 0)->message, rows[i].message);
        }
        if (i == 2) CHECK_TEXT(ploy_diags_get(diags, 0)->nearest, "sarsa");
        ploy_diags_destroy(diags);
    }
    t->row = "another problem";
    CHECK_INT(ploy_actor_load(text.bytes, text.size, "saved", ploy_problems_find("lake"), &env,
                              NULL, &none),
              PLOY_ERR_FORMAT);
    CHECK_INT(ploy_actor_load("hello", 5, "saved", NULL, &env, NULL, &none), PLOY_ERR_FORMAT);
    CHECK_INT(ploy_actor_save(none, &writer), PLOY_ERR_ARGUMENT);
    free(copy);
    ploy_buffer_fini(&text);
    ploy_actor_destroy(actor);
}
