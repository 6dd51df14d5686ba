/// @file labs/labs.h
/// The labs: small interactive scenes, one for each family of techniques.
#pragma once

#include "ploy/exec/sim.h"

/// Every lab, ended by NULL.
PLOY_API const ploy_sim_type *const *ploy_labs(void);
