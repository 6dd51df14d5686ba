// Dwell times and the oscillation detector; described in the header.
//
// Invariants of a wrapped behavior:
//   (1) `mode` is what the key held after the last step, if `known`;
//   (2) the detector's last mode is `mode`, if `known`.
#include "ploy/tactics/dwell.h"

#include <string.h>

#include "fireteam_internal.h"
#include "ploy/exec/behavior_visit.h"

static const char *const dwell_modes[] = {"pause", "restore"};

static const ploy_field dwell_fields[] = {
    PLOY_FIELD_ENUM(ploy_dwell_def, mode, PLOY_DWELL_PAUSE, dwell_modes, "how a mode is held"),
    PLOY_FIELD_F32(ploy_dwell_def, seconds, 1, 0, 1e6f, "s", "how long a mode stays at least"),
    PLOY_FIELD_F32(ploy_dwell_def, window, 10, 0, 1e6f, "s", "in which the detector counts"),
    PLOY_FIELD_I32(ploy_dwell_def, limit, 4, 0, PLOY_OSCILLATION_MAX, "",
                   "returns in the window that count as oscillation; 0: never"),
    PLOY_FIELD_F32(ploy_dwell_def, longer, 2, 1, 1e3f, "", "factor of the dwell meanwhile"),
};

struct ploy_dwell {
    ploy_env env;
    ploy_dwell_def def;
    ploy_maker inner;
    const ploy_blackboard_layout *layout;
    ploy_value_type type; // of the key
};

typedef struct dwell_mind {
    ploy_env env;
    const ploy_dwell *dwell;
    ploy_nested inner;
    ploy_oscillation oscillation;
    uint64_t mode; // as 64 bits, whatever its type
    double since;  // s, when the mode was chosen
    uint64_t held;
    bool known; // a mode was chosen
    bool oscillating;
} dwell_mind;

// ---- the detector

bool ploy_oscillation_note(ploy_oscillation *oscillation, uint64_t mode, double now, float window) {
    int32_t count = oscillation->count;
    if (count > 0 && oscillation->modes[count - 1] == mode) return false;
    bool returns = false;
    for (int32_t i = count - 2; i >= 0; i--) {
        // Mode i was left when the one after it was entered.
        if (now - oscillation->times[i + 1] > (double)window) break;
        returns = returns || oscillation->modes[i] == mode;
    }
    if (count == PLOY_OSCILLATION_MAX) {
        size_t rest = (size_t)(count - 1);
        memmove(oscillation->modes, oscillation->modes + 1, rest * sizeof oscillation->modes[0]);
        memmove(oscillation->times, oscillation->times + 1, rest * sizeof oscillation->times[0]);
        count--;
    }
    if (count > 0) oscillation->switches++;
    if (returns) oscillation->returns++;
    oscillation->modes[count] = mode;
    oscillation->times[count] = now;
    oscillation->count = count + 1;
    return true;
}

int32_t ploy_oscillation_returns(const ploy_oscillation *oscillation, double now, float window) {
    int32_t returns = 0;
    for (int32_t i = oscillation->count - 1; i >= 2; i--) {
        if (now - oscillation->times[i] > (double)window) break;
        for (int32_t k = i - 2; k >= 0; k--) {
            if (oscillation->times[i] - oscillation->times[k + 1] > (double)window) break;
            if (oscillation->modes[k] != oscillation->modes[i]) continue;
            returns++;
            break;
        }
    }
    return returns;
}

void ploy_oscillation_visit(ploy_visit *v, void *object) {
    ploy_oscillation *oscillation = object;
    ploy_visit_struct(v, "oscillation", oscillation, sizeof *oscillation);
    PLOY_VISIT_SCRATCH(v, oscillation->reserved);
    PLOY_VISIT_SCRATCH(v, oscillation->modes); // behind the count they may hold anything
    PLOY_VISIT_SCRATCH(v, oscillation->times);
    int32_t count =
        ploy_visit_list(v, "modes", PLOY_STATE, &oscillation->count, PLOY_OSCILLATION_MAX);
    for (int32_t i = 0; i < count; i++) {
        ploy_visit_begin_item(v, i, PLOY_STATE);
        ploy_visit_u64(v, "mode", PLOY_STATE, &oscillation->modes[i]);
        ploy_visit_f64(v, "time", PLOY_STATE, &oscillation->times[i]);
        ploy_visit_end(v);
    }
    ploy_visit_end(v);
    ploy_visit_u64(v, "switches", PLOY_STATE, &oscillation->switches);
    ploy_visit_u64(v, "returns", PLOY_STATE, &oscillation->returns);
}

// ---- the definition

ploy_fields ploy_dwell_fields(void) {
    return PLOY_FIELDS(ploy_dwell_def, dwell_fields);
}

ploy_dwell_def ploy_dwell_def_default(void) {
    ploy_dwell_def def;
    ploy_fields_default(ploy_dwell_fields(), &def);
    return def;
}

static bool dwell_is_bool(const ploy_blackboard_layout *layout, ploy_slot slot) {
    return ploy_slot_is_none(slot) || ploy_blackboard_layout_type(layout, slot) == PLOY_VALUE_BOOL;
}

ploy_result ploy_dwell_create(const ploy_dwell_def *def, ploy_maker inner,
                              const ploy_blackboard_layout *layout, const ploy_env *env,
                              ploy_dwell **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL || layout == NULL || ploy_maker_is_none(inner)) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_dwell_fields(), def, env);
    if (result != PLOY_OK) return result;
    ploy_value_type type = ploy_blackboard_layout_type(layout, def->key);
    bool fits = type == PLOY_VALUE_NAME || type == PLOY_VALUE_I64 || type == PLOY_VALUE_U64 ||
                type == PLOY_VALUE_BOOL;
    if (!fits || !dwell_is_bool(layout, def->urgent) || !dwell_is_bool(layout, def->oscillating)) {
        ploy_env_log(env, PLOY_SEVERITY_ERROR,
                     "dwell: the mode must be a name, i64, u64 or bool, the others bool");
        return PLOY_ERR_ARGUMENT;
    }
    result = ploy_maker_check(inner, layout, env, NULL);
    if (result != PLOY_OK) return result;
    ploy_dwell *dwell = ploy_env_alloc_zero(env, sizeof *dwell);
    if (dwell == NULL) return PLOY_ERR_MEMORY;
    dwell->env = *env;
    dwell->def = *def;
    dwell->inner = inner;
    dwell->layout = layout;
    dwell->type = type;
    *out = dwell;
    return PLOY_OK;
}

void ploy_dwell_destroy(ploy_dwell *dwell) {
    if (dwell == NULL) return;
    ploy_env env = dwell->env;
    ploy_env_free(&env, dwell, sizeof *dwell);
}

size_t ployi_dwell_size(void) {
    return sizeof(ploy_dwell);
}

// ---- the behavior

static uint64_t dwell_read(const ploy_dwell *dwell, const ploy_blackboard *board) {
    ploy_slot key = dwell->def.key;
    switch (dwell->type) {
    case PLOY_VALUE_NAME: return ploy_blackboard_get_name(board, key).hash;
    case PLOY_VALUE_I64: return (uint64_t)ploy_blackboard_get_i64(board, key);
    case PLOY_VALUE_U64: return ploy_blackboard_get_u64(board, key);
    default: return ploy_blackboard_get_bool(board, key) ? 1 : 0;
    }
}

static void dwell_write(const ploy_dwell *dwell, ploy_blackboard *board, uint64_t mode) {
    ploy_slot key = dwell->def.key;
    ploy_name name = {mode};
    switch (dwell->type) {
    case PLOY_VALUE_NAME: (void)ploy_blackboard_set_name(board, key, name); return;
    case PLOY_VALUE_I64: (void)ploy_blackboard_set_i64(board, key, (int64_t)mode); return;
    case PLOY_VALUE_U64: (void)ploy_blackboard_set_u64(board, key, mode); return;
    default: (void)ploy_blackboard_set_bool(board, key, mode != 0); return;
    }
}

static ploy_result dwell_enter(void *self, ploy_step_context *context) {
    dwell_mind *mind = self;
    memset(&mind->oscillation, 0, sizeof mind->oscillation);
    mind->mode = mind->held = 0;
    mind->since = 0.0;
    mind->known = mind->oscillating = false;
    (void)ploy_nested_enter(&mind->inner, &mind->env, "dwell", context);
    return PLOY_OK;
}

static void dwell_trace(const dwell_mind *mind, ploy_step_context *context, bool holds,
                        float left) {
    if (context->trace == NULL) return;
    ploy_trace_begin(context->trace, context->agent, "mode", "dwell");
    ploy_trace_option(context->trace, "stay", holds ? PLOY_OUTCOME_WON : PLOY_OUTCOME_LOST,
                      (double)left, holds ? "the dwell is not over" : "the dwell is over");
    ploy_trace_option(context->trace, "decide again",
                      holds ? PLOY_OUTCOME_REJECTED : PLOY_OUTCOME_WON, 0.0,
                      holds ? "the mode was chosen a moment ago" : "nothing holds the mode");
    if (mind->oscillating) ploy_trace_note(context->trace, "the mode oscillates");
    ploy_trace_end(context->trace);
}

static ploy_result dwell_step(void *self, ploy_step_context *context, ploy_status *status) {
    dwell_mind *mind = self;
    const ploy_dwell_def *def = &mind->dwell->def;
    ploy_blackboard *board = context->blackboard;
    if (board == NULL) return PLOY_ERR_ARGUMENT;
    int32_t returns = ploy_oscillation_returns(&mind->oscillation, context->now, def->window);
    mind->oscillating = def->limit > 0 && returns >= def->limit;
    float dwell = def->seconds * (mind->oscillating ? def->longer : 1.0f);
    float left = dwell - (float)(context->now - mind->since);
    bool urgent = ploy_blackboard_get_bool(board, def->urgent);
    bool holds = mind->known && !urgent && left > 0.0f;
    dwell_trace(mind, context, holds, left);
    *status = PLOY_STATUS_RUNNING;
    if (!(holds && def->mode == PLOY_DWELL_PAUSE)) {
        *status = ploy_nested_step(&mind->inner, &mind->env, "dwell", context);
    }
    uint64_t mode = dwell_read(mind->dwell, board);
    if (holds && (mode != mind->mode || def->mode == PLOY_DWELL_PAUSE)) {
        mind->held++;
        dwell_write(mind->dwell, board, mind->mode); // keeps (1)
    } else if (!mind->known || mode != mind->mode) {
        (void)ploy_oscillation_note(&mind->oscillation, mode, context->now, def->window);
        mind->mode = mode;
        mind->since = context->now;
        mind->known = true;
    }
    if (!ploy_slot_is_none(def->oscillating)) {
        (void)ploy_blackboard_set_bool(board, def->oscillating, mind->oscillating);
    }
    return PLOY_OK;
}

static void dwell_exit(void *self, ploy_step_context *context, ploy_exit_reason reason) {
    dwell_mind *mind = self;
    ploy_nested_exit(&mind->inner, context, reason);
}

static ploy_result dwell_commit(void *self, ploy_step_context *context) {
    dwell_mind *mind = self;
    ploy_nested_commit(&mind->inner, &mind->env, "dwell", context);
    return PLOY_OK;
}

static ploy_result dwell_message(void *self, ploy_step_context *context,
                                 const ploy_message *message, bool *handled) {
    dwell_mind *mind = self;
    *handled = ploy_nested_message(&mind->inner, &mind->env, "dwell", context, message);
    return PLOY_OK;
}

static void dwell_free(void *self) {
    dwell_mind *mind = self;
    ploy_env env = mind->env;
    ploy_nested_destroy(&mind->inner);
    ploy_env_free(&env, mind, sizeof *mind);
}

static void dwell_draw(const void *self, ploy_draw *out) {
    const dwell_mind *mind = self;
    ploy_nested_draw(&mind->inner, out);
}

static void dwell_visit(ploy_visit *v, void *object) {
    dwell_mind *mind = object;
    ploy_visit_object(v, "dwell", mind, sizeof *mind);
    PLOY_VISIT_SCRATCH(v, mind->env);
    PLOY_VISIT_SCRATCH(v, mind->dwell);
    PLOY_VISIT_SCRATCH(v, mind->inner); // visited below
    ploy_visit_begin(v, "oscillation", PLOY_STATE);
    ploy_oscillation_visit(v, &mind->oscillation);
    ploy_visit_end(v);
    ploy_visit_bool(v, "known", PLOY_STATE, &mind->known);
    ploy_visit_u64(v, "mode", PLOY_STATE, &mind->mode);
    ploy_visit_f64(v, "since", PLOY_STATE, &mind->since);
    ploy_visit_u64(v, "held", PLOY_STATE, &mind->held);
    ploy_visit_bool(v, "oscillating", PLOY_STATE, &mind->oscillating);
    ploy_visit_nested(v, "inner", PLOY_STATE, &mind->inner, &mind->env, "dwell");
}

static const ploy_behavior_type dwell_behavior = {.name = "dwell",
                                                  .enter = dwell_enter,
                                                  .step = dwell_step,
                                                  .exit = dwell_exit,
                                                  .commit = dwell_commit,
                                                  .message = dwell_message,
                                                  .destroy = dwell_free,
                                                  .draw = dwell_draw,
                                                  .visit = dwell_visit};

static ploy_result dwell_make(void *user, const ploy_env *env, ploy_behavior *out) {
    const ploy_dwell *dwell = user;
    dwell_mind *mind = ploy_env_alloc_zero(env, sizeof *mind);
    if (mind == NULL) return PLOY_ERR_MEMORY;
    mind->env = *env;
    mind->dwell = dwell;
    ploy_result result = ploy_nested_make(&mind->inner, dwell->inner, env);
    if (result != PLOY_OK) {
        ploy_env_free(env, mind, sizeof *mind);
        return result;
    }
    out->type = &dwell_behavior;
    out->self = mind;
    return PLOY_OK;
}

static ploy_result dwell_check(const void *user, const ploy_blackboard_layout *layout,
                               ploy_diags *diags) {
    const ploy_dwell *dwell = user;
    return ploy_maker_check_layout(dwell->layout, layout, diags);
}

ploy_maker ploy_dwell_maker(ploy_dwell *dwell) {
    ploy_maker maker = ploy_maker_of(dwell_make, dwell);
    maker.name = "dwell";
    maker.check = dwell_check;
    return maker;
}

ploy_result ploy_dwell_info_of(ploy_behavior behavior, ploy_dwell_info *out) {
    if (behavior.type != &dwell_behavior || out == NULL) return PLOY_ERR_ARGUMENT;
    const dwell_mind *mind = behavior.self;
    out->switches = mind->oscillation.switches;
    out->returns = mind->oscillation.returns;
    out->held = mind->held;
    out->oscillating = mind->oscillating;
    return PLOY_OK;
}
