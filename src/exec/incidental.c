// Incidental characters: a selector of two levels whose importance is 0 when calm and 1 when not.
#include "ploy/exec/incidental.h"

#include <string.h>

#include "ploy/base/math.h"
#include "ploy/exec/behavior_visit.h"

static const ploy_field incidental_fields[] = {
    PLOY_FIELD_F32(ploy_incidental_def, reaction_time, 0.25, 0, 60, "s", "from alarm to alert"),
    PLOY_FIELD_F32(ploy_incidental_def, calm_time, 10, 0, 1e6, "s",
                   "from the last alarm to normal; 0: never"),
};

enum { INCIDENTAL_NORMAL, INCIDENTAL_ALERT };

struct ploy_incidental {
    ploy_env env;
    ploy_incidental_def def;
    ploy_lod *lod;
};

typedef struct incidental_character {
    ploy_env env;
    const ploy_incidental *incidental;
    ploy_lod_selector *selector;
    bool alarmed;
    float since; // s
    int64_t alarms;
    ploy_message alarm; // the last
} incidental_character;

ploy_fields ploy_incidental_fields(void) {
    return PLOY_FIELDS(ploy_incidental_def, incidental_fields);
}

ploy_incidental_def ploy_incidental_def_default(void) {
    ploy_incidental_def def;
    ploy_fields_default(ploy_incidental_fields(), &def);
    return def;
}

// The message lies in the hand-over buffer, where the character put it.
static void incidental_unpack(void *user, const ploy_lod_change *change) {
    const ploy_incidental *incidental = user;
    ploy_message alarm;
    if (incidental->def.alarmed == NULL) return;
    memcpy(&alarm, change->handover, sizeof alarm);
    incidental->def.alarmed(incidental->def.user, change->behavior, &alarm, change->context);
}

ploy_result ploy_incidental_create(const ploy_incidental_def *def, const ploy_env *env,
                                   ploy_incidental **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_incidental_fields(), def, env);
    if (result != PLOY_OK) return result;
    ploy_incidental *incidental = ploy_env_alloc_zero(env, sizeof *incidental);
    if (incidental == NULL) return PLOY_ERR_MEMORY;
    incidental->env = *env;
    incidental->def = *def;
    ploy_lod_level levels[2] = {def->normal, def->alert};
    levels[INCIDENTAL_NORMAL].name = "normal";
    levels[INCIDENTAL_ALERT].name = "alert";
    for (int32_t i = 0; i < 2; i++) {
        levels[i].min = (float)i;
        levels[i].max = (float)i;
    }
    ploy_lod_transition alarm = {INCIDENTAL_NORMAL, INCIDENTAL_ALERT, NULL, incidental_unpack,
                                 incidental};
    ploy_lod_def lod = ploy_lod_def_default();
    lod.handover_size = (int32_t)sizeof(ploy_message);
    lod.select_units = 0; // a flag is looked at, no more
    lod.levels = levels;
    lod.level_count = 2;
    lod.transitions = &alarm;
    lod.transition_count = 1;
    result = ploy_lod_create(&lod, env, &incidental->lod);
    if (result != PLOY_OK) {
        ploy_incidental_destroy(incidental);
        return result;
    }
    *out = incidental;
    return PLOY_OK;
}

void ploy_incidental_destroy(ploy_incidental *incidental) {
    if (incidental == NULL) return;
    ploy_lod_destroy(incidental->lod);
    ploy_env env = incidental->env;
    ploy_env_free(&env, incidental, sizeof *incidental);
}

// ---- the behavior

static bool incidental_is_alarm(const ploy_incidental *incidental, ploy_name kind) {
    for (int32_t i = 0; i < PLOY_INCIDENTAL_ALARMS_MAX; i++) {
        if (ploy_name_is_none(incidental->def.alarms[i])) break;
        if (ploy_name_equal(incidental->def.alarms[i], kind)) return true;
    }
    return false;
}

static ploy_behavior incidental_inner(const incidental_character *character) {
    return ploy_lod_selector_behavior(character->selector);
}

static ploy_result incidental_enter(void *self, ploy_step_context *context) {
    return ploy_behavior_enter(incidental_inner(self), context);
}

static ploy_result incidental_step(void *self, ploy_step_context *context, ploy_status *status) {
    incidental_character *character = self;
    const ploy_incidental_def *def = &character->incidental->def;
    bool alert = ploy_lod_selector_get(character->selector).level == INCIDENTAL_ALERT;
    if (character->alarmed) {
        character->since += context->dt;
        bool calm = alert && def->calm_time > 0.0f && character->since >= def->calm_time;
        if (calm) character->alarmed = false;
        if (!alert && character->since >= def->reaction_time) alert = true;
        if (calm) alert = false;
    }
    ploy_trace_begin(context->trace, context->agent, "mood", "incidental");
    ploy_trace_option(context->trace, "normal", alert ? PLOY_OUTCOME_LOST : PLOY_OUTCOME_WON, NAN,
                      alert ? "there was an alarm" : "no alarm that counts");
    ploy_trace_option(context->trace, "alert", alert ? PLOY_OUTCOME_WON : PLOY_OUTCOME_REJECTED,
                      NAN,
                      alert                ? "an alarm, not long ago"
                      : character->alarmed ? "has not reacted yet"
                                           : "no alarm that counts");
    ploy_trace_f32(context->trace, "since the alarm", character->since);
    int32_t size = 0;
    memcpy(ploy_lod_selector_handover(character->selector, &size), &character->alarm,
           sizeof character->alarm);
    ploy_lod_selector_set_importance(character->selector, alert ? 1.0f : 0.0f);
    ploy_result result = ploy_behavior_step(incidental_inner(character), context, status);
    ploy_trace_end(context->trace);
    return result;
}

static void incidental_exit(void *self, ploy_step_context *context, ploy_exit_reason reason) {
    ploy_behavior_exit(incidental_inner(self), context, reason);
}

static ploy_result incidental_commit(void *self, ploy_step_context *context) {
    return ploy_behavior_commit(incidental_inner(self), context);
}

static ploy_result incidental_message(void *self, ploy_step_context *context,
                                      const ploy_message *message, bool *handled) {
    incidental_character *character = self;
    bool alarm = incidental_is_alarm(character->incidental, message->kind);
    if (alarm) {
        bool alert = ploy_lod_selector_get(character->selector).level == INCIDENTAL_ALERT;
        // A second alarm does not put off the reaction to the first, but the calm after it.
        if (alert || !character->alarmed) character->since = 0.0f;
        character->alarmed = true;
        character->alarm = *message;
        character->alarms++;
    }
    bool taken = false;
    ploy_result result =
        ploy_behavior_message(incidental_inner(character), context, message, &taken);
    *handled = alarm || taken;
    return result;
}

static void incidental_free(void *self) {
    incidental_character *character = self;
    ploy_lod_selector_destroy(character->selector);
    ploy_env env = character->env;
    ploy_env_free(&env, character, sizeof *character);
}

static void incidental_visit(ploy_visit *v, void *object) {
    incidental_character *character = object;
    ploy_visit_object(v, "incidental", character, sizeof *character);
    PLOY_VISIT_SCRATCH(v, character->env);
    PLOY_VISIT_SCRATCH(v, character->incidental);
    PLOY_VISIT_SCRATCH(v, character->selector);
    ploy_visit_bool(v, "alarmed", PLOY_STATE, &character->alarmed);
    ploy_visit_f32(v, "since", PLOY_STATE, &character->since);
    ploy_visit_i64_in(v, "alarms", PLOY_STATE, &character->alarms, 0, INT64_MAX);
    if (character->alarms > 0) {
        ploy_visit_message(v, "alarm", PLOY_STATE, &character->alarm);
    } else {
        PLOY_VISIT_SCRATCH(v, character->alarm);
    }
    if (v->describe != NULL) {
        ploy_behavior_describe(incidental_inner(character), v->describe);
    } else {
        ploy_visit_behavior(v, "inner", incidental_inner(character), v->context);
    }
}

static void incidental_draw(const void *self, ploy_draw *out) {
    ploy_behavior_draw(incidental_inner(self), out);
}

static const ploy_behavior_type incidental_type = {.name = "incidental",
                                                   .enter = incidental_enter,
                                                   .step = incidental_step,
                                                   .exit = incidental_exit,
                                                   .commit = incidental_commit,
                                                   .message = incidental_message,
                                                   .destroy = incidental_free,
                                                   .draw = incidental_draw,
                                                   .visit = incidental_visit};

ploy_result ploy_incidental_make(const ploy_incidental *incidental, ploy_agent_id agent,
                                 const ploy_env *env, ploy_behavior *out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    memset(out, 0, sizeof *out);
    if (incidental == NULL || env == NULL) return PLOY_ERR_ARGUMENT;
    incidental_character *character = ploy_env_alloc_zero(env, sizeof *character);
    if (character == NULL) return PLOY_ERR_MEMORY;
    character->env = *env;
    character->incidental = incidental;
    ploy_result result =
        ploy_lod_selector_create(incidental->lod, agent, env, &character->selector);
    if (result != PLOY_OK) {
        incidental_free(character);
        return result;
    }
    out->type = &incidental_type;
    out->self = character;
    return PLOY_OK;
}

ploy_result ploy_incidental_get(ploy_behavior behavior, ploy_incidental_info *out) {
    if (behavior.type != &incidental_type) return PLOY_ERR_ARGUMENT;
    const incidental_character *character = behavior.self;
    memset(out, 0, sizeof *out);
    out->alert = ploy_lod_selector_get(character->selector).level == INCIDENTAL_ALERT;
    out->alarmed = character->alarmed;
    out->since = character->since;
    out->alarms = character->alarms;
    out->reason = character->alarms > 0 ? character->alarm.kind : ploy_name_of(NULL);
    return PLOY_OK;
}
