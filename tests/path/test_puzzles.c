// State spaces made on the way, searched like any graph (GRA-09, 23, 25; D-02).
#include "ploy/path/graph_frozen.h"
#include "ploy/search/search.h"
#include "ploy/search/states.h"
#include "tests/test.h"

// Towers of Hanoi: state s has ring i (0 the smallest) on peg s / 3^i % 3.
typedef struct hanoi {
    int32_t rings;
} hanoi;

static ploy_result hanoi_expand(void *user, int32_t state, ploy_edges *out) {
    const hanoi *self = user;
    int32_t top[3] = {-1, -1, -1}, power = 1, powers[16];
    for (int32_t i = 0; i < self->rings; i++, power *= 3) {
        int32_t peg = state / power % 3;
        powers[i] = power;
        if (top[peg] < 0) top[peg] = i;
    }
    for (int32_t from = 0; from < 3; from++) {
        for (int32_t to = 0; to < 3; to++) {
            if (from == to || top[from] < 0 || (top[to] >= 0 && top[to] < top[from])) continue;
            ploy_result result =
                ploy_edges_add(out, state + (to - from) * powers[top[from]], 1.0, from * 3 + to);
            if (result != PLOY_OK) return result;
        }
    }
    return PLOY_OK;
}

TEST(hanoi_has_as_many_states_ways_and_moves_as_it_should) { // GRA-09, N-09
    ploy_env env = ploy_env_default();
    static const struct {
        const char *row;
        int32_t rings, states, ways, moves;
    } rows[] = {{"three rings", 3, 27, 78, 7},
                {"four rings", 4, 81, 240, 15},
                {"seven", 7, 2187, 6558, 127}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        hanoi self = {rows[i].rings};
        ploy_space space = {rows[i].states, hanoi_expand, NULL, NULL, &self};
        ploy_frozen_graph *frozen = NULL;
        CHECK_OK(ploy_space_freeze(&space, NULL, NULL, &env, &frozen));
        CHECK_INT(ploy_frozen_graph_edge_count(frozen), rows[i].ways);
        ploy_frozen_graph_destroy(frozen);
        ploy_search_def def = ploy_search_def_default();
        def.order = PLOY_SEARCH_BREADTH;
        ploy_search *search = NULL;
        CHECK_OK(ploy_search_create(&def, &env, &search));
        ploy_search_start start = {0, 0.0};
        ploy_search_query query = ploy_search_query_make(&space, &start, rows[i].states - 1);
        CHECK_OK(ploy_search_run(search, &query));
        CHECK_INT(ploy_search_path(search, rows[i].states - 1, NULL, 0, NULL), rows[i].moves);
        query.goal = PLOY_STATE_NONE;
        CHECK_OK(ploy_search_run(search, &query));
        CHECK_INT(ploy_search_reached(search), rows[i].states);
        ploy_search_destroy(search);
    }
}

// Queens: one more in the next column, where no other strikes it.
typedef struct queens {
    int32_t side;
    ploy_states *states;
} queens;

typedef struct queens_board {
    int8_t count;
    int8_t row[15];
} queens_board;

static ploy_result queens_expand(void *user, int32_t state, ploy_edges *out) {
    const queens *self = user;
    queens_board board;
    memcpy(&board, ploy_states_get(self->states, state), sizeof board);
    if (board.count == self->side) return PLOY_OK;
    for (int8_t row = 0; row < self->side; row++) {
        bool struck = false;
        for (int32_t i = 0; i < board.count; i++) {
            int32_t away = board.count - i, apart = row - board.row[i];
            struck = struck || apart == 0 || apart == away || apart == -away;
        }
        if (struck) continue;
        queens_board next = board;
        next.row[next.count++] = row;
        int32_t to = 0;
        ploy_result result = ploy_states_find(self->states, &next, &to);
        if (result == PLOY_OK) result = ploy_edges_add(out, to, 1.0, row);
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

TEST(all_ways_to_set_up_queens_are_found) {
    ploy_env env = ploy_env_default();
    static const int32_t solutions[] = {1, 0, 0, 2, 10, 4, 40, 92};
    for (int32_t side = 1; side <= 8; side++) {
        TEST_SEED(side);
        ploy_states_def states_def = ploy_states_def_default();
        states_def.size = (int32_t)sizeof(queens_board);
        queens self = {side, NULL};
        CHECK_OK(ploy_states_create(&states_def, &env, &self.states));
        queens_board empty = {0};
        int32_t first = 0, found = 0;
        CHECK_OK(ploy_states_find(self.states, &empty, &first));
        ploy_search_def def = ploy_search_def_default();
        def.order = PLOY_SEARCH_DEPTH;
        ploy_search *search = NULL;
        CHECK_OK(ploy_search_create(&def, &env, &search));
        ploy_space space = {0, queens_expand, NULL, NULL, &self};
        ploy_search_start start = {first, 0.0};
        ploy_search_query query = ploy_search_query_make(&space, &start, PLOY_STATE_NONE);
        CHECK_OK(ploy_search_run(search, &query));
        for (int32_t i = 0; i < ploy_states_count(self.states); i++) {
            const queens_board *board = ploy_states_get(self.states, i);
            found += board->count == side;
        }
        CHECK_INT(found, solutions[side - 1]);
        ploy_search_destroy(search);
        ploy_states_destroy(self.states);
    }
}

// Rubik's cube: 54 stickers, each a place in {-1, 0, 1}^3 and a side that it looks to.
enum { STICKERS = 54, TURNS = 18 };
typedef struct cube {
    uint8_t from[TURNS][STICKERS]; // a turn puts sticker from[i] to place i
    ploy_states *states;
    uint8_t solved[STICKERS]; // colours
} cube;

typedef struct sticker {
    int32_t at[3], looks[3];
} sticker;

static void turn_vector(const int32_t *in, int32_t axis, int32_t *out) {
    int32_t a = (axis + 1) % 3, b = (axis + 2) % 3; // a goes to b
    out[axis] = in[axis];
    out[b] = in[a];
    out[a] = -in[b];
}

static void cube_init(cube *self) {
    sticker all[STICKERS];
    int32_t count = 0;
    for (int32_t axis = 0; axis < 3; axis++) {
        for (int32_t side = -1; side <= 1; side += 2) {
            for (int32_t u = -1; u <= 1; u++) {
                for (int32_t v = -1; v <= 1; v++) {
                    sticker *s = &all[count];
                    memset(s, 0, sizeof *s);
                    s->at[axis] = s->looks[axis] = side;
                    s->at[(axis + 1) % 3] = u;
                    s->at[(axis + 2) % 3] = v;
                    self->solved[count++] = (uint8_t)(axis * 2 + (side > 0));
                }
            }
        }
    }
    for (int32_t turn = 0; turn < TURNS; turn++) {
        int32_t axis = turn / 6, side = turn / 3 % 2 == 0 ? -1 : 1;
        for (int32_t i = 0; i < STICKERS; i++) {
            sticker s = all[i];
            for (int32_t k = 0; k <= turn % 3 && all[i].at[axis] == side; k++) {
                sticker next;
                turn_vector(s.at, axis, next.at);
                turn_vector(s.looks, axis, next.looks);
                s = next;
            }
            for (int32_t j = 0; j < STICKERS; j++) {
                if (memcmp(&all[j], &s, sizeof s) == 0) self->from[turn][j] = (uint8_t)i;
            }
        }
    }
}

static void cube_turn(const cube *self, const uint8_t *in, int32_t turn, uint8_t *out) {
    for (int32_t i = 0; i < STICKERS; i++) out[i] = in[self->from[turn][i]];
}

static ploy_result cube_expand(void *user, int32_t state, ploy_edges *out) {
    const cube *self = user;
    const uint8_t *now = ploy_states_get(self->states, state);
    for (int32_t turn = 0; turn < TURNS; turn++) {
        uint8_t next[STICKERS];
        int32_t to = 0;
        cube_turn(self, now, turn, next);
        ploy_result result = ploy_states_find(self->states, next, &to);
        if (result == PLOY_OK) result = ploy_edges_add(out, to, 1.0, turn);
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

// A turn moves 20 stickers, of which 12 on other sides, so 12 at most come right by one.
static double cube_estimate(void *user, int32_t state, int32_t goal) {
    (void)goal;
    const cube *self = user;
    const uint8_t *now = ploy_states_get(self->states, state);
    int32_t wrong = 0;
    for (int32_t i = 0; i < STICKERS; i++) wrong += now[i] != self->solved[i];
    return (double)((wrong + 11) / 12);
}

static void cube_open(test_context *t, cube *self, ploy_search **search, double max_cost) {
    ploy_env env = ploy_env_default();
    ploy_states_def states_def = ploy_states_def_default();
    states_def.size = STICKERS;
    ploy_search_def def = ploy_search_def_default();
    def.max_cost = max_cost;
    def.storage = PLOY_SEARCH_PAGES;
    cube_init(self);
    CHECK_OK(ploy_states_create(&states_def, &env, &self->states));
    CHECK_OK(ploy_search_create(&def, &env, search));
}

TEST(the_cube_has_as_many_positions_near_the_solved_one_as_is_known) {
    cube self;
    ploy_search *search = NULL;
    cube_open(t, &self, &search, 3.0);
    ploy_space space = {0, cube_expand, NULL, NULL, &self};
    ploy_search_start start = {0, 0.0};
    CHECK_OK(ploy_states_find(self.states, self.solved, &start.state));
    ploy_search_query query = ploy_search_query_make(&space, &start, PLOY_STATE_NONE);
    CHECK_OK(ploy_search_run(search, &query));
    static const int32_t want[] = {1, 18, 243, 3240};
    int32_t got[4] = {0};
    for (int32_t i = 0; i < ploy_search_reached(search); i++) {
        ploy_search_node node;
        CHECK(ploy_search_get(search, ploy_search_reached_at(search, i), &node));
        got[(int32_t)node.cost]++;
    }
    for (int32_t i = 0; i < 4; i++) CHECK_INT(got[i], want[i]);
    ploy_search_destroy(search);
    ploy_states_destroy(self.states);
}

TEST(short_scrambles_of_the_cube_are_solved_in_as_many_turns_or_fewer) { // GRA-25
    cube self;
    ploy_search *search = NULL;
    cube_open(t, &self, &search, 1e9);
    ploy_space space = {0, cube_expand, NULL, cube_estimate, &self};
    for (int32_t length = 0; length <= 4; length++) {
        TEST_SEED(length);
        uint8_t now[STICKERS], next[STICKERS];
        memcpy(now, self.solved, STICKERS);
        for (int32_t i = 0; i < length; i++) { // sides that do not undo each other
            cube_turn(&self, now, i * 7 % TURNS, next);
            memcpy(now, next, STICKERS);
        }
        ploy_states_clear(self.states);
        ploy_search_start start = {0, 0.0};
        int32_t goal = 0;
        CHECK_OK(ploy_states_find(self.states, self.solved, &goal));
        CHECK_OK(ploy_states_find(self.states, now, &start.state));
        ploy_search_query query = ploy_search_query_make(&space, &start, goal);
        CHECK_OK(ploy_search_run(search, &query));
        ploy_edge path[8];
        int32_t count = ploy_search_path(search, goal, path, 8, NULL);
        CHECK_INT(count, length);
        for (int32_t i = 0; i < count; i++) {
            cube_turn(&self, now, path[i].label, next);
            memcpy(now, next, STICKERS);
        }
        CHECK_BYTES(now, self.solved, STICKERS);
    }
    ploy_search_destroy(search);
    ploy_states_destroy(self.states);
}
