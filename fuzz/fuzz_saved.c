// Any bytes as a saved mind: whatever they are, a mind of each kind takes up what means something
// to it, says what it lost, and lives on. The first byte chooses the kind.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "ploy/decide/goal_moves.h"
#include "ploy/decide/hsm.h"
#include "ploy/decide/markov.h"
#include "ploy/decide/utility.h"

static void must(bool condition) {
    if (!condition) abort();
}

typedef struct saved_mind {
    ploy_env env;
    ploy_blackboard_layout *layout;
    ploy_hsm_type *type;
    ploy_behavior behavior;
} saved_mind;

// A chart of both kinds of history, regions, events for later, with a mind inside.
static void saved_chart(saved_mind *mind, bool levels, ploy_maker inside) {
    static const struct {
        const char *id, *parent;
        ploy_hsm_kind kind;
    } rows[] = {{"work", "", PLOY_HSM_STATE},
                {"dig", "work", PLOY_HSM_STATE},
                {"carry", "work", PLOY_HSM_STATE},
                {"last", "work", PLOY_HSM_HISTORY},
                {"deep", "work", PLOY_HSM_DEEP_HISTORY},
                {"rest", "", PLOY_HSM_PARALLEL},
                {"eat", "rest", PLOY_HSM_STATE},
                {"sing", "rest", PLOY_HSM_STATE}};
    ploy_hsm_def def = ploy_hsm_def_default();
    if (levels) def.policy = PLOY_HSM_KEEP_INNER;
    def.queue = 4;
    ploy_hsm_type *type = NULL;
    must(ploy_hsm_type_create(&def, mind->layout, &mind->env, &type) == PLOY_OK);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (levels && rows[i].kind >= PLOY_HSM_HISTORY) continue;
        (void)ploy_hsm_type_state(type, rows[i].id, ploy_hsm_type_find(type, rows[i].parent),
                                  levels ? PLOY_HSM_STATE : rows[i].kind, NULL,
                                  i % 2 == 1 ? inside : ploy_maker_none());
    }
    ploy_hsm_op send = {PLOY_HSM_OP_SEND, "late", "call", 2.0, {0}, NULL, NULL};
    ploy_hsm_content content = ploy_hsm_type_content(type, &send, 1);
    ploy_hsm_state rest = ploy_hsm_type_find(type, "rest"), work = ploy_hsm_type_find(type, "work");
    (void)ploy_hsm_type_set_content(type, rest, PLOY_HSM_ON_ENTER, content);
    ploy_hsm_state back = ploy_hsm_type_find(type, levels ? "carry" : "last");
    ploy_hsm_rule rules[] = {ploy_hsm_rule_make("a", work, "late", &rest),
                             ploy_hsm_rule_make("b", rest, "*", &back)};
    for (size_t i = 0; i < 2; i++) (void)ploy_hsm_type_add(type, &rules[i]);
    must(ploy_hsm_type_finish(type) == PLOY_OK);
    ploy_hsm *hsm = NULL;
    must(ploy_hsm_create(type, NULL, &mind->env, &hsm) == PLOY_OK);
    mind->type = type;
    mind->behavior = ploy_hsm_behavior(hsm);
}

static ploy_utility_type *saved_choices(const saved_mind *mind, ploy_maker inside) {
    ploy_utility_def def = ploy_utility_def_default();
    ploy_utility_type *type = NULL;
    must(ploy_utility_type_create(&def, mind->layout, &mind->env, &type) == PLOY_OK);
    for (int32_t i = 0; i < 2; i++) {
        ploy_utility_option option =
            ploy_utility_type_option(type, i == 0 ? "eat" : "fight", 1.0f, inside);
        ploy_score x = ploy_score_key(ploy_utility_type_conditions(type), "x");
        (void)ploy_utility_type_consider(type, option, x, 0.0f, 1.0f,
                                         ploy_curve_linear(1.0f, 0.5f));
    }
    must(ploy_utility_type_finish(type) == PLOY_OK);
    return type;
}

static ploy_markov_type *saved_numbers(const saved_mind *mind) {
    static const double matrix[4] = {0.5, 0.5, 0.25, 0.75};
    ploy_markov_def def = ploy_markov_def_default();
    def.count = 2;
    def.reset_steps = 2;
    def.max = 100.0;
    def.min = -100.0;
    ploy_markov_type *type = NULL;
    must(ploy_markov_type_create(&def, mind->layout, &mind->env, &type) == PLOY_OK);
    (void)ploy_markov_type_name(type, 0, "safe");
    (void)ploy_markov_type_set_default(type, matrix);
    must(ploy_markov_type_finish(type) == PLOY_OK);
    return type;
}

static ploy_vec2 saved_position(void *user) {
    (void)user;
    return ploy_vec2_make(1.0f, 2.0f);
}

static ploy_result saved_request(void *user, const ploy_path_request *request,
                                 ploy_path_ticket *out) {
    (void)user, (void)request;
    out->id.index = 1;
    out->id.generation = 1;
    return PLOY_OK;
}

static ploy_result saved_poll(void *user, ploy_path_ticket ticket, ploy_path *path,
                              ploy_path_outcome *outcome) {
    (void)user, (void)ticket, (void)path;
    *outcome = PLOY_PATH_OPEN;
    return PLOY_OK;
}

static ploy_result saved_cancel(void *user, ploy_path_ticket ticket) {
    (void)user, (void)ticket;
    return PLOY_OK;
}

static ploy_result saved_work(void *user, ploy_budget *budget) {
    (void)user, (void)budget;
    return PLOY_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    static const ploy_blackboard_key keys[] = {{"x", PLOY_VALUE_F32, {0}, NULL}};
    if (size == 0) return 0;
    saved_mind mind;
    memset(&mind, 0, sizeof mind);
    mind.env = ploy_env_default();
    mind.env.log = NULL;
    must(ploy_blackboard_layout_create(keys, 1, "fuzz", &mind.env, NULL, &mind.layout) == PLOY_OK);
    ploy_markov_type *numbers = saved_numbers(&mind);
    ploy_utility_type *choices = saved_choices(&mind, ploy_markov_type_maker(numbers));
    ploy_path_service service = {saved_request, saved_poll, saved_cancel, saved_work,
                                 NULL,          NULL,       NULL,         NULL};
    ploy_goal_mover mover = ploy_goal_mover_make(&service, &mind.env);
    mover.position = saved_position;
    if (bytes[0] % 4 == 3) {
        ploy_goals_def def = ploy_goals_def_default();
        def.capacity = 8;
        ploy_goals *goals = NULL;
        must(ploy_goals_create(&def, &mover, &mind.env, &goals) == PLOY_OK);
        must(ploy_goal_moves_register(goals) == PLOY_OK);
        mind.behavior = ploy_goals_behavior(goals);
    } else if (bytes[0] % 4 == 2) {
        must(ploy_maker_make(ploy_utility_type_maker(choices), &mind.env, &mind.behavior) ==
             PLOY_OK);
    } else {
        saved_chart(&mind, bytes[0] % 4 == 1, ploy_utility_type_maker(choices));
    }
    ploy_diags *diags = NULL;
    ploy_json *doc = NULL;
    must(ploy_diags_create(8, &mind.env, &diags) == PLOY_OK);
    ploy_json_def def = ploy_json_def_default();
    if (ploy_json_load(bytes + 1, size - 1, "fuzz", &def, &mind.env, NULL, &doc) == PLOY_OK) {
        ploy_step_context context = ploy_step_context_make(ploy_agent_id_none(), NULL, 0.5f);
        must(ploy_blackboard_create(mind.layout, &mind.env, &context.blackboard) == PLOY_OK);
        ploy_result result =
            ploy_behavior_load(mind.behavior, &context, doc, ploy_json_root(doc), diags);
        for (; context.tick < 6 && result == PLOY_OK; context.tick++) {
            ploy_status status = PLOY_STATUS_RUNNING;
            context.now += 0.5;
            result = ploy_behavior_step(mind.behavior, &context, &status);
            if (status != PLOY_STATUS_RUNNING) break;
        }
        ploy_behavior_exit(mind.behavior, &context, PLOY_EXIT_REMOVED);
        ploy_blackboard_destroy(context.blackboard);
    }
    ploy_json_destroy(doc);
    ploy_diags_destroy(diags);
    ploy_behavior_destroy(mind.behavior);
    ploy_hsm_type_destroy(mind.type);
    ploy_utility_type_destroy(choices);
    ploy_markov_type_destroy(numbers);
    ploy_blackboard_layout_destroy(mind.layout);
    return 0;
}
