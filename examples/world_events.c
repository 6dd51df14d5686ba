// Squad radio: three guards surround an intruder without looking into each other's minds. One calls
// where the enemy is, each says which exit it takes and when it is in position, and the last to
// arrive gives the word. Shows ploy_events with a manager for the squad and one for the side.
#include <stdio.h>
#include <string.h>

#include "ploy/world/events.h"

enum { GUARDS = 3 };

// The squad's whole vocabulary, one bit each.
enum {
    ENEMY_AT = 1,
    TAKING_EXIT = 2,
    IN_POSITION = 4,
    ATTACK_NOW = 8,
    NEED_HELP = 16,
    RETREAT = 32
};

typedef struct guard {
    ploy_events *radio;
    int number, exit, ready; // exit: -1 while it has none; ready: how many it heard of
    bool taken[GUARDS];      // exits, as far as it has heard
} guard;

static ploy_result say(const guard *self, uint64_t code, int32_t what) {
    ploy_event event = ploy_event_make("radio");
    event.code = code;
    event.sender = ploy_agent_id_make((uint32_t)self->number, 1);
    ploy_event_set_payload(&event, &what, sizeof what);
    return ploy_events_raise(self->radio, &event);
}

// Takes the first exit that it has not heard of; each hears the others before its own turn comes.
static ploy_result hear(void *user, const ploy_event *event) {
    guard *self = user;
    int32_t what = 0;
    memcpy(&what, event->payload, sizeof what);
    int from = (int)event->sender.id.index;
    switch (event->code) {
    case ENEMY_AT: // every guard answers in turn, a run apart: no two take the same
        if (self->exit >= 0 || what % GUARDS != self->number) return PLOY_OK;
        self->exit = 0;
        while (self->taken[self->exit]) self->exit++;
        printf("guard %d: I take exit %d\n", self->number, self->exit);
        return say(self, TAKING_EXIT, self->exit);
    case TAKING_EXIT: self->taken[what] = true; return PLOY_OK;
    case IN_POSITION:
        self->ready++;
        if (self->ready < GUARDS || from != self->number) return PLOY_OK;
        printf("guard %d: all are there. Now!\n", self->number);
        return say(self, ATTACK_NOW, 0);
    case ATTACK_NOW: printf("guard %d attacks through exit %d\n", self->number, self->exit); break;
    }
    return PLOY_OK;
}

// The side's commander receives what the squad says, and is interested in two words only.
static ploy_result command(void *user, const ploy_event *event) {
    (void)user;
    printf("commander: the squad %s\n", event->code == ATTACK_NOW ? "attacks" : "needs help");
    return PLOY_OK;
}

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_events_def def = ploy_events_def_default();
    ploy_events *side = NULL, *squad = NULL;
    ploy_result result = ploy_events_create(&def, &env, &side);
    def.tells_parent = true; // a narrow radio whose words the side may hear
    if (result == PLOY_OK) result = ploy_events_create(&def, &env, &squad);
    if (result == PLOY_OK) result = ploy_events_set_parent(squad, side);
    ploy_listener commander = {{{9, 1}}, command, NULL};
    ploy_interest words = ploy_interest_mask(ATTACK_NOW | NEED_HELP);
    if (result == PLOY_OK) result = ploy_events_register(side, &commander, words, NULL);
    guard guards[GUARDS];
    memset(guards, 0, sizeof guards);
    for (int i = 0; i < GUARDS && result == PLOY_OK; i++) {
        ploy_listener listener = {{{(uint32_t)i, 1}}, hear, &guards[i]};
        guards[i].radio = squad;
        guards[i].number = i;
        guards[i].exit = -1;
        result = ploy_events_register(squad, &listener, ploy_interest_any(), NULL);
    }
    static const int arrives[GUARDS] = {6, 4, 5}; // the tick in which each reaches its exit
    for (int tick = 0; tick < 9 && result == PLOY_OK; tick++) {
        if (tick < GUARDS) result = say(&guards[0], ENEMY_AT, tick); // calls until all answered
        for (int i = 0; i < GUARDS && result == PLOY_OK; i++) {
            if (arrives[i] == tick) result = say(&guards[i], IN_POSITION, guards[i].exit);
        }
        if (result == PLOY_OK) result = ploy_events_step(squad, (uint64_t)tick, tick * 0.5, NULL);
        if (result == PLOY_OK) result = ploy_events_step(side, (uint64_t)tick, tick * 0.5, NULL);
    }
    ploy_event_record heard; // the log knows who heard what
    if (ploy_events_history(squad, ploy_agent_id_make(2, 1), &heard, 1) == 1) {
        printf("guard 2 heard word %d last, at %.1f s, from guard %d\n", (int)heard.code,
               heard.time, (int)heard.sender.id.index);
    }
    ploy_events_destroy(squad);
    ploy_events_destroy(side);
    return result == PLOY_OK ? 0 : 1;
}
