// The lab of scripted machines: miners whose states are tables of Lua functions. Edit the states
// while they run: each miner keeps its gold and continues in its state. Needs the component
// script_lua.
//
// The scene is Buckland's scripted miner ("Programming Game AI by Example", 2005, chapter 6).
#include <stdio.h>
#include <string.h>

#include "labs/lab_input.h"
#include "labs/labs.h"
#include "ploy/script/lua_sim.h"
#include "ploy/script/minds.h"

enum { MINER_MOST = 8, MINER_TEXT = 64, MINER_PLACES = 3 };

typedef struct miner_def {
    uint32_t cookie;
    int32_t miners;
    int32_t threshold;
} miner_def;

static const ploy_field miner_fields[] = {
    PLOY_FIELD_I32_FIXED(miner_def, miners, 3, 1, MINER_MOST, "", "how many"),
    PLOY_FIELD_I32(miner_def, threshold, 2, 0, 100, "", "fatigue above which a miner is tired"),
};

static ploy_fields miner_get_fields(void) {
    return PLOY_FIELDS(miner_def, miner_fields);
}

static const char miner_script[] =
    "-- A state is a table: enter, execute, exit and message are all optional.\n"
    "-- self is the miner's own table. Edit this while they work.\n"
    "local strikes = keep('strikes', 0)  -- of all miners, kept over edits\n"
    "\n"
    "local function tired(self) return (self.fatigue or 0) > threshold() end\n"
    "\n"
    "miner = { initial = 'home' }\n"
    "\n"
    "miner.home = {\n"
    "  enter = function(self) speak('Walking home.') end,\n"
    "  execute = function(self)\n"
    "    if tired(self) then change('sleep') else change('mine') end\n"
    "  end,\n"
    "  exit = function(self) speak('Getting ready.') end,\n"
    "}\n"
    "\n"
    "miner.sleep = {\n"
    "  enter = function(self) speak('Dozing off.') end,\n"
    "  execute = function(self)\n"
    "    if tired(self) then\n"
    "      self.fatigue = self.fatigue - 1\n"
    "      speak('Zzz...')\n"
    "    else\n"
    "      change('mine')\n"
    "    end\n"
    "  end,\n"
    "  exit = function(self) speak('Refreshed!') end,\n"
    "}\n"
    "\n"
    "miner.mine = {\n"
    "  enter = function(self) speak('Into the mine.') end,\n"
    "  execute = function(self)\n"
    "    self.fatigue = (self.fatigue or 0) + 1\n"
    "    self.gold = (self.gold or 0) + 2\n"
    "    strikes = strikes + 1\n"
    "    speak('Gold: ' .. self.gold .. ', strike ' .. strikes)\n"
    "    if self.gold > 4 then change('home') end\n"
    "  end,\n"
    "  exit = function(self) speak('Out of the mine.') end,\n"
    "}\n";

static const ploy_definition miner_definitions[] = {
    {"miner", "lua", "the states; an edit keeps what each miner has and the state it is in"},
};

typedef struct miner_one {
    ploy_behavior mind;
    char said[MINER_TEXT];
    int64_t gold, fatigue;
} miner_one;

typedef struct miner_lab {
    ploy_env env;
    miner_def def;
    ploy_lua *lua;
    ploy_lua_minds *minds;
    ploy_lua_machine *machine;
    ploy_definition_text text;
    ploy_diags *lost; // what the last edit restarted
    int32_t count;
    int32_t reserved;
    miner_one miners[MINER_MOST];
} miner_lab;

static ploy_result miner_speak(void *user, ploy_lua_frame *frame) {
    miner_lab *lab = user;
    const ploy_step_context *context = ploy_lua_minds_context(lab->minds);
    uint32_t index = context != NULL ? context->agent.id.index : 0;
    if (index >= 1 && index <= MINER_MOST) {
        snprintf(lab->miners[index - 1].said, MINER_TEXT, "%s", frame->args[0].as.text);
    }
    return PLOY_OK;
}

static ploy_result miner_threshold(void *user, ploy_lua_frame *frame) {
    frame->results[0] = ploy_value_i64(((const miner_lab *)user)->def.threshold);
    frame->result_count = 1;
    return PLOY_OK;
}

// A state with the lab's functions, and the machine of a text. On failure everything is freed.
static ploy_result miner_open(miner_lab *lab, const void *bytes, size_t size, const ploy_env *env,
                              ploy_diags *diags) {
    const ploy_lua_function functions[] = {
        {"speak", miner_speak, "(text)", 2, lab},
        {"threshold", miner_threshold, "()", 1, lab},
    };
    ploy_lua_def def = ploy_lua_def_default();
    def.memory_kb = 12288; // far less than the region of a simulation
    ploy_result result = ploy_lua_create(&def, env, &lab->lua);
    if (result == PLOY_OK) result = ploy_lua_minds_create(lab->lua, env, &lab->minds);
    for (size_t i = 0; i < sizeof functions / sizeof functions[0] && result == PLOY_OK; i++) {
        result = ploy_lua_register(lab->lua, &functions[i]);
    }
    if (result == PLOY_OK) result = ploy_lua_minds_load(lab->minds, bytes, size, "miner", diags);
    if (result == PLOY_OK) {
        result = ploy_lua_machine_create(lab->minds, "miner", NULL, env, diags, &lab->machine);
    }
    if (result == PLOY_OK) return PLOY_OK;
    ploy_lua_minds_destroy(lab->minds);
    ploy_lua_destroy(lab->lua);
    lab->minds = NULL;
    lab->lua = NULL;
    return result;
}

static ploy_step_context miner_context(const ploy_sim_context *sim, int32_t index) {
    return lab_step_context(sim, ploy_agent_id_make((uint32_t)index + 1, 1));
}

static ploy_result miner_create(const void *params, ploy_rng_key key, const ploy_env *env,
                                void **out) {
    miner_lab *lab = ploy_env_alloc_zero(env, sizeof *lab);
    if (lab == NULL) return PLOY_ERR_MEMORY;
    lab->env = *env;
    lab->def = *(const miner_def *)params;
    lab->count = lab->def.miners;
    ploy_result result = ploy_diags_create(16, env, &lab->lost);
    if (result == PLOY_OK) {
        result = miner_open(lab, miner_script, sizeof miner_script - 1, env, NULL);
    }
    if (result == PLOY_OK) ploy_lua_tick(lab->lua, key, 0);
    for (int32_t i = 0; i < lab->count && result == PLOY_OK; i++) {
        ploy_step_context context = miner_context(NULL, i);
        ploy_maker maker = ploy_fsm_type_maker(ploy_lua_machine_type(lab->machine));
        result = ploy_maker_make(maker, env, &lab->miners[i].mind);
        if (result == PLOY_OK) result = ploy_behavior_enter(lab->miners[i].mind, &context);
    }
    if (result == PLOY_OK) {
        result = ploy_definition_text_set(&lab->text, miner_script, sizeof miner_script - 1, env);
    }
    if (result != PLOY_OK) return result; // the region goes with the simulation
    *out = lab;
    return PLOY_OK;
}

// The edited text, in the same state: agents keep their tables, machines their state by name.
static ploy_result miner_reload(miner_lab *lab, const ploy_input *input,
                                const ploy_sim_context *sim) {
    ploy_lua_machine *edited = NULL;
    ploy_diags_clear(lab->lost);
    ploy_result result = ploy_lua_minds_load(lab->minds, input->bytes, input->size, "miner", NULL);
    if (result == PLOY_OK) {
        result = ploy_lua_machine_create(lab->minds, "miner", NULL, sim->env, NULL, &edited);
    }
    for (int32_t i = 0; i < lab->count && result == PLOY_OK; i++) {
        ploy_step_context context = miner_context(sim, i);
        ploy_behavior fresh;
        result =
            ploy_maker_make(ploy_fsm_type_maker(ploy_lua_machine_type(edited)), sim->env, &fresh);
        if (result == PLOY_OK) {
            result =
                ploy_behavior_reload(lab->miners[i].mind, fresh, &context, sim->env, lab->lost);
        }
        if (result != PLOY_OK) break;
        ploy_behavior_destroy(lab->miners[i].mind);
        lab->miners[i].mind = fresh;
    }
    if (result != PLOY_OK) return result;
    ploy_lua_machine_destroy(lab->machine);
    lab->machine = edited;
    return ploy_definition_text_set(&lab->text, input->bytes, input->size, sim->env);
}

// Numbers of a miner's own table, for the picture.
static void miner_read(miner_lab *lab, int32_t index) {
    miner_one *one = &lab->miners[index];
    ploy_lua_ref self;
    ploy_value value;
    double number = 0.0;
    if (ploy_lua_minds_self(lab->minds, ploy_agent_id_make((uint32_t)index + 1, 1), &self) !=
        PLOY_OK) {
        return;
    }
    one->gold = one->fatigue = 0;
    if (ploy_lua_get(lab->lua, self, "gold", &value) == PLOY_OK &&
        ploy_value_number(&value, &number)) {
        one->gold = (int64_t)number;
    }
    if (ploy_lua_get(lab->lua, self, "fatigue", &value) == PLOY_OK &&
        ploy_value_number(&value, &number)) {
        one->fatigue = (int64_t)number;
    }
    (void)ploy_lua_release(lab->lua, self);
}

static ploy_result miner_step(void *state, const ploy_sim_context *sim) {
    miner_lab *lab = state;
    lab->def = *(const miner_def *)sim->params;
    ploy_lua_sim_begin(lab->lua, "miner", sim);
    for (int32_t i = 0; i < sim->input_count; i++) {
        if (sim->inputs[i].kind != PLOY_INPUT_RELOAD) continue;
        ploy_result result = miner_reload(lab, &sim->inputs[i], sim);
        if (result != PLOY_OK) return result;
    }
    for (int32_t i = 0; i < lab->count; i++) {
        // Not all at once: each in its own tick.
        if ((sim->tick + (uint64_t)i) % (uint64_t)MINER_MOST != 0) continue;
        ploy_step_context context = miner_context(sim, i);
        ploy_status status;
        // An error of an edited script is shown; it ends that turn, not the lab.
        if (ploy_behavior_step(lab->miners[i].mind, &context, &status) != PLOY_OK) {
            snprintf(lab->miners[i].said, MINER_TEXT, "%.60s", ploy_lua_error(lab->lua));
        }
        miner_read(lab, i);
    }
    return ploy_lua_sim_end(lab->lua, "miner", sim);
}

static const char *miner_state(const miner_lab *lab, int32_t index) {
    const ploy_fsm *fsm = lab->miners[index].mind.self;
    return ploy_fsm_type_id(ploy_lua_machine_type(lab->machine), ploy_fsm_current(fsm));
}

static void miner_draw(const void *state, ploy_draw *out) {
    static const struct {
        const char *name;
        float x;
    } places[MINER_PLACES] = {{"home", 8.0f}, {"sleep", 20.0f}, {"mine", 32.0f}};
    const miner_lab *lab = state;
    ploy_draw_key(out, PLOY_STYLE_AGENT_A, "miners");
    ploy_draw_key(out, PLOY_STYLE_FLOOR, "places");
    ploy_agent_id none = ploy_agent_id_none();
    for (int32_t i = 0; i < MINER_PLACES; i++) {
        ploy_draw_disc(out, PLOY_LAYER_WORLD, PLOY_STYLE_FLOOR, none,
                       ploy_vec2_make(places[i].x, 14.0f), 5.0f, 1.0f);
        ploy_draw_text(out, none, ploy_vec2_make(places[i].x - 2.0f, 20.0f), places[i].name);
    }
    for (int32_t i = 0; i < lab->count; i++) {
        ploy_agent_id id = ploy_agent_id_make((uint32_t)i + 1, 1);
        float x = 40.0f; // a state of an edited script
        for (int32_t k = 0; k < MINER_PLACES; k++) {
            if (strcmp(places[k].name, miner_state(lab, i)) == 0) x = places[k].x;
        }
        ploy_draw_agent(out, PLOY_STYLE_AGENT_A, id, ploy_vec2_make(x, 17.0f - 1.6f * (float)i),
                        0.0f, 0.6f);
        char text[128];
        snprintf(text, sizeof text, "%d %s: gold %lld, fatigue %lld. %s", (int)i + 1,
                 miner_state(lab, i), (long long)lab->miners[i].gold,
                 (long long)lab->miners[i].fatigue, lab->miners[i].said);
        ploy_draw_text(out, id, ploy_vec2_make(2.0f, 7.0f - (float)i), text);
    }
}

static void miner_describe(const void *state, ploy_describe *out) {
    const miner_lab *lab = state;
    for (int32_t i = 0; i < lab->count; i++) {
        ploy_agent_id id = ploy_agent_id_make((uint32_t)i + 1, 1);
        lab_begin_numbered(out, "miner", i + 1, id);
        ploy_describe_text(out, "state", PLOY_DERIVED, miner_state(lab, i));
        ploy_describe_i64(out, "gold", PLOY_STATE, lab->miners[i].gold);
        ploy_describe_i64(out, "fatigue", PLOY_STATE, lab->miners[i].fatigue);
        ploy_describe_text(out, "said", PLOY_STATE, lab->miners[i].said);
        ploy_behavior_describe(lab->miners[i].mind, out);
        ploy_describe_end(out);
    }
    ploy_describe_begin(out, "lua");
    ploy_lua_describe(lab->lua, out);
    ploy_describe_end(out);
    ploy_definition_text_describe(&lab->text, "definition", lab->lost, out);
}

static ploy_result miner_write(const void *state, int32_t definition, ploy_writer *out) {
    (void)definition;
    return ploy_definition_text_write(&((const miner_lab *)state)->text, out);
}

// A text is tried in a separate state.
static ploy_result miner_check(const void *state, int32_t definition, const void *bytes,
                               size_t size, const ploy_env *env, ploy_diags *diags) {
    miner_lab desk;
    (void)definition;
    memset(&desk, 0, sizeof desk);
    desk.def = ((const miner_lab *)state)->def;
    ploy_result result = miner_open(&desk, bytes, size, env, diags);
    if (result != PLOY_OK) return result;
    ploy_lua_machine_destroy(desk.machine);
    ploy_lua_minds_destroy(desk.minds);
    ploy_lua_destroy(desk.lua);
    return PLOY_OK;
}

extern const ploy_sim_type ploy_lab_miner; // in labs.c
const ploy_sim_type ploy_lab_miner = {
    .name = "miner",
    .title = "A machine in Lua",
    .help =
        "Miners whose states are Lua functions. Edit the states while they run: each miner keeps "
        "its gold and continues in its state.",
    .version = 1,
    .capabilities = PLOY_SIM_RELOADS | PLOY_SIM_DIAGRAM,
    .dt = 0.1f,
    .view = {0.0f, -2.0f, 46.0f, 24.0f},
    .fields = miner_get_fields,
    .create = miner_create,
    .destroy = NULL, // the region goes with the simulation
    .step = miner_step,
    .draw = miner_draw,
    .describe = miner_describe,
    .definitions = miner_definitions,
    .definition_count = sizeof miner_definitions / sizeof miner_definitions[0],
    .write = miner_write,
    .check = miner_check,
    .runtime = ploy_lua_version,
};
