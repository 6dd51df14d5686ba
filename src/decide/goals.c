// Goal-driven behavior; the technique is described in the header.
//
// Goals are places of one array; links are indexes, 0 the root. Invariants:
//   (1) a place is free (type NULL, on the free list) or a goal with a living parent;
//   (2) children of a goal are a chain from first to last;
//   (3) a goal is suspended only if it was active, and only behind another one or below such;
//   (4) terminate is called when a place becomes free and never else.
#include "goals_internal.h"

#include "decide/decide_internal.h"

#include <string.h>

static const ploy_field goals_fields[] = {
    PLOY_FIELD_I32_FIXED(ploy_goals_def, capacity, 64, 1, 65535, "", "most goals at a time"),
    PLOY_FIELD_BOOL(ploy_goals_def, literal, 0, "a failure set between two steps is lost"),
    PLOY_FIELD_BOOL(ploy_goals_def, immediate, 0, "plans again in the same step"),
};

const char *ploy_goal_status_text(ploy_goal_status status) {
    static const char *const texts[] = {"inactive", "active", "completed", "failed"};
    return (uint32_t)status < 4 ? texts[status] : "?";
}

ploy_fields ploy_goals_fields(void) {
    return PLOY_FIELDS(ploy_goals_def, goals_fields);
}

ploy_goals_def ploy_goals_def_default(void) {
    ploy_goals_def def;
    ploy_fields_default(ploy_goals_fields(), &def);
    return def;
}

ploy_result ploy_goals_create(const ploy_goals_def *def, void *owner, const ploy_env *env,
                              ploy_goals **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_goals_fields(), def, env);
    if (result != PLOY_OK) return result;
    size_t size = 0;
    if (!ploy_size_add_array(sizeof(ploy_goals), (int64_t)def->capacity + 1,
                             sizeof(ployi_goals_node), &size)) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_goals *goals = ploy_env_alloc_zero(env, size);
    if (goals == NULL) return PLOY_ERR_MEMORY;
    goals->env = *env;
    goals->def = *def;
    goals->owner = owner;
    goals->size = size;
    ploy_array_init(&goals->known, sizeof(const ploy_goal_type *), env);
    ploy_array_init(&goals->pool, sizeof(ployi_goals_nested), env);
    for (int32_t i = def->capacity; i >= 0; i--) {
        ployi_goals_node *node = &goals->nodes[i];
        node->generation = 1;
        node->parent = node->first = node->last = PLOYI_GOALS_NONE;
        node->next = i > 0 && i < def->capacity ? i + 1 : PLOYI_GOALS_NONE;
    }
    goals->free = 1;
    *out = goals;
    return PLOY_OK;
}

static ploy_goal goals_handle(const ploy_goals *goals, int32_t index) {
    ploy_goal goal = {{0, 0}};
    if (index >= 0) {
        goal.id.index = (uint32_t)index;
        goal.id.generation = goals->nodes[index].generation;
    }
    return goal;
}

// The place of a goal, PLOYI_GOALS_NONE if it is gone.
static int32_t goals_index(const ploy_goals *goals, ploy_goal goal) {
    if (goal.id.generation == 0 || goal.id.index > (uint32_t)goals->def.capacity)
        return PLOYI_GOALS_NONE;
    const ployi_goals_node *node = &goals->nodes[goal.id.index];
    if (node->generation != goal.id.generation) return PLOYI_GOALS_NONE;
    return goal.id.index == 0 || node->type != NULL ? (int32_t)goal.id.index : PLOYI_GOALS_NONE;
}

ploy_goal_turn ployi_goals_turn(ploy_goals *goals, int32_t index, ploy_step_context *context) {
    ployi_goals_node *node = &goals->nodes[index];
    ploy_goal_turn turn = {
        goals, goals_handle(goals, index), context, goals->owner, node->params, node->data};
    return turn;
}

// ---- behaviors of goals

ploy_nested *ployi_goals_nested_of(const ploy_goals *goals, int32_t index) {
    int32_t number = goals->nodes[index].nested;
    return number > 0 ? &PLOY_ARRAY_AT(&goals->pool, ployi_goals_nested, number - 1)->nested : NULL;
}

// A behavior for a goal of the type: one that waits, or a new one. *out counts from 1.
static ploy_result goals_take_nested(ploy_goals *goals, const ploy_goal_type *type, int32_t *out) {
    for (int32_t i = 0; i < goals->pool.count; i++) {
        ployi_goals_nested *item = PLOY_ARRAY_AT(&goals->pool, ployi_goals_nested, i);
        if (item->used || item->type != type) continue;
        item->used = true;
        *out = i + 1;
        return PLOY_OK;
    }
    ployi_goals_nested item;
    memset(&item, 0, sizeof item);
    item.type = type;
    item.used = true;
    ploy_result result = ploy_array_reserve(&goals->pool, goals->pool.count + 1);
    if (result == PLOY_OK) result = ploy_nested_make(&item.nested, type->maker, &goals->env);
    if (result != PLOY_OK) return result;
    (void)ploy_array_push(&goals->pool, &item); // there is room
    *out = goals->pool.count;
    return PLOY_OK;
}

static void goals_exit_nested(ploy_goals *goals, ploy_step_context *context, int32_t index) {
    ploy_nested *nested = ployi_goals_nested_of(goals, index);
    ploy_step_context nothing; // when the tree is destroyed
    memset(&nothing, 0, sizeof nothing);
    if (nested == NULL) return;
    ploy_nested_exit(nested, context != NULL ? context : &nothing, PLOY_EXIT_INTERRUPTED);
}

static ploy_goal_status goals_nested_status(ploy_status status) {
    return status == PLOY_STATUS_RUNNING   ? PLOY_GOAL_ACTIVE
           : status == PLOY_STATUS_FAILURE ? PLOY_GOAL_FAILED
                                           : PLOY_GOAL_COMPLETED;
}

static void goals_free(ploy_goals *goals, ploy_step_context *context, int32_t index);

// Frees what is below a place, first to last.
static void goals_free_below(ploy_goals *goals, ploy_step_context *context, int32_t index) {
    ployi_goals_node *node = &goals->nodes[index];
    while (node->first >= 0) {
        int32_t child = node->first;
        node->first = goals->nodes[child].next;
        if (node->first < 0) node->last = PLOYI_GOALS_NONE;
        goals_free(goals, context, child); // as deep as PLOY_GOAL_DEPTH_MAX
    }
}

// Frees a place with all below it, the deepest first.
static void goals_free(ploy_goals *goals, ploy_step_context *context, int32_t index) {
    ployi_goals_node *node = &goals->nodes[index];
    goals_free_below(goals, context, index);
    goals_exit_nested(goals, context, index);
    if (node->nested > 0) {
        PLOY_ARRAY_AT(&goals->pool, ployi_goals_nested, node->nested - 1)->used = false;
    }
    if (node->type->terminate != NULL) {
        ploy_goal_turn turn = ployi_goals_turn(goals, index, context);
        node->type->terminate(&turn);
    }
    uint32_t generation = node->generation + 1;
    memset(node, 0, sizeof *node);
    node->generation = generation != 0 ? generation : 1;
    node->parent = node->first = node->last = PLOYI_GOALS_NONE;
    node->next = goals->free;
    goals->free = index;
    goals->count--;
}

void ploy_goals_clear(ploy_goals *goals, ploy_step_context *context, ploy_goal goal) {
    int32_t index = goals_index(goals, goal);
    if (index >= 0) goals_free_below(goals, context, index);
}

void ploy_goals_destroy(ploy_goals *goals) {
    if (goals == NULL) return;
    ploy_goals_clear(goals, NULL, ploy_goals_root(goals));
    ploy_env env = goals->env;
    ploy_array_fini(&goals->known);
    for (int32_t i = goals->pool.count - 1; i >= 0; i--) {
        ploy_nested_destroy(&PLOY_ARRAY_AT(&goals->pool, ployi_goals_nested, i)->nested);
    }
    ploy_array_fini(&goals->pool);
    ploy_env_free(&env, goals, goals->size);
}

ploy_goal ploy_goals_root(const ploy_goals *goals) {
    return goals_handle(goals, 0);
}

// Takes a child out of its parent's chain.
static void goals_unlink(ploy_goals *goals, int32_t index) {
    ployi_goals_node *parent = &goals->nodes[goals->nodes[index].parent];
    int32_t before = PLOYI_GOALS_NONE;
    for (int32_t i = parent->first; i != index; i = goals->nodes[i].next) before = i;
    if (before >= 0) {
        goals->nodes[before].next = goals->nodes[index].next;
    } else {
        parent->first = goals->nodes[index].next;
    }
    if (parent->last == index) parent->last = before;
    goals->nodes[index].next = PLOYI_GOALS_NONE;
}

bool ploy_goals_remove(ploy_goals *goals, ploy_step_context *context, ploy_goal goal) {
    int32_t index = goals_index(goals, goal);
    if (index <= 0) return false;
    goals_unlink(goals, index);
    goals_free(goals, context, index);
    return true;
}

// Suspends the front chain from a goal down, the deepest first: what acts lets go first.
static void goals_suspend(ploy_goals *goals, ploy_step_context *context, int32_t index) {
    ployi_goals_node *node = &goals->nodes[index];
    if (node->status != PLOY_GOAL_ACTIVE || node->suspended) return;
    if (node->first >= 0) goals_suspend(goals, context, node->first);
    node->suspended = 1;
    goals_exit_nested(goals, context, index);
    ploy_goal_turn turn = ployi_goals_turn(goals, index, context);
    if (node->type->suspend != NULL) node->type->suspend(&turn);
}

void ployi_goals_append(ploy_goals *goals, int32_t parent, int32_t index) {
    ployi_goals_node *above = &goals->nodes[parent];
    goals->nodes[index].next = PLOYI_GOALS_NONE;
    if (above->last >= 0) {
        goals->nodes[above->last].next = index;
    } else {
        above->first = index;
    }
    above->last = index;
}

ploy_result ploy_goals_add(ploy_goals *goals, ploy_step_context *context, ploy_goal parent,
                           ploy_goal_place place, const ploy_goal_type *type, const void *params,
                           size_t size, ploy_goal *out) {
    int32_t above = goals_index(goals, parent);
    if (above < 0 || type == NULL || size > PLOY_GOAL_PARAMS_MAX || (size > 0 && params == NULL) ||
        (uint32_t)place > (uint32_t)PLOY_GOAL_REPEAT || (place == PLOY_GOAL_REPEAT && type->once)) {
        return PLOY_ERR_ARGUMENT;
    }
    if (type->needs_owner && goals->owner == NULL) return PLOY_ERR_ARGUMENT;
    ployi_goals_node *up = &goals->nodes[above];
    if (above > 0 && !up->type->composite) return PLOY_ERR_ARGUMENT;
    if (up->depth >= PLOY_GOAL_DEPTH_MAX) return PLOY_ERR_LIMIT;
    if (goals->free < 0) return PLOY_ERR_CAPACITY;
    int32_t nested = 0;
    if (!ploy_maker_is_none(type->maker)) {
        if (type->composite) return PLOY_ERR_ARGUMENT;
        ploy_result result = goals_take_nested(goals, type, &nested);
        if (result != PLOY_OK) return result;
    }
    if (place == PLOY_GOAL_FRONT && up->first >= 0) goals_suspend(goals, context, up->first);
    int32_t index = goals->free;
    ployi_goals_node *node = &goals->nodes[index];
    goals->free = node->next;
    goals->count++;
    node->type = type;
    node->nested = nested;
    node->parent = above;
    node->depth = up->depth + 1;
    node->repeat = place == PLOY_GOAL_REPEAT;
    if (size > 0) memcpy(node->params, params, size);
    if (place == PLOY_GOAL_FRONT) {
        node->next = up->first;
        up->first = index;
        if (up->last < 0) up->last = index;
    } else {
        ployi_goals_append(goals, above, index);
    }
    if (out != NULL) *out = goals_handle(goals, index);
    return PLOY_OK;
}

// Removes finished goals from the front; a patrol's goes to the rear, as new. @return whether one
// of them failed without a report.
static bool goals_purge(ploy_goals *goals, ploy_step_context *context, int32_t index) {
    ployi_goals_node *node = &goals->nodes[index];
    bool unreported = false;
    int32_t turns = goals->count; // a circle of repeating goals goes round once
    while (node->first >= 0 && turns-- > 0) {
        int32_t child = node->first;
        ployi_goals_node *first = &goals->nodes[child];
        if (first->status != PLOY_GOAL_COMPLETED && first->status != PLOY_GOAL_FAILED) break;
        // One that failed between two steps and can be planned again has its own step do so.
        bool unsaid = first->status == PLOY_GOAL_FAILED && !first->reported;
        if (unsaid && !goals->def.literal && first->replans < first->type->replans) break;
        unreported |= unsaid;
        if (first->repeat && first->status == PLOY_GOAL_COMPLETED) {
            const ploy_goal_type *type = first->type;
            uint64_t params[PLOY_GOAL_PARAMS_MAX / 8];
            memcpy(params, first->params, sizeof params);
            goals_unlink(goals, child);
            goals_free(goals, context, child); // the place is free for the same goal again
            (void)ploy_goals_add(goals, context, goals_handle(goals, index), PLOY_GOAL_REPEAT, type,
                                 params, sizeof params, NULL);
            continue;
        }
        goals_unlink(goals, child);
        goals_free(goals, context, child);
    }
    return unreported;
}

void ployi_goals_purge(ploy_goals *goals, ploy_step_context *context, ploy_goal goal) {
    int32_t index = goals_index(goals, goal);
    if (index >= 0) (void)goals_purge(goals, context, index);
}

static ploy_result goals_resume(ploy_goals *goals, ploy_step_context *context, int32_t index) {
    ployi_goals_node *node = &goals->nodes[index];
    if (!node->suspended) return PLOY_OK;
    node->suspended = 0;
    if (node->status != PLOY_GOAL_ACTIVE) return PLOY_OK;
    ploy_goal_turn turn = ployi_goals_turn(goals, index, context);
    uint32_t generation = node->generation;
    ploy_result result = PLOY_OK;
    if (node->type->resume != NULL) {
        result = node->type->resume(&turn);
        if (node->generation == generation && node->nested > 0 &&
            node->status == PLOY_GOAL_ACTIVE) {
            node->status = PLOY_GOAL_INACTIVE; // its behavior is entered again
        }
    } else if (node->first < 0) {
        node->status = PLOY_GOAL_INACTIVE;
    }
    if (result < PLOY_OK || node->generation != generation || node->first < 0) return result;
    return goals_resume(goals, context, node->first);
}

static ploy_result goals_step(ploy_goals *goals, ploy_step_context *context, int32_t index,
                              ploy_goal_status *status);

static ploy_result goals_step_below(ploy_goals *goals, ploy_step_context *context, int32_t index,
                                    ploy_goal_status *status) {
    ployi_goals_node *node = &goals->nodes[index];
    bool unreported = goals_purge(goals, context, index);
    *status = PLOY_GOAL_FAILED;
    if (unreported && !goals->def.literal) return PLOY_OK;
    *status = PLOY_GOAL_COMPLETED;
    if (node->first < 0) return PLOY_OK;
    ploy_result result = goals_resume(goals, context, node->first);
    if (result == PLOY_OK) result = goals_step(goals, context, node->first, status);
    if (result != PLOY_OK || node->first < 0) return result;
    bool more = goals->nodes[node->first].next >= 0 || goals->nodes[node->first].repeat;
    if (*status == PLOY_GOAL_COMPLETED && more) *status = PLOY_GOAL_ACTIVE;
    return PLOY_OK;
}

static ploy_result goals_activate(ploy_goals *goals, ploy_step_context *context, int32_t index) {
    ployi_goals_node *node = &goals->nodes[index];
    node->status = PLOY_GOAL_ACTIVE;
    uint32_t generation = node->generation;
    goals_exit_nested(goals, context, index); // planned again while it ran
    if (node->type->activate != NULL) {
        ploy_goal_turn turn = ployi_goals_turn(goals, index, context);
        ploy_result result = node->type->activate(&turn);
        if (result != PLOY_OK) return result > PLOY_OK ? PLOY_ERR_CALLBACK : result;
    }
    ploy_nested *nested = ployi_goals_nested_of(goals, index);
    if (nested == NULL || node->generation != generation || node->status != PLOY_GOAL_ACTIVE) {
        return PLOY_OK;
    }
    node->status = (uint8_t)goals_nested_status(
        ploy_nested_enter(nested, &goals->env, node->type->name, context));
    return PLOY_OK;
}

// Whether a goal of the front chain below index is committed and not over.
static bool goals_committed_below(const ploy_goals *goals, int32_t index) {
    for (int32_t i = goals->nodes[index].first; i >= 0; i = goals->nodes[i].first) {
        const ployi_goals_node *node = &goals->nodes[i];
        bool over = node->status == PLOY_GOAL_COMPLETED || node->status == PLOY_GOAL_FAILED;
        if (node->type->committed && !over) return true;
    }
    return false;
}

static ploy_result goals_step(ploy_goals *goals, ploy_step_context *context, int32_t index,
                              ploy_goal_status *status) {
    ployi_goals_node *node = &goals->nodes[index];
    uint32_t generation = node->generation;
    ploy_result result = PLOY_OK;
    for (int32_t again = 0; again < 2; again++) {
        if (node->status == PLOY_GOAL_INACTIVE) {
            bool early = context->now - node->replanned < (double)node->type->replan_pause;
            *status = PLOY_GOAL_ACTIVE;
            if (node->replans > 0 && early) return PLOY_OK; // planned again in a while
            result = goals_activate(goals, context, index);
        }
        if (result != PLOY_OK) return result;
        ploy_goal_status own = (ploy_goal_status)node->status;
        if (own == PLOY_GOAL_ACTIVE) {
            if (node->type->composite) result = goals_step_below(goals, context, index, &own);
            ploy_nested *nested = ployi_goals_nested_of(goals, index);
            if (nested != NULL) {
                own = goals_nested_status(
                    ploy_nested_step(nested, &goals->env, node->type->name, context));
                if (node->generation != generation) return PLOY_OK; // it removed its own goal
            }
            bool held = own == PLOY_GOAL_ACTIVE && goals_committed_below(goals, index);
            if (result == PLOY_OK && node->type->process != NULL && !held) {
                ploy_goal_turn turn = ployi_goals_turn(goals, index, context);
                result = node->type->process(&turn, &own);
                if (result > PLOY_OK) result = PLOY_ERR_CALLBACK;
            }
            if (result != PLOY_OK) return result;
            if (node->generation != generation) { // a hook removed it: nothing to report about
                *status = PLOY_GOAL_ACTIVE;
                return PLOY_OK;
            }
        }
        node->status = (uint8_t)own;
        *status = own;
        if (own != PLOY_GOAL_FAILED) return PLOY_OK;
        if (node->replans >= node->type->replans) {
            node->reported = 1;
            return PLOY_OK;
        }
        *status = PLOY_GOAL_ACTIVE; // there is hope; what it had is gone, so that nothing half-done
                                    // goes on acting
        node->replans++;
        node->replanned = context->now;
        node->status = PLOY_GOAL_INACTIVE;
        ploy_goals_clear(goals, context, goals_handle(goals, index));
        if (!goals->def.immediate) return PLOY_OK;
    }
    return PLOY_OK;
}

ploy_result ploy_goals_step(ploy_goals *goals, ploy_step_context *context,
                            ploy_goal_status *status) {
    if (goals == NULL || context == NULL || status == NULL) return PLOY_ERR_ARGUMENT;
    ploy_goal_status own = PLOY_GOAL_COMPLETED;
    ploy_result result = goals_step_below(goals, context, 0, &own);
    if (result == PLOY_OK) {
        goals->nodes[0].status = (uint8_t)own;
        *status = own;
    }
    return result;
}

ploy_result ploy_goals_message(ploy_goals *goals, ploy_step_context *context,
                               const ploy_message *message, bool *handled) {
    int32_t chain[PLOY_GOAL_DEPTH_MAX + 1], count = 0;
    *handled = false;
    for (int32_t i = goals->nodes[0].first; i >= 0; i = goals->nodes[i].first) chain[count++] = i;
    while (count > 0 && !*handled) {
        int32_t index = chain[--count];
        const ploy_goal_type *type = goals->nodes[index].type;
        ploy_nested *nested = type != NULL ? ployi_goals_nested_of(goals, index) : NULL;
        if (nested != NULL) {
            *handled = ploy_nested_message(nested, &goals->env, type->name, context, message);
        }
        if (*handled || goals->nodes[index].type == NULL || type->message == NULL) continue;
        ploy_goal_turn turn = ployi_goals_turn(goals, index, context);
        ploy_result result = type->message(&turn, message, handled);
        if (result != PLOY_OK) return result < PLOY_OK ? result : PLOY_ERR_CALLBACK;
    }
    return PLOY_OK;
}

ploy_result ploy_goals_set_status(ploy_goals *goals, ploy_goal goal, ploy_goal_status status) {
    int32_t index = goals_index(goals, goal);
    if (index <= 0 || (uint32_t)status > (uint32_t)PLOY_GOAL_FAILED) return PLOY_ERR_ARGUMENT;
    goals->nodes[index].status = (uint8_t)status;
    goals->nodes[index].reported = 0;
    return PLOY_OK;
}

bool ployi_goals_is_literal(const ploy_goals *goals) {
    return goals->def.literal;
}

bool ployi_goals_has(const ploy_goals *goals, ploy_goal goal) {
    return goals_index(goals, goal) >= 0;
}

int32_t ploy_goals_count(const ploy_goals *goals) {
    return goals->count;
}

bool ploy_goals_committed(const ploy_goals *goals) {
    return goals_committed_below(goals, 0);
}

ploy_goal_status ploy_goals_status(const ploy_goals *goals, ploy_goal goal) {
    int32_t index = goals_index(goals, goal);
    return index >= 0 ? (ploy_goal_status)goals->nodes[index].status : PLOY_GOAL_INACTIVE;
}

const ploy_goal_type *ploy_goals_type_of(const ploy_goals *goals, ploy_goal goal) {
    int32_t index = goals_index(goals, goal);
    return index > 0 ? goals->nodes[index].type : NULL;
}

const void *ployi_goals_params(const ploy_goals *goals, ploy_goal goal) {
    int32_t index = goals_index(goals, goal);
    return index > 0 ? goals->nodes[index].params : NULL;
}

ploy_goal ploy_goals_first(const ploy_goals *goals, ploy_goal goal) {
    int32_t index = goals_index(goals, goal);
    return goals_handle(goals, index >= 0 ? goals->nodes[index].first : PLOYI_GOALS_NONE);
}

ploy_goal ployi_goals_next(const ploy_goals *goals, ploy_goal goal) {
    int32_t index = goals_index(goals, goal);
    return goals_handle(goals, index > 0 ? goals->nodes[index].next : PLOYI_GOALS_NONE);
}

ploy_goal ployi_goals_parent(const ploy_goals *goals, ploy_goal goal) {
    int32_t index = goals_index(goals, goal);
    return goals_handle(goals, index > 0 ? goals->nodes[index].parent : PLOYI_GOALS_NONE);
}

ploy_goal ployi_goals_leaf(const ploy_goals *goals) {
    int32_t index = 0;
    while (goals->nodes[index].first >= 0) index = goals->nodes[index].first;
    return goals_handle(goals, index);
}

// ---- as a behavior

static ploy_result goals_behavior_enter(void *self, ploy_step_context *context) {
    return ployi_goals_begin(self, context);
}

static ploy_result goals_behavior_commit(void *self, ploy_step_context *context) {
    ploy_goals *goals = self;
    for (int32_t i = goals->nodes[0].first; i >= 0; i = goals->nodes[i].first) {
        ploy_nested *nested = ployi_goals_nested_of(goals, i);
        if (nested == NULL) continue;
        ploy_nested_commit(nested, &goals->env, goals->nodes[i].type->name, context);
        if (nested->failed) goals->nodes[i].status = PLOY_GOAL_FAILED;
    }
    return PLOY_OK;
}

static ploy_result goals_behavior_step(void *self, ploy_step_context *context,
                                       ploy_status *status) {
    ploy_goal_status own = PLOY_GOAL_ACTIVE;
    ploy_result result = ploy_goals_step(self, context, &own);
    *status = own == PLOY_GOAL_COMPLETED ? PLOY_STATUS_SUCCESS
              : own == PLOY_GOAL_FAILED  ? PLOY_STATUS_FAILURE
                                         : PLOY_STATUS_RUNNING;
    return result;
}

static void goals_behavior_exit(void *self, ploy_step_context *context, ploy_exit_reason reason) {
    (void)reason;
    ploy_goals_clear(self, context, ploy_goals_root(self));
}

static ploy_result goals_behavior_message(void *self, ploy_step_context *context,
                                          const ploy_message *message, bool *handled) {
    return ploy_goals_message(self, context, message, handled);
}

static void goals_behavior_destroy(void *self) {
    ploy_goals_destroy(self);
}

static void goals_behavior_draw(const void *self, ploy_draw *out) {
    const ploy_goals *goals = self;
    for (int32_t i = goals->nodes[0].first; i >= 0; i = goals->nodes[i].first) {
        const ploy_nested *nested = ployi_goals_nested_of(goals, i);
        if (nested != NULL) ploy_nested_draw(nested, out);
    }
}

static const ploy_behavior_type goals_behavior_type = {.name = "goals",
                                                       .enter = goals_behavior_enter,
                                                       .step = goals_behavior_step,
                                                       .exit = goals_behavior_exit,
                                                       .commit = goals_behavior_commit,
                                                       .message = goals_behavior_message,
                                                       .destroy = goals_behavior_destroy,
                                                       .draw = goals_behavior_draw,
                                                       .visit = ployi_goals_visit};

ploy_behavior ploy_goals_behavior(ploy_goals *goals) {
    ploy_behavior behavior = {&goals_behavior_type, goals};
    return behavior;
}

ploy_goals *ploy_goals_of(ploy_behavior behavior) {
    return behavior.type == &goals_behavior_type ? behavior.self : NULL;
}

// ---- sight

// The goal after another one in the order of lines: children before siblings.
int32_t ployi_goals_after(const ploy_goals *goals, int32_t index) {
    if (goals->nodes[index].first >= 0) return goals->nodes[index].first;
    while (index > 0 && goals->nodes[index].next < 0) index = goals->nodes[index].parent;
    return index > 0 ? goals->nodes[index].next : PLOYI_GOALS_NONE;
}

void ploy_goals_print(const ploy_goals *goals, ploy_writer *writer) {
    for (int32_t i = ployi_goals_after(goals, 0); i >= 0; i = ployi_goals_after(goals, i)) {
        const ployi_goals_node *node = &goals->nodes[i];
        for (int32_t k = 1; k < node->depth; k++) ploy_write_text(writer, "  ");
        ploy_write_text(writer, node->type->name);
        ploy_write_text(writer, " ");
        ploy_write_text(writer, node->suspended
                                    ? "suspended"
                                    : ploy_goal_status_text((ploy_goal_status)node->status));
        ploy_write_char(writer, '\n');
    }
}

void ploy_goals_describe(const ploy_goals *goals, ploy_describe *out) {
    ploy_visit_describe(ployi_goals_visit, goals, NULL, out);
}

void ploy_goals_draw(const ploy_goals *goals, ploy_agent_id agent, ploy_vec2 at, float line,
                     ploy_draw *out) {
    static const ploy_style styles[] = {PLOY_STYLE_GHOST, PLOY_STYLE_AGENT_A, PLOY_STYLE_GOOD,
                                        PLOY_STYLE_BAD};
    for (int32_t i = ployi_goals_after(goals, 0); i >= 0; i = ployi_goals_after(goals, i)) {
        const ployi_goals_node *node = &goals->nodes[i];
        ploy_vec2 place = ploy_vec2_make(at.x + line * (float)(node->depth - 1), at.y);
        ploy_style style = node->suspended ? PLOY_STYLE_WARNING : styles[node->status];
        ploy_draw_disc(out, PLOY_LAYER_LABELS, style, agent, place, 0.3f * line, 1.0f);
        ploy_draw_text(out, agent, ploy_vec2_make(place.x + 0.6f * line, place.y - 0.3f * line),
                       node->type->name);
        at.y -= line;
    }
}
