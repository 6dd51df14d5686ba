// The minds of the maze chase on their engine: four ghosts and the bot.
//
// The engine is parallel: all think about the same maze, each changes its own plan and machine, and
// the commit hooks move all characters in order of ids. What the rules report to a ghost afterwards (a power
// was eaten, it was eaten itself) reaches it when no ghost thinks.
#include "games/ghosts/ghosts.h"

static ploy_result bot_mind_step(void *user, ploy_step_context *context, ploy_status *status) {
    const ghosts_mind *mind = user;
    *status = PLOY_STATUS_RUNNING;
    ghosts_plan_player(context->world, &mind->game->plan, context->dt, context->budget,
                       context->trace);
    return PLOY_OK;
}

static ploy_result bot_mind_commit(void *user, ploy_step_context *context) {
    (void)user;
    ghosts_game *game = context->game;
    ploy_result result = ghosts_predict_turn(game, &game->player, &game->plan);
    game->player = game->plan;
    return result;
}

static ploy_result ghost_mind_step(void *user, ploy_step_context *context, ploy_status *status) {
    const ghosts_mind *mind = user;
    *status = PLOY_STATUS_RUNNING;
    return ghosts_think(context->world, &mind->game->ghosts[mind->who], context->dt,
                        context->budget, context->trace);
}

static ploy_result ghost_mind_commit(void *user, ploy_step_context *context) {
    const ghosts_mind *mind = user;
    ghosts_game *game = context->game;
    ghosts_ghost *ghost = &game->ghosts[mind->who];
    ghost->mover = ghost->plan;
    ghost->state = ghost->machine.state;
    return PLOY_OK;
}

static ploy_result ghost_mind_message(void *user, ploy_step_context *context,
                                      const ploy_message *message, bool *handled) {
    const ghosts_mind *mind = user;
    ghosts_game *game = context->game;
    ghosts_ghost *ghost = &game->ghosts[mind->who];
    ploy_result result = ghosts_hear(game, ghost, message, handled, context->trace);
    ghost->state = ghost->machine.state;
    return result;
}

static const ploy_behavior_type bot_mind_type = {
    .name = "bot", .step = bot_mind_step, .commit = bot_mind_commit};
static const ploy_behavior_type ghost_mind_type = {.name = "ghost",
                                                   .step = ghost_mind_step,
                                                   .commit = ghost_mind_commit,
                                                   .message = ghost_mind_message};

static ploy_engine_frame minds_frame(ghosts_game *game) {
    const ploy_sim_context *context = game->context;
    ploy_engine_frame frame = {context->jobs, context->scratch, context->trace, game, game};
    return frame;
}

ploy_result ghosts_minds_create(ghosts_game *game, ploy_rng_key key, const ploy_env *env) {
    ploy_engine_def def = ploy_engine_def_default();
    def.parallel = true;
    def.capacity = 1 + GHOSTS_COUNT;
    def.outbox_messages = 0;
    def.outbox_actions = 0;
    def.scratch_kib = 1;
    def.grain = 1;
    def.history = 8;
    def.seed = key.bits;
    ploy_result result = ploy_engine_create(&def, env, &game->engine);
    for (int32_t i = 0; i < 1 + GHOSTS_COUNT && result == PLOY_OK; i++) {
        ghosts_mind *mind = &game->minds[i];
        mind->game = game;
        mind->who = i - 1;
        ploy_engine_entry entry = ploy_engine_entry_default();
        entry.behavior.type = i == 0 ? &bot_mind_type : &ghost_mind_type;
        entry.behavior.self = mind;
        entry.agent = ghosts_id(mind->who);
        entry.schedule.priority = i == 0 ? 4 : 1;
        ploy_engine_id id;
        result = ploy_engine_register(game->engine, &entry, &id);
    }
    return result;
}

ploy_result ghosts_minds_step(ghosts_game *game) {
    ploy_engine_frame frame = minds_frame(game);
    ploy_budget budget = ploy_budget_units(GHOSTS_BUDGET);
    ploy_result result = ploy_engine_step(game->engine, game->context->dt, &budget, &frame);
    return result == PLOY_OK ? ploy_engine_failure(game->engine, NULL) : result;
}

ploy_result ghosts_tell(ghosts_game *game, int32_t who, const char *kind) {
    ploy_engine_frame frame = minds_frame(game);
    ploy_message message = ploy_message_make(ghosts_id(-1), ghosts_id(who), ploy_name_of(kind));
    return ploy_engine_send(game->engine, &message, &frame, NULL);
}
