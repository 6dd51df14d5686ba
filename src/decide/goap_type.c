// The planner's domain and its worlds; described in the header.
//
// Invariants of a finished type:
//   (1) a variable's bits lie in one word, and unused bits of a world are 0, so that equal worlds
//       are equal words;
//   (2) an action's needs are its bit tests and its ranges together;
//   (3) gains of one action are of different variables.
#include "goap_internal.h"

#include "decide/decide_internal.h"

#include <math.h>
#include <string.h>

static uint64_t goap_key(ploy_name name, bool action) {
    // Variables and actions may have the same id.
    return action ? name.hash ^ UINT64_C(0x9e3779b97f4a7c15) : name.hash;
}

ploy_goap_need ploy_goap_need_make(ploy_goap_var var, ploy_goap_test test, int32_t value) {
    ploy_goap_need need = {var, test, value};
    return need;
}

ploy_goap_need ploy_goap_is(ploy_goap_var var, int32_t value) {
    return ploy_goap_need_make(var, PLOY_GOAP_EQUAL, value);
}

ploy_goap_gain ploy_goap_set_to(ploy_goap_var var, int32_t value) {
    ploy_goap_gain gain = {var, false, value};
    return gain;
}

ploy_goap_gain ploy_goap_add_to(ploy_goap_var var, int32_t value) {
    ploy_goap_gain gain = {var, true, value};
    return gain;
}

ploy_goap_action ploy_goap_action_make(const char *id, double cost) {
    ploy_goap_action action = {id, NULL, 0, NULL, 0, cost, NULL, NULL, NULL};
    return action;
}

ploy_result ploy_goap_type_create(const ploy_env *env, ploy_goap_type **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_goap_type *type = ploy_env_alloc_zero(env, sizeof *type);
    if (type == NULL) return PLOY_ERR_MEMORY;
    ploy_result result = ployi_build_init(&type->build, env);
    if (result != PLOY_OK) {
        ploy_env_free(env, type, sizeof *type);
        return result;
    }
    ploy_map_init(&type->index, sizeof(int32_t), env);
    ploy_array_init(&type->vars, sizeof(ployi_goap_var), env);
    ploy_array_init(&type->actions, sizeof(ployi_goap_item), env);
    ploy_array_init(&type->needs, sizeof(ploy_goap_need), env);
    ploy_array_init(&type->gains, sizeof(ploy_goap_gain), env);
    ploy_array_init(&type->bits, sizeof(ployi_goap_bits), env);
    ploy_array_init(&type->ranges, sizeof(ploy_goap_need), env);
    ploy_array_init(&type->texts, sizeof(ploy_name), env);
    type->used = 64; // the first variable opens the first word
    *out = type;
    return PLOY_OK;
}

void ploy_goap_type_destroy(ploy_goap_type *type) {
    if (type == NULL) return;
    ploy_env env = type->build.env;
    ploy_map_fini(&type->index);
    ploy_array_fini(&type->vars);
    ploy_array_fini(&type->actions);
    ploy_array_fini(&type->needs);
    ploy_array_fini(&type->gains);
    ploy_array_fini(&type->bits);
    ploy_array_fini(&type->ranges);
    ploy_array_fini(&type->texts);
    ployi_build_fini(&type->build);
    ploy_env_free(&env, type, sizeof *type);
}

// Takes an id for a variable or an action. @return none after a fault.
static ploy_name goap_take_id(ploy_goap_type *type, const char *id, bool action, int32_t number) {
    ploy_name none = {0};
    ploy_name name = ployi_build_name(&type->build, "invalid name", id);
    if (ploy_name_is_none(name)) return none;
    if (ploy_map_has(&type->index, goap_key(name, action))) {
        (void)ployi_build_fault(&type->build, PLOY_ERR_EXISTS, "duplicate name", id);
        return none;
    }
    ploy_result result = ploy_map_put(&type->index, goap_key(name, action), &number);
    if (result == PLOY_OK) return name;
    (void)ployi_build_fault(&type->build, result, "out of memory for", id);
    return none;
}

static ploy_goap_var goap_add_var(ploy_goap_type *type, const char *id, int32_t min, int32_t max,
                                  int32_t choices) {
    ploy_goap_var none = {0};
    if (!ployi_build_open(&type->build)) return none;
    int64_t values = (int64_t)max - min + 1;
    if (values < 2 || values > PLOY_GOAP_VALUES_MAX) {
        (void)ployi_build_fault(&type->build, PLOY_ERR_ARGUMENT, "range is out of bounds in", id);
        return none;
    }
    int32_t bits = 1;
    while ((INT64_C(1) << bits) < values) bits++;
    ployi_goap_var var;
    memset(&var, 0, sizeof var);
    if (type->used + bits > 64) { // keeps (1)
        if (type->words >= PLOY_GOAP_BITS_MAX / 64) {
            (void)ployi_build_fault(&type->build, PLOY_ERR_LIMIT, "out of bits for", id);
            return none;
        }
        type->words++;
        type->used = 0;
    }
    var.min = min;
    var.max = max;
    var.word = type->words - 1;
    var.shift = type->used;
    var.mask = (UINT64_C(1) << bits) - 1;
    var.choices = choices;
    var.id = goap_take_id(type, id, false, type->vars.count + 1);
    if (ploy_name_is_none(var.id)) return none;
    ploy_result result = ploy_array_push(&type->vars, &var);
    if (result != PLOY_OK) {
        (void)ployi_build_fault(&type->build, result, "out of memory for", id);
        return none;
    }
    type->used += bits;
    ploy_goap_var out = {(uint32_t)type->vars.count};
    return out;
}

ploy_goap_var ploy_goap_type_bool(ploy_goap_type *type, const char *id) {
    return goap_add_var(type, id, 0, 1, -1);
}

ploy_goap_var ploy_goap_type_int(ploy_goap_type *type, const char *id, int32_t min, int32_t max) {
    return goap_add_var(type, id, min, max, -1);
}

ploy_goap_var ploy_goap_type_choice(ploy_goap_type *type, const char *id,
                                    const char *const *choices, int32_t count) {
    ploy_goap_var none = {0};
    if (!ployi_build_open(&type->build)) return none;
    int32_t first = type->texts.count;
    for (int32_t i = 0; i < count; i++) {
        ploy_name name = ployi_build_name(&type->build, "invalid choice name", choices[i]);
        if (ploy_name_is_none(name)) return none;
        ploy_result result = ploy_array_push(&type->texts, &name);
        if (result != PLOY_OK) {
            (void)ployi_build_fault(&type->build, result, "out of memory for", id);
            return none;
        }
    }
    return goap_add_var(type, id, 0, count - 1, first);
}

bool ployi_goap_need_valid(const ploy_goap_type *type, const ploy_goap_need *need) {
    return need->var.number >= 1 && need->var.number <= (uint32_t)type->vars.count &&
           (uint32_t)need->test <= (uint32_t)PLOY_GOAP_AT_MOST;
}

// The tests by bits of an action; needs that no value meets stay ranges, which fail.
static ploy_result goap_add_bits(ploy_goap_type *type, ployi_goap_item *item) {
    item->first_bits = type->bits.count;
    item->first_range = type->ranges.count;
    for (int32_t i = 0; i < item->need_count; i++) {
        ploy_goap_need need = PLOY_ARRAY_ITEMS(&type->needs, ploy_goap_need)[item->first_need + i];
        const ployi_goap_var *var = ployi_goap_var_at(type, need.var);
        bool two = var->max - var->min == 1;
        if (two && need.test == PLOY_GOAP_DIFFERENT && need.value >= var->min &&
            need.value <= var->max) {
            need.test = PLOY_GOAP_EQUAL;
            need.value = need.value == var->min ? var->max : var->min;
        }
        if (need.test != PLOY_GOAP_EQUAL || need.value < var->min || need.value > var->max) {
            ploy_result result = ploy_array_push(&type->ranges, &need);
            if (result != PLOY_OK) return result;
            item->range_count++;
            continue;
        }
        uint64_t mask = var->mask << var->shift;
        uint64_t want = (uint64_t)((int64_t)need.value - var->min) << var->shift;
        ployi_goap_bits *found = NULL;
        for (int32_t b = item->first_bits; b < type->bits.count && found == NULL; b++) {
            ployi_goap_bits *bits = PLOY_ARRAY_AT(&type->bits, ployi_goap_bits, b);
            // Two needs of one variable that contradict each other must both be kept.
            if (bits->word == var->word && (bits->mask & mask) == 0) found = bits;
        }
        if (found != NULL) {
            found->mask |= mask;
            found->want |= want;
            continue;
        }
        ployi_goap_bits bits;
        memset(&bits, 0, sizeof bits);
        bits.word = var->word;
        bits.mask = mask;
        bits.want = want;
        ploy_result result = ploy_array_push(&type->bits, &bits);
        if (result != PLOY_OK) return result;
        item->bits_count++;
    }
    return PLOY_OK;
}

static bool goap_action_valid(const ploy_goap_type *type, const ploy_goap_action *action) {
    if (!(action->cost >= 0.0 && action->cost <= 1e12)) return false;
    if (action->need_count < 0 || action->need_count > PLOY_GOAP_PARTS_MAX) return false;
    if (action->gain_count < 0 || action->gain_count > PLOY_GOAP_PARTS_MAX) return false;
    if (action->need_count > 0 && action->needs == NULL) return false;
    if (action->gain_count > 0 && action->gains == NULL) return false;
    for (int32_t i = 0; i < action->need_count; i++) {
        if (!ployi_goap_need_valid(type, &action->needs[i])) return false;
    }
    for (int32_t i = 0; i < action->gain_count; i++) {
        const ploy_goap_gain *gain = &action->gains[i];
        if (gain->var.number < 1 || gain->var.number > (uint32_t)type->vars.count) return false;
        const ployi_goap_var *var = ployi_goap_var_at(type, gain->var);
        if (!gain->add && (gain->value < var->min || gain->value > var->max)) return false;
        for (int32_t k = 0; k < i; k++) { // (3)
            if (action->gains[k].var.number == gain->var.number) return false;
        }
    }
    return true;
}

int32_t ploy_goap_type_action(ploy_goap_type *type, const ploy_goap_action *action) {
    if (!ployi_build_open(&type->build)) return -1;
    if (action == NULL || !goap_action_valid(type, action)) {
        (void)ployi_build_fault(&type->build, PLOY_ERR_ARGUMENT,
                                "invalid cost, need or gain of action",
                                action != NULL ? action->id : "");
        return -1;
    }
    ployi_goap_item item;
    memset(&item, 0, sizeof item);
    item.id = goap_take_id(type, action->id, true, type->actions.count);
    if (ploy_name_is_none(item.id)) return -1;
    item.cost = action->cost;
    item.allowed = action->allowed;
    item.price = action->price;
    item.user = action->user;
    item.first_need = type->needs.count;
    item.need_count = action->need_count;
    item.first_gain = type->gains.count;
    item.gain_count = action->gain_count;
    ploy_result result = ploy_array_push_many(&type->needs, action->needs, action->need_count);
    if (result == PLOY_OK) {
        result = ploy_array_push_many(&type->gains, action->gains, action->gain_count);
    }
    if (result == PLOY_OK) result = goap_add_bits(type, &item);
    if (result == PLOY_OK) result = ploy_array_push(&type->actions, &item);
    if (result != PLOY_OK) {
        (void)ployi_build_fault(&type->build, result, "out of memory for action", action->id);
        return -1;
    }
    if (type->actions.count == 1 || item.cost < type->least_cost) type->least_cost = item.cost;
    if (item.gain_count > type->most_gains) type->most_gains = item.gain_count;
    return type->actions.count - 1;
}

ploy_result ploy_goap_type_finish(ploy_goap_type *type) {
    if (type->build.finished) return PLOY_ERR_STATE;
    if (type->build.result != PLOY_OK) return type->build.result;
    if (type->vars.count == 0) {
        return ployi_build_fault(&type->build, PLOY_ERR_ARGUMENT, "unknown variable", "");
    }
    type->build.finished = true;
    return PLOY_OK;
}

int32_t ploy_goap_type_vars(const ploy_goap_type *type) {
    return type->vars.count;
}

int32_t ploy_goap_type_actions(const ploy_goap_type *type) {
    return type->actions.count;
}

int32_t ploy_goap_type_words(const ploy_goap_type *type) {
    return type->words;
}

ploy_goap_var ploy_goap_type_find(const ploy_goap_type *type, const char *id) {
    const int32_t *number = ploy_map_get(&type->index, goap_key(ploy_name_of(id), false));
    ploy_goap_var var = {number != NULL ? (uint32_t)*number : 0};
    return var;
}

int32_t ploy_goap_type_find_action(const ploy_goap_type *type, const char *id) {
    const int32_t *number = ploy_map_get(&type->index, goap_key(ploy_name_of(id), true));
    return number != NULL ? *number : -1;
}

const char *ployi_goap_type_id(const ploy_goap_type *type, ploy_goap_var var) {
    const ployi_goap_var *item =
        PLOY_ARRAY_AT(&type->vars, ployi_goap_var, (int32_t)var.number - 1);
    return item != NULL ? ployi_build_text(&type->build, item->id) : "";
}

const char *ploy_goap_type_action_id(const ploy_goap_type *type, int32_t action) {
    const ployi_goap_item *item = PLOY_ARRAY_AT(&type->actions, ployi_goap_item, action);
    return item != NULL ? ployi_build_text(&type->build, item->id) : "";
}

bool ploy_goap_type_action_at(const ploy_goap_type *type, int32_t action, ploy_goap_action *out) {
    const ployi_goap_item *item = PLOY_ARRAY_AT(&type->actions, ployi_goap_item, action);
    if (item == NULL) return false;
    ploy_goap_action made = {
        ployi_build_text(&type->build, item->id),
        item->need_count > 0 ? &PLOY_ARRAY_ITEMS(&type->needs, ploy_goap_need)[item->first_need]
                             : NULL,
        item->need_count,
        item->gain_count > 0 ? &PLOY_ARRAY_ITEMS(&type->gains, ploy_goap_gain)[item->first_gain]
                             : NULL,
        item->gain_count,
        item->cost,
        item->allowed,
        item->price,
        item->user};
    *out = made;
    return true;
}

// ---- worlds

void ploy_goap_world_clear(const ploy_goap_type *type, uint64_t *world) {
    memset(world, 0, (size_t)type->words * sizeof *world);
}

int32_t ploy_goap_world_get(const ploy_goap_type *type, const uint64_t *world, ploy_goap_var var) {
    if (var.number < 1 || var.number > (uint32_t)type->vars.count) return 0;
    return ployi_goap_read(ployi_goap_var_at(type, var), world);
}

ploy_result ploy_goap_world_set(const ploy_goap_type *type, uint64_t *world, ploy_goap_var var,
                                int32_t value) {
    if (var.number < 1 || var.number > (uint32_t)type->vars.count) return PLOY_ERR_ARGUMENT;
    const ployi_goap_var *item = ployi_goap_var_at(type, var);
    if (value < item->min || value > item->max) return PLOY_ERR_ARGUMENT;
    ployi_goap_write(item, world, value);
    return PLOY_OK;
}

bool ployi_goap_world_holds(const ploy_goap_type *type, const uint64_t *world,
                            const ploy_goap_need *needs, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        int32_t have = ploy_goap_world_get(type, world, needs[i].var);
        if (!ployi_goap_meets(needs[i].test, have, needs[i].value)) return false;
    }
    return true;
}

bool ployi_goap_world_allows(const ploy_goap_type *type, const uint64_t *world, int32_t action) {
    const ployi_goap_item *item = &PLOY_ARRAY_ITEMS(&type->actions, ployi_goap_item)[action];
    if (!ployi_goap_bits_hold(type, world, item)) return false;
    if (item->range_count > 0 &&
        !ployi_goap_world_holds(type, world,
                                &PLOY_ARRAY_ITEMS(&type->ranges, ploy_goap_need)[item->first_range],
                                item->range_count)) {
        return false;
    }
    return item->allowed == NULL || item->allowed(item->user, type, world);
}

double ployi_goap_world_price(const ploy_goap_type *type, const uint64_t *world, int32_t action) {
    if (!ployi_goap_world_allows(type, world, action)) return (double)INFINITY;
    const ployi_goap_item *item = &PLOY_ARRAY_ITEMS(&type->actions, ployi_goap_item)[action];
    return item->price != NULL ? item->price(item->user, type, world) : item->cost;
}

void ploy_goap_world_apply(const ploy_goap_type *type, uint64_t *world, int32_t action) {
    const ployi_goap_item *item = &PLOY_ARRAY_ITEMS(&type->actions, ployi_goap_item)[action];
    const ploy_goap_gain *gains = PLOY_ARRAY_ITEMS(&type->gains, ploy_goap_gain);
    for (int32_t i = item->first_gain; i < item->first_gain + item->gain_count; i++) {
        const ployi_goap_var *var = ployi_goap_var_at(type, gains[i].var);
        int32_t value = gains[i].add ? ployi_goap_read(var, world) : 0;
        ployi_goap_write(var, world, ployi_goap_after(var, &gains[i], value));
    }
}

int32_t ploy_goap_plan_check(const ploy_goap_type *type, const uint64_t *world,
                             const ploy_goap_need *goal, int32_t goal_count, const int32_t *plan,
                             int32_t count, uint64_t *scratch, double *cost) {
    double sum = 0.0;
    memcpy(scratch, world, (size_t)type->words * sizeof *world);
    for (int32_t i = 0; i < count; i++) {
        if (plan[i] < 0 || plan[i] >= type->actions.count) return i;
        double price = ployi_goap_world_price(type, scratch, plan[i]);
        if (!(price < (double)INFINITY)) return i;
        sum += price;
        ploy_goap_world_apply(type, scratch, plan[i]);
    }
    if (cost != NULL) *cost = sum;
    return ployi_goap_world_holds(type, scratch, goal, goal_count) ? -1 : count;
}

static const char *goap_choice(const ploy_goap_type *type, const ployi_goap_var *var,
                               int32_t value) {
    if (var->choices < 0 || value < var->min || value > var->max) return NULL;
    ploy_name name = PLOY_ARRAY_ITEMS(&type->texts, ploy_name)[var->choices + value];
    return ployi_build_text(&type->build, name);
}

void ploy_goap_world_describe(const ploy_goap_type *type, const uint64_t *world,
                              ploy_describe *out) {
    for (uint32_t i = 1; i <= (uint32_t)type->vars.count; i++) {
        ploy_goap_var number = {i};
        const ployi_goap_var *var = ployi_goap_var_at(type, number);
        int32_t value = ployi_goap_read(var, world);
        const char *choice = goap_choice(type, var, value);
        const char *id = ployi_build_text(&type->build, var->id);
        if (choice != NULL) {
            ploy_describe_text(out, id, PLOY_STATE, choice);
        } else {
            ploy_describe_i64(out, id, PLOY_STATE, value);
        }
    }
}

void ployi_goap_need_print(const ploy_goap_type *type, ploy_goap_need need, ploy_writer *writer) {
    static const char *const tests[] = {" = ", " is not ", " >= ", " <= "};
    if (!ployi_goap_need_valid(type, &need)) return;
    const ployi_goap_var *var = ployi_goap_var_at(type, need.var);
    const char *choice = goap_choice(type, var, need.value);
    bool is_bool = var->choices < 0 && var->min == 0 && var->max == 1;
    if (is_bool && need.test <= PLOY_GOAP_DIFFERENT) {
        bool yes = (need.value != 0) == (need.test == PLOY_GOAP_EQUAL);
        if (!yes) ploy_write_text(writer, "not ");
        ploy_write_text(writer, ployi_build_text(&type->build, var->id));
        return;
    }
    ploy_write_text(writer, ployi_build_text(&type->build, var->id));
    ploy_write_text(writer, tests[need.test]);
    if (choice != NULL) {
        ploy_write_text(writer, choice);
    } else {
        ploy_write_i64(writer, need.value);
    }
}
