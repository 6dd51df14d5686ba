// The position of the strategy game, shared by its two tiers.
#pragma once

#include "ploy/board/strategy.h"

enum {
    PLOYI_STRATEGY_NOBODY = 2,
    PLOYI_STRATEGY_ECONOMY = 1, // moves
    PLOYI_STRATEGY_RESEARCH = 2,
    PLOYI_STRATEGY_DEFEND = 3,
    PLOYI_STRATEGY_ATTACK = 4, // + city
    PLOYI_STRATEGY_ECONOMY_MAX = 5,
    PLOYI_STRATEGY_ARMY_MAX = 99,
    PLOYI_STRATEGY_TECHNOLOGY_MAX = 9,
    PLOYI_STRATEGY_STUDY = 12, // gold for a level of technology
    PLOYI_STRATEGY_UNIT = 2,   // gold for a unit
    PLOYI_STRATEGY_ORDERS = 64
};

// Plain bytes without padding.
typedef struct ployi_strategy {
    uint8_t owner[PLOY_BOARD_STRATEGY_CITIES];
    uint8_t economy[PLOY_BOARD_STRATEGY_CITIES];
    uint8_t army[PLOY_BOARD_STRATEGY_CITIES];
    uint16_t gold[2];
    uint8_t technology[2], study[2], content[2]; // study: gold towards the next level
    uint8_t side, turn;
    uint8_t force, target; // a battle: attacking units, city; force 0: none
    uint8_t unused[2];
} ployi_strategy;

// Cities beside a city; their number.
int32_t ployi_strategy_near(const ploy_board_strategy_def *def, int32_t city, int32_t near[4]);
// Gold of a nation each turn.
int32_t ployi_strategy_income(const ploy_board_strategy_def *def, const ployi_strategy *p,
                              int32_t nation);
// Units that a nation can send to a city from beside it, one staying in each.
int32_t ployi_strategy_force(const ploy_board_strategy_def *def, const ployi_strategy *p,
                             int32_t nation, int32_t city);
// Price of the next level of a city's economy.
int32_t ployi_strategy_price(const ployi_strategy *p, int32_t city);
// Carries out one order of the side to move; one that is not possible changes nothing.
void ployi_strategy_order(ployi_strategy *p, const ploy_board_order *order);
