// Fetching items; described in the header. The owner of the tree is the mover.
#include "ploy/decide/goal_fetch.h"

#include "decide/decide_internal.h"
#include "ploy/base/math.h"

bool ploy_item_in_time(ploy_item_option option, float speed) {
    if (!(option.cost < INFINITY) || !(option.pause < INFINITY)) return false;
    if (!(option.pause > 0.0f)) return true;
    return speed > 0.0f && option.cost / speed >= option.pause;
}

int32_t ploy_item_choose(const ploy_item_option *options, int32_t count, float speed, bool aware) {
    int32_t best = -1;
    for (int32_t i = 0; i < count; i++) {
        if (!ploy_item_in_time(options[i], aware ? speed : 0.0f)) continue;
        if (best < 0 || options[i].cost < options[best].cost) best = i;
    }
    return best;
}

typedef struct fetch_item {
    ploy_goal_item item;
    double arrived; // s, when it began to wait there; below 0: not yet
} fetch_item;

static ploy_result fetch_activate(const ploy_goal_turn *turn) {
    const ploy_goal_mover *mover = turn->owner;
    const ploy_goal_item_params *params = turn->params;
    fetch_item *own = turn->data;
    own->arrived = -1.0;
    ploy_goals_clear(turn->goals, turn->context, turn->goal);
    if (mover->find_item == NULL || !mover->find_item(mover->user, params->kind, &own->item)) {
        ploy_trace_note(turn->context->trace, "no item of the kind can be reached");
        return ploy_goals_set_status(turn->goals, turn->goal, PLOY_GOAL_FAILED);
    }
    ploy_goal_place_params place = {own->item.place};
    return ploy_goals_add(turn->goals, turn->context, turn->goal, PLOY_GOAL_FRONT,
                          ploy_goal_move_to(), &place, sizeof place, NULL);
}

static ploy_result fetch_process(const ploy_goal_turn *turn, ploy_goal_status *status) {
    const ploy_goal_mover *mover = turn->owner;
    const ploy_goal_item_params *params = turn->params;
    fetch_item *own = turn->data;
    if (mover->item == NULL || *status == PLOY_GOAL_FAILED) return PLOY_OK;
    ploy_goal_item_state state = mover->item(mover->user, &own->item);
    if (state == PLOY_GOAL_ITEM_TAKEN) {
        *status = PLOY_GOAL_COMPLETED;
    } else if (state == PLOY_GOAL_ITEM_GONE) {
        *status = PLOY_GOAL_FAILED;
    } else if (*status == PLOY_GOAL_COMPLETED) { // there, but the item is not
        if (own->arrived < 0.0) {
            own->arrived = turn->context->now;
            if (mover->steer != NULL) {
                mover->steer(mover->user, PLOY_GOAL_STEER_ARRIVE, own->item.place, 0.0f);
            }
        }
        bool late = turn->context->now - own->arrived > (double)params->patience;
        *status = late ? PLOY_GOAL_FAILED : PLOY_GOAL_ACTIVE;
    }
    return PLOY_OK;
}

static void fetch_describe(const void *params, const void *data, ploy_describe *out) {
    const fetch_item *own = data;
    ploy_describe_u64(out, "kind", PLOY_STATE, ((const ploy_goal_item_params *)params)->kind.hash);
    ploy_describe_vec2(out, "place", PLOY_STATE, own->item.place.x, own->item.place.y);
    ploy_describe_i64(out, "item", PLOY_STATE, own->item.item.index);
    ploy_describe_f64(out, "arrived", PLOY_STATE, own->arrived);
}

const ploy_goal_type *ploy_goal_get_item(void) {
    static const ploy_goal_type type = {.name = "get item",
                                        .needs_owner = true,
                                        .composite = true,
                                        .activate = fetch_activate,
                                        .process = fetch_process,
                                        .terminate = ployi_goal_stand,
                                        .suspend = ployi_goal_stand,
                                        .describe = fetch_describe};
    return &type;
}

ploy_result ploy_goal_fetch_register(ploy_goals *goals) {
    const ploy_goal_type *types[] = {ploy_goal_get_item()};
    return ploy_goals_register(goals, types, 1);
}

ploy_vec2 ploy_goal_weave(ploy_vec2 at, ploy_vec2 to, double now, float width, float period) {
    ploy_vec2 line = ploy_vec2_sub(to, at);
    float distance = ploy_vec2_length(line);
    if (!(width > 0.0f) || !(period > 0.0f) || !(distance > 2.0f * width)) return to;
    // A triangle wave from -1 to 1: phase 0 is the middle, on the way to the left.
    double turns = now / (double)period;
    if (!(turns > -1e15 && turns < 1e15)) turns = 0.0; // no such time
    float phase = (float)(turns - (double)(int64_t)turns);
    if (phase < 0.0f) phase += 1.0f;
    float wave = phase < 0.25f   ? 4.0f * phase
                 : phase < 0.75f ? 2.0f - 4.0f * phase
                                 : 4.0f * phase - 4.0f;
    // Twice as far ahead as to the side: the angle is at most 27 degrees.
    ploy_vec2 ahead = ploy_vec2_scale(line, 1.0f / distance);
    ploy_vec2 left = ploy_vec2_make(-ahead.y, ahead.x);
    ploy_vec2 middle = ploy_vec2_add_scaled(at, ahead, 2.0f * width);
    return ploy_vec2_add_scaled(middle, left, width * wave);
}
