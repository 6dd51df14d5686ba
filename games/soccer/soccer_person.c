// A person in the game: commands that take a player over, and what such a player does.
//
// Arrow keys run as long as they are held, two of them at an angle; `up` and its like are for tools
// that have no keys to hold: they hold until the next command.
#include "games/soccer/soccer.h"

#include <string.h>

#include "ploy/base/math.h"
#include "ploy/geom/angle.h"

const ploy_command soccer_commands[SOCCER_COMMANDS] = {
    {"take", "play the selected player, or the red one nearest to the ball", PLOY_VALUE_NONE, false,
     "t"},
    {"release", "give the player back", PLOY_VALUE_NONE, false, "x"},
    {"up", "run that way", PLOY_VALUE_NONE, false, NULL},
    {"down", "run that way", PLOY_VALUE_NONE, false, NULL},
    {"left", "run that way", PLOY_VALUE_NONE, false, NULL},
    {"right", "run that way", PLOY_VALUE_NONE, false, NULL},
    {"stand", "stop running", PLOY_VALUE_NONE, false, "s"},
    {"shoot", "kick the ball ahead as hard as you can", PLOY_VALUE_NONE, false, "k"},
    {"pass", "pass to whom you can", PLOY_VALUE_NONE, false, "p"},
    {"go", "run there", PLOY_VALUE_VEC2, false, "Pointer"},
    {"run", "run, as long as arrow keys are held; two of them at an angle", PLOY_VALUE_VEC2, false,
     "Arrows"},
};

// The field player that an input names; NULL if it names none.
static soccer_player *person_named(soccer_match *match, const ploy_input *input) {
    uint32_t index = input->agent.id.index;
    if (index < 1 || index > SOCCER_PLAYERS || input->agent.id.generation != 1) return NULL;
    soccer_player *player = &match->players[index - 1];
    return player->role == SOCCER_KEEPER ? NULL : player;
}

// Whom a command is for: the one it names if a person plays it, else the first that a person plays.
static soccer_player *person_addressed(soccer_match *match, const ploy_input *input) {
    soccer_player *named = person_named(match, input);
    if (named != NULL && named->taken) return named;
    for (int32_t i = 0; i < SOCCER_PLAYERS; i++) {
        if (match->players[i].taken) return &match->players[i];
    }
    return NULL;
}

static void person_release(soccer_player *player) {
    player->taken = false;
    player->order = ploy_vec2_make(0.0f, 0.0f);
    player->order_at = ploy_vec2_make(0.0f, 0.0f);
    player->order_kind = SOCCER_ORDER_STAND;
    player->order_kick = SOCCER_ORDER_NO_KICK;
}

static soccer_player *person_nearest(soccer_match *match) {
    soccer_player *nearest = &match->players[1]; // behind the keeper
    for (int32_t i = 2; i < SOCCER_TEAM_SIZE; i++) {
        soccer_player *player = &match->players[i];
        if (player->ball_distance < nearest->ball_distance) nearest = player;
    }
    return nearest;
}

// A person who takes another player lets the first go.
static void person_take(soccer_match *match, const ploy_input *input) {
    soccer_player *named = person_named(match, input);
    soccer_player *player = named != NULL ? named : person_nearest(match);
    soccer_player *old = person_addressed(match, input);
    if (old != NULL && old != player) person_release(old);
    player->taken = true;
}

void soccer_apply_inputs(soccer_match *match, const ploy_sim_context *context) {
    static const struct {
        const char *name;
        float x, y;
    } ways[] = {{"up", 0, 1}, {"down", 0, -1}, {"left", -1, 0}, {"right", 1, 0}};
    for (int32_t i = 0; i < context->input_count; i++) {
        const ploy_input *input = &context->inputs[i];
        if (input->kind != PLOY_INPUT_COMMAND) continue;
        if (strcmp(input->name, "take") == 0) {
            person_take(match, input);
            continue;
        }
        soccer_player *player = person_addressed(match, input);
        if (player == NULL) continue;
        for (size_t k = 0; k < sizeof ways / sizeof ways[0]; k++) {
            if (strcmp(input->name, ways[k].name) != 0) continue;
            player->order = ploy_vec2_make(ways[k].x, ways[k].y);
            player->order_kind = SOCCER_ORDER_RUN;
        }
        if (strcmp(input->name, "run") == 0) {
            ploy_vec2 way = ploy_vec2_make(input->value.as.vec[0], input->value.as.vec[1]);
            bool still = ploy_vec2_length_sq(way) < 1e-6f;
            player->order = still ? player->order : ploy_vec2_normalise(way);
            player->order_kind = still ? SOCCER_ORDER_STAND : SOCCER_ORDER_RUN;
        } else if (strcmp(input->name, "release") == 0) {
            person_release(player);
        } else if (strcmp(input->name, "stand") == 0) {
            player->order_kind = SOCCER_ORDER_STAND;
        } else if (strcmp(input->name, "shoot") == 0 || strcmp(input->name, "pass") == 0) {
            player->order_kick = input->name[0] == 's' ? SOCCER_ORDER_SHOT : SOCCER_ORDER_PASS;
            player->deadline = match->tick + (uint64_t)(1.0f / match->dt);
        } else if (strcmp(input->name, "go") == 0) {
            player->order_at = ploy_vec2_make(
                ploy_clampf(input->value.as.vec[0], -SOCCER_HALF_LENGTH, SOCCER_HALF_LENGTH),
                ploy_clampf(input->value.as.vec[1], -SOCCER_HALF_WIDTH, SOCCER_HALF_WIDTH));
            player->order_kind = SOCCER_ORDER_GO;
        }
    }
}

static void person_kick(const soccer_self *self) {
    const soccer_match *match = self->match;
    soccer_player *player = self->player;
    const soccer_team_def *def = soccer_def_of(match, player->team);
    double now = (double)match->tick * (double)match->dt;
    bool idle =
        player->order_kick == SOCCER_ORDER_NO_KICK && player->order_kind == SOCCER_ORDER_STAND;
    if (idle || !ploy_regulator_ready(&player->kick_limit, now)) return;
    soccer_act *act = &player->act;
    int32_t receiver = SOCCER_NOBODY;
    ploy_vec2 target;
    act->control = true;
    act->support = true;
    act->direction = ploy_angle_heading(player->body.orientation);
    if (player->order_kick == SOCCER_ORDER_SHOT) {
        act->kind = SOCCER_ACT_SHOT;
        act->strength = def->shooting_speed;
    } else if (player->order_kick == SOCCER_ORDER_NO_KICK) {
        act->kind = SOCCER_ACT_DRIBBLE;
        act->strength = def->dribble_speed;
    } else if (soccer_find_pass(self, def->passing_speed, def->keeper_min_pass, &receiver,
                                &target)) {
        act->kind = SOCCER_ACT_PASS;
        act->direction = ploy_vec2_sub(target, match->ball.position);
        act->strength = soccer_pass_strength(match, player, target, def->passing_speed);
        act->target = target;
        act->receiver = receiver;
    } else {
        act->kind = SOCCER_ACT_CLEAR;
        act->strength = def->passing_speed;
    }
    player->order_kick = SOCCER_ORDER_NO_KICK;
}

void soccer_person_step(const soccer_self *self) {
    const soccer_match *match = self->match;
    soccer_player *player = self->player;
    player->on &= ~(uint32_t)(SOCCER_SEEK | SOCCER_ARRIVE);
    player->target = player->body.position;
    if (match->tick > player->deadline) player->order_kick = SOCCER_ORDER_NO_KICK;
    if (player->order_kind == SOCCER_ORDER_RUN) {
        player->on |= SOCCER_SEEK;
        player->target = ploy_vec2_add(player->body.position, ploy_vec2_scale(player->order, 5.0f));
    } else if (player->order_kind == SOCCER_ORDER_GO) {
        player->on |= SOCCER_ARRIVE;
        player->target = player->order_at;
        if (soccer_at_target(match, player)) player->order_kind = SOCCER_ORDER_STAND;
    } else {
        soccer_track_ball(match, player);
    }
    if (match->holder == SOCCER_NOBODY && soccer_ball_near(player, match->def.kicking_distance)) {
        person_kick(self);
    }
}
