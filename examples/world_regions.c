// See where hearing by distance alone is wrong, and what rooms do about it. You will see three scenes,
// each with a manager for open fields and one that knows the rooms: a corridor with two bends, a
// wall of 4 m, and a runner who meets a slow smell. Shows ploy_senses and ploy_room_senses.
#include <stdio.h>

#include "ploy/world/room_senses.h"
#include "ploy/world/senses.h"

enum { NEAR = 1, FAR = 2, AGENTS = 3 };

typedef struct stage {
    const char *manager;
    ploy_vec2 at[AGENTS];
    ploy_modalities *modalities;
    ploy_room_graph *graph;
    ploy_senses *open;
    ploy_room_senses *rooms;
} stage;

static bool where(void *user, ploy_agent_id agent, ploy_pose *out) {
    *out = ploy_pose_make2(((stage *)user)->at[agent.id.index], 0, 0.5f);
    return true;
}

static void heard(void *user, const ploy_percept *percept) {
    printf("  %s: %.2f s, the %s one hears it\n", ((stage *)user)->manager, percept->time,
           percept->sensor.id.index == NEAR ? "near" : "far");
}

// Rooms 0 to 2 of a corridor shaped like an n, or two cells that nothing joins.
static bool build(stage *it, bool joined, float inverse_speed, ploy_senses_policy policy) {
    ploy_env env = ploy_env_default();
    ploy_modality sound = ploy_modality_of(PLOY_SENSE_SOUND);
    sound.inverse_speed = inverse_speed;
    sound.attenuation = 1.0f;
    if (ploy_modalities_create(&sound, 1, &env, &it->modalities) != PLOY_OK) return false;
    ploy_box2 boxes[3] = {{{-1, -1}, {1, 9}}, {{-1, 9}, {5, 11}}, {{3, -1}, {5, 9}}};
    const char *names[3] = {"left", "top", "right"};
    ploy_room rooms[3];
    ploy_room_link links[4];
    for (int i = 0; i < 3; i++) {
        rooms[i] =
            ploy_room_make(names[i], ploy_zone_box(boxes[i].min, boxes[i].max), it->modalities);
    }
    const ploy_vec3 bends[2] = {{0, 9, 0}, {4, 9, 0}};
    for (int i = 0; i < 2; i++) {
        links[2 * i] = ploy_room_link_make(i, i + 1, bends[i], bends[i], it->modalities);
        links[2 * i + 1] = ploy_room_link_make(i + 1, i, bends[i], bends[i], it->modalities);
    }
    if (ploy_room_graph_create(rooms, 3, links, joined ? 4 : 0, it->modalities, &env, &it->graph) !=
        PLOY_OK) {
        return false;
    }
    ploy_pose_source poses = {where, it};
    ploy_senses_def def = ploy_senses_def_default();
    def.modalities = it->modalities;
    def.poses = poses;
    def.policy = policy;
    ploy_room_senses_def room_def = ploy_room_senses_def_default();
    if (ploy_senses_create(&def, &env, &it->open) != PLOY_OK ||
        ploy_room_senses_create(&room_def, it->graph, poses, &env, &it->rooms) != PLOY_OK) {
        return false;
    }
    for (uint32_t i = NEAR; i < AGENTS; i++) {
        ploy_sensor sensor = ploy_sensor_make(ploy_agent_id_make(i, 1));
        ploy_sensor_set(&sensor, 0, 0.1f);
        ploy_senses_add_sensor(it->open, &sensor);
        ploy_room_senses_set_sensor(it->rooms, &sensor);
    }
    return true;
}

static void play(stage *it, bool runs) {
    ploy_signal noise = ploy_signal_make(0, 1.0f, ploy_vec3_zero(), ploy_name_of("noise"));
    for (int manager = 0; manager < 2; manager++) {
        ploy_vec2 start = it->at[FAR];
        it->manager = manager == 0 ? "by distance" : "by rooms";
        if (manager == 0) ploy_senses_add_signal(it->open, &noise, 0.0);
        if (manager == 1) ploy_room_senses_step(it->rooms, 0.0, NULL, heard, it); // who is where
        if (manager == 1) ploy_room_senses_add_signal(it->rooms, &noise, 0.0);
        for (int i = 1; i <= 300; i++) {
            double now = 0.1 * i;
            if (runs) it->at[FAR] = ploy_vec2_make(start.x - 3.0f * (float)now, start.y);
            if (manager == 0) ploy_senses_step(it->open, now, NULL, heard, it);
            if (manager == 1 && !runs) ploy_room_senses_step(it->rooms, now, NULL, heard, it);
        }
        it->at[FAR] = start;
        if (runs) break; // in the open there are no rooms: the policy is what helps
    }
    ploy_senses_destroy(it->open);
    ploy_room_senses_destroy(it->rooms);
    ploy_room_graph_destroy(it->graph);
    ploy_modalities_destroy(it->modalities);
}

int main(void) {
    printf("a corridor with two bends: 8 m and 22 m to walk, 8 m and 4 m through the wall\n");
    stage it = {.at = {{0, 0}, {0, 8}, {4, 0}}};
    if (!build(&it, true, 0.1f, PLOY_SENSES_WAVE)) return 1;
    play(&it, false);
    printf("a wall without a door\n");
    if (!build(&it, false, 0.1f, PLOY_SENSES_WAVE)) return 1;
    play(&it, false);
    printf("a smell of 1 m/s, and a runner who meets it after 5 s\n");
    for (int policy = 0; policy < 2; policy++) {
        it = (stage){.at = {{0, 0}, {300, 0}, {20, 0}}};
        if (!build(&it, false, 1.0f, (ploy_senses_policy)policy)) return 1;
        printf("  tested %s\n", policy == PLOY_SENSES_WAVE ? "when the front passes" : "at once");
        play(&it, true);
    }
    return 0;
}
