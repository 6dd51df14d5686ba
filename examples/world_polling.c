// Query the world through one place: ten players ask whether their flag is at home, and whom they
// see. The first answer is computed once a tick for all of them; dazed players get none. Prints the
// answers, how often they were computed, and the log. Shows ploy_polls.
#include <stdio.h>
#include <string.h>

#include "ploy/world/polling.h"

enum { PLAYERS = 10, CAN_SEE = 1 };

typedef struct field {
    bool flag_home[2];
    float x[PLAYERS]; // the players' positions along a trench
} field;

// Whether a team's flag is at home: the key is the team.
static ploy_result flag_home(void *user, const ploy_polls *polls, const ploy_poll *poll,
                             ploy_value *out) {
    const field *f = user;
    (void)polls;
    if (poll->keys[0] > 1) return PLOY_ERR_ARGUMENT;
    *out = ploy_value_bool(f->flag_home[poll->keys[0]]);
    return PLOY_OK;
}

static bool where(void *user, ploy_agent_id agent, ploy_pose *out) {
    const field *f = user;
    *out = ploy_pose_make2(ploy_vec2_make(f->x[agent.id.index], 0.0f), 0.0f, 0.3f);
    return true;
}

int main(void) {
    field f = {{true, true}, {0}};
    for (int i = 0; i < PLAYERS; i++) f.x[i] = (float)i;
    ploy_env env = ploy_env_default();
    ploy_polls_def def = ploy_polls_def_default();
    ploy_polls *polls = NULL;
    ploy_topic topic;
    memset(&topic, 0, sizeof topic);
    topic.name = "flag home";
    topic.answer = flag_home;
    topic.user = &f;
    topic.cache = PLOY_POLL_TICKS; // for this tick
    topic.entries = 4;             // an answer for each team
    ploy_topic_id home, sight;
    ploy_result result = ploy_polls_create(&def, &env, &polls);
    if (result == PLOY_OK) result = ploy_polls_add(polls, &topic, &home);
    // A ready-made answer that only one pair can use, so it is not kept: a wall across the trench.
    ploy_plain_scene_def walls = ploy_plain_scene_def_default();
    ploy_plain_scene *plain = NULL;
    if (result == PLOY_OK) result = ploy_plain_scene_create(&walls, &env, &plain);
    if (result == PLOY_OK) {
        result = ploy_plain_scene_add_segment(plain, ploy_vec2_make(6.5f, -1.0f),
                                              ploy_vec2_make(6.5f, 1.0f), 1, NULL);
    }
    if (result != PLOY_OK) return 1;
    ploy_scene scene = ploy_plain_scene_interface(plain);
    ploy_poll_sight line = {&scene, {where, &f}, 1.6f, 1};
    topic.name = "sees";
    topic.answer = ploy_poll_line_of_sight;
    topic.user = &line;
    topic.cache = PLOY_POLL_UNCACHED;
    topic.needs = CAN_SEE;
    if (result == PLOY_OK) result = ploy_polls_add(polls, &topic, &sight);
    for (uint64_t tick = 0; tick < 3 && result == PLOY_OK; tick++) {
        result = ploy_polls_step(polls, tick, (double)tick);
        f.flag_home[1] = tick < 2; // stolen in the last tick
        ploy_value answer = ploy_value_none();
        for (uint32_t i = 0; i < PLAYERS && result == PLOY_OK; i++) {
            ploy_poll poll = ploy_poll_make(ploy_agent_id_make(i, 1));
            poll.keys[0] = 1;
            result = ploy_polls_ask(polls, home, &poll, &answer);
        }
        printf("tick %d: the flag is %s\n", (int)tick, answer.as.b ? "at home" : "gone");
    }
    ploy_agent_id me = ploy_agent_id_make(4, 1);
    for (uint32_t other = 6; other < 8 && result == PLOY_OK; other++) {
        ploy_poll poll = ploy_poll_pair(me, me, ploy_agent_id_make(other, 1));
        ploy_value answer;
        result = ploy_polls_ask(polls, sight, &poll, &answer);
        if (result == PLOY_OK) printf("4 sees %d: %s\n", (int)other, answer.as.b ? "yes" : "no");
        poll.capabilities = 0; // dazed
        printf("and dazed: %s\n", ploy_result_text(ploy_polls_ask(polls, sight, &poll, &answer)));
    }
    ploy_polls_counts counts = ploy_polls_counts_of(polls, home);
    printf("asked %d times, computed %d times\n", (int)counts.asked, (int)counts.computed);
    ploy_poll_record record;
    for (int age = 2; age >= 0 && ploy_polls_record(polls, age, &record); age--) {
        printf("tick %d, player %d: %s\n", (int)record.tick, (int)record.asker.id.index,
               ploy_poll_source_text(record.source));
    }
    ploy_polls_destroy(polls);
    ploy_plain_scene_destroy(plain);
    return result == PLOY_OK ? 0 : 1;
}
