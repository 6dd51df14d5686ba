// The lab of taking a house: a team of four, three or two stacks beside a door, throws a grenade and
// enters one behind the other, by the squad script that can be edited while it runs.
//
// Each round is another room: its shape, the door, the hostiles and the non-combatants are drawn from
// the seed and the round. With `rush` all run in at once, for comparison. A round ends cleared, aborted
// with a reason, or lost; the next begins after a pause.
#include <stdio.h>
#include <string.h>

#include "labs/lab_input.h"
#include "labs/labs.h"
#include "ploy/tactics/house.h"
#include "ploy/tactics/order.h"
#include "ploy/tactics/squad_run.h"

enum { HOUSE_TEAM = 4, HOUSE_OTHERS = 6, HOUSE_CORNERS = 6, HOUSE_LOST = 8 };

static const float house_radius = 0.3f; // m, of a body

typedef struct house_lab_def {
    uint32_t cookie;
    int32_t members;
    int32_t hostiles;
    float bystanders;
    float blocked;
    float min_corner;
    float fuse;
    float stun;
    float aim;
    float hostile_aim;
    float pause;
    bool rush;
} house_lab_def;

static const ploy_field house_lab_fields[] = {
    PLOY_FIELD_I32(house_lab_def, members, 4, 2, HOUSE_TEAM, "", "team of the next round"),
    PLOY_FIELD_I32(house_lab_def, hostiles, 3, 0, HOUSE_OTHERS - 1, "", "most hostiles in a room"),
    PLOY_FIELD_F32(house_lab_def, bystanders, 0.5, 0, 1, "",
                   "how likely a non-combatant is inside"),
    PLOY_FIELD_F32(house_lab_def, blocked, 0.05, 0, 1, "", "how likely the door is blocked"),
    PLOY_FIELD_F32(house_lab_def, min_corner, 1.5, 0, 20, "m",
                   "corners nearer to the door are not used"),
    PLOY_FIELD_F32(house_lab_def, fuse, 1.5, 0.1, 10, "s", "from the throw to the bang"),
    PLOY_FIELD_F32(house_lab_def, stun, 1.2f, 0, 30, "s", "how long a bang stuns"),
    PLOY_FIELD_F32(house_lab_def, aim, 0.5, 0, 1, "", "how likely a member hits"),
    PLOY_FIELD_F32(house_lab_def, hostile_aim, 0.3f, 0, 1, "", "how likely a hostile hits"),
    PLOY_FIELD_F32(house_lab_def, pause, 3, 0, 60, "s", "between two rounds"),
    PLOY_FIELD_BOOL(house_lab_def, rush, false, "all run in at once, from the next round on"),
};

static ploy_fields house_lab_get_fields(void) {
    return PLOY_FIELDS(house_lab_def, house_lab_fields);
}

typedef enum house_end { HOUSE_RUNS, HOUSE_CLEARED, HOUSE_ABORTED, HOUSE_ALL_FELL } house_end;
static const char *const house_ends[] = {"runs", "cleared", "aborted", "lost"};

typedef struct house_body {
    ploy_vec2 at, goal;
    bool alive, moving, inside, hostile;
    float stunned;   // s left
    float reload;    // s until the next shot
    int64_t entered; // tick; -1: not yet
    int32_t corner;  // of the plan that it went to; -1: none
    ploy_progress progress;
} house_body;

typedef struct house_lab {
    house_lab_def def;
    ploy_env env;
    ploy_rng_key key;
    ploy_squad_scripts *scripts;
    ploy_signals *signals;
    ploy_squad_run *run;
    ploy_actions *actions;
    ploy_definition_text text;
    ploy_diags *lost;
    ploy_vec2 corners[HOUSE_CORNERS];
    int32_t corner_count;
    ploy_house_room room;
    ploy_house_plan plan;
    house_body team[HOUSE_TEAM];
    house_body others[HOUSE_OTHERS];
    int32_t team_count, other_count;
    bool is_blocked, rushes;
    float fuse;   // s left; below 0: not thrown
    int64_t boom; // tick of the bang; -1: none yet
    uint64_t tick;
    double now;
    house_end end;
    ploy_squad_reason reason;
    int64_t unexplained; // ended without a reason: never
    float rest;          // s until the next round
    int64_t round, begun;
    int64_t cleared, aborted, fallen, shots;
    int64_t too_early, out_of_order, same_corner; // what must never happen
} house_lab;

static ploy_agent_id house_id(int32_t member) {
    return ploy_agent_id_make((uint32_t)member + 1, 1);
}

static int32_t house_index(ploy_agent_id agent) {
    return (int32_t)agent.id.index - 1;
}

// ---- the bodies, as controllers of actions

static bool house_is(const house_lab *lab, ploy_name name, const char *text) {
    (void)lab;
    return ploy_name_equal(name, ploy_name_of(text));
}

static ploy_vec2 house_place(const house_lab *lab, const ploy_action_request *request,
                             int32_t *corner) {
    static const char *const order[] = {"first", "second", "third", "fourth"};
    int32_t index = house_is(lab, request->style, "right") ? 1 : 0;
    for (int32_t i = 0; i < 4; i++) {
        if (house_is(lab, request->style, order[i])) index = i;
    }
    *corner = -1;
    if (house_is(lab, request->kind, "outside")) return lab->plan.outside[index];
    if (house_is(lab, request->kind, "door")) return lab->plan.door;
    if (house_is(lab, request->kind, "flank")) return lab->plan.flank[index % 2];
    *corner = index % 2;
    return lab->plan.corners[index % 2];
}

static ploy_result house_move_begin(void *user, ploy_action_id id,
                                    const ploy_action_request *request) {
    house_lab *lab = user;
    house_body *body = &lab->team[house_index(request->agent)];
    (void)id;
    int32_t corner = -1;
    body->goal = house_place(lab, request, &corner);
    // After the bang a smaller script begins again: a member inside does not go out to stack again.
    bool stack = house_is(lab, request->kind, "outside");
    bool again = house_is(lab, request->kind, "door") && body->inside;
    if ((stack && lab->boom >= 0) || again) body->goal = body->at;
    if (corner >= 0) body->corner = corner;
    body->moving = true;
    body->progress = ploy_progress_begin(lab->now);
    return PLOY_OK;
}

static ploy_result house_move_step(void *user, ploy_action_id id,
                                   const ploy_action_request *request, float dt,
                                   ploy_status *status) {
    house_lab *lab = user;
    house_body *body = &lab->team[house_index(request->agent)];
    ploy_progress_def def = ploy_progress_def_default();
    (void)id, (void)dt;
    *status = PLOY_STATUS_RUNNING;
    float left = ploy_vec2_distance(body->at, body->goal);
    if (left < 0.05f) {
        *status = PLOY_STATUS_SUCCESS;
    } else if (ploy_progress_step(&def, &body->progress, left, lab->now)) {
        *status = PLOY_STATUS_FAILURE; // the door is blocked
    }
    if (*status != PLOY_STATUS_RUNNING) body->moving = false;
    return PLOY_OK;
}

static void house_move_cancel(void *user, ploy_action_id id, const ploy_action_request *request) {
    house_lab *lab = user;
    (void)id;
    lab->team[house_index(request->agent)].moving = false;
}

static ploy_result house_play_begin(void *user, ploy_action_id id,
                                    const ploy_action_request *request) {
    house_lab *lab = user;
    (void)id;
    bool throws = house_is(lab, request->kind, "throw");
    if (throws && lab->fuse < 0.0f && lab->boom < 0) lab->fuse = lab->def.fuse;
    return PLOY_OK;
}

static ploy_result house_play_step(void *user, ploy_action_id id,
                                   const ploy_action_request *request, float dt,
                                   ploy_status *status) {
    house_lab *lab = user;
    (void)id, (void)dt;
    // Aiming goes on until it is cancelled; a throw is over at once.
    *status = house_is(lab, request->kind, "aim") ? PLOY_STATUS_RUNNING : PLOY_STATUS_SUCCESS;
    return PLOY_OK;
}

// ---- a round

static float house_draw(const house_lab *lab, uint32_t who, uint32_t draw, float min, float max) {
    return ploy_rng_range_at(lab->key, who, (uint64_t)lab->round, draw, min, max);
}

// A convex room: four to six corners, the door in the southern wall at y = 0.
static void house_build(house_lab *lab) {
    float width = house_draw(lab, 50, 0, 4.0f, 9.0f);
    float depth = house_draw(lab, 50, 1, 3.0f, 7.0f);
    float door = house_draw(lab, 50, 2, -0.5f * width + 0.8f, 0.5f * width - 0.8f);
    int32_t cut = ploy_rng_int_at(lab->key, 50, (uint64_t)lab->round, 3, 0, 2);
    float half = 0.5f * width;
    lab->corner_count = 0;
    lab->corners[lab->corner_count++] = ploy_vec2_make(-half, 0.0f);
    lab->corners[lab->corner_count++] = ploy_vec2_make(half, 0.0f);
    lab->corners[lab->corner_count++] = ploy_vec2_make(half, cut > 0 ? 0.6f * depth : depth);
    if (cut > 0) lab->corners[lab->corner_count++] = ploy_vec2_make(0.5f * half, depth);
    if (cut > 1) lab->corners[lab->corner_count++] = ploy_vec2_make(-0.5f * half, depth);
    lab->corners[lab->corner_count++] = ploy_vec2_make(-half, cut > 1 ? 0.6f * depth : depth);
    lab->room.corners = lab->corners;
    lab->room.corner_count = lab->corner_count;
    lab->room.door = ploy_vec2_make(door, 0.0f);
    lab->room.inward = ploy_vec2_make(0.0f, 1.0f);
    lab->room.door_width = 1.0f;
    lab->is_blocked = ploy_rng_float_at(lab->key, 50, (uint64_t)lab->round, 4) < lab->def.blocked;
    int32_t hostiles = ploy_rng_int_at(lab->key, 50, (uint64_t)lab->round, 5, 0, lab->def.hostiles);
    bool bystander = ploy_rng_float_at(lab->key, 50, (uint64_t)lab->round, 6) < lab->def.bystanders;
    lab->other_count = hostiles + (bystander ? 1 : 0);
    memset(lab->others, 0, sizeof lab->others);
    for (int32_t i = 0; i < lab->other_count; i++) {
        house_body *body = &lab->others[i];
        uint32_t who = 60 + (uint32_t)i;
        float x = house_draw(lab, who, 0, -0.5f * half, 0.5f * half);
        float y = house_draw(lab, who, 1, 0.3f * depth, 0.9f * depth);
        body->at = body->goal = ploy_vec2_make(x, y);
        body->alive = true;
        body->hostile = i < hostiles;
        body->corner = -1;
        body->entered = -1;
    }
}

static ploy_result house_begin(house_lab *lab) {
    memset(lab->team, 0, sizeof lab->team);
    lab->team_count = lab->def.members;
    lab->rushes = lab->def.rush;
    lab->fuse = -1.0f;
    lab->boom = -1;
    lab->end = HOUSE_RUNS;
    lab->reason = PLOY_SQUAD_NO_REASON;
    lab->begun = (int64_t)lab->tick;
    house_build(lab);
    ploy_result result = ploy_house_plan_make(&lab->room, lab->def.min_corner, &lab->plan);
    if (result != PLOY_OK) return result;
    ploy_agent_id agents[HOUSE_TEAM];
    for (int32_t i = 0; i < lab->team_count; i++) {
        house_body *body = &lab->team[i];
        float x = house_draw(lab, (uint32_t)i, 0, -3.0f, 3.0f);
        float y = house_draw(lab, (uint32_t)i, 1, -5.0f, -3.0f);
        body->at = body->goal = ploy_vec2_make(x, y);
        body->alive = true;
        body->entered = -1;
        body->corner = -1;
        agents[i] = house_id(i);
        if (lab->rushes) {
            body->goal = ploy_vec2_make(lab->room.door.x, 1.5f + 0.5f * (float)i);
            body->moving = true;
        }
    }
    if (lab->rushes) return PLOY_OK;
    int32_t script = -1;
    for (int32_t i = 0; i < ploy_squad_scripts_count(lab->scripts); i++) {
        if (ploy_squad_scripts_actors(lab->scripts, i) == lab->team_count) script = i;
    }
    return ploy_squad_run_begin(lab->run, script, agents, lab->team_count, lab->now);
}

static int32_t house_live(const house_body *bodies, int32_t count, bool hostile) {
    int32_t live = 0;
    for (int32_t i = 0; i < count; i++) live += bodies[i].alive && bodies[i].hostile == hostile;
    return live;
}

// ---- fighting

static void house_walk(house_lab *lab, house_body *body, float dt) {
    if (!body->alive || !body->moving) return;
    ploy_vec2 goal = body->goal;
    bool through = (body->at.y < 0.0f) != (goal.y < 0.0f);
    ploy_vec2 door = lab->room.door;
    // Through the doorway: first in front of it, then straight through.
    if (through) {
        float near_side = body->at.y < 0.0f ? -0.3f : 0.3f;
        float aside = body->at.x > door.x ? body->at.x - door.x : door.x - body->at.x;
        goal = ploy_vec2_make(door.x, aside > 0.35f ? near_side : -near_side);
    }
    ploy_vec2 way = ploy_vec2_sub(goal, body->at);
    float reach = (lab->rushes ? 4.0f : 3.0f) * dt, length = ploy_vec2_length(way);
    ploy_vec2 next =
        length <= reach ? goal : ploy_vec2_add(body->at, ploy_vec2_with_length(way, reach));
    if (lab->is_blocked && body->at.y < 0.0f && next.y >= 0.0f) return;
    body->at = next;
    if (body->at.y < 0.0f || body->inside) return;
    body->inside = true;
    if (body->entered >= 0) return;
    body->entered = (int64_t)lab->tick;
    if (!lab->rushes && lab->boom < 0) lab->too_early++;
    // Members enter in their order; one that is still outside and alive was overtaken.
    for (const house_body *other = lab->team; other < body && !lab->rushes; other++) {
        bool before = other < lab->team + 2; // behind the first two the order does not matter
        if (before && other->alive && other->entered < 0) lab->out_of_order++;
    }
}

static house_body *house_target(house_body *bodies, int32_t count, bool hostile, ploy_vec2 from) {
    house_body *best = NULL;
    for (int32_t i = 0; i < count; i++) {
        house_body *body = &bodies[i];
        // Walls hide all agents outside.
        if (!body->alive || body->hostile != hostile || body->at.y < 0.0f) continue;
        if (best != NULL &&
            ploy_vec2_distance_sq(body->at, from) >= ploy_vec2_distance_sq(best->at, from)) {
            continue;
        }
        best = body;
    }
    return best;
}

static ploy_result house_fell(house_lab *lab, house_body *body) {
    body->alive = false;
    body->moving = false;
    if (body->hostile) return PLOY_OK;
    lab->fallen++;
    if (lab->rushes || ploy_squad_run_outcome_of(lab->run) != PLOY_SQUAD_RUNNING) return PLOY_OK;
    int32_t member = (int32_t)(body - lab->team);
    ploy_result result = ploy_squad_run_lose(lab->run, lab->actions, house_id(member), lab->now);
    return result == PLOY_ERR_NOT_FOUND ? PLOY_OK : result;
}

static ploy_result house_fight(house_lab *lab, float dt) {
    ploy_result result = PLOY_OK;
    for (int32_t side = 0; side < 2 && result == PLOY_OK; side++) {
        house_body *mine = side == 0 ? lab->team : lab->others;
        house_body *theirs = side == 0 ? lab->others : lab->team;
        int32_t count = side == 0 ? lab->team_count : lab->other_count;
        int32_t their_count = side == 0 ? lab->other_count : lab->team_count;
        for (int32_t i = 0; i < count && result == PLOY_OK; i++) {
            house_body *body = &mine[i];
            body->stunned = body->stunned > dt ? body->stunned - dt : 0.0f;
            body->reload = body->reload > dt ? body->reload - dt : 0.0f;
            bool fights = body->alive && body->at.y >= 0.0f && body->stunned <= 0.0f &&
                          body->reload <= 0.0f && (side == 0 || body->hostile);
            if (!fights) continue;
            house_body *target = house_target(theirs, their_count, side == 0, body->at);
            if (target == NULL) continue;
            body->reload = 0.5f;
            lab->shots++;
            // An agent in a corner or beside the door is harder to hit than one in the doorway.
            float chance = side == 0 ? lab->def.aim : lab->def.hostile_aim;
            uint32_t who = (uint32_t)(side * 100 + i);
            if (ploy_rng_float_at(lab->key, who, lab->tick, 7) < chance) {
                result = house_fell(lab, target);
            }
        }
    }
    return result;
}

static ploy_result house_bang(house_lab *lab, float dt) {
    if (lab->fuse < 0.0f) return PLOY_OK;
    lab->fuse -= dt;
    if (lab->fuse > 0.0f) return PLOY_OK;
    lab->fuse = -1.0f;
    lab->boom = (int64_t)lab->tick;
    bool stun = house_live(lab->others, lab->other_count, false) > 0;
    for (int32_t i = 0; i < lab->other_count; i++) {
        house_body *body = &lab->others[i];
        body->stunned = lab->def.stun;
        // A lethal one only where no non-combatant can be hurt, and only near where it lands.
        ploy_vec2 lands = ploy_vec2_make(lab->room.door.x, 2.0f);
        if (!stun && ploy_vec2_distance(body->at, lands) < 1.5f) body->alive = false;
    }
    return ploy_signals_set(lab->signals, 1, ploy_name_of("boom"), lab->now);
}

static void house_finish(house_lab *lab, house_end end, ploy_squad_reason reason) {
    lab->end = end;
    lab->reason = reason;
    lab->rest = lab->def.pause;
    if (end == HOUSE_CLEARED) lab->cleared++;
    if (end != HOUSE_CLEARED) lab->aborted++;
    if (end != HOUSE_CLEARED && reason == PLOY_SQUAD_NO_REASON) lab->unexplained++;
    int32_t seen = 0;
    for (int32_t i = 0; i < lab->team_count; i++) {
        if (!lab->team[i].alive || lab->team[i].corner < 0) continue;
        if ((seen >> lab->team[i].corner & 1) != 0) lab->same_corner++;
        seen |= 1 << lab->team[i].corner;
        lab->team[i].moving = false;
    }
}

static void house_judge(house_lab *lab) {
    int32_t hostiles = house_live(lab->others, lab->other_count, true);
    int32_t members = house_live(lab->team, lab->team_count, false);
    ploy_squad_outcome outcome = ploy_squad_run_outcome_of(lab->run);
    bool slow = (int64_t)lab->tick - lab->begun > 20 * 60; // a minute
    if (members == 0) {
        house_finish(lab, HOUSE_ALL_FELL, PLOY_SQUAD_CASUALTY);
    } else if (lab->rushes) {
        int32_t inside = 0;
        for (int32_t i = 0; i < lab->team_count; i++) inside += lab->team[i].inside;
        if (hostiles == 0 && inside > 0)
            house_finish(lab, HOUSE_CLEARED, PLOY_SQUAD_NO_REASON);
        else if (slow)
            house_finish(lab, HOUSE_ABORTED, PLOY_SQUAD_TIMED_OUT);
    } else if (outcome == PLOY_SQUAD_DONE && hostiles == 0) {
        house_finish(lab, HOUSE_CLEARED, PLOY_SQUAD_NO_REASON);
    } else if (outcome == PLOY_SQUAD_ABORTED || slow) {
        // A single survivor that has no enemy any more has cleared the room all the same.
        bool won = hostiles == 0 && lab->boom >= 0;
        house_finish(lab, won ? HOUSE_CLEARED : HOUSE_ABORTED,
                     won    ? PLOY_SQUAD_NO_REASON
                     : slow ? PLOY_SQUAD_TIMED_OUT
                            : ploy_squad_run_reason_of(lab->run));
    }
}

// ---- the lab

static ploy_result house_load(const void *bytes, size_t size, const ploy_env *env,
                              ploy_diags *diags, ploy_squad_scripts **out) {
    ploy_result result = ploy_squad_scripts_load(bytes, size, "house", env, diags, out);
    if (result != PLOY_OK) return result;
    bool teams[HOUSE_TEAM + 1] = {false};
    for (int32_t i = 0; i < ploy_squad_scripts_count(*out); i++) {
        int32_t actors = ploy_squad_scripts_actors(*out, i);
        if (actors <= HOUSE_TEAM) teams[actors] = true;
    }
    bool all = teams[2] && teams[3] && teams[4];
    if (!all) {
        ploy_diags_add(diags, PLOY_SEVERITY_ERROR, PLOY_ERR_FORMAT, "house", 1, 1,
                       "a script is missing", "scripts with four, three and two actors", NULL);
    }
    if (all && ploy_squad_scripts_lint(*out, diags) == 0) return PLOY_OK;
    ploy_squad_scripts_destroy(*out);
    *out = NULL;
    return PLOY_ERR_FORMAT;
}

static ploy_result house_take(house_lab *lab, const void *bytes, size_t size) {
    ploy_squad_scripts *fresh = NULL;
    ploy_result result = house_load(bytes, size, &lab->env, NULL, &fresh);
    if (result == PLOY_OK) result = ploy_definition_text_set(&lab->text, bytes, size, &lab->env);
    if (result == PLOY_OK && lab->run != NULL) {
        ploy_diags_clear(lab->lost);
        result = ploy_squad_run_reload(lab->run, fresh, lab->actions, lab->now, lab->lost);
    }
    if (result != PLOY_OK) return result; // out of memory: the region goes
    ploy_squad_scripts_destroy(lab->scripts);
    lab->scripts = fresh;
    return PLOY_OK;
}

static ploy_result house_lab_create(const void *params, ploy_rng_key key, const ploy_env *env,
                                    void **out) {
    house_lab *lab = ploy_env_alloc_zero(env, sizeof *lab);
    if (lab == NULL) return PLOY_ERR_MEMORY;
    memcpy(&lab->def, params, sizeof lab->def);
    lab->env = *env;
    lab->key = key;
    const char *text = ploy_house_script();
    ploy_result result = ploy_diags_create(HOUSE_LOST, env, &lab->lost);
    if (result == PLOY_OK) result = house_take(lab, text, strlen(text));
    ploy_signals_def signals = ploy_signals_def_default();
    if (result == PLOY_OK) result = ploy_signals_create(&signals, env, &lab->signals);
    if (result == PLOY_OK) {
        result = ploy_squad_run_create(lab->scripts, lab->signals, 1, env, &lab->run);
    }
    ploy_action_host host;
    memset(&host, 0, sizeof host);
    host.move.begin = house_move_begin;
    host.move.step = house_move_step;
    host.move.cancel = house_move_cancel;
    host.move.user = lab;
    host.animate.begin = house_play_begin;
    host.animate.step = house_play_step;
    host.animate.user = lab;
    ploy_actions_def actions = ploy_actions_def_default();
    if (result == PLOY_OK) result = ploy_actions_create(&actions, &host, env, &lab->actions);
    if (result == PLOY_OK) result = house_begin(lab);
    if (result == PLOY_OK) *out = lab;
    return result;
}

static ploy_result house_next_round(house_lab *lab) {
    ploy_squad_run_abort(lab->run, lab->actions, lab->now);
    (void)ploy_signals_clear_scope(lab->signals, 1);
    lab->round++;
    return house_begin(lab);
}

static ploy_result house_lab_step(void *state, const ploy_sim_context *context) {
    house_lab *lab = state;
    ploy_result result = PLOY_OK;
    memcpy(&lab->def, context->params, sizeof lab->def);
    lab->key = context->key;
    lab->tick = context->tick;
    lab->now = (double)context->tick * (double)context->dt;
    for (int32_t i = 0; i < context->input_count && result == PLOY_OK; i++) {
        const ploy_input *input = &context->inputs[i];
        if (input->kind == PLOY_INPUT_RELOAD) {
            result = house_take(lab, input->bytes, input->size);
        } else if (lab_input_is(input, "next")) {
            result = house_next_round(lab);
        } else if (lab_input_is(input, "call off")) {
            ploy_squad_run_abort(lab->run, lab->actions, lab->now);
        }
    }
    if (result == PLOY_OK && lab->end != HOUSE_RUNS) {
        lab->rest -= context->dt;
        if (lab->rest <= 0.0f) result = house_next_round(lab);
        return result;
    }
    bool scripted = !lab->rushes && ploy_squad_run_outcome_of(lab->run) == PLOY_SQUAD_RUNNING;
    if (result == PLOY_OK && scripted) {
        result = ploy_squad_run_step(lab->run, lab->actions, lab->now, context->dt, context->trace);
        if (result > PLOY_OK) result = PLOY_OK;
    }
    if (result == PLOY_OK) result = ploy_actions_step(lab->actions, context->dt);
    if (result == PLOY_OK) result = house_bang(lab, context->dt);
    for (int32_t i = 0; i < lab->team_count; i++) house_walk(lab, &lab->team[i], context->dt);
    if (result == PLOY_OK) result = house_fight(lab, context->dt);
    if (result == PLOY_OK) house_judge(lab);
    return result;
}

// ---- sight

static void house_draw_body(const house_body *body, ploy_agent_id id, ploy_style style,
                            ploy_draw *out) {
    if (!body->alive) {
        ploy_draw_circle(out, PLOY_LAYER_AGENTS, PLOY_STYLE_GHOST, id, body->at, house_radius);
        return;
    }
    ploy_draw_disc(out, PLOY_LAYER_AGENTS, body->stunned > 0.0f ? PLOY_STYLE_GHOST : style, id,
                   body->at, house_radius, 1.0f);
}

static void house_lab_draw(const void *state, ploy_draw *out) {
    const house_lab *lab = state;
    ploy_agent_id none = ploy_agent_id_none();
    ploy_draw_key(out, PLOY_STYLE_AGENT_A, "team");
    ploy_draw_key(out, PLOY_STYLE_AGENT_B, "hostile");
    ploy_draw_key(out, PLOY_STYLE_GOOD, "non-combatant; in the lanes a signal");
    ploy_draw_key(out, PLOY_STYLE_GHOST, "stunned or fallen");
    ploy_draw_key(out, PLOY_STYLE_WARNING, "the bang; in the lanes a wait");
    ploy_draw_key(out, PLOY_STYLE_BAD, "blocked door");
    ploy_draw_polygon(out, PLOY_LAYER_REGIONS, PLOY_STYLE_FLOOR, none, lab->corners,
                      lab->corner_count, 0.4f);
    for (int32_t i = 0; i < lab->corner_count; i++) {
        ploy_vec2 a = lab->corners[i], b = lab->corners[(i + 1) % lab->corner_count];
        float half = 0.5f * lab->room.door_width;
        if (i > 0) {
            ploy_draw_line(out, PLOY_LAYER_WORLD, PLOY_STYLE_WALL, none, a, b);
            continue;
        }
        ploy_vec2 left = ploy_vec2_make(lab->room.door.x - half, 0.0f);
        ploy_vec2 right = ploy_vec2_make(lab->room.door.x + half, 0.0f);
        ploy_draw_line(out, PLOY_LAYER_WORLD, PLOY_STYLE_WALL, none, a, left);
        ploy_draw_line(out, PLOY_LAYER_WORLD, PLOY_STYLE_WALL, none, right, b);
        if (lab->is_blocked) {
            ploy_draw_line(out, PLOY_LAYER_WORLD, PLOY_STYLE_BAD, none, left, right);
        }
    }
    for (int32_t i = 0; i < lab->team_count; i++) {
        const house_body *body = &lab->team[i];
        if (body->alive && body->moving) {
            ploy_draw_line(out, PLOY_LAYER_PATHS, PLOY_STYLE_PATH, house_id(i), body->at,
                           body->goal);
        }
        house_draw_body(body, house_id(i), PLOY_STYLE_AGENT_A, out);
    }
    for (int32_t i = 0; i < lab->other_count; i++) {
        house_draw_body(&lab->others[i], ploy_agent_id_make(100 + (uint32_t)i, 1),
                        lab->others[i].hostile ? PLOY_STYLE_AGENT_B : PLOY_STYLE_GOOD, out);
    }
    if (lab->boom >= 0 && lab->tick - (uint64_t)lab->boom < 10) {
        ploy_draw_circle(out, PLOY_LAYER_SENSES, PLOY_STYLE_WARNING, none,
                         ploy_vec2_make(lab->room.door.x, 2.0f), 1.5f);
    }
    if (!lab->rushes) ploy_squad_run_draw(lab->run, ploy_vec2_make(8.6f, 6.0f), 1.2f, out);
    char text[96];
    snprintf(text, sizeof text, "house %lld: %lld cleared, %lld aborted", (long long)lab->round + 1,
             (long long)lab->cleared, (long long)lab->aborted);
    ploy_draw_text(out, none, ploy_vec2_make(-7.0f, 7.3f), text);
    ploy_draw_text(out, none, ploy_vec2_make(7.0f, 0.5f), house_ends[lab->end]);
    if (lab->end == HOUSE_ABORTED) {
        ploy_draw_text(out, none, ploy_vec2_make(7.0f, -0.3f), ploy_squad_reason_text(lab->reason));
    }
}

static void house_describe_body(const house_body *body, const char *kind, int32_t i,
                                ploy_agent_id id, ploy_describe *out) {
    lab_begin_numbered(out, kind, i, id);
    ploy_describe_vec2(out, "at", PLOY_STATE, body->at.x, body->at.y);
    ploy_describe_vec2(out, "goal", PLOY_STATE, body->goal.x, body->goal.y);
    ploy_describe_bool(out, "alive", PLOY_STATE, body->alive);
    ploy_describe_bool(out, "moving", PLOY_STATE, body->moving);
    ploy_describe_bool(out, "inside", PLOY_STATE, body->inside);
    ploy_describe_bool(out, "hostile", PLOY_STATE, body->hostile);
    ploy_describe_f32(out, "stunned", PLOY_STATE, body->stunned);
    ploy_describe_f32(out, "reload", PLOY_STATE, body->reload);
    ploy_describe_i64(out, "entered", PLOY_STATE, body->entered);
    ploy_describe_i64(out, "corner", PLOY_STATE, body->corner);
    ploy_describe_f64(out, "progress since", PLOY_STATE, body->progress.since);
    ploy_describe_end(out);
}

static void house_lab_describe(const void *state, ploy_describe *out) {
    const house_lab *lab = state;
    ploy_describe_i64(out, "round", PLOY_STATE, lab->round);
    ploy_describe_text(out, "end", PLOY_STATE, house_ends[lab->end]);
    ploy_describe_text(out, "reason", PLOY_STATE, ploy_squad_reason_text(lab->reason));
    ploy_describe_i64(out, "unexplained", PLOY_NOTE, lab->unexplained);
    ploy_describe_i64(out, "boom", PLOY_STATE, lab->boom);
    ploy_describe_f32(out, "fuse", PLOY_STATE, lab->fuse);
    ploy_describe_f32(out, "rest", PLOY_STATE, lab->rest);
    ploy_describe_bool(out, "blocked", PLOY_STATE, lab->is_blocked);
    ploy_describe_bool(out, "rushes", PLOY_STATE, lab->rushes);
    ploy_describe_i64(out, "cleared", PLOY_STATE, lab->cleared);
    ploy_describe_i64(out, "aborted", PLOY_STATE, lab->aborted);
    ploy_describe_i64(out, "fallen", PLOY_STATE, lab->fallen);
    ploy_describe_i64(out, "shots", PLOY_STATE, lab->shots);
    ploy_describe_i64(out, "too early", PLOY_STATE, lab->too_early);
    ploy_describe_i64(out, "out of order", PLOY_STATE, lab->out_of_order);
    ploy_describe_i64(out, "same corner", PLOY_STATE, lab->same_corner);
    ploy_describe_i64(out, "ticks", PLOY_DERIVED, (int64_t)lab->tick - lab->begun);
    for (int32_t i = 0; i < lab->team_count; i++) {
        house_describe_body(&lab->team[i], "member", i, house_id(i), out);
    }
    for (int32_t i = 0; i < lab->other_count; i++) {
        house_describe_body(&lab->others[i], "other", i, ploy_agent_id_make(100 + (uint32_t)i, 1),
                            out);
    }
    ploy_describe_i64(out, "variant", PLOY_DERIVED, ploy_squad_run_script(lab->run));
    ploy_describe_begin(out, "script");
    ploy_squad_run_describe(lab->run, out);
    ploy_describe_end(out);
    ploy_describe_begin(out, "signals");
    ploy_signals_describe(lab->signals, out);
    ploy_describe_end(out);
    ploy_definition_text_describe(&lab->text, "definition", lab->lost, out);
}

static ploy_result house_lab_write(const void *state, int32_t definition, ploy_writer *out) {
    (void)definition;
    return ploy_definition_text_write(&((const house_lab *)state)->text, out);
}

static ploy_result house_lab_check(const void *state, int32_t definition, const void *bytes,
                                   size_t size, const ploy_env *env, ploy_diags *diags) {
    (void)state, (void)definition;
    ploy_squad_scripts *scripts = NULL;
    ploy_result result = house_load(bytes, size, env, diags, &scripts);
    ploy_squad_scripts_destroy(scripts);
    return result;
}

static const ploy_definition house_definitions[] = {
    {"house", "txt", "The squad scripts for teams of four, three and two."},
};

static const ploy_command house_lab_commands[] = {
    {"next", "the next house, now", PLOY_VALUE_NONE, false, "n"},
    {"call off", "abort the script: all stop, nothing stays half-set", PLOY_VALUE_NONE, false, "c"},
};

extern const ploy_sim_type ploy_lab_house; // in labs.c
const ploy_sim_type ploy_lab_house = {
    .name = "house",
    .title = "Taking a house",
    .help = "A team stacks beside a door, throws a grenade and takes the room by a script with "
            "signals and waits, shown as lanes. Casualties switch to the smaller script; a blocked "
            "door aborts. Edit the script while it runs, or let them rush in for comparison.",
    .version = 1,
    .capabilities = PLOY_SIM_INTERACTIVE | PLOY_SIM_RELOADS | PLOY_SIM_TACTICS,
    .dt = 1.0f / 20.0f,
    .view = {-8.0f, -6.0f, 16.0f, 8.0f},
    .fields = house_lab_get_fields,
    .commands = house_lab_commands,
    .command_count = sizeof house_lab_commands / sizeof house_lab_commands[0],
    .create = house_lab_create,
    .destroy = NULL, // the region goes with the simulation
    .step = house_lab_step,
    .draw = house_lab_draw,
    .describe = house_lab_describe,
    .definitions = house_definitions,
    .definition_count = sizeof house_definitions / sizeof house_definitions[0],
    .write = house_lab_write,
    .check = house_lab_check,
};
