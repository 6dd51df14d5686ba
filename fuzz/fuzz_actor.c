// Any bytes as a saved actor. The first byte chooses actor and problem. The actor refuses the save
// and keeps its state, or takes it and learns on.
#include <stdint.h>
#include <stdlib.h>

#include "ploy/learn/actor.h"

static void must(bool condition) {
    if (!condition) abort();
}

typedef union actor_def {
    ploy_q_def q;
    ploy_td_def td;
    ploy_actor_critic_def critic;
    ploy_dqn_def dqn;
} actor_def;

// A small actor, so that a save is short: the first four kinds of the list share few settings.
static ploy_actor make_actor(int32_t kind, const ploy_problem_type *problem, const ploy_env *env) {
    static const char *const names[] = {"q",  "sarsa",        "expected_sarsa",
                                        "td", "actor_critic", "dqn"};
    const ploy_actor_type *type = ploy_actors_find(names[kind % 6]);
    actor_def def;
    ploy_fields_default(type->fields(), &def);
    if (kind % 6 < 3) {
        def.q.store = kind % 6 == 0 ? PLOY_Q_DENSE : PLOY_Q_HASH;
        if (problem->space.states == 0) def.q.store = PLOY_Q_TILES;
        def.q.rate_schedule = kind % 6 == 0 ? PLOY_Q_VISITS : PLOY_Q_CONSTANT;
        def.q.trace = kind % 6 == 1 ? 0.5f : 0.0f;
        def.q.steps = kind % 6 == 2 ? 3 : 1;
        def.q.tilings = def.q.tiles = 2;
        def.q.states_max = 1 << 8;
    } else if (kind % 6 == 5) {
        def.dqn.hidden = def.dqn.hidden2 = 2;
        def.dqn.buffer = 8;
        def.dqn.batch = 2;
        def.dqn.warm_up = 2;
        def.dqn.target_every = 4;
    }
    ploy_actor actor = {NULL, NULL};
    (void)ploy_actor_create(type, &def, &problem->space, 1, env, &actor); // td needs states
    return actor;
}

static uint64_t play(ploy_actor actor, const ploy_problem_type *type, const ploy_env *env) {
    ploy_problem *problem = NULL;
    ploy_play_task *task = NULL;
    must(ploy_problem_create(type, env, &problem) == PLOY_OK);
    must(ploy_play_begin(problem, actor, 20, 0.0f, 3, env, &task) == PLOY_OK);
    (void)ploy_play_step(task, NULL);
    ploy_play_cancel(task);
    ploy_problem_destroy(problem);
    return ploy_actor_hash(actor);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0 || size > 1 << 14) return 0;
    ploy_env env = ploy_env_default();
    env.log = NULL;
    int32_t kind = data[0] % 12;
    const ploy_problem_type *problem = ploy_problems_find(kind < 6 ? "chain" : "cartpole");
    ploy_actor one = make_actor(kind, problem, &env), two = make_actor(kind, problem, &env);
    ploy_json *doc = NULL;
    if (one.type != NULL &&
        ploy_json_load(data + 1, size - 1, "fuzz", NULL, &env, NULL, &doc) == PLOY_OK) {
        uint64_t hash = ploy_actor_hash(one);
        ploy_json_node root = ploy_json_root(doc);
        if (ploy_visit_load(ploy_actor_visit, &one, NULL, doc, root, &env, NULL) != PLOY_OK) {
            must(ploy_actor_hash(one) == hash);
        } else {
            must(ploy_visit_load(ploy_actor_visit, &two, NULL, doc, root, &env, NULL) == PLOY_OK);
            must(ploy_actor_hash(one) == ploy_actor_hash(two));
            must(play(one, problem, &env) == play(two, problem, &env));
        }
    }
    ploy_json_destroy(doc);
    ploy_actor_destroy(one);
    ploy_actor_destroy(two);
    return 0;
}
