// Utility; the technique is described in the header.
//
// Considerations lie in one array in the order of adding; each knows its option, and finish gives
// every option its run. Invariants of a finished type:
//   (1) considerations are sorted by option, and an option's run is [first, first + count);
//   (2) every curve passes ploy_curve_check, every range has high > low.
// Of a chooser: (3) at most one option's behavior is entered: that of `current`.
#include "ploy/decide/utility.h"

#include <math.h>
#include <string.h>

#include "decide_internal.h"
#include "ploy/base/fields.h"
#include "ploy/base/math.h"

static const ploy_field utility_fields[] = {
    PLOY_FIELD_BOOL(ploy_utility_def, compensate, 1,
                    "options with many considerations get a part back"),
    PLOY_FIELD_F32(ploy_utility_def, commitment, 0, 0, 1e6f, "", "bonus of the option that runs"),
    PLOY_FIELD_F32(ploy_utility_def, least, 0, 0, 1e6f, "",
                   "options that score less are not taken"),
};

typedef struct utility_consideration {
    uint32_t option; // number
    ploy_slot slot;  // none: the function
    ploy_value_type type;
    ploy_utility_fn fn;
    void *user;
    ploy_name name;
    float low, high;
    ploy_curve curve;
} utility_consideration;

typedef struct utility_item {
    ploy_name id;
    float weight;
    ploy_condition guard;
    ploy_maker inside;
    int32_t first, count; // of its considerations, from finish on
} utility_item;

struct ploy_utility_type {
    ployi_build build;
    ploy_utility_def def;
    const ploy_blackboard_layout *layout;
    ploy_conditions *conditions;
    ploy_array options;        // utility_item
    ploy_array considerations; // utility_consideration
};

struct ploy_utility {
    ploy_env env;
    const ploy_utility_type *type;
    size_t size;
    ploy_utility_option current;
    bool entered; // the current one's behavior
    double since; // s in the current option
    ploy_behavior inside[];
};

// ---- curves

static ploy_curve utility_curve(ploy_curve_kind kind, float slope, float exponent, float offset) {
    ploy_curve curve;
    memset(&curve, 0, sizeof curve);
    curve.kind = kind;
    curve.slope = slope;
    curve.exponent = exponent;
    curve.offset = offset;
    return curve;
}

ploy_curve ploy_curve_linear(float slope, float offset) {
    return utility_curve(PLOY_CURVE_LINEAR, slope, 1.0f, offset);
}

ploy_curve ploy_curve_power(float exponent) {
    return utility_curve(PLOY_CURVE_POWER, 1.0f, exponent, 0.0f);
}

ploy_curve ploy_curve_inverse(float k, float exponent) {
    return utility_curve(PLOY_CURVE_INVERSE, k, exponent, 0.0f);
}

ploy_curve ploy_curve_logistic(float steepness, float middle) {
    return utility_curve(PLOY_CURVE_LOGISTIC, steepness, 1.0f, middle);
}

ploy_result ploy_curve_table(const float *x, const float *y, int32_t count, ploy_curve *out) {
    if (x == NULL || y == NULL || out == NULL || count < 1 || count > PLOY_CURVE_POINTS_MAX) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_curve curve = utility_curve(PLOY_CURVE_TABLE, 1.0f, 1.0f, 0.0f);
    curve.count = count;
    memcpy(curve.x, x, (size_t)count * sizeof *x);
    memcpy(curve.y, y, (size_t)count * sizeof *y);
    ploy_result result = ploy_curve_check(&curve);
    if (result == PLOY_OK) *out = curve;
    return result;
}

ploy_result ploy_curve_check(const ploy_curve *curve) {
    if (curve == NULL || (uint32_t)curve->kind > (uint32_t)PLOY_CURVE_TABLE) {
        return PLOY_ERR_ARGUMENT;
    }
    if (!ploy_in_range(curve->slope, -1e6f, 1e6f) || !ploy_in_range(curve->offset, -1e6f, 1e6f) ||
        !ploy_in_range(curve->exponent, 0.01f, 100.0f)) {
        return PLOY_ERR_ARGUMENT;
    }
    if (curve->kind != PLOY_CURVE_TABLE) return PLOY_OK;
    if (curve->count < 1 || curve->count > PLOY_CURVE_POINTS_MAX) return PLOY_ERR_ARGUMENT;
    for (int32_t i = 0; i < curve->count; i++) {
        if (!ploy_in_range(curve->x[i], -1e9f, 1e9f) || !ploy_in_range(curve->y[i], -1e9f, 1e9f)) {
            return PLOY_ERR_ARGUMENT;
        }
        if (i > 0 && !(curve->x[i] > curve->x[i - 1])) return PLOY_ERR_ARGUMENT;
    }
    return PLOY_OK;
}

static float utility_table_at(const ploy_curve *curve, float x) {
    int32_t last = curve->count - 1;
    if (x <= curve->x[0]) return curve->y[0];
    if (x >= curve->x[last]) return curve->y[last];
    int32_t i = 1;
    while (x > curve->x[i]) i++;
    float share = (x - curve->x[i - 1]) / (curve->x[i] - curve->x[i - 1]);
    return curve->y[i - 1] + share * (curve->y[i] - curve->y[i - 1]);
}

float ploy_curve_at(const ploy_curve *curve, float x) {
    float y = 0.0f;
    if (!(x == x)) return 0.0f;
    switch (curve->kind) {
    case PLOY_CURVE_LINEAR: y = curve->slope * x + curve->offset; break;
    case PLOY_CURVE_POWER:
        y = curve->slope * (x > 0.0f ? ploy_powf(x, curve->exponent) : 0.0f) + curve->offset;
        break;
    case PLOY_CURVE_INVERSE:
        if (x <= 0.0f) return 1.0f;
        y = curve->slope / ploy_powf(x, curve->exponent) + curve->offset;
        break;
    case PLOY_CURVE_LOGISTIC:
        y = 1.0f / (1.0f + ploy_expf(-curve->slope * (x - curve->offset)));
        break;
    case PLOY_CURVE_TABLE: y = utility_table_at(curve, x); break;
    }
    return y == y ? ploy_clampf(y, 0.0f, 1.0f) : 0.0f;
}

float ploy_utility_compensate(float value, int32_t count) {
    float modification = 1.0f - 1.0f / (float)(count > 1 ? count : 1);
    return value + (1.0f - value) * modification * value;
}

// ---- the type

ploy_fields ploy_utility_fields(void) {
    return PLOY_FIELDS(ploy_utility_def, utility_fields);
}

ploy_utility_def ploy_utility_def_default(void) {
    ploy_utility_def def;
    ploy_fields_default(ploy_utility_fields(), &def);
    return def;
}

ploy_result ploy_utility_type_create(const ploy_utility_def *def,
                                     const ploy_blackboard_layout *layout, const ploy_env *env,
                                     ploy_utility_type **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_utility_fields(), def, env);
    if (result != PLOY_OK) return result;
    ploy_utility_type *type = ploy_env_alloc_zero(env, sizeof *type);
    if (type == NULL) return PLOY_ERR_MEMORY;
    type->build.env = *env;
    type->def = *def;
    type->layout = layout;
    ploy_array_init(&type->options, sizeof(utility_item), env);
    ploy_array_init(&type->considerations, sizeof(utility_consideration), env);
    result = ployi_build_init(&type->build, env);
    if (result == PLOY_OK) result = ploy_conditions_create(layout, env, &type->conditions);
    if (result != PLOY_OK) {
        ploy_utility_type_destroy(type);
        return result;
    }
    *out = type;
    return PLOY_OK;
}

void ploy_utility_type_destroy(ploy_utility_type *type) {
    if (type == NULL) return;
    ploy_env env = type->build.env;
    ploy_conditions_destroy(type->conditions);
    ploy_array_fini(&type->considerations);
    ploy_array_fini(&type->options);
    ployi_build_fini(&type->build);
    ploy_env_free(&env, type, sizeof *type);
}

ploy_conditions *ploy_utility_type_conditions(ploy_utility_type *type) {
    return type->conditions;
}

ploy_utility_option ploy_utility_type_option(ploy_utility_type *type, const char *id, float weight,
                                             ploy_maker inside) {
    ploy_utility_option none = {0};
    if (!ployi_build_open(&type->build)) return none;
    if (!ploy_in_range(weight, 0.0f, 1e6f)) {
        (void)ployi_build_fault(&type->build, PLOY_ERR_ARGUMENT, "a weight out of range:", id);
        return none;
    }
    if (ploy_utility_type_find(type, id).number != 0) {
        (void)ployi_build_fault(&type->build, PLOY_ERR_EXISTS, "two options are named", id);
        return none;
    }
    utility_item item;
    memset(&item, 0, sizeof item);
    item.id = ployi_build_name(&type->build, "not a name for an option:", id);
    if (ploy_name_is_none(item.id)) return none;
    item.weight = weight;
    item.inside = inside;
    ploy_result result = ploy_array_push(&type->options, &item);
    if (result != PLOY_OK) {
        (void)ployi_build_fault(&type->build, result, "no room for the option", id);
        return none;
    }
    ploy_utility_option option = {(uint32_t)type->options.count};
    return option;
}

static utility_item *utility_at(const ploy_utility_type *type, ploy_utility_option option) {
    return PLOY_ARRAY_AT(&type->options, utility_item, (int32_t)option.number - 1);
}

ploy_result ploy_utility_type_guard(ploy_utility_type *type, ploy_utility_option option,
                                    ploy_condition when) {
    if (!ployi_build_open(&type->build)) return PLOY_ERR_STATE;
    utility_item *item = utility_at(type, option);
    if (item == NULL || !ploy_condition_valid(type->conditions, when)) {
        return ployi_build_fault(&type->build, PLOY_ERR_ARGUMENT, "a guard of no option", "");
    }
    item->guard = when;
    return PLOY_OK;
}

static ploy_result utility_consider(ploy_utility_type *type, utility_consideration *item,
                                    const char *name) {
    ploy_utility_option option = {item->option};
    if (!ployi_build_open(&type->build)) return PLOY_ERR_STATE;
    if (utility_at(type, option) == NULL || ploy_curve_check(&item->curve) != PLOY_OK ||
        !ploy_in_range(item->low, -1e9f, 1e9f) || !ploy_in_range(item->high, -1e9f, 1e9f) ||
        !(item->high > item->low)) {
        return ployi_build_fault(&type->build, PLOY_ERR_ARGUMENT,
                                 "an option, range or curve that is none, of", name);
    }
    item->name = ployi_build_name(&type->build, "not a name:", name);
    if (ploy_name_is_none(item->name)) return type->build.result;
    ploy_result result = ploy_array_push(&type->considerations, item);
    if (result != PLOY_OK) {
        return ployi_build_fault(&type->build, result, "no room for a consideration:", name);
    }
    return PLOY_OK;
}

ploy_result ploy_utility_type_key(ploy_utility_type *type, ploy_utility_option option,
                                  const char *key, float low, float high, ploy_curve curve) {
    utility_consideration item;
    memset(&item, 0, sizeof item);
    item.option = option.number;
    item.low = low;
    item.high = high;
    item.curve = curve;
    item.slot = type->layout != NULL && key != NULL ? ploy_blackboard_layout_find(type->layout, key)
                                                    : ploy_slot_none();
    item.type = type->layout != NULL ? ploy_blackboard_layout_type(type->layout, item.slot)
                                     : PLOY_VALUE_NONE;
    if (item.type < PLOY_VALUE_BOOL || item.type > PLOY_VALUE_F64) {
        if (!ployi_build_open(&type->build)) return PLOY_ERR_STATE;
        return ployi_build_fault(&type->build, PLOY_ERR_NOT_FOUND, "no number is under the key",
                                 key);
    }
    return utility_consider(type, &item, key);
}

ploy_result ploy_utility_type_call(ploy_utility_type *type, ploy_utility_option option,
                                   const char *name, ploy_utility_fn fn, void *user, float low,
                                   float high, ploy_curve curve) {
    utility_consideration item;
    memset(&item, 0, sizeof item);
    item.option = option.number;
    item.low = low;
    item.high = high;
    item.curve = curve;
    item.fn = fn;
    item.user = user;
    if (fn == NULL) {
        return ployi_build_fault(&type->build, PLOY_ERR_ARGUMENT, "no function for", name);
    }
    return utility_consider(type, &item, name);
}

ploy_result ploy_utility_type_finish(ploy_utility_type *type) {
    if (type->build.finished) return PLOY_ERR_STATE;
    if (type->build.result != PLOY_OK) return type->build.result;
    ploy_result result = ploy_conditions_result(type->conditions);
    if (result != PLOY_OK) return result;
    // An insertion sort keeps the order within an option; there are few.
    utility_consideration *items = PLOY_ARRAY_ITEMS(&type->considerations, utility_consideration);
    for (int32_t i = 1; i < type->considerations.count; i++) {
        utility_consideration item = items[i];
        int32_t at = i;
        for (; at > 0 && items[at - 1].option > item.option; at--) items[at] = items[at - 1];
        items[at] = item;
    }
    for (int32_t i = type->considerations.count - 1; i >= 0; i--) {
        ploy_utility_option option = {items[i].option};
        utility_item *item = utility_at(type, option);
        item->first = i;
        item->count++;
    }
    type->build.finished = true;
    return PLOY_OK;
}

int32_t ploy_utility_type_count(const ploy_utility_type *type) {
    return type->options.count;
}

ploy_utility_option ploy_utility_type_find(const ploy_utility_type *type, const char *id) {
    ploy_utility_option option = {0};
    ploy_name name = ploy_name_of(id);
    for (int32_t i = 0; i < type->options.count; i++) {
        if (ploy_name_equal(PLOY_ARRAY_ITEMS(&type->options, utility_item)[i].id, name)) {
            option.number = (uint32_t)i + 1;
        }
    }
    return option;
}

const char *ploy_utility_type_id(const ploy_utility_type *type, ploy_utility_option option) {
    const utility_item *item = utility_at(type, option);
    return item != NULL ? ployi_build_text(&type->build, item->id) : "";
}

// ---- choosing

static float utility_read(const utility_consideration *item, const ploy_moment *moment) {
    if (item->fn != NULL) return item->fn(item->user, moment);
    ploy_value value;
    double number = 0.0;
    const ploy_blackboard *board = moment->context->blackboard;
    if (board == NULL || ploy_blackboard_get(board, item->slot, &value) != PLOY_OK) return 0.0f;
    return ploy_value_number(&value, &number) ? (float)number : 0.0f;
}

float ploy_utility_score(const ploy_utility_type *type, ploy_utility_option option,
                         const ploy_moment *moment) {
    const utility_item *item = utility_at(type, option);
    if (item == NULL || !ploy_condition_test(type->conditions, item->guard, moment)) return 0.0f;
    const utility_consideration *items =
        PLOY_ARRAY_ITEMS(&type->considerations, utility_consideration);
    float score = 1.0f;
    for (int32_t i = item->first; i < item->first + item->count && score > 0.0f; i++) {
        float x = (utility_read(&items[i], moment) - items[i].low) / (items[i].high - items[i].low);
        float y = ploy_curve_at(&items[i].curve, x == x ? ploy_clampf(x, 0.0f, 1.0f) : x);
        score *= type->def.compensate ? ploy_utility_compensate(y, item->count) : y;
    }
    return score * item->weight;
}

ploy_utility_option ploy_utility_choose(const ploy_utility_type *type, const ploy_moment *moment,
                                        ploy_utility_option running, float *score) {
    ploy_utility_option best = {0};
    float most = 0.0f;
    for (int32_t i = 0; i < type->options.count; i++) {
        ploy_utility_option option = {(uint32_t)i + 1};
        float own = ploy_utility_score(type, option, moment);
        if (!(own > 0.0f) || own < type->def.least) continue;
        if (ploy_utility_option_equal(option, running)) own += type->def.commitment;
        if (best.number != 0 && !(own > most)) continue;
        best = option;
        most = own;
    }
    if (score != NULL) *score = most;
    return best;
}

// ---- the behavior

static void utility_trace(const ploy_utility *utility, const ploy_moment *moment,
                          ploy_utility_option best) {
    ploy_trace *trace = moment->context->trace;
    if (trace == NULL) return;
    ploy_trace_begin(trace, moment->context->agent, "choose", "utility");
    for (int32_t i = 0; i < utility->type->options.count; i++) {
        ploy_utility_option option = {(uint32_t)i + 1};
        float score = ploy_utility_score(utility->type, option, moment);
        bool won = ploy_utility_option_equal(option, best);
        bool runs = ploy_utility_option_equal(option, utility->current);
        ploy_trace_option(trace, ploy_utility_type_id(utility->type, option),
                          won            ? PLOY_OUTCOME_WON
                          : score > 0.0f ? PLOY_OUTCOME_LOST
                                         : PLOY_OUTCOME_REJECTED,
                          (double)score, runs ? "runs already" : "");
    }
    ploy_trace_end(trace);
}

static void utility_leave(ploy_utility *utility, ploy_step_context *context,
                          ploy_exit_reason reason) {
    if (utility->entered) {
        ploy_behavior_exit(utility->inside[utility->current.number - 1], context, reason);
    }
    utility->entered = false;
    utility->current.number = 0;
    utility->since = 0.0;
}

static ploy_result utility_step(void *self, ploy_step_context *context, ploy_status *status) {
    ploy_utility *utility = self;
    ploy_moment moment = ploy_moment_make(context);
    moment.elapsed = utility->since;
    ploy_utility_option best = ploy_utility_choose(utility->type, &moment, utility->current, NULL);
    utility_trace(utility, &moment, best);
    if (!ploy_utility_option_equal(best, utility->current)) {
        utility_leave(utility, context, PLOY_EXIT_INTERRUPTED);
        utility->current = best;
    }
    if (best.number == 0) {
        *status = PLOY_STATUS_FAILURE;
        return PLOY_OK;
    }
    ploy_behavior inside = utility->inside[best.number - 1];
    utility->since += (double)context->dt;
    *status = PLOY_STATUS_SUCCESS;
    if (inside.type == NULL) return PLOY_OK;
    ploy_result result = PLOY_OK;
    if (!utility->entered) {
        utility->entered = true;
        result = ploy_behavior_enter(inside, context);
    }
    if (result == PLOY_OK) result = ploy_behavior_step(inside, context, status);
    if (result != PLOY_OK) {
        utility_leave(utility, context, PLOY_EXIT_ERROR);
    } else if (*status != PLOY_STATUS_RUNNING) {
        utility_leave(utility, context, PLOY_EXIT_FINISHED);
    }
    return result;
}

static void utility_exit(void *self, ploy_step_context *context, ploy_exit_reason reason) {
    utility_leave(self, context, reason);
}

static ploy_result utility_message(void *self, ploy_step_context *context,
                                   const ploy_message *message, bool *handled) {
    ploy_utility *utility = self;
    *handled = false;
    if (!utility->entered) return PLOY_OK;
    return ploy_behavior_message(utility->inside[utility->current.number - 1], context, message,
                                 handled);
}

static ploy_result utility_commit(void *self, ploy_step_context *context) {
    ploy_utility *utility = self;
    if (!utility->entered) return PLOY_OK;
    return ploy_behavior_commit(utility->inside[utility->current.number - 1], context);
}

// { "option": "eat", "since": 1.5, "inside": { a behavior } }
static void utility_save(const void *self, ploy_json_writer *out) {
    const ploy_utility *utility = self;
    ploy_json_write_begin_object(out);
    ployi_save_text(out, "option", ploy_utility_type_id(utility->type, utility->current));
    ployi_save_f64(out, "since", utility->since);
    if (utility->entered) {
        ploy_json_write_key(out, "inside");
        ploy_behavior_save(utility->inside[utility->current.number - 1], out);
    }
    ploy_json_write_end_object(out);
}

static ploy_result utility_load(void *self, ploy_step_context *context, const ploy_json *doc,
                                ploy_json_node state, ploy_diags *diags) {
    ploy_utility *utility = self;
    if (utility->entered) return PLOY_ERR_STATE;
    ploy_json_node node = ploy_json_member(doc, state, "option");
    const char *id = ploy_json_text(doc, node, NULL);
    utility->current = ploy_utility_type_find(utility->type, id);
    utility->since = 0.0;
    if (utility->current.number == 0) {
        if (id[0] != '\0') {
            ploy_behavior_lost(doc, node, diags, "option", id, "is gone: chooses anew");
        }
        return PLOY_OK;
    }
    (void)ployi_load_f64(doc, state, "since", &utility->since);
    ploy_json_node inside = ploy_json_member(doc, state, "inside");
    ploy_behavior behavior = utility->inside[utility->current.number - 1];
    // One that has a behavior now and had none is entered by the next step.
    if (ploy_json_is_none(inside) || behavior.type == NULL) return PLOY_OK;
    utility->entered = true; // keeps (3)
    return ploy_behavior_load(behavior, context, doc, inside, diags);
}

static void utility_destroy_self(void *self) {
    ploy_utility_destroy(self);
}

static void utility_describe_self(const void *self, ploy_describe *out) {
    ploy_utility_describe(self, out);
}

static const ploy_behavior_type utility_behavior = {.name = "utility",
                                                    .step = utility_step,
                                                    .exit = utility_exit,
                                                    .commit = utility_commit,
                                                    .message = utility_message,
                                                    .destroy = utility_destroy_self,
                                                    .describe = utility_describe_self,
                                                    .save = utility_save,
                                                    .load = utility_load};

ploy_result ploy_utility_create(const ploy_utility_type *type, const ploy_env *env,
                                ploy_utility **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (type == NULL || env == NULL) return PLOY_ERR_ARGUMENT;
    if (!type->build.finished) return PLOY_ERR_STATE;
    size_t size = 0;
    if (!ploy_size_add_array(sizeof(ploy_utility), type->options.count, sizeof(ploy_behavior),
                             &size)) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_utility *utility = ploy_env_alloc_zero(env, size);
    if (utility == NULL) return PLOY_ERR_MEMORY;
    utility->env = *env;
    utility->type = type;
    utility->size = size;
    for (int32_t i = 0; i < type->options.count; i++) {
        ploy_maker inside = PLOY_ARRAY_ITEMS(&type->options, utility_item)[i].inside;
        ploy_result result = ploy_maker_make(inside, env, &utility->inside[i]);
        if (result != PLOY_OK) {
            ploy_utility_destroy(utility);
            return result;
        }
    }
    *out = utility;
    return PLOY_OK;
}

void ploy_utility_destroy(ploy_utility *utility) {
    if (utility == NULL) return;
    for (int32_t i = 0; i < utility->type->options.count; i++) {
        ploy_behavior_destroy(utility->inside[i]);
    }
    ploy_env env = utility->env;
    ploy_env_free(&env, utility, utility->size);
}

ploy_behavior ploy_utility_get(ploy_utility *utility) {
    ploy_behavior behavior = {&utility_behavior, utility};
    return behavior;
}

static ploy_result utility_make(void *user, const ploy_env *env, ploy_behavior *out) {
    ploy_utility *utility = NULL;
    ploy_result result = ploy_utility_create(user, env, &utility);
    if (result == PLOY_OK) *out = ploy_utility_get(utility);
    return result;
}

ploy_maker ploy_utility_type_maker(ploy_utility_type *type) {
    ploy_maker maker = ploy_maker_of(utility_make, type);
    return maker;
}

ploy_utility_option ploy_utility_current(const ploy_utility *utility) {
    return utility->current;
}

void ploy_utility_describe(const ploy_utility *utility, ploy_describe *out) {
    ploy_describe_text(out, "option", PLOY_STATE,
                       ploy_utility_type_id(utility->type, utility->current));
    ploy_describe_bool(out, "entered", PLOY_STATE, utility->entered);
    ploy_describe_f64(out, "since", PLOY_STATE, utility->since);
    if (!utility->entered) return;
    ploy_describe_begin(out, "inside");
    ploy_behavior_describe(utility->inside[utility->current.number - 1], out);
    ploy_describe_end(out);
}
