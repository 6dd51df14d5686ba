// libtcod's side of `generate.noise`: the same grid of 512 by 512 samples, 16 to a cell. The
// argument is perlin2, fbm5 or simplex2. Lines in: "pass" samples the grid and answers nanoseconds
// a sample; "range" answers the largest absolute value.
#include <libtcod/noise.h>
#include <libtcod/version.h>

#include <chrono>
#include <cmath>
#include <cstring>
#include <iostream>
#include <string>
#include <vector>

int main(int argc, char **argv) {
    const std::string what = argc > 1 ? argv[1] : "perlin2";
    const int side = 512;
    TCOD_noise_t noise = TCOD_noise_new(2, TCOD_NOISE_DEFAULT_HURST, TCOD_NOISE_DEFAULT_LACUNARITY,
                                        nullptr);
    const TCOD_noise_type_t type = what == "simplex2" ? TCOD_NOISE_SIMPLEX : TCOD_NOISE_PERLIN;
    const bool sum = what == "fbm5";
    std::vector<float> out(side * side);
    std::cout << "ready libtcod " << TCOD_STRVERSION << std::endl;
    std::string line;
    while (std::getline(std::cin, line)) {
        if (line == "pass") {
            auto begin = std::chrono::steady_clock::now();
            for (int y = 0; y < side; y++) {
                for (int x = 0; x < side; x++) {
                    const float at[2] = {static_cast<float>(x) / 16.0f,
                                         static_cast<float>(y) / 16.0f};
                    out[y * side + x] = sum ? TCOD_noise_get_fbm_ex(noise, at, 5.0f, type)
                                            : TCOD_noise_get_ex(noise, at, type);
                }
            }
            std::chrono::duration<double, std::nano> spent =
                std::chrono::steady_clock::now() - begin;
            std::cout << spent.count() / (side * side) << std::endl;
        } else if (line == "range") {
            float largest = 0.0f;
            for (float value : out) largest = std::fmax(largest, std::fabs(value));
            std::cout << largest << std::endl;
        } else {
            std::cout << "what?" << std::endl;
        }
    }
    TCOD_noise_delete(noise);
    return 0;
}
