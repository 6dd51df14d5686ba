/// @file ploy/exec/resume.h
/// Functions that can stop in the middle and continue there in the next call: macros that slice a
/// long loop.
///
///     static ploy_result count_step(void *self, ploy_budget *budget) {   // a ploy_task's step
///         count *c = self;                          // what must survive lives here, not in locals
///         PLOY_RESUME_BEGIN(&c->resume);
///         for (c->i = 0; c->i < c->n; c->i++) {
///             PLOY_RESUME_SPEND(&c->resume, budget, 1);  // stops here while the budget is empty
///             c->sum += c->values[c->i];
///         }
///         PLOY_RESUME_END(&c->resume);              // PLOY_OK; the next call restarts
///     }
///
/// Local variables are lost at a stop, a stop may not be inside a switch of your own, and a line
/// holds at most one stop. Technique: Duff's device as in Dunkels's protothreads (2006). The
/// functions do the same without macros, for other languages and for code that needs its switch
/// visible.
#pragma once

#include "ploy/base/budget.h"

/// Where to continue; 0 is the beginning. State.
typedef struct ploy_resume {
    int32_t point;
} ploy_resume;

/// The point at which to continue: `switch (ploy_resume_point(&resume)) { case 0: ... case 1: ...
/// }`.
PLOY_API int32_t ploy_resume_point(const ploy_resume *resume);
/// Stops: `return ploy_resume_stop(&resume, 1);` and the next call continues at point 1.
/// @return PLOY_IN_PROGRESS.
PLOY_API ploy_result ploy_resume_stop(ploy_resume *resume, int32_t point);
/// Ends: the next call restarts. @return PLOY_OK.
PLOY_API ploy_result ploy_resume_end(ploy_resume *resume);

/// Opens the body of a function that returns ploy_result.
#define PLOY_RESUME_BEGIN(resume)          \
    switch (ploy_resume_point((resume))) { \
    case 0:

/// Stops; the next call continues after it.
#define PLOY_RESUME_STOP(resume)                     \
    do {                                             \
        return ploy_resume_stop((resume), __LINE__); \
    case __LINE__:;                                  \
    } while (0)

/// Spends units, stopping for as long as the budget is empty.
#define PLOY_RESUME_SPEND(resume, budget, units)     \
    while (!ploy_budget_spend((budget), (units))) {  \
        return ploy_resume_stop((resume), __LINE__); \
    case __LINE__:;                                  \
    }

/// Closes the body.
#define PLOY_RESUME_END(resume) \
    }                           \
    return ploy_resume_end((resume))
