#include "base/base_internal.h"
#include "ploy/exec/sim.h"

#include <stdlib.h>

#include "tests/exec/toy_sim.h"
#include "tests/test.h"

static ploy_sim *start(test_context *t, uint64_t seed) {
    ploy_env env = ploy_env_default();
    ploy_sim_def def = ploy_sim_def_default();
    def.region_mib = 4;
    def.seed = seed;
    ploy_sim *sim = NULL;
    CHECK_OK(ploy_sim_create(&def, &toy_sim, NULL, NULL, &env, &sim));
    return sim;
}

static void run(test_context *t, ploy_sim *sim, int32_t ticks) {
    for (int32_t i = 0; i < ticks; i++) CHECK_OK(ploy_sim_step(sim, NULL, 0, NULL));
}

// A copy of the used part of the region, to be freed.
typedef struct image {
    void *bytes;
    size_t size;
} image;

static image image_of(ploy_sim *sim) {
    image copy = {NULL, 0};
    const void *bytes = ployi_region_bytes(ploy_sim_region(sim), &copy.size);
    copy.bytes = malloc(copy.size);
    memcpy(copy.bytes, bytes, copy.size);
    return copy;
}

static void check_image(test_context *t, ploy_sim *sim, image *want) {
    size_t size = 0;
    const void *bytes = ployi_region_bytes(ploy_sim_region(sim), &size);
    CHECK_UINT(size, want->size);
    CHECK_BYTES(bytes, want->bytes, size);
    free(want->bytes);
}

TEST(a_simulation_counts_its_ticks_and_changes) {
    ploy_sim *sim = start(t, 7);
    CHECK_UINT(ploy_sim_tick(sim), 0);
    CHECK_UINT(ploy_sim_seed(sim), 7);
    CHECK(ploy_sim_type_of(sim) == &toy_sim);
    uint64_t before = ploy_sim_hash(sim);
    CHECK_UINT(ploy_sim_hash(sim), before);
    run(t, sim, 10);
    CHECK_UINT(ploy_sim_tick(sim), 10);
    CHECK(ploy_sim_hash(sim) != before);
    CHECK(ployi_region_valid(ploy_sim_region(sim)));
    ploy_sim_destroy(sim);
    ploy_sim_destroy(NULL);
}

// A type whose create keeps what the env's user pointer points to.
typedef struct user_state {
    int32_t number;
    const int32_t *shared;
} user_state;

static ploy_result user_create(const void *params, ploy_rng_key key, const ploy_env *env,
                               void **out) {
    (void)params, (void)key;
    user_state *state = ploy_env_alloc_zero(env, sizeof *state);
    if (state == NULL) return PLOY_ERR_MEMORY;
    state->shared = env->user;
    *out = state;
    return PLOY_OK;
}

static ploy_result user_step(void *self, const ploy_sim_context *context) {
    user_state *state = self;
    if (context->env->user != state->shared) return PLOY_ERR_STATE;
    state->number += *state->shared;
    return PLOY_OK;
}

static void user_describe(const void *self, ploy_describe *out) {
    ploy_describe_i64(out, "number", PLOY_STATE, ((const user_state *)self)->number);
}

TEST(a_game_reaches_its_state_and_its_own_pointer) {
    ploy_sim_type type = toy_sim;
    type.capabilities = 0;
    type.definition_count = 0;
    type.create = user_create;
    type.destroy = NULL;
    type.step = user_step;
    type.draw = NULL;
    type.describe = user_describe;
    type.load = NULL;
    int32_t shared = 5;
    ploy_env env = ploy_env_default();
    env.user = &shared;
    ploy_sim_def def = ploy_sim_def_default();
    ploy_sim *sim = NULL;
    CHECK_OK(ploy_sim_create(&def, &type, NULL, NULL, &env, &sim));
    run(t, sim, 3);
    const user_state *state = ploy_sim_state(sim);
    CHECK_INT(state->number, 15);
    CHECK(state->shared == &shared);
    CHECK(ploy_sim_state(NULL) == NULL);
    ploy_sim_destroy(sim);
}

TEST(the_seed_decides_the_run) {
    ploy_sim *a = start(t, 7), *b = start(t, 7), *c = start(t, 8);
    run(t, a, 50);
    run(t, b, 50);
    run(t, c, 50);
    CHECK_UINT(ploy_sim_hash(a), ploy_sim_hash(b));
    CHECK(ploy_sim_hash(a) != ploy_sim_hash(c));
    ploy_sim_destroy(a);
    ploy_sim_destroy(b);
    ploy_sim_destroy(c);
}

static ploy_result fail_create(const void *params, ploy_rng_key key, const ploy_env *env,
                               void **out) {
    (void)params, (void)key, (void)out;
    for (int32_t i = 0; i < 100; i++) (void)ploy_env_alloc(env, 100); // left lying about
    return PLOY_ERR_LIMIT;
}

static ploy_result odd_create(const void *params, ploy_rng_key key, const ploy_env *env,
                              void **out) {
    (void)params, (void)key, (void)env, (void)out;
    return PLOY_IN_PROGRESS;
}

TEST(create_refuses_what_cannot_run) {
    test_counts counts;
    ploy_env env = test_counting_env(&counts);
    ploy_sim_def def = ploy_sim_def_default();
    def.region_mib = 1;
    ploy_sim_type type = toy_sim;
    ploy_sim *sim = (ploy_sim *)&env;
    CHECK_INT(ploy_sim_create(&def, &type, NULL, NULL, &env, NULL), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_sim_create(NULL, &type, NULL, NULL, &env, &sim), PLOY_ERR_ARGUMENT);
    CHECK(sim == NULL);
    CHECK_INT(ploy_sim_create(&def, NULL, NULL, NULL, &env, &sim), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_sim_create(&def, &type, NULL, NULL, NULL, &sim), PLOY_ERR_ARGUMENT);
    def.region_mib = 0;
    CHECK_INT(ploy_sim_create(&def, &type, NULL, NULL, &env, &sim), PLOY_ERR_ARGUMENT);
    def.region_mib = 1;
    static const struct {
        const char *row;
        ploy_result (*create)(const void *, ploy_rng_key, const ploy_env *, void **);
        float dt;
        bool name, fields, step, describe, commands;
        ploy_result want;
    } rows[] = {
        {"all there", toy_create, 0.1f, 1, 1, 1, 1, 1, PLOY_OK},
        {"no create", NULL, 0.1f, 1, 1, 1, 1, 1, PLOY_ERR_ARGUMENT},
        {"no name", toy_create, 0.1f, 0, 1, 1, 1, 1, PLOY_ERR_ARGUMENT},
        {"no fields", toy_create, 0.1f, 1, 0, 1, 1, 1, PLOY_ERR_ARGUMENT},
        {"no step", toy_create, 0.1f, 1, 1, 0, 1, 1, PLOY_ERR_ARGUMENT},
        {"no describe", toy_create, 0.1f, 1, 1, 1, 0, 1, PLOY_ERR_ARGUMENT},
        {"commands counted, not there", toy_create, 0.1f, 1, 1, 1, 1, 0, PLOY_ERR_ARGUMENT},
        {"no time", toy_create, 0.0f, 1, 1, 1, 1, 1, PLOY_ERR_ARGUMENT},
        {"time that is no number", toy_create, NAN, 1, 1, 1, 1, 1, PLOY_ERR_ARGUMENT},
        {"a create that fails", fail_create, 0.1f, 1, 1, 1, 1, 1, PLOY_ERR_LIMIT},
        {"a create that does not answer", odd_create, 0.1f, 1, 1, 1, 1, 1, PLOY_ERR_CALLBACK},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        type = toy_sim;
        type.create = rows[i].create;
        type.dt = rows[i].dt;
        if (!rows[i].name) type.name = "";
        if (!rows[i].fields) type.fields = NULL;
        if (!rows[i].step) type.step = NULL;
        if (!rows[i].describe) type.describe = NULL;
        if (!rows[i].commands) type.commands = NULL;
        CHECK_INT(ploy_sim_create(&def, &type, NULL, NULL, &env, &sim), rows[i].want);
        CHECK((sim != NULL) == (rows[i].want == PLOY_OK));
        ploy_sim_destroy(sim);
        CHECK_INT(counts.blocks, 0);
    }
}

static const ploy_field faulty_table[] = {
    PLOY_FIELD_F32(toy_def, speed, 200, 0, 100, "m/s", "a default that its own range refuses"),
};

static ploy_fields faulty_fields(void) {
    return PLOY_FIELDS(toy_def, faulty_table);
}

TEST(create_refuses_a_field_table_with_a_fault) {
    ploy_env env = ploy_env_default();
    ploy_sim_def def = ploy_sim_def_default();
    ploy_sim_type type = toy_sim;
    type.fields = faulty_fields;
    ploy_sim *sim = NULL;
    CHECK_INT(ploy_sim_create(&def, &type, NULL, NULL, &env, &sim), PLOY_ERR_ARGUMENT);
    CHECK(sim == NULL);
    CHECK_UINT(ploy_sim_type_hash(&type), 0);
}

TEST(create_checks_the_parameters) {
    ploy_env env = ploy_env_default();
    ploy_sim_def def = ploy_sim_def_default();
    def.region_mib = 1;
    ploy_sim *sim = NULL;
    toy_def params;
    memset(&params, 0, sizeof params); // not from the default
    CHECK_INT(ploy_sim_create(&def, &toy_sim, &params, NULL, &env, &sim), PLOY_ERR_ARGUMENT);
    ploy_fields_default(toy_fields(), &params);
    params.speed = NAN;
    CHECK_INT(ploy_sim_create(&def, &toy_sim, &params, NULL, &env, &sim), PLOY_ERR_ARGUMENT);
    params.speed = 4.0f;
    params.agents = 3;
    CHECK_OK(ploy_sim_create(&def, &toy_sim, &params, NULL, &env, &sim));
    CHECK_SAME(((const toy_def *)ploy_sim_params(sim))->speed, 4.0f);
    ploy_sim_destroy(sim);
    params.ballast_kib = 2048; // more than the region has
    CHECK_INT(ploy_sim_create(&def, &toy_sim, &params, NULL, &env, &sim), PLOY_ERR_MEMORY);
    CHECK(sim == NULL);
}

static ploy_result create_and_step(const ploy_env *env, void *arg) {
    (void)arg;
    ploy_sim_def def = ploy_sim_def_default();
    def.region_mib = 1;
    ploy_sim *sim = NULL;
    ploy_result result = ploy_sim_create(&def, &toy_sim, NULL, NULL, env, &sim);
    if (result != PLOY_OK) return result;
    ploy_input input = toy_input(PLOY_INPUT_PARAMETER, "speed", ploy_value_f32(1));
    result = ploy_sim_check_input(sim, &input, NULL);
    uint64_t hash = ploy_sim_hash(sim);
    if (result == PLOY_OK) result = ploy_sim_step(sim, &input, 1, NULL);
    // A step that got no memory for its inputs has not begun.
    if (result != PLOY_OK && (ploy_sim_hash(sim) != hash || ploy_sim_stopped(sim))) {
        result = PLOY_ERR_STATE;
    }
    ploy_snapshot *snapshot = NULL;
    if (result == PLOY_OK) result = ploy_sim_snapshot(sim, &snapshot);
    ploy_snapshot_destroy(snapshot);
    ploy_sim_destroy(sim);
    return result;
}

static const char *const play_paths[] = {"tick", "state.count", "state.nothing"};

static ploy_result play_match(const ploy_env *env, void *arg) {
    (void)arg;
    double read[2];
    return ploy_sim_play(&toy_sim, NULL, 5, 20, play_paths, 2, env, read, NULL);
}

TEST(a_match_gives_the_numbers_and_the_hash_of_a_run_by_hand) {
    ploy_env env = ploy_env_default();
    ploy_sim *sim = start(t, 5);
    run(t, sim, 30);
    double read[3] = {-1.0, -1.0, -1.0};
    uint64_t hash = 0;
    CHECK_OK(ploy_sim_play(&toy_sim, NULL, 5, 30, play_paths, 2, &env, read, &hash));
    CHECK_SAME(read[0], 30);
    CHECK(read[1] >= 0);
    CHECK_UINT(hash, ploy_sim_hash(sim));
    ploy_sim_destroy(sim);
    read[0] = -1.0;
    CHECK_INT(ploy_sim_play(&toy_sim, NULL, 5, 3, play_paths, 3, &env, read, &hash),
              PLOY_ERR_NOT_FOUND);
    CHECK_SAME(read[0], -1);
    CHECK_INT(ploy_sim_play(&toy_sim, NULL, 5, 3, play_paths, 65, &env, read, NULL),
              PLOY_ERR_LIMIT);
    CHECK_INT(ploy_sim_play(&toy_sim, NULL, 5, 3, NULL, 2, &env, read, NULL), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_sim_play(NULL, NULL, 5, 3, NULL, 0, &env, NULL, NULL), PLOY_ERR_ARGUMENT);
    CHECK_OK(ploy_sim_play(&toy_sim, NULL, 5, 3, NULL, 0, &env, NULL, NULL));
    CHECK_FAIL_NTH(play_match, NULL);
}

TEST(every_failing_allocation_is_survived) {
    CHECK_FAIL_NTH(create_and_step, NULL);
}

TEST(inputs_are_checked_before_anything_changes) {
    ploy_value f = ploy_value_f32(3), none = ploy_value_none(), no_text = ploy_value_text("");
    no_text.as.text = NULL;
    const struct {
        const char *row;
        ploy_input_kind kind;
        const char *name;
        ploy_value value;
        bool agent;
        ploy_result want;
    } rows[] = {
        {"a live parameter", PLOY_INPUT_PARAMETER, "speed", f, false, PLOY_OK},
        {"a whole number for a real one", PLOY_INPUT_PARAMETER, "speed", ploy_value_i64(3), false,
         PLOY_OK},
        {"a choice by name", PLOY_INPUT_PARAMETER, "mode", ploy_value_text("rest"), false, PLOY_OK},
        {"an unknown choice", PLOY_INPUT_PARAMETER, "mode", ploy_value_text("dance"), false,
         PLOY_ERR_ARGUMENT},
        {"a fixed parameter", PLOY_INPUT_PARAMETER, "agents", ploy_value_i64(3), false,
         PLOY_ERR_DENIED},
        {"out of range", PLOY_INPUT_PARAMETER, "speed", ploy_value_f32(-1), false,
         PLOY_ERR_ARGUMENT},
        {"not a number", PLOY_INPUT_PARAMETER, "speed", ploy_value_f32(NAN), false,
         PLOY_ERR_ARGUMENT},
        {"unknown parameter", PLOY_INPUT_PARAMETER, "sped", f, false, PLOY_ERR_NOT_FOUND},
        {"no name", PLOY_INPUT_PARAMETER, "", f, false, PLOY_ERR_ARGUMENT},
        {"NULL for a name", PLOY_INPUT_COMMAND, NULL, none, false, PLOY_ERR_ARGUMENT},
        {"a command", PLOY_INPUT_COMMAND, "spawn", none, false, PLOY_OK},
        {"a command with too much", PLOY_INPUT_COMMAND, "spawn", f, false, PLOY_ERR_ARGUMENT},
        {"unknown command", PLOY_INPUT_COMMAND, "spown", none, false, PLOY_ERR_NOT_FOUND},
        {"for an agent", PLOY_INPUT_COMMAND, "push", ploy_value_vec2(1, 2), true, PLOY_OK},
        {"without its agent", PLOY_INPUT_COMMAND, "push", ploy_value_vec2(1, 2), false,
         PLOY_ERR_ARGUMENT},
        {"with another value", PLOY_INPUT_COMMAND, "push", f, true, PLOY_ERR_ARGUMENT},
        {"with an infinite one", PLOY_INPUT_COMMAND, "push", ploy_value_vec2(1, INFINITY), true,
         PLOY_ERR_ARGUMENT},
        {"a text", PLOY_INPUT_COMMAND, "say", ploy_value_text("ho"), false, PLOY_OK},
        {"a text that is NULL", PLOY_INPUT_COMMAND, "say", no_text, false, PLOY_ERR_ARGUMENT},
        {"a choice that is NULL", PLOY_INPUT_PARAMETER, "mode", no_text, false, PLOY_ERR_ARGUMENT},
        {"units", PLOY_INPUT_UNITS, "planner", ploy_value_u64(3), false, PLOY_OK},
        {"units as another number", PLOY_INPUT_UNITS, "planner", ploy_value_f64(3), false, PLOY_OK},
        {"half a unit", PLOY_INPUT_UNITS, "planner", ploy_value_f64(0.5), false, PLOY_ERR_ARGUMENT},
        {"an unknown kind", (ploy_input_kind)99, "x", none, false, PLOY_ERR_ARGUMENT},
    };
    ploy_sim *sim = start(t, 1);
    run(t, sim, 3);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_input good = toy_input(PLOY_INPUT_PARAMETER, "speed", ploy_value_f32(10 + (float)i));
        ploy_input input = toy_input(rows[i].kind, rows[i].name, rows[i].value);
        if (rows[i].agent) input.agent = ploy_agent_id_make(0, 1);
        image before = image_of(sim);
        CHECK_INT(ploy_sim_check_input(sim, &input, NULL), rows[i].want);
        // The good input before the bad one must not have been applied either.
        ploy_input both[2] = {good, input};
        if (rows[i].want != PLOY_OK) {
            CHECK_INT(ploy_sim_step(sim, both, 2, NULL), rows[i].want);
        }
        check_image(t, sim, &before);
        CHECK(!ploy_sim_stopped(sim));
        if (rows[i].want == PLOY_OK) CHECK_OK(ploy_sim_step(sim, both, 2, NULL));
    }
    CHECK_INT(ploy_sim_check_input(sim, NULL, NULL), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_sim_step(sim, NULL, 1, NULL), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_sim_step(sim, NULL, -1, NULL), PLOY_ERR_ARGUMENT);
    ploy_sim_destroy(sim);
}

TEST(a_reload_needs_a_type_that_takes_it) {
    ploy_env env = ploy_env_default();
    ploy_sim_def def = ploy_sim_def_default();
    def.region_mib = 1;
    ploy_sim_type type = toy_sim;
    type.capabilities = 0;
    ploy_sim *sim = NULL, *reloading = start(t, 1);
    CHECK_OK(ploy_sim_create(&def, &type, NULL, NULL, &env, &sim));
    ploy_input input = toy_input(PLOY_INPUT_RELOAD, "tree", ploy_value_none());
    input.bytes = "new";
    input.size = 3;
    CHECK_INT(ploy_sim_check_input(sim, &input, NULL), PLOY_ERR_UNSUPPORTED);
    CHECK_OK(ploy_sim_check_input(reloading, &input, NULL));
    input.bytes = NULL;
    CHECK_INT(ploy_sim_check_input(reloading, &input, NULL), PLOY_ERR_ARGUMENT);
    ploy_sim_destroy(sim);
    ploy_sim_destroy(reloading);
}

static ploy_result words_write(const void *state, int32_t definition, ploy_writer *out) {
    (void)state;
    ploy_write_text(out, definition == 1 ? "hello" : "");
    return ploy_writer_result(out);
}

// Accepts "yes".
static ploy_result words_check(const void *state, int32_t definition, const void *bytes,
                               size_t size, const ploy_env *env, ploy_diags *diags) {
    (void)state, (void)env;
    if (definition == 1 && size == 3 && memcmp(bytes, "yes", 3) == 0) return PLOY_OK;
    ploy_diags_add(diags, PLOY_SEVERITY_ERROR, PLOY_ERR_FORMAT, "words", 4, 2, "no", NULL, NULL);
    return size == 0 ? PLOY_IN_PROGRESS : PLOY_ERR_FORMAT;
}

TEST(a_type_with_definitions_checks_and_writes_them) {
    static const ploy_definition definitions[] = {{"rules", "txt", ""}, {"words", "txt", ""}};
    ploy_env env = ploy_env_default();
    ploy_sim_def def = ploy_sim_def_default();
    def.region_mib = 1;
    ploy_sim_type type = toy_sim;
    type.definition_count = 2;
    ploy_sim *sim = NULL;
    CHECK_INT(ploy_sim_create(&def, &type, NULL, NULL, &env, &sim), PLOY_ERR_ARGUMENT);
    type.definitions = definitions;
    type.write = words_write;
    CHECK_INT(ploy_sim_create(&def, &type, NULL, NULL, &env, &sim), PLOY_ERR_ARGUMENT);
    type.check = words_check;
    CHECK(ploy_sim_type_hash(&type) != ploy_sim_type_hash(&toy_sim)); // recordings tell them apart
    CHECK_OK(ploy_sim_create(&def, &type, NULL, NULL, &env, &sim));
    static const struct {
        const char *row, *name, *text;
        ploy_result want;
        int32_t line;
    } rows[] = {{"what it accepts", "words", "yes", PLOY_OK, -1},
                {"what it does not", "words", "nay", PLOY_ERR_FORMAT, 4},
                {"another definition", "rules", "yes", PLOY_ERR_FORMAT, 4},
                {"none of that name", "worms", "yes", PLOY_ERR_NOT_FOUND, 0},
                {"a check that does not answer", "words", "", PLOY_ERR_CALLBACK, 4}};
    ploy_diags *diags = NULL;
    CHECK_OK(ploy_diags_create(1, &env, &diags));
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_input input = toy_input(PLOY_INPUT_RELOAD, rows[i].name, ploy_value_none());
        input.bytes = rows[i].text;
        input.size = strlen(rows[i].text);
        uint64_t hash = ploy_sim_hash(sim);
        ploy_diags_clear(diags);
        CHECK_INT(ploy_sim_check_input(sim, &input, diags), rows[i].want);
        if (rows[i].line >= 0) CHECK_INT(ploy_diags_get(diags, 0)->line, rows[i].line);
        if (rows[i].want == PLOY_OK) continue;
        CHECK_INT(ploy_sim_step(sim, &input, 1, NULL), rows[i].want);
        CHECK_UINT(ploy_sim_hash(sim), hash);
    }
    t->row = NULL;
    CHECK_TEXT(ploy_diags_get(diags, 0)->message, "no");
    ploy_buffer text;
    ploy_buffer_init(&text, 0, &env);
    ploy_writer out = ploy_buffer_writer(&text);
    CHECK_OK(ploy_sim_write_definition(sim, "words", &out));
    CHECK_TEXT(ploy_buffer_text(&text), "hello");
    CHECK_INT(ploy_sim_write_definition(sim, "worms", &out), PLOY_ERR_NOT_FOUND);
    const char *nearest = NULL;
    CHECK_INT(ploy_sim_type_find_definition(&type, "word", &nearest), -1);
    CHECK_TEXT(nearest, "words");
    ploy_buffer_fini(&text);
    ploy_diags_destroy(diags);
    ploy_sim_destroy(sim);
}

TEST(a_definitions_text_is_replaced_and_counted) {
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    ploy_definition_text text = {NULL, 0, 0};
    CHECK_OK(ploy_definition_text_set(&text, "first", 5, &env));
    CHECK_UINT(text.reloads, 0);
    CHECK_OK(ploy_definition_text_set(&text, "", 0, &env));
    CHECK_OK(ploy_definition_text_set(&text, "third", 3, &env));
    CHECK_TEXT(text.bytes, "thi");
    CHECK_UINT(text.size, 3);
    CHECK_UINT(text.reloads, 2);
    CHECK_INT(ploy_definition_text_set(&text, NULL, 1, &env), PLOY_ERR_ARGUMENT);
    ploy_env_free(&env, text.bytes, text.size + 1);
    CHECK_INT(counts.bytes, 0);
}

TEST(a_refused_input_names_the_nearest_name) {
    ploy_env env = ploy_env_default();
    ploy_diags *diags = NULL;
    CHECK_OK(ploy_diags_create(10, &env, &diags));
    ploy_sim *sim = start(t, 1);
    ploy_input command = toy_input(PLOY_INPUT_COMMAND, "spown", ploy_value_none());
    CHECK_INT(ploy_sim_check_input(sim, &command, diags), PLOY_ERR_NOT_FOUND);
    ploy_input parameter = toy_input(PLOY_INPUT_PARAMETER, "sped", ploy_value_f32(1));
    CHECK_INT(ploy_sim_check_input(sim, &parameter, diags), PLOY_ERR_NOT_FOUND);
    ploy_input strange = toy_input(PLOY_INPUT_COMMAND, "xyz", ploy_value_none());
    CHECK_INT(ploy_sim_check_input(sim, &strange, diags), PLOY_ERR_NOT_FOUND);
    CHECK_INT(ploy_diags_count(diags), 3);
    CHECK_TEXT(ploy_diags_get(diags, 0)->nearest, "spawn");
    CHECK_TEXT(ploy_diags_get(diags, 1)->nearest, "speed");
    CHECK_TEXT(ploy_diags_get(diags, 2)->nearest, "");
    ploy_sim_destroy(sim);
    ploy_diags_destroy(diags);
}

// Writes what it was given to its state, so that the test can look at it.
typedef struct probe_state {
    float speed_seen;
    int32_t count_seen;
    ploy_value_type types[4];
    uint64_t tick_seen;
} probe_state;

static ploy_result probe_create(const void *params, ploy_rng_key key, const ploy_env *env,
                                void **out) {
    (void)params, (void)key;
    *out = ploy_env_alloc_zero(env, sizeof(probe_state));
    return *out != NULL ? PLOY_OK : PLOY_ERR_MEMORY;
}

static ploy_result probe_step(void *state, const ploy_sim_context *context) {
    probe_state *probe = state;
    probe->speed_seen = ((const toy_def *)context->params)->speed;
    probe->count_seen = context->input_count;
    probe->tick_seen = context->tick;
    for (int32_t i = 0; i < context->input_count && i < 4; i++) {
        probe->types[i] = context->inputs[i].value.type;
    }
    if (ploy_arena_alloc(context->scratch, 1000) == NULL) return PLOY_ERR_MEMORY;
    return PLOY_OK;
}

static void probe_describe(const void *state, ploy_describe *out) {
    const probe_state *probe = state;
    ploy_describe_f32(out, "speed", PLOY_STATE, probe->speed_seen);
    ploy_describe_i64(out, "inputs", PLOY_NOTE, probe->count_seen);
    ploy_describe_u64(out, "tick_seen", PLOY_NOTE, probe->tick_seen);
    ploy_describe_text(out, "type", PLOY_NOTE, ploy_value_type_text(probe->types[1]));
}

// A sink that keeps the values as text, one line each.
typedef struct lines {
    char text[1024];
} lines;

static void lines_value(void *user, const char *name, ploy_mark mark, const ploy_value *value) {
    (void)mark;
    lines *all = user;
    size_t length = strlen(all->text);
    char printed[64];
    ploy_value_print(value, printed, sizeof printed);
    snprintf(all->text + length, sizeof all->text - length, "%s=%s\n", name, printed);
}

// A sim of the probe; the type is the caller's, and lives as long.
static ploy_sim *start_probe(test_context *t, ploy_sim_type *type) {
    ploy_env env = ploy_env_default();
    ploy_sim_def def = ploy_sim_def_default();
    def.region_mib = 1;
    *type = toy_sim;
    type->create = probe_create;
    type->step = probe_step;
    type->describe = probe_describe;
    type->draw = NULL;
    ploy_sim *sim = NULL;
    CHECK_OK(ploy_sim_create(&def, type, NULL, NULL, &env, &sim));
    return sim;
}

TEST(a_step_sees_parameters_already_set_and_values_of_the_right_type) {
    ploy_sim_type type;
    ploy_sim *sim = start_probe(t, &type);
    run(t, sim, 2);
    ploy_input inputs[3] = {
        toy_input(PLOY_INPUT_PARAMETER, "speed", ploy_value_i64(3)),
        toy_input(PLOY_INPUT_UNITS, "planner", ploy_value_i64(9)),
        toy_input(PLOY_INPUT_PARAMETER, "speed", ploy_value_i64(5)), // the last one wins
    };
    CHECK_OK(ploy_sim_step(sim, inputs, 3, NULL));
    ploy_draw nobody = {NULL, NULL, 0};
    ploy_sim_draw(sim, &nobody); // a type without draw draws nothing
    lines told = {{0}};
    ploy_describe out = {NULL, NULL, lines_value, &told};
    ploy_sim_describe(sim, &out);
    CHECK_TEXT(told.text, "tick=3\nagents=5\nballast_kib=0\nspeed=5\nmode=wander\nhome=(3, -1)\n"
                          "noisy=true\nspeed=5\ninputs=3\ntick_seen=2\ntype=u64\n");
    ploy_sim_destroy(sim);
}

static ploy_result measure_step(void *state, const ploy_sim_context *context) {
    (void)state;
    if (ploy_sim_measure(context, "", 1) != PLOY_ERR_ARGUMENT) return PLOY_ERR_CALLBACK;
    for (uint64_t i = 0; i <= PLOY_SIM_MEASURED_MAX; i++) {
        bool fits = i < PLOY_SIM_MEASURED_MAX || context->repeats;
        ploy_result result = ploy_sim_measure(context, "clock", context->tick * 100 + i);
        if (result != (fits ? PLOY_OK : PLOY_ERR_CAPACITY)) return PLOY_ERR_CALLBACK;
    }
    return PLOY_OK;
}

TEST(what_a_step_measures_is_an_input_of_its_tick) {
    ploy_sim_type type;
    ploy_sim *sim = start_probe(t, &type);
    type.step = measure_step;
    CHECK_INT(ploy_sim_measured_count(sim), 0);
    run(t, sim, 2);
    CHECK_INT(ploy_sim_measured_count(sim), PLOY_SIM_MEASURED_MAX); // of the last step alone
    ploy_input first = ploy_sim_measured(sim, 0);
    CHECK_INT(first.kind, PLOY_INPUT_UNITS);
    CHECK_TEXT(first.name, "clock");
    CHECK_UINT(first.value.as.u64, 100);
    CHECK_OK(ploy_sim_check_input(sim, &first, NULL));
    CHECK(ploy_sim_measured(sim, PLOY_SIM_MEASURED_MAX).name == NULL);
    ploy_sim_set_repeats(sim, true); // nothing is measured again
    run(t, sim, 1);
    CHECK_INT(ploy_sim_measured_count(sim), 0);
    ploy_sim_context alone = {.tick = 1}; // outside a simulation nothing is kept
    CHECK_OK(ploy_sim_measure(&alone, "clock", 1));
    CHECK_INT(ploy_sim_measure(NULL, "clock", 1), PLOY_ERR_ARGUMENT);
    ploy_sim_destroy(sim);
}

TEST(a_failed_step_stops_the_simulation_until_it_is_restored) {
    ploy_sim *sim = start(t, 3);
    run(t, sim, 5);
    ploy_snapshot *snapshot = NULL;
    CHECK_OK(ploy_sim_snapshot(sim, &snapshot));
    uint64_t hash = ploy_sim_hash(sim);
    image before = image_of(sim);
    ploy_input fail = toy_input(PLOY_INPUT_COMMAND, "fail", ploy_value_none());
    CHECK_INT(ploy_sim_step(sim, &fail, 1, NULL), PLOY_ERR_CALLBACK);
    CHECK(ploy_sim_stopped(sim));
    CHECK_INT(ploy_sim_step(sim, NULL, 0, NULL), PLOY_ERR_STATE);
    ploy_snapshot *bad = NULL;
    CHECK_INT(ploy_sim_snapshot(sim, &bad), PLOY_ERR_STATE);
    CHECK(ploy_sim_hash(sim) != hash); // half a step was taken
    CHECK_OK(ploy_sim_restore(sim, snapshot));
    CHECK(!ploy_sim_stopped(sim));
    CHECK_UINT(ploy_sim_hash(sim), hash);
    check_image(t, sim, &before);
    run(t, sim, 5);
    ploy_snapshot_destroy(snapshot);
    ploy_sim_destroy(sim);
}

TEST(restore_refuses_another_simulations_snapshot) {
    ploy_sim *a = start(t, 1), *b = start(t, 1);
    ploy_snapshot *snapshot = NULL;
    CHECK_OK(ploy_sim_snapshot(a, &snapshot));
    CHECK_INT(ploy_sim_restore(b, snapshot), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_sim_restore(b, NULL), PLOY_ERR_ARGUMENT);
    ploy_snapshot_destroy(snapshot);
    ploy_sim_destroy(a);
    ploy_sim_destroy(b);
}

TEST(a_run_from_a_snapshot_repeats_itself_byte_for_byte) {
    for (uint64_t seed = 1; seed <= 20; seed++) {
        TEST_SEED(seed);
        ploy_sim *sim = start(t, seed);
        ploy_rng rng = ploy_rng_make(seed);
        run(t, sim, ploy_rng_int(&rng, 0, 40));
        ploy_snapshot *snapshot = NULL;
        CHECK_OK(ploy_sim_snapshot(sim, &snapshot));
        uint64_t hash[2];
        image first = {NULL, 0};
        for (int32_t turn = 0; turn < 2; turn++) {
            ploy_rng inputs = ploy_rng_make(seed + 1000);
            for (int32_t i = 0; i < 60; i++) {
                ploy_input input = toy_random_input(&inputs);
                bool any = ploy_rng_chance(&inputs, 0.3f);
                CHECK_OK(ploy_sim_step(sim, &input, any ? 1 : 0, NULL));
            }
            hash[turn] = ploy_sim_hash(sim);
            if (turn == 0) {
                first = image_of(sim);
                CHECK_OK(ploy_sim_restore(sim, snapshot));
            }
        }
        CHECK_UINT(hash[0], hash[1]);
        check_image(t, sim, &first);
        CHECK(ployi_region_valid(ploy_sim_region(sim)));
        ploy_snapshot_destroy(snapshot);
        ploy_sim_destroy(sim);
    }
}

static void count_begin(void *user, ploy_id agent, const char *topic, const char *technique) {
    (void)agent, (void)topic, (void)technique;
    (*(int32_t *)user)++;
}

TEST(tracing_changes_no_bit) {
    int32_t decisions = 0;
    ploy_trace trace = {count_begin, NULL, NULL, NULL, NULL, &decisions};
    ploy_sim *with = start(t, 5), *without = start(t, 5);
    for (int32_t i = 0; i < 30; i++) {
        CHECK_OK(ploy_sim_step(with, NULL, 0, &trace));
        CHECK_OK(ploy_sim_step(without, NULL, 0, NULL));
        CHECK_UINT(ploy_sim_hash(with), ploy_sim_hash(without));
    }
    CHECK_INT(decisions, 30 * 5);
    ploy_sim_destroy(with);
    ploy_sim_destroy(without);
}

TEST(the_hash_sees_tick_and_parameters_too) {
    ploy_sim_type type;
    ploy_sim *sim = start_probe(t, &type);
    run(t, sim, 1);
    uint64_t hash = ploy_sim_hash(sim);
    run(t, sim, 1); // the probe's state is the same, the tick is not
    CHECK(ploy_sim_hash(sim) != hash);
    hash = ploy_sim_hash(sim);
    ploy_snapshot *snapshot = NULL;
    CHECK_OK(ploy_sim_snapshot(sim, &snapshot));
    run(t, sim, 1);
    uint64_t plain = ploy_sim_hash(sim);
    CHECK_OK(ploy_sim_restore(sim, snapshot));
    ploy_input home = toy_input(PLOY_INPUT_PARAMETER, "home", ploy_value_vec2(1, 1));
    CHECK_OK(ploy_sim_step(sim, &home, 1, NULL)); // the probe does not look at it
    CHECK(ploy_sim_hash(sim) != plain);
    ploy_snapshot_destroy(snapshot);
    ploy_sim_destroy(sim);
}

TEST(types_are_found_by_name_with_the_nearest_offered) {
    ploy_sim_type other = toy_sim;
    other.name = "pursue";
    const ploy_sim_type *const types[] = {&toy_sim, &other, NULL};
    const char *nearest = "x";
    CHECK(ploy_sim_type_find(types, "toy", &nearest) == &toy_sim);
    CHECK(nearest == NULL);
    CHECK(ploy_sim_type_find(types, "pursue", NULL) == &other);
    CHECK(ploy_sim_type_find(types, "persue", &nearest) == NULL);
    CHECK_TEXT(nearest, "pursue");
    CHECK(ploy_sim_type_find(types, "chess", &nearest) == NULL);
    CHECK(nearest == NULL);
    CHECK(ploy_sim_type_find(NULL, "toy", &nearest) == NULL);
    CHECK(ploy_sim_type_find(types, NULL, &nearest) == NULL);
}

static const ploy_field shorter_table[] = {
    PLOY_FIELD_F32(toy_def, speed, 2, 0, 100, "m/s", "how fast they go"),
};

static ploy_fields shorter_fields(void) {
    return PLOY_FIELDS(toy_def, shorter_table);
}

TEST(the_type_hash_changes_with_whatever_changes_a_run) {
    uint64_t hash = ploy_sim_type_hash(&toy_sim);
    CHECK_UINT(ploy_sim_type_hash(&toy_sim), hash);
    ploy_sim_type type = toy_sim;
    type.title = "Another title";
    CHECK_UINT(ploy_sim_type_hash(&type), hash);
    type = toy_sim;
    type.version++;
    CHECK(ploy_sim_type_hash(&type) != hash);
    type = toy_sim;
    type.dt *= 2;
    CHECK(ploy_sim_type_hash(&type) != hash);
    type = toy_sim;
    type.name = "toi";
    CHECK(ploy_sim_type_hash(&type) != hash);
    type = toy_sim;
    type.command_count--;
    CHECK(ploy_sim_type_hash(&type) != hash);
    type = toy_sim;
    type.fields = shorter_fields;
    CHECK(ploy_sim_type_hash(&type) != hash);
    CHECK_UINT(ploy_sim_type_hash(NULL), 0);
}

TEST(texts_and_memory_are_reported) {
    CHECK_TEXT(ploy_input_kind_text(PLOY_INPUT_PARAMETER), "parameter");
    CHECK_TEXT(ploy_input_kind_text(PLOY_INPUT_COMMAND), "command");
    CHECK_TEXT(ploy_input_kind_text(PLOY_INPUT_RELOAD), "reload");
    CHECK_TEXT(ploy_input_kind_text(PLOY_INPUT_UNITS), "units");
    CHECK_TEXT(ploy_input_kind_text((ploy_input_kind)99), "?");
    ploy_sim *sim = start(t, 1);
    int64_t bytes = 0;
    size_t used = 0;
    ploy_sim_memory(sim, test_sum_memory, &bytes);
    ployi_region_bytes(ploy_sim_region(sim), &used);
    CHECK(bytes > (int64_t)used);
    ploy_sim_destroy(sim);
}

TEST(the_field_tables_are_sound) {
    CHECK_OK(ploy_fields_check_table(ploy_sim_fields(), NULL));
    CHECK_OK(ploy_fields_check_table(toy_fields(), NULL));
}
