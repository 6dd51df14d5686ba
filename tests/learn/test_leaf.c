// Learned leaves: what a blackboard holds goes in, a class or an action comes out.
#include "ploy/learn/leaf.h"

#include "learn_examples.h"
#include "ploy/learn/bayes.h"
#include "ploy/learn/net_learner.h"
#include "ploy/learn/tree.h"
#include "tests/test.h"

typedef struct leaf_scene {
    test_counts counts;
    ploy_env env;
    ploy_blackboard_layout *layout;
    ploy_blackboard *board;
    ploy_learner learner;
    ploy_learned_leaf *leaf;
} leaf_scene;

static const ploy_blackboard_key leaf_keys[] = {
    {"cover", PLOY_VALUE_I64, {PLOY_VALUE_NONE, {.i64 = 0}}, NULL},
    {"health", PLOY_VALUE_F32, {PLOY_VALUE_NONE, {.i64 = 0}}, NULL},
    {"action", PLOY_VALUE_I64, {PLOY_VALUE_NONE, {.i64 = 0}}, NULL},
    {"state", PLOY_VALUE_I64, {PLOY_VALUE_NONE, {.i64 = 0}}, NULL},
    {"name", PLOY_VALUE_TEXT, {PLOY_VALUE_NONE, {.i64 = 0}}, NULL}};

// In cover and healthy: attack (0); in cover and hurt: defend (1); exposed: run (2).
static ploy_schema *leaf_schema(test_context *t, const ploy_env *env) {
    ploy_schema *schema = NULL;
    CHECK_OK(ploy_schema_create(env, &schema));
    CHECK_OK(ploy_schema_add(schema, "cover", PLOY_COLUMN_CATEGORY));
    CHECK_OK(ploy_schema_add_value(schema, 0, "cover"));
    CHECK_OK(ploy_schema_add_value(schema, 0, "exposed"));
    CHECK_OK(ploy_schema_add(schema, "health", PLOY_COLUMN_NUMBER));
    CHECK_OK(ploy_schema_add(schema, "choice", PLOY_COLUMN_CATEGORY));
    CHECK_OK(ploy_schema_add_value(schema, 2, "attack"));
    CHECK_OK(ploy_schema_add_value(schema, 2, "defend"));
    CHECK_OK(ploy_schema_add_value(schema, 2, "run"));
    CHECK_OK(ploy_schema_set_target(schema, 2));
    return schema;
}

static void leaf_begin(test_context *t, leaf_scene *s, const ploy_learner_type *type) {
    memset(s, 0, sizeof *s);
    s->env = test_counting_env(&s->counts);
    ploy_schema *schema = leaf_schema(t, &s->env);
    ploy_examples *examples = NULL;
    CHECK_OK(ploy_examples_create(schema, &s->env, &examples));
    for (int32_t i = 0; i < 60; i++) {
        double health = 3.0 + i % 10 * 10.0;
        double row[3] = {i % 2, health, i % 2 == 1 ? 2 : health > 50.0 ? 0 : 1};
        CHECK_OK(ploy_examples_add(examples, row));
    }
    CHECK_OK(ploy_learner_create(type, NULL, schema, &s->env, &s->learner));
    CHECK_OK(ploy_learner_train(s->learner, examples));
    CHECK_OK(ploy_blackboard_layout_create(leaf_keys, COUNT_OF(leaf_keys), "leaf", &s->env, NULL,
                                           &s->layout));
    CHECK_OK(ploy_blackboard_create(s->layout, &s->env, &s->board));
    ploy_examples_destroy(examples);
    ploy_schema_destroy(schema);
}

static void leaf_end(leaf_scene *s) {
    ploy_learned_leaf_destroy(s->leaf);
    ploy_learner_destroy(s->learner);
    ploy_blackboard_destroy(s->board);
    ploy_blackboard_layout_destroy(s->layout);
}

static ploy_slot leaf_slot(const leaf_scene *s, const char *name) {
    return ploy_blackboard_layout_find(s->layout, name);
}

TEST(every_classifier_runs_as_a_leaf) {
    const ploy_learner_type *types[] = {ploy_bayes_learner(), ploy_tree_learner(),
                                        ploy_learners_find("nearest"), ploy_learners_find("net")};
    for (size_t k = 0; k < COUNT_OF(types); k++) {
        t->row = types[k]->name;
        leaf_scene s;
        leaf_begin(t, &s, types[k]);
        ploy_learned_leaf_def def = ploy_learned_leaf_def_default();
        def.learner = s.learner;
        def.layout = s.layout;
        def.answer_key = "action";
        CHECK_OK(ploy_learned_leaf_create(&def, &s.env, &s.leaf));
        ploy_maker maker = ploy_learned_leaf_maker(s.leaf);
        CHECK_OK(ploy_maker_check(maker, s.layout, &s.env, NULL));
        ploy_behavior behavior;
        CHECK_OK(ploy_maker_make(maker, &s.env, &behavior));
        ploy_step_context context = ploy_step_context_make(ploy_agent_id_none(), s.board, 0.1f);
        CHECK_OK(ploy_behavior_enter(behavior, &context));
        int64_t calls = s.counts.calls;
        for (int32_t i = 0; i < 20; i++) {
            CHECK_OK(ploy_blackboard_set_i64(s.board, leaf_slot(&s, "cover"), i % 2));
            CHECK_OK(ploy_blackboard_set_f32(s.board, leaf_slot(&s, "health"), (float)i * 5.0f));
            ploy_status status = PLOY_STATUS_RUNNING;
            CHECK_OK(ploy_behavior_step(behavior, &context, &status));
            CHECK_INT(status, PLOY_STATUS_SUCCESS);
            double row[3] = {i % 2, (double)i * 5.0, PLOY_MISSING};
            ploy_answer answer = ploy_learner_predict(s.learner, row, NULL);
            CHECK_INT(ploy_blackboard_get_i64(s.board, leaf_slot(&s, "action")), answer.category);
            CHECK_INT(ploy_learned_leaf_choose(s.leaf, s.board), answer.category);
        }
        CHECK_INT(s.counts.calls, calls); // steps allocate nothing
        ploy_behavior_exit(behavior, &context, PLOY_EXIT_FINISHED);
        ploy_behavior_destroy(behavior);
        leaf_end(&s);
    }
}

TEST(no_opinion_fails_and_writes_nothing) {
    leaf_scene s;
    leaf_begin(t, &s, ploy_bayes_learner());
    ploy_learned_leaf_def def = ploy_learned_leaf_def_default();
    def.learner = s.learner;
    def.layout = s.layout;
    def.answer_key = "action";
    def.confidence = 1.0; // never reached by counts with smoothing
    CHECK_OK(ploy_learned_leaf_create(&def, &s.env, &s.leaf));
    CHECK_OK(ploy_blackboard_set_i64(s.board, leaf_slot(&s, "action"), 77));
    CHECK_OK(ploy_blackboard_set_i64(s.board, leaf_slot(&s, "cover"), 5)); // missing
    ploy_behavior behavior;
    CHECK_OK(ploy_maker_make(ploy_learned_leaf_maker(s.leaf), &s.env, &behavior));
    ploy_step_context context = ploy_step_context_make(ploy_agent_id_none(), s.board, 0.1f);
    ploy_status status = PLOY_STATUS_RUNNING;
    CHECK_OK(ploy_behavior_enter(behavior, &context));
    CHECK_OK(ploy_behavior_step(behavior, &context, &status));
    CHECK_INT(status, PLOY_STATUS_FAILURE);
    CHECK_INT(ploy_blackboard_get_i64(s.board, leaf_slot(&s, "action")), 77);
    ploy_behavior_exit(behavior, &context, PLOY_EXIT_FINISHED);
    ploy_behavior_destroy(behavior);
    leaf_end(&s);
}

TEST(an_actor_acts_as_a_leaf) {
    leaf_scene s;
    leaf_begin(t, &s, ploy_bayes_learner());
    const ploy_problem_type *type = ploy_problems_find("chain");
    ploy_problem *problem = NULL;
    ploy_actor actor = {NULL, NULL};
    CHECK_OK(ploy_problem_create(type, &s.env, &problem));
    CHECK_OK(ploy_actor_create(ploy_actors_find("q"), NULL, &type->space, 1, &s.env, &actor));
    ploy_play_task *task = NULL;
    CHECK_OK(ploy_play_begin(problem, actor, 5000, 0.1f, 1, &s.env, &task));
    CHECK_OK(ploy_play_step(task, NULL));
    ploy_play_cancel(task);
    ploy_learned_leaf_def def = ploy_learned_leaf_def_default();
    def.actor = actor;
    def.layout = s.layout;
    def.state_key = "state";
    def.answer_key = "action";
    CHECK_OK(ploy_learned_leaf_create(&def, &s.env, &s.leaf));
    for (int32_t i = 0; i < 11; i++) {
        CHECK_OK(ploy_blackboard_set_i64(s.board, leaf_slot(&s, "state"), i));
        CHECK_INT(ploy_learned_leaf_choose(s.leaf, s.board), 1); // always on
    }
    // A key may hold anything: the leaf fails then, and a rule can take over.
    static const int64_t odd[] = {-1, 12, INT64_MIN, INT64_MAX};
    for (size_t i = 0; i < COUNT_OF(odd); i++) {
        CHECK_OK(ploy_blackboard_set_i64(s.board, leaf_slot(&s, "state"), odd[i]));
        CHECK_INT(ploy_learned_leaf_choose(s.leaf, s.board), -1);
    }
    ploy_actor_destroy(actor);
    ploy_problem_destroy(problem);
    leaf_end(&s);
}

TEST(wrong_keys_are_refused) {
    leaf_scene s;
    leaf_begin(t, &s, ploy_bayes_learner());
    ploy_learned_leaf_def def = ploy_learned_leaf_def_default();
    CHECK_INT(ploy_learned_leaf_create(&def, &s.env, &s.leaf), PLOY_ERR_ARGUMENT);
    def.learner = s.learner;
    CHECK_INT(ploy_learned_leaf_create(&def, &s.env, &s.leaf), PLOY_ERR_ARGUMENT);
    def.layout = s.layout;
    def.answer_key = "acton";
    CHECK_INT(ploy_learned_leaf_create(&def, &s.env, &s.leaf), PLOY_ERR_NOT_FOUND);
    def.answer_key = "name";
    CHECK_INT(ploy_learned_leaf_create(&def, &s.env, &s.leaf), PLOY_ERR_ARGUMENT);
    const ploy_blackboard_key few[] = {leaf_keys[0], leaf_keys[2]};
    ploy_blackboard_layout *narrow = NULL;
    CHECK_OK(ploy_blackboard_layout_create(few, 2, "few", &s.env, NULL, &narrow));
    def.answer_key = "action";
    def.layout = narrow; // without health
    CHECK_INT(ploy_learned_leaf_create(&def, &s.env, &s.leaf), PLOY_ERR_NOT_FOUND);
    CHECK(s.leaf == NULL);
    def.layout = s.layout;
    CHECK_OK(ploy_learned_leaf_create(&def, &s.env, &s.leaf));
    ploy_maker maker = ploy_learned_leaf_maker(s.leaf);
    CHECK(ploy_maker_check(maker, narrow, &s.env, NULL) != PLOY_OK);
    ploy_blackboard_layout_destroy(narrow);
    leaf_end(&s);
}

static ploy_result leaf_once(const ploy_env *env, void *arg) {
    const leaf_scene *s = arg;
    ploy_learned_leaf_def def = ploy_learned_leaf_def_default();
    def.learner = s->learner;
    def.layout = s->layout;
    def.answer_key = "action";
    ploy_learned_leaf *leaf = NULL;
    ploy_result result = ploy_learned_leaf_create(&def, env, &leaf);
    ploy_behavior behavior;
    if (result == PLOY_OK) {
        result = ploy_maker_make(ploy_learned_leaf_maker(leaf), env, &behavior);
        if (result == PLOY_OK) ploy_behavior_destroy(behavior);
    }
    ploy_learned_leaf_destroy(leaf);
    return result;
}

TEST(memory_may_fail) {
    leaf_scene s;
    leaf_begin(t, &s, ploy_bayes_learner());
    CHECK_FAIL_NTH(leaf_once, &s);
    leaf_end(&s);
}
