// Rules of cellular automata; see the header.
#include "ploy/tactics/automata.h"

#include "ploy/base/name.h"

#include <math.h>
#include <string.h>

ploy_automaton_rule ploy_automata_secure(bool keeps) {
    return ploy_automaton_rule_share(1, 0.5f, keeps);
}

ploy_automaton_rule ploy_automata_at_least(int32_t least, bool keeps) {
    ploy_automaton_rule rule = ploy_automaton_rule_table();
    rule.counted = 1;
    for (int32_t count = 0; count <= PLOY_AUTOMATON_NEIGHBOURS; count++) {
        rule.next[0][count] = count >= least;
        rule.next[1][count] = keeps || count >= least;
    }
    return rule;
}

static uint8_t automata_contour_next(void *user, const ploy_automaton_site *site) {
    int32_t higher = 0, as_high = 0;
    (void)user;
    for (int32_t i = 0; i < site->count; i++) {
        higher += site->neighbours[i] > site->state;
        as_high += site->neighbours[i] >= site->state;
    }
    if (higher >= 2 && site->state + 1 < PLOY_AUTOMATON_STATES) return (uint8_t)(site->state + 1);
    if (as_high == 0 && site->state > 0) return (uint8_t)(site->state - 1);
    return site->state;
}

ploy_automaton_rule ploy_automata_contour(void) {
    return ploy_automaton_rule_function(automata_contour_next, NULL);
}

// ---- cities

ploy_city_rules ploy_city_rules_default(void) {
    ploy_city_rules rules = {false, true};
    return rules;
}

static bool automata_city_enough(const ploy_city_rules *rules, int32_t count, int32_t needed) {
    return rules->exactly ? count == needed : count >= needed;
}

static uint8_t automata_city_next(void *user, const ploy_automaton_site *site) {
    // A NULL user means the default, which has no address.
    ploy_city_rules initial = ploy_city_rules_default();
    const ploy_city_rules *rules = user != NULL ? user : &initial;
    bool land = site->state == PLOY_CITY_LAND, built = site->state >= PLOY_CITY_LEVEL_1;
    if (!land && !(built && rules->upgrades)) return site->state;
    int32_t counts[PLOY_AUTOMATON_STATES] = {0};
    for (int32_t i = 0; i < site->count; i++) counts[site->neighbours[i]]++;
    int32_t level = built ? site->state - PLOY_CITY_LEVEL_1 + 1 : 0;
    const int32_t *levels = counts + PLOY_CITY_LEVEL_1 - 1; // levels[k]: buildings of level k
    for (int32_t k = PLOY_CITY_LEVELS; k > level && k >= 2; k--) {
        for (int32_t below = 1; below <= 3 && below < k; below++) {
            if (automata_city_enough(rules, levels[k - below], below + 1)) {
                return (uint8_t)(PLOY_CITY_LEVEL_1 + k - 1);
            }
        }
    }
    bool first = land && counts[PLOY_CITY_WATER] > 0 && counts[PLOY_CITY_TREES] > 0;
    return first ? PLOY_CITY_LEVEL_1 : site->state;
}

ploy_automaton_rule ploy_automata_city(ploy_city_rules *rules) {
    return ploy_automaton_rule_function(automata_city_next, rules);
}

// ---- bases

static const char *const automata_base_texts[] = {
    "free",          "material", "defensive",  "training", "research",
    "manufacturing", "academy",  "laboratory", "factory",  "valuable"};

const char *ploy_base_kind_text(ploy_base_kind kind) {
    return (int32_t)kind >= 0 && kind < PLOY_BASE_KINDS ? automata_base_texts[kind] : "";
}

bool ploy_base_allows(const ploy_automaton_site *site, ploy_base_kind kind) {
    if (site == NULL || site->state != PLOY_BASE_FREE) return false;
    int32_t counts[PLOY_AUTOMATON_STATES] = {0};
    for (int32_t i = 0; i < site->count; i++) {
        if (site->neighbours[i] < PLOY_AUTOMATON_STATES) counts[site->neighbours[i]]++;
    }
    int32_t basic =
        counts[PLOY_BASE_TRAINING] + counts[PLOY_BASE_RESEARCH] + counts[PLOY_BASE_MANUFACTURING];
    int32_t advanced =
        counts[PLOY_BASE_ACADEMY] + counts[PLOY_BASE_LABORATORY] + counts[PLOY_BASE_FACTORY];
    switch (kind) {
    case PLOY_BASE_DEFENSIVE: return counts[PLOY_BASE_MATERIAL] > 0;
    case PLOY_BASE_TRAINING:
    case PLOY_BASE_RESEARCH:
    case PLOY_BASE_MANUFACTURING: return counts[PLOY_BASE_DEFENSIVE] >= 2;
    case PLOY_BASE_ACADEMY: return basic - counts[PLOY_BASE_TRAINING] >= 2;
    case PLOY_BASE_LABORATORY: return basic - counts[PLOY_BASE_RESEARCH] >= 2;
    case PLOY_BASE_FACTORY: return basic - counts[PLOY_BASE_MANUFACTURING] >= 2;
    case PLOY_BASE_VALUABLE: return advanced >= 2;
    default: return false;
    }
}

int32_t ploy_base_sites(const ploy_automaton *base, ploy_base_kind kind, int32_t *out,
                        int32_t capacity) {
    int32_t found = 0;
    if (base == NULL) return 0;
    ploy_automaton_def def = ploy_automaton_def_of(base);
    int32_t width = def.width;
    for (int32_t y = 0; y < def.height; y++) {
        for (int32_t x = 0; x < width; x++) {
            uint8_t around[8];
            ploy_automaton_site site = {x, y, ploy_automaton_cell(base, x, y), around, 0};
            for (int32_t i = 0; i < 9; i++) {
                if (i == 4) continue;
                // Beyond the edge is 0, a free cell, which no rule counts.
                around[site.count++] = ploy_automaton_cell(base, x + i % 3 - 1, y + i / 3 - 1);
            }
            if (!ploy_base_allows(&site, kind)) continue;
            if (found < capacity) out[found] = y * width + x;
            found++;
        }
    }
    return found;
}

// ---- texts and layers

ploy_result ploy_automata_rule_read(const char *text, ploy_diags *diags, ploy_automaton_rule *out) {
    if (text == NULL || out == NULL) return PLOY_ERR_ARGUMENT;
    if (strcmp(text, "secure") == 0) {
        *out = ploy_automata_secure(true);
    } else if (strcmp(text, "crime") == 0) {
        *out = ploy_automaton_rule_share(1, 0.25f, true);
    } else if (strcmp(text, "contour") == 0) {
        *out = ploy_automata_contour();
    } else if (strcmp(text, "city") == 0) {
        *out = ploy_automata_city(NULL);
    } else if (text[0] == 'B' || text[0] == 'b') {
        return ploy_automaton_rule_text(text, diags, out);
    } else {
        static const char *const names[] = {"secure", "crime", "contour", "city"};
        ploy_nearest nearest = ploy_nearest_make(text);
        for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
            ploy_nearest_offer(&nearest, names[i]);
        }
        ploy_diags_add(diags, PLOY_SEVERITY_ERROR, PLOY_ERR_FORMAT, "rule", 1, 1, "unknown rule",
                       "secure, crime, contour, city or a table such as B3/S23", nearest.best);
        return PLOY_ERR_FORMAT;
    }
    return PLOY_OK;
}

ploy_result ploy_automata_run(ploy_automaton *automaton, const ploy_automaton_rule *rule,
                              int32_t steps, ploy_tactics_layer *layer) {
    uint8_t *bytes = ploy_tactics_layer_categories(layer);
    if (automaton == NULL || rule == NULL || bytes == NULL || steps < 0) return PLOY_ERR_ARGUMENT;
    const ploy_places *places = ploy_tactics_layer_places(layer);
    ploy_automaton_def def = ploy_automaton_def_of(automaton);
    if (places->width != def.width || places->height != def.height) return PLOY_ERR_ARGUMENT;
    for (int32_t i = 0; i < places->count; i++) {
        if (bytes[i] >= PLOY_AUTOMATON_STATES && bytes[i] != PLOY_CATEGORY_UNKNOWN) {
            return PLOY_ERR_ARGUMENT;
        }
    }
    ploy_automaton_clear(automaton);
    for (int32_t i = 0; i < places->count; i++) {
        uint8_t state = bytes[i] == PLOY_CATEGORY_UNKNOWN ? 0 : bytes[i];
        ploy_automaton_set(automaton, i % places->width, i / places->width, state);
    }
    for (int32_t i = 0; i < steps; i++) ploy_automaton_step(automaton, rule, NULL);
    for (int32_t y = 0; y < places->height; y++) {
        const uint8_t *row = ploy_automaton_row(automaton, y);
        for (int32_t x = 0; x < places->width; x++) {
            uint8_t *byte = &bytes[y * places->width + x];
            if (*byte != PLOY_CATEGORY_UNKNOWN) *byte = row[x];
        }
    }
    return PLOY_OK;
}

ploy_result ploy_automata_share(const ploy_tactics_layer *from, uint8_t state, float share,
                                bool keeps, ploy_tactics_layer *to) {
    enum { MOST = 64 };
    uint8_t *bytes = ploy_tactics_layer_categories(to);
    if (from == NULL || bytes == NULL || from == to || !(share >= 0.0f && share <= 1.0f) ||
        ploy_tactics_layer_kind(from) != PLOY_TACTICS_CATEGORIES) {
        return PLOY_ERR_ARGUMENT;
    }
    const ploy_places *places = ploy_tactics_layer_places(from);
    if (places->count != ploy_tactics_layer_places(to)->count) return PLOY_ERR_ARGUMENT;
    for (int32_t i = 0; i < places->count; i++) {
        float own = ploy_tactics_layer_at(from, i);
        if (isnan(own)) {
            bytes[i] = PLOY_CATEGORY_UNKNOWN;
            continue;
        }
        int32_t around[MOST], known = 0, same = 0;
        int32_t count = places->neighbours(places, i, around, MOST);
        for (int32_t k = 0; k < (count < MOST ? count : MOST); k++) {
            float value = ploy_tactics_layer_at(from, around[k]);
            known += !isnan(value);
            same += value == (float)state;
        }
        bool joins = known > 0 && (float)same >= share * (float)known;
        bytes[i] = joins ? state : keeps ? (uint8_t)own : 0;
    }
    return PLOY_OK;
}
