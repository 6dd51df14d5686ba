/// @file ploy/data/idx.h
/// IDX files: arrays of numbers, the format of MNIST.
///
/// Two zero bytes, the type of the numbers (u8, i8, i16, i32, f32, f64), the number of dimensions,
/// the size of each as a big-endian u32, then the numbers, big-endian, the last dimension fastest.
/// Cost: linear. Threads: pure.
#pragma once

#include "ploy/base/diags.h"
#include "ploy/learn/table.h"

/// Reads images and their labels as a table: a numeric column for each pixel, with the values of
/// the file, and the label as a category.
/// @param labels  a list of whole numbers from 0 on, one for each image; NULL: no labels; then the
///                last pixel is the target.
/// @param diags   may be NULL; positions are byte offsets, reported as columns of line 1.
/// @return PLOY_ERR_FORMAT with the reasons in diags, PLOY_ERR_LIMIT for images of more than 4,095
///         numbers or labels above 65,535, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_idx_load(const void *images, size_t images_size, const char *images_name,
                                   const void *labels, size_t labels_size, const char *labels_name,
                                   const ploy_env *env, ploy_diags *diags, ploy_examples **out);
