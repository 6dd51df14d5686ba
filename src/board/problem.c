// Board games as problems of reinforcement learning; see ploy/board/learn.h.
#include <string.h>

#include "ploy/board/learn.h"

typedef struct board_problem_run {
    ploy_env env;
    const ploy_board_problem *problem;
    size_t position_bytes, bytes;
    unsigned char *position, *copy; // one block behind this struct
    ploy_board_move *moves;
} board_problem_run;

static ploy_result board_problem_create(const ploy_problem_type *type, const ploy_env *env,
                                        void **out) {
    const ploy_board_problem *problem = (const ploy_board_problem *)(const void *)type;
    ploy_board board = problem->board;
    size_t head = (sizeof(board_problem_run) + 7) / 8 * 8;
    size_t position = (board.type->position_bytes(board.rules) + 7) / 8 * 8;
    size_t bytes = head + 2 * position + sizeof(ploy_board_move) * (size_t)board.type->max_moves;
    board_problem_run *run = ploy_env_alloc_zero(env, bytes);
    if (run == NULL) return PLOY_ERR_MEMORY;
    unsigned char *block = (unsigned char *)run + head;
    run->env = *env;
    run->problem = problem;
    run->bytes = bytes;
    run->position_bytes = board.type->position_bytes(board.rules);
    run->position = block;
    run->copy = block + position;
    run->moves = (ploy_board_move *)(void *)(block + 2 * position);
    board.type->start(board.rules, run->position);
    *out = run;
    return PLOY_OK;
}

static void board_problem_destroy(void *self) {
    board_problem_run *run = self;
    ploy_env env = run->env;
    ploy_env_free(&env, run, run->bytes);
}

static void board_problem_reset(void *self, ploy_rng *rng, int64_t state) {
    (void)rng, (void)state;
    board_problem_run *run = self;
    run->problem->board.type->start(run->problem->board.rules, run->position);
}

// The opponent's move: the best of one ply, or a random one.
static ploy_board_move board_problem_reply(board_problem_run *run, ploy_rng *rng, int32_t side) {
    ploy_board board = run->problem->board;
    int32_t count =
        board.type->moves(board.rules, run->position, run->moves, board.type->max_moves);
    bool random = ploy_rng_chance(rng, run->problem->random);
    uint64_t any = ploy_rng_below(rng, (uint64_t)count);
    if (random || board.type->evaluate == NULL) return run->moves[any];
    ploy_board_move best = run->moves[0];
    int32_t most = -PLOY_BOARD_INFINITY;
    for (int32_t i = 0; i < count; i++) {
        memcpy(run->copy, run->position, run->position_bytes);
        board.type->make(board.rules, run->copy, run->moves[i], NULL);
        bool over = board.type->side(board.rules, run->copy) == PLOY_BOARD_OVER;
        int32_t score = over ? board.type->result(board.rules, run->copy, side)
                             : board.type->evaluate(board.rules, run->copy, side);
        if (score <= most) continue;
        most = score;
        best = run->moves[i];
    }
    return best;
}

static ploy_problem_result board_problem_step(void *self, ploy_rng *rng, int32_t action) {
    board_problem_run *run = self;
    ploy_board board = run->problem->board;
    ploy_problem_result result = {0.0f, false, false};
    int32_t count =
        board.type->moves(board.rules, run->position, run->moves, board.type->max_moves);
    for (int32_t i = 0; i < count; i++) {
        if (board.type->policy_index(board.rules, run->position, run->moves[i]) != action) continue;
        board.type->make(board.rules, run->position, run->moves[i], NULL);
        break;
    }
    int32_t side = 0;
    while ((side = board.type->side(board.rules, run->position)) > 0) {
        ploy_board_move move = board_problem_reply(run, rng, side);
        board.type->make(board.rules, run->position, move, NULL);
    }
    if (side == PLOY_BOARD_OVER) {
        int32_t score = board.type->result(board.rules, run->position, 0);
        result.reward = score > 0 ? 1.0f : score < 0 ? -1.0f : 0.0f;
        result.terminated = true;
    }
    return result;
}

static void board_problem_observe(const void *self, float *out) {
    const board_problem_run *run = self;
    run->problem->board.type->encode(run->problem->board.rules, run->position, out);
}

static void board_problem_allowed(const void *self, bool *out) {
    const board_problem_run *run = self;
    ploy_board board = run->problem->board;
    for (int32_t i = 0; i < run->problem->type.space.actions; i++) out[i] = false;
    int32_t count =
        board.type->moves(board.rules, run->position, run->moves, board.type->max_moves);
    for (int32_t i = 0; i < count; i++) {
        out[board.type->policy_index(board.rules, run->position, run->moves[i])] = true;
    }
    if (count == 0) out[0] = true; // the end: any action will do
}

static void board_problem_visit(ploy_visit *v, void *self) {
    board_problem_run *run = self;
    ploy_visit_object(v, "board_problem", run, sizeof *run);
    ploy_visit_block(v, "board_problem.game", (unsigned char *)run + (sizeof *run + 7) / 8 * 8,
                     run->bytes - (sizeof *run + 7) / 8 * 8);
    PLOY_VISIT_SCRATCH(v, run->env);
    PLOY_VISIT_SCRATCH(v, run->problem);
    PLOY_VISIT_SCRATCH(v, run->position_bytes);
    PLOY_VISIT_SCRATCH(v, run->bytes);
    PLOY_VISIT_SCRATCH(v, run->position);
    PLOY_VISIT_SCRATCH(v, run->copy);
    PLOY_VISIT_SCRATCH(v, run->moves);
    (void)ploy_visit_bytes(v, "position", PLOY_STATE, run->position, run->position_bytes);
}

ploy_result ploy_board_problem_init(ploy_board_problem *problem, ploy_board board, float random) {
    memset(problem, 0, sizeof *problem);
    const ploy_board_type *type = board.type;
    if (type->players != 2 || type->encode == NULL || type->policy_size == NULL ||
        (type->flags & (PLOY_BOARD_HIDDEN | PLOY_BOARD_RANDOM)) != 0) {
        return PLOY_ERR_UNSUPPORTED;
    }
    int32_t shape[3];
    type->encode_shape(board.rules, shape);
    int32_t actions = type->policy_size(board.rules), observed = shape[0] * shape[1] * shape[2];
    if (actions > PLOY_PROBLEM_ACTIONS_MAX || observed > PLOY_PROBLEM_OBSERVED_MAX) {
        return PLOY_ERR_UNSUPPORTED;
    }
    problem->board = board;
    problem->random = random;
    problem->type.name = type->name;
    problem->type.help = type->help;
    problem->type.space.actions = actions;
    problem->type.space.observed = observed;
    problem->type.space.discount = 1.0f;
    problem->type.space.step_limit = 1000;
    problem->type.create = board_problem_create;
    problem->type.destroy = board_problem_destroy;
    problem->type.reset = board_problem_reset;
    problem->type.step = board_problem_step;
    problem->type.observe = board_problem_observe;
    problem->type.allowed = board_problem_allowed;
    problem->type.visit = board_problem_visit;
    return PLOY_OK;
}
