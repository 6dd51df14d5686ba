/// @file ploy/path/domains.h
/// Dirichlet domains: each position belongs to the nearest of a set of points.
///
/// The simplest representation of a world: it needs only a set of points. Weights make domains
/// larger. Divided weights (distance / weight) are the flatter cones of the textbooks. They have a
/// pitfall: the domain of a strong point can reappear behind a weak one. ploy_domains_split finds
/// such places. Subtracted weights (distance - weight) do not have this problem.
///
/// Strictly, walking from one domain to a neighbour may cross a third one; place points near
/// obstacles, and use wall avoidance as well.
///
/// Cost: O(points) a query; for unweighted points a spatial index answers faster
/// (ploy/geom/kdtree.h). Threads: no state. Units: metres.
#pragma once

#include "ploy/base/env.h"
#include "ploy/geom/box.h"
#include "ploy/geom/draw.h"

typedef enum ploy_domain_kind {
    PLOY_DOMAIN_PLAIN,   ///< the nearest point
    PLOY_DOMAIN_DIVIDED, ///< the least distance / weight
    PLOY_DOMAIN_SHIFTED, ///< the least distance - weight
    PLOY_DOMAIN_FALLOFF  ///< the least value of the points' falloff functions
} ploy_domain_kind;

/// Maps a distance to a point's own measure of it. Must rise with the distance.
/// @param point  its index.
typedef double (*ploy_domain_falloff_fn)(void *user, int32_t point, double distance);

/// Points with weights; the caller owns the arrays.
typedef struct ploy_domains {
    ploy_domain_kind kind;
    const ploy_vec3 *points;
    const float *weights; ///< above 0; NULL: all 1. Not used by the plain and falloff kinds
    int32_t count;
    ploy_domain_falloff_fn falloff; ///< of PLOY_DOMAIN_FALLOFF; NULL: the distance
    void *falloff_user;
} ploy_domains;

/// Returns the point that a place belongs to; among equals the lower index. -1 if there are no
/// points, or the place is not finite.
PLOY_API int32_t ploy_domains_find(const ploy_domains *domains, ploy_vec3 place);

/// Counts the pieces of each domain on a raster of columns x rows over a box of the plane.
/// @param out  room for count: how many pieces each domain has there (cells that touch along a
///             side are connected); 0 if it has none.
/// @return PLOY_ERR_ARGUMENT; PLOY_ERR_MEMORY: the call allocates temporary memory from env.
PLOY_API ploy_result ploy_domains_split(const ploy_domains *domains, ploy_box2 box, int32_t columns,
                                        int32_t rows, const ploy_env *env, int32_t *out);

/// Draws the borders between domains on such a raster, and the points.
PLOY_API void ploy_domains_draw(const ploy_domains *domains, ploy_box2 box, int32_t columns,
                                int32_t rows, ploy_draw *out);
