/// @file ploy/board/atoms.h
/// Atoms (Chain Reaction): add an atom to an empty or own cell; full cells explode.
///
/// A cell with as many atoms as it has neighbours explodes: one atom goes to each neighbour, which
/// changes to the player's colour and may explode in turn. All full cells explode together, wave by
/// wave. A player without atoms after the first round has lost.
///
/// Text of a position: rows from the top, for each cell `.` or a letter and a number of atoms
/// (`A1`, `B2`), blanks between cells, `/` between rows, then `: A` or `: B`, the side to move.
/// Moves are `c3`, row 1 at the bottom. Symmetries: the eight of the square, or four on other
/// boards.
#pragma once

#include "ploy/board/game.h"

typedef struct ploy_board_atoms_def {
    uint32_t cookie; ///< set by the default; leave alone
    int32_t columns; ///< of the board
    int32_t rows;    ///< of the board
} ploy_board_atoms_def;

PLOY_API ploy_board_atoms_def ploy_board_atoms_def_default(void);
PLOY_API ploy_fields ploy_board_atoms_fields(void);
/// The rules of Atoms.
PLOY_API const ploy_board_type *ploy_board_atoms(void);
