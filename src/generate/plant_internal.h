// Shared by what grows plants: the plant while it is made.
#pragma once

#include "ploy/base/array.h"
#include "ploy/generate/plant.h"

struct ploy_plant {
    ploy_env env;
    bool flat;
    float curve;
    ploy_array branches, leaves; // ploy_plant_branch, ploy_plant_leaf
};

void ployi_plant_init(ploy_plant *plant, bool flat, float curve, const ploy_env *env);
void ployi_plant_fini(ploy_plant *plant);

// The orientation of a branch that points up: along y on the plane, along z in space.
ploy_quat ployi_plant_upright(bool flat);
// Rolls about the branch's own axis, then bends to the left.
ploy_quat ployi_plant_turn(ploy_quat orientation, float roll, float bend);

// Sets the radii from the tips to the roots; tips have tip_radius, and r^exponent adds up.
void ployi_plant_thicken(ploy_plant *plant, float tip_radius, float exponent);
// Puts leaves on every tip. Draws by (key, branch, leaf).
ploy_result ployi_plant_add_leaves(ploy_plant *plant, int32_t count, float size, float angle,
                                   float jitter, ploy_rng_key key);
// The box around all branches as they are drawn.
ploy_box2 ployi_plant_area(const ploy_plant *plant);
