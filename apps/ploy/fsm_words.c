// Stand-ins for machines; see the header.
#include "apps/ploy/fsm_words.h"

#include <string.h>

#include "ploy/base/array.h"
#include "ploy/base/name.h"

typedef struct fsm_call {
    const char *name;
    ploy_slot slot;
    const fsm_words *words;
} fsm_call;

static bool fsm_call_test(void *user, const ploy_moment *moment, const float *args) {
    const fsm_call *call = user;
    (void)moment, (void)args;
    return ploy_blackboard_get_f64(call->words->board, call->slot) != 0.0;
}

static ploy_result fsm_act(void *user, const ploy_hsm_turn *turn) {
    (void)user, (void)turn;
    return PLOY_OK;
}

static int32_t fsm_words_key(const fsm_words *words, const char *name) {
    for (int32_t i = 0; i < words->keys.count; i++) {
        if (strcmp(PLOY_ARRAY_ITEMS(&words->keys, ploy_blackboard_key)[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

// A copy: the names of conditions are valid during the call only.
static const char *fsm_words_keep(fsm_words *words, const char *name) {
    size_t size = strlen(name) + 1;
    char *kept = ploy_env_alloc(&words->env, size);
    if (kept != NULL) memcpy(kept, name, size);
    return kept;
}

static ploy_result fsm_words_use(void *user, ploy_machine_use use, const char *name,
                                 int32_t count) {
    fsm_words *words = user;
    if (use == PLOY_MACHINE_USES_ACTION) {
        for (int32_t i = 0; i < words->actions.count; i++) {
            const ploy_machine_action *known =
                &PLOY_ARRAY_ITEMS(&words->actions, ploy_machine_action)[i];
            if (strcmp(known->name, name) == 0) return PLOY_OK;
        }
        ploy_machine_action action = {name, fsm_act, NULL};
        ploy_machine_work work;
        memset(&work, 0, sizeof work);
        work.name = name;
        ploy_result result = ploy_array_push(&words->actions, &action);
        return result == PLOY_OK ? ploy_array_push(&words->works, &work) : result;
    }
    if (fsm_words_key(words, name) >= 0) return PLOY_OK; // the first use counts
    ploy_blackboard_key key;
    memset(&key, 0, sizeof key);
    key.name = fsm_words_keep(words, name);
    if (key.name == NULL) return PLOY_ERR_MEMORY;
    key.type = use == PLOY_MACHINE_USES_TEXT ? PLOY_VALUE_NAME : PLOY_VALUE_F64;
    ploy_result result = ploy_array_push(&words->keys, &key);
    if (result != PLOY_OK || use != PLOY_MACHINE_USES_CALL) return result;
    fsm_call call = {key.name, ploy_slot_none(), words};
    ploy_word test = {key.name, fsm_call_test, NULL, NULL, count};
    result = ploy_array_push(&words->calls, &call);
    return result == PLOY_OK ? ploy_array_push(&words->tests, &test) : result;
}

ploy_result fsm_words_init(fsm_words *words, const ploy_machine *machine, const ploy_env *env) {
    memset(words, 0, sizeof *words);
    words->env = *env;
    ploy_array_init(&words->keys, sizeof(ploy_blackboard_key), env);
    ploy_array_init(&words->calls, sizeof(fsm_call), env);
    ploy_array_init(&words->tests, sizeof(ploy_word), env);
    ploy_array_init(&words->actions, sizeof(ploy_machine_action), env);
    ploy_array_init(&words->works, sizeof(ploy_machine_work), env);
    ploy_result result = ploy_machine_uses(machine, fsm_words_use, words);
    if (result == PLOY_OK) {
        result =
            ploy_blackboard_layout_create(PLOY_ARRAY_ITEMS(&words->keys, ploy_blackboard_key),
                                          words->keys.count, "machine", env, NULL, &words->layout);
    }
    if (result == PLOY_OK) result = ploy_blackboard_create(words->layout, env, &words->board);
    if (result != PLOY_OK) return result;
    for (int32_t i = 0; i < words->calls.count; i++) {
        fsm_call *call = &PLOY_ARRAY_ITEMS(&words->calls, fsm_call)[i];
        call->slot = ploy_blackboard_layout_find(words->layout, call->name);
        PLOY_ARRAY_ITEMS(&words->tests, ploy_word)[i].user = call;
    }
    words->words.layout = words->layout;
    words->words.tests = PLOY_ARRAY_ITEMS(&words->tests, ploy_word);
    words->words.test_count = words->tests.count;
    words->words.actions = PLOY_ARRAY_ITEMS(&words->actions, ploy_machine_action);
    words->words.action_count = words->actions.count;
    // A flat machine runs works; in a chart an action of the same name would be hidden by one.
    if (ploy_machine_is_flat(machine)) {
        words->words.works = PLOY_ARRAY_ITEMS(&words->works, ploy_machine_work);
        words->words.work_count = words->works.count;
    }
    return PLOY_OK;
}

void fsm_words_fini(fsm_words *words) {
    ploy_blackboard_destroy(words->board);
    ploy_blackboard_layout_destroy(words->layout);
    for (int32_t i = 0; i < words->keys.count; i++) {
        const char *name = PLOY_ARRAY_ITEMS(&words->keys, ploy_blackboard_key)[i].name;
        ploy_env_free(&words->env, (void *)(uintptr_t)name, strlen(name) + 1);
    }
    ploy_array_fini(&words->keys);
    ploy_array_fini(&words->calls);
    ploy_array_fini(&words->tests);
    ploy_array_fini(&words->actions);
    ploy_array_fini(&words->works);
}

int fsm_words_set(fsm_words *words, const char *text) {
    char name[PLOY_BLACKBOARD_NAME_MAX + 1];
    size_t size = strcspn(text, "=");
    if (size == 0 || size >= sizeof name) return cli_error("expected KEY=VALUE, found", text);
    memcpy(name, text, size);
    name[size] = '\0';
    const char *given = text[size] == '=' ? text + size + 1 : "true";
    ploy_slot slot = ploy_blackboard_layout_find(words->layout, name);
    if (ploy_slot_is_none(slot)) {
        return cli_error("unknown name, not used by any condition:", name);
    }
    ploy_value value, flag;
    ploy_value_type type = ploy_blackboard_layout_type(words->layout, slot);
    ploy_result result = PLOY_OK;
    if (type == PLOY_VALUE_NAME) {
        result = ploy_blackboard_set_name(words->board, slot, ploy_name_of(given));
    } else if (ploy_value_parse(PLOY_VALUE_BOOL, given, &flag) == PLOY_OK) {
        result = ploy_blackboard_set_f64(words->board, slot, flag.as.b ? 1.0 : 0.0);
    } else {
        result = ploy_value_parse(PLOY_VALUE_F64, given, &value);
        if (result == PLOY_OK) result = ploy_blackboard_set(words->board, slot, &value);
    }
    return result == PLOY_OK ? -1 : cli_error("expected a number, true or false, found", given);
}
