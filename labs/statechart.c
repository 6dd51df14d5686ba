// The lab of statecharts: the flow of a whole application (menu, options, playing, paused, saving)
// with music beside it, read from SCXML. The chart is drawn with its active states and the rules
// taken last lit; a click on one of the buttons sends its event. Left alone, a player who cannot make
// up its mind presses one now and then.
//
// All state lies in the region; the type and its chart too, as they are built with the lab.
#include <string.h>

#include "labs/lab_input.h"
#include "labs/labs.h"
#include "ploy/data/machine.h"
#include "ploy/decide/hsm_chart.h"

static const char statechart_file[] =
    "<scxml name='application' initial='app'>\n"
    "  <parallel id='app'>\n"
    "    <state id='screen' initial='menu'>\n"
    "      <transition event='quit' target='menu'/>\n"
    "      <state id='menu'>\n"
    "        <transition event='play' target='game'/>\n"
    "        <transition event='options' target='settings'/>\n"
    "      </state>\n"
    "      <state id='settings'><transition event='back' target='menu'/></state>\n"
    "      <state id='game' initial='running'>\n"
    "        <transition event='save' target='saving'/>\n"
    "        <state id='running'><transition event='pause' target='paused'/></state>\n"
    "        <state id='paused'><transition event='pause play' target='running'/></state>\n"
    "        <history id='where'><transition target='running'/></history>\n"
    "      </state>\n"
    "      <state id='saving'>\n"
    "        <onentry><send event='saved' delay='2s' id='disk'/></onentry>\n"
    "        <onexit><cancel sendid='disk'/></onexit>\n"
    "        <transition event='saved' target='where'/>\n"
    "      </state>\n"
    "    </state>\n"
    "    <state id='music' initial='calm'>\n"
    "      <state id='calm'><transition cond=\"In('running')\" target='wild'/></state>\n"
    "      <state id='wild'><transition cond=\"!In('running')\" target='calm'/></state>\n"
    "    </state>\n"
    "  </parallel>\n"
    "</scxml>\n";

static const ploy_definition statechart_definitions[] = {
    {"application", "scxml", "the chart; the buttons send play, pause, save, options, back, quit"},
};

enum { STATECHART_LOST_MAX = 4 };

static const char *const statechart_events[] = {"play", "pause", "save", "options", "back", "quit"};
enum { STATECHART_EVENTS = sizeof statechart_events / sizeof statechart_events[0] };
static const ploy_vec2 statechart_buttons = {2.4f, -0.6f}; // m, the first one's corner

typedef struct statechart_lab_def {
    uint32_t cookie;
    float every;
} statechart_lab_def;

static const ploy_field statechart_lab_fields[] = {
    PLOY_FIELD_F32(statechart_lab_def, every, 1.5, 0, 60, "s",
                   "how often the player presses a button by itself; 0: never"),
};

static ploy_fields statechart_lab_get_fields(void) {
    return PLOY_FIELDS(statechart_lab_def, statechart_lab_fields);
}

typedef struct statechart_lab {
    statechart_lab_def def; // as of the last step
    ploy_hsm_type *type;
    ploy_hsm_chart *chart;
    ploy_hsm *hsm;
    ploy_definition_text text;
    ploy_diags *lost; // what the last reload could not match
    int64_t pressed;  // the button pressed last, -1: none yet
    int64_t presses;
    float idle; // s since then
    uint32_t padding;
} statechart_lab;

static ploy_result statechart_load(const void *bytes, size_t size, const ploy_env *env,
                                   ploy_diags *diags, ploy_hsm_type **out) {
    ploy_machine *machine = NULL;
    ploy_result result = ploy_machine_load_scxml(bytes, size, "application", env, diags, &machine);
    if (result == PLOY_OK) result = ploy_machine_build(machine, NULL, NULL, env, diags, out);
    ploy_machine_destroy(machine);
    return result;
}

// Takes over a text that was checked; the application stays in the states that are still there. sim
// is NULL at the start.
static ploy_result statechart_take(statechart_lab *lab, const void *bytes, size_t size,
                                   const ploy_sim_context *sim, const ploy_env *env) {
    ploy_hsm_type *type = NULL;
    ploy_hsm_chart *chart = NULL;
    ploy_hsm *hsm = NULL;
    ploy_step_context step = lab_step_context(sim, ploy_agent_id_make(0, 1));
    ploy_result result = statechart_load(bytes, size, env, NULL, &type);
    if (result == PLOY_OK) result = ploy_hsm_chart_create(type, env, &chart);
    if (result == PLOY_OK) result = ploy_hsm_create(type, NULL, env, &hsm);
    if (result == PLOY_OK) result = ploy_definition_text_set(&lab->text, bytes, size, env);
    if (result == PLOY_OK && sim == NULL) {
        result = ploy_behavior_enter(ploy_hsm_behavior(hsm), &step);
    } else if (result == PLOY_OK) {
        ploy_diags_clear(lab->lost);
        result = ploy_behavior_reload(ploy_hsm_behavior(lab->hsm), ploy_hsm_behavior(hsm), &step,
                                      env, lab->lost);
    }
    if (result != PLOY_OK) { // out of memory: the simulation ends, and the region with it
        ploy_hsm_destroy(hsm);
        ploy_hsm_chart_destroy(chart);
        ploy_hsm_type_destroy(type);
        return result;
    }
    ploy_hsm_destroy(lab->hsm);
    ploy_hsm_chart_destroy(lab->chart);
    ploy_hsm_type_destroy(lab->type);
    lab->type = type;
    lab->chart = chart;
    lab->hsm = hsm;
    return PLOY_OK;
}

static ploy_result statechart_lab_create(const void *params, ploy_rng_key key, const ploy_env *env,
                                         void **out) {
    (void)key;
    statechart_lab *lab = ploy_env_alloc_zero(env, sizeof *lab);
    if (lab == NULL) return PLOY_ERR_MEMORY;
    memcpy(&lab->def, params, sizeof lab->def);
    lab->pressed = -1;
    ploy_result result = ploy_diags_create(STATECHART_LOST_MAX, env, &lab->lost);
    if (result == PLOY_OK) {
        result = statechart_take(lab, statechart_file, sizeof statechart_file - 1, NULL, env);
    }
    if (result == PLOY_OK) *out = lab;
    return result;
}

static ploy_box2 statechart_button(int32_t index) {
    ploy_vec2 corner = ploy_vec2_add(statechart_buttons, ploy_vec2_make(4.0f * (float)index, 0.0f));
    return ploy_box2_make(corner, ploy_vec2_add(corner, ploy_vec2_make(3.5f, 1.2f)));
}

static void statechart_press(statechart_lab *lab, int32_t button) {
    ploy_hsm_event event = ploy_hsm_event_make(statechart_events[button]);
    if (ploy_hsm_send(lab->hsm, &event) != PLOY_OK) return; // pressed too often in one step
    lab->pressed = button;
    lab->presses++;
    lab->idle = 0.0f;
}

static ploy_result statechart_lab_step(void *state, const ploy_sim_context *context) {
    statechart_lab *lab = state;
    memcpy(&lab->def, context->params, sizeof lab->def);
    lab->idle += context->dt;
    for (int32_t i = 0; i < context->input_count; i++) {
        const ploy_input *input = &context->inputs[i];
        if (input->kind == PLOY_INPUT_RELOAD) {
            ploy_result result =
                statechart_take(lab, input->bytes, input->size, context, context->env);
            if (result != PLOY_OK) return result;
        }
        if (!lab_input_is(input, "click")) continue;
        ploy_vec2 at = lab_input_point(input);
        for (int32_t k = 0; k < STATECHART_EVENTS; k++) {
            ploy_box2 box = statechart_button(k);
            bool inside =
                at.x >= box.min.x && at.x <= box.max.x && at.y >= box.min.y && at.y <= box.max.y;
            if (inside) statechart_press(lab, k);
        }
    }
    if (lab->def.every > 0.0f && lab->idle >= lab->def.every) {
        statechart_press(
            lab, ploy_rng_int_at(context->key, 1, context->tick, 0, 0, STATECHART_EVENTS - 1));
    }
    ploy_step_context step = lab_step_context(context, ploy_agent_id_make(0, 1));
    ploy_status status;
    return ploy_behavior_step(ploy_hsm_behavior(lab->hsm), &step, &status);
}

static void statechart_lab_draw(const void *state, ploy_draw *out) {
    const statechart_lab *lab = state;
    ploy_draw_key(out, PLOY_STYLE_GOOD, "active states");
    ploy_draw_key(out, PLOY_STYLE_WALL, "other states");
    ploy_draw_key(out, PLOY_STYLE_AGENT_A, "events to send");
    ploy_draw_key(out, PLOY_STYLE_TARGET, "event just sent, and transitions taken");
    ploy_draw_key(out, PLOY_STYLE_GHOST, "other transitions");
    ploy_agent_id owner = ploy_agent_id_make(0, 1);
    ploy_hsm_chart_draw(lab->chart, lab->hsm, ploy_vec2_make(0.0f, 0.0f), owner, out);
    for (int32_t i = 0; i < STATECHART_EVENTS; i++) {
        ploy_box2 box = statechart_button(i);
        const ploy_vec2 corners[5] = {
            box.min, {box.max.x, box.min.y}, box.max, {box.min.x, box.max.y}, box.min};
        bool lit = i == lab->pressed && lab->idle < 0.5f;
        ploy_style style = lit ? PLOY_STYLE_TARGET : PLOY_STYLE_AGENT_A;
        if (lit) ploy_draw_polygon(out, PLOY_LAYER_WORLD, style, owner, corners, 4, 0.5f);
        ploy_draw_polyline(out, PLOY_LAYER_WORLD, style, owner, corners, 5);
        ploy_draw_text(out, owner, ploy_vec2_add(box.min, ploy_vec2_make(0.4f, 0.4f)),
                       statechart_events[i]);
    }
}

// The innermost active state of a region, by number.
static int64_t statechart_innermost(const statechart_lab *lab, const char *region) {
    ploy_hsm_state states[32], around = ploy_hsm_type_find(lab->type, region);
    int32_t count = ploy_hsm_active(lab->hsm, states, 32);
    for (int32_t i = count - 1; i >= 0; i--) {
        ploy_hsm_state above = states[i];
        while (above.number != 0 && above.number != around.number) {
            above = ploy_hsm_type_parent(lab->type, above);
        }
        if (above.number != 0) return states[i].number;
    }
    return 0;
}

static void statechart_lab_describe(const void *state, ploy_describe *out) {
    const statechart_lab *lab = state;
    ploy_describe_begin_agent(out, "application", ploy_agent_id_make(0, 1));
    ploy_hsm_describe(lab->hsm, out);
    ploy_describe_end(out);
    ploy_describe_i64(out, "screen", PLOY_DERIVED, statechart_innermost(lab, "screen"));
    ploy_describe_i64(out, "music", PLOY_DERIVED, statechart_innermost(lab, "music"));
    ploy_describe_i64(out, "pressed", PLOY_STATE, lab->pressed);
    ploy_describe_i64(out, "presses", PLOY_STATE, lab->presses);
    ploy_describe_f32(out, "idle", PLOY_STATE, lab->idle);
    ploy_definition_text_describe(&lab->text, "definition", lab->lost, out);
}

static ploy_result statechart_lab_write(const void *state, int32_t definition, ploy_writer *out) {
    (void)definition;
    return ploy_definition_text_write(&((const statechart_lab *)state)->text, out);
}

static ploy_result statechart_lab_check(const void *state, int32_t definition, const void *bytes,
                                        size_t size, const ploy_env *env, ploy_diags *diags) {
    (void)state, (void)definition;
    ploy_hsm_type *type = NULL;
    ploy_hsm_chart *chart = NULL;
    ploy_result result = statechart_load(bytes, size, env, diags, &type);
    if (result == PLOY_OK) result = ploy_hsm_chart_create(type, env, &chart);
    ploy_hsm_chart_destroy(chart);
    ploy_hsm_type_destroy(type);
    return result;
}

static const ploy_command statechart_lab_commands[] = {
    {"click", "press the button there", PLOY_VALUE_VEC2, false, "Pointer"},
};

extern const ploy_sim_type ploy_lab_statechart; // in labs.c
const ploy_sim_type ploy_lab_statechart = {
    .name = "statechart",
    .title = "Statechart",
    .help =
        "The flow of an application as a statechart read from SCXML, with the active states and "
        "the rules taken last lit. Click the buttons to send events.",
    .version = 1,
    .capabilities = PLOY_SIM_INTERACTIVE | PLOY_SIM_RELOADS | PLOY_SIM_DIAGRAM,
    .dt = 1.0f / 60.0f,
    .view = {0.5f, -18.0f, 39.5f, 1.5f},
    .fields = statechart_lab_get_fields,
    .commands = statechart_lab_commands,
    .command_count = sizeof statechart_lab_commands / sizeof statechart_lab_commands[0],
    .create = statechart_lab_create,
    .destroy = NULL, // the region goes with the simulation
    .step = statechart_lab_step,
    .draw = statechart_lab_draw,
    .describe = statechart_lab_describe,
    .definitions = statechart_definitions,
    .definition_count = sizeof statechart_definitions / sizeof statechart_definitions[0],
    .write = statechart_lab_write,
    .check = statechart_lab_check,
};
