// The steps from triangles to Recast's polygons, in Recast's own axes. Shared with the benchmark's
// peer, so that both sides search one and the same mesh.
#pragma once

#include <cmath>

#include <Recast.h>

namespace ployi_recast {

// In Recast's units: cells, but for what is named otherwise.
struct settings {
    float cell, cell_height; // m
    float slope_degrees;
    int height, climb, radius;
    int edge_max;
    float edge_error;
    int region_min, region_merge;
    int max_corners;
    float detail_step, detail_error; // m; a step of 0: no detail
};

// Settings in metres become cells; sizes of the agent are rounded to the safe side.
inline settings make_settings(float cell, float cell_height, float radius, float height,
                              float climb, float slope_degrees, float region_min,
                              float region_merge, float edge_max, float edge_error, int max_corners,
                              float detail_step, float detail_error) {
    settings s;
    s.cell = cell;
    s.cell_height = cell_height;
    s.slope_degrees = slope_degrees;
    s.height = static_cast<int>(std::ceil(height / cell_height));
    s.climb = static_cast<int>(std::floor(climb / cell_height));
    s.radius = static_cast<int>(std::ceil(radius / cell));
    s.edge_max = static_cast<int>(edge_max / cell + 0.001f);
    s.edge_error = edge_error / cell;
    s.region_min = static_cast<int>(region_min / (cell * cell) + 0.5f);
    s.region_merge = static_cast<int>(region_merge / (cell * cell) + 0.5f);
    s.max_corners = max_corners;
    s.detail_step = detail_step;
    s.detail_error = detail_error;
    return s;
}

struct workspace {
    rcHeightfield *solid = nullptr;
    rcCompactHeightfield *compact = nullptr;
    rcContourSet *contours = nullptr;
    rcPolyMesh *mesh = nullptr;
    rcPolyMeshDetail *detail = nullptr; // stays so without a step
    int width = 0, height = 0;

    workspace() = default;
    workspace(const workspace &) = delete;
    workspace &operator=(const workspace &) = delete;
    ~workspace() {
        rcFreeHeightField(solid);
        rcFreeCompactHeightfield(compact);
        rcFreeContourSet(contours);
        rcFreePolyMesh(mesh);
        rcFreePolyMeshDetail(detail);
    }
};

inline bool build_detail(rcContext &context, const settings &s, workspace &work) {
    work.detail = rcAllocPolyMeshDetail();
    return work.detail != nullptr &&
           rcBuildPolyMeshDetail(&context, *work.mesh, *work.compact, s.detail_step, s.detail_error,
                                 *work.detail);
}

// @param areas  of triangles: the area of those that may be walked on, RC_NULL_AREA of others;
//               steep ones are cleared here.
// @return false if a step failed; the context heard why.
inline bool build(rcContext &context, const settings &s, const float *vertices, int vertex_count,
                  const int *triangles, int triangle_count, unsigned char *areas, workspace &work) {
    float low[3], high[3];
    rcCalcBounds(vertices, vertex_count, low, high);
    rcCalcGridSize(low, high, s.cell, &work.width, &work.height);
    rcClearUnwalkableTriangles(&context, s.slope_degrees, vertices, vertex_count, triangles,
                               triangle_count, areas);
    work.solid = rcAllocHeightfield();
    work.compact = rcAllocCompactHeightfield();
    work.contours = rcAllocContourSet();
    work.mesh = rcAllocPolyMesh();
    if (work.solid == nullptr || work.compact == nullptr || work.contours == nullptr ||
        work.mesh == nullptr) {
        return false;
    }
    if (!rcCreateHeightfield(&context, *work.solid, work.width, work.height, low, high, s.cell,
                             s.cell_height) ||
        !rcRasterizeTriangles(&context, vertices, vertex_count, triangles, areas, triangle_count,
                              *work.solid, s.climb)) {
        return false;
    }
    rcFilterLowHangingWalkableObstacles(&context, s.climb, *work.solid);
    rcFilterLedgeSpans(&context, s.height, s.climb, *work.solid);
    rcFilterWalkableLowHeightSpans(&context, s.height, *work.solid);
    bool built =
        rcBuildCompactHeightfield(&context, s.height, s.climb, *work.solid, *work.compact) &&
        rcErodeWalkableArea(&context, s.radius, *work.compact) &&
        rcBuildDistanceField(&context, *work.compact) &&
        rcBuildRegions(&context, *work.compact, 0, s.region_min, s.region_merge) &&
        rcBuildContours(&context, *work.compact, s.edge_error, s.edge_max, *work.contours) &&
        rcBuildPolyMesh(&context, *work.contours, s.max_corners, *work.mesh);
    return built && (!(s.detail_step > 0.0f) || build_detail(context, s, work));
}

} // namespace ployi_recast
