// What a player's bug report needs. You will see a guard learn from what a player does, forget it, get it back from its
// experience log, and go into a file and out of it. Shows the log of actors in ploy/learn/experience.h and
// ploy/data/actor_file.h.
#include <stdio.h>

#include "ploy/ploy.h"

// The player always walks on along a corridor of 11 rooms; the treasure is behind the last one.
static int watch(ploy_experience *log, int nights) {
    for (int night = 0; night < nights; night++) {
        for (int64_t room = 0; room < 11; room++) {
            ploy_situation now = {room, NULL, NULL}, next = {room + 1, NULL, NULL};
            bool found = room == 10;
            ploy_problem_result result = {found ? 1.0f : 0.0f, found, false};
            if (ploy_experience_learn(log, &now, 1, result, &next, found ? -1 : 1) != PLOY_OK) {
                return 1; // the log is full
            }
        }
    }
    return 0;
}

static void print(const char *when, ploy_actor guard) {
    ploy_situation near = {8, NULL, NULL};
    double worth[PLOY_PROBLEM_ACTIONS_MAX];
    ploy_actor_values(guard, &near, worth);
    printf("%-14s %4lld steps, walking on from room 8 is worth %.3f\n", when,
           (long long)ploy_actor_steps(guard), worth[1]);
}

int main(void) {
    ploy_env env = ploy_env_default();
    const ploy_problem_type *corridor = ploy_problems_find("chain");
    ploy_actor guard, rebuilt, loaded;
    ploy_experience *log = NULL;
    if (ploy_actor_create(ploy_actors_find("q"), NULL, &corridor->space, 7, &env, &guard) !=
            PLOY_OK ||
        ploy_actor_create(ploy_actors_find("q"), NULL, &corridor->space, 7, &env, &rebuilt) !=
            PLOY_OK ||
        ploy_experience_create_actor(guard, 1 << 16, &env, &log) != PLOY_OK || watch(log, 100)) {
        return 1;
    }
    print("learned:", guard);
    size_t size = 0;
    const void *bytes = ploy_experience_bytes(log, &size); // into the report
    if (ploy_experience_replay_actor(rebuilt, bytes, size) != PLOY_OK) return 1;
    print("from the log:", rebuilt);
    printf("%-14s %s\n", "",
           ploy_actor_hash(rebuilt) == ploy_actor_hash(guard) ? "the same bits" : "other bits");
    if (ploy_experience_reset(log) != PLOY_OK) return 1;
    print("reset:", guard);

    ploy_buffer file;
    ploy_buffer_init(&file, 0, &env);
    ploy_writer writer = ploy_buffer_writer(&file);
    if (ploy_actor_save(rebuilt, &writer) != PLOY_OK ||
        ploy_actor_load(file.bytes, file.size, "guard.json", corridor, &env, NULL, &loaded) !=
            PLOY_OK) {
        return 1;
    }
    ploy_actor_freeze(loaded, true); // shipped: it acts, and learns nothing more
    print("from the file:", loaded);
    ploy_buffer_fini(&file);
    ploy_experience_destroy(log);
    ploy_actor_destroy(guard);
    ploy_actor_destroy(rebuilt);
    ploy_actor_destroy(loaded);
    return 0;
}
