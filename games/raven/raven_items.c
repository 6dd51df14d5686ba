// Items, sounds and buttons, as triggers (ploy/world/trigger.h).
//
// An item taken in tick k can be taken again in tick k + N: N is 600 for health and 900 for weapons
// at 60 ticks a second. A shot is heard once by each bot within reach, except by its shooter; it
// lasts as long as the slowest bot takes to test its triggers.
#include "games/raven/raven.h"

#include "ploy/base/math.h"

// What a trigger's user word says: a kind and an index.
enum { ITEMS_USER_ITEM = 1, ITEMS_USER_BUTTON = 2, ITEMS_USER_SOUND = 3 };

static uint64_t items_user(uint64_t kind, int32_t index) {
    return kind << 32 | (uint64_t)(uint32_t)index;
}

static int32_t items_respawn(const raven_match *match, int32_t kind) {
    float seconds =
        kind == RAVEN_ITEM_HEALTH ? match->def.health_respawn : match->def.weapon_respawn;
    return (int32_t)raven_ticks(match, seconds);
}

static ploy_result items_add(raven_match *match, int32_t index) {
    raven_item *item = &match->map->items[index];
    item->respawn = items_respawn(match, item->kind);
    ploy_trigger_def def = ploy_trigger_def_giver(
        ploy_zone_circle(item->position, match->def.giver_range),
        ploy_name_of(raven_item_name(item->kind)), item->amount, item->respawn);
    def.tells |= PLOY_TRIGGER_TELLS_BACK;
    def.node = item->node;
    def.user = items_user(ITEMS_USER_ITEM, index);
    return ploy_triggers_add(match->triggers, &def, &item->trigger);
}

static float items_button_radius(const raven_match *match) {
    return ploy_maxf(match->def.button_reach - match->def.radius, 0.05f);
}

ploy_result raven_items_create(raven_match *match) {
    raven_map *map = match->map;
    ploy_triggers_clear(match->triggers);
    for (int32_t i = 0; i < map->item_count; i++) {
        map->items[i].active = true;
        ploy_result result = items_add(match, i);
        if (result != PLOY_OK) return result;
    }
    for (int32_t i = 0; i < 2 * map->door_count; i++) {
        ploy_trigger_def def = ploy_trigger_def_default();
        def.zone = ploy_zone_circle(map->doors[i / 2].buttons[i % 2], items_button_radius(match));
        def.kind = ploy_name_of(RAVEN_MSG_OPEN);
        def.user = items_user(ITEMS_USER_BUTTON, i / 2);
        ploy_result result = ploy_triggers_add(match->triggers, &def, NULL);
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

void raven_items_resize(raven_match *match) {
    uint32_t cursor = 0;
    ploy_trigger_id id;
    ploy_trigger_state state;
    while (ploy_triggers_next(match->triggers, &cursor, &id)) {
        if (!ploy_triggers_get(match->triggers, id, &state)) continue;
        uint64_t kind = state.def.user >> 32;
        if (kind == ITEMS_USER_SOUND) continue;
        bool item = kind == ITEMS_USER_ITEM;
        ploy_zone zone = state.def.zone;
        zone.radius = item ? match->def.giver_range : items_button_radius(match);
        (void)ploy_triggers_set_zone(match->triggers, id, &zone); // a circle needs no memory
    }
}

// A changed time of respawning holds from the next time on that an item is taken. A trigger rests as
// long as it was made to, so one that was taken with another time waits here until it is due.
static ploy_result items_renew(raven_match *match) {
    for (int32_t i = 0; i < match->map->item_count; i++) {
        raven_item *item = &match->map->items[i];
        bool stale = item->respawn != items_respawn(match, item->kind);
        bool back = item->respawn == RAVEN_NOBODY && item->due <= match->tick;
        if (item->active ? !stale : !back) continue;
        (void)ploy_triggers_remove(match->triggers, item->trigger);
        ploy_result result = items_add(match, i);
        if (result != PLOY_OK) return result;
        item->active = true;
    }
    return PLOY_OK;
}

void raven_make_sound(raven_match *match, const raven_bot *source, float reach) {
    if (!(reach > 0.0f)) return;
    float tests = match->def.trigger_rate > 0.0f ? match->def.trigger_rate : 60.0f;
    ploy_trigger_def def = ploy_trigger_def_sound(
        ploy_vec3_from_vec2(source->body.position, 0.0f), reach, ploy_name_of(RAVEN_MSG_GUNSHOT),
        raven_id(source->index), ploy_trigger_sound_ticks(1.0f / match->dt, tests));
    def.user = items_user(ITEMS_USER_SOUND, source->index);
    (void)ploy_triggers_add(match->triggers, &def, NULL); // unheard if there is no memory
}

static void items_take(raven_match *match, raven_bot *bot, int32_t index) {
    raven_item *item = &match->map->items[index];
    int32_t weapon = raven_item_weapon(item->kind);
    if (weapon == RAVEN_NOBODY) {
        raven_give_health(bot, item->amount);
    } else {
        raven_give_weapon(bot, (raven_weapon)weapon);
    }
    bot->items++;
    int32_t respawn = items_respawn(match, item->kind);
    if (item->respawn != respawn) {
        (void)ploy_triggers_set_active(match->triggers, item->trigger, false);
        item->respawn = RAVEN_NOBODY;
    }
    item->active = false;
    item->due = match->tick + (uint64_t)respawn;
    raven_note_event(match, RAVEN_EVENT_PICKUP, bot->index, index);
}

static void items_event(void *user, const ploy_trigger_event *event) {
    raven_match *match = user;
    int32_t kind = (int32_t)(event->user >> 32), index = (int32_t)(event->user & 0xffffffffu);
    if (event->what == PLOY_TRIGGER_BACK && kind == ITEMS_USER_ITEM) {
        match->map->items[index].active = true;
        return;
    }
    raven_bot *bot = raven_bot_of(match, event->agent);
    if (event->what != PLOY_TRIGGER_FIRED || bot == NULL || !raven_alive(bot)) return;
    if (kind == ITEMS_USER_ITEM) {
        items_take(match, bot, index);
    } else if (kind == ITEMS_USER_BUTTON) {
        raven_press(match, index, bot);
    } else if (match->bots[index].present) {
        raven_hit_note note = {index, 0.0f};
        raven_heard(bot, index);
        raven_send(match, index, bot->index, RAVEN_MSG_GUNSHOT, &note, sizeof note);
    }
}

static bool items_pose(void *user, ploy_agent_id agent, ploy_pose *out) {
    const raven_match *match = user;
    const raven_bot *bot = raven_bot_get(match, agent);
    if (bot == NULL || !raven_alive(bot)) return false;
    *out = ploy_pose_make2(bot->body.position, bot->body.orientation, match->def.radius);
    return true;
}

ploy_result raven_step_triggers(raven_match *match) {
    ploy_pose_source poses = {items_pose, match};
    ploy_result result = items_renew(match);
    return result != PLOY_OK
               ? result
               : ploy_triggers_step(match->triggers, match->now, &poses, items_event, match);
}

bool raven_item_active(const raven_match *match, int32_t item) {
    return match->map->items[item].active;
}

float raven_item_wait(const raven_match *match, int32_t item) {
    const raven_item *it = &match->map->items[item];
    if (it->active || it->due <= match->tick) return 0.0f;
    return (float)(it->due - match->tick) * match->dt;
}
