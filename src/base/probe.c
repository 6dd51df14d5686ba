// Probe: a sink that compares the path of each value with those it looks for.
//
// Invariants:
//   (1) at[0..length) is the path of the innermost open group, at most PLOY_PROBE_PATH_MAX - 1 long;
//       a group that does not fit sets length to -1 until it ends, and nothing in it is found;
//   (2) lengths[d] is the length before group d was opened, for d below PLOY_PROBE_DEPTH_MAX.
#include "ploy/base/probe.h"

#include <string.h>

static void probe_begin(void *user, const char *name, ploy_id owner) {
    (void)owner;
    ploy_probe *probe = user;
    int32_t depth = probe->depth++;
    if (depth >= PLOY_PROBE_DEPTH_MAX) return;
    probe->lengths[depth] = probe->length;
    if (probe->length < 0) return;
    size_t room = (size_t)(PLOY_PROBE_PATH_MAX - 1 - probe->length), length = strlen(name);
    if (length + 1 > room) {
        probe->length = -1;
        return;
    }
    memcpy(probe->at + probe->length, name, length);
    probe->length += (int32_t)length;
    probe->at[probe->length++] = '.'; // keeps (1)
}

static void probe_end(void *user) {
    ploy_probe *probe = user;
    probe->depth--;
    if (probe->depth >= 0 && probe->depth < PLOY_PROBE_DEPTH_MAX) {
        probe->length = probe->lengths[probe->depth];
    }
}

static bool probe_number(const ploy_value *value, const char *rest, double *out) {
    const float *parts = NULL;
    int32_t count = 0;
    switch (value->type) {
    case PLOY_VALUE_BOOL: *out = value->as.b ? 1.0 : 0.0; break;
    case PLOY_VALUE_I64: *out = (double)value->as.i64; break;
    case PLOY_VALUE_U64: *out = (double)value->as.u64; break;
    case PLOY_VALUE_F32: *out = (double)value->as.f32; break;
    case PLOY_VALUE_F64: *out = value->as.f64; break;
    case PLOY_VALUE_VEC2: parts = value->as.vec, count = 2; break;
    case PLOY_VALUE_VEC3: parts = value->as.vec, count = 3; break;
    default: return false;
    }
    if (parts == NULL) return rest[0] == 0;
    if (rest[0] != '.' || rest[1] < 'x' || rest[1] >= 'x' + count || rest[2] != 0) return false;
    *out = (double)parts[rest[1] - 'x'];
    return true;
}

static void probe_value(void *user, const char *name, ploy_mark mark, const ploy_value *value) {
    (void)mark;
    ploy_probe *probe = user;
    if (probe->length < 0 || probe->depth > PLOY_PROBE_DEPTH_MAX) return;
    size_t group = (size_t)probe->length, length = strlen(name);
    for (int32_t i = 0; i < probe->count; i++) {
        const char *path = probe->paths[i];
        if ((probe->found >> i & 1) != 0) continue;
        if (strncmp(path, probe->at, group) != 0) continue;
        if (strncmp(path + group, name, length) != 0) continue;
        double number = 0.0;
        if (!probe_number(value, path + group + length, &number)) continue;
        probe->out[i] = number;
        probe->found |= UINT64_C(1) << i;
    }
}

void ploy_probe_init(ploy_probe *probe, const char *const *paths, int32_t count, double *out) {
    memset(probe, 0, sizeof *probe);
    probe->paths = paths;
    probe->out = out;
    probe->count = count < PLOY_PROBE_PATHS_MAX ? count : PLOY_PROBE_PATHS_MAX;
    for (int32_t i = 0; i < probe->count; i++) out[i] = 0.0;
}

ploy_describe ploy_probe_describe(ploy_probe *probe) {
    ploy_describe out = {probe_begin, probe_end, probe_value, probe};
    return out;
}

int32_t ploy_probe_missing(const ploy_probe *probe) {
    for (int32_t i = 0; i < probe->count; i++) {
        if ((probe->found >> i & 1) == 0) return i;
    }
    return -1;
}
