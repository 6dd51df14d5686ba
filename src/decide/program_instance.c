// Instances of programs: stepping, sight, and behaviors. Their saves are in program_save.c.
#include <string.h>

#include "base/compiler.h"
#include "decide/program_probe.h"

const char *ploy_program_state_text(ploy_program_state state) {
    static const char *const texts[] = {"ready", "yielded", "waiting", "stopped", "done", "error"};
    return (uint32_t)state < PLOY_PROGRAM_STATES ? texts[state] : "?";
}

ployi_program_slot *ployi_instance_stack(const ploy_program_instance *instance) {
    // The slots are the instance's own, const only in this view of it.
    return (ployi_program_slot *)(uintptr_t)instance->slots + instance->program->code.initial.count;
}

size_t ploy_program_instance_size(const ploy_program *program) {
    return sizeof(ploy_program_instance) +
           (size_t)(program->code.initial.count + program->stack) * sizeof(ployi_program_slot);
}

ploy_result ploy_program_instance_create(const ploy_program *program, const ploy_env *env,
                                         ploy_program_instance **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (program == NULL || env == NULL) return PLOY_ERR_ARGUMENT;
    size_t size = ploy_program_instance_size(program);
    ploy_program_instance *instance = ploy_env_alloc_zero(env, size);
    if (instance == NULL) return PLOY_ERR_MEMORY;
    instance->env = *env;
    instance->program = program;
    instance->size = size;
    ploy_program_instance_restart(instance);
    *out = instance;
    return PLOY_OK;
}

void ploy_program_instance_destroy(ploy_program_instance *instance) {
    if (instance == NULL) return;
    ploy_env env = instance->env;
    ploy_env_free(&env, instance, instance->size);
}

// The first statement again; variables of the program stay.
static void instance_rewind(ploy_program_instance *instance) {
    instance->state = PLOY_PROGRAM_READY;
    instance->error = PLOY_OK;
    instance->pc = 0;
    instance->base = 1;
    instance->atomic = 0;
    instance->has_value = false;
    ployi_instance_stack(instance)[0].u = 0;
}

void ploy_program_instance_restart(ploy_program_instance *instance) {
    const ploy_array *initial = &instance->program->code.initial;
    memset(instance->slots, 0, instance->size - sizeof *instance);
    if (initial->count > 0) {
        memcpy(instance->slots, initial->items,
               (size_t)initial->count * sizeof(ployi_program_slot));
    }
    instance->draws = 0;
    instance->units = 0;
    instance_rewind(instance);
}

static ploy_status instance_status(const ploy_program_instance *instance) {
    if (instance->state == PLOY_PROGRAM_ERROR) return PLOY_STATUS_FAILURE;
    if (instance->state != PLOY_PROGRAM_DONE) return PLOY_STATUS_RUNNING;
    const ployi_program_function *functions =
        PLOY_ARRAY_ITEMS(&instance->program->code.functions, ployi_program_function);
    if (!instance->has_value) {
        return instance->program->monitor ? PLOY_STATUS_RUNNING : PLOY_STATUS_SUCCESS;
    }
    bool fails = functions[0].result_type == PLOYI_PROGRAM_TYPE_NUMBER &&
                 ployi_instance_stack(instance)[0].f == 0.0;
    return fails ? PLOY_STATUS_FAILURE : PLOY_STATUS_SUCCESS;
}

// Runs for at most that many units. @return whether it ran out of them.
// @param watch  NULL: nothing is reported.
static bool instance_run(ploy_program_instance *instance, ploy_step_context *context, int64_t units,
                         int64_t budget, ployi_program_watch *watch, int64_t *spent) {
    ployi_vm vm; // every field is set: a step is short, and clearing it first would be noticed
    vm.result = PLOY_OK;
    vm.expression = NULL;
    vm.refs = NULL;
    vm.moment = NULL;
    vm.hook = watch != NULL ? ployi_program_watch_hook : NULL;
    vm.hook_user = watch;
    if (watch != NULL) watch->ceiling = instance->units + units;
    vm.code = &instance->program->code;
    vm.globals = instance->slots;
    vm.stack = ployi_instance_stack(instance);
    vm.stack_count = instance->program->stack;
    vm.pc = instance->pc;
    vm.base = instance->base;
    vm.atomic = instance->atomic;
    vm.draws = instance->draws;
    vm.units = units;
    vm.floor = -(PLOY_PROGRAM_ATOMIC_BUDGETS - 1) * budget;
    vm.context = context;
    static const ploy_program_state states[] = {PLOY_PROGRAM_DONE, PLOY_PROGRAM_YIELDED,
                                                PLOY_PROGRAM_WAITING, PLOY_PROGRAM_STOPPED,
                                                PLOY_PROGRAM_ERROR};
    ployi_vm_stop stop = ployi_vm_run(&vm);
    instance->state = states[stop];
    instance->pc = vm.pc;
    instance->base = vm.base;
    instance->atomic = vm.atomic;
    instance->draws = vm.draws;
    *spent = units - vm.units;
    instance->units += *spent;
    if (stop == PLOYI_VM_DONE) instance->has_value = vm.result == PLOY_IN_PROGRESS;
    if (stop == PLOYI_VM_ERROR) instance->error = vm.result;
    return stop == PLOYI_VM_BUDGET;
}

static void instance_advance(ploy_program_instance *instance, ploy_step_context *context,
                             ployi_program_watch *watch) {
    const ploy_program *program = instance->program;
    ploy_budget *budget = context->budget;
    int64_t least = INT64_MAX / 32, spent = 0;
    bool limited = budget != NULL && (budget->deadline_ns != 0 || budget->units < least);
    if (!limited) {
        (void)instance_run(instance, context, program->def.step_units, program->def.step_units,
                           watch, &spent);
        if (budget != NULL) (void)ploy_budget_spend(budget, spent);
    }
    // With a deadline the clock is looked at between slices.
    for (bool more = limited; more && !ploy_budget_empty(budget);) {
        int64_t slice = budget->units < least ? budget->units : least;
        if (budget->deadline_ns != 0 && budget->check_every < slice) slice = budget->check_every;
        more = instance_run(instance, context, slice, budget->units < least ? budget->units : least,
                            watch, &spent);
        (void)ploy_budget_spend(budget, spent);
    }
}

// Kept out of the step without a trace, which would have to make room for it.
PLOYI_OUTLINE void instance_advance_watched(ploy_program_instance *instance,
                                            ploy_step_context *context) {
    ployi_program_watch watch;
    ployi_program_watch_begin(&watch, instance, context);
    instance_advance(instance, context, &watch);
    ployi_program_watch_end(&watch);
}

ploy_result ploy_program_step(ploy_program_instance *instance, ploy_step_context *context,
                              ploy_status *status) {
    if (instance == NULL || context == NULL || status == NULL) return PLOY_ERR_ARGUMENT;
    const ploy_program *program = instance->program;
    bool ended = instance->state == PLOY_PROGRAM_DONE || instance->state == PLOY_PROGRAM_ERROR;
    if (ended && !program->monitor) {
        *status = instance_status(instance);
        return (ploy_result)instance->error;
    }
    if (program->monitor) instance_rewind(instance);
    if (context->trace == NULL) {
        instance_advance(instance, context, NULL);
    } else {
        instance_advance_watched(instance, context);
    }
    *status = instance_status(instance);
    if (instance->error != PLOY_OK) {
        ploy_step_blame(context, ploy_program_place_of(instance).function);
    }
    return (ploy_result)instance->error;
}

ploy_program_state ploy_program_state_of(const ploy_program_instance *instance) {
    return instance->state;
}

ploy_value ploy_program_value(const ploy_program_instance *instance) {
    if (instance->state != PLOY_PROGRAM_DONE || !instance->has_value) return ploy_value_none();
    const ployi_program_function *functions =
        PLOY_ARRAY_ITEMS(&instance->program->code.functions, ployi_program_function);
    return ployi_vm_value(ployi_instance_stack(instance), functions[0].result_type);
}

int64_t ploy_program_units(const ploy_program_instance *instance) {
    return instance->units;
}

bool ploy_program_get(const ploy_program_instance *instance, const char *name, ploy_value *out) {
    const ployi_code *code = &instance->program->code;
    int32_t function = ployi_code_function(code, instance->pc);
    int32_t at =
        instance->pc - PLOY_ARRAY_ITEMS(&code->functions, ployi_program_function)[function].first;
    const ployi_program_variable *found = NULL;
    for (int32_t i = 0; i < code->variables.count; i++) {
        const ployi_program_variable *of =
            &PLOY_ARRAY_ITEMS(&code->variables, ployi_program_variable)[i];
        bool lives = of->owner < 0 || (of->owner == function && at >= of->from && at < of->to &&
                                       instance->state != PLOY_PROGRAM_DONE);
        if (!lives || strcmp(ployi_code_text(code, of->name), name) != 0) continue;
        if (found == NULL || of->owner >= 0) found = of; // a local hides a program's
    }
    if (found == NULL || found->kind == PLOYI_PROGRAM_TYPE_VOID) return false;
    const ployi_program_slot *slots =
        found->owner < 0 ? instance->slots : ployi_instance_stack(instance) + instance->base;
    *out = ployi_vm_value(slots + found->slot, found->kind);
    return true;
}

ploy_program_place ploy_program_place_of(const ploy_program_instance *instance) {
    const ployi_code *code = &instance->program->code;
    ploy_program_place place = {"", 0, 0, instance->pc, 0};
    int32_t function = ployi_code_function(code, instance->pc);
    place.function = ployi_code_text(
        code, PLOY_ARRAY_ITEMS(&code->functions, ployi_program_function)[function].name);
    int32_t statement = ployi_code_statement(code, instance->pc);
    if (statement >= 0) {
        const ployi_statement *at =
            &PLOY_ARRAY_ITEMS(&code->statements, ployi_statement)[statement];
        place.line = at->line;
        place.column = at->column;
    }
    const ployi_program_slot *stack = ployi_instance_stack(instance);
    for (int32_t base = instance->base;
         stack[base - 1].u != 0 && base > 1 && instance->state != PLOY_PROGRAM_DONE;
         base -= (int32_t)(stack[base - 1].u & UINT16_MAX)) {
        place.depth++;
    }
    return place;
}

// ---- as a behavior

static ploy_result instance_enter(void *self, ploy_step_context *context) {
    (void)context;
    ploy_program_instance_restart(self);
    return PLOY_OK;
}

static ploy_result instance_step(void *self, ploy_step_context *context, ploy_status *status) {
    return ploy_program_step(self, context, status);
}

static void instance_destroy(void *self) {
    ploy_program_instance_destroy(self);
}

const ploy_behavior_type ployi_program_type = {
    .name = "program",
    .enter = instance_enter,
    .step = instance_step,
    .destroy = instance_destroy,
    .visit = ploy_program_visit,
};

ploy_result ploy_program_behavior(const ploy_program *program, const ploy_env *env,
                                  ploy_behavior *out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    ploy_program_instance *instance = NULL;
    ploy_result result = ploy_program_instance_create(program, env, &instance);
    if (result != PLOY_OK) return result;
    out->type = &ployi_program_type;
    out->self = instance;
    return PLOY_OK;
}

static ploy_result instance_make(void *user, const ploy_env *env, ploy_behavior *out) {
    return ploy_program_behavior(user, env, out);
}

static ploy_result instance_check(const void *user, const ploy_blackboard_layout *layout,
                                  ploy_diags *diags) {
    const ploy_program *program = user;
    return ploy_maker_check_layout(program->scope.layout, layout, diags);
}

ploy_maker ploy_program_maker(const ploy_program *program) {
    // The maker's user is immutable; only its type is not const.
    ploy_maker maker = {instance_make, (void *)(uintptr_t)program, program->name, instance_check};
    return maker;
}
