// ploy learn show, convert, attributes: what was learned, and what a table contains.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/ploy/learn.h"
#include "ploy/inspect/sinks.h"
#include "ploy/learn/entropy.h"
#include "ploy/learn/net_learner.h"
#include "ploy/learn/tree.h"

static void draw_learner(const void *subject, ploy_draw *out) {
    ploy_learner_draw(*(const ploy_learner *)subject, out);
}

// The values of every state that was tried. False if the actor does not decide by the state alone.
static bool show_values(ploy_actor actor) {
    const ploy_problem_space *space = ploy_actor_space(actor);
    if (ploy_actor_best(actor, &(ploy_situation){0, NULL, NULL}) < 0) return false;
    for (int64_t state = 0; state < space->states; state++) {
        ploy_situation now = {state, NULL, NULL};
        int64_t visits = actor.type->visits == NULL ? 1 : 0;
        for (int32_t a = 0; a < space->actions && actor.type->visits != NULL; a++) {
            int64_t count = actor.type->visits(actor.self, &now, a);
            visits = count != 0 ? 1 : visits; // -1: not counted
        }
        if (visits == 0) continue;
        double values[PLOY_PROBLEM_ACTIONS_MAX];
        ploy_actor_values(actor, &now, values);
        printf("state %-4lld action %d ", (long long)state, (int)ploy_actor_best(actor, &now));
        for (int32_t a = 0; a < space->actions; a++) printf(" %9.4g", values[a]);
        putchar('\n');
    }
    return space->states > 0;
}

static int show_actor(const learn_options *o, ploy_actor actor) {
    if (o->svg != NULL) return cli_error("--svg expects a learner of tables, found an actor", NULL);
    const ploy_problem_space *space = ploy_actor_space(actor);
    ploy_writer out = cli_stream_writer(stdout);
    if (o->json) {
        ploy_json_sink sink;
        ploy_json_sink_init(&sink, &out, false);
        ploy_describe describe = ploy_json_sink_describe(&sink);
        ploy_actor_describe(actor, &describe);
        (void)ploy_json_sink_finish(&sink);
        putchar('\n');
        return CLI_OK;
    }
    printf("%s: %s; %lld steps, ", actor.type->name, actor.type->help,
           (long long)ploy_actor_steps(actor));
    if (space->states > 0) printf("%lld states, ", (long long)space->states);
    if (space->observed > 0) printf("%d observed numbers, ", (int)space->observed);
    printf("%d actions%s\n", (int)space->actions, ploy_actor_frozen(actor) ? ", frozen" : "");
    if (show_values(actor)) return CLI_OK;
    ploy_text_sink sink;
    ploy_text_sink_init(&sink, &out, true);
    ploy_describe describe = ploy_text_sink_describe(&sink);
    ploy_actor_describe(actor, &describe);
    (void)ploy_text_sink_finish(&sink);
    return CLI_OK;
}

// A node and those below it. Values that were never seen answer as their parent: left out.
static void show_node(ploy_learner learner, int32_t index, int32_t depth) {
    const ploy_tree_node *node = ploy_tree_node_at(learner, index);
    const ploy_schema *schema = ploy_learner_schema(learner);
    int32_t target = ploy_schema_target(schema), column = node->column;
    if (column < 0) {
        printf("%s (%d)\n", ploy_schema_value_at(schema, target, node->category), node->examples);
        return;
    }
    printf("%s? (%d, gain %.3f)\n", ploy_schema_name_at(schema, column), node->examples,
           node->gain);
    bool number = ploy_schema_kind_at(schema, column) == PLOY_COLUMN_NUMBER;
    for (int32_t i = 0; i < node->child_count; i++) {
        if (ploy_tree_node_at(learner, node->child + i)->examples == 0) continue;
        printf("%*s", (int)(2 * depth + 2), "");
        if (number) {
            printf(i == 0 ? "below %.9g: " : "%.9g or more: ", node->threshold);
        } else if (i < ploy_schema_value_count(schema, column)) {
            printf("%s: ", ploy_schema_value_at(schema, column, i));
        } else {
            printf("missing: ");
        }
        show_node(learner, node->child + i, depth + 1);
    }
}

// What the learner knows, for a reader; `--json` has every number.
static void show_learned(ploy_learner learner, ploy_writer *out) {
    const ploy_net *net = ploy_net_learner_net(learner);
    if (ploy_tree_count(learner) > 0) {
        show_node(learner, 0, 0);
        return;
    }
    for (int32_t l = 0; net != NULL && l < ploy_net_layer_count(net); l++) {
        static const char *const kinds[] = {"dense", "convolution", "largest of a window",
                                            "mean of a window"};
        const ploy_net_layer *layer = ploy_net_layer_at(net, l);
        ploy_net_size size = ploy_net_size_at(net, l + 1);
        printf("layer %d: %s, %s, ", (int)l + 1, kinds[layer->kind],
               ploy_net_activation_text(layer->activation));
        if (size.width * size.height > 1) printf("%d x %d x ", (int)size.width, (int)size.height);
        printf("%d values\n", (int)size.channels);
    }
    if (net != NULL) return;
    ploy_text_sink sink;
    ploy_text_sink_init(&sink, out, true);
    ploy_describe describe = ploy_text_sink_describe(&sink);
    ploy_learner_describe(learner, &describe);
    (void)ploy_text_sink_finish(&sink);
}

int learn_show(const learn_options *o, const char *model) {
    bool net = learn_ends(model, ".net") || learn_ends(model, ".onnx");
    ploy_actor actor = {NULL, NULL};
    int status = net ? LEARN_NO_ACTOR : learn_read_actor(o, model, &actor);
    if (status == -1) {
        status = show_actor(o, actor);
        ploy_actor_destroy(actor);
    }
    if (status >= 0) return status;
    ploy_learner learner = {NULL, NULL};
    status = learn_read_model(o, model, &learner);
    if (status >= 0) return status;
    ploy_writer out = cli_stream_writer(stdout);
    if (o->json) {
        ploy_json_sink sink;
        ploy_json_sink_init(&sink, &out, false);
        ploy_describe describe = ploy_json_sink_describe(&sink);
        ploy_describe_i64(&describe, "size", PLOY_NOTE, ploy_learner_size(learner));
        ploy_learner_describe(learner, &describe);
        (void)ploy_json_sink_finish(&sink);
        putchar('\n');
    } else {
        printf("%s: %s; %lld %s from %lld examples%s\n", learner.type->name, learner.type->help,
               (long long)ploy_learner_size(learner), learner.type->size_unit,
               (long long)ploy_learner_observed(learner),
               ploy_learner_frozen(learner) ? ", frozen" : "");
        ploy_id4_statistics built = ploy_id4_statistics_of(learner);
        if (built.splits > 0) {
            printf("%lld leaves split, %lld parts rebuilt, %lld rebuilds put off\n",
                   (long long)built.splits, (long long)built.rebuilds, (long long)built.throttled);
        }
        show_learned(learner, &out);
    }
    if (o->svg != NULL) {
        const float view[4] = {-5.0f, -5.0f, 105.0f, 105.0f};
        cli_picture picture = {view, 800, draw_learner, &learner};
        status = cli_write_svg(o->svg, &picture, &o->env);
    }
    ploy_learner_destroy(learner);
    return status < 0 ? CLI_OK : status;
}

int learn_attributes(const learn_options *o, const char *path) {
    ploy_examples *table = NULL, *prepared = NULL;
    int status = learn_read_table(o, path, &table);
    if (status >= 0) return status;
    ploy_prepare_options options = ploy_prepare_options_default();
    options.occurring = true;
    options.most_classes = PLOY_COLUMN_VALUES_MAX;
    options.most_values = 16;
    ploy_result result = ploy_examples_prepare(table, &options, &o->env, &prepared);
    ploy_examples_destroy(table);
    if (result != PLOY_OK) return cli_error_result(path, result);
    const ploy_schema *schema = ploy_examples_schema(prepared);
    int32_t columns = ploy_schema_count(schema), target = ploy_schema_target(schema);
    if (ploy_schema_classes(schema) == 0) {
        status = cli_error("gains need a target of categories or whole numbers, found",
                           ploy_schema_name_at(schema, target));
        ploy_examples_destroy(prepared);
        return status;
    }
    ploy_gain *gains = calloc((size_t)columns, sizeof *gains);
    int32_t *classes = calloc((size_t)ploy_schema_classes(schema) + 1, sizeof *classes);
    result = gains == NULL || classes == NULL ? PLOY_ERR_MEMORY
                                              : ploy_examples_gains(prepared, &o->env, gains);
    if (result != PLOY_OK) status = cli_error_result(path, result);
    for (int32_t i = 0; i < ploy_examples_count(prepared) && status < 0; i++) {
        double value = ploy_examples_at(prepared, i)[target];
        if (!ploy_is_missing(value)) classes[(int32_t)value]++;
    }
    if (status < 0 && !o->json) {
        printf("%d rows, entropy of %s %.3f bits\n", ploy_examples_count(prepared),
               ploy_schema_name_at(schema, target),
               ploy_entropy(classes, ploy_schema_classes(schema)));
    }
    for (int32_t i = 0; i < columns && status < 0; i++) {
        if (i == target) continue;
        bool number = ploy_schema_kind_at(schema, i) == PLOY_COLUMN_NUMBER;
        if (o->json) {
            ploy_writer out = cli_stream_writer(stdout);
            ploy_json_writer json;
            ploy_json_writer_init(&json, &out, 0);
            ploy_json_write_begin_object(&json);
            ploy_json_write_key(&json, "name");
            ploy_json_write_text(&json, ploy_schema_name_at(schema, i));
            ploy_json_write_key(&json, "kind");
            ploy_json_write_text(&json, ploy_column_kind_text(ploy_schema_kind_at(schema, i)));
            ploy_json_write_key(&json, "gain");
            ploy_json_write_f64(&json, gains[i].gain);
            ploy_json_write_key(&json, "ratio");
            ploy_json_write_f64(&json, gains[i].ratio);
            if (number) {
                ploy_json_write_key(&json, "threshold");
                ploy_json_write_f64(&json, gains[i].threshold);
            }
            ploy_json_write_end_object(&json);
            (void)ploy_json_writer_finish(&json);
            putchar('\n');
            continue;
        }
        printf("%-32s gain %.3f  ratio %.3f", ploy_schema_name_at(schema, i), gains[i].gain,
               gains[i].ratio);
        if (number) printf("  below %g or not", gains[i].threshold);
        putchar('\n');
    }
    free(classes);
    free(gains);
    ploy_examples_destroy(prepared);
    return status < 0 ? CLI_OK : status;
}
