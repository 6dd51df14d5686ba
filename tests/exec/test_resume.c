// Functions that stop and go on, by hand and by macro.
#include "ploy/exec/resume.h"

#include "tests/test.h"

typedef struct sum {
    ploy_resume resume;
    int32_t i, n;
    int64_t total;
} sum;

static ploy_result sum_step(sum *s, ploy_budget *budget) {
    PLOY_RESUME_BEGIN(&s->resume);
    s->total = 0;
    for (s->i = 1; s->i <= s->n; s->i++) {
        PLOY_RESUME_SPEND(&s->resume, budget, 1);
        s->total += s->i;
    }
    PLOY_RESUME_STOP(&s->resume); // one slice more
    s->total *= 2;
    PLOY_RESUME_END(&s->resume);
}

static ploy_result sum_by_hand(sum *s, ploy_budget *budget) {
    switch (ploy_resume_point(&s->resume)) {
    case 0:
        s->total = 0;
        s->i = 1;
        break;
    case 2: s->total *= 2; return ploy_resume_end(&s->resume);
    default: break;
    }
    for (; s->i <= s->n; s->i++) {
        if (!ploy_budget_spend(budget, 1)) return ploy_resume_stop(&s->resume, 1);
        s->total += s->i;
    }
    return ploy_resume_stop(&s->resume, 2);
}

TEST(a_function_stops_when_its_budget_is_empty_and_goes_on_there) { // EXE-07
    for (int64_t slice = 1; slice <= 12; slice++) {
        TEST_SEED(slice);
        sum s = {.n = 10}, hand = {.n = 10};
        for (int32_t turn = 0; turn < 2; turn++) { // it begins anew once it is done
            int32_t calls = 0;
            ploy_result result = PLOY_IN_PROGRESS;
            while (result == PLOY_IN_PROGRESS) {
                ploy_budget a = ploy_budget_units(slice), b = ploy_budget_units(slice);
                result = sum_step(&s, &a);
                CHECK_INT(sum_by_hand(&hand, &b), result);
                CHECK_INT(a.spent, b.spent);
                CHECK(a.spent <= slice);
                calls++;
            }
            CHECK_OK(result);
            CHECK_INT(s.total, 110);
            CHECK_INT(hand.total, 110);
            CHECK_INT(calls, (10 + slice - 1) / slice + 1);
        }
    }
}
