// A planner's world over a blackboard; see the header.
#include "goap_board.h"

#include <string.h>

static ploy_slot goap_board_slot(const ployi_goap_board *keys, int32_t var) {
    return PLOY_ARRAY_ITEMS(&keys->slots, ploy_slot)[var];
}

static const ployi_goap_var *goap_board_var(const ployi_goap_board *keys, int32_t var) {
    return &PLOY_ARRAY_ITEMS(&keys->domain->vars, ployi_goap_var)[var];
}

static const char *goap_board_id(const ployi_goap_board *keys, int32_t var) {
    return ployi_build_text(&keys->domain->build, goap_board_var(keys, var)->id);
}

ploy_result ployi_goap_board_init(ployi_goap_board *keys, const ploy_goap_type *domain,
                                  const ploy_blackboard_layout *layout, const ploy_env *env) {
    memset(keys, 0, sizeof *keys);
    ploy_array_init(&keys->slots, sizeof(ploy_slot), env);
    keys->domain = domain;
    keys->layout = layout;
    ploy_result result = ploy_array_resize(&keys->slots, domain->vars.count);
    for (int32_t i = 0; i < domain->vars.count && result == PLOY_OK && layout != NULL; i++) {
        ploy_slot slot = ploy_blackboard_layout_find(layout, goap_board_id(keys, i));
        ploy_value_type type = ploy_blackboard_layout_type(layout, slot);
        const ployi_goap_var *var = goap_board_var(keys, i);
        bool fits = type == PLOY_VALUE_I64 || type == PLOY_VALUE_U64 ||
                    (type == PLOY_VALUE_BOOL && var->choices < 0) ||
                    (type == PLOY_VALUE_NAME && var->choices >= 0) ||
                    ((type == PLOY_VALUE_F32 || type == PLOY_VALUE_F64) && var->choices < 0);
        if (!ploy_slot_is_none(slot) && !fits) {
            char text[160];
            const char *parts[] = {"the key '", goap_board_id(keys, i),
                                   "' has a type that its variable cannot have"};
            size_t used = 0;
            for (size_t k = 0; k < 3; k++) {
                for (const char *c = parts[k]; *c != '\0' && used + 1 < sizeof text; c++) {
                    text[used++] = *c;
                }
            }
            text[used] = '\0';
            ploy_env_log(env, PLOY_SEVERITY_ERROR, text);
            result = PLOY_ERR_ARGUMENT;
        }
        PLOY_ARRAY_ITEMS(&keys->slots, ploy_slot)[i] = slot;
    }
    if (result != PLOY_OK) ployi_goap_board_fini(keys);
    return result;
}

void ployi_goap_board_fini(ployi_goap_board *keys) {
    ploy_array_fini(&keys->slots);
}

static bool goap_board_knows(const ployi_goap_board *keys, const ploy_blackboard *board) {
    return board != NULL && keys->layout != NULL &&
           ploy_blackboard_layout_of(board) == keys->layout;
}

// A number on the board as a variable's value: rounded down, held within the range.
static int32_t goap_board_read(const ployi_goap_board *keys, const ploy_blackboard *board,
                               int32_t index) {
    const ployi_goap_var *var = goap_board_var(keys, index);
    ploy_slot slot = goap_board_slot(keys, index);
    if (ploy_blackboard_layout_type(keys->layout, slot) == PLOY_VALUE_NAME) {
        ploy_name name = ploy_blackboard_get_name(board, slot);
        for (int32_t i = var->min; i <= var->max; i++) {
            ploy_name text = PLOY_ARRAY_ITEMS(&keys->domain->texts, ploy_name)[var->choices + i];
            if (ploy_name_equal(text, name)) return i;
        }
        return var->min;
    }
    ploy_value value;
    double number = 0.0;
    if (ploy_blackboard_get(board, slot, &value) != PLOY_OK) return var->min;
    if (!ploy_value_number(&value, &number)) return var->min;
    if (!(number > (double)var->min)) return var->min;
    return number >= (double)var->max ? var->max : (int32_t)(number - (double)var->min) + var->min;
}

void ployi_goap_board_look(const ployi_goap_board *keys, const ploy_blackboard *board,
                           const uint64_t *memory, uint64_t *world) {
    memcpy(world, memory, (size_t)keys->domain->words * sizeof *world);
    if (!goap_board_knows(keys, board)) return;
    for (int32_t i = 0; i < keys->slots.count; i++) {
        if (ploy_slot_is_none(goap_board_slot(keys, i))) continue;
        ployi_goap_write(goap_board_var(keys, i), world, goap_board_read(keys, board, i));
    }
}

static ploy_result goap_board_write(const ployi_goap_board *keys, ploy_blackboard *board,
                                    int32_t index, int32_t value) {
    const ployi_goap_var *var = goap_board_var(keys, index);
    ploy_slot slot = goap_board_slot(keys, index);
    switch (ploy_blackboard_layout_type(keys->layout, slot)) {
    case PLOY_VALUE_BOOL: return ploy_blackboard_set_bool(board, slot, value != 0);
    case PLOY_VALUE_I64: return ploy_blackboard_set_i64(board, slot, value);
    case PLOY_VALUE_U64:
        return ploy_blackboard_set_u64(board, slot, value < 0 ? 0 : (uint64_t)value);
    case PLOY_VALUE_F32: return ploy_blackboard_set_f32(board, slot, (float)value);
    case PLOY_VALUE_F64: return ploy_blackboard_set_f64(board, slot, value);
    default:
        return ploy_blackboard_set_name(
            board, slot, PLOY_ARRAY_ITEMS(&keys->domain->texts, ploy_name)[var->choices + value]);
    }
}

ploy_result ployi_goap_board_do(const ployi_goap_board *keys, ploy_blackboard *board,
                                uint64_t *memory, int32_t action) {
    const ployi_goap_item *item =
        &PLOY_ARRAY_ITEMS(&keys->domain->actions, ployi_goap_item)[action];
    bool knows = goap_board_knows(keys, board);
    for (int32_t i = 0; i < item->gain_count; i++) {
        const ploy_goap_gain *gain =
            &PLOY_ARRAY_ITEMS(&keys->domain->gains, ploy_goap_gain)[item->first_gain + i];
        int32_t index = (int32_t)gain->var.number - 1;
        const ployi_goap_var *var = goap_board_var(keys, index);
        bool keyed = !ploy_slot_is_none(goap_board_slot(keys, index));
        if (keyed && !knows) continue;
        int32_t value = keyed ? goap_board_read(keys, board, index) : ployi_goap_read(var, memory);
        int32_t after = ployi_goap_after(var, gain, value);
        if (!keyed) {
            ployi_goap_write(var, memory, after);
        } else if (after != value) { // a fraction stays as it is
            ploy_result result = goap_board_write(keys, board, index, after);
            if (result != PLOY_OK) return result;
        }
    }
    return PLOY_OK;
}

static const char *goap_board_text(const void *user, uint32_t number) {
    const ployi_goap_board *keys = user;
    return number < (uint32_t)keys->slots.count ? goap_board_id(keys, (int32_t)number) : "";
}

void ployi_goap_board_visit(ploy_visit *v, const ployi_goap_board *keys, uint64_t *memory) {
    ploy_visit_table variables = {goap_board_text, NULL, keys, (uint32_t)keys->slots.count,
                                  "variable",      NULL};
    size_t size = (size_t)keys->domain->words * sizeof *memory;
    ploy_visit_scratch(v, memory, size); // bits
    ploy_visit_begin(v, "memory", PLOY_STATE);
    for (int32_t i = 0; i < keys->slots.count; i++) {
        const ployi_goap_var *var = goap_board_var(keys, i);
        int64_t value = 0;
        if (!ploy_slot_is_none(goap_board_slot(keys, i)) ||
            !ploy_visit_packed(v, goap_board_id(keys, i), PLOY_STATE, ployi_goap_read(var, memory),
                               var->min, var->max, &value)) {
            continue;
        }
        ploy_visit_write(v, memory, memory, size);
        if (ploy_visit_is_ok(v)) ployi_goap_write(var, memory, (int32_t)value);
    }
    ploy_visit_gone(v, &variables);
    ploy_visit_end(v);
}
