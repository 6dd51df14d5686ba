// What ghosts think: a state machine of scatter, chase and frightened, a target for each of the four,
// and a greedy choice at junctions; nothing is planned, except the path home.
//
// Technique: the ghosts of the arcade game as Millington, "AI for Games", 3rd edition, 2019, section
// 2.1 describes them. The four targets look like team work and know nothing of each other, but for
// blue, who knows where red is.
#include "games/ghosts/ghosts.h"

#include <math.h>
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

// The exits of a tile in that order, the direction back only if there is no other. Returns how many.
static int32_t mind_exits(const ghosts_game *game, ghosts_tile tile, int32_t way, int32_t *exits) {
    int32_t count = 0, back = ghosts_opposite(way);
    for (int32_t i = 0; i < GHOSTS_WAYS; i++) {
        int32_t to = mind_order[i];
        if (to != back && ghosts_open(game, ghosts_next(tile, to), false)) exits[count++] = to;
    }
    if (count == 0) exits[count++] = back;
    return count;
}

// How much a direction points toward a target.
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

// The next tile on a shortest path: every tile knows how far it is.
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

static const char *const mind_ways[GHOSTS_WAYS] = {"right", "up", "left", "down"};

// One decision where the ghost turns: an option for each exit.
static void mind_trace(const ghosts_ghost *ghost, const int32_t *exits, int32_t count,
                       ploy_trace *trace) {
    if (trace == NULL || count < 2) return; // without a choice there is nothing to trace
    bool random = ghost->machine.state == GHOSTS_FRIGHTENED;
    ploy_trace_begin(trace, ghosts_id(ghost->who), "junction",
                     random ? "frightened: drawn at random" : "exit that points to the target");
    for (int32_t i = 0; i < count; i++) {
        bool won = exits[i] == ghost->plan.way;
        double toward = (double)mind_toward(ghost->plan.tile, exits[i], ghost->target);
        ploy_trace_option(trace, mind_ways[exits[i]], won ? PLOY_OUTCOME_WON : PLOY_OUTCOME_LOST,
                          random ? (double)NAN : toward,
                          random && won ? "the draw fell on it"
                          : random      ? "the draw fell on another"
                          : won         ? "it points most toward the target"
                                        : "another exit points more toward the target");
    }
    if (!random) ploy_trace_vec2(trace, "target", (float)ghost->target.x, (float)ghost->target.y);
    ploy_trace_end(trace);
}

// The same on a shortest path: scored by the tiles that are left.
static void mind_trace_path(const ghosts_game *game, const ghosts_ghost *ghost,
                            const ploy_grid_search *ways, ploy_trace *trace) {
    if (trace == NULL) return;
    ploy_trace_begin(trace, ghosts_id(ghost->who), "junction", "shortest path");
    for (int32_t i = 0; i < GHOSTS_WAYS; i++) {
        ploy_grid_cost cost;
        int32_t way = mind_order[i];
        ghosts_tile next = ghosts_next(ghost->plan.tile, way);
        bool open =
            ghosts_open(game, next, true) && ploy_grid_search_cost(ways, ghosts_cell(next), &cost);
        bool won = way == ghost->plan.way;
        ploy_trace_option(trace, mind_ways[way],
                          !open ? PLOY_OUTCOME_REJECTED
                          : won ? PLOY_OUTCOME_WON
                                : PLOY_OUTCOME_LOST,
                          open ? -(double)cost.straight : (double)NAN,
                          !open ? "a wall"
                          : won ? "the fewest tiles are left from there"
                                : "more tiles are left from there");
    }
    ploy_trace_end(trace);
}

static void mind_aim(const ghosts_game *game, ghosts_ghost *ghost) {
    if (ghost->machine.state == GHOSTS_SCATTER) {
        ghost->target = ghosts_corner(ghost->who);
    } else if (ghost->machine.state == GHOSTS_CHASE) {
        ghost->target = ghosts_chase_target(&game->def, (ghosts_who)ghost->who,
                                            game->player.mover.tile, game->player.mover.way,
                                            game->ghosts[GHOSTS_RED].mover.tile, ghost->plan.tile);
        ghosts_tile predicted;
        if (ghost->who == GHOSTS_PINK && ghosts_predict_tile(game, game->def.ahead, &predicted)) {
            ghost->target = predicted;
        }
    }
}

typedef struct mind_self {
    const ghosts_game *game;
    ghosts_ghost *ghost;
    float dt;
    ploy_budget *budget;
    ploy_trace *trace;
} mind_self;

// At a tile: the next direction.
static void mind_choose(const mind_self *self) {
    const ghosts_game *game = self->game;
    ghosts_ghost *ghost = self->ghost;
    ghosts_mover *plan = &ghost->plan;
    int32_t exits[GHOSTS_WAYS];
    int32_t state = ghost->machine.state;
    if (self->budget != NULL) (void)ploy_budget_spend(self->budget, GHOSTS_WAYS);
    if (state == GHOSTS_EYES || state == GHOSTS_LEAVE) {
        const ploy_grid_search *ways = state == GHOSTS_EYES ? game->home : game->out;
        plan->way = mind_downhill(game, ways, plan->tile, plan->way);
        mind_trace_path(game, ghost, ways, self->trace);
        return;
    }
    int32_t count = mind_exits(game, plan->tile, plan->way, exits);
    mind_aim(game, ghost);
    if (state == GHOSTS_FRIGHTENED) {
        plan->way = exits[ploy_rng_int_at(game->context->key, (uint32_t)ghost->who + 2, game->tick,
                                          0, 0, count - 1)];
    } else {
        plan->way = ghosts_greedy(game, plan->tile, plan->way, ghost->target);
    }
    mind_trace(ghost, exits, count, self->trace);
}

// ---- the machine

static bool mind_at(const ghosts_ghost *ghost, ghosts_tile tile) {
    return ghost->plan.tile.x == tile.x && ghost->plan.tile.y == tile.y;
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
            owner->ghost->waits -= owner->dt;
            if (owner->ghost->waits <= 0.0f) PLOY_SET_STATE(GHOSTS_LEAVE);
        }
        PLOY_ON_EXIT { owner->ghost->waits = owner->game->def.wait; } // of the next visit
    PLOY_CODE_STATE(GHOSTS_LEAVE)
        PLOY_ON_ENTER {
            owner->ghost->target = ghosts_find(owner->game, 'X');
            owner->ghost->plan.along = 0.0f;
            mind_choose(owner);
        }
        PLOY_ON_UPDATE { if (mind_at(owner->ghost, ghosts_find(owner->game, 'X'))) mind_follow_wave(owner, machine); }
}
PLOY_CODE_FSM_END
// clang-format on

// Why a ghost is in a state, and why it is in no other that it could be in.
static const char *mind_why(const ghosts_game *game, int32_t state) {
    static const char *const whys[GHOSTS_STATES] = {"the clock of the waves says so",
                                                    "the clock of the waves says so",
                                                    "a power was eaten",
                                                    "it was eaten",
                                                    "it waits for its turn",
                                                    "its turn has come"};
    bool power = game->fright_left > 0.0f;
    return state == GHOSTS_FRIGHTENED && power ? "a power works" : whys[state];
}

static void mind_reject(ploy_trace *trace, int32_t state, const char *why) {
    ploy_trace_option(trace, ghosts_state_name(state), PLOY_OUTCOME_REJECTED, NAN, why);
}

static void mind_trace_state(const mind_self *self, int32_t before) {
    ploy_trace *trace = self->trace;
    if (trace == NULL) return;
    int32_t state = self->ghost->machine.state;
    int32_t wave = (int32_t)ghosts_wave(&self->game->def, self->game->clock);
    ploy_trace_begin(trace, ghosts_id(self->ghost->who), "state", "state machine");
    ploy_trace_option(trace, ghosts_state_name(state), PLOY_OUTCOME_WON, 1.0,
                      mind_why(self->game, state));
    if (before != state) {
        ploy_trace_option(trace, ghosts_state_name(before), PLOY_OUTCOME_LOST, 0.0,
                          "its state until now");
    } else if (state == GHOSTS_SCATTER || state == GHOSTS_CHASE) {
        mind_reject(trace, state == GHOSTS_CHASE ? (int32_t)GHOSTS_SCATTER : (int32_t)GHOSTS_CHASE,
                    "the clock of the waves says otherwise");
        mind_reject(trace, GHOSTS_FRIGHTENED, "no power was eaten");
    } else if (state == GHOSTS_FRIGHTENED) {
        mind_reject(trace, wave, "the power still works");
        mind_reject(trace, GHOSTS_EYES, "it was not eaten");
    } else if (state == GHOSTS_EYES) {
        mind_reject(trace, GHOSTS_HOUSE, "it is not at home yet");
    } else if (state == GHOSTS_HOUSE) {
        mind_reject(trace, GHOSTS_LEAVE, "others leave before it");
    } else {
        mind_reject(trace, wave, "it is not out of the house yet");
    }
    ploy_trace_end(trace);
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

static void mind_move(const mind_self *self) {
    ghosts_ghost *ghost = self->ghost;
    ghosts_mover *plan = &ghost->plan;
    plan->along += mind_speed(self->game, ghost) * self->dt;
    while (plan->along >= 1.0f) {
        plan->along -= 1.0f;
        plan->tile = ghosts_next(plan->tile, plan->way);
        // Eyes that are home stay in the middle of the house.
        if (ghost->machine.state == GHOSTS_EYES && mind_at(ghost, mind_house(self->game))) {
            plan->along = 0.0f;
            return;
        }
        mind_choose(self);
    }
}

ploy_result ghosts_think(const ghosts_game *game, ghosts_ghost *ghost, float dt,
                         ploy_budget *budget, ploy_trace *trace) {
    mind_self self = {game, ghost, dt, budget, trace};
    int32_t before = ghost->machine.state;
    ghost->plan = ghost->mover;
    ploy_result result = ploy_code_fsm_step(&ghost->machine, mind_states, &self, NULL);
    if (result != PLOY_OK) return result;
    mind_trace_state(&self, before);
    // What it goes for follows the player; where it turns is decided at the next tile.
    if (ghost->machine.state != GHOSTS_FRIGHTENED) mind_aim(game, ghost);
    mind_move(&self);
    return PLOY_OK;
}

ploy_result ghosts_hear(const ghosts_game *game, ghosts_ghost *ghost, const ploy_message *message,
                        bool *handled, ploy_trace *trace) {
    mind_self self = {game, ghost, 0.0f, NULL, trace};
    int32_t before = ghost->machine.state;
    ploy_result result =
        ploy_code_fsm_message(&ghost->machine, mind_states, &self, message, NULL, handled);
    if (result == PLOY_OK && ghost->machine.state != before) mind_trace_state(&self, before);
    return result;
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
    ghost->plan = ghost->mover;
    ghost->target = tile;
    ghost->waits = game->def.wait * (float)ghost->who;
    ghost->machine = ploy_code_fsm_make(ghost->who == GHOSTS_RED ? (int32_t)GHOSTS_SCATTER
                                                                 : (int32_t)GHOSTS_HOUSE);
    ghost->state = ghost->machine.state;
}
