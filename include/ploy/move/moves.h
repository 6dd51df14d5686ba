/// @file ploy/move/moves.h
/// Pattern movement: recorded moves that are played back.
///
/// For swooping ships, patrols, evasion, grazing animals: agents follow a list without decisions,
/// which looks intentional. Four kinds:
/// - moves: turn, go, do something; one for each step, in the mover's own axes (`ploy_moves_step`);
/// - tile lines: straight lines from tile to tile, relative to the start (`ploy_tile_line_append`);
/// - tracks: a map of walkable tiles with a random branch at each (`ploy_track_step`), which is
///   harder to predict;
/// - maneuvers: for bodies that physics moves: steer until turned by so much, go until so far
///   (`ploy_maneuver_step`).
/// Playback may stop at any time: the state is a few numbers; keep it to continue later.
/// Technique: Bourg and Seemann, "AI for Game Developers", chapter 3. Mistakes in the book's
/// listings (moves that ignore the heading, unbounded indexes, lines with doubled fractions) are
/// corrected; PLOY_TILE_LINE_CLASSIC restores the last one.
///
/// Units: metres, seconds, radians. Cost: O(1) for each step, O(tiles) for lines; no allocation.
/// Threads: pure functions on the caller's memory.
#pragma once

#include "ploy/base/name.h"
#include "ploy/base/rng.h"
#include "ploy/move/craft.h"

/// What happens after the last move.
typedef enum ploy_moves_end {
    PLOY_MOVES_STOP,
    PLOY_MOVES_LOOP,
    PLOY_MOVES_PING_PONG ///< back through the list; the ends are not repeated
} ploy_moves_end;

/// One step of a pattern.
typedef struct ploy_move {
    float turn;       ///< rad, counter-clockwise
    float forward;    ///< m along the heading, after the turn; below 0 backward
    ploy_name action; ///< fire, drop, ...; none: nothing
} ploy_move;

typedef struct ploy_moves {
    const ploy_move *moves;
    int32_t count;
    ploy_moves_end end;
} ploy_moves;

/// A position in a list. All zero is the beginning.
typedef struct ploy_moves_state {
    int32_t next;
    bool backward; ///< of PING_PONG
    bool finished;
} ploy_moves_state;

/// Plays one move. @param action  may be NULL. @return false, changing nothing else, if the list is
/// finished.
PLOY_API bool ploy_moves_step(const ploy_moves *moves, ploy_moves_state *state,
                              ploy_kinematic *mover, ploy_name *action);

/// Chooses a pattern at random by weights, and not the last one again if there is another.
/// @param last  -1: none. @return -1 if no weight is above 0.
PLOY_API int32_t ploy_moves_choose(const float *weights, int32_t count, int32_t last,
                                   ploy_rng_key key, uint32_t id, uint64_t tick);

/// A tile of a map.
typedef struct ploy_tile {
    int32_t row, col;
} ploy_tile;

/// How a line is drawn.
typedef enum ploy_tile_line {
    PLOY_TILE_LINE_EXACT,  ///< Bresenham's
    PLOY_TILE_LINE_CLASSIC ///< with the fraction of the book's listing; same ends
} ploy_tile_line;

/// Appends the tiles from one to another, both included, to a list of `*count` tiles.
/// @param skip_first  leave out the first tile if the line begins with the last tile of the
///                    previous one: otherwise the walker pauses there.
/// @return PLOY_ERR_CAPACITY if they do not fit; then nothing is appended. PLOY_ERR_ARGUMENT for
///         tiles beyond 2^20.
PLOY_API ploy_result ploy_tile_line_append(ploy_tile_line line, ploy_tile from, ploy_tile to,
                                           bool skip_first, ploy_tile *tiles, int32_t capacity,
                                           int32_t *count);
/// Returns the next tile of a list, moved by an offset. @return false when it is finished.
PLOY_API bool ploy_tile_line_step(const ploy_tile *tiles, int32_t count, ploy_moves_end end,
                                  ploy_tile offset, ploy_moves_state *state, ploy_tile *out);

/// Interception in tiles: returns the chaser's next tile on a straight line to the meeting with the
/// prey, if both keep their steps. The time to close is the range over the relative speed, as in
/// ploy/move/intercept.h; with equal steps, or a time of 0, the chaser heads for the prey itself.
/// Call it again each turn. Returns the chaser's own tile if it is the prey's, and for tiles beyond
/// 2^20.
/// @param chaser_step  its move in tiles in the last turn; likewise prey_step.
/// @param rows, cols   of the map, to which the meeting is clamped; below 1: no edge.
/// @param meeting      the tile that the chaser heads for; may be NULL.
PLOY_API ploy_tile ploy_tile_intercept(ploy_tile chaser, ploy_tile chaser_step, ploy_tile prey,
                                       ploy_tile prey_step, int32_t rows, int32_t cols,
                                       ploy_tile *meeting);

/// The walkable tiles of a map.
typedef struct ploy_track {
    uint8_t *allowed; ///< rows * cols, 1 where allowed
    int32_t rows, cols;
    bool diagonal; ///< eight neighbours; else four, which cuts no corners
} ploy_track;

/// Allows the tiles of a line. @return PLOY_ERR_ARGUMENT if one is off the map; then unchanged.
PLOY_API ploy_result ploy_track_line(ploy_track *track, ploy_tile from, ploy_tile to);
/// Returns the allowed neighbours, in rising order of row, then column. @param out  room for 8; may
/// be NULL.
PLOY_API int32_t ploy_track_neighbours(const ploy_track *track, ploy_tile tile, ploy_tile *out);
/// Returns a random neighbour, but not the tile it came from unless that is the only one; `at`
/// itself if there is none.
PLOY_API ploy_tile ploy_track_step(const ploy_track *track, ploy_tile at, ploy_tile from,
                                   ploy_rng_key key, uint32_t id, uint64_t tick);

/// A maneuver of a body that physics moves. It lasts until one of its limits is reached, each
/// measured from the start of the maneuver; without limits it lasts forever.
typedef struct ploy_maneuver {
    float steer;          ///< -1 hard right, 0 straight, 1 hard left
    float thrust;         ///< 0 to 1
    float heading_limit;  ///< rad turned; 0: none. May be more than a full turn
    float distance_limit; ///< m from its start; 0: none
} ploy_maneuver;

typedef struct ploy_maneuvers {
    const ploy_maneuver *list;
    int32_t count;
    int32_t repeat; ///< number of times the list is run; 0: forever
    float floor;    ///< least fraction of the steering near a limit, above 0; usually 0.05
} ploy_maneuvers;

/// Begin with ploy_maneuver_begin.
typedef struct ploy_maneuver_state {
    int32_t index, round;
    ploy_vec2 start; ///< m, where the maneuver began
    float heading;   ///< rad, in the last step
    float turned;    ///< rad, signed
    bool finished;
} ploy_maneuver_state;

PLOY_API ploy_maneuver_state ploy_maneuver_begin(ploy_kinematic agent);

/// The controls of this step, to be applied before the physics.
typedef struct ploy_maneuver_output {
    float steer; ///< weaker near the limit, so that it does not overshoot
    float thrust;
} ploy_maneuver_output;

/// @return false, with nothing to do, when all maneuvers are finished.
PLOY_API bool ploy_maneuver_step(const ploy_maneuvers *maneuvers, ploy_maneuver_state *state,
                                 ploy_kinematic agent, ploy_maneuver_output *out);
/// Visits a ploy_maneuver_state (ploy/base/visit.h).
PLOY_API void ploy_maneuver_visit(ploy_visit *v, void *state);
PLOY_API void ploy_maneuver_describe(const ploy_maneuver_state *state, ploy_describe *out);

/// As a steering source (ploy/move/source.h): the acceleration of a craft under the maneuver's
/// steer and thrust. Requests nothing when all maneuvers are finished. All pointers are borrowed.
/// @return PLOY_ERR_ARGUMENT if a setting is out of range (the log names it) or a pointer is
///         NULL; then out is none.
PLOY_API ploy_result ploy_maneuver_source(const ploy_craft_def *def,
                                          const ploy_maneuvers *maneuvers,
                                          ploy_maneuver_state *state, const ploy_env *env,
                                          ploy_steering_source *out);
