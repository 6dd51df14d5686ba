// Movement patterns from a file: a ship chooses between two patterns by weight and plays them, the
// file being checked with places and suggestions. Shows ploy_moves_file_load and ploy_moves_choose.
#include <stdio.h>
#include <string.h>

#include "ploy/data/moves_file.h"

static const char text[] =
    "{\"patterns\": [\n"
    "  {\"name\": \"zigzag\", \"weight\": 2, \"moves\": [\n"
    "    {\"forward\": 2}, {\"right\": 20}, {\"forward\": 2}, {\"left\": 20}]},\n"
    "  {\"name\": \"swoop\", \"moves\": [\n"
    "    {\"left\": 45, \"forward\": 3}, {\"right\": 90, \"forward\": 3, \"action\": "
    "\"fire\"}]}]}\n";

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_moves_file *file = NULL;
    if (ploy_moves_file_load(text, sizeof text - 1, "ship.json", &env, NULL, &file) != PLOY_OK) {
        return 1;
    }
    ploy_kinematic ship = ploy_kinematic_make(ploy_vec2_zero(), 0.0f);
    int32_t last = -1;
    for (uint64_t round = 0; round < 4; round++) {
        last = ploy_moves_choose(ploy_moves_file_weights(file), ploy_moves_file_count(file), last,
                                 ploy_rng_key_make(1), 0, round);
        ploy_moves moves = ploy_moves_file_at(file, last);
        ploy_moves_state state = {0, false, false};
        ploy_name action;
        int fired = 0;
        while (ploy_moves_step(&moves, &state, &ship, &action)) {
            fired += action.hash == ploy_name_of("fire").hash;
        }
        bool zigzag = last == ploy_moves_file_find(file, "zigzag");
        printf("%s, fired %d times, at %.1f %.1f\n", zigzag ? "zigzag" : "swoop", fired,
               ship.position.x, ship.position.y);
    }
    ploy_moves_file_destroy(file);

    static const char wrong[] = "{\"patterns\": [{\"name\": \"a\", \"moves\": [{\"lefft\": 10}]}]}";
    ploy_diags *diags = NULL;
    if (ploy_diags_create(4, &env, &diags) != PLOY_OK) return 1;
    ploy_moves_file_load(wrong, sizeof wrong - 1, "ship.json", &env, diags, &file);
    char line[256];
    ploy_diag_print(ploy_diags_get(diags, 0), line, sizeof line);
    printf("%s\n", line);
    ploy_diags_destroy(diags);
    return 0;
}
