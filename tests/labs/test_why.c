// Why, in the labs: every lab with minds in it names at least two options and a reason for each, and
// asking changes nothing.
#include "tests/labs/lab_why.h"

TEST(labs_with_minds_give_their_reasons) {
    static const struct {
        const char *lab;
        int32_t ticks, least; // decisions
    } rows[] = {{"tree", 600, 1200},      {"minds", 200, 600},     {"machine", 200, 200},
                {"statechart", 200, 200}, {"goals", 300, 30},      {"planner", 300, 300},
                {"rules", 300, 10},       {"blackboard", 300, 10}, {"fuzzy", 100, 100},
                {"market", 60, 100},      {"scheduler", 300, 10},  {"messages", 600, 5},
                {"senses", 200, 400},     {"rooms", 200, 200},     {"triggers", 100, 100},
                {"fireteam", 300, 300},   {"house", 200, 300},     {"scripts", 200, 200},
                {"alarms", 400, 600},     {"farms", 100, 200}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        lab_why why = lab_check_why(t, rows[i].lab, NULL, rows[i].ticks);
        t->row = rows[i].lab;
        CHECK(why.decisions >= rows[i].least);
    }
}

// A tick of the labs that play whole matches or read a large table takes as long as hundreds of the others.
TEST(no_option_of_any_lab_lost_without_a_true_reason) {
    static const struct {
        const char *lab;
        int32_t ticks;
    } slow[] = {{"tuning", 5}, {"sentries", 60}, {"avoidance", 60}};
    for (const ploy_sim_type *const *type = ploy_labs(); *type != NULL; type++) {
        int32_t ticks = 600;
        for (size_t i = 0; i < COUNT_OF(slow); i++) {
            if (strcmp((*type)->name, slow[i].lab) == 0) ticks = slow[i].ticks;
        }
        lab_check_reasons(t, *type, ticks);
    }
}
