// State machines as text: what loads runs as the same machine built by hand; every fault has a place
// and a hint; an edited file goes into a running character.
#include "ploy/data/fsm_file.h"
#include "tests/test.h"

static const ploy_blackboard_key file_keys[] = {
    {"alert", PLOY_VALUE_BOOL, {PLOY_VALUE_NONE, {0}}, NULL},
    {"health", PLOY_VALUE_F32, {PLOY_VALUE_NONE, {0}}, NULL},
    {"shots", PLOY_VALUE_I64, {PLOY_VALUE_NONE, {0}}, NULL},
    {"where", PLOY_VALUE_VEC2, {PLOY_VALUE_NONE, {0}}, NULL},
};

static ploy_result file_count(void *user, const ploy_fsm_turn *turn) {
    (void)turn;
    ++*(int32_t *)user;
    return PLOY_OK;
}

static bool file_nearer(void *user, const ploy_moment *moment, const float *args) {
    (void)moment;
    return *(const float *)user < args[0];
}

typedef struct file_scene {
    ploy_blackboard_layout *layout;
    ploy_fsm_action actions[3];
    ploy_fsm_test tests[1];
    ploy_fsm_palette palette;
    int32_t counts[3]; // how often each action was done
    float distance;
} file_scene;

static void file_begin(test_context *t, file_scene *scene) {
    static const char *const names[] = {"walk", "run", "breathe"};
    ploy_env env = ploy_env_default();
    memset(scene, 0, sizeof *scene);
    CHECK_OK(ploy_blackboard_layout_create(file_keys, 4, "guard", &env, NULL, &scene->layout));
    for (int32_t i = 0; i < 3; i++) {
        scene->actions[i].name = names[i];
        scene->actions[i].hooks.execute = file_count;
        scene->actions[i].hooks.user = &scene->counts[i];
    }
    scene->tests[0].name = "nearer";
    scene->tests[0].fn = file_nearer;
    scene->tests[0].user = &scene->distance;
    scene->tests[0].arity = 1;
    scene->palette.actions = scene->actions;
    scene->palette.action_count = 3;
    scene->palette.tests = scene->tests;
    scene->palette.test_count = 1;
    scene->palette.layout = scene->layout;
}

static void file_end(file_scene *scene) {
    ploy_blackboard_layout_destroy(scene->layout);
}

static const char file_guard[] =
    "{ // comments are allowed\n"
    "  \"initial\": \"patrol\", \"global\": \"breathe\",\n"
    "  \"settings\": { \"stack\": 2 },\n"
    "  \"states\": [ { \"id\": \"patrol\", \"do\": \"walk\" }, { \"id\": \"chase\", \"do\": "
    "\"run\" },\n"
    "    { \"id\": \"eat\" }, { \"id\": \"dead\", \"final\": \"failure\" } ],\n"
    "  \"rules\": [\n"
    "    { \"id\": \"alarm\", \"from\": \"patrol\", \"to\": \"chase\",\n"
    "      \"when\": { \"any\": [ \"alert\", { \"test\": \"nearer\", \"args\": [3] } ] } },\n"
    "    { \"id\": \"calm\", \"from\": \"chase\", \"to\": \"patrol\",\n"
    "      \"when\": { \"all\": [ { \"not\": \"alert\" }, { \"after\": 2 },\n"
    "        { \"not\": { \"test\": \"nearer\", \"args\": [5] } } ] } },\n"
    "    { \"id\": \"dies\", \"to\": \"dead\", \"priority\": 2,\n"
    "      \"when\": { \"key\": \"health\", \"max\": 0 } },\n"
    "    { \"id\": \"lunch\", \"on\": \"lunch\", \"to\": \"eat\", \"effect\": \"push\" },\n"
    "    { \"id\": \"full\", \"from\": \"eat\", \"effect\": \"pop\", \"when\": { \"key\": "
    "\"shots\", "
    "\"min\": 1, \"max\": 2 } },\n"
    "  ] }";

typedef struct file_run {
    ploy_fsm *fsm;
    ploy_blackboard *board;
    ploy_step_context context;
} file_run;

static const char *file_step(test_context *t, file_run *run, bool alert, float health,
                             int64_t shots) {
    ploy_slot slots[3] = {{1}, {2}, {3}};
    CHECK_OK(ploy_blackboard_set_bool(run->board, slots[0], alert));
    CHECK_OK(ploy_blackboard_set_f32(run->board, slots[1], health));
    CHECK_OK(ploy_blackboard_set_i64(run->board, slots[2], shots));
    ploy_status status;
    run->context.tick++;
    run->context.now += 1.0;
    CHECK_OK(ploy_behavior_step(ploy_fsm_get(run->fsm), &run->context, &status));
    return ploy_fsm_type_id(ploy_fsm_get_type(run->fsm), ploy_fsm_current(run->fsm));
}

TEST(a_machine_from_text_runs) { // TLS-16
    file_scene scene;
    file_begin(t, &scene);
    ploy_env env = ploy_env_default();
    ploy_fsm_type *type = NULL;
    CHECK_OK(ploy_fsm_load(file_guard, sizeof file_guard - 1, "guard.json", &scene.palette, &env,
                           NULL, &type));
    CHECK_INT(ploy_fsm_type_count(type), 4);
    CHECK_INT(ploy_fsm_type_lint(type, NULL), 0);
    file_run run;
    memset(&run, 0, sizeof run);
    run.context.dt = 1.0f;
    CHECK_OK(ploy_blackboard_create(scene.layout, &env, &run.board));
    run.context.blackboard = run.board;
    CHECK_OK(ploy_fsm_create(type, NULL, &env, &run.fsm));
    CHECK_OK(ploy_behavior_enter(ploy_fsm_get(run.fsm), &run.context));
    scene.distance = 9.0f;
    CHECK_TEXT(file_step(t, &run, false, 50, 0), "patrol");
    scene.distance = 2.0f; // near
    CHECK_TEXT(file_step(t, &run, false, 50, 0), "chase");
    scene.distance = 9.0f;
    CHECK_TEXT(file_step(t, &run, false, 50, 0), "chase"); // not for long enough
    CHECK_TEXT(file_step(t, &run, true, 50, 0), "chase");
    CHECK_TEXT(file_step(t, &run, false, 50, 0), "patrol");
    bool handled = false;
    ploy_message lunch =
        ploy_message_make(ploy_agent_id_none(), ploy_agent_id_none(), ploy_name_of("lunch"));
    CHECK_OK(ploy_behavior_message(ploy_fsm_get(run.fsm), &run.context, &lunch, &handled));
    CHECK(handled);
    CHECK_TEXT(file_step(t, &run, false, 50, 3), "eat");
    CHECK_TEXT(file_step(t, &run, false, 50, 2), "patrol");
    CHECK_TEXT(file_step(t, &run, true, 0, 0), "dead"); // the higher priority
    CHECK_INT(scene.counts[0], 3);
    CHECK_INT(scene.counts[1], 3);
    CHECK_INT(scene.counts[2], 8);
    ploy_behavior_exit(ploy_fsm_get(run.fsm), &run.context, PLOY_EXIT_REMOVED);
    ploy_fsm_destroy(run.fsm);
    ploy_blackboard_destroy(run.board);
    ploy_fsm_type_destroy(type);
    file_end(&scene);
}

TEST(an_edited_file_goes_into_a_running_character) { // TLS-16
    static const char first[] =
        "{\"initial\":\"a\",\"states\":[{\"id\":\"a\"},{\"id\":\"b\",\"do\":"
        "\"walk\"}],\"rules\":[{\"id\":\"r\",\"from\":\"a\",\"to\":\"b\"}]}";
    static const char second[] =
        "{\"initial\":\"c\",\"states\":[{\"id\":\"c\"},{\"id\":\"b\",\"do\":\"run\"}],\"rules\":[{"
        "\"id\":\"back\",\"from\":\"b\",\"to\":\"c\",\"when\":\"alert\"}]}";
    file_scene scene;
    file_begin(t, &scene);
    ploy_env env = ploy_env_default();
    ploy_fsm_type *types[2] = {NULL, NULL};
    CHECK_OK(ploy_fsm_load(first, sizeof first - 1, "1", &scene.palette, &env, NULL, &types[0]));
    CHECK_OK(ploy_fsm_load(second, sizeof second - 1, "2", &scene.palette, &env, NULL, &types[1]));
    file_run run;
    memset(&run, 0, sizeof run);
    CHECK_OK(ploy_blackboard_create(scene.layout, &env, &run.board));
    run.context.blackboard = run.board;
    CHECK_OK(ploy_fsm_create(types[0], NULL, &env, &run.fsm));
    CHECK_OK(ploy_behavior_enter(ploy_fsm_get(run.fsm), &run.context));
    CHECK_TEXT(file_step(t, &run, false, 1, 0), "b");
    bool kept = false;
    CHECK_OK(ploy_fsm_swap(run.fsm, &run.context, types[1], true, &kept));
    CHECK(kept); // it is still in b, and does what b does now
    CHECK_TEXT(file_step(t, &run, false, 1, 0), "b");
    CHECK_INT(scene.counts[0], 1);
    CHECK_INT(scene.counts[1], 1);
    CHECK_TEXT(file_step(t, &run, true, 1, 0), "c");
    ploy_behavior_exit(ploy_fsm_get(run.fsm), &run.context, PLOY_EXIT_REMOVED);
    ploy_fsm_destroy(run.fsm);
    ploy_blackboard_destroy(run.board);
    for (int32_t i = 0; i < 2; i++) ploy_fsm_type_destroy(types[i]);
    file_end(&scene);
}

#define FILE_STATES "\"states\":[{\"id\":\"patrol\",\"do\":\"walk\"},{\"id\":\"chase\"}]"
#define FILE_RULE(rule) \
    "{\"initial\":\"patrol\"," FILE_STATES ",\"rules\":[{\"id\":\"r\"," rule "}]}"
#define FILE_WHEN(when) FILE_RULE("\"from\":\"patrol\",\"to\":\"chase\",\"when\":" when)

TEST(every_fault_is_told_with_its_place_and_the_nearest_name) {
    static const struct {
        const char *text, *want; // want: part of the first message
    } rows[] = {
        {"[]", "expected"},
        {"{", "guard:1:"},
        {"{\"initial\":\"patrol\"}", "states"},
        {"{" FILE_STATES "}", "initial"},
        {"{\"initial\":\"patro\"," FILE_STATES "}",
         "guard:1:12: error: no such state; did you mean "
         "'patrol'?"},
        {"{\"initial\":\"patrol\"," FILE_STATES ",\"rule\":[]}", "did you mean 'rules'?"},
        {"{\"initial\":\"a\",\"states\":[{\"id\":\"a\",\"do\":\"wlak\"}]}", "did you mean 'walk'?"},
        {"{\"initial\":\"a\",\"states\":[{\"id\":\"a\"},{\"id\":\"a\"}]}", "two states"},
        {"{\"initial\":\"a\",\"states\":[{\"id\":\"\"}]}", "not a name"},
        {"{\"initial\":\"a\",\"states\":[{\"id\":\"a\",\"final\":\"failur\"}]}",
         "did you mean 'failure'?"},
        {"{\"initial\":\"patrol\"," FILE_STATES ",\"settings\":{\"order\":\"nothing\"}}",
         "guard:1:"},
        {"{\"initial\":\"patrol\"," FILE_STATES ",\"idle\":\"chas\"}", "did you mean 'chase'?"},
        {"{\"initial\":\"patrol\"," FILE_STATES ",\"global\":\"breath\"}",
         "did you mean 'breathe'?"},
        {FILE_RULE("\"from\":\"patrol\""), "expected to"},
        {FILE_RULE("\"to\":\"chase\",\"effect\":\"jump\""), "no such word"},
        {FILE_RULE("\"to\":\"chase\",\"effect\":\"pop\""), "goes nowhere"},
        {FILE_RULE("\"to\":\"chase\",\"priority\":1.5"), "not a priority"},
        {FILE_RULE("\"to\":\"chase\",\"priority\":1e9"), "not a priority"},
        {FILE_WHEN("\"allert\""), "did you mean 'alert'?"},
        {FILE_WHEN("\"health\""), "no test"},
        {FILE_WHEN("3"), "wrong kind"},
        {FILE_WHEN("{}"), "not a condition"},
        {FILE_WHEN("{\"not\":\"alert\",\"after\":1}"), "not a condition"},
        {FILE_WHEN("{\"all\":[]}"), "empty list"},
        {FILE_WHEN("{\"any\":[\"alert\",\"nearr\"]}"), "did you mean 'nearer'?"},
        {FILE_WHEN("\"nearer\""), "expected 1 numbers"},
        {FILE_WHEN("{\"test\":\"nearer\",\"args\":[1,2]}"), "number of arguments"},
        {FILE_WHEN("{\"test\":\"nearer\",\"args\":[\"x\"]}"), "wrong kind"},
        {FILE_WHEN("{\"key\":\"healt\",\"min\":1}"), "did you mean 'health'?"},
        {FILE_WHEN("{\"key\":\"where\",\"min\":1}"), "no range"},
        {FILE_WHEN("{\"key\":\"health\",\"min\":2,\"max\":1}"), "between"},
        {FILE_WHEN("{\"after\":-1}"), "not a time"},
        {"{\"initial\":\"patrol\"," FILE_STATES ",\"rules\":[{\"id\":\"r\",\"to\":\"chase\"},"
         "{\"id\":\"r\",\"to\":\"patrol\"}]}",
         "two rules"},
    };
    file_scene scene;
    file_begin(t, &scene);
    ploy_env env = ploy_env_default();
    env.log = NULL;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].text;
        ploy_diags *diags = NULL;
        CHECK_OK(ploy_diags_create(8, &env, &diags));
        ploy_fsm_type *type = NULL;
        CHECK_INT(ploy_fsm_load(rows[i].text, strlen(rows[i].text), "guard", &scene.palette, &env,
                                diags, &type),
                  PLOY_ERR_FORMAT);
        CHECK(type == NULL);
        CHECK(ploy_diags_count(diags) > 0);
        char text[256];
        ploy_diag_print(ploy_diags_get(diags, 0), text, sizeof text);
        if (strstr(text, rows[i].want) == NULL) CHECK_TEXT(text, rows[i].want);
        ploy_diags_destroy(diags);
        // Without anybody to tell the answer is the same.
        CHECK_INT(ploy_fsm_load(rows[i].text, strlen(rows[i].text), "guard", &scene.palette, &env,
                                NULL, &type),
                  PLOY_ERR_FORMAT);
    }
    t->row = NULL;
    file_end(&scene);
}

TEST(several_faults_are_told_at_once_and_deep_conditions_are_refused) {
    file_scene scene;
    file_begin(t, &scene);
    ploy_env env = ploy_env_default();
    ploy_diags *diags = NULL;
    CHECK_OK(ploy_diags_create(8, &env, &diags));
    ploy_fsm_type *type = NULL;
    static const char text[] = FILE_WHEN("{\"all\":[\"x\",\"y\"]},\"priority\":\"high\"");
    CHECK_INT(ploy_fsm_load(text, sizeof text - 1, "f", &scene.palette, &env, diags, &type),
              PLOY_ERR_FORMAT);
    CHECK_INT(ploy_diags_count(diags), 3);
    ploy_diags_destroy(diags);
    for (int32_t depth = 30; depth <= 40; depth += 10) {
        char deep[1024] =
            "{\"initial\":\"a\",\"states\":[{\"id\":\"a\"},{\"id\":\"b\"}],\"rules\":[{"
            "\"id\":\"r\",\"to\":\"b\",\"when\":";
        for (int32_t i = 0; i < depth; i++) strcat(deep, "{\"not\":");
        strcat(deep, "\"alert\"");
        for (int32_t i = 0; i < depth; i++) strcat(deep, "}");
        strcat(deep, "}]}");
        CHECK_INT(ploy_fsm_load(deep, strlen(deep), "f", &scene.palette, &env, NULL, &type),
                  depth == 30 ? PLOY_OK : PLOY_ERR_FORMAT);
        ploy_fsm_type_destroy(type);
    }
    file_end(&scene);
}

static ploy_result file_load_once(const ploy_env *env, void *arg) {
    const file_scene *scene = arg;
    ploy_fsm_type *type = NULL;
    ploy_result result = ploy_fsm_load(file_guard, sizeof file_guard - 1, "guard", &scene->palette,
                                       env, NULL, &type);
    ploy_fsm_type_destroy(type);
    return result;
}

TEST(loading_survives_every_failing_allocation_and_bad_palettes) {
    file_scene scene;
    file_begin(t, &scene);
    CHECK_FAIL_NTH(file_load_once, &scene);
    ploy_env env = ploy_env_default();
    ploy_fsm_type *type = NULL;
    CHECK_INT(ploy_fsm_load("{}", 2, "f", NULL, &env, NULL, &type), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_fsm_load("{}", 2, "f", &scene.palette, &env, NULL, NULL), PLOY_ERR_ARGUMENT);
    scene.tests[0].arity = 5;
    CHECK_INT(ploy_fsm_load("{}", 2, "f", &scene.palette, &env, NULL, &type), PLOY_ERR_ARGUMENT);
    scene.tests[0].arity = 1;
    scene.actions[2].name = NULL;
    CHECK_INT(ploy_fsm_load("{}", 2, "f", &scene.palette, &env, NULL, &type), PLOY_ERR_ARGUMENT);
    file_end(&scene);
}
