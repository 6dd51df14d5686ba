// What one sees of a match: the pitch, the players with their states, the spots, and every value.
#include "games/soccer/soccer.h"

#include <stdio.h>
#include <string.h>

#include "ploy/geom/angle.h"

static const ploy_style sight_styles[SOCCER_TEAMS] = {PLOY_STYLE_AGENT_B, PLOY_STYLE_AGENT_A};

static const char *const sight_team_names[SOCCER_TEAMS] = {"red", "blue"};

// ---- draw ----

static void draw_box(ploy_draw *out, ploy_layer layer, ploy_style style, ploy_vec2 min,
                     ploy_vec2 max, float alpha) {
    ploy_vec2 corners[5] = {min, {max.x, min.y}, max, {min.x, max.y}, min};
    if (alpha > 0.0f) {
        ploy_draw_polygon(out, layer, style, ploy_agent_id_none(), corners, 4, alpha);
    } else {
        ploy_draw_polyline(out, layer, style, ploy_agent_id_none(), corners, 5);
    }
}

static void draw_pitch(const soccer_match *match, ploy_draw *out) {
    const float depth = 2.0f, box = 6.0f; // m, of the nets and of the boxes before them
    ploy_agent_id nobody = ploy_agent_id_none();
    ploy_vec2 corner = {SOCCER_HALF_LENGTH, SOCCER_HALF_WIDTH};
    draw_box(out, PLOY_LAYER_WORLD, PLOY_STYLE_GOOD, ploy_vec2_scale(corner, -1.0f), corner, 0.16f);
    for (int32_t i = 0; i < SOCCER_TEAMS; i++) {
        const soccer_goal *goal = &match->teams[i].home_goal;
        ploy_vec2 back = ploy_vec2_scale(goal->facing, -depth);
        ploy_vec2 net[4] = {goal->post_a, ploy_vec2_add(goal->post_a, back),
                            ploy_vec2_add(goal->post_b, back), goal->post_b};
        ploy_draw_polygon(out, PLOY_LAYER_WORLD, sight_styles[i], nobody, net, 4, 0.35f);
        ploy_draw_polyline(out, PLOY_LAYER_WORLD, PLOY_STYLE_WALL, nobody, net, 4);
        ploy_vec2 front = ploy_vec2_scale(goal->facing, box);
        ploy_vec2 area[4] = {{goal->post_a.x, goal->post_a.y - 2.0f},
                             {goal->post_a.x + front.x, goal->post_a.y - 2.0f},
                             {goal->post_b.x + front.x, goal->post_b.y + 2.0f},
                             {goal->post_b.x, goal->post_b.y + 2.0f}};
        ploy_draw_polyline(out, PLOY_LAYER_WORLD, PLOY_STYLE_GHOST, nobody, area, 4);
        // The wall on this side, open at the goal.
        float x = goal->centre.x;
        ploy_draw_line(out, PLOY_LAYER_WORLD, PLOY_STYLE_WALL, nobody,
                       ploy_vec2_make(x, -SOCCER_HALF_WIDTH), goal->post_a);
        ploy_draw_line(out, PLOY_LAYER_WORLD, PLOY_STYLE_WALL, nobody, goal->post_b,
                       ploy_vec2_make(x, SOCCER_HALF_WIDTH));
        float y = i == 0 ? SOCCER_HALF_WIDTH : -SOCCER_HALF_WIDTH;
        ploy_draw_line(out, PLOY_LAYER_WORLD, PLOY_STYLE_WALL, nobody,
                       ploy_vec2_make(-SOCCER_HALF_LENGTH, y),
                       ploy_vec2_make(SOCCER_HALF_LENGTH, y));
    }
    ploy_draw_line(out, PLOY_LAYER_WORLD, PLOY_STYLE_GHOST, nobody,
                   ploy_vec2_make(0.0f, -SOCCER_HALF_WIDTH),
                   ploy_vec2_make(0.0f, SOCCER_HALF_WIDTH));
    ploy_draw_circle(out, PLOY_LAYER_WORLD, PLOY_STYLE_GHOST, nobody, ploy_vec2_make(0.0f, 0.0f),
                     6.0f);
}

static void draw_regions(ploy_draw *out) {
    if (!ploy_draw_wants(out, PLOY_LAYER_REGIONS)) return;
    for (int32_t i = 0; i < SOCCER_REGIONS; i++) {
        soccer_region region = soccer_region_get(i);
        draw_box(out, PLOY_LAYER_REGIONS, PLOY_STYLE_FLOOR, region.min, region.max, 0.0f);
    }
}

static void draw_spots(const soccer_match *match, const soccer_team *team, ploy_draw *out) {
    if (team->best_spot == SOCCER_NOBODY || team->controlling == SOCCER_NOBODY) return;
    for (int32_t i = 0; i < SOCCER_SPOTS; i++) {
        ploy_vec2 spot = soccer_spot(team->side, i);
        bool best = i == team->best_spot;
        ploy_draw_disc(out, PLOY_LAYER_INFLUENCE,
                       best ? PLOY_STYLE_TARGET : sight_styles[team->index], ploy_agent_id_none(),
                       spot, 0.12f * team->spot_scores[i], best ? 0.8f : 0.3f);
    }
    if (team->supporting == SOCCER_NOBODY) return;
    ploy_draw_line(out, PLOY_LAYER_INFLUENCE, PLOY_STYLE_TARGET, soccer_id(team->supporting),
                   match->players[team->supporting].body.position,
                   soccer_support_spot(match, team));
}

static void draw_player(const soccer_match *match, const soccer_player *player, ploy_draw *out) {
    ploy_agent_id id = soccer_id(player->index);
    const soccer_team *team = &match->teams[player->team];
    float radius = match->def.player_radius;
    ploy_vec2 at = player->body.position;
    const uint32_t goes = SOCCER_SEEK | SOCCER_ARRIVE | SOCCER_PURSUE | SOCCER_INTERPOSE;
    if ((player->on & goes) != 0) {
        ploy_draw_line(out, PLOY_LAYER_PATHS, PLOY_STYLE_GHOST, id, at, player->target);
    }
    ploy_draw_agent(out, sight_styles[player->team], id, at, player->body.orientation, radius);
    ploy_steering_draw(&player->steering, at, 0.02f, id, out);
    if (team->controlling == player->index) {
        ploy_draw_circle(out, PLOY_LAYER_AGENTS, PLOY_STYLE_TARGET, id, at, radius + 0.35f);
    }
    if (player->taken) {
        ploy_draw_circle(out, PLOY_LAYER_AGENTS, PLOY_STYLE_WARNING, id, at, radius + 0.7f);
    }
    if (ploy_draw_wants(out, PLOY_LAYER_SENSES) && player->role != SOCCER_KEEPER &&
        team->controlling == player->index && soccer_threatened(match, player)) {
        ploy_draw_circle(out, PLOY_LAYER_SENSES, PLOY_STYLE_WARNING, id, at,
                         soccer_def_of(match, player->team)->comfort_zone);
    }
}

// ---- labels

static const float label_letter = 0.95f; // m, how wide a letter is in a picture of the whole pitch
static const float label_height = 1.4f;  // m

typedef struct label_box {
    float x0, y0, x1, y1;
} label_box;

static bool label_free(const label_box *box, const label_box *taken, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        if (box->x0 < taken[i].x1 && taken[i].x0 < box->x1 && box->y0 < taken[i].y1 &&
            taken[i].y0 < box->y1) {
            return false;
        }
    }
    return true;
}

// A number and a state for each player: above it, below it or beside it, wherever no player and no
// other label is; the number alone where that is too long, and nothing in a crowd.
static void draw_labels(const soccer_match *match, ploy_draw *out) {
    if (!ploy_draw_wants(out, PLOY_LAYER_LABELS)) return;
    label_box taken[2 * SOCCER_PLAYERS];
    int32_t count = 0;
    const float radius = match->def.player_radius;
    for (int32_t i = 0; i < SOCCER_PLAYERS; i++) {
        ploy_vec2 at = match->players[i].body.position;
        label_box body = {at.x - radius, at.y - radius, at.x + radius, at.y + radius};
        taken[count++] = body;
    }
    for (int32_t i = 0; i < SOCCER_PLAYERS; i++) {
        const soccer_player *player = &match->players[i];
        ploy_vec2 at = player->body.position;
        for (int32_t whole = 1; whole >= 0; whole--) {
            char text[48];
            snprintf(text, sizeof text, "%d %s", (int)player->number + 1,
                     whole ? soccer_state_name(player) : "");
            float width = label_letter * (float)strlen(text);
            const ploy_vec2 corners[] = {{at.x - 1.5f, at.y + radius + 0.5f},
                                         {at.x - 1.5f, at.y - radius - 0.2f - label_height},
                                         {at.x + radius + 0.5f, at.y - 0.5f},
                                         {at.x - radius - 0.5f - width, at.y - 0.5f}};
            int32_t found = -1;
            for (int32_t k = 0; k < 4 && found < 0; k++) {
                label_box box = {corners[k].x, corners[k].y, corners[k].x + width,
                                 corners[k].y + label_height};
                if (!label_free(&box, taken, count)) continue;
                taken[count++] = box;
                found = k;
            }
            if (found < 0) continue;
            ploy_draw_text(out, soccer_id(player->index), corners[found], text);
            break;
        }
    }
}

void soccer_draw(const void *state, ploy_draw *out) {
    const soccer_match *match = state;
    ploy_draw_key(out, PLOY_STYLE_AGENT_B, "red team");
    ploy_draw_key(out, PLOY_STYLE_AGENT_A, "blue team");
    ploy_draw_key(out, PLOY_STYLE_AGENT_D, "referee");
    ploy_draw_key(out, PLOY_STYLE_GOOD, "pitch");
    ploy_draw_key(out, PLOY_STYLE_TEXT, "ball and texts");
    ploy_draw_key(out, PLOY_STYLE_TARGET, "has the ball, best support spot");
    ploy_draw_key(out, PLOY_STYLE_WARNING, "nearest to the ball, range of a threat");
    ploy_draw_key(out, PLOY_STYLE_GHOST, "lines of the pitch, where a player goes");
    draw_pitch(match, out);
    draw_regions(out);
    for (int32_t i = 0; i < SOCCER_TEAMS; i++) draw_spots(match, &match->teams[i], out);
    for (int32_t i = 0; i < SOCCER_PLAYERS; i++) draw_player(match, &match->players[i], out);
    draw_labels(match, out);
    ploy_agent_id nobody = ploy_agent_id_none();
    if (match->def.referee) {
        ploy_draw_agent(out, PLOY_STYLE_AGENT_D, soccer_id(SOCCER_PLAYERS), match->referee.position,
                        match->referee.orientation, 0.7f * match->def.player_radius);
    }
    ploy_draw_disc(out, PLOY_LAYER_AGENTS, PLOY_STYLE_TEXT, nobody, match->ball.position,
                   match->def.ball_radius, 1.0f);
    char text[64];
    snprintf(text, sizeof text, "red %d : %d blue%s", (int)match->teams[0].goals,
             (int)match->teams[1].goals, match->game_on ? "" : "   kick-off");
    ploy_draw_text(out, nobody, ploy_vec2_make(-3.0f, SOCCER_HALF_WIDTH + 2.0f), text);
}

// ---- describe ----

static void sight_sum(ploy_describe *out, const char *name, int64_t red, int64_t blue) {
    ploy_describe_i64(out, name, PLOY_STATE, red + blue);
}

static void describe_summary(const soccer_match *match, ploy_describe *out) {
    const soccer_team *red = &match->teams[0], *blue = &match->teams[1];
    float control = (float)(red->control_ticks + blue->control_ticks);
    float share = control > 0.0f ? (float)red->control_ticks / control : 0.5f;
    ploy_describe_begin(out, "summary");
    ploy_describe_vec2(out, "score", PLOY_STATE, (float)red->goals, (float)blue->goals);
    ploy_describe_vec2(out, "possession", PLOY_DERIVED, share, 1.0f - share);
    sight_sum(out, "passes", red->passes, blue->passes);
    sight_sum(out, "passes_completed", red->passes_completed, blue->passes_completed);
    sight_sum(out, "shots", red->shots, blue->shots);
    sight_sum(out, "saves", red->saves, blue->saves);
    ploy_describe_f32(out, "longest_stall_s", PLOY_DERIVED,
                      (float)match->longest_stall * match->dt);
    ploy_describe_u64(out, "longest_kick_off_ticks", PLOY_STATE, match->longest_kick_off);
    ploy_describe_u64(out, "longest_hold_ticks", PLOY_STATE, match->longest_hold);
    ploy_describe_end(out);
}

static void describe_ref(ploy_describe *out, const char *name, int32_t player) {
    ploy_describe_text(out, name, PLOY_STATE, soccer_player_name(player));
}

static void describe_events(const soccer_match *match, ploy_describe *out) {
    static const char *const kinds[SOCCER_EVENT_KINDS] = {"kick-off", "goal", "shot", "save",
                                                          "pass"};
    ploy_describe_begin(out, "events");
    for (int32_t i = 0; i < SOCCER_EVENTS; i++) {
        int32_t at = (match->event_next + SOCCER_EVENTS - 1 - i) % SOCCER_EVENTS;
        const soccer_event *event = &match->events[at];
        ploy_describe_begin_item(out, i);
        ploy_describe_u64(out, "tick", PLOY_NOTE, event->tick);
        ploy_describe_text(out, "what", PLOY_NOTE, kinds[event->kind]);
        ploy_describe_text(out, "who", PLOY_NOTE, soccer_player_name(event->player));
        ploy_describe_end(out);
    }
    ploy_describe_end(out);
}

static void describe_player(const soccer_match *match, const soccer_player *player,
                            ploy_describe *out) {
    static const char *const roles[] = {"keeper", "attacker", "defender"};
    static const char *const behaviors[] = {"seek", "arrive", "pursue", "interpose", "separate"};
    ploy_describe_begin_agent(out, soccer_player_name(player->index), soccer_id(player->index));
    ploy_describe_text(out, "doing", PLOY_DERIVED, soccer_state_name(player));
    ploy_describe_text(out, "role", PLOY_NOTE, roles[player->role]);
    ploy_describe_u64(out, "since", PLOY_STATE, player->since);
    ploy_kinematic_describe(&player->body, PLOY_STATE, out);
    ploy_describe_vec2(out, "target", PLOY_STATE, player->target.x, player->target.y);
    ploy_describe_i64(out, "home", PLOY_STATE, player->home);
    ploy_describe_i64(out, "kick-off home", PLOY_STATE, player->default_home);
    ploy_describe_i64(out, "region", PLOY_DERIVED, soccer_region_at(player->body.position));
    ploy_describe_f32(out, "distance to the ball", PLOY_STATE, player->ball_distance);
    ploy_describe_bool(out, "threatened", PLOY_DERIVED, soccer_threatened(match, player));
    ploy_describe_f32(out, "stamina", PLOY_STATE, player->stamina);
    ploy_describe_f32(out, "max speed", PLOY_DERIVED, player->max_speed);
    ploy_describe_u64(out, "deadline", PLOY_STATE, player->deadline);
    ploy_describe_u64(out, "stumbles until", PLOY_STATE, player->stumbles_until);
    ploy_describe_begin(out, "steering");
    for (size_t i = 0; i < sizeof behaviors / sizeof behaviors[0]; i++) {
        ploy_describe_bool(out, behaviors[i], PLOY_STATE, (player->on >> i & 1u) != 0);
    }
    ploy_steering_describe(&player->steering, PLOY_DERIVED, out);
    ploy_describe_end(out);
    ploy_describe_begin(out, "machine");
    ploy_code_fsm_describe(&player->machine, out);
    ploy_describe_end(out);
    ploy_describe_begin(out, "kick limit");
    ploy_regulator_describe(&player->kick_limit, out);
    ploy_describe_end(out);
    ploy_describe_begin(out, "messages");
    ploy_telegrams_describe_agent(match->telegrams, soccer_id(player->index), 6, match->names, out);
    ploy_describe_end(out);
    ploy_describe_bool(out, "taken", PLOY_STATE, player->taken);
    if (player->taken) {
        ploy_describe_i64(out, "wish", PLOY_STATE, player->order_kind);
        ploy_describe_i64(out, "wish to kick", PLOY_STATE, player->order_kick);
        ploy_describe_vec2(out, "way", PLOY_STATE, player->order.x, player->order.y);
        ploy_describe_vec2(out, "place", PLOY_STATE, player->order_at.x, player->order_at.y);
    }
    ploy_describe_end(out);
}

static void describe_search(const soccer_search *search, ploy_describe *out) {
    ploy_describe_begin(out, "search for spots");
    ploy_describe_bool(out, "searching", PLOY_STATE, search->searching);
    ploy_describe_i64(out, "next spot", PLOY_STATE, search->next);
    for (int32_t i = 0; i < search->next && search->searching; i++) {
        char name[12];
        snprintf(name, sizeof name, "%d", (int)i);
        ploy_describe_f32(out, name, PLOY_STATE, search->scores[i]);
    }
    ploy_regulator_describe(&search->limit, out);
    ploy_describe_end(out);
}

static void describe_team(const soccer_match *match, const soccer_team *team, ploy_describe *out) {
    ploy_describe_begin(out, sight_team_names[team->index]);
    ploy_describe_text(out, "doing", PLOY_DERIVED, soccer_team_state_name(team->machine.state));
    ploy_describe_f32(out, "side", PLOY_STATE, team->side);
    const struct {
        const char *name;
        int32_t player;
    } keys[] = {{"controlling", team->controlling},
                {"supporting", team->supporting},
                {"receiver", team->receiver},
                {"closest", team->closest},
                {"closest of the field", team->closest_field}};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        describe_ref(out, keys[i].name, keys[i].player);
    }
    ploy_describe_i64(out, "best spot", PLOY_STATE, team->best_spot);
    const struct {
        const char *name;
        int64_t count;
    } counts[] = {{"goals", team->goals},
                  {"passes", team->passes},
                  {"completed", team->passes_completed},
                  {"shots", team->shots},
                  {"potshots", team->potshots},
                  {"saves", team->saves},
                  {"dribbles", team->dribbles},
                  {"ticks in control", team->control_ticks}};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        ploy_describe_i64(out, counts[i].name, PLOY_STATE, counts[i].count);
    }
    ploy_describe_begin(out, "spots");
    for (int32_t i = 0; i < SOCCER_SPOTS; i++) {
        char name[12];
        snprintf(name, sizeof name, "%d", (int)i);
        ploy_describe_f32(out, name, PLOY_STATE, team->spot_scores[i]);
    }
    ploy_describe_end(out);
    ploy_describe_begin(out, "machine");
    ploy_code_fsm_describe(&team->machine, out);
    ploy_describe_end(out);
    describe_search(&team->search, out);
    for (int32_t i = 0; i < SOCCER_TEAM_SIZE; i++) {
        describe_player(match, &match->players[team->index * SOCCER_TEAM_SIZE + i], out);
    }
    ploy_describe_end(out);
}

void soccer_describe(const void *state, ploy_describe *out) {
    const soccer_match *match = state;
    describe_summary(match, out);
    ploy_describe_bool(out, "game on", PLOY_STATE, match->game_on);
    describe_ref(out, "keeper with the ball", match->holder);
    describe_ref(out, "last touch", match->last_touch);
    describe_ref(out, "passer", match->passer);
    describe_ref(out, "shooter", match->shooter);
    ploy_describe_u64(out, "tick of the last touch", PLOY_STATE, match->touch_tick);
    ploy_describe_u64(out, "tick of the last goal", PLOY_STATE, match->kick_off_tick);
    ploy_describe_u64(out, "tick of the last catch", PLOY_STATE, match->hold_tick);
    ploy_describe_u64(out, "longest stall", PLOY_STATE, match->longest_stall);
    ploy_describe_begin(out, "ball");
    ploy_describe_vec2(out, "position", PLOY_STATE, match->ball.position.x, match->ball.position.y);
    ploy_describe_vec2(out, "old position", PLOY_STATE, match->ball.old.x, match->ball.old.y);
    ploy_describe_vec2(out, "velocity", PLOY_STATE, match->ball.velocity.x, match->ball.velocity.y);
    ploy_describe_f32(out, "speed", PLOY_DERIVED, ploy_vec2_length(match->ball.velocity));
    ploy_describe_i64(out, "region", PLOY_DERIVED, soccer_region_at(match->ball.position));
    ploy_describe_end(out);
    if (match->def.referee) {
        ploy_describe_begin_agent(out, "referee", soccer_id(SOCCER_PLAYERS));
        ploy_kinematic_describe(&match->referee, PLOY_STATE, out);
        ploy_describe_end(out);
    }
    for (int32_t i = 0; i < SOCCER_TEAMS; i++) describe_team(match, &match->teams[i], out);
    describe_events(match, out);
    ploy_describe_begin(out, "telegrams");
    ploy_telegrams_describe(match->telegrams, match->names, out);
    ploy_describe_end(out);
    ploy_describe_begin(out, "engine");
    ploy_engine_describe(match->engine, out);
    ploy_describe_end(out);
}
