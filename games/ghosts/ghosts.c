// A maze chase: a player who eats pips, and four ghosts after it, each with its own simple rule.
//
// Technique: Millington, "AI for Games", 3rd edition, 2019, section 2.1; see ghosts_mind.c. The maze
// is our own.
//
// Invariants, after every tick:
//   (1) each character is on an open tile with `along` in [0, 1), and on its way to another open one; the
//       player never in the house;
//   (2) a ghost is frightened only while fright_left is above 0;
//   (3) there is a pip left.
#include "games/ghosts/ghosts.h"

#include <string.h>

#include "games/games.h"

static const char *const ghosts_predictors[] = {"none", "raw", "windows"};

static const ploy_field ghosts_field_table[] = {
    PLOY_FIELD_F32(ghosts_def, player_speed, 6, 0.1, 30, "tiles/s", "of the player"),
    PLOY_FIELD_F32(ghosts_def, ghost_speed, 5.6, 0, 30, "tiles/s", "of ghosts in the first level"),
    PLOY_FIELD_F32(ghosts_def, frightened_speed, 3.5, 0, 30, "tiles/s", "of frightened ghosts"),
    PLOY_FIELD_F32(ghosts_def, eyes_speed, 11, 0.1, 30, "tiles/s", "of eyes on their way home"),
    PLOY_FIELD_F32(ghosts_def, faster, 0.03, 0, 1, "", "part by which each level is faster"),
    PLOY_FIELD_F32(ghosts_def, scatter, 7, 0, 1000, "s", "in their corners, the first two times"),
    PLOY_FIELD_F32(ghosts_def, scatter2, 5, 0, 1000, "s", "in their corners, later"),
    PLOY_FIELD_F32(ghosts_def, chase, 20, 0, 1000, "s", "between those; the last has no end"),
    PLOY_FIELD_F32(ghosts_def, frightened, 6, 0, 1000, "s", "how long a power lasts"),
    PLOY_FIELD_I32(ghosts_def, ahead, 4, -20, 20, "tiles",
                   "ahead of the player that pink goes for"),
    PLOY_FIELD_I32(ghosts_def, pivot, 2, -20, 20, "tiles",
                   "ahead of the player; blue goes for red's place mirrored there"),
    PLOY_FIELD_F32(ghosts_def, shy, 8, 0, 100, "tiles", "how near orange dares to come"),
    PLOY_FIELD_F32(ghosts_def, wait, 3, 0, 1000, "s", "between ghosts leaving the house"),
    PLOY_FIELD_I32(ghosts_def, lives, 3, 1, 100, "", "of a game"),
    PLOY_FIELD_I32(ghosts_def, caution, 1, 0, 20, "tiles", "the bot's lead over ghosts"),
    PLOY_FIELD_ENUM(ghosts_def, predictor, GHOSTS_NO_PREDICTOR, ghosts_predictors,
                    "pink follows its prediction of the player's turns"),
};

ploy_fields ghosts_fields(void) {
    return PLOY_FIELDS(ghosts_def, ghosts_field_table);
}

// All characters at their start.
static void ghosts_begin_turn(ghosts_game *game) {
    memset(&game->player, 0, sizeof game->player);
    game->player.mover.tile = ghosts_find(game, 'P');
    game->player.mover.way = GHOSTS_LEFT;
    game->player.turn = GHOSTS_LEFT;
    game->clock = 0.0;
    game->fright_left = 0.0f;
    game->combo = 0;
    game->pause = 1.0f;
    for (int32_t i = 0; i < GHOSTS_COUNT; i++) {
        game->ghosts[i].who = i;
        ghosts_place(game, &game->ghosts[i]);
    }
}

static void ghosts_begin_game(ghosts_game *game) {
    game->level = 1;
    game->lives = game->def.lives;
    game->score = 0;
    ghosts_fill(game);
    ghosts_begin_turn(game);
}

static ploy_result ghosts_create(const void *params, ploy_rng_key key, const ploy_env *env,
                                 void **out) {
    ghosts_game *game = ploy_env_alloc_zero(env, sizeof *game);
    if (game == NULL) return PLOY_ERR_MEMORY;
    memcpy(&game->def, params, sizeof game->def);
    ploy_result result = ghosts_take_maze(game, NULL, 0, env);
    if (result == PLOY_OK) result = ghosts_minds_create(game, key, env);
    if (result == PLOY_OK) result = ghosts_predict_create(game, env);
    if (result != PLOY_OK) return result; // the region goes, and all that is in it
    ghosts_begin_game(game);
    *out = game;
    return PLOY_OK;
}

static void ghosts_score(ghosts_game *game, int32_t points) {
    game->score += points;
    if (game->score > game->best) game->best = game->score;
}

// What lies on the player's tile.
static ploy_result ghosts_eat(ghosts_game *game) {
    ghosts_tile tile = game->player.mover.tile;
    uint32_t bit = 1u << tile.x;
    ploy_result result = PLOY_OK;
    if ((game->pips[tile.y] & bit) != 0) {
        game->pips[tile.y] &= ~bit;
        game->pips_eaten++;
        ghosts_score(game, 10);
    }
    if ((game->powers[tile.y] & bit) != 0) {
        game->powers[tile.y] &= ~bit;
        ghosts_score(game, 50);
        game->combo = 0;
        game->fright_left = game->def.frightened;
        for (int32_t i = 0; i < GHOSTS_COUNT && result == PLOY_OK && game->fright_left > 0.0f;
             i++) {
            result = ghosts_tell(game, i, "power");
        }
    }
    if (ghosts_pips_left(game) == 0) {
        game->level++;
        ghosts_fill(game);
        ghosts_begin_turn(game);
    }
    return result;
}

static void ghosts_lose_turn(ghosts_game *game) {
    game->turns_ended++;
    game->lives--;
    if (game->lives > 0) {
        ghosts_begin_turn(game);
    } else {
        game->games++;
        ghosts_begin_game(game);
    }
}

// Another maze under the game that goes on. Pips lie where they lay, and on tiles that are new; a character that
// would be in a wall begins again.
static ploy_result ghosts_change_maze(ghosts_game *game, const ploy_input *input,
                                      const ploy_env *env) {
    char old[GHOSTS_HEIGHT][GHOSTS_WIDTH];
    uint32_t pips[GHOSTS_HEIGHT], powers[GHOSTS_HEIGHT];
    memcpy(old, game->maze, sizeof old);
    memcpy(pips, game->pips, sizeof pips);
    memcpy(powers, game->powers, sizeof powers);
    ploy_result result = ghosts_take_maze(game, input->bytes, input->size, env);
    if (result != PLOY_OK) return result;
    ghosts_fill(game);
    for (int32_t y = 0; y < GHOSTS_HEIGHT; y++) {
        for (int32_t x = 0; x < GHOSTS_WIDTH; x++) {
            int32_t row = GHOSTS_HEIGHT - 1 - y;
            if (old[row][x] != game->maze[row][x]) continue;
            game->pips[y] &= pips[y] | ~(1u << x);
            game->powers[y] &= powers[y] | ~(1u << x);
        }
    }
    if (ghosts_pips_left(game) == 0) ghosts_fill(game); // keeps (3)
    for (int32_t i = 0; i < GHOSTS_COUNT; i++) {
        if (!ghosts_stands(game, &game->ghosts[i])) ghosts_place(game, &game->ghosts[i]);
    }
    ghosts_mover *player = &game->player.mover;
    if (!ghosts_open(game, player->tile, false) ||
        (game->player.moving &&
         !ghosts_open(game, ghosts_next(player->tile, player->way), false))) {
        player->tile = ghosts_find(game, 'P');
        player->along = 0.0f;
        game->player.moving = false;
    }
    return PLOY_OK;
}

// Who meets the player eats or is eaten.
static ploy_result ghosts_meet(ghosts_game *game) {
    const float reach = 0.6f; // tiles
    ploy_vec2 at = ghosts_position(&game->player.mover);
    for (int32_t i = 0; i < GHOSTS_COUNT; i++) {
        ghosts_ghost *ghost = &game->ghosts[i];
        int32_t state = ghost->machine.state;
        if (ploy_vec2_distance_sq(at, ghosts_position(&ghost->mover)) >= reach * reach) continue;
        if (state == GHOSTS_FRIGHTENED) {
            game->eaten++;
            ghosts_score(game, 200 << game->combo); // at most four: eaten ones are not frightened
            if (game->combo < GHOSTS_COUNT - 1) game->combo++;
            ploy_result result = ghosts_tell(game, i, "eaten");
            if (result != PLOY_OK) return result;
        } else if (state == GHOSTS_SCATTER || state == GHOSTS_CHASE || state == GHOSTS_LEAVE) {
            ghosts_lose_turn(game);
            return PLOY_OK;
        }
    }
    return PLOY_OK;
}

static ploy_result ghosts_play(ghosts_game *game, float dt) {
    if (game->fright_left > 0.0f) {
        game->fright_left -= dt;
        if (game->fright_left < 0.0f) game->fright_left = 0.0f;
    } else {
        game->clock += (double)dt; // fright stops the clock of the waves
    }
    ploy_result result = ghosts_minds_step(game);
    if (result == PLOY_OK) result = ghosts_eat(game);
    return result == PLOY_OK ? ghosts_meet(game) : result;
}

static ploy_result ghosts_step(void *state, const ploy_sim_context *context) {
    ghosts_game *game = state;
    memcpy(&game->def, context->params, sizeof game->def);
    game->context = context;
    game->tick = context->tick;
    ghosts_apply_inputs(game, context);
    ploy_result result = PLOY_OK;
    for (int32_t i = 0; i < context->input_count && result == PLOY_OK; i++) {
        if (context->inputs[i].kind != PLOY_INPUT_RELOAD) continue;
        result = ghosts_change_maze(game, &context->inputs[i], context->env);
    }
    if (result != PLOY_OK) return result;
    if (game->pause > 0.0f) {
        game->pause -= context->dt;
    } else {
        result = ghosts_play(game, context->dt);
    }
    game->context = NULL;
    return result;
}

static bool ghosts_load(const void *state, ploy_workload *out) {
    const ghosts_game *game = state;
    return ploy_engine_workload(game->engine, 0, out) == PLOY_OK;
}

extern const ploy_sim_type ploy_game_ghosts; // in games.c
const ploy_sim_type ploy_game_ghosts = {
    .name = "ghosts",
    .title = "Maze ghosts",
    .help = "Four ghosts chase the eater of the pips, each in its own manner. Arrow keys take the "
            "player over, x gives it back to the bot.",
    .version = 3,
    .capabilities = PLOY_SIM_INTERACTIVE | PLOY_SIM_RELOADS | PLOY_SIM_PARALLEL,
    .dt = 1.0f / 60.0f,
    .view = {-1.5f, -1.5f, 25.5f, 20.5f},
    .fields = ghosts_fields,
    .commands = ghosts_commands,
    .command_count = GHOSTS_COMMANDS,
    .create = ghosts_create,
    .destroy = NULL, // the region goes with the simulation
    .step = ghosts_step,
    .draw = ghosts_draw,
    .describe = ghosts_describe,
    .load = ghosts_load,
    .definitions = ghosts_definitions,
    .definition_count = 1,
    .write = ghosts_write_maze,
    .check = ghosts_check_maze,
};
