// Golden-angle placement; see the header.
#include "ploy/generate/phyllotaxis.h"

#include "ploy/base/math.h"
#include "ploy/geom/angle.h"

#include "generate/generate_internal.h"

#include <math.h>
#include <string.h>

static const char *const phyllotaxis_forms[] = {"whorl", "spiral"};

static const ploy_field phyllotaxis_fields[] = {
    PLOY_FIELD_I32(ploy_phyllotaxis_def, count, 34, 1, 1 << 20, "", "leaves"),
    PLOY_FIELD_I32(ploy_phyllotaxis_def, metal, 1, 1, 64, "",
                   "metallic mean that divides the turn: 1 golden, 2 silver, 3 bronze"),
    PLOY_FIELD_F32(ploy_phyllotaxis_def, jitter, 0, 0, 3.1415927f, "rad",
                   "largest random turn of a leaf to either side"),
    PLOY_FIELD_ENUM(ploy_phyllotaxis_def, form, 1, phyllotaxis_forms, "ring or filled disc"),
    PLOY_FIELD_F32(ploy_phyllotaxis_def, spacing, 1, 1e-3f, 1e4f, "m",
                   "radius of the whorl, or factor of the spiral"),
    PLOY_FIELD_F32(ploy_phyllotaxis_def, radius, 0.5f, 0, 1e4f, "m", "radius of a leaf"),
    PLOY_FIELD_F32(ploy_phyllotaxis_def, orientation, 0, -3.1415927f, 3.1415927f, "rad",
                   "direction of the first leaf"),
};

ploy_fields ploy_phyllotaxis_fields(void) {
    return PLOY_FIELDS(ploy_phyllotaxis_def, phyllotaxis_fields);
}

ploy_phyllotaxis_def ploy_phyllotaxis_def_default(void) {
    ploy_phyllotaxis_def def;
    ploy_fields_default(ploy_phyllotaxis_fields(), &def);
    return def;
}

double ploy_metallic_mean(int32_t n) {
    double value = n;
    return (value + sqrt(value * value + 4.0)) / 2.0;
}

double ploy_phyllotaxis_turn(double ratio) {
    return 2.0 * PLOY_PI / ratio;
}

struct ploy_phyllotaxis {
    ploy_env env;
    ploy_phyllotaxis_def def;
    ploy_rng_key jitter;
    ploy_trace *trace;
    size_t size;
    int64_t units;
    int32_t count;        // leaves made
    ploy_placed leaves[]; // def.count of them
};

ploy_result ploy_phyllotaxis_begin(const ploy_phyllotaxis_def *def, ploy_rng_key key,
                                   ploy_trace *trace, const ploy_env *env, ploy_phyllotaxis **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    ploy_result result = ploy_fields_check(ploy_phyllotaxis_fields(), def, env);
    if (result != PLOY_OK) return result;
    size_t size = 0;
    if (!ploy_size_add_array(sizeof(ploy_phyllotaxis), def->count, sizeof(ploy_placed), &size)) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_phyllotaxis *whorl = ploy_env_alloc_zero(env, size);
    if (whorl == NULL) return PLOY_ERR_MEMORY;
    whorl->env = *env;
    whorl->def = *def;
    whorl->jitter = ploy_generate_stream(key, "jitter");
    whorl->trace = trace;
    whorl->size = size;
    *out = whorl;
    return PLOY_OK;
}

// The angle of a leaf comes from its number and not from the leaf before it: no error adds up.
static ploy_placed phyllotaxis_leaf(const ploy_phyllotaxis *whorl, int32_t i) {
    const ploy_phyllotaxis_def *def = &whorl->def;
    double turns = (double)i / ploy_metallic_mean(def->metal);
    double angle = (turns - floor(turns)) * 2.0 * PLOY_PI + (double)def->orientation;
    if (def->jitter > 0.0f) {
        float draw = ploy_rng_float_at(whorl->jitter, (uint32_t)i, 0, 0) * 2.0f - 1.0f;
        angle += (double)(def->jitter * draw);
    }
    bool spiral = def->form == PLOY_PHYLLOTAXIS_SPIRAL;
    double distance = spiral ? (double)def->spacing * sqrt((double)i) : (double)def->spacing;
    double sine, cosine;
    ploy_sincos(angle, &sine, &cosine);
    ploy_placed leaf;
    leaf.position = ploy_vec2_make((float)(distance * cosine), (float)(distance * sine));
    leaf.radius = def->radius;
    leaf.angle = ploy_angle_wrap((float)angle);
    leaf.type = 0;
    return leaf;
}

ploy_result ploy_phyllotaxis_step(ploy_phyllotaxis *whorl, ploy_budget *budget) {
    while (whorl->count < whorl->def.count) {
        if (!ploy_budget_spend(budget, 1)) return PLOY_IN_PROGRESS;
        whorl->units++;
        whorl->leaves[whorl->count] = phyllotaxis_leaf(whorl, whorl->count);
        if (whorl->trace != NULL) {
            ploy_trace_begin(whorl->trace, ploy_agent_id_none(), "leaf", "phyllotaxis");
            ploy_trace_f32(whorl->trace, "angle", whorl->leaves[whorl->count].angle);
            ploy_trace_end(whorl->trace);
        }
        whorl->count++;
    }
    return PLOY_OK;
}

ploy_generate_outcome ploy_phyllotaxis_outcome(const ploy_phyllotaxis *whorl) {
    ploy_generate_outcome outcome;
    memset(&outcome, 0, sizeof outcome);
    outcome.done = whorl->count == whorl->def.count;
    outcome.limit = "";
    outcome.count = whorl->count;
    outcome.attempts = whorl->count;
    outcome.draws = whorl->def.jitter > 0.0f ? (uint64_t)whorl->count : 0;
    outcome.units = whorl->units;
    return outcome;
}

const ploy_placed *ploy_phyllotaxis_leaves(const ploy_phyllotaxis *whorl, int32_t *count) {
    *count = whorl->count;
    return whorl->leaves;
}

void ploy_phyllotaxis_cancel(ploy_phyllotaxis *whorl) {
    if (whorl == NULL) return;
    ploy_env env = whorl->env;
    ploy_env_free(&env, whorl, whorl->size);
}

static ploy_content phyllotaxis_content(const ploy_phyllotaxis *whorl) {
    ploy_content content = ploy_content_none();
    content.kinds = PLOY_CONTENT_POINTS;
    content.points = ploy_phyllotaxis_leaves(whorl, &content.point_count);
    const ploy_phyllotaxis_def *def = &whorl->def;
    float reach = def->spacing;
    if (def->form == PLOY_PHYLLOTAXIS_SPIRAL) reach *= sqrtf((float)def->count);
    reach += def->radius;
    content.area = ploy_box2_make(ploy_vec2_make(-reach, -reach), ploy_vec2_make(reach, reach));
    return content;
}

void ploy_phyllotaxis_describe(const ploy_phyllotaxis *whorl, ploy_describe *out) {
    ploy_describe_f64(out, "ratio", PLOY_DERIVED, ploy_metallic_mean(whorl->def.metal));
    ploy_describe_f64(out, "turn", PLOY_DERIVED,
                      ploy_phyllotaxis_turn(ploy_metallic_mean(whorl->def.metal)));
    ploy_content content = phyllotaxis_content(whorl);
    ploy_describe_u64(out, "leaves", PLOY_STATE, ploy_content_hash_points(&content));
}

void ploy_phyllotaxis_draw(const ploy_phyllotaxis *whorl, ploy_draw *out) {
    ploy_content content = phyllotaxis_content(whorl);
    if (whorl->def.form == PLOY_PHYLLOTAXIS_WHORL) {
        for (int32_t i = 0; i < whorl->count; i++) {
            ploy_draw_line(out, PLOY_LAYER_PATHS, PLOY_STYLE_PATH, ploy_agent_id_none(),
                           ploy_vec2_make(0.0f, 0.0f), whorl->leaves[i].position);
        }
    }
    ploy_content_draw_points(&content, out);
}

void ploy_phyllotaxis_memory(const ploy_phyllotaxis *whorl, ploy_memory_fn fn, void *user) {
    ploy_memory_item item = {"phyllotaxis", whorl->size, 1};
    fn(user, &item);
}

// ---- the front

PLOYI_GENERATOR_CALLS(phyllotaxis)

static ploy_result phyllotaxis_front_begin(const void *def, ploy_rng_key key,
                                           const ploy_content *input, ploy_trace *trace,
                                           const ploy_env *env, void **out) {
    (void)input;
    ploy_phyllotaxis *whorl = NULL;
    ploy_result result = ploy_phyllotaxis_begin(def, key, trace, env, &whorl);
    *out = whorl;
    return result;
}

const ploy_generator_type *ploy_phyllotaxis_generator(void) {
    static const ploy_generator_type type = {
        "phyllotaxis",
        "leaves round a stem or seeds in a head, by the golden angle",
        "one leaf",
        0,
        0,
        PLOY_CONTENT_POINTS,
        PLOYI_GENERATOR_TABLE(phyllotaxis),
    };
    return &type;
}
