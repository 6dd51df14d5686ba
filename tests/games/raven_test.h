// What the tests of Raven share: a match whose state they can see and change, in a plain hall.
#pragma once

#include "games/games.h"
#include "games/raven/raven.h"
#include "ploy/base/math.h"
#include "tests/test.h"

// A hall of 40 by 30 m with a wall across a part of it, two items and four spawn points.
//
//     +--------------------------------------+
//     |  s                        |        s |
//     |                           |          |
//     |              h            |     r    |
//     |                           |          |
//     |  s                        |        s |
//     +--------------------------------------+
static const char raven_hall[] = "wall 0 0 40 0\nwall 40 0 40 30\nwall 40 30 0 30\nwall 0 30 0 0\n"
                                 "wall 30 5 30 25\n"
                                 "spawn 2 2\nspawn 2 28\nspawn 38 2\nspawn 38 28\n"
                                 "item health 15 15 50\nitem rocket 35 15\n";

typedef struct raven_scene {
    ploy_region *region;
    ploy_env env;
    raven_match *match;
    raven_def def; // the parameters of the next tick
    ploy_rng_key key;
    uint64_t tick;
} raven_scene;

static inline const ploy_sim_type *raven_type(void) {
    return ploy_sim_type_find(ploy_games(), "raven", NULL);
}

// One tick with those inputs; trace may be NULL.
static inline void raven_scene_tick(test_context *t, raven_scene *scene, const ploy_input *inputs,
                                    int32_t count, ploy_trace *trace) {
    ploy_sim_context context;
    memset(&context, 0, sizeof context);
    context.tick = scene->tick++;
    context.dt = raven_type()->dt;
    context.inputs = inputs;
    context.input_count = count;
    context.key = scene->key;
    context.trace = trace;
    context.params = &scene->def;
    context.env = &scene->env;
    CHECK_OK(raven_type()->step(scene->match, &context));
}

static inline void raven_scene_run(test_context *t, raven_scene *scene, int32_t ticks) {
    for (int32_t i = 0; i < ticks; i++) raven_scene_tick(t, scene, NULL, 0, NULL);
}

// A match of that seed; `change` may set parameters. A text takes the place of the level: NULL
// keeps the one of the parameters.
static inline void raven_scene_begin(test_context *t, raven_scene *scene, uint64_t seed,
                                     void (*change)(raven_def *def), const char *text) {
    ploy_env env = ploy_env_default();
    memset(scene, 0, sizeof *scene);
    CHECK_OK(ploy_region_create((size_t)1 << 26, &env, &scene->region));
    scene->env = ploy_region_env(scene->region);
    scene->key = ploy_rng_key_make(seed);
    ploy_fields_default(raven_fields(), &scene->def);
    if (change != NULL) change(&scene->def);
    void *state = NULL;
    CHECK_OK(raven_type()->create(&scene->def, scene->key, &scene->env, &state));
    scene->match = state;
    ploy_input reload;
    memset(&reload, 0, sizeof reload);
    reload.kind = PLOY_INPUT_RELOAD;
    reload.name = "map";
    reload.bytes = text;
    reload.size = text != NULL ? strlen(text) : 0;
    raven_scene_tick(t, scene, &reload, text != NULL ? 1 : 0, NULL);
}

static inline void raven_scene_end(raven_scene *scene) {
    ploy_region_destroy(scene->region);
}

// Puts a bot somewhere, alive and at rest, looking along an angle.
static inline raven_bot *raven_scene_put(raven_scene *scene, int32_t index, float x, float y,
                                         float angle) {
    raven_bot *bot = &scene->match->bots[index];
    bot->body = ploy_kinematic_make(ploy_vec2_make(x, y), angle);
    if (bot->status != RAVEN_ALIVE) {
        bot->health = scene->match->def.max_health;
        bot->arms[RAVEN_BLASTER].held = true;
    }
    bot->status = RAVEN_ALIVE;
    bot->stuck_from = bot->blocked_from = bot->body.position;
    bot->stuck_since = bot->blocked_since = scene->match->tick;
    return bot;
}

static inline void raven_scene_command(test_context *t, raven_scene *scene, const char *name,
                                       int32_t bot, ploy_value value) {
    ploy_input input;
    memset(&input, 0, sizeof input);
    input.kind = PLOY_INPUT_COMMAND;
    input.name = name;
    input.value = value;
    if (bot != RAVEN_NOBODY) input.agent = raven_id(bot);
    raven_scene_tick(t, scene, &input, 1, NULL);
}

// What a test keeps from tick to tick, to compare.
typedef struct raven_watch {
    bool active[64];
    uint64_t due[64];
    double damage[RAVEN_BOTS_MAX]; // that each bot has done to others
    raven_shot shots[RAVEN_SHOTS_MAX];
    int32_t shot_count;
    bool begun;
    bool leaves; // bots may leave, and their points with them
} raven_watch;

// A shot of the tick before in the list of now, from `at` on: shots keep their order. -1: it has ended.
static inline int32_t raven_watch_find(const raven_match *match, const raven_shot *old,
                                       int32_t at) {
    for (int32_t i = at; i < match->shot_count; i++) {
        const raven_shot *shot = &match->shots[i];
        if (shot->volley == old->volley && ploy_vec2_equal(shot->velocity, old->velocity)) return i;
    }
    return -1;
}

// Projectiles stay valid, and each damages a body at most once: what a bot's shots did to others in
// this tick is no more than each of their hits accounts for.
static inline void raven_watch_shots(test_context *t, const raven_match *match,
                                     raven_watch *watch) {
    double most[RAVEN_BOTS_MAX] = {0};
    int32_t at = 0;
    for (int32_t i = 0; i < watch->shot_count; i++) {
        const raven_shot *old = &watch->shots[i];
        const raven_weapon_def *def = &match->weapons.items[old->weapon];
        int32_t found = raven_watch_find(match, old, at);
        uint64_t fresh = 0;
        if (found >= 0) {
            at = found + 1;
            CHECK_INT(old->struck & ~match->shots[found].struck, 0);
            fresh = match->shots[found].struck & ~old->struck;
            fresh &= ~((uint64_t)1 << old->shooter);
        } else if (old->state == RAVEN_SHOT_FLYING) {
            // Those that pierce or explode are shown after they have hit; unless their bot has left.
            CHECK(watch->leaves || (!def->pierces && !(def->blast > 0.0f)));
            fresh = 1;
        }
        for (; fresh != 0; fresh &= fresh - 1) most[old->shooter] += (double)def->damage;
    }
    for (int32_t i = 0; i < match->bot_count; i++) {
        if (watch->begun) CHECK(match->bots[i].damage - watch->damage[i] <= most[i] + 1e-3);
        watch->damage[i] = match->bots[i].damage;
    }
    for (int32_t i = 0; i < match->shot_count; i++) {
        const raven_shot *shot = &match->shots[i];
        CHECK(shot->shooter >= 0 && shot->shooter < RAVEN_BOTS_MAX);
        CHECK(ploy_vec2_is_finite(shot->position));
        watch->shots[i] = *shot;
    }
    watch->shot_count = match->shot_count;
}

// What must hold after every tick, whatever happens.
static inline void raven_scene_check(test_context *t, const raven_match *match,
                                     raven_watch *watch) {
    int64_t deaths = 0, points = 0;
    for (int32_t i = 0; i < match->bot_count; i++) {
        const raven_bot *bot = &match->bots[i];
        if (!bot->present) continue;
        deaths += bot->deaths;
        points += bot->kills + bot->suicides + bot->team_kills;
        CHECK_INT(bot->early_shots, 0);
        CHECK_INT(bot->blind_targets, 0);
        CHECK(bot->hits <= bot->shots);
        CHECK(bot->health <= match->def.max_health);
        for (int32_t w = 0; w < RAVEN_WEAPONS; w++) {
            CHECK(bot->arms[w].rounds >= 0);
            CHECK(bot->arms[w].rounds <= match->weapons.items[w].max_rounds);
        }
        if (!raven_alive(bot)) continue;
        CHECK(bot->arms[RAVEN_BLASTER].held);
        CHECK(bot->arms[bot->weapon].held);
        CHECK(bot->health > 0.0f);
        CHECK(ploy_vec2_is_finite(bot->body.position) && ploy_vec2_is_finite(bot->body.velocity));
        CHECK(ploy_vec2_length(bot->body.velocity) <= 1.001f * match->def.max_speed);
        // Nobody in a wall.
        CHECK_INT(ploy_scene_overlap(&match->map->scene,
                                     ploy_vec3_from_vec2(bot->body.position, 0.0f),
                                     0.99f * match->def.radius, RAVEN_MASK_SOLID, NULL, 0),
                  0);
    }
    if (!watch->leaves) CHECK_INT(points, deaths);
    raven_watch_shots(t, match, watch);
    // Items are back exactly when they are due.
    for (int32_t i = 0; i < match->map->item_count && i < 64; i++) {
        const raven_item *item = &match->map->items[i];
        if (watch->begun && !watch->active[i] && item->active) {
            CHECK_UINT(match->tick, watch->due[i]);
        }
        if (!item->active) CHECK(item->due > match->tick);
        watch->active[i] = item->active;
        watch->due[i] = item->due;
    }
    watch->begun = true;
}
