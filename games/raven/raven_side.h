// Raven: what a side is made of. Words of tactics, personality and skill are parameters; the
// personalities and skills themselves are files that can be edited while a match runs.
#pragma once

#include "ploy/base/fields.h"

// What a side does together. Each is a bit.
enum {
    RAVEN_FOCUS = 1,   // all shoot at the same opponent, if they see it
    RAVEN_RADIO = 2,   // opponents that one sees are reported to the others
    RAVEN_COVER = 4,   // a hurt bot under fire gets out of sight
    RAVEN_FLANK = 8,   // a second hunter comes from the side
    RAVEN_HEAL = 16,   // an item is left to the comrade that needs it more
    RAVEN_TIMING = 32, // items are reached when they respawn
    RAVEN_HOLD = 64,   // explorers go where items are
    RAVEN_GATHER = 128 // explorers go to comrades
};

// Which words a side has: one, none or the set that won. The other words of raven_side_def add to
// them.
typedef enum raven_tactics {
    RAVEN_TACTICS_PLAIN,
    RAVEN_TACTICS_FOCUS,
    RAVEN_TACTICS_RADIO,
    RAVEN_TACTICS_COVER,
    RAVEN_TACTICS_FLANK,
    RAVEN_TACTICS_HEAL,
    RAVEN_TACTICS_TIMING,
    RAVEN_TACTICS_HOLD,
    RAVEN_TACTICS_GATHER,
    RAVEN_TACTICS_TEAM,
    RAVEN_TACTICS_COUNT
} raven_tactics;

typedef enum raven_personality {
    RAVEN_PERSONALITY_BALANCED,
    RAVEN_PERSONALITY_AGGRESSIVE,
    RAVEN_PERSONALITY_CAUTIOUS,
    RAVEN_PERSONALITY_COLLECTOR,
    RAVEN_PERSONALITY_FILES,                            // those above are files
    RAVEN_PERSONALITY_RANDOM = RAVEN_PERSONALITY_FILES, // each bot draws its biases
    RAVEN_PERSONALITY_COUNT
} raven_personality;

typedef enum raven_skill_level {
    RAVEN_SKILL_SET, // as the parameters of the match are set
    RAVEN_SKILL_NOVICE,
    RAVEN_SKILL_EASY,
    RAVEN_SKILL_NORMAL,
    RAVEN_SKILL_HARD,
    RAVEN_SKILL_EXPERT,
    RAVEN_SKILL_COUNT,
    RAVEN_SKILL_FILES = RAVEN_SKILL_COUNT - 1
} raven_skill_level;

typedef struct raven_side_def {
    uint32_t cookie;
    raven_tactics tactics;
    bool focus, radio, cover, flank, heal, timing, hold, gather; // added to tactics
    raven_personality personality;
    raven_skill_level skill;
} raven_side_def;

ploy_fields raven_side_fields(void);
// The words of a side, as bits.
uint32_t raven_side_words(const raven_side_def *side);
// "focus", ... for one bit.
const char *raven_word_name(uint32_t word);
