// What the single form of flocking and the crowd share.
#pragma once

#include "move/steer_internal.h"
#include "ploy/move/flock.h"

// The settings in the shape in which neighbours are tested: a point (ahead, side) is seen if
//     ahead >= 0 ? open_front or |side| < ahead * front : |side| > -ahead * back
// which says all four view models. back is below 0 for `all` (no side is too small), above every
// side for `limited`.
//
// A rule's angle is tested without a root: ahead > cos(angle) * distance is
//     ahead * |ahead| > cos(angle) * |cos(angle)| * square
typedef struct ployi_flock_law {
    float reach_squared; // m^2, of the view
    float push_squared;  // m^2, of the separation
    float align_squared;
    float cohere_squared;
    float push_cut, align_cut, cohere_cut; // cos |cos| of the angle; below -1 for all around
    float front, back;
    bool open_front;
    bool looks;    // a heading is needed: for a view or an angle
    bool apart;    // alignment or cohesion or an angle is narrower than the view
    bool nearest;  // only the nearest pushes
    bool headings; // aligned by heading
    ploy_separation_mode mode;
    float strength;
    float over_radius; // 1/m, 1 / separation radius
} ployi_flock_law;

// Those nearer than this (m) count as this far away, and push that way which their number says.
#define PLOYI_FLOCK_NEAR 1e-3f

bool ployi_flock_law_make(const ploy_flock_def *def, ployi_flock_law *out);

PLOYI_INLINE bool ployi_flock_in_view(const ployi_flock_law *law, float ahead, float side) {
    float s = fabsf(side);
    bool front = law->open_front | (s < ahead * law->front);
    bool back = s > -ahead * law->back;
    return ahead >= 0.0f ? front : back;
}

// True if an offset is in the neighbourhood of a rule.
PLOYI_INLINE bool ployi_flock_in_rule(float rule_squared, float rule_cut, float square,
                                      float ahead) {
    return (square < rule_squared) & (ahead * fabsf(ahead) > rule_cut * square);
}

// How hard an offset of this squared length (at least PLOYI_FLOCK_NEAR squared) pushes, over its
// length: the push is the offset times this, turned round.
PLOYI_INLINE float ployi_flock_weight(ploy_separation_mode mode, float strength, float over_radius,
                                      float square) {
    if (mode == PLOY_SEPARATION_INVERSE) return strength / square;
    float distance = sqrtf(square);
    if (mode == PLOY_SEPARATION_INVERSE_SQUARE) return strength / (square * distance);
    return strength * (1.0f - distance * over_radius) / distance;
}

// Where agent `self` is pushed by an agent on the same spot: a unit vector that differs from one
// number to the next by a golden part of the circle, so that a heap of agents scatters. Rational,
// because every agent needs it and a sine would cost more than its neighbours do.
static inline ploy_vec2 ployi_flock_scatter(int32_t self) {
    uint32_t part = (uint32_t)self * 2654435769u;              // 2^32 over the golden ratio
    float t = (float)(part >> 9) * (1.0f / 4194304.0f) - 1.0f; // [-1, 1): a half circle
    float over = ((part & 256u) != 0 ? -1.0f : 1.0f) / (1.0f + t * t);
    return ploy_vec2_make((1.0f - t * t) * over, 2.0f * t * over);
}

// ---- the three rules ----

// The settings in the shape in which requests are computed.
typedef struct ployi_flock_rules {
    float separation, alignment, cohesion; // weights
    float max_speed, max_acceleration, over_time;
    bool normalise, headings;
} ployi_flock_rules;

static inline ployi_flock_rules ployi_flock_rules_make(const ploy_flock_def *def) {
    ployi_flock_rules rules = {def->separation_weight, def->alignment_weight,
                               def->cohesion_weight,   def->max_speed,
                               def->max_acceleration,  1.0f / def->time_to_target,
                               def->normalise,         def->alignment == PLOY_ALIGNMENT_HEADING};
    return rules;
}

// A vector or nothing, without a branch.
PLOYI_INLINE ploy_vec3 ployi_flock_if(bool asked, ploy_vec3 v) {
    ploy_vec3 out = {asked ? v.x : 0.0f, asked ? v.y : 0.0f, asked ? v.z : 0.0f};
    return out;
}

// Each rule alone, cut to the largest acceleration; without a branch, for the crowd's kernel.
PLOYI_INLINE ploy_vec3 ployi_flock_off(ployi_flock_rules rules, ploy_vec3 push, int n) {
    bool asked = ployi_square(push, n) > PLOYI_TINY_SQUARED;
    return ployi_flock_if(asked, ployi_clip(push, rules.max_acceleration, n));
}
PLOYI_INLINE ploy_vec3 ployi_flock_as(ployi_flock_rules rules, ploy_vec3 velocity, ploy_vec3 mean,
                                      int n) {
    ploy_vec3 error = ployi_times(ployi_minus(mean, velocity), rules.over_time);
    return ployi_clip(error, rules.max_acceleration, n);
}
// By heading, both are unit vectors or shorter.
PLOYI_INLINE ploy_vec3 ployi_flock_align(ployi_flock_rules rules, ploy_vec3 velocity,
                                         ploy_vec3 heading, ploy_vec3 mean, int n) {
    if (!rules.headings) return ployi_flock_as(rules, velocity, mean, n);
    return ployi_flock_as(rules, ployi_times(heading, rules.max_speed),
                          ployi_times(mean, rules.max_speed), n);
}
PLOYI_INLINE ploy_vec3 ployi_flock_with(ployi_flock_rules rules, ploy_vec3 velocity,
                                        ploy_vec3 middle, int n) {
    ploy_vec3 unit = ployi_times(middle, ployi_over_length(1.0f, ployi_square(middle, n)));
    return ployi_flock_as(rules, velocity, ployi_times(unit, rules.max_speed), n);
}

PLOYI_INLINE ploy_vec3 ployi_flock_weighted(ployi_flock_rules rules, ploy_vec3 request,
                                            float weight, int n) {
    if (rules.normalise) {
        float over = ployi_over_length(1.0f, ployi_square(request, n));
        request = ployi_times(ployi_times(request, over), rules.max_acceleration);
    }
    return ployi_times(request, weight);
}

// All three by their weights, for an agent that sees others.
PLOYI_INLINE ploy_vec3 ployi_flock_request(ployi_flock_rules rules, ploy_vec3 velocity,
                                           ploy_vec3 heading, bool aligns, bool coheres,
                                           ploy_vec3 middle, ploy_vec3 mean, ploy_vec3 push,
                                           int n) {
    ploy_vec3 off =
        ployi_flock_weighted(rules, ployi_flock_off(rules, push, n), rules.separation, n);
    ploy_vec3 as = ployi_flock_weighted(rules, ployi_flock_align(rules, velocity, heading, mean, n),
                                        rules.alignment, n);
    ploy_vec3 with = ployi_flock_weighted(rules, ployi_flock_with(rules, velocity, middle, n),
                                          rules.cohesion, n);
    ploy_vec3 sum = ployi_plus_scaled(ployi_plus_scaled(off, ployi_flock_if(aligns, as), 1.0f),
                                      ployi_flock_if(coheres, with), 1.0f);
    return ployi_clip(sum, rules.max_acceleration, n);
}
