// Boost.Graph's side of `path.grid`: astar_search over a compressed-row graph of the free cells,
// with double costs and an octile estimate; all arrays are allocated once. The argument is a
// MovingAI map with its scenario beside it, then how many problems are left out between two. Lines
// in: "pass" solves the problems, each with its path as every cell, and answers nanoseconds a
// problem; "length" and "cells" answer the sums over the last pass.
#include <boost/graph/astar_search.hpp>
#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/property_map/property_map.hpp>
#include <boost/version.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace {

struct cost_of_edge {
    double cost;
};
using graph =
    boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, cost_of_edge>;
using vertex = boost::graph_traits<graph>::vertex_descriptor;

struct problem {
    vertex start, goal;
};

const double sqrt2 = std::sqrt(2.0);

int width = 0, height = 0;
std::vector<std::string> rows;
std::vector<problem> problems;

bool is_free(int x, int y) {
    if (x < 0 || y < 0 || x >= width || y >= height) return false;
    char c = rows[static_cast<std::size_t>(y)][static_cast<std::size_t>(x)];
    return c == '.' || c == 'G' || c == 'S';
}

bool read_map(const std::string &path) {
    std::ifstream in(path);
    std::string word;
    while (in >> word && word != "map") {
        if (word == "height") in >> height;
        if (word == "width") in >> width;
    }
    for (std::string row; static_cast<int>(rows.size()) < height && in >> row;) rows.push_back(row);
    return width > 0 && static_cast<int>(rows.size()) == height;
}

bool read_scenario(const std::string &path, int every) {
    std::ifstream in(path);
    std::string line;
    std::getline(in, line);
    for (int index = 0; std::getline(in, line);) {
        std::istringstream words(line);
        std::string bucket, name;
        int w, h, sx, sy, gx, gy;
        if (!(words >> bucket >> name >> w >> h >> sx >> sy >> gx >> gy)) continue;
        if (index++ % every != 0) continue;
        problems.push_back(
            {static_cast<vertex>(sy * width + sx), static_cast<vertex>(gy * width + gx)});
    }
    return !problems.empty();
}

graph make_graph() {
    std::vector<std::pair<std::size_t, std::size_t>> edges;
    std::vector<cost_of_edge> costs;
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            if (!is_free(x, y)) continue;
            for (int dy = -1; dy <= 1; dy++) {
                for (int dx = -1; dx <= 1; dx++) {
                    if ((dx == 0 && dy == 0) || !is_free(x + dx, y + dy)) continue;
                    if (!is_free(x + dx, y) || !is_free(x, y + dy)) continue;
                    edges.emplace_back(y * width + x, (y + dy) * width + x + dx);
                    costs.push_back({dx != 0 && dy != 0 ? sqrt2 : 1.0});
                }
            }
        }
    }
    return graph(boost::edges_are_unsorted_multi_pass, edges.begin(), edges.end(), costs.begin(),
                 static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
}

struct found {};

struct goal_visitor : boost::default_astar_visitor {
    explicit goal_visitor(vertex g) : goal(g) {
    }
    void examine_vertex(vertex v, const graph &) const {
        if (v == goal) throw found();
    }
    vertex goal;
};

struct octile : boost::astar_heuristic<graph, double> {
    explicit octile(vertex g) : x(static_cast<int>(g) % width), y(static_cast<int>(g) / width) {
    }
    double operator()(vertex v) const {
        int dx = std::abs(static_cast<int>(v) % width - x);
        int dy = std::abs(static_cast<int>(v) / width - y);
        int less = std::min(dx, dy);
        return std::max(dx, dy) - less + sqrt2 * less;
    }
    int x, y;
};

} // namespace

int main(int argc, char **argv) {
    std::string map = argc > 1 ? argv[1] : "";
    int every = 1;
    std::size_t colon = map.rfind(':');
    if (colon != std::string::npos) {
        every = std::max(1, std::atoi(map.c_str() + colon + 1));
        map.resize(colon);
    }
    if (!read_map(map) || !read_scenario(map + ".scen", every)) {
        std::cout << "missing its map cannot be read" << std::endl;
        return 1;
    }
    graph g = make_graph();
    std::size_t n = boost::num_vertices(g);
    auto index = get(boost::vertex_index, g);
    std::vector<vertex> parents(n);
    std::vector<double> costs(n), sums(n);
    std::vector<boost::default_color_type> colors(n);
    auto parent_map = boost::make_iterator_property_map(parents.begin(), index);
    auto cost_map = boost::make_iterator_property_map(costs.begin(), index);
    auto sum_map = boost::make_iterator_property_map(sums.begin(), index);
    auto color_map = boost::make_iterator_property_map(colors.begin(), index);
    std::vector<vertex> path;
    std::cout << "ready Boost.Graph " << BOOST_LIB_VERSION << std::endl;
    double length = 0.0, cells = 0.0;
    std::string word;
    while (std::cin >> word) {
        double answer = word == "length" ? length : cells;
        if (word == "pass") {
            length = cells = 0.0;
            auto begin = std::chrono::steady_clock::now();
            for (const problem &p : problems) {
                try {
                    boost::astar_search(g, p.start, octile(p.goal),
                                        boost::visitor(goal_visitor(p.goal))
                                            .predecessor_map(parent_map)
                                            .distance_map(cost_map)
                                            .rank_map(sum_map)
                                            .color_map(color_map)
                                            .weight_map(get(&cost_of_edge::cost, g)));
                } catch (const found &) {
                    path.clear();
                    for (vertex v = p.goal; v != p.start; v = parents[v]) path.push_back(v);
                    std::reverse(path.begin(), path.end());
                    length += costs[p.goal];
                    cells += static_cast<double>(path.size());
                }
            }
            std::chrono::duration<double, std::nano> spent =
                std::chrono::steady_clock::now() - begin;
            answer = spent.count() / static_cast<double>(problems.size());
        }
        std::cout.precision(17);
        std::cout << answer << std::endl;
    }
    return 0;
}
