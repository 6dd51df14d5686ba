// Pattern movement: INT-05 to INT-14.
#include "move/move_internal.h"
#include "ploy/move/moves.h"

#include "ploy/base/math.h"
#include "ploy/geom/angle.h"
#include "tests/test.h"

static const float degree = PLOY_PI_F / 180.0f;

TEST(the_zigzag_of_the_book_follows_its_heading) {
    // INT-05: F2 F2 R10 R10 F2 F2 L10.
    ploy_move list[7];
    memset(list, 0, sizeof list);
    static const float forward[7] = {2, 2, 0, 0, 2, 2, 0}, right[7] = {0, 0, 10, 10, 0, 0, -10};
    for (int i = 0; i < 7; i++) {
        list[i].forward = forward[i];
        list[i].turn = -right[i] * degree;
    }
    list[4].action = ploy_name_of("fire");
    ploy_moves moves = {list, 7, PLOY_MOVES_STOP};
    ploy_moves_state state = {0, false, false};
    ploy_kinematic mover = ploy_kinematic_make(ploy_vec2_zero(), 0.0f);
    ploy_name action;
    for (int i = 0; i < 4; i++) CHECK(ploy_moves_step(&moves, &state, &mover, &action));
    CHECK_NEAR(mover.position.x, 4.0, 1e-5);
    CHECK_NEAR(mover.orientation, -20.0f * degree, 1e-6);
    CHECK(ploy_moves_step(&moves, &state, &mover, &action));
    CHECK(ploy_name_equal(action, ploy_name_of("fire")));
    CHECK(ploy_moves_step(&moves, &state, &mover, NULL));
    CHECK_NEAR(mover.position.x, 7.75877, 1e-5);
    CHECK_NEAR(mover.position.y, -1.36808, 1e-5);
    CHECK(ploy_moves_step(&moves, &state, &mover, NULL));
    CHECK_NEAR(mover.orientation, -10.0f * degree, 1e-6);
    CHECK(!ploy_moves_step(&moves, &state, &mover, NULL));
    CHECK(state.finished);
}

TEST(lists_stop_loop_or_turn_back) {
    static const struct {
        ploy_moves_end end;
        int32_t want[8];
    } rows[] = {{PLOY_MOVES_STOP, {0, 1, 2, -1, -1, -1, -1, -1}},
                {PLOY_MOVES_LOOP, {0, 1, 2, 0, 1, 2, 0, 1}},
                {PLOY_MOVES_PING_PONG, {0, 1, 2, 1, 0, 1, 2, 1}}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        ploy_moves_state state = {0, false, false};
        for (int k = 0; k < 8; k++) {
            CHECK_INT(ployi_moves_next(3, rows[i].end, &state), rows[i].want[k]);
        }
        ploy_moves_state empty = {0, false, false};
        CHECK_INT(ployi_moves_next(0, rows[i].end, &empty), -1);
    }
}

TEST(a_pattern_is_chosen_by_weight_and_not_twice_running) {
    // INT-06.
    static const float weights[4] = {1, 0, 3, 4};
    ploy_rng_key key = ploy_rng_key_make(5);
    int32_t counts[4] = {0}, last = -1;
    for (uint64_t tick = 0; tick < 8000; tick++) {
        counts[ploy_moves_choose(weights, 4, -1, key, 0, tick)]++;
        int32_t next = ploy_moves_choose(weights, 4, last, key, 1, tick);
        CHECK(next >= 0 && next != last);
        last = next;
    }
    CHECK_NEAR(counts[0] / 8000.0, 0.125, 0.02);
    CHECK_INT(counts[1], 0);
    CHECK_NEAR(counts[2] / 8000.0, 0.375, 0.03);
    CHECK_INT(ploy_moves_choose(weights + 1, 1, -1, key, 0, 0), -1);
    CHECK_INT(ploy_moves_choose(weights, 1, 0, key, 0, 0), 0); // the only one
}

TEST(tile_lines_have_the_books_lengths) {
    // INT-07: entries with the common corners kept, and without.
    static const ploy_tile rectangle[] = {{10, 3}, {18, 3}, {18, 12}, {10, 12}, {10, 3}};
    static const ploy_tile there[] = {{10, 3}, {18, 3}, {10, 3}};
    static const ploy_tile complex[] = {{4, 2},   {4, 11},  {2, 24}, {13, 27}, {16, 24},
                                        {13, 17}, {13, 13}, {17, 5}, {4, 2}};
    static const struct {
        const ploy_tile *corners;
        int32_t corner_count, entries, twice;
    } rows[] = {{rectangle, 5, 38, 3}, {there, 3, 18, 1}, {complex, 9, 76, 7}};
    int32_t differ = 0;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        ploy_tile tiles[2][100], classic[100];
        int32_t count[2] = {0, 0}, classic_count = 0;
        for (int32_t k = 0; k + 1 < rows[i].corner_count; k++) {
            ploy_tile a = rows[i].corners[k], b = rows[i].corners[k + 1];
            for (int skip = 0; skip < 2; skip++) {
                CHECK_OK(ploy_tile_line_append(PLOY_TILE_LINE_EXACT, a, b, skip == 1 && k > 0,
                                               tiles[skip], 100, &count[skip]));
            }
            CHECK_OK(ploy_tile_line_append(PLOY_TILE_LINE_CLASSIC, a, b, false, classic, 100,
                                           &classic_count));
        }
        CHECK_INT(count[0], rows[i].entries);
        CHECK_INT(count[1], rows[i].entries - rows[i].twice);
        CHECK_INT(classic_count, rows[i].entries);
        if (rows[i].corners != complex) continue;
        for (int32_t k = 0; k < classic_count; k++) {
            differ += classic[k].row != tiles[0][k].row || classic[k].col != tiles[0][k].col;
        }
    }
    CHECK_INT(differ, 9);
}

TEST(tile_lines_are_bresenhams_or_the_listings) {
    // INT-07: (4, 11) to (2, 24), the last column of rows 4, 3 and 2.
    static const int32_t ends[2][3] = {{14, 20, 24}, {16, 22, 24}};
    for (int kind = 0; kind < 2; kind++) {
        ploy_tile tiles[20], from = {4, 11}, to = {2, 24};
        int32_t count = 0;
        CHECK_OK(ploy_tile_line_append((ploy_tile_line)kind, from, to, false, tiles, 20, &count));
        CHECK_INT(count, 14);
        for (int32_t i = 0; i < count; i++) {
            int32_t row = tiles[i].col <= ends[kind][0] ? 4 : tiles[i].col <= ends[kind][1] ? 3 : 2;
            CHECK_INT(tiles[i].row, row);
            CHECK_INT(tiles[i].col, 11 + i);
        }
    }
    static const ploy_tile want[8] = {{16, 24}, {16, 23}, {15, 22}, {15, 21},
                                      {14, 20}, {14, 19}, {13, 18}, {13, 17}};
    ploy_tile tiles[8];
    int32_t count = 0;
    CHECK_OK(
        ploy_tile_line_append(PLOY_TILE_LINE_EXACT, want[0], want[7], false, tiles, 8, &count));
    CHECK_BYTES(tiles, want, sizeof want);
    CHECK_INT(ploy_tile_line_append(PLOY_TILE_LINE_EXACT, want[0], want[7], true, tiles, 8, &count),
              PLOY_ERR_CAPACITY);
    CHECK_INT(count, 8);
    // The ends are exact whatever the slope.
    for (int32_t row = -8; row <= 8; row++) {
        for (int32_t col = -8; col <= 8; col++) {
            for (int kind = 0; kind < 2; kind++) {
                ploy_tile line[9], from = {0, 0}, to = {row, col};
                int32_t n = 0;
                CHECK_OK(ploy_tile_line_append((ploy_tile_line)kind, from, to, false, line, 9, &n));
                CHECK_INT(line[n - 1].row, row);
                CHECK_INT(line[n - 1].col, col);
            }
        }
    }
}

TEST(a_patrol_plays_anywhere_and_resumes) {
    // INT-08 and INT-09: the rectangle at offset (5, 2); broken off and gone on with.
    static const ploy_tile corners[5] = {{10, 3}, {18, 3}, {18, 12}, {10, 12}, {10, 3}};
    ploy_tile tiles[40], at = {0, 0}, offset = {5, 2};
    int32_t count = 0;
    for (int i = 0; i < 4; i++) {
        CHECK_OK(ploy_tile_line_append(PLOY_TILE_LINE_EXACT, corners[i], corners[i + 1], false,
                                       tiles, 40, &count));
    }
    ployi_tiles_normalise(tiles, count);
    CHECK_INT(tiles[0].row, 0);
    CHECK_INT(tiles[8].row, 8);
    CHECK_INT(tiles[18].col, 9);
    ploy_moves_state state = {0, false, false}, kept;
    CHECK(ploy_tile_line_step(tiles, count, PLOY_MOVES_LOOP, offset, &state, &at));
    CHECK_INT(at.row, 5);
    CHECK_INT(at.col, 2);
    for (int i = 0; i < 10; i++)
        ploy_tile_line_step(tiles, count, PLOY_MOVES_LOOP, offset, &state, &at);
    kept = state; // an enemy: chase, then come back
    for (int i = 11; i < 19; i++)
        ploy_tile_line_step(tiles, count, PLOY_MOVES_LOOP, offset, &kept, &at);
    CHECK_INT(at.row, 13);
    CHECK_INT(at.col, 11);
}

static ploy_track book_track(uint8_t *map) {
    ploy_track track = {map, 20, 20, true};
    memset(map, 0, 400);
    static const ploy_tile ends[6][2] = {{{3, 2}, {16, 2}},   {{16, 2}, {16, 11}},
                                         {{16, 11}, {9, 11}}, {{9, 11}, {9, 2}},
                                         {{9, 6}, {3, 6}},    {{3, 6}, {3, 2}}};
    for (int i = 0; i < 6; i++) (void)ploy_track_line(&track, ends[i][0], ends[i][1]);
    return track;
}

TEST(the_track_matrix_has_the_books_branches) {
    // INT-10.
    uint8_t map[400];
    ploy_track track = book_track(map);
    int32_t tiles = 0, by_count[9] = {0};
    for (int32_t row = 0; row < 20; row++) {
        for (int32_t col = 0; col < 20; col++) {
            ploy_tile tile = {row, col};
            if (!ployi_track_has(&track, tile)) continue;
            tiles++;
            by_count[ploy_track_neighbours(&track, tile, NULL)]++;
        }
    }
    CHECK_INT(tiles, 47);
    CHECK_INT(by_count[2], 29);
    CHECK_INT(by_count[3], 16);
    CHECK_INT(by_count[4], 2);
    static const struct {
        ploy_tile tile;
        int32_t count;
    } rows[] = {{{8, 6}, 4},  {{9, 3}, 4}, {{3, 2}, 2}, {{16, 2}, 2}, {{16, 11}, 2},
                {{9, 11}, 2}, {{3, 6}, 2}, {{9, 2}, 3}, {{9, 6}, 3}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        CHECK_INT(ploy_track_neighbours(&track, rows[i].tile, NULL), rows[i].count);
    }
    ploy_tile off = {20, 0}, on = {3, 2};
    CHECK_INT(ploy_track_line(&track, on, off), PLOY_ERR_ARGUMENT);
    CHECK(!ployi_track_has(&track, off));
}

TEST(a_mover_stays_on_the_track_and_leaves_dead_ends) {
    uint8_t map[400];
    for (int diagonal = 0; diagonal < 2; diagonal++) {
        ploy_track track = book_track(map);
        track.diagonal = diagonal == 1;
        ploy_rng_key key = ploy_rng_key_make(3);
        ploy_tile at = {3, 2}, from = {3, 2};
        bool seen[400] = {false};
        for (uint64_t tick = 0; tick < 3000; tick++) {
            ploy_tile next = ploy_track_step(&track, at, from, key, 1, tick);
            CHECK(ployi_track_has(&track, next));
            CHECK(next.row != at.row || next.col != at.col);
            seen[next.row * 20 + next.col] = true;
            from = at;
            at = next;
        }
        int32_t visited = 0;
        for (int i = 0; i < 400; i++) visited += seen[i];
        CHECK(visited >= 45);
    }
    ploy_track track = {map, 1, 3, true};
    memset(map, 1, 3);
    ploy_tile end = {0, 2}, before = {0, 1}, alone = {0, 0};
    CHECK_INT(ploy_track_step(&track, end, before, ploy_rng_key_make(1), 0, 0).col, 1);
    map[1] = 0;
    CHECK_INT(ploy_track_step(&track, alone, before, ploy_rng_key_make(1), 0, 0).col, 0);
}

TEST(steering_weakens_toward_the_limit_and_never_to_nothing) {
    // INT-13: limit 90 degrees; 0, 45, 85.5 and 89 degrees turned.
    static const double rows[4][2] = {{0, 1}, {45, 0.5}, {85.5, 0.05}, {89, 0.05}};
    ploy_maneuver turn = {1.0f, 0.5f, 90.0f * degree, 0.0f};
    ploy_maneuvers list = {&turn, 1, 1, 0.05f};
    for (int i = 0; i < 4; i++) {
        ploy_kinematic body = ploy_kinematic_make(ploy_vec2_zero(), 0.0f);
        ploy_maneuver_state state = ploy_maneuver_begin(body);
        ploy_maneuver_output out;
        body.orientation = (float)rows[i][0] * degree;
        CHECK(ploy_maneuver_step(&list, &state, body, &out));
        CHECK_NEAR(out.steer, rows[i][1], 1e-5);
        CHECK_SAME(out.thrust, 0.5f);
    }
}

// A small craft: thrust ahead, steering turns it.
static ploy_kinematic sail(ploy_kinematic body, ploy_maneuver_output out) {
    body.orientation = ploy_angle_wrap(body.orientation + out.steer * 1.5f / 60.0f);
    body.velocity = ploy_vec2_scale(ploy_angle_heading(body.orientation), 10.0f * out.thrust);
    body.position = ploy_vec2_add_scaled(body.position, body.velocity, 1.0f / 60.0f);
    return body;
}

TEST(square_and_zigzag_patrols_close_and_advance) {
    // INT-11, INT-12, INT-14. The square: straight 20, right 90, four times; from any heading.
    static const ploy_maneuver square[2] = {{0, 1, 0, 20}, {-1, 1, PLOY_HALF_PI_F, 0}};
    static const ploy_maneuver zigzag[4] = {
        {0, 1, 0, 10}, {-1, 1, 1.0471976f, 0}, {0, 1, 0, 10}, {1, 1, 1.0471976f, 0}};
    for (int k = 0; k < 8; k++) {
        ploy_kinematic body = ploy_kinematic_make(ploy_vec2_make(3, 4), 0.7f * (float)k - 2.0f);
        ploy_vec2 start = body.position;
        float heading = body.orientation;
        ploy_maneuvers list = {square, 2, 4, 0.05f};
        ploy_maneuver_state state = ploy_maneuver_begin(body);
        ploy_maneuver_output out;
        int ticks = 0;
        while (ploy_maneuver_step(&list, &state, body, &out)) {
            body = sail(body, out);
            CHECK(++ticks < 10000);
        }
        CHECK_NEAR(ploy_vec2_distance(body.position, start), 0.0, 2.0);
        CHECK_NEAR(ploy_angle_difference(body.orientation, heading), 0.0, 0.1);
        CHECK(!ploy_maneuver_step(&list, &state, body, &out));
        CHECK_SAME(out.thrust, 0.0f);
        ploy_maneuvers evade = {zigzag, 4, 0, 0.05f};
        state = ploy_maneuver_begin(body);
        // Between two legs, 30 degrees to the right of the first: it advances along that line by at
        // least half of what it sails, and stays near it.
        ploy_vec2 ahead = ploy_angle_heading(body.orientation - 0.5235988f);
        ploy_vec2 from = body.position, best = {0.0f, 0.0f};
        for (int i = 0; i < 3000; i++) {
            CHECK(ploy_maneuver_step(&evade, &state, body, &out)); // for ever
            body = sail(body, out);
            ploy_vec2 off = ploy_vec2_resolve(ploy_vec2_sub(body.position, from), ahead);
            best.x = fmaxf(best.x, off.x);
            best.y = fmaxf(best.y, fabsf(off.y));
            if (i % 600 == 599) CHECK(off.x > 0.7f * 10.0f * (float)(i + 1) / 60.0f);
        }
        CHECK(best.x > 350.0f);
        CHECK(best.y < 25.0f);
    }
    // Once and a half around, which no angle between two headings can tell.
    static const ploy_maneuver loop = {1, 1, 3.0f * PLOY_PI_F, 0};
    ploy_maneuvers once = {&loop, 1, 1, 0.05f};
    ploy_kinematic body = ploy_kinematic_make(ploy_vec2_zero(), 0.0f);
    ploy_maneuver_state state = ploy_maneuver_begin(body);
    ploy_maneuver_output out;
    while (ploy_maneuver_step(&once, &state, body, &out)) body = sail(body, out);
    CHECK_NEAR(fabsf(body.orientation), PLOY_PI, 0.05);
}

TEST(tiles_are_met_where_both_will_be) {
    // INT-04, with the meetings of INT-01 in tiles.
    static const struct {
        const char *row;
        ploy_tile chaser, chaser_step, prey, prey_step, next, meeting;
    } rows[] = {
        {"head on", {0, 0}, {0, 10}, {0, 100}, {0, -10}, {0, 1}, {0, 50}},
        {"across", {0, 0}, {4, 0}, {40, 30}, {0, -3}, {1, 0}, {40, 0}},
        {"the prey stands", {0, 0}, {0, 1}, {5, 0}, {0, 0}, {1, 0}, {5, 0}},
        {"the same course", {0, 0}, {1, 1}, {9, 9}, {1, 1}, {1, 1}, {9, 9}},
        {"held on the map", {90, 90}, {0, 1}, {90, 95}, {0, 2}, {90, 91}, {90, 99}},
        {"on the prey", {3, 3}, {0, 1}, {3, 3}, {1, 0}, {3, 3}, {3, 3}},
        {"waiting at the meeting", {0, 50}, {0, 0}, {0, 60}, {0, -1}, {0, 51}, {0, 50}},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_tile meeting = {-1, -1};
        ploy_tile next = ploy_tile_intercept(rows[i].chaser, rows[i].chaser_step, rows[i].prey,
                                             rows[i].prey_step, 101, 100, &meeting);
        if (i == 0) CHECK_INT(meeting.col, 50);
        CHECK_BYTES(&next, &rows[i].next, sizeof next);
        CHECK_BYTES(&meeting, &rows[i].meeting, sizeof meeting);
    }
    t->row = NULL;
    ploy_tile far = {1 << 21, 0}, home = {0, 0};
    ploy_tile stay = ploy_tile_intercept(home, home, far, home, 0, 0, NULL);
    CHECK_BYTES(&stay, &home, sizeof stay);
}

TEST(a_chaser_on_tiles_catches_a_slower_prey_sooner_by_interception) {
    // The prey moves every other turn, along a row; the chaser comes from the side.
    int32_t turns[2] = {0, 0};
    for (int way = 0; way < 2; way++) {
        ploy_tile chaser = {30, 0}, step = {0, 0}, prey = {0, 0};
        for (; turns[way] < 400; turns[way]++) {
            if (chaser.row == prey.row && chaser.col == prey.col) break;
            ploy_tile prey_step = {0, turns[way] % 2};
            ploy_tile rest = {0, 0};
            ploy_tile next =
                ploy_tile_intercept(chaser, step, prey, way == 0 ? rest : prey_step, 0, 0, NULL);
            step.row = next.row - chaser.row, step.col = next.col - chaser.col;
            chaser = next;
            prey.col += prey_step.col;
        }
    }
    CHECK(turns[1] < 400);
    CHECK(turns[1] <= turns[0]);
}
