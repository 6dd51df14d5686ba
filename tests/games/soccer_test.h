// What the tests of Simple Soccer share: a match whose state they can see and change.
#pragma once

#include "games/games.h"
#include "games/soccer/soccer.h"
#include "tests/test.h"
#include "world/world_internal.h"

typedef struct soccer_scene {
    ploy_region *region;
    ploy_env env;
    soccer_match *match;
    soccer_def def; // the parameters of the next tick
    ploy_rng_key key;
    uint64_t tick;
} soccer_scene;

// A match of that seed with the default parameters, changed by `change` if there is one.
static inline void soccer_scene_begin(test_context *t, soccer_scene *scene, uint64_t seed,
                                      void (*change)(soccer_def *def)) {
    ploy_env env = ploy_env_default();
    const ploy_sim_type *type = ploy_sim_type_find(ploy_games(), "soccer", NULL);
    memset(scene, 0, sizeof *scene);
    CHECK(type != NULL);
    CHECK_OK(ploy_region_create((size_t)1 << 20, &env, &scene->region));
    scene->env = ploy_region_env(scene->region);
    scene->key = ploy_rng_key_make(seed);
    ploy_fields_default(soccer_fields(), &scene->def);
    if (change != NULL) change(&scene->def);
    void *state = NULL;
    CHECK_OK(type->create(&scene->def, scene->key, &scene->env, &state));
    scene->match = state;
}

static inline void soccer_scene_end(soccer_scene *scene) {
    ploy_region_destroy(scene->region);
}

// One tick with those inputs; trace may be NULL.
static inline void soccer_scene_tick(test_context *t, soccer_scene *scene, const ploy_input *inputs,
                                     int32_t count, ploy_trace *trace) {
    const ploy_sim_type *type = ploy_sim_type_find(ploy_games(), "soccer", NULL);
    ploy_sim_context context;
    memset(&context, 0, sizeof context);
    context.tick = scene->tick++;
    context.dt = type->dt;
    context.inputs = inputs;
    context.input_count = count;
    context.key = scene->key;
    context.trace = trace;
    context.params = &scene->def;
    context.env = &scene->env;
    CHECK_OK(type->step(scene->match, &context));
}

static inline void soccer_scene_run(test_context *t, soccer_scene *scene, int32_t ticks) {
    for (int32_t i = 0; i < ticks; i++) soccer_scene_tick(t, scene, NULL, 0, NULL);
}

// Puts a player somewhere, at rest, looking along an angle.
static inline void soccer_scene_put(soccer_scene *scene, int32_t player, float x, float y,
                                    float angle) {
    soccer_player *one = &scene->match->players[player];
    one->body = ploy_kinematic_make(ploy_vec2_make(x, y), angle);
    one->target = one->body.position;
}

// Puts everybody far off the middle, in two columns at the sides, so that one scene can be built in
// between.
static inline void soccer_scene_clear(soccer_scene *scene) {
    for (int32_t i = 0; i < SOCCER_PLAYERS; i++) {
        float y = i % 2 == 0 ? 17.0f : -17.0f;
        soccer_scene_put(scene, i, -31.0f + 6.0f * (float)i, y, 0.0f);
    }
}

static inline void soccer_scene_ball(soccer_scene *scene, float x, float y, float vx, float vy) {
    soccer_ball_place(&scene->match->ball, ploy_vec2_make(x, y));
    scene->match->ball.velocity = ploy_vec2_make(vx, vy);
}

static inline void soccer_scene_command(test_context *t, soccer_scene *scene, const char *name,
                                        int32_t player, ploy_value value) {
    ploy_input input;
    memset(&input, 0, sizeof input);
    input.kind = PLOY_INPUT_COMMAND;
    input.name = name;
    input.value = value;
    if (player != SOCCER_NOBODY) input.agent = soccer_id(player);
    soccer_scene_tick(t, scene, &input, 1, NULL);
}

// What must hold after every tick, whatever happens.
static inline void soccer_scene_check(test_context *t, const soccer_scene *scene) {
    const soccer_match *match = scene->match;
    float radius = match->def.ball_radius, slack = 1e-4f;
    CHECK(ploy_vec2_is_finite(match->ball.position) && ploy_vec2_is_finite(match->ball.velocity));
    CHECK(fabsf(match->ball.position.y) <= SOCCER_HALF_WIDTH - radius + slack);
    float end = fabsf(match->ball.position.y) < 0.5f * match->def.goal_width
                    ? SOCCER_HALF_LENGTH
                    : SOCCER_HALF_LENGTH - radius;
    CHECK(fabsf(match->ball.position.x) <= end + slack);
    CHECK(match->teams[0].controlling == SOCCER_NOBODY ||
          match->teams[1].controlling == SOCCER_NOBODY);
    ploy_telegrams_counts counts = ployi_telegrams_counts_of(match->telegrams);
    CHECK_INT(counts.sent, counts.fates[PLOY_TELEGRAM_HANDLED] +
                               counts.fates[PLOY_TELEGRAM_UNHANDLED]); // none failed or got lost
    if (match->holder != SOCCER_NOBODY) {
        CHECK(ploy_vec2_length(match->ball.velocity) == 0.0f);
        CHECK(match->players[match->holder].role == SOCCER_KEEPER);
    }
    for (int32_t team = 0; team < SOCCER_TEAMS; team++) {
        int32_t receiving = 0, supporting = 0;
        for (int32_t i = 0; i < SOCCER_TEAM_SIZE; i++) {
            const soccer_player *player = &match->players[team * SOCCER_TEAM_SIZE + i];
            CHECK(ploy_vec2_is_finite(player->body.position));
            CHECK(ploy_vec2_is_finite(player->body.velocity));
            float most = fmaxf(match->def.max_speed, match->def.max_speed_ball);
            CHECK(ploy_vec2_length(player->body.velocity) <= 1.001f * most);
            CHECK(fabsf(player->body.position.x) <= SOCCER_HALF_LENGTH);
            CHECK(fabsf(player->body.position.y) <= SOCCER_HALF_WIDTH);
            if (player->role == SOCCER_KEEPER) continue;
            int32_t state = player->machine.state;
            receiving += state == SOCCER_RECEIVE ? 1 : 0;
            supporting += state == SOCCER_SUPPORT ? 1 : 0;
            if (state == SOCCER_KICK || state == SOCCER_DRIBBLE) {
                CHECK(match->tick - player->since <= 1);
            }
            // What is switched on fits the state.
            CHECK_INT((player->on & SOCCER_SEEK) != 0 && state != SOCCER_TAKEN,
                      state == SOCCER_CHASE);
            if (state == SOCCER_KICK || state == SOCCER_DRIBBLE || state == SOCCER_CHASE) {
                CHECK((player->on & (SOCCER_ARRIVE | SOCCER_PURSUE | SOCCER_INTERPOSE)) == 0);
            }
        }
        CHECK(receiving <= 1);
        CHECK(supporting <= 1);
        int32_t receiver = match->teams[team].receiver;
        CHECK(receiver == SOCCER_NOBODY ||
              match->players[receiver].machine.state == SOCCER_RECEIVE);
        CHECK_INT(receiving, receiver == SOCCER_NOBODY ? 0 : 1);
    }
}
