// A group in a file, by the names of its members.
//
//     { "clock": 3.5, "turns": 14, "scheduler": { "tick": 13 },
//       "members": { "steer": { "status": "running", "since": 3.25, "ran": true,
//                               "service": { ... }, "behavior": { ... } } },
//       "waiting": ["plan"] }
//
// A member without a behavior there has not entered. One that the group does not have any more is
// reported; one that the file does not have begins.
#include <stdio.h>
#include <string.h>

#include "group_internal.h"
#include "ploy/base/math.h"
#include "scheduler_internal.h"

// The id of a member; text is room for one that has no name.
static const char *group_save_id(const ploy_group *group, int32_t index, char text[16]) {
    if (group->places[index].name != NULL) return group->places[index].name;
    snprintf(text, 16, "#%d", (int)index);
    return text;
}

static void group_save_bool(ploy_json_writer *out, const char *key, bool value) {
    if (!value) return;
    ploy_json_write_key(out, key);
    ploy_json_write_bool(out, true);
}

static void group_save_member(const ploy_group *group, int32_t index, ploy_json_writer *out) {
    const ployi_group_place *place = &group->places[index];
    ploy_json_write_begin_object(out);
    ploy_json_write_key(out, "status");
    ploy_json_write_text(out, ploy_status_text(place->status));
    ploy_json_write_key(out, "since");
    ploy_json_write_f64(out, place->since);
    if (place->result != PLOY_OK) {
        ploy_json_write_key(out, "error");
        ploy_json_write_i64(out, place->result);
    }
    group_save_bool(out, "ended", place->ended);
    group_save_bool(out, "ran", place->ran);
    group_save_bool(out, "told", place->told);
    ploy_json_write_key(out, "service");
    ployi_scheduler_save_item(group->scheduler, index, out);
    if (place->entered) {
        ploy_json_write_key(out, "behavior");
        ploy_behavior_save(place->behavior, out);
    }
    ploy_json_write_end_object(out);
}

void ployi_group_save(const void *self, ploy_json_writer *out) {
    const ploy_group *group = self;
    char text[16];
    ploy_json_write_begin_object(out);
    ploy_json_write_key(out, "clock");
    ploy_json_write_f64(out, group->clock);
    ploy_json_write_key(out, "turns");
    ploy_json_write_u64(out, group->turns);
    ploy_json_write_key(out, "scheduler");
    ployi_scheduler_save_all(group->scheduler, out);
    ploy_json_write_key(out, "members");
    ploy_json_write_begin_object(out);
    for (int32_t i = 0; i < group->capacity; i++) {
        if (group->places[i].behavior.type == NULL) continue;
        ploy_json_write_key(out, group_save_id(group, i, text));
        group_save_member(group, i, out);
    }
    ploy_json_write_end_object(out);
    ploy_json_write_key(out, "waiting");
    ploy_json_write_begin_row(out);
    for (int32_t i = 0; i < ploy_scheduler_waiting_count(group->scheduler); i++) {
        ploy_json_write_text(
            out, group_save_id(group, ploy_scheduler_waiting(group->scheduler, i), text));
    }
    ploy_json_write_end_array(out);
    ploy_json_write_end_object(out);
}

static int32_t group_load_find(const ploy_group *group, const char *id) {
    char text[16];
    for (int32_t i = 0; i < group->capacity; i++) {
        if (group->places[i].behavior.type == NULL) continue;
        if (strcmp(group_save_id(group, i, text), id) == 0) return i;
    }
    return -1;
}

static bool group_load_bool(const ploy_json *doc, ploy_json_node object, const char *key) {
    bool value = false;
    (void)ploy_json_bool(doc, ploy_json_member(doc, object, key), &value);
    return value;
}

static double group_load_time(const ploy_json *doc, ploy_json_node object, const char *key) {
    double value = 0.0;
    (void)ploy_json_f64(doc, ploy_json_member(doc, object, key), &value);
    return ploy_is_finite_d(value) ? value : 0.0;
}

static ploy_status group_load_status(const ploy_json *doc, ploy_json_node object) {
    const char *text = ploy_json_text(doc, ploy_json_member(doc, object, "status"), NULL);
    for (int32_t i = PLOY_STATUS_SUCCESS; i <= PLOY_STATUS_SKIPPED; i++) {
        if (strcmp(text, ploy_status_text((ploy_status)i)) == 0) return (ploy_status)i;
    }
    return PLOY_STATUS_RUNNING;
}

static ploy_result group_load_member(ploy_group *group, int32_t index,
                                     const ploy_step_context *context, const ploy_json *doc,
                                     ploy_json_node saved, ploy_diags *diags) {
    ployi_group_place *place = &group->places[index];
    int64_t error = PLOY_OK;
    (void)ploy_json_i64(doc, ploy_json_member(doc, saved, "error"), &error);
    place->status = group_load_status(doc, saved);
    place->since = group_load_time(doc, saved, "since");
    if (!(place->since <= group->clock)) place->since = group->clock;
    place->told = group_load_bool(doc, saved, "told");
    place->result = error < PLOY_OK && error > -1000 ? (ploy_result)error : PLOY_OK;
    place->ended = group_load_bool(doc, saved, "ended") && (place->once || place->result < PLOY_OK);
    ploy_result result = ployi_scheduler_load_item(group->scheduler, index, doc,
                                                   ploy_json_member(doc, saved, "service"), diags);
    if (result != PLOY_OK) return result;
    if (place->ended) ploy_scheduler_set_enabled(group->scheduler, index, false);
    ploy_json_node behavior = ploy_json_member(doc, saved, "behavior");
    if (place->ended || ploy_json_is_none(behavior)) return PLOY_OK;
    place->entered = true;
    place->ran = group_load_bool(doc, saved, "ran");
    ploy_step_context own = ployi_group_context(place, context);
    result = ploy_behavior_load(place->behavior, &own, doc, behavior, diags);
    if (result == PLOY_OK || result == PLOY_ERR_MEMORY) return result;
    place->ran = place->entered = false; // stopped, as by an error of enter
    place->ended = true;
    place->result = result;
    ploy_scheduler_set_enabled(group->scheduler, index, false);
    ploy_behavior_exit(place->behavior, &own, PLOY_EXIT_ERROR);
    return PLOY_OK;
}

ploy_result ployi_group_load(void *self, ploy_step_context *context, const ploy_json *doc,
                             ploy_json_node state, ploy_diags *diags) {
    ploy_group *group = self;
    (void)ployi_group_enter(group, context);
    group->clock = group_load_time(doc, state, "clock");
    uint64_t turns = 0;
    (void)ploy_json_u64(doc, ploy_json_member(doc, state, "turns"), &turns);
    ployi_scheduler_load_all(group->scheduler, doc, ploy_json_member(doc, state, "scheduler"));
    uint64_t tick = ploy_scheduler_tick(group->scheduler);
    group->turns = turns >= tick && turns - tick <= 1 ? turns : tick;
    ploy_json_node members = ploy_json_member(doc, state, "members");
    ploy_result result = PLOY_OK;
    group->busy = true; // adding from a hook is refused
    for (int32_t i = 0; i < ploy_json_count(doc, members) && result == PLOY_OK; i++) {
        ploy_json_node saved = ploy_json_at(doc, members, i);
        const char *id = ploy_json_key(doc, saved, NULL);
        int32_t found = group_load_find(group, id);
        if (found >= 0 && !group->places[found].entered) {
            result = group_load_member(group, found, context, doc, saved, diags);
        } else {
            ploy_behavior_lost(doc, saved, diags, "member", id, "is gone");
        }
    }
    group->busy = false;
    ploy_json_node waiting = ploy_json_member(doc, state, "waiting");
    for (int32_t i = 0; i < ploy_json_count(doc, waiting); i++) {
        int32_t found =
            group_load_find(group, ploy_json_text(doc, ploy_json_at(doc, waiting, i), NULL));
        if (found >= 0) ployi_scheduler_wait(group->scheduler, found);
    }
    return result;
}
