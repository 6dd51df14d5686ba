// Boost.Graph's side of `tactics.flood`: Dijkstra from 100 open cells of a map at once, through one
// more vertex that leads to all of them at no cost. The argument is a MovingAI map. Lines in: "pass"
// floods and answers nanoseconds a cell; "sum" answers the sum of all distances.
#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>
#include <boost/version.hpp>

#include <chrono>
#include <cmath>
#include <iostream>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "map_cells.hpp"

namespace {

struct cost_of_edge {
    double cost;
};
using graph =
    boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, cost_of_edge>;
using vertex = boost::graph_traits<graph>::vertex_descriptor;

graph make_graph(const map_cells &map) {
    const std::size_t cells = static_cast<std::size_t>(map.width) * map.height;
    std::vector<std::pair<std::size_t, std::size_t>> edges;
    std::vector<cost_of_edge> costs;
    for (int y = 0; y < map.height; y++) {
        for (int x = 0; x < map.width; x++) {
            if (!map.is_open(x, y)) continue;
            for (int dy = -1; dy <= 1; dy++) {
                for (int dx = -1; dx <= 1; dx++) {
                    if ((dx == 0 && dy == 0) || !map.is_open(x + dx, y + dy)) continue;
                    if (!map.is_open(x + dx, y) || !map.is_open(x, y + dy)) continue;
                    edges.emplace_back(y * map.width + x, (y + dy) * map.width + x + dx);
                    costs.push_back({dx != 0 && dy != 0 ? std::sqrt(2.0) : 1.0});
                }
            }
        }
    }
    for (int cell : map.spread(100)) {
        edges.emplace_back(cells, cell);
        costs.push_back({0.0});
    }
    return graph(boost::edges_are_unsorted_multi_pass, edges.begin(), edges.end(), costs.begin(),
                 cells + 1);
}

} // namespace

int main(int argc, char **argv) {
    map_cells map;
    if (!map.read(argc > 1 ? argv[1] : "")) {
        std::cout << "missing its map cannot be read" << std::endl;
        return 1;
    }
    graph g = make_graph(map);
    const std::size_t n = boost::num_vertices(g);
    auto index = get(boost::vertex_index, g);
    std::vector<vertex> parents(n);
    std::vector<double> costs(n);
    std::vector<boost::default_color_type> colors(n);
    std::cout << "ready Boost.Graph " << BOOST_LIB_VERSION << std::endl;
    std::string word;
    while (std::cin >> word) {
        double answer = 0.0;
        if (word == "pass") {
            auto begin = std::chrono::steady_clock::now();
            boost::dijkstra_shortest_paths(
                g, static_cast<vertex>(n - 1),
                boost::predecessor_map(boost::make_iterator_property_map(parents.begin(), index))
                    .distance_map(boost::make_iterator_property_map(costs.begin(), index))
                    .color_map(boost::make_iterator_property_map(colors.begin(), index))
                    .weight_map(get(&cost_of_edge::cost, g)));
            std::chrono::duration<double, std::nano> spent =
                std::chrono::steady_clock::now() - begin;
            answer = spent.count() / static_cast<double>(n - 1);
        } else {
            for (std::size_t i = 0; i + 1 < n; i++) {
                if (costs[i] < std::numeric_limits<double>::max()) answer += costs[i];
            }
        }
        std::cout.precision(17);
        std::cout << answer << std::endl;
    }
    return 0;
}
