// What ghosts think: a state machine of scatter, chase and frightened, a target for each of the four,
// and a greedy choice at junctions; nothing is planned, except the way home.
//
// Technique: the ghosts of the arcade game as Millington, "AI for Games", 3rd edition, 2019, section
// 2.1 tells of them. The four targets look like team work and know nothing of each other, but for
// blue, who knows where red is.
#include "games/ghosts/ghosts.h"

#include <string.h>

const char *ghosts_name(int32_t who) {
    static const char *const names[GHOSTS_COUNT] = {"red", "pink", "blue", "orange"};
    return who >= 0 && who < GHOSTS_COUNT ? names[who] : "player";
}

const char *ghosts_state_name(int32_t state) {
    static const char *const names[GHOSTS_STATES] = {"scatter", "chase", "frightened",
                                                     "eyes",    "house", "leave"};
    return names[state];
}

// ---- what to go for

ghosts_state ghosts_wave(const ghosts_def *def, double clock) {
    for (int32_t i = 0; i < 4; i++) {
        clock -= (double)(i < 2 ? def->scatter : def->scatter2);
        if (clock < 0.0) return GHOSTS_SCATTER;
        clock -= (double)def->chase;
        if (clock < 0.0) return GHOSTS_CHASE;
    }
    return GHOSTS_CHASE; // the last chase does not end
}

ghosts_tile ghosts_corner(int32_t who) {
    static const ghosts_tile corners[GHOSTS_COUNT] = {{GHOSTS_WIDTH - 2, GHOSTS_HEIGHT - 1},
                                                      {1, GHOSTS_HEIGHT - 1},
                                                      {GHOSTS_WIDTH - 2, 0},
                                                      {1, 0}};
    return corners[who];
}

static ghosts_tile mind_ahead(ghosts_tile tile, int32_t way, int32_t tiles) {
    ploy_vec2 step = ghosts_way_vector(way);
    ghosts_tile ahead = {tile.x + tiles * (int32_t)step.x, tile.y + tiles * (int32_t)step.y};
    return ahead;
}

ghosts_tile ghosts_chase_target(const ghosts_def *def, ghosts_who who, ghosts_tile player,
                                int32_t way, ghosts_tile red, ghosts_tile own) {
    ghosts_tile pivot = mind_ahead(player, way, def->pivot);
    ghosts_tile mirrored = {2 * pivot.x - red.x, 2 * pivot.y - red.y};
    float dx = (float)(player.x - own.x), dy = (float)(player.y - own.y);
    switch (who) {
    case GHOSTS_PINK: return mind_ahead(player, way, def->ahead); // it may be in a wall
    case GHOSTS_BLUE: return mirrored;
    case GHOSTS_ORANGE:
        return dx * dx + dy * dy < def->shy * def->shy ? ghosts_corner(GHOSTS_ORANGE) : player;
    case GHOSTS_RED:
    default: return player;
    }
}

// ---- where to turn

// Ties go to the first of these.
static const int32_t mind_order[GHOSTS_WAYS] = {GHOSTS_UP, GHOSTS_LEFT, GHOSTS_DOWN, GHOSTS_RIGHT};

// The exits of a tile in that order, the way back only if there is no other. Returns how many.
static int32_t mind_exits(const ghosts_game *game, ghosts_tile tile, int32_t way, int32_t *exits) {
    int32_t count = 0, back = ghosts_opposite(way);
    for (int32_t i = 0; i < GHOSTS_WAYS; i++) {
        int32_t to = mind_order[i];
        if (to != back && ghosts_open(game, ghosts_next(tile, to), false)) exits[count++] = to;
    }
    if (count == 0) exits[count++] = back;
    return count;
}

// How much a way points toward a target.
static float mind_toward(ghosts_tile tile, int32_t way, ghosts_tile target) {
    ploy_vec2 to = ploy_vec2_make((float)(target.x - tile.x), (float)(target.y - tile.y));
    return ploy_vec2_dot(ghosts_way_vector(way), ploy_vec2_normalise(to));
}

int32_t ghosts_greedy(const ghosts_game *game, ghosts_tile tile, int32_t way, ghosts_tile target) {
    int32_t exits[GHOSTS_WAYS];
    int32_t count = mind_exits(game, tile, way, exits), best = exits[0];
    for (int32_t i = 1; i < count; i++) {
        if (mind_toward(tile, exits[i], target) > mind_toward(tile, best, target)) best = exits[i];
    }
    return best;
}

// The next tile on a shortest way: every tile knows how far it is.
static int32_t mind_downhill(const ghosts_game *game, const ploy_grid_search *ways,
                             ghosts_tile tile, int32_t way) {
    int32_t best = way;
    int64_t least = INT64_MAX;
    for (int32_t i = 0; i < GHOSTS_WAYS; i++) {
        ploy_grid_cost cost;
        ghosts_tile next = ghosts_next(tile, mind_order[i]);
        if (!ghosts_open(game, next, true) ||
            !ploy_grid_search_cost(ways, ghosts_cell(next), &cost)) {
            continue;
        }
        if (cost.straight >= least) continue;
        least = cost.straight;
        best = mind_order[i];
    }
    return best;
}

static void mind_trace(const ghosts_game *game, const ghosts_ghost *ghost, const int32_t *exits,
                       int32_t count) {
    static const char *const names[GHOSTS_WAYS] = {"right", "up", "left", "down"};
    ploy_trace *trace = game->context->trace;
    if (trace == NULL || count < 2) return; // without a choice there is nothing to tell
    ploy_trace_begin(trace, ghosts_id(ghost->who), "junction",
                     ghosts_state_name(ghost->machine.state));
    for (int32_t i = 0; i < count; i++) {
        ploy_trace_option(trace, names[exits[i]],
                          exits[i] == ghost->mover.way ? PLOY_OUTCOME_WON : PLOY_OUTCOME_LOST,
                          (double)mind_toward(ghost->mover.tile, exits[i], ghost->target),
                          "how much it points toward the target");
    }
    ploy_trace_vec2(trace, "target", (float)ghost->target.x, (float)ghost->target.y);
    ploy_trace_end(trace);
}

static void mind_aim(const ghosts_game *game, ghosts_ghost *ghost) {
    if (ghost->machine.state == GHOSTS_SCATTER) {
        ghost->target = ghosts_corner(ghost->who);
    } else if (ghost->machine.state == GHOSTS_CHASE) {
        ghost->target = ghosts_chase_target(&game->def, (ghosts_who)ghost->who, game->player.tile,
                                            game->player.way, game->ghosts[GHOSTS_RED].mover.tile,
                                            ghost->mover.tile);
    }
}

static void mind_choose(const ghosts_game *game, ghosts_ghost *ghost) {
    ghosts_mover *mover = &ghost->mover;
    int32_t exits[GHOSTS_WAYS];
    int32_t state = ghost->machine.state;
    if (state == GHOSTS_EYES || state == GHOSTS_LEAVE) {
        mover->way = mind_downhill(game, state == GHOSTS_EYES ? game->home : game->out, mover->tile,
                                   mover->way);
        return;
    }
    int32_t count = mind_exits(game, mover->tile, mover->way, exits);
    mind_aim(game, ghost);
    if (state == GHOSTS_FRIGHTENED) {
        mover->way = exits[ploy_rng_int_at(game->context->key, (uint32_t)ghost->who + 2, game->tick,
                                           0, 0, count - 1)];
    } else {
        mover->way = ghosts_greedy(game, mover->tile, mover->way, ghost->target);
    }
    mind_trace(game, ghost, exits, count);
}

// ---- the machine

typedef struct mind_self {
    ghosts_game *game;
    ghosts_ghost *ghost;
} mind_self;

static bool mind_at(const ghosts_ghost *ghost, ghosts_tile tile) {
    return ghost->mover.tile.x == tile.x && ghost->mover.tile.y == tile.y;
}

static ghosts_tile mind_house(const ghosts_game *game) {
    ghosts_tile house = ghosts_find(game, 'H');
    house.x++;
    return house;
}

// Scatter or chase, by the clock; without a change nothing is left and entered.
static void mind_follow_wave(const mind_self *self, ploy_code_fsm *machine) {
    int32_t wave = (int32_t)ghosts_wave(&self->game->def, self->game->clock);
    if (machine->state != wave) ploy_code_fsm_set(machine, wave);
}

// clang-format off
PLOY_CODE_FSM(mind_states, mind_self) {
    PLOY_CODE_STATE(GHOSTS_SCATTER)
        PLOY_ON_UPDATE { mind_follow_wave(owner, machine); }
        PLOY_ON_MESSAGE("power") { PLOY_SET_STATE(GHOSTS_FRIGHTENED); }
    PLOY_CODE_STATE(GHOSTS_CHASE)
        PLOY_ON_UPDATE { mind_follow_wave(owner, machine); }
        PLOY_ON_MESSAGE("power") { PLOY_SET_STATE(GHOSTS_FRIGHTENED); }
    PLOY_CODE_STATE(GHOSTS_FRIGHTENED)
        PLOY_ON_UPDATE { if (owner->game->fright_left <= 0.0f) mind_follow_wave(owner, machine); }
        PLOY_ON_MESSAGE("eaten") { PLOY_SET_STATE(GHOSTS_EYES); }
    PLOY_CODE_STATE(GHOSTS_EYES)
        PLOY_ON_ENTER { owner->ghost->target = mind_house(owner->game); }
        PLOY_ON_UPDATE { if (mind_at(owner->ghost, mind_house(owner->game))) PLOY_SET_STATE(GHOSTS_HOUSE); }
    PLOY_CODE_STATE(GHOSTS_HOUSE)
        PLOY_ON_UPDATE {
            owner->ghost->waits -= owner->game->context->dt;
            if (owner->ghost->waits <= 0.0f) PLOY_SET_STATE(GHOSTS_LEAVE);
        }
        PLOY_ON_EXIT { owner->ghost->waits = owner->game->def.wait; } // of the next visit
    PLOY_CODE_STATE(GHOSTS_LEAVE)
        PLOY_ON_ENTER {
            owner->ghost->target = ghosts_find(owner->game, 'X');
            owner->ghost->mover.along = 0.0f;
            mind_choose(owner->game, owner->ghost);
        }
        PLOY_ON_UPDATE { if (mind_at(owner->ghost, ghosts_find(owner->game, 'X'))) mind_follow_wave(owner, machine); }
}
PLOY_CODE_FSM_END
// clang-format on

ploy_result ghosts_think(ghosts_game *game, ghosts_ghost *ghost) {
    mind_self self = {game, ghost};
    int32_t before = ghost->machine.state;
    ploy_result result = ploy_code_fsm_step(&ghost->machine, mind_states, &self, NULL);
    ploy_trace *trace = game->context->trace;
    if (trace != NULL && result == PLOY_OK && ghost->machine.state != before) {
        ploy_trace_begin(trace, ghosts_id(ghost->who), "state", "state machine");
        ploy_trace_option(trace, ghosts_state_name(ghost->machine.state), PLOY_OUTCOME_WON, 1.0,
                          "its time has come");
        ploy_trace_option(trace, ghosts_state_name(before), PLOY_OUTCOME_LOST, 0.0, "until now");
        ploy_trace_end(trace);
    }
    // What it goes for follows the player; where it turns is decided at the next tile.
    if (ghost->machine.state != GHOSTS_FRIGHTENED) mind_aim(game, ghost);
    return result;
}

ploy_result ghosts_tell(ghosts_ghost *ghost, ghosts_game *game, const char *kind) {
    mind_self self = {game, ghost};
    ploy_message message =
        ploy_message_make(ghosts_id(-1), ghosts_id(ghost->who), ploy_name_of(kind));
    return ploy_code_fsm_message(&ghost->machine, mind_states, &self, &message, NULL, NULL);
}

static float mind_speed(const ghosts_game *game, const ghosts_ghost *ghost) {
    const ghosts_def *def = &game->def;
    switch (ghost->machine.state) {
    case GHOSTS_FRIGHTENED: return def->frightened_speed;
    case GHOSTS_EYES: return def->eyes_speed;
    case GHOSTS_HOUSE: return 0.0f;
    default: return def->ghost_speed * (1.0f + def->faster * (float)(game->level - 1));
    }
}

void ghosts_move(ghosts_game *game, ghosts_ghost *ghost, float dt) {
    ghosts_mover *mover = &ghost->mover;
    mover->along += mind_speed(game, ghost) * dt;
    while (mover->along >= 1.0f) {
        mover->along -= 1.0f;
        mover->tile = ghosts_next(mover->tile, mover->way);
        // Eyes that are home stay in the middle of the house.
        if (ghost->machine.state == GHOSTS_EYES && mind_at(ghost, mind_house(game))) {
            mover->along = 0.0f;
            return;
        }
        mind_choose(game, ghost);
    }
}

bool ghosts_stands(const ghosts_game *game, const ghosts_ghost *ghost) {
    int32_t state = ghost->machine.state;
    bool inside = state == GHOSTS_EYES || state == GHOSTS_LEAVE;
    if (state == GHOSTS_HOUSE) return ghosts_letter(game, ghost->mover.tile) == 'H';
    return ghosts_open(game, ghost->mover.tile, inside) &&
           ghosts_open(game, ghosts_next(ghost->mover.tile, ghost->mover.way), inside);
}

void ghosts_place(ghosts_game *game, ghosts_ghost *ghost) {
    ghosts_tile tile = mind_house(game);
    if (ghost->who == GHOSTS_RED) tile = ghosts_find(game, 'X');
    if (ghost->who == GHOSTS_PINK) tile.x--;
    if (ghost->who == GHOSTS_ORANGE) tile.x++;
    memset(&ghost->mover, 0, sizeof ghost->mover);
    ghost->mover.tile = tile;
    ghost->mover.way = GHOSTS_LEFT;
    ghost->target = tile;
    ghost->waits = game->def.wait * (float)ghost->who;
    ghost->machine = ploy_code_fsm_make(ghost->who == GHOSTS_RED ? (int32_t)GHOSTS_SCATTER
                                                                 : (int32_t)GHOSTS_HOUSE);
}
