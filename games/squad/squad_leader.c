// The leader: sends the squad from point to point, hears noises, and reads the members' reports.
#include <math.h>

#include "games/squad/squad.h"
#include "ploy/base/math.h"

enum { SQUAD_TO_POINT, SQUAD_TO_NOISE };

// Gives a member an order and remembers it until its end was reported. An order that the tiers
// refuse (the same one got stuck too often) has failed at once.
static void squad_give(squad_game *game, int32_t index, int32_t kind, ploy_vec2 place) {
    squad_member *member = &game->members[index];
    ploy_order order =
        ploy_order_make(kind == SQUAD_TO_NOISE ? PLOY_ORDER_EXPLORE : PLOY_ORDER_MOVE, place);
    uint64_t id = 0;
    order.priority = kind; // noises come first
    order.radius = game->errand.goal_radius;
    order.expiry = game->now + (double)game->def.timeout;
    game->orders++;
    ploy_result result =
        ploy_tiers_give(game->tiers, SQUAD_FIRST_TIER + index, &order, game->now, &id);
    if (result != PLOY_OK) {
        game->failures++;
        return;
    }
    member->given[kind].id = id;
    member->given[kind].issued = game->now;
    member->last = id;
    member->accepted = false;
}

// An order to a member that has not yet taken the last one would replace it unseen.
static bool squad_ready(const squad_member *member) {
    return member->accepted || (member->given[0].id == 0 && member->given[1].id == 0);
}

// Gives the orders to the selected point that are due.
static void squad_dispatch(squad_game *game) {
    ploy_tactical_point point;
    if (!ploy_tactical_points_get(game->points, game->selected, &point)) return;
    for (int32_t i = 0; i < game->def.members; i++) {
        squad_member *member = &game->members[i];
        if (!member->due || !squad_ready(member) || member->given[SQUAD_TO_POINT].id != 0) continue;
        member->due = false;
        squad_give(game, i, SQUAD_TO_POINT, ploy_vec2_from_vec3(point.position));
    }
}

// The point that the squad is at already is left out: the one nearest to its present goal.
static ploy_tactical_id squad_closest(const squad_game *game) {
    ploy_tactical_point point;
    ploy_tactical_near near;
    if (!ploy_tactical_points_get(game->points, game->selected, &point)) return game->selected;
    int32_t found = ploy_tactical_points_near(game->points, point.position, 1e6f, game->interest,
                                              0.5f, game->now, &near, 1);
    return found > 0 ? near.id : game->selected;
}

ploy_result squad_send_to_random_poi(squad_game *game, ploy_step_context *context) {
    ploy_tactical_point point;
    // Drawn by the number of the command, so that the order of points does not depend on how long
    // the members take.
    ploy_rng rng = ploy_rng_from_key(game->key, game->commands);
    ploy_tactical_id next = ploy_tactical_points_random(game->points, game->interest,
                                                        squad_closest(game), game->now, &rng);
    game->commanded = game->now;
    if (!ploy_tactical_points_get(game->points, next, &point)) return PLOY_OK; // only one point
    if (context->trace != NULL) {
        ploy_trace_begin(context->trace, squad_id(SQUAD_LEADER_TIER), "point", "squad leader");
        ploy_trace_option(context->trace, "a random point", PLOY_OUTCOME_WON, (double)point.data,
                          "not the one where the squad is");
        ploy_trace_end(context->trace);
    }
    game->selected = next;
    if (game->commands < SQUAD_VISITS_MAX) game->visits[game->commands] = point.data;
    game->commands++;
    for (int32_t i = 0; i < game->def.members; i++) {
        // A member that still has an order to the last point, or a telegram on its way, gets this
        // one as soon as it can.
        game->members[i].due = true;
    }
    squad_dispatch(game);
    return PLOY_OK;
}

bool squad_arrived(const squad_game *game) {
    for (int32_t i = 0; i < game->def.members; i++) {
        const squad_member *member = &game->members[i];
        if (member->due || member->given[SQUAD_TO_POINT].id != 0) return false;
    }
    return true;
}

bool squad_timed_out(const squad_game *game) {
    return game->now - game->commanded > (double)game->def.timeout + 5.0;
}

// ---- reports

static void squad_end_order(squad_game *game, squad_given *given, bool arrived) {
    game->arrivals += arrived;
    game->failures += !arrived;
    double took = game->now - given->issued;
    if (took > game->longest) game->longest = took;
    given->id = 0;
}

static void squad_end_noise(squad_game *game, uint64_t order, bool found) {
    for (int32_t i = 0; i < SQUAD_NOISES_MAX; i++) {
        squad_noise *noise = &game->noises[i];
        if (!noise->used || noise->order != order) continue;
        game->noises_found += found;
        (void)ploy_tactical_points_remove(game->points, noise->point);
        noise->used = false;
    }
}

void squad_read_reports(squad_game *game) {
    ploy_report report;
    while (ploy_tiers_next_report(game->tiers, SQUAD_LEADER_TIER, &report)) {
        int32_t index = report.tier - SQUAD_FIRST_TIER;
        if (index < 0 || index >= game->def.members) continue;
        squad_member *member = &game->members[index];
        if (report.order == member->last) member->accepted = true; // or it has ended already
        bool done = report.kind == PLOY_REPORT_DONE;
        if (!done && report.kind != PLOY_REPORT_FAILED && report.kind != PLOY_REPORT_STUCK) {
            continue;
        }
        for (int32_t k = 0; k < 2; k++) {
            if (member->given[k].id == report.order && report.order != 0) {
                squad_end_order(game, &member->given[k], done);
            }
        }
        squad_end_noise(game, report.order, done);
    }
}

// ---- noises

// Leader and members hear as far as they sense.
static bool squad_hears(const squad_game *game, ploy_vec2 at) {
    bool hears = ploy_vec2_distance(game->leader_body.position, at) <= game->def.sense;
    for (int32_t i = 0; i < game->def.members && !hears; i++) {
        hears = ploy_vec2_distance(game->members[i].body.position, at) <= game->def.sense;
    }
    return hears;
}

ploy_result squad_make_noise(squad_game *game, ploy_vec2 at) {
    if (!squad_hears(game, at)) return PLOY_OK;
    for (int32_t i = 0; i < SQUAD_NOISES_MAX; i++) {
        squad_noise *noise = &game->noises[i];
        if (noise->used) continue;
        ploy_tactical_point point = ploy_tactical_point_make(ploy_vec3_from_vec2(at, 0.0f));
        point.created = game->now;
        point.expires = game->now + 2.0 * (double)game->def.timeout;
        ploy_result result = ploy_tactical_points_add(game->points, &point, &noise->point);
        if (result == PLOY_OK) {
            result =
                ploy_tactical_points_set_value(game->points, noise->point, game->noise_tag, 1.0f);
        }
        if (result != PLOY_OK) return result;
        noise->place = at;
        noise->order = 0;
        noise->used = true;
        game->noises_heard++;
        return PLOY_OK;
    }
    return PLOY_OK; // too much noise to notice one more
}

// The nearest member that has no order under way to it and investigates nothing; -1: none.
static int32_t squad_investigator(const squad_game *game, ploy_vec2 at) {
    int32_t best = -1;
    float least = INFINITY;
    for (int32_t i = 0; i < game->def.members; i++) {
        const squad_member *member = &game->members[i];
        float distance = ploy_vec2_distance(member->body.position, at);
        if (member->given[SQUAD_TO_NOISE].id != 0 || !squad_ready(member) || member->due ||
            distance >= least) {
            continue;
        }
        best = i;
        least = distance;
    }
    return best;
}

ploy_result squad_listen(squad_game *game, ploy_step_context *context) {
    squad_dispatch(game);
    for (int32_t i = 0; i < SQUAD_NOISES_MAX; i++) {
        squad_noise *noise = &game->noises[i];
        ploy_tactical_point point;
        if (noise->used && !ploy_tactical_points_get(game->points, noise->point, &point)) {
            noise->used = false; // it has expired
        }
        if (!noise->used || noise->order != 0) continue;
        int32_t member = squad_investigator(game, noise->place);
        if (member < 0) continue;
        squad_give(game, member, SQUAD_TO_NOISE, noise->place);
        noise->order = game->members[member].given[SQUAD_TO_NOISE].id;
        if (context->trace != NULL) {
            ploy_trace_begin(context->trace, squad_id(SQUAD_LEADER_TIER), "noise", "squad leader");
            ploy_trace_option(context->trace, "investigate", PLOY_OUTCOME_WON, 1.0,
                              "the nearest member that is free");
            ploy_trace_end(context->trace);
        }
    }
    return PLOY_OK;
}
