// The recipe lab: generators in a row as a text that can be edited while it runs. It shows the result, the
// picture after every stage, a sheet of seeds, or an agent that walks over the result on a mesh.
//
// An edit keeps the stages before the first change. All state is in the one block recipe_lab and what it owns,
// in the region.
#include <stddef.h>
#include <stdio.h>

#include "labs/lab_fit.h"
#include "labs/lab_seed.h"
#include "labs/labs.h"
#include "ploy/data/plan.h"
#include "ploy/generate/recipe.h"
#include "ploy/path/navmesh_query.h"

enum { RECIPE_LAB_SEEDS = 25 };

typedef enum recipe_lab_show {
    RECIPE_LAB_RESULT,
    RECIPE_LAB_STAGES,
    RECIPE_LAB_SHEET,
    RECIPE_LAB_WALK
} recipe_lab_show;

static const char *const recipe_lab_shows[] = {"result", "stages", "seeds", "walk"};

static const char recipe_lab_text[] =
    "// Generators in a row: each reads what the ones before it made.\n"
    "[\n"
    "  { \"generator\": \"dungeon\", \"set\": { \"width\": 60, \"height\": 44 } },\n"
    "  { \"generator\": \"scatter\", \"set\": { \"width\": 60, \"height\": 44, \"radius_min\": "
    "0.3,\n"
    "      \"radius_max\": 0.6, \"method\": \"rejection\", \"count\": 60 } }\n"
    "]\n";

typedef struct recipe_lab_def {
    uint32_t cookie;
    recipe_lab_show show;
    int32_t stage;
    int32_t seeds;
    int32_t units;
    float speed;
    float slope;
} recipe_lab_def;

static const ploy_field recipe_lab_fields[] = {
    PLOY_FIELD_ENUM(recipe_lab_def, show, RECIPE_LAB_RESULT, recipe_lab_shows,
                    "the result, every stage, several seeds, or an agent that walks"),
    PLOY_FIELD_I32(recipe_lab_def, stage, 0, 0, PLOY_RECIPE_STAGES, "",
                   "result after this stage; 0: after the last"),
    PLOY_FIELD_I32(recipe_lab_def, seeds, 9, 1, RECIPE_LAB_SEEDS, "", "pictures of the sheet"),
    PLOY_FIELD_I32(recipe_lab_def, units, 2000, 1, 1000000, "", "units of budget a tick"),
    PLOY_FIELD_F32(recipe_lab_def, speed, 8, 0.1f, 100, "m/s", "of the walking agent"),
    PLOY_FIELD_F32(recipe_lab_def, slope, 1, 0, 100, "",
                   "steepest terrain it walks: rise over run"),
};

static ploy_fields recipe_lab_get_fields(void) {
    return PLOY_FIELDS(recipe_lab_def, recipe_lab_fields);
}

typedef struct recipe_lab {
    lab_seed base;
    recipe_lab_def def;
    ploy_definition_text text;
    ploy_recipe *recipe;
    ploy_recipe_run *runs[RECIPE_LAB_SEEDS]; // the first is the one that the other pictures show
    int32_t run_count;
    bool done[RECIPE_LAB_SEEDS];
    // The walk: a mesh of the first run's result.
    ploy_navmesh *mesh;
    ploy_navmesh_query *query;
    ploy_path *path;
    ploy_navmesh_place walker;
    float along, angle;
    int32_t tour, walks;
    bool no_floor;
    ploy_rng rng;
} recipe_lab;

// ---- the walk

static void recipe_lab_forget_walk(recipe_lab *lab) {
    ploy_navmesh_query_destroy(lab->query);
    ploy_navmesh_destroy(lab->mesh);
    lab->query = NULL;
    lab->mesh = NULL;
    lab->no_floor = false;
    lab->tour = lab->walks = 0;
    lab->walker.polygon = -1;
    lab->along = 0.0f;
    ploy_path_clear(lab->path);
}

static ploy_navmesh_place recipe_lab_place(recipe_lab *lab, ploy_vec2 at) {
    ploy_navmesh_place place = {-1, {at.x, at.y, 0.0f}, 0.0f};
    ploy_navmesh_find_nearest(lab->query, place.point, -1, NULL, &place);
    return place;
}

// A path to a place, or none.
static ploy_result recipe_lab_go(recipe_lab *lab, ploy_navmesh_place goal) {
    lab->along = 0.0f;
    ploy_path_clear(lab->path);
    if (goal.polygon < 0) return PLOY_OK;
    ploy_navmesh_request request = ploy_navmesh_request_make(lab->walker, goal);
    lab->walks++;
    return ploy_navmesh_find_path(lab->query, &request, lab->path, NULL);
}

// The next place to go to: of a plan the keys in the order of their locks, the exit, and the entrance again; of
// anything else a random place.
static ploy_result recipe_lab_next_goal(recipe_lab *lab) {
    ploy_content content = ploy_recipe_run_content(lab->runs[0], -1);
    ploy_navmesh_place goal;
    if ((content.kinds & PLOY_CONTENT_PLAN) != 0) {
        ploy_floor_plan_view view = ploy_floor_plan_get(content.plan);
        int32_t stop = lab->tour++ % (view.lock_count + 2);
        int32_t cell = stop < view.lock_count    ? view.locks[stop].key_cell
                       : stop == view.lock_count ? view.exit
                                                 : view.entrance;
        goal = recipe_lab_place(lab, ploy_floor_plan_point(content.plan, cell));
    } else if (ploy_navmesh_find_random(lab->query, &lab->rng, &goal) != PLOY_OK) {
        return PLOY_OK;
    }
    return recipe_lab_go(lab, goal);
}

static ploy_result recipe_lab_make_mesh(recipe_lab *lab) {
    ploy_content content = ploy_recipe_run_content(lab->runs[0], -1);
    ploy_navmesh_def def = ploy_navmesh_def_default();
    ploy_result result = PLOY_ERR_ARGUMENT;
    ploy_vec2 start = ploy_vec2_lerp(content.area.min, content.area.max, 0.5f);
    if ((content.kinds & PLOY_CONTENT_PLAN) != 0) {
        def.radius = 0.2f;
        result = ploy_navmesh_from_plan(content.plan, &def, &lab->base.env, NULL, &lab->mesh);
        int32_t entrance = ploy_floor_plan_get(content.plan).entrance;
        if (entrance >= 0) start = ploy_floor_plan_point(content.plan, entrance);
    } else if ((content.kinds & PLOY_CONTENT_HEIGHTS) != 0) {
        result = ploy_navmesh_from_heights(content.heights, lab->def.slope, &def, &lab->base.env,
                                           NULL, &lab->mesh);
    }
    if (result == PLOY_OK) {
        result = ploy_navmesh_query_create(lab->mesh, &lab->base.env, &lab->query);
    }
    if (result == PLOY_ERR_MEMORY) return result;
    if (result == PLOY_OK) lab->walker = recipe_lab_place(lab, start);
    lab->no_floor = result != PLOY_OK || lab->walker.polygon < 0;
    return PLOY_OK;
}

static ploy_result recipe_lab_walk(recipe_lab *lab, float dt) {
    ploy_result result = PLOY_OK;
    if (lab->mesh == NULL && !lab->no_floor) result = recipe_lab_make_mesh(lab);
    if (result != PLOY_OK || lab->no_floor) return result;
    float length = ploy_path_length(lab->path);
    lab->along = ploy_minf(lab->along + lab->def.speed * dt, length);
    if (length > 0.0f) {
        ploy_vec3 before = lab->walker.point, at = ploy_path_at(lab->path, lab->along);
        if (ploy_vec3_distance(before, at) > 1e-4f) {
            lab->angle = ploy_atan2f(at.y - before.y, at.x - before.x);
        }
        ploy_navmesh_place place = lab->walker;
        if (ploy_navmesh_find_nearest(lab->query, at, lab->walker.polygon, NULL, &place) ==
            PLOY_OK) {
            lab->walker = place;
        }
    }
    return lab->along >= length ? recipe_lab_next_goal(lab) : PLOY_OK;
}

// ---- runs

static void recipe_lab_begin_run(recipe_lab *lab, int32_t i) {
    lab->done[i] = false;
    ploy_recipe_run_begin(lab->runs[i], lab->recipe,
                          ploy_rng_key_split(lab->base.key, lab->base.seed + (uint64_t)i), NULL);
}

static void recipe_lab_begin(recipe_lab *lab) {
    for (int32_t i = 0; i < lab->run_count; i++) recipe_lab_begin_run(lab, i);
    recipe_lab_forget_walk(lab);
}

// As many runs as there are pictures.
static ploy_result recipe_lab_fit_runs(recipe_lab *lab) {
    int32_t count = lab->def.show == RECIPE_LAB_SHEET ? lab->def.seeds : 1;
    while (lab->run_count > count) ploy_recipe_run_destroy(lab->runs[--lab->run_count]);
    while (lab->run_count < count) {
        ploy_result result = ploy_recipe_run_create(&lab->base.env, &lab->runs[lab->run_count]);
        if (result != PLOY_OK) return result;
        recipe_lab_begin_run(lab, lab->run_count++);
    }
    return PLOY_OK;
}

// Takes over a text that was checked.
static ploy_result recipe_lab_take(recipe_lab *lab, const void *bytes, size_t size) {
    ploy_recipe *recipe = NULL;
    ploy_result result =
        ploy_recipe_load(bytes, size, "recipe.json", &lab->base.env, NULL, &recipe);
    if (result != PLOY_OK) return result;
    result = ploy_definition_text_set(&lab->text, bytes, size, &lab->base.env);
    if (result != PLOY_OK) {
        ploy_recipe_destroy(recipe);
        return result;
    }
    ploy_recipe *before = lab->recipe;
    lab->recipe = recipe;
    recipe_lab_begin(lab); // keeps the stages before the first change
    ploy_recipe_destroy(before);
    return PLOY_OK;
}

static ploy_result recipe_lab_create(const void *params, ploy_rng_key key, const ploy_env *env,
                                     void **out) {
    recipe_lab *lab = lab_seed_alloc(sizeof *lab, offsetof(recipe_lab, def), params,
                                     sizeof lab->def, ploy_rng_key_split(key, 1), env);
    if (lab == NULL) return PLOY_ERR_MEMORY;
    lab->rng = ploy_rng_from_key(ploy_rng_key_split(key, 2), 0);
    ploy_path_def path_def = ploy_path_def_default();
    ploy_result result = ploy_path_create(&path_def, env, &lab->path);
    if (result == PLOY_OK) {
        result = recipe_lab_take(lab, recipe_lab_text, sizeof recipe_lab_text - 1);
    }
    if (result == PLOY_OK) result = recipe_lab_fit_runs(lab);
    if (result == PLOY_OK) *out = lab;
    return result;
}

// ---- layout

// The cells of a picture that shows `count` of them, from the upper left.
static ploy_box2 recipe_lab_cell(int32_t i, int32_t count) {
    int32_t columns = 1;
    while (columns * columns < count) columns++;
    int32_t rows = (count + columns - 1) / columns;
    float wide = 100.0f / (float)columns, high = 75.0f / (float)rows;
    ploy_vec2 corner = {wide * (float)(i % columns), 75.0f - high * (float)(i / columns + 1)};
    return ploy_box2_make(corner, ploy_vec2_make(corner.x + wide, corner.y + high));
}

// The part of a cell that its picture takes: all but a margin and a line of text.
static ploy_box2 recipe_lab_inner(ploy_box2 cell) {
    float margin = 0.015f * (cell.max.x - cell.min.x);
    return ploy_box2_make(ploy_vec2_make(cell.min.x + margin, cell.min.y + margin),
                          ploy_vec2_make(cell.max.x - margin, cell.max.y - margin - 3.0f));
}

static lab_fit recipe_lab_fit_of(const ploy_recipe_run *run, ploy_box2 cell, ploy_draw *out) {
    ploy_box2 box = ploy_box2_empty();
    ploy_draw measure = {lab_fit_measure, &box, UINT32_MAX};
    ploy_recipe_run_draw(run, -1, &measure);
    if (!(box.max.x > box.min.x)) box = recipe_lab_inner(cell);
    return lab_fit_make(box, recipe_lab_inner(cell), out);
}

static int32_t recipe_lab_cells(const recipe_lab *lab) {
    if (lab->def.show == RECIPE_LAB_STAGES) return ploy_recipe_count(lab->recipe);
    return lab->def.show == RECIPE_LAB_SHEET ? lab->def.seeds : 1;
}

// ---- steps

// A click on the sheet takes that seed; on a walk it is the next place to go to.
static ploy_result recipe_lab_click(recipe_lab *lab, ploy_vec2 at) {
    if (lab->def.show == RECIPE_LAB_SHEET) {
        for (int32_t i = 0; i < lab->def.seeds; i++) {
            ploy_box2 cell = recipe_lab_cell(i, lab->def.seeds);
            if (at.x < cell.min.x || at.x >= cell.max.x || at.y < cell.min.y ||
                at.y >= cell.max.y) {
                continue;
            }
            lab->base.seed += (uint64_t)i;
            recipe_lab_begin(lab);
            return PLOY_OK;
        }
    }
    if (lab->def.show != RECIPE_LAB_WALK || lab->query == NULL || lab->no_floor) return PLOY_OK;
    lab_fit fit = recipe_lab_fit_of(lab->runs[0], recipe_lab_cell(0, 1), NULL);
    return recipe_lab_go(lab, recipe_lab_place(lab, lab_fit_back(&fit, at)));
}

static ploy_result recipe_lab_step(void *state, const ploy_sim_context *context) {
    recipe_lab *lab = state;
    float slope = lab->def.slope;
    memcpy(&lab->def, context->params, sizeof lab->def);
    if (slope != lab->def.slope) recipe_lab_forget_walk(lab);
    ploy_result result = recipe_lab_fit_runs(lab);
    for (int32_t i = 0; i < context->input_count && result == PLOY_OK; i++) {
        const ploy_input *input = &context->inputs[i];
        if (input->kind == PLOY_INPUT_RELOAD) {
            result = recipe_lab_take(lab, input->bytes, input->size);
        } else if (lab_input_is(input, "click")) {
            result = recipe_lab_click(lab, lab_input_point(input));
        } else if (lab_input_is(input, "seed")) {
            lab->base.seed++;
            recipe_lab_begin(lab);
        }
    }
    ploy_budget budget = ploy_budget_units(lab->def.units);
    for (int32_t i = 0; i < lab->run_count && result == PLOY_OK; i++) {
        if (lab->done[i]) continue;
        result = ploy_recipe_run_step(lab->runs[i], &budget);
        lab->done[i] = result == PLOY_OK;
        if (result == PLOY_IN_PROGRESS) return PLOY_OK; // the budget is spent
    }
    if (result == PLOY_OK && lab->def.show == RECIPE_LAB_WALK) {
        result = recipe_lab_walk(lab, context->dt);
    }
    return result;
}

// ---- sight

static void recipe_lab_label(ploy_box2 cell, const char *text, ploy_draw *out) {
    ploy_draw_text(out, ploy_agent_id_none(), ploy_vec2_make(cell.min.x + 1.0f, cell.max.y - 2.2f),
                   text);
}

static void recipe_lab_draw_stage(const recipe_lab *lab, int32_t stage, ploy_box2 cell,
                                  ploy_draw *out) {
    const ploy_recipe_run *run = lab->runs[0];
    char text[120];
    ploy_generator generator = ploy_recipe_run_at(run, stage);
    if (generator.type == NULL) {
        snprintf(text, sizeof text, "%d %s", (int)stage + 1,
                 ploy_recipe_type_at(lab->recipe, stage)->name);
        recipe_lab_label(cell, text, out);
        return;
    }
    lab_fit fit = recipe_lab_fit_of(run, cell, out);
    ploy_draw draw = lab_fit_draw(&fit);
    ploy_recipe_run_draw(run, stage, &draw);
    ploy_generate_outcome outcome = ploy_generator_outcome(generator);
    snprintf(text, sizeof text, "%d %s: %d%s%s%s", (int)stage + 1, generator.type->name,
             (int)outcome.count, stage < ploy_recipe_run_kept(run) ? ", kept" : "",
             outcome.partial ? ", limit " : "", outcome.partial ? outcome.limit : "");
    recipe_lab_label(cell, text, out);
}

static void recipe_lab_draw_walk(const recipe_lab *lab, ploy_draw *out) {
    if (lab->no_floor) {
        recipe_lab_label(recipe_lab_cell(0, 1),
                         "nothing to walk on: the recipe needs a plan or heights", out);
        return;
    }
    if (lab->mesh == NULL) return;
    ploy_agent_id id = ploy_agent_id_make(0, 1);
    lab_fit fit = recipe_lab_fit_of(lab->runs[0], recipe_lab_cell(0, 1), out);
    ploy_draw draw = lab_fit_draw(&fit);
    ploy_navmesh_draw(lab->mesh, &draw);
    ploy_path_draw(lab->path, id, &draw);
    ploy_vec2 at = {lab->walker.point.x, lab->walker.point.y};
    ploy_draw_agent(&draw, PLOY_STYLE_AGENT_B, id, at, lab->angle, 1.2f / fit.scale);
    char text[80];
    snprintf(text, sizeof text, "%d polygons, path %d: %.0f of %.0f m",
             (int)ploy_navmesh_stats_of(lab->mesh).polygons, (int)lab->walks, (double)lab->along,
             (double)ploy_path_length(lab->path));
    recipe_lab_label(recipe_lab_cell(0, 1), text, out);
}

// A stage gives the meaning of its colours; placed things come in types, which have the same ones.
static void recipe_lab_keys(const recipe_lab *lab, ploy_draw *out) {
    uint32_t kinds = ploy_recipe_run_content(lab->runs[0], -1).kinds;
    bool land = (kinds & PLOY_CONTENT_HEIGHTS) != 0, plan = (kinds & PLOY_CONTENT_PLAN) != 0;
    ploy_draw_key(out, PLOY_STYLE_AGENT_A,
                  land   ? "water, and things of the first type"
                  : plan ? "at work, and things of the first type"
                         : "things of the first type");
    ploy_draw_key(out, PLOY_STYLE_AGENT_B, "walker, and things of the second type");
    ploy_draw_key(out, PLOY_STYLE_AGENT_C, "things of the third type");
    ploy_draw_key(out, PLOY_STYLE_AGENT_D,
                  plan ? "keys, and things of the fourth type" : "things of the fourth type");
}

static void recipe_lab_draw(const void *state, ploy_draw *out) {
    const recipe_lab *lab = state;
    int32_t count = recipe_lab_cells(lab);
    if (lab->def.show == RECIPE_LAB_STAGES) {
        for (int32_t i = 0; i < count; i++) {
            recipe_lab_draw_stage(lab, i, recipe_lab_cell(i, count), out);
        }
        recipe_lab_keys(lab, out);
        return;
    }
    for (int32_t i = 0; i < count && i < lab->run_count; i++) {
        ploy_box2 cell = recipe_lab_cell(i, count);
        lab_fit fit = recipe_lab_fit_of(lab->runs[i], cell, out);
        ploy_draw draw = lab_fit_draw(&fit);
        int32_t stage = lab->def.show == RECIPE_LAB_RESULT ? lab->def.stage - 1 : -1;
        ploy_recipe_run_draw(lab->runs[i], stage, &draw);
        if (lab->def.show == RECIPE_LAB_WALK) break;
        ploy_generate_outcome outcome = ploy_recipe_run_outcome(lab->runs[i]);
        char text[120];
        snprintf(text, sizeof text, "seed %d: %d things%s%s%s", (int)(lab->base.seed + (uint64_t)i),
                 (int)outcome.count, lab->done[i] ? "" : "...", outcome.partial ? ", limit " : "",
                 outcome.partial ? outcome.limit : "");
        recipe_lab_label(cell, text, out);
    }
    if (lab->def.show == RECIPE_LAB_WALK) recipe_lab_draw_walk(lab, out);
    recipe_lab_keys(lab, out);
}

static void recipe_lab_describe(const void *state, ploy_describe *out) {
    const recipe_lab *lab = state;
    ploy_describe_u64(out, "seed", PLOY_STATE, lab->base.seed);
    ploy_describe_i64(out, "stages", PLOY_STATE, ploy_recipe_count(lab->recipe));
    ploy_describe_i64(out, "runs", PLOY_STATE, lab->run_count);
    ploy_describe_i64(out, "kept", PLOY_DERIVED, ploy_recipe_run_kept(lab->runs[0]));
    for (int32_t i = 0; i < lab->run_count; i++) {
        ploy_describe_begin_item(out, i);
        ploy_describe_i64(out, "done", PLOY_STATE, lab->done[i]);
        ploy_recipe_run_describe(lab->runs[i], out);
        ploy_describe_end(out);
    }
    ploy_describe_begin_agent(out, "walker", ploy_agent_id_make(0, 1));
    ploy_describe_i64(out, "on_mesh", PLOY_STATE, lab->mesh != NULL && !lab->no_floor);
    ploy_describe_vec2(out, "at", PLOY_STATE, lab->walker.point.x, lab->walker.point.y);
    ploy_describe_i64(out, "paths", PLOY_STATE, lab->walks);
    ploy_describe_i64(out, "tour", PLOY_STATE, lab->tour);
    ploy_describe_f32(out, "along", PLOY_STATE, lab->along);
    ploy_describe_f32(out, "length", PLOY_DERIVED, ploy_path_length(lab->path));
    ploy_rng next = lab->rng;
    ploy_describe_u64(out, "stream", PLOY_STATE, ploy_rng_u64(&next));
    ploy_describe_end(out);
    ploy_definition_text_describe(&lab->text, "definition", NULL, out);
}

// ---- the text

static const ploy_definition recipe_lab_definitions[] = {
    {"recipe", "json", "generators in a row; each reads what the ones before it made"},
};

static ploy_result recipe_lab_write(const void *state, int32_t definition, ploy_writer *out) {
    (void)definition;
    return ploy_definition_text_write(&((const recipe_lab *)state)->text, out);
}

static ploy_result recipe_lab_check(const void *state, int32_t definition, const void *bytes,
                                    size_t size, const ploy_env *env, ploy_diags *diags) {
    (void)state, (void)definition;
    ploy_recipe *recipe = NULL;
    ploy_result result = ploy_recipe_load(bytes, size, "recipe.json", env, diags, &recipe);
    ploy_recipe_destroy(recipe);
    return result;
}

static bool recipe_lab_part(int32_t definition, int32_t index, ploy_definition_part *out) {
    (void)definition;
    const ploy_generator_type *type = ploy_generators_at(index);
    if (type == NULL) return false;
    out->name = type->name;
    out->help = type->help;
    out->fields = type->fields();
    return true;
}

static const ploy_command recipe_lab_commands[] = {
    {"click", "take that seed of the sheet; on a walk, go there", PLOY_VALUE_VEC2, false,
     "Pointer"},
    {"seed", "the next seed", PLOY_VALUE_NONE, false, "r"},
};

extern const ploy_sim_type ploy_lab_recipe; // in labs.c
const ploy_sim_type ploy_lab_recipe = {
    .name = "recipe",
    .title = "Recipes",
    .help =
        "Generators in a row, edited while you watch: the result, a picture after every stage, a "
        "sheet of seeds, or an agent that walks over the result.",
    .version = 1,
    .capabilities = PLOY_SIM_INTERACTIVE | PLOY_SIM_RELOADS | PLOY_SIM_DIAGRAM,
    .dt = 1.0f / 60.0f,
    .view = {0.0f, 0.0f, 100.0f, 75.0f},
    .fields = recipe_lab_get_fields,
    .commands = recipe_lab_commands,
    .command_count = sizeof recipe_lab_commands / sizeof recipe_lab_commands[0],
    .create = recipe_lab_create,
    .destroy = NULL, // the region goes with the simulation
    .step = recipe_lab_step,
    .draw = recipe_lab_draw,
    .describe = recipe_lab_describe,
    .definitions = recipe_lab_definitions,
    .definition_count = sizeof recipe_lab_definitions / sizeof recipe_lab_definitions[0],
    .write = recipe_lab_write,
    .check = recipe_lab_check,
    .part = recipe_lab_part,
};
