// A tree learned from a few fights, printed, asked, and run as a decision tree over a blackboard.
// Shows ploy_learner_train, ploy_learner_predict and ploy_learned_tree_create.
#include "ploy/data/learned_tree.h"
#include "ploy/data/table_file.h"
#include "ploy/learn/tree.h"

#include <stdio.h>
#include <string.h>

static const char fights[] = "@relation fights\n"
                             "@attribute cover {cover, exposed}\n"
                             "@attribute health numeric\n"
                             "@attribute action {attack, defend, run}\n"
                             "@data\n"
                             "cover,80,attack\ncover,55,attack\ncover,30,defend\n"
                             "cover,10,defend\nexposed,90,defend\nexposed,15,run\n";

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_examples *examples = NULL;
    ploy_learner learner;
    if (ploy_table_load(fights, strlen(fights), "fights.arff", PLOY_TABLE_ANY, &env, NULL,
                        &examples) != PLOY_OK ||
        ploy_learner_create(ploy_tree_learner(), NULL, ploy_examples_schema(examples), &env,
                            &learner) != PLOY_OK ||
        ploy_learner_train(learner, examples) != PLOY_OK) {
        return 1;
    }
    // A blackboard with the columns as keys: categories by number, numbers as they are.
    const ploy_blackboard_key keys[] = {{"cover", PLOY_VALUE_I64, ploy_value_none(), NULL},
                                        {"health", PLOY_VALUE_F32, ploy_value_none(), NULL}};
    ploy_blackboard_layout *layout = NULL;
    ploy_blackboard *board = NULL;
    ploy_decision_tree *tree = NULL;
    ploy_decision *decision = NULL;
    ploy_decision_def def = ploy_decision_def_default();
    if (ploy_blackboard_layout_create(keys, 2, "fights", &env, NULL, &layout) != PLOY_OK ||
        ploy_blackboard_create(layout, &env, &board) != PLOY_OK ||
        ploy_learned_tree_create(learner, layout, NULL, &env, &tree) != PLOY_OK ||
        ploy_decision_create(&def, tree, &env, &decision) != PLOY_OK) {
        return 1;
    }
    printf("%lld nodes, %d in the decision tree\n", (long long)ploy_learner_size(learner),
           ploy_decision_tree_count(tree));
    const ploy_schema *schema = ploy_learner_schema(learner);
    for (int health = 20; health <= 100; health += 40) {
        double row[3] = {0, health, PLOY_MISSING}, shares[3];
        bool armed[3] = {health < 100, true, true}; // without ammunition there is no attack
        ploy_answer answer = ploy_learner_predict(learner, row, NULL);
        ploy_answer allowed = ploy_learner_choose(learner, row, armed, shares);
        printf("in cover, health %d: %s at leaf %d%s\n", health,
               ploy_schema_value_at(schema, 2, answer.category), ploy_tree_leaf(learner, row),
               allowed.opinion ? "" : ", which is not allowed");
        // The decision tree gives the same answer from a blackboard.
        (void)ploy_blackboard_set_i64(board, ploy_blackboard_layout_find(layout, "cover"), 0);
        (void)ploy_blackboard_set_f32(board, ploy_blackboard_layout_find(layout, "health"),
                                      (float)health);
        ploy_step_context context = ploy_step_context_make(ploy_agent_id_none(), board, 0.1f);
        ploy_moment moment = ploy_moment_make(&context);
        ploy_decision_node leaf = ploy_decision_evaluate(decision, &moment);
        if (ploy_learned_tree_class(learner, tree, leaf) != answer.category) return 1;
    }
    ploy_decision_destroy(decision);
    ploy_blackboard_destroy(board);
    ploy_decision_tree_destroy(tree);
    ploy_blackboard_layout_destroy(layout);
    ploy_learner_destroy(learner);
    ploy_examples_destroy(examples);
    return 0;
}
