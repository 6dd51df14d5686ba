// Caves, pieces and accretion: what each promises beyond a whole level.
#include "tests/generate/level_check.h"

#include "ploy/base/rng.h"
#include "ploy/generate/accretion.h"
#include "ploy/generate/backtrack.h"
#include "ploy/generate/caves.h"
#include "ploy/generate/pieces.h"

TEST(round_caves_touch_their_parent_and_nothing_else) {
    ploy_env env = ploy_env_default();
    for (int64_t seed = 0; seed < test_rounds(60); seed++) {
        TEST_SEED(seed);
        ploy_caves_def def = ploy_caves_def_default();
        def.method = PLOY_CAVES_CIRCLES;
        ploy_caves *caves = NULL;
        CHECK_OK(ploy_caves_begin(&def, ploy_rng_key_make((uint64_t)seed), NULL, &env, &caves));
        CHECK_OK(ploy_caves_step(caves, NULL));
        int32_t count = 0;
        const ploy_placed *circles = ploy_caves_circles(caves, &count);
        ploy_floor_plan_view view = ploy_floor_plan_get(ploy_caves_plan(caves));
        CHECK(count > 5);
        CHECK_INT(count, view.room_count);
        CHECK_INT(view.link_count, count - 1);
        for (int32_t a = 0; a < count; a++) {
            CHECK(circles[a].position.x - circles[a].radius >= 1.0f);
            CHECK(circles[a].position.y + circles[a].radius <= (float)def.height - 1.0f);
            CHECK(circles[a].radius >= def.radius_min && circles[a].radius <= def.radius_max);
            for (int32_t b = a + 1; b < count; b++) {
                bool joined = view.links[b - 1].from == a && view.links[b - 1].to == b;
                float apart = ploy_vec2_distance(circles[a].position, circles[b].position) -
                              circles[a].radius - circles[b].radius;
                CHECK(joined ? fabsf(apart) < 1e-4f : apart >= def.gap - 1e-4f);
            }
        }
        level_check(t, ploy_caves_plan(caves));
        ploy_caves_cancel(caves);
    }
}

TEST(caves_stop_with_the_number_asked_for) {
    ploy_env env = ploy_env_default();
    ploy_caves_def def = ploy_caves_def_default();
    def.method = PLOY_CAVES_CIRCLES;
    def.max_caves = 4;
    ploy_caves *caves = NULL;
    CHECK_OK(ploy_caves_begin(&def, ploy_rng_key_make(1), NULL, &env, &caves));
    CHECK_OK(ploy_caves_step(caves, NULL));
    CHECK_INT(ploy_caves_outcome(caves).count, 4);
    CHECK(!ploy_caves_outcome(caves).partial);
    ploy_caves_cancel(caves);
}

TEST(worn_caves_have_no_small_pockets_and_a_rim_of_rock) {
    ploy_env env = ploy_env_default();
    for (int64_t seed = 0; seed < test_rounds(60); seed++) {
        TEST_SEED(seed);
        ploy_caves_def def = ploy_caves_def_default();
        ploy_caves *caves = NULL;
        CHECK_OK(ploy_caves_begin(&def, ploy_rng_key_make((uint64_t)seed), NULL, &env, &caves));
        CHECK_OK(ploy_caves_step(caves, NULL));
        ploy_floor_plan_view view = ploy_floor_plan_get(ploy_caves_plan(caves));
        for (int32_t i = 0; i < view.room_count; i++) CHECK(view.rooms[i].cells >= def.min_cells);
        CHECK_INT(view.link_count, view.room_count - 1);
        for (int32_t x = 0; x < view.width; x++) {
            CHECK_INT(view.kinds[x] | view.kinds[(view.height - 1) * view.width + x],
                      PLOY_PLAN_SOLID);
        }
        ploy_floor_plan_stats stats = ploy_floor_plan_stats_of(ploy_caves_plan(caves));
        CHECK(stats.open * 4 > view.width * view.height); // a quarter at least
        ploy_caves_cancel(caves);
    }
}

// The shape of a room as sixteen bits in its rectangle, the smallest over four turns.
static uint32_t shape_of(const ploy_floor_plan_view *view, int32_t room) {
    bool cells[4][4] = {{false}};
    const ploy_plan_room *it = &view->rooms[room];
    for (int32_t y = 0; y < it->height; y++) {
        for (int32_t x = 0; x < it->width; x++) {
            cells[y][x] = view->owners[(it->y + y) * view->width + it->x + x] == room;
        }
    }
    uint32_t least = UINT32_MAX;
    for (int32_t turn = 0; turn < 4; turn++) {
        bool turned[4][4];
        for (int32_t y = 0; y < 4; y++) {
            for (int32_t x = 0; x < 4; x++) turned[y][x] = cells[3 - x][y];
        }
        memcpy(cells, turned, sizeof cells);
        int32_t x0 = 3, y0 = 3;
        for (int32_t i = 0; i < 16; i++) {
            if (!cells[i / 4][i % 4]) continue;
            if (i % 4 < x0) x0 = i % 4;
            if (i / 4 < y0) y0 = i / 4;
        }
        uint32_t bits = 0;
        for (int32_t y = y0; y < 4; y++) {
            for (int32_t x = x0; x < 4; x++) {
                bits |= (uint32_t)cells[y][x] << ((y - y0) * 4 + x - x0);
            }
        }
        if (bits < least) least = bits;
    }
    return least;
}

TEST(room_levels_use_all_four_shapes_with_doors_between) {
    static const uint32_t shapes[] = {0x1, 0x3, 0x33, 0x13}; // 1x1, 2x1, 2x2, L
    int32_t seen[4] = {0};
    ploy_env env = ploy_env_default();
    for (int64_t seed = 0; seed < test_rounds(60); seed++) {
        TEST_SEED(seed);
        ploy_pieces_def def = ploy_pieces_def_default();
        def.loops = seed % 2 == 0 ? 0.0f : 0.3f;
        ploy_pieces *level = NULL;
        CHECK_OK(ploy_pieces_begin(&def, ploy_rng_key_make((uint64_t)seed), NULL, 0, NULL, &env,
                                   &level));
        CHECK_OK(ploy_pieces_step(level, NULL));
        ploy_floor_plan_view view = ploy_floor_plan_get(ploy_pieces_plan(level));
        CHECK_INT(view.room_count, def.pieces);
        int32_t trees = 0;
        for (int32_t i = 0; i < view.link_count; i++) trees += !view.links[i].loop;
        CHECK_INT(trees, view.room_count - 1);
        CHECK_INT(view.door_count, 2 * view.link_count); // one into each of the two rooms
        for (int32_t i = 0; i < view.room_count; i++) {
            int32_t piece = view.rooms[i].value;
            CHECK(piece >= 0 && piece < 4);
            seen[piece]++;
            uint32_t want = shapes[piece];
            uint32_t got = shape_of(&view, i);
            CHECK_UINT(got, want);
        }
        level_check(t, ploy_pieces_plan(level));
        ploy_pieces_cancel(level);
    }
    for (int32_t i = 0; i < 4; i++) CHECK(seen[i] > 50);
}

TEST(pieces_meet_only_at_their_exits) {
    ploy_env env = ploy_env_default();
    int32_t count = 0;
    const ploy_piece *halls = ploy_pieces_of(PLOY_PIECES_HALLS, &count);
    CHECK_INT(count, 5);
    for (int64_t seed = 0; seed < test_rounds(40); seed++) {
        TEST_SEED(seed);
        ploy_pieces_def def = ploy_pieces_def_default();
        def.loops = 0.5f;
        ploy_pieces *level = NULL;
        CHECK_OK(ploy_pieces_begin(&def, ploy_rng_key_make((uint64_t)seed), halls, count, NULL,
                                   &env, &level));
        CHECK_OK(ploy_pieces_step(level, NULL));
        ploy_floor_plan_view view = ploy_floor_plan_get(ploy_pieces_plan(level));
        for (int32_t i = 0; i < view.room_count; i++) {
            CHECK_INT(view.rooms[i].cells, halls[view.rooms[i].value].cell_count);
            if (view.rooms[i].value == 0)
                CHECK(view.rooms[i].doors <= 2); // a corridor has two ends
            if (view.rooms[i].value == 3) CHECK(view.rooms[i].doors <= 4);
        }
        level_check(t, ploy_pieces_plan(level));
        ploy_pieces_cancel(level);
    }
}

TEST(merged_pieces_are_open_along_their_side) {
    ploy_env env = ploy_env_default();
    int32_t passages[2];
    for (int32_t broad = 0; broad < 2; broad++) {
        ploy_pieces_def def = ploy_pieces_def_default();
        def.loops = 0.0f;
        def.broad = broad != 0;
        ploy_pieces *level = NULL;
        CHECK_OK(ploy_pieces_begin(&def, ploy_rng_key_make(6), NULL, 0, NULL, &env, &level));
        CHECK_OK(ploy_pieces_step(level, NULL));
        passages[broad] = ploy_floor_plan_stats_of(ploy_pieces_plan(level)).passages;
        level_check(t, ploy_pieces_plan(level));
        ploy_pieces_cancel(level);
    }
    CHECK(passages[1] > passages[0]);
}

TEST(faulty_pieces_are_refused) {
    static const struct {
        const char *row;
        ploy_piece piece;
    } rows[] = {
        {"no cells", {"p", 1, 0, {{0, 0, 15}}}},
        {"a cell twice", {"p", 1, 2, {{0, 0, 15}, {0, 0, 15}}}},
        {"no exit", {"p", 1, 1, {{0, 0, 0}}}},
        {"only an exit inside", {"p", 1, 2, {{0, 0, 1}, {1, 0, 0}}}},
        {"two parts", {"p", 1, 2, {{0, 0, 15}, {2, 0, 15}}}},
        {"negative weight", {"p", -1, 1, {{0, 0, 15}}}},
        {"sides that do not exist", {"p", 1, 1, {{0, 0, 16}}}},
    };
    ploy_env env = ploy_env_default();
    ploy_pieces_def def = ploy_pieces_def_default();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_pieces *level = NULL;
        CHECK_INT(
            ploy_pieces_begin(&def, ploy_rng_key_make(1), &rows[i].piece, 1, NULL, &env, &level),
            PLOY_ERR_ARGUMENT);
        CHECK(level == NULL);
    }
}

TEST(accretion_cuts_long_detours_only) {
    ploy_env env = ploy_env_default();
    int32_t loops = 0;
    for (int64_t seed = 0; seed < test_rounds(40); seed++) {
        TEST_SEED(seed);
        ploy_accretion_def def = ploy_accretion_def_default();
        ploy_accretion *level = NULL;
        CHECK_OK(ploy_accretion_begin(&def, ploy_rng_key_make((uint64_t)seed), NULL, &env, &level));
        CHECK_OK(ploy_accretion_step(level, NULL));
        ploy_floor_plan_view view = ploy_floor_plan_get(ploy_accretion_plan(level));
        int32_t trees = 0,
                *distances = malloc(sizeof(int32_t) * (size_t)(view.width * view.height));
        for (int32_t i = 0; i < view.link_count; i++) trees += !view.links[i].loop;
        CHECK_INT(trees, view.room_count - 1);
        CHECK(view.room_count > 8);
        // Without the last loop its two sides are far apart; earlier ones were cut before it.
        for (int32_t i = view.door_count - 1; i >= 0 && i == view.door_count - 1; i--) {
            const ploy_plan_door *door = &view.doors[i];
            if (door->link < 0 || !view.links[door->link].loop) break;
            loops++;
            ploy_floor_plan *copy = NULL;
            CHECK_OK(ploy_floor_plan_copy(ploy_accretion_plan(level), &env, &copy));
            ploy_floor_plan_view cut = ploy_floor_plan_get(copy);
            int32_t a = door->cell + ploy_plan_step_x(door->direction) +
                        ploy_plan_step_y(door->direction) * view.width;
            int32_t b = door->cell - ploy_plan_step_x(door->direction) -
                        ploy_plan_step_y(door->direction) * view.width;
            uint8_t *exits = (uint8_t *)(uintptr_t)cut.exits; // the copy is the test's own
            for (int32_t way = 0; way < 4; way++) {
                int32_t next =
                    door->cell + ploy_plan_step_x(way) + ploy_plan_step_y(way) * view.width;
                exits[next] = (uint8_t)(exits[next] & ~(1 << (3 - way)));
            }
            cut.entrance = a;
            level_flood(&cut, NULL, distances);
            CHECK(distances[b] < 0 || distances[b] >= def.loop_detour);
            ploy_floor_plan_destroy(copy);
        }
        free(distances);
        ploy_accretion_cancel(level);
    }
    CHECK(loops > 10);
}

// A path graph: place i leads to i + 1; place 3 leads to 10 first.
static ploy_backtrack_turn next_place(void *user, int32_t place, ploy_rng *rng, int32_t *next) {
    int32_t *used = user;
    (void)rng;
    if (place == 3 && !used[10]) {
        used[10] = 1;
        *next = 10;
        return PLOY_BACKTRACK_NEW;
    }
    if (place == 2 && !used[11]) {
        used[11] = 1;
        return PLOY_BACKTRACK_RETRY;
    }
    if (place >= 5 || used[place + 1]) return PLOY_BACKTRACK_NONE;
    used[place + 1] = 1;
    *next = place + 1;
    return PLOY_BACKTRACK_NEW;
}

TEST(backtracking_works_over_any_places) {
    ploy_env env = ploy_env_default();
    ploy_backtrack work;
    ploy_backtrack_init(&work, &env);
    int32_t used[12] = {1};
    ploy_backtrack_places places = {next_place, NULL, used};
    ploy_rng rng = ploy_rng_make(1);
    CHECK_OK(ploy_backtrack_start(&work, 0));
    int32_t steps = 0;
    ploy_result result = PLOY_IN_PROGRESS;
    for (; result == PLOY_IN_PROGRESS; steps++) {
        ploy_budget one = ploy_budget_units(1);
        result = ploy_backtrack_step(&work, &places, &rng, &one);
    }
    CHECK_OK(result);
    CHECK_INT(work.places, 7);
    CHECK_INT(work.peak, 6);
    CHECK_INT(work.dead_ends, 2); // 10 and 5
    CHECK_INT(work.tries, 6 + 7 + 1);
    memset(used, 0, sizeof used);
    used[0] = 1;
    work.max_tries = 3;
    CHECK_OK(ploy_backtrack_start(&work, 0));
    CHECK_OK(ploy_backtrack_step(&work, &places, &rng, NULL));
    CHECK(work.out_of_tries);
    ploy_backtrack_fini(&work);
}
