// Sizes of game trees against published numbers, and their pictures.
#include "ploy/board/connect4.h"
#include "ploy/board/explore.h"
#include "ploy/board/splitnim.h"
#include "ploy/board/tictactoe.h"
#include "tests/test.h"

#include <string.h>

static ploy_board_exploration explored(test_context *t, const ploy_board_type *type, int32_t depth,
                                       int64_t limit) {
    ploy_env env = ploy_env_default();
    ploy_board_rules rules;
    ploy_board board = ploy_board_default(type, &rules);
    uint64_t position[64];
    type->start(&rules, position);
    ploy_board_exploration out;
    CHECK_OK(ploy_board_explore(board, position, depth, limit, &env, &out));
    return out;
}

TEST(whole_trees_have_their_published_size) {
    ploy_board_exploration e = explored(t, ploy_board_tictactoe(), 9, INT64_MAX);
    CHECK_INT(e.nodes, 549946);
    CHECK_INT(e.over, 255168);
    CHECK_INT(e.leaves, 255168);
    CHECK_INT(e.positions, 5478);
    CHECK_INT(e.most_moves, 9);
    CHECK_INT(e.inner + e.leaves, e.nodes);
    CHECK_INT(e.moves + 1, e.nodes); // every node but the root is behind one move
    e = explored(t, ploy_board_splitnim(), 64, INT64_MAX);
    CHECK_INT(e.nodes, 24);
    CHECK_INT(e.positions, 14);
    CHECK_INT(e.over, 7);
    // Positions of Connect Four by ply: 1, 7, 49, 238, 1120, 4263.
    e = explored(t, ploy_board_connect4(), 5, INT64_MAX);
    CHECK_INT(e.positions, 1 + 7 + 49 + 238 + 1120 + 4263);
    e = explored(t, ploy_board_connect4(), 20, 1000);
    CHECK(e.partial && e.nodes <= 1001);
}

static ploy_result dot_body(const ploy_env *env, void *arg) {
    ploy_board_rules rules;
    ploy_board board = ploy_board_default(ploy_board_splitnim(), &rules);
    uint64_t position[64];
    board.type->start(&rules, position);
    ploy_buffer *buffer = arg;
    ploy_buffer_clear(buffer);
    ploy_writer out = ploy_buffer_writer(buffer);
    return ploy_board_explore_dot(board, position, 64, 1000, env, &out);
}

TEST(dot_has_each_position_and_each_edge_once) {
    ploy_env env = ploy_env_default();
    ploy_buffer buffer;
    ploy_buffer_init(&buffer, 0, &env);
    CHECK_OK(dot_body(&env, &buffer));
    int32_t nodes = 0, edges = 0;
    const char *text = ploy_buffer_text(&buffer);
    for (const char *at = text; (at = strstr(at, "label=")) != NULL; at++) nodes++;
    for (const char *at = text; (at = strstr(at, "->")) != NULL; at++) edges++;
    CHECK_INT(edges, 17);
    CHECK_INT(nodes - edges, 14);
    CHECK(strstr(text, "[label=\"7 1\"];") != NULL);
    CHECK(strstr(text, "shape=box") != NULL);
    CHECK_FAIL_NTH(dot_body, &buffer);
    ploy_buffer_fini(&buffer);
}
