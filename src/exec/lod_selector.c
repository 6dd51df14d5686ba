// Selectors: one character's level of detail, as a behavior.
//
//     struct | made behaviors, one for each level | shared state | hand-over buffer
//
// Invariants, outside the functions here:
//   (1) level is a level of the definition or PLOY_LOD_NONE; entered only with a level;
//   (2) entered: the level's behavior has had an enter and no exit; no other has;
//   (3) the shared state belongs to the level that is running, and is zero before its enter.
#include <string.h>

#include "exec/lod_internal.h"
#include "ploy/base/math.h"
#include "ploy/exec/behavior_visit.h"

static size_t lod_selector_round(size_t size) {
    return (size + PLOY_ALIGNMENT - 1) / PLOY_ALIGNMENT * PLOY_ALIGNMENT;
}

ploy_behavior ployi_lod_selector_behavior_of(const ploy_lod_selector *selector, int32_t level) {
    ploy_behavior behavior = {NULL, NULL};
    if (level < 0) return behavior;
    if (selector->lod->levels[level].type == NULL) return selector->made[level];
    behavior.type = selector->lod->levels[level].type;
    behavior.self = selector->state;
    return behavior;
}

ploy_result ploy_lod_selector_create(const ploy_lod *lod, ploy_agent_id agent, const ploy_env *env,
                                     ploy_lod_selector **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (lod == NULL || env == NULL) return PLOY_ERR_ARGUMENT;
    // None of these can overflow: sixteen levels, and sizes that the definition bounds.
    size_t made_at = lod_selector_round(sizeof(ploy_lod_selector));
    size_t state_at =
        made_at + lod_selector_round((size_t)lod->level_count * sizeof(ploy_behavior));
    size_t handover_at = state_at + lod_selector_round((size_t)lod->state_size);
    size_t size = handover_at + lod_selector_round((size_t)lod->def.handover_size);
    ploy_lod_selector *selector = ploy_env_alloc_zero(env, size);
    if (selector == NULL) return PLOY_ERR_MEMORY;
    char *block = (char *)selector;
    selector->env = *env;
    selector->size = size;
    selector->lod = lod;
    selector->agent = agent;
    selector->nobody = ploy_id_is_none(agent.id);
    selector->level = PLOY_LOD_NONE;
    selector->made = (ploy_behavior *)(void *)(block + made_at);
    selector->state = block + state_at;
    selector->handover = block + handover_at;
    for (int32_t i = 0; i < lod->level_count; i++) {
        const ploy_lod_level *level = &lod->levels[i];
        if (level->type != NULL) continue;
        ploy_behavior made = {NULL, NULL};
        ploy_result result = level->make != NULL ? level->make(level->user, agent, env, &made)
                                                 : ploy_maker_make(level->maker, env, &made);
        // One that cannot step is none.
        if (result == PLOY_OK && (made.type == NULL || made.type->step == NULL)) {
            ploy_behavior_destroy(made);
            result = PLOY_ERR_CALLBACK;
        }
        if (result != PLOY_OK) {
            ploy_lod_selector_destroy(selector);
            return result > PLOY_OK ? PLOY_ERR_CALLBACK : result;
        }
        selector->made[i] = made;
    }
    *out = selector;
    return PLOY_OK;
}

void ploy_lod_selector_destroy(ploy_lod_selector *selector) {
    if (selector == NULL) return;
    for (int32_t i = selector->lod->level_count - 1; i >= 0; i--) {
        ploy_behavior_destroy(selector->made[i]); // none of those with a type
    }
    ploy_env env = selector->env;
    ploy_env_free(&env, selector, selector->size);
}

ploy_result ploy_lod_selector_set_importance(ploy_lod_selector *selector, float importance) {
    if (!ploy_is_finite(importance)) return PLOY_ERR_ARGUMENT;
    selector->importance = importance;
    return PLOY_OK;
}

ploy_lod_info ploy_lod_selector_get(const ploy_lod_selector *selector) {
    ploy_lod_info info;
    memset(&info, 0, sizeof info);
    info.level = selector->level;
    info.running = selector->entered;
    info.importance = selector->importance;
    info.switches = selector->switches;
    info.uncovered = selector->uncovered;
    info.behavior = ployi_lod_selector_behavior_of(selector, selector->level);
    return info;
}

void *ploy_lod_selector_handover(ploy_lod_selector *selector, int32_t *size) {
    if (size != NULL) *size = selector->lod->def.handover_size;
    return selector->handover;
}

// ---- choosing

static float lod_selector_ask(ploy_lod_selector *selector, const ploy_step_context *context) {
    const ploy_lod_def *def = &selector->lod->def;
    float importance = selector->importance;
    if (def->importance != NULL) {
        importance = def->importance(def->importance_user, selector->agent, context);
    } else if (!ploy_slot_is_none(def->importance_slot) && context->blackboard != NULL) {
        importance = ploy_blackboard_get_f32(context->blackboard, def->importance_slot);
    }
    // A game that divides by zero keeps the last good number.
    return ploy_is_finite(importance) ? importance : selector->importance;
}

static const char *lod_selector_reason(const ploy_lod_selector *selector, int32_t level,
                                       bool stays) {
    const ploy_lod_level *a = &selector->lod->levels[level];
    if (selector->importance < a->min) return "importance is below its range";
    if (selector->importance > a->max) return "importance is above its range";
    if (level == selector->level) return stays ? "it still fits" : "it was chosen";
    return stays ? "it fits, but another runs that still does" : "it fits";
}

static void lod_selector_trace(const ploy_lod_selector *selector, bool stays, ploy_trace *trace) {
    const ploy_lod *lod = selector->lod;
    ploy_trace_f32(trace, "importance", selector->importance);
    ploy_trace_text(trace, "arbitration", ploy_lod_arbitration_text(lod->def.arbitration));
    for (int32_t i = 0; i < lod->level_count; i++) {
        bool fits = ployi_lod_fits(lod, i, selector->importance);
        ploy_outcome outcome = !fits                  ? PLOY_OUTCOME_REJECTED
                               : i == selector->level ? PLOY_OUTCOME_WON
                                                      : PLOY_OUTCOME_LOST;
        double score = -ployi_lod_demerit(lod, i, selector->importance);
        ploy_trace_option(trace, lod->levels[i].name, outcome, score,
                          lod_selector_reason(selector, i, stays));
    }
    if (selector->level < 0) ploy_trace_note(trace, "No level fits: nothing runs.");
}

static void lod_selector_carry(ploy_lod_selector *selector, int32_t from, int32_t to, bool packing,
                               ploy_step_context *context) {
    const ploy_lod *lod = selector->lod;
    int32_t found = lod->pairs[from + 1][to + 1];
    int32_t side = packing ? from : to;
    if (found < 0 || side < 0) return;
    const ploy_lod_transition *transition = &lod->transitions[found];
    ploy_lod_change_fn fn = packing ? transition->pack : transition->unpack;
    if (fn == NULL) return;
    ploy_lod_change change;
    change.from = from;
    change.to = to;
    change.behavior = ployi_lod_selector_behavior_of(selector, side);
    change.handover = selector->handover;
    change.size = lod->def.handover_size;
    change.context = context;
    fn(transition->user, &change);
}

static void lod_selector_leave(ploy_lod_selector *selector, ploy_step_context *context,
                               ploy_exit_reason reason) {
    if (!selector->entered) return;
    selector->entered = false; // first, in case exit looks
    ploy_behavior_exit(ployi_lod_selector_behavior_of(selector, selector->level), context, reason);
}

// The error of an enter is reported by the step; the exit that follows it comes with the
// selector's own, from its holder.
static ploy_result lod_selector_begin(ploy_lod_selector *selector, ploy_step_context *context) {
    if (selector->lod->state_size > 0) {
        memset(selector->state, 0, (size_t)selector->lod->state_size); // keeps (3)
    }
    selector->entered = true;
    return ploy_behavior_enter(ployi_lod_selector_behavior_of(selector, selector->level), context);
}

static ploy_result lod_selector_change(ploy_lod_selector *selector, int32_t to,
                                       ploy_step_context *context) {
    int32_t from = selector->level;
    // What an unfinished enter left is nothing to hand over.
    if (selector->entered) lod_selector_carry(selector, from, to, true, context);
    lod_selector_leave(selector, context, PLOY_EXIT_INTERRUPTED);
    selector->level = to;
    selector->switches++;
    if (to < 0) return PLOY_OK;
    ploy_result result = lod_selector_begin(selector, context);
    if (result == PLOY_OK) lod_selector_carry(selector, from, to, false, context);
    return result;
}

static void lod_selector_report(ploy_lod_selector *selector) {
    if (selector->level >= 0) {
        selector->warned = false;
        return;
    }
    selector->uncovered++;
    if (!selector->warned) {
        ploy_env_log(&selector->env, PLOY_SEVERITY_WARNING,
                     "level of detail: no level covers the importance, so nothing runs");
    }
    selector->warned = true;
}

// ---- the behavior

static ploy_result lod_selector_step(void *self, ploy_step_context *context, ploy_status *status) {
    ploy_lod_selector *selector = self;
    if (selector->nobody) selector->agent = context->agent;
    selector->importance = lod_selector_ask(selector, context);
    bool stays = ployi_lod_fits(selector->lod, selector->level, selector->importance);
    ploy_result result = PLOY_OK;
    ploy_trace_begin(context->trace, selector->agent, "detail", "level of detail");
    if (!stays) {
        ploy_budget_spend(context->budget, selector->lod->def.select_units);
        int32_t next = ploy_lod_find(selector->lod, selector->importance, selector->level);
        if (next != selector->level) result = lod_selector_change(selector, next, context);
    } else if (!selector->entered) {
        result = lod_selector_begin(selector, context);
    }
    lod_selector_report(selector);
    if (context->trace != NULL) lod_selector_trace(selector, stays, context->trace);
    if (result == PLOY_OK && selector->level < 0) {
        *status = PLOY_STATUS_RUNNING; // still watching
    } else if (result == PLOY_OK) {
        result = ploy_behavior_step(ployi_lod_selector_behavior_of(selector, selector->level),
                                    context, status);
    }
    ploy_trace_end(context->trace); // what the level considered is inside
    return result;
}

static void lod_selector_exit(void *self, ploy_step_context *context, ploy_exit_reason reason) {
    lod_selector_leave(self, context, reason);
}

static ploy_behavior lod_selector_running(const ploy_lod_selector *selector) {
    return ployi_lod_selector_behavior_of(selector,
                                          selector->entered ? selector->level : PLOY_LOD_NONE);
}

static ploy_result lod_selector_commit(void *self, ploy_step_context *context) {
    return ploy_behavior_commit(lod_selector_running(self), context);
}

static ploy_result lod_selector_message(void *self, ploy_step_context *context,
                                        const ploy_message *message, bool *handled) {
    return ploy_behavior_message(lod_selector_running(self), context, message, handled);
}

static void lod_selector_free(void *self) {
    ploy_lod_selector_destroy(self);
}

static const char *lod_selector_text(const void *user, uint32_t number) {
    const char *name = ploy_lod_level_name(user, (int32_t)number);
    return name != NULL ? name : "";
}

// { "level": "crowd", "importance": 3.5, "warned": true, "handover": ["00ff"], "behavior": { ... } }
static void lod_selector_visit(ploy_visit *v, void *object) {
    ploy_lod_selector *selector = object;
    const ploy_lod *lod = selector->lod;
    const int64_t most = INT64_MAX / 2;
    ploy_visit_table levels = {
        lod_selector_text,          NULL,    lod,
        (uint32_t)lod->level_count, "level", "no longer exists: it is chosen again"};
    if (ploy_visit_tolerates(v)) {
        selector->level = PLOY_LOD_NONE;
        selector->switches = selector->uncovered = 0;
    }
    ploy_visit_block(v, "lod selector", selector, selector->size);
    ploy_visit_struct(v, "lod selector", selector, sizeof *selector);
    PLOY_VISIT_SCRATCH(v, selector->env);
    PLOY_VISIT_SCRATCH(v, selector->size);
    PLOY_VISIT_SCRATCH(v, selector->lod);
    PLOY_VISIT_SCRATCH(v, selector->agent);
    PLOY_VISIT_SCRATCH(v, selector->nobody);
    PLOY_VISIT_SCRATCH(v, selector->made);
    PLOY_VISIT_SCRATCH(v, selector->state);
    PLOY_VISIT_SCRATCH(v, selector->handover);
    PLOY_VISIT_SCRATCH(v, selector->entered); // whether there is a behavior
    PLOY_VISIT_SCRATCH(v, selector->level);   // visited if there is one
    PLOY_VISIT_SCRATCH(v, selector->warned);
    const char *name = ploy_lod_level_name(lod, selector->level);
    ploy_describe_text(v->describe, "level", PLOY_STATE, name != NULL ? name : "none");
    if (ploy_visit_optional(v, "level", name != NULL)) {
        ploy_visit_ref(v, "level", PLOY_SAVED, (uint32_t *)&selector->level, &levels);
    }
    ploy_describe_bool(v->describe, "entered", PLOY_STATE, selector->entered);
    ploy_describe_bool(v->describe, "warned", PLOY_STATE, selector->warned);
    if (ploy_visit_optional(v, "warned", selector->warned)) {
        ploy_visit_bool(v, "warned", PLOY_SAVED, &selector->warned);
    }
    ploy_visit_f32(v, "importance", PLOY_STATE, &selector->importance);
    ploy_visit_i64_in(v, "switches", PLOY_NOTE, &selector->switches, 0, most);
    ploy_visit_i64_in(v, "uncovered", PLOY_NOTE, &selector->uncovered, 0, most);
    if (lod->def.handover_size > 0) {
        ploy_visit_key(v, "handover");
        (void)ploy_visit_bytes(v, "hand-over", PLOY_STATE, selector->handover,
                               (size_t)lod->def.handover_size);
    }
    for (int32_t i = 0; i < lod->level_count && v->mode == PLOY_VISIT_MEMORY; i++) {
        ploy_behavior_memory(ployi_lod_selector_behavior_of(selector, i), v->memory,
                             v->memory_user);
    }
    if (v->describe != NULL && name != NULL) {
        ploy_describe_begin(v->describe, name);
        ploy_behavior_describe(lod_selector_running(selector), v->describe);
        ploy_describe_end(v->describe);
    }
    if (v->describe != NULL || v->mode == PLOY_VISIT_MEMORY || selector->level < 0 ||
        !ploy_visit_optional(v, "behavior", selector->entered) || !ploy_visit_is_ok(v)) {
        return;
    }
    if (ploy_visit_tolerates(v) && lod->state_size > 0) {
        memset(selector->state, 0, (size_t)lod->state_size);
    }
    if (ploy_visit_loads(v)) selector->entered = true;
    ploy_visit_behavior(v, "behavior", ployi_lod_selector_behavior_of(selector, selector->level),
                        v->context);
}

void ploy_lod_selector_memory(const ploy_lod_selector *selector, ploy_memory_fn fn, void *user) {
    ploy_visit_memory(lod_selector_visit, selector, fn, user);
}

static void lod_selector_draw(const void *self, ploy_draw *out) {
    ploy_behavior_draw(lod_selector_running(self), out);
}

ploy_behavior ploy_lod_selector_behavior(ploy_lod_selector *selector) {
    static const ploy_behavior_type type = {.name = "level of detail",
                                            .step = lod_selector_step,
                                            .exit = lod_selector_exit,
                                            .commit = lod_selector_commit,
                                            .message = lod_selector_message,
                                            .destroy = lod_selector_free,
                                            .draw = lod_selector_draw,
                                            .visit = lod_selector_visit};
    ploy_behavior behavior = {&type, selector};
    return behavior;
}

static ploy_result lod_selector_make(void *user, const ploy_env *env, ploy_behavior *out) {
    ploy_lod_selector *selector = NULL;
    ploy_result result = ploy_lod_selector_create(user, ploy_agent_id_none(), env, &selector);
    if (result == PLOY_OK) *out = ploy_lod_selector_behavior(selector);
    return result;
}

static ploy_result lod_selector_check(const void *user, const ploy_blackboard_layout *layout,
                                      ploy_diags *diags) {
    const ploy_lod *lod = user;
    ploy_result result = PLOY_OK;
    for (int32_t i = 0; i < lod->level_count; i++) {
        ploy_result one = ploy_maker_check(lod->levels[i].maker, layout, &lod->env, diags);
        if (result == PLOY_OK) result = one;
    }
    return result;
}

ploy_maker ploy_lod_maker(ploy_lod *lod) {
    ploy_maker maker = {lod_selector_make, lod, NULL, lod_selector_check};
    return maker;
}
