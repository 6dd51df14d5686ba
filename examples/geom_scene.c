// What blocks a ray: one guard sends the same queries to ploy's plain scene and to a game's own
// physics. You will see what blocks its sight and how far its body may go. Shows
// ploy/geom/scene.h.
#include <stdio.h>
#include <string.h>

#include "ploy/geom/scene.h"

enum { WALLS = 1, GLASS = 2 }; // the game decides what layers mean

// The caller knows nothing of what is behind the interface.
static void look_around(const char *title, const ploy_scene *scene) {
    ploy_vec2 guard = {0.0f, 0.0f}, thief = {10.0f, 0.0f};
    ploy_scene_hit hit;
    printf("%s: sees the thief %s, can walk there %s", title,
           ploy_scene_sees2(scene, guard, thief, WALLS) ? "yes" : "no",
           ploy_scene_sees2(scene, guard, thief, WALLS | GLASS) ? "yes" : "no");
    if (ploy_scene_sweep2(scene, guard, thief, 0.5f, WALLS | GLASS, &hit)) {
        printf(", its body stops after %.2f m", (double)hit.distance);
    }
    printf("\n");
}

// A game's own cast: here a single wall at x = 8, in a real game a call to its physics.
static bool game_ray(void *user, ploy_vec3 from, ploy_vec3 to, uint32_t mask, ploy_scene_hit *hit) {
    float wall_x = *(const float *)user;
    if ((mask & WALLS) == 0 || from.x >= wall_x || to.x < wall_x) return false;
    memset(hit, 0, sizeof *hit);
    hit->distance = wall_x - from.x;
    hit->point = ploy_vec3_make(wall_x, from.y, from.z);
    hit->normal = ploy_vec3_make(-1.0f, 0.0f, 0.0f);
    hit->layers = WALLS;
    return true;
}

int main(void) {
    ploy_plain_scene_def def = ploy_plain_scene_def_default();
    ploy_env env = ploy_env_default();
    ploy_plain_scene *plain = NULL;
    if (ploy_plain_scene_create(&def, &env, &plain) != PLOY_OK) return 1;
    ploy_plain_scene_add_segment(plain, ploy_vec2_make(5, -2), ploy_vec2_make(5, 2), GLASS, NULL);
    ploy_obstacle_id pillar = {{0, 0}};
    ploy_plain_scene_add_circle(plain, ploy_vec2_make(3, 5), 1.0f, WALLS, &pillar);
    ploy_scene scene = ploy_plain_scene_interface(plain);
    look_around("a window between them", &scene);

    ploy_obstacle moved = {{{3, 0}, {3, 0}}, 1.0f, WALLS}; // the pillar is pushed between them
    ploy_plain_scene_set(plain, pillar, &moved);
    look_around("and a pillar", &scene);
    ploy_plain_scene_destroy(plain);

    float wall_x = 8.0f;
    ploy_scene own = {game_ray, NULL, NULL, NULL, &wall_x};
    look_around("the game's own physics", &own);
    return 0;
}
