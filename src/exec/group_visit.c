// A group's state: what it shows of itself, and what is in its file, by the names of its members.
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

#include "exec/exec_internal.h"
#include "ploy/exec/behavior_visit.h"
#include "scheduler_internal.h"

// The id of a member; text is room for one that has no name.
static const char *group_visit_id(const ploy_group *group, int32_t index, char text[16]) {
    if (ploy_range_within(index, 1, group->capacity) && group->places[index].name != NULL) {
        return group->places[index].name;
    }
    snprintf(text, 16, "#%d", (int)index);
    return text;
}

static int32_t group_visit_find(const ploy_group *group, const char *id) {
    char text[16];
    for (int32_t i = 0; i < group->capacity; i++) {
        if (group->places[i].behavior.type == NULL) continue;
        if (strcmp(group_visit_id(group, i, text), id) == 0) return i;
    }
    return -1;
}

static bool group_visit_known(const void *user, const char *text, uint32_t *number) {
    int32_t found = group_visit_find(user, text);
    *number = (uint32_t)found;
    return found >= 0;
}

// A flag that the file has only if it is set.
static void group_visit_flag(ploy_visit *v, const char *key, bool *flag) {
    bool no = false;
    PLOY_VISIT_SCRATCH(v, *flag); // visited if it is set
    if (ploy_visit_optional(v, key, *flag)) {
        ploy_visit_bool(v, key, PLOY_SAVED, flag);
    } else {
        PLOY_VISIT_WRITE(v, *flag, no);
    }
}

// Its turns, in the scheduler's own form.
static void group_visit_service(ploy_visit *v, ploy_group *group, int32_t index) {
    const ploy_json *doc = NULL;
    ploy_json_node node;
    ploy_diags *diags = NULL;
    ploy_json_writer *json = ploy_visit_writer(v, "service");
    if (json != NULL) ployi_scheduler_save_item(group->scheduler, index, json);
    if (ploy_visit_reader(v, "service", &doc, &node, &diags) && ploy_visit_is_ok(v)) {
        (void)ploy_visit_result(
            v, ployi_scheduler_load_item(group->scheduler, index, doc, node, diags));
    }
}

static void group_visit_error(ploy_visit *v, ployi_group_place *place) {
    int64_t error = PLOY_OK;
    PLOY_VISIT_SCRATCH(v, place->result);
    if (place->result != PLOY_OK) {
        ploy_describe_text(v->describe, "error", PLOY_STATE, ploy_result_text(place->result));
    }
    if (!ploy_visit_optional(v, "error", place->result != PLOY_OK) ||
        !ploy_visit_packed(v, "error", PLOY_SAVED, place->result, -999, -1, &error) ||
        v->describe != NULL) {
        error = PLOY_OK;
    }
    ploy_result read = (ploy_result)error;
    PLOY_VISIT_WRITE(v, place->result, read);
}

// The behavior of a member that has entered. One whose load fails stops, as by an error of enter.
static void group_visit_behavior(ploy_visit *v, ploy_group *group, int32_t index) {
    ployi_group_place *place = &group->places[index];
    const ploy_json *doc = NULL;
    ploy_json_node node;
    ploy_diags *diags = NULL;
    if (v->describe != NULL) ploy_behavior_describe(place->behavior, v->describe);
    if (v->mode == PLOY_VISIT_MEMORY) {
        ploy_behavior_memory(place->behavior, v->memory, v->memory_user);
    }
    ploy_json_writer *json = place->entered ? ploy_visit_writer(v, "behavior") : NULL;
    if (json != NULL) ploy_behavior_save(place->behavior, json);
    if (!ploy_visit_loads(v)) return;
    if (place->ended || !ploy_visit_optional(v, "behavior", false)) {
        place->ran = false;
        return;
    }
    if (!ploy_visit_reader(v, "behavior", &doc, &node, &diags) || !ploy_visit_is_ok(v)) return;
    ploy_step_context own = ployi_group_context(place, v->context);
    place->entered = true;
    ploy_result result = ploy_behavior_load(place->behavior, &own, doc, node, diags);
    if (result == PLOY_OK) return;
    if (result == PLOY_ERR_MEMORY) {
        ploy_visit_result(v, result);
        return;
    }
    place->ran = place->entered = false;
    place->ended = true;
    place->result = result;
    ploy_scheduler_set_enabled(group->scheduler, index, false);
    ploy_behavior_exit(place->behavior, &own, PLOY_EXIT_ERROR);
}

// The members of one place in the open group. Described in the order of old recordings.
static void group_visit_place(ploy_visit *v, ploy_group *group, int32_t index) {
    ployi_group_place *place = &group->places[index];
    ploy_visit_struct(v, "member", place, sizeof *place);
    PLOY_VISIT_SCRATCH(v, place->behavior);
    PLOY_VISIT_SCRATCH(v, place->agent);
    PLOY_VISIT_SCRATCH(v, place->blackboard);
    PLOY_VISIT_SCRATCH(v, place->name);
    PLOY_VISIT_SCRATCH(v, place->once);
    PLOY_VISIT_SCRATCH(v, place->entered); // whether there is a behavior
    ploy_describe_text(v->describe, "behavior", PLOY_STATE, place->behavior.type->name);
    ploy_describe_bool(v->describe, "entered", PLOY_STATE, place->entered);
    ploy_describe_bool(v->describe, "ended", PLOY_STATE, place->ended);
    ploy_describe_bool(v->describe, "ran", PLOY_STATE, place->ran);
    group_visit_flag(v, "ended", &place->ended);
    group_visit_flag(v, "ran", &place->ran);
    group_visit_flag(v, "told", &place->told);
    ploy_visit_status(v, "status", PLOY_STATE, &place->status);
    ploy_visit_key(v, "since");
    ploy_visit_f64(v, "last_turn", PLOY_STATE, &place->since);
    if (place->since > group->clock) PLOY_VISIT_WRITE(v, place->since, group->clock);
    group_visit_error(v, place);
    group_visit_service(v, group, index);
    if (ploy_visit_loads(v)) {
        place->ended = place->ended && (place->once || place->result < PLOY_OK);
        if (place->ended) ploy_scheduler_set_enabled(group->scheduler, index, false);
    }
    group_visit_behavior(v, group, index);
}

static void group_visit_members(ploy_visit *v, ploy_group *group) {
    ploy_visit_table members = {NULL, group_visit_known, group, (uint32_t)group->capacity, "member",
                                NULL};
    bool busy = group->busy;
    ploy_visit_begin(v, "members", PLOY_SAVED);
    if (ploy_visit_loads(v)) group->busy = true; // adding from a hook is refused
    for (int32_t i = 0; i < group->capacity; i++) {
        char text[16], name[16];
        if (group->places[i].behavior.type == NULL) continue;
        const char *id = group_visit_id(group, i, text);
        if (!ploy_visit_is_ok(v) || !ploy_visit_optional(v, id, true)) continue;
        snprintf(name, sizeof name, "%d", (int)i);
        ploy_visit_key(v, id);
        ploy_visit_begin_agent(v, name, PLOY_STATE, group->places[i].agent);
        group_visit_place(v, group, i);
        ploy_visit_end(v);
    }
    group->busy = busy;
    ploy_visit_gone(v, &members);
    ploy_visit_end(v);
}

static void group_visit_waiting(ploy_visit *v, ploy_group *group) {
    int32_t now = ploy_scheduler_waiting_count(group->scheduler);
    int32_t count = ploy_visit_count(v, "waiting", PLOY_SAVED, now, INT32_MAX);
    for (int32_t i = 0; i < count; i++) {
        char text[16];
        const ploy_json *doc = NULL;
        ploy_json_node node;
        ploy_json_writer *json = ploy_visit_writer(v, "member");
        if (json != NULL) {
            int32_t index = ployi_scheduler_waiting(group->scheduler, i);
            ploy_json_write_text(json, group_visit_id(group, index, text));
        }
        if (!ploy_visit_reader(v, "member", &doc, &node, NULL)) continue;
        int32_t found = group_visit_find(group, ploy_json_text(doc, node, NULL));
        if (found >= 0 && ploy_visit_is_ok(v)) ployi_scheduler_wait(group->scheduler, found);
    }
    ploy_visit_end(v);
}

void ployi_group_visit(ploy_visit *v, void *object) {
    ploy_group *group = object;
    const ploy_json *doc = NULL;
    ploy_json_node node;
    if (ploy_visit_loads(v)) (void)ployi_group_enter(group, v->context);
    if (ploy_visit_tolerates(v)) {
        group->clock = 0.0;
        group->turns = 0;
    }
    ploy_visit_object(v, "group", group, sizeof *group);
    ploy_visit_block(v, "group.places", group->places,
                     (size_t)group->capacity * sizeof *group->places);
    PLOY_VISIT_SCRATCH(v, group->env);
    PLOY_VISIT_SCRATCH(v, group->scheduler);
    PLOY_VISIT_SCRATCH(v, group->places);
    PLOY_VISIT_SCRATCH(v, group->capacity);
    PLOY_VISIT_SCRATCH(v, group->count);
    PLOY_VISIT_SCRATCH(v, group->free_from);
    PLOY_VISIT_SCRATCH(v, group->busy);
    ploy_visit_f64(v, "clock", PLOY_STATE, &group->clock);
    ploy_visit_u64(v, "turns", PLOY_SAVED, &group->turns);
    ploy_json_writer *json = ploy_visit_writer(v, "scheduler");
    if (json != NULL) ployi_scheduler_save_all(group->scheduler, json);
    if (v->describe != NULL) {
        ploy_describe_begin(v->describe, "scheduler");
        ploy_scheduler_describe(group->scheduler, v->describe);
        ploy_describe_end(v->describe);
    }
    if (v->mode == PLOY_VISIT_MEMORY) {
        ploy_scheduler_memory(group->scheduler, v->memory, v->memory_user);
    }
    if (ploy_visit_loads(v)) {
        if (!ploy_visit_reader(v, "scheduler", &doc, &node, NULL)) node = ploy_json_none();
        ployi_scheduler_load_all(group->scheduler, doc, node);
        uint64_t tick = ploy_scheduler_tick(group->scheduler);
        if (group->turns < tick || group->turns - tick > 1) group->turns = tick;
    }
    group_visit_members(v, group);
    group_visit_waiting(v, group);
}

void ploy_group_memory(const ploy_group *group, ploy_memory_fn fn, void *user) {
    ploy_visit_memory(ployi_group_visit, group, fn, user);
}
