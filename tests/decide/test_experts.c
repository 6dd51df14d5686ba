// The blackboard architecture: who works next, and what passes only when all agree.
#include "ploy/decide/experts.h"

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
static float fixed_insistence(void *user, const ploy_blackboard *board, void *data) {
    (void)user;
    (void)board;
    return *(const float *)data;
}
static void do_nothing(void *user, ploy_experts *experts, ploy_blackboard *board, void *data) {
    (void)user;
    (void)experts;
    (void)board;
    (void)data;
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
        ploy_experts *experts = NULL;
        CHECK_OK(ploy_experts_create(&def, board, &env, &experts));
        float insistence[3];
        memcpy(insistence, rows[i].insistence, sizeof insistence);
        for (int k = 0; k < 3; k++) {
            ploy_expert expert = {"expert", fixed_insistence, do_nothing, &insistence[k]};
            CHECK_OK(ploy_experts_add(experts, &expert, NULL));
        }
        int32_t seen[3] = {0, 0, 0};
        for (int n = 0; n < 50; n++) {
            int32_t got = ploy_experts_step(experts, NULL);
            if (rows[i].want != -2) CHECK_INT(got, rows[i].want);
            if (got >= 0) seen[got]++;
        }
        if (rows[i].want == -2) CHECK(seen[0] > 5 && seen[1] > 5 && seen[2] == 0);
        ploy_experts_destroy(experts);
    }
    ploy_blackboard_destroy(board);
    ploy_blackboard_layout_destroy(layout);
}

// A squad: one proposes to fire, movement gets into position, ballistics agrees then.
typedef struct squad_board {
    ploy_slot target, in_position;
    int32_t action, ballistics;
} squad_board;

static float target_insistence(void *user, const ploy_blackboard *board, void *data) {
    squad_board *squad = user;
    (void)data;
    return ploy_blackboard_get_i64(board, squad->target) == 0 ? 0.9f : 0.0f;
}
static void target_run(void *user, ploy_experts *experts, ploy_blackboard *board, void *data) {
    squad_board *squad = user;
    (void)data;
    ploy_blackboard_set_i64(board, squad->target, 15);
    ploy_expert_action fire = {ploy_name_of("fire"), 15};
    ploy_experts_propose(experts, fire, (uint32_t)1 << squad->ballistics, &squad->action);
}
static float move_insistence(void *user, const ploy_blackboard *board, void *data) {
    squad_board *squad = user;
    (void)data;
    return ploy_blackboard_get_bool(board, squad->in_position) ? 0.0f : 0.5f;
}
static void move_run(void *user, ploy_experts *experts, ploy_blackboard *board, void *data) {
    squad_board *squad = user;
    (void)experts;
    (void)data;
    ploy_blackboard_set_bool(board, squad->in_position, true);
}
static float ballistics_insistence(void *user, const ploy_blackboard *board, void *data) {
    squad_board *squad = user;
    (void)data;
    return ploy_blackboard_get_bool(board, squad->in_position) && squad->action != 0 ? 0.3f : 0.0f;
}
static void ballistics_run(void *user, ploy_experts *experts, ploy_blackboard *board, void *data) {
    squad_board *squad = user;
    (void)board;
    (void)data;
    ploy_experts_agree(experts, squad->action, squad->ballistics);
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
    ploy_experts *experts = NULL;
    CHECK_OK(ploy_experts_create(&def, board, &env, &experts));
    ploy_expert all[3] = {{"target", target_insistence, target_run, NULL},
                          {"move", move_insistence, move_run, NULL},
                          {"ballistics", ballistics_insistence, ballistics_run, NULL}};
    for (int i = 0; i < 3; i++) CHECK_OK(ploy_experts_add(experts, &all[i], &squad.ballistics));
    ploy_expert_action action;
    for (int32_t i = 0; i < 3; i++) {
        CHECK(!ploy_experts_take(experts, &action));
        CHECK_INT(ploy_experts_step(experts, NULL), i);
    }
    CHECK(ploy_experts_take(experts, &action));
    CHECK_UINT(action.subject, 15);
    CHECK(!ploy_experts_take(experts, &action));
    CHECK_INT(ploy_experts_step(experts, NULL), -1);
    uint64_t iteration = 0;
    CHECK_INT(ploy_experts_writer(experts, squad.target, &iteration), 0);
    CHECK_UINT(iteration, 1);
    CHECK_INT(ploy_experts_writer(experts, squad.in_position, &iteration), 1);
    CHECK_UINT(iteration, 2);
    CHECK_INT(ploy_experts_agree(experts, 99, 0), PLOY_ERR_NOT_FOUND);
    ploy_experts_destroy(experts);
    ploy_blackboard_destroy(board);
    ploy_blackboard_layout_destroy(layout);
}

static ploy_result create_experts(const ploy_env *env, void *arg) {
    ploy_experts_def def = ploy_experts_def_default();
    ploy_experts *experts = NULL;
    ploy_result result = ploy_experts_create(&def, arg, env, &experts);
    ploy_experts_destroy(experts);
    return result;
}

TEST(creating_experts_survives_short_memory) {
    ploy_env env = ploy_env_default();
    ploy_blackboard_layout *layout = make_layout(t, &env);
    ploy_blackboard *board = NULL;
    CHECK_OK(ploy_blackboard_create(layout, &env, &board));
    CHECK_FAIL_NTH(create_experts, board);
    ploy_blackboard_destroy(board);
    ploy_blackboard_layout_destroy(layout);
}
