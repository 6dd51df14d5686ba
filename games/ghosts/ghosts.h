// What the files of the maze chase share: the maze, who moves in it, and what ghosts think.
#pragma once

#include "ploy/decide/code_fsm.h"
#include "ploy/exec/engine.h"
#include "ploy/exec/sim.h"
#include "ploy/learn/learner.h"
#include "ploy/path/grid_search.h"

// Who predicts the player's turns for pink.
typedef enum ghosts_predictor {
    GHOSTS_NO_PREDICTOR, // it goes straight ahead of the player
    GHOSTS_BY_RAW,
    GHOSTS_BY_WINDOWS
} ghosts_predictor;

typedef struct ghosts_def {
    uint32_t cookie;
    float player_speed; // tiles/s, as are the others
    float ghost_speed;
    float frightened_speed;
    float eyes_speed;
    float faster;            // of the ghosts' speed, with each level
    float scatter, scatter2; // s, the first two times and later
    float chase;             // s
    float frightened;        // s
    int32_t ahead;           // tiles ahead of the player that pink goes for
    int32_t pivot;           // tiles ahead of the player about which blue mirrors red
    float shy;               // tiles from the player at which orange turns away
    float wait;              // s between ghosts leaving the house
    int32_t lives;
    int32_t caution; // tiles that the bot wants to be ahead of ghosts
    ghosts_predictor predictor;
} ghosts_def;

ploy_fields ghosts_fields(void);

enum {
    GHOSTS_WIDTH = 25,
    GHOSTS_HEIGHT = 19,
    GHOSTS_CELLS = GHOSTS_WIDTH * GHOSTS_HEIGHT,
    GHOSTS_COUNT = 4,
    GHOSTS_RAW = 0, // indexes of the predictors
    GHOSTS_WINDOWS = 1,
    GHOSTS_PREDICTORS = 2,
    GHOSTS_BUDGET = 1500 // units of a tick: the bot looks at each tile twice, a ghost at four exits
};

// Counter-clockwise, as angles go.
typedef enum ghosts_way {
    GHOSTS_RIGHT,
    GHOSTS_UP,
    GHOSTS_LEFT,
    GHOSTS_DOWN,
    GHOSTS_WAYS
} ghosts_way;

typedef struct ghosts_tile {
    int32_t x, y;
} ghosts_tile;

// A character between two tiles: `along` of the distance from its tile to the next one.
typedef struct ghosts_mover {
    ghosts_tile tile;
    int32_t way; // ghosts_way
    float along; // 0 to below 1
} ghosts_mover;

typedef enum ghosts_who { GHOSTS_RED, GHOSTS_PINK, GHOSTS_BLUE, GHOSTS_ORANGE } ghosts_who;

typedef enum ghosts_state {
    GHOSTS_SCATTER,    // to its own corner
    GHOSTS_CHASE,      // after the player, each in its own manner
    GHOSTS_FRIGHTENED, // anywhere
    GHOSTS_EYES,       // eaten: home by the shortest path
    GHOSTS_HOUSE,      // waits
    GHOSTS_LEAVE,      // out of the house
    GHOSTS_STATES
} ghosts_state;

typedef struct ghosts_ghost {
    ghosts_mover mover;
    ghosts_mover plan; // where it is after this tick: thinking changes only this
    int32_t state;     // ghosts_state, as the others see it
    int32_t who;
    ghosts_tile target; // what it goes for
    float waits;        // s until it leaves the house
    ploy_code_fsm machine;
} ghosts_ghost;

// The player, or its plan for this tick.
typedef struct ghosts_runner {
    ghosts_mover mover;
    int32_t turn; // requested direction
    bool moving;  // on its way to the next tile
    bool reserved[3];
} ghosts_runner;

typedef struct ghosts_game ghosts_game;

// One behavior of the engine.
typedef struct ghosts_mind {
    ghosts_game *game; // thinking sees the world of its context only
    int32_t who;       // -1: the bot
    int32_t reserved;
} ghosts_mind;

struct ghosts_game {
    ghosts_def def;
    ploy_definition_text text;              // of the maze
    char maze[GHOSTS_HEIGHT][GHOSTS_WIDTH]; // the top row first
    char reserved_before[5];                // no gap, so that equal states are equal bytes
    ploy_tiles *tiles;
    ploy_grid_map *map;
    ploy_grid_search *home, *out; // paths from everywhere to the house, and out of it
    ploy_engine *engine;          // parallel: all think, then all move
    ghosts_mind minds[1 + GHOSTS_COUNT];
    ghosts_runner player, plan; // the plan is of this tick
    ghosts_ghost ghosts[GHOSTS_COUNT];
    uint32_t pips[GHOSTS_HEIGHT];   // a bit for each tile that has one
    uint32_t powers[GHOSTS_HEIGHT]; // the large ones
    double clock;                   // s of scattering and chasing in this life
    float fright_left;              // s
    float pause;                    // s until it goes on
    bool person;                    // a person plays
    bool reserved[3];
    int32_t level, lives, score, best;
    int32_t combo;       // ghosts eaten with this power
    int32_t turns_ended; // lives lost
    int32_t games, eaten, pips_eaten;
    int32_t turns;                   // of the player at junctions
    int32_t hits[GHOSTS_PREDICTORS]; // turns that were predicted
    ploy_learner predictors[GHOSTS_PREDICTORS];
    uint64_t tick;
    const ploy_sim_context *context; // during a step
};

static inline ploy_agent_id ghosts_id(int32_t who) { // -1: the player
    return ploy_agent_id_make((uint32_t)(who + 2), 1);
}

// ---- the maze: ghosts_maze.c

// The letter of the map there: '#' wall, '.' pip, 'o' power, '-' door, 'H' house, ' ' floor.
char ghosts_letter(const ghosts_game *game, ghosts_tile tile);
ghosts_tile ghosts_find(const ghosts_game *game, char letter);
ghosts_tile ghosts_next(ghosts_tile tile, int32_t way); // round the sides of the maze
bool ghosts_open(const ghosts_game *game, ghosts_tile tile, bool inside); // the house too
int32_t ghosts_cell(ghosts_tile tile);
int32_t ghosts_opposite(int32_t way);
ploy_vec2 ghosts_way_vector(int32_t way);
ploy_vec2 ghosts_position(const ghosts_mover *mover);
bool ghosts_bit(const uint32_t *rows, ghosts_tile tile);
void ghosts_fill(ghosts_game *game); // pips everywhere
int32_t ghosts_pips_left(const ghosts_game *game);
extern const ploy_definition ghosts_definitions[1];
// Reads a maze and reports what is wrong with it: dead ends, parts that do not hang together.
// @param rows  filled on PLOY_OK.
ploy_result ghosts_read_maze(const void *bytes, size_t size, char rows[][GHOSTS_WIDTH],
                             ploy_diags *diags);
// Takes over a maze, with the paths home and out: a character on an open tile stays there. NULL
// for the game's own.
ploy_result ghosts_take_maze(ghosts_game *game, const void *bytes, size_t size,
                             const ploy_env *env);
ploy_result ghosts_write_maze(const void *state, int32_t definition, ploy_writer *out);
ploy_result ghosts_check_maze(const void *state, int32_t definition, const void *bytes, size_t size,
                              const ploy_env *env, ploy_diags *diags);

// ---- ghosts: ghosts_mind.c

const char *ghosts_name(int32_t who);
const char *ghosts_state_name(int32_t state);
// Scatter or chase at that time.
ghosts_state ghosts_wave(const ghosts_def *def, double clock);
// What a ghost goes for when it chases.
ghosts_tile ghosts_chase_target(const ghosts_def *def, ghosts_who who, ghosts_tile player,
                                int32_t way, ghosts_tile red, ghosts_tile own);
ghosts_tile ghosts_corner(int32_t who);
// The exit whose direction is nearest to the target's, never back if another is open.
int32_t ghosts_greedy(const ghosts_game *game, ghosts_tile tile, int32_t way, ghosts_tile target);
// Decides the ghost's state, target and direction, and plans its move. Changes this ghost's own parts only.
ploy_result ghosts_think(const ghosts_game *game, ghosts_ghost *ghost, float dt,
                         ploy_budget *budget, ploy_trace *trace);
// Takes a message: "power" or "eaten".
ploy_result ghosts_hear(const ghosts_game *game, ghosts_ghost *ghost, const ploy_message *message,
                        bool *handled, ploy_trace *trace);
// Whether it is where its state lets it be, and on its way to such a place.
bool ghosts_stands(const ghosts_game *game, const ghosts_ghost *ghost);
// Puts it where it begins.
void ghosts_place(ghosts_game *game, ghosts_ghost *ghost);

// ---- the player: ghosts_player.c

enum { GHOSTS_COMMANDS = 6 };
extern const ploy_command ghosts_commands[GHOSTS_COMMANDS];
void ghosts_apply_inputs(ghosts_game *game, const ploy_sim_context *context);
// Plans the player's move.
void ghosts_plan_player(const ghosts_game *game, ghosts_runner *plan, float dt, ploy_budget *budget,
                        ploy_trace *trace);
// The direction that the bot takes at a tile.
int32_t ghosts_bot_way(const ghosts_game *game, ghosts_tile tile, ploy_budget *budget,
                       ploy_trace *trace);

// ---- the minds on their engine: ghosts_minds.c

ploy_result ghosts_minds_create(ghosts_game *game, ploy_rng_key key, const ploy_env *env);
// All think, then all move.
ploy_result ghosts_minds_step(ghosts_game *game);
// Sends a ghost a message that arrives at once. Not while minds think: the engine refuses it.
ploy_result ghosts_tell(ghosts_game *game, int32_t who, const char *kind);

// ---- prediction: ghosts_predict.c

ploy_result ghosts_predict_create(ghosts_game *game, const ploy_env *env);
// Scores and teaches the predictors if the player has just turned at a junction.
ploy_result ghosts_predict_turn(ghosts_game *game, const ghosts_runner *before,
                                const ghosts_runner *after);
// The tile that the player reaches after that many tiles if it turns as predicted.
// @return false if no predictor is used, or it has no opinion on the next junction.
bool ghosts_predict_tile(const ghosts_game *game, int32_t tiles, ghosts_tile *out);
void ghosts_predict_describe(const ghosts_game *game, ploy_describe *out);

// ---- sight: ghosts_sight.c

void ghosts_draw(const void *state, ploy_draw *out);
void ghosts_describe(const void *state, ploy_describe *out);
