// Personalities and skills: built-in files, their current texts, and what bots read of them. An
// edited personality counts from a bot's next arbitration on, an edited skill from the next tick on;
// neither restarts anything.
#include <stdio.h>
#include <string.h>

#include "games/raven/raven_goals.h"
#include "ploy/base/fields_json.h"
#include "ploy/decide/personality.h"

const ploy_definition raven_definitions[RAVEN_DEFINITIONS] = {
    {"map", "level", "The level: walls, doors, spawn points, items and rooms, one to a line."},
    {"weapons", "json", "The table of weapons."},
    {"balanced", "json", "The personality of bots that favour nothing."},
    {"aggressive", "json", "The personality of bots that attack rather than heal."},
    {"cautious", "json", "The personality of bots that arm and heal before they attack."},
    {"collector", "json", "The personality of bots that go far for weapons."},
    {"novice", "json", "The lowest of five levels of skill."},
    {"easy", "json", "The second level of skill."},
    {"normal", "json", "The third level of skill."},
    {"hard", "json", "The fourth level of skill."},
    {"expert", "json", "The highest level of skill."},
    {"blaster_rules", "fll", "When the blaster is desirable."},
    {"shotgun_rules", "fll", "When the shotgun is desirable."},
    {"railgun_rules", "fll", "When the railgun is desirable."},
    {"rocket_rules", "fll", "When the rocket launcher is desirable."},
    {"aim_rules", "fll", "How hard it is to hit a target."},
};

static const char *files_name(int32_t file) {
    return raven_definitions[RAVEN_DEFINITION_MINDS + file].name;
}

static const ploy_field files_traits[] = {
    PLOY_FIELD_F32(raven_traits, health, 0.2, 0, 10, "", "how desirable health is"),
    PLOY_FIELD_F32(raven_traits, weapon, 0.15, 0, 10, "", "how desirable weapons are"),
    PLOY_FIELD_F32(raven_traits, attack, 1, 0, 10, "", "how desirable an attack is"),
    PLOY_FIELD_F32(raven_traits, explore, 0.05, 0, 1, "", "how desirable exploring is"),
    PLOY_FIELD_F32(raven_traits, near, 2.5, 0.01, 100, "m",
                   "an item nearer than this pulls as if it were at this distance"),
    PLOY_FIELD_F32(raven_traits, reach, 25, 0.02, 1000, "m", "beyond this an item does not pull"),
    PLOY_FIELD_F32(raven_traits, slack, 0.5, 0, 10, "s",
                   "how long the bot will wait for an item, with the word timing"),
    PLOY_FIELD_BOOL(raven_traits, weaves, false, "weaves while it fetches under fire"),
};

ploy_fields raven_traits_fields(void) {
    return PLOY_FIELDS(raven_traits, files_traits);
}

static bool files_is_skill(int32_t file) {
    return file >= RAVEN_PERSONALITY_FILES;
}

static const raven_file *files_built_in(int32_t file) {
    char name[64];
    (void)snprintf(name, sizeof name, "%s/%s.json",
                   files_is_skill(file) ? "skills" : "personalities", files_name(file));
    return raven_file_find(name);
}

static ploy_result files_read_skill(const void *bytes, size_t size, const char *name,
                                    const ploy_env *env, ploy_diags *diags, raven_skill *out) {
    ploy_json_def def = ploy_json_def_default();
    ploy_json *doc = NULL;
    ploy_result result = ploy_json_load(bytes, size, name, &def, env, diags, &doc);
    if (result != PLOY_OK) return result;
    ploy_fields_default(raven_skill_fields(), out);
    result = ploy_fields_load_json(raven_skill_fields(), out, doc, ploy_json_root(doc), diags);
    ploy_json_destroy(doc);
    return result;
}

ploy_result raven_mind_write(const raven_match *match, int32_t file, ploy_writer *out) {
    return ploy_definition_text_write(&match->plans->texts[file], out);
}

ploy_result raven_mind_check(const raven_match *match, int32_t file, const void *bytes, size_t size,
                             const ploy_env *env, ploy_diags *diags) {
    const char *name = files_name(file);
    if (files_is_skill(file)) {
        raven_skill skill;
        return files_read_skill(bytes, size, name, env, diags, &skill);
    }
    raven_traits traits;
    ploy_arbiter *arbiter = NULL;
    ploy_fields_default(raven_traits_fields(), &traits);
    ploy_result result = ploy_arbiter_create(match->plans->strategies, NULL, env, &arbiter);
    if (result == PLOY_OK) {
        result = ploy_personality_load(bytes, size, name, raven_traits_fields(), &traits, arbiter,
                                       diags, env);
    }
    ploy_arbiter_destroy(arbiter);
    return result;
}

ploy_result raven_mind_reload(raven_match *match, int32_t file, const void *bytes, size_t size,
                              const ploy_env *env) {
    raven_plans *plans = match->plans;
    if (files_is_skill(file)) {
        raven_skill skill;
        ploy_result result = files_read_skill(bytes, size, files_name(file), env, NULL, &skill);
        if (result != PLOY_OK) return result;
        plans->skills[file - RAVEN_PERSONALITY_FILES] = skill;
    }
    return ploy_definition_text_set(&plans->texts[file], bytes, size, env);
}

// Each bot draws its own biases, from half to one and a half (GOA-24).
static void files_draw(raven_thinker *thinker) {
    for (int32_t i = 0; i < RAVEN_STRATEGIES; i++) {
        float bias = 0.5f + raven_random(thinker->bot);
        (void)ploy_arbiter_set_bias(thinker->arbiter, raven_strategy_name(i), bias);
    }
}

ploy_result raven_mind_read(raven_thinker *thinker) {
    const raven_match *match = thinker->bot->match;
    int32_t personality = (int32_t)raven_side_of(match, thinker->bot->side)->personality;
    bool drawn = personality == (int32_t)RAVEN_PERSONALITY_RANDOM;
    uint64_t current = drawn ? 1 : 1 + match->plans->texts[personality].reloads;
    if (thinker->personality == personality && thinker->loaded == current) return PLOY_OK;
    thinker->personality = personality;
    thinker->loaded = current;
    ploy_fields_default(raven_traits_fields(), &thinker->traits);
    for (int32_t i = 0; i < RAVEN_STRATEGIES; i++) {
        (void)ploy_arbiter_set_bias(thinker->arbiter, raven_strategy_name(i), 1.0f);
    }
    if (drawn) {
        files_draw(thinker);
        return PLOY_OK;
    }
    const ploy_definition_text *text = &match->plans->texts[personality];
    return ploy_personality_load(text->bytes, text->size, files_name(personality),
                                 raven_traits_fields(), &thinker->traits, thinker->arbiter, NULL,
                                 &thinker->env);
}

ploy_result raven_mind_create(raven_match *match, const ploy_env *env) {
    ploy_result result = PLOY_OK;
    for (int32_t i = 0; i < RAVEN_MIND_FILES && result == PLOY_OK; i++) {
        const raven_file *file = files_built_in(i);
        result = file != NULL ? raven_mind_reload(match, i, file->bytes, file->size, env)
                              : PLOY_ERR_NOT_FOUND;
    }
    return result;
}

ploy_result raven_mind_skills(raven_match *match) {
    const raven_plans *plans = match->plans;
    ploy_result result = PLOY_OK;
    for (int32_t i = 0; i < match->bot_count && result == PLOY_OK; i++) {
        raven_bot *bot = &match->bots[i];
        int32_t level = (int32_t)raven_side_of(match, bot->side)->skill;
        const raven_skill *skill =
            level == (int32_t)RAVEN_SKILL_SET ? &match->def.skill : &plans->skills[level - 1];
        if (!bot->present || memcmp(skill, &bot->skill, sizeof *skill) == 0) continue;
        result = raven_bot_set_skill(bot, skill);
    }
    return result;
}
