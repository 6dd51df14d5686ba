/// @file ploy/data/onnx.h
/// Nets as ONNX files, the exchange format of PyTorch, Keras, scikit-learn and others.
///
/// The reader accepts a graph that is a chain: Gemm, MatMul, Add, Conv, MaxPool, AveragePool,
/// GlobalAveragePool, Relu, LeakyRelu, Softplus, Sigmoid, Tanh, Softmax, Flatten, Reshape, Identity
/// and Dropout (which does nothing at inference). Any other operator is refused, and diags name it.
/// Weights must be float32 and inside the file; the size of the input must be fixed except for the
/// batch. Writing uses Gemm, Conv, the poolings, Flatten and the activations, opset 13.
///
/// Faults name the node or the operator. Cost: linear. Threads: pure.
#pragma once

#include "ploy/base/diags.h"
#include "ploy/base/writer.h"
#include "ploy/learn/net.h"

/// Reads a net.
/// @param diags  may be NULL; columns are byte positions in the file.
/// @return PLOY_ERR_FORMAT, PLOY_ERR_UNSUPPORTED for a graph that a ploy_net cannot represent
/// (diags name the
///         operator or its attribute), PLOY_ERR_LIMIT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_onnx_load(const void *bytes, size_t size, const char *name,
                                    const ploy_env *env, ploy_diags *diags, ploy_net **out);
/// Writes a net. @return PLOY_ERR_UNSUPPORTED for an activation that ONNX does not have (diags name
///         it), PLOY_ERR_MEMORY, or the writer's error.
PLOY_API ploy_result ploy_onnx_save(const ploy_net *net, const ploy_env *env, ploy_writer *writer,
                                    ploy_diags *diags);
