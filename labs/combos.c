// Countered combos: a fighter strings buttons into combos, and an opponent predicts the next button and
// counters it. Three opponents guess at the same time, so that they can be compared: one learns windows
// of buttons together with the stance, one counts buttons, and one follows a rule. The chosen one
// fights, as far as its handicap lets it.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "labs/lab_input.h"
#include "labs/labs.h"
#include "ploy/base/visit.h"
#include "ploy/learn/ngram.h"

enum {
    COMBOS_BUTTONS = 4,
    COMBOS_LIST = 4,
    COMBOS_LONGEST = 4,
    COMBOS_RECENT = 100,
    COMBOS_SHOWN = 30
};

static const char *const combos_opponents[] = {"learned", "raw", "rule"};
typedef enum combos_opponent {
    COMBOS_LEARNED,
    COMBOS_RAW,
    COMBOS_RULE,
    COMBOS_OPPONENTS
} combos_opponent;
static const char *const combos_buttons[COMBOS_BUTTONS] = {"A", "B", "C", "D"};
static const char *const combos_stances[2] = {"standing", "crouching"};

// Buttons of each combo for both stances; -1 ends it. Crouching, the same openings end differently.
static const int8_t combos_list[2][COMBOS_LIST][COMBOS_LONGEST] = {
    {{1, 0, -1, -1}, {1, 0, 0, 1}, {2, 2, 3, -1}, {0, 3, 2, -1}},
    {{1, 3, -1, -1}, {1, 0, 2, 3}, {2, 0, 0, -1}, {0, 1, 1, 2}},
};
static const char *const combos_names[2][COMBOS_LIST] = {
    {"throw", "flying kick", "uppercut", "feint"}, {"sweep", "roll", "low punches", "spring"}};

typedef struct combos_def {
    uint32_t cookie;
    combos_opponent opponent;
    int32_t pause;
    float slip;
    ploy_handicap_def handicap;
} combos_def;

static const ploy_field combos_items[] = {
    PLOY_FIELD_ENUM(combos_def, opponent, COMBOS_LEARNED, combos_opponents, "who fights"),
    PLOY_FIELD_I32(combos_def, pause, 2, 1, 100, "", "ticks between two buttons"),
    PLOY_FIELD_F32(combos_def, slip, 0.05, 0, 1, "", "share of buttons that are random"),
    PLOY_FIELD_DEF(combos_def, handicap, ploy_handicap_fields, "what keeps it beatable"),
};

static ploy_fields combos_fields(void) {
    return PLOY_FIELDS(combos_def, combos_items);
}

typedef struct combos_lab {
    combos_def def;
    ploy_rng_key key;
    ploy_learner learners[2];
    int64_t presses;
    int32_t stance, combo, at; // what the fighter does: a combo and the next button of it
    int32_t last;              // button; -1: none
    int32_t guesses[COMBOS_OPPONENTS];
    double confidence[COMBOS_OPPONENTS];
    uint8_t recent[COMBOS_OPPONENTS][COMBOS_RECENT];
    int64_t hits[COMBOS_OPPONENTS]; // buttons guessed
    int64_t countered, landed;      // of the fight
    uint8_t shown[COMBOS_SHOWN];    // button, 16: countered, 32: crouching
} combos_lab;

static ploy_agent_id combos_id(int32_t who) {
    return ploy_agent_id_make((uint32_t)who + 1, 1);
}

static void combos_next_combo(combos_lab *lab) {
    uint64_t n = (uint64_t)lab->presses;
    if (ploy_rng_float_at(lab->key, 1, n, 0) < 0.3f) lab->stance = 1 - lab->stance;
    lab->combo = ploy_rng_int_at(lab->key, 2, n, 0, 0, COMBOS_LIST - 1);
    lab->at = 0;
}

static void combos_guess(combos_lab *lab) {
    double row[2] = {PLOY_MISSING, lab->stance};
    for (int32_t i = 0; i < 2; i++) {
        ploy_answer answer = ploy_learner_predict(lab->learners[i], row, NULL);
        lab->guesses[i] = answer.opinion ? answer.category : -1;
        lab->confidence[i] = answer.opinion ? answer.confidence : 0.0;
    }
    // The hand-made rule of many games: what came once comes again.
    lab->guesses[COMBOS_RULE] = lab->last;
    lab->confidence[COMBOS_RULE] = lab->last >= 0 ? 1.0 : 0.0;
}

static ploy_result combos_schema(const ploy_env *env, bool stance, ploy_schema **out) {
    ploy_result result = ploy_schema_create(env, out);
    if (result == PLOY_OK) result = ploy_schema_add(*out, "button", PLOY_COLUMN_CATEGORY);
    for (int32_t i = 0; i < COMBOS_BUTTONS && result == PLOY_OK; i++) {
        result = ploy_schema_add_value(*out, 0, combos_buttons[i]);
    }
    if (stance && result == PLOY_OK) result = ploy_schema_add(*out, "stance", PLOY_COLUMN_CATEGORY);
    for (int32_t i = 0; i < 2 && stance && result == PLOY_OK; i++) {
        result = ploy_schema_add_value(*out, 1, combos_stances[i]);
    }
    return result == PLOY_OK ? ploy_schema_set_target(*out, 0) : result;
}

static ploy_result combos_create(const void *params, ploy_rng_key key, const ploy_env *env,
                                 void **out) {
    combos_lab *lab = ploy_env_alloc_zero(env, sizeof *lab);
    if (lab == NULL) return PLOY_ERR_MEMORY; // the region goes, and all that is in it
    memcpy(&lab->def, params, sizeof lab->def);
    lab->key = key;
    lab->last = -1;
    ploy_ngram_def def;
    ploy_fields_default(ploy_ngram_hierarchical_fields(), &def);
    def.length = 4; // the longest combo
    def.dense = true;
    ploy_result result = PLOY_OK;
    for (int32_t i = 0; i < 2 && result == PLOY_OK; i++) {
        ploy_schema *schema = NULL;
        bool learned = i == COMBOS_LEARNED;
        result = combos_schema(env, learned, &schema);
        if (result == PLOY_OK) {
            result = ploy_learner_create(learned ? ploy_ngram_hierarchical_learner()
                                                 : ploy_ngram_raw_learner(),
                                         learned ? &def : NULL, schema, env, &lab->learners[i]);
        }
        ploy_schema_destroy(schema);
    }
    if (result != PLOY_OK) return result;
    combos_next_combo(lab);
    combos_guess(lab);
    *out = lab;
    return PLOY_OK;
}

static ploy_result combos_press(combos_lab *lab, int32_t button) {
    ploy_result result = PLOY_OK;
    for (int32_t i = 0; i < COMBOS_OPPONENTS; i++) {
        bool right = lab->guesses[i] == button;
        lab->hits[i] += right;
        lab->recent[i][lab->presses % COMBOS_RECENT] = right ? 1 : 0;
    }
    int32_t guess = lab->guesses[lab->def.opponent];
    ploy_answer answer = ploy_answer_none();
    answer.opinion = guess >= 0;
    answer.category = guess;
    answer.confidence = lab->confidence[lab->def.opponent];
    ploy_rng rng = ploy_rng_from_key(lab->key, 100 + (uint64_t)lab->presses);
    answer = ploy_handicap_apply(&lab->def.handicap, answer, &rng);
    bool countered = answer.opinion && answer.category == button;
    lab->countered += countered;
    lab->landed += !countered;
    lab->shown[lab->presses % COMBOS_SHOWN] =
        (uint8_t)(button + (countered ? 16 : 0) + (lab->stance == 1 ? 32 : 0));
    double row[2] = {button, lab->stance};
    for (int32_t i = 0; i < 2 && result == PLOY_OK; i++) {
        result = ploy_learner_observe(lab->learners[i], row);
    }
    lab->last = button;
    lab->presses++;
    if (++lab->at >= COMBOS_LONGEST || combos_list[lab->stance][lab->combo][lab->at] < 0) {
        combos_next_combo(lab);
    }
    combos_guess(lab);
    return result;
}

static int32_t combos_bot(const combos_lab *lab) {
    uint64_t n = (uint64_t)lab->presses;
    if (ploy_rng_float_at(lab->key, 3, n, 0) < lab->def.slip) {
        return ploy_rng_int_at(lab->key, 4, n, 0, 0, COMBOS_BUTTONS - 1);
    }
    return combos_list[lab->stance][lab->combo][lab->at];
}

static void combos_explain(const combos_lab *lab, ploy_trace *trace) {
    for (int32_t i = 0; i < COMBOS_OPPONENTS && trace != NULL; i++) {
        ploy_trace_begin(trace, combos_id(i), "next button", combos_opponents[i]);
        for (int32_t k = 0; k < COMBOS_BUTTONS; k++) {
            bool won = lab->guesses[i] == k;
            ploy_trace_option(trace, combos_buttons[k], won ? PLOY_OUTCOME_WON : PLOY_OUTCOME_LOST,
                              won ? lab->confidence[i] : (double)NAN,
                              won ? "it followed most often" : "another one followed more often");
        }
        ploy_trace_i64(trace, "hits", lab->hits[i]);
        ploy_trace_end(trace);
    }
}

static ploy_result combos_step(void *state, const ploy_sim_context *context) {
    combos_lab *lab = state;
    memcpy(&lab->def, context->params, sizeof lab->def);
    ploy_result result = PLOY_OK;
    bool person = false;
    for (int32_t i = 0; i < context->input_count && result == PLOY_OK; i++) {
        for (int32_t k = 0; k < COMBOS_BUTTONS; k++) {
            if (!lab_input_is(&context->inputs[i], combos_buttons[k])) continue;
            person = true;
            result = combos_press(lab, k);
        }
    }
    bool due = !person && context->tick % (uint64_t)lab->def.pause == 0;
    if (due && result == PLOY_OK) result = combos_press(lab, combos_bot(lab));
    combos_explain(lab, context->trace);
    return result;
}

// ---- sight

static double combos_share(const combos_lab *lab, int32_t who) {
    int64_t count = lab->presses < COMBOS_RECENT ? lab->presses : COMBOS_RECENT;
    int32_t hits = 0;
    for (int64_t i = 0; i < count; i++) hits += lab->recent[who][i];
    return count > 0 ? (double)hits / (double)count : 0.0;
}

static void combos_draw(const void *state, ploy_draw *out) {
    const combos_lab *lab = state;
    ploy_agent_id none = ploy_agent_id_none();
    ploy_draw_key(out, PLOY_STYLE_GOOD, "countered");
    ploy_draw_key(out, PLOY_STYLE_BAD, "landed");
    ploy_draw_key(out, PLOY_STYLE_GHOST, "share of buttons guessed");
    int64_t first = lab->presses > COMBOS_SHOWN ? lab->presses - COMBOS_SHOWN : 0;
    for (int64_t i = first; i < lab->presses; i++) {
        uint8_t shown = lab->shown[i % COMBOS_SHOWN];
        float x = 0.4f + 0.65f * (float)(i - first), y = (shown & 32) != 0 ? 7.0f : 7.8f;
        ploy_draw_disc(out, PLOY_LAYER_AGENTS, (shown & 16) != 0 ? PLOY_STYLE_GOOD : PLOY_STYLE_BAD,
                       none, ploy_vec2_make(x, y), 0.15f + 0.04f * (float)(shown & 3), 1.0f);
    }
    char text[128];
    for (int32_t i = 0; i < COMBOS_OPPONENTS; i++) {
        float y = 4.5f - 1.2f * (float)i, share = (float)combos_share(lab, i);
        ploy_vec2 bar[4] = {{8, y}, {8 + 10 * share, y}, {8 + 10 * share, y + 0.7f}, {8, y + 0.7f}};
        ploy_draw_polygon(out, PLOY_LAYER_REGIONS, PLOY_STYLE_GHOST, combos_id(i), bar, 4, 0.8f);
        snprintf(text, sizeof text, "%s: %.0f %%, expects %s", combos_opponents[i],
                 100.0 * (double)share,
                 lab->guesses[i] < 0 ? "nothing" : combos_buttons[lab->guesses[i]]);
        ploy_draw_text(out, none, ploy_vec2_make(0.0f, y + 0.15f), text);
    }
    snprintf(text, sizeof text, "%s: %s; countered %lld, landed %lld", combos_stances[lab->stance],
             combos_names[lab->stance][lab->combo], (long long)lab->countered,
             (long long)lab->landed);
    ploy_draw_text(out, none, ploy_vec2_make(0.0f, 9.0f), text);
}

static void combos_describe(const void *state, ploy_describe *out) {
    const combos_lab *lab = state;
    ploy_describe_u64(out, "key", PLOY_STATE, lab->key.bits);
    ploy_describe_i64(out, "presses", PLOY_STATE, lab->presses);
    ploy_describe_text(out, "stance", PLOY_STATE, combos_stances[lab->stance]);
    ploy_describe_i64(out, "combo", PLOY_STATE, lab->combo);
    ploy_describe_i64(out, "at", PLOY_STATE, lab->at);
    ploy_describe_i64(out, "last", PLOY_STATE, lab->last);
    ploy_describe_i64(out, "countered", PLOY_STATE, lab->countered);
    ploy_describe_i64(out, "landed", PLOY_STATE, lab->landed);
    for (int32_t i = 0; i < COMBOS_OPPONENTS; i++) {
        ploy_describe_begin(out, combos_opponents[i]);
        ploy_describe_f64(out, "share", PLOY_DERIVED, combos_share(lab, i));
        ploy_describe_i64(out, "hits", PLOY_STATE, lab->hits[i]);
        ploy_describe_i64(out, "guess", PLOY_STATE, lab->guesses[i]);
        ploy_describe_f64(out, "confidence", PLOY_STATE, lab->confidence[i]);
        ploy_describe_u64(out, "recent", PLOY_STATE,
                          ploy_hash_bytes(lab->recent[i], sizeof lab->recent[i], 0));
        if (i < 2) {
            ploy_describe_u64(out, "learner", PLOY_STATE, ploy_learner_hash(lab->learners[i]));
        }
        ploy_describe_end(out);
    }
    ploy_describe_u64(out, "shown", PLOY_STATE, ploy_hash_bytes(lab->shown, sizeof lab->shown, 0));
}

static const ploy_command combos_commands[] = {
    {"A", "press A", PLOY_VALUE_NONE, false, "a"},
    {"B", "press B", PLOY_VALUE_NONE, false, "s"},
    {"C", "press C", PLOY_VALUE_NONE, false, "d"},
    {"D", "press D", PLOY_VALUE_NONE, false, "w"},
};

extern const ploy_sim_type ploy_lab_combos; // in labs.c
const ploy_sim_type ploy_lab_combos = {
    .name = "combos",
    .title = "Countered combos",
    .help =
        "A fighter's buttons come in combos, other ones when it crouches. The opponent predicts "
        "the next button and counters it. Compare learned windows with counts and with a rule, "
        "and set a handicap: without one the learned opponent is hard to beat.",
    .version = 1,
    .capabilities = PLOY_SIM_INTERACTIVE | PLOY_SIM_DIAGRAM,
    .dt = 1.0f / 10.0f,
    .view = {-0.5f, 0.5f, 20.5f, 10.0f},
    .fields = combos_fields,
    .commands = combos_commands,
    .command_count = sizeof combos_commands / sizeof combos_commands[0],
    .create = combos_create,
    .destroy = NULL, // the region goes with the simulation
    .step = combos_step,
    .draw = combos_draw,
    .describe = combos_describe,
};
