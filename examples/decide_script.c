// A scene from a text: a genie greets the player, leads him through a door that opens by a switch and
// up a lift, and vanishes. You see what it does, second by second. Shows ploy_goal_script, a tree of
// goals as a definition, and the goals for doors and lifts.
#include <stdio.h>
#include <string.h>

#include "ploy/decide/goal_script.h"

typedef struct stage {
    ploy_vec2 at, target; // the genie, and where it steers
    bool walks;
    double used; // s, when the lift was called
    double now;
} stage;

static ploy_vec2 position(void *user) {
    return ((stage *)user)->at;
}
static void steer(void *user, ploy_goal_steer how, ploy_vec2 target, float speed) {
    stage *s = user;
    (void)speed;
    s->walks = how != PLOY_GOAL_STEER_NONE;
    s->target = target;
}
static void say(void *user, const char *text) {
    stage *s = user;
    if (text[0] != '\0') printf("%4.1f s: \"%s\"\n", s->now, text);
}
static bool player(void *user, ploy_vec2 *out) {
    *out = ((stage *)user)->at; // he keeps up
    return true;
}
static void vanish(void *user) {
    printf("%4.1f s: a puff of smoke\n", ((stage *)user)->now);
}
static bool find_switch(void *user, ploy_id door, ploy_vec2 from, ploy_vec2 *out) {
    (void)door, (void)from;
    printf("%4.1f s: the door is shut, to its switch\n", ((stage *)user)->now);
    *out = ploy_vec2_make(2.0f, 2.0f);
    return true;
}
static void use(void *user, ploy_id mechanism) {
    stage *s = user;
    (void)mechanism;
    printf("%4.1f s: calls the lift\n", s->now);
    s->used = s->now;
}
static bool ready(void *user, ploy_id mechanism) {
    (void)mechanism;
    return ((stage *)user)->now - ((stage *)user)->used > 1.0;
}
static bool there(void *user, ploy_id mechanism) {
    (void)mechanism;
    return ((stage *)user)->now - ((stage *)user)->used > 3.0;
}

static void *owner(void *user, const ploy_step_context *context) {
    (void)context;
    return user;
}

int main(void) {
    static const char scene[] = "say \"You have freed me\" 2\n"
                                "say \"Follow me\" 1\n"
                                "lead (4, 0) 2\n"
                                "door (4, 0) (6, 0) 3     # link 3, opened by a switch\n"
                                "lift (8, 0) (8, 1) 7 5   # its button, where one gets on\n"
                                "vanish\n";
    ploy_env env = ploy_env_default();
    stage s;
    memset(&s, 0, sizeof s);
    ploy_direct_paths_def paths_def = ploy_direct_paths_def_default();
    ploy_direct_paths *paths = NULL; // straight lines: the room is empty
    if (ploy_direct_paths_create(&paths_def, NULL, &env, &paths) != PLOY_OK) return 1;
    ploy_path_service service = ploy_direct_paths_service(paths);
    ploy_goal_mover mover = ploy_goal_mover_make(&service, &env);
    mover.agent = ploy_agent_id_make(1, 1);
    mover.position = position;
    mover.steer = steer;
    mover.say = say;
    mover.follower = player;
    mover.vanish = vanish;
    mover.find_switch = find_switch;
    mover.use = use;
    mover.ready = ready;
    mover.there = there;
    mover.user = &s;
    ploy_goal_script *script = NULL;
    ploy_goals_type *genie = NULL;
    ploy_behavior actor;
    ploy_goals_def def = ploy_goals_def_default();
    if (ploy_goal_script_load(scene, sizeof scene - 1, "genie", NULL, 0, NULL, &env, &script) !=
            PLOY_OK ||
        ploy_goals_type_create(&def, &env, &genie) != PLOY_OK ||
        ploy_goal_script_fill(script, genie) != PLOY_OK) {
        return 1;
    }
    ploy_goals_type_set_owner(genie, owner, &mover);
    if (ploy_maker_make(ploy_goals_type_maker(genie), &env, &actor) != PLOY_OK) return 1;
    ploy_step_context context = ploy_step_context_make(ploy_agent_id_make(0, 1), NULL, 0.1f);
    ploy_status status = PLOY_STATUS_RUNNING;
    if (ploy_behavior_enter(actor, &context) != PLOY_OK) return 1; // the lamp was rubbed
    for (int i = 0; i < 400 && status == PLOY_STATUS_RUNNING; i++) {
        s.now = context.now = 0.1 * i;
        if (ploy_path_service_step(&service, NULL) != PLOY_OK) return 1;
        if (ploy_behavior_step(actor, &context, &status) != PLOY_OK) return 1;
        ploy_vec2 step = ploy_vec2_sub(s.target, s.at);
        float distance = ploy_vec2_length(step);
        if (s.walks && distance > 0.0f) {
            s.at = ploy_vec2_add_scaled(s.at, step, (distance < 0.3f ? distance : 0.3f) / distance);
        }
    }
    printf("%4.1f s: %s at (%.0f, %.0f)\n", s.now, ploy_status_text(status), (double)s.at.x,
           (double)s.at.y);
    ploy_behavior_exit(actor, &context, PLOY_EXIT_FINISHED);
    ploy_behavior_destroy(actor);
    ploy_goals_type_destroy(genie);
    ploy_goal_script_destroy(script);
    ploy_direct_paths_destroy(paths);
    return 0;
}
