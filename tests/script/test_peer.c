// Random scripts beside Debian's lua5.4: scripts that do not depend on what is replaced print the
// same, errors included.
#define _POSIX_C_SOURCE 200809L // popen, fileno

#include <stdlib.h>
#include <sys/wait.h>

#include "ploy/base/rng.h"
#include "ploy/base/writer.h"
#include "tests/script/script_help.h"

typedef struct peer_maker {
    ploy_rng rng;
    ploy_buffer text;
    int depth;
} peer_maker;

static void peer_add(peer_maker *m, const char *text) {
    (void)ploy_buffer_append(&m->text, text, strlen(text));
}

static int32_t peer_pick(peer_maker *m, int32_t count) {
    return ploy_rng_int(&m->rng, 0, count - 1);
}

static void peer_expression(peer_maker *m, int depth) {
    static const char *const leaves[] = {"a",       "b",
                                         "c",       "d",
                                         "t[1]",    "t.x",
                                         "1",       "2",
                                         "-3",      "7",
                                         "0.5",     "1e10",
                                         "'ab'",    "'12'",
                                         "''",      "nil",
                                         "true",    "false",
                                         "#t",      "0x10",
                                         "3.0",     "math.maxinteger",
                                         "'0x1p4'", "t"};
    static const char *const operators[] = {" + ",  " - ",  " * ", " / ",  " // ", " % ",   " .. ",
                                            " == ", " ~= ", " < ", " <= ", " > ",  " and ", " or ",
                                            " & ",  " | ",  " ~ ", " << ", " >> "};
    static const char *const calls[] = {
        "f(",         "tostring(",  "tonumber(",   "math.floor(", "string.upper(", "#show(",
        "select(2, ", "math.type(", "string.len(", "type(",       "rawlen("};
    int32_t kind = depth > 3 ? 0 : peer_pick(m, 8);
    if (kind < 3) {
        peer_add(m, leaves[peer_pick(m, (int32_t)COUNT_OF(leaves))]);
    } else if (kind < 6) {
        peer_add(m, "(");
        peer_expression(m, depth + 1);
        peer_add(m, operators[peer_pick(m, (int32_t)COUNT_OF(operators))]);
        peer_expression(m, depth + 1);
        peer_add(m, ")");
    } else if (kind == 6) {
        static const char *const unary[] = {"-(", "not (", "~(", "("};
        peer_add(m, unary[peer_pick(m, 4)]);
        peer_expression(m, depth + 1);
        peer_add(m, ")");
    } else {
        peer_add(m, calls[peer_pick(m, (int32_t)COUNT_OF(calls))]);
        peer_expression(m, depth + 1);
        peer_add(m, ", ");
        peer_expression(m, depth + 1);
        peer_add(m, ")");
    }
}

static void peer_statement(peer_maker *m, int depth) {
    static const char *const targets[] = {"a", "b", "c", "d", "t[1]", "t.x", "t[#t + 1]"};
    switch (depth > 2 ? peer_pick(m, 3) : peer_pick(m, 9)) {
    case 0:
    case 1:
        peer_add(m, targets[peer_pick(m, (int32_t)COUNT_OF(targets))]);
        peer_add(m, " = ");
        peer_expression(m, 0);
        break;
    case 2:
        peer_add(m, "print(show(");
        peer_expression(m, 0);
        peer_add(m, "))");
        break;
    case 3:
        peer_add(m, "if ");
        peer_expression(m, 1);
        peer_add(m, " then\n");
        peer_statement(m, depth + 1);
        peer_add(m, "else ");
        peer_statement(m, depth + 1);
        peer_add(m, "end");
        break;
    case 4:
        peer_add(m, "for i = 1, 3 do a = i\n");
        peer_statement(m, depth + 1);
        peer_statement(m, depth + 1);
        peer_add(m, "end");
        break;
    case 5:
        peer_add(m, "do local n = 0 while n < 3 do n = n + 1\n");
        peer_statement(m, depth + 1);
        peer_add(m, "if d == nil then break end end end");
        break;
    case 6:
        peer_add(m, "do local function g(x, ...) local b = x\n");
        peer_statement(m, depth + 1);
        peer_add(m, "return ");
        peer_expression(m, 1);
        peer_add(m, ", ... end b, c = g(a, b) end");
        break;
    case 7:
        peer_add(m, "t = {");
        peer_expression(m, 1);
        peer_add(m, ", x = ");
        peer_expression(m, 1);
        peer_add(m, "}");
        break;
    default:
        peer_add(m, "do local co = coroutine.wrap(function(v) coroutine.yield(v)\n");
        peer_statement(m, depth + 1);
        peer_add(m, "end) print(show(co(a))) pcall(co) end");
        break;
    }
    peer_add(m, "\n");
}

static void peer_script(peer_maker *m, uint64_t seed, int blocks) {
    m->rng = ploy_rng_make(seed);
    ploy_buffer_clear(&m->text);
    peer_add(m, "local a, b, c, d, t = 1, 'x', 2.5, nil, {3, 4, x = 'y'}\n"
                "local function f(...) return ... end\n"
                "local function show(v) if v ~= v then return 'nan' end local k = type(v)\n"
                "  if k == 'table' or k == 'function' then return k end return tostring(v) end\n");
    for (int i = 0; i < blocks; i++) {
        peer_add(m, "print(pcall(function()\n");
        for (int j = 0; j < 4; j++) peer_statement(m, 0);
        peer_add(m, "end))\n");
    }
}

static void peer_print(void *user, const char *text, size_t size) {
    ploy_buffer *out = user;
    (void)ploy_buffer_append(out, text, size);
    (void)ploy_buffer_append(out, "\n", 1);
}

// What lua5.4 prints. Returns false if it is not there.
static bool peer_run(const ploy_buffer *script, ploy_buffer *out, char name[64]) {
    FILE *file = tmpfile();
    if (file == NULL) return false;
    fwrite(script->bytes, 1, script->size, file);
    rewind(file);
    char command[160], bytes[4096];
    snprintf(name, 64, "/dev/fd/%d", fileno(file));
    snprintf(command, sizeof command, "lua5.4 %s </dev/null 2>&1", name);
    FILE *from = popen(command, "r");
    size_t size = 0;
    while (from != NULL && (size = fread(bytes, 1, sizeof bytes, from)) > 0) {
        (void)ploy_buffer_append(out, bytes, size);
    }
    int status = from == NULL ? -1 : pclose(from);
    fclose(file);
    return status != -1 && WEXITSTATUS(status) != 127;
}

TEST(random_scripts_print_what_lua_prints) {
    ploy_env env = ploy_env_default();
    peer_maker maker = {0};
    ploy_buffer theirs, ours;
    ploy_buffer_init(&maker.text, 0, &env);
    ploy_buffer_init(&theirs, 0, &env);
    ploy_buffer_init(&ours, 0, &env);
    for (int64_t seed = 1; seed <= test_rounds(40); seed++) {
        TEST_SEED(seed);
        char name[64];
        peer_script(&maker, (uint64_t)seed, 50);
        ploy_buffer_clear(&theirs);
        ploy_buffer_clear(&ours);
        if (!peer_run(&maker.text, &theirs, name)) {
            test_skip(t, "lua5.4 is not installed");
            break;
        }
        ploy_lua_def def = ploy_lua_def_default();
        def.call_units = 100000000;
        ploy_lua *lua = script_create(t, &def);
        ploy_lua_set_print(lua, peer_print, &ours);
        ploy_result result = ploy_lua_run(lua, maker.text.bytes, maker.text.size, name, NULL);
        if (result != PLOY_OK) CHECK_TEXT(ploy_lua_error(lua), "");
        CHECK(theirs.size > 1000);
        // The first line that differs, for the message.
        const char *a = ploy_buffer_text(&ours), *b = ploy_buffer_text(&theirs);
        size_t at = 0, line = 0;
        while (a[at] != 0 && a[at] == b[at]) {
            if (a[at] == '\n') line = at + 1;
            at++;
        }
        char got[200], want[200];
        snprintf(got, sizeof got, "%.*s", (int)strcspn(a + line, "\n"), a + line);
        snprintf(want, sizeof want, "%.*s", (int)strcspn(b + line, "\n"), b + line);
        CHECK_TEXT(got, want);
        CHECK_INT(ours.size, theirs.size);
        ploy_lua_destroy(lua);
    }
    ploy_buffer_fini(&maker.text);
    ploy_buffer_fini(&theirs);
    ploy_buffer_fini(&ours);
}
