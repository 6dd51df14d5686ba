// Stage a scene and plan with what objects offer, all from a level's text. You will see a trigger
// wake spiders and send them to their nest, and a plan made of the actions that a table offers.
// Shows ploy/data/staging.h and level_offers.h.
#include <stdio.h>
#include <string.h>

#include "ploy/data/level_offers.h"
#include "ploy/data/staging.h"

static const char text[] =
    "object nest point 9 9\nobject table furniture 4 2\n"
    "trigger cave circle 4 4 2 by=player delay=1 do=\"activate spiders; move_to spiders nest\"\n"
    "offers table push makes=\"pushed := true\" costs=2\n"
    "offers table climb needs=\"pushed\" makes=\"high := true\" costs=1\n";

static bool pose_of(void *user, ploy_agent_id agent, ploy_pose *out) {
    const ploy_vec2 *at = user;
    (void)agent;
    *out = ploy_pose_make2(*at, 0.0f, 0.3f);
    return true;
}

static void carry_out(void *user, const ploy_stage_order *order) {
    (void)user;
    printf("%g s: %s %s %s (%g %g)\n", order->now, ploy_stage_verb_text(order->verb), order->target,
           order->words, (double)order->place.x, (double)order->place.y);
}

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_buffer bytes;
    ploy_level level;
    ploy_staging *staging = NULL;
    ploy_buffer_init(&bytes, 0, &env);
    if (ploy_level_from_text(text, strlen(text), "cave", &env, NULL, &bytes, &level) != PLOY_OK ||
        ploy_staging_create(&level, NULL, &env, NULL, &staging) != PLOY_OK ||
        ploy_staging_add_agent(staging, ploy_agent_id_make(1, 1), "player") != PLOY_OK) {
        return 1;
    }
    ploy_vec2 player = {0, 4};
    ploy_pose_source poses = {pose_of, &player};
    for (int32_t tick = 0; tick < 8; tick++, player.x += 0.5f) {
        (void)ploy_staging_step(staging, 0.5 * (double)tick, &poses, NULL, carry_out, NULL);
    }
    printf("%d trigger of the level\n", (int)ploy_triggers_count(ploy_staging_triggers(staging)));
    ploy_staging_destroy(staging);

    ploy_goap_type *domain = NULL;
    ploy_goap *planner = NULL;
    ploy_goap_def def = ploy_goap_def_default();
    ploy_goap_need goal[2];
    int32_t count = 0, plan[4];
    uint64_t world[4];
    if (ploy_level_offers_domain(&level, &env, NULL, &domain) != PLOY_OK ||
        ploy_goap_create(&def, domain, &env, &planner) != PLOY_OK ||
        ploy_goap_needs_text(domain, "high", &env, NULL, goal, 2, &count) != PLOY_OK) {
        return 1;
    }
    ploy_goap_world_clear(domain, world);
    if (ploy_goap_run(planner, world, goal, count) != PLOY_OK) return 1;
    for (int32_t i = 0, steps = ploy_goap_plan(planner, plan, 4); i < steps; i++) {
        printf("plan: %s\n", ploy_goap_type_action_id(domain, plan[i]));
    }
    ploy_level_offer offer;
    for (int32_t at = 0; ploy_level_next_offer(&level, &at, &offer);) {
        printf("offer at %g %g: %s %s for %g\n", (double)offer.position.x, (double)offer.position.y,
               offer.action, offer.name, (double)offer.cost);
    }
    printf("the table can be pushed: %s\n",
           ploy_level_offers_action(&level, "table", "push") ? "yes" : "no");
    ploy_goap_destroy(planner);
    ploy_goap_type_destroy(domain);
    ploy_buffer_fini(&bytes);
    return 0;
}
