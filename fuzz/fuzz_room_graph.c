// Any bytes as a sense graph: what loads is saved and read again to the same text, linted, and
// lived in for a while: sounds and smells in the first rooms, doors that shut, a budget.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "ploy/base/math.h"
#include "ploy/world/room_senses.h"

enum { SIGHT, SOUND, SMELL, SENSES };

static void must(bool condition) {
    if (!condition) abort();
}

static void write_graph(const ploy_room_graph *graph, ploy_buffer *buffer) {
    ploy_env env = ploy_env_default();
    ploy_buffer_init(buffer, 0, &env);
    ploy_writer writer = ploy_buffer_writer(buffer);
    ploy_json_writer json;
    ploy_json_writer_init(&json, &writer, 0);
    ploy_room_graph_save(graph, &json);
    must(ploy_json_writer_finish(&json) == PLOY_OK);
}

static bool where(void *user, ploy_agent_id agent, ploy_pose *out) {
    const ploy_room_graph *graph = user;
    const ploy_room *node = ploy_room_graph_node(graph, (int32_t)agent.id.index);
    if (node == NULL) return false;
    *out = ploy_pose_make2(ploy_vec2_zero(), 0.0f, 0.3f);
    out->frame.position = ploy_zone_centre(&node->zone);
    return true;
}

static void sensed(void *user, const ploy_percept *percept) {
    (void)user;
    must(ploy_is_finite(percept->intensity) && ploy_is_finite_d(percept->time));
    must(percept->intensity >= 0.0f && percept->intensity <= 8.0f);
}

static void live(const ploy_room_graph *graph) {
    ploy_env env = ploy_env_default();
    ploy_room_senses_def def = ploy_room_senses_def_default();
    def.renotify_s = 0.0f;
    def.log = 4;
    ploy_pose_source poses = {where, (void *)(uintptr_t)graph};
    ploy_room_senses *senses = NULL;
    must(ploy_room_senses_create(&def, graph, poses, &env, &senses) == PLOY_OK);
    for (uint32_t i = 0; i < 4; i++) {
        ploy_sensor sensor = ploy_sensor_make(ploy_agent_id_make(i, 1));
        for (int32_t m = 0; m < SENSES; m++) must(ploy_sensor_set(&sensor, m, 0.01f) == PLOY_OK);
        must(ploy_room_senses_set_sensor(senses, &sensor) == PLOY_OK);
    }
    for (int32_t step = 0; step < 20; step++) {
        double now = 0.5 * step;
        const ploy_room *node =
            ploy_room_graph_node(graph, step % ploy_room_graph_node_count(graph));
        ploy_signal signal = ploy_signal_make(step % SENSES, 8.0f, ploy_zone_centre(&node->zone),
                                              ploy_name_of("it"));
        ploy_result result = ploy_room_senses_add_signal(senses, &signal, now);
        must(result == PLOY_OK || result == PLOY_ERR_NOT_FOUND); // a centre may lie outside
        (void)ploy_room_senses_set_link(senses, step, step % 2 == 0 ? 0.0f : 1.0f);
        ploy_budget budget = ploy_budget_units(1 + step % 3);
        result = ploy_room_senses_step(senses, now, &budget, sensed, NULL);
        must(result == PLOY_OK || result == PLOY_IN_PROGRESS);
    }
    ploy_room_senses_destroy(senses);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    ploy_env env = ploy_env_default();
    static const ploy_sense_kind kinds[SENSES] = {PLOY_SENSE_SIGHT, PLOY_SENSE_SOUND,
                                                  PLOY_SENSE_SMELL};
    ploy_modality list[SENSES];
    for (int32_t i = 0; i < SENSES; i++) list[i] = ploy_modality_of(kinds[i]);
    ploy_modalities *modalities = NULL;
    ploy_diags *diags = NULL;
    must(ploy_modalities_create(list, SENSES, &env, &modalities) == PLOY_OK);
    must(ploy_diags_create(8, &env, &diags) == PLOY_OK);
    ploy_room_graph *graph = NULL, *again = NULL;
    ploy_result result = ploy_room_graph_load(data, size, "fuzz", modalities, &env, diags, &graph);
    must((result == PLOY_OK) == (graph != NULL));
    must((result == PLOY_OK) == (ploy_diags_total(diags, PLOY_SEVERITY_ERROR) == 0));
    if (graph != NULL) {
        ploy_buffer first, second;
        write_graph(graph, &first);
        must(ploy_room_graph_load(first.bytes, first.size, "again", modalities, &env, diags,
                                  &again) == PLOY_OK);
        write_graph(again, &second);
        must(first.size == second.size && memcmp(first.bytes, second.bytes, first.size) == 0);
        must(ploy_room_graph_lint(graph, "fuzz", diags) ==
             ploy_room_graph_lint(again, "again", diags));
        live(graph);
        ploy_buffer_fini(&first);
        ploy_buffer_fini(&second);
    }
    ploy_room_graph_destroy(graph);
    ploy_room_graph_destroy(again);
    ploy_diags_destroy(diags);
    ploy_modalities_destroy(modalities);
    return 0;
}
