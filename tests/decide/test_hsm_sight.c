// Doubts about hierarchical machines.
#include "ploy/decide/hsm.h"
#include "tests/test.h"

static void sight_state(ploy_hsm_type *type, const char *id, const char *parent,
                        ploy_hsm_kind kind) {
    (void)ploy_hsm_type_state(type, id, ploy_hsm_type_find(type, parent), kind, NULL,
                              ploy_maker_none());
}

static void sight_rule(ploy_hsm_type *type, const char *id, const char *from, const char *on,
                       const char *to) {
    ploy_hsm_state target = ploy_hsm_type_find(type, to);
    ploy_hsm_rule rule =
        ploy_hsm_rule_make(id, ploy_hsm_type_find(type, from), on, to != NULL ? &target : NULL);
    (void)ploy_hsm_type_add(type, &rule);
}

TEST(lint_finds_what_is_never_reached_left_or_taken) {
    ploy_env env = ploy_env_default();
    ploy_hsm_def def = ploy_hsm_def_default();
    ploy_hsm_type *type = NULL;
    ploy_diags *diags = NULL;
    CHECK_OK(ploy_hsm_type_create(&def, NULL, &env, &type));
    CHECK_OK(ploy_diags_create(20, &env, &diags));
    CHECK_INT(ploy_hsm_type_lint(type, diags), PLOY_ERR_STATE);
    sight_state(type, "a", "", PLOY_HSM_STATE);
    sight_state(type, "a1", "a", PLOY_HSM_STATE); // left through a
    sight_state(type, "p", "", PLOY_HSM_PARALLEL);
    sight_state(type, "p1", "p", PLOY_HSM_STATE); // left through p2's rule
    sight_state(type, "p2", "p", PLOY_HSM_STATE);
    sight_state(type, "lost", "", PLOY_HSM_STATE);
    sight_state(type, "lost1", "lost", PLOY_HSM_STATE);
    sight_state(type, "end", "", PLOY_HSM_STATE);
    sight_state(type, "over", "", PLOY_HSM_FINAL);
    sight_rule(type, "go", "a", "e", "p");
    sight_rule(type, "again", "a", "e.f", "end"); // "go" answers it already
    sight_rule(type, "other", "a", "x", "over");
    sight_rule(type, "out", "p2", "y", "end");
    sight_rule(type, "from lost", "lost1", "z", "a");
    CHECK_OK(ploy_hsm_type_finish(type));
    static const char *const want[] = {"unreachable state 'lost'", "unreachable state 'lost1'",
                                       "state has no rule out of it: 'end'",
                                       "rule is never taken, an earlier one always is: 'again'"};
    ploy_diags_clear(diags);
    CHECK_INT(ploy_hsm_type_lint(type, diags), COUNT_OF(want));
    for (size_t i = 0; i < COUNT_OF(want); i++) {
        CHECK_TEXT(ploy_diags_get(diags, (int32_t)i)->message, want[i]);
    }
    ploy_diags_destroy(diags);
    ploy_hsm_type_destroy(type);
}
