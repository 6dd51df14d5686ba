// The front of the generators; see the header.
#include "ploy/generate/generator.h"

#include "ploy/base/hash.h"

#include "generate/generate_internal.h"

#include <stdio.h>
#include <string.h>

const char *ploy_content_kind_text(ploy_content_kind kind) {
    switch (kind) {
    case PLOY_CONTENT_POINTS: return "points";
    case PLOY_CONTENT_HEIGHTS: return "heights";
    case PLOY_CONTENT_PLAN: return "plan";
    case PLOY_CONTENT_PLANT: return "plant";
    case PLOY_CONTENT_SHAPE: return "shape";
    case PLOY_CONTENT_TILES: return "tiles";
    }
    return "";
}

ploy_content ploy_content_none(void) {
    ploy_content content;
    memset(&content, 0, sizeof content);
    content.area = ploy_box2_empty();
    return content;
}

ploy_content ploy_content_merge(const ploy_content *earlier, const ploy_content *later) {
    ploy_content out = *earlier;
    out.kinds |= later->kinds;
    if (!ploy_box2_is_empty(later->area)) out.area = later->area;
    if (later->kinds & PLOY_CONTENT_POINTS) {
        out.points = later->points;
        out.point_count = later->point_count;
    }
    if (later->kinds & PLOY_CONTENT_TILES) {
        out.tiles = later->tiles;
        out.tile_columns = later->tile_columns;
        out.tile_rows = later->tile_rows;
        out.tile_size = later->tile_size;
    }
    if (later->kinds & PLOY_CONTENT_HEIGHTS) out.heights = later->heights;
    if (later->kinds & PLOY_CONTENT_PLAN) out.plan = later->plan;
    if (later->kinds & PLOY_CONTENT_PLANT) out.plant = later->plant;
    if (later->kinds & PLOY_CONTENT_SHAPE) out.shape = later->shape;
    return out;
}

ploy_rng_key ploy_generate_stream(ploy_rng_key key, const char *name) {
    return ploy_rng_key_split(key, ploy_hash_text(name));
}

uint64_t ploy_generate_draws(const ploy_rng *rng) {
    return rng->counter * 4 - rng->left;
}

const ploy_generator_type *ploy_generators_find(const char *name) {
    if (name == NULL) return NULL;
    const ploy_generator_type *type = ploy_generators_at(0);
    for (int32_t i = 1; type != NULL && strcmp(type->name, name) != 0; i++) {
        type = ploy_generators_at(i);
    }
    return type;
}

static ploy_result generator_input_check(const ploy_generator_type *type, const ploy_content *input,
                                         const ploy_env *env) {
    uint32_t missing = type->takes & ~input->kinds;
    for (uint32_t kind = 1; kind < 1u << PLOY_CONTENT_KINDS; kind <<= 1) {
        if ((missing & kind) == 0) continue;
        char text[128];
        snprintf(text, sizeof text, "generator '%s' needs input of kind '%s'", type->name,
                 ploy_content_kind_text((ploy_content_kind)kind));
        ploy_env_log(env, PLOY_SEVERITY_ERROR, text);
    }
    return missing == 0 ? PLOY_OK : PLOY_ERR_ARGUMENT;
}

ploy_result ploy_generator_begin(const ploy_generator_type *type, const void *def, ploy_rng_key key,
                                 const ploy_content *input, ploy_trace *trace, const ploy_env *env,
                                 ploy_generator *out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    out->type = NULL;
    out->self = NULL;
    if (type == NULL || env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_content none = ploy_content_none();
    if (input == NULL) input = &none;
    ploy_result result = generator_input_check(type, input, env);
    if (result != PLOY_OK) return result;
    void *initial = NULL;
    size_t size = type->fields().size;
    if (def == NULL) {
        initial = ploy_env_alloc(env, size);
        if (initial == NULL) return PLOY_ERR_MEMORY;
        ploy_fields_default(type->fields(), initial);
        def = initial;
    }
    void *self = NULL;
    result = ploy_fields_check(type->fields(), def, env);
    if (result == PLOY_OK) result = type->begin(def, key, input, trace, env, &self);
    ploy_env_free(env, initial, size);
    if (result != PLOY_OK) return result;
    out->type = type;
    out->self = self;
    return PLOY_OK;
}

ploy_result ploy_generator_step(ploy_generator generator, ploy_budget *budget) {
    if (generator.type == NULL) return PLOY_ERR_ARGUMENT;
    return generator.type->step(generator.self, budget);
}

ploy_result ploy_generator_run(const ploy_generator_type *type, const void *def, ploy_rng_key key,
                               const ploy_content *input, ploy_trace *trace, const ploy_env *env,
                               ploy_generator *out) {
    ploy_result result = ploy_generator_begin(type, def, key, input, trace, env, out);
    if (result != PLOY_OK) return result;
    result = ploy_generator_step(*out, NULL);
    if (result == PLOY_OK) return PLOY_OK;
    ploy_generator_cancel(*out);
    out->type = NULL;
    out->self = NULL;
    return result;
}

void ploy_generator_cancel(ploy_generator generator) {
    if (generator.type != NULL) generator.type->cancel(generator.self);
}

ploy_generate_outcome ploy_generator_outcome(ploy_generator generator) {
    if (generator.type != NULL) return generator.type->outcome(generator.self);
    ploy_generate_outcome none;
    memset(&none, 0, sizeof none);
    none.limit = "";
    return none;
}

ploy_content ploy_generator_content(ploy_generator generator) {
    return generator.type != NULL ? generator.type->content(generator.self) : ploy_content_none();
}

void ploy_generator_describe(ploy_generator generator, ploy_describe *out) {
    if (generator.type == NULL) return;
    ploy_describe_text(out, "generator", PLOY_STATE, generator.type->name);
    ploy_generate_outcome outcome = ploy_generator_outcome(generator);
    ploy_describe_begin(out, "outcome");
    ploy_generate_outcome_describe(&outcome, out);
    ploy_describe_end(out);
    generator.type->describe(generator.self, out);
}

void ploy_generator_draw(ploy_generator generator, ploy_draw *out) {
    if (generator.type != NULL) generator.type->draw(generator.self, out);
}

void ploy_generator_memory(ploy_generator generator, ploy_memory_fn fn, void *user) {
    if (generator.type != NULL) generator.type->memory(generator.self, fn, user);
}

uint64_t ploy_generator_hash(ploy_generator generator) {
    ploy_hash_sink sink;
    ploy_hash_sink_init(&sink);
    ploy_describe out = ploy_hash_sink_describe(&sink);
    ploy_generator_describe(generator, &out);
    return ploy_hash_sink_result(&sink);
}

void ploy_generate_outcome_describe(const ploy_generate_outcome *outcome, ploy_describe *out) {
    ploy_describe_bool(out, "done", PLOY_STATE, outcome->done);
    ploy_describe_bool(out, "partial", PLOY_STATE, outcome->partial);
    ploy_describe_text(out, "limit", PLOY_STATE, outcome->limit);
    ploy_describe_i64(out, "count", PLOY_STATE, outcome->count);
    ploy_describe_i64(out, "attempts", PLOY_STATE, outcome->attempts);
    ploy_describe_i64(out, "rejected", PLOY_STATE, outcome->rejected);
    ploy_describe_u64(out, "draws", PLOY_STATE, outcome->draws);
    ploy_describe_i64(out, "units", PLOY_NOTE, outcome->units);
}

void ploy_content_draw_points(const ploy_content *content, ploy_draw *out) {
    static const ploy_style styles[] = {PLOY_STYLE_AGENT_A, PLOY_STYLE_AGENT_B, PLOY_STYLE_AGENT_C,
                                        PLOY_STYLE_AGENT_D, PLOY_STYLE_TARGET,  PLOY_STYLE_GOOD,
                                        PLOY_STYLE_WARNING, PLOY_STYLE_BAD};
    if (!ploy_draw_wants(out, PLOY_LAYER_AGENTS)) return;
    for (int32_t i = 0; i < content->point_count; i++) {
        const ploy_placed *item = &content->points[i];
        ploy_style style = styles[(uint32_t)item->type % (sizeof styles / sizeof styles[0])];
        if (item->radius > 0.0f) {
            ploy_draw_disc(out, PLOY_LAYER_AGENTS, style, ploy_agent_id_none(), item->position,
                           item->radius, 0.7f);
        } else {
            ploy_draw_point(out, PLOY_LAYER_AGENTS, style, ploy_agent_id_none(), item->position);
        }
    }
}

uint64_t ployi_generate_bits(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

uint64_t ploy_content_hash_points(const ploy_content *content) {
    uint64_t hash = ploy_hash_combine(0, (uint64_t)content->point_count);
    for (int32_t i = 0; i < content->point_count; i++) {
        const ploy_placed *item = &content->points[i];
        hash = ploy_hash_combine(hash, ployi_generate_bits(item->position.x));
        hash = ploy_hash_combine(hash, ployi_generate_bits(item->position.y));
        hash = ploy_hash_combine(hash, ployi_generate_bits(item->radius));
        hash = ploy_hash_combine(hash, ployi_generate_bits(item->angle));
        hash = ploy_hash_combine(hash, (uint64_t)item->type);
    }
    return hash;
}

void ployi_generate_draw_area(ploy_box2 area, ploy_draw *out) {
    ploy_vec2 corners[5] = {area.min, ploy_vec2_make(area.max.x, area.min.y), area.max,
                            ploy_vec2_make(area.min.x, area.max.y), area.min};
    ploy_draw_polyline(out, PLOY_LAYER_WORLD, PLOY_STYLE_WALL, ploy_agent_id_none(), corners, 5);
}
