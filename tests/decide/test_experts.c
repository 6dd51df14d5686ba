// The blackboard architecture: who works next, and what passes only when all agree.
#include "ploy/decide/experts.h"

#include "ploy/base/rng.h"
#include "tests/test.h"

static ploy_blackboard_layout *make_layout(test_context *t, const ploy_env *env) {
    ploy_blackboard_key keys[2];
    memset(keys, 0, sizeof keys);
    keys[0].name = "target";
    keys[0].type = PLOY_VALUE_I64;
    keys[1].name = "in_position";
    keys[1].type = PLOY_VALUE_BOOL;
    ploy_blackboard_layout *layout = NULL;
    CHECK_OK(ploy_blackboard_layout_create(keys, 2, "squad", env, NULL, &layout));
    return layout;
}

// An expert with a fixed insistence.
static float fixed_insistence(void *user, const ploy_moment *moment, const float *args) {
    (void)user, (void)args;
    const ploy_expert_turn *turn = moment->asker;
    return *(const float *)turn->data;
}

static ploy_step_context board_context(ploy_blackboard *board) {
    ploy_step_context context;
    memset(&context, 0, sizeof context);
    context.blackboard = board;
    return context;
}

// BBD-01: the most insistent works; nobody if nobody insists; ties by the first or by lot.
TEST(the_most_insistent_expert_works) {
    static const struct {
        const char *row;
        float insistence[3];
        bool random;
        int32_t want; // -2: 0 and 1 both occur
    } rows[] = {{"the third", {0, 0.3f, 0.7f}, false, 2},
                {"nobody", {0, 0, 0}, false, -1},
                {"below nothing", {-1, -2, -3}, false, -1},
                {"the first of equals", {0.5f, 0.5f, 0}, false, 0},
                {"equals by lot", {0.5f, 0.5f, 0}, true, -2}};
    ploy_env env = ploy_env_default();
    ploy_blackboard_layout *layout = make_layout(t, &env);
    ploy_blackboard *board = NULL;
    CHECK_OK(ploy_blackboard_create(layout, &env, &board));
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_experts_def def = ploy_experts_def_default();
        def.random_ties = rows[i].random;
        static const char *const names[] = {"one", "two", "three"};
        ploy_experts_type *type = NULL;
        ploy_experts *experts = NULL;
        CHECK_OK(ploy_experts_type_create(&def, layout, &env, &type));
        float insistence[3];
        memcpy(insistence, rows[i].insistence, sizeof insistence);
        for (int k = 0; k < 3; k++) {
            ploy_expert expert = ploy_expert_make(names[k]);
            expert.insistence = ploy_score_call(ploy_experts_type_conditions(type), names[k],
                                                fixed_insistence, NULL);
            expert.data = &insistence[k];
            CHECK_OK(ploy_experts_type_add(type, &expert, NULL));
        }
        CHECK_OK(ploy_experts_type_finish(type));
        CHECK_OK(ploy_experts_create(type, &env, &experts));
        ploy_step_context context = board_context(board);
        int32_t seen[3] = {0, 0, 0};
        for (int n = 0; n < 50; n++) {
            int32_t got = ploy_experts_step(experts, &context, NULL);
            if (rows[i].want != -2) CHECK_INT(got, rows[i].want);
            if (got >= 0) seen[got]++;
        }
        if (rows[i].want == -2) CHECK(seen[0] > 5 && seen[1] > 5 && seen[2] == 0);
        ploy_experts_destroy(experts);
        ploy_experts_type_destroy(type);
    }
    ploy_blackboard_destroy(board);
    ploy_blackboard_layout_destroy(layout);
}

// A squad: one proposes to fire, movement gets into position, ballistics agrees then.
typedef struct squad_board {
    ploy_slot target, in_position;
    int32_t action, ballistics;
} squad_board;

static float target_insistence(void *user, const ploy_moment *moment, const float *args) {
    (void)args;
    const squad_board *squad = user;
    return ploy_blackboard_get_i64(moment->context->blackboard, squad->target) == 0 ? 0.9f : 0.0f;
}
static void target_run(const ploy_expert_turn *turn) {
    squad_board *squad = turn->user;
    ploy_blackboard_set_i64(turn->board, squad->target, 15);
    ploy_expert_action fire = {ploy_name_of("fire"), 15};
    ploy_experts_propose(turn->experts, fire, (uint32_t)1 << squad->ballistics, &squad->action);
}
static float move_insistence(void *user, const ploy_moment *moment, const float *args) {
    (void)args;
    const squad_board *squad = user;
    return ploy_blackboard_get_bool(moment->context->blackboard, squad->in_position) ? 0.0f : 0.5f;
}
static void move_run(const ploy_expert_turn *turn) {
    const squad_board *squad = turn->user;
    ploy_blackboard_set_bool(turn->board, squad->in_position, true);
}
static float ballistics_insistence(void *user, const ploy_moment *moment, const float *args) {
    (void)args;
    const squad_board *squad = user;
    bool ready = ploy_blackboard_get_bool(moment->context->blackboard, squad->in_position);
    return ready && squad->action != 0 ? 0.3f : 0.0f;
}
static void ballistics_run(const ploy_expert_turn *turn) {
    squad_board *squad = turn->user;
    ploy_experts_agree(turn->experts, squad->action, squad->ballistics);
    squad->action = 0;
}

// BBD-04, BBD-05.
TEST(an_action_passes_once_when_all_agree) {
    ploy_env env = ploy_env_default();
    ploy_blackboard_layout *layout = make_layout(t, &env);
    ploy_blackboard *board = NULL;
    CHECK_OK(ploy_blackboard_create(layout, &env, &board));
    squad_board squad = {ploy_blackboard_layout_find(layout, "target"),
                         ploy_blackboard_layout_find(layout, "in_position"), 0, 0};
    ploy_experts_def def = ploy_experts_def_default();
    def.user = &squad;
    ploy_experts_type *type = NULL;
    ploy_experts *experts = NULL;
    CHECK_OK(ploy_experts_type_create(&def, layout, &env, &type));
    ploy_conditions *set = ploy_experts_type_conditions(type);
    const ploy_expert all[3] = {
        {.name = "target",
         .insistence = ploy_score_call(set, "target", target_insistence, &squad),
         .run = target_run},
        {.name = "move",
         .insistence = ploy_score_call(set, "move", move_insistence, &squad),
         .run = move_run},
        {.name = "ballistics",
         .insistence = ploy_score_call(set, "ballistics", ballistics_insistence, &squad),
         .run = ballistics_run}};
    for (int i = 0; i < 3; i++) {
        CHECK_OK(ploy_experts_type_add(type, &all[i], &squad.ballistics));
    }
    CHECK_INT(ploy_experts_create(type, &env, &experts), PLOY_ERR_STATE);
    CHECK_OK(ploy_experts_type_finish(type));
    CHECK_OK(ploy_experts_create(type, &env, &experts));
    ploy_step_context context = board_context(board);
    ploy_expert_action action;
    for (int32_t i = 0; i < 3; i++) {
        CHECK(!ploy_experts_take(experts, &action));
        CHECK_INT(ploy_experts_step(experts, &context, NULL), i);
    }
    CHECK(ploy_experts_take(experts, &action));
    CHECK_UINT(action.subject, 15);
    CHECK(!ploy_experts_take(experts, &action));
    CHECK_INT(ploy_experts_step(experts, &context, NULL), -1);
    uint64_t iteration = 0;
    CHECK_INT(ploy_experts_writer(experts, squad.target, &iteration), 0);
    CHECK_UINT(iteration, 1);
    CHECK_INT(ploy_experts_writer(experts, squad.in_position, &iteration), 1);
    CHECK_UINT(iteration, 2);
    CHECK_INT(ploy_experts_agree(experts, 99, 0), PLOY_ERR_NOT_FOUND);
    ploy_experts_destroy(experts);
    ploy_experts_type_destroy(type);
    ploy_blackboard_destroy(board);
    ploy_blackboard_layout_destroy(layout);
}

// BBD-06: a rule base through a rule set and through experts fires the same rules in the same order.
typedef struct fired_rules {
    ploy_slot slots[4];
    char log[65];
    int32_t count;
} fired_rules;

typedef struct fired_rule {
    int32_t sets; // the slot it sets; a rule needs the one before
    float priority;
} fired_rule;

static ploy_result fired_fire(const ploy_set_turn *turn) {
    fired_rules *fired = turn->user;
    const fired_rule *rule = turn->data;
    if (fired->count < 64) fired->log[fired->count++] = (char)('a' + rule->sets);
    const ploy_blackboard *board = turn->moment->context->blackboard;
    bool old = ploy_blackboard_get_bool(board, fired->slots[rule->sets]);
    return ploy_blackboard_set_bool(turn->moment->context->blackboard, fired->slots[rule->sets],
                                    !old);
}
static float fired_priority(void *user, const ploy_moment *moment, const float *args) {
    (void)user, (void)args;
    const ploy_set_turn *turn = moment->asker;
    return ((const fired_rule *)turn->data)->priority;
}

TEST(rules_fire_alike_in_a_rule_set_and_as_experts) {
    static const char *const keys_of[] = {"a", "b", "c", "d"};
    static const int32_t arbiters[] = {PLOY_RULE_ARBITER_FIRST, PLOY_RULE_ARBITER_SPECIFIC,
                                       PLOY_RULE_ARBITER_PRIORITY};
    static const char *const names[] = {"r0", "r1", "r2", "r3", "r4", "r5"};
    ploy_env env = ploy_env_default();
    ploy_blackboard_key keys[4];
    memset(keys, 0, sizeof keys);
    for (int i = 0; i < 4; i++) {
        keys[i].name = keys_of[i];
        keys[i].type = PLOY_VALUE_BOOL;
    }
    ploy_blackboard_layout *layout = NULL;
    CHECK_OK(ploy_blackboard_layout_create(keys, 4, "rules", &env, NULL, &layout));
    for (uint64_t seed = 1; seed <= 90; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        fired_rules fired[2];
        memset(fired, 0, sizeof fired);
        fired_rule rules[6];
        for (int side = 0; side < 2; side++) {
            for (int i = 0; i < 4; i++) {
                fired[side].slots[i] = ploy_blackboard_layout_find(layout, keys_of[i]);
            }
        }
        ploy_rule_set_type *sets[2];
        for (int i = 0; i < 6; i++) {
            rules[i].sets = (int32_t)ploy_rng_below(&rng, 4);
            rules[i].priority = 1.0f + (float)ploy_rng_below(&rng, 3);
        }
        uint64_t shape = ploy_rng_u64(&rng);
        for (int side = 0; side < 2; side++) {
            ploy_rule_set_def def = ploy_rule_set_def_default();
            def.arbiter = arbiters[seed % 3];
            def.user = &fired[side];
            CHECK_OK(ploy_rule_set_type_create(&def, layout, &env, &sets[side]));
            ploy_conditions *conditions = ploy_rule_set_type_conditions(sets[side]);
            ploy_rng own = ploy_rng_make(shape);
            for (int i = 0; i < 6; i++) {
                ploy_condition one =
                    ploy_condition_bool(conditions, keys_of[ploy_rng_below(&own, 4)]);
                ploy_condition two =
                    ploy_condition_bool(conditions, keys_of[ploy_rng_below(&own, 4)]);
                ploy_set_rule rule = ploy_set_rule_make(names[i]);
                rule.condition =
                    ploy_rng_below(&own, 2) == 0
                        ? one
                        : ploy_condition_and(conditions, one, ploy_condition_not(conditions, two));
                rule.fire = fired_fire;
                rule.priority = ploy_score_call(conditions, names[i], fired_priority, NULL);
                rule.data = &rules[i];
                CHECK_OK(ploy_rule_set_type_add(sets[side], &rule));
            }
            CHECK_OK(ploy_rule_set_type_finish(sets[side]));
        }
        ploy_rule_set *set = NULL;
        CHECK_OK(ploy_rule_set_create(sets[0], &env, &set));
        ploy_experts_def def = ploy_experts_def_default();
        ploy_experts_type *type = NULL;
        ploy_experts *experts = NULL;
        CHECK_OK(ploy_experts_type_create(&def, layout, &env, &type));
        CHECK_OK(ploy_experts_type_add_rules(type, sets[1]));
        CHECK_OK(ploy_experts_type_finish(type));
        CHECK_OK(ploy_experts_create(type, &env, &experts));
        for (int side = 0; side < 2; side++) {
            ploy_blackboard *board = NULL;
            CHECK_OK(ploy_blackboard_create(layout, &env, &board));
            for (int i = 0; i < 4; i++) {
                CHECK_OK(
                    ploy_blackboard_set_bool(board, fired[side].slots[i], (seed >> i & 1) == 0));
            }
            ploy_step_context context = board_context(board);
            for (int i = 0; i < 40; i++) {
                if (side == 0) CHECK_OK(ploy_rule_set_step(set, &context, NULL, NULL));
                if (side == 1) (void)ploy_experts_step(experts, &context, NULL);
            }
            ploy_blackboard_destroy(board);
        }
        CHECK_TEXT(fired[1].log, fired[0].log);
        ploy_experts_destroy(experts);
        ploy_experts_type_destroy(type);
        ploy_rule_set_destroy(set);
        ploy_rule_set_type_destroy(sets[0]);
        ploy_rule_set_type_destroy(sets[1]);
    }
    ploy_blackboard_layout_destroy(layout);
}

static ploy_result create_experts(const ploy_env *env, void *arg) {
    ploy_experts_def def = ploy_experts_def_default();
    ploy_experts_type *type = NULL;
    ploy_experts *experts = NULL;
    ploy_expert expert = ploy_expert_make("one");
    ploy_result result = ploy_experts_type_create(&def, arg, env, &type);
    if (result == PLOY_OK) result = ploy_experts_type_add(type, &expert, NULL);
    if (result == PLOY_OK) result = ploy_experts_type_finish(type);
    if (result == PLOY_OK) result = ploy_experts_create(type, env, &experts);
    ploy_experts_destroy(experts);
    ploy_experts_type_destroy(type);
    return result;
}

TEST(creating_experts_survives_short_memory) {
    ploy_env env = ploy_env_default();
    ploy_blackboard_layout *layout = make_layout(t, &env);
    CHECK_FAIL_NTH(create_experts, layout);
    ploy_blackboard_layout_destroy(layout);
}
