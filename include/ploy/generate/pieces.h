/// @file ploy/generate/pieces.h
/// Levels of prefabricated pieces: every piece is a room, joined to the next through a door.
///
/// A piece is a few cells with exits at some of their sides. From an exit of the last piece, pieces
/// are tried in random order, in all four orientations, so that one of their exits meets it; the
/// first that fits on free cells is placed. When nothing fits, an earlier piece tries again
/// (backtracking). Two sets are built in: "rooms" (1 by 1, 2 by 1, 2 by 2 and an L, exits on all
/// sides: the levels of Zelda or Isaac, where each room fills its cells) and "halls" (corridors,
/// corners, crossings and a hall with exits in fixed places). The caller can supply others.
/// Technique: Millington, "AI for Games", 8.4.1, with shapes of several cells.
///
/// Thin walls. Unit of budget: one search for a piece, or one cell of the search for loops.
/// Room.value is the number of the piece.
#pragma once

#include "ploy/generate/floor_plan.h"
#include "ploy/generate/generator.h"

typedef struct ploy_pieces ploy_pieces;

/// Maximum number of cells of a piece.
#define PLOY_PIECE_CELLS 16

typedef struct ploy_piece_cell {
    int8_t x, y;
    uint8_t exits; ///< sides at which an exit may be: the sum of 1 << direction
} ploy_piece_cell;

/// A piece in its first orientation; the others are turned by quarters.
typedef struct ploy_piece {
    const char *name; ///< for messages; not copied
    float weight;     ///< how likely it is tried first; 0 or more
    int32_t cell_count;
    ploy_piece_cell cells[PLOY_PIECE_CELLS];
} ploy_piece;

typedef enum ploy_pieces_set { PLOY_PIECES_ROOMS, PLOY_PIECES_HALLS } ploy_pieces_set;

/// Settings. Start from ploy_pieces_def_default().
typedef struct ploy_pieces_def {
    uint32_t cookie;
    int32_t width, height; ///< cells
    int32_t set;           ///< ploy_pieces_set, if the caller supplies none
    int32_t pieces;        ///< stop at this number; 0: fill
    float loops;           ///< probability of a door between pieces whose exits face each other
    bool broad;            ///< joined pieces are open along their whole common side: they merge
    int32_t max_attempts;  ///< limit of units
    ploy_plan_roles_def roles;
} ploy_pieces_def;

PLOY_API ploy_pieces_def ploy_pieces_def_default(void);
PLOY_API ploy_fields ploy_pieces_fields(void);

/// The pieces of a built-in set.
PLOY_API const ploy_piece *ploy_pieces_of(ploy_pieces_set set, int32_t *count);

/// Starts.
/// @param pieces  copied; NULL: the set of the settings. At most 64.
/// @return PLOY_ERR_ARGUMENT, also if a piece has no cells, cells twice or no exit;
///         PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_pieces_begin(const ploy_pieces_def *def, ploy_rng_key key,
                                       const ploy_piece *pieces, int32_t count, ploy_trace *trace,
                                       const ploy_env *env, ploy_pieces **out);
PLOY_API ploy_result ploy_pieces_step(ploy_pieces *self, ploy_budget *budget);
PLOY_API ploy_generate_outcome ploy_pieces_outcome(const ploy_pieces *self);
PLOY_API const ploy_floor_plan *ploy_pieces_plan(const ploy_pieces *self);
PLOY_API void ploy_pieces_cancel(ploy_pieces *self);

PLOY_API void ploy_pieces_describe(const ploy_pieces *self, ploy_describe *out);
PLOY_API void ploy_pieces_draw(const ploy_pieces *self, ploy_draw *out);
PLOY_API void ploy_pieces_memory(const ploy_pieces *self, ploy_memory_fn fn, void *user);

/// "pieces": makes a plan.
PLOY_API const ploy_generator_type *ploy_pieces_generator(void);
