// A character that pursues a goal by plans; described in the header.
//
// Invariants: (1) place is the action that runs or comes next; (2) `begun` is true exactly between
// the first step of an action and its end; (3) planning is true while a planner is at work for a
// first plan, improving while recipes are looked through for a better one; (4) with a task the goal
// is empty, and names and record are of the plan.
#include "ploy/decide/goap_agent.h"

#include "decide/decide_internal.h"

#include <string.h>

#include "goap_internal.h"
#include "ploy/base/json.h"

static const ploy_field goap_agent_fields[] = {
    PLOY_FIELD_DEF(ploy_goap_agent_def, planner, ploy_goap_fields, "how it plans"),
    PLOY_FIELD_DEF(ploy_goap_agent_def, recipes, ploy_htn_fields, "how it decomposes a task"),
    PLOY_FIELD_I32(ploy_goap_agent_def, max_repairs, 8, 1, 1000000, "", "plans without an action"),
    PLOY_FIELD_BOOL(ploy_goap_agent_def, watch, 0, "looks in every step"),
};

struct ploy_goap_agent {
    ploy_env env;
    ploy_goap_agent_def def;
    const ploy_goap_type *type;
    ploy_goap_hands hands;
    ploy_goap *planner;
    ploy_array world;             // uint64_t, three worlds: seen, and two for trying plans
    ploy_array goal;              // ploy_goap_need
    ploy_array plan;              // int32_t
    const ploy_htn_type *recipes; // NULL: a goal is pursued
    ploy_htn *htn;
    ploy_htn_task task;
    ploy_array names, record, todo; // ploy_name and int32_t of each method; for ployi_htn_follow
    int32_t place;
    int32_t repairs; // since the last action done
    bool planning, improving, begun, planned, changed;
    bool fixed; // its goal is its definition's, not the file's
    ploy_goap_agent_stats stats;
};

ploy_fields ploy_goap_agent_fields(void) {
    return PLOY_FIELDS(ploy_goap_agent_def, goap_agent_fields);
}

ploy_goap_agent_def ploy_goap_agent_def_default(void) {
    ploy_goap_agent_def def;
    ploy_fields_default(ploy_goap_agent_fields(), &def);
    return def;
}

ploy_result ploy_goap_agent_create(const ploy_goap_agent_def *def, const ploy_goap_type *type,
                                   const ploy_goap_hands *hands, const ploy_env *env,
                                   ploy_goap_agent **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL || type == NULL || hands == NULL || hands->sense == NULL ||
        hands->act == NULL) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_result result = ploy_fields_check(ploy_goap_agent_fields(), def, env);
    if (result != PLOY_OK) return result;
    ploy_goap_agent *agent = ploy_env_alloc_zero(env, sizeof *agent);
    if (agent == NULL) return PLOY_ERR_MEMORY;
    agent->env = *env;
    agent->def = *def;
    agent->type = type;
    agent->hands = *hands;
    ploy_array_init(&agent->world, sizeof(uint64_t), env);
    ploy_array_init(&agent->goal, sizeof(ploy_goap_need), env);
    ploy_array_init(&agent->plan, sizeof(int32_t), env);
    ploy_array_init(&agent->names, sizeof(ploy_name), env);
    ploy_array_init(&agent->record, sizeof(int32_t), env);
    ploy_array_init(&agent->todo, sizeof(int32_t), env);
    result = ploy_goap_create(&def->planner, type, env, &agent->planner);
    if (result == PLOY_OK) {
        result = ploy_array_resize(&agent->world, 3 * ploy_goap_type_words(type));
    }
    if (result != PLOY_OK) {
        ploy_goap_agent_destroy(agent);
        return result;
    }
    *out = agent;
    return PLOY_OK;
}

void ploy_goap_agent_destroy(ploy_goap_agent *agent) {
    if (agent == NULL) return;
    ploy_env env = agent->env;
    ploy_goap_destroy(agent->planner);
    ploy_array_fini(&agent->world);
    ploy_array_fini(&agent->goal);
    ploy_array_fini(&agent->plan);
    ploy_htn_destroy(agent->htn);
    ploy_array_fini(&agent->names);
    ploy_array_fini(&agent->record);
    ploy_array_fini(&agent->todo);
    ploy_env_free(&env, agent, sizeof *agent);
}

ploy_result ploy_goap_agent_set_goal(ploy_goap_agent *agent, const ploy_goap_need *goal,
                                     int32_t count) {
    if (count < 0 || count > PLOY_GOAP_PARTS_MAX || (count > 0 && goal == NULL)) {
        return PLOY_ERR_ARGUMENT;
    }
    for (int32_t i = 0; i < count; i++) {
        if (!ployi_goap_need_valid(agent->type, &goal[i])) return PLOY_ERR_ARGUMENT;
    }
    ploy_result result = ploy_array_reserve(&agent->goal, count);
    if (result != PLOY_OK) return result;
    ploy_array_clear(&agent->goal);
    (void)ploy_array_push_many(&agent->goal, goal, count); // there is room
    ploy_htn_destroy(agent->htn);
    agent->htn = NULL;
    agent->recipes = NULL;
    agent->improving = false;
    agent->changed = true;
    agent->repairs = 0;
    return PLOY_OK;
}

ploy_result ploy_goap_agent_set_task(ploy_goap_agent *agent, const ploy_htn_type *recipes,
                                     ploy_htn_task task) {
    if (recipes == NULL || ployi_htn_domain(recipes) != agent->type ||
        ployi_htn_type_id(recipes, task)[0] == '\0') {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_htn *htn = NULL;
    ploy_result result = ploy_htn_create(&agent->def.recipes, recipes, &agent->env, &htn);
    if (result != PLOY_OK) return result;
    (void)ploy_goap_agent_set_goal(agent, NULL, 0); // needs no room
    agent->htn = htn;
    agent->recipes = recipes;
    agent->task = task;
    return PLOY_OK;
}

static const ploy_goap_need *goap_agent_goal(const ploy_goap_agent *agent) {
    return PLOY_ARRAY_ITEMS(&agent->goal, ploy_goap_need);
}

static void goap_agent_stop(ploy_goap_agent *agent, ploy_step_context *context) {
    if (agent->begun && agent->hands.stop != NULL) {
        agent->hands.stop(agent->hands.user, context,
                          PLOY_ARRAY_ITEMS(&agent->plan, int32_t)[agent->place]);
    }
    agent->begun = false;
}

static void goap_agent_clear(ploy_goap_agent *agent) {
    ploy_array_clear(&agent->plan);
    ploy_array_clear(&agent->names);
    ploy_array_clear(&agent->record);
    agent->place = 0;
}

static void goap_agent_forget(ploy_goap_agent *agent, ploy_step_context *context) {
    goap_agent_stop(agent, context);
    if (agent->planning && agent->recipes == NULL) ploy_goap_cancel(agent->planner);
    goap_agent_clear(agent);
    agent->planning = agent->improving = agent->planned = false;
}

static ploy_result goap_agent_look(ploy_goap_agent *agent, ploy_step_context *context) {
    uint64_t *world = PLOY_ARRAY_ITEMS(&agent->world, uint64_t);
    ploy_goap_world_clear(agent->type, world);
    ploy_result result = agent->hands.sense(agent->hands.user, context, agent->type, world);
    return result > PLOY_OK ? PLOY_ERR_CALLBACK : result;
}

// Does the plan from a place on lead from the world as it is to the goal?
static bool goap_agent_holds(const ploy_goap_agent *agent, int32_t place) {
    uint64_t *worlds = PLOY_ARRAY_ITEMS(&agent->world, uint64_t);
    return ploy_goap_plan_check(agent->type, worlds, goap_agent_goal(agent), agent->goal.count,
                                PLOY_ARRAY_ITEMS(&agent->plan, int32_t) + place,
                                agent->plan.count - place,
                                worlds + ploy_goap_type_words(agent->type), NULL) < 0;
}

// Keeps what holds of the plan: all that is left, or the shortest end of it that is enough.
static bool goap_agent_repair(ploy_goap_agent *agent, ploy_step_context *context) {
    if (!agent->planned) return false;
    if (goap_agent_holds(agent, agent->place)) return true;
    if (agent->recipes != NULL) return false; // what a recipe requires is done
    for (int32_t i = agent->plan.count - 1; i > agent->place; i--) {
        if (!goap_agent_holds(agent, i)) continue;
        goap_agent_stop(agent, context);
        agent->stats.skipped += i - agent->place;
        agent->place = i;
        return true;
    }
    return false;
}

// Plans; PLOY_IN_PROGRESS while the budget does not suffice.
static ploy_result goap_agent_think(ploy_goap_agent *agent, ploy_step_context *context,
                                    bool *found) {
    ploy_result result = PLOY_OK;
    *found = false;
    if (!agent->planning) {
        result = ploy_goap_begin(agent->planner, PLOY_ARRAY_ITEMS(&agent->world, uint64_t),
                                 goap_agent_goal(agent), agent->goal.count);
        if (result != PLOY_OK) return result;
        agent->planning = true;
        agent->stats.plans++;
        agent->repairs++;
    }
    result = ploy_goap_step(agent->planner, context->budget);
    if (result == PLOY_IN_PROGRESS) return result;
    agent->planning = false;
    if (result != PLOY_OK) return result;
    ploy_goap_trace(agent->planner, context->agent, context->trace);
    int32_t count = ploy_goap_plan(agent->planner, NULL, 0);
    if (count < 0) return PLOY_OK;
    result = ploy_array_resize(&agent->plan, count);
    if (result != PLOY_OK) return result;
    (void)ploy_goap_plan(agent->planner, agent->plan.items, count);
    agent->place = 0;
    agent->planned = *found = true;
    return PLOY_OK;
}

// Takes over what the recipes gave.
static ploy_result goap_agent_adopt(ploy_goap_agent *agent) {
    int32_t count = ploy_htn_plan(agent->htn, NULL, 0);
    int32_t choices = ploy_htn_record(agent->htn, NULL, 0);
    agent->planned = false; // until all of it is here
    ploy_result result = ploy_array_resize(&agent->plan, count);
    if (result == PLOY_OK) result = ploy_array_resize(&agent->record, choices);
    if (result != PLOY_OK) return result;
    (void)ploy_htn_plan(agent->htn, agent->plan.items, count);
    (void)ploy_htn_record(agent->htn, agent->record.items, choices);
    result = ployi_htn_follow(agent->recipes, agent->task, false, &agent->names, &agent->record,
                              &agent->todo);
    if (result != PLOY_OK) return result;
    agent->place = 0;
    agent->planned = true;
    return PLOY_OK;
}

// Decomposes the task; PLOY_IN_PROGRESS while the budget does not suffice.
static ploy_result goap_agent_decompose(ploy_goap_agent *agent, ploy_step_context *context,
                                        bool *found) {
    *found = false;
    if (!agent->planning) {
        ploy_result begun = ploy_htn_begin(agent->htn, PLOY_ARRAY_ITEMS(&agent->world, uint64_t),
                                           agent->task, NULL, 0);
        if (begun != PLOY_OK) return begun;
        agent->planning = true;
        agent->stats.plans++;
        agent->repairs++;
    }
    ploy_result result = ploy_htn_step(agent->htn, context->budget);
    if (result == PLOY_IN_PROGRESS) return result;
    agent->planning = false;
    if (result != PLOY_OK) return result;
    *found = ploy_htn_outcome(agent->htn) == PLOY_SEARCH_FOUND;
    return *found ? goap_agent_adopt(agent) : PLOY_OK;
}

// Is what the recipes gave just what is left to do?
static bool goap_agent_is_rest(const ploy_goap_agent *agent) {
    int32_t left = agent->plan.count - agent->place;
    const int32_t *rest = PLOY_ARRAY_ITEMS(&agent->plan, int32_t) + agent->place;
    return ployi_htn_is_plan(agent->htn, rest, left);
}

// Looks through the recipes for a better one than runs, as far as the budget allows. What is found
// is of the world at the look; it is taken only between actions, or in their middle by who watches.
static ploy_result goap_agent_improve(ploy_goap_agent *agent, ploy_step_context *context,
                                      bool looked) {
    ploy_result result = PLOY_OK;
    if (!agent->improving && looked) {
        result = ploy_htn_begin(agent->htn, PLOY_ARRAY_ITEMS(&agent->world, uint64_t), agent->task,
                                PLOY_ARRAY_ITEMS(&agent->record, int32_t), agent->record.count);
        if (result != PLOY_OK) return result;
        agent->improving = true;
    }
    if (!agent->improving) return PLOY_OK;
    result = ploy_htn_step(agent->htn, context->budget);
    if (result == PLOY_IN_PROGRESS) return PLOY_OK;
    agent->improving = false;
    if (result != PLOY_OK || ploy_htn_outcome(agent->htn) != PLOY_SEARCH_FOUND ||
        (agent->begun && !agent->def.watch)) {
        return result;
    }
    // Halfway through a recipe the rest of it may be had by one that comes earlier: "sit down" is
    // done, and an agent that sits need not. That is the same plan by a better name.
    if (!goap_agent_is_rest(agent)) {
        ploy_trace_note(context->trace, "a better recipe takes the place of the one that runs");
        goap_agent_stop(agent, context);
        agent->stats.better++;
    }
    return goap_agent_adopt(agent);
}

static ploy_result goap_agent_act(ploy_goap_agent *agent, ploy_step_context *context) {
    ploy_status status = PLOY_STATUS_RUNNING;
    bool first = !agent->begun;
    int32_t action = PLOY_ARRAY_ITEMS(&agent->plan, int32_t)[agent->place];
    agent->begun = true;
    ploy_result result = agent->hands.act(agent->hands.user, context, action, first, &status);
    if (result != PLOY_OK) return result < PLOY_OK ? result : PLOY_ERR_CALLBACK;
    if (status == PLOY_STATUS_RUNNING) return PLOY_OK;
    agent->begun = false;
    if (status == PLOY_STATUS_SUCCESS) {
        agent->stats.actions++;
        agent->repairs = 0;
        agent->place++;
    } else {
        agent->stats.failed++;
        agent->planned = false; // what the plan counted on is not so
    }
    return PLOY_OK;
}

static ploy_result goap_agent_step(void *self, ploy_step_context *context, ploy_status *status) {
    ploy_goap_agent *agent = self;
    if (agent->changed) goap_agent_forget(agent, context);
    agent->changed = false;
    *status = PLOY_STATUS_RUNNING;
    ploy_result result = PLOY_OK;
    bool looks = !agent->planning && (!agent->begun || agent->def.watch);
    if (looks) {
        result = goap_agent_look(agent, context);
        if (result != PLOY_OK) return result;
        if (agent->recipes == NULL &&
            ployi_goap_world_holds(agent->type, PLOY_ARRAY_ITEMS(&agent->world, uint64_t),
                                   goap_agent_goal(agent), agent->goal.count)) {
            goap_agent_forget(agent, context);
            *status = PLOY_STATUS_SUCCESS;
            return PLOY_OK;
        }
        // While an action runs, the world may be anywhere between before and after it.
        bool between = agent->begun && goap_agent_holds(agent, agent->place + 1);
        if (!between && !goap_agent_repair(agent, context)) {
            goap_agent_forget(agent, context);
        } else if (agent->planned) {
            agent->stats.kept++;
        }
    }
    bool ahead = agent->planned && agent->place < agent->plan.count;
    if (agent->recipes != NULL && ahead) {
        result = goap_agent_improve(agent, context, looks);
        if (result != PLOY_OK) return result;
    }
    if (!agent->planned) {
        bool found = false;
        if (!agent->planning && agent->repairs >= agent->def.max_repairs) {
            *status = PLOY_STATUS_FAILURE;
            return PLOY_OK;
        }
        result = agent->recipes != NULL ? goap_agent_decompose(agent, context, &found)
                                        : goap_agent_think(agent, context, &found);
        if (result == PLOY_IN_PROGRESS) return PLOY_OK;
        if (result != PLOY_OK) return result;
        if (!found) {
            *status = PLOY_STATUS_FAILURE;
            return PLOY_OK;
        }
    }
    if (agent->place >= agent->plan.count && agent->recipes != NULL) {
        goap_agent_forget(agent, context);
        *status = PLOY_STATUS_SUCCESS;
        return PLOY_OK;
    }
    if (agent->place >= agent->plan.count) {
        agent->planned = false; // all done, and the goal does not hold: looks again
        return PLOY_OK;
    }
    return goap_agent_act(agent, context);
}

static ploy_result goap_agent_enter(void *self, ploy_step_context *context) {
    ploy_goap_agent *agent = self;
    goap_agent_forget(agent, context);
    agent->repairs = 0;
    return PLOY_OK;
}

static void goap_agent_exit(void *self, ploy_step_context *context, ploy_exit_reason reason) {
    (void)reason;
    goap_agent_forget(self, context);
}

static void goap_agent_destroy_self(void *self) {
    ploy_goap_agent_destroy(self);
}

// ---- in a file, by the ids of variables, actions, tasks and methods ----

static const char *goap_agent_visit_var(const void *user, uint32_t number) {
    ploy_goap_var var = {number};
    return ployi_goap_type_id(user, var);
}

static const char *goap_agent_visit_action(const void *user, uint32_t number) {
    return ploy_goap_type_action_id(user, (int32_t)number);
}

static const char *goap_agent_visit_task(const void *user, uint32_t number) {
    ploy_htn_task task = {number};
    return ployi_htn_type_id(user, task);
}

// False if a condition means nothing here.
static bool goap_agent_visit_needs(ploy_visit *v, ploy_goap_agent *agent) {
    ploy_visit_table vars = {goap_agent_visit_var,
                             NULL,
                             agent->type,
                             (uint32_t)agent->type->vars.count + 1,
                             "the goal's condition on",
                             "means nothing here: the goal is dropped"};
    int32_t count = ploy_visit_array(v, "goal", PLOY_STATE, &agent->goal, PLOY_GOAP_PARTS_MAX);
    bool valid = true;
    for (int32_t i = 0; i < count; i++) {
        ploy_goap_need *need = PLOY_ARRAY_AT(&agent->goal, ploy_goap_need, i);
        (void)ploy_visit_fixed(v, "need", PLOY_STATE, 3);
        ploy_visit_ref(v, "variable", PLOY_STATE, &need->var.number, &vars);
        ploy_visit_i32_in(v, "test", PLOY_STATE, (int32_t *)&need->test, PLOY_GOAP_EQUAL,
                          PLOY_GOAP_AT_MOST);
        ploy_visit_i32(v, "value", PLOY_STATE, &need->value);
        ploy_visit_end(v);
        valid = valid && ployi_goap_need_valid(agent->type, need);
    }
    ploy_visit_end(v);
    return valid;
}

// The goal; one that means nothing here is replaced by the goal that the agent has.
static void goap_agent_visit_goal(ploy_visit *v, ploy_goap_agent *agent) {
    if (!ploy_visit_tolerates(v)) {
        bool valid = goap_agent_visit_needs(v, agent);
        ploy_visit_check(v, valid, "invalid condition of the goal", NULL);
        return;
    }
    if (agent->fixed) return;
    ploy_array kept = agent->goal;
    ploy_array_init(&agent->goal, sizeof(ploy_goap_need), &agent->env);
    if (goap_agent_visit_needs(v, agent)) {
        ploy_array_fini(&kept);
    } else {
        ploy_array_fini(&agent->goal);
        agent->goal = kept;
    }
}

// The names of the methods behind the plan.
static void goap_agent_visit_methods(ploy_visit *v, ploy_goap_agent *agent) {
    int32_t count = ploy_visit_count(v, "methods", PLOY_SAVED,
                                     agent->planned ? agent->names.count : 0, PLOY_GOAP_PARTS_MAX);
    if (!ploy_visit_resize(v, &agent->names, count < 0 ? 0 : count)) count = 0;
    for (int32_t i = 0; i < count; i++) {
        ploy_name *name = PLOY_ARRAY_AT(&agent->names, ploy_name, i);
        const ploy_json *doc = NULL;
        ploy_json_node node;
        ploy_describe_text(v->describe, "method", PLOY_STATE,
                           ployi_htn_text(agent->recipes, *name));
        ploy_json_writer *json = ploy_visit_writer(v, "method");
        if (json != NULL) ploy_json_write_text(json, ployi_htn_text(agent->recipes, *name));
        if (!ploy_visit_reader(v, "method", &doc, &node, NULL)) continue;
        ploy_name read = ploy_name_of(ploy_json_text(doc, node, NULL));
        ploy_visit_write(v, name, &read, sizeof read);
    }
    ploy_visit_end(v);
}

// The task and the choices behind its plan. False if they mean nothing here.
static bool goap_agent_visit_recipe(ploy_visit *v, ploy_goap_agent *agent) {
    ploy_htn_task before = agent->task;
    ploy_visit_table tasks = {goap_agent_visit_task,
                              NULL,
                              agent->recipes,
                              (uint32_t)ployi_htn_task_count(agent->recipes) + 1,
                              "task",
                              "no longer exists: the present one is begun"};
    bool known = ploy_visit_ref(v, "task", PLOY_STATE, &agent->task.number, &tasks);
    if (known && ploy_visit_loads(v) &&
        (agent->task.number == 0 || (agent->fixed && agent->task.number != before.number))) {
        ploy_visit_lost(v, "task", ployi_htn_type_id(agent->recipes, agent->task),
                        "is not this agent's: the present one is begun");
        known = false;
    }
    if (!known) ploy_visit_write(v, &agent->task, &before, sizeof before);
    goap_agent_visit_methods(v, agent);
    if (!known || !ploy_visit_loads(v) || agent->names.count == 0) return known;
    ploy_result result = ployi_htn_follow(agent->recipes, agent->task, true, &agent->names,
                                          &agent->record, &agent->todo);
    if (result == PLOY_ERR_NOT_FOUND) {
        ploy_visit_lost(v, "the recipe of task", ployi_htn_type_id(agent->recipes, agent->task),
                        "was edited: plans again");
        return false;
    }
    return ploy_visit_result(v, result);
}

// The actions of the plan. False if one that is still to be done is gone.
static bool goap_agent_visit_plan(ploy_visit *v, ploy_goap_agent *agent) {
    ploy_visit_table actions = {goap_agent_visit_action,
                                NULL,
                                agent->type,
                                (uint32_t)agent->type->actions.count,
                                "action",
                                "no longer exists: plans again"};
    int32_t past = 0, none = -1; // actions that were done and are left out, as one of them is gone
    bool known = true;
    int32_t count = ploy_visit_count(v, "plan", PLOY_SAVED, agent->planned ? agent->plan.count : 0,
                                     INT32_MAX / 8);
    if (!ploy_visit_resize(v, &agent->plan, count < 0 ? 0 : count)) count = 0;
    for (int32_t i = 0; i < count; i++) {
        int32_t *action = PLOY_ARRAY_AT(&agent->plan, int32_t, i);
        PLOY_VISIT_WRITE(v, *action, none);
        ploy_visit_ref(v, "action", PLOY_STATE, (uint32_t *)action, &actions);
        if (*action >= 0) continue;
        known = known && i < agent->place;
        past = i + 1;
    }
    ploy_visit_end(v);
    if (!known || past == 0 || !ploy_visit_tolerates(v)) return known;
    int32_t *items = PLOY_ARRAY_ITEMS(&agent->plan, int32_t);
    memmove(items, items + past, (size_t)(count - past) * sizeof *items);
    agent->plan.count -= past;
    agent->place -= past;
    return true;
}

// Whether the file's agent had a task or a goal, as this one has.
static bool goap_agent_visit_purpose(ploy_visit *v, ploy_goap_agent *agent) {
    bool has_task = ploy_visit_optional(v, "task", agent->recipes != NULL);
    if (has_task == (agent->recipes != NULL)) {
        goap_agent_visit_goal(v, agent);
        return !has_task || goap_agent_visit_recipe(v, agent);
    }
    ploy_visit_lost(v, "the agent", "goap agent",
                    has_task ? "had a task and has a goal now: begins again"
                             : "had a goal and has a task now: begins again");
    return false;
}

static void goap_agent_visit_stats(ploy_visit *v, ploy_goap_agent_stats *stats) {
    const int64_t most = INT64_MAX / 2;
    (void)ploy_visit_fixed(v, "stats", PLOY_SAVED, 6);
    ploy_visit_i64_in(v, "plans", PLOY_STATE, &stats->plans, 0, most);
    ploy_visit_i64_in(v, "actions", PLOY_STATE, &stats->actions, 0, most);
    ploy_visit_i64_in(v, "kept", PLOY_NOTE, &stats->kept, 0, most);
    ploy_visit_i64_in(v, "skipped", PLOY_NOTE, &stats->skipped, 0, most);
    ploy_visit_i64_in(v, "failed", PLOY_NOTE, &stats->failed, 0, most);
    ploy_visit_i64_in(v, "better", PLOY_NOTE, &stats->better, 0, most);
    ploy_visit_end(v);
}

static void goap_agent_visit_memory(ploy_visit *v, ploy_goap_agent *agent) {
    ploy_visit_object(v, "goap agent", agent, sizeof *agent);
    PLOY_VISIT_SCRATCH(v, agent->env);
    PLOY_VISIT_SCRATCH(v, agent->def);
    PLOY_VISIT_SCRATCH(v, agent->type);
    PLOY_VISIT_SCRATCH(v, agent->hands);
    PLOY_VISIT_SCRATCH(v, agent->planner);
    PLOY_VISIT_SCRATCH(v, agent->recipes);
    PLOY_VISIT_SCRATCH(v, agent->htn);
    PLOY_VISIT_SCRATCH(v, agent->task); // visited if there are recipes
    PLOY_VISIT_SCRATCH(v, agent->fixed);
    PLOY_VISIT_SCRATCH(v, agent->changed);
    PLOY_VISIT_SCRATCH(v, agent->improving);
    PLOY_VISIT_SCRATCH(v, agent->planning); // the search restarts
    PLOY_VISIT_SCRATCH(v, agent->planned);  // whether there is a plan
    ploy_visit_buffer(v, "goap agent.world", &agent->world);
    ploy_visit_buffer(v, "goap agent.plan", &agent->plan);
    ploy_visit_buffer(v, "goap agent.names", &agent->names);
    ploy_visit_buffer(v, "goap agent.record", &agent->record);
    ploy_visit_buffer(v, "goap agent.todo", &agent->todo);
    if (v->mode != PLOY_VISIT_MEMORY) return;
    ploy_goap_memory(agent->planner, v->memory, v->memory_user);
    if (agent->htn != NULL) ployi_htn_memory(agent->htn, v->memory, v->memory_user);
}

// { "goal": [["ammo", 2, 1]], "task": "attack", "methods": ["rush"], "plan": ["load", "fire"],
//   "place": 1, "begun": true, "repairs": 0, "stats": [1, 1, 0, 0, 0, 0] }
static void goap_agent_visit(ploy_visit *v, void *object) {
    ploy_goap_agent *agent = object;
    if (ploy_visit_tolerates(v)) {
        goap_agent_forget(agent, v->context);
        memset(&agent->stats, 0, sizeof agent->stats);
        agent->repairs = 0;
    }
    goap_agent_visit_memory(v, agent);
    ploy_describe_bool(v->describe, "planning", PLOY_STATE, agent->planning);
    ploy_describe_bool(v->describe, "planned", PLOY_STATE, agent->planned);
    ploy_visit_bool(v, "begun", PLOY_STATE, &agent->begun);
    ploy_visit_i32_in(v, "place", PLOY_STATE, &agent->place, 0, INT32_MAX);
    ploy_visit_i32_in(v, "repairs", PLOY_STATE, &agent->repairs, 0, agent->def.max_repairs);
    goap_agent_visit_stats(v, &agent->stats);
    if (v->describe != NULL) {
        ploy_describe_begin(v->describe, "world");
        ploy_goap_world_describe(agent->type, ploy_goap_agent_world(agent), v->describe);
        ploy_describe_end(v->describe);
        ploy_describe_begin(v->describe, "planner");
        if (agent->recipes != NULL) {
            ploy_htn_describe(agent->htn, v->describe);
        } else {
            ploy_goap_describe(agent->planner, v->describe);
        }
        ploy_describe_end(v->describe);
    }
    bool known = goap_agent_visit_purpose(v, agent);
    known = goap_agent_visit_plan(v, agent) && known;
    if (!ploy_visit_loads(v)) return;
    bool planned = agent->plan.count > 0, no = false;
    if (!ploy_visit_tolerates(v)) {
        ploy_visit_check(v, agent->place <= agent->plan.count, "the place is behind the plan",
                         NULL);
    } else if (!known || !planned || agent->place > agent->plan.count || !ploy_visit_is_ok(v)) {
        goap_agent_clear(agent);
        planned = agent->begun = false;
    }
    PLOY_VISIT_WRITE(v, agent->planned, planned);
    PLOY_VISIT_WRITE(v, agent->changed, no);
    if (agent->place >= agent->plan.count) PLOY_VISIT_WRITE(v, agent->begun, no);
}

void ploy_goap_agent_describe(const ploy_goap_agent *agent, ploy_describe *out) {
    ploy_visit_describe(goap_agent_visit, agent, NULL, out);
}

void ployi_goap_agent_fix(ploy_goap_agent *agent) {
    agent->fixed = true;
}

bool ployi_goap_agent_acts(const ploy_goap_agent *agent, int32_t *action) {
    if (!agent->begun) return false;
    *action = PLOY_ARRAY_ITEMS(&agent->plan, int32_t)[agent->place];
    return true;
}

void ployi_goap_agent_drop(ploy_goap_agent *agent) {
    agent->begun = false;
}

ploy_behavior ploy_goap_agent_behavior(ploy_goap_agent *agent) {
    static const ploy_behavior_type type = {.name = "goap agent",
                                            .enter = goap_agent_enter,
                                            .step = goap_agent_step,
                                            .exit = goap_agent_exit,
                                            .destroy = goap_agent_destroy_self,
                                            .visit = goap_agent_visit};
    ploy_behavior behavior = {&type, agent};
    return behavior;
}

int32_t ploy_goap_agent_plan(const ploy_goap_agent *agent, const int32_t **out, int32_t *place) {
    if (out != NULL) *out = PLOY_ARRAY_ITEMS(&agent->plan, int32_t);
    if (place != NULL) *place = agent->place;
    return agent->planned ? agent->plan.count : 0;
}

void ploy_goap_agent_explain(ploy_goap_agent *agent, ploy_writer *writer) {
    if (agent->planned) return;
    if (agent->recipes != NULL) {
        ploy_htn_explain(agent->htn, writer);
    } else {
        (void)ploy_goap_explain(agent->planner, writer);
    }
}

const uint64_t *ploy_goap_agent_world(const ploy_goap_agent *agent) {
    return PLOY_ARRAY_ITEMS(&agent->world, uint64_t);
}

ploy_goap_agent_stats ploy_goap_agent_stats_of(const ploy_goap_agent *agent) {
    return agent->stats;
}
