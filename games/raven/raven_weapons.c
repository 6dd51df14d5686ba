// The four weapons: one table in weapons.json, and what a bot carries of each.
//
// Technique: Buckland, "Programming Game AI by Example", 2005, chapter 7. One struct with one
// table row takes the place of the classes; what differs between weapons is data. Persons and
// bots fire through the same function (raven_shoot_at).
//
// Invariants: (1) a bot always holds the blaster; (2) 0 <= rounds <= max_rounds.
#include <math.h>
#include <string.h>

#include "games/raven/raven.h"
#include "ploy/base/fields_json.h"
#include "ploy/base/math.h"

static const char *const weapon_names[RAVEN_WEAPONS] = {"blaster", "shotgun", "railgun", "rocket"};
static const char *const weapon_items[RAVEN_ITEM_KINDS] = {"health", "shotgun", "railgun",
                                                           "rocket"};

static const ploy_field weapon_fields[] = {
    PLOY_FIELD_F32(raven_weapon_def, rate, 1, 0.05, 60, "1/s", "shots"),
    PLOY_FIELD_F32(raven_weapon_def, damage, 1, 0, 1e6, "", "of a projectile or a blast"),
    PLOY_FIELD_I32(raven_weapon_def, projectiles, 1, 1, 32, "", "of one shot"),
    PLOY_FIELD_F32(raven_weapon_def, spread, 0, 0, 3, "rad", "of projectiles, to each side"),
    PLOY_FIELD_F32(raven_weapon_def, speed, 15, 0.5, 1e5, "m/s", "of projectiles"),
    PLOY_FIELD_F32(raven_weapon_def, blast, 0, 0, 50, "m", "radius; 0: it does not explode"),
    PLOY_FIELD_F32(raven_weapon_def, blast_growth, 6, 0.1, 1000, "m/s", "of the ring shown"),
    PLOY_FIELD_BOOL(raven_weapon_def, pierces, false, "goes through bots"),
    PLOY_FIELD_BOOL(raven_weapon_def, endless, false, "needs no rounds"),
    PLOY_FIELD_BOOL(raven_weapon_def, predicts, false, "bots aim ahead of the target"),
    PLOY_FIELD_BOOL(raven_weapon_def, to_point, false, "ends at the point it was aimed at"),
    PLOY_FIELD_I32(raven_weapon_def, rounds, 15, 0, 100000, "", "that a pickup adds"),
    PLOY_FIELD_I32(raven_weapon_def, max_rounds, 50, 0, 100000, "", "that can be carried"),
    PLOY_FIELD_F32(raven_weapon_def, ideal_range, 5, 0, 1000, "m", "to the target"),
    PLOY_FIELD_F32(raven_weapon_def, sound, 20, 0, 1000, "m", "from which a shot is heard"),
    PLOY_FIELD_F32(raven_weapon_def, trace, 0, 0, 5, "s", "that a shot is shown after it hit"),
};

ploy_fields raven_weapon_fields(void) {
    return PLOY_FIELDS(raven_weapon_def, weapon_fields);
}

const char *raven_weapon_name(int32_t weapon) {
    return weapon >= 0 && weapon < RAVEN_WEAPONS ? weapon_names[weapon] : "none";
}

const char *raven_item_name(int32_t kind) {
    return kind >= 0 && kind < RAVEN_ITEM_KINDS ? weapon_items[kind] : "none";
}

int32_t raven_item_weapon(int32_t kind) {
    static const int32_t weapons[RAVEN_ITEM_KINDS] = {RAVEN_NOBODY, RAVEN_SHOTGUN, RAVEN_RAILGUN,
                                                      RAVEN_ROCKET};
    return kind >= 0 && kind < RAVEN_ITEM_KINDS ? weapons[kind] : RAVEN_NOBODY;
}

ploy_result raven_weapons_load(const void *bytes, size_t size, const char *name,
                               const ploy_env *env, ploy_diags *diags, raven_weapon_table *out) {
    ploy_json_def def = ploy_json_def_default();
    ploy_json *doc = NULL;
    ploy_result result = ploy_json_load(bytes, size, name, &def, env, diags, &doc);
    if (result != PLOY_OK) return result;
    ploy_json_node root = ploy_json_root(doc);
    raven_weapon_table table;
    for (int32_t i = 0; i < RAVEN_WEAPONS; i++) {
        ploy_fields_default(raven_weapon_fields(), &table.items[i]);
    }
    if (ploy_json_type_of(doc, root) != PLOY_JSON_OBJECT) {
        ploy_json_fault(doc, root, diags, "unexpected value", "an object with the weapons", NULL);
        result = PLOY_ERR_FORMAT;
    } else if (ploy_json_check_keys(doc, root, weapon_names, RAVEN_WEAPONS, diags) > 0) {
        result = PLOY_ERR_FORMAT;
    }
    for (int32_t i = 0; i < RAVEN_WEAPONS; i++) {
        ploy_json_node node = ploy_json_member(doc, root, weapon_names[i]);
        if (ploy_json_type_of(doc, node) == PLOY_JSON_NONE) continue;
        ploy_result loaded =
            ploy_fields_load_json(raven_weapon_fields(), &table.items[i], doc, node, diags);
        if (result == PLOY_OK) result = loaded;
    }
    ploy_json_destroy(doc);
    if (result == PLOY_OK) *out = table;
    return result;
}

// ---- what a bot carries

static const raven_weapon_def *weapon_def(const raven_bot *bot, int32_t weapon) {
    return &bot->match->weapons.items[weapon];
}

bool raven_holds(const raven_bot *bot, raven_weapon weapon) {
    return bot->arms[weapon].held;
}

int32_t raven_rounds(const raven_bot *bot, raven_weapon weapon) {
    return bot->arms[weapon].held ? bot->arms[weapon].rounds : 0;
}

float raven_weapon_strength(const raven_bot *bot, raven_weapon weapon) {
    int32_t most = weapon_def(bot, (int32_t)weapon)->max_rounds;
    return most > 0 ? (float)raven_rounds(bot, weapon) / (float)most : 0.0f;
}

float raven_total_strength(const raven_bot *bot) {
    return (raven_weapon_strength(bot, RAVEN_SHOTGUN) + raven_weapon_strength(bot, RAVEN_RAILGUN) +
            raven_weapon_strength(bot, RAVEN_ROCKET)) /
           3.0f;
}

bool raven_change_weapon(raven_bot *bot, raven_weapon weapon) {
    if (!bot->arms[weapon].held) return false;
    bot->weapon = (int32_t)weapon;
    bot->finger.weapon = (int32_t)weapon;
    return true;
}

void raven_give_weapon(raven_bot *bot, raven_weapon weapon) {
    const raven_weapon_def *def = weapon_def(bot, (int32_t)weapon);
    raven_arm *arm = &bot->arms[weapon];
    arm->held = true;
    arm->rounds = ploy_mini(arm->rounds + def->rounds, def->max_rounds); // keeps (2)
}

void raven_give_health(raven_bot *bot, float amount) {
    bot->health = ploy_minf(bot->health + amount, bot->match->def.max_health);
}

bool raven_ready(const raven_bot *bot) {
    const raven_arm *arm = &bot->arms[bot->weapon];
    // A little early, so that the sum of many periods does not slip by a tick.
    bool loaded = bot->match->now >= arm->next - 1e-6;
    return arm->held && loaded && (weapon_def(bot, bot->weapon)->endless || arm->rounds > 0);
}

bool raven_shoot_at(raven_bot *bot, ploy_vec2 point) {
    if (!raven_ready(bot) || !raven_alive(bot)) return false;
    const raven_weapon_def *def = weapon_def(bot, bot->weapon);
    raven_arm *arm = &bot->arms[bot->weapon];
    arm->next = bot->match->now + 1.0 / (double)def->rate;
    if (!def->endless) arm->rounds--;
    bot->shots++;
    raven_fire(bot->match, bot, point);
    return true;
}
