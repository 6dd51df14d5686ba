// libnoise's side of `generate.noise/perlin3`: one octave of gradient noise in space over the same
// grid of 512 by 512 samples, 16 to a cell. Lines in: "pass" samples the grid and answers
// nanoseconds a sample; "range" answers the largest absolute value.
#include <libnoise/noise.h>

#include <chrono>
#include <cmath>
#include <iostream>
#include <string>
#include <vector>

int main() {
    const int side = 512;
    noise::module::Perlin perlin;
    perlin.SetOctaveCount(1);
    perlin.SetNoiseQuality(noise::QUALITY_BEST); // the quintic fade, as ours
    std::vector<float> out(side * side);
    std::cout << "ready libnoise 1.0.0" << std::endl;
    std::string line;
    while (std::getline(std::cin, line)) {
        if (line == "pass") {
            auto begin = std::chrono::steady_clock::now();
            for (int y = 0; y < side; y++) {
                for (int x = 0; x < side; x++) {
                    out[y * side + x] =
                        static_cast<float>(perlin.GetValue(x / 16.0, y / 16.0, 0.375));
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
    return 0;
}
