// Movement by pattern: a guard walks a rectangle of tiles, a wanderer takes random branches of a
// track, a boat sails a square by its rudder. Shows ploy_tile_line_step, ploy_track_step,
// ploy_moves_step and ploy_maneuver_step.
#include <stdio.h>
#include <string.h>

#include "ploy/base/math.h"
#include "ploy/geom/angle.h"
#include "ploy/move/moves.h"

int main(void) {
    static const ploy_tile corners[5] = {{0, 0}, {3, 0}, {3, 4}, {0, 4}, {0, 0}};
    ploy_tile tiles[32], at = {0, 0}, camp = {10, 20};
    int32_t count = 0;
    for (int i = 0; i < 4; i++) {
        ploy_tile_line_append(PLOY_TILE_LINE_EXACT, corners[i], corners[i + 1], i > 0, tiles, 32,
                              &count);
    }
    ploy_moves_state state = {0, false, false};
    for (int i = 0; i < 6; i++)
        ploy_tile_line_step(tiles, count, PLOY_MOVES_LOOP, camp, &state, &at);
    printf("the guard is at row %d, column %d of %d tiles\n", at.row, at.col, count);

    uint8_t map[5 * 5];
    memset(map, 0, sizeof map);
    ploy_track track = {map, 5, 5, false};
    for (int i = 0; i < 4; i++) ploy_track_line(&track, corners[i], corners[i + 1]);
    ploy_tile walker = {0, 0}, from = {0, 0};
    for (uint64_t tick = 0; tick < 10; tick++) {
        ploy_tile next = ploy_track_step(&track, walker, from, ploy_rng_key_make(1), 0, tick);
        from = walker;
        walker = next;
    }
    printf("the wanderer is at row %d, column %d\n", walker.row, walker.col);

    ploy_move swoop[2] = {{-0.5f, 2.0f, ploy_name_of("dive")}, {0.5f, 2.0f, ploy_name_of("fire")}};
    ploy_moves moves = {swoop, 2, PLOY_MOVES_LOOP};
    ploy_kinematic ship = ploy_kinematic_make(ploy_vec2_zero(), 0.0f);
    memset(&state, 0, sizeof state);
    for (int i = 0; i < 4; i++) ploy_moves_step(&moves, &state, &ship, NULL);
    printf("the ship is at %.2f %.2f\n", ship.position.x, ship.position.y);

    static const ploy_maneuver square[2] = {{0, 1, 0, 20}, {-1, 1, PLOY_HALF_PI_F, 0}};
    ploy_maneuvers patrol = {square, 2, 4, 0.05f};
    ploy_kinematic boat = ploy_kinematic_make(ploy_vec2_zero(), 0.0f);
    ploy_maneuver_state sailing = ploy_maneuver_begin(boat);
    ploy_maneuver_output out;
    int ticks = 0;
    for (; ploy_maneuver_step(&patrol, &sailing, boat, &out); ticks++) {
        boat.orientation = ploy_angle_wrap(boat.orientation + out.steer * 1.5f / 60.0f);
        boat.velocity = ploy_vec2_scale(ploy_angle_heading(boat.orientation), 10.0f * out.thrust);
        boat.position = ploy_vec2_add_scaled(boat.position, boat.velocity, 1.0f / 60.0f);
    }
    printf("the boat is back within %.1f m after %.0f s\n", ploy_vec2_length(boat.position),
           ticks / 60.0);
    return 0;
}
