// Hebbian grids and the recurrent step; described in the header.
#include "ploy/learn/hebb.h"

static const ploy_field hebb_fields[] = {
    PLOY_FIELD_I32_FIXED(ploy_hebb_def, width, 8, 1, 1024, "", "nodes in a row"),
    PLOY_FIELD_I32_FIXED(ploy_hebb_def, height, 8, 1, 1024, "", "rows"),
    PLOY_FIELD_BOOL(ploy_hebb_def, all, false, "links between all nodes"),
    PLOY_FIELD_F32(ploy_hebb_def, rate, 1, 0, 1000, "", "how much a pattern changes a link"),
    PLOY_FIELD_I32(ploy_hebb_def, sweeps, 100, 1, 100000, "", "most sweeps of a recall"),
    PLOY_FIELD_BOOL(ploy_hebb_def, centred, false, "count what goes beyond the nodes' habits"),
};

ploy_fields ploy_hebb_fields(void) {
    return PLOY_FIELDS(ploy_hebb_def, hebb_fields);
}

ploy_hebb_def ploy_hebb_def_default(void) {
    ploy_hebb_def def;
    ploy_fields_default(ploy_hebb_fields(), &def);
    return def;
}

// A row of links for each node: to its eight neighbours in the order of hebb_dx and hebb_dy, or to all nodes.
struct ploy_hebb {
    ploy_env env;
    ploy_hebb_def def;
    size_t size;
    int32_t nodes, each; // links of a node
    int32_t patterns;
    float *links;
    float *biases; // how often a node is +1: what it says when nothing else does
};

static const int32_t hebb_dx[8] = {1, 1, 0, -1, -1, -1, 0, 1};
static const int32_t hebb_dy[8] = {0, 1, 1, 1, 0, -1, -1, -1};

ploy_result ploy_hebb_create(const ploy_hebb_def *def, const ploy_env *env, ploy_hebb **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    ploy_result result = ploy_fields_check(ploy_hebb_fields(), def, env);
    if (result != PLOY_OK) return result;
    int64_t nodes = (int64_t)def->width * def->height, each = def->all ? nodes : 8;
    if (nodes * each > 8 * (1 << 20)) return PLOY_ERR_LIMIT;
    size_t size = sizeof(ploy_hebb) + (size_t)(nodes * (each + 1)) * sizeof(float);
    ploy_hebb *hebb = ploy_env_alloc_zero(env, size);
    if (hebb == NULL) return PLOY_ERR_MEMORY;
    hebb->env = *env;
    hebb->def = *def;
    hebb->size = size;
    hebb->nodes = (int32_t)nodes;
    hebb->each = (int32_t)each;
    hebb->links = (float *)(void *)(hebb + 1);
    hebb->biases = hebb->links + nodes * each;
    *out = hebb;
    return PLOY_OK;
}

void ploy_hebb_destroy(ploy_hebb *hebb) {
    if (hebb == NULL) return;
    ploy_env env = hebb->env;
    ploy_env_free(&env, hebb, hebb->size);
}

// The node at the other end of a link; -1 beyond the edge, and for a node and itself.
static int32_t hebb_other(const ploy_hebb *hebb, int32_t node, int32_t link) {
    if (hebb->def.all) return link == node ? -1 : link;
    int32_t x = node % hebb->def.width + hebb_dx[link], y = node / hebb->def.width + hebb_dy[link];
    return x < 0 || y < 0 || x >= hebb->def.width || y >= hebb->def.height
               ? -1
               : y * hebb->def.width + x;
}

void ploy_hebb_learn(ploy_hebb *hebb, const float *pattern) {
    for (int32_t i = 0; i < hebb->nodes; i++) {
        float own = pattern[i] > 0.0f ? hebb->def.rate : -hebb->def.rate;
        for (int32_t k = 0; k < hebb->each; k++) {
            int32_t other = hebb_other(hebb, i, k);
            if (other >= 0)
                hebb->links[(int64_t)i * hebb->each + k] += pattern[other] > 0.0f ? own : -own;
        }
        hebb->biases[i] += own;
    }
    hebb->patterns++;
}

// Every node listens to the clamped ones only, so one sweep settles all.
static int32_t hebb_recall_centred(const ploy_hebb *hebb, const float *known, float *out) {
    float patterns = hebb->patterns > 0 ? (float)hebb->patterns * hebb->def.rate : 1.0f;
    if (!(patterns > 0.0f)) patterns = 1.0f;
    for (int32_t i = 0; i < hebb->nodes; i++) {
        float habit = hebb->biases[i] / patterns, sum = 0.0f, weights = 0.0f;
        for (int32_t k = 0; k < hebb->each && known[i] == 0.0f; k++) {
            int32_t other = hebb_other(hebb, i, k);
            if (other < 0 || known[other] == 0.0f) continue;
            float theirs = hebb->biases[other] / patterns;
            float link = hebb->links[(int64_t)i * hebb->each + k] / patterns - habit * theirs;
            sum += link * ((known[other] > 0.0f ? 1.0f : -1.0f) - theirs);
            weights += link < 0.0f ? -link : link;
        }
        float value = known[i] != 0.0f ? known[i] : habit + (weights > 0.0f ? sum / weights : 0.0f);
        out[i] = value < 0.0f ? -1.0f : 1.0f;
    }
    return 1;
}

int32_t ploy_hebb_recall(const ploy_hebb *hebb, const float *known, float *out) {
    if (hebb->def.centred) return hebb_recall_centred(hebb, known, out);
    for (int32_t i = 0; i < hebb->nodes; i++) {
        out[i] = known[i] > 0.0f ? 1.0f : known[i] < 0.0f ? -1.0f : 0.0f;
    }
    for (int32_t sweep = 1; sweep <= hebb->def.sweeps; sweep++) {
        bool changed = false;
        for (int32_t i = 0; i < hebb->nodes; i++) {
            if (known[i] != 0.0f) continue;
            float sum = 0.0f;
            for (int32_t k = 0; k < hebb->each; k++) {
                int32_t other = hebb_other(hebb, i, k);
                if (other >= 0) sum += hebb->links[(int64_t)i * hebb->each + k] * out[other];
            }
            // A node whose neighbours are all unknown waits for them; in the end its own habit decides.
            if (sum == 0.0f && sweep == 1) continue;
            if (sum == 0.0f && out[i] == 0.0f) sum = hebb->biases[i];
            float state = sum < 0.0f ? -1.0f : 1.0f;
            changed = changed || state != out[i];
            out[i] = state;
        }
        if (!changed && sweep > 1) return sweep;
    }
    return hebb->def.sweeps + 1;
}

float ploy_hebb_link(const ploy_hebb *hebb, int32_t a, int32_t b) {
    if (a < 0 || a >= hebb->nodes || hebb->patterns == 0) return 0.0f;
    for (int32_t k = 0; k < hebb->each; k++) {
        if (b >= 0 && hebb_other(hebb, a, k) == b) {
            return hebb->links[(int64_t)a * hebb->each + k] / (float)hebb->patterns;
        }
    }
    return 0.0f;
}

int32_t ploy_hebb_patterns(const ploy_hebb *hebb) {
    return hebb->patterns;
}

void ploy_hebb_visit(ploy_visit *v, void *object) {
    ploy_hebb *hebb = object;
    ploy_visit_block(v, "hebb", hebb, hebb->size);
    ploy_visit_i32_in(v, "patterns", PLOY_STATE, &hebb->patterns, 0, INT32_MAX);
    int32_t count = ploy_visit_fixed(v, "links", PLOY_STATE, hebb->nodes * hebb->each);
    for (int32_t i = 0; i < count; i++) ploy_visit_f32(v, "link", PLOY_STATE, &hebb->links[i]);
    ploy_visit_end(v);
    count = ploy_visit_fixed(v, "biases", PLOY_STATE, hebb->nodes);
    for (int32_t i = 0; i < count; i++) ploy_visit_f32(v, "bias", PLOY_STATE, &hebb->biases[i]);
    ploy_visit_end(v);
}
