// Poses: what a source may answer, and which way is ahead.
#include <math.h>

#include "ploy/world/pose.h"
#include "tests/test.h"
#include "world/world_internal.h"

static bool pose_answer(void *user, ploy_agent_id agent, ploy_pose *out) {
    (void)agent;
    const ploy_pose *pose = user;
    *out = *pose;
    return true;
}

TEST(ahead_turns_counter_clockwise_on_the_plane) {
    ploy_pose pose = ploy_pose_make2(ploy_vec2_make(3, 4), 1.57079633f, 0.5f);
    ploy_vec3 ahead = ployi_pose_ahead(&pose);
    CHECK_NEAR(ahead.x, 0.0, 1e-6);
    CHECK_NEAR(ahead.y, 1.0, 1e-6);
    CHECK_NEAR(ahead.z, 0.0, 1e-6);
}

TEST(a_source_is_believed_only_if_it_can_be_true) {
    ploy_pose pose = ploy_pose_make2(ploy_vec2_make(3, 4), 0, 0.5f), out = pose;
    ploy_pose_source source = {pose_answer, &pose};
    ploy_agent_id agent = ploy_agent_id_make(1, 1);
    CHECK(ploy_pose_source_get(&source, agent, &out));
    CHECK(!ploy_pose_source_get(NULL, agent, &out));
    CHECK(!ploy_pose_source_get(&source, ploy_agent_id_none(), &out));
    pose.frame.position.y = NAN;
    CHECK(!ploy_pose_source_get(&source, agent, &out));
    CHECK_NEAR(out.frame.position.y, 4.0, 0.0);
    pose = out;
    pose.frame.orientation.w = INFINITY;
    CHECK(!ploy_pose_source_get(&source, agent, &out));
}
