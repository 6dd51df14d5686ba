/// @file ploy/data/epd.h
/// EPD: one chess position per line, with operations such as best moves, names and leaf counts.
///
///     r1b1k2r/ppppnppp/2n2q2/2b5/3NP3/2P1B3/PP3PPP/RN1QKB1R w KQkq - bm Nb5; id "one"; D1 44;
///
/// The four fields of FEN, optionally its two counters, then operations: a code, operands (words or
/// quoted texts) and a semicolon. Also accepted: a semicolon before the first operation, as in
/// perft files, a missing last semicolon, lines that begin with '#', CR LF. Positions and moves are
/// not checked here: ploy_epd_position reads a position by the rules of chess.
///
/// Cost: linear. Threads: pure; a loaded file may be read by many.
#pragma once

#include "ploy/base/diags.h"
#include "ploy/base/writer.h"
#include "ploy/board/chess.h"

typedef struct ploy_epd_operation {
    const char *code; ///< "bm"
    int32_t first;    ///< operands are ploy_epd_operand(epd, first) and the following
    int32_t count;
    int32_t column;
} ploy_epd_operation;

typedef struct ploy_epd_record {
    const char *position; ///< FEN of four or six fields
    int32_t line;
    int32_t first; ///< operations are ploy_epd_operation_at(epd, first) and the following
    int32_t count;
} ploy_epd_record;

/// A file of positions. Opaque.
typedef struct ploy_epd ploy_epd;

/// Reads a file. @return PLOY_ERR_FORMAT with the faults in diags (may be NULL), PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_epd_load(const void *bytes, size_t size, const char *name,
                                   const ploy_env *env, ploy_diags *diags, ploy_epd **out);
PLOY_API void ploy_epd_destroy(ploy_epd *epd);
PLOY_API int32_t ploy_epd_count(const ploy_epd *epd);
/// NULL out of range.
PLOY_API const ploy_epd_record *ploy_epd_at(const ploy_epd *epd, int32_t index);
PLOY_API const ploy_epd_operation *ploy_epd_operation_at(const ploy_epd *epd, int32_t index);
PLOY_API const char *ploy_epd_operand(const ploy_epd *epd, int32_t index);
/// Returns the first operation of a record with that code, or NULL.
PLOY_API const ploy_epd_operation *ploy_epd_find(const ploy_epd *epd, const ploy_epd_record *record,
                                                 const char *code);
/// Reads the position of a record; faults are reported with its line.
PLOY_API ploy_result ploy_epd_position(const ploy_epd_record *record,
                                       const ploy_board_chess_def *rules, const char *name,
                                       void *position, ploy_diags *diags);
/// Writes a record as one line. @return the writer's error.
PLOY_API ploy_result ploy_epd_save(const ploy_epd *epd, const ploy_epd_record *record,
                                   ploy_writer *writer);
