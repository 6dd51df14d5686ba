// Confusion matrix and over-fitting.
#include "ploy/learn/score.h"

#include <stdio.h>

struct ploy_confusion {
    ploy_env env;
    int32_t classes;
    size_t size;
    int64_t counts[]; // truth by answer; the last answer is no opinion
};

ploy_result ploy_confusion_create(int32_t classes, const ploy_env *env, ploy_confusion **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    size_t size = 0;
    if (env == NULL || classes < 0 || classes > PLOY_COLUMN_VALUES_MAX ||
        !ploy_size_add_array(sizeof(ploy_confusion), (int64_t)classes * (classes + 1),
                             sizeof(int64_t), &size)) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_confusion *confusion = ploy_env_alloc_zero(env, size);
    if (confusion == NULL) return PLOY_ERR_MEMORY;
    confusion->env = *env;
    confusion->classes = classes;
    confusion->size = size;
    *out = confusion;
    return PLOY_OK;
}

void ploy_confusion_destroy(ploy_confusion *confusion) {
    if (confusion == NULL) return;
    ploy_env env = confusion->env;
    ploy_env_free(&env, confusion, confusion->size);
}

void ploy_confusion_add(ploy_confusion *confusion, int32_t truth, int32_t answer) {
    if (confusion == NULL || truth < 0 || truth >= confusion->classes) return;
    if (answer < 0 || answer >= confusion->classes) answer = confusion->classes;
    confusion->counts[(int64_t)truth * (confusion->classes + 1) + answer]++;
}

int64_t ploy_confusion_at(const ploy_confusion *confusion, int32_t truth, int32_t answer) {
    if (confusion == NULL || truth < 0 || truth >= confusion->classes) return 0;
    if (answer < 0 || answer >= confusion->classes) answer = confusion->classes;
    return confusion->counts[(int64_t)truth * (confusion->classes + 1) + answer];
}

void ploy_confusion_print(const ploy_confusion *confusion, const ploy_schema *schema,
                          ploy_writer *writer) {
    if (confusion == NULL || confusion->classes > 32) return; // too wide to read
    int32_t target = ploy_schema_target(schema);
    for (int32_t i = 0; i < confusion->classes; i++) {
        char text[96];
        snprintf(text, sizeof text, "%-16s", ploy_schema_value_at(schema, target, i));
        ploy_write_text(writer, text);
        for (int32_t k = 0; k <= confusion->classes; k++) {
            snprintf(text, sizeof text, " %6lld", (long long)ploy_confusion_at(confusion, i, k));
            if (k < confusion->classes || ploy_confusion_at(confusion, i, k) > 0) {
                ploy_write_text(writer, text);
            }
        }
        ploy_write_char(writer, '\n');
    }
}

ploy_overfit ploy_overfit_of(double train, double test, int64_t size, int64_t rows) {
    ploy_overfit out = {train, test, train - test, size > 0 ? (double)rows / (double)size : 0.0,
                        false};
    out.warning = out.gap > 0.1 || (out.gap > 0.05 && size > 0 && out.per_size < 1.0);
    return out;
}
