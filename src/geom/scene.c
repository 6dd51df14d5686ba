// The scene interface: calls that check their numbers and replace what a game left out.
#include "ploy/geom/scene.h"

#include "ploy/base/math.h"

bool ploy_scene_ray(const ploy_scene *scene, ploy_vec3 from, ploy_vec3 to, uint32_t mask,
                    ploy_scene_hit *hit) {
    ploy_scene_hit ignored;
    if (scene == NULL || scene->ray == NULL) return false;
    if (!ploy_vec3_is_finite(from) || !ploy_vec3_is_finite(to)) return false;
    return scene->ray(scene->user, from, to, mask, hit != NULL ? hit : &ignored);
}

bool ploy_scene_sweep(const ploy_scene *scene, ploy_vec3 from, ploy_vec3 to, float radius,
                      uint32_t mask, ploy_scene_hit *hit) {
    ploy_scene_hit ignored;
    if (scene == NULL) return false;
    if (scene->sweep == NULL || !(radius > 0.0f)) return ploy_scene_ray(scene, from, to, mask, hit);
    if (!ploy_vec3_is_finite(from) || !ploy_vec3_is_finite(to)) return false;
    if (!ploy_is_finite(radius)) return false;
    return scene->sweep(scene->user, from, to, radius, mask, hit != NULL ? hit : &ignored);
}

int32_t ploy_scene_overlap(const ploy_scene *scene, ploy_vec3 centre, float radius, uint32_t mask,
                           ploy_id *out, int32_t capacity) {
    if (scene == NULL || scene->overlap == NULL) return 0;
    if (!ploy_vec3_is_finite(centre) || !ploy_is_finite(radius)) return 0;
    return scene->overlap(scene->user, centre, radius > 0.0f ? radius : 0.0f, mask, out,
                          out == NULL ? 0 : capacity);
}

bool ploy_scene_ground(const ploy_scene *scene, ploy_vec3 at, uint32_t mask, float *height,
                       ploy_vec3 *normal) {
    float z = 0.0f;
    ploy_vec3 up = ploy_vec3_make(0.0f, 0.0f, 1.0f);
    if (!ploy_vec3_is_finite(at)) return false;
    if (scene != NULL && scene->ground != NULL && !scene->ground(scene->user, at, mask, &z, &up)) {
        return false;
    }
    if (height != NULL) *height = z;
    if (normal != NULL) *normal = up;
    return true;
}

bool ploy_scene_ray2(const ploy_scene *scene, ploy_vec2 from, ploy_vec2 to, uint32_t mask,
                     ploy_scene_hit *hit) {
    return ploy_scene_ray(scene, ploy_vec3_from_vec2(from, 0.0f), ploy_vec3_from_vec2(to, 0.0f),
                          mask, hit);
}

bool ploy_scene_sweep2(const ploy_scene *scene, ploy_vec2 from, ploy_vec2 to, float radius,
                       uint32_t mask, ploy_scene_hit *hit) {
    return ploy_scene_sweep(scene, ploy_vec3_from_vec2(from, 0.0f), ploy_vec3_from_vec2(to, 0.0f),
                            radius, mask, hit);
}

bool ploy_scene_sees2(const ploy_scene *scene, ploy_vec2 from, ploy_vec2 to, uint32_t mask) {
    return !ploy_scene_ray2(scene, from, to, mask, NULL);
}
