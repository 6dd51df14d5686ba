// The subdivision lab: a space is split again and again; sub-trees that fail their test are rebuilt.
#include "ploy/generate/subdivision.h"
#include "labs/lab_generate.h"
#include "labs/labs.h"

LAB_GENERATE(
    subdivision, ploy_subdivision_generator, "Subdivision",
    "Lines are the spaces of the tree. Lower max_tall or max_hard to see sub-trees thrown away "
    "and split again.",
    "rooms", 1, -1.0f, -4.0f, 65.0f, 49.0f)
