// Budgets and the calling side of sliced tasks.
//
// Invariants of a budget made by the functions here:
//   (1) 0 <= units, 0 <= spent, 1 <= check_every;
//   (2) units only falls, spent only rises; once units is 0 the budget stays empty.
#include "ploy/base/budget.h"

#include "ploy/base/os.h"

static uint64_t budget_system_clock(void *user) {
    (void)user;
    return ploy_os_clock_ns();
}

ploy_budget ploy_budget_units(int64_t units) {
    ploy_budget budget;
    budget.units = units > 0 ? units : 0;
    budget.spent = 0;
    budget.deadline_ns = 0;
    budget.check_every = 1;
    budget.check_at = 0;
    budget.clock = NULL;
    budget.clock_user = NULL;
    return budget;
}

ploy_budget ploy_budget_unlimited(void) {
    return ploy_budget_units(PLOY_BUDGET_UNLIMITED);
}

ploy_budget ploy_budget_deadline(int64_t units, uint64_t nanoseconds, int64_t check_every,
                                 const ploy_env *env) {
    ploy_budget budget = ploy_budget_units(units);
    bool own_clock = env != NULL && env->clock != NULL;
    budget.clock = own_clock ? env->clock : budget_system_clock;
    budget.clock_user = own_clock ? env->clock_user : NULL;
    budget.check_every = check_every > 1 ? check_every : 1;
    uint64_t now = budget.clock(budget.clock_user);
    budget.deadline_ns = nanoseconds > UINT64_MAX - now ? UINT64_MAX : now + nanoseconds;
    if (budget.deadline_ns == 0) budget.deadline_ns = 1; // 0 would mean none
    return budget;
}

bool ploy_budget_spend(ploy_budget *budget, int64_t units) {
    if (budget == NULL) return true;
    if (budget->units <= 0) return false;
    // check_at begins at 0, so the first spend already looks: a budget may be made long before use.
    if (budget->deadline_ns != 0 && budget->spent >= budget->check_at) {
        if (budget->clock(budget->clock_user) >= budget->deadline_ns) {
            budget->units = 0;
            return false;
        }
        budget->check_at = budget->spent > INT64_MAX - budget->check_every
                               ? INT64_MAX
                               : budget->spent + budget->check_every;
    }
    if (units <= 0) return true;
    budget->spent = units > INT64_MAX - budget->spent ? INT64_MAX : budget->spent + units;
    if (budget->units != PLOY_BUDGET_UNLIMITED) {
        budget->units = units < budget->units ? budget->units - units : 0;
    }
    return true;
}

bool ploy_budget_empty(const ploy_budget *budget) {
    // The clock is not read here: asking twice must not give two answers.
    return budget != NULL && budget->units <= 0;
}

ploy_result ploy_task_step(ploy_task task, ploy_budget *budget) {
    if (task.type == NULL || task.type->step == NULL) return PLOY_ERR_ARGUMENT;
    return task.type->step(task.self, budget);
}

void ploy_task_cancel(ploy_task task) {
    if (task.type != NULL && task.type->cancel != NULL) task.type->cancel(task.self);
}

void ploy_task_describe(ploy_task task, ploy_describe *out) {
    if (task.type == NULL || task.type->describe == NULL || out == NULL) return;
    task.type->describe(task.self, out);
}
