// Skyscrapers; see the header.
//
// Parts wait in the order in which they were made; rules look at the first that waits. The last of a
// chain has no rule and never waits.
#include "ploy/generate/skyscraper.h"

#include "generate/generate_internal.h"
#include "ploy/base/hash.h"

#include <string.h>

enum { SKYSCRAPER_RULES = 9 };

static const ploy_field skyscraper_fields[] = {
    PLOY_FIELD_F32(ploy_skyscraper_def, width, 21, 3, 200, "m", "footprint along x"),
    PLOY_FIELD_F32(ploy_skyscraper_def, depth, 15, 3, 200, "m", "footprint along y"),
    PLOY_FIELD_F32(ploy_skyscraper_def, floor_weight, 10, 0, 1000, "", "weight of a further floor"),
    PLOY_FIELD_F32(ploy_skyscraper_def, split_weight, 1, 0, 1000, "", "weight of a split"),
    PLOY_FIELD_F32(ploy_skyscraper_def, roof_weight, 1, 0.001f, 1000, "", "weight of a roof"),
    PLOY_FIELD_F32(ploy_skyscraper_def, split_min, 12, 6, 200, "m",
                   "side of a part that may split"),
    PLOY_FIELD_F32(ploy_skyscraper_def, space_width, 3, 1, 20, "m", "width of a window space"),
    PLOY_FIELD_BOOL(ploy_skyscraper_def, facade, true, "walls and windows"),
    PLOY_FIELD_BOOL(ploy_skyscraper_def, positions, true, "windows by their place on the wall"),
    PLOY_FIELD_BOOL(ploy_skyscraper_def, utility_every_second, false,
                    "utility windows on every second floor only"),
    PLOY_FIELD_I32(ploy_skyscraper_def, variants, 3, 1, 100, "", "styles of picture windows"),
    PLOY_FIELD_I32(ploy_skyscraper_def, max_floors, 40, 0, 200, "",
                   "floors above the ground floor"),
    PLOY_FIELD_I32(ploy_skyscraper_def, max_firings, 50000, 1, 1000000, "", "limit of firings"),
};

struct ploy_building {
    ploy_skyscraper_def def;
    ploy_array parts; // ploy_building_part
    int32_t waiting;  // the first part that may wait; those before are done
    int32_t variant;
};

struct ploy_skyscraper {
    ploy_env env;
    ploy_building building;
    ploy_grammar_work work;
    int64_t units;
};

ploy_fields ploy_skyscraper_fields(void) {
    return PLOY_FIELDS(ploy_skyscraper_def, skyscraper_fields);
}

ploy_skyscraper_def ploy_skyscraper_def_default(void) {
    ploy_skyscraper_def def;
    ploy_fields_default(ploy_skyscraper_fields(), &def);
    return def;
}

const char *ploy_building_kind_text(ploy_building_kind kind) {
    static const char *const texts[PLOY_BUILDING_KINDS] = {
        "foundation", "ground floor",   "top",   "floor",         "roof", "wall",
        "space",      "picture window", "blank", "utility window"};
    return kind >= 0 && kind < PLOY_BUILDING_KINDS ? texts[kind] : "";
}

const ploy_building_part *ploy_building_parts(const ploy_building *building, int32_t *count) {
    *count = building->parts.count;
    return PLOY_ARRAY_ITEMS(&building->parts, ploy_building_part);
}

float ploy_building_height(const ploy_building *building) {
    float height = 0.0f;
    for (int32_t i = 0; i < building->parts.count; i++) {
        const ploy_building_part *part = &PLOY_ARRAY_ITEMS(&building->parts, ploy_building_part)[i];
        if (part->z + part->height > height) height = part->z + part->height;
    }
    return height;
}

// ---- rules

static bool skyscraper_waits(const ploy_building *building, const ploy_building_part *part) {
    switch ((ploy_building_kind)part->kind) {
    case PLOY_BUILDING_FOUNDATION:
    case PLOY_BUILDING_TOP:
    case PLOY_BUILDING_WALL:
    case PLOY_BUILDING_SPACE: return part->final;
    case PLOY_BUILDING_GROUND_FLOOR:
    case PLOY_BUILDING_FLOOR: return part->final && building->def.facade;
    default: return false;
    }
}

static ploy_building_part *skyscraper_first(const ploy_building *building) {
    for (int32_t i = building->waiting; i < building->parts.count; i++) {
        ploy_building_part *part = &PLOY_ARRAY_ITEMS(&building->parts, ploy_building_part)[i];
        if (skyscraper_waits(building, part)) return part;
    }
    return NULL;
}

// Which parts a rule replaces, and with what weight.
static float skyscraper_weight(const ploy_building *building, const ploy_building_part *part,
                               int32_t rule) {
    const ploy_skyscraper_def *def = &building->def;
    bool space = part->kind == PLOY_BUILDING_SPACE, second = part->place == 1;
    bool third = part->place == 2 && (!def->utility_every_second || part->floor % 2 == 0);
    switch (rule) {
    case 1: return part->kind == PLOY_BUILDING_FOUNDATION ? 1.0f : 0.0f;
    case 2:
        return part->kind == PLOY_BUILDING_TOP && part->floor <= def->max_floors ? def->floor_weight
                                                                                 : 0.0f;
    case 3: {
        float longer = part->width > part->depth ? part->width : part->depth;
        return part->kind == PLOY_BUILDING_TOP && longer >= def->split_min ? def->split_weight
                                                                           : 0.0f;
    }
    case 4: return part->kind == PLOY_BUILDING_TOP ? def->roof_weight : 0.0f;
    case 5:
        return part->kind == PLOY_BUILDING_GROUND_FLOOR || part->kind == PLOY_BUILDING_FLOOR ? 1.0f
                                                                                             : 0.0f;
    case 6: return part->kind == PLOY_BUILDING_WALL ? 1.0f : 0.0f;
    case 7: return space && (!def->positions || second) ? 1.0f : 0.0f;
    case 8: return space && (!def->positions || (!second && !third)) ? 1.0f : 0.0f;
    case 9: return space && (!def->positions || third) ? 1.0f : 0.0f;
    default: return 0.0f;
    }
}

// Appends a part made of another; NULL if memory is short. The array may move.
static ploy_building_part *skyscraper_make(ploy_building *building, int32_t parent, int32_t kind,
                                           int32_t rule) {
    ploy_building_part *part = ploy_array_add(&building->parts);
    if (part == NULL) return NULL;
    *part = PLOY_ARRAY_ITEMS(&building->parts, ploy_building_part)[parent];
    part->kind = kind;
    part->parent = parent;
    part->rule = rule;
    part->final = true;
    return part;
}

static ploy_result skyscraper_stack(ploy_building *building, int32_t parent, int32_t kind,
                                    float height, int32_t rule) {
    ploy_building_part *floor = skyscraper_make(building, parent, kind, rule);
    if (floor == NULL) return PLOY_ERR_MEMORY;
    floor->height = height;
    ploy_building_part *top = skyscraper_make(building, parent, PLOY_BUILDING_TOP, rule);
    if (top == NULL) return PLOY_ERR_MEMORY;
    top->z += height;
    top->floor++;
    return PLOY_OK;
}

// Top | roof: the longer side is divided at a third to two thirds; the larger part goes on.
static ploy_result skyscraper_split(ploy_building *building, int32_t parent, ploy_rng *rng) {
    float share = ploy_rng_range(rng, 1.0f / 3.0f, 0.5f);
    bool roof_first = ploy_rng_chance(rng, 0.5f);
    for (int32_t i = 0; i < 2; i++) {
        bool roof = i == 1;
        ploy_building_part *part =
            skyscraper_make(building, parent, roof ? PLOY_BUILDING_ROOF : PLOY_BUILDING_TOP, 3);
        if (part == NULL) return PLOY_ERR_MEMORY;
        bool along_x = part->width >= part->depth;
        float side = along_x ? part->width : part->depth,
              length = side * (roof ? share : 1.0f - share);
        float at = roof == roof_first ? 0.0f : side - length;
        if (along_x) {
            part->x += at;
            part->width = length;
        } else {
            part->y += at;
            part->depth = length;
        }
        if (roof) part->height = 0.0f;
    }
    return PLOY_OK;
}

static ploy_result skyscraper_walls(ploy_building *building, int32_t parent) {
    for (int32_t side = 0; side < 4; side++) {
        ploy_building_part *wall = skyscraper_make(building, parent, PLOY_BUILDING_WALL, 5);
        if (wall == NULL) return PLOY_ERR_MEMORY;
        wall->side = side;
        if (side == 0) wall->x += wall->width;
        if (side == 1) wall->y += wall->depth;
        if (side == 0 || side == 3) {
            wall->width = 0.0f;
        } else {
            wall->depth = 0.0f;
        }
    }
    return PLOY_OK;
}

static ploy_result skyscraper_spaces(ploy_building *building, int32_t parent) {
    const ploy_building_part wall = PLOY_ARRAY_ITEMS(&building->parts, ploy_building_part)[parent];
    float length = wall.width > wall.depth ? wall.width : wall.depth;
    int32_t count = (int32_t)(length / building->def.space_width + 1e-4f);
    if (count < 1) count = 1;
    for (int32_t i = 0; i < count; i++) {
        ploy_building_part *space = skyscraper_make(building, parent, PLOY_BUILDING_SPACE, 6);
        if (space == NULL) return PLOY_ERR_MEMORY;
        float step = length / (float)count;
        space->place = i;
        if (wall.width > wall.depth) {
            space->x += step * (float)i;
            space->width = step;
        } else {
            space->y += step * (float)i;
            space->depth = step;
        }
    }
    return PLOY_OK;
}

static ploy_result skyscraper_fire(ploy_building *building, int32_t rule, ploy_rng *rng) {
    ploy_building_part *part = skyscraper_first(building);
    if (part == NULL) return PLOY_ERR_STATE;
    int32_t number = (int32_t)(part - PLOY_ARRAY_ITEMS(&building->parts, ploy_building_part));
    building->waiting = number + 1;
    part->final = false; // replaced
    ploy_building_part *made = NULL;
    switch (rule) {
    case 1: return skyscraper_stack(building, number, PLOY_BUILDING_GROUND_FLOOR, 4.0f, rule);
    case 2: return skyscraper_stack(building, number, PLOY_BUILDING_FLOOR, 3.0f, rule);
    case 3: return skyscraper_split(building, number, rng);
    case 4: made = skyscraper_make(building, number, PLOY_BUILDING_ROOF, rule); break;
    case 5:
        part->final = true; // the floor stays; walls stand on it
        return skyscraper_walls(building, number);
    case 6: return skyscraper_spaces(building, number);
    case 7: made = skyscraper_make(building, number, PLOY_BUILDING_BLANK, rule); break;
    case 8:
        made = skyscraper_make(building, number, PLOY_BUILDING_PICTURE, rule);
        if (made != NULL) made->variant = building->variant;
        break;
    default: made = skyscraper_make(building, number, PLOY_BUILDING_UTILITY, rule); break;
    }
    return made == NULL ? PLOY_ERR_MEMORY : PLOY_OK;
}

#define SKYSCRAPER_RULE(number)                                                            \
    static float skyscraper_importance_##number(void *user, const void *object) {          \
        const ploy_building_part *part = skyscraper_first(object);                         \
        (void)user;                                                                        \
        return part == NULL ? 0.0f : skyscraper_weight(object, part, number);              \
    }                                                                                      \
    static ploy_result skyscraper_fire_##number(void *user, void *object, ploy_rng *rng) { \
        (void)user;                                                                        \
        return skyscraper_fire(object, number, rng);                                       \
    }
SKYSCRAPER_RULE(1)
SKYSCRAPER_RULE(2)
SKYSCRAPER_RULE(3)
SKYSCRAPER_RULE(4)
SKYSCRAPER_RULE(5)
SKYSCRAPER_RULE(6)
SKYSCRAPER_RULE(7)
SKYSCRAPER_RULE(8)
SKYSCRAPER_RULE(9)

static const ploy_grammar_rule skyscraper_rules[SKYSCRAPER_RULES] = {
    {"foundation", skyscraper_importance_1, skyscraper_fire_1, NULL, 1, NULL},
    {"floor", skyscraper_importance_2, skyscraper_fire_2, NULL, 1, NULL},
    {"split", skyscraper_importance_3, skyscraper_fire_3, NULL, 1, NULL},
    {"roof", skyscraper_importance_4, skyscraper_fire_4, NULL, 1, NULL},
    {"walls", skyscraper_importance_5, skyscraper_fire_5, NULL, 1, NULL},
    {"spaces", skyscraper_importance_6, skyscraper_fire_6, NULL, 1, NULL},
    {"blank", skyscraper_importance_7, skyscraper_fire_7, NULL, 1, NULL},
    {"picture window", skyscraper_importance_8, skyscraper_fire_8, NULL, 1, NULL},
    {"utility window", skyscraper_importance_9, skyscraper_fire_9, NULL, 1, NULL},
};

// ---- all

ploy_result ploy_skyscraper_begin(const ploy_skyscraper_def *def, ploy_rng_key key,
                                  ploy_trace *trace, const ploy_env *env, ploy_skyscraper **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    ploy_result result = ploy_fields_check(ploy_skyscraper_fields(), def, env);
    if (result != PLOY_OK) return result;
    ploy_skyscraper *self = ploy_env_alloc_zero(env, sizeof *self);
    if (self == NULL) return PLOY_ERR_MEMORY;
    self->env = *env;
    self->building.def = *def;
    self->building.variant =
        ploy_rng_int_at(ploy_generate_stream(key, "variant"), 0, 0, 0, 0, def->variants - 1);
    ploy_array_init(&self->building.parts, sizeof(ploy_building_part), env);
    result = ploy_grammar_init(&self->work, skyscraper_rules, SKYSCRAPER_RULES, &self->building,
                               ploy_generate_stream(key, "rules"), def->max_firings, trace, env);
    ploy_building_part *foundation = NULL;
    if (result == PLOY_OK) {
        foundation = ploy_array_add(&self->building.parts);
        if (foundation == NULL) result = PLOY_ERR_MEMORY;
    }
    if (result != PLOY_OK) {
        ploy_skyscraper_cancel(self);
        return result;
    }
    foundation->kind = PLOY_BUILDING_FOUNDATION;
    foundation->parent = -1;
    foundation->final = true;
    foundation->width = def->width;
    foundation->depth = def->depth;
    *out = self;
    return PLOY_OK;
}

ploy_result ploy_skyscraper_step(ploy_skyscraper *self, ploy_budget *budget) {
    int32_t before = self->work.fired.count;
    ploy_result result = ploy_grammar_step(&self->work, budget);
    self->units += self->work.fired.count - before;
    return result;
}

ploy_generate_outcome ploy_skyscraper_outcome(const ploy_skyscraper *self) {
    ploy_generate_outcome outcome;
    memset(&outcome, 0, sizeof outcome);
    outcome.done = self->work.done;
    outcome.partial = self->work.out_of_firings;
    outcome.limit = outcome.partial ? "max_firings" : "";
    outcome.count = self->building.parts.count;
    outcome.attempts = self->work.fired.count;
    outcome.draws = ploy_generate_draws(&self->work.rng) + 2;
    outcome.units = self->units;
    return outcome;
}

const ploy_building *ploy_skyscraper_building(const ploy_skyscraper *self) {
    return &self->building;
}

void ploy_skyscraper_cancel(ploy_skyscraper *self) {
    if (self == NULL) return;
    ploy_env env = self->env;
    ploy_array_fini(&self->building.parts);
    ploy_grammar_fini(&self->work);
    ploy_env_free(&env, self, sizeof *self);
}

static ploy_content skyscraper_content(const ploy_skyscraper *self) {
    ploy_content content = ploy_content_none();
    content.kinds = PLOY_CONTENT_SHAPE;
    content.shape = &self->building;
    content.area =
        ploy_box2_make(ploy_vec2_make(0.0f, 0.0f),
                       ploy_vec2_make(self->building.def.width, self->building.def.depth));
    return content;
}

void ploy_skyscraper_describe(const ploy_skyscraper *self, ploy_describe *out) {
    uint64_t hash = 0;
    int32_t counts[PLOY_BUILDING_KINDS] = {0}, count = 0;
    const ploy_building_part *parts = ploy_building_parts(&self->building, &count);
    for (int32_t i = 0; i < count; i++) {
        const ploy_building_part *part = &parts[i];
        const int32_t whole[] = {part->kind,  part->parent, part->rule,  part->final,
                                 part->floor, part->side,   part->place, part->variant};
        const float real[] = {part->x, part->y, part->z, part->width, part->depth, part->height};
        for (size_t k = 0; k < sizeof whole / sizeof whole[0]; k++) {
            hash = ploy_hash_combine(hash, (uint64_t)(int64_t)whole[k]);
        }
        for (size_t k = 0; k < sizeof real / sizeof real[0]; k++) {
            hash = ploy_hash_combine(hash, ployi_generate_bits(real[k]));
        }
        counts[part->kind] += part->final;
    }
    ploy_describe_u64(out, "parts", PLOY_STATE, hash);
    ploy_describe_f32(out, "height", PLOY_DERIVED, ploy_building_height(&self->building));
    ploy_describe_begin(out, "statistics");
    for (int32_t i = 0; i < PLOY_BUILDING_KINDS; i++) {
        ploy_describe_i64(out, ploy_building_kind_text((ploy_building_kind)i), PLOY_DERIVED,
                          counts[i]);
    }
    ploy_describe_end(out);
}

void ploy_skyscraper_draw(const ploy_skyscraper *self, ploy_draw *out) {
    ploy_draw_key(out, PLOY_STYLE_AGENT_A, "picture windows");
    ploy_draw_key(out, PLOY_STYLE_AGENT_B, "utility windows");
    ploy_draw_key(out, PLOY_STYLE_FLOOR, "floors");
    ploy_draw_key(out, PLOY_STYLE_WALL, "walls, roofs and blank panels");
    ploy_draw_key(out, PLOY_STYLE_GHOST, "spaces for windows");
    // Where each side begins on the unfolded facade: +x, +y, -y, -x.
    const ploy_skyscraper_def *def = &self->building.def;
    const float start[4] = {def->width + 2.0f, def->width + def->depth + 4.0f, 0.0f,
                            2.0f * def->width + def->depth + 6.0f};
    static const ploy_style styles[PLOY_BUILDING_KINDS] = {
        PLOY_STYLE_PLAIN, PLOY_STYLE_FLOOR,  PLOY_STYLE_GHOST, PLOY_STYLE_FLOOR,
        PLOY_STYLE_WALL,  PLOY_STYLE_WALL,   PLOY_STYLE_GHOST, PLOY_STYLE_AGENT_A,
        PLOY_STYLE_WALL,  PLOY_STYLE_AGENT_B};
    int32_t count = 0;
    const ploy_building_part *parts = ploy_building_parts(&self->building, &count);
    for (int32_t i = 0; i < count; i++) {
        const ploy_building_part *part = &parts[i];
        bool flat = part->width <= 0.0f || part->depth <= 0.0f;
        float low = part->z, high = part->z + part->height, from = start[2] + part->x, to = from;
        if (flat) {
            bool along_x = part->side == 1 || part->side == 2;
            from = start[part->side] + (along_x ? part->x : part->y);
            to = from + (along_x ? part->width : part->depth);
        } else if (part->kind == PLOY_BUILDING_ROOF && part->final) {
            to = from + part->width;
            high = low + 0.4f;
        } else if (part->final && part->height > 0.0f) {
            to = from + part->width; // a floor, seen from the side -y
        } else {
            continue;
        }
        if (!part->final && part->kind != PLOY_BUILDING_WALL) continue;
        float inset = part->kind >= PLOY_BUILDING_PICTURE ? 0.3f : 0.0f;
        ploy_vec2 corners[4] = {{from + inset, low + inset},
                                {to - inset, low + inset},
                                {to - inset, high - inset},
                                {from + inset, high - inset}};
        bool window = part->kind == PLOY_BUILDING_PICTURE || part->kind == PLOY_BUILDING_UTILITY;
        if (part->kind == PLOY_BUILDING_BLANK) continue;
        ploy_draw_polygon(out, window ? PLOY_LAYER_REGIONS : PLOY_LAYER_WORLD, styles[part->kind],
                          ploy_agent_id_none(), corners, 4, window ? 0.9f : 0.25f);
    }
}

void ploy_skyscraper_memory(const ploy_skyscraper *self, ploy_memory_fn fn, void *user) {
    ploy_memory_item item = {"skyscraper", sizeof *self, 1};
    fn(user, &item);
    ploy_array_memory(&self->building.parts, fn, user);
    ploy_array_memory(&self->work.fired, fn, user);
    ploy_array_memory(&self->work.importances, fn, user);
}

// ---- the front

PLOYI_GENERATOR_CALLS(skyscraper)

static ploy_result skyscraper_front_begin(const void *def, ploy_rng_key key,
                                          const ploy_content *input, ploy_trace *trace,
                                          const ploy_env *env, void **out) {
    ploy_skyscraper *self = NULL;
    (void)input;
    ploy_result result = ploy_skyscraper_begin(def, key, trace, env, &self);
    *out = self;
    return result;
}

const ploy_generator_type *ploy_skyscraper_generator(void) {
    static const ploy_generator_type type = {
        "skyscraper",
        "a building with windows, grown by a shape grammar",
        "one firing",
        0,
        0,
        PLOY_CONTENT_SHAPE,
        PLOYI_GENERATOR_TABLE(skyscraper),
    };
    return &type;
}
