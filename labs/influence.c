// Influence maps: two sides on a field, who owns which part, where the border is weak, and what each side knows.
#include <stdio.h>
#include <string.h>

#include "labs/lab_input.h"
#include "labs/labs.h"
#include "ploy/tactics/flood.h"
#include "ploy/tactics/sight_map.h"

enum {
    INFLUENCE_SIDE = 16,
    INFLUENCE_CELLS = INFLUENCE_SIDE * INFLUENCE_SIDE,
    INFLUENCE_UNITS = 12
};

static const char *const influence_drops[] = {"inverse", "root", "square", "ramp"};
static const char *const influence_metrics[] = {"euclid", "manhattan", "chebyshev"};
static const char *const influence_views[] = {"real", "white", "black", "omniscient"};
static const char *const influence_methods[] = {"sums", "flood"};

typedef struct influence_def {
    uint32_t cookie;
    int32_t drop, metric, view, method; // of the lists above
    float radius, threshold, sight, weak;
    bool hidden; // white sends a unit behind the border that black has not seen
    int32_t pause;
} influence_def;

static const ploy_field influence_fields[] = {
    PLOY_FIELD_ENUM(influence_def, drop, 0, influence_drops, "how influence falls"),
    PLOY_FIELD_ENUM(influence_def, metric, 0, influence_metrics, "how distance is measured"),
    PLOY_FIELD_ENUM(influence_def, view, 0, influence_views, "whose knowledge is shown"),
    PLOY_FIELD_ENUM(influence_def, method, 0, influence_methods, "sums, or the strongest unit"),
    PLOY_FIELD_F32(influence_def, radius, 40, 1, 40, "", "largest distance, cells"),
    PLOY_FIELD_F32(influence_def, threshold, 0, 0, 4, "", "influence below it is cut"),
    PLOY_FIELD_F32(influence_def, sight, 5, 1, 30, "", "how far units see, cells"),
    PLOY_FIELD_F32(influence_def, weak, 0.2f, 0, 5, "", "security below which a border is weak"),
    PLOY_FIELD_BOOL(influence_def, hidden, false, "a hidden unit of white"),
    PLOY_FIELD_I32(influence_def, pause, 20, 0, 1000, "", "ticks between moves; 0: units stay"),
};

static ploy_fields influence_get_fields(void) {
    return PLOY_FIELDS(influence_def, influence_fields);
}

typedef struct influence_lab {
    influence_def def;
    ploy_env env;
    ploy_rng rng;
    uint64_t ticks, moves;
    ploy_places places;
    ploy_influence *real, *view;
    ploy_flood *flood;
    ploy_sight_map *sight;
    ploy_influence_unit units[INFLUENCE_UNITS], hidden;
    uint8_t seen[INFLUENCE_CELLS];
    int32_t cut, owned[2];
} influence_lab;

// The units of the book's figure: seven white ones, then five black ones.
static const struct {
    int32_t x, y;
    float strength;
} influence_units[INFLUENCE_UNITS] = {{4, 1, 2},  {9, 1, 3},  {1, 2, 4},   {8, 2, 2},
                                      {3, 4, 2},  {5, 4, 1},  {6, 5, 1},   {15, 3, 2},
                                      {12, 6, 2}, {14, 8, 2}, {10, 11, 2}, {2, 13, 2}};

static ploy_result influence_make(influence_lab *lab, ploy_influence **out) {
    ploy_influence_def def = ploy_influence_def_default();
    ploy_influence_type type = ploy_influence_type_default();
    def.capacity = INFLUENCE_UNITS + 2;
    type.drop = (ploy_influence_drop)lab->def.drop;
    type.metric = (ploy_influence_metric)lab->def.metric;
    type.radius = lab->def.radius;
    type.threshold = lab->def.threshold;
    ploy_result result = ploy_influence_create(&def, &lab->places, &lab->env, out);
    return result == PLOY_OK ? ploy_influence_add_type(*out, &type, NULL) : result;
}

static ploy_result influence_begin(influence_lab *lab) {
    ploy_influence_destroy(lab->real);
    ploy_influence_destroy(lab->view);
    ploy_flood_destroy(lab->flood);
    ploy_sight_map_destroy(lab->sight);
    lab->real = lab->view = NULL;
    lab->flood = NULL;
    lab->sight = NULL;
    lab->hidden.id = ploy_id_none();
    lab->places = ploy_places_grid(INFLUENCE_SIDE, INFLUENCE_SIDE, ploy_vec2_make(0, 0), 1.0f);
    ploy_result result = influence_make(lab, &lab->real);
    if (result == PLOY_OK) result = influence_make(lab, &lab->view);
    for (int32_t i = 0; i < INFLUENCE_UNITS && result == PLOY_OK; i++) {
        int32_t place = influence_units[i].y * INFLUENCE_SIDE + influence_units[i].x;
        result = ploy_influence_add(lab->real, i < 7 ? 0 : 1, 0, place, influence_units[i].strength,
                                    &lab->units[i]);
    }
    ploy_flood_def flood = ploy_flood_def_default();
    flood.type.drop = (ploy_influence_drop)lab->def.drop;
    flood.type.radius = lab->def.radius;
    flood.type.threshold = lab->def.threshold;
    if (result == PLOY_OK) {
        result = ploy_flood_create(&flood, &lab->places, NULL, &lab->env, &lab->flood);
    }
    ploy_sight_map_def sight = ploy_sight_map_def_default();
    sight.radius = lab->def.sight;
    if (result == PLOY_OK) {
        result = ploy_sight_map_create(&sight, &lab->places, &lab->env, &lab->sight);
    }
    return result;
}

// What the units of a side see together.
static void influence_look(influence_lab *lab, int32_t side) {
    uint8_t one[INFLUENCE_CELLS];
    memset(lab->seen, 0, sizeof lab->seen);
    for (int32_t i = 0; i <= INFLUENCE_UNITS; i++) {
        ploy_influence_state state;
        ploy_influence_unit unit = i < INFLUENCE_UNITS ? lab->units[i] : lab->hidden;
        if (!ploy_influence_unit_of(lab->real, unit, &state) || state.side != side) continue;
        ploy_sight_map_mark(lab->sight, state.place, one);
        for (int32_t k = 0; k < INFLUENCE_CELLS; k++) lab->seen[k] |= one[k];
    }
}

// One unit goes a step; the map follows exactly.
static ploy_result influence_walk(influence_lab *lab) {
    int32_t who = ploy_rng_int(&lab->rng, 0, INFLUENCE_UNITS - 1);
    int32_t dx = ploy_rng_int(&lab->rng, -1, 1);
    int32_t dy = ploy_rng_int(&lab->rng, -1, 1);
    ploy_influence_state state;
    if (!ploy_influence_unit_of(lab->real, lab->units[who], &state)) return PLOY_OK;
    int32_t to = ploy_places_cell(&lab->places, state.place % INFLUENCE_SIDE + dx,
                                  state.place / INFLUENCE_SIDE + dy);
    if (to == PLOY_PLACE_NONE) return PLOY_OK;
    lab->moves++;
    return ploy_influence_move(lab->real, lab->units[who], to);
}

// The hidden unit goes where black believes itself most secure and cannot see it.
static ploy_result influence_hide(influence_lab *lab) {
    if (!lab->def.hidden) {
        if (ploy_id_is_none(lab->hidden.id)) return PLOY_OK;
        ploy_result result = ploy_influence_remove(lab->real, lab->hidden);
        lab->hidden.id = ploy_id_none();
        return result;
    }
    influence_look(lab, 1);
    ploy_result result = ploy_influence_sense(lab->view, lab->real, 1, lab->seen);
    int32_t best = 0;
    float most = -1.0f;
    for (int32_t i = 0; i < INFLUENCE_CELLS && result == PLOY_OK; i++) {
        if (lab->seen[i] || ploy_influence_owner(lab->real, i) != 1) continue;
        float perceived = ploy_influence_at(lab->view, 1, i) - ploy_influence_at(lab->view, 0, i);
        if (perceived > most) most = perceived, best = i;
    }
    if (result != PLOY_OK || most < 0.0f) return result;
    if (ploy_id_is_none(lab->hidden.id)) {
        return ploy_influence_add(lab->real, 0, 0, best, 6.0f, &lab->hidden);
    }
    return ploy_influence_set_strength(lab->real, lab->hidden, 6.0f);
}

static ploy_result influence_update(influence_lab *lab) {
    ploy_result result = influence_hide(lab);
    int32_t viewer = lab->def.view == 2 ? 1 : 0;
    influence_look(lab, viewer);
    bool all = lab->def.view == 0 || lab->def.view == 3;
    if (result == PLOY_OK) {
        result = all ? ploy_influence_sense_all(lab->view, lab->real, viewer)
                     : ploy_influence_sense(lab->view, lab->real, viewer, lab->seen);
    }
    ploy_flood_source sources[INFLUENCE_UNITS];
    for (int32_t i = 0; i < INFLUENCE_UNITS; i++) {
        ploy_influence_state state = {0, 0, 0, 0.0f};
        (void)ploy_influence_unit_of(lab->real, lab->units[i], &state);
        sources[i].place = state.place;
        sources[i].strength = state.strength;
    }
    if (result == PLOY_OK) result = ploy_flood_run(lab->flood, sources, INFLUENCE_UNITS);
    if (result != PLOY_OK) return result;
    lab->cut = ploy_flood_cut(lab->flood);
    lab->owned[0] = lab->owned[1] = 0;
    for (int32_t i = 0; i < INFLUENCE_CELLS; i++) {
        int32_t owner = lab->def.method == 0 ? ploy_influence_owner(lab->view, i)
                        : ploy_flood_owner(lab->flood, i) < 0
                            ? PLOY_SIDE_NONE
                            : ploy_flood_owner(lab->flood, i) >= 7;
        if (owner >= 0) lab->owned[owner]++;
    }
    return PLOY_OK;
}

static ploy_result influence_create(const void *params, ploy_rng_key key, const ploy_env *env,
                                    void **out) {
    influence_lab *lab = ploy_env_alloc_zero(env, sizeof *lab);
    if (lab == NULL) return PLOY_ERR_MEMORY;
    memcpy(&lab->def, params, sizeof lab->def);
    lab->env = *env;
    lab->rng = ploy_rng_make(key.bits);
    ploy_result result = influence_begin(lab);
    if (result == PLOY_OK) result = influence_update(lab);
    if (result == PLOY_OK) *out = lab;
    return result;
}

static ploy_result influence_step(void *state, const ploy_sim_context *context) {
    influence_lab *lab = state;
    bool again = lab_input_count(context, "again") > 0 ||
                 memcmp(&lab->def, context->params, sizeof lab->def) != 0;
    memcpy(&lab->def, context->params, sizeof lab->def);
    ploy_result result = again ? influence_begin(lab) : PLOY_OK;
    lab->ticks++;
    bool moves = lab->def.pause > 0 && lab->ticks % (uint64_t)lab->def.pause == 0;
    if (result == PLOY_OK && moves) result = influence_walk(lab);
    return result == PLOY_OK && (again || moves) ? influence_update(lab) : result;
}

// What the maps read: the influence of one side, or which cells the shown side sees.
typedef struct influence_source {
    const influence_lab *lab;
    int32_t side;
} influence_source;

static float influence_of_side(const void *user, int32_t cell) {
    const influence_source *source = user;
    return ploy_influence_at(source->lab->view, source->side, cell);
}

static float influence_seen(const void *user, int32_t cell) {
    return ((const influence_lab *)user)->seen[cell] ? 1.0f : 0.0f;
}

static void influence_draw_maps(const influence_lab *lab, ploy_draw *out) {
    static const char *const names[] = {"influence of white", "influence of black"};
    static const char *const seen[] = {"not in sight", "in sight"};
    ploy_draw_map map = {.unit = "",
                         .origin = lab->places.origin,
                         .size = lab->places.size,
                         .columns = INFLUENCE_SIDE,
                         .rows = INFLUENCE_SIDE};
    for (int32_t side = 0; side < 2; side++) {
        influence_source source = {lab, side};
        map.name = names[side];
        map.value = influence_of_side;
        map.user = &source;
        ploy_draw_values(out, PLOY_LAYER_INFLUENCE, &map);
    }
    map.name = lab->def.view == 2 ? "sight of black" : "sight of white";
    map.categories = seen;
    map.category_count = 2;
    map.value = influence_seen;
    map.user = lab;
    ploy_draw_values(out, PLOY_LAYER_INFLUENCE, &map);
}

static void influence_draw(const void *state, ploy_draw *out) {
    const influence_lab *lab = state;
    ploy_draw_key(out, PLOY_STYLE_AGENT_A, "white: units, area and border");
    ploy_draw_key(out, PLOY_STYLE_AGENT_B, "black: units, area and border");
    ploy_draw_key(out, PLOY_STYLE_WARNING, "weak sector");
    ploy_draw_key(out, PLOY_STYLE_BAD, "weakest place of a border");
    ploy_influence_draw(lab->view, out);
    influence_draw_maps(lab, out);
    ploy_weak_sector sectors[4];
    for (int32_t side = 0; side < 2; side++) {
        int32_t count = ploy_influence_sectors(lab->view, side, lab->def.weak, 1, sectors, 4);
        for (int32_t i = 0; i < count && i < 4; i++) {
            ploy_draw_arrow(out, PLOY_LAYER_FORCES, PLOY_STYLE_WARNING, ploy_agent_id_none(),
                            sectors[i].centre,
                            ploy_vec2_add(sectors[i].centre, sectors[i].outward));
        }
        int32_t weakest = ploy_influence_weakest(lab->view, side);
        if (weakest == PLOY_PLACE_NONE) continue;
        ploy_vec3 at = lab->places.position(&lab->places, weakest);
        ploy_draw_circle(out, PLOY_LAYER_PATHS, PLOY_STYLE_BAD, ploy_agent_id_none(),
                         ploy_vec2_make(at.x, at.y), 0.5f);
    }
    char text[120];
    snprintf(text, sizeof text, "%s: white %d, black %d cells, border %d; %s",
             influence_methods[lab->def.method], lab->owned[0], lab->owned[1],
             ploy_influence_border(lab->view, 0, NULL, 0), influence_views[lab->def.view]);
    ploy_draw_text(out, ploy_agent_id_none(), ploy_vec2_make(0.0f, 16.6f), text);
}

static void influence_describe(const void *state, ploy_describe *out) {
    const influence_lab *lab = state;
    ploy_describe_u64(out, "ticks", PLOY_STATE, lab->ticks);
    ploy_describe_u64(out, "moves", PLOY_STATE, lab->moves);
    ploy_describe_i64(out, "white", PLOY_STATE, lab->owned[0]);
    ploy_describe_i64(out, "black", PLOY_STATE, lab->owned[1]);
    ploy_describe_i64(out, "cut", PLOY_STATE, lab->cut);
    ploy_describe_begin(out, "real");
    ploy_influence_describe(lab->real, out);
    ploy_describe_end(out);
    ploy_describe_begin(out, "view");
    ploy_influence_describe(lab->view, out);
    ploy_describe_end(out);
    ploy_describe_begin(out, "flood");
    ploy_flood_describe(lab->flood, out);
    ploy_describe_end(out);
}

static const ploy_command influence_commands[] = {
    {"again", "put every unit back", PLOY_VALUE_NONE, false, "r"},
};

extern const ploy_sim_type ploy_lab_influence; // in labs.c
const ploy_sim_type ploy_lab_influence = {
    .name = "influence",
    .title = "Influence maps",
    .help = "Two sides on a field: colours are owners, stronger where they are more secure. Arrows "
            "show weak sectors, a red ring the weakest place of a border. Choose white or black to "
            "see what that side knows; grey cells are unknown to it.",
    .version = 1,
    .capabilities = PLOY_SIM_INTERACTIVE | PLOY_SIM_TACTICS,
    .dt = 1.0f / 30.0f,
    .view = {-0.5f, -0.5f, 16.5f, 17.3f},
    .fields = influence_get_fields,
    .commands = influence_commands,
    .command_count = sizeof influence_commands / sizeof influence_commands[0],
    .create = influence_create,
    .destroy = NULL,
    .step = influence_step,
    .draw = influence_draw,
    .describe = influence_describe,
};
