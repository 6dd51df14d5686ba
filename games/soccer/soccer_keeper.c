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

// True if it catches the ball now.
static bool keeper_grabs(const soccer_self *self) {
    const soccer_match *match = self->match;
    soccer_player *player = self->player;
    ploy_vec2 from = ploy_vec2_sub(match->ball.position, player->body.position);
    bool own = match->last_touch == player->index;
    const char *why = NULL;
    if (!match->game_on) {
        why = "the game is not on";
    } else if (match->holder != SOCCER_NOBODY) {
        why = "the other keeper has the ball";
    } else if (!soccer_ball_near(player, match->def.keeper_range)) {
        why = "the ball is out of reach";
    } else if (own && ploy_vec2_dot(from, match->ball.velocity) > 0.0f) {
        why = "it has just kicked the ball away";
    }
    if (why != NULL) {
        soccer_reject(self, SOCCER_PUT_BACK, why);
        return false;
    }
    player->act.kind = SOCCER_ACT_TRAP;
    soccer_go(self, SOCCER_PUT_BACK, "catches the ball");
    return true;
}

static void keeper_tend(const soccer_self *self, ploy_code_event event) {
    const soccer_match *match = self->match;
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
        return;
    }
    soccer_reject(self, SOCCER_INTERCEPT,
                  !near                           ? "the ball is far from the goal"
                  : !match->game_on               ? "the game is not on"
                  : soccer_in_control(self->team) ? "the team has the ball"
                                                  : "the other keeper has the ball");
    if (soccer_in_control(self->team) && keeper_too_far(self)) {
        soccer_go(self, SOCCER_RETURN, "too far from the goal");
        return;
    }
    soccer_reject(self, SOCCER_RETURN,
                  soccer_in_control(self->team) ? "it is near the goal"
                                                : "the team does not have the ball");
    soccer_stay(self, "guards the goal");
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
        soccer_go(self, SOCCER_TEND, home ? "at home" : "the team does not have the ball");
        return;
    }
    soccer_reject(self, SOCCER_TEND, "it is not at home yet");
    soccer_stay(self, "on its way home");
}

static void keeper_kick(const soccer_self *self, soccer_act_kind kind, ploy_vec2 direction,
                        float strength) {
    soccer_act *act = &self->player->act;
    act->kind = (int32_t)kind;
    act->direction = direction;
    act->strength = strength;
}

static void keeper_clear(const soccer_self *self) {
    const soccer_match *match = self->match;
    float draw = soccer_random(soccer_dice_of(match, self->player));
    float turn = (2.0f * draw - 1.0f) * 0.25f * PLOY_PI_F;
    keeper_kick(self, SOCCER_ACT_CLEAR, ploy_vec2_rotate(self->team->home_goal.facing, turn),
                soccer_def_of(match, self->team->index)->passing_speed);
    soccer_go(self, SOCCER_TEND, "clears the ball");
}

static void keeper_put_back(const soccer_self *self, ploy_code_event event) {
    const soccer_match *match = self->match;
    soccer_player *player = self->player;
    const soccer_team_def *def = soccer_def_of(match, player->team);
    if (event == PLOY_CODE_ENTER) {
        player->act.control = true;
        player->deadline = match->tick + (uint64_t)(def->hold_max / match->dt);
        for (int32_t i = 0; i < SOCCER_PLAYERS; i++) { // room for the kick
            if (match->players[i].role == SOCCER_KEEPER) continue;
            soccer_tell(self, i, "go_home", match->ball.position);
        }
    } else if (event == PLOY_CODE_UPDATE) {
        player->body.velocity = ploy_vec2_make(0.0f, 0.0f);
        int32_t receiver = SOCCER_NOBODY;
        ploy_vec2 target;
        if (match->holder != player->index) { // both keepers reached for it
            soccer_go(self, SOCCER_TEND, "the other keeper was faster");
        } else if (soccer_find_pass(self, def->passing_speed, def->keeper_min_pass, &receiver,
                                    &target)) {
            keeper_kick(self, SOCCER_ACT_PASS, ploy_vec2_sub(target, match->ball.position),
                        soccer_pass_strength(match, player, target, def->passing_speed));
            player->act.target = target;
            player->act.receiver = receiver;
            soccer_go(self, SOCCER_TEND, "throws to a team mate");
        } else if (match->tick >= player->deadline) {
            keeper_clear(self);
        } else {
            soccer_reject(self, SOCCER_TEND, "no pass is safe, and there is time left");
            soccer_stay(self, "looks for a pass");
        }
    }
}

static void keeper_intercept(const soccer_self *self, ploy_code_event event) {
    const soccer_match *match = self->match;
    soccer_player *player = self->player;
    if (event == PLOY_CODE_ENTER) player->on |= SOCCER_PURSUE;
    if (event == PLOY_CODE_EXIT) player->on &= ~(uint32_t)SOCCER_PURSUE;
    player->target = match->ball.position; // for viewers: pursuit looks ahead of it
    if (event != PLOY_CODE_UPDATE) return;
    const soccer_team *other = &match->teams[1 - self->team->index];
    bool closest = self->team->closest == player->index &&
                   player->ball_distance < match->players[other->closest].ball_distance;
    if (keeper_too_far(self) && !closest) {
        soccer_go(self, SOCCER_RETURN, "another player is nearer");
    } else if (match->holder != SOCCER_NOBODY) {
        soccer_go(self, SOCCER_RETURN, "the other keeper has the ball");
    } else if (!keeper_grabs(self)) {
        soccer_reject(self, SOCCER_RETURN,
                      closest ? "no player is nearer to the ball" : "it is near the goal");
        soccer_stay(self, "runs for the ball");
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
