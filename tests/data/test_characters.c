#include "data/data_internal.h"
#include "ploy/data/characters.h"

#include "tests/test.h"

typedef struct walk_def {
    uint32_t cookie;
    float speed;
    int32_t legs;
} walk_def;

static const ploy_field walk_table[] = {
    PLOY_FIELD_F32(walk_def, speed, 1, 0, 10, "m/s", "how fast"),
    PLOY_FIELD_I32(walk_def, legs, 2, 1, 8, "", "how many"),
};

static ploy_fields walk_fields(void) {
    return PLOY_FIELDS(walk_def, walk_table);
}

static ploy_result mind_step(void *self, ploy_step_context *context, ploy_status *status) {
    (void)self, (void)context;
    *status = PLOY_STATUS_SUCCESS;
    return PLOY_OK;
}

static ploy_result mind_make(void *user, const ploy_env *env, ploy_behavior *out) {
    static const ploy_behavior_type type = {.name = "mind", .step = mind_step};
    (void)env;
    out->type = &type;
    out->self = user;
    return PLOY_OK;
}

static const ploy_blackboard_key crew_keys[] = {
    {"health", PLOY_VALUE_F32, {PLOY_VALUE_F32, {.f32 = 100}}, NULL},
    {"post", PLOY_VALUE_VEC2, {PLOY_VALUE_NONE, {0}}, NULL},
};

static const char crew_file[] =
    "{ // a crew\n"
    "  \"characters\": {\n"
    "    \"soldier\": { \"layout\": \"crew\", \"values\": { \"health\": 80, \"post\": [1, 2] },\n"
    "                 \"mind\": \"guard\", \"settings\": { \"walk\": { \"speed\": 3 } } },\n"
    "    \"sergeant\": { \"like\": \"soldier\", \"values\": { \"health\": 120 },\n"
    "                  \"settings\": { \"walk\": { \"legs\": 4 } } },\n"
    "    \"ghost\": { \"mind\": \"wander\", \"help\": \"nobody knows it\" },\n"
    "  }\n"
    "}\n";

typedef struct crew {
    ploy_setup_layout layouts[1];
    ploy_character_mind minds[2];
    ploy_character_section sections[1];
    ploy_character_source source;
} crew;

static ploy_result crew_open(crew *it, const ploy_env *env, ploy_blackboard_layout **layout) {
    static int32_t users[2];
    ploy_result result = ploy_blackboard_layout_create(crew_keys, 2, "crew", env, NULL, layout);
    it->layouts[0] = (ploy_setup_layout){"crew", *layout};
    it->minds[0] = (ploy_character_mind){"guard", ploy_maker_of(mind_make, &users[0])};
    it->minds[1] = (ploy_character_mind){"wander", ploy_maker_of(mind_make, &users[1])};
    it->sections[0] = (ploy_character_section){"walk", walk_fields};
    it->source = (ploy_character_source){it->layouts, 1, it->minds, 2, it->sections, 1};
    return result;
}

// ENG-13
TEST(kinds_are_made_as_the_file_says) {
    ploy_env env = ploy_env_default();
    ploy_blackboard_layout *layout = NULL;
    ploy_characters *them = NULL;
    crew it;
    CHECK_OK(crew_open(&it, &env, &layout));
    CHECK_OK(ploy_characters_load(crew_file, strlen(crew_file), "crew.json", &it.source, &env, NULL,
                                  &them));
    static const struct {
        const char *name, *mind;
        float health, x, speed;
        int32_t legs;
    } rows[] = {
        {"soldier", "guard", 80, 1, 3, 2},
        {"sergeant", "guard", 120, 1, 3, 4},
        {"ghost", "wander", -1, 0, 1, 2},
    };
    CHECK_INT(ploy_characters_count(them), COUNT_OF(rows));
    for (int32_t i = 0; i < (int32_t)COUNT_OF(rows); i++) {
        t->row = rows[i].name;
        CHECK_TEXT(ploy_characters_name(them, i), rows[i].name);
        CHECK_INT(ploy_characters_find(them, rows[i].name), i);
        CHECK_TEXT(ployi_characters_mind(them, i), rows[i].mind);
        const walk_def *walk = ploy_characters_settings(them, i, "walk");
        CHECK(walk != NULL);
        CHECK_SAME(walk->speed, rows[i].speed);
        CHECK_INT(walk->legs, rows[i].legs);
        CHECK(ploy_characters_settings(them, i, "swim") == NULL);
        ploy_blackboard *board = NULL;
        ploy_behavior mind;
        CHECK_OK(ploy_characters_make(them, i, &env, &board, &mind));
        CHECK(mind.self == it.minds[i == 2].maker.user);
        CHECK_INT(board != NULL, rows[i].health >= 0);
        if (board != NULL) {
            float post[4];
            CHECK_SAME(
                ploy_blackboard_get_f32(board, ploy_blackboard_layout_find(layout, "health")),
                rows[i].health);
            ploy_blackboard_get_vec(board, ploy_blackboard_layout_find(layout, "post"), post);
            CHECK_SAME(post[0], rows[i].x);
        }
        ploy_behavior_destroy(mind);
        ploy_blackboard_destroy(board);
    }
    ploy_blackboard *board = NULL;
    ploy_behavior mind;
    CHECK_INT(ploy_characters_make(them, 3, &env, &board, &mind), PLOY_ERR_NOT_FOUND);
    CHECK_INT(ploy_characters_find(them, "nobody"), -1);
    CHECK(ploy_characters_name(them, -1) == NULL);
    ploy_characters_destroy(them);
    ploy_blackboard_layout_destroy(layout);
}

TEST(all_faults_of_a_file_are_told_at_once) {
    static const char text[] =
        "{ \"characters\": {\n"
        "  \"a\": { \"layout\": \"crw\" },\n"
        "  \"b\": { \"mind\": \"gard\", \"nind\": 3 },\n"
        "  \"c\": { \"layout\": \"crew\", \"values\": { \"helth\": 3 } },\n"
        "  \"d\": { \"settings\": { \"wlk\": {}, \"walk\": { \"legs\": 99 } } },\n"
        "  \"e\": { \"like\": \"f\" },\n"
        "  \"f\": { \"values\": { \"health\": 1 } },\n"
        "  \"g\": 7\n"
        "} }";
    static const struct {
        int32_t line;
        const char *nearest;
    } want[] = {{2, "crew"}, {3, "mind"}, {3, "guard"}, {4, "health"}, {5, "walk"},
                {5, ""},     {6, ""},     {7, ""},      {8, ""}};
    ploy_env env = ploy_env_default();
    ploy_blackboard_layout *layout = NULL;
    ploy_characters *them = NULL;
    ploy_diags *diags = NULL;
    crew it;
    CHECK_OK(crew_open(&it, &env, &layout));
    CHECK_OK(ploy_diags_create(32, &env, &diags));
    CHECK_INT(ploy_characters_load(text, strlen(text), "bad.json", &it.source, &env, diags, &them),
              PLOY_ERR_FORMAT);
    CHECK(them == NULL);
    size_t errors = 0;
    for (int32_t i = 0; i < ploy_diags_count(diags); i++) {
        const ploy_diag *diag = ploy_diags_get(diags, i);
        if (diag->severity != PLOY_SEVERITY_ERROR) continue;
        CHECK(errors < COUNT_OF(want));
        CHECK_INT(diag->line, want[errors].line);
        CHECK(diag->column > 0);
        if (want[errors].nearest[0] != '\0') CHECK_TEXT(diag->nearest, want[errors].nearest);
        errors++;
    }
    CHECK_INT(errors, COUNT_OF(want));
    static const char *const broken[] = {"", "[]", "{}", "{\"characters\": 3}",
                                         "{\"characters\": {"};
    for (size_t i = 0; i < COUNT_OF(broken); i++) {
        t->row = broken[i];
        CHECK_INT(
            ploy_characters_load(broken[i], strlen(broken[i]), "x", &it.source, &env, NULL, &them),
            PLOY_ERR_FORMAT);
    }
    ploy_diags_destroy(diags);
    ploy_blackboard_layout_destroy(layout);
}

static ploy_result crew_load(const ploy_env *env, void *arg) {
    const crew *it = arg;
    ploy_characters *them = NULL;
    ploy_blackboard *board = NULL;
    ploy_behavior mind = {NULL, NULL};
    ploy_result result = ploy_characters_load(crew_file, strlen(crew_file), "crew.json",
                                              &it->source, env, NULL, &them);
    if (result == PLOY_OK) result = ploy_characters_make(them, 1, env, &board, &mind);
    ploy_blackboard_destroy(board);
    ploy_characters_destroy(them);
    return result;
}

TEST(every_failing_allocation_is_survived) {
    ploy_env env = ploy_env_default();
    ploy_blackboard_layout *layout = NULL;
    crew it;
    CHECK_OK(crew_open(&it, &env, &layout));
    CHECK_FAIL_NTH(crew_load, &it);
    ploy_blackboard_layout_destroy(layout);
}
