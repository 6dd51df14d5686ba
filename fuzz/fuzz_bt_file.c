// Any bytes as a behavior-tree document: what loads can be stepped, and written as JSON and XML
// that hold the same trees.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "ploy/data/bt_file.h"

static void must(bool condition) {
    if (!condition) abort();
}

static ploy_result leaf_step(ploy_bt_call *call, ploy_status *status) {
    (void)call;
    *status = PLOY_STATUS_SUCCESS;
    return PLOY_OK;
}

static const ploy_bt_port leaf_ports[] = {{"value", PLOY_VALUE_I64, true},
                                          {"text", PLOY_VALUE_TEXT, true}};
static const ploy_bt_leaf leaf = {
    .name = "Leaf", .step = leaf_step, .ports = leaf_ports, .port_count = 2};

// A control of the game's own: every child, whatever they answer.
static ploy_result each_choose(ploy_bt_call *call, int32_t child, ploy_status answer, int32_t *next,
                               ploy_status *status) {
    ploy_bt_node_info info;
    ploy_result result = ploy_bt_node_at(ploy_bt_instance_bt(call->instance), call->node, &info);
    *status = child < 0 ? PLOY_STATUS_SKIPPED : answer;
    if (child + 1 < info.children) *next = child + 1;
    return result;
}

static const ploy_bt_leaf each = {
    .name = "Each", .choose = each_choose, .ports = leaf_ports, .port_count = 2, .state_size = 4};

// Names in capitals are leaves that take anything.
static ploy_result find_leaf(void *user, const char *name, ploy_bt_file_leaf *out) {
    static const ploy_bt_leaf any = {.name = "any", .step = leaf_step};
    (void)user;
    if (name[0] < 'A' || name[0] > 'Z') return PLOY_ERR_NOT_FOUND;
    out->leaf = &any;
    out->any_port = true;
    return PLOY_OK;
}

static ploy_bt_file_def make_def(const ploy_bt_file_leaf *leaves) {
    ploy_bt_file_def def = ploy_bt_file_def_default();
    def.relaxed = true;
    def.leaves = leaves;
    def.leaf_count = 2;
    def.find = find_leaf;
    return def;
}

// Control characters can be written in JSON, but in no XML.
static bool fits_xml(const uint8_t *data, size_t size) {
    return memchr(data, '\\', size) == NULL;
}

static void check_forms(const ploy_bt_file *file, const ploy_bt_file_def *def, bool xml) {
    ploy_env env = ploy_env_default();
    ploy_buffer text;
    ploy_buffer_init(&text, 0, &env);
    for (int32_t form = 0; form < (xml ? 2 : 1); form++) {
        ploy_buffer_clear(&text);
        ploy_writer writer = ploy_buffer_writer(&text);
        must((form == 0 ? ploy_bt_file_save_json(file, &writer)
                        : ploy_bt_file_save_xml(file, &writer)) == PLOY_OK);
        ploy_bt_file *again = NULL;
        must(ploy_bt_file_load(text.bytes, text.size, "again", def, &env, NULL, &again) == PLOY_OK);
        must(ploy_bt_file_count(again) == ploy_bt_file_count(file));
        for (int32_t i = 0; i < ploy_bt_file_count(file); i++) {
            must(ploy_bt_hash(ploy_bt_file_at(again, i)) == ploy_bt_hash(ploy_bt_file_at(file, i)));
        }
        ploy_bt_file_destroy(again);
    }
    ploy_buffer_fini(&text);
}

static void step(const ploy_bt_file *file) {
    ploy_env env = ploy_env_default();
    const ploy_bt *bt = ploy_bt_file_main(file);
    ploy_bt_instance_def def = ploy_bt_instance_def_default();
    ploy_bt_instance *instance = NULL;
    ploy_semaphores *semaphores = NULL;
    ploy_blackboard *board = NULL;
    if (bt == NULL) return;
    must(ploy_semaphores_create(&env, &semaphores) == PLOY_OK);
    must(ploy_blackboard_create(ploy_bt_file_layout(file, bt), &env, &board) == PLOY_OK);
    if (ploy_bt_instance_create(&def, bt, semaphores, &env, &instance) == PLOY_OK) {
        ploy_step_context context = ploy_step_context_make(ploy_agent_id_none(), board, 0.1f);
        for (uint64_t i = 0; i < 4; i++) {
            ploy_budget budget = ploy_budget_units(200);
            ploy_status status;
            context.budget = &budget;
            (void)ploy_bt_instance_step(instance, &context, &status);
            ploy_step_context_next(&context);
        }
    }
    ploy_bt_instance_destroy(instance);
    ploy_blackboard_destroy(board);
    ploy_semaphores_destroy(semaphores);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    ploy_env env = ploy_env_default();
    const ploy_bt_file_leaf leaves[] = {{&leaf, NULL, false}, {&each, NULL, false}};
    ploy_bt_file_def def = make_def(leaves);
    ploy_diags *diags = NULL;
    ploy_bt_file *file = NULL;
    must(ploy_diags_create(8, &env, &diags) == PLOY_OK);
    ploy_result result = ploy_bt_file_load(data, size, "fuzz", &def, &env, diags, &file);
    must((result == PLOY_OK) == (file != NULL));
    must((result == PLOY_OK) == (ploy_diags_total(diags, PLOY_SEVERITY_ERROR) == 0));
    if (file != NULL) {
        check_forms(file, &def, fits_xml(data, size));
        step(file);
    }
    ploy_bt_file_destroy(file);
    ploy_diags_destroy(diags);
    return 0;
}
