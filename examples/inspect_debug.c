// Debug a script that has already run: a miner digs for nine ticks, then a breakpoint with a
// condition finds the tick in which he got rich, and steps go out of the function and back again.
// Then the last three ticks are counted. You see each stop, the lines that ran and the units of each
// function. Shows ploy_debug_create, ploy_debug_step, ploy_debug_result and ploy_debug_profile.
#include <stdio.h>
#include <string.h>

#include "ploy/base/writer.h"
#include "ploy/decide/program.h"
#include "ploy/inspect/debugger.h"

static const char text[] = "keep gold = 0\n"
                           "function dig(n) {\n"
                           "  gold += n\n"
                           "  return gold\n"
                           "}\n"
                           "while true {\n"
                           "  dig(2)\n"
                           "  yield\n"
                           "}\n";

// It has no parameters, so its def is only the cookie.
static ploy_fields fields(void) {
    return ploy_fields_make("miner", NULL, 0, sizeof(uint32_t));
}

// A simulation that steps one program. All of it is in the simulation's memory, so it rewinds.
static ploy_result create(const void *params, ploy_rng_key key, const ploy_env *env, void **out) {
    (void)params, (void)key;
    ploy_program_def def = ploy_program_def_default();
    ploy_program *program = NULL;
    ploy_program_instance *miner = NULL;
    ploy_result result =
        ploy_program_create(&def, text, sizeof text - 1, "miner.ploy", NULL, env, NULL, &program);
    if (result == PLOY_OK) result = ploy_program_instance_create(program, env, &miner);
    *out = miner;
    return result;
}

static ploy_result step(void *miner, const ploy_sim_context *sim) {
    ploy_step_context context = ploy_step_context_make(ploy_agent_id_make(1, 1), NULL, sim->dt);
    context.trace = sim->trace; // the debugger's probe comes this way
    ploy_status status;
    return ploy_program_step(miner, &context, &status);
}

static void draw(const void *miner, ploy_draw *out) {
    (void)miner, (void)out;
}

static void describe(const void *miner, ploy_describe *out) {
    ploy_visit_describe(ploy_program_visit, miner, NULL, out);
}

static ploy_debug_query ask(ploy_recorder *recorder, ploy_debug_query query, const ploy_env *env) {
    ploy_debug *debug = NULL;
    if (ploy_debug_create(recorder, &query, env, NULL, &debug) != PLOY_OK) return query;
    if (ploy_debug_step(debug, NULL) == PLOY_OK && ploy_debug_result(debug)->found) {
        const ploy_debug_stop *stop = ploy_debug_result(debug);
        printf("%-8s tick %d, line %d%s%s\n", ploy_debug_move_text(query.move), (int)stop->tick,
               (int)stop->line, stop->function[0] != 0 ? " in " : "", stop->function);
        query.tick = stop->tick; // the next move begins here
        query.at = stop->at;
    }
    ploy_debug_destroy(debug);
    return query;
}

// Coverage and profile of recorded ticks.
static void count(ploy_recorder *recorder, uint64_t tick, uint64_t ticks, const ploy_env *env) {
    ploy_debug *debug = NULL;
    ploy_debug_query query = ploy_debug_query_default();
    query.move = PLOY_DEBUG_COUNT;
    query.tick = tick;
    query.ticks = ticks;
    if (ploy_debug_create(recorder, &query, env, NULL, &debug) != PLOY_OK) return;
    if (ploy_debug_step(debug, NULL) == PLOY_OK) {
        ploy_buffer printed;
        ploy_buffer_init(&printed, 0, env);
        ploy_writer writer = ploy_buffer_writer(&printed);
        ploy_script_profile_print(ploy_debug_profile(debug), &writer);
        fputs(ploy_buffer_text(&printed), stdout);
        ploy_buffer_fini(&printed);
    }
    ploy_debug_destroy(debug);
}

int main(void) {
    static const ploy_sim_type type = {.name = "miner",
                                       .title = "A miner",
                                       .help = "Digs.",
                                       .version = 1,
                                       .dt = 0.1f,
                                       .view = {0, 0, 1, 1},
                                       .fields = fields,
                                       .create = create,
                                       .step = step,
                                       .draw = draw,
                                       .describe = describe};
    ploy_env env = ploy_env_default();
    ploy_recorder_def def = ploy_recorder_def_default();
    ploy_recorder *recorder = NULL;
    if (ploy_recorder_create(&def, &type, NULL, NULL, &env, &recorder) != PLOY_OK) return 1;
    for (int32_t i = 0; i < 9; i++) {
        if (ploy_recorder_step(recorder) != PLOY_OK) return 1;
    }
    const ploy_debug_break rich = {"miner.ploy", 4, "gold > 9"};
    ploy_debug_query query = ploy_debug_query_default();
    query.breaks = &rich;
    query.break_count = 1;
    static const ploy_debug_move moves[] = {PLOY_DEBUG_CONTINUE, PLOY_DEBUG_OUT, PLOY_DEBUG_BACK,
                                            PLOY_DEBUG_BACK, PLOY_DEBUG_IN};
    for (size_t i = 0; i < sizeof moves / sizeof moves[0]; i++) {
        query.move = moves[i];
        query = ask(recorder, query, &env);
    }
    count(recorder, 7, 3, &env);
    printf("the recorder is still at tick %d\n", (int)ploy_recorder_tick(recorder));
    ploy_recorder_destroy(recorder);
    return 0;
}
