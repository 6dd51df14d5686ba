// Dwell times and the oscillation detector (TAC-49).
#include "ploy/tactics/dwell.h"
#include "tests/state.h"

static const ploy_blackboard_key keys[] = {
    {"mode", PLOY_VALUE_I64, {PLOY_VALUE_NONE, {0}}, "what it does"},
    {"urgent", PLOY_VALUE_BOOL, {PLOY_VALUE_NONE, {0}}, "under fire"},
    {"swings", PLOY_VALUE_BOOL, {PLOY_VALUE_NONE, {0}}, "oscillates"},
    {"speed", PLOY_VALUE_F32, {PLOY_VALUE_NONE, {0}}, "cannot be a mode"},
};

// Writes the mode of a script, one letter a tick, or alternates for ever.
typedef struct switcher {
    const char *script; // NULL: alternates in every step
    ploy_slot mode;
    int32_t steps;
} switcher;

static ploy_result switch_step(void *user, void *state, ploy_step_context *context,
                               ploy_status *status) {
    switcher *self = user;
    (void)state;
    int64_t mode = self->script != NULL ? self->script[context->tick] - 'a' : self->steps % 2;
    self->steps++;
    *status = PLOY_STATUS_RUNNING;
    return ploy_blackboard_set_i64(context->blackboard, self->mode, mode);
}

typedef struct scene {
    ploy_blackboard_layout *layout;
    ploy_blackboard *board;
    switcher self;
    ploy_function function;
    ploy_dwell_def def;
    ploy_dwell *dwell;
    ploy_behavior behavior;
    ploy_step_context context;
} scene;

static void scene_open(test_context *t, scene *s, ploy_dwell_mode mode, float seconds,
                       const char *script, const ploy_env *env) {
    memset(s, 0, sizeof *s);
    CHECK_OK(ploy_blackboard_layout_create(keys, 4, "dwell", env, NULL, &s->layout));
    CHECK_OK(ploy_blackboard_create(s->layout, env, &s->board));
    s->self.script = script;
    s->self.mode = ploy_blackboard_layout_find(s->layout, "mode");
    s->function.name = "switcher";
    s->function.step = switch_step;
    s->function.user = &s->self;
    s->def = ploy_dwell_def_default();
    s->def.mode = mode;
    s->def.seconds = seconds;
    s->def.key = s->self.mode;
    s->def.urgent = ploy_blackboard_layout_find(s->layout, "urgent");
    s->def.oscillating = ploy_blackboard_layout_find(s->layout, "swings");
    CHECK_OK(
        ploy_dwell_create(&s->def, ploy_function_maker(&s->function), s->layout, env, &s->dwell));
    CHECK_OK(ploy_maker_make(ploy_dwell_maker(s->dwell), env, &s->behavior));
    s->context = ploy_step_context_make(ploy_agent_id_make(1, 1), s->board, 0.1f);
    CHECK_OK(ploy_behavior_enter(s->behavior, &s->context));
}

static void scene_close(scene *s) {
    ploy_behavior_exit(s->behavior, &s->context, PLOY_EXIT_REMOVED);
    ploy_behavior_destroy(s->behavior);
    ploy_dwell_destroy(s->dwell);
    ploy_blackboard_destroy(s->board);
    ploy_blackboard_layout_destroy(s->layout);
}

static char scene_step(test_context *t, scene *s) {
    ploy_status status = PLOY_STATUS_FAILURE;
    CHECK_OK(ploy_behavior_step(s->behavior, &s->context, &status));
    CHECK_INT(status, PLOY_STATUS_RUNNING);
    ploy_step_context_next(&s->context);
    return (char)('a' + ploy_blackboard_get_i64(s->board, s->self.mode));
}

TEST(a_mode_stays_for_its_dwell) {
    static const struct {
        const char *row;
        ploy_dwell_mode mode;
        float seconds;
        const char *script, *want;
        int32_t urgent; // tick at which the key is set; -1: never
    } rows[] = {
        {"no dwell", PLOY_DWELL_PAUSE, 0.0f, "abababab", "abababab", -1},
        {"paused", PLOY_DWELL_PAUSE, 0.29f, "abababab", "aaabbbaa", -1},
        {"put back", PLOY_DWELL_RESTORE, 0.29f, "abababab", "aaabbbaa", -1},
        {"no need to hold", PLOY_DWELL_RESTORE, 0.29f, "aaaaabbbbb", "aaaaabbbbb", -1},
        {"urgent", PLOY_DWELL_RESTORE, 0.29f, "abababab", "abababab", 0},
        {"urgent later", PLOY_DWELL_PAUSE, 9.0f, "abababab", "aaaaabab", 5},
    };
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        scene s;
        scene_open(t, &s, rows[i].mode, rows[i].seconds, rows[i].script, &env);
        char got[32] = {0};
        for (int32_t k = 0; rows[i].script[k] != 0; k++) {
            if (k == rows[i].urgent)
                CHECK_OK(ploy_blackboard_set_bool(s.board, s.def.urgent, true));
            got[k] = scene_step(t, &s);
        }
        CHECK_TEXT(got, rows[i].want);
        scene_close(&s);
    }
}

TEST(a_paused_behavior_is_not_stepped) {
    ploy_env env = ploy_env_default();
    scene s;
    scene_open(t, &s, PLOY_DWELL_PAUSE, 0.95f, NULL, &env);
    s.def.limit = 0;
    for (int32_t i = 0; i < 100; i++) (void)scene_step(t, &s);
    ploy_dwell_info info;
    CHECK_OK(ploy_dwell_info_of(s.behavior, &info));
    CHECK(s.self.steps <= 11);
    CHECK_UINT(info.held, 100 - (uint64_t)s.self.steps);
    CHECK_UINT(info.switches, (uint64_t)s.self.steps - 1);
    ploy_behavior none = {NULL, NULL};
    CHECK_INT(ploy_dwell_info_of(none, &info), PLOY_ERR_ARGUMENT);
    scene_close(&s);
}

TEST(the_detector_finds_swings_and_the_dwell_grows) {
    ploy_env env = ploy_env_default();
    scene s;
    scene_open(t, &s, PLOY_DWELL_PAUSE, 0.45f, NULL, &env); // a change every 0.5 s
    int32_t changes[2] = {0, 0};
    char last = 0;
    bool swings = false;
    for (int32_t i = 0; i < 200; i++) {
        char mode = scene_step(t, &s);
        if (mode != last && last != 0) changes[i >= 100]++;
        last = mode;
        swings = swings || ploy_blackboard_get_bool(s.board, s.def.oscillating);
    }
    CHECK(swings);
    CHECK(changes[1] <= 12); // twice the dwell while it swings: half the changes
    CHECK(changes[1] >= 9);
    scene_close(&s);
    // A slow change of modes is none, however long it lasts.
    scene_open(t, &s, PLOY_DWELL_PAUSE, 4.0f, NULL, &env);
    for (int32_t i = 0; i < 400; i++) {
        (void)scene_step(t, &s);
        CHECK(!ploy_blackboard_get_bool(s.board, s.def.oscillating));
    }
    scene_close(&s);
}

TEST(returns_are_counted_within_the_window) {
    static const struct {
        const char *row, *modes; // one a second
        float window;
        int32_t returns;
    } rows[] = {
        {"there and back again and again", "abab", 10.0f, 2},
        {"each only once", "abcdef", 10.0f, 0},
        {"a circle of three", "abcabc", 10.0f, 3},
        {"too slow", "abab", 0.5f, 0},
        {"staying is no change", "aaaa", 10.0f, 0},
        {"only the last ones", "ababababab", 2.5f, 3},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_oscillation oscillation;
        memset(&oscillation, 0, sizeof oscillation);
        double now = 0.0;
        for (const char *mode = rows[i].modes; *mode != 0; mode++, now += 1.0) {
            ploy_oscillation_note(&oscillation, (uint64_t)*mode, now, rows[i].window);
        }
        CHECK_INT(ploy_oscillation_returns(&oscillation, now - 1.0, rows[i].window),
                  rows[i].returns);
    }
}

TEST(create_refuses_keys_of_the_wrong_type) {
    ploy_env env = ploy_env_default();
    env.log = NULL;
    scene s;
    scene_open(t, &s, PLOY_DWELL_PAUSE, 1.0f, NULL, &env);
    ploy_dwell *dwell = NULL;
    ploy_maker maker = ploy_function_maker(&s.function);
    ploy_dwell_def def = s.def;
    def.key = ploy_blackboard_layout_find(s.layout, "speed");
    CHECK_INT(ploy_dwell_create(&def, maker, s.layout, &env, &dwell), PLOY_ERR_ARGUMENT);
    def.key = ploy_slot_none();
    CHECK_INT(ploy_dwell_create(&def, maker, s.layout, &env, &dwell), PLOY_ERR_ARGUMENT);
    def = s.def;
    def.urgent = s.def.key;
    CHECK_INT(ploy_dwell_create(&def, maker, s.layout, &env, &dwell), PLOY_ERR_ARGUMENT);
    def = s.def;
    CHECK_INT(ploy_dwell_create(&def, ploy_maker_none(), s.layout, &env, &dwell),
              PLOY_ERR_ARGUMENT);
    def.seconds = -1.0f;
    CHECK_INT(ploy_dwell_create(&def, maker, s.layout, &env, &dwell), PLOY_ERR_ARGUMENT);
    CHECK(dwell == NULL);
    scene_close(&s);
}

TEST(state_of_a_dwell_is_visited) {
    ploy_env env = ploy_env_default();
    scene s, other;
    scene_open(t, &s, PLOY_DWELL_PAUSE, 0.2f, NULL, &env);
    for (int32_t i = 0; i < 20; i++) (void)scene_step(t, &s);
    scene_open(t, &other, PLOY_DWELL_PAUSE, 0.2f, NULL, &env);
    other.context = s.context;
    other.context.blackboard = other.board;
    other.self.steps = s.self.steps;
    CHECK_OK(ploy_blackboard_set_i64(other.board, other.def.key,
                                     ploy_blackboard_get_i64(s.board, s.def.key)));
    ploy_behavior_exit(other.behavior, &other.context, PLOY_EXIT_REPLACED);
    ploy_buffer buffer;
    ploy_buffer_init(&buffer, 0, &env);
    ploy_writer writer = ploy_buffer_writer(&buffer);
    ploy_json_writer json;
    ploy_json_writer_init(&json, &writer, 0);
    ploy_behavior_save(s.behavior, &json);
    CHECK_OK(ploy_json_writer_finish(&json));
    ploy_json *doc = NULL;
    const char *text = ploy_buffer_text(&buffer);
    CHECK_OK(ploy_json_load(text, strlen(text), "save", NULL, &env, NULL, &doc));
    CHECK_OK(ploy_behavior_load(other.behavior, &other.context, doc, ploy_json_root(doc), NULL));
    for (int32_t i = 0; i < 30; i++) CHECK_INT(scene_step(t, &s), scene_step(t, &other));
    ploy_json_destroy(doc);
    ploy_buffer_fini(&buffer);
    ploy_oscillation oscillation;
    memset(&oscillation, 0, sizeof oscillation);
    for (uint64_t i = 0; i < 20; i++) ploy_oscillation_note(&oscillation, i % 3, (double)i, 5.0f);
    state_check check = {ploy_oscillation_visit, &oscillation, NULL, NULL, NULL};
    state_check_all(t, &check);
    scene_close(&s);
    scene_close(&other);
}

static ploy_result dwell_body(const ploy_env *env, void *arg) {
    scene *s = arg;
    ploy_dwell *dwell = NULL;
    ploy_behavior behavior = {NULL, NULL};
    ploy_result result =
        ploy_dwell_create(&s->def, ploy_function_maker(&s->function), s->layout, env, &dwell);
    if (result == PLOY_OK) result = ploy_maker_make(ploy_dwell_maker(dwell), env, &behavior);
    ploy_behavior_destroy(behavior);
    ploy_dwell_destroy(dwell);
    return result;
}

TEST(a_dwell_survives_a_lack_of_memory) {
    ploy_env env = ploy_env_default();
    scene s;
    scene_open(t, &s, PLOY_DWELL_PAUSE, 1.0f, NULL, &env);
    CHECK_FAIL_NTH(dwell_body, &s);
    scene_close(&s);
}

TEST(a_warm_dwell_allocates_nothing) {
    static const ploy_dwell_mode modes[] = {PLOY_DWELL_PAUSE, PLOY_DWELL_RESTORE};
    for (size_t i = 0; i < COUNT_OF(modes); i++) {
        test_counts counts = {0, 0, 0};
        ploy_env env = test_counting_env(&counts);
        scene s;
        scene_open(t, &s, modes[i], 0.3f, NULL, &env);
        for (int32_t k = 0; k < 50; k++) (void)scene_step(t, &s);
        int64_t calls = counts.calls;
        for (int32_t k = 0; k < 500; k++) (void)scene_step(t, &s);
        CHECK_INT(counts.calls, calls);
        scene_close(&s);
        CHECK_INT(counts.bytes, 0);
    }
}
