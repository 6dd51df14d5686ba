// A villager eats, flees or idles, by four considerations in one table. You see what it chooses as it
// gets hungrier, and when a wolf comes. Shows ploy_utility_type_from.
#include <stdio.h>

#include "ploy/decide/utility.h"

static const ploy_blackboard_key keys[] = {
    {"hunger", PLOY_VALUE_F32, {PLOY_VALUE_NONE, {0}}, "0 to 100"},
    {"food", PLOY_VALUE_I64, {PLOY_VALUE_I64, {.i64 = 2}}, "pieces"},
    {"wolf", PLOY_VALUE_F32, {PLOY_VALUE_F32, {.f32 = 99}}, "m away"},
};
static const ploy_utility_row rows[] = {
    {.option = "eat", .when = "food > 0", .score = "hunger", .high = 100},
    {.option = "eat", .score = "food", .high = 4, .curve = {PLOY_CURVE_POWER, .exponent = 0.5f}},
    {.option = "flee", .score = "1 - wolf / 20", .weight = 2},
    {.option = "idle", .score = "0.1"},
};

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_blackboard_layout *layout = NULL;
    ploy_blackboard *board = NULL;
    ploy_utility_type *type = NULL;
    ploy_result result = ploy_blackboard_layout_create(keys, 3, "villager", &env, NULL, &layout);
    if (result == PLOY_OK) result = ploy_blackboard_create(layout, &env, &board);
    if (result == PLOY_OK) {
        result = ploy_utility_type_from(NULL, layout, NULL, 0, rows, 4, &env, &type);
    }
    ploy_step_context context = {.blackboard = board};
    ploy_moment moment = ploy_moment_make(&context);
    for (int hour = 0; hour < 4 && result == PLOY_OK; hour++) {
        (void)ploy_blackboard_set_f32(board, (ploy_slot){1}, 20.0f * (float)hour);
        if (hour == 3) (void)ploy_blackboard_set_f32(board, (ploy_slot){3}, 4.0f);
        float score = 0.0f;
        ploy_utility_option best =
            ploy_utility_choose(type, &moment, (ploy_utility_option){0}, &score);
        printf("hour %d: %s (%.2f)\n", hour, ploy_utility_type_id(type, best), (double)score);
    }
    ploy_utility_type_destroy(type);
    ploy_blackboard_destroy(board);
    ploy_blackboard_layout_destroy(layout);
    return result == PLOY_OK ? 0 : 1;
}
