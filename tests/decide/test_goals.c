// The tree of goals: traces of the text's rules, interruption, queues, and clean ends.
#include "decide/decide_internal.h"
#include "ploy/decide/goals.h"
#include "tests/test.h"

// What happens is written down as words: "+a" activated, "a" processed, "-a" terminated, "|a"
// suspended, ">a" resumed.
typedef struct diary {
    char text[4096];
} diary;

typedef struct step_params {
    char name;
    char ends; // 'c' completes, 'f' fails
    int16_t after;
} step_params;

static void note(const ploy_goal_turn *turn, const char *mark) {
    diary *own = turn->owner;
    size_t used = strlen(own->text);
    if (used > sizeof own->text - 8) return;
    snprintf(own->text + used, sizeof own->text - used, "%s%c ", mark,
             ((const step_params *)turn->params)->name);
}

static ploy_result step_activate(const ploy_goal_turn *turn) {
    note(turn, "+");
    *(int32_t *)turn->data = 0;
    return PLOY_OK;
}

static ploy_result step_process(const ploy_goal_turn *turn, ploy_goal_status *status) {
    const step_params *params = turn->params;
    note(turn, "");
    if (++*(int32_t *)turn->data >= params->after && params->after > 0) {
        *status = params->ends == 'f' ? PLOY_GOAL_FAILED : PLOY_GOAL_COMPLETED;
    }
    return PLOY_OK;
}

static void step_terminate(const ploy_goal_turn *turn) {
    note(turn, "-");
}

static void step_suspend(const ploy_goal_turn *turn) {
    note(turn, "|");
}

static ploy_result step_resume(const ploy_goal_turn *turn) {
    note(turn, ">");
    return PLOY_OK;
}

static ploy_result step_message(const ploy_goal_turn *turn, const ploy_message *message,
                                bool *handled) {
    note(turn, "!");
    *handled = message->size == 1 &&
               message->payload[0] == (unsigned char)((const step_params *)turn->params)->name;
    return PLOY_OK;
}

static const ploy_goal_type step_type = {.name = "step",
                                         .activate = step_activate,
                                         .process = step_process,
                                         .terminate = step_terminate,
                                         .message = step_message};
static const ploy_goal_type gentle_type = {.name = "gentle",
                                           .activate = step_activate,
                                           .process = step_process,
                                           .terminate = step_terminate,
                                           .suspend = step_suspend,
                                           .resume = step_resume};
static const ploy_goal_type group_type = {.name = "group",
                                          .composite = true,
                                          .activate = step_activate,
                                          .terminate = step_terminate,
                                          .message = step_message,
                                          .suspend = step_suspend};

typedef struct scene {
    ploy_goals *goals;
    ploy_step_context context;
    ploy_goal root;
    diary diary;
} scene;

static void scene_begin(test_context *t, scene *s, bool literal, const ploy_env *env) {
    memset(s, 0, sizeof *s);
    ploy_goals_def def = ploy_goals_def_default();
    def.literal = literal;
    CHECK_OK(ploy_goals_create(&def, &s->diary, env, &s->goals));
    s->root = ploy_goals_root(s->goals);
}

static ploy_goal scene_add(test_context *t, scene *s, ploy_goal parent, ploy_goal_place place,
                           const ploy_goal_type *type, char name, char ends, int32_t after) {
    step_params params = {name, ends, (int16_t)after};
    ploy_goal goal;
    CHECK_OK(
        ploy_goals_add(s->goals, &s->context, parent, place, type, &params, sizeof params, &goal));
    return goal;
}

static ploy_goal_status scene_step(test_context *t, scene *s) {
    ploy_goal_status status = PLOY_GOAL_INACTIVE;
    CHECK_OK(ploy_goals_step(s->goals, &s->context, &status));
    s->context.now += 1.0;
    return status;
}

static void scene_end(scene *s) {
    ploy_goals_destroy(s->goals);
}

// GOA-02's trace: A needs two steps, B one.
TEST(subgoals_are_pursued_one_after_another) {
    ploy_env env = ploy_env_default();
    scene s;
    scene_begin(t, &s, false, &env);
    ploy_goal a = scene_add(t, &s, s.root, PLOY_GOAL_REAR, &step_type, 'a', 'c', 2);
    scene_add(t, &s, s.root, PLOY_GOAL_REAR, &step_type, 'b', 'c', 1);
    CHECK_INT(ploy_goals_status(s.goals, a), PLOY_GOAL_INACTIVE);
    CHECK_INT(scene_step(t, &s), PLOY_GOAL_ACTIVE);
    CHECK_INT(scene_step(t, &s), PLOY_GOAL_ACTIVE);
    CHECK_INT(scene_step(t, &s), PLOY_GOAL_COMPLETED);
    CHECK_INT(scene_step(t, &s), PLOY_GOAL_COMPLETED); // B goes
    CHECK_TEXT(s.diary.text, "+a a a -a +b b -b ");
    CHECK(!ployi_goals_has(s.goals, a));
    CHECK_INT(ploy_goals_count(s.goals), 0);
    scene_end(&s);
}

TEST(a_failure_goes_up_and_the_next_call_goes_on) {
    ploy_env env = ploy_env_default();
    scene s;
    scene_begin(t, &s, false, &env);
    scene_add(t, &s, s.root, PLOY_GOAL_REAR, &step_type, 'a', 'f', 1);
    scene_add(t, &s, s.root, PLOY_GOAL_REAR, &step_type, 'b', 'c', 1);
    CHECK_INT(scene_step(t, &s), PLOY_GOAL_FAILED);
    CHECK_INT(scene_step(t, &s), PLOY_GOAL_COMPLETED);
    CHECK_TEXT(s.diary.text, "+a a -a +b b ");
    scene_end(&s);
}

// GOA-02's pitfall and its remedy: a status set by a message's handler.
TEST(a_failure_set_between_two_steps_is_reported_unless_literal) {
    ploy_env env = ploy_env_default();
    for (int32_t literal = 0; literal < 2; literal++) {
        scene s;
        scene_begin(t, &s, literal != 0, &env);
        ploy_goal a = scene_add(t, &s, s.root, PLOY_GOAL_REAR, &step_type, 'a', 'c', 9);
        CHECK_INT(scene_step(t, &s), PLOY_GOAL_ACTIVE);
        CHECK_OK(ploy_goals_set_status(s.goals, a, PLOY_GOAL_FAILED));
        CHECK_INT(scene_step(t, &s), literal ? PLOY_GOAL_COMPLETED : PLOY_GOAL_FAILED);
        scene_end(&s);
    }
}

static ploy_result plan_two(const ploy_goal_turn *turn) {
    const step_params steps[] = {{'x', 'c', 1}, {'y', 'f', 1}};
    note(turn, "+");
    ploy_goals_clear(turn->goals, turn->context, turn->goal);
    for (int32_t i = 1; i >= 0; i--) { // in front: the last first
        ploy_result result = ploy_goals_add(turn->goals, turn->context, turn->goal, PLOY_GOAL_FRONT,
                                            &step_type, &steps[i], sizeof steps[i], NULL);
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

// GOA-05: planned again a counted number of times, with a pause, then it fails.
TEST(a_goal_that_can_plan_again_does_so_and_not_for_ever) {
    ploy_env env = ploy_env_default();
    for (int32_t immediate = 0; immediate < 2; immediate++) {
        ploy_goal_type type = {.name = "p",
                               .composite = true,
                               .activate = plan_two,
                               .terminate = step_terminate,
                               .replans = 2,
                               .replan_pause = immediate ? 0.0f : 2.5f};
        scene s;
        memset(&s, 0, sizeof s);
        ploy_goals_def def = ploy_goals_def_default();
        def.immediate = immediate != 0;
        CHECK_OK(ploy_goals_create(&def, &s.diary, &env, &s.goals));
        s.root = ploy_goals_root(s.goals);
        scene_add(t, &s, s.root, PLOY_GOAL_REAR, &type, 'p', 'c', 0);
        int32_t steps = 1;
        while (scene_step(t, &s) == PLOY_GOAL_ACTIVE) CHECK(++steps < 50);
        const char *all = "+p +x x -x +y y -y +p +x x -x +y y -y +p +x x -x +y y ";
        CHECK_TEXT(s.diary.text, all);
        CHECK_INT(ploy_goals_status(s.goals, ploy_goals_first(s.goals, s.root)), PLOY_GOAL_FAILED);
        CHECK_INT(steps, immediate ? 4 : 10); // two pauses of two steps more
        scene_end(&s);
    }
}

// GOA-28, S12: the same goal is the leaf again; GOA-35's thief.
TEST(an_interruption_suspends_the_front_chain_and_gives_it_back) {
    ploy_env env = ploy_env_default();
    scene s;
    scene_begin(t, &s, false, &env);
    ploy_goal trip = scene_add(t, &s, s.root, PLOY_GOAL_REAR, &group_type, 't', 'c', 0);
    ploy_goal edge = scene_add(t, &s, trip, PLOY_GOAL_REAR, &gentle_type, 'e', 'c', 3);
    CHECK_INT(scene_step(t, &s), PLOY_GOAL_ACTIVE);
    scene_add(t, &s, s.root, PLOY_GOAL_FRONT, &step_type, 'd', 'c', 2); // defend
    CHECK_INT(scene_step(t, &s), PLOY_GOAL_ACTIVE);
    CHECK_INT(scene_step(t, &s), PLOY_GOAL_ACTIVE);
    CHECK_INT(scene_step(t, &s), PLOY_GOAL_ACTIVE);
    CHECK(ploy_goal_equal(ployi_goals_leaf(s.goals), edge));
    CHECK_INT(scene_step(t, &s), PLOY_GOAL_COMPLETED);
    CHECK_TEXT(s.diary.text, "+t +e e |e |t +d d d -d >e e e ");
    scene_end(&s);
    // Without hooks of its own a leaf is activated again.
    scene_begin(t, &s, false, &env);
    scene_add(t, &s, s.root, PLOY_GOAL_REAR, &step_type, 'a', 'c', 2);
    CHECK_INT(scene_step(t, &s), PLOY_GOAL_ACTIVE);
    scene_add(t, &s, s.root, PLOY_GOAL_FRONT, &step_type, 'd', 'c', 1);
    for (int32_t i = 0; i < 3; i++) (void)scene_step(t, &s);
    CHECK_TEXT(s.diary.text, "+a a +d d -d +a a a ");
    scene_end(&s);
}

// GOA-04, S16: the deepest of the front chain first; a suspended goal hears nothing.
// A committed goal is carried to its end: the goals above are not processed meanwhile, so that they
// cannot end it by a change of plan, and are processed again in the step in which it ends.
TEST(a_committed_goal_is_carried_to_its_end) {
    static const ploy_goal_type fickle = {.name = "fickle",
                                          .composite = true,
                                          .activate = step_activate,
                                          .process = step_process,
                                          .terminate = step_terminate};
    ploy_env env = ploy_env_default();
    for (int32_t row = 0; row < 2; row++) {
        ploy_goal_type step = step_type;
        step.committed = row != 0;
        scene s;
        scene_begin(t, &s, false, &env);
        // Above: fails when it is processed first. Below: takes three steps.
        ploy_goal above = scene_add(t, &s, s.root, PLOY_GOAL_REAR, &fickle, 'a', 'f', 1);
        (void)scene_add(t, &s, above, PLOY_GOAL_REAR, &step, 'b', 'c', 3);
        CHECK_INT(ploy_goals_committed(s.goals), row != 0);
        int32_t steps = 1;
        while (scene_step(t, &s) == PLOY_GOAL_ACTIVE) steps++;
        CHECK_INT(steps, row != 0 ? 3 : 1);
        CHECK_TEXT(s.diary.text, row != 0 ? "+a +b b b b a " : "+a +b b a ");
        CHECK(!ploy_goals_committed(s.goals) || row == 0);
        // Clear ends it all the same.
        (void)scene_step(t, &s);
        above = scene_add(t, &s, s.root, PLOY_GOAL_REAR, &fickle, 'a', 'f', 1);
        (void)scene_add(t, &s, above, PLOY_GOAL_REAR, &step, 'b', 'c', 3);
        ploy_goals_clear(s.goals, &s.context, s.root);
        CHECK(!ploy_goals_committed(s.goals));
        scene_end(&s);
    }
}

TEST(messages_go_down_the_front_chain_and_come_up_unhandled) {
    ploy_env env = ploy_env_default();
    scene s;
    scene_begin(t, &s, false, &env);
    ploy_goal group = scene_add(t, &s, s.root, PLOY_GOAL_REAR, &group_type, 'g', 'c', 0);
    scene_add(t, &s, group, PLOY_GOAL_REAR, &step_type, 'a', 'c', 9);
    scene_add(t, &s, group, PLOY_GOAL_REAR, &step_type, 'b', 'c', 9);
    const struct {
        char name;
        bool handled;
        const char *text;
    } rows[] = {{'a', true, "!a "}, {'g', true, "!a !g "}, {'b', false, "!a !g "}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        ploy_message message =
            ploy_message_make(ploy_agent_id_none(), ploy_agent_id_none(), ploy_name_of("hello"));
        bool handled = false;
        CHECK_OK(ploy_message_set_payload(&message, &rows[i].name, 1));
        s.diary.text[0] = '\0';
        CHECK_OK(ploy_goals_message(s.goals, &s.context, &message, &handled));
        CHECK_INT(handled, rows[i].handled);
        CHECK_TEXT(s.diary.text, rows[i].text);
    }
    scene_end(&s);
}

// GOA-30, S13 to S15: orders in a row, a patrol, and an order that replaces all.
TEST(orders_queue_patrol_and_are_replaced) {
    ploy_env env = ploy_env_default();
    scene s;
    scene_begin(t, &s, false, &env);
    for (char name = 'a'; name <= 'c'; name++) {
        scene_add(t, &s, s.root, PLOY_GOAL_REAR, &step_type, name, 'c', 1);
    }
    for (int32_t i = 0; i < 4; i++) (void)scene_step(t, &s);
    CHECK_TEXT(s.diary.text, "+a a -a +b b -b +c c -c ");
    s.diary.text[0] = '\0';
    scene_add(t, &s, s.root, PLOY_GOAL_REPEAT, &step_type, 'p', 'c', 1);
    scene_add(t, &s, s.root, PLOY_GOAL_REPEAT, &step_type, 'q', 'c', 1);
    for (int32_t i = 0; i < 5; i++) CHECK_INT(scene_step(t, &s), PLOY_GOAL_ACTIVE);
    CHECK_TEXT(s.diary.text, "+p p -p +q q -q +p p -p +q q -q +p p ");
    CHECK_INT(ploy_goals_count(s.goals), 2);
    s.diary.text[0] = '\0';
    ploy_goals_clear(s.goals, &s.context, s.root); // a new order without the modifier
    scene_add(t, &s, s.root, PLOY_GOAL_REAR, &step_type, 'n', 'c', 1);
    CHECK_INT(scene_step(t, &s), PLOY_GOAL_COMPLETED);
    CHECK_TEXT(s.diary.text, "-p -q +n n ");
    scene_end(&s);
    // A single patrol point goes on for ever too, one step at a time.
    scene_begin(t, &s, false, &env);
    scene_add(t, &s, s.root, PLOY_GOAL_REPEAT, &step_type, 'p', 'c', 1);
    for (int32_t i = 0; i < 3; i++) CHECK_INT(scene_step(t, &s), PLOY_GOAL_ACTIVE);
    CHECK_TEXT(s.diary.text, "+p p -p +p p -p +p p ");
    scene_end(&s);
}

// S17: every live goal is terminated once, children before parents.
TEST(destroying_terminates_every_goal_leaf_first) {
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    scene s;
    scene_begin(t, &s, false, &env);
    ploy_goal g = scene_add(t, &s, s.root, PLOY_GOAL_REAR, &group_type, 'g', 'c', 0);
    ploy_goal h = scene_add(t, &s, g, PLOY_GOAL_REAR, &group_type, 'h', 'c', 0);
    scene_add(t, &s, h, PLOY_GOAL_REAR, &step_type, 'a', 'c', 5);
    scene_add(t, &s, g, PLOY_GOAL_REAR, &step_type, 'b', 'c', 5);
    (void)scene_step(t, &s);
    s.diary.text[0] = '\0';
    scene_end(&s);
    CHECK_TEXT(s.diary.text, "-a -h -b -g ");
    CHECK_INT(counts.bytes, 0);
}

// GOA-32, GOA-01's lazy expansion, and S20's "no allocation".
TEST(the_tree_prints_itself_and_allocates_nothing) {
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    scene s;
    scene_begin(t, &s, false, &env);
    int64_t calls = counts.calls;
    ploy_goal g = scene_add(t, &s, s.root, PLOY_GOAL_REAR, &group_type, 'g', 'c', 0);
    scene_add(t, &s, g, PLOY_GOAL_REAR, &step_type, 'a', 'c', 5);
    scene_add(t, &s, g, PLOY_GOAL_REAR, &step_type, 'b', 'c', 5);
    (void)scene_step(t, &s);
    CHECK_INT(counts.calls, calls);
    ploy_env plain = ploy_env_default();
    ploy_buffer buffer;
    ploy_buffer_init(&buffer, 0, &plain);
    ploy_writer writer = ploy_buffer_writer(&buffer);
    ploy_goals_print(s.goals, &writer);
    CHECK_TEXT(ploy_buffer_text(&buffer), "group active\n  step active\n  step inactive\n");
    ploy_buffer_fini(&buffer);
    scene_end(&s);
}

TEST(bad_input_changes_nothing) {
    ploy_env env = ploy_env_default();
    scene s;
    scene_begin(t, &s, false, &env);
    unsigned char big[PLOY_GOAL_PARAMS_MAX + 1] = {0};
    ploy_goal none = {{0, 0}},
              atom = scene_add(t, &s, s.root, PLOY_GOAL_REAR, &step_type, 'a', 'c', 1);
    CHECK_INT(ploy_goals_add(s.goals, NULL, none, PLOY_GOAL_REAR, &step_type, NULL, 0, NULL),
              PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_goals_add(s.goals, NULL, atom, PLOY_GOAL_REAR, &step_type, NULL, 0, NULL),
              PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_goals_add(s.goals, NULL, s.root, PLOY_GOAL_REAR, NULL, NULL, 0, NULL),
              PLOY_ERR_ARGUMENT);
    CHECK_INT(
        ploy_goals_add(s.goals, NULL, s.root, PLOY_GOAL_REAR, &step_type, big, sizeof big, NULL),
        PLOY_ERR_ARGUMENT);
    CHECK(!ploy_goals_remove(s.goals, NULL, s.root));
    CHECK(ploy_goals_remove(s.goals, NULL, atom));
    CHECK(!ploy_goals_remove(s.goals, NULL, atom));
    ploy_result result = PLOY_OK;
    ploy_goal deep = s.root;
    int32_t levels = 0;
    for (; result == PLOY_OK; levels++) {
        result = ploy_goals_add(s.goals, NULL, deep, PLOY_GOAL_REAR, &group_type, NULL, 0, &deep);
    }
    CHECK_INT(result, PLOY_ERR_LIMIT);
    CHECK_INT(levels, PLOY_GOAL_DEPTH_MAX + 1);
    for (result = PLOY_OK; result == PLOY_OK;) {
        result = ploy_goals_add(s.goals, NULL, s.root, PLOY_GOAL_REAR, &step_type, NULL, 0, NULL);
    }
    CHECK_INT(result, PLOY_ERR_CAPACITY);
    CHECK_INT(ploy_goals_count(s.goals), 64);
    scene_end(&s);
}

static ploy_result make_goals(const ploy_env *env, void *arg) {
    ploy_goals_def def = ploy_goals_def_default();
    ploy_goals *goals = NULL;
    (void)arg;
    ploy_result result = ploy_goals_create(&def, NULL, env, &goals);
    ploy_goals_destroy(goals);
    return result;
}

TEST(create_survives_every_failing_allocation) {
    CHECK_FAIL_NTH(make_goals, NULL);
}
