// Short words for the tests of single behaviors.
#pragma once

#include "ploy/move/arrive.h"
#include "ploy/move/seek.h"
#include "tests/test.h"

static inline ploy_kinematic mover(float x, float y, float vx, float vy) {
    ploy_kinematic agent = ploy_kinematic_make(ploy_vec2_make(x, y), 0.0f);
    agent.velocity = ploy_vec2_make(vx, vy);
    return agent;
}

// Desired minus present velocity, whatever it takes: the force of the vehicles in the books.
static inline ploy_seek_def plain_seek(float max_speed) {
    ploy_seek_def def = ploy_seek_def_default();
    def.max_speed = max_speed;
    def.time_to_target = 1.0f;
    def.max_acceleration = 1e6f;
    return def;
}

// Buckland's arrive, decelerating fast.
static inline ploy_arrive_def plain_arrive(float max_speed) {
    ploy_arrive_def def = ploy_arrive_def_default();
    def.max_speed = max_speed;
    def.slow_radius = max_speed * 0.3f;
    def.target_radius = 0.0f;
    def.time_to_target = 1.0f;
    def.max_acceleration = 1e6f;
    return def;
}

#define CHECK_VEC2(got, want_x, want_y, tolerance)      \
    do {                                                \
        ploy_vec2 check_got = (got);                    \
        CHECK_NEAR(check_got.x, (want_x), (tolerance)); \
        CHECK_NEAR(check_got.y, (want_y), (tolerance)); \
    } while (0)

// A trace that keeps the name of the last alternative that won, and counts its decisions.
typedef struct winner_trace {
    char winner[64];
    char technique[64];
    int32_t depth, begun;
    ploy_trace trace;
} winner_trace;

static inline void winner_begin(void *user, ploy_id agent, const char *topic,
                                const char *technique) {
    winner_trace *w = user;
    (void)agent, (void)topic;
    w->depth++;
    w->begun++;
    snprintf(w->technique, sizeof w->technique, "%s", technique);
}
static inline void winner_option(void *user, const char *name, ploy_outcome outcome, double score,
                                 const char *reason) {
    winner_trace *w = user;
    (void)score, (void)reason;
    if (outcome == PLOY_OUTCOME_WON) snprintf(w->winner, sizeof w->winner, "%s", name);
}
static inline void winner_value(void *user, const char *name, const ploy_value *value) {
    (void)user, (void)name, (void)value;
}
static inline void winner_note(void *user, const char *text) {
    (void)user, (void)text;
}
static inline void winner_end(void *user) {
    winner_trace *w = user;
    w->depth--;
}

// The trace points to the struct, so it stays where it is.
static inline ploy_trace *winner_start(winner_trace *w) {
    memset(w, 0, sizeof *w);
    ploy_trace trace = {winner_begin, winner_option, winner_value, winner_note, winner_end, w};
    w->trace = trace;
    return &w->trace;
}

static inline ploy_agent_id somebody(void) {
    return ploy_agent_id_make(1, 1);
}
