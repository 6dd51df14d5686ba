// A guard: a chart from a file, in it a tree from a file, in that a planner and a rule set, all over
// one blackboard. It is saved in mid-plan, restored in a new process, and its tree is edited while it
// runs. You see what it does in each step. Shows ploy_machine, ploy_bt_file and makers.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ploy/ploy.h"
static const char chart_file[] =
    "<scxml><state id='calm'><transition cond='noise' target='alert'/></state>"
    "<state id='alert'><run name='Alert'/><transition cond='!noise' "
    "target='calm'/></state></scxml>";
static const char *const tree_files[] = {
    "<root BTCPP_format='4'><BehaviorTree ID='Alert'><Sequence><Plan/><Orders/></Sequence>"
    "</BehaviorTree></root>",
    "<root BTCPP_format='4'><BehaviorTree ID='Alert'><Sequence><Plan/><Orders/>"
    "<Script code='noise = false'/></Sequence></BehaviorTree></root>"};

static const ploy_blackboard_key keys[] = {
    {"noise", PLOY_VALUE_BOOL, {PLOY_VALUE_BOOL, {.b = true}}, "heard"},
    {"armed", PLOY_VALUE_BOOL, {PLOY_VALUE_NONE, {0}}, NULL},
    {"posted", PLOY_VALUE_BOOL, {PLOY_VALUE_NONE, {0}}, "at the gate"},
};
static const ploy_goap_row plans[] = {{"fetch", 1, "!armed", "armed := true"},
                                      {"walk", 1, "armed", "posted := true"}};

static void must(ploy_result result) {
    if (result != PLOY_OK) exit(fprintf(stderr, "%s\n", ploy_result_text(result)));
}
// Whatever it does takes two steps; the table saves how far it is.
typedef struct action_state {
    uint32_t cookie;
    int32_t steps;
} action_state;
static const ploy_field action_table[] = {PLOY_FIELD_I32(action_state, steps, 0, 0, 9, "", "")};
static ploy_fields action_fields(void) {
    return PLOY_FIELDS(action_state, action_table);
}
static ploy_result act(void *user, void *state, ploy_step_context *context, ploy_status *status) {
    action_state *own = state;
    bool posted = ploy_blackboard_get_bool(context->blackboard, (ploy_slot){3});
    bool armed = ploy_blackboard_get_bool(context->blackboard, (ploy_slot){2});
    const char *what = posted ? "shouts" : armed ? "walks to the gate" : "fetches the rifle";
    (void)user;
    printf("  %s, part %d\n", what, (int)++own->steps);
    *status = own->steps == 2 ? PLOY_STATUS_SUCCESS : PLOY_STATUS_RUNNING;
    return PLOY_OK;
}
static const ploy_function action = {.name = "action", .step = act, .fields = action_fields};
typedef struct guard {
    ploy_env env; // of a region, so that everything is freed at once
    ploy_blackboard_layout *layout;
    ploy_goap_agent_type *planner;
    ploy_rule_set_type *rules;
    ploy_step_context context;
} guard;
// What trees may hold: a planner and a rule set.
static void make_parts(guard *g) {
    ploy_goap_type *domain = NULL;
    ploy_goap_agent_def agent = ploy_goap_agent_def_default();
    ploy_rule_set_def set = ploy_rule_set_def_default();
    must(ploy_blackboard_layout_create(keys, 3, "guard", &g->env, NULL, &g->layout));
    must(ploy_blackboard_create(g->layout, &g->env, &g->context.blackboard));
    must(ploy_goap_type_from(NULL, 0, plans, 2, &g->env, NULL, &domain));
    ploy_goap_need goal = ploy_goap_is(ploy_goap_type_find(domain, "posted"), 1);
    must(ploy_goap_agent_type_create(&agent, domain, g->layout, &g->env, &g->planner));
    must(ploy_goap_agent_type_set_goal(g->planner, &goal, 1));
    must(ploy_goap_agent_type_set_action(g->planner, "fetch", ploy_function_maker(&action)));
    must(ploy_goap_agent_type_set_action(g->planner, "walk", ploy_function_maker(&action)));
    must(ploy_rule_set_type_create(&set, g->layout, &g->env, &g->rules));
    ploy_set_rule rule = ploy_set_rule_make("shout");
    rule.condition =
        ploy_condition_text(ploy_rule_set_type_conditions(g->rules), "noise && posted");
    rule.maker = ploy_function_maker(&action);
    must(ploy_rule_set_type_add(g->rules, &rule));
    must(ploy_rule_set_type_finish(g->rules));
}

// The chart with the tree in it.
static ploy_behavior make_mind(guard *g, const char *text) {
    const ploy_bt_file_maker makers[] = {{"Plan", ploy_goap_agent_type_maker(g->planner)},
                                         {"Orders", ploy_rule_set_type_maker(g->rules)}};
    ploy_bt_file_def def = ploy_bt_file_def_default();
    ploy_bt_file *tree = NULL;
    ploy_machine *doc = NULL;
    ploy_hsm_type *chart = NULL;
    def.layout = g->layout;
    def.makers = makers;
    def.maker_count = 2;
    must(ploy_bt_file_load(text, strlen(text), "guard.xml", &def, &g->env, NULL, &tree));
    ploy_machine_work work = {.name = "Alert", .inside = ploy_bt_maker(ploy_bt_file_main(tree))};
    ploy_machine_words words = {.layout = g->layout, .works = &work, .work_count = 1};
    must(ploy_machine_load_scxml(chart_file, sizeof chart_file - 1, "g", &g->env, NULL, &doc));
    must(ploy_machine_build(doc, NULL, &words, &g->env, NULL, &chart));
    ploy_behavior mind;
    must(ploy_maker_make(ploy_hsm_type_maker(chart), &g->env, &mind));
    return mind;
}

static void step(guard *g, ploy_behavior mind, int count) {
    for (ploy_status status; count > 0; count--) {
        bool noise = ploy_blackboard_get_bool(g->context.blackboard, (ploy_slot){1});
        printf(noise ? "there is a noise\n" : "all is quiet\n");
        must(ploy_behavior_step(mind, &g->context, &status));
    }
}

int main(int argc, char **argv) {
    ploy_env env = ploy_env_default();
    ploy_region *region = NULL;
    must(ploy_region_create(1 << 24, &env, &region));
    guard g = {.env = ploy_region_env(region)};
    make_parts(&g);
    ploy_behavior mind = make_mind(&g, tree_files[0]);
    ploy_buffer bytes;
    if (argc == 1) {
        must(ploy_behavior_enter(mind, &g.context));
        step(&g, mind, 3);
        ploy_json_writer json;
        ploy_buffer_init(&bytes, 0, &g.env);
        ploy_writer writer = ploy_buffer_writer(&bytes);
        ploy_json_writer_init(&json, &writer, 0);
        ploy_json_write_begin_array(&json);
        ploy_blackboard_save(g.context.blackboard, &json);
        ploy_behavior_save(mind, &json);
        ploy_json_write_end_array(&json);
        must(ploy_os_write_file("decide_guard.save", bytes.bytes, bytes.size, &g.env));
        printf("a new process takes over\n");
        fflush(stdout);
        char command[1024];
        snprintf(command, sizeof command, "\"%s\" decide_guard.save", argv[0]);
        must(system(command) == 0 ? PLOY_OK : PLOY_ERR_SYSTEM);
    } else {
        ploy_json *doc = NULL;
        ploy_json_def def = ploy_json_def_default();
        must(ploy_os_read_file(argv[1], 1 << 20, &g.env, &bytes));
        must(ploy_json_load(bytes.bytes, bytes.size, argv[1], &def, &g.env, NULL, &doc));
        ploy_json_node root = ploy_json_root(doc);
        must(ploy_blackboard_load(g.context.blackboard, doc, ploy_json_at(doc, root, 0), NULL));
        must(ploy_behavior_load(mind, &g.context, doc, ploy_json_at(doc, root, 1), NULL));
        step(&g, mind, 1);
        printf("the tree is edited\n");
        ploy_behavior edited = make_mind(&g, tree_files[1]);
        must(ploy_behavior_reload(mind, edited, &g.context, &g.env, NULL));
        step(&g, edited, 3); // the chart is calm again
        remove(argv[1]);
    }
    ploy_region_destroy(region);
    return 0;
}
