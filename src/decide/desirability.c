// The evaluators of a fighter; described in the header.
#include "ploy/decide/desirability.h"

#include "ploy/base/math.h"

// The pull of an item.
static float desirability_item(float k, float need, float distance) {
    if (!(distance < 1.0f)) return 0.0f; // none in reach, or not a number
    float pull = k * need;
    if (!(pull > 0.0f)) return 0.0f;
    if (!(distance > 0.0f)) return 1.0f;
    return ploy_minf(pull / distance, 1.0f);
}

float ploy_desirability_health(float k, float health, float distance) {
    return desirability_item(k, 1.0f - health, distance);
}

float ploy_desirability_weapon(float k, float health, float strength, float distance) {
    return desirability_item(k, health * (1.0f - strength), distance);
}

float ploy_desirability_attack(float k, float health, float strength, bool has_target) {
    float score = has_target ? k * strength * health : 0.0f;
    return score > 0.0f ? score : 0.0f;
}

float ploy_desirability_strength(const float *shares, int32_t count) {
    float sum = 0.0f;
    for (int32_t i = 0; i < count; i++) sum += shares[i];
    return count > 0 ? sum / (float)count : 0.0f;
}
