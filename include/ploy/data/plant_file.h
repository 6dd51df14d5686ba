/// @file ploy/data/plant_file.h
/// Plants as Wavefront OBJ files: the skeleton as lines, or a mesh as triangles.
///
/// The skeleton has one line for each branch along its curve, so that a modelling tool can add a
/// skin; `o` lines separate branches from leaves.
///
/// Flat plants are written as they are (x, y), plants in space with z up in ploy's axes; `axes`
/// selects the axes of the file. Numbers are written as the shortest text that reads back to the
/// same bits. Cost: linear. Nothing is allocated. Threads: pure.
#pragma once

#include "ploy/base/writer.h"
#include "ploy/generate/plant_mesh.h"
#include "ploy/geom/adapt.h"

/// Writes branches as lines of `segments` pieces each. @return the writer's error, or
/// PLOY_ERR_ARGUMENT for fewer than one segment.
PLOY_API ploy_result ploy_plant_save_skeleton(const ploy_plant *plant, int32_t segments,
                                              ploy_axes axes, ploy_writer *writer);
/// Writes a mesh. @return the writer's error.
PLOY_API ploy_result ploy_plant_mesh_save(const ploy_plant_mesh *mesh, ploy_axes axes,
                                          ploy_writer *writer);
