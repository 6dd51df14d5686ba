// Staging: triggers fire for their group and condition, orders come in time, faults are reported.
#include "ploy/data/staging.h"

#include "ploy/base/json.h"
#include "tests/state.h"
#include "tests/test.h"

typedef struct staging_case {
    ploy_buffer bytes;
    ploy_level level;
    ploy_staging *staging;
    ploy_vec2 at[2]; // of agents 1 and 2
    char log[512];
} staging_case;

static bool staging_pose(void *user, ploy_agent_id agent, ploy_pose *out) {
    const staging_case *it = user;
    if (agent.id.index < 1 || agent.id.index > 2) return false;
    *out = ploy_pose_make2(it->at[agent.id.index - 1], 0.0f, 0.0f);
    return true;
}

static void staging_note(void *user, const ploy_stage_order *order) {
    staging_case *it = user;
    size_t used = strlen(it->log);
    (void)snprintf(it->log + used, sizeof it->log - used, "%g %s %s %s %s;", order->now,
                   order->trigger, ploy_stage_verb_text(order->verb), order->target, order->words);
}

static ploy_result staging_make(staging_case *it, const char *text, ploy_conditions *words,
                                ploy_diags *diags, const ploy_env *env) {
    memset(it, 0, sizeof *it);
    ploy_buffer_init(&it->bytes, 0, env);
    ploy_result result =
        ploy_level_from_text(text, strlen(text), "l", env, NULL, &it->bytes, &it->level);
    if (result == PLOY_OK) {
        result = ploy_staging_create(&it->level, words, env, diags, &it->staging);
    }
    if (result == PLOY_OK) {
        result = ploy_staging_add_agent(it->staging, ploy_agent_id_make(1, 1), "red scout");
    }
    if (result == PLOY_OK) {
        result = ploy_staging_add_agent(it->staging, ploy_agent_id_make(2, 1), "blue");
    }
    it->at[0] = it->at[1] = ploy_vec2_make(50, 50);
    return result;
}

static void staging_free(staging_case *it) {
    ploy_staging_destroy(it->staging);
    ploy_buffer_fini(&it->bytes);
}

static ploy_result staging_run(staging_case *it, double now, ploy_step_context *context) {
    ploy_pose_source poses = {staging_pose, it};
    return ploy_staging_step(it->staging, now, &poses, context, staging_note, it);
}

TEST(only_its_group_fires_a_trigger_once) {
    ploy_env env = ploy_env_default();
    staging_case it;
    CHECK_OK(staging_make(&it,
                          "object nest point 9 9\n"
                          "trigger cave circle 4 4 2 by=red do=\"activate spiders; "
                          "move_to spiders nest\"\n",
                          NULL, NULL, &env));
    it.at[1] = ploy_vec2_make(4, 4); // blue does not count
    CHECK_OK(staging_run(&it, 0, NULL));
    CHECK_TEXT(it.log, "");
    it.at[0] = ploy_vec2_make(4, 5);
    CHECK_OK(staging_run(&it, 1, NULL));
    CHECK_TEXT(it.log, "1 cave activate spiders ;1 cave move_to spiders nest;");
    CHECK_OK(staging_run(&it, 2, NULL));
    it.at[0] = ploy_vec2_make(50, 50);
    CHECK_OK(staging_run(&it, 3, NULL));
    it.at[0] = ploy_vec2_make(4, 5);
    CHECK_OK(staging_run(&it, 4, NULL));
    CHECK_TEXT(it.log, "1 cave activate spiders ;1 cave move_to spiders nest;");
    staging_free(&it);
}

TEST(delays_and_repeats_follow_the_clock) {
    ploy_env env = ploy_env_default();
    staging_case it;
    CHECK_OK(staging_make(&it,
                          "trigger slow circle 4 4 2 delay=2 again=3 do=\"send_event all alarm\"\n"
                          "trigger fast circle 4 4 2 do=\"set_state guards angry\"\n",
                          NULL, NULL, &env));
    it.at[1] = ploy_vec2_make(4, 4);
    for (int32_t i = 0; i <= 6; i++) CHECK_OK(staging_run(&it, (double)i, NULL));
    CHECK_TEXT(it.log, "0 fast set_state guards angry;2 slow send_event all alarm;"
                       "5 slow send_event all alarm;");
    staging_free(&it);
}

TEST(a_trigger_switches_another) {
    ploy_env env = ploy_env_default();
    staging_case it;
    CHECK_OK(staging_make(&it,
                          "trigger off circle 4 4 1 do=\"deactivate door\"\n"
                          "trigger on circle 8 4 1 do=\"activate door\"\n"
                          "trigger door circle 6 8 1 again=0 do=\"send_event door open\"\n",
                          NULL, NULL, &env));
    it.at[0] = ploy_vec2_make(4, 4);
    CHECK_OK(staging_run(&it, 0, NULL));
    it.at[0] = ploy_vec2_make(6, 8);
    CHECK_OK(staging_run(&it, 1, NULL));
    CHECK_TEXT(it.log, "0 off deactivate door ;");
    it.at[0] = ploy_vec2_make(8, 4);
    CHECK_OK(staging_run(&it, 2, NULL));
    it.at[0] = ploy_vec2_make(6, 8);
    CHECK_OK(staging_run(&it, 3, NULL));
    CHECK_TEXT(it.log, "0 off deactivate door ;2 on activate door ;3 door send_event door open;");
    staging_free(&it);
}

TEST(a_condition_holds_a_trigger_back) {
    ploy_env env = ploy_env_default();
    ploy_blackboard_layout *layout = NULL;
    ploy_blackboard *board = NULL;
    ploy_conditions *words = NULL;
    staging_case it;
    const ploy_blackboard_key keys[] = {{"alarm", PLOY_VALUE_BOOL, {0}, NULL}};
    CHECK_OK(ploy_blackboard_layout_create(keys, 1, "l", &env, NULL, &layout));
    CHECK_OK(ploy_blackboard_create(layout, &env, &board));
    CHECK_OK(ploy_conditions_create(layout, &env, &words));
    CHECK_OK(staging_make(&it, "trigger t circle 4 4 2 when=alarm do=\"activate guards\"\n", words,
                          NULL, &env));
    ploy_step_context context = ploy_step_context_make(ploy_agent_id_make(1, 1), board, 1.0f);
    it.at[0] = ploy_vec2_make(4, 4);
    CHECK_OK(staging_run(&it, 0, &context));
    CHECK_TEXT(it.log, "");
    CHECK_OK(ploy_blackboard_set_bool(board, ploy_blackboard_layout_find(layout, "alarm"), true));
    CHECK_OK(staging_run(&it, 1, &context)); // it is still inside
    CHECK_TEXT(it.log, "1 t activate guards ;");
    staging_free(&it);
    ploy_conditions_destroy(words);
    ploy_blackboard_destroy(board);
    ploy_blackboard_layout_destroy(layout);
}

TEST(faults_name_the_trigger_and_the_column) {
    static const struct {
        const char *row, *text;
        int32_t column;
        const char *nearest;
    } rows[] = {
        {"unknown verb", "trigger t circle 1 1 1 do=\"activate a; mov_to b 1 1\"\n", 13, "move_to"},
        {"no target", "trigger t circle 1 1 1 do=activate\n", 9, ""},
        {"no state", "trigger t circle 1 1 1 do=\"set_state a\"\n", 12, ""},
        {"unknown place", "object nest p 1 1\ntrigger t circle 1 1 1 do=\"move_to a nets\"\n", 11,
         "nest"},
        {"half a place", "trigger t circle 1 1 1 do=\"move_to a 1\"\n", 11, NULL},
        {"two places", "trigger t circle 1 1 1 do=\"move_to a 1 1 2 2\"\n", 15, ""},
        {"unknown moment", "trigger t circle 1 1 1 on=enter do=\"activate a\"\n", 1, ""},
        {"a condition without words", "trigger t circle 1 1 1 when=a do=\"activate a\"\n", 1, ""},
    };
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        staging_case it;
        ploy_diags *diags = NULL;
        CHECK_OK(ploy_diags_create(4, &env, &diags));
        CHECK_INT(staging_make(&it, rows[i].text, NULL, diags, &env), PLOY_ERR_FORMAT);
        CHECK_INT(ploy_diags_count(diags), 1);
        CHECK_TEXT(ploy_diags_get(diags, 0)->name, "t");
        CHECK_INT(ploy_diags_get(diags, 0)->column, rows[i].column);
        if (rows[i].nearest != NULL) {
            CHECK_TEXT(ploy_diags_get(diags, 0)->nearest, rows[i].nearest);
        }
        staging_free(&it);
        ploy_diags_destroy(diags);
    }
}

TEST(waiting_orders_are_saved) {
    static const char text[] = "trigger t circle 4 4 2 delay=2 do=\"send_event all alarm\"\n";
    ploy_env env = ploy_env_default();
    staging_case it, other;
    ploy_buffer bytes;
    ploy_json *doc = NULL;
    ploy_json_writer json;
    ploy_buffer_init(&bytes, 0, &env);
    ploy_writer writer = ploy_buffer_writer(&bytes);
    CHECK_OK(staging_make(&it, text, NULL, NULL, &env));
    CHECK_OK(staging_make(&other, text, NULL, NULL, &env));
    it.at[0] = ploy_vec2_make(4, 4);
    CHECK_OK(staging_run(&it, 0, NULL));
    state_check s = {ploy_staging_visit, it.staging, NULL, NULL, NULL};
    state_check_cover(t, &s);
    state_check_files(t, &s);
    ploy_json_writer_init(&json, &writer, 0);
    ploy_visit_save(ploy_staging_visit, it.staging, NULL, &json);
    CHECK_OK(ploy_json_writer_finish(&json));
    CHECK_OK(ploy_json_load(bytes.bytes, bytes.size, "save", NULL, &env, NULL, &doc));
    CHECK_OK(ploy_visit_load(ploy_staging_visit, other.staging, NULL, doc, ploy_json_root(doc),
                             &env, NULL));
    CHECK(ploy_visit_hash(ploy_staging_visit, it.staging, NULL) ==
          ploy_visit_hash(ploy_staging_visit, other.staging, NULL));
    CHECK_OK(staging_run(&other, 2, NULL));
    CHECK_TEXT(other.log, "2 t send_event all alarm;");
    ploy_json_destroy(doc);
    ploy_buffer_fini(&bytes);
    staging_free(&other);
    staging_free(&it);
}

static ploy_result staging_body(const ploy_env *env, void *arg) {
    (void)arg;
    staging_case it;
    ploy_result result =
        staging_make(&it, "trigger t circle 50 50 2 by=red do=\"activate a; patrol b 1 1 2 2\"\n",
                     NULL, NULL, env);
    if (result == PLOY_OK) result = staging_run(&it, 0, NULL);
    staging_free(&it);
    return result;
}

TEST(staging_survives_every_failing_allocation) {
    CHECK_FAIL_NTH(staging_body, NULL);
}
