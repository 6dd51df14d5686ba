// What the tests of sense graphs share: a table of three modalities, and a stage with rooms in a
// row, sensors at places of the test's, and everything they are told.
#pragma once

#include "ploy/world/room_senses.h"
#include "tests/test.h"

enum { SIGHT, SOUND, SMELL, GRAPH_AGENTS = 80, GRAPH_TOLD = 4096, GRAPH_ROOMS = 64 };

typedef struct graph_stage {
    ploy_env env;
    ploy_modality senses_of[3];
    ploy_modalities *modalities;
    ploy_room nodes[GRAPH_ROOMS];
    int32_t node_count;
    char names[GRAPH_ROOMS][8];
    ploy_room_link links[4 * GRAPH_ROOMS];
    int32_t link_count;
    ploy_room_graph *graph;
    ploy_room_senses *senses;
    ploy_vec3 at[GRAPH_AGENTS];
    bool gone[GRAPH_AGENTS];
    ploy_percept told[GRAPH_TOLD];
    int32_t told_count;
    void (*react)(struct graph_stage *stage, const ploy_percept *percept);
} graph_stage;

static inline ploy_agent_id graph_agent(int32_t i) {
    return ploy_agent_id_make((uint32_t)i, 1);
}

static inline bool graph_pose(void *user, ploy_agent_id agent, ploy_pose *out) {
    graph_stage *s = user;
    uint32_t i = agent.id.index;
    if (i >= GRAPH_AGENTS || s->gone[i]) return false;
    *out = ploy_pose_make2(ploy_vec2_make(s->at[i].x, s->at[i].y), 0, 0.3f);
    out->frame.position = s->at[i];
    return true;
}

static inline void graph_told(void *user, const ploy_percept *percept) {
    graph_stage *s = user;
    if (s->told_count < GRAPH_TOLD) s->told[s->told_count++] = *percept;
    if (s->react != NULL) s->react(s, percept);
}

// Sight at once without loss; sound 0.9 a metre at 100 m/s; smell 0.9 a metre at 1 m/s, half gone
// each second. Change them before graph_stage_begin.
static inline void graph_stage_init(graph_stage *s) {
    memset(s, 0, sizeof *s);
    s->env = ploy_env_default();
    static const ploy_sense_kind kinds[] = {PLOY_SENSE_SIGHT, PLOY_SENSE_SOUND, PLOY_SENSE_SMELL};
    for (int32_t i = 0; i < 3; i++) {
        s->senses_of[i] = ploy_modality_of(kinds[i]);
        s->senses_of[i].attenuation = i == SIGHT ? 1.0f : 0.9f;
        s->senses_of[i].inverse_speed = i == SIGHT ? 0.0f : i == SOUND ? 0.01f : 1.0f;
        s->senses_of[i].dissipation = i == SMELL ? 0.5f : 0.0f;
        s->senses_of[i].min_intensity = 0.001f;
        s->senses_of[i].max_range = 1000;
        s->senses_of[i].wind = 0;
    }
}

// The table, from then on fixed; nodes and links can be made with it.
static inline void graph_stage_modalities(test_context *t, graph_stage *s) {
    CHECK_OK(ploy_modalities_create(s->senses_of, 3, &s->env, &s->modalities));
}

static inline int32_t graph_room(graph_stage *s, float x0, float y0, float x1, float y1) {
    int32_t i = s->node_count++;
    s->names[i][0] = (char)('a' + i / 26);
    s->names[i][1] = (char)('a' + i % 26);
    ploy_zone zone = ploy_zone_box(ploy_vec2_make(x0, y0), ploy_vec2_make(x1, y1));
    s->nodes[i] = ploy_room_make(s->names[i], zone, s->modalities);
    return i;
}

static inline ploy_room_link *graph_door(graph_stage *s, int32_t from, int32_t to, float x,
                                         float y) {
    ploy_vec3 at = {x, y, 0};
    s->links[s->link_count] = ploy_room_link_make(from, to, at, at, s->modalities);
    return &s->links[s->link_count++];
}

static inline void graph_doors(graph_stage *s, int32_t a, int32_t b, float x, float y) {
    (void)graph_door(s, a, b, x, y);
    (void)graph_door(s, b, a, x, y);
}

// Rooms of 4 by 4 m from the origin along x, doors in the middle of the walls between.
static inline void graph_row(test_context *t, graph_stage *s, int32_t rooms) {
    graph_stage_modalities(t, s);
    for (int32_t i = 0; i < rooms; i++) {
        graph_room(s, 4.0f * (float)i, 0, 4.0f * (float)(i + 1), 4);
        if (i > 0) graph_doors(s, i - 1, i, 4.0f * (float)i, 2);
    }
}

static inline void graph_stage_begin_def(test_context *t, graph_stage *s,
                                         const ploy_room_senses_def *def) {
    CHECK_OK(ploy_room_graph_create(s->nodes, s->node_count, s->links, s->link_count, s->modalities,
                                    &s->env, &s->graph));
    ploy_pose_source poses = {graph_pose, s};
    CHECK_OK(ploy_room_senses_create(def, s->graph, poses, &s->env, &s->senses));
}

static inline void graph_stage_begin(test_context *t, graph_stage *s) {
    ploy_room_senses_def def = ploy_room_senses_def_default();
    def.log = 64;
    graph_stage_begin_def(t, s, &def);
}

// A sensor for everything, from that intensity on.
static inline void graph_listener(test_context *t, graph_stage *s, int32_t i, float x, float y,
                                  float threshold) {
    s->at[i] = ploy_vec3_make(x, y, 0);
    ploy_sensor sensor = ploy_sensor_make(graph_agent(i));
    for (int32_t m = 0; m < 3; m++) CHECK_OK(ploy_sensor_set(&sensor, m, threshold));
    CHECK_OK(ploy_room_senses_set_sensor(s->senses, &sensor));
}

static inline ploy_signal graph_signal(int32_t modality, float strength, float x, float y) {
    return ploy_signal_make(modality, strength, ploy_vec3_make(x, y, 0), ploy_name_of("it"));
}

static inline void graph_emit(test_context *t, graph_stage *s, int32_t modality, float strength,
                              float x, float y, double now) {
    ploy_signal signal = graph_signal(modality, strength, x, y);
    CHECK_OK(ploy_room_senses_add_signal(s->senses, &signal, now));
}

static inline ploy_result graph_step(graph_stage *s, double now) {
    return ploy_room_senses_step(s->senses, now, NULL, graph_told, s);
}

static inline void graph_stage_fini(graph_stage *s) {
    ploy_room_senses_destroy(s->senses);
    ploy_room_graph_destroy(s->graph);
    ploy_modalities_destroy(s->modalities);
}
