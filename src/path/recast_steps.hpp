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

// Why a piece could not be built; nothing: a step of Recast failed, and the context heard why.
enum class failure { none, memory, spans, bytes };

// One rectangle of cells.
struct piece {
    int width, height;     // cells, with the border
    float low[3], high[3]; // m, with the border
    int border;            // cells on every side that belong to the neighbours
    double memory;         // bytes it may take; 0: any
};

// Marks what is in the way in the compact heightfield. `before` the floor is cut back by the agent's
// radius, and once more after it.
typedef void (*mark_fn)(void *user, rcContext &context, rcCompactHeightfield &field, bool before);

// Bytes that the steps after rasterizing take at once, measured: the columns and spans of both
// heightfields, distances, regions and the stacks of the flood.
inline double bytes_of(double columns, double spans) {
    return 12.0 * columns + 40.0 * spans;
}

// @param areas  of triangles: the area of those that may be walked on, RC_NULL_AREA of others.
// @return false if a step failed.
inline bool build_piece(rcContext &context, const settings &s, const piece &p,
                        const float *vertices, int vertex_count, const int *triangles,
                        int triangle_count, const unsigned char *areas, mark_fn mark, void *user,
                        workspace &work, failure &why) {
    why = failure::memory;
    work.width = p.width;
    work.height = p.height;
    work.solid = rcAllocHeightfield();
    work.compact = rcAllocCompactHeightfield();
    work.contours = rcAllocContourSet();
    work.mesh = rcAllocPolyMesh();
    if (work.solid == nullptr || work.compact == nullptr || work.contours == nullptr ||
        work.mesh == nullptr) {
        return false;
    }
    why = failure::none;
    double columns = static_cast<double>(p.width) * static_cast<double>(p.height);
    if (p.memory > 0.0 && bytes_of(columns, 0.0) > p.memory) {
        why = failure::bytes;
        return false;
    }
    if (!rcCreateHeightfield(&context, *work.solid, p.width, p.height, p.low, p.high, s.cell,
                             s.cell_height) ||
        !rcRasterizeTriangles(&context, vertices, vertex_count, triangles, areas, triangle_count,
                              *work.solid, s.climb)) {
        return false;
    }
    rcFilterLowHangingWalkableObstacles(&context, s.climb, *work.solid);
    rcFilterLedgeSpans(&context, s.height, s.climb, *work.solid);
    rcFilterWalkableLowHeightSpans(&context, s.height, *work.solid);
    // Recast numbers spans in 24 bits, and would wrap without a word.
    int spans = rcGetHeightFieldSpanCount(&context, *work.solid);
    if (spans >= 1 << 24) why = failure::spans;
    if (p.memory > 0.0 && bytes_of(columns, spans) > p.memory) why = failure::bytes;
    if (why != failure::none ||
        !rcBuildCompactHeightfield(&context, s.height, s.climb, *work.solid, *work.compact)) {
        return false;
    }
    if (mark != nullptr) mark(user, context, *work.compact, true);
    if (!rcErodeWalkableArea(&context, s.radius, *work.compact)) return false;
    if (mark != nullptr) mark(user, context, *work.compact, false);
    bool built =
        rcBuildDistanceField(&context, *work.compact) &&
        rcBuildRegions(&context, *work.compact, p.border, s.region_min, s.region_merge) &&
        rcBuildContours(&context, *work.compact, s.edge_error, s.edge_max, *work.contours) &&
        rcBuildPolyMesh(&context, *work.contours, s.max_corners, *work.mesh);
    return built && (!(s.detail_step > 0.0f) || build_detail(context, s, work));
}

// The whole level as one piece; steep triangles are cleared here.
inline bool build(rcContext &context, const settings &s, const float *vertices, int vertex_count,
                  const int *triangles, int triangle_count, unsigned char *areas, workspace &work) {
    piece p = {0, 0, {0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}, 0, 0.0};
    rcCalcBounds(vertices, vertex_count, p.low, p.high);
    rcCalcGridSize(p.low, p.high, s.cell, &p.width, &p.height);
    rcClearUnwalkableTriangles(&context, s.slope_degrees, vertices, vertex_count, triangles,
                               triangle_count, areas);
    failure why = failure::none;
    return build_piece(context, s, p, vertices, vertex_count, triangles, triangle_count, areas,
                       nullptr, nullptr, work, why);
}

} // namespace ployi_recast
