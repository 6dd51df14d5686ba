// A level and its checks: the flood grows node by node, then points, spheres and faults appear. The
// level and the designer's overrides are texts that can be edited while it runs.
#include <stdio.h>
#include <string.h>

#include "labs/lab_input.h"
#include "labs/labs.h"
#include "ploy/data/level_build.h"

typedef struct level_lab_def {
    uint32_t cookie;
    float radius, spacing;
    bool diagonal;
    int32_t growth;
} level_lab_def;

static const ploy_field level_lab_fields[] = {
    PLOY_FIELD_F32(level_lab_def, radius, 0.25f, 0.05f, 2, "m", "radius of the agents"),
    PLOY_FIELD_F32(level_lab_def, spacing, 0.5f, 0.2f, 4, "m", "distance between nodes"),
    PLOY_FIELD_BOOL(level_lab_def, diagonal, true, "join diagonal neighbours too"),
    PLOY_FIELD_I32(level_lab_def, growth, 6, 1, 10000, "", "nodes that appear in a tick"),
};

static ploy_fields level_lab_get_fields(void) {
    return PLOY_FIELDS(level_lab_def, level_lab_fields);
}

static const char level_lab_level[] =
    "# Three rooms; the third is closed, and it has an item.\n"
    "wall 0 0 20 0\nwall 20 0 20 10\nwall 20 10 0 10\nwall 0 10 0 0\n"
    "wall 7 0 7 4\nwall 7 5.5 7 10\nwall 15 0 15 10\nwall 7 7 12 7\n"
    "door gate 7 4 7 5.5 button 6 5 button 8 5\n"
    "spawn 1 1\nspawn 14 9\nlight 2 8 6\n"
    "item health 3 8 25\nitem railgun 17 5\n"
    "object crate obstacle 10 2.2 width=3 depth=0.6\n"
    "object bench obstacle 10 3.9 width=3 depth=0.6\n"
    "trigger ambush circle 11 8.5 1.2 do=\"activate guards\"\n";

static const char level_lab_overrides[] = "# The doorway is a good place for a node.\n"
                                          "add node 7 4.75\nremove node 19 9\n";

enum { LEVEL_LAB_LEVEL, LEVEL_LAB_OVERRIDES, LEVEL_LAB_TEXTS };

static const ploy_definition level_lab_definitions[LEVEL_LAB_TEXTS] = {
    {"level", "level", "Walls, doors, items and spawn points, one object a line, in metres."},
    {"overrides", "txt", "Changes to the generated nodes and points, one a line."},
};

typedef struct level_lab {
    level_lab_def def;
    ploy_env env;
    ploy_definition_text texts[LEVEL_LAB_TEXTS];
    ploy_buffer bytes;
    ploy_level level;
    ploy_level_overrides *overrides;
    ploy_level_build *build;
    int32_t shown; // nodes
} level_lab;

static void level_lab_free(level_lab *lab) {
    ploy_level_build_destroy(lab->build);
    ploy_level_overrides_destroy(lab->overrides);
    lab->build = NULL;
    lab->overrides = NULL;
}

// Builds the level from both texts; the flood begins again.
static ploy_result level_lab_make(level_lab *lab) {
    const ploy_definition_text *level = &lab->texts[LEVEL_LAB_LEVEL];
    const ploy_definition_text *changes = &lab->texts[LEVEL_LAB_OVERRIDES];
    ploy_level_def def = ploy_level_def_default();
    def.radius = lab->def.radius;
    def.spacing = lab->def.spacing;
    def.diagonal = lab->def.diagonal;
    level_lab_free(lab);
    lab->shown = 0;
    ploy_result result = ploy_level_from_text(level->bytes, level->size, "level", &lab->env, NULL,
                                              &lab->bytes, &lab->level);
    if (result == PLOY_OK) {
        result = ploy_level_overrides_load(changes->bytes, changes->size, "overrides", &lab->env,
                                           NULL, &lab->overrides);
    }
    if (result == PLOY_OK) {
        result = ploy_level_build_create(&def, &lab->level, lab->overrides, &lab->env, &lab->build);
    }
    return result;
}

static ploy_result level_lab_create(const void *params, ploy_rng_key key, const ploy_env *env,
                                    void **out) {
    (void)key;
    level_lab *lab = ploy_env_alloc_zero(env, sizeof *lab);
    if (lab == NULL) return PLOY_ERR_MEMORY;
    memcpy(&lab->def, params, sizeof lab->def);
    lab->env = *env;
    ploy_buffer_init(&lab->bytes, 0, env);
    ploy_result result = ploy_definition_text_set(&lab->texts[LEVEL_LAB_LEVEL], level_lab_level,
                                                  sizeof level_lab_level - 1, env);
    if (result == PLOY_OK) {
        result = ploy_definition_text_set(&lab->texts[LEVEL_LAB_OVERRIDES], level_lab_overrides,
                                          sizeof level_lab_overrides - 1, env);
    }
    if (result == PLOY_OK) result = level_lab_make(lab);
    if (result == PLOY_OK) *out = lab;
    return result;
}

static ploy_result level_lab_step(void *state, const ploy_sim_context *context) {
    level_lab *lab = state;
    const level_lab_def *def = context->params;
    bool again = lab_input_count(context, "again") > 0 || lab->def.radius != def->radius ||
                 lab->def.spacing != def->spacing || lab->def.diagonal != def->diagonal;
    ploy_result result = PLOY_OK;
    memcpy(&lab->def, def, sizeof lab->def);
    for (int32_t i = 0; i < context->input_count && result == PLOY_OK; i++) {
        const ploy_input *input = &context->inputs[i];
        if (input->kind != PLOY_INPUT_RELOAD) continue;
        int32_t which = strcmp(input->name, "level") == 0 ? LEVEL_LAB_LEVEL : LEVEL_LAB_OVERRIDES;
        result =
            ploy_definition_text_set(&lab->texts[which], input->bytes, input->size, context->env);
        again = true;
    }
    if (result == PLOY_OK && again) result = level_lab_make(lab);
    if (result != PLOY_OK) return result;
    const ploy_graph *graph = ploy_level_build_nodes(lab->build);
    int32_t all = graph == NULL ? 0 : ploy_graph_node_slots(graph);
    lab->shown = ploy_mini(lab->shown + lab->def.growth, all);
    return PLOY_OK;
}

static void level_lab_draw(const void *state, ploy_draw *out) {
    const level_lab *lab = state;
    const ploy_graph *graph = ploy_level_build_nodes(lab->build);
    int32_t all = graph == NULL ? 0 : ploy_graph_node_slots(graph);
    ploy_level_build_draw(lab->build, lab->shown, out);
    char text[160];
    (void)snprintf(text, sizeof text, "%d of %d nodes", (int)lab->shown, (int)all);
    ploy_draw_text(out, ploy_agent_id_none(), ploy_vec2_make(0, 10.4f), text);
    for (int32_t i = 0; lab->shown >= all && i < ploy_level_build_issues(lab->build); i++) {
        const ploy_level_issue *issue = ploy_level_build_issue(lab->build, i);
        ploy_draw_text(out, ploy_agent_id_none(), ploy_vec2_make(0, -0.8f - 0.7f * (float)i),
                       issue->text);
    }
}

static void level_lab_describe(const void *state, ploy_describe *out) {
    const level_lab *lab = state;
    ploy_describe_i64(out, "shown", PLOY_STATE, lab->shown);
    ploy_describe_begin(out, "build");
    ploy_level_build_describe(lab->build, out);
    ploy_describe_end(out);
    for (int32_t i = 0; i < LEVEL_LAB_TEXTS; i++) {
        ploy_definition_text_describe(&lab->texts[i], level_lab_definitions[i].name, NULL, out);
    }
}

static ploy_result level_lab_write(const void *state, int32_t definition, ploy_writer *out) {
    const level_lab *lab = state;
    return ploy_definition_text_write(&lab->texts[definition], out);
}

// A text is refused if it cannot be read, or if its flood is larger than a build allows.
static ploy_result level_lab_check(const void *state, int32_t definition, const void *bytes,
                                   size_t size, const ploy_env *env, ploy_diags *diags) {
    const level_lab *lab = state;
    const char *name = level_lab_definitions[definition].name;
    if (definition == LEVEL_LAB_OVERRIDES) {
        ploy_level_overrides *overrides = NULL;
        ploy_result read = ploy_level_overrides_load(bytes, size, name, env, diags, &overrides);
        ploy_level_overrides_destroy(overrides);
        return read;
    }
    ploy_buffer block;
    ploy_level level;
    ploy_level_build *build = NULL;
    ploy_level_def def = ploy_level_def_default();
    def.radius = lab->def.radius;
    def.spacing = lab->def.spacing;
    def.points = false;
    ploy_buffer_init(&block, 0, env);
    ploy_result result = ploy_level_from_text(bytes, size, name, env, diags, &block, &level);
    if (result == PLOY_OK) {
        result = ploy_level_build_create(&def, &level, NULL, env, &build);
        if (result == PLOY_ERR_LIMIT) {
            ploy_diags_add(diags, PLOY_SEVERITY_ERROR, result, name, 0, 0,
                           "level needs too many nodes", "a smaller level or a larger spacing",
                           NULL);
        }
    }
    ploy_level_build_destroy(build);
    ploy_buffer_fini(&block);
    return result;
}

static const ploy_command level_lab_commands[] = {
    {"again", "flood the level again", PLOY_VALUE_NONE, false, "r"},
};

extern const ploy_sim_type ploy_lab_level; // in labs.c
const ploy_sim_type ploy_lab_level = {
    .name = "level",
    .title = "Levels and their checks",
    .help =
        "A level is flooded with nodes from its spawn points. Then tactical points, the spheres "
        "of obstacles and the faults that the checks found appear. Edit the level or the "
        "overrides while it runs.",
    .version = 1,
    .capabilities = PLOY_SIM_INTERACTIVE | PLOY_SIM_RELOADS,
    .dt = 1.0f / 30.0f,
    .view = {-0.5f, -4.5f, 20.5f, 11.5f},
    .fields = level_lab_get_fields,
    .commands = level_lab_commands,
    .command_count = sizeof level_lab_commands / sizeof level_lab_commands[0],
    .create = level_lab_create,
    .destroy = NULL,
    .step = level_lab_step,
    .draw = level_lab_draw,
    .describe = level_lab_describe,
    .definitions = level_lab_definitions,
    .definition_count = LEVEL_LAB_TEXTS,
    .write = level_lab_write,
    .check = level_lab_check,
};
