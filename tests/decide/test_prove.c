// Backward chaining.
#include "ploy/decide/prove.h"

#include "tests/test.h"

static const char family[] = "; who is whose parent\n"
                             "(parent ann bob) (parent bob cid)\n(parent cid dan)\n"
                             "(ancestor ?a ?b) <- (parent ?a ?b)\n"
                             "(ancestor ?a ?c) <- (parent ?a ?b), (ancestor ?b ?c)\n"
                             "(loop ?x) <- (loop ?x)\n";

static void check_proof(test_context *t, const char *goal, ploy_result want, const char *proof) {
    ploy_env env = ploy_env_default();
    ploy_clauses *clauses = NULL;
    ploy_buffer text;
    ploy_buffer_init(&text, 0, &env);
    ploy_writer writer = ploy_buffer_writer(&text);
    t->row = goal;
    CHECK_OK(ploy_clauses_load(family, sizeof family - 1, "family", NULL, &env, &clauses));
    ploy_budget budget = ploy_budget_units(10000);
    CHECK_INT(ploy_clauses_prove(clauses, goal, &budget, &writer), want);
    if (proof != NULL) CHECK_TEXT(ploy_buffer_text(&text), proof);
    ploy_buffer_fini(&text);
    ploy_clauses_destroy(clauses);
}

// RBS-16.
TEST(a_goal_is_followed_down_to_facts) {
    check_proof(t, "(parent ann bob)", PLOY_OK, "(parent ann bob)\n");
    check_proof(t, "(parent bob ann)", PLOY_ERR_NOT_FOUND, "");
    check_proof(t, "(ancestor ann cid)", PLOY_OK,
                "(ancestor ann cid) by rule\n  (parent ann bob)\n  (ancestor bob cid) by rule\n"
                "    (parent bob cid)\n");
    check_proof(t, "(ancestor ?who dan)", PLOY_OK,
                "(ancestor cid dan) by rule\n  (parent cid dan)\n");
    check_proof(t, "(ancestor dan ?who)", PLOY_ERR_NOT_FOUND, NULL);
    check_proof(t, "(loop x)", PLOY_ERR_NOT_FOUND, NULL); // the depth ends it
    check_proof(t, "(unknown)", PLOY_ERR_NOT_FOUND, NULL);
    check_proof(t, "(broken", PLOY_ERR_FORMAT, NULL);
    check_proof(t, "", PLOY_ERR_FORMAT, NULL);
}

static ploy_result prove_all(const ploy_env *env, void *arg) {
    ploy_clauses *clauses = NULL;
    (void)arg;
    ploy_result result =
        ploy_clauses_load(family, sizeof family - 1, "family", NULL, env, &clauses);
    if (result != PLOY_OK) return result;
    ploy_buffer text;
    ploy_buffer_init(&text, 0, env);
    ploy_writer writer = ploy_buffer_writer(&text);
    result = ploy_clauses_prove(clauses, "(ancestor ann dan)", NULL, &writer);
    ploy_buffer_fini(&text);
    ploy_clauses_destroy(clauses);
    return result;
}

TEST(proving_survives_short_memory) {
    CHECK_FAIL_NTH(prove_all, NULL);
}

// RBS-02: strings are arguments, and faults have a line and a column.
TEST(clauses_have_strings_and_faults_have_columns) {
    static const struct {
        const char *row, *text;
        int32_t line, column; // 0: fine
    } rows[] = {
        {"a string with blanks", "(at ann \"the old (mill)\")", 0, 0},
        {"a string that does not end", "(at ann\n  \"the old mill)", 2, 3},
        {"a bracket is missing", "(at ann bob)\n(at bob", 2, 8},
        {"not a term", "(a b)\n  x", 2, 3},
    };
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_diags *diags = NULL;
        ploy_clauses *clauses = NULL;
        CHECK_OK(ploy_diags_create(4, &env, &diags));
        CHECK_INT(ploy_clauses_load(rows[i].text, strlen(rows[i].text), "c", diags, &env, &clauses),
                  rows[i].line == 0 ? PLOY_OK : PLOY_ERR_FORMAT);
        if (rows[i].line > 0) {
            CHECK_INT(ploy_diags_get(diags, 0)->line, rows[i].line);
            CHECK_INT(ploy_diags_get(diags, 0)->column, rows[i].column);
        } else {
            ploy_buffer text;
            ploy_buffer_init(&text, 0, &env);
            ploy_writer writer = ploy_buffer_writer(&text);
            CHECK_OK(ploy_clauses_prove(clauses, "(at ?who \"the old (mill)\")", NULL, &writer));
            CHECK_TEXT(ploy_buffer_text(&text), "(at ann \"the old (mill)\")\n");
            ploy_buffer_fini(&text);
        }
        ploy_clauses_destroy(clauses);
        ploy_diags_destroy(diags);
    }
}
