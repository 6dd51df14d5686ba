// ploy learn ngram: windows of every length over one sequence.
//
// The file holds symbols separated by blanks, commas or line ends. A file of one word is a sequence
// of characters.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/ploy/learn.h"
#include "ploy/base/os.h"
#include "ploy/learn/ngram.h"

typedef struct sequence {
    ploy_schema *schema;
    int32_t *actions;
    int32_t count;
} sequence;

static bool is_separator(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == ',';
}

static ploy_result add_symbol(sequence *s, const char *text, size_t size) {
    char name[PLOY_COLUMN_NAME_MAX];
    if (size >= sizeof name) return PLOY_ERR_LIMIT;
    memcpy(name, text, size);
    name[size] = 0;
    int32_t found = ploy_schema_find_value(s->schema, 0, name);
    if (found < 0) {
        ploy_result result = ploy_schema_add_value(s->schema, 0, name);
        if (result != PLOY_OK) return result;
        found = ploy_schema_classes(s->schema) - 1;
    }
    s->actions[s->count++] = found;
    return PLOY_OK;
}

static ploy_result read_sequence(sequence *s, const char *bytes, size_t size, const ploy_env *env) {
    ploy_result result = ploy_schema_create(env, &s->schema);
    if (result == PLOY_OK) result = ploy_schema_add(s->schema, "action", PLOY_COLUMN_CATEGORY);
    s->actions = malloc((size + 1) * sizeof *s->actions);
    if (s->actions == NULL) return PLOY_ERR_MEMORY;
    size_t start = 0, end = size;
    while (start < end && is_separator(bytes[start])) start++;
    while (end > start && is_separator(bytes[end - 1])) end--;
    bool one_word = true;
    for (size_t i = start; i < end; i++) one_word = one_word && !is_separator(bytes[i]);
    for (size_t i = start; i < end && result == PLOY_OK;) {
        size_t stop = i + 1;
        while (!one_word && stop < end && !is_separator(bytes[stop])) stop++;
        if (!is_separator(bytes[i])) result = add_symbol(s, bytes + i, stop - i);
        i = is_separator(bytes[i]) ? i + 1 : stop;
    }
    return result;
}

static int print_curve(const learn_options *o, const sequence *s, const char *path) {
    double shares[PLOY_NGRAM_LENGTH_MAX] = {0};
    int32_t max = (int32_t)o->max, right = 0, best = 0;
    ploy_learner hierarchical = {NULL, NULL};
    ploy_result result = ploy_ngram_curve(s->schema, s->actions, s->count, max, &o->env, shares);
    if (result == PLOY_OK) {
        result = ploy_learner_create(ploy_ngram_hierarchical_learner(), NULL, s->schema, &o->env,
                                     &hierarchical);
    }
    if (result == PLOY_OK) result = ploy_ngram_score(hierarchical, s->actions, s->count, &right);
    ploy_learner_destroy(hierarchical);
    if (result != PLOY_OK) return cli_error_result(path, result);
    for (int32_t i = 1; i < max; i++) best = shares[i] > shares[best] ? i : best;
    double levels = s->count > 0 ? (double)right / s->count : 0.0;
    if (o->json) {
        printf("{\"actions\":%d,\"symbols\":%d,\"accuracy\":[", s->count,
               ploy_schema_classes(s->schema));
        for (int32_t i = 0; i < max; i++) printf("%s%.6f", i > 0 ? "," : "", shares[i]);
        printf("],\"best\":%d,\"hierarchical\":%.6f}\n", best + 1, levels);
        return CLI_OK;
    }
    printf("%d actions of %d kinds\n", s->count, ploy_schema_classes(s->schema));
    for (int32_t i = 0; i < max; i++) {
        printf("%2d-gram       %.3f%s\n", i + 1, shares[i], i == best ? "  best" : "");
    }
    printf("hierarchical  %.3f\n", levels);
    return CLI_OK;
}

int learn_ngram(const learn_options *o, const char *path) {
    if (o->max < 1 || o->max > PLOY_NGRAM_LENGTH_MAX) {
        return cli_error("--max expects 1 to 16", NULL);
    }
    ploy_buffer bytes;
    ploy_result result = ploy_os_read_file(path, 1 << 26, &o->env, &bytes);
    if (result != PLOY_OK) return cli_error_read(path, result);
    sequence s;
    memset(&s, 0, sizeof s);
    result = read_sequence(&s, bytes.bytes, bytes.size, &o->env);
    ploy_buffer_fini(&bytes);
    int status =
        result == PLOY_OK && s.count > 0 ? print_curve(o, &s, path)
        : result == PLOY_OK              ? cli_error("file has no actions:", path)
        : result == PLOY_ERR_LIMIT
            ? cli_error("too many different actions, at most 65536 of up to 63 letters:", path)
            : cli_error_result(path, result);
    free(s.actions);
    ploy_schema_destroy(s.schema);
    return status;
}
