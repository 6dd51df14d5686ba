// Raven: a deathmatch of bots that see, hear, remember, choose weapons, aim and plan, alone or in
// teams, in rooms with items and doors.
//
// Technique: Buckland, "Programming Game AI by Example", 2005, chapters 7 to 10. Differences are
// listed in docs/guide/games-raven.md. The text updates one bot after the other, so that the first
// in the list reacts to a world that the last has not seen; here all bots sense and think before
// any of them shoots or moves, and orders are drawn at random in each tick.
//
// Invariants, after every tick:
//   (1) no living bot is in a wall;
//   (2) 0 < health <= max_health of the living, 0 <= rounds <= max_rounds;
//   (3) kills, suicides and kills of the own side add up to deaths;
//   (4) a bot's target was sensed within its memory span;
//   (5) an item is active, or its due tick has not come.
#include "games/raven/raven_goals.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "games/games.h"
#include "ploy/base/math.h"
#include "ploy/geom/angle.h"

// ---- what all parts share

const raven_bot *raven_bot_get(const raven_match *match, ploy_agent_id id) {
    uint32_t index = id.id.index;
    if (index < 1 || index > (uint32_t)match->bot_count || id.id.generation == 0) return NULL;
    const raven_bot *bot = &match->bots[index - 1];
    return bot->present ? bot : NULL;
}

raven_bot *raven_bot_of(raven_match *match, ploy_agent_id id) {
    const raven_bot *bot = raven_bot_get(match, id);
    return bot != NULL ? &match->bots[bot->index] : NULL;
}

bool raven_hostile(const raven_match *match, const raven_bot *a, const raven_bot *b) {
    return a != b && (match->def.sides <= 1 || a->side != b->side);
}

const char *raven_bot_name(const raven_bot *bot, char text[RAVEN_NAME_MAX]) {
    static const char *const sides[RAVEN_SIDES_MAX] = {"red", "blue", "green", "yellow"};
    if (bot->match->def.sides > 1) {
        snprintf(text, RAVEN_NAME_MAX, "%s %d", sides[bot->side],
                 (int)(bot->index / bot->match->def.sides + 1));
    } else {
        snprintf(text, RAVEN_NAME_MAX, "bot %d", (int)bot->index + 1);
    }
    return text;
}

float raven_random(raven_bot *bot) {
    const raven_match *match = bot->match;
    return ploy_rng_float_at(match->context->key, (uint32_t)bot->index + 1, match->tick,
                             1000 + bot->draws++);
}

void raven_note_event(raven_match *match, raven_event_kind kind, int32_t who, int32_t other) {
    raven_event event = {match->tick, (int32_t)kind, who, other, 0};
    match->events[match->event_next] = event;
    match->event_next = (match->event_next + 1) % RAVEN_EVENTS;
}

void raven_send(raven_match *match, int32_t from, int32_t to, const char *kind, const void *payload,
                size_t size) {
    ploy_agent_id sender = from == RAVEN_NOBODY ? ploy_agent_id_none() : raven_id(from);
    ploy_agent_id receiver = to == RAVEN_NOBODY ? ploy_agent_id_none() : raven_id(to);
    ploy_message message = ploy_message_make(sender, receiver, ploy_name_of(kind));
    (void)ploy_message_set_payload(&message, payload, size); // all of them fit
    (void)ploy_telegrams_send(match->telegrams, &message, 0.0, NULL);
}

// ---- queries of the world

bool raven_walks(const raven_match *match, ploy_vec2 from, ploy_vec2 to, float radius) {
    return !ploy_scene_sweep2(&match->map->scene, from, to, radius, RAVEN_MASK_SOLID, NULL);
}

bool raven_sees(const raven_match *match, ploy_vec2 from, ploy_vec2 to) {
    return ploy_scene_sees2(&match->map->scene, from, to, RAVEN_MASK_SOLID);
}

bool raven_in_view(const raven_match *match, const raven_bot *a, const raven_bot *b) {
    ploy_vec2 toward = ploy_vec2_sub(b->body.position, a->body.position);
    float limit = ploy_cosf(0.5f * a->skill.fov) * ploy_vec2_length(toward);
    bool ahead = ploy_vec2_dot(ploy_angle_heading(a->body.orientation), toward) >= limit;
    return ahead && raven_sees(match, a->body.position, b->body.position);
}

bool raven_can_step(const raven_bot *bot, ploy_vec2 toward, float side, ploy_vec2 *out) {
    const raven_match *match = bot->match;
    ploy_vec2 at = bot->body.position;
    ploy_vec2 ahead = ploy_vec2_normalise(ploy_vec2_sub(toward, at));
    if (ploy_vec2_is_zero(ahead)) ahead = ploy_angle_heading(bot->body.orientation);
    // Far enough that stepping to and fro leads away from one place; less where there is no room.
    for (float bodies = 3.5f; bodies >= 2.0f; bodies -= 0.5f) {
        ploy_vec2 to =
            ploy_vec2_add_scaled(at, ploy_vec2_perp(ahead), bodies * match->def.radius * side);
        if (!raven_walks(match, at, to, 0.95f * match->def.radius)) continue;
        if (out != NULL) *out = to;
        return true;
    }
    return false;
}

// ---- create

static ploy_result raven_load_map(raven_match *match, const void *bytes, size_t size,
                                  const char *name) {
    raven_map *map = NULL;
    ploy_result result = raven_map_load(bytes, size, name, &match->def, &match->env, NULL, &map);
    if (result != PLOY_OK) return result;
    raven_map *old = match->map;
    match->map = map;
    result = raven_paths_create(match); // drops searches on the old one
    if (result == PLOY_OK) result = raven_items_create(match);
    raven_map_destroy(old, &match->env);
    return result;
}

static ploy_result raven_create_world(raven_match *match) {
    ploy_triggers_def triggers = ploy_triggers_def_default();
    triggers.triggers = 256;
    triggers.agents = RAVEN_BOTS_MAX;
    triggers.touches = 16 * RAVEN_BOTS_MAX;
    triggers.log = 0;
    ploy_result result = ploy_triggers_create(&triggers, &match->env, &match->triggers);
    ploy_telegrams_def telegrams = ploy_telegrams_def_default();
    telegrams.capacity = RAVEN_BOTS_MAX; // for delays, such as those of a radio
    telegrams.log = 64;
    static const char *const kinds[] = {RAVEN_MSG_PATH_READY, RAVEN_MSG_NO_PATH, RAVEN_MSG_GUNSHOT,
                                        RAVEN_MSG_HIT,        RAVEN_MSG_KILLED,  RAVEN_MSG_DIED,
                                        RAVEN_MSG_OPEN,       RAVEN_MSG_ADDED,   RAVEN_MSG_REMOVED};
    if (result == PLOY_OK) {
        result = ploy_telegrams_create(&telegrams, &match->env, &match->telegrams);
    }
    if (result == PLOY_OK) result = ploy_names_create(&match->env, &match->names);
    ploy_path_pool_def paths = ploy_path_pool_def_default();
    paths.points = RAVEN_PATH_POINTS;
    if (result == PLOY_OK) result = ploy_path_pool_create(&paths, &match->env, &match->pool);
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0] && result == PLOY_OK; i++) {
        result = ploy_names_add(match->names, kinds[i], NULL);
    }
    return result;
}

static ploy_result raven_create(const void *params, ploy_rng_key key, const ploy_env *env,
                                void **out) {
    raven_match *match = ploy_env_alloc_zero(env, sizeof *match);
    if (match == NULL) return PLOY_ERR_MEMORY;
    memcpy(&match->def, params, sizeof match->def);
    match->env = *env;
    match->dt = 1.0f / 60.0f;
    match->selected = RAVEN_NOBODY;
    match->wanted = match->def.bots;
    for (int32_t i = 0; i < RAVEN_EVENTS; i++) match->events[i].who = RAVEN_NOBODY;
    raven_paths_init(match);
    const raven_file *weapons = raven_file_find("weapons.json");
    const raven_file *level = raven_level_file((int32_t)match->def.map);
    if (weapons == NULL || level == NULL) return PLOY_ERR_NOT_FOUND;
    ploy_result result = raven_create_world(match);
    if (result == PLOY_OK) {
        result = raven_weapons_load(weapons->bytes, weapons->size, weapons->name, env, NULL,
                                    &match->weapons);
    }
    if (result == PLOY_OK) {
        result = ploy_definition_text_set(&match->weapons_text, weapons->bytes, weapons->size, env);
    }
    if (result == PLOY_OK) result = raven_load_map(match, level->bytes, level->size, level->name);
    if (result == PLOY_OK) {
        result = ploy_definition_text_set(&match->map_text, level->bytes, level->size, env);
    }
    if (result == PLOY_OK) result = raven_plans_create(match, env);
    if (result == PLOY_OK) result = raven_minds_create(match, key);
    if (result == PLOY_OK) result = raven_step_population(match, key);
    if (result != PLOY_OK) return result; // the region goes, and all that is in it
    *out = match;
    return PLOY_OK;
}

// ---- definitions

extern const ploy_sim_type ploy_game_raven; // in games.c

static ploy_result raven_write(const void *state, int32_t definition, ploy_writer *out) {
    const raven_match *match = state;
    if (definition >= RAVEN_DEFINITION_RULES) {
        return raven_rules_write(match, definition - RAVEN_DEFINITION_RULES, out);
    }
    if (definition >= RAVEN_DEFINITION_MINDS) {
        return raven_mind_write(match, definition - RAVEN_DEFINITION_MINDS, out);
    }
    return ploy_definition_text_write(
        definition == RAVEN_DEFINITION_MAP ? &match->map_text : &match->weapons_text, out);
}

static ploy_result raven_check(const void *state, int32_t definition, const void *bytes,
                               size_t size, const ploy_env *env, ploy_diags *diags) {
    const raven_match *match = state;
    if (definition >= RAVEN_DEFINITION_RULES) {
        return raven_rules_check(definition - RAVEN_DEFINITION_RULES, bytes, size, env, diags);
    }
    if (definition >= RAVEN_DEFINITION_MINDS) {
        return raven_mind_check(match, definition - RAVEN_DEFINITION_MINDS, bytes, size, env,
                                diags);
    }
    if (definition == RAVEN_DEFINITION_WEAPONS) {
        raven_weapon_table table;
        return raven_weapons_load(bytes, size, "weapons", env, diags, &table);
    }
    raven_map *map = NULL;
    ploy_result result = raven_map_load(bytes, size, "map", &match->def, env, diags, &map);
    raven_map_destroy(map, env);
    return result;
}

// Bots stay where they are on an edited map, unless there is a wall now: those spawn again.
static void raven_resettle(raven_match *match) {
    for (int32_t i = 0; i < match->bot_count; i++) {
        raven_bot *bot = &match->bots[i];
        if (!bot->present) continue;
        ploy_step_context context = raven_context(match, bot);
        ploy_nested_exit(&bot->brain, &context, PLOY_EXIT_INTERRUPTED);
        ploy_goals_clear(bot->orders, &context, ploy_goals_root(bot->orders));
        bot->node = RAVEN_NOBODY;
        if (!raven_alive(bot)) continue;
        ploy_vec3 at = ploy_vec3_from_vec2(bot->body.position, 0.0f);
        ploy_representation_body body = {0.9f * match->def.radius, RAVEN_MASK_PLAN};
        bool lost = ploy_scene_overlap(&match->map->scene, at, 0.98f * match->def.radius,
                                       RAVEN_MASK_SOLID, NULL, 0) > 0 ||
                    ploy_graph_representation_nearest(match->map->fine_view, at, &body) < 0;
        if (!lost) continue;
        (void)ploy_triggers_remove_agent(match->triggers, raven_id(i));
        bot->status = RAVEN_SPAWNING;
    }
}

// Health and rounds are within the bounds of edited parameters and weapons at once.
static void raven_clamp(raven_match *match) {
    for (int32_t i = 0; i < match->bot_count; i++) {
        raven_bot *bot = &match->bots[i];
        bot->health = ploy_minf(bot->health, match->def.max_health);
        for (int32_t w = 0; w < RAVEN_WEAPONS; w++) {
            bot->arms[w].rounds =
                ploy_mini(bot->arms[w].rounds, match->weapons.items[w].max_rounds);
        }
    }
}

static ploy_result raven_reload(raven_match *match, const ploy_input *input) {
    int32_t which = ploy_sim_type_find_definition(&ploy_game_raven, input->name, NULL);
    if (which >= RAVEN_DEFINITION_RULES) {
        return raven_rules_reload(match, which - RAVEN_DEFINITION_RULES, input->bytes, input->size,
                                  &match->env);
    }
    if (which >= RAVEN_DEFINITION_MINDS) {
        return raven_mind_reload(match, which - RAVEN_DEFINITION_MINDS, input->bytes, input->size,
                                 &match->env);
    }
    bool map = which == RAVEN_DEFINITION_MAP;
    ploy_definition_text *text = map ? &match->map_text : &match->weapons_text;
    ploy_result result = map ? raven_load_map(match, input->bytes, input->size, input->name)
                             : raven_weapons_load(input->bytes, input->size, input->name,
                                                  &match->env, NULL, &match->weapons);
    if (result != PLOY_OK) return result;
    if (!map) raven_clamp(match);
    if (map) {
        raven_resettle(match);
        match->flooded = match->tick > 0 ? match->tick : 1;
    }
    return ploy_definition_text_set(text, input->bytes, input->size, &match->env);
}

// ---- step

// Sets what follows from parameters that have changed.
static ploy_result raven_apply_def(raven_match *match, const raven_def *def) {
    raven_def old = match->def;
    match->def = *def;
    ploy_result result = PLOY_OK;
    if (old.navigation != def->navigation || old.smoothing != def->smoothing) {
        result = raven_paths_create(match);
    }
    if (old.bots != def->bots) match->wanted = def->bots;
    raven_clamp(match);
    if (old.giver_range != def->giver_range || old.button_reach != def->button_reach) {
        raven_items_resize(match);
    }
    bool skill = memcmp(&old.skill, &def->skill, sizeof old.skill) != 0;
    for (int32_t i = 0; i < match->bot_count && result == PLOY_OK && skill; i++) {
        if (match->bots[i].present) result = raven_bot_set_skill(&match->bots[i], &def->skill);
    }
    return result;
}

// Where each bot is on the graph: the node it was at or, once it has moved on, the nearest.
static void raven_locate(raven_match *match) {
    ploy_representation_body body = {0.9f * match->def.radius, RAVEN_MASK_PLAN};
    for (int32_t i = 0; i < match->bot_count; i++) {
        raven_bot *bot = &match->bots[i];
        if (!raven_alive(bot)) continue;
        bool due = (match->tick + (uint64_t)i) % 15 == 0; // four times a second
        if (bot->node >= 0 && !due && bot->spawned + 1 != match->tick) continue;
        bot->node = ploy_graph_representation_nearest(
            match->map->fine_view, ploy_vec3_from_vec2(bot->body.position, 0.0f), &body);
    }
}

// What the trigger fingers decided, in an order drawn at random.
static void raven_act(raven_match *match) {
    int32_t order[RAVEN_BOTS_MAX];
    raven_draw_order(match, order);
    for (int32_t i = 0; i < match->bot_count; i++) {
        raven_bot *bot = &match->bots[order[i]];
        if (!raven_alive(bot)) continue;
        raven_trigger_finger *finger = &bot->finger;
        bot->body.orientation = finger->facing_angle;
        if (finger->fires) {
            float visible = raven_target_time_visible(bot);
            bool shot = raven_shoot_at(bot, finger->point);
            if (shot && !finger->by_person && !(visible > bot->skill.reaction)) bot->early_shots++;
        }
        if (!bot->possessed) bot->weapon = finger->weapon;
        finger->fires = false;
    }
}

static void raven_count(raven_match *match) {
    for (int32_t i = 0; i < match->bot_count; i++) {
        raven_bot *bot = &match->bots[i];
        if (!raven_alive(bot) || !ploy_target_present(&bot->target)) continue;
        const ploy_sense_record *record = ploy_sense_memory_get(bot->memory, bot->target.current);
        if (record == NULL || match->now - record->last_sensed > (double)bot->skill.memory) {
            bot->blind_targets++;
        }
    }
    int64_t units = 0;
    for (int32_t i = 0; i < match->bot_count; i++) units += match->bots[i].units;
    match->sense_units = units;
}

static void raven_test_limits(raven_match *match) {
    const raven_def *def = &match->def;
    bool over = def->time_limit > 0.0f && match->now >= (double)def->time_limit;
    for (int32_t i = 0; i < match->bot_count && def->kill_limit > 0; i++) {
        const raven_bot *bot = &match->bots[i];
        int64_t kills = def->sides > 1 ? match->side_kills[bot->side] : bot->kills;
        if (bot->present && kills >= def->kill_limit) over = true;
    }
    if (over && !match->over) {
        raven_note_event(match, RAVEN_EVENT_OVER, RAVEN_NOBODY, RAVEN_NOBODY);
    }
    match->over = over;
}

static ploy_result raven_play(raven_match *match) {
    ploy_result result = raven_step_paths(match);
    raven_step_doors(match);
    raven_step_shots(match);
    raven_step_life(match);
    raven_locate(match);
    raven_step_lod(match);
    if (result == PLOY_OK) result = raven_step_senses(match);
    if (result == PLOY_OK) result = raven_plans_step(match);
    if (result != PLOY_OK) return result;
    raven_step_brains(match);
    raven_act(match);
    raven_move_all(match);
    result = raven_step_triggers(match);
    raven_step_graves(match);
    raven_count(match);
    return result;
}

static ploy_result raven_step(void *state, const ploy_sim_context *context) {
    raven_match *match = state;
    ploy_result result = PLOY_OK;
    match->tick = context->tick;
    match->now = (double)context->tick * (double)context->dt;
    match->dt = context->dt;
    match->context = context;
    match->tick_units = 0;
    for (int32_t i = 0; i < RAVEN_BOTS_MAX; i++) match->bots[i].draws = 0;
    if (memcmp(&match->def, context->params, sizeof match->def) != 0) {
        result = raven_apply_def(match, context->params);
    }
    for (int32_t i = 0; i < context->input_count && result == PLOY_OK; i++) {
        if (context->inputs[i].kind == PLOY_INPUT_RELOAD) {
            result = raven_reload(match, &context->inputs[i]);
        }
    }
    // Messages that are due by now, such as those of a radio.
    ploy_engine_frame frame = {NULL, context->scratch, context->trace, match, match};
    if (result == PLOY_OK) {
        result = ploy_telegrams_step(match->telegrams, match->now, NULL, &frame, NULL);
    }
    if (result == PLOY_OK) result = raven_apply_inputs(match, context);
    raven_test_limits(match); // which may have been raised
    if (result == PLOY_OK && !match->over) result = raven_play(match);
    if (result == PLOY_OK) result = raven_step_population(match, context->key);
    match->context = NULL;
    return result;
}

static bool raven_load(const void *state, ploy_workload *out) {
    const raven_match *match = state;
    return ploy_engine_workload(match->engine, 0, out) == PLOY_OK;
}

const ploy_sim_type ploy_game_raven = {
    .name = "raven",
    .title = "Raven",
    .help = "Bots hunt one another through rooms and corridors, fetch weapons and health, and open "
            "doors. Press t to play the selected one: click to walk, f to fire at the cursor, 1 to "
            "4 for the weapons, x to give it back.",
    .version = 2,
    .capabilities = PLOY_SIM_INTERACTIVE | PLOY_SIM_PARALLEL | PLOY_SIM_RELOADS | PLOY_SIM_TACTICS,
    .dt = 1.0f / 60.0f,
    .view = {0.0f, 0.0f, 44.0f, 32.0f},
    .fields = raven_fields,
    .commands = raven_commands,
    .command_count = RAVEN_COMMANDS,
    .create = raven_create,
    .destroy = NULL, // the region goes with the simulation
    .step = raven_step,
    .draw = raven_draw,
    .describe = raven_describe,
    .load = raven_load,
    .definitions = raven_definitions,
    .definition_count = RAVEN_DEFINITIONS,
    .write = raven_write,
    .check = raven_check,
};
