// Programs for tests: compiling, stepping and host functions that note what they got.
#pragma once

#include "ploy/base/json.h"
#include "ploy/base/visit.h"
#include "ploy/decide/program.h"

#include "tests/test.h"

#include <stdio.h>
#include <string.h>

typedef struct desk_notes {
    char text[512];
    int32_t calls;
} desk_notes;

static inline ploy_result desk_say(void *user, ploy_step_context *context, const ploy_value *args,
                                   ploy_value *out) {
    desk_notes *notes = user;
    (void)context;
    (void)out;
    strncat(notes->text, args[0].as.text, sizeof notes->text - strlen(notes->text) - 2);
    strcat(notes->text, " ");
    return PLOY_OK;
}

static inline ploy_result desk_twice(void *user, ploy_step_context *context, const ploy_value *args,
                                     ploy_value *out) {
    desk_notes *notes = user;
    (void)context;
    notes->calls++;
    *out = ploy_value_f64(args[0].as.f64 * 2.0);
    return PLOY_OK;
}

// Takes three calls.
static inline ploy_result desk_slow(void *user, ploy_step_context *context, const ploy_value *args,
                                    ploy_value *out) {
    desk_notes *notes = user;
    (void)context;
    (void)args;
    (void)out;
    return ++notes->calls % 3 == 0 ? PLOY_OK : PLOY_IN_PROGRESS;
}

static inline ploy_result desk_friend(void *user, ploy_step_context *context,
                                      const ploy_value *args, ploy_value *out) {
    (void)user;
    (void)context;
    *out = ploy_value_id(ploy_id_make((uint32_t)args[0].as.f64, 1));
    return PLOY_OK;
}

enum { DESK_HOSTS = 4 };

static inline void desk_hosts(desk_notes *notes, ploy_program_host hosts[DESK_HOSTS]) {
    const ploy_program_host all[DESK_HOSTS] = {
        {"say", desk_say, "(text)", 0, notes},
        {"twice", desk_twice, "number(number)", 10, notes},
        {"slow", desk_slow, "()", 0, notes},
        {"friend", desk_friend, "id(number)", 0, notes},
    };
    memcpy(hosts, all, sizeof all);
}

static inline ploy_program *desk_compile(test_context *t, const char *text,
                                         const ploy_program_scope *scope) {
    ploy_env env = ploy_env_default();
    ploy_program_def def = ploy_program_def_default();
    ploy_diags *diags = NULL;
    ploy_program *program = NULL;
    CHECK_OK(ploy_diags_create(16, &env, &diags));
    ploy_result result =
        ploy_program_create(&def, text, strlen(text), "p.ploy", scope, &env, diags, &program);
    for (int32_t i = 0; i < ploy_diags_count(diags); i++) {
        char line[512];
        (void)ploy_diag_print(ploy_diags_get(diags, i), line, sizeof line);
        printf("%s\n", line);
    }
    CHECK_OK(result);
    ploy_diags_destroy(diags);
    return program;
}

// Steps until the end. @param units  of each step; 0: no budget. @return the steps.
static inline int32_t desk_finish(test_context *t, ploy_program_instance *instance, int64_t units,
                                  int32_t limit, ploy_result want) {
    ploy_step_context context = ploy_step_context_make((ploy_agent_id){{1, 1}}, NULL, 1.0f);
    context.key = ploy_rng_key_make(7);
    ploy_status status = PLOY_STATUS_RUNNING;
    int32_t steps = 0;
    ploy_result result = PLOY_OK;
    while (steps < limit && result == PLOY_OK && status == PLOY_STATUS_RUNNING) {
        ploy_budget budget = ploy_budget_units(units);
        context.budget = units > 0 ? &budget : NULL;
        result = ploy_program_step(instance, &context, &status);
        ploy_step_context_next(&context);
        steps++;
    }
    CHECK_INT(result, want);
    return steps;
}

// Saves an instance and loads it into another of the same program.
static inline void desk_copy(test_context *t, ploy_program_instance *from,
                             ploy_program_instance *to) {
    ploy_env env = ploy_env_default();
    ploy_buffer buffer;
    ploy_buffer_init(&buffer, 0, &env);
    ploy_writer writer = ploy_buffer_writer(&buffer);
    ploy_json_writer json;
    ploy_json_writer_init(&json, &writer, 0);
    ploy_visit_save(ploy_program_visit, from, NULL, &json);
    CHECK_OK(ploy_json_writer_finish(&json));
    ploy_json *doc = NULL;
    CHECK_OK(ploy_json_load(buffer.bytes, buffer.size, "save", NULL, &env, NULL, &doc));
    CHECK_OK(ploy_visit_load(ploy_program_visit, to, NULL, doc, ploy_json_root(doc), &env, NULL));
    CHECK_UINT(ploy_visit_hash(ploy_program_visit, to, NULL),
               ploy_visit_hash(ploy_program_visit, from, NULL));
    ploy_json_destroy(doc);
    ploy_buffer_fini(&buffer);
}

// Compiles and runs to the end. @return the number that it returns.
static inline double desk_number(test_context *t, const char *text,
                                 const ploy_program_scope *scope) {
    ploy_env env = ploy_env_default();
    ploy_program *program = desk_compile(t, text, scope);
    if (program == NULL) return -1.0;
    ploy_program_instance *instance = NULL;
    CHECK_OK(ploy_program_instance_create(program, &env, &instance));
    (void)desk_finish(t, instance, 0, 1000, PLOY_OK);
    ploy_value value = ploy_program_value(instance);
    double number = -1.0;
    if (value.type == PLOY_VALUE_F64) number = value.as.f64;
    ploy_program_instance_destroy(instance);
    ploy_program_destroy(program);
    return number;
}
