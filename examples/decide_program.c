// A program as a leaf of a behavior tree: a guard rings an alarm three times, then the tree goes on
// to its next leaf. You see when each thing happens. Shows ploy_program_create with a host function,
// ploy_program_maker, and errors with their places.
#include <stdio.h>

#include "ploy/decide/bt_table.h"
#include "ploy/decide/program.h"

static ploy_result ring(void *user, ploy_step_context *context, const ploy_value *args,
                        ploy_value *out) {
    (void)user, (void)out;
    printf("%3.1f s: %s\n", context->now, args[0].as.text);
    return PLOY_OK;
}

static ploy_result report(ploy_bt_call *call, ploy_status *status) {
    printf("%3.1f s: back to the post\n", call->context->now);
    *status = PLOY_STATUS_SUCCESS;
    return PLOY_OK;
}

int main(void) {
    static const char alarm[] = "keep rings = 0\n"
                                "while rings < 3 {\n"
                                "  rings += 1\n"
                                "  ring('alarm ' .. rings)\n"
                                "  wait 2\n"
                                "}\n";
    static const ploy_program_host hosts[] = {{"ring", ring, "(text)", 5, NULL}};
    const ploy_program_scope scope = {hosts, 1, NULL};
    ploy_env env = ploy_env_default();
    ploy_program_def def = ploy_program_def_default();
    ploy_diags *diags = NULL;
    ploy_program *program = NULL;
    if (ploy_diags_create(8, &env, &diags) != PLOY_OK) return 1;
    // A mistake first: every error has its place and the nearest name.
    if (ploy_program_create(&def, "rign('x')", 9, "alarm.ploy", &scope, &env, diags, &program) !=
        PLOY_OK) {
        char line[256];
        (void)ploy_diag_print(ploy_diags_get(diags, 0), line, sizeof line);
        printf("%s\n", line);
    }
    if (ploy_program_create(&def, alarm, sizeof alarm - 1, "alarm.ploy", &scope, &env, diags,
                            &program) != PLOY_OK) {
        return 1;
    }
    printf("%d instructions\n", (int)ploy_program_instruction_count(program));
    ploy_maker maker = ploy_program_maker(program);
    const ploy_bt_row rows[] = {
        {.depth = 0, PLOY_BT_SEQUENCE, "guard"},
        {1, PLOY_BT_BEHAVIOR, "alarm", .maker = &maker},
        {1, PLOY_BT_LEAF, "report", .step = report},
    };
    ploy_bt *bt = NULL;
    ploy_behavior mind = {NULL, NULL};
    if (ploy_bt_from_table("guard", rows, 3, NULL, &env, NULL, &bt) != PLOY_OK ||
        ploy_maker_make(ploy_bt_maker(bt), &env, &mind) != PLOY_OK) {
        return 1;
    }
    ploy_step_context context = ploy_step_context_make(ploy_agent_id_make(1, 1), NULL, 1.0f);
    ploy_status status = PLOY_STATUS_RUNNING;
    for (; status == PLOY_STATUS_RUNNING; ploy_step_context_next(&context)) {
        ploy_budget budget = ploy_budget_units(20); // of the whole mind; the program goes on later
        context.budget = &budget;
        if (ploy_behavior_step(mind, &context, &status) != PLOY_OK) return 1;
    }
    ploy_behavior_destroy(mind);
    ploy_bt_destroy(bt);
    ploy_program_destroy(program);
    ploy_diags_destroy(diags);
    return 0;
}
