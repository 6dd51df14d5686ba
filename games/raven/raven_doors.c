// Sliding doors with a button on each side.
//
// A door opens when a bot is at one of its buttons, stays open for a while and closes again, but
// never on a bot: while a body is in the gap it waits. Its panel is an obstacle that becomes
// shorter; its sill, where paths cross, never changes, so that the graph and the mesh stay valid.
//
// Technique: Buckland, "Programming Game AI by Example", 2005, chapter 9.
#include "games/raven/raven.h"

#include "ploy/base/math.h"
#include "ploy/geom/segment.h"

static float doors_length(const raven_door *door) {
    return ploy_vec2_distance(door->from, door->to);
}

static bool doors_occupied(const raven_match *match, const raven_door *door) {
    ploy_segment2 gap = {door->from, door->to};
    float near = match->def.radius + 0.1f;
    for (int32_t i = 0; i < match->bot_count; i++) {
        const raven_bot *bot = &match->bots[i];
        if (!raven_alive(bot)) continue;
        if (ploy_segment2_distance(gap, bot->body.position) < near) return true;
    }
    return false;
}

static void doors_place(raven_match *match, raven_door *door) {
    float length = doors_length(door), closed = length - door->open;
    ploy_obstacle panel = {{door->from, door->to}, 0.0f, RAVEN_LAYER_PANEL};
    if (closed <= 1e-3f) {
        panel.layers = 0; // in the wall
    } else {
        panel.segment.to = ploy_vec2_lerp(door->from, door->to, closed / length);
    }
    (void)ploy_plain_scene_set(match->map->solid, door->panel, &panel);
}

void raven_step_doors(raven_match *match) {
    for (int32_t i = 0; i < match->map->door_count; i++) {
        raven_door *door = &match->map->doors[i];
        float length = doors_length(door), before = door->open;
        float slide = match->def.door_speed * match->dt;
        if (!match->def.doors) {
            door->open = length;
        } else if (door->opening) {
            door->open = ploy_minf(door->open + slide, length);
            if (match->tick >= door->open_until && !doors_occupied(match, door)) {
                door->opening = false;
            }
        } else if (door->open > 0.0f) {
            if (doors_occupied(match, door)) {
                door->opening = true;
                door->open_until = match->tick;
            } else {
                door->open = ploy_maxf(door->open - slide, 0.0f);
            }
        }
        if (door->open != before) doors_place(match, door);
    }
}

void raven_press(raven_match *match, int32_t index, const raven_bot *bot) {
    raven_door *door = &match->map->doors[index];
    float slide = doors_length(door) / match->def.door_speed;
    bool was = door->opening;
    door->opening = true;
    door->open_until = match->tick + raven_ticks(match, match->def.door_open + slide);
    if (was) return;
    raven_door_note note = {index, bot->index};
    raven_note_event(match, RAVEN_EVENT_DOOR, bot->index, index);
    raven_send(match, bot->index, RAVEN_NOBODY, RAVEN_MSG_OPEN, &note, sizeof note);
}

ploy_vec2 raven_button(const raven_match *match, int32_t index, ploy_vec2 from) {
    const raven_door *door = &match->map->doors[index];
    ploy_vec2 along = ploy_vec2_sub(door->to, door->from);
    float side = ploy_vec2_cross(along, ploy_vec2_sub(from, door->from));
    float first = ploy_vec2_cross(along, ploy_vec2_sub(door->buttons[0], door->from));
    return door->buttons[side * first >= 0.0f ? 0 : 1];
}

bool raven_door_open(const raven_match *match, int32_t index, ploy_vec2 from) {
    const raven_door *door = &match->map->doors[index];
    const float pass = 1.0f, slack = 0.5f; // s to pass the gap, and before it that a bot may wait
    if (!match->def.doors) return true;
    if (!door->opening) return false;
    // A door that still slides counts as well: a bot that plans again on its path from the button to
    // the door must not turn back to the button.
    float walk =
        ploy_vec2_distance(from, ploy_vec2_lerp(door->from, door->to, 0.5f)) / match->def.max_speed;
    float left = (doors_length(door) - door->open) / match->def.door_speed;
    return left <= walk + slack &&
           door->open_until > match->tick + raven_ticks(match, ploy_maxf(walk, left) + pass);
}
