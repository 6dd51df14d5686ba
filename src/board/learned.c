// Evaluations with learned weights; see the header.
#include "ploy/board/learned.h"

#include <string.h>

#include "learn_internal.h"
#include "ploy/base/math.h"

static const char *const learned_kinds[] = {"linear", "value", "policy", "table"};

static const ploy_field learned_fields[] = {
    PLOY_FIELD_ENUM(ploy_board_learned_def, kind, PLOY_BOARD_LEARNED_VALUE, learned_kinds,
                    "what is learned"),
    PLOY_FIELD_I32(ploy_board_learned_def, hidden, 40, 0, 4096, "", "units of the hidden layer"),
    PLOY_FIELD_I32(ploy_board_learned_def, channels, 0, 0, 256, "",
                   "channels of a convolution before it"),
    PLOY_FIELD_U64(ploy_board_learned_def, seed, 1, "of the first weights"),
};

struct ploy_board_learned {
    ploy_env env;
    ploy_board_learned_def def;
    ploy_board board;
    int32_t count; // weights of a linear one
    float weights[PLOY_BOARD_WEIGHTS_MAX];
    int32_t table_count;
    int32_t *values; // weights of a table, and the same for the type's evaluate: one block
    int16_t *table;
    ploy_net *net;
    int32_t policy; // outputs before the value
};

struct ploy_board_evaluator {
    ploy_env env;
    const ploy_board_learned *learned;
    size_t bytes;
    float *input, *output, *scratch; // one block behind this struct
    unsigned char *copy;             // a position
    ploy_board_move *moves;
    // Noise of self-play at the root: share, and the position it belongs to.
    float noise;
    uint64_t noise_key;
    ploy_rng rng;
};

ploy_fields ploy_board_learned_fields(void) {
    return PLOY_FIELDS(ploy_board_learned_def, learned_fields);
}

ploy_board_learned_def ploy_board_learned_def_default(void) {
    ploy_board_learned_def def;
    ploy_fields_default(ploy_board_learned_fields(), &def);
    return def;
}

static void learned_count_part(void *user, const char *name, int32_t score) {
    (void)name, (void)score;
    (*(int32_t *)user)++;
}

static size_t learned_table_bytes(int32_t count) {
    return (sizeof(int32_t) + sizeof(int16_t)) * (size_t)count;
}

static void learned_fill_table(void *object) {
    ploy_board_learned *l = object;
    for (int32_t i = 0; i < l->table_count; i++) l->table[i] = (int16_t)l->values[i];
}

static ploy_result learned_create_net(ploy_board_learned *l, const ploy_env *env) {
    const ploy_board_type *type = l->board.type;
    int32_t shape[3], count = 0;
    type->encode_shape(l->board.rules, shape);
    ploy_net_size size = {shape[0], shape[2], shape[1]};
    ploy_net_layer layers[3];
    bool policy = l->def.kind == PLOY_BOARD_LEARNED_POLICY;
    if (l->def.channels > 0) layers[count++] = ploy_net_conv(l->def.channels, 3, PLOY_NET_RELU);
    if (l->def.hidden > 0) {
        layers[count++] = ploy_net_dense(l->def.hidden, policy ? PLOY_NET_RELU : PLOY_NET_SIGMOID);
    }
    // A policy keeps plain sums: its two losses differ, and both have target - share as error.
    l->policy = policy ? type->policy_size(l->board.rules) : 0;
    layers[count++] = ploy_net_dense(l->policy + 1, policy ? PLOY_NET_LINEAR : PLOY_NET_SIGMOID);
    return ploy_net_create(size, layers, count, ploy_rng_key_make(l->def.seed), env, &l->net);
}

ploy_result ploy_board_learned_create(const ploy_board_learned_def *def, ploy_board board,
                                      const ploy_env *env, ploy_board_learned **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    ploy_result result = ploy_fields_check(ploy_board_learned_fields(), def, env);
    if (result == PLOY_OK) result = ploy_board_rules_check(board, env);
    if (result != PLOY_OK) return result;
    bool linear = def->kind == PLOY_BOARD_LEARNED_LINEAR;
    bool table = def->kind == PLOY_BOARD_LEARNED_TABLE;
    const char *lack = table    ? (board.type->weights == NULL ? "weights" : NULL)
                       : linear ? (board.type->score_parts == NULL ? "score_parts" : NULL)
                       : board.type->encode == NULL ? "encode"
                       : def->kind == PLOY_BOARD_LEARNED_POLICY && board.type->policy_size == NULL
                           ? "policy_size"
                           : NULL;
    if (lack != NULL) {
        ploy_env_log(env, PLOY_SEVERITY_ERROR, lack);
        return PLOY_ERR_UNSUPPORTED;
    }
    ploy_board_learned *l = ploy_env_alloc_zero(env, sizeof *l);
    if (l == NULL) return PLOY_ERR_MEMORY;
    l->env = *env;
    l->def = *def;
    l->board = board;
    if (linear) {
        size_t bytes = board.type->position_bytes(board.rules);
        void *start = ploy_env_alloc_zero(env, bytes);
        result = start == NULL ? PLOY_ERR_MEMORY : PLOY_OK;
        if (result == PLOY_OK) {
            board.type->start(board.rules, start);
            board.type->score_parts(board.rules, start, 0, learned_count_part, &l->count);
            ploy_env_free(env, start, bytes);
        }
        if (l->count > PLOY_BOARD_WEIGHTS_MAX) result = PLOY_ERR_LIMIT;
        for (int32_t i = 0; i < l->count && result == PLOY_OK; i++) l->weights[i] = 1.0f;
    } else if (table) {
        const ploy_board_weights *weights = board.type->weights;
        l->values = ploy_env_alloc_zero(env, learned_table_bytes(weights->count));
        result = l->values == NULL ? PLOY_ERR_MEMORY : PLOY_OK;
        if (result == PLOY_OK) {
            l->table_count = weights->count;
            l->table = (int16_t *)(void *)(l->values + weights->count);
        }
        for (int32_t i = 0; i < l->table_count; i++) l->values[i] = weights->start(i);
        learned_fill_table(l);
    } else {
        result = learned_create_net(l, env);
    }
    if (result != PLOY_OK) {
        ploy_board_learned_destroy(l);
        return result;
    }
    *out = l;
    return PLOY_OK;
}

void ploy_board_learned_destroy(ploy_board_learned *learned) {
    if (learned == NULL) return;
    ploy_env env = learned->env;
    ploy_net_destroy(learned->net);
    if (learned->values != NULL)
        ploy_env_free(&env, learned->values, learned_table_bytes(learned->table_count));
    ploy_env_free(&env, learned, sizeof *learned);
}

const ploy_board_learned_def *ploy_board_learned_def_of(const ploy_board_learned *learned) {
    return &learned->def;
}

ploy_board ploy_board_learned_board(const ploy_board_learned *learned) {
    return learned->board;
}

float *ploy_board_learned_weights(ploy_board_learned *learned, int32_t *count) {
    *count = learned->count;
    return learned->count > 0 ? learned->weights : NULL;
}

const int16_t *ploy_board_learned_table(const ploy_board_learned *learned, int32_t *count) {
    *count = learned->table_count;
    return learned->table;
}

void ploy_board_learned_table_set(ploy_board_learned *learned, const int16_t *values) {
    for (int32_t i = 0; i < learned->table_count; i++) learned->values[i] = values[i];
    learned_fill_table(learned);
}

ploy_net *ploy_board_learned_net(ploy_board_learned *learned) {
    return learned->net;
}

typedef struct learned_parts {
    float *out;
    int32_t at, count;
} learned_parts;

static void learned_add_part(void *user, const char *name, int32_t score) {
    (void)name;
    learned_parts *parts = user;
    if (parts->at < parts->count) parts->out[parts->at++] = (float)score;
}

void ploy_board_learned_features(const ploy_board_learned *learned, const void *position,
                                 int32_t player, float *out) {
    learned_parts parts = {out, 0, learned->count};
    for (int32_t i = 0; i < learned->count; i++) out[i] = 0.0f;
    learned->board.type->score_parts(learned->board.rules, position, player, learned_add_part,
                                     &parts);
}

void ploy_board_learned_visit(ploy_visit *v, void *object) {
    ploy_board_learned *l = object;
    ploy_visit_object(v, "board_learned", l, sizeof *l);
    PLOY_VISIT_SCRATCH(v, l->env);
    PLOY_VISIT_SCRATCH(v, l->def);
    PLOY_VISIT_SCRATCH(v, l->board);
    PLOY_VISIT_SCRATCH(v, l->count);
    PLOY_VISIT_SCRATCH(v, l->policy);
    PLOY_VISIT_SCRATCH(v, l->net);
    int32_t count = ploy_visit_fixed(v, "weights", PLOY_STATE, l->count);
    for (int32_t i = 0; i < count; i++) {
        ploy_visit_f32_in(v, "weight", PLOY_STATE, &l->weights[i], -1e6f, 1e6f);
    }
    ploy_visit_end(v);
    for (int32_t i = l->count; i < PLOY_BOARD_WEIGHTS_MAX; i++) {
        PLOY_VISIT_SCRATCH(v, l->weights[i]);
    }
    PLOY_VISIT_SCRATCH(v, l->table_count);
    PLOY_VISIT_SCRATCH(v, l->values);
    PLOY_VISIT_SCRATCH(v, l->table);
    if (l->values != NULL) {
        ploy_visit_object(v, "table", l->values, learned_table_bytes(l->table_count));
        ploy_visit_scratch(v, l->table, sizeof(int16_t) * (size_t)l->table_count);
        count = ploy_visit_fixed(v, "table", PLOY_STATE, l->table_count);
        for (int32_t i = 0; i < count; i++) {
            ploy_visit_i32_in(v, "weight", PLOY_STATE, &l->values[i], INT16_MIN, INT16_MAX);
        }
        ploy_visit_end(v);
        ploy_visit_after(v, learned_fill_table, l);
    }
    if (l->net == NULL) return;
    ploy_visit_begin(v, "net", PLOY_STATE);
    ploy_net_visit(v, l->net);
    ploy_visit_end(v);
}

uint64_t ploy_board_learned_hash(const ploy_board_learned *learned) {
    return ploy_visit_hash(ploy_board_learned_visit, learned, NULL);
}

float ploy_board_backup(const float *features, int32_t count, float *weights, const bool *anchored,
                        float searched, float rate) {
    float current = 0.0f;
    for (int32_t i = 0; i < count; i++) current += weights[i] * features[i];
    float delta = searched - current;
    for (int32_t i = 0; i < count; i++) {
        if (anchored == NULL || !anchored[i]) weights[i] += rate * delta * features[i];
    }
    return delta;
}

// ---- evaluators

ploy_result ploy_board_evaluator_create(const ploy_board_learned *learned, const ploy_env *env,
                                        ploy_board_evaluator **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    const ploy_board_type *type = learned->board.type;
    size_t position = (type->position_bytes(learned->board.rules) + 7) / 8 * 8;
    size_t inputs = 0, outputs = 0, scratch = 0;
    if (learned->net != NULL) {
        inputs = (size_t)ploy_net_input_count(learned->net);
        outputs = (size_t)ploy_net_output_count(learned->net);
        scratch = (size_t)ploy_net_scratch(learned->net);
    }
    size_t head = (sizeof(ploy_board_evaluator) + 7) / 8 * 8;
    size_t moves = sizeof(ploy_board_move) * (size_t)type->max_moves;
    size_t bytes = head + position + moves + sizeof(float) * (inputs + outputs + scratch);
    ploy_board_evaluator *e = ploy_env_alloc_zero(env, bytes);
    if (e == NULL) return PLOY_ERR_MEMORY;
    unsigned char *block = (unsigned char *)e + head;
    e->env = *env;
    e->bytes = bytes;
    e->learned = learned;
    e->copy = block;
    e->moves = (ploy_board_move *)(void *)(block + position);
    e->input = (float *)(void *)(block + position + moves);
    e->output = e->input + inputs;
    e->scratch = e->output + outputs;
    *out = e;
    return PLOY_OK;
}

void ploy_board_evaluator_destroy(ploy_board_evaluator *evaluator) {
    if (evaluator == NULL) return;
    ploy_env env = evaluator->env;
    ploy_env_free(&env, evaluator, evaluator->bytes);
}

int32_t ploy_board_evaluator_viewer(ploy_board_evaluator *evaluator, const void *position) {
    ploy_board board = evaluator->learned->board;
    int32_t side = board.type->side(board.rules, position);
    if (side != PLOY_BOARD_CHANCE) return side < 0 ? 0 : side;
    // Before a roll: the player that moves after it.
    memcpy(evaluator->copy, position, board.type->position_bytes(board.rules));
    for (int32_t i = 0; i < 8 && side == PLOY_BOARD_CHANCE; i++) {
        if (board.type->moves(board.rules, evaluator->copy, evaluator->moves,
                              board.type->max_moves) < 1) {
            break;
        }
        board.type->make(board.rules, evaluator->copy, evaluator->moves[0], NULL);
        side = board.type->side(board.rules, evaluator->copy);
    }
    return side < 0 || side == PLOY_BOARD_CHANCE ? 0 : side;
}

static float learned_sigmoid(float x) {
    return ploy_net_activate(PLOY_NET_SIGMOID, 1.0f, x);
}

float ploy_board_evaluator_chance(ploy_board_evaluator *evaluator, const void *position) {
    const ploy_board_learned *l = evaluator->learned;
    if (l->net == NULL) {
        int32_t viewer = ploy_board_evaluator_viewer(evaluator, position);
        int32_t unit = l->board.type->unit > 0 ? l->board.type->unit : 100;
        return learned_sigmoid((float)ploy_board_evaluator_score(evaluator, position, viewer) /
                               (float)(2 * unit));
    }
    l->board.type->encode(l->board.rules, position, evaluator->input);
    ploy_net_run(l->net, evaluator->input, evaluator->output, evaluator->scratch);
    float value = evaluator->output[l->policy];
    return l->policy > 0 ? learned_sigmoid(value) : value;
}

int32_t ploy_board_evaluator_score(ploy_board_evaluator *evaluator, const void *position,
                                   int32_t player) {
    const ploy_board_learned *l = evaluator->learned;
    if (l->net != NULL) {
        float chance = ploy_board_evaluator_chance(evaluator, position);
        int32_t score = (int32_t)(10000.0f * (2.0f * chance - 1.0f));
        return ploy_board_evaluator_viewer(evaluator, position) == player ? score : -score;
    }
    if (l->table != NULL) {
        const ploy_board_type *type = l->board.type;
        return type->weights->evaluate(l->board.rules, position, player, l->table);
    }
    float features[PLOY_BOARD_WEIGHTS_MAX], sum = 0.0f;
    ploy_board_learned_features(l, position, player, features);
    for (int32_t i = 0; i < l->count; i++) sum += l->weights[i] * features[i];
    float most = (float)(PLOY_BOARD_EVALUATION - 1);
    return (int32_t)(sum > most ? most : sum < -most ? -most : sum);
}

static int32_t evaluator_evaluate(void *user, const void *position, int32_t player) {
    return ploy_board_evaluator_score(user, position, player);
}

ploy_board_hooks ploy_board_evaluator_hooks(ploy_board_evaluator *evaluator) {
    ploy_board_hooks hooks;
    memset(&hooks, 0, sizeof hooks);
    hooks.evaluate = evaluator_evaluate;
    hooks.user = evaluator;
    return hooks;
}

// Shares of the legal moves: softmax over their outputs.
static float evaluator_guide(void *user, const void *position, int32_t side,
                             const ploy_board_move *moves, int32_t count, float *priors) {
    ploy_board_evaluator *e = user;
    const ploy_board_learned *l = e->learned;
    const ploy_board_type *type = l->board.type;
    float chance = ploy_board_evaluator_chance(e, position);
    if (ploy_board_evaluator_viewer(e, position) != side) chance = 1.0f - chance;
    if (l->policy == 0) {
        for (int32_t i = 0; i < count; i++) priors[i] = 1.0f / (float)count;
        return chance;
    }
    float largest = -1e30f, sum = 0.0f;
    for (int32_t i = 0; i < count; i++) {
        priors[i] = e->output[type->policy_index(l->board.rules, position, moves[i])];
        largest = priors[i] > largest ? priors[i] : largest;
    }
    for (int32_t i = 0; i < count; i++) {
        priors[i] = (float)ploy_exp((double)(priors[i] - largest));
        sum += priors[i];
    }
    for (int32_t i = 0; i < count; i++) priors[i] /= sum;
    if (e->noise > 0.0f && type->hash(l->board.rules, position) == e->noise_key) {
        float draws[256], total = 0.0f; // cubes: a few moves get most of the noise
        for (int32_t i = 0; i < count && i < 256; i++) {
            float draw = ploy_rng_float(&e->rng);
            draws[i] = draw * draw * draw + 1e-6f;
            total += draws[i];
        }
        for (int32_t i = 0; i < count && i < 256; i++) {
            priors[i] = (1.0f - e->noise) * priors[i] + e->noise * draws[i] / total;
        }
    }
    return chance;
}

ploy_board_mcts_hooks ploy_board_evaluator_guide(ploy_board_evaluator *evaluator) {
    ploy_board_mcts_hooks hooks;
    memset(&hooks, 0, sizeof hooks);
    hooks.guide = evaluator_guide;
    hooks.user = evaluator;
    return hooks;
}

void ployi_board_evaluator_noise(ploy_board_evaluator *evaluator, float share, uint64_t key,
                                 uint64_t seed) {
    evaluator->noise = share;
    evaluator->noise_key = key;
    evaluator->rng = ploy_rng_make(seed);
}
