/// @file ploy/path/headings.h
/// Tiles with headings: a search that includes the agent's heading.
///
/// A state is a cell and a heading. An agent with a large turning circle (a tank, a ship, a horse
/// at a gallop) moves a cell forward and leaves it with a heading that differs a little; turning on
/// the spot and reversing are settings. If every turn is allowed at a price, the same space gives
/// walkers paths with few corners: a turn penalty needs the heading in the state, because the cost
/// of a step depends on the step before.
///
///     heading 0 looks along x; they count counter-clockwise, as directions of tiles do
///     state = cell x headings + heading
///
/// With 16 headings every second one is between two tile directions and moves like a chess knight:
/// two cells forward and one sideways.
///
/// Technique: Millington, "AI for Games", non-translational problems; Buckland's turn penalties.
/// Cost: states are `headings` times the cells. Units: as ploy/path/tiles.h. Threads: no state.
#pragma once

#include "ploy/base/fields.h"
#include "ploy/path/tiles.h"

typedef struct ploy_headings_def {
    uint32_t cookie;
    int32_t headings;    ///< 4, 8 or 16; 4 on maps of four neighbours
    int32_t max_turn;    ///< headings that one move may turn by; 0: straight ahead only
    double turn_cost;    ///< for each heading turned by
    bool spin;           ///< allow turning on the spot, by one heading
    double spin_cost;    ///< of a turn on the spot
    bool reverse;        ///< allow moving backward, without turning
    double reverse_cost; ///< times the forward cost; 1 or more
} ploy_headings_def;

PLOY_API ploy_headings_def ploy_headings_def_default(void);
PLOY_API ploy_fields ploy_headings_fields(void);

/// The space; plain data that must not move while it is searched.
typedef struct ploy_headings {
    ploy_headings_def def;
    const ploy_tiles_walker *walker;
    int32_t goal_cell; ///< for queries without a goal state: any heading counts; or PLOY_STATE_NONE
} ploy_headings;

/// @param walker  must stay valid. @return PLOY_ERR_ARGUMENT, also for hexagons.
PLOY_API ploy_result ploy_headings_make(const ploy_headings_def *def,
                                        const ploy_tiles_walker *walker, const ploy_env *env,
                                        ploy_headings *out);
/// Convert a cell and heading to a state, and back; PLOY_STATE_NONE for invalid values.
PLOY_API int32_t ploy_headings_state(const ploy_headings *headings, int32_t cell, int32_t heading);
PLOY_API int32_t ploy_headings_cell(const ploy_headings *headings, int32_t state);
PLOY_API int32_t ploy_headings_heading(const ploy_headings *headings, int32_t state);
/// Returns a heading in radians.
PLOY_API float ploy_headings_orientation(const ploy_headings *headings, int32_t heading);

/// How many headings an edge turns by, from its label; above 0 to the left.
#define PLOY_HEADINGS_TURN(label) (((label)&15) - 8)
/// How an edge moves, from its label: 1 forward, 2 backward, 0 turning on the spot.
#define PLOY_HEADINGS_MOVE(label) ((label) >> 4)

/// Returns the space to search.
PLOY_API ploy_space ploy_headings_space(const ploy_headings *headings);
