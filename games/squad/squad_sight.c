// What the squad shows: the world, the tree of machines, and the machine of the selected one.
#include <math.h>
#include <stdio.h>

#include "games/squad/squad.h"
#include "ploy/base/math.h"

static ploy_vec2 squad_position(void *user, int32_t tier) {
    const squad_game *game = user;
    return tier == SQUAD_LEADER_TIER ? game->leader_body.position
                                     : game->members[tier - SQUAD_FIRST_TIER].body.position;
}

static const char *squad_state_of(const squad_game *game, int32_t tier) {
    if (tier == SQUAD_LEADER_TIER) {
        return ploy_fsm_type_id(game->leader_type, ploy_fsm_current(game->leader));
    }
    ploy_hsm_state states[4];
    int32_t count = ploy_hsm_active(game->members[tier - SQUAD_FIRST_TIER].mind, states, 4);
    return count > 0 ? ploy_hsm_type_id(game->member_type, states[ploy_mini(count, 4) - 1]) : "";
}

static ploy_style squad_style(const squad_game *game, const squad_member *member) {
    (void)game;
    if (member->order == 0) return PLOY_STYLE_GOOD;
    return member->investigates ? PLOY_STYLE_WARNING : PLOY_STYLE_AGENT_A;
}

static void squad_draw_world(const squad_game *game, ploy_draw *out) {
    ploy_agent_id none = ploy_agent_id_none();
    ploy_tactical_point point;
    ploy_tactical_id id;
    ploy_plain_scene_draw(game->scene, out);
    ploy_network_draw(game->network, out);
    if (ploy_tactical_points_get(game->points, game->selected, &point)) {
        ploy_draw_disc(out, PLOY_LAYER_REGIONS, PLOY_STYLE_TARGET, none,
                       ploy_vec2_from_vec3(point.position), 1.0f, 0.5f);
    }
    uint32_t cursor = 0;
    while (ploy_tactical_points_next(game->points, &cursor, &id)) {
        bool noise = ploy_tactical_points_value(game->points, id, game->noise_tag, 0) > 0.5f;
        if (!noise || !ploy_tactical_points_get(game->points, id, &point)) continue;
        ploy_draw_circle(out, PLOY_LAYER_SENSES, PLOY_STYLE_WARNING, none,
                         ploy_vec2_from_vec3(point.position), 1.2f);
    }
}

// A ring of states; the active one is marked. @param ids  of the states, in order.
static void squad_draw_machine(const char *const *ids, int32_t count, const char *active,
                               ploy_draw *out) {
    ploy_agent_id none = ploy_agent_id_none();
    for (int32_t i = 0; i < count; i++) {
        ploy_vec2 at = {46.0f, 11.0f - 3.0f * (float)i};
        bool is_active = ids[i] == active;
        ploy_draw_disc(out, PLOY_LAYER_LABELS, is_active ? PLOY_STYLE_BAD : PLOY_STYLE_FLOOR, none,
                       at, 0.8f, 1.0f);
        ploy_draw_circle(out, PLOY_LAYER_LABELS, is_active ? PLOY_STYLE_BAD : PLOY_STYLE_WALL, none,
                         at, 0.8f);
        if (i > 0) {
            ploy_draw_line(out, PLOY_LAYER_LABELS, PLOY_STYLE_GHOST, none,
                           ploy_vec2_make(at.x, at.y + 0.8f), ploy_vec2_make(at.x, at.y + 2.2f));
        }
        ploy_draw_text(out, none, ploy_vec2_make(47.5f, at.y), ids[i]);
    }
}

static void squad_draw_panes(const squad_game *game, ploy_draw *out) {
    ploy_agent_id none = ploy_agent_id_none();
    const char *ids[16];
    int32_t count = 0;
    ploy_draw_text(out, none, ploy_vec2_make(43, 28), "machines");
    for (int32_t i = 0; i <= game->def.members; i++) {
        char text[96];
        const char *mark = i == game->shown ? "> " : "  ";
        if (i == SQUAD_LEADER_TIER) {
            (void)snprintf(text, sizeof text, "%sleader: %s", mark, squad_state_of(game, i));
        } else {
            (void)snprintf(text, sizeof text, "%s  member %d: %s", mark, (int)i,
                           squad_state_of(game, i));
        }
        ploy_draw_text(out, none, ploy_vec2_make(43, 26.5f - 1.4f * (float)i), text);
    }
    if (game->shown == SQUAD_LEADER_TIER) {
        for (uint32_t i = 1; (int32_t)i <= ploy_fsm_type_count(game->leader_type) && i <= 16; i++) {
            ids[count++] = ploy_fsm_type_id(game->leader_type, (ploy_fsm_state){i});
        }
    } else {
        for (uint32_t i = 1; (int32_t)i <= ploy_hsm_type_count(game->member_type) && i <= 16; i++) {
            ids[count++] = ploy_hsm_type_id(game->member_type, (ploy_hsm_state){i});
        }
    }
    squad_draw_machine(ids, count, squad_state_of(game, game->shown), out);
}

void squad_draw(const void *state, ploy_draw *out) {
    const squad_game *game = state;
    ploy_draw_key(out, PLOY_STYLE_AGENT_D, "leader");
    ploy_draw_key(out, PLOY_STYLE_PLAIN, "links of waypoints");
    ploy_draw_key(out, PLOY_STYLE_FLOOR, "other states");
    ploy_draw_key(out, PLOY_STYLE_AGENT_A, "member with an order");
    ploy_draw_key(out, PLOY_STYLE_GOOD, "member without an order");
    ploy_draw_key(out, PLOY_STYLE_WARNING, "member that looks around, and noises");
    ploy_draw_key(out, PLOY_STYLE_BAD, "tier that is shown, its state, areas to avoid");
    ploy_draw_key(out, PLOY_STYLE_TARGET, "selected place, places, and order targets");
    ploy_draw_key(out, PLOY_STYLE_PATH, "waypoints and paths");
    squad_draw_world(game, out);
    ploy_tiers_draw(game->tiers, squad_position, (void *)(uintptr_t)game, out);
    ploy_draw_agent(out, PLOY_STYLE_AGENT_D, squad_id(SQUAD_LEADER_TIER),
                    game->leader_body.position, game->leader_body.orientation, 0.75f);
    for (int32_t i = 0; i < game->def.members; i++) {
        const squad_member *member = &game->members[i];
        ploy_agent_id id = squad_id(SQUAD_FIRST_TIER + i);
        if (member->order != 0) {
            ploy_errand_draw(&member->errand, member->body.position, id, out);
        }
        ploy_draw_agent(out, squad_style(game, member), id, member->body.position,
                        member->body.orientation, 0.75f);
    }
    ploy_draw_circle(out, PLOY_LAYER_AGENTS, PLOY_STYLE_BAD, ploy_agent_id_none(),
                     squad_position((void *)(uintptr_t)game, game->shown), 1.1f);
    squad_draw_panes(game, out);
}

static void squad_describe_member(const squad_game *game, int32_t index, ploy_describe *out) {
    const squad_member *member = &game->members[index];
    char name[24];
    (void)snprintf(name, sizeof name, "member %d", (int)index + 1);
    ploy_describe_begin_agent(out, name, squad_id(SQUAD_FIRST_TIER + index));
    ploy_describe_vec2(out, "position", PLOY_STATE, member->body.position.x,
                       member->body.position.y);
    ploy_describe_vec2(out, "velocity", PLOY_STATE, member->body.velocity.x,
                       member->body.velocity.y);
    ploy_describe_f32(out, "orientation", PLOY_STATE, member->body.orientation);
    ploy_describe_u64(out, "order", PLOY_STATE, member->order);
    ploy_describe_bool(out, "investigates", PLOY_STATE, member->investigates);
    ploy_describe_bool(out, "accepted", PLOY_STATE, member->accepted);
    ploy_describe_bool(out, "due", PLOY_STATE, member->due);
    ploy_describe_u64(out, "last", PLOY_STATE, member->last);
    ploy_describe_i64(out, "handled", PLOY_STATE, member->handled);
    ploy_describe_u64(out, "color", PLOY_STATE, member->color);
    ploy_describe_u64(out, "given", PLOY_STATE, member->given[0].id);
    ploy_describe_u64(out, "given_noise", PLOY_STATE, member->given[1].id);
    ploy_describe_f32(out, "best", PLOY_STATE, member->progress.best);
    ploy_describe_text(out, "state", PLOY_DERIVED, squad_state_of(game, SQUAD_FIRST_TIER + index));
    ploy_describe_begin(out, "errand");
    ploy_errand_describe(&member->errand, out);
    ploy_describe_end(out);
    ploy_describe_begin(out, "mind");
    ploy_hsm_describe(member->mind, out);
    ploy_describe_end(out);
    ploy_describe_end(out);
}

static void squad_describe_summary(const squad_game *game, ploy_describe *out) {
    ploy_describe_begin(out, "summary");
    ploy_describe_i64(out, "orders", PLOY_STATE, game->orders);
    ploy_describe_i64(out, "arrivals", PLOY_STATE, game->arrivals);
    ploy_describe_i64(out, "failures", PLOY_STATE, game->failures);
    ploy_describe_f64(out, "longest_order_s", PLOY_STATE, game->longest);
    ploy_describe_i64(out, "commands", PLOY_STATE, (int64_t)game->commands);
    ploy_describe_i64(out, "noises_heard", PLOY_STATE, game->noises_heard);
    ploy_describe_i64(out, "noises_found", PLOY_STATE, game->noises_found);
    ploy_describe_end(out);
}

void squad_describe(const void *state, ploy_describe *out) {
    static const char *const names[SQUAD_TEXTS] = {"network", "level", "leader", "member"};
    const squad_game *game = state;
    squad_describe_summary(game, out);
    ploy_describe_id(out, "selected", PLOY_STATE, game->selected.id);
    ploy_describe_f64(out, "commanded", PLOY_STATE, game->commanded);
    ploy_describe_i64(out, "shown", PLOY_NOTE, game->shown);
    ploy_describe_begin(out, "visits");
    for (int32_t i = 0; i < SQUAD_VISITS_MAX && (uint64_t)i < game->commands; i++) {
        char name[8];
        (void)snprintf(name, sizeof name, "%d", (int)i + 1);
        ploy_describe_u64(out, name, PLOY_STATE, game->visits[i]);
    }
    ploy_describe_end(out);
    ploy_describe_begin_agent(out, "leader", squad_id(SQUAD_LEADER_TIER));
    ploy_describe_text(out, "state", PLOY_DERIVED, squad_state_of(game, SQUAD_LEADER_TIER));
    ploy_describe_begin(out, "mind");
    ploy_fsm_describe(game->leader, out);
    ploy_describe_end(out);
    ploy_describe_end(out);
    for (int32_t i = 0; i < game->def.members; i++) squad_describe_member(game, i, out);
    ploy_describe_begin(out, "tiers");
    ploy_tiers_describe(game->tiers, out);
    ploy_describe_end(out);
    ploy_describe_begin(out, "points");
    ploy_tactical_points_describe(game->points, out);
    ploy_describe_end(out);
    for (int32_t i = 0; i < SQUAD_TEXTS; i++) {
        ploy_definition_text_describe(&game->texts[i], names[i], NULL, out);
    }
}
