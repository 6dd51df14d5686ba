// A guard who lives for a minute: it chats until it hears a shot, looks around for a while, and
// calms down. Shows ploy_incidental under an engine.
#include <stdio.h>

#include "ploy/exec/engine.h"
#include "ploy/exec/incidental.h"

static ploy_result chat(void *self, ploy_step_context *context, ploy_status *status) {
    (void)self;
    printf("%.1f s: chats\n", context->now);
    *status = PLOY_STATUS_RUNNING;
    return PLOY_OK;
}

static ploy_result search(void *self, ploy_step_context *context, ploy_status *status) {
    (void)self;
    printf("%.1f s: looks around\n", context->now);
    *status = PLOY_STATUS_RUNNING;
    return PLOY_OK;
}

int main(void) {
    static const ploy_behavior_type normal = {.name = "chat", .step = chat};
    static const ploy_behavior_type alert = {.name = "search", .step = search};
    const ploy_agent_id guard = ploy_agent_id_make(1, 1);
    ploy_env env = ploy_env_default();
    ploy_incidental_def def = ploy_incidental_def_default();
    def.normal.type = &normal;
    def.alert.type = &alert;
    def.alarms[0] = ploy_name_of("shot");
    def.reaction_time = 0.5f;
    def.calm_time = 2.0f;
    ploy_incidental *guards = NULL; // shared by all of them
    ploy_engine_def engine_def = ploy_engine_def_default();
    ploy_engine *engine = NULL;
    ploy_engine_entry entry = ploy_engine_entry_default();
    if (ploy_incidental_create(&def, &env, &guards) != PLOY_OK ||
        ploy_engine_create(&engine_def, &env, &engine) != PLOY_OK ||
        ploy_incidental_make(guards, guard, &env, &entry.behavior) != PLOY_OK) {
        return 1;
    }
    entry.agent = guard;
    if (ploy_engine_register(engine, &entry, NULL) != PLOY_OK) return 1;
    for (int tick = 0; tick < 8; tick++) {
        if (tick == 2) {
            ploy_message shot =
                ploy_message_make(ploy_agent_id_none(), guard, ploy_name_of("shot"));
            printf("a shot\n");
            ploy_engine_send(engine, &shot, NULL, NULL);
        }
        ploy_engine_step(engine, 0.5f, NULL, NULL);
    }
    ploy_engine_destroy(engine);
    ploy_incidental_destroy(guards);
    return 0;
}
