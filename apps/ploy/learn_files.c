// Tables and saved learners, read and written.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/ploy/learn.h"
#include "ploy/base/name.h"
#include "ploy/base/number.h"
#include "ploy/base/os.h"
#include "ploy/data/actor_file.h"
#include "ploy/data/idx.h"
#include "ploy/data/learner_file.h"
#include "ploy/data/table_file.h"

static int read_error(const learn_options *o, const char *path, ploy_result result) {
    return ploy_diags_count(o->diags) > 0 ? cli_error_diags(o->diags)
                                          : cli_error_result(path, result);
}

// The column of that name, or number from 1. -1 after a message.
static int32_t find_column(const ploy_schema *schema, const char *text) {
    int32_t found = ploy_schema_find(schema, text);
    if (found >= 0) return found;
    int64_t number = 0;
    size_t used = 0;
    if (ploy_parse_i64(text, strlen(text), &used, &number) == PLOY_OK && used == strlen(text) &&
        number >= 1 && number <= ploy_schema_count(schema)) {
        return (int32_t)number - 1;
    }
    ploy_nearest nearest = ploy_nearest_make(text);
    for (int32_t i = 0; i < ploy_schema_count(schema); i++) {
        ploy_nearest_offer(&nearest, ploy_schema_name_at(schema, i));
    }
    (void)cli_error_near("unknown column", text, nearest.best);
    return -1;
}

// Drops the columns of --ignore and sets the target.
static int choose_columns(const learn_options *o, ploy_examples **table) {
    ploy_schema *schema = NULL;
    const ploy_schema *old = ploy_examples_schema(*table);
    ploy_result result = ploy_schema_copy(old, &o->env, &schema);
    bool drop[PLOY_SCHEMA_COLUMNS_MAX] = {false};
    int status = -1;
    if (result == PLOY_OK && o->target != NULL) {
        int32_t target = find_column(schema, o->target);
        if (target < 0) status = CLI_USAGE;
        if (target >= 0) result = ploy_schema_set_target(schema, target);
    }
    char list[1024];
    snprintf(list, sizeof list, "%s", o->ignore != NULL ? o->ignore : "");
    for (char *name = list; *name != 0 && status < 0;) {
        char *comma = strchr(name, ',');
        if (comma != NULL) *comma = 0;
        int32_t column = find_column(schema, name);
        if (column < 0) {
            status = CLI_USAGE;
        } else if (column == ploy_schema_target(schema)) {
            status = cli_error("--ignore names the target", name);
        } else {
            drop[column] = true;
        }
        name = comma != NULL ? comma + 1 : name + strlen(name);
    }
    ploy_examples *fitted = NULL, *out = NULL;
    ploy_prepare_options options = ploy_prepare_options_default();
    options.drop = drop;
    if (status < 0 && result == PLOY_OK) {
        result = ploy_examples_fit(*table, schema, &o->env, &fitted, NULL);
    }
    if (status < 0 && result == PLOY_OK) {
        result = ploy_examples_prepare(fitted, &options, &o->env, &out);
    }
    if (result != PLOY_OK) status = cli_error_result("columns", result);
    if (status < 0) {
        ploy_examples_destroy(*table);
        *table = out;
    }
    ploy_examples_destroy(fitted);
    ploy_schema_destroy(schema);
    return status;
}

// An IDX file of images, with the labels of --labels.
static ploy_result read_images(const learn_options *o, const char *path, const ploy_buffer *images,
                               ploy_examples **out) {
    ploy_buffer labels;
    ploy_buffer_init(&labels, 0, &o->env);
    ploy_result result = PLOY_OK;
    if (o->labels != NULL) {
        result = ploy_os_read_file(o->labels, LEARN_BYTES_MAX, &o->env, &labels);
        if (result != PLOY_OK) (void)cli_error_read(o->labels, result);
    }
    if (result == PLOY_OK) {
        result = ploy_idx_load(images->bytes, images->size, path,
                               o->labels != NULL ? labels.bytes : NULL, labels.size, o->labels,
                               &o->env, o->diags, out);
    }
    ploy_buffer_fini(&labels);
    return result;
}

int learn_read_table(const learn_options *o, const char *path, ploy_examples **out) {
    *out = NULL;
    ploy_buffer bytes;
    ploy_result result = ploy_os_read_file(path, LEARN_BYTES_MAX, &o->env, &bytes);
    if (result != PLOY_OK) return cli_error_read(path, result);
    bool idx = bytes.size > 2 && bytes.bytes[0] == 0 && bytes.bytes[1] == 0;
    if (idx || o->labels != NULL) {
        result = read_images(o, path, &bytes, out);
    } else {
        result =
            ploy_table_load(bytes.bytes, bytes.size, path, PLOY_TABLE_ANY, &o->env, o->diags, out);
    }
    ploy_buffer_fini(&bytes);
    if (result != PLOY_OK) return read_error(o, path, result);
    int status = choose_columns(o, out);
    if (status < 0) return -1;
    ploy_examples_destroy(*out);
    *out = NULL;
    return status;
}

bool learn_ends(const char *name, const char *ending) {
    size_t length = strlen(name), size = strlen(ending);
    return length > size && strcmp(name + length - size, ending) == 0;
}

int learn_read_model(const learn_options *o, const char *path, ploy_learner *out) {
    if (learn_ends(path, ".net") || learn_ends(path, ".onnx")) {
        return cli_error("expected a saved learner (`ploy learn convert` reads networks), found",
                         path);
    }
    ploy_buffer bytes;
    ploy_result result = ploy_os_read_file(path, LEARN_BYTES_MAX, &o->env, &bytes);
    if (result != PLOY_OK) return cli_error_read(path, result);
    result = ploy_learner_load(bytes.bytes, bytes.size, path, &o->env, o->diags, out);
    ploy_buffer_fini(&bytes);
    return result == PLOY_OK ? -1 : read_error(o, path, result);
}

int learn_read_actor(const learn_options *o, const char *path, ploy_actor *out) {
    static const char other[] = "file is not a saved actor";
    ploy_buffer bytes;
    ploy_result result = ploy_os_read_file(path, LEARN_BYTES_MAX, &o->env, &bytes);
    if (result != PLOY_OK) return cli_error_read(path, result);
    result = ploy_actor_load(bytes.bytes, bytes.size, path, NULL, &o->env, o->diags, out);
    ploy_buffer_fini(&bytes);
    if (result == PLOY_OK) return -1;
    const ploy_diag *first = ploy_diags_get(o->diags, 0);
    if (first == NULL || strcmp(first->message, other) != 0) return read_error(o, path, result);
    ploy_diags_clear(o->diags);
    return LEARN_NO_ACTOR;
}

// Writes the buffer that `result` is about, and frees it.
static int save_buffer(const char *path, ploy_result result, ploy_buffer *buffer) {
    int status = -1;
    if (result != PLOY_OK) {
        status = cli_error_result(path, result);
    } else if (!cli_write_file(path, buffer)) {
        status = CLI_USAGE;
    }
    ploy_buffer_fini(buffer);
    return status;
}

int learn_save_model(const learn_options *o, const char *path, ploy_learner learner) {
    ploy_buffer buffer;
    ploy_buffer_init(&buffer, 0, &o->env);
    ploy_writer writer = ploy_buffer_writer(&buffer);
    ploy_result result = learn_ends(path, ".cbor")
                             ? ploy_learner_save_compact(learner, &o->env, &writer)
                             : ploy_learner_save(learner, &writer);
    return save_buffer(path, result, &buffer);
}

int learn_save_actor(const learn_options *o, const char *path, ploy_actor actor) {
    ploy_buffer buffer;
    ploy_buffer_init(&buffer, 0, &o->env);
    ploy_writer writer = ploy_buffer_writer(&buffer);
    ploy_result result = learn_ends(path, ".cbor")
                             ? ploy_actor_save_compact(actor, &o->env, &writer)
                             : ploy_actor_save(actor, &writer);
    return save_buffer(path, result, &buffer);
}
