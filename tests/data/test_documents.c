// Documents that bind to the game's blackboard layout, and that nest in each other.
#include "ploy/data/bt_file.h"
#include "ploy/data/machine.h"
#include "ploy/decide/utility.h"
#include "tests/test.h"

static const ploy_blackboard_key guard_keys[] = {
    {"health", PLOY_VALUE_F32, {PLOY_VALUE_F32, {.f32 = 100}}, NULL},
    {"noise", PLOY_VALUE_BOOL, {PLOY_VALUE_NONE, {0}}, NULL},
    {"steps", PLOY_VALUE_I64, {PLOY_VALUE_NONE, {0}}, NULL},
    {"mood", PLOY_VALUE_NAME, {PLOY_VALUE_NONE, {0}}, NULL},
};

static ploy_result walk_step(ploy_bt_call *call, ploy_status *status) {
    ploy_blackboard_ref ref = ploy_bt_port_ref(call, 0);
    *status = PLOY_STATUS_RUNNING;
    return ploy_blackboard_set_i64(ref.board, ref.slot,
                                   ploy_blackboard_get_i64(ref.board, ref.slot) + 1);
}

static const ploy_bt_port walk_ports[] = {{"count", PLOY_VALUE_I64, false}};
static const ploy_bt_leaf walk_leaf = {
    .name = "Walk", .step = walk_step, .ports = walk_ports, .port_count = 1};
static const ploy_bt_file_leaf guard_leaves[] = {{&walk_leaf, NULL, false}};

// A behavior of the game: a choice that only counts how often it was stepped.
static ploy_result count_step(void *self, ploy_step_context *context, ploy_status *status) {
    ++*(int32_t *)self;
    *status = context->blackboard != NULL ? PLOY_STATUS_RUNNING : PLOY_STATUS_FAILURE;
    return PLOY_OK;
}

static const ploy_behavior_type count_type = {.name = "count", .step = count_step};

static ploy_result count_make(void *user, const ploy_env *env, ploy_behavior *out) {
    (void)env;
    out->type = &count_type;
    out->self = user;
    return PLOY_OK;
}

static bool word_near(void *user, const ploy_moment *moment, const float *args) {
    return moment->context != NULL && *(const float *)user < args[0];
}

typedef struct guard {
    ploy_env env;
    ploy_blackboard_layout *layout;
    ploy_blackboard *board;
    ploy_diags *diags;
    ploy_step_context context;
    int32_t count;
    float distance;
    ploy_word words[1];
    ploy_bt_file_maker makers[1];
    ploy_bt_file_def def;
} guard;

static void guard_begin(test_context *t, guard *g) {
    memset(g, 0, sizeof *g);
    g->env = ploy_env_default();
    g->env.log = NULL;
    CHECK_OK(ploy_blackboard_layout_create(guard_keys, (int32_t)COUNT_OF(guard_keys), "guard",
                                           &g->env, NULL, &g->layout));
    CHECK_OK(ploy_blackboard_create(g->layout, &g->env, &g->board));
    CHECK_OK(ploy_diags_create(16, &g->env, &g->diags));
    g->context.blackboard = g->board;
    g->context.dt = 0.1f;
    g->distance = 30;
    ploy_word near = {"near", word_near, NULL, &g->distance, 1};
    g->words[0] = near;
    g->makers[0].name = "Plan";
    g->makers[0].maker.make = count_make;
    g->makers[0].maker.user = &g->count;
    g->def = ploy_bt_file_def_default();
    g->def.leaves = guard_leaves;
    g->def.leaf_count = 1;
    g->def.layout = g->layout;
    g->def.makers = g->makers;
    g->def.maker_count = 1;
    g->def.words = g->words;
    g->def.word_count = 1;
}

static void guard_end(guard *g) {
    ploy_diags_destroy(g->diags);
    ploy_blackboard_destroy(g->board);
    ploy_blackboard_layout_destroy(g->layout);
}

static const char guard_trees[] =
    "<root BTCPP_format='4'><BehaviorTree ID='Patrol'><Fallback>\n"
    "<Sequence _skipIf='noise'><Walk count='{steps}'/></Sequence>\n"
    "<SubTree ID='Hide' limit='{health}'/></Fallback></BehaviorTree>\n"
    "<BehaviorTree ID='Hide'><Script code='own := limit * 2; own += 1'/></BehaviorTree>\n"
    "<BehaviorTree ID='Search'><Sequence _while='near(40)'><Plan name='plan'/></Sequence>\n"
    "</BehaviorTree></root>";

static const char guard_machine[] =
    "{\"initial\": \"patrol\", \"states\": ["
    "{\"id\": \"patrol\", \"run\": \"patrol\", \"rules\": [{\"if\": \"noise && health > 10\","
    " \"to\": \"search\"}]},"
    "{\"id\": \"search\", \"run\": \"search\", \"rules\": [{\"if\": \"!noise\", \"to\": "
    "\"patrol\"}]}]}";

static ploy_result tree_make(void *user, const ploy_env *env, ploy_behavior *out) {
    ploy_bt_instance_def def = ploy_bt_instance_def_default();
    ploy_bt_instance *instance = NULL;
    ploy_result result = ploy_bt_instance_create(&def, user, NULL, env, &instance);
    if (result == PLOY_OK) *out = ploy_bt_instance_behavior(instance);
    return result;
}

static ploy_maker tree_maker(const ploy_bt *bt) {
    ploy_maker maker = ploy_maker_none();
    maker.make = tree_make;
    maker.user = (void *)(uintptr_t)bt;
    return maker;
}

TEST(a_machine_over_the_games_layout_holds_trees_from_a_file) {
    guard g;
    guard_begin(t, &g);
    ploy_bt_file *file = NULL;
    ploy_machine *machine = NULL;
    ploy_fsm_type *type = NULL;
    CHECK_OK(ploy_bt_file_load(guard_trees, sizeof guard_trees - 1, "guard.xml", &g.def, &g.env,
                               g.diags, &file));
    const ploy_bt *patrol = ploy_bt_file_find(file, "Patrol");
    CHECK(ploy_bt_file_layout(file, patrol) == g.layout);
    // A tree that another one holds keeps private keys.
    CHECK(ploy_bt_file_layout(file, ploy_bt_file_find(file, "Hide")) != g.layout);
    ploy_machine_work works[2];
    memset(works, 0, sizeof works);
    works[0].name = "patrol";
    works[0].inside = tree_maker(patrol);
    works[1].name = "search";
    works[1].inside = tree_maker(ploy_bt_file_find(file, "Search"));
    ploy_machine_words words;
    memset(&words, 0, sizeof words);
    words.layout = g.layout;
    words.works = works;
    words.work_count = 2;
    CHECK_OK(ploy_machine_load_json(guard_machine, sizeof guard_machine - 1, "guard.json", &g.env,
                                    g.diags, &machine));
    CHECK_OK(ploy_machine_build_fsm(machine, NULL, &words, &g.env, g.diags, &type));
    ploy_behavior mind = {NULL, NULL};
    CHECK_OK(ploy_maker_make(ploy_fsm_type_maker(type), &g.env, &mind));
    CHECK_OK(ploy_behavior_enter(mind, &g.context));
    ploy_status status;
    for (int32_t i = 0; i < 3; i++) CHECK_OK(ploy_behavior_step(mind, &g.context, &status));
    CHECK_INT(ploy_blackboard_get_i64(g.board, ploy_blackboard_layout_find(g.layout, "steps")), 3);
    CHECK_OK(
        ploy_blackboard_set_bool(g.board, ploy_blackboard_layout_find(g.layout, "noise"), true));
    for (int32_t i = 0; i < 3; i++) CHECK_OK(ploy_behavior_step(mind, &g.context, &status));
    CHECK(g.count >= 2);
    int32_t count = g.count;
    g.distance = 50; // the words of scripts are asked in each step: the plan is halted
    CHECK_OK(ploy_behavior_step(mind, &g.context, &status));
    CHECK_INT(g.count, count);
    ploy_behavior_exit(mind, &g.context, PLOY_EXIT_REMOVED);
    ploy_behavior_destroy(mind);
    ploy_fsm_type_destroy(type);
    ploy_machine_destroy(machine);
    ploy_bt_file_destroy(file);
    guard_end(&g);
}

TEST(keys_and_types_are_checked_when_a_document_is_loaded) {
    static const struct {
        const char *row, *text, *want;
        ploy_result result;
    } rows[] = {
        {"a key that is not there",
         "<root BTCPP_format='4'><BehaviorTree ID='A'>\n<Walk "
         "count='{stesp}'/></BehaviorTree></root>",
         "g:2:7: error: unknown blackboard key 'stesp' (did you mean 'steps'?)",
         PLOY_ERR_NOT_FOUND},
        {"a key of another type",
         "<root BTCPP_format='4'><BehaviorTree ID='A'>\n<Walk "
         "count='{health}'/></BehaviorTree></root>",
         "g:2:7: error: conflicting types for one key: 'health is f32 and i64'", PLOY_ERR_FORMAT},
        {"a script that makes a key",
         "<root BTCPP_format='4'><BehaviorTree ID='A'>\n<Script code='x := "
         "1'/></BehaviorTree></root>",
         "g:2:9: error: unknown blackboard key 'x'", PLOY_ERR_NOT_FOUND},
        {"a text for a number",
         "<root BTCPP_format='4'><BehaviorTree ID='A'>\n<Script code=\"steps = 'a'\"/>"
         "</BehaviorTree></root>",
         "g:2:9: error: a name keeps its type; expected a number", PLOY_ERR_ARGUMENT},
        {"an unknown function",
         "<root BTCPP_format='4'><BehaviorTree ID='A'>\n<AlwaysSuccess _skipIf='naer(3)'/>"
         "</BehaviorTree></root>",
         "g:2:16: error: unknown function 'naer' (did you mean 'near'?)", PLOY_ERR_NOT_FOUND},
        {"a behavior with a port",
         "<root BTCPP_format='4'><BehaviorTree ID='A'>\n<Plan "
         "goal='{steps}'/></BehaviorTree></root>",
         "g:2:7: error: unknown port 'goal'", PLOY_ERR_NOT_FOUND},
        {"a behavior with children",
         "<root BTCPP_format='4'><BehaviorTree ID='A'>\n<Plan><AlwaysSuccess/></Plan>"
         "</BehaviorTree></root>",
         "g:2:1: error: wrong number of children in 'Plan'; expected no children", PLOY_ERR_FORMAT},
        {"a behavior nearly named",
         "<root BTCPP_format='4'><BehaviorTree ID='A'>\n<Plna/></BehaviorTree></root>",
         "g:2:1: error: unknown node 'Plna' (did you mean 'Plan'?)", PLOY_ERR_NOT_FOUND},
        {"a remapped key of a sub-tree",
         "<root BTCPP_format='4' main_tree_to_execute='A'><BehaviorTree ID='A'>\n"
         "<SubTree ID='B' n='{health}'/></BehaviorTree>\n"
         "<BehaviorTree ID='B'><Walk count='{n}'/></BehaviorTree></root>",
         "g:2:17: error: conflicting types for one key: 'n is f32 and i64'", PLOY_ERR_FORMAT},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        guard g;
        t->row = rows[i].row;
        guard_begin(t, &g);
        ploy_bt_file *file = NULL;
        CHECK_INT(ploy_bt_file_load(rows[i].text, strlen(rows[i].text), "g", &g.def, &g.env,
                                    g.diags, &file),
                  rows[i].result);
        CHECK(file == NULL);
        char text[256] = "";
        if (ploy_diags_count(g.diags) > 0) {
            (void)ploy_diag_print(ploy_diags_get(g.diags, 0), text, sizeof text);
        }
        CHECK_TEXT(text, rows[i].want);
        CHECK_INT(ploy_diags_count(g.diags), 1);
        guard_end(&g);
    }
}

static ploy_result load_guard(const ploy_env *env, void *arg) {
    const guard *g = arg;
    ploy_bt_file *file = NULL;
    ploy_result result = ploy_bt_file_load(guard_trees, sizeof guard_trees - 1, "guard.xml",
                                           &g->def, env, NULL, &file);
    ploy_bt_file_destroy(file);
    return result;
}

TEST(loading_with_a_layout_survives_every_failing_allocation) {
    guard g;
    guard_begin(t, &g);
    CHECK_FAIL_NTH(load_guard, &g);
    guard_end(&g);
}

TEST(a_reactive_node_with_two_children_that_take_time_is_doubtful) {
    static const struct {
        const char *text;
        int32_t want;
    } rows[] = {
        {"<ReactiveSequence><Sleep msec='5'/><Plan/></ReactiveSequence>", 1},
        {"<ReactiveFallback><Sequence><Plan/></Sequence><Delay delay_msec='1'><Walk "
         "count='{steps}'/></Delay></ReactiveFallback>",
         1},
        {"<ReactiveSequence><ScriptCondition code='noise'/><Plan/></ReactiveSequence>", 0},
        {"<Sequence><Sleep msec='5'/><Plan/></Sequence>", 0},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        guard g;
        char text[512];
        t->row = rows[i].text;
        guard_begin(t, &g);
        snprintf(text, sizeof text,
                 "<root BTCPP_format='4'><BehaviorTree ID='A'>%s</BehaviorTree></root>",
                 rows[i].text);
        ploy_bt_file *file = NULL;
        CHECK_OK(ploy_bt_file_load(text, strlen(text), "g", &g.def, &g.env, g.diags, &file));
        int32_t found = 0;
        for (int32_t k = 0; k < ploy_diags_count(g.diags); k++) {
            found +=
                strstr(ploy_diags_get(g.diags, k)->message, "more than one asynchronous") != NULL;
        }
        CHECK_INT(found, rows[i].want);
        ploy_bt_file_destroy(file);
        guard_end(&g);
    }
}
