// What a scripted miner may do; see westworld_mind.h.
#include "games/westworld/westworld_mind.h"

#include <stddef.h>
#include <string.h>

typedef struct mind_name {
    const char *name;
    int32_t number;
} mind_name;

static const mind_name mind_lines[] = {
    {"rested", WEST_RESTED},
    {"walk_mine", WEST_WALK_MINE},
    {"pick", WEST_PICK},
    {"leave_mine", WEST_LEAVE_MINE},
    {"go_bank", WEST_GO_BANK},
    {"deposit", WEST_DEPOSIT},
    {"rich", WEST_RICH},
    {"leave_bank", WEST_LEAVE_BANK},
    {"walk_home", WEST_WALK_HOME},
    {"sleep", WEST_SLEEP},
    {"thirsty_walk", WEST_THIRSTY_WALK},
    {"liquor", WEST_LIQUOR},
    {"leave_saloon", WEST_LEAVE_SALOON},
    {"coming", WEST_COMING},
    {"smells", WEST_SMELLS},
    {"tastes", WEST_TASTES},
    {"thanks", WEST_THANKS},
    {"takes_up", WEST_TAKES_UP},
    {"down", WEST_MINER_DOWN},
    {"wins", WEST_MINER_WINS},
    {NULL, 0},
};
static const mind_name mind_places[] = {
    {"shack", WEST_SHACK},   {"mine", WEST_MINE}, {"bank", WEST_BANK},
    {"saloon", WEST_SALOON}, {NULL, 0},
};
static const mind_name mind_people[] = {{"wife", WEST_WIFE}, {"fly", WEST_FLY}, {NULL, 0}};
static const mind_name mind_causes[] = {
    {"rested", WEST_CAUSE_RESTED},       {"stew_ready", WEST_CAUSE_STEW_READY},
    {"full", WEST_CAUSE_FULL},           {"thirsty", WEST_CAUSE_THIRSTY},
    {"more", WEST_CAUSE_MORE},           {"enough", WEST_CAUSE_ENOUGH},
    {"refreshed", WEST_CAUSE_REFRESHED}, {NULL, 0},
};

// @return the number of a name, -1 if it is unknown.
static int32_t mind_find(const mind_name *names, const char *name) {
    for (; names->name != NULL; names++) {
        if (strcmp(names->name, name) == 0) return names->number;
    }
    return -1;
}

static const char *const mind_values[WEST_VALUES] = {
    "gold",    "thirst",  "fatigue", "bank",  "health",      "stews",       "fights", "fights_won",
    "pockets", "thirsty", "comfort", "tired", "drink_price", "full_health", "stage",  "two_changes",
};

const char *west_value_name(int32_t index) {
    return mind_values[index];
}

int64_t west_value_get(const west_town *town, int32_t index) {
    const int64_t values[WEST_VALUES] = {town->gold,
                                         town->thirst,
                                         town->fatigue,
                                         town->bank,
                                         town->people[WEST_MINER].health,
                                         town->stews,
                                         town->fights,
                                         town->fights_won,
                                         town->def.pockets,
                                         town->def.thirsty,
                                         town->def.comfort,
                                         town->def.tired,
                                         town->def.drink_price,
                                         town->def.health,
                                         town->def.stage,
                                         town->def.two_changes};
    return values[index];
}

void west_value_set(west_town *town, int32_t index, int64_t value) {
    int32_t *const numbers[] = {
        &town->gold,  &town->thirst, &town->fatigue,   NULL, &town->people[WEST_MINER].health,
        &town->stews, &town->fights, &town->fights_won};
    if (index == 3) {
        town->bank = value;
    } else if (index < 8) {
        *numbers[index] = (int32_t)value;
    }
}

ploy_result west_mind_say(west_town *town, const char *line, int32_t number) {
    int32_t found = mind_find(mind_lines, line);
    if (found < 0) return PLOY_ERR_NOT_FOUND;
    west_say(&town->people[WEST_MINER], (west_line)found, number);
    return PLOY_OK;
}

ploy_result west_mind_walk(west_town *town, const char *place, const char *line, bool *moved) {
    int32_t to = mind_find(mind_places, place), words = mind_find(mind_lines, line);
    if (to < 0 || words < 0) return PLOY_ERR_NOT_FOUND;
    *moved = west_walk(&town->people[WEST_MINER], (west_place)to, (west_line)words);
    return PLOY_OK;
}

ploy_result west_mind_send(west_town *town, const char *who, const char *kind) {
    int32_t to = mind_find(mind_people, who);
    if (to < 0) return PLOY_ERR_NOT_FOUND;
    return west_tell(&town->people[WEST_MINER], (west_who)to, kind, 0.0);
}

ploy_result west_mind_go(const ploy_fsm_turn *turn, const char *cause) {
    int32_t found = mind_find(mind_causes, cause);
    return found < 0 ? PLOY_ERR_NOT_FOUND : west_go(turn, (west_cause)found);
}

ploy_result west_mind_strike(west_town *town) {
    return west_strike(&town->people[WEST_MINER], WEST_FLY, WEST_MINER_HITS, WEST_MINER_MISSES);
}

void west_mind_stay(const ploy_fsm_turn *turn, const char *why, const char *other,
                    const char *why_not) {
    int32_t cause = mind_find(mind_causes, other);
    west_stay(turn, why, cause >= 0 ? west_self(turn)->town->goes[cause] : other, why_not);
}

const char *west_mind_kind(const ploy_message *message) {
    static const char *const kinds[] = {"stew", "insult", "give_up", "blow"};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (west_is(message, kinds[i])) return kinds[i];
    }
    return "";
}
