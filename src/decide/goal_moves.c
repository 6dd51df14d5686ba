// Goals that move a character; described in the header. The owner of the tree is the mover.
#include "ploy/decide/goal_moves.h"

#include "decide/decide_internal.h"

#include <string.h>

#include "decide_internal.h"
#include "ploy/base/math.h"
#include "ploy/decide/goal_script.h"

ploy_goal_mover ploy_goal_mover_make(const ploy_path_service *paths, const ploy_env *env) {
    ploy_goal_mover mover;
    memset(&mover, 0, sizeof mover);
    mover.paths = paths;
    mover.env = *env;
    mover.radius = 0.5f;
    mover.speed = 3.0f;
    mover.tolerance = 0.5f;
    mover.margin = 2.0f;
    return mover;
}

static void move_steer(const ploy_goal_mover *mover, ploy_goal_steer how, ploy_vec2 target,
                       float speed) {
    if (mover->steer != NULL) mover->steer(mover->user, how, target, speed);
}

void ployi_goal_stand(const ploy_goal_turn *turn) {
    const ploy_goal_mover *mover = turn->owner;
    move_steer(mover, PLOY_GOAL_STEER_NONE, mover->position(mover->user), 0.0f);
}

// An empty path for an answer, and back.
static ploy_result move_take_path(const ploy_goal_mover *mover, ploy_path **out) {
    ploy_path_def def = ploy_path_def_default();
    if (mover->pool != NULL) return ploy_path_pool_take(mover->pool, out);
    return ploy_path_create(&def, &mover->env, out);
}

static void move_give_path(const ploy_goal_mover *mover, ploy_path *path) {
    if (mover->pool != NULL) {
        ploy_path_pool_give(mover->pool, path);
    } else {
        ploy_path_destroy(path);
    }
}

static bool move_is_at(const ploy_goal_mover *mover, ploy_vec2 place) {
    return ploy_vec2_distance(mover->position(mover->user), place) < mover->tolerance;
}

// ---- wander

static ploy_result move_wander_activate(const ploy_goal_turn *turn) {
    const ploy_goal_mover *mover = turn->owner;
    move_steer(mover, PLOY_GOAL_STEER_WANDER, mover->position(mover->user), 0.0f);
    return PLOY_OK;
}

const ploy_goal_type *ploy_goal_wander(void) {
    static const ploy_goal_type type = {.name = "wander",
                                        .needs_owner = true,
                                        .activate = move_wander_activate,
                                        .terminate = ployi_goal_stand,
                                        .suspend = ployi_goal_stand};
    return &type;
}

// ---- seek and traverse edge: one leg with an expected time

typedef struct move_leg {
    double started;  // s
    double expected; // s
    double paused;   // s, when it was suspended; 0: it is not
} move_leg;

// What a leg steers by: of a place, of an edge.
static void move_leg_steer(const ploy_goal_turn *turn, bool edge, ploy_vec2 *to) {
    const ploy_goal_mover *mover = turn->owner;
    const ploy_goal_edge_params *params = turn->params;
    *to = edge ? params->to : ((const ploy_goal_place_params *)turn->params)->to;
    bool arrive = !edge || params->last != 0;
    move_steer(mover, arrive ? PLOY_GOAL_STEER_ARRIVE : PLOY_GOAL_STEER_SEEK, *to,
               edge ? params->speed : 0.0f);
}

static ploy_result move_leg_begin(const ploy_goal_turn *turn, bool edge) {
    const ploy_goal_mover *mover = turn->owner;
    move_leg *leg = turn->data;
    ploy_vec2 to;
    move_leg_steer(turn, edge, &to);
    float limit = edge ? ((const ploy_goal_edge_params *)turn->params)->speed : 0.0f;
    float speed = limit > 0.0f ? limit : mover->speed;
    float distance = ploy_vec2_distance(mover->position(mover->user), to);
    leg->started = turn->context->now;
    leg->expected = (double)(speed > 0.0f ? distance / speed : 0.0f) + (double)mover->margin;
    return PLOY_OK;
}

static void move_leg_process(const ploy_goal_turn *turn, ploy_vec2 to, ploy_goal_status *status) {
    const ploy_goal_mover *mover = turn->owner;
    const move_leg *leg = turn->data;
    double spent = turn->context->now - leg->started;
    bool blocked =
        mover->blocked != NULL && spent > (double)mover->margin && mover->blocked(mover->user);
    if (blocked || spent > leg->expected) {
        *status = PLOY_GOAL_FAILED; // stuck
    } else if (move_is_at(mover, to)) {
        *status = PLOY_GOAL_COMPLETED;
    }
}

static void move_leg_suspend(const ploy_goal_turn *turn) {
    move_leg *leg = turn->data;
    if (turn->context != NULL) leg->paused = turn->context->now;
    ployi_goal_stand(turn);
}

// The same leg goes on; its time has passed meanwhile, unless the mover says otherwise.
static ploy_result move_leg_resume(const ploy_goal_turn *turn, bool edge) {
    const ploy_goal_mover *mover = turn->owner;
    move_leg *leg = turn->data;
    ploy_vec2 to;
    if (mover->pause_timer) leg->started += turn->context->now - leg->paused;
    move_leg_steer(turn, edge, &to);
    return PLOY_OK;
}

static ploy_result move_seek_activate(const ploy_goal_turn *turn) {
    return move_leg_begin(turn, false);
}

static ploy_result move_seek_process(const ploy_goal_turn *turn, ploy_goal_status *status) {
    move_leg_process(turn, ((const ploy_goal_place_params *)turn->params)->to, status);
    return PLOY_OK;
}

static ploy_result move_seek_resume(const ploy_goal_turn *turn) {
    return move_leg_resume(turn, false);
}

static void move_place_describe(const void *params, const void *data, ploy_describe *out) {
    ploy_vec2 to = ((const ploy_goal_place_params *)params)->to;
    (void)data;
    ploy_describe_vec2(out, "to", PLOY_STATE, to.x, to.y);
}

static void move_edge_describe(const void *params, const void *data, ploy_describe *out) {
    const ploy_goal_edge_params *edge = params;
    const move_leg *leg = data;
    ploy_describe_vec2(out, "to", PLOY_STATE, edge->to.x, edge->to.y);
    ploy_describe_bool(out, "last", PLOY_STATE, edge->last != 0);
    ploy_describe_f64(out, "until", PLOY_STATE, leg->started + leg->expected);
}

const ploy_goal_type *ploy_goal_seek(void) {
    static const ploy_goal_type type = {.name = "seek",
                                        .needs_owner = true,
                                        .activate = move_seek_activate,
                                        .process = move_seek_process,
                                        .terminate = ployi_goal_stand,
                                        .suspend = move_leg_suspend,
                                        .resume = move_seek_resume,
                                        .describe = move_place_describe};
    return &type;
}

static ploy_result move_edge_activate(const ploy_goal_turn *turn) {
    return move_leg_begin(turn, true);
}

static ploy_result move_edge_process(const ploy_goal_turn *turn, ploy_goal_status *status) {
    move_leg_process(turn, ((const ploy_goal_edge_params *)turn->params)->to, status);
    return PLOY_OK;
}

static ploy_result move_edge_resume(const ploy_goal_turn *turn) {
    return move_leg_resume(turn, true);
}

const ploy_goal_type *ployi_goal_traverse_edge(void) {
    static const ploy_goal_type type = {.name = "traverse edge",
                                        .needs_owner = true,
                                        .activate = move_edge_activate,
                                        .process = move_edge_process,
                                        .terminate = ployi_goal_stand,
                                        .suspend = move_leg_suspend,
                                        .resume = move_edge_resume,
                                        .describe = move_edge_describe};
    return &type;
}

// ---- follow path

typedef struct move_follow {
    int32_t edge; // the next to be turned into a goal
    int32_t reserved;
} move_follow;

// The goal type for an edge; NULL if its kind is unknown.
static const ploy_goal_type *move_edge_type(const ploy_goal_mover *mover,
                                            const ploy_path_edge *edge, float *speed) {
    *speed = edge->speed_limit;
    if (ploy_name_is_none(edge->kind)) return ployi_goal_traverse_edge();
    for (int32_t i = 0; i < mover->edge_count; i++) {
        const ploy_goal_edge *known = &mover->edges[i];
        if (!ploy_name_equal(ploy_name_of(known->kind), edge->kind)) continue;
        if (known->speed > 0.0f) *speed = known->speed;
        return known->type != NULL ? known->type : ployi_goal_traverse_edge();
    }
    return ploy_name_equal(edge->kind, ploy_name_of("door")) ? ploy_goal_negotiate_door() : NULL;
}

static ploy_result move_follow_activate(const ploy_goal_turn *turn) {
    const ploy_goal_mover *mover = turn->owner;
    const ploy_path *path = ((const ploy_goal_path_params *)turn->params)->path;
    move_follow *follow = turn->data;
    int32_t count = ploy_path_count(path), index = follow->edge;
    if (index + 1 >= count) return PLOY_OK; // nothing left: no subgoal, completed
    const ploy_path_edge *edge = ploy_path_edge_from(path, index);
    ploy_goal_edge_params params;
    memset(&params, 0, sizeof params);
    params.from = ploy_path_point(path, index);
    params.to = ploy_path_point(path, index + 1);
    params.link = edge->link;
    params.last = index + 2 >= count;
    const ploy_goal_type *type = move_edge_type(mover, edge, &params.speed);
    if (type == NULL) {
        ploy_trace_note(turn->context->trace, "unknown kind of edge in the path");
        ploy_env_log(&mover->env, PLOY_SEVERITY_WARNING, "unknown kind of edge in the path");
        return ploy_goals_set_status(turn->goals, turn->goal, PLOY_GOAL_FAILED);
    }
    follow->edge++;
    return ploy_goals_add(turn->goals, turn->context, turn->goal, PLOY_GOAL_FRONT, type, &params,
                          sizeof params, NULL);
}

static ploy_result move_follow_process(const ploy_goal_turn *turn, ploy_goal_status *status) {
    const ploy_path *path = ((const ploy_goal_path_params *)turn->params)->path;
    const move_follow *follow = turn->data;
    if (*status != PLOY_GOAL_COMPLETED || follow->edge + 1 >= ploy_path_count(path)) return PLOY_OK;
    // The finished edge goes first, so that it costs no step; the listing leaves it under the next.
    if (!ployi_goals_is_literal(turn->goals)) {
        ployi_goals_purge(turn->goals, turn->context, turn->goal);
    }
    ploy_result result = move_follow_activate(turn);
    *status = ploy_goals_status(turn->goals, turn->goal);
    return result;
}

static void move_follow_terminate(const ploy_goal_turn *turn) {
    move_give_path(turn->owner, ((const ploy_goal_path_params *)turn->params)->path);
}

static void move_follow_describe(const void *params, const void *data, ploy_describe *out) {
    ploy_describe_i64(out, "edge", PLOY_STATE, ((const move_follow *)data)->edge);
    ploy_describe_begin(out, "path");
    ploy_path_describe(((const ploy_goal_path_params *)params)->path, out);
    ploy_describe_end(out);
}

// { "edge": 2, "path": [[x, y, height, "<kind>", cost, speed_limit, link, link], ...] }: each point
// with the edge that leads from it, the last without.
static void move_follow_save(const void *params, const void *data, ploy_json_writer *out) {
    const ploy_path *path = ((const ploy_goal_path_params *)params)->path;
    ploy_json_write_begin_object(out);
    ployi_save_u64(out, "edge", (uint64_t)((const move_follow *)data)->edge);
    ploy_json_write_key(out, "path");
    ploy_json_write_begin_array(out);
    for (int32_t i = 0; i < ploy_path_count(path); i++) {
        ploy_vec2 point = ploy_path_point(path, i);
        ploy_json_write_begin_row(out);
        ploy_json_write_f32(out, point.x);
        ploy_json_write_f32(out, point.y);
        ploy_json_write_f32(out, ploy_path_height(path, i));
        const ploy_path_edge *edge = ploy_path_edge_from(path, i);
        if (edge != NULL && i + 1 < ploy_path_count(path)) {
            char kind[PLOYI_SAVE_ID_SIZE];
            ployi_save_id(edge->kind.hash, kind);
            ploy_json_write_text(out, kind);
            ploy_json_write_f32(out, edge->cost);
            ploy_json_write_f32(out, edge->speed_limit);
            ploy_json_write_u64(out, edge->link.index);
            ploy_json_write_u64(out, edge->link.generation);
        }
        ploy_json_write_end_array(out);
    }
    ploy_json_write_end_array(out);
    ploy_json_write_end_object(out);
}

// One point, and the edge that leads to the next.
static ploy_result move_follow_load_point(ploy_path *path, const ploy_json *doc, ploy_json_node row,
                                          const ploy_path_edge *before, ploy_path_edge *after) {
    float numbers[6] = {0};
    uint64_t link[2] = {0, 0};
    static const int32_t places[] = {0, 1, 2, 4, 5};
    bool last = ploy_json_count(doc, row) == 3, fine = last || ploy_json_count(doc, row) == 8;
    for (size_t i = 0; i < (last ? 3u : 5u) && fine; i++) {
        fine = ploy_json_f32(doc, ploy_json_at(doc, row, places[i]), &numbers[i]) == PLOY_OK;
    }
    memset(after, 0, sizeof *after);
    if (!last && fine) {
        fine = ployi_load_id(doc, ploy_json_at(doc, row, 3), &after->kind.hash);
        for (int32_t i = 0; i < 2 && fine; i++) {
            fine = ploy_json_u64(doc, ploy_json_at(doc, row, 6 + i), &link[i]) == PLOY_OK &&
                   link[i] <= UINT32_MAX;
        }
    }
    if (!fine) return PLOY_ERR_FORMAT;
    after->cost = numbers[3];
    after->speed_limit = numbers[4];
    after->link.index = (uint32_t)link[0];
    after->link.generation = (uint32_t)link[1];
    ploy_result result =
        ploy_path_append(path, ploy_vec2_make(numbers[0], numbers[1]), numbers[2], before);
    return result == PLOY_ERR_ARGUMENT ? PLOY_ERR_FORMAT : result;
}

static ploy_result move_follow_load(const ploy_goal_turn *turn, void *params, const ploy_json *doc,
                                    ploy_json_node saved) {
    const ploy_goal_mover *mover = turn->owner;
    ploy_json_node points = ploy_json_member(doc, saved, "path");
    ploy_path *path = NULL;
    ploy_result result = move_take_path(mover, &path);
    if (result != PLOY_OK) return result;
    ploy_path_edge edges[2];
    for (int32_t i = 0; i < ploy_json_count(doc, points) && result == PLOY_OK; i++) {
        result = move_follow_load_point(path, doc, ploy_json_at(doc, points, i),
                                        i > 0 ? &edges[(i + 1) % 2] : NULL, &edges[i % 2]);
    }
    uint64_t edge = 0;
    ployi_load_u64(doc, saved, "edge", &edge);
    if (result == PLOY_OK && edge > (uint64_t)ploy_path_count(path)) result = PLOY_ERR_FORMAT;
    if (result != PLOY_OK) {
        move_give_path(mover, path);
        return result;
    }
    ((ploy_goal_path_params *)params)->path = path;
    ((move_follow *)turn->data)->edge = (int32_t)edge;
    return PLOY_OK;
}

const ploy_goal_type *ployi_goal_follow_path(void) {
    static const ploy_goal_type type = {.name = "follow path",
                                        .needs_owner = true,
                                        .composite = true,
                                        .activate = move_follow_activate,
                                        .process = move_follow_process,
                                        .terminate = move_follow_terminate,
                                        .describe = move_follow_describe,
                                        .save = move_follow_save,
                                        .load = move_follow_load,
                                        .once = true};
    return &type;
}

ploy_result ployi_goals_add_path(ploy_goals *goals, ploy_step_context *context, ploy_goal parent,
                                 ploy_goal_place place, ploy_path *path, ploy_goal *out) {
    ploy_goal_path_params params = {path};
    if (path == NULL) return PLOY_ERR_ARGUMENT;
    return ploy_goals_add(goals, context, parent, place, ployi_goal_follow_path(), &params,
                          sizeof params, out);
}

// ---- move to

typedef struct move_to {
    ploy_path_ticket ticket;
    double checked;   // s, when the character was at `at`
    ploy_vec2 at;     // m
    uint32_t wanders; // 1: straight ahead was blocked, so that it wanders until the path is there
    uint32_t kept;    // keeps the struct free of gaps
} move_to;

// While a path is searched the character seeks straight ahead. One that gets nowhere for this long
// is at a wall.
static const double move_blocked_after = 0.5; // s

static void move_to_cancel(const ploy_goal_turn *turn) {
    const ploy_goal_mover *mover = turn->owner;
    move_to *own = turn->data;
    if (own->ticket.id.generation != 0) {
        (void)ploy_path_service_cancel(mover->paths, own->ticket);
    }
    memset(own, 0, sizeof *own);
}

// Requests a path from where the character is. False if the service refuses.
static bool move_to_ask(const ploy_goal_turn *turn, ploy_vec2 to) {
    const ploy_goal_mover *mover = turn->owner;
    move_to *own = turn->data;
    ploy_vec2 from = mover->position(mover->user);
    ploy_path_request request = ploy_path_request_make(
        mover->agent, ploy_vec3_make(from.x, from.y, 0.0f), ploy_vec3_make(to.x, to.y, 0.0f));
    request.radius = mover->radius;
    own->at = from;
    own->checked = turn->context != NULL ? turn->context->now : 0.0;
    if (ploy_path_service_request(mover->paths, &request, &own->ticket) == PLOY_OK) return true;
    memset(own, 0, sizeof *own);
    return false;
}

static ploy_result move_to_activate(const ploy_goal_turn *turn) {
    const ploy_goal_place_params *params = turn->params;
    ploy_goals_clear(turn->goals, turn->context, turn->goal);
    move_to_cancel(turn);
    if (!move_to_ask(turn, params->to)) {
        return ploy_goals_set_status(turn->goals, turn->goal, PLOY_GOAL_FAILED); // refused
    }
    return ploy_goals_add(turn->goals, turn->context, turn->goal, PLOY_GOAL_FRONT, ploy_goal_seek(),
                          params, sizeof *params, NULL);
}

// While the path is searched: a character that straight ahead leads nowhere goes about until the
// path is there. To request it again would begin the search again.
static ploy_result move_to_wait(const ploy_goal_turn *turn, ploy_goal_status *status) {
    const ploy_goal_mover *mover = turn->owner;
    move_to *own = turn->data;
    double now = turn->context->now;
    if (*status == PLOY_GOAL_COMPLETED) { // it came there by seeking and needs no path any more
        move_to_cancel(turn);
        return PLOY_OK;
    }
    if (own->wanders != 0) return PLOY_OK;
    bool blocked = *status == PLOY_GOAL_FAILED;
    if (now - own->checked >= move_blocked_after) {
        ploy_vec2 at = mover->position(mover->user);
        blocked = blocked || ploy_vec2_distance(at, own->at) < 0.5f * mover->radius;
        own->at = at;
        own->checked = now;
    }
    if (!blocked) return PLOY_OK;
    own->wanders = 1;
    *status = PLOY_GOAL_ACTIVE;
    ploy_goals_clear(turn->goals, turn->context, turn->goal);
    return ploy_goals_add(turn->goals, turn->context, turn->goal, PLOY_GOAL_FRONT,
                          ploy_goal_wander(), NULL, 0, NULL);
}

// Looks whether the path is there, and follows it then.
static ploy_result move_to_poll(const ploy_goal_turn *turn, ploy_goal_status *status) {
    const ploy_goal_mover *mover = turn->owner;
    move_to *own = turn->data;
    ploy_path_outcome outcome = PLOY_PATH_OPEN;
    ploy_path *path = NULL;
    ploy_result result = move_take_path(mover, &path);
    if (result == PLOY_OK) {
        // The path will start where the character is by then, where the service can do that.
        ploy_vec2 at = mover->position(mover->user);
        (void)ploy_path_service_move(mover->paths, own->ticket, ploy_vec3_from_vec2(at, 0.0f));
        result = ploy_path_service_poll(mover->paths, own->ticket, path, &outcome);
    }
    if (result == PLOY_OK && outcome == PLOY_PATH_OPEN) {
        move_give_path(mover, path);
        return move_to_wait(turn, status);
    }
    if (result == PLOY_ERR_MEMORY) {
        move_give_path(mover, path);
        return result;
    }
    memset(own, 0, sizeof *own); // the ticket is used up
    if (result == PLOY_OK && outcome == PLOY_PATH_FOUND) {
        ploy_goals_clear(turn->goals, turn->context, turn->goal);
        result = ployi_goals_add_path(turn->goals, turn->context, turn->goal, PLOY_GOAL_FRONT, path,
                                      NULL);
        if (result == PLOY_OK) {
            *status = PLOY_GOAL_ACTIVE;
            return PLOY_OK;
        }
    } else if (*status != PLOY_GOAL_COMPLETED) {
        *status = PLOY_GOAL_FAILED; // no path
        result = PLOY_OK;
    }
    move_give_path(mover, path);
    return result;
}

static ploy_result move_to_process(const ploy_goal_turn *turn, ploy_goal_status *status) {
    const move_to *own = turn->data;
    if (own->ticket.id.generation == 0) return PLOY_OK;
    return move_to_poll(turn, status);
}

static void move_save_point(ploy_json_writer *out, const char *key, ploy_vec2 point) {
    ploy_json_write_key(out, key);
    ploy_json_write_begin_row(out);
    ploy_json_write_f32(out, point.x);
    ploy_json_write_f32(out, point.y);
    ploy_json_write_end_array(out);
}

static bool move_load_point(const ploy_json *doc, ploy_json_node object, const char *key,
                            ploy_vec2 *out) {
    ploy_json_node point = ploy_json_member(doc, object, key);
    return ploy_json_f32(doc, ploy_json_at(doc, point, 0), &out->x) == PLOY_OK &&
           ploy_json_f32(doc, ploy_json_at(doc, point, 1), &out->y) == PLOY_OK &&
           ploy_is_finite(out->x) && ploy_is_finite(out->y);
}

// { "to": [x, y], "asked": true, "at": [x, y], "checked": 1.5, "wanders": false }: a path that was
// requested is requested again, because the ticket means nothing to another path service.
static void move_to_save(const void *params, const void *data, ploy_json_writer *out) {
    const move_to *own = data;
    ploy_json_write_begin_object(out);
    move_save_point(out, "to", ((const ploy_goal_place_params *)params)->to);
    ployi_save_bool(out, "asked", own->ticket.id.generation != 0);
    move_save_point(out, "at", own->at);
    ployi_save_f64(out, "checked", own->checked);
    ployi_save_bool(out, "wanders", own->wanders != 0);
    ploy_json_write_end_object(out);
}

static ploy_result move_to_load(const ploy_goal_turn *turn, void *params, const ploy_json *doc,
                                ploy_json_node saved) {
    ploy_goal_place_params *place = params;
    move_to *own = turn->data;
    if (!move_load_point(doc, saved, "to", &place->to)) return PLOY_ERR_FORMAT;
    if (ployi_load_bool(doc, saved, "asked") && !move_to_ask(turn, place->to)) {
        return ploy_goals_set_status(turn->goals, turn->goal, PLOY_GOAL_FAILED); // refused
    }
    // Absent in trees that an older release saved.
    ploy_vec2 at;
    if (move_load_point(doc, saved, "at", &at)) own->at = at;
    (void)ployi_load_f64(doc, saved, "checked", &own->checked);
    own->wanders = ployi_load_bool(doc, saved, "wanders") ? 1 : 0;
    return PLOY_OK;
}

static void move_to_describe(const void *params, const void *data, ploy_describe *out) {
    const move_to *own = data;
    move_place_describe(params, data, out);
    if (own->wanders != 0) ploy_describe_bool(out, "wanders", PLOY_STATE, true);
}

const ploy_goal_type *ploy_goal_move_to(void) {
    static const ploy_goal_type type = {.name = "move to",
                                        .needs_owner = true,
                                        .composite = true,
                                        .activate = move_to_activate,
                                        .process = move_to_process,
                                        .terminate = move_to_cancel,
                                        .describe = move_to_describe,
                                        .save = move_to_save,
                                        .load = move_to_load,
                                        .replans = 8,
                                        .replan_pause = 0.1f};
    return &type;
}

// ---- explore, doors, mechanisms, pause

static ploy_result move_add_place(const ploy_goal_turn *turn, ploy_goal_place place, ploy_vec2 to) {
    ploy_goal_place_params params = {to};
    return ploy_goals_add(turn->goals, turn->context, turn->goal, place, ploy_goal_move_to(),
                          &params, sizeof params, NULL);
}

static ploy_result move_explore_activate(const ploy_goal_turn *turn) {
    const ploy_goal_mover *mover = turn->owner;
    ploy_vec2 to;
    ploy_goals_clear(turn->goals, turn->context, turn->goal);
    if (mover->explore == NULL || !mover->explore(mover->user, turn->context, &to)) {
        return ploy_goals_set_status(turn->goals, turn->goal, PLOY_GOAL_FAILED);
    }
    return move_add_place(turn, PLOY_GOAL_FRONT, to);
}

const ploy_goal_type *ploy_goal_explore(void) {
    static const ploy_goal_type type = {.name = "explore",
                                        .needs_owner = true,
                                        .composite = true,
                                        .activate = move_explore_activate};
    return &type;
}

static ploy_result move_door_activate(const ploy_goal_turn *turn) {
    const ploy_goal_mover *mover = turn->owner;
    const ploy_goal_edge_params *edge = turn->params;
    ploy_vec2 button;
    ploy_goals_clear(turn->goals, turn->context, turn->goal);
    if (mover->find_switch == NULL ||
        !mover->find_switch(mover->user, edge->link, mover->position(mover->user), &button)) {
        return ploy_goals_set_status(turn->goals, turn->goal, PLOY_GOAL_FAILED);
    }
    ploy_result result = move_add_place(turn, PLOY_GOAL_REAR, button);
    if (result == PLOY_OK) result = move_add_place(turn, PLOY_GOAL_REAR, edge->from);
    if (result != PLOY_OK) return result;
    return ploy_goals_add(turn->goals, turn->context, turn->goal, PLOY_GOAL_REAR,
                          ployi_goal_traverse_edge(), edge, sizeof *edge, NULL);
}

const ploy_goal_type *ploy_goal_negotiate_door(void) {
    static const ploy_goal_type type = {.name = "negotiate door",
                                        .needs_owner = true,
                                        .composite = true,
                                        .activate = move_door_activate,
                                        .replans = 3,
                                        .committed = true};
    return &type;
}

static ploy_result move_use_activate(const ploy_goal_turn *turn) {
    const ploy_goal_mover *mover = turn->owner;
    if (mover->use != NULL) {
        mover->use(mover->user, ((const ploy_goal_mechanism_params *)turn->params)->mechanism);
    }
    return ploy_goals_set_status(turn->goals, turn->goal, PLOY_GOAL_COMPLETED);
}

static ploy_result move_wait_activate(const ploy_goal_turn *turn) {
    ((move_leg *)turn->data)->started = turn->context->now;
    ployi_goal_stand(turn);
    return PLOY_OK;
}

static ploy_result move_wait_process(const ploy_goal_turn *turn, ploy_goal_status *status) {
    const ploy_goal_mover *mover = turn->owner;
    const ploy_goal_mechanism_params *params = turn->params;
    if (mover->ready == NULL || mover->ready(mover->user, params->mechanism)) {
        *status = PLOY_GOAL_COMPLETED;
    } else if (turn->context->now - ((move_leg *)turn->data)->started > (double)params->patience) {
        *status = PLOY_GOAL_FAILED;
    }
    return PLOY_OK;
}

static ploy_result move_ride_process(const ploy_goal_turn *turn, ploy_goal_status *status) {
    const ploy_goal_mover *mover = turn->owner;
    const ploy_goal_mechanism_params *params = turn->params;
    if (mover->there == NULL || mover->there(mover->user, params->mechanism)) {
        *status = PLOY_GOAL_COMPLETED;
    }
    return PLOY_OK;
}

static const ploy_goal_type move_use = {
    .name = "use", .needs_owner = true, .activate = move_use_activate};
static const ploy_goal_type move_wait = {.name = "wait",
                                         .needs_owner = true,
                                         .activate = move_wait_activate,
                                         .process = move_wait_process};
static const ploy_goal_type move_ride = {.name = "ride",
                                         .needs_owner = true,
                                         .activate = move_wait_activate,
                                         .process = move_ride_process};

static ploy_result move_mechanism_activate(const ploy_goal_turn *turn) {
    const ploy_goal_mechanism_params *params = turn->params;
    const ploy_goal_type *steps[] = {NULL, &move_use, NULL, &move_wait, &move_ride};
    ploy_goals_clear(turn->goals, turn->context, turn->goal);
    ploy_result result = PLOY_OK;
    for (int32_t i = 0; i < 5 && result == PLOY_OK; i++) {
        if (steps[i] == NULL) {
            result = move_add_place(turn, PLOY_GOAL_REAR, i == 0 ? params->button : params->embark);
        } else {
            result = ploy_goals_add(turn->goals, turn->context, turn->goal, PLOY_GOAL_REAR,
                                    steps[i], params, sizeof *params, NULL);
        }
    }
    return result;
}

const ploy_goal_type *ploy_goal_use_mechanism(void) {
    static const ploy_goal_type type = {.name = "use mechanism",
                                        .needs_owner = true,
                                        .composite = true,
                                        .activate = move_mechanism_activate,
                                        .replans = 3};
    return &type;
}

static ploy_result move_pause_process(const ploy_goal_turn *turn, ploy_goal_status *status) {
    const move_leg *leg = turn->data;
    double seconds = (double)((const ploy_goal_pause_params *)turn->params)->seconds;
    if (turn->context->now - leg->started >= seconds) *status = PLOY_GOAL_COMPLETED;
    return PLOY_OK;
}

const ploy_goal_type *ploy_goal_pause(void) {
    static const ploy_goal_type type = {.name = "pause",
                                        .needs_owner = true,
                                        .activate = move_wait_activate,
                                        .process = move_pause_process};
    return &type;
}

ploy_result ploy_goal_moves_register(ploy_goals *goals) {
    const ploy_goal_type *types[] = {ploy_goal_wander(),
                                     ploy_goal_seek(),
                                     ployi_goal_traverse_edge(),
                                     ployi_goal_follow_path(),
                                     ploy_goal_move_to(),
                                     ploy_goal_explore(),
                                     ploy_goal_negotiate_door(),
                                     ploy_goal_use_mechanism(),
                                     ploy_goal_pause(),
                                     ployi_goal_say(),
                                     ployi_goal_lead(),
                                     ployi_goal_vanish(),
                                     &move_use,
                                     &move_wait,
                                     &move_ride};
    return ploy_goals_register(goals, types, (int32_t)(sizeof types / sizeof types[0]));
}
