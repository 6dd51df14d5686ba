// Paths: planners over the form of the floor that the parameters name, and edges through doors.
//
// All searches of a tick share `search_units`. Paths to places are searched by A*, on nodes, on the
// mesh or by rooms; paths to items by Dijkstra's algorithm with the kind of item as its goal, where
// the form allows that, otherwise to the item that the table of costs names. A path that crosses a
// door's sill is cut there: the piece through the door is an edge of kind "door", which goals turn
// into a detour by the button.
//
// Technique: Buckland, "Programming Game AI by Example", 2005, chapters 8 and 9.
#include <math.h>
#include <string.h>

#include "games/raven/raven.h"
#include "ploy/base/math.h"
#include "ploy/geom/segment.h"

// ---- planners

static ploy_result paths_add_finders(raven_match *match) {
    raven_map *map = match->map;
    const ploy_name none = {0};
    ploy_finder_factory factory = ploy_frozen_graph_finder(&map->fine_finder);
    ploy_navmesh_finder_def mesh = ploy_navmesh_finder_def_default();
    ploy_result result = PLOY_OK;
    switch (match->def.navigation) {
    case RAVEN_NAVIGATION_COARSE:
        result = raven_nav_need_coarse(map, &match->def, &match->env);
        factory = ploy_frozen_graph_finder(&map->coarse_finder);
        break;
    case RAVEN_NAVIGATION_MESH:
        mesh.mesh = map->mesh;
        factory = ploy_navmesh_finder(&mesh);
        break;
    case RAVEN_NAVIGATION_ROOMS: {
        // Searches for items, which rooms cannot serve, fall through to the nodes.
        ploy_finder_factory rooms = ploy_hierarchy_finder(&map->room_finder);
        result = ploy_planners_add_finder(match->planners, none, &rooms);
        break;
    }
    case RAVEN_NAVIGATION_FINE: break;
    }
    return result != PLOY_OK ? result : ploy_planners_add_finder(match->planners, none, &factory);
}

static void paths_done(void *user, ploy_path_ticket ticket, ploy_agent_id agent,
                       ploy_path_outcome outcome, int32_t end_state);

ploy_result raven_paths_create(raven_match *match) {
    static const ploy_smooth_kind kinds[] = {PLOY_SMOOTH_NONE, PLOY_SMOOTH_QUICK,
                                             PLOY_SMOOTH_PRECISE};
    ploy_planners_def def = ploy_planners_def_default();
    def.capacity = 4 * RAVEN_BOTS_MAX;
    def.searches = 8;
    def.slice = 16;
    def.cached = 0;
    def.straight = true;
    def.partial = false;
    def.smooth = kinds[match->def.smoothing];
    ploy_planners_destroy(match->planners);
    match->planners = NULL;
    ploy_result result = ploy_planners_create(&def, &match->env, &match->planners);
    if (result == PLOY_OK) result = paths_add_finders(match);
    if (result == PLOY_OK) result = ploy_planners_reserve(match->planners, RAVEN_PATH_POINTS);
    if (result != PLOY_OK) return result;
    ploy_planners_set_listener(match->planners, paths_done, match);
    match->searches = ploy_planners_service(match->planners);
    return PLOY_OK;
}

ploy_result raven_step_paths(raven_match *match) {
    ploy_budget budget = ploy_budget_units(match->def.search_units);
    ploy_result result = ploy_path_service_step(&match->searches, &budget);
    int64_t spent = budget.spent;
    match->path_units += spent;
    match->tick_units += spent;
    if (spent > match->worst_units) match->worst_units = spent;
    return result == PLOY_IN_PROGRESS ? PLOY_OK : result;
}

// The item at a node of the fine graph; RAVEN_NOBODY if there is none.
static int32_t paths_item_at(const raven_match *match, int32_t node) {
    ploy_graph_node found;
    if (match->def.navigation == RAVEN_NAVIGATION_MESH) return RAVEN_NOBODY;
    const ploy_graph *graph =
        match->def.navigation == RAVEN_NAVIGATION_COARSE ? match->map->coarse : match->map->fine;
    if (node < 0 || !ploy_graph_node_at(graph, node, &found)) return RAVEN_NOBODY;
    return (int32_t)found.user - 1;
}

static void paths_done(void *user, ploy_path_ticket ticket, ploy_agent_id agent,
                       ploy_path_outcome outcome, int32_t end_state) {
    raven_match *match = user;
    raven_bot *bot = raven_bot_of(match, agent);
    if (bot == NULL) return;
    if (bot->path_since > 0) {
        uint64_t wait = match->tick + 1 - bot->path_since;
        if (wait > match->longest_wait) match->longest_wait = wait;
    }
    bot->path_since = 0;
    raven_path_note note = {ticket, (int32_t)outcome, paths_item_at(match, end_state)};
    bool found = outcome == PLOY_PATH_FOUND || outcome == PLOY_PATH_PARTIAL;
    raven_send(match, RAVEN_NOBODY, bot->index, found ? RAVEN_MSG_PATH_READY : RAVEN_MSG_NO_PATH,
               &note, sizeof note);
}

// ---- doors on a path

// The door that a line crosses first, and where; RAVEN_NOBODY if it crosses none.
static int32_t paths_crossed(const raven_map *map, ploy_vec2 from, ploy_vec2 to, float *part) {
    int32_t nearest = RAVEN_NOBODY;
    *part = 2.0f;
    for (int32_t i = 0; i < map->door_count; i++) {
        ploy_vec2 along = ploy_vec2_sub(map->doors[i].to, map->doors[i].from);
        float a = ploy_vec2_cross(along, ploy_vec2_sub(from, map->doors[i].from));
        float b = ploy_vec2_cross(along, ploy_vec2_sub(to, map->doors[i].from));
        if ((a < 0.0f) == (b < 0.0f)) continue; // a point on the sill belongs to one side
        float where = a / (a - b);
        ploy_vec2 point = ploy_vec2_lerp(from, to, where);
        float share = ploy_vec2_dot(along, ploy_vec2_sub(point, map->doors[i].from)) /
                      ploy_vec2_length_sq(along);
        if (share < 0.0f || share > 1.0f || where >= *part) continue;
        *part = where;
        nearest = i;
    }
    return nearest;
}

static ploy_result paths_append_through(const raven_match *match, ploy_path *out, ploy_vec2 from,
                                        ploy_vec2 to, bool last) {
    const raven_map *map = match->map;
    ploy_result result = PLOY_OK;
    float part;
    bool passed = false; // `to` is still in the doorway
    for (int32_t guard = 0; guard < 16 && result == PLOY_OK; guard++) {
        int32_t index = paths_crossed(map, from, to, &part);
        if (index == RAVEN_NOBODY) break;
        const raven_door *door = &map->doors[index];
        // Straight through the middle, from a body's length before it to as far behind.
        ploy_vec2 middle = ploy_vec2_lerp(door->from, door->to, 0.5f);
        ploy_vec2 aside = ploy_vec2_normalise(ploy_vec2_perp(ploy_vec2_sub(door->to, door->from)));
        if (ploy_vec2_dot(aside, ploy_vec2_sub(to, from)) < 0.0f) aside = ploy_vec2_negate(aside);
        float off = match->def.radius + 0.4f;
        ploy_vec2 before = ploy_vec2_add_scaled(middle, aside, -off);
        ploy_vec2 behind = ploy_vec2_add_scaled(middle, aside, off);
        ploy_path_edge through;
        memset(&through, 0, sizeof through);
        through.kind = ploy_name_of("door");
        through.cost = 2.0f * off;
        through.link.index = (uint32_t)index + 1;
        through.link.generation = 1;
        result = ploy_path_append(out, before, 0.0f, NULL);
        if (result == PLOY_OK) result = ploy_path_append(out, behind, 0.0f, &through);
        passed = !last && ploy_vec2_dot(aside, ploy_vec2_sub(to, behind)) < 0.0f;
        from = behind;
    }
    return result == PLOY_OK && !passed ? ploy_path_append(out, to, 0.0f, NULL) : result;
}

// Whether a point is in a doorway: between the piece before a door and the one behind.
static bool paths_in_doorway(const raven_match *match, ploy_vec2 point) {
    for (int32_t i = 0; i < match->map->door_count; i++) {
        ploy_segment2 gap = {match->map->doors[i].from, match->map->doors[i].to};
        if (ploy_segment2_distance(gap, point) < match->def.radius + 0.3f) return true;
    }
    return false;
}

// Cuts a path at doors. A path that crosses none stays as it is.
static ploy_result paths_cut(const raven_match *match, ploy_path *path) {
    int32_t count = ploy_path_count(path);
    float part;
    bool crosses = false;
    for (int32_t i = 0; i + 1 < count && !crosses; i++) {
        ploy_vec2 a = ploy_path_point(path, i), b = ploy_path_point(path, i + 1);
        crosses = paths_crossed(match->map, a, b, &part) != RAVEN_NOBODY;
    }
    if (!crosses) return PLOY_OK;
    ploy_path *cut = NULL;
    ploy_result result = ploy_path_pool_take(match->pool, &cut);
    if (result == PLOY_OK) result = ploy_path_append(cut, ploy_path_point(path, 0), 0.0f, NULL);
    ploy_vec2 from = ploy_path_point(path, 0);
    for (int32_t i = 0; i + 1 < count && result == PLOY_OK; i++) {
        ploy_vec2 to = ploy_path_point(path, i + 1);
        bool last = i + 2 == count;
        if (!last && paths_in_doorway(match, to)) continue; // the piece through the door has it
        result = paths_append_through(match, cut, from, to, last);
        from = to;
    }
    if (result == PLOY_OK) result = ploy_path_copy(path, cut);
    ploy_path_pool_give(match->pool, cut);
    return result;
}

// ---- the service of the bots

static ploy_result paths_request(void *user, const ploy_path_request *request,
                                 ploy_path_ticket *out) {
    raven_match *match = user;
    ploy_path_request own = *request;
    own.mask = RAVEN_MASK_PLAN;
    // The mesh keeps the radius from walls already.
    own.radius = match->def.navigation == RAVEN_NAVIGATION_MESH ? 0.0f : 0.9f * match->def.radius;
    raven_bot *bot = raven_bot_of(match, request->agent);
    if (bot != NULL) bot->path_since = match->tick + 1;
    ploy_result result = ploy_path_service_request(&match->searches, &own, out);
    if (bot != NULL && result == PLOY_OK) bot->path_ticket = *out;
    return result;
}

static ploy_result paths_poll(void *user, ploy_path_ticket ticket, ploy_path *path,
                              ploy_path_outcome *outcome) {
    raven_match *match = user;
    ploy_result result = ploy_path_service_poll(&match->searches, ticket, path, outcome);
    if (result == PLOY_ERR_NOT_FOUND) {
        *outcome = PLOY_PATH_NONE; // of planners that were replaced
        return PLOY_OK;
    }
    if (result != PLOY_OK || path == NULL || *outcome == PLOY_PATH_OPEN) return result;
    return match->def.doors ? paths_cut(match, path) : PLOY_OK;
}

static ploy_result paths_cancel(void *user, ploy_path_ticket ticket) {
    raven_match *match = user;
    for (int32_t i = 0; i < match->bot_count; i++) { // its bot waits no longer
        raven_bot *bot = &match->bots[i];
        if (ploy_id_equal(bot->path_ticket.id, ticket.id)) bot->path_since = 0;
    }
    return ploy_path_service_cancel(&match->searches, ticket);
}

static ploy_result paths_step(void *user, ploy_budget *budget) {
    return ploy_path_service_step(&((raven_match *)user)->searches, budget);
}

static ploy_result paths_move(void *user, ploy_path_ticket ticket, ploy_vec3 from) {
    return ploy_path_service_move(&((raven_match *)user)->searches, ticket, from);
}

static void paths_describe(const void *user, ploy_describe *out) {
    ploy_path_service_describe(&((const raven_match *)user)->searches, out);
}

static void paths_draw(const void *user, ploy_draw *out) {
    ploy_path_service_draw(&((const raven_match *)user)->searches, out);
}

void raven_paths_init(raven_match *match) {
    match->paths.request = paths_request;
    match->paths.poll = paths_poll;
    match->paths.cancel = paths_cancel;
    match->paths.step = paths_step;
    match->paths.move = paths_move;
    match->paths.describe = paths_describe;
    match->paths.draw = paths_draw;
    match->paths.user = match;
}

ploy_result raven_request_path(raven_bot *bot, ploy_vec2 to, ploy_path_ticket *out) {
    ploy_path_request request =
        ploy_path_request_make(raven_id(bot->index), ploy_vec3_from_vec2(bot->body.position, 0.0f),
                               ploy_vec3_from_vec2(to, 0.0f));
    return ploy_path_service_request(&bot->match->paths, &request, out);
}

// ---- items

// Whether an item suits: there, or back by the time that the bot arrives.
static bool paths_suits(const raven_bot *bot, int32_t item, bool aware) {
    const raven_match *match = bot->match;
    if (raven_item_active(match, item)) return true;
    return aware &&
           raven_item_wait(match, item) <= raven_item_cost(bot, item) / match->def.max_speed;
}

static bool paths_is_goal(void *user, int32_t state) {
    const raven_item_query *query = user;
    const raven_match *match = query->bot->match;
    int32_t item = paths_item_at(match, state);
    return item != RAVEN_NOBODY && match->map->items[item].kind == query->kind &&
           paths_suits(query->bot, item, query->aware);
}

float raven_item_cost(const raven_bot *bot, int32_t item) {
    const raven_map *map = bot->match->map;
    if (bot->node < 0) return INFINITY;
    float cost = map->costs[(size_t)item * (size_t)map->node_count + (size_t)bot->node];
    return cost +
           ploy_vec2_distance(bot->body.position,
                              ploy_vec2_from_vec3(ploy_graph_position(map->fine, bot->node)));
}

int32_t raven_nearest_item(const raven_bot *bot, raven_item_kind kind, bool aware, float *cost) {
    const raven_map *map = bot->match->map;
    int32_t best = RAVEN_NOBODY;
    float least = INFINITY;
    for (int32_t i = 0; i < map->item_count; i++) {
        if (map->items[i].kind != (int32_t)kind) continue;
        float here = raven_item_cost(bot, i);
        if (!(here < least) || !paths_suits(bot, i, aware)) continue;
        least = here;
        best = i;
    }
    if (cost != NULL) *cost = least;
    return best;
}

ploy_result raven_request_item(raven_bot *bot, raven_item_kind kind, bool aware,
                               ploy_path_ticket *out) {
    raven_match *match = bot->match;
    int32_t nearest = raven_nearest_item(bot, kind, aware, NULL);
    if (nearest == RAVEN_NOBODY) return PLOY_ERR_NOT_FOUND;
    ploy_vec2 place = match->map->items[nearest].position;
    bool nodes = match->def.navigation == RAVEN_NAVIGATION_FINE ||
                 match->def.navigation == RAVEN_NAVIGATION_ROOMS;
    if (!nodes) return raven_request_path(bot, place, out);
    bot->query.bot = bot;
    bot->query.kind = (int32_t)kind;
    bot->query.aware = aware;
    bot->path_since = match->tick + 1;
    ploy_path_request request =
        ploy_path_request_make(raven_id(bot->index), ploy_vec3_from_vec2(bot->body.position, 0.0f),
                               ploy_vec3_from_vec2(place, 0.0f));
    request.mask = RAVEN_MASK_PLAN;
    request.radius = 0.9f * match->def.radius;
    ploy_path_options options = ploy_path_options_make();
    options.is_goal = paths_is_goal;
    options.user = &bot->query;
    ploy_result result = ploy_planners_request(match->planners, &request, &options, out);
    if (result == PLOY_OK) bot->path_ticket = *out;
    return result;
}

ploy_result raven_poll_path(raven_bot *bot, ploy_path_ticket ticket, ploy_path *path,
                            ploy_path_outcome *outcome, int32_t *item) {
    raven_match *match = bot->match;
    (void)ploy_path_service_move(&match->paths, ticket,
                                 ploy_vec3_from_vec2(bot->body.position, 0.0f));
    ploy_result result = ploy_path_service_poll(&match->paths, ticket, path, outcome);
    if (item == NULL) return result;
    *item = RAVEN_NOBODY;
    if (result != PLOY_OK || path == NULL || ploy_path_count(path) == 0) return result;
    ploy_vec2 end = ploy_path_point(path, ploy_path_count(path) - 1);
    for (int32_t i = 0; i < match->map->item_count; i++) {
        if (ploy_vec2_distance_sq(match->map->items[i].position, end) < 1e-4f) *item = i;
    }
    return result;
}

void raven_cancel_path(raven_bot *bot, ploy_path_ticket ticket) {
    (void)ploy_path_service_cancel(&bot->match->paths, ticket);
}

bool raven_random_place(raven_bot *bot, ploy_vec2 *out) {
    const raven_map *map = bot->match->map;
    // Every node was reached from the first spawn point, so each can be reached.
    int32_t node = (int32_t)(raven_random(bot) * (float)map->node_count);
    if (node >= map->node_count) node = map->node_count - 1;
    *out = ploy_vec2_from_vec3(ploy_graph_position(map->fine, node));
    return true;
}
