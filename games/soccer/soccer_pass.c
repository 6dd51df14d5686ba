// Passes and shots: which ones an opponent cannot reach.
//
// Technique: Buckland, "Programming Game AI by Example", 2005, chapter 4. An opponent's best place
// to cut a pass is where the perpendicular from it meets the ball's path; it is cut if the opponent
// runs there before the ball. Turning is left out, which makes for mistakes that look human. What is
// repaired: points of the goal are drawn between the posts (the listing draws along the wrong axis),
// and a place that the ball never reaches is no pass at all.
#include "games/soccer/soccer.h"

#include <math.h>

#include "ploy/base/math.h"
#include "ploy/geom/circle.h"

// Part of the distance that a receiver could run while the ball rolls which a pass may ask of it: the
// whole of it would mostly end off the pitch, and leave no time to turn.
#define SOCCER_PASS_LEAD 0.3f

bool soccer_pass_safe_from(const soccer_pass_ask *ask, ploy_vec2 opponent, float opponent_speed,
                           float reach) {
    ploy_vec2 way = ploy_vec2_sub(ask->target, ask->from);
    ploy_vec2 ahead = ploy_vec2_normalise(way);
    ploy_vec2 to = ploy_vec2_sub(opponent, ask->from);
    float along = ploy_vec2_dot(to, ahead);
    if (along < 0.0f) return true; // the ball is faster than any player
    if (ploy_vec2_length_sq(way) < ploy_vec2_length_sq(to)) {
        if (!ask->has_receiver) return true;
        return ploy_vec2_distance_sq(ask->target, opponent) >
               ploy_vec2_distance_sq(ask->target, ask->receiver);
    }
    float time = soccer_time_to_cover(ask->speed, along, ask->friction);
    if (time < 0.0f) return true; // the ball does not come by
    return fabsf(ploy_vec2_cross(ahead, to)) >= opponent_speed * time + reach;
}

bool soccer_pass_safe(const soccer_match *match, const soccer_team *team,
                      const soccer_pass_ask *ask, ploy_budget *budget) {
    if (budget != NULL) (void)ploy_budget_spend(budget, 1);
    float distance = ploy_vec2_distance(ask->from, ask->target);
    if (soccer_time_to_cover(ask->speed, distance, ask->friction) < 0.0f) return false;
    float reach = match->def.ball_radius + match->def.player_radius;
    int32_t first = (1 - team->index) * SOCCER_TEAM_SIZE;
    for (int32_t i = first; i < first + SOCCER_TEAM_SIZE; i++) {
        const soccer_player *opponent = &match->players[i];
        if (!soccer_pass_safe_from(ask, opponent->body.position, match->def.max_speed, reach)) {
            return false;
        }
    }
    return true;
}

static soccer_pass_ask pass_ask(const soccer_match *match, ploy_vec2 from, ploy_vec2 target,
                                float strength, const soccer_player *receiver) {
    soccer_pass_ask ask = {
        from,        target, strength / match->def.ball_mass, match->def.friction, receiver != NULL,
        {0.0f, 0.0f}};
    if (receiver != NULL) ask.receiver = receiver->body.position;
    return ask;
}

bool soccer_can_shoot(const soccer_match *match, const soccer_team *team, soccer_dice dice,
                      ploy_vec2 from, float strength, ploy_budget *budget, ploy_vec2 *target) {
    const soccer_goal *goal = &team->their_goal;
    float inset = match->def.ball_radius;
    int32_t attempts = soccer_def_of(match, team->index)->shot_attempts;
    for (int32_t i = 0; i < attempts; i++) {
        float y = goal->post_a.y + inset +
                  soccer_random(dice) * (goal->post_b.y - goal->post_a.y - 2.0f * inset);
        *target = ploy_vec2_make(goal->centre.x, y);
        soccer_pass_ask ask = pass_ask(match, from, *target, strength, NULL);
        if (soccer_pass_safe(match, team, &ask, budget)) return true;
    }
    return false;
}

int32_t soccer_pass_places(const soccer_match *match, ploy_vec2 ball, ploy_vec2 receiver,
                           float speed, float receiver_speed, ploy_vec2 places[3]) {
    float time =
        soccer_time_to_cover(speed, ploy_vec2_distance(ball, receiver), match->def.friction);
    if (time < 0.0f) return 0;
    ploy_circle circle = {receiver, time * receiver_speed * SOCCER_PASS_LEAD};
    ploy_vec2 tangents[2];
    // None if the ball lies in the circle.
    int32_t count = ploy_circle_tangents(circle, ball, tangents);
    places[0] = receiver;
    for (int32_t i = 0; i < count; i++) places[1 + i] = tangents[i];
    return 1 + count;
}

static bool pass_inside(ploy_vec2 place, float radius) {
    return fabsf(place.x) <= SOCCER_HALF_LENGTH - radius &&
           fabsf(place.y) <= SOCCER_HALF_WIDTH - radius;
}

bool soccer_best_pass_to(const soccer_match *match, const soccer_player *passer,
                         const soccer_player *receiver, float strength, ploy_budget *budget,
                         ploy_vec2 *target) {
    const soccer_team *team = &match->teams[passer->team];
    ploy_vec2 places[3];
    int32_t count =
        soccer_pass_places(match, match->ball.position, receiver->body.position,
                           strength / match->def.ball_mass, match->def.max_speed, places);
    float best = INFINITY;
    for (int32_t i = 0; i < count; i++) {
        if (!pass_inside(places[i], match->def.ball_radius)) continue;
        float left = fabsf(places[i].x - team->their_goal.centre.x);
        if (left >= best) continue;
        soccer_pass_ask ask = pass_ask(match, match->ball.position, places[i], strength, receiver);
        if (!soccer_pass_safe(match, team, &ask, budget)) continue;
        best = left;
        *target = places[i];
    }
    return best < INFINITY;
}

bool soccer_find_pass(const soccer_self *self, float strength, float min_distance,
                      int32_t *receiver, ploy_vec2 *target) {
    const soccer_match *match = self->match;
    const soccer_team *team = self->team;
    const soccer_player *passer = self->player;
    float best = INFINITY, left[SOCCER_TEAM_SIZE];
    const char *reasons[SOCCER_TEAM_SIZE];
    int32_t first = team->index * SOCCER_TEAM_SIZE;
    *receiver = SOCCER_NOBODY;
    for (int32_t i = 0; i < SOCCER_TEAM_SIZE; i++) {
        const soccer_player *mate = &match->players[first + i];
        ploy_vec2 place;
        left[i] = INFINITY;
        reasons[i] = NULL;
        if (mate == passer) continue;
        if (ploy_vec2_distance_sq(passer->body.position, mate->body.position) <=
            min_distance * min_distance) {
            reasons[i] = "too near";
        } else if (!soccer_best_pass_to(match, passer, mate, strength, self->budget, &place)) {
            reasons[i] = "no place at or near it that a safe pass reaches";
        } else {
            left[i] = fabsf(place.x - team->their_goal.centre.x);
            reasons[i] = "safe; scored by how near it is to their goal";
            if (left[i] < best) {
                best = left[i];
                *receiver = mate->index;
                *target = place;
            }
        }
    }
    ploy_trace *trace = self->trace;
    ploy_trace_begin(trace, soccer_id(passer->index), "pass", "safe pass nearest to their goal");
    for (int32_t i = 0; i < SOCCER_TEAM_SIZE; i++) {
        if (reasons[i] == NULL) continue;
        ploy_trace_option(trace, soccer_player_name(first + i),
                          first + i == *receiver ? PLOY_OUTCOME_WON
                          : left[i] < INFINITY   ? PLOY_OUTCOME_LOST
                                                 : PLOY_OUTCOME_REJECTED,
                          left[i] < INFINITY ? -(double)left[i] : NAN, reasons[i]);
    }
    ploy_trace_end(trace);
    return *receiver != SOCCER_NOBODY;
}

float soccer_pass_strength(const soccer_match *match, const soccer_player *passer, ploy_vec2 target,
                           float most) {
    const soccer_team_def *def = soccer_def_of(match, passer->team);
    if (!def->soft_passes) return most;
    float distance = ploy_vec2_distance(match->ball.position, target);
    float speed = soccer_speed_to_arrive(def->arrival_speed, distance, match->def.friction);
    return ploy_minf(most, speed * match->def.ball_mass);
}

#undef SOCCER_PASS_LEAD
