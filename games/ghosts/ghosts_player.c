// The player: a person's keys, or a bot that goes for the nearest pip that no ghost reaches before it.
#include "games/ghosts/ghosts.h"

#include <math.h>
#include <string.h>

const ploy_command ghosts_commands[GHOSTS_COMMANDS] = {
    {"right", "go that way", PLOY_VALUE_NONE, false, "ArrowRight"},
    {"up", "go that way", PLOY_VALUE_NONE, false, "ArrowUp"},
    {"left", "go that way", PLOY_VALUE_NONE, false, "ArrowLeft"},
    {"down", "go that way", PLOY_VALUE_NONE, false, "ArrowDown"},
    {"take", "play yourself", PLOY_VALUE_NONE, false, "t"},
    {"release", "let the bot play", PLOY_VALUE_NONE, false, "x"},
};

void ghosts_apply_inputs(ghosts_game *game, const ploy_sim_context *context) {
    for (int32_t i = 0; i < context->input_count; i++) {
        const ploy_input *input = &context->inputs[i];
        if (input->kind != PLOY_INPUT_COMMAND) continue;
        for (int32_t k = 0; k < GHOSTS_COMMANDS; k++) {
            if (strcmp(input->name, ghosts_commands[k].name) != 0) continue;
            if (k < GHOSTS_WAYS)
                game->player.turn = k; // the first four are the directions, in their order
            game->person = strcmp(input->name, "release") != 0;
        }
    }
}

// ---- the bot

enum { BOT_FAR = GHOSTS_CELLS };

// How many steps each tile is from the nearest of some, BOT_FAR if there is no path.
static void bot_flood(const ghosts_game *game, const ghosts_tile *from, int32_t count,
                      int32_t *distance) {
    ghosts_tile queue[GHOSTS_CELLS];
    int32_t head = 0, tail = 0;
    for (int32_t i = 0; i < GHOSTS_CELLS; i++) distance[i] = BOT_FAR;
    for (int32_t i = 0; i < count; i++) {
        if (distance[ghosts_cell(from[i])] == 0) continue;
        distance[ghosts_cell(from[i])] = 0;
        queue[tail++] = from[i];
    }
    while (head < tail) {
        ghosts_tile tile = queue[head++];
        for (int32_t way = 0; way < GHOSTS_WAYS; way++) {
            ghosts_tile next = ghosts_next(tile, way);
            if (!ghosts_open(game, next, false) || distance[ghosts_cell(next)] != BOT_FAR) continue;
            distance[ghosts_cell(next)] = distance[ghosts_cell(tile)] + 1;
            queue[tail++] = next;
        }
    }
}

// Is a tile worth going to?
static bool bot_wants(const ghosts_game *game, ghosts_tile tile) {
    return ghosts_bit(game->pips, tile) || ghosts_bit(game->powers, tile);
}

// Breadth first over tiles that no ghost reaches in time. Returns the first direction to the nearest pip,
// or -1.
static int32_t bot_forage(const ghosts_game *game, ghosts_tile from, const int32_t *danger,
                          int32_t *length) {
    ghosts_tile queue[GHOSTS_CELLS];
    int32_t first[GHOSTS_CELLS], steps[GHOSTS_CELLS];
    bool seen[GHOSTS_CELLS] = {false};
    int32_t head = 0, tail = 0;
    queue[tail++] = from;
    seen[ghosts_cell(from)] = true;
    first[0] = -1;
    steps[0] = 0;
    while (head < tail) {
        int32_t at = head++;
        if (steps[at] > 0 && bot_wants(game, queue[at])) {
            *length = steps[at];
            return first[at];
        }
        for (int32_t way = 0; way < GHOSTS_WAYS; way++) {
            ghosts_tile next = ghosts_next(queue[at], way);
            int32_t cell = ghosts_cell(next);
            if (!ghosts_open(game, next, false) || seen[cell]) continue;
            seen[cell] = true;
            if (danger[cell] <= steps[at] + 1 + game->def.caution) continue;
            queue[tail] = next;
            first[tail] = at == 0 ? way : first[at];
            steps[tail++] = steps[at] + 1;
        }
    }
    return -1;
}

static void bot_trace(const ghosts_game *game, ghosts_tile tile, const int32_t *danger, int32_t way,
                      bool flees, int32_t length, ploy_trace *trace) {
    if (trace == NULL) return;
    ploy_trace_begin(trace, ghosts_id(-1), "way",
                     flees ? "as far from ghosts as one step goes" : "nearest pip that is safe");
    for (int32_t i = 0; i < GHOSTS_WAYS; i++) {
        ghosts_tile next = ghosts_next(tile, i);
        bool open = ghosts_open(game, next, false);
        const char *why = !open      ? "a wall"
                          : flees    ? "scored by the steps of the nearest ghost to it"
                          : i == way ? "leads to the nearest pip that is safe"
                                     : "leads to no safe pip that is nearer";
        ploy_trace_option(trace, ghosts_commands[i].name,
                          i == way ? PLOY_OUTCOME_WON
                          : open   ? PLOY_OUTCOME_LOST
                                   : PLOY_OUTCOME_REJECTED,
                          open && flees ? (double)danger[ghosts_cell(next)] : (double)NAN, why);
    }
    if (!flees) ploy_trace_i64(trace, "steps to it", length);
    ploy_trace_i64(trace, "steps from a ghost", danger[ghosts_cell(tile)]);
    ploy_trace_end(trace);
}

int32_t ghosts_bot_way(const ghosts_game *game, ghosts_tile tile, ploy_budget *budget,
                       ploy_trace *trace) {
    ghosts_tile from[GHOSTS_COUNT];
    int32_t danger[GHOSTS_CELLS];
    int32_t count = 0, length = 0;
    for (int32_t i = 0; i < GHOSTS_COUNT; i++) {
        int32_t state = game->ghosts[i].state;
        if (state == GHOSTS_SCATTER || state == GHOSTS_CHASE) {
            from[count++] = game->ghosts[i].mover.tile;
        }
    }
    if (budget != NULL) (void)ploy_budget_spend(budget, 2 * GHOSTS_CELLS);
    bot_flood(game, from, count, danger);
    int32_t way = bot_forage(game, tile, danger, &length);
    bool flees = way < 0;
    if (flees) { // none: as far from them as one step goes
        int32_t farthest = -1;
        for (int32_t i = 0; i < GHOSTS_WAYS; i++) {
            ghosts_tile next = ghosts_next(tile, i);
            if (!ghosts_open(game, next, false) || danger[ghosts_cell(next)] <= farthest) continue;
            farthest = danger[ghosts_cell(next)];
            way = i;
        }
    }
    bot_trace(game, tile, danger, way, flees, length, trace);
    return way;
}

// ---- moving

// At a tile: turns if that is requested and possible, stops before a wall.
static void player_turn(const ghosts_game *game, ghosts_runner *plan, ploy_budget *budget,
                        ploy_trace *trace) {
    ghosts_mover *mover = &plan->mover;
    if (!game->person) plan->turn = ghosts_bot_way(game, mover->tile, budget, trace);
    if (ghosts_open(game, ghosts_next(mover->tile, plan->turn), false)) mover->way = plan->turn;
    plan->moving = ghosts_open(game, ghosts_next(mover->tile, mover->way), false);
}

void ghosts_plan_player(const ghosts_game *game, ghosts_runner *plan, float dt, ploy_budget *budget,
                        ploy_trace *trace) {
    *plan = game->player;
    ghosts_mover *mover = &plan->mover;
    if (!plan->moving) player_turn(game, plan, budget, trace);
    if (!plan->moving) return;
    if (game->person && plan->turn == ghosts_opposite(mover->way)) { // back at once
        mover->tile = ghosts_next(mover->tile, mover->way);
        mover->way = plan->turn;
        mover->along = 1.0f - mover->along;
    }
    mover->along += game->def.player_speed * dt;
    while (mover->along >= 1.0f && plan->moving) {
        mover->along -= 1.0f;
        mover->tile = ghosts_next(mover->tile, mover->way);
        player_turn(game, plan, budget, trace);
    }
    if (!plan->moving) mover->along = 0.0f;
}
