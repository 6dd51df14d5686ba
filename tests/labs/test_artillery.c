// The lab `artillery`: the gun hits through air, says when it cannot, and the run rewinds.
#include "tests/labs/lab_test.h"

static ploy_sim *artillery_start(test_context *t, const char *field, const char *value,
                                 const ploy_env *env) {
    const ploy_sim_type *type = ploy_sim_type_find(ploy_labs(), "artillery", NULL);
    static unsigned char params[1024];
    CHECK(type->fields().size <= sizeof params);
    ploy_fields_default(type->fields(), params);
    // Nobody catches anything, so that every shell comes down.
    CHECK_OK(ploy_fields_set_text(type->fields(), params, "incoming.catch_height", "0", NULL));
    CHECK_OK(ploy_fields_set_text(type->fields(), params, field, value, NULL));
    ploy_sim_def def = ploy_sim_def_default();
    def.seed = 7;
    ploy_sim *sim = NULL;
    CHECK_OK(ploy_sim_create(&def, type, params, NULL, env, &sim));
    return sim;
}

// A described number by name.
typedef struct artillery_seen {
    const char *name;
    double number;
} artillery_seen;

static void artillery_begin(void *user, const char *name, ploy_id owner) {
    (void)user, (void)name, (void)owner;
}
static void artillery_end(void *user) {
    (void)user;
}
static void artillery_value(void *user, const char *name, ploy_mark mark, const ploy_value *value) {
    artillery_seen *seen = user;
    char text[64];
    (void)mark;
    ploy_value_print(value, text, sizeof text);
    if (strcmp(name, seen->name) != 0) return;
    if (sscanf(text, "%lf", &seen->number) != 1) seen->number = -1.0;
}

static double artillery_number(const ploy_sim *sim, const char *name) {
    artillery_seen seen = {name, -1.0};
    ploy_describe sink = {artillery_begin, artillery_end, artillery_value, &seen};
    ploy_sim_describe(sim, &sink);
    return seen.number;
}

TEST(every_shot_hits_through_drag_and_wind) {
    static const struct {
        const char *row, *field, *value;
    } rows[] = {{"still air", "flight.drag", "0"},
                {"drag", "flight.drag", "0.15"},
                {"drag by the square", "flight.drag_squared", "0.005"},
                {"the high arc", "aim.arc", "high"}};
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_sim *sim = artillery_start(t, rows[i].field, rows[i].value, &env);
        lab_run(t, sim, 1500);
        double shots = artillery_number(sim, "shots"), hits = artillery_number(sim, "hits");
        CHECK(shots >= 10.0);
        CHECK(hits >= shots - 4.0);                  // the last are still in the air
        lab_send_at(t, sim, "target", 19.0f, 18.0f); // high and far
        lab_run(t, sim, 500);
        CHECK_NEAR(artillery_number(sim, "shots"), shots, 3.0);
        ploy_sim_destroy(sim);
    }
}

TEST(artillery_rewinds_and_survives_short_memory) {
    ploy_env env = ploy_env_default();
    ploy_sim *sim = artillery_start(t, "period", "0.4", &env);
    lab_run(t, sim, 200);
    lab_check_rewind(t, sim, 300);
    ploy_sim_destroy(sim);
    char name[] = "artillery";
    CHECK_FAIL_NTH(lab_create, name);
}
