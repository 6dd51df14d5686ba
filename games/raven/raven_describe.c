// Every value of a match, for people, hashes and tools.
#include <math.h>
#include <stdio.h>

#include "games/raven/raven_goals.h"

// ---- summary

typedef int64_t (*describe_count_fn)(const raven_bot *bot);

static int64_t describe_kills(const raven_bot *bot) {
    return bot->kills;
}
static int64_t describe_deaths(const raven_bot *bot) {
    return bot->deaths;
}
static int64_t describe_suicides(const raven_bot *bot) {
    return bot->suicides;
}

static void describe_by_bot(const raven_match *match, const char *name, describe_count_fn count,
                            ploy_describe *out) {
    char text[RAVEN_NAME_MAX];
    ploy_describe_begin(out, name);
    for (int32_t i = 0; i < match->bot_count; i++) {
        const raven_bot *bot = &match->bots[i];
        if (!bot->present) continue;
        ploy_describe_i64(out, raven_bot_name(bot, text), PLOY_STATE, count(bot));
    }
    ploy_describe_end(out);
}

static void describe_summary(const raven_match *match, ploy_describe *out) {
    int64_t team_kills = 0, shots = 0, hits = 0, items = 0, early = 0, blind = 0;
    double damage = 0.0;
    uint64_t stuck = 0;
    for (int32_t i = 0; i < match->bot_count; i++) {
        const raven_bot *bot = &match->bots[i];
        team_kills += bot->team_kills;
        shots += bot->shots;
        hits += bot->hits;
        items += bot->items;
        early += bot->early_shots;
        blind += bot->blind_targets;
        damage += bot->damage;
        if (bot->longest_stuck > stuck) stuck = bot->longest_stuck;
    }
    ploy_describe_begin(out, "summary");
    describe_by_bot(match, "kills", describe_kills, out);
    describe_by_bot(match, "deaths", describe_deaths, out);
    describe_by_bot(match, "suicides", describe_suicides, out);
    ploy_describe_i64(out, "team_kills", PLOY_STATE, team_kills);
    if (match->def.sides > 1) {
        static const char *const sides[RAVEN_SIDES_MAX] = {"red", "blue", "green", "yellow"};
        ploy_describe_begin(out, "side_kills");
        for (int32_t i = 0; i < match->def.sides; i++) {
            ploy_describe_i64(out, sides[i], PLOY_STATE, match->side_kills[i]);
        }
        ploy_describe_end(out);
    }
    ploy_describe_i64(out, "shots", PLOY_STATE, shots);
    ploy_describe_i64(out, "hits", PLOY_STATE, hits);
    ploy_describe_f64(out, "damage", PLOY_STATE, damage);
    ploy_describe_i64(out, "items", PLOY_STATE, items);
    raven_describe_goal_seconds(match, out);
    ploy_describe_i64(out, "worst_units", PLOY_STATE, match->worst_units);
    ploy_describe_i64(out, "path_units", PLOY_STATE, match->path_units);
    ploy_describe_i64(out, "sense_units", PLOY_STATE, match->sense_units);
    ploy_describe_i64(out, "doors_passed", PLOY_STATE, match->doors_passed);
    ploy_describe_i64(out, "doors_failed", PLOY_STATE, match->doors_failed);
    ploy_describe_i64(out, "doors_left", PLOY_STATE, match->doors_left);
    ploy_describe_i64(out, "doors_died", PLOY_STATE, match->doors_died);
    ploy_describe_u64(out, "longest_wait_ticks", PLOY_STATE, match->longest_wait);
    ploy_describe_f32(out, "longest_stuck_s", PLOY_DERIVED, (float)stuck * match->dt);
    ploy_describe_i64(out, "early_shots", PLOY_STATE, early);
    ploy_describe_i64(out, "blind_targets", PLOY_STATE, blind);
    ploy_describe_bool(out, "over", PLOY_STATE, match->over);
    ploy_describe_end(out);
}

// ---- bots

static void describe_arms(const raven_match *match, const raven_bot *bot, ploy_describe *out) {
    ploy_describe_begin(out, "weapons");
    ploy_describe_text(out, "in hand", PLOY_STATE, raven_weapon_name(bot->weapon));
    for (int32_t i = 0; i < RAVEN_WEAPONS; i++) {
        const raven_arm *arm = &bot->arms[i];
        if (!arm->held) continue;
        ploy_describe_begin(out, raven_weapon_name(i));
        ploy_describe_i64(out, "rounds", PLOY_STATE, arm->rounds);
        ploy_describe_f64(out, "ready at", PLOY_STATE, arm->next);
        // As of the last choice: describing steps no rules.
        ploy_describe_f32(out, "desirability", PLOY_NOTE,
                          match->plans->members[bot->index].desirability[i]);
        ploy_describe_end(out);
    }
    ploy_describe_end(out);
}

static void describe_felt(const raven_match *match, const raven_bot *bot, ploy_describe *out) {
    char text[RAVEN_NAME_MAX];
    ploy_describe_begin(out, "felt");
    for (int32_t i = 0; i < match->bot_count; i++) {
        const raven_felt *felt = &bot->felt[i];
        if (!(felt->damage > 0.0f) && felt->killed == 0 && felt->died == 0) continue;
        ploy_describe_begin(out, raven_bot_name(&match->bots[i], text));
        ploy_describe_f32(out, "damage", PLOY_STATE, felt->damage);
        ploy_describe_f64(out, "last", PLOY_STATE, felt->last);
        ploy_describe_i64(out, "killed", PLOY_STATE, felt->killed);
        ploy_describe_i64(out, "died", PLOY_STATE, felt->died);
        ploy_describe_end(out);
    }
    ploy_describe_end(out);
}

static void describe_regulators(const raven_bot *bot, ploy_describe *out) {
    const struct {
        const char *name;
        const ploy_regulator *regulator;
    } list[] = {{"vision", &bot->vision},
                {"targeting", &bot->targeting},
                {"weapon choice", &bot->choosing},
                {"arbitration", &bot->arbitration}};
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        ploy_describe_begin(out, list[i].name);
        ploy_regulator_describe(list[i].regulator, out);
        ploy_describe_end(out);
    }
}

static void describe_motion(const raven_bot *bot, ploy_describe *out) {
    static const char *const how[] = {"stay", "seek", "arrive", "wander"};
    ploy_describe_begin(out, "motion");
    ploy_describe_text(out, "steers", PLOY_STATE, how[bot->how & 3]);
    ploy_describe_vec2(out, "to", PLOY_STATE, bot->target_point.x, bot->target_point.y);
    ploy_describe_f32(out, "speed limit", PLOY_STATE, bot->speed_limit);
    ploy_describe_bool(out, "weaves", PLOY_STATE, bot->weaves);
    ploy_describe_f32(out, "wander", PLOY_STATE, bot->wander_angle);
    ploy_describe_bool(out, "faces", PLOY_STATE, bot->faces);
    ploy_describe_vec2(out, "face", PLOY_STATE, bot->face_point.x, bot->face_point.y);
    ploy_steering_describe(&bot->steering, PLOY_DERIVED, out);
    ploy_vec2 mean = raven_mean_velocity(bot, RAVEN_SAMPLES_MAX);
    ploy_describe_vec2(out, "mean velocity", PLOY_STATE, mean.x, mean.y);
    ploy_describe_end(out);
}

static void describe_bot(const raven_match *match, const raven_bot *bot, ploy_describe *out) {
    static const char *const states[] = {"spawning", "alive", "dead"};
    char text[RAVEN_NAME_MAX];
    ploy_describe_begin_agent(out, raven_bot_name(bot, text), raven_id(bot->index));
    ploy_describe_text(out, "status", PLOY_STATE, states[bot->status]);
    ploy_describe_f32(out, "health", PLOY_STATE, bot->health);
    ploy_describe_text(out, "trigger finger", PLOY_DERIVED, raven_hold_text(bot->finger.why));
    ploy_kinematic_describe(&bot->body, PLOY_STATE, out);
    ploy_describe_bool(out, "possessed", PLOY_STATE, bot->possessed);
    ploy_describe_u64(out, "lives", PLOY_STATE, bot->lives);
    ploy_describe_u64(out, "spawned", PLOY_STATE, bot->spawned);
    ploy_describe_u64(out, "last hit", PLOY_STATE, bot->last_hit);
    ploy_describe_u64(out, "spared", PLOY_STATE, bot->spared);
    ploy_describe_f32(out, "level of detail", PLOY_STATE, bot->lod);
    ploy_describe_i64(out, "node", PLOY_STATE, bot->node);
    ploy_describe_vec2(out, "aims at", PLOY_STATE, bot->finger.aim.x, bot->finger.aim.y);
    describe_motion(bot, out);
    describe_arms(match, bot, out);
    describe_felt(match, bot, out);
    ploy_describe_begin(out, "target");
    ploy_target_describe(&bot->target, out);
    ploy_describe_end(out);
    ploy_describe_begin(out, "memory");
    ploy_sense_memory_describe(bot->memory, out);
    ploy_describe_end(out);
    describe_regulators(bot, out);
    ploy_describe_begin(out, "brain");
    ploy_nested_describe(&bot->brain, out);
    ploy_describe_end(out);
    if (bot->possessed) {
        ploy_describe_begin(out, "orders");
        ploy_goals_describe(bot->orders, out);
        ploy_describe_end(out);
        ploy_describe_vec2(out, "cursor", PLOY_STATE, bot->cursor.x, bot->cursor.y);
    }
    ploy_describe_i64(out, "shots", PLOY_STATE, bot->shots);
    ploy_describe_i64(out, "hits", PLOY_STATE, bot->hits);
    ploy_describe_f64(out, "damage", PLOY_STATE, bot->damage);
    ploy_describe_i64(out, "items", PLOY_STATE, bot->items);
    ploy_describe_vec2(out, "stuck from", PLOY_STATE, bot->stuck_from.x, bot->stuck_from.y);
    ploy_describe_u64(out, "stuck since", PLOY_STATE, bot->stuck_since);
    ploy_describe_vec2(out, "blocked from", PLOY_STATE, bot->blocked_from.x, bot->blocked_from.y);
    ploy_describe_u64(out, "blocked since", PLOY_STATE, bot->blocked_since);
    ploy_describe_u64(out, "longest stuck", PLOY_STATE, bot->longest_stuck);
    ploy_describe_begin(out, "messages");
    ploy_telegrams_describe_agent(match->telegrams, raven_id(bot->index), 6, match->names, out);
    ploy_describe_end(out);
    ploy_describe_end(out);
}

// ---- the rest

static void describe_level(const raven_match *match, ploy_describe *out) {
    const raven_map *map = match->map;
    ploy_describe_begin(out, "level");
    ploy_describe_i64(out, "walls", PLOY_NOTE, map->wall_count);
    ploy_describe_i64(out, "spawn points", PLOY_NOTE, map->spawn_count);
    ploy_describe_i64(out, "nodes", PLOY_NOTE, map->node_count);
    ploy_describe_i64(out, "nodes shown", PLOY_NOTE, raven_flood_shown(match));
    if (map->coarse != NULL) {
        ploy_describe_i64(out, "coarse nodes", PLOY_NOTE, ploy_graph_node_count(map->coarse));
    }
    ploy_describe_i64(out, "rooms", PLOY_NOTE, map->room_count);
    ploy_describe_i64(out, "polygons", PLOY_NOTE, ploy_navmesh_stats_of(map->mesh).polygons);
    for (int32_t i = 0; i < map->door_count; i++) {
        const raven_door *door = &map->doors[i];
        ploy_describe_begin(out, door->name);
        ploy_describe_f32(out, "open", PLOY_STATE, door->open);
        ploy_describe_bool(out, "opening", PLOY_STATE, door->opening);
        ploy_describe_u64(out, "open until", PLOY_STATE, door->open_until);
        ploy_describe_end(out);
    }
    ploy_describe_begin(out, "items");
    for (int32_t i = 0; i < map->item_count; i++) {
        const raven_item *item = &map->items[i];
        ploy_describe_begin_item(out, i);
        ploy_describe_text(out, "kind", PLOY_NOTE, raven_item_name(item->kind));
        ploy_describe_bool(out, "active", PLOY_STATE, item->active);
        if (!item->active) ploy_describe_u64(out, "due", PLOY_STATE, item->due);
        ploy_describe_end(out);
    }
    ploy_describe_end(out);
    ploy_describe_end(out);
    ploy_definition_text_describe(&match->map_text, "definition", NULL, out);
    ploy_definition_text_describe(&match->weapons_text, "definition", NULL, out);
}

static void describe_shots(const raven_match *match, ploy_describe *out) {
    ploy_describe_begin(out, "shots");
    for (int32_t i = 0; i < match->shot_count; i++) {
        const raven_shot *shot = &match->shots[i];
        ploy_describe_begin_item(out, i);
        ploy_describe_text(out, "weapon", PLOY_STATE, raven_weapon_name(shot->weapon));
        ploy_describe_i64(out, "shooter", PLOY_STATE, shot->shooter);
        ploy_describe_i64(out, "state", PLOY_STATE, shot->state);
        ploy_describe_vec2(out, "at", PLOY_STATE, shot->position.x, shot->position.y);
        ploy_describe_vec2(out, "velocity", PLOY_STATE, shot->velocity.x, shot->velocity.y);
        ploy_describe_u64(out, "struck", PLOY_STATE, shot->struck);
        ploy_describe_u64(out, "until", PLOY_STATE, shot->until);
        ploy_describe_f32(out, "ring", PLOY_STATE, shot->ring);
        ploy_describe_end(out);
    }
    ploy_describe_end(out);
}

static void describe_events(const raven_match *match, ploy_describe *out) {
    static const char *const kinds[RAVEN_EVENT_KINDS] = {"spawn",  "kill", "suicide",
                                                         "pickup", "door", "over"};
    ploy_describe_begin(out, "events");
    for (int32_t i = 0; i < RAVEN_EVENTS; i++) {
        int32_t at = (match->event_next + RAVEN_EVENTS - 1 - i) % RAVEN_EVENTS;
        const raven_event *event = &match->events[at];
        if (event->who == RAVEN_NOBODY && event->kind != RAVEN_EVENT_OVER) continue;
        ploy_describe_begin_item(out, i);
        ploy_describe_u64(out, "tick", PLOY_NOTE, event->tick);
        ploy_describe_text(out, "what", PLOY_NOTE, kinds[event->kind]);
        ploy_describe_i64(out, "who", PLOY_NOTE, event->who + 1);
        ploy_describe_i64(out, "other", PLOY_NOTE, event->other + 1);
        ploy_describe_end(out);
    }
    ploy_describe_end(out);
}

void raven_describe(const void *state, ploy_describe *out) {
    const raven_match *match = state;
    describe_summary(match, out);
    for (int32_t i = 0; i < match->bot_count; i++) {
        if (match->bots[i].present) describe_bot(match, &match->bots[i], out);
    }
    describe_level(match, out);
    raven_plans_describe(match, out);
    describe_shots(match, out);
    ploy_describe_begin(out, "graves");
    for (int32_t i = 0; i < match->grave_count; i++) {
        ploy_vec2 at = match->graves[i].position;
        ploy_describe_begin_item(out, i);
        ploy_describe_vec2(out, "at", PLOY_STATE, at.x, at.y);
        ploy_describe_u64(out, "until", PLOY_STATE, match->graves[i].until);
        ploy_describe_end(out);
    }
    ploy_describe_end(out);
    ploy_describe_i64(out, "wanted", PLOY_STATE, match->wanted);
    ploy_describe_i64(out, "selected", PLOY_STATE, match->selected);
    ploy_describe_bool(out, "watching", PLOY_STATE, match->watching);
    ploy_describe_vec2(out, "watch", PLOY_STATE, match->watch.x, match->watch.y);
    ploy_describe_begin(out, "triggers");
    ploy_triggers_describe(match->triggers, out);
    ploy_describe_end(out);
    ploy_describe_begin(out, "paths");
    ploy_path_service_describe(&match->paths, out);
    ploy_describe_end(out);
    describe_events(match, out);
}
