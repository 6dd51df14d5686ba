// Any bytes as an experience log. The first byte chooses the learner or actor and whether the rest is
// a log in bytes or a saved one. The log is refused, or it rebuilds the same learner or actor twice.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "ploy/learn/experience.h"

static void must(bool condition) {
    if (!condition) abort();
}

// Two attributes that every learner can take, and a target.
static ploy_learner make_learner(const ploy_learner_type *type, const ploy_env *env) {
    static const char *const words[] = {"a", "b", "c"};
    bool categories = (type->abilities & PLOY_LEARNER_CATEGORIES) != 0;
    bool numbers = (type->abilities & PLOY_LEARNER_NUMBERS) != 0;
    bool classes = (type->abilities & PLOY_LEARNER_CLASSIFIES) != 0;
    ploy_schema *schema = NULL;
    must(ploy_schema_create(env, &schema) == PLOY_OK);
    if (categories) {
        must(ploy_schema_add(schema, "weapon", PLOY_COLUMN_CATEGORY) == PLOY_OK);
        for (int32_t i = 0; i < 3; i++) {
            must(ploy_schema_add_value(schema, 0, words[i]) == PLOY_OK);
        }
    }
    if (numbers) must(ploy_schema_add(schema, "range", PLOY_COLUMN_NUMBER) == PLOY_OK);
    must(ploy_schema_add(schema, "action", classes ? PLOY_COLUMN_CATEGORY : PLOY_COLUMN_NUMBER) ==
         PLOY_OK);
    int32_t target = ploy_schema_count(schema) - 1;
    for (int32_t i = 0; i < 3 && classes; i++) {
        must(ploy_schema_add_value(schema, target, words[i]) == PLOY_OK);
    }
    must(ploy_schema_set_target(schema, target) == PLOY_OK);
    ploy_learner learner;
    must(ploy_learner_create(type, NULL, schema, env, &learner) == PLOY_OK);
    ploy_schema_destroy(schema);
    return learner;
}

static void replay_bytes(const ploy_learner_type *type, const void *bytes, size_t size,
                         const ploy_env *env) {
    ploy_learner one = make_learner(type, env), two = make_learner(type, env);
    uint64_t empty = ploy_learner_hash(one);
    ploy_result result = ploy_experience_replay(one, bytes, size);
    must(ploy_experience_replay(two, bytes, size) == result);
    must(ploy_learner_hash(one) == ploy_learner_hash(two));
    if (result == PLOY_ERR_FORMAT) must(ploy_learner_hash(one) == empty);
    double row[3] = {0};
    (void)ploy_learner_predict(one, row, NULL);
    ploy_learner_destroy(one);
    ploy_learner_destroy(two);
}

static void load_saved(const ploy_learner_type *type, const void *bytes, size_t size,
                       const ploy_env *env) {
    ploy_learner learner = make_learner(type, env);
    ploy_experience *log = NULL;
    ploy_json *doc = NULL;
    must(ploy_experience_create(learner, 1 << 12, env, &log) == PLOY_OK);
    double row[3] = {0};
    must(ploy_experience_observe(log, row) == PLOY_OK);
    uint64_t hash = ploy_visit_hash(ploy_experience_visit, log, NULL);
    if (ploy_json_load(bytes, size, "fuzz", NULL, env, NULL, &doc) == PLOY_OK) {
        ploy_result result =
            ploy_visit_load(ploy_experience_visit, log, NULL, doc, ploy_json_root(doc), env, NULL);
        if (result != PLOY_OK) must(ploy_visit_hash(ploy_experience_visit, log, NULL) == hash);
        size_t log_size = 0;
        const void *log_bytes = ploy_experience_bytes(log, &log_size);
        ploy_learner again = make_learner(type, env);
        must(ploy_experience_replay(again, log_bytes, log_size) == PLOY_OK);
        ploy_learner_destroy(again);
        (void)ploy_experience_observe(log, row);
    }
    ploy_json_destroy(doc);
    ploy_experience_destroy(log);
    ploy_learner_destroy(learner);
}

// Small actors: a table over a chain, a map, a net.
static ploy_actor make_actor(int32_t kind, const ploy_env *env) {
    static const char *const names[] = {"sarsa", "q", "td", "actor_critic", "dqn"};
    const ploy_problem_type *problem = ploy_problems_find(kind % 5 == 4 ? "cartpole" : "chain");
    ploy_q_def q = ploy_q_def_default();
    q.store = kind % 5 == 1 ? PLOY_Q_HASH : PLOY_Q_DENSE;
    q.trace = kind % 5 == 0 ? 0.5f : 0.0f;
    q.steps = kind % 5 == 1 ? 2 : 1;
    ploy_dqn_def dqn = ploy_dqn_def_default();
    dqn.hidden = dqn.hidden2 = 2;
    dqn.buffer = 4;
    dqn.batch = 1;
    dqn.warm_up = 2;
    ploy_actor actor;
    const void *def = kind % 5 < 2 ? (const void *)&q : kind % 5 == 4 ? (const void *)&dqn : NULL;
    must(ploy_actor_create(ploy_actors_find(names[kind % 5]), def, &problem->space, 1, env,
                           &actor) == PLOY_OK);
    return actor;
}

static void replay_actor(int32_t kind, const void *bytes, size_t size, const ploy_env *env) {
    ploy_actor one = make_actor(kind, env), two = make_actor(kind, env);
    uint64_t empty = ploy_actor_hash(one);
    ploy_result result = ploy_experience_replay_actor(one, bytes, size);
    must(ploy_experience_replay_actor(two, bytes, size) == result);
    must(ploy_actor_hash(one) == ploy_actor_hash(two));
    if (result == PLOY_ERR_FORMAT) must(ploy_actor_hash(one) == empty);
    ploy_actor_destroy(one);
    ploy_actor_destroy(two);
}

static void load_actor_log(int32_t kind, const void *bytes, size_t size, const ploy_env *env) {
    ploy_actor actor = make_actor(kind, env);
    ploy_experience *log = NULL;
    ploy_json *doc = NULL;
    must(ploy_experience_create_actor(actor, 1 << 12, env, &log) == PLOY_OK);
    must(ploy_experience_reset(log) == PLOY_OK);
    uint64_t hash = ploy_visit_hash(ploy_experience_visit, log, NULL);
    if (ploy_json_load(bytes, size, "fuzz", NULL, env, NULL, &doc) == PLOY_OK) {
        ploy_result result =
            ploy_visit_load(ploy_experience_visit, log, NULL, doc, ploy_json_root(doc), env, NULL);
        if (result != PLOY_OK) must(ploy_visit_hash(ploy_experience_visit, log, NULL) == hash);
        size_t log_size = 0;
        const void *log_bytes = ploy_experience_bytes(log, &log_size);
        replay_actor(kind, log_bytes, log_size, env);
        (void)ploy_experience_reset(log);
    }
    ploy_json_destroy(doc);
    ploy_experience_destroy(log);
    ploy_actor_destroy(actor);
}

// Lives through steps that the bytes choose; the log of them rebuilds the actor.
static void live_actor(int32_t kind, const uint8_t *bytes, size_t size, const ploy_env *env) {
    ploy_actor actor = make_actor(kind, env), again = make_actor(kind, env);
    ploy_experience *log = NULL;
    must(ploy_experience_create_actor(actor, 1 << 10, env, &log) == PLOY_OK);
    for (size_t i = 0; i + 1 < size; i += 2) {
        float seen[2][8];
        ploy_situation at[2];
        for (size_t k = 0; k < 2; k++) {
            for (size_t c = 0; c < 8; c++) seen[k][c] = (float)(bytes[i + k] >> (c % 4)) / 64.0f;
            at[k] = (ploy_situation){bytes[i + k] % 16, seen[k], NULL};
        }
        int32_t action = bytes[i + 1] % 4;
        if (bytes[i] % 2 == 0) (void)ploy_experience_choose(log, &at[0], &action);
        ploy_problem_result result = {(float)(bytes[i + 1] % 8) - 4.0f, bytes[i] % 16 == 15, false};
        int32_t after = result.terminated ? -1 : bytes[i] % 4;
        (void)ploy_experience_learn(log, &at[0], action, result, &at[1], after);
        if (bytes[i + 1] % 32 == 31) (void)ploy_experience_keep_best(log, bytes[i], NULL);
    }
    size_t log_size = 0;
    const void *log_bytes = ploy_experience_bytes(log, &log_size);
    must(ploy_experience_replay_actor(again, log_bytes, log_size) == PLOY_OK);
    must(ploy_actor_hash(again) == ploy_actor_hash(actor));
    ploy_experience_destroy(log);
    ploy_actor_destroy(again);
    ploy_actor_destroy(actor);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0 || size > 1 << 12) return 0;
    ploy_env env = ploy_env_default();
    env.log = NULL;
    if (data[0] >= 128) { // learners have the lower half
        if (data[0] % 2 == 0) replay_actor(data[0] / 2, data + 1, size - 1, &env);
        if (data[0] % 2 == 1) load_actor_log(data[0] / 2, data + 1, size - 1, &env);
        live_actor(data[0] / 2, data + 1, size - 1, &env);
        return 0;
    }
    const ploy_learner_type *types[32];
    size_t count = 0;
    for (int32_t i = 0; ploy_learners_at(i) != NULL && count < 32; i++) {
        if (ploy_learners_at(i)->observe != NULL) types[count++] = ploy_learners_at(i);
    }
    const ploy_learner_type *type = types[(size_t)(data[0] / 2) % count];
    if (data[0] % 2 == 0) {
        replay_bytes(type, data + 1, size - 1, &env);
    } else {
        load_saved(type, data + 1, size - 1, &env);
    }
    return 0;
}
