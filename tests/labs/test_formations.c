// The lab `formations`: the group gets into every shape, closes ranks, and the run rewinds.
#include "tests/labs/lab_test.h"

static ploy_sim *formations_start(test_context *t, const char *shape, const char *members,
                                  const ploy_env *env) {
    const ploy_sim_type *type = ploy_sim_type_find(ploy_labs(), "formations", NULL);
    static unsigned char params[1024];
    CHECK(type->fields().size <= sizeof params);
    ploy_fields_default(type->fields(), params);
    CHECK_OK(ploy_fields_set_text(type->fields(), params, "moving", "false", NULL));
    CHECK_OK(ploy_fields_set_text(type->fields(), params, "shape.shape", shape, NULL));
    CHECK_OK(ploy_fields_set_text(type->fields(), params, "members", members, NULL));
    ploy_sim_def def = ploy_sim_def_default();
    def.seed = 7;
    ploy_sim *sim = NULL;
    CHECK_OK(ploy_sim_create(&def, type, params, NULL, env, &sim));
    return sim;
}

// How far the worst placed member is off its slot, and how many members there are.
typedef struct formations_seen {
    double worst;
    int32_t members;
} formations_seen;

static void formations_begin(void *user, const char *name, ploy_id owner) {
    formations_seen *seen = user;
    (void)name;
    seen->members += !ploy_id_is_none(owner);
}
static void formations_end(void *user) {
    (void)user;
}
static void formations_value(void *user, const char *name, ploy_mark mark,
                             const ploy_value *value) {
    formations_seen *seen = user;
    char text[64];
    (void)mark;
    ploy_value_print(value, text, sizeof text);
    if (strcmp(name, "farthest off its slot") != 0) return;
    if (sscanf(text, "%lf", &seen->worst) != 1) seen->worst = INFINITY;
}

static formations_seen formations_look(const ploy_sim *sim) {
    formations_seen seen = {INFINITY, 0};
    ploy_describe sink = {formations_begin, formations_end, formations_value, &seen};
    ploy_sim_describe(sim, &sink);
    return seen;
}

TEST(the_group_gets_into_every_shape_at_rest) {
    static const char *const shapes[] = {"line",    "column", "v",      "wedge",
                                         "fingers", "block",  "circle", "rings"};
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < COUNT_OF(shapes); i++) {
        t->row = shapes[i];
        ploy_sim *sim = formations_start(t, shapes[i], "5", &env);
        lab_send_at(t, sim, "target", -14.0f, -2.0f); // clear of the obstacles
        lab_run(t, sim, 1800);
        formations_seen seen = formations_look(sim);
        CHECK_INT(seen.members, 5);
        CHECK(seen.worst < 0.7);
        ploy_sim_destroy(sim);
    }
}

TEST(members_that_fall_leave_no_gap_and_the_run_rewinds) {
    ploy_env env = ploy_env_default();
    ploy_sim *sim = formations_start(t, "wedge", "9", &env);
    lab_run(t, sim, 200);
    ploy_input input;
    memset(&input, 0, sizeof input);
    input.kind = PLOY_INPUT_COMMAND;
    input.name = "fall";
    for (int i = 0; i < 12; i++) CHECK_OK(ploy_sim_step(sim, &input, 1, NULL));
    CHECK_INT(formations_look(sim).members, 1); // the last one stays
    ploy_sim_destroy(sim);
    sim = formations_start(t, "rings", "30", &env);
    lab_run(t, sim, 100);
    lab_check_rewind(t, sim, 200);
    ploy_sim_destroy(sim);
    char name[] = "formations";
    CHECK_FAIL_NTH(lab_create, name);
}
