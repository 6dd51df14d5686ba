// What one sees of a match: the level, items, doors, shots, bots, and what the selected bot knows.
#include <stdio.h>

#include "games/raven/raven.h"
#include "ploy/base/math.h"
#include "ploy/geom/angle.h"

static const ploy_style sight_sides[RAVEN_SIDES_MAX] = {PLOY_STYLE_AGENT_B, PLOY_STYLE_AGENT_A,
                                                        PLOY_STYLE_AGENT_C, PLOY_STYLE_AGENT_D};
static const ploy_style sight_singles[] = {PLOY_STYLE_AGENT_A, PLOY_STYLE_AGENT_B,
                                           PLOY_STYLE_AGENT_C, PLOY_STYLE_AGENT_D};
static const ploy_style sight_items[RAVEN_ITEM_KINDS] = {PLOY_STYLE_GOOD, PLOY_STYLE_AGENT_B,
                                                         PLOY_STYLE_AGENT_C, PLOY_STYLE_BAD};

static ploy_style sight_style(const raven_bot *bot) {
    return bot->match->def.sides > 1 ? sight_sides[bot->side] : sight_singles[bot->index % 4];
}

// ---- the level

static void sight_level(const raven_match *match, ploy_draw *out) {
    const raven_map *map = match->map;
    ploy_agent_id none = ploy_agent_id_none();
    for (int32_t i = 0; i < map->wall_count; i++) {
        ploy_draw_line(out, PLOY_LAYER_WORLD, PLOY_STYLE_WALL, none, map->walls[i].from,
                       map->walls[i].to);
    }
    for (int32_t i = 0; i < map->door_count; i++) {
        const raven_door *door = &map->doors[i];
        float length = ploy_vec2_distance(door->from, door->to);
        ploy_vec2 end = ploy_vec2_lerp(door->from, door->to, 1.0f - door->open / length);
        ploy_draw_line(out, PLOY_LAYER_WORLD, PLOY_STYLE_WARNING, none, door->from, end);
        for (int32_t k = 0; k < 2; k++) {
            ploy_draw_disc(out, PLOY_LAYER_WORLD, PLOY_STYLE_WARNING, none, door->buttons[k], 0.25f,
                           0.8f);
        }
    }
    for (int32_t i = 0; i < map->spawn_count; i++) {
        ploy_draw_circle(out, PLOY_LAYER_WORLD, PLOY_STYLE_GHOST, none, map->spawns[i], 0.15f);
    }
    for (int32_t i = 0; i < map->item_count; i++) {
        const raven_item *item = &map->items[i];
        if (!item->active) continue;
        ploy_draw_disc(out, PLOY_LAYER_WORLD, sight_items[item->kind], none, item->position,
                       match->def.giver_range, 0.6f);
        if (!ploy_draw_wants(out, PLOY_LAYER_LABELS)) continue;
        ploy_draw_text(out, none, ploy_vec2_make(item->position.x + 0.6f, item->position.y - 0.3f),
                       raven_item_name(item->kind));
    }
    for (int32_t i = 0; i < match->grave_count; i++) {
        ploy_vec2 at = match->graves[i].position;
        ploy_draw_line(out, PLOY_LAYER_WORLD, PLOY_STYLE_GHOST, none,
                       ploy_vec2_make(at.x, at.y - 0.4f), ploy_vec2_make(at.x, at.y + 0.4f));
        ploy_draw_line(out, PLOY_LAYER_WORLD, PLOY_STYLE_GHOST, none,
                       ploy_vec2_make(at.x - 0.25f, at.y + 0.15f),
                       ploy_vec2_make(at.x + 0.25f, at.y + 0.15f));
    }
}

static void sight_floor(const raven_match *match, ploy_draw *out) {
    // An overlay of the selected bot, as everything that it plans with.
    if (match->selected == RAVEN_NOBODY || !ploy_draw_wants(out, PLOY_LAYER_REGIONS)) return;
    switch (match->def.navigation) {
    case RAVEN_NAVIGATION_MESH: ploy_navmesh_draw(match->map->mesh, out); break;
    case RAVEN_NAVIGATION_COARSE: ploy_graph_draw(match->map->coarse, out); break;
    case RAVEN_NAVIGATION_FINE:
    case RAVEN_NAVIGATION_ROOMS: ploy_graph_draw(match->map->fine, out); break;
    }
}

// ---- the flood of an edited map

enum { SIGHT_FLOOD_TICKS = 150, SIGHT_FLOOD_STAYS = 300, SIGHT_FLOOD_RIM = 30 };

int32_t raven_flood_shown(const raven_match *match) {
    if (match->flooded == 0 || match->tick < match->flooded) return 0;
    uint64_t age = match->tick - match->flooded;
    if (age > SIGHT_FLOOD_TICKS + SIGHT_FLOOD_STAYS) return 0;
    uint64_t part = age < SIGHT_FLOOD_TICKS ? age : SIGHT_FLOOD_TICKS;
    return (int32_t)((uint64_t)match->map->node_count * part / SIGHT_FLOOD_TICKS);
}

static void sight_flood(const raven_match *match, ploy_draw *out) {
    int32_t shown = raven_flood_shown(match), all = match->map->node_count;
    if (shown == 0) return;
    int32_t rim = shown < all ? shown - all / SIGHT_FLOOD_RIM : shown;
    for (int32_t i = 0; i < shown && ploy_draw_wants(out, PLOY_LAYER_REGIONS); i++) {
        ploy_vec3 at = ploy_graph_position(match->map->fine, i);
        ploy_draw_disc(out, PLOY_LAYER_REGIONS, i < rim ? PLOY_STYLE_CLOSED : PLOY_STYLE_OPEN,
                       ploy_agent_id_none(), ploy_vec2_from_vec3(at), 0.12f, 1.0f);
    }
    char text[64];
    snprintf(text, sizeof text, "%d of %d nodes", (int)shown, (int)all);
    ploy_draw_key(out, PLOY_STYLE_CLOSED, "nodes that the flood reached");
    ploy_draw_key(out, PLOY_STYLE_OPEN, "nodes that it reaches now");
    ploy_draw_text(out, ploy_agent_id_none(),
                   ploy_vec2_make(match->map->box.min.x, match->map->box.min.y - 1.0f), text);
}

// ---- shots

static void sight_shots(const raven_match *match, ploy_draw *out) {
    for (int32_t i = 0; i < match->shot_count; i++) {
        const raven_shot *shot = &match->shots[i];
        ploy_agent_id id = raven_id(shot->shooter);
        if (shot->state == RAVEN_SHOT_EXPLODING) {
            ploy_draw_circle(out, PLOY_LAYER_AGENTS, PLOY_STYLE_WARNING, id, shot->position,
                             shot->ring);
        } else if (shot->state == RAVEN_SHOT_SHOWN) {
            ploy_draw_line(out, PLOY_LAYER_AGENTS, PLOY_STYLE_WARNING, id, shot->origin,
                           shot->position);
        } else {
            ploy_vec2 tail =
                ploy_vec2_sub(shot->position, ploy_vec2_with_length(shot->velocity, 0.5f));
            ploy_draw_line(out, PLOY_LAYER_AGENTS,
                           shot->weapon == RAVEN_BLASTER ? PLOY_STYLE_GOOD : PLOY_STYLE_BAD, id,
                           tail, shot->position);
        }
    }
}

// ---- bots

static void sight_known(const raven_match *match, const raven_bot *bot, ploy_draw *out) {
    ploy_agent_id id = raven_id(bot->index);
    ploy_vec2 at = bot->body.position;
    if (ploy_draw_wants(out, PLOY_LAYER_SENSES)) {
        float reach = 4.0f, half = 0.5f * bot->skill.fov;
        for (int32_t i = -1; i <= 1; i += 2) {
            ploy_vec2 rim = ploy_angle_heading(bot->body.orientation + (float)i * half);
            ploy_draw_line(out, PLOY_LAYER_SENSES, PLOY_STYLE_GHOST, id, at,
                           ploy_vec2_add_scaled(at, rim, reach));
        }
        ploy_sense_memory_draw(bot->memory, match->now, out);
        raven_draw_feelers(bot, out);
    }
    ploy_vec2 place;
    if (raven_target_place(bot, &place)) {
        ploy_draw_circle(out, PLOY_LAYER_SENSES, PLOY_STYLE_TARGET, id, place,
                         1.4f * match->def.radius);
        ploy_draw_line(out, PLOY_LAYER_SENSES, PLOY_STYLE_TARGET, id, at, place);
    }
    if (bot->finger.aiming) {
        ploy_draw_circle(out, PLOY_LAYER_SENSES, PLOY_STYLE_WARNING, id, bot->finger.aim, 0.15f);
    }
    ploy_nested_draw(&bot->brain, out);
}

static void sight_bot(const raven_match *match, const raven_bot *bot, ploy_draw *out) {
    ploy_agent_id id = raven_id(bot->index);
    float radius = match->def.radius;
    ploy_vec2 at = bot->body.position;
    if (bot->how == (int32_t)PLOY_GOAL_STEER_SEEK || bot->how == (int32_t)PLOY_GOAL_STEER_ARRIVE) {
        ploy_draw_line(out, PLOY_LAYER_PATHS, PLOY_STYLE_PATH, id, at, bot->target_point);
    }
    ploy_draw_agent(out, sight_style(bot), id, at, bot->body.orientation, radius);
    if (match->tick < bot->flash_until) {
        ploy_draw_circle(out, PLOY_LAYER_AGENTS, PLOY_STYLE_BAD, id, at, radius + 0.1f);
    }
    ploy_vec2 bar = ploy_vec2_make(at.x - radius, at.y + radius + 0.25f);
    float part = bot->health / match->def.max_health;
    ploy_draw_line(out, PLOY_LAYER_AGENTS, part > 0.3f ? PLOY_STYLE_GOOD : PLOY_STYLE_BAD, id, bar,
                   ploy_vec2_make(bar.x + 2.0f * radius * part, bar.y));
    if (bot->possessed || match->selected == bot->index) {
        ploy_draw_circle(out, PLOY_LAYER_AGENTS,
                         bot->possessed ? PLOY_STYLE_AGENT_A : PLOY_STYLE_BAD, id, at,
                         radius + 0.35f);
        sight_known(match, bot, out);
        const ploy_box2 *box = &match->map->box;
        if (match->selected == bot->index && ploy_draw_wants(out, PLOY_LAYER_LABELS)) {
            // Below the level, clear of the scale in the corner.
            float middle = 0.5f * (box->min.x + box->max.x);
            raven_draw_rules(bot, ploy_vec2_make(middle, box->min.y - 0.3f), out);
        }
    }
    if (ploy_draw_wants(out, PLOY_LAYER_LABELS)) {
        char text[64], name[RAVEN_NAME_MAX];
        snprintf(text, sizeof text, "%s  %d", raven_bot_name(bot, name), (int)bot->kills);
        ploy_draw_text(out, id, ploy_vec2_make(at.x - radius, at.y - radius - 0.7f), text);
    }
}

// An item has its name beside it, so that the colours of weapons may be those of bots.
static void sight_keys(const raven_match *match, ploy_draw *out) {
    static const char *const sides[RAVEN_SIDES_MAX] = {"red side", "blue side", "third side",
                                                       "fourth side"};
    static const char *const singles[4] = {"bots 1, 5, ...", "bots 2, 6, ...", "bots 3, 7, ...",
                                           "bots 4, 8, ..."};
    for (int32_t i = 0; i < 4; i++) ploy_draw_key(out, sight_singles[i], singles[i]);
    for (int32_t i = 0; i < RAVEN_SIDES_MAX && match->def.sides > 1; i++) {
        ploy_draw_key(out, sight_sides[i], sides[i]);
    }
    ploy_draw_key(out, PLOY_STYLE_GOOD, "health, and bolts of blasters");
    ploy_draw_key(out, PLOY_STYLE_BAD, "low health, hits, other shots, rocket launchers");
    ploy_draw_key(out, PLOY_STYLE_WARNING, "doors and buttons, explosions, aim");
    ploy_draw_key(out, PLOY_STYLE_TARGET, "opponents that it knows of");
    ploy_draw_key(out, PLOY_STYLE_GHOST, "graves, spawn points, field of view, feelers");
}

void raven_draw(const void *state, ploy_draw *out) {
    const raven_match *match = state;
    sight_keys(match, out);
    sight_floor(match, out);
    sight_flood(match, out);
    sight_level(match, out);
    sight_shots(match, out);
    for (int32_t i = 0; i < match->bot_count; i++) {
        if (raven_alive(&match->bots[i])) sight_bot(match, &match->bots[i], out);
    }
    if (match->def.sides < 2 || !ploy_draw_wants(out, PLOY_LAYER_LABELS)) return;
    char text[96];
    snprintf(text, sizeof text, "red %d : %d blue%s", (int)match->side_kills[0],
             (int)match->side_kills[1], match->over ? "   over" : "");
    ploy_draw_text(out, ploy_agent_id_none(),
                   ploy_vec2_make(match->map->box.min.x, match->map->box.max.y + 0.5f), text);
}
