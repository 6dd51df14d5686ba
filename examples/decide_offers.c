// A hungry, tired character in two rooms: the objects around it offer the actions, and what is not
// there cannot be chosen. An empty fridge offers nothing. Shows ploy_gob_offers_ask and
// ploy_gob_offers_add before ploy_gob_choose; an offer of negative duration is refused.
#include <stdio.h>

#include "ploy/decide/gob.h"

enum { FRIDGE = 1, SOFA, BED };

typedef struct house {
    int meals; // left in the fridge
} house;

static ploy_result house_offer(void *user, ploy_id object, ploy_agent_id character,
                               ploy_gob_offers *out) {
    static const float eat[] = {-5, 0}, nap[] = {0, -2}, sleep[] = {0.5f, -6}; // hunger, tiredness
    const house *it = user;
    const ploy_gob_action actions[] = {{"eat a meal", eat, 0.5f, 0, object},
                                       {"take a nap", nap, 0.5f, 0, object},
                                       {"go to sleep", sleep, 8.0f, 0, object}};
    (void)character;
    if (object.index == FRIDGE && it->meals == 0) return PLOY_OK;
    return ploy_gob_offers_add(out, &actions[object.index - FRIDGE]);
}

int main(void) {
    const ploy_id room[] = {{FRIDGE, 1}, {SOFA, 1}}, all[] = {{FRIDGE, 1}, {SOFA, 1}, {BED, 1}};
    const struct {
        const char *what;
        const ploy_id *objects;
        int32_t count;
        int meals;
    } cases[] = {{"kitchen", room, 2, 1},
                 {"kitchen, empty fridge", room, 2, 0},
                 {"whole house, empty fridge", all, 3, 0},
                 {"a field", all, 0, 1}};
    ploy_env env = ploy_env_default();
    const ploy_motive motives[] = {ploy_motive_make("hunger", 6), ploy_motive_make("tired", 5)};
    ploy_gob_def def = ploy_gob_def_default();
    ploy_gob_offers offers;
    ploy_gob_offers_init(&offers, 2, &env);
    def.mode = PLOY_GOB_OVERALL;
    ploy_result result = PLOY_OK;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0] && result == PLOY_OK; i++) {
        house it = {cases[i].meals};
        int32_t count = 0;
        ploy_gob_offers_clear(&offers);
        result = ploy_gob_offers_ask(&offers, cases[i].objects, cases[i].count,
                                     ploy_agent_id_make(1, 1), house_offer, &it);
        const ploy_gob_action *actions = ploy_gob_offers_get(&offers, &count);
        int32_t best = ploy_gob_choose(&def, motives, 2, actions, count, NULL, NULL,
                                       ploy_agent_id_none(), NULL);
        printf("%s: offers %d, %s\n", cases[i].what, (int)count,
               best >= 0 ? actions[best].name : "nothing to do");
    }
    static const float none[] = {0, 0};
    const ploy_gob_action past = {"go back in time", none, -1.0f, 0, {0, 0}};
    printf("a negative duration: %s\n", ploy_result_text(ploy_gob_offers_add(&offers, &past)));
    ploy_gob_offers_fini(&offers);
    return result == PLOY_OK ? 0 : 1;
}
