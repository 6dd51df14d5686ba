// Programs in time: stops, budgets, atomic blocks, monitors, host calls, saves, edits and code.
#include "program_desk.h"

#include "tests/state.h"

// Runs for some steps and returns what was said.
static void run_steps(test_context *t, const char *text, int32_t steps, int64_t units,
                      desk_notes *notes) {
    ploy_env env = ploy_env_default();
    ploy_program_host hosts[DESK_HOSTS];
    desk_hosts(notes, hosts);
    ploy_program_scope scope = {hosts, DESK_HOSTS, NULL};
    ploy_program *program = desk_compile(t, text, &scope);
    ploy_program_instance *instance = NULL;
    CHECK_OK(ploy_program_instance_create(program, &env, &instance));
    ploy_step_context context = ploy_step_context_make((ploy_agent_id){{1, 1}}, NULL, 1.0f);
    for (int32_t i = 0; i < steps; i++) {
        ploy_status status;
        ploy_budget budget = ploy_budget_units(units);
        context.budget = units > 0 ? &budget : NULL;
        strcat(notes->text, "| ");
        CHECK_OK(ploy_program_step(instance, &context, &status));
        ploy_step_context_next(&context);
    }
    ploy_program_instance_destroy(instance);
    ploy_program_destroy(program);
}

TEST(stage_k_runs_on_frames_k_and_every_fifth_after) {
    desk_notes notes = {{0}, 0};
    run_steps(t,
              "while true {\n"
              "  say('situation'); yield\n  say('health'); yield\n  say('movement'); yield\n"
              "  say('route'); yield\n  say('execution'); yield\n}",
              11, 0, &notes);
    CHECK_TEXT(notes.text, "| situation | health | movement | route | execution "
                           "| situation | health | movement | route | execution | situation ");
}

TEST(stops_stop) {
    static const struct {
        const char *row, *text, *want;
        int64_t units;
    } rows[] = {
        {"wait", "say('a')\nwait 2\nsay('b')", "| a | | b | | ", 0},
        {"until", "keep n = 0\nfunction up() { n += 1\nreturn n }\nuntil up() > 3\nsay('four')",
         "| | | | four | ", 0},
        {"host in progress", "slow()\nsay('done')", "| | | done | | ", 0},
        {"monitor", "monitor\nkeep n = 0\nn += 1\nif n > 2 say('again')\nyield\nsay('never')",
         "| | | again | again | again ", 0},
        {"a monitor cut off restarts", "monitor\nsay('look')\nlocal i = 0\nwhile i < 100 i += 1",
         "| look | look | look | look | look ", 20},
        {"an atomic block is not cut", "atomic { for i = 1, 20 { }\nsay('a') }\nsay('b')",
         "| a | b | | | ", 10},
        {"a loop is", "for i = 1, 20 { }\nsay('a')", "| | | a | | ", 10},
        {"rules",
         "keep n = 0\nwhile true {\nn += 1\nwhen n > 3 priority 1 do say('high')\n"
         "when n > 1 do say('low')\nyield\n}",
         "| | low | low | high | high ", 0},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        desk_notes notes = {{0}, 0};
        t->row = rows[i].row;
        run_steps(t, rows[i].text, 5, rows[i].units, &notes);
        CHECK_TEXT(notes.text, rows[i].want);
    }
}

TEST(a_loop_of_a_thousand_instructions_takes_ten_budgets_of_a_hundred) {
    ploy_env env = ploy_env_default();
    ploy_program *program =
        desk_compile(t, "local s = 0\nfor i = 1, 498 { s += i }\nreturn s", NULL);
    ploy_program_instance *instance = NULL;
    CHECK_OK(ploy_program_instance_create(program, &env, &instance));
    int32_t steps = desk_finish(t, instance, 100, 100, PLOY_OK);
    CHECK(steps == 10 || steps == 11);
    CHECK_NEAR(ploy_program_value(instance).as.f64, 124251.0, 0.0);
    ploy_program_instance_destroy(instance);
    ploy_program_destroy(program);
}

TEST(costs_are_spent) {
    ploy_env env = ploy_env_default();
    desk_notes notes = {{0}, 0};
    ploy_program_host hosts[DESK_HOSTS];
    desk_hosts(&notes, hosts);
    ploy_program_scope scope = {hosts, DESK_HOSTS, NULL};
    ploy_program *program = desk_compile(t, "return twice(4)", &scope);
    ploy_program_instance *instance = NULL;
    CHECK_OK(ploy_program_instance_create(program, &env, &instance));
    ploy_step_context context = ploy_step_context_make((ploy_agent_id){{1, 1}}, NULL, 1.0f);
    ploy_budget budget = ploy_budget_units(100);
    context.budget = &budget;
    ploy_status status;
    CHECK_OK(ploy_program_step(instance, &context, &status));
    CHECK_INT(budget.spent, 13); // load, host, return, and ten
    CHECK_INT(ploy_program_units(instance), 13);
    ploy_program_instance_destroy(instance);
    ploy_program_destroy(program);
}

static const char busy_program[] =
    "keep total = 0\nkeep name = 'x'\nkeep spots = list(6, vec2)\n"
    "record bag { gold = 2, at = vec2(1, 2), tag = 'b' }\n"
    "function dig(depth, bonus) {\n"
    "  local mine = bag()\n"
    "  mine.gold += depth * bonus\n"
    "  if depth > 0 { return dig(depth - 1, bonus + 1) + mine.gold }\n"
    "  yield\n"
    "  return mine.gold + mine.at.x\n"
    "}\n"
    "for i = 1, 4 {\n"
    "  total += dig(i, 2)\n"
    "  push(spots, vec2(i, total))\n"
    "  name = 'n' .. i\n"
    "  wait 2\n"
    "}\n"
    "local sum = 0\nfor s in spots { sum += s.x * 1000 + s.y }\n"
    "atomic { for k = 1, 5 { sum += random() } }\n"
    "return sum + (name == 'n4')";

typedef struct run_end {
    double value;
    int64_t units;
    uint64_t hash;
} run_end;

// Runs with budgets of a size, saved and loaded into another instance between steps if wanted.
static run_end run_split(test_context *t, const ploy_program *program, int64_t units, bool saves) {
    ploy_env env = ploy_env_default();
    ploy_program_instance *instance = NULL, *other = NULL;
    CHECK_OK(ploy_program_instance_create(program, &env, &instance));
    CHECK_OK(ploy_program_instance_create(program, &env, &other));
    ploy_step_context context = ploy_step_context_make((ploy_agent_id){{3, 1}}, NULL, 0.0f);
    context.key = ploy_rng_key_make(5);
    ploy_status status = PLOY_STATUS_RUNNING;
    int32_t steps = 0;
    for (; status == PLOY_STATUS_RUNNING && steps < 100000; steps++) {
        ploy_budget budget = ploy_budget_units(units);
        context.budget = units > 0 ? &budget : NULL;
        CHECK_OK(ploy_program_step(instance, &context, &status));
        // Time passes only where the program stops by itself.
        if (ploy_program_state_of(instance) != PLOY_PROGRAM_STOPPED) context.now += 1.0;
        if (!saves) continue;
        desk_copy(t, instance, other);
        ploy_program_instance *swap = instance;
        instance = other;
        other = swap;
    }
    run_end end = {ploy_program_value(instance).as.f64, ploy_program_units(instance),
                   ploy_visit_hash(ploy_program_visit, instance, NULL)};
    CHECK_INT(ploy_program_state_of(instance), PLOY_PROGRAM_DONE);
    ploy_program_instance_destroy(instance);
    ploy_program_instance_destroy(other);
    return end;
}

TEST(any_split_into_budgets_gives_the_same_result) {
    ploy_program *program = desk_compile(t, busy_program, NULL);
    run_end whole = run_split(t, program, 0, false);
    for (int64_t units = 8; units < 60; units++) {
        TEST_SEED(units);
        run_end split = run_split(t, program, units, false);
        CHECK_SAME(split.value, whole.value);
        CHECK_INT((int64_t)split.hash, (int64_t)whole.hash);
    }
    ploy_program_destroy(program);
}

TEST(a_program_saved_after_each_instruction_continues) {
    // Without the atomic block, which a budget of 1 would end.
    char text[sizeof busy_program];
    memcpy(text, busy_program, sizeof text);
    char *block = strstr(text, "atomic");
    memcpy(block, "      ", 6);
    ploy_program *program = desk_compile(t, text, NULL);
    run_end whole = run_split(t, program, 0, false);
    run_end saved = run_split(t, program, 1, true);
    CHECK_SAME(saved.value, whole.value);
    CHECK_INT(saved.units, whole.units);
    CHECK_INT((int64_t)saved.hash, (int64_t)whole.hash);
    ploy_program_destroy(program);
}

TEST(an_edited_program_continues_in_its_statement) {
    static const struct {
        const char *row, *edited;
        const char *want;
        bool lost;
    } rows[] = {
        {"unchanged",
         "keep n = 1\nfunction go(k) { local m = k\nwait 3\nsay('old' .. m)\nn += 1 }\n"
         "go(7)\nsay('end' .. n)",
         "old7 end2 ", false},
        {"another function was edited, and a line added",
         "keep n = 1\nkeep more = 5\nfunction other() { return 3 }\n"
         "function go(k) { local m = k\nwait 3\nsay('old' .. m)\nn += 1 }\ngo(7)\nsay('end' .. n)",
         "old7 end2 ", false},
        {"the function that waits was edited behind the wait",
         "keep n = 1\nfunction go(k) { local extra = 2\nlocal m = k\nwait 3\nsay('new' .. m)\n"
         "n += 5 }\ngo(7)\nsay('end' .. n)",
         "new7 end6 ", false},
        {"the statement is gone: it restarts",
         "keep n = 1\nfunction go(k) { local m = k\nsay('short' .. m) }\ngo(7)\nsay('end' .. n)",
         "short7 end1 ", true},
    };
    static const char text[] =
        "keep n = 1\nfunction go(k) { local m = k\nwait 3\nsay('old' .. m)\nn += 1 }\n"
        "go(7)\nsay('end' .. n)";
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        desk_notes notes = {{0}, 0};
        ploy_program_host hosts[DESK_HOSTS];
        desk_hosts(&notes, hosts);
        ploy_program_scope scope = {hosts, DESK_HOSTS, NULL};
        ploy_diags *diags = NULL;
        t->row = rows[i].row;
        CHECK_OK(ploy_diags_create(8, &env, &diags));
        ploy_program *program = desk_compile(t, text, &scope);
        ploy_program *edited = desk_compile(t, rows[i].edited, &scope);
        ploy_maker makers[2] = {ploy_program_maker(program), ploy_program_maker(edited)};
        ploy_behavior old, fresh;
        CHECK_OK(ploy_maker_make(makers[0], &env, &old));
        CHECK_OK(ploy_maker_make(makers[1], &env, &fresh));
        ploy_step_context context = ploy_step_context_make((ploy_agent_id){{1, 1}}, NULL, 1.0f);
        ploy_status status = PLOY_STATUS_RUNNING;
        CHECK_OK(ploy_behavior_enter(old, &context));
        CHECK_OK(ploy_behavior_step(old, &context, &status));
        CHECK_OK(ploy_behavior_reload(old, fresh, &context, &env, diags));
        for (int32_t k = 0; k < 5 && status == PLOY_STATUS_RUNNING; k++) {
            ploy_step_context_next(&context);
            CHECK_OK(ploy_behavior_step(fresh, &context, &status));
        }
        CHECK_TEXT(notes.text, rows[i].want);
        CHECK_INT(ploy_diags_total(diags, PLOY_SEVERITY_WARNING) > 0, rows[i].lost);
        ploy_behavior_exit(fresh, &context, PLOY_EXIT_FINISHED);
        ploy_behavior_destroy(old);
        ploy_behavior_destroy(fresh);
        ploy_program_destroy(program);
        ploy_program_destroy(edited);
        ploy_diags_destroy(diags);
    }
}

static ploy_result code_bytes(const ploy_program *program, const ploy_env *env, ploy_buffer *out) {
    ploy_buffer_init(out, 0, env);
    ploy_writer writer = ploy_buffer_writer(out);
    return ploy_program_save(program, &writer);
}

TEST(code_needs_no_compiler) {
    ploy_env env = ploy_env_default();
    ploy_program *program = desk_compile(t, busy_program, NULL), *loaded = NULL;
    ploy_buffer bytes;
    CHECK_OK(code_bytes(program, &env, &bytes));
    CHECK_OK(ploy_program_load(bytes.bytes, bytes.size, "c", NULL, &env, NULL, &loaded));
    CHECK_INT((int64_t)ploy_program_hash(loaded), (int64_t)ploy_program_hash(program));
    run_end a = run_split(t, program, 50, false), b = run_split(t, loaded, 50, false);
    CHECK_SAME(a.value, b.value);
    CHECK_INT((int64_t)a.hash, (int64_t)b.hash);
    for (size_t size = 0; size < bytes.size; size++) {
        ploy_program *cut = NULL;
        CHECK_INT(ploy_program_load(bytes.bytes, size, "c", NULL, &env, NULL, &cut),
                  PLOY_ERR_FORMAT);
    }
    ploy_program_destroy(loaded);
    ploy_program_destroy(program);
    ploy_buffer_fini(&bytes);
}

TEST(changed_code_is_refused_or_stays_in_bounds) {
    ploy_env env = ploy_env_default();
    desk_notes notes = {{0}, 0};
    ploy_program_host hosts[DESK_HOSTS];
    desk_hosts(&notes, hosts);
    ploy_program_scope scope = {hosts, DESK_HOSTS, NULL};
    ploy_program *program = desk_compile(t, busy_program, &scope);
    ploy_buffer bytes;
    int64_t refused = 0, ran = 0;
    CHECK_OK(code_bytes(program, &env, &bytes));
    for (int64_t round = 0; round < test_rounds(50000); round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round);
        uint8_t old[4];
        int32_t places[4], count = ploy_rng_int(&rng, 1, 4);
        for (int32_t i = 0; i < count; i++) {
            places[i] = ploy_rng_int(&rng, 8, (int32_t)bytes.size - 1);
            old[i] = (uint8_t)bytes.bytes[places[i]];
            bytes.bytes[places[i]] = (char)ploy_rng_int(&rng, 0, 255);
        }
        ploy_program *mutant = NULL;
        ploy_result result =
            ploy_program_load(bytes.bytes, bytes.size, "c", &scope, &env, NULL, &mutant);
        if (result != PLOY_OK) {
            CHECK(mutant == NULL);
            refused++;
        } else {
            ran++;
            ploy_program_instance *instance = NULL;
            CHECK_OK(ploy_program_instance_create(mutant, &env, &instance));
            ploy_step_context context = ploy_step_context_make((ploy_agent_id){{1, 1}}, NULL, 1.0f);
            notes.text[0] = 0;
            for (int32_t k = 0; k < 5; k++) {
                ploy_status status;
                ploy_budget budget = ploy_budget_units(200);
                context.budget = &budget;
                (void)ploy_program_step(instance, &context, &status);
                CHECK(budget.spent <= 2200);
                ploy_step_context_next(&context);
            }
            ploy_program_instance_destroy(instance);
            ploy_program_destroy(mutant);
        }
        for (int32_t i = count; i-- > 0;) bytes.bytes[places[i]] = (char)old[i];
    }
    CHECK(refused > 0);
    CHECK(ran > 0);
    ploy_program_destroy(program);
    ploy_buffer_fini(&bytes);
}

static ploy_result load_body(const ploy_env *env, void *arg) {
    const ploy_buffer *bytes = arg;
    ploy_program *program = NULL;
    ploy_program_instance *instance = NULL;
    ploy_result result =
        ploy_program_load(bytes->bytes, bytes->size, "c", NULL, env, NULL, &program);
    if (result == PLOY_OK) result = ploy_program_instance_create(program, env, &instance);
    ploy_program_instance_destroy(instance);
    ploy_program_destroy(program);
    return result;
}

TEST(loading_survives_every_failing_allocation_of_programs) {
    ploy_env env = ploy_env_default();
    ploy_program *program = desk_compile(t, busy_program, NULL);
    ploy_buffer bytes;
    CHECK_OK(code_bytes(program, &env, &bytes));
    CHECK_FAIL_NTH(load_body, &bytes);
    ploy_program_destroy(program);
    ploy_buffer_fini(&bytes);
}

typedef struct saved_run {
    const ploy_program *program;
    const ploy_json *doc;
    uint64_t hash;
} saved_run;

static ploy_result saved_body(const ploy_env *env, void *arg) {
    const saved_run *saved = arg;
    ploy_program_instance *instance = NULL;
    ploy_result result = ploy_program_instance_create(saved->program, env, &instance);
    if (result != PLOY_OK) return result;
    uint64_t before = ploy_visit_hash(ploy_program_visit, instance, NULL);
    result = ploy_visit_load(ploy_program_visit, instance, NULL, saved->doc,
                             ploy_json_root(saved->doc), env, NULL);
    // All or nothing.
    uint64_t after = ploy_visit_hash(ploy_program_visit, instance, NULL);
    if (after != (result == PLOY_OK ? saved->hash : before)) result = PLOY_ERR_STATE;
    ploy_program_instance_destroy(instance);
    return result;
}

TEST(loading_a_saved_instance_survives_every_failing_allocation) {
    ploy_env env = ploy_env_default();
    ploy_program *program = desk_compile(t, busy_program, NULL);
    ploy_program_instance *instance = NULL;
    CHECK_OK(ploy_program_instance_create(program, &env, &instance));
    ploy_step_context context = ploy_step_context_make((ploy_agent_id){{1, 1}}, NULL, 1.0f);
    for (int32_t i = 0; i < 4; i++) { // somewhere in the middle
        ploy_budget budget = ploy_budget_units(25);
        ploy_status status;
        context.budget = &budget;
        CHECK_OK(ploy_program_step(instance, &context, &status));
        ploy_step_context_next(&context);
    }
    state_check s = {ploy_program_visit, instance, NULL, NULL, NULL};
    state_check_all(t, &s);
    ploy_buffer buffer;
    ploy_buffer_init(&buffer, 0, &env);
    ploy_writer writer = ploy_buffer_writer(&buffer);
    ploy_json_writer json;
    ploy_json_writer_init(&json, &writer, 0);
    ploy_visit_save(ploy_program_visit, instance, NULL, &json);
    CHECK_OK(ploy_json_writer_finish(&json));
    ploy_json *doc = NULL;
    CHECK_OK(ploy_json_load(buffer.bytes, buffer.size, "save", NULL, &env, NULL, &doc));
    saved_run saved = {program, doc, ploy_visit_hash(ploy_program_visit, instance, NULL)};
    CHECK_FAIL_NTH(saved_body, &saved);
    ploy_json_destroy(doc);
    ploy_buffer_fini(&buffer);
    ploy_program_instance_destroy(instance);
    ploy_program_destroy(program);
}

TEST(a_step_allocates_nothing) {
    test_counts counts;
    memset(&counts, 0, sizeof counts);
    ploy_env env = test_counting_env(&counts);
    ploy_program *program = desk_compile(t, busy_program, NULL);
    ploy_program_instance *instance = NULL;
    CHECK_OK(ploy_program_instance_create(program, &env, &instance));
    int64_t before = counts.calls;
    (void)desk_finish(t, instance, 40, 1000, PLOY_OK);
    CHECK_INT(counts.calls, before);
    ploy_program_instance_destroy(instance);
    ploy_program_destroy(program);
}

TEST(a_debugger_sees_place_and_variables) {
    ploy_env env = ploy_env_default();
    ploy_program *program = desk_compile(
        t, "keep n = 1\nfunction f(k) {\n  local m = k * 2\n  yield\n  return m }\nn = f(4)", NULL);
    ploy_program_instance *instance = NULL;
    CHECK_OK(ploy_program_instance_create(program, &env, &instance));
    ploy_step_context context = ploy_step_context_make((ploy_agent_id){{1, 1}}, NULL, 1.0f);
    ploy_status status;
    ploy_value value;
    CHECK_OK(ploy_program_step(instance, &context, &status));
    ploy_program_place place = ploy_program_place_of(instance);
    CHECK_TEXT(place.function, "f");
    CHECK_INT(place.line, 5);
    CHECK_INT(place.depth, 1);
    CHECK(ploy_program_get(instance, "m", &value));
    CHECK_NEAR(value.as.f64, 8.0, 0.0);
    CHECK(!ploy_program_get(instance, "x", &value));
    CHECK_OK(ploy_program_step(instance, &context, &status));
    CHECK(ploy_program_get(instance, "n", &value));
    CHECK_NEAR(value.as.f64, 8.0, 0.0);
    ploy_program_instance_destroy(instance);
    ploy_program_destroy(program);
}
