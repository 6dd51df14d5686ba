// The network of four waypoints that the tests walk on.
#pragma once

#include <math.h>

#include "ploy/path/network.h"
#include "tests/test.h"

enum { A = 0xa, B = 0xb, C = 0xc, D = 0xd };

static inline ploy_waypoint toy_waypoint(uint64_t id, float x, float y) {
    ploy_waypoint w = {id, {x, y, 0.0f}, {1.0f, 0.0f, 0.0f, 0.0f}, 0.5f};
    return w;
}

// WAY-11: A(0,0) B(3,4) C(6,0) D(3,-1), two ways A-B, B-C, A-D, D-C.
static inline ploy_network *toy_network_make(test_context *t) {
    ploy_env env = ploy_env_default();
    ploy_network *network = NULL;
    ploy_waypoint points[] = {toy_waypoint(A, 0, 0), toy_waypoint(B, 3, 4), toy_waypoint(C, 6, 0),
                              toy_waypoint(D, 3, -1)};
    CHECK_OK(ploy_network_create(&env, &network));
    for (size_t i = 0; i < COUNT_OF(points); i++) CHECK_OK(ploy_network_add(network, &points[i]));
    CHECK_OK(ploy_network_connect_both(network, A, B, 1.0f));
    CHECK_OK(ploy_network_connect_both(network, B, C, 1.0f));
    CHECK_OK(ploy_network_connect_both(network, A, D, 1.0f));
    CHECK_OK(ploy_network_connect_both(network, D, C, 1.0f));
    return network;
}
