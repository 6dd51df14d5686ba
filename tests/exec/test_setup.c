#include "exec/exec_internal.h"
#include "ploy/exec/setup.h"

#include "tests/exec/engine_probe.h"
#include "tests/test.h"

typedef struct walk_def {
    uint32_t cookie;
    float speed;
    int32_t legs;
} walk_def;

static const ploy_field walk_field_table[] = {
    PLOY_FIELD_F32(walk_def, speed, 1, 0, 10, "m/s", "how fast"),
    PLOY_FIELD_I32(walk_def, legs, 2, 1, 8, "", "how many"),
};

static ploy_fields walk_fields(void) {
    return PLOY_FIELDS(walk_def, walk_field_table);
}

// What the factories made.
typedef struct made {
    probe probes[8];
    walk_def params[8];
    char who[8][16];
    int32_t count, limit;
} made;

static ploy_result make_probe(void *user, const void *params, const ploy_setup_character *who,
                              const ploy_env *env, ploy_behavior *out) {
    made *m = user;
    (void)env;
    if (m->count >= m->limit) return PLOY_ERR_LIMIT;
    if (params != NULL) m->params[m->count] = *(const walk_def *)params;
    snprintf(m->who[m->count], sizeof m->who[0], "%s", who->name);
    out->type = &probe_type;
    out->self = &m->probes[m->count++];
    return PLOY_OK;
}

typedef struct bench {
    ploy_setup_kind kinds[2];
    ploy_setup_layout layouts[1];
    ploy_setup_source source;
    ploy_blackboard_layout *layout;
    made made;
} bench;

static const ploy_blackboard_key bench_keys[] = {
    {"health", PLOY_VALUE_F32, {0}, NULL}, {"alert", PLOY_VALUE_BOOL, {0}, NULL},
    {"post", PLOY_VALUE_VEC2, {0}, NULL},  {"rank", PLOY_VALUE_NAME, {0}, NULL},
    {"kills", PLOY_VALUE_I64, {0}, NULL},  {"friend", PLOY_VALUE_ID, {0}, NULL},
};

static ploy_result bench_make(bench *b, const ploy_env *env) {
    memset(b, 0, sizeof *b);
    b->made.limit = 8;
    ploy_result result =
        ploy_blackboard_layout_create(bench_keys, 6, "soldier", env, NULL, &b->layout);
    b->kinds[0] = (ploy_setup_kind){"walk", walk_fields, make_probe, &b->made};
    b->kinds[1] = (ploy_setup_kind){"bark", NULL, make_probe, &b->made};
    b->layouts[0] = (ploy_setup_layout){"soldier", b->layout};
    b->source = (ploy_setup_source){b->kinds, 2, b->layouts, 1, 100};
    return result;
}

static const char good_text[] =
    "{ // two of them\n"
    "  \"characters\": [\n"
    "    { \"name\": \"guard\", \"layout\": \"soldier\",\n"
    "      \"values\": { \"health\": 80, \"alert\": true, \"post\": [1, 2.5], \"rank\": "
    "\"chief\",\n"
    "                  \"kills\": 3, \"friend\": \"101:1\" },\n"
    "      \"behaviors\": [\n"
    "        { \"kind\": \"walk\", \"params\": { \"speed\": 2.5 },\n"
    "          \"schedule\": { \"period\": 4, \"phase\": 1 } },\n"
    "        { \"kind\": \"bark\", \"once\": true } ] },\n"
    "    { \"name\": \"dog\", \"behaviors\": [ { \"kind\": \"bark\" } ] },\n"
    "  ] }\n";

TEST(a_file_brings_characters_behaviors_schedules_and_boards) { // ENG-02
    ploy_env env = ploy_env_default();
    bench b;
    CHECK_OK(bench_make(&b, &env));
    ploy_engine *engine = engine_of(t, false);
    ploy_setup *setup = NULL;
    CHECK_OK(ploy_setup_load(good_text, sizeof good_text - 1, "town.json", &b.source, engine, &env,
                             NULL, &setup));
    CHECK_INT(ploy_setup_count(setup), 2);
    const ploy_setup_character *guard = ploy_setup_find(setup, "guard");
    CHECK(guard == ploy_setup_at(setup, 0));
    CHECK_UINT(guard->agent.id.index, 100);
    CHECK_SAME(
        ploy_blackboard_get_f32(guard->blackboard, ploy_blackboard_layout_find(b.layout, "health")),
        80.0f);
    CHECK_INT(
        ploy_blackboard_get_i64(guard->blackboard, ploy_blackboard_layout_find(b.layout, "kills")),
        3);
    CHECK(ploy_name_equal(
        ploy_blackboard_get_name(guard->blackboard, ploy_blackboard_layout_find(b.layout, "rank")),
        ploy_name_of("chief")));
    CHECK_UINT(
        ploy_blackboard_get_id(guard->blackboard, ploy_blackboard_layout_find(b.layout, "friend"))
            .index,
        101);
    CHECK(ploy_setup_find(setup, "dog")->blackboard == NULL);
    CHECK(ploy_setup_find(setup, "cat") == NULL);
    CHECK(ploy_setup_at(setup, 2) == NULL);
    CHECK_INT(ploy_engine_count(engine), 3);
    CHECK_SAME(b.made.params[0].speed, 2.5f);
    CHECK_INT(b.made.params[0].legs, 2);
    CHECK_TEXT(b.made.who[2], "dog");
    ploy_schedule schedule;
    CHECK_OK(ploy_engine_schedule(engine, ployi_engine_next(engine, 0), &schedule));
    CHECK_INT(schedule.period, 4);
    b.made.probes[1].status = PLOY_STATUS_SUCCESS;
    step(t, engine, 8);
    CHECK_INT(b.made.probes[0].steps, 2);
    CHECK_INT(b.made.probes[1].steps, 1); // once
    CHECK_INT(b.made.probes[2].steps, 8);
    ploy_setup_unload(setup, engine);
    CHECK_INT(ploy_engine_count(engine), 0);
    CHECK_INT(b.made.probes[0].destroys, 1);
    ploy_setup_destroy(setup);
    ploy_setup_destroy(NULL);
    ploy_engine_destroy(engine);
    ploy_blackboard_layout_destroy(b.layout);
}

TEST(faults_are_reported_where_they_are_and_nothing_is_loaded) {
    static const struct {
        const char *text, *want;
    } rows[] = {
        {"[]", "t:1:1: error: the file has the wrong type; expected object"},
        {"{}", "t:1:1: error: missing key 'characters'"},
        {"{\"character\": []}",
         "t:1:2: error: unknown key 'character' (did you mean 'characters'?)"},
        {"{\"characters\": [7]}", "t:1:17: error: a character has the wrong type; expected object"},
        {"{\"characters\": [{}]}", "t:1:17: error: missing text 'name'; expected a name"},
        {"{\"characters\": [{\"name\": \"a\", \"layout\": \"soldir\"}]}",
         "t:1:41: error: unknown layout (did you mean 'soldier'?)"},
        {"{\"characters\": [{\"name\": \"a\", \"values\": {}}]}",
         "t:1:41: error: values need a layout"},
        {"{\"characters\": [{\"name\": \"a\", \"layout\": \"soldier\",\n\"values\": {\"helth\": "
         "1}}]}",
         "t:2:21: error: unknown key for this layout (did you mean 'health'?)"},
        {"{\"characters\": [{\"name\": \"a\", \"layout\": \"soldier\",\n\"values\": {\"post\": "
         "[1]}}]}",
         "t:2:20: error: wrong type for this key; expected vec2"},
        {"{\"characters\": [{\"name\": \"a\",\n\"behaviors\": [{\"kind\": \"wlk\"}]}]}",
         "t:2:24: error: unknown kind of behavior (did you mean 'walk'?)"},
        {"{\"characters\": [{\"name\": \"a\",\n\"behaviors\": [{\"kind\": \"bark\", \"params\": "
         "{}}]}]}",
         "t:2:42: error: unexpected parameters for this kind of behavior"},
        {"{\"characters\": [{\"name\": \"a\",\n\"behaviors\": [{\"kind\": \"bark\", \"schedule\": "
         "{\"min_slice\": 5, \"max_slice\": 2}}]}]}",
         "t:2:44: error: inconsistent schedule; expected min_slice <= max_slice, period <= "
         "max_interval"},
        {"{\"characters\": [{\"name\": \"a\"}, {\"name\": \"a\"}]}",
         "t:1:41: error: duplicate character name"},
    };
    ploy_env env = ploy_env_default();
    bench b;
    CHECK_OK(bench_make(&b, &env));
    ploy_engine *engine = engine_of(t, false);
    ploy_diags *diags = NULL;
    CHECK_OK(ploy_diags_create(8, &env, &diags));
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].text;
        ploy_setup *setup = (ploy_setup *)&b;
        ploy_diags_clear(diags);
        CHECK_INT(ploy_setup_load(rows[i].text, strlen(rows[i].text), "t", &b.source, engine, &env,
                                  diags, &setup),
                  PLOY_ERR_FORMAT);
        CHECK(setup == NULL);
        CHECK(ploy_diags_count(diags) >= 1);
        char text[512];
        ploy_diag_print(ploy_diags_get(diags, 0), text, sizeof text);
        CHECK_TEXT(text, rows[i].want);
        CHECK_INT(ploy_engine_count(engine), 0);
        CHECK_INT(b.made.count, 0);
    }
    ploy_diags_destroy(diags);
    ploy_engine_destroy(engine);
    ploy_blackboard_layout_destroy(b.layout);
}

TEST(a_factory_that_fails_takes_everything_back) {
    ploy_env env = ploy_env_default();
    bench b;
    CHECK_OK(bench_make(&b, &env));
    b.made.limit = 2;
    ploy_engine *engine = engine_of(t, true);
    ploy_setup *setup = NULL;
    CHECK_INT(ploy_setup_load(good_text, sizeof good_text - 1, "t", &b.source, engine, &env, NULL,
                              &setup),
              PLOY_ERR_LIMIT);
    CHECK(setup == NULL);
    CHECK_INT(ploy_engine_count(engine), 0);
    CHECK_INT(b.made.probes[0].destroys + b.made.probes[1].destroys, 2);
    CHECK_INT(ploy_setup_load(good_text, 3, "t", NULL, engine, &env, NULL, &setup),
              PLOY_ERR_ARGUMENT);
    b.kinds[0].create = NULL;
    CHECK_INT(ploy_setup_load(good_text, sizeof good_text - 1, "t", &b.source, engine, &env, NULL,
                              &setup),
              PLOY_ERR_ARGUMENT);
    ploy_engine_destroy(engine);
    ploy_blackboard_layout_destroy(b.layout);
}

static ploy_result load_all(const ploy_env *env, void *arg) {
    (void)arg;
    static bench b;
    ploy_result result = bench_make(&b, env);
    ploy_engine_def def = ploy_engine_def_default();
    def.capacity = 1;
    ploy_engine *engine = NULL;
    if (result == PLOY_OK) result = ploy_engine_create(&def, env, &engine);
    ploy_setup *setup = NULL;
    if (result == PLOY_OK) {
        result = ploy_setup_load(good_text, sizeof good_text - 1, "t", &b.source, engine, env, NULL,
                                 &setup);
        int32_t want = result == PLOY_OK ? 3 : 0;
        if (ploy_engine_count(engine) != want) result = PLOY_ERR_STATE;
    }
    ploy_engine_destroy(engine);
    ploy_setup_destroy(setup);
    ploy_blackboard_layout_destroy(b.layout);
    return result;
}

TEST(every_failing_allocation_of_a_setup_is_survived) {
    CHECK_FAIL_NTH(load_all, NULL);
}
