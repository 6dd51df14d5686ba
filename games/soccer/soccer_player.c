// Field players: a state machine each, and the messages that all states understand.
//
// Technique: Buckland, "Programming Game AI by Example", 2005, chapter 4. Changes of state take
// effect when a handler has returned. Handlers change their own player only and leave in its `act`
// what is to be done to the ball. What is repaired: a waiting player looks at the ball before it
// walks on to its place; a supporter that is nearest to a loose ball takes it; a pass that does not
// come is given up; a player that was called away in the middle of its own update does nothing more
// in it; separation is off for players that run for the ball, because two from opposite sides would
// hold each other off forever.
#include "games/soccer/soccer.h"

#include <math.h>
#include <string.h>

#include "ploy/base/math.h"
#include "ploy/geom/angle.h"

static void player_stop(soccer_player *player) {
    player->body.velocity = ploy_vec2_make(0.0f, 0.0f);
}

// ---- wait ----

static void player_wait(const soccer_self *self, ploy_code_event event) {
    const soccer_match *match = self->match;
    soccer_player *player = self->player;
    if (event == PLOY_CODE_ENTER) {
        player->target =
            match->game_on ? player->body.position : soccer_region_centre(player->home);
    } else if (event == PLOY_CODE_EXIT) {
        player->on &= ~(uint32_t)SOCCER_ARRIVE;
    } else if (soccer_may_chase(match, player)) {
        soccer_go(self, SOCCER_CHASE, "nearest to the ball");
    } else if (!soccer_at_target(match, player)) {
        soccer_reject(self, SOCCER_CHASE, soccer_no_chase(match, player));
        soccer_stay(self, "walks back to its place");
        player->on |= SOCCER_ARRIVE; // it was jostled, or its home has moved
    } else {
        soccer_reject(self, SOCCER_CHASE, soccer_no_chase(match, player));
        soccer_stay(self, "at its place");
        player->on &= ~(uint32_t)SOCCER_ARRIVE;
        player_stop(player);
        soccer_track_ball(match, player);
        if (soccer_in_control(self->team) && soccer_ahead_of_attacker(match, player)) {
            soccer_request_pass(self);
        }
    }
}

// ---- chase ----

// Where to run: between the ball and the place where the player meets it.
static ploy_vec2 chase_place(const soccer_match *match, const soccer_player *player) {
    const soccer_ball *ball = &match->ball;
    float lead = soccer_def_of(match, player->team)->anticipation;
    ploy_vec2 meeting = ball->position;
    // Each round knows the distance to run better; the ball's path is not followed round corners.
    for (int32_t i = 0; i < 3; i++) {
        float time = ploy_vec2_distance(player->body.position, meeting) / match->def.max_speed;
        meeting = soccer_ball_future(ball->position, ball->velocity, match->def.friction, time);
        meeting.x = ploy_clampf(meeting.x, -SOCCER_HALF_LENGTH, SOCCER_HALF_LENGTH);
        meeting.y = ploy_clampf(meeting.y, -SOCCER_HALF_WIDTH, SOCCER_HALF_WIDTH);
    }
    return ploy_vec2_lerp(ball->position, meeting, lead);
}

static void player_chase(const soccer_self *self, ploy_code_event event) {
    const soccer_match *match = self->match;
    soccer_player *player = self->player;
    if (event == PLOY_CODE_ENTER) {
        player->on |= SOCCER_SEEK;
        player->on &= ~(uint32_t)SOCCER_SEPARATE;
        player->target = chase_place(match, player);
    } else if (event == PLOY_CODE_EXIT) {
        player->on &= ~(uint32_t)SOCCER_SEEK;
        player->on |= SOCCER_SEPARATE;
    } else if (soccer_ball_near(player, match->def.kicking_distance) &&
               match->holder == SOCCER_NOBODY) {
        soccer_go(self, SOCCER_KICK, "the ball is in reach");
    } else if (soccer_may_chase(match, player)) {
        soccer_reject(self, SOCCER_KICK, "the ball is out of reach");
        soccer_reject(self, SOCCER_GO_HOME, "no team mate is nearer to the ball");
        soccer_stay(self, "nearest to the ball");
        player->target = chase_place(match, player);
    } else {
        soccer_reject(self, SOCCER_KICK,
                      match->holder != SOCCER_NOBODY ? "a keeper has the ball"
                                                     : "the ball is out of reach");
        soccer_go(self, SOCCER_GO_HOME, soccer_no_chase(match, player));
    }
}

// ---- kick ----

static void kick_shoot(const soccer_self *self, ploy_vec2 target, float strength, bool potshot) {
    soccer_act *act = &self->player->act;
    target = soccer_add_noise(self->match, self->player, target);
    act->kind = potshot ? SOCCER_ACT_POTSHOT : SOCCER_ACT_SHOT;
    act->direction = ploy_vec2_sub(target, self->match->ball.position);
    act->strength = strength;
    act->support = true;
    soccer_go(self, SOCCER_WAIT, potshot ? "tries its luck" : "shoots");
}

static void kick_pass(const soccer_self *self, ploy_vec2 target, float most, int32_t receiver) {
    soccer_act *act = &self->player->act;
    act->kind = SOCCER_ACT_PASS;
    act->direction = ploy_vec2_sub(target, self->match->ball.position);
    act->strength = soccer_pass_strength(self->match, self->player, target, most);
    act->target = target;
    act->receiver = receiver;
    act->support = true;
}

static void kick_decide(const soccer_self *self) {
    const soccer_match *match = self->match;
    soccer_player *player = self->player;
    const soccer_team_def *def = soccer_def_of(match, player->team);
    ploy_trace *trace = self->trace;
    soccer_dice dice = soccer_dice_of(match, player);
    ploy_vec2 to_ball = ploy_vec2_sub(match->ball.position, player->body.position);
    float dot =
        ploy_vec2_dot(ploy_angle_heading(player->body.orientation), ploy_vec2_normalise(to_ball));
    if (self->team->receiver != SOCCER_NOBODY || match->holder != SOCCER_NOBODY || dot < 0.0f) {
        soccer_go(self, SOCCER_CHASE,
                  dot < 0.0f ? "the ball is behind" : "the ball is another player's");
        return;
    }
    ploy_vec2 target;
    float strength = def->shooting_speed * dot;
    bool aimed = soccer_can_shoot(match, self->team, dice, match->ball.position, strength,
                                  self->budget, &target);
    bool lucky = soccer_random(dice) < def->potshot_chance;
    bool threatened = soccer_threatened(match, player);
    ploy_trace_begin(trace, soccer_id(player->index), "kick", "shoot, else pass, else dribble");
    ploy_trace_option(trace, "shoot", aimed || lucky ? PLOY_OUTCOME_WON : PLOY_OUTCOME_REJECTED,
                      (double)strength,
                      aimed   ? "no opponent reaches it"
                      : lucky ? "for luck"
                              : "every point tried can be reached");
    if (aimed || lucky) {
        ploy_trace_option(trace, "pass", PLOY_OUTCOME_SKIPPED, NAN, "a shot comes first");
        ploy_trace_option(trace, "dribble", PLOY_OUTCOME_SKIPPED, NAN, "a shot comes first");
        ploy_trace_end(trace);
        kick_shoot(self, target, strength, !aimed);
        return;
    }
    strength = def->passing_speed * dot;
    int32_t receiver = SOCCER_NOBODY;
    bool pass = threatened && soccer_find_pass(self, strength, def->min_pass, &receiver, &target);
    ploy_trace_option(trace, "pass", pass ? PLOY_OUTCOME_WON : PLOY_OUTCOME_REJECTED,
                      (double)strength,
                      pass         ? "threatened, and a pass is safe"
                      : threatened ? "threatened, but no pass is safe"
                                   : "no opponent threatens");
    ploy_trace_option(trace, "dribble", pass ? PLOY_OUTCOME_SKIPPED : PLOY_OUTCOME_WON, NAN,
                      pass ? "a pass comes first" : "nothing better");
    ploy_trace_end(trace);
    if (!pass) {
        player->act.support = true;
        soccer_go(self, SOCCER_DRIBBLE, "no shot, no pass");
        return;
    }
    kick_pass(self, soccer_add_noise(match, player, target), strength, receiver);
    soccer_go(self, SOCCER_WAIT, "passes");
}

static void player_kick(const soccer_self *self, ploy_code_event event) {
    const soccer_match *match = self->match;
    if (event == PLOY_CODE_ENTER) {
        double now = (double)match->tick * (double)match->dt;
        // The limit keeps the ball from jerking; no player owns a ball that was only looked at.
        if (ploy_regulator_ready(&self->player->kick_limit, now)) {
            self->player->act.control = true;
        } else {
            soccer_reject(self, SOCCER_KICK, "it kicked a moment ago");
            soccer_go(self, SOCCER_CHASE, "the ball is in reach, but it kicked a moment ago");
        }
    } else if (event == PLOY_CODE_UPDATE) {
        kick_decide(self);
    }
}

// ---- dribble ----

// Straight at the opponents' end; close to it toward the goal, and around any player in the way.
static ploy_vec2 dribble_direction(const soccer_self *self) {
    const float near_end = 9.0f, spot = 5.0f, ahead = 0.8f, turn = 0.7f; // m, m, cosine, rad
    const soccer_match *match = self->match;
    const soccer_team_def *def = soccer_def_of(match, self->team->index);
    ploy_vec2 ball = match->ball.position, direction = self->team->home_goal.facing;
    const soccer_goal *goal = &self->team->their_goal;
    if (fabsf(ball.x - goal->centre.x) < near_end) {
        ploy_vec2 place = ploy_vec2_add(goal->centre, ploy_vec2_scale(goal->facing, spot));
        ploy_vec2 way = ploy_vec2_sub(place, ball);
        if (ploy_vec2_length_sq(way) > 1.0f) direction = ploy_vec2_normalise(way);
    }
    if (!def->dodge) return direction;
    int32_t first = (1 - self->team->index) * SOCCER_TEAM_SIZE;
    const soccer_player *nearest = NULL;
    float least = def->comfort_zone * def->comfort_zone;
    for (int32_t i = first; i < first + SOCCER_TEAM_SIZE; i++) {
        ploy_vec2 to = ploy_vec2_sub(match->players[i].body.position, ball);
        float distance = ploy_vec2_length_sq(to);
        if (distance >= least || ploy_vec2_dot(to, direction) < ahead * sqrtf(distance)) continue;
        least = distance;
        nearest = &match->players[i];
    }
    if (nearest == NULL) return direction;
    ploy_vec2 to = ploy_vec2_sub(nearest->body.position, ball);
    float away = ploy_vec2_cross(direction, to) > 0.0f ? -turn : turn;
    ploy_vec2 turned = ploy_vec2_rotate(direction, away);
    // Along the side there is one way round only.
    if (fabsf(ball.y + 3.0f * turned.y) > SOCCER_HALF_WIDTH - match->def.ball_radius) {
        turned = ploy_vec2_rotate(direction, -away);
    }
    return turned;
}

// How hard to kick to oneself: softly while the supporter is left behind.
static float dribble_strength(const soccer_self *self) {
    const soccer_match *match = self->match;
    const soccer_team_def *def = soccer_def_of(match, self->team->index);
    if (def->lead <= 0.0f || self->team->supporting == SOCCER_NOBODY) return def->dribble_speed;
    float ahead =
        (self->player->body.position.x - match->players[self->team->supporting].body.position.x) *
        self->team->side;
    return ahead > def->lead ? 0.4f * def->dribble_speed : def->dribble_speed;
}

static void player_dribble(const soccer_self *self, ploy_code_event event) {
    const soccer_match *match = self->match;
    soccer_player *player = self->player;
    const soccer_team_def *def = soccer_def_of(match, player->team);
    if (event == PLOY_CODE_ENTER) {
        player->act.control = true;
    } else if (event == PLOY_CODE_UPDATE) {
        ploy_vec2 heading = ploy_angle_heading(player->body.orientation);
        ploy_vec2 facing = self->team->home_goal.facing;
        player->act.kind = SOCCER_ACT_DRIBBLE;
        if (ploy_vec2_dot(facing, heading) < 0.0f) {
            // Small kicks aside bring player and ball round.
            float turn = ploy_vec2_cross(heading, facing) < 0.0f ? -PLOY_PI_F : PLOY_PI_F;
            player->act.direction = ploy_vec2_rotate(heading, 0.25f * turn);
            player->act.strength = def->turn_speed;
        } else {
            player->act.direction = dribble_direction(self);
            player->act.strength = dribble_strength(self);
        }
        soccer_go(self, SOCCER_CHASE, "after its own ball");
    }
}

// ---- receive ----

static bool receive_threatened(const soccer_match *match, const soccer_player *player) {
    float range = soccer_def_of(match, player->team)->receive_threat;
    int32_t first = (1 - player->team) * SOCCER_TEAM_SIZE;
    for (int32_t i = first; i < first + SOCCER_TEAM_SIZE; i++) {
        if (ploy_vec2_distance_sq(match->players[i].body.position, player->body.position) <
            range * range) {
            return true;
        }
    }
    return false;
}

static void receive_begin(const soccer_self *self) {
    const soccer_match *match = self->match;
    soccer_player *player = self->player;
    player->act.receives = true;
    player->act.control = true;
    bool hot = fabsf(player->body.position.x - self->team->their_goal.centre.x) <
               2.0f * SOCCER_HALF_LENGTH / 3.0f;
    bool stays = hot || soccer_random(soccer_dice_of(match, player)) <
                            soccer_def_of(match, player->team)->arrive_chance;
    player->on |= stays && !receive_threatened(match, player) ? SOCCER_ARRIVE : SOCCER_PURSUE;
    // A pass that is late was cut, or went astray.
    float speed = ploy_vec2_length(match->ball.velocity);
    float time = soccer_time_to_cover(
        speed, ploy_vec2_distance(match->ball.position, player->target), match->def.friction);
    if (time < 0.0f) time = speed / match->def.friction;
    player->deadline = match->tick + (uint64_t)((1.5f * time + 0.5f) / match->dt);
}

static void player_receive(const soccer_self *self, ploy_code_event event) {
    const soccer_match *match = self->match;
    soccer_player *player = self->player;
    if (event == PLOY_CODE_ENTER) {
        receive_begin(self);
    } else if (event == PLOY_CODE_EXIT) {
        player->on &= ~(uint32_t)(SOCCER_ARRIVE | SOCCER_PURSUE);
    } else if (soccer_ball_near(player, match->def.receiving_range)) {
        soccer_go(self, SOCCER_CHASE, "the pass has come");
    } else if (!soccer_in_control(self->team)) {
        soccer_go(self, SOCCER_CHASE, "the pass was cut");
    } else if (match->tick >= player->deadline) {
        soccer_go(self, SOCCER_CHASE, "the pass does not come");
    } else {
        soccer_reject(self, SOCCER_CHASE, "the pass is on its way");
        soccer_stay(self, "awaits the pass");
        if (soccer_at_target(match, player) && (player->on & SOCCER_ARRIVE) != 0) {
            player->on &= ~(uint32_t)SOCCER_ARRIVE;
            player_stop(player);
        }
        if ((player->on & (SOCCER_ARRIVE | SOCCER_PURSUE)) == 0) soccer_track_ball(match, player);
    }
}

// ---- support ----

static void player_support(const soccer_self *self, ploy_code_event event) {
    const soccer_match *match = self->match;
    soccer_player *player = self->player;
    ploy_vec2 spot = soccer_support_spot(match, self->team);
    if (event == PLOY_CODE_ENTER) {
        player->on |= SOCCER_ARRIVE;
        player->target = spot;
        return;
    }
    if (event == PLOY_CODE_EXIT) {
        player->on &= ~(uint32_t)SOCCER_ARRIVE;
        return;
    }
    if (!soccer_in_control(self->team)) {
        soccer_go(self, SOCCER_GO_HOME, "the ball is lost");
        return;
    }
    if (soccer_may_chase(match, player)) {
        soccer_go(self, SOCCER_CHASE, "nearest to a loose ball");
        return;
    }
    soccer_reject(self, SOCCER_GO_HOME, "the team has the ball");
    soccer_reject(self, SOCCER_CHASE, soccer_no_chase(match, player));
    soccer_stay(self, "supports the team mate with the ball");
    if (ploy_vec2_distance_sq(spot, player->target) > 0.0f) {
        player->target = spot;
        player->on |= SOCCER_ARRIVE;
    }
    ploy_vec2 unused;
    if (soccer_can_shoot(match, self->team, soccer_dice_of(match, player), player->body.position,
                         soccer_def_of(match, player->team)->shooting_speed, self->budget,
                         &unused)) {
        soccer_request_pass(self);
    }
    if (!soccer_at_target(match, player)) return;
    player->on &= ~(uint32_t)SOCCER_ARRIVE;
    player_stop(player);
    soccer_track_ball(match, player);
    if (!soccer_threatened(match, player)) soccer_request_pass(self);
}

// ---- home ----

static void player_go_home(const soccer_self *self, ploy_code_event event) {
    const soccer_match *match = self->match;
    soccer_player *player = self->player;
    soccer_region home = soccer_region_get(player->home);
    if (event == PLOY_CODE_ENTER) {
        player->on |= SOCCER_ARRIVE;
        if (!soccer_region_contains(home, player->target, true) || !match->game_on) {
            player->target = soccer_region_centre(player->home);
        }
    } else if (event == PLOY_CODE_EXIT) {
        player->on &= ~(uint32_t)SOCCER_ARRIVE;
    } else if (soccer_may_chase(match, player)) {
        soccer_go(self, SOCCER_CHASE, "nearest to the ball");
    } else if (match->game_on ? soccer_region_contains(home, player->body.position, true)
                              : soccer_at_target(match, player)) {
        soccer_go(self, SOCCER_WAIT, "at home");
    } else {
        soccer_reject(self, SOCCER_CHASE, soccer_no_chase(match, player));
        soccer_reject(self, SOCCER_WAIT, "it is not at home yet");
        soccer_stay(self, "on its way home");
    }
}

// ---- messages ----

static void message_pass(const soccer_self *self, const ploy_message *message) {
    const soccer_match *match = self->match;
    soccer_player *player = self->player;
    int32_t requester = (int32_t)message->sender.id.index - 1;
    double now = (double)match->tick * (double)match->dt;
    if (player->taken || self->team->receiver != SOCCER_NOBODY || match->holder != SOCCER_NOBODY ||
        requester < 0 || requester >= SOCCER_PLAYERS || player->act.kind != SOCCER_ACT_NONE ||
        !soccer_ball_near(player, match->def.kicking_distance) ||
        !ploy_regulator_ready(&player->kick_limit, now)) {
        return;
    }
    kick_pass(self, match->players[requester].body.position,
              soccer_def_of(match, player->team)->passing_speed, requester);
    soccer_go(self, SOCCER_WAIT, "passes to a player who called");
}

static void player_message(const soccer_self *self, ploy_code_fsm *machine,
                           const ploy_message *message) {
    const soccer_match *match = self->match;
    soccer_player *player = self->player;
    bool person = player->machine.state == SOCCER_TAKEN;
    if (ploy_code_fsm_is(machine, message, "receive_ball")) {
        if (person) {
            player->act.control = true;
            return;
        }
        memcpy(&player->target, message->payload, sizeof player->target);
        soccer_go(self, SOCCER_RECEIVE, "a pass is coming");
    } else if (ploy_code_fsm_is(machine, message, "support_attacker")) {
        if (machine->state != SOCCER_SUPPORT && !person) {
            soccer_go(self, SOCCER_SUPPORT, "asked to support");
        }
    } else if (ploy_code_fsm_is(machine, message, "go_home")) {
        player->home = player->default_home;
        if (!person || !match->game_on) soccer_go(self, SOCCER_GO_HOME, "sent home");
    } else if (ploy_code_fsm_is(machine, message, "wait")) {
        if (!person) soccer_go(self, SOCCER_WAIT, "ordered to wait");
    } else if (ploy_code_fsm_is(machine, message, "pass_to_me")) {
        message_pass(self, message);
    }
}

void soccer_player_machine(void *owner, ploy_code_fsm *machine, ploy_code_event event,
                           const ploy_message *message) {
    const soccer_self *self = owner;
    if (event == PLOY_CODE_ENTER) self->player->since = self->match->tick;
    if (event == PLOY_CODE_MESSAGE) {
        player_message(self, machine, message);
        return;
    }
    bool person = self->player->taken && self->match->game_on;
    if (event == PLOY_CODE_UPDATE && person && machine->state != SOCCER_TAKEN) {
        soccer_go(self, SOCCER_TAKEN, "a person plays it");
        return;
    }
    switch ((soccer_player_state)machine->state) {
    case SOCCER_WAIT: player_wait(self, event); break;
    case SOCCER_CHASE: player_chase(self, event); break;
    case SOCCER_KICK: player_kick(self, event); break;
    case SOCCER_DRIBBLE: player_dribble(self, event); break;
    case SOCCER_RECEIVE: player_receive(self, event); break;
    case SOCCER_SUPPORT: player_support(self, event); break;
    case SOCCER_GO_HOME: player_go_home(self, event); break;
    case SOCCER_TAKEN:
        if (event == PLOY_CODE_EXIT) self->player->on &= ~(uint32_t)(SOCCER_SEEK | SOCCER_ARRIVE);
        if (event != PLOY_CODE_UPDATE) break;
        if (person) {
            soccer_reject(self, SOCCER_GO_HOME, "a person plays it");
            soccer_stay(self, "a person plays it");
            soccer_person_step(self);
        } else {
            soccer_go(self, SOCCER_GO_HOME, "no user plays it any more");
        }
        break;
    case SOCCER_PLAYER_STATES: break;
    }
}
