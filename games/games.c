#include "games/games.h"

#include <stddef.h>

// Every game, in the order in which they are listed; each has a separate folder, in which its
// type is defined. One to a line, so that two people can add theirs.
// clang-format off
#define GAMES(game) \
    game(soccer) \
    game(westworld) \
    game(ghosts) \
    game(raven) \
    game(squad)
// clang-format on

#define GAMES_TYPE(name) extern const ploy_sim_type ploy_game_##name;
#define GAMES_ITEM(name) &ploy_game_##name,

GAMES(GAMES_TYPE)

const ploy_sim_type *const *ploy_games(void) {
    static const ploy_sim_type *const games[] = {GAMES(GAMES_ITEM) NULL};
    return games;
}
