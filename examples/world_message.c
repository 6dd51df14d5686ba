// Send a delayed message: a cook puts a stew into the oven, reminds herself when it will be ready,
// and calls a miner to the table, who may have left by then; on a holiday she calls all miners at once.
// Prints who hears what and when, and what became of every telegram. Shows ploy_entities and ploy_telegrams.
#include <stdio.h>

#include "ploy/world/telegram.h"

typedef struct kitchen {
    ploy_entities *entities;
    ploy_telegrams *telegrams;
    ploy_agent_id miner, cook;
} kitchen;

// The cook hears that the miner is home: the stew goes in, and she will remind herself.
static ploy_result cook_hears(kitchen *k, const ploy_message *message, bool *handled) {
    *handled = true;
    double now = ploy_telegrams_now(k->telegrams);
    if (ploy_name_equal(message->kind, ploy_name_of("home"))) {
        printf("%.1f s: the cook puts the stew in\n", now);
        return ploy_telegrams_remind(k->telegrams, k->cook, ploy_name_of("ready"), 1.5, NULL);
    }
    printf("%.1f s: the stew is ready\n", now);
    ploy_message call = ploy_message_make(k->cook, k->miner, ploy_name_of("eat"));
    ploy_result result = ploy_telegrams_send(k->telegrams, &call, 0, NULL);
    printf("%.1f s: the cook calls: %s\n", now, ploy_result_text(result));
    return PLOY_OK;
}

// Receives the telegrams of all characters.
static ploy_result receive(void *user, const ploy_message *message, bool *handled) {
    kitchen *k = user;
    if (ploy_id_equal(message->receiver.id, k->cook.id)) return cook_hears(k, message, handled);
    printf("%.1f s: the miner eats\n", ploy_telegrams_now(k->telegrams));
    *handled = true;
    return PLOY_OK;
}

// One evening; in some the miner leaves for the mine before the stew is ready.
static ploy_result evening(kitchen *k, bool leaves) {
    ploy_entity miner = ploy_entity_make(ploy_name_of("miner"));
    ploy_result result = ploy_entities_add(k->entities, &miner, &k->miner);
    if (result != PLOY_OK) return result;
    ploy_message home = ploy_message_make(k->miner, k->cook, ploy_name_of("home"));
    double start = ploy_telegrams_now(k->telegrams);
    result = ploy_telegrams_send(k->telegrams, &home, 0, NULL);
    for (int tick = 1; tick <= 4 && result == PLOY_OK; tick++) {
        if (leaves && tick == 2) ploy_entities_remove(k->entities, k->miner);
        result = ploy_telegrams_step(k->telegrams, start + tick * 0.5, NULL, NULL, NULL);
    }
    ploy_entities_remove(k->entities, k->miner); // in the morning at the latest
    return result;
}

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_entities_def people = ploy_entities_def_default();
    ploy_telegrams_def def = ploy_telegrams_def_default();
    kitchen k = {NULL, NULL, {{0, 0}}, {{0, 0}}};
    ploy_entity cook = ploy_entity_make(ploy_name_of("cook"));
    if (ploy_entities_create(&people, &env, &k.entities) != PLOY_OK ||
        ploy_telegrams_create(&def, &env, &k.telegrams) != PLOY_OK ||
        ploy_telegrams_set_entities(k.telegrams, k.entities) != PLOY_OK ||
        ploy_entities_add(k.entities, &cook, &k.cook) != PLOY_OK) {
        return 1;
    }
    ploy_telegrams_set_receiver(k.telegrams, receive, &k);
    ploy_result result = evening(&k, false);
    if (result == PLOY_OK) result = evening(&k, true);
    int32_t called = 0;
    ploy_message all = ploy_message_make(k.cook, ploy_agent_id_none(), ploy_name_of("eat"));
    for (int i = 0; i < 2; i++) {
        ploy_entity miner = ploy_entity_make(ploy_name_of("miner"));
        (void)ploy_entities_add(k.entities, &miner, &k.miner);
    }
    if (result == PLOY_OK) {
        result = ploy_telegrams_send_type(k.telegrams, &all, 0, ploy_name_of("miner"), &called);
    }
    printf("a holiday: the cook calls all miners, %d are at home\n", (int)called);
    ploy_telegram_life life;
    for (int age = ploy_telegrams_life_count(k.telegrams) - 1; age >= 0; age--) {
        ploy_telegrams_life(k.telegrams, age, &life);
        printf("telegram %d, sent at %.1f, ended at %.1f: %s\n", (int)life.order, life.sent,
               life.ended, ploy_telegram_fate_text(life.fate));
    }
    ploy_telegrams_destroy(k.telegrams);
    ploy_entities_destroy(k.entities);
    return result == PLOY_OK ? 0 : 1;
}
