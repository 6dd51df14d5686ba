// Support spots: where in the opponents' half a team mate would be of use to the one with the ball.
//
// Technique: Buckland, "Programming Game AI by Example", 2005, chapter 4. A grid of spots, each
// scored by whether a pass gets there, whether a shot from there goes in, and how far it is from
// the ball's player: best at support_distance, fading to nothing at none and at twice that.
#include "games/soccer/soccer.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ploy/base/math.h"

#define SPOT_LEAST 1.0f // so that every spot can be seen

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

static float spot_score(const soccer_match *match, const soccer_team *team, soccer_dice dice,
                        ploy_vec2 spot, ploy_budget *budget, uint8_t *parts) {
    const soccer_team_def *def = soccer_def_of(match, team->index);
    const soccer_player *controller = &match->players[team->controlling];
    const soccer_player *supporter =
        team->supporting == SOCCER_NOBODY ? NULL : &match->players[team->supporting];
    float score = SPOT_LEAST;
    *parts = 0;
    soccer_pass_ask ask = {
        controller->body.position, spot,  def->passing_speed / match->def.ball_mass,
        match->def.friction,       false, {0.0f, 0.0f}};
    if (soccer_pass_safe(match, team, &ask, budget)) {
        score += def->spot_pass;
        *parts |= SOCCER_SPOT_PASS;
    }
    ploy_vec2 target;
    if (soccer_can_shoot(match, team, dice, spot, def->shooting_speed, budget, &target)) {
        score += def->spot_shot;
        *parts |= SOCCER_SPOT_SHOT;
    }
    if (supporter == NULL) return score;
    float distance = ploy_vec2_distance(controller->body.position, spot);
    score += soccer_spot_distance_score(distance, def->support_distance, def->spot_distance);
    float way = ploy_vec2_distance(supporter->body.position, spot);
    score += def->spot_closeness * ploy_maxf(0.0f, 1.0f - way / (2.0f * SOCCER_HALF_LENGTH));
    if ((spot.x - controller->body.position.x) * team->side > 0.0f) {
        score += def->spot_ahead;
        *parts |= SOCCER_SPOT_AHEAD;
    }
    return score;
}

static int32_t spot_best(const float *scores) {
    int32_t best = 0;
    for (int32_t i = 1; i < SOCCER_SPOTS; i++) {
        if (scores[i] > scores[best]) best = i;
    }
    return best;
}

// What a spot's score consists of, with the points: spots that differ in their distance alone differ in that number.
static void spot_reason(const soccer_team_def *def, float score, uint8_t parts, char *out,
                        size_t size) {
    float pass = parts & SOCCER_SPOT_PASS ? def->spot_pass : 0.0f;
    float shot = parts & SOCCER_SPOT_SHOT ? def->spot_shot : 0.0f;
    float ahead = parts & SOCCER_SPOT_AHEAD ? def->spot_ahead : 0.0f;
    float rest = ploy_maxf(0.0f, score - SPOT_LEAST - pass - shot - ahead);
    char place[48] = "";
    if (ahead > 0.0f) {
        snprintf(place, sizeof place, ", ahead of the ball's player (%.3g)", (double)ahead);
    }
    snprintf(out, size, "a pass %s (%.3g), a shot from it %s (%.3g), distance%s %.3g of %.3g%s",
             parts & SOCCER_SPOT_PASS ? "reaches it" : "can be cut", (double)pass,
             parts & SOCCER_SPOT_SHOT ? "can go in" : "can be stopped", (double)shot,
             def->spot_closeness > 0.0f ? " and closeness" : "", (double)rest,
             (double)(def->spot_distance + def->spot_closeness), place);
}

static void spot_trace(const soccer_team_def *def, const soccer_team *team,
                       const soccer_search *search, ploy_trace *trace) {
    if (trace == NULL) return;
    int32_t best = spot_best(search->scores);
    ploy_trace_begin(trace, soccer_id(team->controlling), "support spot",
                     "sum of scores for pass, shot, distance, closeness and place");
    for (int32_t i = 0; i < SOCCER_SPOTS; i++) {
        char name[24], why[160];
        snprintf(name, sizeof name, "spot %d", (int)i);
        spot_reason(def, search->scores[i], search->parts[i], why, sizeof why);
        ploy_trace_option(trace, name, i == best ? PLOY_OUTCOME_WON : PLOY_OUTCOME_LOST,
                          (double)search->scores[i], why);
    }
    ploy_trace_end(trace);
}

void soccer_spots_think(const soccer_match *match, int32_t index, soccer_search *search,
                        ploy_budget *budget, ploy_trace *trace) {
    const soccer_team *team = &match->teams[index];
    search->found = false;
    if (team->controlling == SOCCER_NOBODY) {
        search->searching = false; // the ball is lost, and with it what was known
        return;
    }
    double now = (double)match->tick * (double)match->dt;
    if (!search->searching) {
        bool due = ploy_regulator_ready(&search->limit, now);
        if (!due && team->best_spot != SOCCER_NOBODY) return;
        search->searching = true;
        search->next = 0;
    }
    soccer_dice dice = {match, soccer_team_id(index).id.index, &search->draws};
    while (search->next < SOCCER_SPOTS && !ploy_budget_empty(budget)) {
        int32_t i = search->next++;
        search->scores[i] =
            spot_score(match, team, dice, soccer_spot(team->side, i), budget, &search->parts[i]);
    }
    if (search->next < SOCCER_SPOTS) return;
    search->searching = false;
    search->found = true;
    spot_trace(soccer_def_of(match, index), team, search, trace);
}

void soccer_spots_publish(soccer_team *team) {
    soccer_search *search = &team->search;
    if (!search->found) return;
    search->found = false;
    memcpy(team->spot_scores, search->scores, sizeof team->spot_scores);
    team->best_spot = spot_best(search->scores);
}

ploy_vec2 soccer_support_spot(const soccer_match *match, const soccer_team *team) {
    (void)match;
    if (team->best_spot == SOCCER_NOBODY) {
        return ploy_vec2_make(team->side * 0.5f * SOCCER_HALF_LENGTH, 0.0f);
    }
    return soccer_spot(team->side, team->best_spot);
}
