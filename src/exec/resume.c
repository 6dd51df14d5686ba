// The functions behind the macros for functions that stop and go on.
#include "ploy/exec/resume.h"

int32_t ploy_resume_point(const ploy_resume *resume) {
    return resume->point;
}

ploy_result ploy_resume_stop(ploy_resume *resume, int32_t point) {
    resume->point = point;
    return PLOY_IN_PROGRESS;
}

ploy_result ploy_resume_end(ploy_resume *resume) {
    resume->point = 0;
    return PLOY_OK;
}
