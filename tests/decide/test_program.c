// Programs: statements, functions, values, faults, tokens, tree and code.
#include "program_desk.h"

#include "ploy/base/writer.h"

static int32_t count_lines(const char *text) {
    int32_t lines = 0;
    for (; *text != 0; text++) lines += *text == '\n';
    return lines;
}

TEST(texts_become_tokens) {
    static const struct {
        const char *row;
        int32_t all, bare;
    } rows[] = {
        {"a = 3.2;", 6, 4},
        {"if (a < b) return;", 12, 8},
        {"x:=1//end", 4, 3},
    };
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        for (int32_t spaces = 0; spaces < 2; spaces++) {
            ploy_buffer buffer;
            ploy_buffer_init(&buffer, 0, &env);
            ploy_writer writer = ploy_buffer_writer(&buffer);
            CHECK_OK(ploy_program_print_tokens(rows[i].row, strlen(rows[i].row), spaces == 1, &env,
                                               &writer));
            CHECK_INT(count_lines(ploy_buffer_text(&buffer)),
                      spaces == 1 ? rows[i].all : rows[i].bare);
            ploy_buffer_fini(&buffer);
        }
    }
}

TEST(tokens_become_a_tree) {
    ploy_env env = ploy_env_default();
    ploy_buffer buffer;
    ploy_buffer_init(&buffer, 0, &env);
    ploy_writer writer = ploy_buffer_writer(&buffer);
    const char *text = "if (a < b) return;";
    CHECK_OK(ploy_program_print_tree(text, strlen(text), "p", &env, NULL, &writer));
    CHECK_TEXT(ploy_buffer_text(&buffer),
               "if\n  less\n    name a\n    name b\n  block\n    return\n");
    ploy_buffer_fini(&buffer);
}

TEST(constants_fold_and_dead_branches_go) {
    static const struct {
        const char *row;
        double want;
        int32_t folded; // instructions
    } rows[] = {
        {"a := 3; if (a < 0) return 1; else return 0", 0, 4},
        {"a := -1; if (a < 0) return 1; else return 0", 1, 4},
        {"a := 0; if (a < 0) return 1; else return 0", 0, 4},
        {"return 2 * 3 + 1", 7, 2},
        {"while false { return 1 } return 4", 4, 2},
    };
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        for (int32_t optimize = 0; optimize < 2; optimize++) {
            ploy_program_def def = ploy_program_def_default();
            def.optimize = optimize == 1;
            ploy_program *program = NULL;
            ploy_program_instance *instance = NULL;
            CHECK_OK(ploy_program_create(&def, rows[i].row, strlen(rows[i].row), "p", NULL, &env,
                                         NULL, &program));
            CHECK_OK(ploy_program_instance_create(program, &env, &instance));
            (void)desk_finish(t, instance, 0, 2, PLOY_OK);
            CHECK_NEAR(ploy_program_value(instance).as.f64, rows[i].want, 0.0);
            if (optimize == 1) {
                CHECK_INT(ploy_program_instruction_count(program), rows[i].folded);
            } else {
                CHECK(ploy_program_instruction_count(program) > rows[i].folded);
            }
            ploy_program_instance_destroy(instance);
            ploy_program_destroy(program);
        }
    }
}

TEST(programs_compute) {
    static const struct {
        const char *row;
        double want;
    } rows[] = {
        {"return 1 + 2 * 3", 7},
        {"local s = 0\nfor i = 1, 10 { s += i }\nreturn s", 55},
        {"local s = 0\nfor i = 10, 1, -3 { s += i }\nreturn s", 22},
        {"local s = 0; for i = 3, 1 { s = 9 }; return s", 0},
        {"local n = 5\nlocal f = 1\nwhile n > 1 { f *= n; n -= 1 }\nreturn f", 120},
        {"function fib(n) { if n < 2 { return n }\nreturn fib(n - 1) + fib(n - 2) }\n"
         "return fib(15)",
         610},
        {"function even(n) { if n == 0 return true; else return odd(n - 1) }\n"
         "function odd(n) { if n == 0 return false; else return even(n - 1) }\nreturn even(9)",
         0},
        {"local x = 1\n{ local x = x + 4\nx += 1 }\nreturn x", 1},
        {"keep n = 3\nfunction add(k) { n += k }\nadd(4); add(5)\nreturn n", 12},
        {"x := 2\nfunction f() { x *= 5 }\nf()\nreturn x", 10},
        {"local a = 1\nreturn a + (a = 5) + a", 11},
        {"local a = 2\nlocal b = a > 1 && a < 3\nreturn b ? 7 : 8", 7},
        {"local a = 0\na = 1 || a\nreturn a", 1},
        {"local a = 5\na = a && (a - 5)\nreturn a", 0},
        {"local t = 'ab' .. 3\nif t == 'ab3' return 1\nreturn 0", 1},
        {"function join(a, b) { return a + b }\nreturn join('x', 'y') == 'xy'", 1},
        {"local xs = list(4)\npush(xs, 3); push(xs, 4); xs[0] = 9\nreturn xs[0] * 10 + count(xs)",
         92},
        {"keep xs = list(4)\nfor i = 1, 4 { push(xs, i) }\nlocal s = 0\nfor x in xs { s += x }\n"
         "return s + pop(xs)",
         14},
        {"local v = vec2(3, 4) * 2 - vec2(0, 0)\nreturn length(v) + v.x", 16},
        {"local v = vec3(1, 2, 3)\nv.z = 5\nlocal u = -v\nreturn dot(v, vec3(1, 1, 1)) + u.z", 3},
        {"record spot { x = 1, at = vec2(2, 3), who = none, name = 'a' }\n"
         "local s = spot()\ns.x += 4\ns.at.y = 7\nlocal u = s\nu.x = 0\n"
         "return s.x * 100 + u.at.y * 10 + (s.who == none) + (u.name == 'a')",
         572},
        {"record pair { a = 1, b = 2 }\nlocal ps = list(3, pair)\npush(ps, pair())\n"
         "local p = ps[0]\np.b = 5\nps[0] = p\np = ps[0]\nreturn p.a + p.b",
         6},
        {"keep home = vec2(1, 2)\nhome.x = 4\nreturn home.x + home.y", 6},
        {"return friend(3) == friend(3) && friend(3) != none", 1},
        {"return twice(4) + min(3, 2) + max(1, 7) + abs(-1) + floor(2.5) + sqrt(9)", 23},
        {"local n = 0\nwhen n > 0 do n = 1\nwhen n == 0 do n = 2\nwhen true priority 5 do n = 3\n"
         "return n",
         3},
        {"local n = 0\nwhen n > 0 do n = 1\nwhen n == 0 do n = 2\nwhen true do n = 3\nreturn n", 2},
        {"// a comment\nlocal n = 4 // another\nreturn (n\n + 1)", 5},
        {"if 1 > 2 { return 1 } else if 2 > 1 { return 2 } else { return 3 }", 2},
        {"if not (1 > 2) and 0 < 1 < 2 { return 4 }\nreturn 5", 4},
    };
    desk_notes notes = {{0}, 0};
    ploy_program_host hosts[DESK_HOSTS];
    desk_hosts(&notes, hosts);
    ploy_program_scope scope = {hosts, DESK_HOSTS, NULL};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        CHECK_NEAR(desk_number(t, rows[i].row, &scope), rows[i].want, 0.0);
    }
}

TEST(all_faults_are_reported_with_place_and_nearest_name) {
    static const struct {
        const char *row;
        ploy_result want;
        int32_t count, line, column;
        const char *nearest;
    } rows[] = {
        {"local gold = 1\nreturn glod", PLOY_ERR_NOT_FOUND, 1, 2, 8, "gold"},
        {"yeild", PLOY_ERR_NOT_FOUND, 1, 1, 1, "yield"},
        {"local n = 0\nwhil n < 3 { n += 1 }\nretrn n", PLOY_ERR_FORMAT, 2, 2, 1, "while"},
        {"xyzzy 3", PLOY_ERR_FORMAT, 1, 1, 7, ""},
        {"record bag { gold = 1, at = vec2(0, 0) }\nlocal p = bag()\np.golld = 2",
         PLOY_ERR_NOT_FOUND, 1, 3, 1, "gold"},
        {"return twise(3)", PLOY_ERR_NOT_FOUND, 1, 1, 8, "twice"},
        {"local a = 1\na = 'x'\nlocal b = c\nd()", PLOY_ERR_ARGUMENT, 3, 2, 1, ""},
        {"if { }\nreturn 3 +\nlocal = 4", PLOY_ERR_FORMAT, 3, 1, 4, ""},
        {"function f(a) { return a }\nreturn f(1, 2)", PLOY_ERR_ARGUMENT, 1, 2, 8, ""},
        {"function f(a) { return a + 1 }\nf(1)\nreturn f('x')", PLOY_ERR_ARGUMENT, 1, 3, 10, ""},
        {"atomic { yield }", PLOY_ERR_ARGUMENT, 1, 1, 10, ""},
        {"local x = 1\nmonitor", PLOY_ERR_ARGUMENT, 1, 2, 1, ""},
        {"while true {\nlocal x = 1", PLOY_ERR_FORMAT, 1, 1, 12, ""},
        {"}", PLOY_ERR_FORMAT, 1, 1, 1, ""},
        {"say(3)", PLOY_ERR_ARGUMENT, 1, 1, 5, ""},
        {"record r { a = 1 }\nlocal p = r()\nreturn p.gold", PLOY_ERR_NOT_FOUND, 1, 3, 8, ""},
        {"local xs = list(0)", PLOY_ERR_ARGUMENT, 1, 1, 12, ""},
        {"function f() { return 1 }\nfunction f() { return 2 }", PLOY_ERR_EXISTS, 1, 2, 1, ""},
        {"local s = 1 local t = 2", PLOY_ERR_FORMAT, 1, 1, 13, ""},
        {"keep x = twice(2)", PLOY_ERR_ARGUMENT, 1, 1, 10, ""},
        {"for i = 1, 3, 0 { }", PLOY_ERR_FORMAT, 1, 1, 15, ""},
    };
    desk_notes notes = {{0}, 0};
    ploy_program_host hosts[DESK_HOSTS];
    desk_hosts(&notes, hosts);
    ploy_program_scope scope = {hosts, DESK_HOSTS, NULL};
    ploy_env env = ploy_env_default();
    ploy_program_def def = ploy_program_def_default();
    ploy_diags *diags = NULL;
    CHECK_OK(ploy_diags_create(8, &env, &diags));
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        ploy_program *program = NULL;
        t->row = rows[i].row;
        ploy_diags_clear(diags);
        CHECK_INT(ploy_program_create(&def, rows[i].row, strlen(rows[i].row), "p.ploy", &scope,
                                      &env, diags, &program),
                  rows[i].want);
        CHECK(program == NULL);
        CHECK_INT(ploy_diags_count(diags), rows[i].count);
        const ploy_diag *diag = ploy_diags_get(diags, 0);
        if (diag == NULL) continue;
        CHECK_INT(diag->line, rows[i].line);
        CHECK_INT(diag->column, rows[i].column);
        CHECK_TEXT(diag->nearest, rows[i].nearest);
    }
    ploy_diags_destroy(diags);
}

TEST(errors_end_a_program) {
    static const struct {
        const char *row;
        ploy_result want;
    } rows[] = {
        {"function f(n) { return f(n + 1) + 1 }\nreturn f(0)", PLOY_ERR_LIMIT},
        {"local xs = list(2)\nreturn xs[0]", PLOY_ERR_ARGUMENT},
        {"local xs = list(1)\npush(xs, 1)\npush(xs, 1)", PLOY_ERR_LIMIT},
        {"local xs = list(1)\npop(xs)", PLOY_ERR_ARGUMENT},
        {"return 1.5 & 1", PLOY_ERR_ARGUMENT},
        {"atomic { while true { } }", PLOY_ERR_LIMIT},
        {"function f() { yield }\natomic { f() }", PLOY_ERR_STATE},
        {"local s = 'x'\nwhile true { s = s + s }", PLOY_ERR_LIMIT},
    };
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        ploy_program_instance *instance = NULL;
        t->row = rows[i].row;
        ploy_program *program = desk_compile(t, rows[i].row, NULL);
        CHECK_OK(ploy_program_instance_create(program, &env, &instance));
        (void)desk_finish(t, instance, 200, 1000, rows[i].want);
        CHECK_INT(ploy_program_state_of(instance), PLOY_PROGRAM_ERROR);
        ploy_program_instance_destroy(instance);
        ploy_program_destroy(program);
    }
}

TEST(keys_of_the_blackboard_are_variables) {
    static const ploy_blackboard_key keys[] = {
        {"health", PLOY_VALUE_F32, {PLOY_VALUE_F32, {.f32 = 100}}, NULL},
        {"mood", PLOY_VALUE_NAME, {PLOY_VALUE_NONE, {0}}, NULL},
        {"place", PLOY_VALUE_VEC2, {PLOY_VALUE_NONE, {0}}, NULL},
        {"word", PLOY_VALUE_TEXT, {PLOY_VALUE_TEXT, {.text = "hi"}}, NULL},
        {"enemy", PLOY_VALUE_ID, {PLOY_VALUE_NONE, {0}}, NULL},
    };
    ploy_env env = ploy_env_default();
    ploy_blackboard_layout *layout = NULL;
    ploy_blackboard *board = NULL;
    CHECK_OK(
        ploy_blackboard_layout_create(keys, (int32_t)COUNT_OF(keys), "b", &env, NULL, &layout));
    CHECK_OK(ploy_blackboard_create(layout, &env, &board));
    ploy_program_scope scope = {NULL, 0, layout};
    ploy_program *program = desk_compile(
        t,
        "health -= 30\nmood = 'angry'\nplace = vec2(3, 4) + place\nword = word .. health\n"
        "return mood == 'angry' && place.y == 4 && enemy == none && word == 'hi70'",
        &scope);
    ploy_behavior behavior;
    CHECK_OK(ploy_program_behavior(program, &env, &behavior));
    ploy_step_context context = ploy_step_context_make((ploy_agent_id){{1, 1}}, board, 0.1f);
    ploy_status status;
    CHECK_OK(ploy_behavior_enter(behavior, &context));
    CHECK_OK(ploy_behavior_step(behavior, &context, &status));
    CHECK_INT(status, PLOY_STATUS_SUCCESS);
    CHECK_NEAR(ploy_blackboard_get_f32(board, ploy_blackboard_layout_find(layout, "health")), 70.0,
               0.0);
    ploy_behavior_exit(behavior, &context, PLOY_EXIT_FINISHED);
    ploy_behavior_destroy(behavior);
    ploy_program_destroy(program);
    ploy_blackboard_destroy(board);
    ploy_blackboard_layout_destroy(layout);
}

static ploy_result create_body(const ploy_env *env, void *arg) {
    desk_notes notes = {{0}, 0};
    ploy_program_host hosts[DESK_HOSTS];
    desk_hosts(&notes, hosts);
    ploy_program_scope scope = {hosts, DESK_HOSTS, NULL};
    ploy_program_def def = ploy_program_def_default();
    static const char text[] =
        "keep xs = list(4)\nrecord r { a = 1 }\nfunction f(n) { local p = r()\nreturn p.a + n }\n"
        "for i = 1, 3 { push(xs, f(i)) }\nx := 'a' .. 3\nfor y in xs { say(x) }\nwait 2";
    ploy_program *program = NULL;
    ploy_program_instance *instance = NULL;
    (void)arg;
    ploy_result result =
        ploy_program_create(&def, text, sizeof text - 1, "p", &scope, env, NULL, &program);
    if (result == PLOY_OK) result = ploy_program_instance_create(program, env, &instance);
    ploy_program_instance_destroy(instance);
    ploy_program_destroy(program);
    return result;
}

TEST(compiling_survives_every_failing_allocation) {
    CHECK_FAIL_NTH(create_body, NULL);
}
