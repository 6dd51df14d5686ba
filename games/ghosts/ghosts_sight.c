// What one sees of the maze chase: the maze, who is in it, what each ghost goes for, every value.
#include "games/ghosts/ghosts.h"

#include <stdio.h>

// ---- draw

static const ploy_style sight_styles[GHOSTS_COUNT] = {PLOY_STYLE_BAD, PLOY_STYLE_AGENT_D,
                                                      PLOY_STYLE_AGENT_A, PLOY_STYLE_WARNING};

static ploy_vec2 sight_at(ghosts_tile tile) {
    return ploy_vec2_make((float)tile.x, (float)tile.y);
}

// Walls as long as they go in a row: a few hundred shapes fewer.
static void sight_draw_maze(const ghosts_game *game, ploy_draw *out) {
    ploy_agent_id nobody = ploy_agent_id_none();
    ghosts_tile tile;
    for (tile.y = 0; tile.y < GHOSTS_HEIGHT; tile.y++) {
        int32_t from = -1;
        for (tile.x = 0; tile.x <= GHOSTS_WIDTH; tile.x++) {
            bool wall = tile.x < GHOSTS_WIDTH && ghosts_letter(game, tile) == '#';
            if (wall && from < 0) from = tile.x;
            if (wall || from < 0) continue;
            float left = (float)from - 0.5f, right = (float)tile.x - 0.5f, y = (float)tile.y;
            ploy_vec2 box[4] = {
                {left, y - 0.5f}, {right, y - 0.5f}, {right, y + 0.5f}, {left, y + 0.5f}};
            ploy_draw_polygon(out, PLOY_LAYER_WORLD, PLOY_STYLE_WALL, nobody, box, 4, 0.25f);
            from = -1;
        }
        for (tile.x = 0; tile.x < GHOSTS_WIDTH; tile.x++) {
            ploy_vec2 at = sight_at(tile);
            if (ghosts_bit(game->pips, tile)) {
                ploy_draw_disc(out, PLOY_LAYER_WORLD, PLOY_STYLE_PLAIN, nobody, at, 0.1f, 1.0f);
            }
            if (ghosts_bit(game->powers, tile)) {
                ploy_draw_disc(out, PLOY_LAYER_WORLD, PLOY_STYLE_TARGET, nobody, at, 0.3f, 1.0f);
            }
            if (ghosts_letter(game, tile) == '-') {
                ploy_draw_line(out, PLOY_LAYER_WORLD, PLOY_STYLE_WARNING, nobody,
                               ploy_vec2_make(at.x - 0.5f, at.y),
                               ploy_vec2_make(at.x + 0.5f, at.y));
            }
        }
    }
}

static float sight_angle(int32_t way) {
    static const float angles[GHOSTS_WAYS] = {0.0f, 1.5707964f, -3.1415927f, -1.5707964f};
    return angles[way];
}

static void sight_draw_ghost(const ghosts_game *game, const ghosts_ghost *ghost, ploy_draw *out) {
    ploy_agent_id id = ghosts_id(ghost->who);
    ploy_vec2 at = ghosts_position(&ghost->mover);
    int32_t state = ghost->machine.state;
    ploy_style style = sight_styles[ghost->who];
    // The last two seconds of a fright show: blinking, by ticks.
    bool pale =
        state == GHOSTS_FRIGHTENED && (game->fright_left > 2.0f || (game->tick / 12) % 2 == 0);
    if (state != GHOSTS_FRIGHTENED && state != GHOSTS_HOUSE) {
        ploy_vec2 target = sight_at(ghost->target);
        ploy_draw_line(out, PLOY_LAYER_PATHS, style, id, at, target);
        ploy_draw_circle(out, PLOY_LAYER_PATHS, style, id, target, 0.35f);
    }
    if (state == GHOSTS_EYES) {
        for (int32_t i = 0; i < 2; i++) {
            ploy_vec2 eye = ploy_vec2_make(at.x + (i == 0 ? -0.15f : 0.15f), at.y + 0.1f);
            ploy_draw_disc(out, PLOY_LAYER_AGENTS, style, id, eye, 0.12f, 1.0f);
        }
    } else {
        ploy_draw_agent(out, pale ? PLOY_STYLE_GHOST : style, id, at, sight_angle(ghost->mover.way),
                        0.42f);
    }
    if (state == GHOSTS_HOUSE) return; // they are too close for labels
    char text[32];
    snprintf(text, sizeof text, "%s %s", ghosts_name(ghost->who), ghosts_state_name(state));
    ploy_draw_text(out, id, ploy_vec2_make(at.x - 0.5f, at.y + 0.6f), text);
}

void ghosts_draw(const void *state, ploy_draw *out) {
    const ghosts_game *game = state;
    ploy_draw_key(out, PLOY_STYLE_BAD, "red ghost");
    ploy_draw_key(out, PLOY_STYLE_AGENT_D, "pink ghost");
    ploy_draw_key(out, PLOY_STYLE_AGENT_A, "blue ghost");
    ploy_draw_key(out, PLOY_STYLE_WARNING, "orange ghost, gate of the house");
    ploy_draw_key(out, PLOY_STYLE_AGENT_C, "player");
    ploy_draw_key(out, PLOY_STYLE_GHOST, "frightened ghost, eyes");
    ploy_draw_key(out, PLOY_STYLE_PLAIN, "pips");
    ploy_draw_key(out, PLOY_STYLE_TARGET, "powers");
    ploy_draw_key(out, PLOY_STYLE_GOOD, "a power works");
    sight_draw_maze(game, out);
    ploy_agent_id player = ghosts_id(-1);
    ploy_vec2 at = ghosts_position(&game->player.mover);
    ploy_draw_agent(out, PLOY_STYLE_AGENT_C, player, at, sight_angle(game->player.mover.way),
                    0.45f);
    if (game->person) {
        ploy_draw_circle(out, PLOY_LAYER_AGENTS, PLOY_STYLE_GOOD, player, at, 0.7f);
    }
    for (int32_t i = 0; i < GHOSTS_COUNT; i++) sight_draw_ghost(game, &game->ghosts[i], out);
    char text[96];
    snprintf(text, sizeof text, "score %d  best %d  level %d  lives %d  %s", (int)game->score,
             (int)game->best, (int)game->level, (int)game->lives,
             game->fright_left > 0.0f
                 ? "power!"
                 : ghosts_state_name((int32_t)ghosts_wave(&game->def, game->clock)));
    ploy_draw_text(out, player, ploy_vec2_make(0.0f, 19.2f), text);
    if (game->def.predictor != GHOSTS_NO_PREDICTOR && game->turns > 0) {
        snprintf(text, sizeof text, "pink predicted %d of %d turns",
                 (int)game->hits[(int32_t)game->def.predictor - 1], (int)game->turns);
        ploy_draw_text(out, ghosts_id(GHOSTS_PINK), ploy_vec2_make(14.0f, 19.2f), text);
    }
}

// ---- describe

static void sight_describe_mover(const ghosts_mover *mover, ploy_describe *out) {
    ploy_describe_i64(out, "x", PLOY_STATE, mover->tile.x);
    ploy_describe_i64(out, "y", PLOY_STATE, mover->tile.y);
    ploy_describe_i64(out, "way", PLOY_STATE, mover->way);
    ploy_describe_f32(out, "along", PLOY_STATE, mover->along);
}

static void sight_describe_ghost(const ghosts_ghost *ghost, ploy_describe *out) {
    ploy_describe_begin_agent(out, ghosts_name(ghost->who), ghosts_id(ghost->who));
    ploy_describe_text(out, "doing", PLOY_DERIVED, ghosts_state_name(ghost->machine.state));
    sight_describe_mover(&ghost->mover, out);
    ploy_describe_i64(out, "target x", PLOY_STATE, ghost->target.x);
    ploy_describe_i64(out, "target y", PLOY_STATE, ghost->target.y);
    ploy_describe_f32(out, "waits", PLOY_STATE, ghost->waits);
    ploy_describe_begin(out, "machine");
    ploy_code_fsm_describe(&ghost->machine, out);
    ploy_describe_end(out);
    ploy_describe_end(out);
}

void ghosts_describe(const void *state, ploy_describe *out) {
    const ghosts_game *game = state;
    const struct {
        const char *name;
        int32_t value;
    } sums[] = {{"score", game->score},        {"best", game->best},
                {"level", game->level},        {"lives", game->lives},
                {"games", game->games},        {"lives_lost", game->turns_ended},
                {"ghosts_eaten", game->eaten}, {"pips_eaten", game->pips_eaten}};
    ploy_describe_begin(out, "summary");
    for (size_t i = 0; i < sizeof sums / sizeof sums[0]; i++) {
        ploy_describe_i64(out, sums[i].name, PLOY_STATE, sums[i].value);
    }
    ploy_describe_end(out);
    ploy_describe_text(out, "wave", PLOY_DERIVED,
                       ghosts_state_name((int32_t)ghosts_wave(&game->def, game->clock)));
    ploy_describe_f64(out, "clock of the waves", PLOY_STATE, game->clock);
    ploy_describe_f32(out, "power left", PLOY_STATE, game->fright_left);
    ploy_describe_f32(out, "pause", PLOY_STATE, game->pause);
    ploy_describe_i64(out, "eaten with this power", PLOY_STATE, game->combo);
    ploy_describe_i64(out, "pips left", PLOY_DERIVED, ghosts_pips_left(game));
    ploy_describe_begin_agent(out, "player", ghosts_id(-1));
    sight_describe_mover(&game->player.mover, out);
    ploy_describe_i64(out, "wish", PLOY_STATE, game->player.turn);
    ploy_describe_bool(out, "moving", PLOY_STATE, game->player.moving);
    ploy_describe_bool(out, "person", PLOY_STATE, game->person);
    ploy_describe_end(out);
    for (int32_t i = 0; i < GHOSTS_COUNT; i++) sight_describe_ghost(&game->ghosts[i], out);
    ploy_describe_begin(out, "maze"); // a number for each row, a bit for each tile
    for (int32_t y = 0; y < GHOSTS_HEIGHT; y++) {
        char name[16];
        snprintf(name, sizeof name, "pips %d", (int)y);
        ploy_describe_u64(out, name, PLOY_STATE, game->pips[y]);
        if (game->powers[y] == 0) continue;
        snprintf(name, sizeof name, "powers %d", (int)y);
        ploy_describe_u64(out, name, PLOY_STATE, game->powers[y]);
    }
    ploy_describe_end(out);
    ghosts_predict_describe(game, out);
    ploy_describe_begin(out, "engine");
    ploy_engine_describe(game->engine, out);
    ploy_describe_end(out);
    ploy_definition_text_describe(&game->text, "definition", NULL, out);
}
