// Support spots: where in the opponents' half a team mate would be of use to the one with the ball.
//
// Technique: Buckland, "Programming Game AI by Example", 2005, chapter 4. A grid of spots, each
// scored by whether a pass gets there, whether a shot from there goes in, and how far it is from
// the ball's player: best at support_distance, fading to nothing at none and at twice that.
#include "games/soccer/soccer.h"

#include <math.h>
#include <stdio.h>

#include "ploy/base/math.h"

// The grid is 13 by 6 over nine tenths of the length and eight of the width; the five columns
// nearest to the opponents' end are used.
ploy_vec2 soccer_spot(float side, int32_t index) {
    float length = 0.9f * 2.0f * SOCCER_HALF_LENGTH, width = 0.8f * 2.0f * SOCCER_HALF_WIDTH;
    float column = (float)(index / SOCCER_SPOT_ROWS), row = (float)(index % SOCCER_SPOT_ROWS);
    float x = 0.5f * length - (column + 0.5f) * length / 13.0f;
    float y = -0.5f * width + (row + 0.5f) * width / SOCCER_SPOT_ROWS;
    return ploy_vec2_make(side * x, y);
}

float soccer_spot_distance_score(float distance, float best, float score) {
    float off = fabsf(best - distance);
    return off < best ? score * (best - off) / best : 0.0f;
}

static float spot_score(soccer_match *match, const soccer_team *team, soccer_player *controller,
                        ploy_vec2 spot) {
    const soccer_team_def *def = soccer_def_of(match, team->index);
    const soccer_player *supporter =
        team->supporting == SOCCER_NOBODY ? NULL : &match->players[team->supporting];
    float score = 1.0f; // so that every spot can be seen
    soccer_pass_ask ask = {
        controller->body.position, spot,  def->passing_speed / match->def.ball_mass,
        match->def.friction,       false, {0.0f, 0.0f}};
    if (soccer_pass_safe(match, team, &ask)) score += def->spot_pass;
    ploy_vec2 target;
    if (soccer_can_shoot(match, team, controller, spot, def->shooting_speed, &target)) {
        score += def->spot_shot;
    }
    if (supporter == NULL) return score;
    float distance = ploy_vec2_distance(controller->body.position, spot);
    score += soccer_spot_distance_score(distance, def->support_distance, def->spot_distance);
    float way = ploy_vec2_distance(supporter->body.position, spot);
    score += def->spot_closeness * ploy_maxf(0.0f, 1.0f - way / (2.0f * SOCCER_HALF_LENGTH));
    if ((spot.x - controller->body.position.x) * team->side > 0.0f) score += def->spot_ahead;
    return score;
}

void soccer_spots_update(soccer_match *match, soccer_team *team) {
    if (team->controlling == SOCCER_NOBODY) return;
    double now = (double)match->tick * (double)match->dt;
    bool due = ploy_regulator_ready(&team->spot_limit, now);
    if (!due && team->best_spot != SOCCER_NOBODY) return;
    soccer_player *controller = &match->players[team->controlling];
    int32_t best = 0;
    for (int32_t i = 0; i < SOCCER_SPOTS; i++) {
        team->spot_scores[i] = spot_score(match, team, controller, soccer_spot(team->side, i));
        if (team->spot_scores[i] > team->spot_scores[best]) best = i;
    }
    team->best_spot = best;
    ploy_trace *trace = match->context->trace;
    if (trace == NULL) return;
    ploy_trace_begin(trace, soccer_id(controller->index), "support spot",
                     "pass, shot and distance, added");
    for (int32_t i = 0; i < SOCCER_SPOTS; i++) {
        char name[24];
        snprintf(name, sizeof name, "spot %d", (int)i);
        ploy_trace_option(trace, name, i == best ? PLOY_OUTCOME_WON : PLOY_OUTCOME_LOST,
                          (double)team->spot_scores[i], "");
    }
    ploy_trace_end(trace);
}

ploy_vec2 soccer_support_spot(const soccer_match *match, const soccer_team *team) {
    (void)match;
    if (team->best_spot == SOCCER_NOBODY) {
        return ploy_vec2_make(team->side * 0.5f * SOCCER_HALF_LENGTH, 0.0f);
    }
    return soccer_spot(team->side, team->best_spot);
}
