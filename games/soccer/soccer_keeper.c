// Goalkeepers: between the ball and the net, out for a ball that comes near, and throwing it back.
//
// Technique: Buckland, "Programming Game AI by Example", 2005, chapter 4, with what its listings
// lack: a keeper runs out only while its team is not in control, does not grab the ball again that
// it has just kicked away, and clears a ball that it finds no pass for.
#include "games/soccer/soccer.h"

#include "ploy/base/math.h"

ploy_vec2 soccer_keeper_rear(const soccer_match *match, const soccer_team *team) {
    const soccer_goal *goal = &team->home_goal;
    float across = (match->ball.position.y + SOCCER_HALF_WIDTH) / (2.0f * SOCCER_HALF_WIDTH);
    float y = goal->post_a.y + (goal->post_b.y - goal->post_a.y) * across;
    return ploy_vec2_make(goal->centre.x, y);
}

static bool keeper_too_far(const soccer_self *self) {
    float range = soccer_def_of(self->match, self->team->index)->intercept_range;
    return ploy_vec2_distance_sq(self->player->body.position,
                                 soccer_keeper_rear(self->match, self->team)) > range * range;
}

// True if it has the ball now.
static bool keeper_grabs(const soccer_self *self) {
    soccer_match *match = self->match;
    soccer_player *player = self->player;
    if (!match->game_on || match->holder != SOCCER_NOBODY) return false;
    if (!soccer_ball_near(player, match->def.keeper_range)) return false;
    ploy_vec2 from = ploy_vec2_sub(match->ball.position, player->body.position);
    bool own = match->last_touch == player->index;
    if (own && ploy_vec2_dot(from, match->ball.velocity) > 0.0f) return false;
    soccer_trap(match, player);
    soccer_go(self, SOCCER_PUT_BACK, "has the ball");
    return true;
}

static void keeper_tend(const soccer_self *self, ploy_code_event event) {
    soccer_match *match = self->match;
    soccer_player *player = self->player;
    player->target = soccer_keeper_rear(match, self->team);
    if (event == PLOY_CODE_ENTER) player->on |= SOCCER_INTERPOSE;
    if (event == PLOY_CODE_EXIT) player->on &= ~(uint32_t)SOCCER_INTERPOSE;
    if (event != PLOY_CODE_UPDATE || keeper_grabs(self)) return;
    float range = soccer_def_of(match, player->team)->intercept_range;
    bool near =
        ploy_vec2_distance_sq(self->team->home_goal.centre, match->ball.position) <= range * range;
    if (near && match->game_on && !soccer_in_control(self->team) &&
        match->holder == SOCCER_NOBODY) {
        soccer_go(self, SOCCER_INTERCEPT, "the ball is near the goal");
    } else if (soccer_in_control(self->team) && keeper_too_far(self)) {
        soccer_go(self, SOCCER_RETURN, "too far from the goal");
    }
}

static void keeper_return(const soccer_self *self, ploy_code_event event) {
    soccer_player *player = self->player;
    if (event == PLOY_CODE_ENTER) player->on |= SOCCER_ARRIVE;
    if (event == PLOY_CODE_EXIT) player->on &= ~(uint32_t)SOCCER_ARRIVE;
    player->target = soccer_region_centre(player->home);
    if (event != PLOY_CODE_UPDATE) return;
    bool home =
        soccer_region_contains(soccer_region_get(player->home), player->body.position, false);
    // Before a kick-off it has to get there whatever happens.
    if (home || (self->match->game_on && !soccer_in_control(self->team))) {
        soccer_go(self, SOCCER_TEND, home ? "at home" : "the opponents have the ball");
    }
}

static void keeper_clear(const soccer_self *self) {
    soccer_match *match = self->match;
    float turn = (2.0f * soccer_random(match, self->player) - 1.0f) * 0.25f * PLOY_PI_F;
    ploy_vec2 direction = ploy_vec2_rotate(self->team->home_goal.facing, turn);
    match->holder = SOCCER_NOBODY;
    soccer_kick(match, self->player, direction,
                soccer_def_of(match, self->team->index)->passing_speed);
    soccer_go(self, SOCCER_TEND, "cleared the ball");
}

static void keeper_put_back(const soccer_self *self, ploy_code_event event) {
    soccer_match *match = self->match;
    soccer_player *player = self->player;
    const soccer_team_def *def = soccer_def_of(match, player->team);
    if (event == PLOY_CODE_ENTER) {
        soccer_set_control(match, self->team, player->index);
        player->deadline = match->tick + (uint64_t)(def->hold_max / match->dt);
        for (int32_t i = 0; i < SOCCER_PLAYERS; i++) { // room for the kick
            if (match->players[i].role == SOCCER_KEEPER) continue;
            soccer_tell(match, player->index, i, "go_home", match->ball.position);
        }
    } else if (event == PLOY_CODE_UPDATE) {
        player->body.velocity = ploy_vec2_make(0.0f, 0.0f);
        int32_t receiver = SOCCER_NOBODY;
        ploy_vec2 target;
        if (soccer_find_pass(match, player, def->passing_speed, def->keeper_min_pass, &receiver,
                             &target)) {
            match->holder = SOCCER_NOBODY;
            soccer_kick_pass(match, player, target,
                             soccer_pass_strength(match, player, target, def->passing_speed),
                             receiver);
            soccer_go(self, SOCCER_TEND, "threw to a team mate");
        } else if (match->tick >= player->deadline) {
            keeper_clear(self);
        }
    } else if (event == PLOY_CODE_EXIT) {
        uint64_t held = match->tick - player->since;
        if (held > match->longest_hold) match->longest_hold = held;
        if (match->holder == player->index) match->holder = SOCCER_NOBODY;
    }
}

static void keeper_intercept(const soccer_self *self, ploy_code_event event) {
    soccer_match *match = self->match;
    soccer_player *player = self->player;
    if (event == PLOY_CODE_ENTER) player->on |= SOCCER_PURSUE;
    if (event == PLOY_CODE_EXIT) player->on &= ~(uint32_t)SOCCER_PURSUE;
    player->target = match->ball.position; // for those who watch: pursuit looks ahead of it
    if (event != PLOY_CODE_UPDATE) return;
    const soccer_team *other = soccer_other_team(match, self->team);
    bool closest = self->team->closest == player->index &&
                   player->ball_distance < match->players[other->closest].ball_distance;
    if (keeper_too_far(self) && !closest) {
        soccer_go(self, SOCCER_RETURN, "somebody else is nearer");
    } else if (match->holder != SOCCER_NOBODY) {
        soccer_go(self, SOCCER_RETURN, "the other keeper has the ball");
    } else {
        (void)keeper_grabs(self);
    }
}

void soccer_keeper_machine(void *owner, ploy_code_fsm *machine, ploy_code_event event,
                           const ploy_message *message) {
    const soccer_self *self = owner;
    if (event == PLOY_CODE_MESSAGE) {
        if (ploy_code_fsm_is(machine, message, "go_home")) {
            self->player->home = self->player->default_home;
            soccer_go(self, SOCCER_RETURN, "sent home");
        } else if (ploy_code_fsm_is(machine, message, "receive_ball")) {
            soccer_go(self, SOCCER_INTERCEPT, "a pass is coming");
        }
        return;
    }
    if (event == PLOY_CODE_ENTER) self->player->since = self->match->tick;
    switch ((soccer_keeper_state)machine->state) {
    case SOCCER_TEND: keeper_tend(self, event); break;
    case SOCCER_RETURN: keeper_return(self, event); break;
    case SOCCER_PUT_BACK: keeper_put_back(self, event); break;
    case SOCCER_INTERCEPT: keeper_intercept(self, event); break;
    case SOCCER_KEEPER_STATES: break;
    }
}
