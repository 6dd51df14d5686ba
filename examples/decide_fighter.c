// A fighter's goals: it dodges while it sees its target, hunts when the target is gone, and fetches
// a health pack that will be back when it gets there. You see how desirable each strategy is and the
// tree of goals at each step. Shows ploy_desirability_health and its kin, ploy_goal_attack and
// ploy_goal_get_item.
#include <stdio.h>

#include "ploy/decide/arbiter.h"
#include "ploy/decide/desirability.h"
#include "ploy/decide/goal_fetch.h"
#include "ploy/decide/goal_fight.h"

typedef struct fighter {
    ploy_vec2 at, to;
    ploy_goal_target target;
} fighter;

static ploy_vec2 fighter_position(void *user) {
    return ((fighter *)user)->at;
}

static void fighter_steer(void *user, ploy_goal_steer how, ploy_vec2 target, float speed) {
    fighter *own = user;
    (void)speed;
    own->to = how == PLOY_GOAL_STEER_NONE ? own->at : target;
}

static bool fighter_target(void *user, ploy_goal_target *out) {
    *out = ((fighter *)user)->target;
    return true;
}

static bool fighter_side_step(void *user, int32_t side, ploy_vec2 *out) {
    *out = ploy_vec2_add(((fighter *)user)->at, ploy_vec2_make(0.0f, (float)side));
    return true;
}

// Two packs: one 3 m away that was taken and is back in 2 s, one 6 m away, back in 1 s.
static bool fighter_find(void *user, ploy_name kind, ploy_goal_item *out) {
    static const ploy_item_option packs[] = {{3.0f, 2.0f}, {6.0f, 1.0f}};
    (void)user, (void)kind;
    int32_t pack = ploy_item_choose(packs, 2, 3.0f, true);
    *out = (ploy_goal_item){{packs[pack].cost, 0.0f}, {(uint32_t)pack, 1}};
    return pack >= 0;
}

static ploy_goal_item_state fighter_item(void *user, const ploy_goal_item *item) {
    ploy_item_option left = {ploy_vec2_distance(((fighter *)user)->at, item->place), 0.5f};
    return ploy_item_in_time(left, 3.0f) ? PLOY_GOAL_ITEM_WORTH : PLOY_GOAL_ITEM_GONE;
}

static ploy_result print_text(void *user, const void *bytes, size_t size) {
    (void)user;
    fwrite(bytes, 1, size, stdout);
    return PLOY_OK;
}

static void fighter_show(const char *what, ploy_goals *goals, const fighter *own) {
    ploy_writer out = ploy_writer_make(print_text, NULL);
    printf("%s, steers to (%.1f, %.1f)\n", what, (double)own->to.x, (double)own->to.y);
    ploy_goals_print(goals, &out);
}

int main(void) {
    static const float shares[] = {0.5f, 0.0f, 0.2f}; // rounds of three weapons
    float strength = ploy_desirability_strength(shares, 3);
    for (int i = 0; i < 2; i++) {
        float health = i == 0 ? 0.9f : 0.3f, pack = ploy_feature_distance(6.0f, 2.5f, 25.0f);
        printf("health %.1f: attack %.2f, get health %.2f, get shotgun %.2f\n", (double)health,
               (double)ploy_desirability_attack(1.0f, health, strength, true),
               (double)ploy_desirability_health(0.2f, health, pack),
               (double)ploy_desirability_weapon(0.15f, health, shares[0], 0.8f));
    }
    fighter own = {{0.0f, 0.0f}, {0.0f, 0.0f}, {{8.0f, 0.0f}, true, true}};
    ploy_env env = ploy_env_default();
    ploy_goal_mover mover = ploy_goal_mover_make(NULL, &env);
    mover.position = fighter_position;
    mover.steer = fighter_steer;
    mover.target = fighter_target;
    mover.side_step = fighter_side_step;
    mover.find_item = fighter_find;
    mover.item = fighter_item;
    mover.user = &own;
    ploy_direct_paths_def def = ploy_direct_paths_def_default();
    ploy_direct_paths *paths = NULL;
    ploy_goals_def tree = ploy_goals_def_default();
    ploy_goals *goals = NULL;
    if (ploy_direct_paths_create(&def, NULL, &env, &paths) != PLOY_OK) return 1;
    ploy_path_service service = ploy_direct_paths_service(paths);
    mover.paths = &service;
    if (ploy_goals_create(&tree, &mover, &env, &goals) != PLOY_OK ||
        ploy_goal_moves_register(goals) != PLOY_OK || ploy_goal_fight_register(goals) != PLOY_OK ||
        ploy_goal_fetch_register(goals) != PLOY_OK) {
        return 1; // registered, so that a saved game contains them
    }
    ploy_step_context context = ploy_step_context_make(ploy_agent_id_make(1, 1), NULL, 0.1f);
    ploy_goal root = ploy_goals_root(goals);
    ploy_goal_item_params health = {ploy_name_of("health"), 1.0f, 0};
    ploy_goal_status status;
    (void)ploy_goals_add(goals, &context, root, PLOY_GOAL_FRONT, ploy_goal_attack(), NULL, 0, NULL);
    (void)ploy_goals_step(goals, &context, &status);
    ploy_goal leaf = ploy_goals_first(goals, ploy_goals_first(goals, root));
    fighter_show(ploy_goals_type_of(goals, leaf) == ploy_goal_dodge() ? "dodges" : "charges", goals,
                 &own);
    own.target.shootable =
        false; // the dodge and the attack are over; the arbiter would choose again
    (void)ploy_goals_step(goals, &context, &status);
    (void)ploy_goals_add(goals, &context, root, PLOY_GOAL_REAR, ploy_goal_hunt(), NULL, 0, NULL);
    (void)ploy_goals_step(goals, &context, &status);
    fighter_show("out of view", goals, &own);
    ploy_goals_clear(goals, &context, root);
    (void)ploy_goals_add(goals, &context, root, PLOY_GOAL_FRONT, ploy_goal_get_item(), &health,
                         sizeof health, NULL);
    (void)ploy_goals_step(goals, &context, &status);
    fighter_show("hurt", goals, &own);
    ploy_vec2 weave = ploy_goal_weave(own.at, own.to, 0.25, 0.75f, 1.0f);
    printf("under fire it steers to (%.2f, %.2f)\n", (double)weave.x, (double)weave.y);
    ploy_goals_destroy(goals);
    ploy_direct_paths_destroy(paths);
    return 0;
}
