// The miner as a program: the same states, but what they do is written in the language of
// ploy/decide/program.h. Line by line he says and does what the miner in C does.
//
// A hook of the machine runs the text once, from its rules on; the town's values are keys of a
// blackboard. A change of state runs further hooks in the middle of one, so each depth has its own
// instance.
#include <stdio.h>
#include <string.h>

#include "games/westworld/westworld_mind.h"
#include "ploy/decide/program.h"

enum { PROGRAM_DEPTH = 12, PROGRAM_HOSTS = 10 };

static const char program_text[] =
    "// ---- at home\n"
    "function home_enter() {\n"
    "  if walk('shack', 'walk_home') and stage >= 2 { send('wife', 'home') }\n"
    "}\n"
    "function home_execute() {\n"
    "  if fatigue <= tired {\n"
    "    say('rested'); go('rested')\n"
    "  } else {\n"
    "    fatigue -= 1\n"
    "    say('sleep')\n"
    "    stay('he sleeps', 'rested', 'he is still tired')\n"
    "  }\n"
    "}\n"
    "function home_message() {\n"
    "  if message == 'stew' { handled(); say('coming'); go('stew_ready') }\n"
    "}\n"
    "function eat_execute() {\n"
    "  say('tastes')\n"
    "  stews += 1\n"
    "  back('the stew is eaten')\n"
    "}\n"
    "// ---- in the mine\n"
    "function dig_execute() {\n"
    "  gold += 1; fatigue += 1\n"
    "  say('pick')\n"
    "  local full = gold >= pockets\n"
    "  if full { go('full') } else {\n"
    "    stay('there is room in his pockets', 'full', 'his pockets are not full')\n"
    "  }\n"
    "  if thirst >= thirsty and (two_changes or not full) { go('thirsty') }\n"
    "}\n"
    "// ---- at the bank\n"
    "function bank_execute() {\n"
    "  bank += gold; gold = 0\n"
    "  say_number('deposit', bank)\n"
    "  if bank < comfort { go('more') } else { say('rich'); go('enough') }\n"
    "}\n"
    "// ---- in the saloon\n"
    "function drink_enter() {\n"
    "  if walk('saloon', 'thirsty_walk') { send('fly', 'company') }\n"
    "}\n"
    "function drink_execute() {\n"
    "  thirst = 0\n"
    "  bank -= drink_price // below 0 it is on the slate\n"
    "  say('liquor')\n"
    "  go('refreshed')\n"
    "}\n"
    "function drink_message() {\n"
    "  if message == 'insult' {\n"
    "    handled(); say('takes_up')\n"
    "    send('fly', 'come_on') // first, so that both are in the fight\n"
    "    change('fight', 'he was insulted')\n"
    "  }\n"
    "}\n"
    "function fight_execute() {\n"
    "  stay('neither has given up', 'home', 'he is not beaten')\n"
    "  strike()\n"
    "}\n"
    "function fight_message() {\n"
    "  if message == 'give_up' {\n"
    "    handled(); fights_won += 1\n"
    "    say('wins'); back('the fight is won')\n"
    "  }\n"
    "  if message == 'blow' {\n"
    "    handled(); health -= 1\n"
    "    if health <= 0 {\n"
    "      say('down')\n"
    "      fatigue = tired + 4 // he needs some sleep now\n"
    "      send('fly', 'give_up')\n"
    "      change('home', 'he was beaten')\n"
    "    }\n"
    "  }\n"
    "}\n"
    "when hook == 'home.enter' do home_enter()\n"
    "when hook == 'home.execute' do home_execute()\n"
    "when hook == 'home.message' do home_message()\n"
    "when hook == 'dig.enter' do walk('mine', 'walk_mine')\n"
    "when hook == 'dig.execute' do dig_execute()\n"
    "when hook == 'dig.exit' do say('leave_mine')\n"
    "when hook == 'bank.enter' do walk('bank', 'go_bank')\n"
    "when hook == 'bank.execute' do bank_execute()\n"
    "when hook == 'bank.exit' do say('leave_bank')\n"
    "when hook == 'drink.enter' do drink_enter()\n"
    "when hook == 'drink.execute' do drink_execute()\n"
    "when hook == 'drink.exit' do if thirst == 0 { say('leave_saloon') }\n"
    "when hook == 'drink.message' do drink_message()\n"
    "when hook == 'eat.enter' do say('smells')\n"
    "when hook == 'eat.execute' do eat_execute()\n"
    "when hook == 'eat.exit' do say('thanks')\n"
    "when hook == 'fight.enter' do { health = full_health; fights += 1 }\n"
    "when hook == 'fight.execute' do fight_execute()\n"
    "when hook == 'fight.message' do fight_message()\n";

typedef struct program_mind {
    ploy_program *program;
    ploy_program_instance *instances[PROGRAM_DEPTH];
    ploy_program_host hosts[PROGRAM_HOSTS];
    ploy_program_scope scope;
    ploy_blackboard_layout *layout;
    ploy_blackboard *board;
    int32_t depth;
    bool handled;
    const ploy_fsm_turn *turn; // of the innermost hook
} program_mind;

// The keys, of which the last two are texts: the town's values, "home.enter" and "stew".
enum { PROGRAM_HOOK = WEST_VALUES, PROGRAM_MESSAGE, PROGRAM_KEYS };

static program_mind *program_of(const west_town *town) {
    return town->mind;
}

static ploy_slot program_slot(int32_t key) {
    ploy_slot slot = {(uint32_t)key + 1};
    return slot;
}

// The values go to the town before anything outside the program reads them.
static void program_publish(const program_mind *mind, west_town *town) {
    for (int32_t i = 0; i < WEST_VALUES; i++) {
        west_value_set(town, i, ploy_blackboard_get_i64(mind->board, program_slot(i)));
    }
}

static ploy_result program_fetch(program_mind *mind, const west_town *town) {
    ploy_result result = PLOY_OK;
    for (int32_t i = 0; i < WEST_VALUES && result == PLOY_OK; i++) {
        result = ploy_blackboard_set_i64(mind->board, program_slot(i), west_value_get(town, i));
    }
    return result;
}

static const char *program_arg(const ploy_value *args, int32_t index) {
    return args[index].as.text;
}

static ploy_result program_say(void *user, ploy_step_context *context, const ploy_value *args,
                               ploy_value *out) {
    (void)context, (void)out;
    return west_mind_say(user, program_arg(args, 0), 0);
}

static ploy_result program_say_number(void *user, ploy_step_context *context,
                                      const ploy_value *args, ploy_value *out) {
    (void)context, (void)out;
    return west_mind_say(user, program_arg(args, 0), (int32_t)args[1].as.f64);
}

static ploy_result program_walk(void *user, ploy_step_context *context, const ploy_value *args,
                                ploy_value *out) {
    bool moved = false;
    (void)context;
    ploy_result result = west_mind_walk(user, program_arg(args, 0), program_arg(args, 1), &moved);
    *out = ploy_value_f64(moved ? 1.0 : 0.0);
    return result;
}

static ploy_result program_send(void *user, ploy_step_context *context, const ploy_value *args,
                                ploy_value *out) {
    (void)context, (void)out;
    program_publish(program_of(user), user);
    ploy_result result = west_mind_send(user, program_arg(args, 0), program_arg(args, 1));
    return result == PLOY_OK ? program_fetch(program_of(user), user) : result;
}

static ploy_result program_go(void *user, ploy_step_context *context, const ploy_value *args,
                              ploy_value *out) {
    (void)context, (void)out;
    program_publish(program_of(user), user);
    ploy_result result = west_mind_go(program_of(user)->turn, program_arg(args, 0));
    return result == PLOY_OK ? program_fetch(program_of(user), user) : result;
}

static ploy_result program_change(void *user, ploy_step_context *context, const ploy_value *args,
                                  ploy_value *out) {
    (void)context, (void)out;
    const ploy_fsm_turn *turn = program_of(user)->turn;
    program_publish(program_of(user), user);
    ploy_result result = west_change(turn, program_arg(args, 0), program_arg(args, 1));
    return result == PLOY_OK ? program_fetch(program_of(user), user) : result;
}

static ploy_result program_back(void *user, ploy_step_context *context, const ploy_value *args,
                                ploy_value *out) {
    (void)context, (void)out;
    program_publish(program_of(user), user);
    ploy_result result = west_back(program_of(user)->turn, program_arg(args, 0));
    return result == PLOY_OK ? program_fetch(program_of(user), user) : result;
}

static ploy_result program_stay(void *user, ploy_step_context *context, const ploy_value *args,
                                ploy_value *out) {
    (void)context, (void)out;
    west_mind_stay(program_of(user)->turn, program_arg(args, 0), program_arg(args, 1),
                   program_arg(args, 2));
    return PLOY_OK;
}

static ploy_result program_handled(void *user, ploy_step_context *context, const ploy_value *args,
                                   ploy_value *out) {
    (void)context, (void)args, (void)out;
    program_of(user)->handled = true;
    return PLOY_OK;
}

static ploy_result program_strike(void *user, ploy_step_context *context, const ploy_value *args,
                                  ploy_value *out) {
    (void)context, (void)args, (void)out;
    program_publish(program_of(user), user);
    ploy_result result = west_mind_strike(user);
    return result == PLOY_OK ? program_fetch(program_of(user), user) : result;
}

// Runs the text for one hook.
static ploy_result program_run(const ploy_fsm_turn *turn, const char *state, const char *hook,
                               const char *message, bool *handled) {
    west_town *town = west_self(turn)->town;
    program_mind *mind = program_of(town);
    if (mind->depth == PROGRAM_DEPTH) return PLOY_ERR_LIMIT;
    char name[32];
    snprintf(name, sizeof name, "%s.%s", state, hook);
    ploy_result result = program_fetch(mind, town);
    if (result == PLOY_OK)
        result = ploy_blackboard_set_text(mind->board, program_slot(PROGRAM_HOOK), name);
    if (result == PLOY_OK)
        result = ploy_blackboard_set_text(mind->board, program_slot(PROGRAM_MESSAGE), message);
    if (result != PLOY_OK) return result;
    const ploy_fsm_turn *outer = mind->turn;
    bool outer_handled = mind->handled;
    ploy_program_instance *instance = mind->instances[mind->depth++];
    mind->turn = turn;
    mind->handled = false;
    ploy_step_context context = *turn->context;
    context.blackboard = mind->board;
    context.budget = NULL; // the town's units are turns
    ploy_status status;
    ploy_program_instance_restart(instance);
    result = ploy_program_step(instance, &context, &status);
    if (result == PLOY_OK && ploy_program_state_of(instance) != PLOY_PROGRAM_DONE) {
        result = PLOY_ERR_LIMIT;
    }
    program_publish(mind, town);
    if (handled != NULL) *handled = mind->handled;
    mind->depth--;
    mind->turn = outer;
    mind->handled = outer_handled;
    return result;
}

static ploy_result program_enter(void *user, const ploy_fsm_turn *turn) {
    return program_run(turn, user, "enter", "", NULL);
}

static ploy_result program_execute(void *user, const ploy_fsm_turn *turn) {
    return program_run(turn, user, "execute", "", NULL);
}

static void program_exit(void *user, const ploy_fsm_turn *turn) {
    (void)program_run(turn, user, "exit", "", NULL);
}

static ploy_result program_message(void *user, const ploy_fsm_turn *turn,
                                   const ploy_message *message, bool *handled) {
    return program_run(turn, user, "message", west_mind_kind(message), handled);
}

static ploy_result program_create(west_town *town, const ploy_env *env) {
    program_mind *mind = ploy_env_alloc_zero(env, sizeof *mind);
    if (mind == NULL) return PLOY_ERR_MEMORY;
    town->mind = mind;
    ploy_blackboard_key keys[PROGRAM_KEYS];
    memset(keys, 0, sizeof keys);
    for (int32_t i = 0; i < WEST_VALUES; i++) {
        keys[i].name = west_value_name(i);
        keys[i].type = PLOY_VALUE_I64;
    }
    keys[PROGRAM_HOOK].name = "hook";
    keys[PROGRAM_MESSAGE].name = "message";
    keys[PROGRAM_HOOK].type = keys[PROGRAM_MESSAGE].type = PLOY_VALUE_TEXT;
    ploy_result result =
        ploy_blackboard_layout_create(keys, PROGRAM_KEYS, "miner", env, NULL, &mind->layout);
    if (result == PLOY_OK) result = ploy_blackboard_create(mind->layout, env, &mind->board);
    const ploy_program_host hosts[] = {
        {"say", program_say, "(text)", 0, town},
        {"say_number", program_say_number, "(text, number)", 0, town},
        {"walk", program_walk, "number(text, text)", 0, town},
        {"send", program_send, "(text, text)", 0, town},
        {"go", program_go, "(text)", 0, town},
        {"change", program_change, "(text, text)", 0, town},
        {"back", program_back, "(text)", 0, town},
        {"stay", program_stay, "(text, text, text)", 0, town},
        {"handled", program_handled, "()", 0, town},
        {"strike", program_strike, "()", 0, town},
    };
    memcpy(mind->hosts, hosts, sizeof mind->hosts);
    mind->scope.hosts = mind->hosts;
    mind->scope.host_count = (int32_t)(sizeof hosts / sizeof hosts[0]);
    mind->scope.layout = mind->layout;
    ploy_program_def def = ploy_program_def_default();
    if (result == PLOY_OK) {
        result = ploy_program_create(&def, program_text, sizeof program_text - 1, "miner.ploy",
                                     &mind->scope, env, NULL, &mind->program);
    }
    for (int32_t i = 0; i < PROGRAM_DEPTH && result == PLOY_OK; i++) {
        result = ploy_program_instance_create(mind->program, env, &mind->instances[i]);
    }
    return result;
}

ploy_result west_program_make(west_town *town, const ploy_env *env) {
    static const char *const names[] = {"home", "dig", "bank", "drink", "eat", "fight"};
    west_state states[sizeof names / sizeof names[0]];
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        states[i].id = names[i];
        states[i].hooks = (ploy_fsm_hooks){program_enter, program_execute,
                                           program_exit,  program_message,
                                           NULL,          (void *)(uintptr_t)names[i]};
    }
    ploy_result result = program_create(town, env);
    if (result != PLOY_OK) return result;
    return west_person_make(town, WEST_MINER, states, (int32_t)(sizeof names / sizeof names[0]),
                            NULL, env);
}
