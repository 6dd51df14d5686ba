// Any bytes as a sequence of calls on two blackboards, one inside the other, against a model that is
// nothing but arrays of values: reads, changes, lookups, watches and copies must agree.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "ploy/exec/blackboard.h"

enum { BOARD_KEYS = 6, BOARDS = 2 };

static void must(bool condition) {
    if (!condition) abort();
}

static const ploy_blackboard_key fuzz_keys[BOARDS][BOARD_KEYS] = {
    {{"flag", PLOY_VALUE_BOOL, {0}, NULL},
     {"count", PLOY_VALUE_I64, {0}, NULL},
     {"speed", PLOY_VALUE_F32, {0}, NULL},
     {"at", PLOY_VALUE_VEC2, {0}, NULL},
     {"mood", PLOY_VALUE_NAME, {0}, NULL},
     {"says", PLOY_VALUE_TEXT, {0}, NULL}},
    {{"count", PLOY_VALUE_I64, {0}, NULL},
     {"speed", PLOY_VALUE_F64, {0}, NULL},
     {"far", PLOY_VALUE_U64, {0}, NULL},
     {"who", PLOY_VALUE_ID, {0}, NULL},
     {"place", PLOY_VALUE_VEC3, {0}, NULL},
     {"flag", PLOY_VALUE_BOOL, {0}, NULL}},
};

typedef struct fuzz_model {
    ploy_value values[BOARD_KEYS];
    char text[64];
    uint64_t changes;
    uint32_t slots[BOARD_KEYS];
    uint32_t seen[BOARD_KEYS]; // of the model's own watch
} fuzz_model;

static ploy_value fuzz_zero(ploy_value_type type) {
    ploy_value value = ploy_value_none();
    memset(&value.as, 0, sizeof value.as);
    value.type = type;
    if (type == PLOY_VALUE_TEXT) value.as.text = "";
    return value;
}

// A value of any type out of two bytes.
static ploy_value fuzz_value(uint8_t kind, uint8_t byte, char text[64]) {
    static const float odd[] = {0.0f, -0.0f, 1.5f, 3.0f, 1e30f};
    float number = odd[byte % 5];
    switch (kind % 12) {
    case 0: return ploy_value_bool((byte & 1) != 0);
    case 1: return ploy_value_i64((int64_t)byte - 128);
    case 2: return ploy_value_u64(byte);
    case 3: return ploy_value_f32(number);
    case 4: return ploy_value_f64((double)number);
    case 5: return ploy_value_vec2(number, (float)byte);
    case 6: return ploy_value_vec3(number, 1, (float)byte);
    case 7: return ploy_value_id(ploy_id_make(byte, 1));
    case 8: return ploy_value_name(ploy_name_of(byte % 2 == 0 ? "grim" : "gay"));
    case 9:
        memset(text, 'x', byte % 64);
        text[byte % 64] = '\0';
        return ploy_value_text(text);
    default: break;
    }
    ploy_value nan = ploy_value_f32(0.0f);
    uint32_t bits = 0x7fc00000u;
    memcpy(&nan.as.f32, &bits, sizeof bits);
    return nan;
}

static void fuzz_write(fuzz_model *model, int32_t key, const ploy_value *value) {
    if (ploy_value_equal(&model->values[key], value)) return;
    model->values[key] = *value;
    if (value->type == PLOY_VALUE_TEXT) {
        strcpy(model->text, value->as.text);
        model->values[key].as.text = model->text;
    }
    model->changes++;
    model->slots[key]++;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    ploy_env env = ploy_env_default();
    ploy_blackboard_layout *layouts[BOARDS] = {NULL, NULL};
    ploy_blackboard *boards[BOARDS] = {NULL, NULL};
    fuzz_model models[BOARDS];
    ploy_blackboard_watch watches[BOARDS];
    ploy_slot slots[BOARD_KEYS];
    uint32_t seen[BOARDS][BOARD_KEYS];
    memset(models, 0, sizeof models);
    for (uint32_t i = 0; i < BOARD_KEYS; i++) slots[i].number = i + 1;
    for (int32_t i = 0; i < BOARDS; i++) {
        must(ploy_blackboard_layout_create(fuzz_keys[i], BOARD_KEYS, "fuzz", &env, NULL,
                                           &layouts[i]) == PLOY_OK);
        must(ploy_blackboard_create(layouts[i], &env, &boards[i]) == PLOY_OK);
        must(ploy_blackboard_watch_init(&watches[i], boards[i], slots, BOARD_KEYS, seen[i]) ==
             PLOY_OK);
        for (int32_t k = 0; k < BOARD_KEYS; k++) {
            models[i].values[k] = fuzz_zero(fuzz_keys[i][k].type);
        }
    }
    bool inside = false;
    for (size_t at = 0; at + 3 < size; at += 4) {
        int32_t which = bytes[at] & 1, key = bytes[at + 1] % BOARD_KEYS;
        fuzz_model *model = &models[which];
        ploy_blackboard *board = boards[which];
        switch ((bytes[at] >> 1) % 6) {
        case 0:
        case 1: {
            char text[64];
            ploy_value value = fuzz_value(bytes[at + 2], bytes[at + 3], text), fits;
            bool takes = ploy_value_convert(&value, fuzz_keys[which][key].type, &fits) == PLOY_OK;
            double number;
            if (takes && ploy_value_number(&fits, &number) && number != number) takes = false;
            must((ploy_blackboard_set(board, slots[key], &value) == PLOY_OK) == takes);
            if (takes) fuzz_write(model, key, &fits);
            break;
        }
        case 2:
            ploy_blackboard_reset(board);
            for (int32_t k = 0; k < BOARD_KEYS; k++) {
                ploy_value zero = fuzz_zero(fuzz_keys[which][k].type);
                fuzz_write(model, k, &zero);
            }
            break;
        case 3: {
            int32_t told = ploy_blackboard_watch_next(&watches[which], board, 0), want = -1;
            for (int32_t k = BOARD_KEYS - 1; k >= 0; k--) {
                if (model->seen[k] != model->slots[k]) want = k;
            }
            must(told == want);
            if (want >= 0) model->seen[want] = model->slots[want];
            break;
        }
        case 4: // board 0 lies in board 1, or not; the other way round would be a circle
            inside = (bytes[at + 2] & 1) != 0;
            must(ploy_blackboard_set_parent(boards[0], inside ? boards[1] : NULL) == PLOY_OK);
            must((ploy_blackboard_set_parent(boards[1], boards[0]) == PLOY_OK) == !inside);
            must(ploy_blackboard_set_parent(boards[1], NULL) == PLOY_OK);
            break;
        default: {
            const ploy_blackboard_key *wanted = &fuzz_keys[bytes[at + 2] & 1][key];
            ploy_blackboard_ref ref;
            int32_t found = -1, scope = which;
            ploy_value_type type = PLOY_VALUE_NONE;
            for (; scope < BOARDS && found < 0; scope++) {
                for (int32_t k = 0; k < BOARD_KEYS; k++) {
                    if (strcmp(fuzz_keys[scope][k].name, wanted->name) != 0) continue;
                    found = k;
                    type = fuzz_keys[scope][k].type;
                }
                if (found >= 0 || scope == 1 || !inside) break;
            }
            ploy_result result = ploy_blackboard_lookup(board, wanted->name, wanted->type, &ref);
            must(result == (found < 0              ? PLOY_ERR_NOT_FOUND
                            : type != wanted->type ? PLOY_ERR_ARGUMENT
                                                   : PLOY_OK));
            if (result == PLOY_OK) {
                must(ref.board == boards[scope] && ref.slot.number == (uint32_t)found + 1);
            }
            break;
        }
        }
        ploy_value value;
        must(ploy_blackboard_get(board, slots[key], &value) == PLOY_OK);
        must(ploy_value_equal(&value, &model->values[key]));
        must(ploy_blackboard_changes(board) == model->changes);
        must(ploy_blackboard_slot_changes(board, slots[key]) == model->slots[key]);
    }
    for (int32_t i = 0; i < BOARDS; i++) {
        ploy_blackboard_destroy(boards[i]);
        ploy_blackboard_layout_destroy(layouts[i]);
    }
    return 0;
}
