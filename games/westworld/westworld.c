// West World: a miner who digs, banks, drinks and sleeps, his wife at home, a bar fly in the saloon,
// and what they tell each other; state machines and telegrams on a serial engine, without anything
// around them.
//
// Technique: Buckland, "Programming Game AI by Example", 2005, chapter 2, in its stages, the last one
// an exercise. The order of everything that is said is the book's. What differs: a miner who is
// full and thirsty at once goes to the bank only (two_changes brings the other back), a cook who
// leaves the oven for a moment does not serve a raw stew, and the stew takes 0.8 s instead of 1.5, as
// the printed run needs it: after 1.5 s the miner is gone.
//
// Invariants, after every tick:
//   (1) the miner has no more gold than full pockets hold (unless two_changes let him go on), and his
//       fatigue and thirst are not below 0;
//   (2) miner and bar fly are in the state "fight" both or neither;
//   (3) she is cooking exactly as long as a telegram about the stew waits for her.
#include "games/westworld/westworld.h"

#include <math.h>
#include <string.h>

#include "games/games.h"

static const char *const west_stages[] = {"miner", "wife", "messages", "bar_fly"};

#ifdef PLOY_HAS_SCRIPT_LUA
static const char *const west_languages[] = {"c", "program", "lua"};
#else
static const char *const west_languages[] = {"c", "program"};
#endif

static const ploy_field west_field_table[] = {
    PLOY_FIELD_ENUM_FIXED(west_def, stage, WEST_STAGE_BAR_FLY, west_stages,
                          "who is there: the miner alone, and his wife, who also tell each other, "
                          "and the bar fly"),
    PLOY_FIELD_ENUM_FIXED(west_def, miner, WEST_IN_C, west_languages,
                          "what the miner is written in; he says and does the same"),
    PLOY_FIELD_F32(west_def, clock, 0.3, 0.01, 60, "s", "how far the town's clock goes in a tick"),
    PLOY_FIELD_I32(west_def, pockets, 3, 1, 1000, "nuggets", "when the miner's pockets are full"),
    PLOY_FIELD_I32(west_def, thirsty, 5, 1, 1000, "ticks", "when the miner is thirsty"),
    PLOY_FIELD_I32(west_def, comfort, 5, 1, 1000000, "nuggets", "savings that let him go home"),
    PLOY_FIELD_I32(west_def, tired, 5, 0, 1000, "", "fatigue up to which he goes to work"),
    PLOY_FIELD_I32(west_def, drink_price, 2, 0, 1000, "nuggets", "price of a drink"),
    PLOY_FIELD_F32(west_def, bathroom, 0.1, 0, 1, "", "how likely she must go, in each tick"),
    PLOY_FIELD_F32(west_def, stew, 0.8, 0.001, 1000, "s", "how long a stew is in the oven"),
    PLOY_FIELD_I32(west_def, drunk, 3, 0, 1000, "drinks", "when the bar fly looks for trouble"),
    PLOY_FIELD_I32(west_def, health, 4, 1, 100, "blows", "how many end a fight"),
    PLOY_FIELD_F32(west_def, blow, 0.5, 0.05, 1, "", "how likely a blow lands"),
    PLOY_FIELD_F32(west_def, sleep, 6, 0.001, 1000, "s", "how long a beaten bar fly sleeps"),
    PLOY_FIELD_BOOL(west_def, two_changes, false,
                    "a miner who is full and thirsty at once goes to the saloon through the bank, "
                    "in one tick, as in the book"),
};

ploy_fields west_fields(void) {
    return PLOY_FIELDS(west_def, west_field_table);
}

// ---- what people share

bool west_lives(const west_town *town, west_who who) {
    static const west_stage first[WEST_PEOPLE] = {WEST_STAGE_MINER, WEST_STAGE_WIFE,
                                                  WEST_STAGE_BAR_FLY};
    return town->def.stage >= first[who];
}

west_person *west_self(const ploy_fsm_turn *turn) {
    return turn->owner;
}

ploy_result west_change(const ploy_fsm_turn *turn, const char *state, const char *why) {
    ploy_trace *trace = turn->context->trace;
    const west_person *person = west_self(turn);
    if (trace != NULL) {
        ploy_trace_begin(trace, west_id(person->who), "state", "state machine");
        ploy_trace_option(trace, state, PLOY_OUTCOME_WON, 1.0, why);
        ploy_trace_option(trace, ploy_fsm_type_id(person->type, ploy_fsm_current(turn->fsm)),
                          PLOY_OUTCOME_LOST, 0.0, "its state until now");
        ploy_trace_end(trace);
    }
    return ploy_fsm_change(turn->fsm, turn->context, ploy_fsm_type_find(person->type, state));
}

ploy_result west_go(const ploy_fsm_turn *turn, west_cause cause) {
    const char *state = west_self(turn)->town->goes[cause];
    return state[0] != 0 ? west_change(turn, state, west_cause_text(cause)) : PLOY_OK;
}

void west_stay(const ploy_fsm_turn *turn, const char *why, const char *other, const char *why_not) {
    ploy_trace *trace = turn->context->trace;
    if (trace == NULL) return;
    if (other[0] == 0) { // an edited text may leave a cause out
        other = "any other";
        why_not = "the text names no state to go to";
    }
    const west_person *person = west_self(turn);
    ploy_trace_begin(trace, west_id(person->who), "state", "state machine");
    ploy_trace_option(trace, ploy_fsm_type_id(person->type, ploy_fsm_current(turn->fsm)),
                      PLOY_OUTCOME_WON, 1.0, why);
    ploy_trace_option(trace, other, PLOY_OUTCOME_REJECTED, NAN, why_not);
    ploy_trace_end(trace);
}

ploy_result west_back(const ploy_fsm_turn *turn, const char *why) {
    ploy_trace *trace = turn->context->trace;
    const west_person *person = west_self(turn);
    if (trace != NULL) {
        ploy_trace_begin(trace, west_id(person->who), "state", "state machine");
        ploy_trace_option(trace, ploy_fsm_type_id(person->type, ploy_fsm_previous(turn->fsm)),
                          PLOY_OUTCOME_WON, 1.0, "what it did before");
        ploy_trace_option(trace, ploy_fsm_type_id(person->type, ploy_fsm_current(turn->fsm)),
                          PLOY_OUTCOME_LOST, 0.0, why);
        ploy_trace_end(trace);
    }
    return ploy_fsm_revert(turn->fsm, turn->context);
}

bool west_walk(west_person *person, west_place place, west_line line) {
    if (person->place == (int32_t)place) return false;
    person->from = person->place;
    person->place = (int32_t)place;
    person->moved = person->town->tick;
    west_say(person, line, 0);
    return true;
}

float west_random(const west_person *person, uint32_t draw) {
    const west_town *town = person->town;
    return ploy_rng_float_at(town->context->key, (uint32_t)person->who + 1, town->tick, draw);
}

bool west_is(const ploy_message *message, const char *kind) {
    return ploy_name_equal(message->kind, ploy_name_of(kind));
}

ploy_result west_tell(west_person *from, west_who to, const char *kind, double delay) {
    west_town *town = from->town;
    if (!west_lives(town, to)) return PLOY_OK;
    ploy_message message =
        ploy_message_make(west_id(from->who), west_id((int32_t)to), ploy_name_of(kind));
    // The dispatcher's own time is that of the last delivery, a tick ago: due counts from now.
    message.due = delay > 0.0 ? town->clock + delay : 0.0;
    return ploy_telegrams_post(town->telegrams, &message);
}

ploy_result west_strike(west_person *person, west_who other, west_line hit, west_line miss) {
    bool lands = west_random(person, 0) < person->town->def.blow;
    west_say(person, lands ? hit : miss, 0);
    return lands ? west_tell(person, other, "blow", 0.0) : PLOY_OK;
}

// ---- create

ploy_result west_person_make(west_town *town, west_who who, const west_state *states, int32_t count,
                             const ploy_fsm_hooks *global, const ploy_env *env) {
    west_person *person = &town->people[who];
    ploy_fsm_def def = ploy_fsm_def_default();
    def.enter_initial = false; // no person announces where it has been all along
    ploy_result result = ploy_fsm_type_create(&def, NULL, env, &person->type);
    if (result != PLOY_OK) return result;
    ploy_fsm_state first = ploy_fsm_state_none();
    for (int32_t i = 0; i < count; i++) {
        ploy_fsm_state state =
            ploy_fsm_type_state(person->type, states[i].id, &states[i].hooks, ploy_maker_none());
        if (i == 0) first = state;
    }
    if (global != NULL) (void)ploy_fsm_type_set_global(person->type, global);
    result = ploy_fsm_type_finish(person->type, first); // reports the first fault
    return result == PLOY_OK ? west_person_join(town, who, person->type, env) : result;
}

ploy_result west_person_join(west_town *town, west_who who, ploy_fsm_type *type,
                             const ploy_env *env) {
    west_person *person = &town->people[who];
    person->town = town;
    person->who = (int32_t)who;
    person->words = -1;
    person->type = type;
    ploy_result result = ploy_fsm_create(type, person, env, &person->fsm);
    if (result != PLOY_OK || !west_lives(town, who)) return result;
    ploy_engine_entry entry = ploy_engine_entry_default();
    entry.behavior = ploy_fsm_behavior(person->fsm);
    entry.agent = west_id((int32_t)who);
    ploy_engine_id id;
    return ploy_engine_register(town->engine, &entry, &id);
}

static ploy_result west_create(const void *params, ploy_rng_key key, const ploy_env *env,
                               void **out) {
    west_town *town = ploy_env_alloc_zero(env, sizeof *town);
    if (town == NULL) return PLOY_ERR_MEMORY;
    memcpy(&town->def, params, sizeof town->def);
    ploy_telegrams_def def = ploy_telegrams_def_default();
    def.capacity = 8;
    def.log = 16;
    def.strict = true; // as in the book
    def.duplicate_window = 0.25f;
    static const char *const kinds[] = {"home",    "stew",    "company", "insult",
                                        "come_on", "give_up", "blow",    "wake_up"};
    ploy_engine_def minds = ploy_engine_def_default();
    minds.capacity = WEST_PEOPLE;
    minds.scratch_kib = 1;
    minds.history = 8;
    minds.seed = key.bits;
    ploy_result result = ploy_engine_create(&minds, env, &town->engine);
    if (result == PLOY_OK) result = ploy_telegrams_create(&def, env, &town->telegrams);
    if (result == PLOY_OK) result = ploy_names_create(env, &town->names);
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0] && result == PLOY_OK; i++) {
        result = ploy_names_add(town->names, kinds[i], NULL);
    }
    if (result == PLOY_OK) result = west_miner_make(town, env);
    if (result == PLOY_OK) result = west_wife_make(town, env);
    if (result == PLOY_OK) result = west_fly_make(town, env);
    if (result == PLOY_OK) result = west_take_ways(town, NULL, 0, env);
    if (result != PLOY_OK) return result; // the region goes, and all that is in it
    ploy_telegrams_connect(town->telegrams, town->engine);
    *out = town;
    return PLOY_OK;
}

// ---- step

static ploy_result west_step(void *state, const ploy_sim_context *context) {
    west_town *town = state;
    memcpy(&town->def, context->params, sizeof town->def);
    town->context = context;
    town->tick = context->tick;
    town->clock = ploy_engine_now(town->engine);
    town->thirst++;
    ploy_result result = PLOY_OK;
    for (int32_t i = 0; i < context->input_count && result == PLOY_OK; i++) {
        const ploy_input *input = &context->inputs[i];
        if (input->kind != PLOY_INPUT_RELOAD) continue;
        result = west_take_ways(town, input->bytes, input->size, context->env);
    }
#ifdef PLOY_HAS_SCRIPT_LUA
    if (town->def.miner == WEST_IN_LUA) west_lua_step(town, context->key, context->tick);
#endif
    // A turn is a unit: the budget is that of all.
    ploy_engine_frame frame = {context->jobs, context->scratch, context->trace, town, town};
    ploy_budget budget = ploy_budget_units(WEST_PEOPLE);
    if (result == PLOY_OK)
        result = ploy_engine_step(town->engine, town->def.clock, &budget, &frame);
    if (result == PLOY_OK) result = ploy_engine_failure(town->engine, NULL);
    if (result == PLOY_OK) {
        result = ploy_telegrams_step(town->telegrams, town->clock, NULL, &frame, NULL);
    }
    town->context = NULL;
    return result;
}

static bool west_load(const void *state, ploy_workload *out) {
    const west_town *town = state;
    return ploy_engine_workload(town->engine, 0, out) == PLOY_OK;
}

extern const ploy_sim_type ploy_game_westworld; // in games.c
const ploy_sim_type ploy_game_westworld = {
    .name = "westworld",
    .title = "West World",
    .help =
        "A miner digs, banks, drinks and sleeps; his wife cooks when he comes home; a bar fly "
        "picks quarrels. Each tick is one decision of each character: step by tick to follow them.",
    .version = 2,
    .capabilities = PLOY_SIM_SPEAKS | PLOY_SIM_RELOADS,
    .dt = 0.3f,
    .view = {-18.0f, -12.5f, 42.0f, 11.0f},
    .fields = west_fields,
    .commands = NULL,
    .command_count = 0,
    .create = west_create,
    .destroy = NULL, // the region goes with the simulation
    .step = west_step,
    .draw = west_draw,
    .describe = west_describe,
    .load = west_load,
    .definitions = west_definitions,
    .definition_count = 1,
    .write = west_write_ways,
    .check = west_check_ways,
};
