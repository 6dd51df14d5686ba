// The lab of planning: a woodcutter who is hungry. His plan is beside the yard, the action
// that he does lit; a click at the shed, the pond or the forest takes something away or gives it
// back, and he goes on, skips, plans again, or says why there is no plan.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "labs/lab_input.h"
#include "labs/labs.h"
#include "ploy/decide/goap_agent.h"

enum { PLANNER_SHED, PLANNER_FOREST, PLANNER_HEATH, PLANNER_HEARTH, PLANNER_POND, PLANNER_PLACES };

static const char *const planner_place_names[PLANNER_PLACES] = {"shed", "forest", "heath", "hearth",
                                                                "pond"};
static const ploy_vec2 planner_places[PLANNER_PLACES] = {
    {-8.0f, 4.0f}, {-2.0f, 6.0f}, {6.0f, 5.0f}, {-1.0f, -1.0f}, {7.0f, -5.0f}};

// Actions in the order of the domain, and where each is done.
enum { PLANNER_ACTIONS = 6, PLANNER_LINES = 8 };
static const char *const planner_action_names[PLANNER_ACTIONS] = {
    "take the axe", "chop wood", "gather branches", "light the fire", "fish", "cook and eat"};
static const int32_t planner_action_places[PLANNER_ACTIONS] = {
    PLANNER_SHED, PLANNER_FOREST, PLANNER_HEATH, PLANNER_HEARTH, PLANNER_POND, PLANNER_HEARTH};

typedef struct planner_lab_def {
    uint32_t cookie;
    int32_t slice;
    float speed;
    float work;
    float hunger;
    float burn;
    ploy_goap_agent_def agent;
} planner_lab_def;

static const ploy_field planner_lab_fields[] = {
    PLOY_FIELD_I32(planner_lab_def, slice, 2, 1, 10000, "", "worlds looked at in a tick"),
    PLOY_FIELD_F32(planner_lab_def, speed, 4, 0.1f, 50, "m/s", "how fast he walks"),
    PLOY_FIELD_F32(planner_lab_def, work, 1, 0, 60, "s", "what an action takes"),
    PLOY_FIELD_F32(planner_lab_def, hunger, 4, 0, 600, "s", "until he is hungry again"),
    PLOY_FIELD_F32(planner_lab_def, burn, 25, 0, 600, "s", "how long a fire burns"),
    PLOY_FIELD_DEF(planner_lab_def, agent, ploy_goap_agent_fields, "how he plans"),
};

static ploy_fields planner_lab_get_fields(void) {
    return PLOY_FIELDS(planner_lab_def, planner_lab_fields);
}

struct planner_lab;

// An action, for asking whether it may be done in thought.
typedef struct planner_ban {
    const struct planner_lab *lab;
    int64_t action;
} planner_ban;

typedef struct planner_lab {
    planner_lab_def def;
    ploy_goap_type *type;
    ploy_goap_agent *agent;
    ploy_goap *rival; // plans without one of the actions
    planner_ban bans[PLANNER_ACTIONS];
    double dearer[PLANNER_ACTIONS]; // what the plan costs more without; 0: it is not in the plan
    int64_t banned;                 // the action that is left out in thought, -1: none
    int64_t plans;                  // of which the more expensive reports
    ploy_goap_var axe, axe_in_shed, wood, fire, pond_open, fish, fed;
    ploy_vec2 at;
    float worked, dt; // s at the present action
    float fed_left, fire_left;
    int32_t has_axe, shed_has_axe, logs, pond_is_open, raw, reserved;
    int64_t meals, despairs;
    char why[PLANNER_LINES][64]; // why there is no plan, a line each
    int32_t why_count, padding;
} planner_lab;

// ---- the domain

static bool planner_allowed(void *user, const ploy_goap_type *type, const uint64_t *world) {
    const planner_ban *ban = user;
    (void)type, (void)world;
    return ban->action != ban->lab->banned;
}

static void planner_add(planner_lab *lab, const char *id, double cost, const ploy_goap_need *needs,
                        int32_t need_count, const ploy_goap_gain *gains, int32_t gain_count) {
    ploy_goap_action action = ploy_goap_action_make(id, cost);
    action.needs = needs;
    action.need_count = need_count;
    action.gains = gains;
    action.gain_count = gain_count;
    planner_ban *ban = &lab->bans[ploy_goap_type_actions(lab->type)];
    ban->lab = lab;
    ban->action = ploy_goap_type_actions(lab->type);
    action.allowed = planner_allowed;
    action.user = ban;
    (void)ploy_goap_type_action(lab->type, &action); // finish reports the first fault
}

static ploy_result planner_domain(planner_lab *lab, const ploy_env *env) {
    ploy_result result = ploy_goap_type_create(env, &lab->type);
    if (result != PLOY_OK) return result;
    lab->axe = ploy_goap_type_bool(lab->type, "axe");
    lab->axe_in_shed = ploy_goap_type_bool(lab->type, "axe in the shed");
    lab->wood = ploy_goap_type_int(lab->type, "wood", 0, 4);
    lab->fire = ploy_goap_type_bool(lab->type, "fire");
    lab->pond_open = ploy_goap_type_bool(lab->type, "pond open");
    lab->fish = ploy_goap_type_bool(lab->type, "fish");
    lab->fed = ploy_goap_type_bool(lab->type, "fed");
    const char *const *ids = planner_action_names;
    ploy_goap_need in_shed = ploy_goap_is(lab->axe_in_shed, 1), armed = ploy_goap_is(lab->axe, 1);
    ploy_goap_gain take[] = {ploy_goap_set_to(lab->axe, 1), ploy_goap_set_to(lab->axe_in_shed, 0)};
    ploy_goap_gain chop = ploy_goap_add_to(lab->wood, 2), gather = ploy_goap_add_to(lab->wood, 1);
    ploy_goap_need enough = ploy_goap_need_make(lab->wood, PLOY_GOAP_AT_LEAST, 3);
    ploy_goap_gain light[] = {ploy_goap_set_to(lab->fire, 1), ploy_goap_add_to(lab->wood, -3)};
    ploy_goap_need open = ploy_goap_is(lab->pond_open, 1);
    ploy_goap_gain caught = ploy_goap_set_to(lab->fish, 1);
    ploy_goap_need ready[] = {ploy_goap_is(lab->fire, 1), ploy_goap_is(lab->fish, 1)};
    ploy_goap_gain eaten[] = {ploy_goap_set_to(lab->fed, 1), ploy_goap_set_to(lab->fish, 0)};
    planner_add(lab, ids[0], 1.0, &in_shed, 1, take, 2);
    planner_add(lab, ids[1], 2.0, &armed, 1, &chop, 1);
    planner_add(lab, ids[2], 4.0, NULL, 0, &gather, 1);
    planner_add(lab, ids[3], 1.0, &enough, 1, light, 2);
    planner_add(lab, ids[4], 3.0, &open, 1, &caught, 1);
    planner_add(lab, ids[5], 1.0, ready, 2, eaten, 2);
    return ploy_goap_type_finish(lab->type);
}

// ---- eyes and hands

static ploy_result planner_sense(void *user, ploy_step_context *context, const ploy_goap_type *type,
                                 uint64_t *world) {
    const planner_lab *lab = user;
    (void)context;
    const struct {
        ploy_goap_var var;
        int32_t value;
    } all[] = {{lab->axe, lab->has_axe},
               {lab->axe_in_shed, lab->shed_has_axe},
               {lab->wood, lab->logs},
               {lab->fire, lab->fire_left > 0.0f},
               {lab->pond_open, lab->pond_is_open},
               {lab->fish, lab->raw},
               {lab->fed, lab->fed_left > 0.0f}};
    ploy_result result = PLOY_OK;
    for (size_t i = 0; i < sizeof all / sizeof all[0] && result == PLOY_OK; i++) {
        result = ploy_goap_world_set(type, world, all[i].var, all[i].value);
    }
    return result;
}

// What an action comes to. False if it cannot be done after all.
static bool planner_do(planner_lab *lab, int32_t action) {
    switch (action) {
    case 0:
        if (!lab->shed_has_axe) return false;
        lab->shed_has_axe = 0;
        lab->has_axe = 1;
        return true;
    case 1: lab->logs = lab->logs + 2 < 4 ? lab->logs + 2 : 4; return lab->has_axe != 0;
    case 2: lab->logs = lab->logs + 1 < 4 ? lab->logs + 1 : 4; return true;
    case 3:
        if (lab->logs < 3) return false;
        lab->logs -= 3;
        lab->fire_left = lab->def.burn;
        return true;
    case 4: lab->raw = lab->pond_is_open; return lab->pond_is_open != 0;
    default:
        if (!lab->raw || lab->fire_left <= 0.0f) return false;
        lab->raw = 0;
        lab->fed_left = lab->def.hunger;
        lab->meals++;
        return true;
    }
}

static ploy_result planner_act(void *user, ploy_step_context *context, int32_t action, bool first,
                               ploy_status *status) {
    planner_lab *lab = user;
    (void)context;
    if (first) lab->worked = 0.0f;
    ploy_vec2 goal = planner_places[planner_action_places[action]];
    ploy_vec2 way = ploy_vec2_sub(goal, lab->at);
    float length = ploy_vec2_length(way), step = lab->def.speed * lab->dt;
    *status = PLOY_STATUS_RUNNING;
    if (length > step) {
        lab->at = ploy_vec2_add_scaled(lab->at, ploy_vec2_normalise(way), step);
        return PLOY_OK;
    }
    lab->at = goal;
    lab->worked += lab->dt;
    if (lab->worked < lab->def.work) return PLOY_OK;
    *status = planner_do(lab, action) ? PLOY_STATUS_SUCCESS : PLOY_STATUS_FAILURE;
    return PLOY_OK;
}

static ploy_result planner_lab_create(const void *params, ploy_rng_key key, const ploy_env *env,
                                      void **out) {
    planner_lab *lab = ploy_env_alloc_zero(env, sizeof *lab);
    (void)key;
    if (lab == NULL) return PLOY_ERR_MEMORY;
    memcpy(&lab->def, params, sizeof lab->def);
    lab->at = planner_places[PLANNER_HEARTH];
    lab->shed_has_axe = lab->pond_is_open = 1;
    lab->banned = -1;
    ploy_result result = planner_domain(lab, env);
    ploy_goap_hands hands = {planner_sense, planner_act, NULL, lab};
    if (result == PLOY_OK) {
        result = ploy_goap_agent_create(&lab->def.agent, lab->type, &hands, env, &lab->agent);
    }
    if (result == PLOY_OK) {
        ploy_goap_def rival = ploy_goap_def_default();
        rival.heuristic = PLOY_GOAP_LANDMARKS;
        rival.max_states = 1024;
        result = ploy_goap_create(&rival, lab->type, env, &lab->rival);
    }
    ploy_goap_need goal = ploy_goap_is(lab->fed, 1);
    if (result == PLOY_OK) result = ploy_goap_agent_set_goal(lab->agent, &goal, 1);
    if (result == PLOY_OK) *out = lab;
    return result;
}

// Keeps the reason as lines of text.
static ploy_result planner_write_why(void *user, const void *bytes, size_t size) {
    planner_lab *lab = user;
    const char *text = bytes;
    for (size_t i = 0; i < size; i++) {
        if (lab->why_count >= PLANNER_LINES) return PLOY_OK;
        char *line = lab->why[lab->why_count];
        size_t used = strlen(line);
        if (text[i] == '\n') {
            lab->why_count++;
        } else if (used + 1 < sizeof lab->why[0]) {
            line[used] = text[i];
        }
    }
    return PLOY_OK;
}

// Why not without? A new plan is made for each of its actions that leaves this one out.
static ploy_result planner_doubt(planner_lab *lab) {
    const int32_t *plan = NULL;
    int32_t place = 0, count = ploy_goap_agent_plan(lab->agent, &plan, &place);
    int64_t plans = ploy_goap_agent_stats_of(lab->agent).plans;
    if (count == 0 || place > 0 || plans == lab->plans) return PLOY_OK;
    lab->plans = plans;
    memset(lab->dearer, 0, sizeof lab->dearer);
    ploy_goap_need goal = ploy_goap_is(lab->fed, 1);
    const uint64_t *world = ploy_goap_agent_world(lab->agent);
    double cost = 0.0;
    for (int32_t i = 0; i < count; i++) {
        ploy_goap_action action;
        (void)ploy_goap_type_action_at(lab->type, plan[i], &action);
        cost += action.cost;
    }
    ploy_result result = PLOY_OK;
    for (int32_t i = 0; i < count && result == PLOY_OK; i++) {
        if (lab->dearer[plan[i]] != 0.0) continue;
        lab->banned = plan[i];
        result = ploy_goap_run(lab->rival, world, &goal, 1);
        bool other = ploy_goap_plan(lab->rival, NULL, 0) >= 0;
        lab->dearer[plan[i]] = other ? ploy_goap_cost(lab->rival) - cost : (double)INFINITY;
    }
    lab->banned = -1;
    return result;
}

static void planner_click(planner_lab *lab, ploy_vec2 at) {
    int32_t nearest = 0;
    for (int32_t i = 1; i < PLANNER_PLACES; i++) {
        if (ploy_vec2_distance(at, planner_places[i]) <
            ploy_vec2_distance(at, planner_places[nearest])) {
            nearest = i;
        }
    }
    switch (nearest) {
    case PLANNER_SHED: // the axe is put there, or gone from wherever it was
        lab->shed_has_axe = !(lab->shed_has_axe || lab->has_axe);
        lab->has_axe = 0;
        break;
    case PLANNER_POND: lab->pond_is_open = !lab->pond_is_open; break;
    case PLANNER_HEARTH: lab->fire_left = lab->fire_left > 0.0f ? 0.0f : lab->def.burn; break;
    default: lab->logs = lab->logs > 0 ? 0 : 4; break;
    }
}

// What it does now, and why none of the other actions.
static void planner_tell(const planner_lab *lab, bool desperate, ploy_trace *trace) {
    if (trace == NULL) return;
    const int32_t *plan = NULL;
    int32_t place = 0, count = ploy_goap_agent_plan(lab->agent, &plan, &place);
    bool busy = count > 0 && place < count;
    ploy_trace_begin(trace, ploy_agent_id_make(0, 1), "action", "action planner");
    for (int32_t i = 0; i < PLANNER_ACTIONS; i++) {
        bool now = busy && plan[place] == i, later = false, done = false;
        for (int32_t k = 0; k < count; k++) {
            later = later || (plan[k] == i && k > place);
            done = done || (plan[k] == i && k < place);
        }
        const char *why = now         ? "next in the cheapest plan"
                          : later     ? "later in the plan"
                          : done      ? "done already in this plan"
                          : desperate ? "no plan leads to the goal"
                          : count > 0 ? "the cheapest plan does without it"
                                      : "the plan is not made yet";
        ploy_trace_option(trace, planner_action_names[i],
                          now     ? PLOY_OUTCOME_WON
                          : later ? PLOY_OUTCOME_SKIPPED
                                  : PLOY_OUTCOME_LOST,
                          (double)NAN, why);
    }
    for (int32_t i = 0; i < PLANNER_ACTIONS; i++) {
        if (lab->dearer[i] == 0.0) continue;
        char text[96];
        if (isinf(lab->dearer[i])) {
            snprintf(text, sizeof text, "no plan without '%s'", planner_action_names[i]);
            ploy_trace_note(trace, text);
        } else {
            snprintf(text, sizeof text, "more expensive without '%s'", planner_action_names[i]);
            ploy_trace_f32(trace, text, (float)lab->dearer[i]);
        }
    }
    ploy_trace_end(trace);
}

static ploy_result planner_lab_step(void *state, const ploy_sim_context *context) {
    planner_lab *lab = state;
    memcpy(&lab->def, context->params, sizeof lab->def);
    lab->dt = context->dt;
    for (int32_t i = 0; i < context->input_count; i++) {
        const ploy_input *input = &context->inputs[i];
        if (lab_input_is(input, "click")) planner_click(lab, lab_input_point(input));
    }
    lab->fed_left = ploy_maxf(lab->fed_left - lab->dt, 0.0f);
    lab->fire_left = ploy_maxf(lab->fire_left - lab->dt, 0.0f);
    ploy_budget budget = ploy_budget_units(lab->def.slice);
    ploy_step_context step = lab_step_context(context, ploy_agent_id_make(0, 1));
    step.budget = &budget;
    ploy_status status = PLOY_STATUS_RUNNING;
    ploy_behavior behavior = ploy_goap_agent_behavior(lab->agent);
    ploy_result result = ploy_behavior_step(behavior, &step, &status);
    if (result == PLOY_OK) result = planner_doubt(lab);
    if (result == PLOY_OK) planner_tell(lab, status == PLOY_STATUS_FAILURE, context->trace);
    if (result != PLOY_OK || status == PLOY_STATUS_RUNNING) return result;
    if (status == PLOY_STATUS_FAILURE) {
        lab->despairs++;
        lab->why_count = 0;
        memset(lab->why, 0, sizeof lab->why);
        ploy_writer writer = ploy_writer_make(planner_write_why, lab);
        ploy_goap_agent_explain(lab->agent, &writer);
    } else {
        lab->why_count = 0;
    }
    return ploy_behavior_enter(behavior, &step); // and tries again
}

// ---- sight

// "fish: no way", "take the axe: 7 dearer".
static void planner_draw_doubt(const char *action, double dearer, ploy_vec2 at, ploy_draw *out) {
    char text[80];
    size_t used = strlen(action);
    memcpy(text, action, used); // names are short
    memcpy(text + used, ": ", 3);
    used += 2;
    if (dearer < (double)INFINITY) {
        ploy_value number = ploy_value_f64(dearer);
        ploy_value_print(&number, text + used, sizeof text - used);
        used = strlen(text);
        memcpy(text + used, " more", 6);
    } else {
        memcpy(text + used, "no path", 8);
    }
    ploy_style style = dearer < (double)INFINITY ? PLOY_STYLE_WARNING : PLOY_STYLE_BAD;
    ploy_draw_disc(out, PLOY_LAYER_LABELS, style, ploy_agent_id_make(0, 1), at, 0.25f, 1.0f);
    ploy_draw_text(out, ploy_agent_id_make(0, 1), ploy_vec2_make(at.x + 0.6f, at.y - 0.25f), text);
}

static void planner_lab_draw(const void *state, ploy_draw *out) {
    const planner_lab *lab = state;
    ploy_draw_key(out, PLOY_STYLE_AGENT_A, "woodcutter, fed");
    ploy_draw_key(out, PLOY_STYLE_AGENT_B, "woodcutter, hungry");
    ploy_draw_key(out, PLOY_STYLE_AGENT_C, "wood that he carries");
    ploy_draw_key(out, PLOY_STYLE_AGENT_D, "fish that he carries");
    ploy_draw_key(out, PLOY_STYLE_GOOD, "place that can be used");
    ploy_draw_key(out, PLOY_STYLE_GHOST, "place that cannot, or a step that is done");
    ploy_draw_key(out, PLOY_STYLE_TARGET, "step at hand");
    ploy_draw_key(out, PLOY_STYLE_PATH, "steps to come");
    ploy_draw_key(out, PLOY_STYLE_WARNING, "costs more without, or the axe");
    ploy_draw_key(out, PLOY_STYLE_BAD, "no plan without");
    ploy_agent_id nobody = ploy_agent_id_none(), man = ploy_agent_id_make(0, 1);
    const bool lit[PLANNER_PLACES] = {lab->shed_has_axe != 0, true, true, lab->fire_left > 0.0f,
                                      lab->pond_is_open != 0};
    for (int32_t i = 0; i < PLANNER_PLACES; i++) {
        ploy_style style = lit[i] ? PLOY_STYLE_GOOD : PLOY_STYLE_GHOST;
        ploy_draw_disc(out, PLOY_LAYER_WORLD, style, nobody, planner_places[i], 0.9f, 0.5f);
        ploy_draw_circle(out, PLOY_LAYER_WORLD, style, nobody, planner_places[i], 0.9f);
        ploy_draw_text(out, nobody, ploy_vec2_add(planner_places[i], ploy_vec2_make(-0.8f, 1.1f)),
                       planner_place_names[i]);
    }
    const int32_t *plan = NULL;
    int32_t place = 0, count = ploy_goap_agent_plan(lab->agent, &plan, &place);
    ploy_vec2 from = lab->at, line = {11.0f, 6.0f};
    ploy_draw_text(out, man, ploy_vec2_make(11.0f, 7.2f), count > 0 ? "plan" : "no plan");
    for (int32_t i = 0; i < count; i++, line.y -= 0.9f) {
        ploy_vec2 to = planner_places[planner_action_places[plan[i]]];
        ploy_style style = i < place    ? PLOY_STYLE_GHOST
                           : i == place ? PLOY_STYLE_TARGET
                                        : PLOY_STYLE_PATH;
        ploy_draw_disc(out, PLOY_LAYER_LABELS, style, man, line, 0.25f, 1.0f);
        ploy_draw_text(out, man, ploy_vec2_make(line.x + 0.6f, line.y - 0.25f),
                       planner_action_names[plan[i]]);
        if (i < place) continue;
        if (ploy_vec2_distance(from, to) > 0.1f) {
            ploy_draw_arrow(out, PLOY_LAYER_PATHS, style, man, from, to);
        }
        from = to;
    }
    for (int32_t i = 0; i < lab->why_count && count == 0; i++, line.y -= 0.9f) {
        ploy_draw_text(out, man, line, lab->why[i]);
    }
    line.y -= 0.6f;
    if (count > 0) ploy_draw_text(out, man, line, "why not without?");
    line.y -= 0.9f;
    for (int32_t i = 0; i < PLANNER_ACTIONS && count > 0; i++) {
        if (lab->dearer[i] == 0.0) continue;
        planner_draw_doubt(planner_action_names[i], lab->dearer[i], line, out);
        line.y -= 0.9f;
    }
    ploy_vec2 status = {-10.6f, -7.4f};
    ploy_draw_text(out, man, status, lab->fed_left > 0.0f ? "fed" : "hungry");
    // What he carries, as marks above him: axe, wood, fish.
    ploy_vec2 mark = ploy_vec2_add(lab->at, ploy_vec2_make(-0.6f, 0.9f));
    int32_t marks = lab->has_axe + lab->logs + lab->raw;
    for (int32_t i = 0; i < marks; i++, mark.x += 0.35f) {
        ploy_style style = i < lab->has_axe               ? PLOY_STYLE_WARNING
                           : i < lab->has_axe + lab->logs ? PLOY_STYLE_AGENT_C
                                                          : PLOY_STYLE_AGENT_D;
        ploy_draw_disc(out, PLOY_LAYER_AGENTS, style, man, mark, 0.15f, 1.0f);
    }
    ploy_draw_agent(out, lab->fed_left > 0.0f ? PLOY_STYLE_AGENT_A : PLOY_STYLE_AGENT_B, man,
                    lab->at, 0.0f, 0.45f);
}

static void planner_lab_describe(const void *state, ploy_describe *out) {
    const planner_lab *lab = state;
    ploy_describe_begin_agent(out, "woodcutter", ploy_agent_id_make(0, 1));
    ploy_describe_vec2(out, "at", PLOY_STATE, lab->at.x, lab->at.y);
    ploy_describe_f32(out, "worked", PLOY_STATE, lab->worked);
    ploy_describe_i64(out, "axe", PLOY_STATE, lab->has_axe);
    ploy_describe_i64(out, "logs", PLOY_STATE, lab->logs);
    ploy_describe_i64(out, "fish", PLOY_STATE, lab->raw);
    ploy_describe_f32(out, "fed", PLOY_STATE, lab->fed_left);
    ploy_describe_i64(out, "meals", PLOY_STATE, lab->meals);
    ploy_describe_i64(out, "despairs", PLOY_STATE, lab->despairs);
    for (int32_t i = 0; i < lab->why_count; i++) {
        ploy_describe_text(out, "why", PLOY_NOTE, lab->why[i]);
    }
    for (int32_t i = 0; i < PLANNER_ACTIONS; i++) {
        if (lab->dearer[i] == 0.0) continue;
        ploy_describe_begin(out, planner_action_names[i]);
        ploy_describe_f64(out, "dearer without", PLOY_STATE, lab->dearer[i]);
        ploy_describe_end(out);
    }
    ploy_describe_begin(out, "mind");
    ploy_goap_agent_describe(lab->agent, out);
    ploy_describe_end(out);
    ploy_describe_end(out);
    ploy_describe_i64(out, "shed", PLOY_STATE, lab->shed_has_axe);
    ploy_describe_i64(out, "pond", PLOY_STATE, lab->pond_is_open);
    ploy_describe_f32(out, "fire", PLOY_STATE, lab->fire_left);
}

static const ploy_command planner_lab_commands[] = {
    {"click", "take something from the nearest place, or give it back", PLOY_VALUE_VEC2, false,
     "Pointer"},
};

extern const ploy_sim_type ploy_lab_planner; // in labs.c
const ploy_sim_type ploy_lab_planner = {
    .name = "planner",
    .title = "Planner",
    .help = "A woodcutter plans how to eat. Click a place to take the axe, freeze the pond, quench "
            "the fire or steal the wood: he repairs his plan, or reports why there is none.",
    .version = 1,
    .capabilities = PLOY_SIM_INTERACTIVE,
    .dt = 1.0f / 60.0f,
    .view = {-11.0f, -8.5f, 25.0f, 9.5f},
    .fields = planner_lab_get_fields,
    .commands = planner_lab_commands,
    .command_count = sizeof planner_lab_commands / sizeof planner_lab_commands[0],
    .create = planner_lab_create,
    .destroy = NULL, // the region goes with the simulation
    .step = planner_lab_step,
    .draw = planner_lab_draw,
    .describe = planner_lab_describe,
};
