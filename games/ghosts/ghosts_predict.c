// Ghosts that predict the player's turns.
//
// At every junction two learners predict how the player turns before it does: "raw" counts turns,
// "windows" is a hierarchical N-gram whose windows also hold what the player sees at the junction:
// by which exit the nearest pip is reached and by which a ghost comes.
// Both learn from every turn, so their hits can be compared; the setting `predictor` chooses the one
// that pink follows. It then goes for a tile on the predicted path instead of one straight ahead.
//
// Turns are relative to the direction of arrival, so that what was learned at one junction is known
// at every junction of the same shape. Technique: Millington, "AI for Games", 7.3.
#include "games/ghosts/ghosts.h"

#include "ploy/learn/ngram.h"

// Counter-clockwise from the direction of arrival, as directions are.
static const char *const predict_turns[GHOSTS_WAYS] = {"straight", "left", "back", "right"};

enum { PREDICT_COLUMNS = 3, PREDICT_NEAR = 6 }; // steps at which a ghost counts as near

typedef struct predict_column {
    const char *name;
    int32_t values;
} predict_column;

// "food" and "ghost" are turns; one more value means none.
static const predict_column predict_columns[PREDICT_COLUMNS] = {
    {"turn", GHOSTS_WAYS}, {"food", GHOSTS_WAYS + 1}, {"ghost", GHOSTS_WAYS + 1}};

static ploy_result predict_schema(const ploy_env *env, int32_t columns, ploy_schema **out) {
    ploy_result result = ploy_schema_create(env, out);
    for (int32_t i = 0; i < columns && result == PLOY_OK; i++) {
        result = ploy_schema_add(*out, predict_columns[i].name, PLOY_COLUMN_CATEGORY);
        for (int32_t k = 0; k < predict_columns[i].values && result == PLOY_OK; k++) {
            result = ploy_schema_add_value(*out, i, k < GHOSTS_WAYS ? predict_turns[k] : "none");
        }
    }
    return result == PLOY_OK ? ploy_schema_set_target(*out, 0) : result;
}

ploy_result ghosts_predict_create(ghosts_game *game, const ploy_env *env) {
    ploy_result result = PLOY_OK;
    for (int32_t i = 0; i < GHOSTS_PREDICTORS && result == PLOY_OK; i++) {
        bool windows = i == GHOSTS_WINDOWS;
        ploy_schema *schema = NULL;
        ploy_ngram_def def;
        ploy_fields_default(ploy_ngram_hierarchical_fields(), &def);
        def.length = 2;
        def.threshold = 1;     // a minute has only 100 turns
        def.max_windows = 128; // 5 * 5 situations, each alone and after four turns: it is bounded
        result = predict_schema(env, windows ? PREDICT_COLUMNS : 1, &schema);
        if (result == PLOY_OK) {
            result = ploy_learner_create(windows ? ploy_ngram_hierarchical_learner()
                                                 : ploy_ngram_raw_learner(),
                                         windows ? &def : NULL, schema, env, &game->predictors[i]);
        }
        ploy_schema_destroy(schema);
    }
    return result;
}

// ---- junctions

static int32_t predict_exit_count(const ghosts_game *game, ghosts_tile tile) {
    int32_t count = 0;
    for (int32_t way = 0; way < GHOSTS_WAYS; way++) {
        count += ghosts_open(game, ghosts_next(tile, way), false) ? 1 : 0;
    }
    return count;
}

// What a flood from a junction looks for: something to eat, or a ghost that chases.
static bool predict_wanted(const ghosts_game *game, ghosts_tile tile, bool ghost) {
    if (!ghost) return ghosts_bit(game->pips, tile) || ghosts_bit(game->powers, tile);
    for (int32_t i = 0; i < GHOSTS_COUNT; i++) {
        int32_t state = game->ghosts[i].state;
        bool chases = state == GHOSTS_SCATTER || state == GHOSTS_CHASE;
        if (chases && ghosts_cell(game->ghosts[i].mover.tile) == ghosts_cell(tile)) return true;
    }
    return false;
}

// The first direction of a shortest path from a tile to something, -1 if nothing is within `most` steps.
static int32_t predict_nearest(const ghosts_game *game, ghosts_tile from, bool ghost,
                               int32_t most) {
    ghosts_tile queue[GHOSTS_CELLS];
    int8_t first[GHOSTS_CELLS]; // 0: not reached; otherwise the first direction plus 1
    int32_t head = 0, tail = 0, steps = 0, ends = 1; // of the tiles with that many steps
    for (int32_t i = 0; i < GHOSTS_CELLS; i++) first[i] = 0;
    queue[tail++] = from;
    first[ghosts_cell(from)] = GHOSTS_WAYS + 1;
    while (head < tail && steps <= most) {
        ghosts_tile tile = queue[head++];
        int8_t way = first[ghosts_cell(tile)];
        if (head > 1 && predict_wanted(game, tile, ghost)) return way - 1;
        for (int32_t to = 0; to < GHOSTS_WAYS; to++) {
            ghosts_tile next = ghosts_next(tile, to);
            if (!ghosts_open(game, next, false) || first[ghosts_cell(next)] != 0) continue;
            first[ghosts_cell(next)] = head == 1 ? (int8_t)(to + 1) : way;
            queue[tail++] = next;
        }
        if (head == ends) {
            steps++;
            ends = tail;
        }
    }
    return -1;
}

static int32_t predict_turn(int32_t from, int32_t to) {
    return to < 0 ? (int32_t)GHOSTS_WAYS : (to - from + GHOSTS_WAYS) % GHOSTS_WAYS;
}

// What the player sees on arrival at a junction, relative to its direction.
static void predict_row(const ghosts_game *game, ghosts_tile tile, int32_t way,
                        double row[PREDICT_COLUMNS]) {
    row[0] = PLOY_MISSING;
    row[1] = predict_turn(way, predict_nearest(game, tile, false, GHOSTS_CELLS));
    row[2] = predict_turn(way, predict_nearest(game, tile, true, PREDICT_NEAR));
}

static ploy_answer predict_answer(const ghosts_game *game, int32_t predictor,
                                  const double row[PREDICT_COLUMNS]) {
    return ploy_learner_predict(game->predictors[predictor], row, NULL);
}

ploy_result ghosts_predict_turn(ghosts_game *game, const ghosts_runner *before,
                                const ghosts_runner *after) {
    if (!before->moving || !after->moving) return PLOY_OK;
    ghosts_tile tile = after->mover.tile;
    if (ghosts_cell(tile) == ghosts_cell(before->mover.tile)) return PLOY_OK;
    if (predict_exit_count(game, tile) < 3) return PLOY_OK;
    int32_t turn = predict_turn(before->mover.way, after->mover.way);
    // A person turns back between two tiles; that is no turn at a junction.
    if (game->person && turn == 2) return PLOY_OK;
    double row[PREDICT_COLUMNS];
    predict_row(game, tile, before->mover.way, row);
    ploy_result result = PLOY_OK;
    game->turns++;
    for (int32_t i = 0; i < GHOSTS_PREDICTORS && result == PLOY_OK; i++) {
        ploy_answer answer = predict_answer(game, i, row);
        game->hits[i] += answer.opinion && answer.category == turn ? 1 : 0;
        double example[PREDICT_COLUMNS] = {turn, row[1], row[2]};
        result = ploy_learner_observe(game->predictors[i], example);
    }
    return result;
}

// ---- the predicted path

// The only exit of a corridor other than back; -1 at a junction.
static int32_t predict_onward(const ghosts_game *game, ghosts_tile tile, int32_t way) {
    if (predict_exit_count(game, tile) > 2) return -1;
    for (int32_t to = 0; to < GHOSTS_WAYS; to++) {
        if (to != ghosts_opposite(way) && ghosts_open(game, ghosts_next(tile, to), false))
            return to;
    }
    return -1;
}

bool ghosts_predict_tile(const ghosts_game *game, int32_t tiles, ghosts_tile *out) {
    if (game->def.predictor == GHOSTS_NO_PREDICTOR) return false;
    int32_t predictor = (int32_t)game->def.predictor - 1;
    ghosts_tile tile = game->player.mover.tile;
    int32_t way = game->player.mover.way;
    bool predicted = false;
    for (int32_t i = 0; i < tiles; i++) {
        tile = ghosts_next(tile, way);
        if (!ghosts_open(game, tile, false)) return false; // a person in front of a wall
        int32_t onward = predict_onward(game, tile, way);
        if (onward < 0) {
            double row[PREDICT_COLUMNS];
            predict_row(game, tile, way, row);
            ploy_answer answer = predict_answer(game, predictor, row);
            if (!answer.opinion) break;
            onward = (way + answer.category) % GHOSTS_WAYS;
            // Raw counts may name an exit that this junction does not have.
            if (!ghosts_open(game, ghosts_next(tile, onward), false)) break;
            predicted = true;
        }
        way = onward;
    }
    *out = tile;
    return predicted;
}

void ghosts_predict_describe(const ghosts_game *game, ploy_describe *out) {
    static const char *const names[GHOSTS_PREDICTORS] = {"raw", "windows"};
    ploy_describe_begin(out, "prediction");
    ploy_describe_i64(out, "turns", PLOY_STATE, game->turns);
    for (int32_t i = 0; i < GHOSTS_PREDICTORS; i++) {
        ploy_describe_begin(out, names[i]);
        ploy_describe_i64(out, "hits", PLOY_STATE, game->hits[i]);
        ploy_describe_f64(out, "share", PLOY_DERIVED,
                          game->turns > 0 ? (double)game->hits[i] / game->turns : 0.0);
        ploy_learner_describe(game->predictors[i], out);
        ploy_describe_end(out);
    }
    ploy_describe_end(out);
}
