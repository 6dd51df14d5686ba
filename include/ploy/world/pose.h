/// @file ploy/world/pose.h
/// Position and orientation of agents, provided by the game.
///
/// The world's parts (senses, triggers, events with a radius) never own positions: they request a
/// pose when they need one, so that the game need not report each movement to every part. A game
/// provides poses from its own arrays or structs.
///
/// Units: metres. Axes as in docs/conventions.md: a planar character is at z = 0 and turns about z.
/// Threads: a source is called from several threads at a time while nothing changes.
#pragma once

#include "ploy/base/id.h"
#include "ploy/geom/frame.h"

typedef struct ploy_pose {
    ploy_frame3 frame; ///< x of the frame is ahead
    float radius;      ///< m, of the body; 0 for a point
} ploy_pose;

/// Returns a pose on the plane. @param orientation  rad.
PLOY_API ploy_pose ploy_pose_make2(ploy_vec2 position, float orientation, float radius);

/// The source of all positions.
typedef struct ploy_pose_source {
    /// @return false, leaving out unchanged, if there is no such agent.
    bool (*pose)(void *user, ploy_agent_id agent, ploy_pose *out);
    void *user;
} ploy_pose_source;

/// Gets a pose from the source; false if there is no source or no agent, or if the pose is not
/// finite.
PLOY_API bool ploy_pose_source_get(const ploy_pose_source *source, ploy_agent_id agent,
                                   ploy_pose *out);
