// CLIPS programs: what they print, what is wrong with them, and what happens when memory is short.
#include "ploy/data/clips.h"

#include <stdlib.h>

#include "ploy/base/rng.h"
#include "tests/data/clips_test.h"

TEST(functions_give_what_clips_gives) {
    static const struct {
        const char *expression, *want;
    } rows[] = {
        {"(+ 1 2 3)", "6"},
        {"(+ 1 2.5)", "3.5"},
        {"(- 1 2 3)", "-4"},
        {"(/ 6 3)", "2.0"},
        {"(div 7 2)", "3"},
        {"(mod 7 3)", "1"},
        {"(** 2 10)", "1024.0"},
        {"(sqrt 2)", "1.4142135623731"},
        {"(/ 1 3)", "0.333333333333333"},
        {"1e20", "1e+20"},
        {"(max 1 2.5 2)", "2.5"},
        {"(eq a a a)", "TRUE"},
        {"(eq 3 3.0)", "FALSE"},
        {"(neq a b c)", "TRUE"},
        {"(< 1 2 3)", "TRUE"},
        {"(<> 1 2)", "TRUE"},
        {"(create$ a \"b\" (create$ 1 2))", "(a \"b\" 1 2)"},
        {"(nth$ 2 (create$ a b c))", "b"},
        {"(nth$ 9 (create$ a b c))", "nil"},
        {"(member$ c (create$ a b c))", "3"},
        {"(member$ (create$ b c) (create$ a b c))", "(2 3)"},
        {"(subsetp (create$ b a) (create$ a b c))", "TRUE"},
        {"(delete$ (create$ a b c d) 2 3)", "(a d)"},
        {"(insert$ (create$ a b) 2 x (create$ y z))", "(a x y z b)"},
        {"(replace$ (create$ a b c) 2 2 x y)", "(a x y c)"},
        {"(subseq$ (create$ a b c d) 2 3)", "(b c)"},
        {"(first$ (create$ a b))", "(a)"},
        {"(rest$ (create$ a b))", "(b)"},
        {"(delete-member$ (create$ a b a c) a)", "(b c)"},
        {"(implode$ (create$ a \"b\" 3))", "a \"b\" 3"},
        {"(explode$ \"a 3 (b\")", "(a 3 \"(\" b)"},
        {"(str-cat a 1 \"x y\" 2.5)", "a1x y2.5"},
        {"(sym-cat a 1)", "a1"},
        {"(sub-string 2 3 \"abcd\")", "bc"},
        {"(str-index b abc)", "2"},
        {"(upcase abc)", "ABC"},
        {"(length$ (create$ a b))", "2"},
        {"(format nil \"%5d|%-4s|%6.2f\" 42 ab 3.14159)", "   42|ab  |  3.14"},
        {"(progn$ (?x (create$ 1 2)) (bind ?y ?x))", "2"},
        {"(switch 2 (case 1 then a) (case 2 then b) (default c))", "b"},
        {"(if (> 1 2) then a else b)", "b"},
        {"(funcall + 1 2)", "3"},
        {"(eval \"(+ 3 4)\")", "7"},
        {"(round 2.5)", "2"},
        {"(evenp 4)", "TRUE"},
        {"(multifieldp (create$))", "TRUE"},
        {"(str-compare a b)", "-1"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        char commands[256], want[128];
        t->row = rows[i].expression;
        snprintf(commands, sizeof commands, "(printout t %s crlf)", rows[i].expression);
        snprintf(want, sizeof want, "%s\n", rows[i].want);
        clips_test_batch(t, commands, want);
    }
}

TEST(lists_add_and_clamp) { // LNG-11: prefix forms; add 0.5, and keep the sum at 1.0 or below
    clips_test_batch(t,
                     "(deffunction add (?a) (+ ?a 0.5))\n"
                     "(deffunction clamp (?a) (if (> ?a 1.0) then (bind ?a 1.0)) ?a)\n"
                     "(defrule r (n ?a) => (printout t (clamp (add ?a)) crlf))\n"
                     "(reset)\n(assert (n 0.25) (n 0.75))\n(run)\n",
                     "1.0\n0.75\n");
}

TEST(rules_fire_in_the_order_of_salience_and_age) {
    clips_test_batch(t,
                     "(defrule low (declare (salience -1)) (a ?x) => (printout t low ?x crlf))\n"
                     "(defrule any (a ?x) => (printout t any ?x crlf))\n"
                     "(defrule high (declare (salience 5)) (a 2) => (printout t high crlf))\n"
                     "(reset)\n(assert (a 1) (a 2) (a 3))\n(run)\n",
                     "high\nany3\nany2\nany1\nlow3\nlow2\nlow1\n");
    clips_test_batch(t,
                     "(set-strategy breadth)\n(defrule any (a ?x) => (printout t any ?x crlf))\n"
                     "(reset)\n(assert (a 1) (a 2) (a 3))\n(run)\n",
                     "any1\nany2\nany3\n");
}

TEST(conditions_of_every_kind_match) {
    clips_test_batch(t,
                     "(deftemplate t (slot n (default 7)) (multislot m))\n"
                     "(defrule multi (t (n ?n) (m $?a ?x $?b)) => (printout t ?n ?a ?x ?b crlf))\n"
                     "(defrule none (not (b ?)) => (printout t none crlf))\n"
                     "(defrule all (forall (b ?x) (c ?x)) => (printout t all crlf))\n"
                     "(defrule some (exists (b ?x) (c ?x)) => (printout t some crlf))\n"
                     "(defrule either (or (b 1) (c 9)) => (printout t either crlf))\n"
                     "(defrule test (b ?x) (test (> ?x 1)) => (printout t test ?x crlf))\n"
                     "(defrule computed (b ?x) (c =(+ ?x 1)) => (printout t computed ?x crlf))\n"
                     "(reset)\n(assert (t (m 1 2)))\n(assert (b 1) (b 2) (c 2))\n(run)\n",
                     "some\ncomputed1\ntest2\neither\n7()1(2)\n7(1)2()\n");
}

// Two groups in brackets that use one variable, the later one inside a negation only. CLIPS 6.30
// does not compare ?r where the later group ends, so that what it finds for (b x) also speaks
// against (b 1), and nothing fires. But there is no e, and there is (c 1): the rule holds for (b 1).
TEST(groups_that_use_one_variable_do_not_mix) {
    clips_test_batch(t,
                     "(defrule r (b ?r) (not (and (e ?r) (f))) (not (and (a ?) (not (c ?r))))\n"
                     " => (printout t ?r crlf))\n"
                     "(assert (b x) (b 1) (c 1) (a 2))\n(run)\n",
                     "1\n");
}

TEST(modules_take_the_focus) {
    clips_test_batch(t,
                     "(defmodule A)\n(defrule A::a (initial-fact) => (printout t a crlf))\n"
                     "(defmodule B)\n(defrule B::b (initial-fact) => (printout t b crlf))\n"
                     "(defrule MAIN::m (initial-fact) => (printout t m crlf) (focus A B))\n"
                     "(reset)\n(run)\n",
                     "m\na\nb\n");
}

// All faults of a file at once, each with its line.
TEST(faults_are_told_with_their_lines) {
    static const char text[] = "(defrule good (a) => (printout t a crlf))\n"
                               "(defrule bad-function (a) => (nosuch 1))\n"
                               "(defrule bad-variable (a ~?x) => )\n"
                               "(deftemplate t (slot a)\n"
                               "(defrule fine (b) => (assert (a)))\n"
                               "(deffacts f (t (nope 3)))\n";
    ploy_env env = ploy_env_default();
    ploy_diags *diags = NULL;
    ploy_clips *clips = NULL;
    ploy_clips_def def = ploy_clips_def_default();
    CHECK_OK(ploy_diags_create(20, &env, &diags));
    CHECK_OK(ploy_clips_create(&def, &env, &clips));
    CHECK_INT(ploy_clips_load(clips, text, sizeof text - 1, "x.clp", diags), PLOY_ERR_FORMAT);
    CHECK(ploy_diags_count(diags) >= 3);
    CHECK_INT(ploy_diags_get(diags, 0)->line, 2);
    CHECK_INT(ploy_diags_get(diags, 1)->line, 3);
    CHECK(ploy_rulebase_rule_count(ploy_clips_base(clips)) >= 1);
    ploy_clips_destroy(clips);
    ploy_diags_destroy(diags);
}

TEST(lint_finds_rules_that_never_fire) {
    static const char text[] = "(deffacts f (a 1))\n(defrule r1 (a ?) => (assert (b)))\n"
                               "(defrule r2 (b) (nowhere) =>)\n(defrule r3 (not (nowhere)) =>)\n";
    ploy_env env = ploy_env_default();
    ploy_diags *diags = NULL;
    ploy_clips *clips = NULL;
    ploy_clips_def def = ploy_clips_def_default();
    CHECK_OK(ploy_diags_create(20, &env, &diags));
    CHECK_OK(ploy_clips_create(&def, &env, &clips));
    CHECK_OK(ploy_clips_load(clips, text, sizeof text - 1, "x.clp", diags));
    CHECK_INT(ploy_clips_lint(clips, diags), 1);
    CHECK_TEXT(ploy_diags_get(diags, 0)->name, "r2");
    ploy_clips_destroy(clips);
    ploy_diags_destroy(diags);
}

static const char whole_program[] =
    "(deftemplate t (slot n (default 7)) (multislot m (default 1 2)))\n"
    "(defglobal ?*g* = (create$ 1 2 3))\n"
    "(deffunction f (?a $?rest) (bind ?*g* ?rest) (length$ ?rest))\n"
    "(deffacts start (a 1) (a 2) (t (n 3)))\n"
    "(defrule one (logical (a ?x)) (not (and (b ?x) (c ?x))) => (assert (b ?x)) (f 1 2 3))\n"
    "(defrule two ?f <- (t (n ?n&:(> ?n 1)) (m $? ?x $?)) => (printout t (str-cat ?n ?x) crlf)\n"
    "  (modify ?f (n 1)))\n";

static ploy_result run_whole(const ploy_env *env, void *arg) {
    ploy_clips_def def = ploy_clips_def_default();
    ploy_clips *clips = NULL;
    (void)arg;
    def.audit = true;
    ploy_result result = ploy_clips_create(&def, env, &clips);
    if (result == PLOY_OK) {
        result = ploy_clips_load(clips, whole_program, sizeof whole_program - 1, "x", NULL);
    }
    if (result == PLOY_OK) result = ploy_clips_reset(clips);
    if (result == PLOY_OK) result = ploy_clips_run(clips, -1, NULL);
    ploy_clips_destroy(clips);
    // A program that could not be read or run for want of memory says so in its own way.
    if (result == PLOY_ERR_FORMAT || result == PLOY_ERR_CALLBACK) result = PLOY_ERR_MEMORY;
    return result;
}

TEST(short_memory_is_a_result_for_programs) {
    CHECK_FAIL_NTH(run_whole, NULL);
}

// RBS-15: what --why tells of a fact is enough to derive it again.
TEST(the_reasons_of_every_fact_derive_it_again) {
    ploy_env env = ploy_env_default();
    ploy_clips_def def = ploy_clips_def_default();
    ploy_clips *clips = NULL;
    def.audit = true;
    static const char text[] = "(defrule sum (n ?a) (n ?b&:(< ?a ?b)) (test (< (+ ?a ?b) 12))\n"
                               " => (assert (n (+ ?a ?b))))\n(deffacts f (n 1) (n 2))\n";
    CHECK_OK(ploy_clips_create(&def, &env, &clips));
    CHECK_OK(ploy_clips_load(clips, text, sizeof text - 1, "x", NULL));
    CHECK_OK(ploy_clips_reset(clips));
    CHECK_OK(ploy_clips_run(clips, -1, NULL));
    ploy_rules *rules = ploy_clips_rules(clips);
    int32_t derived = 0;
    for (ploy_fact *fact = ploy_rules_next_fact(rules, NULL); fact != NULL;
         fact = ploy_rules_next_fact(rules, fact)) {
        int32_t rule = -1;
        int64_t basis[4];
        int32_t count = ploy_rules_reason(rules, ploy_fact_index(fact), &rule, basis, 4);
        if (rule < 0) continue;
        CHECK_INT(count, 2);
        int64_t sum = 0;
        for (int32_t i = 0; i < count; i++) {
            ploy_fact *from = ploy_rules_find_fact(rules, basis[i]);
            CHECK(from != NULL && basis[i] < ploy_fact_index(fact));
            sum += ploy_fact_slot(from, 0).as.items[0].as.integer;
        }
        CHECK_INT(ploy_fact_slot(fact, 0).as.items[0].as.integer, sum);
        derived++;
    }
    CHECK(derived > 5);
    ploy_clips_destroy(clips);
}

static void mark_outside(test_context *t, const ploy_rules *rules, int64_t index, bool *outside) {
    int32_t rule = -1;
    int64_t basis[4];
    int32_t count = ploy_rules_reason(rules, index, &rule, basis, 4);
    CHECK(count >= 0 && count <= 4);
    if (rule < 0) outside[index] = true;
    for (int32_t i = 0; i < count; i++) {
        CHECK(basis[i] >= 0 && basis[i] < index); // always older, so this ends
        mark_outside(t, rules, basis[i], outside);
    }
}

static void write_fact(const ploy_rules *rules, const ploy_fact *fact, ploy_buffer *out) {
    ploy_writer writer = ploy_buffer_writer(out);
    ploy_rules_write_fact(rules, fact, &writer);
}

// The facts from outside that the reasons of a fact come down to are enough: the rules make it from
// them alone.
TEST(the_grounds_of_every_fact_derive_it_again) {
    static const char text[] = "(defrule base (edge ?a ?b) => (assert (path ?a ?b)))\n"
                               "(defrule step (edge ?a ?b) (path ?b ?c) => (assert (path ?a ?c)))\n"
                               "(defrule ring (path ?a ?b) (path ?b ?a) => (assert (ring ?a)))\n";
    enum { FACTS_MAX = 400 };
    int64_t rounds = test_rounds(3);
    for (int64_t round = 0; round < rounds; round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round);
        ploy_env env = ploy_env_default();
        ploy_clips_def def = ploy_clips_def_default();
        ploy_clips *clips = NULL;
        def.audit = true;
        CHECK_OK(ploy_clips_create(&def, &env, &clips));
        CHECK_OK(ploy_clips_load(clips, text, sizeof text - 1, "x", NULL));
        CHECK_OK(ploy_clips_reset(clips));
        for (int32_t i = 0; i < 8; i++) {
            char edge[32];
            snprintf(edge, sizeof edge, "(edge %d %d)", ploy_rng_int(&rng, 0, 5),
                     ploy_rng_int(&rng, 0, 5));
            CHECK_OK(ploy_clips_load_facts(clips, edge, strlen(edge), "edges", NULL));
        }
        CHECK_OK(ploy_clips_run(clips, -1, NULL));
        ploy_rules *rules = ploy_clips_rules(clips);
        for (ploy_fact *fact = ploy_rules_next_fact(rules, NULL); fact != NULL;
             fact = ploy_rules_next_fact(rules, fact)) {
            bool outside[FACTS_MAX] = {false};
            ploy_buffer want, grounds, text_of;
            ploy_buffer_init(&want, 0, &env);
            ploy_buffer_init(&grounds, 0, &env);
            ploy_buffer_init(&text_of, 0, &env);
            CHECK(ploy_fact_index(fact) < FACTS_MAX);
            mark_outside(t, rules, ploy_fact_index(fact), outside);
            write_fact(rules, fact, &want);
            for (int64_t i = 0; i < FACTS_MAX; i++) {
                if (outside[i] && i > 0)
                    write_fact(rules, ploy_rules_find_fact(rules, i), &grounds);
            }
            ploy_clips *again = NULL;
            CHECK_OK(ploy_clips_create(&def, &env, &again));
            CHECK_OK(ploy_clips_load(again, text, sizeof text - 1, "x", NULL));
            CHECK_OK(ploy_clips_reset(again));
            CHECK_OK(ploy_clips_load_facts(again, ploy_buffer_text(&grounds), grounds.size,
                                           "grounds", NULL));
            CHECK_OK(ploy_clips_run(again, -1, NULL));
            bool found = false;
            const ploy_rules *made = ploy_clips_rules(again);
            for (ploy_fact *at = ploy_rules_next_fact(made, NULL); at != NULL && !found;
                 at = ploy_rules_next_fact(made, at)) {
                ploy_buffer_clear(&text_of);
                write_fact(made, at, &text_of);
                found = strcmp(ploy_buffer_text(&text_of), ploy_buffer_text(&want)) == 0;
            }
            CHECK(found);
            ploy_clips_destroy(again);
            ploy_buffer_fini(&want);
            ploy_buffer_fini(&grounds);
            ploy_buffer_fini(&text_of);
        }
        ploy_clips_destroy(clips);
    }
}

// No text hangs the caller or takes all memory, wherever its loop is.
TEST(a_program_that_never_ends_exceeds_a_limit) {
    static const struct {
        const char *row, *text;
        ploy_result load, reset, run;
    } rows[] = {
        {"a global that loops", "(defglobal ?*x* = (while TRUE do (+ 1 1)))", PLOY_ERR_LIMIT,
         PLOY_ERR_LIMIT, PLOY_OK},
        {"a loop without a body", "(defglobal ?*x* = (while TRUE do))", PLOY_ERR_LIMIT,
         PLOY_ERR_LIMIT, PLOY_OK},
        {"a loop that counts far", "(defrule r => (loop-for-count 1000000000000))", PLOY_OK,
         PLOY_OK, PLOY_ERR_LIMIT},
        {"a function that calls itself twice",
         "(deffunction f (?n) (if (> ?n 0) then (f (- ?n 1)) (f (- ?n 1))))\n"
         "(defrule r => (f 60))",
         PLOY_OK, PLOY_OK, PLOY_ERR_LIMIT},
        {"facts that call", "(deffacts d (a (while TRUE do (+ 1 1))))", PLOY_OK, PLOY_ERR_LIMIT,
         PLOY_OK},
        {"a list that doubles",
         "(defrule r => (bind ?x (create$ 1 2 3 4)) (while TRUE do (bind ?x (create$ ?x ?x))))",
         PLOY_OK, PLOY_OK, PLOY_ERR_LIMIT},
        {"a text that doubles",
         "(defrule r => (bind ?x \"1234\") (while TRUE do (bind ?x (str-cat ?x ?x))))", PLOY_OK,
         PLOY_OK, PLOY_ERR_LIMIT},
        {"facts without end", "(deffacts d (x 0)) (defrule r (x ?n) => (assert (x (+ ?n 1))))",
         PLOY_OK, PLOY_OK, PLOY_ERR_LIMIT},
        {"firings without end",
         "(deffacts d (x 0)) (defrule r ?f <- (x ?n) => (retract ?f) (assert (x (- 1 ?n))))",
         PLOY_OK, PLOY_OK, PLOY_ERR_LIMIT},
        {"comparisons without end",
         "(defrule m (x ?a) (y ?b&:(< ?b ?a)) => )\n"
         "(defrule r => (loop-for-count (?i 1 400) (assert (x ?i)) (assert (y (+ 1000 ?i)))))",
         PLOY_OK, PLOY_OK, PLOY_ERR_LIMIT},
        {"matches without end",
         "(defrule m (x ?a) (x ?b) (x ?c) (x ?d) (x ?e) (x ?f) => )\n"
         "(defrule r (declare (salience 1)) => (loop-for-count (?i 1 300) (assert (x ?i))))",
         PLOY_OK, PLOY_OK, PLOY_ERR_LIMIT},
    };
    ploy_clips_def standard = ploy_clips_def_default();
    CHECK(standard.work > 0 && standard.firings > 0 && standard.memory > 0);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_env env = ploy_env_default();
        ploy_clips_def def = ploy_clips_def_default();
        def.work = 100000;
        def.firings = 100000;
        def.memory = 16 << 20;
        ploy_clips *clips = NULL;
        CHECK_OK(ploy_clips_create(&def, &env, &clips));
        CHECK_INT(ploy_clips_load(clips, rows[i].text, strlen(rows[i].text), "x", NULL),
                  rows[i].load);
        CHECK_INT(ploy_clips_reset(clips), rows[i].reset);
        if (rows[i].run != PLOY_OK) CHECK_INT(ploy_clips_run(clips, -1, NULL), rows[i].run);
        // It is usable again: commands have limits of their own.
        static const char batch[] = "(clear) (while TRUE do (+ 1 1)) (printout t never crlf)";
        CHECK_INT(ploy_clips_batch(clips, batch, sizeof batch - 1, "b", false), PLOY_ERR_LIMIT);
        CHECK_OK(ploy_clips_batch(clips, "(clear)", 7, "b", false));
        CHECK_OK(ploy_clips_load(clips, "(defrule ok =>)", 15, "x", NULL));
        CHECK_OK(ploy_clips_reset(clips));
        CHECK_OK(ploy_clips_run(clips, -1, NULL));
        ploy_clips_destroy(clips);
    }
}

// Bytes that are no program at all, and programs with a few bytes changed.
TEST(broken_programs_do_no_harm) {
    int64_t rounds = test_rounds(300);
    for (int64_t round = 0; round < rounds; round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round);
        char text[sizeof whole_program];
        memcpy(text, whole_program, sizeof text);
        for (int32_t i = ploy_rng_int(&rng, 1, 6); i > 0; i--) {
            static const char odd[] = "()?$&|~\"=:;a1 \n<";
            text[ploy_rng_int(&rng, 0, (int32_t)sizeof text - 2)] =
                odd[ploy_rng_int(&rng, 0, (int32_t)sizeof odd - 2)];
        }
        ploy_env env = ploy_env_default();
        ploy_clips_def def = ploy_clips_def_default();
        def.work = 10000;
        ploy_clips *clips = NULL;
        CHECK_OK(ploy_clips_create(&def, &env, &clips));
        ploy_result result = ploy_clips_load(clips, text, sizeof text - 1, "x", NULL);
        CHECK(result == PLOY_OK || result == PLOY_ERR_FORMAT || result == PLOY_ERR_LIMIT);
        ploy_clips_reset(clips);
        ploy_clips_run(clips, 50, NULL);
        result = ploy_clips_batch(clips, text, sizeof text - 1, "x", true);
        CHECK(result == PLOY_OK || result == PLOY_ERR_LIMIT);
        ploy_clips_destroy(clips);
    }
}

TEST(queries_over_facts_print_what_clips_prints) {
    clips_test_batch(t, clips_test_queries, clips_test_queries_print);
}
