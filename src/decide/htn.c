// Hierarchical task networks; the technique is described in the header.
//
// Tasks to be done are a list of cells, newest first; cells are shared between alternatives and cut
// off when a choice is taken back:
//
//     todo -> [navigate] -> [slam] -> (none)
//
// Invariants, while there is something to do: (1) a choice holds everything as it was before its
// method was taken: the list with its task first, the world, the lengths of plan, record and cells;
// (2) worlds[k] is the world at choice k; (3) record[k] is the method of choice k.
#include "ploy/decide/htn.h"

#include "decide/decide_internal.h"

#include <string.h>

#include "goap_internal.h"

static const ploy_field htn_fields[] = {
    PLOY_FIELD_I32(ploy_htn_def, max_plan, 256, 1, 1 << 20, "", "longest plan"),
    PLOY_FIELD_I32(ploy_htn_def, max_depth, 256, 1, 1 << 20, "", "most methods in force"),
};

typedef struct htn_task {
    ploy_name id;
    int32_t action;      // of a primitive task, -1 of a compound one
    int32_t first, last; // methods, a chain; -1: none
} htn_task;

typedef struct htn_method {
    ploy_name id;
    int32_t next;
    int32_t first_need, need_count;
    int32_t first_sub, sub_count;
} htn_method;

struct ploy_htn_type {
    ployi_build build;
    const ploy_goap_type *domain;
    ploy_array tasks;   // htn_task
    ploy_array methods; // htn_method
    ploy_array needs;   // ploy_goap_need
    ploy_array subs;    // int32_t
};

typedef struct htn_cell {
    int32_t task, next;
} htn_cell;

typedef struct htn_choice {
    int32_t todo, cells, plan;
    int32_t method; // index in the type's methods, -1 when none is left
} htn_choice;

typedef enum htn_phase {
    HTN_NEXT, // the next task
    HTN_TASK,
    HTN_BACK,
    HTN_BACK_METHOD // a choice was restored; its next method is looked for
} htn_phase;

struct ploy_htn {
    ploy_env env;
    ploy_htn_def def;
    const ploy_htn_type *type;
    ploy_array cells;                 // htn_cell
    ploy_array choices;               // htn_choice
    ploy_array worlds;                // uint64_t, one world a choice
    ploy_array world;                 // uint64_t, the present one
    ploy_array missed;                // uint64_t, the one in which something failed deepest
    ploy_array plan, record, running; // int32_t
    int32_t todo;
    // What a unit left unfinished: the first method of a task (TASK) or another one of the last
    // choice (BACK) is looked for, from `method` on, whose number is `number`.
    htn_phase phase;
    int32_t method, number;
    int64_t allow;  // work that the unit may still do
    int32_t agreed; // choices of the record that are those of the running plan
    bool bounded, cut;
    int32_t deepest;     // most actions planned before something failed
    int32_t failed_task; // there
    ploy_search_outcome outcome;
};

static htn_task *htn_task_at(const ploy_htn_type *type, uint32_t number) {
    return PLOY_ARRAY_AT(&type->tasks, htn_task, (int32_t)number - 1);
}

ploy_result ploy_htn_type_create(const ploy_goap_type *domain, const ploy_env *env,
                                 ploy_htn_type **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (domain == NULL || env == NULL) return PLOY_ERR_ARGUMENT;
    if (!domain->build.finished) return PLOY_ERR_STATE;
    ploy_htn_type *type = ploy_env_alloc_zero(env, sizeof *type);
    if (type == NULL) return PLOY_ERR_MEMORY;
    ploy_result result = ployi_build_init(&type->build, env);
    if (result != PLOY_OK) {
        ploy_env_free(env, type, sizeof *type);
        return result;
    }
    type->domain = domain;
    ploy_array_init(&type->tasks, sizeof(htn_task), env);
    ploy_array_init(&type->methods, sizeof(htn_method), env);
    ploy_array_init(&type->needs, sizeof(ploy_goap_need), env);
    ploy_array_init(&type->subs, sizeof(int32_t), env);
    *out = type;
    return PLOY_OK;
}

void ploy_htn_type_destroy(ploy_htn_type *type) {
    if (type == NULL) return;
    ploy_env env = type->build.env;
    ploy_array_fini(&type->tasks);
    ploy_array_fini(&type->methods);
    ploy_array_fini(&type->needs);
    ploy_array_fini(&type->subs);
    ployi_build_fini(&type->build);
    ploy_env_free(&env, type, sizeof *type);
}

static ploy_htn_task htn_add_task(ploy_htn_type *type, const char *id, int32_t action) {
    ploy_htn_task none = {0};
    ploy_name name = ploy_name_of(id);
    for (int32_t i = 0; i < type->tasks.count; i++) {
        const htn_task *task = PLOY_ARRAY_AT(&type->tasks, htn_task, i);
        if (!ploy_name_equal(task->id, name) || (task->action >= 0) != (action >= 0)) continue;
        ploy_htn_task found = {(uint32_t)i + 1};
        return found;
    }
    if (!ployi_build_open(&type->build)) return none;
    htn_task task = {ployi_build_name(&type->build, "invalid task name", id), action, -1, -1};
    if (ploy_name_is_none(task.id)) return none;
    ploy_result result = ploy_array_push(&type->tasks, &task);
    if (result != PLOY_OK) {
        (void)ployi_build_fault(&type->build, result, "out of memory for task", id);
        return none;
    }
    ploy_htn_task made = {(uint32_t)type->tasks.count};
    return made;
}

ploy_htn_task ploy_htn_type_action(ploy_htn_type *type, const char *action) {
    ploy_htn_task none = {0};
    int32_t number = ploy_goap_type_find_action(type->domain, action);
    if (number >= 0) return htn_add_task(type, action, number);
    if (ployi_build_open(&type->build)) {
        (void)ployi_build_fault(&type->build, PLOY_ERR_NOT_FOUND, "unknown action", action);
    }
    return none;
}

ploy_htn_task ploy_htn_type_task(ploy_htn_type *type, const char *id) {
    return htn_add_task(type, id, -1);
}

ploy_result ploy_htn_type_method(ploy_htn_type *type, ploy_htn_task task, const char *id,
                                 const ploy_goap_need *needs, int32_t need_count,
                                 const ploy_htn_task *subtasks, int32_t subtask_count) {
    if (!ployi_build_open(&type->build)) {
        return type->build.result != PLOY_OK ? type->build.result : PLOY_ERR_STATE;
    }
    htn_task *owner = htn_task_at(type, task.number);
    bool fine = owner != NULL && owner->action < 0 && need_count >= 0 && subtask_count >= 0 &&
                need_count <= PLOY_GOAP_PARTS_MAX && subtask_count <= PLOY_GOAP_PARTS_MAX;
    for (int32_t i = 0; fine && i < need_count; i++) {
        fine = ployi_goap_need_valid(type->domain, &needs[i]);
    }
    for (int32_t i = 0; fine && i < subtask_count; i++) {
        fine = htn_task_at(type, subtasks[i].number) != NULL;
    }
    if (!fine) {
        return ployi_build_fault(&type->build, PLOY_ERR_ARGUMENT,
                                 "unknown task, condition or subtask of method", id);
    }
    htn_method method;
    memset(&method, 0, sizeof method);
    method.id = ployi_build_name(&type->build, "invalid method name", id);
    method.next = -1;
    method.first_need = type->needs.count;
    method.need_count = need_count;
    method.first_sub = type->subs.count;
    method.sub_count = subtask_count;
    if (ploy_name_is_none(method.id)) return type->build.result;
    ploy_result result = ploy_array_push_many(&type->needs, needs, need_count);
    for (int32_t i = 0; result == PLOY_OK && i < subtask_count; i++) {
        int32_t sub = (int32_t)subtasks[i].number - 1;
        result = ploy_array_push(&type->subs, &sub);
    }
    if (result == PLOY_OK) result = ploy_array_push(&type->methods, &method);
    if (result != PLOY_OK) {
        return ployi_build_fault(&type->build, result, "out of memory for method", id);
    }
    int32_t index = type->methods.count - 1;
    if (owner->last >= 0) {
        PLOY_ARRAY_AT(&type->methods, htn_method, owner->last)->next = index;
    } else {
        owner->first = index;
    }
    owner->last = index;
    return PLOY_OK;
}

ploy_result ploy_htn_type_finish(ploy_htn_type *type) {
    if (type->build.finished) return PLOY_ERR_STATE;
    for (int32_t i = 0; i < type->tasks.count && type->build.result == PLOY_OK; i++) {
        const htn_task *task = PLOY_ARRAY_AT(&type->tasks, htn_task, i);
        if (task->action >= 0 || task->first >= 0) continue;
        (void)ployi_build_fault(&type->build, PLOY_ERR_ARGUMENT, "missing method of task",
                                ployi_build_text(&type->build, task->id));
    }
    type->build.finished = type->build.result == PLOY_OK;
    return type->build.result;
}

ploy_htn_task ploy_htn_type_find(const ploy_htn_type *type, const char *id) {
    ploy_htn_task found = {0};
    ploy_name name = ploy_name_of(id);
    for (int32_t i = 0; i < type->tasks.count && found.number == 0; i++) {
        const htn_task *task = PLOY_ARRAY_AT(&type->tasks, htn_task, i);
        if (ploy_name_equal(task->id, name) && task->action < 0) found.number = (uint32_t)i + 1;
    }
    return found;
}

const char *ployi_htn_type_id(const ploy_htn_type *type, ploy_htn_task task) {
    const htn_task *item = htn_task_at(type, task.number);
    return item != NULL ? ployi_build_text(&type->build, item->id) : "";
}

// ---- the planner

ploy_fields ploy_htn_fields(void) {
    return PLOY_FIELDS(ploy_htn_def, htn_fields);
}

ploy_htn_def ploy_htn_def_default(void) {
    ploy_htn_def def;
    ploy_fields_default(ploy_htn_fields(), &def);
    return def;
}

ploy_result ploy_htn_create(const ploy_htn_def *def, const ploy_htn_type *type, const ploy_env *env,
                            ploy_htn **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (type == NULL || env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_htn_fields(), def, env);
    if (result != PLOY_OK) return result;
    if (!type->build.finished) return PLOY_ERR_STATE;
    ploy_htn *htn = ploy_env_alloc_zero(env, sizeof *htn);
    if (htn == NULL) return PLOY_ERR_MEMORY;
    htn->env = *env;
    htn->def = *def;
    htn->type = type;
    ploy_array_init(&htn->cells, sizeof(htn_cell), env);
    ploy_array_init(&htn->choices, sizeof(htn_choice), env);
    ploy_array_init(&htn->worlds, sizeof(uint64_t), env);
    ploy_array_init(&htn->world, sizeof(uint64_t), env);
    ploy_array_init(&htn->missed, sizeof(uint64_t), env);
    ploy_array_init(&htn->plan, sizeof(int32_t), env);
    ploy_array_init(&htn->record, sizeof(int32_t), env);
    ploy_array_init(&htn->running, sizeof(int32_t), env);
    result = ploy_array_resize(&htn->world, ploy_goap_type_words(type->domain));
    if (result == PLOY_OK) result = ploy_array_resize(&htn->missed, htn->world.count);
    if (result != PLOY_OK) {
        ploy_htn_destroy(htn);
        return result;
    }
    *out = htn;
    return PLOY_OK;
}

void ploy_htn_destroy(ploy_htn *htn) {
    if (htn == NULL) return;
    ploy_env env = htn->env;
    ploy_array *arrays[] = {&htn->cells,  &htn->choices, &htn->worlds, &htn->world,
                            &htn->missed, &htn->plan,    &htn->record, &htn->running};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) ploy_array_fini(arrays[i]);
    ploy_env_free(&env, htn, sizeof *htn);
}

static ploy_result htn_push_cell(ploy_htn *htn, int32_t task) {
    htn_cell cell = {task, htn->todo};
    ploy_result result = ploy_array_push(&htn->cells, &cell);
    if (result == PLOY_OK) htn->todo = htn->cells.count - 1;
    return result;
}

ploy_result ploy_htn_begin(ploy_htn *htn, const uint64_t *world, ploy_htn_task task,
                           const int32_t *running, int32_t running_count) {
    if (htn == NULL || world == NULL || htn_task_at(htn->type, task.number) == NULL ||
        (running != NULL && running_count < 0)) {
        return PLOY_ERR_ARGUMENT;
    }
    htn->outcome = PLOY_SEARCH_IDLE;
    ploy_array_clear(&htn->cells);
    ploy_array_clear(&htn->choices);
    ploy_array_clear(&htn->worlds);
    ploy_array_clear(&htn->plan);
    ploy_array_clear(&htn->record);
    ploy_array_clear(&htn->running);
    htn->bounded = running != NULL;
    ploy_result result = PLOY_OK;
    if (htn->bounded) result = ploy_array_push_many(&htn->running, running, running_count);
    memcpy(htn->world.items, world, (size_t)htn->world.count * sizeof *world);
    htn->todo = -1;
    htn->phase = HTN_NEXT;
    htn->agreed = 0;
    htn->cut = false;
    htn->deepest = -1;
    htn->failed_task = -1;
    if (result == PLOY_OK) result = htn_push_cell(htn, (int32_t)task.number - 1);
    if (result == PLOY_OK) htn->outcome = PLOY_SEARCH_OPEN;
    return result;
}

// Goes on to the first method whose conditions hold; htn->method is -1 if there is none.
// @return false while neither is known.
static bool htn_next_method(ploy_htn *htn) {
    const ploy_goap_need *needs = PLOY_ARRAY_ITEMS(&htn->type->needs, ploy_goap_need);
    for (; htn->method >= 0; htn->number++) {
        const htn_method *item = PLOY_ARRAY_AT(&htn->type->methods, htn_method, htn->method);
        if (htn->allow <= 0) return false;
        htn->allow -= 1 + item->need_count;
        if (item->need_count == 0 ||
            ployi_goap_world_holds(htn->type->domain, htn->world.items, needs + item->first_need,
                                   item->need_count)) {
            return true;
        }
        htn->method = item->next;
    }
    return true;
}

// How the record so far compares to the beginning of the running one: -1 better, 0 the same, 1
// worse.
static int32_t htn_standing(ploy_htn *htn) {
    const int32_t *record = PLOY_ARRAY_ITEMS(&htn->record, int32_t);
    const int32_t *running = PLOY_ARRAY_ITEMS(&htn->running, int32_t);
    if (htn->agreed > htn->record.count) htn->agreed = htn->record.count;
    for (; htn->agreed < htn->record.count; htn->agreed++) {
        int32_t i = htn->agreed;
        if (i >= htn->running.count) return 0; // as good as far as it goes: not better
        if (record[i] != running[i]) return record[i] < running[i] ? -1 : 1;
    }
    return 0;
}

// Takes the method that was found for the choice on top: its subtasks take the place of the task.
static ploy_result htn_take(ploy_htn *htn) {
    const htn_method *item = PLOY_ARRAY_AT(&htn->type->methods, htn_method, htn->method);
    htn_choice *choice = PLOY_ARRAY_AT(&htn->choices, htn_choice, htn->choices.count - 1);
    choice->method = htn->method;
    htn->phase = HTN_NEXT;
    htn->todo = PLOY_ARRAY_AT(&htn->cells, htn_cell, choice->todo)->next;
    ploy_result result = ploy_array_push(&htn->record, &htn->number);
    for (int32_t i = item->sub_count - 1; result == PLOY_OK && i >= 0; i--) {
        result =
            htn_push_cell(htn, PLOY_ARRAY_ITEMS(&htn->type->subs, int32_t)[item->first_sub + i]);
    }
    return result;
}

// Restores the world of the last choice, and goes on after the method that failed.
static void htn_restore(ploy_htn *htn) {
    size_t words = (size_t)htn->world.count;
    int32_t top = htn->choices.count - 1;
    htn_choice choice = *PLOY_ARRAY_AT(&htn->choices, htn_choice, top);
    // (1)
    (void)ploy_array_resize(&htn->cells, choice.cells);
    (void)ploy_array_resize(&htn->plan, choice.plan);
    htn->number = PLOY_ARRAY_ITEMS(&htn->record, int32_t)[top] + 1;
    (void)ploy_array_resize(&htn->record, top);
    if (htn->agreed > top) htn->agreed = top;
    memcpy(htn->world.items, PLOY_ARRAY_ITEMS(&htn->worlds, uint64_t) + (size_t)top * words,
           words * sizeof(uint64_t));
    htn->method = PLOY_ARRAY_AT(&htn->type->methods, htn_method, choice.method)->next;
    htn->allow -= htn->world.count;
    htn->phase = HTN_BACK_METHOD;
}

// Back to the last choice that has another method; the search is over if there is none.
// @return PLOY_IN_PROGRESS while neither is known.
static ploy_result htn_backtrack(ploy_htn *htn) {
    while (htn->choices.count > 0) {
        if (htn->allow <= 0) return PLOY_IN_PROGRESS;
        if (htn->phase == HTN_BACK) htn_restore(htn);
        if (!htn_next_method(htn)) return PLOY_IN_PROGRESS;
        if (htn->method >= 0) return htn_take(htn);
        int32_t top = htn->choices.count - 1;
        (void)ploy_array_resize(&htn->choices, top);
        (void)ploy_array_resize(&htn->worlds, top * htn->world.count);
        htn->phase = HTN_BACK;
    }
    htn->outcome = htn->cut ? PLOY_SEARCH_PRUNED : PLOY_SEARCH_NONE;
    return PLOY_OK;
}

static ploy_result htn_fail(ploy_htn *htn, int32_t task) {
    if (htn->plan.count > htn->deepest) {
        htn->deepest = htn->plan.count;
        htn->failed_task = task;
        memcpy(htn->missed.items, htn->world.items, (size_t)htn->world.count * sizeof(uint64_t));
    }
    htn->phase = HTN_BACK;
    return htn_backtrack(htn);
}

static ploy_result htn_compound(ploy_htn *htn, int32_t task) {
    if (htn->phase == HTN_NEXT) {
        htn->method = PLOY_ARRAY_AT(&htn->type->tasks, htn_task, task)->first;
        htn->number = 0;
        htn->phase = HTN_TASK;
    }
    if (!htn_next_method(htn)) return PLOY_IN_PROGRESS;
    if (htn->method < 0) return htn_fail(htn, task);
    if (htn->choices.count >= htn->def.max_depth) {
        htn->cut = true;
        return htn_fail(htn, task);
    }
    htn_choice choice = {htn->todo, htn->cells.count, htn->plan.count, htn->method};
    ploy_result result = ploy_array_push(&htn->choices, &choice);
    if (result == PLOY_OK) {
        result = ploy_array_push_many(&htn->worlds, htn->world.items, htn->world.count);
    }
    return result == PLOY_OK ? htn_take(htn) : result;
}

static ploy_result htn_primitive(ploy_htn *htn, int32_t task) {
    int32_t action = PLOY_ARRAY_AT(&htn->type->tasks, htn_task, task)->action;
    if (!ployi_goap_world_allows(htn->type->domain, htn->world.items, action)) {
        return htn_fail(htn, task);
    }
    if (htn->plan.count >= htn->def.max_plan) {
        htn->cut = true;
        return htn_fail(htn, task);
    }
    ploy_goap_world_apply(htn->type->domain, htn->world.items, action);
    htn->todo = PLOY_ARRAY_AT(&htn->cells, htn_cell, htn->todo)->next;
    return ploy_array_push(&htn->plan, &action);
}

// Continues with the next task, or in the middle of one.
static ploy_result htn_unit(ploy_htn *htn) {
    if (htn->phase == HTN_BACK || htn->phase == HTN_BACK_METHOD) return htn_backtrack(htn);
    int32_t standing = htn->bounded && htn->phase == HTN_NEXT ? htn_standing(htn) : -1;
    if (standing > 0) {
        // Methods come in order: whatever follows is no better than what runs.
        htn->outcome = PLOY_SEARCH_NONE;
        return PLOY_OK;
    }
    if (htn->todo < 0) {
        // The running plan itself, found again, is not better either.
        htn->outcome = standing < 0 ? PLOY_SEARCH_FOUND : PLOY_SEARCH_NONE;
        return PLOY_OK;
    }
    int32_t task = PLOY_ARRAY_AT(&htn->cells, htn_cell, htn->todo)->task;
    bool compound = PLOY_ARRAY_AT(&htn->type->tasks, htn_task, task)->action < 0;
    return compound ? htn_compound(htn, task) : htn_primitive(htn, task);
}

ploy_result ploy_htn_step(ploy_htn *htn, ploy_budget *budget) {
    if (htn == NULL || htn->outcome != PLOY_SEARCH_OPEN) return PLOY_ERR_STATE;
    while (htn->outcome == PLOY_SEARCH_OPEN) {
        if (budget != NULL && !ploy_budget_spend(budget, 1)) return PLOY_IN_PROGRESS;
        htn->allow = budget != NULL ? PLOYI_GOAP_UNIT : PLOYI_GOAP_ENDLESS;
        ploy_result result = htn_unit(htn);
        if (result < PLOY_OK) {
            htn->outcome = PLOY_SEARCH_IDLE;
            return result;
        }
    }
    return PLOY_OK;
}

void ploy_htn_cancel(ploy_htn *htn) {
    htn->outcome = PLOY_SEARCH_IDLE;
}

ploy_result ployi_htn_run(ploy_htn *htn, const uint64_t *world, ploy_htn_task task) {
    ploy_result result = ploy_htn_begin(htn, world, task, NULL, 0);
    return result == PLOY_OK ? ploy_htn_step(htn, NULL) : result;
}

ploy_search_outcome ploy_htn_outcome(const ploy_htn *htn) {
    return htn->outcome;
}

static int32_t htn_copy(const ploy_htn *htn, const ploy_array *from, int32_t *out,
                        int32_t capacity) {
    if (htn->outcome != PLOY_SEARCH_FOUND) return -1;
    for (int32_t i = 0; i < from->count && i < capacity; i++) {
        out[i] = PLOY_ARRAY_ITEMS(from, int32_t)[i];
    }
    return from->count;
}

int32_t ploy_htn_plan(const ploy_htn *htn, int32_t *out, int32_t capacity) {
    return htn_copy(htn, &htn->plan, out, capacity);
}

int32_t ploy_htn_record(const ploy_htn *htn, int32_t *out, int32_t capacity) {
    return htn_copy(htn, &htn->record, out, capacity);
}

int32_t ployi_htn_record_compare(const int32_t *a, int32_t a_count, const int32_t *b,
                                 int32_t b_count) {
    for (int32_t i = 0; i < a_count && i < b_count; i++) {
        if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
    }
    return 0;
}

// What of some needs did not hold where something failed deepest.
static void htn_explain_needs(const ploy_htn *htn, const ploy_goap_need *needs, int32_t count,
                              ploy_writer *writer) {
    bool told = false;
    for (int32_t i = 0; i < count; i++) {
        if (ployi_goap_world_holds(htn->type->domain, htn->missed.items, &needs[i], 1)) continue;
        ploy_write_text(writer, told ? ", '" : ": needs '");
        ployi_goap_need_print(htn->type->domain, needs[i], writer);
        ploy_write_char(writer, '\'');
        told = true;
    }
}

void ploy_htn_explain(const ploy_htn *htn, ploy_writer *writer) {
    if (htn->outcome == PLOY_SEARCH_FOUND || htn->outcome == PLOY_SEARCH_OPEN) return;
    if (htn->failed_task < 0) {
        ploy_write_text(writer, htn->bounded ? "no plan is better than the one that runs\n"
                                             : "nothing was looked for\n");
        return;
    }
    const htn_task *task = PLOY_ARRAY_AT(&htn->type->tasks, htn_task, htn->failed_task);
    ploy_write_text(writer, "after ");
    ploy_write_i64(writer, htn->deepest);
    ploy_write_text(writer, " actions '");
    ploy_write_text(writer, ployi_build_text(&htn->type->build, task->id));
    ploy_write_text(writer,
                    task->action >= 0 ? "' cannot be done" : "' has no method that applies");
    if (task->action >= 0) {
        ploy_goap_action action;
        (void)ploy_goap_type_action_at(htn->type->domain, task->action, &action);
        htn_explain_needs(htn, action.needs, action.need_count, writer);
    }
    ploy_write_char(writer, '\n');
    for (int32_t i = task->action < 0 ? task->first : -1; i >= 0;) {
        const htn_method *method = PLOY_ARRAY_AT(&htn->type->methods, htn_method, i);
        ploy_write_text(writer, "  method '");
        ploy_write_text(writer, ployi_build_text(&htn->type->build, method->id));
        ploy_write_char(writer, '\'');
        htn_explain_needs(htn,
                          PLOY_ARRAY_ITEMS(&htn->type->needs, ploy_goap_need) + method->first_need,
                          method->need_count, writer);
        ploy_write_char(writer, '\n');
        i = method->next;
    }
    if (htn->cut) ploy_write_text(writer, "a limit of the planner cut something off\n");
}

void ploy_htn_describe(const ploy_htn *htn, ploy_describe *out) {
    ploy_describe_text(out, "outcome", PLOY_STATE, ploy_search_outcome_text(htn->outcome));
    ploy_describe_i64(out, "choices", PLOY_STATE, htn->choices.count);
    ploy_describe_i64(out, "todo", PLOY_STATE, htn->todo);
    const ploy_array *lists[] = {&htn->plan, &htn->record};
    for (int32_t k = 0; k < 2; k++) {
        ploy_describe_begin(out, k == 0 ? "plan" : "record");
        for (int32_t i = 0; i < lists[k]->count; i++) {
            ploy_describe_begin_item(out, i);
            ploy_describe_i64(out, "number", PLOY_STATE, PLOY_ARRAY_ITEMS(lists[k], int32_t)[i]);
            ploy_describe_end(out);
        }
        ploy_describe_end(out);
    }
}

void ployi_htn_memory(const ploy_htn *htn, ploy_memory_fn fn, void *user) {
    const ploy_array *arrays[] = {&htn->cells,  &htn->choices, &htn->worlds, &htn->world,
                                  &htn->missed, &htn->plan,    &htn->record, &htn->running};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        ploy_array_memory(arrays[i], fn, user);
    }
    ploy_memory_item own = {"htn", sizeof *htn, 1};
    fn(user, &own);
}

ploy_result ployi_htn_follow(const ploy_htn_type *type, ploy_htn_task task, bool find,
                             ploy_array *names, ploy_array *record, ploy_array *todo) {
    int32_t count = find ? names->count : record->count, at = 0;
    int32_t first = (int32_t)task.number - 1;
    ploy_result result = ploy_array_resize(find ? record : names, count);
    ploy_array_clear(todo);
    if (result == PLOY_OK) result = ploy_array_push(todo, &first);
    while (result == PLOY_OK && todo->count > 0) {
        int32_t next = PLOY_ARRAY_ITEMS(todo, int32_t)[todo->count - 1];
        (void)ploy_array_resize(todo, todo->count - 1);
        const htn_task *item = PLOY_ARRAY_AT(&type->tasks, htn_task, next);
        if (item->action >= 0) continue;
        if (at == count) return PLOY_ERR_NOT_FOUND; // a record of another task
        ploy_name *name = PLOY_ARRAY_AT(names, ploy_name, at);
        int32_t *number = PLOY_ARRAY_AT(record, int32_t, at++), place = 0, method = item->first;
        while (method >= 0) {
            const htn_method *choice = PLOY_ARRAY_AT(&type->methods, htn_method, method);
            if (find ? ploy_name_equal(choice->id, *name) : place == *number) break;
            method = choice->next;
            place++;
        }
        if (method < 0) return PLOY_ERR_NOT_FOUND;
        const htn_method *taken = PLOY_ARRAY_AT(&type->methods, htn_method, method);
        *name = taken->id;
        *number = place;
        for (int32_t i = taken->sub_count - 1; result == PLOY_OK && i >= 0; i--) {
            result = ploy_array_push(todo, ploy_array_at(&type->subs, taken->first_sub + i));
        }
    }
    if (result == PLOY_OK && at != count) result = PLOY_ERR_NOT_FOUND;
    return result;
}

bool ployi_htn_is_plan(const ploy_htn *htn, const int32_t *actions, int32_t count) {
    size_t bytes = (size_t)count * sizeof *actions;
    return count == htn->plan.count && (count == 0 || memcmp(htn->plan.items, actions, bytes) == 0);
}

const char *ployi_htn_text(const ploy_htn_type *type, ploy_name name) {
    return ployi_build_text(&type->build, name);
}

int32_t ployi_htn_task_count(const ploy_htn_type *type) {
    return type->tasks.count;
}

const ploy_goap_type *ployi_htn_domain(const ploy_htn_type *type) {
    return type->build.finished ? type->domain : NULL;
}
