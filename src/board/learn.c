// Learning evaluations by self-play; see the header. The games are in learn_games.c.
#include <string.h>

#include "learn_internal.h"
#include "ploy/base/math.h"

static const char *const learn_methods[] = {"backup", "climb", "td", "search", "fit"};

static const ploy_field learn_fields[] = {
    PLOY_FIELD_ENUM(ploy_board_learn_def, method, PLOY_BOARD_LEARN_TD, learn_methods,
                    "how it is learned"),
    PLOY_FIELD_I32(ploy_board_learn_def, games, 1000, 1, 100000000, "", "games in all"),
    PLOY_FIELD_U64(ploy_board_learn_def, seed, 1, "of weights and games"),
    PLOY_FIELD_I32(ploy_board_learn_def, hidden, 40, 0, 4096, "", "units of the hidden layer"),
    PLOY_FIELD_I32(ploy_board_learn_def, channels, 0, 0, 256, "", "channels of a convolution"),
    PLOY_FIELD_F32(ploy_board_learn_def, rate, 0, 0, 10, "", "learning rate; 0: the method's"),
    PLOY_FIELD_F32(ploy_board_learn_def, lambda, 0.7f, 0, 1, "", "share of the result (td, fit)"),
    PLOY_FIELD_F32(ploy_board_learn_def, exploration, 0, 0, 1, "", "share of random moves"),
    PLOY_FIELD_I32(ploy_board_learn_def, depth, 2, 1, 20, "plies", "of the search"),
    PLOY_FIELD_I32(ploy_board_learn_def, opening, 4, 0, 100, "plies", "random at the start"),
    PLOY_FIELD_I32(ploy_board_learn_def, anchor, 0, -1, PLOY_BOARD_WEIGHTS_MAX - 1, "",
                   "weight that stays as it is; -1: none"),
    PLOY_FIELD_F32(ploy_board_learn_def, step, 0.25f, 1e-3f, 10, "", "change of a weight (climb)"),
    PLOY_FIELD_I32(ploy_board_learn_def, match, 20, 2, 10000, "", "games of a comparison (climb)"),
    PLOY_FIELD_F32(ploy_board_learn_def, margin, 0.05f, 0, 0.5f, "", "lead of a change (climb)"),
    PLOY_FIELD_I32(ploy_board_learn_def, playouts, 100, 2, 1000000, "", "of a move (search)"),
    PLOY_FIELD_F32(ploy_board_learn_def, noise, 0.25f, 0, 1, "", "in the priors (search)"),
    PLOY_FIELD_I32(ploy_board_learn_def, spread, 8, 0, 512, "plies", "drawn by visits (search)"),
    PLOY_FIELD_I32(ploy_board_learn_def, replay, 8000, 64, 10000000, "",
                   "samples kept (search, fit)"),
    PLOY_FIELD_I32(ploy_board_learn_def, reuse, 4, 1, 100, "", "lessons of a sample (search, fit)"),
    PLOY_FIELD_I32(ploy_board_learn_def, nodes, 1000, 1, 100000000, "", "of a move (fit)"),
    PLOY_FIELD_I32(ploy_board_learn_def, fits, 1, 1, 1000, "", "times weights are fitted (fit)"),
    PLOY_FIELD_F32(ploy_board_learn_def, pull, 0.001f, 0, 1, "", "back to the start (fit)"),
};

ploy_fields ploy_board_learn_fields(void) {
    return PLOY_FIELDS(ploy_board_learn_def, learn_fields);
}

ploy_board_learn_def ploy_board_learn_def_default(void) {
    ploy_board_learn_def def;
    ploy_fields_default(ploy_board_learn_fields(), &def);
    return def;
}

const char *ploy_board_learn_method_text(ploy_board_learn_method method) {
    return (uint32_t)method < PLOY_BOARD_LEARN_METHODS ? learn_methods[method] : "?";
}

static bool learn_is_linear(const ploy_board_learn *learn) {
    return learn->def.method <= PLOY_BOARD_LEARN_CLIMB;
}

// ---- create

static void *learn_cut(unsigned char *block, size_t *used, size_t bytes) {
    void *at = block == NULL ? NULL : block + *used;
    *used += (bytes + 15) / 16 * 16;
    return at;
}

static size_t learn_layout(ploy_board_learn *learn) {
    size_t used = 0, plies = PLOYI_LEARN_PLIES, replay = (size_t)learn->def.replay;
    size_t policy = (size_t)learn->policy;
    unsigned char *b = learn->block;
    bool search = learn->def.method == PLOY_BOARD_LEARN_SEARCH;
    bool fit = learn->def.method == PLOY_BOARD_LEARN_FIT;
    for (int32_t i = 0; i < PLOYI_LEARN_ROUND; i++) {
        ployi_learn_game *game = &learn->games[i];
        game->position = learn_cut(b, &used, learn->position_bytes);
        game->copy = learn_cut(b, &used, learn->position_bytes);
        game->moves =
            learn_cut(b, &used, sizeof(ploy_board_move) * (size_t)learn->board.type->max_moves);
        game->positions = learn_cut(b, &used, learn->position_bytes * plies);
        game->viewers = learn_cut(b, &used, plies);
        game->values = learn_cut(b, &used, sizeof(float) * plies);
        if (search) game->policies = learn_cut(b, &used, sizeof(float) * plies * policy);
        if (fit) game->hashes = learn_cut(b, &used, sizeof(uint64_t) * plies);
    }
    learn->input = learn_cut(b, &used, sizeof(float) * (size_t)learn->inputs);
    learn->errors = learn_cut(b, &used, sizeof(float) * (policy + 1));
    if (search || fit) {
        learn->replay_positions = learn_cut(b, &used, learn->position_bytes * replay);
        learn->replay_values = learn_cut(b, &used, sizeof(float) * replay);
    }
    if (search) learn->replay_policies = learn_cut(b, &used, sizeof(float) * policy * replay);
    if (fit) {
        const ploy_board_weights *weights = learn->board.type->weights;
        size_t count = (size_t)weights->count, terms = (size_t)weights->terms_max;
        learn->replay_viewers = learn_cut(b, &used, replay);
        learn->fit_weights = learn_cut(b, &used, sizeof(float) * count);
        learn->fit_squares = learn_cut(b, &used, sizeof(float) * count);
        learn->fit_table = learn_cut(b, &used, sizeof(int16_t) * count);
        learn->fit_terms = learn_cut(b, &used, sizeof(ploy_board_weight_term) * terms);
    }
    return used;
}

static ploy_result learn_create_trainer(ploy_board_learn *learn) {
    ploy_net *net = ploy_board_learned_net(learn->learned);
    if (net == NULL) return PLOY_OK;
    ploy_trainer_def def = ploy_trainer_def_default();
    bool td = learn->def.method == PLOY_BOARD_LEARN_TD;
    def.method = td ? PLOY_TRAINER_GRADIENT : PLOY_TRAINER_ADAM;
    def.loss = PLOY_TRAINER_SQUARED;
    def.rate = def.rate_end = learn->def.rate > 0.0f ? learn->def.rate : td ? 0.1f : 0.003f;
    def.momentum = 0.0f;
    def.decay = td ? 0.0f : 1e-4f;
    def.batch = td ? 1 : 16;
    return ploy_trainer_create(&def, net, &learn->env, &learn->trainer);
}

static ploy_result learn_create_search(ploy_board_learn *learn, ploy_board_evaluator *evaluator,
                                       ploy_board_search **out) {
    ploy_board_search_def def = ploy_board_search_def_strong(learn->board);
    bool fit = learn->def.method == PLOY_BOARD_LEARN_FIT;
    if (fit)
        def.nodes = learn->def.nodes;
    else
        def.depth = learn->def.depth;
    def.table.kilobytes = fit ? 256 : 0;
    ploy_result result = ploy_board_search_create(&def, learn->board, &learn->env, out);
    if (result != PLOY_OK) return result;
    ploy_board_hooks hooks = ploy_board_evaluator_hooks(evaluator);
    ploy_board_search_hooks_set(*out, &hooks);
    return PLOY_OK;
}

static ploy_result learn_create_game(ploy_board_learn *learn, ployi_learn_game *game) {
    const ploy_env *env = &learn->env;
    ploy_board_learn_method method = learn->def.method;
    ploy_result result = ploy_board_evaluator_create(learn->learned, env, &game->evaluator);
    if (result == PLOY_OK &&
        (method == PLOY_BOARD_LEARN_BACKUP || method == PLOY_BOARD_LEARN_FIT)) {
        result = learn_create_search(learn, game->evaluator, &game->searches[0]);
    }
    if (result == PLOY_OK && method == PLOY_BOARD_LEARN_CLIMB) {
        result = ploy_board_learned_create(ploy_board_learned_def_of(learn->learned), learn->board,
                                           env, &game->own);
        if (result == PLOY_OK)
            result = ploy_board_evaluator_create(game->own, env, &game->own_evaluator);
        if (result == PLOY_OK)
            result = learn_create_search(learn, game->own_evaluator, &game->searches[0]);
        if (result == PLOY_OK)
            result = learn_create_search(learn, game->evaluator, &game->searches[1]);
    }
    if (result == PLOY_OK && method == PLOY_BOARD_LEARN_SEARCH) {
        ploy_board_mcts_def def = ploy_board_mcts_def_default();
        def.playouts = learn->def.playouts;
        int64_t wide = learn->policy < 64 ? learn->policy : 64;
        int64_t nodes = (def.playouts + 2) * wide + 200;
        def.nodes = nodes < (1 << 20) ? (int32_t)nodes : 1 << 20;
        def.keep = false;
        def.exploration = 1.5f;
        result = ploy_board_mcts_create(&def, learn->board, env, &game->mcts);
        ploy_board_mcts_hooks hooks = ploy_board_evaluator_guide(game->evaluator);
        if (result == PLOY_OK) ploy_board_mcts_hooks_set(game->mcts, &hooks);
    }
    return result;
}

ploy_result ploy_board_learn_create(const ploy_board_learn_def *def, ploy_board board,
                                    const ploy_env *env, ploy_board_learn **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    ploy_result result = ploy_fields_check(ploy_board_learn_fields(), def, env);
    if (result != PLOY_OK) return result;
    uint32_t flags = board.type->flags;
    bool suits = board.type->players == 2 && (flags & PLOY_BOARD_ZERO_SUM) != 0 &&
                 (flags & PLOY_BOARD_HIDDEN) == 0;
    if (def->method == PLOY_BOARD_LEARN_SEARCH || def->method == PLOY_BOARD_LEARN_FIT)
        suits = suits && (flags & PLOY_BOARD_RANDOM) == 0;
    if (!suits) {
        ploy_env_log(env, PLOY_SEVERITY_ERROR,
                     "learning needs two players, zero sum, no hidden information; search and fit "
                     "also need no chance");
        return PLOY_ERR_UNSUPPORTED;
    }
    ploy_board_learn *learn = ploy_env_alloc_zero(env, sizeof *learn);
    if (learn == NULL) return PLOY_ERR_MEMORY;
    learn->env = *env;
    learn->def = *def;
    learn->board = board;
    learn->position_bytes = (board.type->position_bytes(board.rules) + 7) / 8 * 8;
    learn->rng = ploy_rng_from_key(ploy_rng_key_make(def->seed), 1);
    ploy_board_learned_def kind = ploy_board_learned_def_default();
    kind.kind = learn_is_linear(learn)                ? PLOY_BOARD_LEARNED_LINEAR
                : def->method == PLOY_BOARD_LEARN_FIT ? PLOY_BOARD_LEARNED_TABLE
                : def->method == PLOY_BOARD_LEARN_TD  ? PLOY_BOARD_LEARNED_VALUE
                                                      : PLOY_BOARD_LEARNED_POLICY;
    kind.hidden = def->hidden;
    kind.channels = def->channels;
    kind.seed = def->seed;
    result = ploy_board_learned_create(&kind, board, env, &learn->learned);
    if (result == PLOY_OK) {
        ploy_net *net = ploy_board_learned_net(learn->learned);
        learn->inputs = net == NULL ? 0 : ploy_net_input_count(net);
        learn->policy = net == NULL ? 0 : ploy_net_output_count(net) - 1;
        learn->bytes = learn_layout(learn);
        learn->block = ploy_env_alloc_zero(env, learn->bytes);
        result = learn->block == NULL ? PLOY_ERR_MEMORY : learn_create_trainer(learn);
    }
    if (result == PLOY_OK) learn_layout(learn);
    if (result == PLOY_OK && def->method == PLOY_BOARD_LEARN_FIT) ployi_learn_fit_prepare(learn);
    for (int32_t i = 0; i < PLOYI_LEARN_ROUND && result == PLOY_OK; i++) {
        result = learn_create_game(learn, &learn->games[i]);
    }
    if (result != PLOY_OK) {
        ploy_board_learn_destroy(learn);
        return result;
    }
    *out = learn;
    return PLOY_OK;
}

void ploy_board_learn_destroy(ploy_board_learn *learn) {
    if (learn == NULL) return;
    ploy_env env = learn->env;
    for (int32_t i = 0; i < PLOYI_LEARN_ROUND; i++) {
        ployi_learn_game *game = &learn->games[i];
        for (int32_t k = 0; k < 2; k++) ploy_board_search_destroy(game->searches[k]);
        ploy_board_mcts_destroy(game->mcts);
        ploy_board_evaluator_destroy(game->own_evaluator);
        ploy_board_evaluator_destroy(game->evaluator);
        ploy_board_learned_destroy(game->own);
    }
    ploy_tune_destroy(learn->tune);
    ploy_trainer_destroy(learn->trainer);
    ploy_board_learned_destroy(learn->learned);
    if (learn->block != NULL) ploy_env_free(&env, learn->block, learn->bytes);
    ploy_env_free(&env, learn, sizeof *learn);
}

void ploy_board_learn_jobs_set(ploy_board_learn *learn, const ploy_jobs *jobs) {
    learn->jobs = jobs;
}

ploy_board_learn_report ploy_board_learn_report_of(const ploy_board_learn *learn) {
    return learn->report;
}

const ploy_board_learned *ploy_board_learn_learned(const ploy_board_learn *learn) {
    return learn->learned;
}

// ---- learning from a round

static void learn_from_td(ploy_board_learn *learn, ployi_learn_game *game, double *loss) {
    // Backwards, so that a result reaches the positions before it in the same game.
    for (int32_t i = game->count - 1; i >= 0; i--) {
        const unsigned char *position = game->positions + (size_t)i * learn->position_bytes;
        learn->board.type->encode(learn->board.rules, position, learn->input);
        *loss += 2.0 * (double)ploy_trainer_learn(learn->trainer, learn->input, &game->values[i]);
    }
}

static void learn_from_backup(ploy_board_learn *learn, ployi_learn_game *game, double *loss) {
    int32_t count = 0;
    float *weights = ploy_board_learned_weights(learn->learned, &count);
    bool anchored[PLOY_BOARD_WEIGHTS_MAX] = {false};
    if (learn->def.anchor >= 0) anchored[learn->def.anchor] = true;
    int32_t unit = learn->board.type->unit > 0 ? learn->board.type->unit : 100;
    float most = 20.0f * (float)unit; // a found win is a large lead, not a million
    float rate = learn->def.rate > 0.0f ? learn->def.rate : 0.01f;
    for (int32_t i = 0; i < game->count; i++) {
        float features[PLOY_BOARD_WEIGHTS_MAX], square = 1.0f;
        const unsigned char *position = game->positions + (size_t)i * learn->position_bytes;
        ploy_board_learned_features(learn->learned, position, game->viewers[i], features);
        for (int32_t k = 0; k < count; k++) square += features[k] * features[k];
        float searched = ploy_clampf(game->values[i], -most, most);
        float delta =
            ploy_board_backup(features, count, weights, anchored, searched, rate / square);
        *loss += (double)delta * (double)delta;
        for (int32_t k = 0; k < count; k++) weights[k] = ploy_clampf(weights[k], -100.0f, 100.0f);
    }
}

// One lesson of a policy: shares of visits and the result, seen through a random symmetry.
static double learn_lesson(ploy_board_learn *learn, int64_t sample) {
    const ploy_board_type *type = learn->board.type;
    const void *rules = learn->board.rules;
    ployi_learn_game *scratch = &learn->games[0];
    const unsigned char *position =
        learn->replay_positions + (size_t)sample * learn->position_bytes;
    const float *shares = learn->replay_policies + (size_t)sample * (size_t)learn->policy;
    int32_t symmetries =
        type->symmetries != NULL && type->map_move != NULL ? type->symmetries(rules) : 1;
    int32_t number = (int32_t)ploy_rng_below(&learn->rng, (uint64_t)symmetries);
    if (number > 0)
        type->map(rules, position, number, scratch->copy);
    else
        memcpy(scratch->copy, position, learn->position_bytes);
    type->encode(rules, scratch->copy, learn->input);
    // The outputs of the last example are needed before the errors are known.
    ploy_trainer_sense(learn->trainer, learn->input, learn->policy);
    ploy_net *net = ploy_board_learned_net(learn->learned);
    const float *sums = ploy_trainer_values(learn->trainer, ploy_net_layer_count(net));
    float *errors = learn->errors;
    memset(errors, 0, sizeof(float) * (size_t)(learn->policy + 1));
    int32_t count = type->moves(rules, position, scratch->moves, type->max_moves);
    float largest = -1e30f, sum = 0.0f;
    for (int32_t pass = 0; pass < 3; pass++) {
        for (int32_t i = 0; i < count; i++) {
            ploy_board_move move = scratch->moves[i];
            float share = shares[type->policy_index(rules, position, move)];
            if (number > 0) move = type->map_move(rules, move, number);
            int32_t at = type->policy_index(rules, scratch->copy, move);
            if (pass == 0 && sums[at] > largest) largest = sums[at];
            if (pass == 1) sum += (float)ploy_exp((double)(sums[at] - largest));
            if (pass == 2) errors[at] = share - (float)ploy_exp((double)(sums[at] - largest)) / sum;
        }
    }
    float chance = ploy_net_activate(PLOY_NET_SIGMOID, 1.0f, sums[learn->policy]);
    float error = learn->replay_values[sample] - chance;
    errors[learn->policy] = error;
    ploy_trainer_correct(learn->trainer, learn->input, errors);
    return (double)error * (double)error;
}

static void learn_from_search(ploy_board_learn *learn, ployi_learn_game *game, double *loss) {
    size_t policy = (size_t)learn->policy;
    for (int32_t i = 0; i < game->count; i++) {
        size_t at = (size_t)(learn->replayed % learn->def.replay);
        memcpy(learn->replay_positions + at * learn->position_bytes,
               game->positions + (size_t)i * learn->position_bytes, learn->position_bytes);
        memcpy(learn->replay_policies + at * policy, game->policies + (size_t)i * policy,
               sizeof(float) * policy);
        learn->replay_values[at] = game->values[i];
        learn->replayed++;
    }
    int64_t stored = learn->replayed < learn->def.replay ? learn->replayed : learn->def.replay;
    double sum = 0.0;
    int32_t lessons = game->count * learn->def.reuse;
    for (int32_t i = 0; i < lessons; i++) {
        int64_t sample = (int64_t)ploy_rng_below(&learn->rng, (uint64_t)stored);
        sum += learn_lesson(learn, sample);
    }
    *loss += sum / (double)learn->def.reuse;
}

static void learn_play_job(void *arg, int32_t first, int32_t count, int32_t worker) {
    (void)worker;
    ploy_board_learn *learn = arg;
    for (int32_t i = first; i < first + count; i++) {
        ployi_learn_game *game = &learn->games[i];
        game->status = PLOY_OK;
        if (learn->def.method == PLOY_BOARD_LEARN_CLIMB) {
            ployi_learn_play_climb(learn, game, learn->evaluations);
            continue;
        }
        ploy_rng_key key = ploy_rng_key_split(ploy_rng_key_make(learn->def.seed), 2);
        game->rng = ploy_rng_from_key(key, (uint64_t)(learn->report.games + i));
        if (learn->def.method == PLOY_BOARD_LEARN_TD) ployi_learn_play_td(learn, game);
        if (learn->def.method == PLOY_BOARD_LEARN_BACKUP) ployi_learn_play_backup(learn, game);
        if (learn->def.method == PLOY_BOARD_LEARN_SEARCH) ployi_learn_play_search(learn, game);
        if (learn->def.method == PLOY_BOARD_LEARN_FIT) ployi_learn_play_fit(learn, game);
    }
}

// Plays on the workers, then adds up. @return the first error.
static ploy_result learn_run(ploy_board_learn *learn, int32_t count) {
    for (int32_t i = 0; i < count; i++) learn->games[i].plies = 0;
    ploy_jobs_run(learn->jobs, learn_play_job, learn, count, 1);
    ploy_result result = PLOY_OK;
    for (int32_t i = 0; i < count; i++) {
        if (result == PLOY_OK) result = learn->games[i].status;
        learn->report.plies += learn->games[i].plies;
    }
    return result;
}

static ploy_result learn_round(ploy_board_learn *learn) {
    int64_t left = learn->def.games - learn->report.games;
    int32_t count = left < PLOYI_LEARN_ROUND ? (int32_t)left : PLOYI_LEARN_ROUND;
    ploy_result result = learn_run(learn, count);
    if (result != PLOY_OK) return result;
    double loss = 0.0;
    int64_t examples = 0;
    for (int32_t i = 0; i < count; i++) {
        ployi_learn_game *game = &learn->games[i];
        if (learn->def.method == PLOY_BOARD_LEARN_TD) learn_from_td(learn, game, &loss);
        if (learn->def.method == PLOY_BOARD_LEARN_BACKUP) learn_from_backup(learn, game, &loss);
        if (learn->def.method == PLOY_BOARD_LEARN_SEARCH) learn_from_search(learn, game, &loss);
        if (learn->def.method == PLOY_BOARD_LEARN_FIT) ployi_learn_fit_keep(learn, game);
        examples += game->count;
    }
    learn->report.games += count;
    learn->report.examples += examples;
    if (learn->def.method == PLOY_BOARD_LEARN_FIT) {
        int64_t done = learn->report.games * learn->def.fits / learn->def.games;
        if (done > learn->fitted) ployi_learn_fit_begin(learn);
    } else if (examples > 0) {
        learn->report.loss = loss / (double)examples;
    }
    return PLOY_OK;
}

// ---- climbing

// Numbers of the weights that change, in order.
static int32_t learn_free_weights(const ploy_board_learn *learn,
                                  int32_t out[PLOY_BOARD_WEIGHTS_MAX]) {
    int32_t count = 0, all = 0;
    (void)ploy_board_learned_weights(learn->learned, &all);
    for (int32_t i = 0; i < all; i++) {
        if (i != learn->def.anchor) out[count++] = i;
    }
    return count;
}

static void learn_set_weights(const ploy_board_learn *learn, ploy_board_learned *learned,
                              const double *point) {
    int32_t numbers[PLOY_BOARD_WEIGHTS_MAX], count = learn_free_weights(learn, numbers), all = 0;
    float *weights = ploy_board_learned_weights(learned, &all);
    for (int32_t i = 0; i < count; i++) weights[numbers[i]] = (float)point[i];
}

static ploy_result learn_restart(ploy_board_learn *learn) {
    ploy_tune_def def = ploy_tune_def_default();
    def.method = PLOY_TUNE_STEEPEST;
    def.adaptive = false;
    def.reevaluate = true; // scores are relative to the present weights, which change
    def.stagnation = 1;
    def.max_evaluations = 1 << 30;
    def.max_steps = 1 << 30;
    def.seed = learn->def.seed + (uint64_t)learn->restarts;
    int32_t numbers[PLOY_BOARD_WEIGHTS_MAX], count = learn_free_weights(learn, numbers);
    ploy_tune_range ranges[PLOY_BOARD_WEIGHTS_MAX];
    for (int32_t i = 0; i < count; i++) {
        ranges[i].min = -4.0;
        ranges[i].max = 4.0;
        ranges[i].step = (double)learn->def.step;
        // The first start is random too: an evaluation from nothing.
        ranges[i].initial = ploy_rng_double(&learn->rng) * 4.0 - 2.0;
    }
    ploy_tune_destroy(learn->tune);
    learn->tune = NULL;
    learn->restarts++;
    if (count == 0) return PLOY_ERR_UNSUPPORTED;
    return ploy_tune_create(&def, ranges, count, &learn->env, &learn->tune);
}

// A set that no change improves: it plays the stored one, and the better of the two stays.
static ploy_result learn_store(ploy_board_learn *learn) {
    int32_t all = 0;
    float *weights = ploy_board_learned_weights(learn->learned, &all);
    learn->report.stored++;
    if (learn->has_best) {
        memcpy(ploy_board_learned_weights(learn->games[0].own, &all), learn->best,
               sizeof(float) * (size_t)all);
        learn->evaluations++;
        ploy_result result = learn_run(learn, 1);
        learn->report.games += learn->def.match;
        if (result != PLOY_OK) return result;
        if (learn->games[0].result * 2.0f > (float)learn->def.match) return PLOY_OK;
    }
    memcpy(learn->best, weights, sizeof(float) * (size_t)all);
    learn->has_best = true;
    return PLOY_OK;
}

static ploy_result learn_climb(ploy_board_learn *learn) {
    ploy_result result = PLOY_OK;
    if (learn->tune == NULL) result = learn_restart(learn);
    if (result != PLOY_OK) return result;
    int32_t count = 0, numbers[PLOY_BOARD_WEIGHTS_MAX];
    const double *points = ploy_tune_ask(learn->tune, &count);
    int32_t free_count = learn_free_weights(learn, numbers);
    if (points == NULL) {
        learn_set_weights(learn, learn->learned, ploy_tune_at(learn->tune));
        result = learn_store(learn);
        return result == PLOY_OK ? learn_restart(learn) : result;
    }
    const double *present = ploy_tune_at(learn->tune);
    learn_set_weights(learn, learn->learned, present);
    double scores[PLOY_TUNE_PARAMETERS_MAX];
    learn->evaluations++;
    for (int32_t first = 0; first < count; first += PLOYI_LEARN_ROUND) {
        int32_t part = count - first < PLOYI_LEARN_ROUND ? count - first : PLOYI_LEARN_ROUND;
        for (int32_t i = 0; i < part; i++) {
            learn_set_weights(learn, learn->games[i].own,
                              points + (size_t)(first + i) * (size_t)free_count);
        }
        result = learn_run(learn, part);
        if (result != PLOY_OK) return result;
        for (int32_t i = 0; i < part; i++) {
            bool same = memcmp(points + (size_t)(first + i) * (size_t)free_count, present,
                               sizeof(double) * (size_t)free_count) == 0;
            double score = (double)learn->games[i].result / (double)learn->def.match;
            scores[first + i] = same ? 0.5 + (double)learn->def.margin : score;
            learn->report.games += learn->def.match;
        }
    }
    return ploy_tune_tell(learn->tune, scores);
}

ploy_result ploy_board_learn_step(ploy_board_learn *learn, ploy_budget *budget) {
    while (learn->report.games < learn->def.games || learn->lessons_left > 0) {
        int64_t before = learn->report.games;
        if (budget != NULL && !ploy_budget_spend(budget, 1)) return PLOY_IN_PROGRESS;
        if (learn->lessons_left > 0) {
            ployi_learn_fit_step(learn);
            continue;
        }
        ploy_result result =
            learn->def.method == PLOY_BOARD_LEARN_CLIMB ? learn_climb(learn) : learn_round(learn);
        if (result != PLOY_OK) return result;
        int64_t more = learn->report.games - before - 1;
        if (budget != NULL && more > 0) (void)ploy_budget_spend(budget, more);
    }
    if (learn->report.done) return PLOY_OK;
    if (learn->trainer != NULL) ploy_trainer_update(learn->trainer);
    if (learn->def.method == PLOY_BOARD_LEARN_CLIMB && learn->tune != NULL) {
        learn_set_weights(learn, learn->learned, ploy_tune_at(learn->tune));
        ploy_result result = learn_store(learn);
        if (result != PLOY_OK) return result;
        int32_t all = 0;
        float *weights = ploy_board_learned_weights(learn->learned, &all);
        memcpy(weights, learn->best, sizeof(float) * (size_t)all);
    }
    learn->report.done = true;
    return PLOY_OK;
}
