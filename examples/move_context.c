// A boat goes for a buoy that lies straight behind a rock, where the pull of the one and the push
// of the other would cancel out. You will see it pass the rock on one side. Shows context steering:
// ploy_context.
#include <stdio.h>

#include "ploy/move/context.h"

int main(void) {
    ploy_context_def def = ploy_context_def_default();
    def.mask = PLOY_CONTEXT_LIMIT; // up to a danger of 0.3 a direction is open
    def.danger_limit = 0.3f;
    def.hysteresis = 0.3f; // both sides are alike: keep to the one chosen
    ploy_context context;
    ploy_context_init(&context, &def);
    ploy_vec2 boat = {0.0f, 0.0f}, rock = {10.0f, 1.0f}, buoy = {20.0f, 2.0f};
    int slot = -1;
    float nearest = 1e9f;
    for (int tick = 0; tick < 600 && ploy_vec2_distance(boat, buoy) > 0.5f; tick++) {
        ploy_context_clear(&context);
        ploy_context_add_interest(&context, ploy_vec2_sub(buoy, boat), 1.0f);
        ploy_context_add_body(&context, boat, rock, 2.0f, 4.0f); // 2 m wide, feared from 4 m on
        ploy_context_choice choice = ploy_context_decide(&context, &def, slot);
        slot = choice.slot;
        boat = ploy_vec2_add_scaled(boat, choice.direction, 0.1f);
        float distance = ploy_vec2_distance(boat, rock);
        nearest = distance < nearest ? distance : nearest;
        if (tick % 50 == 0) printf("%.1f %.1f\n", boat.x, boat.y);
    }
    printf("at the buoy, %.1f m from the rock at its nearest\n", nearest);
    return 0;
}
