// Sound and smell through rooms. A hall and a cell with a door between them, and a store that is
// joined to the hall by a duct alone. You will see who hears a crash and when, that a shut door
// keeps it out, and gas that drifts through the duct; the graph is read from text.
#include <stdio.h>
#include <string.h>

#include "ploy/world/room_senses.h"

enum { SOUND, GAS };

static const char building[] =
    "{ \"nodes\": [\n"
    "  {\"name\": \"hall\", \"zone\": {\"kind\": \"box\", \"min\": [0, 0], \"max\": [10, 6]}},\n"
    "  {\"name\": \"cell\", \"zone\": {\"kind\": \"box\", \"min\": [10, 0], \"max\": [14, 6]}},\n"
    "  {\"name\": \"store\", \"zone\": {\"kind\": \"box\", \"min\": [0, 8], \"max\": [10, 12]}} "
    "],\n"
    " \"links\": [\n"
    "  {\"from\": \"hall\", \"to\": \"cell\", \"start\": [10, 3], \"both\": true},\n"
    "  {\"from\": \"hall\", \"to\": \"store\", \"start\": [5, 6], \"end\": [5, 8],\n"
    "   \"attenuation\": {\"sound\": 0}} ] }\n";

static const ploy_vec2 guards[] = {{2.0f, 3.0f}, {12.0f, 3.0f}, {5.0f, 10.0f}};
static const char *const names[] = {"guard in the hall", "prisoner", "keeper of the store"};

static bool where(void *user, ploy_agent_id agent, ploy_pose *out) {
    (void)user;
    *out = ploy_pose_make2(guards[agent.id.index], 0.0f, 0.3f);
    return true;
}

static void sensed(void *user, const ploy_percept *percept) {
    (void)user;
    printf("%5.2f s: the %s %s it, %.3f strong, from %.1f m\n", percept->time,
           names[percept->sensor.id.index], percept->signal.modality == SOUND ? "hears" : "smells",
           (double)percept->intensity, (double)percept->distance);
}

// A first graph from the walls, to be corrected by hand: two rooms with a gap of 2 m between them.
static void draft(const ploy_modalities *modalities, const ploy_env *env) {
    static const ploy_vec2 walls[4] = {{10, 0}, {10, 2}, {10, 4}, {10, 6}};
    ploy_room rooms[2];
    memset(rooms, 0, sizeof rooms);
    rooms[0].name = "hall";
    rooms[0].zone = ploy_zone_box(ploy_vec2_make(0, 0), ploy_vec2_make(10, 6));
    rooms[1].name = "cell";
    rooms[1].zone = ploy_zone_box(ploy_vec2_make(10, 0), ploy_vec2_make(14, 6));
    ploy_plain_scene_def scene_def = ploy_plain_scene_def_default();
    ploy_room_draft_def def = ploy_room_draft_def_default();
    ploy_plain_scene *plain = NULL;
    ploy_room_graph *graph = NULL;
    if (ploy_plain_scene_create(&scene_def, env, &plain) != PLOY_OK) return;
    (void)ploy_plain_scene_add_segment(plain, walls[0], walls[1], 1, NULL);
    (void)ploy_plain_scene_add_segment(plain, walls[2], walls[3], 1, NULL);
    ploy_scene scene = ploy_plain_scene_interface(plain);
    if (ploy_room_graph_draft(&def, rooms, 2, &scene, 1, modalities, env, &graph) == PLOY_OK) {
        const ploy_room_link *door = ploy_room_graph_link(graph, 0);
        printf("drafted: %d links, the first at (%.0f, %.0f)\n",
               (int)ploy_room_graph_link_count(graph), (double)door->start.x,
               (double)door->start.y);
    }
    ploy_room_graph_destroy(graph);
    ploy_plain_scene_destroy(plain);
}

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_modality kinds[] = {ploy_modality_of(PLOY_SENSE_SOUND),
                             ploy_modality_of(PLOY_SENSE_SMELL)};
    kinds[GAS].name = "gas";
    kinds[GAS].max_range = 50.0f;
    ploy_modalities *modalities = NULL;
    ploy_room_graph *graph = NULL;
    ploy_room_senses *senses = NULL;
    ploy_pose_source poses = {where, NULL};
    ploy_room_senses_def def = ploy_room_senses_def_default();
    def.renotify_s = 100.0f; // once is enough
    if (ploy_modalities_create(kinds, 2, &env, &modalities) != PLOY_OK) return 1;
    if (ploy_room_graph_load(building, strlen(building), "building", modalities, &env, NULL,
                             &graph) != PLOY_OK) {
        return 1;
    }
    if (ploy_room_senses_create(&def, graph, poses, &env, &senses) != PLOY_OK) return 1;
    for (uint32_t i = 0; i < 3; i++) {
        ploy_sensor sensor = ploy_sensor_make(ploy_agent_id_make(i, 1));
        ploy_sensor_set(&sensor, SOUND, 0.1f);
        ploy_sensor_set(&sensor, GAS, 0.1f);
        if (ploy_room_senses_set_sensor(senses, &sensor) != PLOY_OK) return 1;
    }

    ploy_vec3 at = {8.0f, 3.0f, 0.0f};
    ploy_signal crash = ploy_signal_make(SOUND, 1.0f, at, ploy_name_of("crash"));
    printf("a crash, the door open:\n");
    ploy_room_senses_add_signal(senses, &crash, 0.0);
    ploy_room_senses_step(senses, 1.0, NULL, sensed, NULL);

    printf("a crash, the door shut:\n");
    ploy_room_senses_set_link(senses, 0, 0.0f);
    ploy_room_senses_add_signal(senses, &crash, 1.0);
    ploy_room_senses_step(senses, 2.0, NULL, sensed, NULL);

    printf("gas:\n");
    ploy_signal gas = ploy_signal_make(GAS, 50.0f, at, ploy_name_of("gas"));
    ploy_room_senses_add_signal(senses, &gas, 2.0);
    for (int i = 1; i <= 120; i++) {
        ploy_room_senses_step(senses, 2.0 + 0.25 * i, NULL, sensed, NULL);
    }
    ploy_room_senses_destroy(senses);
    ploy_room_graph_destroy(graph);
    draft(modalities, &env);
    ploy_modalities_destroy(modalities);
    return 0;
}
