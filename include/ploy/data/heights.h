/// @file ploy/data/heights.h
/// Raw heights: elevations as plain numbers, a format that every terrain tool reads and writes.
///
/// A raw file has no header: rows of samples from the first row on, little-endian, 32-bit floats in
/// metres, or 16-bit numbers where 0 is `low` and 65535 is `high` metres. The caller provides size,
/// spacing and range, as with every tool.
///
/// Cost: linear. Threads: pure.
#pragma once

#include "ploy/base/diags.h"
#include "ploy/base/writer.h"
#include "ploy/generate/heightmap.h"

/// Reads a map of the def's size; the other settings are copied.
/// @param low, high  m: range of 16-bit samples; not used for floats.
/// @param name  of the file, for messages. @param diags  may be NULL.
/// @return PLOY_ERR_FORMAT if the file's size does not match or a float is not finite;
/// PLOY_ERR_ARGUMENT;
///         PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_heights_load(const void *bytes, size_t size, ploy_height_type type,
                                       float low, float high, const ploy_heightmap_def *def,
                                       const char *name, const ploy_env *env, ploy_diags *diags,
                                       ploy_heightmap **out);
/// Writes the elevations; 16-bit samples are clamped to the range. @return the writer's error.
PLOY_API ploy_result ploy_heights_save(const ploy_heightmap *map, ploy_height_type type, float low,
                                       float high, ploy_writer *writer);
