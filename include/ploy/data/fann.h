/// @file ploy/data/fann.h
/// Files of FANN (Fast Artificial Neural Network library): nets and training data.
///
/// Nets (`.net`, FANN_FLO_2.0 and 2.1, as written by fann_save) become a ploy_net with the same
/// outputs as fann_run, and are written so that fann_create_from_file reads them. Layered nets
/// only; missing connections of sparse nets become weights of 0. Every neuron of a layer needs the
/// same activation function: linear, threshold, sigmoid, their symmetric and stepwise forms, or
/// gaussian. Scaling parameters inside a file are refused. Training settings are not kept.
///
/// Training data (`.data`): `rows inputs outputs`, then the numbers of each row. Several outputs
/// become one target: the index of the largest.
///
/// Faults are reported with line and column. Cost: linear. Threads: pure.
#pragma once

#include "ploy/base/diags.h"
#include "ploy/base/writer.h"
#include "ploy/learn/net.h"
#include "ploy/learn/table.h"

/// Reads a net.
/// @param bytes  need not end with a zero.
/// @param diags  may be NULL.
/// @return PLOY_ERR_FORMAT, PLOY_ERR_UNSUPPORTED for a net that a ploy_net cannot represent (diags
///         name the part), PLOY_ERR_LIMIT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_fann_load(const void *bytes, size_t size, const char *name,
                                    const ploy_env *env, ploy_diags *diags, ploy_net **out);
/// Writes a net. FANN has no softmax: it is written as linear, with a warning in diags; the largest
/// output stays the same.
/// @return PLOY_ERR_UNSUPPORTED for layers or activations that FANN does not have (diags name
///         them), or the writer's error.
PLOY_API ploy_result ploy_fann_save(const ploy_net *net, ploy_writer *writer, ploy_diags *diags);

/// Reads training data as a table: columns in1, in2, ... and the target.
PLOY_API ploy_result ploy_fann_data_load(const void *bytes, size_t size, const char *name,
                                         const ploy_env *env, ploy_diags *diags,
                                         ploy_examples **out);
/// Writes a table: categories as their index, a categorical target as one output for each class.
/// @return PLOY_ERR_UNSUPPORTED for a missing value, or the writer's error.
PLOY_API ploy_result ploy_fann_data_save(const ploy_examples *examples, ploy_writer *writer);
