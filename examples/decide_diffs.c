// A courier plans in her head, without touching the game: you see plans tried on top of the
// game's own struct, what each would change, and that she takes the bridge because she does not know
// of the troll under it. Shows ploy_goap_diffs: a world model as differences from the game's state.
#include <stdio.h>

#include "ploy/decide/goap_diffs.h"

typedef struct game {
    int32_t gold, letters;
    int32_t across, troll; // over the river; a troll is under the bridge
} game;

typedef struct courier {
    const game *state;
    bool knows_troll;
} courier;

static const char *const names[] = {"gold", "letters", "across", "troll"};

// What she believes: the game's state, but for a troll that she has not seen.
static int32_t read(void *user, const ploy_goap_type *type, ploy_goap_var var) {
    const courier *self = user;
    const int32_t values[] = {self->state->gold, self->state->letters, self->state->across,
                              self->knows_troll ? self->state->troll : 0};
    (void)type;
    return values[var.number - 1];
}

static void add(ploy_goap_type *type, const char *id, ploy_goap_need need, ploy_goap_need and_need,
                ploy_goap_gain gain, ploy_goap_gain also) {
    ploy_goap_need needs[] = {need, and_need};
    ploy_goap_gain gains[] = {gain, also};
    ploy_goap_action action = ploy_goap_action_make(id, 1.0);
    action.needs = needs;
    action.need_count = 2;
    action.gains = gains;
    action.gain_count = 2;
    (void)ploy_goap_type_action(type, &action); // finish reports faults
}

enum { DEPTH = 3 };

typedef struct search {
    ploy_goap_diffs *models[DEPTH + 1]; // the world after 0, 1, 2 ... actions
    int32_t actions[DEPTH], best[DEPTH], best_count, best_gold;
    ploy_goap_var gold;
} search;

// Depth first: the most gold within DEPTH actions. No world is imagined twice on a path.
static ploy_result look(search *self, int32_t depth) {
    ploy_goap_diffs *here = self->models[depth];
    if (ploy_goap_diffs_get(here, self->gold) > self->best_gold) {
        self->best_gold = ploy_goap_diffs_get(here, self->gold);
        self->best_count = depth;
        for (int32_t i = 0; i < depth; i++) self->best[i] = self->actions[i];
    }
    ploy_result result = PLOY_OK;
    for (int32_t a = -1; depth < DEPTH && result == PLOY_OK;) {
        ploy_goap_diffs *next = self->models[depth + 1];
        a = ploy_goap_diffs_next(here, a);
        if (a < 0) break;
        self->actions[depth] = a;
        result = ploy_goap_diffs_copy(next, here);
        if (result == PLOY_OK) result = ploy_goap_diffs_apply(next, a);
        bool known = false;
        for (int32_t i = 0; i <= depth && !known; i++) {
            known = ploy_goap_diffs_hash(next) == ploy_goap_diffs_hash(self->models[i]) &&
                    ploy_goap_diffs_same(next, self->models[i]);
        }
        if (result == PLOY_OK && !known) result = look(self, depth + 1);
    }
    return result;
}

// Prints the best plan, what it would change, and whether it is possible in the real game.
static ploy_result imagine(search *self, const ploy_goap_type *type, const uint64_t *real) {
    ploy_goap_diffs *model = self->models[0];
    uint64_t scratch[2];
    self->best_gold = self->best_count = 0;
    ploy_result result = look(self, 0);
    for (int32_t i = 0; i < self->best_count && result == PLOY_OK; i++) {
        printf("  %s\n", ploy_goap_type_action_id(type, self->best[i]));
        result = ploy_goap_diffs_apply(model, self->best[i]);
    }
    int32_t count = 0;
    const ploy_goap_difference *list = ploy_goap_diffs_list(model, &count);
    for (int32_t i = 0; i < count; i++) {
        printf("  then %s = %d\n", names[list[i].var.number - 1], (int)list[i].value);
    }
    int32_t fails =
        ploy_goap_plan_check(type, real, NULL, 0, self->best, self->best_count, scratch, NULL);
    printf("  %s\n", fails < 0 ? "which works" : "which fails in the real game");
    return result;
}

int main(void) {
    ploy_env env = ploy_env_default();
    game state = {5, 1, 0, 1};
    courier ann = {&state, false};
    ploy_goap_type *type = NULL;
    if (ploy_goap_type_create(&env, &type) != PLOY_OK) return 1;
    ploy_goap_var gold = ploy_goap_type_int(type, names[0], 0, 99);
    ploy_goap_var letters = ploy_goap_type_int(type, names[1], 0, 9);
    ploy_goap_var across = ploy_goap_type_bool(type, names[2]);
    ploy_goap_var troll = ploy_goap_type_bool(type, names[3]);
    ploy_goap_need here = ploy_goap_is(across, 0), safe = ploy_goap_is(troll, 0);
    ploy_goap_need any = ploy_goap_need_make(letters, PLOY_GOAP_AT_LEAST, 1);
    add(type, "deliver", ploy_goap_is(across, 1), any, ploy_goap_add_to(letters, -1),
        ploy_goap_add_to(gold, 3));
    add(type, "bridge", here, safe, ploy_goap_set_to(across, 1), ploy_goap_add_to(gold, 0));
    add(type, "ferry", here, here, ploy_goap_set_to(across, 1), ploy_goap_add_to(gold, -2));
    ploy_goap_source source = {read, &ann};
    search plan = {.gold = gold};
    uint64_t real[1];
    ploy_result result = ploy_goap_type_finish(type);
    for (int32_t i = 0; i <= DEPTH && result == PLOY_OK; i++) {
        result = ploy_goap_diffs_create(type, &source, &env, &plan.models[i]);
    }
    static const char *const heads[] = {
        "as she believes:", "when she knows of the troll:", "and if there were two letters:"};
    for (int32_t i = 0; i < 3 && result == PLOY_OK; i++) {
        printf("%s\n", heads[i]);
        ploy_goap_diffs_clear(plan.models[0]);
        if (i == 2) result = ploy_goap_diffs_set(plan.models[0], letters, 2);
        ann.knows_troll = true;
        ploy_goap_diffs_pack(plan.models[0], real); // with all that is true
        ann.knows_troll = i > 0;
        if (result == PLOY_OK) result = imagine(&plan, type, real);
    }
    printf("the game: gold %d, letters %d, across %d\n", state.gold, state.letters, state.across);
    for (int32_t i = 0; i <= DEPTH; i++) ploy_goap_diffs_destroy(plan.models[i]);
    ploy_goap_type_destroy(type);
    return result == PLOY_OK ? 0 : 1;
}
