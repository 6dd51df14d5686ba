// The library of scripts: the catalog's values, and what differs from plain Lua.
#include "tests/script/script_help.h"

// Each text must return true.
static void libraries_all(test_context *t, ploy_lua *lua, const char *const *rows, size_t count) {
    for (size_t i = 0; i < count; i++) {
        char text[512];
        t->row = rows[i];
        snprintf(text, sizeof text,
                 "result = 0 local function f() %s end if f() then result = 1 end", rows[i]);
        script_run(t, lua, text);
        CHECK_INT(script_integer(t, lua, "result"), 1);
    }
    t->row = NULL;
}

TEST(the_values_of_the_catalog_hold) {
    static const char *const rows[] = {
        "local x, y, z = 1, 2 return x == 1 and y == 2 and z == nil",        // SCR-04
        "local x, y, z = 1, 2, 3, 4, 5 return x == 1 and y == 2 and z == 3", // SCR-04
        "local age = 25 return 'I am ' .. age .. ' years of age' == 'I am 25 years of age'", // 05
        "return 0 and true", // SCR-05: 0 is true
        "local t = {4, 5.6, 'Hello World'} return t[1] == 4 and t[2] == 5.6 and #t == 3", // 06
        "local t = {} t['eight'] = 8 t[3.141] = 'pi' return t.eight == 8 and t[3.141] == 'pi'",
        "local s = '' for a = 10, 14, 2 do s = s .. a .. ' ' end return s == '10 12 14 '", // 07
        ("local function f(a, b) return a + 1, b + 1 end local a, b = f(2, 10) "
         "return a == 3 and b == 11"), // SCR-08
        ("--[[ a block ]] local n = 0 while true do n = n + 1 if n > 4 then break end end "
         "return n == 5"),
    };
    ploy_lua *lua = script_create(t, NULL);
    libraries_all(t, lua, rows, COUNT_OF(rows));
    ploy_lua_destroy(lua);
}

TEST(pairs_has_an_order) {
    static const char *const rows[] = {
        ("local s = '' for k in pairs({c = 1, a = 2, b = 3, [2] = 4, [1] = 5, [1.5] = 6, [-1] = 7, "
         "[1e300] = 8, [-1e300] = 9, [math.maxinteger] = 10}) do s = s .. tostring(k) .. ' ' end "
         "return s == '-1e+300 -1 1 1.5 2 9223372036854775807 1e+300 a b c '"),
        ("local t, n = {}, 0 for i = 1, 300 do t['key' .. i * 7 % 307] = i end local last = '' "
         "for k, v in pairs(t) do if not (last < k) then return false end last = k n = n + 1 end "
         "return n == 300"),
        ("local t = {'a', 'b', 'c'} local s = '' for i, v in pairs(t) do t[i + 1] = nil s = s .. v "
         "end return s == 'ac'"),
        ("local t = {x = 1, y = 2, z = 3} local s = '' for k in pairs(t) do t.y = nil s = s .. k "
         "end "
         "return s == 'xz'"),
        ("local t = {x = 1, y = 2} local k, v = next(t) local k2 = next(t, k) "
         "return k == 'x' and v == 1 and k2 == 'y' and next(t, k2) == nil and next({}) == nil"),
        "local t = {b = 1, a = 2, c = 3} return next(t, 'b') == 'c' and next(t, 'a') == 'b'",
        "return not pcall(next, {a = 1}, 'q') and not pcall(pairs, {[print] = 1})",
        ("local t = {} for i = 1, 40 do t['a' .. ('x'):rep(i)] = i end local n = 0 "
         "for k, v in pairs(t) do n = n + 1 if v ~= n then return false end end return n == 40"),
    };
    ploy_lua *lua = script_create(t, NULL);
    libraries_all(t, lua, rows, COUNT_OF(rows));
    ploy_lua_destroy(lua);
}

TEST(patterns_work_as_in_the_manual) {
    static const char *const rows[] = {
        "return ('hello world'):find('o w') == 5 and ('a.b'):find('.', 1, true) == 2",
        "return ('key = value'):match('^(%w+)%s*=%s*(%w+)$') == 'key'",
        "return ('THE (quick) fox'):find('%((%a+)%)') == 5",
        "return ('[[x]]'):match('%[%[(.-)%]%]') == 'x' and ('a]b'):match('[]]') == ']'",
        "return (('hello'):gsub('l', {l = 'L'})) == 'heLLo'",
        "return (('abc'):gsub('%w', '%0%0')) == 'aabbcc' and select(2, ('abc'):gsub('', '-')) == 4",
        "return (('hello world'):gsub('o', function(c) return c:upper() end, 1)) == 'hellO world'",
        "return ('THE (quick) fox'):gsub('%f[%a]%a+', string.lower) == 'the (quick) fox'",
        "return ('f(a(b)c)d'):match('%b()') == '(a(b)c)'",
        "return ('abcabc'):match('(abc)%1') == 'abc' and ('  x'):match('()x') == 3",
        ("local s = '' for k, v in ('a=1, b=2'):gmatch('(%w+)=(%w+)') do s = s .. k .. v end "
         "return s == 'a1b2'"),
        "local n = 0 for w in ('one two  three'):gmatch('%S*') do n = n + 1 end return n == 4",
        "return ('x^2'):find('^', 1, true) == 2 and ('abc'):find('b', -2) == 2",
        "return not pcall(string.find, 'a', '%') and not pcall(string.find, 'a', '[a')",
        "return ('a\\0b'):find('\\0') == 2 and ('a-b'):match('[a%-]+') == 'a-'",
        ("return string.format('%5.2f|%-5d|%05d|%x|%s|%q|%c', 3.14159, 42, 42, 255, 'hi', 'a\\nb', "
         "65) == ' 3.14|42   |00042|ff|hi|\"a\\\\\\nb\"|A'"),
        "return string.format('%5s|%.2s|%g', 'ab', 'abc', 1e20) == '   ab|ab|1e+20'",
        "return ('ab'):rep(3, '-') == 'ab-ab-ab' and ('x'):rep(0) == '' and ('x'):rep(-1) == ''",
        "return ('abc'):byte(-1) == 99 and select('#', ('abc'):byte(1, -1)) == 3",
    };
    ploy_lua *lua = script_create(t, NULL);
    libraries_all(t, lua, rows, COUNT_OF(rows));
    ploy_lua_destroy(lua);
}

TEST(tables_sort_stably_and_move) {
    static const char *const rows[] = {
        ("local t = {} for i = 1, 200 do t[i] = {i % 5, i} end "
         "table.sort(t, function(a, b) return a[1] < b[1] end) for i = 2, 200 do "
         "if t[i][1] == t[i - 1][1] and t[i][2] < t[i - 1][2] then return false end end return "
         "true"),
        "local t = {5, 2, 9, 1} table.sort(t) return table.concat(t, ' ') == '1 2 5 9'",
        "local t = {'b', 'a'} table.sort(t, function(a, b) return a > b end) return t[1] == 'b'",
        ("local t = {1, 2, 3} table.insert(t, 1, 0) table.insert(t, 4) "
         "return table.concat(t) == '01234' and table.remove(t) == 4 and table.remove(t, 1) == 0"),
        "local t = table.move({1, 2, 3, 4}, 2, 4, 1) return table.concat(t) == '2344'",
        "local t = table.move({1, 2, 3}, 1, 3, 2) return table.concat(t) == '1123'",
        ("return table.pack(1, nil, 3).n == 3 and select('#', table.unpack({1, 2, nil, 4}, 1, 4)) "
         "== 4"),
        "return table.remove({}) == nil and table.concat({}, ', ') == ''",
    };
    ploy_lua *lua = script_create(t, NULL);
    libraries_all(t, lua, rows, COUNT_OF(rows));
    ploy_lua_destroy(lua);
}

TEST(nothing_differs_between_runs) {
    static const char *const rows[] = {
        "return tostring({}) == 'table' and tostring(print) == 'function'",
        "return tostring(0 / 0) == 'nan' and tostring(-(0 / 0)) == 'nan'",
        "return string.format('%s', {}) == 'table' and not pcall(string.format, '%p', {})",
        "return not pcall(collectgarbage, 'count') and collectgarbage() == 0",
        "return not pcall(math.randomseed, 1) and os == nil and io == nil and debug == nil",
        "return not pcall(setmetatable, {}, {__gc = print})",
        "return not pcall(setmetatable, {}, {__mode = 'k'})",
        "return getmetatable('') == false and not load('return 2 ^ 3') and load('return 3 ^ 2')",
        "return math.pow(2, 10) == 1024.0 and math.type(3 // 1) == 'integer'",
        ("local a, b = vec2(1, 2), vec2(3, 5) return a + b == vec2(4, 7) and (b - a).y == 3 and "
         "2 * a == a * 2 and a:dot(b) == 13 and vec2(3, 4):length() == 5 and -a == vec2(-1, -2)"),
        "return not pcall(function() return vec2(1, 2) + vec3(1, 2, 3) end)",
    };
    ploy_lua *lua = script_create(t, NULL);
    libraries_all(t, lua, rows, COUNT_OF(rows));
    ploy_lua_destroy(lua);
}

TEST(random_numbers_follow_from_agent_and_tick) {
    double first[3] = {0};
    for (int round = 0; round < 2; round++) {
        ploy_lua *lua = script_create(t, NULL);
        script_run(t, lua,
                   "function draw() return math.random(), math.random(10), math.random(0) end");
        ploy_lua_ref draw;
        ploy_value out[3];
        CHECK_OK(ploy_lua_get_ref(lua, PLOY_LUA_GLOBALS, "draw", &draw));
        for (uint32_t i = 0; i < 3; i++) {
            // In the second round the agents come in another order.
            uint32_t agent = round == 0 ? i : 2 - i;
            ploy_lua_tick(lua, ploy_rng_key_make(9), 4);
            ploy_lua_set_agent(lua, (ploy_agent_id){{agent, 1}}, 0);
            CHECK_OK(ploy_lua_call(lua, draw, PLOY_LUA_GLOBALS, NULL, 0, out, 3));
            CHECK(out[1].as.i64 >= 1 && out[1].as.i64 <= 10);
            if (round == 0) first[agent] = out[0].as.f64;
            CHECK_SAME(out[0].as.f64, first[agent]);
        }
        ploy_lua_destroy(lua);
    }
    CHECK(first[0] != first[1] && first[1] != first[2]);
}

TEST(compiled_scripts_are_checked) {
    ploy_lua_def def = ploy_lua_def_default();
    ploy_lua *closed = script_create(t, &def);
    def.compiled = true;
    ploy_lua *open = script_create(t, &def);
    ploy_env env = ploy_env_default();
    ploy_buffer code;
    ploy_buffer_init(&code, 0, &env);
    ploy_writer writer = ploy_buffer_writer(&code);
    static const char text[] = "answer = 6 * 7 function f() error('here') end";
    CHECK_OK(ploy_lua_compile(open, text, sizeof text - 1, "a.lua", false, NULL, &writer));
    CHECK_OK(ploy_lua_run(open, code.bytes, code.size, "a.luac", NULL)); // SCR-03
    CHECK_INT(script_integer(t, open, "answer"), 42);
    CHECK_INT(ploy_lua_run(closed, code.bytes, code.size, "a.luac", NULL), PLOY_ERR_DENIED);
    CHECK_INT(ploy_lua_run(open, "\x1bLua", 4, "b.luac", NULL), PLOY_ERR_FORMAT);
    CHECK_TEXT(ploy_lua_error(open), "b.luac:1:1: expected a text, found bytecode");
    CHECK_INT(ploy_lua_compile(open, "x = ", 4, "b.lua", false, NULL, &writer), PLOY_ERR_FORMAT);
    for (size_t at = 0; at < code.size; at += 7) { // every damage is found
        code.bytes[at] ^= 1;
        ploy_result result = ploy_lua_run(open, code.bytes, code.size, "a.luac", NULL);
        CHECK(result == PLOY_ERR_FORMAT || result == PLOY_ERR_VERSION);
        code.bytes[at] ^= 1;
    }
    for (size_t size = 8; size < 40; size++) {
        CHECK_INT(ploy_lua_run(open, code.bytes, size, "a.luac", NULL), PLOY_ERR_FORMAT);
    }
    ploy_buffer_fini(&code);
    ploy_lua_destroy(open);
    ploy_lua_destroy(closed);
}

TEST(faults_of_a_script_have_their_place) {
    static const struct {
        const char *text;
        int32_t line, column;
        const char *message;
    } rows[] = {
        {"x = 1\ny = = 2", 2, 1, "unexpected symbol near '='"},
        {"x = 1\n\n  y = 3 ^ 0.5", 3, 9, "expected 2 after '^' (use math.pow for other powers)"},
        {"local t = nil\nt.x = 1", 2, 1, "attempt to index a nil value (local 't')"},
    };
    ploy_env env = ploy_env_default();
    ploy_diags *diags = NULL;
    CHECK_OK(ploy_diags_create(4, &env, &diags));
    ploy_lua *lua = script_create(t, NULL);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].text;
        ploy_diags_clear(diags);
        CHECK(ploy_lua_run(lua, rows[i].text, strlen(rows[i].text), "a.lua", diags) != PLOY_OK);
        const ploy_diag *diag = ploy_diags_get(diags, 0);
        CHECK_INT(diag->line, rows[i].line);
        CHECK_INT(diag->column, rows[i].column);
        CHECK_TEXT(diag->message, rows[i].message);
    }
    ploy_diags_destroy(diags);
    ploy_lua_destroy(lua);
}
