// Which weapon suits a target, and how far a shot deviates: by the weapon's ideal range and by
// what makes aiming hard.
#include <math.h>

#include "games/raven/raven.h"
#include "ploy/base/math.h"

float raven_weapon_desirability(const raven_match *match, raven_weapon weapon, float distance,
                                int32_t rounds, ploy_trace *trace) {
    const raven_weapon_def *def = &match->weapons.items[weapon];
    float score = 0.0f;
    if (def->endless || rounds > 0) {
        float off = fabsf(distance - def->ideal_range) / ploy_maxf(def->ideal_range, 0.5f);
        score = (def->endless ? 20.0f : 100.0f) / (1.0f + off);
        // In its own blast a bot hurts itself too.
        if (distance < 2.0f * def->blast) score *= 0.2f;
    }
    (void)trace;
    return score;
}

float raven_aim_deviation(const raven_bot *bot, float distance, float lateral_speed,
                          float time_visible) {
    // Near, slow and long visible: half; far, fast and just seen: up to twice.
    float far = ploy_clampf(distance / 15.0f, 0.0f, 1.0f);
    float fast = ploy_clampf(lateral_speed / bot->match->def.max_speed, 0.0f, 1.0f);
    float fresh = 1.0f - ploy_clampf(time_visible / 2.0f, 0.0f, 1.0f);
    return bot->skill.accuracy * (0.5f + 0.5f * (far + fast + fresh));
}
