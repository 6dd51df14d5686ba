// What one sees of West World: the town with its people, their states and words, and every value.
#include "games/westworld/westworld.h"

#include <stdio.h>
#include <string.h>

#include "ploy/base/math.h"

// ---- draw

enum { SIGHT_LINES = 14 };

static const struct {
    const char *name;
    ploy_vec2 at; // m, its door
    float half_width, height;
    float name_x, words_x; // m from the door: where its name and what is said there begin
} sight_places[WEST_PLACES] = {
    [WEST_SHACK] = {"shack", {-2.0f, -7.0f}, 3.4f, 2.4f, -1.4f, -6.0f},
    [WEST_MINE] = {"mine", {-12.0f, 0.5f}, 2.6f, 3.0f, -1.1f, -5.5f},
    [WEST_BANK] = {"bank", {-2.0f, 5.0f}, 2.6f, 2.6f, -1.1f, -6.0f},
    [WEST_SALOON] = {"saloon", {7.5f, 3.6f}, 3.2f, 2.6f, -1.7f, -6.0f},
};

static const ploy_style sight_styles[WEST_PEOPLE] = {PLOY_STYLE_AGENT_A, PLOY_STYLE_AGENT_B,
                                                     PLOY_STYLE_AGENT_C};

// Where a person is before a building, so that none hides another.
static ploy_vec2 sight_spot(int32_t who, int32_t place) {
    static const float side[WEST_PEOPLE] = {-1.8f, 1.8f, 1.8f};
    ploy_vec2 at = sight_places[place].at;
    return ploy_vec2_make(at.x + side[who], at.y - 0.9f);
}

static void sight_draw_town(ploy_draw *out) {
    ploy_agent_id nobody = ploy_agent_id_none();
    static const int32_t roads[][2] = {{WEST_SHACK, WEST_MINE},
                                       {WEST_SHACK, WEST_BANK},
                                       {WEST_SHACK, WEST_SALOON},
                                       {WEST_MINE, WEST_BANK},
                                       {WEST_BANK, WEST_SALOON}};
    for (size_t i = 0; i < sizeof roads / sizeof roads[0]; i++) {
        ploy_draw_line(out, PLOY_LAYER_REGIONS, PLOY_STYLE_GHOST, nobody,
                       sight_places[roads[i][0]].at, sight_places[roads[i][1]].at);
    }
    for (int32_t i = 0; i < WEST_PLACES; i++) {
        ploy_vec2 door = sight_places[i].at;
        float w = sight_places[i].half_width, h = sight_places[i].height;
        ploy_vec2 walls[5] = {{door.x - w, door.y},
                              {door.x + w, door.y},
                              {door.x + w, door.y + h},
                              {door.x, door.y + 1.5f * h},
                              {door.x - w, door.y + h}};
        ploy_draw_polygon(out, PLOY_LAYER_WORLD, PLOY_STYLE_FLOOR, nobody, walls, 5, 0.6f);
        ploy_vec2 outline[6] = {walls[0], walls[1], walls[2], walls[3], walls[4], walls[0]};
        ploy_draw_polyline(out, PLOY_LAYER_WORLD, PLOY_STYLE_WALL, nobody, outline, 6);
        ploy_vec2 gate[4] = {{door.x - 0.6f, door.y},
                             {door.x - 0.6f, door.y + 1.4f},
                             {door.x + 0.6f, door.y + 1.4f},
                             {door.x + 0.6f, door.y}};
        ploy_draw_polygon(out, PLOY_LAYER_WORLD, PLOY_STYLE_WALL, nobody, gate, 4,
                          i == WEST_MINE ? 0.9f : 0.4f);
        ploy_draw_text(out, nobody,
                       ploy_vec2_make(door.x + sight_places[i].name_x, door.y + 0.8f * h),
                       sight_places[i].name);
    }
}

static void sight_draw_person(const west_town *town, const west_person *person, ploy_draw *out) {
    ploy_agent_id id = west_id(person->who);
    ploy_vec2 at = sight_spot(person->who, person->place);
    if (person->moved == town->tick && person->from != person->place) {
        ploy_draw_arrow(out, PLOY_LAYER_PATHS, PLOY_STYLE_PATH, id,
                        sight_spot(person->who, person->from), at);
    }
    ploy_draw_agent(out, sight_styles[person->who], id, at, -1.5708f, 0.55f);
    if (ploy_fsm_is_in(person->fsm, "fight")) {
        ploy_draw_circle(out, PLOY_LAYER_AGENTS, PLOY_STYLE_WARNING, id, at, 0.9f);
    }
    char text[96];
    snprintf(text, sizeof text, "%s: %s", west_name(person->who),
             ploy_fsm_type_id(person->type, ploy_fsm_current(person->fsm)));
    ploy_vec2 door = sight_places[person->place].at;
    // He is on the left of the door and all others on the right; so are their labels.
    float label = person->who == WEST_MINER ? -6.6f : 1.2f;
    float begin = ploy_maxf(door.x + label, -17.5f); // within the view
    ploy_draw_text(out, id, ploy_vec2_make(begin, at.y - 1.5f), text);
    if (person->words < 0 || person->spoke + 2 < town->tick) return;
    west_print(person->words, person->number, false, text, sizeof text);
    char quoted[100];
    snprintf(quoted, sizeof quoted, "\"%s\"", text);
    float down = person->who == WEST_MINER ? 2.6f : 3.6f; // another's words are below his
    // Long ones begin farther left, so that they end before the list of all words.
    const float letter = 0.64f, right = 15.6f; // m
    float left = ploy_minf(door.x + sight_places[person->place].words_x,
                           right - letter * (float)strlen(quoted));
    ploy_draw_text(out, id, ploy_vec2_make(left, at.y - down), quoted);
}

static void sight_draw_words(const west_town *town, ploy_draw *out) {
    char line[112], text[96];
    snprintf(line, sizeof line, "bank %d, gold %d, thirst %d, fatigue %d", (int)town->bank,
             (int)town->gold, (int)town->thirst, (int)town->fatigue);
    ploy_draw_text(out, west_id(WEST_MINER), ploy_vec2_make(-17.5f, 9.6f), line);
    char table[32 + 128 * SIGHT_LINES];
    int used = snprintf(table, sizeof table, "rl\ntick\tsaid");
    for (uint64_t i = 0; i < SIGHT_LINES && i < town->word_count; i++) {
        const west_word *word = &town->words[(town->word_count - 1 - i) % WEST_WORDS];
        west_print(word->line, word->number, true, text, sizeof text);
        int more =
            snprintf(table + used, sizeof table - (size_t)used, "\n%d\t%s", (int)word->tick, text);
        if (more < 0 || (size_t)(used + more) >= sizeof table) break;
        used += more;
    }
    ploy_draw_table(out, ploy_agent_id_none(), ploy_vec2_make(16.5f, 11.0f), table);
}

void west_draw(const void *state, ploy_draw *out) {
    const west_town *town = state;
    ploy_draw_key(out, PLOY_STYLE_WARNING, "fight");
    ploy_draw_key(out, PLOY_STYLE_AGENT_A, "miner");
    ploy_draw_key(out, PLOY_STYLE_AGENT_B, "his wife");
    ploy_draw_key(out, PLOY_STYLE_AGENT_C, "the barfly");
    ploy_draw_key(out, PLOY_STYLE_PATH, "walk since the last tick");
    ploy_draw_key(out, PLOY_STYLE_FLOOR, "buildings");
    ploy_draw_key(out, PLOY_STYLE_GHOST, "roads");
    sight_draw_town(out);
    for (int32_t i = 0; i < WEST_PEOPLE; i++) {
        if (west_lives(town, (west_who)i)) sight_draw_person(town, &town->people[i], out);
    }
    sight_draw_words(town, out);
}

// ---- describe

static void sight_describe_person(const west_town *town, int32_t who, ploy_describe *out) {
    const west_person *person = &town->people[who];
    ploy_describe_begin_agent(out, west_name(who), west_id(who));
    ploy_describe_text(out, "doing", PLOY_DERIVED,
                       ploy_fsm_type_id(person->type, ploy_fsm_current(person->fsm)));
    ploy_describe_text(out, "place", PLOY_DERIVED, sight_places[person->place].name);
    const struct {
        const char *name;
        int64_t value;
        int32_t who; // whose it is; -1: for all
    } values[] = {{"place number", person->place, -1},
                  {"came from", person->from, -1},
                  {"came in tick", (int64_t)person->moved, -1},
                  {"last words", person->words, -1},
                  {"number in them", person->number, -1},
                  {"spoke in tick", (int64_t)person->spoke, -1},
                  {"health", person->health, -1},
                  {"bank", town->bank, WEST_MINER},
                  {"gold", town->gold, WEST_MINER},
                  {"thirst", town->thirst, WEST_MINER},
                  {"fatigue", town->fatigue, WEST_MINER},
                  {"cooking", town->cooking ? 1 : 0, WEST_WIFE},
                  {"drinks", town->drinks, WEST_FLY}};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        if (values[i].who >= 0 && values[i].who != who) continue;
        ploy_describe_i64(out, values[i].name, PLOY_STATE, values[i].value);
    }
    ploy_describe_begin(out, "machine");
    ploy_fsm_describe(person->fsm, out);
    ploy_describe_end(out);
    ploy_describe_begin(out, "messages");
    ploy_telegrams_describe_agent(town->telegrams, west_id(who), 8, town->names, out);
    ploy_describe_end(out);
    ploy_describe_end(out);
}

void west_describe(const void *state, ploy_describe *out) {
    const west_town *town = state;
    ploy_describe_begin(out, "summary");
    ploy_describe_i64(out, "bank", PLOY_DERIVED, town->bank);
    ploy_describe_i64(out, "stews", PLOY_STATE, town->stews);
    ploy_describe_i64(out, "stews_lost", PLOY_STATE, town->lost_stews);
    ploy_describe_i64(out, "fights", PLOY_STATE, town->fights);
    ploy_describe_i64(out, "fights_won", PLOY_STATE, town->fights_won);
    ploy_describe_u64(out, "lines", PLOY_STATE, town->word_count);
    ploy_describe_end(out);
    ploy_describe_f64(out, "clock", PLOY_STATE, town->clock);
    for (int32_t i = 0; i < WEST_PEOPLE; i++) {
        if (west_lives(town, (west_who)i)) sight_describe_person(town, i, out);
    }
    ploy_describe_begin(out, "said");
    uint64_t first = town->word_count > WEST_WORDS ? town->word_count - WEST_WORDS : 0;
    for (uint64_t i = first; i < town->word_count; i++) {
        const west_word *word = &town->words[i % WEST_WORDS];
        if (word->tick != town->tick) continue;
        char name[24], text[96];
        snprintf(name, sizeof name, "%llu", (unsigned long long)i);
        west_print(word->line, word->number, true, text, sizeof text);
        ploy_describe_text(out, name, PLOY_STATE, text);
    }
    ploy_describe_end(out);
    ploy_describe_begin(out, "telegrams");
    ploy_telegrams_describe(town->telegrams, town->names, out);
    ploy_describe_end(out);
    ploy_describe_begin(out, "engine");
    ploy_engine_describe(town->engine, out);
    ploy_describe_end(out);
    ploy_definition_text_describe(&town->ways, "definition", NULL, out);
}
