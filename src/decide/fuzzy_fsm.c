// Fuzzy state machines; described in the header.
//
// Invariants of an instance: (1) every degree lies in [0, 1]; (2) what a step changes depends on the
// degrees at its start and the order of states by degree, then number, alone.
#include "ploy/decide/fuzzy_fsm.h"

#include "decide/decide_internal.h"

#include <string.h>

#include "decide_internal.h"
#include "ploy/base/math.h"

static const ploy_field fuzzy_fsm_fields[] = {
    PLOY_FIELD_BOOL(ploy_fuzzy_fsm_def, simultaneous, 0, "all see the degrees at the start"),
};

ploy_fields ploy_fuzzy_fsm_fields(void) {
    return PLOY_FIELDS(ploy_fuzzy_fsm_def, fuzzy_fsm_fields);
}

ploy_fuzzy_fsm_def ploy_fuzzy_fsm_def_default(void) {
    ploy_fuzzy_fsm_def def;
    ploy_fields_default(ploy_fuzzy_fsm_fields(), &def);
    return def;
}

typedef struct fuzzy_fsm_state {
    ploy_name id;
    double initial;
} fuzzy_fsm_state;

struct ploy_fuzzy_fsm_type {
    ployi_build build;
    ploy_fuzzy_fsm_def def;
    const ploy_blackboard_layout *layout;
    ploy_conditions *conditions;
    ploy_array states;      // of fuzzy_fsm_state
    ploy_array transitions; // of ploy_fuzzy_fsm_transition
};

ploy_fuzzy_fsm_transition ploy_fuzzy_fsm_transition_make(int32_t from, ploy_condition condition,
                                                         int32_t to, double dot) {
    ploy_fuzzy_fsm_transition transition;
    memset(&transition, 0, sizeof transition);
    transition.from = from;
    transition.condition = condition;
    transition.target_count = 1;
    transition.targets[0] = to;
    transition.dots[0] = dot;
    return transition;
}

ploy_result ploy_fuzzy_fsm_type_create(const ploy_fuzzy_fsm_def *def,
                                       const ploy_blackboard_layout *layout, const ploy_env *env,
                                       ploy_fuzzy_fsm_type **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_fuzzy_fsm_fields(), def, env);
    if (result != PLOY_OK) return result;
    ploy_fuzzy_fsm_type *type = ploy_env_alloc_zero(env, sizeof *type);
    if (type == NULL) return PLOY_ERR_MEMORY;
    type->def = *def;
    type->layout = layout;
    type->build.env = *env;
    ploy_array_init(&type->states, sizeof(fuzzy_fsm_state), env);
    ploy_array_init(&type->transitions, sizeof(ploy_fuzzy_fsm_transition), env);
    result = ployi_build_init(&type->build, env);
    if (result == PLOY_OK) result = ploy_conditions_create(layout, env, &type->conditions);
    if (result != PLOY_OK) {
        type->build.env = *env;
        ploy_fuzzy_fsm_type_destroy(type);
        return result;
    }
    *out = type;
    return PLOY_OK;
}

void ploy_fuzzy_fsm_type_destroy(ploy_fuzzy_fsm_type *type) {
    if (type == NULL) return;
    ploy_env env = type->build.env;
    ploy_conditions_destroy(type->conditions);
    ployi_build_fini(&type->build);
    ploy_array_fini(&type->states);
    ploy_array_fini(&type->transitions);
    ploy_env_free(&env, type, sizeof *type);
}

ploy_conditions *ploy_fuzzy_fsm_type_conditions(ploy_fuzzy_fsm_type *type) {
    return type->conditions;
}

static bool fuzzy_fsm_is_degree(double degree) {
    return degree >= 0.0 && degree <= 1.0;
}

int32_t ploy_fuzzy_fsm_type_state(ploy_fuzzy_fsm_type *type, const char *id, double initial) {
    if (!ployi_build_open(&type->build)) return -1;
    if (!fuzzy_fsm_is_degree(initial) || type->states.count >= PLOY_FUZZY_FSM_STATES_MAX) {
        (void)ployi_build_fault(&type->build, PLOY_ERR_ARGUMENT,
                                "unknown degree or too many states", id);
        return -1;
    }
    for (int32_t i = 0; i < type->states.count; i++) {
        if (id != NULL && strcmp(ploy_fuzzy_fsm_type_id(type, i), id) == 0) {
            (void)ployi_build_fault(&type->build, PLOY_ERR_EXISTS, "duplicate state", id);
            return -1;
        }
    }
    fuzzy_fsm_state state = {ployi_build_name(&type->build, "state", id), initial};
    if (ploy_name_is_none(state.id)) return -1;
    ploy_result result = ploy_array_push(&type->states, &state);
    if (result != PLOY_OK) {
        (void)ployi_build_fault(&type->build, result, "state", id);
        return -1;
    }
    return type->states.count - 1;
}

ploy_result ploy_fuzzy_fsm_type_add(ploy_fuzzy_fsm_type *type,
                                    const ploy_fuzzy_fsm_transition *transition) {
    if (!ployi_build_open(&type->build)) return PLOY_ERR_STATE;
    int32_t states = type->states.count;
    bool fine = transition != NULL && transition->from >= 0 && transition->from < states &&
                transition->target_count >= 1 &&
                transition->target_count <= PLOY_FUZZY_FSM_TARGETS_MAX &&
                ployi_condition_valid(type->conditions, transition->condition) &&
                ployi_score_valid(type->conditions, transition->degree);
    for (int32_t i = 0; fine && i < transition->target_count; i++) {
        fine = transition->targets[i] >= 0 && transition->targets[i] < states &&
               fuzzy_fsm_is_degree(transition->dots[i]);
    }
    if (!fine) {
        return ployi_build_fault(&type->build, PLOY_ERR_ARGUMENT,
                                 "unknown state or degree of a transition", NULL);
    }
    ploy_result result = ploy_array_push(&type->transitions, transition);
    return result == PLOY_OK ? result : ployi_build_fault(&type->build, result, "transition", NULL);
}

ploy_result ploy_fuzzy_fsm_type_finish(ploy_fuzzy_fsm_type *type) {
    if (type->build.finished) return PLOY_ERR_STATE;
    if (type->build.result == PLOY_OK)
        type->build.result = ploy_conditions_result(type->conditions);
    if (type->build.result == PLOY_OK && type->states.count == 0) {
        (void)ployi_build_fault(&type->build, PLOY_ERR_STATE, "unknown state", NULL);
    }
    type->build.finished = type->build.result == PLOY_OK;
    return type->build.result;
}

int32_t ploy_fuzzy_fsm_type_count(const ploy_fuzzy_fsm_type *type) {
    return type->states.count;
}

const char *ploy_fuzzy_fsm_type_id(const ploy_fuzzy_fsm_type *type, int32_t state) {
    const fuzzy_fsm_state *found = PLOY_ARRAY_AT(&type->states, fuzzy_fsm_state, state);
    return found != NULL ? ployi_build_text(&type->build, found->id) : "";
}

// ---- one character ----

struct ploy_fuzzy_fsm {
    ploy_env env;
    const ploy_fuzzy_fsm_type *type;
    size_t size;
    double *degrees;
    double *before; // of simultaneous machines: the degrees at the start
    int32_t *order; // states that were active at the start
};

ploy_result ploy_fuzzy_fsm_create(const ploy_fuzzy_fsm_type *type, const ploy_env *env,
                                  ploy_fuzzy_fsm **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (type == NULL || env == NULL) return PLOY_ERR_ARGUMENT;
    if (!type->build.finished) return PLOY_ERR_STATE;
    size_t head = (sizeof(ploy_fuzzy_fsm) + 15) / 16 * 16, states = (size_t)type->states.count;
    size_t size = head + states * (2 * sizeof(double) + sizeof(int32_t)); // few: cannot overflow
    ploy_fuzzy_fsm *fsm = ploy_env_alloc_zero(env, size);
    if (fsm == NULL) return PLOY_ERR_MEMORY;
    fsm->env = *env;
    fsm->type = type;
    fsm->size = size;
    fsm->degrees = (double *)(void *)((char *)fsm + head);
    fsm->before = fsm->degrees + states;
    fsm->order = (int32_t *)(void *)(fsm->before + states);
    for (int32_t i = 0; i < type->states.count; i++) {
        fsm->degrees[i] = PLOY_ARRAY_AT(&type->states, fuzzy_fsm_state, i)->initial;
    }
    *out = fsm;
    return PLOY_OK;
}

void ploy_fuzzy_fsm_destroy(ploy_fuzzy_fsm *fsm) {
    if (fsm == NULL) return;
    ploy_env env = fsm->env;
    ploy_env_free(&env, fsm, fsm->size);
}

// The first transition of a state that is triggered, and how much; NULL if none is.
static const ploy_fuzzy_fsm_transition *fuzzy_fsm_triggered(const ploy_fuzzy_fsm_type *type,
                                                            int32_t state,
                                                            const ploy_moment *moment,
                                                            double *degree) {
    const ploy_fuzzy_fsm_transition *items =
        PLOY_ARRAY_ITEMS(&type->transitions, ploy_fuzzy_fsm_transition);
    for (int32_t i = 0; i < type->transitions.count; i++) {
        if (items[i].from != state ||
            !ploy_condition_test(type->conditions, items[i].condition, moment)) {
            continue;
        }
        *degree = ploy_score_is_none(items[i].degree)
                      ? 1.0
                      : (double)ploy_score_value(type->conditions, items[i].degree, moment);
        if (*degree > 1.0) *degree = 1.0;
        if (*degree > 0.0) return &items[i];
    }
    return NULL;
}

static void fuzzy_fsm_fire(ploy_fuzzy_fsm *fsm, const ploy_fuzzy_fsm_transition *transition,
                           double degree, const double *from) {
    double source = from[transition->from], most = 0.0;
    for (int32_t i = 0; i < transition->target_count; i++) {
        double dot = transition->dots[i] * degree;
        int32_t target = transition->targets[i];
        if (target == transition->from) continue; // stays where it is
        most = dot > most ? dot : most;
        double moved = source < dot ? source : dot;
        if (moved > fsm->degrees[target]) fsm->degrees[target] = moved;
    }
    double rest = 1.0 - most;
    if (rest < fsm->degrees[transition->from]) fsm->degrees[transition->from] = rest;
}

void ploy_fuzzy_fsm_step(ploy_fuzzy_fsm *fsm, const ploy_moment *moment) {
    const ploy_fuzzy_fsm_type *type = fsm->type;
    int32_t active = 0;
    // Those active now, highest first and then by number; insertion, as few are.
    for (int32_t i = 0; i < type->states.count; i++) {
        if (!(fsm->degrees[i] > 0.0)) continue;
        int32_t at = active++;
        for (; at > 0 && fsm->degrees[fsm->order[at - 1]] < fsm->degrees[i]; at--) {
            fsm->order[at] = fsm->order[at - 1];
        }
        fsm->order[at] = i;
    }
    ploy_trace *trace = moment->context != NULL ? moment->context->trace : NULL;
    ploy_trace_begin(trace, moment->context != NULL ? moment->context->agent : ploy_agent_id_none(),
                     "states", "fuzzy state machine");
    size_t bytes = (size_t)type->states.count * sizeof(double);
    memcpy(fsm->before, fsm->degrees, bytes);
    // Simultaneous sources fall first and targets rise then, or a target that is a source too would
    // lose what it just got.
    for (int32_t pass = 0; pass < (type->def.simultaneous ? 2 : 1); pass++) {
        for (int32_t i = 0; i < active; i++) {
            double degree = 0.0;
            int32_t state = fsm->order[i];
            const ploy_fuzzy_fsm_transition *fired =
                fuzzy_fsm_triggered(type, state, moment, &degree);
            if (pass == 0) {
                ploy_trace_option(trace, ploy_fuzzy_fsm_type_id(type, state),
                                  fired != NULL ? PLOY_OUTCOME_WON : PLOY_OUTCOME_LOST,
                                  fsm->before[state],
                                  fired != NULL ? "a transition fires" : "nothing triggers");
            }
            if (fired == NULL) continue;
            if (!type->def.simultaneous) {
                fuzzy_fsm_fire(fsm, fired, degree, fsm->degrees);
                continue;
            }
            ploy_fuzzy_fsm_transition part = *fired;
            if (pass == 0) { // the fall alone: targets get nothing of a source that has nothing
                double saved = fsm->before[state];
                fsm->before[state] = 0.0;
                fuzzy_fsm_fire(fsm, &part, degree, fsm->before);
                fsm->before[state] = saved;
                continue;
            }
            double rest = fsm->degrees[state];
            fuzzy_fsm_fire(fsm, &part, degree, fsm->before);
            fsm->degrees[state] = rest > fsm->degrees[state] ? rest : fsm->degrees[state];
        }
    }
    ploy_trace_end(trace);
}

double ploy_fuzzy_fsm_degree(const ploy_fuzzy_fsm *fsm, int32_t state) {
    return state >= 0 && state < fsm->type->states.count ? fsm->degrees[state] : 0.0;
}

ploy_result ployi_fuzzy_fsm_set_degree(ploy_fuzzy_fsm *fsm, int32_t state, double degree) {
    if (state < 0 || state >= fsm->type->states.count || !fuzzy_fsm_is_degree(degree)) {
        return PLOY_ERR_ARGUMENT;
    }
    fsm->degrees[state] = degree;
    return PLOY_OK;
}

const double *ployi_fuzzy_fsm_degrees(const ploy_fuzzy_fsm *fsm) {
    return fsm->degrees;
}

// ---- as a behavior ----

static ploy_result fuzzy_fsm_enter(void *self, ploy_step_context *context) {
    ploy_fuzzy_fsm *fsm = self;
    (void)context;
    for (int32_t i = 0; i < fsm->type->states.count; i++) {
        fsm->degrees[i] = PLOY_ARRAY_AT(&fsm->type->states, fuzzy_fsm_state, i)->initial;
    }
    return PLOY_OK;
}

static ploy_result fuzzy_fsm_behave(void *self, ploy_step_context *context, ploy_status *status) {
    ploy_moment moment = ploy_moment_make(context);
    ploy_fuzzy_fsm_step(self, &moment);
    *status = PLOY_STATUS_RUNNING;
    return PLOY_OK;
}

static void fuzzy_fsm_destroy_self(void *self) {
    ploy_fuzzy_fsm_destroy(self);
}

static const char *fuzzy_fsm_visit_text(const void *user, uint32_t number) {
    return ploy_fuzzy_fsm_type_id(user, (int32_t)number);
}

// { "degrees": { "calm": 0.25, "angry": 0.75 } }
// States that the file does not have begin with their initial degree. If no state that was active is
// left, the machine restarts.
static void fuzzy_fsm_visit(ploy_visit *v, void *object) {
    ploy_fuzzy_fsm *fsm = object;
    const ploy_fuzzy_fsm_type *type = fsm->type;
    size_t count = (size_t)type->states.count;
    ploy_visit_table states = {fuzzy_fsm_visit_text, NULL, type, (uint32_t)count, "state", NULL};
    ploy_visit_object(v, "fuzzy state machine", fsm, fsm->size);
    PLOY_VISIT_SCRATCH(v, fsm->env);
    PLOY_VISIT_SCRATCH(v, fsm->type);
    PLOY_VISIT_SCRATCH(v, fsm->size);
    PLOY_VISIT_SCRATCH(v, fsm->degrees);
    PLOY_VISIT_SCRATCH(v, fsm->before);
    PLOY_VISIT_SCRATCH(v, fsm->order);
    ploy_visit_scratch(v, fsm + 1, (size_t)((char *)fsm->degrees - (char *)(fsm + 1))); // padding
    ploy_visit_scratch(v, fsm->before, count * sizeof *fsm->before);
    ploy_visit_scratch(v, fsm->order, count * sizeof *fsm->order);
    ploy_visit_begin(v, "degrees", PLOY_SAVED);
    bool active = false;
    for (size_t i = 0; i < count; i++) {
        const fuzzy_fsm_state *state = PLOY_ARRAY_AT(&type->states, fuzzy_fsm_state, (int32_t)i);
        const char *id = ploy_fuzzy_fsm_type_id(type, (int32_t)i);
        bool there = ploy_visit_optional(v, id, true);
        if (ploy_visit_tolerates(v)) fsm->degrees[i] = state->initial;
        ploy_visit_f64_in(v, id, PLOY_STATE, &fsm->degrees[i], 0.0, 1.0);
        active = active || (there && fsm->degrees[i] > 0.0);
    }
    ploy_visit_gone(v, &states);
    ploy_visit_end(v);
    if (active || !ploy_visit_tolerates(v)) return;
    ploy_visit_lost(v, "machine", "fuzzy state machine", "was in no state that is left: restarts");
    ploy_visit_restart(v, ploy_fuzzy_fsm_behavior(fsm));
}

void ploy_fuzzy_fsm_describe(const ploy_fuzzy_fsm *fsm, ploy_describe *out) {
    ploy_visit_describe(fuzzy_fsm_visit, fsm, NULL, out);
}

static const ploy_behavior_type fuzzy_fsm_behavior = {.name = "fuzzy state machine",
                                                      .enter = fuzzy_fsm_enter,
                                                      .step = fuzzy_fsm_behave,
                                                      .destroy = fuzzy_fsm_destroy_self,
                                                      .visit = fuzzy_fsm_visit};

ploy_behavior ploy_fuzzy_fsm_behavior(ploy_fuzzy_fsm *fsm) {
    ploy_behavior behavior = {fsm != NULL ? &fuzzy_fsm_behavior : NULL, fsm};
    return behavior;
}

static ploy_result fuzzy_fsm_make(void *user, const ploy_env *env, ploy_behavior *out) {
    ploy_fuzzy_fsm *fsm = NULL;
    ploy_result result = ploy_fuzzy_fsm_create(user, env, &fsm);
    if (result == PLOY_OK) *out = ploy_fuzzy_fsm_behavior(fsm);
    return result;
}

static ploy_result fuzzy_fsm_check(const void *user, const ploy_blackboard_layout *layout,
                                   ploy_diags *diags) {
    const ploy_fuzzy_fsm_type *type = user;
    if (!type->build.finished) return ployi_build_unfinished("a fuzzy state machine", diags);
    return ploy_maker_check_layout(type->layout, layout, diags);
}

ploy_maker ploy_fuzzy_fsm_type_maker(ploy_fuzzy_fsm_type *type) {
    ploy_maker maker = {fuzzy_fsm_make, type, NULL, fuzzy_fsm_check};
    return maker;
}
