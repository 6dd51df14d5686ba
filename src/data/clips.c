// CLIPS programs: life, loading, commands, lint. The language is in the files beside this one.
//
// Invariants:
//   (1) everything parsed lives in the arena `program`, until (clear) throws it away as a whole;
//       (clear) waits until no expression is being evaluated;
//   (2) values made while running live in `scratch`, rewound after each firing and each command;
//       what lasts longer is copied: facts by the rules, globals into separate blocks.
#include "ploy/data/clips.h"

#include <string.h>

#include "data/clips_internal.h"

static const ploy_field clips_fields[] = {
    PLOY_FIELD_BOOL(ploy_clips_def, audit, false, "facts remember where they came from"),
    PLOY_FIELD_U64(ploy_clips_def, seed, 0, "of random numbers"),
    PLOY_FIELD_I32(ploy_clips_def, depth, 1000, 10, 10000, "", "most calls inside one another"),
    PLOY_FIELD_U64(ploy_clips_def, work, 10000000,
                   "most function calls and loop turns in a construct, command or firing; 0: any"),
    PLOY_FIELD_U64(ploy_clips_def, firings, 10000000, "most firings in one run; 0: any"),
    PLOY_FIELD_U64(ploy_clips_def, memory, 268435456, "most bytes; 0: any"),
};

ploy_fields ploy_clips_fields(void) {
    return PLOY_FIELDS(ploy_clips_def, clips_fields);
}

ploy_clips_def ploy_clips_def_default(void) {
    ploy_clips_def def;
    memset(&def, 0, sizeof def);
    ploy_fields_default(ploy_clips_fields(), &def);
    return def;
}

// The program's allocator: the env's, up to the limit. It is part of the program, so that a copy of
// its env leads here.
static void *clips_resize(void *user, void *ptr, size_t old_size, size_t new_size) {
    ploy_clips *clips = user;
    size_t used = clips->used - old_size;
    if (new_size > old_size && clips->def.memory > 0 &&
        (uint64_t)(used + new_size) > clips->def.memory) {
        clips->limited = true;
        return NULL;
    }
    ploy_allocator outer = clips->outer;
    void *out = outer.resize(outer.user, ptr, old_size, new_size);
    if (out != NULL || new_size == 0) clips->used = used + new_size;
    return out;
}

ploy_result ployi_clips_end(const ploy_clips *clips, ploy_result result) {
    return clips->limited && result < PLOY_OK ? PLOY_ERR_LIMIT : result;
}

static ploy_result clips_drop(void *user, const void *bytes, size_t size) {
    (void)user;
    (void)bytes;
    (void)size;
    return PLOY_OK;
}

static ploy_result clips_add_functions(ploy_clips *clips, const ployi_function *list) {
    for (; list->name != NULL; list++) {
        ploy_result result = ploy_map_put_text(&clips->builtin, list->name, &list);
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

ploy_result ployi_clips_setup(ploy_clips *clips) {
    const ploy_env *env = &clips->env;
    ploy_result result = ploy_arena_create(PLOY_CAPACITY(65536), 0, env, &clips->program);
    if (result == PLOY_OK) result = ploy_rulebase_create(env, &clips->base);
    if (result == PLOY_OK) result = ploy_rulebase_text(clips->base, "TRUE", &clips->yes);
    if (result == PLOY_OK) result = ploy_rulebase_text(clips->base, "FALSE", &clips->no);
    if (result == PLOY_OK) result = ploy_rulebase_text(clips->base, "nil", &clips->nil);
    if (result == PLOY_OK) {
        result = ploy_rulebase_add_template(clips->base, "initial-fact", NULL, 0, NULL);
    }
    ployi_deftemplate initial = {.slots = NULL};
    if (result == PLOY_OK) result = ploy_array_push(&clips->templates, &initial);
    const char *main_name = "MAIN";
    if (result == PLOY_OK) result = ploy_array_push(&clips->modules, &main_name);
    ploy_rules_def def = ploy_rules_def_default();
    def.audit = clips->def.audit;
    def.seed = clips->def.seed;
    def.strategy = clips->strategy;
    def.action = ployi_clips_action;
    def.watch = ployi_clips_watch;
    def.salience = ployi_clips_salience;
    def.user = clips;
    if (result == PLOY_OK) result = ploy_rules_create(&def, clips->base, env, &clips->rules);
    if (result == PLOY_OK) ployi_clips_tell_events(clips);
    if (result == PLOY_OK) result = ploy_rules_assert(clips->rules, 0, NULL, 0, NULL);
    clips->module = 0;
    clips->rng = ploy_rng_make(clips->def.seed);
    clips->gensym = 0;
    return result;
}

void ployi_clips_teardown(ploy_clips *clips) {
    for (int32_t i = 0; i < clips->globals.count; i++) {
        ployi_defglobal *global = ploy_array_at(&clips->globals, i);
        if (global->room > 0) {
            ploy_env_free(&clips->env, (void *)(uintptr_t)global->value.as.items,
                          (size_t)global->room * sizeof(ploy_rule_value));
        }
    }
    ploy_rules_destroy(clips->rules);
    ploy_rulebase_destroy(clips->base);
    ploy_arena_destroy(clips->program);
    clips->rules = NULL;
    clips->base = NULL;
    clips->program = NULL;
    ploy_array_clear(&clips->functions);
    ploy_array_clear(&clips->globals);
    ploy_array_clear(&clips->deffacts);
    ploy_array_clear(&clips->defrules);
    ploy_array_clear(&clips->templates);
    ploy_array_clear(&clips->modules);
    ploy_map_clear(&clips->rule_of);
    ploy_map_clear(&clips->rule_named);
    ploy_map_clear(&clips->function_named);
    ploy_map_clear(&clips->global_named);
    ploy_map_clear(&clips->facts_named);
}

ploy_result ploy_clips_create(const ploy_clips_def *def, const ploy_env *env, ploy_clips **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_clips_fields(), def, env);
    if (result != PLOY_OK) return result;
    ploy_clips *clips = ploy_env_alloc_zero(env, sizeof *clips);
    if (clips == NULL) return PLOY_ERR_MEMORY;
    clips->env = *env;
    clips->outer = env->allocator;
    clips->env.allocator.resize = clips_resize;
    clips->env.allocator.user = clips;
    env = &clips->env; // all that follows counts
    clips->def = *def;
    clips->out = ploy_writer_make(def->write == NULL ? clips_drop : def->write, def->user);
    clips->name = "";
    ploy_array_init(&clips->functions, sizeof(ployi_deffunction), env);
    ploy_array_init(&clips->globals, sizeof(ployi_defglobal), env);
    ploy_array_init(&clips->deffacts, sizeof(ployi_deffacts), env);
    ploy_array_init(&clips->defrules, sizeof(ployi_defrule), env);
    ploy_array_init(&clips->templates, sizeof(ployi_deftemplate), env);
    ploy_array_init(&clips->modules, sizeof(const char *), env);
    ploy_map_init(&clips->rule_of, sizeof(int32_t), env);
    ploy_map_init(&clips->rule_named, sizeof(int32_t), env);
    ploy_map_init(&clips->function_named, sizeof(int32_t), env);
    ploy_map_init(&clips->global_named, sizeof(int32_t), env);
    ploy_map_init(&clips->facts_named, sizeof(int32_t), env);
    ploy_map_init(&clips->builtin, sizeof(const ployi_function *), env);
    result = clips_add_functions(clips, ployi_clips_core);
    if (result == PLOY_OK) result = clips_add_functions(clips, ployi_clips_numbers);
    if (result == PLOY_OK) result = clips_add_functions(clips, ployi_clips_multis);
    if (result == PLOY_OK) result = clips_add_functions(clips, ployi_clips_texts);
    if (result == PLOY_OK) result = clips_add_functions(clips, ployi_clips_prints);
    if (result == PLOY_OK) result = clips_add_functions(clips, ployi_clips_matches);
    if (result == PLOY_OK) result = clips_add_functions(clips, ployi_clips_commands);
    if (result == PLOY_OK) result = clips_add_functions(clips, ployi_clips_facts);
    if (result == PLOY_OK) result = clips_add_functions(clips, ployi_clips_queries);
    if (result == PLOY_OK) {
        result = ploy_arena_create(PLOY_CAPACITY(65536), 0, env, &clips->scratch);
    }
    if (result == PLOY_OK) result = ployi_clips_setup(clips);
    if (result != PLOY_OK) {
        result = ployi_clips_end(clips, result);
        ploy_clips_destroy(clips);
        return result;
    }
    *out = clips;
    return PLOY_OK;
}

void ploy_clips_destroy(ploy_clips *clips) {
    if (clips == NULL) return;
    ploy_env env = clips->env;
    env.allocator = clips->outer;
    ployi_clips_teardown(clips);
    ploy_arena_destroy(clips->scratch);
    ploy_array_fini(&clips->functions);
    ploy_array_fini(&clips->globals);
    ploy_array_fini(&clips->deffacts);
    ploy_array_fini(&clips->defrules);
    ploy_array_fini(&clips->templates);
    ploy_array_fini(&clips->modules);
    ploy_map_fini(&clips->rule_of);
    ploy_map_fini(&clips->rule_named);
    ploy_map_fini(&clips->function_named);
    ploy_map_fini(&clips->global_named);
    ploy_map_fini(&clips->facts_named);
    ploy_map_fini(&clips->builtin);
    ploy_env_free(&env, clips, sizeof *clips);
}

ploy_result ploy_clips_load(ploy_clips *clips, const char *text, size_t size, const char *name,
                            ploy_diags *diags) {
    if (clips->running) return PLOY_ERR_STATE;
    clips->failed = false;
    clips->limited = false;
    ployi_clips_open(clips, text, size, name, diags);
    int64_t faults = 0;
    while (clips->token.kind != PLOYI_TOKEN_END && !clips->limited) {
        bool fine = clips->token.kind == PLOYI_TOKEN_OPEN;
        clips->work = 0;
        clips->failed = false;
        if (fine) ployi_clips_next(clips);
        if (!fine || clips->token.kind != PLOYI_TOKEN_VALUE ||
            !ployi_clips_is_construct(clips->token.text)) {
            ployi_clips_fault(clips, "[CSTRCPSR1] Expected the beginning of a construct.", NULL);
            fine = false;
        } else {
            fine = ployi_clips_construct(clips);
        }
        ploy_arena_reset(clips->scratch);
        if (!fine) {
            faults++;
            ployi_clips_skip_construct(clips);
        }
    }
    if (clips->limited) {
        ploy_diags_add(diags, PLOY_SEVERITY_ERROR, PLOY_ERR_LIMIT, clips->name, clips->line, 0,
                       "program exceeds its limit of work or memory", NULL, NULL);
    }
    clips->module = clips->modules.count > 0 ? clips->module : 0;
    return ployi_clips_end(clips, faults > 0 || clips->limited ? PLOY_ERR_FORMAT : PLOY_OK);
}

ploy_result ploy_clips_load_facts(ploy_clips *clips, const char *text, size_t size,
                                  const char *name, ploy_diags *diags) {
    clips->failed = false;
    clips->limited = false;
    clips->work = 0;
    bool fine = ployi_clips_assert_text(clips, text, size, name, diags, NULL);
    return ployi_clips_end(clips, fine ? PLOY_OK : PLOY_ERR_FORMAT);
}

// Where the command that begins at the present token ends: behind its last bracket.
static size_t clips_command_end(const ploy_clips *clips) {
    ploy_clips look = *clips;
    int32_t depth = 0;
    bool text = false, comment = false;
    for (size_t i = clips->token.begin; i < look.size; i++) {
        char c = look.text[i];
        if (comment) {
            comment = c != '\n';
        } else if (text) {
            if (c == '\\') i++;
            if (c == '"') text = false;
        } else if (c == '"') {
            text = true;
        } else if (c == ';') {
            comment = true;
        } else if (c == '(') {
            depth++;
        } else if (c == ')' && --depth <= 0) {
            return i + 1;
        }
    }
    return look.size;
}

static void clips_command(ploy_clips *clips, bool console) {
    ployi_scope scope = {.count = 0};
    ploy_rule_value value = ploy_rule_none();
    if (clips->token.kind == PLOYI_TOKEN_OPEN) {
        ployi_clips_next(clips);
        if (clips->token.kind == PLOYI_TOKEN_VALUE && ployi_clips_is_construct(clips->token.text)) {
            ployi_clips_construct(clips);
            return;
        }
        ployi_x *x = ployi_clips_parse_call(clips, &scope);
        if (x == NULL) return;
        ployi_frame frame = {.count = scope.count};
        frame.locals = ployi_clips_items(clips, scope.count + 1);
        for (int32_t i = 0; i < scope.count && !clips->failed; i++) frame.locals[i].type = -1;
        ploy_rules_keep(clips->rules, true);
        value = ployi_clips_eval(clips, &frame, x);
        ploy_rules_keep(clips->rules, false);
    } else {
        ployi_x *x = ployi_clips_parse_x(clips, &scope);
        ployi_frame frame = {.count = 0};
        if (x != NULL) value = ployi_clips_eval(clips, &frame, x);
    }
    bool shows = console && !clips->exited && value.type != PLOY_RULE_NONE;
    if (clips->failed && value.type == PLOY_RULE_NONE) shows = false;
    if (!shows) return;
    ploy_rules_write_value(clips->rules, &value, &clips->out);
    ployi_clips_out(clips, "\n");
}

ploy_result ploy_clips_batch(ploy_clips *clips, const char *text, size_t size, const char *name,
                             bool console) {
    ployi_clips_open(clips, text, size, name, NULL);
    bool nested = clips->running || clips->loads > 0;
    if (!nested) clips->limited = false;
    while (clips->token.kind != PLOYI_TOKEN_END && !clips->exited && !clips->limited) {
        if (console) ployi_clips_out(clips, "CLIPS> ");
        size_t end = clips_command_end(clips);
        clips->failed = false;
        clips->parse_failed = false;
        clips->flow = PLOYI_FLOW_NONE;
        clips->work = 0;
        clips_command(clips, console);
        if (clips->parse_failed) {
            // On behind the faulty command, which may have been read in part.
            clips->parse_failed = false;
            while (clips->at < end) ployi_clips_next(clips);
            bool behind = clips->token.begin >= end && clips->token.kind != PLOYI_TOKEN_END;
            if (!behind) ployi_clips_next(clips);
        }
        if (nested) continue;
        ploy_arena_reset(clips->scratch);
        if (clips->clear_wanted) {
            ploy_clips saved = *clips;
            clips->clear_wanted = false;
            ployi_clips_teardown(clips);
            ploy_result result = ployi_clips_setup(clips);
            if (result != PLOY_OK) return ployi_clips_end(clips, result);
            // CLIPS says so whatever was in focus.
            if ((clips->watch & PLOYI_WATCH_FOCUS) != 0) {
                ployi_clips_out(clips, "<== Focus MAIN\n==> Focus MAIN\n");
            }
            // The token's text was the old program's: read it again.
            clips->at = saved.token.begin;
            ployi_clips_next(clips);
        }
    }
    if (console && !clips->exited) ployi_clips_out(clips, "CLIPS> ");
    return clips->limited ? PLOY_ERR_LIMIT : ploy_writer_result(&clips->out);
}

void ploy_clips_watch_rules(ploy_clips *clips, bool watch) {
    clips->watch = watch ? clips->watch | PLOYI_WATCH_RULES : clips->watch & ~PLOYI_WATCH_RULES;
}

ploy_rules *ploy_clips_rules(ploy_clips *clips) {
    return clips->rules;
}

const ploy_rulebase *ploy_clips_base(const ploy_clips *clips) {
    return clips->base;
}
