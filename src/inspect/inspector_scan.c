// A whole recording gone through once more, for numbers over time and for the marks of ticks that
// without a journal; then back to where the session was.
//
// A number is named by the names of the groups around it and its own: ["state", "ball", "speed"],
// or from an agent's group on: ["@2:1", "stamina"]. Of a vector it is the length, or with one more
// name the component: ["state", "ball", "position", "x"]. Names are hashed on the path down, so
// looking costs one comparison for each value and number that is requested.
#include "inspect/inspector_internal.h"

#include <math.h>
#include <string.h>

#include "ploy/base/hash.h"
#include "ploy/base/math.h"

#define SCAN_PATHS_MAX 8
#define SCAN_SAMPLES_MAX 4096
#define SCAN_SAMPLES 512
#define SCAN_DEPTH_MAX 64

struct ployi_inspect_scan {
    uint64_t from, to, every; // ticks
    uint64_t home;            // where the session stood
    bool sampled;             // everything is there; only the return is left
    int32_t path_count;
    uint64_t paths[SCAN_PATHS_MAX];
    int32_t count; // samples so far
    int32_t capacity;
    double values[]; // path by path, capacity each; not a number where there was none
};

static size_t scan_size(int32_t path_count, int32_t capacity) {
    return sizeof(ployi_inspect_scan) + (size_t)path_count * (size_t)capacity * sizeof(double);
}

static uint64_t scan_owner(ploy_id owner) {
    return ploy_hash_combine(1, ((uint64_t)owner.generation << 32) | owner.index);
}

static uint64_t scan_down(uint64_t path, const char *name) {
    return ploy_hash_combine(path, ploy_hash_text(name));
}

// ---- looking

typedef struct scan_sink {
    ployi_inspect_scan *scan;
    int32_t depth;
    uint64_t full[SCAN_DEPTH_MAX];  // names from the outermost group on
    uint64_t owned[SCAN_DEPTH_MAX]; // names from the agent's group on; 0: no agent's
} scan_sink;

static void scan_begin(void *user, const char *name, ploy_id owner) {
    scan_sink *sink = user;
    int32_t depth = ++sink->depth;
    if (depth >= SCAN_DEPTH_MAX) return;
    sink->full[depth] = scan_down(sink->full[depth - 1], name);
    if (sink->owned[depth - 1] != 0) {
        sink->owned[depth] = scan_down(sink->owned[depth - 1], name);
    } else {
        sink->owned[depth] = ploy_id_is_none(owner) ? 0 : scan_owner(owner);
    }
}

static void scan_end(void *user) {
    scan_sink *sink = user;
    if (sink->depth > 0) sink->depth--;
}

static void scan_put(ployi_inspect_scan *scan, uint64_t path, double number) {
    for (int32_t i = 0; i < scan->path_count; i++) {
        if (scan->paths[i] != path) continue;
        double *at = &scan->values[(size_t)i * (size_t)scan->capacity + (size_t)scan->count];
        if (*at != *at) *at = number; // of two with the same name the first counts
    }
}

static int32_t scan_components(const ploy_value *value) {
    switch (value->type) {
    case PLOY_VALUE_VEC2: return 2;
    case PLOY_VALUE_VEC3: return 3;
    case PLOY_VALUE_VEC4: return 4;
    default: return 0;
    }
}

// The number that a value is; not a number if it is none.
static double scan_number(const ploy_value *value) {
    switch (value->type) {
    case PLOY_VALUE_BOOL: return value->as.b ? 1 : 0;
    case PLOY_VALUE_I64: return (double)value->as.i64;
    case PLOY_VALUE_U64: return (double)value->as.u64;
    case PLOY_VALUE_F32: return (double)value->as.f32;
    case PLOY_VALUE_F64: return value->as.f64;
    default: break;
    }
    int32_t components = scan_components(value);
    if (components == 0) return (double)NAN;
    double sum = 0;
    for (int32_t i = 0; i < components; i++) {
        sum += (double)value->as.vec[i] * (double)value->as.vec[i];
    }
    return sqrt(sum);
}

static void scan_value(void *user, const char *name, ploy_mark mark, const ploy_value *value) {
    (void)mark;
    static const char *const axes[] = {"x", "y", "z", "w"};
    scan_sink *sink = user;
    if (sink->depth >= SCAN_DEPTH_MAX) return;
    double number = scan_number(value);
    if (number != number) return;
    uint64_t full = scan_down(sink->full[sink->depth], name);
    uint64_t owned = sink->owned[sink->depth] != 0 ? scan_down(sink->owned[sink->depth], name) : 0;
    scan_put(sink->scan, full, number);
    if (owned != 0) scan_put(sink->scan, owned, number);
    for (int32_t i = 0; i < scan_components(value); i++) {
        scan_put(sink->scan, scan_down(full, axes[i]), (double)value->as.vec[i]);
        if (owned != 0) {
            scan_put(sink->scan, scan_down(owned, axes[i]), (double)value->as.vec[i]);
        }
    }
}

static void scan_sample(const ployi_inspect_session *session) {
    ployi_inspect_scan *scan = session->scan;
    if (scan->count == scan->capacity) return;
    for (int32_t i = 0; i < scan->path_count; i++) {
        scan->values[(size_t)i * (size_t)scan->capacity + (size_t)scan->count] = (double)NAN;
    }
    if (scan->path_count > 0) {
        scan_sink sink;
        memset(&sink, 0, sizeof sink);
        sink.scan = scan;
        ploy_describe out = {scan_begin, scan_end, scan_value, &sink};
        ploy_sim_describe(ploy_recorder_sim(session->recorder), &out);
    }
    scan->count++;
}

// ---- the run

static void scan_answer(ploy_inspector *inspector, ployi_inspect_session *session) {
    ployi_inspect_client *client = ployi_inspect_session_arrive(inspector, session, PLOY_OK, NULL);
    const ployi_inspect_scan *scan = session->scan;
    if (client != NULL) {
        ployi_inspect_request request = {inspector,        client, NULL,
                                         ploy_json_none(), true,   session->asker_request,
                                         session->asker_do};
        ployi_inspect_entry entry;
        ployi_inspect_answer_begin(&entry, &request);
        ploy_json_writer *json = &entry.json;
        const struct {
            const char *name;
            uint64_t value;
        } numbers[] = {{"session", session->number},
                       {"tick", ploy_recorder_tick(session->recorder)},
                       {"from", scan->from},
                       {"every", scan->every},
                       {"count", (uint64_t)scan->count}};
        for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
            ploy_json_write_key(json, numbers[i].name);
            ploy_json_write_u64(json, numbers[i].value);
        }
        ploy_json_write_key(json, "series");
        ploy_json_write_begin_array(json);
        for (int32_t i = 0; i < scan->path_count; i++) {
            ploy_json_write_begin_array(json);
            for (int32_t k = 0; k < scan->count; k++) {
                double value = scan->values[(size_t)i * (size_t)scan->capacity + (size_t)k];
                if (value - value == 0.0) {
                    ploy_json_write_f64(json, value);
                } else {
                    ploy_json_write_null(json);
                }
            }
            ploy_json_write_end_array(json);
        }
        ploy_json_write_end_array(json);
        (void)ployi_inspect_answer_end(&entry, &request);
    }
    ployi_inspect_scan_free(inspector, session);
}

void ployi_inspect_scan_step(ploy_inspector *inspector, ployi_inspect_session *session,
                             ploy_budget *budget) {
    ployi_inspect_scan *scan = session->scan;
    ploy_result result = PLOY_OK;
    while (result == PLOY_OK && !scan->sampled) {
        uint64_t next = scan->from + (uint64_t)scan->count * scan->every;
        if (next > scan->to || scan->count == scan->capacity) {
            scan->sampled = true;
            break;
        }
        result = ployi_inspect_session_seek(session, next, budget);
        if (result == PLOY_OK) scan_sample(session);
    }
    // Marks are wanted to the end, also where the last sample was before it.
    if (result == PLOY_OK && session->journal.scanned < scan->to) {
        result = ployi_inspect_session_seek(session, scan->to, budget);
    }
    if (result == PLOY_OK) result = ployi_inspect_session_seek(session, scan->home, budget);
    if (result == PLOY_IN_PROGRESS) return;
    if (result == PLOY_OK) {
        scan_answer(inspector, session);
        return;
    }
    (void)ployi_inspect_session_arrive(inspector, session, result,
                                       "simulation stopped or was not reproducible");
}

void ployi_inspect_scan_free(const ploy_inspector *inspector, ployi_inspect_session *session) {
    ployi_inspect_scan *scan = session->scan;
    if (scan == NULL) return;
    ploy_env_free(&inspector->env, scan, scan_size(scan->path_count, scan->capacity));
    session->scan = NULL;
}

// Reads one path; false after an error was answered.
static bool scan_read_path(const ployi_inspect_request *request, ploy_json_node node,
                           uint64_t *out) {
    const ploy_json *doc = request->doc;
    int32_t count =
        ploy_json_type_of(doc, node) == PLOY_JSON_ARRAY ? ploy_json_count(doc, node) : 0;
    uint64_t path = 0;
    bool good = count > 0 && count < SCAN_DEPTH_MAX;
    for (int32_t i = 0; good && i < count; i++) {
        ploy_value name;
        good = ployi_inspect_json_value(doc, ploy_json_at(doc, node, i), PLOY_VALUE_TEXT, &name) ==
               PLOY_OK;
        if (!good) break;
        ploy_value owner;
        if (i == 0 && name.as.text[0] == '@') {
            good =
                count > 1 && ploy_value_parse(PLOY_VALUE_ID, name.as.text + 1, &owner) == PLOY_OK;
            if (good) path = scan_owner(owner.as.id);
        } else {
            path = scan_down(path, name.as.text);
        }
    }
    if (good) {
        *out = path;
        return true;
    }
    ployi_inspect_answer_error(
        request, PLOY_ERR_ARGUMENT,
        "expected a path as an array of names, the first may be \"@index:generation\"", "paths");
    return false;
}

void ployi_drive_scan(const ployi_inspect_request *request) {
    ploy_inspector *inspector = request->inspector;
    ployi_inspect_session *session = ployi_inspect_request_still(request);
    if (session == NULL) return;
    uint64_t from = 0, to = ploy_recorder_end(session->recorder), samples = SCAN_SAMPLES;
    if (!ployi_drive_read_u64(request, "from", &from) ||
        !ployi_drive_read_u64(request, "to", &to) ||
        !ployi_drive_read_u64(request, "samples", &samples)) {
        return;
    }
    if (to > ploy_recorder_end(session->recorder)) to = ploy_recorder_end(session->recorder);
    if (from > to || samples < 1 || samples > SCAN_SAMPLES_MAX) {
        ployi_inspect_answer_error(request, PLOY_ERR_ARGUMENT,
                                   "from must not be after to, and samples 1 to 4096", "from");
        return;
    }
    ploy_json_node paths = ploy_json_member(request->doc, request->root, "paths");
    int32_t count = ploy_json_is_none(paths) ? 0 : ploy_json_count(request->doc, paths);
    bool list =
        ploy_json_is_none(paths) || ploy_json_type_of(request->doc, paths) == PLOY_JSON_ARRAY;
    if (!list || count > SCAN_PATHS_MAX) {
        ployi_inspect_answer_error(request, PLOY_ERR_ARGUMENT,
                                   "paths must be an array of up to 8 paths", "paths");
        return;
    }
    uint64_t hashes[SCAN_PATHS_MAX];
    for (int32_t i = 0; i < count; i++) {
        if (!scan_read_path(request, ploy_json_at(request->doc, paths, i), &hashes[i])) return;
    }
    uint64_t every = (to - from) / samples + 1;
    int32_t capacity = (int32_t)((to - from) / every + 1);
    ployi_inspect_scan *scan = ploy_env_alloc(&inspector->env, scan_size(count, capacity));
    if (scan == NULL) {
        ployi_inspect_answer_error(request, PLOY_ERR_MEMORY, ploy_result_text(PLOY_ERR_MEMORY),
                                   NULL);
        return;
    }
    scan->from = from;
    scan->to = to;
    scan->every = every;
    scan->home = ploy_recorder_tick(session->recorder);
    scan->sampled = false;
    scan->path_count = count;
    memcpy(scan->paths, hashes, (size_t)count * sizeof hashes[0]);
    scan->count = 0;
    scan->capacity = capacity;
    ployi_inspect_journal_begin(inspector, session);
    if (from == 0) ployi_inspect_journal_restart(session);
    ployi_inspect_session_go(session, PLOYI_WAY_SCAN, to, request, "scan");
    session->scan = scan;
}

#undef SCAN_PATHS_MAX
#undef SCAN_SAMPLES_MAX
#undef SCAN_SAMPLES
#undef SCAN_DEPTH_MAX
