// Every technique as the holder of every other: enter, step, message, error, exit, save and load at
// every step, reload on an edited definition, describe, and failing allocations.
#include "ploy/base/describe.h"
#include "tests/decide/nest.h"

enum { NEST_RUN = 8, NEST_SAVED = 8192 };

// One run of a holder around a technique around the probe.
typedef struct nest_run {
    ploy_behavior mind;
    ploy_blackboard *board;
    ploy_arena *scratch;
    ploy_step_context context;
} nest_run;

static ploy_result run_open(nest *n, ploy_maker maker, nest_run *run) {
    memset(run, 0, sizeof *run);
    ploy_result result = ploy_blackboard_create(n->layout, &n->env, &run->board);
    if (result == PLOY_OK) result = ploy_arena_create(1024, 0, &n->env, &run->scratch);
    if (result == PLOY_OK) result = ploy_maker_make(maker, &n->env, &run->mind);
    run->context.blackboard = run->board;
    run->context.scratch = run->scratch;
    run->context.dt = 0.125f;
    run->context.agent = ploy_agent_id_make(3, 1);
    return result;
}

static void run_close(nest_run *run) {
    ploy_behavior_destroy(run->mind);
    ploy_arena_destroy(run->scratch);
    ploy_blackboard_destroy(run->board);
}

static ploy_result run_step(nest_run *run, ploy_status *status) {
    run->context.now += (double)run->context.dt;
    run->context.tick++;
    ploy_result result = ploy_behavior_step(run->mind, &run->context, status);
    if (result == PLOY_OK) result = ploy_behavior_commit(run->mind, &run->context);
    ploy_arena_reset(run->scratch);
    // A mind that came to an end is entered again, as an engine does.
    if (result == PLOY_OK && *status != PLOY_STATUS_RUNNING) {
        ploy_behavior_exit(run->mind, &run->context, PLOY_EXIT_FINISHED);
        result = ploy_behavior_enter(run->mind, &run->context);
    }
    return result;
}

static size_t run_save(const nest_run *run, const ploy_env *env, char *text) {
    ploy_buffer buffer;
    ploy_buffer_init(&buffer, 0, env);
    ploy_writer writer = ploy_buffer_writer(&buffer);
    ploy_json_writer json;
    ploy_json_writer_init(&json, &writer, 0);
    ploy_behavior_save(run->mind, &json);
    size_t size = buffer.size < NEST_SAVED - 1 ? buffer.size : 0;
    memcpy(text, buffer.bytes, size);
    text[size] = '\0';
    ploy_buffer_fini(&buffer);
    return size;
}

static uint64_t run_hash(const nest_run *run) {
    ploy_hash_sink sink;
    ploy_hash_sink_init(&sink);
    ploy_describe out = ploy_hash_sink_describe(&sink);
    ploy_behavior_describe(run->mind, &out);
    return ploy_hash_sink_result(&sink);
}

// Loads a saved mind into a fresh one.
static void run_load(test_context *t, nest *n, nest_run *run, const char *text, size_t size) {
    ploy_json_def def = ploy_json_def_default();
    ploy_json *doc = NULL;
    CHECK_OK(ploy_json_load(text, size, "saved", &def, &n->env, NULL, &doc));
    CHECK_OK(ploy_behavior_load(run->mind, &run->context, doc, ploy_json_root(doc), NULL));
    ploy_json_destroy(doc);
}

// A holder around a technique around the probe. @return none after a fault.
static ploy_maker pair_make(nest *n, const nest_technique *holder, const nest_technique *inner,
                            bool edited) {
    ploy_maker probe = ploy_function_maker(&n->probe);
    ploy_maker inside = inner->make(n, probe, edited);
    if (n->result != PLOY_OK) return ploy_maker_none();
    ploy_maker maker = holder->make(n, inside, edited);
    return n->result == PLOY_OK ? maker : ploy_maker_none();
}

static int64_t board_steps(const nest_run *run) {
    return ploy_blackboard_get_i64(run->board, (ploy_slot){1});
}

// Save and load at every step: the copy is saved as the original was, and takes the same steps.
static void check_saved(test_context *t, nest *n, ploy_maker maker, bool exact) {
    static char texts[NEST_RUN + 1][NEST_SAVED], again[NEST_SAVED];
    size_t sizes[NEST_RUN + 1];
    int64_t steps[NEST_RUN + 1];
    uint64_t hashes[NEST_RUN + 1];
    nest_run run, boards[NEST_RUN + 1];
    ploy_status status;
    CHECK_OK(run_open(n, maker, &run));
    CHECK_OK(ploy_behavior_enter(run.mind, &run.context));
    for (int32_t i = 0; i <= NEST_RUN; i++) {
        sizes[i] = run_save(&run, &n->env, texts[i]);
        CHECK(sizes[i] > 0);
        steps[i] = board_steps(&run);
        hashes[i] = run_hash(&run);
        CHECK_OK(run_open(n, maker, &boards[i])); // with the board as it was then
        CHECK_OK(ploy_blackboard_copy(boards[i].board, run.board));
        boards[i].context.now = run.context.now;
        boards[i].context.tick = run.context.tick;
        CHECK_OK(run_step(&run, &status));
    }
    for (int32_t i = 0; i <= NEST_RUN; i++) {
        run_load(t, n, &boards[i], texts[i], sizes[i]);
        (void)run_save(&boards[i], &n->env, again);
        if (exact) CHECK_TEXT(again, texts[i]);
        if (exact) CHECK_UINT(run_hash(&boards[i]), hashes[i]);
        for (int32_t k = i; k < NEST_RUN; k++) {
            CHECK_OK(run_step(&boards[i], &status));
            CHECK_INT(board_steps(&boards[i]), steps[k + 1]);
            if (exact) CHECK_UINT(run_hash(&boards[i]), hashes[k + 1]);
        }
        ploy_behavior_exit(boards[i].mind, &boards[i].context, PLOY_EXIT_REMOVED);
        run_close(&boards[i]);
    }
    ploy_behavior_exit(run.mind, &run.context, PLOY_EXIT_REMOVED);
    run_close(&run);
}

// A message reaches the probe; an error in it is a failure that the mind survives; success ends it;
// every enter has its exit.
static void check_life(test_context *t, nest *n, ploy_maker maker, bool whole, bool passes) {
    nest_run run;
    ploy_status status;
    bool handled = false;
    ploy_message message;
    memset(&message, 0, sizeof message);
    message.kind = ploy_name_of("poke");
    memset(&n->counts, 0, sizeof n->counts);
    CHECK_OK(run_open(n, maker, &run));
    CHECK_OK(ploy_behavior_enter(run.mind, &run.context));
    for (int32_t i = 0; i < 3; i++) CHECK_OK(run_step(&run, &status));
    CHECK_OK(ploy_behavior_message(run.mind, &run.context, &message, &handled));
    if (whole) {
        CHECK(n->counts.steps > 0);
        CHECK_INT(n->counts.messages, 1);
        CHECK(handled);
    }
    CHECK_OK(ploy_blackboard_set_bool(run.board, (ploy_slot){2}, true));
    for (int32_t i = 0; i < 3; i++) {
        ploy_result result = run_step(&run, &status);
        if (result == PLOY_ERR_STATE && passes) { // as its owner would
            ploy_behavior_exit(run.mind, &run.context, PLOY_EXIT_ERROR);
            result = ploy_behavior_enter(run.mind, &run.context);
        }
        CHECK_OK(result);
    }
    if (whole) CHECK(n->counts.errors > 0);
    CHECK_OK(ploy_blackboard_set_bool(run.board, (ploy_slot){2}, false));
    for (int32_t i = 0; i < 3; i++) CHECK_OK(run_step(&run, &status));
    CHECK_OK(ploy_blackboard_set_bool(run.board, (ploy_slot){3}, true));
    for (int32_t i = 0; i < 4; i++) CHECK_OK(run_step(&run, &status));
    CHECK_OK(ploy_blackboard_set_bool(run.board, (ploy_slot){4}, false)); // "go" ends
    for (int32_t i = 0; i < 2; i++) CHECK_OK(run_step(&run, &status));
    ploy_behavior_exit(run.mind, &run.context, PLOY_EXIT_REMOVED);
    CHECK_INT(n->counts.exits, n->counts.enters);
    run_close(&run);
    CHECK_INT(n->counts.exits, n->counts.enters);
}

// An edited definition takes over what runs: the probe goes on counting.
static void check_reload(test_context *t, nest *n, ploy_maker maker, ploy_maker edited,
                         bool whole) {
    nest_run run, fresh;
    ploy_status status;
    memset(&n->counts, 0, sizeof n->counts);
    CHECK_OK(run_open(n, maker, &run));
    CHECK_OK(run_open(n, edited, &fresh));
    CHECK_OK(ploy_behavior_enter(run.mind, &run.context));
    for (int32_t i = 0; i < 4; i++) CHECK_OK(run_step(&run, &status));
    int32_t enters = n->counts.enters;
    CHECK_OK(ploy_behavior_reload(run.mind, fresh.mind, &run.context, &n->env, NULL));
    ploy_behavior old = run.mind;
    run.mind = fresh.mind;
    fresh.mind = old;
    int64_t before = board_steps(&run);
    for (int32_t i = 0; i < 3; i++) CHECK_OK(run_step(&run, &status));
    if (whole) {
        CHECK(board_steps(&run) > before);
        CHECK_INT(n->counts.enters, enters); // taken over, not begun again
    }
    ploy_behavior_exit(run.mind, &run.context, PLOY_EXIT_REMOVED);
    run_close(&run);
    run_close(&fresh);
}

TEST(every_technique_holds_every_other) {
    for (int32_t h = 0; h < NEST_TECHNIQUES; h++) {
        if (!nest_techniques[h].holds) continue;
        for (int32_t i = 0; i < NEST_TECHNIQUES; i++) {
            const nest_technique *holder = &nest_techniques[h], *inner = &nest_techniques[i];
            char row[128];
            snprintf(row, sizeof row, "%s in %s", inner->name, holder->name);
            t->row = row;
            ploy_env env = ploy_env_default();
            nest n;
            CHECK_OK(nest_begin(&n, &env));
            ploy_maker maker = pair_make(&n, holder, inner, false);
            ploy_maker edited = pair_make(&n, holder, inner, true);
            CHECK_OK(n.result);
            CHECK_OK(ploy_maker_check(maker, n.layout, &n.env, NULL));
            bool whole = inner->holds || strcmp(inner->name, "function") == 0;
            check_saved(t, &n, maker, holder->exact && inner->exact);
            // A selector of levels stands for its level, errors included.
            check_life(t, &n, maker, whole, holder->make == nest_lod);
            check_reload(t, &n, maker, edited, whole);
            nest_end(&n);
        }
    }
}

// ---- broken files

// Loads a text into a fresh mind. Whatever the text is, the mind is whole afterwards: it can be
// stepped, described, saved and left.
static void broken_load(test_context *t, nest *n, ploy_maker maker, const nest_run *run,
                        const char *text, size_t size) {
    static char again[NEST_SAVED];
    ploy_json_def def = ploy_json_def_default();
    ploy_json *doc = NULL;
    nest_run fresh;
    if (ploy_json_load(text, size, "broken", &def, &n->env, NULL, &doc) != PLOY_OK) return;
    CHECK_OK(run_open(n, maker, &fresh));
    CHECK_OK(ploy_blackboard_copy(fresh.board, run->board));
    ploy_result result =
        ploy_behavior_load(fresh.mind, &fresh.context, doc, ploy_json_root(doc), NULL);
    ploy_status status;
    if (result == PLOY_OK) (void)run_step(&fresh, &status);
    (void)run_hash(&fresh);
    (void)run_save(&fresh, &n->env, again);
    ploy_behavior_exit(fresh.mind, &fresh.context, PLOY_EXIT_REMOVED);
    run_close(&fresh);
    ploy_json_destroy(doc);
}

TEST(broken_files_of_every_technique_leave_the_mind_whole) {
    static char text[NEST_SAVED], broken[NEST_SAVED + 8];
    static const char *const values[] = {"-1", "null", "999999999999", "\"x\"", "{}", "1e30"};
    ploy_env env = ploy_env_default(); // without a log
    for (int32_t i = 0; i < NEST_TECHNIQUES; i++) {
        t->row = nest_techniques[i].name;
        nest n;
        nest_run run;
        ploy_status status;
        CHECK_OK(nest_begin(&n, &env));
        ploy_maker maker = nest_techniques[i].make(&n, ploy_function_maker(&n.probe), false);
        CHECK_OK(n.result);
        CHECK_OK(run_open(&n, maker, &run));
        CHECK_OK(ploy_behavior_enter(run.mind, &run.context));
        for (int32_t k = 0; k < 3; k++) CHECK_OK(run_step(&run, &status));
        size_t size = run_save(&run, &n.env, text);
        CHECK(size > 0);
        // Each value of the file in turn becomes something else, of another type or out of range.
        int32_t tried = 0;
        for (size_t at = 0; at + 1 < size; at++) {
            if (text[at] != ':' && text[at] != '[' && text[at] != ',') continue;
            size_t end = at + 1;
            if (text[end] == '{' || text[end] == '[' || text[end] == ']') continue;
            bool quoted = text[end] == '"';
            for (end++; end < size; end++) {
                if (quoted ? text[end - 1] == '"' && end > at + 2
                           : strchr(",]}", text[end]) != NULL)
                    break;
            }
            for (size_t k = 0; k < COUNT_OF(values); k++) {
                int length = snprintf(broken, sizeof broken, "%.*s%s%s", (int)(at + 1), text,
                                      values[k], text + end);
                broken_load(t, &n, maker, &run, broken, (size_t)length);
                tried++;
            }
        }
        CHECK(tried > 0);
        ploy_behavior_exit(run.mind, &run.context, PLOY_EXIT_REMOVED);
        run_close(&run);
        nest_end(&n);
    }
}

// ---- failing allocations

typedef struct nest_pair {
    const nest_technique *holder, *inner;
} nest_pair;

// Saves what runs and loads it into another mind of the same definition.
static ploy_result pair_load(nest *n, ploy_maker maker, const nest_run *run) {
    ploy_buffer buffer;
    ploy_buffer_init(&buffer, 0, &n->env);
    ploy_writer writer = ploy_buffer_writer(&buffer);
    ploy_json_writer json;
    ploy_json_writer_init(&json, &writer, 0);
    ploy_behavior_save(run->mind, &json);
    ploy_result result = ploy_json_writer_finish(&json);
    ploy_json_def def = ploy_json_def_default();
    ploy_json *doc = NULL;
    nest_run copy;
    memset(&copy, 0, sizeof copy);
    if (result == PLOY_OK) {
        result = ploy_json_load(buffer.bytes, buffer.size, "saved", &def, &n->env, NULL, &doc);
    }
    ploy_buffer_fini(&buffer);
    if (result == PLOY_OK) result = run_open(n, maker, &copy);
    if (result == PLOY_OK) result = ploy_blackboard_copy(copy.board, run->board);
    if (result == PLOY_OK) {
        result = ploy_behavior_load(copy.mind, &copy.context, doc, ploy_json_root(doc), NULL);
        ploy_status status;
        if (result == PLOY_OK) result = run_step(&copy, &status);
        ploy_behavior_exit(copy.mind, &copy.context, PLOY_EXIT_REMOVED);
    }
    ploy_json_destroy(doc);
    run_close(&copy);
    return result;
}

static ploy_result pair_run(const ploy_env *env, void *arg) {
    const nest_pair *pair = arg;
    nest n;
    nest_run run, fresh;
    ploy_status status;
    memset(&run, 0, sizeof run);
    ploy_result result = nest_begin(&n, env);
    if (result != PLOY_OK) {
        ploy_array_fini(&n.parts);
        return result;
    }
    ploy_maker maker = pair_make(&n, pair->holder, pair->inner, false);
    ploy_maker edited =
        n.result == PLOY_OK ? pair_make(&n, pair->holder, pair->inner, true) : maker;
    result = n.result;
    memset(&fresh, 0, sizeof fresh);
    if (result == PLOY_OK) result = run_open(&n, maker, &run);
    if (result == PLOY_OK) {
        result = ploy_behavior_enter(run.mind, &run.context);
        for (int32_t i = 0; i < 3 && result == PLOY_OK; i++) result = run_step(&run, &status);
        // Short memory inside is a failure there, and told here.
        if (result == PLOY_OK && board_steps(&run) < 3) result = PLOY_ERR_MEMORY;
        if (result == PLOY_OK) result = pair_load(&n, maker, &run);
        if (result == PLOY_OK) result = run_open(&n, edited, &fresh);
        if (result == PLOY_OK) {
            result = ploy_behavior_reload(run.mind, fresh.mind, &run.context, &n.env, NULL);
            if (result == PLOY_OK) { // otherwise the old one still runs
                ploy_behavior old = run.mind;
                run.mind = fresh.mind;
                fresh.mind = old;
                result = run_step(&run, &status);
            }
        }
        ploy_behavior_exit(run.mind, &run.context, PLOY_EXIT_REMOVED);
    }
    run_close(&fresh);
    run_close(&run);
    nest_end(&n);
    return result;
}

TEST(nested_minds_survive_every_failing_allocation) {
    for (int32_t h = 0; h < NEST_TECHNIQUES; h++) {
        if (!nest_techniques[h].holds) continue;
        for (int32_t i = 0; i < NEST_TECHNIQUES; i++) {
            char row[128];
            snprintf(row, sizeof row, "%s in %s", nest_techniques[i].name, nest_techniques[h].name);
            t->row = row;
            nest_pair pair = {&nest_techniques[h], &nest_techniques[i]};
            CHECK_FAIL_NTH(pair_run, &pair);
        }
    }
}
