// A player as a behavior: thinks in the budget of its step, plays at commit.
#include "ploy/board/player.h"

#include "board_internal.h"
#include "ploy/board/why.h"

#include <string.h>

typedef struct player_mind {
    ploy_env env;
    const ploy_board_player_type *type;
    ploy_board_player *player;
    uint64_t key; // hash of the position that it thinks about
    bool thinking, decided;
} player_mind;

static ploy_result player_mind_step(void *self, ploy_step_context *context, ploy_status *status) {
    player_mind *mind = self;
    *status = PLOY_STATUS_RUNNING;
    if (mind->decided) return PLOY_OK; // waits for commit
    const void *position = mind->type->position(mind->type->user, context);
    if (position == NULL) return PLOY_OK;
    ploy_board board = mind->type->board;
    uint64_t key = board.type->hash(board.rules, position);
    if (!mind->thinking || key != mind->key) {
        // Its own memory of the game is not needed: the caller's position is the truth.
        ploy_result result = ploy_board_player_new_game(mind->player, position);
        if (result == PLOY_OK) result = ploy_board_player_begin(mind->player);
        if (result != PLOY_OK) return result;
        mind->thinking = true;
        mind->key = key;
    }
    ploy_result result = ploy_board_player_step(mind->player, context->budget);
    if (result == PLOY_IN_PROGRESS) return PLOY_OK;
    if (result != PLOY_OK) return result;
    mind->thinking = false;
    mind->decided = true;
    ploy_board_player_why(mind->player, board, position, context->agent, context->trace);
    return PLOY_OK;
}

static ploy_result player_mind_commit(void *self, ploy_step_context *context) {
    player_mind *mind = self;
    if (!mind->decided) return PLOY_OK;
    mind->decided = false;
    mind->type->play(mind->type->user, context, ploy_board_player_choice(mind->player).move);
    return PLOY_OK;
}

static void player_mind_exit(void *self, ploy_step_context *context, ploy_exit_reason reason) {
    (void)context, (void)reason;
    player_mind *mind = self;
    ploy_board_player_stop(mind->player);
    mind->thinking = mind->decided = false;
}

static void player_mind_destroy(void *self) {
    player_mind *mind = self;
    ploy_board_player_destroy(mind->player);
    ploy_env env = mind->env;
    ploy_env_free(&env, mind, sizeof *mind);
}

static void player_mind_visit(ploy_visit *v, void *object) {
    player_mind *mind = object;
    ploy_visit_object(v, "player_mind", mind, sizeof *mind);
    PLOY_VISIT_SCRATCH(v, mind->env);
    PLOY_VISIT_SCRATCH(v, mind->type);
    PLOY_VISIT_SCRATCH(v, mind->player);
    if (v->describe != NULL) { // the player's own description has the rest
        ploy_describe_bool(v->describe, "thinking", PLOY_DERIVED, mind->thinking);
        ploy_describe_bool(v->describe, "decided", PLOY_DERIVED, mind->decided);
        ploy_board_player_describe(mind->player, v->describe);
        return;
    }
    ploy_visit_hex64(v, "key", PLOY_SAVED, &mind->key);
    ploy_visit_bool(v, "thinking", PLOY_SAVED, &mind->thinking);
    ploy_visit_bool(v, "decided", PLOY_SAVED, &mind->decided);
    ploy_visit_begin(v, "player", PLOY_SAVED);
    ploy_board_player_visit(v, mind->player);
    ploy_visit_end(v);
}

static const ploy_behavior_type player_behavior_type = {
    .name = "board_player",
    .step = player_mind_step,
    .exit = player_mind_exit,
    .commit = player_mind_commit,
    .destroy = player_mind_destroy,
    .visit = player_mind_visit,
};

static ploy_result player_make(void *user, const ploy_env *env, ploy_behavior *out) {
    const ploy_board_player_type *type = user;
    if (type->position == NULL || type->play == NULL) return PLOY_ERR_ARGUMENT;
    player_mind *mind = ploy_env_alloc_zero(env, sizeof *mind);
    if (mind == NULL) return PLOY_ERR_MEMORY;
    mind->env = *env;
    mind->type = type;
    ploy_result result = ploy_board_player_create(&type->def, type->board, env, &mind->player);
    if (result != PLOY_OK) {
        ploy_env_free(env, mind, sizeof *mind);
        return result;
    }
    out->type = &player_behavior_type;
    out->self = mind;
    return PLOY_OK;
}

ploy_maker ploy_board_player_maker(const ploy_board_player_type *type) {
    ploy_maker maker = ploy_maker_of(player_make, (void *)(uintptr_t)type);
    maker.name = "board_player";
    return maker;
}
