// DetourCrowd's side of `move.crowd.detour`: agents on one flat polygon of 4 km by 4 km. The
// argument says how many there will be and how many steps a pass takes, "1000:20". Lines in:
// "x:y:vx:vy:gx:gy" adds an agent (where, how fast, where to) and answers 1; "pass" starts from
// there, takes its steps and answers nanoseconds for one agent's step.
#include <DetourCommon.h>
#include <DetourCrowd.h>
#include <DetourNavMesh.h>
#include <DetourNavMeshBuilder.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <string>
#include <vector>

namespace {

const float half = 2000.0f; // m

struct start {
    float x, y, vx, vy, gx, gy;
};

// One square, 4,000 cells of a metre a side.
dtNavMesh *make_mesh() {
    const unsigned short side = 4000, none = 0xffff;
    unsigned short verts[4 * 3] = {0, 0, 0, side, 0, 0, side, 0, side, 0, 0, side};
    // Detour's polygons go clockwise, seen from above.
    unsigned short polys[2 * 6] = {0, 3, 2, 1, none, none, none, none, none, none, none, none};
    unsigned short flags[1] = {1};
    unsigned char areas[1] = {0};
    dtNavMeshCreateParams params;
    std::memset(&params, 0, sizeof params);
    params.verts = verts;
    params.vertCount = 4;
    params.polys = polys;
    params.polyFlags = flags;
    params.polyAreas = areas;
    params.polyCount = 1;
    params.nvp = 6;
    params.walkableHeight = 2.0f;
    params.walkableRadius = 0.0f;
    params.walkableClimb = 1.0f;
    params.bmin[0] = params.bmin[2] = -half;
    params.bmax[0] = params.bmax[2] = half;
    params.bmax[1] = 1.0f;
    params.cs = 1.0f;
    params.ch = 0.1f;
    params.buildBvTree = true;
    unsigned char *data = nullptr;
    int size = 0;
    if (!dtCreateNavMeshData(&params, &data, &size)) return nullptr;
    dtNavMesh *mesh = dtAllocNavMesh();
    if (mesh == nullptr || dtStatusFailed(mesh->init(data, size, DT_TILE_FREE_DATA)))
        return nullptr;
    return mesh;
}

// A crowd as it is at the beginning of a pass, its targets found. Numbers of those added in
// `added`.
dtCrowd *make_crowd(dtNavMesh *mesh, const std::vector<start> &starts, int *added) {
    dtCrowd *crowd = dtAllocCrowd();
    if (crowd == nullptr || !crowd->init(static_cast<int>(starts.size()), 1.5f, mesh))
        return nullptr;
    dtCrowdAgentParams params;
    std::memset(&params, 0, sizeof params);
    params.radius = 1.5f;
    params.height = 2.0f;
    params.maxAcceleration = 100.0f;
    params.maxSpeed = 2.0f;
    params.collisionQueryRange = 15.0f;
    params.pathOptimizationRange = 30.0f;
    params.updateFlags = DT_CROWD_OBSTACLE_AVOIDANCE;
    *added = 0;
    const float extents[3] = {1.0f, 10.0f, 1.0f};
    for (const start &s : starts) {
        float at[3] = {s.x, 0.0f, s.y}, to[3] = {s.gx, 0.0f, s.gy}, found[3];
        dtPolyRef where = 0;
        int i = crowd->addAgent(at, &params);
        if (i < 0) continue;
        crowd->getNavMeshQuery()->findNearestPoly(to, extents, crowd->getFilter(0), &where, found);
        if (where == 0 || !crowd->requestMoveTarget(i, where, found)) continue;
        dtCrowdAgent *agent = crowd->getEditableAgent(i);
        agent->vel[0] = s.vx;
        agent->vel[2] = s.vy;
        *added += agent->active ? 1 : 0;
    }
    return crowd;
}

// Lets it find all its paths, for which it takes a few updates. False if it does not.
bool find_paths(dtCrowd *crowd, int count) {
    for (int tries = 0; tries < 10; tries++) {
        crowd->update(0.0f, nullptr);
        int valid = 0;
        for (int i = 0; i < count; i++) {
            valid += crowd->getAgent(i)->targetState == DT_CROWDAGENT_TARGET_VALID ? 1 : 0;
        }
        if (valid == count) return true;
    }
    return false;
}

} // namespace

int main(int argc, char **argv) {
    int count = 1000, steps = 20;
    if (argc > 1 && std::sscanf(argv[1], "%d:%d", &count, &steps) != 2) {
        std::cout << "missing COUNT:STEPS" << std::endl;
        return 1;
    }
    dtNavMesh *mesh = make_mesh();
    if (mesh == nullptr) {
        std::cout << "missing its mesh could not be built" << std::endl;
        return 1;
    }
    std::cout << "ready DetourCrowd" << std::endl;
    std::vector<start> starts;
    std::string word;
    while (std::cin >> word) {
        double answer = 1.0;
        start s;
        if (word == "pass") {
            int added = 0;
            dtCrowd *crowd = make_crowd(mesh, starts, &added);
            if (crowd == nullptr || added != count || !find_paths(crowd, count)) return 1;
            auto begin = std::chrono::steady_clock::now();
            for (int i = 0; i < steps; i++) crowd->update(0.25f, nullptr);
            std::chrono::duration<double, std::nano> spent =
                std::chrono::steady_clock::now() - begin;
            answer = spent.count() / (static_cast<double>(count) * steps);
            dtFreeCrowd(crowd);
        } else if (std::sscanf(word.c_str(), "%f:%f:%f:%f:%f:%f", &s.x, &s.y, &s.vx, &s.vy, &s.gx,
                               &s.gy) == 6) {
            starts.push_back(s);
        } else {
            answer = 0.0;
        }
        std::cout.precision(17);
        std::cout << answer << std::endl;
    }
    dtFreeNavMesh(mesh);
    return 0;
}
