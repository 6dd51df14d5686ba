// Functions of scripts as behaviors and as words of conditions; see ploy/script/minds.h.
#include <stdio.h>
#include <string.h>

#include "ploy/base/hash.h"
#include "script/minds_internal.h"

struct ploy_lua_mind {
    ploy_env env;
    ploy_lua_minds *minds;
    char path[PLOY_LUA_PATH_MAX];
};

// Invariant: `thread` is a handle while `runs` is true.
typedef struct mind_run {
    ploy_env env;
    const ploy_lua_mind *mind;
    bool runs;
    ploy_lua_ref thread;
    uint64_t hash; // of the function that it runs
    uint64_t steps;
} mind_run;

// ---- comparing functions

typedef struct mind_lines {
    ploy_lua_ref function;
    ploy_lua_minds *minds;
    uint64_t hash;
} mind_lines;

static int mind_hash_lines(lua_State *L) {
    mind_lines *lines = lua_touserdata(L, 1);
    ploy_lua_minds *minds = lines->minds;
    lua_Debug ar;
    if (ployi_script_push_ref(minds->lua, L, lines->function) != PLOY_OK) return 0;
    if (!lua_isfunction(L, -1) || lua_iscfunction(L, -1) || !lua_getinfo(L, ">S", &ar)) return 0;
    for (int32_t i = 0; i < minds->scripts.count; i++) {
        const ployi_minds_script *script =
            &PLOY_ARRAY_ITEMS(&minds->scripts, ployi_minds_script)[i];
        if (strcmp(script->name, ar.short_src) != 0) continue;
        const char *from = script->text, *end = script->text + script->size;
        for (int line = 1; line < ar.linedefined && from < end; from++) line += *from == '\n';
        const char *to = from;
        for (int line = ar.linedefined; line <= ar.lastlinedefined && to < end; to++) {
            line += *to == '\n';
        }
        lines->hash = ploy_hash_bytes(from, (size_t)(to - from), 1);
    }
    return 0;
}

uint64_t ployi_minds_hash(ploy_lua_minds *minds, ploy_lua_ref function) {
    mind_lines lines = {function, minds, 0};
    ploy_result result = ployi_script_protect(minds->lua, mind_hash_lines, &lines);
    return result == PLOY_OK ? lines.hash : 0;
}

// ---- one run

static void mind_drop(mind_run *run) {
    if (run->runs) (void)ploy_lua_release(run->mind->minds->lua, run->thread);
    run->runs = false;
}

static ploy_result mind_start(mind_run *run, ploy_agent_id agent) {
    ploy_lua_minds *minds = run->mind->minds;
    ploy_lua_ref function, self;
    ploy_result result = ploy_lua_get_ref(minds->lua, PLOY_LUA_GLOBALS, run->mind->path, &function);
    if (result != PLOY_OK) return result;
    result = ploy_lua_minds_self(minds, agent, &self);
    if (result == PLOY_OK) {
        result = ploy_lua_start(minds->lua, function, self, &run->thread);
        (void)ploy_lua_release(minds->lua, self);
    }
    run->runs = result == PLOY_OK;
    run->hash = run->runs ? ployi_minds_hash(minds, function) : 0;
    (void)ploy_lua_release(minds->lua, function);
    return result;
}

static ploy_result mind_enter(void *self, ploy_step_context *context) {
    mind_run *run = self;
    (void)context;
    mind_drop(run);
    run->steps = 0;
    return PLOY_OK;
}

static void mind_exit(void *self, ploy_step_context *context, ploy_exit_reason reason) {
    (void)context;
    if (reason != PLOY_EXIT_REPLACED) mind_drop(self); // another one continues it
}

static ploy_result mind_step(void *self, ploy_step_context *context, ploy_status *status) {
    mind_run *run = self;
    ploy_lua_minds *minds = run->mind->minds;
    ploy_result result = run->runs ? PLOY_OK : mind_start(run, context->agent);
    if (result != PLOY_OK) {
        ployi_minds_log(minds, context->agent, run->mind->path);
        return result;
    }
    ployi_minds_call call;
    ployi_minds_watch watch;
    ploy_value value = ploy_value_none();
    ploy_lua_status came = PLOY_LUA_FAILED;
    ployi_minds_begin(minds, &call, context);
    ployi_minds_agent(minds, context, run->mind->path);
    ployi_minds_watch_begin(&watch, minds, context, run->thread);
    result = ploy_lua_resume(minds->lua, run->thread, NULL, 0, context->budget, &value, 1, &came);
    ploy_lua_watch_end(&watch);
    ployi_minds_end(minds, &call);
    run->steps++;
    if (result < PLOY_OK) {
        ployi_minds_log(minds, context->agent, run->mind->path);
        mind_drop(run);
        return result;
    }
    *status = PLOY_STATUS_RUNNING;
    if (came != PLOY_LUA_DONE) return PLOY_OK;
    bool again = value.type == PLOY_VALUE_TEXT && strcmp(value.as.text, "running") == 0;
    bool fails = value.type == PLOY_VALUE_BOOL && !value.as.b;
    mind_drop(run);
    if (!again) *status = fails ? PLOY_STATUS_FAILURE : PLOY_STATUS_SUCCESS;
    return PLOY_OK;
}

static void mind_destroy(void *self) {
    mind_run *run = self;
    ploy_env env = run->env;
    mind_drop(run);
    ploy_env_free(&env, run, sizeof *run);
}

// A run is continued by its handle, which another behavior of the same process shares. After a
// restart of the process, or if the function has changed, it restarts.
static void mind_adopt(ploy_visit *v, mind_run *run, bool saved, const ploy_lua_ref *thread) {
    ploy_lua_minds *minds = run->mind->minds;
    ploy_lua_ref function, shared;
    uint64_t hash = 0;
    run->runs = false;
    if (!saved) return;
    if (ploy_lua_get_ref(minds->lua, PLOY_LUA_GLOBALS, run->mind->path, &function) == PLOY_OK) {
        hash = ployi_minds_hash(minds, function);
        (void)ploy_lua_release(minds->lua, function);
    }
    bool same = hash != 0 && hash == run->hash &&
                ploy_lua_kind_of(minds->lua, *thread) == PLOY_LUA_THREAD &&
                ploy_lua_get_ref(minds->lua, *thread, "", &shared) == PLOY_OK;
    if (!same) {
        ploy_visit_lost(v, "function", run->mind->path, "has changed; it restarts");
        run->steps = 0;
        return;
    }
    run->thread = shared;
    run->runs = true;
}

static void mind_visit(ploy_visit *v, void *self) {
    mind_run *run = self;
    bool runs = run->runs;
    ploy_lua_ref thread = run->runs ? run->thread : ploy_lua_globals();
    ploy_visit_object(v, "lua", run, sizeof *run);
    PLOY_VISIT_SCRATCH(v, run->env);
    PLOY_VISIT_SCRATCH(v, run->mind);
    PLOY_VISIT_SCRATCH(v, run->thread); // has bits of an address: hashed with the state instead
    PLOY_VISIT_SCRATCH(v, run->runs);
    ploy_visit_bool(v, "runs", PLOY_STATE, &runs);
    ploy_visit_u64(v, "function", PLOY_STATE, &run->hash);
    ploy_visit_u64(v, "steps", PLOY_STATE, &run->steps);
    ploy_visit_u32(v, "index", PLOY_NOTE, &thread.id.index);
    ploy_visit_u32(v, "generation", PLOY_NOTE, &thread.id.generation);
    ploy_visit_u32(v, "owner", PLOY_NOTE, &thread.owner);
    if (ploy_visit_loads(v)) mind_adopt(v, run, runs, &thread);
}

static const ploy_behavior_type mind_type = {
    .name = "lua",
    .enter = mind_enter,
    .step = mind_step,
    .exit = mind_exit,
    .destroy = mind_destroy,
    .visit = mind_visit,
};

static ploy_result mind_make(void *user, const ploy_env *env, ploy_behavior *out) {
    mind_run *run = ploy_env_alloc_zero(env, sizeof *run);
    if (run == NULL) return PLOY_ERR_MEMORY;
    run->env = *env;
    run->mind = user;
    out->type = &mind_type;
    out->self = run;
    return PLOY_OK;
}

ploy_result ploy_lua_mind_create(ploy_lua_minds *minds, const char *path, const ploy_env *env,
                                 ploy_lua_mind **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (minds == NULL || path == NULL || env == NULL || strlen(path) >= PLOY_LUA_PATH_MAX) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_lua_ref function;
    ploy_result result = ploy_lua_get_ref(minds->lua, PLOY_LUA_GLOBALS, path, &function);
    if (result != PLOY_OK) return result;
    bool callable = ploy_lua_kind_of(minds->lua, function) == PLOY_LUA_FUNCTION;
    (void)ploy_lua_release(minds->lua, function);
    if (!callable) return PLOY_ERR_NOT_FOUND;
    ploy_lua_mind *mind = ploy_env_alloc_zero(env, sizeof *mind);
    if (mind == NULL) return PLOY_ERR_MEMORY;
    mind->env = *env;
    mind->minds = minds;
    snprintf(mind->path, sizeof mind->path, "%s", path);
    *out = mind;
    return PLOY_OK;
}

void ploy_lua_mind_destroy(ploy_lua_mind *mind) {
    if (mind == NULL) return;
    ploy_env env = mind->env;
    ploy_env_free(&env, mind, sizeof *mind);
}

ploy_maker ploy_lua_mind_maker(const ploy_lua_mind *mind) {
    // The maker's user is immutable; only its type is not const.
    ploy_maker maker = {mind_make, (void *)(uintptr_t)mind, mind->path, NULL};
    return maker;
}

// ---- words

static bool mind_holds(ploy_lua_mind *mind, const ploy_moment *moment, const float *args,
                       int32_t arity) {
    ploy_value values[PLOY_CONDITION_ARGS_MAX], result = ploy_value_none();
    double number = 0.0;
    for (int32_t i = 0; i < arity; i++) values[i] = ploy_value_f64((double)args[i]);
    if (ploy_lua_minds_call(mind->minds, mind->path, moment->context, values, arity, &result) !=
        PLOY_OK) {
        return false;
    }
    if (result.type == PLOY_VALUE_NONE) return false;
    return !ploy_value_number(&result, &number) || number != 0.0;
}

static bool mind_word0(void *user, const ploy_moment *moment, const float *args) {
    return mind_holds(user, moment, args, 0);
}

static bool mind_word1(void *user, const ploy_moment *moment, const float *args) {
    return mind_holds(user, moment, args, 1);
}

static bool mind_word2(void *user, const ploy_moment *moment, const float *args) {
    return mind_holds(user, moment, args, 2);
}

static bool mind_word3(void *user, const ploy_moment *moment, const float *args) {
    return mind_holds(user, moment, args, 3);
}

ploy_result ploy_lua_mind_register(ploy_lua_mind *mind, ploy_conditions *set, const char *name,
                                   int32_t arity) {
    static const ploy_condition_fn words[] = {mind_word0, mind_word1, mind_word2, mind_word3};
    if (mind == NULL || arity < 0 || arity >= (int32_t)(sizeof words / sizeof words[0])) {
        return PLOY_ERR_ARGUMENT;
    }
    return ploy_conditions_register(set, name, words[arity], mind, arity);
}
