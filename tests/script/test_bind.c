// Bindings: their rules in a sandbox, and every bound function called with arguments built from its roles.
#include "bind_driver.h"
#include "ploy/script/bind.h"
#include "script_help.h"

static ploy_lua *bind_state(test_context *t) {
    ploy_lua *lua = script_create(t, NULL);
    static const char *const modules[] = {"base", "geom", "exec", "move", "decide", "path"};
    for (size_t i = 0; i < COUNT_OF(modules); i++) CHECK_OK(ploy_lua_bind(lua, modules[i]));
    return lua;
}

// Runs a text that must fail and checks that its error contains another text.
static void bind_fails(test_context *t, ploy_lua *lua, const char *text, const char *error) {
    t->row = text;
    CHECK_INT(script_try(lua, text), PLOY_ERR_CALLBACK);
    if (strstr(ploy_lua_error(lua), error) == NULL) CHECK_TEXT(ploy_lua_error(lua), error);
    t->row = NULL;
}

TEST(modules_are_bound_on_request) {
    ploy_lua *lua = script_create(t, NULL);
    CHECK_INT(ploy_lua_bind(lua, "goem"), PLOY_ERR_NOT_FOUND);
    CHECK_TEXT(ploy_lua_error(lua), "unknown module 'goem' (did you mean 'geom'?)");
    CHECK_OK(ploy_lua_bind(lua, "geom"));
    CHECK_OK(ploy_lua_bind(lua, "geom"));
    script_run(
        t, lua,
        "length = ploy.geom.vec2_length(vec2(3, 4)) assert(ploy.move == nil) assert(length == 5)");
    bind_fails(t, lua, "ploy.geom.vec2_lenght(1)",
               "unknown function 'vec2_lenght' in module geom (did you mean 'vec2_length'?)");
    ploy_lua_destroy(lua);
}

TEST(vectors_are_the_objects_of_the_host) {
    ploy_lua *lua = bind_state(t);
    script_run(t, lua,
               "local g = ploy.geom\n"
               "assert(g.vec2_add(vec2(1, 2), {3, 4}) == vec2(4, 6))\n"
               "assert(g.vec2_add({x = 1}, vec2(1, 1)) + vec2(1, 1) == vec2(3, 2))\n"
               "local k = ploy.move.kinematic{position = vec2(1, 2), orientation = 0.5}\n"
               "assert(k.position.y == 2 and k.velocity == vec2(0, 0))\n"
               "k.velocity = {3, 4}\n"
               "assert(k.velocity.x == 3)\n"
               "assert(tostring(k) == 'kinematic(vec2(1, 2), 0.5, vec2(3, 4), 0)')\n"
               "local s = ploy.move.steering{linear = vec2(1, 0), angular = 2}\n"
               "assert((s * 2 + s).linear == vec2(3, 0) and (-s).angular == -2)");
    bind_fails(t, lua, "ploy.move.kinematic{postion = vec2(1, 2)}",
               "has the unknown key 'postion' (did you mean 'position'?)");
    bind_fails(t, lua, "local k = ploy.move.kinematic() k.rotation = 'fast'",
               "parameter 'rotation' is string; expected a number");
    ploy_lua_destroy(lua);
}

TEST(defs_are_tables_checked_by_their_fields) {
    ploy_lua *lua = bind_state(t);
    script_run(t, lua,
               "w = ploy.move.wander_create({max_speed = 2}, 4) assert(tostring(w) == 'wander') "
               "w:destroy()");
    bind_fails(t, lua, "ploy.move.wander_create({max_sped = 2}, 4)",
               "parameter 'def' has the unknown key 'max_sped' (did you mean 'max_speed'?)");
    bind_fails(t, lua, "ploy.move.wander_create({max_speed = -2}, 4)",
               "parameter 'def' is refused");
    bind_fails(t, lua, "ploy.move.wander_create({max_speed = 0/0}, 4)",
               "parameter 'def.max_speed' is not a number (NaN)");
    bind_fails(t, lua, "ploy.move.wander_create({form = 'circel'}, 4)",
               "parameter 'def.form' is 'circel'");
    bind_fails(t, lua, "ploy.move.wander_create({}, 1 << 40)",
               "parameter 'capacity' is 1099511627776; expected a whole number from");
    bind_fails(t, lua, "ploy.move.wander_create({}, 0)",
               "(PLOY_ERR_ARGUMENT)"); // a failed result is an error
    ploy_lua_destroy(lua);
}

TEST(handles_that_are_stale_or_of_another_type_are_errors) {
    ploy_lua *lua = bind_state(t);
    script_run(t, lua,
               "a = ploy.move.wander_create({}, 4) a:destroy() b = ploy.base.diags_create(4)");
    bind_fails(t, lua, "a:destroy()", "parameter 'wander' is a wander that is already released");
    bind_fails(t, lua, "ploy.move.wander_destroy(b)",
               "parameter 'wander' is diags; expected wander");
    bind_fails(t, lua, "ploy.move.wander_destroy(7)",
               "parameter 'wander' is number; expected wander");
    bind_fails(t, lua, "b:destory()",
               "unknown method 'destory' of a diags (did you mean 'destroy'?)");
    // A borrowed struct is stale once its owner has changed.
    script_run(t, lua,
               "b:add('error', 'err_format', 'f', 1, 2, 'broken', nil, nil) assert(b:count() == 1 "
               "and b:get(0).message == 'broken')");
    ploy_lua_destroy(lua);
}

TEST(sequences_are_arrays_and_their_lengths_are_checked) {
    ploy_lua *lua = bind_state(t);
    script_run(t, lua,
               "local a = ploy.geom.polygon_area({points = {vec2(0, 0), vec2(2, 0), vec2(2, 3)}})\n"
               "assert(a == 3)\n"
               "local out = ploy.decide.markov_step({0, 1, 1, 0}, {0.25, 0.75})\n"
               "assert(#out == 2 and out[1] == 0.75)");
    bind_fails(t, lua, "ploy.decide.markov_step({0, 1, 1}, {0.25, 0.75})",
               "parameter 'matrix' has another length than its parameters state");
    bind_fails(t, lua, "ploy.geom.polygon_area({points = {vec2(0, 0), 3}})",
               "parameter 'polygon.points[2]' is number; expected vec2");
    bind_fails(t, lua, "ploy.geom.polygon_area({points = {vec2(0, 0)}, count = 9})",
               "cannot be given by a script");
    ploy_lua_destroy(lua);
}

TEST(callbacks_are_functions_and_their_errors_are_the_calls) {
    ploy_lua *lua = bind_state(t);
    script_run(t, lua,
               "names = {}\n"
               "ploy.base.fields_each(ploy.move.wander_fields(), function(path) names[#names + 1] "
               "= path end)\n"
               "assert(#names == ploy.base.fields_leaf_count(ploy.move.wander_fields()))");
    bind_fails(t, lua,
               "ploy.base.fields_each(ploy.move.wander_fields(), function() error('no more') end)",
               "no more");
    bind_fails(t, lua, "ploy.base.fields_each(ploy.move.wander_fields(), 3)",
               "parameter 'fn' is number; expected a function");
    // A limit inside a callback ends the script, whatever it catches.
    CHECK_INT(script_try(lua, "pcall(ploy.base.fields_each, ploy.move.wander_fields(), function() "
                              "while true do end end)"),
              PLOY_ERR_LIMIT);
    script_run(t, lua, "assert(ploy.geom.vec2_length(vec2(3, 4)) == 5)");
    ploy_lua_destroy(lua);
}

TEST(memory_of_objects_is_capped) {
    ploy_lua_def def = ploy_lua_def_default();
    def.memory_kb = 512;
    ploy_lua *lua = script_create(t, &def);
    CHECK_OK(ploy_lua_bind(lua, "move"));
    bind_fails(t, lua, "ploy.move.wander_create({}, 1 << 24)", "out of memory (PLOY_ERR_MEMORY)");
    bind_fails(t, lua, "all = {} for i = 1, 1000 do all[i] = ploy.move.wander_create({}, 1000) end",
               "(PLOY_ERR_MEMORY)");
    script_run(t, lua, "for i = 1, #all do all[i]:destroy() end ploy.move.wander_create({}, 1000)");
    ploy_lua_destroy(lua);
}

// ---- all functions

typedef struct bind_progress {
    char state[16][1024]; // 0: not called, 1: refused an argument, 2: the library was called
} bind_progress;

static bind_progress *bind_now; // of the running test

static void bind_try(driver *d, int32_t m, int32_t i) {
    char text[600];
    const ployi_bind_function *fn = &ployi_bind_modules[m]->functions[i];
    int status = driver_call(d, fn, text, sizeof text);
    if (status < 0 || bind_now->state[m][i] == 2) return;
    bind_now->state[m][i] = status != LUA_OK && strstr(text, "parameter '") != NULL ? 1 : 2;
}

static void bind_lent(driver *d, const ployi_bind_type *type) {
    int32_t number = (int32_t)(type - ployi_bind_types);
    int32_t calls = d->calls;
    for (int32_t m = 0, left = 400; m < ployi_bind_module_count; m++) {
        for (int32_t i = 0; i < ployi_bind_modules[m]->count && left > 0; i++) {
            const ployi_bind_function *fn = &ployi_bind_modules[m]->functions[i];
            bool takes = false;
            for (int32_t k = 0; k < fn->count; k++) {
                const ployi_bind_item *item = &fn->parameters[k];
                takes =
                    takes || (item->type == number &&
                              (item->kind == PLOYI_BIND_LIVE || item->kind == PLOYI_BIND_OBJECT) &&
                              driver_is_argument(item));
            }
            if (!takes || bind_now->state[m][i] == 2) continue;
            bind_try(d, m, i);
            left -= 1;
        }
    }
    d->calls = calls;
}

// Does the function lend an object to a callback?
static bool bind_lends(const ployi_bind_function *fn) {
    for (int32_t k = 0; k < fn->count; k++) {
        if (fn->parameters[k].role != PLOYI_BIND_CALL) continue;
        const ployi_bind_type *type = &ployi_bind_types[fn->parameters[k].type];
        for (int32_t m = 0; m < type->member_count; m++) {
            uint8_t kind = type->members[m].kind;
            if (kind == PLOYI_BIND_LIVE || kind == PLOYI_BIND_OBJECT) return true;
        }
    }
    return false;
}

static int32_t bind_bound(void) {
    int32_t bound = 0;
    for (int32_t m = 0; m < ployi_bind_module_count; m++) bound += ployi_bind_modules[m]->count;
    return bound;
}

// A recipe that works has called its functions.
static void bind_watch(const driver *d, const ployi_bind_function *fn) {
    (void)d;
    for (int32_t m = 0; m < ployi_bind_module_count; m++) {
        const ployi_bind_module *module = ployi_bind_modules[m];
        if (fn >= module->functions && fn < module->functions + module->count)
            bind_now->state[m][fn - module->functions] = 2;
    }
}

// Makes the objects of the recipes, then calls every function once or more with plain arguments. What a call makes
// is an argument of later ones; objects are destroyed in the last round.
static void bind_rounds(test_context *t, driver *d, int32_t rounds) {
    static char text[8192];
    d->watch = bind_watch;
    int32_t failed = driver_recipes(d, PLOY_SOURCE_DIR, text, sizeof text);
    d->watch = NULL;
    if (failed > 0) CHECK_TEXT(text, "every recipe works");
    d->lent = bind_lent;
    for (int32_t round = 0; round < rounds; round++) {
        // The last round ends objects. Earlier calls have given some away, so they are made again.
        if (round == 2) (void)driver_recipes(d, PLOY_SOURCE_DIR, text, sizeof text);
        for (int32_t m = 0; m < ployi_bind_module_count; m++) {
            for (int32_t i = 0; i < ployi_bind_modules[m]->count; i++) {
                const ployi_bind_function *fn = &ployi_bind_modules[m]->functions[i];
                bool ends = fn->count > 0 && fn->parameters[0].role == PLOYI_BIND_OWNED;
                // A function that lends is called in each round: by then more objects exist for what takes them.
                bool again = bind_now->state[m][i] != 2 || bind_lends(fn);
                if (again && (!ends || round == 2)) bind_try(d, m, i);
            }
        }
        lua_gc(d->L, LUA_GCCOLLECT, 0);
    }
}

// Functions that lacked an object, or had one that others use: once more, each with objects made for it.
static void bind_again(driver *d) {
    static char text[8192];
    for (int32_t m = 0; m < ployi_bind_module_count; m++) {
        for (int32_t i = 0; i < ployi_bind_modules[m]->count; i++) {
            if (bind_now->state[m][i] == 2) continue;
            (void)driver_recipes(d, PLOY_SOURCE_DIR, text, sizeof text);
            bind_try(d, m, i);
        }
        lua_gc(d->L, LUA_GCCOLLECT, 0);
    }
}

// The functions that no call reaches are listed with the reason, one line each.
static bool bind_is_listed(const char *list, const char *name) {
    size_t length = strlen(name);
    for (const char *line = list; line != NULL && *line != 0;) {
        if (strncmp(line, name, length) == 0 && line[length] == ':') return true;
        line = strchr(line, '\n');
        line = line == NULL ? NULL : line + 1;
    }
    return false;
}

TEST(every_function_can_be_called_with_arguments_from_its_roles) {
    ploy_env env = ploy_env_default();
    env.log = NULL;
    driver d;
    static bind_progress progress;
    static char list[1 << 16];
    memset(&progress, 0, sizeof progress);
    bind_now = &progress;
    FILE *file = fopen(PLOY_SOURCE_DIR "/tests/script/uncalled.txt", "rb");
    CHECK(file != NULL);
    list[fread(list, 1, sizeof list - 1, file)] = 0;
    (void)fclose(file);
    CHECK(driver_open(&d, &env, 1));
    bind_rounds(t, &d, 3);
    bind_again(&d);
    int32_t uncalled = 0, unlisted = 0, lines = 0;
    for (int32_t m = 0; m < ployi_bind_module_count; m++) {
        for (int32_t i = 0; i < ployi_bind_modules[m]->count; i++) {
            const char *name = ployi_bind_modules[m]->functions[i].name;
            bool known = bind_is_listed(list, name);
            if (progress.state[m][i] == 2) {
                if (known) printf("listed but called: %s\n", name);
                continue;
            }
            uncalled += 1;
            if (known) continue;
            printf("not called: %s\n", name);
            unlisted += 1;
        }
    }
    driver_close(&d);
    printf("bindings: %d bound, %d called\n", (int)bind_bound(), (int)(bind_bound() - uncalled));
    // Of the functions of the API at least 85 % are bound, and as many were called.
    CHECK(bind_bound() * 100 >= ployi_bind_api_count * 85);
    CHECK((bind_bound() - uncalled) * 100 >= ployi_bind_api_count * 85);
    CHECK_INT(unlisted, 0); // add a recipe to tools/api-recipes.lua, or a line with the reason
    for (const char *at = list; *at != 0; at++) lines += *at == '\n';
    CHECK_INT(lines, uncalled); // remove lines of functions that are called, or gone
}

typedef struct bind_wrong {
    driver *d;
    const ployi_bind_function *fn;
    int first, count; // its arguments on the stack
    int32_t checked, stale, lengths;
} bind_wrong;

// Calls with the arguments, the value on top instead of argument k. The error must name a parameter; returns its text.
static const char *bind_refusal(test_context *t, bind_wrong *w, int k) {
    lua_State *L = w->d->L;
    int value = lua_gettop(L);
    lua_pushlightuserdata(L, (void *)(uintptr_t)w->fn);
    lua_pushlightuserdata(L, w->d->bind);
    lua_pushcclosure(L, ployi_bind_call, 2);
    for (int i = 0; i < w->count; i++) lua_pushvalue(L, i == k ? value : w->first + i);
    if (k >= w->count) lua_pushvalue(L, value);
    CHECK_INT(lua_pcall(L, k >= w->count ? w->count + 1 : w->count, 0, 0), LUA_ERRRUN);
    return lua_tostring(L, -1);
}

static void bind_refuses(test_context *t, bind_wrong *w, int k, const ployi_bind_item *item) {
    lua_State *L = w->d->L;
    char expected[160], earlier[96];
    int top = lua_gettop(L);
    (void)lua_newthread(L); // no parameter accepts a coroutine
    const char *text = bind_refusal(t, w, k);
    (void)snprintf(expected, sizeof expected, "%s: parameter '%s' is", w->fn->name, item->name);
    (void)snprintf(earlier, sizeof earlier, "%s: parameter '", w->fn->name);
    bool named = strncmp(text, expected, strlen(expected)) == 0;
    bool before =
        k > 0 && strncmp(text, earlier, strlen(earlier)) == 0; // an earlier one is refused
    if (!named && !before) CHECK_TEXT(text, expected);
    w->checked += named;
    lua_settop(L, top);
    ployi_handle *handle = ployi_bind_handle(L, w->first + k);
    if (handle != NULL && handle->box != NULL && !handle->box->released) {
        handle->box->released = true; // as destroy leaves it while others use it
        lua_pushvalue(L, w->first + k);
        text = bind_refusal(t, w, k);
        handle->box->released = false;
        if (strncmp(text, earlier, strlen(earlier)) != 0) CHECK_TEXT(text, expected);
        w->stale += strstr(text, "released") != NULL;
        lua_settop(L, top);
    }
    bool array = item->role == PLOYI_BIND_ARRAY_IN || item->role == PLOYI_BIND_ARRAY_INOUT;
    bool shared = item->fixed > 0 || item->second >= 0;
    for (int32_t i = 0; i < w->fn->count && array && item->link >= 0; i++) {
        const ployi_bind_item *other = &w->fn->parameters[i];
        bool sequence = other->role == PLOYI_BIND_ARRAY_IN || other->role == PLOYI_BIND_ARRAY_INOUT;
        shared = shared || (other != item && sequence && other->link == item->link &&
                            other->second < 0 && (other->flags & PLOYI_BIND_NULLABLE) == 0);
    }
    if (array && shared && lua_type(L, w->first + k) == LUA_TTABLE &&
        lua_rawlen(L, w->first + k) > 0) {
        lua_newtable(L); // one element too many
        lua_Integer length = (lua_Integer)lua_rawlen(L, w->first + k);
        for (lua_Integer i = 1; i <= length + 1; i++) {
            lua_rawgeti(L, w->first + k, i <= length ? i : length);
            lua_rawseti(L, -2, i);
        }
        text = bind_refusal(t, w, k);
        if (strncmp(text, earlier, strlen(earlier)) != 0) CHECK_TEXT(text, expected);
        w->lengths += 1;
        lua_settop(L, top);
    }
}

TEST(every_wrong_argument_is_an_error_that_names_it) {
    ploy_env env = ploy_env_default();
    env.log = NULL;
    driver d;
    static bind_progress progress;
    memset(&progress, 0, sizeof progress);
    bind_now = &progress;
    CHECK(driver_open(&d, &env, 1));
    bind_rounds(t, &d, 1);
    d.lent = NULL;
    lua_State *L = d.L;
    bind_wrong w = {.d = &d};
    for (int32_t m = 0; m < ployi_bind_module_count; m++) {
        for (int32_t i = 0; i < ployi_bind_modules[m]->count; i++) {
            int top = lua_gettop(L);
            luaL_checkstack(L, 128, "arguments");
            w.fn = &ployi_bind_modules[m]->functions[i];
            w.first = top + 1;
            t->row = w.fn->name;
            w.count = driver_arguments(&d, w.fn);
            bool whole = w.count >= 0; // otherwise an object is missing: the first argument alone
            if (!whole) w.count = 0;
            int k = 0;
            for (int32_t p = 0; p < w.fn->count; p++) {
                const ployi_bind_item *item = &w.fn->parameters[p];
                if (!driver_is_argument(item)) continue;
                if (!whole && k == 0) {
                    lua_pushnil(L);
                    w.count = 1;
                }
                if (whole || k == 0) bind_refuses(t, &w, k, item);
                k += 1;
            }
            if (whole) { // one argument too many
                lua_pushinteger(L, 1);
                const char *text = bind_refusal(t, &w, w.count);
                if (strstr(text, "too many arguments") == NULL &&
                    strstr(text, "parameter '") == NULL)
                    CHECK_TEXT(text, "too many arguments");
            }
            lua_settop(L, top);
        }
    }
    t->row = NULL;
    printf("wrong types: %d, stale handles: %d, wrong lengths: %d\n", (int)w.checked, (int)w.stale,
           (int)w.lengths);
    CHECK(w.checked > 8000 && w.stale > 3000 && w.lengths > 30);
    driver_close(&d);
}

TEST(what_the_library_trusts_is_checked_before_the_call) {
    ploy_lua *lua = bind_state(t);
    bind_fails(t, lua, "ploy.geom.points_get({x = {1, 2}, y = {3, 4}}, 2)",
               "points_get: parameter 'index' is out of range; expected a whole number from 0 to "
               "one below "
               "points->count");
    script_run(t, lua, "assert(ploy.geom.points_get({x = {1, 2}, y = {3, 4}}, 1) == vec2(2, 4))");
    bind_fails(t, lua, "ploy.exec.schedule_due({period = 0}, 1)",
               "parameter 'schedule' has a 'period' that is out of its range");
    bind_fails(t, lua, "ploy.base.array_init(0)", "parameter 'item_size' is 0; expected the size");
    ploy_lua_destroy(lua);
}

TEST(a_part_of_a_lent_value_expires_with_it) {
    ploy_lua *lua = bind_state(t);
    CHECK_OK(ploy_lua_bind(lua, "world"));
    script_run(
        t, lua,
        "ploy.world.pose_source_get({pose = function(agent, out) part = out.frame\n"
        "  part.position = vec3(1, 2, 3) return true end}, {id = {index = 1, generation = 1}})\n"
        "assert(tostring(part) == 'frame3', tostring(part))"); // no content any more
    bind_fails(t, lua, "return part.position", "was valid only in its callback");
    bind_fails(t, lua, "part.position = vec3(1, 2, 3)", "was valid only in its callback");
    bind_fails(t, lua, "ploy.geom.frame3_vector_to_world(part, vec3(1, 0, 0))",
               "is a frame3 that was valid only in its callback");
    ploy_lua_destroy(lua);
}

TEST(members_keep_their_ranges) {
    ploy_lua *lua = bind_state(t);
    CHECK_OK(ploy_lua_bind(lua, "learn"));
    script_run(t, lua,
               "bins = ploy.learn.bins{thresholds = {1, 2}, count = 2}\n"
               "assert(ploy.learn.bins_find(bins, 1.5) == 1)");
    // The number of elements of an array inside a struct is from 0 to its length.
    bind_fails(t, lua, "ploy.learn.bins_find({thresholds = {1, 2}, count = 64}, 1)",
               "parameter 'bins' has a 'count' that is out of its range");
    bind_fails(t, lua, "bins.count = -1", "parameter 'count' makes 'count' leave its range");
    script_run(t, lua, "assert(bins.count == 2) bins.count = 1 assert(bins.count == 1)");
    ploy_lua_destroy(lua);
}

TEST(a_call_spends_a_limited_number_of_units) {
    ploy_lua_def def = ploy_lua_def_default();
    def.memory_kb = 64 << 10;
    ploy_lua *lua = script_create(t, &def);
    CHECK_OK(ploy_lua_bind(lua, "board"));
    // With all of its budget the call would solve the whole game, for hours.
    script_run(t, lua,
               "local b = ploy.board\n"
               "solver = b.board_connect4_solver_create({columns = 7, rows = 6})\n"
               "solver:begin(0, 0)\n"
               "assert(solver:step(1 << 40) == false)\n"
               "local before = solver:outcome().nodes\n"
               "assert(before > 0 and before <= 1 << 16)\n"
               "assert(solver:step(1 << 40) == false and solver:outcome().nodes > before)");
    // Where a unit is a game played to its end, far fewer.
    script_run(t, lua,
               "local b = ploy.board\n"
               "local board = b.board_default(b.board_connect4(), {})\n"
               "local player = b.board_player_create({level = 0, monte_carlo = true}, board)\n"
               "player:begin()\n"
               "player:limit(0, 1 << 30)\n"
               "assert(player:step(1 << 40) == false)\n"
               "player:stop()\n"
               "local units = player:choice().units\n"
               "assert(units > 0 and units <= 512, units)");
    ploy_lua_destroy(lua);
}

TEST(an_object_that_was_given_lives_as_long_as_its_users) {
    ploy_lua *lua = bind_state(t);
    script_run(t, lua,
               "local d = ploy.decide\n"
               "local layout = ploy.exec.blackboard_layout_create({}, 'none')\n"
               "local builder = d.bt_builder_create('tree', layout)\n"
               "builder:add('always_success', 'yes')\n"
               "local bt = builder:build()\n"
               "instance = d.bt_instance_create(nil, bt, nil)\n"
               "local library = d.bt_library_create()\n"
               "library:add(bt)\n"
               "library:destroy()\n"
               "assert((instance:asleep()) == false)\n"
               "instance:destroy()");
    ploy_lua_destroy(lua);
}

TEST(an_actor_stays_the_scripts_while_a_task_trains_it) {
    ploy_lua *lua = bind_state(t);
    CHECK_OK(ploy_lua_bind(lua, "learn"));
    script_run(t, lua,
               "local l = ploy.learn\n"
               "local type = l.problems_at(0)\n"
               "local problem = l.problem_create(type)\n"
               "local actor = l.actor_create(l.actors_at(0), type.space, 1)\n"
               "local task = l.play_begin(problem, actor, 100, 0, 1)\n"
               "while not l.play_step(task, 1000) do end\n"
               "assert(actor:steps() == 100)\n"
               "assert(l.play_keep_best(problem, actor, 1, 1) ~= nil and actor:steps() == 100)\n"
               "task = l.play_begin(problem, actor, 100, 0, 1)\n"
               "actor:destroy()\n" // the task keeps what it uses
               "while not l.play_step(task, 1000) do end\n"
               "l.play_cancel(task)");
    ploy_lua_destroy(lua);
}

TEST(what_another_argument_keeps_lives_as_long_as_that) {
    ploy_lua *lua = bind_state(t);
    CHECK_OK(ploy_lua_bind(lua, "world"));
    script_run(t, lua,
               "local w = ploy.world\n"
               "local a, b, heard = w.events_create(nil), w.events_create(nil), 0\n"
               "local id = a:register({notify = function() heard = heard + 1 return 'ok' end},\n"
               "  w.interest_any())\n"
               "a:move(id, b)\n"
               "a:destroy()\n"
               "b:fire({code = 1})\n"
               "assert(heard == 1)\n"
               "b:destroy()");
    // What is given up while a call runs goes after that call.
    script_run(t, lua,
               "local w = ploy.world\n"
               "local e, other = w.events_create(nil), w.events_create(nil)\n"
               "e:register({notify = function()\n"
               "  other:destroy() assert(not pcall(other.destroy, other)) end}, w.interest_any())\n"
               "e:fire({code = 1})\n"
               "assert(not pcall(other.fire, other, {code = 1}))");
    ploy_lua_destroy(lua);
}

TEST(a_search_through_a_graph_without_nodes_ends) {
    ploy_lua *lua = bind_state(t);
    CHECK_OK(ploy_lua_bind(lua, "search"));
    script_run(t, lua,
               "local graph = ploy.path.graph_create(nil)\n"
               "local straight = ploy.path.straight_graph_create(graph, 1)\n"
               "local search = ploy.search.search_create(nil)\n"
               "local query = ploy.search.search_query_make(straight:space(), {state = 2}, 7)\n"
               "search:run(query)\n"
               "assert(search:outcome_of() == 'none')");
    ploy_lua_destroy(lua);
}

TEST(what_a_header_lets_be_null_may_be_left_out) {
    ploy_lua *lua = bind_state(t);
    script_run(t, lua,
               "local d = ploy.decide\n"
               "local layout = ploy.exec.blackboard_layout_create({}, 'none')\n"
               "local builder = d.bt_builder_create('tree', layout)\n"
               "builder:open_node{kind = 'sequence', result = 'success'}\n"
               "builder:add_node{kind = 'always_success', result = 'success'}\n"
               "builder:close()\n"
               "assert(builder:build())\n"
               "local base = d.rulebase_create()\n"
               "base:add_template('point', {{name = 'x'}})\n"
               "local rules = d.rules_create(nil, base)\n"
               "assert(rules:next_fact() == nil)\n"
               "rules:assert(0, {d.rule_integer(3)})\n"
               "assert(rules:next_fact():template() == 0 and rules:next_of(0):index() >= 0)");
    ploy_lua_destroy(lua);
}

TEST(no_bound_function_writes_files) {
    static const char *const ends[] = {"_write_file", "_save_file", "_read_file", "_load_file"};
    for (int32_t m = 0; m < ployi_bind_module_count; m++) {
        for (int32_t i = 0; i < ployi_bind_modules[m]->count; i++) {
            const char *name = ployi_bind_modules[m]->functions[i].name;
            t->row = name;
            for (size_t k = 0; k < COUNT_OF(ends); k++) {
                size_t length = strlen(name), end = strlen(ends[k]);
                CHECK(length < end || strcmp(name + length - end, ends[k]) != 0);
            }
        }
    }
    t->row = NULL;
}

// Each of these once read beyond an array, overflowed or never returned.
TEST(bad_arguments_have_answers) {
    static const struct {
        const char *row, *text;
    } rows[] = {
        {"a place outside the map", "local s = ploy.world.smell_create({width = 4, height = 4}) "
                                    "local s = s:follow(0, 1 << 30, -(1 << 31)) "
                                    "assert(s == false)"},
        {"an item of the scheduler that is no member",
         "local g = ploy.exec.group_create(nil) g:scheduler():add(7, {period = 1}) "
         "assert(not pcall(g.remove, g, 7))"},
        {"a combination in itself",
         "local m = ploy.move local a, b = m.combination_init(nil), m.combination_init(nil) "
         "a:add('b', m.combination_source(b), 1) "
         "assert(not pcall(a.add, a, 'a', m.combination_source(a), 1)) "
         "assert(not pcall(b.add, b, 'a', m.combination_source(a), 1))"},
        {"entities as their own source of poses",
         "local w = ploy.world local e = w.entities_create(nil) "
         "local id = e:add(w.entity_make('a')) e:set_source(e:pose_source()) assert(e:pose(id))"},
        {"cells outside the map",
         "local p = ploy.path local tiles = p.tiles_create{width = 8, height = 8} "
         "local cells = {1 << 29, 3} "
         "assert(p.grid_smooth(p.grid_map_create(nil, tiles), 0, cells) == 2 and cells[1] == 1 << "
         "29)"},
        {"a day beyond all numbers",
         "local w = ploy.world local e = w.events_create(nil) local a = w.alarms_create(nil, e) "
         "a:step(1e300) assert(a:day() == math.maxinteger)"},
        {"an alarm that repeats in less than a step of the clock",
         "local w = ploy.world local e = w.events_create(nil) local a = w.alarms_create(nil, e) "
         "a:set(0, 1, {code = 1}) local id, fired, done = nil, a:jump(1e300, 'skip') "
         "assert(a:now() == 1e300) fired, done = a:jump(1e301, 'each') "
         "assert(fired == 65536 and not done)"},
        {"a goal of a body in a tree without one",
         "local d = ploy.decide local goals = d.goals_create(nil) "
         "for _, type in ipairs{d.goal_seek(), d.goal_pause(), d.goal_attack()} do "
         "assert(not pcall(goals.add, goals, {}, goals:root(), 'rear', type, 0)) end "
         "assert(goals:count() == 0)"},
        {"an action beyond the last",
         "local d = ploy.decide local type = d.goap_type_create() type:bool('fed') type:finish() "
         "assert(d.goap_diffs_create(type, function() return 0 end):next(0x7fffffff) == -1)"},
    };
    ploy_lua *lua = bind_state(t);
    CHECK_OK(ploy_lua_bind(lua, "world"));
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        script_run(t, lua, rows[i].text);
    }
    t->row = NULL;
    ploy_lua_destroy(lua);
}
