/// @file ploy/tactics/automata.h
/// Rules of cellular automata for tactics and building: secure areas, contours, cities, bases.
///
/// The grid and its steps are ploy/geom/automaton.h; these are rules for it, and the connection to
/// layers of categories:
///
///     secure    a cell becomes 1 when half of its neighbours are: smooths an area of security
///     crime     a cell becomes 1 when a quarter of its neighbours are
///     contour   a cell rises by 1 if two neighbours are higher and falls by 1 if none is as high
///     city      empty land beside water and trees is built on; buildings attract higher levels
///     base      which buildings a site in a base may have
///
/// Technique: Millington, "AI for Games", 6.2.7. Rules that the text leaves open are settings.
/// Threads: rules are read only.
#pragma once

#include "ploy/base/diags.h"
#include "ploy/geom/automaton.h"
#include "ploy/tactics/layer.h"

/// States 0 and 1: 1 spreads to cells with at least half of their neighbours in that state. With an
/// open border that is 4 of 8 cells, and half of fewer at the edge. The area keeps growing, so run
/// only one or two steps.
/// @param keeps  cells that are 1 stay so; otherwise they are tested as well.
PLOY_API ploy_automaton_rule ploy_automata_secure(bool keeps);
/// The same with at least `least` neighbours, as a number.
PLOY_API ploy_automaton_rule ploy_automata_at_least(int32_t least, bool keeps);
/// States 0 to 15 are heights: up if at least two neighbours are higher, down if no neighbour is as
/// high as the cell.
PLOY_API ploy_automaton_rule ploy_automata_contour(void);

/// States of the city: empty land, water, trees, and buildings of level 1 to PLOY_CITY_LEVELS.
#define PLOY_CITY_LAND 0
#define PLOY_CITY_WATER 1
#define PLOY_CITY_TREES 2
#define PLOY_CITY_LEVEL_1 3
#define PLOY_CITY_LEVELS 13

/// Settings for what the text leaves open.
typedef struct ploy_city_rules {
    bool exactly;  ///< neighbours are counted exactly; otherwise at least that many
    bool upgrades; ///< a building may be replaced by one of a higher level
} ploy_city_rules;

PLOY_API ploy_city_rules ploy_city_rules_default(void);
/// Land with water and trees beside it becomes level 1. Level k needs two neighbours of level k -
/// 1, three of k - 2 or four of k - 3. Buildings never fall.
/// @param rules  must stay valid.
PLOY_API ploy_automaton_rule ploy_automata_city(ploy_city_rules *rules);

/// States of a base.
typedef enum ploy_base_kind {
    PLOY_BASE_FREE,
    PLOY_BASE_MATERIAL, ///< raw material, which is part of the land
    PLOY_BASE_DEFENSIVE,
    PLOY_BASE_TRAINING, ///< basic buildings
    PLOY_BASE_RESEARCH,
    PLOY_BASE_MANUFACTURING,
    PLOY_BASE_ACADEMY,    ///< advanced buildings: of training,
    PLOY_BASE_LABORATORY, ///< of research,
    PLOY_BASE_FACTORY,    ///< of manufacturing
    PLOY_BASE_VALUABLE,
    PLOY_BASE_KINDS
} ploy_base_kind;

/// "free", "material", "defensive", ...
PLOY_API const char *ploy_base_kind_text(ploy_base_kind kind);
/// May a free site have that building? A defensive one needs material beside it, a basic one two
/// defensive ones, an advanced one two basic ones of other types, a valuable one two advanced ones.
PLOY_API bool ploy_base_allows(const ploy_automaton_site *site, ploy_base_kind kind);
/// The free cells of a base that may have a building, row by row, with eight neighbours each.
/// @return how many there are, which may be more than capacity.
PLOY_API int32_t ploy_base_sites(const ploy_automaton *base, ploy_base_kind kind, int32_t *out,
                                 int32_t capacity);

/// Reads "secure", "crime", "contour", "city" (with the default rules) or a table such as "B3/S23".
/// @param diags  may be NULL. @return PLOY_ERR_FORMAT, leaving out alone.
PLOY_API ploy_result ploy_automata_rule_read(const char *text, ploy_diags *diags,
                                             ploy_automaton_rule *out);

/// Runs a layer of categories through an automaton of the same size: its cells are set, it steps,
/// and the layer takes the result. Unknown places are 0 for the automaton and stay unknown.
/// Categories have to be below PLOY_AUTOMATON_STATES.
/// @return PLOY_ERR_ARGUMENT.
PLOY_API ploy_result ploy_automata_run(ploy_automaton *automaton, const ploy_automaton_rule *rule,
                                       int32_t steps, ploy_tactics_layer *layer);
/// One step of a share rule over any places, such as the nodes of a graph with many degrees: a
/// place becomes `state` when at least `share` of its neighbours are. Unknown neighbours are left
/// out.
/// @param keeps  other places keep their state; otherwise they become 0.
/// @return PLOY_ERR_ARGUMENT, also if from and to are the same layer.
PLOY_API ploy_result ploy_automata_share(const ploy_tactics_layer *from, uint8_t state, float share,
                                         bool keeps, ploy_tactics_layer *to);
