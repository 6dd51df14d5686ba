// Two streets of three people each: near the player, each person has a mind; the other
// street is one behavior. Shows ploy_group under selectors that ask how important they are.
#include <stdio.h>

#include "ploy/exec/group.h"
#include "ploy/exec/lod.h"

// Agents 10 and 20 are the streets, 11 to 13 and 21 to 23 their people.
static ploy_result live(void *self, ploy_step_context *context, ploy_status *status) {
    (void)self;
    printf(" person %d", (int)context->agent.id.index);
    *status = PLOY_STATUS_RUNNING;
    return PLOY_OK;
}

static ploy_result prosper(void *self, ploy_step_context *context, ploy_status *status) {
    (void)self;
    printf(" street %d", (int)context->agent.id.index);
    *status = PLOY_STATUS_RUNNING;
    return PLOY_OK;
}

static const ploy_behavior_type person = {.name = "person", .step = live};
static const ploy_behavior_type street = {.name = "street", .step = prosper};

static ploy_result make_group(const ploy_env *env, ploy_group **out) {
    ploy_scheduler_def def = ploy_scheduler_def_default();
    def.policy = PLOY_POLICY_EVEN;
    def.capacity = 3;
    return ploy_group_create(&def, env, out);
}

static ploy_result join(ploy_group *group, ploy_behavior behavior, ploy_agent_id agent) {
    ploy_group_member member = ploy_group_member_default();
    member.behavior = behavior;
    member.agent = agent;
    return ploy_group_add(group, &member, NULL);
}

static ploy_result make_people(void *user, ploy_agent_id agent, const ploy_env *env,
                               ploy_behavior *out) {
    (void)user;
    ploy_group *group = NULL;
    ploy_result result = make_group(env, &group);
    for (uint32_t i = 1; i <= 3 && result == PLOY_OK; i++) {
        ploy_behavior one = {&person, NULL};
        result = join(group, one, ploy_agent_id_make(agent.id.index + i, 1));
    }
    if (result == PLOY_OK) {
        *out = ploy_group_behavior(group);
    } else {
        ploy_group_destroy(group);
    }
    return result;
}

static float importance(void *user, ploy_agent_id agent, const ploy_step_context *context) {
    (void)user;
    const uint32_t *player_is_in = context->world;
    return agent.id.index == *player_is_in ? 1.0f : 0.0f;
}

int main(void) {
    const ploy_lod_level levels[] = {{"as one", 0.0f, 0.5f, &street, 0, NULL, NULL, {0}},
                                     {"one by one", 0.5f, 1.0f, NULL, 0, make_people, NULL, {0}}};
    ploy_env env = ploy_env_default();
    ploy_lod_def def = ploy_lod_def_default();
    ploy_lod *lod = NULL;
    ploy_group *town = NULL;
    def.levels = levels;
    def.level_count = 2;
    def.importance = importance;
    if (ploy_lod_create(&def, &env, &lod) != PLOY_OK) return 1;
    if (make_group(&env, &town) != PLOY_OK) return 1;
    for (uint32_t i = 10; i <= 20; i += 10) {
        ploy_lod_selector *selector = NULL;
        ploy_agent_id agent = ploy_agent_id_make(i, 1);
        if (ploy_lod_selector_create(lod, agent, &env, &selector) != PLOY_OK) return 1;
        if (join(town, ploy_lod_selector_behavior(selector), agent) != PLOY_OK) return 1;
    }
    static const uint32_t walk[] = {10, 20, 0};
    for (int i = 0; i < 3; i++) {
        ploy_step_context context = ploy_step_context_make(ploy_agent_id_none(), NULL, 1.0f);
        ploy_status status;
        context.world = &walk[i];
        printf("the player is in %u:", (unsigned)walk[i]);
        ploy_behavior_step(ploy_group_behavior(town), &context, &status);
        printf("\n");
    }
    ploy_group_destroy(town);
    ploy_lod_destroy(lod);
    return 0;
}
