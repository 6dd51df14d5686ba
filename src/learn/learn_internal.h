// Shared inside the module.
#pragma once

#include "ploy/learn/learner.h"

// A row that may be changed.
double *ployi_examples_at(ploy_examples *examples, int32_t row);
// Index of the largest; the first one wins ties. -1 if count is 0.
int32_t ployi_argmax(const double *values, int32_t count);
// Reports every class with its probability, the most likely one as the winner.
void ployi_learner_explain_classes(const ploy_schema *schema, const double *posteriors,
                                   const char *reason, ploy_trace *trace);
// Draws one bar for each of the first classes; shares in [0, 1].
void ployi_learner_draw_bars(const ploy_schema *schema, const double *shares, int32_t classes,
                             ploy_draw *out);
// Removes the last row.
void ployi_examples_pop(ploy_examples *examples);
