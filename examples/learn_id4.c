// A tree that learns while the game runs: each fight may split a leaf or rebuild a part. Beside it,
// one that only splits leaves, and a pruned one from all fights at once. Shows ploy_id4_learner,
// ploy_id4_statistics_of and ploy_tree_ratio_learner.
#include "ploy/data/table_file.h"
#include "ploy/learn/tree.h"

#include <stdio.h>
#include <string.h>

static const char fights[] = "@attribute health {healthy, hurt}\n"
                             "@attribute cover {cover, exposed}\n"
                             "@attribute ammo {ammo, empty}\n"
                             "@attribute action {attack, defend, run}\n@data\n"
                             "healthy,exposed,empty,run\nhealthy,cover,ammo,attack\n"
                             "hurt,cover,ammo,attack\nhealthy,cover,empty,defend\n"
                             "hurt,cover,empty,defend\nhurt,exposed,ammo,defend\n"
                             "healthy,exposed,ammo,run\n";

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_examples *table = NULL;
    ploy_learner id4, append, pruned;
    ploy_id4_def def = ploy_id4_def_default();
    def.rebuild = PLOY_ID4_NEVER;
    if (ploy_table_load(fights, strlen(fights), "fights.arff", PLOY_TABLE_ANY, &env, NULL,
                        &table) != PLOY_OK) {
        return 1;
    }
    const ploy_schema *schema = ploy_examples_schema(table);
    if (ploy_learner_create(ploy_id4_learner(), NULL, schema, &env, &id4) != PLOY_OK ||
        ploy_learner_create(ploy_id4_learner(), &def, schema, &env, &append) != PLOY_OK ||
        ploy_learner_create(ploy_tree_ratio_learner(), NULL, schema, &env, &pruned) != PLOY_OK ||
        ploy_learner_train(pruned, table) != PLOY_OK) {
        return 1;
    }
    for (int32_t i = 0; i < ploy_examples_count(table); i++) {
        const double *row = ploy_examples_at(table, i);
        if (ploy_learner_observe(id4, row) != PLOY_OK) return 1;
        if (ploy_learner_observe(append, row) != PLOY_OK) return 1;
        const ploy_tree_node *root = ploy_tree_node_at(id4, 0);
        printf("%d fights: %lld nodes, asks for %s first\n", i + 1,
               (long long)ploy_learner_size(id4),
               root->column < 0 ? "nothing" : ploy_schema_name_at(schema, root->column));
    }
    ploy_id4_statistics built = ploy_id4_statistics_of(id4);
    printf("id4: %lld leaves split, %lld parts rebuilt; only splitting: %lld nodes; pruned: %lld\n",
           (long long)built.splits, (long long)built.rebuilds, (long long)ploy_learner_size(append),
           (long long)ploy_learner_size(pruned));
    ploy_learner_destroy(id4);
    ploy_learner_destroy(append);
    ploy_learner_destroy(pruned);
    ploy_examples_destroy(table);
    return 0;
}
