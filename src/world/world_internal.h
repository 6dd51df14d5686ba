// Shared between the files of world.
#pragma once

#include "ploy/world/alarms.h"
#include "ploy/world/entity.h"
#include "ploy/world/events.h"
#include "ploy/world/observer.h"
#include "ploy/world/polling.h"
#include "ploy/world/pose.h"
#include "ploy/world/room_graph.h"
#include "ploy/world/room_senses.h"
#include "ploy/world/sense.h"
#include "ploy/world/sense_log.h"
#include "ploy/world/sense_memory.h"
#include "ploy/world/senses.h"
#include "ploy/world/sight.h"
#include "ploy/world/sight_batch.h"
#include "ploy/world/smell.h"
#include "ploy/world/target.h"
#include "ploy/world/telegram.h"
#include "ploy/world/trigger.h"
#include "ploy/world/zone.h"

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
// from it, so that an index that is asked with it misses no agent.
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

// The unit vector ahead.
ploy_vec3 ployi_pose_ahead(const ploy_pose *pose);

ploy_events *ployi_events_parent(const ploy_events *events);

// Also from within a check. @return PLOY_ERR_NOT_FOUND.
ploy_result ployi_events_remove_checker(ploy_events *events, ploy_checker_id id);

// How many events wait, those for the next run counted.
int32_t ployi_events_waiting(const ploy_events *events);

// When an alarm is due next; false if it is not set.
bool ployi_alarms_next(const ploy_alarms *alarms, ploy_alarm_id id, double *at);

// How many of that type; of none: those without a type.
int32_t ployi_entities_count_type(const ploy_entities *entities, ploy_name type);

ploy_result ployi_entities_set_tag(ploy_entities *entities, ploy_agent_id id, uint32_t tag);

// Sets the tag of all entities.
void ployi_entities_clear_tags(ploy_entities *entities, uint32_t tag);

int32_t ployi_observer_state(const ploy_observer *observer);

// Forgets everything that was kept: after the world was loaded or changed by hand.
void ployi_polls_forget(ploy_polls *polls);

// Copies bytes into the payload and zeroes the rest.
// @return PLOY_ERR_CAPACITY if they do not fit; the signal is unchanged then.
ploy_result ployi_signal_set_payload(ploy_signal *signal, const void *bytes, size_t size);

bool ployi_sensor_detects(const ploy_sensor *sensor, int32_t modality);

// The factor on intensities of a modality now: 1 unless dulled.
float ployi_sensor_gain(const ploy_sensor *sensor, int32_t modality, double now);

// What distance leaves of a strength: strength * attenuation^distance.
float ployi_modality_intensity(const ploy_modality *modality, float strength, float distance);

// How far off a threshold is still reached: ln(threshold / strength) / ln(attenuation), at most
// max_range; below 0 if nowhere.
float ployi_modality_reach(const ploy_modality *modality, float strength, float threshold);

// Whether a signal can be added: a modality of the table, finite position, a strength that is
// finite and not negative, a payload that fits. @return PLOY_ERR_ARGUMENT otherwise.
ploy_result ployi_modalities_check_signal(const ploy_modalities *modalities,
                                          const ploy_signal *signal);

// Whether a sensor can be added: an agent, modalities of the table, thresholds in range.
ploy_result ployi_modalities_check_sensor(const ploy_modalities *modalities,
                                          const ploy_sensor *sensor);

// Reads the note back. @return false, leaving out alone, if the message carries none.
bool ployi_percept_note_get(const ploy_message *message, ploy_percept_note *out);

// @return PLOY_ERR_ARGUMENT for NULL, an unknown kind, numbers that are not finite or beyond
//         PLOY_ZONE_REACH_M, a radius below 0, an empty box, fewer than three or too many corners,
//         an outline that crosses itself, a floor above the ceiling.
ploy_result ployi_zone_check(const ploy_zone *zone);

// The same zone elsewhere. The corners of a polygon are not moved: it stays.
ploy_zone ployi_zone_at(const ploy_zone *zone, ploy_vec3 centre);

// Writes a zone as one object: {"kind": "circle", "centre": [0, 0], "radius": 2},
// {"kind": "box", "min": [0, 0], "max": [4, 3]}, {"kind": "polygon", "points": [[0, 0], ...]},
// {"kind": "sphere", "centre": [0, 0, 1], "radius": 2}; "low" and "high" where there are any.
void ployi_zone_save_json(const ploy_zone *zone, ploy_json_writer *json);

// Reads one. Faults go to diags, each at its place.
// @param corners   room for the corners of a polygon, to which the zone then points.
// @param capacity  how many fit.
// @return PLOY_ERR_FORMAT if it is no zone, PLOY_ERR_CAPACITY for too many corners.
ploy_result ployi_zone_load_json(const ploy_json *doc, ploy_json_node node, ploy_vec2 *corners,
                                 int32_t capacity, ploy_diags *diags, ploy_zone *out);

const ploy_modalities *ployi_room_graph_modalities(const ploy_room_graph *graph);

// Adds an entry; the oldest gives way. A log of NULL does nothing.
void ployi_sense_log_add(ploy_sense_log *log, const ploy_sense_entry *entry);

// Adds what a test found. @param reason  of it; time is the test's now.
void ployi_sense_log_add_test(ploy_sense_log *log, const ploy_sense_test *test,
                              ploy_sense_reason reason, ploy_sense_method method, int32_t through);

// Uses the game's own quantizer; NULL: the zones.
void ployi_room_senses_set_locate(ploy_room_senses *senses, ploy_sense_locate_fn fn, void *user);

// The node an agent's sensor was in at the last step, -1 for none.
int32_t ployi_room_senses_node_of(const ploy_room_senses *senses, ploy_agent_id agent);

float ployi_room_senses_link(const ploy_room_senses *senses, int32_t link);

ploy_agent_id ployi_sense_memory_owner(const ploy_sense_memory *memory);

// Forgets one other at once: it was removed, or came back to life.
// @return false if it was not remembered.
bool ployi_sense_memory_purge(ploy_sense_memory *memory, ploy_agent_id other);

// True if sensed no longer than the span ago.
bool ployi_sense_memory_is_recent(const ploy_sense_memory *memory, const ploy_sense_record *record,
                                  double now);

// In view, or shootable, at the last look. False for strangers.
bool ployi_sense_memory_visible(const ploy_sense_memory *memory, ploy_agent_id other);

// In view, or shootable, at the last look. False for strangers.
bool ployi_sense_memory_shootable(const ploy_sense_memory *memory, ploy_agent_id other);

// s that it has been in view without a break; 0 if it is not.
double ployi_sense_memory_time_visible(const ploy_sense_memory *memory, ploy_agent_id other,
                                       double now);

// s since it was sensed, and since it was in view; INFINITY if it never was.
double ployi_sense_memory_time_since(const ploy_sense_memory *memory, ploy_agent_id other,
                                     double now);

// From a finished batch: processes all agents that the observer sees, and loses sight of all
// others.
// @param targets  those of the round.
void ployi_sense_memory_batch(ploy_sense_memory *memory, const ploy_sight_batch *batch,
                              int32_t observer, const ploy_sight_target *targets, double now);

// @return NULL if there is none. Valid until sensors are added or removed.
const ploy_sensor *ployi_senses_sensor(const ploy_senses *senses, ploy_agent_id agent);

bool ployi_smell_is_blocked(const ploy_smell *smell, int32_t x, int32_t y);

bool ployi_target_shootable(const ploy_target *target, const ploy_sense_memory *memory);

double ployi_target_time_visible(const ploy_target *target, const ploy_sense_memory *memory,
                                 double now);

double ployi_target_time_out_of_view(const ploy_target *target, const ploy_sense_memory *memory,
                                     double now);

// When the first that waits is due; false if none does.
bool ployi_telegrams_next_due(const ploy_telegrams *telegrams, double *due);

// True if the agent was in it at its last test.
bool ployi_triggers_is_inside(const ploy_triggers *triggers, ploy_trigger_id id,
                              ploy_agent_id agent);

// "raised", "fired", "told", "unheard".
const char *ployi_event_stage_text(ploy_event_stage stage);

// "sight", "sound", "smell", "touch", "other".
const char *ployi_sense_kind_text(ploy_sense_kind kind);

// "sensed", "too weak", "another room" and so on, for people.
const char *ployi_sense_reason_text(ploy_sense_reason reason);

// "direct", "connection", "lingering".
const char *ployi_sense_method_text(ploy_sense_method method);

// "circle", "box", "polygon", "sphere".
const char *ployi_zone_kind_text(ploy_zone_kind kind);

// "attention", "size", "fog", "light", "cover", "contrast".
const char *ployi_sight_factor_text(ploy_sight_factor factor);

// "touch", "enter", "leave", "each", "use"; "stays", "respawns", "once".
const char *ployi_trigger_when_text(ploy_trigger_when when);

// "touch", "enter", "leave", "each", "use"; "stays", "respawns", "once".
const char *ployi_trigger_after_text(ploy_trigger_after after);

int32_t ployi_events_listener_count(const ploy_events *events);

// The log by age: 0 is the newest. @return false out of range.
int32_t ployi_events_record_count(const ploy_events *events);

int32_t ployi_modalities_count(const ploy_modalities *modalities);

int32_t ployi_room_senses_sensor_count(const ploy_room_senses *senses);

// @return NULL if there is none. Valid until sensors are added or removed.
int32_t ployi_senses_sensor_count(const ploy_senses *senses);

int32_t ployi_triggers_agent_count(const ploy_triggers *triggers);

// ---- of ploy/world/polling.h, for its sources and tests

// Replaces a topic's answer function and drops its cached answers.
// @return PLOY_ERR_NOT_FOUND, PLOY_ERR_ARGUMENT.
ploy_result ployi_polls_replace(ploy_polls *polls, ploy_topic_id id, ploy_poll_fn answer,
                                void *user);

// ---- of ploy/world/sense.h, for its sources and tests

// Dulls a modality for a while: deaf after a blast, blinded by a flash.
// @param factor  on every intensity, 0 to 1. @param until  s of the game's clock.
// @return PLOY_ERR_ARGUMENT, changing nothing, if an argument is out of range.
ploy_result ployi_sensor_dull(ploy_sensor *sensor, int32_t modality, float factor, double until);

// ---- of ploy/world/smell.h, for its sources and tests

// Lists the signals of at least that strength at a cell, strongest first. @return how many, at
// most capacity.
int32_t ployi_smell_detect(const ploy_smell *smell, int32_t x, int32_t y, float least,
                           int32_t *signals, int32_t capacity);
