// Goal-oriented behavior; the technique is described in the header.
//
// Where the text's listings differ from its words (an undefined utility, a wrong variable, a loop
// over the action instead of the motives), the words are built. Printed examples of timing add no
// drift to the motive that the action changes: `drift_affected` off gives those.
#include "ploy/decide/gob.h"

#include "decide/decide_internal.h"

#include <math.h>

#include "ploy/base/math.h"

static const char *const gob_modes[] = {"simple", "hasty", "overall", "timed"};

static const ploy_field gob_fields[] = {
    PLOY_FIELD_ENUM(ploy_gob_def, mode, PLOY_GOB_OVERALL, gob_modes, "how to choose"),
    PLOY_FIELD_F32(ploy_gob_def, time_penalty, 0, 0, 1e6f, "1/s", "what hasty takes off for time"),
    PLOY_FIELD_BOOL(ploy_gob_def, drift_affected, 1, "motives that an action changes grow too"),
    PLOY_FIELD_BOOL(ploy_gob_def, random_ties, 0, "any of the best, not the first"),
    PLOY_FIELD_F32(ploy_gob_def, least, -1e6f, -1e6f, 1e6f, "", "least relief worth an action"),
};

ploy_fields ploy_gob_fields(void) {
    return PLOY_FIELDS(ploy_gob_def, gob_fields);
}

ploy_gob_def ploy_gob_def_default(void) {
    ploy_gob_def def;
    ploy_fields_default(ploy_gob_fields(), &def);
    return def;
}

ploy_motive ploy_motive_make(const char *name, float value) {
    ploy_motive motive = {name, value, 0.0f, 1.0f, 2.0f, INFINITY};
    return motive;
}

float ploy_motive_after(const ploy_motive *motive, float change, float time) {
    float value = motive->value + change + time * motive->rate;
    return value > 0.0f ? ploy_minf(value, motive->max) : 0.0f;
}

float ployi_motive_discontentment(const ploy_motive *motive, float value) {
    if (!(value > 0.0f)) return 0.0f;
    // Squares, the usual case, exactly.
    float power = motive->exponent == 2.0f ? value * value : ploy_powf(value, motive->exponent);
    return motive->weight * power;
}

float ployi_motives_discontentment(const ploy_motive *motives, int32_t count) {
    float sum = 0.0f;
    for (int32_t i = 0; i < count; i++) {
        sum += ployi_motive_discontentment(&motives[i], motives[i].value);
    }
    return sum;
}

void ploy_motives_step(ploy_motive *motives, int32_t count, float time) {
    for (int32_t i = 0; i < count; i++) {
        motives[i].value = ploy_motive_after(&motives[i], 0.0f, time);
    }
}

void ployi_motives_apply(ploy_motive *motives, int32_t count, const ploy_gob_action *action) {
    for (int32_t i = 0; i < count; i++) {
        motives[i].value = ploy_motive_after(&motives[i], action->changes[i], 0.0f);
    }
}

static int32_t gob_pressing(const ploy_motive *motives, int32_t count) {
    int32_t top = 0;
    for (int32_t i = 1; i < count; i++) {
        if (motives[i].value > motives[top].value) top = i;
    }
    return top;
}

float ploy_gob_score(const ploy_gob_def *def, const ploy_motive *motives, int32_t motive_count,
                     const ploy_gob_action *action) {
    if (motive_count < 1) return 0.0f;
    if (def->mode == PLOY_GOB_SIMPLE || def->mode == PLOY_GOB_HASTY) {
        float relief = -action->changes[gob_pressing(motives, motive_count)];
        return def->mode == PLOY_GOB_HASTY ? relief - def->time_penalty * action->duration : relief;
    }
    float sum = 0.0f;
    for (int32_t i = 0; i < motive_count; i++) {
        bool drifts =
            def->mode == PLOY_GOB_TIMED && (def->drift_affected || action->changes[i] == 0.0f);
        float after =
            ploy_motive_after(&motives[i], action->changes[i], drifts ? action->duration : 0.0f);
        sum += ployi_motive_discontentment(&motives[i], after);
    }
    return -sum;
}

int32_t ploy_gob_choose(const ploy_gob_def *def, const ploy_motive *motives, int32_t motive_count,
                        const ploy_gob_action *actions, int32_t action_count, ploy_rng *rng,
                        ploy_trace *trace, ploy_agent_id agent, float *score) {
    bool simple = def->mode == PLOY_GOB_SIMPLE || def->mode == PLOY_GOB_HASTY;
    int32_t best = -1, equals = 0;
    float most = 0.0f;
    if (motive_count < 1) return -1;
    for (int32_t i = 0; i < action_count; i++) {
        float own = ploy_gob_score(def, motives, motive_count, &actions[i]);
        if (own != own || (simple && own < def->least)) continue;
        if (best < 0 || own > most) {
            best = i;
            most = own;
            equals = 1;
        } else if (own == most && def->random_ties && rng != NULL) {
            // The k-th equal takes the place with a chance of 1 in k: each is as likely.
            equals++;
            if (ploy_rng_below(rng, (uint32_t)equals) == 0) best = i;
        }
    }
    if (trace != NULL) {
        ploy_trace_begin(trace, agent, "action", "goal-oriented behavior");
        ploy_trace_text(trace, "pressing", motives[gob_pressing(motives, motive_count)].name);
        ploy_trace_f32(trace, "discontentment",
                       ployi_motives_discontentment(motives, motive_count));
        for (int32_t i = 0; i < action_count; i++) {
            float own = ploy_gob_score(def, motives, motive_count, &actions[i]);
            bool refused = own != own || (simple && own < def->least);
            ploy_trace_option(trace, actions[i].name,
                              i == best ? PLOY_OUTCOME_WON
                              : refused ? PLOY_OUTCOME_REJECTED
                                        : PLOY_OUTCOME_LOST,
                              (double)own, refused ? "relieves too little" : "");
        }
        ploy_trace_end(trace);
    }
    if (score != NULL && best >= 0) *score = most;
    return best;
}

static int32_t gob_bits(uint64_t bits) {
    int32_t count = 0;
    for (; bits != 0; bits &= bits - 1) count++;
    return count;
}

int32_t ployi_gob_choose_bits(uint64_t wanted, const uint64_t *fulfils, const uint64_t *breaks,
                              int32_t count) {
    int32_t best = -1, most = 0;
    for (int32_t i = 0; i < count; i++) {
        int32_t own = gob_bits(wanted & fulfils[i]);
        if (breaks != NULL) own -= gob_bits(~wanted & breaks[i]);
        if (own > most) {
            best = i;
            most = own;
        }
    }
    return best;
}

void ploy_gob_rate_step(ploy_gob_rate *rate, float value, float time, float keep) {
    if (rate->started != 0 && time > 0.0f) {
        float drift = (value - rate->last - rate->own) / time;
        rate->estimate = keep * rate->estimate + (1.0f - keep) * drift;
    }
    rate->started = 1;
    rate->last = value;
    rate->own = 0.0f;
}

void ploy_gob_rate_own(ploy_gob_rate *rate, float change) {
    rate->own += change;
}

void ploy_gob_offers_init(ploy_gob_offers *offers, int32_t motive_count, const ploy_env *env) {
    ploy_array_init(&offers->actions, sizeof(ploy_gob_action), env);
    ploy_array_init(&offers->changes, sizeof(float), env);
    offers->motive_count = motive_count > 0 ? motive_count : 0;
}

void ploy_gob_offers_fini(ploy_gob_offers *offers) {
    ploy_array_fini(&offers->actions);
    ploy_array_fini(&offers->changes);
}

void ploy_gob_offers_clear(ploy_gob_offers *offers) {
    ploy_array_clear(&offers->actions);
    ploy_array_clear(&offers->changes);
}

ploy_result ploy_gob_offers_add(ploy_gob_offers *offers, const ploy_gob_action *action) {
    if (action == NULL || !ploy_in_range(action->duration, 0.0f, 1e9f)) return PLOY_ERR_ARGUMENT;
    if (action->changes == NULL && offers->motive_count > 0) return PLOY_ERR_ARGUMENT;
    for (int32_t i = 0; i < offers->motive_count; i++) {
        if (!ploy_in_range(action->changes[i], -1e9f, 1e9f)) return PLOY_ERR_ARGUMENT;
    }
    int32_t before = offers->changes.count;
    ploy_result result =
        ploy_array_push_many(&offers->changes, action->changes, offers->motive_count);
    if (result == PLOY_OK) result = ploy_array_push(&offers->actions, action);
    if (result != PLOY_OK) (void)ploy_array_resize(&offers->changes, before);
    return result;
}

ploy_result ploy_gob_offers_ask(ploy_gob_offers *offers, const ploy_id *objects, int32_t count,
                                ploy_agent_id character, ploy_gob_offer_fn fn, void *user) {
    for (int32_t i = 0; i < count; i++) {
        ploy_result result = fn(user, objects[i], character, offers);
        if (result != PLOY_OK) return result < PLOY_OK ? result : PLOY_ERR_CALLBACK;
    }
    return PLOY_OK;
}

const ploy_gob_action *ploy_gob_offers_get(ploy_gob_offers *offers, int32_t *count) {
    // The changes may have moved while they grew: the pointers are set when they are read.
    ploy_gob_action *actions = PLOY_ARRAY_ITEMS(&offers->actions, ploy_gob_action);
    const float *changes = PLOY_ARRAY_ITEMS(&offers->changes, float);
    for (int32_t i = 0; i < offers->actions.count; i++) {
        actions[i].changes =
            changes != NULL ? changes + (size_t)i * (size_t)offers->motive_count : NULL;
    }
    *count = offers->actions.count;
    return actions;
}
