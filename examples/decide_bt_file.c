// A behavior tree from a file: the game brings two leaves, everything else is text.
// You see the guard fight while its health lasts and walk its round after that, and what the loader
// reports for a file with mistakes.
// Shows ploy_bt_file_load, leaves with ports, a blackboard whose keys come from the file.
#include <stdio.h>
#include <string.h>

#include "ploy/data/bt_file.h"

static const char guard_xml[] =
    "<root BTCPP_format='4' main_tree_to_execute='Guard'>\n"
    "  <BehaviorTree ID='Guard'>\n"
    "    <Fallback>\n"
    "      <Say text='fights' _skipIf='health &lt; 20' _onSuccess='health -= 15'/>\n"
    "      <SubTree ID='Round' from='{place}'/>\n"
    "    </Fallback>\n"
    "  </BehaviorTree>\n"
    "  <BehaviorTree ID='Round'>\n"
    "    <Sequence>\n"
    "      <Say text='{from}'/>\n"
    "      <Script code=\"from := from == 'gate' ? 'tower' : 'gate'\"/>\n"
    "    </Sequence>\n"
    "  </BehaviorTree>\n"
    "</root>\n";

static const char slips_xml[] = "<root BTCPP_format='4'><BehaviorTree>\n"
                                "  <Sequnce>\n"
                                "    <Say txet='hello' _skipIf='helth &lt; 20'/>\n"
                                "  </Sequnce>\n"
                                "</BehaviorTree></root>\n";

static ploy_result say_step(ploy_bt_call *call, ploy_status *status) {
    ploy_value text;
    ploy_result result = ploy_bt_port_get(call, 0, &text);
    if (result != PLOY_OK) return result;
    printf("  %s\n", text.as.text);
    *status = PLOY_STATUS_SUCCESS;
    return PLOY_OK;
}

static const ploy_bt_port say_ports[] = {{"text", PLOY_VALUE_TEXT, false}};
static const ploy_bt_leaf say = {
    .name = "Say", .step = say_step, .ports = say_ports, .port_count = 1};

// The keys that the game sets; the file may use more.
static const ploy_blackboard_key guard_keys[] = {
    {"health", PLOY_VALUE_F32, {PLOY_VALUE_F32, {.f32 = 50}}, "points left"},
    {"place", PLOY_VALUE_TEXT, {PLOY_VALUE_TEXT, {.text = "gate"}}, "where it keeps watch"},
};

static ploy_result load_guard(const char *text, const ploy_env *env, ploy_diags *diags,
                              ploy_bt_file **out) {
    const ploy_bt_file_leaf leaves[] = {{&say, NULL, false}};
    ploy_bt_file_def def = ploy_bt_file_def_default();
    def.leaves = leaves;
    def.leaf_count = 1;
    def.keys = guard_keys;
    def.key_count = 2;
    return ploy_bt_file_load(text, strlen(text), "guard.xml", &def, env, diags, out);
}

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_diags *diags = NULL;
    ploy_bt_file *file = NULL;
    ploy_blackboard *board = NULL;
    ploy_bt_instance *guard = NULL;
    ploy_bt_instance_def def = ploy_bt_instance_def_default();
    if (ploy_diags_create(20, &env, &diags) != PLOY_OK ||
        load_guard(guard_xml, &env, diags, &file) != PLOY_OK) {
        return 1;
    }
    const ploy_bt *bt = ploy_bt_file_main(file);
    if (ploy_blackboard_create(ploy_bt_file_layout(file, bt), &env, &board) != PLOY_OK ||
        ploy_bt_instance_create(&def, bt, NULL, &env, &guard) != PLOY_OK) {
        return 1;
    }
    ploy_step_context context = ploy_step_context_make(ploy_agent_id_make(1, 1), board, 0.1f);
    for (int i = 0; i < 6; i++, ploy_step_context_next(&context)) {
        ploy_status status;
        printf("step %d\n", i);
        if (ploy_bt_instance_step(guard, &context, &status) != PLOY_OK) return 1;
    }
    ploy_bt_instance_destroy(guard);
    ploy_blackboard_destroy(board);
    ploy_bt_file_destroy(file);

    ploy_diags_clear(diags);
    printf("a file with slips: %s\n", ploy_result_text(load_guard(slips_xml, &env, diags, &file)));
    for (int i = 0; i < ploy_diags_count(diags); i++) {
        char text[256];
        ploy_diag_print(ploy_diags_get(diags, i), text, sizeof text);
        printf("  %s\n", text);
    }
    ploy_diags_destroy(diags);
    return 0;
}
