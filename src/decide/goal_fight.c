// Goals of a fighter's movement; described in the header. The owner of the tree is the mover.
#include "ploy/decide/goal_fight.h"

#include "decide/decide_internal.h"
#include "ploy/base/math.h"
#include "ploy/base/rng.h"

// What the fighter knows; false without a target.
static bool fight_target(const ploy_goal_turn *turn, ploy_goal_target *out) {
    const ploy_goal_mover *mover = turn->owner;
    return mover->target != NULL && mover->target(mover->user, out);
}

static ploy_result fight_end(const ploy_goal_turn *turn, ploy_goal_status status) {
    return ploy_goals_set_status(turn->goals, turn->goal, status);
}

static ploy_result fight_add(const ploy_goal_turn *turn, const ploy_goal_type *type, ploy_vec2 to) {
    ploy_goal_place_params params = {to};
    bool placed = type == ploy_goal_seek() || type == ploy_goal_move_to();
    return ploy_goals_add(turn->goals, turn->context, turn->goal, PLOY_GOAL_FRONT, type,
                          placed ? &params : NULL, placed ? sizeof params : 0, NULL);
}

// ---- dodge

typedef struct fight_dodge {
    double until;  // s, when the step is given up
    ploy_vec2 to;  // m
    int32_t side;  // 1 left, -1 right, 0 not chosen yet
    uint32_t kept; // keeps the struct free of gaps
} fight_dodge;

static ploy_result fight_dodge_activate(const ploy_goal_turn *turn) {
    const ploy_goal_mover *mover = turn->owner;
    ploy_step_context *context = turn->context;
    fight_dodge *own = turn->data;
    ploy_goal_target target;
    if (!fight_target(turn, &target) || !target.shootable) {
        return fight_end(turn, PLOY_GOAL_COMPLETED);
    }
    if (own->side == 0) {
        uint32_t agent = context->agent.id.index;
        own->side = (ploy_rng_u32_at(context->key, agent, context->tick, 71) & 1u) != 0 ? 1 : -1;
    }
    bool room = false;
    for (int32_t i = 0; i < 2 && !room && mover->side_step != NULL; i++) {
        room = mover->side_step(mover->user, own->side, &own->to);
        if (!room) own->side = -own->side;
    }
    if (!room) return fight_end(turn, PLOY_GOAL_FAILED);
    float distance = ploy_vec2_distance(mover->position(mover->user), own->to);
    own->until = context->now + (double)(mover->speed > 0.0f ? 2.0f * distance / mover->speed : 0) +
                 0.25 * (double)mover->margin;
    if (mover->steer != NULL) mover->steer(mover->user, PLOY_GOAL_STEER_SEEK, own->to, 0.0f);
    return PLOY_OK;
}

static ploy_result fight_dodge_process(const ploy_goal_turn *turn, ploy_goal_status *status) {
    const ploy_goal_mover *mover = turn->owner;
    fight_dodge *own = turn->data;
    ploy_goal_target target;
    if (*status != PLOY_GOAL_ACTIVE) return PLOY_OK;
    if (!fight_target(turn, &target) || !target.shootable) {
        *status = PLOY_GOAL_COMPLETED;
    } else if (ploy_vec2_distance(mover->position(mover->user), own->to) < mover->tolerance ||
               turn->context->now > own->until) {
        own->side = -own->side;
        ploy_result result = fight_dodge_activate(turn);
        *status = ploy_goals_status(turn->goals, turn->goal);
        return result;
    }
    return PLOY_OK;
}

static void fight_dodge_describe(const void *params, const void *data, ploy_describe *out) {
    const fight_dodge *own = data;
    (void)params;
    ploy_describe_vec2(out, "to", PLOY_STATE, own->to.x, own->to.y);
    ploy_describe_i64(out, "side", PLOY_STATE, own->side);
    ploy_describe_f64(out, "until", PLOY_STATE, own->until);
}

const ploy_goal_type *ploy_goal_dodge(void) {
    static const ploy_goal_type type = {.name = "dodge side to side",
                                        .needs_owner = true,
                                        .activate = fight_dodge_activate,
                                        .process = fight_dodge_process,
                                        .terminate = ployi_goal_stand,
                                        .suspend = ployi_goal_stand,
                                        .describe = fight_dodge_describe};
    return &type;
}

// ---- hunt

typedef struct fight_hunt {
    ploy_vec2 place;   // m, where the target was last sensed when this plan was made
    uint32_t went;     // 1 once the hunter goes, or went, to that place
    uint32_t explores; // 1 while it looks elsewhere
} fight_hunt;

// Goes to the place where the target was last sensed, or anywhere if that place is known to be
// empty.
static ploy_result fight_hunt_plan(const ploy_goal_turn *turn, const ploy_goal_target *target) {
    const ploy_goal_mover *mover = turn->owner;
    fight_hunt *own = turn->data;
    bool here = ploy_vec2_distance(mover->position(mover->user), target->place) < mover->tolerance;
    ploy_goals_clear(turn->goals, turn->context, turn->goal);
    own->place = target->place;
    own->explores = !target->known || own->went != 0 || here;
    own->went = target->known ? 1 : 0;
    const ploy_goal_type *type = own->explores != 0 ? ploy_goal_explore() : ploy_goal_move_to();
    return fight_add(turn, type, target->place);
}

static ploy_result fight_hunt_activate(const ploy_goal_turn *turn) {
    ploy_goal_target target;
    if (!fight_target(turn, &target) || target.shootable) {
        ploy_goals_clear(turn->goals, turn->context, turn->goal);
        return fight_end(turn, PLOY_GOAL_COMPLETED);
    }
    return fight_hunt_plan(turn, &target);
}

static ploy_result fight_hunt_process(const ploy_goal_turn *turn, ploy_goal_status *status) {
    const ploy_goal_mover *mover = turn->owner;
    fight_hunt *own = turn->data;
    ploy_goal_target target;
    if (!fight_target(turn, &target) || target.shootable) {
        *status = PLOY_GOAL_COMPLETED;
        return PLOY_OK;
    }
    float moved = ploy_vec2_distance(target.place, own->place);
    bool news = target.known && (own->went == 0 || moved > mover->tolerance);
    if (news) own->went = 0;
    // A place that cannot be reached counts as searched; exploring fails only if there is no place.
    bool over = *status == PLOY_GOAL_COMPLETED || (*status == PLOY_GOAL_FAILED && !own->explores);
    if (!news && !over) return PLOY_OK;
    ploy_result result = fight_hunt_plan(turn, &target);
    *status = PLOY_GOAL_ACTIVE;
    return result;
}

static void fight_hunt_describe(const void *params, const void *data, ploy_describe *out) {
    const fight_hunt *own = data;
    (void)params;
    ploy_describe_vec2(out, "place", PLOY_STATE, own->place.x, own->place.y);
    ploy_describe_bool(out, "explores", PLOY_STATE, own->explores != 0);
    ploy_describe_bool(out, "went", PLOY_STATE, own->went != 0);
}

const ploy_goal_type *ploy_goal_hunt(void) {
    static const ploy_goal_type type = {.name = "hunt",
                                        .needs_owner = true,
                                        .composite = true,
                                        .activate = fight_hunt_activate,
                                        .process = fight_hunt_process,
                                        .describe = fight_hunt_describe};
    return &type;
}

// ---- attack

static ploy_result fight_attack_activate(const ploy_goal_turn *turn) {
    const ploy_goal_mover *mover = turn->owner;
    ploy_goal_target target;
    ploy_vec2 place;
    ploy_goals_clear(turn->goals, turn->context, turn->goal);
    if (!fight_target(turn, &target)) return fight_end(turn, PLOY_GOAL_COMPLETED);
    if (!target.shootable) return fight_add(turn, ploy_goal_hunt(), target.place);
    bool room = mover->side_step != NULL && (mover->side_step(mover->user, 1, &place) ||
                                             mover->side_step(mover->user, -1, &place));
    return fight_add(turn, room ? ploy_goal_dodge() : ploy_goal_seek(), target.place);
}

const ploy_goal_type *ploy_goal_attack(void) {
    static const ploy_goal_type type = {.name = "attack",
                                        .needs_owner = true,
                                        .composite = true,
                                        .activate = fight_attack_activate,
                                        .replans = 1000,
                                        .replan_pause = 0.1f};
    return &type;
}

ploy_result ploy_goal_fight_register(ploy_goals *goals) {
    const ploy_goal_type *types[] = {ploy_goal_attack(), ploy_goal_hunt(), ploy_goal_dodge()};
    return ploy_goals_register(goals, types, 3);
}
