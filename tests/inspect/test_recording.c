// Recording files: docs/recording-format.md.
#include <stdlib.h>

#include "ploy/base/hash.h"
#include "ploy/base/number.h"
#include "ploy/base/version.h"
#include "ploy/inspect/recorder.h"
#include "tests/exec/toy_sim.h"
#include "tests/test.h"

static const ploy_sim_type *const toy_types[] = {&toy_sim, NULL};

static ploy_recorder_def small_def(uint64_t seed) {
    ploy_recorder_def def = ploy_recorder_def_default();
    def.snapshot_every = 16;
    def.hash_every = 10;
    def.sim.region_mib = 2;
    def.sim.seed = seed;
    return def;
}

static ploy_recorder *record(test_context *t, uint64_t seed, int32_t ticks, float inputs) {
    ploy_env env = ploy_env_default();
    ploy_recorder_def def = small_def(seed);
    ploy_recorder *recorder = NULL;
    toy_def params;
    ploy_fields_default(toy_fields(), &params);
    params.speed = 0.1f;
    params.mode = (int32_t)(seed % 3);
    CHECK_OK(ploy_recorder_create(&def, &toy_sim, &params, NULL, &env, &recorder));
    ploy_rng rng = ploy_rng_make(seed);
    for (int32_t i = 0; i < ticks; i++) {
        while (ploy_rng_chance(&rng, inputs)) {
            ploy_input input = toy_random_input(&rng);
            CHECK_OK(ploy_recorder_input(recorder, &input, NULL));
        }
        CHECK_OK(ploy_recorder_step(recorder));
    }
    return recorder;
}

// The file as text in malloc'ed memory.
static char *save(test_context *t, const ploy_recorder *recorder, size_t *size) {
    ploy_env env = ploy_env_default();
    ploy_buffer buffer;
    ploy_buffer_init(&buffer, 0, &env);
    ploy_writer writer = ploy_buffer_writer(&buffer);
    CHECK_OK(ploy_recorder_save(recorder, &writer));
    char *text = malloc(buffer.size + 1);
    memcpy(text, buffer.bytes, buffer.size);
    text[buffer.size] = 0;
    if (size != NULL) *size = buffer.size;
    ploy_buffer_fini(&buffer);
    return text;
}

static ploy_result load(const char *text, size_t size, ploy_diags *diags, ploy_recorder **out) {
    ploy_env env = ploy_env_default();
    ploy_recorder_def def = small_def(99);
    return ploy_recorder_load(text, size, "a.rec", toy_types, &def, NULL, &env, diags, out);
}

// Puts the right checksum into a file that was changed.
static void reseal(char *text) {
    char *key = NULL;
    for (char *at = text; (at = strstr(at, "\"checksum\":\"")) != NULL; at++) key = at;
    if (key == NULL) return;
    char digits[PLOY_PRINT_HEX64_SIZE];
    ploy_print_hex64(ploy_hash_bytes(text, (size_t)(key - text), 0), digits);
    memcpy(key + strlen("\"checksum\":\""), digits, 16);
}

// A copy with the first `from` replaced.
static char *replace(test_context *t, const char *text, const char *from, const char *to) {
    const char *at = strstr(text, from);
    CHECK(at != NULL);
    size_t size = strlen(text) - strlen(from) + strlen(to) + 1;
    char *out = malloc(size);
    snprintf(out, size, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    return out;
}

TEST(a_recording_is_opened_by_executing_it_again) {
    for (uint64_t seed = 1; seed <= 30; seed++) {
        TEST_SEED(seed);
        ploy_recorder *recorder = record(t, seed, 57, seed % 2 == 0 ? 0.3f : 0.0f);
        uint64_t hash = ploy_sim_hash(ploy_recorder_sim(recorder));
        size_t size = 0, again_size = 0;
        if (seed % 3 == 0) CHECK_OK(ploy_recorder_seek(recorder, 20, NULL)); // wherever it stands
        char *text = save(t, recorder, &size);
        ploy_recorder *opened = NULL;
        CHECK_OK(load(text, size, NULL, &opened));
        CHECK_UINT(ploy_recorder_tick(opened), 0);
        CHECK_UINT(ploy_recorder_end(opened), 57);
        CHECK_UINT(ploy_sim_seed(ploy_recorder_sim(opened)), seed);
        CHECK_INT(ploy_recorder_input_count(opened), ploy_recorder_input_count(recorder));
        char *before = save(t, opened, &again_size); // before it has executed anything
        CHECK_TEXT(before, text);
        CHECK_OK(ploy_recorder_seek(opened, 57, NULL));
        CHECK_UINT(ploy_sim_hash(ploy_recorder_sim(opened)), hash);
        char *after = save(t, opened, &again_size);
        CHECK_TEXT(after, text);
        CHECK_OK(ploy_recorder_step(opened)); // and it goes on from there
        free(text);
        free(before);
        free(after);
        ploy_recorder_destroy(recorder);
        ploy_recorder_destroy(opened);
    }
}

// The seed corpus of the fuzz target serves as golden files: written by some build on some machine,
// they must open and come out the same on every other. PLOY_UPDATE in the environment rewrites them.
TEST(recordings_of_before_open_and_execute) {
    static const struct {
        const char *row;
        uint64_t seed;
        int32_t ticks;
        float inputs;
        int32_t hash_every;
    } rows[] = {
        {"still", 1, 0, 0.0f, 10},
        {"plain", 2, 12, 0.0f, 5},
        {"inputs", 3, 25, 0.4f, 10},
        {"many_inputs", 4, 6, 0.8f, 100},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_env env = ploy_env_default();
        ploy_recorder_def def = small_def(rows[i].seed);
        def.hash_every = rows[i].hash_every;
        toy_def params;
        ploy_fields_default(toy_fields(), &params);
        params.agents = 2;
        ploy_recorder *recorder = NULL;
        CHECK_OK(ploy_recorder_create(&def, &toy_sim, &params, NULL, &env, &recorder));
        ploy_rng rng = ploy_rng_make(rows[i].seed);
        for (int32_t tick = 0; tick < rows[i].ticks; tick++) {
            while (ploy_rng_chance(&rng, rows[i].inputs)) {
                ploy_input input = toy_random_input(&rng);
                CHECK_OK(ploy_recorder_input(recorder, &input, NULL));
            }
            CHECK_OK(ploy_recorder_step(recorder));
        }
        size_t size = 0, golden_size = 0;
        char *text = save(t, recorder, &size);
        char path[512];
        snprintf(path, sizeof path, PLOY_SOURCE_DIR "/fuzz/corpus/recording/%s.rec", rows[i].row);
        if (getenv("PLOY_UPDATE") != NULL) {
            FILE *out = fopen(path, "wb");
            CHECK(out != NULL);
            fwrite(text, 1, size, out);
            fclose(out);
        }
        char *golden = test_read_file(path, &golden_size);
        CHECK(golden != NULL);
        ploy_recorder *opened = NULL;
        CHECK_OK(load(golden, golden_size, NULL, &opened));
        CHECK_OK(ploy_recorder_seek(opened, UINT64_MAX, NULL));
        CHECK_TEXT(text, golden);
        free(golden);
        free(text);
        ploy_recorder_destroy(opened);
        ploy_recorder_destroy(recorder);
    }
}

TEST(queued_inputs_are_saved_too) {
    ploy_recorder *recorder = record(t, 1, 20, 0);
    ploy_input spawn = toy_input(PLOY_INPUT_COMMAND, "spawn", ploy_value_none());
    CHECK_OK(ploy_recorder_input(recorder, &spawn, NULL));
    size_t size = 0;
    char *text = save(t, recorder, &size);
    ploy_recorder *opened = NULL;
    CHECK_OK(load(text, size, NULL, &opened));
    CHECK_OK(ploy_recorder_seek(opened, 20, NULL));
    CHECK_OK(ploy_recorder_step(opened));
    CHECK_OK(ploy_recorder_step(recorder));
    CHECK_UINT(ploy_sim_hash(ploy_recorder_sim(opened)),
               ploy_sim_hash(ploy_recorder_sim(recorder)));
    free(text);
    ploy_recorder_destroy(recorder);
    ploy_recorder_destroy(opened);
}

TEST(the_lines_are_those_of_the_format) {
    ploy_env env = ploy_env_default();
    ploy_recorder_def def = small_def(UINT64_MAX);
    ploy_recorder *recorder = NULL;
    CHECK_OK(ploy_recorder_create(&def, &toy_sim, NULL, NULL, &env, &recorder));
    ploy_input push = toy_input(PLOY_INPUT_COMMAND, "push", ploy_value_vec2(0.1f, -2));
    push.agent = ploy_agent_id_make(3, 4);
    ploy_input reload = toy_input(PLOY_INPUT_RELOAD, "tree", ploy_value_none());
    reload.bytes = "\x00\xff"
                   "a";
    reload.size = 3;
    ploy_input say = toy_input(PLOY_INPUT_COMMAND, "say", ploy_value_text("a\"b"));
    for (int32_t i = 0; i < 10; i++) CHECK_OK(ploy_recorder_step(recorder));
    CHECK_OK(ploy_recorder_input(recorder, &push, NULL));
    CHECK_OK(ploy_recorder_input(recorder, &reload, NULL));
    CHECK_OK(ploy_recorder_input(recorder, &say, NULL));
    CHECK_OK(ploy_recorder_step(recorder));
    char *text = save(t, recorder, NULL);
    char want[2048];
    uint64_t hash = ploy_sim_hash(ploy_recorder_sim(recorder));
    CHECK_OK(ploy_recorder_seek(recorder, 10, NULL));
    uint64_t hash10 = ploy_sim_hash(ploy_recorder_sim(recorder));
    CHECK_OK(ploy_recorder_seek(recorder, 0, NULL));
    uint64_t hash0 = ploy_sim_hash(ploy_recorder_sim(recorder));
    snprintf(want, sizeof want,
             "{\"ploy_recording\":1,\"ploy\":\"" PLOY_VERSION_TEXT
             "\",\"sim\":\"toy\",\"type_hash\":\"%016llx\","
             "\"seed\":18446744073709551615,\"hash_every\":10,\"params\":{\"agents\":5,"
             "\"ballast_kib\":0,\"speed\":2,\"mode\":\"wander\",\"home\":[3,-1],\"noisy\":true}}\n"
             "{\"t\":0,\"hash\":\"%016llx\"}\n"
             "{\"t\":10,\"hash\":\"%016llx\"}\n"
             "{\"t\":10,\"kind\":\"command\",\"name\":\"push\",\"agent\":\"3:4\",\"type\":\"vec2\","
             "\"value\":[0.1,-2]}\n"
             "{\"t\":10,\"kind\":\"reload\",\"name\":\"tree\",\"bytes\":\"00ff61\"}\n"
             "{\"t\":10,\"kind\":\"command\",\"name\":\"say\",\"type\":\"text\","
             "\"value\":\"a\\\"b\"}\n"
             "{\"end\":11,\"hash\":\"%016llx\",\"lines\":6,\"checksum\":\"0000000000000000\"}\n",
             (unsigned long long)ploy_sim_type_hash(&toy_sim), (unsigned long long)hash0,
             (unsigned long long)hash10, (unsigned long long)hash);
    reseal(want);
    CHECK_TEXT(text, want);
    free(text);
    ploy_recorder_destroy(recorder);
}

TEST(a_file_cut_anywhere_is_opened_up_to_its_last_hash) {
    ploy_recorder *recorder = record(t, 4, 25, 0.2f);
    size_t size = 0;
    char *text = save(t, recorder, &size);
    char *first = strstr(text, "}\n{\"t\":0,"), *end = strstr(text, "\"checksum\"");
    size_t hashed = (size_t)(strchr(first + 2, '\n') - text) + 1, sealed = (size_t)(end - text);
    int32_t opens = 0;
    uint64_t last = 0;
    for (size_t i = 0; i < size; i++) {
        TEST_SEED(i);
        char *part = malloc(i + 1); // of exactly that size, so that a byte too far is noticed
        memcpy(part, text, i);
        ploy_recorder *opened = NULL;
        ploy_result result = load(part, i, NULL, &opened);
        free(part);
        bool whole = i >= hashed && i <= sealed + 11; // the key's quotes and colon are 11 bytes
        CHECK_INT(result, whole ? PLOY_OK : PLOY_ERR_FORMAT);
        CHECK((opened != NULL) == whole);
        if (!whole) continue;
        opens++;
        // The same run, as far as it is known; executing it meets every hash.
        uint64_t tick = ploy_recorder_end(opened);
        CHECK(tick >= last && tick <= 25 && tick % 10 == 0);
        last = tick;
        if (i % 7 == 0) {
            CHECK_OK(ploy_recorder_seek(opened, tick, NULL));
            CHECK_OK(ploy_recorder_seek(recorder, tick, NULL));
            CHECK_UINT(ploy_sim_hash(ploy_recorder_sim(opened)),
                       ploy_sim_hash(ploy_recorder_sim(recorder)));
        }
        ploy_recorder_destroy(opened);
    }
    CHECK(opens > 100);
    CHECK_UINT(last, 20);
    free(text);
    ploy_recorder_destroy(recorder);
}

TEST(a_stream_has_the_bytes_of_a_saved_recording) {
    ploy_env env = ploy_env_default();
    ploy_recorder_def def = small_def(6);
    ploy_recorder *recorder = NULL;
    CHECK_OK(ploy_recorder_create(&def, &toy_sim, NULL, NULL, &env, &recorder));
    ploy_buffer streamed;
    ploy_buffer_init(&streamed, 0, &env);
    ploy_writer to = ploy_buffer_writer(&streamed);
    ploy_recording_stream stream;
    CHECK_OK(ploy_recording_stream_begin(&stream, recorder, &to));
    ploy_rng rng = ploy_rng_make(6);
    for (int32_t tick = 0; tick < 37; tick++) {
        ploy_input input = toy_random_input(&rng);
        if (tick % 3 == 0) CHECK_OK(ploy_recorder_input(recorder, &input, NULL));
        CHECK_OK(ploy_recorder_step(recorder));
        if (tick % 4 != 1) CHECK_OK(ploy_recording_stream_step(&stream, recorder));
    }
    CHECK_OK(ploy_recording_stream_end(&stream, recorder));
    size_t size = 0;
    char *saved = save(t, recorder, &size);
    CHECK_UINT(streamed.size, size);
    CHECK_BYTES(streamed.bytes, saved, size);
    // Another course: what was written is not what happened.
    CHECK_OK(ploy_recorder_seek(recorder, 5, NULL));
    ploy_input other = toy_random_input(&rng);
    CHECK_OK(ploy_recorder_input(recorder, &other, NULL));
    CHECK_INT(ploy_recording_stream_step(&stream, recorder), PLOY_ERR_STATE);
    free(saved);
    ploy_buffer_fini(&streamed);
    ploy_recorder_destroy(recorder);
}

TEST(a_file_changed_in_any_byte_is_refused_or_means_the_same) {
    ploy_recorder *recorder = record(t, 8, 25, 0.3f);
    size_t size = 0;
    char *text = save(t, recorder, &size);
    char *changed = malloc(size);
    int32_t same = 0;
    for (size_t i = 0; i < size; i++) {
        for (int32_t bit = 0; bit < 8; bit++) {
            TEST_SEED(i * 8 + (size_t)bit);
            memcpy(changed, text, size);
            changed[i] = (char)(changed[i] ^ (1 << bit));
            ploy_recorder *opened = NULL;
            ploy_result result = load(changed, size, NULL, &opened);
            if (result != PLOY_OK) {
                CHECK(result == PLOY_ERR_FORMAT || result == PLOY_ERR_VERSION);
                CHECK(opened == NULL);
                continue;
            }
            size_t again_size = 0;
            char *again = save(t, opened, &again_size);
            CHECK_UINT(again_size, size);
            CHECK_BYTES(again, text, size);
            free(again);
            ploy_recorder_destroy(opened);
            same++;
        }
    }
    CHECK_INT(same, 0); // the checksum leaves no byte out
    free(changed);
    free(text);
    ploy_recorder_destroy(recorder);
}

TEST(what_is_wrong_is_said_with_its_place) {
    ploy_env env = ploy_env_default();
    ploy_recorder_def def = small_def(5);
    ploy_recorder *recorder = NULL;
    CHECK_OK(ploy_recorder_create(&def, &toy_sim, NULL, NULL, &env, &recorder));
    ploy_input speed = toy_input(PLOY_INPUT_PARAMETER, "speed", ploy_value_f32(3));
    ploy_input push = toy_input(PLOY_INPUT_COMMAND, "push", ploy_value_vec2(1, 2));
    push.agent = ploy_agent_id_make(0, 1);
    ploy_input reload = toy_input(PLOY_INPUT_RELOAD, "tree", ploy_value_none());
    reload.bytes = "ab";
    reload.size = 2;
    CHECK_OK(ploy_recorder_step(recorder));
    CHECK_OK(ploy_recorder_input(recorder, &speed, NULL));
    CHECK_OK(ploy_recorder_step(recorder));
    CHECK_OK(ploy_recorder_input(recorder, &push, NULL));
    CHECK_OK(ploy_recorder_input(recorder, &reload, NULL));
    for (int32_t i = 0; i < 10; i++) CHECK_OK(ploy_recorder_step(recorder));
    char *text = save(t, recorder, NULL);
    // The file: 1 header, 2 hash 0, 3 speed, 4 push, 5 reload, 6 hash 10, 7 end.
    static const struct {
        const char *row, *from, *to;
        ploy_result want;
        int32_t line;
        const char *message;
    } rows[] = {
        {"nothing", "{", "{", PLOY_OK, 0, NULL},
        {"no recording", "{\"ploy_recording\"", "{\"cake\"", PLOY_ERR_FORMAT, 1,
         "invalid recording"},
        {"a newer format", "\"ploy_recording\":1", "\"ploy_recording\":2", PLOY_ERR_VERSION, 1,
         "format 2"},
        {"format 0", "\"ploy_recording\":1", "\"ploy_recording\":0", PLOY_ERR_FORMAT, 1, "format"},
        {"a format that is no number", "\"ploy_recording\":1", "\"ploy_recording\":\"1\"",
         PLOY_ERR_FORMAT, 1, "ploy_recording"},
        {"another simulation", "\"sim\":\"toy\"", "\"sim\":\"tor\"", PLOY_ERR_NOT_FOUND, 1,
         "unknown simulation 'tor'"},
        {"no simulation", "\"sim\":\"toy\",", "", PLOY_ERR_FORMAT, 1, "missing"},
        {"an unknown key in the header", "\"seed\"", "\"sead\"", PLOY_ERR_FORMAT, 1, "sead"},
        {"a seed that is no whole number", "\"seed\":5", "\"seed\":5.5", PLOY_ERR_FORMAT, 1,
         "seed"},
        {"no interval", "\"hash_every\":10", "\"hash_every\":0", PLOY_ERR_FORMAT, 1, "hash_every"},
        {"a huge interval", "\"hash_every\":10", "\"hash_every\":99999999999", PLOY_ERR_FORMAT, 1,
         "hash_every"},
        {"a parameter missing", "\"agents\":5,", "", PLOY_ERR_FORMAT, 1, "every parameter"},
        {"a parameter unknown", "\"agents\":5", "\"agends\":5", PLOY_ERR_FORMAT, 1, "agends"},
        {"a parameter out of range", "\"agents\":5", "\"agents\":500", PLOY_ERR_FORMAT, 1,
         "agents"},
        {"a parameter of another type", "\"agents\":5", "\"agents\":true", PLOY_ERR_FORMAT, 1,
         "wrong type"},
        {"another first state", "\"agents\":5", "\"agents\":6", PLOY_ERR_VERSION, 2,
         "initial state differs"},
        {"an unknown choice", "\"wander\"", "\"wonder\"", PLOY_ERR_FORMAT, 1, "wonder"},
        {"no JSON", "{\"t\":0,", "{\"t\":0;", PLOY_ERR_FORMAT, 2, NULL},
        {"no object", "{\"t\":0,\"hash\"", "[{\"t\":0,\"hash\"", PLOY_ERR_FORMAT, 2, NULL},
        {"no hash first", "{\"t\":0,\"hash\"", "{\"t\":10,\"hash\"", PLOY_ERR_FORMAT, 2,
         "hash of tick 0"},
        {"no tick", "{\"t\":1,", "{", PLOY_ERR_FORMAT, 3, "'t'"},
        {"a tick below zero", "{\"t\":1,", "{\"t\":-1,", PLOY_ERR_FORMAT, 3, "'t'"},
        {"an unknown kind", "\"parameter\"", "\"pirameter\"", PLOY_ERR_FORMAT, 3, "'kind'"},
        {"no name", "\"name\":\"speed\",", "", PLOY_ERR_FORMAT, 3, "'name'"},
        {"a name with a zero in it", "\"name\":\"speed\"", "\"name\":\"speed\\u0000\"",
         PLOY_ERR_FORMAT, 3, "'name'"},
        {"an unknown parameter", "\"name\":\"speed\"", "\"name\":\"sped\"", PLOY_ERR_FORMAT, 3,
         NULL},
        {"a fixed parameter", "\"name\":\"speed\"", "\"name\":\"agents\"", PLOY_ERR_FORMAT, 3,
         "cannot change"},
        {"no type", "\"type\":\"f32\",", "", PLOY_ERR_FORMAT, 3, "'type'"},
        {"an unknown type", "\"type\":\"f32\"", "\"type\":\"f23\"", PLOY_ERR_FORMAT, 3, "'type'"},
        {"no value", ",\"value\":3}", "}", PLOY_ERR_FORMAT, 3, "value"},
        {"a text for a number", "\"value\":3", "\"value\":\"3\"", PLOY_ERR_FORMAT, 3, "value"},
        {"not a number", "\"value\":3", "\"value\":\"nan\"", PLOY_ERR_FORMAT, 3, NULL},
        {"bytes where none belong", "\"value\":3", "\"value\":3,\"bytes\":\"\"", PLOY_ERR_FORMAT, 3,
         "bytes"},
        {"a key twice", "\"kind\":\"parameter\"", "\"t\":1,\"kind\":\"parameter\"", PLOY_ERR_FORMAT,
         3, NULL},
        {"an unknown key", "\"kind\":\"parameter\"", "\"kin\":1,\"kind\":\"parameter\"",
         PLOY_ERR_FORMAT, 3, "kin"},
        {"two numbers for three", "\"value\":[1,2]", "\"value\":[1,2,3]", PLOY_ERR_FORMAT, 4,
         "value"},
        {"an agent that is none", "\"agent\":\"0:1\"", "\"agent\":\"Bob\"", PLOY_ERR_FORMAT, 4,
         "value"},
        {"no agent", "\"agent\":\"0:1\",", "", PLOY_ERR_FORMAT, 4, "agent"},
        {"an input too early", "{\"t\":2,\"kind\":\"command\"", "{\"t\":0,\"kind\":\"command\"",
         PLOY_ERR_FORMAT, 4, "order"},
        {"an input before its hash", "{\"t\":2,\"kind\":\"command\"",
         "{\"t\":11,\"kind\":\"command\"", PLOY_ERR_FORMAT, 4, "order"},
        {"half a byte", "\"bytes\":\"6162\"", "\"bytes\":\"616\"", PLOY_ERR_FORMAT, 5, "bytes"},
        {"no digits", "\"bytes\":\"6162\"", "\"bytes\":\"6x62\"", PLOY_ERR_FORMAT, 5, "bytes"},
        {"no bytes", ",\"bytes\":\"6162\"", "", PLOY_ERR_FORMAT, 5, "bytes"},
        {"a hash too late", "{\"t\":10,\"hash\"", "{\"t\":20,\"hash\"", PLOY_ERR_FORMAT, 6,
         "order"},
        {"a hash cut short", "{\"t\":10,\"hash\":\"", "{\"t\":10,\"hash\":\"0", PLOY_ERR_FORMAT, 6,
         "'hash'"},
        {"more to a hash", "{\"t\":10,\"hash\"", "{\"t\":10,\"cash\":1,\"hash\"", PLOY_ERR_FORMAT,
         6, "cash"},
        {"the end too early", "\"end\":12", "\"end\":9", PLOY_ERR_FORMAT, 6, "order"},
        {"the end too late", "\"end\":12", "\"end\":25", PLOY_ERR_FORMAT, 7, "final hash"},
        {"the end one hash too late", "\"end\":12", "\"end\":20", PLOY_ERR_FORMAT, 7, "final hash"},
        {"the end with another hash", "\"end\":12", "\"end\":10", PLOY_ERR_FORMAT, 7, "differ"},
        {"no end", "\"end\":12", "\"and\":12", PLOY_ERR_FORMAT, 7, "missing whole number 't'"},
        {"too few lines", "\"lines\":6", "\"lines\":5", PLOY_ERR_FORMAT, 7, "number of lines"},
        {"no lines", "\"lines\":6,", "", PLOY_ERR_FORMAT, 7, "'lines'"},
        {"a blank after the sum's key", "\"checksum\":\"", "\"checksum\": \"", PLOY_ERR_FORMAT, 7,
         "altered"},
        {"a blank before the sum", "\"lines\":6,", "\"lines\":6, ", PLOY_OK, 0, NULL},
    };
    ploy_diags *diags = NULL;
    CHECK_OK(ploy_diags_create(10, &env, &diags));
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        char *changed = replace(t, text, rows[i].from, rows[i].to);
        reseal(changed);
        ploy_recorder *opened = NULL;
        ploy_diags_clear(diags);
        CHECK_INT(load(changed, strlen(changed), diags, &opened), rows[i].want);
        CHECK((opened != NULL) == (rows[i].want == PLOY_OK));
        if (rows[i].want != PLOY_OK) {
            CHECK(ploy_diags_count(diags) >= 1);
            const ploy_diag *diag = ploy_diags_get(diags, 0);
            CHECK_INT(diag->line, rows[i].line);
            CHECK(diag->column >= 1);
            CHECK_TEXT(diag->name, "a.rec");
            CHECK_INT(diag->code, rows[i].want);
            bool says = rows[i].message == NULL || strstr(diag->message, rows[i].message) != NULL;
            if (!says) CHECK_TEXT(diag->message, rows[i].message);
        }
        // Whatever happens without diags happens with them.
        ploy_recorder_destroy(opened);
        CHECK_INT(load(changed, strlen(changed), NULL, &opened), rows[i].want);
        ploy_recorder_destroy(opened);
        free(changed);
    }
    t->row = NULL;
    // A place within the line, and the nearest name.
    char *changed = replace(t, text, "\"sim\":\"toy\"", "\"sim\":\"tos\"");
    reseal(changed);
    ploy_recorder *opened = NULL;
    ploy_diags_clear(diags);
    CHECK_INT(load(changed, strlen(changed), diags, &opened), PLOY_ERR_NOT_FOUND);
    char printed[512];
    ploy_diag_print(ploy_diags_get(diags, 0), printed, sizeof printed);
    CHECK_TEXT(printed, "a.rec:1:42: error: unknown simulation 'tos' (did you mean 'toy'?)");
    free(changed);
    free(text);
    ploy_diags_destroy(diags);
    ploy_recorder_destroy(recorder);
}

TEST(another_definition_of_the_simulation_is_refused) {
    ploy_recorder *recorder = record(t, 1, 12, 0);
    size_t size = 0;
    char *text = save(t, recorder, &size);
    ploy_sim_type newer = toy_sim;
    newer.version++;
    const ploy_sim_type *const types[] = {&newer, NULL};
    ploy_env env = ploy_env_default();
    ploy_recorder *opened = NULL;
    CHECK_INT(ploy_recorder_load(text, size, "a", types, NULL, NULL, &env, NULL, &opened),
              PLOY_ERR_VERSION);
    CHECK(opened == NULL);
    free(text);
    ploy_recorder_destroy(recorder);
}

static const char *runtime_own(void) {
    return "Lua 5.4.4";
}

static const char *runtime_other(void) {
    return "Lua 5.4.6";
}

TEST(another_release_of_an_interpreter_is_refused) {
    ploy_env env = ploy_env_default();
    ploy_recorder_def def = small_def(5);
    ploy_sim_type scripted = toy_sim, other = toy_sim;
    scripted.runtime = runtime_own;
    other.runtime = runtime_other;
    ploy_recorder *recorder = NULL;
    CHECK_OK(ploy_recorder_create(&def, &scripted, NULL, NULL, &env, &recorder));
    for (int32_t i = 0; i < 12; i++) CHECK_OK(ploy_recorder_step(recorder));
    size_t size = 0;
    char *text = save(t, recorder, &size);
    CHECK(strstr(text, "\"runtime\":\"Lua 5.4.4\"") != NULL);
    static const struct {
        const char *row;
        int32_t type;
        ploy_result want;
        const char *message;
    } rows[] = {
        {"the same", 0, PLOY_OK, NULL},
        {"another", 1, PLOY_ERR_VERSION,
         "recording was made with Lua 5.4.4, this program has Lua 5.4.6"},
        {"none", 2, PLOY_ERR_VERSION,
         "recording was made with Lua 5.4.4, this program has no interpreter"},
    };
    const ploy_sim_type *const all[] = {&scripted, &other, &toy_sim};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        const ploy_sim_type *const types[] = {all[rows[i].type], NULL};
        ploy_diags *diags = NULL;
        ploy_recorder *opened = NULL;
        CHECK_OK(ploy_diags_create(4, &env, &diags));
        CHECK_INT(ploy_recorder_load(text, size, "a", types, NULL, NULL, &env, diags, &opened),
                  rows[i].want);
        if (rows[i].message != NULL) CHECK_TEXT(ploy_diags_get(diags, 0)->message, rows[i].message);
        ploy_recorder_destroy(opened);
        ploy_diags_destroy(diags);
    }
    t->row = NULL;
    free(text);
    ploy_recorder_destroy(recorder);
    // A recording that names none is of another release too.
    recorder = record(t, 1, 12, 0);
    text = save(t, recorder, &size);
    const ploy_sim_type *const types[] = {&scripted, NULL};
    ploy_recorder *opened = NULL;
    CHECK_INT(ploy_recorder_load(text, size, "a", types, NULL, NULL, &env, NULL, &opened),
              PLOY_ERR_VERSION);
    free(text);
    ploy_recorder_destroy(recorder);
}

TEST(a_changed_input_with_a_forged_checksum_is_found_by_executing) {
    ploy_env env = ploy_env_default();
    ploy_recorder_def def = small_def(5);
    ploy_recorder *recorder = NULL;
    CHECK_OK(ploy_recorder_create(&def, &toy_sim, NULL, NULL, &env, &recorder));
    ploy_input speed = toy_input(PLOY_INPUT_PARAMETER, "speed", ploy_value_f32(3));
    CHECK_OK(ploy_recorder_input(recorder, &speed, NULL));
    for (int32_t i = 0; i < 12; i++) CHECK_OK(ploy_recorder_step(recorder));
    char *text = save(t, recorder, NULL);
    char *changed = replace(t, text, "\"value\":3", "\"value\":4");
    reseal(changed);
    ploy_recorder *opened = NULL;
    CHECK_OK(load(changed, strlen(changed), NULL, &opened));
    CHECK_INT(ploy_recorder_seek(opened, 12, NULL), PLOY_ERR_STATE);
    CHECK_UINT(ploy_recorder_tick(opened), 10);
    free(text);
    free(changed);
    ploy_recorder_destroy(recorder);
    ploy_recorder_destroy(opened);
}

TEST(load_refuses_more_inputs_than_allowed_and_bad_arguments) {
    ploy_recorder *recorder = record(t, 2, 40, 0.5f);
    size_t size = 0;
    char *text = save(t, recorder, &size);
    ploy_env env = ploy_env_default();
    ploy_recorder_def def = small_def(0);
    def.max_inputs = 3;
    ploy_recorder *opened = recorder;
    CHECK_INT(ploy_recorder_load(text, size, "a", toy_types, &def, NULL, &env, NULL, &opened),
              PLOY_ERR_LIMIT);
    CHECK(opened == NULL);
    def.max_inputs = -1;
    CHECK_INT(ploy_recorder_load(text, size, "a", toy_types, &def, NULL, &env, NULL, &opened),
              PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_recorder_load(text, size, "a", NULL, NULL, NULL, &env, NULL, &opened),
              PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_recorder_load(NULL, size, "a", toy_types, NULL, NULL, &env, NULL, &opened),
              PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_recorder_load(NULL, 0, "a", toy_types, NULL, NULL, &env, NULL, &opened),
              PLOY_ERR_FORMAT);
    CHECK_INT(ploy_recorder_load(text, size, NULL, toy_types, NULL, NULL, &env, NULL, NULL),
              PLOY_ERR_ARGUMENT);
    CHECK_OK(ploy_recorder_load(text, size, NULL, toy_types, NULL, NULL, &env, NULL, &opened));
    ploy_recorder_destroy(opened);
    free(text);
    ploy_recorder_destroy(recorder);
}

static ploy_result write_little(void *user, const void *bytes, size_t size) {
    (void)bytes;
    size_t *left = user;
    if (size > *left) return PLOY_ERR_SYSTEM;
    *left -= size;
    return PLOY_OK;
}

TEST(a_writer_that_fails_is_reported) {
    ploy_recorder *recorder = record(t, 2, 20, 0.2f);
    size_t size = 0;
    free(save(t, recorder, &size));
    for (size_t room = 0; room <= size; room += 13) {
        TEST_SEED(room);
        size_t left = room;
        ploy_writer writer = ploy_writer_make(write_little, &left);
        CHECK_INT(ploy_recorder_save(recorder, &writer), PLOY_ERR_SYSTEM);
    }
    size_t left = size;
    ploy_writer writer = ploy_writer_make(write_little, &left);
    CHECK_OK(ploy_recorder_save(recorder, &writer));
    CHECK_UINT(left, 0);
    CHECK_INT(ploy_recorder_save(recorder, NULL), PLOY_ERR_ARGUMENT);
    ploy_recorder_destroy(recorder);
}

typedef struct file {
    const char *text;
    size_t size;
} file;

static ploy_result load_and_save(const ploy_env *env, void *arg) {
    const file *it = arg;
    ploy_recorder_def def = small_def(0);
    ploy_diags *diags = NULL;
    ploy_result result = ploy_diags_create(3, env, &diags);
    if (result != PLOY_OK) return result;
    ploy_recorder *opened = NULL;
    result =
        ploy_recorder_load(it->text, it->size, "a", toy_types, &def, NULL, env, diags, &opened);
    if (result == PLOY_ERR_MEMORY && ploy_diags_count(diags) != 0) result = PLOY_ERR_STATE;
    if (result == PLOY_OK) {
        ploy_buffer buffer;
        ploy_buffer_init(&buffer, 0, env);
        ploy_writer writer = ploy_buffer_writer(&buffer);
        result = ploy_recorder_save(opened, &writer);
        if (result == PLOY_OK && memcmp(buffer.bytes, it->text, it->size) != 0) {
            result = PLOY_ERR_STATE;
        }
        ploy_buffer_fini(&buffer);
    }
    ploy_recorder_destroy(opened);
    ploy_diags_destroy(diags);
    return result;
}

TEST(every_failing_allocation_is_survived) {
    ploy_recorder *recorder = record(t, 8, 25, 0.3f);
    file it = {NULL, 0};
    char *text = save(t, recorder, &it.size);
    it.text = text;
    CHECK_FAIL_NTH(load_and_save, &it);
    free(text);
    ploy_recorder_destroy(recorder);
}
