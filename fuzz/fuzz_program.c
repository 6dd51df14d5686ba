// Any text as a program and any bytes as code: what compiles runs in bounds, saves, loads and gives
// the same again.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "ploy/decide/program.h"

static void must(bool condition) {
    if (!condition) abort();
}

static ploy_result echo(void *user, ploy_step_context *context, const ploy_value *args,
                        ploy_value *out) {
    (void)user;
    (void)context;
    must(strlen(args[0].as.text) <= PLOY_BLACKBOARD_TEXT_MAX);
    *out = ploy_value_f64((double)strlen(args[0].as.text));
    return PLOY_OK;
}

static void run(const ploy_program *program, uint64_t *hash) {
    ploy_env env = ploy_env_default();
    ploy_program_instance *instance = NULL;
    must(ploy_program_instance_create(program, &env, &instance) == PLOY_OK);
    ploy_step_context context = ploy_step_context_make((ploy_agent_id){{1, 1}}, NULL, 1.0f);
    for (int32_t i = 0; i < 4; i++) {
        ploy_status status;
        ploy_budget budget = ploy_budget_units(500);
        context.budget = &budget;
        (void)ploy_program_step(instance, &context, &status);
        must(budget.spent <= 5100);
        ploy_step_context_next(&context);
    }
    *hash = ploy_visit_hash(ploy_program_visit, instance, NULL);
    ploy_program_instance_destroy(instance);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const ploy_program_host hosts[] = {{"echo", echo, "number(text)", 3, NULL}};
    const ploy_program_scope scope = {hosts, 1, NULL};
    ploy_env env = ploy_env_default();
    ploy_program_def def = ploy_program_def_default();
    ploy_diags *diags = NULL;
    ploy_program *program = NULL, *again = NULL;
    uint64_t first = 0, second = 0;
    must(ploy_diags_create(4, &env, &diags) == PLOY_OK);
    bool code = size >= 4 && memcmp(data, "PLYP", 4) == 0;
    ploy_result result = code ? ploy_program_load(data, size, "fuzz", &scope, &env, diags, &program)
                              : ploy_program_create(&def, (const char *)data, size, "fuzz", &scope,
                                                    &env, diags, &program);
    must((result == PLOY_OK) == (program != NULL));
    must((result == PLOY_OK) == (ploy_diags_total(diags, PLOY_SEVERITY_ERROR) == 0));
    if (program != NULL) {
        ploy_buffer bytes;
        ploy_buffer_init(&bytes, 0, &env);
        ploy_writer writer = ploy_buffer_writer(&bytes);
        must(ploy_program_save(program, &writer) == PLOY_OK);
        must(ploy_program_load(bytes.bytes, bytes.size, "fuzz", &scope, &env, NULL, &again) ==
             PLOY_OK);
        run(program, &first);
        run(again, &second);
        must(first == second);
        ploy_buffer_fini(&bytes);
    }
    ploy_program_destroy(program);
    ploy_program_destroy(again);
    ploy_diags_destroy(diags);
    return 0;
}
