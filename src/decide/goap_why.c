// Why there is no plan: conditions out of reach, followed to what nothing gives.
//
// "Out of reach" is decided in the relaxed domain, where nothing is ever undone: what cannot be had
// there cannot be had at all.
#include <math.h>
#include <string.h>

#include "goap_internal.h"

#include "decide/decide_internal.h"

typedef struct goap_why {
    const ploy_goap_type *type;
    const ployi_goap_relax *relax;
    ploy_writer *writer;
    ploy_array told; // ploy_goap_need, so that each is followed once
} goap_why;

// Could the need be met if nothing were ever undone?
static bool goap_within_reach(const goap_why *why, const ploy_goap_need *need) {
    const ployi_goap_var *var = ployi_goap_var_at(why->type, need->var);
    int32_t low = var->min, high = var->max;
    switch (need->test) {
    case PLOY_GOAP_EQUAL: low = high = need->value; break;
    case PLOY_GOAP_AT_LEAST: low = need->value > low ? need->value : low; break;
    case PLOY_GOAP_AT_MOST: high = need->value < high ? need->value : high; break;
    case PLOY_GOAP_DIFFERENT: {
        if (need->value < low || need->value > high) return true;
        double below = need->value > low
                           ? ployi_goap_relax_cost(why->relax, need->var, low, need->value - 1)
                           : (double)INFINITY;
        double above = need->value < high
                           ? ployi_goap_relax_cost(why->relax, need->var, need->value + 1, high)
                           : (double)INFINITY;
        return below < (double)INFINITY || above < (double)INFINITY;
    }
    }
    return ployi_goap_relax_cost(why->relax, need->var, low, high) < (double)INFINITY;
}

// Can a gain bring a variable to where the need requires it, from any value?
static bool goap_could_give(const ploy_goap_type *type, const ploy_goap_gain *gain,
                            const ploy_goap_need *need) {
    if (gain->var.number != need->var.number) return false;
    if (!gain->add) return ployi_goap_meets(need->test, gain->value, need->value);
    const ployi_goap_var *var = ployi_goap_var_at(type, gain->var);
    for (int32_t v = var->min; v <= var->max; v++) {
        int32_t after = ployi_goap_after(var, gain, v);
        if (after != v && ployi_goap_meets(need->test, after, need->value)) return true;
    }
    return false;
}

static void goap_why_line(goap_why *why, int32_t depth) {
    for (int32_t i = 0; i < depth; i++) ploy_write_text(why->writer, "  ");
}

static void goap_why_need(goap_why *why, const ploy_goap_need *need, int32_t depth) {
    const ploy_goap_type *type = why->type;
    goap_why_line(why, depth);
    ploy_write_text(why->writer, "'");
    ployi_goap_need_print(type, *need, why->writer);
    for (int32_t i = 0; i < why->told.count; i++) {
        if (memcmp(ploy_array_at(&why->told, i), need, sizeof *need) != 0) continue;
        ploy_write_text(why->writer, "' cannot be had, as said above\n");
        return;
    }
    if (ploy_array_push(&why->told, need) != PLOY_OK || depth > 32) {
        ploy_write_text(why->writer, "' cannot be had\n");
        return;
    }
    int32_t givers = 0;
    for (int32_t a = 0; a < type->actions.count; a++) {
        ploy_goap_action action;
        (void)ploy_goap_type_action_at(type, a, &action);
        bool gives = false;
        for (int32_t g = 0; g < action.gain_count && !gives; g++) {
            gives = goap_could_give(type, &action.gains[g], need);
        }
        if (gives && ++givers == 1) ploy_write_text(why->writer, "' cannot be had:\n");
        if (!gives) continue;
        goap_why_line(why, depth + 1);
        ploy_write_text(why->writer, action.id);
        bool blamed = false;
        for (int32_t n = 0; n < action.need_count; n++) {
            if (goap_within_reach(why, &action.needs[n])) continue;
            if (!blamed) ploy_write_text(why->writer, " would give it, but\n");
            blamed = true;
            goap_why_need(why, &action.needs[n], depth + 2);
        }
        if (!blamed)
            ploy_write_text(why->writer, " gives it, but not from the values within reach\n");
    }
    if (givers == 0) ploy_write_text(why->writer, "' is given by no action\n");
}

int32_t ployi_goap_why(const ploy_goap_type *type, const ployi_goap_relax *relax,
                       const ploy_goap_need *goal, int32_t count, const ploy_env *env,
                       ploy_writer *writer) {
    goap_why why;
    memset(&why, 0, sizeof why);
    why.type = type;
    why.relax = relax;
    why.writer = writer;
    ploy_array_init(&why.told, sizeof(ploy_goap_need), env);
    int32_t missing = 0;
    for (int32_t i = 0; i < count; i++) {
        if (goap_within_reach(&why, &goal[i])) continue;
        missing++;
        goap_why_need(&why, &goal[i], 0);
    }
    ploy_array_fini(&why.told);
    return missing;
}
