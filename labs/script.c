// The lab of programs: each text as source, tokens, tree and code, the first one stepped instruction
// by instruction; a character in five stages, a monitor, an atomic block, and a thousand programs
// that share a budget.
//
// All five texts can be edited while they run: an instance continues in its statement. All state is
// in the instances; the programs themselves are definitions.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "labs/lab_input.h"
#include "labs/labs.h"
#include "ploy/base/writer.h"
#include "ploy/decide/program.h"

enum { SCRIPT_MINDS = 1000, SCRIPT_LINES = 40, SCRIPT_STAGES = 5, SCRIPT_COLUMNS = 50 };
enum { SCRIPT_CODE = 3 }; // of what is shown
enum { SCRIPT_MINER, SCRIPT_STAGED, SCRIPT_MONITOR, SCRIPT_ATOMIC, SCRIPT_CROWD, SCRIPT_PROGRAMS };

static const char *const script_shows[] = {"source", "tokens", "tree", "code"};
// Also the names of the definitions.
static const char *const script_names[] = {"script", "stages", "monitor", "atomic", "crowd"};

typedef struct script_lab_def {
    uint32_t cookie;
    int32_t program;
    int32_t show;
    int32_t units;
    int32_t budget;
    bool paused;
} script_lab_def;

static const ploy_field script_lab_fields[] = {
    PLOY_FIELD_ENUM(script_lab_def, program, 0, script_names, "which program is shown"),
    PLOY_FIELD_ENUM(script_lab_def, show, 0, script_shows, "what is shown of it"),
    PLOY_FIELD_I32(script_lab_def, units, 6, 1, 1000, "units", "of the first program, a tick"),
    PLOY_FIELD_I32(script_lab_def, budget, 4000, 1, 1000000, "units",
                   "of the thousand programs together, a tick"),
    PLOY_FIELD_BOOL(script_lab_def, paused, false, "the first program waits for the command step"),
};

static ploy_fields script_lab_get_fields(void) {
    return PLOY_FIELDS(script_lab_def, script_lab_fields);
}

static const char script_miner[] = "keep gold = 0\n"
                                   "keep bank = 0\n"
                                   "function dig(n) {\n"
                                   "  for i = 1, n { gold += i }\n"
                                   "  return gold\n"
                                   "}\n"
                                   "while true {\n"
                                   "  if dig(3) > 9 {\n"
                                   "    bank += gold; gold = 0\n"
                                   "    wait 1\n"
                                   "  }\n"
                                   "  yield\n"
                                   "}\n";

static const char *const script_sources[SCRIPT_PROGRAMS] = {
    script_miner,
    "while true {\n  for k = 0, 4 { stage(k); yield }\n}\n",
    "monitor\nkeep looks = 0\nlooks += 1\nfor i = 1, 1000 { }\n",
    "keep blocks = 0\nwhile true {\n  atomic { for i = 1, 60 { } blocks += 1 }\n  yield\n}\n",
    "keep done = 0\nwhile true {\n  for i = 1, 5 + random() * 20 { done += i }\n  yield\n}\n",
};

static const ploy_definition script_definitions[] = {
    {"script", "ploy", "the first program; it continues in the statement that it is in"},
    {"stages", "ploy", "a character in five stages, one in each tick"},
    {"monitor", "ploy", "restarts in every tick"},
    {"atomic", "ploy", "a block that no budget interrupts"},
    {"crowd", "ploy", "the program of the thousand"},
};

typedef struct script_lab {
    ploy_env env;
    script_lab_def def; // as of the last step: drawing needs it
    ploy_program_host host;
    ploy_program_scope scope;
    ploy_program *programs[SCRIPT_PROGRAMS];
    ploy_behavior single[SCRIPT_CROWD]; // one of each but the crowd
    ploy_behavior minds[SCRIPT_MINDS];
    ploy_definition_text texts[SCRIPT_PROGRAMS];
    ploy_buffer listing;          // source, tokens, tree or code
    int32_t listed, listed_of;    // what it holds and of which program, -1 for nothing
    uint64_t seen[SCRIPT_STAGES]; // the last tick of each stage, from 1
    int32_t next;                 // of minds
    int32_t turns;                // in the last tick
    int64_t spent;
} script_lab;

static ploy_result script_stage(void *user, ploy_step_context *context, const ploy_value *args,
                                ploy_value *out) {
    script_lab *lab = user;
    (void)out;
    int32_t k = (int32_t)args[0].as.f64;
    if (k >= 0 && k < SCRIPT_STAGES) lab->seen[k] = context->tick + 1;
    return PLOY_OK;
}

static ploy_result script_compile(script_lab *lab, int32_t which, const char *text, size_t size,
                                  const ploy_env *env, ploy_diags *diags, ploy_program **out) {
    ploy_program_def def = ploy_program_def_default();
    def.stack = 64;
    return ploy_program_create(&def, text, size, script_names[which], &lab->scope, env, diags, out);
}

// The instance whose place is shown; of the crowd it is the first.
static const ploy_program_instance *script_instance(const script_lab *lab, int32_t which) {
    return which == SCRIPT_CROWD ? lab->minds[0].self : lab->single[which].self;
}

static ploy_result script_lab_create(const void *params, ploy_rng_key key, const ploy_env *env,
                                     void **out) {
    script_lab *lab = ploy_env_alloc_zero(env, sizeof *lab);
    (void)key;
    if (lab == NULL) return PLOY_ERR_MEMORY;
    lab->env = *env;
    lab->def = *(const script_lab_def *)params;
    lab->listed = -1;
    lab->host = (ploy_program_host){"stage", script_stage, "(number)", 0, lab};
    lab->scope.hosts = &lab->host;
    lab->scope.host_count = 1;
    ploy_buffer_init(&lab->listing, 0, env);
    ploy_result result = PLOY_OK;
    for (int32_t i = 0; i < SCRIPT_PROGRAMS && result == PLOY_OK; i++) {
        size_t size = strlen(script_sources[i]);
        result = script_compile(lab, i, script_sources[i], size, env, NULL, &lab->programs[i]);
        if (result == PLOY_OK && i != SCRIPT_CROWD) {
            result = ploy_program_behavior(lab->programs[i], env, &lab->single[i]);
        }
        if (result == PLOY_OK) {
            result = ploy_definition_text_set(&lab->texts[i], script_sources[i], size, env);
        }
    }
    for (int32_t i = 0; i < SCRIPT_MINDS && result == PLOY_OK; i++) {
        result = ploy_program_behavior(lab->programs[SCRIPT_CROWD], env, &lab->minds[i]);
    }
    if (result != PLOY_OK) return result; // the region goes with the simulation
    *out = lab;
    return PLOY_OK;
}

// What the drawing shows, made when it changes: drawing itself allocates nothing.
static ploy_result script_list(script_lab *lab) {
    int32_t which = lab->def.program;
    const ploy_definition_text *text = &lab->texts[which];
    if (lab->listed == lab->def.show && lab->listed_of == which) return PLOY_OK;
    ploy_buffer_clear(&lab->listing);
    ploy_writer writer = ploy_buffer_writer(&lab->listing);
    ploy_result result = PLOY_OK;
    switch (lab->def.show) {
    case 0: ploy_write_bytes(&writer, text->bytes, text->size); break;
    case 1:
        result = ploy_program_print_tokens(text->bytes, text->size, false, &lab->env, &writer);
        break;
    case 2:
        result = ploy_program_print_tree(text->bytes, text->size, script_names[which], &lab->env,
                                         NULL, &writer);
        break;
    default: ploy_program_print_code(lab->programs[which], &writer); break;
    }
    lab->listed = lab->def.show;
    lab->listed_of = which;
    return result == PLOY_OK ? ploy_writer_result(&writer) : result;
}

static ploy_step_context script_context(const ploy_sim_context *context, uint32_t agent,
                                        ploy_budget *budget) {
    ploy_step_context made = lab_step_context(context, ploy_agent_id_make(agent, 1));
    made.budget = budget;
    return made;
}

// Continues one instance with another program.
static ploy_result script_exchange(ploy_behavior *mind, const ploy_program *program, uint32_t agent,
                                   const ploy_sim_context *context) {
    ploy_behavior fresh;
    ploy_step_context step = script_context(context, agent, NULL);
    ploy_result result = ploy_program_behavior(program, context->env, &fresh);
    if (result != PLOY_OK) return result;
    result = ploy_behavior_reload(*mind, fresh, &step, context->env, NULL);
    if (result != PLOY_OK) {
        ploy_behavior_destroy(fresh);
        return result;
    }
    ploy_behavior_destroy(*mind);
    *mind = fresh;
    return PLOY_OK;
}

// Continues a program with another text.
static ploy_result script_reload(script_lab *lab, const ploy_input *input,
                                 const ploy_sim_context *context) {
    ploy_program *program = NULL;
    int32_t which = 0;
    while (which < SCRIPT_PROGRAMS && strcmp(script_names[which], input->name) != 0) which++;
    if (which == SCRIPT_PROGRAMS) return PLOY_ERR_NOT_FOUND;
    ploy_result result =
        script_compile(lab, which, input->bytes, input->size, context->env, NULL, &program);
    if (result != PLOY_OK) return result;
    if (which != SCRIPT_CROWD) {
        result = script_exchange(&lab->single[which], program, (uint32_t)which + 1, context);
    }
    for (int32_t i = 0; which == SCRIPT_CROWD && i < SCRIPT_MINDS && result == PLOY_OK; i++) {
        result = script_exchange(&lab->minds[i], program, (uint32_t)i + 10, context);
    }
    if (result != PLOY_OK) return result; // some of the crowd may have either program
    ploy_program_destroy(lab->programs[which]);
    lab->programs[which] = program;
    lab->listed = -1;
    return ploy_definition_text_set(&lab->texts[which], input->bytes, input->size, context->env);
}

// Turns in order, from where the last tick's budget ended.
static void script_crowd(script_lab *lab, const ploy_sim_context *context) {
    ploy_budget budget = ploy_budget_units(lab->def.budget);
    lab->turns = 0;
    while (!ploy_budget_empty(&budget) && lab->turns < SCRIPT_MINDS) {
        ploy_step_context step = script_context(context, (uint32_t)lab->next + 10, &budget);
        ploy_program_instance *mind = lab->minds[lab->next].self;
        ploy_status status;
        (void)ploy_program_step(mind, &step, &status);
        lab->turns++;
        bool cut = ploy_program_state_of(mind) == PLOY_PROGRAM_STOPPED;
        ploy_trace_begin(step.trace, step.agent, "turn", "budget");
        ploy_trace_option(step.trace, "run to its next wait",
                          cut ? PLOY_OUTCOME_REJECTED : PLOY_OUTCOME_WON, (double)NAN,
                          cut ? "the budget is spent" : "the budget was enough");
        ploy_trace_option(step.trace, "continue in the next tick",
                          cut ? PLOY_OUTCOME_WON : PLOY_OUTCOME_REJECTED, (double)NAN,
                          cut ? "instructions are left" : "nothing is left to do now");
        ploy_trace_end(step.trace);
        // One that was cut off goes on first in the next tick.
        if (cut) break;
        lab->next = (lab->next + 1) % SCRIPT_MINDS;
    }
    lab->spent = budget.spent;
}

static ploy_result script_lab_step(void *state, const ploy_sim_context *context) {
    script_lab *lab = state;
    ploy_status status;
    int64_t units;
    lab->def = *(const script_lab_def *)context->params;
    units = lab->def.paused ? 0 : lab->def.units;
    for (int32_t i = 0; i < context->input_count; i++) {
        const ploy_input *input = &context->inputs[i];
        if (input->kind == PLOY_INPUT_RELOAD) {
            ploy_result result = script_reload(lab, input, context);
            if (result != PLOY_OK) return result;
        } else if (lab_input_is(input, "step")) {
            units = 1;
        } else if (lab_input_is(input, "restart")) {
            ploy_program_instance_restart(lab->single[SCRIPT_MINER].self);
        }
    }
    ploy_budget budget = ploy_budget_units(units);
    ploy_step_context step = script_context(context, 1, &budget);
    // An error of an edited program is shown; it ends that program, not the lab.
    if (units > 0) (void)ploy_behavior_step(lab->single[SCRIPT_MINER], &step, &status);
    for (int32_t i = SCRIPT_STAGED; i <= SCRIPT_ATOMIC; i++) {
        budget = ploy_budget_units(i == SCRIPT_STAGED ? 1000 : 40);
        step = script_context(context, (uint32_t)i + 1, &budget);
        (void)ploy_behavior_step(lab->single[i], &step, &status);
    }
    script_crowd(lab, context);
    return script_list(lab);
}

static double script_variable(const ploy_program_instance *instance, const char *name) {
    ploy_value value = ploy_value_none();
    double number = 0.0;
    if (ploy_program_get(instance, name, &value)) (void)ploy_value_number(&value, &number);
    return number;
}

// The listing as a table: a mark at the next statement or instruction, the number of the line, its text.
static void script_draw_listing(const script_lab *lab, ploy_draw *out) {
    bool crowd = lab->def.program == SCRIPT_CROWD;
    ploy_agent_id owner = ploy_agent_id_make(crowd ? 10 : (uint32_t)lab->def.program + 1, 1);
    ploy_program_place place = ploy_program_place_of(script_instance(lab, lab->def.program));
    const char *text = ploy_buffer_text(&lab->listing);
    int32_t instruction = 0; // of the line; in a listing of code these lines are indented
    char table[(SCRIPT_LINES + 2) * (SCRIPT_COLUMNS + 16)];
    int used = snprintf(table, sizeof table, "lrl\n\tline\t%s", script_shows[lab->def.show]);
    for (int32_t line = 1; line <= SCRIPT_LINES && *text != 0; line++) {
        const char *end = strchr(text, '\n');
        int size = (int)(end != NULL ? end - text : (ptrdiff_t)strlen(text));
        bool here = lab->listed == 0 && line == place.line;
        if (lab->listed == SCRIPT_CODE && *text == ' ') here = instruction++ == place.instruction;
        int from = used + snprintf(table + used, sizeof table - (size_t)used, "\n%s\t%d\t",
                                   here ? ">" : "", (int)line);
        used = from + snprintf(table + from, sizeof table - (size_t)from, "%.*s",
                               size < SCRIPT_COLUMNS ? size : SCRIPT_COLUMNS, text);
        for (int i = from; i < used; i++) {
            if (table[i] == '\t') table[i] = ' '; // a tab would begin another cell
        }
        if (end == NULL) break;
        text = end + 1;
    }
    ploy_draw_table(out, owner, ploy_vec2_make(1.0f, 42.0f), table);
}

static void script_lab_draw(const void *state, ploy_draw *out) {
    const script_lab *lab = state;
    ploy_draw_key(out, PLOY_STYLE_AGENT_A, "stage at present");
    ploy_draw_key(out, PLOY_STYLE_AGENT_B, "program that had a turn");
    ploy_draw_key(out, PLOY_STYLE_FLOOR, "the others");
    ploy_agent_id none = ploy_agent_id_none();
    char text[128];
    const ploy_program_instance *shown = script_instance(lab, lab->def.program);
    ploy_program_place place = ploy_program_place_of(shown);
    snprintf(text, sizeof text, "%s, %s: %s, line %d, instruction %d, depth %d, %lld units",
             script_names[lab->def.program], script_shows[lab->def.show],
             ploy_program_state_text(ploy_program_state_of(shown)), (int)place.line,
             (int)place.instruction, (int)place.depth, (long long)ploy_program_units(shown));
    ploy_draw_text(out, ploy_agent_id_make(1, 1), ploy_vec2_make(1.0f, 45.0f), text);
    script_draw_listing(lab, out);
    for (int32_t k = 0; k < SCRIPT_STAGES; k++) {
        uint64_t latest = 0;
        for (int32_t i = 0; i < SCRIPT_STAGES; i++) {
            if (lab->seen[i] > latest) latest = lab->seen[i];
        }
        bool now = lab->seen[k] == latest && latest > 0;
        ploy_draw_disc(out, PLOY_LAYER_AGENTS, now ? PLOY_STYLE_AGENT_A : PLOY_STYLE_FLOOR,
                       ploy_agent_id_make(2, 1), ploy_vec2_make(42.0f + 3.0f * (float)k, 38.0f),
                       1.2f, 1.0f);
    }
    ploy_draw_text(out, none, ploy_vec2_make(40.0f, 40.0f), "five stages, one a tick");
    snprintf(text, sizeof text, "monitor: restarted %.0f times",
             script_variable(lab->single[SCRIPT_MONITOR].self, "looks"));
    ploy_draw_text(out, none, ploy_vec2_make(40.0f, 35.0f), text);
    snprintf(text, sizeof text, "atomic: %.0f whole blocks in budgets of 40",
             script_variable(lab->single[SCRIPT_ATOMIC].self, "blocks"));
    ploy_draw_text(out, none, ploy_vec2_make(40.0f, 33.0f), text);
    snprintf(text, sizeof text, "%d of %d programs (%d bytes): %lld units", (int)lab->turns,
             SCRIPT_MINDS, (int)ploy_program_instance_size(lab->programs[SCRIPT_CROWD]),
             (long long)lab->spent);
    ploy_draw_text(out, none, ploy_vec2_make(40.0f, 31.0f), text);
    for (int32_t i = 0; i < SCRIPT_MINDS; i++) {
        ploy_vec2 at =
            ploy_vec2_make(40.5f + 0.9f * (float)(i % 40), 28.0f - 0.9f * (float)(i / 40));
        int32_t behind = (lab->next - 1 - i + SCRIPT_MINDS) % SCRIPT_MINDS;
        bool ran = behind < lab->turns;
        ploy_draw_disc(out, PLOY_LAYER_AGENTS, ran ? PLOY_STYLE_AGENT_B : PLOY_STYLE_FLOOR,
                       ploy_agent_id_make((uint32_t)i + 10, 1), at, 0.35f, 1.0f);
    }
}

static void script_lab_describe(const void *state, ploy_describe *out) {
    const script_lab *lab = state;
    ploy_describe_begin(out, "miner");
    ploy_behavior_describe(lab->single[SCRIPT_MINER], out);
    ploy_describe_end(out);
    for (int32_t i = SCRIPT_STAGED; i <= SCRIPT_ATOMIC; i++) {
        ploy_describe_begin_item(out, i);
        ploy_visit_describe(ploy_program_visit, lab->single[i].self, NULL, out);
        ploy_describe_end(out);
    }
    for (int32_t k = 0; k < SCRIPT_STAGES; k++) {
        ploy_describe_u64(out, "seen", PLOY_STATE, lab->seen[k]);
    }
    uint64_t hash = 0;
    double done = 0.0;
    for (int32_t i = 0; i < SCRIPT_MINDS; i++) {
        hash = hash * 31 + ploy_visit_hash(ploy_program_visit, lab->minds[i].self, NULL);
        done += script_variable(lab->minds[i].self, "done");
    }
    ploy_describe_u64(out, "minds", PLOY_STATE, hash);
    ploy_describe_f64(out, "done", PLOY_DERIVED, done);
    ploy_describe_i64(out, "next", PLOY_STATE, lab->next);
    ploy_describe_i64(out, "turns", PLOY_STATE, lab->turns);
    ploy_describe_i64(out, "spent", PLOY_STATE, lab->spent);
    for (int32_t i = 0; i < SCRIPT_PROGRAMS; i++) {
        ploy_definition_text_describe(&lab->texts[i], "definition", NULL, out);
    }
}

static ploy_result script_lab_write(const void *state, int32_t definition, ploy_writer *out) {
    return ploy_definition_text_write(&((const script_lab *)state)->texts[definition], out);
}

static ploy_result script_lab_check(const void *state, int32_t definition, const void *bytes,
                                    size_t size, const ploy_env *env, ploy_diags *diags) {
    script_lab desk = *(const script_lab *)state; // its scope; the text is compiled for the faults
    ploy_program *program = NULL;
    desk.scope.hosts = &desk.host;
    ploy_result result = script_compile(&desk, definition, bytes, size, env, diags, &program);
    ploy_program_destroy(program);
    return result;
}

static const ploy_command script_lab_commands[] = {
    {"step", "execute one instruction of the first program", PLOY_VALUE_NONE, false, "s"},
    {"restart", "restart the first program", PLOY_VALUE_NONE, false, "r"},
};

extern const ploy_sim_type ploy_lab_script; // in labs.c
const ploy_sim_type ploy_lab_script = {
    .name = "script",
    .title = "Programs",
    .help = "Programs as source, tokens, tree and code. Pause the first one and press s for one "
            "instruction, or edit any while it runs. A thousand programs share one budget.",
    .version = 2,
    .capabilities = PLOY_SIM_INTERACTIVE | PLOY_SIM_RELOADS | PLOY_SIM_DIAGRAM,
    .dt = 1.0f / 30.0f,
    .view = {0.0f, 0.0f, 78.0f, 47.0f},
    .fields = script_lab_get_fields,
    .commands = script_lab_commands,
    .command_count = sizeof script_lab_commands / sizeof script_lab_commands[0],
    .create = script_lab_create,
    .destroy = NULL, // the region goes with the simulation
    .step = script_lab_step,
    .draw = script_lab_draw,
    .describe = script_lab_describe,
    .definitions = script_definitions,
    .definition_count = sizeof script_definitions / sizeof script_definitions[0],
    .write = script_lab_write,
    .check = script_lab_check,
};
