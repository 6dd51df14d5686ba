// The lab of the player's squad: three tiers with the player on top. The squad reads the player's intent
// from how they move and takes posts to match; explicit orders come first.
//
//     player (scripted walk) -> squad (posture, thinks five times a second) -> three members
//
// With `commander` an AI commander is above the player, whose plan the player does not know: the
// squad follows the plan, and the player walks alone. The counter `alone` shows the difference.
#include <stdio.h>
#include <string.h>

#include "labs/lab_input.h"
#include "labs/labs.h"
#include "ploy/move/formation.h"
#include "ploy/tactics/dwell.h"
#include "ploy/tactics/intent.h"
#include "ploy/tactics/tiers.h"

enum { SQUAD_MEMBERS = 3, SQUAD_AREAS = 6, SQUAD_TRACK = 8, SQUAD_EXITS = 3 };
enum { SQUAD_COMMANDER, SQUAD_PLAYER, SQUAD_SQUAD, SQUAD_FIRST }; // tiers

static const ploy_intent_area squad_areas[SQUAD_AREAS] = {
    {PLOY_AREA_CORRIDOR, {{0, -1.5f}, {20, 1.5f}}},
    {PLOY_AREA_JUNCTION, {{20, -1.5f}, {24, 1.5f}}},
    {PLOY_AREA_CORRIDOR, {{20, 1.5f}, {24, 10}}},
    {PLOY_AREA_CORRIDOR, {{20, -10}, {24, -1.5f}}},
    {PLOY_AREA_CORRIDOR, {{24, -1.5f}, {36, 1.5f}}},
    {PLOY_AREA_ROOM, {{36, -8}, {52, 8}}},
};
static const ploy_vec2 squad_track[SQUAD_TRACK] = {{2, 0},  {12, 0}, {22, 0}, {30, 0},
                                                   {44, 0}, {44, 4}, {44, 0}, {22, 0}};
static const ploy_vec2 squad_sides[2] = {{22, 2.5f}, {22, -2.5f}};
static const ploy_vec2 squad_exits[SQUAD_EXITS] = {{44, 7}, {51, 0}, {44, -7}};
static const ploy_vec2 squad_junction = {22, 0};
static const ploy_vec2 squad_door = {36, 0};
static const ploy_vec2 squad_rally = {2, 0};

typedef struct squad_lab_def {
    uint32_t cookie;
    float speed;
    bool commander;
    bool flanks;
    ploy_tier_scheme scheme;
    float delay;
    ploy_intent_def intent;
} squad_lab_def;

static const char *const squad_schemes[] = {"direct", "poll", "events"};

static const ploy_field squad_lab_fields[] = {
    PLOY_FIELD_F32(squad_lab_def, speed, 2, 0.2f, 10, "m/s", "of the player"),
    PLOY_FIELD_BOOL(squad_lab_def, commander, false, "an AI commander above the player"),
    PLOY_FIELD_BOOL(squad_lab_def, flanks, false, "in a room, cover flanks instead of exits"),
    PLOY_FIELD_ENUM_FIXED(squad_lab_def, scheme, PLOY_TIER_POLL, squad_schemes,
                          "how orders reach the members"),
    PLOY_FIELD_F32(squad_lab_def, delay, 0.3f, 0, 10, "s", "of telegrams, with events"),
    PLOY_FIELD_DEF(squad_lab_def, intent, ploy_intent_fields, "the interpreter"),
};

static ploy_fields squad_lab_get_fields(void) {
    return PLOY_FIELDS(squad_lab_def, squad_lab_fields);
}

static const ploy_blackboard_key squad_keys[] = {
    {"order", PLOY_VALUE_NAME, {PLOY_VALUE_NONE, {0}}, "the order in effect"},
    {"order_id", PLOY_VALUE_U64, {PLOY_VALUE_NONE, {0}}, "its id"},
    {"order_place", PLOY_VALUE_VEC2, {PLOY_VALUE_NONE, {0}}, "where"},
    {"posture", PLOY_VALUE_I64, {PLOY_VALUE_NONE, {0}}, "of the squad: an intent"},
};

typedef struct squad_body {
    ploy_vec2 at;
    int32_t corner; // of its order's route
    uint32_t reserved;
    uint64_t order; // whose route it is
    ploy_progress progress;
} squad_body;

typedef struct squad_lab {
    squad_lab_def def;
    ploy_env env;
    ploy_blackboard_layout *layout;
    ploy_blackboard *boards[SQUAD_MEMBERS + 1]; // the squad's first
    ploy_telegrams *telegrams;
    ploy_tiers *tiers;
    ploy_formation_shape_def column, circle; // behind the player; around the place of an order
    ploy_formation *formation;
    ploy_function squad_mind, member_mind;
    ploy_intent intent;
    ploy_oscillation swings; // of the intent
    squad_body bodies[SQUAD_MEMBERS];
    ploy_vec2 player, velocity;
    int32_t stop; // of the track
    uint32_t reserved;
    double now;
    int64_t reports[PLOY_REPORT_KINDS]; // that reached the player
    int64_t alone, given;
} squad_lab;

static ploy_agent_id squad_id(int32_t tier) {
    return ploy_agent_id_make((uint32_t)tier + 1, 1);
}

static ploy_agent_id squad_hostile(void) {
    return ploy_agent_id_make(50, 1);
}

// The squad decides: an order from above, or what the player seems to be doing.
static ploy_result squad_think(void *user, void *state, ploy_step_context *context,
                               ploy_status *status) {
    squad_lab *lab = user;
    (void)state;
    ploy_slot order = ploy_blackboard_layout_find(lab->layout, "order");
    ploy_slot posture = ploy_blackboard_layout_find(lab->layout, "posture");
    bool ordered = !ploy_name_is_none(ploy_blackboard_get_name(context->blackboard, order));
    *status = PLOY_STATUS_RUNNING;
    ploy_trace_begin(context->trace, context->agent, "posture", "squad");
    ploy_trace_option(context->trace, "obey", ordered ? PLOY_OUTCOME_WON : PLOY_OUTCOME_REJECTED,
                      0.0, ordered ? "there is an order" : "there is none");
    ploy_trace_option(context->trace, ploy_intent_kind_text(lab->intent.kind),
                      ordered ? PLOY_OUTCOME_LOST : PLOY_OUTCOME_WON,
                      (double)lab->intent.confidence, "the player's intent");
    ploy_trace_end(context->trace);
    int64_t next = ordered ? PLOY_INTENT_KINDS : (int64_t)lab->intent.kind;
    return ploy_blackboard_set_i64(context->blackboard, posture, next);
}

// A member reports what it sees.
static ploy_result squad_watch(void *user, void *state, ploy_step_context *context,
                               ploy_status *status) {
    const squad_lab *lab = user;
    (void)state;
    *status = PLOY_STATUS_RUNNING;
    const squad_body *body = &lab->bodies[(int32_t)context->agent.id.index - 1 - SQUAD_FIRST];
    if (ploy_vec2_distance(body->at, squad_exits[1]) > 8.0f) return PLOY_OK;
    ploy_message message = ploy_tiers_sighting(PLOY_REPORT_SEEN, squad_hostile(), squad_exits[1]);
    return ploy_outbox_message(context->outbox, &message);
}

// ---- orders to the members

// The formation is a column behind the player's back, or a circle around the place of an order from above.
// When a member falls, the others close up.
static ploy_result squad_form(squad_lab *lab, const ploy_order *above) {
    float sine, cosine;
    ploy_sincosf(lab->intent.heading, &sine, &cosine);
    ploy_vec2 back = ploy_vec2_sub(lab->player, ploy_vec2_make(2.0f * cosine, 2.0f * sine));
    ploy_pattern pattern = ploy_pattern_shape(above != NULL ? &lab->circle : &lab->column);
    ploy_result result = ploy_formation_set_pattern(lab->formation, &pattern);
    if (result != PLOY_OK) return result;
    ploy_kinematic anchor = above != NULL ? ploy_kinematic_make(above->place, 0.0f)
                                          : ploy_kinematic_make(back, lab->intent.heading);
    return ploy_formation_set_anchor(lab->formation, anchor);
}

// The post of a member in the present posture; without another one, its place in the formation.
static ploy_order squad_post(const squad_lab *lab, int32_t member, int64_t posture,
                             const ploy_order *above) {
    int32_t at = ploy_formation_find(lab->formation, squad_id(SQUAD_FIRST + member));
    ploy_vec2 place = ploy_formation_place(lab->formation, at).position;
    ploy_order order = ploy_order_make(PLOY_ORDER_GUARD, place);
    order.unit = squad_id(SQUAD_PLAYER);
    order.formation = ploy_name_of("column");
    order.what = ploy_name_of("cover-back");
    if (above != NULL) {
        order = *above;
        order.formation = ploy_name_of("circle");
        order.place = place;
        return order;
    }
    if (posture == PLOY_INTENT_JUNCTION && member < 2) {
        order = ploy_order_make(PLOY_ORDER_COVER, squad_sides[member]);
        order.what = ploy_name_of("cover-side");
    } else if (posture == PLOY_INTENT_ROOM && lab->def.flanks && member < 2) {
        ploy_vec2 side = ploy_vec2_make(0.0f, member == 0 ? 2.5f : -2.5f);
        order = ploy_order_make(PLOY_ORDER_COVER, ploy_vec2_add(lab->player, side));
        order.what = ploy_name_of("cover-flank");
    } else if (posture == PLOY_INTENT_ROOM && !lab->def.flanks) {
        order = ploy_order_make(PLOY_ORDER_DEFEND, squad_exits[member]);
        order.what = ploy_name_of("secure-exit");
    }
    return order;
}

// Gives each member its post, unless it has the same already. Around the corner of a side passage the
// route leads over the junction, into
// the room through its door.
static ploy_result squad_command(squad_lab *lab) {
    int64_t posture = ploy_blackboard_get_i64(lab->boards[0],
                                              ploy_blackboard_layout_find(lab->layout, "posture"));
    const ploy_order *above = ploy_tiers_order(lab->tiers, SQUAD_SQUAD);
    ploy_result formed = squad_form(lab, above);
    if (formed != PLOY_OK) return formed;
    for (int32_t i = 0; i < SQUAD_MEMBERS; i++) {
        ploy_order order = squad_post(lab, i, posture, above);
        const ploy_order *present = ploy_tiers_order(lab->tiers, SQUAD_FIRST + i);
        bool same = present != NULL && present->kind == order.kind &&
                    ploy_name_equal(present->what, order.what) &&
                    ploy_vec2_distance(present->place, order.place) < 0.5f;
        if (same) continue;
        bool side = order.place.y > 1.5f || order.place.y < -1.5f;
        bool here = lab->bodies[i].at.y <= 1.5f && lab->bodies[i].at.y >= -1.5f;
        ploy_result result = PLOY_OK;
        bool inside = lab->bodies[i].at.x > squad_door.x;
        if (inside != (order.place.x > squad_door.x)) {
            result = ploy_order_add_route(&order, squad_door);
        }
        if (result == PLOY_OK && side == here && order.place.x < 30.0f) {
            result = ploy_order_add_route(&order, squad_junction);
        }
        if (result == PLOY_ERR_CAPACITY) result = PLOY_OK; // as far as it is described
        if (result != PLOY_OK) return result;
        result = ploy_tiers_give(lab->tiers, SQUAD_FIRST + i, &order, lab->now, NULL);
        if (result == PLOY_ERR_MEMORY) return result;
        lab->given += result == PLOY_OK;
    }
    return PLOY_OK;
}

static ploy_result squad_walk(squad_lab *lab, int32_t member, float dt) {
    squad_body *body = &lab->bodies[member];
    const ploy_order *order = ploy_tiers_order(lab->tiers, SQUAD_FIRST + member);
    ploy_progress_def progress = ploy_progress_def_default();
    if (order == NULL) return PLOY_OK;
    if (order->id != body->order) {
        body->order = order->id;
        body->corner = 0;
        body->progress = ploy_progress_begin(lab->now);
    }
    ploy_vec2 goal = body->corner < order->route_count ? order->route[body->corner] : order->place;
    ploy_vec2 way = ploy_vec2_sub(goal, body->at);
    float length = ploy_vec2_length(way), reach = 1.4f * lab->def.speed * dt;
    body->at = length <= reach ? goal : ploy_vec2_add(body->at, ploy_vec2_with_length(way, reach));
    if (length <= reach && body->corner < order->route_count) body->corner++;
    float left = ploy_vec2_distance(body->at, order->place);
    if (left < order->radius) return PLOY_OK;
    if (!ploy_progress_step(&progress, &body->progress, left, lab->now)) return PLOY_OK;
    ploy_report stuck = ploy_report_make(PLOY_REPORT_STUCK, order->id, PLOY_REASON_NO_PROGRESS);
    stuck.place = body->at;
    return ploy_tiers_report(lab->tiers, SQUAD_FIRST + member, &stuck, lab->now);
}

// ---- the lab

static ploy_result squad_add(squad_lab *lab, const char *name, int32_t parent, int32_t board,
                             ploy_function *mind, int32_t period, ploy_tier_scheme scheme) {
    ploy_tier_def def = ploy_tier_def_default();
    ploy_result result = PLOY_OK;
    def.name = name;
    def.parent = parent;
    def.period = period;
    def.scheme = scheme;
    def.agent = squad_id(ploy_tiers_count(lab->tiers));
    if (board >= 0) def.blackboard = lab->boards[board];
    if (mind != NULL) result = ploy_function_behavior(mind, &lab->env, &def.behavior);
    return result == PLOY_OK ? ploy_tiers_add(lab->tiers, &def, NULL) : result;
}

static ploy_result squad_lab_create(const void *params, ploy_rng_key key, const ploy_env *env,
                                    void **out) {
    static const char *const names[] = {"point", "left", "right"};
    (void)key;
    squad_lab *lab = ploy_env_alloc_zero(env, sizeof *lab);
    if (lab == NULL) return PLOY_ERR_MEMORY;
    memcpy(&lab->def, params, sizeof lab->def);
    lab->env = *env;
    lab->player = squad_track[0];
    lab->squad_mind.name = "posture";
    lab->squad_mind.step = squad_think;
    lab->member_mind.name = "watch";
    lab->member_mind.step = squad_watch;
    lab->squad_mind.user = lab->member_mind.user = lab;
    ploy_telegrams_def telegrams = ploy_telegrams_def_default();
    ploy_tiers_def tiers = ploy_tiers_def_default();
    tiers.delay = lab->def.delay;
    ploy_result result =
        ploy_blackboard_layout_create(squad_keys, 4, "squad", env, NULL, &lab->layout);
    for (int32_t i = 0; i <= SQUAD_MEMBERS && result == PLOY_OK; i++) {
        result = ploy_blackboard_create(lab->layout, env, &lab->boards[i]);
    }
    if (result == PLOY_OK) result = ploy_telegrams_create(&telegrams, env, &lab->telegrams);
    if (result == PLOY_OK) {
        result = ploy_tiers_create(&tiers, NULL, lab->telegrams, env, &lab->tiers);
    }
    ploy_formation_def formation = ploy_formation_def_default();
    formation.capacity = SQUAD_MEMBERS;
    formation.drift = false;
    lab->column = lab->circle = ploy_formation_shape_def_default();
    lab->column.shape = PLOY_FORMATION_COLUMN;
    lab->column.spacing = 1.5f;
    lab->circle.shape = PLOY_FORMATION_CIRCLE;
    lab->circle.spacing = 2.1f;
    ploy_pattern column = ploy_pattern_shape(&lab->column);
    if (result == PLOY_OK) {
        result = ploy_formation_create(&formation, &column, env, &lab->formation);
    }
    for (int32_t i = 0; i < SQUAD_MEMBERS && result == PLOY_OK; i++) {
        result = ploy_formation_add(lab->formation, squad_id(SQUAD_FIRST + i), i);
    }
    if (result != PLOY_OK) return result;
    ploy_telegrams_set_receiver(lab->telegrams, ploy_tiers_receive, lab->tiers);
    result = squad_add(lab, "commander", -1, -1, NULL, 1, PLOY_TIER_DIRECT);
    if (result == PLOY_OK) {
        result = squad_add(lab, "player", SQUAD_COMMANDER, -1, NULL, 1, PLOY_TIER_DIRECT);
    }
    if (result == PLOY_OK) {
        result = squad_add(lab, "squad", SQUAD_PLAYER, 0, &lab->squad_mind, 4, PLOY_TIER_DIRECT);
    }
    for (int32_t i = 0; i < SQUAD_MEMBERS && result == PLOY_OK; i++) {
        lab->bodies[i].at = ploy_vec2_make(1.0f, 0.8f * (float)(i - 1));
        result =
            squad_add(lab, names[i], SQUAD_SQUAD, i + 1, &lab->member_mind, 1, lab->def.scheme);
    }
    if (result == PLOY_OK) *out = lab;
    return result;
}

// The player walks the track; orders do not change that.
static void squad_play(squad_lab *lab, float dt) {
    ploy_vec2 way = ploy_vec2_sub(squad_track[lab->stop], lab->player);
    float length = ploy_vec2_length(way), reach = lab->def.speed * dt;
    lab->velocity = length > 0.0f ? ploy_vec2_with_length(way, lab->def.speed) : way;
    if (length > reach) {
        lab->player = ploy_vec2_add(lab->player, ploy_vec2_scale(lab->velocity, dt));
        return;
    }
    lab->player = squad_track[lab->stop];
    lab->stop = (lab->stop + 1) % SQUAD_TRACK;
}

static ploy_result squad_order(squad_lab *lab, ploy_order_kind kind, ploy_vec2 place) {
    ploy_order order = ploy_order_make(kind, place);
    order.expiry = lab->now + 20.0; // then the squad reads the player's intent again
    ploy_circle danger = {squad_exits[1], 3.0f};
    ploy_result result = PLOY_OK;
    if (kind != PLOY_ORDER_ATTACK) result = ploy_order_add_avoid(&order, danger);
    if (result == PLOY_OK)
        result = ploy_tiers_give(lab->tiers, SQUAD_SQUAD, &order, lab->now, NULL);
    return result == PLOY_ERR_MEMORY ? result : PLOY_OK;
}

// The last member that is left falls.
static ploy_result squad_fall(squad_lab *lab) {
    for (int32_t i = SQUAD_MEMBERS - 1; i >= 0; i--) {
        ploy_result result = ploy_tiers_lose(lab->tiers, SQUAD_FIRST + i, lab->now);
        if (result == PLOY_OK) {
            result = ploy_formation_remove(lab->formation, squad_id(SQUAD_FIRST + i));
        }
        if (result != PLOY_ERR_NOT_FOUND) return result;
    }
    return PLOY_OK;
}

static ploy_result squad_input(squad_lab *lab, const ploy_input *input) {
    if (lab_input_is(input, "defend")) {
        ploy_vec2 at = lab_input_point(input);
        at = ploy_vec2_make(ploy_clampf(at.x, 0.0f, 52.0f), ploy_clampf(at.y, -8.0f, 8.0f));
        return squad_order(lab, PLOY_ORDER_DEFEND, at);
    }
    if (lab_input_is(input, "fall")) return squad_fall(lab);
    if (lab_input_is(input, "cover")) return squad_order(lab, PLOY_ORDER_COVER, lab->player);
    if (lab_input_is(input, "assault")) return squad_order(lab, PLOY_ORDER_ATTACK, squad_exits[1]);
    if (lab_input_is(input, "regroup")) return squad_order(lab, PLOY_ORDER_WITHDRAW, squad_rally);
    return PLOY_OK;
}

static ploy_result squad_lab_step(void *state, const ploy_sim_context *context) {
    squad_lab *lab = state;
    ploy_result result = PLOY_OK;
    memcpy(&lab->def, context->params, sizeof lab->def);
    lab->now = (double)context->tick * (double)context->dt;
    for (int32_t i = 0; i < context->input_count && result == PLOY_OK; i++) {
        result = squad_input(lab, &context->inputs[i]);
    }
    squad_play(lab, context->dt);
    (void)ploy_intent_step(&lab->def.intent, &lab->intent, squad_areas, SQUAD_AREAS, lab->player,
                           lab->velocity, lab->now);
    (void)ploy_oscillation_note(&lab->swings, (uint64_t)lab->intent.kind, lab->now, 10.0f);
    // The commander's plan: hold the upper passage, whatever the player does.
    bool plan = lab->def.commander && ploy_tiers_order(lab->tiers, SQUAD_SQUAD) == NULL;
    if (result == PLOY_OK && plan) {
        result = squad_order(lab, PLOY_ORDER_DEFEND, ploy_vec2_make(22.0f, 8.0f));
    }
    ploy_step_context step = lab_step_context(context, ploy_agent_id_none());
    if (result == PLOY_OK) result = ploy_tiers_step(lab->tiers, &step);
    if (result == PLOY_OK && context->tick % 4 == 0) result = squad_command(lab);
    if (result == PLOY_OK) {
        result = ploy_telegrams_step(lab->telegrams, lab->now, NULL, NULL, NULL);
    }
    ploy_vec2 middle = {0.0f, 0.0f};
    for (int32_t i = 0; i < SQUAD_MEMBERS && result == PLOY_OK; i++) {
        result = squad_walk(lab, i, context->dt);
        middle = ploy_vec2_add(middle, ploy_vec2_scale(lab->bodies[i].at, 1.0f / SQUAD_MEMBERS));
    }
    if (ploy_vec2_distance(middle, lab->player) > 10.0f) lab->alone++;
    ploy_report report;
    while (result == PLOY_OK && ploy_tiers_next_report(lab->tiers, SQUAD_PLAYER, &report)) {
        lab->reports[report.kind]++;
    }
    return result;
}

// ---- sight

static ploy_vec2 squad_position(void *user, int32_t tier) {
    const squad_lab *lab = user;
    return tier >= SQUAD_FIRST ? lab->bodies[tier - SQUAD_FIRST].at : lab->player;
}

static void squad_lab_draw(const void *state, ploy_draw *out) {
    const squad_lab *lab = state;
    ploy_draw_key(out, PLOY_STYLE_TARGET, "goals of the squad");
    ploy_agent_id none = ploy_agent_id_none();
    ploy_draw_key(out, PLOY_STYLE_AGENT_C, "player");
    ploy_draw_key(out, PLOY_STYLE_AGENT_A, "squad");
    ploy_draw_key(out, PLOY_STYLE_GOOD, "area that the player seems to head for");
    ploy_draw_key(out, PLOY_STYLE_WALL, "exit");
    for (int32_t i = 0; i < SQUAD_AREAS; i++) {
        const ploy_box2 *box = &squad_areas[i].box;
        const ploy_vec2 corners[4] = {
            box->min, {box->max.x, box->min.y}, box->max, {box->min.x, box->max.y}};
        ploy_draw_polygon(out, PLOY_LAYER_REGIONS,
                          i == lab->intent.area ? PLOY_STYLE_GOOD : PLOY_STYLE_FLOOR, none, corners,
                          4, 0.3f);
    }
    for (int32_t i = 0; i < SQUAD_EXITS; i++) {
        ploy_draw_circle(out, PLOY_LAYER_WORLD, PLOY_STYLE_WALL, none, squad_exits[i], 0.7f);
    }
    ploy_tiers_draw(lab->tiers, squad_position, (void *)(uintptr_t)lab, out);
    ploy_draw_disc(out, PLOY_LAYER_AGENTS, PLOY_STYLE_AGENT_C, squad_id(SQUAD_PLAYER), lab->player,
                   0.6f, 1.0f);
    for (int32_t i = 0; i < SQUAD_MEMBERS; i++) {
        int32_t above = ploy_tiers_parent(lab->tiers, SQUAD_FIRST + i);
        if (above < 0) continue; // fell
        ploy_draw_line(out, PLOY_LAYER_REGIONS, PLOY_STYLE_GHOST, squad_id(SQUAD_FIRST + i),
                       lab->bodies[i].at, squad_position((void *)(uintptr_t)lab, above));
        ploy_draw_disc(out, PLOY_LAYER_AGENTS, PLOY_STYLE_AGENT_A, squad_id(SQUAD_FIRST + i),
                       lab->bodies[i].at, 0.5f, 1.0f);
    }
    char text[64];
    snprintf(text, sizeof text, "intent: %s", ploy_intent_kind_text(lab->intent.kind));
    ploy_draw_text(out, none, ploy_vec2_make(1.0f, 8.0f), text);
}

static void squad_lab_describe(const void *state, ploy_describe *out) {
    const squad_lab *lab = state;
    ploy_describe_vec2(out, "player", PLOY_STATE, lab->player.x, lab->player.y);
    ploy_describe_i64(out, "stop", PLOY_STATE, lab->stop);
    ploy_describe_i64(out, "alone", PLOY_STATE, lab->alone);
    ploy_describe_i64(out, "given", PLOY_STATE, lab->given);
    ploy_describe_i64(out, "swings", PLOY_STATE,
                      ploy_oscillation_returns(&lab->swings, lab->now, 10.0f));
    ploy_describe_begin(out, "reports");
    for (int32_t i = 0; i < PLOY_REPORT_KINDS; i++) {
        ploy_describe_i64(out, ploy_report_kind_text((ploy_report_kind)i), PLOY_STATE,
                          lab->reports[i]);
    }
    ploy_describe_end(out);
    ploy_describe_begin(out, "intent");
    ploy_intent_describe(&lab->intent, out);
    ploy_describe_end(out);
    for (int32_t i = 0; i < SQUAD_MEMBERS; i++) {
        lab_begin_numbered(out, "member", i, squad_id(SQUAD_FIRST + i));
        ploy_describe_vec2(out, "at", PLOY_STATE, lab->bodies[i].at.x, lab->bodies[i].at.y);
        ploy_describe_i64(out, "corner", PLOY_STATE, lab->bodies[i].corner);
        ploy_describe_u64(out, "follows", PLOY_STATE, lab->bodies[i].order);
        ploy_describe_f64(out, "progress since", PLOY_STATE, lab->bodies[i].progress.since);
        ploy_describe_end(out);
    }
    ploy_describe_begin(out, "formation");
    ploy_formation_describe(lab->formation, out);
    ploy_describe_end(out);
    ploy_describe_begin(out, "chain");
    ploy_tiers_describe(lab->tiers, out);
    ploy_describe_end(out);
    ploy_describe_begin(out, "telegrams");
    ploy_telegrams_describe(lab->telegrams, NULL, out);
    ploy_describe_end(out);
}

static const ploy_command squad_lab_commands[] = {
    {"defend", "the squad defends this place", PLOY_VALUE_VEC2, false, "Pointer"},
    {"cover", "covering fire around the player", PLOY_VALUE_NONE, false, "c"},
    {"assault", "attack the far exit", PLOY_VALUE_NONE, false, "a"},
    {"fall", "the last member falls", PLOY_VALUE_NONE, false, "f"},
    {"regroup", "withdraw to the rally point", PLOY_VALUE_NONE, false, "r"},
};

extern const ploy_sim_type ploy_lab_intent; // in labs.c
const ploy_sim_type ploy_lab_intent = {
    .name = "intent",
    .title = "The player's squad",
    .help =
        "A player walks through corridor, junction and room; the squad reads the intent and covers "
        "back, side passages and exits. Click to defend a place, or give other orders. With an AI "
        "commander above the player the plan is subverted.",
    .version = 1,
    .capabilities = PLOY_SIM_INTERACTIVE | PLOY_SIM_TACTICS,
    .dt = 1.0f / 20.0f,
    .view = {-1.0f, -11.0f, 54.0f, 11.0f},
    .fields = squad_lab_get_fields,
    .commands = squad_lab_commands,
    .command_count = sizeof squad_lab_commands / sizeof squad_lab_commands[0],
    .create = squad_lab_create,
    .destroy = NULL, // the region goes with the simulation
    .step = squad_lab_step,
    .draw = squad_lab_draw,
    .describe = squad_lab_describe,
};
