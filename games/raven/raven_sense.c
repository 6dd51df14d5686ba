// What a bot knows and attacks: looks, sounds, felt damage, the choice of target and of weapon.
//
// Technique: Buckland, "Programming Game AI by Example", 2005, chapter 7, with sensory memory and
// target selection of ploy/world. Looks, choices and aiming happen while all bots think at the same
// time: they read the match and change only their own bot's parts, never its body. A target that
// was not sensed within the memory span is dropped in the same tick.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "games/raven/raven_goals.h"
#include "ploy/base/math.h"
#include "ploy/geom/angle.h"

// ---- queries

static const ploy_sense_record *sense_record(const raven_bot *bot) {
    if (!ploy_target_present(&bot->target)) return NULL;
    return ploy_sense_memory_get(bot->memory, bot->target.current);
}

int32_t raven_target(const raven_bot *bot) {
    if (!ploy_target_present(&bot->target)) return RAVEN_NOBODY;
    return (int32_t)bot->target.current.id.index - 1;
}

bool raven_target_visible(const raven_bot *bot) {
    return ploy_target_visible(&bot->target, bot->memory);
}

bool raven_target_shootable(const raven_bot *bot) {
    const ploy_sense_record *record = sense_record(bot);
    return record != NULL && record->shootable;
}

bool raven_target_place(const raven_bot *bot, ploy_vec2 *out) {
    ploy_vec3 place;
    if (ploy_target_position(&bot->target, bot->memory, &place) != PLOY_OK) return false;
    *out = ploy_vec2_from_vec3(place);
    return true;
}

float raven_target_time_visible(const raven_bot *bot) {
    const ploy_sense_record *record = sense_record(bot);
    if (record == NULL || !record->visible) return 0.0f;
    return (float)(bot->match->now - record->became_visible);
}

float raven_target_time_out_of_view(const raven_bot *bot) {
    const ploy_sense_record *record = sense_record(bot);
    if (record == NULL) return INFINITY;
    return record->visible ? 0.0f : (float)(bot->match->now - record->last_visible);
}

float raven_target_time_unsensed(const raven_bot *bot) {
    const ploy_sense_record *record = sense_record(bot);
    return record != NULL ? (float)(bot->match->now - record->last_sensed) : INFINITY;
}

void raven_target_clear(raven_bot *bot) {
    ploy_target_clear(&bot->target);
}

float raven_felt_damage(const raven_bot *bot, int32_t opponent) {
    float sum = 0.0f, span = bot->match->def.felt_damage_span;
    for (int32_t i = 0; i < RAVEN_BOTS_MAX; i++) {
        if (opponent != RAVEN_NOBODY && i != opponent) continue;
        const raven_felt *felt = &bot->felt[i];
        if (!(felt->damage > 0.0f)) continue;
        float age = (float)(bot->match->now - felt->last);
        if (age < span) sum += felt->damage * (1.0f - age / span);
    }
    return sum;
}

bool raven_under_fire(const raven_bot *bot, float seconds) {
    for (int32_t i = 0; i < bot->match->bot_count; i++) {
        const raven_felt *felt = &bot->felt[i];
        if (felt->damage > 0.0f && bot->match->now - felt->last <= (double)seconds) return true;
    }
    int32_t enemy = raven_target(bot);
    if (enemy == RAVEN_NOBODY || !raven_target_visible(bot)) return false;
    const raven_bot *other = &bot->match->bots[enemy];
    ploy_vec2 toward = ploy_vec2_sub(bot->body.position, other->body.position);
    float off = fabsf(ploy_angle_difference(other->body.orientation, ploy_angle_of(toward)));
    return off < 0.1f;
}

// ---- percepts

void raven_heard(raven_bot *bot, int32_t source) {
    const raven_match *match = bot->match;
    const raven_bot *other = &match->bots[source];
    if (!raven_hostile(match, bot, other)) return;
    bool in_line = raven_sees(match, bot->body.position, other->body.position);
    ploy_sense_memory_hear(bot->memory, raven_life_id(other),
                           ploy_vec3_from_vec2(other->body.position, 0.0f), in_line, match->now);
}

void raven_tell(raven_bot *bot, int32_t opponent, ploy_vec2 place) {
    ploy_agent_id id = raven_life_id(&bot->match->bots[opponent]);
    const ploy_sense_record *record = ploy_sense_memory_get(bot->memory, id);
    bool shootable = record != NULL && record->shootable;
    if (record != NULL && record->visible) return; // its own eyes know better
    ploy_vec3 at = ploy_vec3_from_vec2(place, 0.0f);
    // A sound in line gives the place; the look takes back that nothing is in between.
    ploy_sense_memory_hear(bot->memory, id, at, true, bot->match->now);
    ploy_sense_memory_look(bot->memory, id, at, false, shootable, 0.0f, bot->match->now);
}

void raven_forget(raven_match *match, int32_t dead) {
    for (int32_t i = 0; i < match->bot_count; i++) {
        raven_bot *bot = &match->bots[i];
        if (bot->present && raven_target(bot) == dead) ploy_target_clear(&bot->target);
    }
}

typedef struct sense_other {
    float distance_sq;
    int32_t index;
} sense_other;

// The others that a look considers: all, or the nearest few, by index.
static int32_t sense_others(const raven_bot *bot, sense_other *out) {
    const raven_match *match = bot->match;
    int32_t count = 0, most = match->def.view_most;
    for (int32_t i = 0; i < match->bot_count; i++) {
        const raven_bot *other = &match->bots[i];
        if (!raven_alive(other) || !raven_hostile(match, bot, other)) continue;
        out[count].index = i;
        out[count].distance_sq = ploy_vec2_distance_sq(bot->body.position, other->body.position);
        count++;
    }
    if (most == 0 || count <= most) return count;
    for (int32_t i = 1; i < count; i++) { // few, and equal ones keep their order
        sense_other one = out[i];
        int32_t k = i;
        for (; k > 0 && out[k - 1].distance_sq > one.distance_sq; k--) out[k] = out[k - 1];
        out[k] = one;
    }
    return most;
}

static void sense_look(raven_bot *bot, const ploy_step_context *context) {
    const raven_match *match = bot->match;
    sense_other others[RAVEN_BOTS_MAX];
    int32_t count = sense_others(bot, others);
    ploy_vec2 facing = ploy_angle_heading(bot->body.orientation);
    float limit = ploy_cosf(0.5f * bot->skill.fov);
    bool all = bot->skill.fov >= 6.2831f;
    for (int32_t i = 0; i < count; i++) {
        const raven_bot *other = &match->bots[others[i].index];
        ploy_vec2 toward = ploy_vec2_sub(other->body.position, bot->body.position);
        bool in_line = raven_sees(match, bot->body.position, other->body.position);
        bool in_view = all || ploy_vec2_dot(facing, toward) >= limit * ploy_vec2_length(toward);
        ploy_sense_memory_look(bot->memory, raven_life_id(other),
                               ploy_vec3_from_vec2(other->body.position, 0.0f), in_view, in_line,
                               in_view && in_line ? 1.0f : 0.0f, match->now);
        bot->units++;
        if (context->budget != NULL) (void)ploy_budget_spend(context->budget, 1);
    }
}

// ---- targets

static bool sense_valid(void *user, ploy_agent_id other) {
    const raven_bot *bot = user;
    const raven_bot *enemy = raven_bot_get(bot->match, other);
    return enemy != NULL && raven_alive(enemy) && other.id.generation == enemy->lives + 1 &&
           raven_hostile(bot->match, bot, enemy);
}

static float sense_score(void *user, const ploy_sense_record *record) {
    const raven_bot *bot = user;
    const raven_match *match = bot->match;
    const raven_target_weights *weights = &match->def.target;
    int32_t index = (int32_t)record->agent.id.index - 1;
    const raven_bot *enemy = &match->bots[index];
    const raven_felt *felt = &bot->felt[index];
    float score = 0.0f;
    if (!record->has_position) return -1e6f; // known only by ear: better than nothing
    ploy_vec2 toward = ploy_vec2_sub(ploy_vec2_from_vec3(record->position), bot->body.position);
    float distance = ploy_vec2_length(toward);
    score -= weights->distance * distance;
    score -=
        weights->angle * fabsf(ploy_angle_difference(bot->body.orientation, ploy_angle_of(toward)));
    score -= weights->range * fabsf(distance - match->weapons.items[bot->weapon].ideal_range);
    if (record->visible) {
        score += weights->visible;
        score += weights->time_visible * (float)(match->now - record->became_visible);
        if (enemy->weapon != RAVEN_BLASTER) score += weights->armed;
        ploy_vec2 facing = ploy_angle_heading(enemy->body.orientation);
        if (ploy_vec2_dot(facing, toward) > 0.0f) score += weights->unaware;
        if (distance < match->weapons.items[enemy->weapon].ideal_range) score += weights->threat;
    }
    if (record->shootable) score += weights->shootable;
    if (weights->damage != 0.0f) score += weights->damage * raven_felt_damage(bot, index);
    score += weights->revenge * (float)felt->died + weights->prey * (float)felt->killed;
    score += raven_team_bonus(bot, index);
    return score;
}

static void sense_target(raven_bot *bot, ploy_trace *trace) {
    ploy_target_choice choice = {sense_valid, sense_score, bot, bot->match->def.target.margin};
    (void)ploy_target_step(&bot->target, bot->memory, ploy_vec3_from_vec2(bot->body.position, 0.0f),
                           &choice, bot->match->now, trace);
    bot->units++;
}

// ---- weapons

void raven_choose_weapon(raven_bot *bot, ploy_trace *trace) {
    const raven_match *match = bot->match;
    ploy_vec2 place;
    if (!raven_target_place(bot, &place)) return; // keeps what it has
    float distance = ploy_vec2_distance(place, bot->body.position), best = -INFINITY;
    int32_t choice = bot->weapon;
    float scores[RAVEN_WEAPONS];
    // The rules of each weapon report what fired inside this decision.
    ploy_trace_begin(trace, raven_id(bot->index), "weapon", "fuzzy rules of each weapon");
    for (int32_t i = 0; i < RAVEN_WEAPONS; i++) {
        scores[i] = NAN;
        if (!bot->arms[i].held) continue;
        scores[i] =
            raven_weapon_desirability(bot, (raven_weapon)i, distance, bot->arms[i].rounds, trace);
        if (scores[i] > best) {
            best = scores[i];
            choice = i;
        }
        bot->units++;
    }
    bot->finger.weapon = choice;
    memcpy(match->plans->members[bot->index].desirability, scores, sizeof scores);
    for (int32_t i = 0; i < RAVEN_WEAPONS && trace != NULL; i++) {
        bool held = bot->arms[i].held, endless = match->weapons.items[i].endless;
        bool empty = !endless && bot->arms[i].rounds <= 0;
        char reason[96], rounds[32] = "endless";
        if (!endless) snprintf(rounds, sizeof rounds, "%d", (int)bot->arms[i].rounds);
        snprintf(reason, sizeof reason, "%s at %.1f m with %s rounds",
                 i == choice ? "the most desirable" : "less desirable", (double)distance, rounds);
        ploy_trace_option(trace, raven_weapon_name(i),
                          i == choice      ? PLOY_OUTCOME_WON
                          : held && !empty ? PLOY_OUTCOME_LOST
                                           : PLOY_OUTCOME_REJECTED,
                          (double)scores[i],
                          !held   ? "not held"
                          : empty ? "no rounds are left"
                                  : reason);
    }
    ploy_trace_f32(trace, "distance", distance);
    ploy_trace_end(trace);
}

// ---- a tick

bool raven_arbitrates(raven_bot *bot) {
    return !bot->possessed && ploy_regulator_ready(&bot->arbitration, bot->match->now);
}

void raven_sense_think(raven_bot *bot, const ploy_step_context *context) {
    const raven_match *match = bot->match;
    bot->finger.weapon = bot->weapon;
    if (!raven_alive(bot)) return;
    if (bot->possessed) { // a person looks, chooses and fires
        bot->finger.why = RAVEN_HOLD_POSSESSED;
        bot->finger.aiming = false;
        bot->finger.facing_angle = bot->body.orientation;
        (void)raven_turn(&bot->finger.facing_angle, bot->body.position, bot->cursor,
                         bot->skill.turn_rate * match->dt, match->def.facing_tolerance);
        return;
    }
    if (ploy_regulator_ready(&bot->vision, match->now)) sense_look(bot, context);
    if (ploy_regulator_ready(&bot->targeting, match->now)) sense_target(bot, context->trace);
    const ploy_sense_record *record = sense_record(bot);
    if (ploy_target_present(&bot->target) &&
        (record == NULL || match->now - record->last_sensed > (double)bot->skill.memory ||
         !sense_valid(bot, bot->target.current))) {
        ploy_target_clear(&bot->target);
    }
    if (ploy_regulator_ready(&bot->choosing, match->now)) {
        raven_choose_weapon(bot, context->trace);
    }
    raven_aim(bot, context->trace);
}
