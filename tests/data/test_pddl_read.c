// Reading PDDL: every fault has its place and the nearest name, and nothing half-read comes out.
#include "ploy/data/pddl.h"
#include "tests/test.h"

static const char domain_text[] = "(define (domain d)\n"
                                  "  (:requirements :strips :typing)\n"
                                  "  (:types box place - thing)\n"
                                  "  (:predicates (at ?b - box ?p - place) (clear ?p - place))\n"
                                  "  (:action move :parameters (?b - box ?f ?t - place)\n"
                                  "    :precondition (and (at ?b ?f) (clear ?t))\n"
                                  "    :effect (and (at ?b ?t) (not (at ?b ?f)) (clear ?f)\n"
                                  "                 (not (clear ?t)))))\n";
static const char problem_text[] = "(define (problem p) (:domain d)\n"
                                   "  (:objects a b - box x y z - place)\n"
                                   "  (:init (at a x) (at b y) (clear z))\n"
                                   "  (:goal (and (at a y) (at b x))))\n";

static ploy_pddl_text text_of(const char *text, const char *name) {
    ploy_pddl_text made = {text, strlen(text), name};
    return made;
}

static ploy_result load(const char *domain, const char *problem, const ploy_env *env,
                        ploy_diags *diags, ploy_pddl **out) {
    ploy_pddl_def def = ploy_pddl_def_default();
    return ploy_pddl_load(&def, text_of(domain, "d.pddl"), text_of(problem, "p.pddl"), env, diags,
                          out);
}

// The text with the first `from` replaced.
static const char *edited(const char *text, const char *from, const char *to) {
    static char made[4096];
    const char *at = from != NULL ? strstr(text, from) : NULL;
    if (at == NULL) return text;
    snprintf(made, sizeof made, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    return made;
}

TEST(faults_are_told_with_place_and_nearest_name) {
    static const struct {
        const char *row, *from, *to;
        bool problem;
        const char *want;
    } rows[] = {
        {"predicate", "(clear ?t))\n    :eff", "(cleer ?t))\n    :eff", false,
         "d.pddl:6:36: error: unknown predicate 'cleer' (did you mean 'clear'?)"},
        {"parameter", "(at ?b ?f) (c", "(at ?b ?g) (c", false,
         "d.pddl:6:31: error: unknown parameter '?g' (did you mean '?b'?)"},
        {"type", "?b - box ?f", "?b - bax ?f", false,
         "d.pddl:5:35: error: unknown type 'bax' (did you mean 'box'?)"},
        {"terms", "(clear ?f)", "(clear ?f ?t)", false,
         "d.pddl:7:47: error: wrong number of terms for 'clear'"},
        {"requirement", ":typing", ":typin", false,
         "d.pddl:2:26: error: unsupported requirement ':typin' (did you mean ':typing'?)"},
        {"beyond", "(and (at ?b ?f)", "(or (at ?b ?f)", false,
         "d.pddl:6:20: error: unsupported formula 'or'; expected and, not, = and atoms"},
        {"part of an action", ":effect", ":efect", false,
         "d.pddl:7:5: error: unknown part of an action ':efect'; expected :parameters, "
         ":precondition or :effect (did you mean ':effect'?)"},
        {"part", "(:predicates", "(:predicate", false,
         "d.pddl:4:4: error: unknown part ':predicate' (did you mean ':predicates'?)"},
        {"open bracket", "(:types box", "((:types box", false,
         "d.pddl:1:1: error: unclosed '('; expected )"},
        {"closing bracket", "(define (domain d)", ")(define (domain d)", false,
         "d.pddl:1:1: error: unexpected ')'"},
        {"beginning", "define", "defin", false,
         "d.pddl:1:1: error: unexpected start of the file; expected (define (domain NAME)"},
        {"object", "(at a x)", "(at aa x)", true,
         "p.pddl:3:14: error: unknown object 'aa' (did you mean 'a'?)"},
        {"domain", "(:domain d)", "(:domain e)", true,
         "p.pddl:1:30: error: problem is for another domain: 'e'; expected d"},
        {"no goal", "(:goal (and (at a y) (at b x)))", "", true,
         "p.pddl:1:1: error: missing goal; expected (:goal ...)"},
    };
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_diags *diags = NULL;
        ploy_pddl *pddl = NULL;
        char text[700];
        CHECK_OK(ploy_diags_create(60, &env, &diags));
        const char *changed =
            edited(rows[i].problem ? problem_text : domain_text, rows[i].from, rows[i].to);
        CHECK_INT(load(rows[i].problem ? domain_text : changed,
                       rows[i].problem ? changed : problem_text, &env, diags, &pddl),
                  PLOY_ERR_FORMAT);
        CHECK(pddl == NULL);
        CHECK(ploy_diags_count(diags) >= 1);
        (void)ploy_diag_print(ploy_diags_get(diags, 0), text, sizeof text);
        CHECK_TEXT(text, rows[i].want);
        ploy_diags_destroy(diags);
    }
}

TEST(all_faults_of_a_file_are_told_at_once) {
    ploy_env env = ploy_env_default();
    ploy_diags *diags = NULL;
    ploy_pddl *pddl = NULL;
    CHECK_OK(ploy_diags_create(60, &env, &diags));
    CHECK_INT(load(domain_text,
                   "(define (problem p) (:domain d) (:objects a - bux x - place)\n"
                   "(:init (at a q) (att a x) (at a))\n(:goal (at a r)) (:gaol))",
                   &env, diags, &pddl),
              PLOY_ERR_FORMAT);
    CHECK_INT(ploy_diags_count(diags), 6);
    ploy_diags_destroy(diags);
}

// Found by fuzzing: a parameter that is no name was offered as what may have been meant.
TEST(a_parameter_that_is_no_name_is_a_fault_and_not_a_suggestion) {
    ploy_env env = ploy_env_default();
    ploy_diags *diags = NULL;
    ploy_pddl *pddl = NULL;
    char domain[1024];
    CHECK_OK(ploy_diags_create(8, &env, &diags));
    snprintf(domain, sizeof domain,
             "(define (domain d) (:predicates (p ?x))\n(:action a :parameters (?%080d)\n"
             ":precondition (p ?y) :effect (p ?y)))",
             7);
    CHECK_INT(load(domain, problem_text, &env, diags, &pddl), PLOY_ERR_FORMAT);
    CHECK(pddl == NULL);
    CHECK(ploy_diags_count(diags) >= 3);
    ploy_diags_destroy(diags);
}

TEST(every_cut_of_a_file_is_refused_or_whole) {
    ploy_env env = ploy_env_default();
    char part[sizeof domain_text];
    for (size_t size = 0; size < sizeof domain_text - 1; size++) {
        ploy_pddl *pddl = NULL;
        memcpy(part, domain_text, size);
        part[size] = '\0';
        ploy_result result = load(part, problem_text, &env, NULL, &pddl);
        // Only the newline at its end may be missing.
        CHECK_INT(result, size == sizeof domain_text - 2 ? PLOY_OK : PLOY_ERR_FORMAT);
        ploy_pddl_destroy(pddl);
    }
    ploy_pddl_def def = ploy_pddl_def_default();
    ploy_pddl_text none = {NULL, 0, NULL};
    ploy_pddl *pddl = NULL;
    CHECK_INT(ploy_pddl_load(&def, none, none, &env, NULL, &pddl), PLOY_ERR_FORMAT);
}

static ploy_result load_once(const ploy_env *env, void *arg) {
    ploy_pddl *pddl = NULL;
    (void)arg;
    ploy_result result = load(domain_text, problem_text, env, NULL, &pddl);
    ploy_pddl_destroy(pddl);
    return result;
}

TEST(loading_survives_every_failing_allocation) {
    CHECK_FAIL_NTH(load_once, NULL);
}
