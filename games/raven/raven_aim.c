// Aiming: turn rate, reaction time, persistence, lead, error, and fairness toward a person.
//
// Technique: Buckland, "Programming Game AI by Example", 2005, chapter 7. Every tick: if the target
// is shootable, or was in view less than `persistence` ago, turn toward it, otherwise toward the
// motion; fire only when facing it, when it has been visible for longer than the reaction time, and
// when nothing is between the bot and the point that it aims at. What is decided here is carried
// out when all bots have decided (raven.c).
#include <math.h>
#include <stdio.h>

#include "games/raven/raven_goals.h"
#include "ploy/base/math.h"
#include "ploy/geom/angle.h"

static const char *const aim_holds[RAVEN_HOLD_COUNT] = {
    "fires",
    "has no target",
    "the target is out of sight",
    "turns toward the target",
    "reacts: the target appeared a moment ago",
    "the point ahead of the target is behind a wall",
    "the weapon is not ready",
    "the weapon is empty",
    "a person plays it",
};

const char *raven_hold_text(int32_t why) {
    return why >= 0 && why < RAVEN_HOLD_COUNT ? aim_holds[why] : "";
}

bool raven_turn(float *facing, ploy_vec2 from, ploy_vec2 to, float turn, float tolerance) {
    ploy_vec2 toward = ploy_vec2_sub(to, from);
    if (ploy_vec2_length_sq(toward) < 1e-12f) return true;
    float wanted = ploy_angle_of(toward);
    if (fabsf(ploy_angle_difference(*facing, wanted)) < tolerance) {
        *facing = wanted;
        return true;
    }
    *facing = ploy_angle_toward(*facing, wanted, turn);
    return false;
}

ploy_vec2 raven_lead(ploy_vec2 from, ploy_vec2 at, ploy_vec2 velocity, float shot_speed,
                     float target_speed) {
    float sum = shot_speed + target_speed;
    float ahead = sum > 0.0f ? ploy_vec2_distance(from, at) / sum : 0.0f;
    return ploy_vec2_add_scaled(at, velocity, ahead);
}

ploy_vec2 raven_mean_velocity(const raven_bot *bot, int32_t samples) {
    ploy_vec2 sum = ploy_vec2_zero();
    int32_t count = ploy_mini(samples, bot->sample_count);
    for (int32_t i = 0; i < count; i++) {
        int32_t k = (bot->sample_next + RAVEN_SAMPLES_MAX - 1 - i) % RAVEN_SAMPLES_MAX;
        sum = ploy_vec2_add(sum, bot->samples[k]);
    }
    return count > 0 ? ploy_vec2_scale(sum, 1.0f / (float)count) : sum;
}

// ---- error

// Where the shot goes: the aim, turned about the bot.
static ploy_vec2 aim_turned(const raven_bot *bot, ploy_vec2 aim, float angle) {
    ploy_vec2 toward = ploy_vec2_sub(aim, bot->body.position);
    return ploy_vec2_add(bot->body.position,
                         ploy_vec2_rotate_by(toward, ploy_angle_heading(angle)));
}

static float aim_sign(raven_bot *bot) {
    return raven_random(bot) < 0.5f ? -1.0f : 1.0f;
}

// A miss on purpose passes a person close by, in front of its eyes: on the side it faces.
static ploy_vec2 aim_near_miss(raven_bot *bot, const raven_bot *person, ploy_vec2 aim) {
    const raven_def *def = &bot->match->def;
    float distance = ploy_maxf(ploy_vec2_distance(aim, bot->body.position), 1.0f);
    float gap = def->near_misses ? 1.6f * def->radius : 4.0f * def->radius;
    float angle = ploy_atan2f(gap, distance);
    if (!def->near_misses) return aim_turned(bot, aim, aim_sign(bot) * angle);
    ploy_vec2 facing = ploy_angle_heading(person->body.orientation);
    ploy_vec2 line = ploy_vec2_sub(aim, bot->body.position);
    return aim_turned(bot, aim, ploy_vec2_cross(line, facing) >= 0.0f ? angle : -angle);
}

static ploy_vec2 aim_perturbed(raven_bot *bot, const raven_bot *target, ploy_vec2 aim,
                               float time_visible) {
    const raven_def *def = &bot->match->def;
    float deviation = bot->skill.accuracy;
    if (def->aim_noise == RAVEN_AIM_FUZZY) {
        ploy_vec2 line = ploy_vec2_sub(target->body.position, bot->body.position);
        ploy_vec2 relative = ploy_vec2_sub(target->body.velocity, bot->body.velocity);
        float distance = ploy_vec2_length(line);
        float lateral = distance > 0.0f ? fabsf(ploy_vec2_cross(line, relative)) / distance : 0.0f;
        deviation = raven_aim_deviation(bot, distance, lateral, time_visible);
    }
    if (target->possessed) {
        uint64_t bit = (uint64_t)1 << target->index;
        if (def->first_shot_misses && (bot->spared & bit) == 0) {
            if (raven_ready(bot)) bot->spared |= bit;
            return aim_near_miss(bot, target, aim);
        }
        if (target->health < def->mercy) deviation = 2.0f * deviation + 0.05f;
    }
    float turn = deviation * (2.0f * raven_random(bot) - 1.0f);
    return deviation > 0.0f ? aim_turned(bot, aim, turn) : aim;
}

// ---- a tick

static int32_t aim_decide(raven_bot *bot, int32_t enemy) {
    const raven_match *match = bot->match;
    raven_trigger_finger *finger = &bot->finger;
    if (enemy == RAVEN_NOBODY) return RAVEN_HOLD_NO_TARGET;
    const raven_bot *target = &match->bots[enemy];
    bool shootable = raven_target_shootable(bot);
    if (!shootable && !(raven_target_time_out_of_view(bot) < bot->skill.persistence)) {
        return RAVEN_HOLD_UNSEEN;
    }
    const raven_weapon_def *weapon = &match->weapons.items[bot->weapon];
    ploy_vec2 place = target->body.position;
    // Out of sight it aims at where it saw the target last.
    if (!shootable && !raven_target_place(bot, &place)) return RAVEN_HOLD_UNSEEN;
    finger->aiming = true;
    finger->aim = place;
    bool leads = weapon->predicts && bot->skill.lead && shootable;
    if (leads) {
        finger->aim = raven_lead(bot->body.position, place,
                                 raven_mean_velocity(target, match->def.velocity_samples),
                                 weapon->speed, match->def.max_speed);
    }
    float time_visible = raven_target_time_visible(bot);
    finger->facing = raven_turn(&finger->facing_angle, bot->body.position, finger->aim,
                                bot->skill.turn_rate * match->dt, match->def.facing_tolerance);
    if (!finger->facing) return RAVEN_HOLD_TURNING;
    if (!raven_target_visible(bot) || !(time_visible > bot->skill.reaction)) {
        return RAVEN_HOLD_REACTING;
    }
    if (leads && !raven_sees(match, bot->body.position, finger->aim)) return RAVEN_HOLD_BLOCKED;
    if (!raven_ready(bot)) {
        bool empty = !weapon->endless && bot->arms[bot->weapon].rounds <= 0;
        return empty ? RAVEN_HOLD_EMPTY : RAVEN_HOLD_LOADING;
    }
    finger->point = aim_perturbed(bot, target, finger->aim, time_visible);
    finger->fires = true;
    return RAVEN_HOLD_FIRES;
}

// The chain from what the bot perceives to the trigger, link by link, for people who ask why it does
// not shoot.
static void aim_report(const raven_bot *bot, int32_t enemy, ploy_trace *trace) {
    const raven_match *match = bot->match;
    const raven_trigger_finger *finger = &bot->finger;
    const raven_weapon_def *weapon = &match->weapons.items[bot->weapon];
    char name[RAVEN_NAME_MAX];
    ploy_trace_begin(trace, raven_id(bot->index), "shot", "from percept to trigger finger");
    ploy_trace_option(trace, "fire", finger->fires ? PLOY_OUTCOME_WON : PLOY_OUTCOME_REJECTED, NAN,
                      raven_hold_text(finger->why));
    ploy_trace_option(
        trace, "hold fire", finger->fires ? PLOY_OUTCOME_REJECTED : PLOY_OUTCOME_WON, NAN,
        finger->fires ? "nothing speaks against the shot" : raven_hold_text(finger->why));
    ploy_trace_i64(trace, "opponents remembered",
                   ploy_sense_memory_recent(bot->memory, match->now, NULL, 0));
    if (enemy != RAVEN_NOBODY) {
        ploy_trace_text(trace, "target", raven_bot_name(&match->bots[enemy], name));
        ploy_trace_f32(trace, "last sensed, s ago", raven_target_time_unsensed(bot));
        ploy_trace_text(trace, "in view", raven_target_visible(bot) ? "yes" : "no");
        ploy_trace_text(trace, "line of fire", raven_target_shootable(bot) ? "free" : "blocked");
        ploy_trace_f32(trace, "time visible", raven_target_time_visible(bot));
        ploy_trace_f32(trace, "reaction time", bot->skill.reaction);
        ploy_trace_f32(trace, "time out of view", raven_target_time_out_of_view(bot));
    }
    if (finger->aiming) {
        ploy_vec2 toward = ploy_vec2_sub(finger->aim, bot->body.position);
        ploy_trace_vec2(trace, "aims at", finger->aim.x, finger->aim.y);
        ploy_trace_f32(trace, "still to turn, rad",
                       fabsf(ploy_angle_difference(finger->facing_angle, ploy_angle_of(toward))));
    }
    ploy_trace_text(trace, "weapon", raven_weapon_name(bot->weapon));
    for (int32_t i = 0; i < RAVEN_WEAPONS; i++) { // at the last choice
        char what[64];
        float score = match->plans->members[bot->index].desirability[i];
        if (!bot->arms[i].held || isnan(score)) continue;
        (void)snprintf(what, sizeof what, "desirability of the %s", raven_weapon_name(i));
        ploy_trace_f32(trace, what, score);
    }
    if (!weapon->endless) ploy_trace_i64(trace, "rounds", bot->arms[bot->weapon].rounds);
    ploy_trace_f32(trace, "ready in, s",
                   ploy_maxf((float)(bot->arms[bot->weapon].next - match->now), 0.0f));
    ploy_trace_end(trace);
}

void raven_aim(raven_bot *bot, ploy_trace *trace) {
    const raven_match *match = bot->match;
    raven_trigger_finger *finger = &bot->finger;
    ploy_vec2 at = bot->body.position;
    finger->aiming = false;
    finger->facing = false;
    finger->fires = false;
    finger->by_person = false;
    finger->facing_angle = bot->body.orientation;
    float turn = bot->skill.turn_rate * match->dt, tolerance = match->def.facing_tolerance;
    int32_t enemy = raven_target(bot);
    finger->why = aim_decide(bot, enemy);
    if (!finger->aiming) {
        bool moves = ploy_vec2_length_sq(bot->body.velocity) > 0.01f;
        ploy_vec2 ahead = ploy_vec2_add(at, bot->body.velocity);
        if (bot->faces || moves) {
            (void)raven_turn(&finger->facing_angle, at, bot->faces ? bot->face_point : ahead, turn,
                             tolerance);
        }
    }
    if (trace != NULL) aim_report(bot, enemy, trace);
}
