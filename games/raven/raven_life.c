// Life and death: spawning, damage, graves, and bots that come and go.
//
//     spawning --> alive --> dead --> (grave) --> spawning
//
// A bot that spawns is as new: full health, the blaster alone, nothing remembered, no target, a
// brain that begins again. It waits while every spawn point is occupied. A kill counts for the
// shooter if it was another bot that it was to shoot at; the sum of kills, suicides and kills of
// the own side is the sum of deaths.
#include <math.h>
#include <string.h>

#include "games/raven/raven_goals.h"
#include "ploy/base/math.h"
#include "ploy/geom/angle.h"

// ---- the mover: how goals control a bot

static ploy_vec2 life_position(void *user) {
    return ((const raven_bot *)user)->body.position;
}

static void life_steer(void *user, ploy_goal_steer how, ploy_vec2 target, float speed) {
    raven_steer(user, how, target, speed);
}

static bool life_explore(void *user, ploy_step_context *context, ploy_vec2 *out) {
    (void)context;
    return raven_random_place(user, out);
}

static bool life_find_switch(void *user, ploy_id door, ploy_vec2 from, ploy_vec2 *out) {
    const raven_bot *bot = user;
    int32_t index = (int32_t)door.index - 1;
    if (index < 0 || index >= bot->match->map->door_count) return false;
    // An open door needs no detour.
    *out = raven_door_open(bot->match, index, from) ? from : raven_button(bot->match, index, from);
    return true;
}

// Pushed off its edge, a bot may walk against a wall for as long as the edge is expected to take:
// it plans again once it has not got away from one place for longer than the margin.
static bool life_blocked(void *user) {
    const raven_bot *bot = user;
    float span = 1.5f * bot->match->def.stuck_margin;
    return bot->match->tick - bot->blocked_since > raven_ticks(bot->match, span);
}

// Counts how a goal to pass a door ended: completed, failed, cut off by the bot's death, or dropped
// by a living bot, which only a person does.
static void life_door_ended(const ploy_goal_turn *turn) {
    const raven_bot *bot = ((const ploy_goal_mover *)turn->owner)->user;
    raven_match *match = bot->match;
    switch (ploy_goals_status(turn->goals, turn->goal)) {
    case PLOY_GOAL_COMPLETED: match->doors_passed++; break;
    case PLOY_GOAL_FAILED: match->doors_failed++; break;
    default: *(raven_alive(bot) ? &match->doors_left : &match->doors_died) += 1; break;
    }
}

static void life_make_door_goal(raven_match *match) {
    match->door_goal = *ploy_goal_negotiate_door();
    match->door_goal.terminate = life_door_ended;
    match->door_edge.kind = "door";
    match->door_edge.type = &match->door_goal;
    match->door_edge.speed = 0.0f;
}

static void life_set_mover(raven_bot *bot) {
    const raven_def *def = &bot->match->def;
    bot->mover.speed = def->max_speed;
    bot->mover.radius = 0.9f * def->radius;
    bot->mover.tolerance = def->waypoint_distance;
    bot->mover.margin = def->replanning ? def->stuck_margin : 1e6f;
    bot->mover.blocked = def->replanning ? life_blocked : NULL;
}

static void life_make_mover(raven_bot *bot) {
    raven_match *match = bot->match;
    bot->mover = ploy_goal_mover_make(&match->paths, &match->env);
    bot->mover.pool = match->pool;
    bot->mover.position = life_position;
    bot->mover.steer = life_steer;
    bot->mover.explore = life_explore;
    bot->mover.find_switch = life_find_switch;
    life_make_door_goal(match);
    bot->mover.edges = &match->door_edge;
    bot->mover.edge_count = 1;
    bot->mover.agent = raven_id(bot->index);
    bot->mover.user = bot;
    life_set_mover(bot);
}

// ---- skill

static ploy_result life_regulator(ploy_regulator *regulator, float rate, float offset, double now,
                                  uint64_t seed) {
    ploy_regulator_def def = ploy_regulator_def_default();
    def.mode = PLOY_REGULATOR_RESTART;
    def.rate = rate;
    def.bounded = true;
    def.offset = offset;
    return ploy_regulator_init(regulator, &def, now, seed);
}

static ploy_result life_make_memory(raven_bot *bot, float span) {
    ploy_sense_memory_def def = ploy_sense_memory_def_default();
    def.capacity = RAVEN_BOTS_MAX;
    def.span = span;
    def.heard_position = bot->match->def.heard_position;
    ploy_sense_memory *memory = NULL;
    ploy_result result =
        ploy_sense_memory_create(&def, raven_life_id(bot), &bot->match->env, &memory);
    if (result != PLOY_OK) return result;
    ploy_sense_memory_destroy(bot->memory);
    bot->memory = memory;
    return PLOY_OK;
}

ploy_result raven_bot_set_skill(raven_bot *bot, const raven_skill *skill) {
    if (bot->memory == NULL || skill->memory != bot->skill.memory) {
        ploy_result result = life_make_memory(bot, skill->memory);
        if (result != PLOY_OK) return result;
        ploy_target_clear(&bot->target); // the new memory is empty
    }
    bot->skill = *skill;
    bot->finger.fires = false; // it was decided with the skill from before
    const struct {
        ploy_regulator *regulator;
        float rate;
    } rates[] = {{&bot->vision, skill->vision_rate},
                 {&bot->targeting, skill->target_rate},
                 {&bot->choosing, skill->weapon_rate},
                 {&bot->arbitration, skill->arbitration_rate}};
    for (size_t i = 0; i < sizeof rates / sizeof rates[0]; i++) {
        double period = rates[i].rate > 0.0f   ? 1.0 / (double)rates[i].rate
                        : rates[i].rate < 0.0f ? -1.0
                                               : 0.0;
        rates[i].regulator->period = period;
    }
    bot->lod = 1.0f; // raven_step_lod sets it again
    return PLOY_OK;
}

// ---- bots that come and go

static ploy_result life_make_brain(raven_bot *bot) {
    raven_match *match = bot->match;
    const raven_brain *brain = raven_brain_at(match->def.brain);
    ploy_maker maker = ploy_maker_of(brain->make, bot);
    maker.name = brain->name;
    return ploy_nested_make(&bot->brain, maker, &match->env);
}

static ploy_result life_make_bot(raven_match *match, int32_t index, ploy_rng_key key) {
    raven_bot *bot = &match->bots[index];
    memset(bot, 0, sizeof *bot);
    bot->match = match;
    bot->index = index;
    bot->side = match->def.sides > 1 ? index % match->def.sides : index;
    bot->lod = 1.0f;
    bot->node = RAVEN_NOBODY;
    bot->status = RAVEN_SPAWNING;
    for (int32_t i = 0; i < RAVEN_BOTS_MAX; i++) bot->felt[i].last = -INFINITY;
    life_make_mover(bot);
    ploy_regulator *regulators[] = {&bot->vision, &bot->targeting, &bot->choosing,
                                    &bot->arbitration};
    const float rates[] = {match->def.skill.vision_rate, match->def.skill.target_rate,
                           match->def.skill.weapon_rate, match->def.skill.arbitration_rate};
    ploy_result result = PLOY_OK;
    for (int32_t i = 0; i < 4 && result == PLOY_OK; i++) {
        uint64_t seed = ploy_rng_u64_at(key, (uint32_t)index + 1, match->tick, (uint32_t)i);
        result = life_regulator(regulators[i], rates[i], 1.0f, match->now, seed);
    }
    if (result == PLOY_OK) result = raven_bot_set_skill(bot, &match->def.skill);
    ploy_goals_def goals = ploy_goals_def_default();
    goals.capacity = 8 * RAVEN_ORDERS_MAX;
    if (result == PLOY_OK) {
        result = ploy_goals_create(&goals, &bot->mover, &match->env, &bot->orders);
    }
    if (result == PLOY_OK)
        result = ploy_path_pool_reserve(match->pool, RAVEN_PATHS * (index + 1) + 1);
    if (result == PLOY_OK) result = life_make_brain(bot);
    if (result == PLOY_OK) result = raven_mind_add(match, index);
    if (result != PLOY_OK) return result;
    bot->present = true;
    if (index >= match->bot_count) match->bot_count = index + 1;
    return PLOY_OK;
}

void raven_bot_remove(raven_match *match, int32_t index) {
    raven_bot *bot = &match->bots[index];
    if (!bot->present) return;
    ploy_step_context context = raven_context(match, bot);
    ploy_nested_exit(&bot->brain, &context, PLOY_EXIT_REMOVED);
    ploy_nested_destroy(&bot->brain);
    ploy_goals_destroy(bot->orders);
    ploy_sense_memory_destroy(bot->memory);
    bot->orders = NULL;
    bot->memory = NULL;
    (void)ploy_triggers_remove_agent(match->triggers, raven_id(index));
    (void)ploy_engine_unregister(match->engine, match->mind_ids[index]);
    raven_forget(match, index);
    raven_drop_shots(match, index);
    bot->present = false;
    bot->possessed = false;
    if (match->selected == index) match->selected = RAVEN_NOBODY;
    while (match->bot_count > 0 && !match->bots[match->bot_count - 1].present) match->bot_count--;
}

ploy_result raven_step_population(raven_match *match, ploy_rng_key key) {
    int32_t count = 0;
    for (int32_t i = 0; i < match->bot_count; i++) count += match->bots[i].present ? 1 : 0;
    for (; count < match->wanted; count++) {
        int32_t index = 0;
        while (index < match->bot_count && match->bots[index].present) index++;
        ploy_result result = life_make_bot(match, index, key);
        if (result != PLOY_OK) return result;
        raven_hit_note note = {index, 0.0f};
        raven_send(match, RAVEN_NOBODY, RAVEN_NOBODY, RAVEN_MSG_ADDED, &note, sizeof note);
    }
    for (int32_t i = match->bot_count - 1; i >= 0 && count > match->wanted; i--) {
        if (!match->bots[i].present) continue;
        raven_hit_note note = {i, 0.0f};
        raven_send(match, RAVEN_NOBODY, RAVEN_NOBODY, RAVEN_MSG_REMOVED, &note, sizeof note);
        raven_bot_remove(match, i);
        count--;
    }
    return PLOY_OK;
}

// ---- spawning

static bool life_occupied(const raven_match *match, ploy_vec2 at) {
    float near = 2.0f * match->def.radius + 0.2f;
    for (int32_t i = 0; i < match->bot_count; i++) {
        const raven_bot *bot = &match->bots[i];
        if (raven_alive(bot) && ploy_vec2_distance_sq(bot->body.position, at) < near * near) {
            return true;
        }
    }
    return false;
}

// One of the free spawn points, each with the same chance; false if there is none.
static bool life_find_spawn(raven_bot *bot, ploy_vec2 *out) {
    const raven_map *map = bot->match->map;
    int32_t free_count = 0;
    for (int32_t i = 0; i < map->spawn_count; i++) {
        if (life_occupied(bot->match, map->spawns[i])) continue;
        free_count++;
        // The kth free one takes the place of the choice with a chance of 1 in k.
        if (raven_random(bot) * (float)free_count < 1.0f) *out = map->spawns[i];
    }
    return free_count > 0;
}

static void life_begin_again(raven_bot *bot) {
    ploy_step_context context = raven_context(bot->match, bot);
    ploy_nested_exit(&bot->brain, &context, PLOY_EXIT_INTERRUPTED);
    ploy_goals_clear(bot->orders, &context, ploy_goals_root(bot->orders));
    ploy_sense_memory_clear(bot->memory);
    ploy_target_clear(&bot->target);
    raven_steer(bot, PLOY_GOAL_STEER_NONE, bot->body.position, 0.0f);
    bot->weaves = false;
    bot->faces = false;
    for (int32_t i = 0; i < RAVEN_BOTS_MAX; i++) bot->felt[i].damage = 0.0f;
}

static void life_spawn(raven_match *match, raven_bot *bot) {
    ploy_vec2 at;
    if (!life_find_spawn(bot, &at)) return;
    float facing = PLOY_PI_F * (2.0f * raven_random(bot) - 1.0f);
    bot->body = ploy_kinematic_make(at, facing);
    bot->health = match->def.max_health;
    memset(bot->arms, 0, sizeof bot->arms);
    bot->arms[RAVEN_BLASTER].held = true;
    bot->weapon = RAVEN_BLASTER;
    bot->finger.weapon = RAVEN_BLASTER;
    bot->finger.facing_angle = facing;
    bot->wander_angle = 0.0f;
    bot->sample_count = 0;
    bot->sample_next = 0;
    bot->spawned = match->tick;
    bot->stuck_from = bot->blocked_from = at;
    bot->stuck_since = bot->blocked_since = match->tick;
    bot->status = RAVEN_ALIVE;
    ploy_trigger_agent_def agent = ploy_trigger_agent_def_default();
    agent.tests_per_second = match->def.trigger_rate;
    if (match->def.trigger_rate > 0.0f) {
        agent.first_test_s = raven_random(bot) / match->def.trigger_rate;
    }
    (void)ploy_triggers_add_agent(match->triggers, raven_id(bot->index), &agent);
    raven_note_event(match, RAVEN_EVENT_SPAWN, bot->index, RAVEN_NOBODY);
}

// ---- death

static void life_bury(raven_match *match, raven_bot *bot) {
    if (match->grave_count == RAVEN_GRAVES_MAX) {
        match->grave_count--;
        memmove(match->graves, match->graves + 1,
                sizeof match->graves[0] * (size_t)match->grave_count);
    }
    raven_grave grave = {bot->body.position, match->tick + raven_ticks(match, match->def.grave),
                         bot->index, 0};
    match->graves[match->grave_count++] = grave;
    (void)ploy_triggers_remove_agent(match->triggers, raven_id(bot->index));
    bot->lives++;
    life_begin_again(bot);
    bot->status = RAVEN_SPAWNING;
}

void raven_step_life(raven_match *match) {
    for (int32_t i = 0; i < match->bot_count; i++) {
        raven_bot *bot = &match->bots[i];
        if (bot->present && bot->status == RAVEN_DEAD) life_bury(match, bot);
    }
    // Spawn points are scarce, so the order is drawn too.
    int32_t order[RAVEN_BOTS_MAX];
    raven_draw_order(match, order);
    for (int32_t i = 0; i < match->bot_count; i++) {
        raven_bot *bot = &match->bots[order[i]];
        life_set_mover(bot);
        if (bot->present && bot->status == RAVEN_SPAWNING) life_spawn(match, bot);
    }
}

static void life_credit(raven_match *match, raven_bot *victim, int32_t shooter) {
    victim->deaths++;
    if (shooter == RAVEN_NOBODY || shooter == victim->index) {
        victim->suicides++;
        raven_note_event(match, RAVEN_EVENT_SUICIDE, victim->index, RAVEN_NOBODY);
        return;
    }
    raven_bot *killer = &match->bots[shooter];
    killer->felt[victim->index].killed++;
    victim->felt[shooter].died++;
    if (raven_hostile(match, killer, victim)) {
        killer->kills++;
        if (match->def.sides > 1) match->side_kills[killer->side]++;
    } else {
        killer->team_kills++;
    }
    raven_note_event(match, RAVEN_EVENT_KILL, shooter, victim->index);
    raven_hit_note note = {victim->index, 0.0f};
    raven_send(match, victim->index, shooter, RAVEN_MSG_KILLED, &note, sizeof note);
}

void raven_damage(raven_match *match, raven_bot *victim, int32_t shooter, float damage) {
    if (!raven_alive(victim)) return;
    float before = victim->health;
    victim->health = ploy_maxf(victim->health - damage, 0.0f);
    victim->flash_until = match->tick + raven_ticks(match, 0.2f);
    victim->last_hit = match->tick;
    if (shooter != RAVEN_NOBODY && shooter != victim->index) {
        raven_felt *felt = &victim->felt[shooter];
        felt->damage = raven_felt_damage(victim, shooter) + damage;
        felt->last = match->now;
        match->bots[shooter].damage += (double)(before - victim->health);
        raven_team_hit(&match->bots[shooter], victim->index, damage);
    }
    raven_hit_note note = {shooter, damage};
    raven_send(match, shooter, victim->index, RAVEN_MSG_HIT, &note, sizeof note);
    if (victim->health > 0.0f) return;
    victim->status = RAVEN_DEAD;
    life_credit(match, victim, shooter);
    raven_forget(match, victim->index);
    raven_team_killed(match, victim->index);
    raven_hit_note died = {victim->index, 0.0f};
    raven_send(match, victim->index, RAVEN_NOBODY, RAVEN_MSG_DIED, &died, sizeof died);
}

void raven_step_graves(raven_match *match) {
    int32_t kept = 0;
    for (int32_t i = 0; i < match->grave_count; i++) {
        if (match->graves[i].until > match->tick) match->graves[kept++] = match->graves[i];
    }
    match->grave_count = kept;
}
