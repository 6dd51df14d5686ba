// The parameters of a side.
#include "games/raven/raven_side.h"

static const char *const side_tactics[] = {"plain", "focus",  "radio", "cover",  "flank",
                                           "heal",  "timing", "hold",  "gather", "team"};
static const char *const side_personalities[] = {"balanced", "aggressive", "cautious", "collector",
                                                 "random"};
static const char *const side_skills[] = {"set", "novice", "easy", "normal", "hard", "expert"};

// What measurements left of all words; docs/guide/games-raven-minds.md has the figures.
enum { SIDE_TEAM = RAVEN_FOCUS | RAVEN_RADIO | RAVEN_HEAL | RAVEN_TIMING };

static const ploy_field side_items[] = {
    PLOY_FIELD_ENUM(raven_side_def, tactics, RAVEN_TACTICS_PLAIN, side_tactics,
                    "what the side does together: nothing, one word, or the set that wins"),
    PLOY_FIELD_BOOL(raven_side_def, focus, false, "also: all shoot at the same opponent"),
    PLOY_FIELD_BOOL(raven_side_def, radio, false, "also: opponents are reported to the others"),
    PLOY_FIELD_BOOL(raven_side_def, cover, false, "also: hurt bots get out of sight"),
    PLOY_FIELD_BOOL(raven_side_def, flank, false, "also: a second hunter comes from the side"),
    PLOY_FIELD_BOOL(raven_side_def, heal, false,
                    "also: items are left to the comrade that needs them more"),
    PLOY_FIELD_BOOL(raven_side_def, timing, false, "also: items are reached when they respawn"),
    PLOY_FIELD_BOOL(raven_side_def, hold, false, "also: explorers go where items are"),
    PLOY_FIELD_BOOL(raven_side_def, gather, false, "also: explorers go to comrades"),
    PLOY_FIELD_ENUM(raven_side_def, personality, RAVEN_PERSONALITY_BALANCED, side_personalities,
                    "biases and constants of all its bots"),
    PLOY_FIELD_ENUM(raven_side_def, skill, RAVEN_SKILL_SET, side_skills,
                    "how well its bots fight; set: by the match's parameters"),
};

ploy_fields raven_side_fields(void) {
    return PLOY_FIELDS(raven_side_def, side_items);
}

uint32_t raven_side_words(const raven_side_def *side) {
    uint32_t words = 0;
    if (side->tactics == RAVEN_TACTICS_TEAM) words = SIDE_TEAM;
    if (side->tactics > RAVEN_TACTICS_PLAIN && side->tactics < RAVEN_TACTICS_TEAM) {
        words = 1u << ((uint32_t)side->tactics - 1u);
    }
    const bool also[] = {side->focus, side->radio,  side->cover, side->flank,
                         side->heal,  side->timing, side->hold,  side->gather};
    for (uint32_t i = 0; i < sizeof also / sizeof also[0]; i++) words |= also[i] ? 1u << i : 0u;
    return words;
}

const char *raven_word_name(uint32_t word) {
    for (uint32_t i = 0; i + 2 < RAVEN_TACTICS_COUNT; i++) {
        if (word == 1u << i) return side_tactics[i + 1];
    }
    return "plain";
}
