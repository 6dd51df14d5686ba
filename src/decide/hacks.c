// Cheap believability; each trick is described in the header.
#include "ploy/decide/hacks.h"
#include "decide/decide_internal.h"

static const ploy_field hacks_sidestep_fields[] = {
    PLOY_FIELD_F32(ploy_sidestep_def, speed, 3, 0, 1e6f, "m/s", "speed toward the target"),
    PLOY_FIELD_F32(ploy_sidestep_def, side, 2.5f, 0, 1e6f, "m/s", "speed sideways in a step aside"),
    PLOY_FIELD_F32(ploy_sidestep_def, duration, 0.4f, 0, 1e3f, "s", "length of a step aside"),
    PLOY_FIELD_F32(ploy_sidestep_def, pause_min, 0.8f, 0, 1e3f, "s", "shortest time between two"),
    PLOY_FIELD_F32(ploy_sidestep_def, pause_max, 2.5f, 0, 1e3f, "s", "longest time between two"),
};

int32_t ployi_pick_weighted(const float *weights, int32_t count, int32_t last, float again,
                            ploy_rng_key key, ploy_agent_id agent, uint64_t tick) {
    double sum = 0.0;
    for (int32_t pass = 0;; pass++) {
        // The second time around the sum is known, and the draw stops where it is used up.
        double draw =
            pass == 0 ? 0.0 : (double)ploy_rng_float_at(key, agent.id.index, tick, 0) * sum;
        int32_t picked = -1;
        for (int32_t i = 0; i < count; i++) {
            double weight = weights[i] > 0.0f ? (double)weights[i] : 0.0; // 0 for NaN too
            if (i == last) weight *= (double)again;
            if (!(weight > 0.0)) continue;
            picked = i;
            if (pass == 0) {
                sum += weight;
                continue;
            }
            draw -= weight;
            if (draw < 0.0) return i;
        }
        if (pass == 1 || picked < 0) return picked; // rounding may leave a crumb: the last one's
    }
}

ploy_fields ploy_sidestep_fields(void) {
    return PLOY_FIELDS(ploy_sidestep_def, hacks_sidestep_fields);
}

ploy_sidestep_def ploy_sidestep_def_default(void) {
    ploy_sidestep_def def;
    ploy_fields_default(ploy_sidestep_fields(), &def);
    return def;
}

ploy_vec2 ploy_sidestep_step(const ploy_sidestep_def *def, ploy_sidestep *state, ploy_vec2 from,
                             ploy_vec2 target, float dt, ploy_rng_key key, ploy_agent_id agent,
                             uint64_t tick) {
    ploy_vec2 way = ploy_vec2_sub(target, from), none = {0, 0};
    if (state->left > 0.0f) {
        state->left -= dt;
    } else {
        state->wait -= dt;
        if (state->wait <= 0.0f) {
            bool first = state->side == 0.0f; // no agent dodges before the first pause
            float span = def->pause_max > def->pause_min ? def->pause_max - def->pause_min : 0.0f;
            state->wait = def->pause_min + span * ploy_rng_float_at(key, agent.id.index, tick, 0);
            state->side = ploy_rng_float_at(key, agent.id.index, tick, 1) < 0.5f ? 1.0f : -1.0f;
            state->left = first ? 0.0f : def->duration;
        }
    }
    if (!(ploy_vec2_length(way) > 0.0f)) return none;
    ploy_vec2 ahead = ploy_vec2_with_length(way, def->speed);
    if (!(state->left > 0.0f)) return ahead;
    ploy_vec2 left = ploy_vec2_make(-way.y, way.x);
    ploy_vec2 aside = ploy_vec2_with_length(left, def->side);
    return ploy_vec2_add(ahead, ploy_vec2_scale(aside, state->side));
}

ploy_name ploy_gesture_find(const ploy_gesture *rows, int32_t count, double *ready,
                            ploy_name trigger, double now, ploy_rng_key key, ploy_agent_id agent,
                            uint64_t tick) {
    ploy_name none = {0};
    for (int32_t i = 0; i < count; i++) {
        if (!ploy_name_equal(rows[i].trigger, trigger) || now < ready[i]) continue;
        float draw = ploy_rng_float_at(key, agent.id.index, tick, (uint32_t)i);
        if (!(draw < rows[i].chance)) continue;
        ready[i] = now + (double)rows[i].pause;
        return rows[i].animation;
    }
    return none;
}
