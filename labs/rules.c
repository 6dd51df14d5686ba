// The lab of rules: a gatherer that decides by a rule program, with its facts, its network, its
// agenda and the reason of its present goal beside the field.
//
// The senses put facts into the working memory; goals hang on them logically, so a goal vanishes
// when its ground does. The program can be edited while the gatherer lives by it: its senses assert the
// new rules what there is. Everything, the program and its text too, lies in the region.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "labs/lab_input.h"
#include "labs/labs.h"
#include "ploy/base/math.h"
#include "ploy/data/clips.h"

enum { RULES_BERRIES = 8, RULES_SENSES = 4, RULES_LINES = 14, RULES_LINE = 96 };

static const char rules_program[] =
    "(deffacts start (at home))\n"
    "\n"
    "(defrule flee\n"
    "  (declare (salience 30))\n"
    "  (logical (wolf near))\n"
    "  => (assert (goal flee)))\n"
    "\n"
    "(defrule starve\n"
    "  (declare (salience 20))\n"
    "  (logical (hunger high) (not (wolf near)) (berry seen))\n"
    "  => (assert (goal eat)))\n"
    "\n"
    "(defrule deliver\n"
    "  (declare (salience 10))\n"
    "  (logical (load full) (not (wolf near)))\n"
    "  => (assert (goal home)))\n"
    "\n"
    "(defrule gather\n"
    "  (logical (berry seen) (not (wolf near)) (not (load full)) (not (hunger high)))\n"
    "  => (assert (goal gather)))\n"
    "\n"
    "(defrule rest\n"
    "  (declare (salience -10))\n"
    "  (logical (not (berry seen)) (not (wolf near)) (not (load full)))\n"
    "  => (assert (goal rest)))\n";

static const ploy_definition rules_definitions[] = {
    {"gatherer", "clp",
     "the rules; senses assert (wolf near), (hunger high), (berry seen), (load full); goals are "
     "flee, "
     "eat, home, gather, rest"},
};

typedef struct rules_lab_def {
    uint32_t cookie;
    float speed;
    float fear;
    float appetite;
    int32_t load;
    int32_t period;
} rules_lab_def;

static const ploy_field rules_lab_fields[] = {
    PLOY_FIELD_F32(rules_lab_def, speed, 3, 0, 20, "m/s", "of the gatherer"),
    PLOY_FIELD_F32(rules_lab_def, fear, 4, 0, 20, "m", "how near the wolf may come"),
    PLOY_FIELD_F32(rules_lab_def, appetite, 6, 0, 100, "%/s", "how fast hunger grows"),
    PLOY_FIELD_I32(rules_lab_def, load, 3, 1, 8, "", "berries it can carry"),
    PLOY_FIELD_I32(rules_lab_def, period, 6, 1, 600, "ticks", "from one decision to the next"),
};

static ploy_fields rules_lab_get_fields(void) {
    return PLOY_FIELDS(rules_lab_def, rules_lab_fields);
}

typedef struct rules_lab {
    rules_lab_def def;
    ploy_clips *clips;
    ploy_definition_text text;
    ploy_rng_key key;
    uint64_t tick;
    ploy_vec2 at, wolf, wolf_goal, nest;
    ploy_vec2 berries[RULES_BERRIES];
    float hunger;
    int32_t carried, stored, decisions;
    int32_t senses[RULES_SENSES]; // what the facts say at present: 1 the first word, 0 none
    int32_t goal;
    char lines[RULES_LINES][RULES_LINE]; // what is shown of the last decision
    int32_t line_count;
} rules_lab;

static const char *const rules_senses[RULES_SENSES][2] = {
    {"wolf", "near"}, {"hunger", "high"}, {"berry", "seen"}, {"load", "full"}};
static const char *const rules_goals[] = {"none", "flee", "eat", "home", "gather", "rest"};
enum { RULES_NONE, RULES_FLEE, RULES_EAT, RULES_HOME, RULES_GATHER, RULES_REST, RULES_GOALS };

static ploy_vec2 rules_place(const rules_lab *lab, uint32_t agent, uint64_t tick) {
    return ploy_vec2_make(ploy_rng_range_at(lab->key, agent, tick, 0, -9.0f, 9.0f),
                          ploy_rng_range_at(lab->key, agent, tick, 1, -8.0f, 8.0f));
}

static ploy_result rules_load(const void *bytes, size_t size, const ploy_env *env,
                              ploy_diags *diags, ploy_clips **out) {
    ploy_clips_def def = ploy_clips_def_default();
    def.audit = true;
    // A text from the page must not stop the simulation: a decision takes a few hundred calls.
    def.work = 100000;
    def.firings = 10000;
    def.memory = 16u << 20;
    ploy_clips *clips = NULL;
    ploy_result result = ploy_clips_create(&def, env, &clips);
    if (result == PLOY_OK) result = ploy_clips_load(clips, bytes, size, "gatherer.clp", diags);
    if (result == PLOY_OK) result = ploy_clips_reset(clips);
    if (result != PLOY_OK) {
        ploy_clips_destroy(clips);
        return result;
    }
    *out = clips;
    return PLOY_OK;
}

// Takes over a program that was checked. What is there comes to its facts with the next decision: the
// senses are asserted again.
static ploy_result rules_take(rules_lab *lab, const void *bytes, size_t size, const ploy_env *env) {
    ploy_clips *clips = NULL;
    ploy_result result = rules_load(bytes, size, env, NULL, &clips);
    if (result != PLOY_OK) return result;
    result = ploy_definition_text_set(&lab->text, bytes, size, env);
    if (result != PLOY_OK) {
        ploy_clips_destroy(clips);
        return result;
    }
    ploy_clips_destroy(lab->clips);
    lab->clips = clips;
    memset(lab->senses, 0, sizeof lab->senses);
    return PLOY_OK;
}

static ploy_result rules_lab_create(const void *params, ploy_rng_key key, const ploy_env *env,
                                    void **out) {
    rules_lab *lab = ploy_env_alloc_zero(env, sizeof *lab);
    if (lab == NULL) return PLOY_ERR_MEMORY;
    memcpy(&lab->def, params, sizeof lab->def);
    lab->key = key;
    lab->nest = ploy_vec2_make(-7.0f, -6.0f);
    lab->at = lab->nest;
    lab->wolf = ploy_vec2_make(8.0f, 7.0f);
    lab->wolf_goal = ploy_vec2_make(-4.0f, 5.0f);
    for (uint32_t i = 0; i < RULES_BERRIES; i++) lab->berries[i] = rules_place(lab, 10 + i, 0);
    ploy_result result = rules_take(lab, rules_program, sizeof rules_program - 1, env);
    if (result == PLOY_ERR_FORMAT) result = PLOY_ERR_MEMORY; // the program itself is right
    if (result == PLOY_OK) *out = lab;
    return result;
}

// The berry next to a place.
static int32_t rules_nearest(const rules_lab *lab) {
    int32_t best = 0;
    for (int32_t i = 1; i < RULES_BERRIES; i++) {
        if (ploy_vec2_distance(lab->at, lab->berries[i]) <
            ploy_vec2_distance(lab->at, lab->berries[best])) {
            best = i;
        }
    }
    return best;
}

// A sense's fact comes or goes.
static ploy_result rules_sense(rules_lab *lab, int32_t sense, bool now) {
    if ((lab->senses[sense] != 0) == now) return PLOY_OK;
    ploy_rules *rules = ploy_clips_rules(lab->clips);
    int32_t relation =
        ploy_rulebase_find_template(ploy_clips_base(lab->clips), rules_senses[sense][0]);
    lab->senses[sense] = now;
    if (relation < 0) return PLOY_OK; // the program does not care
    ploy_fact *fact = now ? NULL : ploy_rules_next_of(rules, relation, NULL);
    if (!now) return fact != NULL ? ploy_rules_retract(rules, fact) : PLOY_OK;
    ploy_name word;
    ploy_result result = ploy_rules_text(rules, rules_senses[sense][1], &word);
    if (result != PLOY_OK) return result;
    ploy_rule_value value = ploy_rule_symbol(word);
    return ploy_rules_assert_ordered(rules, relation, &value, 1, NULL);
}

// Writes into one line, cutting what does not fit; a newline begins the next.
static ploy_result rules_write(void *user, const void *bytes, size_t size) {
    rules_lab *lab = user;
    const char *text = bytes;
    for (size_t i = 0; i < size && lab->line_count < RULES_LINES; i++) {
        char *line = lab->lines[lab->line_count];
        size_t used = strlen(line);
        if (text[i] == '\n') {
            lab->line_count++;
        } else if (used + 1 < RULES_LINE) {
            line[used] = text[i];
        }
    }
    return PLOY_OK;
}

// What is on the agenda before it fires, and afterwards why the goal is what it is.
static void rules_show_agenda(rules_lab *lab) {
    const ploy_rules *rules = ploy_clips_rules(lab->clips);
    ploy_writer out = ploy_writer_make(rules_write, lab);
    memset(lab->lines, 0, sizeof lab->lines);
    lab->line_count = 0;
    ploy_rule_activation activation = {0, 0, NULL};
    while (ploy_rules_next_activation(rules, 0, &activation)) {
        ploy_write_text(&out, "agenda: ");
        ploy_write_text(&out,
                        ploy_rulebase_rule_name(ploy_clips_base(lab->clips), activation.rule));
        ploy_write_text(&out, ", salience ");
        ploy_write_i64(&out, activation.salience);
        ploy_write_text(&out, "\n");
    }
}

static void rules_read_goal(rules_lab *lab, ploy_trace *trace) {
    bool asserted[RULES_GOALS] = {false};
    const ploy_rules *rules = ploy_clips_rules(lab->clips);
    int32_t relation = ploy_rulebase_find_template(ploy_clips_base(lab->clips), "goal");
    ploy_writer out = ploy_writer_make(rules_write, lab);
    int32_t best = RULES_NONE;
    const ploy_fact *chosen = NULL;
    for (ploy_fact *fact = relation < 0 ? NULL : ploy_rules_next_of(rules, relation, NULL);
         fact != NULL; fact = ploy_rules_next_of(rules, relation, fact)) {
        ploy_rule_value goal = ploy_fact_slot(fact, 0);
        if (goal.type != PLOY_RULE_MULTI || goal.count == 0) continue; // a program of another mind
        if (goal.as.items[0].type != PLOY_RULE_SYMBOL) continue;
        ploy_name word = {goal.as.items[0].as.text};
        const char *text = ploy_rules_text_of(rules, word);
        for (int32_t i = 1; i < RULES_GOALS; i++) {
            if (strcmp(text, rules_goals[i]) != 0) continue;
            asserted[i] = true;
            if (best != RULES_NONE && i > best) continue;
            best = i; // the goals are in the order of their importance
            chosen = fact;
        }
    }
    lab->goal = best;
    ploy_trace_begin(trace, ploy_agent_id_make(0, 1), "goal", "rules");
    for (int32_t i = 1; i < RULES_GOALS; i++) {
        ploy_trace_option(trace, rules_goals[i],
                          i == best     ? PLOY_OUTCOME_WON
                          : asserted[i] ? PLOY_OUTCOME_LOST
                                        : PLOY_OUTCOME_REJECTED,
                          (double)NAN,
                          i == best     ? "a rule asserted it, and none that is more important"
                          : asserted[i] ? "a rule asserted it, but another is more important"
                                        : "no rule asserted it");
    }
    for (int32_t i = 0; i < RULES_SENSES; i++) {
        ploy_trace_text(trace, rules_senses[i][0], lab->senses[i] != 0 ? "yes" : "no");
    }
    ploy_trace_end(trace);
    if (chosen != NULL) (void)ploy_rules_why(rules, ploy_fact_index(chosen), &out);
}

static ploy_result rules_decide(rules_lab *lab, ploy_trace *trace) {
    bool wolf = ploy_vec2_distance(lab->at, lab->wolf) < lab->def.fear;
    bool berry = ploy_vec2_distance(lab->at, lab->berries[rules_nearest(lab)]) < 12.0f;
    bool now[RULES_SENSES] = {wolf, lab->hunger > 60.0f, berry, lab->carried >= lab->def.load};
    lab->decisions++;
    // The reasons of old facts would pile up: begin again now and then.
    if (lab->decisions % 256 == 0) {
        ploy_result result = ploy_clips_reset(lab->clips);
        if (result != PLOY_OK) return result;
        memset(lab->senses, 0, sizeof lab->senses);
    }
    for (int32_t i = 0; i < RULES_SENSES; i++) {
        ploy_result result = rules_sense(lab, i, now[i]);
        if (result == PLOY_ERR_MEMORY) return result;
    }
    rules_show_agenda(lab);
    // An edited program may fail in an action, or go on forever; the gatherer lives with what it
    // came to.
    ploy_result result = ploy_clips_run(lab->clips, 100, NULL);
    if (result == PLOY_ERR_MEMORY) return result;
    rules_read_goal(lab, trace);
    return PLOY_OK;
}

static ploy_vec2 rules_toward(ploy_vec2 from, ploy_vec2 to, float step) {
    ploy_vec2 way = ploy_vec2_sub(to, from);
    return ploy_vec2_length(way) <= step
               ? to
               : ploy_vec2_add_scaled(from, ploy_vec2_normalise(way), step);
}

static void rules_act(rules_lab *lab, float dt) {
    int32_t berry = rules_nearest(lab);
    ploy_vec2 goal = lab->at;
    if (lab->goal == RULES_FLEE) {
        ploy_vec2 away = ploy_vec2_sub(lab->at, lab->wolf);
        goal = ploy_vec2_add_scaled(lab->at, ploy_vec2_normalise(away), 3.0f);
        goal = ploy_vec2_make(ploy_clampf(goal.x, -9.5f, 9.5f), ploy_clampf(goal.y, -8.5f, 8.5f));
    } else if (lab->goal == RULES_EAT || lab->goal == RULES_GATHER) {
        goal = lab->berries[berry];
    } else if (lab->goal == RULES_HOME) {
        goal = lab->nest;
    }
    lab->at = rules_toward(lab->at, goal, lab->def.speed * dt);
    lab->hunger = ploy_minf(lab->hunger + lab->def.appetite * dt, 100.0f);
    bool there = ploy_vec2_distance(lab->at, goal) < 0.05f;
    if (there && (lab->goal == RULES_EAT || lab->goal == RULES_GATHER)) {
        if (lab->goal == RULES_EAT) lab->hunger = 0.0f;
        if (lab->goal == RULES_GATHER) lab->carried++;
        lab->berries[berry] = rules_place(lab, 10 + (uint32_t)berry, lab->tick + 1);
    }
    if (there && lab->goal == RULES_HOME) {
        lab->stored += lab->carried;
        lab->carried = 0;
    }
}

static ploy_result rules_lab_step(void *state, const ploy_sim_context *context) {
    rules_lab *lab = state;
    memcpy(&lab->def, context->params, sizeof lab->def);
    lab->key = context->key;
    lab->tick = context->tick;
    for (int32_t i = 0; i < context->input_count; i++) {
        const ploy_input *input = &context->inputs[i];
        if (input->kind == PLOY_INPUT_RELOAD) {
            ploy_result result = rules_take(lab, input->bytes, input->size, context->env);
            if (result != PLOY_OK) return result;
        }
        if (!lab_input_is(input, "click")) continue;
        lab->wolf_goal = lab_input_point_within(input, 9.0f, 8.0f);
    }
    if (ploy_vec2_distance(lab->wolf, lab->wolf_goal) < 0.1f) {
        lab->wolf_goal = rules_place(lab, 1, context->tick);
    }
    lab->wolf = rules_toward(lab->wolf, lab->wolf_goal, 1.8f * context->dt);
    if (context->tick % (uint64_t)lab->def.period == 0) {
        ploy_result result = rules_decide(lab, context->trace);
        if (result != PLOY_OK) return result;
    }
    rules_act(lab, context->dt);
    return PLOY_OK;
}

// ---- sight

enum { RULES_STAGES = 8 };

// How many matches each stage of a rule has: its conditions, and what holds together up to each.
typedef struct rules_network {
    int32_t patterns[RULES_STAGES], joins[RULES_STAGES];
    int32_t pattern_count, join_count;
} rules_network;

static void rules_count_stage(void *user, const ploy_rule_stage *stage, ploy_fact *const *facts,
                              int32_t count) {
    rules_network *network = user;
    (void)facts;
    int32_t *counts = stage->pattern > 0 ? network->patterns : network->joins;
    int32_t *used = stage->pattern > 0 ? &network->pattern_count : &network->join_count;
    if (count < 0) {
        if (*used < RULES_STAGES) counts[(*used)++] = 0;
    } else if (*used > 0) {
        counts[*used - 1]++;
    }
}

static void rules_draw_node(ploy_draw *out, ploy_vec2 at, bool full) {
    ploy_agent_id one = ploy_agent_id_make(0, 1);
    if (full) {
        ploy_draw_disc(out, PLOY_LAYER_WORLD, PLOY_STYLE_GOOD, one, at, 0.3f, 1.0f);
    } else {
        ploy_draw_circle(out, PLOY_LAYER_WORLD, PLOY_STYLE_GHOST, one, at, 0.3f);
    }
}

// A row for each rule: above, its conditions, full where a fact matches; below, the joins, full
// where the conditions up to there hold together. The last one full is a rule that fires or fired.
static void rules_draw_network(const rules_lab *lab, ploy_draw *out) {
    const ploy_rulebase *base = ploy_clips_base(lab->clips);
    ploy_agent_id one = ploy_agent_id_make(0, 1);
    for (int32_t i = 0; i < ploy_rulebase_rule_count(base); i++) {
        rules_network network;
        memset(&network, 0, sizeof network);
        ploy_rules_stages(ploy_clips_rules(lab->clips), i, rules_count_stage, &network);
        float y = 7.6f - 2.1f * (float)i;
        ploy_draw_text(out, one, ploy_vec2_make(26.0f, y - 0.8f), ploy_rulebase_rule_name(base, i));
        for (int32_t k = 0; k < network.pattern_count; k++) {
            ploy_vec2 top = ploy_vec2_make(33.0f + 2.0f * (float)k, y);
            ploy_vec2 join = ploy_vec2_make(top.x, y - 1.1f),
                      last = ploy_vec2_make(top.x - 2.0f, join.y);
            if (k == 1) last.y = y; // the first condition has no join
            if (k > 0) {
                ploy_draw_line(out, PLOY_LAYER_WORLD, PLOY_STYLE_GHOST, one, last, join);
                ploy_draw_line(out, PLOY_LAYER_WORLD, PLOY_STYLE_GHOST, one, top, join);
            }
            rules_draw_node(out, top, network.patterns[k] > 0);
            if (k > 0)
                rules_draw_node(out, join, k <= network.join_count && network.joins[k - 1] > 0);
        }
    }
}

static void rules_lab_draw(const void *state, ploy_draw *out) {
    const rules_lab *lab = state;
    ploy_draw_key(out, PLOY_STYLE_AGENT_A, "animal");
    ploy_draw_key(out, PLOY_STYLE_AGENT_B, "wolf");
    ploy_draw_key(out, PLOY_STYLE_GOOD, "berries, and conditions that hold");
    ploy_draw_key(out, PLOY_STYLE_GHOST, "range of fear, and conditions that do not");
    ploy_draw_key(out, PLOY_STYLE_WALL, "nest");
    ploy_agent_id nobody = ploy_agent_id_none(), one = ploy_agent_id_make(0, 1);
    ploy_draw_circle(out, PLOY_LAYER_WORLD, PLOY_STYLE_WALL, nobody, lab->nest, 1.0f);
    ploy_draw_text(out, nobody, ploy_vec2_add(lab->nest, ploy_vec2_make(-0.8f, -1.7f)), "home");
    for (int32_t i = 0; i < RULES_BERRIES; i++) {
        ploy_draw_disc(out, PLOY_LAYER_WORLD, PLOY_STYLE_GOOD, nobody, lab->berries[i], 0.25f,
                       1.0f);
    }
    ploy_draw_circle(out, PLOY_LAYER_WORLD, PLOY_STYLE_GHOST, one, lab->at, lab->def.fear);
    ploy_vec2 way = ploy_vec2_sub(lab->wolf_goal, lab->wolf);
    ploy_draw_agent(out, PLOY_STYLE_AGENT_B, ploy_agent_id_make(1, 1), lab->wolf,
                    ploy_atan2f(way.y, way.x), 0.5f);
    ploy_draw_agent(out, PLOY_STYLE_AGENT_A, one, lab->at, 0.0f, 0.4f);
    ploy_draw_text(out, one, ploy_vec2_add(lab->at, ploy_vec2_make(-0.6f, 0.8f)),
                   rules_goals[lab->goal]);
    float y = 8.0f;
    const ploy_rules *rules = ploy_clips_rules(lab->clips);
    for (ploy_fact *fact = ploy_rules_next_fact(rules, NULL); fact != NULL && y > -2.5f;
         fact = ploy_rules_next_fact(rules, fact), y -= 1.1f) {
        ploy_name word = {0};
        ploy_rule_value fields = ploy_fact_slot(fact, 0);
        if (fields.type == PLOY_RULE_MULTI && fields.count > 0 &&
            fields.as.items[0].type == PLOY_RULE_SYMBOL) {
            word.hash = fields.as.items[0].as.text;
        }
        char line[RULES_LINE];
        const char *text = ploy_rules_text_of(rules, word);
        snprintf(line, sizeof line, "f-%lld (%s%s%s)", (long long)ploy_fact_index(fact),
                 ploy_rulebase_template_name(ploy_clips_base(lab->clips), ploy_fact_template(fact)),
                 text[0] == '\0' ? "" : " ", text);
        ploy_draw_text(out, one, ploy_vec2_make(10.3f, y), line);
    }
    rules_draw_network(lab, out);
    y = -3.6f;
    for (int32_t i = 0; i < lab->line_count && i < RULES_LINES; i++, y -= 1.1f) {
        ploy_draw_text(out, one, ploy_vec2_make(10.3f, y), lab->lines[i]);
    }
}

static void rules_lab_describe(const void *state, ploy_describe *out) {
    const rules_lab *lab = state;
    ploy_describe_begin_agent(out, "gatherer", ploy_agent_id_make(0, 1));
    ploy_describe_vec2(out, "at", PLOY_STATE, lab->at.x, lab->at.y);
    ploy_describe_f32(out, "hunger", PLOY_STATE, lab->hunger);
    ploy_describe_i64(out, "carried", PLOY_STATE, lab->carried);
    ploy_describe_i64(out, "stored", PLOY_STATE, lab->stored);
    ploy_describe_i64(out, "decisions", PLOY_STATE, lab->decisions);
    ploy_describe_text(out, "goal", PLOY_STATE, rules_goals[lab->goal]);
    ploy_describe_end(out);
    ploy_describe_vec2(out, "wolf", PLOY_STATE, lab->wolf.x, lab->wolf.y);
    ploy_describe_vec2(out, "wolf_goal", PLOY_STATE, lab->wolf_goal.x, lab->wolf_goal.y);
    for (int32_t i = 0; i < RULES_BERRIES; i++) {
        ploy_describe_begin_item(out, i);
        ploy_describe_vec2(out, "berry", PLOY_STATE, lab->berries[i].x, lab->berries[i].y);
        ploy_describe_end(out);
    }
    ploy_rules_describe(ploy_clips_rules(lab->clips), out);
    ploy_definition_text_describe(&lab->text, "definition", NULL, out);
}

static ploy_result rules_lab_write(const void *state, int32_t definition, ploy_writer *out) {
    (void)definition;
    return ploy_definition_text_write(&((const rules_lab *)state)->text, out);
}

static ploy_result rules_lab_check(const void *state, int32_t definition, const void *bytes,
                                   size_t size, const ploy_env *env, ploy_diags *diags) {
    (void)state, (void)definition;
    ploy_clips *clips = NULL;
    ploy_result result = rules_load(bytes, size, env, diags, &clips);
    ploy_clips_destroy(clips);
    return result;
}

static const ploy_command rules_lab_commands[] = {
    {"click", "send the wolf there", PLOY_VALUE_VEC2, false, "Pointer"},
};

extern const ploy_sim_type ploy_lab_rules; // in labs.c
const ploy_sim_type ploy_lab_rules = {
    .name = "rules",
    .title = "Rules",
    .help = "A gatherer decides by a rule program. Beside the field: its facts, the rules' network "
            "(conditions above, full where a fact matches; joins below, full where all up to there "
            "hold "
            "together), the agenda and the reason of its goal. Click to send the wolf somewhere.",
    .version = 1,
    .capabilities = PLOY_SIM_INTERACTIVE | PLOY_SIM_RELOADS,
    .dt = 1.0f / 60.0f,
    .view = {-10.0f, -11.0f, 42.0f, 9.0f},
    .fields = rules_lab_get_fields,
    .commands = rules_lab_commands,
    .command_count = sizeof rules_lab_commands / sizeof rules_lab_commands[0],
    .create = rules_lab_create,
    .destroy = NULL, // the region goes with the simulation
    .step = rules_lab_step,
    .draw = rules_lab_draw,
    .describe = rules_lab_describe,
    .definitions = rules_definitions,
    .definition_count = sizeof rules_definitions / sizeof rules_definitions[0],
    .write = rules_lab_write,
    .check = rules_lab_check,
};
