// The lab of a shared seed: two players go down the same dungeon. One fights a lot, the other does
// not, and fights draw random numbers. With named streams both find the same levels and treasure;
// with one stream for everything, the first fight changes all that comes after it.
//
// A level is a few rooms (discs of a scatter) joined in the order in which they were placed, and a
// treasure in one of them. It is made when the player arrives, without the levels before it.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "labs/lab_input.h"
#include "labs/labs.h"
#include "ploy/base/hash.h"
#include "ploy/generate/generator.h"
#include "ploy/generate/scatter.h"

enum { DESCENT_PLAYERS = 2, DESCENT_ROOMS = 12, DESCENT_HISTORY = 8 };

static const float descent_side = 24.0f; // m, of a level

typedef struct descent_lab_def {
    uint32_t cookie;
    bool streams;
    int32_t fights_first, fights_second;
    int32_t rooms;
    float pace;
} descent_lab_def;

static const ploy_field descent_lab_fields[] = {
    PLOY_FIELD_BOOL(descent_lab_def, streams, true,
                    "a named stream for levels, treasure and combat each; off: one for all"),
    PLOY_FIELD_I32(descent_lab_def, fights_first, 40, 0, 1000, "",
                   "combat draws of the first player in each room"),
    PLOY_FIELD_I32(descent_lab_def, fights_second, 0, 0, 1000, "",
                   "combat draws of the second player in each room"),
    PLOY_FIELD_I32(descent_lab_def, rooms, 8, 2, DESCENT_ROOMS, "", "rooms of a level"),
    PLOY_FIELD_F32(descent_lab_def, pace, 4, 0.1f, 100, "1/s", "rooms a player visits"),
};

static ploy_fields descent_lab_get_fields(void) {
    return PLOY_FIELDS(descent_lab_def, descent_lab_fields);
}

typedef struct descent_player {
    int32_t level;
    int32_t room_count, room; // rooms of the level, and where the player is
    ploy_placed rooms[DESCENT_ROOMS];
    int32_t treasure; // room of it
    int32_t gold;     // what is in it
    int64_t found, hits;
    ploy_rng one;                      // draws of everything, if there is one stream for all
    uint64_t combat;                   // draws of fights so far
    uint64_t history[DESCENT_HISTORY]; // hashes of the last levels, the newest first
} descent_player;

typedef struct descent_lab {
    ploy_env env;
    descent_lab_def def;
    float wait;              // s until the next room
    int64_t same, different; // levels of the same depth that are equal, or not
    descent_player players[DESCENT_PLAYERS];
} descent_lab;

// The key of a level: below the seed's stream of levels, or drawn from the one stream there is.
static ploy_rng_key descent_level_key(const descent_lab *lab, descent_player *player,
                                      ploy_rng_key key) {
    if (lab->def.streams) {
        return ploy_rng_key_split(ploy_generate_stream(key, "levels"), (uint64_t)player->level);
    }
    return ploy_rng_key_make(ploy_rng_u64(&player->one));
}

static ploy_result descent_enter(descent_lab *lab, descent_player *player, ploy_rng_key key) {
    ploy_scatter_def def = ploy_scatter_def_default();
    def.width = def.height = descent_side;
    def.radius_min = 1.5f;
    def.radius_max = 3.0f;
    def.separation = 3.0f;
    def.centre_start = false;
    def.whole_inside = true;
    def.max_points = lab->def.rooms;
    ploy_generator level;
    ploy_result result =
        ploy_generator_run(ploy_scatter_generator(), &def, descent_level_key(lab, player, key),
                           NULL, NULL, &lab->env, &level);
    if (result != PLOY_OK) return result;
    ploy_content content = ploy_generator_content(level);
    player->room_count = content.point_count < DESCENT_ROOMS ? content.point_count : DESCENT_ROOMS;
    memset(player->rooms, 0, sizeof player->rooms);
    memcpy(player->rooms, content.points, (size_t)player->room_count * sizeof player->rooms[0]);
    player->room = 0;
    uint64_t hash = ploy_content_hash_points(&content);
    ploy_generator_cancel(level);
    // Treasure has its own stream: another draw here would change no level.
    ploy_rng_key treasure = ploy_generate_stream(key, "treasure");
    if (lab->def.streams) {
        player->treasure =
            ploy_rng_int_at(treasure, (uint32_t)player->level, 0, 0, 0, player->room_count - 1);
        player->gold = ploy_rng_int_at(treasure, (uint32_t)player->level, 0, 1, 5, 100);
    } else {
        player->treasure = ploy_rng_int(&player->one, 0, player->room_count - 1);
        player->gold = ploy_rng_int(&player->one, 5, 100);
    }
    hash = ploy_hash_combine(ploy_hash_combine(hash, (uint64_t)player->treasure),
                             (uint64_t)player->gold);
    memmove(player->history + 1, player->history, sizeof player->history - sizeof hash);
    player->history[0] = hash;
    return PLOY_OK;
}

static ploy_result descent_lab_create(const void *params, ploy_rng_key key, const ploy_env *env,
                                      void **out) {
    descent_lab *lab = ploy_env_alloc_zero(env, sizeof *lab);
    if (lab == NULL) return PLOY_ERR_MEMORY;
    lab->env = *env;
    memcpy(&lab->def, params, sizeof lab->def);
    for (int32_t i = 0; i < DESCENT_PLAYERS; i++) {
        lab->players[i].one = ploy_rng_from_key(key, 0);
        ploy_result result = descent_enter(lab, &lab->players[i], key);
        if (result != PLOY_OK) return result;
    }
    *out = lab;
    return PLOY_OK;
}

static void descent_fight(const descent_lab *lab, descent_player *player, int32_t index,
                          ploy_rng_key key) {
    int32_t fights = index == 0 ? lab->def.fights_first : lab->def.fights_second;
    for (int32_t i = 0; i < fights; i++) {
        float roll = lab->def.streams ? ploy_rng_float_at(ploy_generate_stream(key, "combat"),
                                                          (uint32_t)index, player->combat, 0)
                                      : ploy_rng_float(&player->one);
        player->combat++;
        player->hits += roll < 0.5f;
    }
}

static void descent_explain(const descent_player *player, int32_t index, ploy_trace *trace) {
    bool more = player->room + 1 < player->room_count;
    ploy_trace_begin(trace, ploy_agent_id_make((uint32_t)index + 1, 1), "next", "in order");
    ploy_trace_option(trace, "next room", more ? PLOY_OUTCOME_WON : PLOY_OUTCOME_REJECTED,
                      (double)NAN, more ? "rooms are visited in order" : "this room is the last");
    ploy_trace_option(trace, "next level", more ? PLOY_OUTCOME_REJECTED : PLOY_OUTCOME_WON,
                      (double)NAN, more ? "rooms of this level are left" : "no room is left");
    ploy_trace_i64(trace, "room", player->room);
    ploy_trace_i64(trace, "rooms", player->room_count);
    ploy_trace_end(trace);
}

static ploy_result descent_lab_step(void *state, const ploy_sim_context *context) {
    descent_lab *lab = state;
    memcpy(&lab->def, context->params, sizeof lab->def);
    lab->wait -= context->dt;
    if (lab->wait > 0.0f) return PLOY_OK;
    lab->wait = 1.0f / lab->def.pace;
    for (int32_t i = 0; i < DESCENT_PLAYERS; i++) {
        descent_player *player = &lab->players[i];
        descent_fight(lab, player, i, context->key);
        descent_explain(player, i, context->trace);
        if (player->room == player->treasure) player->found += player->gold;
        player->room++;
        if (player->room < player->room_count) continue;
        player->level++;
        ploy_result result = descent_enter(lab, player, context->key);
        if (result != PLOY_OK) return result;
    }
    const descent_player *a = &lab->players[0], *b = &lab->players[1];
    if (a->room == 0 && a->level == b->level) {
        bool equal = a->history[0] == b->history[0];
        lab->same += equal;
        lab->different += !equal;
    }
    return PLOY_OK;
}

static void descent_draw_player(const descent_lab *lab, int32_t index, ploy_draw *out) {
    const descent_player *player = &lab->players[index];
    ploy_agent_id none = ploy_agent_id_none(), owner = ploy_agent_id_make((uint32_t)index + 1, 1);
    ploy_vec2 corner = ploy_vec2_make(index == 0 ? -26.0f : 2.0f, -12.0f);
    for (int32_t i = 0; i < player->room_count; i++) {
        ploy_vec2 at = ploy_vec2_add(corner, player->rooms[i].position);
        if (i > 0) {
            ploy_draw_line(out, PLOY_LAYER_PATHS, PLOY_STYLE_PATH, none,
                           ploy_vec2_add(corner, player->rooms[i - 1].position), at);
        }
        ploy_draw_disc(out, PLOY_LAYER_WORLD, PLOY_STYLE_FLOOR, none, at, player->rooms[i].radius,
                       1.0f);
        ploy_draw_circle(out, PLOY_LAYER_WORLD, PLOY_STYLE_WALL, none, at, player->rooms[i].radius);
        if (i == player->treasure) {
            ploy_draw_disc(out, PLOY_LAYER_REGIONS, PLOY_STYLE_WARNING, none,
                           ploy_vec2_make(at.x + 0.8f, at.y), 0.4f, 1.0f);
        }
    }
    ploy_vec2 at = ploy_vec2_add(corner, player->rooms[player->room].position);
    ploy_draw_agent(out, index == 0 ? PLOY_STYLE_AGENT_A : PLOY_STYLE_AGENT_B, owner, at, 0.0f,
                    0.6f);
    char text[96];
    snprintf(text, sizeof text, "level %d gold %d draws %d", (int)player->level, (int)player->found,
             (int)player->combat);
    ploy_draw_text(out, owner, ploy_vec2_make(corner.x, corner.y + descent_side + 0.5f), text);
    snprintf(text, sizeof text, "%016llx", (unsigned long long)player->history[0]);
    ploy_draw_text(out, owner, ploy_vec2_make(corner.x, corner.y - 1.5f), text);
}

static void descent_lab_draw(const void *state, ploy_draw *out) {
    const descent_lab *lab = state;
    ploy_draw_key(out, PLOY_STYLE_AGENT_A, "fighter");
    ploy_draw_key(out, PLOY_STYLE_AGENT_B, "sneak");
    ploy_draw_key(out, PLOY_STYLE_WARNING, "treasure");
    ploy_draw_key(out, PLOY_STYLE_PATH, "order of the rooms");
    for (int32_t i = 0; i < DESCENT_PLAYERS; i++) descent_draw_player(lab, i, out);
    char text[64];
    snprintf(text, sizeof text, "levels: %d equal, %d different", (int)lab->same,
             (int)lab->different);
    ploy_draw_text(out, ploy_agent_id_none(), ploy_vec2_make(-6.0f, -15.5f), text);
}

static void descent_lab_describe(const void *state, ploy_describe *out) {
    const descent_lab *lab = state;
    ploy_describe_i64(out, "equal levels", PLOY_STATE, lab->same);
    ploy_describe_i64(out, "different levels", PLOY_STATE, lab->different);
    ploy_describe_f32(out, "wait", PLOY_STATE, lab->wait);
    for (int32_t i = 0; i < DESCENT_PLAYERS; i++) {
        const descent_player *player = &lab->players[i];
        ploy_rng next = player->one;
        ploy_describe_begin_agent(out, i == 0 ? "fighter" : "sneak",
                                  ploy_agent_id_make((uint32_t)i + 1, 1));
        ploy_describe_i64(out, "level", PLOY_STATE, player->level);
        ploy_describe_i64(out, "room", PLOY_STATE, player->room);
        ploy_describe_i64(out, "rooms", PLOY_STATE, player->room_count);
        ploy_describe_i64(out, "gold", PLOY_STATE, player->found);
        ploy_describe_i64(out, "hits", PLOY_STATE, player->hits);
        ploy_describe_u64(out, "combat draws", PLOY_STATE, player->combat);
        ploy_describe_u64(out, "this level", PLOY_STATE, player->history[0]);
        ploy_describe_u64(out, "level before", PLOY_STATE, player->history[1]);
        ploy_describe_u64(out, "one stream", PLOY_STATE, ploy_rng_u64(&next));
        ploy_describe_end(out);
    }
}

extern const ploy_sim_type ploy_lab_descent; // in labs.c
const ploy_sim_type ploy_lab_descent = {
    .name = "descent",
    .title = "Shared seed",
    .help = "Two players in the dungeon of one seed. However much they fight, named streams give "
            "both the same levels and treasure. Switch streams off to see them drift apart.",
    .version = 1,
    .dt = 1.0f / 30.0f,
    .view = {-28.0f, -17.0f, 28.0f, 15.0f},
    .fields = descent_lab_get_fields,
    .create = descent_lab_create,
    .destroy = NULL, // the region goes with the simulation
    .step = descent_lab_step,
    .draw = descent_lab_draw,
    .describe = descent_lab_describe,
};
