// Any bytes as a saved learner: refused with a reason, or loaded, and then it answers, learns and
// is saved and loaded again.
#include <stdint.h>
#include <stdlib.h>

#include "ploy/data/learner_file.h"

static void must(bool condition) {
    if (!condition) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size > 1 << 16) return 0;
    ploy_env env = ploy_env_default();
    ploy_diags *diags = NULL;
    ploy_learner learner, again;
    must(ploy_diags_create(8, &env, &diags) == PLOY_OK);
    ploy_result result = ploy_learner_load(data, size, "fuzz", &env, diags, &learner);
    must((result == PLOY_OK) == (learner.type != NULL));
    if (result == PLOY_OK && ploy_schema_count(ploy_learner_schema(learner)) <= 64) {
        ploy_buffer buffer;
        ploy_buffer_init(&buffer, 0, &env);
        ploy_writer writer = ploy_buffer_writer(&buffer);
        must(ploy_learner_save(learner, &writer) == PLOY_OK);
        must(ploy_learner_load(buffer.bytes, buffer.size, "again", &env, NULL, &again) == PLOY_OK);
        must(ploy_learner_hash(again) == ploy_learner_hash(learner));
        ploy_buffer_fini(&buffer);
        ploy_learner_destroy(again);
        double row[64] = {0};
        (void)ploy_learner_predict(learner, row, NULL);
        (void)ploy_learner_observe(learner, row);
        (void)ploy_learner_predict(learner, row, NULL);
    }
    ploy_learner_destroy(learner);
    ploy_diags_destroy(diags);
    return 0;
}
