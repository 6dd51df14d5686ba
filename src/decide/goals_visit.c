// A tree of goals in a file, by the names of their types.
//
//     { "status": "active",
//       "goals": [ { "goal": "buy sword", "depth": 1, "status": "active", "replans": 1,
//                    "replanned": 3.5, "params": ["00ff"], "data": [] },
//                  { "goal": "follow path", "depth": 2, "status": "active",
//                    "own": what the type's save wrote } ] }
//
// Goals are in the order of lines, so that the parent of one is the last before it that lies one
// level higher. Bytes leave out the zeros at their end. Of the flags suspended, repeat and reported
// only those that are set are written.
//
// A goal that cannot be taken up goes with all below it, and the goal that needed it plans again.
#include "goals_internal.h"

#include <string.h>

static const char *goals_visit_status(int32_t status) {
    return ploy_goal_status_text((ploy_goal_status)status);
}

static const ploy_goal_type *goals_load_type(const ploy_goals *goals, const char *name) {
    for (int32_t i = 0; i < goals->known.count; i++) {
        const ploy_goal_type *type = PLOY_ARRAY_ITEMS(&goals->known, const ploy_goal_type *)[i];
        if (strcmp(type->name, name) == 0) return type;
    }
    return NULL;
}

ploy_result ploy_goals_register(ploy_goals *goals, const ploy_goal_type *const *types,
                                int32_t count) {
    if (goals == NULL || count < 0 || (count > 0 && types == NULL)) return PLOY_ERR_ARGUMENT;
    for (int32_t i = 0; i < count; i++) {
        if (types[i] == NULL || types[i]->name == NULL) return PLOY_ERR_ARGUMENT;
        const ploy_goal_type *known = goals_load_type(goals, types[i]->name);
        for (int32_t k = 0; k < i && known == NULL; k++) {
            if (strcmp(types[k]->name, types[i]->name) == 0) known = types[k];
        }
        if (known != NULL && known != types[i]) return PLOY_ERR_EXISTS;
    }
    ploy_result result = ploy_array_reserve(&goals->known, goals->known.count + count);
    if (result != PLOY_OK) return result;
    for (int32_t i = 0; i < count; i++) {
        if (goals_load_type(goals, types[i]->name) != NULL) continue;
        (void)ploy_array_push(&goals->known, &types[i]); // there is room
    }
    return PLOY_OK;
}

// ---- a goal ----

// A flag that the file has only if it is set.
static void goals_visit_flag(ploy_visit *v, const char *key, ploy_mark mark, bool *flag) {
    bool no = false;
    if (ploy_visit_optional(v, key, *flag)) {
        ploy_visit_bool(v, key, mark, flag);
        return;
    }
    if (mark == PLOY_STATE) ploy_describe_bool(v->describe, key, PLOY_STATE, false);
    PLOY_VISIT_WRITE(v, *flag, no);
    PLOY_VISIT_SCRATCH(v, *flag);
}

// What its type keeps of it. False if that means nothing here.
static bool goals_visit_own(ploy_visit *v, ploy_goals *goals, int32_t index) {
    ployi_goals_node *node = &goals->nodes[index];
    if (v->describe != NULL && node->type->describe != NULL) {
        node->type->describe(node->params, node->data, v->describe);
    }
    if (node->type->save == NULL && node->type->load == NULL) {
        bool params =
            ploy_visit_trimmed(v, "params", PLOY_SAVED, node->params, sizeof node->params);
        return ploy_visit_trimmed(v, "data", PLOY_SAVED, node->data, sizeof node->data) && params;
    }
    PLOY_VISIT_SCRATCH(v, node->params);
    PLOY_VISIT_SCRATCH(v, node->data);
    const ploy_json *doc = NULL;
    ploy_json_node saved = ploy_json_none();
    ploy_json_writer *json = node->type->save != NULL ? ploy_visit_writer(v, "own") : NULL;
    if (json != NULL) node->type->save(node->params, node->data, json);
    if (!ploy_visit_loads(v)) return true;
    if (node->type->load == NULL || !ploy_visit_reader(v, "own", &doc, &saved, NULL)) return false;
    ploy_goal_turn turn = ployi_goals_turn(goals, index, v->context);
    ploy_result result = node->type->load(&turn, node->params, doc, saved);
    if (result == PLOY_ERR_FORMAT) return false;
    return ploy_visit_result(v, result > PLOY_OK ? PLOY_ERR_CALLBACK : result);
}

// Its behavior, if it was active; one that is not any more begins again.
static void goals_visit_nested(ploy_visit *v, ploy_goals *goals, int32_t index) {
    ployi_goals_node *node = &goals->nodes[index];
    ploy_nested *nested = ployi_goals_nested_of(goals, index);
    if (nested == NULL || v->mode == PLOY_VISIT_MEMORY) return;
    ploy_nested_describe(nested, v->describe);
    if (ploy_visit_loads(v)) {
        if (node->status != PLOY_GOAL_ACTIVE || node->suspended) return;
        const ploy_json *doc = NULL;
        ploy_json_node saved;
        bool there = ploy_visit_optional(v, "behavior", true) &&
                     ploy_visit_reader(v, "behavior", &doc, &saved, NULL);
        if (!there || ploy_json_type_of(doc, saved) != PLOY_JSON_OBJECT) {
            node->status = PLOY_GOAL_INACTIVE; // it was not entered, or the type had none then
            return;
        }
    }
    ploy_visit_nested(v, "behavior", PLOY_SAVED, nested, &goals->env, node->type->name);
}

// One goal that is in its place. False if a load means nothing.
static bool goals_visit_node(ploy_visit *v, ploy_goals *goals, int32_t index) {
    ployi_goals_node *node = &goals->nodes[index];
    ploy_visit_struct(v, "goal", node, sizeof *node);
    PLOY_VISIT_SCRATCH(v, node->type);
    PLOY_VISIT_SCRATCH(v, node->generation);
    PLOY_VISIT_SCRATCH(v, node->parent); // links and depth follow from the order of lines
    PLOY_VISIT_SCRATCH(v, node->first);
    PLOY_VISIT_SCRATCH(v, node->last);
    PLOY_VISIT_SCRATCH(v, node->next);
    PLOY_VISIT_SCRATCH(v, node->depth);
    PLOY_VISIT_SCRATCH(v, node->nested);
    PLOY_VISIT_SCRATCH(v, node->replanned);
    PLOY_VISIT_ENUM(v, "status", PLOY_STATE, node->status, goals_visit_status,
                    PLOY_GOAL_FAILED + 1);
    goals_visit_flag(v, "suspended", PLOY_STATE, &node->suspended);
    goals_visit_flag(v, "repeat", PLOY_SAVED, &node->repeat);
    goals_visit_flag(v, "reported", PLOY_SAVED, &node->reported);
    if (node->repeat) ploy_describe_bool(v->describe, "repeat", PLOY_STATE, true);
    if (node->reported) ploy_describe_bool(v->describe, "reported", PLOY_STATE, true);
    if (ploy_visit_optional(v, "replans", node->replans > 0)) {
        ploy_visit_i32_in(v, "replans", PLOY_STATE, &node->replans, 0, INT32_MAX);
        ploy_visit_f64(v, "replanned", PLOY_STATE, &node->replanned);
    } else {
        PLOY_VISIT_SCRATCH(v, node->replans);
        ploy_describe_i64(v->describe, "replans", PLOY_STATE, node->replans);
    }
    bool fits = !(node->type->once && node->repeat) && goals_visit_own(v, goals, index);
    if (fits || !ploy_visit_loads(v)) goals_visit_nested(v, goals, index);
    return fits;
}

// ---- loading ----

typedef struct goals_levels {
    int32_t at[PLOY_GOAL_DEPTH_MAX + 1]; // the last goal of each level; PLOYI_GOALS_NONE: dropped
    int32_t depth;                       // of the goal before
} goals_levels;

// A goal that lost one of its subgoals plans again. The root only goes on to the next.
static void goals_load_replan(ploy_goals *goals, ploy_step_context *context, int32_t parent) {
    ployi_goals_node *node = &goals->nodes[parent];
    if (parent > 0 && node->status == PLOY_GOAL_ACTIVE) {
        ploy_goal goal = {{(uint32_t)parent, node->generation}};
        ploy_goals_clear(goals, context, goal);
        node->status = PLOY_GOAL_INACTIVE;
        node->suspended = false;
    }
}

// Takes up the goal of the open item. @return what is wrong with it, or NULL.
static const char *goals_load_goal(ploy_visit *v, ploy_goals *goals, goals_levels *levels,
                                   int32_t depth) {
    const ploy_goal_type *type = goals_load_type(goals, ploy_visit_peek(v, "goal"));
    if (type == NULL) return "is of a type that is not known";
    int32_t above = levels->at[depth - 1];
    if (above > 0 && !goals->nodes[above].type->composite)
        return "is inside a goal that can have no parts";
    ploy_goal parent = {{(uint32_t)above, goals->nodes[above].generation}}, goal;
    ploy_result added =
        ploy_goals_add(goals, v->context, parent, PLOY_GOAL_REAR, type, NULL, 0, &goal);
    if (added != PLOY_OK) return "has no room";
    int32_t index = (int32_t)goal.id.index;
    if (goals_visit_node(v, goals, index)) {
        levels->at[depth] = index;
        return NULL;
    }
    // Terminated as it is, with zeros for what it did not get: no hook may count on more.
    (void)ploy_goals_remove(goals, v->context, goal);
    return "has values that mean nothing";
}

static void goals_load_item(ploy_visit *v, ploy_goals *goals, goals_levels *levels) {
    int64_t depth = 0;
    const char *name = ploy_visit_peek(v, "goal");
    (void)ploy_visit_reader(v, "goal", NULL, NULL, NULL);
    if (!ploy_visit_packed(v, "depth", PLOY_STATE, 0, 1, PLOY_GOAL_DEPTH_MAX, &depth) ||
        depth > levels->depth + 1) {
        ploy_visit_lost(v, "goal", name, "lies at no level: dropped");
        return;
    }
    levels->depth = (int32_t)depth;
    levels->at[depth] = PLOYI_GOALS_NONE;
    if (levels->at[depth - 1] == PLOYI_GOALS_NONE) return; // reported with what it lies below
    const char *wrong = goals_load_goal(v, goals, levels, levels->depth);
    if (wrong == NULL) return;
    ploy_visit_lost(v, "goal", name, wrong);
    // What else the parent needs comes with its new plan.
    int32_t parent = levels->at[depth - 1];
    if (parent == 0) return;
    goals_load_replan(goals, v->context, parent);
    levels->at[depth - 1] = PLOYI_GOALS_NONE;
}

// ---- the tree ----

static void goals_visit_members(ploy_visit *v, ploy_goals *goals) {
    ploy_visit_block(v, "goals", goals, goals->size);
    ploy_visit_struct(v, "goals", goals, sizeof *goals);
    PLOY_VISIT_SCRATCH(v, goals->env);
    PLOY_VISIT_SCRATCH(v, goals->def);
    PLOY_VISIT_SCRATCH(v, goals->owner);
    PLOY_VISIT_SCRATCH(v, goals->size);
    PLOY_VISIT_SCRATCH(v, goals->made_of);
    PLOY_VISIT_SCRATCH(v, goals->count); // follows from the list
    PLOY_VISIT_SCRATCH(v, goals->free);
    ploy_visit_buffer(v, "goals.known", &goals->known);
    ploy_visit_buffer(v, "goals.pool", &goals->pool);
    for (int32_t i = 0; i < goals->pool.count && v->mode == PLOY_VISIT_MEMORY; i++) {
        ployi_goals_nested *place = PLOY_ARRAY_AT(&goals->pool, ployi_goals_nested, i);
        ploy_visit_nested(v, "behavior", PLOY_DERIVED, &place->nested, &goals->env, NULL);
    }
}

// Goals are made by a load, so that a failed one is not undone.
void ployi_goals_visit(ploy_visit *v, void *object) {
    ploy_goals *goals = object;
    if (ploy_visit_loads(v)) {
        if (!ploy_visit_result(v, goals->count > 0 ? PLOY_ERR_STATE : PLOY_OK)) return;
        ployi_goals_own(goals, v->context);
    }
    goals_visit_members(v, goals);
    PLOY_VISIT_ENUM(v, "status", PLOY_STATE, goals->nodes[0].status, goals_visit_status,
                    PLOY_GOAL_FAILED + 1);
    goals_levels levels = {{0}, 0};
    int32_t line = 0, at = 0;
    int32_t count = ploy_visit_count(v, "goals", PLOY_SAVED, goals->count, INT32_MAX);
    for (; ploy_visit_loads(v) && line < count && ploy_visit_is_ok(v); line++) {
        ploy_visit_begin_item(v, line, PLOY_STATE);
        goals_load_item(v, goals, &levels);
        ploy_visit_end(v);
    }
    while (!ploy_visit_loads(v) && (at = ployi_goals_after(goals, at)) >= 0) {
        int64_t unread = 0;
        ploy_visit_begin_item(v, line++, PLOY_STATE);
        ploy_describe_text(v->describe, "goal", PLOY_STATE, goals->nodes[at].type->name);
        ploy_json_writer *json = ploy_visit_writer(v, "goal");
        if (json != NULL) ploy_json_write_text(json, goals->nodes[at].type->name);
        (void)ploy_visit_packed(v, "depth", PLOY_STATE, goals->nodes[at].depth, 1,
                                PLOY_GOAL_DEPTH_MAX, &unread);
        (void)goals_visit_node(v, goals, at);
        ploy_visit_end(v);
    }
    ploy_visit_end(v);
}
