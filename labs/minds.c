// The lab of nested minds: settlers whose behavior tree holds a state machine, which holds a
// planner whose goal a fuzzy module chose. Their definitions can be edited while they live: the
// running minds are taken over by stable ids, and go on in the middle of their plans.
//
//     tree "settler"        storm? shelter, else:
//       chart "day"         ponder <-> pursue, beside a mood
//         fuzzy "wants"     hunger and tiredness to urges                 (in ponder)
//         planner           actions that lead to the strongest urge       (in pursue)
//
// All state lives in the region: the block minds_lab, both editions of the definitions, the boards
// and the minds. What a settler knows and has is on its blackboard, so a definition is shared
// by all of them.
#include <string.h>

#include "labs/labs.h"
#include "ploy/base/math.h"
#include "ploy/decide/bt_builder.h"
#include "ploy/decide/fuzzy.h"
#include "ploy/decide/goap_agent.h"
#include "ploy/decide/hsm.h"
#include "ploy/exec/behavior_visit.h"
#include "ploy/exec/engine.h"

enum { MINDS_SETTLERS = 3, MINDS_PLACES = 3, MINDS_LOST = 6 };

typedef struct minds_lab_def {
    uint32_t cookie;
    float speed;
    float hunger;
    float fatigue;
    float storms;
} minds_lab_def;

static const ploy_field minds_lab_fields[] = {
    PLOY_FIELD_F32(minds_lab_def, speed, 6, 0.5f, 30, "m/s", "how fast settlers walk"),
    PLOY_FIELD_F32(minds_lab_def, hunger, 0.04f, 0, 1, "1/s", "how fast they get hungry"),
    PLOY_FIELD_F32(minds_lab_def, fatigue, 0.03f, 0, 1, "1/s", "how fast they tire"),
    PLOY_FIELD_F32(minds_lab_def, storms, 0.03f, 0, 1, "1/s", "how often a storm breaks out"),
};

static ploy_fields minds_lab_get_fields(void) {
    return PLOY_FIELDS(minds_lab_def, minds_lab_fields);
}

enum {
    MINDS_AT,
    MINDS_HUNGER,
    MINDS_TIRED,
    MINDS_FOOD,
    MINDS_REST,
    MINDS_GRAIN,
    MINDS_BREAD,
    MINDS_STORM,
    MINDS_WORK,
    MINDS_KEYS
};

static const ploy_blackboard_key minds_keys[MINDS_KEYS] = {
    {"at", PLOY_VALUE_VEC2, {PLOY_VALUE_NONE, {0}}, "m, its position"},
    {"hunger", PLOY_VALUE_F32, {PLOY_VALUE_F32, {.f32 = 0.5f}}, "0 to 1"},
    {"tired", PLOY_VALUE_F32, {PLOY_VALUE_F32, {.f32 = 0.3f}}, "0 to 1"},
    {"want_food", PLOY_VALUE_F32, {PLOY_VALUE_NONE, {0}}, "how much it wants to eat"},
    {"want_rest", PLOY_VALUE_F32, {PLOY_VALUE_NONE, {0}}, "how much it wants to sleep"},
    {"grain", PLOY_VALUE_BOOL, {PLOY_VALUE_NONE, {0}}, "has some"},
    {"bread", PLOY_VALUE_BOOL, {PLOY_VALUE_NONE, {0}}, "has some"},
    {"storm", PLOY_VALUE_BOOL, {PLOY_VALUE_NONE, {0}}, "there is one"},
    {"work", PLOY_VALUE_F32, {PLOY_VALUE_NONE, {0}}, "s, of the action under way"},
};

static const char *const minds_places[MINDS_PLACES] = {"field", "kitchen", "bed"};
static const ploy_vec2 minds_spots[MINDS_PLACES] = {{-13, 6}, {-1, -6}, {-13, -8}};

// One edition of all definitions.
typedef struct minds_edition {
    ploy_fuzzy_type *wants;
    ploy_goap_type *domain;
    ploy_hsm_type *day;
    ploy_bt *bt;
    ploy_goap_var place, grain, bread, fed, rested;
    uint64_t number;
} minds_edition;

typedef struct minds_lab {
    minds_lab_def def; // as of the last step: the actions read it
    ploy_env env;
    ploy_blackboard_layout *layout;
    minds_edition *edition;
    ploy_blackboard *boards[MINDS_SETTLERS];
    ploy_engine *engine; // serial: planning allocates in the region, which workers may not
    ploy_engine_id ids[MINDS_SETTLERS];
    ploy_bt_instance *minds[MINDS_SETTLERS]; // the engine's
    ploy_diags *lost;                        // what the last reload could not match
    uint64_t reloads;
    double storm; // s left
} minds_lab;

static ploy_slot minds_slot(int32_t key) {
    ploy_slot slot = {(uint32_t)key + 1};
    return slot;
}

static float minds_number(const ploy_blackboard *board, int32_t key) {
    return ploy_blackboard_get_f32(board, minds_slot(key));
}

static ploy_vec2 minds_position(const ploy_blackboard *board) {
    float at[4];
    ploy_blackboard_get_vec(board, minds_slot(MINDS_AT), at);
    return ploy_vec2_make(at[0], at[1]);
}

// ---- the planner: a behavior around it takes its goal from the urges ----

typedef struct minds_pursuit {
    ploy_env env;
    const minds_edition *edition;
    ploy_goap_agent *agent;
} minds_pursuit;

static ploy_result minds_sense(void *user, ploy_step_context *context, const ploy_goap_type *type,
                               uint64_t *world) {
    const minds_edition *edition = user;
    const ploy_blackboard *board = context->blackboard;
    ploy_vec2 at = minds_position(board);
    int32_t place = MINDS_PLACES; // on the way
    for (int32_t i = 0; i < MINDS_PLACES; i++) {
        if (ploy_vec2_length(ploy_vec2_sub(minds_spots[i], at)) < 0.5f) place = i;
    }
    ploy_goap_world_set(type, world, edition->place, place);
    bool grain = ploy_blackboard_get_bool(board, minds_slot(MINDS_GRAIN));
    bool bread = ploy_blackboard_get_bool(board, minds_slot(MINDS_BREAD));
    ploy_goap_world_set(type, world, edition->grain, grain ? 1 : 0);
    ploy_goap_world_set(type, world, edition->bread, bread ? 1 : 0);
    ploy_goap_world_set(type, world, edition->fed, minds_number(board, MINDS_HUNGER) < 0.2f);
    ploy_goap_world_set(type, world, edition->rested, minds_number(board, MINDS_TIRED) < 0.2f);
    return PLOY_OK;
}

static bool minds_walk(ploy_step_context *context, ploy_vec2 to) {
    const minds_lab *lab = context->world;
    ploy_vec2 at = minds_position(context->blackboard), way = ploy_vec2_sub(to, at);
    float length = ploy_vec2_length(way), step = lab->def.speed * context->dt;
    bool there = length <= step;
    ploy_vec2 next = there ? to : ploy_vec2_add(at, ploy_vec2_with_length(way, step));
    const float vec[2] = {next.x, next.y};
    ploy_blackboard_set_vec(context->blackboard, minds_slot(MINDS_AT), vec);
    return there;
}

// What an action is, by the first letters of its id; every one but walking takes a second.
static ploy_result minds_act(void *user, ploy_step_context *context, int32_t action, bool first,
                             ploy_status *status) {
    const minds_edition *edition = user;
    ploy_blackboard *board = context->blackboard;
    const char *id = ploy_goap_type_action_id(edition->domain, action);
    *status = PLOY_STATUS_RUNNING;
    for (int32_t i = 0; i < MINDS_PLACES; i++) {
        if (strncmp(id, "go ", 3) != 0 || strcmp(id + 3, minds_places[i]) != 0) continue;
        if (minds_walk(context, minds_spots[i])) *status = PLOY_STATUS_SUCCESS;
        return PLOY_OK;
    }
    float work = (first ? 0.0f : minds_number(board, MINDS_WORK)) + context->dt;
    ploy_blackboard_set_f32(board, minds_slot(MINDS_WORK), work);
    bool sleeps = strcmp(id, "sleep") == 0;
    if (sleeps) ploy_blackboard_set_f32(board, minds_slot(MINDS_TIRED), 0.9f - 0.35f * work);
    if (work < (sleeps ? 2.5f : 1.0f)) return PLOY_OK;
    *status = PLOY_STATUS_SUCCESS;
    bool bakes = strcmp(id, "bake") == 0, eats = strcmp(id, "eat") == 0;
    bool forages = strcmp(id, "forage") == 0;
    if (strcmp(id, "harvest") == 0) {
        ploy_blackboard_set_bool(board, minds_slot(MINDS_GRAIN), true);
    } else if (bakes || forages) {
        ploy_blackboard_set_bool(board, minds_slot(MINDS_BREAD), true);
        if (bakes) ploy_blackboard_set_bool(board, minds_slot(MINDS_GRAIN), false);
    } else if (eats) {
        ploy_blackboard_set_bool(board, minds_slot(MINDS_BREAD), false);
        ploy_blackboard_set_f32(board, minds_slot(MINDS_HUNGER), 0.0f);
    } else if (sleeps) {
        ploy_blackboard_set_f32(board, minds_slot(MINDS_TIRED), 0.0f);
    }
    return PLOY_OK;
}

static ploy_result minds_pursuit_enter(void *self, ploy_step_context *context) {
    minds_pursuit *pursuit = self;
    const ploy_blackboard *board = context->blackboard;
    bool rest = minds_number(board, MINDS_REST) > minds_number(board, MINDS_FOOD);
    ploy_goap_need goal = ploy_goap_is(rest ? pursuit->edition->rested : pursuit->edition->fed, 1);
    ploy_result result = ploy_goap_agent_set_goal(pursuit->agent, &goal, 1);
    if (result != PLOY_OK) return result;
    return ploy_behavior_enter(ploy_goap_agent_behavior(pursuit->agent), context);
}

static ploy_result minds_pursuit_step(void *self, ploy_step_context *context, ploy_status *status) {
    minds_pursuit *pursuit = self;
    return ploy_behavior_step(ploy_goap_agent_behavior(pursuit->agent), context, status);
}

static void minds_pursuit_exit(void *self, ploy_step_context *context, ploy_exit_reason reason) {
    minds_pursuit *pursuit = self;
    ploy_behavior_exit(ploy_goap_agent_behavior(pursuit->agent), context, reason);
}

static void minds_pursuit_destroy(void *self) {
    minds_pursuit *pursuit = self;
    ploy_env env = pursuit->env;
    ploy_goap_agent_destroy(pursuit->agent);
    ploy_env_free(&env, pursuit, sizeof *pursuit);
}

static void minds_pursuit_visit(ploy_visit *v, void *object) {
    minds_pursuit *pursuit = object;
    const int32_t *plan = NULL;
    if (v->describe == NULL) {
        ploy_visit_behavior(v, "agent", ploy_goap_agent_behavior(pursuit->agent), v->context);
        return;
    }
    int32_t place = 0, count = ploy_goap_agent_plan(pursuit->agent, &plan, &place);
    for (int32_t i = place; i < count; i++) {
        ploy_describe_text(v->describe, i == place ? "does" : "then", PLOY_NOTE,
                           ploy_goap_type_action_id(pursuit->edition->domain, plan[i]));
    }
    ploy_goap_agent_describe(pursuit->agent, v->describe);
}

static ploy_result minds_make_pursuit(void *user, const ploy_env *env, ploy_behavior *out) {
    static const ploy_behavior_type type = {.name = "pursuit",
                                            .enter = minds_pursuit_enter,
                                            .step = minds_pursuit_step,
                                            .exit = minds_pursuit_exit,
                                            .destroy = minds_pursuit_destroy,
                                            .visit = minds_pursuit_visit};
    minds_pursuit *pursuit = ploy_env_alloc_zero(env, sizeof *pursuit);
    if (pursuit == NULL) return PLOY_ERR_MEMORY;
    pursuit->env = *env;
    pursuit->edition = user;
    ploy_goap_agent_def def = ploy_goap_agent_def_default();
    def.planner.max_states = 256;
    ploy_goap_hands hands = {minds_sense, minds_act, NULL, user};
    ploy_result result =
        ploy_goap_agent_create(&def, pursuit->edition->domain, &hands, env, &pursuit->agent);
    if (result != PLOY_OK) {
        ploy_env_free(env, pursuit, sizeof *pursuit);
        return result;
    }
    out->type = &type;
    out->self = pursuit;
    return PLOY_OK;
}

// ---- definitions ----

static void minds_action(minds_edition *edition, const char *id, double cost,
                         const ploy_goap_need *needs, int32_t need_count,
                         const ploy_goap_gain *gains, int32_t gain_count) {
    ploy_goap_action action = ploy_goap_action_make(id, cost);
    action.needs = needs;
    action.need_count = need_count;
    action.gains = gains;
    action.gain_count = gain_count;
    (void)ploy_goap_type_action(edition->domain, &action); // finish reports faults
}

static ploy_result minds_build_domain(minds_edition *e, const ploy_env *env) {
    static const char *const places[] = {"field", "kitchen", "bed", "on the way"};
    static const char *const ways[] = {"go field", "go kitchen", "go bed"};
    ploy_result result = ploy_goap_type_create(env, &e->domain);
    if (result != PLOY_OK) return result;
    e->place = ploy_goap_type_choice(e->domain, "place", places, 4);
    e->grain = ploy_goap_type_bool(e->domain, "grain");
    e->bread = ploy_goap_type_bool(e->domain, "bread");
    e->fed = ploy_goap_type_bool(e->domain, "fed");
    e->rested = ploy_goap_type_bool(e->domain, "rested");
    for (int32_t i = 0; i < MINDS_PLACES; i++) {
        ploy_goap_gain there = ploy_goap_set_to(e->place, i);
        minds_action(e, ways[i], 2, NULL, 0, &there, 1);
    }
    // The second edition numbers its actions again: plans are kept by ids.
    ploy_goap_need field = ploy_goap_is(e->place, 0);
    ploy_goap_gain bread = ploy_goap_set_to(e->bread, 1);
    if (e->number == 1) minds_action(e, "forage", 3, &field, 1, &bread, 1);
    ploy_goap_gain grain = ploy_goap_set_to(e->grain, 1);
    minds_action(e, "harvest", 1, &field, 1, &grain, 1);
    const ploy_goap_need bake[] = {ploy_goap_is(e->place, 1), ploy_goap_is(e->grain, 1)};
    const ploy_goap_gain baked[] = {bread, ploy_goap_set_to(e->grain, 0)};
    minds_action(e, "bake", 1, bake, 2, baked, 2);
    ploy_goap_need has = ploy_goap_is(e->bread, 1);
    const ploy_goap_gain ate[] = {ploy_goap_set_to(e->fed, 1), ploy_goap_set_to(e->bread, 0)};
    minds_action(e, "eat", 1, &has, 1, ate, 2);
    ploy_goap_need bed = ploy_goap_is(e->place, 2);
    ploy_goap_gain rested = ploy_goap_set_to(e->rested, 1);
    minds_action(e, "sleep", 1, &bed, 1, &rested, 1);
    return ploy_goap_type_finish(e->domain);
}

static ploy_result minds_build_wants(minds_edition *e, const ploy_blackboard_layout *layout,
                                     const ploy_env *env) {
    static const char *const names[] = {"hunger", "tired", "want_food", "want_rest"};
    static const char *const rules[] = {
        "if hunger is low then want_food is little", "if hunger is high then want_food is much",
        "if tired is low then want_rest is little", "if tired is high then want_rest is much",
        "if tired is very high then want_food is little"};
    ploy_result result = ploy_fuzzy_type_create("wants", env, &e->wants);
    if (result != PLOY_OK) return result;
    ploy_fuzzy_variable_def def = ploy_fuzzy_variable_def_default();
    def.min = 0;
    def.max = 1;
    def.samples = 20;
    for (int32_t i = 0; i < 4; i++) {
        bool in = i < 2;
        int32_t variable = in ? ploy_fuzzy_type_input(e->wants, names[i], &def)
                              : ploy_fuzzy_type_output(e->wants, names[i], &def);
        ploy_fuzzy_set low = ploy_fuzzy_left_shoulder(0, 0.2, 0.8);
        ploy_fuzzy_set high = ploy_fuzzy_right_shoulder(0.2, 0.8, 1);
        (void)ploy_fuzzy_type_term(e->wants, variable, in ? "low" : "little", &low);
        (void)ploy_fuzzy_type_term(e->wants, variable, in ? "high" : "much", &high);
    }
    int32_t block = ploy_fuzzy_type_block(e->wants, "rules", NULL);
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        (void)ploy_fuzzy_type_rule(e->wants, block, rules[i], NULL); // finish reports faults
    }
    (void)ploy_fuzzy_type_bind(e->wants, layout);
    return ploy_fuzzy_type_finish(e->wants, NULL);
}

// One region does one thing after another, the other is a mood that follows how tired one is.
static ploy_result minds_build_day(minds_edition *e, const ploy_blackboard_layout *layout,
                                   const ploy_env *env) {
    ploy_hsm_def def = ploy_hsm_def_default();
    ploy_result result = ploy_hsm_type_create(&def, layout, env, &e->day);
    if (result != PLOY_OK) return result;
    ploy_conditions *set = ploy_hsm_type_conditions(e->day);
    ploy_maker pursuit = ploy_maker_of(minds_make_pursuit, e), none = ploy_maker_none();
    ploy_hsm_state day =
        ploy_hsm_type_state(e->day, "day", ploy_hsm_root(), PLOY_HSM_PARALLEL, NULL, none);
    ploy_hsm_state doing = ploy_hsm_type_state(e->day, "doing", day, PLOY_HSM_STATE, NULL, none);
    ploy_hsm_state ponder = ploy_hsm_type_state(e->day, "ponder", doing, PLOY_HSM_STATE, NULL,
                                                ploy_fuzzy_type_maker(e->wants));
    // The second edition has a pause in front of pursue, and with it other numbers.
    ploy_hsm_state next = ponder;
    if (e->number == 1) {
        next = ploy_hsm_type_state(e->day, "pause", doing, PLOY_HSM_STATE, NULL, none);
    }
    ploy_hsm_state pursue =
        ploy_hsm_type_state(e->day, "pursue", doing, PLOY_HSM_STATE, NULL, pursuit);
    ploy_hsm_state mood = ploy_hsm_type_state(e->day, "mood", day, PLOY_HSM_STATE, NULL, none);
    ploy_hsm_state fresh = ploy_hsm_type_state(e->day, "fresh", mood, PLOY_HSM_STATE, NULL, none);
    ploy_hsm_state weary = ploy_hsm_type_state(e->day, "weary", mood, PLOY_HSM_STATE, NULL, none);
    ploy_hsm_rule rules[5] = {
        ploy_hsm_rule_make("knows", ponder, "done.invoke.ponder", &pursue),
        ploy_hsm_rule_make("done", pursue, "done.invoke.pursue", &next),
        ploy_hsm_rule_make("tires", fresh, NULL, &weary),
        ploy_hsm_rule_make("recovers", weary, NULL, &fresh),
        ploy_hsm_rule_make("goes on", next, "rested", &ponder),
    };
    rules[2].when = ploy_condition_range(set, "tired", 0.6, 10.0);
    rules[3].when = ploy_condition_range(set, "tired", -10.0, 0.3);
    for (size_t i = 0; i < (e->number == 1 ? 5u : 4u); i++) {
        (void)ploy_hsm_type_add(e->day, &rules[i]); // finish reports faults
    }
    if (e->number == 1) {
        ploy_hsm_op rest = {PLOY_HSM_OP_SEND, "rested", NULL, 0.5, {0}, NULL, NULL};
        (void)ploy_hsm_type_set_content(e->day, next, PLOY_HSM_ON_ENTER,
                                        ploy_hsm_type_content(e->day, &rest, 1));
    }
    return ploy_hsm_type_finish(e->day);
}

static ploy_result minds_shelter(ploy_bt_call *call, ploy_status *status) {
    (void)minds_walk(call->context, minds_spots[2]);
    *status = PLOY_STATUS_RUNNING;
    return PLOY_OK;
}

static ploy_result minds_build_tree(minds_edition *e, const ploy_blackboard_layout *layout,
                                    const ploy_env *env) {
    static const ploy_bt_leaf shelter = {.name = "shelter", .step = minds_shelter};
    ploy_bt_builder *builder = NULL;
    ploy_result result = ploy_bt_builder_create("settler", layout, env, &builder);
    if (result != PLOY_OK) return result;
    ploy_bt_builder_open(builder, PLOY_BT_REACTIVE_FALLBACK, "settler");
    ploy_bt_builder_open(builder, PLOY_BT_REACTIVE_SEQUENCE, "danger");
    ploy_bt_node_def storm = ploy_bt_node_make(PLOY_BT_CONDITION, "storm");
    storm.condition = ploy_bt_condition_text("storm");
    ploy_bt_builder_add_node(builder, &storm);
    ploy_bt_builder_add_leaf(builder, &shelter, NULL, NULL, NULL, 0);
    ploy_bt_builder_close(builder);
    if (e->number == 1) ploy_bt_builder_add(builder, PLOY_BT_ALWAYS_FAILURE, "greet"); // edited in
    ploy_bt_builder_add_behavior(builder, "day", ploy_hsm_type_maker(e->day), true);
    ploy_bt_builder_close(builder);
    result = ploy_bt_builder_build(builder, NULL, &e->bt);
    ploy_bt_builder_destroy(builder);
    return result;
}

static void minds_edition_destroy(minds_edition *edition, const ploy_env *env) {
    if (edition == NULL) return;
    ploy_bt_destroy(edition->bt);
    ploy_hsm_type_destroy(edition->day);
    ploy_goap_type_destroy(edition->domain);
    ploy_fuzzy_type_destroy(edition->wants);
    ploy_env_free(env, edition, sizeof *edition);
}

static ploy_result minds_edition_create(const minds_lab *lab, uint64_t number,
                                        minds_edition **out) {
    minds_edition *edition = ploy_env_alloc_zero(&lab->env, sizeof *edition);
    if (edition == NULL) return PLOY_ERR_MEMORY;
    edition->number = number;
    ploy_result result = minds_build_wants(edition, lab->layout, &lab->env);
    if (result == PLOY_OK) result = minds_build_domain(edition, &lab->env);
    if (result == PLOY_OK) result = minds_build_day(edition, lab->layout, &lab->env);
    if (result == PLOY_OK) result = minds_build_tree(edition, lab->layout, &lab->env);
    if (result != PLOY_OK) {
        minds_edition_destroy(edition, &lab->env);
        return result;
    }
    *out = edition;
    return PLOY_OK;
}

static ploy_result minds_make_mind(const minds_lab *lab, const minds_edition *edition,
                                   ploy_bt_instance **out) {
    ploy_bt_instance_def def = ploy_bt_instance_def_default();
    return ploy_bt_instance_create(&def, edition->bt, NULL, &lab->env, out);
}

static ploy_result minds_lab_create(const void *params, ploy_rng_key key, const ploy_env *env,
                                    void **out) {
    minds_lab *lab = ploy_env_alloc_zero(env, sizeof *lab);
    if (lab == NULL) return PLOY_ERR_MEMORY;
    lab->env = *env;
    memcpy(&lab->def, params, sizeof lab->def);
    ploy_result result =
        ploy_blackboard_layout_create(minds_keys, MINDS_KEYS, "settler", env, NULL, &lab->layout);
    if (result == PLOY_OK) result = ploy_diags_create(MINDS_LOST, env, &lab->lost);
    if (result == PLOY_OK) result = minds_edition_create(lab, 0, &lab->edition);
    ploy_engine_def minds = ploy_engine_def_default();
    minds.capacity = MINDS_SETTLERS;
    minds.seed = key.bits;
    if (result == PLOY_OK) result = ploy_engine_create(&minds, env, &lab->engine);
    for (uint32_t i = 0; i < MINDS_SETTLERS && result == PLOY_OK; i++) {
        result = ploy_blackboard_create(lab->layout, env, &lab->boards[i]);
        if (result == PLOY_OK) result = minds_make_mind(lab, lab->edition, &lab->minds[i]);
        if (result != PLOY_OK) break;
        ploy_engine_entry entry = ploy_engine_entry_default();
        entry.behavior = ploy_bt_instance_behavior(lab->minds[i]);
        entry.agent = ploy_agent_id_make(i + 1, 1);
        entry.blackboard = lab->boards[i];
        result = ploy_engine_register(lab->engine, &entry, &lab->ids[i]);
        if (result != PLOY_OK) break;
        const float at[2] = {ploy_rng_range_at(key, i, 0, 0, -15, 0),
                             ploy_rng_range_at(key, i, 0, 1, -8, 6)};
        ploy_blackboard_set_vec(lab->boards[i], minds_slot(MINDS_AT), at);
        ploy_blackboard_set_f32(lab->boards[i], minds_slot(MINDS_HUNGER),
                                ploy_rng_range_at(key, i, 0, 2, 0.3f, 0.9f));
        ploy_blackboard_set_f32(lab->boards[i], minds_slot(MINDS_TIRED),
                                ploy_rng_range_at(key, i, 0, 3, 0.1f, 0.7f));
    }
    if (result != PLOY_OK) return result;
    *out = lab;
    return PLOY_OK;
}

// ---- step ----

static ploy_engine_frame minds_frame(minds_lab *lab, const ploy_sim_context *sim) {
    ploy_engine_frame frame = {sim->jobs, sim->scratch, sim->trace, lab, lab};
    return frame;
}

// Exchanges the definitions for the other edition; every mind goes on in it.
static ploy_result minds_reload(minds_lab *lab, const ploy_sim_context *sim) {
    minds_edition *fresh = NULL;
    ploy_result result = minds_edition_create(lab, 1 - lab->edition->number, &fresh);
    if (result != PLOY_OK) return result;
    ploy_diags_clear(lab->lost);
    for (uint32_t i = 0; i < MINDS_SETTLERS && result == PLOY_OK; i++) {
        ploy_bt_instance *mind = NULL;
        ploy_engine_frame frame = minds_frame(lab, sim);
        result = minds_make_mind(lab, fresh, &mind);
        if (result != PLOY_OK) break;
        result = ploy_engine_reload(lab->engine, lab->ids[i], ploy_bt_instance_behavior(mind),
                                    &frame, lab->lost);
        lab->minds[i] = mind;
    }
    if (result != PLOY_OK) return result; // out of memory: the simulation ends
    minds_edition_destroy(lab->edition, &lab->env);
    lab->edition = fresh;
    lab->reloads++;
    return PLOY_OK;
}

static void minds_add(ploy_blackboard *board, int32_t key, float amount) {
    float value = minds_number(board, key) + amount;
    ploy_blackboard_set_f32(board, minds_slot(key), value < 1.0f ? value : 1.0f);
}

static ploy_result minds_lab_step(void *state, const ploy_sim_context *context) {
    minds_lab *lab = state;
    memcpy(&lab->def, context->params, sizeof lab->def);
    int32_t reloads = 0;
    for (int32_t i = 0; i < context->input_count; i++) {
        const ploy_input *input = &context->inputs[i];
        if (input->kind != PLOY_INPUT_COMMAND) continue;
        if (strcmp(input->name, "reload") == 0) reloads++;
        if (strcmp(input->name, "storm") == 0) lab->storm = 4.0;
    }
    for (; reloads > 0; reloads--) {
        ploy_result result = minds_reload(lab, context);
        if (result != PLOY_OK) return result;
    }
    lab->storm -= (double)context->dt;
    if (lab->storm < 0.0) lab->storm = 0.0;
    float chance = ploy_rng_float_at(context->key, 0, context->tick, 0);
    if (lab->storm == 0.0 && chance < lab->def.storms * context->dt) lab->storm = 3.0;
    for (uint32_t i = 0; i < MINDS_SETTLERS; i++) {
        ploy_blackboard *board = lab->boards[i];
        minds_add(board, MINDS_HUNGER, lab->def.hunger * context->dt);
        minds_add(board, MINDS_TIRED, lab->def.fatigue * context->dt);
        ploy_blackboard_set_bool(board, minds_slot(MINDS_STORM), lab->storm > 0.0);
    }
    ploy_engine_frame frame = minds_frame(lab, context);
    ploy_result result = ploy_engine_step(lab->engine, context->dt, NULL, &frame);
    return result == PLOY_OK ? ploy_engine_failure(lab->engine, NULL) : result;
}

// ---- sight ----

// Collects the parts of a mind's description that a column of text has room for.
typedef struct minds_text {
    ploy_draw *out;
    ploy_agent_id agent;
    ploy_vec2 at;
    int32_t lines;
    const char *group; // that is being described
} minds_text;

static void minds_line(minds_text *text, const char *label, const char *words) {
    char line[64];
    size_t used = 0;
    const char *parts[] = {label, " ", words};
    for (size_t i = 0; i < 3; i++) {
        for (const char *c = parts[i]; *c != '\0' && used + 1 < sizeof line; c++) line[used++] = *c;
    }
    line[used] = '\0';
    ploy_vec2 at = ploy_vec2_make(text->at.x, text->at.y - 1.1f * (float)text->lines++);
    ploy_draw_text(text->out, text->agent, at, line);
}

static void minds_group(void *user, const char *name, ploy_id owner) {
    ((minds_text *)user)->group = name;
    (void)owner;
}

static void minds_group_end(void *user) {
    (void)user;
}

static void minds_value(void *user, const char *name, ploy_mark mark, const ploy_value *value) {
    static const char *const shown[] = {"does", "then"}, *const marks[] = {">", " "};
    static const char *const around[] = {"day", "doing", "mood"}; // their inner states say more
    const minds_text *text = user;
    (void)mark;
    if (value->type == PLOY_VALUE_BOOL && strcmp(name, "active") == 0 && value->as.b) {
        bool inner = true;
        for (size_t i = 0; i < 3; i++) inner = inner && strcmp(text->group, around[i]) != 0;
        if (inner) minds_line(user, "in", text->group);
    }
    if (value->type != PLOY_VALUE_TEXT) return;
    for (size_t i = 0; i < 2; i++) {
        if (strcmp(name, shown[i]) == 0) minds_line(user, marks[i], value->as.text);
    }
}

static void minds_bar(ploy_draw *out, ploy_agent_id agent, ploy_vec2 at, float share,
                      ploy_style style) {
    ploy_vec2 box[4] = {{at.x, at.y},
                        {at.x + 3.0f * share, at.y},
                        {at.x + 3.0f * share, at.y + 0.35f},
                        {at.x, at.y + 0.35f}};
    ploy_draw_polygon(out, PLOY_LAYER_REGIONS, style, agent, box, 4, 0.8f);
}

static void minds_lab_draw(const void *state, ploy_draw *out) {
    const minds_lab *lab = state;
    ploy_draw_key(out, PLOY_STYLE_AGENT_A, "settler");
    ploy_draw_key(out, PLOY_STYLE_WARNING, "settler in a storm");
    ploy_draw_key(out, PLOY_STYLE_TARGET, "places");
    ploy_draw_key(out, PLOY_STYLE_BAD, "hunger");
    ploy_draw_key(out, PLOY_STYLE_GHOST, "tiredness");
    const ploy_agent_id nobody = ploy_agent_id_none();
    static const char *const names[MINDS_SETTLERS] = {"Ada", "Ben", "Cleo"};
    for (int32_t i = 0; i < MINDS_PLACES; i++) {
        ploy_draw_disc(out, PLOY_LAYER_REGIONS, PLOY_STYLE_TARGET, nobody, minds_spots[i], 1.4f,
                       0.25f);
        ploy_draw_text(out, nobody,
                       ploy_vec2_make(minds_spots[i].x - 1.3f, minds_spots[i].y - 2.4f),
                       minds_places[i]);
    }
    for (uint32_t i = 0; i < MINDS_SETTLERS; i++) {
        const ploy_blackboard *board = lab->boards[i];
        ploy_agent_id agent = ploy_agent_id_make(i + 1, 1);
        ploy_vec2 at = minds_position(board);
        bool storm = ploy_blackboard_get_bool(board, minds_slot(MINDS_STORM));
        ploy_draw_disc(out, PLOY_LAYER_AGENTS, storm ? PLOY_STYLE_WARNING : PLOY_STYLE_AGENT_A,
                       agent, at, 0.6f, 1.0f);
        ploy_draw_text(out, agent, ploy_vec2_make(at.x + 1.0f, at.y + 1.0f - 1.1f * (float)i),
                       names[i]);
        minds_text text = {out, agent, {4.0f + 8.6f * (float)i, 7.5f}, 0, ""};
        minds_line(&text, names[i], storm ? "shelters" : "");
        minds_bar(out, agent, ploy_vec2_make(text.at.x, 6.6f), minds_number(board, MINDS_HUNGER),
                  PLOY_STYLE_BAD);
        minds_bar(out, agent, ploy_vec2_make(text.at.x, 6.1f), minds_number(board, MINDS_TIRED),
                  PLOY_STYLE_GHOST);
        text.lines = 2;
        ploy_describe shown = {minds_group, minds_group_end, minds_value, &text};
        ploy_bt_instance_describe(lab->minds[i], &shown);
    }
    minds_text edition = {out, nobody, {4.0f, -6.2f}, 0, ""};
    minds_line(&edition,
               "definitions:", lab->edition->number == 0 ? "first edition" : "edited edition");
    for (int32_t i = 0; i < ploy_diags_count(lab->lost); i++) {
        minds_line(&edition, "reload:", ploy_diags_get(lab->lost, i)->message);
    }
}

static void minds_lab_describe(const void *state, ploy_describe *out) {
    const minds_lab *lab = state;
    ploy_describe_u64(out, "edition", PLOY_STATE, lab->edition->number);
    ploy_describe_u64(out, "reloads", PLOY_STATE, lab->reloads);
    ploy_describe_f64(out, "storm", PLOY_STATE, lab->storm);
    for (uint32_t i = 0; i < MINDS_SETTLERS; i++) {
        ploy_describe_begin_agent(out, "settler", ploy_agent_id_make(i + 1, 1));
        ploy_describe_begin(out, "knows");
        ploy_blackboard_describe(lab->boards[i], out);
        ploy_describe_end(out);
        ploy_describe_begin(out, "mind");
        ploy_bt_instance_describe(lab->minds[i], out);
        ploy_describe_end(out);
        ploy_describe_end(out);
    }
    ploy_describe_begin(out, "engine");
    ploy_engine_describe(lab->engine, out);
    ploy_describe_end(out);
}

static const ploy_command minds_lab_commands[] = {
    {"reload", "exchange the definitions under the running minds", PLOY_VALUE_NONE, false, "r"},
    {"storm", "let a storm break out", PLOY_VALUE_NONE, false, "s"},
};

extern const ploy_sim_type ploy_lab_minds; // in labs.c
const ploy_sim_type ploy_lab_minds = {
    .name = "minds",
    .title = "Minds within minds",
    .help = "Settlers whose behavior tree holds a machine that holds a planner whose goal a fuzzy "
            "module chose. Press r to exchange all definitions for an edited edition: the minds "
            "continue where they were, and what cannot be matched is reported.",
    .version = 1,
    .capabilities = PLOY_SIM_INTERACTIVE,
    .dt = 1.0f / 20.0f,
    .view = {-17.0f, -11.5f, 30.0f, 9.5f},
    .fields = minds_lab_get_fields,
    .commands = minds_lab_commands,
    .command_count = sizeof minds_lab_commands / sizeof minds_lab_commands[0],
    .create = minds_lab_create,
    .destroy = NULL, // the region goes with the simulation
    .step = minds_lab_step,
    .draw = minds_lab_draw,
    .describe = minds_lab_describe,
};
