// What files of the fuzz targets for characters may name: settings to read, a step that does nothing.
#pragma once

#include <stdlib.h>

#include "ploy/base/fields.h"
#include "ploy/exec/behavior.h"

typedef struct fuzz_walk_def {
    uint32_t cookie;
    float speed;
    int32_t legs;
} fuzz_walk_def;

static const ploy_field fuzz_walk_table[] = {
    PLOY_FIELD_F32(fuzz_walk_def, speed, 1, 0, 10, "m/s", "how fast"),
    PLOY_FIELD_I32(fuzz_walk_def, legs, 2, 1, 8, "", "how many"),
};

static ploy_fields fuzz_walk_fields(void) {
    return PLOY_FIELDS(fuzz_walk_def, fuzz_walk_table);
}

static void must(bool condition) {
    if (!condition) abort();
}

static ploy_result fuzz_step(void *self, ploy_step_context *context, ploy_status *status) {
    (void)self, (void)context;
    *status = PLOY_STATUS_SUCCESS;
    return PLOY_OK;
}
