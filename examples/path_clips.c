// A character crosses stepping stones by a sequence of animations; where no stone is, there is none.
// Shows ploy/path/motion_clips.h: speeds of a clip, ranges cut into choices, planning over clips.
#include <stdio.h>

#include "ploy/base/math.h"
#include "ploy/path/motion_clips.h"

enum { JUMP, LEFT, RIGHT, CLIPS };
static const char *const names[CLIPS] = {"jump", "turn left", "turn right"};

static bool lands_on_stone(void *user, const ploy_clip *clip, ploy_clip_pose from,
                           ploy_clip_pose to) {
    static const ploy_vec2 stones[] = {{0, 0}, {1, 0.4f}, {2.1f, 0.8f}, {3, 1.2f}};
    (void)user, (void)clip, (void)from;
    for (size_t i = 0; i < sizeof stones / sizeof stones[0]; i++) {
        if (ploy_vec2_distance(stones[i], to.position) < 0.2f) return true;
    }
    return false;
}

static void cross(const ploy_env *env, ploy_vec2 goal, int32_t refine) {
    ploy_clip clips[CLIPS] = {
        ploy_clip_make(ploy_name_of("jump"), ploy_vec2_make(1, 0), 0, 0.6f),
        ploy_clip_make(ploy_name_of("left"), ploy_vec2_make(0, 0), PLOY_PI_F / 8, 0.2f),
        ploy_clip_make(ploy_name_of("right"), ploy_vec2_make(0, 0), -PLOY_PI_F / 8, 0.2f),
    };
    clips[JUMP].scale_min = 0.8f;
    clips[JUMP].scale_max = 1.2f;
    ploy_clip_planner_def def = ploy_clip_planner_def_default();
    def.headings = 16;
    def.refine = refine;
    def.goal_angle = PLOY_PI_F; // any
    ploy_clip_planner *planner = NULL;
    ploy_clip_step steps[16];
    double seconds = 0;
    ploy_clip_pose from = ploy_clip_pose_make(ploy_vec2_make(0, 0), 0);
    ploy_clip_pose to = ploy_clip_pose_make(goal, 0);
    if (ploy_clip_planner_create(&def, clips, CLIPS, NULL, lands_on_stone, NULL, env, &planner) !=
        PLOY_OK) {
        return;
    }
    if (ploy_clip_planner_begin(planner, from, to, -1) == PLOY_OK &&
        ploy_clip_planner_step(planner, NULL) == PLOY_OK) {
        int32_t count = ploy_clip_planner_plan(planner, steps, 16, &seconds);
        printf("to (%.1f, %.1f): %s\n", (double)goal.x, (double)goal.y,
               ploy_search_outcome_text(ploy_clip_planner_outcome(planner)));
        for (int32_t i = 0; i < count && i < 16; i++) {
            printf("  %s", names[steps[i].clip]);
            if (steps[i].clip == JUMP) printf(" x %.2f", (double)steps[i].choice.scale);
            printf(" to (%.1f, %.1f)\n", (double)steps[i].to.position.x,
                   (double)steps[i].to.position.y);
        }
    }
    ploy_clip_planner_destroy(planner);
}

int main(void) {
    ploy_env env = ploy_env_default();
    float scales[3];
    if (ploy_clip_choices(0.8f, 1.2f, 3, scales) != PLOY_OK) return 1;
    printf("scales of a jump: %.1f %.1f %.1f\n", (double)scales[0], (double)scales[1],
           (double)scales[2]);
    ploy_clip run = ploy_clip_make(ploy_name_of("run"), ploy_vec2_make(2, 0), 0, 0.5f);
    run.rate_min = 0.8f;
    run.rate_max = 1.2f;
    printf("the run clip at 4.5 m/s: %s, at 6 m/s: %s\n",
           ploy_clip_fits(&run, 4.5f, 0, 0.01f) ? "fits" : "does not fit",
           ploy_clip_fits(&run, 6.0f, 0, 0.01f) ? "fits" : "does not fit");
    cross(&env, ploy_vec2_make(3, 1.2f), 0);
    cross(&env, ploy_vec2_make(3, 1.2f), 8);  // sampled around the best, not only 0.8, 1.0 and 1.2
    cross(&env, ploy_vec2_make(3, -1.2f), 0); // no stone is there
    return 0;
}
