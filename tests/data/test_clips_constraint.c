// The facets of CLIPS's slots: the defaults they give, the faults they find, what lint tells.
#include "ploy/data/clips.h"
#include "tests/data/clips_test.h"

TEST(defaults_follow_from_the_facets) {
    static const struct {
        const char *slot, *want;
    } rows[] = {
        {"(slot x)", "nil"},
        {"(multislot x)", ""},
        {"(slot x (type INTEGER))", "0"},
        {"(slot x (type FLOAT))", "0.0"},
        {"(slot x (type STRING INTEGER))", "\"\""},
        {"(slot x (type INSTANCE-NAME))", "[nil]"},
        {"(slot x (allowed-symbols p q))", "p"},
        {"(slot x (allowed-values 1 b))", "b"}, // symbols come first
        {"(slot x (allowed-integers 5 6))", "nil"},
        {"(slot x (type NUMBER) (allowed-integers 5 6))", "5"},
        {"(slot x (type INTEGER) (range 3 9))", "3"},
        {"(slot x (type INTEGER) (range ?VARIABLE -3))", "-3"},
        {"(slot x (type FLOAT) (range 1.5 ?VARIABLE))", "1.5"},
        {"(slot x (type NUMBER) (range 2.5 5))", "2"},
        {"(slot x (range 3 9))", "nil"},
        {"(multislot x (type INTEGER) (cardinality 2 3))", "0 0"},
        {"(multislot x (allowed-symbols k l) (cardinality 1 ?VARIABLE))", "k"},
        {"(slot x (type INTEGER) (default 7))", "7"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        char text[256], want[128];
        t->row = rows[i].slot;
        snprintf(text, sizeof text, "(deftemplate a %s)\n(assert (a))\n(facts)\n", rows[i].slot);
        snprintf(want, sizeof want,
                 "f-0     (initial-fact)\nf-1     (a (x%s%s))\nFor a total of 2 facts.\n",
                 rows[i].want[0] == '\0' ? "" : " ", rows[i].want);
        clips_test_batch(t, text, want);
    }
}

static const char templates[] =
    "(deftemplate a (slot x (type SYMBOL)) (slot y (type INTEGER) (range 1 5))\n"
    " (slot z (allowed-symbols p q)) (multislot m (cardinality 2 3)))\n"
    "(deftemplate b (slot x (type STRING)) (slot y))\n";

// The first fault of a program, and how often it is told.
static void check_fault(test_context *t, const char *text, const char *want) {
    ploy_env env = ploy_env_default();
    ploy_clips_def def = ploy_clips_def_default();
    ploy_clips *clips = NULL;
    ploy_diags *diags = NULL;
    CHECK_OK(ploy_clips_create(&def, &env, &clips));
    CHECK_OK(ploy_diags_create(8, &env, &diags));
    CHECK_OK(ploy_clips_load(clips, templates, sizeof templates - 1, "t", diags));
    CHECK_INT(ploy_clips_load(clips, text, strlen(text), "t", diags),
              want == NULL ? PLOY_OK : PLOY_ERR_FORMAT);
    const ploy_diag *diag = ploy_diags_get(diags, 0);
    CHECK(want == NULL ? diag == NULL : diag != NULL);
    if (want != NULL && diag != NULL && strstr(diag->message, want) == NULL) {
        CHECK_TEXT(diag->message, want);
    }
    ploy_diags_destroy(diags);
    ploy_clips_destroy(clips);
}

TEST(what_contradicts_the_facets_is_told) {
    static const struct {
        const char *text, *want;
    } rows[] = {
        {"(defrule r (a (x ?k) (y ?n&~3)) (a (m $?x) (z ~p)) =>)", NULL},
        {"(defrule r (a (x 3)) =>)", "[CSTRNCHK1] A literal restriction value found in CE #1"},
        {"(defrule r (a (y 9)) =>)", "does not fall in the allowed range 1 to 5 for slot y."},
        {"(defrule r (a (z k)) =>)", "does not match the allowed values for slot z."},
        {"(defrule r (a (m ?)) =>)", "does not satisfy the cardinality restrictions for slot m."},
        {"(defrule r (a (x ?k)) (b (x ?k)) =>)", "[RULECSTR1] Variable ?k in CE #2 slot x"},
        {"(defrule r (a (z ~p&~q&?x&:(stringp ?x))) =>)", "[ANALYSIS4] Variable ?x"},
        {"(defrule r (c a&b) =>)", "[RULECSTR1] Pattern #1 field #1"},
        {"(defrule r (a (x ?k)) (test (> ?k 2)) =>)", "[RULECSTR2] Previous variable bindings"},
        {"(defrule r (a (x ?k)) => (+ 1 ?k))", "[RULECSTR3] Previous variable bindings of ?k"},
        {"(defrule r (a (x ?k)) => (+ 1 ?k) (bind ?k 3))", NULL},
        {"(defrule r (a (x ?k)) => (loop-for-count (?k 1 3) (+ 1 ?k)))", NULL},
        {"(defrule r (a (x ?k)) => (printout t ?j))", "[PRCCODE3] Undefined variable j"},
        // Tests in a row are one, which hands nothing on to itself.
        {"(defrule r (b (y ?k)) (test (evenp ?k)) (test (upcase ?k)) =>)", NULL},
        {"(defrule r (b (y ?k)) (test (evenp ?k)) (b) (test (upcase ?k)) =>)", "[RULECSTR2]"},
        {"(defrule r (a (m $?k)) (b (y ?k)) =>)", "[ANALYSIS3] Variable ?k"},
        {"(defrule r ?f <- (a) ?f <- (b) =>)", "[ANALYSIS1] Duplicate pattern-address ?f"},
        {"(defrule r ?f <- (a) => (modify ?f (x 3)))", "found in the modify command"},
        {"(defrule r (a) => (assert (a (x 3))))", "found in the assert command"},
        {"(deffacts d (a (m 1)))", "[CSTRNCHK1] Literal slot values found in the assert command"},
        {"(deftemplate e (slot x (type FOO)))", "syntax for type attribute"},
        {"(deftemplate e (slot x (type SYMBOL) (range 1 2)))", "[CSTRNPSR1] The type attribute"},
        {"(deftemplate e (slot x (range 5 2)))", "[CSTRNPSR2] Minimum range value"},
        {"(deftemplate e (slot x (allowed-values a) (allowed-symbols b)))", "[CSTRNPSR3]"},
        {"(deftemplate e (slot x (allowed-symbols 3)))", "[CSTRNPSR4] Value does not match"},
        {"(deftemplate e (slot x (cardinality 1 2)))", "[CSTRNPSR5] The cardinality attribute"},
        {"(deftemplate e (multislot x (cardinality -1 2)))", "[CSTRNPSR6] Minimum cardinality"},
        {"(deftemplate e (multislot x (cardinality 999999999 ?VARIABLE)))", "too many values"},
        {"(deftemplate e (slot x (type INTEGER) (default abc)))", "in the default attribute"},
        {"(deftemplate e (slot x (type SYMBOL) (type SYMBOL)))", "[PRNTUTIL5]"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].text;
        check_fault(t, rows[i].text, rows[i].want);
    }
}

TEST(checking_can_be_switched_off) {
    clips_test_batch(t,
                     "(deftemplate a (slot x (type SYMBOL)))\n"
                     "(printout t (get-static-constraint-checking) crlf)\n"
                     "(set-static-constraint-checking FALSE)\n"
                     "(defrule r (a (x 3)) => (assert (a (x 4))))\n(rules)\n"
                     "(set-static-constraint-checking TRUE)\n(defrule s (a (x a&b)) =>)\n(rules)\n",
                     "TRUE\nr\nFor a total of 1 defrule.\n"
                     "\n[RULECSTR1] Pattern #1 slot x\n"
                     "has constraint conflicts which make the pattern unmatchable.\n\nERROR:\n"
                     "(defrule MAIN::s\n   (a (x a&b))\n   =>)\nr\nFor a total of 1 defrule.\n");
}

static ploy_result load_all(const ploy_env *env, void *user) {
    static const char rules[] =
        "(defrule r ?f <- (a (x ?k&b|c) (y ?n&:(> ?n 2)) (m ? $?s)) (or (b (y ?n)) (c ~?k))\n"
        " (not (and (b (y ?u&~3)) (c ?u))) (test (< ?n 9))\n"
        " => (bind ?z (+ ?n 1)) (modify ?f (y 3)) (printout t ?z (length$ ?s) crlf))\n";
    (void)user;
    ploy_clips_def def = ploy_clips_def_default();
    ploy_clips *clips = NULL;
    ploy_result result = ploy_clips_create(&def, env, &clips);
    if (result == PLOY_OK) {
        result = ploy_clips_load(clips, templates, sizeof templates - 1, "t", NULL);
    }
    if (result == PLOY_OK) result = ploy_clips_load(clips, rules, sizeof rules - 1, "t", NULL);
    ploy_clips_destroy(clips);
    return result == PLOY_ERR_FORMAT ? PLOY_ERR_MEMORY : result;
}

TEST(short_memory_is_a_result_for_constraints) {
    CHECK_FAIL_NTH(load_all, NULL);
}
