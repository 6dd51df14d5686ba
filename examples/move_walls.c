// In a room with pillars: one keeps off the walls with feelers, one goes along them, one hides
// from a hunter behind a pillar, and two who meet head on step aside. Shows ploy_avoid_walls,
// ploy_wall_follow, ploy_hide and ploy_avoid_collision.
#include <stdio.h>

#include "ploy/move/collision.h"
#include "ploy/move/feelers.h"
#include "ploy/move/hide.h"
#include "ploy/move/integrate.h"

static const float dt = 1.0f / 60.0f;

static ploy_kinematic agent_at(float x, float y, float vx) {
    ploy_kinematic agent = ploy_kinematic_make(ploy_vec2_make(x, y), 0.0f);
    agent.velocity = ploy_vec2_make(vx, 0.0f);
    return agent;
}

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_plain_scene_def scene_def = ploy_plain_scene_def_default();
    ploy_plain_scene *plain = NULL;
    if (ploy_plain_scene_create(&scene_def, &env, &plain) != PLOY_OK) return 1;
    static const ploy_vec2 room[] = {{-8, -6}, {8, -6}, {8, 6}, {-8, 6}};
    if (ploy_plain_scene_add_outline(plain, room, 4, true, 0.0f, 1, NULL) != PLOY_OK) return 1;
    ploy_scene scene = ploy_plain_scene_interface(plain); // or your own physics
    ploy_feelers_def feelers = ploy_feelers_def_default();
    ploy_wall_follow_def along = ploy_wall_follow_def_default();
    ploy_integrate_def motion = ploy_integrate_def_default();
    motion.max_speed = 3.0f;
    ploy_kinematic wary = agent_at(0, 1, 3), follower = agent_at(0, -5, 3);
    ploy_feelers state = {0}; // what the wary one remembers
    float nearest = 8.0f;
    for (int tick = 0; tick < 1200; tick++) {
        wary =
            ploy_integrate(&motion, wary, ploy_avoid_walls(&feelers, &state, wary, &scene, dt), dt);
        follower =
            ploy_integrate(&motion, follower, ploy_wall_follow(&along, follower, &scene), dt);
        float gap = 8.0f - (wary.position.x < 0.0f ? -wary.position.x : wary.position.x);
        nearest = gap < nearest ? gap : nearest;
    }
    printf("it came as near to a side wall as %.1f m; the follower is still inside: %s\n", nearest,
           follower.position.x > -8.0f && follower.position.x < 8.0f ? "yes" : "no");

    ploy_hide_def hide = ploy_hide_def_default();
    ploy_circle pillars[2] = {{{3, 0}, 1}, {{-4, 3}, 1}};
    ploy_kinematic prey = agent_at(1, 3, 0), hunter = agent_at(-3, 0, 0);
    ploy_hide_memory memory = {false, 0.0f};
    hide.when = PLOY_HIDE_SEES; // it looks the other way, and turns round after a second
    int hidden = 0;
    for (int tick = 0; tick < 300; tick++) {
        if (tick == 60) prey.orientation = 3.0f;
        ploy_steering request = ploy_steering_none();
        bool aware = ploy_hide_aware(&hide, &memory, prey, hunter, pillars, 2, dt);
        if (aware) request = ploy_hide(&hide, prey, hunter, pillars, 2);
        hidden += aware;
        prey = ploy_integrate(&motion, prey, request, dt);
    }
    printf("the prey knows of the hunter for %.1f s\n", (double)((float)hidden * dt));
    printf("the prey hides at %.1f %.1f\n", prey.position.x, prey.position.y);

    ploy_collision_def aside = ploy_collision_def_default();
    ploy_kinematic two[2] = {agent_at(-5, 0, 2), agent_at(5, 0, -2)};
    ploy_kinematics both = ploy_kinematics_of(two, 2);
    float closest = 10.0f;
    for (int tick = 0; tick < 200; tick++) {
        ploy_steering steerings[2] = {ploy_avoid_collision(&aside, two[0], &both, 0),
                                      ploy_avoid_collision(&aside, two[1], &both, 1)};
        for (int i = 0; i < 2; i++) two[i] = ploy_integrate(&motion, two[i], steerings[i], dt);
        float apart = ploy_vec2_distance(two[0].position, two[1].position);
        closest = apart < closest ? apart : closest;
    }
    printf("head on they pass %.1f m apart\n", closest);
    ploy_plain_scene_destroy(plain);
    return 0;
}
