// Any bytes as a saved part of a learner or of its training: Hebbian grids, nets with their trainer,
// problems in mid-episode, one of them a simulation, and tasks that play. The first byte chooses the
// part. It refuses the save and keeps its state, or takes it and goes on as another one does.
#include <stdint.h>
#include <stdlib.h>

#include "labs/labs.h"
#include "ploy/learn/actor.h"
#include "ploy/learn/hebb.h"
#include "ploy/learn/sim_problem.h"
#include "ploy/learn/trainer.h"

enum { PART_HEBB, PART_NET, PART_TRAINER, PART_PROBLEM, PART_SIM, PART_PLAY, PART_KINDS };

static void must(bool condition) {
    if (!condition) abort();
}

typedef struct part {
    ploy_env env;
    ploy_hebb *hebb;
    ploy_net *net;
    ploy_trainer *trainer;
    ploy_problem *problem;
    ploy_actor actor;
    ploy_play_task *task;
    void (*visit)(ploy_visit *v, void *object);
    void *object;
} part;

// The lab in which a person presses two buttons.
static const ploy_problem_type *part_sim(const ploy_env *env) {
    static const ploy_sim_action actions[] = {{"left", {{0}}, {PLOY_VALUE_NONE, {0}}},
                                              {"right", {{0}}, {PLOY_VALUE_NONE, {0}}}};
    static const ploy_sim_observation observed[] = {{"state.presses", 0, 64, 8}};
    static ploy_sim_problem sim;
    if (sim.type.name != NULL) return &sim.type;
    ploy_sim_problem_def def = ploy_sim_problem_def_default();
    def.sim = ploy_sim_type_find(ploy_labs(), "left_or_right", NULL);
    def.actions = actions;
    def.action_count = 2;
    def.observed = observed;
    def.observed_count = 1;
    def.reward = "state.presses";
    def.step_limit = 40;
    must(def.sim != NULL && ploy_sim_problem_init(&sim, &def, env) == PLOY_OK);
    return &sim.type;
}

static void part_play(part *p, const char *name) {
    const ploy_problem_type *type = name == NULL ? part_sim(&p->env) : ploy_problems_find(name);
    must(ploy_problem_create(type, &p->env, &p->problem) == PLOY_OK);
    ploy_q_def def = ploy_q_def_default();
    def.store = type->space.states == 0 ? PLOY_Q_TILES : PLOY_Q_DENSE;
    def.tilings = def.tiles = 2;
    must(ploy_actor_create(ploy_actors_find("q"), &def, &type->space, 1, &p->env, &p->actor) ==
         PLOY_OK);
    must(ploy_play_begin(p->problem, p->actor, 400, 0.1f, 3, &p->env, &p->task) == PLOY_OK);
    ploy_budget budget = ploy_budget_units(9);
    must(ploy_play_step(p->task, &budget) == PLOY_IN_PROGRESS);
    p->visit = ploy_problem_visit;
    p->object = p->problem;
}

static void part_train(part *p, int32_t option) {
    ploy_net_layer layers[2] = {ploy_net_dense(3, PLOY_NET_TANH), ploy_net_dense(2, PLOY_NET_TANH)};
    layers[0].dropout = 0.2f;
    must(ploy_net_create(ploy_net_inputs(2), layers, 2, ploy_rng_key_make(1), &p->env, &p->net) ==
         PLOY_OK);
    ploy_trainer_def def = ploy_trainer_def_default();
    def.method = (ploy_trainer_method)(option % 3);
    def.momentum = 0.5f;
    def.batch = 3;
    must(ploy_trainer_create(&def, p->net, &p->env, &p->trainer) == PLOY_OK);
}

static part part_make(int32_t kind, int32_t option) {
    static const char *const names[] = {"windy", "cartpole", "lake"};
    part p = {.env = ploy_env_default()};
    p.env.log = NULL;
    ploy_hebb_def def = ploy_hebb_def_default();
    switch (kind) {
    case PART_HEBB:
        def.width = 4;
        def.height = 3;
        def.all = option % 2 == 1;
        def.centred = option % 3 == 1;
        must(ploy_hebb_create(&def, &p.env, &p.hebb) == PLOY_OK);
        p.visit = ploy_hebb_visit;
        p.object = p.hebb;
        break;
    case PART_NET:
    case PART_TRAINER:
        part_train(&p, option);
        p.visit = kind == PART_NET ? ploy_net_visit : ploy_trainer_visit;
        p.object = kind == PART_NET ? (void *)p.net : (void *)p.trainer;
        break;
    default:
        part_play(&p, kind == PART_SIM ? NULL : names[option % 3]);
        if (kind != PART_PLAY) break;
        p.visit = ploy_play_visit;
        p.object = p.task;
        break;
    }
    return p;
}

static void part_destroy(part *p) {
    ploy_play_cancel(p->task);
    ploy_actor_destroy(p->actor);
    ploy_problem_destroy(p->problem);
    ploy_trainer_destroy(p->trainer);
    ploy_net_destroy(p->net);
    ploy_hebb_destroy(p->hebb);
}

// Goes on for a moment. @return the hash of all that may have changed.
static uint64_t part_go_on(part *p) {
    if (p->hebb != NULL) {
        static const float known[12] = {1, 0, -1, 0, 0, 1, 0, 0, -1, 0, 0, 1};
        float out[12];
        (void)ploy_hebb_recall(p->hebb, known, out);
        ploy_hebb_learn(p->hebb, out);
        for (int32_t i = 0; i < 12; i++) (void)ploy_hebb_link(p->hebb, 0, i);
    }
    if (p->trainer != NULL) {
        static const float in[2] = {0.5f, -1.0f}, target[2] = {1.0f, 0.0f};
        for (int32_t i = 0; i < 4; i++) (void)ploy_trainer_learn(p->trainer, in, target);
        ploy_trainer_update(p->trainer);
    }
    if (p->task != NULL) {
        ploy_budget budget = ploy_budget_units(30);
        (void)ploy_play_step(p->task, &budget);
    }
    uint64_t hash = ploy_visit_hash(p->visit, p->object, NULL);
    if (p->net != NULL) hash ^= ploy_net_hash(p->net) * 3;
    if (p->actor.type != NULL) hash ^= ploy_actor_hash(p->actor) * 5;
    return hash;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0 || size > 1 << 14) return 0;
    int32_t kind = data[0] % PART_KINDS, option = data[0] / PART_KINDS;
    ploy_env env = ploy_env_default();
    env.log = NULL;
    ploy_json *doc = NULL;
    if (ploy_json_load(data + 1, size - 1, "fuzz", NULL, &env, NULL, &doc) != PLOY_OK) return 0;
    part one = part_make(kind, option), two = part_make(kind, option);
    uint64_t hash = ploy_visit_hash(one.visit, one.object, NULL);
    ploy_json_node root = ploy_json_root(doc);
    if (ploy_visit_load(one.visit, one.object, NULL, doc, root, &one.env, NULL) != PLOY_OK) {
        must(ploy_visit_hash(one.visit, one.object, NULL) == hash);
    } else {
        must(ploy_visit_load(two.visit, two.object, NULL, doc, root, &two.env, NULL) == PLOY_OK);
        must(part_go_on(&one) == part_go_on(&two));
    }
    part_destroy(&one);
    part_destroy(&two);
    ploy_json_destroy(doc);
    return 0;
}
