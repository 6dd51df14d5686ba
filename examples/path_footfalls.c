// A character walks along a plank: every step puts a foot on it, left and right in turn.
// Shows the footfalls of ploy/path/motion_clips.h: steps as clips, and a place for a single foot.
#include <math.h>
#include <stdio.h>

#include "ploy/path/motion_clips.h"

static bool on_plank(void *user, ploy_vec2 place) {
    (void)user;
    return fabsf(place.y) < 0.25f;
}

static bool foot_on_plank(void *user, const ploy_clip *clip, ploy_clip_pose from,
                          ploy_clip_pose to) {
    (void)clip, (void)from;
    return on_plank(NULL, ploy_footfalls_place(user, to));
}

static void balance(const ploy_env *env) {
    ploy_footfalls feet = ploy_footfalls_default();
    ploy_clip clips[64];
    ploy_clip_planner_def def = ploy_clip_planner_def_default();
    ploy_clip_planner *planner = NULL;
    ploy_clip_step steps[16];
    int32_t count = ploy_footfalls_clips(&feet, clips, 64);
    ploy_clip_pose from = ploy_clip_pose_make(ploy_vec2_make(0, 0), 0); // on the left foot
    ploy_clip_pose to = ploy_clip_pose_make(ploy_vec2_make(2.4f, 0), 0);
    if (count > 64) return;
    if (ploy_clip_planner_create(&def, clips, count, NULL, foot_on_plank, &feet, env, &planner) !=
        PLOY_OK) {
        return;
    }
    if (ploy_clip_planner_begin(planner, from, to, -1) == PLOY_OK &&
        ploy_clip_planner_step(planner, NULL) == PLOY_OK) {
        count = ploy_clip_planner_plan(planner, steps, 16, NULL);
        printf("feet on the plank:");
        for (int32_t i = 0; i < count && i < 16; i++) {
            ploy_vec2 place = ploy_footfalls_place(&feet, steps[i].to);
            printf(" %s %.1f", steps[i].to.posture == PLOY_FOOT_LEFT ? "left" : "right",
                   (double)place.x);
        }
        printf("\n");
    }
    ploy_clip_planner_destroy(planner);
}

int main(void) {
    ploy_env env = ploy_env_default();
    balance(&env);
    ploy_vec2 place = {1, 0.5f}, snapped;
    if (ploy_footfalls_snap(place, 0.5f, 0.05f, on_plank, NULL, &snapped)) {
        printf("a foot at y 0.50 is moved to y %.2f\n", (double)snapped.y);
    }
    if (!ploy_footfalls_snap(place, 0.1f, 0.05f, on_plank, NULL, &snapped)) {
        printf("no place for it within 0.1 m\n");
    }
    return 0;
}
