// A ball is thrown: where it is, where it comes down, and how much sooner in air that brakes it.
// Then it is thrown at a walking target, and in a room whose beam only one of two throws
// clears. Shows ploy_projectile_landing, ploy_flight_landing, ploy_firing_lead and
// ploy_firing_choose.
#include <stdio.h>

#include "ploy/move/flight.h"
#include "ploy/move/trajectory.h"

// A beam across the room, between 2 and 3 m high at x = 5.
static bool beam(void *user, ploy_vec3 from, ploy_vec3 to, uint32_t mask, ploy_scene_hit *hit) {
    (void)user, (void)mask, (void)hit;
    if (from.x > 5.0f || to.x < 5.0f) return false;
    float height = from.z + (to.z - from.z) * (5.0f - from.x) / (to.x - from.x);
    if (height < 2.0f || height > 3.0f) return false;
    hit->distance = 0.0f;
    return true;
}

int main(void) {
    ploy_vec3 hand = {0.0f, 0.0f, 1.5f}, velocity = {8.0f, 0.0f, 5.0f};
    ploy_projectile ball = ploy_projectile_make(hand, velocity);
    ploy_landing landing;
    if (ploy_projectile_landing(&ball, 0.0f, &landing)) {
        printf("after half a second it is %.1f m high; it lands at %.1f m after %.2f s\n",
               ploy_projectile_at(&ball, 0.5f).z, landing.point.x, landing.time);
    }
    ploy_flight_def air = ploy_flight_def_default();
    air.drag = 0.3f;
    ploy_flight flight = ploy_flight_make(&air);
    ploy_flyer flyer = {hand, velocity, 0.0f};
    if (ploy_flight_landing(&flight, flyer, 0.0f, 10.0f, &landing)) {
        printf("with drag at %.1f m\n", landing.point.x);
    }
    ploy_shot shot;
    ploy_vec3 walker = {10.0f, 0.0f, 1.0f}, walks = {0.0f, 1.5f, 0.0f};
    if (ploy_firing_lead(hand, walker, walks, 12.0f, ball.gravity, PLOY_ARC_LOW, 0.01f, &shot)) {
        printf("the walker is hit %.1f m further on\n", walks.y * shot.time);
    }
    ploy_throw throws[2] = {{"hard", 12.0f, PLOY_ARC_LOW}, {"lob", 12.0f, PLOY_ARC_HIGH}};
    ploy_scene room = {beam, NULL, NULL, NULL, NULL};
    int32_t chosen = ploy_firing_choose(hand, walker, ball.gravity, throws, 2, 0.0f, &room, ~0u,
                                        ploy_agent_id_make(1, 1), NULL, &shot);
    printf("past the beam: %s\n", chosen < 0 ? "not at all" : throws[chosen].name);
    return 0;
}
