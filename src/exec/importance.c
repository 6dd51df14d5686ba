// Importance; the formula is in the header.
#include "ploy/exec/importance.h"

#include <string.h>

#include "ploy/base/math.h"

#define IMPORTANCE_TIME_MAX 1e6
#define IMPORTANCE_DISTANCE_MAX 1e9

static const ploy_field importance_fields[] = {
    PLOY_FIELD_F32(ploy_importance_def, max_distance, 100, 1e-3, IMPORTANCE_DISTANCE_MAX, "m",
                   "distance from which on it adds nothing"),
    PLOY_FIELD_F32(ploy_importance_def, distance_weight, 0.6, -1, 1, "",
                   "added right beside the viewer"),
    PLOY_FIELD_F32(ploy_importance_def, screen_weight, 0.2, -1, 1, "", "added while on screen"),
    PLOY_FIELD_F32(ploy_importance_def, watched_weight, 0.2, -1, 1, "",
                   "added while watched, fading afterwards"),
    PLOY_FIELD_F32(ploy_importance_def, watched_half_life, 2, 1e-3, IMPORTANCE_TIME_MAX, "s",
                   "time in which having been watched counts half"),
    PLOY_FIELD_F32(ploy_importance_def, attention_weight, 0.5, -1, 1, "",
                   "added at the player's full attention"),
    PLOY_FIELD_F32(ploy_importance_def, story_weight, 1, -1, 1, "", "added for a leading part"),
    PLOY_FIELD_F32(ploy_importance_def, rise_time, 0.25, 0, IMPORTANCE_TIME_MAX, "s",
                   "time constant of becoming important"),
    PLOY_FIELD_F32(ploy_importance_def, fall_time, 1, 0, IMPORTANCE_TIME_MAX, "s",
                   "time constant of becoming unimportant"),
};

// The parts of the sum, in the order in which they are added and reported.
typedef enum importance_part {
    IMPORTANCE_STORY,
    IMPORTANCE_DISTANCE,
    IMPORTANCE_SCREEN,
    IMPORTANCE_WATCHED,
    IMPORTANCE_ATTENTION,
    IMPORTANCE_PARTS
} importance_part;

static const char *const importance_names[IMPORTANCE_PARTS] = {
    "part in the story", "nearness", "on screen", "watched lately", "attention"};

// What is the same for all agents in a step: exponentials are expensive.
typedef struct importance_law {
    const ploy_importance_def *def;
    float fade; // of watched
    float rise, fall;
} importance_law;

ploy_fields ploy_importance_fields(void) {
    return PLOY_FIELDS(ploy_importance_def, importance_fields);
}

ploy_importance_def ploy_importance_def_default(void) {
    ploy_importance_def def;
    ploy_fields_default(ploy_importance_fields(), &def);
    return def;
}

ploy_importance_input ploy_importance_input_make(void) {
    ploy_importance_input input;
    memset(&input, 0, sizeof input);
    input.distance = (float)IMPORTANCE_DISTANCE_MAX;
    input.fixed = -1.0f;
    return input;
}

// The fraction of the distance covered in a step of dt.
static float importance_rate(float time, float dt) {
    return time > 0.0f ? 1.0f - ploy_expf(-dt / time) : 1.0f;
}

static bool importance_law_make(const ploy_importance_def *def, float dt, importance_law *out) {
    if (def == NULL || !ploy_in_range(dt, 0.0f, PLOY_IMPORTANCE_DT_MAX_S) ||
        !ploy_in_range(def->max_distance, 1e-3f, (float)IMPORTANCE_DISTANCE_MAX) ||
        !ploy_in_range(def->watched_half_life, 1e-3f, (float)IMPORTANCE_TIME_MAX) ||
        !ploy_in_range(def->rise_time, 0.0f, (float)IMPORTANCE_TIME_MAX) ||
        !ploy_in_range(def->fall_time, 0.0f, (float)IMPORTANCE_TIME_MAX)) {
        return false;
    }
    out->def = def;
    out->fade = ploy_exp2f(-dt / def->watched_half_life);
    out->rise = importance_rate(def->rise_time, dt);
    out->fall = importance_rate(def->fall_time, dt);
    return true;
}

// Clamping turns NaN into the lower end.
static void importance_parts(const ploy_importance_def *def, const ploy_importance_input *input,
                             float watched, float parts[IMPORTANCE_PARTS]) {
    float away = input->distance == input->distance ? input->distance : def->max_distance;
    parts[IMPORTANCE_STORY] = def->story_weight * ploy_clampf(input->story, 0.0f, 1.0f);
    parts[IMPORTANCE_DISTANCE] =
        def->distance_weight * ploy_clampf(1.0f - away / def->max_distance, 0.0f, 1.0f);
    parts[IMPORTANCE_SCREEN] = input->on_screen ? def->screen_weight : 0.0f;
    parts[IMPORTANCE_WATCHED] = def->watched_weight * watched;
    parts[IMPORTANCE_ATTENTION] = def->attention_weight * ploy_clampf(input->attention, 0.0f, 1.0f);
}

static void importance_one(const importance_law *law, const ploy_importance_input *input,
                           ploy_importance *state) {
    float parts[IMPORTANCE_PARTS], sum = 0.0f;
    state->watched = input->on_screen ? 1.0f : state->watched * law->fade;
    importance_parts(law->def, input, state->watched, parts);
    for (int32_t i = 0; i < IMPORTANCE_PARTS; i++) sum += parts[i];
    bool fixed = input->fixed >= 0.0f;
    state->target = ploy_clampf(fixed ? input->fixed : sum, 0.0f, 1.0f);
    // A cut-scene that needs a character needs it now; and no agent begins by fading in.
    if (fixed || state->started == 0) {
        state->value = state->target;
    } else {
        float gap = state->target - state->value;
        state->value =
            ploy_clampf(state->value + gap * (gap > 0.0f ? law->rise : law->fall), 0.0f, 1.0f);
    }
    state->started = 1;
}

ploy_result ploy_importance_step_batch(const ploy_importance_def *def,
                                       const ploy_importance_input *inputs, int32_t first,
                                       int32_t count, float dt, ploy_importance *states) {
    importance_law law;
    if (first < 0 || count < 0 || first > INT32_MAX - count ||
        (count > 0 && (inputs == NULL || states == NULL)) || !importance_law_make(def, dt, &law)) {
        return PLOY_ERR_ARGUMENT;
    }
    for (int32_t i = first; i < first + count; i++) importance_one(&law, &inputs[i], &states[i]);
    return PLOY_OK;
}

ploy_result ploy_importance_step(const ploy_importance_def *def, const ploy_importance_input *input,
                                 float dt, ploy_importance *state) {
    return ploy_importance_step_batch(def, input, 0, 1, dt, state);
}

void ploy_importance_trace(const ploy_importance_def *def, const ploy_importance_input *input,
                           const ploy_importance *state, ploy_agent_id agent, ploy_trace *trace) {
    if (trace == NULL) return;
    float parts[IMPORTANCE_PARTS];
    importance_parts(def, input, state->watched, parts);
    bool fixed = input->fixed >= 0.0f;
    ploy_trace_begin(trace, agent, "importance", "weighted sum");
    for (int32_t i = 0; i < IMPORTANCE_PARTS; i++) {
        ploy_outcome outcome = fixed              ? PLOY_OUTCOME_SKIPPED
                               : parts[i] != 0.0f ? PLOY_OUTCOME_WON
                                                  : PLOY_OUTCOME_LOST;
        ploy_trace_option(trace, importance_names[i], outcome, (double)parts[i],
                          fixed              ? "a fixed number overrules it"
                          : parts[i] != 0.0f ? "part of the sum"
                                             : "adds nothing");
    }
    if (fixed) {
        ploy_trace_option(trace, "fixed", PLOY_OUTCOME_WON, (double)state->target,
                          "set by the designer");
    }
    ploy_trace_f32(trace, "target", state->target);
    ploy_trace_f32(trace, "value", state->value);
    ploy_trace_end(trace);
}

void ploy_importance_describe(const ploy_importance *state, ploy_mark mark, ploy_describe *out) {
    ploy_describe_f32(out, "importance", mark, state->value);
    ploy_describe_f32(out, "target", mark, state->target);
    ploy_describe_f32(out, "watched", mark, state->watched);
    ploy_describe_bool(out, "started", mark, state->started != 0);
}

#undef IMPORTANCE_TIME_MAX
#undef IMPORTANCE_DISTANCE_MAX
