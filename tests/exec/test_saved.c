// Saved groups, selectors and tasks: each continues as if it had never been saved, takes up what an
// edited definition still knows, survives altered files and every failing allocation.
#include "ploy/exec/group.h"
#include "ploy/exec/lod.h"
#include "ploy/exec/task_behavior.h"
#include "tests/decide/saved.h"

// ---- groups: three members with different periods; edition 1 has one less and another order

static const char *const saved_members[] = {"steer", "plan", "feel"};

static ploy_result saved_group_build(saved_bench *bench, int32_t edition) {
    ploy_scheduler_def def = ploy_scheduler_def_default();
    ploy_group_type *type = NULL;
    ploy_result result = ploy_group_type_create(&def, &bench->env, &type);
    for (int32_t i = 0; i < 3 && result == PLOY_OK; i++) {
        int32_t which = edition == 0 ? i : 2 - i;
        if (edition == 1 && which == 1) continue;
        ploy_group_member member = ploy_group_member_default();
        member.schedule.period = 1 + 70 * (which == 1) + which;
        member.once = which == 2;
        result = ploy_group_type_add(type, saved_members[which], &member, saved_walk_maker(bench));
    }
    if (result == PLOY_OK) {
        result = ploy_maker_make(ploy_group_type_maker(type), &bench->env, &bench->mind);
    }
    if (result != PLOY_OK) ploy_group_type_destroy(type);
    bench->type = type;
    return result;
}

static void saved_group_unbuild(saved_bench *bench) {
    ploy_behavior_destroy(bench->mind);
    ploy_group_type_destroy(bench->type);
}

// The member that entered last of those which are entered, as far as a group shows that.
static const char *saved_group_where(const saved_bench *bench) {
    const ploy_group *group = bench->mind.self;
    ploy_group_info info;
    bool third = ploy_group_get(group, 2, &info) == PLOY_OK && info.entered;
    bool second = ploy_group_get(group, 1, &info) == PLOY_OK && info.entered;
    return third ? "feel" : second ? "plan" : "steer";
}

// ---- selectors: two levels by the key "x"; edition 1 has only one

static ploy_result saved_lod_build(saved_bench *bench, int32_t edition) {
    ploy_lod_level levels[2] = {{.name = "crowd", .min = 0.0f, .max = 0.6f},
                                {.name = "person", .min = 0.4f, .max = 1.0f}};
    levels[0].maker = levels[1].maker = saved_walk_maker(bench);
    ploy_lod_def def = ploy_lod_def_default();
    def.levels = levels;
    def.level_count = 2 - edition;
    if (edition == 1) levels[0].max = 1.0f;
    def.importance_slot = ploy_blackboard_layout_find(bench->layout, "x");
    ploy_lod *lod = NULL;
    ploy_result result = ploy_lod_create(&def, &bench->env, &lod);
    if (result == PLOY_OK) {
        result = ploy_maker_make(ploy_lod_maker(lod), &bench->env, &bench->mind);
    }
    if (result != PLOY_OK) ploy_lod_destroy(lod);
    bench->type = lod;
    return result;
}

static void saved_lod_unbuild(saved_bench *bench) {
    ploy_behavior_destroy(bench->mind);
    ploy_lod_destroy(bench->type);
}

static const char *saved_lod_where(const saved_bench *bench) {
    const char *name =
        ploy_lod_level_name(bench->type, ploy_lod_selector_get(bench->mind.self).level);
    return name != NULL ? name : "none";
}

// ---- tasks: a sum that is saved; edition 1 counts further and cannot use what edition 0 wrote

typedef struct saved_sum {
    saved_bench *bench;
    int64_t at, most;
    ploy_task_behavior_def def;
} saved_sum;

static ploy_result saved_sum_step(void *self, ploy_budget *budget) {
    saved_sum *sum = self;
    (void)budget;
    saved_note(sum->bench, (uint64_t)sum->at);
    return ++sum->at < sum->most ? PLOY_IN_PROGRESS : PLOY_OK;
}

static void saved_sum_describe(const void *self, ploy_describe *out) {
    ploy_describe_i64(out, "at", PLOY_STATE, ((const saved_sum *)self)->at);
}

static ploy_task saved_sum_task(saved_sum *sum) {
    static const ploy_task_type type = {"sum", saved_sum_step, NULL, saved_sum_describe};
    ploy_task task = {&type, sum};
    return task;
}

static ploy_result saved_sum_begin(void *user, const ploy_step_context *context, ploy_task *out) {
    saved_sum *sum = user;
    (void)context;
    sum->at = 0;
    *out = saved_sum_task(sum);
    return PLOY_OK;
}

static void saved_sum_save(void *user, ploy_task task, ploy_json_writer *out) {
    const saved_sum *sum = task.self;
    (void)user;
    ploy_json_write_begin_row(out);
    ploy_json_write_i64(out, sum->at);
    ploy_json_write_i64(out, sum->most);
    ploy_json_write_end_array(out);
}

static ploy_result saved_sum_load(void *user, const ploy_step_context *context,
                                  const ploy_json *doc, ploy_json_node saved, ploy_task *out) {
    saved_sum *sum = user;
    int64_t most = 0;
    (void)context;
    (void)ploy_json_i64(doc, ploy_json_at(doc, saved, 1), &most);
    if (most != sum->most || ploy_json_i64(doc, ploy_json_at(doc, saved, 0), &sum->at) != PLOY_OK ||
        sum->at < 0 || sum->at >= most) {
        return PLOY_ERR_FORMAT;
    }
    *out = saved_sum_task(sum);
    return PLOY_OK;
}

static ploy_result saved_task_build(saved_bench *bench, int32_t edition) {
    saved_sum *sum = ploy_env_alloc_zero(&bench->env, sizeof *sum);
    if (sum == NULL) return PLOY_ERR_MEMORY;
    sum->bench = bench;
    sum->most = 5 + edition;
    sum->def.name = "sum";
    sum->def.begin = saved_sum_begin;
    sum->def.save = saved_sum_save;
    sum->def.load = saved_sum_load;
    sum->def.user = sum;
    bench->type = sum;
    ploy_result result =
        ploy_maker_make(ploy_task_behavior_maker(&sum->def), &bench->env, &bench->mind);
    if (result != PLOY_OK) ploy_env_free(&bench->env, sum, sizeof *sum);
    return result;
}

static void saved_task_unbuild(saved_bench *bench) {
    ploy_behavior_destroy(bench->mind);
    ploy_env_free(&bench->env, bench->type, sizeof(saved_sum));
}

static const char *saved_task_where(const saved_bench *bench) {
    static const char *const places[] = {"0", "1", "2", "3", "4", "5"};
    return places[((const saved_sum *)bench->type)->at % 6];
}

static const saved_kind saved_kinds[] = {
    {"group", saved_group_build, saved_group_unbuild, NULL, saved_group_where, "steer", "plan",
     true},
    {"level of detail", saved_lod_build, saved_lod_unbuild, NULL, saved_lod_where, "crowd",
     "person", true},
    {"task", saved_task_build, saved_task_unbuild, NULL, saved_task_where, "0", "3", true},
};

TEST(a_saved_holder_continues_as_if_it_had_never_been_saved) {
    for (size_t i = 0; i < COUNT_OF(saved_kinds); i++) {
        saved_check_round_trip(t, &saved_kinds[i], 60);
    }
}

TEST(an_edited_definition_keeps_what_it_still_knows) {
    for (size_t i = 1; i < COUNT_OF(saved_kinds); i++) saved_check_edited(t, &saved_kinds[i]);
}

TEST(an_altered_file_gives_a_holder_that_works) {
    for (size_t i = 0; i < COUNT_OF(saved_kinds); i++) {
        saved_check_altered(t, &saved_kinds[i], 200);
    }
}

TEST(loading_a_holder_survives_every_failing_allocation) {
    for (size_t i = 0; i < COUNT_OF(saved_kinds); i++) saved_check_fail(t, &saved_kinds[i]);
}

// A member that is gone is reported; those that are left keep their places in their walks.
TEST(a_group_continues_with_the_members_it_still_has) {
    ploy_env env = ploy_env_default();
    saved_bench old, fresh;
    TEST_SEED(3);
    CHECK_OK(saved_open(&old, &saved_kinds[0], 0, t->seed, &env));
    CHECK_OK(saved_run(&old, &saved_kinds[0], 0, 2));
    CHECK_INT(saved_hand_over(t, &fresh, &old, &saved_kinds[0], 1, 2), 1); // "plan" is gone
    ploy_group_info was, is;
    CHECK_OK(ploy_group_get(old.mind.self, 0, &was)); // "steer"
    CHECK_OK(ploy_group_get(fresh.mind.self, 1, &is));
    CHECK(is.entered);
    CHECK_INT(((const saved_walk *)is.behavior.self)->steps,
              ((const saved_walk *)was.behavior.self)->steps);
    ploy_behavior_exit(old.mind, &old.context, PLOY_EXIT_REMOVED);
    ploy_behavior_exit(fresh.mind, &fresh.context, PLOY_EXIT_REMOVED);
    saved_close(&fresh, &saved_kinds[0]);
    saved_close(&old, &saved_kinds[0]);
}

TEST(a_group_type_refuses_members_that_a_definition_cannot_hold) {
    ploy_env env = ploy_env_default();
    saved_bench bench;
    ploy_scheduler_def def = ploy_scheduler_def_default();
    ploy_group_type *type = NULL;
    CHECK_OK(ploy_group_type_create(&def, &env, &type));
    ploy_group_member member = ploy_group_member_default();
    ploy_maker walk = saved_walk_maker(&bench);
    CHECK_INT(ploy_group_type_add(type, "", &member, walk), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_group_type_add(type, "#1", &member, walk), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_group_type_add(type, "a", &member, ploy_maker_none()), PLOY_ERR_ARGUMENT);
    CHECK_OK(ploy_group_type_add(type, "a", &member, walk));
    CHECK_INT(ploy_group_type_add(type, "a", &member, walk), PLOY_ERR_EXISTS);
    member.agent = ploy_agent_id_make(1, 1);
    CHECK_INT(ploy_group_type_add(type, "b", &member, walk), PLOY_ERR_ARGUMENT);
    ploy_group_type_destroy(type);
    ploy_group_type_destroy(NULL);
}
