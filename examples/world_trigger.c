// Triggers: a plate that opens a door, a health pack that grows back, a shot that the others hear,
// a lever, and a hint at the third visit. A guard walks to and fro; you will see what he sets off,
// and when.
#include <stdio.h>

#include "ploy/world/trigger.h"

typedef struct yard {
    float guard_x; // where the guard is; the shooter is at 30 m
} yard;

static bool where(void *user, ploy_agent_id agent, ploy_pose *out) {
    const yard *y = user;
    float x = agent.id.index == 1 ? y->guard_x : 30.0f;
    *out = ploy_pose_make2(ploy_vec2_make(x, 0.0f), 0.0f, 0.5f);
    return true;
}

static void tell(void *user, const ploy_trigger_event *event) {
    (void)user;
    static const char *const names[] = {"plate", "pack", "shot", "lever", "hint"};
    printf("tick %3d: %s %s", (int)event->tick, names[event->user],
           ploy_trigger_event_kind_text(event->what));
    if (event->agent.id.generation != 0) printf(" by agent %d", (int)event->agent.id.index);
    if (event->amount > 0.0f) printf(", amount %g", (double)event->amount);
    printf("\n");
}

static ploy_trigger_def numbered(ploy_trigger_def def, uint64_t user) {
    def.user = user;
    return def;
}

static ploy_zone spot(float x) {
    return ploy_zone_circle(ploy_vec2_make(x, 0.0f), 1.0f);
}

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_triggers_def def = ploy_triggers_def_default();
    ploy_triggers *triggers = NULL;
    if (ploy_triggers_create(&def, &env, &triggers) != PLOY_OK) return 1;

    ploy_trigger_def plate = ploy_trigger_def_plate(spot(5.0f), ploy_name_of("door"));
    ploy_trigger_def pack = ploy_trigger_def_giver(spot(10.0f), ploy_name_of("health"), 50, 25);
    ploy_trigger_def lever = ploy_trigger_def_plate(spot(15.0f), ploy_name_of("gate"));
    lever.when = PLOY_TRIGGER_USE;
    lever.tells = 0;
    ploy_trigger_def hint = ploy_trigger_def_plate(spot(20.0f), ploy_name_of("try the lever"));
    hint.tells = 0;
    hint.visits = 3;
    hint.after = PLOY_TRIGGER_ONCE;
    ploy_trigger_def defs[] = {numbered(plate, 0), numbered(pack, 1), numbered(lever, 3),
                               numbered(hint, 4)};
    for (int i = 0; i < 4; i++) {
        if (ploy_triggers_add(triggers, &defs[i], NULL) != PLOY_OK) return 1;
    }

    // Each agent tests eight times a second, so a shot must last eight of sixty ticks.
    ploy_trigger_agent_def agent = ploy_trigger_agent_def_default();
    agent.tests_per_second = 8.0f;
    ploy_agent_id guard = ploy_agent_id_make(1, 1), shooter = ploy_agent_id_make(2, 1);
    if (ploy_triggers_add_agent(triggers, guard, &agent) != PLOY_OK) return 1;
    if (ploy_triggers_add_agent(triggers, shooter, &agent) != PLOY_OK) return 1;

    yard y = {0.0f};
    ploy_pose_source poses = {where, &y};
    for (int tick = 0; tick < 300; tick++) {
        int leg = tick % 100; // half there, half back
        y.guard_x = 0.44f * (float)(leg < 50 ? leg : 100 - leg);
        if (tick == 120) {
            int32_t ticks = ploy_trigger_sound_ticks(60.0f, 8.0f);
            ploy_trigger_def shot = ploy_trigger_def_sound(ploy_vec3_make(30.0f, 0.0f, 0.0f), 25.0f,
                                                           ploy_name_of("shot"), shooter, ticks);
            shot = numbered(shot, 2);
            if (ploy_triggers_add(triggers, &shot, NULL) != PLOY_OK) return 1;
        }
        if (ploy_triggers_step(triggers, tick / 60.0, &poses, tell, NULL) != PLOY_OK) return 1;
        if (tick == 235) ploy_triggers_use(triggers, guard, tell, NULL, NULL);
    }
    ploy_triggers_destroy(triggers);
    return 0;
}
