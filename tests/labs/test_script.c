// The lab `script`: stages, monitor, atomic block and crowd; editing; the same bytes after a rewind.
#include "tests/labs/lab_test.h"

#include <stdio.h>
#include <string.h>

TEST(programs_of_the_lab_do_what_they_show) {
    ploy_env env = ploy_env_default();
    ploy_sim *sim = lab_start(t, "script", NULL, &env);
    lab_run(t, sim, 100);
    CHECK_INT((int64_t)lab_number(t, sim, "2/looks"), 100); // restarted in every tick
    CHECK(lab_number(t, sim, "3/blocks") > 40);             // each longer than a budget
    CHECK(lab_number(t, sim, "miner/bank") > 0);
    CHECK(lab_number(t, sim, "done") > 1000);
    CHECK(lab_number(t, sim, "turns") > 30);
    CHECK(lab_drawn(sim) > 1000);
    ploy_sim_destroy(sim);
}

TEST(a_paused_program_executes_one_instruction_a_step) {
    ploy_env env = ploy_env_default();
    const char *const settings[] = {"paused=true", "show=code", NULL};
    ploy_sim *sim = lab_start(t, "script", settings, &env);
    lab_run(t, sim, 5);
    CHECK_INT((int64_t)lab_number(t, sim, "miner/units"), 0);
    for (int32_t i = 1; i <= 7; i++) {
        lab_command(t, sim, "step", ploy_value_none());
        CHECK_INT((int64_t)lab_number(t, sim, "miner/units"), i);
    }
    lab_command(t, sim, "restart", ploy_value_none());
    CHECK_INT((int64_t)lab_number(t, sim, "miner/units"), 0);
    ploy_sim_destroy(sim);
}

TEST(an_edited_program_keeps_its_variables) {
    ploy_env env = ploy_env_default();
    ploy_sim *sim = lab_start(t, "script", NULL, &env);
    lab_run(t, sim, 100);
    double bank = lab_number(t, sim, "miner/bank");
    static const char text[] = "keep gold = 0\nkeep bank = 0\nwhile true {\n  bank += 1000\n"
                               "  yield\n}\n";
    ploy_input input;
    memset(&input, 0, sizeof input);
    input.kind = PLOY_INPUT_RELOAD;
    input.name = "script";
    input.bytes = text;
    input.size = sizeof text - 1;
    CHECK_OK(ploy_sim_step(sim, &input, 1, NULL));
    lab_run(t, sim, 10);
    CHECK(lab_number(t, sim, "miner/bank") >= bank + 1000.0 || // it continued, or restarted
          lab_number(t, sim, "miner/bank") >= 5000.0);
    input.bytes = "keep gold = ";
    input.size = 12;
    CHECK(ploy_sim_step(sim, &input, 1, NULL) < 0); // refused, and the lab goes on
    lab_run(t, sim, 3);
    ploy_sim_destroy(sim);
}

TEST(every_program_of_the_lab_can_be_edited) {
    static const struct {
        const char *name, *text, *variable;
        double least;
    } rows[] = {
        {"monitor", "monitor\nkeep looks = 0\nlooks += 1000\n", "2/looks", 10000.0},
        {"atomic", "keep blocks = 0\nwhile true { blocks += 500; yield }\n", "3/blocks", 5000.0},
        {"crowd", "keep done = 0\nwhile true { done += 100000; yield }\n", "done", 1e6},
    };
    ploy_env env = ploy_env_default();
    ploy_sim *sim = lab_start(t, "script", NULL, &env);
    lab_run(t, sim, 20);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].name;
        ploy_input input;
        memset(&input, 0, sizeof input);
        input.kind = PLOY_INPUT_RELOAD;
        input.name = rows[i].name;
        input.bytes = rows[i].text;
        input.size = strlen(rows[i].text);
        CHECK(lab_number(t, sim, rows[i].variable) < rows[i].least);
        CHECK_OK(ploy_sim_step(sim, &input, 1, NULL));
        lab_run(t, sim, 30);
        CHECK(lab_number(t, sim, rows[i].variable) >= rows[i].least);
    }
    lab_check_rewind(t, sim, 10);
    ploy_sim_destroy(sim);
}

// Keeps the last table that was drawn.
static void script_keep_table(void *user, const ploy_draw_item *item) {
    if (item->shape == PLOY_SHAPE_TABLE) snprintf(user, 4096, "%s", item->text);
}

TEST(each_program_is_shown_in_four_forms) {
    static const char *const programs[] = {"script", "stages", "monitor", "atomic", "crowd"};
    static const char *const shows[] = {"source", "tokens", "tree", "code"};
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < COUNT_OF(programs); i++) {
        for (size_t k = 0; k < COUNT_OF(shows); k++) {
            char program[32], show[32];
            snprintf(program, sizeof program, "program=%s", programs[i]);
            snprintf(show, sizeof show, "show=%s", shows[k]);
            const char *const settings[] = {program, show, NULL};
            t->row = program;
            ploy_sim *sim = lab_start(t, "script", settings, &env);
            lab_run(t, sim, 2);
            CHECK(lab_drawn(sim) > 1000 + 4); // the crowd, and what is beside it
            static char table[4096];
            ploy_draw draw = {script_keep_table, table, 0xffffffffu};
            ploy_sim_draw(sim, &draw);
            char head[32];
            snprintf(head, sizeof head, "lrl\n\tline\t%s\n", shows[k]);
            CHECK(strncmp(table, head, strlen(head)) == 0);
            CHECK(strstr(table, "\t3\t") != NULL); // three lines at least
            // Where the program is next; the crowd's first program may have ended.
            if (i == 0 && (k == 0 || k == 3)) CHECK(strstr(table, "\n>\t") != NULL);
            ploy_sim_destroy(sim);
        }
    }
}

TEST(script_rewinds_to_the_same_bytes) {
    ploy_env env = ploy_env_default();
    ploy_sim *sim = lab_start(t, "script", NULL, &env);
    lab_run(t, sim, 10);
    lab_check_rewind(t, sim, 30);
    lab_set(t, sim, "budget", ploy_value_i64(100));
    lab_check_rewind(t, sim, 30);
    ploy_sim_destroy(sim);
}
