// Leaves that move characters; see the header.
#include "ploy/data/character_leaves.h"

#include <string.h>

// rad/s, if a file does not set it.
#define CHARACTER_LEAF_LOOK_RATE 1.5f

static ploy_character *character_leaf_self(ploy_bt_call *call) {
    return ploy_cast_get(call->user, call->context->agent);
}

static ploy_result character_leaf_place(ploy_bt_call *call, ploy_vec2 *out) {
    ploy_value value;
    ploy_result result = ploy_bt_port_get(call, 0, &value);
    if (result == PLOY_OK) *out = ploy_vec2_make(value.as.vec[0], value.as.vec[1]);
    return result;
}

// The state of Go is the number of its trip.
static ploy_result character_leaf_go_start(ploy_bt_call *call) {
    ploy_value speed;
    ploy_vec2 place;
    ploy_result result = character_leaf_place(call, &place);
    if (result == PLOY_OK) result = ploy_bt_port_get(call, 1, &speed);
    if (result != PLOY_OK) return result;
    return ploy_cast_go(call->user, call->context->agent, place, speed.as.f32, call->state);
}

static ploy_result character_leaf_go_step(ploy_bt_call *call, ploy_status *status) {
    ploy_character *character = character_leaf_self(call);
    ploy_vec2 place;
    ploy_result result = character_leaf_place(call, &place);
    if (result != PLOY_OK) return result;
    if (character == NULL) return PLOY_ERR_NOT_FOUND;
    ploy_navigator_set_goal(character->navigator, ploy_vec3_from_vec2(place, 0));
    switch (ploy_navigator_state_of(character->navigator)) {
    case PLOY_NAVIGATOR_ARRIVED: *status = PLOY_STATUS_SUCCESS; break;
    case PLOY_NAVIGATOR_WAITING:
    case PLOY_NAVIGATOR_FOLLOWING: *status = PLOY_STATUS_RUNNING; break;
    default: *status = PLOY_STATUS_FAILURE; break;
    }
    return PLOY_OK;
}

static void character_leaf_go_stop(ploy_bt_call *call, ploy_exit_reason reason) {
    (void)reason;
    (void)ploy_cast_stop(call->user, call->context->agent, *(const uint32_t *)call->state);
}

// The state of LookAround: how long it has looked, and the number of its turn, so that its stop does
// not end the turn of the next LookAround.
typedef struct character_leaf_look {
    float seconds;
    uint32_t turn;
} character_leaf_look;

static ploy_result character_leaf_look_start(ploy_bt_call *call) {
    character_leaf_look *look = call->state;
    ploy_value rate;
    float turn = CHARACTER_LEAF_LOOK_RATE;
    if (ploy_bt_port_get(call, 1, &rate) == PLOY_OK) turn = rate.as.f32;
    return ploy_cast_turn(call->user, call->context->agent, turn, &look->turn);
}

static ploy_result character_leaf_look_step(ploy_bt_call *call, ploy_status *status) {
    character_leaf_look *look = call->state;
    ploy_value most;
    ploy_result result = ploy_bt_port_get(call, 0, &most);
    if (result != PLOY_OK) return result;
    look->seconds += call->context->dt;
    *status = look->seconds >= most.as.f32 ? PLOY_STATUS_SUCCESS : PLOY_STATUS_RUNNING;
    return PLOY_OK;
}

static void character_leaf_look_stop(ploy_bt_call *call, ploy_exit_reason reason) {
    (void)reason;
    const character_leaf_look *look = call->state;
    (void)ploy_cast_stop_turn(call->user, call->context->agent, look->turn);
}

ploy_result ploy_character_leaf(void *cast, const char *name, ploy_bt_file_leaf *out) {
    static const ploy_bt_port go_ports[] = {{"place", PLOY_VALUE_VEC2, false},
                                            {"speed", PLOY_VALUE_F32, false}};
    static const ploy_bt_port look_ports[] = {{"seconds", PLOY_VALUE_F32, false},
                                              {"rate", PLOY_VALUE_F32, true}};
    static const ploy_bt_leaf leaves[] = {{.name = "Go",
                                           .start = character_leaf_go_start,
                                           .step = character_leaf_go_step,
                                           .stop = character_leaf_go_stop,
                                           .ports = go_ports,
                                           .port_count = 2,
                                           .state_size = sizeof(uint32_t)},
                                          {.name = "LookAround",
                                           .start = character_leaf_look_start,
                                           .step = character_leaf_look_step,
                                           .stop = character_leaf_look_stop,
                                           .ports = look_ports,
                                           .port_count = 2,
                                           .state_size = sizeof(character_leaf_look)}};
    for (size_t i = 0; i < sizeof leaves / sizeof leaves[0]; i++) {
        if (strcmp(name, leaves[i].name) != 0) continue;
        out->leaf = &leaves[i];
        out->user = cast;
        out->any_port = false;
        return PLOY_OK;
    }
    return PLOY_ERR_NOT_FOUND;
}
