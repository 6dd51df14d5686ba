/// @file ploy/learn/score.h
/// How good a learner is: confusion matrix and over-fitting.
///
/// A learner that memorises its training rows is right on them and wrong on new ones. The gap
/// between both shares shows that; so does a learner as large as its table.
#pragma once

#include "ploy/base/writer.h"
#include "ploy/learn/table.h"

/// How often each class was mistaken for each other one. Opaque.
typedef struct ploy_confusion ploy_confusion;

/// An empty matrix; 0 classes are allowed and count nothing.
PLOY_API ploy_result ploy_confusion_create(int32_t classes, const ploy_env *env,
                                           ploy_confusion **out);
/// NULL is allowed.
PLOY_API void ploy_confusion_destroy(ploy_confusion *confusion);
/// Counts one answer; -1 for no opinion. NULL and classes out of range are ignored.
PLOY_API void ploy_confusion_add(ploy_confusion *confusion, int32_t truth, int32_t answer);
/// How often `truth` was answered by `answer`.
PLOY_API int64_t ploy_confusion_at(const ploy_confusion *confusion, int32_t truth, int32_t answer);
/// Writes a table as text, one row for each true class.
PLOY_API void ploy_confusion_print(const ploy_confusion *confusion, const ploy_schema *schema,
                                   ploy_writer *writer);

typedef struct ploy_overfit {
    double train;    ///< share of training rows that are right
    double test;     ///< share of other rows that are right
    double gap;      ///< train - test
    double per_size; ///< training rows for each unit of the learner's size; 0 if unknown
    bool warning;    ///< the gap is above a tenth, or there are fewer rows than units and a gap
} ploy_overfit;
/// @param size  of the learner, as ploy_learner_size counts it.
/// @param rows  number of training rows.
PLOY_API ploy_overfit ploy_overfit_of(double train, double test, int64_t size, int64_t rows);
