/// @file ploy/path/domains.h
/// Dirichlet domains: whose place is this? Each position belongs to the nearest of some points.
///
/// The simplest representation of a world: put points down and it is done. Weights make domains
/// larger. Divided weights (distance / weight) are the flatter cones of the textbooks; they have a
/// trap, because the domain of a strong point comes up again behind a weak one: ploy_domains_split
/// finds such places. Subtracted weights (distance - weight) do not do that.
///
/// Strictly, walking from one domain to a neighbour may cross a third one; keep points near what
/// is in the way, and avoid walls on top.
///
/// Cost: O(points) a question; for unweighted points a spatial index answers faster
/// (ploy/geom/kdtree.h). Threads: no state. Units: metres.
#pragma once

#include "ploy/base/env.h"
#include "ploy/geom/box.h"
#include "ploy/geom/draw.h"

typedef enum ploy_domain_kind {
    PLOY_DOMAIN_PLAIN,   ///< the nearest point
    PLOY_DOMAIN_DIVIDED, ///< the least distance / weight
    PLOY_DOMAIN_SHIFTED, ///< the least distance - weight
    PLOY_DOMAIN_FALLOFF  ///< the least of what each point's falloff makes of the distance
} ploy_domain_kind;

/// What a point makes of a distance: how far away a place is for it. Rises with the distance.
/// @param point  its index.
typedef double (*ploy_domain_falloff_fn)(void *user, int32_t point, double distance);

/// Points with weights; the caller owns the arrays.
typedef struct ploy_domains {
    ploy_domain_kind kind;
    const ploy_vec3 *points;
    const float *weights; ///< above 0; NULL: all 1. Not read by the plain kind and falloffs
    int32_t count;
    ploy_domain_falloff_fn falloff; ///< of PLOY_DOMAIN_FALLOFF; NULL: the distance
    void *falloff_user;
} ploy_domains;

/// The point that a place belongs to; of equals the lower. -1 if there are no points, or the place
/// is not finite.
PLOY_API int32_t ploy_domains_find(const ploy_domains *domains, ploy_vec3 place);

/// Looks for domains in several pieces on a raster of columns x rows over a box of the plane.
/// @param out  room for count: how many pieces each domain has there (cells that touch along a
///             side hang together); 0 if it has none.
/// @return PLOY_ERR_ARGUMENT; PLOY_ERR_MEMORY: env lends room for a moment.
PLOY_API ploy_result ploy_domains_split(const ploy_domains *domains, ploy_box2 box, int32_t columns,
                                        int32_t rows, const ploy_env *env, int32_t *out);

/// Draws the borders between domains on such a raster, and the points.
PLOY_API void ploy_domains_draw(const ploy_domains *domains, ploy_box2 box, int32_t columns,
                                int32_t rows, ploy_draw *out);
