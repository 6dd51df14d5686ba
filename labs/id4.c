// A decision tree that grows while examples arrive, one at a time. The part that the last example
// built again is marked.
#include <stdio.h>
#include <string.h>

#include "labs/lab_input.h"
#include "labs/labs.h"
#include "ploy/base/visit.h"
#include "ploy/learn/tree.h"

enum { ID4_COLUMNS = 4, ID4_DEPTH_MAX = 8 };

static const char *const id4_rules[] = {"careful", "bold", "random"};

typedef struct id4_lab_def {
    uint32_t cookie;
    int32_t rule; // of the list above: how the teacher decides
    int32_t pause;
    float slip;
    ploy_id4_def learner;
} id4_lab_def;

static const ploy_field id4_items[] = {
    PLOY_FIELD_ENUM(id4_lab_def, rule, 0, id4_rules,
                    "how the teacher decides; change it and watch"),
    PLOY_FIELD_I32(id4_lab_def, pause, 3, 0, 1000, "", "ticks between two examples; 0: none"),
    PLOY_FIELD_F32(id4_lab_def, slip, 0, 0, 1, "", "share of random decisions"),
    PLOY_FIELD_DEF(id4_lab_def, learner, ploy_id4_fields, "the learner, from the next start on"),
};

static ploy_fields id4_fields(void) {
    return PLOY_FIELDS(id4_lab_def, id4_items);
}

typedef struct id4_lab {
    id4_lab_def def;
    ploy_env env;
    ploy_rng_key key;
    ploy_learner learner;
    uint64_t examples;
    int64_t hits; // decisions that the tree knew before
    double last[ID4_COLUMNS];
} id4_lab;

static ploy_result id4_schema(const ploy_env *env, ploy_schema **out) {
    static const char *const columns[ID4_COLUMNS] = {"health", "cover", "ammo", "action"};
    static const char *const values[ID4_COLUMNS][3] = {{"healthy", "hurt", NULL},
                                                       {"cover", "exposed", NULL},
                                                       {"ammo", "empty", NULL},
                                                       {"attack", "defend", "run"}};
    ploy_result result = ploy_schema_create(env, out);
    for (int32_t c = 0; c < ID4_COLUMNS && result == PLOY_OK; c++) {
        result = ploy_schema_add(*out, columns[c], PLOY_COLUMN_CATEGORY);
        for (int32_t v = 0; v < 3 && values[c][v] != NULL && result == PLOY_OK; v++) {
            result = ploy_schema_add_value(*out, c, values[c][v]);
        }
    }
    if (result == PLOY_OK) result = ploy_schema_set_target(*out, ID4_COLUMNS - 1);
    return result;
}

static ploy_result id4_begin(id4_lab *lab) {
    ploy_learner_destroy(lab->learner);
    lab->learner.type = NULL;
    lab->learner.self = NULL;
    lab->examples = 0;
    lab->hits = 0;
    ploy_schema *schema = NULL;
    ploy_result result = id4_schema(&lab->env, &schema);
    if (result == PLOY_OK) {
        result = ploy_learner_create(ploy_id4_learner(), &lab->def.learner, schema, &lab->env,
                                     &lab->learner);
    }
    ploy_schema_destroy(schema);
    return result;
}

static ploy_result id4_create(const void *params, ploy_rng_key key, const ploy_env *env,
                              void **out) {
    id4_lab *lab = ploy_env_alloc_zero(env, sizeof *lab);
    if (lab == NULL) return PLOY_ERR_MEMORY; // the region goes, and all that is in it
    memcpy(&lab->def, params, sizeof lab->def);
    lab->env = *env;
    lab->key = key;
    ploy_result result = id4_begin(lab);
    if (result == PLOY_OK) *out = lab;
    return result;
}

// 0 attack, 1 defend, 2 run.
static int32_t id4_teach(const id4_lab *lab, bool hurt, bool exposed, bool empty) {
    int32_t random = ploy_rng_int_at(lab->key, 1, lab->examples, 0, 0, 2);
    float slip = ploy_rng_float_at(lab->key, 1, lab->examples, 1);
    if (lab->def.rule == 2 || slip < lab->def.slip) return random;
    if (lab->def.rule == 1) return empty ? 2 : exposed && hurt ? 1 : 0;
    if (exposed) return hurt ? 2 : 1;
    return empty || hurt ? 1 : 0;
}

static ploy_result id4_example(id4_lab *lab, ploy_trace *trace) {
    for (int32_t c = 0; c < ID4_COLUMNS - 1; c++) {
        lab->last[c] = ploy_rng_int_at(lab->key, 2, lab->examples, (uint32_t)c, 0, 1);
    }
    int32_t action = id4_teach(lab, lab->last[0] == 1.0, lab->last[1] == 1.0, lab->last[2] == 1.0);
    lab->last[ID4_COLUMNS - 1] = action;
    ploy_learner_explain(lab->learner, lab->last, ploy_agent_id_make(1, 1), trace);
    ploy_answer answer = ploy_learner_predict(lab->learner, lab->last, NULL);
    lab->hits += answer.opinion && answer.category == action;
    lab->examples++;
    return ploy_learner_observe(lab->learner, lab->last);
}

static ploy_result id4_step(void *state, const ploy_sim_context *context) {
    id4_lab *lab = state;
    memcpy(&lab->def, context->params, sizeof lab->def);
    ploy_result result = PLOY_OK;
    if (lab_input_count(context, "again") > 0) result = id4_begin(lab);
    uint64_t asked = lab_input_count(context, "example");
    uint64_t pause = (uint64_t)lab->def.pause;
    if (pause > 0 && context->tick % pause == 0) asked++;
    for (uint64_t i = 0; i < asked && result == PLOY_OK; i++)
        result = id4_example(lab, context->trace);
    return result;
}

// Draws a node and what is below it in the strip [left, right).
static void id4_draw_node(const id4_lab *lab, int32_t index, float left, float right, int32_t depth,
                          ploy_draw *out) {
    const ploy_tree_node *node = ploy_tree_node_at(lab->learner, index);
    const ploy_schema *schema = ploy_learner_schema(lab->learner);
    ploy_agent_id none = ploy_agent_id_none();
    ploy_vec2 at = ploy_vec2_make(0.5f * (left + right), 9.0f - 2.4f * (float)depth);
    bool leaf = node->column < 0 || depth >= ID4_DEPTH_MAX;
    static const ploy_style styles[3] = {PLOY_STYLE_BAD, PLOY_STYLE_WARNING, PLOY_STYLE_GOOD};
    int32_t seen = 0; // children with examples: the others answer as their parent
    for (int32_t i = 0; !leaf && i < node->child_count; i++) {
        seen += ploy_tree_node_at(lab->learner, node->child + i)->examples > 0;
    }
    float from = left, width = seen > 0 ? (right - left) / (float)seen : 0.0f;
    for (int32_t i = 0; !leaf && i < node->child_count; i++) {
        if (ploy_tree_node_at(lab->learner, node->child + i)->examples == 0) continue;
        ploy_draw_line(out, PLOY_LAYER_PATHS, PLOY_STYLE_PATH, none, at,
                       ploy_vec2_make(from + 0.5f * width, at.y - 2.4f));
        ploy_draw_text(out, none, ploy_vec2_make(from + 0.5f * width - 0.6f, at.y - 1.4f),
                       ploy_schema_value_at(schema, node->column, i));
        id4_draw_node(lab, node->child + i, from, from + width, depth + 1, out);
        from += width;
    }
    ploy_draw_disc(out, PLOY_LAYER_AGENTS, leaf ? styles[node->category % 3] : PLOY_STYLE_PLAIN,
                   none, at, 0.3f, 1.0f);
    if (ploy_id4_statistics_of(lab->learner).rebuilt == index) {
        ploy_draw_circle(out, PLOY_LAYER_AGENTS, PLOY_STYLE_TARGET, none, at, 0.5f);
    }
    char text[64];
    snprintf(text, sizeof text, leaf ? "%s %d" : "%s? %d, %.2f",
             leaf ? ploy_schema_value_at(schema, ID4_COLUMNS - 1, node->category)
                  : ploy_schema_name_at(schema, node->column),
             (int)node->examples, node->gain);
    ploy_draw_text(out, none, ploy_vec2_make(at.x - 0.8f, at.y - (depth % 2 == 0 ? 0.7f : 0.95f)),
                   text);
}

static void id4_draw(const void *state, ploy_draw *out) {
    const id4_lab *lab = state;
    ploy_draw_key(out, PLOY_STYLE_BAD, "attack");
    ploy_draw_key(out, PLOY_STYLE_WARNING, "defend");
    ploy_draw_key(out, PLOY_STYLE_GOOD, "run");
    ploy_draw_key(out, PLOY_STYLE_TARGET, "built again by the last example");
    ploy_draw_key(out, PLOY_STYLE_PLAIN, "question, with examples and gain");
    ploy_draw_key(out, PLOY_STYLE_PATH, "answer to a question");
    if (ploy_tree_count(lab->learner) > 0) id4_draw_node(lab, 0, 0.0f, 20.0f, 0, out);
    ploy_id4_statistics s = ploy_id4_statistics_of(lab->learner);
    char text[128];
    snprintf(text, sizeof text, "%llu examples, %.0f %% known before, %lld splits, %lld rebuilds",
             (unsigned long long)lab->examples,
             lab->examples > 0 ? 100.0 * (double)lab->hits / (double)lab->examples : 0.0,
             (long long)s.splits, (long long)s.rebuilds);
    ploy_draw_text(out, ploy_agent_id_none(), ploy_vec2_make(0.0f, 10.2f), text);
}

static void id4_describe(const void *state, ploy_describe *out) {
    const id4_lab *lab = state;
    ploy_id4_statistics s = ploy_id4_statistics_of(lab->learner);
    ploy_describe_u64(out, "key", PLOY_STATE, lab->key.bits);
    ploy_describe_i64(out, "shown", PLOY_STATE, (int64_t)lab->examples);
    ploy_describe_i64(out, "hits", PLOY_STATE, lab->hits);
    ploy_describe_i64(out, "nodes", PLOY_DERIVED, ploy_tree_count(lab->learner));
    ploy_describe_i64(out, "rebuilds", PLOY_DERIVED, s.rebuilds);
    for (int32_t c = 0; c < ID4_COLUMNS; c++) {
        ploy_describe_f64(out, "last", PLOY_STATE, lab->last[c]);
    }
    ploy_describe_begin(out, "learner");
    ploy_learner_describe(lab->learner, out);
    ploy_describe_end(out);
}

static const ploy_command id4_commands[] = {
    {"example", "show one example", PLOY_VALUE_NONE, false, "e"},
    {"again", "forget everything and begin again", PLOY_VALUE_NONE, false, "r"},
};

extern const ploy_sim_type ploy_lab_id4; // in labs.c
const ploy_sim_type ploy_lab_id4 = {
    .name = "id4",
    .title = "A decision tree that grows as it learns",
    .help =
        "A teacher attacks, defends or runs by health, cover and ammunition. The tree learns one "
        "decision at a time; a ring marks the part that the last one built again. Change the "
        "rule and watch the tree follow.",
    .version = 1,
    .capabilities = PLOY_SIM_INTERACTIVE | PLOY_SIM_DIAGRAM,
    .dt = 1.0f / 10.0f,
    .view = {-0.5f, -1.0f, 20.5f, 11.0f},
    .fields = id4_fields,
    .commands = id4_commands,
    .command_count = sizeof id4_commands / sizeof id4_commands[0],
    .create = id4_create,
    .destroy = NULL, // the region goes with the simulation
    .step = id4_step,
    .draw = id4_draw,
    .describe = id4_describe,
};
