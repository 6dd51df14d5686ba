// ploy learn show, convert, attributes: what was learned, and what a table contains.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/ploy/learn.h"
#include "ploy/inspect/sinks.h"
#include "ploy/learn/entropy.h"
#include "ploy/learn/tree.h"

static void draw_learner(const void *subject, ploy_draw *out) {
    ploy_learner_draw(*(const ploy_learner *)subject, out);
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
    ploy_text_sink sink;
    ploy_text_sink_init(&sink, &out, true);
    ploy_describe describe = ploy_text_sink_describe(&sink);
    ploy_actor_describe(actor, &describe);
    (void)ploy_text_sink_finish(&sink);
    return CLI_OK;
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
        ploy_text_sink sink;
        ploy_text_sink_init(&sink, &out, true);
        ploy_describe describe = ploy_text_sink_describe(&sink);
        ploy_learner_describe(learner, &describe);
        (void)ploy_text_sink_finish(&sink);
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
