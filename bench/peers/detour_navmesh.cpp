// Detour's side of `path.navmesh`: the level's mesh is built by the same steps as ours, then asked.
// The argument is "path", "nearest" or "ray", how many metres up and down places are looked for, and
// a level's OBJ file with its file of pairs beside it, with colons between. Lines in: "pass" asks all
// questions and answers nanoseconds each; "polygons" says how
// many there are; "value:N", "x:N", "y:N" and "z:N" tell of question N what came of it: the length of
// the way, the share of the ray, and where the nearest place is.
#include <DetourNavMesh.h>
#include <DetourNavMeshBuilder.h>
#include <DetourNavMeshQuery.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "path/recast_steps.hpp"

namespace {

constexpr int every = 10;     // pairs left out between two, as on our side
constexpr int corridor = 512; // most polygons and corners of a way
constexpr int nodes = 4096;

struct question {
    float from[3], to[3];
    dtPolyRef from_ref, to_ref;
};

struct answer {
    float value = 0.0f, at[3] = {0.0f, 0.0f, 0.0f};
};

std::vector<float> vertices;
std::vector<int> triangles;
std::vector<question> questions;
std::vector<answer> answers;
dtNavMesh *mesh = nullptr;
dtNavMeshQuery *query = nullptr;
dtQueryFilter filter;
int polygons = 0;

bool read_level(const std::string &path) {
    std::ifstream in(path);
    for (std::string line; std::getline(in, line);) {
        std::istringstream words(line);
        std::string word;
        words >> word;
        if (word == "v") {
            std::string number;
            for (int i = 0; i < 3 && words >> number; i++) {
                vertices.push_back(std::strtof(number.c_str(), nullptr));
            }
        } else if (word == "f") {
            std::vector<int> face;
            for (std::string corner; words >> corner;) {
                int index = std::atoi(corner.c_str());
                face.push_back(index > 0 ? index - 1
                                         : static_cast<int>(vertices.size() / 3) + index);
            }
            for (std::size_t i = 2; i < face.size(); i++) {
                triangles.insert(triangles.end(), {face[0], face[i - 1], face[i]});
            }
        }
    }
    return !triangles.empty();
}

bool build() {
    rcContext context(false);
    ployi_recast::workspace work;
    // Our own def's default, in metres.
    ployi_recast::settings settings = ployi_recast::make_settings(
        0.3f, 0.2f, 0.6f, 2.0f, 0.9f, 45.0f, 5.76f, 36.0f, 12.0f, 0.39f, 6, 1.8f, 0.2f);
    std::vector<unsigned char> areas(triangles.size() / 3, 1);
    if (!ployi_recast::build(context, settings, vertices.data(),
                             static_cast<int>(vertices.size() / 3), triangles.data(),
                             static_cast<int>(triangles.size() / 3), areas.data(), work)) {
        return false;
    }
    rcPolyMesh &made = *work.mesh;
    polygons = made.npolys;
    for (int i = 0; i < made.npolys; i++) {
        made.areas[i] = 0;
        made.flags[i] = 1;
    }
    dtNavMeshCreateParams params = {};
    params.verts = made.verts;
    params.vertCount = made.nverts;
    params.polys = made.polys;
    params.polyAreas = made.areas;
    params.polyFlags = made.flags;
    params.polyCount = made.npolys;
    params.nvp = made.nvp;
    params.detailMeshes = work.detail->meshes;
    params.detailVerts = work.detail->verts;
    params.detailVertsCount = work.detail->nverts;
    params.detailTris = work.detail->tris;
    params.detailTriCount = work.detail->ntris;
    params.walkableHeight = 2.0f;
    params.walkableRadius = 0.6f;
    params.walkableClimb = 0.9f;
    std::copy(made.bmin, made.bmin + 3, params.bmin);
    std::copy(made.bmax, made.bmax + 3, params.bmax);
    params.cs = made.cs;
    params.ch = made.ch;
    params.buildBvTree = true;
    unsigned char *data = nullptr;
    int size = 0;
    if (!dtCreateNavMeshData(&params, &data, &size)) return false;
    mesh = dtAllocNavMesh();
    query = dtAllocNavMeshQuery();
    return dtStatusSucceed(mesh->init(data, size, DT_TILE_FREE_DATA)) &&
           dtStatusSucceed(query->init(mesh, nodes));
}

float extents[3] = {2.0f, 4.0f, 2.0f};

bool read_pairs(const std::string &path) {
    std::string command = "gzip -dc '" + path + "'";
    std::FILE *in = popen(command.c_str(), "r");
    if (in == nullptr) return false;
    char line[256];
    for (int i = -1; std::fgets(line, sizeof line, in) != nullptr; i++) {
        question q = {};
        if (i < 0 || i % every != 0 ||
            std::sscanf(line, "%f,%f,%f,%f,%f,%f", &q.from[0], &q.from[1], &q.from[2], &q.to[0],
                        &q.to[1], &q.to[2]) != 6) {
            continue;
        }
        questions.push_back(q);
    }
    pclose(in);
    return !questions.empty();
}

// Ways and rays are asked from places on the mesh.
void place() {
    for (question &q : questions) {
        float at[3];
        query->findNearestPoly(q.from, extents, &filter, &q.from_ref, at);
        if (q.from_ref != 0) std::copy(at, at + 3, q.from);
        query->findNearestPoly(q.to, extents, &filter, &q.to_ref, at);
        if (q.to_ref != 0) std::copy(at, at + 3, q.to);
    }
}

void ask_path(const question &q, answer &out) {
    static dtPolyRef row[corridor];
    static float points[corridor * 3];
    int count = 0, corners = 0;
    query->findPath(q.from_ref, q.to_ref, q.from, q.to, &filter, row, &count, corridor);
    query->findStraightPath(q.from, q.to, row, count, points, nullptr, nullptr, &corners, corridor);
    // Seen from above, as our lengths are.
    float length = 0.0f;
    for (int i = 1; i < corners; i++) {
        float x = points[3 * i] - points[3 * i - 3], z = points[3 * i + 2] - points[3 * i - 1];
        length += std::sqrt(x * x + z * z);
    }
    out.value = length;
}

void ask_ray(const question &q, answer &out) {
    float normal[3];
    static dtPolyRef row[corridor];
    int count = 0;
    query->raycast(q.from_ref, q.from, q.to, &filter, &out.value, normal, row, &count, corridor);
}

void ask_nearest(const question &q, answer &out) {
    dtPolyRef ref = 0;
    query->findNearestPoly(q.from, extents, &filter, &ref, out.at);
    out.value = static_cast<float>(mesh->decodePolyIdPoly(ref));
}

} // namespace

int main(int argc, char **argv) {
    std::string argument = argc > 1 ? argv[1] : "";
    std::size_t colon = argument.find(':');
    std::size_t second = colon == std::string::npos ? colon : argument.find(':', colon + 1);
    std::string mode = argument.substr(0, colon);
    std::string level = second == std::string::npos ? "" : argument.substr(second + 1);
    if (second != std::string::npos)
        extents[1] = std::strtof(argument.c_str() + colon + 1, nullptr);
    std::string pairs = level.substr(0, level.rfind('.')) + ".pairs.csv.gz";
    if (!read_level(level) || !read_pairs(pairs) || !build()) {
        std::cout << "missing its level cannot be read" << std::endl;
        return 1;
    }
    void (*ask)(const question &, answer &) = mode == "path"  ? ask_path
                                              : mode == "ray" ? ask_ray
                                                              : ask_nearest;
    if (mode != "nearest") place();
    answers.resize(questions.size());
    std::cout << "ready Detour " << DT_NAVMESH_VERSION << std::endl;
    std::cout.precision(17);
    for (std::string word; std::cin >> word;) {
        double told = 0.0;
        std::size_t at = word.find(':');
        std::string what = word.substr(0, at);
        std::size_t index = at == std::string::npos
                                ? 0
                                : static_cast<std::size_t>(std::atoi(word.c_str() + at + 1));
        const answer &one = answers[std::min(index, answers.size() - 1)];
        if (word == "pass") {
            auto begin = std::chrono::steady_clock::now();
            for (std::size_t i = 0; i < questions.size(); i++) ask(questions[i], answers[i]);
            std::chrono::duration<double, std::nano> spent =
                std::chrono::steady_clock::now() - begin;
            told = spent.count() / static_cast<double>(questions.size());
        } else if (word == "polygons") {
            told = polygons;
        } else if (what == "value") {
            told = static_cast<double>(one.value);
        } else {
            told = static_cast<double>(one.at[what == "x" ? 0 : what == "y" ? 1 : 2]);
        }
        std::cout << told << std::endl;
    }
    dtFreeNavMeshQuery(query);
    dtFreeNavMesh(mesh);
    return 0;
}
