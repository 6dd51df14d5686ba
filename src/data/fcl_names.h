// The words of FCL for norms and methods, for reading and writing.
#pragma once

#include "ploy/decide/fuzzy.h"

typedef struct ployi_fcl_norm {
    const char *name;
    ploy_fuzzy_norm norm;
} ployi_fcl_norm;

typedef struct ployi_fcl_method {
    const char *name;
    ploy_fuzzy_defuzzifier defuzzifier;
} ployi_fcl_method;

enum { PLOYI_FCL_NORMS = 23, PLOYI_FCL_METHODS = 8 };

// Of several names of one thing the usual one is first. In fcl_save.c.
extern const ployi_fcl_norm ployi_fcl_norms[PLOYI_FCL_NORMS];
extern const ployi_fcl_method ployi_fcl_methods[PLOYI_FCL_METHODS];
