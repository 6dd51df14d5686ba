// Utility; the technique is described in the header.
//
// Considerations lie in one array in the order of adding; each knows its option, and finish gives
// every option its run. Invariants of a finished type:
//   (1) considerations are sorted by option, and an option's run is [first, first + count);
//   (2) every curve passes ployi_curve_check, every range has high > low.
// Of a chooser: (3) at most one option's behavior is entered: that of `current`.
#include "ploy/decide/utility.h"

#include "decide/decide_internal.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "condition_internal.h"
#include "ploy/base/fields.h"
#include "ploy/base/math.h"

static const char *const utility_ties[] = PLOYI_TIES_NAMES;
static const ploy_field utility_fields[] = {
    PLOY_FIELD_BOOL(ploy_utility_def, compensate, 1,
                    "options with many considerations get a part back"),
    PLOY_FIELD_F32(ploy_utility_def, commitment, 0, 0, 1e6f, "", "bonus of the option that runs"),
    PLOY_FIELD_F32(ploy_utility_def, least, 0, 0, 1e6f, "",
                   "options that score less are not taken"),
    PLOY_FIELD_ENUM(ploy_utility_def, ties, PLOY_TIES_FIRST, utility_ties,
                    "which of equal options wins"),
};

typedef struct utility_consideration {
    uint32_t option; // number
    ploy_score score;
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
    double since; // s in the current option
    ploy_nested inside[];
};

float ployi_utility_compensate(float value, int32_t count) {
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
        (void)ployi_build_fault(&type->build, PLOY_ERR_ARGUMENT, "weight is out of range:", id);
        return none;
    }
    if (ploy_utility_type_find(type, id).number != 0) {
        (void)ployi_build_fault(&type->build, PLOY_ERR_EXISTS, "duplicate option", id);
        return none;
    }
    utility_item item;
    memset(&item, 0, sizeof item);
    item.id = ployi_build_name(&type->build, "invalid option name", id);
    if (ploy_name_is_none(item.id)) return none;
    item.weight = weight;
    item.inside = inside;
    ploy_result result = ploy_array_push(&type->options, &item);
    if (result != PLOY_OK) {
        (void)ployi_build_fault(&type->build, result, "out of memory for option", id);
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
    if (item == NULL || !ployi_condition_valid(type->conditions, when)) {
        return ployi_build_fault(&type->build, PLOY_ERR_ARGUMENT, "unknown option of a guard", "");
    }
    item->guard = when;
    return PLOY_OK;
}

ploy_result ploy_utility_type_consider(ploy_utility_type *type, ploy_utility_option option,
                                       ploy_score score, float low, float high, ploy_curve curve) {
    utility_consideration item = {option.number, score, low, high, curve};
    if (!ployi_build_open(&type->build)) return PLOY_ERR_STATE;
    const char *id = ploy_utility_type_id(type, option);
    ploy_result result = ploy_conditions_result(type->conditions); // why there is no score
    if (result != PLOY_OK) {
        return ployi_build_fault(&type->build, result, "invalid score of option", id);
    }
    if (utility_at(type, option) == NULL || ploy_score_is_none(score) ||
        !ployi_score_valid(type->conditions, score) || ployi_curve_check(&curve) != PLOY_OK ||
        !ploy_in_range(low, -1e9f, 1e9f) || !ploy_in_range(high, -1e9f, 1e9f) || !(high > low)) {
        return ployi_build_fault(&type->build, PLOY_ERR_ARGUMENT,
                                 "invalid score, range or curve of option", id);
    }
    result = ploy_array_push(&type->considerations, &item);
    if (result != PLOY_OK) {
        return ployi_build_fault(&type->build, result, "out of memory for a consideration of", id);
    }
    return PLOY_OK;
}

ploy_result ploy_utility_type_finish(ploy_utility_type *type) {
    if (type->build.finished) return PLOY_ERR_STATE;
    if (type->build.result != PLOY_OK) return type->build.result;
    ploy_result result = ploy_conditions_result(type->conditions);
    for (int32_t i = 0; i < type->options.count && result == PLOY_OK; i++) {
        const utility_item *item = &PLOY_ARRAY_ITEMS(&type->options, utility_item)[i];
        result = ploy_maker_check(item->inside, type->layout, &type->build.env, NULL);
    }
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

// One row: its option, if it is the first of it, and its consideration.
static void utility_row(ploy_utility_type *type, const ploy_utility_row *row,
                        ploy_utility_option *option) {
    bool same = option->number != 0 && row->option != NULL &&
                strcmp(ploy_utility_type_id(type, *option), row->option) == 0;
    if (!same) {
        float weight = row->weight == 0.0f ? 1.0f : row->weight;
        *option = ploy_utility_type_option(type, row->option, weight, row->inside);
        if (row->when != NULL) {
            (void)ploy_utility_type_guard(type, *option,
                                          ploy_condition_text(type->conditions, row->when));
        }
    }
    if (row->score == NULL) return;
    static const ploy_curve none; // all zero
    bool plain = memcmp(&row->curve, &none, sizeof none) == 0;
    ploy_curve curve = plain ? ploy_curve_linear(1.0f, 0.0f) : row->curve;
    // A constant table leaves out what is usual.
    if (curve.slope == 0.0f) curve.slope = 1.0f;
    if (curve.exponent == 0.0f) curve.exponent = 1.0f;
    bool unit = row->low == 0.0f && row->high == 0.0f;
    (void)ploy_utility_type_consider(type, *option, ploy_score_text(type->conditions, row->score),
                                     row->low, unit ? 1.0f : row->high, curve);
}

ploy_result ploy_utility_type_from(const ploy_utility_def *def,
                                   const ploy_blackboard_layout *layout, const ploy_word *words,
                                   int32_t word_count, const ploy_utility_row *rows,
                                   int32_t row_count, const ploy_env *env,
                                   ploy_utility_type **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (row_count < 0 || (row_count > 0 && rows == NULL)) return PLOY_ERR_ARGUMENT;
    ploy_utility_def usual = ploy_utility_def_default();
    ploy_utility_type *type = NULL;
    ploy_result result = ploy_utility_type_create(def != NULL ? def : &usual, layout, env, &type);
    if (result != PLOY_OK) return result;
    result = ploy_conditions_register_words(type->conditions, words, word_count);
    ploy_utility_option option = {0};
    for (int32_t i = 0; i < row_count && result == PLOY_OK; i++) {
        utility_row(type, &rows[i], &option);
        result = type->build.result;
    }
    if (result == PLOY_OK) result = ploy_utility_type_finish(type);
    if (result != PLOY_OK) {
        ploy_utility_type_destroy(type);
        return result;
    }
    *out = type;
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

float ploy_utility_score(const ploy_utility_type *type, ploy_utility_option option,
                         const ploy_moment *moment) {
    const utility_item *item = utility_at(type, option);
    if (item == NULL || !ploy_condition_test(type->conditions, item->guard, moment)) return 0.0f;
    const utility_consideration *items =
        PLOY_ARRAY_ITEMS(&type->considerations, utility_consideration);
    float score = 1.0f;
    for (int32_t i = item->first; i < item->first + item->count && score > 0.0f; i++) {
        float value = ploy_score_value(type->conditions, items[i].score, moment);
        float x = (value - items[i].low) / (items[i].high - items[i].low);
        float y = ploy_curve_at(&items[i].curve, x == x ? ploy_clampf(x, 0.0f, 1.0f) : x);
        score *= type->def.compensate ? ployi_utility_compensate(y, item->count) : y;
    }
    return score * item->weight;
}

ploy_utility_option ploy_utility_choose(const ploy_utility_type *type, const ploy_moment *moment,
                                        ploy_utility_option running, float *score) {
    ploy_utility_option best = {0};
    float most = 0.0f;
    int32_t equal = 1;
    for (int32_t i = 0; i < type->options.count; i++) {
        ploy_utility_option option = {(uint32_t)i + 1};
        float own = ploy_utility_score(type, option, moment);
        if (!(own > 0.0f) || own < type->def.least) continue;
        if (ploy_utility_option_equal(option, running)) own += type->def.commitment;
        bool tie = best.number != 0 && own == most;
        equal = tie ? equal + 1 : equal;
        if (best.number != 0 && !(own > most) &&
            !(tie && ployi_tie(type->def.ties, equal, moment))) {
            continue;
        }
        if (own > most) equal = 1;
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

static ploy_nested *utility_inside(ploy_utility *utility) {
    return &utility->inside[utility->current.number - 1];
}

static const char *utility_place(const ploy_utility *utility) {
    return ploy_utility_type_id(utility->type, utility->current);
}

static void utility_leave(ploy_utility *utility, ploy_step_context *context,
                          ploy_exit_reason reason) {
    if (utility->current.number != 0) ploy_nested_exit(utility_inside(utility), context, reason);
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
    ploy_nested *inside = utility_inside(utility);
    utility->since += (double)context->dt;
    *status = PLOY_STATUS_SUCCESS;
    if (inside->behavior.type == NULL) return PLOY_OK;
    const ploy_env *env = &utility->env;
    if (!inside->entered) (void)ploy_nested_enter(inside, env, utility_place(utility), context);
    *status = ploy_nested_step(inside, env, utility_place(utility), context);
    if (*status != PLOY_STATUS_RUNNING) utility_leave(utility, context, PLOY_EXIT_FINISHED);
    return PLOY_OK;
}

static void utility_exit(void *self, ploy_step_context *context, ploy_exit_reason reason) {
    utility_leave(self, context, reason);
}

static ploy_result utility_message(void *self, ploy_step_context *context,
                                   const ploy_message *message, bool *handled) {
    ploy_utility *utility = self;
    *handled = utility->current.number != 0 &&
               ploy_nested_message(utility_inside(utility), &utility->env, utility_place(utility),
                                   context, message);
    return PLOY_OK;
}

static ploy_result utility_commit(void *self, ploy_step_context *context) {
    ploy_utility *utility = self;
    if (utility->current.number != 0) {
        ploy_nested_commit(utility_inside(utility), &utility->env, utility_place(utility), context);
    }
    return PLOY_OK;
}

static void utility_draw(const void *self, ploy_draw *out) {
    const ploy_utility *utility = self;
    if (utility->current.number == 0) return;
    ploy_nested_draw(&utility->inside[utility->current.number - 1], out);
}

static const char *utility_visit_text(const void *user, uint32_t number) {
    ploy_utility_option option = {number};
    return ploy_utility_type_id(user, option);
}

// { "option": "eat", "since": 1.5, "inside": what ploy_nested_save writes }
static void utility_visit(ploy_visit *v, void *object) {
    ploy_utility *utility = object;
    const ploy_utility_type *type = utility->type;
    ploy_visit_table options = {utility_visit_text,
                                NULL,
                                type,
                                (uint32_t)type->options.count + 1,
                                "option",
                                "no longer exists: chooses again"};
    if (ploy_visit_tolerates(v)) {
        ploy_visit_result(v, utility->current.number != 0 ? PLOY_ERR_STATE : PLOY_OK);
        utility->since = 0.0;
    }
    ploy_visit_object(v, "utility", utility, utility->size);
    PLOY_VISIT_SCRATCH(v, utility->env);
    PLOY_VISIT_SCRATCH(v, utility->type);
    PLOY_VISIT_SCRATCH(v, utility->size);
    ploy_visit_ref(v, "option", PLOY_STATE, &utility->current.number, &options);
    ploy_visit_f64_in(v, "since", PLOY_STATE, &utility->since, 0.0, DBL_MAX);
    for (uint32_t i = 0; i < (uint32_t)type->options.count; i++) {
        // One that has a behavior now and had none is entered by the next step.
        bool runs = i + 1 == utility->current.number && ploy_visit_optional(v, "inside", true);
        ploy_visit_nested(v, "inside", runs ? PLOY_STATE : PLOY_DERIVED, &utility->inside[i],
                          &utility->env, utility_place(utility));
        PLOY_VISIT_SCRATCH(v, utility->inside[i]);
    }
}

static void utility_destroy_self(void *self) {
    ploy_utility_destroy(self);
}

static const ploy_behavior_type utility_behavior_type = {.name = "utility",
                                                         .step = utility_step,
                                                         .exit = utility_exit,
                                                         .commit = utility_commit,
                                                         .message = utility_message,
                                                         .destroy = utility_destroy_self,
                                                         .draw = utility_draw,
                                                         .visit = utility_visit};

ploy_result ploy_utility_create(const ploy_utility_type *type, const ploy_env *env,
                                ploy_utility **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (type == NULL || env == NULL) return PLOY_ERR_ARGUMENT;
    if (!type->build.finished) return PLOY_ERR_STATE;
    size_t size = 0;
    if (!ploy_size_add_array(sizeof(ploy_utility), type->options.count, sizeof(ploy_nested),
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
        ploy_result result = ploy_nested_make(&utility->inside[i], inside, env);
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
        ploy_nested_destroy(&utility->inside[i]);
    }
    ploy_env env = utility->env;
    ploy_env_free(&env, utility, utility->size);
}

ploy_behavior ploy_utility_behavior(ploy_utility *utility) {
    ploy_behavior behavior = {&utility_behavior_type, utility};
    return behavior;
}

static ploy_result utility_make(void *user, const ploy_env *env, ploy_behavior *out) {
    ploy_utility *utility = NULL;
    ploy_result result = ploy_utility_create(user, env, &utility);
    if (result == PLOY_OK) *out = ploy_utility_behavior(utility);
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
    ploy_visit_describe(utility_visit, utility, NULL, out);
}
