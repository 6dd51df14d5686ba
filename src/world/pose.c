// Poses; see the header.
#include "ploy/world/pose.h"

#include "world/world_internal.h"

#include <math.h>

#include "ploy/geom/quat.h"

ploy_pose ploy_pose_make2(ploy_vec2 position, float orientation, float radius) {
    ploy_vec3 up = {0.0f, 0.0f, 1.0f};
    ploy_pose pose;
    pose.frame.position = ploy_vec3_make(position.x, position.y, 0.0f);
    pose.frame.orientation = ploy_quat_from_axis_angle(up, orientation);
    pose.radius = radius;
    return pose;
}

ploy_vec3 ployi_pose_ahead(const ploy_pose *pose) {
    return ploy_quat_rotate(pose->frame.orientation, ploy_vec3_make(1.0f, 0.0f, 0.0f));
}

static bool pose_is_finite(const ploy_pose *pose) {
    ploy_quat q = pose->frame.orientation;
    return ploy_vec3_is_finite(pose->frame.position) && isfinite(q.w) && isfinite(q.x) &&
           isfinite(q.y) && isfinite(q.z) && isfinite(pose->radius);
}

bool ploy_pose_source_get(const ploy_pose_source *source, ploy_agent_id agent, ploy_pose *out) {
    if (source == NULL || source->pose == NULL || ploy_id_is_none(agent.id)) return false;
    ploy_pose pose;
    if (!source->pose(source->user, agent, &pose) || !pose_is_finite(&pose)) return false;
    *out = pose;
    return true;
}
