// The skyscraper lab: a building grows by the rules of a shape grammar; its four sides are unfolded.
#include "ploy/generate/skyscraper.h"
#include "labs/lab_generate.h"
#include "labs/labs.h"

LAB_GENERATE(
    skyscraper, ploy_skyscraper_generator, "Skyscrapers",
    "Floors and roofs by weight, then walls, window spaces and windows. Switch positions off "
    "to see floors that do not match.",
    "parts", 20, -2.0f, -6.0f, 82.0f, 60.0f)
