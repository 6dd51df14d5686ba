// Left or right: a player presses keys, and every predictor says before what comes next. A bar shows
// how often each was right, a table what it knows of the present window. The player's presses can be played again.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "labs/lab_input.h"
#include "labs/labs.h"
#include "ploy/base/visit.h"
#include "ploy/learn/ngram.h"

enum { LR_PREDICTORS = 11, LR_HISTORY = 40, LR_SCORED = 100, LR_RECORDED = 1000 };

static const char *const lr_bots[] = {"player", "alternating", "pairs",
                                      "habit",  "coin",        "recorded"};
static const char *const lr_names[LR_PREDICTORS] = {"raw",    "string", "2-gram",      "3-gram",
                                                    "4-gram", "5-gram", "6-gram",      "7-gram",
                                                    "8-gram", "9-gram", "hierarchical"};

typedef enum lr_bot {
    LR_PLAYER,
    LR_ALTERNATING,
    LR_PAIRS,
    LR_HABIT,
    LR_COIN,
    LR_AGAIN // what the player pressed, over and over
} lr_bot;

typedef struct lr_def {
    uint32_t cookie;
    lr_bot bot;
    int32_t pause;
    float slip;
} lr_def;

static const ploy_field lr_items[] = {
    PLOY_FIELD_ENUM(lr_def, bot, LR_HABIT, lr_bots,
                    "who presses; player: you do; recorded: your presses again, or a book's"),
    PLOY_FIELD_I32(lr_def, pause, 2, 1, 100, "", "ticks between two presses of the bot"),
    PLOY_FIELD_F32(lr_def, slip, 0.1, 0, 1, "", "share of presses that are random"),
};

static ploy_fields lr_fields(void) {
    return PLOY_FIELDS(lr_def, lr_items);
}

typedef struct lr_predictor {
    ploy_learner learner;
    int64_t hits, answers;
    uint8_t recent[LR_SCORED]; // 1: it was right; a ring over the presses
    int32_t guess;             // for the next press; -1: no opinion
    double confidence;
} lr_predictor;

typedef struct lr_lab {
    lr_def def;
    ploy_env env;
    ploy_rng_key key;
    int64_t presses;
    uint8_t history[LR_HISTORY];   // a ring
    uint8_t recorded[LR_RECORDED]; // the player's presses
    int32_t recorded_count;
    int64_t replayed;
    lr_predictor predictors[LR_PREDICTORS];
} lr_lab;

static ploy_agent_id lr_id(int32_t predictor) {
    return ploy_agent_id_make((uint32_t)predictor + 1, 1);
}

static void lr_guess(lr_lab *lab) {
    for (int32_t i = 0; i < LR_PREDICTORS; i++) {
        lr_predictor *p = &lab->predictors[i];
        double row[1] = {PLOY_MISSING};
        ploy_answer answer = ploy_learner_predict(p->learner, row, NULL);
        p->guess = answer.opinion ? answer.category : -1;
        p->confidence = answer.opinion ? answer.confidence : 0.0;
    }
}

static ploy_result lr_make(lr_predictor *p, int32_t index, const ploy_schema *schema,
                           const ploy_env *env) {
    if (index == 0) {
        return ploy_learner_create(ploy_ngram_raw_learner(), NULL, schema, env, &p->learner);
    }
    if (index == 1) {
        ploy_string_def def = ploy_string_def_default();
        def.length = 3; // a window of two
        return ploy_learner_create(ploy_string_learner(), &def, schema, env, &p->learner);
    }
    if (index == LR_PREDICTORS - 1) {
        return ploy_learner_create(ploy_ngram_hierarchical_learner(), NULL, schema, env,
                                   &p->learner);
    }
    ploy_ngram_def def = ploy_ngram_def_default();
    def.length = index;
    return ploy_learner_create(ploy_ngram_learner(), &def, schema, env, &p->learner);
}

static ploy_result lr_create(const void *params, ploy_rng_key key, const ploy_env *env,
                             void **out) {
    lr_lab *lab = ploy_env_alloc_zero(env, sizeof *lab);
    if (lab == NULL) return PLOY_ERR_MEMORY; // the region goes, and all that is in it
    memcpy(&lab->def, params, sizeof lab->def);
    lab->env = *env;
    lab->key = key;
    ploy_schema *schema = NULL;
    ploy_result result = ploy_schema_create(env, &schema);
    if (result == PLOY_OK) result = ploy_schema_add(schema, "press", PLOY_COLUMN_CATEGORY);
    if (result == PLOY_OK) result = ploy_schema_add_value(schema, 0, "left");
    if (result == PLOY_OK) result = ploy_schema_add_value(schema, 0, "right");
    if (result == PLOY_OK) result = ploy_schema_set_target(schema, 0);
    for (int32_t i = 0; i < LR_PREDICTORS && result == PLOY_OK; i++) {
        result = lr_make(&lab->predictors[i], i, schema, env);
    }
    ploy_schema_destroy(schema);
    if (result != PLOY_OK) return result;
    lr_guess(lab);
    *out = lab;
    return PLOY_OK;
}

static ploy_result lr_press(lr_lab *lab, int32_t side) {
    double row[1] = {side};
    ploy_result result = PLOY_OK;
    for (int32_t i = 0; i < LR_PREDICTORS && result == PLOY_OK; i++) {
        lr_predictor *p = &lab->predictors[i];
        bool right = p->guess == side;
        p->answers += p->guess >= 0;
        p->hits += right;
        p->recent[lab->presses % LR_SCORED] = right ? 1 : 0;
        result = ploy_learner_observe(p->learner, row);
    }
    lab->history[lab->presses % LR_HISTORY] = (uint8_t)side;
    lab->presses++;
    lr_guess(lab);
    return result;
}

// The next press of the recording. Without one, those of Millington's book.
static int32_t lr_replay(lr_lab *lab) {
    static const char book[] = "LRRLRLLLRRLRLRR";
    int64_t at = lab->replayed++;
    if (lab->recorded_count > 0) return lab->recorded[at % lab->recorded_count];
    return book[at % (int64_t)(sizeof book - 1)] == 'R' ? 1 : 0;
}

// What the bot presses next.
static int32_t lr_bot_press(const lr_lab *lab) {
    static const uint8_t habit[7] = {0, 0, 1, 0, 1, 1, 1};
    uint64_t n = (uint64_t)lab->presses;
    float slip = ploy_rng_float_at(lab->key, 0, n, 0), coin = ploy_rng_float_at(lab->key, 0, n, 1);
    int32_t random = coin < 0.5f ? 0 : 1;
    if (slip < lab->def.slip) return random;
    switch (lab->def.bot) {
    case LR_ALTERNATING: return (int32_t)(n % 2);
    case LR_PAIRS: return (int32_t)(n / 2 % 2);
    case LR_HABIT: return habit[n % 7];
    default: return random;
    }
}

// What each predictor says about the next press.
static void lr_explain(const lr_lab *lab, ploy_trace *trace) {
    if (trace == NULL) return;
    for (int32_t i = 0; i < LR_PREDICTORS; i++) {
        const lr_predictor *p = &lab->predictors[i];
        ploy_trace_begin(trace, lr_id(i), "next press", lr_names[i]);
        for (int32_t side = 0; side < 2; side++) {
            bool won = p->guess == side;
            ploy_trace_option(trace, side == 0 ? "left" : "right",
                              won            ? PLOY_OUTCOME_WON
                              : p->guess < 0 ? PLOY_OUTCOME_REJECTED
                                             : PLOY_OUTCOME_LOST,
                              won            ? p->confidence
                              : p->guess < 0 ? (double)NAN
                                             : 1.0 - p->confidence,
                              won            ? "it followed more often on such a history"
                              : p->guess < 0 ? "such a history was not seen before"
                                             : "it followed less often on such a history");
        }
        ploy_trace_i64(trace, "hits", p->hits);
        ploy_trace_i64(trace, "answers", p->answers);
        ploy_trace_end(trace);
    }
}

static ploy_result lr_step(void *state, const ploy_sim_context *context) {
    lr_lab *lab = state;
    memcpy(&lab->def, context->params, sizeof lab->def);
    ploy_result result = PLOY_OK;
    for (int32_t i = 0; i < context->input_count && result == PLOY_OK; i++) {
        const ploy_input *input = &context->inputs[i];
        if (input->kind != PLOY_INPUT_COMMAND) continue;
        int32_t side = strcmp(input->name, "right") == 0 ? 1 : 0;
        if (lab->recorded_count < LR_RECORDED) {
            lab->recorded[lab->recorded_count++] = (uint8_t)side;
        }
        result = lr_press(lab, side);
    }
    bool due = lab->def.bot != LR_PLAYER && context->tick % (uint64_t)lab->def.pause == 0;
    if (due && result == PLOY_OK) {
        result = lr_press(lab, lab->def.bot == LR_AGAIN ? lr_replay(lab) : lr_bot_press(lab));
    }
    lr_explain(lab, context->trace);
    return result;
}

// Share of hits among the last presses.
static double lr_share(const lr_lab *lab, const lr_predictor *p) {
    int64_t count = lab->presses < LR_SCORED ? lab->presses : LR_SCORED;
    int32_t hits = 0;
    for (int64_t i = 0; i < count; i++) hits += p->recent[i];
    return count > 0 ? (double)hits / (double)count : 0.0;
}

// What each predictor knows of the window that is there now.
static void lr_draw_table(const lr_lab *lab, ploy_draw *out) {
    char table[1024];
    int32_t length = snprintf(table, sizeof table, "lrlrr\npredictor\thits\twindow\tleft\tright");
    for (int32_t i = 0; i < LR_PREDICTORS; i++) {
        const lr_predictor *p = &lab->predictors[i];
        double row[1] = {PLOY_MISSING}, shares[2] = {0.0, 0.0};
        char window[LR_PREDICTORS] = "", left[16] = "-", right[16] = "-";
        int64_t size = i == 1 ? 2 : i - 1; // of "string", and of the N-gram with N = i
        if (i == LR_PREDICTORS - 1) {
            snprintf(window, sizeof window, "any");
        } else {
            for (int64_t k = 0; k < size && size <= lab->presses; k++) {
                window[k] = lab->history[(lab->presses - size + k) % LR_HISTORY] == 1 ? 'R' : 'L';
            }
        }
        if (ploy_learner_predict(p->learner, row, shares).opinion) {
            snprintf(left, sizeof left, "%.2f", shares[0]);
            snprintf(right, sizeof right, "%.2f", shares[1]);
        }
        length +=
            snprintf(table + length, sizeof table - (size_t)length, "\n%s\t%.0f %%\t%s\t%s\t%s",
                     lr_names[i], 100.0 * lr_share(lab, p), window, left, right);
    }
    ploy_draw_table(out, ploy_agent_id_none(), ploy_vec2_make(19.5f, 12.2f), table);
}

static void lr_draw(const void *state, ploy_draw *out) {
    const lr_lab *lab = state;
    ploy_draw_key(out, PLOY_STYLE_AGENT_A, "pressed right");
    ploy_draw_key(out, PLOY_STYLE_AGENT_B, "pressed left");
    ploy_draw_key(out, PLOY_STYLE_GOOD, "right in more than 60 %");
    ploy_draw_key(out, PLOY_STYLE_GHOST, "right less often");
    ploy_draw_key(out, PLOY_STYLE_WALL, "what a coin gets");
    ploy_agent_id none = ploy_agent_id_none();
    int64_t first = lab->presses > LR_HISTORY ? lab->presses - LR_HISTORY : 0;
    for (int64_t i = first; i < lab->presses; i++) {
        bool right = lab->history[i % LR_HISTORY] == 1;
        ploy_vec2 at = ploy_vec2_make((float)(i - first) * 0.5f + 0.25f, right ? 13.2f : 12.6f);
        ploy_draw_disc(out, PLOY_LAYER_AGENTS, right ? PLOY_STYLE_AGENT_A : PLOY_STYLE_AGENT_B,
                       none, at, 0.2f, 1.0f);
    }
    for (int32_t i = 0; i < LR_PREDICTORS; i++) {
        const lr_predictor *p = &lab->predictors[i];
        float y = 11.0f - (float)i, share = (float)lr_share(lab, p);
        ploy_vec2 bar[4] = {{6, y}, {6 + 12 * share, y}, {6 + 12 * share, y + 0.6f}, {6, y + 0.6f}};
        ploy_draw_polygon(out, PLOY_LAYER_REGIONS,
                          share > 0.6f ? PLOY_STYLE_GOOD : PLOY_STYLE_GHOST, lr_id(i), bar, 4,
                          0.8f);
        ploy_draw_text(out, none, ploy_vec2_make(0.0f, y + 0.1f), lr_names[i]);
    }
    lr_draw_table(lab, out);
    ploy_draw_line(out, PLOY_LAYER_WORLD, PLOY_STYLE_WALL, none, ploy_vec2_make(12, 0.8f),
                   ploy_vec2_make(12, 11.8f)); // what a coin gets
}

static void lr_describe(const void *state, ploy_describe *out) {
    const lr_lab *lab = state;
    ploy_describe_u64(out, "key", PLOY_STATE, lab->key.bits);
    ploy_describe_i64(out, "presses", PLOY_STATE, lab->presses);
    for (int32_t i = 0; i < LR_HISTORY && i < lab->presses; i++) {
        ploy_describe_i64(out, "pressed", PLOY_STATE, lab->history[i]);
    }
    for (int32_t i = 0; i < lab->recorded_count; i++) {
        ploy_describe_i64(out, "recorded", PLOY_STATE, lab->recorded[i]);
    }
    if (lab->replayed > 0) ploy_describe_i64(out, "replayed", PLOY_STATE, lab->replayed);
    for (int32_t i = 0; i < LR_PREDICTORS; i++) {
        const lr_predictor *p = &lab->predictors[i];
        ploy_describe_begin(out, lr_names[i]);
        ploy_describe_f64(out, "share", PLOY_DERIVED, lr_share(lab, p));
        ploy_describe_i64(out, "hits", PLOY_STATE, p->hits);
        ploy_describe_i64(out, "answers", PLOY_STATE, p->answers);
        uint64_t bits = 0;
        for (int32_t k = 0; k < LR_SCORED; k++) bits = bits * 3 + p->recent[k];
        ploy_describe_u64(out, "recent", PLOY_STATE, bits);
        ploy_describe_i64(out, "guess", PLOY_STATE, p->guess);
        ploy_describe_f64(out, "confidence", PLOY_STATE, p->confidence);
        ploy_learner_describe(p->learner, out);
        ploy_describe_end(out);
    }
}

static const ploy_command lr_commands[] = {
    {"left", "press left", PLOY_VALUE_NONE, false, "ArrowLeft"},
    {"right", "press right", PLOY_VALUE_NONE, false, "ArrowRight"},
};

extern const ploy_sim_type ploy_lab_left_or_right; // in labs.c
const ploy_sim_type ploy_lab_left_or_right = {
    .name = "left_or_right",
    .title = "Left or right",
    .help =
        "Press the arrow keys with the bot set to player, or watch a bot. Each predictor says "
        "first what comes next; bars show its hits in the last 100 presses, the line what a coin "
        "gets. Counting alone fails on a player who alternates. The table has what followed the "
        "last "
        "presses before. Set the bot to recorded to see your own presses guessed again.",
    .version = 1,
    .capabilities = PLOY_SIM_INTERACTIVE | PLOY_SIM_DIAGRAM,
    .dt = 1.0f / 10.0f,
    .view = {-0.5f, 0.0f, 30.5f, 14.0f},
    .fields = lr_fields,
    .commands = lr_commands,
    .command_count = sizeof lr_commands / sizeof lr_commands[0],
    .create = lr_create,
    .destroy = NULL, // the region goes with the simulation
    .step = lr_step,
    .draw = lr_draw,
    .describe = lr_describe,
};
