// CGAL's side of `geom.cdt`: the same points and constraints as bench/bench_geom_cdt.c, with exact
// predicates. The argument is the number of points. Lines in: "pass" builds everything and answers
// nanoseconds a point; "triangles", "constraints" and "length" (of all edges, in metres) answer
// what was built.
#include <CGAL/Constrained_Delaunay_triangulation_2.h>
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/version.h>

#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

using kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using mesh = CGAL::Constrained_Delaunay_triangulation_2<kernel>;
using point = mesh::Point;

namespace {

std::uint32_t state = 1;

float random_share() {
    state = state * 1664525u + 1013904223u;
    return static_cast<float>(static_cast<double>(state >> 8) / 16777216.0);
}

point random_in(float x, float y, float size) {
    float px = x + random_share() * size;
    float py = y + random_share() * size;
    return point(px, py);
}

std::vector<point> points;
std::vector<std::pair<std::size_t, std::size_t>> edges;

void make(int count) {
    int edge_count = count / 5;
    int columns = static_cast<int>(std::ceil(std::sqrt(static_cast<double>(edge_count))));
    for (int i = 0; i < edge_count; i++) {
        auto x = static_cast<float>(i % columns), y = static_cast<float>(i / columns);
        points.push_back(random_in(x, y, 0.96875f));
        points.push_back(random_in(x, y, 0.96875f));
        edges.emplace_back(2 * i, 2 * i + 1);
    }
    while (static_cast<int>(points.size()) < count) {
        points.push_back(random_in(0.0f, 0.0f, static_cast<float>(columns)));
    }
}

double since(std::chrono::steady_clock::time_point begin) {
    return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin)
        .count();
}

} // namespace

int main(int argc, char **argv) {
    int count = argc > 1 ? std::atoi(argv[1]) : 10000;
    make(count);
    std::cout << "ready CGAL " << CGAL_VERSION_STR << std::endl;
    mesh cdt;
    std::string word;
    while (std::cin >> word) {
        double answer = 0.0;
        if (word == "pass") {
            // Sorts in space, inserts all points, then the constraints by their vertices: its
            // fastest way.
            auto begin = std::chrono::steady_clock::now();
            mesh fresh;
            fresh.insert_constraints(points.begin(), points.end(), edges.begin(), edges.end());
            answer = since(begin) / count;
            cdt.swap(fresh);
        } else if (word == "triangles") {
            answer = static_cast<double>(cdt.number_of_faces());
        } else {
            for (const mesh::Edge &edge : cdt.finite_edges()) {
                if (word == "constraints") {
                    answer += cdt.is_constrained(edge) ? 1.0 : 0.0;
                } else {
                    answer += std::sqrt(cdt.segment(edge).squared_length());
                }
            }
        }
        std::cout.precision(17);
        std::cout << answer << std::endl;
    }
    return 0;
}
