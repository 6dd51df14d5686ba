// A tree that is edited while it runs: the mind is saved by the stable ids of its nodes and goes on
// in the new tree, in the middle of its meal. You see the saved state and both lives.
// Shows ploy_behavior_save and ploy_behavior_reload.
#include <stdio.h>

#include "ploy/base/writer.h"
#include "ploy/decide/bt_builder.h"

// Every leaf takes three steps, and counts them in its own bytes.
static ploy_result three_steps(ploy_bt_call *call, ploy_status *status) {
    int *count = call->state;
    printf("  %s %d\n", (const char *)call->user, ++*count);
    *status = *count == 3 ? PLOY_STATUS_SUCCESS : PLOY_STATUS_RUNNING;
    return PLOY_OK;
}

static ploy_bt *tree_build(const char *const *names, int count, const ploy_env *env) {
    static const ploy_bt_leaf leaf = {
        .name = "leaf", .step = three_steps, .state_size = (int)sizeof(int)};
    ploy_bt_builder *builder = NULL;
    ploy_bt *bt = NULL;
    if (ploy_bt_builder_create("day", NULL, env, &builder) != PLOY_OK) return NULL;
    ploy_bt_builder_open(builder, PLOY_BT_SEQUENCE, "day");
    for (int i = 0; i < count; i++) {
        ploy_bt_builder_add_leaf(builder, &leaf, names[i], (void *)names[i], NULL, 0);
    }
    ploy_bt_builder_close(builder);
    ploy_bt_builder_build(builder, NULL, &bt); // faults of all these calls: NULL then
    ploy_bt_builder_destroy(builder);
    return bt;
}

int main(void) {
    static const char *const before[] = {"rise", "eat", "work"};
    static const char *const after[] = {"stretch", "rise", "eat", "read", "work"};
    ploy_env env = ploy_env_default();
    ploy_bt_instance_def def = ploy_bt_instance_def_default();
    ploy_bt *bts[2] = {tree_build(before, 3, &env), tree_build(after, 5, &env)};
    ploy_bt_instance *minds[2] = {NULL, NULL};
    for (int i = 0; i < 2; i++) {
        if (ploy_bt_instance_create(&def, bts[i], NULL, &env, &minds[i]) != PLOY_OK) return 1;
    }
    ploy_step_context context = ploy_step_context_make(ploy_agent_id_make(1, 1), NULL, 0.1f);
    ploy_status status = PLOY_STATUS_RUNNING;
    printf("before:\n");
    for (int i = 0; i < 4; i++) ploy_bt_instance_step(minds[0], &context, &status);

    ploy_buffer buffer;
    ploy_buffer_init(&buffer, 0, &env);
    ploy_writer writer = ploy_buffer_writer(&buffer);
    ploy_json_writer json;
    ploy_json_writer_init(&json, &writer, 2);
    ploy_behavior_save(ploy_bt_instance_behavior(minds[0]), &json);
    if (ploy_json_writer_finish(&json) != PLOY_OK) return 1;
    printf("saved:\n%s", ploy_buffer_text(&buffer));
    ploy_buffer_fini(&buffer);

    if (ploy_behavior_reload(ploy_bt_instance_behavior(minds[0]),
                             ploy_bt_instance_behavior(minds[1]), &context, &env,
                             NULL) != PLOY_OK) {
        return 1;
    }
    printf("after:\n");
    do ploy_bt_instance_step(minds[1], &context, &status);
    while (status == PLOY_STATUS_RUNNING);
    for (int i = 0; i < 2; i++) ploy_bt_instance_destroy(minds[i]);
    for (int i = 0; i < 2; i++) ploy_bt_destroy(bts[i]);
    return 0;
}
