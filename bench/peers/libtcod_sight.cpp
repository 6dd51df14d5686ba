// libtcod's side of `tactics.visibility`: symmetric shadow casting from 64 open cells of a map
// without a limit, and the open cells counted that are seen, the own one not. The argument is a
// MovingAI map. Lines in: "pass" looks from all of them and answers nanoseconds a look; "seen"
// answers the cells of the last pass in sum.
#include <libtcod/fov.h>
#include <libtcod/version.h>

#include <chrono>
#include <iostream>
#include <string>

#include "map_cells.hpp"

int main(int argc, char **argv) {
    map_cells map;
    if (!map.read(argc > 1 ? argv[1] : "")) {
        std::cout << "missing its map cannot be read" << std::endl;
        return 1;
    }
    TCOD_map_t view = TCOD_map_new(map.width, map.height);
    for (int y = 0; y < map.height; y++) {
        for (int x = 0; x < map.width; x++) {
            TCOD_map_set_properties(view, x, y, map.is_open(x, y), map.is_open(x, y));
        }
    }
    const std::vector<int> looks = map.spread(64);
    std::cout << "ready libtcod " << TCOD_STRVERSION << std::endl;
    std::string word;
    double seen = 0.0;
    while (std::cin >> word) {
        double answer = seen;
        if (word == "pass") {
            long long sum = 0;
            auto begin = std::chrono::steady_clock::now();
            for (int cell : looks) {
                TCOD_map_compute_fov(view, cell % map.width, cell / map.width, 0, false,
                                     FOV_SYMMETRIC_SHADOWCAST);
                for (int y = 0; y < map.height; y++) {
                    for (int x = 0; x < map.width; x++) sum += TCOD_map_is_in_fov(view, x, y);
                }
                sum--;
            }
            std::chrono::duration<double, std::nano> spent =
                std::chrono::steady_clock::now() - begin;
            answer = spent.count() / static_cast<double>(looks.size());
            seen = static_cast<double>(sum);
        }
        std::cout.precision(17);
        std::cout << answer << std::endl;
    }
    TCOD_map_delete(view);
    return 0;
}
