// Flat machines as text: what loads runs as the same machine built by hand; every fault has a place
// and a hint; an edited file goes into a running character.
#include "ploy/base/writer.h"
#include "ploy/data/machine.h"
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
    ploy_machine_work works[3];
    ploy_word tests[1];
    ploy_machine_words words;
    int32_t counts[3]; // how often each work was done
    float distance;
} file_scene;

static void file_begin(test_context *t, file_scene *scene) {
    static const char *const names[] = {"walk", "run", "breathe"};
    ploy_env env = ploy_env_default();
    memset(scene, 0, sizeof *scene);
    CHECK_OK(ploy_blackboard_layout_create(file_keys, 4, "guard", &env, NULL, &scene->layout));
    for (int32_t i = 0; i < 3; i++) {
        scene->works[i].name = names[i];
        scene->works[i].hooks.execute = file_count;
        scene->works[i].hooks.user = &scene->counts[i];
    }
    scene->tests[0].name = "nearer";
    scene->tests[0].test = file_nearer;
    scene->tests[0].user = &scene->distance;
    scene->tests[0].arity = 1;
    scene->words.works = scene->works;
    scene->words.work_count = 3;
    scene->words.tests = scene->tests;
    scene->words.test_count = 1;
    scene->words.layout = scene->layout;
}

static void file_end(file_scene *scene) {
    ploy_blackboard_layout_destroy(scene->layout);
}

static const char file_guard[] =
    "{ // comments are allowed\n"
    "  \"initial\": \"patrol\", \"run\": \"breathe\",\n"
    "  \"states\": [\n"
    "    { \"id\": \"patrol\", \"run\": \"walk\", \"rules\": [\n"
    "      { \"id\": \"alarm\", \"to\": \"chase\", \"if\": \"alert || nearer(3)\" } ] },\n"
    "    { \"id\": \"chase\", \"run\": \"run\", \"rules\": [\n"
    "      { \"id\": \"calm\", \"to\": \"patrol\",\n"
    "        \"if\": \"!alert and after(2) and not nearer(5)\" } ] },\n"
    "    { \"id\": \"eat\", \"rules\": [\n"
    "      { \"id\": \"full\", \"effect\": \"pop\", \"if\": \"shots >= 1 && shots <= 2\" } ] },\n"
    "    { \"id\": \"dead\", \"kind\": \"final\", \"status\": \"failure\" } ],\n"
    "  \"rules\": [\n"
    "    { \"id\": \"dies\", \"to\": \"dead\", \"priority\": 2, \"if\": \"health <= 0\" },\n"
    "    { \"id\": \"lunch\", \"on\": \"lunch\", \"to\": \"eat\", \"effect\": \"push\" },\n"
    "  ] }";

// From text to a type.
static ploy_result file_load(const char *text, const file_scene *scene, const ploy_env *env,
                             ploy_diags *diags, ploy_fsm_type **out) {
    ploy_machine *machine = NULL;
    *out = NULL;
    ploy_result result = ploy_machine_load_json(text, strlen(text), "guard", env, diags, &machine);
    if (result == PLOY_OK) {
        result = ploy_machine_build_fsm(machine, NULL, &scene->words, env, diags, out);
    }
    ploy_machine_destroy(machine);
    return result;
}

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
    CHECK_OK(ploy_behavior_step(ploy_fsm_behavior(run->fsm), &run->context, &status));
    return ploy_fsm_type_id(ploy_fsm_type_of(run->fsm), ploy_fsm_current(run->fsm));
}

TEST(a_machine_from_text_runs) { // TLS-16
    file_scene scene;
    file_begin(t, &scene);
    ploy_env env = ploy_env_default();
    ploy_fsm_type *type = NULL;
    CHECK_OK(file_load(file_guard, &scene, &env, NULL, &type));
    CHECK_INT(ploy_fsm_type_count(type), 4);
    CHECK_INT(ploy_fsm_type_lint(type, NULL), 0);
    file_run run;
    memset(&run, 0, sizeof run);
    run.context.dt = 1.0f;
    CHECK_OK(ploy_blackboard_create(scene.layout, &env, &run.board));
    run.context.blackboard = run.board;
    CHECK_OK(ploy_fsm_create(type, NULL, &env, &run.fsm));
    CHECK_OK(ploy_behavior_enter(ploy_fsm_behavior(run.fsm), &run.context));
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
    CHECK_OK(ploy_behavior_message(ploy_fsm_behavior(run.fsm), &run.context, &lunch, &handled));
    CHECK(handled);
    CHECK_TEXT(file_step(t, &run, false, 50, 3), "eat");
    CHECK_TEXT(file_step(t, &run, false, 50, 2), "patrol");
    CHECK_TEXT(file_step(t, &run, true, 0, 0), "dead"); // the higher priority
    CHECK_INT(scene.counts[0], 3);
    CHECK_INT(scene.counts[1], 3);
    CHECK_INT(scene.counts[2], 8);
    ploy_behavior_exit(ploy_fsm_behavior(run.fsm), &run.context, PLOY_EXIT_REMOVED);
    ploy_fsm_destroy(run.fsm);
    ploy_blackboard_destroy(run.board);
    ploy_fsm_type_destroy(type);
    file_end(&scene);
}

TEST(an_edited_file_goes_into_a_running_character) { // TLS-16
    static const char first[] =
        "{\"states\":[{\"id\":\"a\",\"rules\":[{\"to\":\"b\"}]},{\"id\":\"b\",\"run\":"
        "\"walk\"}]}";
    static const char second[] =
        "{\"initial\":\"c\",\"states\":[{\"id\":\"c\"},{\"id\":\"b\",\"run\":\"run\",\"rules\":[{"
        "\"to\":\"c\",\"if\":\"alert\"}]}]}";
    file_scene scene;
    file_begin(t, &scene);
    ploy_env env = ploy_env_default();
    ploy_fsm_type *types[2] = {NULL, NULL};
    CHECK_OK(file_load(first, &scene, &env, NULL, &types[0]));
    CHECK_OK(file_load(second, &scene, &env, NULL, &types[1]));
    file_run run;
    memset(&run, 0, sizeof run);
    CHECK_OK(ploy_blackboard_create(scene.layout, &env, &run.board));
    run.context.blackboard = run.board;
    CHECK_OK(ploy_fsm_create(types[0], NULL, &env, &run.fsm));
    CHECK_OK(ploy_behavior_enter(ploy_fsm_behavior(run.fsm), &run.context));
    CHECK_TEXT(file_step(t, &run, false, 1, 0), "b");
    bool kept = false;
    CHECK_OK(ploy_fsm_swap(run.fsm, &run.context, types[1], true, &kept));
    CHECK(kept); // it is still in b, and does what b does now
    CHECK_TEXT(file_step(t, &run, false, 1, 0), "b");
    CHECK_INT(scene.counts[0], 1);
    CHECK_INT(scene.counts[1], 1);
    CHECK_TEXT(file_step(t, &run, true, 1, 0), "c");
    ploy_behavior_exit(ploy_fsm_behavior(run.fsm), &run.context, PLOY_EXIT_REMOVED);
    ploy_fsm_destroy(run.fsm);
    ploy_blackboard_destroy(run.board);
    for (int32_t i = 0; i < 2; i++) ploy_fsm_type_destroy(types[i]);
    file_end(&scene);
}

// Two states and a rule between them.
#define FILE_RULE(rule)                                                               \
    "{\"initial\":\"patrol\",\"states\":[{\"id\":\"patrol\",\"rules\":[{" rule "}]}," \
    "{\"id\":\"chase\"}]}"
#define FILE_IF(text) FILE_RULE("\"to\":\"chase\",\"if\":\"" text "\"")
#define FILE_STATE(state) "{\"states\":[{\"id\":\"a\"," state "}]}"

TEST(every_fault_is_told_with_its_place_and_the_nearest_name) {
    static const struct {
        const char *text, *want; // want: part of the first message
        ploy_result result;
    } rows[] = {
        {"[]", "expected", PLOY_ERR_FORMAT},
        {"{", "guard:1:", PLOY_ERR_FORMAT},
        {"{}", "has no states", PLOY_ERR_FORMAT},
        {"{\"initial\":\"aa\",\"states\":[{\"id\":\"a\"}]}", "did you mean 'a'?", PLOY_ERR_FORMAT},
        {"{\"rule\":[],\"states\":[{\"id\":\"a\"}]}", "did you mean 'rules'?", PLOY_ERR_FORMAT},
        {"{\"idle\":\"b\",\"states\":[{\"id\":\"a\"}]}", "unknown state 'b'", PLOY_ERR_FORMAT},
        {"{\"run\":\"breath\",\"states\":[{\"id\":\"a\"}]}", "did you mean 'breathe'?",
         PLOY_ERR_NOT_FOUND},
        {FILE_STATE("\"run\":\"wlak\""), "unknown work 'wlak' (did you mean 'walk'?)",
         PLOY_ERR_NOT_FOUND},
        {FILE_STATE("\"status\":\"success\""), "not final", PLOY_ERR_FORMAT},
        {FILE_STATE("\"kind\":\"final\",\"status\":\"failur\""), "did you mean 'failure'?",
         PLOY_ERR_FORMAT},
        {FILE_STATE("\"kind\":\"parallel\""), "unsupported inner states", PLOY_ERR_FORMAT},
        {FILE_STATE("\"states\":[{\"id\":\"b\"}]"),
         "unsupported inner states in a flat machine: 'b'", PLOY_ERR_FORMAT},
        {FILE_STATE("\"enter\":[{\"log\":\"x\"}]"), "unsupported executable content",
         PLOY_ERR_FORMAT},
        {FILE_RULE("\"if\":\"alert\""), "without a target cannot have the effect", PLOY_ERR_FORMAT},
        {FILE_RULE("\"to\":\"chase\",\"effect\":\"jump\""), "unknown choice", PLOY_ERR_FORMAT},
        {FILE_RULE("\"to\":\"chase\",\"effect\":\"pop\""), "cannot have the effect 'pop'",
         PLOY_ERR_FORMAT},
        {FILE_RULE("\"to\":[\"chase\",\"patrol\"]"), "", PLOY_ERR_FORMAT},
        {FILE_RULE("\"to\":\"chase\",\"priority\":1.5"), "invalid priority", PLOY_ERR_FORMAT},
        {FILE_RULE("\"to\":\"chase\",\"priority\":1e9"), "invalid priority", PLOY_ERR_FORMAT},
        {FILE_RULE("\"to\":\"chase\",\"internal\":true"), "internal", PLOY_ERR_FORMAT},
        {FILE_RULE("\"to\":\"chase\",\"on\":\"a b\""), "unsupported second message",
         PLOY_ERR_FORMAT},
        {FILE_IF("allert"), "did you mean 'alert'?", PLOY_ERR_NOT_FOUND},
        {FILE_IF("'health'"), "wrong type", PLOY_ERR_FORMAT},
        {FILE_IF("nearer"), "missing arguments of 'nearer'", PLOY_ERR_NOT_FOUND},
        {FILE_IF("nearer(1, 2)"), "wrong number of arguments", PLOY_ERR_FORMAT},
        {FILE_IF("In('chase')"), "unknown function 'In'", PLOY_ERR_NOT_FOUND},
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
        CHECK_INT(file_load(rows[i].text, &scene, &env, diags, &type), rows[i].result);
        CHECK(type == NULL);
        CHECK(ploy_diags_count(diags) > 0);
        char text[256];
        ploy_diag_print(ploy_diags_get(diags, 0), text, sizeof text);
        if (strstr(text, rows[i].want) == NULL) CHECK_TEXT(text, rows[i].want);
        ploy_diags_destroy(diags);
        // Without anybody to tell the answer is the same.
        CHECK_INT(file_load(rows[i].text, &scene, &env, NULL, &type), rows[i].result);
    }
    t->row = NULL;
    file_end(&scene);
}

TEST(a_chart_refuses_what_is_flat_and_both_read_what_is_common) {
    static const struct {
        const char *text;
        bool flat;
    } rows[] = {
        {file_guard, true},
        {FILE_RULE("\"to\":\"chase\",\"priority\":1"), true},
        {FILE_RULE("\"to\":\"chase\",\"if\":\"alert\""), false},
    };
    file_scene scene;
    file_begin(t, &scene);
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        ploy_machine *machine = NULL, *again = NULL;
        ploy_hsm_type *chart = NULL;
        ploy_fsm_type *type = NULL;
        CHECK_OK(ploy_machine_load_json(rows[i].text, strlen(rows[i].text), "guard", &env, NULL,
                                        &machine));
        CHECK_INT(ploy_machine_is_flat(machine), rows[i].flat);
        CHECK_OK(ploy_machine_build_fsm(machine, NULL, &scene.words, &env, NULL, &type));
        CHECK_INT(ploy_machine_build(machine, NULL, &scene.words, &env, NULL, &chart),
                  rows[i].flat ? PLOY_ERR_FORMAT : PLOY_OK);
        // What is written is read back the same; SCXML has no words for a stack.
        ploy_buffer texts[2];
        for (int32_t k = 0; k < 2; k++) {
            ploy_buffer_init(&texts[k], 0, &env);
            ploy_writer writer = ploy_buffer_writer(&texts[k]);
            CHECK_OK(ploy_machine_save_json(k == 0 ? machine : again, &writer));
            if (k == 1) break;
            CHECK_OK(
                ploy_machine_load_json(texts[0].bytes, texts[0].size, "guard", &env, NULL, &again));
            ploy_buffer scxml;
            ploy_buffer_init(&scxml, 0, &env);
            ploy_writer other = ploy_buffer_writer(&scxml);
            CHECK_INT(ploy_machine_save_scxml(machine, &other),
                      rows[i].flat ? PLOY_ERR_UNSUPPORTED : PLOY_OK);
            ploy_buffer_fini(&scxml);
        }
        CHECK_TEXT(ploy_buffer_text(&texts[1]), ploy_buffer_text(&texts[0]));
        for (int32_t k = 0; k < 2; k++) ploy_buffer_fini(&texts[k]);
        ploy_fsm_type_destroy(type);
        ploy_hsm_type_destroy(chart);
        ploy_machine_destroy(again);
        ploy_machine_destroy(machine);
    }
    file_end(&scene);
}

static ploy_result file_load_once(const ploy_env *env, void *arg) {
    ploy_fsm_type *type = NULL;
    ploy_result result = file_load(file_guard, arg, env, NULL, &type);
    ploy_fsm_type_destroy(type);
    return result;
}

TEST(loading_survives_every_failing_allocation) {
    file_scene scene;
    file_begin(t, &scene);
    CHECK_FAIL_NTH(file_load_once, &scene);
    ploy_env env = ploy_env_default();
    ploy_fsm_type *type = NULL;
    CHECK_INT(ploy_machine_build_fsm(NULL, NULL, NULL, &env, NULL, &type), PLOY_ERR_ARGUMENT);
    file_end(&scene);
}
