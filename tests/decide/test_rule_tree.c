// Nested items, patterns and unification: the catalog's examples.
#include "decide/decide_internal.h"
#include "ploy/decide/rule_tree.h"

#include "tests/test.h"

static ploy_rule_tree *load(test_context *t, const char *text) {
    ploy_env env = ploy_env_default();
    ploy_rule_tree *tree = NULL;
    CHECK_OK(ploy_rule_tree_load(text, strlen(text), "test", NULL, &env, &tree));
    return tree;
}

static const char squad1[] = "(Captain (Health 51)) (Johnson (Health 38)) (Sale (Health 42))"
                             "(Whisker (Health 15))";
static const char db1[] = "(Johnson (health 38)) (Sale (health 15)) (Whisker (health 25))"
                          "(Radio (held-by Whisker))";
static const char db2[] = "(Johnson (health 38)) (Sale (health 42)) (Whisker (health 15))"
                          "(Radio (held-by Whisker))";

// RBS-03, RBS-11, RBS-17.
TEST(patterns_match_as_the_catalog_says) {
    static const struct {
        const char *items, *pattern, *name, *want; // want NULL: no match
    } rows[] = {
        {"(Captain (Health 43) (Ammo 140))", "(?anyone (Health 0-54))", "anyone", "Captain"},
        {squad1, "(?anyone (Health <15))", "anyone", NULL},
        {squad1, "(?anyone (Health <=15))", "anyone", "Whisker"},
        {squad1, "(?a (Health <16)) (?b (Health >45))", "b", "Captain"},
        {db1, "(?person (health 0-15)) (Radio (held-by ?person))", "person", NULL},
        {db2, "(?person (health 0-15)) (Radio (held-by ?person))", "person", "Whisker"},
        {db1, "(?p1 (health 0-15)) (Radio (held-by ?p2))", "p1", "Sale"},
        {db1, "(?p1 (health 0-15)) (Radio (held-by ?p2))", "p2", "Whisker"},
        {db2, "(Johnson (health ?v1)) (Sale (health ?v2)) (< ?v1 ?v2) (?x (health ?v1))", "x",
         "Johnson"},
        {db2, "(Johnson (health ?v1)) (Sale (health ?v2)) (< ?v2 ?v1)", "v1", NULL},
        {db2, "(not (?x (health >50))) (?y (health <20))", "y", "Whisker"},
        {db2, "(not (?x (health <20))) (?y (health >20))", "y", NULL},
        {db2, "(or (?y (health >100)) (?y (health 42)))", "y", "Sale"},
        {db2, "(xor (Johnson (health 38)) (Sale (health 1))) (?y (health 42))", "y", "Sale"},
        {db2, "(xor (Johnson (health 38)) (Sale (health 42))) (?y (health 42))", "y", NULL},
        {"(Captain (Weapon (Rifle (Ammo 36) (Clips 2))))", "(?gun (Ammo >30))", "gun", "Rifle"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].pattern;
        ploy_rule_tree *tree = load(t, rows[i].items), *pattern = load(t, rows[i].pattern);
        ploy_rule_bindings bound;
        bool found = ploy_rule_tree_match(tree, pattern, &bound);
        CHECK_INT(found, rows[i].want != NULL);
        if (found) CHECK_TEXT(ploy_rule_bindings_text(&bound, rows[i].name), rows[i].want);
        ploy_rule_tree_destroy(pattern);
        ploy_rule_tree_destroy(tree);
    }
}

// RBS-05: a rule rewrites the database with what its variables stand for.
TEST(rewriting_replaces_what_matched) {
    ploy_env env = ploy_env_default();
    ploy_rule_tree *tree =
        load(t, "(Fuel 1500) (Distance 100) (Enemy-42 (seen 1)) (Enemy-21 (seen 2))"
                "(Current patrolling)");
    ploy_rule_tree *pattern = load(t, "(?enemy (seen ?when)) (Current patrolling)");
    ploy_rule_bindings bound;
    CHECK(ploy_rule_tree_match(tree, pattern, &bound));
    ploy_buffer text;
    ploy_buffer_init(&text, 0, &env);
    ploy_writer writer = ploy_buffer_writer(&text);
    CHECK_OK(ploy_rule_bindings_apply(&bound, "(Current (attack ?enemy))", &writer));
    CHECK_OK(ploy_rule_tree_remove(tree, "(Current patrolling)"));
    CHECK_OK(ploy_rule_tree_add(tree, ploy_buffer_text(&text)));
    CHECK_UINT(ployi_rule_tree_changes(tree), 2);
    CHECK(!ploy_rule_tree_match(tree, pattern, NULL));
    ploy_buffer_clear(&text);
    ploy_rule_tree_save(tree, &writer);
    CHECK_TEXT(ploy_buffer_text(&text), "(Fuel 1500)\n(Distance 100)\n(Enemy-42 (seen 1))\n"
                                        "(Enemy-21 (seen 2))\n(Current (attack Enemy-42))\n");
    CHECK_INT(ploy_rule_tree_remove(tree, "(Nobody)"), PLOY_ERR_NOT_FOUND);
    CHECK_INT(ploy_rule_tree_add(tree, "(broken"), PLOY_ERR_FORMAT);
    CHECK_INT(ploy_rule_bindings_apply(&bound, "?nobody", &writer), PLOY_ERR_NOT_FOUND);
    ploy_buffer_fini(&text);
    ploy_rule_tree_destroy(pattern);
    ploy_rule_tree_destroy(tree);
}

static ploy_result load_tree(const ploy_env *env, void *arg) {
    ploy_rule_tree *tree = NULL;
    ploy_result result = ploy_rule_tree_load(arg, strlen(arg), "test", NULL, env, &tree);
    ploy_rule_tree_destroy(tree);
    return result;
}

TEST(loading_survives_short_memory_and_bad_text) {
    char text[sizeof db1];
    memcpy(text, db1, sizeof db1);
    CHECK_FAIL_NTH(load_tree, text);
    static const char *const bad[] = {"(", "(a", ")", "(a b", "((a))", "(a (b)", "(< ?x", "(a <b)"};
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        t->row = bad[i];
        ploy_rule_tree *tree = NULL;
        CHECK_INT(ploy_rule_tree_load(bad[i], strlen(bad[i]), "test", NULL, &env, &tree),
                  PLOY_ERR_FORMAT);
        CHECK(tree == NULL);
    }
}

// RBS-02: strings, lists with blanks, and faults with line and column.
TEST(items_have_strings_and_lists_and_faults_have_columns) {
    static const struct {
        const char *row, *text, *saved;
        int32_t line, column; // 0: fine
    } rows[] = {
        {"a string", "(Sign \"two words (here)\")", "(Sign \"two words (here)\")\n", 0, 0},
        {"an escaped quote", "(Sign \"a \\\" b\")", "(Sign \"a \\\" b\")\n", 0, 0},
        {"a list", "(Captain (Position [21, 46, 92]))", "(Captain (Position [21,46,92]))\n", 0, 0},
        {"a string that does not end", "(a 1)\n (b \"x)", NULL, 2, 5},
        {"a list that does not end", "(b [1, 2)", NULL, 1, 4},
        {"a bracket is missing", "(a 1)\n(b (c 2)", NULL, 2, 9},
        {"no item", "(a 1) b", NULL, 1, 7},
    };
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_diags *diags = NULL;
        ploy_rule_tree *tree = NULL;
        CHECK_OK(ploy_diags_create(4, &env, &diags));
        CHECK_INT(ploy_rule_tree_load(rows[i].text, strlen(rows[i].text), "x", diags, &env, &tree),
                  rows[i].line == 0 ? PLOY_OK : PLOY_ERR_FORMAT);
        if (rows[i].line > 0) {
            CHECK_INT(ploy_diags_get(diags, 0)->line, rows[i].line);
            CHECK_INT(ploy_diags_get(diags, 0)->column, rows[i].column);
        } else {
            ploy_buffer text;
            ploy_buffer_init(&text, 0, &env);
            ploy_writer writer = ploy_buffer_writer(&text);
            ploy_rule_tree_save(tree, &writer);
            CHECK_TEXT(ploy_buffer_text(&text), rows[i].saved);
            ploy_buffer_fini(&text);
        }
        ploy_rule_tree_destroy(tree);
        ploy_diags_destroy(diags);
    }
}

// Lists are equal however they are spaced, and memory of removed items is used again.
TEST(rewriting_for_a_long_time_needs_no_more_memory) {
    ploy_env env = ploy_env_default();
    ploy_rule_tree *tree = NULL, *pattern = NULL;
    const char *first = "(at [1, 2])", *want = "(at [1,2])";
    CHECK_OK(ploy_rule_tree_load(first, strlen(first), "x", NULL, &env, &tree));
    CHECK_OK(ploy_rule_tree_load(want, strlen(want), "x", NULL, &env, &pattern));
    CHECK(ploy_rule_tree_match(tree, pattern, NULL));
    for (int32_t i = 0; i < 5000; i++) {
        CHECK_OK(ploy_rule_tree_add(tree, "(here (a 1) (b 2))"));
        CHECK_OK(ploy_rule_tree_remove(tree, "(here (a 1) (b 2))"));
    }
    CHECK(ploy_rule_tree_match(tree, pattern, NULL));
    CHECK_UINT(ployi_rule_tree_changes(tree), 10000);
    ploy_rule_tree_destroy(tree);
    ploy_rule_tree_destroy(pattern);
}
