/// @file ploy/geom/automaton.h
/// Cellular automata: a grid of small numbers in which every cell changes by its neighbours.
///
/// All cells change together: the next generation depends only on the last one, never on the order
/// of the cells. Four kinds of rule:
/// - a table: the next state, by the cell's own state and the number of neighbours in one state.
///   Conway's Life is "B3/S23": born with 3, survives with 2 or 3.
/// - a share: a cell takes a state when at least this share of its neighbours is in it. Shares also
///   work at edges, where cells have fewer neighbours.
/// - elementary: Wolfram's 256 one-dimensional rules; every row of the grid is a separate
///   automaton.
/// - a function that the caller provides.
/// Rules with one threshold settle; rules with a band, such as Life, may run forever. A history of
/// hashes finds the period of a repeating grid.
///
/// Technique: Millington, "AI for Games", 6.2.7; two buffers; blocks of 64 by 16 cells are skipped
/// if nothing changed around them. Binary tables run as a vector kernel.
///
/// Units: a budget unit is 16 rows. Cost: O(cells that may change); no allocation after create, two
/// bytes a cell. Bit-identical on all platforms. Threads: one caller at a time.
#pragma once

#include "ploy/base/budget.h"
#include "ploy/base/diags.h"
#include "ploy/base/fields.h"
#include "ploy/geom/draw.h"

/// A grid and its generation. Opaque.
typedef struct ploy_automaton ploy_automaton;

/// Number of states: 0 to 15; 0 is empty.
#define PLOY_AUTOMATON_STATES 16
/// Largest radius of a neighbourhood, and the most neighbours a cell can have.
#define PLOY_AUTOMATON_RADIUS 4
#define PLOY_AUTOMATON_NEIGHBOURS 80

/// What is beyond the edge.
typedef enum ploy_automaton_border {
    PLOY_AUTOMATON_FIXED, ///< cells of one state, `outside`
    PLOY_AUTOMATON_OPEN,  ///< nothing: cells at the edge have fewer neighbours
    PLOY_AUTOMATON_TORUS  ///< the opposite edge
} ploy_automaton_border;

/// Which cells are neighbours.
typedef enum ploy_automaton_shape {
    PLOY_AUTOMATON_SQUARE, ///< all within `radius` along both axes: 8 for 1
    PLOY_AUTOMATON_DIAMOND ///< dx + dy at most `radius`: 4 for 1
} ploy_automaton_shape;

/// Settings. Start from ploy_automaton_def_default().
typedef struct ploy_automaton_def {
    uint32_t cookie;
    int32_t width, height; ///< cells
    ploy_automaton_border border;
    int32_t outside; ///< state beyond a fixed border
    ploy_automaton_shape shape;
    int32_t radius;  ///< cells, of the neighbourhood
    int32_t history; ///< generations remembered to find a period; 0: none
} ploy_automaton_def;

PLOY_API ploy_automaton_def ploy_automaton_def_default(void);
PLOY_API ploy_fields ploy_automaton_fields(void);

typedef enum ploy_automaton_kind {
    PLOY_AUTOMATON_TABLE,
    PLOY_AUTOMATON_SHARE,
    PLOY_AUTOMATON_ELEMENTARY,
    PLOY_AUTOMATON_FUNCTION
} ploy_automaton_kind;

/// One cell and what it sees, for a function rule.
typedef struct ploy_automaton_site {
    int32_t x, y;
    uint8_t state;
    const uint8_t *neighbours; ///< states, row by row from the lowest y, without the cell itself
    int32_t count;             ///< of neighbours; without cells beyond an open border
} ploy_automaton_site;

/// @return the next state, below PLOY_AUTOMATON_STATES; higher bits are ignored.
typedef uint8_t (*ploy_automaton_fn)(void *user, const ploy_automaton_site *site);

/// A rule. Plain data; make one with the functions below.
typedef struct ploy_automaton_rule {
    ploy_automaton_kind kind;
    int32_t counted; ///< table, share: the state of the neighbours counted; -1: every state but 0
    uint8_t next[PLOY_AUTOMATON_STATES][PLOY_AUTOMATON_NEIGHBOURS + 1]; ///< table: [own][count]
    float share;    ///< share: of the neighbours, 0 to 1
    bool keeps;     ///< share: cells below the share keep their state; otherwise they become 0
    int32_t number; ///< elementary: 0 to 255
    ploy_automaton_fn function;
    void *user;
} ploy_automaton_rule;

/// A table in which every cell keeps its state.
PLOY_API ploy_automaton_rule ploy_automaton_rule_table(void);
/// Reads "B3/S23": digits are numbers of neighbours, in any order; letters in either case. States
/// are 0 and 1.
/// @param diags  receives the error with its column; may be NULL.
/// @return PLOY_ERR_FORMAT, leaving out alone.
PLOY_API ploy_result ploy_automaton_rule_text(const char *text, ploy_diags *diags,
                                              ploy_automaton_rule *out);
/// A cell becomes `state` when at least `share` of its neighbours are in it.
/// @param keeps  true: other cells keep their state; false: they become 0.
PLOY_API ploy_automaton_rule ploy_automaton_rule_share(uint8_t state, float share, bool keeps);
/// Bit 4 * left + 2 * own + right of the number is the next state. States are 0 and 1.
PLOY_API ploy_automaton_rule ploy_automaton_rule_elementary(int32_t number);
/// A function without side effects; it may be called in any order.
PLOY_API ploy_automaton_rule ploy_automaton_rule_function(ploy_automaton_fn function, void *user);

/// Creates a grid of zeros. @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_automaton_create(const ploy_automaton_def *def, const ploy_env *env,
                                           ploy_automaton **out);
/// NULL is allowed.
PLOY_API void ploy_automaton_destroy(ploy_automaton *automaton);

/// The settings it was created with.
PLOY_API ploy_automaton_def ploy_automaton_def_of(const ploy_automaton *automaton);

/// Sets every cell and the generation to 0, and clears the history.
PLOY_API void ploy_automaton_clear(ploy_automaton *automaton);
/// State of a cell; 0 out of range.
PLOY_API uint8_t ploy_automaton_cell(const ploy_automaton *automaton, int32_t x, int32_t y);
/// Sets a cell between generations; does nothing out of range. Bits above the states are ignored.
PLOY_API void ploy_automaton_set(ploy_automaton *automaton, int32_t x, int32_t y, uint8_t state);
/// `width` states of a row, valid until the next step; NULL out of range.
PLOY_API const uint8_t *ploy_automaton_row(const ploy_automaton *automaton, int32_t y);
/// Sets a row from `width` states.
PLOY_API void ploy_automaton_set_row(ploy_automaton *automaton, int32_t y, const uint8_t *states);

/// Computes the next generation. If the last call did not complete one, it is continued with the
/// rule it began with. Until then, cells show the last complete generation.
/// @param budget  in units of 16 rows; NULL: no limit.
/// @return PLOY_OK when a generation is complete, PLOY_IN_PROGRESS if the budget ran out first.
PLOY_API ploy_result ploy_automaton_step(ploy_automaton *automaton, const ploy_automaton_rule *rule,
                                         ploy_budget *budget);

/// Complete generations since create or clear.
PLOY_API int64_t ploy_automaton_generation(const ploy_automaton *automaton);
/// Generations after which the grid repeats: 1 if it no longer changes, 0 if the history shows no
/// repetition. Compares 64-bit hashes.
PLOY_API int32_t ploy_automaton_period(const ploy_automaton *automaton);
/// Number of cells in a state.
PLOY_API int64_t ploy_automaton_count(const ploy_automaton *automaton, uint8_t state);

PLOY_API void ploy_automaton_describe(const ploy_automaton *automaton, ploy_describe *out);
/// Draws runs of equal cells as rectangles of 1 m cells from (0, 0); state 0 is not drawn.
PLOY_API void ploy_automaton_draw(const ploy_automaton *automaton, ploy_draw *out);
PLOY_API void ploy_automaton_memory(const ploy_automaton *automaton, ploy_memory_fn fn, void *user);
