// Counts of lines and units; see ploy/exec/script_probe.h.
//
// Invariants:
//   (1) lines are sorted by script, then number; functions by script, then name; none is twice;
//   (2) names are offsets into `texts`, which only grows.
#include <string.h>

#include "ploy/base/array.h"
#include "ploy/exec/script_probe.h"

typedef struct script_profile_line {
    int32_t script, function; // of texts
    int32_t line;
    int64_t runs;
} script_profile_line;

typedef struct script_profile_function {
    int32_t script, function;
    int64_t calls, units;
} script_profile_function;

struct ploy_script_profile {
    ploy_env env;
    ploy_script_probe probe;
    ploy_array lines;     // script_profile_line
    ploy_array functions; // script_profile_function
    ploy_array texts;     // char
    // The function that runs, -1 for none: units up to the next report are its own.
    const void *self;
    int32_t running;
    int64_t units;
    ploy_result result;
};

static const char *script_profile_text(const ploy_script_profile *profile, int32_t text) {
    return PLOY_ARRAY_ITEMS(&profile->texts, char) + text;
}

// Keeps a name. Names are few, so the texts are searched for an equal one. @return -1 on failure.
static int32_t script_profile_keep(ploy_script_profile *profile, const char *text) {
    int32_t size = (int32_t)strlen(text) + 1, at = 0;
    while (at < profile->texts.count && strcmp(script_profile_text(profile, at), text) != 0) {
        at += (int32_t)strlen(script_profile_text(profile, at)) + 1;
    }
    if (at < profile->texts.count) return at;
    ploy_result result = ploy_array_push_many(&profile->texts, text, size);
    if (result != PLOY_OK) profile->result = result;
    return result == PLOY_OK ? at : -1;
}

static int32_t script_profile_line_find(const ploy_script_profile *profile, const char *script,
                                        int32_t line, bool *found) {
    int32_t low = 0, high = profile->lines.count;
    while (low < high) {
        int32_t mid = (low + high) / 2;
        const script_profile_line *at =
            &PLOY_ARRAY_ITEMS(&profile->lines, script_profile_line)[mid];
        int order = strcmp(script_profile_text(profile, at->script), script);
        if (order == 0) order = at->line < line ? -1 : at->line > line;
        if (order == 0) {
            *found = true;
            return mid;
        }
        if (order < 0) {
            low = mid + 1;
        } else {
            high = mid;
        }
    }
    *found = false;
    return low;
}

static script_profile_line *script_profile_line_of(ploy_script_profile *profile, const char *script,
                                                   const char *function, int32_t line) {
    bool found;
    int32_t at = script_profile_line_find(profile, script, line, &found);
    if (!found) {
        script_profile_line made = {script_profile_keep(profile, script),
                                    script_profile_keep(profile, function), line, 0};
        if (made.script < 0 || made.function < 0) return NULL;
        ploy_result result = ploy_array_insert(&profile->lines, at, &made); // keeps (1)
        if (result != PLOY_OK) {
            profile->result = result;
            return NULL;
        }
    }
    return &PLOY_ARRAY_ITEMS(&profile->lines, script_profile_line)[at];
}

// @return its index, -1 on failure.
static int32_t script_profile_function_of(ploy_script_profile *profile, const char *script,
                                          const char *function) {
    int32_t low = 0, high = profile->functions.count;
    while (low < high) {
        int32_t mid = (low + high) / 2;
        const script_profile_function *at =
            &PLOY_ARRAY_ITEMS(&profile->functions, script_profile_function)[mid];
        int order = strcmp(script_profile_text(profile, at->script), script);
        if (order == 0) order = strcmp(script_profile_text(profile, at->function), function);
        if (order == 0) return mid;
        if (order < 0) {
            low = mid + 1;
        } else {
            high = mid;
        }
    }
    script_profile_function made = {script_profile_keep(profile, script),
                                    script_profile_keep(profile, function), 0, 0};
    if (made.script < 0 || made.function < 0) return -1;
    ploy_result result = ploy_array_insert(&profile->functions, low, &made); // keeps (1)
    if (result != PLOY_OK) profile->result = result;
    return result == PLOY_OK ? low : -1;
}

static void script_profile_report(void *user, const ploy_script_report *report) {
    ploy_script_profile *profile = user;
    script_profile_function *functions;
    if (profile->running >= 0 && profile->self == report->self) {
        functions = PLOY_ARRAY_ITEMS(&profile->functions, script_profile_function);
        functions[profile->running].units += report->units - profile->units;
    }
    profile->self = report->self;
    profile->units = report->units;
    profile->running = -1;
    if (report->event == PLOY_SCRIPT_STOP) return;
    if (report->event == PLOY_SCRIPT_LINE && report->line > 0) {
        script_profile_line *line =
            script_profile_line_of(profile, report->script, report->function, report->line);
        if (line != NULL) line->runs++;
    }
    profile->running = script_profile_function_of(profile, report->script, report->function);
    functions = PLOY_ARRAY_ITEMS(&profile->functions, script_profile_function);
    if (profile->running >= 0 && report->event == PLOY_SCRIPT_CALL) {
        functions[profile->running].calls++;
    }
}

ploy_result ploy_script_profile_create(const ploy_env *env, ploy_script_profile **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_script_profile *profile = ploy_env_alloc_zero(env, sizeof *profile);
    if (profile == NULL) return PLOY_ERR_MEMORY;
    profile->env = *env;
    profile->probe.report = script_profile_report;
    profile->probe.user = profile;
    profile->running = -1;
    ploy_array_init(&profile->lines, sizeof(script_profile_line), env);
    ploy_array_init(&profile->functions, sizeof(script_profile_function), env);
    ploy_array_init(&profile->texts, 1, env);
    *out = profile;
    return PLOY_OK;
}

void ploy_script_profile_destroy(ploy_script_profile *profile) {
    if (profile == NULL) return;
    ploy_env env = profile->env;
    ploy_array_fini(&profile->lines);
    ploy_array_fini(&profile->functions);
    ploy_array_fini(&profile->texts);
    ploy_env_free(&env, profile, sizeof *profile);
}

ploy_script_probe *ploy_script_profile_probe(ploy_script_profile *profile) {
    return &profile->probe;
}

ploy_result ploy_script_profile_expect(ploy_script_profile *profile, const char *script,
                                       const char *function, int32_t line) {
    if (profile == NULL || script == NULL || function == NULL || line < 1) return PLOY_ERR_ARGUMENT;
    return script_profile_line_of(profile, script, function, line) != NULL ? PLOY_OK
                                                                           : PLOY_ERR_MEMORY;
}

bool ploy_script_profile_line_at(const ploy_script_profile *profile, int32_t index,
                                 ploy_script_profile_line *out) {
    if (index < 0 || index >= profile->lines.count) return false;
    const script_profile_line *at = &PLOY_ARRAY_ITEMS(&profile->lines, script_profile_line)[index];
    out->script = script_profile_text(profile, at->script);
    out->function = script_profile_text(profile, at->function);
    out->line = at->line;
    out->runs = at->runs;
    return true;
}

bool ploy_script_profile_function_at(const ploy_script_profile *profile, int32_t index,
                                     ploy_script_profile_function *out) {
    const script_profile_function *all =
        PLOY_ARRAY_ITEMS(&profile->functions, script_profile_function);
    for (int32_t i = 0; i < profile->functions.count; i++) {
        int32_t rank = 0;
        for (int32_t k = 0; k < profile->functions.count; k++) {
            if (all[k].units > all[i].units || (all[k].units == all[i].units && k < i)) rank++;
        }
        if (rank != index) continue;
        out->script = script_profile_text(profile, all[i].script);
        out->function = script_profile_text(profile, all[i].function);
        out->calls = all[i].calls;
        out->units = all[i].units;
        return true;
    }
    return false;
}

ploy_result ploy_script_profile_result(const ploy_script_profile *profile) {
    return profile->result;
}

static void script_profile_print_place(ploy_writer *out, const char *script, const char *function) {
    ploy_write_text(out, script);
    if (function[0] == 0) return;
    ploy_write_char(out, ' ');
    ploy_write_text(out, function);
}

void ploy_script_profile_print(const ploy_script_profile *profile, ploy_writer *out) {
    ploy_script_profile_line line;
    for (int32_t i = 0; ploy_script_profile_line_at(profile, i, &line);) {
        const char *script = line.script;
        int64_t ran = 0, all = 0;
        for (; ploy_script_profile_line_at(profile, i, &line) && strcmp(line.script, script) == 0;
             i++) {
            all++;
            if (line.runs > 0) ran++;
        }
        ploy_write_text(out, script);
        ploy_write_text(out, ": ");
        ploy_write_i64(out, ran);
        ploy_write_text(out, " of ");
        ploy_write_i64(out, all);
        ploy_write_text(out, " lines ran\n");
    }
    ploy_script_profile_function function;
    for (int32_t i = 0; ploy_script_profile_function_at(profile, i, &function); i++) {
        script_profile_print_place(out, function.script, function.function);
        ploy_write_text(out, ": ");
        ploy_write_i64(out, function.units);
        ploy_write_text(out, " units, ");
        ploy_write_i64(out, function.calls);
        ploy_write_text(out, function.calls == 1 ? " call\n" : " calls\n");
    }
    for (int32_t i = 0; ploy_script_profile_line_at(profile, i, &line); i++) {
        if (line.runs > 0) continue;
        ploy_write_text(out, line.script);
        ploy_write_char(out, ':');
        ploy_write_i64(out, line.line);
        ploy_write_text(out, ": never ran\n");
    }
}
