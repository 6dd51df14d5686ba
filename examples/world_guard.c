// Let a guard see, hear and remember. An intruder walks past the end of a wall: you will see when
// the guard hears its steps, when it sees it, and what it still knows when the wall hides it again.
// Shows ploy/world/senses.h, sight.h and sense_memory.h.
#include <stdio.h>

#include "ploy/world/sense_memory.h"
#include "ploy/world/senses.h"

enum { GUARD = 1, INTRUDER = 2, STEPS = 0 }; // agents, and the one modality

typedef struct night {
    ploy_modalities *modalities;
    ploy_sense_memory *memory;
    ploy_pose guard;
} night;

// Senses never own positions: they ask.
static bool where(void *user, ploy_agent_id agent, ploy_pose *out) {
    if (agent.id.index != GUARD) return false;
    *out = ((night *)user)->guard;
    return true;
}

// The guard's ears: whatever arrives goes into memory.
static void heard(void *user, const ploy_percept *percept) {
    night *it = user;
    printf("  %.2f s: hears a step, intensity %.2f\n", percept->time, (double)percept->intensity);
    ploy_sense_memory_percept(it->memory, percept, it->modalities);
}

// The guard's eyes: one look, and memory keeps what it saw.
static void look(night *it, const ploy_sight_def *eyes, const ploy_scene *scene, ploy_vec2 at,
                 double now) {
    ploy_sight_observer guard = {ploy_agent_id_make(GUARD, 1), it->guard, eyes, false};
    ploy_sight_target intruder = {ploy_agent_id_make(INTRUDER, 1), ploy_pose_make2(at, 0, 0.4f),
                                  0.0f, 0.0f, -1};
    ploy_sight_world world = ploy_sight_world_make(scene);
    ploy_sight sight = ploy_sight_test(&guard, &intruder, &world, NULL);
    ploy_sense_memory_sight(it->memory, intruder.agent, intruder.pose.frame.position, &sight, now);
    ploy_vec3 known = ploy_vec3_zero();
    bool knows = ploy_sense_memory_position(it->memory, intruder.agent, &known);
    printf("%.0f s: at x = %.0f: %s; ", now, (double)at.x, ploy_sight_reason_text(sight.reason));
    if (knows) printf("last known at x = %.0f\n", (double)known.x);
    if (!knows) printf("the guard knows no intruder's place\n");
}

int main(void) {
    ploy_env env = ploy_env_default();
    night it = {NULL, NULL, ploy_pose_make2(ploy_vec2_make(0, 0), 1.5707963f, 0.5f)};
    ploy_modality sound = ploy_modality_of(PLOY_SENSE_SOUND);
    if (ploy_modalities_create(&sound, 1, &env, &it.modalities) != PLOY_OK) return 1;
    ploy_sense_memory_def memory = ploy_sense_memory_def_default();
    if (ploy_sense_memory_create(&memory, ploy_agent_id_make(GUARD, 1), &env, &it.memory) !=
        PLOY_OK)
        return 1;
    ploy_senses_def def = ploy_senses_def_default();
    def.modalities = it.modalities;
    def.poses = (ploy_pose_source){where, &it};
    ploy_senses *senses = NULL;
    if (ploy_senses_create(&def, &env, &senses) != PLOY_OK) return 1;
    ploy_sensor ears = ploy_sensor_make(ploy_agent_id_make(GUARD, 1));
    ploy_sensor_set(&ears, STEPS, 0.4f); // softer steps are not noticed
    ploy_senses_add_sensor(senses, &ears);

    ploy_plain_scene_def plain = ploy_plain_scene_def_default();
    ploy_plain_scene *walls = NULL;
    if (ploy_plain_scene_create(&plain, &env, &walls) != PLOY_OK) return 1;
    ploy_plain_scene_add_segment(walls, ploy_vec2_make(2, 5), ploy_vec2_make(20, 5), 1, NULL);
    ploy_scene scene = ploy_plain_scene_interface(walls);
    ploy_sight_def eyes = ploy_sight_def_default();
    eyes.fov = 2.0943951f; // 120 degrees: a guard on watch looks about

    for (int second = 0; second < 5; second++) { // the intruder goes back and forth beyond the wall
        ploy_vec2 at = {second < 3 ? 16.0f - 8.0f * (float)second : 8.0f * (float)second - 16.0f,
                        10.0f};
        ploy_signal step =
            ploy_signal_make(STEPS, 1, ploy_vec3_from_vec2(at, 0), ploy_name_of("step"));
        step.source = ploy_agent_id_make(INTRUDER, 1);
        ploy_senses_add_signal(senses, &step, second);
        look(&it, &eyes, &scene, at, second);
        ploy_senses_step(senses, second + 0.5, NULL, heard, &it);
    }
    ploy_agent_id intruder = ploy_agent_id_make(INTRUDER, 1);
    ploy_agent_id recent[1]; // whom the guard still reckons with
    printf("out of view for %.0f s; remembered at 8 s: %s, at 9 s: %s\n",
           ploy_sense_memory_time_out_of_view(it.memory, intruder, 4),
           ploy_sense_memory_recent(it.memory, 8, recent, 1) > 0 ? "yes" : "no",
           ploy_sense_memory_recent(it.memory, 9, recent, 1) > 0 ? "yes" : "no");
    ploy_plain_scene_destroy(walls);
    ploy_senses_destroy(senses);
    ploy_sense_memory_destroy(it.memory);
    ploy_modalities_destroy(it.modalities);
    return 0;
}
