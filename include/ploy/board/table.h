/// @file ploy/board/table.h
/// Transposition table: search results of positions, stored by their hash.
///
/// An entry holds two bounds: the value is at least `lower` and at most `upper`, searched to
/// `depth` plies. An accurate score has equal bounds, a fail-high only a lower bound, a fail-low
/// only an upper one; MT-style searches fill both over time. Losing an entry costs time, never
/// correctness.
///
/// Layouts: direct (one entry for each place, the fastest), bucketed (four entries in a cache line,
/// the weakest is replaced), chained (nothing is lost until the memory is full). Replacement:
/// always, later (a position of a later move of the game wins), depth (the deeper search wins),
/// aged (the deeper one, unless the old one is of an earlier move). `second` splits the memory into
/// two tables with separate policies, which are searched one after the other. Technique:
/// Greenblatt, 1967; Breuker, "Replacement schemes for transposition tables", 1994.
///
/// Cost: O(1) for each call. Threads: one user at a time.
#pragma once

#include "ploy/base/visit.h"
#include "ploy/board/game.h"

typedef enum ploy_board_layout {
    PLOY_BOARD_LAYOUT_DIRECT,
    PLOY_BOARD_LAYOUT_BUCKETS,
    PLOY_BOARD_LAYOUT_CHAINED
} ploy_board_layout;

typedef enum ploy_board_replace {
    PLOY_BOARD_REPLACE_ALWAYS,
    PLOY_BOARD_REPLACE_LATER,
    PLOY_BOARD_REPLACE_DEPTH,
    PLOY_BOARD_REPLACE_AGED
} ploy_board_replace;

typedef struct ploy_board_table_def {
    uint32_t cookie;           ///< set by the default; leave alone
    int32_t kilobytes;         ///< memory of the entries; 0: no table
    ploy_board_layout layout;  ///< how entries are stored
    ploy_board_replace policy; ///< which entry stays
    bool second;               ///< half of the memory is a second table that is always replaced
    bool shadow;               ///< also count misses of positions stored before; slower
} ploy_board_table_def;

PLOY_API ploy_board_table_def ploy_board_table_def_default(void);
PLOY_API ploy_fields ploy_board_table_fields(void);

typedef struct ploy_board_entry {
    uint64_t key;
    ploy_board_move move; ///< best or refuting one; PLOY_BOARD_NO_MOVE if none is known
    int32_t lower, upper; ///< -PLOY_BOARD_INFINITY, PLOY_BOARD_INFINITY: no bound
    int16_t depth;        ///< plies searched below the position
    uint16_t age;         ///< number of the game's move at which it was stored; 0: empty
    uint32_t next;        ///< chained: number of the next entry of the bucket, from 1
} ploy_board_entry;

typedef struct ploy_board_table_statistics {
    int64_t capacity, used; ///< entries
    int64_t probes, hits, stores;
    int64_t overwrites; ///< stores that displaced another position
    int64_t rejected;   ///< stores that the policy or lack of room dropped
    int64_t lost;       ///< misses of positions that had been stored; needs `shadow`
} ploy_board_table_statistics;

/// A table. Opaque.
typedef struct ploy_board_table ploy_board_table;

/// @return PLOY_ERR_ARGUMENT for settings out of range (the log names the setting),
///         PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_board_table_create(const ploy_board_table_def *def, const ploy_env *env,
                                             ploy_board_table **out);
/// NULL is allowed.
PLOY_API void ploy_board_table_destroy(ploy_board_table *table);
/// Empties the table and sets the statistics to 0.
PLOY_API void ploy_board_table_clear(ploy_board_table *table);
/// Records that a move of the game was played: entries stored from now on have a later age.
PLOY_API void ploy_board_table_advance(ploy_board_table *table);
/// The entry of a position, or NULL. Valid until the next store.
PLOY_API const ploy_board_entry *ploy_board_table_find(ploy_board_table *table, uint64_t key);
/// Stores bounds. If the same position is stored with the same depth, each bound is kept where the
/// new entry has none; PLOY_BOARD_NO_MOVE keeps the move.
PLOY_API void ploy_board_table_store(ploy_board_table *table, uint64_t key, int32_t depth,
                                     int32_t lower, int32_t upper, ploy_board_move move);
PLOY_API ploy_board_table_statistics ploy_board_table_statistics_of(const ploy_board_table *table);
/// Entries and statistics.
PLOY_API void ploy_board_table_visit(ploy_visit *v, void *table);
