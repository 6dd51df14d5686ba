// A guard that pulls a lever: walking there and pulling is one action, shouting goes with it, and a
// dive for cover pushes both aside. You see what the body does in each frame, and the manager's log.
// Shows ploy_action_book and ploy_action_manager.
#include <stdio.h>

#include "ploy/decide/actions.h"

enum { LEGS = 1, ARMS = 2, VOICE = 4 };

// The body: every part takes the frames that its last letter says, and prints itself.
static ploy_result guard_act(void *user, ploy_action_id id, const ploy_action_request *request,
                             float dt, ploy_status *status) {
    static const char *const names[] = {"walk", "pull", "shout", "dive"};
    static const int frames[] = {2, 1, 3, 1};
    int *done = (int *)user + id.id.index;
    (void)dt;
    for (int i = 0; i < 4; i++) {
        if (!ploy_name_equal(request->kind, ploy_name_of(names[i]))) continue;
        printf(" %s", names[i]);
        bool over = ++*done >= frames[i];
        if (over) *done = 0;
        *status = over ? PLOY_STATUS_SUCCESS : PLOY_STATUS_RUNNING;
    }
    return PLOY_OK;
}

static void guard_cancel(void *user, ploy_action_id id, const ploy_action_request *request) {
    (void)request;
    ((int *)user)[id.id.index] = 0;
}

static ploy_result guard_learn(ploy_action_book *book) {
    ploy_action_part walk = ploy_action_part_make("walk", PLOY_ACTION_MOVE, LEGS);
    ploy_action_part pull = ploy_action_part_make("pull", PLOY_ACTION_ANIMATE, LEGS | ARMS);
    ploy_action_part shout = ploy_action_part_make("shout", PLOY_ACTION_PRESENT, VOICE);
    ploy_action_part dive = ploy_action_part_make("dive", PLOY_ACTION_MOVE, LEGS | ARMS | VOICE);
    dive.interrupts = true;
    ploy_action_book_open(book, "open gate", PLOY_ACTION_SEQUENCE);
    ploy_action_book_add(book, &walk);
    ploy_action_book_add(book, &pull);
    ploy_action_book_close(book);
    ploy_action_book_add(book, &shout);
    ploy_action_book_add(book, &dive);
    return ploy_action_book_finish(book); // reports the first fault of all these calls
}

static void guard_want(ploy_action_manager *manager, const char *what, float priority, double now) {
    ploy_action_request request =
        ploy_action_request_make(ploy_agent_id_make(1, 1), ploy_name_of(what), PLOY_ACTION_MOVE);
    ploy_action_terms terms = {priority, 0.0f, ploy_name_of("example")};
    ploy_action_manager_request(manager, &request, &terms, now, NULL);
}

int main(void) {
    int done[16] = {0};
    ploy_env env = ploy_env_default();
    ploy_action_controller body = {NULL, guard_act, guard_cancel, done};
    ploy_action_host host = {.move = body, .animate = body, .present = body};
    ploy_actions_def actions_def = ploy_actions_def_default();
    actions_def.capacity = 16;
    ploy_action_manager_def def = ploy_action_manager_def_default();
    def.requeue = true; // what is pushed aside is done again afterwards
    ploy_actions *actions = NULL;
    ploy_action_book *book = NULL;
    ploy_action_manager *manager = NULL;
    if (ploy_actions_create(&actions_def, &host, &env, &actions) != PLOY_OK ||
        ploy_action_book_create(&env, &book) != PLOY_OK || guard_learn(book) != PLOY_OK ||
        ploy_action_manager_create(&def, book, ploy_agent_id_make(1, 1), &env, &manager) !=
            PLOY_OK) {
        return 1;
    }
    guard_want(manager, "open gate", 5, 0);
    guard_want(manager, "shout", 1, 0);
    for (int frame = 0; frame < 9; frame++) {
        if (frame == 1) guard_want(manager, "dive", 9, frame);
        printf("frame %d:", frame);
        ploy_action_manager_step(manager, actions, frame, 1.0f, NULL);
        ploy_actions_step(actions, 1.0f);
        printf("\n");
    }
    for (int i = 0; i < ploy_action_manager_event_count(manager); i++) {
        ploy_action_event event;
        ploy_action_manager_event(manager, i, &event);
        printf("%.0f %s %s\n", event.now,
               ploy_action_book_name(book, ploy_action_book_find(book, event.action)),
               ploy_action_event_text(event.kind));
    }
    ploy_action_manager_destroy(manager);
    ploy_action_book_destroy(book);
    ploy_actions_destroy(actions);
    return 0;
}
