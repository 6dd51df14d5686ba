// A post thinner than the gap between two feelers: rays pass on either side of it, the body swept
// ahead does not. Shows ploy_avoid_walls_swept beside ploy_avoid_walls.
#include <stdio.h>

#include "ploy/geom/scene.h"
#include "ploy/move/feelers.h"

static void print_request(const char *name, ploy_steering steering) {
    printf("%s: %s", name, steering.requested ? "turns aside" : "sees nothing");
    if (steering.requested) printf(", to the %s", steering.linear.y > 0.0f ? "left" : "right");
    printf("\n");
}

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_plain_scene_def plain = ploy_plain_scene_def_default();
    ploy_plain_scene *posts = NULL;
    if (ploy_plain_scene_create(&plain, &env, &posts) != PLOY_OK) return 1;
    ploy_vec2 post = {3.0f, -0.1f};
    if (ploy_plain_scene_add_circle(posts, post, 0.05f, 1, NULL) != PLOY_OK) return 1;
    ploy_scene scene = ploy_plain_scene_interface(posts);

    ploy_feelers_def def = ploy_feelers_def_default();
    def.layout = PLOY_FEELERS_PARALLEL;
    def.radius = 0.5f;
    def.length = def.whisker_length = 5.0f;
    ploy_feelers state = {0};
    ploy_kinematic agent = ploy_kinematic_make(ploy_vec2_zero(), 0.0f);
    agent.velocity = ploy_vec2_make(2.0f, 0.0f);
    print_request("two rays", ploy_avoid_walls(&def, &state, agent, &scene, 1.0f / 60.0f));
    print_request("the body swept", ploy_avoid_walls_swept(&def, agent, &scene));
    agent.position.y = 1.0f; // the body passes the post
    print_request("a metre to the left", ploy_avoid_walls_swept(&def, agent, &scene));
    ploy_plain_scene_destroy(posts);
    return 0;
}
