// Settings of triggers and the events they make; the system is in trigger_system.c.
#include "ploy/world/trigger.h"

#include "world/world_internal.h"

#include <math.h>

#include "ploy/base/math.h"

static const char *const trigger_whens[] = {"touch", "enter", "leave", "each", "use"};
static const char *const trigger_afters[] = {"stays", "respawns", "once"};
static const char *const trigger_events[] = {"fired", "entered", "stayed", "left", "back", "ended"};

static const ploy_field trigger_fields[] = {
    PLOY_FIELD_ENUM(ploy_trigger_def, when, PLOY_TRIGGER_TOUCH, trigger_whens, "when it fires"),
    PLOY_FIELD_ENUM(ploy_trigger_def, after, PLOY_TRIGGER_STAYS, trigger_afters,
                    "what becomes of it when it has fired"),
    PLOY_FIELD_I32(ploy_trigger_def, respawn_ticks, 0, 0, 1 << 30, "", "ticks until it is back"),
    PLOY_FIELD_F32(ploy_trigger_def, respawn_s, 0, 0, 1e9f, "s",
                   "seconds until it is back; 0 counts ticks"),
    PLOY_FIELD_I32(ploy_trigger_def, life_ticks, 0, 0, 1 << 30, "",
                   "ticks in which it is tried; 0 has no end"),
    PLOY_FIELD_F32(ploy_trigger_def, life_s, 0, 0, 1e9f, "s",
                   "seconds in which it is tried; 0 counts ticks"),
    PLOY_FIELD_I32(ploy_trigger_def, visits, 1, 1, 1 << 30, "",
                   "fires from the occasion of this number on"),
    PLOY_FIELD_BOOL(ploy_trigger_def, visits_each, false,
                    "occasions are counted for each agent apart"),
    PLOY_FIELD_BOOL(ploy_trigger_def, visits_again, false, "the count restarts after firing"),
    PLOY_FIELD_BOOL(ploy_trigger_def, active, true, "active at first"),
    PLOY_FIELD_BOOL(ploy_trigger_def, skip_source, false, "its source does not trigger it"),
    PLOY_FIELD_I32(ploy_trigger_def, tells, 0, 0, 31, "",
                   "bits of the events beside firing: enter 1, stay 2, leave 4, back 8, end 16"),
    PLOY_FIELD_I32(ploy_trigger_def, node, -1, -1, INT32_MAX, "",
                   "of the navigation graph where it is"),
    PLOY_FIELD_F32(ploy_trigger_def, amount, 0, -1e9f, 1e9f, "", "how much is given"),
};

static const ploy_field trigger_agent_fields[] = {
    PLOY_FIELD_F32(ploy_trigger_agent_def, tests_per_second, 0, 0, 1e4f, "1/s",
                   "tests a second; 0 tests in every step"),
    PLOY_FIELD_F32(ploy_trigger_agent_def, first_test_s, 0, 0, 1e6f, "s",
                   "from the first step to the first test"),
};

const char *ployi_trigger_when_text(ploy_trigger_when when) {
    return (uint32_t)when < (uint32_t)PLOY_TRIGGER_WHEN_COUNT ? trigger_whens[when] : "?";
}

const char *ployi_trigger_after_text(ploy_trigger_after after) {
    return (uint32_t)after < (uint32_t)PLOY_TRIGGER_AFTER_COUNT ? trigger_afters[after] : "?";
}

const char *ploy_trigger_event_kind_text(ploy_trigger_event_kind kind) {
    return (uint32_t)kind <= (uint32_t)PLOY_TRIGGER_ENDED ? trigger_events[kind] : "?";
}

ploy_fields ploy_trigger_fields(void) {
    return PLOY_FIELDS(ploy_trigger_def, trigger_fields);
}

ploy_fields ploy_trigger_agent_fields(void) {
    return PLOY_FIELDS(ploy_trigger_agent_def, trigger_agent_fields);
}

ploy_trigger_def ploy_trigger_def_default(void) {
    ploy_trigger_def def;
    ploy_fields_default(ploy_trigger_fields(), &def);
    def.mask = PLOY_TRIGGER_ALL;
    def.zone = ploy_zone_circle(ploy_vec2_zero(), 1.0f);
    return def;
}

ploy_trigger_agent_def ploy_trigger_agent_def_default(void) {
    ploy_trigger_agent_def def;
    ploy_fields_default(ploy_trigger_agent_fields(), &def);
    def.mask = PLOY_TRIGGER_ALL;
    return def;
}

ploy_trigger_def ploy_trigger_def_plate(ploy_zone zone, ploy_name kind) {
    ploy_trigger_def def = ploy_trigger_def_default();
    def.when = PLOY_TRIGGER_ENTER;
    def.tells = PLOY_TRIGGER_TELLS_LEAVE;
    def.kind = kind;
    def.zone = zone;
    return def;
}

ploy_trigger_def ploy_trigger_def_giver(ploy_zone zone, ploy_name item, float amount,
                                        int32_t respawn_ticks) {
    ploy_trigger_def def = ploy_trigger_def_default();
    def.after = respawn_ticks > 0 ? PLOY_TRIGGER_RESPAWNS : PLOY_TRIGGER_ONCE;
    def.respawn_ticks = respawn_ticks > 0 ? respawn_ticks : 0;
    def.amount = amount;
    def.kind = item;
    def.item = item;
    def.zone = zone;
    return def;
}

ploy_trigger_def ploy_trigger_def_sound(ploy_vec3 at, float reach, ploy_name kind,
                                        ploy_agent_id source, int32_t ticks) {
    ploy_trigger_def def = ploy_trigger_def_default();
    def.when = PLOY_TRIGGER_EACH;
    def.life_ticks = ticks > 1 ? ticks : 1;
    def.skip_source = true;
    def.amount = reach;
    def.kind = kind;
    def.source = source;
    def.zone = ploy_zone_sphere(at, reach);
    return def;
}

int32_t ploy_trigger_sound_ticks(float ticks_per_second, float tests_per_second) {
    if (!(ticks_per_second > 0.0f) || !(tests_per_second > 0.0f)) return 1;
    double ticks = ceil((double)ticks_per_second / (double)tests_per_second);
    return ticks < 1e9 ? (int32_t)ticks : 1000000000;
}

ploy_message ploy_trigger_event_message(const ploy_trigger_event *event) {
    ploy_name kind = event->kind;
    if (ploy_name_is_none(kind)) kind = ploy_name_of(ploy_trigger_event_kind_text(event->what));
    ploy_message message = ploy_message_make(event->source, event->agent, kind);
    message.due = event->now;
    ploy_trigger_note note = {ploy_id_to_u64(event->trigger.id), ploy_id_to_u64(event->source.id),
                              event->item.hash, event->amount, event->node};
    // It fits: the note is as large as the payload at most.
    (void)ploy_message_set_payload(&message, &note, sizeof note);
    return message;
}

_Static_assert(sizeof(ploy_trigger_note) <= PLOY_MESSAGE_PAYLOAD, "a note fits into a message");
