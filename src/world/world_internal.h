// Shared between the files of world.
#pragma once

#include "ploy/world/entity.h"
#include "ploy/world/observer.h"
#include "ploy/world/polling.h"
#include "ploy/world/room_senses.h"
#include "ploy/world/sense_log.h"
#include "ploy/world/senses.h"
#include "ploy/world/sight.h"
#include "ploy/world/sight_batch.h"
#include "ploy/world/smell.h"
#include "ploy/world/telegram.h"
#include "ploy/world/trigger.h"

// An observer made ready for many tests: what does not depend on the target.
typedef struct ployi_sight_view {
    const ploy_sight_observer *observer;
    const ploy_sight_def *def;
    const ploy_sight_world *world;
    ploy_vec3 eye;
    ploy_quat back; // from the world into the eye's frame
    float half;     // rad, of the cone on the level, searching included
    float half_cos;
    float level_cos; // of half the vertical angle
    float range_sq;  // m^2
} ployi_sight_view;

ployi_sight_view ployi_sight_view_make(const ploy_sight_observer *observer,
                                       const ploy_sight_world *world);

// The test of ploy_sight_test without its trace.
ploy_sight ployi_sight_examine(const ployi_sight_view *view, const ploy_sight_target *target);

// A box grown by a millionth of how far it reaches from the origin: far above what rounding takes
// from it, so that an index that is asked with it misses nobody.
ploy_box2 ployi_zone_slack_box(ploy_box2 box);

// The id that the next ploy_entities_add will give; none at the limit.
ploy_agent_id ployi_entities_next_id(const ploy_entities *entities);

// How many interests are registered now.
int32_t ployi_observer_subscriptions(const ploy_observer *observer);

// Adds what a worker counted to the topic's counts.
void ployi_polls_add_counts(ploy_polls *polls, ploy_topic_id id, const ploy_polls_counts *counts);

uint64_t ployi_sense_log_total(const ploy_sense_log *log);

// Percepts on their way.
int32_t ployi_room_senses_pending(const ploy_room_senses *senses);

// Checks a def beyond its table: layers that do not overlap, focus within the cone.
ploy_result ployi_sight_def_check(const ploy_sight_def *def, const ploy_env *env);

// @param user  a ploy_sight_checker.
bool ployi_sight_check(void *user, ploy_sense_test *test);

// Observers done in this round.
int32_t ployi_sight_batch_done(const ploy_sight_batch *batch);

// Percepts on their way, and signals that still spread or linger.
int32_t ployi_senses_pending(const ploy_senses *senses);

// Percepts on their way, and signals that still spread or linger.
int32_t ployi_senses_active(const ploy_senses *senses);

// The percept delivered next. @return false if none is queued.
bool ployi_senses_next(const ploy_senses *senses, ploy_percept *out);

uint64_t ployi_smell_passes(const ploy_smell *smell);

ploy_telegrams_counts ployi_telegrams_counts_of(const ploy_telegrams *telegrams);

// The last events, newest first. @return false past the end.
bool ployi_triggers_log(const ploy_triggers *triggers, int32_t back, ploy_trigger_event *out);
