// The core as a WebAssembly reactor module: no main, a few exported functions, memory that may
// grow. The host calls _initialize once, writes texts into memory from ploy_wasm_alloc, and calls.
// What the module imports is listed and provided in apps/wasm/host.mjs.
#include <stdlib.h>

#include "apps/golden/golden_run.h"
#include "ploy/base/version.h"

#define REACTOR_EXPORT(name) __attribute__((export_name(#name))) name

void *ploy_wasm_alloc(size_t size);
void ploy_wasm_free(void *block);
const char *ploy_wasm_version(void);
int32_t ploy_wasm_golden(const char *lab, uint64_t ticks, uint64_t seed, uint64_t *hash);

// Memory for what the host passes in; 0 if there is none.
void *REACTOR_EXPORT(ploy_wasm_alloc)(size_t size) {
    return malloc(size);
}

void REACTOR_EXPORT(ploy_wasm_free)(void *block) {
    free(block);
}

// Address of a text that ends with a zero byte.
const char *REACTOR_EXPORT(ploy_wasm_version)(void) {
    return ploy_version_text();
}

// Runs a golden scene; there are no threads here, so always with one worker.
int32_t REACTOR_EXPORT(ploy_wasm_golden)(const char *lab, uint64_t ticks, uint64_t seed,
                                         uint64_t *hash) {
    return (int32_t)golden_run(lab, ticks, seed, 1, hash);
}
