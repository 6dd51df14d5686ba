// A character that pursues a goal by plans; described in the header.
//
// Invariants: (1) place is the action that runs or comes next; (2) `begun` is true exactly between
// the first step of an action and its end; (3) planning is true while a planner is at work for a
// first plan, improving while recipes are looked through for a better one; (4) with a task the goal
// is empty, and names and record are of the plan.
#include "ploy/decide/goap_agent.h"

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
    bool fixed; // what it wants is its definition's, not the file's
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
        ploy_htn_type_id(recipes, task)[0] == '\0') {
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

static void goap_agent_forget(ploy_goap_agent *agent, ploy_step_context *context) {
    goap_agent_stop(agent, context);
    if (agent->planning && agent->recipes == NULL) ploy_goap_cancel(agent->planner);
    ploy_array_clear(&agent->plan);
    ploy_array_clear(&agent->names);
    ploy_array_clear(&agent->record);
    agent->place = 0;
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
    if (agent->recipes != NULL) return false; // what a recipe wants done is done
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
    // done, and whoever sits needs not. That is the same plan by a better name.
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
            ploy_goap_world_holds(agent->type, PLOY_ARRAY_ITEMS(&agent->world, uint64_t),
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

static void goap_agent_describe_self(const void *self, ploy_describe *out) {
    ploy_goap_agent_describe(self, out);
}

// ---- in a file, by the ids of variables and actions ----

static void goap_agent_save(const void *self, ploy_json_writer *out) {
    const ploy_goap_agent *agent = self;
    ploy_json_write_begin_object(out);
    ploy_json_write_key(out, "goal");
    ploy_json_write_begin_array(out);
    for (int32_t i = 0; i < agent->goal.count; i++) {
        const ploy_goap_need *need = &goap_agent_goal(agent)[i];
        ploy_json_write_begin_row(out);
        ploy_json_write_text(out, ploy_goap_type_id(agent->type, need->var));
        ploy_json_write_i64(out, need->test);
        ploy_json_write_i64(out, need->value);
        ploy_json_write_end_array(out);
    }
    ploy_json_write_end_array(out);
    if (agent->recipes != NULL) {
        ployi_save_text(out, "task", ploy_htn_type_id(agent->recipes, agent->task));
        ploy_json_write_key(out, "methods");
        ploy_json_write_begin_array(out);
        for (int32_t i = 0; i < agent->names.count && agent->planned; i++) {
            ploy_json_write_text(
                out, ployi_htn_text(agent->recipes, PLOY_ARRAY_ITEMS(&agent->names, ploy_name)[i]));
        }
        ploy_json_write_end_array(out);
    }
    ploy_json_write_key(out, "plan");
    ploy_json_write_begin_array(out);
    for (int32_t i = 0; i < agent->plan.count && agent->planned; i++) {
        ploy_json_write_text(
            out, ploy_goap_type_action_id(agent->type, PLOY_ARRAY_ITEMS(&agent->plan, int32_t)[i]));
    }
    ploy_json_write_end_array(out);
    ploy_json_write_key(out, "place");
    ploy_json_write_i64(out, agent->place);
    ploy_json_write_key(out, "begun");
    ploy_json_write_bool(out, agent->begun);
    ploy_json_write_key(out, "repairs");
    ploy_json_write_i64(out, agent->repairs);
    const int64_t counts[] = {agent->stats.plans,   agent->stats.actions, agent->stats.kept,
                              agent->stats.skipped, agent->stats.failed,  agent->stats.better};
    ploy_json_write_key(out, "stats");
    ploy_json_write_begin_row(out);
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        ploy_json_write_i64(out, counts[i]);
    }
    ploy_json_write_end_array(out);
    ploy_json_write_end_object(out);
}

static void goap_agent_load_stats(ploy_goap_agent *agent, const ploy_json *doc,
                                  ploy_json_node stats) {
    int64_t *const counts[] = {&agent->stats.plans,   &agent->stats.actions, &agent->stats.kept,
                               &agent->stats.skipped, &agent->stats.failed,  &agent->stats.better};
    for (int32_t i = 0; i < (int32_t)(sizeof counts / sizeof counts[0]); i++) {
        int64_t count = 0;
        (void)ploy_json_i64(doc, ploy_json_at(doc, stats, i), &count);
        *counts[i] = count > 0 && count < INT64_MAX / 2 ? count : 0;
    }
}

// Takes up the goal if it knows all its variables; else the agent keeps the one it has.
static ploy_result goap_agent_load_goal(ploy_goap_agent *agent, const ploy_json *doc,
                                        ploy_json_node goal, ploy_diags *diags) {
    int32_t count = ploy_json_count(doc, goal);
    if (count > PLOY_GOAP_PARTS_MAX) return PLOY_ERR_LIMIT;
    ploy_array needs;
    ploy_array_init(&needs, sizeof(ploy_goap_need), &agent->env);
    ploy_result result = PLOY_OK;
    bool known = true;
    for (int32_t i = 0; i < count && result == PLOY_OK; i++) {
        ploy_json_node item = ploy_json_at(doc, goal, i);
        const char *id = ploy_json_text(doc, ploy_json_at(doc, item, 0), NULL);
        int64_t test = 0, value = 0;
        (void)ploy_json_i64(doc, ploy_json_at(doc, item, 1), &test);
        (void)ploy_json_i64(doc, ploy_json_at(doc, item, 2), &value);
        ploy_goap_need need = ploy_goap_need_make(ploy_goap_type_find(agent->type, id),
                                                  (ploy_goap_test)test, (int32_t)value);
        if (test < PLOY_GOAP_EQUAL || test > PLOY_GOAP_AT_MOST || value != need.value ||
            !ployi_goap_need_valid(agent->type, &need)) {
            ploy_behavior_lost(doc, item, diags, "the goal's condition on", id,
                               "means nothing here: the goal is dropped");
            known = false;
        } else {
            result = ploy_array_push(&needs, &need);
        }
    }
    if (result == PLOY_OK && known) {
        result = ploy_goap_agent_set_goal(agent, PLOY_ARRAY_ITEMS(&needs, ploy_goap_need), count);
    }
    ploy_array_fini(&needs);
    return result;
}

// Takes up the task and the choices behind its plan. *known is false if they mean nothing here.
static ploy_result goap_agent_load_task(ploy_goap_agent *agent, const ploy_json *doc,
                                        ploy_json_node state, ploy_diags *diags, bool *known) {
    ploy_json_node task = ploy_json_member(doc, state, "task");
    ploy_json_node methods = ploy_json_member(doc, state, "methods");
    const char *id = ploy_json_text(doc, task, NULL);
    ploy_htn_task found = ploy_htn_type_find(agent->recipes, id);
    *known = found.number != 0 && (!agent->fixed || found.number == agent->task.number);
    if (!*known) {
        ploy_behavior_lost(doc, task, diags, "task", id, "is gone: the present one is begun");
        return PLOY_OK;
    }
    ploy_result result = ploy_goap_agent_set_task(agent, agent->recipes, found);
    if (result == PLOY_OK) {
        result = ploy_array_resize(&agent->names, ploy_json_count(doc, methods));
    }
    if (result != PLOY_OK) return result;
    for (int32_t i = 0; i < agent->names.count; i++) {
        PLOY_ARRAY_ITEMS(&agent->names, ploy_name)
        [i] = ploy_name_of(ploy_json_text(doc, ploy_json_at(doc, methods, i), NULL));
    }
    if (agent->names.count == 0) return PLOY_OK; // there was no plan
    result =
        ployi_htn_follow(agent->recipes, found, true, &agent->names, &agent->record, &agent->todo);
    if (result != PLOY_ERR_NOT_FOUND) return result;
    ploy_behavior_lost(doc, methods, diags, "the recipe of task", id, "was edited: plans again");
    *known = false;
    return PLOY_OK;
}

static ploy_result goap_agent_load(void *self, ploy_step_context *context, const ploy_json *doc,
                                   ploy_json_node state, ploy_diags *diags) {
    ploy_goap_agent *agent = self;
    goap_agent_forget(agent, context);
    bool known = true;
    ploy_json_node task = ploy_json_member(doc, state, "task");
    ploy_result result = PLOY_OK;
    goap_agent_load_stats(agent, doc, ploy_json_member(doc, state, "stats"));
    if (agent->recipes != NULL && !ploy_json_is_none(task)) {
        result = goap_agent_load_task(agent, doc, state, diags, &known);
    } else if (agent->recipes == NULL && ploy_json_is_none(task)) {
        if (!agent->fixed)
            result = goap_agent_load_goal(agent, doc, ploy_json_member(doc, state, "goal"), diags);
    } else {
        ploy_behavior_lost(doc, state, diags, "the agent", "goap agent",
                           agent->recipes != NULL ? "had a goal and has a task now: restarts"
                                                  : "had a task and has a goal now: restarts");
        known = false;
    }
    if (result != PLOY_OK) return result;
    ploy_json_node plan = ploy_json_member(doc, state, "plan");
    int32_t count = ploy_json_count(doc, plan);
    int64_t place = 0, repairs = 0;
    bool begun = false;
    (void)ploy_json_i64(doc, ploy_json_member(doc, state, "place"), &place);
    (void)ploy_json_i64(doc, ploy_json_member(doc, state, "repairs"), &repairs);
    (void)ploy_json_bool(doc, ploy_json_member(doc, state, "begun"), &begun);
    result = ploy_array_resize(&agent->plan, count);
    if (result != PLOY_OK) return result;
    known = known && count > 0 && place >= 0 && place <= count;
    int32_t past = 0; // actions that were done and are left out because one of them is gone
    for (int32_t i = 0; i < count; i++) {
        const char *id = ploy_json_text(doc, ploy_json_at(doc, plan, i), NULL);
        int32_t action = ploy_goap_type_find_action(agent->type, id);
        if (action < 0 && i < place) {
            past = i + 1;
        } else if (action < 0) {
            ploy_behavior_lost(doc, ploy_json_at(doc, plan, i), diags, "action", id,
                               "is gone: plans again");
            known = false;
        }
        PLOY_ARRAY_ITEMS(&agent->plan, int32_t)[i] = action;
    }
    agent->repairs = repairs >= 0 && repairs < agent->def.max_repairs ? (int32_t)repairs : 0;
    agent->changed = false;
    if (!known) {
        ploy_array_clear(&agent->plan);
        ploy_array_clear(&agent->names);
        ploy_array_clear(&agent->record);
        return PLOY_OK;
    }
    if (past > 0) {
        int32_t *actions = PLOY_ARRAY_ITEMS(&agent->plan, int32_t);
        memmove(actions, actions + past, (size_t)(count - past) * sizeof *actions);
        (void)ploy_array_resize(&agent->plan, count - past);
        place -= past;
        count -= past;
    }
    agent->planned = true;
    agent->place = (int32_t)place;
    agent->begun = begun && place < count;
    return PLOY_OK;
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
                                            .describe = goap_agent_describe_self,
                                            .save = goap_agent_save,
                                            .load = goap_agent_load};
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

void ploy_goap_agent_describe(const ploy_goap_agent *agent, ploy_describe *out) {
    ploy_describe_bool(out, "planning", PLOY_STATE, agent->planning);
    ploy_describe_bool(out, "planned", PLOY_STATE, agent->planned);
    ploy_describe_bool(out, "begun", PLOY_STATE, agent->begun);
    ploy_describe_i64(out, "place", PLOY_STATE, agent->place);
    ploy_describe_i64(out, "repairs", PLOY_STATE, agent->repairs);
    ploy_describe_i64(out, "plans", PLOY_STATE, agent->stats.plans);
    ploy_describe_i64(out, "actions", PLOY_STATE, agent->stats.actions);
    ploy_describe_begin(out, "world");
    ploy_goap_world_describe(agent->type, ploy_goap_agent_world(agent), out);
    ploy_describe_end(out);
    ploy_describe_begin(out, "planner");
    if (agent->recipes != NULL) {
        ploy_htn_describe(agent->htn, out);
    } else {
        ploy_goap_describe(agent->planner, out);
    }
    ploy_describe_end(out);
}
