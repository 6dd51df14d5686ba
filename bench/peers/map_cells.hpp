// A MovingAI map for peers: which cells are open, and cells spread over it as our side does.
#pragma once

#include <fstream>
#include <string>
#include <vector>

struct map_cells {
    int width = 0, height = 0;
    std::vector<std::string> rows;

    bool read(const std::string &path) {
        std::ifstream in(path);
        std::string word;
        while (in >> word && word != "map") {
            if (word == "height") in >> height;
            if (word == "width") in >> width;
        }
        for (std::string row; static_cast<int>(rows.size()) < height && in >> row;) {
            rows.push_back(row);
        }
        return width > 0 && static_cast<int>(rows.size()) == height;
    }
    bool is_open(int x, int y) const {
        if (x < 0 || y < 0 || x >= width || y >= height) return false;
        const char c = rows[static_cast<std::size_t>(y)][static_cast<std::size_t>(x)];
        return c == '.' || c == 'G' || c == 'S';
    }
    std::vector<int> spread(int count) const {
        std::vector<int> out;
        const long long cells = static_cast<long long>(width) * height;
        for (int i = 0; i < count; i++) {
            int cell = static_cast<int>(cells * i / count);
            for (int tried = 0; tried < cells && !is_open(cell % width, cell / width); tried++) {
                cell = (cell + 1) % static_cast<int>(cells);
            }
            out.push_back(cell);
        }
        return out;
    }
};
