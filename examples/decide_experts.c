// A tank crew around a blackboard: one finds targets, one moves, one knows ballistics and must agree
// before the crew fires. Shows experts, insistence and agreement.
#include <stdio.h>
#include <string.h>

#include "ploy/decide/experts.h"

typedef struct crew {
    ploy_slot target, distance;
    int32_t shot, ballistics;
} crew;

static void spotter_works(const ploy_expert_turn *turn) {
    crew *self = turn->user;
    (void)ploy_blackboard_set_i64(turn->board, self->target, 15);
    ploy_expert_action fire = {ploy_name_of("fire"), 15};
    (void)ploy_experts_propose(turn->experts, fire, 1u << self->ballistics, &self->shot);
}
static void driver_works(const ploy_expert_turn *turn) {
    const crew *self = turn->user;
    float now = ploy_blackboard_get_f32(turn->board, self->distance);
    (void)ploy_blackboard_set_f32(turn->board, self->distance, now - 200.0f);
}
static float shot_proposed(void *user, const ploy_moment *moment, const float *args) {
    (void)moment, (void)args;
    return ((const crew *)user)->shot != 0 ? 1.0f : 0.0f;
}
static void gunner_works(const ploy_expert_turn *turn) {
    crew *self = turn->user;
    (void)ploy_experts_agree(turn->experts, self->shot, self->ballistics);
    self->shot = 0;
}

int main(void) {
    static const ploy_blackboard_key keys[] = {
        {"target", PLOY_VALUE_I64, {PLOY_VALUE_NONE, {0}}, "the tank we aim at"},
        {"distance", PLOY_VALUE_F32, {PLOY_VALUE_NONE, {0}}, "to it, in metres"},
    };
    static const struct {
        const char *name, *insists;
        void (*works)(const ploy_expert_turn *turn);
    } rows[] = {{"spotter", "target == 0", spotter_works},
                {"driver", "distance > 500 ? 0.5 : 0", driver_works},
                {"gunner", "shot && distance <= 500 ? 0.9 : 0", gunner_works}};
    ploy_env env = ploy_env_default();
    ploy_blackboard_layout *layout = NULL;
    ploy_blackboard *board = NULL;
    ploy_experts_type *type = NULL;
    ploy_experts *experts = NULL;
    if (ploy_blackboard_layout_create(keys, 2, "tank", &env, NULL, &layout) != PLOY_OK) return 1;
    if (ploy_blackboard_create(layout, &env, &board) != PLOY_OK) return 1;
    crew self = {ploy_blackboard_layout_find(layout, "target"),
                 ploy_blackboard_layout_find(layout, "distance"), 0, 0};
    (void)ploy_blackboard_set_f32(board, self.distance, 900.0f);
    ploy_experts_def def = ploy_experts_def_default();
    def.user = &self;
    if (ploy_experts_type_create(&def, layout, &env, &type) != PLOY_OK) return 1;
    ploy_conditions *set = ploy_experts_type_conditions(type);
    const ploy_word shot = {.name = "shot", .score = shot_proposed, .user = &self};
    (void)ploy_conditions_register_words(set, &shot, 1); // finish returns the first fault
    for (int i = 0; i < 3; i++) {
        ploy_expert expert = ploy_expert_make(rows[i].name);
        expert.insistence = ploy_score_text(set, rows[i].insists);
        expert.run = rows[i].works;
        (void)ploy_experts_type_add(type, &expert, &self.ballistics);
    }
    if (ploy_experts_type_finish(type) != PLOY_OK) return 1;
    if (ploy_experts_create(type, &env, &experts) != PLOY_OK) return 1;
    ploy_step_context context = ploy_step_context_make(ploy_agent_id_make(0, 1), board, 0.1f);
    for (int32_t who; (who = ploy_experts_step(experts, &context, NULL)) >= 0;) {
        printf("%s works\n", ploy_experts_type_name(type, who));
        ploy_expert_action action;
        while (ploy_experts_take(experts, &action)) printf("fire at %d\n", (int)action.subject);
    }
    ploy_experts_destroy(experts);
    ploy_experts_type_destroy(type);
    ploy_blackboard_destroy(board);
    ploy_blackboard_layout_destroy(layout);
    return 0;
}
