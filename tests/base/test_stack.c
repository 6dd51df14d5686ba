// The stack with a fixed room, and clamping (GOA-36's printed vectors).
#include "ploy/base/stack.h"

#include "ploy/base/math.h"
#include "tests/test.h"

TEST(a_stack_of_five_takes_five_and_gives_them_back_in_reverse) {
    int32_t room[5], out = -1;
    ploy_stack stack = ploy_stack_make(room, sizeof room[0], 5);
    CHECK(ploy_stack_is_empty(&stack) && !ploy_stack_pop(&stack, &out));
    CHECK(ploy_stack_top(&stack) == NULL);
    int32_t pushed = 0;
    for (int32_t i = 0; i < 10 && !ploy_stack_is_full(&stack); i++, pushed++) {
        CHECK_OK(ploy_stack_push(&stack, &i));
    }
    CHECK_INT(pushed, 5);
    CHECK_INT(ploy_stack_push(&stack, &pushed), PLOY_ERR_CAPACITY);
    for (int32_t want = 4; want >= 0; want--) {
        CHECK_INT(*(int32_t *)ploy_stack_top(&stack), want);
        CHECK(ploy_stack_pop(&stack, &out));
        CHECK_INT(out, want);
    }
    CHECK(!ploy_stack_pop(&stack, &out)); // and no further
    CHECK_INT(stack.count, 0);
}

TEST(a_stack_of_floats_and_one_without_room) {
    float room[5], out = 0.0f;
    ploy_stack stack = ploy_stack_make(room, sizeof room[0], 5);
    for (int32_t i = 0; i < 5; i++) {
        float value = 0.5f * (float)i;
        CHECK_OK(ploy_stack_push(&stack, &value));
    }
    for (int32_t i = 4; i >= 0; i--) {
        CHECK(ploy_stack_pop(&stack, &out));
        CHECK_SAME(out, 0.5f * (float)i);
    }
    ploy_stack none = ploy_stack_make(NULL, 4, 5);
    CHECK_INT(ploy_stack_push(&none, &out), PLOY_ERR_CAPACITY);
}

TEST(clamping_keeps_a_value_between_its_ends) {
    CHECK_SAME(ploy_clampf(10.0f, 20.0f, 30.0f), 20.0);
    CHECK_SAME(ploy_clampf(10.5f, 25.5f, 35.5f), 25.5);
    CHECK_INT((int32_t)ploy_clampf(10.0f, 25.5f, 35.5f), 25); // a whole number is cut off
    CHECK_SAME(ploy_clampf(10.5f, 20.0f, 30.0f), 20.0);
    CHECK_SAME(ploy_clampf(40.0f, 20.0f, 30.0f), 30.0);
}
