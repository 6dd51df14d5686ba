// Wave function collapse: every piece of a result occurs in its sample, every pair is allowed, conditions
// hold, and a conflict is undone exactly.
#include "ploy/generate/wfc.h"
#include "tests/test.h"

#include <string.h>

// A picture as text, the highest row first, one letter a tile.
typedef struct picture {
    int32_t columns, rows;
    int32_t tiles[32 * 32];
} picture;

static picture picture_of(const char *const *lines, int32_t rows) {
    picture sample;
    sample.columns = (int32_t)strlen(lines[0]);
    sample.rows = rows;
    for (int32_t y = 0; y < rows; y++) {
        for (int32_t x = 0; x < sample.columns; x++) {
            sample.tiles[(rows - 1 - y) * sample.columns + x] = lines[y][x];
        }
    }
    return sample;
}

// Rooms with doors, as dungeons have.
static picture rooms_sample(void) {
    static const char *const lines[] = {
        "################", "#......##......#", "#......##......#", "#..............#",
        "#......##......#", "#......##......#", "####.########.##", "####.########.##",
        "#......##......#", "#......##......#", "#..............#", "#......##......#",
        "#......##......#", "################", "################", "################",
    };
    return picture_of(lines, 16);
}

// Houses on a ground under the sky.
static picture skyline_sample(void) {
    static const char *const lines[] = {
        "........", "........", "..hh....", "..hh....", "..hh.hh.", "..hh.hh.", "gggggggg",
    };
    return picture_of(lines, 7);
}

static ploy_wfc_def small_def(void) {
    ploy_wfc_def def = ploy_wfc_def_default();
    def.columns = 20;
    def.rows = 18;
    return def;
}

static ploy_wfc *run_model(test_context *t, const ploy_wfc_def *def, uint64_t seed,
                           const ploy_wfc_model *model) {
    ploy_env env = ploy_env_default();
    ploy_wfc *wfc = NULL;
    CHECK_OK(ploy_wfc_begin(def, ploy_rng_key_make(seed), model, NULL, &env, &wfc));
    CHECK_OK(ploy_wfc_step(wfc, NULL));
    return wfc;
}

// True if the n by n piece at a place of the result occurs in the sample, turned and mirrored as allowed:
// the slow way, without the model.
static bool occurs(const ploy_wfc_def *def, const picture *sample, const int32_t *tiles, int32_t x,
                   int32_t y) {
    int32_t n = def->n;
    int32_t right = def->sample_periodic ? sample->columns : sample->columns - n + 1;
    int32_t top = def->sample_periodic ? sample->rows : sample->rows - n + 1;
    for (int32_t place = 0; place < right * top * def->symmetry; place++) {
        int32_t form = place % def->symmetry, px = place / def->symmetry % right;
        int32_t py = place / def->symmetry / right;
        bool same = true;
        for (int32_t k = 0; same && k < n * n; k++) {
            int32_t i = k % n, j = k / n;
            int32_t want = tiles[(y + j) % def->rows * def->columns + (x + i) % def->columns];
            // Where the tile stands in the form: mirror first, then turn back.
            if (form % 2 == 1) i = n - 1 - i;
            for (int32_t turn = 0; turn < form / 2; turn++) {
                int32_t old = i;
                i = j;
                j = n - 1 - old;
            }
            int32_t sx = (px + i) % sample->columns, sy = (py + j) % sample->rows;
            same = sample->tiles[sy * sample->columns + sx] == want;
        }
        if (same) return true;
    }
    return false;
}

static void check_pieces(test_context *t, const ploy_wfc_def *def, const picture *sample,
                         const int32_t *tiles) {
    int32_t right = def->periodic ? def->columns : def->columns - def->n + 1;
    int32_t top = def->periodic ? def->rows : def->rows - def->n + 1;
    for (int32_t y = 0; y < top; y++) {
        for (int32_t x = 0; x < right; x++) CHECK(occurs(def, sample, tiles, x, y));
    }
}

TEST(every_piece_of_a_result_occurs_in_the_sample) {
    ploy_env env = ploy_env_default();
    picture sample = rooms_sample();
    for (int32_t i = 0; i < 24; i++) {
        ploy_wfc_def def = small_def();
        def.periodic = i % 2 == 0;
        def.sample_periodic = i % 3 != 0;
        def.n = 2 + i % 2;
        def.symmetry = i % 4 == 3 ? 8 : i % 4 + 1;
        def.order = (ploy_wfc_order)(i % PLOY_WFC_ORDER_COUNT);
        ploy_wfc_model *model = NULL;
        CHECK_OK(ploy_wfc_model_from_sample(&def, sample.tiles, sample.columns, sample.rows, &env,
                                            &model));
        ploy_wfc *wfc = run_model(t, &def, (uint64_t)i, model);
        ploy_generate_outcome outcome = ploy_wfc_outcome(wfc);
        CHECK(outcome.done);
        if (!outcome.partial) {
            check_pieces(t, &def, &sample, ploy_wfc_tiles(wfc));
        } else {
            CHECK(i % 4 != 3); // with all forms there is always a result
        }
        ploy_wfc_cancel(wfc);
        ploy_wfc_model_destroy(model);
    }
}

TEST(a_model_knows_weights_and_neighbours) {
    ploy_env env = ploy_env_default();
    static const char *const lines[] = {"ab", "ba"};
    picture sample = picture_of(lines, 2);
    ploy_wfc_def def = small_def();
    def.n = 2;
    def.symmetry = 1;
    ploy_wfc_model *model = NULL;
    CHECK_OK(ploy_wfc_model_from_sample(&def, sample.tiles, 2, 2, &env, &model));
    CHECK_INT(ploy_wfc_model_count(model), 2); // a chessboard has two pieces
    for (int32_t i = 0; i < 2; i++) {
        CHECK_NEAR(ploy_wfc_model_at(model, i).weight, 2.0, 0.0);
        for (int32_t d = 0; d < 4; d++) {
            CHECK(!ploy_wfc_model_allows(model, i, i, d));
            CHECK(ploy_wfc_model_allows(model, i, 1 - i, d));
        }
    }
    CHECK_INT(ploy_wfc_model_tile(model, 0, 0, 0), 'b');
    CHECK_INT(ploy_wfc_model_tile(model, 0, 1, 0), 'a');
    // An odd periodic chessboard does not exist, and no decision is needed to see it... one is: two colours.
    def.columns = 5;
    def.rows = 4;
    ploy_wfc *wfc = run_model(t, &def, 3, model);
    ploy_generate_outcome outcome = ploy_wfc_outcome(wfc);
    CHECK(outcome.partial);
    CHECK_TEXT(outcome.limit, ""); // proved, not given up
    CHECK(ploy_wfc_conflict_of(wfc).column >= 0);
    ploy_wfc_cancel(wfc);
    def.columns = 6;
    wfc = run_model(t, &def, 3, model);
    CHECK(!ploy_wfc_outcome(wfc).partial);
    CHECK_INT(ploy_wfc_outcome(wfc).attempts, 1); // one decision settles all
    ploy_wfc_cancel(wfc);
    ploy_wfc_model_destroy(model);
}

TEST(the_ground_is_at_the_bottom) {
    ploy_env env = ploy_env_default();
    picture sample = skyline_sample();
    for (int32_t i = 0; i < 20; i++) {
        ploy_wfc_def def = small_def();
        def.periodic = i % 2 == 0;
        def.ground = true;
        def.symmetry = 2;
        ploy_wfc_model *model = NULL;
        CHECK_OK(ploy_wfc_model_from_sample(&def, sample.tiles, sample.columns, sample.rows, &env,
                                            &model));
        ploy_wfc *wfc = run_model(t, &def, (uint64_t)i, model);
        CHECK(!ploy_wfc_outcome(wfc).partial);
        const int32_t *tiles = ploy_wfc_tiles(wfc);
        for (int32_t k = 0; k < def.columns * def.rows; k++) {
            CHECK_INT(tiles[k] == 'g', k < def.columns);
        }
        check_pieces(t, &def, &sample, tiles);
        ploy_wfc_cancel(wfc);
        ploy_wfc_model_destroy(model);
    }
}

// Pipes: a bend, a straight one and an empty tile. Every open side meets an open side.
enum { PIPE_EMPTY, PIPE_STRAIGHT, PIPE_BEND, PIPE_COUNT };
static const ploy_wfc_tile pipe_tiles[PIPE_COUNT] = {
    {PLOY_WFC_X, 2.0f}, {PLOY_WFC_I, 1.0f}, {PLOY_WFC_L, 1.0f}};
// Turn 0 of the straight one is vertical; the bend is open at +y and +x, as the letter.
static const ploy_wfc_pair pipe_pairs[] = {
    {PIPE_EMPTY, 0, PIPE_EMPTY, 0},       {PIPE_EMPTY, 0, PIPE_STRAIGHT, 0},
    {PIPE_STRAIGHT, 0, PIPE_STRAIGHT, 0}, {PIPE_STRAIGHT, 1, PIPE_STRAIGHT, 1},
    {PIPE_EMPTY, 0, PIPE_BEND, 0},        {PIPE_BEND, 0, PIPE_STRAIGHT, 1},
    {PIPE_STRAIGHT, 0, PIPE_BEND, 0},     {PIPE_BEND, 0, PIPE_BEND, 1},
    {PIPE_BEND, 0, PIPE_BEND, 2},         {PIPE_BEND, 1, PIPE_BEND, 0},
    {PIPE_BEND, 2, PIPE_BEND, 0},
};

// The open sides of a form, from the picture of the tile turned counter-clockwise.
static uint8_t pipe_open(ploy_wfc_pattern pattern) {
    static const uint8_t plain[PIPE_COUNT] = {0, 2 | 4, 1 | 2};
    uint8_t open = plain[pattern.tile];
    for (int32_t turn = 0; turn < pattern.turn; turn++) {
        uint8_t next = 0; // +x to +y to -x to -y
        if (open & 1) next |= 2;
        if (open & 2) next |= 8;
        if (open & 8) next |= 4;
        if (open & 4) next |= 1;
        open = next;
    }
    return open;
}

static ploy_wfc_model *pipe_model(test_context *t) {
    ploy_env env = ploy_env_default();
    ploy_wfc_model *model = NULL;
    CHECK_OK(ploy_wfc_model_from_tiles(pipe_tiles, PIPE_COUNT, pipe_pairs,
                                       (int32_t)(sizeof pipe_pairs / sizeof pipe_pairs[0]), &env,
                                       &model));
    return model;
}

TEST(forms_of_tiles_meet_as_their_pictures_do) {
    ploy_wfc_model *model = pipe_model(t);
    int32_t count = ploy_wfc_model_count(model);
    CHECK_INT(count, 1 + 2 + 4);
    int32_t allowed = 0;
    for (int32_t a = 0; a < count; a++) {
        for (int32_t b = 0; b < count; b++) {
            uint8_t one = pipe_open(ploy_wfc_model_at(model, a));
            uint8_t two = pipe_open(ploy_wfc_model_at(model, b));
            for (int32_t d = 0; d < 4; d++) {
                bool fits = (one >> d & 1) == (two >> (3 - d) & 1);
                CHECK_INT(ploy_wfc_model_allows(model, a, b, d), fits);
                CHECK_INT(ploy_wfc_model_allows(model, a, b, d),
                          ploy_wfc_model_allows(model, b, a, 3 - d));
                allowed += fits;
            }
        }
    }
    CHECK(allowed > 0);
    ploy_wfc_model_destroy(model);
}

TEST(a_map_of_tiles_has_only_allowed_pairs) {
    ploy_wfc_model *model = pipe_model(t);
    for (uint64_t seed = 0; seed < 40; seed++) {
        ploy_wfc_def def = small_def();
        def.periodic = seed % 2 == 0;
        def.order = (ploy_wfc_order)(seed % PLOY_WFC_ORDER_COUNT);
        ploy_wfc *wfc = run_model(t, &def, seed, model);
        CHECK(!ploy_wfc_outcome(wfc).partial);
        const int32_t *tiles = ploy_wfc_tiles(wfc);
        for (int32_t y = 0; y < def.rows; y++) {
            for (int32_t x = 0; x < def.columns; x++) {
                int32_t tile = tiles[y * def.columns + x];
                CHECK_INT(ploy_wfc_left_at(wfc, x, y), 1);
                if (def.periodic || x + 1 < def.columns) {
                    CHECK(ploy_wfc_model_allows(model, tile,
                                                tiles[y * def.columns + (x + 1) % def.columns], 0));
                }
                if (def.periodic || y + 1 < def.rows) {
                    CHECK(ploy_wfc_model_allows(model, tile,
                                                tiles[(y + 1) % def.rows * def.columns + x], 1));
                }
            }
        }
        ploy_wfc_cancel(wfc);
    }
    ploy_wfc_model_destroy(model);
}

TEST(painted_cells_hold) {
    ploy_env env = ploy_env_default();
    picture sample = rooms_sample();
    for (int32_t i = 0; i < 20; i++) {
        ploy_wfc_def def = small_def();
        def.periodic = i % 2 == 0;
        ploy_wfc_model *model = NULL;
        CHECK_OK(ploy_wfc_model_from_sample(&def, sample.tiles, sample.columns, sample.rows, &env,
                                            &model));
        ploy_wfc *wfc = NULL;
        CHECK_OK(ploy_wfc_begin(&def, ploy_rng_key_make((uint64_t)i), model, NULL, &env, &wfc));
        const int32_t wall = '#', floor = '.', either[] = {'#', '.'};
        CHECK_OK(ploy_wfc_allow(wfc, 3, 4, &floor, 1));
        CHECK_OK(ploy_wfc_allow(wfc, def.columns - 1, def.rows - 1, &wall, 1)); // the far corner
        CHECK_OK(ploy_wfc_allow(wfc, 9, 9, either, 2));
        CHECK_INT(ploy_wfc_allow(wfc, def.columns, 0, &wall, 1), PLOY_ERR_ARGUMENT);
        CHECK_INT(ploy_wfc_allow(wfc, 0, 0, &wall, 0), PLOY_ERR_ARGUMENT);
        CHECK_OK(ploy_wfc_step(wfc, NULL));
        CHECK_INT(ploy_wfc_allow(wfc, 0, 0, &wall, 1), PLOY_ERR_STATE);
        CHECK(!ploy_wfc_outcome(wfc).partial);
        const int32_t *tiles = ploy_wfc_tiles(wfc);
        CHECK_INT(tiles[4 * def.columns + 3], '.');
        CHECK_INT(tiles[def.rows * def.columns - 1], '#');
        check_pieces(t, &def, &sample, tiles);
        ploy_wfc_cancel(wfc);
        // A tile that the sample does not have: no result, and the cell is named.
        CHECK_OK(ploy_wfc_begin(&def, ploy_rng_key_make((uint64_t)i), model, NULL, &env, &wfc));
        const int32_t unknown = '?';
        CHECK_OK(ploy_wfc_allow(wfc, 5, 6, &unknown, 1));
        CHECK_OK(ploy_wfc_step(wfc, NULL));
        CHECK(ploy_wfc_outcome(wfc).partial);
        CHECK_INT(ploy_wfc_conflict_of(wfc).column, 5);
        CHECK_INT(ploy_wfc_conflict_of(wfc).row, 6);
        ploy_wfc_cancel(wfc);
        ploy_wfc_model_destroy(model);
    }
}

// Flood over open sides: true if the one cell is reached from the other.
static bool reaches(const ploy_wfc_def *def, const int32_t *tiles, const uint8_t *open,
                    int32_t from, int32_t to) {
    static int32_t queue[1024];
    static bool seen[1024];
    memset(seen, 0, sizeof seen);
    int32_t head = 0, tail = 0;
    queue[tail++] = from;
    seen[from] = true;
    while (head < tail) {
        int32_t cell = queue[head++];
        for (int32_t d = 0; d < 4; d++) {
            static const int32_t dx[4] = {1, 0, 0, -1}, dy[4] = {0, 1, -1, 0};
            int32_t x = cell % def->columns + dx[d], y = cell / def->columns + dy[d];
            if (x < 0 || y < 0 || x >= def->columns || y >= def->rows) continue;
            int32_t beside = y * def->columns + x;
            if (seen[beside] || !(open[tiles[cell]] >> d & 1) ||
                !(open[tiles[beside]] >> (3 - d) & 1)) {
                continue;
            }
            seen[beside] = true;
            queue[tail++] = beside;
        }
    }
    return seen[to];
}

TEST(demanded_cells_are_connected) {
    ploy_env env = ploy_env_default();
    ploy_wfc_model *model = pipe_model(t);
    uint8_t open[16];
    for (int32_t i = 0; i < ploy_wfc_model_count(model); i++)
        open[i] = pipe_open(ploy_wfc_model_at(model, i));
    int32_t without = 0;
    for (uint64_t seed = 0; seed < 30; seed++) {
        ploy_wfc_def def = small_def();
        def.columns = def.rows = 10;
        def.periodic = false;
        def.max_backtracks = 100000;
        ploy_wfc *wfc = run_model(t, &def, seed, model);
        without += reaches(&def, ploy_wfc_tiles(wfc), open, 0, 99);
        ploy_wfc_cancel(wfc);
        CHECK_OK(ploy_wfc_begin(&def, ploy_rng_key_make(seed), model, NULL, &env, &wfc));
        CHECK_OK(ploy_wfc_connect(wfc, 0, 0, 9, 9, open, ploy_wfc_model_count(model)));
        CHECK_OK(ploy_wfc_connect(wfc, 4, 4, 0, 0, NULL, 0));
        CHECK_INT(ploy_wfc_connect(wfc, 0, 0, 10, 9, NULL, 0), PLOY_ERR_ARGUMENT);
        CHECK_OK(ploy_wfc_step(wfc, NULL));
        CHECK(!ploy_wfc_outcome(wfc).partial); // a connected map exists
        CHECK(reaches(&def, ploy_wfc_tiles(wfc), open, 0, 99));
        CHECK(reaches(&def, ploy_wfc_tiles(wfc), open, 44, 0));
        ploy_wfc_cancel(wfc);
    }
    CHECK(without < 5); // by chance it hardly ever happens
    ploy_wfc_model_destroy(model);
}

// Full cells and closed edges: pipes that never end, without an empty tile. Conflicts are frequent.
static ploy_wfc_model *full_model(test_context *t) {
    ploy_env env = ploy_env_default();
    ploy_wfc_pair pairs[16];
    int32_t count = 0;
    for (size_t i = 0; i < sizeof pipe_pairs / sizeof pipe_pairs[0]; i++) {
        ploy_wfc_pair pair = pipe_pairs[i];
        if (pair.left == PIPE_EMPTY || pair.right == PIPE_EMPTY) continue;
        pair.left--;
        pair.right--;
        pairs[count++] = pair;
    }
    ploy_wfc_model *model = NULL;
    CHECK_OK(ploy_wfc_model_from_tiles(pipe_tiles + 1, PIPE_COUNT - 1, pairs, count, &env, &model));
    return model;
}

// Limits the cells at the edges to tiles that are closed there.
static void close_edges(test_context *t, ploy_wfc *wfc, const ploy_wfc_def *def,
                        const ploy_wfc_model *model) {
    for (int32_t cell = 0; cell < def->columns * def->rows; cell++) {
        int32_t x = cell % def->columns, y = cell / def->columns;
        uint8_t closed = (uint8_t)((x + 1 == def->columns) | (y + 1 == def->rows) << 1 |
                                   (y == 0) << 2 | (x == 0) << 3);
        int32_t tiles[8], count = 0;
        for (int32_t i = 0; i < ploy_wfc_model_count(model); i++) {
            ploy_wfc_pattern pattern = ploy_wfc_model_at(model, i);
            pattern.tile++;
            if ((pipe_open(pattern) & closed) == 0) tiles[count++] = i;
        }
        CHECK_OK(ploy_wfc_allow(wfc, x, y, tiles, count));
    }
}

static ploy_wfc *begin_full(test_context *t, const ploy_wfc_def *def, uint64_t seed,
                            const ploy_wfc_model *model) {
    ploy_env env = ploy_env_default();
    ploy_wfc *wfc = NULL;
    CHECK_OK(ploy_wfc_begin(def, ploy_rng_key_make(seed), model, NULL, &env, &wfc));
    close_edges(t, wfc, def, model);
    return wfc;
}

// Undoing is exact: with a restart after each conflict, after some, or with backtracking alone, results are
// right, and a run in small slices equals a run in one go.
TEST(slices_and_conflicts_change_nothing) {
    ploy_wfc_model *model = full_model(t);
    int64_t conflicts = 0;
    int32_t solved = 0;
    for (int32_t i = 0; i < 60; i++) {
        ploy_wfc_def def = small_def();
        def.periodic = false;
        def.columns = 12;
        def.rows = 12 + i % 3;
        def.order = (ploy_wfc_order)(i % PLOY_WFC_ORDER_COUNT);
        def.max_backtracks = i % 4 == 0 ? 0 : i % 4 == 1 ? 5 : 100000;
        ploy_wfc *whole = begin_full(t, &def, (uint64_t)i, model);
        CHECK_OK(ploy_wfc_step(whole, NULL));
        ploy_wfc *sliced = begin_full(t, &def, (uint64_t)i, model);
        ploy_result result;
        do {
            ploy_budget budget = ploy_budget_units(1 + i % 7);
            result = ploy_wfc_step(sliced, &budget);
        } while (result == PLOY_IN_PROGRESS);
        CHECK_OK(result);
        ploy_generate_outcome a = ploy_wfc_outcome(whole), b = ploy_wfc_outcome(sliced);
        CHECK_INT(a.units, b.units);
        CHECK_INT(a.rejected, b.rejected);
        CHECK_UINT(a.draws, b.draws);
        const int32_t *tiles = ploy_wfc_tiles(whole);
        CHECK_BYTES(tiles, ploy_wfc_tiles(sliced),
                    (size_t)def.columns * (size_t)def.rows * sizeof(int32_t));
        if (a.partial) {
            CHECK_TEXT(a.limit, "max_restarts");
            CHECK(def.max_backtracks < 100000);
        }
        for (int32_t cell = 0; cell < def.columns * def.rows && !a.partial; cell++) {
            int32_t x = cell % def.columns, y = cell / def.columns;
            if (x + 1 < def.columns) {
                CHECK(ploy_wfc_model_allows(model, tiles[cell], tiles[cell + 1], 0));
            }
            if (y + 1 < def.rows) {
                CHECK(ploy_wfc_model_allows(model, tiles[cell], tiles[cell + def.columns], 1));
            }
        }
        solved += !a.partial;
        conflicts += a.rejected;
        ploy_wfc_cancel(whole);
        ploy_wfc_cancel(sliced);
    }
    CHECK(conflicts > 100);
    CHECK(solved > 30);
    ploy_wfc_model_destroy(model);
}

// Every loop needs an even number of cells: an odd board has no result, and the search ends with a proof.
TEST(a_board_without_a_result_is_proved_to_have_none) {
    ploy_wfc_model *model = full_model(t);
    ploy_wfc_def def = small_def();
    def.periodic = false;
    def.columns = def.rows = 5;
    def.max_backtracks = 1 << 30;
    ploy_wfc *wfc = begin_full(t, &def, 7, model);
    CHECK_OK(ploy_wfc_step(wfc, NULL));
    ploy_generate_outcome outcome = ploy_wfc_outcome(wfc);
    CHECK(outcome.partial);
    CHECK_TEXT(outcome.limit, "");
    CHECK(outcome.rejected > 0);
    CHECK(outcome.count > 0); // the best so far
    ploy_wfc_cancel(wfc);
    ploy_wfc_model_destroy(model);
}

static ploy_result wfc_whole(const ploy_env *env, void *arg) {
    picture *sample = arg;
    ploy_wfc_def def = small_def();
    def.columns = def.rows = 6;
    ploy_wfc_model *model = NULL;
    ploy_wfc *wfc = NULL;
    uint8_t open['.' + 1] = {0};
    const int32_t floor = '.';
    open['.'] = 15;
    ploy_result result =
        ploy_wfc_model_from_sample(&def, sample->tiles, sample->columns, sample->rows, env, &model);
    TEST_REPORT(result, env, model, ploy_wfc_model_memory);
    if (result == PLOY_OK)
        result = ploy_wfc_begin(&def, ploy_rng_key_make(1), model, NULL, env, &wfc);
    if (result == PLOY_OK) result = ploy_wfc_allow(wfc, 0, 0, &floor, 1);
    if (result == PLOY_OK) result = ploy_wfc_connect(wfc, 0, 0, 3, 3, open, '.' + 1);
    if (result == PLOY_OK) result = ploy_wfc_step(wfc, NULL);
    ploy_wfc_cancel(wfc);
    ploy_wfc_model_destroy(model);
    if (result != PLOY_OK) return result;
    const ploy_wfc_pair pair = {0, 0, 0, 0};
    result = ploy_wfc_model_from_tiles(pipe_tiles, PIPE_COUNT, &pair, 1, env, &model);
    ploy_wfc_model_destroy(model);
    return result;
}

TEST(out_of_memory_is_a_result) {
    picture sample = rooms_sample();
    CHECK_FAIL_NTH(wfc_whole, &sample);
}

TEST(bad_settings_are_refused) {
    ploy_env env = ploy_env_default();
    picture sample = rooms_sample();
    ploy_wfc_def def = small_def();
    ploy_wfc_model *model = NULL;
    CHECK_INT(ploy_wfc_model_from_sample(&def, sample.tiles, 2, 16, &env, &model),
              PLOY_ERR_ARGUMENT);
    def.n = 7;
    CHECK_INT(ploy_wfc_model_from_sample(&def, sample.tiles, 16, 16, &env, &model),
              PLOY_ERR_ARGUMENT);
    def.n = 3;
    CHECK_OK(ploy_wfc_model_from_sample(&def, sample.tiles, 16, 16, &env, &model));
    def.periodic = false;
    def.columns = 2;
    ploy_wfc *wfc = NULL;
    CHECK_INT(ploy_wfc_begin(&def, ploy_rng_key_make(1), model, NULL, &env, &wfc),
              PLOY_ERR_ARGUMENT);
    ploy_wfc_model_destroy(model);
    ploy_wfc_tile tile = {PLOY_WFC_X, 0.0f};
    CHECK_INT(ploy_wfc_model_from_tiles(&tile, 1, NULL, 0, &env, &model), PLOY_ERR_ARGUMENT);
    tile.weight = 1.0f;
    ploy_wfc_pair pair = {0, 0, 1, 0};
    CHECK_INT(ploy_wfc_model_from_tiles(&tile, 1, &pair, 1, &env, &model), PLOY_ERR_ARGUMENT);
    // No pair at all: a single tile alone is a result, two are not.
    CHECK_OK(ploy_wfc_model_from_tiles(&tile, 1, NULL, 0, &env, &model));
    def.columns = def.rows = 1;
    wfc = run_model(t, &def, 1, model);
    CHECK(!ploy_wfc_outcome(wfc).partial);
    CHECK_INT(ploy_wfc_tiles(wfc)[0], 0);
    ploy_wfc_cancel(wfc);
    def.columns = 2;
    wfc = run_model(t, &def, 1, model);
    CHECK(ploy_wfc_outcome(wfc).partial);
    ploy_wfc_cancel(wfc);
    ploy_wfc_model_destroy(model);
}
