#include "games/games.h"
#define LAB_TYPES ploy_games()
#include "tests/labs/lab_picture.h"

TEST(every_colour_of_a_game_has_a_meaning) {
    for (const ploy_sim_type *const *type = ploy_games(); *type != NULL; type++) {
        lab_check_keys(t, *type, 1500);
    }
}
