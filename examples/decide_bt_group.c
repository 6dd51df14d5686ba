// A group of two soldiers with one tree: flank the enemy, and if one of them cannot play its part,
// retreat together. You see the second soldier find its path blocked and both switch to the next strategy.
// Shows a Parallel of roles under a Fallback of strategies, and ploy_bt_maker: each role is a tree.
#include <stdio.h>

#include "ploy/decide/bt_builder.h"

static ploy_result hold(ploy_bt_call *call, ploy_status *status) {
    (void)call;
    printf("  first: holds the front\n");
    *status = PLOY_STATUS_RUNNING;
    return PLOY_OK;
}

static void hold_stop(ploy_bt_call *call, ploy_exit_reason reason) {
    (void)call;
    printf("  first: gives up the front (%s)\n", ploy_exit_reason_text(reason));
}

static ploy_result go_round(ploy_bt_call *call, ploy_status *status) {
    bool blocked = call->context->tick == 2;
    printf("  second: %s\n", blocked ? "finds its path blocked" : "goes round");
    *status = blocked ? PLOY_STATUS_FAILURE : PLOY_STATUS_RUNNING;
    return PLOY_OK;
}

static ploy_result run(ploy_bt_call *call, ploy_status *status) {
    printf("  %s: runs\n", (const char *)call->user);
    *status = call->context->tick < 4 ? PLOY_STATUS_RUNNING : PLOY_STATUS_SUCCESS;
    return PLOY_OK;
}

static const ploy_bt_leaf leaves[] = {{.name = "hold", .step = hold, .stop = hold_stop},
                                      {.name = "go round", .step = go_round},
                                      {.name = "run", .step = run}};

// The tree of one role; a real one would be larger. A semaphore keeps a second group from taking
// the same role.
static ploy_result build_role(const ploy_bt_leaf *leaf, ploy_semaphores *roles, const ploy_env *env,
                              ploy_bt **out) {
    ploy_bt_builder *builder = NULL;
    ploy_result result = ploy_bt_builder_create(leaf->name, NULL, env, &builder);
    if (result != PLOY_OK) return result;
    ploy_bt_node_def guard = ploy_bt_node_make(PLOY_BT_SEMAPHORE_GUARD, "one at a time");
    guard.text = leaf->name;
    ploy_bt_builder_open_node(builder, &guard);
    ploy_bt_builder_add_leaf(builder, leaf, NULL, NULL, NULL, 0);
    ploy_bt_builder_close(builder);
    result = ploy_bt_builder_build(builder, NULL, out);
    if (result == PLOY_OK) ploy_bt_set_semaphores(*out, roles);
    ploy_bt_builder_destroy(builder);
    return result;
}

static ploy_result build_group(ploy_bt *const roles[2], const ploy_env *env, ploy_bt **out) {
    ploy_bt_builder *builder = NULL;
    ploy_result result = ploy_bt_builder_create("group", NULL, env, &builder);
    if (result != PLOY_OK) return result;
    ploy_bt_builder_open(builder, PLOY_BT_FALLBACK, "strategies");
    ploy_bt_builder_open(builder, PLOY_BT_PARALLEL, "flank"); // fails as soon as one role does
    for (int i = 0; i < 2; i++) {
        ploy_bt_builder_add_behavior(builder, NULL, ploy_bt_maker(roles[i]), true);
    }
    ploy_bt_builder_close(builder);
    ploy_bt_builder_open(builder, PLOY_BT_PARALLEL, "retreat");
    ploy_bt_builder_add_leaf(builder, &leaves[2], NULL, (void *)"first", NULL, 0);
    ploy_bt_builder_add_leaf(builder, &leaves[2], NULL, (void *)"second", NULL, 0);
    ploy_bt_builder_close(builder);
    ploy_bt_builder_close(builder);
    result = ploy_bt_builder_build(builder, NULL, out);
    ploy_bt_builder_destroy(builder);
    return result;
}

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_bt *roles[2] = {NULL, NULL}, *group = NULL;
    ploy_bt_instance *instance = NULL;
    ploy_bt_instance_def def = ploy_bt_instance_def_default();
    ploy_semaphores *taken = NULL;
    if (ploy_semaphores_create(&env, &taken) != PLOY_OK ||
        build_role(&leaves[0], taken, &env, &roles[0]) != PLOY_OK ||
        build_role(&leaves[1], taken, &env, &roles[1]) != PLOY_OK ||
        build_group(roles, &env, &group) != PLOY_OK ||
        ploy_bt_instance_create(&def, group, NULL, &env, &instance) != PLOY_OK) {
        return 1;
    }
    ploy_status status = PLOY_STATUS_RUNNING;
    ploy_step_context context = ploy_step_context_make(ploy_agent_id_make(1, 1), NULL, 0.1f);
    for (; status == PLOY_STATUS_RUNNING; context.tick++) {
        printf("step %d\n", (int)context.tick);
        if (ploy_bt_instance_step(instance, &context, &status) != PLOY_OK) return 1;
    }
    printf("the group: %s\n", ploy_status_text(status));
    ploy_bt_instance_destroy(instance);
    ploy_bt_destroy(group);
    for (int i = 0; i < 2; i++) ploy_bt_destroy(roles[i]);
    ploy_semaphores_destroy(taken);
    return 0;
}
