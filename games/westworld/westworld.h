// What the files of West World share: the town, its people, and how they speak to each other.
#pragma once

#include "ploy/decide/fsm.h"
#include "ploy/exec/engine.h"
#include "ploy/exec/sim.h"
#include "ploy/world/telegram.h"

// Each stage adds to the one before it.
typedef enum west_stage {
    WEST_STAGE_MINER,
    WEST_STAGE_WIFE,
    WEST_STAGE_MESSAGES,
    WEST_STAGE_BAR_FLY
} west_stage;

// What the miner is written in. He says and does the same.
typedef enum west_language {
    WEST_IN_C,
    WEST_IN_PROGRAM,
    WEST_IN_LUA // only with the component script_lua
} west_language;

typedef struct west_def {
    uint32_t cookie;
    west_stage stage;
    west_language miner;
    float clock;         // s of the town's clock in a tick
    int32_t pockets;     // nuggets until they are full
    int32_t thirsty;     // ticks since the last drink
    int32_t comfort;     // money with which he goes home
    int32_t tired;       // fatigue up to which he works
    int32_t drink_price; // money
    float bathroom;      // chance in each tick
    float stew;          // s of the town's clock
    int32_t drunk;       // drinks from which the bar fly picks quarrels
    int32_t health;      // blows that a person can take
    float blow;          // chance that one lands
    float sleep;         // s of the town's clock that a beaten bar fly sleeps
    bool two_changes;    // full and thirsty at once: through the bank to the saloon
} west_def;

ploy_fields west_fields(void);

typedef enum west_who { WEST_MINER, WEST_WIFE, WEST_FLY, WEST_PEOPLE } west_who;

typedef enum west_place { WEST_SHACK, WEST_MINE, WEST_BANK, WEST_SALOON, WEST_PLACES } west_place;

// Everything that can be said. The texts are in westworld_words.c; the order of a run's lines is the
// trace that the tests compare.
typedef enum west_line {
    WEST_RESTED,
    WEST_WALK_MINE,
    WEST_PICK,
    WEST_LEAVE_MINE,
    WEST_GO_BANK,
    WEST_DEPOSIT,
    WEST_RICH,
    WEST_LEAVE_BANK,
    WEST_WALK_HOME,
    WEST_SLEEP,
    WEST_THIRSTY_WALK,
    WEST_LIQUOR,
    WEST_LEAVE_SALOON,
    WEST_COMING,
    WEST_SMELLS,
    WEST_TASTES,
    WEST_THANKS,
    WEST_TAKES_UP,
    WEST_MINER_HITS,
    WEST_MINER_MISSES,
    WEST_MINER_DOWN,
    WEST_MINER_WINS,
    WEST_MOP,
    WEST_DISHES,
    WEST_BED,
    WEST_BATHROOM,
    WEST_RELIEF,
    WEST_LEAVE_BATHROOM,
    WEST_HOUSEWORK,
    WEST_GREET,
    WEST_STEW_IN,
    WEST_FUSS,
    WEST_STEW_READY,
    WEST_STEW_TABLE,
    WEST_FLY_DRINKS,
    WEST_INSULT,
    WEST_SLEEVES,
    WEST_FLY_HITS,
    WEST_FLY_MISSES,
    WEST_FLY_DOWN,
    WEST_FLY_WINS,
    WEST_FLY_WAKES,
    WEST_LINES
} west_line;

// Why people go from one state to another, as far as a text says where to; see westworld_ways.c.
typedef enum west_cause {
    WEST_CAUSE_RESTED,
    WEST_CAUSE_STEW_READY,
    WEST_CAUSE_FULL,
    WEST_CAUSE_THIRSTY,
    WEST_CAUSE_MORE,
    WEST_CAUSE_ENOUGH,
    WEST_CAUSE_REFRESHED,
    WEST_CAUSE_NATURE,
    WEST_CAUSE_HE_IS_HOME,
    WEST_CAUSE_STEW_DONE,
    WEST_CAUSE_SOBER,
    WEST_CAUSES
} west_cause;

typedef struct west_town west_town;

typedef struct west_person {
    west_town *town;
    ploy_fsm_type *type;
    ploy_fsm *fsm;
    int32_t who;    // west_who
    int32_t place;  // west_place
    int32_t from;   // the place before
    int32_t health; // in a fight
    int32_t words;  // what it said last: a line, or -1
    int32_t number; // the number in it
    uint64_t spoke; // tick of that
    uint64_t moved; // tick in which it came here
} west_person;

// One line that was said.
typedef struct west_word {
    uint64_t tick;
    int32_t line;
    int32_t number;
} west_word;

enum { WEST_WORDS = 48, WEST_STATE_ID = 12 };

struct west_town {
    west_def def;
    ploy_definition_text ways;             // who goes where and why
    char goes[WEST_CAUSES][WEST_STATE_ID]; // the same, read: a state, or "" to stay
    char reserved_before[4];               // no gap, so that equal states are equal bytes
    ploy_engine *engine;                   // serial: each thinks and speaks before the next
    ploy_telegrams *telegrams;
    ploy_names *names; // of telegrams, for people
    west_person people[WEST_PEOPLE];
    void *mind;   // of a scripted miner; NULL in C
    double clock; // s, of the town: the engine's time
    uint64_t tick;
    const ploy_sim_context *context; // during a step
    // The miner.
    int64_t bank;
    int32_t gold, thirst, fatigue;
    // His wife.
    bool cooking;
    bool reserved[3];
    // The bar fly.
    int32_t drinks;
    // What came of it.
    int32_t stews, lost_stews, fights, fights_won;
    int32_t reserved_too;
    uint64_t word_count;
    west_word words[WEST_WORDS]; // by word_count % WEST_WORDS
};

static inline ploy_agent_id west_id(int32_t who) {
    return ploy_agent_id_make((uint32_t)who + 1, 1);
}

// A state's name and what it does.
typedef struct west_state {
    const char *id;
    ploy_fsm_hooks hooks;
} west_state;

// ---- what people share: westworld.c

// Builds a person's machine and puts it on the engine if the stage has that person; the first state is
// the one it starts in, without being entered.
ploy_result west_person_make(west_town *town, west_who who, const west_state *states, int32_t count,
                             const ploy_fsm_hooks *global, const ploy_env *env);
// The same with a machine of another definition.
ploy_result west_person_join(west_town *town, west_who who, ploy_fsm_type *type,
                             const ploy_env *env);
// True if the stage has that person.
bool west_lives(const west_town *town, west_who who);
// The person behind a hook's turn.
west_person *west_self(const ploy_fsm_turn *turn);
// Changes the state, with the reason for the question why.
ploy_result west_change(const ploy_fsm_turn *turn, const char *state, const char *why);
// The same, to the state that the text of changes says.
ploy_result west_go(const ploy_fsm_turn *turn, west_cause cause);
// Back to the state before.
ploy_result west_back(const ploy_fsm_turn *turn, const char *why);
// Notes that the state stays as it is, and why another was not entered.
void west_stay(const ploy_fsm_turn *turn, const char *why, const char *other, const char *why_not);
// Goes to a place and says so; false, and silent, if it is there already.
bool west_walk(west_person *person, west_place place, west_line line);
// A telegram: at once if delay (s of the town's clock) is 0. Nothing happens if the stage has no
// such receiver.
ploy_result west_tell(west_person *from, west_who to, const char *kind, double delay);
bool west_is(const ploy_message *message, const char *kind);
// A random number in [0, 1), the same for the same person, tick and draw.
float west_random(const west_person *person, uint32_t draw);

// ---- the people

ploy_result west_miner_make(west_town *town, const ploy_env *env);   // westworld_miner.c
ploy_result west_program_make(west_town *town, const ploy_env *env); // westworld_program.c
ploy_result west_lua_make(west_town *town, const ploy_env *env);     // westworld_lua.c
// Begins a tick of the miner in Lua.
void west_lua_step(west_town *town, ploy_rng_key key, uint64_t tick);
ploy_result west_wife_make(west_town *town, const ploy_env *env); // westworld_wife.c
ploy_result west_fly_make(west_town *town, const ploy_env *env);  // westworld_fly.c

// One blow at the other: a telegram if it lands.
ploy_result west_strike(west_person *person, west_who other, west_line hit, west_line miss);

// ---- who goes where: westworld_ways.c

extern const ploy_definition west_definitions[1];
const char *west_cause_text(west_cause cause);
// Takes over a text that was checked; NULL for the town's own.
ploy_result west_take_ways(west_town *town, const void *bytes, size_t size, const ploy_env *env);
ploy_result west_write_ways(const void *state, int32_t definition, ploy_writer *out);
ploy_result west_check_ways(const void *state, int32_t definition, const void *bytes, size_t size,
                            const ploy_env *env, ploy_diags *diags);

// ---- words: westworld_words.c

void west_say(west_person *person, west_line line, int32_t number);
const char *west_name(int32_t who);
int32_t west_speaker(int32_t line);
// "Hank: ..." into out; whole says whether the name comes first.
void west_print(int32_t line, int32_t number, bool whole, char *out, size_t size);

// ---- sight: westworld_sight.c

void west_draw(const void *state, ploy_draw *out);
void west_describe(const void *state, ploy_describe *out);
