// Settings of triggers, and events as messages.
#include <math.h>

#include "ploy/world/trigger.h"
#include "tests/test.h"
#include "world/world_internal.h"

TEST(the_tables_are_sound) {
    ploy_env env = ploy_env_default();
    CHECK_OK(ploy_fields_check_table(ploy_trigger_fields(), NULL));
    CHECK_OK(ploy_fields_check_table(ploy_trigger_agent_fields(), NULL));
    CHECK_OK(ploy_fields_check_table(ploy_triggers_fields(), NULL));
    ploy_trigger_def def = ploy_trigger_def_default();
    CHECK_OK(ploy_fields_check(ploy_trigger_fields(), &def, &env));
    CHECK_UINT(def.mask, PLOY_TRIGGER_ALL);
    CHECK_OK(ployi_zone_check(&def.zone));
}

// RAV-18: a sound lives ceil(tick rate / test frequency) ticks: 60 / 8 gives 8.
TEST(a_sound_lives_until_everybody_has_tested) {
    CHECK_INT(ploy_trigger_sound_ticks(60, 8), 8);
    CHECK_INT(ploy_trigger_sound_ticks(60, 4), 15);
    CHECK_INT(ploy_trigger_sound_ticks(60, 120), 1);
    CHECK_INT(ploy_trigger_sound_ticks(60, 0), 1);
    CHECK_INT(ploy_trigger_sound_ticks(NAN, 8), 1);
}

TEST(makers_fill_what_they_promise) {
    ploy_zone zone = ploy_zone_circle(ploy_vec2_zero(), 2);
    ploy_name health = ploy_name_of("health");
    ploy_trigger_def giver = ploy_trigger_def_giver(zone, health, 50, 600);
    CHECK_INT(giver.after, PLOY_TRIGGER_RESPAWNS);
    CHECK_INT(giver.respawn_ticks, 600);
    CHECK(ploy_name_equal(giver.item, health));
    giver = ploy_trigger_def_giver(zone, health, 50, 0);
    CHECK_INT(giver.after, PLOY_TRIGGER_ONCE);
    ploy_agent_id shooter = ploy_agent_id_make(3, 1);
    ploy_trigger_def sound =
        ploy_trigger_def_sound(ploy_vec3_make(1, 2, 3), 20, ploy_name_of("gunshot"), shooter, 8);
    CHECK_INT(sound.when, PLOY_TRIGGER_EACH);
    CHECK(sound.skip_source);
    CHECK_INT(sound.life_ticks, 8);
    CHECK_INT(sound.zone.kind, PLOY_ZONE_SPHERE);
    ploy_trigger_def plate = ploy_trigger_def_plate(zone, ploy_name_of("plate"));
    CHECK_INT(plate.when, PLOY_TRIGGER_ENTER);
}

TEST(an_event_becomes_a_message_to_its_agent) {
    ploy_trigger_event event;
    memset(&event, 0, sizeof event);
    event.what = PLOY_TRIGGER_FIRED;
    event.trigger.id = ploy_id_make(4, 2);
    event.agent = ploy_agent_id_make(7, 1);
    event.source = ploy_agent_id_make(3, 1);
    event.kind = ploy_name_of("gunshot");
    event.amount = 20;
    event.node = -1;
    event.now = 1.5;
    ploy_message message = ploy_trigger_event_message(&event);
    CHECK(ploy_id_equal(message.receiver.id, event.agent.id));
    CHECK(ploy_id_equal(message.sender.id, event.source.id));
    CHECK_UINT(message.kind.hash, event.kind.hash);
    CHECK_SAME(message.due, 1.5);
    ploy_trigger_note note;
    CHECK_UINT(message.size, sizeof note);
    memcpy(&note, message.payload, sizeof note);
    CHECK_UINT(note.trigger, ploy_id_to_u64(event.trigger.id));
    CHECK_SAME(note.amount, 20.0);
    event.kind = ploy_name_of("");
    message = ploy_trigger_event_message(&event);
    CHECK_UINT(message.kind.hash, ploy_name_of("fired").hash);
}

TEST(texts_have_an_answer_for_everything) {
    CHECK_TEXT(ployi_trigger_when_text(PLOY_TRIGGER_USE), "use");
    CHECK_TEXT(ployi_trigger_when_text(PLOY_TRIGGER_WHEN_COUNT), "?");
    CHECK_TEXT(ployi_trigger_after_text(PLOY_TRIGGER_ONCE), "once");
    CHECK_TEXT(ployi_trigger_after_text(PLOY_TRIGGER_AFTER_COUNT), "?");
    CHECK_TEXT(ploy_trigger_event_kind_text(PLOY_TRIGGER_ENDED), "ended");
}
