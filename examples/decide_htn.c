// A troll at its bridge plans by recipes: it fights if it has something to fight with, and
// otherwise looks after the bridge. You see each plan, a choice taken back, and when a running plan
// gives way to a better one; then the same recipes as a mind that carries its plan out. Shows
// ploy_htn: tasks, methods in an order of preference, records; and ploy_goap_agent_type.
#include <stdio.h>

#include "ploy/decide/goap_agent.h"

typedef struct troll {
    ploy_goap_type *domain;
    ploy_htn_type *type;
    ploy_goap_var enemy, tree, club, bridge;
} troll;

static void add_action(troll *self, const char *id, ploy_goap_need need, ploy_goap_gain gain) {
    ploy_goap_action action = ploy_goap_action_make(id, 1.0);
    action.needs = &need;
    action.need_count = 1;
    action.gains = &gain;
    action.gain_count = 1;
    (void)ploy_goap_type_action(self->domain, &action); // finish reports the first fault
}

static ploy_result add_recipes(troll *self) {
    ploy_htn_type *type = self->type;
    ploy_htn_task thump = ploy_htn_type_task(type, "thump"), arm = ploy_htn_type_task(type, "arm");
    ploy_htn_task uproot = ploy_htn_type_action(type, "uproot a tree");
    ploy_htn_task fight[] = {arm, ploy_htn_type_action(type, "strike")};
    ploy_htn_task patrol[] = {ploy_htn_type_action(type, "walk to the bridge")};
    ploy_goap_need enemy = ploy_goap_is(self->enemy, 1), club = ploy_goap_is(self->club, 1);
    // Methods in the order of preference; "armed" has nothing to do.
    (void)ploy_htn_type_method(type, thump, "fight", &enemy, 1, fight, 2);
    (void)ploy_htn_type_method(type, thump, "patrol", NULL, 0, patrol, 1);
    (void)ploy_htn_type_method(type, arm, "armed", &club, 1, NULL, 0);
    (void)ploy_htn_type_method(type, arm, "find a club", NULL, 0, &uproot, 1);
    return ploy_htn_type_finish(type);
}

// Plans, given the record of what runs, and says what came of it. Returns the length of the record.
static int32_t plan(const troll *self, ploy_htn *htn, const char *when, bool enemy, bool tree,
                    int32_t *record, int32_t running) {
    uint64_t world[1];
    int32_t actions[8];
    ploy_goap_world_clear(self->domain, world);
    (void)ploy_goap_world_set(self->domain, world, self->enemy, enemy);
    (void)ploy_goap_world_set(self->domain, world, self->tree, tree);
    ploy_htn_task thump = ploy_htn_type_find(self->type, "thump");
    if (ploy_htn_begin(htn, world, thump, running > 0 ? record : NULL, running) != PLOY_OK ||
        ploy_htn_step(htn, NULL) != PLOY_OK) {
        return 0;
    }
    int32_t count = ploy_htn_plan(htn, actions, 8);
    printf("%s:", when);
    if (count < 0) printf(running > 0 ? " nothing better, go on" : " no plan");
    for (int32_t i = 0; i < count; i++) {
        printf("%s %s", i > 0 ? "," : "", ploy_goap_type_action_id(self->domain, actions[i]));
    }
    printf("\n");
    return count < 0 ? running : ploy_htn_record(htn, record, 8);
}

// An action takes two steps.
static ploy_result swing(void *user, void *state, ploy_step_context *context, ploy_status *status) {
    (void)context;
    *status = ++*(int *)state < 2 ? PLOY_STATUS_RUNNING : PLOY_STATUS_SUCCESS;
    printf("  %s\n", (const char *)user);
    return PLOY_OK;
}

// The troll as a mind: the variables are its own memory, an enemy comes by the keys of its board.
static ploy_result live(const troll *self, const ploy_env *env) {
    static const ploy_blackboard_key keys[] = {
        {"enemy", PLOY_VALUE_BOOL, {PLOY_VALUE_NONE, {0}}, "is seen"},
        {"tree", PLOY_VALUE_BOOL, {PLOY_VALUE_NONE, {0}}, "is near"}};
    static const ploy_function strike = {
        .name = "strike", .step = swing, .user = "strikes", .state_size = sizeof(int)};
    ploy_goap_agent_def def = ploy_goap_agent_def_default();
    ploy_blackboard_layout *layout = NULL;
    ploy_blackboard *board = NULL;
    ploy_goap_agent_type *type = NULL;
    ploy_behavior mind = {NULL, NULL};
    ploy_status status = PLOY_STATUS_RUNNING;
    ploy_result result = ploy_blackboard_layout_create(keys, 2, "troll", env, NULL, &layout);
    if (result == PLOY_OK) result = ploy_blackboard_create(layout, env, &board);
    if (result == PLOY_OK) {
        result = ploy_goap_agent_type_create(&def, self->domain, layout, env, &type);
    }
    if (result == PLOY_OK) {
        result = ploy_goap_agent_type_set_task(type, self->type,
                                               ploy_htn_type_find(self->type, "thump"));
    }
    if (result == PLOY_OK) {
        result = ploy_goap_agent_type_set_action(type, "strike", ploy_function_maker(&strike));
    }
    if (result == PLOY_OK) result = ploy_maker_make(ploy_goap_agent_type_maker(type), env, &mind);
    ploy_step_context context = ploy_step_context_make(ploy_agent_id_make(1, 1), board, 1.0f);
    if (result == PLOY_OK) {
        (void)ploy_blackboard_set_bool(board, ploy_blackboard_layout_find(layout, "enemy"), true);
        (void)ploy_blackboard_set_bool(board, ploy_blackboard_layout_find(layout, "tree"), true);
        result = ploy_behavior_enter(mind, &context);
    }
    for (int i = 0; i < 8 && result == PLOY_OK && status == PLOY_STATUS_RUNNING; i++) {
        result = ploy_behavior_step(mind, &context, &status);
        const int32_t *plan_of = NULL;
        int32_t place = 0, count = ploy_goap_agent_plan(ploy_goap_agent_of(mind), &plan_of, &place);
        if (place < count) {
            printf("next: %s\n", ploy_goap_type_action_id(self->domain, plan_of[place]));
        }
        ploy_step_context_next(&context);
    }
    printf("%s\n", ploy_status_text(status));
    if (mind.type != NULL) ploy_behavior_exit(mind, &context, PLOY_EXIT_FINISHED);
    ploy_behavior_destroy(mind);
    ploy_goap_agent_type_destroy(type);
    ploy_blackboard_destroy(board);
    ploy_blackboard_layout_destroy(layout);
    return result;
}

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_htn_def def = ploy_htn_def_default();
    ploy_htn *htn = NULL;
    troll self = {0};
    if (ploy_goap_type_create(&env, &self.domain) != PLOY_OK) return 1;
    self.enemy = ploy_goap_type_bool(self.domain, "enemy");
    self.tree = ploy_goap_type_bool(self.domain, "tree");
    self.club = ploy_goap_type_bool(self.domain, "club");
    self.bridge = ploy_goap_type_bool(self.domain, "at the bridge");
    add_action(&self, "uproot a tree", ploy_goap_is(self.tree, 1), ploy_goap_set_to(self.club, 1));
    add_action(&self, "strike", ploy_goap_is(self.club, 1), ploy_goap_set_to(self.enemy, 0));
    add_action(&self, "walk to the bridge", ploy_goap_is(self.bridge, 0),
               ploy_goap_set_to(self.bridge, 1));
    if (ploy_goap_type_finish(self.domain) != PLOY_OK ||
        ploy_htn_type_create(self.domain, &env, &self.type) != PLOY_OK ||
        add_recipes(&self) != PLOY_OK || ploy_htn_create(&def, self.type, &env, &htn) != PLOY_OK) {
        return 1;
    }
    int32_t record[8], count = plan(&self, htn, "empty bridge", false, true, record, 0);
    count = plan(&self, htn, "still empty", false, true, record, count);
    count = plan(&self, htn, "an enemy", true, true, record, count);
    (void)plan(&self, htn, "an enemy, and no tree left", true, false, record, 0);
    ploy_result lived = live(&self, &env);
    ploy_htn_destroy(htn);
    ploy_htn_type_destroy(self.type);
    ploy_goap_type_destroy(self.domain);
    return lived == PLOY_OK ? 0 : 1;
}
