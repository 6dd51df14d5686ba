// Taking a room; described in the header.
#include "ploy/tactics/house.h"

#include "ploy/base/env.h"

static const char house_text[] =
    "# Taking a room with four, three or two. The game sets 'boom' when the grenade goes off.\n"
    "script house4\n"
    "external boom\n"
    "keep boom\n"
    "fallback house3\n"
    "actor first\n"
    "    move outside first\n"
    "    signal ready1\n"
    "    wait boom idle play aim timeout 25\n"
    "    move door\n"
    "    signal enter1\n"
    "    move corner first\n"
    "actor second\n"
    "    move outside second\n"
    "    signal ready2\n"
    "    wait boom enter1 idle play aim timeout 25\n"
    "    move door\n"
    "    signal enter2\n"
    "    move corner second\n"
    "actor third\n"
    "    move outside third\n"
    "    wait ready1 ready2 ready4 idle play aim timeout 20\n"
    "    play throw\n"
    "    wait boom enter2 idle play aim timeout 10\n"
    "    move flank left\n"
    "actor fourth\n"
    "    move outside fourth\n"
    "    signal ready4\n"
    "    wait boom enter2 idle play aim timeout 25\n"
    "    move flank right\n"
    "\n"
    "script house3\n"
    "external boom\n"
    "keep boom\n"
    "fallback house2\n"
    "actor first\n"
    "    move outside first\n"
    "    signal ready1\n"
    "    wait boom idle play aim timeout 25\n"
    "    move door\n"
    "    signal enter1\n"
    "    move corner first\n"
    "actor second\n"
    "    move outside second\n"
    "    signal ready2\n"
    "    wait boom enter1 idle play aim timeout 25\n"
    "    move door\n"
    "    signal enter2\n"
    "    move corner second\n"
    "actor third\n"
    "    move outside third\n"
    "    wait ready1 ready2 idle play aim timeout 20\n"
    "    play throw\n"
    "    wait boom enter2 idle play aim timeout 10\n"
    "    move flank left\n"
    "\n"
    "script house2\n"
    "external boom\n"
    "actor first\n"
    "    move outside first\n"
    "    signal ready1\n"
    "    wait boom idle play aim timeout 25\n"
    "    move door\n"
    "    signal enter1\n"
    "    move corner first\n"
    "actor second\n"
    "    move outside second\n"
    "    wait ready1 idle play aim timeout 20\n"
    "    play throw\n"
    "    wait boom enter1 idle play aim timeout 10\n"
    "    move corner second\n";

const char *ploy_house_script(void) {
    return house_text;
}

// The corner that comes next after `before` by distance to the door, then by index; -1: none.
static int32_t house_next(const ploy_house_room *room, float least, int32_t before) {
    int32_t best = -1;
    float best_distance = 0.0f;
    float before_distance =
        before >= 0 ? ploy_vec2_distance(room->corners[before], room->door) : -1.0f;
    for (int32_t i = 0; i < room->corner_count; i++) {
        float distance = ploy_vec2_distance(room->corners[i], room->door);
        if (distance < least || i == before || distance < before_distance) continue;
        if (distance == before_distance && i < before) continue;
        if (best >= 0 && distance >= best_distance) continue;
        best = i;
        best_distance = distance;
    }
    return best;
}

ploy_result ploy_house_plan_make(const ploy_house_room *room, float min_corner_distance,
                                 ploy_house_plan *out) {
    if (room == NULL || out == NULL || room->corner_count < 0 ||
        (room->corners == NULL && room->corner_count > 0) || !ploy_vec2_is_finite(room->door) ||
        !ploy_vec2_is_finite(room->inward) || !(ploy_vec2_length(room->inward) > 0.0f) ||
        !ploy_in_range(room->door_width, 1e-3f, 1e6f) ||
        !ploy_in_range(min_corner_distance, 0.0f, 1e9f)) {
        return PLOY_ERR_ARGUMENT;
    }
    for (int32_t i = 0; i < room->corner_count; i++) {
        if (!ploy_vec2_is_finite(room->corners[i])) return PLOY_ERR_ARGUMENT;
    }
    ploy_vec2 inward = ploy_vec2_with_length(room->inward, 1.0f);
    ploy_vec2 left = ploy_vec2_make(-inward.y, inward.x);
    float width = room->door_width;
    for (int32_t i = 0; i < PLOY_HOUSE_SLOTS; i++) {
        // Left and right in turn, each pair one width further from the doorway.
        float side = (i % 2 == 0 ? 1.0f : -1.0f) * width * (0.9f + 0.8f * (float)(i / 2));
        ploy_vec2 beside = ploy_vec2_add(room->door, ploy_vec2_scale(left, side));
        out->outside[i] = ploy_vec2_sub(beside, ploy_vec2_scale(inward, 0.5f * width));
    }
    for (int32_t i = 0; i < 2; i++) {
        ploy_vec2 beside = ploy_vec2_add(
            room->door, ploy_vec2_scale(left, (i == 0 ? 1.0f : -1.0f) * 0.9f * width));
        out->flank[i] = ploy_vec2_add(beside, ploy_vec2_scale(inward, 0.5f * width));
        out->corners[i] = out->flank[i];
    }
    out->door = ploy_vec2_add(room->door, ploy_vec2_scale(inward, 0.4f * width));
    int32_t first = house_next(room, min_corner_distance, -1);
    int32_t second = first >= 0 ? house_next(room, min_corner_distance, first) : -1;
    out->corner_count = (first >= 0 ? 1 : 0) + (second >= 0 ? 1 : 0);
    if (first >= 0 && second >= 0) {
        ploy_vec2 a = ploy_vec2_sub(room->corners[first], room->door);
        ploy_vec2 b = ploy_vec2_sub(room->corners[second], room->door);
        bool one_side = (ploy_vec2_dot(a, left) > 0.0f) == (ploy_vec2_dot(b, left) > 0.0f);
        if (one_side && ploy_vec2_dot(b, inward) < ploy_vec2_dot(a, inward)) {
            int32_t swap = first;
            first = second;
            second = swap;
        }
    }
    if (first >= 0) out->corners[0] = room->corners[first];
    if (second >= 0) out->corners[1] = room->corners[second];
    return PLOY_OK;
}
