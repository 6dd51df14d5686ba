// A door as an SCXML file: it opens, closes after a while by itself, and an alarm locks it from
// anywhere. Shows ploy_machine: load, words of the game's own, build, and events.
#include <stdio.h>
#include <string.h>

#include "ploy/data/machine.h"

static const char door_file[] =
    "<scxml xmlns='http://www.w3.org/2005/07/scxml' xmlns:game='door' initial='calm'>\n"
    "  <state id='calm' initial='closed'>\n"
    "    <transition event='alarm' target='locked'/>\n"
    "    <state id='closed'><transition event='push' cond='powered' target='open'/></state>\n"
    "    <state id='open'>\n"
    "      <onentry><game:call name='creak'/><send event='timeout' delay='3s'/></onentry>\n"
    "      <transition event='timeout' target='closed'/>\n"
    "    </state>\n"
    "  </state>\n"
    "  <state id='locked'><transition event='reset' target='calm'/></state>\n"
    "</scxml>\n";

static ploy_result door_creak(void *user, const ploy_hsm_turn *turn) {
    (void)user, (void)turn;
    printf("  (creak)\n");
    return PLOY_OK;
}

static bool door_powered(void *user, const ploy_moment *moment, const float *args) {
    (void)moment, (void)args;
    return *(const bool *)user;
}

static ploy_result door_load(const ploy_machine_words *words, const ploy_env *env,
                             ploy_diags *diags, ploy_hsm_type **out) {
    ploy_machine *machine = NULL;
    ploy_result result =
        ploy_machine_load_scxml(door_file, strlen(door_file), "door.scxml", env, diags, &machine);
    if (result == PLOY_OK) result = ploy_machine_build(machine, NULL, words, env, diags, out);
    ploy_machine_destroy(machine);
    return result;
}

int main(void) {
    static const char *const events[] = {"push", "", "", "", "push", "alarm", "push", "reset"};
    bool power = true;
    ploy_word tests[] = {{"powered", door_powered, NULL, &power, 0}};
    ploy_machine_action actions[] = {{"creak", door_creak, NULL}};
    ploy_machine_words words = {NULL, tests, 1, actions, 1, NULL, 0};
    ploy_env env = ploy_env_default();
    ploy_step_context context = ploy_step_context_make(ploy_agent_id_make(1, 1), NULL, 1.0f);
    ploy_hsm_type *type = NULL;
    ploy_hsm *door = NULL;
    if (door_load(&words, &env, NULL, &type) != PLOY_OK ||
        ploy_hsm_create(type, NULL, &env, &door) != PLOY_OK) {
        return 1;
    }
    ploy_result result = ploy_behavior_enter(ploy_hsm_behavior(door), &context);
    for (size_t i = 0; i < sizeof events / sizeof events[0] && result == PLOY_OK; i++) {
        ploy_hsm_event event = ploy_hsm_event_make(events[i]);
        ploy_status status;
        if (events[i][0] != '\0') (void)ploy_hsm_send(door, &event);
        result = ploy_behavior_step(ploy_hsm_behavior(door), &context, &status);
        printf("%.0f s %-6s %s\n", context.now, events[i],
               ploy_hsm_is_in(door, "open")     ? "open"
               : ploy_hsm_is_in(door, "closed") ? "closed"
                                                : "locked");
        ploy_step_context_next(&context);
    }
    ploy_behavior_exit(ploy_hsm_behavior(door), &context, PLOY_EXIT_REMOVED);
    ploy_hsm_destroy(door);
    ploy_hsm_type_destroy(type);
    return result == PLOY_OK ? 0 : 1;
}
