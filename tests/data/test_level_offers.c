// Offers of objects: as structs, as flags and as a planning domain.
#include "ploy/data/level_offers.h"

#include "tests/test.h"

static const char level_offers_text[] =
    "object table furniture 4 2\nobject ladder tool 1 1\nobject wood range 0 0 min=0 max=3\n"
    "offers table push makes=\"pushed := true\" costs=2 animation=shove\n"
    "offers table climb needs=\"pushed\" makes=\"high := true\" costs=1\n"
    "offers ladder climb makes=\"high := true\" costs=9\n"
    "offers table chop needs=\"!high && wood < 3\" makes=\"wood += 1\" costs=1\n";

static ploy_result level_offers_body(const ploy_env *env, void *arg) {
    test_context *t = arg;
    ploy_buffer bytes;
    ploy_level level;
    ploy_goap_type *domain = NULL;
    ploy_goap *planner = NULL;
    ploy_goap_def def = ploy_goap_def_default();
    ploy_goap_need goal[4];
    int32_t count = 0, plan[8];
    uint64_t world[4] = {0};
    ploy_buffer_init(&bytes, 0, env);
    ploy_result result = ploy_level_from_text(level_offers_text, sizeof level_offers_text - 1, "l",
                                              env, NULL, &bytes, &level);
    if (result == PLOY_OK) result = ploy_level_offers_domain(&level, env, NULL, &domain);
    if (result == PLOY_OK) result = ploy_goap_create(&def, domain, env, &planner);
    if (result == PLOY_OK) {
        result = ploy_goap_needs_text(domain, "high && wood >= 2", env, NULL, goal, 4, &count);
    }
    if (result == PLOY_OK) {
        ploy_goap_world_clear(domain, world);
        result = ploy_goap_run(planner, world, goal, count);
    }
    if (result == PLOY_OK) {
        // Two logs, then push the table and climb it: 2 + 2 + 1 is less than the ladder's 2 + 9.
        CHECK_INT(ploy_goap_plan(planner, plan, 8), 4);
        CHECK_SAME((float)ploy_goap_cost(planner), 5.0f);
        CHECK_TEXT(ploy_goap_type_action_id(domain, plan[3]), "climb table");
    }
    ploy_goap_destroy(planner);
    ploy_goap_type_destroy(domain);
    ploy_buffer_fini(&bytes);
    return result;
}

TEST(a_planner_uses_what_objects_offer) {
    CHECK_FAIL_NTH(level_offers_body, t);
}

TEST(reactive_characters_ask_what_an_object_offers) {
    ploy_env env = ploy_env_default();
    ploy_buffer bytes;
    ploy_level level;
    ploy_level_offer offer;
    int32_t at = 0;
    ploy_buffer_init(&bytes, 0, &env);
    CHECK_OK(ploy_level_from_text(level_offers_text, sizeof level_offers_text - 1, "l", &env, NULL,
                                  &bytes, &level));
    CHECK(ploy_level_offers_action(&level, "table", "push"));
    CHECK(!ploy_level_offers_action(&level, "ladder", "push"));
    CHECK(ploy_level_next_offer(&level, &at, &offer));
    CHECK_TEXT(offer.name, "table");
    CHECK_SAME(offer.position.x, 4.0f); // where the table is
    CHECK_INT(offer.by, ploy_level_find(&level, "table"));
    CHECK(offer.needs == NULL);
    CHECK_TEXT(ploy_level_word(&level, offer.object, "animation", ""), "shove");
    ploy_buffer_fini(&bytes);
}

TEST(faulty_offers_are_reported_by_action) {
    static const struct {
        const char *row, *text, *name;
    } rows[] = {
        {"no object", "offers x push makes=\"a := true\"\n", "push x"},
        {"not an effect", "object x box 1 1\noffers x push makes=\"a && b\"\n", "push x"},
        {"not a need", "object x box 1 1\noffers x push needs=\"a + 1\" makes=\"a := true\"\n",
         "push x"},
    };
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_buffer bytes;
        ploy_level level;
        ploy_diags *diags = NULL;
        ploy_goap_type *domain = NULL;
        ploy_buffer_init(&bytes, 0, &env);
        CHECK_OK(ploy_diags_create(4, &env, &diags));
        CHECK_OK(ploy_level_from_text(rows[i].text, strlen(rows[i].text), "l", &env, NULL, &bytes,
                                      &level));
        CHECK(ploy_level_offers_domain(&level, &env, diags, &domain) < 0);
        CHECK(domain == NULL);
        CHECK_TEXT(ploy_diags_get(diags, 0)->name, rows[i].name);
        ploy_diags_destroy(diags);
        ploy_buffer_fini(&bytes);
    }
}
