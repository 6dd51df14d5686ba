/// @file ploy/data/content_obj.h
/// Generated content as Wavefront OBJ files, for modelling tools, engines and `ploy level build`.
///
/// | content | objects in the file |
/// |---|---|
/// | plan | `floor`: the open tiles; `walls`: upright faces around them, toward the floor |
/// | heights | `terrain`: two triangles for each square of samples |
/// | plant | `plant`: tubes and leaves, as ploy_plant_mesh_save writes them |
/// | shape | `building`: the boxes and faces of its finished parts |
///
/// Faces are counter-clockwise seen from outside, or from above. Metres; `axes` selects the axes of
/// the file. Numbers are written as the shortest text that reads back to the same bits. Cost: linear.
/// Threads: pure.
#pragma once

#include "ploy/base/writer.h"
#include "ploy/generate/generator.h"
#include "ploy/geom/adapt.h"

/// Writes the first of plan, heights, plant and shape that the content has.
/// @param wall  m, height of a plan's walls; 0: the floor only.
/// @return PLOY_ERR_ARGUMENT if it has none of them or a number is not finite, PLOY_ERR_MEMORY, or the
///         writer's error.
PLOY_API ploy_result ploy_content_save_obj(const ploy_content *content, float wall, ploy_axes axes,
                                           const ploy_env *env, ploy_writer *writer);
