#include "ploy/base/env.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base_internal.h"

static void *env_malloc_resize(void *user, void *ptr, size_t old_size, size_t new_size) {
    (void)user;
    (void)old_size;
    if (new_size == 0) {
        free(ptr);
        return NULL;
    }
    if (ptr == NULL && new_size >= PLOYI_OS_LARGE) return ployi_os_alloc_large(new_size);
    return realloc(ptr, new_size);
}

ploy_env ploy_env_default(void) {
    ploy_allocator allocator = {env_malloc_resize, NULL};
    ploy_env env = ploy_env_with_allocator(allocator);
#ifndef NDEBUG
    env.log = ploy_log_stderr;
#endif
    return env;
}

void ploy_log_stderr(void *user, ploy_severity severity, const char *text) {
    (void)user;
    if (severity < PLOY_SEVERITY_WARNING) return;
    fprintf(stderr, "ploy: %s: %s\n", ploy_severity_text(severity), text);
}

ploy_env ploy_env_with_allocator(ploy_allocator allocator) {
    ploy_env env;
    memset(&env, 0, sizeof env);
    env.allocator = allocator;
    return env;
}

const char *ploy_severity_text(ploy_severity severity) {
    switch (severity) {
    case PLOY_SEVERITY_DEBUG: return "debug";
    case PLOY_SEVERITY_INFO: return "info";
    case PLOY_SEVERITY_WARNING: return "warning";
    case PLOY_SEVERITY_ERROR: return "error";
    }
    return "?";
}

void *ploy_env_alloc(const ploy_env *env, size_t size) {
    if (size == 0 || env == NULL || env->allocator.resize == NULL) return NULL;
    return env->allocator.resize(env->allocator.user, NULL, 0, size);
}

void *ploy_env_alloc_zero(const ploy_env *env, size_t size) {
    void *ptr = ploy_env_alloc(env, size);
    if (ptr != NULL) memset(ptr, 0, size);
    return ptr;
}

void *ploy_env_resize(const ploy_env *env, void *ptr, size_t old_size, size_t new_size) {
    if (new_size == 0) {
        ploy_env_free(env, ptr, old_size);
        return NULL;
    }
    return env->allocator.resize(env->allocator.user, ptr, old_size, new_size);
}

void ploy_env_free(const ploy_env *env, void *ptr, size_t size) {
    if (ptr != NULL) env->allocator.resize(env->allocator.user, ptr, size, 0);
}

void ploy_env_log(const ploy_env *env, ploy_severity severity, const char *text) {
    if (env != NULL && env->log != NULL) env->log(env->log_user, severity, text);
}

uint64_t ploy_env_clock(const ploy_env *env) {
    if (env != NULL && env->clock != NULL) return env->clock(env->clock_user);
    return ploy_os_clock_ns();
}

void ploy_env_zone_begin(const ploy_env *env, const char *name) {
    if (env != NULL && env->zone_begin != NULL) env->zone_begin(env->zone_user, name);
}

void ploy_env_zone_end(const ploy_env *env, const char *name) {
    if (env != NULL && env->zone_end != NULL) env->zone_end(env->zone_user, name);
}

bool ploy_size_add_array(size_t base, int64_t count, size_t size, size_t *out) {
    if (count < 0) return false;
    if (size != 0 && (uint64_t)count > (SIZE_MAX - base) / size) return false;
    *out = base + (size_t)count * size;
    return true;
}

bool ploy_range_within(int32_t first, int32_t count, int32_t length) {
    return first >= 0 && count >= 0 && length >= 0 && first <= length && count <= length - first;
}

bool ploy_in_range(float value, float min, float max) {
    return value >= min && value <= max;
}
