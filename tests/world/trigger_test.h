// What the tests of triggers share: agents at places of the test's, and everything they trigger.
#pragma once

#include "ploy/world/trigger.h"
#include "tests/test.h"

enum { CROWD = 64, TOLD = 4096 };

// Agents 1 to CROWD at places of the test's, and everything they trigger.
typedef struct stage {
    ploy_triggers *triggers;
    ploy_vec2 at[CROWD];
    float radius[CROWD];
    bool gone[CROWD];
    ploy_trigger_event told[TOLD];
    int32_t told_count;
    int64_t tick;
    void (*react)(struct stage *stage, const ploy_trigger_event *event);
    ploy_trigger_id mine; // for react
} stage;

static inline ploy_agent_id agent_of(int32_t i) {
    return ploy_agent_id_make((uint32_t)i, 1);
}

static inline bool stage_pose(void *user, ploy_agent_id agent, ploy_pose *out) {
    stage *s = user;
    uint32_t i = agent.id.index;
    if (i >= CROWD || s->gone[i]) return false;
    *out = ploy_pose_make2(s->at[i], 0, s->radius[i]);
    return true;
}

static inline void stage_told(void *user, const ploy_trigger_event *event) {
    stage *s = user;
    if (s->told_count < TOLD) s->told[s->told_count++] = *event;
    if (s->react != NULL) s->react(s, event);
}

static inline void stage_init(test_context *t, stage *s, int32_t agents) {
    memset(s, 0, sizeof *s);
    ploy_env env = ploy_env_default();
    ploy_triggers_def def = ploy_triggers_def_default();
    CHECK_OK(ploy_triggers_create(&def, &env, &s->triggers));
    for (int32_t i = 0; i < agents; i++) {
        s->at[i] = ploy_vec2_make(1000.0f + (float)i, 0);
        s->radius[i] = 0.5f;
        CHECK_OK(ploy_triggers_add_agent(s->triggers, agent_of(i), NULL));
    }
}

static inline ploy_result stage_step(stage *s) {
    ploy_pose_source poses = {stage_pose, s};
    double now = (double)s->tick++ / 60.0;
    return ploy_triggers_step(s->triggers, now, &poses, stage_told, s);
}

static inline ploy_trigger_id stage_add(test_context *t, stage *s, const ploy_trigger_def *def) {
    ploy_trigger_id id;
    CHECK_OK(ploy_triggers_add(s->triggers, def, &id));
    return id;
}

static inline int32_t stage_count(const stage *s, ploy_trigger_event_kind what) {
    int32_t count = 0;
    for (int32_t i = 0; i < s->told_count; i++) count += s->told[i].what == what ? 1 : 0;
    return count;
}

static inline ploy_zone disc(float x, float radius) {
    return ploy_zone_circle(ploy_vec2_make(x, 0), radius);
}
